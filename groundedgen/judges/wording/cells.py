"""What a claim says out of a table stands in the row and the column that it names.

Word by word the row of another tariff is as close as the right one, and the figure of another
column is in the same line. So each figure of the claim has to stand in a cell whose row the claim
names, and under the head that it comes closest to. In doubt a table proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundedgen.patterns import lazy
from groundedgen.text.markdown.tables import Table, tables
from groundedgen.text.tokens import stem

__all__ = ["misreads_table"]

_FIGURE: Final = lazy(r"\d+(?:[.,\u202f\u00a0 ]\d{3}(?!\d))*(?:[.,]\d+)?")
_WORD: Final = lazy(r"[\p{L}\p{M}]+|\d+")
_SIGNS: Final = lazy(r"[,\u202f\u00a0 ]")


def misreads_table(claim: str, passage: str, closest: Sequence[tuple[int, int]]) -> bool:
    r"""Whether a claim rests on a table of the passage that does not plainly say it.

    Args:
        claim: One sentence or a few.
        passage: With tables in Markdown.
        closest: The bounds of its sentences that share about most with the claim.

    >>> table = "| Plan | Fee | Limit |\n|---|---|---|\n| Basic | 5 | 100 |\n| Plus | 9 | 200 |"
    >>> rows = [(40, 57), (58, 74)]
    >>> [misreads_table(claim, table, rows) for claim in
    ...     ("The fee of Plus is 9.", "The fee of Plus is 5.", "The fee of Plus is 200.")]
    [False, True, True]
    """
    found = [_Read.of(table) for table in tables(passage)]
    if not found:
        return False
    figures = set(_figures(claim))
    outside = set(_figures(_without(passage, found)))
    resting = [read for read in found if read.holds(closest)]
    tabled = {figure for read in found for figure in read.figures()}
    doubtful = (figures - outside) & tabled
    if not doubtful and not (resting and all(_in_any(span, resting) for span in closest)):
        return False
    words = _words(claim)
    return not any(read.says(words, figures) for read in found)


@dataclass(frozen=True, slots=True)
class _Read:
    """A table with the words of its heads and of its rows' names."""

    table: Table
    heads: tuple[frozenset[str], ...]
    names: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, table: Table) -> _Read:
        heads = tuple(_words(cell) for cell in table.head.cells)
        names = tuple(_words(row.cells[0]) for row in table.rows)
        return cls(table, heads, names)

    @property
    def span(self) -> tuple[int, int]:
        lines = (self.table.head, *self.table.rows)
        return lines[0].start, lines[-1].end

    def holds(self, spans: Sequence[tuple[int, int]]) -> bool:
        return any(_in_any(span, [self]) for span in spans)

    def figures(self) -> Iterator[str]:
        for row in self.table.rows:
            for cell in row.cells:
                yield from _figures(cell)

    def says(self, words: Collection[str], figures: set[str]) -> bool:
        """Whether one row that the words name has all figures, under a head that they name."""
        named = [n for n, name in enumerate(self.names) if name and name <= set(words)]
        # "Basic" is named by "Basic Plus" too: only the longest name counts.
        longest = max((len(self.names[n]) for n in named), default=0)
        rows = [self.table.rows[n] for n in named if len(self.names[n]) == longest]
        if len(rows) != 1:
            return False
        cells = rows[0].cells
        under = [cells[n] for n in self._columns(words) if n < len(cells)]
        asked = figures - set(_figures(cells[0]))
        if asked:  # in one cell: which of two columns each figure is of, nothing here tells
            return any(asked <= set(_figures(cell)) for cell in under)
        return any((said := _words(cell)) and said <= set(words) for cell in under)

    def _columns(self, words: Collection[str]) -> list[int]:
        """The columns whose heads the words name most fully, that of the rows' names aside."""
        shares = {
            n: len(head.intersection(words)) / len(head)
            for n, head in enumerate(self.heads)
            if n and head
        }
        most = max(shares.values(), default=0.0)
        return [n for n, share in shares.items() if share and share == most]


def _in_any(span: tuple[int, int], read: Sequence[_Read]) -> bool:
    return any(one.span[0] <= span[0] and span[1] <= one.span[1] for one in read)


def _without(text: str, read: Sequence[_Read]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in (one.span for one in read):
        pieces.append(text[at:start])
        at = end
    return "\n".join([*pieces, text[at:]])


def _words(text: str) -> frozenset[str]:
    """Stems of all words, also of those that mostly carry no content: a plan may be called A."""
    return frozenset(stem(word) for word in _WORD.findall(text.casefold()))


def _figures(text: str) -> Iterator[str]:
    """The figures of a text, without the signs between thousands."""
    for match in _FIGURE.finditer(text):
        yield _SIGNS.sub("", match[0])
