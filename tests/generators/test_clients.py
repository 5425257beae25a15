"""Limits are the same for all adapters; clients of our own are kept, shared, and closed."""

from __future__ import annotations

import asyncio
import gc
import os
import pkgutil
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from groundedgen import aask, ask
from groundedgen.errors import DeadlineError, InputError
from groundedgen.generators.retrying import RetryingGenerator
from groundedgen.generators.transport.clients import Own, check_attempts, check_limits, kept
from groundedgen.generators.transport.lookups import joined_by_nobody
from groundedgen.generators.transport.quiet import quietly
from groundedgen.resolve import generator as resolved
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from tests.servers import anthropic_wire, openai_wire
from tests.servers.loopback import serving

PASSAGES = ["Fire is covered by this policy."]
QUESTION = "Is fire covered?"
SILENT = {"status": "not_found", "statements": []}
INFINITE = float("inf")


# Limits


@pytest.mark.parametrize(
    "timeout", [0, 0.0, -1, float("nan"), -INFINITE, True, False, "3", None, [], 1j]
)
def test_a_time_out_that_is_none_is_an_input_error(timeout):
    with pytest.raises(InputError, match="timeout must be seconds, more than 0") as caught:
        check_limits(timeout, 3)
    assert "bad_timeout" == caught.value.code


@pytest.mark.parametrize("attempts", [0, -1, 11, 1.0, True, "3", None, INFINITE, float("nan")])
def test_attempts_that_are_none_are_an_input_error(attempts):
    for check in (check_attempts, lambda given: check_limits(30, given), _retrying):
        with pytest.raises(InputError, match="attempts must be a whole number, 1 to 10") as caught:
            check(attempts)
        assert "bad_attempts" == caught.value.code


def _retrying(attempts):
    return RetryingGenerator(ScriptedGenerator([]), attempts=attempts)


ADAPTERS = [
    ("openai", "openai:OpenAIGenerator"),
    ("anthropic", "anthropic:AnthropicGenerator"),
    ("anthropic", "anthropic:AnthropicCitations"),
    ("instructor", "instructor:InstructorGenerator"),
]


def _made(sdk, adapter, url="http://127.0.0.1:9", **options):
    kinds = pytest.importorskip(sdk)
    generator = pkgutil.resolve_name(f"groundedgen.generators.{adapter}")
    if sdk == "anthropic":
        client = kinds.Anthropic(api_key="k", base_url=url)
    else:
        openai = pytest.importorskip("openai")
        client = openai.OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0)
    given = kinds.from_openai(client) if sdk == "instructor" else client
    return client, generator(given, "m", **options)


@pytest.mark.parametrize(("sdk", "adapter"), ADAPTERS)
@pytest.mark.parametrize("timeout", [0, -1, float("nan"), True, "3", None])
def test_every_adapter_refuses_a_time_out_that_is_none(sdk, adapter, timeout):
    with pytest.raises(InputError) as caught:
        _made(sdk, adapter, timeout=timeout)
    assert "bad_timeout" == caught.value.code


@pytest.mark.parametrize(("sdk", "adapter"), ADAPTERS)
@pytest.mark.parametrize("attempts", [0, 11, True, 2.0])
def test_every_adapter_refuses_attempts_that_are_none(sdk, adapter, attempts):
    with pytest.raises(InputError) as caught:
        _made(sdk, adapter, attempts=attempts)
    assert "bad_attempts" == caught.value.code


def _silent(asked):
    if asked.path.endswith("/messages"):
        return anthropic_wire.says(anthropic_wire.text(SILENT))
    if "tools" in asked.body:
        return openai_wire.calls(SILENT)
    return openai_wire.says(SILENT)


@pytest.mark.parametrize(("sdk", "adapter"), ADAPTERS)
@pytest.mark.parametrize("timeout", [INFINITE, 1e10, 1e300])
@pytest.mark.parametrize("call", [None, 1e10, 20])
def test_a_time_out_without_end_is_taken_by_every_adapter(sdk, adapter, timeout, call):
    with serving(_silent) as server:
        client, generator = _made(sdk, adapter, server.url, timeout=timeout)
        assert "not_found" == ask(QUESTION, PASSAGES, model=generator, timeout=call).status
        answer = asyncio.run(aask(QUESTION, PASSAGES, model=generator, timeout=call))
        assert "not_found" == answer.status
        client.close()


# Clients of our own


class Client:
    """Stands for an SDK's, sync and async."""

    def __init__(self):
        self.closed = 0

    def close(self):
        self.closed += 1

    async def aclose(self):
        self.closed += 1


@pytest.fixture
def made():
    """Every client that was built, and a maker of `Own` for them."""
    clients = []

    def build():
        clients.append(Client())
        return clients[-1]

    return clients, lambda *_: Own(build, build)


def test_the_same_client_serves_every_call_and_thread(made):
    clients, make = made
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: kept(make, "m", None).sync(), range(64)))
    assert (1, 1) == (len({id(client) for client in found}), len(clients))


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTPS_PROXY"])
def test_another_environment_has_a_client_of_its_own(made, monkeypatch, name):
    clients, make = made
    first = kept(make, "m").sync()
    monkeypatch.setenv(name, "another")
    assert kept(make, "m").sync() is not first
    monkeypatch.undo()
    assert kept(make, "other").sync() is not first
    assert 3 == len(clients)


