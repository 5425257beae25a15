"""Named ways in which a claim that lies on a sentence can still mean something else.

Each rule looks at one alignment and names what differs, or returns `None`. A rule may stop
an honest claim; none lets a claim through. Here: not, may, all, at least, before, more.
`provisos` holds the rules on conditions and reservations, `roles` and `clauses` those on
the order of words.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from groundedgen.text.english.kinship import key
from groundedgen.text.numbers.months import MONTHS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis
    from groundedgen.text.english.senses import Mark

__all__ = ["SENSE_RULES", "Flip", "Rule"]


class Flip(NamedTuple):
    """What differs: a stable name, a clause for people, whether it contradicts the sentence."""

    name: str
    why: str
    contradicts: bool = False


def _keys(words: str) -> frozenset[str]:
    return frozenset(map(key, words.split()))


_REFUSING: Final = frozenset(["barred", "cannot", "forbidden", "free"])
_REFUSALS: Final = _keys(
    "ban decline deny exclude fail forbid illegal invalid prohibit refuse reject unable unlawful"
    " void"
)
_BE: Final = frozenset(["are", "be", "is", "was", "were"])

# --- not ------------------------------------------------------------------------


def negation(al: Alignment) -> Flip | None:
    """As often as the sentence says no where the claim lies, so often must the claim."""
    ours = al.claim.marks
    theirs = [m for m in al.sentence.marks if al.sentence.segment[m.first] in al.segments]
    here = _denials(al.claim, ours) + _denied_ways(al.claim, ours)
    there = _denials(al.sentence, theirs) + _denied_ways(al.sentence, theirs)
    if here != there and _same(ours) == _same(theirs):
        # "No difference" and "similar" say the same.
        here, there = _denials(al.claim, ours), _denials(al.sentence, theirs)
    opposites = [link for link in al.links if link.kin == "opposite"]
    if here == there and not opposites:
        return None
    if len(opposites) == 1 and abs(here - there) == 1:
        return None  # "does not run" and "is closed"
    if opposites:
        word = al.claim.words[opposites[0].here].text
        return Flip("opposite", f'the passage says the opposite of "{word}"', contradicts=True)
    side = "claim" if here > there else "passage"
    return Flip("negation", f"only the {side} says it is not so", contradicts=True)


def _denials(side: Analysis, found: Iterable[Mark]) -> int:
    """How often marks say no: "without delay" says at once, and denies nothing."""
    return sum(_negates(m) and not _is_manner(side, m) for m in found)


def _is_manner(side: Analysis, mark: Mark) -> bool:
    following = {w.text for w in side.words[mark.last : mark.last + 2]}
    return side.words[mark.first].text == "without" and not following.isdisjoint(_AT_ONCE)


_AT_ONCE: Final = frozenset(["delay", "delays", "fail", "hesitation", "exception"])


def _denied_ways(side: Analysis, found: Iterable[Mark]) -> int:
    """How many of the marks for "the same" are written with a "no": "no difference"."""
    return sum(m.value == "same" and side.words[m.first].text in _DENYING for m in found)


_DENYING: Final = frozenset(["no", "not", "did"])


def _same(found: Iterable[Mark]) -> int:
    return sum(m.value == "same" for m in found)


def _negates(mark: Mark) -> bool:
    """Bans and waived duties say no too; "neither, nor" says it once."""
    return mark.value == "no" or (mark.kind == "modal" and mark.value in _REFUSING)


def contrast(al: Alignment) -> Flip | None:
    """The passage covers one thing and excludes another; the claim has both covered."""
    for own in al.claim.keys.values():
        for there in al.sentence.index.get(f"o:{own}", ()):
            inside = al.sentence.segment[there] in al.segments and there not in al.here
            if inside and al.sentence.keys[there] in _REFUSALS:
                word = al.sentence.words[there].text
                return Flip("opposite", f'the passage also says "{word}"')
    return None


# --- may, should, must ------------------------------------------------------------

_MODAL_NAMES: Final = {
    "may": "something that may be",
    "should": "a recommendation",
    "must": "a duty",
    "barred": "a ban",
    "cannot": "what may not or cannot be",
    "forbidden": "a ban",
    "free": "that there is no duty",
    "": "a plain fact",
}
_BANS: Final = frozenset(["barred", "cannot", "forbidden"])


def modality(al: Alignment) -> Flip | None:
    """A duty, a right, a ban and a plain fact are four things."""
    for mark in al.claim.of("modal"):
        place = _governed(al.claim, mark)
        ours = {mark.value} if place is None else _moods(al.claim, place)
        there = None if place is None else al.there.get(place)
        theirs = (
            {m.value for m in al.within("modal")} if there is None else _moods(al.sentence, there)
        )
        if not _as_told(ours, theirs) <= theirs:
            return _modal_flip(ours - theirs, theirs - ours)
    stated = {m.value for m in al.claim.of("modal")}
    for mark in al.within("modal"):
        # A duty may be told as a fact ("must be over 18", "are over 18"); a chance may not.
        told = _as_told({mark.value}, stated) <= stated or (mark.value == "must" and not stated)
        if not told and _governed(al.sentence, mark) in al.here:
            return _modal_flip(stated, {mark.value})
    return None


def _as_told(ours: set[str], theirs: set[str]) -> set[str]:
    """A ban in other words is told as theirs is: "not allowed to" is "may not" or "must not"."""
    told = theirs & _BANS
    if "forbidden" in ours | theirs and told and ours & _BANS:
        return (ours - _BANS) | told
    return ours


def _governed(side: Analysis, mark: Mark) -> int | None:
    """The word a modal is said of: the next one, or, of "is forbidden", the one before."""
    before, after = side.before(mark), side.after(mark)
    alone = mark.first > 0 and side.words[mark.first - 1].text in _BE
    if alone and side.words[mark.last - 1].text not in ("to", "from", "for"):
        return after if before is None else before
    return before if after is None else after


def _moods(side: Analysis, place: int) -> set[str]:
    """The modals right before a word; where there are none, the last one in its segment."""
    same = [m for m in side.of("modal") if side.segment[m.first] == side.segment[place]]
    previous = side.last_content(place)
    near = {m.value for m in same if (-1 if previous is None else previous) < m.first < place}
    if near:
        return near
    before = [m for m in same if m.first < place]
    if not same and previous is None and len(side.between(-1, side.segment_end(place))) == 1:
        same = side.of("modal")  # "Cats, unlike dogs, are allowed": a subject cut off by an aside
    return {before[-1].value} if before else {m.value for m in same[:1]}


def _modal_flip(ours: set[str], theirs: set[str]) -> Flip:
    here, there = min(ours, default=""), min(theirs, default="")
    return Flip(
        "modality",
        f"the passage states {_MODAL_NAMES[there]}, the claim {_MODAL_NAMES[here]}",
        contradicts=(here in _REFUSING) != (there in _REFUSING),
    )


# --- all, some, only ----------------------------------------------------------------


def quantity(al: Alignment) -> Flip | None:
    """As "All" and "only" must stand in the sentence; "some" and "most" in both or neither."""
    for mark in al.claim.of("every"):
        if not _has_every(al, mark):
            return Flip("universal", f'only the claim says "{al.claim.phrase(mark)}"')
    for mark in al.claim.of("only"):
        if not al.within("only"):
            return Flip("only", f'only the claim says "{al.claim.phrase(mark)}"')
    ours = Counter(m.value for m in al.claim.of("some"))
    theirs = [m for m in al.within("some") if _touches(al, m)]
    for value in ours - Counter(m.value for m in theirs):
        return Flip("partial", f'the claim says "{value}" where the passage does not')
    for mark in theirs:
        if mark.value not in ours:
            return Flip("partial", f'the claim drops "{al.sentence.phrase(mark)}"')
    return None


def not_all(al: Alignment) -> Flip | None:
    """As "Not every tenant" is not "no tenant"."""
    for one, two in pairwise(() if al.claim.of("every") else al.sentence.marks):
        if one.value == "no" and two.kind == "every" and one.last == two.first:
            return Flip("universal", f'the claim drops "{al.sentence.phrase(two)}"')
    return None


def _has_every(al: Alignment, mark: Mark) -> bool:
    theirs = al.within("every")
    place = al.claim.after(mark)
    there = None if place is None else al.there.get(place)
    if there is None:
        return bool(theirs)
    return any(
        m.value == mark.value
        and m.first < there
        and len(al.sentence.between(m.first, there)) <= _NOUN_PHRASE
        for m in theirs
    )


_NOUN_PHRASE: Final = 2  # content words between "all" and what it is said of


def _touches(al: Alignment, mark: Mark) -> bool:
    return al.sentence.after(mark) in al.here or al.sentence.before(mark) in al.here


# --- at least, over, about ------------------------------------------------------------


def bounds(al: Alignment) -> Flip | None:
    """A number keeps its "at least", "up to" or "about"; one without keeps none."""
    if not al.claim.of("bound") and not al.sentence.of("bound"):
        return None
    if (share := _bounded_share(al)) is not None:
        return Flip("bound", f'"{share}" has another bound in the passage')
    ours, theirs = _bounded(al.claim), _bounded(al.sentence)
    for here, there in al.there.items():
        if al.claim.is_number(here) and ours.get(here) != theirs.get(there):
            return Flip("bound", f'"{al.claim.words[here].text}" has another bound in the passage')
    if {m.value for m in al.claim.of("bound")} - {m.value for m in al.within("bound")}:
        return Flip("bound", "a number has another bound in the passage")
    return None


_BOUND_REACH: Final = 4  # words
_SHARES: Final = frozenset(["half", "third", "quarter", "dozen", "twice", "once", "thrice"])


def _bounded_share(al: Alignment) -> str | None:
    """A share that both texts name, with a bound in one of them only: "at most half"."""
    ours, theirs = _shares_bounded(al.claim), _shares_bounded(al.sentence)
    said = al.claim.vocabulary & al.sentence.vocabulary & _SHARES
    return next((w for w in sorted(said) if ours.get(w) != theirs.get(w)), None)


def _shares_bounded(side: Analysis) -> dict[str, str]:
    found = {}
    for mark in side.of("bound"):
        near = side.words[max(0, mark.first - 1) : mark.last + 2]
        found.update({word.text: mark.value for word in near if word.text in _SHARES})
    return found


def _bounded(side: Analysis) -> dict[int, str]:
    """Place of a number -> the bound that stands closest to it."""
    found = {}
    for mark in side.of("bound"):
        near = side.between(mark.first - _BOUND_REACH - 1, mark.first + _BOUND_REACH + 1)
        numbers = [i for i in near if side.keys[i][0].isdigit()]
        if numbers:
            found[min(numbers, key=lambda i: (abs(i - mark.first), i))] = mark.value
    return found


# --- before, after; up, down; more, less --------------------------------------------------


def time(al: Alignment) -> Flip | None:
    return _changed(al, "time", "time")


def opening(al: Alignment) -> Flip | None:
    """As "Before 1 May" is neither "by" nor "on 1 May"."""
    for here, there in al.there.items():
        if not (al.claim.is_number(here) or al.claim.words[here].text in MONTHS):
            continue
        ours, theirs = al.claim.intro(here), al.sentence.intro(there)
        if theirs in _LIMITS and ours and ours != theirs:
            return Flip("time", f'the passage says "{theirs}", the claim "{ours}"')
    return None


_LIMITS: Final = frozenset(["before", "after", "until", "till", "since", "by", "from"])


def place(al: Alignment) -> Flip | None:
    return _changed(al, "place", "place")


def direction(al: Alignment) -> Flip | None:
    return _changed(al, "way", "direction")


def _changed(al: Alignment, kind: str, name: str) -> Flip | None:
    """Whether a word like "before", "up" or "more" has become its opposite, or is new."""
    theirs = al.within(kind)
    for mark in _but_within(al.claim.of(kind)):
        governed = al.claim.after(mark)
        there = None if governed is None else al.there.get(governed)
        beside = [m for m in theirs if there is not None and al.sentence.after(m) == there]
        if all(m.value != mark.value for m in beside or theirs):
            why = f'the passage does not say "{al.claim.phrase(mark)}" there'
            return Flip(name, why, contradicts=bool(theirs))
    return None


def _but_within(found: Iterable[Mark]) -> list[Mark]:
    """As "Within ten days" and "in ten days" are told as one."""
    return [m for m in found if m.value != "within"]


Rule: TypeAlias = "Callable[[Alignment], Flip | None]"
SENSE_RULES: Final[tuple[Rule, ...]] = (
    negation,
    contrast,
    modality,
    quantity,
    not_all,
    bounds,
    direction,
    time,
    opening,
    place,
)
