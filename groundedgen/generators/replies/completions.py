"""Reading what a model's server sent back: the text, how it ended, what it cost.

SDKs build their objects without checking them, so each part may be missing or of another type,
and each is looked at before it is used. No part of an SDK is needed for that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import regex

from groundedgen.errors import DraftFormatError, GenerationError, ProviderError
from groundedgen.generators.transport.failures import sent_instead
from groundedgen.values import Usage

__all__ = ["Said", "read_completion", "sendable", "thinks", "usage_of", "whole_number"]

#: Ends that are no end of a reply: the server gave up in the middle.
_BROKEN_OFF: Final = frozenset({"abort", "error", "insufficient_system_resource"})
_DIGITS: Final = 18  # of a count at most; what is longer counts nothing
_SURROGATES: Final = regex.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Said:
    """One reply, out of its SDK: see the fields of `values.Reply`."""

    raw: str | None = field(repr=False)
    finish_reason: str = ""
    refusal: str | None = field(default=None, repr=False)
    usage: Usage = field(default_factory=Usage)


def sendable(text: str) -> str:
    r"""`text` as it can be sent: half a surrogate pair has no UTF-8 and becomes U+FFFD.

    >>> sendable("a\ud83d") == "a\ufffd"
    True
    """
    return _SURROGATES.sub("\ufffd", text)


def read_completion(completion: object, who: str, *, tools: bool = False) -> Said:
    """A reply of the chat completions API.

    Args:
        completion: What `create` returned, of whatever type.
        who: The generator's name, for messages.
        tools: Whether a tool was offered; its arguments then come before any words beside it.

    Raises:
        ProviderError: It is an error object, a web page, or has no choice; the tokens it cost
            all the same are in `wasted`.
        DraftFormatError: It is two replies that differ, as two choices or as the arguments of
            two tools, and nothing says which of them counts.
    """
    usage = usage_of(completion)
    _check_error(completion, who, usage)
    choices = _get(completion, "choices")
    if not isinstance(choices, list | tuple):
        kind = type(completion).__name__
        hint = "is the address the API's? most servers want it to end with /v1"
        raise _wasted(ProviderError(f"{who} sent no chat completion ({kind})", hint=hint), usage)
    if not choices:
        error = ProviderError(f"{who} sent a chat completion without a choice", retryable=True)
        raise _wasted(error, usage)
    for choice in choices:
        _check_error(choice, who, usage)
    said = [_said(choice, who, usage, tools=tools) for choice in choices]
    if any((one.raw, one.refusal) != (said[0].raw, said[0].refusal) for one in said):
        raise _wasted(DraftFormatError(f"{who} sent {len(said)} replies that differ"), usage)
    return said[0]


def _said(choice: object, who: str, usage: Usage, *, tools: bool) -> Said:
    given = _get(choice, "finish_reason")
    end = _word(given)
    if given is not None and given != end and not end:
        kind = type(given).__name__
        error = ProviderError(f"{who} sent a finish reason that is no word ({kind})")
        raise _wasted(error, usage)
    if end in _BROKEN_OFF:
        raise _wasted(ProviderError(f"{who} broke off: {end}", retryable=True), usage)
    message = _get(choice, "message")
    raw, refused = _content(_get(message, "content"))
    called = _called(_get(message, "tool_calls"))
    if called and (tools or not (raw or "").strip()):
        raw = _only(called, who, usage)
    refusal = _get(message, "refusal")
    return Said(raw, end, refusal if isinstance(refusal, str) else refused, usage)


def thinks(completion: object) -> bool:
    """Whether a reply of the chat completions API comes with thinking beside its content."""
    message = _get(_first(_get(completion, "choices")), "message")
    return bool(_get(message, "reasoning_content") or _get(message, "reasoning"))


def usage_of(completion: object) -> Usage:
    """The tokens a reply reports, in OpenAI's, Anthropic's or Google's words; else zero.

    Anthropic counts the cached part of a prompt apart from `input_tokens`, the others in it.
    """
    usage = _get(completion, "usage")
    if usage is None:
        usage = _get(completion, "usage_metadata")
    details = _get(usage, "prompt_tokens_details") or _get(usage, "input_tokens_details")
    read = _count(usage, "cache_read_input_tokens")
    cached = _count(details, "cached_tokens") or _count(usage, "cached_content_token_count")
    apart = read + _count(usage, "cache_creation_input_tokens")
    return Usage(
        input_tokens=apart
        + (
            _count(usage, "prompt_tokens")
            or _count(usage, "input_tokens")
            or _count(usage, "prompt_token_count")
        ),
        output_tokens=_count(usage, "completion_tokens")
        or _count(usage, "output_tokens")
        or _count(usage, "candidates_token_count") + _count(usage, "thoughts_token_count"),
        cached_input_tokens=cached or read,
    )


def _check_error(part: object, who: str, usage: Usage) -> None:
    """Raise for an error that came with status 200, as gateways send it."""
    if error := _get(part, "error"):
        raise _wasted(sent_instead(error, who), usage)


def _wasted(error: GenerationError, usage: Usage) -> GenerationError:
    error.wasted = usage
    return error


def _only(called: list[str], who: str, usage: Usage) -> str:
    """The arguments of the one tool call there is; the same ones twice are one."""
    if len(called) > 1:
        error = DraftFormatError(f"{who} called tools {len(called)} times, each time differently")
        raise _wasted(error, usage)
    return called[0]


def _get(part: object, name: str) -> Any:
    if isinstance(part, Mapping):
        return part.get(name)
    return getattr(part, name, None)


def _first(parts: object) -> Any:
    return parts[0] if isinstance(parts, list | tuple) and parts else None


def _word(value: object) -> str:
    """A provider's own word; some SDKs make it the name of an enum."""
    name = value if type(value) is str else getattr(value, "name", None)
    return name if isinstance(name, str) else ""


