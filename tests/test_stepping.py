"""Steps of the flow: short ones are taken at once, long ones are held to the deadline."""

from __future__ import annotations

import asyncio
import threading

import pytest

from groundedgen import Passage, aask, ask, astream
from groundedgen.deadlines import within
from groundedgen.effects import Closed, Generate, Next, Streaming
from groundedgen.errors import DeadlineError
from groundedgen.ports import Reply, Usage
from groundedgen.stepping import Steps
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from groundedgen.values import Answer, CitedText

PATIENCE = 30.0
QUESTION = "Is a burst pipe covered?"
PIPES = "Water damage from a burst pipe is covered by this policy."
LONG = Passage("long", PIPES + " The house stands on the north side of the road." * 5000)
SHORT = Passage("short", PIPES)
STATEMENT = {"text": "Burst pipes are insured.", "sources": ["S1"], "quote": PIPES}
DRAFT = {"status": "answered", "statements": [STATEMENT]}
SMALL, BIG = Reply("x" * 100), Reply("x" * 30_000, usage=Usage(9, 9))
PIECES = Reply(None, cited=(CitedText("x" * 15_000),) * 2)


def taking(passage, outcome, *, awaits=False):
    """The thread that a step is taken in, once such an outcome has come."""
    seen = []

    def flow():
        yield Generate
        seen.append(threading.current_thread())
        yield Next()

    steps = Steps(flow(), [passage])
    if awaits:

        async def both():
            return await steps.anext(None), await steps.anext(outcome)

        with within(PATIENCE):
            asyncio.run(both())
    else:
        steps.next(None)
        with within(PATIENCE):
            steps.next(outcome)
    return seen[0]


@pytest.mark.parametrize("awaits", [False, True])
@pytest.mark.parametrize(
    ("passage", "outcome", "apart"),
    [
        (SHORT, SMALL, False),
        (SHORT, BIG, True),
        (SHORT, PIECES, True),
        (SHORT, Closed(("x" * 100,)), False),
        (SHORT, Closed(("x" * 3000,) * 8), True),
        (LONG, SMALL, True),
        (LONG, Closed(("x",)), True),
        (LONG, Streaming(), False),
        (LONG, None, False),
        (LONG, (), False),
        (LONG, DeadlineError("late"), False),
    ],
)
def test_only_what_may_take_long_is_taken_apart(passage, outcome, apart, awaits):
    here = threading.current_thread()
    assert apart is (taking(passage, outcome, awaits=awaits) is not here)


@pytest.mark.parametrize("awaits", [False, True])
def test_checks_that_take_too_long_are_given_up_and_what_the_draft_cost_is_known(awaits):
    let_go = threading.Event()

    def flow():
        yield Generate
        let_go.wait(PATIENCE)
        return Answer("not_found", "core_lost", QUESTION)

    steps = Steps(flow())
    steps.next(None)
    with within(0.1), pytest.raises(DeadlineError, match="checks of the draft") as caught:
        asyncio.run(steps.anext(BIG)) if awaits else steps.next(BIG)
    let_go.set()
    assert Usage(9, 9) == caught.value.usage


def test_the_answer_is_the_same_however_it_is_stepped_to():
    def given():
        model = ScriptedGenerator([DRAFT], chunk=50)
        return {"model": model, "judge": ScriptedJudge("supported")}

    async def streamed():
        return [event async for event in astream(QUESTION, [LONG], **given())]

    answer = ask(QUESTION, [LONG], **given())
    assert answer == asyncio.run(aask(QUESTION, [LONG], **given()))
    assert answer == ask(QUESTION, [LONG], **given(), timeout=None)
    events = asyncio.run(streamed())
    assert ["passages", "statement", "done"] == [event.type for event in events]
    assert answer.statements == events[-1].answer.statements


def test_the_loop_goes_on_while_a_long_draft_is_checked():
    turns = []

    def flow():
        yield Generate
        turned.wait(PATIENCE)
        return Answer("not_found", "core_lost", QUESTION)

    async def others():
        while not turns:
            await asyncio.sleep(0)
            turns.append(1)
        turned.set()

    async def both():
        steps = Steps(flow())
        await steps.anext(None)
        answer, _ = await asyncio.gather(steps.anext(BIG), others())
        return answer

    turned = threading.Event()
    assert "core_lost" == asyncio.run(both()).reason
    assert [1] == turns
