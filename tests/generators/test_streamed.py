"""Replies read while they arrive, through both real SDKs, from a server on a loopback port."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import aclosing, asynccontextmanager

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

import anthropic
import openai

from groundedgen import astream
from groundedgen.deadlines import within
from groundedgen.errors import DeadlineError, DraftFormatError, ProviderError
from groundedgen.generators.anthropic import AnthropicGenerator
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.retrying import RetryingGenerator
from groundedgen.ports import AsyncStreamingGenerator, Reply, Usage
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from tests.generators.test_openai import request
from tests.servers.anthropic_wire import event
from tests.servers.loopback import Said, in_turn, serving, true_soon
from tests.servers.openai_wire import fails, says
from tests.servers.streaming_wire import (
    anthropic_parts,
    chunk,
    data,
    openai_parts,
    overloaded,
    streamed,
)
from tests.streams import StreamingGenerator, Try
from tests.test_flow import ALSO_GOOD, GOOD, PASSAGES, QUESTION, WHOLE
from tests.test_streaming import parts, shown, types, written

SDKS = ["openai", "anthropic"]
TEXT = written(GOOD, ALSO_GOOD)
PIECES = parts(GOOD, ALSO_GOOD)


@asynccontextmanager
async def generator(sdk, server, **options):
    if sdk == "openai":
        client = openai.AsyncOpenAI(api_key="k", base_url=f"{server.url}/v1")
        made = OpenAIGenerator(client, "m", **options)
    else:
        client = anthropic.AsyncAnthropic(api_key="k", base_url=server.url)
        made = AnthropicGenerator(client, "m", **options)
    async with client:
        yield made


def read(sdk, answer, *, patience=None, times=1, **options):
    """Every item of `times` replies, what was raised in the end, and the server."""

    async def reading(server):
        items = []
        async with generator(sdk, server, **options) as made:
            assert isinstance(made, AsyncStreamingGenerator)
            try:
                for _ in range(times):
                    async with aclosing(made.astream(request())) as stream:
                        async for item in stream:
                            items.append(item)  # noqa: PERF401  # kept where one is raised
            except (ProviderError, DeadlineError) as error:
                return items, error
        return items, None

    with serving(answer) as server, within(patience):
        items, error = asyncio.run(reading(server))
    return items, error, server


@pytest.mark.parametrize("sdk", SDKS)
def test_the_deltas_are_the_text_of_the_reply_that_ends_them(sdk):
    pieces = parts(GOOD, GOOD)  # of sources that the schema has
    items, error, server = read(sdk, in_turn(streamed(sdk, pieces)))
    assert (None, pieces) == (error, items[:-1])
    reply = items[-1]
    assert isinstance(reply, Reply)
    assert written(GOOD, GOOD) == reply.raw
    assert ("enum", "json_schema", f"{sdk}/m") == (
        reply.constraint,
        reply.response_format,
        reply.engine,
    )
    assert reply.usage.output_tokens == 20
    assert reply.finish_reason in {"stop", "end_turn"}
    assert server.asked[0].body["stream"] is True


def test_the_counts_of_a_stream_are_asked_for():
    items, _, server = read("openai", in_turn(streamed("openai", PIECES)))
    assert {"include_usage": True} == server.asked[0].body["stream_options"]
    assert Usage(100, 20, 60) == items[-1].usage


def test_a_strict_tool_is_read_as_it_arrives():
    said = Said(chunks=anthropic_parts(PIECES, "tool_use", tool=True))
    items, _, _ = read("anthropic", in_turn(said), mode="tool")
    assert [*PIECES, TEXT, "tool"] == [*items[:-1], items[-1].raw, items[-1].response_format]


@pytest.mark.parametrize(
    "more",
    [
        anthropic_parts(["x"])[1:3],  # a block of the same number
        anthropic_parts(PIECES),  # a second message
        [event("content_block_delta", index=1, delta={"type": "text_delta", "text": "x"})],
    ],
)
def test_a_stream_that_contradicts_itself_is_asked_for_again_while_nothing_was_shown(more):
    broken = Said(chunks=[*anthropic_parts(PIECES, None), *more])
    items, error, server = read("anthropic", in_turn(broken, streamed("anthropic", PIECES)))
    interrupted = [item for item in items if isinstance(item, ProviderError)]
    assert (None, [True], 2) == (error, [one.retryable for one in interrupted], len(server.asked))
    assert TEXT == items[-1].raw


def test_what_contradicts_itself_once_something_was_shown_ends_the_answer():
    """What was verified stays as it was shown; nothing of a second reply is added to it."""
    again = [*anthropic_parts([written(ALSO_GOOD)])]
    broken = Said(chunks=[*anthropic_parts(PIECES, None), *again], drip=0.05)

    async def reading(server):
        async with generator("anthropic", server) as made:
            return [
                one async for one in astream(QUESTION, PASSAGES, model=made, judge=ScriptedJudge())
            ]

    with serving(in_turn(broken, streamed("anthropic", PIECES))) as server:
        events = asyncio.run(reading(server))
    assert len(shown(events)) <= 2
    assert types(events)[-1] in {"done", "failed"}
    assert len(server.asked) <= 2


def test_the_same_draft_twice_in_a_stream_is_one():
    first, second = anthropic_parts(PIECES, None), anthropic_parts(PIECES)
    moved = [chunk.replace(b'"index": 0', b'"index": 1') for chunk in second[1:]]
    stop = event("content_block_stop", index=0)
    items, error, _ = read("anthropic", in_turn(Said(chunks=[*first, stop, *moved])))
    assert (None, TEXT) == (error, items[-1].raw)


def test_a_server_that_takes_no_stream_options_is_asked_without_and_that_is_kept():
    refused = fails(400, message="Unknown parameter: stream_options", param="stream_options")
    answer = in_turn(refused, streamed("openai", PIECES), streamed("openai", PIECES))
    items, error, server = read("openai", answer, times=2)
    assert (None, 2) == (error, sum(isinstance(item, Reply) for item in items))
    sent = ["stream_options" in asked.body for asked in server.asked]
    assert [True, False, False] == sent


def test_a_server_that_does_not_stream_is_asked_for_one_piece():
    refused = fails(400, message="Streaming is not supported", param="stream")
    items, error, server = read("openai", in_turn(refused, says(json.loads(TEXT))))
    assert (None, [TEXT]) == (error, [item.raw for item in items])
    assert "stream" not in server.asked[-1].body


def test_what_a_server_answers_in_one_piece_is_not_asked_for_and_paid_twice():
    items, error, server = read("openai", in_turn(says(json.loads(TEXT))), times=2)
    assert (None, [TEXT, TEXT]) == (error, [item.raw for item in items])
    assert ["stream" in asked.body for asked in server.asked] == [True, False]
    assert all(item.usage.input_tokens for item in items)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (404, "upstream model m not found"),
        (422, "no live upstreams"),
        (400, "upstream provider said no"),
        (400, "Unknown parameter: 'stream_options'"),
        (400, "Streaming is not supported"),
    ],
)
def test_what_a_server_goes_on_to_turn_down_is_an_error(status, message):
    items, error, server = read("openai", in_turn(fails(status, message=message)))
    assert ([], status) == (items, error.status)
    assert len(server.asked) <= 2
    assert len({str(sorted(asked.body)) for asked in server.asked}) == len(server.asked)


def _chunk(delta, end=None, **more):
    return data({"choices": [{"index": 0, "delta": delta, "finish_reason": end, **more}]})


@pytest.mark.parametrize(
    "more",
    [
        [_chunk({}, "content_filter"), _chunk({}, "stop")],
        [_chunk({}, "length"), _chunk({}, "stop")],
        [_chunk({}, "stop"), _chunk({"content": " and more"})],
        [_chunk({}, "stop", error={"message": "overloaded", "code": 503})],
    ],
)
def test_a_stream_that_goes_on_behind_its_end_is_no_reply(more):
    said = Said(chunks=[*openai_parts(PIECES, None), *more, data("[DONE]")])
    items, error, _ = read("openai", in_turn(said))
    assert isinstance(error, ProviderError)
    assert not any(isinstance(item, Reply) for item in items)


def test_an_end_that_is_told_twice_is_one():
    said = Said(chunks=[*openai_parts(PIECES, None), *[_chunk({}, "stop")] * 2])
    items, error, _ = read("openai", in_turn(said))
    assert (None, TEXT) == (error, items[-1].raw)


def test_an_error_in_the_middle_is_no_sign_that_the_server_does_not_stream():
    error = data({"error": {"code": 400, "message": "the stream was reset", "type": "x"}})
    broken = Said(chunks=[*openai_parts(PIECES[:1], None), error])
    items, error, server = read("openai", in_turn(broken, streamed("openai", PIECES)))
    assert (PIECES[:1], 400, 1) == (items, error.status, len(server.asked))


def test_a_form_that_is_turned_down_is_stepped_down_from_while_streaming():
    refused = fails(400, message="response_format is not supported")
    items, _, _ = read("openai", in_turn(refused, streamed("openai", PIECES)))
    assert ("json_object", PIECES) == (items[-1].response_format, items[:-1])


def test_a_refusal_that_arrives_in_parts_is_a_refusal():
    made = [chunk({"role": "assistant", "refusal": "I can"}), chunk({"refusal": "not."})]
    items, _, _ = read("openai", in_turn(Said(chunks=[*made, *openai_parts([])])))
    assert ["I cannot."] == [item.refusal for item in items]


def test_parts_of_thinking_among_the_content_are_left_out():
    listed = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
    made = [chunk({"content": listed}), *openai_parts(PIECES)]
    items, _, _ = read("openai", in_turn(Said(chunks=made)))
    assert (PIECES, TEXT) == (items[:-1], items[-1].raw)


def test_a_form_that_comes_as_the_arguments_of_a_tool_is_read_at_the_end():
    calls = [{"index": 0, "function": {"arguments": piece}} for piece in PIECES]
    made = [chunk({"tool_calls": [call]}) for call in calls]
    items, _, _ = read("openai", in_turn(Said(chunks=[*made, chunk({}, "tool_calls")])))
    assert [TEXT] == [item.raw for item in items]


def of_tools(*calls):
    made = [chunk({"tool_calls": [call]}) for call in calls]
    return Said(chunks=[*made, chunk({}, "tool_calls")])


def called(arguments, index=0, name=None):
    return {"index": index, "id": name, "function": {"arguments": arguments}}


OTHER = written(GOOD)
TWICE = {
    "two places": of_tools(called(TEXT), called(OTHER, 1)),
    "one place": of_tools(called(TEXT, 0, "a"), called(OTHER, 0, "b")),
    "choices": Said(
        chunks=[
            *openai_parts(PIECES, None),
            data({"choices": [{"index": 1, "delta": {"content": "{}"}, "finish_reason": "stop"}]}),
            chunk({}, "stop"),
        ]
    ),
}


@pytest.mark.parametrize("said", TWICE.values(), ids=TWICE)
def test_two_replies_that_differ_are_none_in_a_stream_either(said):
    with pytest.raises(DraftFormatError, match="differ"):
        read("openai", in_turn(said))


@pytest.mark.parametrize(
    "said",
    [
        of_tools(called(TEXT, 0, "a"), called(TEXT, 0, "b")),
        of_tools(called(TEXT[:9], 0, "a"), called(TEXT[9:])),
        of_tools(called(TEXT[:9], 0, "a"), called(TEXT, 1, "b"), called(TEXT[9:], 0)),
    ],
)
def test_the_same_call_twice_or_in_pieces_is_one(said):
    items, _, _ = read("openai", in_turn(said))
    assert [TEXT] == [item.raw for item in items]


def test_a_server_that_streamed_and_then_does_not_is_asked_for_one_piece():
    answer = in_turn(streamed("openai", PIECES), says(json.loads(TEXT)))
    items, error, server = read("openai", answer, times=2)
    assert (None, [*PIECES, TEXT, TEXT]) == (
        error,
        [item.raw if isinstance(item, Reply) else item for item in items],
    )
    assert [True, True] == ["stream" in asked.body for asked in server.asked]


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("how", ["ends", "reset", "overloaded"])
def test_a_stream_that_breaks_off_is_void_and_sent_again_only_if_asked_on(sdk, how):
    broken = {
        "ends": streamed(sdk, PIECES, end=None),
        "reset": streamed(sdk, PIECES[:1], end=None, cut=True),
        "overloaded": streamed(sdk, PIECES[:1], end=None, more=[overloaded(sdk)]),
    }[how]
    items, error, server = read(sdk, in_turn(broken, streamed(sdk, PIECES)))
    kinds = [type(item).__name__ for item in items]
    assert (None, 2, 1, "Reply") == (
        error,
        len(server.asked),
        kinds.count("ProviderError"),
        kinds[-1],
    )
    assert PIECES == items[kinds.index("ProviderError") + 1 : -1]

    async def left():
        with serving(in_turn(broken, streamed(sdk, PIECES))) as server:
            async with generator(sdk, server) as made, aclosing(made.astream(request())) as stream:
                async for item in stream:
                    if isinstance(item, ProviderError):
                        assert item.retryable
                        break
            return len(server.asked)

    assert 1 == asyncio.run(left())


@pytest.mark.parametrize("sdk", SDKS)
def test_the_last_try_raises_and_names_what_it_cost(sdk):
    items, error, server = read(
        sdk, in_turn(streamed(sdk, PIECES, end=None, more=[overloaded(sdk)])), attempts=2
    )
    assert 2 == len(server.asked)
    assert error.retryable
    assert "secret" not in str(error)
    assert 1 == sum(isinstance(item, ProviderError) for item in items)
    if sdk == "anthropic":
        assert Usage(80, 2) == error.wasted


@pytest.mark.parametrize("sdk", SDKS)
def test_an_error_tells_how_the_reply_was_asked_for(sdk):
    cut = streamed(sdk, PIECES)
    broken = Said(chunks=cut.chunks[:-3], cut=True)
    _, error, _ = read(sdk, in_turn(broken), attempts=1)
    assert "json_schema" == error.response_format


@pytest.mark.parametrize("sdk", SDKS)
def test_an_error_before_the_first_delta_is_retried_in_silence(sdk):
    busy = fails(529 if sdk == "anthropic" else 503, kind="overloaded_error")
    items, error, _ = read(sdk, in_turn(busy, streamed(sdk, PIECES)))
    assert (None, PIECES) == (error, items[:-1])


@pytest.mark.parametrize("sdk", SDKS)
def test_a_service_that_asks_for_too_long_a_wait_is_not_waited_for(sdk):
    started = time.monotonic()
    items, error, server = read(sdk, in_turn(fails(429, retry_after="600")))
    assert ([], 429, 1) == (items, error.status, len(server.asked))
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("said", [{"drip": 0.1}, {"hang": True}])
def test_a_stream_ends_at_the_deadline_of_the_call(sdk, said):
    slow = streamed(sdk, ["x"] * 60, end=None, **said)
    items, error, _ = read(sdk, in_turn(slow), patience=0.4)
    assert isinstance(error, DeadlineError)
    assert set(items) <= {"x"}


@pytest.mark.parametrize("sdk", SDKS)
def test_closing_a_stream_closes_the_connection_within_a_second(sdk):
    async def leave(server):
        async with generator(sdk, server) as made:
            async with aclosing(made.astream(request())) as stream:
                assert PIECES[0] == await anext(stream)
            left = time.monotonic()
            await true_soon(lambda: server.gone)
            return server.gone[0] - left

    with serving(in_turn(streamed(sdk, PIECES[:1], end=None, hang=True))) as server:
        assert asyncio.run(leave(server)) < 1


@pytest.mark.parametrize("page", ["<html>sign in</html>", b""])
def test_a_page_in_place_of_a_stream_is_an_error(page):
    answer = in_turn(Said(body=page, headers={"content-type": "text/html"}))
    items, error, _ = read("openai", answer, attempts=1)
    assert [] == items
    assert isinstance(error, ProviderError)


@pytest.mark.parametrize("sdk", SDKS)
def test_a_synchronous_client_gives_the_reply_in_one_piece(sdk):
    async def reading(made):
        return [item async for item in made.astream(request())]

    whole = streamed(sdk, PIECES) if sdk == "anthropic" else says(json.loads(TEXT))
    with serving(in_turn(whole)) as server:
        if sdk == "openai":
            with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1") as client:
                items = asyncio.run(reading(OpenAIGenerator(client, "m")))
        else:
            with anthropic.Anthropic(api_key="k", base_url=server.url) as client:
                items = asyncio.run(reading(AnthropicGenerator(client, "m")))
    assert [TEXT] == [item.raw for item in items]


# --- retries of other generators ----------------------------------------------------------------


def test_retries_are_added_to_a_generator_that_streams():
    busy = ProviderError("busy", retryable=True, retry_after=0)
    tries = [Try(["a"], busy), Try(["b"])]

    async def reading(made):
        return [item async for item in made.astream(request())]

    items = asyncio.run(reading(RetryingGenerator(StreamingGenerator(tries))))
    assert ["a", busy, "b"] == items[:-1]
    whole = asyncio.run(reading(RetryingGenerator(ScriptedGenerator(["x"]))))
    assert ["x"] == [item.raw for item in whole]

    class Blocking:
        def generate(self, request):
            return Reply("y")

    assert ["y"] == [r.raw for r in asyncio.run(reading(RetryingGenerator(Blocking())))]


# --- all of it ------------------------------------------------------------------------------------


async def whole(sdk, server, *, patience=8.0, judge=None):
    judge = judge or ScriptedJudge("supported")
    async with generator(sdk, server) as model:
        events = astream(QUESTION, PASSAGES, model=model, judge=judge, timeout=patience)
        return [event async for event in events]


def two(sdk, **options):
    """Two whole statements, one after the other, and no end."""
    return streamed(sdk, parts(GOOD, WHOLE)[:2], end=None, drip=0.05, **options)


STORY = {
    "drops": (lambda sdk: two(sdk, cut=True), None),
    "overloaded": (lambda sdk: two(sdk, more=[overloaded(sdk)]), None),
    "too busy": (lambda sdk: fails(429, retry_after="600"), "failed"),
    "hangs": (lambda sdk: two(sdk, hang=True), None),
}


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("story", STORY)
def test_a_provider_that_dies_in_the_middle_loses_nothing_and_adds_nothing(sdk, story):
    make, expected = STORY[story]
    with serving(in_turn(make(sdk), streamed(sdk, parts(ALSO_GOOD)))) as server:
        patience = 1.5 if story == "hangs" else 8.0
        events = asyncio.run(whole(sdk, server, patience=patience))
        assert "passages" == types(events)[0]
        assert [GOOD["text"], WHOLE["text"]][: len(shown(events))] == shown(events)
        if expected == "failed":
            assert ["passages", "failed"] == types(events)
            return
        answer = events[-1].answer
        assert ("answered", 2) == (answer.status, len(answer.statements))
        reason = "deadline" if story == "hangs" else "provider_error"
        assert [("generation", reason)] == [(f.check, f.reason) for f in answer.findings]
        again = asyncio.run(whole(sdk, server))
        assert "done" == types(again)[-1]


@pytest.mark.parametrize("sdk", SDKS)
def test_a_stream_that_breaks_off_before_anything_was_verified_is_retried_without_a_trace(sdk):
    broken = streamed(sdk, [TEXT[:40]], end=None, more=[overloaded(sdk)])
    with serving(in_turn(broken, streamed(sdk, PIECES))) as server:
        events = asyncio.run(whole(sdk, server))
    assert ["passages", "statement", "statement", "done"] == types(events)
    assert (2, 1) == (len(server.asked), events[-1].answer.attempts)
    if sdk == "anthropic":
        assert Usage(80, 21) == events[-1].answer.usage


@pytest.mark.parametrize("sdk", SDKS)
def test_leaving_drops_the_upstream_call_within_a_second_and_no_judge_is_asked(sdk):
    judge = ScriptedJudge("supported")

    async def leave(server):
        async with generator(sdk, server) as model:
            events = astream(QUESTION, PASSAGES, model=model, judge=judge)
            async with aclosing(events):
                await anext(events)
                await true_soon(lambda: server.asked)
                await asyncio.sleep(0.1)
            left = time.monotonic()
            await true_soon(lambda: server.gone)
            return server.gone[0] - left

    with serving(in_turn(streamed(sdk, [TEXT[:40]], end=None, hang=True))) as server:
        assert asyncio.run(leave(server)) < 1
    assert [] == judge.calls


def test_the_wire_of_these_tests_is_that_of_the_sdk():
    assert data({"a": 1}) == b'data: {"a": 1}\n\n'
