"""Reading a reply with native citations: pieces of text, each with the places it cites.

A provider cuts its reply where its citations change, often in mid-sentence. The pieces are put
together again and cut into sentences; each sentence is a statement with the places of all pieces
that it is made of, so that no fragment of one is ever shown alone. The places are only claims
so far: `gates.placed` looks them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import regex

from groundedgen import draft
from groundedgen.draft import Answered, NotFound, check_count, check_end, is_overlong
from groundedgen.errors import DraftFormatError
from groundedgen.gates.markers import cut_markers
from groundedgen.hanging import Hung, hung, says
from groundedgen.leads import split_leads
from groundedgen.leadwords import asks, is_bare
from groundedgen.patterns import lazy
from groundedgen.prompt import NOT_FOUND
from groundedgen.text.closers import with_closers
from groundedgen.text.sentences import ends_stopped, sentence_spans
from groundedgen.text.visible import is_struck, visible
from groundedgen.values import CitedSpan, CitedText, Finding, Reply, Sourced

__all__ = ["MOST_PIECES", "parse"]

MOST_PIECES: Final = 4_000
"""Pieces of a reply and the places that they cite, at most, both counted. A draft of the most
statements that can be asked for (50) has a few hundred."""

_DECLINES = lazy(r"\W*+not[\s_-]?found\W*+", regex.IGNORECASE)
_BLANKS = lazy(r"[ \t]*+")
_SHOWN = 200  # code points of an overlong statement that its finding shows


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
        DraftFormatError: There is no text, or more of it than is read.

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
    _check_pieces(reply.cited)
    sentences = _sentences(reply.cited)
    if not sentences:
        raise DraftFormatError("the reply holds no text")
    if _opens_declining(reply.cited):
        return NotFound(len(sentences))
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


def _check_pieces(pieces: Sequence[CitedText]) -> None:
    count = len(pieces) + sum(len(piece.spans) for piece in pieces)
    if count > MOST_PIECES:
        raise DraftFormatError(
            f"the reply has {count} pieces and cited places; {MOST_PIECES} are read at most. "
            f"Ask for less (Policy.max_statements)"
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
    bounds = split_leads(text, with_closers(text, sentence_spans(text)))
    check_count(len(bounds))
    return [
        _Sentence(one.text, one.places, one.opening or (one.alone and _is_bare(text, one)))
        for one in hung(text, bounds, _places(pieces, text, bounds), _DECLINES)
    ]


def _places(
    pieces: Sequence[CitedText], text: str, bounds: Sequence[tuple[int, int]]
) -> list[list[CitedSpan]]:
    """For each sentence the places of the pieces that it has words of.

    Both are in the order of the text, so they are walked side by side.
    """
    places: list[list[CitedSpan]] = [[] for _ in bounds]
    first, begin = 0, 0
    for piece in pieces:
        end = begin + len(piece.text)
        while first < len(bounds) and bounds[first][1] <= begin:
            first += 1
        if piece.spans:
            for index in range(first, len(bounds)):
                start, stop = bounds[index]
                if start >= end:
                    break
                if says(text[max(begin, start) : min(end, stop)]):
                    places[index] += piece.spans
        begin = end
    return places


def _is_bare(text: str, one: Hung[CitedSpan]) -> bool:
    plain = one.plain
    blanks = _BLANKS.match(text, one.end)
    after = blanks.end() if blanks else one.end
    line_ends = text[after : after + 1] in ("\n", "\r")
    heading = line_ends and not ends_stopped(plain, 0, len(plain))
    opening = plain.endswith((":", "\uff1a")) or asks(plain) or is_bare(plain)
    return heading or opening or not says(cut_markers(plain))


def _declines(sentence: _Sentence) -> bool:
    if _DECLINES.fullmatch(sentence.text):
        return True
    return not sentence.spans and sentence.text.startswith(NOT_FOUND)


def _opens_declining(pieces: Sequence[CitedText]) -> bool:
    """Whether the first words are that word, and a new sentence with a source follows.

    Cut into sentences it has no end of its own: it would be read as a part of what follows.
    """
    texts = [piece for piece in pieces[:3] if piece.text.strip()]
    if len(texts) < 2 or texts[0].spans or texts[0].text.strip() != NOT_FOUND:
        return False
    return texts[1].text.lstrip()[:1].isupper()


def _statement(index: int, sentence: _Sentence, names: Sequence[str]) -> Sourced | Finding:
    aliases = tuple(dict.fromkeys(span.alias for span in sentence.spans))
    unknown = tuple(alias for alias in aliases if alias not in names)
    if unknown:
        message = "It cites a document that was not given."
        return _finding("unknown_source", index, message, sentence.text, unknown)
    if not aliases:
        return _finding("no_source", index, "It cites nothing.", sentence.text)
    if is_overlong(sentence.text):
        return _finding(
            "too_long", index, "It is too long to be one statement.", sentence.text[:_SHOWN]
        )
    text, quote = visible(sentence.text), sentence.spans[0].quote.strip()
    if is_struck(text):
        return _finding("struck_text", index, "Words of it would be shown struck out.", text)
    return Sourced(index, text, aliases, quote, sentence.spans)


def _finding(
    reason: str, index: int, message: str, text: str, details: tuple[str, ...] = ()
) -> Finding:
    return Finding("sources", reason, index, message, statement=text, details=details)
