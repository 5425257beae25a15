"""Who does what to whom, as far as the order of words tells.

Words of a claim that stand in another order than in the passage are let pass only where a
known turn of English explains it: passive and active, a phrase put first, a list told in
another order, "water damage" and "damage by water". Nothing is parsed; a swap of roles in
free paraphrase can go unseen.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.text.kinship import key
from groundedgen.text.senses import WAYS
from groundedgen.text.vocabulary import IRREGULAR

if TYPE_CHECKING:
    from groundedgen.judges.alignment import Alignment, Link
    from groundedgen.text.analysis import Analysis

__all__ = ["moved", "stitched"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PREPOSITIONS: Final = _set(
    "of in on at to by for from with within into onto upon over under above below between among"
    " amongst about against through throughout during before after across along around behind"
    " beside besides beyond near outside inside via per toward towards until till"
    " since as than without despite regarding concerning because if unless when where while"
)
_STOPS_PHRASE: Final = _set(
    "am is are was were be been being has have had do does did will would shall should can could may"
    " might must that which who whom whose it they he she we you i there not"
)
_AUXILIARIES: Final = _set("is are was were has have had do does did will would")
_BE: Final = _set("am is are was were be been being get gets got")
_HAVE: Final = _set("has have had with")
_COPULA: Final = _set("is are was were")
_OF_DOER: Final = _set("by from under through in with after because since during")
_NOUN_LINKS: Final = _set("of by from in for with on to")
_BARE_PARTICIPLES: Final = _set("set put cut let hit hurt shut split spread cast")
_OPPOSED: Final = [
    {"to", "from"}, {"by", "to"}, {"by", "for"}, {"before", "after"}, {"with", "without"},
    {"above", "below"}, {"over", "under"}, {"inside", "outside"}, {"for", "against"},
    {"into", "from"}, {"up", "down"}, {"on", "off"}, {"until", "from"}, {"until", "since"},
    {"until", "after"}, {"in", "outside"}, {"within", "after"}, {"within", "outside"},
    {"before", "since"}, {"by", "after"}, {"by", "from"},
]  # fmt: skip


def moved(al: Alignment) -> str | None:
    """Why the claim's order of words may mean something else; `None` where it cannot."""
    if any(w.text == "respectively" for w in al.sentence.words) and len(al.links) < len(
        al.sentence.content
    ):
        return 'the passage pairs its lists by "respectively"'
    turned = [x for x in al.links if _voice(al.claim, x.here) != _voice(al.sentence, x.there)]
    for one, two in combinations(al.links, 2):
        if one.there > two.there and not _explained(al, one, two, turned):
            return f"{_pair(al, one, two)} stand the other way round in the passage"
    for verb in (x for x in turned if x.kin != "opposite"):
        left = _unturned(al, verb)
        if left is not None:
            return f'"{al.claim.words[left.here].text}" has another part in what the passage says'
    if _breaks_name(al):
        return "a name of the passage is put together otherwise"
    for link in al.links:
        here, there = _intro(al.claim, link.here), _intro(al.sentence, link.there)
        if {here, there} in _OPPOSED and not turned:
            return f'the passage says "{there}", the claim "{here}"'
    return None


def _breaks_name(al: Alignment) -> bool:
    """Whether two words of a name stand apart, or the other way round, in the passage."""
    for one, two in pairwise(al.links):
        capitals = al.claim.words[one.here].capital and al.claim.words[two.here].capital
        if not capitals or two.here != one.here + 1 or one.here == 0:
            continue
        if not al.sentence.words[one.there].capital or not al.sentence.words[two.there].capital:
            continue
        between = range(one.there + 1, two.there)
        if two.there < one.there or len(between) > 2 or any(i in al.here for i in between):
            return True
    return False


def _pair(al: Alignment, one: Link, two: Link) -> str:
    return f'"{al.claim.words[one.here].text}" and "{al.claim.words[two.here].text}"'


def _explained(al: Alignment, one: Link, two: Link, turned: list[Link]) -> bool:
    return (
        any(_across(verb, one, two) for verb in turned)
        or _is_adjunct(al, one)
        or _is_adjunct(al, two)
        or _is_compound(al, one, two)
        or _is_list(al, one, two)
        or _is_date(al, one, two)
        or _is_having(al, one, two)
        or _is_identity(al, one, two)
    )


