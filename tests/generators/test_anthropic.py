"""`AnthropicGenerator` against a loopback server that speaks the real wire format."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import pickle
import socket
import sys
import threading
import time
import traceback
from contextlib import aclosing, suppress
from functools import partial
from types import SimpleNamespace

import pytest

from groundedgen import Passage, aask, ask
from groundedgen.aliases import assign
from groundedgen.conformance import GENERATOR_CHECKS
from groundedgen.deadlines import within
from groundedgen.draft import parse, schema
from groundedgen.errors import (
    DeadlineError,
    DraftFormatError,
    InputError,
    MissingExtraError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.judges import instructions
from groundedgen.prompt import build
from groundedgen.testing import ScriptedJudge
from groundedgen.values import Request, Usage
from tests.servers.anthropic_wire import (
    PING,
    REQUEST,
    breaks,
    cut_off,
    event,
    events,
    fails,
    says,
    text,
    tool,
)
from tests.servers.loopback import Said, in_turn, serving

anthropic = pytest.importorskip("anthropic")
from groundedgen.generators.anthropic import AnthropicGenerator, from_name
from groundedgen.generators.messages import failed

PIPE = "Water damage from a burst pipe is covered up to 12,000 euros per claim."
PASSAGES = [Passage("p#1", PIPE), Passage("p#2", "Floods are not covered by this policy.")]
QUESTION = "Is a burst pipe covered?"
DRAFT = {
    "status": "answered",
    "statements": [
        {
            "text": "A burst pipe is covered up to 12,000 euros.",
            "sources": ["S1"],
            "quote": "burst pipe is covered up to 12,000 euros",
        }
    ],
}


@pytest.fixture
def serve():
    """`serve(said, ...)` -> a running server and a client of it, closed with the test."""
    open_now = []

    def start(*said, **options):
        answer = said[0] if callable(said[0]) else in_turn(*said)
        context = serving(answer)
        server = context.__enter__()
        client = anthropic.Anthropic(api_key="secret", base_url=server.url, **options)
        open_now.extend([client, partial(context.__exit__, None, None, None)])
        return server, client

    yield start
    for thing in open_now:
        thing() if callable(thing) else thing.close()


def request(passages=PASSAGES, **fields):
    aliases = assign(passages)
    words = build(QUESTION, aliases)
    return Request(QUESTION, words, schema(aliases.names), dict(aliases.docs), **fields)


def generator(client, **options):
    return AnthropicGenerator(client, "claude-test", **{"attempts": 1, **options})


# --- what is sent ---------------------------------------------------------------------------


def test_the_schema_goes_out_as_output_config_with_the_aliases_as_an_enum(serve):
    server, client = serve(says(DRAFT))
    generator(client).generate(request())
    body = server.asked[0].body
    form = body["output_config"]["format"]
    sources = form["schema"]["properties"]["statements"]["items"]["properties"]["sources"]
    assert ("json_schema", ["S1", "S2"]) == (form["type"], sources["items"]["enum"])
    assert form["schema"]["additionalProperties"] is False


def test_no_sampling_parameter_is_sent(serve):
    server, client = serve(says(DRAFT))
    generator(client).generate(request())
    assert {"temperature", "top_p", "top_k"}.isdisjoint(server.asked[0].body)


def test_the_tool_mode_forces_one_strict_tool(serve):
    server, client = serve(says(tool(DRAFT), stop="tool_use"))
    reply = generator(client, mode="tool").generate(request())
    body = server.asked[0].body
    assert "output_config" not in body
    assert body["tools"][0]["strict"] is True
    assert body["tool_choice"]["name"] == body["tools"][0]["name"]
    assert (DRAFT, "tool", "enum") == (
        json.loads(reply.raw),
        reply.response_format,
        reply.constraint,
    )


def test_rules_and_passages_end_in_cache_breakpoints_and_the_question_in_none(serve):
    server, client = serve(says(DRAFT))
    generator(client, cache="1h").generate(request())
    body = server.asked[0].body
    first, rest = body["messages"][0]["content"]
    cached = {"type": "ephemeral", "ttl": "1h"}
    assert [cached, cached] == [body["system"][0]["cache_control"], first["cache_control"]]
    assert PIPE in first["text"]
    assert QUESTION in rest["text"]
    assert QUESTION not in first["text"]
    assert "cache_control" not in rest
    assert request().prompt.user == first["text"] + rest["text"]


def test_a_second_question_to_the_same_passages_has_the_same_prefix(serve):
    server, client = serve(says(DRAFT))
    asked = generator(client)
    asked.generate(request())
    aliases = assign(PASSAGES)
    words = build("Are floods covered?", aliases, history=["Before?"])
    asked.generate(Request("Q", words, schema(aliases.names), dict(aliases.docs)))
    one, two = (a.body["messages"][0]["content"][0] for a in server.asked)
    assert one == two


def test_without_a_cache_nothing_is_marked(serve):
    server, client = serve(says(DRAFT))
    generator(client, cache=None).generate(request())
    assert "cache_control" not in json.dumps(server.asked[0].body)


def test_a_request_of_the_judge_is_one_block_with_its_own_schema(serve):
    server, client = serve(says({"C1": "supported"}))
    reply = generator(client).generate(instructions.request("Floods are covered.", ["So."]))
    body = server.asked[0].body
    assert 1 == len(body["messages"][0]["content"])
    assert "C1" in body["output_config"]["format"]["schema"]["properties"]
    assert '{"C1": "supported"}' == reply.raw


def test_extra_fields_go_out_with_every_request(serve):
    server, client = serve(says(DRAFT))
    generator(client, extra_body={"thinking": {"type": "adaptive"}}).generate(request())
    assert {"type": "adaptive"} == server.asked[0].body["thinking"]


# --- what comes back ------------------------------------------------------------------------


def test_a_reply_is_the_text_of_its_blocks_and_thinking_is_none_of_it(serve):
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    _, client = serve(says(thought, text('{"status":'), text(' "not_found", "statements": []}')))
    reply = generator(client).generate(request())
    assert '{"status": "not_found", "statements": []}' == reply.raw
    assert ("end_turn", "json_schema", "enum") == (
        reply.finish_reason,
        reply.response_format,
        reply.constraint,
    )


def test_usage_counts_the_cached_and_the_newly_cached_part_of_the_input(serve):
    _, client = serve(says(DRAFT))
    assert Usage(100, 20, 50) == generator(client).generate(request()).usage


def test_counts_that_a_gateway_repeats_as_zero_at_the_end_are_not_forgotten(serve):
    said = says(DRAFT)
    zeros = b'"usage": {"input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 20}'
    chunks = [c.replace(b'"usage": {"output_tokens": 20}', zeros) for c in said.chunks]
    assert chunks != said.chunks
    _, client = serve(Said(chunks=chunks))
    assert Usage(100, 20, 50) == generator(client).generate(request()).usage


def test_the_spelling_of_an_alias_may_differ_in_case(serve):
    draft = json.loads(json.dumps(DRAFT).replace("S1", "s1"))
    _, client = serve(says(draft))
    answer = ask(QUESTION, PASSAGES, model=generator(client), judge=ScriptedJudge())
    assert ["p#1"] == [c.passage_id for s in answer.statements for c in s.citations]


@pytest.mark.parametrize(
    ("stop", "error"),
    [
        ("refusal", RefusedError),
        ("max_tokens", TruncatedError),
        ("model_context_window_exceeded", TruncatedError),
        ("pause_turn", TruncatedError),
    ],
)
def test_a_reply_that_did_not_end_by_itself_is_no_draft(serve, stop, error):
    details = {"type": "refusal", "category": "cyber", "explanation": None}
    _, client = serve(says(DRAFT, stop=stop, details=details if stop == "refusal" else None))
    with pytest.raises(error) as caught:
        ask(QUESTION, PASSAGES, model=generator(client), judge=ScriptedJudge())
    assert 120 <= caught.value.usage.input_tokens + caught.value.usage.output_tokens


def test_a_refusal_tells_its_category(serve):
    details = {"type": "refusal", "category": "bio", "explanation": None}
    _, client = serve(says(stop="refusal", details=details))
    reply = generator(client).generate(request())
    assert (None, "refusal", "bio") == (reply.raw, reply.finish_reason, reply.refusal)


def test_arguments_of_a_tool_that_come_in_one_piece_are_read_as_well(serve):
    chunks = list(events(tool(DRAFT), stop="tool_use"))
    begun = event("content_block_start", index=0, content_block=tool(DRAFT))
    _, client = serve(Said(chunks=[*chunks[:2], begun, *chunks[5:]]))
    assert DRAFT == json.loads(generator(client, mode="tool").generate(request()).raw)


NONE = {"status": "not_found", "statements": []}


@pytest.mark.parametrize("mode", ["tool", "json_schema"])
@pytest.mark.parametrize("drafts", [(DRAFT, NONE), (NONE, DRAFT), (DRAFT, DRAFT, NONE)])
def test_two_drafts_that_differ_are_none(serve, mode, drafts):
    """Nothing says which of them counts: not the first, and not the one that answers."""
    blocks = [tool(draft) if mode == "tool" else text(draft) for draft in drafts]
    _, client = serve(says(*blocks, stop="tool_use" if mode == "tool" else "end_turn"))
    reply = generator(client, mode=mode).generate(request())
    with pytest.raises(DraftFormatError):
        parse(reply, ["S1"])


def test_a_draft_in_words_beside_another_in_a_call_is_one_of_two(serve):
    _, client = serve(says(text(NONE), tool(DRAFT), stop="tool_use"))
    with pytest.raises(DraftFormatError):
        parse(generator(client, mode="tool").generate(request()), ["S1"])


@pytest.mark.parametrize(
    ("mode", "blocks"),
    [
        ("tool", [tool(DRAFT), tool(DRAFT)]),
        ("tool", [text("Here is the draft."), tool(DRAFT)]),
        ("tool", [text(DRAFT), tool(DRAFT)]),
        ("json_schema", [text(DRAFT), text(json.dumps(DRAFT, indent=1))]),
    ],
)
def test_the_same_draft_twice_is_one_and_words_beside_a_call_are_none(serve, mode, blocks):
    _, client = serve(says(*blocks, stop="tool_use" if mode == "tool" else "end_turn"))
    assert DRAFT == json.loads(generator(client, mode=mode).generate(request()).raw)


# --- stepping down --------------------------------------------------------------------------

NO_FORMAT = fails(400, "invalid_request_error", "output_config.format: not supported by this model")
NO_TOOL = fails(400, "invalid_request_error", "tools.0.strict: extra inputs are not permitted")


def test_a_form_that_is_turned_down_is_stepped_down_from_and_remembered(serve):
    server, client = serve(NO_FORMAT, NO_TOOL, says(DRAFT))
    asked = generator(client)
    replies = [asked.generate(request()), asked.generate(request())]
    forms = [sorted({"output_config", "tools"} & set(a.body)) for a in server.asked]
    assert [["output_config"], ["tools"], [], []] == forms
    assert [("text", "none")] * 2 == [(r.response_format, r.constraint) for r in replies]


def test_a_400_about_something_else_is_an_error_at_once(serve):
    server, client = serve(fails(400, "invalid_request_error", "prompt is too long: 9 tokens"))
    with pytest.raises(ProviderError) as caught:
        generator(client, attempts=3).generate(request())
    assert (1, 400, False) == (len(server.asked), caught.value.status, caught.value.retryable)


def test_a_model_string_learns_once_what_its_service_takes(serve, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    server, _ = serve(NO_FORMAT, says(tool(DRAFT), stop="tool_use"))
    for _ in range(2):
        from_name("claude-learns", server.url).generate(request())
    assert [False, True, True] == ["tools" in a.body for a in server.asked]


# --- failures -------------------------------------------------------------------------------


def test_a_server_that_is_overloaded_is_asked_again_and_what_was_wasted_counts(serve):
    server, client = serve(breaks("overloaded_error", DRAFT), says(DRAFT))
    reply = generator(client, attempts=2).generate(request())
    assert 2 == len(server.asked)
    assert Usage(200, 21, 100) == reply.usage


@pytest.mark.parametrize(("kind", "again"), [("overloaded_error", True), ("api_error", True)])
def test_an_error_inside_a_stream_is_a_failure_whatever_came_before(serve, kind, again):
    _, client = serve(breaks(kind, DRAFT, after=99))
    with pytest.raises(ProviderError) as caught:
        generator(client).generate(request())
    assert again == caught.value.retryable
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("keep", [2, 3, 4, 5, 7])
def test_a_stream_that_is_cut_is_never_a_draft_even_if_its_json_is_whole(serve, keep, reset):
    server, client = serve(cut_off(DRAFT, keep=keep, reset=reset))
    with pytest.raises(ProviderError) as caught:
        generator(client, attempts=2).generate(request())
    assert caught.value.retryable
    assert 2 == len(server.asked)


@pytest.mark.parametrize("body", ["<html>busy</html>", {"error": {"message": "no"}}, {}, ""])
def test_a_200_that_is_no_event_stream_is_no_draft(serve, body):
    _, client = serve(Said(body=body, headers={"content-type": "text/html"}))
    with pytest.raises(ProviderError, match="no event stream"):
        generator(client).generate(request())


@pytest.mark.parametrize(
    "broken",
    [
        b"event: content_block_delta\ndata: {oops\n\n",
        event("content_block_delta", index=5, delta={"type": "text_delta", "text": "x"}),
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": None}),
        event("content_block_start"),
        event("message_delta"),
    ],
)
def test_a_broken_event_is_a_failure_not_a_draft(serve, broken):
    chunks = list(events(text(DRAFT)))
    _, client = serve(Said(chunks=[*chunks[:4], broken, *chunks[4:]]))
    with pytest.raises(ProviderError) as caught:
        generator(client).generate(request())
    assert caught.value.retryable


WHOLE = list(events(text(DRAFT), ping=False))  # start, block start, two deltas, block stop, end x 2
START, OPEN, FIRST, SECOND, CLOSE, ENDS, STOP = WHOLE


def _delta(kind="text_delta", index=0, **fields):
    return event("content_block_delta", index=index, delta={"type": kind, **fields})


def _ends(reason):
    delta = {"stop_reason": reason, "stop_sequence": None}
    return event("message_delta", delta=delta, usage={"output_tokens": 20})


def _opens(index, kind="text", **fields):
    begun = {"type": kind, **({"text": ""} if kind == "text" else {}), **fields}
    return event("content_block_start", index=index, content_block=begun)


CONTRADICTIONS = {
    "a block that begins twice": [START, OPEN, FIRST, OPEN, FIRST, SECOND, CLOSE, ENDS, STOP],
    "a block of the same number again": [*WHOLE[:5], OPEN, FIRST, SECOND, CLOSE, ENDS, STOP],
    "a block that is missing": [*WHOLE[:5], _opens(2), _delta(index=2, text="x"), ENDS, STOP],
    "the first block is missing": [START, _opens(1), _delta(index=1, text="{}"), ENDS, STOP],
    "a block without a number": [
        START,
        event("content_block_start", content_block={"type": "text", "text": ""}),
        *WHOLE[2:],
    ],
    "words for no block": [START, *WHOLE[2:]],
    "words for another block": [START, OPEN, FIRST, _delta(index=1, text="x"), *WHOLE[3:]],
    "words for a block that has ended": [*WHOLE[:5], _delta(text=" "), ENDS, STOP],
    "words for a block before": [*WHOLE[:5], _opens(1), _delta(text=" "), ENDS, STOP],
    "an end of no block": [*WHOLE[:5], event("content_block_stop", index=3), ENDS, STOP],
    "a second message": [*WHOLE[:5], START, ENDS, STOP],
    "a whole second message": [*WHOLE, *WHOLE],
    "no beginning": WHOLE[1:],
    "two ends": [*WHOLE[:5], _ends("max_tokens"), ENDS, STOP],
    "the other way round": [*WHOLE[:6], _ends("max_tokens"), STOP],
    "a refusal, then an end": [*WHOLE[:5], _ends("refusal"), ENDS, STOP],
    "words after the end": [*WHOLE[:4], ENDS, _delta(text=" "), STOP],
    "a block after the end": [*WHOLE[:6], _opens(1), STOP],
    "an end after the stop": [*WHOLE[:5], ENDS, STOP, ENDS],
    "words after the stop": [*WHOLE, _opens(1), _delta(index=1, text="x")],
    "a second stop": [*WHOLE, STOP],
    "arguments in a text": [*WHOLE[:3], _delta("input_json_delta", partial_json="x"), *WHOLE[3:]],
    "words in arguments": [
        START, _opens(0, "tool_use", id="t", name="reply", input={}), *WHOLE[2:],
    ],
    "arguments that differ": [
        START,
        _opens(0, "tool_use", id="t", name="reply", input={"status": "not_found"}),
        _delta("input_json_delta", partial_json=json.dumps(DRAFT)),
        CLOSE, _ends("tool_use"), STOP,
    ],
    "a beginning that has content": [
        event("message_start", message={**json.loads(START.split(b"data: ")[1])["message"],
                                        "content": [{"type": "text", "text": "It is "}]}),
        *WHOLE[1:],
    ],
    "an error of another name": [
        *WHOLE[:5],
        b'event: message_delta\ndata: {"type": "error", "error": {"type": "api_error"}}\n\n',
        ENDS, STOP,
    ],
}  # fmt: skip


@pytest.mark.parametrize("chunks", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_stream_that_contradicts_itself_is_no_draft_and_may_be_asked_for_again(serve, chunks):
    server, client = serve(Said(chunks=chunks), Said(chunks=chunks), says(NONE))
    with pytest.raises(ProviderError) as caught:
        generator(client).generate(request())
    assert NONE == json.loads(generator(client, attempts=2).generate(request()).raw)
    assert (True, 3) == (caught.value.retryable, len(server.asked))


@pytest.mark.parametrize("chunks", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_awaited_it_is_the_same_failure(serve, chunks):
    server, client = serve(Said(chunks=chunks))
    with pytest.raises(ProviderError) as plain:
        generator(client).generate(request())
    with pytest.raises(ProviderError) as awaited:
        _async(server, lambda g: g.agenerate(request()))
    assert (str(plain.value), True) == (str(awaited.value), awaited.value.retryable)


HARMLESS = {
    "pings": [PING, START, PING, OPEN, PING, FIRST, PING, SECOND, CLOSE, PING, ENDS, STOP, PING],
    "events that are not known": [
        event("session_note", text="It is not covered.", index=0),
        START, OPEN, event("content_block_note", index=0, delta={"text": "x"}), *WHOLE[2:],
        event("message_note"),
    ],
    "events without data": [START, b"event: message_delta\n\n", *WHOLE[1:]],
    "data without an event": [START, b'data: {"type": "message_stop"}\n\n', *WHOLE[1:]],
    "parts that are not known": [
        *WHOLE[:3],
        _delta("sketch_delta", text="It is not covered."),
        _delta("signature_delta", signature="s"),
        _delta("thinking_delta", thinking="It is not covered."),
        *WHOLE[3:],
    ],
    "a thought before it": [
        START,
        _opens(0, "thinking", thinking="", signature=""),
        _delta("thinking_delta", thinking='{"status": "not_found", "statements": []}'),
        _delta("signature_delta", signature="s"),
        CLOSE,
        _opens(1),
        _delta(index=1, text=json.dumps(DRAFT)),
        event("content_block_stop", index=1), ENDS, STOP,
    ],
    "a block of a kind that is not known": [
        START, _opens(0, "sketch", sketch="It is not covered."), CLOSE,
        _opens(1, text=json.dumps(DRAFT)), event("content_block_stop", index=1), ENDS, STOP,
    ],
    "a block that nobody ends": [START, OPEN, FIRST, SECOND, ENDS, STOP],
    "a block that ends twice": [*WHOLE[:5], CLOSE, ENDS, STOP],
    "counts before the end, and the end twice": [*WHOLE[:5], _ends(None), ENDS, ENDS, STOP],
    "no stop": WHOLE[:6],
}  # fmt: skip


@pytest.mark.parametrize("chunks", HARMLESS.values(), ids=HARMLESS)
def test_what_a_stream_may_hold_changes_nothing(serve, chunks):
    _, client = serve(Said(chunks=chunks))
    reply = generator(client).generate(request())
    assert (DRAFT, "end_turn") == (json.loads(reply.raw), reply.finish_reason)


def test_the_sdk_never_retries_and_we_only_what_may_pass(serve):
    server, client = serve(fails(529, "overloaded_error"), fails(401, "authentication_error"))
    with pytest.raises(ProviderError) as caught:
        generator(client, attempts=3).generate(request())
    assert (2, 401, False) == (len(server.asked), caught.value.status, caught.value.retryable)
    assert "ANTHROPIC" not in str(caught.value)


def test_a_server_that_asks_for_ten_minutes_is_not_waited_for(serve):
    server, client = serve(fails(429, "rate_limit_error", retry_after="600"))
    begun = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        generator(client, attempts=3).generate(request())
    assert time.monotonic() - begun < 5
    assert (1, 600.0, 429) == (len(server.asked), caught.value.retry_after, caught.value.status)


def test_messages_of_the_service_stay_out_of_ours(serve):
    _, client = serve(fails(403, "permission_error", f"you sent: {PIPE}"))
    with pytest.raises(ProviderError) as caught:
        generator(client).generate(request())
    shown = "".join([str(caught.value), repr(caught.value), *caught.value.__notes__])
    assert PIPE not in shown
    assert caught.value.__suppress_context__
    assert all(part in shown for part in ("PermissionDeniedError", "403", REQUEST))
    assert isinstance(caught.value.original, anthropic.PermissionDeniedError)


def _chained(error):
    """An error and everything that hangs from it, however it hangs."""
    met, ahead = [], [error]
    while ahead:
        one = ahead.pop()
        if one is not None and one not in met:
            met.append(one)
            ahead += [one.__cause__, one.__context__]
    return met


ECHOED = f"you sent: {PIPE}"


@pytest.mark.parametrize(
    "said",
    [
        fails(400, "invalid_request_error", ECHOED),
        fails(503, "api_error", ECHOED),
        Said(chunks=[START, event("error", error={"type": "overloaded_error", "message": ECHOED})]),
        Said(chunks=[START, f"event: content_block_start\ndata: {ECHOED}\n\n".encode()]),
        Said(body=ECHOED, headers={"content-type": "text/html"}),
        cut_off(DRAFT, keep=2, reset=True),
        Said(wait=5),
    ],
    ids=["refused", "down", "in the stream", "broken", "a page", "reset", "late"],
)
def test_no_exception_of_the_sdk_hangs_from_ours(serve, said):
    """Tracebacks end up in logs, and some tools print contexts that are marked as hidden."""
    server, client = serve(said)
    asked = []
    for call in (
        lambda: generator(client, timeout=1).generate(request()),
        lambda: _async(server, lambda g: g.agenerate(request()), timeout=1),
        lambda: _async(server, _all_streamed, timeout=1),
        lambda: ask(QUESTION, PASSAGES, model=generator(client, timeout=1)),
    ):
        with pytest.raises(ProviderError) as caught:
            call()
        asked.append(caught.value)
    for error in asked:
        assert [error] == _chained(error)
        assert PIPE not in repr(error) + str(error) + "".join(traceback.format_exception(error))
        assert str(error) == str(pickle.loads(pickle.dumps(error)))  # noqa: S301  # our own


async def _all_streamed(asked):
    async with aclosing(asked.astream(request())) as parts:
        return [part async for part in parts]


def test_without_a_key_the_hint_names_the_variable(monkeypatch, serve):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    server, _ = serve(says(DRAFT))
    with pytest.raises(ProviderError) as caught:
        from_name("claude-test", server.url).generate(request())
    assert "ANTHROPIC_API_KEY" in caught.value.hint


def test_a_client_that_cannot_be_built_is_a_failure_with_its_class_named(monkeypatch):
    def broken(**_):
        raise anthropic.CredentialsError("secret words")

    monkeypatch.setattr(anthropic, "Anthropic", broken)
    with pytest.raises(ProviderError, match="CredentialsError") as caught:
        from_name("claude-test").generate(request())
    assert "secret" not in str(caught.value)
    assert [caught.value] == _chained(caught.value)


def test_an_error_of_the_callers_own_hook_is_not_hidden(serve):
    def middleware(_request, _call_next):
        raise LookupError("a bug of the caller's")

    _, client = serve(says(DRAFT))
    with pytest.raises(LookupError):
        generator(client.with_options(middleware=[middleware])).generate(request())


def test_without_the_sdk_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "anthropic", None)
    spec = importlib.util.find_spec("groundedgen.generators.messages")
    with pytest.raises(MissingExtraError, match=r"groundedgen\[anthropic\]"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _classes(kind):
    yield kind
    for below in kind.__subclasses__():
        yield from _classes(below)


def _made(kind):
    """An exception of the SDK as a server's answer makes it, its status taken from the class."""
    response = anthropic._exceptions.httpx2.Response(
        next((s for s in [getattr(kind, "status_code", None)] if isinstance(s, int)), 500),
        request=anthropic._exceptions.httpx2.Request("POST", "http://localhost"),
        headers={"request-id": REQUEST},
    )
    error = kind.__new__(kind)
    Exception.__init__(error, "secret words")
    error.response, error.request_id, error.body = response, REQUEST, None
    if issubclass(kind, anthropic.APIStatusError):
        error.status_code = response.status_code
    return error


