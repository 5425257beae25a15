"""The client an adapter asks: the caller's, used as given, or one of its own for a model string.

An SDK's asynchronous client belongs to the event loop it was first used in. One of our own is
therefore opened for as long as a request of that loop is under way, and closed with the last:
nothing of it is left when the loop ends. Building one takes some 50 ms.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from groundedgen.errors import InputError

__all__ = ["Clients", "Given", "Own", "check_limits"]


def check_limits(timeout: object, attempts: object) -> None:
    """Check what every adapter of a hosted model is made with.

    Raises:
        InputError: `timeout` is not more than 0, or `attempts` is not 1 to 10.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        raise InputError(
            f"timeout must be seconds, more than 0; got {timeout!r:.60}", code="bad_timeout"
        )
    if type(attempts) is not int or not 1 <= attempts <= 10:
        raise InputError(f"attempts must be 1 to 10, got {attempts!r:.60}", code="bad_attempts")


class Clients(Protocol):
    """Where an adapter gets its client from."""

    def sync(self) -> Any:
        """The synchronous client.

        Raises:
            InputError: There is only an asynchronous one.
        """

    def opened(self) -> Any:
        """An async context manager of the asynchronous client; of `None` if there is none."""


@dataclass(frozen=True, slots=True)
class Given:
    """The caller's client, synchronous or asynchronous."""

    client: Any
    asynchronous: bool

    def sync(self) -> Any:
        if self.asynchronous:
            raise InputError(
                "the client given to the generator is asynchronous; use aask, or give it the "
                "synchronous one",
                code="bad_type",
            )
        return self.client

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        yield self.client if self.asynchronous else None


class Own:
    """Clients of our own, built when first needed.

    Args:
        make: Builds the synchronous client.
        amake: Builds the asynchronous one.
        close: The name of the asynchronous one's method that closes it.
    """

    def __init__(
        self, make: Callable[[], Any], amake: Callable[[], Any], *, close: str = "close"
    ) -> None:
        self._make, self._amake, self._close = make, amake, close
        self._lock = threading.Lock()
        self._client: Any = None
        self._open: dict[asyncio.AbstractEventLoop, tuple[Any, int]] = {}

    def sync(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._make()
            return self._client

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        # Entries of other loops are never touched, so within one loop no lock is needed.
        loop = asyncio.get_running_loop()
        client, users = self._open.get(loop) or (self._amake(), 0)
        self._open[loop] = client, users + 1
        try:
            yield client
        finally:
            client, users = self._open.pop(loop)
            if users > 1:
                self._open[loop] = client, users - 1
            elif callable(close := getattr(client, self._close, None)):
                await close()
