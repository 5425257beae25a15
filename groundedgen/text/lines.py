"""What the lines of a text say about its structure: where no sentence can run on.

Extracted text is broken into lines by width, and typed text by meaning. A break counts
only where a list item, a heading, a table row or a paragraph begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from groundedgen.patterns import lazy

__all__ = ["BLANK_LINE", "HEADING", "MARKER", "ONLY_MARKER", "blocks", "is_labelled", "is_rule"]

_BULLET: Final = (
    r"[-*+\u2022\u2023\u25e6\u25aa\u25ab\u25cf\u25cb\u25a0\u25a1\u2013\u2014\u00b7\uf0b7]"
)
_NUMBER: Final = (
    r"\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[A-Za-z]|[ivxIVX]{2,5})[.)]"
    r"|\d{1,3}(?:\.\d{1,3}){1,4}|[A-Z](?:\.\d{1,3}){1,4}[.)]?"
)
MARKER: Final = lazy(rf"\s*(?:(?P<bullet>{_BULLET})|(?P<number>{_NUMBER}))(?=[ \t\u00a0])")
_CLAUSE_LABEL: Final = lazy(
    r"(?:[A-Z](?:\.\d{1,3}){1,4}[.)]?"
    r"|(?P<dress>[*_]{0,3})(?:(?:please\s+)?note|n\.?b\.?|important)(?:(?P=dress):|:(?P=dress)))\s+",
    regex.IGNORECASE,
)
BLANK_LINE: Final = lazy(r"(?<![^\S\n])[^\S\n]*+\n[^\S\n]*+\n")
"""What ends a paragraph, from the blanks behind its last line on; of CRLF lines too."""
HEADING: Final = lazy(r"\s*#{1,6}(?=[ \t])")
"""The mark of a Markdown heading; its words follow."""
ONLY_MARKER: Final = lazy(rf"\s*(?:{_BULLET}|{_NUMBER})\s*")
_ENDED: Final = lazy(r"[.!?:;\u2026\u3002\uff01\uff1f\u0964\u061f][\p{Pf}\p{Pe}\"'*_]*\s*$")
_LISTED: Final = lazy(r"(?:[.!?:;,\u2026\u3002\u2014]|\b(?:and|or|und|oder|et|ou|y|o))\W{0,3}\s*$")
_OPEN_ENDED: Final = lazy(
    r"(?:[,\-\u2013\u2014/&(]|\b(?:a|an|the|of|in|on|at|to|by|for|from|with|and|or|not|no|is|are|was|may"
    r"|must|shall|will|if|when|that|which|who|as|than|der|die|das|des|von|und|oder|de|la|le|du|et|del|el))\s*$",
    regex.IGNORECASE,
)
_RULE: Final = lazy(r"\s*+(?=[^|]*\|)(?:\|\s*+)?:?-+:?\s*+(?:\|\s*+(?::?-+:?\s*+|\Z))*+")
_TAIL: Final = 40  # code points of a line's end that are looked at


@dataclass(slots=True)
class _Paragraph:
    """Lines between blank lines: where each begins, its text without outer blanks."""

    starts: list[int]
    lines: list[str]


def _paragraphs(text: str) -> list[_Paragraph]:
    result: list[_Paragraph] = []
    start, fresh = 0, True
    for raw in text.splitlines(keepends=True):
        line = raw.strip()
        if line:
            if fresh:
                result.append(_Paragraph([], []))
            result[-1].starts.append(start)
            result[-1].lines.append(line)
        fresh = not line
        start += len(raw)
    return result


def blocks(text: str) -> list[tuple[int, int]]:
    r"""Runs of lines that a sentence may run through, as bounds that cover the text.

    >>> text = "Covered\n\n- fire\n- theft of\n  tools\nSee the\nlist."
    >>> [text[a:b] for a, b in blocks(text)]
    ['Covered\n\n', '- fire\n', '- theft of\n  tools\nSee the\nlist.']
    >>> blocks("One line. Two sentences."), blocks("")
    ([(0, 24)], [(0, 0)])
    """
    starts, kind, previous = [0], "", ""
    for paragraph in _paragraphs(text):
        width = max(map(len, paragraph.lines))
        after_blank = True
        following = [*paragraph.lines[1:], ""]
        for start, line, after in zip(paragraph.starts, paragraph.lines, following, strict=True):
            if not previous:
                kind = _kind(line)
            elif _ends_block(_Seam(previous, line, after, width, after_blank), kind):
                starts.append(start)
                kind = _kind(line)
            previous, after_blank = line, False
    return list(pairwise([*starts, len(text)]))


def is_rule(line: str) -> bool:
    """Whether a line is what stands between the head of a Markdown table and its rows.

    >>> is_rule("|---|:--:|"), is_rule("--- | ---"), is_rule("| - | 5 |"), is_rule("---")
    (True, True, False, False)
    """
    return _RULE.fullmatch(line) is not None


def is_labelled(text: str, start: int, sentence: int) -> bool:
    """Whether only the number of a clause, or "Note:", stands between `start` and a sentence.

    "1." and "(a)" begin items of lists as well, which may hang from what leads into them, and "3.3"
    may be an amount.

    >>> is_labelled("B.3 Fire is covered.", 0, 4), is_labelled("Note: Fire is covered.", 0, 6)
    (True, True)
    >>> is_labelled("Ice or fire is covered.", 0, 4), is_labelled("(a) Fire.", 0, 4)
    (False, False)
    """
    begins = text[sentence : sentence + 1]
    return begins.isupper() and _CLAUSE_LABEL.fullmatch(text, start, sentence) is not None


def _kind(line: str) -> str:
    """What sort of list marker a line starts with: "" for none."""
    found = MARKER.match(line)
    return "" if not found else found["bullet"] or "number"


@dataclass(frozen=True, slots=True)
class _Seam:
    """Two lines and what decides whether a sentence runs on from one into the other."""

    previous: str
    line: str
    following: str
    width: int  # of the widest line of the paragraph, in code points
    after_blank: bool


def _ends_block(seam: _Seam, kind: str) -> bool:
    """Whether a sentence that ran through the first line cannot go on in the second.

    `kind` is the list marker with which the block began.
    """
    if _is_row(seam.previous, seam.line) or _is_heading(seam.previous, seam.line):
        return True
    tail = seam.previous[-_TAIL:]
    marker = _kind(seam.line)
    if marker and (
        seam.after_blank or marker in (kind, _kind(seam.following)) or _LISTED.search(tail)
    ):
        return True
    runs_on = _starts_small(seam.line)
    if seam.after_blank:
        # An extractor's page break stands in mid-sentence: no stop before it, no capital after.
        return not runs_on or _ENDED.search(tail) is not None
    return not runs_on and not marker and _is_deliberate(seam)


def _is_heading(*lines: str) -> bool:
    return any(line[0] == "#" and line.lstrip("#")[:1].isspace() for line in lines)


def _is_row(*lines: str) -> bool:
    return any(line[0] == "|" or line.count(" | ") >= 2 for line in lines)


def _starts_small(line: str) -> bool:
    return next((c for c in line[:_TAIL] if c.isalnum()), "").islower()


def _is_deliberate(seam: _Seam) -> bool:
    """Whether a line was broken on purpose: its successor's first word would have fitted.

    That tells a heading or a line of an address from a wrapped line without a layout.
    """
    tail = seam.previous[-_TAIL:]
    if _ENDED.search(tail) or _OPEN_ENDED.search(tail):
        return False
    used = len(seam.previous) + 1 + len(seam.line.split(None, 1)[0])
    return used <= min(0.7 * seam.width, seam.width - 8)
