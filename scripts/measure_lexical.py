"""Measures the lexical judge: agreement with people, meaning flips, speed.

    python scripts/measure_lexical.py [--show KIND]

Needs `nli_dev.jsonl` and `qa_dev.jsonl` in the folder that GROUNDEDGEN_DATA names (default:
../shared/data beside the repository); says so and stops where they are missing.

Kept: share of supported claims that pass. False pass: share of the others. "Folds": five, that
share neither document nor, for `contractnli`, claim. "Source out": each source of text by a fit on
the others. Flips: sentences of passages after one edit that turns their meaning; a few edits leave
a sentence true, so not all that pass are mistakes. `--show` prints those of one kind that passed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from fit_lexical import DATA, NAMES, fit, load, passed, probability, source_out

from groundedgen.judges.lexical import LexicalJudge, rarity
from groundedgen.judges.lexical_table import THRESHOLD
from groundedgen.judges.signals import Compared, compare, read
from groundedgen.ports import Pair
from groundedgen.text.analysis import analyse
from groundedgen.text.sentences import sentence_spans

Edit = Callable[[str, random.Random], str | None]

_SWAPS = {
    "modality": "may must|must may|shall may|can must|should must|will may|could must|might must",
    "quantifier": "all some|some all|every some|each some|most all|many all|often always"
    "|usually always|sometimes always|several all|always sometimes|few most|both neither",
    "direction": "increase decrease|increased decreased|increases decreases|decrease increase"
    "|decreased increased|decreases increases|higher lower|lower higher|more less|less more"
    "|before after|after before|rise fall|rose fell|fell rose|above below|below above|first last"
    "|last first|largest smallest|highest lowest|maximum minimum|minimum maximum|up down"
    "|gained lost|won lost|lost won|begins ends|began ended|north south|south north|east west"
    "|positive negative|negative positive|increasing decreasing|reduced raised|early late",
}
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|may|will|must|shall|should|could|would)\b(?! not)"
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*")


def _swap(kind: str) -> Edit:
    table = dict(pair.split() for pair in _SWAPS[kind].split("|"))
    pattern = re.compile(rf"\b({'|'.join(table)})\b(?! 1?[0-9])")

    def edit(sentence: str, rng: random.Random) -> str | None:
        found = list(pattern.finditer(sentence))
        if not found:
            return None
        one = rng.choice(found)
        return sentence[: one.start()] + table[one[1]] + sentence[one.end() :]

    return edit


def negation_in(sentence: str, rng: random.Random) -> str | None:
    found = _AUXILIARY.search(sentence)
    if found is None or re.search(r"\b(not|no|never)\b", sentence):
        return None
    return sentence[: found.end()] + " not" + sentence[found.end() :]


def negation_out(sentence: str, rng: random.Random) -> str | None:
    changed = re.sub(r"\b(?:not|never) |n't\b", "", sentence, count=1)
    return changed if changed != sentence else None


def number(sentence: str, rng: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w.,])\d+(?![\w])", sentence))
    if not found:
        return None
    one = rng.choice(found)
    return (
        sentence[: one.start()] + str(int(one[0]) + rng.choice((1, 2, 10))) + sentence[one.end() :]
    )


def condition(sentence: str, rng: random.Random) -> str | None:
    for pattern in (
        r"^(?:If|Unless|Except|Provided that) [^,]+, ",
        r",? (?:if|unless|except|provided that|as long as|only if|subject to) [^,.;]+(?=[.;]$)",
    ):
        changed = re.sub(pattern, "", sentence, count=1)
        if changed != sentence and len(changed.split()) > 3:
            return changed[0].upper() + changed[1:]
    return None


def names_swapped(sentence: str, rng: random.Random) -> str | None:
    found = [m for m in _NAME.finditer(sentence) if sentence.count(m[0]) == 1]
    if len(found) < 2:
        return None
    one, two = found[0], found[-1]
    between = sentence[one.end() : two.start()]
    if re.fullmatch(r"[\s,]*(?:and|or|,)?[\s,]*", between) or len({one[0], two[0]}) < 2:
        return None
    return sentence[: one.start()] + two[0] + between + one[0] + sentence[two.end() :]


def subject(sentence: str, rng: random.Random) -> str | None:
    found = re.match(r"(?:The |An? )?([A-Z]?[a-z]{3,})\b", sentence)
    if found is None:
        return None
    other = rng.choice(["landlord", "company", "committee", "museum", "river", "engineer", "bank"])
    word = found[1]
    if word.lower() == other or word.lower() in {"this", "that", "these", "those", "they", "when"}:
        return None
    new = other.capitalize() if word[0].isupper() else other
    return sentence[: found.start(1)] + new + sentence[found.end(1) :]


FLIPS: dict[str, Edit] = {
    "negation in": negation_in,
    "negation out": negation_out,
    "modality": _swap("modality"),
    "quantifier": _swap("quantifier"),
    "direction": _swap("direction"),
    "number": number,
    "condition dropped": condition,
    "names swapped": names_swapped,
    "subject changed": subject,
}


def led_in(sentence: str, rng: random.Random) -> str | None:
    lead = rng.choice(["According to the passage, ", "In addition, ", "The document states that "])
    return (
        lead + sentence[0].lower() + sentence[1:]
        if sentence.split(maxsplit=1)[0] in _ARTICLES
        else None
    )


_ARTICLES = {"The", "A", "An", "In", "It", "This", "There", "They", "He", "She"}


def bracket_dropped(sentence: str, rng: random.Random) -> str | None:
    changed = re.sub(r" \([^()]{3,60}\)", "", sentence, count=1)
    return changed if changed != sentence else None


def contracted(sentence: str, rng: random.Random) -> str | None:
    changed = re.sub(r"\b(is|are|was|were|does|did|has) not\b", r"\1n't", sentence, count=1)
    return changed if changed != sentence else None


def fronted(sentence: str, rng: random.Random) -> str | None:
    found = re.match(r"((?:In|On|During|Since|After|Before) [^,]{3,40}), (.*)\.$", sentence)
    if found is None or found[2].count(",") > 0:
        return None
    rest = found[2]
    return f"{rest[0].upper()}{rest[1:]} {found[1][0].lower()}{found[1][1:]}."


def synonym(sentence: str, rng: random.Random) -> str | None:
    table = {"purchased": "bought", "began": "started", "shows": "demonstrates", "company": "firm",
             "film": "movie", "ended": "finished", "used": "utilised", "large": "big",
             "annual": "yearly", "includes": "contains", "created": "made"}  # fmt: skip
    for word, other in table.items():
        if re.search(rf"\b{word}\b", sentence):
            return re.sub(rf"\b{word}\b", other, sentence, count=1)
    return None


HONEST: dict[str, Edit] = {
    "untouched": lambda sentence, rng: sentence,
    "led in": led_in,
    "bracket dropped": bracket_dropped,
    "contracted": contracted,
    "phrase moved": fronted,
    "synonym": synonym,
}


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


def edited(edits: dict[str, Edit], show: str) -> None:
    rng = random.Random(7)
    judge = LexicalJudge()
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for text, sentence in sentences():
        for kind, edit in edits.items():
            claim = edit(sentence, rng)
            if claim is None:
                continue
            supported = judge.judge([Pair(text, claim)])[0].label == "supported"
            counts[kind][supported] += 1
            if kind == show and supported == (edits is FLIPS):
                print("   ", claim, "\n      <-", sentence)
    for kind, count in counts.items():
        total = count.total()
        print(f"  {kind:18} {count[True]:5d} of {total:5d} passed  ({count[True] / total:.3f})")
    through = sum(c[True] for c in counts.values())
    total = sum(c.total() for c in counts.values())
    print(f"  {'all':18} {through:5d} of {total:5d} passed  ({through / total:.3f})")


def fold_scores(
    pairs: list[dict[str, Any]], rows: list[list[float]], labels: list[bool]
) -> list[float]:
    def group(pair: dict[str, Any]) -> str:
        return str(pair["meta"]["hypothesis"] if pair["source"] == "contractnli" else pair["doc"])

    groups = sorted({group(p) for p in pairs})
    random.Random(0).shuffle(groups)
    fold = {name: i % 5 for i, name in enumerate(groups)}
    scores = [0.0] * len(pairs)
    for k in range(5):
        rest = [i for i, p in enumerate(pairs) if fold[group(p)] != k]
        bias, weights = fit([rows[i] for i in rest], [labels[i] for i in rest])
        for i, pair in enumerate(pairs):
            if fold[group(pair)] == k:
                scores[i] = probability(bias, weights, rows[i])
    return scores


def auc(scores: list[float], labels: list[bool]) -> float:
    yes = [s for s, y in zip(scores, labels, strict=True) if y]
    no = [s for s, y in zip(scores, labels, strict=True) if not y]
    wins = sum((a > b) + (a == b) / 2 for a in yes for b in no)
    return wins / (len(yes) * len(no))


def curve(scores: list[float], labels: list[bool]) -> tuple[float, float, float]:
    """Best balanced accuracy; kept where at most 10 % and 5 % of the others pass."""
    yes, no = labels.count(True), labels.count(False)
    best = ten = five = 0.0
    for cut in sorted(set(scores)):
        kept = sum(s >= cut and y for s, y in zip(scores, labels, strict=True)) / yes
        false = sum(s >= cut and not y for s, y in zip(scores, labels, strict=True)) / no
        best = max(best, (kept + 1 - false) / 2)
        ten = max(ten, kept if false <= 0.10 else 0.0)
        five = max(five, kept if false <= 0.05 else 0.0)
    return best, ten, five


def shares(through: list[bool], labels: list[bool]) -> str:
    kept = sum(p and y for p, y in zip(through, labels, strict=True)) / max(1, labels.count(True))
    false = sum(p and not y for p, y in zip(through, labels, strict=True))
    return f"kept {kept:.3f}, false pass {false / max(1, labels.count(False)):.3f}"


def agreement() -> None:
    pairs = load("nli_dev.jsonl")
    compared: list[Compared] = [
        compare(analyse(p["claim"]), read(p["premise"]), rarity) for p in pairs
    ]
    rows = [[c.signals[name] for name in NAMES] for c in compared]
    labels = [p["label"] == "supported" for p in pairs]
    out = source_out(pairs, rows, labels)
    for name, scores in (("folds", fold_scores(pairs, rows, labels)), ("source out", out)):
        best, ten, five = curve(scores, labels)
        print(
            f"{name:11} score alone: AUC {auc(scores, labels):.3f}, balanced accuracy {best:.3f},"
            f" kept at 10 % {ten:.3f}, at 5 % {five:.3f};"
            f" decision at {THRESHOLD}: {shares(passed(compared, scores, THRESHOLD), labels)}"
        )
    for cut in (0.45, 0.5, 0.55, 0.6, 0.7, 1.0):
        print(f"  decision at {cut:.2f}, source out: {shares(passed(compared, out, cut), labels)}")
    judge = LexicalJudge()
    verdicts = judge.judge([Pair(p["premise"], p["claim"]) for p in pairs])
    final = [v.label == "supported" for v in verdicts]
    print(f"the judge as it ships (fitted on these): {shares(final, labels)}")
    for source in sorted({p["source"] for p in pairs}):
        at = [i for i, p in enumerate(pairs) if p["source"] == source]
        print(f"  {source:22} {shares([final[i] for i in at], [labels[i] for i in at])}")
    three = [i for i, p in enumerate(pairs) if p["label_set"] == "3way"]
    said = [pairs[i]["label"] for i in three if verdicts[i].label == "contradicted"]
    print(f"called contradicted: {len(said)}, truly {said.count('contradicted')}")


def speed() -> None:
    pairs = [Pair(p["premise"], p["claim"]) for p in load("nli_dev.jsonl")]
    judge = LexicalJudge()
    start = time.process_time()
    judge.judge(pairs)
    cold = time.process_time() - start
    one = [Pair(pairs[0].premise, p.claim + f" {i}") for i, p in enumerate(pairs)]
    start = time.process_time()
    judge.judge(one)
    warm = time.process_time() - start
    print(f"{len(pairs) / cold:.0f} pairs a second, each passage new; {len(one) / warm:.0f} on one")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", default="")
    parser.add_argument("--only", default="agreement,flips,speed")
    options = parser.parse_args()
    if not all((DATA / name).exists() for name in ("nli_dev.jsonl", "qa_dev.jsonl")):
        print("skipped: nli_dev.jsonl or qa_dev.jsonl is not in the folder GROUNDEDGEN_DATA names")
        return 0
    if "speed" in options.only:
        speed()
    if "agreement" in options.only:
        agreement()
    if "flips" in options.only:
        print("flips of passage sentences (fewer is better):")
        edited(FLIPS, options.show)
        print("honest restatements of passage sentences (more is better):")
        edited(HONEST, options.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
