"""`InstructorGenerator`, through the real instructor and SDKs, against a loopback server."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import traceback
import warnings
from functools import partial
from types import SimpleNamespace

import pytest

from groundedgen import Passage, aask, ask, draft
from groundedgen.aliases import assign
from groundedgen.conformance import GENERATOR_CHECKS
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    InputError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.prompt import build
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Request, Usage
from tests.servers.loopback import Said, in_turn, serving, true_soon
from tests.servers.openai_wire import calls, completion, fails, says

openai = pytest.importorskip("openai", reason="needs the extra openai")
instructor = pytest.importorskip("instructor", reason="needs the extra instructor")
from groundedgen.generators.instructor import InstructorGenerator, from_name
from groundedgen.generators.openai import OpenAIGenerator

PIPE = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
PASSAGES = [Passage("p#1", PIPE), Passage("p#2", "Floods are not covered {{ 7*7 }} {% if %}.")]
QUESTION = "Is a burst pipe covered?"
QUOTE = "burst pipe is covered up to 12,000 euros"
STATEMENT = {"text": "A pipe is covered up to 12,000 euros.", "sources": ["S1"], "quote": QUOTE}
DRAFT = {"status": "answered", "statements": [STATEMENT]}
INVENTED = {"text": "Hail is covered.", "sources": ["S9"], "quote": "Hail is covered in all cases"}
SECRET = "the-service-repeats-the-prompt"
MODES = [instructor.Mode.TOOLS, instructor.Mode.JSON_SCHEMA, instructor.Mode.JSON]
TOOLS, JSON_SCHEMA, JSON = MODES


@pytest.fixture
def serve():
    """`serve(said, ...)` -> a running server and a synchronous OpenAI client of it, patched."""
    open_now = []

    def start(*said, mode=TOOLS, max_retries=0, **options):
        context = serving(said[0] if callable(said[0]) else in_turn(*said))
        server = context.__enter__()
        client = openai.OpenAI(
            api_key="secret", base_url=f"{server.url}/v1", max_retries=max_retries
        )
        open_now.extend([client.close, partial(context.__exit__, None, None, None)])
        return server, instructor.from_openai(client, mode=mode, **options)

    yield start
    for close in open_now:
        close()


def request(passages=PASSAGES):
    named = assign(passages)
    words = build(QUESTION, named)
    return Request(QUESTION, words, draft.schema(named.names), dict(named.docs))


def awaited(server, make, mode=TOOLS):
    """What `make(patched client)` comes to, with an asynchronous client closed afterwards."""

    async def run():
        options = {"api_key": "secret", "base_url": f"{server.url}/v1", "max_retries": 0}
        async with openai.AsyncOpenAI(**options) as client:
            return await make(instructor.from_openai(client, mode=mode))

    return asyncio.run(run())


def said(content, mode, **options):
    """What a server says to a request of this mode."""
    return calls(content, **options) if mode is TOOLS else says(content, **options)


# What is sent


@pytest.mark.parametrize("mode", MODES)
def test_the_sources_are_shown_as_an_enum_and_passages_are_sent_as_they_are(serve, mode):
    server, client = serve(said(DRAFT, mode), mode=mode)
    reply = InstructorGenerator(client, "m").generate(request())
    body = server.asked[0].body
    words = [str(message["content"]) for message in body["messages"]]
    assert any(PASSAGES[1].text in text for text in words)  # {{ }} is no template
    sent = " ".join([json.dumps({**body, "messages": None}), *words])  # the schema, either way
    assert '"enum":["S1","S2"]' in "".join(sent.split())
    form = {TOOLS: "tool", JSON_SCHEMA: "json_schema", JSON: "json_object"}[mode]
    assert ("none", form) == (reply.constraint, reply.response_format)
    assert "instructor/openai/m" == reply.engine


def test_n_passages_lead_to_n_schemas(serve):
    server, client = serve(calls(DRAFT))
    generator = InstructorGenerator(client, "m")
    for number in range(30):
        texts = [Passage(f"{number}-{n}", f"Clause {number} {n}.") for n in range(1 + number % 5)]
        generator.generate(request(texts))
    assert 5 == len({json.dumps(asked.body["tools"]) for asked in server.asked})


def test_options_of_the_request_are_the_callers(serve):
    server, client = serve(calls(DRAFT))
    options = {"max_tokens": 700, "temperature": 0.2, "options": {"seed": 7}}
    InstructorGenerator(client, "m", **options).generate(request())
    body = server.asked[0].body
    assert (700, 0.2, 7, "m") == tuple(
        body[k] for k in ("max_tokens", "temperature", "seed", "model")
    )


def test_the_callers_hooks_are_called(serve):
    _, client = serve(calls(DRAFT))
    seen = []
    client.on("completion:response", seen.append)
    InstructorGenerator(client, "m").generate(request())
    assert 1 == len(seen)


@pytest.mark.parametrize("check", GENERATOR_CHECKS.values(), ids=GENERATOR_CHECKS)
def test_it_keeps_what_every_generator_promises(serve, check):
    _, client = serve(calls(DRAFT))
    check(InstructorGenerator(client, "m"))


# What comes back


@pytest.mark.parametrize("mode", MODES)
def test_one_bad_source_fails_one_statement(serve, mode):
    """Instructor's own validation would have failed the whole draft, or asked again."""
    both = {"status": "answered", "statements": [STATEMENT, INVENTED, {"text": 3}]}
    server, client = serve(said(both, mode), mode=mode)
    answer = ask(QUESTION, PASSAGES, model=InstructorGenerator(client, "m"), judge=ScriptedJudge())
    assert ("answered", 1, 1) == (answer.status, len(answer.statements), len(server.asked))
    assert {"unknown_source", "bad_type"} == {finding.reason for finding in answer.findings}


