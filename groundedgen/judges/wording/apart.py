"""A figure told of something else than the passage tells it of.

"Children take 4 g" where children take 250 mg and adults 4 g: each word stands in the passage,
and a score over shared words sees nothing. So each part of a short claim that holds a figure has
to lie on one sentence with it, as far as its words stand in the passage at all: what stands
nowhere there is the claim's own way to say it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from groundedgen.judges.wording.lexwords import is_content, tokens
from groundedgen.patterns import lazy
from groundedgen.text.english.kinship import key
from groundedgen.text.questions import is_heading
from groundedgen.text.standing import can_assert

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundedgen.judges.wording.lexpassage import Passage

__all__ = ["apart"]

# Between two of "three months for landlords and six months for tenants".
_JOINT: Final = lazy(r";|,\s|\n|\b(?:and|but|or|while|whereas)\b", regex.IGNORECASE)
# "FiO2" and "M^3RL" are names.
_NAME: Final = lazy(r"\S*(?:\p{L}\^?\p{Nd}|\p{Nd}\p{Lu}{2})\S*")
# Words of a part in which the figure is the point: none of them may come from elsewhere. Two may
# in a longer one, and the longest are put together in many ways.
_SHORT: Final = 8
_LONG: Final = 14
_ADDED: Final = 2
_WHOLE: Final = 0.9  # of a word, found elsewhere
_HALF: Final = 0.5  # the same, found beside the figure
_REACH: Final = 8  # sentences under a heading
# A sentence with one of these speaks of what the one before it names.
_POINTS = """
it its they their them this that these those such he his him she her both each
"""
_POINTING: Final = frozenset(_POINTS.split())


def apart(claim: str, passage: Passage) -> tuple[str, ...]:
    """The words of a claim that the passage holds, but not beside the figure they stand with.

    Args:
        claim: One sentence.
        passage: The passage, read.

    >>> from groundedgen.judges.wording.lexpassage import Passage
    >>> passage = Passage("Adults take 4 g a day. Children take 250 mg.")
    >>> apart("Children take 4 g.", passage), apart("Adults should take 4 g daily.", passage)
    (('children',), ())
    """
    for words in _parts(claim):
        lost = _lost(words, passage) if len(words) <= _LONG else ()
        if len(lost) > (0 if len(words) <= _SHORT else _ADDED):
            return lost
    return ()


def _parts(claim: str) -> Iterator[list[str]]:
    """The content words of each part with a figure; the whole claim where there is one such."""
    bare = _NAME.sub(" ", claim)
    parts = [part for piece in _JOINT.split(bare) if any(map(_is_figure, part := tokens(piece)))]
    for part in parts if len(parts) > 1 else [tokens(claim)] if parts else []:
        yield [word for word in dict.fromkeys(part) if is_content(word) or _is_figure(word)]


def _is_figure(word: str) -> bool:
    return word != "one" and key(word)[:1].isdecimal()


def _lost(words: Sequence[str], passage: Passage) -> tuple[str, ...]:
    """What the sentence that holds most beside the figures lacks, of what the others hold."""
    holding = {word: passage.holding(word) for word in words}
    known = [word for word in words if max(holding[word].values(), default=0.0) >= _WHOLE]
    figures = [word for word in words if _is_figure(word)]
    lost: tuple[str, ...] | None = None
    for number in sorted({number for figure in figures for number in holding[figure]}):
        beside = _beside(number, passage)
        here = tuple(
            word for word in known if all(holding[word].get(n, 0.0) < _HALF for n in beside)
        )
        if lost is None or len(here) < len(lost):
            lost = here
    return lost or ()


def _beside(number: int, passage: Passage) -> set[int]:
    """A sentence, the one it points back to, and the heading above it."""
    beside = {number}
    if number and not _POINTING.isdisjoint(passage.tokens[number]):
        beside.add(number - 1)
    over = range(number - 1, max(-1, number - 1 - _REACH), -1)
    above = next((n for n in over if _leads(n, passage)), None)
    return beside if above is None else beside | {above}


def _leads(number: int, passage: Passage) -> bool:
    """Whether a sentence names what those below are about: a heading or a question."""
    start, end = passage.spans[number]
    if not can_assert(passage.text, start, end):
        return True
    return is_heading(passage.text[start:end]) and not any(map(_is_figure, passage.tokens[number]))
