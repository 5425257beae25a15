"""Whether a cut goes through a number, or parts it from its sign, its scale or its unit."""

from __future__ import annotations

from groundedgen.patterns import compiled
from groundedgen.text.characters import EM_DASHES, RAISED, is_currency, is_letter, original
from groundedgen.text.folds import Folded
from groundedgen.text.matching.numberends import (
    AFTER_NUMBER,
    AFTER_NUMBER_WORD,
    BEFORE_NUMBER,
    FRACTION,
    GROUP,
    GROUP_AFTER,
    GROUP_BEFORE,
    SCALE,
)

__all__ = ["cuts_number_after", "cuts_number_before", "is_note_mark"]

# How far a number's surroundings are looked at, in code points.
_NEAR = 24

# A quote that ends in one of these, with a digit behind it, ends inside the number.
_BEFORE_DIGITS = frozenset("+-.,:/<>=~#^*×")

_NOTED = compiled(r"(\d?) ?([^\W\d_]{2,}|\b(?:1[5-9]|20)\d\d)$")
# Functions that are raised to a power.
_FUNCTIONS = frozenset(
    ("sin", "cos", "tan", "cot", "sec", "log", "ln", "exp", "sinh", "cosh", "tanh")
)


def cuts_number_before(folded: Folded, at: int) -> bool:
    """Whether a quote that starts at `at` leaves a part of its first number behind."""
    text = folded.text
    before, near = text[at - 1], text[max(0, at - _NEAR) : at]
    if not _begins_number(text, at):
        return before == " " and near[-2:-1].isdecimal() and SCALE.match(text, at) is not None
    if before == "-":
        return original(folded, at - 1) not in EM_DASHES
    if before == " " and near[-2:-1] == "-" and original(folded, at - 2) == "−":
        return True
    if is_currency(text[at]) and is_letter(before):  # US$
        return True
    if BEFORE_NUMBER.search(near) or (GROUP.match(text, at) and GROUP_BEFORE.search(near)):
        return True
    return before == " " and near[-2:-1].isdecimal() and FRACTION.match(text, at) is not None


def cuts_number_after(folded: Folded, at: int) -> bool:
    """Whether a quote that ends at `at` leaves a part of its last number behind."""
    text = folded.text
    last, near = text[at - 1], text[at : at + _NEAR]
    around = f"{text[max(0, at - _NEAR) : at]}\0{near}"
    if last.isdecimal():
        if is_note_mark(text, at):
            return False
        is_prime = near[0] in "'\"" and original(folded, at) in "′″"
        return is_prime or bool(AFTER_NUMBER.match(near) or GROUP_AFTER.search(around))
    if is_currency(last):
        return near.lstrip(" ")[:1].isdecimal()
    if last in _BEFORE_DIGITS:
        return near[0].isdecimal() or GROUP_AFTER.search(around) is not None
    return near[0] == " " and AFTER_NUMBER_WORD.search(around) is not None


def is_note_mark(text: str, at: int) -> bool:
    """Whether the superscript at `at` is a note number: after a word or a year.

    After other numbers it is an exponent, after the unit of a number it belongs to the unit.

    >>> [is_note_mark(text, len(text) - 1) for text in ("the policy³", "in 2023¹", "10²", "80 km²")]
    [True, True, False, False]
    """
    if text[at] not in RAISED:
        return False
    word = _NOTED.search(text[max(0, at - _NEAR) : at])
    if word is None or word[2] in _FUNCTIONS:
        return False
    return not (word[1] and len(word[2]) <= 3)


def _begins_number(text: str, at: int) -> bool:
    first, second = text[at], text[at + 1 : at + 2]
    return first.isdecimal() or is_currency(first) or (first in ".,+-" and second.isdecimal())
