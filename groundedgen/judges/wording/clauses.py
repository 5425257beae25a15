"""Claims put together from parts of a sentence that the passage keeps apart."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment, Link
    from groundedgen.text.english.analysis import Analysis

__all__ = ["replaced", "stitched"]

_JOINING: Final = frozenset(["while", "when", "where", "because", "since", "until", "as", "than"])
_RELATIVE: Final = frozenset(["which", "who", "whom", "whose"])


def stitched(al: Alignment) -> Flip | None:
    """Why a claim may join what two clauses say, or name a part for the whole."""
    for before, after in pairwise(al.links):
        if after.there > before.there and _is_joined(al, before, after):
            apart = f"{al.pair(before, after)} stand in different clauses of the passage"
            return Flip("clauses", apart)
    why = _repeated(al) or _head_dropped(al)
    return None if why is None else Flip("clauses", why)


def _is_joined(al: Alignment, before: Link, after: Link) -> bool:
    if _is_past_relative(al, before, after):
        return True
    if al.claim.segment[before.here] != al.claim.segment[after.here]:
        return False
    return _has_other_subject(al, before, after) or _has_other_figure(al, before, after)


def _is_past_relative(al: Alignment, before: Link, after: Link) -> bool:
    """As "Acquitted the driver who hit the cyclist" does not say "acquitted the cyclist"."""
    side = al.sentence
    for at in range(before.there + 1, after.there):
        if side.words[at].text in _RELATIVE:
            return side.last_content(at) not in al.here
    return False


def _has_other_subject(al: Alignment, before: Link, after: Link) -> bool:
    """Whether the second word's clause has a subject of its own that the claim leaves out."""
    side = al.sentence
    if side.segment[before.there] == side.segment[after.there]:
        return False
    start = side.segment_start(after.there)
    if side.words[start].text == "that":
        return side.last_content(start) not in al.here
    ours = set(al.claim.keys.values())
    return any(
        side.keys[i] not in ours and _is_subject(side, i, after.there)
        for i in side.between(start - 1, after.there)
    )


def _is_subject(side: Analysis, place: int, verb: int) -> bool:
    """Whether a word is followed at once by an auxiliary, or by what looks like its verb."""
    if _is_verbal(side, place + 1):
        return True
    following = side.words[place + 1].text
    looks = following.endswith("s") or is_past(following)
    return place + 1 == verb and looks and not side.intro(place)


def _is_verbal(side: Analysis, place: int) -> bool:
    if place >= len(side.words):
        return False
    mark = side.mark_at.get(place)
    return side.words[place].text in AUXILIARIES or (mark is not None and mark.kind == "modal")


def _has_other_figure(al: Alignment, before: Link, after: Link) -> bool:
    """A number with another number, and what that is of, between it and the claim's subject."""
    side = al.sentence
    if not side.is_number(after.there):
        return False
    between = [i for i in side.between(before.there, after.there) if i not in al.here]
    numbers = [i for i in between if side.is_number(i)]
    return bool(numbers) and any(i > numbers[0] and not side.is_number(i) for i in between)


def _repeated(al: Alignment) -> str | None:
    """As "Anna wrote to Ben and Carl wrote to Dora": a verb again, with another subject."""
    side = al.sentence
    keys = {side.keys[x.there] for x in al.links}
    first = min((x.there for x in al.links), default=0)
    last = max((x.there for x in al.links), default=0)
    for place in side.between(first, last):
        if place in al.here or side.keys[place] not in keys or side.words[place].capital:
            continue
        subject = place - 1
        if side.is_number(subject) or subject in al.here or subject not in side.keys:
            continue  # the unit of a number, or the claim's own subject
        joined = subject > 0 and side.words[subject - 1].text in ("and", "while")
        if joined or not side.intro(subject):
            return f'"{side.words[place].text}" is said of two in the passage'
    return None


def _head_dropped(al: Alignment) -> str | None:
    """As "The tenant's lawyer" is not the tenant, "the cost of repairs" not the repairs."""
    side = al.sentence
    for link in al.links:
        owner = _is_owner(side, link.there) and not _is_owner(al.claim, link.here)
        if owner and link.there + 1 not in al.here:
            return f'the passage speaks of what "{side.words[link.there].text}" has'
        if link.here + 1 in al.claim.keys or al.claim.intro(link.here):
            continue
        head = _head_after(side, link.there)
        if head is None and not al.turned:
            head = _head_before(side, link.there)
        if head is not None and head not in al.here:
            return f'the passage speaks of "{side.words[head].text}" there'
    return None


def _head_after(side: Analysis, at: int) -> int | None:
    """The noun that a word stands before as its owner or first part."""
    following = at + 1
    if following not in side.keys or side.segment[following] != side.segment[at]:
        return None
    return following if _is_verbal(side, following + 1) else None


def _is_owner(side: Analysis, at: int) -> bool:
    """Whether a word is written as an owner, with what it owns behind it: "the tenant's lawyer"."""
    word = side.words[at]
    end = side.text[word.start : word.end + 1].replace("\u2019", "'")
    return ("'s" in end or end.endswith("s'")) and at + 1 in side.keys


def _head_before(side: Analysis, at: int) -> int | None:
    """The noun that a word hangs from by a preposition; a verb there is none."""
    start = side.starts[at]
    if start is None or start - 1 not in side.keys or side.words[start].text in _JOINING:
        return None
    return None if is_past(side.words[start - 1].text) else start - 1


def replaced(al: Alignment) -> str | None:
    """A word of the claim in whose place the sentence has another; `None` for none."""
    for place in al.unmatched:
        before = max((x.here for x in al.links if x.here < place), default=None)
        after = min((x.here for x in al.links if x.here > place), default=None)
        if before is None and after is None:
            return None
        low = -1 if before is None else al.there[before]
        high = len(al.sentence.words) if after is None else al.there[after]
        other = [i for i in al.sentence.between(low, high) if i not in al.here]
        if other:
            ours, theirs = al.claim.words[place].text, al.sentence.words[other[0]].text
            return f'the claim says "{ours}" where the passage says "{theirs}"'
    return None
