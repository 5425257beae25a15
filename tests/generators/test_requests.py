"""How many requests one call comes to at most, whatever a server does: tries never multiply."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import suppress

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

import anthropic
import httpx2
import openai
import tenacity

from groundedgen import aask, ask, astream
from groundedgen.errors import GenerationError
from groundedgen.generators import retrying
from groundedgen.generators.anthropic import AnthropicCitations, AnthropicGenerator
from groundedgen.generators.constrained.probes import PROBES
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.retrying import ATTEMPTS
from groundedgen.testing import ScriptedJudge
from tests.servers import openai_wire
from tests.servers.streaming_wire import anthropic_parts, openai_parts

PASSAGE = "Fire is covered by this policy, and so is smoke."
GIVEN = ("Is fire covered?", [PASSAGE])
INVENTED = {"text": "Hail is covered.", "sources": ["S1"], "quote": "Hail is covered in all cases."}
DRAFTS = ("no JSON", json.dumps({"status": "answered", "statements": [INVENTED]}))

DRAFTED = 2 * ATTEMPTS
"""A draft and one more."""
STEPS = {"openai": 4, "anthropic": 2, "citations": 0}
"""What a server may be found not to take: temperature, the name of the limit, two forms."""
STREAMED = 2
"""And of a stream: its options, and that there is one."""
OWN = len(PROBES) + 1 + 2 * 3
"""Of a server of one's own: what it obeys, once more for one that thinks; its rungs, each draft."""

WORDS = (
    "temperature is not supported with this model",
    "use max_completion_tokens instead of max_tokens",
    "response_format json_schema is not supported",
    "response_format json_object is not supported",
    "stream_options: include_usage is not supported",
    "streaming is not supported",
    "invalid grammar",
    "output_config is not supported",
    "tools: strict schema is not supported",
)


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch):
    monkeypatch.setattr(retrying, "_BACKOFF", tenacity.wait_none())


def failed(status, words="busy"):
    error = {"type": "invalid_request_error", "message": words}
    return httpx2.Response(status, headers={"retry-after": "0"}, json={"error": error})


def drafted(text, kind, asked):
    if kind == "openai" and not asked.get("stream"):
        return httpx2.Response(200, json=openai_wire.completion(text))
    parts = openai_parts([text]) if kind == "openai" else anthropic_parts([text])
    said = {"content-type": "text/event-stream"}
    return httpx2.Response(200, headers=said, content=b"".join(parts))


def sent(kind, driver, answer, **options):
    """The requests of one call that `answer` answers, each given its body."""
    bodies = []

    def handler(request):
        bodies.append(json.loads(request.content))
        return answer(bodies[-1])

    transport = httpx2.MockTransport(handler)
    awaits = driver != "ask"
    http = (httpx2.AsyncClient if awaits else httpx2.Client)(transport=transport)
    if kind == "openai":
        sdk = openai.AsyncOpenAI if awaits else openai.OpenAI
        client = sdk(api_key="k", base_url="http://localhost/v1", http_client=http)
        model = OpenAIGenerator(client, "m", max_tokens=100, **options)
    else:
        sdk = anthropic.AsyncAnthropic if awaits else anthropic.Anthropic
        client = sdk(api_key="k", base_url="http://localhost", http_client=http)
        model = {"anthropic": AnthropicGenerator, "citations": AnthropicCitations}[kind](
            client, "m"
        )
    with suppress(GenerationError):
        DRIVERS[driver](model)
    return len(bodies)


async def _streamed(model):
    async for _ in astream(*GIVEN, model=model, judge=ScriptedJudge("supported")):
        pass


DRIVERS = {
    "ask": lambda model: ask(*GIVEN, model=model, judge=ScriptedJudge("supported")),
    "aask": lambda model: asyncio.run(aask(*GIVEN, model=model, judge=ScriptedJudge("supported"))),
    "astream": lambda model: asyncio.run(_streamed(model)),
}


def at_random(seed, kind, fails):
    """A server that fails, turns something down, or writes what is no use, as it comes."""
    chance = random.Random(seed)

    def answer(asked):
        if (drawn := chance.random()) < fails / 3:
            if drawn < fails / 12:
                raise httpx2.ConnectError("gone")
            return failed(chance.choice([429, 500, 503, 529]))
        if drawn < fails:
            return failed(chance.choice([400, 404, 422, 500, 501]), chance.choice(WORDS))
        return drafted(chance.choice(DRAFTS), kind, asked)

    return answer


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(("kind", "own"), [(k, False) for k in STEPS] + [("openai", True)])
def test_no_server_is_sent_more_than_two_drafts_and_what_it_turns_down(kind, own, driver):
    most = DRAFTED + STEPS[kind] + (STREAMED if driver == "astream" else 0) + (OWN if own else 0)
    options = {"own_server": True} if own else {}
    counts = [
        sent(kind, driver, at_random(seed, kind, seed % 10 / 10), **options) for seed in range(50)
    ]
    assert max(counts) <= most
    assert max(counts) >= ATTEMPTS, "it was tried hard enough"


def in_turn(kind, *said):
    """These, and then what is no use again and again."""
    left = list(said)

    def answer(asked):
        return left.pop(0) if left else drafted(DRAFTS[0], kind, asked)

    return answer


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_most_that_openais_api_is_sent(driver):
    turned_down = WORDS[:4] if driver != "astream" else WORDS[:6]
    first = [failed(503), failed(503), *(failed(400, words) for words in turned_down)]
    bad = [lambda asked: drafted(DRAFTS[0], "openai", asked)]
    left = [*first, *bad, failed(503), failed(503)]

    def answer(asked):
        said = left.pop(0) if left else bad[0]
        return said(asked) if callable(said) else said

    assert DRAFTED + len(turned_down) == sent("openai", driver, answer)


def test_what_was_turned_down_once_is_not_sent_again():
    """In the next call it is two drafts, each sent once."""
    answer = in_turn("openai", *(failed(400, words) for words in WORDS[:4]))
    bodies = []
    transport = httpx2.MockTransport(
        lambda request: bodies.append(1) or answer(json.loads(request.content))
    )
    http = httpx2.Client(transport=transport)
    client = openai.OpenAI(api_key="k", base_url="http://localhost/v1", http_client=http)
    model = OpenAIGenerator(client, "m", max_tokens=100)
    for most in (4 + 2, 2):
        bodies.clear()
        with pytest.raises(GenerationError):
            DRIVERS["ask"](model)
        assert most == len(bodies)


@pytest.mark.parametrize("driver", DRIVERS)
def test_what_was_turned_down_is_not_sent_again_where_a_try_fails_in_passing(driver):
    busy = [2, 2]  # of each draft's tries

    def answer(asked):
        if "output_config" in asked:
            return failed(400, "output_config is not supported")
        if busy and busy[0]:
            busy[0] -= 1
            return failed(503)
        del busy[:1]
        return drafted(DRAFTS[0], "anthropic", asked)

    assert DRAFTED + 1 == sent("anthropic", driver, answer)
