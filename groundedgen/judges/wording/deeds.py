"""What was done, read off the forms of words: to repair is not repaired, will open not opens.

And what a figure or a superlative is of: 20 euros a month are not 20 euros, the second largest
is not the largest.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip, Rule
from groundedgen.judges.wording.leftwords import ADJUNCTS, LESSER, UNSURE
from groundedgen.text.english.kinship import key
from groundedgen.text.english.phrases import is_past

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment, Link
    from groundedgen.text.english.analysis import Analysis
    from groundedgen.text.tokens import Word

__all__ = ["DEED_RULES"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WILL: Final = _set("will would ll")
_NOW: Final = _set("is are")
_THEN: Final = _set("was were")
_DONE_TO: Final = _set("managed continued continues began begins proceeded helped helps used went")
_TO_COME: Final = _set("to will would ll must shall should may can could might cannot")
_BEFORE_GERUND: Final = _set(
    "of from on for against in to about without at by into with over than avoid"
)
_AUXILIARY: Final = _set("is are was were be been being keeps kept started began")


def undone(al: Alignment) -> Flip | None:
    """As "Was told to repair it" and "accused of repairing it" do not say who repaired it."""
    for link in al.links:
        here, there = al.claim.words[link.here].text, al.sentence.words[link.there].text
        if here == there or not _tells_deed(al, link):
            continue
        opens = _opening(al.sentence, link.there)
        if opens is None or _stands_in(al, link, opens):
            continue
        word = al.sentence.words[opens].text
        if is_past(there) and there != here:
            continue
        if word in _TO_COME and not there.endswith("ing"):
            before = al.sentence.words[opens - 1].text if opens else ""
            if before not in _DONE_TO:
                return Flip("deed", f'the passage says "{word} {there}"')
        if there.endswith("ing") and word not in _AUXILIARY and not _is_participle(al, link.there):
            return Flip("deed", f'the passage says "{word} {there}"')
    return None


def _tells_deed(al: Alignment, link: Link) -> bool:
    """Whether a claim's word is a verb in a form that states: past, or with an "s"."""
    word = al.claim.words[link.here].text
    if al.claim.of("modal"):
        return False
    if is_past(word):
        return True
    there = al.sentence.words[link.there].text
    return word.endswith("s") and (
        word[:-1] == there or word[:-2] == there or there.endswith("ing")
    )


def _opening(side: Analysis, place: int) -> int | None:
    """The word before a verb, past adverbs and "not"; `None` at the start or behind a comma."""
    at = place - 1
    while at >= 0 and side.segment[at] == side.segment[place]:
        word = side.words[at].text
        if not (word.endswith("ly") or word in ("not", "also", "never", "be", "have", "been")):
            return at
        at -= 1
    return None


def _stands_in(al: Alignment, link: Link, opens: int) -> bool:
    """Whether the claim has the same word before it: "agreed to sell"."""
    ours = _opening(al.claim, link.here)
    return ours is not None and al.claim.words[ours].text == al.sentence.words[opens].text


def _is_participle(al: Alignment, place: int) -> bool:
    """Whether it tells what something before it does: "a road leading to", behind a noun."""
    before = al.sentence.words[place - 1]
    return place - 1 in al.here and not is_past(before.text) and before.text not in _BEFORE_GERUND


def tenses(al: Alignment) -> Flip | None:
    """What will be is not yet, and what was need not be now."""
    ours, theirs = al.claim.vocabulary, _near(al)
    said, told = (Counter(w.text for w in found) for found in (al.claim.words, _near_words(al)))
    newer = _count(said, _NOW) > _count(told, _NOW)
    if newer and _count(said, _WILL) < _count(told, _WILL):
        return Flip("deed", "the passage tells of what will be")
    if newer and _count(said, _THEN) < _count(told, _THEN):
        return Flip("deed", "the passage tells of the past")
    return _will(al, ours, theirs) or _verbs_of_now(al, ours, theirs)


def _will(al: Alignment, ours: frozenset[str], theirs: frozenset[str]) -> Flip | None:
    told = ours & _WILL
    if told and "would" not in told:
        told |= {"will", "ll"}
    if not theirs & _WILL - told or al.claim.of("modal"):
        return None
    for place, word in enumerate(al.sentence.words):
        if word.text in _WILL - told and al.sentence.next_content(place + 1) in al.here:
            return Flip("deed", f'the claim drops "{word.text}"')
    return None


def _verbs_of_now(al: Alignment, ours: frozenset[str], theirs: frozenset[str]) -> Flip | None:
    for link in al.links:
        here, there = al.claim.words[link.here].text, al.sentence.words[link.there].text
        now = here.endswith("s") and not is_past(here) and not ours & (_THEN | {"had", "did"})
        if now and is_past(there) and not al.sentence.voices[link.there] and _stem(here, there):
            return Flip("deed", f'the passage says "{there}"')
    if ours & _NOW and theirs & _THEN and not theirs & _NOW and not ours & _THEN:
        return Flip("deed", "the passage tells of the past")
    return None


def _count(found: Counter[str], table: frozenset[str]) -> int:
    return sum(found[word] for word in table)


def _stem(here: str, there: str) -> bool:
    return key(here) == key(there)


def _near(al: Alignment) -> frozenset[str]:
    return frozenset(word.text for word in _near_words(al))


def _near_words(al: Alignment) -> list[Word]:
    side = al.sentence
    return [w for w, s in zip(side.words, side.segment, strict=True) if s in al.segments]


# --- superlatives -------------------------------------------------------------------------

