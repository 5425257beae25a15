"""What numbers beside each other lend one another: units of ranges, labels of lists.

In "2–8 °C" both numbers are degrees; in "5, 10 and 15 mg" the first two probably are. A
range lends for certain, a list only in the passage's favour.
"""

from __future__ import annotations

import re
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.frequency import with_frequency
from groundedgen.text.numbers.identifiers import name_key
from groundedgen.text.numbers.quantity import Numeral, Value
from groundedgen.text.numbers.units import Measures

__all__ = ["settle"]

_RANGE: Final = compiled(
    r"\s{0,2}(?:[-\x96\x97—~～〜至到]|to|through|thru|till?|until|bis|à|a|al|hasta|até|tot|から)\s{0,2}"
    r"|\s{0,2}[x×]\s{0,2}"
)
_LIST: Final = compiled(
    r"\s{0,2}(?:,|;|/|、|,?\s?(?:and|or|und|oder|et|ou|y|o|e|en|of|&|和|或))\s{1,2}|[/、和或]"
)
_RESTATED: Final = compiled(r"\s{0,2}\(\s?")
_LABEL_LIST: Final = compiled(
    r"\s{0,2}(?P<dash>[-\x96\x97])?(?:,|,?\s?(?:and|or|to|through|und|et|y|e|&))?\s{0,2}"
)
_CHAINED: Final = compiled(r"(?:,|and|or|to|&|[-\x96\x97])\s?$")
_BETWEEN: Final = compiled(r"\b(?:between|zwischen|entre|tra|fra|tussen)\s+\S{0,3}$", re.IGNORECASE)
_LETTER_AFTER: Final = compiled(r"\)[ \xa0\n][^\W\d]")
_COUNTS: Final = frozenset(["number", "fraction"])
_JOINED: Final = compiled(r",?\s{0,2}(?:(?:and|und|et|y|e|en)\s{1,2})?")
# Units that are parts of others: how many of them make up one.
_SMALLER: Final = {
    ("year", "month"): 12, ("week", "day"): 7, ("day", "hour"): 24, ("hour", "minute"): 60,
    ("minute", "second"): 60, ("foot", "inch"): 12, ("pound-mass", "ounce"): 16,
}  # fmt: skip
_COINS: Final = frozenset(["cent", "pence", "paise"])
_FURTHEST: Final = 12  # code points between neighbours

_Pair = tuple[Numeral, Numeral]


def settle(text: str, found: list[Numeral]) -> list[Numeral]:
    """Lend units, scales and labels between neighbours. `found` is sorted by place."""
    for place in range(len(found) - 2, -1, -1):
        left, right = found[place], found[place + 1]
        if right.start - left.end <= _FURTHEST:
            found[place], found[place + 1] = _backwards(text, left, right)
    for place in range(len(found) - 1):
        left, right = found[place], found[place + 1]
        if right.per:
            found[place] = left = with_frequency(text, left, right)
        if right.start - left.whole_end > _FURTHEST:
            continue
        if left.label:
            found[place + 1] = _relabelled(text, left, right)
        elif left.measures and right.measures:
            found[place], found[place + 1] = _compound(text, left, right)
        elif left.measures:
            found[place + 1] = _forwards(text, left, right)
    return _unlisted(text, found)


def _with(numeral: Numeral, other: Numeral) -> Numeral:
    """The numeral, measuring what the other one does."""
    readings = tuple(Value(reading.value, other.measures) for reading in numeral.readings)
    weak = numeral.weak and other.weak
    return numeral._replace(readings=readings, per=numeral.per or other.per, weak=weak)


def _times(numeral: Numeral, scale: int) -> Numeral:
    """The numeral with one reading, multiplied by a scale word after its neighbour."""
    value, measures = numeral.readings[0]
    return numeral._replace(readings=(Value(value * scale, measures),), scale=scale)


def _backwards(text: str, left: Numeral, right: Numeral) -> _Pair:
    if _RESTATED.fullmatch(text, left.whole_end, right.start):
        return _restated(left, right)
    gap = text[left.end : right.start]
    if _RANGE.fullmatch(gap):
        return _ranged(left, right)
    if not _LIST.fullmatch(gap):
        return left, right
    if _BETWEEN.search(text, max(0, left.start - 12), left.start):
        return _ranged(left, right)
    lent = right.measures or right.lent
    if lent and not left.measures and left.kind in _COUNTS:
        left = left._replace(lent=lent)
    return left, right


def _restated(left: Numeral, right: Numeral) -> _Pair:
    """Thirty (30) days: one number written twice."""
    if len(left.readings) != 1 or not right.readings:
        return left, right
    if right.scale > 1 and left.scale == 1:  # two (2) million
        unscaled = {value / right.scale for value, _ in right.readings}
        left = _times(left, right.scale) if left.value in unscaled else left
    if left.value not in {value for value, _ in right.readings}:
        return left, right
    if right.measures and not left.measures:
        return _with(left, right), right
    if left.measures and not right.measures:
        return left, _with(right, left)
    per = left.per or right.per
    return left._replace(per=per), right._replace(per=per)


