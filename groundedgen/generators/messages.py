"""Anthropic's Messages API, read as a stream: one request, until its reply is whole or given up.

Streaming is what lets a request be ended in the middle: at its deadline, and when the call that
waits for it is cancelled. `astreamed` also hands over what arrives.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from groundedgen.deadlines import OverdueError, remaining
from groundedgen.draft import plain_json_schema
from groundedgen.errors import DeadlineError, MissingExtraError, ProviderError
from groundedgen.generators.clients import Own
from groundedgen.generators.completions import usage_of
from groundedgen.generators.failures import failure
from groundedgen.values import Usage

try:
    import anthropic
    import httpx2
except ImportError as error:
    raise MissingExtraError("a model of Anthropic's", extra="anthropic") from error

__all__ = [
    "Block",
    "Message",
    "asend",
    "astreamed",
    "failed",
    "own_clients",
    "send",
    "strict_schema",
]

#: What a request ends with that is no reply: the SDK's errors and, while the body is read, those
#: of the HTTP client under it.
_FAILED: Final = (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, OverdueError)
#: An event that is broken in itself: the rest of the stream cannot be trusted.
_BROKEN: Final = (json.JSONDecodeError, UnicodeDecodeError, AttributeError, TypeError, KeyError)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a reply: of kind "text", "tool_use" (its text is the arguments) or another."""

    kind: str
    text: str = field(repr=False)
    citations: tuple[Any, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Message:
    """A reply that arrived whole; `stop_reason` and `refusal` are the provider's own words."""

    blocks: tuple[Block, ...]
    stop_reason: str
    refusal: str | None = field(default=None, repr=False)
    usage: Usage = field(default_factory=Usage)

    def text(self, kind: str = "text") -> str | None:
        """All text of the blocks of a kind; `None` if there is no such block."""
        texts = [block.text for block in self.blocks if block.kind == kind]
        return "".join(texts) if texts else None


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
    arriving = _Arriving(who)
    watch = _Watch(limit)
    try:
        with watch, _create(client)(**body, stream=True, timeout=limit) as stream:
            watch.over(stream.response)
            arriving.begin(stream.response)
            for event in stream:
                arriving.take(event)
                watch.check()
            return arriving.whole()
    except Exception as error:  # noqa: BLE001  # a broken event; `_instead` passes on the rest
        if watch.ended:
            raise arriving.failed(TimeoutError()) from None
        raise _instead(error, arriving) from None


async def asend(client: Any, body: dict[str, Any], *, who: str, timeout: float) -> Message:  # noqa: ASYNC109  # also bounds each read
    """`send`, awaited. Cancelling it closes the connection."""
    limit = _limit(timeout, who)
    arriving = _Arriving(who)
    clock = asyncio.timeout(limit)
    try:
        async with clock, await _create(client)(**body, stream=True, timeout=limit) as stream:
            arriving.begin(stream.response)
            async for event in stream:
                arriving.take(event)
            return arriving.whole()
    except Exception as error:  # noqa: BLE001  # a broken event; `_instead` passes on the rest
        if clock.expired():
            raise arriving.failed(TimeoutError()) from None
        raise _instead(error, arriving) from None


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
    arriving = _Arriving(who)
    # A clock for each read, since no time-out may be open while a piece is handed over.
    ends = asyncio.get_running_loop().time() + limit
    try:
        async with asyncio.timeout_at(ends):
            stream = await _create(client)(**body, stream=True, timeout=limit)
        async with stream:
            arriving.begin(stream.response)
            events = aiter(stream)
            while True:
                async with asyncio.timeout_at(ends):
                    event = await anext(events, None)
                if event is None:
                    break
                arriving.take(event)
                if piece := _piece(event):
                    yield piece
            whole = arriving.whole()
    except TimeoutError as error:
        raise arriving.failed(error) from None
    except Exception as error:  # noqa: BLE001  # a broken event; `_instead` passes on the rest
        raise _instead(error, arriving) from None
    yield whole


def _instead(error: Exception, arriving: _Arriving) -> ProviderError | DeadlineError:
    """What to raise in place of an error of the service; a fault of our own is raised as it is."""
    if not isinstance(error, _FAILED) and not arriving.broke(error) and not _no_key(error):
        raise error
    return arriving.failed(error)


def _piece(event: Any) -> Block | None:
    """The text that an event adds to its block, if it adds any."""
    if event.type == "content_block_start":
        begun = event.content_block
        text = getattr(begun, "text", None)
        return Block(begun.type, text) if isinstance(text, str) and text else None
    if event.type != "content_block_delta":
        return None
    match event.delta.type:
        case "text_delta":
            return Block("text", event.delta.text)
        case "input_json_delta":
            return Block("tool_use", event.delta.partial_json)
    return None


def own_clients(url: str | None, who: str) -> Own:
    """Clients of our own at an address, or where the SDK's environment says, built when needed."""

    def built(kind: Any) -> Any:
        try:
            return kind(base_url=url)
        except anthropic.AnthropicError as error:
            raise failed(error, who) from None

    return Own(partial(built, anthropic.Anthropic), partial(built, anthropic.AsyncAnthropic))


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
    """The client's `create`, without the SDK's retries: they know no deadline of ours."""
    copied = getattr(client, "with_options", None)
    return (copied(max_retries=0) if callable(copied) else client).messages.create


def _limit(timeout: float, who: str) -> float:
    limit = remaining(most=timeout) or 0.0
    if limit <= 0:
        raise DeadlineError(f"{who} was not asked: the deadline of the call had passed")
    return limit


class _Arriving:
    """What has arrived of one reply so far."""

    def __init__(self, who: str) -> None:
        self._who = who
        self._blocks: dict[int, _Growing] = {}
        self._stop: str | None = None
        self._refusal: str | None = None
        self._usage: dict[str, int] = {}
        self._is_stream = False
        self._begun = False

    def begin(self, response: Any) -> None:
        """A response has begun. What is no event stream has no events, and so no end."""
        kind = str(response.headers.get("content-type", ""))
        self._is_stream = "json" not in kind and "html" not in kind
        self._begun = True

    def take(self, event: Any) -> None:
        match event.type:
            case "message_start":
                self._count(event.message.usage)
            case "content_block_start":
                self._blocks[event.index] = _Growing(event.content_block)
            case "content_block_delta":
                self._blocks[event.index].take(event.delta)
            case "message_delta":
                self._count(event.usage)
                self._stop = event.delta.stop_reason
                if self._stop == "refusal":
                    self._refusal = _refusal(getattr(event.delta, "stop_details", None))

    def _count(self, usage: Any) -> None:
        """Keep the counts, which are totals so far; one that is left out stays as it was."""
        for name in _COUNTED:
            value = getattr(usage, name, None)
            if type(value) is int and value >= 0:
                self._usage[name] = value

    @property
    def usage(self) -> Usage:
        return usage_of({"usage": self._usage})

    def broke(self, error: Exception) -> bool:
        """Whether an error is that of reading an event."""
        return self._begun and isinstance(error, _BROKEN)

    def failed(self, error: BaseException) -> ProviderError | DeadlineError:
        broke = isinstance(error, _BROKEN) and not _no_key(error)
        told = self._broken_off() if broke else failed(error, self._who)
        told.wasted = self.usage
        return told

    def whole(self) -> Message:
        """The reply.

        Raises:
            ProviderError: The stream ended before the model did. Even if what arrived looks
                complete, nobody has said that it is.
        """
        if self._stop is None:
            raise self._broken_off()
        blocks = tuple(self._blocks[index].block() for index in sorted(self._blocks))
        return Message(blocks, self._stop, self._refusal, self.usage)

    def _broken_off(self) -> ProviderError:
        if self._is_stream:
            told = ProviderError(f"{self._who} broke off before the reply ended", retryable=True)
        else:
            hint = "is the client's address that of Anthropic's Messages API?"
            told = ProviderError(f"{self._who} sent no event stream", hint=hint)
        told.wasted = self.usage
        return told


_COUNTED: Final = (
    "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens",
)  # fmt: skip


def _refusal(details: Any) -> str:
    said = (getattr(details, "explanation", None), getattr(details, "category", None))
    return next((word for word in said if isinstance(word, str) and word.strip()), "refusal")


class _Growing:
    """A block that is still arriving."""

    def __init__(self, begun: Any) -> None:
        self._kind = begun.type
        self._parts = [getattr(begun, "text", None) or ""]
        self._input = getattr(begun, "input", None)
        self._citations = list(getattr(begun, "citations", None) or ())

    def take(self, delta: Any) -> None:
        match delta.type:
            case "text_delta":
                self._parts.append(delta.text)
            case "input_json_delta":
                self._parts.append(delta.partial_json)
            case "citations_delta":
                self._citations.append(delta.citation)

    def block(self) -> Block:
        text = "".join(self._parts)
        if not text and self._input:
            text = json.dumps(self._input)  # some servers send a tool's arguments in one piece
        return Block(self._kind, text, tuple(self._citations))


class _Watch:
    """Ends a blocking read from outside when its time is up.

    The HTTP client's time-out is one for each read: a server that drips, if only pings, which
    the SDK swallows, would go on for ever.
    """

    def __init__(self, seconds: float) -> None:
        self.ended = False
        self._ends = time.monotonic() + seconds
        self._response: Any = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._response = None  # its connection may be another request's now

    def over(self, response: Any) -> None:
        self._response = response

    def check(self) -> None:
        if time.monotonic() >= self._ends:
            self.ended = True
            raise OverdueError

    def _end(self) -> None:
        self.ended = True
        stream = getattr(self._response, "extensions", {}).get("network_stream")
        if stream is not None:
            # Closing does not wake a thread that reads from a socket; shutting it down does.
            with suppress(OSError, AttributeError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
