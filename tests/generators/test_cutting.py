"""Requests of synchronous clients that nobody waits for any more, against a loopback server."""

from __future__ import annotations

import asyncio
import json
import pkgutil
import socket
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from groundedgen import aask, ask
from groundedgen.deadlines import OverdueError, bounded
from groundedgen.errors import DeadlineError
from groundedgen.generators.transport.cutting import cuttable
from tests.servers import openai_wire
from tests.servers.loopback import Said, serving, true_soon

QUESTION = "Is a burst pipe covered?"
PIPES = [f"Water damage number {n} is covered up to {n},000 euros per claim." for n in range(1, 7)]
STATEMENTS = [
    {"text": f"Damage number {n} is covered up to {n},000 euros.", "sources": [f"S{n}"], "quote": p}
    for n, p in enumerate(PIPES, 1)
]
ADAPTERS = [
    ("openai", "openai:OpenAIGenerator"),
    ("anthropic", "anthropic:AnthropicGenerator"),
    ("anthropic", "anthropic:AnthropicCitations"),
    ("instructor", "instructor:InstructorGenerator"),
]


def busy(asked):
    return Said(503, {"error": {"message": "busy"}}, wait=0.2)


def turned_down(asked):
    return Said(400, {"error": {"message": "output_config response_format tools schema"}}, wait=0.2)


def silent(asked):
    return Said(wait=60)


def dripping(asked):
    return Said(chunks=[b" "] * 2000, drip=0.03)


@pytest.fixture
def made():
    """`made(sdk, adapter, url)` -> a generator that asks through a synchronous client."""
    clients = []

    def make(sdk, adapter, url):
        kinds = pytest.importorskip(sdk)
        generator = pkgutil.resolve_name(f"groundedgen.generators.{adapter}")
        if sdk == "anthropic":
            client = kinds.Anthropic(api_key="k", base_url=url)
        else:
            openai = pytest.importorskip("openai")
            client = openai.OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=2)
        clients.append(client)
        return generator(kinds.from_openai(client) if sdk == "instructor" else client, "m")

    yield make
    for client in clients:
        client.close()


def workers():
    return {
        t for t in threading.enumerate() if t.name in ("groundedgen-worker", "groundedgen-closing")
    }


