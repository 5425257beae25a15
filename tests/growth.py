"""Does time grow with the text, or with its square? One question, asked the same way everywhere."""

from __future__ import annotations

import time

LINEAR = 2.8
"""A factor below this is linear growth with a busy machine's noise; quadratic growth is 4."""


def factor(work, unit, *, size=6_000, tries=9):
    """Time for twice the text over time for the text: about 2 if linear, 4 if quadratic.

    The smallest of several ratios counts: a busy machine makes some runs slow, none fast.
    """
    small, large = (unit * (count // len(unit) + 1) for count in (size, 2 * size))
    work(small)  # patterns are compiled at first use
    best = float("inf")
    for _ in range(tries):
        best = min(best, _seconds(work, large) / max(_seconds(work, small), 2e-4))
        if best < LINEAR:
            break
    return best


def _seconds(work, text):
    start = time.process_time()
    work(text)
    return time.process_time() - start
