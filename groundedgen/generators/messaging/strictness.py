"""The forms in which Anthropic's models are asked for a reply, strictest first.

Where the service turns one down, the next is asked for, and what was turned down is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from groundedgen.errors import DeadlineError, ProviderError
from groundedgen.generators.constrained.refusals import Refusals, Shape
from groundedgen.generators.transport.failures import words_of

__all__ = ["Form", "Learned", "fields", "refusal"]

Form: TypeAlias = Literal["json_schema", "tool", "text"]

_FORMS: Final[tuple[Form, ...]] = get_args(Form)
_TOOL: Final = "reply"
_TURNED_DOWN: Final = frozenset({400, 404, 422})
#: What the service names when it does not take a form; lower case.
_OF_THE_FORM: Final[Mapping[Form, tuple[str, ...]]] = {
    "json_schema": ("output_config", "output_format", "json_schema", "schema", "structured output"),
    "tool": ("tool", "schema", "strict"),
    "text": (),
}


class Learned:
    """The forms that the service was seen to turn down. Never goes back up; shared by threads."""

    def __init__(self, first: Form) -> None:
        self._first = first
        self._refusals = Refusals()

    def form_for(self, asked: Shape) -> Form:
        """The strictest form that it may take with a schema of this shape."""
        forms = _FORMS[_FORMS.index(self._first) :]
        return next((form for form in forms if self._refusals.takes(form, asked)), _FORMS[-1])

    def form_below(self, form: Form) -> Form:
        """What to ask for where a form was turned down."""
        rest = _FORMS[_FORMS.index(form) + 1 :]
        return next((one for one in rest if self._refusals.takes(one)), _FORMS[-1])

    def keep(self, refused: Mapping[Form, bool], sent: Shape) -> None:
        """Remember what was turned down, and whether it was the form as such."""
        for form, whole in refused.items():
            self._refusals.add(form, sent, of_the_form=whole)


def refusal(form: Form, error: ProviderError | DeadlineError) -> str | None:
    """What an error says, in lower case, if it is that the form is the trouble."""
    if not isinstance(error, ProviderError) or error.status not in _TURNED_DOWN:
        return None
    words = words_of(error.original) if error.original else ""
    return words if any(word in words for word in _OF_THE_FORM[form]) else None


def fields(form: Form, strict: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The request's part about the form of the reply.

    Args:
        form: The form.
        strict: Makes the schema, of keywords that the service takes.

    >>> fields("json_schema", lambda: {"type": "object"})
    {'output_config': {'format': {'type': 'json_schema', 'schema': {'type': 'object'}}}}
    """
    if form == "text":
        return {}
    plain = strict()
    if form == "json_schema":
        return {"output_config": {"format": {"type": "json_schema", "schema": plain}}}
    tool = {
        "name": _TOOL,
        "description": "Hands in the reply.",
        "strict": True,
        "input_schema": plain,
    }
    choice = {"type": "tool", "name": _TOOL, "disable_parallel_tool_use": True}
    return {"tools": [tool], "tool_choice": choice}
