"""The drivers: they carry the flow's requests out and send the results back. No rule lives here."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from groundedgen import access, resolve
from groundedgen.deadlines import OverdueError, bounded, remaining, unblocked, within
from groundedgen.draft import Answered, NotFound
from groundedgen.errors import DeadlineError, GenerationError, InputError
from groundedgen.flow import Effect, Flow, Generate, Outcome, check, flow
from groundedgen.outages import outage
from groundedgen.passages import Passage
from groundedgen.policy import Policy
from groundedgen.ports import (
    AsyncGenerator,
    AsyncJudge,
    AsyncSourceStore,
    Generator,
    Judge,
    Recorder,
    SourceStore,
)
from groundedgen.values import Answer, Pair, Reply, Statement, Verdict

__all__ = ["TIMEOUT", "Event", "aask", "ask", "astream"]

TIMEOUT = 120.0
"""Seconds a call may take by default: a hosted model's slow answer, its repair and a judge.
A call without a limit hangs as long as its server does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What one call is made with, read and checked once."""

    question: str
    passages: tuple[Passage, ...]
    generator: Generator | AsyncGenerator
    judge: Judge | AsyncJudge
    policy: Policy
    history: tuple[str, ...]

    def steps(self) -> Flow:
        limit = getattr(self.judge, "window", None)
        return flow(
            self.question,
            self.passages,
            policy=self.policy,
            judge=resolve.name_of(self.judge),
            limit=limit,
            history=self.history,
        )


def ask(
    question: str,
    passages: Sequence[Any],
    *,
    model: str | Generator = "extractive",
    judge: str | Judge = "lexical",
    policy: Policy | None = None,
    history: Sequence[str] = (),
    store: SourceStore | None = None,
    reader: Any = None,
    timeout: float | None = TIMEOUT,
    recorder: Recorder | None = None,
) -> Answer:
    """Answer a question from passages, and return only what survived every check.

    The embedded default needs no key, no server and no download: whole sentences of the
    passages are picked (`extractive`), and a deterministic judge compares words (`lexical`).

    Args:
        question: What to answer. Not blank.
        passages: What the answer may rest on: `Passage` objects, plain strings, mappings,
            LangChain, LlamaIndex, Haystack or Docling documents, vector store hits.
        model: Who writes the draft: a name or a `Generator`.
        judge: Who compares statements with their passages: a name or a `Judge`.
        policy: What to do with what fails; `Policy.balanced()` when left out.
        history: Earlier turns, oldest first. They help to understand the question and
            are never evidence.
        store: Asked which passages `reader` may open, before anything is sent anywhere.
            One it does not return is treated as if it had not been passed in.
        reader: Whoever will read the answer, in the store's own terms; only with `store`.
        timeout: Seconds for the whole call: both drafts, all verdicts, every retry. A judge
            that has not answered by then has not judged. With a limit, the parts run in
            threads of their own; with `None`, in this one, for as long as they take.
        recorder: Told every trace event once the answer is complete.

    Returns:
        An `Answer`. Without a passage that has text it is `not_found`, and no model is called.

    Raises:
        InputError: An argument cannot be used; the message names it and the way out.
        GenerationError: The generator gave no usable draft: `ProviderError`,
            `RefusedError`, `TruncatedError`, `DraftFormatError` or `DeadlineError`. Whatever
            else a generator raises reaches the caller unchanged.

    >>> passages = ["Water damage from a burst pipe is covered.", "Flood damage is not covered."]
    >>> answer = ask("Is water damage from a burst pipe covered?", passages)
    >>> answer.status, answer.statements[0].text
    ('answered', 'Water damage from a burst pipe is covered.')
    >>> answer.statements[0].citations[0].passage_id
    'p1'
    >>> ask("Who won the chess tournament?", passages).status
    'not_found'
    """
    parts = _parts(question, passages, model=model, judge=judge, policy=policy, history=history)
    _require(parts.generator, Generator, "model", "generate")
    _require(parts.judge, Judge, "judge", "judge")
    _require_store(store, reader)
    with within(timeout):
        if store is not None:
            access.require_sync(store)
            opened = access.granted(store, [p.id for p in parts.passages], reader, None)
            if (closed := _none_open(parts, opened)) is not None:
                return closed
            parts = _only(parts, opened)
        answer = _drive(parts.steps(), parts.generator, parts.judge)
    return _told(answer, recorder)


async def aask(
    question: str,
    passages: Sequence[Any],
    *,
    model: str | Generator | AsyncGenerator = "extractive",
    judge: str | Judge | AsyncJudge = "lexical",
    policy: Policy | None = None,
    history: Sequence[str] = (),
    store: SourceStore | AsyncSourceStore | None = None,
    reader: Any = None,
    timeout: float | None = TIMEOUT,  # noqa: ASYNC109  # spans generator, judge, store and retries
    recorder: Recorder | None = None,
) -> Answer:
    """`ask`, awaited. Parts that are only synchronous run in a thread of their own.

    Cancelling it closes the connection of the request that is under way, and starts no
    other one. A synchronous part cannot be interrupted: it is given up, not awaited.

    >>> import asyncio
    >>> passages = ["Water damage from a burst pipe is covered."]
    >>> asyncio.run(aask("Is water damage from a burst pipe covered?", passages)).status
    'answered'
    """
    parts = _parts(question, passages, model=model, judge=judge, policy=policy, history=history)
    _require_store(store, reader)
    with within(timeout):
        if store is not None:
            opened = await access.agranted(store, [p.id for p in parts.passages], reader, None)
            if (closed := _none_open(parts, opened)) is not None:
                return closed
            parts = _only(parts, opened)
        answer = await _adrive(parts)
    return _told(answer, recorder)


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream.

    `passages` comes first, then one `statement` for each that is verified (it is never
    taken back), then exactly one of `done` (with the whole answer) and `failed`.
    """

    type: Literal["passages", "statement", "done", "failed"]
    passages: tuple[Passage, ...] = ()
    statement: Statement | None = None
    answer: Answer | None = None
    error: Exception | None = None


