"""How servers lose a constraint, row by row, and what the user gets: never free text as bound.

The servers are fakes that behave as real ones were seen to; one real llama.cpp is at the end.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import aclosing

import pytest

from groundedgen import Passage, Policy, ask, draft
from groundedgen.errors import DraftFormatError, ProviderError, RefusedError, TruncatedError
from groundedgen.generators.chat import sending
from groundedgen.generators.constrained import rungs
from groundedgen.generators.constrained.gbnf import gbnf
from groundedgen.generators.constrained.ladder import Form
from groundedgen.generators.constrained.lark import lark
from groundedgen.generators.constrained.probes import PROBES, answers
from groundedgen.generators.grammar import quotables, schema
from groundedgen.judges.instructions import schema as labels
from groundedgen.ports import Reply
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Prompt, Request, Usage
from tests.servers import llm
from tests.servers.loopback import Said, in_turn, serving
from tests.servers.openai_wire import fails, says
from tests.servers.own_wire import (
    LLAMACPP,
    NOTHING,
    OLLAMA,
    SGLANG_LLGUIDANCE,
    STOCK_LLAMACPP,
    VLLM,
    constraints,
    obeying,
    probed,
    real,
)
from tests.servers.streaming_wire import chunk, data, streamed

openai = pytest.importorskip("openai", reason="needs the extra openai")
from groundedgen.generators.openai import OpenAIGenerator, llamacpp

PIPE = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
FLOOD = "Floods are not covered by this policy."
PASSAGES = [Passage("p#1", PIPE), Passage("p#2", FLOOD)]
DOCS = {"S1": PIPE, "S2": FLOOD}
QUESTION = "Is a burst pipe covered?"
REQUEST = Request(QUESTION, Prompt("rules", "words", "1"), draft.schema(list(DOCS)), DOCS)
GOOD = {"sources": ["S1"], "quote": PIPE, "text": "A pipe is covered up to 12,000 euros per claim."}


def written(*statements):
    """A draft as a grammar writes it."""
    return json.dumps({"status": "answered", "statements": statements}, separators=(",", ":"))


BOUND = written(GOOD)
INVENTED = {**GOOD, "quote": "Floods are covered up to 90,000 euros per claim."}
FREE = "Certainly! A burst pipe is covered up to 12,000 euros per claim."
ONCE = Policy(regenerate=False)


@pytest.fixture
def own():
    """`own(obeyed, said, ...)` -> a running server of one's own and a generator for it."""
    open_now = []

    def start(obeyed, *said, **options):
        answer = said[0] if callable(said[0]) else in_turn(*said)
        context = serving(obeying(obeyed, answer))
        server = context.__enter__()
        client = openai.OpenAI(api_key="k", base_url=f"{server.url}/v1")
        open_now.extend([client.close, lambda: context.__exit__(None, None, None)])
        return server, OpenAIGenerator(client, "m", own_server=True, **options)

    yield start
    for close in open_now:
        close()


def asked(server):
    """The field that each request was bound by, or how else it was asked for."""
    bodies = [a.body for a in real(server)]
    return [
        next(iter(constraints(b)), None) or b.get("response_format", {}).get("type", "text")
        for b in bodies
    ]


def said_of(reply):
    return reply.constraint, reply.response_format


# What is sent

SENT = {
    "vllm": (VLLM, "structured_outputs.grammar", lark, "grammar"),
    "llama.cpp": (LLAMACPP, "grammar", lark, "grammar"),
    "sglang": (SGLANG_LLGUIDANCE, "ebnf", lark, "grammar"),
    "stock llama.cpp": (STOCK_LLAMACPP, "response_format", schema, "schema"),
    "ollama": (OLLAMA, "response_format", schema, "schema"),
    "a schema in the body": (
        {("schema", "structured_outputs.json")}, "structured_outputs.json", schema, "schema",
    ),
    "gbnf": ({("gbnf", "grammar")}, "grammar", gbnf, "schema"),
}  # fmt: skip


