"""One request in its time: what it returned, or the exception in its place.

The time-out of an SDK is one for each read; a reply that drips has to end as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from groundedgen.deadlines import OverdueError, bounded
from groundedgen.generators.transport.cutting import cuttable

__all__ = ["atimed", "timed"]


def timed(
    call: Callable[[], object], seconds: float | None, fails: Callable[[Exception], bool]
) -> object:
    """What a request comes to; its connection is closed when its time is over.

    Args:
        call: Sends it.
        seconds: For all of it; `None` for no limit.
        fails: Whether an exception is one that a request fails with. Others are raised.

    Returns:
        What `call` returned, the exception that it failed with, or an `OverdueError`.

    >>> timed(lambda: 6 * 7, 1.0, lambda error: True)
    42
    >>> timed(lambda: 1 / 0, 1.0, lambda error: isinstance(error, ArithmeticError))
    ZeroDivisionError('division by zero')
    """
    try:
        return bounded(cuttable(call), seconds)
    except OverdueError as error:
        return error
    except Exception as error:  # which ones a request fails with, only its SDK's adapter knows
        if not fails(error):
            raise
        return error


async def atimed(
    call: Callable[[], Awaitable[object]],
    seconds: float | None,
    fails: Callable[[Exception], bool],
) -> object:
    """`timed`, awaited; late is a `TimeoutError`, and one that `call` raises itself is raised."""
    clock = asyncio.timeout(seconds)
    try:
        async with clock:
            return await call()
    except Exception as error:  # which ones a request fails with, only its SDK's adapter knows
        late = isinstance(error, TimeoutError) and clock.expired()
        if not (late or fails(error)):
            raise
        return error
