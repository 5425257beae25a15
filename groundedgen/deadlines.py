"""One deadline for a whole call, and work that is given up when it has passed.

The driver opens it; whatever runs inside (a generator, a judge, their retries) asks
`remaining()` how long it may still take. It travels in a context variable, so that the
small protocols of `ports` need no further argument, and it is the same in threads that
`bounded` starts and in tasks of `asyncio`. Times are seconds.

Work that is given up is nobody's any more: what it still returns or raises is not heard. A thread
cannot be ended from outside, so the work in it is told: from then on `remaining()` is 0 in it and
in whatever it began, pauses end, no further thread is started, and what it put down with
`at_giving_up` is called, such as the closing of a connection.
"""

from __future__ import annotations

import contextvars
import queue
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from groundedgen.errors import InputError

if TYPE_CHECKING:
    import asyncio

__all__ = [
    "OverdueError",
    "StrayError",
    "at_giving_up",
    "awaited",
    "bounded",
    "check_wanted",
    "contained",
    "given_up",
    "pause",
    "remaining",
    "sooner",
    "unblocked",
    "within",
]

T = TypeVar("T")

#: Seconds that work which is given up has to close its connections before it is left to itself.
_CLOSING = 0.25
#: Seconds that a part has less than whoever waits for it, and what share of them at most.
_SOONER, _SOONER_SHARE = 0.25, 0.1


class OverdueError(TimeoutError):
    """Work was late or given up: told apart from a `TimeoutError` that the work itself raises."""


class StrayError(RuntimeError):
    """Work raised what means something else to whoever waits for it.

    A `CancelledError` that nobody asked for would pass for the cancellation of the caller, a
    `StopIteration` for the end of the flow, and what is no `Exception` is caught by nobody.

    Attributes:
        kind: The name of its class, such as "CancelledError".
    """

    def __init__(self, error: BaseException) -> None:
        self.kind = type(error).__name__
        super().__init__(f"a part of the call raised {self.kind}, which is not its own to raise")


#: What a lock can wait for; longer time-outs, infinite ones too, are cut down to it.
_LONGEST = threading.TIMEOUT_MAX / 2

_END: contextvars.ContextVar[float | None] = contextvars.ContextVar("deadline", default=None)


class _Work:
    """What runs in a thread of its own, and whoever is to be told when it is given up."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        self._lock = threading.Lock()
        self._told: dict[object, Callable[[], object]] = {}

    def tell(self, call: Callable[[], object]) -> object:
        """Have `call` called when this is given up; now, if it has been. A key to forget it by."""
        key = object()
        with self._lock:
            if not self.gone.is_set():
                self._told[key] = call
                return key
        call()
        return key

    def forget(self, key: object) -> None:
        with self._lock:
            self._told.pop(key, None)

    def give_up(self) -> None:
        with self._lock:
            self.gone.set()
            calls, self._told = list(self._told.values()), {}
        for call in calls:
            call()


_WORK: contextvars.ContextVar[_Work | None] = contextvars.ContextVar("work", default=None)


def _is_given_up() -> bool:
    work = _WORK.get()
    return work is not None and work.gone.is_set()


def check_wanted() -> None:
    """Go on only if somebody still waits.

    Raises:
        OverdueError: This work was given up.
    """
    if _is_given_up():
        raise OverdueError


@contextmanager
def at_giving_up(call: Callable[[], object]) -> Iterator[None]:
    """Inside of it, `call` is called if this work is given up, in the thread that gives it up.

    Args:
        call: Must be quick and must not raise. Called at once where the work has been given up.

    >>> with at_giving_up(lambda: print("closed")):
    ...     pass
    """
    work = _WORK.get()
    if work is None:
        yield
        return
    key = work.tell(call)
    try:
        yield
    finally:
        work.forget(key)


def pause(seconds: float) -> None:
    """Sleep, unless this work is given up.

    Raises:
        OverdueError: It has been.
    """
    work = _WORK.get()
    if work is None:
        time.sleep(seconds)
    elif work.gone.wait(seconds):
        raise OverdueError


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Everything inside has at most `seconds` from now; an outer deadline that ends sooner stays.

    Args:
        seconds: More than 0, or `None` for no deadline of its own.

    Raises:
        InputError: `seconds` is no number, or not more than 0.

    >>> with within(5), within(60):
    ...     4 < remaining() <= 5
    True
    >>> remaining() is None
    True
    """
    if seconds is None:
        yield
        return
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise InputError(
            f"timeout must be seconds, more than 0, or None for none; got {seconds!r:.60}",
            code="bad_timeout",
        )
    seconds = min(seconds, _LONGEST)
    ends, now = _END.get(), time.monotonic()
    token = _END.set(now + seconds if ends is None else min(ends, now + seconds))
    try:
        yield
    finally:
        _END.reset(token)


@contextmanager
def sooner() -> Iterator[None]:
    """Everything inside has a little less than what is left: time to say what came of it.

    Work that is given up is not heard, so a part that ends by the same clock as whoever waits for
    it could not tell what it had cost.

    >>> with within(10), sooner():
    ...     9.7 < remaining() < 9.8
    True
    """
    left = remaining()
    with within(None if not left else left - min(_SOONER, left * _SOONER_SHARE)):
        yield


