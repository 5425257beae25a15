"""One request whose reply is read as it arrives, from servers that may not know of such a thing.

Some answer in one piece, some turn down what only a stream has: what a server takes is learned.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator as AsyncIterating
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import regex

from groundedgen.deadlines import remaining
from groundedgen.errors import ProviderError
from groundedgen.generators.chat.sending import Outcome
from groundedgen.generators.constrained.ladder import Learned
from groundedgen.generators.replies.deltas import Arriving, broke, kind_of, reading, whole_of
from groundedgen.generators.transport.bodies import begins_as_events, counted
from groundedgen.generators.transport.failures import status_of, words_of
from groundedgen.generators.transport.timing import atimed, timed
from groundedgen.values import Usage

__all__ = ["Following", "Sender"]

#: Statuses with which servers turn down a parameter.
_TURNED_DOWN: Final = frozenset({400, 404, 415, 422, 501})
_OF_STREAMING: Final = regex.compile(r"(?<![\w-])stream(?:ing|ed)?(?![\w-])")


@dataclass(frozen=True, slots=True)
class Sender:
    """How bodies are sent through one client.

    Attributes:
        create: The client's `create`; awaited, if the client is asynchronous.
        timeout: Seconds for one request.
        fails: Whether an exception is one that a request fails with. Others are raised.
    """

    create: Callable[..., Any]
    timeout: float
    fails: Callable[[Exception], bool]

    def send(self, body: dict[str, Any]) -> Outcome:
        """What a request comes to."""
        seconds = remaining(most=self.timeout)
        return timed(partial(self.create, **body, timeout=seconds), seconds, self.fails)

    async def asend(self, body: dict[str, Any]) -> Outcome:
        """`send`, awaited."""
        seconds = remaining(most=self.timeout)
        return await atimed(partial(self.create, **body, timeout=seconds), seconds, self.fails)


class Following:
    """One request that is read as it arrives.

    Args:
        sender: Sends it.
        learned: What the server is known to take.
        who: The generator's name, for messages.

    Attributes:
        outcome: What it came to, once `deltas` has ended.
        begun: Something has arrived.
        said: Some of the reply has.
    """

    def __init__(self, sender: Sender, learned: Learned, who: str) -> None:
        self._sender, self._learned, self._who = sender, learned, who
        self._arriving = Arriving()
        self._streamed = self._counted = False
        self.begun = self.said = False
        self.outcome: Outcome = None

    @property
    def wasted(self) -> Usage:
        """The tokens counted so far."""
        usage: Usage = self._arriving.wasted
        return usage

    async def deltas(self, body: dict[str, Any]) -> AsyncIterating[str, None]:
        """The deltas of the reply."""
        learned = self._learned
        self._streamed, self._counted = learned.streams, learned.streams and learned.counts
        if not self._streamed:
            self.outcome = await self._sender.asend(body)
            return
        seconds = remaining(most=self._sender.timeout)
        # A clock for each read, since no time-out may be open while a delta is handed over.
        ends = asyncio.get_running_loop().time() + (seconds or 0.0)
        counts = {"stream_options": {"include_usage": True}} if self._counted else {}
        create = partial(self._sender.create, **body, **counts, stream=True, timeout=seconds)
        try:
            if (stream := await self._opened(create, ends)) is None:
                return
            async with aclosing(reading(stream, ends)) as chunks:
                async for chunk in chunks:
                    self.begun = True
                    if delta := self._arriving.take(chunk):
                        self.said = True
                        yield delta
            self.outcome = self._arriving.completion(self._who)
        except Exception as error:  # a broken chunk fails in any way; what is ours goes on
            if not self._is_an_outcome(error):
                raise
            self.outcome = error

    async def _opened(self, create: Callable[[], Any], ends: float) -> Any:
        """The stream; `None` where the server answers in one piece, which is the outcome."""
        async with asyncio.timeout_at(ends):
            stream = await create()
            counted(getattr(stream, "response", None))
            kind = kind_of(stream)
            if kind == "json" and await begins_as_events(stream.response):
                kind = "stream"  # gateways call it by another name
        if kind == "stream":
            return stream
        self.outcome = stream
        if kind == "json":  # it took the request and answers in one piece
            self._learned.streams = False
            async with asyncio.timeout_at(ends):
                self.outcome = await whole_of(stream)
        return None

    def _is_an_outcome(self, error: Exception) -> bool:
        return isinstance(error, TimeoutError | ProviderError) or (
            self._sender.fails(error) or broke(error)
        )

    def asks_for_less(self) -> bool:
        """Whether the server turned down what only a stream has; remembers it.

        Only what was sent can be left out, so that no request is sent again as it was.
        """
        outcome = self.outcome
        if not isinstance(outcome, BaseException) or status_of(outcome) not in _TURNED_DOWN:
            return False
        words = words_of(outcome)
        if self._counted and ("stream_options" in words or "include_usage" in words):
            self._learned.counts = False
            return True
        if self._streamed and _OF_STREAMING.search(words):
            self._learned.streams = False
            return True
        return False