@pytest.mark.parametrize("mode", MODES)
def test_the_same_draft_comes_to_the_same_answer_as_without_instructor(serve, mode):
    both = {"status": "answered", "statements": [STATEMENT, INVENTED]}
    _, client = serve(said(both, mode), mode=mode)
    _, plain = serve(says(both))
    other = ask(QUESTION, PASSAGES, model=OpenAIGenerator(plain.client, "m"))
    mine = ask(QUESTION, PASSAGES, model=InstructorGenerator(client, "m"))
    assert (other.statements, other.status) == (mine.statements, mine.status)
    assert [f.reason for f in other.findings] == [f.reason for f in mine.findings]


@pytest.mark.parametrize("mode", MODES)
def test_usage_and_end_are_the_completions(serve, mode):
    _, client = serve(said(DRAFT, mode), mode=mode)
    reply = InstructorGenerator(client, "m").generate(request())
    assert Usage(100, 20, 60) == reply.usage
    assert {TOOLS: "tool_calls"}.get(mode, "stop") == reply.finish_reason


ENDS = [
    ({"content": None, "refusal": f"No. {SECRET}"}, RefusedError),
    ({"content": "", "finish_reason": "content_filter"}, RefusedError),
    ({"content": '{"status": "answ', "finish_reason": "length"}, TruncatedError),
    ({"content": DRAFT, "finish_reason": "length"}, TruncatedError),
    ({"content": f"Certainly! {SECRET}"}, DraftFormatError),
    ({"content": '{"status": "answered"'}, DraftFormatError),
    ({"content": ""}, DraftFormatError),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("end", "error"), ENDS, ids=[str(n) for n in range(len(ENDS))])
def test_each_end_of_a_reply_is_its_own_error_after_one_request(serve, mode, end, error, caplog):
    caplog.set_level(logging.WARNING)
    server, client = serve(*[how(**end) for how in ([says, calls] if mode is TOOLS else [says])])
    generator = InstructorGenerator(client, "m")
    for call in (
        lambda: generator.generate(request()),
        lambda: awaited(server, lambda c: InstructorGenerator(c, "m").agenerate(request()), mode),
    ):
        with pytest.raises(error) as caught:
            draft.parse(call(), ["S1", "S2"])
        assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert 2 == len(server.asked)
    assert "" == caplog.text


