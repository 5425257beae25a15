"""Measuring judges against people. Needs no extra; the HTML report needs `web`.

::

    labels ─ calibrate(judge) ─> Calibration ─> report | JSON | guarantee(answer, calibration)
"""

from groundedgen.evals.calibration import Calibration, calibrate
from groundedgen.evals.guarantee import guarantee
from groundedgen.evals.labels import Labelled, read_labels

__all__ = ["Calibration", "Labelled", "calibrate", "guarantee", "read_labels"]
