"""Who does what to whom, as far as the order of words tells.

Words of a claim that stand in another order than in the passage are let pass only where a
known turn of English explains it: passive and active, a phrase put first, a list told in
another order, "water damage" and "damage by water". Nothing is parsed; a swap of roles in
free paraphrase can go unseen.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment, Link
    from groundedgen.text.english.analysis import Analysis

__all__ = ["exchanged", "moved"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_HAVE: Final = _set("has have had with")
_HAD_BY: Final = _set("in of at among for")
_COPULA: Final = _set("is are was were")
_NOUN_LINKS: Final = _set("of by from in for with on to")
_PLACES: Final = _set("in among amongst within at on inside during throughout across")
_PARTIES: Final = _set("from to by against for")
_LISTABLE: Final = _set("and or nor a an the")
_COMPOUND: Final = 3  # words of a noun phrase
_OPPOSITE_INTROS = """
to from|by to|by for|before after|with without|above below|over under|inside outside|for against
into from|on off|until from|until since|until after|in outside|within after|within outside
before since|by after|by from
"""
_OPPOSED: Final = frozenset(
    frozenset(pair.split()) for row in _OPPOSITE_INTROS.split("\n") for pair in row.split("|")
)


def moved(al: Alignment) -> Flip | None:
    """Why the claim's order of words may mean something else; `None` where it cannot."""
    why = _paired_lists(al) or _swapped(al) or _unturned(al) or _broken_name(al) or _opposed(al)
    return None if why is None else Flip("order", why)


def exchanged(al: Alignment) -> Flip | None:
    """Two that have changed parts, as far as a paraphrase can tell.

    Two names in another order than in the passage, for names keep their spelling; or two
    words of which now the other one has the "from" or "to".
    """
    names = [x for x in al.links if x.kin == "same" and _are_names(al, x)]
    for one, two in combinations(names, 2):
        if one.there > two.there and not _is_explained(al, one, two):
            why = f"{al.pair(one, two)} stand the other way round in the passage"
            return Flip("order", why)
    for bare in al.links:
        intro = al.sentence.intro(bare.there)
        if intro not in _PARTIES or al.claim.intro(bare.here):
            continue
        for other in al.links:
            if al.claim.intro(other.here) == intro and not al.sentence.intro(other.there):
                return Flip("order", f'the passage says "{intro}" of another')
    return None


def _are_names(al: Alignment, link: Link) -> bool:
    here, there = al.claim.words[link.here], al.sentence.words[link.there]
    return here.capital and there.capital and not al.claim.is_number(link.here)


def _paired_lists(al: Alignment) -> str | None:
    if len(al.links) < len(al.sentence.content) and any(
        w.text == "respectively" for w in al.sentence.words
    ):
        return 'the passage pairs its lists by "respectively"'
    return None


def _swapped(al: Alignment) -> str | None:
    for one, two in combinations(al.links, 2):
        if one.there > two.there and not _is_explained(al, one, two):
            return f"{al.pair(one, two)} stand the other way round in the passage"
    return None


def _is_explained(al: Alignment, one: Link, two: Link) -> bool:
    return (
        any(_is_across(verb, one, two) for verb in al.turned)
        or _is_moved_phrase(al, one, two)
        or _is_compound(al, one, two)
        or _is_list(al, one, two)
        or _is_date(al, one, two)
        or _is_having(al, one, two)
        or _is_identity(al, one, two)
    )


def _is_across(verb: Link, one: Link, two: Link) -> bool:
    """Whether the two stand on opposite sides of a verb whose voice changed, in both texts."""
    if verb in (one, two):
        return True
    return one.here < verb.here < two.here and two.there < verb.there < one.there


def _is_moved_phrase(al: Alignment, one: Link, two: Link) -> bool:
    """Whether one of the two stands in a phrase that was moved past the other.

    Two phrases that begin alike and have what stood between them between them still have
    changed places: "down 9 in Asia and 3 in Africa".
    """
    intros = {al.sentence.intro(one.there), al.sentence.intro(two.there)}
    alike = (len(intros) == 1 and intros != {""}) or intros <= _PLACES
    if alike and any(
        one.here < x.here < two.here and two.there < x.there < one.there for x in al.links
    ):
        return False
    return _is_adjunct(al, one) or _is_adjunct(al, two)


def _is_adjunct(al: Alignment, link: Link) -> bool:
    """Whether a word's phrase may stand anywhere: "on Mondays", "if the alarm was set".

    The phrase must have the same preposition and hold the same words in both texts.
    """
    ours, theirs = al.claim.condition_of(link.here), al.sentence.condition_of(link.there)
    if ours is None or theirs is None:
        here, there = al.claim.intro(link.here), al.sentence.intro(link.there)
        # An "of" belongs to the noun before it and does not move.
        if here in ("", "of") or (here != there and not {here, there} <= _PLACES):
            return False
    held = {al.there[i] for i in _phrase_of(al.claim, link.here) if i in al.there}
    return held == {i for i in _phrase_of(al.sentence, link.there) if i in al.here}


def _phrase_of(side: Analysis, place: int) -> tuple[int, ...]:
    """The content words that share a word's preposition, or its conditional clause."""
    scope = side.condition_of(place)
    if scope is not None:
        return side.between(scope.start, scope.stop)
    at = side.starts[place]
    if at is None:
        return ()
    near = side.between(at, side.segment_end(at))
    return tuple(i for i in near if side.starts[i] == at)


