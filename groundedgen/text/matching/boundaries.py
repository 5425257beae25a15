"""Where a quote may begin and end: never inside a word, a number or its sign and unit.

"refundable" is not in "non-refundable", "5" is neither in "5,000" nor in "-5", "5 %" or
"5 million". What may follow or precede is decided on the folded text; only a dash or a full stop is
looked up in the original, because an em dash parts two clauses where a hyphen joins one word. In
doubt a place is no boundary: a quote refused can be asked for again, half a number goes unnoticed.
"""

from __future__ import annotations

import unicodedata

from groundedgen.patterns import compiled
from groundedgen.text.characters import (
    EM_DASHES,
    LINE_BREAKS,
    RAISED,
    is_letter,
    is_unspaced,
    is_word,
    original,
)
from groundedgen.text.folds import Folded
from groundedgen.text.matching.numbercuts import cuts_number_after, cuts_number_before, is_note_mark
from groundedgen.text.matching.unspaced import cuts_unspaced

__all__ = ["stands_alone"]

# French, Italian and Catalan articles and prepositions that have lost their vowel are words of
# their own. "n'" is not among them: it negates.
_ELIDED = compiled(
    r"(?<!\w)(?:l|d|dell|nell|all|sull|dall|un|quell|quest|jusqu|lorsqu|puisqu|qu)'$"
)

# What may stand after a hyphen that hangs ("pre- and post-operative").
_HANGING = compiled(r"(?:and|or|to|nor|und|oder|bis|sowie|et|ou|y|o|e|en|of|och|og)\b")


def stands_alone(folded: Folded, start: int, end: int) -> bool:
    """Whether `folded.text[start:end]` is made of whole words and numbers.

    >>> text = Folded("non-refundable fees of -5.2%", "non-refundable fees of -5.2%")
    >>> [stands_alone(text, *span) for span in ((0, 19), (4, 19), (23, 28), (24, 28), (23, 27))]
    [True, False, True, False, False]
    """
    if folded.splits(start) or folded.splits(end):
        return False
    return _starts(folded, start) and _ends(folded, end)


def _starts(folded: Folded, at: int) -> bool:
    if at == 0:
        return True
    text = folded.text
    if _is_mark(text[at]) or _is_inside(folded, at) or _is_second_half(folded, at):
        return False
    return not cuts_number_before(folded, at)


def _ends(folded: Folded, at: int) -> bool:
    if at >= len(folded.text):
        return True
    if _is_mark(folded.text[at]) or _is_inside(folded, at) or _trails(folded, at):
        return False
    return not cuts_number_after(folded, at)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


# --- around the word ------------------------------------------------------------------------


def _is_second_half(folded: Folded, at: int) -> bool:
    """Whether the word that starts at `at` began before it: "non-" over a line end, "(non)"."""
    text = folded.text
    before = text[at - 1]
    if before in ")]":
        return at > 1 and is_letter(text[at - 2]) and is_letter(text[at])
    if before != " " or at < 3 or text[at - 2] not in "-/" or not is_word(text[at - 3]):
        return False
    first, last = folded.origin(at - 2, at - 1)[1], folded.origin(at, at + 1)[0]
    broken = not LINE_BREAKS.isdisjoint(folded.source[first:last])
    if text[at - 2] == "/" or original(folded, at - 2) in EM_DASHES:
        return broken and text[at - 2] == "/"
    return broken or _HANGING.match(text, at) is None


def _trails(folded: Folded, at: int) -> bool:
    """Whether a sign hangs on the last word: C++, AA+, BBB-, C#, pre- and post-, it is $-."""
    text = folded.text
    last, after = text[at - 1], text[at]
    if last == "-" and is_word(after):
        return original(folded, at - 1) not in EM_DASHES
    if not is_word(last):
        return False
    if after == "-":
        return original(folded, at) not in EM_DASHES
    if after == "#":
        return is_letter(last) and (at < 2 or not is_word(text[at - 2]))
    return after == "+"


# --- inside the word ------------------------------------------------------------------------


def _is_inside(folded: Folded, at: int) -> bool:
    """Whether a cut at `at` goes through a word, or between a word and what a sign joins on."""
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
    return not (is_note_mark(text, at) or (left in RAISED and is_letter(right)))


def _joins(folded: Folded, at: int) -> bool:
    """Whether the sign at `at`, with a word on both sides, makes one token of them."""
    text = folded.text
    sign, left, right = text[at], text[at - 1], text[at + 1]
    digits = left.isdecimal() and right.isdecimal()
    if sign == "-":
        return digits or original(folded, at) not in EM_DASHES
    if sign == ".":
        return not _is_full_stop(original(folded, at - 1), original(folded, at + 1))
    if sign == '"':  # gershayim, the mark of Hebrew abbreviations
        return "א" <= left <= "ת" and "א" <= right <= "ת"
    if sign in ",:*":
        return digits
    return sign in "'/@&\\+^·%" or (sign == "#" and right.isdecimal())


def _is_full_stop(left: str, right: str) -> bool:
    """Whether a point without a blank ends a sentence: in "home.It", not in "U.S" or "a.com"."""
    if right.isdecimal():
        return False
    return not (_is_cased(left) and left.isupper()) and not (_is_cased(right) and right.islower())


def _is_cased(char: str) -> bool:
    return char.lower() != char.upper()
