"""Dates and times of day: with month names, in digits, and when their order is settled.

A date in digits is settled by ISO order, by a part over 12, or by equal parts. Otherwise it
has two readings, so none, and is compared as written; its year is still its year.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.glossary import places
from groundedgen.text.numbers.heads import NOTHING
from groundedgen.text.numbers.months import CAPITAL_ONLY, MONTHS
from groundedgen.text.numbers.quantity import Day, Numeral, Value
from groundedgen.text.numbers.tails import BLANK, LETTER, tail

__all__ = ["clock", "date_in_digits", "day_first", "month_dates"]

_DAY_FIRST: Final = frozenset("gb uk ie au nz in za hk sg".split())
_MONTH_FIRST: Final = frozenset(["us", "ph"])

_ORDINAL: Final = r"(?:st|nd|rd|th|er|[.º°ª](?![0-9]))?"
_OF: Final = r"(?:of|de|di|del|do|the|van|of the|day of)"
_DAY_BEFORE: Final = compiled(
    rf"(?<![0-9.,/:])(?:(?P<first>[0-3]?[0-9]){_ORDINAL}\s?(?:[-\x96\x97]|to|and|bis|au|al|a|et|y|e|und|en"
    rf"|&|/)\s?)?(?<![0-9])(?P<day>[0-3]?[0-9]){_ORDINAL},?(?:\s{{1,3}}(?:day\s)?{_OF})?"
    rf"(?:\s{{0,3}}|-)$"
)
_YEAR: Final = (
    rf"(?:\.?,?\s{{0,3}}(?:(?:de|del|of|di|do|in)\s{{1,3}})?|\.?-)"
    rf"(?P<year>[12][0-9]{{3}})(?![0-9]|[.,][0-9]|{LETTER})"
)
_SHORT_YEAR: Final = r"-(?P<short>[0-9]{2})(?![0-9])"
_YEAR_AFTER: Final = compiled(_YEAR)
_SHORT_AFTER: Final = compiled(_SHORT_YEAR)
_DAY_AFTER: Final = compiled(
    rf"\.?(?:\s{{1,3}}(?:the\s)?|-)(?P<first>[0-3]?[0-9])(?:st|nd|rd|th)?(?![0-9])"
    rf"(?:\s?(?:[-\x96\x97]|to|and|&|through)\s?(?P<last>[0-3]?[0-9])(?:st|nd|rd|th)?(?![0-9]))?"
    rf"(?!/|[.,:][0-9])(?P<tail>{_YEAR}|,?)"
)
_ISO: Final = compiled(
    r"(?P<y>[12][0-9]{3})(?P<sign>[-./\x96])(?P<m>[01]?[0-9])"
    rf"(?:(?P=sign)(?P<d>[0-3]?[0-9])(?:(?=T[0-9])|(?![0-9]))|(?![0-9]))(?!(?P=sign)[0-9]|[.,][0-9]|(?!T){LETTER})"
)
_PARTS: Final = compiled(
    r"(?P<a>[0-9]{1,2})(?P<sign>[-./\x96])(?P<b>[0-9]{1,2})(?P=sign)(?P<y>[0-9]{4}|[0-9]{2})"
    rf"(?![0-9]|[-/][0-9]|[.,][0-9]|{LETTER})"
)
_MONTH_YEAR: Final = compiled(r"(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:19|20)[0-9]{2})(?![0-9/])")
_CJK_DATE: Final = compiled(
    rf"(?P<y>[12][0-9]{{3}}){BLANK}?[年년]{BLANK}?(?:(?P<m>[0-9]{{1,2}}){BLANK}?[月월]"
    rf"{BLANK}?(?:(?P<d>[0-9]{{1,2}}){BLANK}?[日日号號일])?)?(?![间間])"
    rf"|(?P<m2>[0-9]{{1,2}}){BLANK}?[月월]{BLANK}?(?P<d2>[0-9]{{1,2}}){BLANK}?[日号號일]"
)
# Which half of the day it is, in words behind the time or in signs before it.
_DAYPART: Final = compiled(
    r",?\s(?:(?P<a>(?:in the )?morning|midnight|morgens|vormittags|nachts?|früh|du matin|de la "
    r"mañana|da manhã|del mattino|'s ochtends)|(?P<p>(?:in the )?(?:afternoon|evening)"
    r"|at night|noon"
    r"|mittags|nachmittags|abends|de l'après-midi|du soir|de la tarde|de la noche|da tarde|da noite"
    r"|di sera|'s middags|'s avonds))(?!\w)",
    re.IGNORECASE,
)
_HALF_BEFORE: Final = compiled(
    r"(?:(?P<a>午前|上午|早上|凌晨|清晨|오전)|(?P<p>午後|下午|晚上|夜晚|傍晚|오후))[ \xa0]?$"
)
_MERIDIEM: Final = rf"\s?(?P<half>[ap])\.?{BLANK}?m(?!{LETTER})\.?"
_CLOCK: Final = compiled(
    rf"(?P<h>[0-2]?[0-9])(?::(?P<min>[0-5][0-9])(?::(?P<sec>[0-5][0-9]))?(?![0-9:])(?:{_MERIDIEM})?"
    rf"|\.(?P<min2>[0-5][0-9])(?:{_MERIDIEM.replace('half', 'half2')}|{BLANK}(?:uhr|Uhr|UHR)\b)"
    rf"|{BLANK}?h{BLANK}?(?P<min3>[0-5][0-9])(?![0-9]|{BLANK}?min)"
    rf"|{_MERIDIEM.replace('half', 'half3')}|{BLANK}(?:uhr\b|o'clock)"
    rf"|点|點|時(?!間)|시(?!간))",
    re.IGNORECASE,
)


def _valid(month: int | None, day: int | None) -> bool:
    return (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31)


def _date(text: str, start: int, end: int, day: Day, *, settled: bool = True) -> Numeral:
    written = text[start:end]
    readings = () if not settled else (Value(Fraction(day[0] or 0), NOTHING),)
    return Numeral(start, end, end, written, "date", readings=readings, day=day)


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _century(short: int) -> int:
    """A year in two digits, by the usual window of 1950 to 2049."""
    return short + (2000 if short < 50 else 1900)


def month_dates(text: str, low: str, words: Iterable[str]) -> Iterator[Numeral]:
    """The dates of a text that name a month, days and years where they are written.

    Args:
        text: A cleaned text.
        low: The same in small letters.
        words: The month names to look for; see `glossary.known_words`.
    """
    found = sorted(
        (at, word)
        for word in words
        if word not in CAPITAL_ONLY or word.capitalize() in text or word.upper() in text
        for at in places(low, word)
    )
    for at, word in found:
        if word not in CAPITAL_ONLY or text[at].isupper():
            yield from _month_date(text, at, at + len(word), MONTHS[word])


def _month_date(text: str, start: int, end: int, month: int) -> Iterator[Numeral]:
    before = _DAY_BEFORE.search(text[max(0, start - 32) : start])
    if before and 1 <= int(before["day"]) <= 31:
        shift = max(0, start - 32)
        year_at = _YEAR_AFTER.match(text, end) or _SHORT_AFTER.match(text, end)
        year = _year(year_at)
        stop = year_at.end() if year_at else end
        if before["first"] and int(before["first"]) <= 31:
            begin = shift + before.start("first")
            yield _date(
                text, begin, shift + before.end("first"), (year, month, int(before["first"]))
            )
        begin = shift + before.start("day")
        yield _date(text, begin, stop, (year, month, int(before["day"])))
        return
    after = _DAY_AFTER.match(text, end)
    if after and _is_day(text, after):
        year = _year(after)
        if after["last"]:
            stop = after.end("first")
            yield _date(text, start, stop, (year, month, int(after["first"])))
            begin = after.start("last")
            yield _date(text, begin, after.end(), (year, month, int(after["last"])))
        else:
            stop = after.end("year") if year else after.end("first")
            yield _date(text, start, stop, (year, month, int(after["first"])))
        return
    if only := _YEAR_AFTER.match(text, end):
        yield _date(text, start, only.end(), (_year(only), month, None))
    else:
        yield Numeral(start, end, end, text[start:end], "date", day=(None, month, None), weak=True)


def _year(match: re.Match[str] | None) -> int | None:
    if match is None:
        return None
    groups = match.groupdict()
    if groups.get("short"):
        return _century(int(groups["short"]))
    return _number(groups.get("year"))


def _is_day(text: str, after: re.Match[str]) -> bool:
    """Whether digits after a month are its day: "May 5 million people" has none."""
    first, last = int(after["first"]), int(after["last"] or after["first"])
    if not (1 <= first <= 31 and 1 <= last <= 31):
        return False
    if after["year"]:
        return True
    reading = tail(text, after.end("last") if after["last"] else after.end("first")).readings[0]
    return reading.scale == 1 and not reading.measures


def day_first(text: str, language: str, lang: str | None) -> bool | None:
    """Whether the dates in digits of a text put the day first; `None` where nothing tells.

    Its language tells, or the region of its English, or another of its dates: one part over
    12 shows the order of all, unless another one shows the opposite.

    >>> day_first("01/05/2020", "fr", None), day_first("01/05/2020", "en", "en-US")
    (True, False)
    >>> day_first("01/05/2020, 13/05/2020", "en", None), day_first("01/05/2020", "en", None)
    (True, None)
    """
    region = (lang or "").lower().replace("_", "-").partition("-")[2]
    if language != "en":
        return True
    if region in _MONTH_FIRST or region in _DAY_FIRST:
        return region in _DAY_FIRST
    if lang and not lang.lower().startswith("en"):
        return None
    orders = {
        int(match["a"]) > 12
        for match in _PARTS.finditer(text)
        if (int(match["a"]) > 12) != (int(match["b"]) > 12)
    }
    return orders.pop() if len(orders) == 1 else None


def date_in_digits(
    text: str, offset: int, order: Callable[[], bool | None] = lambda: None
) -> Numeral | None:
    """The date in digits that begins at `offset`, or `None`.

    Args:
        text: A cleaned text.
        offset: Where its first digit stands.
        order: Asked where the form leaves it open: whether the day is first.

    >>> date_in_digits("13.07.2022", 0).day, date_in_digits("2024-03-05", 0).day
    ((2022, 7, 13), (2024, 3, 5))
    >>> undecided = date_in_digits("03/05/2024", 0)
    >>> undecided.day, undecided.readings
    ((2024, None, None), ())
    """
    if match := _ISO.match(text, offset):
        day: Day = (int(match["y"]), int(match["m"]), _number(match["d"]))
        if day[2] is None and not _is_iso_month(match):
            return None
        if _valid(*day[1:]):
            return _date(text, offset, match.end(), day)
        return None
    if match := _PARTS.match(text, offset):
        return _from_parts(text, offset, match, order)
    if match := _MONTH_YEAR.match(text, offset):
        return _date(text, offset, match.end(), (int(match["y"]), int(match["m"]), None))
    if match := _CJK_DATE.match(text, offset):
        day = (
            _number(match["y"]),
            _number(match["m"] or match["m2"]),
            _number(match["d"] or match["d2"]),
        )
        return _date(text, offset, match.end(), day) if _valid(*day[1:]) else None
    return None


def _is_iso_month(match: re.Match[str]) -> bool:
    """2024-03 is a month; 2010-12 can be a span of years, 2024.5 a decimal, 2016/7 a season."""
    return match["sign"] == "-" and match["m"][0] == "0" and int(match["m"]) > 0


def _from_parts(
    text: str, offset: int, match: re.Match[str], order: Callable[[], bool | None]
) -> Numeral | None:
    a, b = int(match["a"]), int(match["b"])
    year = int(match["y"]) if len(match["y"]) == 4 else _century(int(match["y"]))
    if not (1 <= a <= 31 and 1 <= b <= 31 and (a <= 12 or b <= 12)):
        return None
    if (
        len(match["y"]) == 2
        and match["sign"] != "/"
        and not (len(match["a"]) == len(match["b"]) == 2)
    ):
        return None  # 1.2.13 is a version or a section
    if a > 12 or a == b:
        return _date(text, offset, match.end(), (year, b, a))
    if b > 12:
        return _date(text, offset, match.end(), (year, a, b))
    first = order()
    if first is None:
        return _date(text, offset, match.end(), (year, None, None), settled=False)
    return _date(text, offset, match.end(), (year, b, a) if first else (year, a, b))


def clock(text: str, offset: int) -> Numeral | None:
    """The time of day that begins at `offset`, in minutes since midnight, or `None`.

    Without "am", "pm" or a part of the day the hour is that of a day of 24: 2:30 is not 14:30.

    >>> [[int(r.value) for r in clock(t, 0).readings] for t in ("14:30", "2:30 pm", "2:30")]
    [[870], [870], [150]]
    >>> [int(clock(text, 0).value) for text in ("9:00 in the evening", "12:00 midnight")]
    [1260, 0]
    >>> clock("9am", 0).written, clock("3:1", 0)
    ('9am', None)
    """
    match = _CLOCK.match(text, offset)
    if not match:
        return None
    hour = int(match["h"])
    minute = int(match["min"] or match["min2"] or match["min3"] or 0)
    half = (match["half"] or match["half2"] or match["half3"] or "").lower()
    half = half or _part_of_day(text, offset, match.end(), hour)
    if hour > 24 or (half and not 1 <= hour <= 12):
        return None
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour % 24
    end = match.end()
    if half and text[end - 1] == "." and (end == len(text) or match[0].count(".") == 1):
        end -= 1  # the sentence's point, not that of "a.m."
    second = Fraction(int(match["sec"] or 0), 60)
    written = text[offset:end]
    reading = Value(Fraction(hour * 60 + minute) + second, NOTHING)
    return Numeral(offset, end, end, written, "time", (reading,))


def _part_of_day(text: str, start: int, end: int, hour: int) -> str:
    """Like the a or p of am and pm: "in the evening", 午後. "" where nothing says it."""
    if not 1 <= hour <= 12:
        return ""
    part = _DAYPART.match(text, end) or _HALF_BEFORE.search(text, max(0, start - 4), start)
    if not part:
        return ""
    night = "mid" not in part[0] and ("night" in part[0] or "nacht" in part[0].lower())
    if night and (hour < 6 or hour == 12):  # 2 at night is early, 10 at night late
        return "a"
    return "a" if part["a"] else "p"
