"""Which words are verbs that make a statement, by form and by a list of those that rules use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.leftwords import HOLDING, RULING
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from groundedgen.text.english.analysis import Analysis

__all__ = ["has_verb_before", "is_finite", "opens_clause", "opens_predicate"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BASE: Final = _set(
    "get receive pay have enjoy lose keep earn obtain enter leave begin start end expire lapse"
    " renew cover insure include exclude reimburse refund protect entitle allow permit apply grant"
    " send give inform notify bear cost become remain qualify save inspect repair replace return"
    " provide issue sign close open take bring use call write"
)
_NOUNS: Final = _set("cover cost end start use refund call return repair issue sign leave")
_S_FORMS: Final = frozenset(
    f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeo" else f"{word}s"
    for word in _BASE - _NOUNS
)
_FINITE: Final = (_BASE - _NOUNS) | _S_FORMS | RULING | HOLDING
_ARTICLES: Final = _set("the a an all any his her its their our my your this that these those")
_NOMINAL: Final = _ARTICLES | _set(
    "of in on at to by for from with within into upon over under after before without no each"
)


def is_finite(side: Analysis, place: int) -> bool:
    """Whether a word is a verb that a statement may have: "is", "may", "pays the", "receive"."""
    if place >= len(side.words):
        return False
    word, mark = side.words[place].text, side.mark_at.get(place)
    if word in AUXILIARIES or (mark is not None and mark.kind == "modal"):
        return not is_past(word) or word in AUXILIARIES or word in ("could", "might")
    before = side.words[place - 1].text if place else ""
    if before in _NOMINAL or place not in side.keys:
        return False
    if word in _FINITE:
        return True
    after = side.words[place + 1].text if place + 1 < len(side.words) else ""
    joined = place + 1 < len(side.words) and side.segment[place] == side.segment[place + 1]
    return joined and word.endswith("s") and not word.endswith(("ss", "us")) and after in _ARTICLES


def has_verb_before(side: Analysis, place: int) -> bool:
    """Whether the statement's verb is before a place; else that place is in its subject."""
    return any(is_finite(side, i) for i in range(place))


def opens_clause(side: Analysis, place: int) -> bool:
    """Whether a statement begins at a place: a subject of its own, then a verb."""
    if place >= len(side.words) or is_finite(side, place) or is_past(side.words[place].text):
        return False
    subject = False
    for at in range(place, side.segment_end(place)):
        if side.words[at].text in ("and", "or", "who", "which", "that", "if", "when"):
            return False
        if subject and is_finite(side, at):
            return True
        subject = subject or at in side.keys or side.words[at].text in _PRONOUNS
    return False


_PRONOUNS: Final = _set("it they he she we you i this these")


def opens_predicate(side: Analysis, place: int) -> bool:
    """Whether a second verb of the same subject stands at a place: "and receives a card"."""
    return place < len(side.words) and is_finite(side, place)
