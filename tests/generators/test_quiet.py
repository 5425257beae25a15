"""No word of a passage reaches the log of an application that logs everything, at any level."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from contextlib import suppress

import pytest

pytest.importorskip("openai", reason="needs the extra openai")
pytest.importorskip("anthropic", reason="needs the extra anthropic")
instructor = pytest.importorskip("instructor", reason="needs the extra instructor")

import anthropic
import openai

from groundedgen import Passage, aask, ask, astream
from groundedgen.deadlines import bounded
from groundedgen.errors import GroundedgenError
from groundedgen.generators.anthropic import AnthropicCitations, AnthropicGenerator
from groundedgen.generators.instructor import InstructorGenerator
from groundedgen.generators.openai import OpenAIGenerator
from groundedgen.generators.transport.quiet import hushed, is_ours, quietly
from tests.servers import anthropic_wire, openai_wire
from tests.servers.loopback import Said, serving

SECRET = "zanzibarword"
PASSAGES = [Passage("p", f"The {SECRET} is covered up to 12,000 euros per claim.")]
QUESTION = "Is it covered?"
STATEMENT = {
    "text": f"Covered is the {SECRET}, up to 12,000 euros.",
    "sources": ["S1"],
    "quote": f"{SECRET} is covered up to 12,000 euros",
}
DRAFT = {"status": "answered", "statements": [STATEMENT]}
SYNC, ASYNC = "sync", "async"


class Kept(logging.Handler):
    """Every record as it would be written, tracebacks included."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.name} {logging.Formatter().format(record)}")

    def holding(self, word):
        return [line for line in self.lines if word in line.lower()]


@pytest.fixture
def log():
    """What a root logger at DEBUG writes."""
    root, handler = logging.getLogger(), Kept()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.setLevel(level)
    root.removeHandler(handler)


def echoes(asked):
    """An error that repeats what was sent wherever an error has room for it."""
    said = {"message": json.dumps(asked.body), "type": SECRET, "code": SECRET}
    return Said(400, {"error": said, "request_id": SECRET}, {"x-request-id": SECRET})


def judges(asked):
    return "You check claims" in json.dumps(asked.body)


ANSWERS = {
    "openai": {
        "drafts": lambda asked: openai_wire.says({"C1": "supported"} if judges(asked) else DRAFT),
        "prose": lambda asked: openai_wire.says(f"The {SECRET} it is."),
        "an error": echoes,
        "no JSON": lambda asked: Said(body=json.dumps(asked.body)[:-9]),
        "cut": lambda asked: Said(chunks=[json.dumps(asked.body).encode()] * 2, cut=True),
    },
    "anthropic": {
        "drafts": lambda asked: anthropic_wire.says(
            anthropic_wire.text(json.dumps({"C1": "supported"} if judges(asked) else DRAFT))
        ),
        "prose": lambda asked: anthropic_wire.says(anthropic_wire.text(f"The {SECRET} it is.")),
        "an error": echoes,
        "no events": lambda asked: Said(body=json.dumps(asked.body)),
        "cut": lambda asked: anthropic_wire.cut_off(anthropic_wire.text(SECRET), reset=True),
    },
}


def openai_client(way, url, **options):
    kind = openai.OpenAI if way == SYNC else openai.AsyncOpenAI
    return kind(api_key="k", base_url=f"{url}/v1", **options)


def anthropic_client(way, url):
    kind = anthropic.Anthropic if way == SYNC else anthropic.AsyncAnthropic
    return kind(api_key="k", base_url=url)


def patched(way, url):
    client = openai_client(way, url, max_retries=0)
    return instructor.from_openai(client, mode=instructor.Mode.JSON_SCHEMA)


MADE = {
    "openai": (openai_client, OpenAIGenerator, "openai"),
    "anthropic": (anthropic_client, AnthropicGenerator, "anthropic"),
    "anthropic-citations": (anthropic_client, AnthropicCitations, "anthropic"),
    "instructor": (patched, InstructorGenerator, "openai"),
}


