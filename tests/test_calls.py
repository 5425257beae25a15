"""How a call's requests are carried out: late parts are left, stray errors are contained."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
from contextlib import aclosing
from functools import partial

import pytest

from groundedgen import aask, ask, astream
from groundedgen.calls import replied
from groundedgen.deadlines import StrayError
from groundedgen.errors import (
    DeadlineError,
    GenerationError,
    InputError,
    MissingExtraError,
    ProviderError,
)
from groundedgen.ports import Reply, SourceCard, Usage, Verdict
from groundedgen.streaming import stream
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from tests.servers.loopback import true_soon

PATIENCE = 30.0
"""Seconds after which something hangs; never what is measured."""

PIPES = "Water damage from a burst pipe is covered by this policy."
STATEMENT = {"text": "Burst pipes are insured.", "sources": ["S1"], "quote": PIPES}
DRAFT = {"status": "answered", "statements": [STATEMENT]}
GIVEN = ("Is a burst pipe covered?", [PIPES])
TEXT = json.dumps(DRAFT)


@pytest.fixture(autouse=True)
def _warm():
    """What is made once is made before a deadline is set."""
    ask(*GIVEN, model=ScriptedGenerator([DRAFT]), judge=ScriptedJudge("supported"))
    ask(*GIVEN, judge="lexical")


class Own(BaseException):
    """Not an `Exception`, as `KeyboardInterrupt` is none."""


class Stubborn:
    """A part that does not end when it is cancelled, and then returns what is wanted, or fails."""

    name = "stubborn"

    def __init__(self, result, *, ends=None):
        self.result, self.ends = result, ends
        self.cancelled = self.begun = self.ended = 0

    async def agenerate(self, request):
        return await self._late()

    async def ajudge(self, pairs):
        return await self._late()

    async def aget(self, ids, reader):
        return await self._late()

    async def astream(self, request):
        yield TEXT[:20]
        yield await self._late()

    async def _late(self):
        self.begun += 1
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            self.cancelled += 1
        await asyncio.wait_for(self.ends.wait(), PATIENCE)
        self.ended += 1
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class OnlyGenerates(Stubborn):
    astream = None


REPLY = Reply(TEXT)


async def _asked(driver, **arguments):
    if driver == "astream":
        async with aclosing(astream(*GIVEN, **arguments)) as events:
            return [event async for event in events][-1]
    return await aask(*GIVEN, **arguments)


def watched(driver, part, where, timeout=0.6):
    """What the call came to, its seconds, and what the loop had to report, to the part's end."""

    async def main():
        said, loop = [], asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: said.append(context["message"]))
        part.ends = asyncio.Event()
        arguments = {"model": ScriptedGenerator([DRAFT] * 2), "judge": ScriptedJudge("supported")}
        arguments |= {where: part, "timeout": timeout}
        if where == "store":
            arguments["reader"] = "ann"
        begun = time.monotonic()
        try:
            outcome = await _asked(driver, **arguments)
        except GenerationError as error:
            outcome = error
        seconds = time.monotonic() - begun
        part.ends.set()
        await true_soon(lambda: part.ended == part.begun, PATIENCE)
        await asyncio.sleep(0.01)
        gc.collect()
        return outcome, seconds, said

    return asyncio.run(main())


@pytest.mark.parametrize("result", [REPLY, ValueError("late")])
@pytest.mark.parametrize("driver", ["aask", "astream"])
def test_a_generator_that_ignores_being_cancelled_is_left_and_its_reply_is_not_heard(
    driver, result
):
    part = OnlyGenerates(result) if driver == "aask" else Stubborn(result)
    outcome, seconds, said = watched(driver, part, "model")
    error = outcome if driver == "aask" else outcome.error
    assert isinstance(error, DeadlineError)
    assert "stubborn had not come to an end by the deadline" in str(error)
    assert ([], 1, 1) == (said, part.cancelled, part.ended)
    assert seconds < PATIENCE / 2


