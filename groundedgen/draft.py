"""The agreed reply: its schema, and reading one.

A reply is read as strictly as it can be without losing honest ones: wrapping that has one
meaning (a code fence, a thinking part, a byte-order mark, another spelling of an alias) is
taken off; what is broken, cut off or has two readings is refused as a whole. Nothing is
repaired. Within a readable reply a statement of the wrong shape fails alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NoReturn

import regex

from groundedgen.errors import DraftFormatError, InputError, RefusedError, TruncatedError
from groundedgen.gates.markers import cut_markers
from groundedgen.gates.sources import check_sources
from groundedgen.patterns import lazy
from groundedgen.text.replies import PADDING, read_object
from groundedgen.text.visible import is_struck, visible
from groundedgen.values import Finding, Reply, Sourced

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "LONGEST_REPLY",
    "LONGEST_STATEMENT",
    "MOST_STATEMENTS",
    "Answered",
    "NotFound",
    "check_count",
    "check_end",
    "draft_json_schema",
    "is_overlong",
    "parse",
    "plain_json_schema",
    "schema",
]

LONGEST_REPLY: Final = 1_000_000
"""Code points of a reply at most, a thinking part among them: more than any model writes. What is
pure runs to its end whatever the deadline, so what it is given has its bounds."""
MOST_STATEMENTS: Final = 1_000
"""Statements of a reply at most: twenty times what can be asked for."""
LONGEST_STATEMENT: Final = 4_000
"""Code points of a statement at most: two pages, where one sentence was asked for."""
_SHOWN = 200  # code points of a longer one that its finding shows

# How providers say that a reply was declined or filtered, or cut off: parts of their words, in
# lower case. Where both stand ("incomplete: content_filter") it was declined. Any other word
# counts as a normal end: whether the JSON is whole shows for itself.
_DECLINED_PARTS = (
    "refus declin content_filter contentfilter content_policy policy_violation safety recitation "
    "blocklist blocked prohibited spii sensitive moderat guardrail toxic"
)
_CUT_OFF_PARTS = (
    "length max_tokens maxtokens max_output max_completion token_limit tokenlimit limit "
    "context_window context_length incomplete truncat pause_turn"
)
_DECLINED = tuple(_DECLINED_PARTS.split())
_CUT_OFF = tuple(_CUT_OFF_PARTS.split())


_BRACKETED = lazy(r"[\[(【{<\ue200][^\])】}>\ue201]*+.?", regex.DOTALL)


@dataclass(frozen=True, slots=True)
class Answered:
    """A draft with statements.

    Attributes:
        statements: Those of the right shape, in order; possibly none.
        findings: One for each of the others.
        total: Statements in the reply; `len(statements) + len(findings)`.
    """

    statements: tuple[Sourced, ...]
    findings: tuple[Finding, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NotFound:
    """The model says that the passages do not answer. `total` statements came all the same."""

    total: int = 0


def schema(names: Sequence[str]) -> type[BaseModel]:
    """The Pydantic model of a reply whose sources are among `names`.

    Every field is required, nothing else is allowed, no length or pattern keywords: the
    part of JSON Schema that all strict servers take. For the aliases S1 to Sn the class is
    the same object in every call, so n passages lead to one schema, for ever, and servers can
    keep what they compile from it.

    Raises:
        InputError: There are no names (`no_passages`).

    >>> schema(["S1", "S2"]) is schema(["S1", "S2"])
    True
    >>> schema(["S1", "S2"])(status="not_found", statements=[]).model_dump()
    {'status': 'not_found', 'statements': []}
    """
    distinct = tuple(dict.fromkeys(names))
    if not distinct:
        raise InputError("a reply needs at least one source to name", code="no_passages")
    if distinct == _series(len(distinct)):
        return _series_model(len(distinct))
    return _named_model(distinct)


def draft_json_schema(names: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a reply, in one piece: no references, no titles. A new dict each time.

    >>> draft_json_schema(["S1"])["properties"]["statements"]["items"]["properties"]["sources"]
    {'items': {'enum': ['S1'], 'type': 'string'}, 'type': 'array'}
    """
    return plain_json_schema(schema(names))


