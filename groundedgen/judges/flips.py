"""Named ways in which a claim that lies on a sentence can still mean something else.

Each rule looks at one alignment and names what differs, or returns `None`. A rule may stop
an honest claim; none lets a claim through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from groundedgen.text.kinship import key
from groundedgen.text.sensewords import GROUPS
from groundedgen.text.vocabulary import IRREGULAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from groundedgen.judges.alignment import Alignment
    from groundedgen.text.analysis import Analysis
    from groundedgen.text.senses import Mark

__all__ = ["Flip", "flips"]


class Flip(NamedTuple):
    """What differs: a stable name, a clause for people, whether it contradicts the sentence."""

    name: str
    why: str
    contradicts: bool = False


def flips(al: Alignment) -> Iterator[Flip]:
    """All differences of meaning that the rules find, strongest first."""
    for rule in _RULES:
        found = rule(al)
        if found is not None:
            yield found


def _within(al: Alignment, kind: str) -> list[Mark]:
    """Marks of the sentence in the segments on which the claim lies."""
    return [m for m in al.sentence.of(kind) if al.sentence.segment[m.first] in al.segments]


def _phrase(side: Analysis, mark: Mark) -> str:
    return " ".join(w.text for w in side.words[mark.first : mark.last])


# --- not ------------------------------------------------------------------------


def _negated(side: Analysis, segments: frozenset[int] | None) -> int:
    """How often a sentence says no, bans and waived duties included; "neither, nor" is once."""
    return sum(
        (m.kind == "negation" or (m.kind == "modal" and m.value in _REFUSING))
        and side.words[m.first].text != "nor"
        and (segments is None or side.segment[m.first] in segments)
        for m in side.marks
    )


_REFUSING: Final = frozenset(["barred", "cannot", "forbidden", "free"])


def negation(al: Alignment) -> Flip | None:
    here, there = _negated(al.claim, None), _negated(al.sentence, al.segments)
    opposites = sum(link.kin == "opposite" for link in al.links)
    if here == there and not opposites:
        return None
    if opposites == 1 and abs(here - there) == 1:
        return None
    if opposites:
        word = next(al.claim.words[x.here].text for x in al.links if x.kin == "opposite")
        return Flip("opposite", f'the passage says the opposite of "{word}"', contradicts=True)
    side = "claim" if here > there else "passage"
    return Flip("negation", f"only the {side} says it is not so", contradicts=True)


def contrast(al: Alignment) -> Flip | None:
    """The passage covers one thing and excludes another; the claim has both covered."""
    for place in al.claim.content:
        opposed = al.sentence.index.get(f"o:{key(al.claim.words[place].text)}", ())
        for there in opposed:
            word = al.sentence.words[there]
            inside = al.sentence.segment[there] in al.segments
            if inside and there not in al.here and word.stem in _REFUSALS:
                return Flip("opposite", f'the passage also says "{word.text}"')
    return None


# --- may, should, must ------------------------------------------------------------


def modality(al: Alignment) -> Flip | None:
    """A duty, a right, a ban and a plain fact are four things."""
    for mark in al.claim.of("modal"):
        place = _governed(al.claim, mark)
        ours = {mark.value} if place is None else _moods(al.claim, place)
        there = al.there.get(place) if place is not None else None
        theirs = (
            {m.value for m in _within(al, "modal")} if there is None else _moods(al.sentence, there)
        )
        if not _mild(ours, theirs) <= theirs:
            return _modal_flip(ours - theirs, theirs - ours)
    stated = {m.value for m in al.claim.of("modal")}
    for mark in _within(al, "modal"):
        # A duty may be told as a fact ("must be over 18", "are over 18"); a chance may not.
        told = _mild({mark.value}, stated) <= stated or (mark.value == "must" and not stated)
        if _governed(al.sentence, mark) in al.here and not told:
            return _modal_flip(stated, {mark.value})
    return None


def _mild(ours: set[str], theirs: set[str]) -> set[str]:
    """A ban in other words is told as theirs is: "not allowed to" is "may not" or "must not"."""
    bans = {"barred", "cannot", "forbidden"}
    told = theirs & bans
    if "forbidden" in ours | theirs and told and ours & bans:
        return (ours - bans) | told
    return ours


def _governed(side: Analysis, mark: Mark) -> int | None:
    """The word a modal is said of: the next one, or, of "is forbidden", the one before."""
    alone = mark.first > 0 and side.words[mark.first - 1].text in ("is", "are", "be", "was", "were")
    if alone and side.words[mark.last - 1].text not in ("to", "from", "for"):
        before = side.before(mark)
        return before if before is not None else side.after(mark)
    after = side.after(mark)
    return after if after is not None else side.before(mark)


def _moods(side: Analysis, place: int) -> set[str]:
    """The modals right before a word; where there are none, the last one in its segment."""
    same = [m for m in side.of("modal") if side.segment[m.first] == side.segment[place]]
    previous = max((i for i in side.content if i < place), default=-1)
    near = {m.value for m in same if previous < m.first < place}
    if near:
        return near
    before = [m for m in same if m.first < place]
    return {before[-1].value} if before else {m.value for m in same[:1]}


_MODAL_NAMES: Final = {
    "may": "something that may be",
    "should": "a recommendation",
    "must": "a duty",
    "barred": "a ban",
    "cannot": "what may not or cannot be",
    "forbidden": "a ban",
    "free": "that there is no duty",
    "": "a plain fact",
}


def _modal_flip(ours: set[str], theirs: set[str]) -> Flip:
    here, there = min(ours, default=""), min(theirs, default="")
    return Flip(
        "modality",
        f"the passage states {_MODAL_NAMES[there]}, the claim {_MODAL_NAMES[here]}",
        contradicts=(here in _REFUSING) != (there in _REFUSING),
    )


# --- all, some, only ----------------------------------------------------------------


def quantity(al: Alignment) -> Flip | None:
    for mark in al.claim.of("every"):
        if not _same_quantity(al, mark):
            return Flip("universal", f'only the claim says "{_phrase(al.claim, mark)}"')
    for mark in al.claim.of("only"):
        if not _within(al, "only"):
            return Flip("only", f'only the claim says "{_phrase(al.claim, mark)}"')
    ours = {m.value for m in al.claim.of("some")}
    theirs = {
        m.value: m
        for m in _within(al, "some")
        if al.sentence.after(m) in al.here or al.sentence.before(m) in al.here
    }
    for value in ours - theirs.keys():
        return Flip("partial", f'the passage does not say "{value}"')
    for value in theirs.keys() - ours:
        return Flip("partial", f'the claim drops "{_phrase(al.sentence, theirs[value])}"')
    return None


def _same_quantity(al: Alignment, mark: Mark) -> bool:
    theirs = _within(al, "every")
    place = al.claim.after(mark)
    there = al.there.get(place) if place is not None else None
    if there is None:
        return bool(theirs)
    return any(m.value == mark.value and m.first < there for m in theirs)


# --- at least, over, about ------------------------------------------------------------


def bounds(al: Alignment) -> Flip | None:
    """A number keeps its "at least", "up to" or "about"; one without keeps none."""
    ours, theirs = _bounded(al.claim), _bounded(al.sentence)
    for here, there in al.there.items():
        if not al.claim.words[here].text[0].isdigit():
            continue
        if ours.get(here) != theirs.get(there):
            return Flip("bound", f'"{al.claim.words[here].text}" has another bound in the passage')
    if {m.value for m in al.claim.of("bound")} - {m.value for m in _within(al, "bound")}:
        return Flip("bound", "a number has another bound in the passage")
    return None


def _bounded(side: Analysis) -> dict[int, str]:
    found = {}
    for mark in side.of("bound"):
        near = [i for i in side.content if abs(i - mark.first) <= 4]
        numbers = [i for i in near if key(side.words[i].text)[0].isdigit()]
        if numbers:
            closest = min(numbers, key=lambda i: (abs(i - mark.first), i))
            found[closest] = mark.value
    return found


# --- before, after; more, less ----------------------------------------------------------


def order_in_time(al: Alignment) -> Flip | None:
    return _turned(al, "time", "time")


def place(al: Alignment) -> Flip | None:
    return _turned(al, "place", "place")


def direction(al: Alignment) -> Flip | None:
    return _turned(al, "way", "direction")


def _turned(al: Alignment, kind: str, name: str) -> Flip | None:
    """Whether a word like "before", "up" or "more" has become its opposite, or is new."""
    theirs = _within(al, kind)
    for mark in al.claim.of(kind):
        if mark.value == "within":
            continue
        there = al.there.get(al.claim.after(mark) or -1)
        beside = [m for m in theirs if there is not None and al.sentence.after(m) == there]
        if all(m.value != mark.value for m in beside or theirs):
            why = f'the passage does not say "{_phrase(al.claim, mark)}" there'
            return Flip(name, why, contradicts=bool(theirs))
    return None


# --- if, unless, except ------------------------------------------------------------------


def condition(al: Alignment) -> Flip | None:
    ours = {_IF.get(m.value, m.value) for m in al.claim.of("if")}
    met = set()
    for mark in al.sentence.of("if"):
        if mark.value == "when" and not ours and _tells_of_past(al.sentence):
            continue
        scope = _scope(al.sentence, mark)
        inside = [i for i in al.sentence.content if i in scope]
        held = sum(i in al.here for i in inside)
        on_claim = any(link.there not in scope for link in al.links)
        if held and not on_claim:
            return Flip("condition", "the passage only says so under a condition")
        if not on_claim or not inside or _is_of_other(al, mark, scope):
            continue
        if held < 0.75 * len(inside):
            phrase = _phrase(al.sentence, mark)
            return Flip("condition", f'the claim drops what follows "{phrase}" in the passage')
        met.add(_IF.get(mark.value, mark.value))
    if ours - met:
        return Flip("condition", "the passage does not make it depend on that")
    if met - ours:
        return Flip("condition", "the claim turns or drops a condition of the passage")
    return None


_IF: Final = {"when": "if"}


def _tells_of_past(side: Analysis) -> bool:
    """Whether a sentence tells what happened; its "when" is then a date, not a condition."""
    return any(
        w.text in _PAST or w.text.endswith("ed") or (w.stem != w.text and w.text in IRREGULAR)
        for w in side.words
    )


def _scope(side: Analysis, mark: Mark) -> range:
    """The words of a conditional clause: to the end of its segment."""
    last = next(
        (
            i
            for i in range(mark.last, len(side.words))
            if side.segment[i] != side.segment[mark.first]
        ),
        len(side.words),
    )
    return range(mark.first, last)


def _is_of_other(al: Alignment, mark: Mark, scope: range) -> bool:
    """Whether the condition hangs on a part of the sentence that the claim leaves out."""
    before = [x.there for x in al.links if x.there < mark.first]
    if not before or any(x.there >= scope.stop for x in al.links):
        return False
    last = max(before)
    if al.sentence.segment[last] == al.sentence.segment[mark.first]:
        return False
    return any(last < i < mark.first for i in al.sentence.content)


# --- said, planned, likely -----------------------------------------------------------------


def cause(al: Alignment) -> Flip | None:
    """Two things found together are not one because of the other."""
    for mark in al.claim.of("cause"):
        if not _within(al, "cause"):
            return Flip("cause", f'the passage does not say "{_phrase(al.claim, mark)}"')
    return None


def reservation(al: Alignment) -> Flip | None:
    """What was said, planned or refused is not what is."""
    if any(al.claim.of("doubt")):
        return None
    for mark in al.sentence.of("doubt"):
        governed = al.sentence.after(mark)
        trailing = governed is None and al.sentence.before(mark) is None
        if governed in al.here or trailing or _is_hearsay(al, mark, governed):
            return Flip("reservation", f'the passage says "{_phrase(al.sentence, mark)}"')
    return None


def tense(al: Alignment) -> Flip | None:
    """What was so until 2010 need not be so now."""
    ours = {w.text for w in al.claim.words}
    theirs = {
        w.text for i, w in enumerate(al.sentence.words) if al.sentence.segment[i] in al.segments
    }
    ended = not theirs.isdisjoint(_ENDED) or any(
        w.text.isdecimal() and len(w.text) == len("2010") for w in al.sentence.words
    )
    past = theirs & {"was", "were", "had"} and not theirs & {"is", "are", "has", "have"}
    now = ours & {"is", "are", "has"} and not ours & {"was", "were", "had", "been"}
    return Flip("tense", "the passage tells of the past only") if ended and past and now else None


_ENDED: Final = frozenset(["ago", "formerly", "once", "previously", "then", "until", "used"])


def _is_hearsay(al: Alignment, mark: Mark, source: int | None) -> bool:
    """Whether somebody's word ("according to the tenant") is dropped; a record's may be."""
    if mark.value != "said" or source is None or source in al.here:
        return False
    return al.sentence.words[source].stem not in _RECORDS


# --- and, or ---------------------------------------------------------------------------------


def alternative(al: Alignment) -> Flip | None:
    """One of two that stood as "A or B" is not A; a total of A and B is not that of A."""
    side = al.sentence
    said = any(w.text in ("or", "nor") for w in al.claim.words)
    for place, word in enumerate(side.words):
        if word.text not in ("or", "and") or side.segment[place] not in al.segments:
            continue
        pair = _joined(side, place)
        if pair is None or not al.here.keys() & set(pair):
            continue
        whole = al.here.keys() >= set(pair)
        if word.text == "or" and not (whole and said) and not _holds_of_each(al, place):
            return Flip("alternative", "the passage leaves open which of two holds")
        if word.text == "and" and not whole and _is_one_thing(side, place, pair):
            return Flip("alternative", "the passage speaks of two together")
    ours = sum(w.text == "or" for w in al.claim.words)
    theirs = sum(w.text == "or" for w in side.words)
    return Flip("alternative", 'only the claim says "or"') if ours > theirs else None


def _joined(side: Analysis, place: int) -> tuple[int, int] | None:
    before = max((i for i in side.content if i < place), default=None)
    after = min((i for i in side.content if i > place), default=None)
    return None if before is None or after is None else (before, after)


def _holds_of_each(al: Alignment, place: int) -> bool:
    """Whether "A or B" says it of both: after not, may, any, if."""
    side = al.sentence
    return any(
        side.segment[m.first] == side.segment[place]
        and (m.kind in ("negation", "every", "if") or (m.kind == "modal" and m.value != "must"))
        for m in side.marks
    ) or any(w.text in ("any", "including", "whether", "either") for w in side.words[:place])


def _is_one_thing(side: Analysis, place: int, pair: tuple[int, int]) -> bool:
    """As in "3 hours and 18 minutes", "The Frog and the Nightingale is", "a combined"."""
    one, other = side.words[pair[0]], side.words[pair[1]]
    if other.text[0].isdigit() and pair[1] == place + 1:
        return any(w.text[0].isdigit() for w in side.words[max(0, pair[0] - 1) : pair[0]])
    if not _COLLECTIVE.isdisjoint(w.text for w in side.words):
        return True
    if not (one.capital and other.capital and pair[0] == place - 1):
        return False
    around = [w.text for w in side.words[max(0, pair[0] - 2) : pair[0]]]
    around += [w.text for w in side.words[pair[1] + 1 : pair[1] + 2]]
    quoted = side.text[max(0, one.start - 2) : one.start].strip() in ("'", '"', "\u201c", "\u2018")
    return quoted or not {"is", "was", "called", "named"}.isdisjoint(around)


_COLLECTIVE: Final = frozenset(["combined", "joint", "jointly", "sum", "together", "total"])


def group(al: Alignment) -> Flip | None:
    """A finding about one group is not one about all."""
    words = al.sentence.words
    if not words or words[0].text not in ("in", "for", "among", "amongst"):
        return None
    for place in al.sentence.content:
        if al.sentence.segment[place] != al.sentence.segment[0] or place > _GROUP_WORDS:
            break
        if words[place].stem in _GROUPS and place not in al.here:
            return Flip("group", f'the passage speaks of "{words[place].text}" only')
    return None


_RECORDS: Final = frozenset(
    key(w)
    for w in (
        "act",
        "article",
        "census",
        "clause",
        "figure",
        "law",
        "policy",
        "record",
        "register",
        "schedule",
        "section",
        "statistics",
        "table",
    )
)
_REFUSALS: Final = frozenset(
    key(w)
    for w in (
        "ban", "decline", "deny", "exclude", "fail", "forbid", "illegal", "invalid", "prohibit",
        "refuse", "reject", "unable", "unlawful", "void",
    )
)  # fmt: skip
_PAST: Final = frozenset(["was", "were", "had", "did", "been"])
_GROUPS: Final = frozenset(key(w) for w in GROUPS)
_GROUP_WORDS: Final = 5

_RULES: Final[tuple[Callable[[Alignment], Flip | None], ...]] = (
    negation,
    contrast,
    modality,
    condition,
    quantity,
    bounds,
    alternative,
    direction,
    order_in_time,
    place,
    cause,
    reservation,
    tense,
    group,
)
