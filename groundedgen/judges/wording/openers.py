"""Where conditions, means, requirements and purposes stand in a sentence.

In them an "and" joins what must all hold: "once the rent is paid and the keys are returned". Told
by the word that opens one, how far it goes by commas and by the next verb; in doubt it goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.judges.wording.leftovers import is_place_or_time
from groundedgen.judges.wording.verbs import (
    has_verb_before,
    is_finite,
    opens_clause,
    opens_predicate,
)
from groundedgen.text.english.phrases import AUXILIARIES, is_past

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundedgen.text.english.analysis import Analysis

__all__ = ["Scope", "is_purpose", "scopes"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# These open a clause with a verb of its own, or a noun.
_CLAUSE: Final = _set(
    "if unless when whenever where wherever once until till before after while provided providing"
    " assuming given lest whether because since"
)
_PHRASE: Final = _set(
    "upon on by with without against through via using following pending presenting having"
    " holding minus less excluding except"
)
_RELATIVE: Final = _set("who which that whose whom")
_NEEDING: Final = _set("require requires requiring need needs needing presupposes demands")
_NEEDED: Final = _set("required needed necessary mandatory compulsory essential prerequisite")
_DETERMINERS: Final = _set(
    "the a an his her its their our my your this that these those any all each every no"
)
_EVENTS: Final = (
    "ment", "tion", "sion", "ance", "ence", "ing", "ery", "val", "sal", "eipt", "death", "proof",
    "loss", "expiry", "notice", "request", "demand", "return", "signature", "entry", "sale",
)  # fmt: skip
_OPENING: Final = _set("in order and but only however even so as soon then also")
_STOPS: Final = frozenset(";:()[]\u2013\u2014")
# Behind these "that" opens what is said or agreed, and behind a preposition it points.
_CONDITIONS: Final = _set("condition conditions requirement requirements prerequisite")
_HAVING: Final = _set("has have had")
_INVERTING: Final = _set("should had were")
_RETURNS: Final = _set("exchange return consideration")
_SAYING: Final = _set("so is are was were be says said states agrees ensure ensures means")


class Scope(NamedTuple):
    """What stands in a condition: from its opener, at `first`, up to `last`, which is outside."""

    first: int
    last: int
    kind: str  # "clause", "phrase", "relative", "need" or "purpose"


def scopes(side: Analysis, *, past: bool) -> Iterator[Scope]:
    """Each condition of a sentence; of one that tells what happened those that are no mere time."""
    if side.words and side.words[0].text in _INVERTING and side.segment[-1]:
        yield Scope(0, _end_of_clause(side, 0), "clause")  # "Should the tenant pay, ..."
    for at, word in enumerate(side.words):
        mark = side.mark_at.get(at)
        if word.text in _RELATIVE and _is_restrictive(side, at, past=past):
            yield Scope(at, _end_of_relative(side, at), "relative")
        elif mark is not None and mark.kind == "if" and mark.first == at:
            if not past or mark.value != "when":
                yield Scope(at, _end_of_clause(side, at), "clause")
        elif word.text in _CONDITIONS and _is_stated(side, at):
            yield Scope(at, len(side.words), "clause")
        elif not past:
            yield from _opened(side, at)


def _opened(side: Analysis, at: int) -> Iterator[Scope]:
    """What a word opens in a sentence that says what is so."""
    text, end = side.words[at].text, len(side.words)
    before = side.words[at - 1].text if at else ""
    if text in _CLAUSE or (text == "as" and before == "soon"):
        if _has_clause(side, at):
            yield Scope(at, _end_of_clause(side, at), "clause")
        else:
            yield Scope(at, _end_of_phrase(side, at), "phrase")
    elif (text in _PHRASE and _is_conditional(side, at)) or (text == "for" and before in _RETURNS):
        yield Scope(at, _end_of_phrase(side, at), "phrase")
    elif text in _NEEDING:
        yield Scope(at, _end_of_phrase(side, at), "need")
    elif text in _NEEDED and not _is_to(side, at + 1):
        yield from _needed(side, at)
    elif text == "to" and is_purpose(side, at):
        yield Scope(at, end, "purpose") if _is_leading(side, at) else Scope(0, at, "purpose")
    elif text == "for" and _is_leading(side, at) and any(m.value == "must" for m in side.marks):
        yield Scope(at, end, "purpose")
    elif (stop := _participles(side, at)) is not None:
        yield Scope(at - 1, stop, "relative")


def _is_stated(side: Analysis, at: int) -> bool:
    """As "it is a condition that", "the conditions are a deposit and a guarantee"."""
    if at and side.words[at - 1].text in ("on", "upon", "under"):
        return False  # "on condition that" is an "if"
    following = [w.text for w in side.words[at + 1 : at + 3]]
    stated = len(following) > 1 and following[0] in ("is", "are")
    return following[:1] == ["that"] or (stated and following[1] in _DETERMINERS)


def _participles(side: Analysis, at: int) -> int | None:
    """Where "signed and dated" ends that tells which forms are meant; `None` for none."""
    if at == 0 or at - 1 not in side.keys or not is_past(side.words[at].text):
        return None
    if has_verb_before(side, at):
        return None
    verb = next((i for i in range(at + 1, len(side.words)) if is_finite(side, i)), None)
    joint = next((i for i in range(at + 1, verb or 0) if side.words[i].text == "and"), None)
    if joint is None or not is_past(side.words[joint + 1].text):
        return None
    return verb


def is_purpose(side: Analysis, at: int) -> bool:
    """Whether "to" opens a purpose: "To cancel, ...", "... to get the bonus"."""
    if side.keys.get(at + 1, "0")[0].isdigit():
        return False  # "six to eighteen", "to the bank"
    following, mark = side.words[at + 1], side.mark_at.get(at)
    if mark is not None or following.text in _DETERMINERS or following.capital:
        return False
    if _is_leading(side, at):
        return True
    before = side.words[at - 1].text
    ordered = before in ("order", "as")
    plural = following.text.endswith("s") or following.text.endswith(("ing", "ed"))
    return ordered or (not plural and side.segment[at] == side.segment[at - 1])


def _is_to(side: Analysis, at: int) -> bool:
    return at < len(side.words) and side.words[at].text == "to"


def _needed(side: Analysis, at: int) -> Iterator[Scope]:
    """As "A passport and a visa are required": what stands before the verb."""
    verb = at - 1
    while verb > 0 and side.words[verb].text in ("be", "also", "always"):
        verb -= 1
    if verb > 0 and is_finite(side, verb):
        yield Scope(-1, verb, "need")


def _is_leading(side: Analysis, at: int) -> bool:
    before = {w.text for w in side.words[:at] if w.start >= side.above}
    return before <= _OPENING


def _is_set_off(side: Analysis, at: int) -> bool:
    return at > 0 and side.segment[at] != side.segment[at - 1]


def _is_restrictive(side: Analysis, at: int, *, past: bool) -> bool:
    """Whether a relative clause says which: no comma is before it, and a noun is.

    Of what is or was "a firm that makes cars and bikes" only tells what it does.
    """
    if at == 0 or _is_set_off(side, at):
        return False
    noun = side.words[at - 1].text
    if past and not {w.text for w in side.words[max(0, at - 3) : at]}.isdisjoint(("a", "an")):
        return False
    return side.words[at].text != "that" or (at - 1 in side.keys and noun not in _SAYING)


def _is_conditional(side: Analysis, at: int) -> bool:
    """Whether a preposition opens a condition or a means, and no place, day or date."""
    head = side.next_content(at + 1)
    if head is None or side.segment[head] != side.segment[at]:
        return at + 1 < len(side.words)
    if is_place_or_time(side, head) and side.words[at].text in ("on", "by", "through", "via"):
        return False
    if side.words[at].text == "with" and not _HAVING.isdisjoint(side.vocabulary):
        return False  # "the room has a bed with sheets and blankets"
    if side.words[at].text == "less":
        return side.words[at + 1].text in _DETERMINERS
    if side.words[at].text != "on":
        return True
    text = side.words[head].text
    bare = head == at + 1 and not text.endswith("s")
    return bare or text.endswith(_EVENTS)


def _has_clause(side: Analysis, at: int) -> bool:
    """Whether a verb follows the opener before anything ends its clause."""
    if at + 1 < len(side.words) and side.words[at + 1].text.endswith("ing"):
        return False
    for place in range(at + 1, side.segment_end(at)):
        if side.words[place].text in ("and", "or"):
            return opens_clause(side, place + 1)
        if is_finite(side, place):
            return True
    return False


def _end_of_segment(side: Analysis, at: int) -> int:
    """The end of a word's segment; an "and is" that no sign sets off does not end it."""
    end = side.segment_end(at)
    while end < len(side.words) and side.words[end].text in ("and", "or"):
        if "," in _gap(side, end) or not _STOPS.isdisjoint(_gap(side, end)):
            break
        end = side.segment_end(end)
    return end