def _is_compound(al: Alignment, one: Link, two: Link) -> bool:
    """As "water damage" and "damage by water", "three months' notice" and "notice of ..."."""
    ours, theirs = (one.here, two.here), (two.there, one.there)
    return (_is_run(al.claim, *ours) and _is_linked(al.sentence, *theirs)) or (
        _is_linked(al.claim, *ours) and _is_run(al.sentence, *theirs)
    )


def _is_run(side: Analysis, first: int, last: int) -> bool:
    """Whether nothing but content stands between two words, and little of it."""
    return last - first <= _COMPOUND and len(side.between(first, last)) == last - first - 1


def _is_linked(side: Analysis, first: int, last: int) -> bool:
    """Whether a word is followed by a preposition and, in that phrase, the other one."""
    return last - first <= _COMPOUND + 2 and side.words[first + 1].text in _NOUN_LINKS


def _is_date(al: Alignment, one: Link, two: Link) -> bool:
    """As "26 June" and "June 26": side by side in both, one of them a number."""
    near = abs(one.here - two.here) == abs(one.there - two.there) == 1
    return near and al.claim.is_number(one.here) != al.claim.is_number(two.here)


def _is_list(al: Alignment, one: Link, two: Link) -> bool:
    """Whether both are items of one list, whose order says nothing (numbers excepted)."""
    if al.claim.is_number(one.here) or al.claim.is_number(two.here):
        return False
    return (
        _is_listed(al.claim, one.here, two.here)
        and _is_listed(al.sentence, two.there, one.there)
        and _is_kept_together(al, one)
        and _is_kept_together(al, two)
    )


def _is_kept_together(al: Alignment, link: Link) -> bool:
    """Whether the words beside a claim's word stand beside it in the sentence too."""
    beside = [
        step
        for step in (-1, 1)
        if link.here + step in al.there
        and al.claim.segment[link.here + step] == al.claim.segment[link.here]
    ]
    return all(al.there[link.here + step] == link.there + step for step in beside)


def _is_listed(side: Analysis, first: int, last: int) -> bool:
    between = side.words[first + 1 : last]
    rest = [w for w in between if w.text not in _LISTABLE]
    joined = any(w.text in ("and", "or", "nor") for w in between)
    apart = joined or side.segment[first] != side.segment[last]
    return apart and len(rest) <= len(side.between(first, last))


def _is_having(al: Alignment, one: Link, two: Link) -> bool:
    """As "Villages had births" and "births in villages"."""
    between = al.sentence.words[two.there + 1 : one.there]
    return _run_intro(al, two) in _HAD_BY and any(w.text in _HAVE for w in between)


def _run_intro(al: Alignment, link: Link) -> str:
    """How the run of claim words, in the passage's order, that a word is in begins."""
    first = link
    for before in reversed([x for x in al.links if x.here < link.here]):
        if before.there > first.there:
            break
        first = before
    return al.claim.intro(first.here)


def _is_identity(al: Alignment, one: Link, two: Link) -> bool:
    """As "Paris is the capital" and "the capital is Paris"."""
    here, there = _copula(al.claim, one.here, two.here), _copula(al.sentence, two.there, one.there)
    if here is None or there is None:
        return False
    # All of one side is now the other.
    return all((x.here < here) != (x.there < there) for x in al.links)


def _copula(side: Analysis, first: int, last: int) -> int | None:
    """The one "is" between two words of a clause, if a name or a "the" follows it."""
    at = [i for i in range(first + 1, last) if side.words[i].text in _COPULA]
    if len(at) != 1 or at[0] + 1 >= len(side.words) or side.segment[first] != side.segment[last]:
        return None
    after = side.words[at[0] + 1]
    named = after.text == "the" or (after.capital and at[0] + 1 in side.keys)
    return at[0] if named else None


def _unturned(al: Alignment) -> str | None:
    """A word that keeps its side of a verb though the verb's voice changed."""
    for verb in al.turned:
        for link in al.links if verb.kin != "opposite" else ():
            same_side = (link.here < verb.here) == (link.there < verb.there)
            if link != verb and same_side and _is_core(al, link, verb):
                word = al.claim.words[link.here].text
                return f'"{word}" has another part in what the passage says'
    return None


def _is_core(al: Alignment, link: Link, verb: Link) -> bool:
    """Whether a word could be what does or suffers the verb, in both texts."""
    side = al.sentence
    intros = {al.claim.intro(link.here), side.intro(link.there)}
    if side.segment[link.there] != side.segment[verb.there] or "" not in intros:
        return False
    apart = (al.claim.condition_of(link.here) is None) != (al.claim.condition_of(verb.here) is None)
    return intros <= {"", "by"} and not apart


def _broken_name(al: Alignment) -> str | None:
    """Whether two words of a name stand apart, or the other way round, in the passage."""
    side = al.sentence
    for one, two in pairwise(al.links):
        if one.here == 0 or two.here != one.here + 1:
            continue
        ours = (al.claim.words[one.here], al.claim.words[two.here])
        theirs = (side.words[one.there], side.words[two.there])
        if not all(w.capital and w.text[0].isalpha() for w in ours + theirs):
            continue
        gap = side.between(one.there, two.there)
        far = two.there - one.there > _COMPOUND
        if two.there < one.there or far or any(i in al.here for i in gap):
            return "a name of the passage is put together otherwise"
    return None


def _opposed(al: Alignment) -> str | None:
    for link in () if al.turned else al.links:
        here, there = al.claim.intro(link.here), al.sentence.intro(link.there)
        if here != there and frozenset((here, there)) in _OPPOSED:
            return f'the passage says "{there}", the claim "{here}"'
    return None
