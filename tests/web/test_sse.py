"""Server-sent events are what the standard's own reader makes of them."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import astream
from groundedgen.errors import InputError
from groundedgen.testing import ScriptedJudge
from groundedgen.web.sse import HEADERS, KEEP_ALIVE, encode, kept_alive, sse
from tests.streams import StreamingGenerator, Try
from tests.test_flow import ALSO_GOOD, GOOD, PASSAGES, QUESTION
from tests.test_streaming import parts

LINES = st.text(st.characters(blacklist_characters="\r\n\0", blacklist_categories=["Cs"]))


def read(text):
    """The events of a stream: the steps of the WHATWG standard, 9.2.6, written out."""
    events, fields, last_id = [], {"data": [], "event": ""}, ""
    for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))[:-1]:
        if line == "":
            if fields["data"]:
                events.append((fields["event"] or "message", "\n".join(fields["data"]), last_id))
            fields = {"data": [], "event": ""}
            continue
        if line.startswith(":"):
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            fields["event"] = value
        elif name == "data":
            fields["data"].append(value)
        elif name == "id" and "\0" not in value:
            last_id = value
    return events


@given(LINES.filter(bool), st.text(st.characters(blacklist_categories=["Cs"])), LINES)
def test_a_reader_gets_back_what_was_sent(name, data, number):
    lines = re.sub(r"\r\n|\r", "\n", data)
    text = KEEP_ALIVE + encode(name, data, id=number) + KEEP_ALIVE
    assert [(name, lines, number)] == read(text)


@pytest.mark.parametrize("bad", ["two\nlines", "two\rlines", "a\0b"])
def test_a_name_or_id_that_would_end_its_line_is_refused(bad):
    with pytest.raises(InputError, match="line"):
        encode(bad, "x")
    with pytest.raises(InputError, match="line"):
        encode("x", "x", id=bad)


def streamed(*tries, **options):
    model = StreamingGenerator(list(tries) or [Try(parts(GOOD, ALSO_GOOD))])
    judge = ScriptedJudge("supported")
    return model, astream(QUESTION, PASSAGES, model=model, judge=judge, **options)


async def joined(lines):
    return "".join([line async for line in lines])


def test_a_stream_of_events_in_order_numbered_from_one():
    _, events = streamed()
    seen = read(asyncio.run(joined(sse(events))))
    assert ["passages", "statement", "statement", "done"] == [name for name, _, _ in seen]
    assert ["1", "2", "3", "4"] == [number for _, _, number in seen]
    assert GOOD["text"] == json.loads(seen[1][1])["text"]


def test_data_is_one_line_of_ascii():
    _, events = streamed()
    text = asyncio.run(joined(sse(events)))
    assert text.isascii()
    assert 4 == text.count("\ndata: ")


def test_optimistic_events_are_sent_where_no_store_is_asked():
    _, events = streamed(mode="optimistic")
    seen = [name for name, _, _ in read(asyncio.run(joined(sse(events))))]
    assert {"unverified", "verified"} <= set(seen)


def test_a_comment_is_sent_while_nothing_happens():
    async def slow():
        for line in ("a", "b"):
            await asyncio.sleep(0.05)
            yield line

    lines = asyncio.run(joined(kept_alive(slow(), 0.01)))
    assert "ab" == lines.replace(KEEP_ALIVE, "")
    assert lines.count(KEEP_ALIVE) >= 4
    assert [] == read(KEEP_ALIVE)


def test_leaving_in_the_middle_of_a_wait_closes_the_call():
    async def leave():
        model, events = streamed(Try([parts(GOOD, ALSO_GOOD)[0][:30], None]))
        lines = kept_alive(sse(events), 0.01)
        seen = [await anext(lines) for _ in range(3)]
        await lines.aclose()
        return seen, model.closed, len(asyncio.all_tasks())

    seen, closed, tasks = asyncio.run(leave())
    assert (KEEP_ALIVE, 1, 1) == (seen[-1], closed, tasks)


def test_an_error_of_the_source_is_raised():
    async def broken():
        yield "a"
        raise KeyError("a bug")

    async def read_all():
        return [line async for line in kept_alive(broken(), 1)]

    with pytest.raises(KeyError):
        asyncio.run(read_all())


def test_nothing_on_the_way_may_collect_or_change_the_stream():
    assert "no-transform" in HEADERS["cache-control"]
    assert "no" == HEADERS["x-accel-buffering"]
