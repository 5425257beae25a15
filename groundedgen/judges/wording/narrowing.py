"""What a claim leaves out between its words: "the deputy mayor", "eligible tenants"."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.leftovers import (
    ASIDE,
    PARTNERS,
    RELATIVE,
    has_past,
    is_doubting,
    is_listed,
    verb_place,
)
from groundedgen.judges.wording.leftwords import LESSER, UNSURE, WITHHOLDING
from groundedgen.text.english.phrases import is_past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["narrowed"]

_JOINS: Final = frozenset(["and", "or", "nor", "but", "while", "whereas"])
_FILLERS: Final = frozenset(["actually", "really", "indeed", "then", "soon", "again"])


def narrowed(al: Alignment) -> Flip | None:
    """What stands between the claim's words: "the deputy mayor", "eligible tenants"."""
    side, past = al.sentence, has_past(al.claim)
    verb = verb_place(al.claim)
    places = sorted(al.here)
    for before, after in pairwise(places):
        left = [i for i in range(before + 1, after) if i in side.keys and not _is_way(side, i)]
        if not left or _is_manner(side, before, after) or _is_coordinate(al, before, left):
            continue
        subject = al.here[after] < verb
        if left[-1] == after - 1 and _limits(al, left[-1], after, past=past, subject=subject):
            return _dropped(side, left[-1])
        if al.here[before] >= verb and (at := _another_verb(al, before, after)) is not None:
            return _dropped(side, at)
        if (
            not past
            and not _is_parted(side, before, after)
            and not _is_list_gap(side, before, after)
        ):
            return _dropped(side, left[0])
        if (
            past
            and any(side.words[i].text in WITHHOLDING for i in range(before + 1, after))
            and is_doubting(al, range(before + 1, after))
        ):
            return _dropped(side, left[0])
    return None


def _is_manner(side: Analysis, before: int, after: int) -> bool:
    """As "in writing": how a thing is to be done, which leaves that it is to be done."""
    texts = [side.words[i].text for i in range(before + 1, after)]
    return texts[:2] in (["in", "writing"], ["in", "person"]) and len(texts) <= len("ABC")


def _is_way(side: Analysis, place: int) -> bool:
    mark = side.mark_at.get(place)
    return (mark is not None and mark.kind == "way") or side.words[place].text in _FILLERS


def _is_coordinate(al: Alignment, before: int, left: Sequence[int]) -> bool:
    """As "film and television career" is a film career, "won or hosted the cup" says both."""
    side = al.sentence
    at = before + 1
    if side.words[at].text not in ("and", "or"):
        return False
    names = side.words[before].capital and side.words[left[0]].capital
    verbs = is_past(side.words[left[0]].text) and not is_past(side.words[before].text)
    verbs = verbs and side.words[at].text == "and"
    return left[0] == at + 1 and (names or len(left) <= PARTNERS) and not verbs


def _dropped(side: Analysis, place: int) -> Flip:
    return Flip("leftover", f'the claim drops "{side.words[place].text}" of the passage')


def _limits(al: Alignment, left: int, after: int, *, past: bool, subject: bool) -> bool:
    """Whether a word right before one of the claim's narrows what that one names."""
    side = al.sentence
    word, head = side.words[left], side.words[after]
    if side.segment[left] != side.segment[after]:
        return False
    if word.text in LESSER or word.text in UNSURE:
        return True
    if word.capital and head.capital and left > 0:
        return False
    if word.text.endswith("ly") and past:
        return False
    if al.here[after] >= verb_place(al.claim) and after - 1 == left and is_past(head.text):
        return not past
    return subject or not past


def _another_verb(al: Alignment, before: int, after: int) -> int | None:
    """A word behind "and" that the claim leaves out while it takes what follows."""
    side = al.sentence
    for at in range(before + 1, after):
        if side.words[at].text in _JOINS:
            following = side.next_content(at)
            if following is not None and following < after:
                return following
    return None


def _is_parted(side: Analysis, before: int, after: int) -> bool:
    """Whether it stands between two commas or brackets, as what may go: ", which is old,"."""
    if side.segment[before] == side.segment[after]:
        return False
    opens = side.words[before + 1].text
    between = side.text[side.words[before].end : side.words[before + 1].start]
    return opens in RELATIVE or opens in ASIDE or "(" in between


def _is_list_gap(side: Analysis, before: int, after: int) -> bool:
    words = [side.words[i].text for i in range(before + 1, after)]
    return "and" in words or "or" in words or is_listed(side, after - 1)
