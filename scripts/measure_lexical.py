"""Measures the lexical judge: agreement with people, meaning flips, restatements, speed.

    python scripts/measure_lexical.py [--show KIND] [--only agreement,flips,speed]

Needs `nli_dev.jsonl` and `qa_dev.jsonl` in the folder that GROUNDEDGEN_DATA names (default:
../shared/data beside the repository), and numpy and scipy; says so and stops where they are
missing.

Kept: share of supported claims that pass. False pass: share of the others. "Folds": five, that
share neither document nor, for `contractnli`, claim. "Source out": each source of text by a fit on
the others. Flips: sentences after one edit that turns their meaning; a few edits leave a sentence
true, so not all that pass are mistakes. `--show` prints those of one kind that passed, or for
restatements those that did not; `--show all` prints every flip that passed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from fit_lexical import (
    DATA,
    Array,
    Material,
    Scored,
    folds,
    load,
    material,
    rarities,
    scored,
    shares,
    sources,
)
from lexical_flips import FLIPS, FRAMES, HONEST, WIDER, Edit

from groundedgen.judges.lexical import PROOF, LexicalJudge
from groundedgen.judges.wording.lexical_table import THRESHOLD
from groundedgen.ports import Pair
from groundedgen.text.sentences import sentence_spans


def auc(scores: Array, labels: Array) -> float:
    yes, no = scores[labels][:, None], scores[~labels][None, :]
    return float(((yes > no) + (yes == no) / 2).mean())


def curve(scores: Array, labels: Array) -> tuple[float, float, float]:
    """Best balanced accuracy; kept where at most 10 % and 5 % of the others pass."""
    points = [shares(scores, labels, cut) for cut in np.unique(scores)]
    best = max((kept + 1 - false) / 2 for kept, false in points)
    ten = max((kept for kept, false in points if false <= 0.10), default=0.0)
    five = max((kept for kept, false in points if false <= 0.05), default=0.0)
    return best, ten, five


def verdict_scores(one: Scored) -> Array:
    """What `Verdict.score` would be: objected to is below the threshold, proved is not."""
    capped = np.where(one.whole == 0, np.minimum(one.alone, 0.99 * THRESHOLD), one.alone)
    return np.where(one.whole > 1, PROOF, capped)


def agreement(known: Material) -> None:
    found = {
        "folds": scored(known, folds(known.pairs)),
        "source out": scored(known, sources(known.pairs)),
    }
    for name, one in found.items():
        for what, scores in (("score alone", one.alone), ("verdict's score", verdict_scores(one))):
            best, ten, five = curve(scores, known.labels)
            print(
                f"{name:10} {what:15}: AUC {auc(scores, known.labels):.3f},"
                f" balanced accuracy {best:.3f}, kept at 10 % {ten:.3f}, at 5 % {five:.3f}"
            )
        for point, cut in (("balanced", THRESHOLD), ("strict", 1.5)):
            kept, false = shares(one.whole, known.labels, cut)
            print(f"{name:10} point {point:9}: kept {kept:.3f}, false pass {false:.3f}")
    names = np.array(sources(known.pairs))
    print("by source, point balanced:        folds: kept / false pass    source out")
    for source in sorted(set(names)):
        at = names == source
        row = [shares(one.whole[at], known.labels[at], THRESHOLD) for one in found.values()]
        print(f"  {source:30}", "".join(f"  {kept:.3f} / {false:.3f}      " for kept, false in row))
    flips_of_claims(known, found["folds"], found["source out"])


def flips_of_claims(known: Material, *by: Scored) -> None:
    """How many flips of people's claims pass, each scored by a fit that saw neither."""
    kinds = np.array(known.flip_kinds)
    print("flips of people's supported claims that pass (folds, source out):")
    for kind in (*FLIPS, ""):
        at = kinds == kind if kind else np.ones(len(kinds), bool)
        rates = "  ".join(f"{(one.flips[at] >= THRESHOLD).mean():.3f}" for one in by)
        print(f"  {kind or 'all':18} of {at.sum():5d}: {rates}")


def as_shipped(known: Material) -> None:
    """The judge itself, its labels too; fitted on these pairs."""
    pairs = [Pair(p["premise"], p["claim"]) for p in known.pairs]
    for judge in (LexicalJudge(), LexicalJudge(point="strict")):
        verdicts = judge.judge(pairs)
        passed = np.array([v.label == "supported" for v in verdicts])
        kept, false = shares(passed.astype(float), known.labels, 0.5)
        print(
            f"as it ships, fitted on these, {judge.point}: kept {kept:.3f}, false pass {false:.3f}"
        )
        three = [i for i, p in enumerate(known.pairs) if p["label_set"] == "3way"]
        said = [known.pairs[i]["label"] for i in three if verdicts[i].label == "contradicted"]
        print(f"  called contradicted: {len(said)}, truly {said.count('contradicted')}")


