"""What arrives in an event loop, read by code that does not await."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from groundedgen.relay import Relay

WHO = contextvars.ContextVar("who", default="nobody")


def read(make, patience=None):
    relay = Relay(make, ending=5.0)
    try:
        return list(relay.items(patience))
    finally:
        relay.end()


def test_nothing_that_arrives_is_taken_for_the_end_or_for_an_error():
    async def odd():
        for item in (None, ValueError("an item"), 0):
            yield item

    assert [type(None), ValueError, int] == [type(item) for item in read(odd)]


def test_what_is_raised_in_the_thread_is_raised_where_it_is_read():
    async def failing():
        yield 1
        raise ValueError("broken")

    relay = Relay(failing, ending=5.0)
    items = relay.items(None)
    assert 1 == next(items)
    with pytest.raises(ValueError, match="broken"):
        next(items)
    relay.end()


def test_the_context_of_the_caller_is_that_of_the_thread():
    async def who():
        yield WHO.get()

    token = WHO.set("ann")
    try:
        assert ["ann"] == read(who)
    finally:
        WHO.reset(token)


def test_ending_it_cancels_what_is_awaited():
    cancelled = threading.Event()

    async def endless():
        yield 1
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    relay = Relay(endless, ending=5.0)
    assert 1 == next(relay.items(None))
    relay.end()
    assert cancelled.is_set()


def test_a_part_that_blocks_the_loop_is_not_waited_for():
    goes_on = threading.Event()

    async def blocking():
        goes_on.wait()
        yield 1

    relay = Relay(blocking, ending=5.0)
    assert ([], True) == (list(relay.items(0.05)), relay.is_stuck)
    relay.end()
    goes_on.set()
