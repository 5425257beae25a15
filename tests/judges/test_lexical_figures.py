"""The figures that the judge is shipped with hold on the data they were measured on.

The data is not in the repository: GROUNDEDGEN_DATA names its folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from groundedgen.judges.lexical import LexicalJudge
from groundedgen.ports import Pair

FOLDER = os.environ.get("GROUNDEDGEN_DATA", "")
needs_data = pytest.mark.skipif(
    not (FOLDER and Path(FOLDER, "nli_dev.jsonl").exists()),
    reason="GROUNDEDGEN_DATA names no folder with nli_dev.jsonl",
)


@pytest.fixture(scope="module")
def pairs():
    with Path(FOLDER, "nli_dev.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def passed(pairs, point):
    verdicts = LexicalJudge(point=point).judge([Pair(p["premise"], p["claim"]) for p in pairs])
    return [v.label == "supported" for v in verdicts]


def shares(pairs, through):
    yes = [t for t, p in zip(through, pairs, strict=True) if p["label"] == "supported"]
    no = [t for t, p in zip(through, pairs, strict=True) if p["label"] != "supported"]
    return sum(yes) / len(yes), sum(no) / len(no)


@needs_data
@pytest.mark.parametrize(
    ("point", "least_kept", "most_false"), [("balanced", 0.35, 0.10), ("strict", 0.11, 0.01)]
)
def test_a_point_keeps_and_lets_through_what_it_says(pairs, point, least_kept, most_false):
    kept, false = shares(pairs, passed(pairs, point))
    assert kept >= least_kept
    assert false <= most_false


@needs_data
def test_what_the_strict_point_passes_the_balanced_one_passes(pairs):
    strict, balanced = passed(pairs, "strict"), passed(pairs, "balanced")
    assert all(b for s, b in zip(strict, balanced, strict=True) if s)
