"""Reading an answer that something else wrote: prose or Markdown with citation markers.

Each sentence is one statement, an item of a list together with what leads into it; the markers in
it or right behind it are its sources, and what stands in quotation marks is its quote. A sentence
without a quotation is held against the closest sentence of the passages it names; one without a
marker has no source and cannot be checked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from groundedgen.aliases import Aliases
from groundedgen.draft import Answered, is_overlong
from groundedgen.gates.markers import all_markers
from groundedgen.hanging import Hung, hung, says
from groundedgen.leadlines import BOLD_LINE
from groundedgen.leads import split_leads
from groundedgen.leadwords import asks
from groundedgen.nearquote import quote_of
from groundedgen.patterns import lazy
from groundedgen.tabled import untabled
from groundedgen.text.closers import with_closers
from groundedgen.text.markdown.flattening import flattened, undressed
from groundedgen.text.markers.attributions import needs_marker, unattributed
from groundedgen.text.markers.unmarked import Mark, unmarked
from groundedgen.text.names import resolve
from groundedgen.text.sentences import ends_stopped, sentence_spans
from groundedgen.text.visible import is_struck, visible
from groundedgen.titled import without_titles
from groundedgen.values import Finding, Passage, Sourced

__all__ = ["read"]

_HASHES: Final = lazy(r"#{1,6}(?=\s)")
_SHOWN: Final = 200  # code points of an overlong statement that its finding shows


@dataclass(frozen=True, slots=True)
class _Sources:
    """How markers of the text lead to aliases: by place in the passages, by alias, by id."""

    by_place: Mapping[str, str]
    by_id: Mapping[str, str]

    def resolve(self, written: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The known aliases and the unknown names of one marker."""
        written = written.replace("\\", "")
        for table in (self.by_place, self.by_id):
            read = resolve(written, tuple(table))
            if read is not None and read.known and not read.unknown:
                return tuple(dict.fromkeys(table[name] for name in read.known)), ()
        return (), (written,)


@dataclass(frozen=True, slots=True)
class _Own:
    """A marker of a sentence; `needed`: its words make no sentence without it."""

    written: str
    needed: bool = field(default=False, compare=False)


def read(
    text: str,
    passages: Sequence[Passage],
    aliases: Aliases,
    *,
    min_words: int,
    listed: Mapping[int, Passage] | None = None,
    footnotes: Mapping[str, Passage | None] | None = None,
) -> Answered:
    """The statements of a text, each with the sources its markers name.

    Headings, and openings such as "The policy says:", are passed over unless they cite something:
    they claim nothing that could be checked, and are not shown.

    Args:
        text: Prose or Markdown with markers `[1]` (the n-th of `passages`), `[S1]` or `[id]`; with
            line feeds only.
        passages: As the text's writer was given them, in that order.
        aliases: What `aliases.assign` made of them.
        min_words: A quotation of fewer words is part of the sentence, not evidence.
        listed: What numbers mean otherwise than by the order of the passages.
        footnotes: What `[^label]` means for the labels of its footnotes; `None` if nothing.

    Raises:
        DraftFormatError: Its lists are nested deeper than anybody reads as one statement.
    """
    notes = {f"^{label}": passage for label, passage in (footnotes or {}).items()}
    sources = _sources(passages, aliases, listed or {}, notes)
    reader = _Reader(sources, aliases, min_words)
    said = _sentences(text, (*sources.by_id, *notes))
    results = [reader.statement(index, sentence) for index, sentence in enumerate(said)]
    return Answered(
        statements=tuple(r for r in results if isinstance(r, Sourced)),
        findings=tuple(r for r in results if isinstance(r, Finding)),
        total=len(results),
    )


def _sources(
    passages: Sequence[Passage],
    aliases: Aliases,
    listed: Mapping[int, Passage],
    notes: Mapping[str, Passage | None],
) -> _Sources:
    by_id = {p.id: alias for alias in aliases.names for p in aliases.origins(alias)}
    counted = {**dict(enumerate(passages, 1)), **listed}
    by_place = {f"S{place}": by_id[p.id] for place, p in counted.items() if p.id in by_id}
    labelled = {label: by_id[p.id] for label, p in notes.items() if p and p.id in by_id}
    return _Sources(by_place, {**by_id, **labelled})