def test_every_exception_of_the_sdk_is_mapped_with_its_retryability():
    """The table is complete: a class that a new release brings fails here until it is known."""
    lasting = {400, 401, 402, 403, 404, 412, 413, 422, 431, 499, 501}
    unknown = []
    for kind in set(_classes(anthropic.AnthropicError)):
        told = failed(_made(kind), "mine")
        assert isinstance(told, ProviderError)
        assert "secret" not in str(told)
        status = getattr(kind, "status_code", None)
        if issubclass(kind, anthropic.APIConnectionError | anthropic.RetryableError):
            assert told.retryable, kind
        elif isinstance(status, int):
            assert told.retryable is (status not in lasting), kind
        elif issubclass(kind, anthropic.InternalServerError):
            assert told.retryable, kind
        elif not issubclass(kind, anthropic.APIStatusError):
            assert not told.retryable, kind
            if hasattr(anthropic, kind.__name__) and kind.__name__ not in _OTHERS:
                unknown.append(kind.__name__)
    assert [] == unknown


_OTHERS = {
    "AnthropicError",
    "APIError",
    "APIResponseValidationError",
    "APIWebhookValidationError",
    "CredentialsError",
    "IdentityTokenFileError",
    "WorkloadIdentityError",
}


# --- time -----------------------------------------------------------------------------------


