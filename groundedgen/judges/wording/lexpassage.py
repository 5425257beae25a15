"""A passage as the lexical judge holds it: cut into sentences once, read as far as asked.

Most sentences of a passage matter to no claim. All are cut into words, which is cheap; only
those that share most with a claim are analysed, and what is read once is kept.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final, NamedTuple

from groundedgen.judges.wording.directions import Way, directions
from groundedgen.judges.wording.english import is_english
from groundedgen.judges.wording.halves import Halves, halves
from groundedgen.judges.wording.labels import Rows, rows
from groundedgen.judges.wording.lexwords import (
    TURNING,
    beginnings,
    content_of,
    own_beginnings,
    tokens,
    worth,
)
from groundedgen.judges.wording.listed import in_a_row
from groundedgen.text.english.analysis import Analysis, analyse
from groundedgen.text.limiting.conditionlists import with_whole_lists
from groundedgen.text.lines import MARKER
from groundedgen.text.qualifiers import is_taken_back, limits_what_precedes
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.standing import can_assert, governor, governs, is_disowned

__all__ = ["LONGEST", "Near", "Passage"]

LONGEST: Final = 3_000  # code points of a sentence, of passage or claim


class Near(NamedTuple):
    """The folded words of a sentence, those of `TURNING` in it, and its directions by place."""

    words: tuple[str, ...]
    turning: frozenset[str]
    ways: tuple[tuple[int, Way], ...]


class Passage:
    """A passage and what has been read of it. Sentences are numbered in order.

    A "sentence" of more than `LONGEST` code points is a table or a text without stops. It is
    passed over: nothing can be said of who does what in it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = with_whole_lists(text, sentence_spans(text, "en"))
        self.tokens = [tokens(text[a:b]) if b - a <= LONGEST else [] for a, b in self.spans]
        numbers: dict[str, list[int]] = {}
        for number, sentence in enumerate(self.tokens):
            for word in content_of(sentence):
                numbers.setdefault(word, []).append(number)
        self._holders: dict[str, list[tuple[str, list[int]]]] = {}
        for word, held in numbers.items():
            for start in own_beginnings(word):
                self._holders.setdefault(start, []).append((word, held))
        self._found: dict[str, dict[int, float]] = {}
        self._analyses: dict[int, Analysis | None] = {}
        self._near: dict[int, Near] = {}
        self._english: dict[int, bool] = {}

    def holding(self, word: str) -> dict[int, float]:
        """The sentences that hold a kin of a claim's word, and how much of it, 0 to 1."""
        found = self._found.get(word)
        if found is None:
            found = self._found[word] = {}
            for start in beginnings(word):
                for other, numbers in self._holders.get(start, ()):
                    part = worth(word, other)
                    for number in numbers if part else ():
                        found[number] = max(part, found.get(number, 0.0))
        return found

    def near(self, number: int) -> Near:
        """A sentence as it is compared with claims that share its words."""
        found = self._near.get(number)
        if found is None:
            words = self.tokens[number]
            found = Near(tuple(words), TURNING.intersection(words), tuple(directions(words)))
            self._near[number] = found
        return found

    def has_any(self, words: frozenset[str]) -> bool:
        """Whether one of some folded words stands in the passage."""
        return any(not words.isdisjoint(sentence) for sentence in self.tokens)

    def may_hold(self, claim: str) -> bool:
        """Whether a claim can stand in the passage word for word; `False` is certain.

        Compares letters and digits alone, where both texts are plain; else in doubt it may.
        """
        ours = _letters(claim)
        return not (ours and self._letters) or ours in self._letters

    def has_words(self, claim: str) -> bool:
        """Whether the claim stands in the passage as it is, but for case, blanks and its stop."""
        ours = " ".join(claim.casefold().split()).rstrip(". ")
        return ours in " ".join(self.text.casefold().split())

    def is_english(self, number: int) -> bool:
        """Whether a sentence is known to be English."""
        if number not in self._english:
            self._english[number] = is_english(self.text[slice(*self.spans[number])])
        return self._english[number]

    @cached_property
    def rows(self) -> Rows:
        """Its lines with labels."""
        return rows(self.text)

    @cached_property
    def halves(self) -> tuple[Halves, ...]:
        """Its sentences that tell two cases."""
        return halves(self.text, self.spans)

    @cached_property
    def _letters(self) -> str:
        return _letters(self.text)

    def analysis(self, number: int) -> Analysis | None:
        """A sentence with what decides its meaning; `None` where it asserts nothing.

        It is read behind what governs it ("floods" under "We do not pay for:"), and together
        with a sentence that takes a part of it back ("This does not apply if ...").
        """
        if number not in self._analyses:
            whole, head, above, below = self._in_context(number)
            fits = 0 < len(whole) <= LONGEST
            self._analyses[number] = self._read(number, whole, head, above, below) if fits else None
        return self._analyses[number]

    def _read(self, number: int, whole: str, head: int, above: int, below: int) -> Analysis:
        """The analysis of a sentence's text in its context, with the items of its list."""
        read = replace(analyse(whole), head=head, above=above, below=below)
        listed = in_a_row(self.text[slice(*self.spans[number])])
        if listed is None:
            return read
        first = whole.index(listed.text.rstrip("."))
        items = tuple((first + start, first + end) for start, end in listed.items)
        # Many a list ends in a semicolon; what is cut off there has nothing behind it.
        more = number + 1 < len(self.spans) and self.text[self.spans[number][1] - 1] in ";,"
        return replace(read, items=items, is_cut=listed.is_cut and not more)

    def _in_context(self, number: int) -> tuple[str, int, int, int]:
        """The sentence's text, how long what governs it is, what stands above it, and what leads.

        "" asserts nothing.
        """
        text, spans = self.text, self.spans
        start, end = spans[number]
        if end - start > LONGEST or not can_assert(text, start, end):
            return "", 0, 0, 0
        listed = in_a_row(text[start:end])
        sentence, before, over, behind = listed.text if listed else text[start:end], 0, 0, 0
        above = governor(text, spans, number)
        if above is None and is_disowned(text, spans, number, number):
            return "", 0, 0, 0
        if is_taken_back(text, spans, number):
            return "", 0, 0, 0
        if above is not None:
            head = text[slice(*spans[above])].rstrip(" :.")
            marker = MARKER.match(sentence)
            sentence = f"{head} {sentence[marker.end() if marker else 0 :].strip()}"
            over = len(head)
            before = over if governs(text, *spans[above]) else 0
        if number + 1 < len(spans) and limits_what_precedes(text, spans, number + 1):
            sentence = f"{sentence.rstrip('. ')}, "
            behind = len(sentence)
            sentence += text[slice(*spans[number + 1])]
        return sentence, before, over, behind


def _letters(text: str) -> str:
    """The letters and digits of a text, folded; "" where it holds more than ASCII and quotes."""
    plain = text.translate(_PLAIN)
    return plain.translate(_CUT).casefold() if plain.isascii() else ""


_PLAIN: Final = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u00a0", "''\"\"--. ")
_CUT: Final = {code: None for code in range(128) if not chr(code).isalnum()}
