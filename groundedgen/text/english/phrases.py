"""Where the phrases of an English sentence begin, and which verbs are passive.

Read off function words and endings, without a parser: a phrase begins at the preposition or
conjunction that its words hang from, a passive verb is a participle behind a form of "be".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from groundedgen.text.english.senses import WAYS
from groundedgen.text.vocabulary import IRREGULAR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundedgen.text.english.senses import Mark
    from groundedgen.text.tokens import Word

__all__ = ["AUXILIARIES", "Voice", "is_past", "phrase_start", "voice"]

Voice = Literal["", "passive", "middle"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PREPOSITIONS: Final = _set(
    "of in on at to by for from with within into onto upon over under above below between among"
    " amongst about against through throughout during before after across along around behind"
    " beside besides beyond near outside inside via per toward towards until till since as than"
    " without despite regarding concerning because if unless when where while"
)
_PHRASE_ENDS: Final = _set(
    "am is are was were be been being has have had do does did will would shall should can could"
    " may might must that which who whom whose it they he she we you i there not"
)
_ARTICLES: Final = _set(
    "a an the this that these those his her its their our my your each every all"
)
_VERBAL: Final = frozenset(["modal", "negation"])
AUXILIARIES: Final = _set("is are was were has have had do does did will would")
_BE: Final = _set("am is are was were be been being get gets got")
_BARE_PARTICIPLES: Final = _set("set put cut let hit hurt shut split spread cast")
_LONGEST_PHRASE: Final = 7  # words


def is_past(word: str) -> bool:
    """Whether a folded word has the form of a past tense or participle.

    >>> is_past("covered"), is_past("paid"), is_past("damage")
    (True, True, False)
    """
    return word.endswith("ed") or word in IRREGULAR or word in _BARE_PARTICIPLES


def phrase_start(
    words: Sequence[Word], segment: Sequence[int], marks: Mapping[int, Mark], place: int
) -> int | None:
    """Where the phrase of a word begins, at its preposition; `None` where it has none.

    Goes left over the words of one noun phrase: content, then at most one article, before
    which the preposition must stand. "at least" and the like are passed over.
    """
    article = False
    for at in range(place - 1, max(-1, place - 1 - _LONGEST_PHRASE), -1):
        if segment[at] != segment[place]:
            return None
        word, mark = words[at].text, marks.get(at)
        kind = mark.kind if mark is not None else ""
        if kind == "bound":
            continue
        if word in _PREPOSITIONS or kind == "if":
            return at
        if word in ("and", "or"):
            article = False
        elif article or word in _PHRASE_ENDS or kind in _VERBAL:
            return None
        article = article or word in _ARTICLES
    return None


def voice(words: Sequence[Word], segment: Sequence[int], place: int) -> Voice:
    """How a verb is turned: "passive", "middle" (its subject changes: "prices fell") or "".

    Says nothing of whether the word is a verb.
    """
    word = words[place].text
    after = words[place + 1].text if place + 1 < len(words) else ""
    if is_past(word):
        for at in range(place - 1, max(-1, place - 4), -1):
            if segment[at] != segment[place]:
                break
            if words[at].text in _BE:
                return "passive"
        if after == "by":
            return "passive"
    if word in WAYS and (not after or after in _PREPOSITIONS):
        return "middle"
    return ""
