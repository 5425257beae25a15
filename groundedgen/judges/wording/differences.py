"""Everything that keeps a claim from meaning what the sentence it lies on means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.judges.wording.asides import ASIDE_RULES, CLAUSE_RULES
from groundedgen.judges.wording.brackets import bracketed
from groundedgen.judges.wording.clauses import stitched
from groundedgen.judges.wording.compounds import halved
from groundedgen.judges.wording.deeds import DEED_RULES
from groundedgen.judges.wording.flips import SENSE_RULES, Flip, Rule
from groundedgen.judges.wording.joint import halved_condition, set_off
from groundedgen.judges.wording.leading import frame
from groundedgen.judges.wording.listed import unlisted
from groundedgen.judges.wording.narrowing import narrowed
from groundedgen.judges.wording.provisos import CAUSE_RULES, PROVISO_RULES
from groundedgen.judges.wording.roles import moved
from groundedgen.judges.wording.sharing import shared
from groundedgen.judges.wording.signs import signs
from groundedgen.judges.wording.spelling import respelled
from groundedgen.judges.wording.tense import TENSE_RULES
from groundedgen.judges.wording.terms import taken_back
from groundedgen.judges.wording.trailing import trailer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundedgen.judges.wording.alignment import Alignment

__all__ = ["CLOSE", "EVERY", "SENSE", "differences", "is_full", "missing_numbers"]

# From this share of a claim on one sentence on, what differs is the point of the claim.
CLOSE: Final = 0.6


def differences(al: Alignment, *, among: frozenset[str] | None = None) -> Iterator[Flip]:
    """What differs, gravest first; nothing where no rule finds anything.

    Read as far as it is asked for: most rules cost more than the answer is worth where an
    earlier one has decided.

    Args:
        al: The claim on its sentence.
        among: The names of the flips that count; `None` for all. A rule that finds none of
            these is not asked.
    """
    for rules, names in _RULES:
        if among is None or not names.isdisjoint(among):
            for rule in rules:
                flip = rule(al)
                if flip is not None and (among is None or flip.name in among):
                    yield flip


def _nearly(rule: Rule) -> Rule:
    """A rule on how words are ordered: that says little where a claim shares only some of them."""
    return lambda al: rule(al) if al.closeness >= CLOSE else None


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


# What turns the sense of a sentence, in whatever words it is put.
SENSE: Final = _set(
    "opposite negation modality universal only partial bound direction time place signs rank joint"
)
_PROVISOS: Final = _set(
    "condition governed exception alternative reservation tense group restriction"
)
# Rules, gravest first, with the names of all that they find.
_RULES: Final[tuple[tuple[tuple[Rule, ...], frozenset[str]], ...]] = (
    ((*SENSE_RULES, signs), SENSE),
    (CAUSE_RULES, _set("cause")),
    ((unlisted,), _set("list")),
    (PROVISO_RULES, _PROVISOS),
    (ASIDE_RULES, _set("aside only")),
    (CLAUSE_RULES, _set("clauses")),
    ((halved_condition,), _set("joint")),
    ((bracketed, taken_back, frame, trailer, narrowed, set_off, halved), _set("leftover")),
    ((*DEED_RULES, *TENSE_RULES, shared), _set("deed rank figure")),
    ((respelled,), _set("spelling")),
    ((_nearly(moved), _nearly(stitched)), _set("order clauses")),
)
EVERY: Final = frozenset[str]().union(*(names for _, names in _RULES))


def is_full(al: Alignment) -> bool:
    """Whether every word is found whole, and every number in this very sentence."""
    return (
        bool(al.links)
        and not al.unmatched
        and all(link.kin != "part" for link in al.links)
        and not missing_numbers(al.claim.text, al.sentence.text)
    )


def missing_numbers(claim: str, text: str) -> tuple[str, ...]:
    """The numbers of a claim that a text does not hold, in English."""
    return unsupported_numbers(claim, text, lang="en")