@pytest.mark.parametrize("result", [[Verdict("supported")], ValueError("late")])
@pytest.mark.parametrize("driver", ["aask", "astream"])
def test_a_judge_that_ignores_being_cancelled_has_not_judged(driver, result):
    part = Stubborn(result)
    outcome, seconds, said = watched(driver, part, "judge")
    answer = outcome if driver == "aask" else outcome.answer
    assert ("withheld", "judge_unavailable") == (answer.status, answer.reason)
    assert "judge_timeout" in answer.findings[0].details
    assert ([], 1, 1) == (said, part.cancelled, part.ended)
    assert seconds < PATIENCE / 2


@pytest.mark.parametrize("result", [{"p1": SourceCard("p1")}, ValueError("late")])
@pytest.mark.parametrize("driver", ["aask", "astream"])
def test_a_store_that_ignores_being_cancelled_opens_nothing(driver, result):
    part = Stubborn(result)
    outcome, seconds, said = watched(driver, part, "store")
    answer = outcome if driver == "aask" else outcome.answer
    assert ("withheld", "reader_may_not_open") == (answer.status, answer.reason)
    assert ([], 1, 1) == (said, part.cancelled, part.ended)
    assert seconds < PATIENCE / 2


@pytest.mark.parametrize("where", ["model", "judge"])
@pytest.mark.parametrize("driver", ["aask", "astream"])
def test_what_blocks_the_loop_until_it_is_too_late_is_not_heard_either(where, driver):
    class Blocking:
        name = "blocking"

        async def agenerate(self, request):
            time.sleep(0.6)  # noqa: ASYNC251  # that is the fault
            return REPLY

        async def ajudge(self, pairs):
            time.sleep(0.6)  # noqa: ASYNC251  # as above
            return [Verdict("supported")] * len(pairs)

    arguments = {"model": ScriptedGenerator([DRAFT] * 2), "judge": ScriptedJudge("supported")}
    arguments |= {where: Blocking(), "timeout": 0.3}
    try:
        outcome = asyncio.run(_asked(driver, **arguments))
    except DeadlineError as error:
        assert (where, driver) == ("model", "aask"), error  # noqa: PT017  # one of three outcomes
        return
    if where == "model":
        assert isinstance(outcome.error, DeadlineError)
    else:
        answer = outcome if driver == "aask" else outcome.answer
        assert "judge_timeout" in answer.findings[0].details


@pytest.mark.parametrize("where", ["model", "judge", "store"])
@pytest.mark.parametrize("driver", ["aask", "astream"])
def test_whoever_cancels_the_call_is_not_kept_by_a_part_that_ignores_it(where, driver):
    async def main():
        part = (OnlyGenerates if driver == "aask" else Stubborn)(REPLY, ends=asyncio.Event())
        judge = ScriptedJudge("supported")
        arguments = {"model": ScriptedGenerator([DRAFT] * 2), "judge": judge, "timeout": None}
        arguments |= {where: part}
        if where == "store":
            arguments["reader"] = "ann"
        task = asyncio.create_task(_asked(driver, **arguments))
        await true_soon(lambda: part.begun, PATIENCE)
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        seconds = time.monotonic() - begun
        part.ends.set()
        await true_soon(lambda: part.ended, PATIENCE)
        await asyncio.sleep(0.01)
        return seconds, part, judge

    seconds, part, judge = asyncio.run(main())
    assert seconds < PATIENCE / 2
    assert (1, 1, []) == (part.begun, part.cancelled, judge.calls)


def test_leaving_a_stream_that_does_not_await_does_not_wait_for_such_a_part():
    class Endless(Stubborn):
        async def _late(self):
            self.ends = asyncio.Event()
            return await super()._late()

    part = Endless(REPLY)
    events = stream(*GIVEN, model=part, judge=ScriptedJudge("supported"))
    assert "passages" == next(events).type
    begun = time.monotonic()
    events.close()
    assert time.monotonic() - begun < PATIENCE / 2


