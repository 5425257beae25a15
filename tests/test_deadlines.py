from __future__ import annotations

import asyncio
import contextvars
import threading
import time

import pytest

from groundedgen.deadlines import OverdueError, bounded, remaining, unblocked, within
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
