"""Which constraint a request is sent with: the tightest that the backend was seen to obey.

What a server can do is found out by asking it (a grammar that admits one nonce), never taken
from its name: servers ignore fields that they do not know. What is too large for the compilers
of one rung goes down to the next instead of failing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal, assert_never

from groundedgen.draft import draft_json_schema, plain_json_schema
from groundedgen.draft import schema as draft_schema
from groundedgen.generators.constrained.gbnf import gbnf
from groundedgen.generators.constrained.lark import lark, sample
from groundedgen.generators.grammar import Limits, Quotables, quotables, schema
from groundedgen.spans import piece_count
from groundedgen.values import Constraint, Request, ResponseFormat

__all__ = [
    "CONSTRAINTS",
    "MOST_SENTENCES",
    "MOST_TEXT",
    "Capabilities",
    "Plan",
    "Rung",
    "Size",
    "choose",
    "drafted",
    "plan",
    "planned",
]

Rung = Literal["lark", "schema", "gbnf", "enum", "none"]

CONSTRAINTS: Final[dict[Rung, Constraint]] = {
    "lark": "grammar",
    "schema": "schema",
    "gbnf": "schema",
    "enum": "enum",
    "none": "none",
}
"""What each rung binds, in the words of `values.Reply.constraint`: a GBNF grammar ties source and
quote and leaves the digits free, so it is a "schema"."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a backend was seen to do. Nothing is assumed: all default to no.

    Attributes:
        lark: It writes what a Lark grammar for `llguidance` admits.
        schema: It writes what a JSON Schema with `anyOf` and long enums admits, and may be told
            the words of passages; not for a hosted service, which may keep its schemas.
        gbnf: It writes what a GBNF grammar admits.
        enum: It writes what a strict schema with an enum of aliases admits.
    """

    lark: bool = False
    schema: bool = False
    gbnf: bool = False
    enum: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """How large a passage set is for a constraint: its quotes, and their code points."""

    quotes: int
    code_points: int

    @classmethod
    def of(cls, found: Quotables) -> Size:
        return cls(sum(len(passage.quotes) for passage in found.passages), found.size)


# Measured (`scripts/measure_grammar.py`); beyond, compilers fail or a first token takes seconds.
LIMITS: Final[dict[Rung, Size]] = {
    "lark": Size(2_000, 500_000),
    "schema": Size(4_000, 600_000),
    "gbnf": Size(500, 100_000),
}


MOST_TEXT: Final = 400_000
"""Code points of passages beyond which no sentence is looked for: some seconds of reading."""

MOST_SENTENCES: Final = 4_500
"""Sentences of passages, pieces of overlong ones counted, beyond which none is looked at: at most
4,000 quotes can be bound. Some sentences say the same, or are quoted with their neighbours."""


def choose(capabilities: Capabilities, size: Size) -> Rung:
    """The tightest rung that the backend obeys and whose compilers take a set of this size.

    >>> server = Capabilities(lark=True, schema=True, gbnf=True, enum=True)
    >>> choose(server, Size(175, 20_000)), choose(server, Size(90_000, 9_000_000))
    ('lark', 'enum')
    >>> choose(Capabilities(gbnf=True), Size(175, 20_000)), choose(Capabilities(), Size(1, 30))
    ('gbnf', 'none')
    """
    return next(_rungs(capabilities, size))


def _rungs(capabilities: Capabilities, size: Size) -> Iterator[Rung]:
    obeyed: dict[Rung, bool] = {
        "lark": capabilities.lark,
        "schema": capabilities.schema,
        "gbnf": capabilities.gbnf,
        "enum": capabilities.enum,
    }
    for rung, can in obeyed.items():
        limit = LIMITS.get(rung, size)
        if can and size.quotes <= limit.quotes and size.code_points <= limit.code_points:
            yield rung
    yield "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to send.

    Attributes:
        rung: Which of the five it is.
        grammar: The Lark or GBNF text, else "".
        schema: The JSON Schema of the rungs "schema" and "enum", else `None`.
        stepped_down: The rungs that a compiler refused, tightest first.
    """

    rung: Rung
    grammar: str = field(default="", repr=False)
    schema: dict[str, Any] | None = field(default=None, repr=False)
    stepped_down: tuple[Rung, ...] = ()

    @property
    def constraint(self) -> Constraint:
        return CONSTRAINTS[self.rung]

    @property
    def response_format(self) -> ResponseFormat:
        if self.grammar:
            return "grammar"
        return "text" if self.schema is None else "json_schema"