def _sentences(text: str, ids: tuple[str, ...]) -> list[Hung[_Own]]:
    """The sentences that claim something, with their markers."""
    find = partial(all_markers, names=ids)
    flat = unattributed(untabled(flattened(text)), find)
    plain, marks = unmarked(flat, find(flat))
    bounds = split_leads(plain, with_closers(plain, sentence_spans(plain)))
    own = _owned(plain, bounds, marks)
    return [one for one in hung(plain, bounds, own) if one.places or not _opens(plain, one)]


def _owned(text: str, bounds: Sequence[tuple[int, int]], marks: Sequence[Mark]) -> list[list[_Own]]:
    """For each sentence its markers: those in it and those between it and the next one."""
    own: list[list[_Own]] = [[] for _ in bounds]
    saying = [n for n, (start, end) in enumerate(bounds) if says(text[start:end])]
    starts = [bounds[n][0] for n in saying]
    for mark in marks if saying else ():
        # A blank before the marker is left of two that stood round it.
        at = len(text[: mark.at].rstrip())
        before = max(0, bisect_right(starts, max(at - 1, 0)) - 1)
        place = saying[before]
        following = saying[min(before + 1, len(saying) - 1)]
        gap = text[bounds[place][1] : bounds[following][0]]
        if mark.leads and at >= bounds[place][1] and (own[place] or "\n\n" in gap):
            place = following
        own[place].append(_Own(mark.written, _is_needed(text, bounds[place], mark)))
    return own


def _is_needed(text: str, bounds: tuple[int, int], mark: Mark) -> bool:
    start, end = bounds
    at = min(max(mark.at, start), end)
    sentence = f"{text[start:at].rstrip()} \0 {text[at:end].lstrip()}"
    place = sentence.index("\0")
    return needs_marker(sentence, place, place + 1)


def _opens(text: str, one: Hung[_Own]) -> bool:
    """Whether a sentence without a source is a heading, a question or a mere opening."""
    heading = _HASHES.match(text, one.start) is not None
    bold = BOLD_LINE.fullmatch(text, one.start, one.end) and not ends_stopped(
        text, one.start, one.end
    )
    leads = one.opening or one.plain.rstrip("*_ ").endswith((":", "\uff1a"))
    return leads or heading or bool(bold) or asks(one.plain)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes statements of sentences."""

    sources: _Sources
    aliases: Aliases
    min_words: int

    def statement(self, index: int, sentence: Hung[_Own]) -> Sourced | Finding:
        """The statement, or a finding on what it lacks."""
        known, unknown = self._named(sentence.places)
        docs = {alias: self.aliases.docs[alias] for alias in known}
        words = without_titles(sentence.text, sentence.plain, sentence.leads, docs.values())
        text = visible(undressed(words)).strip()
        if flaw := _flaw(text, known, unknown, sentence.places):
            reason, message = flaw
            shown = text[:_SHOWN] if reason == "too_long" else text
            return Finding("sources", reason, index, message, statement=shown, details=unknown)
        quote = quote_of(text, docs, self.min_words)
        if not quote:
            message = "Nothing in the passages it names is close to it."
            return Finding("quotes", "quote_not_found", index, message, statement=text)
        return Sourced(index, text, known, quote)

    def _named(self, marks: Sequence[_Own]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        known: dict[str, None] = {}
        unknown: dict[str, None] = {}
        for mark in marks:
            aliases, strangers = self.sources.resolve(mark.written)
            known.update(dict.fromkeys(aliases))
            unknown.update(dict.fromkeys(strangers))
        return tuple(known), tuple(unknown)


def _flaw(
    text: str, known: Sequence[str], unknown: Sequence[str], marks: Sequence[_Own]
) -> tuple[str, str] | None:
    """Why a sentence cannot be checked, and in words; `None` if it can."""
    if unknown:
        return "unknown_source", "It names a source that was not passed in."
    if not known:
        return "no_source", "It carries no citation, so there is nothing to check it against."
    if is_overlong(text):
        return "too_long", "It is too long to be one statement."
    if is_struck(text):
        return "struck_text", "Words of it would be shown struck out."
    if any(mark.needed for mark in marks):
        return "marker_in_text", "Without its citation marker it is no whole sentence."
    return None
