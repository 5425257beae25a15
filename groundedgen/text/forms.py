"""The loose form: what is left of a folded text when everything with two readings is taken out.

A hyphen at a line end may be dropped (`exam-` + `ple`) or kept (`well-` + `known`); blanks round an
em dash, before a full stop or inside Chinese text are the typesetter's; points of Hebrew and Arabic
are optional; capitals lose the difference of ß and SS. Two texts that agree in the loose form
*may* be the same: `gaps.agree` then decides place by place. So the form is only a fast way to find
candidates, and is never compared alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from groundedgen.patterns import compiled
from groundedgen.text.characters import RAISED
from groundedgen.text.folding.foldtables import char_class
from groundedgen.text.folding.rewriting import rewrite
from groundedgen.text.folds import Folded

__all__ = ["DOT", "DROPPED", "GAP", "OPTIONAL", "Loose", "Span", "loosen"]

# Points and accents that Hebrew and Arabic may leave out. Not the hamza and madda (U+0653 to
# U+0655), which make another letter.
OPTIONAL = (
    *map(chr, range(0x0591, 0x05BE)), "\u05bf", "\u05c1", "\u05c2", "\u05c4", "\u05c5", "\u05c7",
    *map(chr, range(0x064B, 0x0653)), *map(chr, range(0x0656, 0x0660)), "\u0670",
    *map(chr, range(0x06D6, 0x06DD)), *map(chr, range(0x06DF, 0x06E5)), "\u06e7", "\u06e8",
    *map(chr, range(0x06EA, 0x06EE)),
)  # fmt: skip

# The dot that lower-casing leaves on the capital dotted I of Turkish.
DOT = "\u0307"

_ASCII_DROPPED = " -/\"'"
# Raised digits can be note marks; where they are not, `gaps` tells.
DROPPED = "".join((*_ASCII_DROPPED, *OPTIONAL, DOT, *sorted(RAISED)))
_DROPPED = frozenset(DROPPED)
_ASCII_KEPT = [None if chr(c) in _ASCII_DROPPED else c for c in range(128)]
_FOREIGN_DROPPED = compiled(f"[{char_class((*OPTIONAL, DOT, *RAISED))}]")

GAP = compiled(f"[{char_class(DROPPED)}]+")
"""A run of what the loose form leaves out."""

# Letters whose capitals are those of others: see `gaps`.
LETTERS = {
    "ß": "ss", "ı": "i",
    "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ό": "ο", "ύ": "υ", "ώ": "ω", "ΐ": "ϊ", "ΰ": "ϋ",
}  # fmt: skip

_BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Loose:
    """A text in its loose form.

    Attributes:
        folded: The folded text, with `LETTERS` replaced; positions below are into its text.
        text: The loose text.
        letters: Positions of replaced letters, and what stood there.
    """

    folded: Folded
    text: str = field(repr=False)
    letters: Sequence[tuple[int, str]] = field(default=(), repr=False)
    _ends: Sequence[int] = field(default=(), repr=False)

    def position(self, place: int) -> int:
        """Where the character at `place` of the loose text stands in the folded one."""
        block = bisect_right(self._ends, place)
        start = block * _BLOCK
        left = place - (self._ends[block - 1] if block else 0)
        text = self.folded.text
        for at in range(start, min(start + _BLOCK, len(text))):
            if text[at] not in _DROPPED:
                if left == 0:
                    return at
                left -= 1
        raise IndexError(place)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a loose text, in positions of its folded text, between two kept characters."""

    loose: Loose
    start: int
    end: int

    def gaps(self) -> Iterator[tuple[int, int, int]]:
        """What the form leaves out: characters kept before it, start, end."""
        left_out = self.start
        for match in GAP.finditer(self.loose.folded.text, self.start, self.end):
            start, end = match.span()
            yield start - left_out, start, end
            left_out += end - start

    def kept_before(self, positions: Iterable[int]) -> list[int]:
        """For each of the ascending positions, how many characters of the span are kept before."""
        return [
            position - self.start - left_out
            for position, left_out in self._left_out(positions, lambda p, _, start: start < p)
        ]

    def positions(self, kept: Iterable[int]) -> list[int]:
        """For each ascending number of kept characters, where the next one stands."""
        return [
            self.start + number + left_out
            for number, left_out in self._left_out(kept, lambda n, before, _: before <= n)
        ]

    def _left_out(
        self, numbers: Iterable[int], precedes: Callable[[int, int, int], bool]
    ) -> Iterator[tuple[int, int]]:
        """Each number with the length of the gaps that precede it."""
        gaps = self.gaps()
        gap = next(gaps, None)
        left_out = 0
        for number in numbers:
            while gap and precedes(number, gap[0], gap[1]):
                left_out += gap[2] - gap[1]
                gap = next(gaps, None)
            yield number, left_out


def loosen(folded: Folded) -> Loose:
    r"""The loose form of a folded text.

    >>> from groundedgen.text.folds import normalize
    >>> loosen(normalize("exam-\nple of the well-known 'rule'")).text
    'exampleofthewellknownrule'
    """
    letters = _letters(folded.text)
    if letters:
        text, step = rewrite(folded.text, [(at, at + 1, LETTERS[old]) for at, old in letters])
        letters = [(step.starts[i], old) for i, (_, old) in enumerate(letters)]
        folded = Folded(text, folded.source, (*folded.steps, step))
    blocks = [_drop(folded.text[at : at + _BLOCK]) for at in range(0, len(folded.text), _BLOCK)]
    ends: list[int] = []
    length = 0
    for block in blocks:
        length += len(block)
        ends.append(length)
    return Loose(folded, "".join(blocks), letters, ends)


def _drop(text: str) -> str:
    if text.isascii():
        return text.translate(_ASCII_KEPT)
    for char in _ASCII_DROPPED:
        text = text.replace(char, "")
    return _FOREIGN_DROPPED.sub("", text)


def _letters(text: str) -> list[tuple[int, str]]:
    if text.isascii():
        return []
    return [(m.start(), m[0]) for m in _LETTER.finditer(text)]


_LETTER = compiled(f"[{char_class(LETTERS)}]")
