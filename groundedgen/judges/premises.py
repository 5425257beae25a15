"""Long premises in windows of whole sentences, and one verdict out of what is read in them.

Lengths are counted in tokens of the model; windows are half-open ranges of sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundedgen.judges.classes import Shares
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.tokens import content_stems
from groundedgen.values import Label

__all__ = ["Plan", "Premise", "decide", "plan"]

Window = tuple[int, int]

#: The part of a window that the next one repeats, so that what belongs together is read together.
_OVERLAP: Final = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """Windows that cover a premise. `unread`: sentences longer than a window, which none holds."""

    windows: tuple[Window, ...]
    unread: tuple[int, ...] = ()


def plan(lengths: Sequence[int], room: int) -> Plan:
    """Windows of whole sentences, each as long as fits, that overlap.

    Every sentence that fits stands whole in at least one window, and two neighbours that
    fit together stand together in one.

    Args:
        lengths: Tokens of each sentence, 0 or more.
        room: Tokens that a window may hold.

    >>> plan([10, 10, 10, 10], room=100).windows
    ((0, 4),)
    >>> plan([10, 10, 10, 10], room=30).windows
    ((0, 3), (2, 4))
    >>> plan([10, 99, 10], room=30)
    Plan(windows=((0, 1), (2, 3)), unread=(1,))
    """
    unread = tuple(place for place, length in enumerate(lengths) if length > room)
    windows: list[Window] = []
    start = 0
    for end in (*unread, len(lengths)):
        windows += _covering(lengths, start, end, room)
        start = end + 1
    return Plan(tuple(windows), unread)


def _covering(lengths: Sequence[int], start: int, stop: int, room: int) -> list[Window]:
    """Windows over the sentences of `[start, stop)`, each of which fits."""
    windows: list[Window] = []
    end = start
    while end < stop:
        used = sum(lengths[start:end])
        while end < stop and used + lengths[end] <= room:
            used += lengths[end]
            end += 1
        windows.append((start, end))
        if end < stop:
            start = _next_start(lengths, start, end, room)
    return windows


def _next_start(lengths: Sequence[int], start: int, end: int, room: int) -> int:
    """Where the window that has to hold sentence `end` begins: after `start`, with an overlap."""
    first, repeated = end, 0
    while first - 1 > start:
        longer = repeated + lengths[first - 1]
        if longer + lengths[end] > room or (longer * _OVERLAP > room and repeated):
            break
        first, repeated = first - 1, longer
    return first


@dataclass(frozen=True, slots=True)
class Premise:
    """A passage cut into pieces: a sentence and the blanks after it each, with their tokens."""

    text: str = field(repr=False)
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, text: str, tokens: Callable[[Sequence[str]], Sequence[int]]) -> Premise:
        """Cut a text that is not blank; `tokens` says how long each of some texts is."""
        spans = sentence_spans(text) or [(0, len(text))]
        starts, ends = tuple(a for a, _ in spans), tuple(b for _, b in spans)
        nexts = (*starts[1:], ends[-1])
        pieces = [text[a:b] for a, b in zip(starts, nexts, strict=True)]
        return cls(text, starts, ends, tuple(tokens(pieces)))

    def window(self, window: Window) -> str:
        """The text of a range of sentences."""
        return self.text[self.starts[window[0]] : self.ends[window[1] - 1]]

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
        over = plan(self.lengths, room)
        if held is None or any(a <= held[0] and held[1] <= b for a, b in over.windows):
            return over
        more = self.around(held, room)
        unread = tuple(n for n in over.unread if not more[0] <= n < more[1])
        return Plan(tuple(sorted({*over.windows, more})), unread)

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
                if 0 <= place < len(self.lengths) and used + self.lengths[place] <= room:
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
