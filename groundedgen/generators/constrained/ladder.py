"""How a draft is asked for, and what to leave out when a server does not take it.

From the strictest form down: a strict JSON schema, any JSON object, the prompt alone. Each
step is taken only when the server says that the step before is the trouble, one at a time,
and is remembered once a reply came that way. Pure: values in, values out.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import regex

from groundedgen.draft import plain_json_schema
from groundedgen.generators.constrained.refusals import Refusals, Shape

__all__ = ["RUNGS", "Form", "Learned", "Rung", "is_about_else", "strict_format"]

Rung = Literal["json_schema", "json_object", "text"]
RUNGS: Final[tuple[Rung, ...]] = ("json_schema", "json_object", "text")

#: Statuses with which servers turn down a parameter.
_TURNED_DOWN: Final = frozenset({400, 404, 415, 422, 501})
#: Words for the form of a reply, in the messages of servers; lower case.
_OF_THE_FORM: Final = (
    "response_format", "response format", "schema", "json_object", "json mode",
    "structured output", "structured_output", "grammar", "guided", "requested parameter",
)  # fmt: skip
#: Whoever names these means something else, even if the form is mentioned beside it.
_OF_SOMETHING_ELSE: Final = (
    "context length", "context_length", "context size", "context window", "too many tokens",
    "model_not_found", "does not exist", "api key",
)  # fmt: skip
_NAME: Final = regex.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Form:
    """What of a request depends on the server.

    Attributes:
        rung: How the form of the reply is asked for.
        temperature: Whether a temperature is sent; reasoning models take none.
        limit: The name of the limit on a reply's tokens; servers take one or the other, and
            the older name is the one that those who know neither ignore least often.
    """

    rung: Rung = "json_schema"
    temperature: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def without(
        self, status: int | None, words: str, sent: Mapping[str, Any], *, fixed: bool = False
    ) -> Form | None:
        """The form without what the server turned down; `None` if that is nothing of the form.

        Args:
            status: The HTTP status of the error.
            words: What the server says, in lower case.
            sent: The request that was turned down.
            fixed: Stay on this rung.

        >>> Form().without(400, "response_format is not supported", {}).rung
        'json_object'
        >>> Form().without(400, "this model's maximum context length is 4096 tokens", {})
        """
        if status not in _TURNED_DOWN or is_about_else(words):
            return None
        if "temperature" in sent and "temperature" in words:
            return replace(self, temperature=False)
        if "max_tokens" in sent and "max_completion_tokens" in words:
            return replace(self, limit="max_completion_tokens")
        if fixed or self.rung == RUNGS[-1] or not any(word in words for word in _OF_THE_FORM):
            return None
        return replace(self, rung=RUNGS[RUNGS.index(self.rung) + 1])

    def response_format(self, schema: type[Any]) -> dict[str, Any]:
        """The request's part about the form of the reply; empty on the last rung.

        Args:
            schema: A Pydantic model class.
        """
        if self.rung == "text":
            return {}
        if self.rung == "json_object":
            return {"response_format": {"type": "json_object"}}
        return strict_format(schema.__name__, plain_json_schema(schema))


def strict_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The request's part that asks for a strict JSON schema.

    Args:
        name: What to call it; any string.
        schema: A JSON Schema.

    >>> strict_format("Labels[int]", {})["response_format"]["json_schema"]["name"]
    'Labels_int_'
    """
    named = {"name": _NAME.sub("_", name)[:64], "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def is_about_else(words: str) -> bool:
    """Whether a server turns down something that no other form of the reply would help.

    Args:
        words: What it says, in lower case.

    >>> is_about_else("maximum context length is 4096 tokens"), is_about_else("invalid grammar")
    (True, False)
    """
    return any(word in words for word in _OF_SOMETHING_ELSE)


class Learned:
    """The form a server was last seen to take; shared by threads.

    Attributes:
        streams: It sends a reply in pieces if asked to; until it says that it does not.
        counts: It then takes `stream_options`, and so tells the tokens.
        refusals: The rungs that it turned down, as such or from some size of a schema on.
    """

    def __init__(self, form: Form) -> None:
        self.streams = self.counts = True
        self.refusals = Refusals()
        self._form = form
        self._lock = threading.Lock()

    @property
    def form(self) -> Form:
        """What it takes if no schema is too large for it."""
        return self.form_for(None)

    def form_for(self, asked: Shape | None) -> Form:
        """What it takes of a schema of this shape, as far as is known."""
        form = self._form
        rungs = RUNGS[RUNGS.index(form.rung) :]
        taken = (rung for rung in rungs if self.refusals.takes(rung, asked))
        return replace(form, rung=next(taken, RUNGS[-1]))

    def keep(self, form: Form) -> None:
        """Remember what worked, never going back up."""
        with self._lock:
            mine = self._form
            self._form = Form(
                rung=max(mine.rung, form.rung, key=RUNGS.index),
                temperature=mine.temperature and form.temperature,
                limit=form.limit if mine.limit == "max_tokens" else mine.limit,
            )