BROKEN = [
    Said(body={**completion(DRAFT), "choices": []}),
    Said(body={"error": {"message": SECRET, "code": 429}}),
    Said(body="<html>Log in</html>", headers={"content-type": "text/html"}),
    Said(body="<html>Log in</html>"),
    Said(body=b"null"),
    Said(body=completion(DRAFT), cut=True),
    fails(400, message=SECRET),
    fails(401, message=SECRET),
    fails(500, message=SECRET),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("broken", BROKEN, ids=[str(n) for n in range(len(BROKEN))])
def test_what_is_no_reply_is_a_provider_error_that_tells_none_of_it(serve, mode, broken, caplog):
    caplog.set_level(logging.WARNING)
    _, client = serve(broken, mode=mode)
    with pytest.raises(ProviderError) as caught:
        InstructorGenerator(client, "m", attempts=1).generate(request())
    told = "".join(traceback.format_exception(caught.value))
    assert SECRET not in told
    assert PIPE not in told
    assert "" == caplog.text
    assert (None, None) == (caught.value.__context__, caught.value.__cause__)
    assert str(caught.value) == str(pickle.loads(pickle.dumps(caught.value)))  # noqa: S301  # our own


def test_instructor_may_log_what_is_not_ours(serve, caplog):
    _, client = serve(fails(500))
    caplog.set_level(logging.WARNING)
    with pytest.raises(instructor.core.InstructorRetryException):
        client.create(model="m", messages=[], response_model=draft.schema(["S1"]), max_retries=0)
    assert "API call failed" in caplog.text


def test_words_beside_a_tools_arguments_are_not_the_reply(serve):
    body = calls(DRAFT).body
    body["choices"][0]["message"]["content"] = "Here is the draft."
    _, client = serve(Said(body=body))
    assert json.dumps(DRAFT) == InstructorGenerator(client, "m").generate(request()).raw


FENCED = f"Here it is:\n```json\n{json.dumps(DRAFT)}\n```"


@pytest.mark.parametrize("content", [DRAFT, FENCED])
def test_a_mode_that_asks_in_the_prompt_alone_is_read_too(serve, content):
    server, client = serve(says(content), mode=instructor.Mode.MD_JSON)
    reply = InstructorGenerator(client, "m").generate(request())
    assert "response_format" not in server.asked[0].body
    assert ("text", QUOTE) == (
        reply.response_format,
        draft.parse(reply, ["S1"]).statements[0].quote,
    )


@pytest.mark.parametrize("mode", [*MODES, instructor.Mode.MD_JSON])
def test_a_reply_that_echoes_the_schema_is_no_draft(serve, mode):
    shown = draft.draft_json_schema(["S1", "S2"])
    filled = {**shown, "properties": DRAFT}
    _, client = serve(*(said(echo, mode) for echo in (shown, filled)), mode=mode)
    generator = InstructorGenerator(client, "m")
    for _ in range(2):
        reply = generator.generate(request())
        with pytest.raises(DraftFormatError):
            draft.parse(reply, ["S1", "S2"])


def test_a_client_of_a_mode_for_several_answers_is_refused():
    client = instructor.from_openai(openai.OpenAI(api_key="k"), mode=instructor.Mode.PARALLEL_TOOLS)
    with pytest.raises(InputError, match="several answers") as caught:
        InstructorGenerator(client, "m")
    assert "bad_mode" == caught.value.code


@pytest.mark.parametrize(
    "option", ["max_retries", "context", "messages", "response_model", "hooks", "stream", "timeout"]
)
def test_options_that_are_not_the_callers_are_refused(serve, option):
    """With `context` passages would be rendered as templates, with `max_retries` sent again."""
    server, client = serve(calls(DRAFT))
    with pytest.raises(InputError, match=option) as caught:
        InstructorGenerator(client, "m", options={option: 1})
    assert ("bad_options", []) == (caught.value.code, server.asked)


# Errors and time


def test_what_fails_in_passing_is_sent_again_by_us_alone(serve):
    server, client = serve(fails(503, retry_after="0"), fails(429, retry_after="0"), calls(DRAFT))
    assert InstructorGenerator(client, "m").generate(request()).raw
    assert 3 == len(server.asked)


@pytest.mark.parametrize("mode", [*MODES, instructor.Mode.RESPONSES_TOOLS])
@pytest.mark.parametrize("attempts", [1, 2])
def test_retries_of_the_sdk_are_off_in_our_requests_and_in_no_other(serve, mode, attempts):
    server, client = serve(fails(503, retry_after_ms="1"), mode=mode, max_retries=4)
    heard = []
    client.on("completion:kwargs", lambda **_: heard.append(1))
    with pytest.raises(ProviderError, match="InternalServerError, status 503"):
        InstructorGenerator(client, "m", attempts=attempts).generate(request())
    assert attempts == len(server.asked)
    assert 4 == client.client.max_retries
    assert attempts == len(heard), "the client's own hooks are heard"


def test_where_retries_of_the_sdk_cannot_be_turned_off_we_do_not_retry(serve):
    """Around the SDK's method stands one of the caller's own; or only `from_openai` has a name."""
    server, client = serve(fails(503, retry_after_ms="1"), max_retries=1)
    usual, calls_of_theirs = client.create_fn, []

    def traced(*given, **named):
        calls_of_theirs.append(1)
        return usual(*given, **named)

    client.create_fn = traced
    with pytest.raises(ProviderError, match="InternalServerError, status 503"):
        InstructorGenerator(client, "m", attempts=5).generate(request())
    assert (2, 1) == (len(server.asked), len(calls_of_theirs))

    server, client = serve(fails(503, retry_after_ms="1"), max_retries=1)
    named = instructor.from_openai(client.client, model="theirs")
    with pytest.raises(ProviderError, match="InternalServerError, status 503"):
        InstructorGenerator(named, attempts=5).generate(request())
    assert ["theirs"] * 2 == [asked.body["model"] for asked in server.asked]


def test_a_wait_that_the_deadline_does_not_allow_is_not_begun(serve):
    server, client = serve(fails(429, retry_after="600"))
    begun = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        ask(QUESTION, PASSAGES, model=InstructorGenerator(client, "m"), timeout=60)
    assert time.monotonic() - begun < 30  # it neither waits 600 seconds nor for its deadline
    assert (1, 600.0, 429) == (len(server.asked), caught.value.retry_after, caught.value.status)


DRIP = Said(chunks=[b'{"id": "1",'] + [b" "] * 200, drip=0.1)


@pytest.mark.parametrize("slow", [DRIP, Said(wait=20)], ids=["drips", "hangs"])
def test_a_slow_reply_ends_with_the_deadline(serve, slow):
    server, client = serve(slow)
    begun = time.monotonic()
    with pytest.raises(DeadlineError):
        ask(QUESTION, PASSAGES, model=InstructorGenerator(client, "m"), timeout=0.5)
    assert time.monotonic() - begun < 1.5
    with pytest.raises(DeadlineError):
        awaited(
            server,
            lambda c: aask(QUESTION, PASSAGES, model=InstructorGenerator(c, "m"), timeout=0.5),
        )
    assert time.monotonic() - begun < 3


def test_what_arrives_after_a_request_was_given_up_is_not_heard(serve):
    """Closing a connection may pass for the end of its reply, in the thread that still reads."""
    _, client = serve(Said(wait=20))
    ended = threading.Event()

    def late(generator, body, request, seen, seconds):
        made = body(generator, client, request, seen, seconds)
        seen.replies.append("half a reply")  # as that thread does, a moment later
        ended.set()
        return made

    generator = InstructorGenerator(client, "m")
    generator._body = lambda _, *given: late(generator, InstructorGenerator._body, *given)
    with pytest.raises(DeadlineError):
        ask(QUESTION, PASSAGES, model=generator, timeout=0.5)
    assert ended.is_set()


def test_a_slow_reply_ends_with_the_time_of_one_request(serve):
    server, client = serve(DRIP)
    begun = time.monotonic()
    with pytest.raises(ProviderError):
        InstructorGenerator(client, "m", timeout=0.4, attempts=1).generate(request())
    with pytest.raises(ProviderError):
        awaited(
            server,
            lambda c: InstructorGenerator(c, "m", timeout=0.4, attempts=1).agenerate(request()),
        )
    assert time.monotonic() - begun < 3


def test_cancelling_aask_closes_the_connection_and_starts_nothing():
    with serving(in_turn(Said(wait=20))) as server:

        async def cancel(client):
            task = asyncio.create_task(
                aask(QUESTION, PASSAGES, model=InstructorGenerator(client, "m"))
            )
            await true_soon(lambda: server.asked)
            task.cancel()
            begun = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await task
            await true_soon(lambda: server.gone)
            await asyncio.sleep(0.2)
            return begun

        begun = awaited(server, cancel)
        assert server.gone[0] - begun < 1.0
        assert 1 == len(server.asked)


# Clients, names, warnings


def test_an_asynchronous_client_cannot_serve_ask():
    client = instructor.from_openai(openai.AsyncOpenAI(api_key="k"))
    with pytest.raises(InputError, match="use aask"):
        ask(QUESTION, PASSAGES, model=InstructorGenerator(client, "m"))


def test_a_synchronous_client_serves_aask_from_a_thread(serve):
    _, client = serve(calls(DRAFT))
    model = InstructorGenerator(client, "m")
    answer = asyncio.run(aask(QUESTION, PASSAGES, model=model, judge=ScriptedJudge()))
    assert "answered" == answer.status


def test_a_client_that_was_not_patched_is_refused():
    with pytest.raises(InputError, match="patched"):
        InstructorGenerator(openai.OpenAI(api_key="k"), "m")


def test_a_name_reaches_the_provider_sync_and_async(monkeypatch):
    """OpenAI's stands for the twenty others: its address can be set from the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with serving(in_turn(fails(503, retry_after="0"), calls(DRAFT))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        generator = from_name("openai/gpt-5-mini")
        shown = ask(QUESTION, PASSAGES, model=generator, judge=ScriptedJudge())
        other = asyncio.run(aask(QUESTION, PASSAGES, model=generator, judge=ScriptedJudge()))
        assert shown.statements
        assert shown.statements == other.statements
        assert ("openai/gpt-5-mini",) * 2 == (generator.name, shown.engine)
        assert ["gpt-5-mini"] * 3 == [asked.body["model"] for asked in server.asked]


@pytest.mark.parametrize("name", ["gtp/foo", "foo", "google/", "/m", "groq/m@http://localhost/v1"])
def test_a_name_that_nobody_knows_is_an_input_error(name):
    with pytest.raises(InputError) as caught:
        from_name(name)
    assert "unknown_model" == caught.value.code


def test_a_client_that_cannot_be_built_names_the_way_out(monkeypatch, caplog):
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    generator = from_name("deepseek/deepseek-chat")
    for call in (
        lambda: generator.generate(request()),
        lambda: asyncio.run(generator.agenerate(request())),
    ):
        with pytest.raises(ProviderError) as caught:
            call()
        assert "DEEPSEEK_API_KEY" in caught.value.hint
        assert not caught.value.retryable
    assert "" == caplog.text


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [
        ("groq/m", "groq", "groq"),
        ("writer/m", "writerai", "writer-sdk"),
        ("google/m", "google.genai", "google-genai"),
        ("litellm/m", "litellm", "litellm"),
    ],
)
def test_an_sdk_that_is_not_installed_is_named_with_its_package(monkeypatch, name, module, package):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ProviderError, match="could not build its client") as caught:
        from_name(name).generate(request())
    assert f"pip install '{package}'" in caught.value.hint
    assert (None, None) == (caught.value.__context__, caught.value.__cause__)


def test_a_warning_of_instructor_does_not_escape_where_warnings_are_errors():
    """Its Anthropic mode of JSON schemas warns with every request."""
    anthropic = pytest.importorskip("anthropic", reason="needs the extra anthropic")
    text = {"type": "text", "text": json.dumps(DRAFT)}
    usage = {"input_tokens": 40, "cache_read_input_tokens": 60, "output_tokens": 20}
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [text],
        "stop_reason": "end_turn", "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    with (
        serving(in_turn(Said(body=message))) as server,
        anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        patched = instructor.from_anthropic(client, mode=JSON_SCHEMA)
        reply = InstructorGenerator(patched, "m").generate(request())
    assert json.dumps(DRAFT) == reply.raw
    assert (Usage(100, 20, 60), "end_turn", "text") == (
        reply.usage,
        reply.finish_reason,
        reply.response_format,
    )


def warning_after(create, begun):
    """A client's function that warns once its request is under way, each time in other words."""

    def warned(*args, **named):
        replied = create(*args, **named)
        begun.append(1)
        warnings.warn(f"{SECRET}: old since {len(begun)}", DeprecationWarning, stacklevel=2)
        return replied

    return warned


def warning_before(create, begun):
    def warned(*args, **named):
        begun.append(1)
        if len(begun) < 4:
            warnings.warn(f"mode {len(begun)} is old", DeprecationWarning, stacklevel=2)
        return create(*args, **named)

    return warned


def test_a_warning_after_a_reply_changes_nothing_and_nothing_is_sent_twice(serve):
    server, client = serve(calls(DRAFT), calls({"status": "not_found", "statements": []}))
    client.create_fn = warning_after(client.create_fn, [])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reply = InstructorGenerator(client, "m").generate(request())
    assert (DRAFT, 1) == (json.loads(reply.raw), len(server.asked))


def test_a_warning_before_anything_was_sent_is_passed_over(serve):
    server, client = serve(calls(DRAFT))
    client.create_fn = warning_before(client.create_fn, [])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reply = InstructorGenerator(client, "m").generate(request())
    assert (DRAFT, 1) == (json.loads(reply.raw), len(server.asked))


def test_a_warning_while_a_request_is_under_way_is_an_error_that_names_the_way_out(serve):
    """The SDK's own, say of an old model: whether anything was sent by then, nobody knows."""
    server, client = serve(calls(DRAFT))
    sdk = client.client.chat.completions
    create = warning_after(sdk.create, [])
    patched = instructor.patch(create=create, mode=TOOLS)
    other = instructor.Instructor(client=client.client, create=patched, mode=TOOLS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ProviderError, match="DeprecationWarning") as caught:
            InstructorGenerator(other, "m").generate(request())
    assert (False, 1) == (caught.value.retryable, len(server.asked))
    assert "warnings are errors" in caught.value.hint
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_awaited_a_warning_sends_nothing_twice_either():
    async def asked(client):
        client.create_fn = awaited_warning(client.create_fn)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return await InstructorGenerator(client, "m").agenerate(request())

    with serving(in_turn(calls(DRAFT))) as server:
        assert DRAFT == json.loads(awaited(server, asked).raw)
        assert 1 == len(server.asked)


def awaited_warning(create):
    async def warned(*args, **named):
        replied = await create(*args, **named)
        warnings.warn(f"{SECRET}: old", DeprecationWarning, stacklevel=2)
        return replied

    return warned


NONE = {"status": "not_found", "statements": []}


def _calls(*drafts):
    return [
        {"type": "tool_use", "id": f"t{number}", "name": "Draft", "input": one}
        for number, one in enumerate(drafts)
    ]


def _texts(*drafts):
    return [{"type": "text", "text": json.dumps(one)} for one in drafts]


@pytest.mark.parametrize(
    ("content", "one"),
    [
        (_calls(DRAFT, NONE), False),
        (_calls(NONE, DRAFT), False),
        (_texts(DRAFT, NONE), False),
        (_texts(NONE) + _calls(DRAFT), False),
        (_calls(DRAFT, DRAFT), True),
        (_texts(DRAFT, DRAFT), True),
        (_texts(DRAFT) + _calls(DRAFT), True),
        ([{"type": "thinking", "thinking": json.dumps(NONE), "signature": "s"}, *_calls(DRAFT)],
         True),
    ],
)  # fmt: skip
def test_two_drafts_of_anthropics_that_differ_are_none(content, one):
    anthropic = pytest.importorskip("anthropic", reason="needs the extra anthropic")
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": "tool_use", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }  # fmt: skip
    with (
        serving(in_turn(Said(body=message))) as server,
        anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client,
    ):
        reply = InstructorGenerator(instructor.from_anthropic(client), "m").generate(request())
        assert 1 == len(server.asked)
    _is_one_or_none(reply, one=one)


def _is_one_or_none(reply, *, one):
    if one:
        assert DRAFT == json.loads(reply.raw)
    else:
        with pytest.raises(DraftFormatError):
            draft.parse(reply, ["S1"])


def _responses(*output, status="completed", **fields):
    usage = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 7,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 16}  # fmt: skip
    return Said(
        body={
            "id": "r", "object": "response", "created_at": 1, "status": status, "model": "m",
            "output": list(output), "parallel_tool_calls": False, "tools": [],
            "tool_choice": "auto", "usage": usage, **fields,
        }
    )  # fmt: skip


