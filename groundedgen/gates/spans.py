"""The span gate: for models that point at offsets instead of quoting.

A span that is not exactly right is refused, never clipped: clipping turns a wrong pointer into a
right-looking quote of other words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeGuard

from groundedgen.text.search import find_all

__all__ = ["SpanReason", "SpanResult", "span_gate"]

SpanReason = Literal[
    "ok", "unknown_source", "bad_offset", "out_of_range", "empty", "out_of_chunk", "quote_outside"
]


@dataclass(frozen=True, slots=True)
class SpanResult:
    """What the span gate says.

    Attributes:
        accepted: Whether the span may be shown.
        text: `docs[doc_id][start:end]` if accepted, else "".
        reason: "ok", "unknown_source", "bad_offset" (no integer), "out_of_range", "empty" (or
            reversed), "out_of_chunk", "quote_outside" (the quote is not inside the span).
    """

    accepted: bool
    text: str = field(default="", repr=False)
    reason: SpanReason = "ok"


def span_gate(
    doc_id: str,
    start: object,
    end: object,
    docs: Mapping[str, str],
    *,
    chunk: Sequence[object] | None = None,
    quote: str | None = None,
) -> SpanResult:
    """Check a span that something else named.

    Args:
        doc_id: The document it points into.
        start: First code point. Anything but an `int` (`None`, a float, `True`) is refused.
        end: One past the last code point.
        docs: Document texts by id.
        chunk: `(start, end)` of the part that was retrieved: the span must lie inside it.
        quote: Words that must stand inside the span, typography aside. An empty one proves nothing.

    >>> docs = {"d": "The cap is 12 million. It applies now."}
    >>> span_gate("d", 0, 21, docs).text
    'The cap is 12 million'
    >>> [span_gate("d", *span, docs).reason for span in ((-5, 9), (0, 99), (4, 4), (0, None))]
    ['out_of_range', 'out_of_range', 'empty', 'bad_offset']
    >>> span_gate("d", 0, 21, docs, quote="It applies now").reason
    'quote_outside'
    """
    if doc_id not in docs:
        return SpanResult(False, reason="unknown_source")
    text = docs[doc_id]
    if not _is_offset(start) or not _is_offset(end):
        return SpanResult(False, reason="bad_offset")
    reason = _refusal(start, end, 0, len(text))
    if reason is None and chunk is not None:
        reason = _chunk_refusal(start, end, chunk)
    if reason is None and quote is not None and not _holds(text, start, end, quote):
        reason = "quote_outside"
    return SpanResult(False, reason=reason) if reason else SpanResult(True, text[start:end])


def _is_offset(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _refusal(start: int, end: int, first: int, last: int) -> SpanReason | None:
    if not (first <= start <= last and first <= end <= last):
        return "out_of_range"
    return None if start < end else "empty"


def _chunk_refusal(start: int, end: int, chunk: Sequence[object]) -> SpanReason | None:
    """Whether the span leaves the chunk; a chunk that is no pair of offsets holds nothing."""
    if len(chunk) != 2:
        return "bad_offset"
    first, last = chunk
    if not _is_offset(first) or not _is_offset(last):
        return "bad_offset"
    return "out_of_chunk" if _refusal(start, end, first, last) else None


def _holds(text: str, start: int, end: int, quote: str) -> bool:
    """Whether the quote stands inside the span: looked up in the whole text.

    In the slice alone, a span that begins after "non-" would hide what it cut off.
    """
    return any(start <= hit.start and hit.end <= end for hit in find_all(quote, text))
