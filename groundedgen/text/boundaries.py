"""Where a quote may begin and end: never inside a word, a number or its sign and unit.

"refundable" is not in "non-refundable", "5" is neither in "5,000" nor in "-5", "5 %" or
"5 million". What may follow or precede is decided on the folded text; only a dash is looked up in
the original, because an em dash parts two clauses and a hyphen joins one word. In doubt a place is
no boundary: a quote refused can be asked for again, half a number cannot be recognised.
"""

from __future__ import annotations

import re
import unicodedata

from groundedgen.text.folds import Folded
from groundedgen.text.foldtables import UNSPACED, UNSPACED_ASTRAL
from groundedgen.text.numberends import (
    AFTER_NUMBER,
    AFTER_NUMBER_WORD,
    BEFORE_NUMBER,
    GROUP_BEFORE,
    SCALE,
)
from groundedgen.text.unspaced import cuts_unspaced

__all__ = ["is_letter", "is_unspaced", "is_word", "stands_alone"]

# How far a number's surroundings are looked at, in code points.
_NEAR = 24

_UNSPACED_CHAR = re.compile(f"[{UNSPACED}]|[{UNSPACED_ASTRAL}]")

# Dashes that part clauses when they touch words on both sides; all others join them.
EM_DASHES = frozenset("—―⸺⸻﹘")

# French, Italian and Catalan articles and prepositions that have lost their vowel are words of
# their own. "n'" is not among them: it negates.
_ELIDED = re.compile(
    r"(?<!\w)(?:l|d|dell|nell|all|sull|dall|un|quell|quest|jusqu|lorsqu|puisqu|qu)'$"
)

# A quote that ends in one of these, with a number behind it, ends inside the number.
_OPENERS = frozenset("+-.,:/<>=~#^*×")

# What may stand after a hyphen that hangs ("pre- and post-operative").
_HANGING = re.compile(r"(?:and|or|to|nor|und|oder|bis|sowie|et|ou|y|o|e|en|of|och|og)\b")


def stands_alone(folded: Folded, start: int, end: int) -> bool:
    """Whether `folded.text[start:end]` is made of whole words and numbers.

    >>> text = Folded("non-refundable fees of -5.2%", "non-refundable fees of -5.2%")
    >>> [stands_alone(text, *span) for span in ((0, 19), (4, 19), (23, 28), (24, 28), (23, 27))]
    [True, False, True, False, False]
    """
    if folded.splits(start) or folded.splits(end):
        return False
    return _starts(folded, start) and _ends(folded, end)


def is_word(char: str) -> bool:
    """Whether a character is part of a word: letters, digits, marks, and what cannot be read.

    A private-use character may be any letter, except where symbol fonts keep their bullets.
    """
    if char.isalnum() or char == "_":
        return True
    if char.isascii():
        return False
    kind = unicodedata.category(char)
    return kind[0] == "M" or char == "\ufffd" or (kind == "Co" and not "\uf000" <= char <= "\uf0ff")


def is_letter(char: str) -> bool:
    """Whether a character is a letter or belongs to one."""
    return char.isalpha() or unicodedata.category(char)[0] == "M"


def is_unspaced(char: str) -> bool:
    """Whether a character belongs to a script that is written without blanks."""
    return _UNSPACED_CHAR.match(char) is not None


# --- the start ------------------------------------------------------------------------------


def _starts(folded: Folded, at: int) -> bool:
    text = folded.text
    if at == 0:
        return True
    before, first = text[at - 1], text[at]
    if unicodedata.category(first)[0] == "M" or _inside(folded, at):
        return False
    if before == " " and _hangs(folded, at):
        return False
    if _begins_number(text, at):
        return not _cuts_number_start(folded, at)
    if before == " " and at > 1 and text[at - 2].isdecimal() and SCALE.match(text, at):
        return False
    # "(non)refundable": a bracket inside a word.
    return not (before in ")]" and is_letter(first) and at > 1 and is_letter(text[at - 2]))


def _hangs(folded: Folded, at: int) -> bool:
    """Whether the word before ends in a hyphen at a line end: the first half of this one."""
    text = folded.text
    if at < 3 or text[at - 2] not in "-/" or not is_word(text[at - 3]):
        return False
    if text[at - 2] == "-" and _original(folded, at - 2) in EM_DASHES:
        return False
    broken = any(
        c in "\n\r\x0b\x0c\x85\u2028\u2029" for c in folded.source[slice(*_gap(folded, at - 1))]
    )
    if text[at - 2] == "/":
        return broken
    return broken or _HANGING.match(text, at) is None


def _begins_number(text: str, at: int) -> bool:
    first, second = text[at], text[at + 1 : at + 2]
    return first.isdecimal() or _is_currency(first) or (first in ".,+-" and second.isdecimal())