async def astream(question: str, passages: Sequence[Any], **arguments: Any) -> AsyncIterator[Event]:
    """`aask` as a stream of events; takes the same arguments.

    A statement is sent only when every check of it, and the decision on the whole
    answer, is done: what has been shown is never withdrawn.

    Raises:
        InputError: Before the first event. Later errors are the `failed` event.

    >>> import asyncio
    >>> async def types():
    ...     passages = ["Water damage from a burst pipe is covered."]
    ...     return [e.type async for e in astream("Is water damage covered?", passages)]
    >>> asyncio.run(types())
    ['passages', 'statement', 'done']
    """
    read = read_passages(passages)
    store, reader = arguments.pop("store", None), arguments.pop("reader", None)
    _require_store(store, reader)
    if store is not None:
        opened = await access.agranted(store, [p.id for p in read], reader, None)
        visible = tuple(p for p in read if p.id in opened)
    else:
        visible = read
    yield Event("passages", passages=visible)
    try:
        answer = await aask(question, read, store=store, reader=reader, **arguments)
    except GenerationError as error:
        yield Event("failed", error=error)
        return
    for statement in answer.statements:
        yield Event("statement", statement=statement)
    yield Event("done", answer=answer)


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


def _parts(
    question: str,
    passages: Sequence[Any],
    *,
    model: object,
    judge: object,
    policy: Policy | None,
    history: Sequence[str],
) -> _Parts:
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
    writer = resolve.generator(model)
    return _Parts(
        question=question,
        passages=read_passages(passages),
        generator=writer,
        judge=resolve.judge(judge, writer),
        policy=policy or Policy(),
        history=tuple(history),
    )


def _require(part: object, protocol: type, argument: str, method: str) -> None:
    if isinstance(part, protocol) and not inspect.iscoroutinefunction(getattr(part, method)):
        return
    raise InputError(
        f"{argument}= has no synchronous {method}(); use aask, or give it one", code="bad_type"
    )


