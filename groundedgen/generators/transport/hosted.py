"""What every generator behind an SDK's client has in common: whose client, which thread, retries.

A generator says only how one request is asked for; see `Exchange`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Any, Protocol

from groundedgen.deadlines import unblocked
from groundedgen.generators.retrying import Streamed, aretry, restream, retry
from groundedgen.generators.transport.clients import Clients
from groundedgen.ports import Reply, Request

__all__ = ["Exchange", "Hosted", "StreamedExchange", "StreamingHosted"]


class Exchange(Protocol):
    """One request, over all its tries. Each method makes one of them."""

    def asked(self) -> Reply: ...

    def aasked(self) -> Awaitable[Reply]: ...


class StreamedExchange(Exchange, Protocol):
    """One that can also be read as it arrives: its deltas, and last the reply."""

    def astreamed(self) -> Streamed: ...


class Hosted(ABC):
    """A generator that asks through a client.

    Args:
        name: What the answer names as its engine.
        clients: Where its clients come from.
        timeout: Seconds for one request, as `clients.check_limits` returns them.
        attempts: Requests at most for one draft where the service fails in passing, 1 to 10.
    """

    concurrent = True

    def __init__(self, name: str, clients: Clients, *, timeout: float, attempts: int) -> None:
        self.name, self._clients = name, clients
        self._timeout, self._attempts = timeout, attempts

    def generate(self, request: Request) -> Reply:
        """One reply.

        Raises:
            InputError: The client is asynchronous; use `aask`.
            ProviderError: The service failed, also after the last attempt.
            DeadlineError: The deadline of the call came first.
        """
        client = self._clients.sync()
        return retry(self._exchange(client, request).asked, self._tries(client))

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; with a synchronous client, from a thread of its own.

        Raises:
            ProviderError: The service failed, also after the last attempt.
            DeadlineError: The deadline of the call came first.
        """
        async with self._clients.opened() as client:
            if client is None:
                return await unblocked(lambda: self.generate(request))
            return await aretry(self._exchange(client, request).aasked, self._tries(client))

    @abstractmethod
    def _exchange(self, client: Any, request: Request) -> Exchange:
        """The request, through this client."""

    def _tries(self, client: Any) -> int:
        """How often it may be sent through this client."""
        del client
        return self._attempts


class StreamingHosted(Hosted):
    """A `Hosted` whose replies can be read as they arrive."""

    @abstractmethod
    def _exchange(self, client: Any, request: Request) -> StreamedExchange:
        """As that of `Hosted`."""

    async def astream(self, request: Request) -> Streamed:
        """One reply as it arrives; see `ports.AsyncStreamingGenerator`.

        With a synchronous client, or a server that does not stream, it comes in one piece.

        Raises:
            ProviderError: The service failed, also after the last attempt.
            DeadlineError: The deadline of the call came first.
        """
        async with self._clients.opened() as client:
            if client is None:
                yield await unblocked(lambda: self.generate(request))
                return
            tries = restream(self._exchange(client, request).astreamed, self._tries(client))
            async with aclosing(tries) as parts:
                async for part in parts:
                    yield part
