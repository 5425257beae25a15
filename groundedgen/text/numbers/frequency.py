"""How often something is taken or done: b.i.d., and the rate that "5 mg twice daily" gives 5 mg."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.quantity import Numeral, Value
from groundedgen.text.numbers.rates import times_per

__all__ = ["doses", "with_frequency"]

_TIMES: Final = frozenset(["times"])
# As prescriptions write it: bis, ter, quater in die.
_DOSES: Final = compiled(
    r"(?<!\w)(?:(?P<b>b\.\s?i\.\s?d\.?|BID|b\.d\.)|(?P<t>t\.\s?i\.\s?d\.?|TID|tid|t\.d\.s\.?|tds)"
    r"|(?P<q>q\.\s?i\.\s?d\.?|QID|qid|q\.d\.s\.?|qds)"
    r"|(?:(?<=mg )|(?<=ml )|(?<=mL )|(?<=mcg )|(?<=tablet )|(?<=tablets ))(?P<b2>bid|bd))(?!\w)"
)
_HINTS: Final = (
    "i.d", "i. d", "b.d.", "t.d.s", "q.d.s", "BID", "TID", "QID", " tid", " tds", " qid", " qds",
    " bid", " bd",
)  # fmt: skip
_BETWEEN: Final = compiled(r"[\s,(]{1,3}(?:[^\W\d_]{1,20}[\s,(]{1,2}){0,2}")


def doses(text: str) -> Iterator[Numeral]:
    """The abbreviations for so many times a day.

    >>> [int(n.value) for n in doses("5 mg b.i.d., or TID")]
    [2, 3]
    """
    if not any(map(text.__contains__, _HINTS)):
        return
    for match in _DOSES.finditer(text):
        times = 2 if match["b"] or match["b2"] else 3 if match["t"] else 4
        start, end = match.span()
        reading = Value(Fraction(times), _TIMES)
        yield Numeral(start, end, end, text[start:end], "number", (reading,), per="day")


def with_frequency(text: str, left: Numeral, right: Numeral) -> Numeral:
    """The number on the left with the rate that the one on its right gives it."""
    if left.per or left.kind not in {"number", "fraction"} or not right.per:
        return left
    if right.measures != _TIMES or left.measures == _TIMES or not left.readings:
        return left
    value = right.value
    if value is None or value.denominator != 1:
        return left
    if not _BETWEEN.fullmatch(text, left.whole_end, right.start):
        return left
    return left._replace(per=times_per(int(value), right.per))