def _forever(chunk, drip):
    chunks = [*list(events(text(DRAFT)))[:3], *[chunk] * 10_000]
    return Said(chunks=chunks, drip=drip)


@pytest.mark.parametrize(
    "chunk",
    [
        PING,
        b": comment\n\n",
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": " "}),
    ],
)
def test_a_reply_that_drips_ends_at_the_deadline_and_its_connection_is_closed(serve, chunk):
    """Pings are swallowed by the SDK, so no read of it ever times out."""
    server, client = serve(_forever(chunk, 0.02))
    begun = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        generator(client, timeout=0.4).generate(request())
    assert caught.value.retryable
    assert time.monotonic() - begun < 1.4
    _seen_to_go(server, begun + 1.4)


def test_a_silent_server_is_given_up_and_its_connection_is_closed(serve):
    server, client = serve(Said(chunks=list(events(text(DRAFT)))[:3], hang=True))
    begun = time.monotonic()
    with pytest.raises(ProviderError):
        generator(client, timeout=0.3).generate(request())
    _seen_to_go(server, begun + 1.3)


def _wait_for(sign):
    ends = time.monotonic() + 5
    while not sign() and time.monotonic() < ends:
        time.sleep(0.01)


def _seen_to_go(server, until):
    _wait_for(lambda: server.gone)
    assert [True] == [gone < until for gone in server.gone]


