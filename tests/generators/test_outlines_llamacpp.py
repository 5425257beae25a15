"""Outlines' models of servers over a real llama.cpp, which ignores what they send by themselves."""

from __future__ import annotations

import asyncio
import json

import pytest

from groundedgen import Passage, Policy, aliases, ask, draft, prompt
from groundedgen.errors import GenerationError
from groundedgen.gates import quote_gate
from groundedgen.values import Request
from tests.servers import llm

outlines = pytest.importorskip("outlines", reason="needs the extra outlines")
openai = pytest.importorskip("openai", reason="needs the extra openai")

from groundedgen.generators.outlines import OutlinesGenerator

PASSAGE = Passage("p", "Water damage from a burst pipe is covered up to 12,000 euros per claim.")
QUESTION = "Is water damage from a burst pipe covered?"
MAKERS = (outlines.from_vllm, outlines.from_sglang, outlines.from_openai)


@pytest.fixture(scope="module")
def client():
    with openai.OpenAI(api_key="none", base_url=llm.url()) as client:
        yield client


def _request():
    named = aliases.assign([PASSAGE])
    words = prompt.build(QUESTION, named)
    schema = draft.schema(named.names)
    return Request(QUESTION, words, schema, dict(named.docs), max_statements=1)


def _keeps_to_the_grammar(reply, request):
    assert ("grammar", "grammar") == (reply.constraint, reply.response_format)
    for statement in json.loads(reply.raw)["statements"]:
        (source,) = statement["sources"]
        assert "found" == quote_gate(statement["quote"], source, dict(request.docs)).verdict


def test_what_outlines_sends_to_vllm_by_itself_is_ignored_by_llamacpp(client):
    """The loss that the next test is about: free text, status 200, no error."""
    model = outlines.from_vllm(client, llm.MODEL)
    bound = model("Say something.", outlines.types.CFG('start: "q1a2b3c4d"'), max_tokens=20)
    assert bound != "q1a2b3c4d"


@pytest.mark.parametrize("make", MAKERS)
def test_the_grammar_reaches_llamacpp_whichever_server_the_model_was_made_for(client, make):
    generator = OutlinesGenerator(make(client, llm.MODEL), max_tokens=400)
    request = _request()
    reply = generator.generate(request)
    _keeps_to_the_grammar(reply, request)
    assert reply.usage.input_tokens > 0


def test_the_grammar_reaches_llamacpp_from_an_asynchronous_model():
    async def asked(request):
        async with openai.AsyncOpenAI(api_key="none", base_url=llm.url()) as client:
            model = outlines.from_vllm(client, llm.MODEL)
            return await OutlinesGenerator(model, max_tokens=400).agenerate(request)

    request = _request()
    _keeps_to_the_grammar(asyncio.run(asked(request)), request)


def test_nothing_that_the_model_invents_is_shown(client):
    model = outlines.from_vllm(client, llm.MODEL)
    generator = OutlinesGenerator(model, max_tokens=400)
    try:
        answer = ask(QUESTION, [PASSAGE], model=generator, policy=Policy(regenerate=False))
    except GenerationError:
        return
    assert all(statement.verified for statement in answer.statements)
    assert answer.constraint == "grammar"