def _ranged(left: Numeral, right: Numeral) -> _Pair:
    """2–8 °C, $5–10 million, 9–11 am: what stands after the second is said of both."""
    value = left.value
    if left.kind == right.kind == "time" and value is not None:
        return _half_shared(left, right), right
    if value is None or left.kind not in _COUNTS or left.whole_end > left.end:
        return left, right
    if right.kind == "time" and 0 < value <= 12:
        either = (Value(value * 60, frozenset()), Value(value * 60 + 720, frozenset()))
        return left._replace(kind="time", readings=either), right
    if right.kind not in _COUNTS:
        return left, right
    if left.scale == 1 and right.scale > 1:
        larger = all(value < other / right.scale for other, _ in right.readings)
        left = _times(left, right.scale) if larger else left
    if right.measures and not left.measures:
        left = _with(left, right)
    return left, right


def _half_shared(left: Numeral, right: Numeral) -> Numeral:
    """5:30-7:00 pm: the first can be in either half of the day."""
    value = left.readings[0].value
    said = any(letter in "mM" for letter in right.written) and left.written[-1].isdecimal()
    if not said or not 60 <= value < 720:
        return left
    return left._replace(readings=(*left.readings, Value(value + 720, frozenset())))


def _forwards(text: str, left: Numeral, right: Numeral) -> Numeral:
    """$5–10: the currency before a range is that of both."""
    bare = right.kind == "number" and len(right.readings) == 1 and right.whole_end == right.end
    if not bare or right.measures or not left.currency:
        return right
    if not _RANGE.fullmatch(text, left.end, right.start):
        return right
    return _with(right, left._replace(per=""))


def _compound(text: str, left: Numeral, right: Numeral) -> _Pair:
    """3 hours and 18 minutes: one quantity, of which neither number is the whole."""
    below = next(
        (
            most
            for (a, b), most in _SMALLER.items()
            if {a} == left.measures and {b} == right.measures
        ),
        0,
    )
    if left.currency and right.measures <= _COINS:
        below = 100
    if right.value is None or not 0 <= right.value < below:
        return left, right
    if not _JOINED.fullmatch(text, left.whole_end, right.start):
        return left, right
    if _BETWEEN.search(text, max(0, left.start - 12), left.start):
        return left, right
    names = sorted(left.measures)
    whole = frozenset(f"{name} and {unit}" for name in names for unit in right.measures)
    rest = frozenset(f"{unit} after {name}" for name in names for unit in right.measures)
    return _measuring(left, whole), _measuring(right, rest)


def _measuring(numeral: Numeral, measures: Measures) -> Numeral:
    return numeral._replace(readings=tuple(Value(value, measures) for value, _ in numeral.readings))


def _relabelled(text: str, left: Numeral, right: Numeral) -> Numeral:
    """Sections 4 and 5, Articles 5 to 7: the label is that of all."""
    if right.kind != "number" or right.measures or right.scale > 1 or not right.written.isdecimal():
        return right
    gap = _LABEL_LIST.fullmatch(text, left.end, right.start)
    if not gap or not gap[0].strip():
        return right
    before = text[max(0, left.start - 5) : left.start]
    plural = before.rstrip(" .\xa0").endswith(("s", "§§", "en"))
    if not (gap["dash"] or plural or _CHAINED.search(before)):
        return right
    key = name_key(right.written)
    return right._replace(kind="identifier", label=left.label, readings=(), key=key)


def _unlisted(text: str, found: list[Numeral]) -> list[Numeral]:
    """Take "(1) notice, (2) proof" for what it is: list numbers inside a line."""
    run: list[int] = []
    for place, numeral in enumerate(found):
        if text[numeral.end : numeral.end + 1] != ")" or not _in_list_brackets(text, numeral):
            continue
        if numeral.written == "1":
            run = []
        if numeral.written == str(len(run) + 1):
            run.append(place)
            for item in run[-2:] if len(run) > 1 else ():
                found[item] = found[item]._replace(
                    kind="identifier", label="item", readings=(), key=found[item].written, weak=True
                )
    return found


def _in_list_brackets(text: str, numeral: Numeral) -> bool:
    """Whether a small bare number stands like "(1) word" or "1) word"."""
    if numeral.kind != "number" or len(numeral.written) > 2 or not numeral.written.isdecimal():
        return False
    before = text[max(0, numeral.start - 1) : numeral.start]
    listed = before in {"(", " ", "\n"} and _LETTER_AFTER.match(text, numeral.end) is not None
    return listed and not numeral.measures
