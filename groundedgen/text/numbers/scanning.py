"""What the readers of digits share while they go through one text."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.accounting import bracketed
from groundedgen.text.numbers.dates import day_first
from groundedgen.text.numbers.digits import exact
from groundedgen.text.numbers.heads import NO_HEAD, Head, head, word_before
from groundedgen.text.numbers.quantity import Kind, Numeral, Value
from groundedgen.text.numbers.tails import LETTER, Tail, scaled, tail

__all__ = ["NOUN", "PARTS", "RUN", "Found", "Scan", "in_doubt"]

Found = tuple[list[Numeral], int]  # what begins at a digit, and where to look on

PARTS: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"
RUN: Final = compiled(r"[0-9]+(?:[.,'·\u066b\u066c]{1,2}[0-9]+)*")
NOUN: Final = compiled(rf"[\s-]{{1,9}}({LETTER}{{1,40}})")
_WIDEST_RANGE: Final = 6  # code points between the two numbers of a range
_RANGES: Final = frozenset(["-", "\x96", "\x97", "to"])
_MINUS_WORDS: Final = frozenset(["minus", "negative"])


class Scan:
    """One cleaned text, how it is read, and what has been met so far.

    Attributes:
        text: The cleaned text.
        language: Whose scale words and ordinals to read.
        lang: The language as it was stated, with its region, or `None`.
        comma_decimal: Whether that language writes 1.000,5.
        ended: Where the number before ends, its unit included.
        listed: The last list number, "" before the first.
        paid: Whether the number before is money.
    """

    __slots__ = (
        "_head", "_order", "comma_decimal", "ended", "lang", "language", "listed", "paid", "text"
    )  # fmt: skip

    def __init__(
        self, text: str, language: str, *, comma_decimal: bool, lang: str | None = None
    ) -> None:
        self.text, self.language, self.comma_decimal = text, language, comma_decimal
        self.lang = lang
        self._order: tuple[bool | None] | None = None
        self.ended = -1
        self.listed = ""
        self.paid = False
        self._head = (-1, NO_HEAD)

    def head(self, at: int) -> Head:
        """What stands before the digits at `at`; the last one is kept, since several ask."""
        if self._head[0] != at:
            self._head = (at, head(self.text, at))
        return self._head[1]

    def day_first(self) -> bool | None:
        """Whether dates in digits put the day first; found out once, when a date asks."""
        if self._order is None:
            self._order = (day_first(self.text, self.language, self.lang),)
        return self._order[0]

    def tail(self, end: int, *, paid: bool = False) -> Tail:
        """What stands after digits that end at `end`."""
        return tail(self.text, end, paid=paid, language=self.language)

    def is_paid(self, at: int) -> bool:
        """Whether the digits at `at` are money by what stands before them: $5, $3-5."""
        return bool(self.head(at).measures) or self.goes_on(at)

    def goes_on(self, at: int) -> bool:
        """Whether the digits at `at` are the second of a range of money."""
        if not self.paid or at - self.ended > _WIDEST_RANGE:
            return False
        return self.text[max(0, self.ended) : at].strip() in _RANGES

    def exact(self, run: str) -> Fraction | None:
        """The value of a run of digits."""
        return exact(run, comma_decimal=self.comma_decimal)

    def in_brackets(self, start: int, end: int) -> bool:
        """Whether nothing but `[start, end)` is in round brackets."""
        return start > 0 and self.text[start - 1] == "(" and self.text.startswith(")", end)

    def numeral(
        self, start: int, end: int, readings: tuple[Value, ...], kind: Kind = "number", *,
        whole: int = 0, per: str = "", scale: int = 1, noun: str = "",
    ) -> Numeral:  # fmt: skip
        """A numeral of this text."""
        written = self.text[start:end]
        return Numeral(start, end, max(whole, end), written, kind, readings,
                       per=per, scale=scale, noun=noun)  # fmt: skip

    def number(self, at: int, end: int, value: Fraction | None, kind: Kind = "number") -> Found:
        """The number whose digits are `[at, end)`, with all that stands beside them."""
        front = self.head(at)
        close = end + 1 if self.in_brackets(front.start, end) else end
        after = self.tail(close, paid=self.is_paid(at))
        if after.whole == close:
            after = after._replace(end=end, whole=end)
        found = self.counted(at, end, value, after, kind)
        return [found], max(end, min(found.end, after.end))

    def counted(
        self, at: int, end: int, value: Fraction | None, after: Tail, kind: Kind = "number"
    ) -> Numeral:
        """The number whose digits are `[at, end)` and whose tail is `after`."""
        front = self.head(at)
        if self.leading_point(at):
            front = head(self.text, at - 1)
        start, negative = front.start, front.negative
        stop = max(end, after.end)
        measures = front.measures or after.readings[0].measures
        if bracketed(self.text, start, end, max(stop, after.whole), measures):
            negative, start = True, start - 1
            stop = max(stop, self.text.index(")", end) + 1)
            outer = head(self.text, start)
            if outer.measures:
                start, front = outer.start, outer
        if self.text[max(0, start - 3) : start - 1].lower() in {"us", "ve"}:
            word, begin, dot = word_before(self.text, start)
            if not dot and word.lower() in _MINUS_WORDS:
                negative, start = True, begin
        if value is not None and in_doubt(self.text[at:end], front, after):
            value = None
        readings = scaled(-value if negative and value is not None else value, front, after)
        scale = after.readings[0].scale * front.scale
        return self.numeral(start, stop, readings, kind,
                            whole=after.whole, per=after.per, scale=scale)  # fmt: skip

    def leading_point(self, at: int) -> bool:
        """Whether the digits are decimals without a number before the point, as in ".5"."""
        text = self.text
        if not at or text[at - 1] != ".":
            return False
        return at == 1 or not (text[at - 2].isalnum() or text[at - 2] in ".)]%")


def in_doubt(run: str, front: Head, after: Tail) -> bool:
    """Whether money has a lone point before three digits and no scale: EUR 5.000.

    No currency has three decimals in running text, and many languages group so.
    """
    if run[-4:-3] != "." or len(run) > 7 or run[0] == "0" or not run[-3:].isdecimal():
        return False
    measures = front.measures or after.readings[0].measures
    return front.scale * after.readings[0].scale == 1 and any(map(str.isupper, measures))
