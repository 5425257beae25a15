"""Measure the number check on labelled public data: what it loses, what it catches.

    python scripts/measure_numbers.py [--show N]

Reads the folder named by GROUNDEDGEN_DATA, or ../shared/data beside the repository.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groundedgen.gates.numbers import unsupported_numbers
from groundedgen.text.numerals import numerals

DATA = Path(
    os.environ.get("GROUNDEDGEN_DATA", Path(__file__).parents[1].parent / "shared" / "data")
)


def rows(name: str) -> Iterator[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def counted(claim: str) -> bool:
    return any(not numeral.weak for numeral in numerals(claim))


def nli(show: int) -> None:
    """Supported pairs that are refused are honest losses, or claims that calculate."""
    by_label: dict[str, Counter[str]] = {}
    for row in rows("nli_dev.jsonl"):
        if not counted(row["claim"]):
            continue
        missing = unsupported_numbers(row["claim"], row["premise"])
        by_label.setdefault(row["label"], Counter())["refused" if missing else "passed"] += 1
        if missing and row["label"] == "supported" and show > 0:
            show -= 1
            print("  lost", row["source"], missing, "|", row["claim"], "|", row["premise"][:600])
    for label, counts in sorted(by_label.items()):
        print(f"nli, claims with numbers, {label}: {dict(counts)}")


def qa(show: int) -> None:
    """Every gold quote against its own passage must be supported in full."""
    lost = total = with_numbers = 0
    for row in rows("qa_dev.jsonl"):
        texts = {p["id"]: p["text"] for p in row["passages"]}
        gold = [texts[key] for key in row["gold_passage_ids"]]
        for quote in row["gold_quotes"]:
            held = [text for text in gold if quote in text]
            if not held:
                continue
            total += 1
            with_numbers += counted(quote)
            missing = [unsupported_numbers(quote, text) for text in held]
            if all(missing):
                lost += 1
                if show > 0:
                    show -= 1
                    print("  lost", missing, "|", quote)
    print(f"qa, gold quotes: {lost} lost of {total}, {with_numbers} with figures")


def pdf(show: int) -> None:
    """Edits of a figure are caught, true quotes are not refused."""
    counts: Counter[str] = Counter()
    for row in rows("pdf_quotes_dev.jsonl"):
        missing = unsupported_numbers(row["quote"], row["passage"])
        kind = row["edit"] or "true"
        counts[f"{kind} {'refused' if missing else 'passed'}"] += 1
        wrong = (kind == "true" and missing) or (
            kind in ("number_nudge", "point_moved") and not missing
        )
        if wrong and show > 0:
            show -= 1
            print("  wrong", kind, missing, "|", row["quote"])
    for key in sorted(counts):
        print(f"pdf quotes, {key}: {counts[key]}")


def generated(show: int) -> None:
    """Statements that people found supported by the passages they name."""
    counts: dict[str, Counter[str]] = {}
    for row in rows("generated_dev.jsonl"):
        texts = {p["id"]: p["text"] for p in row["passages"]}
        for statement in row["statements"]:
            named = [texts[key] for key in statement["sources"] if key in texts]
            if not named or not counted(statement["text"]):
                continue
            missing = [unsupported_numbers(statement["text"], text) for text in named]
            joined = unsupported_numbers(statement["text"], "\n\n".join(named))
            refused = all(missing) and bool(joined)
            label = str(statement["label"])
            counts.setdefault(label, Counter())["refused" if refused else "passed"] += 1
            if refused and label == "supported" and show > 0:
                show -= 1
                print("  lost", joined, "|", statement["text"], "|", named[0][:500])
    for label, count in sorted(counts.items()):
        print(f"generated, statements with numbers, {label}: {dict(count)}")


def speed() -> None:
    passages = [row["premise"] for row in rows("nli_dev.jsonl")]
    joined = " ".join(passages).split()
    texts = [" ".join(joined[place * 400 : (place + 1) * 400]) for place in range(400)]
    numerals(texts[-1])
    cold = []
    for group in range(40):
        begun = time.perf_counter()
        for text in texts[group * 8 : group * 8 + 8]:
            numerals(text)
        cold.append(time.perf_counter() - begun)
    claims = [row["claim"] for row in rows("nli_dev.jsonl") if counted(row["claim"])][:5]
    warm = []
    for _ in range(200):
        begun = time.perf_counter()
        for claim, text in zip(claims, texts, strict=False):
            unsupported_numbers(claim, text)
        warm.append(time.perf_counter() - begun)
    cold.sort()
    warm.sort()
    size = sum(map(len, texts[:8]))
    print(
        f"cold: 8 passages, {size} characters: median {cold[20] * 1e3:.2f} ms, "
        f"best {cold[0] * 1e3:.2f}"
    )
    print(f"warm: 5 claims: median {warm[100] * 1e3:.3f} ms")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--show", type=int, default=0, help="print so many wrong ones of each kind"
    )
    options.add_argument("--only", default="", help="one of nli, qa, pdf, generated, speed")
    chosen = options.parse_args()
    if not DATA.is_dir():
        print("no data folder: set GROUNDEDGEN_DATA", file=sys.stderr)
        return 2
    for measure in (nli, qa, pdf, generated):
        if chosen.only in ("", measure.__name__):
            measure(chosen.show)
    if chosen.only in ("", "speed"):
        speed()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
