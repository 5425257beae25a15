"""One English sentence as the lexical judge sees it: words, sense marks, segments, handles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from groundedgen.text.kinship import handles
from groundedgen.text.senses import Mark, is_grammar, marks
from groundedgen.text.tokens import Word, is_function_word, words

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Analysis", "analyse"]

_STOPS: Final = frozenset(',;:()[]\u2014\u2013\u201c\u201d"')
_JOINTS: Final = frozenset(
    ["although", "but", "despite", "however", "instead", "though", "whereas", "yet"]
)


# After "and" these begin a second predicate: "ends in June and is not renewed".
_PREDICATES = "is are was were has have had does do did may must shall will can should could would"
_VERBAL: Final = frozenset([*_PREDICATES.split(), "not", "never"])
# "More frequent births" are more births.
_DEGREES: Final = frozenset(["common", "frequent", "numerous", "often", "widespread"])
_MORE: Final = frozenset(["less", "more", "most"])


@dataclass(frozen=True)
class Analysis:
    """A sentence, read once.

    Attributes:
        text: The sentence.
        words: Its words in order; all other attributes count places in this tuple.
        marks: Its sense-bearing phrases.
        content: Places of the words that carry content: no function word, no part of a
            grammatical mark.
        segment: For each word, the number of its segment; segments end at commas, stops,
            brackets, dashes and at words like "but".
        index: Handle -> places of the content words filed under it.
    """

    text: str
    words: tuple[Word, ...]
    marks: tuple[Mark, ...]
    content: tuple[int, ...]
    segment: tuple[int, ...]
    index: dict[str, list[int]]

    @cached_property
    def governing(self) -> dict[int, Mark]:
        """Place of a word -> the grammatical mark it is part of."""
        return {i: m for m in self.marks for i in range(m.first, m.last)}

    def of(self, kind: str) -> Iterator[Mark]:
        return (m for m in self.marks if m.kind == kind)

    def after(self, mark: Mark) -> int | None:
        """The content word that a mark stands before, in its own segment and clause."""
        for place in self.content:
            if place >= mark.last:
                same = self.segment[place] == self.segment[mark.first]
                crossed = any(mark.last <= m.first < place for m in self.of("if"))
                return place if same and not crossed else None
        return None

    def before(self, mark: Mark) -> int | None:
        """The content word before a mark, in its own segment."""
        for place in reversed(self.content):
            if place < mark.first:
                same = self.segment[place] == self.segment[mark.first]
                return place if same else None
        return None


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
        and not is_function_word(w.text, "en")
        and not (w.text in _DEGREES and i and found[i - 1].text in _MORE)
    )
    index: dict[str, list[int]] = {}
    for place in content:
        for handle in handles(found[place].text):
            index.setdefault(handle, []).append(place)
    return Analysis(text, found, senses, content, _segments(text, found), index)


def _segments(text: str, found: tuple[Word, ...]) -> tuple[int, ...]:
    numbers: list[int] = []
    current, end = 0, 0
    for at, word in enumerate(found):
        between = text[end : word.start]
        following = found[at + 1].text if at + 1 < len(found) else ""
        joint = word.text in _JOINTS or (word.text in ("and", "or") and following in _VERBAL)
        if numbers and (joint or (len(between) > 1 and not _STOPS.isdisjoint(between))):
            current += 1
        numbers.append(current)
        end = word.end
    return tuple(numbers)
