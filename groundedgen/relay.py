"""What arrives in an event loop, read by code that does not await.

The loop is one of its own, in a thread of its own, which runs in a copy of the caller's context.
"""

from __future__ import annotations

import contextvars
import queue
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from typing import Generic, TypeVar

__all__ = ["LONGEST", "Relay"]

T = TypeVar("T")

LONGEST = threading.TIMEOUT_MAX / 2
"""Seconds that a queue can be waited for."""


class Relay(Generic[T]):
    """Runs an asynchronous iterator in a thread.

    Args:
        make: Makes it, in the thread.
        ending: Seconds that it has to end once nobody reads any more.

    Attributes:
        is_stuck: What it awaits blocks the loop, so that nothing of it is heard any more.

    >>> async def count():
    ...     yield 1
    ...     yield 2
    >>> relay = Relay(count, ending=1.0)
    >>> list(relay.items(patience=None)), relay.end()
    ([1, 2], None)
    """

    def __init__(self, make: Callable[[], AsyncGenerator[T, None]], *, ending: float) -> None:
        self._items: queue.SimpleQueue[tuple[T] | BaseException | None] = queue.SimpleQueue()
        self._make, self._ending, self._begun = make, ending, threading.Event()
        self.is_stuck = False
        self._cancel: Callable[[], object] = lambda: None
        context = contextvars.copy_context()
        self._thread = threading.Thread(
            target=context.run, args=(self._run,), name="groundedgen-stream", daemon=True
        )
        self._thread.start()

    def items(self, patience: float | None) -> Iterator[T]:
        """What arrives, until it ends or these seconds are over; `None` for no end.

        It ends in time by itself, unless a part blocks the loop that it is awaited in.

        Raises:
            BaseException: Whatever the iterator raises.
        """
        ends = None if patience is None else time.monotonic() + patience
        while True:
            try:
                left = None if ends is None else max(0.0, ends - time.monotonic())
                item = self._items.get(timeout=left)
            except queue.Empty:
                self.is_stuck = True
                return
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item[0]

    def end(self) -> None:
        """End it; a part that does not let itself be cancelled is left to its thread."""
        self._begun.wait()
        self._cancel()
        self._thread.join(0.0 if self.is_stuck else self._ending)

    def _run(self) -> None:
        import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

        try:
            asyncio.run(self._relay())
        except BaseException as error:  # noqa: BLE001  # raised again by whoever reads the items
            self._items.put(error)
        finally:
            self._begun.set()

    async def _relay(self) -> None:
        """Put every item, and `None` or an error last: the loop may take longer to end."""
        import asyncio  # noqa: PLC0415  # as above

        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def cancel() -> None:
            if task is not None:
                with suppress(RuntimeError):  # the loop is closed: all has ended
                    loop.call_soon_threadsafe(task.cancel)

        self._cancel = cancel
        self._begun.set()
        last: BaseException | None = None
        try:
            async with aclosing(self._make()) as items:
                async for item in items:
                    self._items.put((item,))
        except asyncio.CancelledError:
            pass
        except BaseException as error:  # noqa: BLE001  # as above
            last = error
        self._items.put(last)
