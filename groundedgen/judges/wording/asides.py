"""Rules on what a sentence sets apart from what it states, read off single words.

"Unlike the landlord", "used to be", "had the landlord agreed", "promised to": what stands
there is no statement. And what belongs to another clause of the sentence: another year,
another subject, another scope of "only".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.flips import Flip, Rule
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis
    from groundedgen.text.english.senses import Mark

__all__ = ["ASIDE_RULES", "CLAUSE_RULES", "is_inverted"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- what is not so, or not so any more -----------------------------------------------

_INVERTING: Final = _set("had should were")
_OPEN: Final = _set("would could might may must shall will should can")


def is_inverted(side: Analysis) -> bool:
    """Whether a sentence begins with a condition without "if": "Had he paid, he could stay"."""
    if not side.words or side.words[0].text not in _INVERTING:
        return False
    return any(w.text in _OPEN and side.segment[i] for i, w in enumerate(side.words))


def inverted(al: Alignment) -> Flip | None:
    """What stands in or hangs from "had he ..." is no plain fact."""
    if not is_inverted(al.sentence) or is_inverted(al.claim) or al.claim.of("if"):
        return None
    return Flip("aside", "the passage only says what would be so")


_BE: Final = _set("is are was were be been being get gets got")
_ENDED: Final = _set("used formerly once previously former no")
_PLEDGES: Final = _set(
    "promise promises promised agree agrees agreed threaten threatens threatened offer offers"
    " offered decide decides decided vow vowed swear swore order ordered orders urge urged advise"
    " advised"
)


def unreal(al: Alignment) -> Flip | None:
    """What used to be, was promised or was to come need not be, nor have come."""
    ours = al.claim.vocabulary
    for place, first, second in _pairs(al.sentence):
        if first not in _LEADING_AWAY or al.sentence.next_content(place + 2) not in al.here:
            continue
        before = {word.text for word in al.sentence.words[max(0, place - 2) : place]}
        if (
            first == "used"
            and second == "to"
            and before.isdisjoint(_BE)
            and ours.isdisjoint(_ENDED)
        ):
            return Flip("aside", "the passage tells of what used to be")
        if first in _PLEDGES and second in _TO and not {first, second} <= ours:
            return Flip("aside", f'the passage says "{first} {second}"')
        if first in _WOULD and second == "have" and ours.isdisjoint(_WOULD):
            return Flip("aside", "the passage tells of what would have been")
        if first in _DOUBTED and second == "that" and first not in ours:
            return Flip("aside", f'the passage says "{first} that"')
        if first in ("was", "were") and second == "to" and not {first, "to"} <= ours:
            return Flip("aside", f'the passage says "{first} to"')
    return None


_WOULD: Final = _set("would could might should")
_DOUBTED: Final = _set(
    "myth misconception misunderstanding rumour rumor lie fiction hoax false untrue wrong incorrect"
    " doubtful unlikely impossible unclear hypothesis theory allegation fear hope possible"
    " conceivable improbable"
)
_TO: Final = frozenset(["to", "not", "against"])
_LEADING_AWAY: Final = _PLEDGES | _WOULD | _DOUBTED | {"used", "was", "were"}


def _pairs(side: Analysis) -> Iterator[tuple[int, str, str]]:
    for place in range(len(side.words) - 1):
        yield place, side.words[place].text, side.words[place + 1].text


# --- whom it is not said of -------------------------------------------------------------

_APART: Final = _set("unlike opposed contrast contrary")
_WHOLES: Final = _set("all every everyone everybody everything any anyone anything no none nobody")
_EXCEPTED: Final = _set("excepted excluded aside apart")  # right behind what it is said of
_EXCEPTING: Final = _set("except excepting exception excluding unless aside apart")
_EXEMPT: Final = _set("exempt exempted excused")
_SETTING_APART: Final = _APART | _EXCEPTED | _EXEMPT | {"but"}


def set_apart(al: Alignment) -> Flip | None:
    """Who is named only to be told apart: "unlike the landlord", "everyone but the caretaker"."""
    side, ours = al.sentence, al.claim.vocabulary
    if side.vocabulary.isdisjoint(_SETTING_APART):
        return None
    for place, word in enumerate(side.words):
        if word.text in ours:
            continue
        if word.text in _APART and any(i in al.here for i in _rest_of_phrase(side, place)):
            return Flip("aside", f'the passage says "{word.text}" there')
        excepted = word.text == "but" and _is_exception(side, place)
        if excepted and side.next_content(place) in al.here:
            return Flip("aside", 'the passage excepts it by "but"')
        if word.text in _EXCEPTED and place - 1 in al.here and ours.isdisjoint(_EXCEPTING):
            return Flip("aside", f'the passage says "{word.text}" of it')
        if word.text in _EXEMPT and side.last_content(place) in al.here:
            return Flip("aside", f'the passage says "{word.text}"')
    return None


def _rest_of_phrase(side: Analysis, place: int) -> tuple[int, ...]:
    return side.between(place, side.segment_end(place))


def _is_exception(side: Analysis, place: int) -> bool:
    return any(side.words[i].text in _WHOLES for i in range(max(0, place - 2), place))


# --- only ---------------------------------------------------------------------------------


def scope_of_only(al: Alignment) -> Flip | None:
    """Who alone may do a thing is not what alone they may do."""
    ours, theirs = al.claim.of("only"), al.sentence.of("only")
    if len(ours) != 1 or len(theirs) != 1:
        return None
    here, there = _only_whom(al.claim, ours[0]), _only_whom(al.sentence, theirs[0])
    if here is None and there is None:
        return None
    if here is not None and there is not None and al.there.get(here) == there:
        return None
    return Flip("only", 'the passage says "only" of something else')


def _only_whom(side: Analysis, mark: Mark) -> int | None:
    """The word that "only" singles out as the one who does it; `None` where it limits the deed."""
    start = side.segment_start(mark.first)
    if mark.first == start:
        return side.next_content(mark.last)
    at_end = mark.last >= side.segment_end(mark.first)
    last = side.last_content(mark.first)
    return last if at_end and last is not None and side.intro(last) == "by" else None


# --- whose year, whose deed -----------------------------------------------------------------


def other_figure(al: Alignment) -> Flip | None:
    """A figure that the sentence gives to another verb: "began in 2019 and was renewed in 2021"."""
    hosts = {i: _host(al.sentence, i) for i in al.sentence.content if al.sentence.is_number(i)}
    for number, host in hosts.items():
        if number not in al.here or host is None or host in al.here:
            continue
        for other, its in hosts.items():
            if other not in al.here and its in al.here:
                word = al.sentence.words[number].text
                return Flip("clauses", f'the passage says "{word}" of something else')
    return None


def _host(side: Analysis, number: int) -> int | None:
    before = side.last_content(number)
    return None if before is None or side.is_number(before) else before


_JOINING: Final = _set("and while whereas but")
_DETERMINERS: Final = _set("the a an his her its their our my your this that these those no all")


def other_subject(al: Alignment) -> Flip | None:
    """A deed that the sentence tells of somebody else: "A chairs it and B keeps the books"."""
    side = al.sentence
    if side.vocabulary.isdisjoint(_JOINING):
        return None
    for place, word in enumerate(side.words):
        if word.text not in _JOINING:
            continue
        subject = side.next_content(place)
        if subject is None or subject in al.here or subject - place > len("an"):
            continue
        verb = subject + 1
        if min(al.here) < place and _is_said(al, verb) and _is_verb(side, subject, verb):
            who = side.words[subject].text
            return Flip("clauses", f'the passage says so of "{who}"')
    return None


def _is_said(al: Alignment, verb: int) -> bool:
    """Whether the claim has this verb, or another such one together with what follows it here."""
    if verb in al.here:
        return True
    side = al.sentence
    again = side.keys.get(verb) in {side.keys[place] for place in al.here}
    return again and any(place > verb for place in al.here)


def _is_verb(side: Analysis, subject: int, verb: int) -> bool:
    if verb >= len(side.words):
        return False
    word = side.words[verb].text
    if not (word.endswith("s") or is_past(word) or word in AUXILIARIES):
        return False
    if is_past(word) and verb + 1 >= side.segment_end(verb):
        return True
    named = side.words[subject].capital and not side.words[verb].capital
    following = side.words[verb + 1].text if verb + 1 < len(side.words) else ""
    return named or following in _DETERMINERS


ASIDE_RULES: Final[tuple[Rule, ...]] = (inverted, unreal, set_apart, scope_of_only)
CLAUSE_RULES: Final[tuple[Rule, ...]] = (other_figure, other_subject)
