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

from groundedgen.leadlines import BOLD_LINE, BULLETS, ROW, SLANTED_LINE, Span, split_leads
from groundedgen.leadwords import (
    announces,
    asks,
    goes_on,
    is_clause,
    is_joined,
    is_limiting,
    is_neutral,
    is_topic,
    is_whole,
    turns,
)
from groundedgen.patterns import lazy

__all__ = ["BULLETS", "ROW", "Line", "find_leads", "split_leads"]

_HASHES: Final = lazy(r"#{1,6}(?=\s)")
# What parts the head of a table from its rows.
_TABLE_RULE: Final = lazy(r"[\n\r][ \t>]*+\|?[ \t]*+:?-[-:| \t]*+[\n\r]")
_LINE_END: Final = lazy(r"[ \t]*+(?:[\n\r\x0b\x0c\x85\u2028\u2029]|\Z)")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a reply, as far as it matters for what hangs from what.

    Attributes:
        plain: Its text without marks.
        listed: It has a list mark.
        begins: It begins a line.
        cited: It has a source of its own.
        stopped: It ends in a full stop, or in what closes behind one.
        indent: Columns before its list mark or first word, if it begins a line.
        apart: A blank line stands before it.
        tabled: It was the row of a table, and is written as an item, see `leadlines.ROW`.
    """

    plain: str = field(repr=False)
    listed: bool
    begins: bool
    cited: bool
    stopped: bool
    indent: int = 0
    apart: bool = False
    tabled: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is known to say something alone."""
        return is_whole(self.plain)

    @property
    def row(self) -> bool:
        """Whether it is the row of a table."""
        return self.plain.startswith("|")


# Levels of what leads in, below those of headings.
_BOLD, _PLAIN, _OPEN, _ITEM = 7, 8, 9, 10


@dataclass(slots=True)
class _Scope:
    """What a lead governs: all that follows, until something of its level or above ends it."""

    place: int
    level: int
    goes_on: bool
    line: Line
    runs_in: bool
    labels: bool = False  # a topic in front of a paragraph, which is all that it governs
    first: Line | None = None
    nests: int = 0  # the level of a lead that was the first thing below this one

    def governs(self, line: Line) -> bool:
        """Whether a sentence below it is not to be read without it."""
        if self.goes_on:  # items of a list are alike: after a fragment, a sentence is none
            odd = self.first is not None and not self.first.whole and not line.listed
            part = self.level == _ITEM or line.indent > self.line.indent
            return part or not (odd and line.whole and not is_clause(self.line.plain))
        if not line.whole:
            return True
        listed = line.listed and announces(self.line.plain)
        return (listed or not self.line.stopped) and is_limiting(self.line.plain)

    def ends_before(self, line: Line) -> bool:
        """Whether a line stands behind the list, the table or the item that it governs."""
        if not line.begins:
            return False
        if (self.line.row and not line.row) or (self.labels and line.apart):
            return True
        if self._is_below_list(line):
            return True
        if self.level == _ITEM and line.indent > self.line.indent:
            return False
        if self.level == _ITEM and self._is_left(line):
            return True
        if line.listed or self.runs_in:
            return not line.listed
        if self.first is None or not self.first.listed or line.indent > self.first.indent:
            return False
        # In doubt an item without a mark.
        piece = line.cited and not (line.stopped or line.whole)
        return not piece and (self.goes_on or self.level in {_PLAIN, _ITEM})

    def _is_below_list(self, line: Line) -> bool:
        """Whether a table begins here, behind the list that it governs."""
        listed = self.first is not None and self.first.listed and not self.first.tabled
        return listed and line.tabled and line.apart and self.level >= _PLAIN

    def is_beside(self, other: _Scope) -> bool:
        """Whether both are items of the same list."""
        same = self.level == other.level == _ITEM
        return same and self.line.indent == other.line.indent

    def _is_left(self, line: Line) -> bool:
        """Whether a line is no part of this item: beside it, where its own parts stand below it."""
        if self.first is None:
            return False
        below = self.first.indent > self.line.indent or self.first.listed < line.listed
        return below or line.indent < self.line.indent


