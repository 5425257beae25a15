"""Whatever a provider or a judge does wrong while it streams, nothing unverified is shown.

The world and its faults are those of `tests/faults.py`, under the real SDKs; here its replies
arrive in small pieces, cut anywhere, and most faults come in the middle of one.
`GROUNDEDGEN_FAULTS` sets how many seeds are tried.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter

import pytest

tenacity = pytest.importorskip("tenacity")
openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")

import httpx2

from groundedgen import Policy, astream
from groundedgen.errors import GenerationError
from groundedgen.generators import retrying
from groundedgen.judges.llm import LLMJudge
from tests import faults
from tests.servers.streaming_wire import anthropic_parts, openai_parts, overloaded
from tests.streams import cut

SEEDS = int(os.environ.get("GROUNDEDGEN_FAULTS", "600")) // 2
PARTS = 4


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Retries as many as ever, without the waits between them."""
    monkeypatch.setattr(retrying, "_BACKOFF", tenacity.wait_fixed(0))


class _Pieces(httpx2.AsyncByteStream):
    """A body in pieces; others get their turn between them, and it may break off."""

    def __init__(self, pieces, error=None, *, hangs=False):
        self.pieces, self.error, self.hangs = pieces, error, hangs

    async def __aiter__(self):
        for piece in self.pieces:
            await asyncio.sleep(0)
            yield piece
        if self.hangs:
            await asyncio.sleep(30)
        if self.error is not None:
            raise self.error


class _Streaming(faults._Wire):
    """The wire of the other faults, but drafts arrive as a model writes them."""

    def __init__(self, world):
        super().__init__(world)
        self.cuts = random.Random(world.outcome.seed)

    async def handle_async_request(self, request):
        asked = json.loads(await request.aread())
        system, _ = faults._prompt(asked)
        if "You check claims" in system:
            return await self._whole(asked, request)
        return self._arriving(request, *self.world.said(asked))

    async def _whole(self, asked, request):
        kind, response = self._answer(asked)
        if kind == "hang":
            await asyncio.sleep(30)
        if kind == "dropped":
            raise httpx2.RemoteProtocolError("the socket was closed", request=request)
        return response

    def _arriving(self, request, kind, text, end):
        sdk = self.world.outcome.sdk
        if kind in {"busy_long", "busy_short", "error_500", "denied"}:
            return faults._failed(kind, sdk == "openai")
        if kind == "html":
            return httpx2.Response(200, html="<html>sign in</html>")
        count = self.cuts.choice((0, 3, 30))
        parts = cut(text, *(self.cuts.randint(0, 10_000) for _ in range(count)))
        stops = {"length": "max_tokens", "filter": "refusal", "refusal": "refusal"}
        finishes = {"filter": "content_filter", "refusal": "content_filter"}
        pieces = (
            openai_parts(parts, finishes.get(end, end))
            if sdk == "openai"
            else anthropic_parts(parts, stops.get(end, "end_turn"))
        )
        keep = self.cuts.randint(1, len(pieces) - 1)
        error = None
        if kind in {"dropped", "hang", "overloaded_in_200", "stream_cut"}:
            pieces = pieces[:keep]
        if kind == "overloaded_in_200":
            pieces.append(overloaded(sdk))
        if kind == "dropped":
            error = httpx2.RemoteProtocolError("the socket was closed", request=request)
        body = _Pieces(pieces, error, hangs=kind == "hang")
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=body)


def run(seed):
    """The events of one call, and what the world saw of it."""
    world = faults._World(seed)
    policy = world.random.choice((Policy(), Policy(), Policy.strict()))
    outcome = world.outcome

    async def streaming():
        async with httpx2.AsyncClient(transport=_Streaming(world)) as http:
            model = faults._generator(
                outcome.sdk, openai.AsyncOpenAI, anthropic.AsyncAnthropic, http
            )
            question = "Is a burst pipe covered?"
            events = astream(question, faults.PASSAGES, model=model, judge=LLMJudge(model),
                             policy=policy, timeout=outcome.deadline)  # fmt: skip
            return [event async for event in events]

    return asyncio.run(streaming()), outcome


@pytest.mark.parametrize("part", range(PARTS))
def test_no_fault_shows_or_takes_back_what_it_must_not(part):
    for seed in range(part, SEEDS, PARTS):
        _holds(*run(seed))


def _holds(events, outcome):
    where = f"seed {outcome.seed}: {outcome.faults}"
    shown = [event.statement for event in events if event.type == "statement"]
    for statement in shown:
        assert statement.verified, where
        assert statement.text in faults.TRUE, where
        assert statement.text in outcome.supported, where
    assert "passages" == events[0].type, where
    assert 1 == sum(event.type in {"done", "failed"} for event in events), where
    last = events[-1]
    if last.type == "failed":
        assert isinstance(last.error, GenerationError), where
        assert [] == shown, where
        return
    assert tuple(shown) == last.answer.statements, where
    assert last.answer.attempts <= 2, where
    assert bool(shown) == (last.answer.status == "answered"), where


def test_the_faults_are_really_there_and_some_answers_are_broken_off():
    ends, seen = Counter(), Counter()
    for seed in range(20_000, 20_250):
        events, outcome = run(seed)
        seen.update(fault.removeprefix("judge_") for fault in outcome.faults)
        last = events[-1]
        if last.type == "failed":
            ends[type(last.error).__name__] += 1
            continue
        ends[last.answer.reason] += 1
        reasons = [f.reason for f in last.answer.findings if f.check == "generation"]
        ends.update(reasons)
        ends["broken off"] += bool(reasons) and last.answer.attempts == 1
    assert set(faults.LIES) <= set(seen)
    assert set(faults.PROVIDER_FAULTS) <= set(seen)
    expected = {
        "answered", "judge_unavailable", "model_said_not_found", "ProviderError", "RefusedError",
        "DraftFormatError", "broken off", "provider_error", "truncated", "refused",
    }  # fmt: skip
    assert expected <= set(ends), ends
    assert {"DeadlineError", "deadline"} & set(ends)