def _across(verb: Link, one: Link, two: Link) -> bool:
    """Whether the two stand on opposite sides of a verb whose voice changed, in both texts."""
    if verb in (one, two):
        return True
    return one.here < verb.here < two.here and two.there < verb.there < one.there


def _unturned(al: Alignment, verb: Link) -> Link | None:
    """A word that keeps its side of a verb though the verb's voice changed."""
    for link in al.links:
        same_side = (link.here < verb.here) == (link.there < verb.there)
        near = al.sentence.segment[link.there] == al.sentence.segment[verb.there]
        bare = not _intro(al.claim, link.here) or not _intro(al.sentence, link.there)
        if link != verb and same_side and near and bare and _is_core(al, link, verb):
            return link
    return None


def _is_core(al: Alignment, link: Link, verb: Link) -> bool:
    """Whether a word could be what does or suffers the verb, in both texts."""
    by = {_intro(al.claim, link.here), _intro(al.sentence, link.there)}
    apart = _in_condition(al.claim, link.here) != _in_condition(al.claim, verb.here)
    return by <= {"", "by"} and not apart


def _voice(side: Analysis, place: int) -> str:
    """How a verb is turned: "passive", "middle" (what changes is the subject: "prices fell") or ""."""
    word = side.words[place].text
    participle = word.endswith("ed") or word in IRREGULAR or word in _BARE_PARTICIPLES
    near = side.words[max(0, place - 3) : place]
    same = side.segment[place] == side.segment[max(0, place - 3)] or len(near) < 3
    if participle and any(w.text in _BE for w in near) and (same or near[-1].text in _BE):
        return "passive"
    after = side.words[place + 1].text if place + 1 < len(side.words) else ""
    if participle and after == "by":
        return "passive"
    if word in WAYS and side.segment[place] is not None and (not after or after in _PREPOSITIONS):
        return "middle"
    return ""


def _intro(side: Analysis, place: int) -> str:
    """The preposition or conjunction that a word's phrase begins with; "" for none."""
    at = _intro_at(side, place)
    if at is None:
        return ""
    mark = side.governing.get(at)
    return "if" if mark is not None and mark.kind == "if" else side.words[at].text


def _intro_at(side: Analysis, place: int) -> int | None:
    """Where the phrase of a word begins, at its preposition; `None` for no preposition.

    Goes left over the words of one noun phrase: content, then at most one article, before
    which the preposition must stand.
    """
    article = False
    for at in range(place - 1, max(-1, place - 1 - _PHRASE), -1):
        if side.segment[at] != side.segment[place]:
            return None
        word = side.words[at].text
        mark = side.governing.get(at)
        if mark is not None and mark.kind == "bound":
            continue
        if word in _PREPOSITIONS or (mark is not None and mark.kind == "if"):
            return at
        if word in ("and", "or"):
            article = False
        elif article or word in _STOPS_PHRASE or (mark is not None and mark.kind in _VERBAL):
            return None
        article = article or word in _ARTICLES
    return None


_PHRASE: Final = 7
_VERBAL: Final = frozenset(["modal", "negation"])
_ARTICLES: Final = _set(
    "a an the this that these those his her its their our my your each every all"
)


def _phrase_of(side: Analysis, place: int) -> frozenset[int]:
    """The content words that share a word's preposition, or its conditional clause."""
    scope = _condition_of(side, place)
    if scope is not None:
        return frozenset(i for i in side.content if i in scope)
    at = _intro_at(side, place)
    return frozenset(i for i in side.content if at is not None and _intro_at(side, i) == at)


def _condition_of(side: Analysis, place: int) -> range | None:
    for mark in side.of("if"):
        same = side.segment[mark.first] == side.segment[place]
        if same and mark.first <= place:
            end = next(
                (
                    i
                    for i in range(place, len(side.words))
                    if side.segment[i] != side.segment[place]
                ),
                len(side.words),
            )
            return range(mark.first, end)
    return None


def _in_condition(side: Analysis, place: int) -> bool:
    return any(
        m.first <= place and side.segment[m.first] == side.segment[place] for m in side.of("if")
    )


def _is_adjunct(al: Alignment, link: Link) -> bool:
    """Whether a word's phrase may stand anywhere: "on Mondays", "if the alarm was set".

    The phrase must have the same preposition and hold the same words in both texts.
    """
    here, there = _intro(al.claim, link.here), _intro(al.sentence, link.there)
    conditions = _in_condition(al.claim, link.here) and _in_condition(al.sentence, link.there)
    if not conditions and (not here or (here != there and not {here, there} <= _PLACES)):
        return False
    ours = {al.there.get(i) for i in _phrase_of(al.claim, link.here)} - {None}
    return ours == {i for i in _phrase_of(al.sentence, link.there) if i in al.here}


