"""The quote of a sentence that something else wrote: what it quotes, or what it is closest to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from groundedgen.gates.quotes import quote_gate
from groundedgen.patterns import lazy
from groundedgen.text.ranking import best_spans
from groundedgen.text.sentences import sentence_spans

__all__ = ["quote_of"]

_QUOTED = lazy(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|「([^「」]+)」|『([^『』]+)』"
    r"|(?<![\w])\"([^\"]+)\"(?![\w])"
)


def quote_of(text: str, docs: Mapping[str, str], min_words: int) -> str:
    """What a sentence is to be held against: its own quotation, else the closest real sentence.

    A quotation that stands in none of the passages comes first, so that it is found out.

    Args:
        text: The sentence.
        docs: Alias -> text of the passages that it names.
        min_words: A quotation of fewer words is part of the sentence, not evidence.

    Returns:
        The quote, or "" where nothing in the passages is close.

    >>> quote_of("Ice is too.", {"S1": "Fire is covered in full. Ice is covered too."}, 3)
    'Ice is covered too.'
    >>> quote_of('It says "all floods are covered".', {"S1": "Floods are not covered."}, 4)
    'all floods are covered'
    """
    quotes = [quote for quote in _quotations(text) if len(quote.split()) >= min_words]
    invented = [quote for quote in quotes if not _stands(quote, docs, min_words)]
    return (invented or quotes or [_closest(text, docs, min_words)])[0]


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
    return _enough(aliases[ranked[0].index], docs, ranked[0].start, min_words)


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
