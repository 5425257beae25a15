"""Does time grow with the text, or with its square? One question, asked the same way everywhere."""

from __future__ import annotations

import gc
import time

LINEAR = 8
"""A factor below this is linear growth with a busy machine's noise; quadratic growth is 16."""


def factor(work, unit, *, size=6_000, tries=9):
    """Time for four times the text over time for the text: about 4 if linear, 16 if quadratic.

    Four times, not twice: linear and quadratic then lie so far apart that no noise seen on a
    busy machine reaches from one to the other. The smallest of several ratios counts, since a
    busy machine makes some runs slow and none fast.
    """
    units = size // len(unit) + 1
    work(unit * units)  # patterns are compiled at first use
    best = float("inf")
    for more in range(1, tries + 1):  # another text each time, which no cache has seen
        small, large = unit * (units + more), unit * (4 * units + more)
        best = min(best, _seconds(work, large) / max(_seconds(work, small), 2e-4))
        if best < LINEAR:
            break
    return best


def _seconds(work, text):
    """Processor time of one run, without the garbage collector, as `timeit` measures.

    A full collection walks the heap that all tests before have left, which says nothing
    about the work: it made a linear function look 2.8 times as slow for twice the text.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = time.process_time()
        work(text)
        return time.process_time() - start
    finally:
        if collecting:
            gc.enable()
