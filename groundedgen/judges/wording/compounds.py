"""Words joined by hyphens: a would-be owner, an owner-to-be and a co-owner are no owners."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["halved"]

_HYPHENS: Final = frozenset("-\u2010\u2011")


def halved(al: Alignment) -> Flip | None:
    """A small word that the claim takes out of a compound, or a compound of them before its own.

    Those of more weight are found by the rules on what a claim leaves out.
    """
    side = al.sentence
    for run in _compounds(side):
        small = [i for i in run if i not in side.keys and side.words[i].text[0].isalpha()]
        lost = [i for i in small if side.words[i].text not in al.claim.vocabulary]
        touched = any(i in al.here for i in (*run, run.stop))
        if lost and touched:
            text = side.text[side.words[run.start].start : side.words[run.stop - 1].end]
            return Flip("leftover", f'the passage says "{text}"')
    return None


def _compounds(side: Analysis) -> Iterator[range]:
    """The words that hyphens join, as ranges of places."""
    start = 0
    for place, (word, following) in enumerate(pairwise(side.words), 1):
        if side.text[word.end : following.start] not in _HYPHENS:
            if place - start > 1:
                yield range(start, place)
            start = place
    if len(side.words) - start > 1:
        yield range(start, len(side.words))
