"""What `groundedgen doctor` says of models and judges, of which it is known what they do."""

from __future__ import annotations

import json

import pytest

from groundedgen.checkup import PASSAGES, examine
from groundedgen.errors import InputError, ProviderError
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from groundedgen.values import Reply
from tests.servers import openai_wire
from tests.servers.loopback import Said, in_turn, serving
from tests.servers.own_wire import NOTHING, OLLAMA, VLLM, obeying

QUOTE = "The rent is 1,200 euros a month"
DRAFT = {
    "status": "answered",
    "statements": [{"text": "The rent is 1,200 euros.", "sources": ["S1"], "quote": QUOTE}],
}
INVENTED = {
    "status": "answered",
    "statements": [
        *DRAFT["statements"],
        {"text": "Pets are welcome.", "sources": ["S99"], "quote": "Pets are welcome here always"},
    ],
}
SILENT = {"status": "not_found", "statements": []}


def found(model, judge="lexical"):
    return {symptom.about: symptom for symptom in examine(model, judge, timeout=10)}


def test_a_model_that_does_all_it_should_is_well():
    seen = found(ScriptedGenerator([DRAFT, SILENT]))
    assert {"ok"} == {seen[about].state for about in ("endpoint", "answer", "not found")}


def test_a_model_that_answers_everything_is_found_out():
    assert "warn" == found(ScriptedGenerator([DRAFT, DRAFT, DRAFT]))["not found"].state


def test_a_provider_that_fails_is_named_with_its_way_out():
    error = ProviderError("m failed: 401", hint="set the key")
    seen = found(ScriptedGenerator([error]))
    assert ("fail", "m failed: 401", "set the key") == (
        seen["endpoint"].state, seen["endpoint"].text, seen["endpoint"].hint,
    )  # fmt: skip


@pytest.mark.parametrize("error", [ValueError("sk-s3cret"), InputError("m takes no such thing")])
def test_whatever_a_model_raises_is_a_symptom_and_no_crash(error):
    class Faulty:
        name = "faulty"

        def generate(self, request):
            raise error

    seen = found(Faulty())
    assert "fail" == seen["model"].state
    assert "s3cret" not in f"{seen['model']}"
    assert "judge" in seen


@pytest.mark.parametrize("raw", ["no JSON", "{"])
def test_a_model_that_holds_no_form_is_told_to_be_larger(raw):
    assert "larger model" in found(ScriptedGenerator([Reply(raw)] * 4))["form"].hint


@pytest.mark.parametrize(
    ("label", "state"), [("supported", "fail"), ("not_addressed", "warn"), ("not_judged", "fail")]
)
def test_a_judge_that_says_the_same_of_everything_is_found_out(label, state):
    seen = found(ScriptedGenerator([DRAFT, SILENT]), ScriptedJudge(label))
    assert state == seen["judge"].state


def test_a_server_that_takes_a_schema_and_ignores_it_is_found_out():
    pytest.importorskip("openai")
    says = openai_wire.says
    with serving(obeying(NOTHING, in_turn(says(INVENTED), says(SILENT)))) as server:
        seen = found(f"vllm/m@{server.url}/v1")
    assert {"warn"} == {seen[about].state for about in ("form", "constraint", "answer")}
    assert "obeys nothing" in seen["constraint"].text
    assert "unknown_source" in seen["answer"].text


BINDS = [(VLLM, "figures", "structured_outputs.grammar"), (OLLAMA, "quote", "response_format")]


@pytest.mark.parametrize(("obeyed", "bound", "field"), BINDS)
def test_what_a_server_obeys_is_named_with_its_field(obeyed, bound, field):
    pytest.importorskip("openai")
    text = DRAFT["statements"][0]["text"]
    whole = {"sources": ["S1"], "quote": PASSAGES[0].text, "text": text}
    said = json.dumps({"status": "answered", "statements": [whole]}, separators=(",", ":"))
    with serving(obeying(obeyed, in_turn(openai_wire.says(said)))) as server:
        seen = found(f"vllm/{bound}@{server.url}/v1")["constraint"]
    assert "ok" == seen.state
    assert bound in seen.text
    assert field in seen.text


