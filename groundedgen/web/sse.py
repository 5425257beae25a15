"""Server-sent events: a stream's events as text of the media type `text/event-stream`.

The format is the WHATWG HTML Living Standard's, section 9.2. Comments keep a connection open
while a model or a judge is busy.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from groundedgen.errors import InputError
from groundedgen.streaming import Event
from groundedgen.web.events import STORE_TIMEOUT, ForReader, Store, Unsaid

__all__ = ["HEADERS", "KEEP_ALIVE", "encode", "kept_alive", "sse"]

HEADERS: Final = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
}
"""What a response needs so that nothing on its way collects or changes it."""

KEEP_ALIVE: Final = ": keep-alive\n\n"
"""A comment: nobody who reads the events sees it."""

_LINE: Final = re.compile(r"\r\n|\r|\n")


def encode(event: str, data: str, *, id: str | int | None = None) -> str:  # noqa: A002  # its name
    r"""One event.

    Args:
        event: Its name; one line.
        data: Any text; each line becomes a field of its own, and all line ends come out as one
            line feed.
        id: What a browser that connects again sends as `Last-Event-ID`; one line without a zero
            byte. `None` for none.

    Raises:
        InputError: `event` or `id` would end its line, or the event.

    >>> encode("statement", '{"number": 1}', id=2)
    'id: 2\nevent: statement\ndata: {"number": 1}\n\n'
    >>> encode("note", "two\r\nlines")
    'event: note\ndata: two\ndata: lines\n\n'
    """
    fields = [("event", event)] if id is None else [("id", str(id)), ("event", event)]
    for name, value in fields:
        if _LINE.search(value) or "\0" in value:
            raise InputError(f"{name} must be one line, got {len(value)} code points of more")
    fields += [("data", line) for line in _LINE.split(data)]
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n"


async def sse(
    events: AsyncGenerator[Event, None],
    *,
    store: Store = Unsaid.STORE,
    reader: object = None,
    lang: str = "en",
    timeout: float | None = STORE_TIMEOUT,  # noqa: ASYNC109  # running out of it denies
) -> AsyncGenerator[str, None]:
    r"""The events of `astream` for one reader, each as one text to be sent.

    Data is one JSON object a line, in ASCII; see the documentation on streaming for its fields.
    Closing this closes `events`.

    Args:
        events: What `astream` gives.
        store: Asked again, at every event, what `reader` may see of it. To be given where the
            stream was made with one; `None` then shows everything to whoever reads this.
        reader: Whoever reads this, in the store's own terms; only with `store`.
        lang: Language of the few words around the answer.
        timeout: Seconds to wait for the store at each event; then it denies, here and from then
            on. What is left of the deadline of the call is the most, then one second in all.

    Raises:
        InputError: The stream was made with a store that is not given here, a reader is given
            without a store, or the language is unknown.

    >>> from groundedgen import astream
    >>> async def first():
    ...     async with aclosing(sse(astream("Is fire covered?", ["Fire is covered."]))) as lines:
    ...         return await anext(lines)
    >>> asyncio.run(first())[:36]
    'id: 1\nevent: passages\ndata: {"passag'
    """
    view = ForReader(store=store, reader=reader, lang=lang, timeout=timeout)
    number = 0
    async with aclosing(events), aclosing(view.all(events)) as all_told:
        async for told in all_told:
            number += 1
            yield encode(told.name, json.dumps(told.data), id=number)


async def kept_alive(
    chunks: AsyncGenerator[str, None], seconds: float
) -> AsyncGenerator[str, None]:
    """The same chunks, with a comment whenever nothing came for so many seconds.

    Closing this closes `chunks`, also while one of them is waited for.
    """
    waiting: asyncio.Task[str | None] | None = None
    try:
        while True:
            waiting = asyncio.create_task(_next(chunks))
            while not (await asyncio.wait({waiting}, timeout=seconds))[0]:
                yield KEEP_ALIVE
            if (chunk := waiting.result()) is None:
                return
            yield chunk
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await chunks.aclose()


async def _next(chunks: AsyncGenerator[str, None]) -> str | None:
    return await anext(chunks, None)
