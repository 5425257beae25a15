"""How much of a passage is quoted so that a sentence means in the quote what it means there.

A list item needs its lead-in, a table row the head of its table, "This does not apply" the
sentence before it; a question of the passage's own gives way to what answers it. What decides the
meaning is kept apart from what only stands between, so that the statement need not repeat the
latter.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import regex

from groundedgen.generators.extracting.leaning import leans
from groundedgen.patterns import lazy
from groundedgen.text.amounts import word_count
from groundedgen.text.faqs import (
    affirms,
    answer_to,
    is_asked,
    is_same_question,
    leans_on_question,
)
from groundedgen.text.lines import HEADING, is_rule
from groundedgen.text.qualifiers import limits_what_precedes, revokes_what_precedes
from groundedgen.text.questions import is_row, is_stopped
from groundedgen.text.search import folded
from groundedgen.text.sentences import Span, lead_in
from groundedgen.text.standing import governor, governs

__all__ = ["LINK", "LONGEST", "Extent", "extent"]

LONGEST: Final = 900  # code points of a quote with the sentences it depends on
# Links are cut from answers (the model never writes one), so such a sentence cannot stand.
LINK: Final = lazy(r"(?:https?://|www\.|\]\()", regex.IGNORECASE)
_BEFORE: Final = 3  # sentences that lean on one another, at most


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


def extent(
    text: str, spans: list[Span], start: int, min_words: int, question: str = ""
) -> Extent | None:
    r"""The sentence at `start` with what it depends on; `None` if that is too much to quote.

    Neighbours are added until the quote gate's own count, `min_words`, is reached. A question gives
    way to its answer, which comes with it where it is a mere "no" to another one than `question`.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "We do not pay for:\n- floods;\n- theft from a car.\n\nCall us."
    >>> extent(text, sentence_spans(text), text.index("- theft"), 5)
    Extent(first=0, last=2, begin=2, end=2, heads=(0,))
    """
    at = bisect_right(spans, start, key=lambda span: span[0]) - 1
    if is_asked(text[slice(*spans[at])]):
        answer = _of_question(text, spans, at, question)
        if answer is None:
            return None
        found = answer
    else:
        found = _leaning(text, spans, _of_table(text, spans, at) or _of_list(text, spans, at))
    found = _longer(text, spans, _limited(text, spans, found), min_words)
    length = spans[found.last][1] - spans[found.first][0]
    return found if length <= max(LONGEST, spans[at][1] - spans[at][0]) else None


def _of_question(text: str, spans: list[Span], at: int, question: str) -> Extent | None:
    """What answers a question, behind what decides its meaning; `None` where nothing does."""
    answer = answer_to(text, spans, at)
    if answer is None:
        return None
    first, last = answer
    own = text[slice(*spans[at])]
    while first <= last and _is_linked(text, spans, first):
        first += 1
    if first > last or (first > answer[0] and leans(text, spans, first)):
        return None
    last = next((n - 1 for n in range(first, last + 1) if _is_linked(text, spans, n)), last)
    said = text[slice(*spans[first])]
    if not is_same_question(own, question) and leans_on_question(said):
        if not affirms(said) or first == last:
            return Extent(at, last, at, last)
        first += 1
    heads = tuple(head for head in _heads(text, spans, first) if head != at)
    return Extent(heads[0] if heads else first, last, first, last, heads)


def _is_linked(text: str, spans: list[Span], place: int) -> bool:
    return LINK.search(text, *spans[place]) is not None


def _leaning(text: str, spans: list[Span], found: Extent) -> Extent:
    """With the sentences that its first one leans on."""
    first, begin, heads = found.first, found.begin, found.heads
    for _ in range(_BEFORE):
        if not leans(text, spans, first):
            break
        first, begin, heads = first - 1, first - 1, ()
    while begin - 1 > max(heads, default=first) and leans(text, spans, begin):
        begin -= 1
    return Extent(first, found.last, begin, found.end, heads)


def _limited(text: str, spans: list[Span], found: Extent) -> Extent:
    """With the sentences that limit its last one."""
    end = found.end
    while end + 1 < len(spans) and _narrows(text, spans, end + 1):
        end += 1
    return Extent(found.first, max(end, found.last), found.begin, end, found.heads)


def _narrows(text: str, spans: list[Span], place: int) -> bool:
    """Whether a sentence limits the one before it and leaves something of it."""
    limits = limits_what_precedes(text, spans, place) and not is_asked(text[slice(*spans[place])])
    return limits and not revokes_what_precedes(text, spans, place)


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
    if heads := _heads(text, spans, at):
        return Extent(heads[0], at, at, at, heads)
    last = at
    while last + 1 < len(spans) and lead_in(text, spans, last + 1) == at:
        if not _fits(spans, at, last + 1):
            return Extent(at, at, at, at)
        last += 1
    return Extent(at, last, at, last)


def _heads(text: str, spans: list[Span], at: int) -> tuple[int, ...]:
    """What decides the meaning of a sentence, outermost first."""
    heads: list[int] = []
    while (lead := governor(text, spans, heads[0] if heads else at)) is not None:
        heads.insert(0, lead)
    return tuple(heads)
