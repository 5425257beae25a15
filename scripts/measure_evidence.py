"""What naming sentences costs and saves beside quoting: the same answers in both forms.

    python scripts/measure_evidence.py [--tokenizer tokenizer.json]

Needs `qa_dev.jsonl` in the folder that GROUNDEDGEN_DATA names (default: ../shared/data beside the
repository). Each answerable question is answered by its people's own quotes, one statement each:
once with the quote copied, once with the ids of the sentences it lies in. Counts characters, or
tokens of a tokenizer of Hugging Face's form.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from groundedgen.aliases import assign
from groundedgen.drafting import Drafting
from groundedgen.evidence import Evidence
from groundedgen.passages import Passage
from groundedgen.policy import Policy

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GROUNDEDGEN_DATA", ROOT.parent / "shared" / "data"))
MOST = 8  # statements of a draft


def counting(tokenizer: str | None) -> Callable[[str], int]:
    if tokenizer is None:
        return len
    from tokenizers import Tokenizer  # noqa: PLC0415  # only where tokens are asked for

    read = Tokenizer.from_file(tokenizer)
    return lambda text: len(read.encode(text).ids)


def ids_of(quote: str, evidence: Evidence) -> tuple[str, list[str]]:
    """The passage of a quote, and the ids of all sentences that it has words of."""
    for alias, text in evidence.docs.items():
        at = text.find(quote)
        if at < 0:
            continue
        own = [(s.at, name) for name, s in evidence.sentences.items() if s.alias == alias]
        ends = [start for start, _ in own[1:]] + [len(text)]
        names = [
            name
            for (start, name), end in zip(own, ends, strict=True)
            if start < at + len(quote) and at < end
        ]
        return alias, names
    return "", []


def covered(quote: str, names: list[str], evidence: Evidence) -> bool:
    """Whether the places that ids stand for hold a quote."""
    places = [evidence.sentences[name] for name in names]
    if not places:
        return False
    text = evidence.docs[places[0].alias]
    start, end = min(p.start for p in places), max(p.end for p in places)
    return quote.strip() in text[start:end]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer")
    size = counting(parser.parse_args().tokenizer)
    path = DATA / "qa_dev.jsonl"
    if not path.exists():
        print(f"skipped: {path.name} is not in the folder GROUNDEDGEN_DATA names")
        return
    total: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["answerable"] and row["gold_quotes"]:
            total += measured(row, size)
    report(total)


def measured(row: dict[str, Any], size: Callable[[str], int]) -> Counter[str]:
    passages = [Passage(p["id"], p["text"], title=p.get("title")) for p in row["passages"]]
    aliases = assign(passages)
    quoting = Drafting.of(row["question"], aliases, Policy())
    naming = Drafting.of(row["question"], aliases, Policy(), evidence="sentences")
    evidence = naming.evidence
    if evidence is None:
        return Counter()
    found: Counter[str] = Counter(answers=1, sentences=len(evidence.ids))
    quotes, ids = [], []
    for quote in row["gold_quotes"][:MOST]:
        alias, names = ids_of(quote, evidence)
        if not alias:
            continue
        found["statements"] += 1
        found["covered"] += covered(quote, names, evidence)
        found["named"] += len(names)
        quotes.append({"text": quote, "sources": [alias], "quote": quote})
        ids.append({"sources": names, "text": quote})
    for form, drafting, statements in (("quotes", quoting, quotes), ("ids", naming, ids)):
        prompt = drafting.request(1).prompt
        draft = {"status": "answered", "statements": statements}
        found[f"prompt, {form}"] = size(prompt.system + prompt.user)
        found[f"reply, {form}"] = size(json.dumps(draft, ensure_ascii=False))
    return found


def report(total: Counter[str]) -> None:
    for name, count in total.items():
        print(f"{name:20s} {count:9,d}")
    for part in ("reply", "prompt"):
        share = total[f"{part}, ids"] / max(total[f"{part}, quotes"], 1)
        print(f"{part}: {share:.2f} of what quotes take")


if __name__ == "__main__":
    main()
