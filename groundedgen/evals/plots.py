"""Where the marks of a plot stand: numbers for an inline SVG, no drawing and no text of pairs.

Lengths are in the SVG's own units; x grows to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundedgen.evals.intervals import Rate
from groundedgen.evals.thresholds import Point

__all__ = ["Curve", "Whiskers", "curve_plot", "whisker_plot"]

_LABELS: Final = 220
_WIDTH: Final = 420
_ROW: Final = 26
_HEIGHT: Final = 220
_MARGIN: Final = 40


@dataclass(frozen=True, slots=True)
class Whisker:
    """One share as a dot with its interval as a line."""

    label: str
    y: int
    at: float
    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class Whiskers:
    """One row a group over a scale from 0 to 100 %; `ticks` are (x, text)."""

    width: int
    height: int
    rows: tuple[Whisker, ...]
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Two lines over the threshold, 0 to 1: `false_pass` and `kept` as SVG points."""

    width: int
    height: int
    left: int
    bottom: int
    false_pass: str
    kept: str
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]


def whisker_plot(rates: Mapping[str, Rate]) -> Whiskers | None:
    """A row for each group whose share is defined; `None` if there is none.

    >>> plot = whisker_plot({"all": Rate(1, 2, 0.5, 0.1, 0.9), "none": Rate(0, 0)})
    >>> [(row.label, row.at, row.text) for row in plot.rows]
    [('all', 430.0, '50.0 % of 2')]
    """
    rows: list[Whisker] = []
    for label, found in rates.items():
        if found.share is not None and found.low is not None and found.high is not None:
            y = _ROW * len(rows) + _ROW // 2
            text = f"{100 * found.share:.1f} % of {found.total}"
            rows.append(Whisker(label, y, _x(found.share), _x(found.low), _x(found.high), text))
    if not rows:
        return None
    ticks = tuple((_x(n / 4), f"{25 * n} %") for n in range(5))
    return Whiskers(_LABELS + _WIDTH + 130, _ROW * len(rows) + _ROW, tuple(rows), ticks)


def _x(share: float) -> float:
    return round(_LABELS + _WIDTH * share, 1)


def curve_plot(points: Sequence[Point]) -> Curve | None:
    """Both lines, from the lowest threshold that was seen to the highest; `None` for one point.

    >>> curve_plot([Point(0.0, 1.0, 1.0), Point(1.0, 0.0, 0.5)]).kept
    '40.0,10.0 460.0,120.0'
    """
    if len(points) < 2:
        return None
    low, high = points[0].threshold, points[-1].threshold

    def across(threshold: float) -> float:
        return round(_MARGIN + _WIDTH * (threshold - low) / (high - low), 1)

    return Curve(
        width=_WIDTH + 2 * _MARGIN,
        height=_HEIGHT + _MARGIN + 10,
        left=_MARGIN,
        bottom=_HEIGHT + 10,
        false_pass=_line([(across(p.threshold), p.false_pass) for p in points]),
        kept=_line([(across(p.threshold), p.kept) for p in points]),
        across=tuple((across(at), f"{at:.2f}") for at in (low, (low + high) / 2, high)),
        up=tuple((_y(n / 4), f"{25 * n} %") for n in range(5)),
    )


def _line(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{_y(share)}" for x, share in points)


def _y(share: float) -> float:
    return round(10 + _HEIGHT * (1 - share), 1)
