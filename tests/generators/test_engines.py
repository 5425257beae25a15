"""Native models in one process: shared, queued, cancelled, closed, and left alone after a fork."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import pytest

from groundedgen.deadlines import OverdueError, bounded, within
from groundedgen.generators.inprocess import engines
from groundedgen.generators.inprocess.engines import Call, ClosedError, Engine


class Native:
    """Calls back with numbers until it is told to end, as a model does with its words."""

    def __init__(self, count=3, pause=0.0):
        self.count, self.pause, self.asked, self.at_once, self.most = count, pause, 0, 0, 0

    def ask(self, taking):
        self.asked += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        for number in range(self.count):
            time.sleep(self.pause)
            if taking(number):
                break
        self.at_once -= 1


def engine_of(native):
    return Engine(lambda: native, lambda model, _body, taking: model.ask(taking))


def asked(engine, call=None):
    heard = []
    engine.ask({}, call or Call(10), heard.append)
    return heard


def begun(engine, call):
    """A thread in which the engine is asked, already at work; and what it came to."""
    working, outcome = threading.Event(), []

    def run():
        try:
            engine.ask({}, call, lambda _chunk: working.set())
        except (OverdueError, ClosedError) as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert working.wait(10)
    return thread, outcome


def test_all_chunks_of_a_request_are_handed_on():
    assert [0, 1, 2] == asked(engine_of(Native()))


def test_a_model_is_loaded_with_the_first_request_and_once():
    loads = []
    engine = Engine(lambda: loads.append(1) or Native(), lambda m, _b, taking: m.ask(taking))
    assert not engine.is_loaded
    for _ in range(3):
        asked(engine)
    assert [1] == loads


def test_a_load_that_fails_is_tried_again_by_the_next_request():
    outcomes = [OSError("disk"), Native()]

    def load():
        if isinstance(outcome := outcomes.pop(0), OSError):
            raise outcome
        return outcome

    engine = Engine(load, lambda m, _b, taking: m.ask(taking))
    with pytest.raises(OSError, match="disk"):
        asked(engine)
    assert [0, 1, 2] == asked(engine)


def test_a_request_whose_time_ran_out_while_the_model_was_loaded_does_not_begin():
    native = Native()
    engine = Engine(lambda: time.sleep(0.1) or native, lambda m, _b, taking: m.ask(taking))
    with within(0.05), pytest.raises(OverdueError):
        asked(engine)
    assert (0, True) == (native.asked, engine.is_loaded)


def test_requests_of_many_threads_are_asked_one_at_a_time():
    native = Native(pause=0.005)
    engine = engine_of(native)
    threads = [threading.Thread(target=asked, args=(engine,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert (6, 1) == (native.asked, native.most)


def test_what_a_listener_raises_ends_the_request_and_is_raised():
    native = Native(count=10**6)

    def fail(_chunk):
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        engine_of(native).ask({}, Call(10), fail)
    assert 0 == native.at_once


@pytest.mark.parametrize("fails", ["listener", "cause", "model", "both"])
def test_a_model_that_is_closed_is_gone_though_an_error_is_kept(fails):
    """Each frame knows its caller, and that of the request had the model."""
    natives = []

    def load():
        natives.append(weakref.ref(native := Native()))
        return native

    def ask(native, _body, taking):
        if taking(native.count) and fails in {"model", "both"}:
            raise ValueError("the model's")

    def take(_chunk):
        try:
            {}["cause"]
        except KeyError as error:
            raise ValueError("the listener's") from (error if fails == "cause" else None)

    engine = Engine(load, ask)
    gc.disable()
    try:
        with pytest.raises(ValueError, match="the") as met:
            engine.ask({}, Call(10), take)
        engine.close()
        assert [None] == [native() for native in natives]
        assert met.value.__traceback__ is not None
    finally:
        gc.enable()


def test_a_request_ends_with_its_time():
    with pytest.raises(OverdueError):
        asked(engine_of(Native(count=10**6, pause=0.001)), Call(0.05))


def test_a_request_ends_with_the_deadline_of_the_call():
    with within(0.05), pytest.raises(OverdueError):
        asked(engine_of(Native(count=10**6, pause=0.001)), Call(60))


def test_a_cancelled_request_ends_with_the_next_chunk_and_the_next_one_gets_its_turn():
    engine = engine_of(Native(count=10**6, pause=0.001))
    call = Call(60)
    thread, outcome = begun(engine, call)
    call.cancel()
    thread.join(10)
    assert [OverdueError] == [type(error) for error in outcome]
    with pytest.raises(OverdueError):
        asked(engine, Call(0.05))


def test_a_request_that_waits_for_its_turn_can_be_cancelled_and_never_reaches_the_model():
    native = Native(count=10**6, pause=0.001)
    engine = engine_of(native)
    first, second, outcome = Call(60), Call(60), []
    thread, _ = begun(engine, first)

    def wait():
        try:
            asked(engine, second)
        except OverdueError as error:
            outcome.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    second.cancel()
    waiting.join(10)
    assert (1, 1) == (len(outcome), native.asked)
    first.cancel()
    thread.join(10)


def until(holds):
    ends = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < ends, "it did not come about within 20 s"
        time.sleep(0.01)


def test_native_work_is_never_done_in_the_thread_of_the_caller():
    """Signals reach the main thread, and there Python raises them inside a library's callback."""
    threads = []

    class Noting(Native):
        def ask(self, taking):
            threads.append(threading.current_thread())
            super().ask(taking)

    engine = Engine(
        lambda: threads.append(threading.current_thread()) or Noting(),
        lambda model, _body, taking: model.ask(taking),
    )
    engine.load(Call(10))
    assert [0, 1, 2] == asked(engine)
    assert 2 == len(threads)
    assert threading.current_thread() not in threads
    assert all(thread.daemon for thread in threads)


