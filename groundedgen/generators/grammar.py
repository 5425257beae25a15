"""What a constrained decoder may write: each passage's quotes, as a grammar or a schema.

Four ways of saying the same, from the tightest to the loosest, since no two servers take the
same one (`rungs` picks): a Lark grammar that ties source, quote and the text's digits, a JSON
Schema and a GBNF grammar that tie source and quote, and the plain schema of `draft` that knows
the sources only. All write one draft, in the order source, quote, text, so that a model has
chosen its proof before it writes what the proof proves.

The constraint helps the generator and proves nothing: three servers were seen to lose one
without an error. Every reply goes through all gates as if it had been unconstrained.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from groundedgen.errors import InputError
from groundedgen.spans import quotable_spans

__all__ = ["HEAD", "NOT_FOUND", "TAIL", "Limits", "Quotable", "Quotables", "quotables", "schema"]

HEAD: Final = '{"status":"answered","statements":['
TAIL: Final = "]}"
NOT_FOUND: Final = '{"status":"not_found","statements":[]}'


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a draft may hold. Every part of a grammar is bounded by these.

    Attributes:
        max_statements: The most statements of a draft, 1 or more.
        min_quote_words: The fewest words of a quote; see `text.amounts.word_count`.
        max_text: The most code points of a statement's text, 20 or more. In a grammar a text with
            numbers is counted in words instead, at most a fifth as many. A text that reaches
            its bound was cut off.
    """

    max_statements: int = 8
    min_quote_words: int = 5
    max_text: int = 400

    def __post_init__(self) -> None:
        for name, least in (("max_statements", 1), ("max_text", 20)):
            value = getattr(self, name)
            if value < least:
                raise InputError(
                    f"{name} is {value}; a draft needs {least} at least", code="bad_limit"
                )


@dataclass(frozen=True, slots=True)
class Quotable:
    """One passage as a decoder sees it: its alias and its quotes, exact slices, all different."""

    alias: str
    quotes: tuple[str, ...] = field(repr=False)
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class Quotables:
    """All passages of one request, with the limits of its draft.

    Attributes:
        key: A hash of the passages and limits, to keep compiled grammars by: equal keys mean
            equal grammars. It says nothing about the texts.
    """

    passages: tuple[Quotable, ...]
    limits: Limits
    key: str

    @property
    def names(self) -> tuple[str, ...]:
        """The aliases, in order, those without a quotable sentence included."""
        return tuple(passage.alias for passage in self.passages)

    @property
    def quotable(self) -> tuple[Quotable, ...]:
        """The passages that have a quote."""
        return tuple(passage for passage in self.passages if passage.quotes)

    @property
    def size(self) -> int:
        """Code points of all quotes: what a grammar's size and compile time grow with."""
        return sum(len(quote) for passage in self.passages for quote in passage.quotes)


def quotables(
    docs: Mapping[str, str],
    langs: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Quotables:
    r"""The quotable sentences of passages.

    Args:
        docs: Alias -> passage text, in prompt order.
        langs: Alias -> language tag, where known.
        limits: How much a draft may hold.

    >>> found = quotables({"S1": "Floods are not covered at all. Fire is covered in full."})
    >>> found.passages[0].quotes
    ('Floods are not covered at all.', 'Fire is covered in full.')
    >>> found.size, quotables({"S1": "Floods: \ud800."}).quotable
    (54, ())
    """
    limits, langs = limits or Limits(), langs or {}
    passages = tuple(
        _quotable(alias, text, langs.get(alias), limits.min_quote_words)
        for alias, text in docs.items()
    )
    return Quotables(passages, limits, _key(docs, langs, limits))


def _quotable(alias: str, text: str, lang: str | None, min_words: int) -> Quotable:
    spans = quotable_spans(text, lang, min_words=min_words)
    quotes = dict.fromkeys(text[start:end] for start, end in spans)
    return Quotable(alias, tuple(quotes), lang)


def _key(docs: Mapping[str, str], langs: Mapping[str, str], limits: Limits) -> str:
    parts: list[Any] = [[alias, text, langs.get(alias)] for alias, text in docs.items()]
    written = json.dumps([parts, repr(limits)])  # in ASCII: also of what has no UTF-8
    return hashlib.sha256(written.encode()).hexdigest()


def schema(found: Quotables) -> dict[str, Any]:
    """A draft's JSON Schema in which each source has its own quotes, for servers that take one.

    One alternative per passage: its alias, and its quotes as an enum. It holds passage text, so
    it is for servers of one's own: hosted ones may keep the schemas they are sent.

    >>> found = quotables({"S1": "Floods are not covered at all. Fire is covered in full."})
    >>> answered = schema(found)["anyOf"][0]["properties"]["statements"]
    >>> answered["maxItems"], answered["items"]["anyOf"][0]["properties"]["quote"]["enum"]
    (8, ['Floods are not covered at all.', 'Fire is covered in full.'])
    """
    nothing = _object(
        status={"type": "string", "enum": ["not_found"]},
        statements={"type": "array", "items": {"type": "string"}, "maxItems": 0},
    )
    if not found.quotable:
        return nothing
    alternatives = [_statement(passage, found.limits) for passage in found.quotable]
    statements = {
        "type": "array",
        "minItems": 1,
        "maxItems": found.limits.max_statements,
        "items": {"anyOf": alternatives},
    }
    answered = _object(status={"type": "string", "enum": ["answered"]}, statements=statements)
    return {"anyOf": [answered, nothing]}


def _statement(passage: Quotable, limits: Limits) -> dict[str, Any]:
    source = {"type": "string", "enum": [passage.alias]}
    return _object(
        sources={"type": "array", "items": source, "minItems": 1, "maxItems": 1},
        quote={"type": "string", "enum": list(passage.quotes)},
        text={"type": "string", "minLength": 1, "maxLength": limits.max_text},
    )


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    """A closed object whose keys come in this order."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
