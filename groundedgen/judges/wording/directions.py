"""Words that say where a quantity goes: up, down, the same, or some way or other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Way", "directions"]

Way: TypeAlias = Literal["up", "down", "same", "some"]

_TABLE: Final[dict[Way, str]] = {
    "up": (
        "increase increases increased increasing raise raises raised rise rises rose risen rising"
        " higher greater more larger longer elevated improve improves improved improvement gain"
        " gained grow grows grew growth better superior enhanced enhances doubled"
        " prolonged stronger"
    ),
    "down": (
        "decrease decreases decreased decreasing reduce reduces reduced reducing reduction"
        " reductions lower lowered lowers fewer less shorter smaller fall falls fell fallen falling"
        " drop drops dropped decline declines declined diminished worse worsened"
        " inferior attenuated suppressed inhibited cut weaker shortened"
    ),
    "same": "similar similarly comparable equivalent unchanged unaffected equal same identical",
    "some": (
        "difference differences differ differs differed different differently change changes"
        " changed effect effects affect affected affects influence influenced alter altered"
    ),
}
_WAYS: Final[dict[str, Way]] = {
    word: way for way, words in _TABLE.items() for word in words.split()
}
_WEIGHED: Final = frozenset(["significant", "significantly"])
_NEGATORS: Final = frozenset(["no", "not", "nor", "neither", "never", "none", "without"])
_REACH: Final = 6  # words before a direction in which a "not" turns it


def directions(words: Sequence[str]) -> list[tuple[int, Way]]:
    """The directions that folded words speak of, with their places.

    What is denied stays the same: "no difference", "did not increase", "not significantly".

    >>> directions("the risk did not increase".split()), directions("rent rose".split())
    ([(4, 'same')], [(1, 'up')])
    """
    found: list[tuple[int, Way]] = []
    for place, word in enumerate(words):
        way = _WAYS.get(word)
        if way is None and word not in _WEIGHED:
            continue
        denied = not _NEGATORS.isdisjoint(words[max(0, place - _REACH) : place])
        if denied:
            found.append((place, "some" if way == "same" else "same"))
        elif way is not None:
            found.append((place, way))
    return found