_SUPERLATIVE: Final = _set("most first last best worst sole top")
_NO_SUPERLATIVE: Final = _set(
    "west rest test interest request guest forest arrest protest contest honest latest modest"
    " harvest invest suggest digest conquest chest nest midwest northwest southwest"
)
_HEDGING: Final = LESSER | UNSURE | {"about", "once", "then", "not"}
_AMONG: Final = _set("of among amongst")
_ARTICLES: Final = _set("the its his her their our a an")


def rank(al: Alignment) -> Flip | None:
    """The second largest, or one of the largest, is not the largest."""
    for link in al.links:
        here, there = al.claim.words[link.here].text, al.sentence.words[link.there].text
        if here != there and _is_graded(here) and not _is_graded(there, like=here):
            return Flip("rank", f'the passage says "{there}", the claim "{here}"')
    return _ranked(al)


def _ranked(al: Alignment) -> Flip | None:
    for place, word in enumerate(al.claim.words):
        if not _is_superlative(word.text):
            continue
        for there in [i for i, w in enumerate(al.sentence.words) if w.text == word.text]:
            ours, theirs = _two_before(al.claim, place), _two_before(al.sentence, there)
            if ours[1] not in _ARTICLES:
                continue
            owned = {ours[1], theirs[1]} <= _ARTICLES or _is_owner(al.sentence, there - 1)
            if ours[1] != theirs[1] and not owned:
                return Flip("rank", f'the passage says "{theirs[1]} {word.text}"')
            among = theirs[0] in _AMONG and ours[0] != theirs[0]
            if among or (theirs[0] in _HEDGING and ours[0] != theirs[0]):
                return Flip("rank", f'the passage says "{theirs[0]} {theirs[1]} {word.text}"')
    return None


def _is_superlative(word: str) -> bool:
    long = word.endswith("est") and len(word) > len("best")
    return (long and word not in _NO_SUPERLATIVE) or word in _SUPERLATIVE


def _is_owner(side: Analysis, place: int) -> bool:
    """As "Presley's first single" is his first."""
    if place < 0:
        return False
    word = side.words[place]
    near = side.text[word.start : word.end + 2].replace("\u2019", "'")
    return "'s" in near or near.rstrip().endswith("s'")


def _is_graded(word: str, like: str = "") -> bool:
    """Whether a word compares ("cheaper") or is a superlative; of the same sort as another."""
    ending = like[-3:] if like.endswith("est") else like[-2:]
    if like:
        return word.endswith(ending)
    return word.endswith("est") and word not in _NO_SUPERLATIVE and len(word) > len("best")


def _two_before(side: Analysis, place: int) -> tuple[str, str]:
    texts = ["", "", *(w.text for w in side.words[max(0, place - 2) : place])]
    return texts[-2], texts[-1]


# --- figures ------------------------------------------------------------------------------

_MULTIPLES: Final = _set(
    "half twice double triple thrice quarter third tenth quadruple fraction too"
)
_BASES: Final = _set(
    "per each every monthly yearly annually annual weekly daily hourly quarterly net gross plus"
    " minus less average apiece head fold times total roughly including excluding before after"
)
_RANGING: Final = _set("to or through and")
_BOUNDING: Final = _set("than least around almost nearly roughly times")


def figure(al: Alignment) -> Flip | None:
    """A figure keeps what it is per, what it is a multiple of, and the other end of its range."""
    return _multiple(al) or _bounding(al) or _range(al) or _basis(al)


def _multiple(al: Alignment) -> Flip | None:
    side, ours = al.sentence, al.claim.vocabulary
    for place, word in enumerate(side.words):
        if (
            word.text not in _MULTIPLES
            or word.text in ours
            or side.segment[place] not in al.segments
        ):
            continue
        if side.next_content(place + 1) in al.here:
            return Flip("figure", f'the claim drops "{word.text}"')
    return None


def _bounding(al: Alignment) -> Flip | None:
    """As "at least the rent", "three times the rent"."""
    side = al.sentence
    for place in al.here:
        at = place - 1
        while at > 0 and side.words[at].text in _ARTICLES:
            at -= 1
        text = side.words[at].text if at >= 0 else ""
        up_to = text == "to" and at > 0 and side.words[at - 1].text == "up"
        bounds = text in _BOUNDING or up_to
        if bounds and at not in al.here and text not in al.claim.vocabulary:
            return Flip("figure", f'the claim drops "{text}" of the passage')
    return None


def _range(al: Alignment) -> Flip | None:
    for one, two in pairwise([i for i in al.sentence.content if al.sentence.is_number(i)]):
        if (one in al.here) != (two in al.here) and _is_range(al.sentence, one, two):
            return Flip("figure", "the passage gives a range")
    return None


def _basis(al: Alignment) -> Flip | None:
    side = al.sentence
    for number in (i for i in al.here if side.is_number(i)):
        for at in range(number + 1, min(number + 5, side.segment_end(number))):
            text = side.words[at].text
            if text in ADJUNCTS and text not in _BASES:
                break
            rate = text in ("a", "an") and at > number + 1 and side.next_content(at) not in al.here
            if rate or (text in _BASES and text not in al.claim.vocabulary):
                return Flip("figure", f'the claim drops "{text}" behind a figure')
    return None


def _is_range(side: Analysis, one: int, two: int) -> bool:
    between = [w.text for w in side.words[one + 1 : two]]
    gap = side.text[side.words[one].end : side.words[two].start]
    dashed = not between and any(sign in gap for sign in "-\u2013\u2014/:")
    units = [w for w in between if w not in _RANGING]
    either = "between" in [w.text for w in side.words[max(0, one - 3) : one]]
    joined = any(w in _RANGING and (w != "and" or either) for w in between) and len(units) <= 1
    return dashed or (joined and len(between) <= len("AB"))


DEED_RULES: Final[tuple[Rule, ...]] = (undone, tenses, rank, figure)
