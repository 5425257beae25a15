"""Rewriting a text in steps, each of which remembers where it cut."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from groundedgen.text.folding.rules import Edit

__all__ = ["Draft", "Step", "rewrite"]


@dataclass(frozen=True, slots=True)
class Step:
    """Where one rewriting cut: for each edit its span in the new text and in the old one."""

    starts: Sequence[int]
    ends: Sequence[int]
    old_starts: Sequence[int]
    old_ends: Sequence[int]

    def start_of(self, position: int) -> int:
        """Where the new character at `position` began in the old text."""
        i = bisect_right(self.starts, position) - 1
        if i < 0:
            return position
        if position < self.ends[i]:
            return self.old_starts[i]
        return position - self.ends[i] + self.old_ends[i]

    def end_of(self, position: int) -> int:
        """Where the new character at `position` ended in the old text."""
        i = bisect_right(self.starts, position) - 1
        if i >= 0 and position < self.ends[i]:
            return self.old_ends[i]
        return self.start_of(position) + 1


def rewrite(text: str, edits: Sequence[Edit]) -> tuple[str, Step]:
    """Apply `edits` (start, end, replacement; sorted, not overlapping) and keep where they cut.

    >>> rewrite("a--b", [(1, 3, "-")])[0]
    'a-b'
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = length = 0
    for start, end, new in edits:
        pieces += (text[done:start], new)
        length += start - done
        starts.append(length)
        length += len(new)
        ends.append(length)
        done = end
    pieces.append(text[done:])
    step = Step(
        array("I", starts),
        array("I", ends),
        array("I", [edit[0] for edit in edits]),
        array("I", [edit[1] for edit in edits]),
    )
    return "".join(pieces), step


class Draft:
    """A text on its way through the rewritings."""

    __slots__ = ("steps", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps: list[Step] = []

    def edit(self, edits: Sequence[Edit]) -> bool:
        """Apply edits as one more step; whether there were any."""
        if edits:
            self.text, step = rewrite(self.text, edits)
            self.steps.append(step)
        return bool(edits)
