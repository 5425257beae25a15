"""A generator that streams what a test wants, in the parts it wants, and ends as it wants."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from groundedgen.ports import Reply, Usage


@dataclass
class Try:
    """One request's answer.

    Attributes:
        parts: The deltas, in order. An exception among them is raised there, a number waited for
            (seconds; `None` for ever).
        reply: What it ends with: a `Reply`, an exception to raise, or `None` for nothing at all;
            left out, the reply that holds all deltas.
        again: Yielded after the parts instead of an end: the next try follows if asked for.
    """

    parts: Sequence[Any]
    reply: Any = "whole"
    again: Exception | None = None


def cut(text: str, *places: int) -> list[str]:
    """The text in parts, cut at these places."""
    bounds = [0, *sorted({place % (len(text) + 1) for place in places}), len(text)]
    return [text[a:b] for a, b in pairwise(bounds)]


@dataclass
class StreamingGenerator:
    """Answers each draft with the next tries, up to and including one that ends.

    Attributes:
        closed: How many streams were closed or had ended.
        requests: Every request, retried ones once.
    """

    tries: list[Try]
    name: str = "streamed"
    requests: list[Any] = field(default_factory=list)
    begun: int = 0
    closed: int = 0

    async def agenerate(self, request):
        last = None
        async for item in self.astream(request):
            last = item
        return last

    async def astream(self, request):
        self.requests.append(request)
        try:
            while True:
                made = self.tries.pop(0)
                self.begun += 1
                said = []
                for part in made.parts:
                    if isinstance(part, BaseException):
                        raise part
                    if part is None:
                        await asyncio.Event().wait()
                    elif isinstance(part, str):
                        said.append(part)
                        yield part
                    else:
                        await asyncio.sleep(part)
                if made.again is not None:
                    yield made.again
                    continue
                if isinstance(made.reply, BaseException):
                    raise made.reply
                if made.reply is not None:
                    whole = Reply("".join(said), usage=Usage(10, 5), engine=self.name)
                    yield whole if made.reply == "whole" else made.reply
                return
        finally:
            self.closed += 1
