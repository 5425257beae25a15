"""What constrained decoding holds and costs: random walks over every rung, size and speed.

    python scripts/measure_grammar.py [--walks 2000] [--passages 5 20 80]

Walks draw tokens by chance from what each constraint lets through, over the damaged passages of
`tests/cases`; each reply is then checked by the library's own gates. Times are of processor time on
this machine and mean something beside each other only.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # for tests.generators.walks

from llguidance import LLMatcher  # noqa: E402 - behind the path

from groundedgen.draft import draft_json_schema  # noqa: E402
from groundedgen.generators.constrained.gbnf import gbnf  # noqa: E402
from groundedgen.generators.constrained.lark import lark, sample  # noqa: E402
from groundedgen.generators.constrained.llguide import fault  # noqa: E402
from groundedgen.generators.constrained.rungs import Capabilities, Size, choose  # noqa: E402
from groundedgen.generators.grammar import Limits, Quotables, quotables, schema  # noqa: E402
from groundedgen.spans import labelled_spans  # noqa: E402
from tests.generators.walks import Walker, score  # noqa: E402

AREAS = ("normalize", "quote", "prompt", "numbers")
UNCONSTRAINED = '%llguidance {}\nstart: /[^"\\x00-\\x1f]{0,400}/\n'
# ruff: noqa: SIM905 - a table of words is read as words
WORDS = [
    *"the insured home policy covers damage water from pipe burst within of loss claim".split(),
    *"must be filed excludes flood person pays fee under landlord tenant contract notice".split(),
]
MEASURES = ("days", "euros", "percent", "months", "people")


def damaged() -> list[str]:
    """Every passage of the cases of four areas, without repeats."""
    texts: dict[str, None] = {}
    for area in AREAS:
        path = ROOT / "tests" / "cases" / f"{area}.jsonl"
        for line in path.read_text("utf-8").splitlines():
            given: dict[str, Any] = json.loads(line)["input"]
            passages = given.get("passages") or {}
            listed = (
                passages.values() if isinstance(passages, dict) else [p["text"] for p in passages]
            )
            texts |= dict.fromkeys([*(given.get(key) for key in ("a", "b", "passage")), *listed])
    return [text for text in texts if text]


def constraints(found: Quotables) -> dict[str, Callable[[], Walker]]:
    return {
        "lark": lambda: Walker.of_lark(lark(found)),
        "schema": lambda: Walker.of_schema(schema(found)),
        "enum": lambda: Walker.of_schema(draft_json_schema(found.names)),
        "none": lambda: Walker.of_lark(UNCONSTRAINED),
    }


def walk(count: int) -> None:
    """Draw `count` drafts for each rung, four per set of six passages."""
    texts = damaged()
    tallies: dict[str, Counter[str]] = {}
    for number in range(count // 4):
        chosen = random.Random(number).sample(texts, 6)
        docs = {f"S{place}": text for place, text in enumerate(chosen, 1)}
        found = quotables(docs, limits=Limits(max_statements=2))
        for rung, make in constraints(found).items():
            tally, walker = tallies.setdefault(rung, Counter()), make()
            for turn in range(4):
                add(tally, walker.walk(number * 4 + turn, answered=turn > 0), docs)
    print(f"{len(texts)} damaged passages; digits: those of the text are its quote's, by the gate")
    for rung, tally in tallies.items():
        print(f"{rung:7s}", "  ".join(shares(tally)))


def add(tally: Counter[str], drawn: Any, docs: dict[str, str]) -> None:
    got = score(drawn.raw, docs)
    tally.update(walks=1, errors=bool(drawn.error), parsed=got.parsed, statements=got.statements)
    tally.update(sources=got.sources, shaped=got.shaped, quotes=got.quotes)
    tally.update(digits=got.digits, numbers=got.numbers)


def shares(tally: Counter[str]) -> Iterator[str]:
    yield f"{tally['walks']} walks"
    yield f"{tally['errors']} errors"
    yield f"parsed {tally['parsed'] / tally['walks']:.1%}"
    yield f"{tally['statements']} statements"
    yield f"sources {tally['sources'] / max(tally['statements'], 1):.1%}"
    yield f"{tally['shaped']} of the right shape"
    for name in ("quotes", "digits", "numbers"):
        yield f"{name} {tally[name] / max(tally['shaped'], 1):.1%}"


def passage(chance: random.Random, words: int = 500) -> str:
    sentences: list[str] = []
    while sum(sentence.count(" ") + 1 for sentence in sentences) < words:
        drawn = [
            chance.choice(WORDS) + chance.choice("abcdefgh") for _ in range(chance.randint(12, 30))
        ]
        if chance.random() < 0.4:
            drawn[5] = f"{chance.randint(2, 99_999)} {chance.choice(MEASURES)}"
        sentences.append(" ".join(drawn).capitalize() + ".")
    return " ".join(sentences)


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def sizes(counts: list[int]) -> None:
    """Size and time of each rung at so many passages of 500 words."""
    able = Capabilities(lark=True, schema=True, gbnf=True, enum=True)
    head = "passages quotes code-points rung | spans s | lark kB, build s, compile s, first mask ms"
    print(f"\n{head} | schema kB, compile s | gbnf kB")
    for count in counts:
        chance = random.Random(count)
        docs = {f"S{place}": passage(chance) for place in range(1, count + 1)}
        labelled_spans.cache_clear()
        cutting, found = seconds(lambda docs=docs: quotables(docs))
        building, text = seconds(lambda found=found: lark(found))
        compiling, wrong = seconds(lambda text=text, found=found: fault(text, sample(found)))
        mask = 0.0 if wrong else first_mask(text)
        compact = schema(found)
        schema_time, _ = seconds(lambda compact=compact: Walker.of_schema(compact))
        size = Size.of(found)
        print(
            f"{count:8d} {size.quotes:6d} {size.code_points:11d} {choose(able, size):4s} | "
            f"{cutting:7.2f} | {len(text.encode()) / 1000:7.0f} {building:.2f} {compiling:.2f} "
            f"{1000 * mask:.2f} {wrong[:40]} | {len(json.dumps(compact)) / 1000:.0f} "
            f"{schema_time:.3f} | {len(gbnf(found).encode()) / 1000:.0f}"
        )


def first_mask(text: str) -> float:
    matcher: LLMatcher = Walker.of_lark(text).start
    return seconds(matcher.compute_bitmask)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=2_000)
    parser.add_argument("--passages", type=int, nargs="+", default=[5, 20, 80])
    options = parser.parse_args()
    walk(options.walks)
    sizes(options.passages)


if __name__ == "__main__":
    main()
