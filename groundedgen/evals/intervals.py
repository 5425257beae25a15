"""Shares of a count with what chance leaves open about them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

__all__ = ["Z95", "Rate", "rate"]

Z95: Final = 1.959963984540054  # the normal quantile of 0.975


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` out of `total`, as a share with its 95 % interval, all from 0 to 1.

    Where there was nothing to count, `share`, `low` and `high` are `None`: not defined.
    """

    count: int
    total: int
    share: float | None = None
    low: float | None = None
    high: float | None = None


def rate(count: int, total: int) -> Rate:
    """The share with its Wilson score interval, without correction for continuity.

    Wilson, J. Am. Stat. Assoc. 22 (1927) 209-212. Unlike the textbook one it stays within 0
    and 1 and says something about 0 out of 40, which is where false-pass rates lie.

    >>> found = rate(0, 40)
    >>> found.share, found.low, round(found.high, 3)
    (0.0, 0.0, 0.088)
    >>> rate(0, 0).share is None
    True
    """
    if total <= 0:
        return Rate(count, total)
    share, square = count / total, Z95 * Z95
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = sqrt(share * (1 - share) / total + square / (4 * total * total))
    half *= Z95 / (1 + square / total)
    low = 0.0 if count == 0 else max(0.0, middle - half)
    high = 1.0 if count == total else min(1.0, middle + half)
    return Rate(count, total, share, low, high)
