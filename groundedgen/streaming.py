"""The driver that shows statements as they are verified, while the model still writes.

::

    generator ─ text ─> Feed (finds what has closed) ─ Next ─> flow ─ Show ─> Teller ─> events

What may be shown, and when, is the flow's to say; here it is only carried out. The work runs in
a task of its own that puts events on a queue, so that a reader who is slow does not hold it up,
and one who leaves does not leave it behind.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from groundedgen import access, assembly, resolve
from groundedgen import aliases as alias_room
from groundedgen.calls import TIMEOUT, acarry_out, late, require_recorder
from groundedgen.calls import told as told_recorder
from groundedgen.deadlines import given_up, remaining, within
from groundedgen.effects import (
    Drafted,
    Effect,
    Generate,
    Next,
    Outcome,
    Show,
    Streaming,
    Withdraw,
)
from groundedgen.errors import InputError
from groundedgen.evidence import EvidenceForm
from groundedgen.parts import Parts, aread_parts, none_open, only
from groundedgen.policy import Policy
from groundedgen.ports import (
    AsyncGenerator as AsyncGeneratorPort,
)
from groundedgen.ports import (
    AsyncJudge,
    AsyncSourceStore,
    AsyncStreamingGenerator,
    Generator,
    Judge,
    Recorder,
    SourceStore,
)
from groundedgen.readahead import Feed
from groundedgen.relay import LONGEST, Relay
from groundedgen.stepping import Steps
from groundedgen.telling import Event, EventType, Tell, Teller
from groundedgen.values import Answer, Closest

__all__ = ["Event", "EventType", "Mode", "astream", "stream"]

Mode = Literal["verified", "optimistic"]


async def astream(
    question: str,
    passages: Sequence[Any],
    *,
    mode: Mode = "verified",
    model: str | Generator | AsyncGeneratorPort = "extractive",
    judge: str | Judge | AsyncJudge = "lexical",
    policy: Policy | None = None,
    history: Sequence[str] = (),
    evidence: EvidenceForm = "quotes",
    store: SourceStore | AsyncSourceStore | None = None,
    reader: Any = None,
    timeout: float | None = TIMEOUT,  # noqa: ASYNC109  # spans generator, judge, store and retries
    recorder: Recorder | None = None,
) -> AsyncGenerator[Event, None]:
    """`aask` as a stream of events; takes the same arguments.

    With a model that streams, a statement is checked and judged as soon as the model has closed
    it, and sent once nothing that may still come can take it back. Of an answer whose model
    breaks off later, what was sent is the answer, and a finding says so. A policy under which
    any failure withholds the answer sends nothing before the decision. With a model that does
    not stream, all statements follow the decision.

    Close it (`contextlib.aclosing`) to end the call early: the connection to the model is closed,
    and no judge is asked any more.

    The mode "optimistic" also sends text that nothing has checked, marked as such: for internal
    tools only.

    Raises:
        InputError: An argument cannot be used, as with `ask`. Raised, and `MissingExtraError` too,
            where the first event is asked for; whatever goes wrong after it, whoever's fault it
            is, is the `failed` event, so that a stream that has begun always ends with one.

    >>> import asyncio
    >>> async def types():
    ...     passages = ["Water damage from a burst pipe is covered."]
    ...     return [e.type async for e in astream("Is water damage covered?", passages)]
    >>> asyncio.run(types())
    ['passages', 'statement', 'done']
    """
    if mode not in get_args(Mode):
        raise InputError(f"mode must be verified or optimistic, got {mode!r:.60}", code="bad_mode")
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
        left = remaining()
    asked = _Asked(parts, mode == "optimistic", store, reader, left, recorder)
    async with aclosing(_relayed(asked)) as events:
        async for event in events:
            yield event


@dataclass(frozen=True, slots=True)
class _Asked:
    """One call to `astream`, read."""

    parts: Parts
    optimistic: bool
    store: SourceStore | AsyncSourceStore | None
    reader: Any
    left: float | None
    recorder: Recorder | None


#: Seconds for the work of a stream to end: its parts have less, and are then left to themselves.
_ENDING: Final = 0.8
#: Seconds of a call that has none left, as it has to be said.
_SHORTEST: Final = 1e-9


async def _relayed(asked: _Asked) -> AsyncGenerator[Event, None]:
    """The events of a call that runs in a task of its own, which ends with this."""
    import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

    events: asyncio.Queue[Event | None] = asyncio.Queue()
    work = asyncio.create_task(_work(asked, events.put_nowait))
    work.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        await work
    finally:
        await given_up(work, seconds=_ENDING)


async def _work(asked: _Asked, tell: Tell) -> None:
    """Make the call. An error before the first event is raised, a later one is the last event."""
    with within(None if asked.left is None else max(asked.left, _SHORTEST)):
        parts = asked.parts
        if asked.store is not None:
            ids = [passage.id for passage in parts.passages]
            opened = await access.agranted(asked.store, ids, asked.reader, None)
            closed = none_open(parts, opened)
            parts = only(parts, opened)
            if closed is not None:
                tell(Event("passages", guarded=True, left=remaining()))
                tell(Event("done", answer=closed))
                return
        near = _closest(parts)
        guarded = asked.store is not None
        tell(Event("passages", passages=parts.passages, guarded=guarded, left=remaining()))
        teller = Teller(tell, optimistic=asked.optimistic)
        try:
            answer = await _Drive(parts, teller).run()
            told_recorder(answer, asked.recorder)
        except Exception as error:  # noqa: BLE001  # whatever it is, the stream ends by saying so
            teller.withdraw_open()
            tell(Event("failed", error=error, closest=near()))
            return
    tell(Event("done", answer=answer))


def _closest(parts: Parts) -> Callable[[], tuple[Closest, ...]]:
    """Finds the closest passages, should it come to that.

    Raises:
        InputError: Two of the passages cannot go together.
    """
    aliases = alias_room.assign(parts.passages)
    return lambda: assembly.closest(parts.question, aliases) if aliases.names else ()


class _Drive:
    """Carries out what the flow asks for, and has told what it says may be told."""

    def __init__(self, parts: Parts, teller: Teller) -> None:
        self._parts, self._teller = parts, teller
        self._feed: Feed | None = None

    async def run(self) -> Answer:
        steps = Steps(self._parts.steps(), self._parts.passages)
        try:
            asked = await steps.anext(None)
            while not isinstance(asked, Answer):
                asked = await steps.anext(await self._carried_out(asked))
        finally:
            await self._close_feed()
        for statement in asked.statements[self._teller.shown :]:
            self._teller.show(Show(statement))
        self._teller.withdraw_open()
        return asked

    async def _carried_out(self, effect: Effect) -> Outcome:
        generator = self._parts.generator
        match effect:
            case Generate(request) if isinstance(generator, AsyncStreamingGenerator):
                await self._close_feed()
                self._feed = Feed(generator, request)
                return Streaming(resolve.name_of(generator))
            case Next() if self._feed is not None:
                return await self._feed.next(shown=self._teller.shown > 0)
            case Show():
                self._teller.show(effect)
            case Drafted():
                self._teller.drafted(effect)
            case Withdraw():
                self._teller.withdraw(effect)
            case _:
                return await acarry_out(self._parts, effect)
        return None

    async def _close_feed(self) -> None:
        feed, self._feed = self._feed, None
        if feed is not None:
            await feed.close()


# --- without asyncio ------------------------------------------------------------------------


def stream(question: str, passages: Sequence[Any], **arguments: Any) -> Iterator[Event]:
    """`astream` for code that does not await: the same arguments, the same events.

    The call runs in an event loop of its own, in a thread of its own. Closing the iterator ends
    the call.

    >>> passages = ["Water damage from a burst pipe is covered."]
    >>> [event.type for event in stream("Is water damage covered?", passages)]
    ['passages', 'statement', 'done']
    """
    call = Relay(lambda: astream(question, passages, **arguments), ending=_ENDING)
    begun = False
    try:
        for event in call.items(_patience(arguments.get("timeout", TIMEOUT))):
            begun = True
            yield event
        if call.is_stuck:
            yield from () if begun else (Event("passages"),)
            yield Event("failed", error=late("a part that blocks its event loop"))
    finally:
        call.end()


def _patience(timeout: object) -> float | None:
    """Seconds after which a stream has ended, unless it is stuck; `None` for no end."""
    most = None
    if isinstance(timeout, int | float) and timeout > 0:  # else `astream` says what is wrong
        most = min(timeout, LONGEST)
    left = remaining(most)
    return None if left is None else left + _ENDING
