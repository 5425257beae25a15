"""What every generator and every judge promises, as checks that anyone can run on theirs.

Each check is a function of the part, named after the promise. `check_generator` and
`check_judge` run all of them; with pytest they can also run one by one::

    @pytest.mark.parametrize("check", JUDGE_CHECKS.values(), ids=JUDGE_CHECKS)
    def test_my_judge(check):
        check(MyJudge())

They ask real questions of the part: a hosted model is called some twenty-five times.
"""

from __future__ import annotations

from typing import Any

from groundedgen.conformance.of_generators import GENERATOR_CHECKS
from groundedgen.conformance.of_judges import JUDGE_CHECKS
from groundedgen.conformance.promises import run

__all__ = ["GENERATOR_CHECKS", "JUDGE_CHECKS", "check_generator", "check_judge"]


def check_generator(generator: Any) -> None:
    """Check that a generator keeps what every generator promises.

    Raises:
        AssertionError: A promise is broken; the message begins with its name.
    """
    run("check_generator", GENERATOR_CHECKS, generator)


def check_judge(judge: Any) -> None:
    """Check that a judge keeps what every judge promises.

    Raises:
        AssertionError: A promise is broken; the message begins with its name.
    """
    run("check_judge", JUDGE_CHECKS, judge)
