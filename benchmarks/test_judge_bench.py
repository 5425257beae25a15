"""What judging takes: 15 claims over 5 passages, against a server that takes its time.

Run with `pytest benchmarks --benchmark-only`. The server answers after 0.6 to 1.0 seconds, the
passage decides which. Target: 5 calls, and a wall clock of at most 1.3 times the slowest single
call of the same run; the sequential figure, one call after the other, stands beside it.
"""

from __future__ import annotations

import json
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any

import pytest

from groundedgen.judges.llm import LLMJudge
from groundedgen.ports import Pair, Reply, Request
from tests.servers.loopback import Asked, Said, serving
from tests.servers.openai_wire import says

PASSAGES, CLAIMS = 5, 3
TARGET = 1.3
PAIRS = [
    Pair(f"Passage {p}. Damage from a burst pipe is covered.", f"Claim {c}.", f"S{p}")
    for c in range(CLAIMS)
    for p in range(PASSAGES)
]


def slow(asked: Asked) -> Said:
    user = asked.body["messages"][1]["content"]
    passage = int(user.partition("Passage ")[2][0])
    said = says({f"C{n + 1}": "supported" for n in range(CLAIMS)})
    return Said(body=said.body, wait=0.6 + 0.1 * passage)


@dataclass
class Timed:
    """A generator over the standard library's HTTP client that notes how long each call took."""

    url: str
    seconds: list[float] = field(default_factory=list)

    def generate(self, request: Request) -> Reply:
        start = time.perf_counter()
        words = [request.prompt.system, request.prompt.user]
        body = {"messages": [{"role": "user", "content": text} for text in words]}
        call = urllib.request.Request(self.url, json.dumps(body).encode())  # noqa: S310  # ours
        with urllib.request.urlopen(call, timeout=30) as response:  # noqa: S310  # ours
            raw = json.load(response)["choices"][0]["message"]["content"]
        self.seconds.append(time.perf_counter() - start)
        return Reply(raw)


def judged(url: str, most: int) -> tuple[float, Timed]:
    model = Timed(url)
    judge = LLMJudge(model, max_concurrency=most)
    start = time.perf_counter()
    verdicts = judge.judge(PAIRS)
    wall = time.perf_counter() - start
    assert {"supported"} == {verdict.label for verdict in verdicts}
    assert PASSAGES == verdicts.calls == len(model.seconds)
    return wall, model


def test_all_calls_at_once(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(slow) as server:
        wall, model = benchmark.pedantic(judged, args=(server.url, 8), rounds=3, warmup_rounds=1)
        one_by_one, _ = judged(server.url, 1)
    slowest = max(model.seconds)
    with capsys.disabled():
        print(  # noqa: T201  # the figures are what it is run for
            f"\n{len(PAIRS)} claims, {PASSAGES} passages: {PASSAGES} calls, {wall:.3f} s, "
            f"{wall / slowest:.3f} times the slowest call ({slowest:.3f} s); "
            f"one after the other {one_by_one:.3f} s"
        )
    assert wall <= TARGET * slowest