def test_at_the_deadline_of_the_call_it_is_no_failure_of_the_provider(serve):
    server, client = serve(Said(chunks=list(events(text(DRAFT)))[:3], hang=True))
    with within(0.3), pytest.raises(DeadlineError):
        generator(client, attempts=3).generate(request())
    with within(0.01):
        time.sleep(0.02)
        with pytest.raises(DeadlineError):
            generator(client).generate(request())
    assert 1 == len(server.asked)


def _dripping(prefix, chunk, pause):
    """An address whose server sends a piece at a time, for ever."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve_one(connection):
        with connection, suppress(OSError):
            connection.recv(65_536)
            connection.sendall(prefix)
            for _ in range(int(20 / pause)):
                connection.sendall(chunk)
                time.sleep(pause)

    def accept():
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=serve_one, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listening


STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
DRIPS = {
    "headers": (b"HTTP/1.1 200 OK\r\nX-A: ", b"a"),
    "an error": (b"HTTP/1.1 503 No\r\ncontent-length: 99999\r\n\r\n", b" "),
    "a body": (STREAM + b"content-length: 99999\r\n\r\n", b" "),
    "pings": (STREAM + b"\r\n", PING),
    "nothing": (b"", b""),
}


@pytest.mark.parametrize("drip", DRIPS.values(), ids=DRIPS)
@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_server_that_drips_ends_with_the_time_of_one_request(drip, asynchronous):
    """The HTTP client's own time-out begins anew with every byte."""
    listening = _dripping(*drip, 0.1)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with listening, anthropic.Anthropic(api_key="k", base_url=url) as client:
        plain = partial(generator(client, timeout=0.5).generate, request())
        server = SimpleNamespace(url=url)
        awaited = partial(_async, server, lambda g: g.agenerate(request()), timeout=0.5)
        begun = time.monotonic()
        with pytest.raises(ProviderError) as caught:
            (awaited if asynchronous else plain)()
        assert time.monotonic() - begun < 1.5
        assert caught.value.retryable
        begun = time.monotonic()
        with pytest.raises((DeadlineError, ProviderError)):
            ask(QUESTION, PASSAGES, model=generator(client), timeout=0.5)
        assert time.monotonic() - begun < 1.5


