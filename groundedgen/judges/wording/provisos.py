"""Rules on what limits a statement: conditions, alternatives, causes, hearsay, groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.asides import is_inverted
from groundedgen.judges.wording.flips import Flip, Rule
from groundedgen.judges.wording.leftwords import DOCUMENTS
from groundedgen.patterns import compiled
from groundedgen.text.english.kinship import key
from groundedgen.text.english.phrases import is_past
from groundedgen.text.english.sensewords import GROUPS
from groundedgen.text.standing import is_turning

if TYPE_CHECKING:
    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis
    from groundedgen.text.english.senses import Mark

__all__ = ["CAUSE_RULES", "PROVISO_RULES"]


def _keys(words: str) -> frozenset[str]:
    return frozenset(map(key, words.split()))


_SAME_CONDITION: Final = {"when": "if"}
_MOST_OF_IT: Final = 0.75  # share of a condition's words that a claim must keep
_RECORDS: Final = _keys(
    "act article census clause figure law policy record register schedule section statistics table"
)
_GROUPS: Final = frozenset(map(key, GROUPS))
_PAST: Final = frozenset(["been", "did", "had", "was", "were"])
_ENDED: Final = frozenset(["ago", "formerly", "once", "previously", "then", "until", "used"])
_COLLECTIVE: Final = frozenset(["combined", "joint", "jointly", "sum", "together", "total"])
_DISTRIBUTING: Final = frozenset(["any", "either", "including", "whether"])


def condition(al: Alignment) -> Flip | None:
    """What holds if, unless or except something does not hold as such."""
    ours = {_SAME_CONDITION.get(m.value, m.value) for m in al.claim.of("if")}
    met = set()
    for mark in al.sentence.of("if"):
        if mark.value == "when" and not ours and _tells_of_past(al.sentence):
            continue
        scope = range(mark.first, al.sentence.segment_end(mark.first))
        inside = al.sentence.between(scope.start, scope.stop)
        held = sum(i in al.here for i in inside)
        outside = any(link.there not in scope for link in al.links)
        if held and not outside:
            return Flip("condition", "the passage only says so under a condition")
        if not outside or not inside or _hangs_elsewhere(al, mark, scope):
            continue
        if held < _MOST_OF_IT * len(inside):
            phrase = al.sentence.phrase(mark)
            return Flip("condition", f'the claim drops what follows "{phrase}" in the passage')
        met.add(_SAME_CONDITION.get(mark.value, mark.value))
    if ours - met and not is_inverted(al.sentence):
        return Flip("condition", "the passage does not make it depend on that")
    if met - ours:
        return Flip("condition", "the claim turns or drops a condition of the passage")
    return None


def _tells_of_past(side: Analysis) -> bool:
    """Whether a sentence tells what happened; its "when" is then a date, not a condition."""
    if not _PAST.isdisjoint(side.vocabulary):
        return True
    # "Is covered" is no past, though its participle has the form.
    return any(is_past(side.words[i].text) and side.voices[i] != "passive" for i in side.content)


def _hangs_elsewhere(al: Alignment, mark: Mark, scope: range) -> bool:
    """Whether the condition hangs on a part of the sentence that the claim leaves out."""
    before = max((x.there for x in al.links if x.there < mark.first), default=None)
    if before is None or any(x.there >= scope.stop for x in al.links):
        return False
    if al.sentence.segment[before] == al.sentence.segment[mark.first]:
        return False
    return bool(al.sentence.between(before, mark.first))


# --- and, or ------------------------------------------------------------------------


def alternative(al: Alignment) -> Flip | None:
    """One of two that stood as "A or B" is not A; a total of A and B is not that of A."""
    side = al.sentence
    said = sum(w.text in ("or", "nor") for w in al.claim.words)
    if _joins_more(al):
        return Flip("alternative", 'the claim says "and" where the passage says "or"')
    if not said and side.vocabulary.isdisjoint(_JOINED):
        return None
    spread = _spreads(side)
    denied = {side.segment[m.first] for m in side.of("negation")}
    collective = not _COLLECTIVE.isdisjoint(side.vocabulary)
    for at, word in enumerate(side.words):
        if word.text not in ("or", "and") or side.segment[at] not in al.segments:
            continue
        one, other = side.last_content(at), side.next_content(at)
        held = (one in al.here) + (other in al.here)
        if one is None or other is None or not held:
            continue
        both = held == len("AB")
        joined = (
            both and not said and side.segment[at] not in denied and _and_between(al, one, other)
        )
        if joined or (word.text == "or" and not (both and said) and at not in spread):
            return Flip("alternative", "the passage leaves open which of two holds")
        if word.text == "and" and held == 1 and (collective or _is_one_thing(side, at, one, other)):
            return Flip("alternative", "the passage speaks of two together")
    if said > sum(w.text in ("or", "nor") for w in side.words):
        return Flip("alternative", 'only the claim says "or"')
    return None


_JOINED: Final = frozenset(["and", "or"])


def _joins_more(al: Alignment) -> bool:
    """Whether the claim has fewer "or" and more "and" than where it lies."""
    if al.claim.of("negation"):
        return False
    ours = [w.text for w in al.claim.words]
    theirs = [
        w.text
        for w, s in zip(al.sentence.words, al.sentence.segment, strict=True)
        if s in al.segments
    ]
    return ours.count("or") < theirs.count("or") and ours.count("and") > theirs.count("and")


def _and_between(al: Alignment, one: int, other: int) -> bool:
    """Whether the claim says "and" between two of which the sentence says "or"."""
    low, high = sorted((al.here[one], al.here[other]))
    between = {w.text for w in al.sentence.words[one:other]}
    ours = {w.text for w in al.claim.words[low:high]}
    return "or" in between and "and" in ours and "or" not in ours


def _spreads(side: Analysis) -> set[int]:
    """Places where "A or B" says it of both: after any, and in a segment with not, may, if."""
    segments = {
        side.segment[m.first]
        for m in side.marks
        if m.kind in ("negation", "every", "if") or (m.kind == "modal" and m.value != "must")
    }
    places = {i for i, s in enumerate(side.segment) if s in segments}
    first = next((i for i, w in enumerate(side.words) if w.text in _DISTRIBUTING), None)
    return places if first is None else places.union(range(first, len(side.words)))


def _is_one_thing(side: Analysis, at: int, one: int, other: int) -> bool:
    """As in "3 hours and 18 minutes", "The Frog and the Nightingale is"."""
    if side.is_number(other) and other == at + 1:
        return one > 0 and side.is_number(one - 1)
    if one != at - 1 or not (side.words[one].capital and side.words[other].capital):
        return False
    around = {
        w.text for w in (*side.words[max(0, one - 2) : one], *side.words[other + 1 : other + 2])
    }
    start = side.words[one].start
    quoted = side.text[max(0, start - 2) : start].strip() in ("'", '"', "\u201c", "\u2018")
    return quoted or not around.isdisjoint({"called", "is", "named", "was"})


_COMPARING: Final = frozenset(["more", "less", "fewer", "higher", "lower", "greater", "longer"])
# What something does to a quantity; "more" beside "more" does not say that it does.
_CHANGING = """
raise raises increase increases boost boosts lower lowers reduce reduces decrease decreases cut cuts
improve improves prevent prevents cause causes
"""
_RAISING: Final = frozenset(_CHANGING.split())


# --- because, said, planned -------------------------------------------------------------


def cause(al: Alignment) -> Flip | None:
    """Two things found together are not one because of the other."""
    for mark in al.claim.of("cause"):
        if not al.within("cause"):
            return Flip("cause", f'the passage does not say "{al.claim.phrase(mark)}"')
    compared = any(w.text in _COMPARING for w in al.sentence.words)
    for place in al.claim.content if compared else ():
        word = al.claim.words[place].text
        has_object = al.claim.next_content(place + 1) is not None
        if word in _RAISING and place not in al.there and has_object:
            return Flip("cause", f'the passage compares, the claim says "{word}"')
    return None


def reservation(al: Alignment) -> Flip | None:
    """What was said, planned or refused is not what is."""
    if al.claim.of("doubt"):
        return None
    for mark in al.sentence.of("doubt"):
        governed = al.sentence.after(mark)
        if governed is None and _quotes(al.sentence, mark):
            governed = al.sentence.next_content(mark.last)
        trailing = governed is None and al.sentence.before(mark) is None
        if governed in al.here or trailing or _is_hearsay(al, mark, governed):
            return Flip("reservation", f'the passage says "{al.sentence.phrase(mark)}"')
    return None


def _quotes(side: Analysis, mark: Mark) -> bool:
    """Whether what was said follows behind a colon or in quotation marks."""
    end = side.words[mark.last - 1].end
    return any(sign in side.text[end : end + 3] for sign in ":\u201c\u00ab\"'\u2018")


def governed(al: Alignment) -> Flip | None:
    """What stands under a lead-in or a heading, or behind a colon, hangs from it."""
    side = al.sentence
    above = [place for place in side.content if side.words[place].start < side.head]
    if above and not any(place in al.here for place in above):
        return Flip("governed", "what stands above it decides what it means")
    found = _COLON.search(side.text, side.head)
    colon = found.start() if found else -1
    before = [w for w in side.words if side.head <= w.start < colon]
    held = any(side.words[place].start < colon for place in al.here)
    if before and not held and is_turning(side.text[side.head : colon]):
        return Flip("governed", "what stands before the colon decides what it means")
    quoted = any(sign in side.text for sign in '\u201c\u201d\u00ab"')
    if quoted and al.sentence.of("doubt") and not al.claim.of("doubt"):
        return Flip("governed", "the passage quotes somebody")
    return None


def exception(al: Alignment) -> Flip | None:
    """What a later part of the sentence takes back: "but not before May", "this does not apply"."""
    side, first = al.sentence, min(al.segments, default=0)
    for number, texts in side.openings.items():
        if number <= first or number in al.segments:
            continue
        opens, second = texts[0], texts[1:2]
        elliptic = opens == "but" and bool(_TAKING_BACK.intersection(second))
        points_back = opens in _POINTING and bool(_UNDOING.intersection(texts[1:4]))
        denied = opens == "not" and bool(_UPHELD.intersection(second))
        if elliptic or points_back or denied:
            phrase = " ".join(texts[:3])
            return Flip("exception", f'the claim drops what follows "{phrase}" in the passage')
    return None


def _is_hearsay(al: Alignment, mark: Mark, source: int | None) -> bool:
    """Whether somebody's word ("according to the tenant") is dropped; a record's may be."""
    if mark.value != "said" or source is None or source in al.here:
        return False
    return al.sentence.keys[source] not in _RECORDS


def tense(al: Alignment) -> Flip | None:
    """What was so until 2010 need not be so now."""
    ours = al.claim.vocabulary
    if ours.isdisjoint({"is", "are", "has"}) or not ours.isdisjoint(_PAST):
        return None
    side = al.sentence
    theirs = {w.text for w, s in zip(side.words, side.segment, strict=True) if s in al.segments}
    ended = not theirs.isdisjoint(_ENDED) or any(
        w.text.isdecimal() and len(w.text) == len("2010") for w in side.words
    )
    past = theirs & {"was", "were", "had"} and not theirs & {"is", "are", "has", "have"}
    return Flip("tense", "the passage tells of the past only") if ended and past else None


# --- for whom, within what ----------------------------------------------------------------


def group(al: Alignment) -> Flip | None:
    """A finding about one group is not one about all."""
    side = al.sentence
    for place, own in side.keys.items():
        if own in _GROUPS and place not in al.here and side.intro(place) in _OF_GROUP:
            return Flip("group", f'the passage speaks of "{side.words[place].text}" only')
    return None


def restriction(al: Alignment) -> Flip | None:
    """A right or a cover with its limits left out: "may sublet with consent", "users under 16"."""
    side = al.sentence
    for mark in al.within("bound"):
        noun = mark.first - 1
        number = side.next_content(mark.last)
        if noun in al.here and number not in al.here and not is_past(side.words[noun].text):
            return Flip("restriction", f'the claim drops "{side.phrase(mark)}"')
    if not _grants(al):
        return None
    for place in side.keys:
        inside = side.segment[place] in al.segments and place not in al.here
        if side.words[place].text in DOCUMENTS and side.intro(place) in ("by", "under"):
            continue  # "by this policy", which the claim is about
        if inside and side.intro(place) in _LIMITING:
            phrase = f"{side.intro(place)} {side.words[place].text}"
            return Flip("restriction", f'the claim drops "{phrase}"')
    return None


def _grants(al: Alignment) -> bool:
    """Whether the claim lies on a permission, or on a word of cover in the present."""
    side = al.sentence
    if any(m.value == "may" and side.after(m) in al.here for m in al.within("modal")):
        return True
    covers = any(side.keys[link.there] in _COVER for link in al.links)
    return covers and _PAST.isdisjoint(side.vocabulary)


_TAKING_BACK: Final = frozenset(
    ["not", "never", "no", "only", "at", "except", "subject", "limited"]
)
_POINTING: Final = frozenset(["this", "that", "these", "those", "it", "they", "which"])
_UNDOING: Final = frozenset(
    ["not", "never", "only", "wrong", "false", "untrue", "incorrect", "denied"]
)
_UPHELD: Final = frozenset(["true", "so", "correct"])
_COLON: Final = compiled(r":\s")
_OF_GROUP: Final = frozenset(["in", "for", "among", "amongst"])
_COVER: Final = _keys(
    "cover insure include exclude reimburse refund protect entitle free valid apply eligible waive"
)
_LIMITS = (
    "with without from in under over during within after before between against for on at to by"
)
_LIMITING: Final = frozenset(_LIMITS.split())


PROVISO_RULES: Final[tuple[Rule, ...]] = (
    condition,
    governed,
    exception,
    alternative,
    reservation,
    tense,
    group,
    restriction,
)
CAUSE_RULES: Final[tuple[Rule, ...]] = (cause,)
