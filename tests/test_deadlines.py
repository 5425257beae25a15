from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
import time

import pytest

from groundedgen.deadlines import (
    OverdueError,
    at_giving_up,
    bounded,
    check_wanted,
    pause,
    remaining,
    unblocked,
    within,
)
from groundedgen.errors import InputError


@pytest.mark.parametrize("bad", [0, -1, True, "5", float("nan")])
def test_a_time_that_is_none_is_named(bad):
    with pytest.raises(InputError, match="timeout") as caught, within(bad):
        pass
    assert "bad_timeout" == caught.value.code


def test_an_inner_deadline_only_shortens():
    with within(50):
        with within(5):
            assert remaining() <= 5
        with within(500):
            assert remaining() <= 50
        with within(None):
            assert 40 < remaining() <= 50
    assert remaining() is None


def test_a_deadline_ends_with_its_block_even_on_an_error():
    with pytest.raises(KeyError), within(5):
        raise KeyError
    assert remaining() is None


def test_what_remains_is_never_less_than_nothing():
    with within(0.001):
        time.sleep(0.01)
        assert remaining() == remaining(most=3) == 0.0


def test_without_a_deadline_the_most_is_what_remains():
    assert (None, 7) == (remaining(), remaining(most=7))
    with within(60):
        assert remaining(most=7) == 7


def test_work_without_a_limit_runs_in_the_callers_thread():
    assert bounded(threading.current_thread, None) is threading.current_thread()


def test_work_with_a_limit_sees_the_callers_context():
    variable = contextvars.ContextVar("variable", default="")
    variable.set("mine")
    with within(5):
        assert ("mine", True) == bounded(lambda: (variable.get(), remaining() <= 5), 5)


def test_work_that_takes_too_long_is_given_up_not_waited_for():
    ended = threading.Event()
    begun = time.monotonic()
    with pytest.raises(OverdueError):
        bounded(lambda: ended.wait(5), 0.05)
    assert time.monotonic() - begun < 1
    ended.set()


def test_no_time_left_means_no_work_is_begun():
    begun = []
    with pytest.raises(OverdueError):
        bounded(lambda: begun.append(1), 0)
    assert [] == begun


@pytest.mark.parametrize("error", [KeyError("mine"), TimeoutError("its own"), SystemExit(3)])
def test_what_work_raises_is_raised_where_it_is_waited_for(error):
    def work():
        raise error

    with pytest.raises(type(error)) as caught:
        bounded(work, 5)
    assert caught.value is error
    assert not isinstance(caught.value, OverdueError)

    with pytest.raises(type(error)):
        asyncio.run(unblocked(work))


def test_awaiting_work_does_not_block_the_loop():
    async def both():
        gate = threading.Event()
        task = asyncio.create_task(unblocked(lambda: gate.wait(5)))
        await asyncio.sleep(0)
        gate.set()
        return await task

    assert asyncio.run(both()) is True


def test_awaited_work_is_given_up_where_the_waiting_task_is_cancelled():
    gate = threading.Event()

    async def give_up():
        async with asyncio.timeout(0.05):
            await unblocked(lambda: gate.wait(5))

    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    assert time.monotonic() - begun < 1
    gate.set()  # it ends after its loop has: nobody is told, and nothing breaks
    time.sleep(0.05)


# Work that is given up


def given_up_by_time(work):
    with pytest.raises(OverdueError):
        bounded(work, 0.1)


def given_up_by_cancelling(work):
    async def cancelled():
        task = asyncio.create_task(unblocked(work))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


WAYS = [given_up_by_time, given_up_by_cancelling]


@pytest.mark.parametrize("give_up", WAYS)
def test_what_is_given_up_has_no_time_left_and_begins_nothing(give_up):
    go, heard = threading.Event(), queue.SimpleQueue()

    def work():
        go.wait(10)
        heard.put((remaining(), remaining(most=5)))
        for begins in (lambda: bounded(int, 5), lambda: bounded(int, None), check_wanted):
            try:
                heard.put(begins())
            except OverdueError:
                heard.put("overdue")

    with within(60):
        give_up(work)
    go.set()
    assert (0.0, 0.0) == heard.get(timeout=10)
    assert ["overdue"] * 3 == [heard.get(timeout=10) for _ in range(3)]


@pytest.mark.parametrize("give_up", WAYS)
def test_a_pause_of_what_is_given_up_ends(give_up):
    heard = queue.SimpleQueue()

    def work():
        try:
            pause(3600)
        except OverdueError:
            heard.put("awake")

    give_up(work)
    assert "awake" == heard.get(timeout=10)


@pytest.mark.parametrize("give_up", WAYS)
def test_what_was_begun_inside_is_given_up_with_it(give_up):
    heard = queue.SimpleQueue()

    def inner():
        try:
            pause(3600)
        finally:
            heard.put("inner")

    def work():
        try:
            bounded(inner, 3600)
        finally:
            heard.put("outer")

    give_up(work)
    assert {"inner", "outer"} == {heard.get(timeout=10), heard.get(timeout=10)}


def test_what_was_put_down_for_it_is_called_once_and_only_inside():
    told, go = [], threading.Event()

    def work():
        with at_giving_up(lambda: told.append("before")):
            pass
        with at_giving_up(lambda: told.append("inside")):
            go.wait(10)
        with at_giving_up(lambda: told.append("late")):
            go.set()

    given_up_by_time(work)
    assert ["inside"] == told
    go.clear()
    bounded(lambda: None, 5)  # other work hears nothing of it
    go.set()
    for _ in range(1000):
        if "late" in told:
            break
        time.sleep(0.01)
    assert ["inside", "late"] == told


def test_without_work_that_can_be_given_up_a_pause_is_a_sleep():
    began = time.monotonic()
    with at_giving_up(lambda: pytest.fail("nobody gave anything up")):
        pause(0.02)
        check_wanted()
    assert time.monotonic() - began >= 0.02


def test_work_that_ended_in_time_gives_up_nothing():
    told = []

    def work():
        with at_giving_up(lambda: told.append("given up")):
            return remaining(most=5)

    assert 5 == bounded(work, 30)
    assert [] == told
