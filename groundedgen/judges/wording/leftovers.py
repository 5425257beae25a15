"""What of the passage's sentence a claim leaves out, and whether it may.

Nothing that is left out is trusted for not being in a list of words that take a sentence back:
lists leak. What may be left out is told instead, by where it stands and how it begins: a date, a
place, a further item, another clause. All else stops the claim.

A statement of what is so (a right, a duty, cover, a price) is stricter than a fact of the past:
whatever stands beside it limits it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.leftwords import (
    ADJUNCTS,
    HOLDING,
    REPORTING,
    RULING,
    TERMS,
    TIMES,
    UNSURE,
)
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = [
    "ASIDE",
    "COPULA",
    "PARTNERS",
    "PAST",
    "RELATIVE",
    "has_past",
    "is_doubting",
    "is_listed",
    "is_place_or_time",
    "looks_verbal",
    "phrase",
    "states_terms",
    "verb_place",
]

_PRESENT: Final = frozenset(
    ["is", "are", "am", "may", "must", "shall", "will", "can", "should", "cannot", "needs"]
)
# In "ed" as participles are; "leaves" and "lives" are as irregular as they.
_NO_PAST: Final = frozenset(["need", "exceed", "proceed", "speed", "seed", "feed", "bed"])
PAST: Final = frozenset(["was", "were", "had", "did", "been"])
COPULA: Final = frozenset(["is", "are"])
_DESCRIBING: Final = frozenset(["a", "an", "the", "one", "in", "located", "situated", "born"])
ASIDE: Final = frozenset(["unlike", "not", "rather", "like", "including"])
RELATIVE: Final = frozenset(["which", "who", "whose", "whom", "where"])
PARTNERS: Final = 2  # content words of a noun phrase


def has_past(side: Analysis) -> bool:
    """Whether a sentence tells what happened or what something is, not what is so or may be."""
    if _modals(side):
        return False
    texts = [word.text for word in side.words]
    if _is_of_terms(side):
        return False
    if any(a in COPULA and b in _DESCRIBING for a, b in pairwise(texts)):
        return True  # "is a country", "is located"
    if not side.vocabulary.isdisjoint(_PRESENT):
        return False
    if not side.vocabulary.isdisjoint(PAST):
        return True
    return any(
        i and is_past(word := side.words[i].text) and word not in _NO_PAST and word[-1] != "s"
        for i in side.content
    )


def _modals(side: Analysis) -> bool:
    """Whether something is said to be allowed, due or possible; the month of May is not."""
    return any(
        side.words[m.first].text != "may" or not side.words[m.first].capital or m.first == 0
        for m in side.of("modal")
    )


def states_terms(side: Analysis) -> bool:
    """Whether a sentence states a right, a duty, cover or a price, and no mere fact."""
    if has_past(side):
        return False
    texts = [word.text for word in side.words]
    passive = any(a in COPULA and is_past(b) for a, b in pairwise(texts))
    return _modals(side) or passive or _is_of_terms(side)


def _is_of_terms(side: Analysis) -> bool:
    """Whether a sentence in the present states a term: "it covers", "the limit is a sum"."""
    if not side.vocabulary.isdisjoint(PAST):
        return False
    if not side.vocabulary.isdisjoint(RULING):
        return True
    texts = ["", *(word.text for word in side.words)]
    if any(b in HOLDING and a != "to" for a, b in pairwise(texts)):
        return True
    figured = bool(side.content) and side.is_number(side.content[0])
    return not side.vocabulary.isdisjoint(COPULA) and (
        figured or not side.vocabulary.isdisjoint(TERMS)
    )


def verb_place(side: Analysis) -> int:
    """Where the verb of a sentence stands, as far as forms tell; at least behind one word."""
    first = side.content[0] if side.content else 0
    modals = {m.first for m in side.of("modal")}
    for place, word in enumerate(side.words):
        if word.text in AUXILIARIES or place in modals:
            return place
        if place > first and place in side.keys and is_past(word.text):
            return place
    for place in side.content:
        if place > first and side.words[place].text.endswith("s") and not side.intro(place):
            return place
    return first + 1


def is_doubting(al: Alignment, left: Sequence[int]) -> bool:
    """Whether somebody says, thinks or doubts something in the words that are left out."""
    side = al.sentence
    places = set(left)
    doubts = [m for m in side.of("doubt") if m.first in places]
    if any(not _is_mild(side, m.first) for m in doubts):
        return True
    return any(
        (word := side.words[i].text) in REPORTING
        or (word in UNSURE and not (i + 1 in places and side.words[i + 1].text in ADJUNCTS))
        for i in left
    )


def _is_mild(side: Analysis, place: int) -> bool:
    """As "and a former port", and "apparently by his son", which doubts who did it."""
    word, following = side.words[place].text, side.words[place + 1 : place + 2]
    if word in ("former", "formerly"):
        return True
    return word.endswith("ly") and any(w.text in ADJUNCTS for w in following)


def is_place_or_time(side: Analysis, place: int) -> bool:
    word = side.words[place]
    return (word.capital and place > 0) or side.is_number(place) or word.text in TIMES


def looks_verbal(side: Analysis, place: int) -> bool:
    word = side.words[place]
    if word.text in AUXILIARIES:
        return True
    return (
        place in side.keys and not word.capital and (is_past(word.text) or word.text.endswith("s"))
    )


def is_listed(side: Analysis, place: int) -> bool:
    """Whether a word is an item of a list that goes on behind it."""
    following = [w.text for w in side.words[place + 1 : place + 6]]
    return "and" in following


def phrase(side: Analysis, left: Sequence[int]) -> str:
    return " ".join(side.words[i].text for i in left[:5])