def plan(
    capabilities: Capabilities,
    found: Quotables,
    fault: Callable[[str, str], str] | None = None,
) -> Plan:
    """The constraint for one request, in the words of its rung.

    Args:
        capabilities: What the backend was seen to do.
        found: The passages' quotes.
        fault: Compiles a Lark grammar and feeds it one draft; returns what is wrong, "" if
            nothing is. `constrained.llguide.fault` where `llguidance` is installed.

    >>> from groundedgen.generators.grammar import quotables
    >>> found = quotables({"S1": "Floods are not covered at all."})
    >>> able = Capabilities(lark=True, enum=True)
    >>> plan(able, found).rung, plan(able, found, lambda grammar, draft: "too large")
    ('lark', Plan(rung='enum', stepped_down=('lark',)))
    """
    refused: list[Rung] = []
    for rung in _rungs(capabilities, Size.of(found)):
        made = _plan(rung, found)
        if rung == "lark" and fault is not None and fault(made.grammar, sample(found)):
            refused.append(rung)
            continue
        return Plan(made.rung, made.grammar, made.schema, tuple(refused))
    raise AssertionError("the last rung is never refused")  # pragma: no cover - see `_rungs`


def planned(
    request: Request,
    capabilities: Capabilities,
    fault: Callable[[str, str], str] | None = None,
) -> Plan:
    """The constraint for whatever is asked for: see `plan` for a draft.

    Anything else (sentence ids, a judge's labels, a draft from more passages than can be bound)
    is asked for by its own JSON Schema, which holds no passage text, where the backend obeys one.

    >>> from groundedgen.draft import schema
    >>> from groundedgen.values import Prompt, Request
    >>> docs = {"S1": "Floods are not covered at all."}
    >>> request = Request("?", Prompt("", "", "1"), schema(["S1"]), docs)
    >>> planned(request, Capabilities(lark=True)).rung
    'lark'
    """
    if (found := drafted(request)) is not None:
        return _kept(capabilities, found, fault)
    if capabilities.schema or capabilities.enum:
        return Plan("enum", schema=plain_json_schema(request.schema))
    return Plan("none")


# A second draft has the passages of the first, and the next question often has as well.
_kept = lru_cache(maxsize=16)(plan)


def drafted(request: Request) -> Quotables | None:
    """The quotes that a request for a draft binds; `None` if it asks for anything else.

    Of more passages than `MOST_TEXT` or `MOST_SENTENCES` none are bound: no compiler takes so much,
    and reading its sentences takes longer than an answer.
    """
    if not request.docs or request.schema is not draft_schema(tuple(request.docs)):
        return None
    if sum(map(len, request.docs.values())) > MOST_TEXT:
        return None
    if _sentences(request) > MOST_SENTENCES:
        return None
    limits = Limits(request.max_statements, request.min_quote_words)
    return quotables(request.docs, request.langs, limits)


def _sentences(request: Request) -> int:
    return sum(piece_count(text, request.langs.get(name)) for name, text in request.docs.items())


def _plan(rung: Rung, found: Quotables) -> Plan:
    match rung:
        case "lark":
            return Plan(rung, grammar=lark(found))
        case "schema":
            return Plan(rung, schema=schema(found))
        case "gbnf":
            return Plan(rung, grammar=gbnf(found))
        case "enum":
            return Plan(rung, schema=draft_json_schema(found.names))
        case "none":
            return Plan(rung)
        case _:
            assert_never(rung)