def remaining(most: float | None = None) -> float | None:
    """Seconds until the deadline, at least 0; `None` if there is none. 0 for what is given up.

    Args:
        most: Never say more than this; also the answer where there is no deadline.

    >>> remaining(), remaining(most=30)
    (None, 30)
    """
    if _is_given_up():
        return 0.0
    ends = _END.get()
    if ends is None:
        return most
    left = max(0.0, ends - time.monotonic())
    return left if most is None else min(left, most)


def bounded(call: Callable[[], T], seconds: float | None) -> T:
    """The result of `call`, if there is one within `seconds`.

    With a limit the call runs in a thread of its own, in a copy of the caller's context; one
    that does not end is given up, not waited for, also where the caller is interrupted.

    Raises:
        OverdueError: There was no result in time.
        StrayError: `call` raised what is no `Exception`, or `StopIteration`. Whatever else it
            raises, `KeyboardInterrupt` and `SystemExit` among it, is raised here.

    >>> bounded(lambda: 6 * 7, seconds=10)
    42
    """
    check_wanted()
    if seconds is None:
        return _here(call)
    if seconds <= 0:
        raise OverdueError
    results: queue.SimpleQueue[Callable[[], T]] = queue.SimpleQueue()
    work = _start(call, results.put)
    try:
        outcome = results.get(timeout=seconds)
    except queue.Empty:
        work.give_up()
        raise OverdueError from None
    except BaseException:
        work.give_up()
        raise
    return outcome()


def _here(call: Callable[[], T]) -> T:
    try:
        return call()
    except BaseException as error:
        if (own := contained(error)) is error:
            raise
        raise own from error


async def awaited(call: Callable[[], Awaitable[T]], seconds: float | None) -> T:
    """`bounded` for a call that is awaited, in a task of its own.

    One that is late, or whose caller is cancelled, is cancelled and has a moment to close its
    connections; then it is left to itself, whatever it makes of its cancellation.

    Raises:
        OverdueError: There was no result in time; one that comes later is not heard.
        StrayError: As `bounded`.

    >>> import asyncio
    >>> async def six():
    ...     return 6
    >>> asyncio.run(awaited(six, seconds=10))
    6
    """
    import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

    if seconds is not None and seconds <= 0:
        raise OverdueError
    ends = None if seconds is None else time.monotonic() + seconds
    task = asyncio.create_task(_outcome(call))
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await given_up(task)
        raise
    # Work that blocks the loop it runs in is late, too, although it is done.
    if not done or (ends is not None and time.monotonic() > ends):
        await given_up(task)
        raise OverdueError
    return task.result()()


async def _outcome(call: Callable[[], Awaitable[T]]) -> Callable[[], T]:
    """A function that returns or raises what came of the call."""
    try:
        result = await call()
    except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
        return partial(_raise, contained(error))
    return lambda: result


async def given_up(*tasks: asyncio.Task[Any], seconds: float = _CLOSING) -> None:
    """Cancel tasks, wait a moment for them to end, and hear nothing more of them."""
    import asyncio  # noqa: PLC0415  # as above

    for task in tasks:
        task.add_done_callback(_unheard)
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)


def _unheard(task: asyncio.Task[Any]) -> None:
    """Keep the loop from reporting what nobody waits for."""
    if not task.cancelled():
        task.exception()


async def unblocked(call: Callable[[], T]) -> T:
    """The result of a blocking `call`, awaited; given up where the waiting task is cancelled.

    Raises:
        OverdueError: The work that this is part of was given up.
        StrayError: As `bounded`.

    >>> import asyncio
    >>> asyncio.run(unblocked(lambda: 6 * 7))
    42
    """
    import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

    check_wanted()
    loop = asyncio.get_running_loop()
    arrived: asyncio.Future[Callable[[], T]] = loop.create_future()

    def tell(outcome: Callable[[], T]) -> None:
        if not arrived.done():
            arrived.set_result(outcome)

    def put(outcome: Callable[[], T]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, outcome)

    work = _start(call, put)
    try:
        outcome = await arrived
    except asyncio.CancelledError:
        work.give_up()
        raise
    return outcome()


def _start(call: Callable[[], T], put: Callable[[Callable[[], T]], None]) -> _Work:
    """Run `call` in a daemon thread; `put` is given a function that returns or raises its outcome.

    What is given up has an outcome at once, whatever its thread does, and with it everything that
    was begun inside of it. `put` may be called a second time, which is to have no effect.

    Not a thread of a pool: those are joined when the program ends, and a server that hangs
    would keep it from ending.
    """
    context, outer, work = contextvars.copy_context(), _WORK.get(), _Work()
    context.run(_WORK.set, work)
    work.tell(lambda: put(partial(_raise, OverdueError())))
    key = outer.tell(work.give_up) if outer is not None else None

    def run() -> None:
        try:
            result = context.run(call)
        except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
            put(partial(_raise, contained(error)))
        else:
            put(lambda: result)
        finally:
            if outer is not None:
                outer.forget(key)

    threading.Thread(target=run, name="groundedgen-worker", daemon=True).start()
    return work


def contained(error: BaseException) -> BaseException:
    """The error itself if whoever waits can take it for what it is; else a `StrayError` for it.

    >>> contained(ValueError("x")), contained(GeneratorExit()).kind
    (ValueError('x'), 'GeneratorExit')
    """
    if isinstance(error, KeyboardInterrupt | SystemExit):
        return error
    if isinstance(error, Exception) and not isinstance(error, StopIteration | StopAsyncIteration):
        return error
    stray = StrayError(error)
    stray.__cause__ = error
    return stray


def _raise(error: BaseException) -> NoReturn:
    raise error
