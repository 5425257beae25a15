"""Bodies that no reply has: nested without end, numbers without end, unpacked without end."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")

import anthropic
import httpx2
import openai
from openai._streaming import SSEDecoder

from groundedgen import aask, ask, astream
from groundedgen.errors import ProviderError
from groundedgen.generators.anthropic import AnthropicGenerator
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.openai import from_name as openai_from_name
from groundedgen.generators.transport import bodies
from groundedgen.generators.transport.bodies import BodyTooLongError, counted
from groundedgen.testing import ScriptedJudge
from tests.growth import LINEAR, factor
from tests.servers import anthropic_wire, openai_wire
from tests.servers.loopback import Said, in_turn, serving
from tests.servers.streaming_wire import openai_parts

PASSAGE = "Fire is covered by this policy, and so is smoke."
GIVEN = ("Is fire covered?", [PASSAGE])
TRUE = {"text": "Fire is covered.", "sources": ["S1"], "quote": "Fire is covered by this policy"}
INVENTED = {"text": "Hail is covered.", "sources": ["S1"], "quote": "Hail is covered in all cases."}
DRAFT = {"status": "answered", "statements": [TRUE]}
BOTH = {"status": "answered", "statements": [INVENTED, TRUE]}

DEEP = b"[" * 100_000
LONG_NUMBER = b'{"choices": [], "usage": {"prompt_tokens": ' + b"1" * 5_000 + b"}}"
UNREADABLE = {"deep": DEEP, "long number": LONG_NUMBER, "no UTF-8": b'{"choices": "\xff\xfe"}'}
WAYS = ("ask", "aask", "astream")


def asked(sdk, way, url, **options):
    """The answer of one call through a client of the caller's own."""
    judge = ScriptedJudge("supported")
    if way == "ask":
        with _client(sdk, url, awaits=False) as client:
            return ask(*GIVEN, model=_model(sdk, client, **options), judge=judge)
    return asyncio.run(_awaited(sdk, way, url, judge, options))


async def _awaited(sdk, way, url, judge, options):
    async with _client(sdk, url, awaits=True) as client:
        model = _model(sdk, client, **options)
        if way == "aask":
            return await aask(*GIVEN, model=model, judge=judge)
        async for event in astream(*GIVEN, model=model, judge=judge):
            last = event
    if last.error is not None:
        raise last.error
    return last.answer


def _client(sdk, url, *, awaits):
    if sdk == "openai":
        make = openai.AsyncOpenAI if awaits else openai.OpenAI
        return make(api_key="k", base_url=f"{url}/v1")
    return (anthropic.AsyncAnthropic if awaits else anthropic.Anthropic)(api_key="k", base_url=url)


def _model(sdk, client, **options):
    make = OpenAIGenerator if sdk == "openai" else AnthropicGenerator
    return make(client, "m", attempts=1, **options)


def broken(sdk, way, body):
    """A reply whose body, or whose event, is this."""
    if sdk == "anthropic":
        return Said(chunks=[b"event: message_start\ndata: " + body + b"\n\n"])
    return Said(chunks=[b"data: " + body + b"\n\n"]) if way == "astream" else Said(200, body)


@pytest.mark.parametrize("body", UNREADABLE)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_a_body_that_cannot_be_read_is_the_services_failure(sdk, way, body):
    with serving(in_turn(broken(sdk, way, UNREADABLE[body]))) as server:
        with pytest.raises(ProviderError) as met:
            asked(sdk, way, server.url)
        assert met.value.hint or met.value.retryable


@pytest.mark.parametrize("body", ["deep", "long number"])
def test_a_probe_answered_with_it_is_the_services_failure(body):
    with serving(in_turn(Said(200, UNREADABLE[body]))) as server, pytest.raises(ProviderError):
        asked("openai", "ask", server.url, own_server=True)


@pytest.mark.parametrize("way", ["ask", "aask"])
@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_a_second_draft_that_cannot_be_read_leaves_what_the_first_one_found(sdk, way):
    wire = {"openai": openai_wire.says, "anthropic": anthropic_wire.says}[sdk]
    first = wire(BOTH if sdk == "openai" else anthropic_wire.text(BOTH))
    with serving(in_turn(first, broken(sdk, way, DEEP))) as server:
        answer = asked(sdk, way, server.url)
    reasons = {finding.reason for finding in answer.findings}
    assert {"quote_not_found", "provider_error"} <= reasons


def packed():
    """Some kilobytes that unpack to more than any reply has."""
    whole = json.dumps(openai_wire.completion(DRAFT))[:-1]
    body = f'{whole}, "pad": [{",".join(["{}"] * 3_000_000)}]}}'
    return Said(200, gzip.compress(body.encode(), 1), {"content-encoding": "gzip"})


@pytest.mark.parametrize("way", ["ask", "aask"])
def test_a_body_is_unpacked_only_as_far_as_a_reply_may_be_long(way):
    with serving(in_turn(packed())) as server, pytest.raises(ProviderError, match="more than 8 MB"):
        asked("openai", way, server.url)


