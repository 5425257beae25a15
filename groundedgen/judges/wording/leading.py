"""What a claim leaves out before its first word: "In theory,", "Critics say", "The deputy"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.judges.wording.brackets import repeating
from groundedgen.judges.wording.flips import Flip
from groundedgen.judges.wording.leftovers import (
    PARTNERS,
    PAST,
    has_past,
    is_doubting,
    is_listed,
    is_place_or_time,
    looks_verbal,
    phrase,
)
from groundedgen.judges.wording.leftwords import (
    ADJUNCTS,
    BARE,
    LESSER,
    NUMBERED,
    OPENERS,
    SETTINGS,
    UNSURE,
    WITHHOLDING,
)
from groundedgen.judges.wording.lexlead import without_lead
from groundedgen.judges.wording.limits import is_own_clause, may_limit
from groundedgen.text.english.phrases import AUXILIARIES, is_past
from groundedgen.text.lines import MARKER
from groundedgen.text.standing import is_turning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.alignment import Alignment
    from groundedgen.text.english.analysis import Analysis

__all__ = ["frame"]

_ARTICLES: Final = frozenset(["the", "a", "an", "his", "her", "its", "their", "our"])
_PRONOUNS: Final = frozenset(["it", "they", "he", "she", "this", "these"])
_JOINTS: Final = frozenset(["and", "but", "while", "whereas"])
_COMPARED: Final = frozenset(["negation", "modal", "every", "some", "only", "bound"])


def frame(al: Alignment) -> Flip | None:
    """What stands before the claim's first word: "In theory,", "Critics say", "The deputy"."""
    side = al.sentence
    if not al.here:
        return None
    first = min(al.here)
    heading = _heading(side, first)
    if is_turning(side.text[side.above : heading]) and not is_turning(al.claim.text):
        return Flip("leftover", "what stands above it decides what it means")
    start = _beginning(side, first, heading)
    left = range(start, first)
    if _is_bare(al, left) or _is_said_otherwise(al, left, first):
        return None
    while side.words[left[-1]].text in _ARTICLES and side.segment[left[-1]] == side.segment[first]:
        left = left[:-1]
    if _may_lead(al, left, first):
        return None
    return Flip("leftover", f'the claim drops "{phrase(side, left)}" before it in the passage')


def _heading(side: Analysis, first: int) -> int:
    """Where a heading above the claim's line ends; 0 for none.

    "6 Exclusions", a line without a stop, and below it "6.1 We do not pay for fines." are one
    sentence to whoever cuts them.
    """
    end = side.text.rfind("\n", side.above, side.words[first].start)
    return end if end > 0 and MARKER.match(side.text, end + 1) else 0


def _beginning(side: Analysis, first: int, heading: int) -> int:
    """Past headings, list numbers and connectives that say nothing."""
    at = 0
    braced = side.text.find("}") if side.text.startswith("{") else -1
    while at < first and side.words[at].start < max(side.above, braced, heading):
        at += 1
    text = side.text[side.above :]
    skipped = side.above + len(text) - len(without_lead(text)) if at < first else 0
    while at < first and side.words[at].start < skipped:
        at += 1
    while at < first:
        word = side.words[at].text
        following = side.words[at + 1].text
        number = word[0].isdigit() or (len(word) == 1 and word not in ("a", "i"))
        numbered = word in NUMBERED and following[0].isdigit()
        enumerates = number and side.segment[at] != side.segment[at + 1]
        marker = number and side.text[side.words[at].end : side.words[at].end + 1] in (
            ".",
            ")",
            ":",
        )
        opens = side.text[side.words[at + 1].start].isupper()
        clause = number and "." in word and opens  # "6.1 We do not pay"
        if not (word in OPENERS or numbered or enumerates or marker or clause):
            break
        at += 1
    return at


def _is_bare(al: Alignment, left: range) -> bool:
    """Whether only articles, pronouns, auxiliaries and what other rules compare stand there."""
    side = al.sentence
    for at in left:
        mark = side.mark_at.get(at)
        if mark is not None and mark.kind in _COMPARED and _is_near(side, at, left.stop):
            continue
        if mark is not None and mark.kind == "if" and al.claim.of("if"):
            continue
        word = side.words[at].text
        if at not in side.keys and word in al.claim.vocabulary:
            continue
        if at in side.keys or word not in BARE:
            return False
        if word == "that" and at != left.start:
            return False
    return True


def _is_said_otherwise(al: Alignment, left: range, first: int) -> bool:
    """As "In adults ..." where the claim says "Among adults ..."."""
    side = al.sentence
    alone = len(left) == 1 and side.intro(first) == side.words[left[0]].text
    return alone and al.claim.intro(al.here[first]) not in ("", "if")


def _is_near(side: Analysis, at: int, first: int) -> bool:
    return side.segment[at] == side.segment[first]


def _may_lead(al: Alignment, left: range, first: int) -> bool:
    side = al.sentence
    if is_doubting(al, left):
        return False
    names = [i for i in left if side.words[i].text not in BARE]
    if _is_name(side, names, first):
        return True
    if _is_agent(al, left, first):
        return True
    if _is_joined(al, left, first) or _is_named_by_pronoun(al, left, first):
        return True
    if side.words[left[0]].text == "unlike":
        return side.segment[left[-1]] != side.segment[first] or left[-1] == left[0]
    apart = side.segment[left[-1]] != side.segment[first] if left else False
    if not apart or not has_past(al.claim):
        return False
    return _is_setting(side, left) or _is_clause(side, left) or _is_apposition(side, left)


