"""A call of an Outlines model, what came of it, and what is known of the model by now."""

from __future__ import annotations

import json
import threading
import weakref
from dataclasses import dataclass, field
from typing import Any, Final

from groundedgen.deadlines import OverdueError
from groundedgen.errors import GenerationError, ProviderError
from groundedgen.generators.constrained.rungs import Capabilities, Plan, Rung
from groundedgen.generators.outlining.dialects import Put
from groundedgen.generators.outlining.guarded import Compiler, Guarded
from groundedgen.generators.replies.completions import Said
from groundedgen.generators.replies.overheard import said
from groundedgen.generators.transport.codes import TOO_LONG_WORDS
from groundedgen.generators.transport.failures import failure, status_of
from groundedgen.values import Prompt, Usage

__all__ = ["Call", "Known", "Outcome"]

#: Statuses with which servers turn down a constraint: vLLM fails with 500 in mid-answer.
_TURNED_DOWN: Final = frozenset({400, 415, 422, 500, 501})


@dataclass(frozen=True, slots=True)
class Call:
    """What to ask: with which constraint, said in which way, for at most how many tokens.

    Without a limit of its own it has the asker's.
    """

    prompt: Prompt
    plan: Plan
    put: Put | None
    limit: int | None = None


@dataclass(slots=True)
class Outcome:
    """What came of a call. A thread that was given up may still write here; nobody reads it.

    Attributes:
        text: What Outlines returned.
        heard: What the SDK below returned to Outlines, the last at the end.
        guard: The processor that bound the text, where one did.
        row: Which of its rows this is.
        error: The exception in place of a text.
    """

    text: object = None
    heard: list[Any] = field(default_factory=list)
    guard: Guarded | None = None
    row: int = 0
    error: BaseException | None = None

    @property
    def lost(self) -> bool:
        """Whether a call with a constraint failed because of it, or was made without it."""
        if self.error is not None:
            # What Outlines raises for a type of output that a class of models does not have.
            outlines_own = {TypeError, ValueError, NotImplementedError}
            return type(self.error) in outlines_own or status_of(self.below) in _TURNED_DOWN
        if (guard := self.guard) is not None:
            return not guard.overdue and (bool(guard.fault) or not guard.applied)
        return False

    def said(self, who: str, limit: int | None) -> Said:
        """What was said, and how it ended.

        Args:
            who: The generator's name, for messages.
            limit: The most tokens that it was allowed.

        Raises:
            ProviderError: The model failed, or was not ready in time.
        """
        guard = self.guard
        late = isinstance(self.error, OverdueError) or (guard is not None and guard.overdue)
        # Outlines raises where a model refused, which is a reply.
        if late or (self.error is not None and self.returned is None):
            raise self._failure(who, OverdueError() if late else self.below)
        if guard is None:
            return said(self.text, self.returned, who)
        raw = self.text if isinstance(self.text, str) else None
        reached = guard.written[self.row] >= (limit or 0) and not _is_json(raw)
        return Said(raw, "length" if reached else "stop", None, self.spent(who))

    def _failure(self, who: str, error: BaseException) -> GenerationError:
        told = failure(error, who)
        told.wasted = self.spent(who)
        words = str(error).lower()
        if isinstance(told, ProviderError) and any(part in words for part in TOO_LONG_WORDS):
            told.hint = "the passages are too long for this model: pass fewer or shorter ones"
            told.add_note(told.hint)
        return told

    def spent(self, who: str) -> Usage:
        """What the call cost, as far as it is known."""
        if (guard := self.guard) is not None:
            return Usage(guard.prompts[self.row], guard.written[self.row])
        try:
            return said(None, self.returned, who).usage
        except GenerationError as failed:
            return failed.wasted or Usage()

    @property
    def below(self) -> BaseException:
        """The SDK's own exception, where Outlines wrapped one."""
        original = getattr(self.error, "original_exception", None)
        error = original if isinstance(original, BaseException) else self.error
        return error if error is not None else OverdueError()

    @property
    def returned(self) -> Any:
        """What the SDK returned, `None` if it is not known."""
        return self.heard[-1] if self.heard else None


class Known:
    """What was seen of one model, for all generators made from it.

    Attributes:
        turn: Held by the one call that a model in this process can have.
        able: What it obeys; `None` until it was asked.
        puts: How each rung is said to it.
        compiler: For a model that is steered, where there is one.
        folds: Whether its template takes no system message.
        served: What was seen of its server, by whether that is the user's own; see `servers`.
    """

    _all: Final[weakref.WeakKeyDictionary[Any, Known]] = weakref.WeakKeyDictionary()
    _lock: Final = threading.Lock()

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.able: Capabilities | None = None
        self.puts: dict[Rung, Put] = {}
        self.compiler: Compiler | None = None
        self.folds = False
        self.served: dict[bool, Any] = {}

    @classmethod
    def of(cls, model: Any) -> Known:
        """The same one for the same model, as long as there is that model."""
        with cls._lock:
            return cls._all.setdefault(model, cls())


def _is_json(raw: str | None) -> bool:
    try:
        json.loads(raw or "")
    except (ValueError, RecursionError):
        return False
    return True
