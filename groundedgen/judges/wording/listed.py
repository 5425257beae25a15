"""A list of conditions: "You qualify if:" over three items makes three conditions of them.

Whoever tells one of them tells what is not so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from groundedgen.judges.wording.flips import Flip
from groundedgen.patterns import lazy
from groundedgen.text.limiting.conditionlists import conditions
from groundedgen.text.lines import MARKER

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.sentences import Span

__all__ = ["InARow", "in_a_row", "unlisted"]

_MOST_OF_IT: Final = 0.6  # share of an item's words that a claim must keep
# "If you meet all of these conditions" says no more than "if" where they stand behind it.
_ALL_OF: Final = lazy(
    r"(\b(?:if|when|where|provided(?:\s+that)?))\s+(?:(?:you|they|we)\s+(?:meet|satisfy|fulfil)\s+)?"
    r"(?:all|each|both)\s+of\s+(?:these|those|the\s+following)(?:\s+\p{L}+){0,4}\Z",
    regex.IGNORECASE,
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
