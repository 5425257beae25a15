"""Sending again what failed in passing: 429, 5xx, a dropped connection. Nothing else.

The engine is tenacity's. An SDK's own retries are off wherever this is used, so that tries
never multiply. A wait that the deadline does not allow is not begun: the error is raised at once.

So a call of `ask` sends a model that writes at most 2 x `attempts` requests, for a draft and one
more, which is 6; and one for each thing that its server is found not to take, which is remembered:
4 of OpenAI's API (2 more where the reply is streamed), 2 of Anthropic's. A schema that is too large
for it is one such thing, and stays so for those of its kind that are as large. With an LLM judge,
each call of it has its `attempts` likewise.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator as AsyncIterating
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import Any, Final

from groundedgen.deadlines import check_wanted, pause, remaining, unblocked
from groundedgen.errors import GenerationError, InputError, MissingExtraError, ProviderError
from groundedgen.generators.transport.clients import check_attempts
from groundedgen.ports import (
    AsyncGenerator,
    AsyncStreamingGenerator,
    Generator,
    Reply,
    Request,
    Usage,
)
from groundedgen.resolve import name_of

try:
    import tenacity
except ImportError as error:
    raise MissingExtraError("retrying a provider's transient errors", extra="openai") from error

__all__ = ["ATTEMPTS", "RetryingGenerator", "Streamed", "aretry", "restream", "retry"]

Streamed = AsyncIterating[str | ProviderError | Reply, None]

ATTEMPTS: Final = 3
"""Requests at most for one draft, the first included."""

LONGEST_WAIT: Final = 60.0
"""Seconds; a service that asks for more is not waited for. Both SDKs' own backoff ends at 8."""

_BACKOFF: Final = tenacity.wait_exponential_jitter(multiplier=0.5, max=8.0, jitter=0.5)


def retry(send: Callable[[], Reply], attempts: int = ATTEMPTS) -> Reply:
    """The first reply of `send` that is no transient failure.

    Args:
        send: Makes one request. Raises `ProviderError`, with `retryable` where the same
            request may succeed later and `retry_after` (seconds) where the service asks for it.
        attempts: Calls of `send` at most, 1 or more.

    Returns:
        Its reply; tokens that failed tries cost are added to its usage.

    Raises:
        ProviderError: The last one, as it was.
        OverdueError: The work that this is part of was given up: nothing further is sent.

    >>> retry(lambda: Reply("{}")).raw
    '{}'
    """
    wasted = _Wasted()

    def sending() -> Reply:
        check_wanted()
        return send()

    engine = tenacity.Retrying(**_rules(attempts, wasted), sleep=pause)
    with wasted.told():
        return wasted.added(engine(sending))


async def aretry(send: Callable[[], Awaitable[Reply]], attempts: int = ATTEMPTS) -> Reply:
    """`retry`, awaited; cancelling it ends the wait."""
    wasted = _Wasted()

    async def sending() -> Reply:  # the engine awaits only what is an async function itself
        return await send()

    engine = tenacity.AsyncRetrying(**_rules(attempts, wasted))
    with wasted.told():
        return wasted.added(await engine(sending))


async def restream(send: Callable[[], Streamed], attempts: int = ATTEMPTS) -> Streamed:
    """`retry` for a reply that is read while it arrives.

    Whoever reads decides whether a reply that broke off is asked for again: after the error is
    yielded, going on does so, and closing this does not.

    Args:
        send: Makes one request; yields deltas, and last the reply.
        attempts: Calls of `send` at most, 1 or more.

    Raises:
        ProviderError: The last one, as it was.
    """
    tries = _Tries(attempts)
    while True:
        begun = False
        try:
            async with aclosing(send()) as parts:
                async for part in parts:
                    begun = True
                    yield tries.wasted.added(part) if isinstance(part, Reply) else part
            return  # noqa: TRY300  # what follows belongs to the failure
        except ProviderError as error:
            if not tries.go_on_after(error):
                raise
            failed = error
        except GenerationError as error:
            tries.wasted.add(error)
            raise
        if begun:
            yield failed
        await tries.wait()


class _Tries:
    """The same rules, for a loop that cannot be a function call."""

    def __init__(self, attempts: int) -> None:
        self.wasted = _Wasted()
        self._rules = _rules(attempts, self.wasted)
        engine = tenacity.AsyncRetrying(**self._rules)
        self._state = tenacity.RetryCallState(engine, None, (), {})

    def go_on_after(self, error: ProviderError) -> bool:
        """Whether there is another try; counts what the failed one cost."""
        state = self._state
        state.set_exception((type(error), error, error.__traceback__))
        self.wasted.note(state)
        if not _is_transient(error):
            return False
        state.upcoming_sleep = _wait(state)
        if self._rules["stop"](state):
            return False
        state.attempt_number += 1
        return True

    async def wait(self) -> None:
        import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

        await asyncio.sleep(self._state.upcoming_sleep)


