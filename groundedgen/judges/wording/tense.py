"""When something was done, read off the forms of verbs: voted, vote, may vote, may have voted.

What a text says of the past is not so now, what it says is so now need not have been so, and what
may be done need not have been done. `deeds` holds the rules on "will", "to" and third persons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from groundedgen.judges.wording.flips import Flip, Rule
from groundedgen.text.english.kinship import key
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["TENSE_RULES"]

Aspect = Literal["", "plain", "perfect"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SMALL: Final = _set("not also never be been being")
_HAVE: Final = _set("have ve")
_PLURALS: Final = _set("people men women children police staff they we you i")
_PAST: Final = _set("was were had did")
_THEN: Final = _set("was were")
_NOW: Final = _set("is are")


def aspect(al: Alignment) -> Flip | None:
    """As "Owners may have voted" is no "owners may vote", nor the other way round."""
    for link in al.links:
        ours, theirs = _aspect(al.claim, link.here), _aspect(al.sentence, link.there)
        if ours and theirs and ours != theirs:
            word = al.sentence.words[link.there].text
            said = "have" if theirs == "perfect" else "no 'have'"
            return Flip("deed", f'the passage has {said} before "{word}"')
    return None


def _aspect(side: Analysis, place: int) -> Aspect:
    """How a verb hangs from a modal: "may vote" is plain, "may have been paid" perfect."""
    found: Aspect = "plain"
    for at in range(place - 1, -1, -1):
        word, mark = side.words[at].text, side.mark_at.get(at)
        if mark is not None and mark.kind == "modal":
            return found
        if word in _HAVE:
            found = "perfect"
        elif word not in _SMALL and not word.endswith("ly"):
            break
    return ""


def of_now(al: Alignment) -> Flip | None:
    """As "Owners voted" does not say that owners vote, nor the other way round."""
    for link in al.links:
        here, there = al.claim.words[link.here].text, al.sentence.words[link.there].text
        if key(here) != key(there) or is_past(here) == is_past(there):
            continue
        newer = _is_present(al.claim, link.here) and not al.sentence.voices[link.there]
        if newer and al.claim.vocabulary.isdisjoint(_PAST):
            return Flip("deed", f'the passage says "{there}"')
        if _is_present(al.sentence, link.there) and _is_past_deed(al.claim, link.here):
            return Flip("deed", f'the passage says "{there}"')
    return _was(al)


def _was(al: Alignment) -> Flip | None:
    """As "Rents are paid" does not say that they were; a play "is a play directed by" her."""
    for link in al.links:
        here, there = _before(al.claim, link.here), _before(al.sentence, link.there)
        if here in _THEN and there in _NOW:
            return Flip("deed", f'the passage says "{there}", the claim "{here}"')
    return None


def _before(side: Analysis, place: int) -> str:
    """The word before one, past adverbs."""
    while place and side.words[place - 1].text.endswith("ly"):
        place -= 1
    return side.words[place - 1].text if place else ""


def _is_present(side: Analysis, place: int) -> bool:
    """Whether a word looks like a verb of now: right behind its subject, and no noun."""
    word = side.words[place].text
    if is_past(word) or word.endswith("ing") or _is_followed_by_verb(side, place):
        return False
    if not place or side.segment[place - 1] != side.segment[place]:
        return False
    before = side.words[place - 1]
    owner = side.text[before.end - 1 : before.end + 1].replace("\u2019", "'")
    if "'" in owner or side.words[place - 1].end == side.words[place].start:
        return False
    plural = before.text.endswith("s")
    if word.endswith("s"):
        return place - 1 in side.keys and not plural
    return before.text in _PLURALS or (place - 1 in side.keys and plural)


def _is_followed_by_verb(side: Analysis, place: int) -> bool:
    if place + 1 == len(side.words):
        return False
    mark = side.mark_at.get(place + 1)
    modal = mark is not None and mark.kind == "modal"
    return modal or side.words[place + 1].text in AUXILIARIES


def _is_past_deed(side: Analysis, place: int) -> bool:
    """Whether a past form tells what was done: "paid", "was paid", not "is paid", "have paid"."""
    before = side.words[place - 1].text if place else ""
    if side.voices[place] == "passive":
        return before in _THEN
    return not side.voices[place] and before not in AUXILIARIES


TENSE_RULES: Final[tuple[Rule, ...]] = (aspect, of_now)
