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

    def closest(self, windows: Sequence[Window], claim: str) -> tuple[int, ...]:
        """Places of the windows that hold most different content words of the claim, if any."""
        if len(windows) == 1:
            return (0,)
        wanted = set(content_stems(claim))
        held = [len(wanted.intersection(content_stems(self.window(w)))) for w in windows]
        most = max(held)
        return tuple(n for n, count in enumerate(held) if most and count == most)


def decide(
    windows: Sequence[Window],
    shares: Sequence[Shares],
    closest: Collection[int],
    threshold: float,
) -> tuple[Label, int]:
    """The verdict on a premise read in windows, and the window that decides it.

    The best window's entailment counts. A contradiction wins over it, if it is read where the
    evidence is: in that window, in one that shares a sentence with it, or in one of those that
    hold most words of the claim. A contradiction far from all of these is left aside: models
    call much that is unrelated a contradiction, and long documents would support nothing.

    Args:
        windows: At least one.
        shares: The model's, window by window.
        closest: Places of the windows that share most words with the claim.
        threshold: Least share of entailment that supports, above 0, at most 1.

    >>> low, high, against = Shares(0.1, 0.1, 0.8), Shares(0.9, 0.0, 0.1), Shares(0.1, 0.9, 0.0)
    >>> decide([(0, 2), (1, 3), (3, 4)], [low, high, against], [1], 0.5)
    ('supported', 1)
    >>> decide([(0, 2), (1, 3), (3, 4)], [against, high, low], [1], 0.5)
    ('contradicted', 0)
    """
    best = max(range(len(windows)), key=lambda n: shares[n].entailment)
    first, end = windows[best]
    holding = {n for n, (a, b) in enumerate(windows) if a < end and first < b} | set(closest)
    worst = max(sorted(holding), key=lambda n: shares[n].contradiction)
    if _contradicts(shares[worst]):
        return "contradicted", worst
    found = shares[best]
    if found.entailment >= threshold and found.entailment > found.contradiction:
        return "supported", best
    return "not_addressed", best


def _contradicts(shares: Shares) -> bool:
    return shares.contradiction > max(shares.entailment, shares.other)
