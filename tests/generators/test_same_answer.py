"""One scripted draft, however a model was asked for it, gives one answer.

The same statements, citations and reasons through a JSON schema, a tool, native citations,
OpenAI's chat completions and instructor, each through its real client and a loopback server; and
the same again where the model names the ids of sentences instead of quoting them.
"""

from __future__ import annotations

import json
from importlib import import_module

import pytest

from groundedgen import Passage, ask
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from tests.servers import anthropic_wire, openai_wire
from tests.servers.loopback import in_turn, serving

PIPE = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
REPORT = "Damage must be reported within 14 days after it was noticed."
FLOOD = "Floods, earthquakes and war are not covered by this policy."
HAIL = "Hail is covered where it breaks a window or a roof."
PASSAGES = [
    Passage("policy#1", f"{PIPE} {REPORT}"),
    Passage("policy#2", f"{FLOOD} {HAIL}"),
]
INVENTED = "Everything that you own is covered at all times."

# (text, source, quote): what a hosted model writes, good and bad.
SOUND = (
    ("A burst pipe is covered up to 12,000 euros.", "S1", PIPE),
    (REPORT, "S1", REPORT),
    ("War is not covered.", "S2", FLOOD),
)
WRONG_NUMBER = ("Damage must be reported within 15 days.", "S1", REPORT)
WRONG_QUOTE = ("All that you own is covered.", "S2", INVENTED)
WRONG_SOURCE = ("Theft is covered.", "S9", PIPE)
REFUTED = ("Hail is never covered.", "S2", HAIL)
FAULTS = (WRONG_NUMBER, WRONG_QUOTE, WRONG_SOURCE, REFUTED)

SCRIPTS = {
    "sound": (SOUND,),
    "one of each fault": ((*SOUND, *FAULTS),),
    "core lost, then mended": ((WRONG_NUMBER, SOUND[1]), (SOUND[0],)),
    "core lost twice": ((WRONG_QUOTE,), (REFUTED,)),
    "not found": ((),),
}


def as_json(script):
    statements = [{"text": t, "sources": [s], "quote": q} for t, s, q in script]
    return {"status": "answered" if script else "not_found", "statements": statements}


def as_citations(script, body):
    """The draft as a model that cites natively writes it: each sentence a block of its own."""
    if not script:
        return anthropic_wire.says("NOT_FOUND")
    blocks = []
    for text, source, quote in script:
        if source == "S9":
            place = anthropic_wire.citation(8, 0, 1, quote)
        elif quote == INVENTED:
            place = anthropic_wire.citation(int(source[1:]) - 1, 0, 1, quote)
        else:
            place = anthropic_wire.cites(body, source, quote)
        blocks += [anthropic_wire.text(text, place), anthropic_wire.text(" ")]
    return anthropic_wire.says(*blocks)


def _anthropic(url, kind, **options):
    sdk = pytest.importorskip("anthropic")
    module = pytest.importorskip("groundedgen.generators.anthropic")
    client = sdk.Anthropic(api_key="k", base_url=url)
    return getattr(module, kind)(client, "m", **options), client


def _openai(url):
    sdk = pytest.importorskip("openai")
    module = pytest.importorskip("groundedgen.generators.openai")
    client = sdk.OpenAI(api_key="k", base_url=f"{url}/v1")
    return module.OpenAIGenerator(client, "m"), client


def _instructor(url):
    pytest.importorskip("instructor")
    module = pytest.importorskip("groundedgen.generators.instructor")
    sdk = import_module("openai")
    client = sdk.OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0)
    patched = import_module("instructor").from_openai(
        client, mode=import_module("instructor").Mode.JSON_SCHEMA
    )
    return module.InstructorGenerator(patched, model="m"), client


WAYS = {
    "json_schema": (
        lambda url: _anthropic(url, "AnthropicGenerator"),
        lambda script, _: anthropic_wire.says(as_json(script)),
    ),
    "tool": (
        lambda url: _anthropic(url, "AnthropicGenerator", mode="tool"),
        lambda script, _: anthropic_wire.says(
            anthropic_wire.tool(as_json(script)), stop="tool_use"
        ),
    ),
    "citations": (lambda url: _anthropic(url, "AnthropicCitations"), as_citations),
    "openai": (_openai, lambda script, _: openai_wire.says(as_json(script))),
    "instructor": (_instructor, lambda script, _: openai_wire.says(as_json(script))),
}


def judged(pair):
    return "contradicted" if pair.claim == REFUTED[0] else "supported"


