"""A quote inside its passage: which part of the text is shown, and which words are lit up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Excerpt", "Segment", "Span", "excerpts"]

#: A passage of at most so many code points is shown whole: about a third of a printed page.
WHOLE = 1_200
#: Code points shown on each side of a quote of a longer passage, where its sentences say less.
MARGIN = 160


@dataclass(frozen=True, slots=True)
class Span:
    """`text[start:end] == quote`; the context is the sentences round it. Code points, half-open."""

    start: int
    end: int
    context_start: int
    context_end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of the source's own text; `marked` where it is quoted."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of one passage. `before` and `after`: whether text was left out there."""

    segments: tuple[Segment, ...]
    before: bool = False
    after: bool = False


def excerpts(text: str, spans: Sequence[Span]) -> tuple[Excerpt, ...]:
    """The parts of a passage that show its quotes in context, in order of the text.

    Time is linear in what is shown, but for the sorting of the spans.

    >>> [excerpt] = excerpts("Fire is covered. Floods are not.", [Span(0, 4, 0, 16, "Fire")])
    >>> [(s.text, s.marked) for s in excerpt.segments]
    [('Fire', True), (' is covered. Floods are not.', False)]
    """
    marks = _merged((span.start, span.end) for span in spans)
    if len(text) <= WHOLE:
        windows = [(0, len(text))]
    else:
        windows = _merged(_window(text, span) for span in spans)
    return tuple(_excerpt(text, window, marks) for window in windows)


def _window(text: str, span: Span) -> tuple[int, int]:
    start = min(max(0, span.context_start), _back(text, span.start))
    end = max(min(len(text), span.context_end), _on(text, span.end))
    return start, end


def _back(text: str, start: int) -> int:
    """Some way back from a quote, to where a word begins."""
    if start <= MARGIN:
        return 0
    blank = text.find(" ", start - MARGIN, start)
    return start - MARGIN if blank < 0 else blank + 1  # scripts without blanks


def _on(text: str, end: int) -> int:
    if end + MARGIN >= len(text):
        return len(text)
    blank = text.rfind(" ", end, end + MARGIN)
    return end + MARGIN if blank < 0 else blank


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _excerpt(text: str, window: tuple[int, int], marks: Sequence[tuple[int, int]]) -> Excerpt:
    first, last = window
    segments: list[Segment] = []
    position = first
    for place in range(bisect_left(marks, (first, 0)), len(marks)):
        start, end = marks[place]
        if start >= last:
            break
        if end <= last and start < end:
            segments += [Segment(text[position:start], False), Segment(text[start:end], True)]
            position = end
    segments.append(Segment(text[position:last], False))
    return Excerpt(tuple(s for s in segments if s.text), first > 0, last < len(text))
