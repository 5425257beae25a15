from __future__ import annotations

import asyncio
import threading

import pytest

from groundedgen.errors import InputError
from groundedgen.ports import AsyncSourceStore, SourceCard, SourceStore
from groundedgen.stores.memory import MemoryStore

A, B = SourceCard("a", "Lease"), SourceCard("b", "Memo")


def test_nobody_may_open_what_was_not_granted():
    assert {} == MemoryStore([A, B]).get(["a", "b"], "ann")


def test_a_grant_is_for_one_reader():
    store = MemoryStore([A, B], allowed={"ann": ["a"]})
    assert {"a": A} == store.get(["a", "b"], "ann")
    assert {} == store.get(["a", "b"], "bob")


def test_a_grant_and_its_end_count_from_the_next_call():
    store = MemoryStore([A, B])
    store.grant("ann", "a", "b")
    assert ["a", "b"] == list(store.get(["a", "b"], "ann"))
    store.revoke("ann", "a")
    assert ["b"] == list(store.get(["a", "b"], "ann"))
    store.grant("ann", "a")
    assert ["a", "b"] == list(store.get(["a", "b"], "ann"))


def test_a_public_source_can_be_shut_for_one_reader():
    store = MemoryStore([A], public=["a"])
    store.revoke("ann", "a")
    assert {} == store.get(["a"], "ann")
    assert {"a": A} == store.get(["a"], None)


def test_a_removed_source_comes_back_without_its_grants():
    store = MemoryStore([A], allowed={"ann": ["a"]}, public=["a"])
    store.remove("a", "never there")
    store.put(A)
    assert {} == store.get(["a"], "ann")


def test_cards_can_be_replaced():
    store = MemoryStore([A], public=["a"])
    store.put(SourceCard("a", "Lease, new"))
    assert "Lease, new" == store.get(["a"], None)["a"].title


def test_a_granted_id_without_a_card_is_not_returned():
    assert {} == MemoryStore([], public=["x"]).get(["x"], None)


def test_only_what_was_asked_is_returned_in_that_order():
    store = MemoryStore([A, B], public=["a", "b"])
    assert ["b", "a"] == list(store.get(["b", "a", "z"], None))
    assert {} == store.get([], None)


def test_awaited_it_says_the_same():
    store = MemoryStore([A], public=["a"])
    assert {"a": A} == asyncio.run(store.aget(["a"], None))


def test_it_is_both_kinds_of_store():
    store = MemoryStore()
    assert isinstance(store, SourceStore)
    assert isinstance(store, AsyncSourceStore)


@pytest.mark.parametrize(
    "use",
    [
        lambda: MemoryStore(["a"]),
        lambda: MemoryStore([A], public="a"),
        lambda: MemoryStore([A], allowed={"ann": "a"}),
        lambda: MemoryStore([A]).get("a", None),
    ],
)
def test_what_cannot_be_meant_is_an_error(use):
    with pytest.raises(InputError):
        use()


def test_threads_may_share_it():
    store = MemoryStore([SourceCard(str(n)) for n in range(50)])
    faults = []

    def work(reader):
        for n in range(200):
            name = str(n % 50)
            store.grant(reader, name)
            if name not in store.get([name], reader):
                faults.append(name)
            store.revoke(reader, name)
            if store.get([name], reader):
                faults.append(name)

    threads = [threading.Thread(target=work, args=(f"r{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == faults


@pytest.mark.parametrize(
    "card", [SourceCard("p", page="x"), SourceCard("p", page=True), SourceCard("p", url=b"x")]
)
def test_a_card_that_would_always_be_denied_is_refused(card):
    with pytest.raises(InputError, match="of the card 'p' must be"):
        MemoryStore([A, card])
