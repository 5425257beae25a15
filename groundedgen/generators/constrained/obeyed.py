"""Whether a reply is one that its constraint lets through, as far as it can be seen from here.

Three servers were seen to lose a constraint without an error: a grammar that does not compile
is dropped, one that fails in mid-answer leaves the rest free. So a reply is called constrained
only if it looks like it, and the gates go over it either way. Pure: values in, values out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import regex

from groundedgen.closing import Scanner
from groundedgen.generators.constrained.copied import copied
from groundedgen.generators.constrained.rungs import Plan, Rung, drafted
from groundedgen.generators.constrained.terminals import CHAR
from groundedgen.generators.grammar import HEAD, NOT_FOUND, TAIL, Limits, Quotable, Quotables
from groundedgen.patterns import lazy
from groundedgen.values import Reply, Request

__all__ = ["Admits", "Watch", "checked", "cut_off", "obeyed"]

Admits = Callable[[str, str], bool]
"""Whether a Lark grammar admits a reply: `llguide.admits`, where `llguidance` is installed."""

#: Rungs that bind source and quote: a reply is then one of the passages' own quotes, or none.
_TIED: Final[frozenset[Rung]] = frozenset({"lark", "schema", "gbnf"})
#: Rungs on which a reply has one spelling only, blanks and order of keys included.
_SPELLED: Final[frozenset[Rung]] = frozenset({"lark", "gbnf"})
_CONTROL: Final = lazy(r"[\x00-\x1f\x7f\\\ud800-\udfff]")
_PROSE: Final = lazy(rf"(?:{CHAR}|\p{{Nd}})+", regex.V1)
#: A run of digits of any script; raised digits and fractions are one each.
_RUN: Final = lazy(r"\p{Nd}+|[\p{No}\p{Nl}]")
_WHOLE: Final = lazy(
    r"[.!?\u2026\u3002\uff01\uff1f\u0964\u061f\u06d4][\"'\u201d\u2019\u00bb\u300d)\]]*\Z"
)


def obeyed(plan: Plan, request: Request, raw: str | None, admits: Admits | None = None) -> bool:
    """Whether a reply is one that this plan's constraint lets through.

    What is bound is looked at: for a draft the source, its own quote and, under a Lark grammar,
    the digits of the text; for anything else, and on the rung "enum", the schema asked for.
    Nothing is taken off: a constrained reply has no fence and no thinking part. Without a
    constraint there is nothing to obey.

    Args:
        plan: What was sent; see `rungs.planned`.
        request: What it was planned for.
        raw: The reply.
        admits: Also put the reply to the grammar itself.

    >>> from groundedgen.draft import schema
    >>> from groundedgen.values import Prompt
    >>> docs = {"S1": "Claims are due within 30 days."}
    >>> request = Request("?", Prompt("", "", "1"), schema(["S1"]), docs)
    >>> reply = '{"status":"answered","statements":[{"sources":["S1"],"quote":"%s","text":"%s"}]}'
    >>> tied = Plan("lark", grammar="...")
    >>> obeyed(tied, request, reply % ("Claims are due within 30 days.", "You have 30 days."))
    True
    >>> obeyed(tied, request, reply % ("Claims are due within 30 days.", "You have 60 days."))
    False
    >>> obeyed(tied, request, reply % ("Claims are due within 60 days.", "You have 60 days."))
    False
    >>> obeyed(tied, request, "Certainly! You have 30 days.")
    False
    """
    if plan.rung == "none":
        return True
    found = drafted(request) if plan.rung in _TIED else None
    if found is None:
        return _is_of(request.schema, raw)
    statements = _statements(raw)
    if statements is None or len(statements) > found.limits.max_statements:
        return False
    if not all(_is_tied(item, found, digits=plan.rung == "lark") for item in statements):
        return False
    written = (raw or "").strip()
    if plan.rung in _SPELLED and not _is_spelled(written, statements):
        return False
    if plan.rung == "lark" and not all(map(_is_prose, statements)):
        return False
    return plan.rung != "lark" or admits is None or admits(plan.grammar, written)


def cut_off(plan: Plan, request: Request, raw: str | None) -> tuple[int, ...]:
    """Which statements of a constrained draft reached the longest text that they may have.

    The decoder ended them there, in the middle of what they were saying, unless they end as a
    sentence does.

    Args:
        plan: What was sent.
        request: What it was planned for.
        raw: A reply, also one that did not obey in all: what of it did may be cut off.

    Returns:
        Their places, from 0.
    """
    found = drafted(request) if plan.rung in _TIED else None
    if found is None:
        return ()
    items = enumerate(_statements(raw) or ())
    return tuple(place for place, item in items if _is_cut(item, found, plan.rung))


class Watch:
    """Holds a streamed draft back from the first statement on that was cut off.

    What is not handed on while it arrives is read with the whole reply, in which such a statement
    is known for what it is (see `checked`); by itself it looks like one that is whole.

    Args:
        plan: What was sent.
        request: What it was planned for.
    """

    def __init__(self, plan: Plan, request: Request) -> None:
        self._found = drafted(request) if plan.rung in _TIED else None
        self._rung, self._scanner, self._holds = plan.rung, Scanner(), False

    def told(self, delta: str) -> str:
        """As much of the next part of the reply as may be handed on: all of it, or nothing."""
        if self._found is not None and not self._holds:
            closed = self._scanner.feed(delta)
            self._holds = any(self._is_cut(statement, self._found) for statement in closed)
        return "" if self._holds else delta

    def _is_cut(self, statement: str, found: Quotables) -> bool:
        try:
            item = json.loads(statement)
        except (ValueError, RecursionError):  # no draft, as the end of the reply will tell
            return False
        return _is_cut(item, found, self._rung)


def checked(reply: Reply, plan: Plan, request: Request, admits: Admits | None = None) -> Reply:
    """The reply, with what can be said of its constraint: the plan's if it obeyed, else none.

    Its `response_format` is what was sent in any case. Statements that were cut off at the bound
    of their text are named: they fail, and no other one with them.
    """
    sent = plan.response_format
    cut = cut_off(plan, request, reply.raw)
    kept = obeyed(plan, request, reply.raw, admits)
    constraint = plan.constraint if kept else "none"
    return replace(reply, constraint=constraint, response_format=sent, cut=cut)


def _is_of(schema: type[Any], raw: str | None) -> bool:
    """Whether a reply is all of the schema asked for, a Pydantic model class."""
    from pydantic import ValidationError  # noqa: PLC0415  # as in `draft`: takes its time

    try:
        schema.model_validate_json(raw or "", strict=True)
    except ValidationError:
        return False
    return True


def _statements(raw: str | None) -> list[Any] | None:
    """The statements of a draft in the very form that a constraint gives it, else `None`."""
    try:
        draft = json.loads(raw or "", object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(draft, dict) or draft.keys() != {"status", "statements"}:
        return None
    status, statements = draft["status"], draft["statements"]
    if not isinstance(statements, list) or status not in ("answered", "not_found"):
        return None
    return statements if bool(statements) == (status == "answered") else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _is_tied(item: Any, found: Quotables, *, digits: bool) -> bool:
    """Whether a statement's source is a passage, its quote one of that passage's own."""
    if not isinstance(item, dict) or item.keys() != {"sources", "quote", "text"}:
        return False
    text, quote, sources = item["text"], item["quote"], item["sources"]
    if not isinstance(text, str) or not text:
        return False
    passage = next((p for p in found.quotable if sources == [p.alias]), None)
    if passage is None or quote not in passage.quotes:
        return False
    return not digits or _runs(text) <= _runs(quote)


def _is_spelled(written: str, statements: list[Any]) -> bool:
    """Whether a draft is written as a grammar spells it, and each text begins to say something."""
    texts = [item["text"] for item in statements]
    if any(_CONTROL.search(text) or not any(map(str.isalnum, text)) for text in texts):
        return False
    items = (
        json.dumps({key: item[key] for key in _KEYS}, ensure_ascii=False, separators=(",", ":"))
        for item in statements
    )
    return written == (f"{HEAD}{','.join(items)}{TAIL}" if statements else NOT_FOUND)


_KEYS: Final = ("sources", "quote", "text")


def _is_prose(item: Any) -> bool:
    """Whether a text is of the grammar's alphabet, but for what came with numbers of its quote."""
    lent = {sign for sign in item["quote"] if not sign.isalpha() and sign != "\\"}
    text = "".join(" " if sign in lent else sign for sign in item["text"])
    return _PROSE.fullmatch(json.dumps(text, ensure_ascii=False)[1:-1]) is not None


def _is_cut(item: Any, found: Quotables, rung: Rung) -> bool:
    if not _is_tied(item, found, digits=False):
        return False
    passage = next(p for p in found.passages if [p.alias] == item["sources"])
    return _reaches(item, passage, found.limits, rung) and not _WHOLE.search(item["text"])


def _runs(text: str) -> set[str]:
    return set(_RUN.findall(text))


def _reaches(item: dict[str, Any], passage: Quotable, limits: Limits, rung: Rung) -> bool:
    """Under a Lark grammar a text with numbers is counted in words; see `grammar.Limits`."""
    text: str = item["text"]
    lent = copied(item["quote"], passage.lang) if rung == "lark" else None
    if lent is None or lent.glued or not lent.forms:
        return len(text) >= limits.max_text
    return len(regex.split(" +", text)) > limits.max_text // 5