def test_a_request_that_is_given_up_ends_with_the_next_chunk():
    native = Native(count=10**6, pause=0.001)
    engine = engine_of(native)
    with pytest.raises(OverdueError):
        bounded(lambda: asked(engine, Call(60)), 0.2)
    until(lambda: native.asked == 1 and not engine._busy)
    assert 0 == native.at_once


def test_a_request_that_is_given_up_while_it_waits_for_its_turn_never_reaches_the_model():
    native = Native(count=10**6, pause=0.001)
    engine = engine_of(native)
    first, second = Call(60), Call(60)
    thread, _ = begun(engine, first)
    with pytest.raises(OverdueError):
        bounded(lambda: engine.ask({}, second, lambda _chunk: None), 0.2)
    until(lambda: second.is_over)
    first.cancel()
    thread.join(10)
    until(lambda: not engine._busy)
    assert 1 == native.asked


def test_waiting_for_others_does_not_count_as_time_of_the_request():
    call = Call(0.01)
    call.begin()
    time.sleep(0.02)
    assert call.is_over
    call.wait(lambda: None)
    assert (False, None) == (call.is_over, call.left)


def test_closing_ends_a_request_under_way_and_lets_go_of_the_model():
    gone = []

    class Mortal(Native):
        def __del__(self):
            gone.append(self.at_once)

    engine = Engine(lambda: Mortal(10**6, 0.001), lambda m, _b, taking: m.ask(taking))
    thread, outcome = begun(engine, Call(60))
    engine.close()
    thread.join(10)
    assert [ClosedError] == [type(error) for error in outcome]
    assert [0] == gone  # destroyed by close, after the request had ended
    with pytest.raises(ClosedError):
        asked(engine)


def test_equal_keys_share_an_engine_until_its_last_holder_gives_it_up():
    class Holder:
        pass

    one, other, key = Holder(), Holder(), ("key", os.getpid())
    first = engines.engine(key, lambda: engine_of(Native()), one)
    assert first is engines.engine(key, lambda: engine_of(Native()), other)
    engines.release(key, one)
    assert [0, 1, 2] == asked(first)
    engines.release(key, other)
    with pytest.raises(ClosedError):
        asked(first)
    assert first is not engines.engine(key, lambda: engine_of(Native()), one)
    engines.release(key, one)


