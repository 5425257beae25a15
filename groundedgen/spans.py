"""The quotable pieces of a passage: what a constrained decoder may write as a quote.

Whole sentences, because a quote that may begin anywhere can begin behind a "not". A sentence
that says something else alone than where it stands comes with what governs it, one that is too
short for the quote gate with its neighbour, one that is overlong in pieces. Every piece is an
exact slice of the passage, and the quote gate itself has the last word on each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from groundedgen.gates.quotes import quote_gate
from groundedgen.patterns import lazy
from groundedgen.text.amounts import word_count
from groundedgen.text.matching.boundaries import stands_alone
from groundedgen.text.negations import negates
from groundedgen.text.search import core, folded
from groundedgen.text.sentences import (
    Span,
    clause_spans,
    limits_what_precedes,
    sentence_spans,
)
from groundedgen.text.standing import can_assert, governor, is_turning

__all__ = ["LONGEST", "labelled_spans", "piece_count", "quotable_spans"]

LONGEST: Final = 900
"""Code points of a quote, at most: as long as an extractive statement may be."""
_LONG: Final = 300  # a sentence longer than this is cut
_WINDOW: Final = 600  # a piece cut from what has neither stops nor semicolons
_NEAR: Final = 50  # code points before such a cut in which no negation may stand
_BESIDE: Final = 10  # code points before a sentence in which a tick or a cross may stand

_LEADS_IN: Final = frozenset(":\uff1a")
_ENDS_PART: Final = _LEADS_IN | frozenset(";\uff1b")
_COMMA: Final = lazy(r"[,\u060c\u3001\uff0c]\s*")
_BLANK: Final = lazy(r"\s+")
_SURROGATE: Final = lazy(r"[\ud800-\udfff]")


def quotable_spans(text: str, lang: str | None = None, *, min_words: int = 5) -> tuple[Span, ...]:
    r"""The pieces of a passage that may be quoted, in order of their start.

    Each is a sentence, or sentences side by side where one alone would mean something else or be
    too short, or a clause of an overlong sentence (cut at `;`, `:` and line breaks; where there
    are none, at a comma or a blank). None begins behind a negation in its own sentence. Pieces
    may overlap; each has at most 900 code points and passes `gates.quote_gate` for this passage.
    A piece with half of a surrogate pair is left out: it has no UTF-8.

    Args:
        text: A passage's own text, unaltered.
        lang: BCP 47 tag, where known; see `text.sentences.sentence_spans`.
        min_words: The fewest words of a quote, as the gate counts them; a shorter passage is
            one piece.

    Returns:
        Half-open `(start, end)` in code points into `text`, all different.

    >>> text = "Not covered:\n- floods of any kind;\n- theft.\n\nFire is covered in full here."
    >>> [text[a:b] for a, b in quotable_spans(text)]  # doctest: +NORMALIZE_WHITESPACE
    ['Not covered:\n- floods of any kind;', 'Not covered:\n- floods of any kind;\n- theft.',
     'Fire is covered in full here.']
    >>> quotable_spans("Floods: no."), quotable_spans("")
    (((0, 11),), ())
    """
    return tuple(sorted({quote for _, quote in labelled_spans(text, lang, min_words=min_words)}))


@lru_cache(maxsize=4_096)
def labelled_spans(
    text: str, lang: str | None = None, *, min_words: int = 5
) -> tuple[tuple[Span, Span], ...]:
    r"""Each sentence, or piece of an overlong one, that can be quoted, with its quotable span.

    The first spans are in order and do not overlap; what cannot be quoted has none. Arguments
    as for `quotable_spans`.

    >>> labelled_spans("Floods: no. Fire is covered in full here.")
    (((0, 11), (0, 41)), ((12, 41), (12, 41)))
    """
    passage = _Passage(text, lang, min_words)
    found = ((unit, passage.quotable(place)) for place, unit in enumerate(passage.units))
    return tuple(((unit.start, unit.end), quote) for unit, quote in found if quote is not None)


def piece_count(text: str, lang: str | None = None) -> int:
    """How many sentences a passage has, each piece of an overlong one counted.

    There are at most as many `labelled_spans`, and finding those takes by far the longer: this
    is for whoever wants to know beforehand.

    >>> piece_count("Floods: no. Fire is covered in full here."), piece_count(" ")
    (2, 0)
    """
    return len(_layout(text, lang).units)


@dataclass(frozen=True, slots=True)
class _Unit:
    """The smallest thing that is quoted: a sentence, or a piece of an overlong one.

    Attributes:
        sentence: Its sentence's place.
        opening: The place of the first unit of its sentence.
        negated: A word stands before it in its sentence that could turn it round.
    """

    start: int
    end: int
    sentence: int
    opening: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class _Layout:
    """A passage's sentences, their units, and the place of each one's first unit."""

    sentences: list[Span]
    units: tuple[_Unit, ...]
    openings: tuple[int, ...]


@lru_cache(maxsize=256)
def _layout(text: str, lang: str | None) -> _Layout:
    sentences = sentence_spans(text, lang)
    units: list[_Unit] = []
    openings: list[int] = []
    for number, (start, end) in enumerate(sentences):
        openings.append(len(units))
        for a, b, negated in _pieces(text, start, end):
            units.append(_Unit(a, b, number, openings[-1], negated))
    return _Layout(sentences, tuple(units), tuple(openings))


class _Passage:
    """One passage, its sentences and its units."""

    def __init__(self, text: str, lang: str | None, min_words: int) -> None:
        layout = _layout(text, lang)
        self.text = text
        self.min_words = min_words
        self.sentences, self.units, self.openings = layout.sentences, layout.units, layout.openings
        self.folded = folded(text)
        self._above: dict[int, int | None] = {}
        self._on: dict[int, bool] = {}
        # What is crossed out may begin and end anywhere; all else is seen from near by.
        self._struck = "~~" in text or "<" in text

    def quotable(self, place: int) -> Span | None:
        """The unit at `place` with all it needs, or `None` where that is too much to quote.

        Grown step by step: what governs it and what limits it first, then neighbours, until the
        gate takes it.
        """
        first = last = place
        while (wider := self._dependent(first, last)) != (first, last):
            first, last = wider
            if self._length(first, last) > LONGEST:
                return None
        for _ in range(2 * self.min_words + 2):
            if self._length(first, last) > LONGEST:
                return None
            span = self.units[first].start, self.units[last].end
            if self._passes(span):
                return span
            first, last = self._wider(first, last)
            if (self.units[first].start, self.units[last].end) == span:
                return None
        return None

    def _length(self, first: int, last: int) -> int:
        return self.units[last].end - self.units[first].start

    def _dependent(self, first: int, last: int) -> tuple[int, int]:
        """The units with what the first one hangs from, or what takes the last one back."""
        unit = self.units[first]
        if unit.negated:
            return unit.opening, last
        above = self._governor(unit.sentence)
        if above is not None and self._matters(above, last):
            return self.openings[above], last
        if last not in self._on:
            self._on[last] = self._goes_on(last)
        return (first, last + 1) if self._on[last] else (first, last)

    def _governor(self, sentence: int) -> int | None:
        if sentence not in self._above:
            self._above[sentence] = governor(self.text, self.sentences, sentence)
        return self._above[sentence]

    def _goes_on(self, last: int) -> bool:
        """Whether a unit says too little, or too much, without the next one.

        A question, what leads in to a list, what the next sentence takes back.
        """
        if last + 1 == len(self.units):
            return False
        unit, following = self.units[last], self.units[last + 1]
        if unit.sentence == following.sentence:
            return self.text[unit.end - 1] in _LEADS_IN
        if limits_what_precedes(self.text, self.sentences, following.sentence):
            return True
        return not self._can_assert(last)

    def _can_assert(self, place: int) -> bool:
        """`can_assert`, without a walk through all of the passage for each of its sentences."""
        unit = self.units[place]
        if self._struck:
            return can_assert(self.text, unit.start, unit.end)
        first = max(0, unit.start - _BESIDE)
        near = self.text[first : self.units[min(place + 2, len(self.units) - 1)].end]
        return can_assert(near, unit.start - first, unit.end - first)

    def _matters(self, above: int, last: int) -> bool:
        """Whether a governing sentence must come along: always, unless it only leads in from afar.

        "We cover the following:" over a long list says nothing that its items deny.
        """
        words = self.text[slice(*self.sentences[above])]
        near = self.units[last].end - self.sentences[above][0] <= LONGEST
        return near or _turns(words)

    def _wider(self, first: int, last: int) -> tuple[int, int]:
        """The units with one neighbour more: the next one in the paragraph, else the one before."""
        if last + 1 < len(self.units) and not self._gap(last):
            return self._grown(first, last + 1)
        if first > 0 and not self._gap(first - 1):
            return self._grown(first - 1, last)
        if last + 1 < len(self.units):
            return self._grown(first, last + 1)
        return self._grown(max(first - 1, 0), last)

    def _grown(self, first: int, last: int) -> tuple[int, int]:
        while (wider := self._dependent(first, last)) != (first, last):
            first, last = wider
            if self._length(first, last) > LONGEST:
                break
        return first, last

    def _gap(self, place: int) -> bool:
        """Whether a paragraph ends between a unit and the next."""
        between = self.text[self.units[place].end : self.units[place + 1].start]
        return between.count("\n") > 1

    def _passes(self, span: Span) -> bool:
        quote = self.text[slice(*span)]
        if _SURROGATE.search(quote):
            return False
        form = folded(quote).text
        enough = word_count(core(form), enough=self.min_words) >= self.min_words
        whole = span == (self.sentences[0][0], self.sentences[-1][1])
        if not whole and not enough:
            return False
        if enough and self._is_found(form):
            return True
        gate = quote_gate(quote, "", {"": self.text}, min_words=self.min_words)
        return gate.verdict == "found"

    def _is_found(self, form: str) -> bool:
        """Whether the gate finds a folded quote at once: at the first place where it stands.

        That is the first thing the gate tries; nearly every slice of the passage passes there,
        and the forms that the gate makes for all its other tries are most of what it costs.
        """
        at = self.folded.text.find(form)
        if at < 0 or not any(map(str.isalnum, form)):
            return False
        return stands_alone(self.folded, at, at + len(form))


# --- pieces of one sentence -----------------------------------------------------------------


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """An overlong sentence in pieces, each with whether a negation stands before it."""
    if end - start <= _LONG:
        yield start, end, False
        return
    negated, before = False, ""
    for first, last in _packed(text, clause_spans(text, start, end, _LONG)):
        negated = negated or _turns(before)
        for a, b in _windows(text, first, last):
            yield a, b, negated
        before = text[first:last]


def _packed(text: str, pieces: list[Span]) -> Iterator[Span]:
    """Lines put together again as long as they are short: a wrapped line is no clause."""
    start, end = pieces[0]
    for a, b in pieces[1:]:
        if text[end - 1] in _ENDS_PART or b - start > _LONG:
            yield start, end
            start = a
        end = b
    yield start, end


def _turns(words: str) -> bool:
    return is_turning(words) or negates(words)


def _windows(text: str, start: int, end: int) -> Iterator[Span]:
    """A piece without any structure, cut at a comma or a blank that follows no negation.

    Speech without full stops, and scripts that have none. What cannot be cut so is left out.
    """
    while end - start > LONGEST:
        cut = _cut(text, start)
        if cut is None:
            return
        yield start, start + len(text[start:cut].rstrip())
        start = cut
    yield start, end


def _cut(text: str, start: int) -> int | None:
    low, high = start + _WINDOW // 3, start + _WINDOW
    for pattern in (_COMMA, _BLANK):
        for match in reversed(list(pattern.finditer(text, low, high))):
            near = text[max(start, match.end() - _NEAR) : match.end()]
            if not _turns(near):
                return match.end()
    return None
