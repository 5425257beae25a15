"""Everything that keeps a claim from meaning what the sentence it lies on means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.judges.asides import ASIDE_RULES
from groundedgen.judges.clauses import stitched
from groundedgen.judges.flips import SENSE_RULES, Flip, Rule
from groundedgen.judges.provisos import PROVISO_RULES
from groundedgen.judges.roles import moved

if TYPE_CHECKING:
    from groundedgen.judges.alignment import Alignment

__all__ = ["CLOSE", "differences", "is_full", "missing_numbers"]

# From this share of a claim on one sentence on, what differs is the point of the claim.
CLOSE: Final = 0.6
_COMPARISONS: Final = frozenset("<>\u2264\u2265\u2260\u00b1\u2248")


def differences(al: Alignment) -> tuple[Flip, ...]:
    """What differs, gravest first; empty where no rule finds anything."""
    found = [flip for rule in _RULES if (flip := rule(al)) is not None]
    # How words are ordered says little where the claim shares only some of them.
    if al.closeness >= CLOSE:
        found += [flip for rule in (moved, stitched) if (flip := rule(al)) is not None]
    return tuple(found)


def signs(al: Alignment) -> Flip | None:
    """Comparison signs are words too: "p < 0.05" is not "p > 0.05"."""
    if set(al.claim.text) & _COMPARISONS <= set(al.sentence.text):
        return None
    return Flip("signs", "the claim has a sign of comparison that the passage lacks")


_RULES: Final[tuple[Rule, ...]] = (*SENSE_RULES, signs, *PROVISO_RULES, *ASIDE_RULES)


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