def _called(one, number=0):
    return {"type": "function_call", "id": f"f{number}", "call_id": f"c{number}", "name": "Draft",
            "arguments": json.dumps(one), "status": "completed"}  # fmt: skip


def _told(**part):
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed",
            "content": [part]}  # fmt: skip


@pytest.mark.parametrize(
    ("answered", "error"),
    [
        (_responses(_called(DRAFT)), None),
        (_responses(_called(DRAFT), _called(DRAFT, 1)), None),
        (_responses(_told(type="output_text", text=json.dumps(DRAFT), annotations=[])), None),
        (_responses(_called(DRAFT), _called(NONE, 1)), DraftFormatError),
        (_responses(_told(type="refusal", refusal="No.")), RefusedError),
        (
            _responses(_called(DRAFT), status="incomplete",
                       incomplete_details={"reason": "max_output_tokens"}),
            TruncatedError,
        ),
        (
            _responses(status="failed", error={"code": "server_error", "message": SECRET}),
            ProviderError,
        ),
    ],
)  # fmt: skip
def test_ends_of_openais_responses_are_told_apart(serve, answered, error):
    server, client = serve(answered, mode=instructor.Mode.RESPONSES_TOOLS)
    generator = InstructorGenerator(client, "m", attempts=1)
    if error is None:
        reply = generator.generate(request())
        assert (DRAFT, Usage(9, 7, 4)) == (json.loads(reply.raw), reply.usage)
    else:
        with pytest.raises(error) as caught:
            draft.parse(generator.generate(request()), ["S1"])
        assert SECRET not in str(caught.value)
    assert 1 == len(server.asked)


