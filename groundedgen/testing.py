"""Doubles for tests, and the contract tests of third-party generators and judges.

A scripted part says what it was told to say and records what it was asked::

    generator = ScriptedGenerator([{"status": "answered", "statements": [...]}])
    answer = ask("Is it covered?", passages, model=generator, judge=ScriptedJudge("supported"))
    assert generator.requests[0].attempt == 1

Whoever writes a generator or judge of their own runs `check_generator(mine)` or
`check_judge(mine)` in a test. Nothing here touches the network.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from typing import Any, get_args

from groundedgen.conformance import (
    GENERATOR_CHECKS,
    JUDGE_CHECKS,
    check_generator,
    check_judge,
)
from groundedgen.errors import InputError
from groundedgen.ports import SourceCard
from groundedgen.stores.memory import MemoryStore
from groundedgen.values import Label, Pair, Reply, Request, Verdict

__all__ = [
    "GENERATOR_CHECKS",
    "JUDGE_CHECKS",
    "MemoryStore",
    "ScriptedGenerator",
    "ScriptedJudge",
    "SourceCard",
    "check_generator",
    "check_judge",
]

_LABELS = frozenset(get_args(Label))


class ScriptedGenerator:
    """A generator that gives the replies it was made with, one per call, in order.

    Args:
        replies: Each is a draft (a mapping, written as JSON), the reply's raw text, a
            whole `Reply`, an exception to raise, or a function from the `Request` to one
            of these.
        name: What the answer names as its engine.
        chunk: Code points of each part of a reply that is streamed, at least 1; left out, a
            reply comes in one piece, as from a model that does not stream.

    Attributes:
        requests: Every `Request` it was given, in order.

    >>> generator = ScriptedGenerator([{"status": "not_found", "statements": []}])
    >>> generator.remaining
    1
    """

    def __init__(
        self, replies: Iterable[Any], *, name: str = "scripted", chunk: int | None = None
    ) -> None:
        if chunk is not None and (type(chunk) is not int or chunk < 1):
            raise InputError(
                f"chunk must be a whole number, 1 or more, got {chunk!r}", code="bad_range"
            )
        if isinstance(replies, str | bytes | Mapping | Reply):
            kind = type(replies).__name__
            raise InputError(f"replies must be a list, got one {kind}", code="bad_type")
        self.name = name
        self.chunk = chunk
        self.requests: list[Request] = []
        self._replies = deque(replies)
        self._lock = threading.Lock()
        for number, reply in enumerate(self._replies):
            _check_reply(reply, number)

    @property
    def remaining(self) -> int:
        """How many replies have not been asked for."""
        return len(self._replies)

    def generate(self, request: Request) -> Reply:
        """The next reply of the script.

        Raises:
            AssertionError: The script has run out: one generation too many was asked for.
        """
        with self._lock:
            self.requests.append(request)
            if not self._replies:
                given = len(self.requests) - 1
                raise AssertionError(
                    f"{self.name}: the script held {given} replies, and one more was asked for "
                    f"(attempt {request.attempt})"
                )
            reply = self._replies.popleft()
        return self._reply(reply, request)

    async def agenerate(self, request: Request) -> Reply:
        """`generate`, awaited."""
        return self.generate(request)

    async def astream(self, request: Request) -> AsyncGenerator[str | Reply, None]:
        """`generate` in parts of `chunk` code points, then the whole reply.

        >>> import asyncio
        >>> from groundedgen import astream
        >>> fire = "Fire is covered here."
        >>> said = {"text": fire, "sources": ["S1"], "quote": fire}
        >>> model = ScriptedGenerator([{"status": "answered", "statements": [said]}], chunk=8)
        >>> async def types():
        ...     events = astream("Is fire covered?", [fire], model=model)
        ...     return [event.type async for event in events]
        >>> asyncio.run(types())
        ['passages', 'statement', 'done']
        """
        import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

        reply = self.generate(request)
        if self.chunk is not None and reply.raw is not None:
            for start in range(0, len(reply.raw), self.chunk):
                yield reply.raw[start : start + self.chunk]
                await asyncio.sleep(0)  # as between the packets of a connection
        yield reply

    def _reply(self, reply: Any, request: Request) -> Reply:
        if callable(reply):
            reply = reply(request)
            _check_reply(reply, len(self.requests) - 1)
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, Reply):
            return reply
        raw = json.dumps(dict(reply)) if isinstance(reply, Mapping) else reply
        return Reply(raw, engine=self.name)


def _check_reply(reply: object, number: int) -> None:
    if isinstance(reply, Mapping | str | Reply | BaseException | None) or callable(reply):
        return
    raise InputError(
        f"replies[{number}] must be a draft, a string, a Reply, an exception or a function, "
        f"got {type(reply).__name__}",
        code="bad_type",
    )


class ScriptedJudge:
    """A judge that gives the verdicts it was made with.

    Args:
        script: One label or `Verdict` for every pair; a list with one for each pair in
            the order they are asked; a mapping from claim to verdict; or a function from
            the `Pair` to one. An exception, alone or as a verdict, is raised.
        name: What the answer names as its judge.
        window: The longest premise it declares to read whole, in code points.

    Attributes:
        pairs: Every `Pair` it was given, in order.
        calls: The same, one tuple a call.

    >>> judge = ScriptedJudge({"Fire is covered.": "supported"})
    >>> [v.label for v in judge.judge([Pair("Fire is covered.", "Fire is covered.")])]
    ['supported']
    >>> len(judge.pairs)
    1
    """

    def __init__(
        self, script: Any = "supported", *, name: str = "scripted", window: int | None = None
    ) -> None:
        self.name = name
        self.window = window
        self.pairs: list[Pair] = []
        self.calls: list[tuple[Pair, ...]] = []
        self._lock = threading.Lock()
        self._script = script
        self._queue: deque[Any] | None = None
        if not isinstance(script, str | Verdict | BaseException | Mapping) and not callable(script):
            self._queue = deque(script)
        for item in self._items():
            _check_verdict(item)

    def _items(self) -> Iterable[Any]:
        if self._queue is not None:
            return self._queue
        return self._script.values() if isinstance(self._script, Mapping) else (self._script,)

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict per pair, in order.

        Raises:
            AssertionError: The script has no verdict for a pair. `ask` takes any error of a
                judge for an outage, so look at `pairs` too.
        """
        with self._lock:
            self.calls.append(tuple(pairs))
            self.pairs += pairs
            found = [self._next(pair) for pair in pairs]
        return [self._verdict(item, pair) for item, pair in zip(found, pairs, strict=True)]

    async def ajudge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """`judge`, awaited."""
        return self.judge(pairs)

    def _next(self, pair: Pair) -> Any:
        missing = f"{self.name}: no verdict in the script for pair {len(self.pairs)}"
        if self._queue is not None:
            if not self._queue:
                raise AssertionError(f"{missing}; it has run out")
            return self._queue.popleft()
        if not isinstance(self._script, Mapping):
            return self._script
        if pair.claim not in self._script:
            known = len(self._script)
            raise AssertionError(f"{missing}; its claim is none of the {known} in the script")
        return self._script[pair.claim]

    def _verdict(self, item: Any, pair: Pair) -> Verdict:
        if callable(item):
            item = item(pair)
            _check_verdict(item)
        if isinstance(item, BaseException):
            raise item
        return item if isinstance(item, Verdict) else Verdict(item)


def _check_verdict(item: object) -> None:
    if isinstance(item, Verdict | BaseException) or callable(item):
        return
    if not isinstance(item, str) or item not in _LABELS:
        raise InputError(
            f"a verdict must be a Verdict, an exception, a function or one of "
            f"{', '.join(sorted(_LABELS))}, got {item!r:.60}",
            code="bad_type",
        )
