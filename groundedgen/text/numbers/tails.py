"""What belongs to a number after its digits: scale words, currency, unit, rate.

The tables are in `units`; here is how far from the number each of them may stand. All
functions take a cleaned text (see `cleaning`).
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import CURRENCY_SIGNS, NOTHING, Head
from groundedgen.text.numbers.quantity import Value
from groundedgen.text.numbers.rates import PER_WORDS, RATES, joined, parts, per
from groundedgen.text.numbers.units import (
    ADJECTIVES,
    ANY_CASE,
    CJK_UNITS,
    CODES,
    GLUED,
    GLUED_SCALES,
    LENGTHS,
    PHRASES,
    SCALES,
    SCALES_BY_LANGUAGE,
    SIGNS,
    SYMBOLS,
    WORDS,
    Measures,
    units_of,
)

__all__ = ["BLANK", "LETTER", "Reading", "Tail", "is_shouted", "money", "scaled", "tail"]

# For patterns: a blank of the same line; a letter of a script that sets blanks between words.
# (A class with few ranges, since compiling one costs time for all it spans.)
BLANK: Final = r"[ \t\xa0]"
LETTER: Final = r"[^\W\d_\u2e80-\ud7af]"

_AFTER: Final = compiled(
    rf"(?P<gap>{BLANK}{{0,2}}(?:\n{BLANK}{{0,8}})?[-\x96]?\n?)"
    rf"(?P<word>°{BLANK}?[CF](?!{LETTER})|(?:m|km|kg|mi|Mbit|Gbit)/[hs](?!{LETTER})"
    rf"|{LETTER}{{1,40}}|[^\w\s])"
)
_POINTS: Final = compiled(r"[- ]?(?:points?|pts?|Punkte)\b")
_POWERED: Final = compiled(rf"\^?[23\x12\x13](?![0-9^\x10-\x19]|{LETTER})|<sup>[23]</sup>")
_METRE_NEXT: Final = compiled(
    rf"{BLANK}?(?:[x×\x12\x13/^]|(?:long|wide|high|deep|tall|away|above|below|apart|thick|by|from"
    r"|across|lang|breit|hoch|tief)\b)"
)
_MANY_NEXT: Final = compiled(rf"{BLANK}(?:[a-z]+[- ])?(?:people|men|women|children|[a-z]{{3,}}s)\b")
_FEET: Final = compiled(rf"(?<!{LETTER})(?:ft|feet|foot)\.?,?\s[0-9.]+$")
_MONEY_NEXT: Final = compiled(rf"{BLANK}?(?:(?P<sign>[^\w\s])(?![0-9])|(?P<code>[A-Za-z]{{2,8}}))")


class Reading(NamedTuple):
    """One way to read what stands after a number: a factor and what is measured."""

    scale: int
    measures: Measures


class Tail(NamedTuple):
    """What follows a number.

    Attributes:
        end: End of the number with its scale word and percent or currency sign.
        whole: End with its unit word too.
        readings: One, or two where a letter may be a scale or a unit ("12m").
        per: What it is a rate per ("month"), or "".
    """

    end: int
    whole: int
    readings: tuple[Reading, ...]
    per: str = ""


_PLAIN: Final = (Reading(1, NOTHING),)
# Everything that can mean something right after a number; for all else there is nothing to do.
_KNOWN: Final = frozenset(
    (
        *SIGNS, *SCALES, *SYMBOLS, *ANY_CASE, *WORDS, *PHRASES, *GLUED, *GLUED_SCALES, *ADJECTIVES,
        *(word for table in SCALES_BY_LANGUAGE.values() for word in table),
        *(f"{length}/{time}" for length in "m km kg mi Mbit Gbit".split() for time in "hs"),
        *PER_WORDS, "/", "(",
    )
)  # fmt: skip
# Words that are a unit and nothing else, and whose next word does not matter.
_UNITS_ONLY: Final[dict[str, tuple[Reading, ...]]] = {
    word: (Reading(1, measures),)
    for word, measures in WORDS.items()
    if not measures & LENGTHS
    and len(word) > 2
    and not any(
        word in table for table in (SCALES, SYMBOLS, PHRASES, GLUED, GLUED_SCALES, ADJECTIVES)
    )
    and not any(word in table for table in SCALES_BY_LANGUAGE.values())
}


def tail(
    text: str, offset: int, *, paid: bool = False, language: str = "en", scales: bool = True
) -> Tail:
    """Read scale words, currency, unit and rate after a number that ends at `offset`.

    Args:
        text: A cleaned text.
        offset: Where the digits, or the number words, end.
        paid: A currency stands before the number; letters like "m" then scale.
        language: Whose scale words: a German Billion is an English trillion.
        scales: Whether scale words are read at all.

    >>> tail("1.2 million euros a year", 3)[:2], tail("5 mg daily", 1).per
    ((11, 17), 'day')
    >>> tail("5 people", 1)
    Tail(end=1, whole=1, readings=(Reading(scale=1, measures=frozenset()),), per='')
    """
    first = _AFTER.match(text, offset)
    if first is None:
        return _rated(text, _cjk(text, Tail(offset, offset, _PLAIN)), paid=paid)
    word = first["word"]
    low = word.lower()
    if readings := _UNITS_ONLY.get(low):  # days, hours: most of those that belong
        end = first.end()
        return _rated(text, Tail(offset, end, readings), paid=paid)
    if word[0] != "°" and word not in _KNOWN and word[-2:] != "ly" and low not in _KNOWN:
        return Tail(offset, offset, _PLAIN)
    found = _read(text, offset, first, paid=paid, language=language if scales else "")
    return _rated(text, found, paid=paid)


def _rated(text: str, found: Tail, *, paid: bool) -> Tail:
    """With what it is per. Of 100 km/h and 100 km per hour the unit and the rate are the same."""
    reading = found.readings[0]
    rate = per(text, found.whole, measured=paid or bool(reading.measures))
    if len(reading.measures) == 1 and (own := RATES.get(*reading.measures)):
        reading = Reading(reading.scale, frozenset([own[0]]))
        rate = joined([own[1], *parts(rate)])
        return found._replace(readings=(reading,), per=rate)
    return found._replace(per=rate) if rate else found


def _read(text: str, offset: int, first: re.Match[str], *, paid: bool, language: str) -> Tail:
    """Scale words, as many as there are, then one unit, past an adjective between them."""
    end, scale, skipped = offset, 1, False
    match: re.Match[str] | None = first
    while match:
        word, gap = match["word"], match["gap"]
        if word[0] in SIGNS:
            measures, whole = _after_sign(text, match)
            whole = whole if measures else end
            return Tail(whole, whole, (Reading(scale, measures),))
        factor, last = _scale(text, match, paid=paid, language=language)
        if factor and not skipped:
            scale, end = scale * factor, last
            match = _AFTER.match(text, end)
            continue
        if scale == 1 and not gap and word in GLUED_SCALES:
            readings, end = _letter(text, match)
            return Tail(end, end, readings)
        measures, whole = _unit(text, match)
        if measures:
            return Tail(end, whole, (Reading(scale, measures),))
        if skipped or word.lower() not in ADJECTIVES:
            break
        skipped, match = True, _AFTER.match(text, match.end())
    plain = Tail(end, end, (Reading(scale, NOTHING),))
    return plain if match else _cjk(text, plain)


def _cjk(text: str, found: Tail) -> Tail:
    """A unit of scripts without blanks, right after the number."""
    near = text[found.end : found.end + 8].lstrip(" \xa0")
    if near.isascii():
        return found
    start = found.end + (text[found.end] in " \xa0")
    for length in range(min(6, len(near)), 0, -1):
        if measures := CJK_UNITS.get(near[:length]):
            reading = Reading(found.readings[0].scale, measures)
            return Tail(found.end, start + length, (reading,))
    return found


def _after_sign(text: str, match: re.Match[str]) -> tuple[Measures, int]:
    """A sign after a number: percent, degree or currency. "5 $6" leaves the sign to 6."""
    word, end = match["word"], match.end()
    if word in CURRENCY_SIGNS and text[end : end + 2].lstrip()[:1].isdecimal():
        return NOTHING, end
    if word[0] == "°" and len(word) > 1:
        return SIGNS["℃" if word[-1] == "C" else "℉"], end
    if word == "%" and (points := _POINTS.match(text, end)):
        return frozenset(["percentage-point"]), points.end()
    return SIGNS[word], end


def _scale(text: str, match: re.Match[str], *, paid: bool, language: str) -> tuple[int, int]:
    """The factor of a scale word and where it ends (its point included), or 0."""
    word, end, gap = match["word"], match.end(), match["gap"]
    if not language:
        return 0, end
    if word in GLUED_SCALES:
        with_money, without = GLUED_SCALES[word]
        if (not gap or gap in " \xa0") and (paid or money(text, end)):
            return with_money, end
        return (without if not gap and word != "B" else 0), end
    low = word.lower()
    if word in SYMBOLS and not (word.islower() or word.isupper() or word.istitle()):
        return 0, end  # 5 mN is a force, 5 mn and 5 MN are millions
    factor = SCALES_BY_LANGUAGE.get(language, {}).get(low) or SCALES.get(low, 0)
    if factor and len(low) <= 4 and text.startswith(".", end):
        end += 1
    return factor, end


def money(text: str, offset: int) -> bool:
    """Whether a currency follows: "5 M €", "5k USD"."""
    match = _MONEY_NEXT.match(text, offset)
    if not match:
        return False
    code = match["code"]
    if code is None:
        return match["sign"] in CURRENCY_SIGNS
    return code in CODES or any(name.isupper() for name in WORDS.get(code.lower(), NOTHING))


def _letter(text: str, match: re.Match[str]) -> tuple[tuple[Reading, ...], int]:
    """A glued letter that may scale or measure, and its end: 12m is million or metre."""
    word, end = match["word"], match.end()
    scaled_up = Reading(GLUED_SCALES[word][0], NOTHING)
    if word == "B":
        return (scaled_up, Reading(1, frozenset(["byte"]))), end
    if word not in SYMBOLS:
        return (scaled_up,), end
    if power := _POWERED.match(text, end):
        return (Reading(1, _to_the(power, SYMBOLS[word])),), power.end()
    if word != "m":
        return (Reading(1, SYMBOLS[word]),), end
    measured = Reading(1, SYMBOLS[word] | {"minute"})
    if _METRE_NEXT.match(text, end):
        return (measured,), end
    return ((scaled_up,) if _MANY_NEXT.match(text, end) else (scaled_up, measured)), end


def _unit(text: str, match: re.Match[str]) -> tuple[Measures, int]:
    word, gap, end = match["word"], match["gap"], match.end()
    low = word.lower()
    for rest, names in PHRASES.get(low, ()):
        if found := _words(rest).match(text, end):
            return names, found.end()
    names = NOTHING
    if len(word) > 1 or gap in {"", " ", "\xa0"}:
        names = SYMBOLS.get(word, NOTHING)
        if gap and word.isupper() and (not names or is_shouted(text, match.start(), end)):
            names = units_of(word, shouted=is_shouted(text, match.start(), end)) or names
    if not names and (
        _is_glued(text, match) if not gap else low == "in" and _after_feet(text, match)
    ):
        names = GLUED.get(word, NOTHING)
    names = names or WORDS.get(low, NOTHING)
    if not names and len(word) > 1:
        names = units_of(word)
    if names & LENGTHS and (power := _POWERED.match(text, end)):
        return _to_the(power, names), power.end()
    return names, end


def is_shouted(text: str, start: int, end: int) -> bool:
    """Whether a symbol stands in a line that has no small letter, but other capitals.

    >>> is_shouted("POWER: 5 MW", 9, 11), is_shouted("The power is 5 MW", 15, 17)
    (True, False)
    """
    first = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    around = f"{text[first:start]} {text[end : end + _AROUND].partition(chr(10))[0]}"
    letters = [char for char in around if char.isalpha()]
    return len(letters) >= _FEW_LETTERS and not any(map(str.islower, letters))


_AROUND: Final = 80  # code points
_FEW_LETTERS: Final = 4


def _is_glued(text: str, match: re.Match[str]) -> bool:
    """99p is money, 1080p is not."""
    return match["word"] != "p" or not text[max(0, match.start() - 3) : match.start()].isdecimal()


def _after_feet(text: str, match: re.Match[str]) -> bool:
    """6 ft 2 in: only there "in" is a unit."""
    return _FEET.search(text, max(0, match.start() - 12), match.start()) is not None


@lru_cache(maxsize=512)
def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    """The further words of a unit, with the blanks or hyphens before each of them."""
    pattern = "".join(rf"[\s.-]{{1,9}}{re.escape(word)}" for word in words)
    return re.compile(rf"{pattern}(?!{LETTER}|[0-9_])", re.IGNORECASE)


def _to_the(power: re.Match[str], lengths: Measures) -> Measures:
    kind = "square" if not {"2", "\x12"}.isdisjoint(power[0]) else "cubic"
    return frozenset(f"{kind}-{length}" for length in lengths)


def scaled(value: Fraction | None, front: Head, after: Tail) -> tuple[Value, ...]:
    """The readings of a number with what stands before and after it; none without a value."""
    if value is None:
        return ()
    if front.scale == 1 and len(after.readings) == 1 and after.readings[0].scale == 1:
        return (Value(value, after.readings[0].measures or front.measures),)
    return tuple(
        Value(value * (scale * front.scale), measures or front.measures)
        for scale, measures in after.readings
    )