def test_a_drip_ends_also_where_the_transport_shows_no_socket():
    def drip():
        yield from list(events(text(DRAFT)))[:3]
        while True:
            time.sleep(0.02)
            yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": " "})

    httpx2 = pytest.importorskip("httpx2")
    transport = httpx2.MockTransport(
        lambda _: httpx2.Response(
            200, headers={"content-type": "text/event-stream"}, content=drip()
        )
    )
    http = httpx2.Client(transport=transport)
    client = anthropic.Anthropic(api_key="k", http_client=http)
    with client, pytest.raises(ProviderError) as caught:
        generator(client, timeout=0.2).generate(request())
    assert caught.value.retryable


# --- asynchronous ---------------------------------------------------------------------------


def _async(server, use, **options):
    async def run():
        client = anthropic.AsyncAnthropic(api_key="secret", base_url=server.url)
        async with client:
            return await use(generator(client, **options))

    return asyncio.run(run())


def test_the_asynchronous_client_gives_the_same_reply(serve):
    server, client = serve(says(DRAFT))
    awaited = _async(server, lambda g: g.agenerate(request()))
    assert generator(client).generate(request()) == awaited
    assert server.asked[0].body == server.asked[1].body


def test_an_asynchronous_drip_ends_at_the_deadline(serve):
    server, _ = serve(_forever(PING, 0.02))
    begun = time.monotonic()
    with pytest.raises(ProviderError):
        _async(server, lambda g: g.agenerate(request()), timeout=0.3)
    _seen_to_go(server, begun + 1.3)


