from __future__ import annotations

import asyncio
import time

import pytest

from groundedgen import Passage, ask
from groundedgen.deadlines import within
from groundedgen.errors import InputError, ProviderError, RefusedError
from groundedgen.ports import Reply, Usage

pytest.importorskip("tenacity", reason="needs the extra openai")
from groundedgen.generators.retrying import RetryingGenerator, aretry, retry
from groundedgen.testing import ScriptedGenerator

NOT_FOUND = {"status": "not_found", "statements": []}


def busy(retry_after=0.0, wasted=None):
    error = ProviderError("busy", retryable=True, retry_after=retry_after)
    error.wasted = wasted
    return error


class Script:
    """A function that raises or returns one item after the other."""

    def __init__(self, *items):
        self.items, self.calls = list(items), 0

    def __call__(self):
        self.calls += 1
        item = self.items.pop(0)
        if isinstance(item, BaseException):
            raise item
        return item

    async def later(self):
        return self()


@pytest.fixture(params=["sync", "async"])
def run(request):
    """`run(script, attempts)`, through both forms of the engine."""
    if request.param == "sync":
        return retry
    return lambda script, attempts=3: asyncio.run(aretry(script.later, attempts))


def test_a_transient_failure_is_tried_again(run):
    script = Script(busy(), busy(), Reply("{}"))
    assert "{}" == run(script).raw
    assert 3 == script.calls


def test_an_async_function_may_be_wrapped_in_a_plain_one():
    script = Script(busy(), Reply("{}"))
    assert "{}" == asyncio.run(aretry(lambda: script.later())).raw  # noqa: PLW0108  # the point


@pytest.mark.parametrize("error", [ProviderError("gone"), RefusedError("no"), KeyError("x")])
def test_nothing_else_is_tried_again(run, error):
    script = Script(error, Reply("{}"))
    with pytest.raises(type(error)) as caught:
        run(script)
    assert caught.value is error
    assert 1 == script.calls


def test_the_last_error_is_raised_as_it_was(run):
    errors = [busy(), busy()]
    script = Script(*errors)
    with pytest.raises(ProviderError) as caught:
        run(script, 2)
    assert caught.value is errors[1]


def test_tokens_of_failed_tries_are_counted(run):
    failed = [busy(wasted=Usage(5, 1)), busy(wasted=Usage(5, 2))]
    reply = run(Script(*failed, Reply("{}", usage=Usage(7, 3))))
    assert Usage(17, 6) == reply.usage
    with pytest.raises(ProviderError) as caught:
        run(Script(busy(wasted=Usage(5, 1)), busy(wasted=Usage(5, 1))), 2)
    assert Usage(10, 2) == caught.value.wasted


def test_a_wait_that_outlasts_the_deadline_is_not_begun(run):
    script = Script(busy(retry_after=600), Reply("{}"))
    begun = time.monotonic()
    with within(2), pytest.raises(ProviderError):
        run(script)
    assert time.monotonic() - begun < 1
    assert 1 == script.calls


@pytest.mark.parametrize("asked", [61.0, 3600.0, float("inf")])
def test_without_a_deadline_there_is_a_longest_wait(run, asked):
    script = Script(busy(retry_after=asked), Reply("{}"))
    with pytest.raises(ProviderError):
        run(script)
    assert 1 == script.calls


def test_the_wait_that_is_asked_for_is_kept(run):
    begun = time.monotonic()
    run(Script(busy(retry_after=0.2), Reply("{}")))
    assert time.monotonic() - begun >= 0.2


def test_cancelling_ends_the_wait():
    script = Script(busy(retry_after=30), Reply("{}"))

    async def cancel():
        task = asyncio.create_task(aretry(script.later))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert 1 == script.calls


def test_a_generator_without_retries_gets_them():
    inner = ScriptedGenerator([busy(), NOT_FOUND, busy(), NOT_FOUND], name="mine")
    generator = RetryingGenerator(inner)
    passages = [Passage("p", "Fire is covered.")]
    assert "model_said_not_found" == ask("Is hail covered?", passages, model=generator).reason
    assert "mine" == generator.name
    request = inner.requests[0]
    assert asyncio.run(generator.agenerate(request)).raw


@pytest.mark.parametrize("attempts", [0, 11])
def test_attempts_are_within_reason(attempts):
    with pytest.raises(InputError, match="1 to 10"):
        RetryingGenerator(ScriptedGenerator([]), attempts=attempts)


def test_what_sends_again_by_itself_is_told_that_tries_would_multiply():
    inner = RetryingGenerator(ScriptedGenerator([]), attempts=2)
    with pytest.raises(InputError, match=r"scripted sends again by itself.*attempts="):
        RetryingGenerator(inner)
