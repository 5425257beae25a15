"""What a service turned down: a form of reply as such, or one schema that is too much for it.

A service that takes strict schemas may still refuse a large one, of hundreds of passages say.
That costs the schemas that are as large their strict form, and no smaller one: else one call
would cost all later ones theirs. Pure but for a lock: values in, values out.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import Any, Final

import regex

from groundedgen.draft import plain_json_schema

__all__ = ["Refusals", "Shape", "is_of_the_form", "shape"]

_SMALL: Final = 1_200  # code points: a draft from some hundred passages, or the verdicts of a call
_UNKNOWN: Final = regex.compile(
    r"\b(?:(?:not|n't)(?: \w+)? (?:support|available|permitted|allowed|implemented|enabled|recogni)"
    r"|unsupported|unknown|unrecogni[sz]ed|unexpected|extra inputs|must be (?:one of|either|[\"']))"
)
_OF_ITS_SIZE: Final = regex.compile(
    r"\b(?:too (?:large|big|many|long|complex|deep)|exceed|limit|at most|maximum|more than"
    r"|invalid schema)"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema as far as it matters here: its kind, and the code points of its JSON."""

    name: str
    size: int


def shape(schema: type[Any]) -> Shape:
    """The shape of a Pydantic model class; a draft from more passages is larger.

    >>> from groundedgen.draft import schema
    >>> shape(schema(["S1"])).size < shape(schema(["S1", "S2", "S3"])).size
    True
    """
    return Shape(schema.__name__, len(json.dumps(plain_json_schema(schema))))


def is_of_the_form(words: str, sent: Shape) -> bool:
    """Whether a refusal is of the form as such: it says so, or a small schema was refused.

    Args:
        words: What the service says, in lower case.
        sent: What was refused.

    >>> large = Shape("Draft", 9_000)
    >>> is_of_the_form("json_schema is not supported with this model", large)
    True
    >>> is_of_the_form("invalid schema for response_format: enum too large", large)
    False
    """
    if sent.size <= _SMALL:
        return True
    return _UNKNOWN.search(words) is not None and _OF_ITS_SIZE.search(words) is None


class Refusals:
    """The refusals of one service; shared by threads. What was refused once stays so."""

    def __init__(self) -> None:
        self._gone: set[str] = set()
        self._from: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def add(self, form: str, sent: Shape, *, of_the_form: bool) -> None:
        """Remember one: of the form as such, or of schemas of this kind from this size on."""
        with self._lock:
            if of_the_form:
                self._gone.add(form)
            else:
                known = self._from.get((form, sent.name), sent.size)
                self._from[form, sent.name] = min(known, sent.size)

    def takes(self, form: str, asked: Shape | None = None) -> bool:
        """Whether the service may take a form, with a schema of this shape if one is given."""
        with self._lock:
            refused = self._from.get((form, asked.name)) if asked is not None else None
            return form not in self._gone and (
                asked is None or refused is None or asked.size < refused
            )
