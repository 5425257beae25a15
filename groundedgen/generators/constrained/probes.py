"""How a backend is asked what it obeys, and what a server was seen to obey.

A probe asks for one word, under a constraint that admits a single nonce: twelve letters drawn
by chance that stand nowhere else in the request. Only the nonce coming back counts.
"""

from __future__ import annotations

import secrets
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, assert_never

from groundedgen.generators.constrained.ladder import strict_format
from groundedgen.generators.constrained.rungs import Capabilities, Plan, Rung

__all__ = ["PROBES", "Ability", "Field", "Found", "Probe", "answers", "fresh", "only", "placed"]

Ability = Literal["lark", "schema", "gbnf", "enum"]
Field = Literal[
    "structured_outputs.grammar", "structured_outputs.json", "grammar", "ebnf", "response_format"
]
"""Where a constraint stands in a request: vLLM's, vLLM's, llama.cpp's, SGLang's, everyone's."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One way of asking for one kind of constraint."""

    ability: Ability
    field: Field

    def asks(self, nonce: str) -> dict[str, Any]:
        """The fields of a request that admits the nonce only."""
        plan = only(self.ability, nonce)
        return placed(self.field, grammar=plan.grammar, schema=plan.schema)


# In the order of `rungs.Rung`; of each kind the first field that is obeyed is taken.
PROBES: Final = (
    Probe("lark", "structured_outputs.grammar"),
    Probe("lark", "grammar"),
    Probe("lark", "ebnf"),
    Probe("schema", "response_format"),
    Probe("schema", "structured_outputs.json"),
    Probe("gbnf", "grammar"),
    Probe("gbnf", "ebnf"),
    Probe("gbnf", "structured_outputs.grammar"),
    Probe("enum", "response_format"),
    Probe("enum", "structured_outputs.json"),
)


def placed(
    field: Field, *, grammar: str = "", schema: Mapping[str, Any] | None = None, name: str = "Reply"
) -> dict[str, Any]:
    """The fields of a request that hold a grammar or a schema.

    >>> placed("structured_outputs.grammar", grammar="start: NONCE")
    {'extra_body': {'structured_outputs': {'grammar': 'start: NONCE'}}}
    """
    match field:
        case "structured_outputs.grammar":
            return {"extra_body": {"structured_outputs": {"grammar": grammar}}}
        case "structured_outputs.json":
            return {"extra_body": {"structured_outputs": {"json": schema}}}
        case "grammar" | "ebnf":
            return {"extra_body": {field: grammar}}
        case "response_format":
            return strict_format(name, schema or {})
        case _:
            assert_never(field)


def fresh() -> str:
    """A nonce: nobody has written it before.

    >>> len(fresh()), fresh() == fresh()
    (12, False)
    """
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(12))


def only(rung: Rung, nonce: str) -> Plan:
    """A plan that admits a nonce of `fresh` and nothing else.

    >>> only("enum", "a" * 12).schema["properties"]["nonce"]["enum"], only("none", "").rung
    (['aaaaaaaaaaaa'], 'none')
    """
    match rung:
        case "lark":
            return Plan(rung, grammar=_lark(nonce))
        case "gbnf":
            return Plan(rung, grammar=_gbnf(nonce))
        case "schema" | "enum":
            return Plan(rung, schema=_schema(nonce, either=rung == "schema"))
        case "none":
            return Plan(rung)
        case _:
            assert_never(rung)


def answers(rung: Rung, nonce: str, raw: str | None) -> bool:
    """Whether a reply is what only a model bound by `only(rung, nonce)` writes.

    >>> answers("lark", "abc", "abc"), answers("schema", "abc", '{ "nonce": "abc" }')
    (True, True)
    >>> answers("lark", "abc", "abc!"), answers("enum", "abc", "abc"), answers("none", "", "")
    (False, False, False)
    """
    if rung in ("lark", "gbnf"):
        return raw is not None and raw.strip() == nonce
    blanks_are_free = "".join((raw or "").split())
    return rung != "none" and blanks_are_free == f'{{"nonce":"{nonce}"}}'


def _lark(nonce: str) -> str:
    """A grammar of the same parts as ours: a server that lacks one of them is no Lark server."""
    return (
        "%llguidance {}\n"
        "start: one{1,1}\n"
        "one: NONCE\n"
        rf"NONCE: /[[\p{{L}}\p{{M}}]--[A-Z]]{{12}}/ & ~/(?i:none|[0-9])/ & /{nonce}/"
        "\n"
    )


def _gbnf(nonce: str) -> str:
    """As `_lark`; the last two rules are only there to be read."""
    return (
        f'root ::= one\none ::= "{nonce[:6]}" "{nonce[6:]}"\n'
        r"""text ::= [0-9A-Za-z\u00A1-\U0010FFFF] char{0,3}
char ::= [^"\\\x00-\x1F\x7F] | "\\\""
"""
    )


def _schema(nonce: str, *, either: bool) -> dict[str, Any]:
    """`either`: with the alternatives of a schema that ties quotes, else as plain as a draft's."""
    kind = {
        "type": "object",
        "properties": {"nonce": {"type": "string", "enum": [nonce]}},
        "required": ["nonce"],
        "additionalProperties": False,
    }
    return {"anyOf": [kind]} if either else kind


@dataclass(frozen=True, slots=True)
class Found:
    """What a server was seen to obey: each kind of constraint, and the field it obeys it in.

    >>> found = Found({"lark": "grammar", "schema": "response_format", "enum": "response_format"})
    >>> print(found)
    lark (grammar), schema (response_format), enum (response_format)
    >>> found.capabilities.gbnf, str(Found({}))
    (False, 'nothing')
    """

    fields: Mapping[Ability, Field]

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(**dict.fromkeys(self.fields, True))

    def placed(self, plan: Plan, name: str) -> dict[str, Any]:
        """The fields of a request that is sent by a plan of these capabilities.

        Args:
            plan: On any rung but "none".
            name: What to call the schema.
        """
        if plan.rung == "none":
            return {}
        field = self.fields[plan.rung]
        return placed(field, grammar=plan.grammar, schema=plan.schema, name=name)

    def __str__(self) -> str:
        return ", ".join(f"{kind} ({field})" for kind, field in self.fields.items()) or "nothing"
