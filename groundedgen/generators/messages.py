"""Anthropic's Messages API, read as a stream: one request, until its reply is whole or given up.

Streaming is what lets a request be ended in the middle: at its deadline, and when the call that
waits for it is cancelled. `astreamed` also hands over what arrives.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any, Final

from groundedgen.deadlines import OverdueError, bounded, check_wanted, remaining
from groundedgen.draft import plain_json_schema
from groundedgen.errors import DeadlineError, MissingExtraError, ProviderError
from groundedgen.generators.replies.arriving import Arriving, Block, Message
from groundedgen.generators.transport.addresses import checked
from groundedgen.generators.transport.bodies import BodyTooLongError, counted, is_broken_body
from groundedgen.generators.transport.clients import Own, kept, without_retries
from groundedgen.generators.transport.cutting import cuttable
from groundedgen.generators.transport.failures import failure
from groundedgen.generators.transport.quiet import hushed, quietly

try:
    import anthropic
    import httpx2
except ImportError as error:
    raise MissingExtraError("a model of Anthropic's", extra="anthropic") from error

from groundedgen.generators.transport.building import Kinds, own

__all__ = [
    "asend",
    "astreamed",
    "failed",
    "own_clients",
    "send",
    "strict_schema",
]

#: What a request ends with that is no reply: the SDK's errors and, while the body is read, those
#: of the HTTP client under it; and a header that cannot be sent.
_FAILED: Final = (
    *(anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, TimeoutError),
    *(UnicodeEncodeError, BodyTooLongError),
)
#: An event that is broken in itself, as `is_broken_body`: the rest cannot be trusted.
_BROKEN: Final = (AttributeError, TypeError, KeyError)


def send(client: Any, body: dict[str, Any], *, who: str, timeout: float) -> Message:
    """One request. At its deadline the connection is closed, whatever the server is doing.

    Args:
        client: An `anthropic.Anthropic`, or one that is called like it.
        body: What `messages.create` takes.
        who: The generator's name, for messages.
        timeout: Seconds for all of it; less where the deadline of the call is nearer.

    Raises:
        ProviderError: The service failed; a reply without its end is retryable.
        DeadlineError: The deadline of the call has come.
    """
    limit = _limit(timeout, who)
    arriving = Arriving(who)
    told: Exception
    try:
        return bounded(cuttable(partial(_read, client, body, arriving, limit)), limit)
    except Exception as error:  # noqa: BLE001  # `_instead` tells whose it is
        told = error
    raise _instead(told, arriving, who)


def _read(client: Any, body: dict[str, Any], arriving: Arriving, limit: float) -> Message:
    """The reply, read in a thread that is given up when it is late, headers or not."""
    with quietly(), _create(client)(**body, stream=True, timeout=limit) as stream:
        arriving.begin(counted(stream.response))
        for event in stream:
            check_wanted()
            arriving.take(event)
        return arriving.whole()


async def asend(client: Any, body: dict[str, Any], *, who: str, timeout: float) -> Message:  # noqa: ASYNC109  # also bounds each read
    """`send`, awaited. Cancelling it closes the connection."""
    limit = _limit(timeout, who)
    arriving = Arriving(who)
    clock = asyncio.timeout(limit)
    told: Exception
    try:
        with quietly():
            async with clock, await _create(client)(**body, stream=True, timeout=limit) as stream:
                arriving.begin(counted(stream.response))
                async for event in stream:
                    arriving.take(event)
                return arriving.whole()
    except Exception as error:  # noqa: BLE001  # `_instead` tells whose it is
        told = OverdueError() if clock.expired() else error
    raise _instead(told, arriving, who)


async def astreamed(
    client: Any,
    body: dict[str, Any],
    *,
    who: str,
    timeout: float,  # noqa: ASYNC109  # as asend
) -> AsyncGenerator[Block | Message, None]:
    """`asend`, with each piece of text (as a `Block` of its kind) on its way to the message.

    Closing it closes the connection.
    """
    limit = _limit(timeout, who)
    arriving = Arriving(who)
    told: Exception | None = None
    # A clock for each read, since no time-out may be open while a piece is handed over.
    ends = asyncio.get_running_loop().time() + limit
    try:
        async with asyncio.timeout_at(ends):
            stream = await _create(client)(**body, stream=True, timeout=limit)
        async with stream:
            arriving.begin(counted(stream.response))
            events = aiter(stream)
            while True:
                with quietly():
                    async with asyncio.timeout_at(ends):
                        event = await anext(events, None)
                if event is None:
                    break
                if piece := arriving.take(event):
                    yield piece
            whole = arriving.whole()
    except Exception as error:  # noqa: BLE001  # `_instead` tells whose it is
        told = error
    if told is not None:
        raise _instead(told, arriving, who)
    yield whole


def _instead(error: Exception, arriving: Arriving, who: str) -> Exception:
    """What to raise in place of an error of the service; a fault of our own is raised as it is.

    Not raised while that error is handled: it would become the context of ours, and its words
    may be those of the prompt.
    """
    if isinstance(error, ProviderError):
        return error
    broken = is_broken_body(error) or isinstance(error, _BROKEN)
    if broken and arriving.has_begun and not _no_key(error):
        return arriving.broken_off()
    if not (isinstance(error, _FAILED) or is_broken_body(error) or _no_key(error)):
        return error
    told = failed(TimeoutError() if isinstance(error, OverdueError) else error, who)
    told.wasted = arriving.usage
    return told


def own_clients(url: str | None, who: str) -> Own:
    """Clients of our own at an address, or where the SDK's environment says, built when needed."""
    return kept(_own, None if url is None else checked(url, who), who)


def _own(url: str | None, who: str) -> Own:
    kinds = Kinds(
        anthropic.Anthropic,
        anthropic.AsyncAnthropic,
        anthropic.DefaultHttpxClient,
        anthropic.DefaultAsyncHttpxClient,
        (anthropic.AnthropicError, httpx2.InvalidURL),
    )
    return own(kinds, who, partial(failed, who=who), base_url=url)


def strict_schema(model: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a Pydantic model, of keywords that the service takes."""
    schema: dict[str, Any] = anthropic.transform_schema(plain_json_schema(model))
    return schema


def failed(error: BaseException, who: str) -> ProviderError | DeadlineError:
    """What to raise for an exception of the SDK.

    >>> failed(anthropic.RetryableError("..."), "mine").retryable
    True
    """
    if _no_key(error):
        return ProviderError(
            f"{who}: Anthropic's client has no key",
            hint="set ANTHROPIC_API_KEY, or pass a generator with a client of your own",
            original=error,
        )
    told = failure(error, who)
    if isinstance(told, ProviderError) and isinstance(error, anthropic.RetryableError):
        told.retryable = True  # how a middleware of the caller's client asks for another try
    return told


def _no_key(error: BaseException) -> bool:
    """Whether the SDK has no key; it says so with a bare `TypeError`."""
    return isinstance(error, TypeError) and "authentication method" in str(error)


def _create(client: Any) -> Any:
    """The client's `create`, without the SDK's retries."""
    return hushed(without_retries(client).messages.create)


def _limit(timeout: float, who: str) -> float:
    limit = remaining(most=timeout) or 0.0
    if limit <= 0:
        raise DeadlineError(f"{who} was not asked: the deadline of the call had passed")
    return limit