def _is_apposition(side: Analysis, left: Sequence[int]) -> bool:
    """As "Originally a supply company,": what it was too."""
    opens = [side.words[i].text for i in left[:2]]
    article = opens[0] in ("a", "an") or (opens[0] == "originally" and opens[-1] in ("a", "an"))
    return article and not any(looks_verbal(side, i) for i in left)


def _is_name(side: Analysis, names: Sequence[int], first: int) -> bool:
    """As "Dr John Smith" is Smith; a vice president is no president."""
    if not names or names[-1] != first - 1 or not side.words[first].capital:
        return False
    gap = side.text[side.words[names[-1]].end : side.words[first].start]
    if side.segment[names[0]] != side.segment[first] or gap.strip(" ") not in ("", ".", "-"):
        return False
    if gap == " - ":
        return False
    run = all(side.words[i].capital and side.words[i].text not in LESSER for i in names)
    return run and names[-1] - names[0] == len(names) - 1 and side.words[first].text[0].isalpha()


def _is_agent(al: Alignment, left: range, first: int) -> bool:
    """Who does it may go where the verb is turned: "the landlord returns it", "it is returned"."""
    side = al.sentence
    verb = any(link.there == first for link in al.turned)
    nouns = [i for i in left if i in side.keys]
    texts = [side.words[i].text for i in left]
    rest = "of" not in texts and all(
        i in side.keys or side.words[i].text in BARE or i in side.mark_at for i in left
    )
    return verb and rest and len(nouns) <= PARTNERS


def _is_named_by_pronoun(al: Alignment, left: Sequence[int], first: int) -> bool:
    """Whether the claim begins with a pronoun for what stands there: "the album was released"."""
    side = al.sentence
    if not al.claim.words or al.claim.words[0].text not in _PRONOUNS:
        return False
    nouns = [i for i in left if i in side.keys]
    rest = all(i in side.keys or side.words[i].text in BARE for i in left)
    one = side.segment[left[0]] == side.segment[first]
    return (
        rest and one and len(nouns) <= PARTNERS and "that" not in [side.words[i].text for i in left]
    )


def _is_joined(al: Alignment, left: range, first: int) -> bool:
    """As "Hail is covered and theft is excluded" says the second, "fire and theft" theft."""
    side = al.sentence
    joint = next((i for i in reversed(left) if side.words[i].text in _JOINTS), None)
    if joint is not None and any(i in side.keys for i in range(joint + 1, first)):
        joint = None
    if not has_past(al.claim) and not _may_join(al, left, joint):
        return False
    semicolon = any(";" in side.text[side.words[i].end : side.words[i + 1].start] for i in left)
    opens = side.words[left[0]].text
    item = opens not in ADJUNCTS and not opens.endswith("ly") and left[0] in side.keys
    listed = item and side.segment[left[-1]] != side.segment[first] and is_listed(side, first)
    if joint is None and not semicolon and not listed:
        return False
    words = {side.words[i].text for i in left if i != joint}
    if not words.isdisjoint(WITHHOLDING | {"that"}) or any(m.kind == "if" for m in side.marks):
        return False
    short = all(
        len([i for i in left if side.segment[i] == s]) <= 3 for s in {side.segment[i] for i in left}
    )
    texts = [side.words[i].text for i in left]
    whole = any(
        w in AUXILIARIES or is_past(w) or (w.endswith("s") and w not in BARE) for w in texts
    )
    return whole or short


def _may_join(al: Alignment, left: range, joint: int | None) -> bool:
    """Whether items or a clause before what is so leave it as it is.

    "Gold members and guests": what opens a phrase, or describes its first noun, may be said of
    both.
    """
    side = al.sentence
    free = repeating(side)
    before = [i for i in left if i not in free and (joint is None or i < joint)]
    if is_own_clause(al, before, first=True):
        return True
    parted = any(";" in side.text[side.words[i].end : side.words[i + 1].start] for i in left)
    if may_limit(side, before) or parted or not before:
        return not before
    opening = [i for i in before if side.segment[i] == side.segment[before[0]] and i in side.keys]
    return len(opening) < PARTNERS or not side.words[opening[0]].text.endswith(_ADJECTIVAL)


# fmt: off
_ADJECTIVAL: Final = (
    "al", "ed", "ing", "able", "ible", "ive", "ous", "ful", "ary", "ic", "ent", "ant", "less",
    "ior", "ory", "old", "new", "young", "full",
)
# fmt: on


def _is_setting(side: Analysis, left: Sequence[int]) -> bool:
    """As "In May 2010," or "After the war,": when and where, by names, numbers or times."""
    return side.words[left[0]].text in SETTINGS and all(
        is_place_or_time(side, i) for i in left if i in side.keys
    )


def _is_clause(side: Analysis, left: Sequence[int]) -> bool:
    """As "Born in Rome," and "Although it rained,": another fact beside one of the past."""
    opens = side.words[left[0]].text
    conceding = opens in ("although", "though", "because", "since", "after", "when", "while")
    verbs = any(is_past(side.words[i].text) or side.words[i].text in PAST for i in left)
    participle = is_past(opens) or opens == "born"
    return (conceding and verbs) or (participle and opens not in UNSURE and len(left) > 1)
