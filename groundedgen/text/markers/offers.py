"""What the markers of one text may point at: numbers from 1 to n, or listed names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import regex

from groundedgen.patterns import lazy
from groundedgen.text.names import DASH, Names, index

__all__ = ["WIDEST", "Item", "Listed", "Numbers", "Offer", "offer"]

WIDEST = 1_000
"""A range of more members that reaches out of what is offered is one invented thing: it goes as
it is written and counts by its two ends. No range is ever expanded."""

_SHORT = 10  # kept members of a cut range that are written out; more stay a range
_LONGEST = 200  # code points of one name or range; nothing longer is a source's name
_TOO_LONG = 18  # digits; Python refuses to convert thousands of them
_NUMBERS = lazy(rf"(S?)(\p{{Nd}}++)(?:\s*+({DASH}|to|bis|\.\.)\s*+(S?)(\p{{Nd}}++))?+")


@dataclass(frozen=True, slots=True)
class Item:
    """One name, number or range of a marker.

    Attributes:
        keep: What of it may stay, as it is to be written; "" when nothing may.
        kept: How many of its members are offered.
        removed: Those that are not, in stretches, so that a range stays a range.
    """

    keep: str
    kept: int
    removed: tuple[Sequence[int | str], ...] = ()


class Offer(Protocol):
    """What the markers of one text may point at."""

    def item(self, written: str) -> Item | None:
        """Read one name, number or range; `None` when it is none of ours."""
        ...


def offer(n_or_ids: int | Collection[str]) -> Offer:
    """What may be pointed at: the numbers 1 to n, or names.

    Raises:
        ValueError: A negative number.
        TypeError: Neither a number nor a collection of strings.
    """
    if isinstance(n_or_ids, int) and not isinstance(n_or_ids, bool):
        if n_or_ids < 0:
            raise ValueError(f"the number of sources must be 0 or more, got {n_or_ids}")
        return Numbers(n_or_ids)
    if isinstance(n_or_ids, str | bytes | bool) or not isinstance(n_or_ids, Collection):
        raise TypeError(f"expected a number or names of sources, got {type(n_or_ids).__name__}")
    return _named(tuple(n_or_ids)) if n_or_ids else Numbers(0)


@lru_cache(maxsize=64)
def _named(ids: tuple[str, ...]) -> Offer:
    return Listed(index(ids), frozenset(filter(None, map(_shape, ids))), _affixes(ids))


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers 1 to `count`, also written S1 to Sn."""

    count: int

    def item(self, written: str) -> Item | None:
        match = _NUMBERS.fullmatch(written)
        if match is None:
            return None
        first = _value(match[2])
        if match[5] is None:
            return self._single(written, first)
        return self._range(match, first, _value(match[5]))

    def _has(self, value: int | str) -> bool:
        return isinstance(value, int) and 1 <= value <= self.count

    def _single(self, written: str, value: int | str) -> Item:
        return Item(written, 1) if self._has(value) else Item("", 0, ((value,),))

    def _range(self, match: regex.Match[str], first: int | str, last: int | str) -> Item:
        if isinstance(first, str) or isinstance(last, str):
            return Item("", 0, ((first, last),))
        if self._has(first) and self._has(last):
            return Item(match[0], abs(last - first) + 1)
        if last < first:  # no readable range: each end for itself
            keep = [match[group] for group, value in ((2, first), (5, last)) if self._has(value)]
            removed = tuple(value for value in (first, last) if not self._has(value))
            return Item(",".join(keep), len(keep), (removed,))
        if last - first >= WIDEST:
            return Item("", 0, ((first, last),))
        low, high = max(first, 1), min(last, self.count)
        if low > high:
            return Item("", 0, (range(first, last + 1),))
        removed_ranges = (range(first, low), range(high + 1, last + 1))
        return Item(_range_text(match[1], low, high, match[3]), high - low + 1, removed_ranges)