async def cancelled(server, generator, *, judge="lexical", asked=1, seconds=30):
    """Ask, cancel once the server has seen so many requests, and wait for every thread to end."""
    before = workers()
    task = asyncio.create_task(aask(QUESTION, PIPES, model=generator, judge=judge, timeout=seconds))
    await true_soon(lambda: len(server.asked) >= asked, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await true_soon(lambda: workers() <= before, 5)


@pytest.mark.parametrize(("sdk", "adapter"), ADAPTERS)
@pytest.mark.parametrize("said", [busy, turned_down])
@pytest.mark.parametrize("seconds", [30, None])
def test_a_cancelled_call_sends_no_further_request(sdk, adapter, said, seconds, made):
    with serving(said) as server:
        asyncio.run(cancelled(server, made(sdk, adapter, server.url), seconds=seconds))
        assert 1 == len(server.asked)


@pytest.mark.parametrize(("sdk", "adapter"), ADAPTERS)
@pytest.mark.parametrize("said", [silent, dripping])
def test_a_server_sees_the_connection_of_a_cancelled_call_closed(sdk, adapter, said, made):
    async def gone():
        with serving(said) as server:
            await cancelled(server, made(sdk, adapter, server.url))
            await true_soon(lambda: server.gone)
            assert 1 == len(server.asked)

    asyncio.run(gone())


@pytest.mark.parametrize(("sdk", "adapter"), ADAPTERS)
@pytest.mark.parametrize("said", [silent, dripping])
def test_at_the_deadline_neither_connection_nor_thread_is_left(sdk, adapter, said, made):
    before = workers()
    with serving(said) as server:
        generator = made(sdk, adapter, server.url)
        for seconds in (0.6, 6):  # an SDK's first request in a process may not be sent that soon
            with pytest.raises(DeadlineError):
                ask(QUESTION, PIPES, model=generator, timeout=seconds)
            if server.asked:
                break
        asyncio.run(true_soon(lambda: server.gone and workers() <= before, 5))
        assert 1 == len(server.asked)


def judged_by(answer):
    """A server that writes at once, and judges as `answer` says."""

    def said(asked):
        if "You check claims" in json.dumps(asked.body):
            return answer(asked)
        return openai_wire.says({"status": "answered", "statements": STATEMENTS})

    return said


@pytest.mark.parametrize("most", [8, 2])
@pytest.mark.parametrize("answer", [busy, silent])
def test_a_cancelled_judge_makes_no_further_call(answer, most, made):
    from groundedgen.judges.llm import LLMJudge

    with serving(judged_by(answer)) as server:
        generator = made("openai", "openai:OpenAIGenerator", server.url)
        judge = LLMJudge(generator, max_concurrency=most)
        under_way = min(most, len(PIPES))
        asyncio.run(cancelled(server, generator, judge=judge, asked=1 + under_way))
        assert 1 + under_way == len(server.asked)


def test_the_connections_of_other_requests_of_the_same_client_stay(made):
    """Only the request that was given up ends: the client goes on serving the others."""
    openai = pytest.importorskip("openai")

    def said(asked):
        text = {"status": "not_found", "statements": []}
        if "hang" in json.dumps(asked.body):
            return Said(wait=60)
        return Said(200, openai_wire.completion(json.dumps(text)), wait=0.3)

    async def both():
        from groundedgen.generators.openai import OpenAIGenerator

        with serving(said) as server, openai.OpenAI(api_key="k", base_url=f"{server.url}/v1") as c:
            generator = OpenAIGenerator(c, "m", attempts=1)
            hung = asyncio.create_task(aask("Does it hang?", PIPES, model=generator))
            await true_soon(lambda: server.asked, 10)
            others = [asyncio.create_task(aask(QUESTION, PIPES, model=generator)) for _ in range(4)]
            await true_soon(lambda: len(server.asked) == 5, 10)
            hung.cancel()
            answers = await asyncio.gather(*others)
            assert ["not_found"] * 4 == [answer.status for answer in answers]
            await true_soon(lambda: server.gone)

    asyncio.run(both())


PROGRAM = """
    import os, signal, threading, time, openai
    from groundedgen import ask
    from groundedgen.generators.openai import OpenAIGenerator
    generator = OpenAIGenerator(openai.OpenAI(api_key="k", base_url="{url}/v1"), "m")
    def interrupt():
        input()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        ask("Is it covered?", ["Fire is covered."], model=generator, timeout=30)
    except KeyboardInterrupt:
        while any(t.name == "groundedgen-worker" for t in threading.enumerate()):
            time.sleep(0.01)
        print("ended")
"""


def test_an_interrupted_call_sends_no_further_request():
    pytest.importorskip("openai")
    with serving(busy) as server:
        program = textwrap.dedent(PROGRAM).format(url=server.url)
        child = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        asyncio.run(true_soon(lambda: server.asked, 60))
        said, _ = child.communicate("now\n", timeout=60)
        assert ("ended", 1) == (said.strip(), len(server.asked))


def test_a_request_that_connects_after_it_was_given_up_is_cut_as_well():
    """Nothing is there to be closed while a name is looked up; a moment later there is."""
    ended = threading.Event()

    def looked_up_late():
        time.sleep(0.3)
        try:
            with socket.create_connection(listening.getsockname()) as sock:
                return sock.recv(1)
        finally:
            ended.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        with pytest.raises(OverdueError):
            bounded(cuttable(looked_up_late), 0.05)
        connection, _ = listening.accept()
        connection.settimeout(10)
        with connection:
            assert b"" == connection.recv(1)
        assert ended.wait(10)


def test_work_that_waits_for_no_socket_is_let_be():
    ended = threading.Event()

    def busy_work():
        time.sleep(0.2)
        ended.set()

    with pytest.raises(OverdueError):
        bounded(cuttable(busy_work), 0.02)
    assert ended.wait(10)


def test_a_connection_that_other_threads_share_is_let_be():
    """As HTTP/2 has it: one of them reads for all."""
    scope = {}
    source = "def read(sock):\n    return sock.recv(1)"
    exec(compile(source, "site-packages/httpcore/_sync/http2.py", "exec"), scope)  # noqa: S102  # the name of its file is what is tested
    ours, theirs = socket.socketpair()
    heard = []
    with ours, theirs:
        with pytest.raises(OverdueError):
            bounded(cuttable(lambda: heard.append(scope["read"](ours))), 0.05)
        time.sleep(0.2)  # several looks
        theirs.sendall(b"x")
        asyncio.run(true_soon(lambda: heard, 10))
        assert [b"x"] == heard


def test_a_client_of_pythons_own_is_found_too():
    import urllib.request

    def asked(url):
        with urllib.request.urlopen(url) as reply:  # noqa: S310  # the loopback server's
            reply.read()

    with serving(dripping) as server:
        with pytest.raises(OverdueError):
            bounded(cuttable(lambda: asked(server.url)), 0.3)
        asyncio.run(true_soon(lambda: server.gone, 10))
        assert 1 == len(server.asked)