_PLACES: Final = _set("in among amongst within at on inside during throughout across")


def _is_compound(al: Alignment, one: Link, two: Link) -> bool:
    """As "water damage" and "damage by water", "three months' notice" and "notice of ..."."""
    ours, theirs = (one.here, two.here), (two.there, one.there)
    return (_is_run(al.claim, *ours) and _is_linked(al.sentence, *theirs)) or (
        _is_linked(al.claim, *ours) and _is_run(al.sentence, *theirs)
    )


def _is_run(side: Analysis, first: int, last: int) -> bool:
    """Whether nothing but content stands between two words, at most two of it."""
    return last - first <= _COMPOUND and all(i in side.content for i in range(first, last))


def _is_linked(side: Analysis, first: int, last: int) -> bool:
    """Whether a word is followed by a preposition and, in that phrase, the other one."""
    return last - first <= _COMPOUND + 2 and side.words[first + 1].text in _NOUN_LINKS


_COMPOUND: Final = 3


def _is_date(al: Alignment, one: Link, two: Link) -> bool:
    """The turn "26 June" and "June 26": side by side in both, a number one of them."""
    numbers = [al.claim.words[x.here].text[0].isdigit() for x in (one, two)]
    near = abs(one.here - two.here) == abs(one.there - two.there) == 1
    return near and sum(numbers) == 1


def _is_list(al: Alignment, one: Link, two: Link) -> bool:
    """Whether both are items of one list, whose order says nothing (numbers excepted)."""
    words = al.claim.words[one.here].text, al.claim.words[two.here].text
    if any(w[0].isdigit() for w in words):
        return False
    return _listed(al.claim, one.here, two.here) and _listed(al.sentence, two.there, one.there)


def _listed(side: Analysis, first: int, last: int) -> bool:
    between = side.words[first + 1 : last]
    joined = any(w.text in ("and", "or", "nor") for w in between)
    comma = side.segment[first] != side.segment[last]
    small = all(w.text in _LISTABLE or i + first + 1 in side.content for i, w in enumerate(between))
    return small and (joined or comma)


_LISTABLE: Final = _set("and or nor a an the")


def _is_having(al: Alignment, one: Link, two: Link) -> bool:
    """The turn "Villages had births" and "births in villages"."""
    between = al.sentence.words[two.there + 1 : one.there]
    return any(w.text in _HAVE for w in between) and _block_intro(al, two) in (
        "in", "of", "at", "among", "for",
    )  # fmt: skip


def _block_intro(al: Alignment, link: Link) -> str:
    """How the run of words in the passage's order that a claim's word is in begins."""
    first = link
    for before, after in reversed(list(pairwise(x for x in al.links if x.here <= link.here))):
        if before.there > after.there:
            break
        first = before
    return _intro(al.claim, first.here)


def _is_identity(al: Alignment, one: Link, two: Link) -> bool:
    """The turn "Paris is the capital" and "the capital is Paris"."""
    here = _copula(al.claim, one.here, two.here)
    there = _copula(al.sentence, two.there, one.there)
    return here and there


def _copula(side: Analysis, first: int, last: int) -> bool:
    at = [i for i in range(first + 1, last) if side.words[i].text in _COPULA]
    if len(at) != 1 or at[0] + 1 >= len(side.words):
        return False
    after = side.words[at[0] + 1]
    return after.text == "the" or (after.capital and at[0] + 1 in side.content)


def stitched(al: Alignment) -> str | None:
    """Why a claim may join what the passage keeps apart: one clause's subject, another's verb."""
    for before, after in pairwise(al.links):
        if after.there < before.there:
            continue
        if al.claim.segment[before.here] == al.claim.segment[after.here] and (
            _other_subject(al, before, after) or _other_figure(al, before, after)
        ):
            return f"{_pair(al, before, after)} stand in different clauses of the passage"
        if _past_relative(al, before, after):
            return f"{_pair(al, before, after)} stand in different clauses of the passage"
    return _repeated(al) or _head_dropped(al)


