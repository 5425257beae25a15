"""The figures of one set of judged pairs: agreement, and what passes that should not.

Only `supported` passes, so the figures tell two classes apart. A pair without a verdict is
unscored: it agrees with nobody, disagrees with nobody, and is counted as what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundedgen.evals.agreement import Kappa, balanced_accuracy, kappa, majority
from groundedgen.evals.intervals import Rate, rate
from groundedgen.evals.labels import Labelled
from groundedgen.values import Verdict

__all__ = ["Figures", "Scored", "figures", "label_pairs", "three_way"]


@dataclass(frozen=True, slots=True)
class Scored:
    """One labelled pair and the judge's verdict on it."""

    item: Labelled
    verdict: Verdict

    @property
    def is_scored(self) -> bool:
        return self.verdict.label != "not_judged"

    @property
    def passes(self) -> bool:
        return self.verdict.label == "supported"


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over one set of pairs. All but `pairs`, `unscored` and `lost` are over scored ones.

    Attributes:
        pairs: All of them.
        unscored: Those without a verdict (`not_judged`).
        base_rate: Pairs that people call supported.
        agreement: Pairs on which judge and people say the same, supported or not.
        majority: Accuracy of always saying what people say most, beside which to read it.
        balanced_accuracy: Mean of the shares of supported ones that pass and others that do not.
        kappa: Agreement beyond chance.
        false_pass: Of the pairs that people call not supported, those that pass.
        false_strip: Of the pairs that people call supported, those that do not pass.
        lost: Of all pairs that people call supported, unscored ones included, those that do not
            pass: what an honest writer loses.
    """

    pairs: int
    unscored: int
    base_rate: Rate
    agreement: Rate
    majority: float | None
    balanced_accuracy: float | None
    kappa: Kappa
    false_pass: Rate
    false_strip: Rate
    lost: Rate


def figures(judged: Sequence[Scored]) -> Figures:
    """The figures of some judged pairs; with none, everything is counted as 0 or `None`."""
    scored = [one for one in judged if one.is_scored]
    pairs = label_pairs(scored)
    honest = [one for one in scored if one.item.supported]
    others = [one for one in scored if not one.item.supported]
    every_honest = [one for one in judged if one.item.supported]
    return Figures(
        pairs=len(judged),
        unscored=len(judged) - len(scored),
        base_rate=rate(len(honest), len(scored)),
        agreement=rate(sum(human == said for human, said in pairs), len(pairs)),
        majority=majority(pairs),
        balanced_accuracy=balanced_accuracy(pairs),
        kappa=kappa(pairs),
        false_pass=rate(sum(one.passes for one in others), len(others)),
        false_strip=rate(sum(not one.passes for one in honest), len(honest)),
        lost=rate(sum(not one.passes for one in every_honest), len(every_honest)),
    )


def label_pairs(scored: Sequence[Scored]) -> list[tuple[str, str]]:
    """What people and the judge say of each, as supported or not."""
    names = {True: "supported", False: "not_supported"}
    return [(names[one.item.supported], names[one.passes]) for one in scored]


def three_way(judged: Sequence[Scored]) -> list[tuple[str, str]]:
    """The three labels of each scored pair from a source whose labels tell them apart.

    A source that holds a label of two ways (`not_supported`, `partial`) is left out whole: with
    only its supported pairs in, they would be too many. `partial` of a judge counts as
    `not_addressed`: part of the claim is not there.
    """
    blunt = {one.item.source for one in judged if one.item.label not in _APART}
    return [
        (one.item.label, "not_addressed" if one.verdict.label == "partial" else one.verdict.label)
        for one in judged
        if one.is_scored and one.item.source not in blunt
    ]


_APART: Final = frozenset({"supported", "contradicted", "not_addressed"})