def asked(model, **arguments):
    judge = ScriptedJudge(judged)
    return ask("Is a burst pipe covered?", PASSAGES, model=model, judge=judge, **arguments)


def seen(answer):
    """What a reader and an auditor see of an answer."""
    return (
        (answer.status, answer.reason, answer.attempts),
        [
            (s.text, [(c.passage_id, c.start, c.end) for c in s.citations])
            for s in answer.statements
        ],
        [(f.attempt, f.index, f.check, f.reason, f.kept) for f in answer.findings],
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_draft_gives_the_same_answer_through_every_way_of_asking(way, name):
    scripts = SCRIPTS[name]
    expected = seen(asked(ScriptedGenerator([as_json(script) for script in scripts])))
    make, say = WAYS[way]
    turn = in_turn(*scripts)
    with serving(lambda request: say(turn(request), request.body)) as server:
        model, client = make(server.url)
        with client:
            assert expected == seen(asked(model))
        assert expected[0][2] == len(server.asked)


def test_the_scripts_show_what_is_sound_and_each_kind_of_fault():
    """Else the comparison above would compare empty answers."""
    _, statements, findings = seen(asked(ScriptedGenerator([as_json((*SOUND, *FAULTS))])))
    assert [text for text, _, _ in SOUND] == [text for text, _ in statements]
    assert {"number_mismatch", "quote_not_found", "unknown_source", "contradicted"} == {
        reason for _, _, _, reason, _ in findings
    }


# --- by the ids of sentences ------------------------------------------------------------------

IDS = {PIPE: "S1.1", REPORT: "S1.2", FLOOD: "S2.1", HAIL: "S2.2"}
BY_ID = {
    "sound": (SOUND,),
    "one of each fault": ((*SOUND, WRONG_NUMBER, WRONG_SOURCE, REFUTED),),
    "core lost, then mended": ((WRONG_NUMBER, SOUND[1]), (SOUND[0],)),
    "core lost twice": ((WRONG_SOURCE,), (REFUTED,)),
    "not found": ((),),
}


def as_ids(script):
    """The draft of a model that names sentences: one that it names wrongly has an id of none."""
    statements = [
        {"sources": [IDS[q] if IDS[q].startswith(s) else f"{s}.1"], "text": t} for t, s, q in script
    ]
    return {"status": "answered" if script else "not_found", "statements": statements}


def _called(turn):
    def model(system, user):
        assert "[S1.1] " in user
        return json.dumps(as_ids(turn(None)))

    return model


@pytest.mark.parametrize("way", [w for w in WAYS if w != "citations"])
@pytest.mark.parametrize("name", BY_ID)
def test_ids_of_sentences_give_the_answer_that_their_quotes_give(way, name):
    scripts = BY_ID[name]
    expected = seen(asked(ScriptedGenerator([as_json(script) for script in scripts])))
    make, _ = WAYS[way]
    turn = in_turn(*map(as_ids, scripts))
    with serving(lambda request: _said(way, turn(request))) as server:
        model, client = make(server.url)
        with client:
            answer = asked(model, evidence="sentences")
        assert expected == seen(answer)
        assert "sentences" == answer.versions["evidence"]
        sent = [json.dumps(request.body) for request in server.asked]
        assert all('"S1.1", "S1.2", "S2.1", "S2.2"' in body for body in sent)
        assert expected[0][2] == len(sent)


def _said(way, drafted):
    """The same draft in the words of each wire."""
    if way == "json_schema":
        return anthropic_wire.says(anthropic_wire.text(drafted))
    if way == "tool":
        return anthropic_wire.says(anthropic_wire.tool(drafted), stop="tool_use")
    return openai_wire.says(drafted)


@pytest.mark.parametrize("name", BY_ID)
def test_a_function_as_a_model_gives_the_same_by_ids(name):
    scripts = BY_ID[name]
    expected = seen(asked(ScriptedGenerator([as_json(script) for script in scripts])))
    assert expected == seen(asked(_called(in_turn(*scripts)), evidence="sentences"))


def test_native_citations_stay_what_they_are_where_ids_are_asked_for():
    turn = in_turn(SOUND)
    with serving(lambda request: as_citations(turn(request), request.body)) as server:
        model, client = _anthropic(server.url, "AnthropicCitations")
        with client:
            answer = asked(model, evidence="sentences")
    assert ("answered", "quotes") == (answer.status, answer.versions["evidence"])


def test_ids_are_shorter_to_write_than_quotes():
    """The one script in both forms, as it goes over the wire."""
    written = {form: len(json.dumps(form(SOUND))) for form in (as_json, as_ids)}
    assert written[as_ids] < 0.6 * written[as_json]
