"""The real SDK against a server of our own that speaks the real API on a loopback port."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager

import pytest

pytest.importorskip("openfga_sdk", reason="openfga-sdk is not installed")

from openfga_sdk import ClientConfiguration, OpenFgaClient
from openfga_sdk.configuration import RetryParams
from openfga_sdk.sync import OpenFgaClient as SyncClient

from groundedgen.access import agranted, granted
from groundedgen.errors import InputError
from groundedgen.ports import AsyncAuthorizer, Authorizer, SourceCard
from groundedgen.stores.authorized import AsyncAuthorizedStore, AuthorizedStore
from groundedgen.stores.memory import MemoryStore
from groundedgen.stores.openfga import AsyncOpenFGAAuthorizer, OpenFGAAuthorizer
from tests.servers.loopback import Said
from tests.servers.openfga_wire import STORE, Tuples, openfga


def configuration(server):
    return ClientConfiguration(
        api_url=server.url, store_id=STORE, retry_params=RetryParams(max_retry=0)
    )


@contextmanager
def authorizing(tuples, change=lambda reply: reply, **naming):
    with openfga(tuples, change) as server, SyncClient(configuration(server)) as client:
        yield OpenFGAAuthorizer(client, **naming), server


def store_of(ids):
    return MemoryStore([SourceCard(name) for name in ids], public=ids)


def opened(server, authorizer, ids, reader="ann", **naming):
    """What is granted, synchronously and awaited; the two must agree."""
    cards = store_of(ids)
    found = list(granted(AuthorizedStore(cards, authorizer), ids, reader, 5))
    assert found == asyncio.run(aopened(server, ids, reader, **naming))
    return found


async def aopened(server, ids, reader="ann", **naming):
    async with OpenFgaClient(configuration(server)) as client:
        store = AsyncAuthorizedStore(store_of(ids), AsyncOpenFGAAuthorizer(client, **naming))
        return list(await agranted(store, ids, reader, 5))


def tuples_of(*objects, user="user:ann", relation="viewer"):
    made = Tuples()
    for found in objects:
        made.write(user, relation, found)
    return made


def test_the_server_says_what_a_reader_may_open():
    with authorizing(tuples_of("document:lease")) as (authorizer, server):
        assert ["lease"] == opened(server, authorizer, ["lease", "memo"])
        assert [] == opened(server, authorizer, ["lease", "memo"], "bob")


def test_what_it_takes_back_is_gone_with_the_next_call():
    tuples = tuples_of("document:lease", "document:memo")
    with authorizing(tuples) as (authorizer, server):
        assert ["lease", "memo"] == opened(server, authorizer, ["lease", "memo"])
        tuples.delete("user:ann", "viewer", "document:lease")
        assert ["memo"] == opened(server, authorizer, ["lease", "memo"])


def test_a_call_is_one_batch_that_is_not_answered_from_a_cache():
    with authorizing(tuples_of()) as (authorizer, server):
        authorizer.authorize(["lease", "memo"], "ann")
        [asked] = server.asked
    assert f"/stores/{STORE}/batch-check" == asked.path
    assert "HIGHER_CONSISTENCY" == asked.body["consistency"]
    assert [{"user": "user:ann", "relation": "viewer", "object": "document:lease"},
            {"user": "user:ann", "relation": "viewer", "object": "document:memo"}] == [
        {key: check["tuple_key"][key] for key in ("user", "relation", "object")}
        for check in asked.body["checks"]
    ]  # fmt: skip


def test_more_than_the_server_takes_at_once_is_split():
    ids = [f"doc-{n}" for n in range(120)]
    with authorizing(tuples_of("document:doc-0", "document:doc-119")) as (authorizer, server):
        assert ["doc-0", "doc-119"] == opened(server, authorizer, ids)
        assert 3 + 3 == len(server.asked)


def test_one_part_of_a_split_batch_that_fails_denies_all():
    ids = [f"doc-{n}" for n in range(120)]
    replies = iter([True, False, True])
    lock = threading.Lock()

    def change(reply):
        with lock:
            return reply if next(replies) else Said(500, {"code": "internal_error", "message": ""})

    with authorizing(tuples_of(*(f"document:{i}" for i in ids)), change) as (authorizer, _):
        assert {} == granted(AuthorizedStore(store_of(ids), authorizer), ids, "ann", 5)


def test_passages_of_one_document_are_asked_about_once():
    ids = ["lease#1", "lease#2", "memo#1"]
    naming = {"object_of": lambda name: "document:" + name.partition("#")[0]}
    with authorizing(tuples_of("document:lease"), **naming) as (authorizer, server):
        assert ["lease#1", "lease#2"] == opened(server, authorizer, ids, **naming)
        assert [2, 2] == [len(asked.body["checks"]) for asked in server.asked]


def test_relation_and_user_are_the_callers():
    naming = {"relation": "can_read", "user_of": lambda user: f"employee:{user[0]}"}
    tuples = tuples_of("document:lease", user="employee:7", relation="can_read")
    with authorizing(tuples, **naming) as (authorizer, server):
        assert ["lease"] == opened(server, authorizer, ["lease"], (7, "Ann"), **naming)


@pytest.mark.parametrize("name", ["a b", "lease#1", "a:b", "", "a\nb"])
def test_an_id_that_is_no_object_is_denied_and_takes_no_other_with_it(name):
    with authorizing(tuples_of("document:lease")) as (authorizer, server):
        assert ["lease"] == opened(server, authorizer, [name, "lease"])
        assert [] == opened(server, authorizer, [name])


@pytest.mark.parametrize("reader", [None, 7, "", "a b", "group#member", "*", "x:y"])
def test_a_reader_that_is_no_user_is_asked_about_with_nobody(reader):
    with authorizing(tuples_of("document:lease", user=f"user:{reader}")) as (authorizer, server):
        assert [] == opened(server, authorizer, ["lease"], reader)
        with pytest.raises(InputError, match="user_of="):
            authorizer.authorize(["lease"], reader)
        assert [] == server.asked


def spoiled(result):
    return lambda reply: {"result": result(reply["result"])}


@pytest.mark.parametrize(
    "change",
    [
        lambda reply: Said(500, {"code": "internal_error", "message": "document:lease"}),
        lambda reply: Said(429, {"code": "rate_limit_exceeded", "message": ""}),
        lambda reply: Said(401, {"code": "unauthenticated", "message": ""}),
        lambda reply: Said(200, "<html>"),
        lambda reply: Said(200, ""),
        lambda reply: Said(302, "", {"location": "/elsewhere"}),
        lambda reply: Said(200, reply, cut=True),
        lambda reply: {},
        lambda reply: {"result": {}},
        lambda reply: {"result": []},
        lambda reply: {"result": None},
        spoiled(lambda result: {"9": {"allowed": True}}),
        spoiled(lambda result: {**result, "9": {"allowed": True}}),
        spoiled(lambda result: {key: {} for key in result}),
        spoiled(lambda result: {key: {"allowed": None} for key in result}),
        spoiled(lambda result: {key: {"allowed": False} for key in result}),
        spoiled(lambda result: {
            key: {"allowed": True, "error": {"internal_error": "internal_error", "message": "x"}}
            for key in result
        }),
    ],
)  # fmt: skip
def test_anything_but_a_clear_yes_denies_and_is_not_told(change, caplog):
    with authorizing(tuples_of("document:lease"), change) as (authorizer, server):
        assert [] == opened(server, authorizer, ["lease"])
    assert "lease" not in caplog.text


def test_an_id_that_a_reply_leaves_out_is_denied_alone():
    def without_first(result):
        return {key: value for key, value in result.items() if key != "0"}

    tuples = tuples_of("document:lease", "document:memo")
    with authorizing(tuples, spoiled(without_first)) as (authorizer, server):
        assert ["memo"] == opened(server, authorizer, ["lease", "memo"])


def test_a_server_that_hangs_denies_in_time():
    hang = threading.Event()

    def change(reply):
        hang.wait(10)
        return reply

    with authorizing(tuples_of("document:lease"), change, timeout=0.05) as (authorizer, server):
        store = AuthorizedStore(store_of(["lease"]), authorizer)
        assert {} == granted(store, ["lease"], "ann", None)
        assert [] == asyncio.run(aopened(server, ["lease"], timeout=0.05))
        hang.set()


def test_a_server_that_is_not_there_denies():
    with authorizing(tuples_of("document:lease")) as (authorizer, server):
        pass
    assert [] == opened(server, authorizer, ["lease"])


def test_nothing_to_ask_sends_nothing():
    with authorizing(tuples_of()) as (authorizer, server):
        assert {} == authorizer.authorize([], "ann")
        assert [] == server.asked


def test_a_client_of_the_other_kind_is_a_mistake_of_the_program():
    with authorizing(tuples_of()) as (authorizer, _):
        assert isinstance(authorizer, Authorizer)
        assert not isinstance(authorizer, AsyncAuthorizer)
        with pytest.raises(InputError, match=r"openfga_sdk\.OpenFgaClient"):
            AsyncOpenFGAAuthorizer(authorizer.client)
    with pytest.raises(InputError, match=r"openfga_sdk\.sync"):
        OpenFGAAuthorizer("http://127.0.0.1")
