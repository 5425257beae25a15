"""Passages as documents that Anthropic's models cite natively, and the way back from citations.

A document may be plain text, which the provider cuts into sentences and cites by character
(`char_location`: from 0, end exclusive; whether a character is a code point is nowhere said), or
a list of blocks of our own, cited by their numbers (`content_block_location`, end exclusive).
Blocks are sent: they are slices of the passage at the ends of our own sentences, so a block's
number gives exact offsets whatever is counted elsewhere, and each holds enough words to prove
something. Pure: values in, values out; no part of the SDK.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from groundedgen.gates.placed import cuts
from groundedgen.generators.replies.completions import sendable
from groundedgen.ports import Request
from groundedgen.prompt import titles
from groundedgen.text.amounts import word_count
from groundedgen.text.closers import with_closers
from groundedgen.text.search import core, folded
from groundedgen.text.sentences import sentence_spans
from groundedgen.values import CitedSpan, CitedText

__all__ = ["cited_text", "documents", "units"]

Span = tuple[int, int]


@lru_cache(maxsize=256)
def units(text: str, min_words: int = 5, lang: str | None = None) -> tuple[Span, ...]:
    """The pieces in which a passage can be cited: whole sentences, together the whole text.

    A sentence of fewer than `min_words` words is one with those after it, the last with those
    before it: alone it could be cited, and would prove nothing.

    Returns:
        Half-open `(start, end)` in code points, each beginning where the one before it ends;
        at least one.

    >>> text = "Floods are not covered here. Fire is. Report it within 14 days. Thanks."
    >>> [text[a:b] for a, b in units(text)]
    ['Floods are not covered here. ', 'Fire is. Report it within 14 days. Thanks.']
    """
    spans = with_closers(text, sentence_spans(text, lang))
    # Half of a name such as "KIPDF.COM" could be cited, and would be refused.
    starts = [0, *(start for start, _ in spans[1:] if not cuts(text, start))]
    pieces: list[Span] = []
    begin, words = 0, 0
    for start, end in pairwise((*starts, len(text))):
        # "5 euros.Fire is" has one word less than its two sentences: no blank parts them.
        glued = words > 0 and not text[start - 1].isspace() and not text[start].isspace()
        words += word_count(core(folded(text[start:end]).text), enough=min_words) - glued
        if words >= min_words:
            pieces.append((begin, end))
            begin, words = end, 0
    if begin < len(text):
        first = pieces.pop()[0] if pieces else 0
        pieces.append((first, len(text)))
    return tuple(pieces)


def documents(request: Request, cache: Mapping[str, str] | None) -> list[dict[str, Any]]:
    """The passages of a request as document blocks, in the order of their aliases.

    Args:
        request: Its `docs` become documents titled by alias; a title of their own goes into
            `context`, which a model reads and cannot cite.
        cache: The `cache_control` of the last one, which covers all before it, or `None`.
    """
    own = titles(request.prompt)
    blocks = [_document(request, alias, own.get(alias)) for alias in request.docs]
    if blocks and cache:
        blocks[-1]["cache_control"] = dict(cache)
    return blocks


def _document(request: Request, alias: str, title: str | None) -> dict[str, Any]:
    text = request.docs[alias]
    block: dict[str, Any] = {
        "type": "document",
        "title": alias,
        "citations": {"enabled": True},  # on all or none of them
        "source": {
            "type": "content",
            "content": [
                {"type": "text", "text": sendable(text[start:end])}
                for start, end in _units(request, alias)
            ],
        },
    }
    return block | ({"context": f"Title: {sendable(title)}"} if title else {})


def _units(request: Request, alias: str) -> tuple[Span, ...]:
    return units(request.docs[alias], request.min_quote_words, request.langs.get(alias))


def cited_text(text: str, citations: Iterable[Any], request: Request) -> CitedText:
    """A block of a reply, its citations as places in the passages.

    A citation that is of another kind, points nowhere, or names another document than it points
    into, keeps its place in the list as one that no check accepts: it was made, and does not hold.

    Args:
        text: The block's text.
        citations: Objects with the fields of `content_block_location`.
        request: The request that the reply answers.
    """
    return CitedText(text, tuple(_span(citation, request) for citation in citations))


def _span(citation: Any, request: Request) -> CitedSpan:
    aliases = tuple(request.docs)
    index = getattr(citation, "document_index", None)
    quote = getattr(citation, "cited_text", None)
    quote = quote if isinstance(quote, str) else ""
    if type(index) is not int or not 0 <= index < len(aliases):
        return CitedSpan(f"document {index}"[:40], -1, -1, quote)
    alias, title = aliases[index], getattr(citation, "document_title", None)
    place = _bounds(citation, _units(request, alias))
    if isinstance(title, str) and title != alias and title in request.docs:
        place = None
    if place is None:
        return CitedSpan(alias, -1, -1, quote)
    own = request.docs[alias][slice(*place)]
    # Where something had to be replaced to be sent, what comes back is still the same words.
    return CitedSpan(alias, *place, own if quote == sendable(own) else quote)


def _bounds(citation: Any, pieces: Sequence[Span]) -> Span | None:
    first = getattr(citation, "start_block_index", None)
    end = getattr(citation, "end_block_index", None)
    if type(first) is not int or type(end) is not int or not 0 <= first < end <= len(pieces):
        return None
    return pieces[first][0], pieces[end - 1][1]
