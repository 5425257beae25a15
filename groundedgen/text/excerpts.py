"""The piece of a long passage that a judge reads: whole sentences with what says what they mean.

A piece that is cut out of a list without its lead-in, or in front of the sentence that limits its
last one, says something else than the passage does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from groundedgen.text.governing import Governing, governing, is_crossed_out, is_limited
from groundedgen.text.limiting.footnotes import note_spans
from groundedgen.text.lines import BLANK_LINE
from groundedgen.text.sentences import Span

__all__ = ["Excerpt", "excerpt"]

#: Governing lines are looked for this far above a quote, in code points: cutting a text into
#: sentences is what costs, and few passages are so long.
_ABOVE: Final = 100_000
_BELOW: Final = 6_000
_WHOLE: Final = 200_000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A premise made of a passage's own text, in its order.

    Attributes:
        text: Governing lines, the piece itself, footnotes.
        start: First code point of the piece in the passage.
        end: One past its last.
        shift: What to add to an offset into the passage to have it in `text`, inside the piece.
    """

    text: str = field(repr=False)
    start: int
    end: int
    shift: int

    def place(self, start: int, end: int) -> Span | None:
        r"""Where `passage[start:end]` stands in the text, if all of it is in the piece.

        >>> Excerpt("We pay for:\n- theft.", 90, 98, -78).place(92, 97)
        (14, 19)
        """
        if self.start <= start and end <= self.end:
            return start + self.shift, end + self.shift
        return None


def excerpt(
    passage: str, start: int, end: int, limit: int, lang: str | None = None
) -> Excerpt | None:
    r"""The largest piece of whole sentences round a quote that says what it says in the passage.

    In front of it stand the lines above that govern it (see `governing`), behind it the footnotes
    of the quote's sentences; what lies between is left out. It ends with no sentence that the one
    behind limits.

    Args:
        passage: Longer than `limit`.
        start: First code point of the quote.
        end: One past its last.
        limit: The most code points that the piece may have.
        lang: The passage's language, where known.

    Returns:
        The piece, or `None` where what must be read together is longer than `limit`.

    >>> text = "We never pay for:\n" + "- rot;\n" * 50 + "- theft."
    >>> cut = excerpt(text, len(text) - 6, len(text), 40)
    >>> cut.text, len(text) - cut.start
    ('We never pay for:\n- rot;\n- rot;\n- theft.', 22)
    """
    low = _low(passage, start - _ABOVE - limit) if len(passage) > _WHOLE else 0
    head = passage[low:start]
    if low and "\n" in head and not BLANK_LINE.search(head):
        return None  # the list or table that it stands in begins before what is looked at
    text = passage[low : end + _BELOW + limit] if low else passage
    notes = [(a - low, b - low) for a, b in note_spans(passage, start, end) if a >= low]
    found = governing(text, lang)
    cut = _Cut(passage[low:], found.spans, limit, notes, found)
    return cut.around(start - low, end - low, low) if found.spans else None


def _low(text: str, at: int) -> int:
    """The beginning of a line, at that place or before it; the place itself on a very long one."""
    return text.rfind("\n", max(0, at - _BELOW), at) + 1 or at if at > 0 else 0


@dataclass(frozen=True, slots=True)
class _Cut:
    """What is cut out of a text: the sentences `first` to `last`, both included."""

    text: str
    spans: list[Span]
    limit: int
    notes: list[Span]
    governing: Governing

    def around(self, start: int, end: int, low: int) -> Excerpt | None:
        """The largest whole piece round `text[start:end]`, where the text begins at `low`."""
        first, last = self._needed(start, end)
        if not self._fits(first, last):
            return None
        for grown in self._growing(first, last):
            if self._is_whole(*grown):
                first, last = grown
        above, below = self._beside(first, last)
        start, end = min(start, self.spans[first][0]), max(end, self.spans[last][1])
        text = above + self.text[start:end] + below
        return Excerpt(text, low + start, low + end, len(above) - low - start)

    def _needed(self, start: int, end: int) -> tuple[int, int]:
        """The sentences of a place, with the one behind if it limits them, and all crossed out."""
        starts = [first for first, _ in self.spans]
        first = max(bisect_right(starts, start) - 1, 0)
        last = max(bisect_right(starts, max(end - 1, start)) - 1, first)
        last += is_limited(self.text, self.spans, last)
        while first > 0 and is_crossed_out(self.text, self.spans, first - 1):
            first -= 1
        while is_crossed_out(self.text, self.spans, last):
            last += 1
        return first, last

    def _is_whole(self, first: int, last: int) -> bool:
        """Whether nothing behind limits the last sentence, and no cut is in what is struck."""
        text, spans = self.text, self.spans
        if is_limited(text, spans, last) or is_crossed_out(text, spans, last):
            return False
        return first == 0 or not is_crossed_out(text, spans, first - 1)

    def _growing(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Ever more sentences round some, the nearer neighbour first, while anything fits."""
        middle, grown = self.spans[first][0] + self.spans[last][1], True
        while grown:
            left, right = (first - 1, last), (first, last + 1)
            balanced = middle <= self.spans[first][0] + self.spans[last][1]
            sides = (left, right) if balanced else (right, left)
            grown = False
            for side in sides:
                if side[0] >= 0 and side[1] < len(self.spans) and self._fits(*side):
                    (first, last), grown = side, True
                    yield side
                    break

    def _fits(self, first: int, last: int) -> bool:
        above, below = self._beside(first, last)
        own = self.spans[last][1] - self.spans[first][0]
        return len(above) + own + len(below) <= self.limit

    def _beside(self, first: int, last: int) -> tuple[str, str]:
        """What stands in front of these sentences in the piece, and what behind."""
        start, end = self.spans[first][0], self.spans[last][1]
        above = "".join(self.text[a:b] + "\n" for a, b in self.notes if a < start)
        below = "".join("\n" + self.text[a:b] for a, b in self.notes if start <= a and b > end)
        return self.governing.read_with(first) + above, below
