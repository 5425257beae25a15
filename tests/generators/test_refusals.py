"""One schema that a service turns down costs no other one its strict form."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

import anthropic
import openai

from groundedgen import ask
from groundedgen.draft import schema
from groundedgen.generators.anthropic import AnthropicGenerator
from groundedgen.generators.constrained.refusals import Refusals, Shape, is_of_the_form, shape
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.testing import ScriptedJudge
from tests.servers import anthropic_wire, openai_wire
from tests.servers.loopback import serving

FEW = ["Fire is covered by this policy, and so is smoke."]
MANY = [*FEW, *(f"Filler number {number} says nothing of interest." for number in range(300))]
DRAFT = {
    "status": "answered",
    "statements": [
        {"text": "Fire is covered.", "sources": ["S1"], "quote": "Fire is covered by this policy"}
    ],
}
TOO_LARGE = "Invalid schema for the output: enum too large"
NO_SUCH_THING = "output_config and response_format of type json_schema are not supported"


def openai_form(body):
    return (body.get("response_format") or {}).get("type", "text")


def anthropic_form(body):
    return "json_schema" if "output_config" in body else "tool" if "tools" in body else "text"


def said(sdk, body):
    if sdk == "openai":
        return openai_wire.says(DRAFT)
    called = anthropic_form(body) == "tool"
    return anthropic_wire.says((anthropic_wire.tool if called else anthropic_wire.text)(DRAFT))


def refused(sdk, words):
    if sdk == "openai":
        return openai_wire.fails(400, message=words)
    return anthropic_wire.fails(400, "invalid_request_error", words)


FORMS = {"openai": openai_form, "anthropic": anthropic_form}


def forms(sdk, words, is_refused, sets):
    """The forms of all requests of calls with these passage sets."""

    def answer(asked):
        strict = FORMS[sdk](asked.body) == "json_schema"
        if strict and is_refused(json.dumps(asked.body)):
            return refused(sdk, words)
        return said(sdk, asked.body)

    with serving(answer) as server:
        if sdk == "openai":
            client = openai.OpenAI(api_key="k", base_url=f"{server.url}/v1")
            model = OpenAIGenerator(client, "m")
        else:
            client = anthropic.Anthropic(api_key="k", base_url=server.url)
            model = AnthropicGenerator(client, "m")
        with client:
            for passages in sets:
                ask("Is fire covered?", passages, model=model, judge=ScriptedJudge("supported"))
        return [FORMS[sdk](asked.body) for asked in server.asked]


LOOSER = {"openai": "json_object", "anthropic": "tool"}


@pytest.mark.parametrize("sdk", FORMS)
def test_a_schema_that_is_too_large_costs_the_large_ones_alone(sdk):
    seen = forms(sdk, TOO_LARGE, lambda body: '"S300"' in body, [FEW, MANY, FEW, MANY])
    strict, looser = "json_schema", LOOSER[sdk]
    assert [strict, strict, looser, strict, looser] == seen


@pytest.mark.parametrize("sdk", FORMS)
def test_a_form_that_is_not_supported_is_not_asked_for_again(sdk):
    seen = forms(sdk, NO_SUCH_THING, lambda _: True, [MANY, FEW, MANY])
    assert ["json_schema", *[LOOSER[sdk]] * 3] == seen


@pytest.mark.parametrize("sdk", FORMS)
def test_a_small_schema_that_is_refused_costs_all_of_them(sdk):
    seen = forms(sdk, TOO_LARGE, lambda _: True, [MANY, FEW, MANY, FEW])
    strict, looser = "json_schema", LOOSER[sdk]
    assert [strict, looser, strict, looser, looser, looser] == seen


def test_of_a_kind_of_schema_the_smallest_that_was_refused_counts():
    refusals = Refusals()
    for size in (5_000, 3_000, 4_000):
        refusals.add("json_schema", Shape("Draft", size), of_the_form=False)
    sizes = [size for size in (2_999, 3_000) if refusals.takes("json_schema", Shape("Draft", size))]
    assert [2_999] == sizes
    assert refusals.takes("json_schema", Shape("Verdicts", 9_000))
    assert refusals.takes("json_schema")


def test_an_ordinary_draft_is_small():

    assert is_of_the_form("enum too large", shape(schema([f"S{n}" for n in range(1, 51)])))
