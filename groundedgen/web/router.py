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
_TAKEN: Final = tuple(n for n in inspect.signature(astream).parameters if n not in _RESERVED)
_OWN: Final = "bad_answer_with"  # the code of what `answer_with` returned in a wrong form
_FORM: Final = f"it must return a mapping with some of {', '.join(_TAKEN)}"
_MOST_TURNS: Final = 50
_LONGEST_TURN: Final = 20_000

_NO_QUESTION: Final = (
    "the last message of the role 'user' must have between 1 and 8000 characters of text"
)

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8000)]
Turn = Annotated[str, StringConstraints(max_length=_LONGEST_TURN)]


class Question(BaseModel):
    """What `POST /ask` takes. `history` is earlier turns, oldest first; never evidence."""

    model_config = ConfigDict(extra="forbid")

    question: Text
    history: list[Turn] = Field(default_factory=list, max_length=_MOST_TURNS)


class Part(BaseModel):
    """A part of a message; only its text is read."""

    type: str
    text: str = ""


class Message(BaseModel):
    """A message as `useChat` sends it."""

    role: str
    parts: list[Part] = Field(default_factory=list, max_length=1000)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if part.type == "text").strip()


class Chat(BaseModel):
    """What `POST /chat` takes: the messages of the chat, of which the user's last one asks."""

    messages: list[Message] = Field(min_length=1, max_length=1000)

    def asked(self) -> Question:
        """The user's last message as a question, what came before as its history.

        Nobody can shorten what a chat said earlier, so long turns are cut and old ones left out.

        Raises:
            ValidationError: There is no such message, or it has no text, or too much of it.
        """
        places = [n for n, message in enumerate(self.messages) if message.role == "user"]
        last = places[-1] if places else 0
        question = self.messages[last].text if places else ""
        turns = [f"{m.role}: {m.text}"[:_LONGEST_TURN] for m in self.messages[:last] if m.text]
        return Question(question=question, history=turns[-_MOST_TURNS:])


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
            raise HTTPException(422, _NO_QUESTION) from None
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
        logger.error("a question could not be answered (%s)", _kind(error))  # noqa: TRY400  # as above
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
    if not isinstance(given, Mapping):
        raise InputError(f"answer_with returned {_described(given)}; {_FORM}", code=_OWN)
    for name in map(str, given):
        if name in _RESERVED:
            reason = f"answer_with returned {name!r}, which is the router's own argument"
            raise InputError(f"{reason}; {_FORM}", code=_OWN)
        if name not in _TAKEN:
            raise InputError(f"answer_with returned the unknown {name!r:.60}; {_FORM}", code=_OWN)
    return dict(given)


def _described(given: object) -> str:
    return f"a {type(given).__name__}" if given is not None else "None (is a return missing?)"


def _kind(error: Exception) -> str:
    """What a log may hold of an error: its own words can be what was asked, or a store's."""
    if not isinstance(error, InputError):
        return type(error).__name__
    return f"{error.code}: {error}" if error.code == _OWN else f"InputError: {error.code}"
