"""What proves a claim on one sentence, and what stops a claim that its score would pass.

How much may differ depends on how the claim was made. In a near copy, whatever differs is the
point: a rule of any sort stops it, and so does one new word. In a paraphrase only what turns
the sense does; the order of words says nothing there (half of all true ones change it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from groundedgen.judges.wording.alignment import Alignment, align, copied
from groundedgen.judges.wording.apart import apart
from groundedgen.judges.wording.clauses import replaced
from groundedgen.judges.wording.differences import (
    EVERY,
    SENSE,
    differences,
    is_full,
    missing_numbers,
)
from groundedgen.judges.wording.halves import crossed
from groundedgen.judges.wording.labels import mislabelled
from groundedgen.judges.wording.leftovers import states_terms
from groundedgen.judges.wording.lexical_table import RARITY, UNKNOWN
from groundedgen.judges.wording.lexwords import tokens
from groundedgen.judges.wording.roles import exchanged
from groundedgen.patterns import lazy
from groundedgen.text.english.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundedgen.judges.wording.flips import Flip
    from groundedgen.judges.wording.lexpassage import Passage
    from groundedgen.judges.wording.signals import Compared
    from groundedgen.values import Label

__all__ = ["SCATTERED", "Objection", "examine"]

# Share of a claim's words that stand in one sentence in order from which it is a near copy.
COPY: Final = 0.8
# Share of the content words of both that each stand for one of the other, likewise.
SAME_WORDS: Final = 0.75
SHORT: Final = 3  # content words of a claim that is all point
# Less of a claim than this on one sentence is words put together from all over the passage.
LEAST: Final = 0.4
# Share of its content words on one sentence from which a change of sense stops it.
CLOSE: Final = 0.8
SPEAKER: Final = frozenset(["i", "me", "my", "mine", "myself"])
_CANDIDATES: Final = 3
_ALWAYS: Final = frozenset(["aside", "cause", "list", "signs"])
# What narrows what is so stops a claim in whatever order its words stand.
LIMITS: Final = frozenset(
    ["leftover", "figure", "condition", "restriction", "exception", "group", "alternative"]
)

_OTHER_CASE: Final = "The passage says so of the other of two cases."
SCATTERED: Final = "Too little of the claim stands in one place of the passage."


# "Water is £30." where water is £20 and gas is £30: in so short a claim the figure is the point.
_FIGURES_APART: Final = "No one sentence holds both the figure and all else that the claim says."
_FIGURE: Final = lazy(r"\p{N}")


class Objection(NamedTuple):
    """The label that a claim gets for it, and why, for people."""

    label: Label
    why: str


def examine(
    claim: str, passage: Passage, compared: Compared
) -> Literal["proved"] | Objection | None:
    """Lay a claim on its closest sentences: proof, the gravest objection, or neither.

    Proved is what stands word for word in one of them without any difference that a rule finds.
    """
    if (plain := _plain_objection(claim, passage, compared)) is not None:
        return plain
    laid = _alignments(claim, passage, compared.closest)
    if not laid:
        return Objection("not_addressed", "No sentence that asserts something shares its words.")
    if missing := missing_numbers(claim, passage.text):
        why = f"The passage does not hold: {', '.join(missing)}."
        return Objection("contradicted" if _is_copy(laid[0]) else "not_addressed", why)
    if any(is_full(al) and next(differences(al), None) is None for al in laid):
        return "proved"
    if (objection := _objection(claim, laid[0])) is not None:
        return objection
    if lost := apart(claim, passage):
        return Objection("not_addressed", f"It stands apart from the figure: {', '.join(lost)}.")
    return None


def _alignments(claim: str, passage: Passage, closest: Sequence[int]) -> list[Alignment]:
    """The claim on the closest sentences that assert something, fullest first."""
    ours = analyse(claim)
    english = [number for number in closest[:_CANDIDATES] if passage.is_english(number)]
    sentences = [passage.analysis(number) for number in english]
    laid = [align(ours, sentence, _rarity) for sentence in sentences if sentence is not None]
    return sorted(laid, key=lambda al: -al.coverage)


def _rarity(key: str) -> float:
    return RARITY.get(key, UNKNOWN)


def _plain_objection(claim: str, passage: Passage, compared: Compared) -> Objection | None:
    """What can be told before any sentence is analysed."""
    if compared.share < LEAST:
        return Objection("not_addressed", SCATTERED)
    if compared.subject:
        return Objection("not_addressed", f"The passage does not speak of: {compared.subject}.")
    if (bound := mislabelled(claim, passage.rows)) != "":
        return Objection("not_addressed", bound)
    if crossed(claim, passage.halves):
        return Objection("not_addressed", _OTHER_CASE)
    if not SPEAKER.isdisjoint(tokens(claim)) and not passage.has_any(SPEAKER):
        return Objection("not_addressed", "The claim tells of who speaks, the passage does not.")
    return None


def _objection(claim: str, al: Alignment) -> Objection | None:
    copy = _is_copy(al)
    among: frozenset[str] | None = None
    if not copy:
        among = _ALWAYS | SENSE if al.closeness >= CLOSE else _ALWAYS
        if len(al.claim.content) <= SHORT:
            among = EVERY - {"leftover", "deed", "figure"}
        if al.share >= 1 and states_terms(al.claim):
            among |= LIMITS
    if (flip := next(differences(al, among=among), None)) is not None:
        return _named(flip, al)
    if (swapped := exchanged(al)) is not None:
        return _named(swapped, al)
    if len(al.claim.content) <= SHORT and not is_full(al) and _FIGURE.search(claim):
        return Objection("not_addressed", _FIGURES_APART)
    if not copy:
        return None
    if far := missing_numbers(claim, al.sentence.text):
        # A figure from another sentence may belong to another thing.
        return Objection("not_addressed", f"The sentence closest to it does not hold: {far[0]}.")
    return _new_word(al)


def _is_copy(al: Alignment) -> bool:
    """Whether a claim is its sentence but for a few words, or the same words in another order."""
    ours, theirs = ([word.text for word in side.words] for side in (al.claim, al.sentence))
    if copied(ours, theirs) >= COPY * len(ours):
        return True
    content = len(al.claim.content) + len(al.sentence.content)
    return 2 * len(al.links) >= SAME_WORDS * content


def _named(flip: Flip, al: Alignment) -> Objection:
    label: Label = "contradicted" if flip.contradicts and _is_copy(al) else "not_addressed"
    return Objection(label, f"{flip.why[0].upper()}{flip.why[1:]}.")


def _new_word(al: Alignment) -> Objection | None:
    """A word of a near copy that the sentence lacks."""
    if not al.unmatched:
        return None
    lost = ", ".join(al.claim.words[place].text for place in al.unmatched)
    why = replaced(al) or f"the sentence closest to it does not hold: {lost}"
    return Objection("not_addressed", f"{why[0].upper()}{why[1:]}.")
