"""Measures the extractive generator on labelled questions, at several thresholds.

    python scripts/tune_extractive.py [--folds]

Needs `qa_dev.jsonl` in the folder that GROUNDEDGEN_DATA names (default: ../shared/data beside
the repository); says so and stops where it is missing. "Right quote": the first statement's
quote lies in a passage that people marked and shares at least half of the shorter text with a
sentence they marked. `--folds` chooses the threshold on four fifths and measures on the rest.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundedgen.generators.extractive import ExtractiveGenerator
from groundedgen.text.ranking import best_spans
from groundedgen.values import Prompt, Request

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GROUNDEDGEN_DATA", ROOT.parent / "shared" / "data"))
COVERAGES = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True)
class Result:
    source: str
    answerable: bool
    kind: str
    coverage: float  # of the first sentence: what the threshold is compared with
    right: bool
    extras: int
    right_extras: int
    nothing: bool  # not found even at threshold 0


def is_right(record: dict[str, Any], passage: dict[str, Any], quote: str) -> bool:
    text, start = passage["text"], passage["text"].find(quote)
    if passage["id"] not in record["gold_passage_ids"]:
        return False
    for gold in record["gold_quotes"]:
        place = text.find(gold)
        while place >= 0:
            shared = min(start + len(quote), place + len(gold)) - max(start, place)
            if shared > 0 and shared * 2 >= min(len(quote), len(gold)):
                return True
            place = text.find(gold, place + 1)
    return False


def measure(record: dict[str, Any]) -> Result:
    passages = {f"S{i}": p for i, p in enumerate(record["passages"], 1)}
    docs = {alias: p["text"] for alias, p in passages.items()}
    request = Request(record["question"], Prompt("", "", ""), schema=dict, docs=docs)
    raw = ExtractiveGenerator(coverage=0.0).generate(request).raw
    statements = json.loads(raw or "{}")["statements"]
    rights = [is_right(record, passages[s["sources"][0]], s["quote"]) for s in statements]
    best = best_spans(record["question"], list(docs.values()))[0]
    return Result(
        record["source"],
        record["answerable"],
        record["unanswerable_kind"] or "",
        best.coverage,
        bool(rights and rights[0]),
        max(len(rights) - 1, 0),
        sum(rights[1:]),
        not rights,
    )


def row(results: list[Result], coverage: float) -> dict[str, int]:
    shown = [r for r in results if r.coverage >= coverage and not r.nothing]
    hidden = [r for r in results if r.coverage < coverage or r.nothing]
    return {
        "answered": sum(r.answerable for r in shown),
        "right": sum(r.right for r in shown if r.answerable),
        "not_found": sum(not r.answerable for r in hidden),
        "annotated": sum(r.kind == "annotated" for r in hidden),
        "extras": sum(r.extras for r in shown if r.answerable),
        "right_extras": sum(r.right_extras for r in shown if r.answerable),
    }


def table(results: list[Result]) -> None:
    answerable = sum(r.answerable for r in results)
    rest = len(results) - answerable
    first = sum(r.right for r in results if r.answerable)
    print(f"{answerable} answerable, {rest} not; best sentence right: {first / answerable:.3f}")
    print("coverage  answered  right quote  not_found  (annotated)  further: right/shown")
    for coverage in COVERAGES:
        r = row(results, coverage)
        print(
            f"{coverage:8.2f}  {r['answered']:4d}/{answerable}  {r['right']:6d}/{r['answered']}"
            f"  {r['not_found']:6d}/{rest}  {r['annotated']:9d}"
            f"  {r['right_extras']:9d}/{r['extras']}"
        )


def auc(results: list[Result]) -> float:
    yes = [r.coverage for r in results if r.answerable]
    no = [r.coverage for r in results if not r.answerable]
    return sum((a > b) + (a == b) / 2 for a in yes for b in no) / (len(yes) * len(no))


def folds(results: list[Result], wanted: float = 0.8, count: int = 5) -> None:
    """Threshold from four fifths (not_found at least `wanted`), measured on the last fifth."""
    answered = right = stopped = answerable = rest = 0
    for k in range(count):
        train = [r for i, r in enumerate(results) if i % count != k]
        test = [r for i, r in enumerate(results) if i % count == k]
        unanswerable = sum(not r.answerable for r in train)
        grid = [c / 100 for c in range(101)]
        chosen = next(c for c in grid if row(train, c)["not_found"] >= wanted * unanswerable)
        r = row(test, chosen)
        print(f"fold {k}: threshold {chosen:.2f}")
        answered, right, stopped = (
            answered + r["answered"],
            right + r["right"],
            stopped + r["not_found"],
        )
        answerable += sum(x.answerable for x in test)
        rest += sum(not x.answerable for x in test)
    print(f"folds: answered {answered}/{answerable}, right {right}, not_found {stopped}/{rest}")


def main() -> int:
    path = DATA / "qa_dev.jsonl"
    if not path.exists():
        print(f"skipped: {path.name} is not in the folder GROUNDEDGEN_DATA names")
        return 0
    with path.open(encoding="utf-8") as lines:
        results = [measure(json.loads(line)) for line in lines]
    table(results)
    print(f"AUC of coverage, answerable against not: {auc(results):.3f}")
    for source in sorted({r.source for r in results}):
        part = [r for r in results if r.source == source]
        r = row(part, 0.45)
        yes = sum(x.answerable for x in part)
        print(f"{source}: {r} of {yes}+{len(part) - yes}")
    if "--folds" in sys.argv[1:]:
        folds(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
