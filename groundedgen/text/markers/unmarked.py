"""A text without its markers, and where in it each of them stood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundedgen.text.cutting import Cut, cut

__all__ = ["Mark", "unmarked"]


class Mark(NamedTuple):
    """One marker.

    Attributes:
        written: As it is written.
        at: Where it stood, in the text without markers.
        leads: Between the beginning of a line and words behind it.
    """

    written: str
    at: int
    leads: bool


def unmarked(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, list[Mark]]:
    """Cut markers out as `cutting.cut` does, and tell where they were.

    Args:
        text: A text with markers.
        spans: Where they are, in order, without overlaps.

    >>> text, marks = unmarked("Fire is [1]. So is ice ([2]).", [(8, 11), (24, 27)])
    >>> text, [(mark.written, mark.at) for mark in marks]
    ('Fire is. So is ice.', [('[1]', 7), ('[2]', 18)])
    """
    rest = cut(text, [Cut(start, end) for start, end in spans])
    found: list[Mark] = []
    at = begin = 0
    for start, end in spans:
        at = _walked(text, begin, start, rest, at)
        found.append(Mark(text[start:end], at, _leads(text, start, end)))
        begin = end
    return rest, found


def _walked(text: str, begin: int, end: int, rest: str, at: int) -> int:
    """How far `rest` goes along with `text[begin:end]`, of which it lacks some characters."""
    for place in range(begin, end):
        if rest.startswith(text[place], at):
            at += 1
        elif rest.startswith(f" {text[place]}", at):  # a blank where a cut would glue two words
            at += 2
    return at


def _leads(text: str, start: int, end: int) -> bool:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    close = text.find("\n", end)
    behind = text[end : close if close >= 0 else len(text)]
    return not any(map(str.isalnum, line)) and any(map(str.isalpha, behind))
