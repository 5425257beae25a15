"""Reading an answer that something else wrote: sentences with citation markers.

Each sentence is one statement, the markers in it or right behind it are its sources, and
what stands in quotation marks is its quote. A sentence without a quotation is held
against the closest sentence of the passages it names; one without a marker has no source
and cannot be checked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundedgen.aliases import Aliases
from groundedgen.draft import Answered
from groundedgen.gates.markers import cut_markers, markers
from groundedgen.gates.quotes import quote_gate
from groundedgen.patterns import lazy
from groundedgen.text.names import resolve
from groundedgen.text.ranking import best_spans
from groundedgen.text.sentences import sentence_spans
from groundedgen.values import Finding, Passage, Sourced

__all__ = ["read"]

_QUOTED = lazy(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|「([^「」]+)」|『([^『』]+)』"
    r"|(?<![\w])\"([^\"]+)\"(?![\w])"
)


@dataclass(frozen=True, slots=True)
class _Sources:
    """How markers of the text lead to aliases: by place in the passages, by alias, by id."""

    by_place: Mapping[str, str]
    by_id: Mapping[str, str]

    def resolve(self, written: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The known aliases and the unknown names of one marker."""
        for table in (self.by_place, self.by_id):
            read = resolve(written, tuple(table))
            if read is not None and read.known and not read.unknown:
                return tuple(dict.fromkeys(table[name] for name in read.known)), ()
        return (), (written,)


def read(text: str, passages: Sequence[Passage], aliases: Aliases, *, min_words: int) -> Answered:
    """The statements of a text, each with the sources its markers name.

    Args:
        text: Prose or Markdown with markers `[1]` (the n-th of `passages`), `[S1]` or
            `[id]`.
        passages: As the text's writer was given them, in that order.
        aliases: What `aliases.assign` made of them.
        min_words: A quotation of fewer words is part of the sentence, not evidence.
    """
    sources = _sources(passages, aliases)
    sentences = _with_trailing_markers(text, tuple(sources.by_id))
    sayings = [text[start:end] for start, end in sentences if _says(text[start:end], sources)]
    results = [
        _statement(index, sentence, sources, aliases, min_words)
        for index, sentence in enumerate(sayings)
    ]
    return Answered(
        statements=tuple(r for r in results if isinstance(r, Sourced)),
        findings=tuple(r for r in results if isinstance(r, Finding)),
        total=len(results),
    )


def _sources(passages: Sequence[Passage], aliases: Aliases) -> _Sources:
    by_id = {p.id: alias for alias in aliases.names for p in aliases.origins(alias)}
    by_place = {f"S{place}": by_id[p.id] for place, p in enumerate(passages, 1) if p.id in by_id}
    return _Sources(by_place, by_id)


def _with_trailing_markers(text: str, ids: tuple[str, ...]) -> list[tuple[int, int]]:
    """Sentence bounds, where markers behind the full stop belong to the sentence before."""
    spans: list[tuple[int, int]] = []
    marked = markers(text, ids)
    for start, end in sentence_spans(text):
        lead = _leading_markers(text, start, end, marked) if spans else start
        if lead > start:
            spans[-1] = (spans[-1][0], lead)
        if text[lead:end].strip():
            spans.append((lead, end))
    return spans


def _leading_markers(text: str, start: int, end: int, marked: Sequence[tuple[int, int]]) -> int:
    """Where the markers that open `text[start:end]` stop; `start` if there are none."""
    for place in range(bisect_left(marked, (start, 0)), len(marked)):
        opening, closing = marked[place]
        if opening >= end or text[start:opening].strip():
            break
        start = closing
    return start


def _says(sentence: str, sources: _Sources) -> bool:
    """Whether anything is left of a sentence without its markers."""
    return any(char.isalnum() for char in cut_markers(sentence, tuple(sources.by_id)))


def _statement(
    index: int, sentence: str, sources: _Sources, aliases: Aliases, min_words: int
) -> Sourced | Finding:
    known, unknown = _named(sentence, sources)
    text = cut_markers(sentence, tuple(sources.by_id)).strip()
    if unknown:
        message = "It names a source that was not passed in."
        return Finding("sources", "unknown_source", index, message, statement=text, details=unknown)
    if not known:
        message = "It carries no citation, so there is nothing to check it against."
        return Finding("sources", "no_source", index, message, statement=text)
    docs = {alias: aliases.docs[alias] for alias in known}
    quotes = [q for q in _quotations(text) if len(q.split()) >= min_words]
    invented = [q for q in quotes if not _stands(q, docs, min_words)]
    quote = (invented or quotes or [_closest(text, docs, min_words)])[0]
    if not quote:
        message = "Nothing in the passages it names is close to it."
        return Finding("quotes", "quote_not_found", index, message, statement=text)
    return Sourced(index, text, known, quote)


def _named(sentence: str, sources: _Sources) -> tuple[tuple[str, ...], tuple[str, ...]]:
    known: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for start, end in markers(sentence, tuple(sources.by_id)):
        aliases, strangers = sources.resolve(sentence[start:end])
        known.update(dict.fromkeys(aliases))
        unknown.update(dict.fromkeys(strangers))
    return tuple(known), tuple(unknown)


def _quotations(text: str) -> list[str]:
    """What stands in quotation marks, longest first."""
    found = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    return sorted(found, key=len, reverse=True)


def _stands(quote: str, docs: Mapping[str, str], min_words: int) -> bool:
    return any(quote_gate(quote, a, docs, min_words=min_words).verdict == "found" for a in docs)


def _closest(text: str, docs: Mapping[str, str], min_words: int) -> str:
    """The sentence of the named passages that is closest to the text, or ""."""
    aliases = list(docs)
    ranked = best_spans(text, [docs[alias] for alias in aliases])
    if not ranked or not ranked[0].coverage:
        return ""
    alias = aliases[ranked[0].index]
    return _enough(alias, docs, ranked[0].start, min_words)


def _enough(alias: str, docs: Mapping[str, str], start: int, min_words: int) -> str:
    """The sentence that begins at `start`, with neighbours until it is long enough to quote."""
    passage = docs[alias]
    spans = sentence_spans(passage)
    first = last = bisect_right([a for a, _ in spans], start) - 1
    while True:
        quote = passage[spans[first][0] : spans[last][1]]
        short = quote_gate(quote, alias, docs, min_words=min_words).verdict == "too_short"
        if not short or last - first == len(spans) - 1:
            return quote
        first, last = (first, last + 1) if last + 1 < len(spans) else (first - 1, last)