@pytest.mark.parametrize(("obeyed", "field", "written", "constraint"), SENT.values(), ids=SENT)
def test_a_draft_is_bound_as_tightly_as_the_server_obeys(own, obeyed, field, written, constraint):
    server, generator = own(obeyed, says(BOUND), extra_body={"seed": 7})
    reply = generator.generate(REQUEST)
    [sent] = real(server)
    assert {field: written(quotables(DOCS))} == constraints(sent.body)
    assert 7 == sent.body["seed"]
    assert constraint == reply.constraint
    assert ("json_schema" if written is schema else "grammar") == reply.response_format


def test_a_server_that_obeys_no_constraint_is_asked_by_the_ladder_and_called_unbound(own):
    server, generator = own(NOTHING, fails(400, message="response_format?"), says(BOUND))
    assert ("none", "json_object") == said_of(generator.generate(REQUEST))
    assert ("none", "json_object") == said_of(generator.generate(REQUEST))
    assert ["response_format", "json_object", "json_object"] == asked(server)


def test_a_judge_is_bound_by_its_own_schema(own):
    other = Request("?", Prompt("rules", "words", "1"), labels(1), {})
    server, generator = own(
        LLAMACPP, says({"C1": "supported"}), says("Yes, supported."), says({"C1": "partial"})
    )
    assert ("enum", "json_schema") == said_of(generator.generate(other))
    assert "burst pipe" not in json.dumps(constraints(real(server)[0].body))
    assert ("none", "json_object") == said_of(generator.generate(other))
    assert ["response_format", "response_format", "json_object"] == asked(server)


def test_a_set_too_large_for_a_compiler_goes_down_a_rung_instead_of_failing(own, monkeypatch):
    monkeypatch.setitem(rungs.LIMITS, "lark", rungs.Size(1, 10))
    rungs._kept.cache_clear()
    server, generator = own(LLAMACPP, says(BOUND))
    assert ("schema", "json_schema") == said_of(generator.generate(REQUEST))
    assert ["response_format"] == asked(server)
    rungs._kept.cache_clear()


# The rows


LOST = {
    "llama.cpp: a grammar that does not compile is dropped": (LLAMACPP, says(FREE)),
    "vllm: a grammar that does not compile": (VLLM, fails(400, message="Grammar error: x")),
    "vllm: fuel that ends while compiling": (VLLM, says("")),
    "vllm: the same, without content": (VLLM, says(None)),
    "vllm: a grammar that dies in mid-answer": (VLLM, fails(500, message="EngineCore")),
    "the same, told with status 200": (VLLM, Said(body={"error": {"code": 500, "message": "x"}})),
    "a server that turns it down": (LLAMACPP, fails(501, message="not implemented")),
    "sglang: no such field": (SGLANG_LLGUIDANCE, Said(422, {"detail": "extra inputs"})),
}


@pytest.mark.parametrize(("obeyed", "lost"), LOST.values(), ids=LOST)
def test_a_grammar_that_is_lost_leads_to_the_schema(own, obeyed, lost):
    server, generator = own(obeyed, lost, says(BOUND))
    reply = generator.generate(REQUEST)
    assert ("schema", "json_schema") == said_of(reply)
    assert BOUND == reply.raw
    assert "response_format" == asked(server)[1]
    assert 2 == len(real(server))


def test_a_schema_that_a_server_cannot_convert_leads_to_the_enum(own):
    server, generator = own(STOCK_LLAMACPP, fails(500, message="peg-native"), says(BOUND))
    assert ("enum", "json_schema") == said_of(generator.generate(REQUEST))
    first, second = (constraints(a.body)["response_format"] for a in real(server))
    assert ("anyOf" in first, draft.draft_json_schema(list(DOCS))) == (True, second)


@pytest.mark.parametrize("lost", [says(FREE), fails(400, message="bad grammar"), says("")])
def test_a_step_down_is_remembered_for_its_passages_alone(own, lost):
    server, generator = own(LLAMACPP, lost, says(BOUND))
    for _ in range(2):
        assert "schema" == generator.generate(REQUEST).constraint
    other = {"S1": "Hail is covered in full at home.", "S2": FLOOD}
    generator.generate(Request("?", REQUEST.prompt, REQUEST.schema, other))
    assert ["grammar", "response_format", "response_format", "grammar"] == asked(server)