@pytest.mark.parametrize(
    ("constraint", "state", "told"),
    [
        ("grammar", "ok", "grammar: source, quote and figures are bound while decoding"),
        ("schema", "ok", "grammar: source and quote are bound while decoding"),
        ("none", "warn", "a grammar is sent, and the reply does not keep to it"),
    ],
)
def test_a_grammar_is_said_to_bind_what_it_bound(constraint, state, told):
    """One kind of grammar leaves the figures free, and any may have been lost."""
    said = Reply(json.dumps(DRAFT), constraint=constraint, response_format="grammar")
    form = found(ScriptedGenerator([said, SILENT]))["form"]
    assert (state, told) == (form.state, form.text)


def test_a_server_without_schemas_still_answers_and_the_form_is_named():
    pytest.importorskip("openai")
    refused = openai_wire.fails(400, message="response_format json_schema is not supported")
    draft = openai_wire.says(f"<think>Hm.</think>```json\n{json.dumps(DRAFT)}\n```")
    answer = in_turn(refused, draft, openai_wire.says(SILENT))
    with serving(obeying(NOTHING, answer)) as server:
        seen = found(f"vllm/other@{server.url}/v1")
    assert "thinking part and a code fence" in seen["form"].text
    assert "warn" == seen["form"].state
    assert "ok" == seen["answer"].state


def test_a_reply_that_is_cut_off_says_what_to_allow():
    pytest.importorskip("openai")
    cut = openai_wire.says('{"status": "answ', finish_reason="length")
    with serving(obeying(OLLAMA, in_turn(cut))) as server:
        seen = found(f"vllm/cut@{server.url}/v1")
    assert "max_tokens" in seen["form"].text + seen["form"].hint


def test_a_model_that_nobody_knows_is_a_symptom_not_a_crash():
    assert "fail" == found("nonsense")["model"].state


def test_a_server_that_is_not_there_is_a_symptom():
    pytest.importorskip("openai")
    with serving(lambda asked: Said()) as server:
        url = server.url
    seen = found(f"vllm/gone@{url}/v1")
    assert "fail" == seen["endpoint"].state


@pytest.mark.parametrize(
    ("said", "seen", "hint"),
    [
        (openai_wire.fails(401), "judge_denied, ProviderError, status 401", "check the key"),
        (openai_wire.fails(404), "judge_error, ProviderError, status 404", "end with /v1"),
        (openai_wire.fails(500), "judge_error, ProviderError, status 500", "try later"),
        (openai_wire.says("yes"), "judge_bad_reply", "larger model"),
        (openai_wire.says("{", finish_reason="length"), "judge_truncated", "max_tokens"),
    ],
)
def test_a_judge_that_fails_says_with_what_and_what_to_do(said, seen, hint):
    pytest.importorskip("openai")
    with serving(in_turn(said)) as server:
        symptom = found("extractive", f"vllm/m@{server.url}/v1")["judge"]
    assert "fail" == symptom.state
    assert f"({seen}" in symptom.text
    assert hint in symptom.hint


def test_a_judge_that_is_not_there_names_its_address():
    pytest.importorskip("openai")
    with serving(lambda asked: Said()) as server:
        url = server.url
    symptom = found("extractive", f"vllm/m@{url}")["judge"]
    assert "is the server running" in symptom.hint


def test_a_judge_of_ones_own_that_raises_is_told_by_its_class():
    class Broken:
        def judge(self, pairs):
            raise ConnectionError("words of a passage")

    symptom = found("extractive", Broken())["judge"]
    assert ("fail", "Broken failed (ConnectionError)") == (symptom.state, symptom.text)
