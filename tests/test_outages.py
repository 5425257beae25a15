"""Why there is no verdict, whatever a judge did; and that none of it escapes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from fractions import Fraction

import pytest

from groundedgen import aask, ask, astream
from groundedgen.deadlines import StrayError
from groundedgen.errors import InputError, ProviderError
from groundedgen.judges.ensemble import EnsembleJudge
from groundedgen.judges.llm import LLMJudge
from groundedgen.outages import cause, outage, taken
from groundedgen.ports import Judged, Usage, Verdict
from groundedgen.testing import ScriptedGenerator, ScriptedJudge

PIPES = "Water damage from a burst pipe is covered by this policy."
DRAFT = {
    "status": "answered",
    "statements": [{"text": "Burst pipes are insured.", "sources": ["S1"], "quote": PIPES}],
}
QUESTION = "Is a burst pipe covered?"


class Own(BaseException):
    """Not an `Exception`, as `KeyboardInterrupt` is none."""


class UnreadError(Exception):
    """An SDK's error whose status is a property that fails without a response."""

    @property
    def status(self):
        raise RuntimeError("no response")

    @property
    def wasted(self):
        raise RuntimeError("no response")


class NoLength(list):
    def __len__(self):
        raise RuntimeError("secret")


class NoItems(Sequence):
    def __len__(self):
        return 1

    def __getitem__(self, place):
        raise ValueError("secret")


class NoUsage(list):
    @property
    def usage(self):
        raise RuntimeError("secret")


GOOD = Verdict("supported")


@pytest.mark.parametrize(
    "score", [float("nan"), float("-inf"), -0.001, 1.001, 5, 10**400, True, "1"]
)
def test_a_score_that_is_no_confidence_makes_no_verdict(score):
    [bad, good] = taken([Verdict("supported", score), Verdict("partial", 0.5)], 2)
    assert ("not_judged", "judge_bad_reply", None) == (bad.label, bad.reason, bad.score)
    assert Verdict("partial", 0.5) == good
    answer = asked(ScriptedJudge(Verdict("supported", score)))
    assert "withheld" == answer.status
    assert not answer.statements


@pytest.mark.parametrize("score", [None, 0, 1, 0.5, Fraction(1, 2)])
def test_every_number_from_0_to_1_is_a_score(score):
    [verdict] = taken([Verdict("supported", score)], 1)
    assert ("supported", score) == (verdict.label, verdict.score)
    assert type(verdict.score) in (type(None), int, float)


def asked(judge):
    return ask(QUESTION, [PIPES], model=ScriptedGenerator([DRAFT] * 2), judge=judge)


def awaited(judge):
    made = aask(QUESTION, [PIPES], model=ScriptedGenerator([DRAFT] * 2), judge=judge)
    return asyncio.run(made)


def unlimited(judge):
    model = ScriptedGenerator([DRAFT] * 2)
    return ask(QUESTION, [PIPES], model=model, judge=judge, timeout=None)


def streamed(judge):
    async def events():
        model = ScriptedGenerator([DRAFT] * 2)
        return [e async for e in astream(QUESTION, [PIPES], model=model, judge=judge)]

    told = asyncio.run(events())
    assert ["passages", "done"] == [event.type for event in told]
    return told[-1].answer


WAYS = [asked, awaited, unlimited, streamed]


class Plain:
    name = "plain"

    def __init__(self, do):
        self.do = do

    def judge(self, pairs):
        return self.do()


class Awaited(Plain):
    """Has both methods, so that every driver can use it, and fails in the awaited one too."""

    async def ajudge(self, pairs):
        return self.do()


def raising(error):
    def do():
        raise error

    return do


FAULTS = {
    "cancelled": (raising(asyncio.CancelledError()), "judge_cancelled"),
    "no exception": (raising(Own()), "judge_error"),
    "generator exit": (raising(GeneratorExit()), "judge_error"),
    "stop iteration": (raising(StopIteration(1)), "judge_error"),
    "status": (raising(UnreadError()), "judge_error"),
    "no length": (lambda: NoLength([GOOD]), "judge_bad_reply"),
    "no items": (NoItems, "judge_bad_reply"),
    "no usage": (lambda: NoUsage([GOOD]), "judge_bad_reply"),
    "unhashable label": (lambda: [Verdict(["supported"])], "judge_bad_reply"),
    "reason of another type": (lambda: [Verdict("not_judged", reason=5)], "judge_bad_reply"),
    "a string": (lambda: "supported", "judge_bad_reply"),
    "nothing": (lambda: None, "judge_bad_reply"),
    "a generator": (lambda: (GOOD for _ in range(1)), "judge_bad_reply"),
    "too many": (lambda: [GOOD] * 2, "judge_bad_reply"),
    "too few": (list, "judge_missing_item"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [Plain, Awaited])
def test_whatever_a_judge_does_withholds_and_says_why(fault, way, kind):
    do, reason = FAULTS[fault]
    answer = way(kind(do))
    assert ("withheld", "judge_unavailable") == (answer.status, answer.reason)
    assert reason in answer.findings[0].details


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [Plain, Awaited])
def test_the_next_judge_is_asked_where_one_of_several_fails(fault, way, kind):
    answer = (way if way is not streamed else awaited)(
        EnsembleJudge([kind(FAULTS[fault][0]), ScriptedJudge("supported")])
    )
    assert "answered" == answer.status


@pytest.mark.parametrize("error", [asyncio.CancelledError(), Own(), UnreadError()])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("awaits", [False, True])
def test_whatever_a_model_that_judges_raises_is_a_reason(error, way, awaits):
    async def later(system, user):
        raise error

    answer = way(LLMJudge(later if awaits else lambda system, user: raising(error)()))
    reason = "judge_cancelled" if isinstance(error, asyncio.CancelledError) else "judge_error"
    assert reason in answer.findings[0].details


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("way", [asked, awaited, unlimited])
@pytest.mark.parametrize("judge", [Plain, Awaited, lambda do: LLMJudge(lambda s, u: do())])
def test_what_ends_a_program_ends_it(error, way, judge):
    with pytest.raises(type(error)):
        way(judge(raising(error)))


def test_a_sound_judgement_is_taken_with_what_it_cost():
    judged = taken(Judged([GOOD], usage=Usage(3, 1), calls=2), 1)
    assert ((GOOD,), Usage(3, 1), 2) == (judged, judged.usage, judged.calls)


def test_no_more_than_one_too_many_is_read():
    class Endless(Sequence):
        def __len__(self):
            return 10**9

        def __getitem__(self, place):
            return GOOD

    assert 3 == len(taken(Endless(), 2))


def test_an_error_that_carries_another_is_read_by_it():
    error = ProviderError("x", original=PermissionError())
    assert ("judge_denied", "judge_cancelled", "judge_error") == (
        outage(error),
        outage(StrayError(asyncio.CancelledError())),
        outage(StrayError(Own())),
    )


def test_a_function_that_returned_no_text_is_told_what_it_must_return():
    error = InputError("a string, please", code="bad_reply")
    assert ("judge_bad_reply", "InputError: it must return a string") == (
        outage(error),
        cause(error),
    )
    assert "judge_error" == outage(InputError("the caller's own"))
