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

from groundedgen.text.compiled import compiled
from groundedgen.text.counting import part_sign, plain
from groundedgen.text.dates import clock, date_in_digits
from groundedgen.text.heads import DASHES, NO_HEAD, NOTHING, Head, is_latin, word_before
from groundedgen.text.identifiers import chunk, identifier, is_label
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
from groundedgen.text.tails import BLANK, LETTER, scaled
from groundedgen.text.units import CODES, SIGNS

__all__ = ["figures"]

_SCAN: Final = compiled(f"[0-9{PARTS}]")
_SCAN_ASCII: Final = compiled("[0-9]")
# Bare digits between blanks, nothing after them that could belong to the number but a unit.
_BARE: Final = compiled(
    r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?=%|-[a-z]|[.,;:!?)\]\"'”]{0,3}(?:\s|$))"
    rf"(?!{BLANK}*(?:[0-9x×·*/{PARTS}年년月월点點時시]|[aApP]\.?{BLANK}?[mM]\b|[uU]hr\b|o'clock))"
)
_BEFORE_BARE: Final = frozenset(" ($€£")
_SIGNS_BEFORE: Final = frozenset((*SIGNS, *DASHES, "+", "±", "§", "¶", "#", "№", "\n", ""))
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
    search = (_SCAN_ASCII if scan.text.isascii() else _SCAN).search
    while match := search(scan.text, place):
        at = match.start()
        while span and span[1] <= at:
            span = next(spans, None)
        if span and span[0] <= at:
            place = scan.ended = span[1]
            continue
        found, place = _at(scan, at)
        place = max(place, at + 1)
        for numeral in found:
            scan.ended = numeral.whole_end
            yield numeral


def _at(scan: Scan, at: int) -> Found:  # noqa: PLR0911 - the order of the cases is the rule
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
    special = word in CODES or word[1:] in CODES or is_label(word) or word.lower() in _MINUS_WORDS
    return None if special else NO_HEAD


def _bare(scan: Scan, match: re.Match[str], front: Head) -> Found:
    at, end = match.span()
    run = match[0]
    close = end + 1 if front is NO_HEAD and scan.in_brackets(at, end) else end
    after = scan.tail(close, paid=bool(front.measures))
    belongs = after.whole > close
    value = None if "." in run and in_doubt(run, front, after) else scan.exact(run)
    start, stop = front.start if front.measures else at, after.end if belongs else end
    numeral = scan.numeral(
        start, stop, scaled(value, front, after), whole=after.whole if belongs else end,
        per=after.per, scale=after.readings[0].scale,
    )  # fmt: skip
    return [numeral], max(stop, end)


def _special(scan: Scan, at: int) -> list[Numeral]:  # noqa: PLR0911 - as in `_at`
    """Dates, times, telephone numbers, spans of years, chains, 3Q23."""
    text = scan.text
    end = at + 1
    while end - at < 5 and text[end : end + 1].isdecimal():
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
