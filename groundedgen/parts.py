"""What one call is made with, read and checked once.

What can be told at once is told first. What a name stands for is imported last, in a thread that
is given up at the deadline: an SDK takes seconds to import, and no import can be interrupted. It
goes on in its thread, so that a later call finds it done.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from groundedgen import resolve
from groundedgen.deadlines import OverdueError, awaited, bounded, remaining, unblocked
from groundedgen.errors import DeadlineError, InputError
from groundedgen.evidence import EvidenceForm, check_form
from groundedgen.flow import Flow, flow
from groundedgen.passages import Passage
from groundedgen.policy import Policy
from groundedgen.ports import AsyncGenerator, AsyncJudge, Generator, Judge
from groundedgen.values import Answer

__all__ = ["Parts", "aread_parts", "none_open", "only", "read_parts", "read_passages", "window_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What one call is made with, read and checked once."""

    question: str
    passages: tuple[Passage, ...]
    generator: Generator | AsyncGenerator
    judge: Judge | AsyncJudge
    policy: Policy
    history: tuple[str, ...]
    evidence: EvidenceForm = "quotes"

    def steps(self) -> Flow:
        # What writes drafts without a model's prompt knows no ids of sentences.
        fixed = getattr(self.generator, "only_drafts", False)
        return flow(
            self.question,
            self.passages,
            policy=self.policy,
            judge=resolve.name_of(self.judge),
            limit=window_of(self.judge),
            history=self.history,
            evidence="quotes" if fixed else self.evidence,
        )


def window_of(judge: object) -> int | None:
    """The longest premise that a judge reads whole, in code points; `None` for any.

    Raises:
        InputError: Its `window` is neither a whole number of 1 or more nor `None`.

    >>> window_of(object()) is None
    True
    """
    window = getattr(judge, "window", None)
    if window is None or (type(window) is int and window >= 1):
        return window
    raise InputError(
        f"judge= ({resolve.name_of(judge)}) has a window of {window!r:.40}; give it a whole number "
        f"of code points, 1 or more, or None",
        code="bad_range",
    )


def read_passages(passages: Sequence[Any]) -> tuple[Passage, ...]:
    """Whatever the caller calls passages, as `Passage` objects.

    Raises:
        InputError: It is one string or mapping instead of several, or an item cannot be read.
    """
    if isinstance(passages, str | bytes | Mapping | Passage):
        raise InputError(
            f"passages must be a sequence of passages, got one {type(passages).__name__}; "
            f"put it in a list",
            code="bad_type",
        )
    try:
        items = list(passages)
    except TypeError:
        raise InputError(
            f"passages must be a sequence of passages, got {type(passages).__name__}; "
            f"pass a list, an empty one if there are none",
            code="bad_type",
        ) from None
    return tuple(Passage.from_any(item, index=index) for index, item in enumerate(items))


def read_parts(question: str, passages: Sequence[Any], **given: Any) -> Parts:
    """What a call was given, read.

    Args:
        question: As for `ask`.
        passages: As for `ask`.
        given: `model`, `judge`, `policy`, `history` and `evidence`, as for `ask`.

    Raises:
        InputError: An argument cannot be used.
        MissingExtraError: A package that the model or the judge needs is not installed.
        DeadlineError: The deadline came meanwhile.
    """
    read = _read(question, passages, **given)
    if resolve.is_made(read.model, read.judge):
        return read.with_parts(_resolved(read))
    try:
        made = bounded(lambda: _resolved(read), remaining())
    except OverdueError:
        raise _overdue(read) from None
    return read.with_parts(made)


async def aread_parts(question: str, passages: Sequence[Any], **given: Any) -> Parts:
    """`read_parts`, awaited: the event loop goes on while something is imported."""
    read = _read(question, passages, **given)
    if resolve.is_made(read.model, read.judge):
        return read.with_parts(_resolved(read))
    try:
        made = await awaited(lambda: unblocked(lambda: _resolved(read)), remaining())
    except OverdueError:
        raise _overdue(read) from None
    return read.with_parts(made)


