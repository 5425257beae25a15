"""What a single character is, where a quote's edges are concerned."""

from __future__ import annotations

import unicodedata

from groundedgen.patterns import compiled
from groundedgen.text.folding.foldtables import UNSPACED, UNSPACED_ASTRAL
from groundedgen.text.folds import Folded

__all__ = [
    "EM_DASHES",
    "LINE_BREAKS",
    "RAISED",
    "is_currency",
    "is_letter",
    "is_unspaced",
    "is_word",
    "original",
]

EM_DASHES = frozenset("—―⸺⸻﹘")
"""Dashes that part clauses even when they touch words on both sides; all others join them."""

LINE_BREAKS = frozenset("\n\r\x0b\x0c\x85\u2028\u2029")

RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Superscript digits: note numbers beside words, exponents beside numbers and units."""

_UNSPACED = compiled(f"[{UNSPACED}]|[{UNSPACED_ASTRAL}]")


def is_word(char: str) -> bool:
    r"""Whether a character is part of a word: letters, digits, marks, and what cannot be read.

    A private-use character may be any letter, except where symbol fonts keep their bullets.

    >>> [is_word(char) for char in ("a", "5", "_", "\u0301", "\ue000", "\uf0b7", "-", " ")]
    [True, True, True, True, True, False, False, False]
    """
    if char.isalnum() or char == "_":
        return True
    if char.isascii():
        return False
    kind = unicodedata.category(char)
    return kind[0] == "M" or char == "\ufffd" or (kind == "Co" and not "\uf000" <= char <= "\uf0ff")


def is_letter(char: str) -> bool:
    """Whether a character is a letter or a mark that belongs to one."""
    return char.isalpha() or unicodedata.category(char)[0] == "M"


def is_unspaced(char: str) -> bool:
    """Whether a character belongs to a script that is written without blanks.

    >>> [is_unspaced(char) for char in "水カกa한"]
    [True, True, True, False, False]
    """
    return _UNSPACED.match(char) is not None


def is_currency(char: str) -> bool:
    """Whether a character is a currency sign."""
    return unicodedata.category(char) == "Sc"


def original(folded: Folded, at: int) -> str:
    """The first original character that folded to the one at `at`."""
    return folded.source[folded.origin(at, at + 1)[0]]
