"""A real model of 135 million parameters, behind a real server: no invention is shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

import pytest
from pydantic import BaseModel

from groundedgen import Passage, Policy, aask, ask, draft
from groundedgen.errors import GenerationError
from groundedgen.values import Prompt, Request
from tests.servers import llm

openai = pytest.importorskip("openai", reason="needs the extra openai")

from groundedgen.generators.openai import OpenAIGenerator, llamacpp

PASSAGE = Passage("p", "Water damage from a burst pipe is covered up to 12,000 euros per claim.")
QUESTION = "Is water damage from a burst pipe covered?"
ONCE = Policy(regenerate=False)
# Without a penalty a model of this size repeats one source until it is cut off.
SETTINGS = {"max_tokens": 100, "timeout": 300, "extra_body": {"frequency_penalty": 1.0}}


@pytest.fixture(scope="module")
def client():
    with openai.OpenAI(api_key="none", base_url=llm.url()) as client:
        yield client


class Overheard:
    """A generator whose replies are kept to be looked at."""

    name = "overheard"

    def __init__(self, inner):
        self.inner, self.replies = inner, []

    def generate(self, request):
        self.replies.append(self.inner.generate(request))
        return self.replies[-1]

    async def agenerate(self, request):
        self.replies.append(await self.inner.agenerate(request))
        return self.replies[-1]


def _shown(call):
    """What a reader would see of a call: the statements, none if there was no usable draft."""
    try:
        return call().statements
    except GenerationError:
        return ()


def _are_verified(statements):
    for statement in statements:
        assert statement.citations
        assert statement.entailment.label == "supported"
        for citation in statement.citations:
            assert PASSAGE.text[citation.start : citation.end] == citation.quote
    return True


def test_a_draft_of_a_real_model_holds_the_form_and_nothing_unverified_is_shown(client):
    model = Overheard(OpenAIGenerator(client, llm.MODEL, **SETTINGS))
    shown = _shown(lambda: ask(QUESTION, [PASSAGE], model=model, policy=ONCE, timeout=300))
    assert _are_verified(shown)
    [reply] = model.replies
    # A reply that was cut off does not show what bound it, so nothing is claimed of it.
    bound = "none" if reply.finish_reason == "length" else "enum"
    assert (bound, "json_schema") == (reply.constraint, reply.response_format)
    assert reply.usage.input_tokens > 100
    assert 0 < reply.usage.output_tokens <= SETTINGS["max_tokens"]
    if reply.finish_reason == "length":
        with pytest.raises(GenerationError):
            draft.parse(reply, ["S1"])
        return
    read = draft.parse(reply, ["S1"])
    reasons = {finding.reason for finding in getattr(read, "findings", ())}
    assert not reasons & {"unknown_source", "bad_type"}


class Colour(BaseModel):
    colour: Literal["teal", "ochre"]


def test_a_real_server_binds_the_model_to_any_schema(client):
    """It is asked for a city and can only name one of two colours."""
    generator = OpenAIGenerator(client, llm.MODEL, max_tokens=40, timeout=300)
    words = Prompt(system="You answer in JSON.", user="Name the capital of France.", version="1")
    request = Request(question="", prompt=words, schema=Colour, docs={})
    reply = generator.generate(request)
    assert Colour.model_validate_json(reply.raw).colour in {"teal", "ochre"}


def test_a_model_string_reaches_a_real_server_and_a_cut_reply_shows_nothing():
    url = llm.url()
    model = Overheard(llamacpp(llm.MODEL, url))
    # A model string has no setting for it.
    model.inner._settings = replace(model.inner._settings, max_tokens=8)

    async def call():
        return await aask(QUESTION, [PASSAGE], model=model, policy=ONCE, timeout=300)

    assert () == _shown(lambda: asyncio.run(call()))
    assert ["length"] == [reply.finish_reason for reply in model.replies]
    assert ["llamacpp/smollm2"] == [reply.engine for reply in model.replies]


def test_through_instructor_a_real_model_shows_nothing_unverified(client):
    instructor = pytest.importorskip("instructor", reason="needs the extra instructor")
    from groundedgen.generators.instructor import InstructorGenerator

    patched = instructor.from_openai(
        client.with_options(max_retries=0), mode=instructor.Mode.JSON_SCHEMA
    )
    settings = {"max_tokens": 60, "timeout": 300, "options": {"frequency_penalty": 1.0}}
    model = Overheard(InstructorGenerator(patched, llm.MODEL, **settings))
    assert _are_verified(
        _shown(lambda: ask(QUESTION, [PASSAGE], model=model, policy=ONCE, timeout=300))
    )
    [reply] = model.replies
    assert reply.raw.lstrip().startswith("{")
    assert ("none", "json_schema") == (reply.constraint, reply.response_format)
    assert reply.usage.output_tokens > 0
