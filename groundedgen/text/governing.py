"""What must be read with a piece of a text: the lines above that govern it, what limits it behind.

A judge that reads a long passage in pieces must read them with each piece: the 300th item of a
list is as much repealed as the first. `standing.governor` looks a page up; this goes on from
there, over the items of a list to what leads into it, and to the headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from groundedgen.patterns import lazy
from groundedgen.text.limiting.revocations import takes_back
from groundedgen.text.lines import MARKER
from groundedgen.text.qualifiers import limits_what_precedes
from groundedgen.text.sentences import Span, ends_stopped, sentence_spans
from groundedgen.text.standing import governor, is_disowned, struck

__all__ = ["Governing", "governing", "is_crossed_out", "is_limited", "limited_runs"]

_NEAR: Final = 40  # sentences from a place on whose own governing lines are asked for
_RUN: Final = 4  # sentences that are one with what limits them: "Nor snow. Nor ..." has no end
_BESIDE: Final = 200  # code points of the next sentence that are looked at
_HEADING: Final = 120  # code points
_HEAD: Final = 240  # code points of a table's first line
_LEADS: Final = (":", "\uff1a", "\u2014")
_LEVEL: Final = lazy(r"(?P<marks>#{1,6})[ \t]|(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){0,5})\.?[ \t]")


def limited_runs(text: str, spans: list[Span]) -> list[Span]:
    """The sentences of a text in runs, each a sentence with those behind it that limit it.

    Half-open ranges of places in `spans`; at most 4 sentences each, but for what is crossed out as
    a whole.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "Fire is covered. Theft is covered. This does not apply to cash. Call us."
    >>> limited_runs(text, sentence_spans(text))
    [(0, 1), (1, 3), (3, 4)]
    """
    runs: list[Span] = []
    for place in range(len(spans)):
        first = runs[-1][0] if runs else place
        if place > 0 and (
            is_crossed_out(text, spans, place - 1)
            or (place < first + _RUN and is_limited(text, spans, place - 1))
        ):
            runs[-1] = first, place + 1
        else:
            runs.append((place, place + 1))
    return runs


def is_limited(text: str, spans: list[Span], place: int) -> bool:
    """Whether the next sentence limits a sentence or takes it back.

    >>> is_limited("Theft is covered. This does not apply to cash.", [(0, 17), (18, 46)], 0)
    True
    """
    if place + 1 >= len(spans):
        return False
    following = text[slice(*spans[place + 1])][:_BESIDE]
    return limits_what_precedes(text, spans, place + 1) or takes_back(following)


def is_crossed_out(text: str, spans: list[Span], place: int) -> bool:
    """Whether what is crossed out goes on from a sentence into the next one.

    >>> is_crossed_out("~~Fire is covered. Hail is.~~", [(0, 18), (19, 29)], 0)
    True
    """
    if place + 1 >= len(spans) or ("~~" not in text and "<" not in text):
        return False
    end, start = spans[place][1], spans[place + 1][0]
    return any(first < end and start < last for first, last in struck(text))


@lru_cache(maxsize=8)  # many statements may rest on one long text
def governing(text: str, lang: str | None = None) -> Governing:
    """The sentences of a text with what governs them."""
    return Governing(text, sentence_spans(text, lang))


class _Root(NamedTuple):
    """Where the list or block of a sentence begins, and the first item of that list.

    `leads`: the first ends in a colon and the others hang from it.
    """

    top: int
    item: int
    leads: bool = False


class Governing:
    """The sentences of a text, each with those above it that govern it.

    Args:
        text: Any text.
        spans: Its sentences, as `sentences.sentence_spans` returns them.
    """

    __slots__ = ("_above", "_governors", "_lines", "_roots", "_spans", "_text")

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self._text, self._spans = text, list(spans)
        self._governors: dict[int, int] = {}
        self._above: dict[int, tuple[int, ...]] = {}
        self._lines: list[tuple[int, int]] | None = None
        self._roots: list[_Root] | None = None

    def above(self, first: int) -> tuple[int, ...]:
        r"""The sentences to be read with a piece that begins at sentence `first`, in order.

        Lead-ins, labels and headings that reach into the piece from above it, a sentence just
        above that disowns it, and what governs those in turn, as places among the sentences.

        >>> from groundedgen.text.sentences import sentence_spans
        >>> text = "# Old\n\nWe paid for:\n" + "\n".join(f"- damage no. {n};" for n in range(99))
        >>> Governing(text, sentence_spans(text)).above(90)
        (0, 1)
        """
        if first == 0:
            return ()
        if first not in self._above:
            near = range(first, min(first + _NEAR, len(self._spans)))
            found = {place for at in near if (place := self._governor(at)) < first} - {-1}
            found |= self._opening(first) | self._headings(first)
            if is_disowned(self._text, self._spans, first, first):
                found.add(first - 1)
            waiting = list(found)
            while waiting:
                place = waiting.pop()
                more = (self._opening(place) | {self._governor(place)}) - found - {-1}
                found |= more
                waiting += more
            self._above[first] = tuple(sorted(found))
        return self._above[first]

    @property
    def spans(self) -> list[Span]:
        """The sentences."""
        return self._spans

    def read_with(self, first: int) -> str:
        """The text of `above`, each sentence with the blanks behind it."""
        text, spans = self._text, self._spans
        return "".join(text[spans[n][0] : spans[n + 1][0]] for n in self.above(first))

    def _governor(self, place: int) -> int:
        """`standing.governor`, or -1."""
        if place not in self._governors:
            above = governor(self._text, self._spans, place)
            self._governors[place] = -1 if above is None else above
        return self._governors[place]

    def _opening(self, place: int) -> set[int]:
        """What the list or block of lines that a sentence stands in hangs from.

        The beginning of its own item; over all items above, the line that leads into them; and the
        first line of a block that no full stop ends, such as the head of a table.
        """
        found: set[int] = set()
        own = place
        while own > 0 and not self._has_break(own - 1, place):
            own -= 1
        if self._is_marked(own):
            found.add(own)
        root = self._rooted()[place]
        if self._governor(root.item) >= 0:
            found.add(self._governor(root.item))
        start, end = self._spans[root.top]
        if root.leads or (end - start <= _HEAD and not ends_stopped(self._text, start, end)):
            found.add(root.top)
        return {at for at in found if at < place}

    def _rooted(self) -> list[_Root]:
        """For each sentence, where what it belongs to begins."""
        if self._roots is None:
            self._roots = []
            for place in range(len(self._spans)):
                self._roots.append(self._root(place, self._roots))
        return self._roots

    def _root(self, place: int, before: Sequence[_Root]) -> _Root:
        if place == 0 or not self._goes_on(place):
            return _Root(place, place)
        if self._leads(place - 1):
            return _Root(place - 1, place, leads=True)
        above = before[-1]
        return above if self._is_marked(above.item) else above._replace(item=place)

    def _goes_on(self, place: int) -> bool:
        """Whether a sentence belongs to what stands above it: one block, or the items of a list."""
        end, start = self._spans[place - 1][1], self._spans[place][0]
        return self._is_marked(place) or self._text.count("\n", end, start) <= 1

    def _leads(self, place: int) -> bool:
        """Whether lines hang from a sentence by its colon."""
        end, following = self._spans[place][1], self._spans[place + 1][0]
        return self._text.endswith(_LEADS, 0, end) and "\n" in self._text[end:following]

    def _is_marked(self, place: int) -> bool:
        return MARKER.match(self._text, *self._spans[place]) is not None

    def _has_break(self, above: int, place: int) -> bool:
        return self._text.find("\n", self._spans[above][0], self._spans[place][0]) >= 0

    def _headings(self, first: int) -> set[int]:
        """The nearest heading above, and of each level above its own the nearest."""
        if self._lines is None:
            levels = ((place, self._level(place)) for place in range(len(self._spans)))
            self._lines = [(place, level) for place, level in levels if level >= 0]
        found: set[int] = set()
        least = None
        for place, level in reversed(self._lines):
            if place < first and (least is None or 0 < level < least):
                found.add(place)
                least = level
            if least is not None and least <= 1:
                break
        return found

    def _level(self, place: int) -> int:
        """The level of a heading from 1, the highest; 0 where it shows none, -1 for no heading.

        A heading is a short line of its own between blank lines, or after a mark of Markdown.
        """
        text, (start, end) = self._text, self._spans[place]
        shown = _LEVEL.match(text, start, end)
        if shown and shown["marks"]:
            return len(shown["marks"])
        above = text[self._spans[place - 1][1] : start] if place else "\n\n"
        last = place + 1 == len(self._spans)
        below = "" if last else text[end : self._spans[place + 1][0]]
        alone = above.count("\n") > 1 and below.count("\n") > 1 and end - start <= _HEADING
        if not alone or ends_stopped(text, start, end) or text[end - 1] in ";,|":
            return -1
        if shown:
            return shown["number"].count(".") + 1
        return -1 if self._is_marked(place) else 0
