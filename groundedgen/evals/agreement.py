"""How far two ways of labelling the same things agree. Pure functions over pairs of labels.

Nothing here is ever NaN: what is not defined is `None`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from groundedgen.evals.intervals import Z95

__all__ = ["Kappa", "balanced_accuracy", "kappa", "majority"]

#: (what people say, what the judge says), one for each thing.
LabelPairs = Sequence[tuple[str, str]]
_ZERO: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa, -1 to 1, with its 95 % interval, over `total` pairs.

    `value` is `None` where chance alone would agree always (both use one and the same label).
    `low` and `high` are `None` where the large-sample formula gives no width, as in a table
    without any disagreement: an interval of no width would claim certainty.
    """

    total: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


def balanced_accuracy(pairs: LabelPairs) -> float | None:
    """The mean, over the labels that people used, of the share that the judge calls the same.

    0.5 for a judge of two labels that guesses. `None` where people used fewer than two.

    >>> balanced_accuracy([("yes", "yes"), ("no", "yes"), ("no", "no"), ("no", "no")])
    0.8333333333333333
    >>> balanced_accuracy([("yes", "yes")]) is None
    True
    """
    totals = Counter(human for human, _ in pairs)
    same = Counter(human for human, judged in pairs if human == judged)
    if len(totals) < 2:
        return None
    return sum(same[label] / total for label, total in totals.items()) / len(totals)


def majority(pairs: LabelPairs) -> float | None:
    """The accuracy of always giving the label that people used most: what any judge must beat.

    >>> majority([("yes", "no"), ("no", "no"), ("no", "yes")])
    0.6666666666666666
    """
    totals = Counter(human for human, _ in pairs)
    return max(totals.values()) / len(pairs) if pairs else None


def kappa(pairs: LabelPairs) -> Kappa:
    """Cohen's kappa: agreement beyond what the two would reach by chance.

    Cohen, Educ. Psychol. Meas. 20 (1960) 37-46. The interval is kappa +- 1.96 standard errors,
    cut at -1 and 1, with the large-sample standard error for a kappa that need not be 0 of
    Fleiss, Cohen and Everitt, Psychol. Bull. 72 (1969) 323-327.

    >>> table = {("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15}
    >>> found = kappa([pair for pair, count in table.items() for _ in range(count)])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.4, 0.151, 0.649)
    """
    total = len(pairs)
    cells = {pair: count / total for pair, count in Counter(pairs).items()}
    rows, columns = _margins(cells)
    labels = rows.keys() | columns.keys()
    observed = sum(cells.get((label, label), 0.0) for label in labels)
    expected = sum(rows[label] * columns[label] for label in labels)
    if not total or 1 - expected < _ZERO:
        return Kappa(total)
    value = (observed - expected) / (1 - expected)
    error = sqrt(max(0.0, _variance(cells, rows, columns, observed, expected)) / total)
    if error < _ZERO:
        return Kappa(total, value)
    return Kappa(total, value, max(-1.0, value - Z95 * error), min(1.0, value + Z95 * error))


def _margins(
    cells: Mapping[tuple[str, str], float],
) -> tuple[Mapping[str, float], Mapping[str, float]]:
    rows: defaultdict[str, float] = defaultdict(float)
    columns: defaultdict[str, float] = defaultdict(float)
    for (human, judged), share in cells.items():
        rows[human] += share
        columns[judged] += share
    return rows, columns


def _variance(
    cells: Mapping[tuple[str, str], float],
    rows: Mapping[str, float],
    columns: Mapping[str, float],
    observed: float,
    expected: float,
) -> float:
    """The variance of kappa times the number of pairs."""
    agreeing = disagreeing = 0.0
    for (human, judged), share in cells.items():
        if human == judged:
            weight = (1 - expected) - (rows[human] + columns[human]) * (1 - observed)
            agreeing += share * weight**2
        else:
            disagreeing += share * (columns[human] + rows[judged]) ** 2
    rest = (observed * expected - 2 * expected + observed) ** 2
    spread = agreeing + (1 - observed) ** 2 * disagreeing - rest
    return spread / (1 - expected) ** 4
