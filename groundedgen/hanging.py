"""The sentences of a reply, each item of a list with what leads into it.

"- floods" alone can mean the opposite of "The policy does not cover: floods". See `leads` for what
hangs from what; here the marks of lines are taken off and the parts are put together.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Generic, TypeVar

import regex

from groundedgen.errors import DraftFormatError
from groundedgen.leads import BULLETS, ROW, Line, find_leads
from groundedgen.leadwords import CLOSERS
from groundedgen.patterns import lazy
from groundedgen.text.sentences import ends_stopped

__all__ = ["Hung", "hung", "says"]

_DEEPEST = 12  # lines that one item of a list may hang from, itself included

# What Markdown puts before a line. A dash before a number may be its sign, and "> 30 days" is more.
_QUOTE = r">\s*+(?!\d(?!\d{0,2}[.)]\s)|[$€£¥])"
_LINE_MARK = lazy(rf"(?:#{{1,6}}\s+|{_QUOTE}|[{BULLETS}]\s+|[-\u2013\u2014]\s+(?!\d))+")
_LIST_MARK = lazy(rf"(?:>\s*)*+(?:[{BULLETS}]\s+|[-\u2013\u2014]\s+(?!\d))")
_APART = lazy(r"\n[ \t>]*\n")
_INDENT = lazy(r"[ \t>]*+")
_NUMBER_MARK = lazy(r"\(?(\d{1,3})[.)]\s+")
_BOLD = lazy(r"(\*\*|__)(?=\S)([^*_]{1,300}+)(?<=\S)\1")
_JOINTS: Final = frozenset(
    ".!?:;,-\u2013\u2014\u2015\u2026\u2192\u3002\uff01\uff1a\uff1b\uff1f\u061f\u0964\ufe55\ufe30"
)

Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class Hung(Generic[Place]):
    """A sentence with what it hangs from, without the marks of their lines.

    Attributes:
        text: All of it on one line.
        plain: Its own part of the text.
        start: Where its own part begins.
        end: Where that ends.
        places: What all its parts cite, its own first, without repeats.
        opening: It leads in by its form, whether or not something hangs from it.
        alone: It hangs from nothing.
        leads: What it hangs from, the outermost first, as plain text.
    """

    text: str = field(repr=False)
    plain: str = field(repr=False)
    start: int
    end: int
    places: tuple[Place, ...]
    opening: bool
    alone: bool
    leads: tuple[str, ...] = field(default=(), repr=False)


def hung(
    text: str,
    bounds: Sequence[tuple[int, int]],
    places: Sequence[Sequence[Place]],
    declines: regex.Pattern[str] | None = None,
) -> list[Hung[Place]]:
    r"""The sentences of a reply that say something, without those that only lead into others.

    Args:
        text: All of the reply.
        bounds: Of its sentences, as `leads.split_leads` gives them.
        places: What each of them cites.
        declines: What hangs from nothing if a whole sentence matches it.

    Raises:
        DraftFormatError: A list is nested deeper than anybody could read as one statement.

    >>> text = "Not covered:\n- floods\n- war"
    >>> [one.text for one in hung(text, [(0, 12), (13, 21), (22, 27)], [[], [1], [2]])]
    ['Not covered: floods', 'Not covered: war']
    """
    lines = _line_starts(text, bounds)
    numbered = _numbered(text, bounds, lines)
    marks = {start: _NUMBER_MARK if start in numbered else _LINE_MARK for start in lines}
    plain = [_plain(text, start, end, marks.get(start)) for start, end in bounds]
    ends = [0, *(end for _, end in bounds)]
    read = [
        Line(
            plain[index].strip("*_"),
            listed=start in numbered or _LIST_MARK.match(text, start, end) is not None,
            begins=start in lines,
            cited=bool(places[index]),
            stopped=ends_stopped(text, start, end),
            indent=_indent(text, start) if start in lines else 0,
            apart=start in lines and _APART.search(text, ends[index], start) is not None,
            tabled=text.startswith(ROW, start),
        )
        for index, (start, end) in enumerate(bounds)
    ]
    declined = {n for n, words in enumerate(plain) if declines and declines.fullmatch(words)}
    leads, opening = find_leads(text, bounds, read, declined)
    leading = frozenset(leads)
    found = []
    for index, (start, end) in enumerate(bounds):
        if index in leading or not says(plain[index]):
            continue
        parts = _chain(leads, index)
        cited = dict.fromkeys(chain.from_iterable(places[part] for part in reversed(parts)))
        above = tuple(plain[part] for part in parts[:-1])
        words = _joined([*above, plain[index]])
        opens, alone = index in opening, not above
        found.append(Hung(words, plain[index], start, end, tuple(cited), opens, alone, above))
    return found


def says(text: str) -> bool:
    """Whether it holds a letter or a digit.

    >>> says("Fire."), says("---")
    (True, False)
    """
    return any(map(str.isalnum, text))


def _chain(leads: Sequence[int | None], index: int) -> list[int]:
    """A sentence and all it hangs from, the outermost first.

    Raises:
        DraftFormatError: That is more than anybody could read as one statement.
    """
    parts = [index]
    while (lead := leads[parts[-1]]) is not None:
        parts.append(lead)
        if len(parts) > _DEEPEST:
            raise DraftFormatError(f"the reply nests its lists more than {_DEEPEST} deep")
    return parts[::-1]


def _joined(parts: Sequence[str]) -> str:
    *leads, item = parts
    led = (f"{lead} " if lead.rstrip(CLOSERS)[-1:] in _JOINTS else f"{lead}: " for lead in leads)
    return "".join([*led, item])


def _line_starts(text: str, bounds: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Where the sentences begin before which their line holds nothing but blanks."""
    ends = [0, *(end for _, end in bounds)]
    return frozenset(
        start
        for (start, _), before in zip(bounds, ends, strict=False)
        if before == 0 or "\n" in text[before:start]
    )


def _indent(text: str, start: int) -> int:
    """Columns before what begins a line, marks of quotation included."""
    begin = text.rfind("\n", 0, start) + 1
    blanks = _INDENT.match(text, begin)
    return len(blanks[0].expandtabs(4)) if blanks else 0


def _numbered(
    text: str, bounds: Sequence[tuple[int, int]], lines: Container[int]
) -> frozenset[int]:
    """Where the items of numbered lists begin: lines that count 1, 2, ... at one indentation.

    A number at the start of one line only is part of the sentence ("1. Januar 2025"), unless it
    begins a list inside another.
    """
    runs: dict[int, list[list[int]]] = {}
    for start, end in bounds:
        if start in lines and (match := _NUMBER_MARK.match(text, start, end)):
            same = runs.setdefault(_indent(text, start), [])
            if same and int(match[1]) == len(same[-1]) + 1:
                same[-1].append(start)
            elif match[1] == "1":
                same.append([start])
    counted = [indent for indent, same in runs.items() if any(len(run) > 1 for run in same)]
    least = min(counted, default=None)
    return frozenset(
        start
        for indent, same in runs.items()
        for run in same
        for start in run
        if len(run) > 1 or (least is not None and indent > least)
    )


def _plain(text: str, start: int, end: int, marks: regex.Pattern[str] | None) -> str:
    """A sentence on one line, without list marks, heading marks and bold type.

    Args:
        text: All of the reply.
        start: Where the sentence begins.
        end: Where it ends.
        marks: The pattern of what its line may begin with; `None` if it begins no line.
    """
    mark = marks.match(text, start, end) if marks else None
    start = mark.end() if mark else start
    return " ".join(_BOLD.sub(r"\2", text[start:end]).split())