def test_a_holder_that_is_gone_holds_nothing():
    class Holder:
        pass

    one, other, key = Holder(), Holder(), ("gone", os.getpid())
    found = engines.engine(key, lambda: engine_of(Native()), one)
    assert found is engines.engine(key, lambda: engine_of(Native()), other)
    del other
    engines.release(key, one)
    with pytest.raises(ClosedError):
        asked(found)


def test_giving_up_what_was_never_had_is_nothing():
    assert engines.release("unheard of", object) is None


PROGRAM = """
import os, sys, threading, time
from groundedgen.generators.inprocess import engines
class Native:
    def ask(self, taking):
        while not taking(1):
            time.sleep(0.001)
        print("ended", flush=True)
    def __del__(self):
        print("gone", os.getpid() == PARENT, flush=True)
PARENT = os.getpid()
class Holder: ...
holder = Holder()
def make():
    return engines.Engine(Native, lambda model, body, taking: model.ask(taking))
engine = engines.engine("key", make, holder)
"""


def run(program):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + program],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout.split()


def test_at_the_end_of_a_program_a_request_under_way_is_ended_before_the_model_is_destroyed():
    told = run(
        "call = engines.Call(60)\n"
        "work = lambda: engine.ask({}, call, lambda chunk: begun.set())\n"
        "begun = threading.Event()\n"
        "def quiet():\n"
        "    try: work()\n"
        "    except engines.ClosedError: pass\n"
        "threading.Thread(target=quiet, daemon=True).start()\n"
        "assert begun.wait(30)\n"
    )
    assert ["ended", "gone", "True"] == told


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals are of Unix")
def test_ctrl_c_is_raised_where_a_library_drops_it_and_the_model_is_free_again():
    """As the libraries do: what is raised ahead of the callback is dropped with its chunk."""
    told = run(
        "import signal\n"
        "main, heard = threading.main_thread().ident, []\n"
        "class Dropping:\n"
        "    def ask(self, taking):\n"
        "        for number in range(2000):\n"
        "            try:\n"
        "                if number == 3: signal.pthread_kill(main, signal.SIGINT)\n"
        "                time.sleep(0.005)\n"
        "                if taking(number): break\n"
        "            except BaseException: pass\n"
        "engine = engines.Engine(Dropping, lambda model, body, taking: model.ask(taking))\n"
        "def ask(take):\n"
        "    try: engine.ask({}, engines.Call(60), take)\n"
        "    except KeyboardInterrupt: print('interrupted', flush=True)\n"
        "ask(heard.append)\n"
        "free = engine._state.wait_for\n"
        "with engine._state: print(free(lambda: not engine._busy, 5), flush=True)\n"
        "print(heard == list(range(len(heard))), len(heard) < 2000, flush=True)\n"
    )
    assert ["interrupted", "True", "True", "True"] == told


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_neither_uses_nor_destroys_the_model_of_its_parent():
    told = run(
        "engine.load(engines.Call(60))\n"
        "if not (child := os.fork()):\n"
        "    try: engines.engine('key', make, holder)\n"
        "    except engines.ForkedError: print('refused', flush=True)\n"
        "    sys.exit(0)\n"
        "print(os.waitpid(child, 0)[1], flush=True)\n"
        "assert engines.engine('key', make, holder) is engine\n"
    )
    assert ["refused", "0", "gone", "True"] == told


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_that_was_forked_before_anything_was_loaded_may_load():
    told = run(
        "if not (child := os.fork()):\n"
        "    engines.engine('key', make, holder).load(engines.Call(60))\n"
        "    print('loaded', flush=True)\n"
        "    os._exit(0)\n"
        "print(os.waitpid(child, 0)[1], flush=True)\n"
    )
    assert ["loaded", "0"] == told
