"""Words that are others in capitals: carbon monoxide is CO, cobalt is Co."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundedgen.judges.wording.flips import Flip
from groundedgen.text.lettercase import is_other_word

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["respelled"]


def respelled(al: Alignment) -> Flip | None:
    """A word of the claim that the sentence writes as an acronym, or the other way round.

    Where one of the two texts is all of capitals its case tells nothing.
    """
    if not any(map(str.islower, al.claim.text)) or not any(map(str.islower, al.sentence.text)):
        return None
    for place, word in enumerate(al.claim.words):
        there = [al.there[place]] if place in al.there else _places(al.sentence, word.text)
        here = _written(al.claim, place)
        like = [w for at in there if (w := _written(al.sentence, at)).casefold() == here.casefold()]
        if like and all(is_other_word(here, other) for other in like):
            return Flip("spelling", f'the passage writes "{like[0]}", the claim "{here}"')
    return None


def _places(side: Analysis, text: str) -> list[int]:
    """Where a word stands that is too small to be linked: "us"."""
    return [at for at, word in enumerate(side.words) if word.text == text]


def _written(side: Analysis, place: int) -> str:
    return side.text[side.words[place].start : side.words[place].end]