async def _closed(client):
    await (client.client if hasattr(client, "client") else client).close()


def asked(way, adapter, url):
    """Ask, judge included, in one of three ways, and close what was opened."""
    client_of, kind, _ = MADE[adapter]
    client = client_of(SYNC if way == "ask" else ASYNC, url)
    generator = kind(client, "m", attempts=1)
    judge = "lexical" if adapter == "anthropic-citations" else "llm"
    given = {"model": generator, "judge": judge, "timeout": 10}

    async def awaited():
        try:
            if way == "aask":
                await aask(QUESTION, PASSAGES, **given)
                return
            async for _ in astream(QUESTION, PASSAGES, **given):
                pass
        finally:
            await _closed(client)

    with suppress(GroundedgenError):
        if way == "ask":
            try:
                ask(QUESTION, PASSAGES, **given)
            finally:
                (client.client if hasattr(client, "client") else client).close()
        else:
            asyncio.run(awaited())


@pytest.mark.parametrize("way", ["ask", "aask", "astream"])
@pytest.mark.parametrize(
    ("adapter", "said"), [(name, said) for name in MADE for said in ANSWERS[MADE[name][2]]]
)
def test_no_word_of_a_passage_is_logged(log, adapter, said, way):
    with serving(ANSWERS[MADE[adapter][2]][said]) as server:
        asked(way, adapter, server.url)
        assert any(SECRET in json.dumps(request.body) for request in server.asked)
    assert [] == log.holding(SECRET)


@pytest.mark.parametrize("way", [SYNC, ASYNC])
def test_what_the_application_does_itself_with_its_client_is_logged_as_before(log, way):
    with serving(ANSWERS["openai"]["drafts"]) as server:
        asked("ask", "openai", server.url)
        client = openai_client(way, server.url)
        sent = {"model": "m", "messages": [{"role": "user", "content": SECRET}]}
        if way == SYNC:
            client.chat.completions.create(**sent)
            client.close()
        else:

            async def awaited():
                async with client:
                    await client.chat.completions.create(**sent)

            asyncio.run(awaited())
    assert any(line.startswith("openai._base_client") for line in log.holding(SECRET))
    assert any(line.startswith("httpx2") for line in log.lines)


def test_what_is_said_while_a_stream_is_read_is_the_readers_own(log):
    """Between two events of a stream the application is at work, not we."""
    heard = []
    drafts = ANSWERS["anthropic"]["drafts"]

    async def read(url):
        async with anthropic_client(ASYNC, url) as client:
            events = astream(QUESTION, PASSAGES, model=AnthropicGenerator(client, "m"))
            async for _ in events:
                heard.append(is_ours())
                logging.getLogger("anthropic._base_client").debug("of the reader")

    with serving(drafts) as server:
        asyncio.run(read(server.url))
    assert {False} == set(heard)
    assert len(heard) == len(log.holding("of the reader"))


def test_threads_of_a_request_are_as_quiet_and_others_are_not(log):
    sdk = logging.getLogger("openai._base_client")
    with quietly():
        bounded(lambda: sdk.error("from a thread of the request"), 10)
        other = threading.Thread(target=lambda: sdk.error("from another thread"))
        other.start()
        other.join()
        logging.getLogger("mine").error("of the application")
    sdk.error("afterwards")
    assert [] == log.holding("of the request")
    assert 3 == len(log.lines)


def test_a_logger_that_is_made_later_is_as_quiet(log):
    with quietly():
        pass
    late = logging.getLogger("httpcore2.made.later")
    with quietly():
        late.error(SECRET)
    assert [] == log.holding(SECRET)


def test_hushed_keeps_what_a_function_returns_and_raises(log):
    async def awaited():
        await asyncio.sleep(0)
        return is_ours()

    def fails():
        raise KeyError(is_ours())

    assert (True, True) == (hushed(is_ours)(), asyncio.run(hushed(awaited)()))
    with pytest.raises(KeyError, match="True"):
        hushed(fails)()
    assert not is_ours()
