"""The exact value of one run of digits and signs.

The form of a run decides what its signs mean, as far as it can: several equal signs group,
one or two digits after a sign are decimals, a comma before three digits groups, a point
before three digits is a decimal point. What the form leaves open, or what a language writes
the other way round, has no value: nothing is guessed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final

from groundedgen.patterns import compiled

__all__ = ["LONGEST", "exact"]

LONGEST: Final = 60  # digits; longer runs are names (and int() has a limit of its own)
_SIGN: Final = compiled(r"[^0-9]+")
_DECIMAL_SIGNS: Final = frozenset(".,·\u066b")


@lru_cache(maxsize=4096)
def exact(run: str, *, comma_decimal: bool = False) -> Fraction | None:
    """The exact value of a run of ASCII digits and the signs between them, or `None`.

    Args:
        run: A run of a cleaned text (see `cleaning`); begins and ends with a digit.
        comma_decimal: The text's language writes 1.000,5 where English writes 1,000.5. A lone
            sign before three digits then has two readings, and two readings are none.

    >>> exact("1,234.50"), exact("1.234,50"), exact("12,00,000")
    (Fraction(2469, 2), Fraction(2469, 2), Fraction(1200000, 1))
    >>> exact("1,234"), exact("1.234"), exact("1.234", comma_decimal=True)
    (Fraction(1234, 1), Fraction(617, 500), None)
    >>> exact("11,11.11"), exact("1,,000"), exact("1.2.3"), exact("007")
    (None, None, None, None)
    """
    if len(run) > 2 * LONGEST:
        return None
    signs = [_kind(sign) for sign in _SIGN.findall(run)]
    parts = _SIGN.split(run)
    if not signs:
        return _whole(run) if run[0] != "0" or run == "0" else None
    if "" in signs:
        return None
    if len(signs) == 1:
        return _one_sign(parts[0], parts[1], signs[0], comma_decimal=comma_decimal)
    *grouping, last = signs
    if len(set(signs)) == 1:
        return _whole("".join(parts)) if _are_groups(parts, last) else None
    if len(set(grouping)) > 1 or last not in _DECIMAL_SIGNS:
        return None
    if not _are_groups(parts[:-1], grouping[0]):
        return None
    return _decimal("".join(parts[:-1]), parts[-1])


def _kind(sign: str) -> str:
    """One sign for all that mean the same, or "" where more than one stands between two digits."""
    if len(sign) > 1:
        return ""
    return {"\u066c": ",", "\xa0": " ", "\t": " "}.get(sign, sign)


def _whole(digits: str) -> Fraction | None:
    return Fraction(int(digits)) if len(digits) <= LONGEST else None


def _decimal(digits: str, decimals: str) -> Fraction | None:
    if len(digits) + len(decimals) > LONGEST:
        return None
    return Fraction(int(digits + decimals), 10 ** len(decimals))


def _one_sign(left: str, right: str, sign: str, *, comma_decimal: bool) -> Fraction | None:
    groups = len(right) == 3 and 1 <= len(left) <= 3 and left[0] != "0"
    if sign not in _DECIMAL_SIGNS:
        return _whole(left + right) if groups else None
    if groups and comma_decimal and sign in ".,":
        return None
    if groups and sign == ",":
        return _whole(left + right)
    if len(left) > 1 and left[0] == "0":
        return None
    return _decimal(left, right)


def _are_groups(parts: list[str], sign: str) -> bool:
    """Whether two or more parts are digit groups: by threes, or, with commas, Indian 2-2-3."""
    first, *middle, final = parts
    if not first or first[0] == "0" or len(final) != 3 or sign == "·":
        return False
    if len(first) <= 3 and all(len(part) == 3 for part in middle):
        return True
    return sign == "," and len(first) <= 2 and all(len(part) == 2 for part in middle)
