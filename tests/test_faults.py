"""Whatever a provider or a judge does wrong, nothing unverified is shown, and in time.

`GROUNDEDGEN_FAULTS` sets how many seeds are tried; `make faults` tries 10,000.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

tenacity = pytest.importorskip("tenacity")
pytest.importorskip("openai")
pytest.importorskip("anthropic")

from groundedgen.errors import GenerationError
from groundedgen.generators import retrying
from tests.faults import JUDGE_FAULTS, LIES, PROVIDER_FAULTS, TRUE, run


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Retries as many as ever, without the waits between them."""
    monkeypatch.setattr(retrying, "_BACKOFF", tenacity.wait_fixed(0))


SEEDS = int(os.environ.get("GROUNDEDGEN_FAULTS", "600"))
PARTS = 8
AGAIN = 2  # more runs of a seed that was late


@pytest.mark.parametrize("part", range(PARTS))
def test_no_fault_shows_what_was_not_verified(part):
    for seed in range(part, SEEDS, PARTS):
        _holds(seed)


def _holds(seed):
    """A seed that was late is run again: its faults come again, a busy machine's pause does not."""
    for _ in range(AGAIN):
        outcome = run(seed)
        _is_safe(outcome)
        if not _late(outcome):
            return
    _is_safe(outcome := run(seed))
    assert not _late(outcome), f"seed {outcome.seed}: {outcome.faults}, {outcome.seconds:.2f} s"


def _late(outcome):
    """Whether it took longer than the deadline allows, or the judge ran out of time by itself."""
    judged = outcome.answer is None or outcome.judge_faults
    unjudged = not judged and any(f.reason == "not_judged" for f in outcome.answer.findings)
    return outcome.seconds >= outcome.deadline + 1 or unjudged


def _is_safe(outcome):
    where = f"seed {outcome.seed}: {outcome.faults}"
    for statement in outcome.shown():
        assert statement.verified, where
        assert statement.text in TRUE, where
        assert statement.text in outcome.supported, where
    if outcome.answer is None:
        assert isinstance(outcome.error, GenerationError), where
        assert outcome.error.attempts <= 2, where
        return
    answer = outcome.answer
    assert answer.attempts <= 2, where
    assert bool(answer.statements) == (answer.status == "answered"), where


def test_the_faults_are_really_there():
    """A harness in which nothing goes wrong, or everything, would prove nothing."""
    outcomes = [run(seed) for seed in range(20_000, 20_400)]
    faults = Counter(fault for outcome in outcomes for fault in outcome.faults)
    seen = {fault.removeprefix("judge_") for fault in faults}
    assert set(LIES) <= seen
    assert set(PROVIDER_FAULTS) <= seen
    assert set(JUDGE_FAULTS) <= seen
    ends = Counter(
        type(outcome.error).__name__ if outcome.answer is None else outcome.answer.reason
        for outcome in outcomes
    )
    expected = {
        "answered", "judge_unavailable", "strict_policy", "model_said_not_found",
        "ProviderError", "RefusedError", "TruncatedError", "DraftFormatError", "DeadlineError",
    }  # fmt: skip
    assert expected <= set(ends)
    assert {"nothing_survived", "core_lost"} & set(ends)
