"""Chinese, Japanese and Korean numbers: 一万五千亿, 1.2亿, 3万5千, 百分之五, 二〇二四年.

Scales nest: one that is larger than those before it multiplies all of them. A single
numeral character is mostly a part of a word (一般, 十分), so it counts only before a
counter or a unit. Spelled-out Korean (삼십) is not read: its syllables are common words.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.digits import exact
from groundedgen.text.numbers.heads import head
from groundedgen.text.numbers.identifiers import identifier
from groundedgen.text.numbers.quantity import Day, Numeral, Value
from groundedgen.text.numbers.tails import Tail, scaled, tail

__all__ = ["HAN", "cjk_numerals"]

_DIGITS: Final = {
    char: value
    for value, chars in enumerate(
        "〇零 一壹壱 二贰貳弐两兩 三叁參参 四肆 五伍 六陆陸 七柒漆 八捌 九玖".split()
    )
    for char in chars
}
_TENS: Final = {
    char: v for v, chars in ((10, "十拾십"), (100, "百佰백"), (1000, "千仟천")) for char in chars
}
_BIG: Final = {
    char: v
    for v, chars in ((10**4, "万萬만"), (10**8, "亿億억"), (10**12, "兆조"))
    for char in chars
}
_HAN_TENS: Final = "十拾百佰千仟"
_HAN_DIGITS: Final = "".join(_DIGITS)
_SCALES: Final = "".join((*_TENS, *_BIG))
HAN: Final = compiled(f"[{_HAN_DIGITS}{_SCALES}第]")
_ARABIC: Final = r"(?<![0-9,.])[0-9](?:[0-9,.]{0,30}[0-9])?"
_NUMBER: Final = (
    rf"(?:{_ARABIC}(?=[{_SCALES}])|[{_HAN_DIGITS}{_HAN_TENS}])"
    rf"(?:[{_HAN_DIGITS}{_SCALES}]|{_ARABIC}|(?<=[{_SCALES}])[ ](?={_ARABIC}[{_SCALES}]))*"
)
_RUN: Final = compiled(
    rf"(?P<ratio>(?:(?P<parts>[{_HAN_DIGITS}{_SCALES}]{{1,16}})分之)(?P<count>{_NUMBER}|{_ARABIC})(?:[点點](?P<tenths>[{_HAN_DIGITS}]+))?)"
    rf"|(?P<nth>第[ ]?(?P<place>{_NUMBER}|{_ARABIC}))[ ]?(?P<noun>[条條章节節款项項])?"
    rf"|(?P<year>[{_HAN_DIGITS}]{{4}})年(?:(?P<month>[{_HAN_DIGITS}十]{{1,2}})月"
    rf"(?:(?P<day>[{_HAN_DIGITS}十]{{1,3}})日)?)?"
    rf"|(?P<number>{_NUMBER})(?:[点點](?P<point>[{_HAN_DIGITS}]+))?"
)
_TOKEN: Final = compiled(rf"{_ARABIC}|.")
_COUNTER: Final = compiled("[个個名人件条條项項台辆輛家位次回本页頁套户戶岁歲歳枚匹冊명개]")
_ARTICLES: Final = {
    "条": "article", "條": "article", "章": "chapter", "节": "section", "節": "section",
    "款": "paragraph", "项": "item", "項": "item",
}  # fmt: skip
_LONGEST: Final = 60  # tokens; nobody writes a longer number


def cjk_numerals(text: str) -> Iterator[Numeral]:
    """The numbers of a text that are written with CJK numerals or scales.

    >>> [int(n.value) for n in cjk_numerals("总额为一万五千亿，另有1,100万件。")]
    [1500000000000, 11000000]
    >>> list(cjk_numerals("这十分重要，一般如此"))
    []
    """
    for match in _RUN.finditer(text):
        numeral = _numeral(text, match)
        if numeral:
            yield numeral


def _numeral(text: str, match: re.Match[str]) -> Numeral | None:
    if match["ratio"]:
        return _ratio(text, match)
    if match["nth"]:
        return _nth(text, match)
    if match["year"]:
        return _year(text, match)
    start, end, run = match.start(), match.end(), match["number"]
    value = _with_decimals(_value(run), match["point"])
    after = tail(text, end)
    if not match["point"] and not run[0].isdecimal() and not _is_number(text, run, end, after):
        return None
    return _numbered(text, start, end, value, after)


def _is_number(text: str, run: str, end: int, after: Tail) -> bool:
    """Whether numeral characters are a number here and not a part of a word."""
    with_digit = any(char in _DIGITS for char in run)
    if len(run) >= 2 and with_digit and run != "万一":
        return True
    return bool(after.readings[0].measures) or _COUNTER.match(text, end) is not None


def _numbered(text: str, start: int, end: int, value: Fraction | None, after: Tail) -> Numeral:
    front = head(text, start)
    begin, stop = front.start, max(after.end, end)
    written = text[begin:stop]
    readings = scaled(-value if front.negative and value is not None else value, front, after)
    return Numeral(begin, stop, max(after.whole, stop), written, "number", readings, per=after.per)


def _value(run: str) -> Fraction | None:
    """The value of numeral characters, scales and Arabic digits, or `None` where undecided."""
    tokens = _TOKEN.findall(run.replace(" ", ""))
    if len(tokens) > _LONGEST:
        return None
    if len(tokens) > 1 and all(token in _DIGITS for token in tokens):
        return Fraction(int("".join(str(_DIGITS[token]) for token in tokens)))
    total = section = Fraction(0)
    number: Fraction | None = None
    largest = last = 0  # the largest scale in `total`; the factor just before
    for token in tokens:
        if token in _TENS:
            section += (Fraction(1) if number is None else number) * _TENS[token]
            number, last = None, _TENS[token]
        elif token in _BIG:
            section += number or 0
            total, largest = _closed(total, section, largest, _BIG[token])
            section, number, last = Fraction(0), None, _BIG[token]
        elif number:
            return None  # two digits without a scale between them
        else:
            number = Fraction(_DIGITS[token]) if token in _DIGITS else exact(token)
            if number is None:
                return None
            last = last if number else 0
    if number and last > 10:
        return None  # 一万五: fifteen thousand in speech, ten thousand and five in Japanese
    return total + section + (number or 0)


def _with_decimals(value: Fraction | None, point: str | None) -> Fraction | None:
    """三点一四 is 3.14."""
    if value is None or not point:
        return value
    digits = "".join(str(_DIGITS[char]) for char in point[:_LONGEST])
    return value + Fraction(int(digits), 10 ** len(digits))


def _closed(total: Fraction, section: Fraction, largest: int, factor: int) -> tuple[Fraction, int]:
    """A section closed off by a scale: a larger one than those before multiplies all of it."""
    if factor > largest:
        return (total + section or Fraction(1)) * factor, factor
    return total + section * factor, largest


def _ratio(text: str, match: re.Match[str]) -> Numeral | None:
    """百分之五 is five per cent, 三分之一 one third."""
    parts, count = _value(match["parts"]), match["count"]
    value = _with_decimals(exact(count) if count.isascii() else _value(count), match["tenths"])
    if not parts or value is None:
        return None
    start, end = match.span()
    if parts == 100:
        reading = Value(value, frozenset(["percent"]))
        return Numeral(start, end, end, text[start:end], "number", (reading,))
    reading = Value(value / parts, frozenset())
    return Numeral(start, end, end, text[start:end], "fraction", (reading,))


def _nth(text: str, match: re.Match[str]) -> Numeral | None:
    """第三条 is Article 3, 第三 the third."""
    place = match["place"]
    value = exact(place) if place.isascii() else _value(place)
    if value is None:
        return None
    start, end = match.span("nth")
    if label := _ARTICLES.get(match["noun"] or ""):
        return identifier(text, start, match.end(), label, str(value))
    reading = Value(value, tail(text, end).readings[0].measures)
    written = text[start:end]
    return Numeral(start, end, end, written, "ordinal", (reading,), weak=value <= 3)


def _year(text: str, match: re.Match[str]) -> Numeral | None:
    """二〇二四年三月五日."""
    year, month, day = (_value(match[name] or "〇") for name in ("year", "month", "day"))
    if year is None or month is None or day is None or month > 12 or day > 31:
        return None
    start, end = match.span()
    parts: Day = (int(year), int(month) or None, int(day) or None)
    reading = Value(year, frozenset())
    return Numeral(start, end, end, text[start:end], "date", (reading,), day=parts)