def test_a_stream_that_does_not_await_ends_where_a_part_blocks_its_loop():
    let_go = threading.Event()

    class Blocking:
        name = "blocking"

        async def astream(self, request):
            let_go.wait(PATIENCE)
            yield REPLY

        async def agenerate(self, request):
            return REPLY

    begun = time.monotonic()
    events = list(stream(*GIVEN, model=Blocking(), timeout=0.3))
    assert time.monotonic() - begun < PATIENCE / 2
    let_go.set()
    assert ["passages", "failed"] == [event.type for event in events]
    assert isinstance(events[-1].error, DeadlineError)


def test_a_store_that_blocks_that_loop_opens_nothing_and_the_stream_still_has_its_two_ends():
    let_go = threading.Event()

    class Blocking:
        async def aget(self, ids, reader):
            let_go.wait(PATIENCE)
            return {}

    events = list(stream(*GIVEN, store=Blocking(), reader="ann", timeout=0.3))
    let_go.set()
    assert [("passages", ()), ("failed", ())] == [(e.type, e.passages) for e in events]


# --- errors that are not a part's to raise -----------------------------------------------------


def _error(call):
    try:
        return call()
    except Exception as error:  # noqa: BLE001  # what is looked at
        return error


class Raising:
    name = "raising"

    def __init__(self, error, after=()):
        self.error, self.after = error, after

    def generate(self, request):
        raise self.error

    async def agenerate(self, request):
        raise self.error

    async def astream(self, request):
        for part in self.after:
            yield part
            await asyncio.sleep(0.05)
        raise self.error


class OnlyRaises(Raising):
    astream = None


def outcomes(error):
    """What every driver makes of a generator that raises this."""
    judge = ScriptedJudge("supported")

    def events(model):
        return _error(lambda: asyncio.run(_asked("astream", model=model, judge=judge)).error)

    return [
        _error(lambda: ask(*GIVEN, model=Raising(error), judge=judge)),
        _error(lambda: ask(*GIVEN, model=Raising(error), judge=judge, timeout=None)),
        _error(lambda: asyncio.run(aask(*GIVEN, model=Raising(error), judge=judge))),
        events(Raising(error)),
        events(OnlyRaises(error)),
        list(stream(*GIVEN, model=Raising(error), judge=judge))[-1].error,
    ]


def test_a_generator_that_was_cancelled_by_something_else_is_a_provider_that_failed():
    for outcome in outcomes(asyncio.CancelledError()):
        assert type(outcome) is ProviderError
        assert "raising was cancelled" in str(outcome)


@pytest.mark.parametrize("error", [Own("secret"), GeneratorExit("secret"), StopIteration("x")])
def test_what_no_part_may_raise_is_an_error_that_can_be_caught(error):
    for outcome in outcomes(error):
        assert isinstance(outcome, RuntimeError)
        assert type(error).__name__ in str(outcome)
        assert "secret" not in str(outcome)


def test_what_was_shown_before_the_request_was_cancelled_is_the_answer():
    at = TEXT.index("}") + 1
    model = Raising(asyncio.CancelledError(), after=[TEXT[:at]])
    last = asyncio.run(_asked("astream", model=model, judge=ScriptedJudge("supported")))
    assert ("done", "answered") == (last.type, last.answer.status)
    assert ["provider_error"] == [finding.reason for finding in last.answer.findings]


def test_the_deadline_has_one_text_whoever_notices_it():
    class Late(Raising):
        name = "one/model"

        def generate(self, request):
            time.sleep(PATIENCE if self.error is None else 0)
            return super().generate(request)

        async def agenerate(self, request):
            await asyncio.sleep(PATIENCE if self.error is None else 0)
            return await super().agenerate(request)

        async def astream(self, request):
            yield await self.agenerate(request)

    class LateAtOnce(Late):
        astream = None

    own = DeadlineError("mine")
    own.wasted = Usage(7, 3)
    told = []
    for error in (None, own):
        model = {"model": Late(error), "timeout": 0.5}
        told += [
            _error(partial(ask, *GIVEN, **model)),
            _error(lambda given=model: asyncio.run(aask(*GIVEN, **given))),
            asyncio.run(_asked("astream", model=Late(error), timeout=0.5)).error,
            asyncio.run(_asked("astream", model=LateAtOnce(error), timeout=0.5)).error,
        ]
    assert {DeadlineError} == {type(error) for error in told}
    assert 1 == len({str(error) for error in told}), told
    assert "one/model" in str(told[0])
    assert [Usage(7, 3)] * 4 == [error.usage for error in told[4:]]