def _require_store(store: object, reader: object) -> None:
    """Refuse a reader that nobody would be asked about: the caller believes it is checked."""
    if store is None and reader is not None:
        raise InputError(
            "reader= was given without store=, so nothing would be asked what this reader may "
            "open; pass the store, or leave reader= out",
            code="no_store",
        )


def _only(parts: _Parts, opened: Collection[str]) -> _Parts:
    return replace(parts, passages=tuple(p for p in parts.passages if p.id in opened))


def _none_open(parts: _Parts, opened: Collection[str]) -> Answer | None:
    """The answer for a reader who may open none of the passages; nothing of them is in it."""
    if any(p.id in opened for p in parts.passages) or not parts.passages:
        return None
    return Answer("withheld", "reader_may_not_open", parts.question)


def drive_checks(
    drafted: Answered | NotFound,
    passages: Sequence[Passage],
    question: str,
    which: object,
    policy: Policy,
) -> Answer:
    """Put a finished draft through the checks, with this judge."""
    judge = resolve.judge(which)
    _require(judge, Judge, "judge", "judge")
    limit, name = getattr(judge, "window", None), resolve.name_of(judge)
    steps = check(drafted, passages, question=question, policy=policy, judge=name, limit=limit)
    return _drive(steps, None, judge)


def _drive(steps: Flow, generator: Any, judge: Any) -> Answer:
    """Carry each request of the flow out, one after the other, until it returns."""
    try:
        effect = next(steps)
        while True:
            effect = steps.send(_carry_out(generator, judge, effect))
    except StopIteration as end:
        answer: Answer = end.value
        return answer


def _carry_out(generator: Generator, judge: Judge, effect: Effect) -> Outcome:
    if isinstance(effect, Generate):
        request = effect.request
        try:
            return _replied(bounded(lambda: generator.generate(request), remaining()))
        except GenerationError as error:
            return error
        except OverdueError:
            return _late()
    pairs = effect.pairs
    try:
        return bounded(lambda: judge.judge(pairs), remaining())
    except Exception as error:  # noqa: BLE001  # a judge that fails in any way has not judged
        return _outage(pairs, error)


async def _adrive(parts: _Parts) -> Answer:
    """`_drive`, awaited."""
    steps = parts.steps()
    try:
        effect = next(steps)
        while True:
            effect = steps.send(await _acarry_out(parts, effect))
    except StopIteration as end:
        answer: Answer = end.value
        return answer


async def _acarry_out(parts: _Parts, effect: Effect) -> Outcome:
    import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

    generator, judge = parts.generator, parts.judge
    clock = asyncio.timeout(remaining())
    if isinstance(effect, Generate):
        request = effect.request
        try:
            async with clock:
                if isinstance(generator, AsyncGenerator):
                    return _replied(await generator.agenerate(request))
                return _replied(await unblocked(lambda: generator.generate(request)))
        except GenerationError as error:
            return error
        except TimeoutError:
            if clock.expired():
                return _late()
            raise
    pairs = effect.pairs
    try:
        async with clock:
            if isinstance(judge, AsyncJudge):
                return await judge.ajudge(pairs)
            return await unblocked(lambda: judge.judge(pairs))
    except Exception as error:  # noqa: BLE001  # as _carry_out
        return _outage(pairs, error)


def _late() -> DeadlineError:
    return DeadlineError(
        "there was no draft before the deadline of the call; allow more time with timeout="
    )


def _replied(reply: object) -> Reply:
    """The reply, if a generator keeps its contract.

    Raises:
        InputError: It returned something else.
    """
    if isinstance(reply, Reply):
        return reply
    raise InputError(
        f"model= must return a groundedgen.ports.Reply, got {type(reply).__name__}; "
        f"wrap the text in Reply(raw=...), and try groundedgen.testing.check_generator on it",
        code="bad_reply",
    )


def _outage(pairs: Sequence[Pair], error: Exception) -> list[Verdict]:
    """No verdict on any pair, for a reason an operator can tell apart."""
    return [Verdict("not_judged", None, type(error).__name__, outage(error))] * len(pairs)


def _told(answer: Answer, recorder: Recorder | None) -> Answer:
    if recorder is not None:
        for event in answer.trace:
            recorder.record(event)
    return answer
