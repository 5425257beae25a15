"""Accountants' brackets: (500) for minus 500, in a row of figures or in an amount's place.

In running text brackets round one figure mostly repeat or explain: "thirty (30) days", "five
hundred dollars ($500)", "12 patients (5.2%)", "Smith (2020)". So they negate only where a
sentence wants an amount and nothing else can stand in brackets: after a currency ("£(500)"),
in a row of figures or a table, after "was" or a colon; a sum of money also after "of".
"""

# ruff: noqa: SIM905 - a table of words is read as words
from __future__ import annotations

from typing import Final

from groundedgen.patterns import compiled
from groundedgen.text.numbers.heads import head, word_before
from groundedgen.text.numbers.units import Measures

__all__ = ["bracketed", "wants_amount"]

_ENOUGH: Final = 3  # digits, grouping signs included; "(5)" is rather a note or a list number
# A sentence that has come this far goes on with an amount.
_COPULAS: Final = frozenset(
    "was were is are be been totalled totaled reached betrug beträgt betrugen war ist waren était "
    "est s'élève fue es era ascendió asciende ammonta".split()
)
_MONEY_WORDS: Final = frozenset("of to at by from von auf bei de à a di".split())
_ROW_BEFORE: Final = frozenset("|\t")
_COLUMN_BEFORE: Final = compiled(r"[ \xa0]{3}$")
_ROW_AFTER: Final = compiled(
    r"\)?%?[ \xa0\t]+(?:\||\(?[$€£]?[0-9][0-9.,]*\)?(?:[ \xa0\t(|)]|[\n]|$))"
)
_YEAR: Final = compiled(r"(?:19|20)[0-9]{2}\Z")


def bracketed(text: str, start: int, end: int, whole: int, measures: Measures) -> bool:
    """Whether brackets round a number are a minus.

    Args:
        text: A cleaned text (see `cleaning`).
        start: Where the number begins, with a currency before it.
        end: Where its digits end.
        whole: Where it ends with all that belongs to it.
        measures: What it measures. Only money, shares and bare figures are put in such
            brackets: "was (30 days)" explains.

    >>> def read(text): return bracketed(text, text.index("5"), text.index(")"), 0, frozenset())
    >>> [read(t) for t in ("The result was (500).", "$(500)", "The essay (500) is", "| (500) |")]
    [True, True, False, True]
    """
    if not start or text[start - 1] != "(":
        return False
    if not (text.startswith((")", "%)"), end) or text.startswith(")", whole)):
        return False
    if not all(name.isupper() or name == "percent" for name in measures):
        return False
    place, paid = start - 1, bool(measures)
    if place and head(text, place).measures and text[place - 1] != " ":
        return True
    if end - start < _ENOUGH and not paid:
        return False
    if text.startswith("%", end):  # 12 (5.2%): a count and its share
        return wants_amount(text, place)
    before = text[max(0, place - 7) : place].rstrip(" \xa0")[-1:]
    if before in _ROW_BEFORE and before:
        return True
    close = text.find(")", end) + 1
    if before.isdecimal() and text[place - 1] in " \t":
        return not _YEAR.search(text[start:end])
    if _COLUMN_BEFORE.search(text, max(0, place - 3), place) or _ROW_AFTER.match(text, close):
        return not _YEAR.search(text[start:end])
    return wants_amount(text, place, paid=paid) and (paid or not _YEAR.search(text[start:end]))


def wants_amount(text: str, place: int, *, paid: bool = True) -> bool:
    """Whether what stands before a bracket at `place` wants an amount next."""
    before = text[max(0, place - 2) : place].rstrip(" \xa0")[-1:]
    if before in ":=" and before:
        return paid
    word = word_before(text, place)[0].lower()
    return word in _COPULAS or (paid and word in _MONEY_WORDS)
