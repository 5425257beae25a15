"""A real vLLM: what it obeys, what it ignores, and that neither reaches the reader unchecked."""

from __future__ import annotations

import asyncio

import pytest

from groundedgen import Passage, Policy, ask, astream, draft
from groundedgen.errors import GenerationError
from groundedgen.generators.constrained.lark import lark
from groundedgen.generators.grammar import Limits, quotables, schema
from groundedgen.judges.llm import LLMJudge
from groundedgen.ports import Pair
from groundedgen.values import Prompt, Request

openai = pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("llguidance", reason="the walks' tokenizer is llguidance's")

from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.openai import vllm as from_string
from tests.generators.test_real_llm import Overheard
from tests.generators.walks import score

pytestmark = pytest.mark.local

DOCS = {
    "S1": "Damage by a burst pipe is covered. Claims are due within 30 days of the “loss”.",
    "S2": "The deductible is 250 euros per claim.\nGlass is \\ not covered at all.",
}
PASSAGES = [Passage(name, text) for name, text in DOCS.items()]
QUESTION = "When is a claim due?"
PROMPT = Prompt("You answer in JSON.", f"{DOCS['S1']} {DOCS['S2']} {QUESTION}", "1")
REQUEST = Request(QUESTION, PROMPT, draft.schema(tuple(DOCS)), DOCS)
ONCE = Policy(regenerate=False)
FOUND = quotables(DOCS, limits=Limits(max_statements=2, max_text=40))
# A model of this size, given the choice, says that it found nothing.
LARK = lark(FOUND)
ANSWERED = "\n".join(
    line.partition(' | "{\\"status\\":\\"not_found')[0] if line.startswith("start:") else line
    for line in LARK.split("\n")
)
SCHEMA = schema(FOUND)["anyOf"][0]


@pytest.fixture(scope="module")
def client(vllm):
    with openai.OpenAI(api_key="none", base_url=vllm[0], max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def generator(vllm):
    url, model = vllm
    return from_string(model, url)


def say(client, vllm, seed=1, **fields):
    """One choice of a plain request with these fields."""
    reply = client.chat.completions.create(
        model=vllm[1],
        messages=[{"role": "user", "content": PROMPT.user}],
        max_tokens=200,
        temperature=1.0,
        seed=seed,
        **fields,
    )
    return reply.choices[0]


def test_the_probe_finds_the_fields_it_obeys_and_not_the_one_it_ignores(generator):
    generator.generate(REQUEST)
    assert (
        "lark (structured_outputs.grammar), schema (response_format), enum (response_format)"
        == str(generator.found)
    )


def test_the_field_of_another_server_is_ignored_without_a_word(client, vllm):
    """Why it is asked at all: this is status 200, and free text."""
    said = say(client, vllm, extra_body={"grammar": 'root ::= "nonce"'})
    assert said.message.content.strip() != "nonce"


@pytest.mark.parametrize("seed", range(4))
def test_under_the_grammar_a_small_model_can_only_write_what_passes(client, vllm, seed):
    said = say(client, vllm, seed, extra_body={"structured_outputs": {"grammar": ANSWERED}})
    got = score(said.message.content, DOCS, finish=said.finish_reason)
    assert got.parsed
    assert 0 < got.statements == got.sources == got.quotes == got.digits


@pytest.mark.parametrize("field", ["structured_outputs", "response_format"])
@pytest.mark.parametrize("seed", range(2))
def test_under_the_schema_every_quote_is_of_the_source_it_names(client, vllm, field, seed):
    fields = {
        "structured_outputs": {"extra_body": {"structured_outputs": {"json": SCHEMA}}},
        "response_format": {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "draft", "strict": True, "schema": SCHEMA},
            }
        },
    }[field]
    said = say(client, vllm, seed, **fields)
    if said.finish_reason == "length":  # a text of no use, as long as it may be
        assert not score(said.message.content, DOCS, finish="length").parsed
        return
    got = score(said.message.content, DOCS, finish=said.finish_reason)
    assert 0 < got.statements == got.sources == got.quotes


def test_an_answer_says_that_it_was_bound_and_shows_only_what_was_checked(vllm, generator):
    model = Overheard(generator)
    answer = ask(QUESTION, PASSAGES, model=model, policy=ONCE, timeout=300)
    assert ["grammar"] == [reply.constraint for reply in model.replies]
    assert {"gates"} >= {finding.check for finding in answer.findings}
    for statement in answer.statements:
        assert "supported" == statement.entailment.label
        for citation in statement.citations:
            text = dict(zip(DOCS, PASSAGES, strict=True))[citation.passage_id].text
            assert text[citation.start : citation.end] == citation.quote


def test_a_stream_is_bound_as_well(generator):
    async def events():
        stream = astream(QUESTION, PASSAGES, model=generator, policy=ONCE, timeout=300)
        return [event async for event in stream]

    said = asyncio.run(events())
    assert "passages" == said[0].type
    assert said[-1].type in {"done", "failed"}


def test_a_grammar_that_does_not_compile_is_turned_down_and_never_free_text(client, vllm):
    """By the server: 400. Ours are compiled before they are sent."""
    with pytest.raises(openai.BadRequestError):
        say(client, vllm, extra_body={"structured_outputs": {"grammar": "start: ("}})


def test_a_passage_set_beyond_the_compiler_goes_down_to_the_plain_schema(client, vllm):
    docs = {
        f"S{n}": " ".join(f"The clause number {n}.{i} is a part of it." for i in range(150))
        for n in range(1, 41)
    }
    request = Request(QUESTION, PROMPT, draft.schema(tuple(docs)), docs)
    reply = OpenAIGenerator(client, vllm[1], own_server=True, max_tokens=40).generate(request)
    assert "json_schema" == reply.response_format
    assert reply.constraint == ("none" if reply.finish_reason == "length" else "enum")


def test_a_cut_reply_shows_nothing(client, vllm):
    model = OpenAIGenerator(client, vllm[1], own_server=True, max_tokens=8)
    with pytest.raises(GenerationError):
        ask(QUESTION, PASSAGES, model=model, policy=ONCE, timeout=300)


def test_a_judge_s_labels_are_bound_by_an_enum(generator):
    """What a model of this size thinks is worth nothing; that it has the form is."""
    pair = Pair(DOCS["S1"], "Claims are due within 30 days of the loss.")
    [verdict] = LLMJudge(generator).judge([pair])
    assert verdict.label in {"supported", "partial", "contradicted", "not_addressed"}
