"""Carrying out steps: whatever a generator function yields is sent, and what came of it sent in.

The steps are written once, for synchronous and asynchronous clients alike.
"""

from __future__ import annotations

from collections.abc import Generator as Steps
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from groundedgen.deadlines import unblocked
from groundedgen.generators.chat.sending import Outcome, Sending

__all__ = ["End", "adriven", "astep", "driven", "step"]

T = TypeVar("T")


def driven(steps: Steps[dict[str, Any], Outcome, T], send: Any) -> T:
    """What steps come to, each body sent with `send`."""
    reached = step(steps, None)
    while isinstance(reached, dict):
        reached = step(steps, send(reached))
    return reached.value


async def adriven(steps: Steps[dict[str, Any], Outcome, T], send: Any, sending: Sending) -> T:
    """`driven`, awaited."""
    reached = await astep(steps, None, sending)
    while isinstance(reached, dict):
        reached = await astep(steps, await send(reached), sending)
    return reached.value


@dataclass(frozen=True, slots=True)
class End(Generic[T]):
    """What steps have come to."""

    value: T


def step(steps: Steps[dict[str, Any], Outcome, T], outcome: Outcome) -> dict[str, Any] | End[T]:
    """The next body to send, or what it has all come to."""
    try:
        return steps.send(outcome)
    except StopIteration as end:
        return End(end.value)


async def astep(
    steps: Steps[dict[str, Any], Outcome, T], outcome: Outcome, sending: Sending
) -> dict[str, Any] | End[T]:
    """`step`; in a thread where grammars are compiled, which takes up to a second."""
    if sending.known is None:
        return step(steps, outcome)
    return await unblocked(lambda: step(steps, outcome))
