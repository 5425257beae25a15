"""The driver that shows statements as they are verified, while the model still writes.

::

    generator ─ text ─> _Feed (reads ahead, finds what has closed) ─ Next ─> flow ─ Show ─> events

What may be shown, and when, is the flow's to say; here it is only carried out. The work runs in
a task of its own that puts events on a queue, so that a reader who is slow does not hold it up,
and one who leaves does not leave it behind.
"""

from __future__ import annotations

import contextvars
import queue
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from groundedgen import access, assembly, resolve
from groundedgen import aliases as alias_room
from groundedgen.calls import TIMEOUT, acarry_out, late, undrafted
from groundedgen.calls import replied as checked_reply
from groundedgen.calls import told as told_recorder
from groundedgen.closing import Scanner
from groundedgen.deadlines import contained, given_up, remaining, sooner, within
from groundedgen.effects import (
    Closed,
    Drafted,
    Effect,
    Generate,
    Interrupted,
    Next,
    Outcome,
    Show,
    Streaming,
    Withdraw,
)
from groundedgen.errors import InputError, ProviderError
from groundedgen.evidence import EvidenceForm
from groundedgen.parts import Parts, aread_parts, none_open, only
from groundedgen.passages import Passage
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
    Request,
    SourceStore,
)
from groundedgen.stepping import Steps
from groundedgen.values import Answer, Closest, Statement

if TYPE_CHECKING:
    import asyncio

__all__ = ["Event", "EventType", "Mode", "astream", "stream"]

