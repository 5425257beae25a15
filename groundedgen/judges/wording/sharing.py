"""Figures of several together: "the fee and the tax are 500 euros" gives neither 500 euros.

Whether a figure belongs to each of those that "and" joins, or to all together, no form tells; a
claim that keeps one of them, and a figure beside it, is not proved. Left alone are two clauses
("rent is due in May and the deposit is 500 euros"), a figure inside of the one that is kept ("a
fee of 500 euros and a deposit"), and calendar dates.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.leftwords import NUMBERED
from groundedgen.text.english.phrases import AUXILIARIES, is_past
from groundedgen.text.numbers.months import MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["shared"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_JOINTS: Final = (
    ("and",), ("plus",), ("together", "with"), ("along", "with"), ("combined", "with"),
    ("as", "well", "as"), ("in", "addition", "to"),
)  # fmt: skip
_QUANTITIES: Final = _set("half third quarter dozen most majority million billion trillion total")
_ARTICLES: Final = _set("a an the his her its their our your my this these no")
_YEARLY: Final = _set("in since until till by from during before after to")
_NUMBERS_NAMES: Final = NUMBERED | _set("plan type class no number table figure phase level grade")
_ITEM: Final = 3  # content words of a list's item
_NEAR: Final = 3  # words from "both" to what it is said of
_YEARS: Final = range(1000, 2101)


class _Joint(NamedTuple):
    """Words `[start, stop)` that join, and the content words right before and behind them."""

    start: int
    stop: int
    left: int
    right: int


def shared(al: Alignment) -> Flip | None:
    """A figure of several that the claim gives to one of them."""
    side = al.sentence
    amounts = [i for i in range(len(side.words)) if _is_said(al, i) and _is_amount(side, i)]
    if not amounts:
        return None
    for joint in _joints(side):
        heads = _heads(side, joint)
        kept = [head for head in heads if _is_kept(al, joint, head)]
        lost = [head for head in heads if head not in kept]
        if not kept or not lost or _is_for_each(side, joint) or _are_clauses(al, joint, lost):
            continue
        if _are_parts_of_name(al, joint):
            continue
        if any(_is_common(side, joint, kept, lost, place) for place in amounts):
            word = side.words[lost[0]].text
            return Flip("figure", f'a figure of the passage is of "{word}" as well')
    return None


def _is_said(al: Alignment, place: int) -> bool:
    """Whether the claim has a word of the sentence; "half" is too small a word to be linked."""
    if place in al.sentence.keys:
        return place in al.here
    return al.sentence.words[place].text in al.claim.vocabulary


def _is_amount(side: Analysis, place: int) -> bool:
    """Whether a word counts or measures, and is no date, time, ordinal or name of a part."""
    word = side.words[place]
    if not side.keys.get(place, "-")[0].isdigit():
        return word.text in _QUANTITIES
    before = side.words[place - 1].text if place else ""
    after = side.words[place + 1].text if place + 1 < len(side.words) else ""
    written = side.text[word.start : word.end]
    if before in MONTHS or after in MONTHS or after in ("am", "pm") or before in _NUMBERS_NAMES:
        return False
    if ":" in written or (written[-1:].isalpha() and written[0].isdigit()):
        return False
    return not (written.isdecimal() and int(written) in _YEARS and _is_dated(side, place))


def _is_dated(side: Analysis, place: int) -> bool:
    """As "in 1995", "14 May, 1995" and "the 1995 Cup", but not "1995 cars"."""
    if place + 1 in side.keys and side.words[place + 1].capital:
        return True
    day = place - 1 in side.keys and side.is_number(place - 1)
    return day or side.intro(place) in _YEARLY


def _joints(side: Analysis) -> Iterator[_Joint]:
    texts = [word.text for word in side.words]
    for at, (word, following) in enumerate(pairwise(side.words)):
        for joint in _JOINTS:
            if tuple(texts[at : at + len(joint)]) == joint:
                yield from _joint(side, at, at + len(joint))
        if side.text[word.end : following.start].strip() == "&":
            yield from _joint(side, at + 1, at + 1)
        if following.text == "with" and word.capital and _is_name(side, at + 2):
            yield from _joint(side, at + 1, at + 2)  # "Spain with Italy"


def _is_name(side: Analysis, place: int) -> bool:
    return place in side.keys and side.words[place].capital and not side.is_number(place)


def _joint(side: Analysis, start: int, stop: int) -> Iterator[_Joint]:
    left, right = side.last_content(start), side.next_content(stop)
    if left is not None and right is not None:
        yield _Joint(start, stop, left, right)


def _heads(side: Analysis, joint: _Joint) -> list[int]:
    """One word for each of those that are joined, the last one first."""
    heads = [joint.right, joint.left]
    start = side.segment_start(joint.left)
    while start > 0 and len(side.between(start - 1, heads[-1])) < _ITEM:
        gap = side.text[side.words[start - 1].end : side.words[start].start]
        previous = side.last_content(start)
        if "," not in gap or previous is None or _has_verb(side, range(start, heads[-1] + 1)):
            break
        heads.append(previous)
        start = side.segment_start(previous)
    return heads


def _is_kept(al: Alignment, joint: _Joint, head: int) -> bool:
    """Whether the claim speaks of it; of "the high tax" also by its last word."""
    if head != joint.right or joint.left in al.here:
        return head in al.here
    place = head
    while place in al.sentence.keys:
        if place in al.here:
            return True
        place += 1
    return False


def _is_for_each(side: Analysis, joint: _Joint) -> bool:
    """As "are 500 euros each" and "both the fee and the tax are 500 euros"."""
    for place, word in enumerate(side.words):
        if word.text == "both" and joint.left - _NEAR <= place < joint.left:
            return True
        following = side.words[place + 1].text if place + 1 < len(side.words) else ""
        alone = place + 1 not in side.keys and following != "of"
        if word.text == "apiece" or (word.text == "each" and alone):
            return True
    return False


def _are_clauses(al: Alignment, joint: _Joint, lost: Sequence[int]) -> bool:
    """Whether what goes has a verb of its own, or two verbs are joined."""
    side = al.sentence
    if joint.right in lost:
        following = next((i for i in sorted(al.here) if i > joint.right), len(side.words))
        last = side.last_content(following)
        stop = len(side.words) if following == len(side.words) else (last or joint.right) + 1
        return _has_verb(side, range(joint.stop, stop))
    before = max((i for i in al.here if i < joint.left), default=-1)
    return _has_verb(side, range(before + 1, joint.start)) or _opens_predicate(side, joint)


def _opens_predicate(side: Analysis, joint: _Joint) -> bool:
    """As "pays rent and keeps a deposit": what is joined is a verb with what it takes."""
    if joint.right > joint.stop:
        return _has_verb(side, range(joint.stop, joint.right))
    after = side.words[joint.right + 1].text if joint.right + 1 < len(side.words) else ""
    takes = after in _ARTICLES or after[:1].isdigit()
    verb = is_past(side.words[joint.right].text) or takes
    return verb and not side.is_number(joint.right)


def _has_verb(side: Analysis, places: range) -> bool:
    for place in places:
        word, mark = side.words[place].text, side.mark_at.get(place)
        if word in AUXILIARIES or (mark is not None and mark.kind == "modal"):
            return True
        if place in side.keys and is_past(word) and not side.words[place].capital:
            return True
    return False


def _has_own_figures(side: Analysis, joint: _Joint) -> bool:
    """As "two churches, one big and one small" is "two churches, one big"."""
    ours = range(joint.stop, min(joint.stop + _NEAR, len(side.words)))
    theirs = range(max(0, joint.left - _NEAR), joint.left + 1)
    return all(
        any(_is_amount(side, place) or side.words[place].text == "one" for place in places)
        for places in (ours, theirs)
    )


def _is_another_figure(side: Analysis, joint: _Joint, amount: int) -> bool:
    """As "4 million in 2020 and 6 million in 2021", "4 in 2020 and 6 in 2021"."""
    if not _is_amount(side, joint.right):
        return False
    unit = _next_word(side, joint.right)
    scale = amount and side.is_number(amount - 1)  # the "million" of a figure
    return unit in (_next_word(side, amount - scale), side.intro(joint.left)) and unit != ""


def _next_word(side: Analysis, place: int) -> str:
    return side.words[place + 1].text if place + 1 < len(side.words) else ""


def _are_parts_of_name(al: Alignment, joint: _Joint) -> bool:
    """As "has had a film and television career": one noun behind a verb, of two sorts."""
    side = al.sentence
    start = side.segment_start(joint.left)
    head = joint.right + 1
    return head in al.here and joint.left in al.here and _has_verb(side, range(start, joint.left))


def _is_common(
    side: Analysis, joint: _Joint, kept: Sequence[int], lost: Sequence[int], amount: int
) -> bool:
    """Whether a figure stands outside of what the claim keeps of those that are joined."""
    if amount in kept:
        return False
    apart = amount < joint.start and side.segment[amount] != side.segment[joint.left]
    if apart and _has_own_figures(side, joint):
        return False
    if amount < joint.start and _is_another_figure(side, joint, amount):
        return False
    if joint.right in kept and amount > joint.right:
        # "And a tax of 500 euros"; a word between them may be the verb of all.
        between = range(joint.right + 1, amount)
        return _has_verb(side, between) or any(place in side.keys for place in between)
    if joint.left in kept and amount < joint.left and joint.right in lost:
        # "500 staff and a bank", "500 cars and 20 vans"; 500 cars and vans are all of them.
        run = len(side.between(amount, joint.left)) == joint.left - amount - 1
        own = side.words[joint.stop].text in _ARTICLES or _is_amount(side, joint.right)
        return not (run and own)
    return True
