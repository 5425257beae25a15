"""Finding a quote in a passage: word for word, whatever its typography, at token boundaries.

Tried in this order: the quote as it is, then without what printing adds at its edges (the final
full stop, quotation marks, ellipses), each first in the folded form and then in the loose one with
its second readings. A place counts only where the quote stands alone (see `boundaries`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from groundedgen.patterns import compiled
from groundedgen.text.folds import Folded
from groundedgen.text.forms import DROPPED, GAP, Loose, Span
from groundedgen.text.matching.boundaries import stands_alone
from groundedgen.text.matching.gaps import agree
from groundedgen.text.matching.shelf import folded, loose

__all__ = ["Hit", "core", "find", "find_all", "folded"]


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a quote stands: `haystack[start:end]`.

    Attributes:
        start: First code point, in the original haystack.
        end: One past the last.
        exact: Whether those characters are the needle's own, and not only equal when folded.
    """

    start: int
    end: int
    exact: bool


# How much of a text with failing candidates everywhere is looked at ("a -a -a" in "-a -a -a ..."),
# in code points compared per code point of the two texts; else it would cost the square of its
# length. Real texts need less than one. A candidate costs its length and a constant.
_EFFORT, _LEAST_EFFORT = 8, 200_000
_STRICT_COST, _LOOSE_COST = 100, 2_000


def find(needle: str, haystack: str) -> Hit | None:
    r"""Where `needle` stands in `haystack`, or `None`.

    An exact place wins over one that is equal only when folded; else the first wins.

    Args:
        needle: A quote in any typography. Empty, or nothing but signs, is nowhere.
        haystack: The passage; offsets count code points of exactly this string. Its folded form
            is kept, so that the next search of the same text costs little.

    >>> find("an official exam\u00adple", "It is \u201can of\ufb01cial exam-\nple\u201d.")
    Hit(start=7, end=27, exact=False)
    >>> find("refundable fees", "Non-refundable fees apply.") is None
    True
    """
    best: Hit | None = None
    for hit in _hits(needle, haystack):
        if hit.exact:
            return hit
        best = best or hit
        if needle not in haystack:
            break
    return best


def find_all(needle: str, haystack: str) -> tuple[Hit, ...]:
    """Every place where `needle` stands in `haystack`, in order, without overlaps.

    >>> [(hit.start, hit.end) for hit in find_all("a fee", "A fee is a fee, not a feed.")]
    [(0, 5), (9, 14)]
    """
    return tuple(_hits(needle, haystack))


def _hits(needle: str, haystack: str) -> Iterator[Hit]:
    """The hits of the strictest way of reading that has any."""
    if not needle or not haystack:
        return
    hay = folded(haystack)
    for quote in _ways(needle) if len(needle) <= _KEPT_LENGTH else _all_ways(needle):
        for places in (_strict_places(quote, hay), _loose_places(quote, haystack)):
            found = False
            for text, start, end in places:
                found = True
                first, last = text.origin(start, end)
                yield Hit(first, last, haystack[first:last] == needle)
            if found:
                return


# --- the quote's edges ----------------------------------------------------------------------

_LEAD = compiled(r"""(?:["'\s]|\.{2,}|\[\.{2,}\]|\(\.{2,}\))+""")
_TRAIL = compiled(r"""(?:["'.,;:\s。、،؛।॥۔]|\[\.{2,}\]|\(\.{2,}\))+$""")
_INCHES = frozenset("'\"")
_HALF_EMPHASIS = compiled(r"(?<!\w)(?:\*\*|`)(?=\w)|(?<=[\w.,;:!?])(?:\*\*|`)(?!\w)")


@dataclass(frozen=True, slots=True)
class _Quote:
    """One way to write the needle: folded, and loose between a lead and a trail that are not."""

    text: str
    loose: str
    span: Span
    lead: str
    trail: str


_KEPT_LENGTH = 10_000


@lru_cache(maxsize=512)
def _ways(needle: str) -> tuple[_Quote, ...]:
    return _all_ways(needle)


def _all_ways(needle: str) -> tuple[_Quote, ...]:
    """The needle as it is, without what printing adds, without half of an emphasis.

    The last for a quote that cuts through **bold words**.
    """
    whole = folded(needle)
    ways = {whole.text: needle}
    bare = core(whole.text)
    start = whole.text.find(bare)
    first, last = whole.origin(start, start + len(bare))
    ways.setdefault(bare, needle[first:last])  # from the source, whose capitals still count
    if "**" in bare or "`" in bare:
        rest = core(_HALF_EMPHASIS.sub("", bare))
        ways.setdefault(rest, rest)
    return tuple(_quote(text, source) for text, source in ways.items() if _says(text))


def _says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _quote(text: str, source: str) -> _Quote:
    form = loose(source)
    inner = form.folded.text
    lead = GAP.match(inner)
    start, end = lead.end() if lead else 0, len(inner.rstrip(DROPPED))
    return _Quote(text, form.text, Span(form, start, end), inner[:start], inner[end:])


def core(text: str) -> str:
    """A folded quote without what printing adds at its edges; no sign of a number among it.

    >>> core('"...the fee is due."'), core("-5 percent"), core("a pipe of 5'")
    ('the fee is due', '-5 percent', "a pipe of 5'")
    """
    lead = _LEAD.match(text)
    text = text[lead.end() :] if lead else text
    end = len(text)
    while True:
        trail = _TRAIL.search(text, max(0, end - 64), end)
        if not trail or trail.start() == end:
            return text[:end]
        # After a number a mark is feet or inches, unless the quote began with one.
        is_inches = trail[0].lstrip(" ")[:1] in _INCHES and text[trail.start() - 1].isdecimal()
        if is_inches and _INCHES.isdisjoint(lead[0] if lead else ""):
            return text[:end]
        end = trail.start()


# --- the two ways of looking ----------------------------------------------------------------


def _strict_places(quote: _Quote, hay: Folded) -> Iterator[tuple[Folded, int, int]]:
    """Where the folded quote stands in the folded passage."""
    text, length = hay.text, len(quote.text)
    budget = _LEAST_EFFORT + _EFFORT * (len(text) + length)
    at = text.find(quote.text)
    while at >= 0 and budget > 0:
        budget -= length + _STRICT_COST
        alone = stands_alone(hay, at, at + length)
        if alone:
            yield hay, at, at + length
        at = text.find(quote.text, at + (length if alone else 1))


def _loose_places(quote: _Quote, haystack: str) -> Iterator[tuple[Folded, int, int]]:
    """Where the quote stands when each place may be read in its second way."""
    hay, length = loose(haystack), len(quote.loose)
    budget = _LEAST_EFFORT + _EFFORT * (len(hay.text) + length)
    at = hay.text.find(quote.loose) if length else -1
    while at >= 0 and budget > 0:
        budget -= length + _LOOSE_COST
        start, end = hay.position(at), hay.position(at + length - 1) + 1
        agreed = _agrees(quote, hay, start, end)
        if agreed:
            yield hay.folded, start - len(quote.lead), end + len(quote.trail)
        at = hay.text.find(quote.loose, at + (length if agreed else 1))


def _agrees(quote: _Quote, hay: Loose, start: int, end: int) -> bool:
    text, first, last = hay.folded.text, start - len(quote.lead), end + len(quote.trail)
    return (
        first >= 0
        and text.startswith(quote.lead, first)
        and text.startswith(quote.trail, end)
        and stands_alone(hay.folded, first, last)
        and agree(quote.span, Span(hay, start, end))
    )
