"""Evidence by sentence id, for hosted models: the model names a sentence, code looks it up.

`evidence="sentences"`: each sentence of a passage is shown with a label, the reply names labels
from an enum, and the quote is the passage's own slice. As unforgeable as a grammar, shorter to
write, and the schema holds no word of any passage.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from groundedgen.errors import InputError
from groundedgen.spans import LONGEST, labelled_spans
from groundedgen.text.names import resolve
from groundedgen.text.replies import read_object
from groundedgen.text.sentences import Span
from groundedgen.values import Reply

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["Evidence", "Sentence", "as_draft", "label", "sentence_schema"]

_BRACKETS: Final = ("[]", "<>", "{}", "()")
MOST: Final = 1_000
"""Values of an enum that strict servers take; with more ids the enum is left out."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one id stands for: `docs[alias][start:end]`, the sentence with all it needs."""

    alias: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Passages with their sentences labelled.

    Attributes:
        docs: Alias -> passage text, unaltered; what is shown and checked at the end.
        labelled: Alias -> the same text with a label before each sentence that can be quoted;
            what the model reads.
        sentences: Id ("S2.3": the third of S2) -> what it stands for, in order.
    """

    docs: Mapping[str, str] = field(repr=False)
    labelled: Mapping[str, str] = field(repr=False)
    sentences: Mapping[str, Sentence] = field(repr=False)

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids, in order."""
        return tuple(self.sentences)


def label(
    docs: Mapping[str, str], langs: Mapping[str, str] | None = None, *, min_words: int = 5
) -> Evidence:
    """Label the sentences of passages.

    Args:
        docs: Alias -> passage text, in prompt order.
        langs: Alias -> language tag, where known.
        min_words: The fewest words of a quote; an id of a shorter sentence stands for it
            together with its neighbour.

    >>> evidence = label({"S1": "Floods are not covered at all. Fire is covered in full."})
    >>> evidence.labelled["S1"], evidence.ids
    ('[S1.1] Floods are not covered at all. [S1.2] Fire is covered in full.', ('S1.1', 'S1.2'))
    """
    langs = langs or {}
    sentences: dict[str, Sentence] = {}
    places: dict[str, list[tuple[int, str]]] = {}
    for alias, text in docs.items():
        spans = labelled_spans(text, langs.get(alias), min_words=min_words)
        ids = [f"{alias}.{number}" for number in range(1, len(spans) + 1)]
        sentences |= {
            name: Sentence(alias, *quote) for name, (_, quote) in zip(ids, spans, strict=True)
        }
        places[alias] = [(own[0], name) for name, (own, _) in zip(ids, spans, strict=True)]
    marks = _brackets(docs, sentences)
    labelled = {alias: _labelled(text, places[alias], marks) for alias, text in docs.items()}
    return Evidence(
        MappingProxyType(dict(docs)), MappingProxyType(labelled), MappingProxyType(sentences)
    )


def _brackets(docs: Mapping[str, str], ids: Iterable[str]) -> str:
    """Brackets in which no id stands in any passage, so that no passage can forge a label."""
    written = {alias for alias in docs if any(f"{alias}." in text for text in docs.values())}
    if not written:
        return _BRACKETS[0]
    forged = [name for name in ids if name.partition(".")[0] in written] + sorted(written)
    for depth in count(1):
        for pair in _BRACKETS:
            marks = pair[0] * depth + pair[1] * depth
            if not any(
                f"{marks[:depth]}{name}" in text for name in forged for text in docs.values()
            ):
                return marks
    raise AssertionError  # pragma: no cover - texts end


def _labelled(text: str, places: Sequence[tuple[int, str]], marks: str) -> str:
    half, parts, at = len(marks) // 2, [], 0
    for start, name in places:
        parts += [text[at:start], f"{marks[:half]}{name}{marks[half:]} "]
        at = start
    return "".join([*parts, text[at:]])