def test_what_fails_as_an_outage_does_is_remembered_from_the_second_time(own):
    def answer(asked):
        return fails(500) if "grammar" in asked.body else says(BOUND)

    server, generator = own(LLAMACPP, answer)
    for _ in range(3):
        assert "schema" == generator.generate(REQUEST).constraint
    assert ["grammar", "response_format"] * 2 + ["response_format"] == asked(server)


def test_every_rung_lost_ends_in_the_prompt_alone_and_is_called_that(own):
    server, generator = own(
        LLAMACPP, *[says(FREE)] * 3, fails(400, message="json_object"), says(BOUND)
    )
    reply = generator.generate(REQUEST)
    assert ("none", "text") == said_of(reply)
    assert ["grammar", *["response_format"] * 2, "json_object", "text"] == asked(server)
    # Three of them were paid for and of no use, as were three probes.
    assert Usage(700, 140, 420) == reply.usage


def test_steps_down_and_attempts_do_not_multiply(own):
    busy = fails(503, retry_after="0")
    server, generator = own(LLAMACPP, says(FREE), busy, says(FREE), busy, says(FREE), busy)
    with pytest.raises(ProviderError):
        generator.generate(REQUEST)
    assert ["grammar", *["response_format"] * 4, "json_object"] == asked(server)


def test_an_outage_is_not_taken_for_a_lost_constraint(own):
    server, generator = own(LLAMACPP, fails(503, retry_after="0"), says(BOUND))
    assert "grammar" == generator.generate(REQUEST).constraint
    assert ["grammar", "grammar"] == asked(server)


@pytest.mark.parametrize(
    "said",
    [fails(400, message="the prompt exceeds the context size"), fails(401), fails(404)],
)
def test_what_no_other_rung_would_help_is_an_error_at_once(own, said):
    server, generator = own(LLAMACPP, said)
    with pytest.raises(ProviderError):
        generator.generate(REQUEST)
    assert 1 == len(real(server))


def test_a_constraint_dropped_in_mid_answer_is_not_called_one_and_nothing_invented_is_shown(own):
    """llama.cpp: the JSON is well-formed, its second quote free."""
    server, generator = own(LLAMACPP, says(written(GOOD, INVENTED)), says(BOUND))
    answer = ask(QUESTION, PASSAGES, model=generator, judge=ScriptedJudge(), policy=ONCE)
    assert "none" == answer.constraint
    assert [GOOD["text"]] == [statement.text for statement in answer.statements]
    assert ["quote_not_found"] == [finding.reason for finding in answer.findings]
    again = ask(QUESTION, PASSAGES, model=generator, judge=ScriptedJudge(), policy=ONCE)
    assert ("schema", "answered") == (again.constraint, again.status)
    assert ["grammar", "response_format"] == asked(server)


WRAPPED = [f"```json\n{BOUND}\n```", f"<think>Hm.</think>{BOUND}"]


@pytest.mark.parametrize("raw", WRAPPED)
def test_a_draft_in_free_words_is_read_and_called_free(own, raw):
    server, generator = own(LLAMACPP, says(raw))
    answer = ask(QUESTION, PASSAGES, model=generator, judge=ScriptedJudge(), policy=ONCE)
    assert ("none", "answered", 1) == (answer.constraint, answer.status, len(asked(server)))


def test_a_reply_cut_off_by_the_limit_on_tokens_is_an_error_and_no_rung_is_lost(own):
    cut = says(BOUND[:60], finish_reason="length")
    server, generator = own(LLAMACPP, cut, says(BOUND))
    with pytest.raises(TruncatedError):
        draft.parse(generator.generate(REQUEST), list(DOCS))
    assert "grammar" == generator.generate(REQUEST).constraint
    assert ["grammar", "grammar"] == asked(server)


