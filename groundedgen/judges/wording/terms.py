"""What stands apart behind a statement of what is so, by a comma, a dash or as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.leftovers import ASIDE, PARTNERS, RELATIVE, has_past
from groundedgen.judges.wording.leftwords import ADJUNCTS
from groundedgen.judges.wording.limits import (
    ends_predicate,
    is_fine_aside,
    is_fine_relative,
    is_further,
    is_own_clause,
    may_limit,
)
from groundedgen.text.english.phrases import AUXILIARIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["ends_list", "may_stand_apart", "rest_of", "taken_back"]

_TURNING_ROUND: Final = frozenset(
    ["but", "yet", "however", "though", "although", "while", "despite", "instead"]
)


def may_stand_apart(
    al: Alignment, part: Sequence[int], content: Sequence[int], between: str
) -> bool:
    """Whether words that `between` sets off may go behind what is so."""
    opens = al.sentence.words[part[0]].text
    if opens in _TURNING_ROUND:
        return False
    if any(sign in between for sign in ":\u2013\u2014") or " - " in between:
        return is_own_clause(al, part)
    if opens in ASIDE:
        return is_fine_aside(al, part)
    if "(" in between or "[" in between:
        return True  # `bracketed` has read it
    return _may_go_on(al, part, content) or (
        opens in AUXILIARIES and part[0] - 1 in al.here  # the claim lies in an aside
    )


def _may_go_on(al: Alignment, part: Sequence[int], content: Sequence[int]) -> bool:
    """Whether it is one more item, or a clause that tells what something is."""
    side, opens = al.sentence, al.sentence.words[part[0]].text
    if opens in ("and", "or"):
        short = opens == "and" or len(content) <= PARTNERS
        return short and is_further(al, part, part[0] - 1)
    if opens in RELATIVE:
        named = len(content) > PARTNERS or any(side.words[i].capital for i in content)
        return named and is_fine_relative(side, part)
    return ends_list(side, part) and not (may_limit(side, part) or ends_predicate(side, part[0]))


def rest_of(side: Analysis, place: int) -> list[int]:
    """The words from a place to the end of the sentence."""
    ends = [i for i, w in enumerate(side.words) if side.below and w.start >= side.below]
    return list(range(place, ends[0] if ends else len(side.words)))


def taken_back(al: Alignment) -> Flip | None:
    """A sentence behind that limits the claim's, as `limits_what_precedes` tells it.

    Of what happened "However, ..." may go on with the story.
    """
    side = al.sentence
    behind = [i for i, w in enumerate(side.words) if side.below and w.start >= side.below]
    if not behind or any(i in al.here for i in behind):
        return None
    if has_past(al.claim) and side.words[behind[0]].text in _GOING_ON:
        return None
    return Flip("leftover", "the sentence behind it in the passage limits it")


_GOING_ON: Final = frozenset(
    ["however", "but", "nevertheless", "nonetheless", "notwithstanding", "otherwise"]
)


def ends_list(side: Analysis, part: Sequence[int]) -> bool:
    """Whether a part is an item of a list, of which the last is joined by "and" or "or"."""
    number = side.segment[part[0]]
    rest = [i for i in range(part[0], len(side.words)) if side.segment[i] - number <= 3]
    ahead = next((i for i in rest if side.words[i].text in ("and", "or")), None)
    if ahead is None:
        return False
    item = [i for i in range(part[0], ahead) if i in side.keys]
    plain = all(side.words[i].text not in AUXILIARIES for i in range(part[0], ahead))
    return plain and side.words[part[0]].text not in ADJUNCTS and len(item) <= 4
