"""What was paid for is told also where the deadline of the call comes first."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

import anthropic
import openai

from groundedgen import aask, ask, astream
from groundedgen.errors import DeadlineError, ProviderError
from groundedgen.generators.anthropic import AnthropicGenerator
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.retrying import aretry, restream, retry
from groundedgen.ports import Usage
from groundedgen.testing import ScriptedJudge
from tests.servers import anthropic_wire, openai_wire
from tests.servers.loopback import Said, in_turn, serving
from tests.servers.streaming_wire import data

GIVEN = ("Is fire covered?", ["Fire is covered by this policy, and so is smoke."])
TRUE = {"text": "Fire is covered.", "sources": ["S1"], "quote": "Fire is covered by this policy"}
DRAFT = {"status": "answered", "statements": [TRUE]}
TEXT = anthropic_wire.text(DRAFT)
COUNTS = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}
WAYS = ("ask", "aask", "astream")


@pytest.fixture(autouse=True)
def _warm():
    """What is made once is made before a deadline is set."""
    for sdk in ("openai", "anthropic"):
        said = {"openai": openai_wire.says(DRAFT), "anthropic": anthropic_wire.says(TEXT)}[sdk]
        with serving(in_turn(said)) as server:
            assert "answered" == answered(sdk, "ask", server.url, timeout=60).status


def answered(sdk, way, url, *, timeout):
    given = {"judge": ScriptedJudge("supported"), "timeout": timeout}
    make = OpenAIGenerator if sdk == "openai" else AnthropicGenerator
    if way == "ask":
        with client(sdk, url, awaits=False) as made:
            return ask(*GIVEN, model=make(made, "m"), **given)

    async def call():
        async with client(sdk, url, awaits=True) as made:
            if way == "aask":
                return await aask(*GIVEN, model=make(made, "m"), **given)
            events = [event async for event in astream(*GIVEN, model=make(made, "m"), **given)]
            raise events[-1].error

    return asyncio.run(call())


def client(sdk, url, *, awaits):
    if sdk == "openai":
        make = openai.AsyncOpenAI if awaits else openai.OpenAI
        return make(api_key="k", base_url=f"{url}/v1")
    return (anthropic.AsyncAnthropic if awaits else anthropic.Anthropic)(api_key="k", base_url=url)


def paid_for(sdk, way):
    """A reply that breaks off after it has told its tokens."""
    if sdk == "anthropic":
        return Said(chunks=anthropic_wire.says(TEXT).chunks[:2])
    if way == "astream":
        return Said(chunks=[data(COUNTS | {"usage": openai_wire.USAGE})])
    return Said(body=openai_wire.completion("{}", finish_reason="error"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_a_try_that_broke_off_counts_where_the_next_one_is_late(sdk, way):
    said = in_turn(paid_for(sdk, way), Said(wait=60))
    with serving(said) as server, pytest.raises(DeadlineError) as met:
        answered(sdk, way, server.url, timeout=3)
    assert 100 == met.value.usage.input_tokens


@pytest.mark.parametrize("way", WAYS)
def test_what_a_prompt_costs_counts_where_its_reply_is_late(way):
    said = Said(chunks=anthropic_wire.says(TEXT).chunks[:4], hang=True)
    with serving(in_turn(said)) as server, pytest.raises(DeadlineError) as met:
        answered("anthropic", way, server.url, timeout=3)
    assert 100 == met.value.usage.input_tokens


def test_a_judge_that_takes_all_the_time_leaves_what_the_broken_stream_cost():
    class Slow:
        name = "slow"

        async def ajudge(self, pairs):
            await asyncio.sleep(60)
            return [None] * len(pairs)

    async def call(url):
        async with client("anthropic", url, awaits=True) as made:
            model = AnthropicGenerator(made, "m")
            events = astream(*GIVEN, model=model, judge=Slow(), timeout=3)
            return [event async for event in events][-1].error

    with serving(in_turn(anthropic_wire.cut_off(TEXT, keep=2), Said(wait=60))) as server:
        error = asyncio.run(call(server.url))
    assert 100 == error.usage.input_tokens


def failing(*errors):
    left = list(errors)

    def send():
        raise left.pop(0)

    async def asend():
        send()

    async def astreaming():
        send()
        yield ""

    return {"retry": send, "aretry": asend, "restream": astreaming}


async def _read(parts):
    return [part async for part in parts]


LOOPS = {
    "retry": retry,
    "aretry": lambda send: asyncio.run(aretry(send)),
    "restream": lambda send: asyncio.run(_read(restream(send))),
}


def cost(error, tokens):
    error.wasted = Usage(tokens, 0)
    return error


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("last", [DeadlineError("late"), ProviderError("denied", status=401)])
def test_the_last_error_tells_what_all_tries_have_cost(loop, last):
    first = cost(ProviderError("busy", retryable=True, retry_after=0.0), 100)
    with pytest.raises(type(last)) as met:
        LOOPS[loop](failing(first, cost(last, 7))[loop])
    assert Usage(107, 0) == met.value.wasted
