"""What a reader may not open leaves no trace: whatever the store, however it fails, and whoever
the answer was made for."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import threading
from contextlib import contextmanager, nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundedgen import ask
from groundedgen.errors import InputError
from groundedgen.ports import SourceCard
from groundedgen.render import arender, render
from groundedgen.stores.authorized import AsyncAuthorizedStore, AuthorizedStore
from groundedgen.stores.memory import MemoryStore
from groundedgen.values import Answer
from tests.test_render import FORMATS, NOTHING, PASSAGES, READER, grants, of, some_answers, without

IDS = [passage.id for passage in PASSAGES]
CARDS = [SourceCard(p.id, p.title, p.url, p.date) for p in PASSAGES]
ALL = set(range(len(PASSAGES)))
SECRETS = {n: of(n) for n in ALL}


# Every kind of store, behind one way to say who may open what


class Memory:
    def __init__(self):
        self.store = MemoryStore(CARDS)

    def allow(self, reader, numbers):
        self.store.revoke(reader, *IDS)
        self.store.grant(reader, *(IDS[n] for n in numbers))


class Sql:
    def __init__(self, engine):
        from groundedgen.stores.sql import SqlSourceStore

        self.store = SqlSourceStore(engine)
        self.store.put(*CARDS)

    def allow(self, reader, numbers):
        self.store.revoke(reader, *IDS)
        self.store.grant(reader, *(IDS[n] for n in numbers))


class Function:
    def __init__(self):
        self.held = {}
        self.store = AuthorizedStore(MemoryStore(CARDS, public=IDS), self._authorize)

    def _authorize(self, ids, reader):
        return self.held.get(reader, set()) & set(ids)

    def allow(self, reader, numbers):
        self.held[reader] = {IDS[n] for n in numbers}


class OpenFGA:
    def __init__(self, tuples, client):
        from groundedgen.stores.openfga import OpenFGAAuthorizer

        self.tuples = tuples
        self.store = AuthorizedStore(MemoryStore(CARDS, public=IDS), OpenFGAAuthorizer(client))

    def allow(self, reader, numbers):
        for n, name in enumerate(IDS):
            change = self.tuples.write if n in numbers else self.tuples.delete
            change(f"user:{reader}", "viewer", f"document:{name}")


@contextmanager
def _sqlite():
    pytest.importorskip("sqlalchemy", reason="sqlalchemy is not installed")
    from tests.stores.databases import sqlite

    with sqlite() as engine:
        yield Sql(engine)


@contextmanager
def _openfga():
    pytest.importorskip("openfga_sdk", reason="openfga-sdk is not installed")
    from openfga_sdk import ClientConfiguration
    from openfga_sdk.sync import OpenFgaClient

    from tests.servers.openfga_wire import STORE, Tuples, openfga

    tuples = Tuples()
    with openfga(tuples) as server:
        settings = ClientConfiguration(api_url=server.url, store_id=STORE)
        with OpenFgaClient(settings) as client:
            yield OpenFGA(tuples, client)


@pytest.fixture(scope="module", params=["memory", "sql", "function", "openfga"])
def kind(request):
    makers = {
        "memory": lambda: nullcontext(Memory()), "function": lambda: nullcontext(Function()),
        "sql": _sqlite, "openfga": _openfga,
    }  # fmt: skip
    with makers[request.param]() as made:
        yield made


# How a store may fail: each takes the sound reply apart, or gives none


def _fails(reply):
    raise RuntimeError("; ".join(word for words in SECRETS.values() for word in words))


FAILURES = {
    "works": lambda reply: reply,
    "raises": _fails,
    "leaves one out": lambda reply: dict(list(reply.items())[1:]),
    "mixes up ids": lambda reply: dict(zip(reply, [*list(reply.values())[1:], None], strict=False)),
    "is no mapping": lambda reply: list(reply.values()),
    "holds no cards": lambda reply: {name: card.title for name, card in reply.items()},
    "has wrong fields": lambda reply: {n: SourceCard(n, 7, b"x") for n in reply},
    "is nothing": lambda reply: None,
}


class Failing:
    def __init__(self, store, failure):
        self.store, self.failure = store, FAILURES[failure]

    def get(self, ids, reader):
        return self.failure(self.store.get(ids, reader))


@contextmanager
def everything_said():
    """All that is logged, at every level, and all that is written to standard error."""
    said = io.StringIO()
    handler, root = logging.StreamHandler(said), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logger = logging.getLogger("groundedgen")
    before, logger.level = logger.level, logging.DEBUG
    try:
        with contextlib.redirect_stderr(said):
            yield said
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
        logger.level = before


def leaked(text, granted):
    return {word for n in ALL - granted for word in SECRETS[n] if word in text}


failures = st.sampled_from([*FAILURES, "works", "works", "works"])


@given(
    answer=some_answers,
    granted=grants,
    format_=st.sampled_from(FORMATS),
    failure=failures,
    developer=st.booleans(),
    awaited=st.booleans(),
)
def test_a_stored_answer_shows_another_reader_only_what_they_may_open(
    kind, answer, granted, format_, failure, *, developer, awaited
):
    """Made for a reader who may open everything, stored, and replayed for one who may not."""
    kind.allow(READER, ALL)
    kind.allow("bob", granted)
    stored = Answer.model_validate_json(answer.model_dump_json())
    store = Failing(kind.store, failure)
    wanted = {"store": store, "reader": "bob", "format": format_, "developer": developer}
    with everything_said() as said:
        page = asyncio.run(arender(stored, **wanted)) if awaited else render(stored, **wanted)
    assert set() == leaked(page, granted) | leaked(said.getvalue(), set())
    if failure not in {"works", "leaves one out"}:
        assert set() == leaked(page, set())


@given(some_answers, grants, grants, st.sampled_from(FORMATS))
def test_what_was_revoked_since_is_as_if_it_had_never_been(kind, answer, before, after, format_):
    """Neither a word nor a count nor a gap in the numbers tells that something is hidden."""
    kind.allow(READER, before)
    shown = {"store": kind.store, "reader": READER, "format": format_}
    render(answer, **shown)
    kind.allow(READER, after)
    page = render(answer, **shown)
    assert set() == leaked(page, after)
    if NOTHING not in page:
        assert render(without(answer, after), **shown) == page


@given(grants, grants, failures, st.sampled_from(FORMATS))
def test_from_the_question_to_the_page_nothing_denied_is_anywhere(
    kind, before, after, failure, format_
):
    """Revoked between `ask` and `render`, with a store that may fail at either."""
    kind.allow(READER, before)
    with everything_said() as said:
        answer = ask(
            "What follows from the start?",
            PASSAGES,
            store=Failing(kind.store, failure),
            reader=READER,
        )
        assert set() == leaked(answer.model_dump_json() + repr(answer), before)
        kind.allow(READER, after)
        page = render(answer, store=kind.store, reader=READER, format=format_)
    assert set() == leaked(page, before & after)
    assert set() == leaked(said.getvalue(), set())


@given(some_answers, grants, st.sampled_from(FORMATS), st.booleans())
def test_a_store_that_hangs_shows_nothing(answer, granted, format_, awaited):
    release = threading.Event()

    class Hanging:
        def get(self, ids, reader):
            release.wait(10)
            return {card.id: card for card in CARDS}

    wanted = {"store": Hanging(), "reader": READER, "format": format_, "timeout": 0.001}
    try:
        with everything_said() as said:
            page = asyncio.run(arender(answer, **wanted)) if awaited else render(answer, **wanted)
    finally:
        release.set()
    assert set() == leaked(page + said.getvalue(), set())


@given(some_answers, grants, st.sampled_from(FORMATS))
def test_an_authorizer_that_hangs_or_fails_shows_nothing(answer, granted, format_):
    async def hang(ids, reader):
        await asyncio.Event().wait()

    def fail(ids, reader):
        _fails(ids)

    cards = MemoryStore(CARDS, public=IDS)
    shown = {"reader": READER, "format": format_}
    with everything_said() as said:
        store = AsyncAuthorizedStore(cards, hang)
        pages = asyncio.run(arender(answer, store=store, timeout=0.001, **shown))
        pages += render(answer, store=AuthorizedStore(cards, fail), **shown)
    assert set() == leaked(pages + said.getvalue(), set())


@given(some_answers)
def test_no_error_tells_what_an_answer_holds(answer):
    for wrong in (
        {"format": "pdf"}, {"lang": "xx"}, {"reader": "bob"}, {"store": {}, "reader": "bob"},
        {"store": Memory().store, "reader": "bob", "timeout": 0.01, "format": "?"},
    ):  # fmt: skip
        with pytest.raises(InputError) as raised:
            render(answer, **wrong)
        assert set() == leaked(str(raised.value) + repr(raised.value), set())