def test_a_refusal_is_one_and_no_rung_is_lost(own):
    _, generator = own(
        VLLM, says(None, refusal="No."), fails(400, code="content_filter"), says(BOUND)
    )
    for _ in range(2):
        with pytest.raises(RefusedError):
            draft.parse(generator.generate(REQUEST), list(DOCS))
    assert "grammar" == generator.generate(REQUEST).constraint


def test_of_a_text_that_reached_its_bound_only_that_statement_falls(own):
    long = {"sources": ["S2"], "quote": FLOOD, "text": "Floods " * 57 + "a"}
    _, generator = own(LLAMACPP, says(written(GOOD, long)))
    read = draft.parse(generator.generate(REQUEST), list(DOCS))
    assert [0] == [statement.index for statement in read.statements]
    assert [("cut_off", 1)] == [(finding.reason, finding.index) for finding in read.findings]


def test_two_replies_that_differ_are_no_sign_of_a_lost_constraint(own):
    twice = says(BOUND)
    twice.body["choices"].append({**twice.body["choices"][0], "message": {"content": "{}"}})
    _, generator = own(LLAMACPP, twice)
    with pytest.raises(DraftFormatError):
        generator.generate(REQUEST)


@pytest.fixture
def without_llguidance(monkeypatch):
    monkeypatch.setitem(sys.modules, "llguidance", None)
    monkeypatch.delitem(sys.modules, "groundedgen.generators.constrained.llguide", raising=False)
    found = [sending._fault, sending._admits]
    for function in found:
        function.cache_clear()
    yield
    for function in found:
        function.cache_clear()


@pytest.mark.usefixtures("without_llguidance")
def test_without_llguidance_a_reply_is_checked_by_what_is_bound(own):
    wrong = written({**GOOD, "text": "It is 90,000 euros."})
    _, generator = own(LLAMACPP, says(BOUND), says(wrong))
    assert "grammar" == generator.generate(REQUEST).constraint
    assert "none" == generator.generate(REQUEST).constraint


def test_a_parameter_that_is_turned_down_costs_no_rung(own):
    refused = fails(400, param="temperature", message="Unsupported value: 'temperature'")
    server, generator = own(LLAMACPP, refused, says(BOUND))
    assert "grammar" == generator.generate(REQUEST).constraint
    assert [True, False] == ["temperature" in a.body for a in real(server)]


# The same in a stream


def read(obeyed, *said, times=1, attempts=3):
    """Every item of the streams, and the server."""

    async def reading(url):
        items = []
        async with openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1") as client:
            made = OpenAIGenerator(client, "m", own_server=True, attempts=attempts)
            for _ in range(times):
                async with aclosing(made.astream(REQUEST)) as stream:
                    items += [item async for item in stream]
        return items

    with serving(obeying(obeyed, in_turn(*said))) as server:
        return asyncio.run(reading(server.url)), server


PIECES = [BOUND[:40], BOUND[40:]]


def test_a_stream_is_bound_as_well():
    items, server = read(LLAMACPP, streamed("openai", PIECES))
    assert PIECES == items[:-1]
    assert ("grammar", "grammar") == said_of(items[-1])
    assert Usage(400, 80, 240) == items[-1].usage
    assert ["grammar"] == asked(server)


def test_free_words_in_a_stream_are_void_and_the_next_rung_is_asked():
    free = streamed("openai", ["Certainly! ", "It is covered."])
    items, server = read(LLAMACPP, free, streamed("openai", PIECES))
    kinds = [type(item) for item in items]
    assert [str, str, ProviderError, str, str, Reply] == kinds
    assert ("schema", "json_schema") == said_of(items[-1])
    assert ["grammar", "response_format"] == asked(server)
    assert Usage(500, 100, 300) == items[-1].usage


def test_an_empty_stream_steps_down_in_silence():
    items, server = read(VLLM, streamed("openai", []), streamed("openai", PIECES))
    assert [*PIECES, "schema"] == [*items[:-1], items[-1].constraint]
    assert 2 == len(real(server))


