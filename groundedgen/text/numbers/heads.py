"""What belongs to a number before its digits: the sign and the currency.

All functions take a cleaned text (see `cleaning`).
"""

# ruff: noqa: SIM905 - a table of words is read as words

from __future__ import annotations

from typing import Final, NamedTuple

from groundedgen.patterns import compiled
from groundedgen.text.numbers.units import CODES, SIGN_PREFIXES, SIGNS, Measures

__all__ = [
    "CURRENCY_SIGNS",
    "DASHES",
    "NOTHING",
    "NO_HEAD",
    "Head",
    "head",
    "is_latin",
    "word_before",
]

NOTHING: Final[Measures] = frozenset()
# Hyphen or minus, en dash, a minus sign that a blank follows; the em dash never joins or negates.
DASHES: Final = frozenset("-\x96\x97")
CURRENCY_SIGNS: Final = frozenset(
    sign for sign, names in SIGNS.items() if any(name.isupper() for name in names)
)
_BLANKS: Final = frozenset(" \xa0")
_BEFORE_MINUS: Final = frozenset(" \t\n\r\xa0([{=<>≤≥~≈:;|\"'“/,±*")
_MARKS: Final = frozenset("▲△")  # in Japanese accounts a minus, elsewhere an arrow
_KANA: Final = compiled("[\u3041-\u30ff]")
_NEAR: Final = 200  # code points on either side that tell what a mark means
# Before these a dash that a blank follows is a minus: no aside begins behind "at" or "was".
_WANT_NUMBER: Final = frozenset(
    "at of to is are was were be from by below above about than reached reaches around "
    "approximately "
    "bei von auf bis unter über um ist war betrug beträgt lag à de est était a es era fue en "
    "di è van "
    "op tot".split()
)
_SPACED_BEFORE: Final = frozenset("|=(<>≤≥~≈[")
# "5 mg − 8 mg", "2 − 8": what stands before a dash is itself a number, so it is a range.
_OPERAND: Final = compiled(
    r"[0-9½¼¾][)%°]?[ \xa0]?(?:[^\W\d_]{0,9}[%°]?|°[CF]|[€$£]|[^\W\d_]{1,4}/[^\W\d_]{1,4})[ \xa0]?$"
)
_SIGN_SCALES: Final = {"T": 1000, "k": 1000, "M": 10**6}  # T€, k€, M€
_THOUSANDS: Final = frozenset(["TEUR", "TUSD", "TCHF", "TGBP"])
_LONGEST_WORD: Final = 24


class Head(NamedTuple):
    """What stands before a number: where it begins with that, its currency, its sign."""

    start: int
    measures: Measures
    negative: bool
    scale: int = 1


NO_HEAD: Final = Head(-1, NOTHING, negative=False)


def is_latin(char: str) -> bool:
    """Whether a letter is of a script that sets blanks between words and numbers."""
    return char.isalpha() and (
        char < "\u0250" or "\u0370" <= char < "\u0530" or "\u1e00" <= char < "\u2000"
    )


def word_before(text: str, offset: int) -> tuple[str, int, bool]:
    """The word that ends before `offset`, its start, and whether a point stands after it.

    >>> word_before("see Art. 5", 9)
    ('Art', 4, True)
    >>> word_before("see (5)", 5)
    ('', 5, False)
    """
    end = offset
    while end > 0 and offset - end < 4 and text[end - 1] in " \xa0\t\n":
        end -= 1
    dot = end > 0 and text[end - 1] == "."
    if dot:
        end -= 1
    start = text.rfind(" ", max(0, end - _LONGEST_WORD), end) + 1
    if not text[start:end].isalpha():
        start = end
        while start > 0 and end - start < _LONGEST_WORD and text[start - 1].isalpha():
            start -= 1
    return (text[start:end], start, dot) if start < end else ("", offset, False)


def head(text: str, start: int) -> Head:
    """Read the currency and the sign before the digits that begin at `start`.

    A dash is a minus where nothing it could join or range from stands before it.

    >>> head("up to US$5", 9).start, head("up to US$5", 9).measures
    (6, frozenset({'USD'}))
    >>> head("of -5%", 4).negative, head("2-8", 2).negative
    (True, False)
    """
    start, negative = _sign(text, start)
    begin, measures, scale = _currency(text, start)
    if begin < start and not negative:
        begin, negative = _sign(text, begin)
    return Head(begin, measures, negative, scale)


def _sign(text: str, start: int) -> tuple[int, bool]:
    before = text[start - 1 : start]
    if before not in DASHES:
        if before in _BLANKS and text[max(0, start - 2) : start - 1] in DASHES:
            return (start - 2, True) if _is_spaced_minus(text, start - 2) else (start, False)
        if before == "\x1a" or (
            before in _MARKS and _KANA.search(text, max(0, start - _NEAR), start + _NEAR)
        ):
            return start - 1, True
        return (start - 1, False) if before and before in "+±" else (start, False)
    if start == 1 or text[start - 2] in _BEFORE_MINUS or text[start - 2] in SIGNS:
        return start - 1, True
    return start, False


def _is_spaced_minus(text: str, at: int) -> bool:
    """Whether a dash with a blank behind it is a minus, as in "at – 5 °C"; see `_WANT_NUMBER`.

    The minus sign itself (U+2212) is one wherever no number stands before it.
    """
    before = text[max(0, at - 1) : at]
    if text[at] == "\x97":
        return not _OPERAND.search(text, max(0, at - 24), at)
    if before not in _BLANKS:
        return before in _SPACED_BEFORE
    if text[max(0, at - 2) : at - 1] in _SPACED_BEFORE:
        return True
    return word_before(text[at - min(at, 24) : at - 1], min(at, 24) - 1)[0].lower() in _WANT_NUMBER


def _currency(text: str, start: int) -> tuple[int, Measures, int]:
    place = start - 1
    if place >= 0 and text[place] in _BLANKS:
        place -= 1
    char = text[place] if place >= 0 else " "
    if char in CURRENCY_SIGNS:
        return _signed(text, place, char)
    if char != "." and not char.isalpha():
        return start, NOTHING, 1
    word, begin, dot = word_before(text, place + 1)
    if begin and (text[begin - 1].isalnum() or text[begin - 1] in "_-"):
        return start, NOTHING, 1
    if word in _THOUSANDS:
        return begin, CODES[word[1:]], 1000
    if word in CODES and (not dot or word[0].isupper()):
        return begin, CODES[word], 1
    return start, NOTHING, 1


def _signed(text: str, place: int, char: str) -> tuple[int, Measures, int]:
    """A currency sign at `place`, with the letters before it: US$, T€."""
    before = text[place - 1] if place else " "
    if before in _SIGN_SCALES and not text[max(0, place - 2) : place - 1].isalnum():
        return place - 1, SIGNS[char], _SIGN_SCALES[before]
    if char != "$" or not (before.isalpha() or before == "."):
        return place, SIGNS[char], 1
    begin = place
    while begin > 0 and place - begin < 5 and (text[begin - 1].isalpha() or text[begin - 1] == "."):
        begin -= 1
    letters = text[begin:place]
    if letters in SIGN_PREFIXES and (begin == 0 or not text[begin - 1].isalnum()):
        return begin, SIGN_PREFIXES[letters], 1
    return place, SIGNS[char], 1
