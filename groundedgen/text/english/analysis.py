"""One English sentence as the lexical judge sees it: words, sense marks, segments, handles."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from groundedgen.text.english.kinship import handles, key
from groundedgen.text.english.phrases import Voice, phrase_start, voice
from groundedgen.text.english.senses import Mark, is_grammar, marks
from groundedgen.text.tokens import Word, words
from groundedgen.text.vocabulary import FUNCTION_WORDS

__all__ = ["Analysis", "analyse"]

_FUNCTION_WORDS: Final = FUNCTION_WORDS["en"]
_STOPS: Final = frozenset(',;:()[]\u2014\u2013\u201c\u201d"')
_JOINTS: Final = frozenset(
    ["although", "but", "despite", "however", "instead", "though", "whereas", "yet"]
)
# After "and" these begin a second predicate: "ends in June and is not renewed".
_PREDICATES = "is are was were has have had does do did may must shall will can should could would"
_VERBAL: Final = frozenset([*_PREDICATES.split(), "not", "never"])
_OPENING: Final = 4  # words
# "More frequent births" are more births.
_DEGREES: Final = frozenset(["common", "frequent", "numerous", "often", "widespread"])
_MORE: Final = frozenset(["less", "more", "most"])


@dataclass(frozen=True)
class Analysis:
    """A sentence, read once. Places are indices into `words`.

    Attributes:
        text: The sentence.
        words: Its words in order.
        marks: Its sense-bearing phrases, in order.
        content: Places of the words that carry content, ascending: no function word, no
            part of a grammatical mark.
        segment: For each word, the number of its segment; segments end at commas, stops,
            brackets, dashes and at words like "but".
        head: Code points at the beginning of `text` that stand above the sentence and
            govern it (a lead-in, a heading); 0 for none.
        above: The same for a plain heading as well, which governs nothing; 0 for none.
        below: Code point at which a sentence begins that stands behind and limits it; 0 for none.
        items: The items of a list of conditions that must all hold; half-open, in code points.
        is_cut: Such a list goes on behind the end of the text.
    """

    text: str
    words: tuple[Word, ...]
    marks: tuple[Mark, ...]
    content: tuple[int, ...]
    segment: tuple[int, ...]
    head: int = 0
    above: int = 0
    below: int = 0
    items: tuple[tuple[int, int], ...] = ()
    is_cut: bool = False

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The texts of all words: whether one of some stands at all is asked by many rules."""
        return frozenset(word.text for word in self.words)

    @cached_property
    def openings(self) -> dict[int, tuple[str, ...]]:
        """Segment -> the texts of its first four words, in order."""
        found: dict[int, tuple[str, ...]] = {}
        for word, number in zip(self.words, self.segment, strict=True):
            so_far = found.get(number, ())
            if len(so_far) < _OPENING:
                found[number] = (*so_far, word.text)
        return found

    @cached_property
    def index(self) -> dict[str, list[int]]:
        """Handle -> places of the content words filed under it."""
        found: dict[str, list[int]] = {}
        for place in self.content:
            for handle in handles(self.words[place].text):
                found.setdefault(handle, []).append(place)
        return found

    @cached_property
    def keys(self) -> dict[int, str]:
        """Place of a content word -> its key."""
        return {place: key(self.words[place].text) for place in self.content}

    @cached_property
    def mark_at(self) -> dict[int, Mark]:
        """Place of a word -> the mark it is part of."""
        return {i: m for m in self.marks for i in range(m.first, m.last)}

    @cached_property
    def _by_kind(self) -> dict[str, list[Mark]]:
        found: dict[str, list[Mark]] = {}
        for mark in self.marks:
            found.setdefault(mark.kind, []).append(mark)
        return found

    @cached_property
    def starts(self) -> dict[int, int | None]:
        """Place of a content word -> where its phrase begins, at its preposition."""
        return {
            place: phrase_start(self.words, self.segment, self.mark_at, place)
            for place in self.content
        }

    @cached_property
    def voices(self) -> dict[int, Voice]:
        """Place of a content word -> how it would be turned as a verb."""
        return {place: voice(self.words, self.segment, place) for place in self.content}

    def of(self, kind: str) -> list[Mark]:
        return self._by_kind.get(kind, [])

    def intro(self, place: int) -> str:
        """The preposition that a content word's phrase begins with; "if" for conditions."""
        at = self.starts[place]
        if at is None:
            return ""
        mark = self.mark_at.get(at)
        return "if" if mark is not None and mark.kind == "if" else self.words[at].text

    def next_content(self, place: int) -> int | None:
        """The first content word at or behind a place."""
        at = bisect_left(self.content, place)
        return self.content[at] if at < len(self.content) else None

    def last_content(self, place: int) -> int | None:
        """The last content word before a place."""
        at = bisect_left(self.content, place)
        return self.content[at - 1] if at else None

    def between(self, low: int, high: int) -> tuple[int, ...]:
        """The content words at places strictly between two."""
        return self.content[bisect_right(self.content, low) : bisect_left(self.content, high)]

    def after(self, mark: Mark) -> int | None:
        """The content word that a mark stands before, in its own segment and clause."""
        place = self.next_content(mark.last)
        if place is None or self.segment[place] != self.segment[mark.first]:
            return None
        crossed = any(m.kind == "if" for i in range(mark.last, place) if (m := self.mark_at.get(i)))
        return None if crossed else place

    def before(self, mark: Mark) -> int | None:
        """The content word before a mark, in its own segment."""
        place = self.last_content(mark.first)
        same = place is not None and self.segment[place] == self.segment[mark.first]
        return place if same else None

    def phrase(self, mark: Mark) -> str:
        return " ".join(w.text for w in self.words[mark.first : mark.last])

    def segment_end(self, place: int) -> int:
        """One past the last word of a word's segment."""
        return bisect_right(self.segment, self.segment[place])

    def segment_start(self, place: int) -> int:
        return bisect_left(self.segment, self.segment[place])

    def condition_of(self, place: int) -> range | None:
        """The conditional clause that a word stands in: from its "if" to the segment's end."""
        first = self.segment_start(place)
        for mark in self.of("if"):
            if first <= mark.first <= place:
                return range(mark.first, self.segment_end(place))
        return None

    def is_number(self, place: int) -> bool:
        return self.words[place].text[0].isdigit()


