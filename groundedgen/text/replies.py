"""The one JSON object in a model's reply, with what stands round it taken off.

Wrapping that has one meaning goes: a code fence, a thinking part, a byte-order mark, an
end-of-text token. What is broken, cut off or has two readings is refused. Nothing is
repaired, and no error holds a word of the reply.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

import regex

from groundedgen.patterns import lazy

__all__ = ["PADDING", "read_object"]

PADDING = " \t\r\n\f\v\ufeff\u200b\u2060\x00"

# The end of a thinking part, in the spellings of the models that write one into the reply.
# Only ends are looked for: some chat templates keep the beginning for themselves.
_THOUGHT = lazy(
    r"</(?:seed:|antml:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis)>"
    r"|\[/THINK\]|◁/think▷|<\|(?:end_of_thought|end_thinking|END_THINKING)\|>"
    r"|<\|channel\|>final(?: <\|constrain\|>json|<\|constrain\|>json)?<\|message\|>",
    regex.IGNORECASE,
)
_END_TOKEN = lazy(r"(?:<\|[a-z_]{1,20}\|>|</s>)\Z", regex.IGNORECASE)
_OPENING = lazy(r"(`{3,}+|~{3,}+)[ \t]*+[\w+.\-]*+")
_FENCE_LINE = lazy(r"^[ \t]{0,3}+(`{3,}+|~{3,}+)[ \t]*+[\w+.\-]*+[ \t]*+\r?$", regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Twice:
    """A JSON object that names a key twice: which value counts differs between parsers."""


def read_object(raw: str, *, alone: bool = False) -> dict[str, Any]:
    r"""The JSON object that is all of a reply but its wrapping.

    Args:
        raw: The reply.
        alone: Refuse words round a fence too. What a draft says is checked statement by
            statement; a verdict is not, and the words round it may say the opposite.

    Raises:
        ValueError: There is none, more than one, or it names a key twice; the message says
            which, with a place and without any of the text.

    >>> read_object('<think>It is {so}.</think>```json\n{"label": "supported"}\n```')
    {'label': 'supported'}
    >>> read_object('{"label": "supported"} {"label": "contradicted"}')
    Traceback (most recent call last):
    ValueError: it is not one JSON value (line 1, column 24)
    """
    value = _load(_unwrap(raw, alone=alone))
    if not isinstance(value, dict):
        raise ValueError(  # noqa: TRY004 - the reply is wrong, not the program
            "its JSON is no object, or names a key twice"
        )
    return value


def _unwrap(raw: str, *, alone: bool) -> str:
    """Take off what stands round the JSON and has one meaning."""
    text = _without_end_tokens(_answer(raw.strip(PADDING)))
    if not text:
        raise ValueError("there is nothing in it")
    if opening := _OPENING.match(text):
        body = text[opening.end() :].strip(PADDING)
        if body.startswith("{") and body.endswith((opening[1], "}")):
            # The closing fence may be missing: some servers stop before it.
            return body.rstrip(opening[1][0]).rstrip(PADDING)
    if text[0] != "{" and not alone:
        # Words round exactly one fence: the fence says where the reply begins and ends.
        fences = list(_FENCE_LINE.finditer(text))
        if len(fences) == 2:
            return text[fences[0].end() : fences[1].start()].strip(PADDING)
    return text


def _answer(text: str) -> str:
    """A reply without the thinking parts before it."""
    at = 0
    while at < len(text) and text[at] not in "{`~" and (end := _THOUGHT.search(text, at)):
        at = end.end()
        while at < len(text) and text[at] in PADDING:
            at += 1
    return text[at:]


def _without_end_tokens(text: str) -> str:
    last = len(text)
    while last and (token := _END_TOKEN.search(text, max(0, last - 30), last)):
        last = token.start()
        while last and text[last - 1] in PADDING:
            last -= 1
    return text[:last]


def _load(text: str) -> object:
    try:
        # Line breaks inside a string, as models copy them, have one meaning: not strict.
        return json.loads(text, strict=False, object_pairs_hook=_pairs, parse_constant=_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
    except RecursionError:
        where = "nested too deep"
    except ValueError:
        where = "a number that no reply holds"
    raise ValueError(f"it is not one JSON value ({where})")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Twice:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Twice()


def _constant(name: str) -> NoReturn:
    raise ValueError(name)
