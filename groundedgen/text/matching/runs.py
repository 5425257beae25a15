"""Words that two texts share in one run, whatever stands between them in print."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundedgen.patterns import compiled
from groundedgen.text.folding.foldtables import MARKS, UNSPACED, UNSPACED_ASTRAL
from groundedgen.text.matching.shelf import folded

__all__ = ["Run", "shared_runs", "spoken", "token_pattern"]

# Words without the punctuation round them; single letters in scripts without blanks. Raised digits
# are words of their own: a note number does not hide the word it stands on.
_RAISED = "⁰¹²³⁴-⁹"
_TOKEN = compiled(
    rf"[{UNSPACED}]|[{UNSPACED_ASTRAL}]"
    rf"|(?:(?![{UNSPACED_ASTRAL}])[^\W_{UNSPACED}{_RAISED}]|(?<=\w)[{MARKS}])+|[{_RAISED}]+"
)
_LINE_END = compiled(r"(?<=[^\W\d_])- (?=[^\W\d_])")


def spoken(text: str) -> list[str]:
    r"""The words of a text in order, folded, as one would read them aloud.

    >>> spoken("The land\u00adlord, **may** enter exam-\nple 5,000")
    ['the', 'landlord', 'may', 'enter', 'example', '5', '000']
    """
    return _spoken(text) if len(text) <= _CACHED_LENGTH else _words(text)


_CACHED_LENGTH = 20_000
_ASCII_TOKEN = compiled("[a-zA-Z0-9]+")  # capitals: see `folds._lower`


@lru_cache(maxsize=256)
def _spoken(text: str) -> list[str]:
    return _words(text)


def _words(text: str) -> list[str]:
    plain = _LINE_END.sub("", folded(text).text)
    return token_pattern(plain).findall(plain)


def token_pattern(text: str) -> re.Pattern[str]:
    """What finds the words of a folded text."""
    return _ASCII_TOKEN if text.isascii() else _TOKEN


@dataclass(frozen=True, slots=True)
class Run:
    """`length` words that stand at `start` in one text and at `at` in the other."""

    start: int
    length: int
    at: int


def shared_runs(text: Sequence[str], words: Sequence[str], shortest: int) -> Iterator[Run]:
    """The longest runs of `text` that stand in `words` too, of at least `shortest` words.

    Time is linear in both (a suffix automaton of `words` reads `text` once).

    >>> text, words = "it says that a b c d then c d".split(), "a b c d e".split()
    >>> list(shared_runs(text, words, 3))
    [Run(start=3, length=4, at=0)]
    """
    known = _Automaton(words)
    state = length = 0
    for i, word in enumerate(text):
        if length >= shortest and word not in known.steps[state]:
            yield Run(i - length, length, known.ends[state] - length + 1)
        while state and word not in known.steps[state]:
            state = known.links[state]
            length = known.lengths[state]
        if word in known.steps[state]:
            state = known.steps[state][word]
            length += 1
    if length >= shortest:
        yield Run(len(text) - length, length, known.ends[state] - length + 1)


class _Automaton:
    """The suffix automaton of a sequence of words (Blumer et al., 1985); state 0 is the start.

    For each state: the steps to others, its suffix link, the length of its longest run, and where
    that run first ends in the sequence.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.steps: list[dict[str, int]] = [{}]
        self.links, self.lengths, self.ends = [-1], [0], [-1]
        last = 0
        for i, word in enumerate(words):
            last = self._extend(last, word, i)

    def _add(self, steps: dict[str, int], link: int, length: int, end: int) -> int:
        self.steps.append(steps)
        self.links.append(link)
        self.lengths.append(length)
        self.ends.append(end)
        return len(self.steps) - 1

    def _extend(self, last: int, word: str, i: int) -> int:
        new = self._add({}, 0, i + 1, i)
        state = last
        while state >= 0 and word not in self.steps[state]:
            self.steps[state][word] = new
            state = self.links[state]
        if state >= 0:
            self.links[new] = self._target(state, word)
        return new

    def _target(self, state: int, word: str) -> int:
        """Where `word` leads from `state`; split off if longer runs lead there too."""
        target = self.steps[state][word]
        length = self.lengths[state] + 1
        if self.lengths[target] == length:
            return target
        clone = self._add(dict(self.steps[target]), self.links[target], length, self.ends[target])
        while state >= 0 and self.steps[state].get(word) == target:
            self.steps[state][word] = clone
            state = self.links[state]
        self.links[target] = clone
        return clone
