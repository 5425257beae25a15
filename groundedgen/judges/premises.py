"""Long premises in windows of whole sentences, and one verdict out of what is read in them.

Lengths are counted in tokens of the model; windows are half-open ranges of sentences. In front of
each window stand the lines above it that govern it, as the lead-in of its list; and a sentence is
in one piece with what limits it behind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundedgen.judges.classes import Shares
from groundedgen.text.governing import Governing, limited_runs
from groundedgen.text.sentences import Span, sentence_spans
from groundedgen.text.tokens import content_stems
from groundedgen.values import Label

__all__ = ["Plan", "Premise", "decide", "plan", "weighed"]

Window = tuple[int, int]

#: The part of a window that the next one repeats, so that what belongs together is read together.
_OVERLAP: Final = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """Windows that cover a premise.

    `unread`: sentences longer than a window, which none holds. `bare`: those of the windows in
    front of which what governs them does not fit: they may contradict, and support nothing.
    """

    windows: tuple[Window, ...]
    unread: tuple[int, ...] = ()
    bare: frozenset[Window] = frozenset()


def _nothing(_first: int) -> int:
    return 0


def plan(lengths: Sequence[int], room: int, above: Callable[[int], int] = _nothing) -> Plan:
    """Windows of whole sentences, each as long as fits, that overlap.

    Every sentence that fits stands whole in at least one window, and two neighbours that
    fit together stand together in one.

    Args:
        lengths: Tokens of each sentence, 0 or more.
        room: Tokens that a window may hold.
        above: Tokens of what stands in front of a window that begins at a sentence.

    >>> plan([10, 10, 10, 10], room=100).windows
    ((0, 4),)
    >>> plan([10, 10, 10, 10], room=30).windows
    ((0, 3), (2, 4))
    >>> planned = plan([10, 99, 10], room=30)
    >>> planned.windows, planned.unread
    (((0, 1), (2, 3)), (1,))
    """
    if lengths and sum(lengths) <= room:
        return Plan(((0, len(lengths)),))
    unread = tuple(n for n, length in enumerate(lengths) if length + above(n) > room)
    windows: list[Window] = []
    start = 0
    for end in (*unread, len(lengths)):
        windows += _covering(lengths, start, end, room, above)
        start = end + 1
    return Plan(tuple(windows), unread)


def _covering(
    lengths: Sequence[int], start: int, stop: int, room: int, above: Callable[[int], int]
) -> list[Window]:
    """Windows over the sentences of `[start, stop)`, each of which fits."""
    windows: list[Window] = []
    end = start
    while end < stop:
        used = above(start) + sum(lengths[start:end])
        while end < stop and used + lengths[end] <= room:
            used += lengths[end]
            end += 1
        windows.append((start, end))
        if end < stop:
            start = _next_start(lengths, start, end, room, above)
    return windows


def _next_start(
    lengths: Sequence[int], start: int, end: int, room: int, above: Callable[[int], int]
) -> int:
    """Where the window that has to hold sentence `end` begins: after `start`, with an overlap."""
    first, repeated = end, 0
    while first - 1 > start:
        longer = repeated + lengths[first - 1]
        if above(first - 1) + longer + lengths[end] > room or (
            longer * _OVERLAP > room and repeated
        ):
            break
        first, repeated = first - 1, longer
    return first


@dataclass(frozen=True, slots=True)
class _Above:
    """What stands in front of a window: the governing lines above each piece of a premise."""

    governing: Governing
    firsts: tuple[int, ...]  # of each piece its first sentence
    lengths: tuple[int, ...]  # of each sentence

    def text(self, piece: int) -> str:
        return self.governing.read_with(self.firsts[piece])

    def tokens(self, piece: int) -> int:
        return sum(self.lengths[place] for place in self.governing.above(self.firsts[piece]))


@dataclass(frozen=True, slots=True)
class Premise:
    """A passage cut into pieces: a sentence and the blanks after it each, with their tokens.

    A sentence and those behind it that limit it are one piece.
    """

    text: str = field(repr=False)
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    lengths: tuple[int, ...]
    _above: _Above | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, text: str, tokens: Callable[[Sequence[str]], Sequence[int]]) -> Premise:
        """Cut a text that is not blank; `tokens` says how long each of some texts is."""
        spans = sentence_spans(text) or [(0, len(text))]
        lengths = tuple(tokens(_with_blanks(text, spans)))
        runs = limited_runs(text, spans)
        return cls(
            text,
            tuple(spans[first][0] for first, _ in runs),
            tuple(spans[end - 1][1] for _, end in runs),
            tuple(sum(lengths[first:end]) for first, end in runs),
            _Above(Governing(text, spans), tuple(first for first, _ in runs), lengths),
        )

    def window(self, window: Window, *, bare: bool = False) -> str:
        """The text of a range of pieces, behind the lines above that govern it unless `bare`."""
        above = self._above.text(window[0]) if self._above and not bare else ""
        return above + self.text[self.starts[window[0]] : self.ends[window[1] - 1]]

    def above(self, first: int) -> int:
        """The tokens of what stands in front of a window that begins with a piece."""
        return self._above.tokens(first) if self._above else 0

    def holding(self, place: tuple[int, int]) -> Window | None:
        """The sentences in which `text[start:end]` stands; `None` where no sentence holds any."""
        start, end = place
        if start >= end:
            return None
        held = [
            n
            for n, (a, b) in enumerate(zip(self.starts, self.ends, strict=True))
            if a < end and start < b
        ]
        return (held[0], held[-1] + 1) if held else None

    def planned(self, room: int, held: Window | None) -> Plan:
        """Windows over the whole premise, and one more for what must be whole and is in none.

        Args:
            room: Tokens that a window may hold.
            held: Sentences that must stand in one window; known to fit together.
        """
        over = self._over(room)
        if held is None or any(
            a <= held[0] and held[1] <= b and (a, b) not in over.bare for a, b in over.windows
        ):
            return over
        more = self.around(held, room)
        unread = tuple(n for n in over.unread if not more[0] <= n < more[1])
        return Plan(tuple(sorted({*over.windows, more})), unread, over.bare - {more})

    def _over(self, room: int) -> Plan:
        """Windows over the whole premise; those of one piece that fits alone only are bare."""
        over = plan(self.lengths, room, self.above)
        bare = frozenset((n, n + 1) for n in over.unread if self.lengths[n] <= room)
        unread = tuple(n for n in over.unread if (n, n + 1) not in bare)
        return Plan(tuple(sorted({*over.windows, *bare})), unread, bare)

    def around(self, held: Window, room: int) -> Window:
        """The range of sentences with its neighbours on both sides, as many as fit.

        Args:
            held: What the window must hold, whether it fits or not.
            room: Tokens that a window may hold.
        """
        first, end = held
        used, grown = sum(self.lengths[first:end]), True
        while grown:
            grown = False
            for place in (first - 1, end):
                if not 0 <= place < len(self.lengths):
                    continue
                if used + self.lengths[place] + self.above(min(first, place)) <= room:
                    first, end = min(first, place), max(end, place + 1)
                    used, grown = used + self.lengths[place], True
        return first, end

    def closest(self, windows: Sequence[Window], claim: str) -> tuple[int, ...]:
        """Places of the windows that hold most different content words of the claim, if any."""
        if len(windows) == 1:
            return (0,)
        wanted = set(content_stems(claim))
        held = [len(wanted.intersection(content_stems(self.window(w)))) for w in windows]
        most = max(held)
        return tuple(n for n, count in enumerate(held) if most and count == most)

    def evidence(
        self, windows: Sequence[Window], claim: str, held: Window | None
    ) -> tuple[int, ...]:
        """Places of the windows that are closest to the claim, and of those that hold the quote."""
        quoting = {n for n, (a, b) in enumerate(windows) if held and a <= held[0] and held[1] <= b}
        return tuple(sorted(quoting.union(self.closest(windows, claim))))


def _with_blanks(text: str, spans: Sequence[Span]) -> list[str]:
    nexts = (*(start for start, _ in spans[1:]), spans[-1][1])
    return [text[start:end] for (start, _), end in zip(spans, nexts, strict=True)]


def weighed(
    windows: Sequence[Window], shares: Sequence[Shares], bare: Collection[Window]
) -> list[Shares]:
    """The model's shares as far as they count: nothing that a bare window says is support.

    >>> weighed([(0, 1), (1, 2)], [Shares(0.5, 0.25, 0.25)] * 2, {(1, 2)})[1]
    Shares(entailment=0.0, contradiction=0.25, other=0.75)
    """
    return [
        Shares(0.0, share.contradiction, share.other + share.entailment)
        if window in bare
        else share
        for window, share in zip(windows, shares, strict=True)
    ]


def decide(
    windows: Sequence[Window],
    shares: Sequence[Shares],
    evidence: Collection[int],
    threshold: float,
) -> tuple[Label, int]:
    """The verdict on a premise read in windows, and the window that decides it.

    The best window's entailment counts. A contradiction wins over it, if it is read where the
    evidence is: in that window (any of them, where several are best), in one that shares a
    sentence with it, or in one of `evidence`. A contradiction far from all of these is left aside:
    models call much that is unrelated a contradiction, and long documents would support nothing.

    Args:
        windows: At least one.
        shares: The model's, window by window.
        evidence: Places of the windows that share most words with the claim, or hold the quote.
        threshold: Least share of entailment that supports, above 0, at most 1.

    >>> low, high, against = Shares(0.1, 0.1, 0.8), Shares(0.9, 0.0, 0.1), Shares(0.1, 0.9, 0.0)
    >>> decide([(0, 2), (1, 3), (3, 4)], [low, high, against], [1], 0.5)
    ('supported', 1)
    >>> decide([(0, 2), (1, 3), (3, 4)], [against, high, low], [1], 0.5)
    ('contradicted', 0)
    """
    best = max(range(len(windows)), key=lambda n: shares[n].entailment)
    most = shares[best].entailment
    spans = [windows[n] for n, share in enumerate(shares) if share.entailment == most]
    holding = set(evidence) | {
        n for n, (a, b) in enumerate(windows) if any(a < end and first < b for first, end in spans)
    }
    against = [n for n in sorted(holding) if _contradicts(shares[n])]
    if against:
        return "contradicted", max(against, key=lambda n: shares[n].contradiction)
    found = shares[best]
    if found.entailment >= threshold and found.entailment > found.contradiction:
        return "supported", best
    return "not_addressed", best


def _contradicts(shares: Shares) -> bool:
    return shares.contradiction > max(shares.entailment, shares.other)