def sentence_schema(ids: Sequence[str]) -> type[BaseModel]:
    """The Pydantic model of a reply that names sentences; no quotes, no words of passages.

    Every field is required and nothing else is allowed, as in `draft.schema`; sources come
    first, so that a model has chosen its proof before it writes. Over 1,000 ids they are plain
    strings, since strict servers limit enums.

    Raises:
        InputError: There are no ids (`no_passages`).

    >>> reply = {"status": "answered", "statements": [{"sources": ["S1.1"], "text": "No."}]}
    >>> sentence_schema(["S1.1"]).model_validate(reply).model_dump() == reply
    True
    """
    if not ids:
        raise InputError("a reply needs at least one sentence to name", code="no_passages")
    return _model(tuple(dict.fromkeys(ids)))


@lru_cache(maxsize=64)
def _model(ids: tuple[str, ...]) -> type[BaseModel]:
    # As in `draft`: Pydantic takes as long to import as all the rest of the library.
    from pydantic import ConfigDict, WithJsonSchema, create_model  # noqa: PLC0415

    as_enum = WithJsonSchema({"type": "string", "enum": list(ids)})
    name: Any = Annotated[Literal[ids], as_enum] if len(ids) <= MOST else str
    closed = ConfigDict(extra="forbid")
    statement: Any = create_model(
        "SentenceStatement", __config__=closed, sources=(list[name], ...), text=(str, ...)
    )
    status: Any = Literal["answered", "not_found"]
    return create_model(
        "SentenceDraft", __config__=closed, status=(status, ...), statements=(list[statement], ...)
    )


def as_draft(reply: Reply, evidence: Evidence) -> Reply:
    """The same reply as an ordinary draft: each statement with its quote and its passage.

    Statements that name several sentences of one passage quote them all where they are near
    each other, else the first. An id that is none stays as it was written, for the gates to drop
    its statement; so does a reply that is no draft. A quote that the model wrote is not used.

    >>> evidence = label({"S1": "Floods are not covered at all. Fire is covered in full."})
    >>> said = '{"status": "answered", "statements": [{"sources": ["S1.2"], "text": "Fire is."}]}'
    >>> json.loads(as_draft(Reply(said), evidence).raw)["statements"]
    [{'text': 'Fire is.', 'sources': ['S1'], 'quote': 'Fire is covered in full.'}]
    """
    try:
        drafted = read_object(reply.raw or "")
    except ValueError:
        return reply
    statements = drafted.get("statements")
    if isinstance(statements, list):
        drafted["statements"] = [_statement(item, evidence) for item in statements]
    return replace(reply, raw=json.dumps(drafted))


def _statement(item: object, evidence: Evidence) -> object:
    if not isinstance(item, dict):
        return item
    written = item.get("sources")
    read = resolve([] if written is None else written, evidence.sentences.keys())
    if read is None:  # no names at all: for `draft.parse` to say so
        return {"text": item.get("text"), "sources": written, "quote": ""}
    named = [evidence.sentences[name] for name in read.known]
    aliases, quote = _quoted(named, evidence.docs)
    return {"text": item.get("text"), "sources": [*aliases, *read.unknown], "quote": quote}


def _quoted(named: Sequence[Sentence], docs: Mapping[str, str]) -> tuple[list[str], str]:
    """The passages and the one quote of a statement.

    One quote stands in one passage: of sentences from several, only those of the first count,
    unless another says the very same words.
    """
    if not named:
        return [], ""
    first = named[0]
    start, end = _together(first, [s for s in named if s.alias == first.alias])
    quote = docs[first.alias][start:end]
    same = [s.alias for s in named if docs[s.alias][s.start : s.end] == quote]
    return list(dict.fromkeys([first.alias, *same])), quote


def _together(first: Sentence, others: Sequence[Sentence]) -> Span:
    """The stretch that holds all of them, or the first where that is too much to quote."""
    start, end = min(s.start for s in others), max(s.end for s in others)
    return (start, end) if end - start <= LONGEST else (first.start, first.end)
