"""The value that reading a number gives: what it is, where it stands, what belongs to it."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, Literal, NamedTuple

from groundedgen.text.numbers.units import Measures

__all__ = ["Day", "Kind", "Numeral", "Value", "written_key"]

Kind = Literal["number", "fraction", "ordinal", "date", "time", "decade", "identifier"]
Day = tuple[int | None, int | None, int | None]  # year, month, day; None where not written

_FOLD: Final = str.maketrans(
    dict.fromkeys("\x96\u2010\u2011\u2012\u2013\u2212\ufe63", "-")
    | dict.fromkeys("\u2019\u02bc\u2032\u2018", "'")
    | dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " ")
)


class Value(NamedTuple):
    """One exact reading of a number, scale applied, with what it measures (may be empty)."""

    value: Fraction
    measures: Measures


class Numeral(NamedTuple):
    """One number of a text. A tuple, since a passage can hold hundreds.

    Offsets are code points into that text, half-open.

    Attributes:
        start: Where it begins, with its sign and a currency before it.
        end: Where it ends, with its scale word and a percent or currency sign.
        whole_end: Where it ends with its unit word too.
        written: The text between `start` and `end`.
        kind: "date", "time" and "decade" are compared as such, "identifier" (names,
            sections, versions, malformed digits) as written, the others by value.
        readings: The exact values it can have. None: compared as written only. Two: what
            is beside it can mean two things ("12m").
        lent: Measures a neighbour in a list may lend it ("5 and 10 mg").
        per: What it is a rate per, or "".
        scale: The factor already applied to the values.
        label: What it numbers, in one spelling ("section", "version"), or "".
        key: Of a name, how it is compared as written; see `as_written`.
        day: Of a date, what is written of year, month and day.
        noun: Of an ordinal, the word after it.
        weak: A word that is often no number ("one"); it supports, and needs no support.
    """

    start: int
    end: int
    whole_end: int
    written: str
    kind: Kind
    readings: tuple[Value, ...] = ()
    lent: Measures = frozenset()
    per: str = ""
    scale: int = 1
    label: str = ""
    key: str = ""
    day: Day = (None, None, None)
    noun: str = ""
    weak: bool = False

    def __repr__(self) -> str:
        """Without words of the text."""
        return f"Numeral({self.start}, {self.end}, {self.kind!r})"

    @property
    def as_written(self) -> str:
        """The form in which it is compared where it has no value."""
        return self.key or written_key(self.written)

    @property
    def value(self) -> Fraction | None:
        """The exact value, or `None` where it is malformed or undecided."""
        return self.readings[0].value if len(self.readings) == 1 else None

    @property
    def measures(self) -> Measures:
        """What it measures: currencies in capitals, units in small letters; may be empty."""
        return self.readings[0].measures if len(self.readings) == 1 else frozenset()

    @property
    def currency(self) -> Measures:
        """The currencies it can be in, as ISO 4217 codes; `$` alone can be several."""
        return frozenset(name for name in self.measures if name.isupper())

    @property
    def negative(self) -> bool:
        """Whether it is below zero."""
        return self.value is not None and self.value < 0


def written_key(written: str) -> str:
    """The written form with one glyph for each dash, apostrophe and blank, in small letters.

    >>> written_key("1\u202f000–K")
    '1 000-k'
    """
    folded = written if written.isascii() else written.translate(_FOLD)
    return " ".join(folded.casefold().split())