def _range_text(prefix: str, low: int, high: int, dash: str) -> str:
    if high - low < _SHORT:
        return ",".join(f"{prefix}{value}" for value in range(low, high + 1))
    return f"{prefix}{low}{dash}{prefix}{high}"


def _value(digits: str) -> int | str:
    """The number, or, for one that no list of sources can reach, the beginning of its digits."""
    return int(digits) if len(digits) <= _TOO_LONG else digits[:_TOO_LONG] + "…"


@dataclass(frozen=True, slots=True)
class Listed:
    """Listed names. One that has their shape but is not among them is an invented one."""

    names: Names
    shapes: frozenset[str]
    affixes: tuple[str, str]

    def item(self, written: str) -> Item | None:
        if len(written) > _LONGEST:
            return Item(written, 1) if written in self.names.listed else None
        if self.names.one(written) is not None:
            return Item(written, 1)
        if (ends := self.names.ends(written)) is not None and self._alike(f"{ends[0]}{ends[1]}"):
            return self._range(written, *ends)
        return Item("", 0, ((written,),)) if self._alike(written) else None

    def _range(self, written: str, prefix: str, first: int, last: int) -> Item:
        # Wider than that it cannot be a slip at the edge of the list.
        if not 0 <= last - first < 2 * len(self.names.listed) + 20:
            return Item("", 0, ((written,),))
        found = [(f"{prefix}{n}", self.names.one(f"{prefix}{n}")) for n in range(first, last + 1)]
        keep = [name for _, name in found if name is not None]
        removed = tuple(name for name, known in found if known is None)
        return Item(written if not removed else ",".join(keep), len(keep), (removed,))

    def _alike(self, written: str) -> bool:
        if self.names.bare and written.isdecimal():
            return True
        if _shape(written) in self.shapes:
            return True
        prefix, suffix = self.affixes
        if any(map(str.isspace, written)):
            return False
        return bool(prefix and written.startswith(prefix)) or bool(
            suffix and written.endswith(suffix)
        )


_RUN = lazy(r"[\p{L}\p{M}\p{Nd}]++")
_SIGNS = lazy(r"[\s_\-#.:]++(?=[0#])")
_HEXADECIMAL = lazy(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{7,}", regex.IGNORECASE)
_LETTERS_DIGITS = lazy(r"([\p{L}\p{M}]*+)\p{Nd}++")
_UUID = lazy(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", regex.IGNORECASE)


def _shape(name: str) -> str | None:
    r"""A name with its numbers and random parts blanked out; `None` if it has none of these.

    >>> _shape("doc_3"), _shape("kb/7f3a9d1e"), _shape("lease")
    ('doc-0', 'kb/#8', None)
    """
    if len(name) > _LONGEST:
        return None
    shape = _SIGNS.sub("-", _RUN.sub(_part_shape, _UUID.sub("\0", name.strip())))
    return shape if any(sign in shape for sign in "0#\0") else None


def _part_shape(match: regex.Match[str]) -> str:
    part: str = match[0]
    if _HEXADECIMAL.fullmatch(part):
        return f"#{len(part)}"
    if letters := _LETTERS_DIGITS.fullmatch(part):
        return f"{letters[1].lower()}0"
    mixed = any(c.isdigit() for c in part) and len(part) >= 6
    return f"#{len(part)}" if mixed else part.lower()


def _affixes(ids: tuple[str, ...]) -> tuple[str, str]:
    """What all names have in common: a first part with its separator, and a file's ending."""
    heads = {
        match[0] if (match := regex.match(r"[^\s\-_:#/]+[\-_:#/]+", name)) else "" for name in ids
    }
    tails = {
        match[0] if (match := regex.search(r"\.[A-Za-z]\w{1,4}\Z", name)) else "" for name in ids
    }
    head = heads.pop() if len(heads) == 1 and len(ids) > 1 else ""
    return head, tails.pop() if len(tails) == 1 else ""
