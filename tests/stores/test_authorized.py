from __future__ import annotations

import asyncio
from types import MappingProxyType

import pytest

from groundedgen.access import agranted, granted, permitted
from groundedgen.errors import InputError
from groundedgen.ports import SourceCard
from groundedgen.stores.authorized import (
    AsyncAuthorizedStore,
    AuthorizedStore,
    each,
)
from groundedgen.stores.memory import MemoryStore

IDS = ["a", "b"]
CARDS = MemoryStore([SourceCard("a"), SourceCard("b"), SourceCard("c")], public=[*IDS, "c"])


def opens(authorizer, store=CARDS, ids=IDS, reader="ann"):
    """What both kinds of store grant; they must agree."""
    awaited = AsyncAuthorizedStore(store, authorizer)
    found = list(asyncio.run(agranted(awaited, ids, reader, 5)))
    if not asyncio.iscoroutinefunction(authorizer):
        assert found == list(granted(AuthorizedStore(store, authorizer), ids, reader, None))
    return found


@pytest.mark.parametrize(
    "reply",
    [
        {"a"}, ["a"], ("a",), frozenset("a"), {"a": True},
        MappingProxyType({"a": True, "b": False}),
        {"a": True, "z": True}, {"a": True}.keys(), ["a", "z", 7, None],
        {"a": True, "b": 1}, {"a": True, "b": "yes"}, {"a": True, "b": None},
    ],
)  # fmt: skip
def test_what_is_named_is_permitted_and_nothing_else(reply):
    assert ["a"] == opens(lambda ids, reader: reply)


@pytest.mark.parametrize(
    "reply",
    [None, True, 1, "a", "ab", b"ab", bytearray(b"a"), object(), iter(["a"]), {"a": False},
     [["a"]]],
)  # fmt: skip
def test_a_reply_that_names_nothing_permits_nothing(reply):
    assert [] == opens(lambda ids, reader: reply)


def test_a_function_that_must_be_awaited_permits_the_same():
    async def authorize(ids, reader):
        return {"a"} if reader == "ann" else set()

    assert ["a"] == opens(authorize)
    assert [] == opens(authorize, reader="bob")


def test_a_coroutine_where_none_is_awaited_permits_nothing():
    async def authorize(ids, reader):
        return ids

    def start(ids, reader):
        return authorize(ids, reader)

    assert [] == opens(start)


@pytest.mark.parametrize("error", [OSError("a"), TimeoutError("a"), KeyError("a"), InputError("a")])
def test_an_authorizer_that_fails_denies_all_and_tells_nothing(error, caplog):
    def fail(ids, reader):
        raise error

    async def afail(ids, reader):
        raise error

    assert [] == opens(fail) == opens(afail)
    assert not {"a", "'a'"} & set(caplog.text.split())


def test_each_asks_once_an_id():
    assert ["b"] == opens(each(lambda name, reader: name == "b"))
    assert [] == opens(each(lambda name, reader: "yes"))


def test_each_denies_all_when_one_fails():
    assert [] == opens(each(lambda name, reader: name == "a" or 1 / 0))


def test_the_store_is_asked_for_what_is_permitted_only():
    asked = []

    class Store:
        def get(self, ids, reader):
            asked.append((tuple(ids), reader))
            return {"a": SourceCard("a"), "b": SourceCard("b")}

    assert ["b"] == opens(lambda ids, reader: {"b"}, Store())
    assert [(("b",), "ann")] * 2 == asked


def test_the_store_may_deny_what_the_authorizer_permits():
    store = MemoryStore([SourceCard("a"), SourceCard("b")], public=["b"])
    assert ["b"] == opens(lambda ids, reader: ids, store)


def test_where_nothing_is_permitted_the_store_is_not_asked():
    class Store:
        def get(self, ids, reader):
            raise AssertionError("asked")

    assert {} == AuthorizedStore(Store(), lambda ids, reader: ()).get(IDS, "ann")


def test_nothing_asked_asks_nobody():
    def fail(ids, reader):
        raise AssertionError("asked")

    assert {} == AuthorizedStore(CARDS, fail).get([], "ann")
    assert {} == asyncio.run(AsyncAuthorizedStore(CARDS, fail).aget([], "ann"))


def test_it_is_asked_again_at_every_call():
    held = {"a"}
    store = AuthorizedStore(CARDS, lambda ids, reader: held)
    assert ["a"] == list(store.get(IDS, "ann"))
    held.clear()
    assert [] == list(store.get(IDS, "ann"))


class OnlyAwaited:
    async def aauthorize(self, ids, reader):
        return ids

    async def aget(self, ids, reader):
        return CARDS.get(ids, reader)


async def awaited(ids, reader):
    return ids


@pytest.mark.parametrize(
    ("store", "authorizer"),
    [(CARDS, OnlyAwaited()), (CARDS, awaited), (CARDS, 7), (CARDS, None),
     (OnlyAwaited(), each(bool)), ({}, each(bool))],
)  # fmt: skip
def test_what_could_only_ever_deny_is_a_mistake_of_the_program(store, authorizer):
    with pytest.raises(InputError):
        AuthorizedStore(store, authorizer)


def test_both_may_be_awaited():
    store = AsyncAuthorizedStore(OnlyAwaited(), OnlyAwaited())
    assert IDS == list(asyncio.run(store.aget(IDS, "ann")))
    with pytest.raises(InputError):
        AsyncAuthorizedStore(object(), OnlyAwaited())


def test_an_authorizer_that_hangs_denies_in_time():
    async def hang(ids, reader):
        await asyncio.Event().wait()

    store = AsyncAuthorizedStore(CARDS, hang)
    assert {} == asyncio.run(agranted(store, IDS, "ann", 0.01))


def test_the_order_is_that_of_the_ids_asked():
    assert ["b", "a"] == opens(lambda ids, reader: ["a", "b"], ids=["b", "a"])
    assert frozenset("a") == permitted({"a"}, ["a", "a"])
