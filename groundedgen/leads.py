"""What leads into a sentence of a reply, without which it could mean the opposite.

"Damage by river floods." under "The policy does not cover:" is no claim of its own, whether it has
a list mark, ends with a full stop, or stands under a heading. What leads in goes with all that
hangs from it; in doubt it does, since a judge who reads one line too many may refuse an honest
statement, and one who reads too little may accept half of one.

A whole sentence under a mere title ("Colours") says for itself what is judged, and needs no title.
That is known of English only.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundedgen.leadwords import (
    announces,
    asks,
    breaks_off,
    goes_on,
    is_clause,
    is_joined,
    is_neutral,
    is_whole,
    turns,
)
from groundedgen.patterns import lazy
from groundedgen.text.amounts import word_count
from groundedgen.text.sentences import lead_in

__all__ = ["Line", "find_leads", "split_leads"]

Span = tuple[int, int]

_LOOKED_AT = 40  # code points of a line, to see how it begins
_TITLE_WORDS = 8  # of a line that is taken for a title though a sentence may run through it

# --- kinds of lines --------------------------------------------------------------------------

_HASHES: Final = lazy(r"#{1,6}(?=\s)")
_BOLD_LINE: Final = lazy(r"(\*\*|__)(?=\S)[^*_\n]++(?:\1)?[:\uff1a]?(?:\1)?\s*")
_RUN_IN: Final = lazy(
    r"(?:[-*+\u2022\u2013>]\s+|\(?\d{1,3}[.)]\s+)?(\*\*|__)(?=\S)[^*_\n]{1,120}+"
    r"(?:(?<=[:\uff1a])\1|\1[:\uff1a])[ \t]+(?=\S)"
)
_LINE_END: Final = lazy(r"[ \t]*+(?:[\n\r\x0b\x0c\x85\u2028\u2029]|\Z)")
_BREAK: Final = lazy(r"[ \t]*+[\n\r\x0b\x0c\x85\u2028\u2029]+\s*+")

# --- lines that a sentence seems to run through ------------------------------------------------


def split_leads(text: str, spans: Sequence[Span]) -> list[Span]:
    r"""Sentences, what leads into one in the line before it or in bold type cut off from it.

    >>> text = "Not covered:\nFloods by rivers.\n**Covered:** Fire and smoke."
    >>> split_leads(text, [(0, 30), (31, 59)])
    [(0, 12), (13, 30), (31, 43), (44, 59)]
    """
    pieces: list[Span] = []
    for start, end in spans:
        begin = start
        for cut, after in _cuts(text, start, end):
            if not is_neutral(text[begin:cut]):
                pieces.append((begin, cut))
                begin = after
        pieces.append((begin, end))
    return pieces


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
    if breaks_off(line) or _BOLD_LINE.fullmatch(line):
        return True
    small = next((c for c in rest if c.isalnum()), "").islower()
    return not small and word_count(line, enough=_TITLE_WORDS + 1) <= _TITLE_WORDS


def _begins_line(text: str, start: int) -> bool:
    line = text[max(0, start - 40) : start].rstrip(" \t")
    return not line or line[-1] in "\n\r\x0b\x0c\x85\u2028\u2029"


# --- what hangs from what ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a reply, as far as it matters for what hangs from what.

    Attributes:
        plain: Its text without marks.
        listed: It has a list mark.
        begins: It begins a line.
        cited: It has a source of its own.
        stopped: It ends in a full stop, or in what closes behind one.
    """

    plain: str = field(repr=False)
    listed: bool
    begins: bool
    cited: bool
    stopped: bool

    @property
    def whole(self) -> bool:
        """Whether it is known to say something alone."""
        return is_whole(self.plain)

    @property
    def fragment(self) -> bool:
        """Whether it is, by its form alone, no sentence."""
        return not (self.stopped and self.plain[:1].isupper())


_BOLD, _PLAIN, _OPEN = 7, 8, 9  # levels of what leads in, below those of headings