@pytest.mark.parametrize("error", [Own(), asyncio.CancelledError(), RuntimeError()])
@pytest.mark.parametrize("awaits", [False, True])
def test_a_store_that_raises_whatever_it_is_opens_nothing(error, awaits):
    class Store:
        if awaits:

            async def aget(self, ids, reader):
                raise error

        else:

            def get(self, ids, reader):
                raise error

    given = {"store": Store(), "reader": "ann", "model": ScriptedGenerator([])}
    answers = [asyncio.run(aask(*GIVEN, **given))]
    answers.append(asyncio.run(_asked("astream", **given)).answer)
    answers.append(list(stream(*GIVEN, **given))[-1].answer)
    if not awaits:
        answers.append(ask(*GIVEN, **given))
    assert {"reader_may_not_open"} == {answer.reason for answer in answers}


@pytest.mark.parametrize("error", [Own(), asyncio.CancelledError(), OSError("disk full")])
def test_a_recorder_that_raises_whatever_it_is_loses_no_answer(error):
    class Recorder:
        def record(self, event):
            raise error

    made = {"judge": ScriptedJudge("supported"), "recorder": Recorder()}

    def given():
        return made | {"model": ScriptedGenerator([DRAFT])}

    assert "answered" == ask(*GIVEN, **given()).status
    assert "answered" == asyncio.run(aask(*GIVEN, **given())).status
    events = list(stream(*GIVEN, **given()))
    assert ["passages", "statement", "done"] == [event.type for event in events]


def test_a_recorder_does_not_keep_a_program_from_ending():
    class Recorder:
        def record(self, event):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(*GIVEN, recorder=Recorder())


def test_a_stray_error_names_its_class_and_no_word_of_it():
    error = StrayError(Own("secret"))
    assert ("Own", True, False) == (error.kind, "Own" in str(error), "secret" in str(error))


def test_a_reply_is_checked_before_it_is_read():
    assert REPLY is replied(REPLY)
    with pytest.raises(InputError, match="cited"):
        replied(Reply(None, cited=("words",)))


# Mistakes in a program, and outages


FORMS = {"ask": ask, "aask": lambda *given, **named: asyncio.run(aask(*given, **named))}


class Judging:
    """Raises the same error whenever it is asked."""

    name = "judging"

    def __init__(self, error):
        self.error = error

    def judge(self, pairs):
        raise self.error


class AsyncJudging(Judging):
    judge = None

    async def ajudge(self, pairs):
        raise self.error


def _judged(form, judge):
    return FORMS[form](*GIVEN, model=ScriptedGenerator([DRAFT]), judge=judge)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("several", [False, True])
def test_a_missing_part_of_a_judge_reaches_the_caller(form, several):
    judge = Judging(MissingExtraError("the judge", extra="nli"))
    with pytest.raises(MissingExtraError, match="nli"):
        _judged(form, [judge, judge] if several else judge)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", [{"C1": "supported"}, b"{}"])
def test_a_judging_function_that_returns_no_string_is_named_to_the_caller(form, value):
    with pytest.raises(InputError, match="judge= must return a string"):
        _judged(form, lambda system, user: value)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("error", [InputError("its own"), ValueError("its own")])
def test_what_a_judge_of_the_callers_raises_is_an_outage(form, error):
    def judging(system, user):
        raise error

    for judge in (judging, Judging(error)):
        assert "judge_unavailable" == _judged(form, judge).reason


def test_an_awaited_judge_without_its_part_reaches_the_caller():
    with pytest.raises(MissingExtraError):
        _judged("aask", AsyncJudging(MissingExtraError("the judge", extra="nli")))
