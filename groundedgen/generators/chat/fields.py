"""What all requests of one generator have in common, and which fields a caller may set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from groundedgen.errors import InputError
from groundedgen.generators.constrained.ladder import RUNGS, Form
from groundedgen.generators.replies.completions import sendable

__all__ = ["Settings", "check_settings"]

#: Fields that say what a reply looks like, or how it is sent, in the words of all servers.
_OURS: Final = (
    "messages", "model", "stream", "response_format", "structured_outputs", "grammar", "ebnf",
    "regex", "json_schema", "structural_tag", "guided_json", "guided_grammar", "guided_regex",
    "guided_choice",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """What every request of one generator has in common; see `openai.OpenAIGenerator`."""

    name: str
    model: str
    max_tokens: int | None
    temperature: float | None
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    def body(self, form: Form, system: str, user: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """A request. The same words first every time, for the server's prompt cache.

        Args:
            form: What of it depends on the server.
            system: The rules.
            user: The passages and the question.
            fields: How the form of the reply is asked for.
        """
        messages = [{"role": "system", "content": sendable(system)}] if system else []
        messages.append({"role": "user", "content": sendable(user)})
        body: dict[str, Any] = {"model": self.model, "messages": messages, **fields}
        if extra := {**self.extra_body, **fields.get("extra_body", {})}:
            body["extra_body"] = extra
        if self.temperature is not None and form.temperature:
            body["temperature"] = self.temperature
        if self.max_tokens is not None:
            body[form.limit] = self.max_tokens
        return body

    def probe(self, form: Form, fields: Mapping[str, Any], most: int) -> dict[str, Any]:
        """A request for one word of at most `most` tokens, under the constraint of `fields`."""
        asked = replace(self, max_tokens=most)
        return asked.body(form, "", "Answer with one short word.", fields)


def check_settings(
    model: object, rung: object, *, own_server: bool, extra_body: Mapping[str, Any] | None
) -> None:
    """Check what a generator is made with.

    Args:
        model: The model's name.
        rung: The form to stay with; `None` for none.
        own_server: The server is asked what it obeys.
        extra_body: Further fields of each request.

    Raises:
        InputError: One of them is out of its range, or two exclude each other.
    """
    if not isinstance(model, str) or not model.strip():
        raise InputError(f"model must be a name, got {model!r:.60}", code="bad_type")
    if rung is not None and rung not in RUNGS:
        known = ", ".join(RUNGS)
        raise InputError(
            f"response_format must be None or one of {known}; got {rung!r:.60}",
            code="bad_response_format",
        )
    if rung is not None and own_server:
        raise InputError(
            "own_server=True finds out itself how to ask for the form; leave response_format out",
            code="bad_response_format",
        )
    if ours := sorted(set(extra_body or ()) & set(_OURS)):
        raise InputError(
            f"extra_body holds {', '.join(ours)}, which is set here; leave it out",
            code="bad_extra_body",
        )
