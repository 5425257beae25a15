"""A chat completion that arrives in chunks: what each adds, and in the end what all of it is.

Chunks are read by name, as `completions` reads whole replies, and for the same reason: SDKs build
their objects without checking them.
"""

from __future__ import annotations

from typing import Any, Final

from groundedgen.errors import ProviderError
from groundedgen.generators.completions import usage_of

__all__ = ["Arriving", "broke"]

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
        self._contents: list[Any] = []
        self._refusals: list[str] = []
        self._arguments: list[str] = []
        self._end: Any = None
        self._usage: Any = None

    def take(self, chunk: Any) -> str:
        """Keep a chunk; returns the text it adds to the reply, or ""."""
        self._usage = _get(chunk, "usage") or self._usage
        choice = next((c for c in _list(_get(chunk, "choices")) if not _get(c, "index")), None)
        self._end = _get(choice, "finish_reason") or self._end
        delta = _get(choice, "delta")
        content = _get(delta, "content")
        if isinstance(refusal := _get(delta, "refusal"), str):
            self._refusals.append(refusal)
        for call in _list(_get(delta, "tool_calls"))[:1]:
            arguments = _get(_get(call, "function"), "arguments")
            self._arguments += [arguments] if isinstance(arguments, str) else []
        self._contents += [content] if content else []
        return content if isinstance(content, str) else ""

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
        if self._end is None:
            error = ProviderError(f"{who} broke off before the reply ended", retryable=True)
            error.wasted = self.wasted
            raise error
        message = {
            "content": self._content(),
            "refusal": "".join(self._refusals) or None,
            "tool_calls": self._called(),
        }
        choice = {"finish_reason": self._end, "message": message}
        return {"choices": [choice], "usage": self._usage}

    def _content(self) -> Any:
        """The text, or the parts of it where a server sends lists of them."""
        if all(isinstance(content, str) for content in self._contents):
            return "".join(self._contents) if self._contents else None
        parts: list[Any] = []
        for content in self._contents:
            parts += [{"type": "text", "text": content}] if isinstance(content, str) else content
        return parts

    def _called(self) -> list[dict[str, Any]] | None:
        if not self._arguments:
            return None
        return [{"function": {"arguments": "".join(self._arguments)}}]


def _get(part: object, name: str) -> Any:
    return part.get(name) if isinstance(part, dict) else getattr(part, name, None)


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