@pytest.mark.parametrize("begun", [True, False])
def test_a_grammar_that_dies_in_a_stream_is_void_and_the_next_rung_is_asked(begun):
    error = data({"error": {"code": 500, "type": "InternalServerError", "message": "x"}})
    made = [chunk({"content": PIECES[0]})] if begun else []
    items, server = read(VLLM, Said(chunks=[*made, error]), streamed("openai", PIECES))
    assert [ProviderError] * begun == [type(i) for i in items if isinstance(i, ProviderError)]
    assert [*PIECES, "schema"] == [*items[-3:-1], items[-1].constraint]
    assert "response_format" == asked(server)[1]


# A real llama.cpp


@pytest.fixture(scope="module")
def local():
    url = llm.url()
    with openai.OpenAI(api_key="none", base_url=url) as client:
        yield OpenAIGenerator(
            client, llm.MODEL, own_server=True, max_tokens=300, timeout=300, name="llama.cpp"
        )


def test_a_real_llama_cpp_is_known_by_asking_it(local):
    reply = local.generate(REQUEST)
    assert "lark (grammar), schema (response_format), enum (response_format)" == str(local.found)
    assert ("grammar", "grammar") == said_of(reply)
    read = draft.parse(reply, list(DOCS))
    assert {s.quote for s in getattr(read, "statements", ())} <= {PIPE, FLOOD}


def test_a_real_llama_cpp_obeys_every_kind_it_is_asked_for(local):
    """The probes that are skipped once a tighter kind is obeyed are sound all the same."""
    create = local._clients.sync().chat.completions.create
    for probe in PROBES:
        if probe.field in {"grammar", "response_format"}:
            sent = local._settings.probe(Form(), probe.asks("abcdefghijkl"), 64)
            raw = create(**sent).choices[0].message.content
            assert answers(probe.ability, "abcdefghijkl", raw), (probe, raw)


def test_a_real_llama_cpp_that_drops_a_grammar_is_bound_by_its_schema(local, monkeypatch):
    """Given one that does not compile, it answers in free words, with status 200."""
    monkeypatch.setattr(sending, "_fault", lambda: None)
    monkeypatch.setattr(sending, "_admits", lambda: None)
    monkeypatch.setattr(rungs, "lark", lambda found: "%llguidance {}\nstart: no_such_rule\n")
    rungs._kept.cache_clear()
    other = {"S1": "Hail is covered in full at home.", "S2": FLOOD}
    reply = local.generate(Request("?", REQUEST.prompt, REQUEST.schema, other))
    assert ("schema", "json_schema") == said_of(reply)
    rungs._kept.cache_clear()


def test_a_real_llama_cpp_that_turns_a_grammar_down_is_bound_by_its_schema(local, monkeypatch):
    """A broken GBNF is a status 400."""
    monkeypatch.setattr(sending, "_fault", lambda: None)
    monkeypatch.setattr(rungs, "lark", lambda found: "root ::= no such thing (")
    rungs._kept.cache_clear()
    other = {"S1": "Wind is covered in full at home.", "S2": FLOOD}
    reply = local.generate(Request("?", REQUEST.prompt, REQUEST.schema, other))
    assert ("schema", "json_schema") == said_of(reply)
    rungs._kept.cache_clear()


def test_a_model_string_reaches_a_real_llama_cpp_bound():
    answer = ask(
        QUESTION, PASSAGES, model=llamacpp(llm.MODEL, llm.url()), judge=ScriptedJudge(), timeout=600
    )
    assert "grammar" == answer.constraint
    assert not {"quote_not_found", "number_mismatch"} & {f.reason for f in answer.findings}


def test_probes_of_these_fakes_are_told_from_questions():
    with serving(obeying(VLLM, in_turn(says(BOUND)))) as server:
        with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1") as client:
            OpenAIGenerator(client, "m", own_server=True).generate(REQUEST)
        assert (2, 1) == (len(probed(server)), len(real(server)))
