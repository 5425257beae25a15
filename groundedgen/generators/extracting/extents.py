"""How much of a passage is quoted so that a sentence means in the quote what it means there.

A list item needs its lead-in, a table row the head of its table, "This does not apply" the
sentence before it. What decides the meaning is kept apart from what only stands between, so that
the statement need not repeat the latter.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import regex

from groundedgen.patterns import lazy
from groundedgen.text.amounts import word_count
from groundedgen.text.lines import HEADING, is_rule
from groundedgen.text.qualifiers import limits_what_precedes, revokes_what_precedes
from groundedgen.text.questions import is_row, is_stopped
from groundedgen.text.search import folded
from groundedgen.text.sentences import Span, lead_in
from groundedgen.text.standing import governor, governs

__all__ = ["LONGEST", "Extent", "extent"]

LONGEST: Final = 900  # code points of a quote with the sentences it depends on

# A sentence that begins so says nothing without the one before it.
_LEANS: Final = lazy(
    r"(?:this|that|these|those|it|they|he|she|such|in (?:this|that|such|these) cases?"
    r"|otherwise|however|but|also|instead)\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Extent:
    """Sentences of one text, by their places among its sentences, all bounds included.

    Attributes:
        first: The first that is quoted.
        last: The last that is quoted.
        begin: The first that answers; what is quoted before it says what it means, or is only
            there because a short quote proves nothing.
        end: The last that answers.
        heads: Those before `begin` that decide what it means, outermost first.
    """

    first: int
    last: int
    begin: int
    end: int
    heads: tuple[int, ...] = ()


def extent(text: str, spans: list[Span], start: int, min_words: int) -> Extent | None:
    r"""The sentence at `start` with what it depends on; `None` if that is too much to quote.

    Neighbours are added until the quote gate's own count, `min_words`, is reached.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "We do not pay for:\n- floods;\n- theft from a car.\n\nCall us."
    >>> extent(text, sentence_spans(text), text.index("- theft"), 5)
    Extent(first=0, last=2, begin=2, end=2, heads=(0,))
    """
    at = bisect_right(spans, start, key=lambda span: span[0]) - 1
    found = _of_table(text, spans, at) or _of_list(text, spans, at)
    found = _longer(text, spans, _leaning(text, spans, found), min_words)
    length = spans[found.last][1] - spans[found.first][0]
    return found if length <= max(LONGEST, spans[at][1] - spans[at][0]) else None


def _leaning(text: str, spans: list[Span], found: Extent) -> Extent:
    """With the sentence that its first one leans on, and those that limit its last one."""
    first, begin, end, heads = found.first, found.begin, found.end, found.heads
    if _leans(text, spans, first):
        first, begin, heads = first - 1, first - 1, ()
    while begin - 1 > max(heads, default=first) and _leans(text, spans, begin):
        begin -= 1
    while end + 1 < len(spans) and _narrows(text, spans, end + 1):
        end += 1
    return Extent(first, end, begin, end, heads)


def _narrows(text: str, spans: list[Span], place: int) -> bool:
    """Whether a sentence limits the one before it and leaves something of it."""
    limits = limits_what_precedes(text, spans, place)
    return limits and not revokes_what_precedes(text, spans, place)


def _leans(text: str, spans: list[Span], place: int) -> bool:
    """Whether a sentence says nothing without the one before it in its paragraph."""
    if place == 0 or not _LEANS.match(text, spans[place][0]):
        return False
    return "\n" not in text[spans[place - 1][1] : spans[place][0]]


def _longer(text: str, spans: list[Span], found: Extent, min_words: int) -> Extent:
    first, last = found.first, found.last
    for _ in range(min_words):
        quote = folded(text[spans[first][0] : spans[last][1]]).text
        if word_count(quote) >= min_words or last - first == len(spans) - 1:
            break
        first, last = (first, last + 1) if last + 1 < len(spans) else (first - 1, last)
    return Extent(first, last, found.begin, found.end, found.heads)


def _of_table(text: str, spans: list[Span], at: int) -> Extent | None:
    """A table row with the rows over it and the sentence they complete; a table from its head on.

    `None` where neither is at hand, or all of it is too much to quote.
    """

    def row(place: int) -> bool:
        return 0 <= place < len(spans) and is_row(text[slice(*spans[place])])

    def leads(place: int) -> bool:
        """A Markdown heading over a table says where it stands, as the source's title does."""
        if place < 0 or row(place) or is_stopped(text[slice(*spans[place])]):
            return False
        return not HEADING.match(text, *spans[place]) or governs(text, *spans[place])

    first = last = at
    if not row(at) and not (leads(at) and row(at + 1)):
        return None
    while row(first) and row(first - 1) and _fits(spans, first - 1, at):
        first -= 1
    if row(first) and leads(first - 1):
        first -= 1
    if row(at + 1) and is_rule(text[slice(*spans[at + 1])]):
        # The last line of a passage may be cut off; with it, no check would pass the table unread.
        while row(last + 1) and last + 2 < len(spans) and _fits(spans, first, last + 1):
            last += 1
    while not row(at) and row(last + 1):
        last += 1
    return Extent(first, last, first, last) if _fits(spans, first, last) else None


def _fits(spans: list[Span], first: int, last: int) -> bool:
    return spans[last][1] - spans[first][0] <= LONGEST


def _of_list(text: str, spans: list[Span], at: int) -> Extent:
    """A list item with all from its lead-in on; a lead-in with its items, if they are few."""
    heads: list[int] = []
    while (lead := governor(text, spans, heads[0] if heads else at)) is not None:
        heads.insert(0, lead)
    if heads:
        return Extent(heads[0], at, at, at, tuple(heads))
    last = at
    while last + 1 < len(spans) and lead_in(text, spans, last + 1) == at:
        if not _fits(spans, at, last + 1):
            return Extent(at, at, at, at)
        last += 1
    return Extent(at, last, at, last)
