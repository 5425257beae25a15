"""Every adapter, under every driver, as writer and as judge: who is cancelled leaves no request.

The server sees the connection closed, and is asked for nothing further.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

import anthropic
import httpx2
import openai

from groundedgen import aask, astream, stream
from groundedgen.generators.anthropic import AnthropicCitations, AnthropicGenerator
from groundedgen.generators.calling import CallingGenerator
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.retrying import RetryingGenerator
from groundedgen.judges.ensemble import EnsembleJudge
from groundedgen.judges.lexical import LexicalJudge
from groundedgen.judges.llm import LLMJudge
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from tests.servers.loopback import Said, serving, true_soon

PIPES = "Water damage from a burst pipe is covered by this policy."
GIVEN = ("Is a burst pipe covered?", [PIPES])
DRAFT = {
    "status": "answered",
    "statements": [{"text": "Burst pipes are insured.", "sources": ["S1"], "quote": PIPES}],
}
PATIENCE = 30.0
"""Seconds after which something hangs; never what is measured."""


def _openai(url, kind):
    return kind(api_key="k", base_url=f"{url}/v1", max_retries=2)


def _anthropic(url, kind):
    return kind(api_key="k", base_url=url, max_retries=2)


def _instructor(client, make):
    kinds = pytest.importorskip("instructor", reason="needs the extra instructor")
    from groundedgen.generators.instructor import InstructorGenerator

    return InstructorGenerator(getattr(kinds, make)(client), "m")


def _function(url):
    async def model(system, user):
        async with httpx2.AsyncClient(timeout=PATIENCE) as client:
            return (await client.post(url, json={"system": system, "user": user})).text

    return CallingGenerator(model)


MAKES = {
    "openai": lambda url: OpenAIGenerator(_openai(url, openai.OpenAI), "m"),
    "openai, async": lambda url: OpenAIGenerator(_openai(url, openai.AsyncOpenAI), "m"),
    "own server": lambda url: OpenAIGenerator(_openai(url, openai.OpenAI), "m", own_server=True),
    "own server, async": lambda url: OpenAIGenerator(
        _openai(url, openai.AsyncOpenAI), "m", own_server=True
    ),
    "anthropic": lambda url: AnthropicGenerator(_anthropic(url, anthropic.Anthropic), "m"),
    "anthropic, async": lambda url: AnthropicGenerator(
        _anthropic(url, anthropic.AsyncAnthropic), "m"
    ),
    "citations": lambda url: AnthropicCitations(_anthropic(url, anthropic.Anthropic), "m"),
    "citations, async": lambda url: AnthropicCitations(
        _anthropic(url, anthropic.AsyncAnthropic), "m"
    ),
    "instructor": lambda url: _instructor(_openai(url, openai.OpenAI), "from_openai"),
    "instructor, async": lambda url: _instructor(_openai(url, openai.AsyncOpenAI), "from_openai"),
    "instructor, anthropic": lambda url: _instructor(
        _anthropic(url, anthropic.Anthropic), "from_anthropic"
    ),
    "instructor, anthropic, async": lambda url: _instructor(
        _anthropic(url, anthropic.AsyncAnthropic), "from_anthropic"
    ),
    "function, async": _function,
    "function, async, with retries": lambda url: RetryingGenerator(_function(url)),
}
JUDGES = {
    "llm": LLMJudge,
    "several": lambda generator: EnsembleJudge([LLMJudge(generator), LexicalJudge()]),
}


async def cancelled(call, asked):
    task = asyncio.create_task(call)
    await true_soon(asked, PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def _read(**arguments):
    async with aclosing(astream(*GIVEN, **arguments)) as events:
        async for _ in events:
            pass


async def aask_cancelled(asked, **arguments):
    await cancelled(aask(*GIVEN, **arguments), asked)


async def astream_cancelled(asked, **arguments):
    await cancelled(_read(**arguments), asked)


async def astream_closed(asked, **arguments):
    """The reader leaves, as one does who has seen enough."""
    async with aclosing(astream(*GIVEN, **arguments)) as events:
        assert "passages" == (await anext(events)).type
        await true_soon(asked, PATIENCE)


async def stream_closed(asked, **arguments):
    events = stream(*GIVEN, **arguments)
    assert "passages" == next(events).type
    await true_soon(asked, PATIENCE)
    events.close()


DRIVERS = [aask_cancelled, astream_cancelled, astream_closed, stream_closed]
SAID = {
    "silent": Said(wait=2 * PATIENCE),
    "begun": Said(chunks=[b": \n\n"], hang=True),
}


def workers():
    return {t for t in threading.enumerate() if t.name.startswith("groundedgen-")}


async def left(driver, said, given):
    """Cancel a request, and see that nothing of it is left: not here, and not at the server."""
    before = workers()
    with serving(lambda _: SAID[said]) as server:
        await driver(lambda: server.asked, timeout=PATIENCE, **given(server.url))
        await true_soon(lambda: server.gone, PATIENCE / 2)
        await true_soon(lambda: workers() - before <= _loops(), PATIENCE / 2)
        assert 1 == len(server.asked)
    # Clients close here: what they still hold belongs to this loop.


def _loops():
    """The threads of loops that outlive a call: judges of synchronous callers share them."""
    return {t for t in workers() if t.name == "groundedgen-loop"}


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("make", MAKES)
def test_who_is_cancelled_while_a_model_writes_leaves_no_request(make, driver, said):
    def given(url):
        return {"model": MAKES[make](url), "judge": ScriptedJudge("supported")}

    asyncio.run(left(driver, said, given))


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("make", [name for name in MAKES if "citations" not in name])
def test_who_is_cancelled_while_a_model_judges_leaves_no_request(make, judge, driver):
    def given(url):
        return {"model": ScriptedGenerator([DRAFT]), "judge": JUDGES[judge](MAKES[make](url))}

    asyncio.run(left(driver, "silent", given))