def analyse(text: str) -> Analysis:
    """Read one sentence.

    >>> a = analyse("If the alarm was set, theft is covered.")
    >>> [a.words[i].text for i in a.content], a.marks[0].kind, a.segment[-1]
    (['alarm', 'set', 'theft', 'covered'], 'if', 1)
    >>> analyse("...").words
    ()
    """
    found = tuple(words(text, "en"))
    senses = tuple(marks(found))
    grammar = {i for m in senses if is_grammar(m) for i in range(m.first, m.last)}
    content = tuple(
        i
        for i, w in enumerate(found)
        if i not in grammar
        and (w.text not in _FUNCTION_WORDS or (i and w.capital and w.text == "may"))  # the month
        and not (w.text in _DEGREES and i and found[i - 1].text in _MORE)
    )
    return Analysis(text, found, senses, content, _segments(text, found))


def _segments(text: str, found: tuple[Word, ...]) -> tuple[int, ...]:
    numbers: list[int] = []
    current, end = 0, 0
    for at, word in enumerate(found):
        joint = word.text in _JOINTS
        if word.text in ("and", "or"):
            joint = at + 1 < len(found) and found[at + 1].text in _VERBAL
        if at and (
            joint or (word.start - end > 1 and not _STOPS.isdisjoint(text[end : word.start]))
        ):
            current += 1
        numbers.append(current)
        end = word.end
    return tuple(numbers)
