"""Words as the lexical judge scores them: cut by one cheap pattern, compared by their kin.

A coarser and faster view than `text.analysis`, for passages of which most sentences matter
little. A word is stemmed only when a word of a claim begins like it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.alignment import WORTH, alike
from groundedgen.patterns import compiled
from groundedgen.text.english.kinship import handles, key, sought
from groundedgen.text.english.senses import WAYS
from groundedgen.text.english.sensewords import KINDS_OF, OPPOSITES, RELATED, SAME
from groundedgen.text.vocabulary import FUNCTION_WORDS, IRREGULAR

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "GRAMMAR",
    "TURNING",
    "beginning",
    "beginnings",
    "content_of",
    "is_content",
    "own_beginnings",
    "tokens",
    "worth",
]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# The small words that turn a meaning: they are compared by sense, not found or missed.
GRAMMAR: Final[dict[str, frozenset[str]]] = {
    "negation": _set(
        "not no never neither nor none nobody nothing nowhere without hardly scarcely barely"
    ),
    "universal": _set(
        "all every each always entire entirely whole everyone everybody everything never none"
        " completely totally throughout"
    ),
    "only": _set("only solely exclusively merely alone"),
    "may": _set("may might can could permitted allowed entitled optional possibly perhaps"),
    "should": _set("should ought recommended"),
    "must": _set("must shall required obliged obligated mandatory compulsory"),
    "partial": _set(
        "some certain several few most mostly many mainly often usually generally typically"
        " sometimes occasionally partly partially rarely seldom"
    ),
    "speaker": _set("i me my mine myself you your yours we us our ours"),
}
# All of them: what a sentence says with them can be kept, and is little.
TURNING: Final = frozenset().union(*GRAMMAR.values())
_NOT_CONTENT: Final = FUNCTION_WORDS["en"].union(*GRAMMAR.values(), ["if", "unless", "provided"])

_PLAIN: Final = str.maketrans("\u2018\u2019", "''")
_TOKEN: Final = compiled(r"[0-9]+(?:[.,:/][0-9]+)*|[^\W\d_]+(?:'[^\W\d_]+)*")
_ENDING: Final = compiled(r"(?<=[0-9])(?:st|nd|rd|th)\b")
_NOT: Final = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not"}


def tokens(text: str) -> list[str]:
    """The folded words of a text, contractions spelled out, possessive endings cut.

    >>> tokens("The tenant's fees weren't 1,250.50; he cannot pay.")
    ['the', 'tenant', 'fees', 'were', 'not', '1250.50', 'he', 'can', 'not', 'pay']
    """
    found: list[str] = _TOKEN.findall(text.translate(_PLAIN).casefold())
    if any("'" in word or "," in word or word == "cannot" for word in found):
        found = [part for word in found for part in _parts(word)]
    return found


@lru_cache(maxsize=16_384)
def _parts(word: str) -> tuple[str, ...]:
    if word in _NOT:
        return tuple(_NOT[word].split())
    if word.endswith("n't"):
        return (word[:-3], "not") if word != "n't" else ("not",)
    return (word.partition("'")[0].replace(",", ""),)


def is_content(word: str) -> bool:
    """Whether a folded word says what a text is about: no function word, no sense word.

    >>> is_content("rent"), is_content("the"), is_content("must")
    (True, False, False)
    """
    return word not in _NOT_CONTENT


def content_of(words: Iterable[str]) -> set[str]:
    """The different words of some folded ones that say what a text is about."""
    return set(words) - _NOT_CONTENT


def beginning(word: str) -> str:
    """The letters by which kin are looked up: stems of one word agree in these.

    >>> beginning("cries") == beginning("cry"), beginning("bought")
    (True, 'bou')
    """
    return word[:3].replace("y", "i")


@lru_cache(maxsize=16_384)
def own_beginnings(word: str) -> tuple[str, ...]:
    """How a passage's word begins, and how its base form does: "bought" and "buy"."""
    base = IRREGULAR.get(word)
    return (beginning(word),) if base is None else tuple({beginning(word): 0, beginning(base): 0})


@lru_cache(maxsize=16_384)
def beginnings(word: str) -> tuple[str, ...]:
    """How any word can begin that is kin to a word of a claim.

    >>> set(beginnings("buy")) >= {"bui", "pur", "acq"}
    True
    """
    found = {beginning(word), beginning(key(word))}
    for handle, kin in sought(word):
        if kin not in ("same", "part"):
            found.update(_tabled().get(handle, ()))
        if kin == "same" and handle[0].isdigit():
            found.update(_tabled().get(handle, ()))
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def _tabled() -> dict[str, set[str]]:
    """Handle -> how the words begin that a table files under it."""
    found: dict[str, set[str]] = {}
    for word in _words_of_tables():
        for handle in handles(word):
            if handle[:2] != "p:":
                found.setdefault(handle, set()).update(own_beginnings(word))
    return found


def _words_of_tables() -> Iterable[str]:
    for table in (SAME, RELATED, KINDS_OF, OPPOSITES):
        yield from table.replace("|", " ").casefold().split()
    yield from WAYS
    yield from _NUMBERS.split()


_NUMBERS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)


@lru_cache(maxsize=65_536)
def worth(word: str, other: str) -> float:
    """How much of a claim's word a passage's word gives, 0 to 1; opposites give nothing.

    >>> worth("bought", "purchased"), worth("rent", "rents"), worth("open", "closed")
    (0.9, 1.0, 0.0)
    """
    filed = handles(other)
    for handle, kin in sought(word):
        if handle in filed and kin != "opposite" and (kin != "part" or alike(word, other)):
            return WORTH[kin]
    return 0.0
