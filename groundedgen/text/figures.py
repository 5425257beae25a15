"""Numbers in digits: one pass that jumps from digit to digit.

The order at a digit is fixed: a bare number between blanks (most are), then names that the
digits are glued to, dates and other forms of their own, labels, list numbers, and last what
counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.counting import part_sign, plain
from groundedgen.text.dates import clock, date_in_digits
from groundedgen.text.heads import DASHES, NO_HEAD, NOTHING, Head, is_latin, word_before
from groundedgen.text.identifiers import chunk, identifier, is_label
from groundedgen.text.labels import LABELS, NUMBER_SIGNS
from groundedgen.text.naming import (
    GERMAN_ORDINAL,
    after_letter,
    is_name,
    labelled,
    list_number,
    name,
)
from groundedgen.text.quantity import Numeral, Value
from groundedgen.text.scanning import PARTS, Found, Scan, in_doubt
from groundedgen.text.tails import BLANK, LETTER, scaled, tail
from groundedgen.text.units import CODES, MONEY, SIGNS

__all__ = ["figures"]

_SCAN: Final = compiled(f"[0-9{PARTS}]")
_SCAN_LATIN: Final = compiled("[0-9¼½¾]")  # a class below U+0100 is the faster one
_RARE_PARTS: Final = [sign for sign in PARTS if sign > "\xff"]
# Bare digits between blanks, nothing after them that could belong to the number but a unit.
_BARE: Final = compiled(
    r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?=%|-[a-z]|[.,;:!?)\]\"'”]{0,3}(?:\s|$))"
    rf"(?!{BLANK}*(?:[0-9x×·*/{PARTS}年년月월点點時시]|[aApP]\.?{BLANK}?[mM]\b|[uU]hr\b|o'clock))"
)
_BEFORE_BARE: Final = frozenset(" ($€£")
_SIGNS_BEFORE: Final = frozenset((*SIGNS, *DASHES, "+", "±", "§", "¶", "#", "№", "\n", ""))
_SPECIAL: Final = frozenset(("minus", "negative", *LABELS, *NUMBER_SIGNS, *CODES))
_MINUS_WORDS: Final = frozenset(["minus", "negative"])
_DATE_SIGNS: Final = frozenset("-./\x96")
_CJK_DATE_SIGNS: Final = frozenset("年月년월")
_CLOCK_NEXT: Final = frozenset("hHaApPuUoO点點時시")
_PHONE: Final = compiled(
    r"\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{1,5}\)?){2,6}(?![0-9])"
    r"|[0-9]{3}[.-][0-9]{3}[.-][0-9]{4}(?![0-9])"
)
_CHAIN: Final = compiled(rf"[0-9]+(?:-[0-9]+){{2,}}(?!{LETTER})")
_YEARS: Final = compiled(
    rf"(?P<a>(?:1[89]|20)[0-9]{{2}})[-\x96/](?P<b>[0-9]{{2}})(?![0-9]|[-\x96/.][0-9]|{LETTER})"
)
_PERIOD_CODE: Final = compiled(
    rf"(?P<n>[1-4])(?P<kind>[QqHh])(?P<y>(?:20)?[0-9]{{2}})(?!{LETTER}|[0-9])"
)
_LONGEST: Final = 24  # digits before the sign that makes a date, a time or a chain
_PERIODS: Final = {"Q": "quarter", "H": "half"}


def figures(scan: Scan, taken: Sequence[tuple[int, int]]) -> Iterator[Numeral]:
    """Read the numbers in digits of one text.

    Args:
        scan: The text and how to read it.
        taken: Sorted spans that are read already.

    >>> scan = Scan("ISO 9001, $5-10 m, 5% [3]", "en", comma_decimal=False)
    >>> [n.written for n in figures(scan, [])]
    ['ISO 9001', '$5', '10 m', '5%', '3']
    """
    place, spans = 0, iter(taken)
    span = next(spans, None)
    search = (_SCAN if any(sign in scan.text for sign in _RARE_PARTS) else _SCAN_LATIN).search
    while match := search(scan.text, place):
        at = match.start()
        while span and span[1] <= at:
            span = next(spans, None)
        if span and span[0] <= at:
            place = scan.ended = span[1]
            continue
        found, place = _at(scan, at)
        for numeral in found:
            scan.ended = numeral.whole_end
            scan.paid = bool(numeral.readings) and not MONEY.isdisjoint(
                numeral.readings[0].measures
            )
            yield numeral
        place = max(place, at + 1, scan.ended)  # "9 m3": the 3 is a part of the unit


def _at(scan: Scan, at: int) -> Found:
    text = scan.text
    before = text[at - 1] if at else "\n"
    if before in _BEFORE_BARE and (bare := _BARE.match(text, at)):
        front = _plain_head(text, at, bare.end(), before)
        if front:
            return _bare(scan, bare, front)
    if text[at] in PARTS:
        return part_sign(scan, at)
    if before == "^" or text[max(0, at - 2) : at] == "**":
        return [], chunk(text, at, at + 1)[1]  # the exponent of a letter
    if is_latin(before) or before == "_":
        return after_letter(scan, at) or plain(scan, at)
    if is_name(scan, at):
        return name(scan, at)
    if found := _special(scan, at):
        return found, found[-1].end
    if numeral := labelled(scan, at):
        return [numeral], numeral.end
    return list_number(scan, at) or plain(scan, at)


def _plain_head(text: str, at: int, end: int, before: str) -> Head | None:
    """What stands before bare digits where it is a currency sign at most, else `None`.

    Not here: labels, currency codes, signs, accountants' brackets, ordinals with a point.
    """
    if text.startswith(".", end) and GERMAN_ORDINAL.match(text, end):
        return None
    if before == "(":
        explains = text[at - 2 : at - 1] == " " and text[at - 3 : at - 2].isalpha()
        return NO_HEAD if explains else None
    if before != " ":
        return Head(at - 1, SIGNS[before], negative=False) if text[at - 2 : at - 1] == " " else None
    word = word_before(text, at)[0]
    if not word:
        return None if text[max(0, at - 2) : at - 1] in _SIGNS_BEFORE else NO_HEAD
    if word.islower():
        return None if word in _SPECIAL else NO_HEAD
    special = word in CODES or word[1:] in CODES or is_label(word) or word.lower() in _MINUS_WORDS
    return None if special else NO_HEAD


def _bare(scan: Scan, match: re.Match[str], front: Head) -> Found:
    at, end = match.span()
    text, run, measures = scan.text, match[0], front.measures
    close = end + 1 if not measures and scan.in_brackets(at, end) else end
    paid = bool(measures) or scan.goes_on(at)
    after = tail(text, close, paid=paid, language=scan.language)
    value = None if "." in run and in_doubt(run, front, after) else scan.exact(run)
    start, stop, whole = front.start if measures else at, end, end
    if after.whole > close:
        stop, whole = max(after.end, end), after.whole
    readings = scaled(value, front, after)
    numeral = Numeral(start, stop, whole, text[start:stop], "number", readings,
                      per=after.per, scale=after.readings[0].scale)  # fmt: skip
    return [numeral], stop


def _special(scan: Scan, at: int) -> list[Numeral]:
    """Dates, times, telephone numbers, spans of years, chains, 3Q23."""
    text = scan.text
    end = at + 1
    while end - at < _LONGEST and text[end : end + 1].isdecimal():
        end += 1
    follow = text[end : end + 1]
    plus = text[at - 1 : at] == "+"
    if (plus or follow in {"-", "."}) and (phone := _PHONE.match(text, at - plus)):
        digits = "".join(filter(str.isdecimal, phone[0]))
        if len(digits) >= 7:
            return [identifier(text, phone.start(), phone.end(), "phone", digits)]
    if not follow:
        return []
    after = text[end + 1 : end + 2] if follow in " \xa0\n" else follow
    if (follow in _DATE_SIGNS or after in _CJK_DATE_SIGNS) and (date := date_in_digits(text, at)):
        return [date]
    if (follow in ":." or after in _CLOCK_NEXT) and (time := clock(text, at)):
        return [time]
    if follow in "-/\x96" and (years := _YEARS.match(text, at)):
        return _two_years(scan, at, years)
    if follow == "-" and (chain := _CHAIN.match(text, at)):
        return [identifier(text, at, chain.end())]
    if follow in "QqHh" and (code := _PERIOD_CODE.match(text, at)):
        return _period(scan, at, code)
    return []


def _two_years(scan: Scan, at: int, match: re.Match[str]) -> list[Numeral]:
    """2023/24 and 2010-15 are two years each; 2010-12 may be a month, so only as written."""
    first, short = int(match["a"]), int(match["b"])
    second = first - first % 100 + short + (100 if short < first % 100 else 0)
    if second - first != 1 and (short <= 12 or short <= first % 100):
        return []
    years = [(at, match.end("a"), first), (match.start("b"), match.end(), second)]
    return [scan.numeral(a, b, (Value(Fraction(year), NOTHING),)) for a, b, year in years]


def _period(scan: Scan, at: int, match: re.Match[str]) -> list[Numeral]:
    measures = frozenset([_PERIODS[match["kind"].upper()]])
    quarter = Value(Fraction(int(match["n"])), measures)
    year = Value(Fraction(int(match["y"]) % 100 + 2000), NOTHING)
    start = match.start("y")
    return [
        scan.numeral(at, start, (quarter,), "ordinal"),
        scan.numeral(start, match.end(), (year,)),
    ]