def _part(one, *, call=False, **fields):
    """A part of Google's, as its SDK makes it: all fields there, most of them `None`."""
    named = {"text": None, "thought": None, "function_call": None}
    given = {"function_call": SimpleNamespace(args=one)} if call else {"text": json.dumps(one)}
    return SimpleNamespace(**{**named, **given, **fields})


@pytest.mark.parametrize(
    ("parts", "one"),
    [
        ([_part(NONE, thought=True), _part(DRAFT)], True),
        ([_part(NONE, thought=True), _part(DRAFT, call=True)], True),
        ([_part(DRAFT, call=True), _part(DRAFT, call=True)], True),
        ([_part(DRAFT, call=True), _part(NONE, call=True)], False),
        ([_part(DRAFT, thought=True)], False),
    ],
)
def test_thinking_of_googles_is_left_out_and_two_calls_that_differ_are_none(parts, one):
    candidate = SimpleNamespace(
        finish_reason=SimpleNamespace(name="STOP"), content=SimpleNamespace(parts=parts)
    )

    class Mine(instructor.Instructor):
        def create_with_completion(self, *, response_model, hooks, **_):
            hooks.emit_completion_response(SimpleNamespace(candidates=[candidate]))
            raise instructor.core.InstructorRetryException(
                "several parts", n_attempts=1, total_usage=0
            )

    client = Mine(client=None, create=print, provider=instructor.Provider.GENAI)
    _is_one_or_none(InstructorGenerator(client, "gemini").generate(request()), one=one)