def _gap(side: Analysis, at: int) -> str:
    return side.text[side.words[at - 1].end : side.words[at].start]


def _end_of_clause(side: Analysis, at: int) -> int:
    leading, end = _is_leading(side, at) or _is_set_off(side, at), _end_of_segment(side, at)
    while end < len(side.words) and _STOPS.isdisjoint(_gap(side, end)):
        following = _end_of_segment(side, end)
        joined = side.words[end].text in ("and", "or", "as")
        if leading and following >= len(side.words):
            break  # the last part is what holds under the condition
        if not leading and joined and _is_statement(side, end + 1):
            break
        listed = any(side.words[i].text == "and" for i in range(end, len(side.words)))
        rest = side.words[following].text if following < len(side.words) else ""
        if not joined and not (listed and (not leading or rest not in ("and", "or", "which"))):
            break
        end = following
    return end


def _is_statement(side: Analysis, at: int) -> bool:
    """As ", and the excess is 500 euros", ", and you must pay it": no further condition."""
    for place in range(at, _end_of_segment(side, at)):
        mark = side.mark_at.get(place)
        if mark is not None and mark.kind == "modal":
            return True
        if side.words[place].text in AUXILIARIES:
            return place + 1 < len(side.words) and side.is_number(place + 1)
    return False


