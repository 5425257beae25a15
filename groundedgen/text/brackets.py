"""Markers: bracketed names and numbers that point at sources.

A marker is a bracket that holds nothing but names or numbers of sources: `[7]`, `[2, 7]`,
`[1–3]`, `[S4]`, `【2】`, `[Source 7]`, `[7, p. 12]`. Scanning is linear in the text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import regex

from groundedgen.patterns import lazy
from groundedgen.text.markdown.regions import code_spans, unprose_spans
from groundedgen.text.markers.bracketed import is_content
from groundedgen.text.markers.foreign import foreign_marks
from groundedgen.text.markers.offers import Item, Numbers, Offer, offer
from groundedgen.text.names import HEADS

__all__ = ["Mark", "markers", "marks"]

_PAIRS = (("【", "】"), ("［", "］"), ("〔", "〕"), ("〖", "〗"))  # beside "[" and "]"
_NOT_BRACKET = r"[^\[\]【】［］〔〕〖〗\\]*+"
_BRACKET = lazy(
    rf"\\?\[({_NOT_BRACKET})\\?\]|" + "|".join(rf"{a}({_NOT_BRACKET}){b}" for a, b in _PAIRS)
)
_HEAD = lazy(
    rf"\s*+(?:(?:{'|'.join(sorted(set(HEADS), key=len, reverse=True))})"
    r"(?:\.?[\s:：#_\-]++|(?=\p{Nd})|(?<=[^\x00-\x7F])))?",
    regex.IGNORECASE,
)
# "p. 12", "pp. 3–4", "§ 4": where in the source; never a number of a source itself.
_PLACE = lazy(
    r"\s*[,;:]?\s+(?:(?:pp?|pgs?|pages?|paras?|secs?|sections?|chs?|chap|chapters?|arts?|articles?|cl|"
    r"clauses?|lines?|figs?|tables?|Seiten?|Abs|Rn|Rz|págs?|стр|nos?)\b\.?|S\.|§§?)"
    r"\s*[\p{Nd}ivxIVX][\w.\-–—, §]{0,60}\Z"
)
_PLACE_SIGN = lazy(r"[A-Za-zСс§á]")
_JOINT = lazy(r"[,;、，；]")
_WORD_JOINT = lazy(r"&|\s(?:and|und|et|y|e|и|en|og|och|ja)\s|[和及]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker, `text[start:end]`.

    Attributes:
        rest: What may stay of it: all of it, a part, or "".
        kept: How many of its members are offered.
        removed: Those that are not, in stretches, so that a range stays a range.
        foreign: A mark of another system; it has no members.
    """

    start: int
    end: int
    rest: str = ""
    kept: int = 0
    removed: tuple[Sequence[int | str], ...] = ()
    foreign: bool = False

    @property
    def fabricated(self) -> int:
        """How many of its members are not offered."""
        return sum(map(len, self.removed))


def marks(text: str, offered: Offer) -> list[Mark]:
    """All markers of a text, other systems' marks included, in order, without overlaps.

    Code, formulas, addresses and tags hold none.
    """
    foreign = foreign_marks(text)
    bracketed = "[" in text or (not text.isascii() and any(sign in text for sign in "【［〔〖"))
    found = list(_own(text, offered)) if bracketed else []
    if not (foreign or found):
        return []
    code = code_spans(text)
    unprose = unprose_spans(text, code)
    own = [mark for mark in found if not unprose.cover(mark.start)]
    return _disjoint([*own, *(_foreign(a, b) for a, b in foreign if not code.cover(a))])


def markers(text: str, names: Collection[str] = ()) -> tuple[tuple[int, int], ...]:
    """Spans of everything that reads as a marker, whatever it points at.

    >>> text = "So it is [7][S2], in [2019] UKSC 41【3】."
    >>> [text[start:end] for start, end in markers(text)]
    ['[7]', '[S2]', '【3】']
    """
    found = marks(text, Numbers(0))
    if names:
        found = _disjoint([*found, *marks(text, offer(names))])
    return tuple((mark.start, mark.end) for mark in found)


def _foreign(start: int, end: int) -> Mark:
    return Mark(start, end, foreign=True)


def _disjoint(found: list[Mark]) -> list[Mark]:
    """In order; of two that overlap the longer (other systems' marks may hold a bracket)."""
    kept: list[Mark] = []
    for mark in sorted(found, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


class _Bracket(NamedTuple):
    """`text[start:end]`, with `inner` between its brackets from `at` on."""

    text: str
    start: int
    end: int
    at: int
    inner: str

    def marked(self, items: tuple[Item, ...], lead: str, tail: str) -> Mark:
        """A marker with these members, between `lead` and `tail`."""
        removed = tuple(chain.from_iterable(item.removed for item in items))
        keep = ",".join(item.keep for item in items if item.keep)
        if not any(removed):
            rest = self.text[self.start : self.end]
        else:
            rest = f"{lead}{keep}{tail}" if keep else ""
        return Mark(self.start, self.end, rest, sum(item.kept for item in items), removed)


def _own(text: str, offered: Offer) -> Iterator[Mark]:
    for match in _BRACKET.finditer(text):
        inner = match[match.lastindex or 0]
        if inner and not inner.isspace():
            start, end = match.span()
            at = match.start(match.lastindex or 0)
            if mark := _read(_Bracket(text, start, end, at, inner), offered):
                yield mark


def _read(bracket: _Bracket, offered: Offer) -> Mark | None:
    """Read one bracket; `None` unless everything in it is ours."""
    text, start, end, at, inner = bracket
    body = inner.strip()
    items = _items(body, offered)
    if items is not None:
        if not any(c.isalpha() for c in body) and is_content(text, start, end, inner):
            return None
        return bracket.marked(items, text[start:at], text[at + len(inner) : end])
    head, body, place = _dressed(body)
    items = _items(body, offered) if body else None
    if items is None:
        return None
    lead = at + len(inner) - len(inner.lstrip())
    return bracket.marked(items, text[start:lead] + head, place + text[at + len(inner) : end])


def _dressed(body: str) -> tuple[str, str, str]:
    """Take a noun ("Source 7") and a place in the source ("7, p. 12") off the names."""
    noun = _HEAD.match(body)
    head = noun[0] if noun else ""
    body = body[len(head) :]
    place = _PLACE.search(body, max(0, len(body) - 100)) if _PLACE_SIGN.search(body) else None
    return (head, body[: place.start()], place[0]) if place else (head, body, "")


def _items(body: str, offered: Offer) -> tuple[Item, ...] | None:
    if (whole := offered.item(body)) is not None:
        return (whole,)
    items: list[Item] = []
    for piece in _JOINT.split(body):
        read = offered.item(piece.strip())
        parts = [read] if read else [offered.item(p.strip()) for p in _WORD_JOINT.split(piece)]
        good = [part for part in parts if part is not None]
        if len(good) < len(parts):
            return None
        items += good
    return tuple(items)
