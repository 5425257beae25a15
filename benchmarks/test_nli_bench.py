"""What batching brings: the same 256 pairs in one call, in runs of 1, 8 and 32, and call by call.

Run with `pytest benchmarks/test_nli_bench.py --benchmark-only`. The model is written on the spot,
with layers of real size (hidden width 256) that change nothing. Compare within one run only: the
machine decides the rest. On one thread a batch saves little but the calls; where a run has
several threads, or a GPU, it saves more.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="the extra `nli` is not installed")
pytest.importorskip("onnx", reason="it writes the model")

from groundedgen.judges.nli import NLIJudge
from groundedgen.values import Pair
from tests.tinymodel import WORDS, write_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), hidden=256, layers=8)


def pairs(count: int) -> list[Pair]:
    """Passages of 1 to 4 sentences, as retrieval gives them, four claims about each."""
    rng = random.Random(7)

    def text() -> str:
        return " ".join(rng.choice(WORDS) for _ in range(rng.randint(4, 16))) + ". "

    premises = ["".join(text() for _ in range(rng.randint(1, 4))) for _ in range(count // 4)]
    return [Pair(premise, text()) for premise in premises for _ in range(4)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch_size", [1, 8, 32])
def test_one_call(benchmark: Any, folder: Path, batch_size: int, threads: int) -> None:
    judge = NLIJudge(folder, batch_size=batch_size, threads=threads, languages=None)
    given = pairs(256)
    judge.judge(given[:1])  # loads the model
    verdicts = benchmark.pedantic(judge.judge, args=(given,), rounds=5)
    assert len(verdicts) == 256
    assert all(verdict.label != "not_judged" for verdict in verdicts)


def test_a_call_for_each_pair(benchmark: Any, folder: Path) -> None:
    judge = NLIJudge(folder, languages=None)
    given = pairs(256)
    judge.judge(given[:1])

    def one_by_one() -> list[Any]:
        return [judge.judge([pair])[0] for pair in given]

    assert benchmark.pedantic(one_by_one, rounds=5) == list(judge.judge(given))
