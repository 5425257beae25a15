"""What a list binds together: conditions to each other, a line to its label.

"You qualify if:" over three items makes three conditions of them, and whoever tells one tells
what is not so. "CHAPS: the same day" says nothing of SEPA, which is the next line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.lexwords import content_of, tokens
from groundedgen.judges.wording.provisos import condition
from groundedgen.patterns import lazy
from groundedgen.text.limiting.conditionlists import conditions
from groundedgen.text.lines import MARKER

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis
    from groundedgen.text.sentences import Span

__all__ = ["InARow", "in_a_row", "label_of", "unlabelled", "unlisted"]

_MOST_OF_IT: Final = 0.6  # share of an item's words that a claim must keep
_HALF: Final = 0.5  # the same of a label
# "If you meet all of these conditions" says no more than "if" where they stand behind it.
_ALL_OF: Final = lazy(
    r"(\b(?:if|when|where|provided(?:\s+that)?))\s+(?:(?:you|they|we)\s+(?:meet|satisfy|fulfil)\s+)?"
    r"(?:all|each|both)\s+of\s+(?:these|those|the\s+following)(?:\s+\p{L}+){0,4}\Z",
    regex.IGNORECASE,
)
_LABEL: Final = lazy(
    r"[\s*_]*((?:[^\s:.!?;,|]+[^\S\n]+){0,4}[^\s:.!?;,|]+)[*_]*:[*_]*[^\S\n]+(?=\S)"
)


class InARow(NamedTuple):
    """A list as one sentence, where its items stand in it, and whether more should follow."""

    text: str
    items: tuple[Span, ...]
    is_cut: bool


def in_a_row(text: str) -> InARow | None:
    r"""A list of conditions that must all hold, as one sentence; `None` for any other text.

    >>> in_a_row("You qualify if you:\n- are over 18;\n- live here.").text
    'You qualify if you are over 18 and live here.'
    """
    found = conditions(text)
    if found is None:
        return None
    marker = MARKER.match(text)
    lead = text[marker.end() if marker else 0 : found.lead].strip(" *_")
    row = _ALL_OF.sub(r"\1", lead) + " "
    items: list[Span] = []
    for number, (start, end) in enumerate(found.items):
        if number:
            row += f" {found.joint} " if number + 1 == len(found.items) else ", "
        items.append((len(row), len(row) + end - start))
        row += text[start:end]
    return InARow(f"{row}.", tuple(items), found.is_open)


def unlisted(al: Alignment) -> Flip | None:
    """A list of conditions of which the claim does not keep every one."""
    side = al.sentence
    if not al.here or not (side.items or side.is_cut):
        return None
    if side.is_cut:
        return Flip("list", "the passage ends within a list of conditions")
    for start, end in side.items:
        places = [i for i in side.content if start <= side.words[i].start < end]
        held = sum(place in al.here for place in places)
        if held < _MOST_OF_IT * len(places):
            phrase = side.words[places[0]].text
            return Flip("list", f'the claim drops the condition with "{phrase}" from the list')
    return None


def label_of(text: str, spans: list[Span], number: int) -> frozenset[str]:
    r"""What tells the label of a line from those beside it; empty for no line with a label.

    >>> from groundedgen.text.sentences import sentence_spans
    >>> text = "- Gold card: 5 euros\n- Basic card: free"
    >>> label_of(text, sentence_spans(text), 0)
    frozenset({'gold'})
    """
    own = _label(text, spans, number)
    beside = [_label(text, spans, n) for n in (number - 1, number + 1)]
    if not own or not any(beside):
        return frozenset()
    return frozenset(own.difference(*beside))


def _label(text: str, spans: list[Span], number: int) -> set[str]:
    """The content words of the label that a line begins with."""
    if not 0 <= number < len(spans):
        return set()
    start, end = spans[number]
    if number and "\n" not in text[spans[number - 1][1] : start]:
        return set()
    marker = MARKER.match(text, start, end)
    found = _LABEL.match(text, marker.end() if marker else start, end)
    return content_of(tokens(found[1])) if found else set()


def unlabelled(al: Alignment) -> Flip | None:
    """What a line says behind its label, told of something else or without its condition."""
    side = al.sentence
    if not side.label or not al.here:
        return None
    behind = side.text.find(":", side.above) if side.above else side.text.find(":")
    if not any(side.words[place].start > behind for place in al.here):
        return None
    if _held(al, side, behind) < _HALF * len(side.label):
        return Flip("list", "the passage says it of what stands before the colon")
    dropped = condition(al)
    return None if dropped is None else Flip("list", dropped.why)


def _held(al: Alignment, side: Analysis, behind: int) -> int:
    """How many words of the label the claim keeps."""
    words = (side.words[place] for place in al.here)
    return len({word.text for word in words if word.start < behind} & side.label)