class _Wasted:
    """Counts what failed tries cost, and puts the sum on whatever comes in the end."""

    def __init__(self) -> None:
        self.usage = Usage()
        self._last: BaseException | None = None

    def note(self, state: tenacity.RetryCallState) -> None:
        """Count a try that the rules looked at, which they do of those that failed in passing."""
        if state.outcome is not None:
            self.add(state.outcome.exception())

    def add(self, error: BaseException | None) -> None:
        """Count a try, once, and have its error tell what all of them have cost."""
        if error is self._last or not isinstance(error, GenerationError):
            return
        self._last = error
        if isinstance(error.wasted, Usage):
            self.usage += error.wasted
        if self.usage != Usage():
            error.wasted = self.usage

    @contextmanager
    def told(self) -> Iterator[None]:
        """Whatever is raised inside tells it: a deadline, too, or what nobody tries again."""
        try:
            yield
        except GenerationError as error:
            self.add(error)
            raise

    def added(self, reply: Reply) -> Reply:
        if self.usage == Usage():
            return reply
        return replace(reply, usage=reply.usage + self.usage)


def _rules(attempts: int, wasted: _Wasted) -> dict[str, Any]:
    # The engine is made anew for each call: its counters belong to one call and one thread.
    return {
        "retry": tenacity.retry_if_exception(_is_transient),
        "wait": _wait,
        "stop": lambda state: state.attempt_number >= attempts or _is_too_long(state),
        "after": wasted.note,
        "reraise": True,
    }


def _is_transient(error: BaseException) -> bool:
    return isinstance(error, ProviderError) and error.retryable


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, ProviderError) else None
    return _BACKOFF(state) if asked is None else max(0.0, asked)


def _is_too_long(state: tenacity.RetryCallState) -> bool:
    """Whether the wait would outlast the deadline, or any patience."""
    return state.upcoming_sleep >= (remaining(most=LONGEST_WAIT) or 0.0)


class RetryingGenerator:
    """Adds retries to a generator that has none of its own, a `CallingGenerator` for one.

    Args:
        inner: Raises `ProviderError` with `retryable` for what may succeed later.
        attempts: Requests at most for one draft, 1 to 10.

    Raises:
        InputError: `attempts` is out of its range, or `inner` sends again by itself.

    >>> from groundedgen.errors import ProviderError
    >>> from groundedgen.testing import ScriptedGenerator
    >>> busy = ProviderError("busy", retryable=True, retry_after=0)
    >>> inner = ScriptedGenerator([busy, {"status": "not_found", "statements": []}])
    >>> generator = RetryingGenerator(inner)
    >>> generator.name
    'scripted'
    """

    def __init__(self, inner: Generator | AsyncGenerator, *, attempts: int = ATTEMPTS) -> None:
        check_attempts(attempts)
        if isinstance(getattr(inner, "_attempts", None), int):  # as every adapter here that does
            raise InputError(
                f"{name_of(inner)} sends again by itself, and tries would multiply; "
                f"give it attempts= instead",
                code="bad_attempts",
            )
        self.name = name_of(inner)
        self.only_drafts = getattr(inner, "only_drafts", False)
        self._inner: Any = inner
        self._attempts = attempts

    def generate(self, request: Request) -> Reply:
        """One reply; see `retry`."""
        return retry(lambda: self._inner.generate(request), self._attempts)

    async def agenerate(self, request: Request) -> Reply:
        """One reply, awaited; see `retry`."""
        return await aretry(lambda: self._inner.agenerate(request), self._attempts)

    async def astream(self, request: Request) -> Streamed:
        """One reply as it arrives, where the generator inside streams; see `restream`."""
        inner: Any = self._inner
        if not isinstance(inner, AsyncStreamingGenerator):
            yield await self._awaited(request)
            return
        async with aclosing(restream(lambda: inner.astream(request), self._attempts)) as parts:
            async for part in parts:
                yield part

    async def _awaited(self, request: Request) -> Reply:
        if isinstance(self._inner, AsyncGenerator):
            return await self.agenerate(request)
        return await unblocked(lambda: self.generate(request))
