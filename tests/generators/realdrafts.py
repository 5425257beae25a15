"""Drafts that a real model writes under each constraint, over damaged passages, and their score.

Used by `test_llamacpp_drafts.py` and `scripts/measure_local.py`. The model has 135 million
parameters and would say not_found to nearly everything, so that it has to answer is built into
each constraint here; the library's own ones always allow not_found.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

from groundedgen import draft
from groundedgen.generators.constrained.rungs import Capabilities, plan
from groundedgen.generators.grammar import HEAD, NOT_FOUND, Limits, quotables
from groundedgen.generators.inprocess.descents import by_format
from groundedgen.generators.inprocess.engines import Call
from groundedgen.generators.llamacpp import LlamaCppGenerator, _unheard
from groundedgen.values import Prompt, Request
from tests.generators.walks import score

CASES = Path(__file__).parent.parent / "cases"
RUNGS = ("lark", "schema", "gbnf", "enum", "none")
TURNS = 4  # drafts for one set of passages
# Tokens: two statements with quotes in any script; what is free to go on for ever is stopped soon.
_MOST = {"lark": 900, "gbnf": 900, "schema": 300, "enum": 140, "none": 140}
_LONGEST = 300  # code points of a passage: each token of a prompt costs half of one that is written
_SYSTEM = (
    "You answer from the sources, in JSON only: "
    '{"status":"answered","statements":[{"sources":["S1"],"quote":"words of S1","text":"..."}]}'
)


@cache
def damaged():
    """The texts of all cases, whatever they were there for, that are no longer than a passage."""
    texts = {}
    for file in sorted(CASES.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            given = json.loads(line)["input"]
            texts |= dict.fromkeys(_strings(given))
    return [text for text in texts if 20 <= len(text) <= _LONGEST]


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def sets(count):
    """`count` requests of two passages each, both with a quotable sentence, and their limits."""
    made = 0
    for seed in range(count * 20):
        chosen = random.Random(seed).sample(damaged(), 2)
        docs = {f"S{place}": text for place, text in enumerate(chosen, 1)}
        found = quotables(docs, limits=Limits(max_statements=1 + (seed % 4 == 0), max_text=50))
        if len(found.quotable) < 2:
            continue
        yield _request(docs, found.limits), found
        made += 1
        if made == count:
            return


def _request(docs, limits):
    told = "\n".join(f"{alias}: {text}" for alias, text in docs.items())
    words = Prompt(_SYSTEM, f"{told}\nWhat do the sources say?", "1")
    schema = draft.schema(tuple(docs))
    return Request("?", words, schema, docs, max_statements=limits.max_statements)


def forced(rung, found):
    """A rung's constraint without not_found."""
    able = Capabilities(**{rung: True}) if rung != "none" else Capabilities()
    made = plan(able, found)
    assert made.rung == rung, f"the set is too large for {rung}"
    if made.grammar:
        quoted = json.dumps(NOT_FOUND)
        assert f" | {quoted}" in made.grammar
        return replace(made, grammar=made.grammar.replace(f" | {quoted}", "", 1))
    if rung == "schema":
        return replace(made, schema=made.schema["anyOf"][0])
    if rung == "enum":
        made.schema["properties"]["status"]["enum"] = ["answered"]
        made.schema["properties"]["statements"]["minItems"] = 1
    return made


def generator(**settings):
    """The real model, at a temperature at which it tries everything."""
    made = LlamaCppGenerator(context=2048, threads=1, timeout=600, temperature=0.8, **settings)
    made.load()
    made._engine().found.found["schema"] = by_format  # which it never asks for by itself
    return made


def written(model, request, rung, found, seed):
    """One draft, as it came."""
    # Without a penalty a model of this size repeats itself until it is cut off.
    model._body |= {"seed": seed, "frequency_penalty": 1.0, "max_tokens": _MOST[rung]}
    return model._written(forced(rung, found), request, Call(600), _unheard)


def tally(kept, request, reply):
    """Count one draft; see `shares`."""
    got = score(reply.raw or "", request.docs, finish=reply.finish_reason)
    kept.update(drafts=1, parsed=got.parsed, cut=reply.finish_reason == "length" or bool(reply.cut))
    kept.update(statements=got.statements, sources=got.sources, shaped=got.shaped)
    kept.update(quotes=got.quotes, digits=got.digits, numbers=got.numbers)
    kept.update(constrained=reply.constraint != "none", tokens=reply.usage.output_tokens)
    answered = (reply.raw or "").startswith(HEAD)
    kept.update(answered=answered)
    return got


def shares(kept):
    """A line of a table: what part of the drafts, and of their statements, holds."""
    drafts, statements = max(kept["drafts"], 1), max(kept["statements"], 1)
    shaped = max(kept["shaped"], 1)
    return (
        f"{kept['drafts']:4d} drafts  parsed {kept['parsed'] / drafts:6.1%}  "
        f"cut off {kept['cut'] / drafts:6.1%}  {kept['statements']:4d} statements  "
        f"sources {kept['sources'] / statements:6.1%}  quotes {kept['quotes'] / shaped:6.1%}  "
        f"digits {kept['digits'] / shaped:6.1%}  numbers {kept['numbers'] / shaped:6.1%}  "
        f"called constrained {kept['constrained'] / drafts:6.1%}"
    )


def tallies():
    return {rung: Counter() for rung in RUNGS}
