"""Carrying out steps: whatever a generator function yields is sent, and what came of it sent in.

The steps are written once, for synchronous and asynchronous clients alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from collections.abc import Generator as Steps
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from groundedgen.deadlines import unblocked

__all__ = ["End", "adriven", "astep", "driven", "step"]

Came = TypeVar("Came")
T = TypeVar("T")

Body = dict[str, Any]


def driven(steps: Steps[Body, Came, T], send: Callable[[Body], Came]) -> T:
    """What steps come to, each body sent with `send`.

    >>> def steps():
    ...     first = yield {"asks": "What is 6?"}
    ...     return first + (yield {"asks": "What is 36?"})
    >>> driven(steps(), lambda body: int(body["asks"].strip("What is?")))
    42
    """
    reached = step(steps)
    while isinstance(reached, dict):
        reached = step(steps, send(reached))
    return reached.value


async def adriven(
    steps: Steps[Body, Came, T],
    send: Callable[[Body], Awaitable[Came]],
    *,
    in_thread: bool = False,
) -> T:
    """`driven`, awaited; see `astep`."""
    reached = await astep(steps, in_thread=in_thread)
    while isinstance(reached, dict):
        reached = await astep(steps, await send(reached), in_thread=in_thread)
    return reached.value


@dataclass(frozen=True, slots=True)
class End(Generic[T]):
    """What steps have come to."""

    value: T


def step(steps: Steps[Body, Any, T], came: object = None) -> Body | End[T]:
    """The next body to send, or what it has all come to."""
    try:
        return steps.send(came)
    except StopIteration as end:
        return End(end.value)


async def astep(
    steps: Steps[Body, Any, T], came: object = None, *, in_thread: bool = False
) -> Body | End[T]:
    """`step`; in a thread of its own where what it computes would hold up an event loop."""
    if not in_thread:
        return step(steps, came)
    return await unblocked(lambda: step(steps, came))
