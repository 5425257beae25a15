"""What an SDK returned to a library that passes on only the text of it.

How a reply ended and what it cost decides whether it is whole; Outlines keeps neither. The SDK's
object is therefore handed over inside one that notes what its method returns.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from typing import Any

from groundedgen.generators.replies.completions import Said, read_completion
from groundedgen.generators.replies.othershapes import read_message
from groundedgen.values import Usage

__all__ = ["listening", "said"]


def listening(holder: Any, attribute: str, path: tuple[str, ...]) -> tuple[Any, list[Any]]:
    """A copy of `holder` that is listened to, and the list of what it will have returned.

    The holder itself stays as it is, so that calls at the same time do not hear each other.

    Args:
        holder: A model, whose `attribute` is the object of an SDK.
        attribute: Its name.
        path: The method, from that object on: ("chat", "completions", "create").

    >>> from types import SimpleNamespace as Object
    >>> model = Object(client=Object(chat=lambda text: text.upper()))
    >>> copied, heard = listening(model, "client", ("chat",))
    >>> copied.client.chat("hi"), heard
    ('HI', ['HI'])
    """
    heard: list[Any] = []
    copied = copy.copy(holder)
    inner = getattr(holder, attribute)
    setattr(copied, attribute, _Overheard(inner, path, heard))
    return copied, heard


class _Overheard:
    def __init__(self, inner: Any, path: tuple[str, ...], heard: list[Any]) -> None:
        self._inner, self._path, self._heard = inner, path, heard

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if name != self._path[0]:
            return value
        if self._path[1:]:
            return _Overheard(value, self._path[1:], self._heard)
        return self._listened(value)

    def _listened(self, method: Any) -> Any:
        async def awaited(returned: Any) -> Any:
            result = await returned
            self._heard.append(result)
            return result

        def called(*given: Any, **named: Any) -> Any:
            returned = method(*given, **named)
            if inspect.isawaitable(returned):
                return awaited(returned)
            self._heard.append(returned)
            return returned

        return called


def said(text: object, heard: object, who: str) -> Said:
    """A reply: its text as the library gave it, its end and cost as they were overheard.

    Args:
        text: What the library returned; `None` where it raised instead.
        heard: What its SDK returned, of whatever type; `None` if nothing is known.
        who: The generator's name, for messages.

    Raises:
        ProviderError: What was overheard is an error in place of a reply.

    >>> said("{}", {"message": {}, "done_reason": "length", "eval_count": 9}, "mine").finish_reason
    'length'
    """
    end = _end(heard, who)
    raw = text if isinstance(text, str) else _get(heard, "generated_text")
    raw = raw if isinstance(raw, str) else end.raw
    return Said(raw, end.finish_reason or "stop", end.refusal, end.usage)


def _end(heard: object, who: str) -> Said:
    if _get(heard, "choices") is not None or _get(heard, "error") is not None:
        return read_completion(heard, who)
    if _get(heard, "done_reason") is not None or _get(heard, "eval_count") is not None:
        return Said(None, _word(heard, "done_reason"), None, _usage(heard))  # Ollama
    if (details := _get(heard, "details")) is not None:  # TGI
        usage = Usage(output_tokens=_count(details, "generated_tokens"))
        return Said(None, _word(details, "finish_reason"), None, usage)
    if isinstance(heard, list) and heard:  # vLLM in this process
        return _first_output(heard[0])
    return read_message(heard)


def _usage(heard: object) -> Usage:
    return Usage(_count(heard, "prompt_eval_count"), _count(heard, "eval_count"))


def _first_output(request: object) -> Said:
    outputs = _get(request, "outputs") or [None]
    usage = Usage(_length(request, "prompt_token_ids"), _length(outputs[0], "token_ids"))
    return Said(None, _word(outputs[0], "finish_reason"), None, usage)


def _get(part: object, name: str) -> Any:
    return part.get(name) if isinstance(part, Mapping) else getattr(part, name, None)


def _word(part: object, name: str) -> str:
    value = _get(part, name)
    return value if isinstance(value, str) else ""


def _count(part: object, name: str) -> int:
    value = _get(part, name)
    return value if type(value) is int and value > 0 else 0


def _length(part: object, name: str) -> int:
    value = _get(part, name)
    return len(value) if hasattr(value, "__len__") else 0