_Made = tuple[Generator | AsyncGenerator, Judge | AsyncJudge]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A call whose model and judge may still be names."""

    question: str
    passages: tuple[Passage, ...]
    model: object
    judge: object
    policy: Policy
    history: tuple[str, ...]
    evidence: EvidenceForm

    def with_parts(self, made: _Made) -> Parts:
        if self.passages and remaining() == 0:
            raise _overdue(self)
        generator, judge = made
        return Parts(
            question=self.question,
            passages=self.passages,
            generator=generator,
            judge=judge,
            policy=self.policy,
            history=self.history,
            evidence=self.evidence,
        )


def _read(
    question: object,
    passages: Sequence[Any],
    *,
    model: object,
    judge: object,
    policy: object,
    history: Sequence[str],
    evidence: EvidenceForm,
) -> _Read:
    if not isinstance(question, str):
        raise InputError(
            f"the question must be a string, got {type(question).__name__}", code="bad_type"
        )
    if not question.strip():
        raise InputError("the question is blank; nothing was asked", code="blank_question")
    if isinstance(history, str) or not all(isinstance(turn, str) for turn in history):
        raise InputError("history must be a sequence of strings, oldest first", code="bad_type")
    if policy is not None and not isinstance(policy, Policy):
        raise InputError(
            f"policy must be a Policy, such as Policy.strict(), got {type(policy).__name__}",
            code="bad_type",
        )
    return _Read(
        question=question,
        passages=read_passages(passages),
        model=model,
        judge=judge,
        policy=policy or Policy(),
        history=tuple(history),
        evidence=check_form(evidence),
    )


def _resolved(read: _Read) -> _Made:
    done = _RESOLVING[threading.get_ident()] = threading.Event()
    try:
        writer = resolve.generator(read.model)
        return writer, resolve.judge(read.judge, writer)
    finally:
        _RESOLVING.pop(threading.get_ident(), None)
        done.set()


def _overdue(read: _Read) -> DeadlineError:
    # Of a name only its kind: what follows may be an address, and hold a password.
    names = (part.partition("/")[0] for part in (read.model, read.judge) if isinstance(part, str))
    needed = " and ".join(repr(name)[:60] for name in names if name) or "the model or the judge"
    return DeadlineError(
        f"the deadline of the call came before anything was asked: reading its arguments took that "
        f"long, most likely the import of what {needed} needs, which is done once in a process; "
        f"allow more time with timeout=, or make both when the program starts, with "
        f"groundedgen.resolve.generator() and .judge(), and pass them instead of their names"
    )


#: Thread -> set once it has resolved what it was given.
_RESOLVING: dict[int, threading.Event] = {}
#: Seconds at most that a fork waits for them.
_FORKING: Final = 10.0


def _settled() -> None:
    """Wait until nothing is imported: in a child of this process it never would be.

    A program that warms up, is told that the time was too short, and forks its workers would
    leave each of them with a module that nobody goes on importing.
    """
    ends, mine = time.monotonic() + _FORKING, threading.get_ident()
    for thread, done in list(_RESOLVING.items()):
        if thread != mine:
            done.wait(max(0.0, ends - time.monotonic()))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_settled, after_in_child=_RESOLVING.clear)


def only(parts: Parts, opened: Collection[str]) -> Parts:
    """The same call, with the passages that were opened."""
    return replace(parts, passages=tuple(p for p in parts.passages if p.id in opened))


def none_open(parts: Parts, opened: Collection[str]) -> Answer | None:
    """The answer for a reader who may open none of the passages; nothing of them is in it."""
    if any(p.id in opened for p in parts.passages) or not parts.passages:
        return None
    return Answer("withheld", "reader_may_not_open", parts.question)
