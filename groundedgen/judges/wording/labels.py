"""Lines with labels in a row: "CHAPS: the same day" over "SEPA: the next working day".

What a line says it says of its label. A claim that names one label may not take its words from
the lines of the others, nor leave out the condition that stands on its own line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.judges.wording.lexwords import is_content, tokens
from groundedgen.patterns import lazy
from groundedgen.text.english.kinship import key
from groundedgen.text.lines import MARKER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Rows", "mislabelled", "rows"]

_LONG: Final = 160  # code points of a line; what is longer tells more than its label names
_PIECE: Final = lazy(r"\n|;\s")
_PART: Final = lazy(r"[,;.]\s")
_LABEL: Final = lazy(
    r"(?:[^:\n]{1,40}:[^\S\n]+)?[\s*_]*"
    r"(?P<label>(?:[^\s:.!?;,|]+[^\S\n]+){0,4}[^\s:.!?;,|]+)[*_]*:[*_]*[^\S\n]+(?=\S)"
)
_CONDITIONS: Final = frozenset(
    ["if", "unless", "provided", "only", "until", "when", "once", "where"]
)
# Small words that tell one line from another.
_TELLING: Final = frozenset(["same", "next", "no", "not", "one", "first", "last"])


class _Row(NamedTuple):
    """A line: the keys of its label, those of its other words, and the same of each part."""

    label: frozenset[str]
    said: frozenset[str]
    parts: tuple[tuple[frozenset[str], bool], ...]


class Rows(NamedTuple):
    """The lines with labels, and the keys of all other words of the text."""

    lines: tuple[_Row, ...]
    elsewhere: frozenset[str]


def _keys(words: Iterable[str]) -> frozenset[str]:
    return frozenset(key(word) for word in words if is_content(word) or word in _TELLING)


def rows(text: str) -> Rows:
    r"""The lines with labels that stand in a row, with what else the text says.

    >>> [sorted(line.label) for line in rows("CHAPS: the same day\nSEPA: two days").lines]
    [['chap'], ['sepa']]
    >>> rows("Ann: Is it due?\nBob: Yes.\nAnn: Thanks.").lines  # people that speak in turn
    ()
    """
    lines: list[_Row] = []
    others: list[str] = []
    for piece in _PIECE.split(text) if ":" in text else ():
        marker = MARKER.match(piece)
        found = _LABEL.match(piece, marker.end() if marker else 0)
        row = _row(found["label"], piece[found.end() :]) if found else None
        if row is None or len(piece) > _LONG:
            others.append(piece)
        else:
            lines.append(row)
            others.append(piece[: found.start("label")] if found else "")
    labels = [line.label for line in lines]
    if len(lines) < 2 or len(set(labels)) < len(labels):
        return Rows((), frozenset())
    return Rows(tuple(lines), _keys(tokens("\n".join(others))))


def _row(label: str, said: str) -> _Row | None:
    own = _keys(tokens(label))
    words = [tokens(part) for part in _PART.split(said)]
    parts = [(_keys(part), not _CONDITIONS.isdisjoint(part)) for part in words]
    if not own or not any(part for part, _ in parts):
        return None
    return _Row(own, frozenset().union(*(part for part, _ in parts)), tuple(parts))


def mislabelled(claim: str, found: Rows) -> str:
    r"""Why a claim that names a label does not say what stands behind it; "" where it may.

    >>> text = "CHAPS: the same day if you call\nSEPA: the next day"
    >>> mislabelled("SEPA takes the next day.", rows(text))
    ''
    >>> bool(mislabelled("SEPA takes the same day.", rows(text)))
    True
    >>> bool(mislabelled("CHAPS takes the same day.", rows(text)))
    True
    """
    if not found.lines:
        return ""
    words = tokens(claim)
    said = _keys(words)
    own = [line for line in found.lines if line.label <= said]
    if not own:
        return ""
    alien = _alien(_keys(tokens(_without_names(claim))), own, found)
    if alien:
        return f'The passage says "{alien[0]}" behind another label.'
    if _CONDITIONS.isdisjoint(words) and any(_drops_condition(said, line) for line in own):
        return "The passage says so behind that label under a condition."
    return ""


def _without_names(claim: str) -> str:
    """A claim without its capitalised words: what a name stands beside is not what a line says."""
    return " ".join(word for word in claim.split() if not word[0].isupper())


def _alien(said: frozenset[str], own: Sequence[_Row], found: Rows) -> list[str]:
    """The words that stand behind other labels alone."""
    ours = frozenset().union(*(line.label | line.said for line in own), found.elsewhere)
    theirs = frozenset().union(*(line.said for line in found.lines))
    return sorted((said & theirs) - ours)


def _drops_condition(said: frozenset[str], line: _Row) -> bool:
    return any(limited and (said - line.label) & part for part, limited in line.parts)
