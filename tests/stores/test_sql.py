"""Every test that takes `store` runs on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import asyncio
import threading

import pytest

sa = pytest.importorskip("sqlalchemy")

from groundedgen.errors import InputError
from groundedgen.ports import AsyncSourceStore, SourceCard, SourceStore
from groundedgen.stores.sql import (
    METADATA,
    AsyncSqlSourceStore,
    SqlSourceStore,
    create_tables,
)
from tests.growth import LINEAR, factor
from tests.stores.databases import sqlite

A = SourceCard("a", "Lease", "https://docs.example/a", "2026-05-01", 3)
B = SourceCard("b", "Memo")


@pytest.fixture
def store(engine):
    made = SqlSourceStore(engine)
    made.put(A, B)
    return made


def test_nobody_may_open_what_was_not_granted(store):
    assert {} == store.get(["a", "b"], "ann")
    assert {} == store.get(["a", "b"], None)


def test_a_grant_is_for_one_reader_and_brings_the_whole_card(store):
    store.grant("ann", "a")
    assert {"a": A} == store.get(["a", "b"], "ann")
    assert {} == store.get(["a", "b"], "bob")


def test_a_grant_and_its_end_count_from_the_next_call(store):
    store.grant("ann", "a", "b", "a")
    store.grant("ann", "a")
    assert {"a": A, "b": B} == store.get(["a", "b"], "ann")
    store.revoke("ann", "a")
    assert {"b": B} == store.get(["a", "b"], "ann")


def test_a_grant_taken_back_by_another_program_is_gone_with_the_next_call(engine, store):
    store.grant("ann", "a", "b")
    assert {"a", "b"} == set(store.get(["a", "b"], "ann"))
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM groundedgen_grants WHERE source_id = 'a'"))
    assert {"b"} == set(store.get(["a", "b"], "ann"))


def test_a_public_source_is_for_every_reader_until_it_is_not(store):
    store.put(A, public=True)
    assert {"a": A} == store.get(["a", "b"], None)
    assert {"a": A} == store.get(["a", "b"], "bob")
    store.put(A)
    assert {} == store.get(["a", "b"], "bob")


def test_cards_can_be_replaced_and_keep_their_grants(store):
    store.grant("ann", "a")
    newer = SourceCard("a", "Lease, new")
    store.put(newer, newer)
    assert {"a": newer} == store.get(["a"], "ann")


def test_a_removed_source_comes_back_without_its_grants(store):
    store.grant("ann", "a")
    store.remove("a", "never there")
    store.put(A)
    assert {} == store.get(["a"], "ann")


def test_a_grant_of_an_unknown_source_opens_nothing(engine, store):
    if engine.dialect.name == "postgresql":
        with pytest.raises(sa.exc.IntegrityError):
            store.grant("ann", "x")
    else:
        store.grant("ann", "x")
    assert {} == store.get(["x"], "ann")


def test_groups_are_names_of_their_own(engine):
    store = SqlSourceStore(engine, keys=lambda user: [user["name"], *user["groups"]])
    store.put(A, B)
    store.grant("legal", "a")
    store.grant("ann", "b")
    assert {"a", "b"} == set(store.get(["a", "b"], {"name": "ann", "groups": ["legal"]}))
    assert {"a"} == set(store.get(["a", "b"], {"name": "bob", "groups": ["legal", "legal"]}))
    assert {} == store.get(["a", "b"], {"name": "eve", "groups": []})


@pytest.mark.parametrize(
    "reader", ["Ann", "ann ", " ann", "änn", "a%", "*", "", "ann\x00", "\ud800"]
)
def test_a_name_that_is_nearly_the_same_is_another_reader(store, reader):
    store.grant("ann", "a")
    assert {} == store.get(["a", "A"], reader)


@pytest.mark.parametrize("reader", [7, b"ann", ["ann"], object()])
def test_a_reader_that_is_no_name_is_an_error_and_never_taken_for_one(store, reader):
    with pytest.raises(InputError, match="keys="):
        store.get(["a"], reader)


def test_an_id_that_no_database_can_hold_denies_itself_alone(store):
    store.grant("ann", "a")
    assert {"a": A} == store.get(["\x00", "\ud800", "a", "a"], "ann")


def test_words_of_sql_are_words(store):
    hostile = "a'; DROP TABLE groundedgen_sources; --"
    store.put(SourceCard(hostile, "%_\\"))
    store.grant("x' OR '1'='1", hostile)
    assert {} == store.get(["a", hostile], "ann")
    assert [hostile] == list(store.get(["a", hostile], "x' OR '1'='1"))


def test_nothing_asked_is_nothing_opened(store):
    assert {} == store.get([], "ann")
    with pytest.raises(InputError):
        store.get("a", "ann")


@pytest.mark.parametrize("count", [1, 200])
def test_a_call_is_one_query_however_many_are_asked(engine, store, count):
    ids = [f"s{n}" for n in range(count)]
    store.put(*map(SourceCard, ids))
    store.grant("ann", *ids)
    said = []
    sa.event.listen(engine, "before_cursor_execute", lambda *args: said.append(args[2]))
    assert ids == sorted(store.get(ids, "ann"), key=ids.index)
    assert 1 == len(said)


def test_more_ids_and_keys_than_one_statement_takes_are_asked_in_parts(engine):
    ids = [f"s{n}" for n in range(1_200)]
    store = SqlSourceStore(engine, keys=lambda groups: groups)
    store.put(*map(SourceCard, ids))
    store.put(*(SourceCard(name, "New") for name in ids[::2]), public=True)
    store.grant("g900", *ids[1::2])
    groups = [f"g{n}" for n in range(901)]
    assert set(ids) == set(store.get(ids, groups))
    assert set(ids[::2]) == set(store.get(ids, groups[:-1])) == set(store.get(ids, []))
    assert "New" == store.get(ids, [])["s1198"].title
    store.revoke("g900", *ids)
    assert set(ids[::2]) == set(store.get(ids, groups))
    store.remove(*ids)
    assert {} == store.get(ids, groups)


def test_a_refused_card_leaves_the_others_as_they_were(store):
    with pytest.raises(InputError, match="the page of the card 'b' must be a whole number"):
        store.put(SourceCard("a", "New"), SourceCard("b", page="x"), public=True)
    assert {} == store.get(["a", "b"], "bob")


def test_time_grows_with_the_ids_and_not_with_their_square(tmp_path):
    with sqlite() as engine:
        store = SqlSourceStore(engine, keys=lambda keys: keys)
        store.put(*(SourceCard(f"s{n}") for n in range(8_000)), public=True)

        def found(text):
            ids = [f"s{n}" for n in range(len(text))]
            assert len(ids) == len(store.get(ids, ["ann"]))

        assert factor(found, "x", size=1_500) < LINEAR


def test_an_authorizer_decides_instead_of_the_table(engine):
    asked = []

    def authorize(ids, reader):
        asked.append((list(ids), reader))
        return {"b", "z"}

    store = SqlSourceStore(engine, authorizer=authorize)
    store.put(A, B, public=True)
    store.grant("7", "a")
    assert {"b": B} == store.get(["a", "b"], 7)
    assert [(["a", "b"], 7)] == asked


def test_a_database_that_fails_raises_and_so_denies(engine, store):
    METADATA.drop_all(engine)
    with pytest.raises(sa.exc.DBAPIError):
        store.get(["a"], "ann")


def test_a_collation_that_ignores_case_takes_no_two_readers_for_one(tmp_path):
    engine = sa.create_engine(f"sqlite:///{tmp_path}/nocase.db")
    with engine.begin() as connection:
        connection.execute(
            sa.text(
                "CREATE TABLE groundedgen_sources (id TEXT COLLATE NOCASE PRIMARY KEY, title TEXT,"
                " url TEXT, date TEXT, page INTEGER, public BOOLEAN NOT NULL DEFAULT 0)"
            )
        )
        connection.execute(
            sa.text(
                "CREATE TABLE groundedgen_grants (reader TEXT COLLATE NOCASE, source_id TEXT,"
                " PRIMARY KEY (reader, source_id))"
            )
        )
    store = SqlSourceStore(engine)
    store.put(A)
    store.grant("ANN", "a")
    assert {"a": A} == store.get(["a"], "ANN")
    assert {} == store.get(["a"], "ann")
    lower = SqlSourceStore(engine, authorizer=lambda ids, reader: ["A"])
    assert {} == lower.get(["A", "a"], "ann")
    engine.dispose()


@pytest.mark.parametrize("use", [
    lambda engine: SqlSourceStore("sqlite://"),
    AsyncSqlSourceStore,
    lambda engine: SqlSourceStore(engine).put("a"),
    lambda engine: SqlSourceStore(engine, authorizer=7),
    lambda engine: SqlSourceStore(engine).put(SourceCard("p", page="x")),
    lambda engine: SqlSourceStore(engine).put(SourceCard("p", page=True)),
    lambda engine: SqlSourceStore(engine).put(SourceCard("p", page=2**31)),
    lambda engine: SqlSourceStore(engine).put(SourceCard("p", title=7)),
    lambda engine: SqlSourceStore(engine).put(SourceCard("p", title="a\x00b")),
    lambda engine: SqlSourceStore(engine).put(SourceCard("p\ud800")),
    lambda engine: SqlSourceStore(engine).put(SourceCard(7)),
])  # fmt: skip
def test_what_cannot_be_meant_is_an_error(tmp_path, use):
    engine = sa.create_engine(f"sqlite:///{tmp_path}/a.db")
    create_tables(engine)
    with pytest.raises(InputError):
        use(engine)
    engine.dispose()


def test_threads_may_share_it(store):
    faults = []

    def work(reader):
        for _ in range(10):
            store.grant(reader, "a")
            if "a" not in store.get(["a"], reader):
                faults.append(reader)
            store.revoke(reader, "a")
            if store.get(["a"], reader):
                faults.append(reader)

    threads = [threading.Thread(target=work, args=(f"r{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == faults


def test_awaited_it_says_the_same(engine, store):
    asyncio_ = pytest.importorskip("sqlalchemy.ext.asyncio")
    if engine.dialect.name == "sqlite":
        pytest.importorskip("aiosqlite", reason="aiosqlite is not installed")
        url = engine.url.set(drivername="sqlite+aiosqlite")
        options = {}
    else:
        url, options = engine.url, {"connect_args": {"options": _search_path(engine)}}
    store.grant("ann", "a")

    async def asked(reader, **arguments):
        made = asyncio_.create_async_engine(url, **options)
        found = AsyncSqlSourceStore(made, **arguments)
        assert isinstance(found, AsyncSourceStore)
        try:
            return await found.aget(["a", "b"], reader)
        finally:
            await made.dispose()

    async def permits(ids, reader):
        return ["b"]

    assert {"a": A} == asyncio.run(asked("ann"))
    assert {} == asyncio.run(asked("bob"))
    assert {"b": B} == asyncio.run(asked("bob", authorizer=permits))
    assert {"b": B} == asyncio.run(asked("bob", authorizer=lambda ids, reader: ["b"]))


def test_an_awaited_call_that_is_given_up_stops_between_two_statements(tmp_path):
    """However many ids there are, a time-out is seen: arender cancels what is late."""
    asyncio_ = pytest.importorskip("sqlalchemy.ext.asyncio")
    pytest.importorskip("aiosqlite", reason="aiosqlite is not installed")
    ids = [f"s{n}" for n in range(4_000)]
    with sqlite(tmp_path / "many.db") as engine:
        SqlSourceStore(engine).put(*map(SourceCard, ids), public=True)
        said = []

        async def asked():
            made = asyncio_.create_async_engine(engine.url.set(drivername="sqlite+aiosqlite"))
            task = asyncio.create_task(AsyncSqlSourceStore(made).aget(ids, "ann"))

            def late(*args):
                said.append(args[2])
                if len(said) == 2:
                    task.cancel()

            sa.event.listen(made.sync_engine, "before_cursor_execute", late)
            try:
                await task
            finally:
                await made.dispose()

        with pytest.raises(asyncio.CancelledError):
            asyncio.run(asked())
    assert 2 == len(said)


def _search_path(engine):
    with engine.connect() as connection:
        return f"-csearch_path={connection.scalar(sa.text('SHOW search_path'))}"


def test_it_is_a_store(store):
    assert isinstance(store, SourceStore)
    assert not isinstance(store, AsyncSourceStore)
