"""What a claim leaves out between its words: "the deputy mayor", "eligible tenants"."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.brackets import repeating
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
from groundedgen.judges.wording.limits import (
    LIMITING,
    QUANTIFYING,
    is_fine_aside,
    is_fine_relative,
    may_limit,
)
from groundedgen.text.english.phrases import AUXILIARIES, is_past

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
    places, free = sorted(al.here), repeating(al.sentence)
    if (at := _attributed(al)) is not None:
        return _dropped(side, at)
    for before, after in pairwise(places):
        left = [i for i in range(before + 1, after) if i in side.keys and not _is_way(side, i)]
        left = [i for i in left if i not in free]
        if not left or _is_manner(side, before, after):
            continue
        if not past and (at := _limits_between(al, before, after)) is not None:
            return _dropped(side, at)
        if _is_coordinate(al, before, left):
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


# fmt: off
_ATTRIBUTES: Final = frozenset([
    "necessary", "essential", "mandatory", "compulsory", "obligatory", "required", "permitted",
    "allowed", "recommended", "optional", "possible", "certain",
])
# fmt: on


def _attributed(al: Alignment) -> int | None:
    """A word of duty or leave that only describes the next one: "reimburses necessary costs"."""
    side, ours = al.sentence, al.claim.vocabulary
    for at in sorted(i - 1 for i in al.here if i > 1):
        text, before = side.words[at].text, side.words[at - 1].text
        stated = before in AUXILIARIES or before in ("be", "been", "being", "not")
        if text in _ATTRIBUTES and text not in ours and not stated:
            return at
    return None


def _limits_between(al: Alignment, before: int, after: int) -> int | None:
    """A word between two of the claim's that may limit what it says is so; `None` for none.

    A list may lose items, an aside may go that only describes. Which of them it is, is told by
    where "and" stands: "fire [, theft of cars and] hail", "fire [and theft are] covered"; in
    "fire [and, in Gold,] theft" the words behind it limit what follows.
    """
    side = al.sentence
    gap = range(before + 1, after)
    opens = side.words[gap[0]].text
    if opens in RELATIVE and side.segment[before] != side.segment[gap[0]]:
        clause = [i for i in gap if side.segment[i] == side.segment[gap[0]]]
        return None if is_fine_relative(side, clause) else gap[0]
    if opens in ASIDE and side.segment[before] != side.segment[gap[0]]:
        return None if is_fine_aside(al, gap) else gap[0]
    joints = [i for i in gap if side.words[i].text in ("and", "or")]
    if not joints:
        listed = is_listed(side, after - 1) and opens not in LIMITING
        return None if listed and not _is_turned_gap(side, gap) else _first_left(side, gap)
    return _unlisted(al, gap, joints[-1])


def _unlisted(al: Alignment, gap: range, joint: int) -> int | None:
    """A word of a gap with "and" or "or" at `joint` that is no item of a list, or limits one."""
    side, behind = al.sentence, range(joint + 1, gap.stop)
    quantity = bool(behind) and side.words[behind[0]].text in QUANTIFYING
    if side.words[gap[0]].text in LIMITING | {"of"} or quantity:
        return _first_left(side, gap)
    last = next((i for i in behind if i in side.keys), None)
    if last is not None:
        return None if _is_last_item(al, gap, joint) else last
    for at in range(gap[0] + 1, joint):
        if side.segment[at] != side.segment[at - 1] and side.words[at].text in LIMITING:
            return at
    return gap[0] if _is_turned_gap(side, gap) else None


def _is_last_item(al: Alignment, gap: range, joint: int) -> bool:
    """Whether what stands behind "and" is the last item, and what is before it are items too."""
    side, behind = al.sentence, range(joint + 1, gap.stop)
    if joint != gap[0]:
        if side.segment[gap[0]] == side.segment[gap[0] - 1]:
            return False  # no comma before it: "Members Gold and Platinum"
        if _is_apposition(side, behind):
            return False
        items = [i for i in range(gap[0], joint) if i in side.keys]
        if may_limit(side, items):
            return False
    texts = {side.words[i].text for i in behind}
    if not texts.isdisjoint(QUANTIFYING) or may_limit(side, _item(side, behind)):
        return False
    return any(_is_verbal(side, i) for i in behind) or al.here[gap.stop] >= verb_place(al.claim)


def _is_apposition(side: Analysis, behind: Sequence[int]) -> bool:
    """Whether a comma stands before the verb: "Members, Gold and Platinum, may"."""
    item = _item(side, behind)
    ends = behind[len(item)] if len(item) < len(behind) else behind[-1] + 1
    return bool(item) and ends < len(side.words) and side.segment[item[-1]] != side.segment[ends]


def _item(side: Analysis, behind: Sequence[int]) -> list[int]:
    """What stands behind "and" up to the verb."""
    verb = next((n for n, i in enumerate(behind) if _is_verbal(side, i)), len(behind))
    return list(behind[:verb])


def _is_verbal(side: Analysis, place: int) -> bool:
    mark = side.mark_at.get(place)
    return side.words[place].text in AUXILIARIES or (mark is not None and mark.kind == "modal")


def _first_left(side: Analysis, gap: range) -> int:
    return next((i for i in gap if i in side.keys), gap[0])


def _is_turned_gap(side: Analysis, gap: range) -> bool:
    marked = any(m.kind in ("only", "if", "bound") and m.first in gap for m in side.marks)
    return marked or any(side.words[i].text in WITHHOLDING for i in gap)


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
