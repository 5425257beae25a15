"""Whether a stored calibration can be what somebody measured: its figures fit each other.

A file that was edited, cut or mixed up must not lend an answer figures that nobody measured. It
is no proof against forgery: consistent figures can be invented.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isclose
from typing import TYPE_CHECKING, Final

from groundedgen.errors import InputError
from groundedgen.evals.intervals import Rate

if TYPE_CHECKING:
    from groundedgen.evals.agreement import Kappa
    from groundedgen.evals.calibration import Calibration
    from groundedgen.evals.figures import Figures
    from groundedgen.evals.thresholds import Picked

__all__ = ["check"]

#: Other versions may round in another order.
_SLACK: Final = 1e-9


def check(found: Calibration, *, at: str) -> None:
    """Refuse figures out of their ranges, and counts that contradict each other.

    Args:
        found: What was read.
        at: How an error names the place, such as "calibration".

    Raises:
        InputError: Names the first figure that cannot be.
    """
    for wrong in _all(found):
        raise InputError(
            f"{at}.{wrong}; write it anew with groundedgen calibrate", code="bad_calibration"
        )


def _all(found: Calibration) -> Iterator[str]:
    overall = found.overall
    yield from _shares("", {"threshold": found.threshold})
    yield from _figures("overall", overall)
    scored = overall.pairs - overall.unscored
    yield from _unless(0 <= found.distinct <= scored, "distinct is not from 0 to the scored pairs")
    yield from _unless(bool(found.distinct) == bool(scored), "distinct does not fit the pairs")
    yield from _sums("unscored", found.unscored.values(), overall.unscored)
    rows = found.confusion.values()
    yield from _sums("confusion", (n for row in rows for n in row.values()), overall.pairs)
    yield from _sums("confusion", (row.get("not_judged", 0) for row in rows), overall.unscored)
    for kind, by_name in found.groups.items():
        for place, one in enumerate(by_name.values()):
            yield from _figures(f"groups.{kind}[{place}]", one)
        yield from _sums(f"groups.{kind}", (one.pairs for one in by_name.values()), overall.pairs)
    yield from _rest(found)


def _rest(found: Calibration) -> Iterator[str]:
    pairs = found.overall.pairs
    if found.three_way is not None:
        yield from _kappa("three_way", found.three_way)
        yield from _unless(found.three_way.total <= pairs, "three_way.total is above the pairs")
    if found.consistency is not None:
        yield from _unless(found.consistency.calls >= 2, "consistency.calls is under 2")
        for name in ("same", "swayed"):
            one = getattr(found.consistency, name)
            yield from _rate(f"consistency.{name}", one)
            yield from _unless(one.total == pairs, f"consistency.{name}.total is not the pairs")
    if found.picked is not None:
        yield from _picked(found.picked)
    for place, point in enumerate(found.curve):
        numbers = {n: getattr(point, n) for n in ("threshold", "false_pass", "kept")}
        yield from _shares(f"curve[{place}].", numbers)


def _picked(picked: Picked) -> Iterator[str]:
    numbers = {"max_false_pass": picked.max_false_pass, "threshold": picked.threshold}
    yield from _shares("picked.", numbers)
    has_why = bool(picked.why) == (picked.threshold is None)
    yield from _unless(has_why, "picked has a threshold and a reason for none, or neither")
    for name in ("picking_false_pass", "picking_false_strip", "false_pass", "false_strip"):
        one = getattr(picked, name)
        if one is not None:
            yield from _rate(f"picked.{name}", one)


def _figures(at: str, one: Figures) -> Iterator[str]:
    rates = ("base_rate", "agreement", "false_pass", "false_strip", "lost")
    for name in rates:
        yield from _rate(f"{at}.{name}", getattr(one, name))
    yield from _kappa(f"{at}.kappa", one.kappa)
    numbers = {"majority": one.majority, "balanced_accuracy": one.balanced_accuracy}
    yield from _shares(f"{at}.", numbers)
    scored, honest = one.pairs - one.unscored, one.base_rate.count
    yield from _unless(0 <= one.unscored <= one.pairs, f"{at}.unscored is not from 0 to the pairs")
    totals = {
        "base_rate": scored,
        "agreement": scored,
        "kappa": scored,
        "false_pass": scored - honest,
        "false_strip": honest,
    }
    for name, total in totals.items():
        given = getattr(one, name).total
        yield from _unless(given == total, f"{at}.{name}.total is {given} and must be {total}")
    agreed = scored - one.false_pass.count - one.false_strip.count
    yield from _unless(one.agreement.count == agreed, f"{at}.agreement.count is not {agreed}")
    silent = one.lost.total - honest
    yield from _unless(0 <= silent <= one.unscored, f"{at}.lost.total does not fit the pairs")
    lost = one.false_strip.count + silent
    yield from _unless(one.lost.count == lost, f"{at}.lost.count is not {lost}")


def _rate(at: str, one: Rate) -> Iterator[str]:
    yield from _unless(0 <= one.count <= one.total, f"{at}.count is not from 0 to its total")
    if not one.total:
        yield from _unless(one == Rate(0, 0), f"{at} is a share of nothing")
    elif one.share is None or one.low is None or one.high is None:
        yield f"{at} has no share or no interval"
    else:
        right = isclose(one.share, one.count / one.total, abs_tol=_SLACK)
        yield from _unless(right, f"{at}.share is not its count by its total")
        ordered = 0 <= one.low <= one.share + _SLACK and one.share - _SLACK <= one.high <= 1
        yield from _unless(ordered, f"{at} has an interval that does not hold its share")


def _kappa(at: str, one: Kappa) -> Iterator[str]:
    yield from _unless(one.total >= 0, f"{at}.total is under 0")
    if one.value is None or one.low is None or one.high is None:
        yield from _unless(one.low is None and one.high is None, f"{at} has half an interval")
        yield from _unless(one.value is None or -1 <= one.value <= 1, f"{at}.value is no kappa")
    else:
        ordered = -1 <= one.low <= one.value + _SLACK and one.value - _SLACK <= one.high <= 1
        yield from _unless(ordered, f"{at} has an interval that does not hold its value")


def _shares(at: str, numbers: dict[str, float | None]) -> Iterator[str]:
    for name, number in numbers.items():
        right = number is None or 0 <= number <= 1
        yield from _unless(right, f"{at}{name} is not from 0 to 1")


def _sums(at: str, counts: Iterable[int], total: int) -> Iterator[str]:
    listed = list(counts)
    right = all(count >= 0 for count in listed) and sum(listed) == total
    yield from _unless(right, f"{at} adds up to {sum(listed)} and must be {total}")


def _unless(right: bool, wrong: str) -> Iterator[str]:  # noqa: FBT001  # the thing checked
    if not right:
        yield wrong
