"""How far two ways of labelling the same things agree. Pure functions over pairs of labels.

Nothing here is ever NaN: what is not defined is `None`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from groundedgen.evals.intervals import Z95

__all__ = ["Kappa", "balanced_accuracy", "kappa", "majority"]

#: (what people say, what the judge says), one for each thing.
LabelPairs = Sequence[tuple[str, str]]
Cells = Mapping[tuple[str, str], int]


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
    cells = Counter(pairs)
    total, agreed, expected = len(pairs), _agreed(cells), _expected(cells)
    beyond = total**2 - expected
    if not beyond:
        return Kappa(total)
    value = (agreed * total - expected) / beyond
    spread = _spread(cells, total, agreed, expected)
    if not spread:
        return Kappa(total, value)
    error = sqrt(spread * total / beyond**4)
    return Kappa(total, value, max(-1.0, value - Z95 * error), min(1.0, value + Z95 * error))


# All in whole numbers, so that what is nothing is 0 and nothing depends on an order.


def _agreed(cells: Cells) -> int:
    return sum(count for (human, judged), count in cells.items() if human == judged)


def _expected(cells: Cells) -> int:
    """The pairs that would agree by chance, times their number."""
    rows, columns = _margins(cells)
    return sum(count * columns[label] for label, count in rows.items())


def _margins(cells: Cells) -> tuple[Counter[str], Counter[str]]:
    rows: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    for (human, judged), count in cells.items():
        rows[human] += count
        columns[judged] += count
    return rows, columns


def _spread(cells: Cells, total: int, agreed: int, expected: int) -> int:
    """The variance of kappa, times (total^2 - expected)^4 / total: 0 or more.

    The formula of 1969 with its shares written as counts: po = agreed / total and
    pe = expected / total^2.
    """
    rows, columns = _margins(cells)
    apart, beyond = total - agreed, total**2 - expected
    agreeing = disagreeing = 0
    for (human, judged), count in cells.items():
        if human == judged:
            agreeing += count * (beyond - (rows[human] + columns[human]) * apart) ** 2
        else:
            disagreeing += count * (columns[human] + rows[judged]) ** 2
    rest = agreed * expected - 2 * total * expected + total**2 * agreed
    return total * (agreeing + apart**2 * disagreeing) - rest**2
