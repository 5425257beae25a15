"""Lines of a reply that lead into the next one, though a sentence seems to run through both.

A heading, a line in bold type or a few words without a full stop are taken for part of what
follows by whoever looks for sentences; a line that is drawn is part of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from groundedgen.leadwords import breaks_off, is_neutral
from groundedgen.patterns import lazy
from groundedgen.text.amounts import word_count

__all__ = ["BOLD_LINE", "BULLETS", "ROW", "SLANTED_LINE", "Span", "split_leads"]

Span = tuple[int, int]

_LOOKED_AT = 40  # code points of a line, to see how it begins
_TITLE_WORDS = 8  # of a line that is taken for a title though a sentence may run through it

BULLETS: Final = r"*+\u2022\u2023\u25e6\u25aa\u25cf\u00b7"
"""Signs that begin an item of a list and nothing else, for a set of a pattern."""
ROW: Final = "\u2023 "
"""How a row of a table begins that is written as an item; other lists have other signs."""
_MARKED: Final = rf"(?:[>{BULLETS}\u2013-]\s+|\(?\d{{1,3}}[.)]\s+)*+"
BOLD_LINE: Final = lazy(rf"{_MARKED}(\*{{2,3}}|_{{2,3}})(?=\S)[^*_\n]++(?:\1)?[:\uff1a]?(?:\1)?\s*")
SLANTED_LINE: Final = lazy(rf"{_MARKED}([*_])(?=\S)[^*_\n]++\1[:\uff1a]?\s*")
_ITEM_MARK: Final = lazy(r"[> \t]*+(?:[*+\u2022\u2023\u2013-]|\(?\w{1,3}[.)])\s")
# Rules, underlines of headings, fences and what parts the rows of a table.
_RULE: Final = lazy(r"[-*_=~#|:+>`\s\u2013\u2014\u2015\u2500-\u257f]++")
_RUN_IN: Final = lazy(
    r"(?:[-*+\u2022\u2013>]\s+|\(?\d{1,3}[.)]\s+)?(\*\*|__)(?=\S)[^*_\n]{1,120}+"
    r"(?:(?<=[:\uff1a])\1|\1[:\uff1a])[ \t]+(?=\S)"
)
_BREAK: Final = lazy(r"[ \t]*+[\n\r\x0b\x0c\x85\u2028\u2029]+\s*+")


def split_leads(text: str, spans: Sequence[Span]) -> list[Span]:
    r"""Sentences, what leads into one in the line before it or in bold type cut off from it.

    Lines that are drawn ("---") are part of none.

    >>> text = "Not covered:\nFloods by rivers.\n---\n**Covered:** Fire and smoke."
    >>> [text[a:b] for a, b in split_leads(text, [(0, 30), (31, len(text))])]
    ['Not covered:', 'Floods by rivers.', '**Covered:**', 'Fire and smoke.']
    """
    pieces: list[Span] = []
    for start, end in (piece for span in spans for piece in _between_rules(text, *span)):
        begin = start
        for cut, after in _cuts(text, start, end):
            if not is_neutral(text[begin:cut]):
                pieces.append((begin, cut))
                begin = after
        pieces.append((begin, end))
    return pieces


def _between_rules(text: str, start: int, end: int) -> Iterator[Span]:
    """The parts of a sentence that no line without a word cuts in two."""
    begin, stop = start, start
    gaps = [gap.span() for gap in _BREAK.finditer(text, start, end)]
    at = start
    for cut, after in [*gaps, (end, end)]:
        if at < cut and _RULE.fullmatch(text, at, cut):
            if begin < stop:
                yield begin, stop
            begin = stop = after
        else:
            stop = cut
        at = after
    if begin < stop:
        yield begin, stop


def _cuts(text: str, start: int, end: int) -> list[Span]:
    """Where what leads in ends, and where what it leads into begins."""
    cuts = []
    begin = start
    while True:
        found = _RUN_IN.match(text, begin, end) if _begins_line(text, begin) else None
        if found:
            cuts.append((begin + len(found[0].rstrip()), found.end()))
        gap = _BREAK.search(text, begin, end)
        if not gap or gap.end() >= end:
            return cuts
        after = text[gap.end() : min(end, gap.end() + _LOOKED_AT)]
        if _leads_by_itself(text[begin : gap.start()], after):
            cuts.append((gap.start(), gap.end()))
        begin = gap.end()


def _leads_by_itself(line: str, rest: str) -> bool:
    """Whether a line is none that a sentence runs through into the next."""
    if breaks_off(line) or BOLD_LINE.fullmatch(line) or SLANTED_LINE.fullmatch(line):
        return True
    small = _ITEM_MARK.match(rest) is None and next(filter(str.isalnum, rest), "").islower()
    return not small and word_count(line, enough=_TITLE_WORDS + 1) <= _TITLE_WORDS


def _begins_line(text: str, start: int) -> bool:
    line = text[max(0, start - 40) : start].rstrip(" \t")
    return not line or line[-1] in "\n\r\x0b\x0c\x85\u2028\u2029"
