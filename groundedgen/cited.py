"""Reading a reply with native citations: pieces of text, each with the places it cites.

A provider cuts its reply where its citations change, often in mid-sentence. The pieces are put
together again and cut into sentences; each sentence is a statement with the places of all pieces
that it is made of, so that no fragment of one is ever shown alone. The places are only claims
so far: `gates.placed` looks them up.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import regex

from groundedgen import draft
from groundedgen.draft import Answered, NotFound, check_end
from groundedgen.errors import DraftFormatError
from groundedgen.gates.markers import cut_markers
from groundedgen.patterns import lazy
from groundedgen.prompt import NOT_FOUND
from groundedgen.text.amounts import word_count
from groundedgen.text.sentences import ends_stopped, lead_in, sentence_spans
from groundedgen.text.visible import is_struck, visible
from groundedgen.values import CitedSpan, CitedText, Finding, Reply, Sourced

__all__ = ["parse"]

_DECLINES = lazy(r"\W*+not[\s_-]?found\W*+", regex.IGNORECASE)
# What Markdown puts before a line. A dash before a number may be its sign.
_LINE_MARK = lazy(
    r"(?:#{1,6}\s+|>\s*|[*+\u2022\u2023\u25e6\u25aa\u25cf\u00b7]\s+|[-\u2013\u2014]\s+(?!\d))+"
)
_NUMBER_MARK = lazy(r"\(?(\d{1,3})[.)]\s+")
_BOLD = lazy(r"(\*\*|__)(?=\S)([^*_]{1,300}+)(?<=\S)\1")
_JOINTS = frozenset(".!?:;,\u2026\u2014\u3002\uff1a")
_BARE_WORDS = 2  # "Yes." and "Not covered.": no more than an opening to what is cited


def parse(reply: Reply, names: Sequence[str]) -> Answered | NotFound:
    """Read a reply of either form: with native citations here, else as `draft.parse` does.

    An item of a list is one statement together with the line that leads into the list.

    Without citations of its own a sentence has no source (`no_source`). Headings, and openings
    such as "Yes.", are passed over unless they cite something: they claim nothing that could be
    checked, and are not shown.

    Args:
        reply: Its `cited` pieces name passages by alias.
        names: The aliases that were offered.

    Raises:
        RefusedError: The model or a filter declined.
        TruncatedError: It was cut off, by the provider's own word.
        DraftFormatError: There is no text.

    >>> span = CitedSpan("S1", 0, 23, "Floods are not covered.")
    >>> pieces = CitedText("Floods "), CitedText("are excluded", (span,)), CitedText(". So is ice.")
    >>> read = parse(Reply(None, cited=pieces), ["S1"])
    >>> [(s.text, s.aliases) for s in read.statements], [f.reason for f in read.findings]
    ([('Floods are excluded.', ('S1',))], ['no_source'])
    >>> parse(Reply(None, cited=(CitedText("NOT_FOUND"),)), ["S1"])
    NotFound(total=0)
    """
    if reply.cited is None:
        return draft.parse(reply, names)
    check_end(reply)
    sentences = _sentences(reply.cited)
    if not sentences:
        raise DraftFormatError("the reply holds no text")
    declined = sum(_declines(sentence) for sentence in sentences)
    if declined:
        return NotFound(len(sentences) - declined)
    saying = [s for s in sentences if s.spans or not s.bare] or sentences
    read = [_statement(index, sentence, names) for index, sentence in enumerate(saying)]
    return Answered(
        statements=tuple(item for item in read if isinstance(item, Sourced)),
        findings=tuple(item for item in read if isinstance(item, Finding)),
        total=len(read),
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence without the marks of its line. `bare`: alone it claims nothing."""

    text: str = field(repr=False)
    spans: tuple[CitedSpan, ...]
    bare: bool


def _sentences(pieces: Sequence[CitedText]) -> list[_Sentence]:
    """The sentences of a reply, each item of a list with what leads into it.

    "- floods" alone can mean the opposite of "The policy does not cover: floods".
    """
    text = "".join(piece.text for piece in pieces)
    bounds = sentence_spans(text)
    numbered = _numbered(text, bounds)
    plain = [_plain(text, start, end, numbered=start in numbered) for start, end in bounds]
    leads = [_lead(text, bounds, index, plain[index], numbered) for index in range(len(bounds))]
    sentences = []
    for index, (_, end) in enumerate(bounds):
        if index in leads or not _says(plain[index]):
            continue
        parts = _chain(leads, index)
        places = (_spans(pieces, text, *bounds[part]) for part in reversed(parts))
        bare = len(parts) == 1 and _is_bare(text, end, plain[index])
        words = _joined([plain[part] for part in parts])
        sentences.append(_Sentence(words, tuple(dict.fromkeys(chain.from_iterable(places))), bare))
    return sentences