def _other_figure(al: Alignment, before: Link, after: Link) -> bool:
    """A number with another number, and what that is of, between it and the claim's subject."""
    side = al.sentence
    if not side.words[after.there].text[0].isdigit():
        return False
    between = [i for i in side.content if before.there < i < after.there and i not in al.here]
    numbers = [i for i in between if side.words[i].text[0].isdigit()]
    return bool(numbers) and any(i > numbers[0] and i not in numbers for i in between)


def _past_relative(al: Alignment, before: Link, after: Link) -> bool:
    """As "acquitted the driver who hit the cyclist" does not say "acquitted the cyclist"."""
    side = al.sentence
    for at in range(before.there + 1, after.there):
        if side.words[at].text in ("who", "whom", "whose", "which"):
            antecedent = max((i for i in side.content if i < at), default=None)
            return antecedent not in al.here
    return False


def _repeated(al: Alignment) -> str | None:
    """As in "Anna wrote to Ben and Carl wrote to Dora": a verb again, with another subject."""
    side = al.sentence
    keys = {key(side.words[x.there].text) for x in al.links}
    last = max((x.there for x in al.links), default=-1)
    first = min((x.there for x in al.links), default=-1)
    for place in side.content:
        word = side.words[place].text
        if first < place < last and place not in al.here and key(word) in keys:
            subject = place - 1
            if subject in side.content and subject not in al.here and not _intro(side, subject):
                return f'"{word}" is said of two in the passage'
    return None


def _head_dropped(al: Alignment) -> str | None:
    """Neither the tenant nor repairs are what "the tenant's lawyer", "the cost of repairs" say."""
    side = al.sentence
    for link in al.links:
        at = link.there
        ours_goes_on = link.here + 1 in al.claim.content
        if ours_goes_on or _intro(al.claim, link.here):
            continue
        head = _head_after(side, at)
        if head is None and _voice_free(al):
            start = _intro_at(side, at)
            head = start - 1 if start and start - 1 in side.content else None
        if head is not None and head not in al.here:
            return f'the passage speaks of "{side.words[head].text}" there'
    return None


def _head_after(side: Analysis, at: int) -> int | None:
    """The noun that a word stands before as its owner or first part."""
    following = at + 1
    if following not in side.content or side.segment[following] != side.segment[at]:
        return None
    word = side.words[at]
    if "'" in side.text[word.start : word.end].replace("\u2019", "'"):
        return following
    beyond = side.words[following + 1].text if following + 1 < len(side.words) else ""
    mark = side.governing.get(following + 1)
    is_verb = beyond in _AUXILIARIES or (mark is not None and mark.kind == "modal")
    return following if is_verb else None


def _voice_free(al: Alignment) -> bool:
    """Whether no verb is turned, so that subjects and objects keep their prepositions."""
    return all(_voice(al.claim, x.here) == _voice(al.sentence, x.there) for x in al.links)


def _other_subject(al: Alignment, before: Link, after: Link) -> bool:
    side = al.sentence
    if side.segment[before.there] == side.segment[after.there]:
        return False
    start = next(i for i, s in enumerate(side.segment) if s == side.segment[after.there])
    if side.words[start].text in ("who", "which", "whose", "that"):
        antecedent = max((i for i in side.content if i < start), default=None)
        return antecedent not in al.here
    ours = {key(al.claim.words[i].text) for i in al.claim.content}
    return any(
        key(side.words[i].text) not in ours and _is_subject(side, i, after.there)
        for i in side.content
        if start <= i < after.there
    )


def _is_subject(side: Analysis, place: int, verb: int) -> bool:
    """Whether a word is followed at once by an auxiliary, or by what looks like its verb."""
    following = side.words[place + 1].text
    mark = side.governing.get(place + 1)
    if following in _AUXILIARIES or (mark is not None and mark.kind == "modal"):
        return True
    looks = following.endswith(("s", "ed")) or following in IRREGULAR
    return place + 1 == verb and looks and not _intro(side, place)


def replaced(al: Alignment) -> str | None:
    """A word of the claim in whose place the passage has another; `None` for none."""
    for place in al.unmatched:
        before = max((x.here for x in al.links if x.here < place), default=None)
        after = min((x.here for x in al.links if x.here > place), default=None)
        if before is None and after is None:
            return None
        low = -1 if before is None else al.there[before]
        high = len(al.sentence.words) if after is None else al.there[after]
        other = [i for i in al.sentence.content if low < i < high and i not in al.here]
        if other and (high > low):
            ours, theirs = al.claim.words[place].text, al.sentence.words[other[0]].text
            return f'the claim says "{ours}" where the passage says "{theirs}"'
    return None
