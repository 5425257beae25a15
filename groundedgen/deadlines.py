"""One deadline for a whole call, and work that is given up when it has passed.

The driver opens it; whatever runs inside (a generator, a judge, their retries) asks
`remaining()` how long it may still take. It travels in a context variable, so that the
small protocols of `ports` need no further argument, and it is the same in threads that
`bounded` starts and in tasks of `asyncio`. Times are seconds.

Work that is given up is nobody's any more: what it still returns or raises is not heard.
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
    "awaited",
    "bounded",
    "contained",
    "given_up",
    "remaining",
    "unblocked",
    "within",
]

T = TypeVar("T")

#: Seconds that work which is given up has to close its connections before it is left to itself.
_CLOSING = 0.25


class OverdueError(TimeoutError):
    """Work was given up: told apart from a `TimeoutError` that the work itself raises."""


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
            f"timeout must be seconds, more than 0, or None for none; got {seconds!r}",
            code="bad_timeout",
        )
    seconds = min(seconds, _LONGEST)
    ends, now = _END.get(), time.monotonic()
    token = _END.set(now + seconds if ends is None else min(ends, now + seconds))
    try:
        yield
    finally:
        _END.reset(token)


def remaining(most: float | None = None) -> float | None:
    """Seconds until the deadline, at least 0; `None` if there is none.

    Args:
        most: Never say more than this; also the answer where there is no deadline.

    >>> remaining(), remaining(most=30)
    (None, 30)
    """
    ends = _END.get()
    if ends is None:
        return most
    left = max(0.0, ends - time.monotonic())
    return left if most is None else min(left, most)


def bounded(call: Callable[[], T], seconds: float | None) -> T:
    """The result of `call`, if there is one within `seconds`.

    With a limit the call runs in a thread of its own, in a copy of the caller's context; one
    that does not end is given up, not waited for.

    Raises:
        OverdueError: There was no result in time.
        StrayError: `call` raised what is no `Exception`, or `StopIteration`. Whatever else it
            raises, `KeyboardInterrupt` and `SystemExit` among it, is raised here.

    >>> bounded(lambda: 6 * 7, seconds=10)
    42
    """
    if seconds is None:
        return _here(call)
    if seconds <= 0:
        raise OverdueError
    results: queue.SimpleQueue[Callable[[], T]] = queue.SimpleQueue()
    _start(call, results.put)
    try:
        outcome = results.get(timeout=seconds)
    except queue.Empty:
        raise OverdueError from None
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
        StrayError: As `bounded`.

    >>> import asyncio
    >>> asyncio.run(unblocked(lambda: 6 * 7))
    42
    """
    import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

    loop = asyncio.get_running_loop()
    arrived: asyncio.Future[Callable[[], T]] = loop.create_future()

    def tell(outcome: Callable[[], T]) -> None:
        if not arrived.done():
            arrived.set_result(outcome)

    def put(outcome: Callable[[], T]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, outcome)

    _start(call, put)
    return (await arrived)()


def _start(call: Callable[[], T], put: Callable[[Callable[[], T]], None]) -> None:
    """Run `call` in a daemon thread; `put` is given a function that returns or raises its outcome.

    Not a thread of a pool: those are joined when the program ends, and a server that hangs
    would keep it from ending.
    """
    context = contextvars.copy_context()

    def run() -> None:
        try:
            result = context.run(call)
        except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
            put(partial(_raise, contained(error)))
        else:
            put(lambda: result)

    threading.Thread(target=run, name="groundedgen-worker", daemon=True).start()


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