def test_the_body_of_an_error_is_read_only_at_its_beginning_by_a_client_of_ours(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    said = Said(400, gzip.compress(b"x" * 30_000_000), {"content-encoding": "gzip"})
    with serving(in_turn(said)) as server, pytest.raises(ProviderError) as met:
        ask(*GIVEN, model=openai_from_name("m", f"{server.url}/v1"))
    assert met.value.status == 400
    assert len(met.value.original.response.content) <= bodies.MOST_OF_AN_EVENT


@pytest.mark.parametrize("way", WAYS)
def test_few_bytes_of_very_many_parts_are_not_parsed(way):
    many = json.dumps(openai_wire.completion(DRAFT))[:-1] + ', "pad": [' + "[]," * 300_000 + "0]}"
    with serving(in_turn(Said(200, many))) as server, pytest.raises(ProviderError, match="parts"):
        asked("openai", way, server.url)


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_an_event_without_an_end_is_not_waited_for(sdk):
    kind = b"event: message_start\n" if sdk == "anthropic" else b""
    said = Said(chunks=[kind + b"data: ", *[b"x" * 65_536] * 40])
    with serving(in_turn(said)) as server, pytest.raises(ProviderError, match="an event of more"):
        asked(sdk, "astream", server.url)


def response(content, kind="text/event-stream", status=200):
    def chunks():
        yield from content

    return counted(httpx2.Response(status, headers={"content-type": kind}, content=chunks()))


CHUNKS = [b"data: x", b"\n", b"\r", b"\r\n", b"\n\n", b":", b": ping\n", b"y" * 70_000]


@given(st.lists(st.sampled_from(CHUNKS), max_size=30))
def test_what_is_no_longer_than_a_reply_is_handed_on_as_it_is(content):
    whole = b"".join(content)
    assert whole == b"".join(response(content, "application/json").iter_bytes())
    plain = _plain(whole)
    if max(map(len, plain.split(b"\n\n"))) < bodies.MOST_OF_AN_EVENT // 2:
        assert plain == b"".join(response(content).iter_bytes())
        assert plain == response([whole]).read()


def _plain(stream):
    """A stream's lines without comments, as HTML's standard tells them apart."""
    lines = re.sub(rb"\r\n?", b"\n", stream)
    return re.sub(rb"(?m)^:.*(?:\n|\Z)", b"", lines)


@pytest.mark.parametrize("size", [1, 7, 1_009, 65_536, 10**9])
@pytest.mark.parametrize("ends", [b"\n\n", b"\r\n\r\n", b"\r\r", b"\n\r\n", b"\r\n\n", b"\n\r"])
def test_an_event_may_end_in_any_line_ends(ends, size):
    stream = (b"data: " + b"x" * 9_000 + ends) * (120 if size > 7 else 1)
    content = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert _plain(stream) == response(content).read()


@pytest.mark.parametrize("ends", [b"\n\r\n", b"\r\n\n", b"\n\r"])
def test_an_sdk_sees_each_event_when_it_arrives_whatever_its_line_ends(ends):
    content = [b"data: 1" + ends, b": ping\n", b"data: 2" + ends]
    read = []

    def noted():
        for chunk in content:
            read.append(chunk)
            yield chunk

    events = SSEDecoder().iter_bytes(response(noted()).iter_bytes())
    assert ("1", 1) == (next(events).data, len(read))
    assert ["2"] == [event.data for event in events]


def test_comments_that_keep_a_stream_alive_count_for_no_event():
    pings = b": ping\n" * 200_000
    assert b"data: x\n\n" == response([b"data: x\n", pings, b"\n"]).read()
    with pytest.raises(BodyTooLongError, match="for one reply"):
        response([pings] * 50).read()


@pytest.mark.parametrize("unit", [b"data:\n", b"x\r", b"data: " + b"x" * 100 + b"\r\n"])
def test_an_event_of_very_many_lines_is_too_long(unit):
    """An SDK that puts line behind line takes time in their number times the bytes."""
    with pytest.raises(BodyTooLongError, match="an event of more"):
        response([unit * 10_001]).read()


@pytest.mark.parametrize("unit", ["data: x\n", "\r\n", "data: x\n\r\n", ": ping\n", "\r"])
def test_time_to_count_grows_with_the_stream_and_no_faster(unit):
    def work(text):
        with contextlib.suppress(BodyTooLongError):
            response([text.encode()]).read()

    assert factor(work, unit, size=100_000) < LINEAR


def test_a_stream_of_short_events_may_be_long_and_not_endless():
    many = [b"data: {}\n\n" * 6_000]
    assert 6_000_000 == len(response(many * 100).read())
    with pytest.raises(BodyTooLongError):
        response(many * 2_000).read()


def test_a_response_that_is_counted_twice_is_counted_once():
    once = response([b"data: x\n\n"])
    assert once is counted(once)
    assert b"data: x\n\n" == once.read()


@pytest.mark.parametrize("before", [b"", b": comment\n\n", b"\xef\xbb\xbf\n"])
def test_an_event_stream_that_is_called_json_is_read_as_one(before):
    text = json.dumps(DRAFT)
    chunks = [before, *openai_parts([text[:20], text[20:]])]
    said = Said(200, headers={"content-type": "application/json"}, chunks=chunks)
    with serving(in_turn(said)) as server:
        answer = asked("openai", "astream", server.url)
    assert ("answered", 1) == (answer.status, len(server.asked))


def test_a_reply_in_one_piece_is_still_taken_for_one():
    with serving(in_turn(openai_wire.says(DRAFT))) as server:
        assert "answered" == asked("openai", "astream", server.url).status
