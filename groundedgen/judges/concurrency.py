"""Many requests at once, until the deadline, for callers that await and callers that do not.

A caller that does not await has its requests run by an event loop in a thread behind it. There
is one such loop, kept for all calls: an asynchronous client holds connections that belong to the
loop they were opened in, and would fail in the next one. Only a loop that is stuck, since some
function awaited in it blocks, is left to itself and followed by another.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

from groundedgen.deadlines import at_giving_up, given_up, remaining

__all__ = ["all_at_once", "in_background"]

T = TypeVar("T")

#: Seconds that given-up requests have to close their connections before they are left to it.
_CLOSING: Final = 0.1
#: Seconds past the deadline after which work in the background is not waited for any more.
_LATE: Final = 0.5
#: Seconds in which a loop begins what it is given, however busy, unless something blocks it.
_BEGINS: Final = 1.0
#: Seconds in which a loop that is not stuck answers.
_ANSWERS: Final = 0.1


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
    exits: list[BaseException] = []

    async def limited(job: Callable[[], Awaitable[T]]) -> T | None:
        async with limiter:
            try:
                return await job()
            except (KeyboardInterrupt, SystemExit) as error:  # from a task it would end the loop
                exits.append(error)
                return None

    tasks = [asyncio.create_task(limited(job)) for job in jobs]
    try:
        if tasks:
            await asyncio.wait(tasks, timeout=remaining())
    finally:
        await given_up(*(task for task in tasks if not task.done()), seconds=_CLOSING)
    if exits:
        raise exits[0]
    return [task.result() if task.done() and not task.cancelled() else None for task in tasks]


def in_background(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What a coroutine returns, for a caller that does not await; the deadline holds for it too.

    May be called from inside such work, where that does not await either: it runs in a loop of
    its own then.

    Raises:
        TimeoutError: It has not ended half a second after the deadline; it is cancelled, as it is
            where the work that this is part of was given up.

    >>> async def six():
    ...     return 6
    >>> in_background(six)
    6
    """
    left = remaining()
    ends = None if left is None else time.monotonic() + left + _LATE
    while True:
        loop = _Loop.at(_DEPTH.get())
        job = loop.begin(work)
        if job.begun.wait(_until(ends, most=_BEGINS)) or not job.result.cancel():
            return _ended(loop, job, ends)
        loop.leave()
        if _until(ends) == 0:
            raise TimeoutError("a function that is awaited blocks the event loop")


def _ended(loop: _Loop, job: _Job[T], ends: float | None) -> T:
    try:
        with at_giving_up(lambda: loop.tell(job.cancel)):
            return job.result.result(_until(ends))
    except TimeoutError:
        if not job.result.done() and not loop.answers():
            loop.leave()
        raise
    finally:
        loop.tell(job.cancel)  # also where the caller was interrupted


def _until(ends: float | None, *, most: float | None = None) -> float | None:
    if ends is None:
        return most
    left = max(0.0, ends - time.monotonic())
    return left if most is None else min(left, most)


#: How many loops of ours the caller is inside of. One that blocks must not wait for itself.
_DEPTH: contextvars.ContextVar[int] = contextvars.ContextVar("depth", default=0)


class _Job(Generic[T]):
    """Some work, and what came of it. It either begins, or is taken back before that."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self.begun = threading.Event()
        self.result: Future[T] = Future()
        self._work = work
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Run it, in the loop this is called by."""
        if self.result.set_running_or_notify_cancel():
            self.begun.set()
            self._task = asyncio.get_running_loop().create_task(self._run())

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        try:
            result = await self._work()
        except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
            self.result.set_exception(error)
        else:
            self.result.set_result(result)


class _Loop:
    """An event loop in a thread of its own, begun when it is first needed."""

    _lock: Final = threading.Lock()
    _kept: Final[dict[int, _Loop]] = {}

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="groundedgen-loop", daemon=True)
        self._thread.start()

    @classmethod
    def at(cls, depth: int) -> _Loop:
        """The loop for callers inside of so many others."""
        with cls._lock:
            kept = cls._kept.get(depth)
            # A process that was forked has the loop, but not the thread that runs it.
            if kept is None or not kept._thread.is_alive():  # noqa: SLF001  # its own class's
                kept = cls._kept[depth] = cls(depth)
            return kept

    def begin(self, work: Callable[[], Coroutine[Any, Any, T]]) -> _Job[T]:
        job, context = _Job(work), contextvars.copy_context()
        context.run(_DEPTH.set, self._depth + 1)
        self.tell(job.begin, context)
        return job

    def tell(self, call: Callable[[], object], context: contextvars.Context | None = None) -> None:
        with suppress(RuntimeError):  # it has ended: the caller finds that nothing was begun
            self._loop.call_soon_threadsafe(call, context=context)

    def answers(self) -> bool:
        """Whether the loop is running, and not waiting for a function that blocks it."""
        answered = threading.Event()
        self.tell(answered.set)
        return answered.wait(_ANSWERS)

    def leave(self) -> None:
        """Let others begin a loop of their own; this one ends when its work has ended."""
        with self._lock:
            if self._kept.get(self._depth) is self:
                del self._kept[self._depth]
                self.tell(self._end_when_idle)

    def _end_when_idle(self) -> None:
        if asyncio.all_tasks(self._loop):
            self._loop.call_later(1.0, self._end_when_idle)
        else:
            self._loop.stop()

    def _run(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()
