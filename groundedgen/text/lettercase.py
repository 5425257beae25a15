"""Letter case that tells two things apart: 5 mM and 5 mm, CO and Co, BRCA1 and Brca1, US and us.

Comparison folds case, since headings and beginnings of sentences write the same word in capitals.
Where the case is the word, what folds alike is not the same. In a text all of capitals it tells
nothing, and so it may stand for either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundedgen.patterns import lazy
from groundedgen.text.numbers.units import units_of

__all__ = ["is_other_word", "recased"]

_WORDS: Final = lazy(r"[\p{L}\p{N}\p{M}]+")
_SYMBOL: Final = lazy(r"(?:\p{N}+)?(\p{L}*)")
_SHORT: Final = 3  # letters
_CLEAR: Final = 4  # letters of a word in capitals that make those beside it a heading


def is_other_word(one: str, other: str) -> bool:
    """Whether two words of the same letters name two things: an acronym, and what is none.

    Longer acronyms are written as names too (NATO and Nato, COVID and Covid).

    >>> is_other_word("CO", "Co"), is_other_word("BRCA1", "Brca1"), is_other_word("US", "us")
    (True, True, True)
    >>> is_other_word("NATO", "Nato"), is_other_word("AIDS", "aids"), is_other_word("The", "the")
    (False, True, False)
    """
    if one == other or _is_acronym(one) == _is_acronym(other):
        return False
    acronym, word = (one, other) if _is_acronym(one) else (other, one)
    short = len(acronym) <= _SHORT or any(char.isnumeric() for char in acronym)
    return short or word.islower()


def _is_acronym(word: str) -> bool:
    return word.isupper() and sum(map(str.isalpha, word)) > 1


def recased(text: str, source: str) -> bool:
    """Whether a text writes a word or unit of a source, which it repeats, as another one.

    Args:
        text: What repeats it, equal when folded.
        source: The words of the passage.

    >>> recased("The level was 5 mm.", "The level was 5 mM.")
    True
    >>> recased("The fee is due.", "THE FEE IS DUE."), recased("5 km are free.", "5 KM ARE FREE.")
    (False, False)
    """
    if text == source or _is_shouted(text) or _is_shouted(source):
        return False
    ours, theirs = _WORDS.findall(text), _WORDS.findall(source)
    if [word.casefold() for word in ours] == [word.casefold() for word in theirs]:
        return any(_differs(ours, theirs, at, at) for at in range(len(ours)))
    places: dict[str, list[int]] = {}
    for at, word in enumerate(theirs):
        places.setdefault(word.casefold(), []).append(at)
    return any(
        (like := places.get(word.casefold())) is not None
        and all(_differs(ours, theirs, at, there) for there in like)
        for at, word in enumerate(ours)
    )


def _is_shouted(text: str) -> bool:
    return not any(map(str.islower, text))


def _differs(ours: Sequence[str], theirs: Sequence[str], here: int, there: int) -> bool:
    one, other = ours[here], theirs[there]
    if one == other or _is_in_heading(ours, here) or _is_in_heading(theirs, there):
        return False
    if _counts(ours, here) and _counts(theirs, there):
        units, found = (units_of(_letters(word)) for word in (one, other))
        if units and found:
            return units.isdisjoint(found)
    return is_other_word(one, other)


def _is_in_heading(words: Sequence[str], at: int) -> bool:
    """Whether a word stands in a run of capitals with a longer one: "COVER OF FIRE"."""
    first = last = at
    while first and words[first - 1].isupper():
        first -= 1
    while last + 1 < len(words) and words[last + 1].isupper():
        last += 1
    others = (*words[first:at], *words[at + 1 : last + 1])
    return words[at].isupper() and any(len(word) >= _CLEAR and word.isalpha() for word in others)


def _counts(words: Sequence[str], at: int) -> bool:
    """Whether a word stands behind a number, or is glued to one."""
    return words[at][0].isnumeric() or (at > 0 and words[at - 1][-1].isnumeric())


def _letters(word: str) -> str:
    found = _SYMBOL.match(word)
    return found[1] if found else ""
