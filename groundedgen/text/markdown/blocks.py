"""Lines of a Markdown text: which are code, which are quoted, where a block begins.

Follows CommonMark as far as that matters here: fences (also open ones, which run to the
end), indented code outside paragraphs and list items, block quotes with lines that go on
without marks, list items that hold any of these. Linear in the length of the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from groundedgen.patterns import lazy

__all__ = ["Line", "lines"]

_LINE = lazy(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_MARKS = lazy(
    r"(?P<lead>[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,4})*+)(?=>)(?:>[ \t]?+(?: {0,3}(?=>))?+)++"
)
_ITEM = lazy(r"[ \t]*([-*+]|[0-9]{1,9}[.)])(?=[ \t]|$)([ \t]*)")
_FENCE = lazy(r"[ \t]*(?:(`{3,})[^`\r\n]*|(~{3,})[^\r\n]*)")
_BLOCK = lazy(r"[ ]{0,3}(?:#{1,6}(?:[ \t]|$)|(?:[-*_][ \t]*){3,}$|[|])")
_NESTED_ITEMS = 8  # "- - - x" on one line; deeper ones are read as text


class Line(NamedTuple):
    """One line, `text[start:end]` with its line break, and what Markdown makes of it.

    Attributes:
        marks: Where its `>` marks begin, behind indentation and list marks.
        body: Where the line's own words begin, behind its `>` marks.
        depth: Number of its `>` marks.
        code: In a fence or on its border, or part of an indented block.
        blank: Nothing stands behind the marks.
        breaks: A new block begins here, so no code span reaches across its start.
        lazy: Without marks of its own it goes on with the quoted paragraph above it.
    """

    start: int
    end: int
    marks: int
    body: int
    depth: int
    code: bool
    blank: bool
    breaks: bool
    lazy: bool


@dataclass(slots=True)
class _State:
    """What the lines so far say about the next one."""

    fence: str = ""
    fence_indent: int = 0
    fence_depth: int = 0
    depth: int = 0
    in_paragraph: bool = False
    after_blank: bool = True
    # Where the content of the open list items begins: here, and outside of all quotes.
    offsets: list[int] = field(default_factory=list)
    outer: list[int] = field(default_factory=list)


def lines(text: str) -> list[Line]:
    r"""Cut a text into lines and say which are code.

    >>> [(line.depth, line.code, line.lazy) for line in lines("> so\non\n\n    x = 1\n")]
    [(1, False, False), (0, False, True), (0, False, False), (0, True, False)]
    """
    state = _State()
    state.offsets = state.outer
    return [_line(text, m.start(), m.end(), state) for m in _LINE.finditer(text)]


def _line(text: str, start: int, end: int, state: _State) -> Line:
    marks, body = _quote_marks(text, start, end, state)
    depth = text.count(">", marks, body)
    content = text[body:end].rstrip("\r\n")
    if state.fence:
        if depth >= state.fence_depth:
            _in_fence(content, state)
            return Line(start, end, marks, body, depth, True, not content.strip(), False, False)
        state.fence = ""
    if not content.strip():
        state.in_paragraph = False
        breaks = _requote(depth, state)
        state.after_blank = True
        return Line(start, end, marks, body, depth, False, True, breaks, False)
    lazy = depth < state.depth and state.in_paragraph and not _begins_block(content)
    breaks = not lazy and _requote(depth, state)
    code, began = _outside(content, depth, state)
    return Line(start, end, marks, body, depth, code, False, breaks or began, lazy)


def _quote_marks(text: str, start: int, end: int, state: _State) -> tuple[int, int]:
    """Where the `>` marks of a line begin and end; twice `start` when it has none."""
    # Inside an unquoted fence a ">" is code.
    found = None if state.fence and not state.fence_depth else _MARKS.match(text, start, end)
    if found is None:
        return start, start
    lead = found["lead"]
    base = state.outer[-1] if state.outer else 0
    indent = _indent(lead)
    if indent >= 4 and not base <= indent <= base + 3:
        return start, start
    if lead.strip():  # a list item that begins with a quote
        state.outer.append(len(lead.expandtabs(4)))
    return start + len(lead), found.end()


def _begins_block(content: str) -> bool:
    """Whether a line cannot go on with a paragraph."""
    return bool(_ITEM.match(content) or _FENCE.fullmatch(content) or _BLOCK.match(content))


def _requote(depth: int, state: _State) -> bool:
    """Enter or leave quotes; true when that begins a new block."""
    if depth == state.depth:
        return False
    state.depth, state.after_blank, state.in_paragraph = depth, True, False
    state.offsets = [] if depth else state.outer
    return True


def _in_fence(content: str, state: _State) -> None:
    bare = content.strip()
    closes = len(bare) >= len(state.fence) and not bare.strip(state.fence[0])
    if closes and _indent(content) <= state.fence_indent + 3:
        state.fence, state.in_paragraph, state.after_blank = "", False, False


def _outside(content: str, depth: int, state: _State) -> tuple[bool, bool]:
    """Take in a line outside fences: whether it is code, and whether a block begins."""
    indent = _indent(content)
    while state.after_blank and state.offsets and indent < state.offsets[-1]:
        state.offsets.pop()
    base = state.offsets[-1] if state.offsets else 0
    state.after_blank = False
    fresh = not state.in_paragraph
    if indent >= base + 4 and fresh:
        return True, True
    rest, indent, began = _items(content, indent, state)
    if fence := _FENCE.fullmatch(rest):
        state.fence, state.fence_indent, state.fence_depth = fence[1] or fence[2], indent, depth
        return True, True
    special = _BLOCK.match(rest) is not None
    state.in_paragraph = not special and bool(rest.strip())
    return False, began or special or fresh


def _items(content: str, indent: int, state: _State) -> tuple[str, int, bool]:
    """Step behind the list marks at the start of a line: the rest, its indent, any marks."""
    began = False
    for _ in range(_NESTED_ITEMS):
        match = _ITEM.match(content)
        if match is None:
            break
        if not began:
            while state.offsets and indent < state.offsets[-1]:
                state.offsets.pop()
        gap = len(match[2].expandtabs(4))
        indent += len(match[1]) + (gap if 1 <= gap <= 4 else 1)
        state.offsets.append(indent)
        began, content = True, content[match.end() :]
    return content, indent, began


def _indent(content: str) -> int:
    lead = content[: len(content) - len(content.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)
