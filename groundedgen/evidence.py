"""Evidence by sentence id, for hosted models: the model names a sentence, code looks it up.

`evidence="sentences"`: each sentence of a passage is shown with a label, the reply names labels
from an enum, and the quote is the passage's own slice. As unforgeable as a grammar, shorter to
write, and the schema holds no word of any passage.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

import regex

from groundedgen.errors import InputError
from groundedgen.patterns import lazy
from groundedgen.spans import labelled_spans, piece_count
from groundedgen.text.ranking import best_spans
from groundedgen.values import CitedSpan, Finding, Sourced

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "MOST_SENTENCES",
    "MOST_TEXT",
    "Evidence",
    "EvidenceForm",
    "Sentence",
    "can_label",
    "check_form",
    "fits_enum",
    "label",
    "sentence_schema",
]

EvidenceForm = Literal["quotes", "sentences"]
"""What a model gives as proof: words that it copies, or the ids of sentences."""

_BRACKETS: Final = ("[]", "<>", "{}", "()")
# What stands before the name of a passage as an id begins with it: "[S1." or "((S2."
_FORGED: Final = {
    pair: lazy(rf"(?<!{o})({o}++)([^\s.\[\]<>{{}}()]++)\.")
    for pair in _BRACKETS
    for o in [regex.escape(pair[0])]
}
_JOINT: Final = lazy(r"\s*[,;]\s*")
_STOPS: Final = frozenset(".!?\u2026\u0964\u3002\uff01\uff1f\"'\u201d\u2019\u00bb)")
_TRAILING: Final = 20  # ids behind a text that are looked at

# What strict servers take (OpenAI's documentation of structured outputs): this many values in all
# enums of a schema, and this many code points in one of more than 250. The status has two values.
MOST_SENTENCES: Final = 1_000 - 2
"""Sentences of all passages that can be named: more values no enum takes, and what no schema binds
is better asked for as quotes, whose schema binds the passages at least."""
_MANY: Final = 250
_MOST_CODE_POINTS: Final = 15_000
MOST_TEXT: Final = 300 * MOST_SENTENCES
"""Code points of all passages in which sentences are looked for. Sentences of more than 300 are cut
in pieces, so a longer text has too many anyway; this is known without reading it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one id stands for: `docs[alias][start:end]`, the sentence with all it needs.

    `at` is where the sentence itself begins, and its label stands.
    """

    alias: str
    start: int
    end: int
    at: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Passages with their sentences labelled.

    Attributes:
        docs: Alias -> passage text, unaltered; what is shown and checked at the end.
        labelled: Alias -> the same text with a label before each sentence that can be quoted;
            what the model reads.
        sentences: Id ("S2.3": the third of S2) -> what it stands for, in order.
        marks: The brackets of a label, such as "[]": nothing that is shown beside the labels holds
            an id in these.
    """

    docs: Mapping[str, str] = field(repr=False)
    labelled: Mapping[str, str] = field(repr=False)
    sentences: Mapping[str, Sentence] = field(repr=False)
    marks: str = "[]"

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids, in order."""
        return tuple(self.sentences)

    @property
    def example(self) -> str:
        """The first label, as it stands in its passage; "" if there is none."""
        return _label(self.ids[0], self.marks) if self.sentences else ""

    def placed(self, statement: Sourced) -> Sourced:
        """A statement that names ids, with the passages and places that they stand for.

        >>> evidence = label({"S1": "Floods are not covered at all. Fire is covered in full."})
        >>> evidence.placed(Sourced(0, "Fire is covered.", ("S1.2",), "")).quote
        'Fire is covered in full.'
        """
        named = [self.sentences[name] for name in statement.aliases]
        spans = dict.fromkeys(
            CitedSpan(s.alias, s.start, s.end, self.docs[s.alias][s.start : s.end]) for s in named
        )
        return replace(
            statement,
            aliases=tuple(dict.fromkeys(span.alias for span in spans)),
            quote=next(iter(spans)).quote,
            spans=tuple(spans),
        )

    def bracketed(self, text: str) -> str:
        """A text with ids in our own brackets put into square ones, which markers stand in."""
        half = len(self.marks) // 2
        if self.marks == _BRACKETS[0] or self.marks[:half] not in text:
            return text

        def square(found: regex.Match[str]) -> str:
            names = _JOINT.split(found[1].strip())
            return f"[{found[1]}]" if self.sentences.keys() >= set(names) else str(found[0])

        opening, closing = regex.escape(self.marks[:half]), regex.escape(self.marks[half:])
        return str(regex.sub(rf"{opening}([^\[\]<>{{}}()]++){closing}", square, text))

    def without_ids(self, text: str) -> str:
        """A text without ids before a colon at its beginning, or after its last full stop.

        Ids in brackets are markers like any others, see `gates.markers`. One inside of a
        sentence is no marker: what would be left might not be what was said.

        >>> evidence = label({"S1": "Floods are not covered at all. Fire is covered in full."})
        >>> evidence.without_ids("S1.2: Fire is covered. S1.2, S1.1"), evidence.without_ids("S1.2.")
        ('Fire is covered.', 'S1.2.')
        """
        head, _, rest = text.strip().partition(" ")
        if head[-1:] == ":" and head[:-1] in self.sentences and rest.strip():
            text = rest.strip()
        shorter = text.rstrip()
        for _ in range(_TRAILING):
            *said, last = shorter.rsplit(None, 1) or [""]
            if not said or last.rstrip(",;.") not in self.sentences:
                break
            shorter = said[0]
        return shorter if shorter[-1:] in _STOPS else text

    def nearest(self, finding: Finding) -> str:
        """The real text closest to a failed statement, with its labels; "" if nothing is close."""
        alias = finding.passage_id if finding.passage_id in self.docs else None
        if alias and finding.nearest and (at := self.docs[alias].find(finding.nearest)) >= 0:
            return self._shown(alias, at, at + len(finding.nearest))
        names = [alias] if alias else list(self.docs)
        ranked = best_spans(finding.statement, [self.docs[name] for name in names])
        if not ranked or not ranked[0].coverage:
            return ""
        return self._shown(names[ranked[0].index], ranked[0].start, ranked[0].end)

    def _shown(self, alias: str, start: int, end: int) -> str:
        """A part of a passage with its labels, the one of its beginning in front."""
        own = [(s.at, name) for name, s in self.sentences.items() if s.alias == alias]
        inside = [(at - start, name) for at, name in own if start < at < end]
        before = [name for at, name in own if at <= start][-1:]
        places = [*((0, name) for name in before), *inside]
        return _labelled(self.docs[alias][start:end], places, self.marks)


def check_form(value: object) -> EvidenceForm:
    """The value, if it is one of the two.

    Raises:
        InputError: It is not.
    """
    for form in get_args(EvidenceForm):
        if value == form:
            return form  # type: ignore[no-any-return]  # of the Literal's own values
    raise InputError(
        f'evidence must be "quotes" or "sentences", got {value!r:.60}', code="bad_evidence"
    )


def can_label(docs: Mapping[str, str], langs: Mapping[str, str] | None = None) -> bool:
    """Whether passages have so few sentences that a reply's schema can bind their ids.

    At most 998 sentences, pieces of overlong ones counted, in at most 299,400 code points. Says
    so in a fraction of the time that labelling takes.

    >>> can_label({"S1": "Fire is covered. " * 998}), can_label({"S1": "Fire is covered. " * 999})
    (True, False)
    """
    if sum(map(len, docs.values())) > MOST_TEXT:
        return False
    langs, left = langs or {}, MOST_SENTENCES
    for alias, text in docs.items():
        left -= piece_count(text, langs.get(alias))
        if left < 0:
            return False
    return True


def label(
    docs: Mapping[str, str],
    langs: Mapping[str, str] | None = None,
    *,
    min_words: int = 5,
    beside: Iterable[str] = (),
) -> Evidence:
    """Label the sentences of passages, however many there are; see `can_label`.

    Args:
        docs: Alias -> passage text, in prompt order; aliases as `aliases.assign` gives them.
        langs: Alias -> language tag, where known.
        min_words: The fewest words of a quote; an id of a shorter sentence stands for it
            together with its neighbour.
        beside: What else the model reads: titles, questions. No label looks like a word of it.

    >>> evidence = label({"S1": "Floods are not covered at all. Fire is covered in full."})
    >>> evidence.labelled["S1"], evidence.ids
    ('[S1.1] Floods are not covered at all. [S1.2] Fire is covered in full.', ('S1.1', 'S1.2'))
    >>> label({"S1": "Fire is covered in full."}, beside=["What does [S1.1] say?"]).example
    '<S1.1>'
    """
    langs = langs or {}
    sentences: dict[str, Sentence] = {}
    places: dict[str, list[tuple[int, str]]] = {}
    for alias, text in docs.items():
        spans = labelled_spans(text, langs.get(alias), min_words=min_words)
        named = {f"{alias}.{number}": span for number, span in enumerate(spans, 1)}
        sentences |= {name: Sentence(alias, *quote, own[0]) for name, (own, quote) in named.items()}
        places[alias] = [(own[0], name) for name, (own, _) in named.items()]
    marks = _marks(docs, beside)
    labelled = {alias: _labelled(text, places[alias], marks) for alias, text in docs.items()}
    return Evidence(
        MappingProxyType(dict(docs)),
        MappingProxyType(labelled),
        MappingProxyType(sentences),
        marks,
    )


def _marks(docs: Mapping[str, str], beside: Iterable[str] = ()) -> str:
    """Brackets in which no id stands in anything that is shown, so that no text forges a label."""
    texts = (*docs.values(), *beside)
    depths = {pair: _depth(pair, texts, docs) for pair in _BRACKETS}
    pair = min(depths, key=lambda pair: depths[pair])
    return pair[0] * depths[pair] + pair[1] * depths[pair]


def _depth(pair: str, texts: Iterable[str], names: Collection[str]) -> int:
    """How many of these brackets no text has before the name of a passage."""
    found = (match for text in texts for match in _FORGED[pair].finditer(text))
    return 1 + max((len(match[1]) for match in found if match[2] in names), default=0)


def _label(name: str, marks: str) -> str:
    half = len(marks) // 2
    return f"{marks[:half]}{name}{marks[half:]}"


def _labelled(text: str, places: Iterable[tuple[int, str]], marks: str) -> str:
    parts, at = [], 0
    for start, name in places:
        parts += [text[at:start], f"{_label(name, marks)} "]
        at = start
    return "".join([*parts, text[at:]])


def fits_enum(ids: Sequence[str]) -> bool:
    """Whether strict servers take this many ids, of this length, as an enum.

    >>> fits_enum(["S1.1"] * 998), fits_enum(["S1.1"] * 999), fits_enum(["S1.1" * 20] * 251)
    (True, False, False)
    """
    if len(ids) <= _MANY:
        return True
    return len(ids) <= MOST_SENTENCES and sum(map(len, ids)) <= _MOST_CODE_POINTS


def sentence_schema(ids: Sequence[str]) -> type[BaseModel]:
    """The Pydantic model of a reply that names sentences; no quotes, no words of passages.

    Every field is required and nothing else is allowed, as in `draft.schema`; sources come
    first, so that a model has chosen its proof before it writes. Of more ids than strict servers
    take as an enum (see `fits_enum`) it holds none: they are plain strings, and what is not among
    them fails when the reply is read.

    Raises:
        InputError: There are no ids (`no_passages`).

    >>> reply = {"status": "answered", "statements": [{"sources": ["S1.1"], "text": "No."}]}
    >>> sentence_schema(["S1.1"]).model_validate(reply).model_dump() == reply
    True
    """
    if not ids:
        raise InputError("a reply needs at least one sentence to name", code="no_passages")
    distinct = tuple(dict.fromkeys(ids))
    return _model(distinct if fits_enum(distinct) else ())


@lru_cache(maxsize=256)
def _model(ids: tuple[str, ...]) -> type[BaseModel]:
    # As in `draft`: Pydantic takes as long to import as all the rest of the library.
    from pydantic import ConfigDict, WithJsonSchema, create_model  # noqa: PLC0415

    name: Any = str
    if ids:
        name = Annotated[Literal[ids], WithJsonSchema({"type": "string", "enum": list(ids)})]
    closed = ConfigDict(extra="forbid")
    statement: Any = create_model(
        "SentenceStatement", __config__=closed, sources=(list[name], ...), text=(str, ...)
    )
    status: Any = Literal["answered", "not_found"]
    return create_model(
        "SentenceDraft", __config__=closed, status=(status, ...), statements=(list[statement], ...)
    )
