"""The numbers that a passage holds, and whether a number of a claim is one of them.

Looked up, never calculated: no sums, rates, rounding, counting or conversion. What a number
measures belongs to it: measures that are both known and differ conflict. One that is missing
from the claim, or unknown, does not; a per cent sign is never missing by chance, so a claimed
per cent needs one in the passage.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import word_before
from groundedgen.text.numbers.quantity import Day, Value, written_key
from groundedgen.text.numbers.rates import is_left_out, parts, stated
from groundedgen.text.numbers.surroundings import bound, falls, is_clock_place, noun, same_bound
from groundedgen.text.numbers.units import SIGNS, Measures
from groundedgen.text.numerals import Numeral, numerals

__all__ = ["CONTEXT", "Holdings", "holdings"]

_CACHED_LENGTH: Final = 1 << 16  # code points; longer passages share a small cache of their own
_SHARES: Final = frozenset(["percent", "permille", "percentage-point", "basis-point"])
_NOUNED: Final = frozenset(["ordinal", "number"])
_LAST_DIGITS: Final = compiled(r"[0-9]+$")
_COUNTS: Final = frozenset(["number", "fraction"])
_TIMES: Final = frozenset(["times"])
_NAME: Final = compiled(r"[^\W\d_]+")
_NUMBER: Final = compiled(r"[0-9]")
_FEET: Final = frozenset(["foot and inch", "inch after foot"])
_FEET_WRITTEN: Final = compiled("[0-9]{1,2}['\u2019\u2032][0-9]{1,2}")
_COINS: Final[dict[str, Measures]] = {
    "pence": frozenset(["GBP"]), "paise": frozenset(["INR"]),
    "cent": frozenset(["USD", "EUR", "CAD", "AUD", "NZD", "HKD", "SGD", "ZAR", "CHF"]),
}  # fmt: skip
_DOLLARS: Final = (
    ("CAD", ("CAD", "Canadian dollar", "C$")), ("AUD", ("AUD", "Australian dollar", "A$", "AU$")),
    ("NZD", ("NZD", "New Zealand dollar", "NZ$")), ("HKD", ("HKD", "Hong Kong dollar", "HK$")),
    ("SGD", ("SGD", "Singapore dollar", "S$")), ("TWD", ("TWD", "Taiwan dollar", "NT$")),
    ("MXN", ("MXN", "Mexican peso", "pesos mexicanos")),
)  # fmt: skip
_MANY: Final = 32
CONTEXT: Final = 48  # code points before a number that can decide what it says
_Entry = tuple[Numeral, Measures]


def holdings(passage: str, lang: str | None = None) -> Holdings:
    """The numbers of a passage, ready to be asked. Cached; see `numerals` for `lang`.

    >>> held = holdings("Give thirty (30) days' notice by 5 March 2024.")
    >>> claim = "30 days before March 5, or 30 months"
    >>> [held.supports(number, claim) for number in numerals(claim)]
    [True, True, False]
    """
    return (_short if len(passage) <= _CACHED_LENGTH else _long)(passage, lang)


class Holdings:
    """The numbers of one passage, by value, as dates and as written."""

    def __init__(self, passage: str, lang: str | None = None) -> None:
        self.passage = passage
        self.found = numerals(passage, lang)
        self._values: dict[Fraction, list[_Entry]] = {}
        self._keys: dict[str, list[Numeral]] = {}
        self._thinned: set[Fraction] = set()
        for numeral in self.found:
            if numeral.kind != "date":
                for value, measures in numeral.readings:
                    self._values.setdefault(value, []).append((numeral, measures))
            if numeral.kind == "identifier" or not numeral.readings:
                self._keys.setdefault(numeral.as_written, []).append(numeral)

    def supports(self, numeral: Numeral, claim: str) -> bool:
        """Whether a number of `claim` stands here, or need not stand."""
        if numeral.weak and not self._conflicts(numeral, claim):
            return True
        if numeral.kind == "identifier":
            return self._named(numeral, claim)
        if numeral.kind == "date":
            return self._dated(numeral)
        if any(self._valued(numeral, reading, claim) for reading in numeral.readings):
            return True
        return self._as_written(numeral) or self._in_feet(numeral, claim)

    def has_value(self, numeral: Numeral) -> bool:
        """Whether a number has this value here, whatever it measures."""
        return any(value in self._values for value, _ in numeral.readings)

    def _entries(self, value: Fraction) -> Iterable[_Entry]:
        found = self._values.get(value, [])
        if len(found) > _MANY and value not in self._thinned:
            # Repeats in the same surroundings say nothing new, and would be asked again and again.
            different = {
                (n[3:], found, self._before(n)): (n, found) for n, found in reversed(found)
            }
            self._values[value] = found = list(reversed(different.values()))
            self._thinned.add(value)
        return found

    def _before(self, numeral: Numeral) -> str:
        return self.passage[max(0, numeral.start - CONTEXT) : numeral.start]

    # Indexes that few claims need.

    @cached_property
    def _written(self) -> dict[str, list[Numeral]]:
        by_form: dict[str, list[Numeral]] = {}
        for numeral in self.found:
            by_form.setdefault(numeral.as_written, []).append(numeral)
        return by_form

    @cached_property
    def _nouns(self) -> dict[tuple[str, str], set[Fraction | None]]:
        """By kind and the word after it, the values of numbers."""
        by_noun: dict[tuple[str, str], set[Fraction | None]] = {}
        for numeral in self.found:
            if numeral.kind in _NOUNED:
                key = numeral.kind, noun(self.passage, numeral)
                by_noun.setdefault(key, set()).add(numeral.value)
        return by_noun

    @cached_property
    def _enclosed(self) -> set[str]:
        """The numbers that are one character each: ①, Ⅳ."""
        return {n.key for n in self.found if n.kind == "identifier" and not n.written.isascii()}

    def _has_namesake(self, key: str) -> bool:
        """Whether the passage has a name that is this one but for its number: Basel II, III."""
        word = _NAME.match(key)
        if not word or word[0] == key:
            return False
        return word[0] in self._name_words

    @cached_property
    def _name_words(self) -> set[str]:
        """The words that numbers stand behind, in a name or after a blank."""
        words = (_NAME.match(key) for key in self._keys)
        inside = {word[0] for word in words if word and _NUMBER.match(word.string, word.end())}
        return inside | {before for before, _ in self._after_words}

    def _factors(self, numeral: Numeral) -> set[Fraction | None]:
        """The numbers that say the same sort of thing: how often per day, how many fold."""
        return self._sorts.get(
            ("fraction" if numeral.kind == "fraction" else "times", numeral.per), set()
        )

    @cached_property
    def _sorts(self) -> dict[tuple[str, str], set[Fraction | None]]:
        """Bare fractions, and what is so many times, by what it is per; half is once over two."""
        sorts: dict[tuple[str, str], set[Fraction | None]] = {}
        for numeral in self.found:
            if numeral.measures == _TIMES:
                sorts.setdefault(("times", numeral.per), set()).add(numeral.value)
            elif numeral.kind == "fraction" and not numeral.measures:
                sorts.setdefault(("fraction", numeral.per), set()).add(numeral.value)
                if numeral.value == Fraction(1, 2):
                    sorts.setdefault(("times", ""), set()).add(numeral.value)
        return sorts

    @cached_property
    def _after_words(self) -> set[tuple[str, str]]:
        """The word before, and the digits, of every bare number."""
        return {
            (written_key(word_before(self.passage, numeral.start)[0]), numeral.written)
            for numeral in self.found
            if numeral.kind == "number" and numeral.written.isdecimal() and not numeral.measures
        }

    @cached_property
    def _days(self) -> set[Day]:
        """Every date, whole and as the parts of it that a claim may state."""
        days: set[Day] = set()
        for numeral in self.found:
            if numeral.kind == "date":
                year, month, day = numeral.day
                days |= {
                    (y, m, d) for y in (year, None) for m in (month, None) for d in (day, None)
                }
        return days

    @cached_property
    def _stated(self) -> frozenset[str]:
        """Everything that the passage says anything is per."""
        return stated(self.passage)

    @cached_property
    def _yearless(self) -> set[Day]:
        return {
            numeral.day for numeral in self.found if numeral.kind == "date" and not numeral.day[0]
        }

    @cached_property
    def _hours(self) -> set[Fraction]:
        """The hours of all times, as an hour of a clock with twelve of them too."""
        minutes = [value for n in self.found if n.kind == "time" for value, _ in n.readings]
        return {hour for value in minutes for hour in (value / 60, value / 60 - 12)}

    @cached_property
    def _decades(self) -> set[Fraction]:
        """The decades named: 1990, and 90 for the '90s."""
        return {n.readings[0].value for n in self.found if n.kind == "decade"}

    # Numbers that need not stand.

    def _conflicts(self, numeral: Numeral, claim: str) -> bool:
        """Whether the passage has other numbers of the same noun: one visit, two visits."""
        if numeral.kind == "identifier":
            if numeral.written.isascii():
                return self._has_namesake(numeral.key) and not self._named(numeral, claim)
            return bool(self._enclosed) and numeral.key not in self._enclosed
        if numeral.measures == _TIMES or numeral.kind == "fraction":
            factors = self._factors(numeral)
            return bool(factors) and numeral.value not in factors
        if numeral.kind not in _NOUNED:
            return False
        counted = noun(claim, numeral)
        if counted in {"", "one"}:
            return False
        same = self._nouns.get((numeral.kind, counted))
        return same is not None and numeral.value not in same

    # Names, and what has no value.

    def _as_written(self, numeral: Numeral) -> bool:
        """Copied sign by sign, where one of the two has no value or more than one."""
        index = self._written if numeral.value is None else self._keys
        return any(
            other.kind == numeral.kind and _may_measure(numeral.measures, other.measures)
            for other in index.get(numeral.as_written, ())
        )

    def _in_feet(self, numeral: Numeral, claim: str) -> bool:
        """5'9" where the passage leaves the mark of the inches out."""
        if numeral.measures.isdisjoint(_FEET):
            return False
        feet = _FEET_WRITTEN.search(claim, max(0, numeral.start - 3), numeral.end + 3)
        return feet is not None and written_key(feet[0]) in self._keys

    def _named(self, numeral: Numeral, claim: str) -> bool:
        key, label = numeral.key, numeral.label
        for other in self._keys.get(key, ()):
            if not label or other.label in {label, "", "item"}:
                return True
        if (label == "item" or (not label and key.isdecimal())) and any(
            other.kind == "number" for other in self._written.get(key, ())
        ):
            return True
        if not key.isdecimal():  # COVID-19 where the passage writes COVID 19
            digits = _LAST_DIGITS.search(key)
            return digits is not None and (key[: digits.start()], digits[0]) in self._after_words
        if label == "no" and _is_code(key) and key in self._written:
            return True
        word = written_key(word_before(claim, numeral.start)[0]) if label else ""
        return bool(word) and (word, key) in self._after_words

    # Dates.

    def _dated(self, numeral: Numeral) -> bool:
        if not numeral.readings and not numeral.weak:
            return self._as_written(numeral)
        if numeral.day in self._days:
            return True
        year, month, day = numeral.day
        if self._as_written(numeral):
            return True
        if year is None or (None, month, day) not in self._yearless:
            return False
        bare = (
            not measures
            for other, measures in self._entries(Fraction(year))
            if other.kind == "number"
        )
        return self._has_year(year) or any(bare)

    def _has_year(self, year: Fraction | int) -> bool:
        return year.denominator == 1 and (int(year), None, None) in self._days

    # Values.

    def _valued(self, numeral: Numeral, reading: Value, claim: str) -> bool:
        value, measures = reading
        for other, found in self._entries(value):
            if self._agrees(numeral, measures, other, found) and self._same_use(
                numeral, claim, other
            ):
                return True
        if not measures and self._elsewhere(numeral, value, claim):
            return True
        if self._share(numeral, value, measures) or self._in_coins(numeral, reading):
            return True
        return self._fallen(numeral, reading, claim)

    def _agrees(
        self, numeral: Numeral, measures: Measures, other: Numeral, found: Measures
    ) -> bool:
        """Whether a number of the same value can be the claim's: unit, currency and rate."""
        if not _agrees(numeral, measures, other, found) and not (
            found == SIGNS["$"] and numeral.kind == other.kind and self._names_dollar(measures)
        ):
            return False
        if numeral.per == other.per or not (numeral.per or measures):
            return True  # a unit that is left out takes its rate along
        return self._same_rate(parts(numeral.per), parts(other.per), measures | found, found)

    def _same_rate(
        self,
        claimed: frozenset[str],
        held: frozenset[str],
        measures: Measures,
        found: Measures,
    ) -> bool:
        """Whether what two quantities are per differs only in what may be left out.

        What the claim alone is per must be said somewhere: "dose in mg/kg" above a table.
        """
        added, dropped = claimed - held, held - claimed
        if added and dropped:
            return False
        if not all(is_left_out(part, measures) for part in dropped):
            return False
        return not found or all(
            is_left_out(part, measures) or part in self._stated for part in added
        )

    def _names_dollar(self, measures: Measures) -> bool:
        """Whether the passage says which dollar its `$` is, and it is the claim's."""
        return len(self._dollars) == 1 and measures == self._dollars

    @cached_property
    def _dollars(self) -> frozenset[str]:
        """The dollars that the passage names, wherever it does."""
        named = (code for code, names in _DOLLARS if any(name in self.passage for name in names))
        return frozenset(named)

    def _in_coins(self, numeral: Numeral, reading: Value) -> bool:
        """50p is £0.50: one amount in two notations of one currency, like 5 million and 5,000,000.

        Not a conversion: the hundredth part is how the amount is written, no rate is applied.
        """
        value, measures = reading
        for coin, currencies in _COINS.items():
            if coin in measures:
                held = ((other, found & currencies) for other, found in self._entries(value / 100))
            elif not measures.isdisjoint(currencies):
                held = ((other, found & {coin}) for other, found in self._entries(value * 100))
            else:
                continue
            if any(found and numeral.per == other.per for other, found in held):
                return True
        return False

    def _elsewhere(self, numeral: Numeral, value: Fraction, claim: str) -> bool:
        """A bare number as a year or day of a date, an hour, a decade, a number of a file."""
        written = numeral.written
        if numeral.kind == "number":
            if len(written) == 4 and written.isdecimal() and self._has_year(value):
                return True
            if _is_code(written) and any(o.label == "no" for o in self._keys.get(written, ())):
                return True
            if 0 < value <= 12 and value in self._hours and is_clock_place(claim, numeral.start):
                return True  # at 9, where the passage has 9 am
            word = word_before(claim, numeral.start)[0]  # COVID 19, where it has COVID-19
            return bool(word) and written_key(word) + written in self._keys
        if numeral.kind == "ordinal":
            return value.denominator == 1 and (None, None, int(value)) in self._days
        if numeral.kind == "decade":
            return any(_same_decade(value, decade) for decade in self._decades)
        return numeral.kind == "time" and self._has_hour(value / 60)

    def _has_hour(self, hour: Fraction) -> bool:
        """9 am where the passage has "at 9"."""
        return any(
            other.kind == "number" and not measures and is_clock_place(self.passage, other.start)
            for bare in (hour, hour - 12)
            for other, measures in self._entries(bare)
        )

    def _share(self, numeral: Numeral, value: Fraction, measures: Measures) -> bool:
        """Half is 50 %, three quarters 75 %: parts in words or as a fraction, never decimals."""
        if measures == {"percent"}:
            return any(
                o.kind == "fraction" and not found for o, found in self._entries(value / 100)
            )
        if numeral.kind == "fraction" and not measures:
            return any("percent" in found for _, found in self._entries(value * 100))
        return False

    def _fallen(self, numeral: Numeral, reading: Value, claim: str) -> bool:
        """The words "fell by 5%" state -5%, and the other way round."""
        value, measures = reading
        for other, found in self._entries(-value) if value else ():
            if self._agrees(numeral, measures, other, found):
                text, start = (claim, numeral.start) if value > 0 else (self.passage, other.start)
                if falls(text, start):
                    return True
        return False

    def _same_use(self, numeral: Numeral, claim: str, other: Numeral) -> bool:
        """After the same name, 3.1 and 3.10 are two versions; < 5 and > 5 are two bounds."""
        if numeral.written == other.written:
            return same_bound(bound(claim, numeral.start), bound(self.passage, other.start))
        if not same_bound(bound(claim, numeral.start), bound(self.passage, other.start)):
            return False
        if "." not in numeral.written or "." not in other.written:
            return True
        if numeral.measures or other.measures:
            return True
        name = word_before(claim, numeral.start)[0]
        return not name[:1].isupper() or name != word_before(self.passage, other.start)[0]


_short: Final = lru_cache(maxsize=1024)(Holdings)
_long: Final = lru_cache(maxsize=8)(Holdings)


def _agrees(numeral: Numeral, measures: Measures, other: Numeral, found: Measures) -> bool:
    """Whether a passage's number of the same value can be the claim's."""
    if numeral.kind != other.kind and not (numeral.kind in _COUNTS and other.kind in _COUNTS):
        return False
    if not measures or found:
        return _may_measure(measures, found)
    if other.lent:
        return bool(measures & other.lent)
    return numeral.kind != "ordinal" and not measures & _SHARES


def _may_measure(measures: Measures, found: Measures) -> bool:
    """Whether two sets of measures are compatible: one of them unknown, or one in common."""
    return not measures or not found or not measures.isdisjoint(found)


def _is_code(written: str) -> bool:
    """Whether digits are long enough to be a number of a file rather than a count or a year."""
    return written.isdecimal() and len(written) >= 5


def _same_decade(value: Fraction, decade: Fraction) -> bool:
    """The '90s are the 1990s, the 1890s are not."""
    return value == decade or (min(value, decade) < 100 and value % 100 == decade % 100)
