"""What a quantity is a rate per: "/kg/day", "per 100 g", "p.a.", "twice daily".

A rate is written as its parts in order, joined by "/": "day/kilogram", "100 gram". Periods of
a day and longer may be left out of a statement (a rent of £500 is a rent of £500 a month);
what else a number is per changes what it says (5 mg is not 5 mg/kg, 100 km is not 100 km/h).
All functions take a cleaned text (see `cleaning`).
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

import re
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.units import LENGTHS, PERIODS, SYMBOLS, WORDS, Measures

__all__ = ["PER_WORDS", "RATES", "is_left_out", "joined", "parts", "per", "stated", "times_per"]

_LETTER: Final = r"[^\W\d_\u2e80-\ud7af]"
_BLANK: Final = r"[ \t\xa0]"
# Units that are a rate themselves: what is measured, and per what.
RATES: Final[dict[str, tuple[str, str]]] = {
    "kilometre-hour": ("kilometre", "hour"), "mile-hour": ("mile", "hour"),
    "metre-second": ("metre", "second"), "kilobit-second": ("kilobit", "second"),
    "megabit-second": ("megabit", "second"), "gigabit-second": ("gigabit", "second"),
}  # fmt: skip
_ADVERBS: Final = (
    "daily weekly monthly quarterly yearly annually hourly nightly annual täglich wöchentlich "
    "monatlich vierteljährlich jährlich stündlich mtl jährl mensual mensuales anual anuales "
    "semanal "
    "semanales diario diarios diaria diarias trimestral mensuel mensuels mensuelle mensuelles "
    "annuel "
    "annuels annuelle annuelles hebdomadaire hebdomadaires quotidien quotidiens quotidienne "
    "trimestriel trimestriels mensile mensili annuo annui annua giornaliero mensal mensais anuais "
    "diário maandelijks jaarlijks dagelijks wekelijks"
).split()
_ABBREVIATED: Final = {
    "pa": "year", "pm": "month", "pw": "week", "pd": "day", "pcm": "month", "pj": "year",
    "aa": "year",
}  # fmt: skip
_BY: Final = r"per|each|every|pro|par|por|je|jede[nrs]?|alle|cada|chaque|al|ao|elke"
_AREA: Final = (
    r"(?P<power>square|cubic|sq\.?|cu\.?)\s(?P<length>met(?:re|er)s?|f(?:oo|ee)t|ft|m|km"
    r"|kilomet(?:re|er)s?|centimet(?:re|er)s?|inch(?:es)?|yards?|miles?)(?!\w)"
)
_PER: Final = compiled(
    rf"(?:{_BLANK}?/{_BLANK}?|\s\(?(?:{_BY})\s+(?P<other>other\s)?|\s(?:an?)\s+|\s(?:im|am)\s(?=(?:Jahr|Monat|Quartal|Tag)"
    rf"(?!{_BLANK}[0-9A-ZÄÖÜ]|{_LETTER}))|\s?(?:all|à\sl|l)')"
    rf"(?:(?P<count>[0-9]{{1,4}})(?:st|nd|rd|th)?(?:{_BLANK}|-)?)?"
    rf"(?:{_AREA}|(?P<each>{_LETTER}{{1,40}})(?P<raised>[23\x12\x13](?![0-9\x10-\x19]))?"
    r"|(?P<cjk>[年月日天周週時时]))"
)
_ADVERB: Final = compiled(
    rf"[\s(-]{{1,2}}(?P<word>{'|'.join(_ADVERBS)})(?!{_LETTER})", re.IGNORECASE
)
_SHORT: Final = compiled(
    rf"{_BLANK}?[(]?(?P<word>p\.{_BLANK}?[aAmMwWdjJ](?!{_LETTER})|pcm|p[awm]|a\.{_BLANK}?a\.)(?!{_LETTER})\.?"
)
_BODY: Final = compiled(
    r"\s(?:of\s)?(?:body[ -]?weight|bodyweight|Körpergewichts?|KG\b|BW\b|bw\b"
    r"|de\s(?:poids|peso)(?:\scorpor\w+)?|di\speso(?:\scorporeo)?)"
)
_CJK: Final = {
    "年": "year", "月": "month", "日": "day", "天": "day", "周": "week", "週": "week",
    "時": "hour", "时": "hour",
}  # fmt: skip
# Cheap first: what can begin a rate, or nothing.
_NEXT: Final = compiled(
    rf"{_BLANK}?/|[\s(-]{{1,3}}(?P<word>{_LETTER}{{1,24}})|\s?(?:all|l|à)(?=['\s])"
)
_MOST_PARTS: Final = 3
_LONG: Final = frozenset("day night week fortnight month quarter year half-year".split())
_SHORT_PERIODS: Final = frozenset("second minute hour".split())
_STATED: Final = compiled(
    rf"(?:/{_BLANK}?|\b(?:{_BY})\s)(?P<each>{_LETTER}{{1,40}})(?P<raised>[23\x12\x13])?"
)
PER_WORDS: Final = frozenset(
    (*_BY.replace("jede[nrs]?", "jede|jeden|jeder|jedes").split("|"), "a", "an", "im", "am",
     "all", "l", "à", "p", *_ABBREVIATED, *_ADVERBS)
)  # fmt: skip


def per(text: str, offset: int, *, measured: bool = True) -> str:
    """What a quantity that ends at `offset` is per, or "".

    Args:
        text: A cleaned text.
        offset: Where the number with its unit ends.
        measured: Whether it has a unit or a currency; only then "p.m." is a month.

    >>> per("5 mg/kg/day", 4), per("2% p.m.", 2), per("9 kg per 100 km", 4)
    ('day/kilogram', 'month', '100 kilometre')
    >>> per("5 % im Jahr 2023", 3), per("5 euros an effort", 7)
    ('', '')
    """
    near = _NEXT.match(text, offset)
    if near is None or (near["word"] and near["word"].lower() not in PER_WORDS):
        return ""
    found: list[str] = []
    while len(found) < _MOST_PARTS:
        part, offset = _part(text, offset, measured=measured)
        if not part:
            break
        found.append(part)
        if body := _BODY.match(text, offset):
            offset = body.end()
    return joined(found)


def joined(found: list[str]) -> str:
    """Parts as one rate, in an order of their own."""
    return found[0] if len(found) == 1 else "/".join(sorted(found))


def parts(rate: str) -> frozenset[str]:
    """The parts of a rate."""
    return frozenset(rate.split("/")) if rate else frozenset()


def times_per(times: int, period: str) -> str:
    """So many times per period, as a part of a rate.

    >>> times_per(1, "day"), times_per(2, "day")
    ('day', '2 times a day')
    """
    return period if times == 1 else f"{times} times a {period}"


def _part(text: str, offset: int, *, measured: bool) -> tuple[str, int]:
    if match := _PER.match(text, offset):
        if each := _each(match):
            count = 2 if match["other"] else int(match["count"] or 1)
            return (each if count == 1 else f"{count} {each}"), match.end()
        return "", offset
    if match := _ADVERB.match(text, offset):
        return PERIODS[match["word"].lower()], match.end()
    if measured and (match := _SHORT.match(text, offset)):
        word = "".join(filter(str.isalpha, match["word"])).lower()
        return _ABBREVIATED.get(word, ""), match.end()
    return "", offset


def _each(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups.get("cjk"):
        return _CJK[groups["cjk"]]
    if length := groups.get("length"):
        kind = "square" if groups["power"][0] == "s" else "cubic"
        return f"{kind}-{_named(length)}"
    word = groups["each"]
    if raised := groups["raised"]:
        name = _named(word)
        kind = "square" if raised in "2\x12" else "cubic"
        return f"{kind}-{name}" if name in LENGTHS else ""
    return _named(word)


def _named(word: str) -> str:
    """One name for a period or unit; "" for a word that is none, or more than one."""
    if period := PERIODS.get(word.lower()):
        return period
    names = SYMBOLS.get(word) or WORDS.get(word.lower())
    if not names or len(names) > 1:
        return ""
    name = next(iter(names))
    return "" if name.isupper() else name


def is_left_out(part: str, measures: Measures) -> bool:
    """Whether a statement may leave out that a quantity is per `part`.

    >>> is_left_out("month", frozenset(["GBP"])), is_left_out("kilogram", frozenset(["milligram"]))
    (True, False)
    >>> is_left_out("hour", frozenset(["kilometre"])), is_left_out("hour", frozenset(["EUR"]))
    (False, True)
    """
    count, _, period = part.rpartition(" ")
    if period in _LONG or (count and period == "hour"):  # every 8 hours, per 24 hours
        return True
    return period in _SHORT_PERIODS and all(name.isupper() or name == "times" for name in measures)


def stated(text: str) -> frozenset[str]:
    """Everything that a text says something is per, wherever it stands: "Dose (mg/kg)".

    >>> sorted(stated("Price per litre, dose in mg/kg"))
    ['kilogram', 'litre']
    """
    return frozenset(filter(None, (_stated(match) for match in _STATED.finditer(text))))


def _stated(match: re.Match[str]) -> str:
    return _each(match)
