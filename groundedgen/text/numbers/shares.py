"""One in ten, 3 von 100, un patient sur dix: two numbers that are one share.

Read as two numbers, "one in 10 patients" would let a claim count ten patients. What is read is
the fraction: "in" and its like are a share by their form, "out of" and "sur" can count as well
("3 out of 12 patients"), so there the first number must be one, or the second a round one.
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import NOTHING
from groundedgen.text.numbers.quantity import Numeral, Value

__all__ = ["with_shares"]

_SMALL: Final[dict[str, int]] = {
    word: value
    for value, words in enumerate(
        (
            "one ein einer eine eines eins un une uno una um uma één een",
            "two zwei deux dos due dois twee", "three drei trois tres tre três drie",
            "four vier quatre cuatro quattro quatro", "five fünf cinq cinco cinque vijf",
            "six sechs seis sei zes", "seven sieben sept siete sette sete zeven",
            "eight acht huit ocho otto oito", "nine neun neuf nueve nove negen",
        ),
        1,
    )
    for word in words.split()
}  # fmt: skip
_SHARE: Final = compiled(
    rf"(?<![\w.,/-])(?P<n>[1-9]|{'|'.join(_SMALL)})(?P<noun>[ ][^\W\d_]{{2,20}})?[\s-]"
    r"(?:(?P<sure>in(?:\s(?:every|each))?|out\sof\s(?:every|each)|von\sje(?:weils)?|de\scada|em\scada)"
    r"|(?P<may>out\sof|von|sur|su|op(?:\sde)?))[\s-]$",
    re.IGNORECASE,
)
_HINTS: Final = frozenset("in of ry ch on ur su da je ls op de".split())  # what links end with
_WIDEST: Final = 48  # code points before the second number that are looked at
_ROUND: Final = frozenset(10**power for power in range(1, 8))
_GOES_ON: Final = compiled(
    r"[.,;:)]|$|\s(?:a|ont|eu|had|has|have|will|may|might|can|is|are|was|were|hat|haben|tiene|tienen"
    r"|experienc\w+|reports?|reported|develop\w*|suffer\w*)\b"
)
_COUNTED: Final = compiled(
    r"\s(?:[a-z]+\s)?(?:people|persons?|patients?|adults?|men|women|children|users?|births?|cases?|chances?"
    r"|Personen|Patienten|Behandelten?|personnes|patients|personas|pacientes)\b"
)


def with_shares(text: str, found: list[Numeral]) -> list[Numeral]:
    """The numerals of a text, in order, with every share as one fraction."""
    kept: list[Numeral] = []
    for numeral in found:
        at = numeral.start
        share = _share(text, numeral) if text[at - 3 : at - 1] in _HINTS else None
        while share and kept and kept[-1].start >= share.start:
            kept.pop()
        apart = share and (not kept or kept[-1].end <= share.start)
        kept.append(share if share and apart else numeral)
    return kept


def _share(text: str, numeral: Numeral) -> Numeral | None:
    at, value = numeral.start, numeral.value
    if numeral.kind != "number" or value is None or (numeral.scale > 1 and value < 1000):
        return None
    if value.denominator != 1 or numeral.measures or numeral.per:
        return None
    match = _SHARE.search(text, max(0, at - _WIDEST), at)
    if not match:
        return None
    low = match["n"].lower()
    count = int(low) if low.isdecimal() else _SMALL[low]
    if not count < value or not _is_share(text, numeral, match, count):
        return None
    reading = Value(Fraction(count) / value, NOTHING)
    start, end = match.start("n"), numeral.end
    return Numeral(start, end, max(end, numeral.whole_end), text[start:end], "fraction", (reading,))


def _is_share(text: str, numeral: Numeral, match: re.Match[str], count: int) -> bool:
    whole = int(numeral.value or 0)
    if 1900 <= whole <= 2100 and numeral.written.isdecimal():
        return count == 1 and _COUNTED.match(text, numeral.end) is not None  # 3 in 2020
    if match["noun"]:  # "3 offices in 10 countries" counts, "one patient in 10 had" is a share
        return (count == 1 or whole in _ROUND) and _GOES_ON.match(text, numeral.end) is not None
    return bool(match["sure"]) or count == 1 or whole in _ROUND
