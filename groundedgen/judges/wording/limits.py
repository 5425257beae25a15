"""Whether words that a claim leaves out could limit what it says, where it says what is so.

A right, a duty, cover or a price holds within whatever stands beside it. So a further item of a
list may go, or a clause of its own, or a name for what was named: all else is a limit, in whatever
words. Behind "and" in "theft and hail in Gold" the words "in Gold" may be said of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.leftwords import WITHHOLDING
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = [
    "LIMITING",
    "QUANTIFYING",
    "ends_predicate",
    "is_fine_aside",
    "is_fine_relative",
    "is_further",
    "is_own_clause",
    "may_limit",
]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What opens a phrase of where, when, for whom, how and under which condition.
LIMITING: Final = (
    WITHHOLDING
    | _set(
        "in on at for from within under over with without during until till before after since upon"
        " per against between among beyond above below outside inside as when where while by to via"
        " than up through throughout across toward towards regarding concerning following prior"
        " beginning starting counted if only max maximum min minimum about around approximately"
        " each every yearly monthly weekly daily hourly annually annual excl incl limited subject"
        " less"
        " insofar unlike save bar apart because so such"
    )
) - {"although", "though"}
# "500 euros or less", "3 hours or longer", "500 euros and above" are one quantity, no list.
QUANTIFYING: Final = _set(
    "less more fewer below above under over higher lower longer shorter older younger later earlier"
    " greater smaller larger beyond upwards upward heavier lighter bigger better worse part so"
    " thereabouts thereafter"
)
_TURNING: Final = frozenset(["only", "if", "negation", "bound", "some"])
_POINTING: Final = _set(
    "however but yet nevertheless this that these those it they such same otherwise else its their"
)
_DESCRIBING: Final = _set(
    "a an the one also called known named based located situated usually often"
)
_BE: Final = _set("is are")
_THEN: Final = _set("was were had")


def may_limit(side: Analysis, places: Sequence[int], *, of: bool = False) -> bool:
    """Whether a word among them could narrow what stands beside them; with `of` that word too."""
    inside = set(places)
    if any(m.kind in _TURNING and m.first in inside for m in side.marks):
        return True
    texts = {side.words[i].text for i in places}
    return not texts.isdisjoint(LIMITING) or (of and "of" in texts)


def _is_turned(side: Analysis, places: Sequence[int], *, no: bool = True) -> bool:
    inside = set(places)
    kinds = _TURNING if no else _TURNING - {"negation"}
    marked = any(m.kind in kinds and m.first in inside for m in side.marks)
    return marked or any(side.words[i].text in WITHHOLDING for i in places)


def is_own_clause(al: Alignment, places: Sequence[int], *, first: bool = False) -> bool:
    """Whether words are a statement of their own, on another subject: "theft is excluded".

    One that says no, that speaks of the claim's own words again, or that points back, may take a
    part of the claim back. What stands `first` points at nothing of it.
    """
    side = al.sentence
    limiting = LIMITING | QUANTIFYING if first else LIMITING | QUANTIFYING | _POINTING
    if not places or side.words[places[0]].text in limiting:
        return False
    verb = next((i for i in places if _is_finite(side, i)), None)
    subject = [i for i in places if verb is not None and i < verb]
    if not subject or not (first or any(i in side.keys for i in subject)):
        return False
    if _is_turned(side, places) or _sets_duty(al, places):
        return False
    ours = set(al.claim.keys.values())
    return not any(side.keys[i] in ours for i in subject if i in side.keys)


def _sets_duty(al: Alignment, places: Sequence[int]) -> bool:
    """As "theft is covered; bicycles must be locked": a duty beside a claim that has none."""
    duties = any(m.value == "must" and m.first in places for m in al.sentence.of("modal"))
    return duties and not al.claim.of("modal")


def _is_finite(side: Analysis, place: int) -> bool:
    mark = side.mark_at.get(place)
    if side.words[place].text in AUXILIARIES or (mark is not None and mark.kind == "modal"):
        return True
    text = side.words[place].text
    return place in side.keys and text.endswith("s") and _is_verb_form(side, place)


def _is_verb_form(side: Analysis, place: int) -> bool:
    """As "pays" in "the landlord pays the rent": a word with "s" before an article."""
    if place + 1 >= len(side.words) or side.segment[place] != side.segment[place + 1]:
        return False
    return side.words[place + 1].text in _set("the a an all any his her its their our")


def is_further(al: Alignment, part: Sequence[int], last: int) -> bool:
    """Whether what "and" or "or" opens behind the claim's last word is one more of the same.

    Args:
        al: The claim on its sentence.
        part: Places from the "and" on.
        last: The last word of the claim's before it.
    """
    side, body = al.sentence, list(part[1:])
    if not body:
        return True
    if side.words[body[0]].text in QUANTIFYING:
        return False
    if is_own_clause(al, body):
        return True
    if _is_second_predicate(al, body, last):
        return not _is_turned(side, body, no=False) and _CAPPED.isdisjoint(
            side.words[i].text for i in body
        )
    if _is_turned(side, body):
        return False
    if side.words[body[0]].text in LIMITING:
        if not _is_alike(side, last, body[0]):
            return False
        body = body[1:]
    elif ends_predicate(side, part[0]) and not is_past(side.words[body[0]].text):
        return False
    return bool(body) and not may_limit(side, body)


def _is_second_predicate(al: Alignment, body: Sequence[int], last: int) -> bool:
    """As "and is renewed in May", and "opens at 8 and closes at 6"."""
    side, opens = al.sentence, al.sentence.words[body[0]].text
    kept = side.last_content(last + 1)
    figure = kept is not None and side.is_number(kept)
    return _is_finite(side, body[0]) or (figure and opens.endswith("s") and body[0] in side.keys)


_CAPPED: Final = _set("limited restricted capped confined reserved subject")


def _is_alike(side: Analysis, last: int, opens: int) -> bool:
    """Whether a phrase is one more of the kind that is kept: "at home and in the garden"."""
    kept = side.last_content(last + 1)
    if kept is None or opens != last + 2 or side.segment[opens] != side.segment[last]:
        return False
    ours, theirs = side.intro(kept), side.words[opens].text
    return ours == theirs or {ours, theirs} <= _WHERE


_WHERE: Final = _set("in at on outside inside")


def ends_predicate(side: Analysis, place: int) -> bool:
    """Whether the word before a place ends what is said: "is covered", "is free"."""
    before = [w.text for w in side.words[max(0, place - 2) : place]]
    if len(before) < len("AB"):
        return False
    adjective = before[0] in _BE and not side.is_number(place - 1)
    return adjective or (is_past(before[1]) and not before[1].endswith("ing"))


def is_fine_aside(al: Alignment, part: Sequence[int]) -> bool:
    """Whether "including cats" or ", not the tenant," may go: not what a figure is made of."""
    side = al.sentence
    part = [i for i in part if side.segment[i] == side.segment[part[0]]]
    opens = side.words[part[0]].text
    if any(side.is_number(i) for i in al.here):
        return False
    if opens in ("including", "like"):
        return not _is_turned(side, part[1:])
    rest = [i for i in part[1:] if side.words[i].text != "than"]
    return not may_limit(side, rest) and not ends_predicate(side, part[0])


def is_fine_relative(side: Analysis, part: Sequence[int]) -> bool:
    """Whether a clause with "which" only tells what something is: "which is a town in Kent"."""
    texts = [side.words[i].text for i in part[:3]]
    if _is_turned(side, part):
        return False
    if not _THEN.isdisjoint(side.words[i].text for i in part):
        return True
    return len(texts) > 2 and texts[1] in _BE and texts[2] in _DESCRIBING
