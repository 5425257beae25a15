"""A judge put to labelled pairs: once as it is, and with other thresholds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Final

from groundedgen.evals.figures import Scored
from groundedgen.evals.labels import Labelled
from groundedgen.evals.thresholds import Picked, halves, pick
from groundedgen.judges.asking import AnyJudge, ask_judge, read_answer
from groundedgen.values import Pair, Verdict

__all__ = ["judge_all", "picked", "threshold_of"]

_BATCH: Final = 64
#: Thresholds that are tried with a judge that can be made anew with another one.
_GRID: Final = (*(n / 100 for n in range(1, 100)), 0.995, 0.999)


def judge_all(
    judge: AnyJudge, items: Sequence[Labelled], tell: Callable[[int], None]
) -> list[Verdict]:
    """One verdict per item, in order. All claims on a premise are put to the judge together."""
    groups: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item.premise, []).append(place)
    asked = [
        (place, Pair(items[place].premise, items[place].claim, f"S{number + 1}"))
        for number, places in enumerate(groups.values())
        for place in places
    ]
    found: dict[int, Verdict] = {}
    for start in range(0, len(asked), _BATCH):
        places, some = zip(*asked[start : start + _BATCH], strict=True)
        found |= zip(places, read_answer(ask_judge(judge, some), len(some)), strict=True)
        tell(len(found))
    return [found[place] for place in range(len(items))]


def threshold_of(judge: object) -> float | None:
    """The judge's own threshold, 0 to 1, if it has an attribute of that name."""
    value: object = getattr(judge, "threshold", None)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)


def picked(judge: AnyJudge, judged: Sequence[Scored], most: float) -> Picked:
    """A threshold for a stated share of false passes, 0 to 1, out of pairs judged without it."""
    first, second = ([judged[n] for n in half] for half in halves([o.item for o in judged]))
    for half in (first, second):
        if len({one.item.supported for one in half if one.is_scored}) < 2:
            return Picked(most, why="one_class")
    candidates, at = _ways(judge, judged)
    return pick(most, candidates, lambda t: at(first, t), lambda t: at(second, t))


def _ways(
    judge: AnyJudge, judged: Sequence[Scored]
) -> tuple[Sequence[float], Callable[[Sequence[Scored], float], Sequence[Scored]]]:
    """The thresholds that can be tried with a judge, and some pairs as judged with one of them."""
    if threshold_of(judge) is None:
        return (), _with_score
    if _can_be_made_anew(judge):
        return _GRID, lambda some, threshold: _again(judge, some, threshold)
    scores = {one.verdict.score for one in judged if one.passes}
    return sorted(s for s in scores if s is not None) if None not in scores else (), _with_score


def _can_be_made_anew(judge: object) -> bool:
    """Whether it is a dataclass that takes its threshold as an argument."""
    if not dataclasses.is_dataclass(judge):
        return False
    return any(f.name == "threshold" and f.init for f in dataclasses.fields(judge))


def _with_score(some: Sequence[Scored], threshold: float) -> Sequence[Scored]:
    """As a judge would have judged them whose scores do not depend on its threshold."""
    failed = Verdict("not_addressed")
    return [
        Scored(
            one.item, failed if one.passes and (one.verdict.score or 0) < threshold else one.verdict
        )
        for one in some
    ]


def _again(judge: Any, some: Sequence[Scored], threshold: float) -> Sequence[Scored]:
    """As the judge does judge them with another threshold: it may enter into what it proves."""
    other = dataclasses.replace(judge, threshold=threshold)
    items = [one.item for one in some]
    verdicts = judge_all(other, items, lambda _: None)
    return [Scored(item, verdict) for item, verdict in zip(items, verdicts, strict=True)]
