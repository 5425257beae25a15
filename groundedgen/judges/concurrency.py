"""Many requests at once, until the deadline, for callers that await and callers that do not.

A caller that does not await has its requests run by an event loop in a thread behind it. There
is one such loop, kept for all calls: an asynchronous client holds connections that belong to the
loop they were opened in, and would fail in the next one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

from groundedgen.deadlines import remaining

__all__ = ["all_at_once", "in_background"]

T = TypeVar("T")

#: Seconds that given-up requests have to close their connections before they are left to it.
_CLOSING: Final = 0.1
#: Seconds past the deadline before a loop is taken for stuck: some function awaited by it blocks.
_STUCK: Final = 0.5


async def all_at_once(jobs: Sequence[Callable[[], Awaitable[T]]], *, most: int) -> list[T | None]:
    """What the jobs return, in order; `None` for one that was given up.

    Jobs that have not ended at the deadline are cancelled, and those that had to wait are not
    begun. So are all of them where this call itself is cancelled.

    Args:
        jobs: Each begins its work when it is called. One that raises is raised here, at the end.
        most: Jobs under way at once, at least 1.

    >>> async def six():
    ...     return 6
    >>> asyncio.run(all_at_once([six, six], most=1))
    [6, 6]
    """
    limiter = asyncio.Semaphore(most)

    async def limited(job: Callable[[], Awaitable[T]]) -> T:
        async with limiter:
            return await job()

    tasks = [asyncio.create_task(limited(job)) for job in jobs]
    try:
        if tasks:
            await asyncio.wait(tasks, timeout=remaining())
    finally:
        await _close([task for task in tasks if not task.done()])
    return [task.result() if task.done() and not task.cancelled() else None for task in tasks]


async def _close(tasks: Sequence[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CLOSING)


def in_background(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What a coroutine returns, for a caller that does not await; the deadline holds for it too.

    Raises:
        TimeoutError: It has not ended half a second after the deadline; it is cancelled.

    >>> async def six():
    ...     return 6
    >>> in_background(six)
    6
    """
    left = remaining()
    future = asyncio.run_coroutine_threadsafe(work(), _LOOP.running())
    try:
        return future.result(None if left is None else left + _STUCK)
    finally:
        future.cancel()  # also where the caller was interrupted


class _Loop:
    """An event loop in a thread of its own, begun when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # A process that was forked has the loop, but not the thread that runs it.
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="groundedgen-loop", daemon=True
                )
                self._thread.start()
            return self._loop


_LOOP: Final = _Loop()
