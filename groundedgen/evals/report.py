"""A calibration as one self-contained HTML page: figures, intervals and plots, no text of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from groundedgen.errors import MissingExtraError
from groundedgen.evals.calibration import Calibration
from groundedgen.evals.plots import curve_plot, whisker_plot
from groundedgen.evals.wording import NOT_PICKED, kappa_text, number_text, rate_text, thin_text

try:
    from jinja2 import Template

    from groundedgen.render.documents import style_of, template_of
except ImportError as error:
    raise MissingExtraError("the HTML report", extra="web") from error

__all__ = ["to_html"]

_COLUMNS: Final = ("supported", "partial", "contradicted", "not_addressed", "not_judged")
_KINDS: Final[Mapping[str, str]] = {
    "source": "By source",
    "language": "By language (as labelled, else guessed from the claim's words)",
    "length": "By length of the passage",
    "number": "By whether the claim holds a number",
}


def to_html(calibration: Calibration) -> str:
    """The page, with its own style, inline SVG, no script and nothing to fetch.

    Foreign words in it (names of the judge, of sources) pass Jinja's autoescape. The word
    "calibrated" stands in it only if the calibration is `enough`.
    """
    style, digest = style_of(__package__, "calibration.css")
    overall = calibration.overall
    return _template().render(
        found=calibration,
        overall=overall,
        style=style,
        digest=digest,
        columns=_COLUMNS,
        kinds=_KINDS,
        not_picked=NOT_PICKED,
        plots={
            "False pass: claims that people call not supported, and that pass": whisker_plot(
                {"all pairs": overall.false_pass}
                | {name: one.false_pass for name, one in calibration.groups["source"].items()}
            ),
            "False strip: claims that people call supported, and that do not pass": whisker_plot(
                {"all pairs": overall.false_strip}
                | {name: one.false_strip for name, one in calibration.groups["source"].items()}
            ),
        },
        curve=curve_plot(calibration.curve),
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    filters: dict[str, Callable[..., Any]] = {
        "rate": rate_text,
        "number": number_text,
        "kappa": kappa_text,
        "thin": thin_text,
        "name": _name,
    }
    return template_of(__package__, "calibration.html.jinja", filters)


def _name(label: str) -> str:
    return label.replace("_", " ")
