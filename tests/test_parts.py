"""What a call is made with: read at once, imported under the deadline, never in an event loop."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
import threading
import time
import types
from pathlib import Path

import pytest

from groundedgen import aask, ask, astream, resolve
from groundedgen.deadlines import remaining
from groundedgen.errors import DeadlineError, InputError, MissingExtraError
from groundedgen.parts import aread_parts, read_parts
from groundedgen.streaming import stream
from groundedgen.testing import ScriptedGenerator, ScriptedJudge
from tests.servers.loopback import true_soon

GIVEN = ("Is a pipe covered?", ["A pipe is covered."])
PATIENCE = 30.0
"""Seconds after which something hangs; never what is measured."""

SDK = """
    import gate

    gate.begun.append(1)
    gate.go.wait({patience})
    {then}

    def from_name(model, url=None):
        from groundedgen.testing import ScriptedGenerator
        return ScriptedGenerator([{{"status": "not_found", "statements": []}}])
"""


async def _all(events):
    return [event async for event in events]


FORMS = {
    "ask": ask,
    "aask": lambda *given, **named: asyncio.run(aask(*given, **named)),
    "stream": lambda *given, **named: list(stream(*given, **named)),
    "astream": lambda *given, **named: asyncio.run(_all(astream(*given, **named))),
}
WHOLE = ["ask", "aask"]


class Gate:
    """Where the import of an SDK waits, until it is let `go`."""

    def __init__(self):
        self.begun, self.go = [], threading.Event()

    def workers(self):
        return [t for t in threading.enumerate() if t.name == "groundedgen-worker"]


@pytest.fixture
def gate(tmp_path, monkeypatch):
    """Model strings "slowsdk/MODEL", whose import takes as long as a test wants it to.

    `gate.fails(statement)` has it end with that.
    """
    made = Gate()
    monkeypatch.setitem(sys.modules, "gate", types.SimpleNamespace(begun=made.begun, go=made.go))
    monkeypatch.setattr(resolve, "PROVIDERS", {**resolve.PROVIDERS, "slowsdk": "slowsdk:from_name"})
    monkeypatch.syspath_prepend(tmp_path)

    def fails(statement):
        source = textwrap.dedent(SDK).format(patience=PATIENCE, then=statement)
        (tmp_path / "slowsdk.py").write_text(source)

    made.fails = fails
    fails("")
    yield made
    made.go.set()
    asyncio.run(true_soon(lambda: not made.workers(), PATIENCE))
    sys.modules.pop("slowsdk", None)


NAMED = [{"model": "slowsdk/m"}, {"judge": "slowsdk/m"}, {"judge": ["lexical", "slowsdk/m"]}]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("named", NAMED)
def test_an_import_that_takes_too_long_is_given_up_and_says_the_way_out(form, named, gate):
    with pytest.raises(DeadlineError) as caught:
        FORMS[form](*GIVEN, **named, timeout=0.3)
    assert not gate.go.is_set(), "it was waited for"
    told = str(caught.value)
    assert "before anything was asked" in told
    assert "allow more time with timeout=" in told
    assert "groundedgen.resolve.generator()" in told


def test_what_is_imported_is_named_without_what_may_be_secret(gate):
    with pytest.raises(DeadlineError, match="'slowsdk' and 'lexical'") as caught:
        ask(*GIVEN, model="slowsdk/m@http://ann:pass@host/v1", timeout=0.3)
    assert "pass@" not in str(caught.value)
    assert "host" not in str(caught.value)


@pytest.mark.parametrize("form", FORMS)
def test_later_calls_end_in_time_too_and_work_once_the_import_has_ended(form, gate):
    for _ in range(3):
        with pytest.raises(DeadlineError):
            FORMS[form](*GIVEN, model="slowsdk/m", timeout=0.2)
    assert [1] == gate.begun
    gate.go.set()
    came = FORMS[form](*GIVEN, model="slowsdk/m", timeout=PATIENCE)
    answer = came if form in WHOLE else came[-1].answer
    assert "model_said_not_found" == answer.reason
    assert [1] == gate.begun, "imported once"


def test_other_models_are_asked_while_one_is_imported(gate):
    with pytest.raises(DeadlineError):
        ask(*GIVEN, model="slowsdk/m", timeout=0.2)
    assert "answered" == ask(*GIVEN).status
    assert not gate.go.is_set()


@pytest.mark.parametrize("seconds", [None, PATIENCE])
@pytest.mark.parametrize("streaming", [False, True])
def test_an_event_loop_goes_on_while_something_is_imported(seconds, streaming, gate):
    async def main():
        named = {"model": "slowsdk/m", "timeout": seconds}
        call = _all(astream(*GIVEN, **named)) if streaming else aask(*GIVEN, **named)
        task = asyncio.create_task(call)
        await true_soon(lambda: gate.begun, PATIENCE)
        gate.go.set()  # reached while the import waits: it is not in this loop
        return await task

    came = asyncio.run(main())
    assert "not_found" == (came[-1].answer if streaming else came).status


@pytest.mark.parametrize("seconds", [None, PATIENCE])
def test_a_call_that_is_cancelled_does_not_wait_for_an_import(seconds, gate):
    async def main():
        task = asyncio.create_task(aask(*GIVEN, model="slowsdk/m", timeout=seconds))
        await true_soon(lambda: gate.begun, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert not gate.go.is_set()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seconds", [None, PATIENCE])
@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("from groundedgen.errors import InputError; raise InputError('odd')", InputError),
        (
            "from groundedgen.errors import MissingExtraError as E; raise E('it', extra='openai')",
            MissingExtraError,
        ),
        ("import a_package_that_is_not_there", ModuleNotFoundError),
    ],
)
def test_what_an_import_ends_with_is_raised_as_it_is(form, seconds, statement, kind, gate):
    gate.fails(statement)
    gate.go.set()
    with pytest.raises(kind) as caught:
        FORMS[form](*GIVEN, model="slowsdk/m", timeout=seconds)
    assert type(caught.value) is kind


@pytest.mark.parametrize("form", FORMS)
def test_what_can_be_told_at_once_is_told_before_anything_is_imported(form, gate):
    for wrong in ({"policy": "strict"}, {"history": "before"}, {"evidence": "words"}):
        with pytest.raises(InputError):
            FORMS[form](*GIVEN, model="slowsdk/m", timeout=PATIENCE, **wrong)
    with pytest.raises(InputError):
        FORMS[form](GIVEN[0], "one string", model="slowsdk/m", timeout=PATIENCE)
    assert [] == gate.begun


def test_parts_that_are_made_already_are_read_where_the_caller_is(monkeypatch):
    threads = []
    usual = resolve.generator
    monkeypatch.setattr(
        resolve, "generator", lambda part: threads.append(threading.current_thread()) or usual(part)
    )
    given = {"policy": None, "history": (), "evidence": "quotes"}
    given |= {"model": ScriptedGenerator([]), "judge": ScriptedJudge("supported")}
    assert given["model"] is read_parts(*GIVEN, **given).generator
    assert given["judge"] is asyncio.run(aread_parts(*GIVEN, **given)).judge
    assert {threading.current_thread()} == set(threads)


# The clock starts before the arguments are read


def _slowly_read(monkeypatch, seconds):
    """Reading the model takes as long as the import of its packages does in a fresh process."""
    usual = resolve.generator

    def slowly(model):
        time.sleep(seconds)
        return usual(model)

    monkeypatch.setattr(resolve, "generator", slowly)


@pytest.mark.parametrize("form", WHOLE)
def test_time_that_reading_the_arguments_took_is_not_given_again(form, monkeypatch):
    _slowly_read(monkeypatch, 0.3)
    left = []

    def model(system, user):
        left.append(remaining())
        return '{"status": "not_found", "statements": []}'

    FORMS[form](*GIVEN, model=model, timeout=20)
    assert left[0] <= 19.7


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("made", [False, True])
def test_a_deadline_that_came_before_anything_was_asked_says_so(form, made, monkeypatch):
    _slowly_read(monkeypatch, 0.1)
    given = {"model": lambda s, u: pytest.fail("asked")}
    if made:
        given = {"model": ScriptedGenerator([]), "judge": ScriptedJudge("supported")}
    with pytest.raises(DeadlineError, match=r"before anything was asked.*import"):
        FORMS[form](*GIVEN, timeout=0.05, **given)


def test_a_stream_counts_the_reading_of_its_arguments_too(monkeypatch):
    _slowly_read(monkeypatch, 0.3)
    events = list(stream(*GIVEN, timeout=20))
    assert events[0].left <= 19.7


# Programs that end, are interrupted, or fork while something is imported

PROGRAM = """
    import os, signal, sys, threading
    from groundedgen import ask, resolve
    from groundedgen.errors import DeadlineError
    resolve.PROVIDERS["slowsdk"] = "slowsdk:from_name"

    def late():
        try:
            ask("Is it covered?", ["Fire is covered."], model="slowsdk/m", timeout=0.3)
        except DeadlineError:
            return True