def find_leads(
    text: str, spans: Sequence[Span], lines: Sequence[Line], alone: Container[int] = ()
) -> tuple[list[int | None], frozenset[int]]:
    r"""For each sentence what it hangs from, and those that lead in by their form.

    No sentence hangs from one that cites something, unless that is a lead by its own marks.

    Args:
        text: All of the reply.
        spans: Bounds of its sentences, as `split_leads` gives them.
        lines: The same sentences.
        alone: Indices of those that hang from nothing.

    Returns:
        Indices into `spans`, or `None` for what hangs from nothing; and the indices of leads,
        also of those that nothing hangs from.

    >>> text = "Not covered:\n\nDamage by floods.\n\nDamage by war."
    >>> spans = [(0, 12), (14, 31), (33, 47)]
    >>> lines = [Line(text[a:b], False, True, a > 0, a > 0) for a, b in spans]
    >>> find_leads(text, spans, lines)
    ([None, 0, 0], frozenset({0}))
    """
    scopes: list[_Scope] = []
    leads: list[int | None] = []
    leading: set[int] = set()
    for place, line in enumerate(lines):
        scopes = [scope for scope in scopes if not scope.ends_before(line)]
        opened = None if place in alone else _opened(text, spans, place, lines, scopes)
        neutral = opened is not None and is_neutral(line.plain)
        if opened and not (neutral and opened.level >= _BOLD):
            scopes = _above(scopes, opened)
        governing = (scope.place for scope in reversed(scopes) if scope.governs(line))
        leads.append(None if place in alone else next(governing, None))
        if scopes and scopes[-1].first is None:
            scopes[-1].first = line
        if opened and place + 1 < len(lines):
            leading.add(place)
            scopes += [] if neutral else [opened]
    return leads, frozenset(leading)


def _above(scopes: list[_Scope], opened: _Scope) -> list[_Scope]:
    """The scopes that a lead does not end.

    The first thing below "Not covered" hangs from it, whatever it is, and so do others like it.
    """
    if opened.level == _ITEM:  # an item in a colon may hold those behind it, whatever stands there
        return [scope for scope in scopes if scope.goes_on or not scope.is_beside(opened)]
    last = scopes[-1] if scopes else None
    if last and min(last.level, opened.level) >= _BOLD:
        beside = any(scope.nests == opened.level for scope in scopes[:-1])
        held = last.goes_on or not (last.line.cited or (beside and not turns(last.line.plain)))
        first = last.first is None and held
        if first or (last.goes_on and opened.level == _PLAIN):
            last.nests = opened.level
    kept = [
        n
        for n, scope in enumerate(scopes, 1)
        if scope.nests == opened.level
        or (scope.level == _ITEM and scope.line.indent < opened.line.indent)
    ]
    return scopes[: kept[-1]] if kept else [s for s in scopes if s.level < opened.level]


def _opened(
    text: str, spans: Sequence[Span], place: int, lines: Sequence[Line], scopes: Sequence[_Scope]
) -> _Scope | None:
    """What a sentence leads into, if it does."""
    line, (start, end) = lines[place], spans[place]
    below = lines[place + 1] if place + 1 < len(lines) else None
    ends_line = _LINE_END.match(text, end) is not None
    among = line.listed or any(scope.goes_on for scope in scopes[-1:])
    continued = goes_on(line.plain) and not ((among or line.cited) and is_joined(line.plain))
    level = _level(text, start, end, line) if ends_line and line.begins else 0
    if continued:
        level = level or _OPEN
    elif not level:
        heads = below is not None and _heads(text[end : spans[place + 1][0]], line, below)
        if below and line.cited:  # among others that cite, unless it stands over a list of such
            under = any(scope.level >= _PLAIN for scope in scopes)
            heads = heads and below.cited and not (under or line.listed or line.row)
        level = _PLAIN if _is_title(line, ends_line=ends_line, heads=heads, among=among) else 0
    if not level:
        return None
    level = _ITEM if line.listed and level >= _BOLD else level
    bold = line.begins and not ends_line and BOLD_LINE.fullmatch(text, start, end) is not None
    labels = bold and is_topic(line.plain)
    return _Scope(place, level, continued, line, continued and not ends_line, labels)


def _level(text: str, start: int, end: int, line: Line) -> int:
    if hashes := _HASHES.match(text, start, end):
        return hashes.end() - start
    if line.cited:
        bold = not line.whole and not line.stopped and BOLD_LINE.fullmatch(text, start, end)
    else:
        bold = BOLD_LINE.fullmatch(text, start, end) or SLANTED_LINE.fullmatch(text, start, end)
    return _BOLD if bold else 0


def _heads(gap: str, line: Line, below: Line) -> bool:
    """Whether the next line stands below a line by its form: marked, indented or in its table.

    Args:
        gap: What stands between the two.
        line: The upper one.
        below: The lower one.
    """
    if not below.begins:
        return False
    if line.row and _TABLE_RULE.search(gap):
        return True
    if below.listed and not line.listed:
        return below.indent >= line.indent
    lazy_part = line.listed and not below.listed and gap.count("\n") == 1
    return lazy_part or below.indent > line.indent


def _is_title(line: Line, *, ends_line: bool, heads: bool, among: bool) -> bool:
    """Whether a line without marks stands above others rather than among them."""
    if line.cited:
        return heads and ends_line and not line.stopped
    if line.stopped:
        over_list = heads and turns(line.plain)
        return not among and (asks(line.plain) or over_list or announces(line.plain))
    return ends_line and (heads or not line.listed or turns(line.plain))
