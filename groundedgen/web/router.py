"""Routes for a FastAPI application: a question in, verified statements out, as they stand.

`POST /ask` answers with server-sent events, `POST /chat` with the stream of Vercel's AI SDK. A
reader who leaves is noticed while nothing is being sent, too: the call to the model is dropped
and no judge is asked any more.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from groundedgen.calls import TIMEOUT
from groundedgen.deadlines import awaited, remaining, unblocked, within
from groundedgen.errors import InputError, MissingExtraError
from groundedgen.ports import AsyncSourceStore, SourceStore
from groundedgen.streaming import Event, astream
from groundedgen.web import sse, vercel

try:
    from fastapi import APIRouter, Depends, HTTPException
    from fastapi.responses import StreamingResponse
    from starlette.types import Receive, Scope, Send
except ImportError as error:
    raise MissingExtraError("groundedgen.web.router", extra="fastapi") from error

__all__ = ["Asked", "Chat", "EventStream", "Question", "router"]

logger = logging.getLogger(__name__)

_RESERVED: Final = frozenset({"store", "reader", "timeout", "question", "history"})
_MOST_TURNS: Final = 50

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8000)]
Turn = Annotated[str, StringConstraints(max_length=20_000)]


class Question(BaseModel):
    """What `POST /ask` takes. `history` is earlier turns, oldest first; never evidence."""

    model_config = ConfigDict(extra="forbid")

    question: Text
    history: list[Turn] = Field(default_factory=list, max_length=_MOST_TURNS)


class Part(BaseModel):
    """A part of a message; only its text is read."""

    type: str
    text: Turn = ""


class Message(BaseModel):
    """A message as `useChat` sends it."""

    role: str
    parts: list[Part] = Field(default_factory=list, max_length=1000)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if part.type == "text").strip()


class Chat(BaseModel):
    """What `POST /chat` takes: the messages of the chat, of which the last one asks."""

    messages: list[Message] = Field(min_length=1, max_length=1000)

    def asked(self) -> Question:
        """The last message as a question, what came before as its history.

        Raises:
            ValidationError: It has no text, or too much of it.
        """
        *earlier, last = self.messages
        turns = [f"{m.role}: {m.text}" for m in earlier if m.text][-_MOST_TURNS:]
        return Question(question=last.text, history=turns)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, as `answer_with` is given it."""

    question: str
    history: tuple[str, ...]
    reader: Any


AnswerWith = Callable[[Asked], Mapping[str, Any] | Awaitable[Mapping[str, Any]]]


class EventStream(StreamingResponse):
    """A stream that ends when the reader leaves, whichever ASGI server tells of it.

    Starlette looks only where the server's interface is older than 2.4; later ones it notices
    when it sends, and while a model thinks nothing is sent.
    """

    media_type = "text/event-stream"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # Starlette's form
        sending = asyncio.create_task(self.stream_response(send))
        leaving = asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            sent, _ = await asyncio.gather(sending, leaving, return_exceptions=True)
            if isinstance(self.body_iterator, AsyncGenerator):
                await self.body_iterator.aclose()
        if isinstance(sent, Exception) and not isinstance(sent, OSError):
            raise sent


def router(
    answer_with: AnswerWith,
    *,
    store: SourceStore | AsyncSourceStore | None = None,
    reader: Callable[..., Any] | None = None,
    timeout: float | None = TIMEOUT,
    keep_alive: float = 15.0,
    lang: str = "en",
) -> APIRouter:
    """Routes that answer questions as streams of events.

    Args:
        answer_with: Given an `Asked`, returns what `astream` is to be called with: `passages`, and
            where wanted `model`, `judge`, `policy`, `mode` and `recorder`. This is where passages
            are retrieved. May be asynchronous; a synchronous one runs in a thread.
        store: Asked before each question, and again at every event, what the reader may open.
        reader: A FastAPI dependency that says who is asking; only with `store`.
        timeout: Seconds for one question, retrieval included; `None` for as long as it takes.
        keep_alive: Seconds of silence after which a comment is sent; more than 0.
        lang: Language of the few words around the answer: "en", "de", "fr" or "es".

    Raises:
        InputError: A reader without a store, or a time that is not more than 0.

    >>> from fastapi import FastAPI
    >>> app = FastAPI()
    >>> app.include_router(router(lambda asked: {"passages": ["Fire is covered."]}), prefix="/api")
    """
    if reader is not None and store is None:
        raise InputError(
            "reader= was given without store=, so nothing would be asked what a reader may open; "
            "pass the store, or leave reader= out",
            code="no_store",
        )
    if not keep_alive > 0:
        raise InputError(f"keep_alive must be more than 0, got {keep_alive!r}", code="bad_timeout")
    made = APIRouter()
    who = Depends(reader if reader is not None else _nobody)

    @made.post("/ask", response_class=EventStream)
    async def ask(question: Question, reader: Any = who) -> EventStream:
        events = _answered(question, reader, answer_with, store, timeout)
        chunks = sse.sse(events, store=store, reader=reader, lang=lang)
        return EventStream(sse.kept_alive(chunks, keep_alive), headers=sse.HEADERS)

    @made.post("/chat", response_class=EventStream)
    async def chat(messages: Chat, reader: Any = who) -> EventStream:
        try:
            question = messages.asked()
        except ValidationError:
            raise HTTPException(422, "the last message has no text, or too much of it") from None
        events = _answered(question, reader, answer_with, store, timeout)
        chunks = vercel.vercel(events, store=store, reader=reader, lang=lang)
        return EventStream(sse.kept_alive(chunks, keep_alive), headers=vercel.HEADERS)

    return made


def _nobody() -> None:
    return None


async def _answered(
    question: Question,
    reader: Any,
    answer_with: AnswerWith,
    store: SourceStore | AsyncSourceStore | None,
    timeout: float | None,  # noqa: ASYNC109  # spans retrieval and the answer
) -> AsyncGenerator[Event, None]:
    """The events of one question, its retrieval included; any failure is the last event."""
    asked = Asked(question.question, tuple(question.history), reader)
    begun = time.monotonic()
    last = False
    try:
        arguments = await _arguments(answer_with, asked, timeout)
        left = None if timeout is None else max(0.001, timeout - (time.monotonic() - begun))
        async with aclosing(
            astream(
                asked.question,
                arguments.pop("passages", ()),
                history=asked.history,
                store=store,
                reader=reader,
                timeout=left,
                **arguments,
            )
        ) as events:
            async for event in events:
                last = event.type in {"done", "failed"}
                yield event
    except Exception as error:  # whatever it is, a stream ends by saying so
        if last:
            raise
        # Not the message: it may hold what was asked, or what a store knows.
        logger.error("a question could not be answered (%s)", type(error).__name__)  # noqa: TRY400  # as above
        yield Event("failed", error=error)


async def _arguments(
    answer_with: AnswerWith,
    asked: Asked,
    timeout: float | None,  # noqa: ASYNC109  # as above
) -> dict[str, Any]:
    async def given_by() -> Mapping[str, Any]:
        if inspect.iscoroutinefunction(answer_with):
            return await answer_with(asked)  # type: ignore[no-any-return]  # as declared
        given = await unblocked(lambda: answer_with(asked))
        return await given if inspect.isawaitable(given) else given

    with within(timeout):
        given = await awaited(given_by, remaining())
    if reserved := sorted(_RESERVED & set(given)):
        raise InputError(
            f"answer_with returned {reserved[0]!r}, which is the router's own argument",
            code="bad_answer_with",
        )
    return dict(given)