def sentences() -> Iterator[tuple[str, str]]:
    """Passage and sentence, for plain sentences of 6 to 40 words."""
    seen = set()
    for record in load("qa_dev.jsonl"):
        for passage in record["passages"]:
            text = passage["text"]
            for start, end in sentence_spans(text):
                sentence = text[start:end]
                plain = sentence.endswith(".") and sentence[0].isupper() and "|" not in sentence
                plain = plain and "\n" not in sentence and 6 <= len(sentence.split()) <= 40
                if plain and sentence not in seen:
                    seen.add(sentence)
                    yield text, sentence


def edited(edits: dict[str, Edit], show: str, point: str) -> None:
    rng = random.Random(7)
    judge = LexicalJudge(point="strict" if point == "strict" else "balanced")
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for text, sentence in sentences():
        for kind, edit in edits.items():
            claim = edit(sentence, rng)
            if claim is None:
                continue
            supported = judge.judge([Pair(text, claim)])[0].label == "supported"
            counts[kind][supported] += 1
            if show in (kind, "all") and supported == (edits is not HONEST):
                print(f"    [{kind}] {claim}\n      <- {sentence}")
    counts["all"] = sum(counts.values(), Counter())
    for kind, count in counts.items():
        total = count.total()
        print(f"  {kind:18} {count[True]:5d} of {total:5d} passed  ({count[True] / total:.3f})")


def framed(show: str, point: str) -> None:
    """The claim is the sentence; the passage says it within a frame that takes it back."""
    rng = random.Random(7)
    judge = LexicalJudge(point="strict" if point == "strict" else "balanced")
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for text, sentence in sentences():
        if text.count(sentence) != 1:
            continue
        for kind, frame in FRAMES.items():
            said = frame(sentence, rng)
            if said is None:
                continue
            pair = Pair(text.replace(sentence, said), sentence)
            supported = judge.judge([pair])[0].label == "supported"
            counts[kind][supported] += 1
            if show in (kind, "all") and supported:
                print(f"    [{kind}] {said}")
    for kind, count in counts.items():
        total = count.total()
        print(f"  {kind:18} {count[True]:5d} of {total:5d} passed  ({count[True] / total:.3f})")


def speed() -> None:
    pairs = [Pair(p["premise"], p["claim"]) for p in load("nli_dev.jsonl")]
    judge = LexicalJudge()
    judge.judge(pairs[:20])  # patterns are compiled at first use
    rate = _rate(judge, pairs)
    print(f"speed: {rate:.0f} pairs a second, each passage and nearly each word new")
    print(f"speed: {_rate(judge, pairs):.0f} pairs a second, each passage new, words seen before")
    # Each passage is read once and asked about several times, as a judge is in use.
    claims = [p.claim for p in pairs]
    several = [
        Pair(pairs[i].premise, claims[(i + k) % len(claims)])
        for i in range(0, len(pairs), 8)
        for k in range(8)
    ]
    print(f"speed: {_rate(judge, several):.0f} pairs a second, eight claims on each passage")
    once = [p for p in pairs[:100] for _ in range(10)]
    judge.judge(pairs[:100])
    print(f"speed: {_rate(judge, once):.0f} pairs a second, each passage read before")


def _rate(judge: LexicalJudge, pairs: Sequence[Pair]) -> float:
    start = time.process_time()
    judge.judge(pairs)
    return len(pairs) / (time.process_time() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", default="")
    parser.add_argument("--only", default="speed,agreement,flips")
    parser.add_argument("--point", default="balanced", choices=["balanced", "strict"])
    options = parser.parse_args()
    if not all((DATA / name).exists() for name in ("nli_dev.jsonl", "qa_dev.jsonl")):
        print("skipped: nli_dev.jsonl or qa_dev.jsonl is not in the folder GROUNDEDGEN_DATA names")
        return 0
    if "speed" in options.only:
        speed()
    if "agreement" in options.only:
        pairs = load("nli_dev.jsonl")
        known = material(rarities(pairs, load("qa_dev.jsonl")), pairs)
        agreement(known)
        as_shipped(known)
    if "flips" in options.only:
        print("flips of passage sentences (fewer is better):")
        edited(FLIPS, options.show, options.point)
        print("wider kinds of flips, which the fit never saw:")
        edited(WIDER, options.show, options.point)
        print("passages that take the sentence back:")
        framed(options.show, options.point)
        print("honest restatements of passage sentences (more is better):")
        edited(HONEST, options.show, options.point)
    return 0


if __name__ == "__main__":
    sys.exit(main())
