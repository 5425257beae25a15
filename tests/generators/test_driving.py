"""Steps carried out, requests in their time, and warnings let pass while nothing was sent."""

from __future__ import annotations

import asyncio
import threading
import warnings

import pytest

from groundedgen.deadlines import OverdueError
from groundedgen.generators.transport.driving import adriven, driven
from groundedgen.generators.transport.timing import atimed, timed
from groundedgen.generators.transport.unwarned import aunwarned, unwarned


def _steps():
    total = 0
    for number in (1, 2, 3):
        total += yield {"number": number}
    return total, threading.get_ident()


async def _asend(body):
    return body["number"] * 2


@pytest.mark.parametrize("in_thread", [False, True])
def test_steps_come_to_the_same_whether_they_are_awaited_or_not(in_thread):
    here, _ = driven(_steps(), lambda body: body["number"] * 2)
    there, thread = asyncio.run(adriven(_steps(), _asend, in_thread=in_thread))
    assert (12, 12) == (here, there)
    assert in_thread is (thread != threading.get_ident())


def test_a_request_that_is_late_comes_to_that_and_its_own_time_out_is_its_own():
    late = asyncio.run(atimed(asyncio.Event().wait, 0.01, lambda error: False))
    assert TimeoutError is type(late)
    goes_on = threading.Event()
    assert isinstance(timed(goes_on.wait, 0.01, lambda error: False), OverdueError)
    goes_on.set()

    async def fails():
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        asyncio.run(atimed(fails, 60.0, lambda error: False))
    assert "its own" in str(asyncio.run(atimed(fails, 60.0, lambda error: True)))


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize(("begun", "calls"), [(False, 2), (True, 1)])
def test_a_warning_is_let_pass_only_while_nothing_was_sent(awaited, begun, calls):
    made = []

    def call():
        made.append(1)
        warnings.warn(f"a mode of {awaited} and {begun}", UserWarning, stacklevel=1)
        return "a reply"

    async def acall():
        return call()

    def tried():
        if awaited:
            return asyncio.run(aunwarned(acall, lambda: begun))
        return unwarned(call, lambda: begun)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if begun:
            with pytest.raises(UserWarning, match="a mode of"):
                tried()
        else:
            assert "a reply" == tried()
    assert calls == len(made)
