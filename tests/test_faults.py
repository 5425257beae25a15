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


@pytest.mark.parametrize("part", range(PARTS))
def test_no_fault_shows_what_was_not_verified(part):
    for seed in range(part, SEEDS, PARTS):
        outcome = run(seed)
        _holds(outcome)


def _holds(outcome):
    where = f"seed {outcome.seed}: {outcome.faults}"
    for statement in outcome.shown():
        assert statement.verified, where
        assert statement.text in TRUE, where
        assert statement.text in outcome.supported, where
    assert outcome.seconds < outcome.deadline + 1, where
    if outcome.answer is None:
        assert isinstance(outcome.error, GenerationError), where
        assert outcome.error.attempts <= 2, where
        return
    answer = outcome.answer
    assert answer.attempts <= 2, where
    assert bool(answer.statements) == (answer.status == "answered"), where
    if answer.reason == "judge_unavailable":
        assert outcome.judge_faults, where
    unjudged = [f for f in answer.findings if f.reason == "not_judged"]
    assert not unjudged or outcome.judge_faults, where


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
