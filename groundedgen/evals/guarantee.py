"""What the tick beside a statement means, in one plain sentence for the person relying on it."""

from __future__ import annotations

from pathlib import Path

from groundedgen.errors import InputError
from groundedgen.evals.calibration import Calibration
from groundedgen.evals.intervals import Rate
from groundedgen.values import Answer

__all__ = ["guarantee"]


def guarantee(answer: Answer, calibration: Calibration | str | Path | None = None) -> str:
    """One sentence on what was checked, and how far the judge that checked it agrees with people.

    It promises no more than was done: a quote that stands in its source and a judge's word do
    not make the source right. Figures of a calibration are named only if it is of the judge
    that this answer names.

    Args:
        answer: Any answer; without a verified statement the sentence says that nothing is ticked.
        calibration: Of this answer's judge, or the path of its JSON.

    Raises:
        InputError: It is neither, or the file is none.
        OSError: The file cannot be opened.

    >>> from textwrap import fill
    >>> from groundedgen import ask
    >>> answer = ask("Is fire covered?", ["Fire is covered by this policy."])
    >>> print(fill(guarantee(answer), 92))
    A tick means that the statement's quote stands word for word in the passage it cites, that
    its numbers stand there, and that it is a whole sentence of that passage; it does not mean
    that the passage is right.
    """
    calibration = _read(calibration)
    ticked = [statement for statement in answer.statements if statement.verified]
    if not ticked:
        return "Nothing in this answer carries a tick, so nothing in it has passed every check."
    ways: set[str] = {statement.entailment.how for statement in ticked}
    parts = [_checked(answer.judge, ways)]
    if "judge" in ways:
        parts.append(_measured(answer, calibration))
    parts.append("it does not mean that the passage is right")
    if len(ticked) < len(answer.statements):
        parts.append("statements without a tick were not checked for what they say")
    return "; ".join(parts) + "."


def _read(given: object) -> Calibration | None:
    if given is None or isinstance(given, Calibration):
        return given
    if isinstance(given, str | Path):
        return Calibration.load(given)
    raise InputError(
        f"a calibration is an evals.Calibration, or the path of the JSON that "
        f"groundedgen calibrate writes; got {type(given).__name__}",
        code="bad_type",
    )


def _checked(judge: str, ways: set[str]) -> str:
    sentence, judged = "is a whole sentence of that passage", f"was found by the judge {judge} to "
    last = {
        True: f"{sentence} or {judged}follow from it",
        False: sentence if "whole_sentence" in ways else f"{judged}follow from that passage",
    }[len(ways & {"whole_sentence", "judge"}) == 2]
    return (
        "A tick means that the statement's quote stands word for word in the passage it cites, "
        f"that its numbers stand there, and that it {last}"
    )


def _measured(answer: Answer, calibration: Calibration | None) -> str:
    if calibration is None:
        return "how far this judge agrees with people has not been measured here"
    if calibration.judge != answer.judge:
        return (
            f"how far this judge agrees with people has not been measured here (the figures given "
            f"are of {calibration.judge})"
        )
    if not calibration.enough:
        return (
            f"this judge was tried on {calibration.distinct} human-labelled pairs, too few to say "
            f"how far it agrees with people"
        )
    return _figures(calibration) + _version(answer, calibration)


def _figures(calibration: Calibration) -> str:
    overall = calibration.overall
    found = f"of {calibration.distinct} pairs that people labelled, this judge agreed on "
    found += _percent(overall.agreement)
    beside = []
    if overall.majority is not None:
        beside.append(f"always giving their commoner label: {100 * overall.majority:.1f} %")
    if overall.kappa.value is not None:
        beside.append(f"Cohen's kappa {overall.kappa.value:.2f}")
    found += f" ({'; '.join(beside)})" if beside else ""
    return (
        f"{found} and let {_percent(overall.false_pass)} of the unsupported ones pass "
        f"({_between(overall.false_pass)})"
    )


def _percent(found: Rate) -> str:
    return "not defined" if found.share is None else f"{100 * found.share:.1f} %"


def _between(found: Rate) -> str:
    if found.low is None or found.high is None:
        return "interval not defined"
    return f"95 % interval {100 * found.low:.1f} to {100 * found.high:.1f} %"


def _version(answer: Answer, calibration: Calibration) -> str:
    measured, used = (v.get("groundedgen", "") for v in (calibration.versions, answer.versions))
    return f", measured with version {measured} of groundedgen" if measured != used else ""