def _end_of_phrase(side: Analysis, at: int) -> int:
    """Where a phrase ends: at a verb, or at a comma that no further item follows."""
    end = _end_of_segment(side, at)
    leading = _is_leading(side, at) or _is_set_off(side, at)
    while end < len(side.words) and _STOPS.isdisjoint(_gap(side, end)):
        following = _end_of_segment(side, end)
        verbal = any(is_finite(side, i) for i in range(end, following))
        listed = any(side.words[i].text == "and" for i in range(end, len(side.words)))
        if verbal or not listed or (leading and following >= len(side.words)):
            break
        end = following
    subject = not has_verb_before(side, at)  # "drivers with a card and a ticket may enter"
    for place in range(at + 2, end):
        if is_finite(side, place) and subject and side.words[place - 1].text != "and":
            return place
        if is_finite(side, place):
            joint = next((i for i in range(place, at, -1) if side.words[i].text == "and"), None)
            return joint if joint is not None and opens_clause(side, joint + 1) else place
        if side.words[place].text == "and" and opens_predicate(side, place + 1):
            return place
    return end


def _end_of_relative(side: Analysis, at: int) -> int:
    """Where a relative clause ends: at the verb of what it describes, or as a phrase does."""
    verb = _first_verb(side, at)  # the last word of the clause's own verb
    for place in range(verb + 1, len(side.words)):
        text, before = side.words[place].text, side.words[place - 1].text
        if not _STOPS.isdisjoint(_gap(side, place)):
            return place
        if text in ("and", "or"):
            alone = "," in _gap(side, place) and not _is_listed(side, at, place)
            if _opens_other(side, place + 1) or (alone and _is_last_part(side, place)):
                return place
        elif text in _RELATIVE and before in ("and", "or"):
            verb = max(verb, _first_verb(side, place))
        elif place > verb and is_finite(side, place):
            further = before in ("and", "or", "not", "also") or "," in _gap(side, place)
            if not further and verb != place - 1:
                return place
            verb = place
    return len(side.words)


def _opens_other(side: Analysis, place: int) -> bool:
    """As "and the excess is 500 euros" behind a relative clause; "and work here get" goes on."""
    named = side.words[place].text in _DETERMINERS or side.words[place].capital
    return named and opens_clause(side, place)


def _first_verb(side: Analysis, at: int) -> int:
    """The verb of a clause that a relative opens: right behind "who", else the first one."""
    following = side.words[at + 1].text if at + 1 < len(side.words) else ""
    if side.words[at].text == "who" or (side.words[at].text != "whose" and following == "own"):
        return at + 1
    verbs = (i for i in range(at + 1, side.segment_end(at)) if is_finite(side, i))
    return next(verbs, at + 1)


def _is_listed(side: Analysis, at: int, joint: int) -> bool:
    return any("," in _gap(side, i) for i in range(at + 1, joint))


def _is_last_part(side: Analysis, at: int) -> bool:
    return _end_of_segment(side, at) >= len(side.words)