@dataclass(slots=True)
class _Scope:
    """What a lead governs: all that follows, until something of its level or above ends it."""

    place: int
    level: int
    goes_on: bool
    line: Line
    runs_in: bool
    first: Line | None = None
    nests: int = 0  # the level of a lead that was the first thing below this one

    def governs(self, line: Line) -> bool:
        """Whether a sentence below it is not to be read without it."""
        if self.goes_on:  # items of a list are alike: after a fragment, a sentence is none
            odd = self.first is not None and not self.first.whole and not line.listed
            return not (odd and line.whole and not is_clause(self.line.plain))
        if self.line.cited or not line.whole:
            return True
        return not self.line.stopped and turns(self.line.plain)

    def ends_before(self, line: Line) -> bool:
        """Whether a line that has no list mark is behind the list that it led into."""
        if line.listed or not line.begins:
            return False
        listed = self.first is not None and self.first.listed
        return self.runs_in or (listed and (self.goes_on or self.level == _PLAIN))


def find_leads(
    text: str, spans: list[Span], lines: Sequence[Line], alone: Container[int] = ()
) -> list[int | None]:
    r"""For each sentence what it hangs from, as an index into `spans`, or `None`.

    Args:
        text: All of the reply.
        spans: Bounds of its sentences, as `split_leads` gives them.
        lines: The same sentences.
        alone: Indices of those that hang from nothing.

    >>> text = "Not covered:\n\nDamage by floods.\n\nDamage by war."
    >>> spans = [(0, 12), (14, 31), (33, 47)]
    >>> lines = [Line(text[a:b], False, True, a > 0, a > 0) for a, b in spans]
    >>> find_leads(text, spans, lines)
    [None, 0, 0]
    """
    scopes: list[_Scope] = []
    leads: list[int | None] = []
    for place, line in enumerate(lines):
        scopes = [scope for scope in scopes if not scope.ends_before(line)]
        opened = None if place in alone else _opened(text, spans, place, line, scopes)
        if opened:
            scopes = _above(scopes, opened)
        leads.append(None if place in alone else _lead(text, spans, place, line, scopes))
        if scopes and scopes[-1].first is None:
            scopes[-1].first = line
        if opened:
            scopes.append(opened)
    return leads


def _lead(
    text: str, spans: list[Span], place: int, line: Line, scopes: Sequence[_Scope]
) -> int | None:
    lead = lead_in(text, spans, place) if line.listed or line.fragment else None
    if lead is not None:
        return lead
    return next((scope.place for scope in reversed(scopes) if scope.governs(line)), None)


def _above(scopes: list[_Scope], opened: _Scope) -> list[_Scope]:
    """The scopes that a lead does not end.

    The first thing below "Not covered:" hangs from it, whatever it is, and so do others like it.
    """
    last = scopes[-1] if scopes else None
    if last and last.goes_on and last.first is None and opened.level >= _BOLD:
        last.nests = opened.level
    kept = [n for n, scope in enumerate(scopes, 1) if scope.nests == opened.level]
    return scopes[: kept[-1]] if kept else [s for s in scopes if s.level < opened.level]


def _opened(
    text: str, spans: Sequence[Span], place: int, line: Line, scopes: Sequence[_Scope]
) -> _Scope | None:
    """What a sentence leads into, if it does."""
    start, end = spans[place]
    ends_line = _LINE_END.match(text, end) is not None
    continued = goes_on(line.plain) and not (_is_item(line, scopes) and is_joined(line.plain))
    level = _level(text, start, end, ends_line=ends_line and line.begins)
    if continued:
        level = level or _OPEN
    elif not level and _is_title(line, ends_line=ends_line, scopes=scopes):
        level = _PLAIN
    if not level or is_neutral(line.plain) or place + 1 == len(spans):
        return None
    return _Scope(place, level, continued, line, continued and not ends_line)


def _is_item(line: Line, scopes: Sequence[_Scope]) -> bool:
    """Whether a line stands in a list, with marks or without."""
    return line.listed or any(scope.goes_on for scope in scopes[-1:])


def _level(text: str, start: int, end: int, *, ends_line: bool) -> int:
    if hashes := _HASHES.match(text, start, end):
        return hashes.end() - start
    return _BOLD if ends_line and _BOLD_LINE.fullmatch(text, start, end) else 0


def _is_title(line: Line, *, ends_line: bool, scopes: Sequence[_Scope]) -> bool:
    """Whether a line without marks stands above others rather than among them."""
    if _is_item(line, scopes):
        return False
    if asks(line.plain):
        return True
    if line.stopped:
        return not line.cited and announces(line.plain)
    return line.begins and ends_line and not (line.cited and line.whole)