def _count(part: object, name: str) -> int:
    return whole_number(_get(part, name)) or 0


def whole_number(value: object) -> int | None:
    """A count as servers write one; `None` if it is none.

    SDKs hand on what they were sent. JSON knows no difference between 20 and 20.0, and protobuf
    writes numbers of 64 bits as strings.

    >>> whole_number(20), whole_number(20.0), whole_number("20"), whole_number(2.5)
    (20, 20, 20, None)
    """
    if isinstance(value, str):
        value = (
            int(value) if value.isascii() and value.isdecimal() and len(value) <= _DIGITS else None
        )
    elif isinstance(value, float):
        value = int(value) if value.is_integer() else None
    return value if type(value) is int and 0 <= value < 10**_DIGITS else None


def _content(content: object) -> tuple[str | None, str | None]:
    """The text of a message and the refusal among its parts; thinking parts are left out."""
    if isinstance(content, str):
        return content, None
    if not isinstance(content, list | tuple):
        return None, None
    texts = list(_strings(content, "text", kinds={"text", "output_text", None}))
    refusals = list(_strings(content, "refusal", kinds={"refusal"}))
    return "".join(texts) if texts else None, "".join(refusals) if refusals else None


def _strings(parts: Iterable[object], name: str, kinds: set[str | None]) -> Iterable[str]:
    for part in parts:
        value = part if isinstance(part, str) and name == "text" else _get(part, name)
        kind = _get(part, "type")
        if _get(part, "thought"):  # Google's mark of a thinking part, whose type is "text"
            continue
        if isinstance(value, str) and (not isinstance(kind, str | None) or kind in kinds):
            yield value


def _called(calls: object) -> list[str]:
    """What tools were called with, without repeats: some servers put the asked-for JSON there."""
    if not isinstance(calls, list | tuple):
        return []
    arguments = [_get(_get(call, "function"), "arguments") for call in calls]
    written = [json.dumps(a) if isinstance(a, dict) else a for a in arguments]
    return list(dict.fromkeys(text for text in written if isinstance(text, str)))