MESSAGES = [
    ("tool_use", [{"type": "tool_use", "id": "t", "name": "Draft", "input": DRAFT}], None),
    ("max_tokens", [{"type": "tool_use", "id": "t", "name": "Draft", "input": {}}], TruncatedError),
    ("refusal", [], RefusedError),
    ("end_turn", [{"type": "text", "text": "It is covered."}], DraftFormatError),
]


@pytest.mark.parametrize(("stop", "content", "error"), MESSAGES)
def test_ends_of_anthropics_replies_are_told_apart(stop, content, error):
    anthropic = pytest.importorskip("anthropic", reason="needs the extra anthropic")
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop, "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }  # fmt: skip
    with (
        serving(in_turn(Said(body=message))) as server,
        anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client,
    ):
        patched = instructor.from_anthropic(client)
        reply = InstructorGenerator(patched, "m").generate(request())
        assert Usage(1, 2) == reply.usage
        assert server.asked[0].body["max_tokens"] > 1000
        if error is not None:
            with pytest.raises(error):
                draft.parse(reply, ["S1"])
        else:
            assert QUOTE == draft.parse(reply, ["S1"]).statements[0].quote


def test_a_completion_of_another_shape_gives_what_instructor_read():
    """Google's, say: no choices, no blocks, an enum as the end."""
    usage = SimpleNamespace(
        prompt_token_count=70, cached_content_token_count=30, candidates_token_count=9
    )
    candidate = SimpleNamespace(finish_reason=SimpleNamespace(name="STOP"))
    given = SimpleNamespace(candidates=[candidate], usage_metadata=usage, arguments=DRAFT)

    class Mine(instructor.Instructor):
        def create_with_completion(self, *, response_model, hooks, **_):
            hooks.emit_completion_response(given)
            return response_model.model_validate(given.arguments), given

    client = Mine(client=None, create=print, provider=instructor.Provider.GENAI)
    reply = InstructorGenerator(client, "gemini").generate(request())
    assert (json.dumps(DRAFT), "STOP", Usage(70, 9, 30)) == (
        reply.raw,
        reply.finish_reason,
        reply.usage,
    )
    assert "instructor/genai/gemini" == reply.engine


ODD = """
    import sys
    import openai, instructor
    from groundedgen.generators.instructor import InstructorGenerator
    from groundedgen.errors import ProviderError
    from tests.generators.test_instructor import request
    client = openai.OpenAI(api_key="k", base_url="{url}/v1", max_retries=0)
    generator = InstructorGenerator(instructor.from_openai(client), "m")
    before = set(sys.modules)
    try:
        generator.generate(request())
    except ProviderError:
        print(sum(name.startswith("anthropic") for name in set(sys.modules) - before))
"""


def test_no_sdk_is_imported_within_a_request():
    """Over a reply of an odd shape instructor asks whether it is Anthropic's."""
    pytest.importorskip("anthropic")
    with serving(in_turn(Said(200, "<html>busy</html>", {"content-type": "text/html"}))) as server:
        program = textwrap.dedent(ODD).format(url=server.url)
        ended = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
        )
    few = 5  # what instructor itself still brings in
    assert int(ended.stdout) <= few
