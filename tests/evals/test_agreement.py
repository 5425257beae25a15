"""Agreement figures equal a computation by hand, scikit-learn's and scipy's."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundedgen.evals.agreement import balanced_accuracy, kappa, majority
from groundedgen.evals.intervals import Z95, rate

LABELS = ("supported", "contradicted", "not_addressed")
pairs = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), max_size=60)


def table(**cells):
    """Pairs by what both say: `yn` means people say yes and the judge no."""
    return [tuple(cell) for cell, count in cells.items() for _ in range(count)]


def test_kappa_by_hand():
    """20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: po = 0.7, pe = 0.5 * 0.6 + 0.5 * 0.4 = 0.5."""
    found = kappa(table(yy=20, yn=5, ny=10, nn=15))
    assert found.value == pytest.approx(0.4, abs=1e-12)
    # Fleiss, Cohen and Everitt (1969): A + B - C over n (1 - pe)^2 squared, written out.
    a = 0.4 * (0.5 - 1.1 * 0.3) ** 2 + 0.3 * (0.5 - 0.9 * 0.3) ** 2
    b = 0.3**2 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)
    c = (0.7 * 0.5 - 2 * 0.5 + 0.7) ** 2
    error = math.sqrt((a + b - c) / (50 * 0.5**4))
    assert found.low == pytest.approx(0.4 - Z95 * error, abs=1e-9)
    assert found.high == pytest.approx(0.4 + Z95 * error, abs=1e-9)


def exactly(cells):
    """The variance of kappa of 1969 in fractions, as it is printed: (A + B - C) / (n (1 - pe)^2).

    Fleiss, Cohen and Everitt's formula with kappa in it, unlike the one the code has.
    """
    total = sum(cells.values())
    share = {cell: Fraction(count, total) for cell, count in cells.items()}
    rows = {n: share[n, "y"] + share[n, "n"] for n in "yn"}
    columns = {n: share["y", n] + share["n", n] for n in "yn"}
    observed = share["y", "y"] + share["n", "n"]
    expected = sum(rows[n] * columns[n] for n in "yn")
    if expected == 1:
        return None, None
    value = (observed - expected) / (1 - expected)
    a = sum(share[n, n] * (1 - (rows[n] + columns[n]) * (1 - value)) ** 2 for n in "yn")
    crossed = sum(share[n, m] * (columns[n] + rows[m]) ** 2 for n, m in ("yn", "ny"))
    c = (value - expected * (1 - value)) ** 2
    return value, (a + (1 - value) ** 2 * crossed - c) / (total * (1 - expected) ** 2)


@pytest.mark.parametrize("yes", range(13))
def test_kappa_of_every_small_table_is_what_fractions_say(yes):
    """All tables of two labels with up to 12 in a cell, those without any width among them."""
    widths = 0
    for no, missed, false in itertools.product(range(13), repeat=3):
        if not yes + no + missed + false or no < yes:  # the other half has both labels swapped
            continue
        found = kappa(table(yy=yes, yn=missed, ny=false, nn=no))
        cells = {("y", "y"): yes, ("y", "n"): missed, ("n", "y"): false, ("n", "n"): no}
        value, variance = exactly(cells)
        assert (found.value is None) == (value is None)
        assert (found.low is None) == (found.high is None) == (not variance)
        if value is not None:
            assert abs(found.value - value) < 1e-9
        if variance:
            widths += 1
            half = Z95 * math.sqrt(variance)
            assert abs(found.low - max(-1, value - half)) < 1e-9
            assert abs(found.high - min(1, value + half)) < 1e-9
    assert widths


def by_delta(labelled):
    """The standard error of kappa from its gradient, taken numerically: no formula of it needed."""
    cells = Counter(labelled)
    total = len(labelled)
    names = sorted({label for pair in labelled for label in pair})
    grid = [(a, b) for a in names for b in names]
    shares = {cell: cells[cell] / total for cell in grid}

    def value(of):
        rows = {n: sum(of[n, m] for m in names) for n in names}
        columns = {n: sum(of[m, n] for m in names) for n in names}
        expected = sum(rows[n] * columns[n] for n in names)
        return (sum(of[n, n] for n in names) - expected) / (1 - expected)

    step = 1e-6
    gradient = {
        cell: (
            value({**shares, cell: shares[cell] + step})
            - value({**shares, cell: shares[cell] - step})
        )
        / (2 * step)
        for cell in grid
    }
    mean = sum(gradient[c] * shares[c] for c in grid)
    square = sum(gradient[c] ** 2 * shares[c] for c in grid) - mean**2
    return math.sqrt(max(0.0, square) / total)


@given(pairs)
def test_the_interval_of_kappa_is_what_the_delta_method_gives(labelled):
    found = kappa(labelled)
    assume(found.low is not None and found.low > -1 and found.high < 1)
    assert (found.high - found.low) / (2 * Z95) == pytest.approx(by_delta(labelled), abs=1e-6)


@given(pairs)
def test_kappa_and_balanced_accuracy_equal_scikit_learn(labelled):
    metrics = pytest.importorskip("sklearn.metrics")
    human, judged = [a for a, _ in labelled], [b for _, b in labelled]
    found = kappa(labelled)
    if found.value is not None:
        assert found.value == pytest.approx(metrics.cohen_kappa_score(human, judged), abs=1e-9)
    accuracy = balanced_accuracy(labelled)
    if accuracy is not None:
        recall = metrics.recall_score(
            human, judged, labels=sorted(set(human)), average="macro", zero_division=0
        )
        assert accuracy == pytest.approx(recall, abs=1e-9)


@given(pairs)
def test_nothing_is_ever_nan_and_all_is_in_range(labelled):
    found = kappa(labelled)
    figures = [found.value, found.low, found.high, balanced_accuracy(labelled), majority(labelled)]
    assert all(f is None or (math.isfinite(f) and -1 <= f <= 1) for f in figures)
    if found.low is not None:
        assert found.low <= found.value <= found.high


def test_what_is_not_defined_is_none():
    assert kappa([]).value is None
    assert kappa(table(yy=9)).value is None  # chance alone would agree always
    perfect = kappa(table(yy=5, nn=5))
    assert (1.0, None, None) == (perfect.value, perfect.low, perfect.high)
    assert balanced_accuracy(table(yy=5, yn=5)) is None
    assert balanced_accuracy([]) is None
    assert majority([]) is None


@given(st.integers(0, 400), st.integers(0, 400))
def test_wilson_equals_scipy(count, more):
    stats = pytest.importorskip("scipy.stats")
    total = count + more
    assume(total)
    found = rate(count, total)
    expected = stats.binomtest(count, total).proportion_ci(0.95, method="wilson")
    assert found.low == pytest.approx(expected.low, abs=1e-9)
    assert found.high == pytest.approx(expected.high, abs=1e-9)
    assert 0 <= found.low <= found.share <= found.high <= 1


def test_wilson_by_hand():
    """1 of 10: (0.1 + z^2/20 +- z sqrt(0.09/10 + z^2/400)) / (1 + z^2/10)."""
    z, found = Z95, rate(1, 10)
    half = z * math.sqrt(0.009 + z * z / 400)
    assert found.low == pytest.approx((0.1 + z * z / 20 - half) / (1 + z * z / 10), abs=1e-12)
    assert found.high == pytest.approx((0.1 + z * z / 20 + half) / (1 + z * z / 10), abs=1e-12)
    assert rate(0, 0).share is None
