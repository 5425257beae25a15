"""Tables of a reply as lists, each row an item that says which column its words stand in.

A cell alone can mean the opposite of its column: "floods" under "Not covered". So a row becomes
"Peril: floods; Covered: no". A cell that is a sentence and repeats the name of its row needs none
of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from groundedgen.leadlines import ROW
from groundedgen.leadwords import is_whole, turns
from groundedgen.patterns import lazy
from groundedgen.text.lines import is_rule
from groundedgen.text.markdown.regions import code_spans
from groundedgen.text.markdown.tables import cells

__all__ = ["needs_no_label", "untabled"]

_BAR: Final = lazy(r"(?<!\\)\|")
_WORD: Final = lazy(r"[\p{L}\p{N}]+")
_MARKER: Final = lazy(r"[\[\u3010][^\[\]\u3010\u3011]{1,60}[\]\u3011]")
_FEW: Final = 3  # words of a label
_ENDING: Final = 4  # letters of a word that are enough to know it by, its ending aside


def untabled(text: str) -> str:
    r"""The text with its tables as lists.

    >>> table = "| Peril | Covered |\n|---|---|\n| Floods | No [1] |\n"
    >>> untabled(table)
    '\n‣ Peril: Floods; Covered: No [1] \n\n'
    >>> untabled("a | b")
    'a | b'
    """
    if "|" not in text:
        return text
    code = code_spans(text)
    pieces: list[str] = []
    head: Sequence[str] | None = None
    at = 0
    split = text.splitlines(keepends=True)
    for number, line in enumerate(split):
        below = split[number + 1] if number + 1 < len(split) else ""
        barred = _BAR.search(line) is not None and not code.cover(at)
        at += len(line)
        if head is None and barred and "|" in below and is_rule(below.rstrip("\n")):
            head = cells(line)
            pieces.append("\n")
        elif head is not None and barred:
            pieces += [] if is_rule(line.rstrip("\n")) else _row(head, cells(line))
        else:
            pieces += [line] if head is None else ["\n", line]
            head = None
    return "".join([*pieces, "\n"] if head is not None else pieces)


def _row(head: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """A row as items: one for each cell that says all of it alone, one for the others."""
    filled = [(head[n] if n < len(head) else "", cell) for n, cell in enumerate(cells) if cell]
    marks = "".join(cell for _, cell in filled if not _bare(cell))
    named = [(title, cell) for title, cell in filled if _bare(cell)]
    label = named[0][1] if named else ""
    alone = [
        cell
        for title, cell in named[1:]
        if (marks or _MARKER.search(cell))
        and not turns(title)
        and needs_no_label(label, _bare(cell))
    ]
    yield from (f"{ROW}{cell} {marks}\n" for cell in alone)
    rest = [(title, cell) for title, cell in named if cell not in alone]
    if len(rest) > 1 or not alone:
        words = "; ".join(f"{title}: {cell}" if title else cell for title, cell in rest)
        yield f"{ROW}{words} {marks}\n"


def _bare(cell: str) -> str:
    return _MARKER.sub("", cell).strip().lstrip("*_")


def needs_no_label(label: str, sentence: str) -> bool:
    """Whether a sentence says for itself what a label before it says.

    >>> needs_no_label("Appeals:", "You may appeal a refusal within 30 days.")
    True
    >>> needs_no_label("Floods:", "The damage is covered."), needs_no_label("Fire:", "no fire")
    (False, False)
    """
    words = [word.casefold() for word in _WORD.findall(label)]
    said = {word.casefold() for word in _WORD.findall(sentence)}
    if turns(label) or not 0 < len(words) <= _FEW or not is_whole(sentence):
        return False
    return all(_is_said(word, said) for word in words)


def _is_said(word: str, said: set[str]) -> bool:
    stem = word.removesuffix("s")
    return word in said or (len(stem) >= _ENDING and (stem in said or f"{stem}s" in said))
