"""Sentences together with the marks that close them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundedgen.patterns import lazy

__all__ = ["with_closers"]

Span = tuple[int, int]

_CLOSING: Final = lazy(r"[*_~`)\]\p{Pf}\p{Pe}\"']++(?=\s|\Z)")
_BLANKS: Final = lazy(r"\s*+")


def with_closers(text: str, spans: Sequence[Span]) -> list[Span]:
    r"""Sentences, each with the marks that were opened in it and stand behind its full stop.

    `sentences.sentence_spans` ends a sentence at its full stop, so that the second pair of marks of
    "**Floods are never covered.** Fire is." begins the next sentence. Neither of the two then
    shows what the author emphasised, and the second begins with marks that open nothing.

    Args:
        text: The text.
        spans: Its sentences in order, half-open.

    >>> text = "**Floods are never covered.**\nFire is."
    >>> [text[a:b] for a, b in with_closers(text, [(0, 27), (27, 38)])]
    ['**Floods are never covered.**', 'Fire is.']
    """
    closed: list[Span] = []
    for start, end in spans:
        marks = _CLOSING.match(text, start, end) if closed and closed[-1][1] == start else None
        begin = start
        if marks:
            closed[-1] = closed[-1][0], marks.end()
            blanks = _BLANKS.match(text, marks.end(), end)
            begin = blanks.end() if blanks else marks.end()
        if begin < end:
            closed.append((begin, end))
    return closed