EventType = Literal[
    "passages", "statement", "unverified", "verified", "withdrawn", "done", "failed"
]
Mode = Literal["verified", "optimistic"]


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream.

    `passages` comes first, then one `statement` for each that is verified (it is never
    taken back), then exactly one of `done` (with the whole answer) and `failed`. In the mode
    "optimistic" there is also one `unverified` for a statement that the model has written but
    nothing has checked yet, and later exactly one `verified` or `withdrawn` for it.

    Attributes:
        type: What happened.
        passages: Of `passages`: those the answer may rest on and this reader may open.
        statement: Of `statement` and `verified`.
        number: Of `statement` and `verified`: its place in the answer, from 1; else 0.
        claim: Of `unverified`, `verified` and `withdrawn`: which one, from 1; else 0.
        text: Of `unverified`: what nothing has checked.
        answer: Of `done`. It begins with the statements that were shown, in their order.
        error: Of `failed`.
        closest: Of `failed`: the closest passages, as in an answer without statements.
        guarded: Of `passages`: whether a source store was asked, so that it has to be asked again
            of what is shown.
        left: Of `passages`: seconds until the deadline of the call; `None` for no deadline.
    """

    type: EventType
    passages: tuple[Passage, ...] = ()
    statement: Statement | None = None
    answer: Answer | None = None
    error: Exception | None = None
    number: int = 0
    claim: int = 0
    text: str = field(default="", repr=False)
    closest: tuple[Closest, ...] = ()
    guarded: bool = field(default=False, repr=False, compare=False)
    left: float | None = field(default=None, repr=False, compare=False)


Tell = Callable[[Event], None]


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
#: Seconds that a queue can be waited for.
_LONGEST: Final = threading.TIMEOUT_MAX / 2


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
        drive = _Drive(parts, tell, optimistic=asked.optimistic)
        try:
            answer = await drive.run()
            told_recorder(answer, asked.recorder)
        except Exception as error:  # noqa: BLE001  # whatever it is, the stream ends by saying so
            drive.withdraw_open()
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
    """Carries out what the flow asks for, and tells what it says may be told."""

    def __init__(self, parts: Parts, tell: Tell, *, optimistic: bool) -> None:
        self._parts, self._tell, self._optimistic = parts, tell, optimistic
        self._feed: _Feed | None = None
        self._shown = 0
        self._open: dict[int, None] = {}  # claims told of and not yet settled, in order

    async def run(self) -> Answer:
        steps = Steps(self._parts.steps(), self._parts.passages)
        try:
            asked = await steps.anext(None)
            while not isinstance(asked, Answer):
                asked = await steps.anext(await self._carried_out(asked))
        finally:
            await self._close_feed()
        for statement in asked.statements[self._shown :]:
            self._show(Show(statement))
        self.withdraw_open()
        return asked

    async def _carried_out(self, effect: Effect) -> Outcome:
        generator = self._parts.generator
        match effect:
            case Generate(request) if isinstance(generator, AsyncStreamingGenerator):
                await self._close_feed()
                self._feed = _Feed(generator, request)
                return Streaming(resolve.name_of(generator))
            case Next() if self._feed is not None:
                return await self._feed.next(shown=self._shown > 0)
            case Show():
                self._show(effect)
            case Drafted(claim, text):
                self._told_if_optimistic(Event("unverified", claim=claim, text=text))
            case Withdraw(claim):
                self._told_if_optimistic(Event("withdrawn", claim=claim))
            case _:
                return await acarry_out(self._parts, effect)
        return None

    def _show(self, show: Show) -> None:
        self._shown += 1
        if show.claim is not None:
            claim = show.claim
            verified = Event("verified", statement=show.statement, number=self._shown, claim=claim)
            self._told_if_optimistic(verified)
        self._tell(Event("statement", statement=show.statement, number=self._shown))

    def _told_if_optimistic(self, event: Event) -> None:
        if not self._optimistic:
            return
        if event.type == "unverified":
            self._open[event.claim] = None
        elif event.claim not in self._open:
            return
        else:
            del self._open[event.claim]
        self._tell(event)

    def withdraw_open(self) -> None:
        """Settle what was told of as unverified and has come to nothing."""
        for claim in list(self._open):
            self._told_if_optimistic(Event("withdrawn", claim=claim))

    async def _close_feed(self) -> None:
        feed, self._feed = self._feed, None
        if feed is not None:
            await feed.close()


_ENDED: Final = "a streaming generator must end with a Reply, and it ended without"


class _Feed:
    """One reply, read ahead of whoever asks for it."""

    def __init__(self, generator: AsyncStreamingGenerator, request: Request) -> None:
        import asyncio  # noqa: PLC0415  # as above

        self._generator, self._closing = generator, False
        self._items: deque[Outcome | _Broken] = deque()
        self._arrived, self._again = asyncio.Event(), asyncio.Event()
        self._lost: ProviderError | None = None  # what a try that broke off has cost
        self._reading = asyncio.create_task(self._read(request))

    async def next(self, *, shown: bool) -> Outcome:
        """What came since; waited for, if that is nothing, until the deadline of the call.

        All that has closed meanwhile comes at once, so that a judge is asked once. A reply that
        can be asked for again overtakes what has closed of it, unless something was `shown`.
        What is still unread at the deadline is not read.
        """
        self._again.set()
        if remaining() == 0 or (not self._items and not await self._is_in_time()):
            return late(resolve.name_of(self._generator), self._lost)
        last = self._items[-1]
        if isinstance(last, Interrupted) and not shown:
            self._items.clear()
            return last
        item = self._items.popleft()
        if isinstance(item, _Broken):
            raise item.error
        if not isinstance(item, Closed):
            return item
        statements = list(item.statements)
        while self._items and isinstance(more := self._items[0], Closed):
            statements += more.statements
            self._items.popleft()
        return Closed(tuple(statements))

    async def close(self) -> None:
        """Close the connection, if the reply has not ended; not for longer than a moment."""
        self._closing = True
        await given_up(self._reading)

    async def _is_in_time(self) -> bool:
        import asyncio  # noqa: PLC0415  # as above

        self._arrived.clear()
        try:
            async with asyncio.timeout(remaining()):
                await self._arrived.wait()
        except TimeoutError:
            return bool(self._items)
        return True

    def _put(self, item: Outcome | _Broken) -> None:
        self._items.append(item)
        self._arrived.set()

    async def _read(self, request: Request) -> None:
        try:
            with sooner():  # as in `calls`: one that is late can still tell what it has cost
                async with aclosing(self._generator.astream(request)) as parts:
                    self._put(await self._followed(parts))
        except BaseException as raised:
            if self._closing:
                raise
            error = contained(raised)
            self._put(undrafted(error, self._generator) or _Broken(error))

    async def _followed(self, parts: AsyncGenerator[Any, None]) -> Outcome:
        """Put what closes, and return what the reply ends with."""
        scanner = Scanner()
        async for part in parts:
            if isinstance(part, str):
                if closed := scanner.feed(part):
                    self._put(Closed(closed))
            elif isinstance(part, ProviderError):
                scanner = Scanner()
                self._again.clear()
                self._lost = part
                self._put(Interrupted(part))
                await self._again.wait()
            else:
                return checked_reply(part)
        raise InputError(_ENDED, code="bad_reply")


@dataclass(frozen=True, slots=True)
class _Broken:
    """What a generator raised that no generator should; raised by `next`."""

    error: BaseException


# --- without asyncio ------------------------------------------------------------------------


def stream(question: str, passages: Sequence[Any], **arguments: Any) -> Iterator[Event]:
    """`astream` for code that does not await: the same arguments, the same events.

    The call runs in an event loop of its own, in a thread of its own. Closing the iterator ends
    the call.

    >>> passages = ["Water damage from a burst pipe is covered."]
    >>> [event.type for event in stream("Is water damage covered?", passages)]
    ['passages', 'statement', 'done']
    """
    call = _InThread(lambda: astream(question, passages, **arguments))
    try:
        yield from call.told(_patience(arguments.get("timeout", TIMEOUT)))
    finally:
        call.end()


def _patience(timeout: object) -> float | None:
    """Seconds after which a stream has ended, unless it is stuck; `None` for no end."""
    most = None
    if isinstance(timeout, int | float) and timeout > 0:  # else `astream` says what is wrong
        most = min(timeout, _LONGEST)
    left = remaining(most)
    return None if left is None else left + _ENDING


class _InThread:
    """Runs a stream in a thread, in a copy of the caller's context."""

    def __init__(self, events: Callable[[], AsyncGenerator[Event, None]]) -> None:
        self._events: queue.SimpleQueue[Event | BaseException | None] = queue.SimpleQueue()
        self._make, self._begun, self._stuck = events, threading.Event(), False
        self._cancel: Callable[[], object] = lambda: None
        context = contextvars.copy_context()
        self._thread = threading.Thread(
            target=context.run, args=(self._run,), name="groundedgen-stream", daemon=True
        )
        self._thread.start()

    def told(self, patience: float | None) -> Iterator[Event]:
        """The events, which end after these seconds at the latest.

        They end in time by themselves, unless a part blocks the loop that it is awaited in.
        """
        ends = None if patience is None else time.monotonic() + patience
        begun = False
        while True:
            try:
                left = None if ends is None else max(0.0, ends - time.monotonic())
                event = self._events.get(timeout=left)
            except queue.Empty:
                self._stuck = True
                yield from () if begun else (Event("passages"),)
                yield Event("failed", error=late("a part that blocks its event loop"))
                return
            if event is None:
                return
            if isinstance(event, BaseException):
                raise event
            begun = True
            yield event

    def end(self) -> None:
        """End the call; a part that does not let itself be cancelled is left to its thread."""
        self._begun.wait()
        self._cancel()
        self._thread.join(0.0 if self._stuck else _ENDING)

    def _run(self) -> None:
        import asyncio  # noqa: PLC0415  # as above

        try:
            asyncio.run(self._relay())
        except BaseException as error:  # noqa: BLE001  # raised again by whoever reads the events
            self._events.put(error)
        finally:
            self._begun.set()

    async def _relay(self) -> None:
        """Put every event, and `None` or an error last: the loop may take longer to end."""
        import asyncio  # noqa: PLC0415  # as above

        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def cancel() -> None:
            if task is not None:
                with suppress(RuntimeError):  # the loop is closed: all has ended
                    loop.call_soon_threadsafe(task.cancel)

        self._cancel = cancel
        self._begun.set()
        last: BaseException | None = None
        try:
            async with aclosing(self._make()) as events:
                async for event in events:
                    self._events.put(event)
        except asyncio.CancelledError:
            pass
        except BaseException as error:  # noqa: BLE001  # as above
            last = error
        self._events.put(last)
