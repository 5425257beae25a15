"""One loop behind callers that do not await: whatever one of them does there, the others go on."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from groundedgen import ask
from groundedgen.deadlines import within
from groundedgen.judges.concurrency import all_at_once, in_background
from groundedgen.judges.llm import LLMJudge
from groundedgen.ports import Pair, Verdict
from groundedgen.testing import ScriptedGenerator

PATIENCE = 30.0
"""Seconds after which something hangs; never what is measured."""

PIPES = "Water damage from a burst pipe is covered by this policy."
PAIR = Pair(PIPES, "Burst pipes are covered.", "S1")
DRAFT = {
    "status": "answered",
    "statements": [{"text": "Burst pipes are insured.", "sources": ["S1"], "quote": PIPES}],
}


def supports(system, user):
    return '{"C1": "supported"}'


async def six():
    return 6


class Blocking:
    """A function that is awaited and blocks the loop it is awaited in, until it is let go."""

    def __init__(self):
        self.let_go, self.begun = threading.Event(), threading.Event()

    async def __call__(self, system, user):
        self.begun.set()
        self.let_go.wait(PATIENCE)
        return '{"C1": "supported"}'


@pytest.fixture
def blocking():
    LLMJudge(supports).judge([PAIR])  # what is made once is made
    made = Blocking()
    yield made
    made.let_go.set()


def loops():
    return [thread for thread in threading.enumerate() if thread.name == "groundedgen-loop"]


def soon(holds):
    ends = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < ends:
        time.sleep(0.02)
    return holds()


def test_a_function_that_blocks_the_loop_is_late_and_harms_no_later_caller(blocking):
    started = time.monotonic()
    with within(0.5), pytest.raises(TimeoutError):
        LLMJudge(blocking).judge([PAIR])
    assert ["supported"] == [verdict.label for verdict in LLMJudge(supports).judge([PAIR])]
    assert 6 == in_background(six)
    assert time.monotonic() - started < PATIENCE / 2


def test_who_waits_behind_a_function_that_blocks_the_loop_is_begun_in_another(blocking):
    """Nobody has given up yet: the one that blocks has no deadline at all."""
    caller = threading.Thread(target=lambda: LLMJudge(blocking).judge([PAIR]), daemon=True)
    caller.start()
    assert blocking.begun.wait(PATIENCE)
    started = time.monotonic()
    assert 6 == in_background(six)
    assert time.monotonic() - started < PATIENCE / 2
    assert caller.is_alive()


def test_with_no_time_for_another_loop_it_is_too_late(blocking):
    caller = threading.Thread(target=lambda: LLMJudge(blocking).judge([PAIR]), daemon=True)
    caller.start()
    assert blocking.begun.wait(PATIENCE)
    with within(0.05), pytest.raises(TimeoutError, match="blocks"):
        in_background(six)


def test_a_loop_that_was_left_ends_when_its_work_has(blocking):
    with within(0.5), pytest.raises(TimeoutError):
        LLMJudge(blocking).judge([PAIR])
    assert 6 == in_background(six)
    left = set(loops())
    blocking.let_go.set()
    assert soon(lambda: len(left & set(loops())) < len(left))
    assert 6 == in_background(six)


def test_ask_with_a_judge_whose_function_blocks_withholds_and_the_next_call_answers(blocking):
    passages, question = [PIPES], "Is a burst pipe covered?"
    ask(question, passages)  # what is made once is made
    made = {"model": ScriptedGenerator([DRAFT] * 4), "timeout": 3}
    late = ask(question, passages, judge=blocking, **made)
    assert "judge_unavailable" == late.reason
    assert "judge_timeout" in late.findings[0].details
    made["timeout"] = PATIENCE
    assert "answered" == ask(question, passages, judge=supports, **made).status


class Nesting:
    """Judges, where it is awaited, by a call that is not awaited."""

    def __init__(self, call):
        self.call = call

    async def ajudge(self, pairs):
        return [self.call()] * len(pairs)


def test_ask_inside_the_loop_of_another_call_does_not_wait_for_itself():
    def asks():
        model = ScriptedGenerator([DRAFT])
        inner = ask("Is it covered?", [PIPES], model=model, judge=supports, timeout=PATIENCE)
        return Verdict("supported" if inner.status == "answered" else "not_addressed")

    nesting = Nesting(lambda: in_background(lambda: Nesting(asks).ajudge([PAIR]))[0])
    started = time.monotonic()
    assert [Verdict("supported")] == in_background(lambda: nesting.ajudge([PAIR]))
    assert time.monotonic() - started < PATIENCE / 2


def test_one_loop_serves_call_after_call():
    async def loop():
        return asyncio.get_running_loop()

    assert in_background(loop) is in_background(loop)


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_what_ends_a_program_reaches_the_caller_and_leaves_the_loop_running(error):
    async def ends():
        raise error

    async def among_others():
        return await all_at_once([six, ends], most=2)

    for work in (ends, among_others):
        with pytest.raises(type(error)):
            in_background(work)
    assert 6 == in_background(six)


def test_work_that_raises_raises_here():
    async def fails():
        raise KeyError("mine")

    with pytest.raises(KeyError):
        in_background(fails)


def test_work_that_ignores_being_cancelled_is_left_and_the_loop_is_not():
    async def stubborn():
        for _ in range(2):
            try:
                await asyncio.sleep(PATIENCE)
            except asyncio.CancelledError:
                continue

    async def loop():
        return asyncio.get_running_loop()

    before = in_background(loop)
    with within(0.1), pytest.raises(TimeoutError):
        in_background(stubborn)
    assert before is in_background(loop)
