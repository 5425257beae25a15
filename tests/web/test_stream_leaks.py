"""What a reader may not open leaves no trace in a stream, whoever streams it and however.

Grants are taken back and given between the question and every event, the store fails or hangs at
any of them, and a stream that was kept is shown to another reader.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from contextlib import aclosing
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundedgen import Passage, Policy, aask, ask, astream, render, stream
from groundedgen.errors import ProviderError
from groundedgen.ports import Reply, SourceCard
from groundedgen.render import arender
from groundedgen.testing import MemoryStore, ScriptedJudge
from groundedgen.values import Answer
from groundedgen.web.events import ForReader
from groundedgen.web.sse import sse
from groundedgen.web.vercel import vercel
from tests.stores.test_leaks import everything_said
from tests.test_render import FORMATS

QUESTION = "What is insured, and up to how much?"
THINGS = ("violins", "sailboats", "greenhouses")
SUMS = ("12,471", "38,205", "90,613")


def _passage(n):
    """Its words, its sum and its offsets stand nowhere else."""
    padding = "Terms apply. " * (101 + 67 * n)
    text = f"{padding}All {THINGS[n]} are insured up to {SUMS[n]} euros for each loss."
    return Passage(
        f"doc-{THINGS[n]}",
        text,
        title=f"Title-{n}-{THINGS[n]}",
        url=f"https://docs.example/{THINGS[n]}",
        page=701 + n,
    )


PASSAGES = tuple(map(_passage, range(3)))
CARDS = {p.id: SourceCard(p.id, p.title, p.url, page=p.page) for p in PASSAGES}


def _quote(n):
    return f"All {THINGS[n]} are insured up to {SUMS[n]} euros for each loss"


def _secrets(n):
    passage, start = PASSAGES[n], PASSAGES[n].text.index("All ")
    numbers = (start, start + len(_quote(n)), start + len(_quote(n)) + 1, passage.page)
    numbers += (len(passage.text),)
    words = re.compile(rf"{THINGS[n]}|{SUMS[n]}|Title-{n}")
    return [words, *(re.compile(rf"(?<!\d){number}(?!\d)") for number in numbers)]


SECRETS = {p.id: _secrets(n) for n, p in enumerate(PASSAGES)}
EVERY_SECRET = " ".join(p.text + p.id + (p.title or "") + (p.url or "") for p in PASSAGES)


def leaked(told, may_open):
    """The ids of the passages that something told of but should not have."""
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=repr)
    closed = CARDS.keys() - set(may_open)
    return {name for name in closed if any(secret.search(text) for secret in SECRETS[name])}


class Obedient:
    """Writes one true statement from each passage it is given, in parts, and may then die."""

    name = "obedient"

    def __init__(self, chunk, error=None):
        self.chunk, self.error, self.requests = chunk, error, []

    def generate(self, request):
        self.requests.append(request)
        statements = [
            {"text": f"{THINGS[n].title()} are covered: {SUMS[n]} euros a loss.",
             "sources": [alias], "quote": _quote(n)}
            for alias, text in request.docs.items() for n in range(3) if THINGS[n] in text
        ]  # fmt: skip
        if self.error is not None and self.chunk is None:
            raise self.error
        return Reply(json.dumps({"status": "answered", "statements": statements}))

    async def agenerate(self, request):
        return self.generate(request)


class Streaming(Obedient):
    async def astream(self, request):
        reply = self.generate(request)
        size = len(reply.raw) if self.error is None else 2 * len(reply.raw) // 3
        for start in range(0, size, self.chunk):
            yield reply.raw[start : start + self.chunk]
            await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        yield reply


HANGS, RAISES, NONSENSE = "hangs", "raises", "nonsense"


class Scheduled:
    """A store that grants something else, or fails in another way, each time it is asked."""

    def __init__(self, moves):
        self.moves, self.asked, self.let_go = list(moves), 0, threading.Event()
        self.granted = []

    def _move(self, reader):
        move = self.moves[min(self.asked, len(self.moves) - 1)]
        self.asked += 1
        self.granted.append(set() if isinstance(move, str) else move)
        if move == RAISES:
            raise ConnectionError(EVERY_SECRET)
        return move

    @staticmethod
    def _reply(move, ids):
        if move == NONSENSE:
            return list(CARDS.values())
        return {name: CARDS[name] for name in ids if name in move}


class Plain(Scheduled):
    def get(self, ids, reader):
        move = self._move(reader)
        if move == HANGS:
            self.let_go.wait(20)
            return dict(CARDS)
        return self._reply(move, ids)


class Awaited(Scheduled):
    async def aget(self, ids, reader):
        move = self._move(reader)
        if move == HANGS:
            await asyncio.sleep(20)
            return dict(CARDS)
        return self._reply(move, ids)


class Recorder:
    def __init__(self):
        self.events = []

    def record(self, event):
        self.events.append(event)


grants = st.sets(st.sampled_from(sorted(CARDS)))
moves = st.one_of(grants, grants, grants, st.sampled_from([RAISES, NONSENSE, HANGS]))
schedules = st.lists(moves, min_size=1, max_size=8)
errors = st.sampled_from([None, None, ProviderError(EVERY_SECRET)])
policies = st.sampled_from([Policy(), Policy(), Policy.strict()])

PATIENCE = 30.0
HASTE = 0.02
"""Seconds of the store at an event, where it may hang. That it is short can only deny more."""


def _asking(store, policy, recorder):
    return {
        "judge": ScriptedJudge("supported"), "store": store, "reader": "ann", "policy": policy,
        "recorder": recorder,
    }  # fmt: skip


def _awaited(*given, **asking):
    return asyncio.run(aask(*given, **asking))


async def _events(store, model, *, mode, policy, recorder):
    asking = _asking(store, policy, recorder)
    return [e async for e in astream(QUESTION, PASSAGES, mode=mode, model=model, **asking)]


def _plain(event):
    """All of an event but the words of a provider's error, which are the provider's own."""
    event = replace(event, error=None)
    return {**asdict(event), "whole": event.answer and event.answer.model_dump_json(),
            "repr": repr(event)}  # fmt: skip


async def _shown(kind, events, store, reader, seconds=PATIENCE):
    """Every text that leaves, with what the store had granted when it was made."""

    async def again():
        for event in events:
            yield event

    view = {"store": store, "reader": reader, "timeout": seconds}
    if kind == "events":
        told = ForReader(**view).all(again())
        texts = ((one.name + json.dumps(one.data, ensure_ascii=False)) async for one in told)
    else:
        texts = {"sse": sse, "vercel": vercel}[kind](again(), **view)
    return [(text, set(store.granted[-1]) if store.granted else set()) async for text in texts]


KINDS = st.sampled_from(["events", "sse", "vercel"])


@pytest.mark.parametrize("kind", ["events", "sse", "vercel"])
def test_what_is_open_is_seen_in_every_form_so_that_a_leak_would_be(kind):
    store = Awaited([set(CARDS)])
    made = _events(store, Streaming(40), mode="verified", policy=Policy(), recorder=None)
    events = asyncio.run(made)
    texts = [text for text, _ in asyncio.run(_shown(kind, events, store, "ann"))]
    assert set(CARDS) == leaked(texts, set())
    for n, passage in enumerate(PASSAGES):
        seen = {secret.pattern for secret in SECRETS[passage.id] if secret.search(str(texts))}
        offset = rf"(?<!\d){passage.text.index('All ')}(?!\d)"
        assert {SECRETS[passage.id][0].pattern, offset} <= seen, n


@settings(max_examples=80)
@given(
    at_first=moves,
    later=schedules,
    kind=KINDS,
    mode=st.sampled_from(["verified", "optimistic"]),
    chunk=st.sampled_from([7, 40, 5000]),
    error=errors,
    policy=policies,
    store=st.sampled_from([Plain, Awaited]),
    awaits=st.booleans(),
)
def test_nothing_that_is_closed_at_that_moment_leaves_in_a_stream(
    *, at_first, later, kind, mode, chunk, error, policy, store, awaits
):
    asked = store([at_first] if at_first != HANGS else [RAISES])
    model, recorder = Streaming(chunk, error), Recorder()
    with everything_said() as said:
        if awaits:
            made = {"mode": mode, "policy": policy, "recorder": recorder}
            events = asyncio.run(_events(asked, model, **made))
        else:
            asking = _asking(asked, policy, recorder)
            events = list(stream(QUESTION, PASSAGES, mode=mode, model=model, **asking))
        opened = asked.granted[0]
        shown_by = store(later)
        texts = asyncio.run(_shown(kind, events, shown_by, "ann", HASTE))
        shown_by.let_go.set()
    assert 1 == sum(event.type in {"done", "failed"} for event in events)
    assert set() == leaked([_plain(event) for event in events], opened)
    assert set() == leaked([asdict(event) for event in recorder.events], opened)
    assert set() == leaked([dict(request.docs) for request in model.requests], opened)
    assert set() == leaked([request.prompt.user for request in model.requests], opened)
    for text, granted in texts:
        assert set() == leaked(text, granted & opened), text
    assert set() == leaked(said.getvalue(), set())


@settings(max_examples=40)
@given(
    held=grants,
    kind=KINDS,
    granted=grants,
    reader=st.sampled_from(["bob", "ann"]),
    error=errors,
    format_=st.sampled_from(FORMATS),
)
def test_a_stream_that_was_kept_shows_another_reader_only_what_they_may_open(
    *, held, kind, granted, reader, error, format_
):
    """The events, and the answer as it was stored, replayed for whoever asks now."""
    first = Awaited([held])
    events = asyncio.run(
        _events(first, Streaming(40, error), mode="verified", policy=Policy(), recorder=None)
    )
    store = MemoryStore(list(CARDS.values()), allowed={reader: sorted(granted)})
    store.granted = [granted]
    with everything_said() as said:
        texts = [text for text, _ in asyncio.run(_shown(kind, events, store, reader))]
        if events[-1].answer is not None:
            stored = Answer.model_validate_json(events[-1].answer.model_dump_json())
            shown = {"store": store, "reader": reader, "format": format_}
            texts.append(render(stored, **shown))
            texts.append(asyncio.run(arender(stored, **shown, developer=True)))
    assert set() == leaked("\n".join(texts), granted & held)
    assert set() == leaked(said.getvalue(), set())


@settings(max_examples=30)
@given(grants, KINDS, st.sampled_from([7, 5000]), st.booleans())
def test_a_stream_over_closed_passages_is_the_stream_without_them(granted, kind, chunk, plain):
    """Not a count, not a gap in the numbers: byte for byte as if they had never been found."""

    def texts(passages):
        store = (Plain if plain else Awaited)([granted])

        async def run():
            model = Streaming(chunk)
            asking = _asking(store, Policy(), None)
            events = astream(QUESTION, passages, model=model, **asking)
            async with aclosing(events):
                told = [event async for event in events]
            return [text for text, _ in await _shown(kind, told, store, "ann")]

        return asyncio.run(run())

    open_ones = [passage for passage in PASSAGES if passage.id in granted]
    if open_ones:
        assert texts(open_ones) == texts(PASSAGES)
    else:
        assert set() == leaked(" ".join(texts(PASSAGES)), set())


@settings(max_examples=40)
@given(
    at_first=st.one_of(grants, st.sampled_from([RAISES, NONSENSE])),
    later=schedules,
    error=errors,
    store=st.sampled_from([Plain, Awaited]),
    awaits=st.booleans(),
    format_=st.sampled_from(FORMATS),
)
def test_nothing_that_is_closed_is_in_a_whole_answer_or_its_error(
    *, at_first, later, error, store, awaits, format_
):
    asked, model, recorder = Plain([at_first]), Obedient(None, error), Recorder()
    shown_by = store(later)
    shown = {"store": shown_by, "reader": "ann", "format": format_, "timeout": HASTE}
    with everything_said() as said:
        asking = _asking(asked, Policy(), recorder)
        try:
            answer = (_awaited if awaits else ask)(QUESTION, PASSAGES, model=model, **asking)
        except ProviderError as raised:
            answer = Answer("not_found", "core_lost", QUESTION, trace=raised.trace)
        page = asyncio.run(arender(answer, **shown))
        shown_by.let_go.set()
    assert set() == leaked(answer.model_dump_json() + repr(answer), asked.granted[0])
    assert set() == leaked(page, shown_by.granted[-1] if shown_by.granted else set())
    assert set() == leaked([asdict(event) for event in recorder.events], asked.granted[0])
    assert set() == leaked(said.getvalue(), set())


@pytest.mark.parametrize("store", [Plain, Awaited])
def test_a_store_that_hangs_at_an_event_holds_no_stream_up(store):
    events = asyncio.run(
        _events(Awaited([set(CARDS)]), Streaming(40), mode="verified", policy=Policy(),
                recorder=None)
    )  # fmt: skip
    hanging = store([HANGS])
    texts = asyncio.run(_shown("events", events, hanging, "ann", HASTE))
    hanging.let_go.set()
    assert ["passages", "done"] == [re.match("[a-z]+", text)[0] for text, _ in texts]
    assert set() == leaked([text for text, _ in texts], set())