@pytest.mark.parametrize("said", [Said(chunks=[PING], hang=True), Said(wait=30)])
def test_cancelling_closes_the_connection_within_a_second_and_starts_no_other(serve, said):
    server, _ = serve(said)

    async def cancelled(asked):
        task = asyncio.create_task(aask(QUESTION, PASSAGES, model=asked))
        await asyncio.to_thread(_wait_for, lambda: server.asked)
        await asyncio.sleep(0.05)
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return begun

    begun = _async(server, cancelled, attempts=3)
    _seen_to_go(server, begun + 1)
    assert 1 == len(server.asked)


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (fails(500), ProviderError),
        (cut_off(DRAFT, keep=2), ProviderError),
        (breaks("overloaded_error"), ProviderError),
        (Said(body="<html>", headers={"content-type": "text/html"}), ProviderError),
    ],
)
def test_failures_are_the_same_awaited(serve, said, error):
    server, client = serve(said)
    with pytest.raises(error) as plain:
        generator(client).generate(request())
    with pytest.raises(error) as awaited:
        _async(server, lambda g: g.agenerate(request()))
    assert (str(plain.value), plain.value.retryable) == (
        str(awaited.value),
        awaited.value.retryable,
    )


def test_an_asynchronous_client_cannot_serve_ask_and_says_so(serve):
    server, _ = serve(says(DRAFT))

    async def tried(asked):
        with pytest.raises(InputError) as caught:
            asked.generate(request())
        return caught.value.code

    assert "bad_type" == _async(server, tried)
    assert [] == server.asked


