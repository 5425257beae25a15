"""Fits the weights of the lexical judge and writes `groundedgen/judges/lexical_table.py`.

    python scripts/fit_lexical.py [--write] [--false-pass 0.03]

Needs `nli_dev.jsonl` and `qa_dev.jsonl` in the folder that GROUNDEDGEN_DATA names (default:
../shared/data beside the repository); says so and stops where they are missing.

The fit is a logistic regression by gradient descent in which a weight may only have the sign
that its meaning gives it. The threshold is the lowest at which at most the given share of the
unsupported pairs pass the whole decision, each source of text scored by a fit on the others.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from math import exp, log
from pathlib import Path
from typing import Any

from groundedgen.judges.lexical import decide
from groundedgen.judges.signals import SIGNS, Compared, compare, read
from groundedgen.text.analysis import analyse
from groundedgen.text.kinship import key
from groundedgen.text.tokens import words

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GROUNDEDGEN_DATA", ROOT.parent / "shared" / "data"))
TABLE = ROOT / "groundedgen" / "judges" / "lexical_table.py"
LEAST_TEXTS = 8  # words of fewer texts are as rare as unknown ones
NAMES = list(SIGNS)

Weights = tuple[float, list[float]]


def load(name: str) -> list[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def rarities(pairs: list[dict[str, Any]], questions: list[dict[str, Any]]) -> dict[str, float]:
    texts = {pair["premise"] for pair in pairs}
    texts |= {p["text"] for question in questions for p in question["passages"]}
    holders = Counter(k for text in texts for k in {key(w.text) for w in words(text, "en")})
    return {
        k: round(4 * log((len(texts) + 1) / (n + 0.5))) / 4
        for k, n in holders.items()
        if n >= LEAST_TEXTS and not k[0].isdigit()
    }


def fit(rows: list[list[float]], labels: list[bool], rounds: int = 800) -> Weights:
    """Signed logistic regression; columns are scaled to unit size while fitting."""
    width = len(NAMES)
    scale = [max((sum(r[j] ** 2 for r in rows) / len(rows)) ** 0.5, 1e-9) for j in range(width)]
    scaled = [[r[j] / scale[j] for j in range(width)] for r in rows]
    bias, weights = 0.0, [0.0] * width
    signs = list(SIGNS.values())
    for _ in range(rounds):
        slope_bias, slope = 0.0, [0.0] * width
        for row, label in zip(scaled, labels, strict=True):
            error = probability(bias, weights, row) - label
            slope_bias += error
            for j, value in enumerate(row):
                if value:
                    slope[j] += error * value
        bias -= 0.5 * slope_bias / len(rows)
        for j in range(width):
            weights[j] -= 0.5 * (slope[j] / len(rows) + 0.01 * weights[j])
            if weights[j] * signs[j] < 0:
                weights[j] = 0.0
    return bias, [w / s for w, s in zip(weights, scale, strict=True)]


def probability(bias: float, weights: list[float], row: list[float]) -> float:
    total = bias + sum(w * x for w, x in zip(weights, row, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def source_out(
    pairs: list[dict[str, Any]], rows: list[list[float]], labels: list[bool]
) -> list[float]:
    """Each pair's probability by a fit on all other sources."""
    result = [0.0] * len(pairs)
    for source in sorted({p["source"] for p in pairs}):
        rest = [i for i, p in enumerate(pairs) if p["source"] != source]
        bias, weights = fit([rows[i] for i in rest], [labels[i] for i in rest])
        for i, pair in enumerate(pairs):
            if pair["source"] == source:
                result[i] = probability(bias, weights, rows[i])
    return result


def passed(compared: list[Compared], scores: list[float], threshold: float) -> list[bool]:
    return [
        decide(c, s, threshold).label == "supported" for c, s in zip(compared, scores, strict=True)
    ]


def threshold_for(
    compared: list[Compared], scores: list[float], labels: list[bool], false_pass: float
) -> float:
    wrong = labels.count(False)
    for step in range(1, 100):
        through = passed(compared, scores, step / 100)
        if sum(p and not y for p, y in zip(through, labels, strict=True)) <= false_pass * wrong:
            return step / 100
    return 1.0


def write(bias: float, weights: list[float], threshold: float, rarity: dict[str, float]) -> None:
    levels: dict[float, list[str]] = {}
    for k, value in rarity.items():
        levels.setdefault(value, []).append(k)
    lines = [
        '"""Fitted values of the lexical judge, written by `scripts/fit_lexical.py`."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        '__all__ = ["BIAS", "RARITY", "THRESHOLD", "UNKNOWN", "WEIGHTS"]',
        "",
        f"BIAS: Final = {bias:.3f}",
        f"THRESHOLD: Final = {threshold:.2f}",
        "WEIGHTS: Final[dict[str, float]] = {",
        *(f'    "{n}": {w:.3f},' for n, w in zip(NAMES, weights, strict=True)),
        "}",
        f"UNKNOWN: Final = {max(levels) + 1.0:.2f}",
        "",
        "# Inverse document frequency (natural logarithm, in quarters) of word keys.",
        '_LEVELS: Final = """',
    ]
    for value in sorted(levels):
        line = f"{value:.2f}:"
        for k in sorted(levels[value]):
            if len(line) + len(k) > 98:
                lines.append(line)
                line = f"{value:.2f}:"
            line += f" {k}"
        lines.append(line)
    lines += [
        '"""',
        "RARITY: Final[dict[str, float]] = {",
        "    key: float(level)",
        '    for level, _, keys in (line.partition(":") for line in _LEVELS.strip().split("\\n"))',
        "    for key in keys.split()",
        "}",
        "",
    ]
    TABLE.write_text("\n".join(lines), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--false-pass", type=float, default=0.03)
    options = parser.parse_args()
    if not all((DATA / name).exists() for name in ("nli_dev.jsonl", "qa_dev.jsonl")):
        print("skipped: nli_dev.jsonl or qa_dev.jsonl is not in the folder GROUNDEDGEN_DATA names")
        return 0
    pairs = load("nli_dev.jsonl")
    rarity = rarities(pairs, load("qa_dev.jsonl"))
    unknown = max(rarity.values()) + 1.0
    compared = [
        compare(analyse(p["claim"]), read(p["premise"]), lambda k: rarity.get(k, unknown))
        for p in pairs
    ]
    rows = [[c.signals[name] for name in NAMES] for c in compared]
    labels = [p["label"] == "supported" for p in pairs]
    bias, weights = fit(rows, labels)
    scores = source_out(pairs, rows, labels)
    threshold = threshold_for(compared, scores, labels, options.false_pass)
    through = passed(compared, scores, threshold)
    kept = sum(p and y for p, y in zip(through, labels, strict=True)) / labels.count(True)
    print(f"bias {bias:.3f}", *(f"{n} {w:.2f}" for n, w in zip(NAMES, weights, strict=True)))
    print(f"threshold {threshold}, kept {kept:.3f} with sources left out, {len(rarity)} word keys")
    if options.write:
        write(bias, weights, threshold, rarity)
        subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(TABLE)], check=True)  # noqa: S603
    return 0


if __name__ == "__main__":
    sys.exit(main())
