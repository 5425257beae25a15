"""A reply of Anthropic's Messages API, put together event by event; no part of the SDK.

A stream says in its events where each piece belongs. One that contradicts itself (a block that
begins twice or is missing, words for a block that has ended, a second end of another kind) has
lost something on its way or is two replies in one, so nothing is made of it: glued together, the
pieces could say what no model wrote. Events and parts of a kind that is not known are passed
over, as the service asks of its clients.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

from groundedgen.errors import ProviderError
from groundedgen.generators.replies.completions import usage_of, whole_number
from groundedgen.generators.replies.onereply import one_reply, whole_object
from groundedgen.generators.transport.failures import sent_instead
from groundedgen.values import Usage

__all__ = ["Arriving", "Block", "Message"]

#: What an event is about; any other is passed over.
_KNOWN: Final = frozenset(
    {
        "content_block_delta", "content_block_start", "content_block_stop", "error",
        "message_delta", "message_start", "message_stop",
    }
)  # fmt: skip
_COUNTED: Final = (
    "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens",
)  # fmt: skip


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

    def said(self, *, tool: bool = False) -> str | None:
        """The JSON that the reply is, or whatever stands in its place; `None` if nothing does.

        Args:
            tool: A tool was offered; see `onereply.one_reply` for what counts then.

        >>> Message((Block("text", '{"a":'), Block("text", " 1}")), "end_turn").said()
        '{"a": 1}'
        """
        words = [block.text for block in self.blocks if block.kind == "text"]
        called = [block.text for block in self.blocks if block.kind == "tool_use"]
        return one_reply(words, called if tool else ())


class Arriving:
    """What has arrived of one reply so far.

    Args:
        who: The generator's name, for messages.

    Attributes:
        has_begun: There is a response; what is wrong from now on is wrong with it.
    """

    def __init__(self, who: str) -> None:
        self._who = who
        self._blocks: list[_Growing] = []
        self._stop: str | None = None
        self._refusal: str | None = None
        self._usage: dict[str, int] = {}
        self._is_stream = False
        self._begun = self._over = False
        self.has_begun = False

    def begin(self, response: Any) -> None:
        """A response has begun. What is no event stream has no events, and so no end."""
        kind = str(response.headers.get("content-type", ""))
        self._is_stream = "json" not in kind and "html" not in kind
        self.has_begun = True

    def take(self, event: Any) -> Block | None:
        """Add what an event brings; returns the piece of text that it adds, as a block.

        Raises:
            ProviderError: It is an error, or contradicts what came before it.
        """
        kind = event.type
        if kind not in _KNOWN:
            return None
        if kind == "error":
            raise self._failed(event)
        if self._begun is (kind == "message_start") or self._over:
            raise self._contradicted()
        match kind:
            case "message_start":
                self._begin(event.message)
            case "content_block_start":
                return self._open(event.index, event.content_block)
            case "content_block_delta":
                return self._grow(event.index, event.delta)
            case "content_block_stop":
                self._close(event.index)
            case "message_delta":
                self._count(event.usage)
                self._end(event.delta)
            case "message_stop":
                self._over = True
        return None

    def _begin(self, message: Any) -> None:
        self._begun = True
        self._count(message.usage)
        if getattr(message, "content", None):
            raise self._contradicted()  # none of it belongs to a block

    def _open(self, index: object, begun: Any) -> Block | None:
        if index != len(self._blocks) or self._stop is not None:
            raise self._contradicted()
        if self._blocks:
            self._blocks[-1].is_open = False
        grown = _Growing(begun)
        self._blocks.append(grown)
        return Block(grown.kind, grown.parts[0]) if grown.parts else None

    def _grow(self, index: int, delta: Any) -> Block | None:
        grown = self._blocks[-1] if self._blocks else None
        if grown is None or index != len(self._blocks) - 1 or not grown.is_open:
            raise self._contradicted()
        match delta.type:
            case "text_delta" if grown.kind == "text":
                grown.add(delta.text)
                return Block(grown.kind, delta.text)
            case "input_json_delta" if grown.kind.endswith("tool_use"):
                grown.add(delta.partial_json)
                return Block(grown.kind, delta.partial_json)
            case "citations_delta" if grown.kind == "text":
                grown.citations.append(delta.citation)
            case "text_delta" | "input_json_delta" | "citations_delta":
                raise self._contradicted()
        return None

    def _close(self, index: int) -> None:
        if not 0 <= index < len(self._blocks):
            raise self._contradicted()
        self._blocks[index].is_open = False

    def _end(self, delta: Any) -> None:
        reason = delta.stop_reason
        if reason is None:
            return
        if self._stop not in {None, reason}:
            raise self._contradicted()
        self._stop = reason
        if self._blocks:
            self._blocks[-1].is_open = False
        if reason == "refusal":
            self._refusal = _refusal(getattr(delta, "stop_details", None))

    def _count(self, usage: Any) -> None:
        """Keep the counts. They are totals so far, so a smaller one tells nothing.

        Gateways send zeros at the end for what they counted at the beginning.
        """
        for name in _COUNTED:
            value = whole_number(getattr(usage, name, None))
            self._usage[name] = max(self._usage.get(name, 0), value or 0)

    @property
    def usage(self) -> Usage:
        """The tokens counted so far."""
        return usage_of({"usage": self._usage})

    def whole(self) -> Message:
        """The reply.

        Raises:
            ProviderError: The stream ended before the model did. Even if what arrived looks
                complete, nobody has said that it is.
        """
        if self._stop is None:
            raise self.broken_off()
        if any(block.is_twofold() for block in self._blocks):
            raise self._contradicted()
        blocks = tuple(block.block() for block in self._blocks)
        return Message(blocks, self._stop, self._refusal, self.usage)

    def broken_off(self) -> ProviderError:
        """What to raise for a stream that ended, or became unreadable, before its reply did."""
        if self._is_stream:
            return self._wasted(f"{self._who} broke off before the reply ended")
        hint = "is the client's address that of Anthropic's Messages API?"
        told = ProviderError(f"{self._who} sent no event stream", hint=hint)
        told.wasted = self.usage
        return told

    def _contradicted(self) -> ProviderError:
        return self._wasted(f"{self._who} sent a stream whose events contradict each other")

    def _wasted(self, message: str) -> ProviderError:
        told = ProviderError(message, retryable=True)
        told.wasted = self.usage
        return told

    def _failed(self, event: Any) -> ProviderError:
        error = event.error
        kind = error.get("type") if isinstance(error, dict) else getattr(error, "type", None)
        told = sent_instead({"type": kind}, self._who)
        told.wasted = self.usage
        return told


def _refusal(details: Any) -> str:
    said = (getattr(details, "explanation", None), getattr(details, "category", None))
    return next((word for word in said if isinstance(word, str) and word.strip()), "refusal")


class _Growing:
    """A block that is still arriving."""

    def __init__(self, begun: Any) -> None:
        self.kind = str(begun.type)
        self.is_open = True
        self.parts: list[str] = []
        self.citations: list[Any] = list(getattr(begun, "citations", None) or ())
        self._input = getattr(begun, "input", None)
        if text := getattr(begun, "text", None):
            self.add(text)

    def add(self, text: object) -> None:
        if not isinstance(text, str):
            raise TypeError("a piece of text is none")  # the event is broken
        self.parts.append(text)

    def is_twofold(self) -> bool:
        """Whether a tool's arguments came in one piece and in parts, and differ."""
        text = "".join(self.parts)
        return bool(text and self._input) and whole_object(text) != self._input

    def block(self) -> Block:
        text = "".join(self.parts)
        if not text and self._input:
            text = json.dumps(self._input)  # some servers send a tool's arguments in one piece
        return Block(self.kind, text, tuple(self.citations))