def test_a_synchronous_client_serves_aask_too(serve):
    _, client = serve(says(DRAFT))
    answer = asyncio.run(aask(QUESTION, PASSAGES, model=generator(client), judge=ScriptedJudge()))
    assert "answered" == answer.status


def test_a_model_string_serves_both_ways(serve, monkeypatch):
    server, _ = serve(says(DRAFT))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    model = f"anthropic/claude-test@{server.url}"
    answers = [ask(QUESTION, PASSAGES, model=model, judge=ScriptedJudge())]
    answers += [
        asyncio.run(aask(QUESTION, PASSAGES, model=model, judge=ScriptedJudge())) for _ in range(2)
    ]
    assert [("answered", "anthropic/claude-test")] * 3 == [(a.status, a.engine) for a in answers]
    assert "Bearer secret" == server.asked[0].headers["authorization"]


# --- the contract ---------------------------------------------------------------------------


def _any_draft(asked):
    """A draft that quotes the first passage of whatever was asked."""
    words = asked.body["messages"][0]["content"][0]["text"]
    passage = words.split(" passage S1\n", 1)[1].split("\n<<boundary")[0]
    draft = {"text": passage, "sources": ["S1"], "quote": passage}
    return says({"status": "answered", "statements": [draft]})


@pytest.mark.parametrize("check", GENERATOR_CHECKS.values(), ids=GENERATOR_CHECKS)
def test_it_keeps_what_every_generator_promises(serve, check):
    _, client = serve(_any_draft)
    check(generator(client))


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0},
        {"timeout": True},
        {"attempts": 0},
        {"attempts": 11},
        {"max_tokens": 0},
        {"mode": "json"},
        {"cache": "2h"},
    ],
)
def test_arguments_out_of_range_are_refused_with_their_name(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        AnthropicGenerator(anthropic.Anthropic(api_key="k"), "m", **wrong)


@pytest.mark.parametrize(("client", "model"), [("no client", "m"), (None, "m"), (object(), "m")])
def test_what_is_no_client_is_refused(client, model):
    with pytest.raises(InputError) as caught:
        AnthropicGenerator(client, model)
    assert "bad_type" == caught.value.code


def test_a_blank_model_is_refused():
    with pytest.raises(InputError, match="model"):
        AnthropicGenerator(anthropic.Anthropic(api_key="k"), " ")


def test_errors_of_ours_can_be_pickled_without_their_original(serve):
    _, client = serve(fails(500))
    with pytest.raises(ProviderError) as caught:
        generator(client).generate(request())
    assert str(caught.value) == str(pickle.loads(pickle.dumps(caught.value)))  # noqa: S301  # our own


def test_n_passages_lead_to_one_schema_whatever_their_texts(serve):
    server, client = serve(says({"status": "not_found", "statements": []}))
    asked = generator(client)
    for number in range(30):
        asked.generate(
            request(
                [Passage(f"{number}-{n}", f"Text {number} {n}.") for n in range(number % 3 + 1)]
            )
        )
    schemas = {json.dumps(a.body["output_config"], sort_keys=True) for a in server.asked}
    assert 3 == len(schemas)


ABROAD = {"text": "Hail.", "sources": ["S9"], "quote": "x"}
UNBOUND = {
    "a fence": f"Certainly!\n```json\n{json.dumps(DRAFT)}\n```",
    "a key of its own": {**DRAFT, "confidence": 1},
    "no such source": {**DRAFT, "statements": [*DRAFT["statements"], ABROAD]},
}


@pytest.mark.parametrize("mode", ["json_schema", "tool"])
@pytest.mark.parametrize("draft", UNBOUND)
def test_a_reply_that_did_not_keep_to_the_form_is_not_called_bound(serve, mode, draft):
    """Proxies pass over `output_config`, and models call no tool."""
    said = UNBOUND[draft]
    block = tool(said) if mode == "tool" and isinstance(said, dict) else text(said)
    _, client = serve(says(block))
    reply = AnthropicGenerator(client, "m", mode=mode).generate(request())
    assert ("none", mode) == (reply.constraint, reply.response_format)


@pytest.mark.parametrize("mode", ["json_schema", "tool"])
def test_a_reply_that_kept_to_the_form_is_called_bound(serve, mode):
    _, client = serve(says(tool(DRAFT) if mode == "tool" else text(DRAFT)))
    reply = AnthropicGenerator(client, "m", mode=mode).generate(request())
    assert ("enum", mode) == (reply.constraint, reply.response_format)
