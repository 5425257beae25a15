"""The drivers that return whole answers. No rule lives here; `streaming` has the third driver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from groundedgen import access, resolve
from groundedgen.calls import TIMEOUT, acarry_out, carry_out, require, require_recorder, told
from groundedgen.deadlines import within
from groundedgen.draft import Answered, NotFound
from groundedgen.evidence import EvidenceForm
from groundedgen.flow import check
from groundedgen.parts import Parts, aread_parts, none_open, only, read_parts, read_passages
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
from groundedgen.stepping import Steps
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
    evidence: EvidenceForm = "quotes",
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
            The default compares words, and drops most of what a model puts in its own words.
        policy: What to do with what fails; `Policy.balanced()` when left out.
        history: Earlier turns, oldest first. They help to understand the question and
            are never evidence.
        evidence: What the model gives as proof: "quotes" that it copies, or the ids of
            "sentences", which code looks up. Ids are shorter to write and cannot be
            miscopied. A generator that writes nothing but drafts of its own gives quotes.
        store: Asked which passages `reader` may open, before anything is sent anywhere.
            One it does not return is treated as if it had not been passed in.
        reader: Whoever will read the answer, in the store's own terms; only with `store`. Left out,
            the store is asked about `None`, who mostly may open what is public and no more; where
            that is nothing, a warning in the log says so.
        timeout: Seconds for the whole call: both drafts, all verdicts, every retry, and in the
            first call of a process the import of the packages that the model and the judge need.
            A judge that has not answered by then has not judged. With a limit, the parts run in
            threads of their own; with `None`, in this one, for as long as they take.
        recorder: Told every trace event once the answer is complete.

    Returns:
        An `Answer`. Without a passage that has text it is `not_found`, and no model is called.

    Raises:
        InputError: An argument cannot be used; the message names it and the way out.
        GenerationError: The generator gave no usable draft: `ProviderError`,
            `RefusedError`, `TruncatedError`, `DraftFormatError` or `DeadlineError`. Whatever
            else a generator raises reaches the caller unchanged; what is no `Exception`, and no
            end of the program either, as a `RuntimeError` that names it.

    >>> passages = ["Water damage from a burst pipe is covered.", "Flood damage is not covered."]
    >>> answer = ask("Is water damage from a burst pipe covered?", passages)
    >>> answer.status, answer.statements[0].text
    ('answered', 'Water damage from a burst pipe is covered.')
    >>> answer.statements[0].citations[0].passage_id
    'p1'
    >>> ask("Who won the chess tournament?", passages).status
    'not_found'
    """
    access.require_store(store, reader)
    require_recorder(recorder)
    with within(timeout):
        parts = read_parts(
            question,
            passages,
            model=model,
            judge=judge,
            policy=policy,
            history=history,
            evidence=evidence,
        )
        require(parts.generator, Generator, "model", "generate")
        require(parts.judge, Judge, "judge", "judge")
        if store is not None:
            access.require_sync(store)
            opened = access.granted(store, [p.id for p in parts.passages], reader, None)
            if (closed := none_open(parts, opened)) is not None:
                return told(closed, recorder)
            parts = only(parts, opened)
        answer = _drive(Steps(parts.steps(), parts.passages), parts.generator, parts.judge)
    return told(answer, recorder)


async def aask(
    question: str,
    passages: Sequence[Any],
    *,
    model: str | Generator | AsyncGenerator | Writes = "extractive",
    judge: str | Judge | AsyncJudge | Writes | Sequence[Any] = "lexical",
    policy: Policy | None = None,
    history: Sequence[str] = (),
    evidence: EvidenceForm = "quotes",
    store: SourceStore | AsyncSourceStore | None = None,
    reader: Any = None,
    timeout: float | None = TIMEOUT,  # noqa: ASYNC109  # spans generator, judge, store and retries
    recorder: Recorder | None = None,
) -> Answer:
    """`ask`, awaited. Parts that are only synchronous run in a thread of their own.

    Cancelling it closes the connection of the request that is under way, and starts no
    other one, also where the client is synchronous; so does the deadline. A part that cannot be
    interrupted, such as a function that is busy or ignores that it was cancelled, is given up,
    not awaited. An `async` part that blocks
    its event loop blocks its caller, as everywhere.

    >>> import asyncio
    >>> passages = ["Water damage from a burst pipe is covered."]
    >>> asyncio.run(aask("Is water damage from a burst pipe covered?", passages)).status
    'answered'
    """
    access.require_store(store, reader)
    require_recorder(recorder)
    with within(timeout):
        parts = await aread_parts(
            question,
            passages,
            model=model,
            judge=judge,
            policy=policy,
            history=history,
            evidence=evidence,
        )
        if store is not None:
            opened = await access.agranted(store, [p.id for p in parts.passages], reader, None)
            if (closed := none_open(parts, opened)) is not None:
                return told(closed, recorder)
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
    return _drive(Steps(steps), None, judge)


def _drive(steps: Steps, generator: Any, judge: Any) -> Answer:
    """Carry each request of the flow out, one after the other, until it returns."""
    asked = steps.next(None)
    while not isinstance(asked, Answer):
        asked = steps.next(carry_out(generator, judge, asked))
    return asked


async def _adrive(parts: Parts) -> Answer:
    """`_drive`, awaited."""
    steps = Steps(parts.steps(), parts.passages)
    asked = await steps.anext(None)
    while not isinstance(asked, Answer):
        asked = await steps.anext(await acarry_out(parts, asked))
    return asked
