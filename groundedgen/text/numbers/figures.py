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
from groundedgen.text.numbers.accounting import wants_amount
from groundedgen.text.numbers.counting import part_sign, plain
from groundedgen.text.numbers.dates import clock, date_in_digits
from groundedgen.text.numbers.heads import DASHES, NO_HEAD, NOTHING, Head, is_latin, word_before
from groundedgen.text.numbers.identifiers import chunk, identifier, is_label
from groundedgen.text.numbers.labels import LABELS, NUMBER_SIGNS
from groundedgen.text.numbers.naming import (
    GERMAN_ORDINAL,
    SERIES_VERBS,
    SERIES_WORDS,
    after_letter,
    is_name,
    labelled,
    list_number,
    name,
)
from groundedgen.text.numbers.quantity import Numeral, Value
from groundedgen.text.numbers.scanning import PARTS, Found, Scan, in_doubt
from groundedgen.text.numbers.tails import BLANK, LETTER, scaled, tail
from groundedgen.text.numbers.units import CODES, MONEY, SIGNS

__all__ = ["figures"]

_SCAN: Final = compiled(f"[0-9{PARTS}]")
_SCAN_LATIN: Final = compiled("[0-9¼½¾]")  # a class below U+0100 is the faster one
_RARE_PARTS: Final = [sign for sign in PARTS if sign > "\xff"]
# Bare digits between blanks, nothing after them that could belong to the number but a unit.
_BARE: Final = compiled(
    r"(?!0[0-9])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?=%|-[a-z]|[.,;:!?)\]\"'”]{0,3}(?:\s|$))"
    rf"(?!{BLANK}*(?:[0-9]{{3}}(?![0-9])|[0-9]{{1,3}}/|[x×·*/{PARTS}年년月월点點時시]"
    rf"|[aApP]\.?{BLANK}?[mM]\b|[uU]hr\b|o'clock|[hH]{BLANK}?[0-5][0-9]))"
)
_BEFORE_BARE: Final = frozenset(" ($€£")
_SIGNS_BEFORE: Final = frozenset((*SIGNS, *DASHES, "+", "±", "§", "¶", "#", "№", "\n", ""))
_SPECIAL: Final = frozenset(
    ("minus", "negative", *LABELS, *NUMBER_SIGNS, *CODES, *SERIES_WORDS, *SERIES_VERBS)
)
_DATE_SIGNS: Final = frozenset("-./\x96")
_CJK_DATE_SIGNS: Final = frozenset("年月년월")
_ROW_GOES_ON: Final = compiled(r"%?\)%?[ \xa0\t]+[|(0-9$€£]")
_CLOCK_NEXT: Final = frozenset("hHaApPuUoO点點時시")
_PHONE: Final = compiled(
    r"\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{1,5}\)?){2,6}(?![0-9])"
    r"|[0-9]{3}[.-][0-9]{3}[.-][0-9]{4}(?![0-9])"
)
# 0800 123 4567, (030) 123456: what begins with 0 counts nothing, so its groups are one name.
_TRUNK: Final = compiled(
    r"0[0-9]{1,5}\)?(?:(?:[ \xa0]?[/-][ \xa0]?|[ \xa0])[0-9]{2,8}){1,6}(?![0-9]|[.,/-][0-9]"
    r"|[%€$£°])"
)
_LEAST_PHONE, _MOST_PHONE = 7, 15  # digits of a telephone number (ITU E.164)
_CHAIN: Final = compiled(rf"[0-9]+(?:-[0-9]+){{2,}}(?!{LETTER})")
_FEET_INCHES: Final = compiled(
    r"(?P<foot>[0-9]{1,2})' ?(?P<inch>(?:1[01]|[0-9])(?:\.[0-9])?)(?:\"|''|\u2033|\u201d)(?!\w)"
)
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
    if (
        before == "^"
        or text[max(0, at - 2) : at] == "**"
        or (before == ">" and text[max(0, at - 5) : at] in {"<sup>", "<sub>"})
    ):  # a note mark, or the exponent of a letter
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
        in_place = explains and (wants_amount(text, at - 1) or _ROW_GOES_ON.match(text, end))
        return NO_HEAD if explains and not in_place else None
    if before != " ":
        return Head(at - 1, SIGNS[before], negative=False) if text[at - 2 : at - 1] == " " else None
    word = word_before(text, at)[0]
    if not word:
        return None if text[max(0, at - 2) : at - 1] in _SIGNS_BEFORE else NO_HEAD
    if word.islower():
        return None if word in _SPECIAL else NO_HEAD
    special = word in CODES or word[1:] in CODES or is_label(word) or word.lower() in _SPECIAL
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
    if phone := _phone(text, at, follow):
        return [phone]
    if not follow:
        return []
    after = text[end + 1 : end + 2] if follow in " \xa0\n" else follow
    if (follow in _DATE_SIGNS or after in _CJK_DATE_SIGNS) and (
        date := date_in_digits(text, at, scan.day_first)
    ):
        return [date]
    if (follow in ":." or after in _CLOCK_NEXT) and (time := clock(text, at)):
        return [time]
    return _other_form(scan, at, follow)


def _other_form(scan: Scan, at: int, follow: str) -> list[Numeral]:
    """Feet and inches, spans of years, chains, 3Q23."""
    text = scan.text
    if follow == "'" and (feet := _FEET_INCHES.match(text, at)):
        return _feet_inches(scan, feet)
    if follow in "-/\x96" and (years := _YEARS.match(text, at)):
        return _two_years(scan, at, years)
    if follow == "-" and (chain := _CHAIN.match(text, at)):
        return [identifier(text, at, chain.end())]
    if follow in "QqHh" and (code := _PERIOD_CODE.match(text, at)):
        return _period(scan, at, code)
    return []


def _phone(text: str, at: int, follow: str) -> Numeral | None:
    plus = text[at - 1 : at] == "+"
    if (plus or follow in {"-", "."}) and (phone := _PHONE.match(text, at - plus)):
        digits = "".join(filter(str.isdecimal, phone[0]))
        if len(digits) >= _LEAST_PHONE:
            return identifier(text, phone.start(), phone.end(), "phone", digits)
    return _trunk(text, at) if follow and text[at] == "0" else None


def _trunk(text: str, at: int) -> Numeral | None:
    """A telephone number with the 0 of its own country; not a date, not a row of codes."""
    match = _TRUNK.match(text, at)
    if not match or date_in_digits(text, at):
        return None
    groups = "".join(char if char.isdecimal() else " " for char in match[0]).split()
    digits = "".join(groups)
    codes = all(group[0] == "0" and len(group) == len(groups[0]) for group in groups)
    if codes or not _LEAST_PHONE <= len(digits) <= _MOST_PHONE:
        return None
    return identifier(text, at, match.end(), "phone", digits)


def _feet_inches(scan: Scan, match: re.Match[str]) -> list[Numeral]:
    """6'2" is 6 feet 2 inches."""
    value = scan.exact(match["inch"])
    if value is None:
        return []
    feet = Value(Fraction(int(match["foot"])), frozenset(["foot"]))
    inches = Value(value, frozenset(["inch"]))
    return [
        scan.numeral(match.start(), match.start("inch"), (feet,)),
        scan.numeral(match.start("inch"), match.end(), (inches,)),
    ]


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
