"""How long a store is waited for: as the deadline allows, a moment more, and only once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from groundedgen import access
from groundedgen.errors import InputError
from groundedgen.ports import SourceCard
from groundedgen.web import guard
from groundedgen.web.guard import GRACE, Guard

CARDS = {"a": SourceCard("a")}


class Hangs:
    """Answers some times, then hangs."""

    def __init__(self, answers=0):
        self.answers, self.asked, self.let_go = answers, 0, threading.Event()

    def get(self, ids, reader):
        self.asked += 1
        if self.asked > self.answers:
            self.let_go.wait(20)
        return CARDS


def asked(asks, times=1):
    async def all_of_them():
        return [await asks.cards(["a"]) for _ in range(times)]

    return asyncio.run(all_of_them())


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test turns, and the seconds that the store was given each time."""

    class Clock:
        now, given, takes = 100.0, [], 0.0

        @staticmethod
        def monotonic():
            return Clock.now

    async def aasked(store, ids, reader, seconds):
        Clock.given.append(seconds)
        Clock.now += Clock.takes
        return CARDS

    Clock.given = []
    monkeypatch.setattr(guard, "time", Clock)
    monkeypatch.setattr(access, "aasked", aasked)
    return Clock


def test_a_store_that_was_late_is_not_asked_again_and_leaves_one_thread_behind():
    store = Hangs(answers=1)
    before = threading.active_count()
    seen = asked(Guard(store, "ann", 0.02), times=6)
    left = threading.active_count() - before
    store.let_go.set()
    assert [CARDS, {}, {}, {}, {}, {}] == seen
    assert (2, True) == (store.asked, left <= 1)


def test_a_store_that_fails_in_time_is_asked_again():
    class Fails:
        def __init__(self):
            self.asked = 0

        async def aget(self, ids, reader):
            self.asked += 1
            if self.asked == 1:
                raise TimeoutError("its own")
            return CARDS

    assert [{}, CARDS] == asked(Guard(Fails(), "ann", 5), times=2)


def test_a_store_has_what_is_left_of_the_deadline_and_a_moment_more(clock):
    asks = Guard(Hangs(), "ann", 10)
    asks.begins(4)
    asked(asks)
    clock.now += 3.5
    asked(asks)
    clock.now += 60
    asked(asks)
    assert pytest.approx([4 + GRACE, 0.5 + GRACE, GRACE]) == clock.given


def test_the_moment_after_the_deadline_is_for_all_events_together(clock):
    asks = Guard(Hangs(), "ann", 10)
    asks.begins(1)
    clock.takes = 0.9
    asked(asks, times=3)
    assert pytest.approx([1 + GRACE, 0.1 + GRACE, GRACE - 0.8]) == clock.given


def test_a_reader_who_is_slow_takes_nothing_from_the_store(clock):
    asks = Guard(Hangs(), "ann", 10)
    asks.begins(1)
    for _ in range(50):
        clock.now += 30
        assert [CARDS] == asked(asks)
    assert pytest.approx([GRACE] * 50) == clock.given


def test_without_a_deadline_the_store_has_its_own_time(clock):
    asks = Guard(Hangs(), "ann", 10)
    asked(asks)
    asks.begins(None)
    asked(asks)
    assert [10, 10] == clock.given


def test_without_a_store_nobody_is_asked():
    assert [None] == asked(Guard(None, None, 1))


@pytest.mark.parametrize(("store", "reader"), [(None, "ann"), ({"a": 1}, "ann"), (object(), None)])
def test_a_store_that_cannot_be_asked_is_refused(store, reader):
    with pytest.raises(InputError):
        Guard(store, reader, 1)
