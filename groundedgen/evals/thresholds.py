"""A threshold for a stated false-pass rate: picked on one half of the pairs, tried on the other.

A threshold that is picked and reported on the same pairs looks better than it is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from groundedgen.evals.figures import Scored, figures
from groundedgen.evals.intervals import Rate
from groundedgen.evals.labels import Labelled

__all__ = ["Picked", "Point", "curve", "halves", "pick"]

Why = Literal["", "no_scores", "no_threshold", "one_class"]
#: Points of a curve at most: more than a plot can show.
_POINTS = 100


@dataclass(frozen=True, slots=True)
class Picked:
    """The threshold that was picked, and what it does.

    Attributes:
        max_false_pass: The stated rate, 0 to 1.
        threshold: The lowest one whose false-pass rate on the picking half is at most that; or
            `None`, and `why` says so: the judge gives no scores or takes no threshold
            ("no_scores"), none is strict enough ("no_threshold"), or a half lacks supported or
            unsupported pairs ("one_class").
        picking_false_pass: On the half it was picked on.
        picking_false_strip: Likewise.
        false_pass: On the other half: the figures to quote.
        false_strip: Likewise.
    """

    max_false_pass: float
    threshold: float | None = None
    why: Why = ""
    picking_false_pass: Rate | None = None
    picking_false_strip: Rate | None = None
    false_pass: Rate | None = None
    false_strip: Rate | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """What passes if only supported pairs with at least this score did; shares of scored pairs."""

    threshold: float
    false_pass: float
    kept: float


def halves(items: Sequence[Labelled]) -> tuple[list[int], list[int]]:
    """The places of the pairs in two halves that share no premise.

    The same pairs are always cut the same way, whatever their order.
    """
    groups: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item.premise, []).append(place)
    first: list[int] = []
    second: list[int] = []
    for premise in sorted(groups, key=_shuffled):
        (first if len(first) <= len(second) else second).extend(groups[premise])
    return first, second


def _shuffled(premise: str) -> bytes:
    return sha256(premise.encode("utf-8", "surrogatepass")).digest()


def pick(
    most: float,
    candidates: Sequence[float],
    picking: Callable[[float], Sequence[Scored]],
    trying: Callable[[float], Sequence[Scored]],
) -> Picked:
    """The lowest candidate that lets at most `most` of the unsupported pairs pass.

    Args:
        most: Share of unsupported pairs that may pass, 0 to 1.
        candidates: Thresholds in rising order; a higher one lets no more pass.
        picking: The picking half as it is judged with a threshold.
        trying: The other half likewise.
    """

    def is_strict(threshold: float) -> bool:
        share = figures(picking(threshold)).false_pass.share
        return share is not None and share <= most

    if not candidates:
        return Picked(most, why="no_scores")
    place = bisect_left(candidates, True, key=is_strict)
    if place == len(candidates):
        return Picked(most, why="no_threshold")
    threshold = candidates[place]
    here, there = figures(picking(threshold)), figures(trying(threshold))
    return Picked(
        most,
        threshold,
        "",
        here.false_pass,
        here.false_strip,
        there.false_pass,
        there.false_strip,
    )


def curve(judged: Sequence[Scored]) -> tuple[Point, ...]:
    """What passes at each score that the judge gave a supported pair, in rising order.

    Empty where a supported verdict has no score, or where people used only one label.
    """
    scored = [one for one in judged if one.is_scored]
    scores = [one.verdict.score for one in scored if one.passes]
    honest = sum(one.item.supported for one in scored)
    others = len(scored) - honest
    if not scores or None in scores or not honest or not others:
        return ()
    distinct = sorted({score for score in scores if score is not None})
    step = -(-len(distinct) // _POINTS)
    return tuple(_point(scored, at, honest, others) for at in distinct[::step])


def _point(scored: Sequence[Scored], at: float, honest: int, others: int) -> Point:
    through = [one for one in scored if one.passes and (one.verdict.score or 0.0) >= at]
    kept = sum(one.item.supported for one in through)
    return Point(at, (len(through) - kept) / others, kept / honest)
