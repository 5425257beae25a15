"""Which words of a claim say the same as which words of a passage: handles to match by.

A word is filed under several handles (its stem, its family, its synonyms, what it is a
kind of, its opposites); two words are kin where they share one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from groundedgen.patterns import lazy
from groundedgen.text.english.senses import WAYS
from groundedgen.text.english.sensewords import AGENTS, ENDINGS, KINDS_OF, OPPOSITES, RELATED, SAME
from groundedgen.text.tokens import stem

__all__ = ["Kin", "handles", "key", "sought"]

Kin = Literal["same", "family", "synonym", "way", "kind", "opposite", "part"]

_AGENT: Final = lazy(rf"\p{{L}}{{3,}}(?:{'|'.join(AGENTS)})")
_LEAST_ROOT: Final = 4
_BELOW_TWENTY: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBER_WORDS: Final = {w: str(i) for i, w in enumerate(_BELOW_TWENTY.split())} | {
    w: str(10 * i) for i, w in enumerate(_TENS.split(), 2)
}


@lru_cache(maxsize=65_536)
def key(text: str) -> str:
    """The form in which a folded word is compared: its stem, agent and recipient kept apart.

    The stemmer takes the ending off both; "the employer pays" is not "the employee pays".

    >>> key("employers"), key("employees"), key("employed"), key("covers")
    ('employ+er', 'employe+ee', 'employ', 'cover')
    """
    if text in _NUMBER_WORDS:
        return _NUMBER_WORDS[text]
    base = stem(text)
    ending = text.rstrip("s")[-2:]
    if _AGENT.fullmatch(text) and not base.endswith(ending):
        return f"{base}+{ending}"
    return base


@lru_cache(maxsize=65_536)
def _root(text: str) -> str:
    """The word without its longest ending that leaves four letters: "coverage" is "cover"."""
    for ending in ENDINGS:
        if text.endswith(ending) and len(text) - len(ending) >= _LEAST_ROOT:
            return text[: -len(ending)]
    return text


def _lines(table: str) -> list[list[str]]:
    rows = table.strip().replace("\n", "|").split("|")
    return [[key(word.casefold()) for word in row.split()] for row in rows if row.strip()]


def _groups(table: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, row in enumerate(_lines(table)):
        for word in row:
            found.setdefault(word, []).append(number)
    return found


def _pairs(table: str, *, both_ways: bool) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one, other in _lines(table):
        found.setdefault(one, set()).add(other)
        if both_ways:
            found.setdefault(other, set()).add(one)
    return found


_SAME: Final = _groups(SAME)
_RELATED: Final = _groups(RELATED)
_KINDS_OF: Final = _pairs(KINDS_OF, both_ways=False)
_OPPOSITES: Final = _pairs(OPPOSITES, both_ways=True)


@lru_cache(maxsize=65_536)
def handles(text: str) -> tuple[str, ...]:
    """What a passage's word is filed under.

    >>> {"car", "r:car", "k:vehicl"} <= set(handles("car")), handles("5")
    (True, ('5',))
    """
    own = key(text)
    if not own[0].isalpha():
        return (own,)
    return (
        own,
        f"r:{_root(text)}",
        *(f"f:{number}" for number in _RELATED.get(own, ())),
        *(f"s:{number}" for number in _SAME.get(own, ())),
        *((f"w:{WAYS[text]}",) if text in WAYS else ()),
        *(f"k:{other}" for other in sorted(_KINDS_OF.get(own, ()))),
        *(f"o:{other}" for other in sorted(_OPPOSITES.get(own, ()))),
        *((f"p:{text[:4]}",) if len(text) >= _LEAST_ROOT + 1 else ()),
    )


@lru_cache(maxsize=65_536)
def sought(text: str) -> tuple[tuple[str, Kin], ...]:
    """The handles that a claim's word is looked for under, closest kin first.

    >>> sought("vehicle")[0], ("k:vehicl", "kind") in sought("vehicle")
    (('vehicl', 'same'), True)
    """
    own = key(text)
    if not own[0].isalpha():
        return ((own, "same"),)
    return (
        (own, "same"),
        (f"r:{_root(text)}", "family"),
        *((f"f:{number}", "family") for number in _RELATED.get(own, ())),
        *((f"s:{number}", "synonym") for number in _SAME.get(own, ())),
        *(((f"w:{WAYS[text]}", "way"),) if text in WAYS else ()),
        (f"k:{own}", "kind"),
        (f"o:{own}", "opposite"),
        *(((f"p:{text[:4]}", "part"),) if len(text) >= _LEAST_ROOT + 1 else ()),
    )
