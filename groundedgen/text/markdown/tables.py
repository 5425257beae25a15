"""Tables of Markdown: their heads, their rows, and the cells of a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from groundedgen.patterns import lazy
from groundedgen.text.lines import is_rule

__all__ = ["Row", "Table", "cells", "tables"]

_BAR: Final = lazy(r"(?<!\\)\|")


class Row(NamedTuple):
    """One line of a table: its half-open bounds in the text, and its cells."""

    start: int
    end: int
    cells: tuple[str, ...]


class Table(NamedTuple):
    """The names of the columns, and the rows below them."""

    head: Row
    rows: tuple[Row, ...]


def cells(line: str) -> tuple[str, ...]:
    r"""The cells of a line, without the blanks round them.

    >>> cells("| Fire | 500 euros |"), cells("Fire | a \\| b")
    (('Fire', '500 euros'), ('Fire', 'a \\| b'))
    """
    found = [cell.strip() for cell in _BAR.split(line.strip())]
    if found and not found[0]:
        del found[0]
    return tuple(found[:-1] if found and not found[-1] else found)


def tables(text: str) -> Iterator[Table]:
    r"""The tables of a text, in order: a line with bars, a rule below it, and what follows.

    >>> [table] = tables("Limits:\n\n| Cover | Limit |\n|---|---|\n| Fire | 500 |\n\nEnd.")
    >>> table.head.cells, [row.cells for row in table.rows]
    (('Cover', 'Limit'), [('Fire', '500')])
    """
    if "|" not in text:
        return
    head: Row | None = None
    above: Row | None = None
    rows: list[Row] = []
    at = 0
    for line in text.splitlines(keepends=True):
        own = Row(at, at + len(line.rstrip()), cells(line)) if _BAR.search(line) else None
        if own is None or (head is not None and is_rule(line.rstrip())):
            if head is not None and own is None:
                yield Table(head, tuple(rows))
                head, rows = None, []
        elif head is not None:
            rows.append(own)
        elif above is not None and is_rule(line.rstrip()):
            head = above
        above = own
        at += len(line)
    if head is not None:
        yield Table(head, tuple(rows))
