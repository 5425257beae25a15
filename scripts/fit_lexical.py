"""Fits the weights of the lexical judge and writes `groundedgen/judges/wording/lexical_table.py`.

    python scripts/fit_lexical.py [--write] [--false-pass 0.098]

Needs `nli_dev.jsonl` and `qa_dev.jsonl` in the folder that GROUNDEDGEN_DATA names (default:
../shared/data beside the repository), and numpy and scipy; says so and stops where they are
missing.

The fit is a logistic regression in which a weight may only have the sign that its meaning gives
it. Meaning flips of the supported claims are in it at a third of a person's label. The threshold
is the lowest at which at most the given share of the unsupported pairs pass the whole decision,
both in five folds and with each source of text scored by a fit on the others.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from lexical_flips import flips
from scipy.optimize import minimize  # type: ignore[import-untyped]  # ships no types

from groundedgen.judges.wording.lexlead import without_lead
from groundedgen.judges.wording.lexpassage import Passage
from groundedgen.judges.wording.objections import examine
from groundedgen.judges.wording.signals import SIGNS, compare
from groundedgen.text.english.kinship import key
from groundedgen.text.sentences import sentence_spans
from groundedgen.text.tokens import words

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GROUNDEDGEN_DATA", ROOT.parent / "shared" / "data"))
TABLE = ROOT / "groundedgen" / "judges" / "wording" / "lexical_table.py"
VERSION = 2
LEAST_TEXTS = 8  # words of fewer texts are as rare as unknown ones
NAMES = list(SIGNS)
FLIP_WEIGHT = 0.3
RIDGE = 0.02

Array = np.ndarray[Any, Any]
Fit = tuple[float, Array]


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


@dataclass(frozen=True)
class Read:
    """A claim beside its passage, read once, whatever the weights.

    `whole` holds its signals, `finding` what the rules say of its sentences whatever the score:
    2 where all are proved, 0 where one is objected to, else -1.
    """

    whole: Array
    finding: float


def read(claim: str, passage: Passage, rarity: dict[str, float]) -> Read:
    unknown = max(rarity.values()) + 1.0

    def rare(word: str) -> float:
        return rarity.get(key(word), unknown)

    bare = without_lead(claim)
    findings = []
    for start, end in sentence_spans(bare, "en") or [(0, len(bare))]:
        sentence = without_lead(bare[start:end])
        compared = compare(sentence, passage, rare)
        finding = examine(sentence, passage, compared)
        findings.append(2.0 if finding == "proved" else -1.0 if finding is None else 0.0)
    whole = compare(bare, passage, rare).signals
    objected = 0.0 in findings
    return Read(np.array([whole[name] for name in NAMES]), 0.0 if objected else min(findings))


def fit(rows: Array, labels: Array, weights: Array) -> Fit:
    """Signed logistic regression; columns are scaled to unit size while fitting."""
    scale = np.sqrt((rows**2).mean(axis=0)) + 1e-9
    scaled, sign = rows / scale, np.where(labels, 1.0, -1.0)

    def loss(point: Array) -> tuple[float, Array]:
        margin = sign * (scaled @ point[1:] + point[0])
        pull = -sign / (1 + np.exp(margin)) * weights / weights.sum()
        value = float((np.logaddexp(0, -margin) * weights).sum() / weights.sum())
        slope = np.concatenate([[pull.sum()], scaled.T @ pull + RIDGE * point[1:]])
        return value + RIDGE / 2 * float((point[1:] ** 2).sum()), slope

    bounds = [(None, None), *((0, None) if s > 0 else (None, 0) for s in SIGNS.values())]
    start = np.zeros(rows.shape[1] + 1)
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x
    return float(found[0]), found[1:] / scale


def probability(fitted: Fit, rows: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-(fitted[0] + rows @ fitted[1]))))


def decided(fitted: Fit, one: Read) -> float:
    """What the whole decision compares with its threshold."""
    return float(probability(fitted, one.whole)) if one.finding < 0 else one.finding


@dataclass(frozen=True)
class Material:
    """Pairs with their labels, and flips of the supported claims, by number of the pair."""

    pairs: list[dict[str, Any]]
    labels: Array
    reads: list[Read]
    flip_of: Array
    flip_kinds: list[str]
    flip_reads: list[Read]

    def fitted(self, kept: Array) -> Fit:
        """The fit on the pairs for which `kept` is true, with their flips."""
        flips_kept = np.flatnonzero(kept[self.flip_of])
        rows = np.array(
            [self.reads[i].whole for i in np.flatnonzero(kept)]
            + [self.flip_reads[i].whole for i in flips_kept]
        )
        labels = np.concatenate([self.labels[kept], np.zeros(len(flips_kept), bool)])
        weights = np.concatenate([np.ones(kept.sum()), np.full(len(flips_kept), FLIP_WEIGHT)])
        return fit(rows, labels, weights)


@dataclass(frozen=True)
class Scored:
    """Each pair, and each flip, by a fit that saw neither it nor what it shares a group with."""

    alone: Array  # the score alone
    whole: Array  # what the whole decision compares: 2 proved, 0 objected, else the score
    flips: Array  # the same for flips


def material(rarity: dict[str, float], pairs: list[dict[str, Any]]) -> Material:
    rng = random.Random(7)
    reads, of, kinds, flip_reads = [], [], [], []
    for number, pair in enumerate(pairs):
        passage = Passage(pair["premise"])
        reads.append(read(pair["claim"], passage, rarity))
        for kind, claim in flips(pair["claim"], rng) if pair["label"] == "supported" else ():
            of.append(number)
            kinds.append(kind)
            flip_reads.append(read(claim, passage, rarity))
    labels = np.array([p["label"] == "supported" for p in pairs])
    return Material(pairs, labels, reads, np.array(of), kinds, flip_reads)


def scored(known: Material, groups: Sequence[Hashable]) -> Scored:
    names = np.array([str(group) for group in groups])
    alone, whole = np.zeros(len(names)), np.zeros(len(names))
    flipped = np.zeros(len(known.flip_of))
    for name in sorted(set(names)):
        fitted = known.fitted(names != name)
        for i in np.flatnonzero(names == name):
            alone[i] = probability(fitted, known.reads[i].whole)
            whole[i] = decided(fitted, known.reads[i])
        for i in np.flatnonzero(names[known.flip_of] == name):
            flipped[i] = decided(fitted, known.flip_reads[i])
    return Scored(alone, whole, flipped)


def sources(pairs: list[dict[str, Any]]) -> list[str]:
    return [pair["source"] for pair in pairs]


def folds(pairs: list[dict[str, Any]], count: int = 5) -> list[int]:
    """A fold a pair: pairs share one where they share a document or, of a contract, a claim."""

    def group(pair: dict[str, Any]) -> str:
        return str(pair["meta"]["hypothesis"] if pair["source"] == "contractnli" else pair["doc"])

    names = sorted({group(pair) for pair in pairs})
    random.Random(0).shuffle(names)
    number = {name: i % count for i, name in enumerate(names)}
    return [number[group(pair)] for pair in pairs]


def threshold_for(scores: Array, labels: Array, false_pass: float) -> float:
    """The lowest threshold, in thousandths, at which at most that share of the others pass."""
    for step in range(1, 1000):
        if (scores[~labels] >= step / 1000).mean() <= false_pass:
            return step / 1000
    return 1.0


def shares(scores: Array, labels: Array, threshold: float) -> tuple[float, float]:
    """Kept: share of the supported that pass; false pass: share of the others."""
    through = scores >= threshold
    return float(through[labels].mean()), float(through[~labels].mean())


def write(fitted: Fit, threshold: float, rarity: dict[str, float], figures: Sequence[str]) -> None:
    levels: dict[float, list[str]] = {}
    for k, value in rarity.items():
        levels.setdefault(value, []).append(k)
    weights = zip(NAMES, fitted[1], strict=True)
    lines = [
        '"""Fitted values of the lexical judge, written by `scripts/fit_lexical.py`.',
        "",
        f"Version {VERSION}. Measured on the pairs of the fit, each left out in its turn:",
        "",
        *(f"- {line}" for line in figures),
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        '__all__ = ["BIAS", "RARITY", "THRESHOLD", "UNKNOWN", "VERSION", "WEIGHTS"]',
        "",
        f"VERSION: Final = {VERSION}",
        f"BIAS: Final = {fitted[0]:.3f}",
        f"THRESHOLD: Final = {threshold:.3f}",
        "WEIGHTS: Final[dict[str, float]] = {",
        *(f'    "{name}": {weight:.3f},' for name, weight in weights),
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
    parser.add_argument("--false-pass", type=float, default=0.0999)
    options = parser.parse_args()
    if not all((DATA / name).exists() for name in ("nli_dev.jsonl", "qa_dev.jsonl")):
        print("skipped: nli_dev.jsonl or qa_dev.jsonl is not in the folder GROUNDEDGEN_DATA names")
        return 0
    pairs = load("nli_dev.jsonl")
    rarity = rarities(pairs, load("qa_dev.jsonl"))
    known = material(rarity, pairs)
    by = {"five folds": folds(pairs), "source left out": sources(pairs)}
    found = {name: scored(known, groups) for name, groups in by.items()}
    threshold = max(
        threshold_for(s.whole, known.labels, options.false_pass) for s in found.values()
    )
    figures = []
    for name, one in found.items():
        kept, false = shares(one.whole, known.labels, threshold)
        flipped = (one.flips >= threshold).mean()
        figures.append(f"{name}: kept {kept:.3f}, false pass {false:.3f}, flips {flipped:.3f}")
    fitted = known.fitted(np.ones(len(pairs), bool))
    print(f"bias {fitted[0]:.3f}", *(f"{n} {w:.2f}" for n, w in zip(NAMES, fitted[1], strict=True)))
    print(f"threshold {threshold}, {len(rarity)} word keys", *figures, sep="\n")
    if options.write:
        write(fitted, threshold, rarity, figures)
        subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(TABLE)], check=True)  # noqa: S603
    return 0


if __name__ == "__main__":
    sys.exit(main())
