"""One request to an OpenAI-compatible server, over all its tries, and what they cost.

A server of one's own is asked first what it obeys, unless that is known. What was spent on that,
and on replies that were no use, is on the reply or on the error that a try ends with.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator as AsyncIterating
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from functools import partial

from groundedgen.deadlines import OverdueError, awaited, bounded, remaining, unblocked
from groundedgen.errors import DeadlineError, GenerationError, ProviderError
from groundedgen.generators.chat.following import Following, Sender
from groundedgen.generators.chat.sending import Sending
from groundedgen.generators.constrained.probes import Found
from groundedgen.generators.transport.driving import adriven, astep, driven
from groundedgen.ports import Reply, Usage

__all__ = ["ChatExchange"]


class ChatExchange:
    """Sends one request until there is a reply to it; each method makes one try.

    Args:
        sending: The request.
        sender: How its bodies are sent.
    """

    def __init__(self, sending: Sending, sender: Sender) -> None:
        self._sending, self._sender = sending, sender
        # Grammars are compiled in a thread, which takes up to a second.
        self._in_thread = sending.known is not None

    def asked(self) -> Reply:
        """One reply.

        Raises:
            GenerationError: There was none; what the try cost is in its `wasted`.
        """
        with _spending(self._sending):
            self._bind()
            return self._counted(driven(self._sending.steps(), self._sender.send))

    async def aasked(self) -> Reply:
        """`asked`, awaited."""
        steps, send = self._sending.steps(), self._sender.asend
        with _spending(self._sending):
            await self._abind()
            return self._counted(await adriven(steps, send, in_thread=self._in_thread))

    async def astreamed(self) -> AsyncIterating[str | Reply, None]:
        """`aasked`; the reply's deltas, and last the reply."""
        sending, following = self._sending, self._following()
        with _spending(sending):
            try:
                await self._abind()
                steps = sending.steps()
                step = await astep(steps, in_thread=self._in_thread)
                while isinstance(step, dict):
                    following = self._following()
                    async with aclosing(following.deltas(step)) as deltas:
                        async for delta in deltas:
                            if told := sending.watch.told(delta):
                                yield told
                    if not following.begun and following.asks_for_less():
                        continue
                    step = await astep(steps, following.outcome, in_thread=self._in_thread)
                    if following.said and isinstance(step, dict):
                        raise _void(sending.name)
                yield self._counted(step.value)
            except GenerationError as error:
                error.wasted = error.wasted or following.wasted
                raise

    def _following(self) -> Following:
        return Following(self._sender, self._sending.learned, self._sending.name)

    def _counted(self, reply: Reply) -> Reply:
        """The reply, with what was spent to get it."""
        return replace(reply, usage=reply.usage + self._sending.taken())

    def _bind(self) -> None:
        """See to it that a server of one's own was asked what it obeys."""
        if (known := self._sending.known) is None:
            return
        found = known.found
        if found is None:
            with known.turn(self._sending.name):
                found = known.found or driven(self._sending.probing(), self._sender.send)
        try:  # a grammar of many passages takes seconds to make
            bounded(partial(self._sending.bind, found), remaining())
        except OverdueError:
            raise _unbound(self._sending.name) from None

    async def _abind(self) -> None:
        """`_bind`, awaited."""
        if (known := self._sending.known) is None:
            return
        found = known.found
        if found is None:
            async with known.aturn(self._sending.name):
                found = known.found
                if found is None:
                    found = await self._aprobed()
        try:
            await awaited(lambda: unblocked(partial(self._sending.bind, found)), remaining())
        except OverdueError:
            raise _unbound(self._sending.name) from None

    async def _aprobed(self) -> Found:
        return await adriven(self._sending.probing(), self._sender.asend, in_thread=self._in_thread)


@contextmanager
def _spending(sending: Sending) -> Iterator[None]:
    """Whatever a try fails with tells how it was asked for, and what was spent on it."""
    try:
        yield
    except GenerationError as error:
        error.response_format = error.response_format or sending.response_format()
        if (spent := sending.taken()) != Usage():
            error.wasted = (error.wasted or Usage()) + spent
        raise


def _void(who: str) -> ProviderError:
    """What was shown of a reply counts for nothing; its cost is counted with the steps'."""
    error = ProviderError(
        f"{who} did not keep to the form it was sent", retryable=True, retry_after=0.0
    )
    error.wasted = Usage()
    return error


def _unbound(who: str) -> DeadlineError:
    return DeadlineError(
        f"the constraint of the reply of {who} was still being made at the deadline of the call; "
        f"pass fewer passages, or allow more time with timeout="
    )
