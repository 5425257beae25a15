"""Figures in words, the same on the page and in the terminal. What is `None` is "not defined"."""

from __future__ import annotations

from math import ceil
from typing import Final

from groundedgen.evals.agreement import Kappa
from groundedgen.evals.intervals import Z95, Rate
from groundedgen.evals.thresholds import Picked

__all__ = ["NOT_PICKED", "kappa_text", "number_text", "rate_text", "thin_text"]

_UNDEFINED: Final = "not defined"

#: Why no threshold was picked, by `Picked.why`.
NOT_PICKED: Final = {
    "no_scores": "the judge gives no scores, or takes no threshold",
    "no_threshold": "none is strict enough",
    "one_class": "one half of the pairs lacks supported or unsupported ones",
}


def rate_text(found: Rate | None) -> str:
    """A share with its interval and what it is a share of.

    >>> rate_text(Rate(1, 2, 0.5, 0.1, 0.9)), rate_text(Rate(0, 0))
    ('50.0 % [10.0 to 90.0], 1 of 2', 'not defined')
    """
    if found is None or found.share is None or found.low is None or found.high is None:
        return _UNDEFINED
    low, high = 100 * found.low, 100 * found.high
    return f"{100 * found.share:.1f} % [{low:.1f} to {high:.1f}], {found.count} of {found.total}"


def number_text(found: float | None) -> str:
    """A figure from 0 to 1."""
    return _UNDEFINED if found is None else f"{found:.3f}"


def kappa_text(found: Kappa | None) -> str:
    """Kappa with its interval.

    >>> kappa_text(Kappa(9, 1.0))
    '1.000 [interval not defined]'
    """
    if found is None or found.value is None:
        return _UNDEFINED
    if found.low is None or found.high is None:
        return f"{found.value:.3f} [interval {_UNDEFINED}]"
    return f"{found.value:.3f} [{found.low:.3f} to {found.high:.3f}]"


def thin_text(picked: Picked) -> str:
    """What to say of a threshold that too few unsupported pairs stand behind, or "".

    With n unsupported pairs of which none passes, the upper end of the 95 % Wilson interval is
    z² / (n + z²); so many are needed for it to come down to the stated rate.

    >>> thin_text(Picked(0.02, 0.5, picking_false_pass=Rate(0, 26, 0.0, 0.0, 0.13)))
    '26 unsupported pairs cannot show 2 %: that takes 189 on each half, even if none passes'
    """
    found, most = picked.picking_false_pass, picked.max_false_pass
    if found is None or most <= 0:
        return ""
    needed = ceil(Z95 * Z95 * (1 - most) / most)
    if found.total >= needed:
        return ""
    return (
        f"{found.total} unsupported pairs cannot show {100 * most:g} %: that takes {needed} on "
        f"each half, even if none passes"
    )
