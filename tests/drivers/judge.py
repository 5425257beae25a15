"""Two sorts of cases: reading a judge's reply, and judging a premise and a claim."""

from __future__ import annotations

import os

from groundedgen import resolve
from groundedgen.judges.reading import read_verdict
from groundedgen.ports import Pair
from tests.drivers.result import Result


def run(case):
    given, expect = case["input"], case["expect"]
    if "premise" in given:
        return _judged(given, expect)
    if isinstance(given["raw"], list):
        return _batch(given, expect)
    verdict = read_verdict(given["raw"])
    ok = (verdict.label == "supported") == expect["accept"]
    if ok and "label" in expect:
        ok = verdict.label == {"error": "not_judged"}.get(expect["label"], expect["label"])
    return Result(ok, expect["accept"], f"label {verdict.label} {verdict.reason}")


def _batch(given, expect):
    replies = [*given["raw"], *[None] * (given["n"] - len(given["raw"]))]
    accepted = [read_verdict(reply).label == "supported" for reply in replies]
    return Result(accepted == expect["accept"], all(expect["accept"]), f"accepted {accepted}")


def _judged(given, expect):
    premise = given["premise"]
    if pad := given.get("pad"):
        padding = pad["sentence"] * pad["times"]
        before = pad["where"] == "before"
        premise = padding + premise if before else premise + " " + padding
    judge = resolve.judge(os.environ.get("GROUNDEDGEN_JUDGE", "lexical"))
    (verdict,) = judge.judge([Pair(premise, given["claim"])])
    accepted = verdict.label == "supported"
    why = f"label {verdict.label}: {verdict.why}"
    return Result(accepted == expect["accept"], expect["accept"], why, needs_model=True)