def _lead(
    text: str, bounds: list[tuple[int, int]], index: int, plain: str, numbered: Container[int]
) -> int | None:
    """What a list item, or a piece that is no sentence, hangs from: an index into `bounds`."""
    start, end = bounds[index]
    if _DECLINES.fullmatch(plain):
        return None
    marked = start in numbered or _LINE_MARK.match(text, start, end)
    is_sentence = ends_stopped(text, start, end) and plain[:1].isupper()
    return lead_in(text, bounds, index) if marked or not is_sentence else None


def _chain(leads: Sequence[int | None], index: int) -> list[int]:
    """A sentence and all it hangs from, the outermost first."""
    parts = [index]
    while (lead := leads[parts[0]]) is not None:
        parts.insert(0, lead)
    return parts


def _joined(parts: Sequence[str]) -> str:
    *leads, item = parts
    led = (f"{lead} " if lead[-1:] in _JOINTS else f"{lead}: " for lead in leads)
    return "".join([*led, item])


def _spans(pieces: Sequence[CitedText], text: str, start: int, end: int) -> tuple[CitedSpan, ...]:
    """The places of the pieces that a sentence has words of, each once."""
    return tuple(
        dict.fromkeys(
            span
            for piece, first, last in _placed(pieces)
            if piece.spans and _says(text[max(first, start) : min(last, end)])
            for span in piece.spans
        )
    )


def _placed(pieces: Sequence[CitedText]) -> Iterator[tuple[CitedText, int, int]]:
    at = 0
    for piece in pieces:
        yield piece, at, at + len(piece.text)
        at += len(piece.text)


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))


def _numbered(text: str, bounds: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Where the items of a numbered list begin: lines that count 1, 2, ...

    A number at the start of one line only is part of the sentence ("1. Januar 2025").
    """
    marked = {
        start: match[1]
        for start, end in bounds
        if _begins_line(text, start) and (match := _NUMBER_MARK.match(text, start, end))
    }
    counted = [str(number) for number in range(1, len(marked) + 1)]
    return (
        frozenset(marked) if len(marked) > 1 and list(marked.values()) == counted else frozenset()
    )


def _begins_line(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _plain(text: str, start: int, end: int, *, numbered: bool) -> str:
    """A sentence on one line, without list marks, heading marks and bold type."""
    if _begins_line(text, start):
        mark = (_NUMBER_MARK if numbered else _LINE_MARK).match(text, start, end)
        start = mark.end() if mark else start
    return " ".join(_BOLD.sub(r"\2", text[start:end]).split())


def _is_bare(text: str, end: int, plain: str) -> bool:
    line_ends = text[end:].lstrip(" \t")[:1] in ("\n", "\r")
    heading = line_ends and not ends_stopped(plain, 0, len(plain))
    opening = plain.endswith((":", "\uff1a")) or word_count(plain) <= _BARE_WORDS
    return heading or opening or not _says(cut_markers(plain))


def _declines(sentence: _Sentence) -> bool:
    if _DECLINES.fullmatch(sentence.text):
        return True
    return not sentence.spans and sentence.text.startswith(NOT_FOUND)


def _statement(index: int, sentence: _Sentence, names: Sequence[str]) -> Sourced | Finding:
    aliases = tuple(dict.fromkeys(span.alias for span in sentence.spans))
    unknown = tuple(alias for alias in aliases if alias not in names)
    if unknown:
        message = "It cites a document that was not given."
        return _finding("unknown_source", index, message, sentence.text, unknown)
    if not aliases:
        return _finding("no_source", index, "It cites nothing.", sentence.text)
    text, quote = visible(sentence.text), sentence.spans[0].quote.strip()
    if is_struck(text):
        return _finding("struck_text", index, "Words of it would be shown struck out.", text)
    return Sourced(index, text, aliases, quote, sentence.spans)


def _finding(
    reason: str, index: int, message: str, text: str, details: tuple[str, ...] = ()
) -> Finding:
    return Finding("sources", reason, index, message, statement=text, details=details)
