"""A provider that dies in mid-answer, under the real SDKs: nothing false, nothing lost.

What was shown before is the answer and names the reason; while nothing was shown the request is
sent again. Either way every statement comes once, whole, and within the deadline.
"""

from __future__ import annotations

import asyncio
import time

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

from groundedgen import aask, astream
from groundedgen.conformance import check_generator
from groundedgen.errors import ProviderError
from groundedgen.judges.concurrency import in_background
from groundedgen.ports import Usage
from groundedgen.testing import ScriptedJudge
from tests.generators.test_streamed import SDKS, generator
from tests.servers.loopback import Said, in_turn, serving
from tests.servers.openai_wire import fails
from tests.servers.openai_wire import says as completion
from tests.servers.streaming_wire import anthropic_parts, openai_parts, overloaded
from tests.test_flow import ALSO_GOOD, GOOD, PASSAGES, QUESTION, WHOLE
from tests.test_streaming import parts, shown, types

PATIENCE = 8.0
"""Seconds of the deadline that nothing here may need, but for what hangs."""

DRIP = 0.15
"""Seconds between what arrives: time enough for what came to be judged and shown."""

TWO = parts(GOOD, ALSO_GOOD, WHOLE)[:2]
ALL = parts(GOOD, ALSO_GOOD, WHOLE)
ONE = parts(GOOD)


def broken(sdk, how, **options):
    """Two whole statements, then the end that it comes to."""
    made = anthropic_parts(TWO, None) if sdk == "anthropic" else openai_parts(TWO, None)
    more = [overloaded(sdk)] if how == "overloaded" else []
    half = [] if how != "half a statement" else _half(sdk)
    return Said(chunks=[*made, *half, *more], cut=how == "reset", hang=how == "hangs", **options)


def _half(sdk):
    words = ALL[2][:40]
    if sdk == "anthropic":
        return anthropic_parts([words], None)[2:]
    return openai_parts([words], None)[1:]


def whole(sdk):
    return Said(chunks=anthropic_parts(ALL) if sdk == "anthropic" else openai_parts(ALL))


def run(sdk, *said, times=1, timeout=PATIENCE, driver="astream"):
    """What came of `times` calls, with the seconds of each, and the server."""

    async def one(model):
        begun = time.monotonic()
        given = {"model": model, "judge": ScriptedJudge("supported"), "timeout": timeout}
        if driver == "aask":
            outcome = await aask(QUESTION, PASSAGES, **given)
        else:
            outcome = [event async for event in astream(QUESTION, PASSAGES, **given)]
        return outcome, time.monotonic() - begun

    async def main(server):
        async with generator(sdk, server) as model:
            return [await one(model) for _ in range(times)]

    with serving(in_turn(*said)) as server:
        return asyncio.run(main(server)), server


@pytest.mark.parametrize("how", ["reset", "overloaded", "ends", "half a statement"])
@pytest.mark.parametrize("sdk", SDKS)
def test_what_was_shown_is_the_answer_and_the_next_request_works(sdk, how):
    dies = broken(sdk, how, drip=DRIP)
    [(events, seconds), (again, _)], server = run(sdk, dies, whole(sdk), times=2)
    assert ["passages", "statement", "statement", "done"] == types(events)
    assert [GOOD["text"], ALSO_GOOD["text"]] == shown(events)
    answer = events[-1].answer
    assert ("answered", 1) == (answer.status, answer.attempts)
    assert [("generation", "provider_error")] == [(f.check, f.reason) for f in answer.findings]
    assert seconds < PATIENCE
    assert [GOOD["text"], ALSO_GOOD["text"], WHOLE["text"]] == shown(again)
    assert 2 == len(server.asked)
    if sdk == "anthropic":
        assert Usage(40, 1) == answer.usage


@pytest.mark.parametrize("how", ["reset", "overloaded", "ends", "half a statement"])
@pytest.mark.parametrize("sdk", SDKS)
def test_while_nothing_was_shown_it_is_sent_again_and_no_statement_comes_twice(sdk, how):
    """The judge takes longer than what is left of the reply: nothing has been shown by then."""

    class Slow(ScriptedJudge):
        async def ajudge(self, pairs):
            await asyncio.sleep(0 if server_asked() > 1 else 0.5)
            verdicts = self.judge(pairs)
            if server_asked() == 1:
                return [type(v)("not_addressed") for v in verdicts]
            return verdicts

    def server_asked():
        return len(server.asked)

    async def main():
        async with generator(sdk, server) as model:
            events = astream(QUESTION, PASSAGES, model=model, judge=Slow(), timeout=PATIENCE)
            return [event async for event in events]

    with serving(in_turn(broken(sdk, how), whole(sdk))) as server:
        events = asyncio.run(main())
    assert "done" == events[-1].type
    assert [GOOD["text"], ALSO_GOOD["text"], WHOLE["text"]] == shown(events)
    assert (1, 2) == (events[-1].answer.attempts, len(server.asked))
    if sdk == "anthropic":
        assert Usage(80, 21) == events[-1].answer.usage


@pytest.mark.parametrize("sdk", SDKS)
def test_a_provider_that_hangs_ends_at_the_deadline_with_what_was_shown(sdk):
    [(events, seconds)], server = run(sdk, broken(sdk, "hangs", drip=DRIP), timeout=2.0)
    assert [GOOD["text"], ALSO_GOOD["text"]] == shown(events)
    assert ["deadline"] == [f.reason for f in events[-1].answer.findings]
    assert seconds < 3.0
    assert 1 == len(server.asked)


@pytest.mark.parametrize("status", [429, 529])
@pytest.mark.parametrize("sdk", SDKS)
def test_a_wait_that_is_too_long_is_not_waited_for_and_the_passages_are_there(sdk, status):
    busy = fails(status, kind="overloaded_error", retry_after="600")
    [(events, seconds)], _ = run(sdk, busy)
    assert ["passages", "failed"] == types(events)
    assert isinstance(events[-1].error, ProviderError)
    assert events[-1].closest
    assert len(PASSAGES) == len(events[0].passages)
    assert seconds < PATIENCE


@pytest.mark.parametrize("how", ["reset", "overloaded", "ends"])
def test_a_whole_answer_is_asked_for_again_and_counts_what_was_wasted(how):
    [(answer, seconds)], server = run(
        "anthropic", broken("anthropic", how), whole("anthropic"), driver="aask"
    )
    assert [GOOD["text"], ALSO_GOOD["text"], WHOLE["text"]] == [s.text for s in answer.statements]
    assert Usage(80, 21) == answer.usage
    assert (1, 2) == (answer.attempts, len(server.asked))
    assert seconds < PATIENCE


@pytest.mark.parametrize("sdk", SDKS)
def test_a_generator_that_streams_over_the_wire_keeps_what_every_generator_promises(sdk):
    """All in one loop, as an asynchronous client needs it."""

    async def opened():
        made = generator(sdk, server)
        return made, await made.__aenter__()

    def answer(asked):
        if not asked.body.get("stream"):
            return completion("".join(ONE))
        return Said(chunks=(anthropic_parts if sdk == "anthropic" else openai_parts)(ONE))

    with serving(answer) as server:
        made, model = in_background(opened)
        try:
            check_generator(model)
        finally:
            in_background(lambda: made.__aexit__(None, None, None))
    assert any(asked.body.get("stream") for asked in server.asked)