def plain_json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model without references and titles, as all strict servers take it."""
    whole = model.model_json_schema()
    definitions = whole.pop("$defs", {})

    def inline(node: Any) -> Any:
        if isinstance(node, list):
            return [inline(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return inline(definitions[node["$ref"].rpartition("/")[2]])
        return {
            key: {name: inline(part) for name, part in value.items()}
            if key == "properties"
            else inline(value)
            for key, value in node.items()
            if key != "title"
        }

    plain: dict[str, Any] = inline(whole)
    return plain


def _series(count: int) -> tuple[str, ...]:
    return tuple(f"S{number}" for number in range(1, count + 1))


@lru_cache(maxsize=1024)
def _series_model(count: int) -> type[BaseModel]:
    return _model(_series(count))


@lru_cache(maxsize=64)
def _named_model(names: tuple[str, ...]) -> type[BaseModel]:
    return _model(names)


def _model(names: tuple[str, ...]) -> type[BaseModel]:
    # Pydantic is imported with the first schema: it takes as long as all the rest of the
    # library, and whoever only uses the gates never needs it.
    from pydantic import ConfigDict, WithJsonSchema, create_model  # noqa: PLC0415

    # An enum also for a single name, where Pydantic would write "const".
    as_enum = WithJsonSchema({"type": "string", "enum": list(names)})
    source: Any = Annotated[Literal[names], as_enum]
    closed = ConfigDict(extra="forbid")
    statement: Any = create_model(
        "DraftStatement",
        __config__=closed,
        text=(str, ...),
        sources=(list[source], ...),
        quote=(str, ...),
    )
    status: Any = Literal["answered", "not_found"]
    return create_model(
        "Draft", __config__=closed, status=(status, ...), statements=(list[statement], ...)
    )


def parse(reply: Reply, names: Sequence[str], *, quoted: bool = True) -> Answered | NotFound:
    """Read a reply.

    Args:
        reply: What a generator returned.
        names: What its statements may name as their sources.
        quoted: Each statement brings its quote. Without, a source is a quote's own name, and
            what a statement says as its quote is not looked at.

    Raises:
        RefusedError: The model or a filter declined.
        TruncatedError: It was cut off, by the provider's own word; decided before parsing.
        DraftFormatError: It is not one JSON object of the agreed shape.

    >>> parse(Reply('{"statements": []}'), ["S1"])
    NotFound(total=0)
    >>> parse(Reply('{"statements": [', finish_reason="length"), ["S1"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    groundedgen.errors.TruncatedError: the reply was cut off ('length') after 16 code points; ...
    """
    check_end(reply)
    try:
        draft = read_object(reply.raw or "")
    except ValueError as error:
        _malformed(str(error))
    status = _status(draft.get("status"))
    statements = draft.get("statements", [] if status == "not_found" else None)
    if status == "not_found":
        return NotFound(len(statements) if isinstance(statements, list) else 0)
    if not isinstance(statements, list):
        _malformed("it has no list of statements")
    if not statements:
        return NotFound()
    check_count(len(statements))
    read = [_statement(index, item, names, quoted=quoted) for index, item in enumerate(statements)]
    read = [_cut_off(item) if item.index in reply.cut else item for item in read]
    return Answered(
        statements=tuple(item for item in read if isinstance(item, Sourced)),
        findings=tuple(item for item in read if isinstance(item, Finding)),
        total=len(read),
    )


def check_end(reply: Reply) -> None:
    """Nothing, if the reply came to its own end, and that is not too far.

    Raises:
        RefusedError: The model or a filter declined.
        TruncatedError: It was cut off, by the provider's own word.
        DraftFormatError: It is longer than `LONGEST_REPLY`.
    """
    # Messages name our own part of the word: a server may write anything there, a prompt even.
    word = regex.sub(r"\W+", "_", str(reply.finish_reason or "").lower())
    if reply.refusal and reply.refusal.strip():
        raise RefusedError(f"the model declined ({len(reply.refusal)} code points of reason)")
    if declined := next((part for part in _DECLINED if part in word), ""):
        raise RefusedError(f"the reply was declined or filtered ({declined!r})")
    if told := next((part for part in _CUT_OFF if part in word), ""):
        raise TruncatedError(
            f"the reply was cut off ({told!r}) after {_length(reply)} code points; allow a longer "
            f"one (max_tokens of the generator), or ask for less (Policy.max_statements)"
        )
    if (length := _length(reply)) > LONGEST_REPLY:
        raise DraftFormatError(
            f"the reply has {length} code points, and {LONGEST_REPLY} are read at most; allow a "
            f"shorter one (max_tokens of the generator), or ask for less (Policy.max_statements)"
        )


def _length(reply: Reply) -> int:
    return len(reply.raw or "") + sum(len(piece.text) for piece in reply.cited or ())


def check_count(statements: int) -> None:
    """Nothing, if a reply has no more statements than are read.

    Raises:
        DraftFormatError: It has more than `MOST_STATEMENTS`.
    """
    if statements > MOST_STATEMENTS:
        raise DraftFormatError(
            f"the reply has {statements} statements, and {MOST_STATEMENTS} are read at most; ask "
            f"for less (Policy.max_statements)"
        )


def is_overlong(text: str) -> bool:
    """Whether a text is too long to be one statement.

    >>> is_overlong("Floods are not covered."), is_overlong("no " * 2_000)
    (False, True)
    """
    return len(text) > LONGEST_STATEMENT


def _malformed(why: str) -> NoReturn:
    raise DraftFormatError(f"the reply is not the agreed JSON: {why}") from None


def _status(value: object) -> Literal["answered", "not_found"] | None:
    """The status, forgiving what servers do to enum values: letter case, blank for "_"."""
    if value is None:
        return None
    name = (
        "_".join(value.lower().replace("-", " ").replace("_", " ").split())
        if isinstance(value, str)
        else ""
    )
    match name:
        case "answered" | "not_found":
            return name
    _malformed("its status is neither answered nor not_found")


def _statement(
    index: int, item: object, names: Sequence[str], *, quoted: bool
) -> Sourced | Finding:
    if not isinstance(item, dict):
        return _finding("bad_type", index, "It is no object with text, sources and quote.")
    text, quote = item.get("text"), item.get("quote") if quoted else ""
    if isinstance(text, str) and is_overlong(text):
        return _finding("too_long", index, "It is too long to be one statement.", text[:_SHOWN])
    told = visible(text) if isinstance(text, str) else ""
    if not isinstance(text, str | None) or not isinstance(quote, str | None):
        return _finding("bad_type", index, "Its text or its quote is no string.", told)
    checked = check_sources(index, told, item.get("sources"), quote or "", names)
    if isinstance(checked, Finding):
        return checked
    if quoted and not checked.quote.strip(PADDING):
        return _finding("empty_quote", index, "It has no quote.", told)
    if _is_empty(told, names):
        return _finding("empty_text", index, "It has no text besides markers.", told)
    if is_struck(told):
        return _finding("struck_text", index, "Words of it would be shown struck out.", told)
    return checked


def _cut_off(item: Sourced | Finding) -> Finding:
    """A statement that was ended in mid sentence, which may say the opposite of its whole."""
    if isinstance(item, Finding):
        return item
    message = "It was too long and was cut off before the end of its sentence."
    return _finding("cut_off", item.index, message, item.text)


def _is_empty(text: str, names: Sequence[str]) -> bool:
    """Whether a text says nothing: no letter and no digit outside of its markers."""
    if any(map(str.isalnum, _BRACKETED.sub("", text))):
        return False
    return not any(map(str.isalnum, cut_markers(text, names)))


def _finding(reason: str, index: int, message: str, text: str = "") -> Finding:
    return Finding("draft", reason, index, message, statement=text)
