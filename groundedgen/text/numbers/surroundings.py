"""What the words and signs round a number make of it: a fall, a bound, an hour, a count."""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from typing import Final

from groundedgen.text.numbers.heads import word_before
from groundedgen.text.numbers.quantity import Numeral
from groundedgen.text.numbers.scanning import NOUN

__all__ = ["bound", "falls", "is_clock_place", "noun", "same_bound"]

# "Fell by 5%" and "a loss of 5" state a number below zero; "fell to 5%" does not.
_FELL: Final = frozenset(
    "fell fall falls falling dropped drop drops declined declines decreased decreases lost lower "
    "down shrank "
    "shrinks reduced sank slipped contracted".split()
)
_LOSS: Final = frozenset(
    "loss losses decrease decline reduction deficit shortfall outflow drop fall".split()
)
_AFTER_FELL: Final = frozenset(
    "by of about almost nearly around roughly approximately net a an some another".split()
)
_AFTER_LOSS: Final = _AFTER_FELL | frozenset(
    "was were is per share in to at amounted totaled totalled stood came for the year".split()
)
_CLOCK_WORDS: Final = frozenset(
    "at from to until till by between and before after past since um ab bis à de desde a".split()
)
_DASHES: Final = frozenset("-–—")
_BOUNDS: Final = {"<": "<", "≤": "<", "⩽": "<", "≦": "<", ">": ">", "≥": ">", "⩾": ">", "≧": ">"}
_WORDS_BACK: Final = 8


def bound(text: str, start: int) -> str:
    """The sign of comparison before a number: "<", ">", or ""."""
    before = text[max(0, start - 4) : start].rstrip(" \xa0=\u202f")[-1:]
    return _BOUNDS.get(before, "")


def same_bound(claimed: str, held: str) -> bool:
    """Whether two comparisons do not look in opposite directions; one may be left out."""
    return not claimed or not held or claimed == held


def is_clock_place(text: str, start: int) -> bool:
    """Whether the word before a bare number can put an hour there: at 9, from 9 to 5."""
    return (
        word_before(text, start)[0].casefold() in _CLOCK_WORDS or text[start - 1 : start] in _DASHES
    )


def noun(text: str, numeral: Numeral) -> str:
    """The word after a number, in the singular as far as an s tells."""
    match = NOUN.match(text, numeral.whole_end)
    word = match[1].casefold() if match else ""
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def falls(text: str, start: int) -> bool:
    """Whether the words before a number state that it is a loss or a fall."""
    only_small_words = True
    for _ in range(_WORDS_BACK):
        word, start, _ = word_before(text, start)
        low = word.casefold()
        if low in _LOSS or (only_small_words and low in _FELL):
            return True
        only_small_words = only_small_words and low in _AFTER_FELL
        if low not in _AFTER_LOSS:
            return False
    return False