def test_another_process_has_a_client_of_its_own(made, monkeypatch):
    _, make = made
    first = kept(make, "m")
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert kept(make, "m") is not first


def test_a_client_is_closed_once_nobody_can_use_it_any_more(made):
    clients, make = made
    own = make()
    client = own.sync()
    gc.collect()
    assert 0 == client.closed
    del own
    gc.collect()
    assert [1] == [client.closed for client in clients]


def test_a_client_that_fails_to_close_disturbs_nobody(recwarn):
    class Stubborn(Client):
        def close(self):
            raise OSError

    own = Own(Stubborn, Stubborn)
    assert own.sync() is own.sync()
    del own
    gc.collect()
    assert [] == list(recwarn)


PROGRAM = """
import sys
from groundedgen.generators.transport.clients import Own, kept
class Client:
    def close(self): print("closed")
kept(lambda name: Own(Client, Client), "m").sync()
"""


def test_a_kept_client_is_closed_when_the_program_ends():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60
    )
    assert "closed\n" == done.stdout


@pytest.mark.parametrize("name", ["openai/m@{}/v1", "vllm/m@{}", "anthropic/m@{}"])
def test_a_model_string_asks_through_one_client(monkeypatch, name):
    pytest.importorskip("openai")
    pytest.importorskip("anthropic")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    connections = set()  # the server has a thread for each

    def answer(asked):
        connections.add(threading.current_thread())
        return _silent(asked)

    with serving(answer) as server:
        model = name.format(server.url)
        for _ in range(3):
            assert "not_found" == ask(QUESTION, PASSAGES, model=model).status
        assert resolved(model)._clients is resolved(model)._clients
        if "anthropic" not in name:  # whose stand-in here ends each stream with its connection
            assert 1 == len(connections)


def test_a_client_of_our_own_costs_a_tenth_of_one_with_certificates_of_its_own():
    """Loading them is nearly all of its cost; both in one run, the fastest of several."""
    openai = pytest.importorskip("openai")
    from groundedgen.generators.transport.tls import shared_context

    shared = shared_context()

    def seconds(build):
        times = []
        for _ in range(4):
            begun = time.thread_time()
            client = build()
            times.append(time.thread_time() - begun)
            client.close()
        return min(times)

    alone = seconds(lambda: openai.OpenAI(api_key="k"))
    ours = seconds(
        lambda: openai.OpenAI(api_key="k", http_client=openai.DefaultHttpxClient(verify=shared))
    )
    assert ours < alone / 10


# Looking hosts up


def _hanging(seconds, looked_up):
    real = socket.getaddrinfo

    def slow(host, *rest, **named):
        if "slow.example" in str(host):
            looked_up.append(threading.current_thread())
            time.sleep(seconds)
            raise socket.gaierror(socket.EAI_NONAME, "no such host")
        return real(host, *rest, **named)

    return slow


@pytest.mark.parametrize("name", ["openai/m@http://slow.example/v1", "vllm/m@http://slow.example",
                                  "anthropic/m@http://slow.example", "given"])  # fmt: skip
def test_closing_a_loop_does_not_wait_for_a_name_server_that_hangs(monkeypatch, name):
    openai = pytest.importorskip("openai")
    pytest.importorskip("anthropic")
    from groundedgen.generators.openai import OpenAIGenerator

    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    looked_up = []
    monkeypatch.setattr(socket, "getaddrinfo", _hanging(8, looked_up))

    async def asked():
        model = name
        if name == "given":
            client = openai.AsyncOpenAI(api_key="k", base_url="http://slow.example/v1")
            model = OpenAIGenerator(client, "m")
        await aask(QUESTION, PASSAGES, model=model, judge=ScriptedJudge(), timeout=0.5)

    resolved("openai/m@http://localhost")  # what is imported first takes its time
    begun = time.monotonic()
    with pytest.raises(DeadlineError):
        asyncio.run(asked())
    assert time.monotonic() - begun < 4
    assert looked_up
    assert all(thread.daemon for thread in looked_up)


def test_other_lookups_of_the_loop_are_its_own(monkeypatch):
    asked = []

    class Loop(asyncio.SelectorEventLoop):
        async def getaddrinfo(self, host, port, **options):
            asked.append(host)
            return await super().getaddrinfo(host, port, **options)

    async def looked_up():
        loop = asyncio.get_running_loop()
        joined_by_nobody(loop)
        joined_by_nobody(loop)
        theirs = await loop.getaddrinfo("127.0.0.1", 80, type=socket.SOCK_STREAM)
        with quietly():
            ours = await loop.getaddrinfo("127.0.0.1", 80, type=socket.SOCK_STREAM)
        return theirs, ours

    with asyncio.Runner(loop_factory=Loop) as runner:
        theirs, ours = runner.run(looked_up())
    assert theirs == ours
    assert ["127.0.0.1"] == asked


def test_a_loop_that_cannot_be_changed_is_left_alone():
    class Sealed:
        __slots__ = ()

        def getaddrinfo(self):
            return "its own"

    sealed = Sealed()
    joined_by_nobody(sealed)
    assert "its own" == sealed.getaddrinfo()
