"""A chat completion that arrives in chunks: what each adds, and in the end what all of it is.

Chunks are read by name, as `completions` reads whole replies, and for the same reason: SDKs build
their objects without checking them.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator as AsyncIterating
from typing import Any, Final, Literal

from groundedgen.errors import ProviderError
from groundedgen.generators.replies.completions import usage_of
from groundedgen.generators.transport.bodies import parsed
from groundedgen.generators.transport.quiet import quietly

__all__ = ["Arriving", "broke", "kind_of", "reading", "whole_of"]

#: Classes at the root of what HTTP clients raise while a body is read. The SDK does not wrap them.
_OF_THE_BODY: Final = frozenset({"HTTPError", "StreamError", "ClientError"})


def broke(error: BaseException) -> bool:
    """Whether an error is that of a connection, whichever HTTP client the SDK was given.

    >>> broke(ValueError()), broke(type("ReadError", (type("HTTPError", (Exception,), {}),), {})())
    (False, True)
    """
    return any(kind.__name__ in _OF_THE_BODY for kind in type(error).__mro__)


class Arriving:
    """What has arrived of one completion so far."""

    def __init__(self) -> None:
        self._choices: dict[int, _Choice] = {}
        self._usage: Any = None

    def take(self, chunk: Any) -> str:
        """Keep a chunk; returns the text it adds to the reply, or ""."""
        self._usage = _get(chunk, "usage") or self._usage
        added = ""
        for choice in _list(_get(chunk, "choices")):
            index = _index(choice)
            said = self._choices.setdefault(index, _Choice()).take(choice)
            added += said if index == 0 else ""
        return added

    @property
    def wasted(self) -> Any:
        """The tokens counted so far (`values.Usage`)."""
        return usage_of({"usage": self._usage})

    def completion(self, who: str) -> dict[str, Any]:
        """The whole completion, in the form in which `completions` reads one.

        Raises:
            ProviderError: It ended without saying how. Even if what arrived looks complete,
                nobody has said that it is.
        """
        first = self._choices.get(0)
        if first is None or first.end is None:
            error = ProviderError(f"{who} broke off before the reply ended", retryable=True)
            error.wasted = self.wasted
            raise error
        if any(choice.contradicts for choice in self._choices.values()):
            error = ProviderError(f"{who} sent a reply that goes on behind its end", retryable=True)
            error.wasted = self.wasted
            raise error
        choices = [self._choices[index].whole() for index in sorted(self._choices)]
        return {"choices": choices, "usage": self._usage}


class _Choice:
    """What has arrived of one choice. Nobody asks for a second one; it comes all the same."""

    def __init__(self) -> None:
        self.end: Any = None
        self.contradicts = False
        self._error: Any = None
        self._contents: list[Any] = []
        self._refusals: list[str] = []
        self._calls: dict[tuple[int, int], list[str]] = {}
        self._ids: dict[int, list[Any]] = {}

    def take(self, choice: Any) -> str:
        delta, end = _get(choice, "delta"), _get(choice, "finish_reason")
        # Some servers say the end once more with the counts; what adds to a reply that has
        # ended, or ends it in another way, contradicts it.
        adds = any(_get(delta, name) for name in ("content", "refusal", "tool_calls"))
        self.contradicts |= self.end is not None and (adds or end not in (None, "", self.end))
        self.end = self.end or end or None
        self._error = _get(choice, "error") or self._error
        content = _get(delta, "content")
        if isinstance(refusal := _get(delta, "refusal"), str):
            self._refusals.append(refusal)
        for call in _list(_get(delta, "tool_calls")):
            self._call(call)
        self._contents += [content] if content else []
        return content if isinstance(content, str) else ""

    def _call(self, call: Any) -> None:
        """Keep a piece of a tool's arguments. Some servers give every call the index 0."""
        index, name = _index(call), _get(call, "id")
        ids = self._ids.setdefault(index, [])
        if (name and name not in ids) or not ids:
            ids.append(name)
        arguments = _get(_get(call, "function"), "arguments")
        pieces = self._calls.setdefault((index, len(ids)), [])
        pieces += [arguments] if isinstance(arguments, str) else []

    def whole(self) -> dict[str, Any]:
        called = ["".join(pieces) for _, pieces in sorted(self._calls.items()) if pieces]
        message = {
            "content": self._content(),
            "refusal": "".join(self._refusals) or None,
            "tool_calls": [{"function": {"arguments": arguments}} for arguments in called],
        }
        return {"finish_reason": self.end, "message": message, "error": self._error}

    def _content(self) -> Any:
        """The text, or the parts of it where a server sends lists of them."""
        if all(isinstance(content, str) for content in self._contents):
            return "".join(self._contents) if self._contents else None
        parts: list[Any] = []
        for content in self._contents:
            parts += [{"type": "text", "text": content}] if isinstance(content, str) else content
        return parts


def kind_of(stream: Any) -> Literal["stream", "json", "other"]:
    """What a server answers to a request for a stream; some do not know that there is one."""
    if not hasattr(stream, "__aiter__"):
        return "other"
    headers = getattr(getattr(stream, "response", None), "headers", None) or {}
    kind = str(headers.get("content-type", ""))
    return "json" if "json" in kind and "stream" not in kind else "stream"


async def whole_of(stream: Any) -> Any:
    """The completion that a server sent in one piece, as its JSON; closes the connection.

    Raises:
        ValueError: It is no JSON, or too much of it; see `transport.bodies.parsed`.
    """
    with quietly():
        try:
            body = await stream.response.aread()
        finally:
            await stream.close()
    return parsed(body)


async def reading(stream: Any, ends: float) -> AsyncIterating[Any, None]:
    """The chunks, until they end or the time has come; closes the connection.

    Args:
        stream: What the SDK returned.
        ends: The event loop's time at which to give up.
    """
    chunks = aiter(stream)
    try:
        while True:
            with quietly():
                async with asyncio.timeout_at(ends):
                    chunk = await anext(chunks, None)
            if chunk is None:
                return
            yield chunk
    finally:
        if callable(close := getattr(stream, "close", None)):
            with quietly():
                closing = close()
                if inspect.isawaitable(closing):
                    await closing


def _index(part: Any) -> int:
    index = _get(part, "index")
    return index if type(index) is int else 0


def _get(part: object, name: str) -> Any:
    return part.get(name) if isinstance(part, dict) else getattr(part, name, None)


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