def _cuts_number_start(folded: Folded, at: int) -> bool:
    text = folded.text
    before = text[at - 1]
    near = text[max(0, at - _NEAR) : at]
    if before == "-":
        return _original(folded, at - 1) not in EM_DASHES
    if before == " " and at > 1 and text[at - 2] == "-" and _original(folded, at - 2) == "−":
        return True
    if _is_currency(text[at]) and is_letter(before):
        return True
    return bool(BEFORE_NUMBER.search(near)) or bool(
        re.match(r"\d{3}(?!\d)|\d+/\d", text[at : at + _NEAR]) and GROUP_BEFORE.search(near)
    )


# --- the end --------------------------------------------------------------------------------


def _ends(folded: Folded, at: int) -> bool:
    text = folded.text
    if at >= len(text):
        return True
    last, after = text[at - 1], text[at]
    if unicodedata.category(after)[0] == "M" or _inside(folded, at) or _trails(folded, at):
        return False
    near = text[at : at + _NEAR]
    if last.isdecimal():
        return _is_note_mark(text, at) or not _cuts_number_end(folded, at, near)
    if last in _OPENERS or _is_currency(last):
        return not (after.isdecimal() or (last == "-" and is_word(after)))
    if is_letter(last) and after == " ":
        return AFTER_NUMBER_WORD.search(text[max(0, at - _NEAR) : at] + "\0" + near) is None
    return True


def _trails(folded: Folded, at: int) -> bool:
    """Whether a sign hangs on the last word: C++, AA+, BBB-, C#, pre- and post-."""
    text = folded.text
    last, after = text[at - 1], text[at]
    if not is_word(last):
        return False
    if after == "-":
        return _original(folded, at) not in EM_DASHES
    if after == "#":
        return is_letter(last) and (at < 2 or not is_word(text[at - 2]))
    return after == "+"


def _cuts_number_end(folded: Folded, at: int, near: str) -> bool:
    text = folded.text
    if near[0] in "'\"" and _original(folded, at) in "′″":
        return True
    head = re.search(r"\d+$", text[max(0, at - _NEAR) : at])
    grouped = head is not None and len(head[0]) <= 3 and re.match(r",? \d{3}(?!\d)", near)
    return bool(grouped) or AFTER_NUMBER.match(near) is not None


# --- inside a word --------------------------------------------------------------------------


def _inside(folded: Folded, at: int) -> bool:
    """Whether a cut at `at` goes through a word, or between a word and what joins it on."""
    text = folded.text
    left, right = text[at - 1], text[at]
    if is_word(left) and is_word(right):
        return _cuts_word(text, at)
    if is_word(left):
        return at + 1 < len(text) and is_word(text[at + 1]) and _joins(folded, at)
    if is_word(right) and at >= 2 and is_word(text[at - 2]):
        return _joins(folded, at - 1) and _ELIDED.search(text[max(0, at - 9) : at]) is None
    return False


def _cuts_word(text: str, at: int) -> bool:
    left, right = text[at - 1], text[at]
    if is_unspaced(left) or is_unspaced(right):
        return cuts_unspaced(text, at)
    # A note number in superscript stands beside a word, an exponent beside a number or a unit.
    return not (_is_note_mark(text, at) or (_is_raised(left) and is_letter(right)))


def _is_note_mark(text: str, at: int) -> bool:
    if not _is_raised(text[at]):
        return False
    word = re.search(r"(\d?) ?([^\W\d_]{2,}|\b(?:1[5-9]|20)\d\d)$", text[max(0, at - _NEAR) : at])
    return word is not None and not (word[1] and len(word[2]) <= 3)


def _is_raised(char: str) -> bool:
    return char in "⁰¹²³⁴⁵⁶⁷⁸⁹"


def _joins(folded: Folded, at: int) -> bool:
    """Whether the sign at `at`, with a word on both sides, makes one token of them."""
    text = folded.text
    sign, left, right = text[at], text[at - 1], text[at + 1]
    digits = left.isdecimal() and right.isdecimal()
    if sign == "-":
        return _original(folded, at) not in EM_DASHES or digits
    if sign == ".":
        return not _is_missing_blank(folded, at)
    if sign == '"':  # gershayim, the mark of Hebrew abbreviations
        return "א" <= left <= "ת" and "א" <= right <= "ת"
    if sign in ",:*":
        return digits
    return sign in "'/@&\\+^·%" or (sign == "#" and right.isdecimal())


def _is_missing_blank(folded: Folded, at: int) -> bool:
    """A full stop that a sentence ends with, though no blank follows: "home.It"."""
    left, right = _original(folded, at - 1), _original(folded, at + 1)
    if right.isdecimal():
        return False
    return not (_is_cased(left) and left.isupper()) and not (_is_cased(right) and right.islower())


# --- the original ---------------------------------------------------------------------------


def _original(folded: Folded, at: int) -> str:
    """The first original character that folded to the one at `at`."""
    start, end = folded.origin(at, at + 1)
    return folded.source[start:end][:1]


def _gap(folded: Folded, at: int) -> tuple[int, int]:
    """The original span between the folded characters before and after the one at `at`."""
    return folded.origin(at - 1, at)[1], folded.origin(at + 1, at + 2)[0]


def _is_cased(char: str) -> bool:
    return char.lower() != char.upper()


def _is_currency(char: str) -> bool:
    return unicodedata.category(char) == "Sc"
