"""Reading a reply of another API than chat completions, as SDKs hand it over.

Anthropic's messages, OpenAI's responses, Google's candidates and Bedrock's converse, told apart by
what they hold. Each part may be missing or of another type, and thinking is no part of a reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from groundedgen.generators.replies.completions import Said, read_completion, usage_of
from groundedgen.generators.replies.onereply import one_reply
from groundedgen.generators.transport.failures import sent_instead
from groundedgen.values import Usage

__all__ = ["read_any", "read_message"]

_WORDS: Final = frozenset({"text", "output_text", None})


def read_any(reply: object, who: str) -> Said:
    """A reply of any API: a completion, one of those above, or the text of neither.

    Args:
        reply: What an SDK returned, of whatever type.
        who: The generator's name, for messages.

    Raises:
        ProviderError: It is no reply.
        DraftFormatError: There are two that differ.
    """
    if reply is None or isinstance(reply, str) or _has_choices(reply):
        return read_completion(reply, who, tools=True)
    return read_message(reply, who)


def _has_choices(reply: object) -> bool:
    return "choices" in (reply if isinstance(reply, dict) else dir(reply))


def read_message(message: object, who: str = "the model") -> Said:
    """A reply, as far as its shape is known; of another one only what it cost.

    Args:
        message: What an SDK returned, of whatever type.
        who: The generator's name, for messages.

    Raises:
        ProviderError: It is an error in place of a reply; what it cost is in `wasted`.

    >>> parts = [{"text": "Hm.", "thought": True}, {"text": "Fire is."}]
    >>> read_message({"candidates": [{"content": {"parts": parts}, "finish_reason": "STOP"}]}).raw
    'Fire is.'
    """
    usage = _usage(message)
    if error := _get(message, "error"):
        told = sent_instead(_details(error), who)
        told.wasted = usage
        raise told
    parts = [part for part in _parts(message) if not _get(part, "thought")]
    words = [text for part in parts if (text := _words(part)) is not None]
    called = [text for part in parts if (text := _call(part)) is not None]
    refusals = [text for part in parts if isinstance(text := _get(part, "refusal"), str)]
    return Said(one_reply(words, called), _end(message), "".join(refusals) or None, usage)


def _parts(message: object) -> Iterator[object]:
    """The parts of a reply, in order."""
    output = _get(message, "output")
    inner = _get(_get(output, "message"), "content")
    for content in (_get(message, "content"), inner):
        yield from content if isinstance(content, list | tuple) else ()
    for item in output if isinstance(output, list | tuple) else ():
        content = _get(item, "content") if _get(item, "type") == "message" else [item]
        yield from content if isinstance(content, list | tuple) else ()
    candidates = _get(message, "candidates")
    for candidate in candidates if isinstance(candidates, list | tuple) else ():
        content = _get(_get(candidate, "content"), "parts")
        yield from content if isinstance(content, list | tuple) else ()


def _words(part: object) -> str | None:
    text, kind = _get(part, "text"), _get(part, "type")
    known = not isinstance(kind, str) or kind in _WORDS
    return text if isinstance(text, str) and known else None


def _call(part: object) -> str | None:
    """What a tool is called with."""
    given = (
        _get(part, "input") if _get(part, "type") == "tool_use" else None,
        _get(part, "arguments") if _get(part, "type") == "function_call" else None,
        _get(_get(part, "function_call"), "args"),
        _get(_get(part, "toolUse"), "input"),
    )
    for arguments in given:
        if isinstance(arguments, Mapping):
            return json.dumps(dict(arguments), default=_plain)
        if isinstance(arguments, str):
            return arguments
    return None


def _plain(value: Any) -> Any:
    """A container of Google's own as one of Python's; anything else is none of a reply's."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Iterable) else None


def _end(message: object) -> str:
    candidates = _get(message, "candidates")
    first = candidates[0] if isinstance(candidates, list | tuple) and candidates else None
    ends = (
        _get(message, "stop_reason"),
        _get(message, "stopReason"),
        _get(_get(message, "incomplete_details"), "reason"),
        _get(first, "finish_reason"),
        _get(_get(message, "prompt_feedback"), "block_reason"),
    )
    return next(filter(None, map(_word, ends)), "")


def _usage(message: object) -> Usage:
    usage = _get(message, "usage")
    if _get(usage, "inputTokens") is None:
        return usage_of(message)
    counted = {
        "input_tokens": _get(usage, "inputTokens"),
        "output_tokens": _get(usage, "outputTokens"),
        "cache_read_input_tokens": _get(usage, "cacheReadInputTokens"),
        "cache_creation_input_tokens": _get(usage, "cacheWriteInputTokens"),
    }
    return usage_of({"usage": counted})


def _details(error: object) -> object:
    return error if isinstance(error, Mapping) else {"code": _get(error, "code")}


def _word(value: object) -> str:
    """A provider's own word; some SDKs make it the name of an enum."""
    name = value if type(value) is str else getattr(value, "name", None)
    return name if isinstance(name, str) else ""


def _get(part: object, name: str) -> Any:
    if isinstance(part, Mapping):
        return part.get(name)
    return getattr(part, name, None)
