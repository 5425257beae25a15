"""What an Outlines model obeys: it is asked for a word that only the constraint knows.

A processor may never be called, a server may not know the field or drop it; neither says so. The
word is drawn by lot and stands nowhere in the prompt, so whoever writes it was bound to.
"""

from __future__ import annotations

from collections.abc import Generator as Steps
from typing import Final, TypeVar

from groundedgen.errors import MissingExtraError
from groundedgen.generators.constrained.probes import answers, fresh, only
from groundedgen.generators.constrained.rungs import Capabilities, Rung
from groundedgen.generators.outlining.calls import Asker
from groundedgen.generators.outlining.dialects import Put
from groundedgen.generators.outlining.guarded import Compiler
from groundedgen.generators.outlining.outcomes import Call, Outcome
from groundedgen.values import Prompt

__all__ = ["Asking", "found"]

T = TypeVar("T")
Asking = Steps[Call, Outcome, T]
"""Yields calls and is sent what came of them, so that it is one thing, awaited or not."""

_SHORT: Final = 64  # tokens of a probe's reply
_LONG: Final = 4096  # ... of a model that was still thinking then
_PROMPT: Final = Prompt("", "Reply with one word: ready.", "probe")


def found(asker: Asker, *, own: bool) -> Asking[Capabilities]:
    """What the model was seen to obey; it is asked once, for all generators made from it.

    Args:
        asker: Of the model.
        own: Whether it is a model or a server of one's own. A hosted service is not probed: it
            says what it takes, and each reply shows whether it does.

    Raises:
        ProviderError: It failed otherwise than by not obeying.
        MissingExtraError: What binds it is not installed.
    """
    known = asker.known
    if known.able is None:
        if asker.dialect.steered:
            known.able = yield from _steers(asker)
        elif own:
            known.able = yield from _obeys(asker)
        else:
            known.able = _hosted(asker)
    return known.able


def _hosted(asker: Asker) -> Capabilities:
    puts = asker.dialect.fields.get("enum", ())
    if puts:
        asker.known.puts["enum"] = puts[0]
    return Capabilities(enum=bool(puts))


def _steers(asker: Asker) -> Asking[Capabilities]:
    """Whether a processor of ours binds the model: both may be there and never meet."""
    try:
        asker.known.compiler = Compiler(asker.model)
    except ImportError as missing:
        raise MissingExtraError("steering a model of Outlines", extra="outlines") from missing
    except (ValueError, TypeError, AttributeError, NotImplementedError):
        return Capabilities()  # a tokenizer or a tensor library that llguidance does not know
    bound = yield from _probed(asker, "lark", None)
    if not bound:
        asker.known.compiler = None
    return Capabilities(lark=bound, schema=bound, enum=bound)


def _obeys(asker: Asker) -> Asking[Capabilities]:
    """Which rungs a server obeys, each said in the first of the ways that it minds."""
    lark = yield from _first(asker, "lark")
    schema = yield from _first(asker, "schema")
    if schema:
        asker.known.puts["enum"] = asker.known.puts["schema"]
    return Capabilities(lark=lark, schema=schema, enum=schema)


def _first(asker: Asker, rung: Rung) -> Asking[bool]:
    for put in asker.dialect.fields.get(rung, ()):
        if (yield from _probed(asker, rung, put)):
            asker.known.puts[rung] = put
            return True
    return False


def _probed(asker: Asker, rung: Rung, put: Put | None) -> Asking[bool]:
    """Whether the model writes a word that only the constraint knows."""
    word = fresh()
    raw = ""
    for tokens in (_SHORT, _LONG):
        outcome = yield Call(_PROMPT, only(rung, word), put, tokens)
        missing = outcome.guard.error if outcome.guard is not None else outcome.error
        if isinstance(missing, ImportError):
            raise MissingExtraError("steering a model of Outlines", extra="outlines") from missing
        if outcome.lost:
            return False
        said = outcome.said(asker.who, tokens)
        raw = (said.raw or "").strip()
        if raw or said.finish_reason != "length":
            break
    return answers(rung, word, raw)
