"""One streamed reply, read ahead of whoever asks for it; finds what has closed of it.

Reading goes on while a judge is asked of what came before, so that a slow judge is asked less
often and of more, and what a try that broke off has cost is known also where nobody asks again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from groundedgen import resolve
from groundedgen.calls import late, replied, undrafted
from groundedgen.closing import Scanner
from groundedgen.deadlines import contained, given_up, remaining, sooner
from groundedgen.effects import Closed, Interrupted, Outcome
from groundedgen.errors import InputError, ProviderError
from groundedgen.ports import AsyncStreamingGenerator, Request

__all__ = ["Feed"]

_ENDED: Final = "a streaming generator must end with a Reply, and it ended without"


class Feed:
    """One reply, read ahead of whoever asks for it."""

    def __init__(self, generator: AsyncStreamingGenerator, request: Request) -> None:
        import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

        self._generator, self._closing = generator, False
        self._items: deque[Outcome | _Broken] = deque()
        self._arrived, self._again = asyncio.Event(), asyncio.Event()
        self._lost: ProviderError | None = None  # what a try that broke off has cost
        self._reading = asyncio.create_task(self._read(request))

    async def next(self, *, shown: bool) -> Outcome:
        """What came since; waited for, if that is nothing, until the deadline of the call.

        All that has closed meanwhile comes at once, so that a judge is asked once. A reply that
        can be asked for again overtakes what has closed of it, unless something was `shown`.
        What is still unread at the deadline is not read.
        """
        self._again.set()
        if remaining() == 0 or (not self._items and not await self._is_in_time()):
            return late(resolve.name_of(self._generator), self._lost)
        last = self._items[-1]
        if isinstance(last, Interrupted) and not shown:
            self._items.clear()
            return last
        item = self._items.popleft()
        if isinstance(item, _Broken):
            raise item.error
        if not isinstance(item, Closed):
            return item
        statements = list(item.statements)
        while self._items and isinstance(more := self._items[0], Closed):
            statements += more.statements
            self._items.popleft()
        return Closed(tuple(statements))

    async def close(self) -> None:
        """Close the connection, if the reply has not ended; not for longer than a moment."""
        self._closing = True
        await given_up(self._reading)

    async def _is_in_time(self) -> bool:
        import asyncio  # noqa: PLC0415  # as above

        self._arrived.clear()
        try:
            async with asyncio.timeout(remaining()):
                await self._arrived.wait()
        except TimeoutError:
            return bool(self._items)
        return True

    def _put(self, item: Outcome | _Broken) -> None:
        self._items.append(item)
        self._arrived.set()

    async def _read(self, request: Request) -> None:
        try:
            with sooner():  # as in `calls`: one that is late can still tell what it has cost
                async with aclosing(self._generator.astream(request)) as parts:
                    self._put(await self._followed(parts))
        except BaseException as raised:
            if self._closing:
                raise
            error = contained(raised)
            self._put(undrafted(error, self._generator) or _Broken(error))

    async def _followed(self, parts: AsyncGenerator[Any, None]) -> Outcome:
        """Put what closes, and return what the reply ends with."""
        scanner = Scanner()
        async for part in parts:
            if isinstance(part, str):
                if closed := scanner.feed(part):
                    self._put(Closed(closed))
            elif isinstance(part, ProviderError):
                scanner = Scanner()
                self._again.clear()
                self._lost = part
                self._put(Interrupted(part))
                await self._again.wait()
            else:
                return replied(part)
        raise InputError(_ENDED, code="bad_reply")


@dataclass(frozen=True, slots=True)
class _Broken:
    """What a generator raised that no generator should; raised by `next`."""

    error: BaseException
