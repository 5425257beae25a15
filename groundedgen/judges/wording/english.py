"""Whether a text is English, told by what is there: in doubt it is not."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from groundedgen.judges.wording.lexical_table import RARITY
from groundedgen.text.english.kinship import key
from groundedgen.text.tokens import guess_language, words
from groundedgen.text.vocabulary import FUNCTION_WORDS

__all__ = ["is_english", "may_be_english"]

# Function words of English that other languages in Latin letters use as words too.
_SHARED_WORDS = """
a an as at by can do die dig down etc for hers i ie in is it les la m me men more most no of off on
or per s t d so some such to under up via was will we all am are be over her his my she he has ten
if us
"""
_SHARED: Final = frozenset(_SHARED_WORDS.split())
_OWN: Final = (
    FUNCTION_WORDS["en"]
    - _SHARED
    - frozenset().union(*(table for lang, table in FUNCTION_WORDS.items() if lang != "en"))
)
_ENOUGH: Final = 0.5  # share of a text's words that are known, where no word is English alone
_FEW: Final = 0.4  # where one is
_SOME: Final = 0.3  # of a claim's


def is_english(text: str) -> bool:
    """Whether a sentence has a word that is English alone, or consists of known words.

    >>> is_english("Rent is due in May."), is_english("Vattenskada täcks av försäkringen.")
    (True, False)
    >>> is_english("Hochwasser ist not versichert"), is_english("Waterschade is gedekt.")
    (False, False)
    """
    found = _words(text)
    if not found or guess_language(text) not in (None, "en"):
        return False
    own = sum(word in _OWN for word in found)
    small = [word.text for word in words(text, "en") if not word.capital]
    if len(small) > 1:
        found = small  # names are of no language
    share = _known(found)
    return share > _ENOUGH or (own > 0 and share >= _FEW)


def may_be_english(text: str, *, whole: bool) -> bool:
    """Whether a claim about an English sentence can be English.

    Args:
        text: The claim.
        whole: Whether all its words stand in that sentence, which tells for it.
    """
    found = _words(text)
    known = whole or not found or _known(found) >= _SOME
    return known and guess_language(text) in (None, "en")


def _words(text: str) -> list[str]:
    """The words of a text, without figures."""
    return [word.text for word in words(text, "en") if not word.text[0].isdigit()]


def _known(found: list[str]) -> float:
    return sum(map(_is_known, found)) / len(found)


@lru_cache(maxsize=65_536)
def _is_known(word: str) -> bool:
    return word.isascii() and (word in FUNCTION_WORDS["en"] or key(word) in RARITY)
