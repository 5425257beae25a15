"""Servers of one's own as the reference describes them: each obeys some fields, ignores others.

A fake reads a request as its server would. What it obeys, it answers by: a probe by its nonce.
What it does not know, it answers as if it were not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tests.servers.loopback import Asked, Said
from tests.servers.openai_wire import says

#: What each server was seen to obey; see `groundedgen.generators.constrained.probes.Field`.
VLLM = {
    ("lark", "structured_outputs.grammar"),
    ("gbnf", "structured_outputs.grammar"),
    ("schema", "structured_outputs.json"),
    ("schema", "response_format"),
}
LLAMACPP = {("lark", "grammar"), ("gbnf", "grammar"), ("schema", "response_format")}
STOCK_LLAMACPP = {("gbnf", "grammar"), ("schema", "response_format")}
SGLANG = {("gbnf", "ebnf"), ("schema", "response_format")}
SGLANG_LLGUIDANCE = {("lark", "ebnf"), ("gbnf", "ebnf"), ("schema", "response_format")}
OLLAMA = {("schema", "response_format")}
NOTHING: set[tuple[str, str]] = set()


def constraints(body) -> dict[str, object]:
    """Every constraint of a request: field -> the grammar or the schema."""
    found = {name: body[name] for name in ("grammar", "ebnf") if name in body}
    given = body.get("structured_outputs", {})
    found |= {f"structured_outputs.{name}": given[name] for name in given}
    sent = body.get("response_format", {})
    if sent.get("type") == "json_schema":
        found["response_format"] = sent["json_schema"]["schema"]
    return found


def kind_of(constraint) -> str:
    """The kind that a constraint is, as `probes.Ability` says it."""
    if isinstance(constraint, dict):
        return "schema"
    return "gbnf" if "::=" in constraint else "lark"


def is_probe(body) -> bool:
    return [m["role"] for m in body["messages"]] == ["user"]


def nonce_of(constraint) -> str:
    """The one reply that a probe's constraint lets through."""
    if isinstance(constraint, dict):
        [kind] = constraint.get("anyOf", [constraint])
        return json.dumps({"nonce": kind["properties"]["nonce"]["enum"][0]})
    if "::=" in constraint:
        return "".join(re.findall(r'"([a-z]{6})"', constraint))
    return re.findall(r"/([a-z]{12})/", constraint)[-1]


def obeying(obeyed, answer: Callable[[Asked], Said], *, probes=None) -> Callable[[Asked], Said]:
    """A server that obeys some constraints; every other request than a probe is `answer`'s.

    Args:
        obeyed: Pairs of kind and field.
        answer: What it says to a request that is no probe.
        probes: Says what comes of a probe instead, or `None` to go on as always.
    """

    def answered(asked: Asked) -> Said:
        if not is_probe(asked.body):
            return answer(asked)
        if probes is not None and (said := probes(asked)) is not None:
            return said
        for field, constraint in constraints(asked.body).items():
            if (kind_of(constraint), field) in obeyed:
                return says(nonce_of(constraint))
        return says("Sure!")

    return answered


def real(server) -> list[Asked]:
    """The requests that were no probes."""
    return [asked for asked in server.asked if not is_probe(asked.body)]


def probed(server) -> list[tuple[str, str]]:
    """Kind and field of each probe, in order."""
    asked = [a.body for a in server.asked if is_probe(a.body)]
    return [(kind_of(c), f) for body in asked for f, c in constraints(body).items()]
