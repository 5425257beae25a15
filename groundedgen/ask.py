"""The drivers that return whole answers. No rule lives here; `streaming` has the third driver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from groundedgen import access, resolve
from groundedgen.calls import (
    TIMEOUT,
    Parts,
    acarry_out,
    carry_out,
    none_open,
    only,
    read_parts,
    read_passages,
    require,
    told,
)
from groundedgen.deadlines import within
from groundedgen.draft import Answered, NotFound
from groundedgen.flow import Flow, check
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
from groundedgen.streaming import Event, astream, stream
from groundedgen.values import Answer

__all__ = ["TIMEOUT", "Event", "aask", "ask", "astream", "drive_checks", "read_passages", "stream"]


#: A function from the rules and the prompt to the model's words; for `aask` it may be async.
Writes = Callable[[str, str], Any]


def ask(
    question: str,
    passages: Sequence[Any],
    *,
    model: str | Generator | Writes = "extractive",
    judge: str | Judge | Writes | Sequence[Any] = "lexical",
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
        model: Who writes the draft: a name ("openai/gpt-5-mini", see `resolve.generator`), a
            `Generator`, or a function `(system, user) -> str`.
        judge: Who compares statements with their passages: a name ("llm" for the model that
            writes, see `resolve.judge`), a `Judge`, such a function, or several, cheapest first.
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
    parts = read_parts(question, passages, model=model, judge=judge, policy=policy, history=history)
    require(parts.generator, Generator, "model", "generate")
    require(parts.judge, Judge, "judge", "judge")
    access.require_store(store, reader)
    with within(timeout):
        if store is not None:
            access.require_sync(store)
            opened = access.granted(store, [p.id for p in parts.passages], reader, None)
            if (closed := none_open(parts, opened)) is not None:
                return closed
            parts = only(parts, opened)
        answer = _drive(parts.steps(), parts.generator, parts.judge)
    return told(answer, recorder)


async def aask(
    question: str,
    passages: Sequence[Any],
    *,
    model: str | Generator | AsyncGenerator | Writes = "extractive",
    judge: str | Judge | AsyncJudge | Writes | Sequence[Any] = "lexical",
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
    parts = read_parts(question, passages, model=model, judge=judge, policy=policy, history=history)
    access.require_store(store, reader)
    with within(timeout):
        if store is not None:
            opened = await access.agranted(store, [p.id for p in parts.passages], reader, None)
            if (closed := none_open(parts, opened)) is not None:
                return closed
            parts = only(parts, opened)
        answer = await _adrive(parts)
    return told(answer, recorder)


def drive_checks(
    drafted: Answered | NotFound,
    passages: Sequence[Passage],
    question: str,
    which: object,
    policy: Policy,
) -> Answer:
    """Put a finished draft through the checks, with this judge."""
    judge = resolve.judge(which)
    require(judge, Judge, "judge", "judge")
    limit, name = getattr(judge, "window", None), resolve.name_of(judge)
    steps = check(drafted, passages, question=question, policy=policy, judge=name, limit=limit)
    return _drive(steps, None, judge)


def _drive(steps: Flow, generator: Any, judge: Any) -> Answer:
    """Carry each request of the flow out, one after the other, until it returns."""
    try:
        effect = next(steps)
        while True:
            effect = steps.send(carry_out(generator, judge, effect))
    except StopIteration as end:
        answer: Answer = end.value
        return answer


async def _adrive(parts: Parts) -> Answer:
    """`_drive`, awaited."""
    steps = parts.steps()
    try:
        effect = next(steps)
        while True:
            effect = steps.send(await acarry_out(parts, effect))
    except StopIteration as end:
        answer: Answer = end.value
        return answer