"""
ENDS = """
    print(late())
"""
INTERRUPTED = """
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        ask("Is it covered?", ["Fire is covered."], model="slowsdk/m", timeout=600)
    except KeyboardInterrupt:
        print("True")
"""
FORKS = """
    late()
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status) == 0)
    else:
        answer = ask("Is it covered?", ["Fire is covered."], model="slowsdk/m", timeout=600)
        os._exit(0 if answer.status == "not_found" else 1)
"""


def run(then, sdk, folder):
    """What a program prints that uses an SDK of this source."""
    (folder / "slowsdk.py").write_text(textwrap.dedent(sdk))
    child = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(PROGRAM) + textwrap.dedent(then)],
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{Path.cwd()}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (0, "") == (child.returncode, child.stderr)
    return child.stdout.strip()


@pytest.mark.parametrize("then", [ENDS, INTERRUPTED])
def test_an_import_that_hangs_holds_up_no_program(then, tmp_path):
    assert "True" == run(then, "import time; time.sleep(600)", tmp_path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_workers_that_are_forked_while_something_is_imported_can_use_it(tmp_path):
    sdk = """
        import time; time.sleep(2)
        def from_name(model, url=None):
            from groundedgen.generators.calling import CallingGenerator
            return CallingGenerator(lambda s, u: '{"status": "not_found", "statements": []}')
    """
    assert "True" == run(FORKS, sdk, tmp_path)
