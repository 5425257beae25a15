"""One request to Anthropic's service, over all its tries: sent until there is a reply to it."""

from __future__ import annotations

from collections.abc import AsyncGenerator as AsyncIterating
from collections.abc import Callable
from collections.abc import Generator as Steps
from contextlib import aclosing
from typing import Any

from groundedgen.errors import DeadlineError, ProviderError
from groundedgen.generators.messages import asend, astreamed, send
from groundedgen.generators.replies.arriving import Message
from groundedgen.generators.transport.driving import adriven, driven, step
from groundedgen.ports import Reply

__all__ = ["Asking", "Roundtrip", "Sent"]

Sent = Message | ProviderError | DeadlineError
"""What one body comes to."""

Asking = Steps[dict[str, Any], Sent, Reply]
"""Yields bodies to send and is sent what came of them, until that is a reply."""


class Roundtrip:
    """Each method makes one try.

    Args:
        client: The SDK's client.
        steps: Begins the steps of a try.
        who: The generator's name, for messages.
        timeout: Seconds for one body.
    """

    def __init__(
        self, client: Any, steps: Callable[[], Asking], *, who: str, timeout: float
    ) -> None:
        self._client, self._steps = client, steps
        self._who, self._timeout = who, timeout

    def asked(self) -> Reply:
        """One reply.

        Raises:
            ProviderError: The service failed.
            DeadlineError: The deadline of the call came first.
        """
        return driven(self._steps(), self._sent)

    async def aasked(self) -> Reply:
        """`asked`, awaited."""
        return await adriven(self._steps(), self._asent)

    async def astreamed(self) -> AsyncIterating[str | Reply, None]:
        """`aasked`; what arrives of the reply, and last the reply."""
        steps = self._steps()
        reached = step(steps)
        while isinstance(reached, dict):
            sent: Sent = ProviderError(f"{self._who} sent nothing", retryable=True)
            kind = "tool_use" if "tools" in reached else "text"
            try:
                arriving = astreamed(self._client, reached, who=self._who, timeout=self._timeout)
                async with aclosing(arriving) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, Message):
                            sent = piece
                        elif piece.kind == kind:
                            yield piece.text
            except (ProviderError, DeadlineError) as error:
                sent = error
            reached = step(steps, sent)
        yield reached.value

    def _sent(self, body: dict[str, Any]) -> Sent:
        try:
            return send(self._client, body, who=self._who, timeout=self._timeout)
        except (ProviderError, DeadlineError) as error:
            return error

    async def _asent(self, body: dict[str, Any]) -> Sent:
        try:
            return await asend(self._client, body, who=self._who, timeout=self._timeout)
        except (ProviderError, DeadlineError) as error:
            return error
