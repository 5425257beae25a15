"""The client an adapter asks: the caller's, used as given, or one of its own for a model string.

Clients of our own are kept for the model strings of later calls, and with them their connections.
An SDK's asynchronous client belongs to the event loop it was first used in. One of our own is
therefore opened for as long as a request of that loop is under way, and closed with the last:
nothing of it is left when the loop ends.
"""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

from groundedgen.deadlines import OverdueError, unblocked
from groundedgen.errors import InputError
from groundedgen.generators.transport.lookups import joined_by_nobody

__all__ = ["Clients", "Given", "Own", "check_attempts", "check_limits", "kept", "without_retries"]

#: Seconds that a socket can be told to wait, rounded down; longer time-outs are cut down to it.
_LONGEST: Final = 2_000_000.0


def check_limits(timeout: object, attempts: object) -> float:
    """Check what every adapter of a hosted model is made with.

    Returns:
        The time-out in seconds, as it can be handed on: infinity is some 23 days.

    Raises:
        InputError: `timeout` is not more than 0, or `attempts` is not 1 to 10.

    >>> check_limits(30, 3), check_limits(float("inf"), 1)
    (30, 2000000.0)
    """
    check_attempts(attempts)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        raise InputError(
            f"timeout must be seconds, more than 0 (infinity for no limit of its own); "
            f"got {timeout!r:.60}",
            code="bad_timeout",
        )
    return min(timeout, _LONGEST)


def check_attempts(attempts: object) -> None:
    """Check how often a request may be sent.

    Raises:
        InputError: `attempts` is not 1 to 10.
    """
    if type(attempts) is not int or not 1 <= attempts <= 10:
        raise InputError(
            f"attempts must be a whole number, 1 to 10; got {attempts!r:.60}", code="bad_attempts"
        )


def without_retries(client: Any) -> Any:
    """An SDK's client that sends a request once; itself where that cannot be said to it.

    An SDK retries without knowing the deadline of the call, waits as long as a server tells it
    to, and goes on after the call was cancelled.
    """
    copied = getattr(client, "with_options", None)
    return copied(max_retries=0) if callable(copied) else client


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
        joined_by_nobody(asyncio.get_running_loop())
        yield self.client if self.asynchronous else None


class Own:
    """Clients of our own, built when first needed.

    The synchronous one is closed when nothing refers to this any more, or the program ends.

    Args:
        make: Builds the synchronous client.
        amake: Builds the asynchronous one.
        close: The name of their method that closes them.
        prepare: What takes long in building one, an import say. Called in a thread before the
            first asynchronous client is built, which has to be done in its event loop.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        amake: Callable[[], Any],
        *,
        close: str = "close",
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self._make, self._amake, self._close, self._prepare = make, amake, close, prepare
        self._lock = threading.Lock()
        self._client: Any = None
        self._open: dict[asyncio.AbstractEventLoop, tuple[Any, int]] = {}

    def sync(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._make()
                if callable(close := getattr(self._client, self._close, None)):
                    weakref.finalize(self, _closed, close)
            return self._client

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Any]:
        # Entries of other loops are never touched, so within one loop no lock is needed.
        loop = asyncio.get_running_loop()
        joined_by_nobody(loop)
        await self._prepared()
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

    async def _prepared(self) -> None:
        if self._prepare is None:
            return
        try:
            await unblocked(self._prepare)
        except OverdueError:
            raise
        except Exception:  # noqa: BLE001, S110  # building the client fails alike, and is heard
            pass
        self._prepare = None


def _closed(close: Callable[[], Any]) -> None:
    with suppress(Exception):  # nobody is left to be told
        close()


def kept(make: Callable[..., Own], *what: str | None) -> Own:
    """What `make(*what)` returned the last time, if nothing has changed that SDKs read.

    A model string is resolved anew in each call, often in many threads; a client per call would
    be built, and connect, each time. SDKs read keys and addresses from the environment when a
    client is built, so another environment has clients of its own, and so has another process:
    a connection cannot be shared with a parent.
    """
    return _kept(make, what, hash(frozenset(os.environ.items())), os.getpid())


@lru_cache(maxsize=32)
def _kept(
    make: Callable[..., Own], what: tuple[str | None, ...], *_settings_and_process: int
) -> Own:
    return make(*what)
