"""The stream protocol of Vercel's AI SDK, so that `useChat` shows an answer as it is verified.

It is the "UI message stream", version v1 by its header, as AI SDK 5 introduced it and 6 and 7
read it (its chunks: `ui-message-chunks.ts` in the package `ai`). The older "data stream" of
AI SDK 4, lines that begin with `0:`, is another one and not spoken here.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from typing import Any, Final

from groundedgen.render.commonmark import escape
from groundedgen.streaming import Event
from groundedgen.web import sse
from groundedgen.web.events import STORE_TIMEOUT, ForReader, Store, Told, Unsaid

__all__ = ["HEADERS", "vercel"]

HEADERS: Final = {**sse.HEADERS, "x-vercel-ai-ui-message-stream": "v1"}
"""What the SDK's client looks for in the response."""

_END: Final = "data: [DONE]\n\n"


async def vercel(
    events: AsyncGenerator[Event, None],
    *,
    store: Store = Unsaid.STORE,
    reader: object = None,
    lang: str = "en",
    timeout: float | None = STORE_TIMEOUT,  # noqa: ASYNC109  # running out of it denies
    markdown: bool = True,
) -> AsyncGenerator[str, None]:
    """The events of `astream` for one reader, each as chunks of the protocol.

    A statement is a text part of its own, with the numbers of its sources after it, and the same
    as `data-statement`; sources are `source-url` or `source-document`; passages are
    `data-passages`, and the whole answer is `data-answer`. Closing this closes `events`.

    Args:
        events: What `astream` gives, in the mode "verified".
        store: Asked again, at every event, what `reader` may see of it. To be given where the
            stream was made with one; `None` then shows everything to whoever reads this.
        reader: Whoever reads this, in the store's own terms; only with `store`.
        lang: Language of the few words around the answer.
        timeout: Seconds to wait for the store at each event; then it denies, here and from then
            on. What is left of the deadline of the call is the most, then one second in all.
        markdown: Whether the page shows text parts as Markdown, as the SDK's templates do: words
            of a statement are then escaped, so that they cannot become links or images.

    Yields:
        All chunks of an event as one text, so that a client who reads slowly gets nothing that
        was permitted long ago.

    Raises:
        InputError: As `sse`.
    """
    chunks = _Chunks(markdown=markdown)
    view = ForReader(store=store, reader=reader, lang=lang, timeout=timeout)
    yield _encoded({"type": "start"})
    async with aclosing(events), aclosing(view.all(events)) as all_told:
        async for told in all_told:
            yield "".join(_encoded(chunk) for chunk in chunks.of(told))
    yield _END


def _encoded(chunk: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(chunk)}\n\n"


class _Chunks:
    """The chunks of one message; remembers which sources it has named."""

    def __init__(self, *, markdown: bool) -> None:
        self._markdown = markdown
        self._named: set[int] = set()

    def of(self, told: Told) -> Iterator[dict[str, Any]]:
        data = told.data
        match told.name:
            case "passages":
                yield {"type": "data-passages", "id": "passages", "data": data["passages"]}
            case "statement":
                yield from self._statement(data)
            case "done":
                yield from self._text("message", data["message"]) if data["message"] else ()
                yield from self._sources(data["sources"]) if data["status"] != "answered" else ()
                yield {"type": "data-answer", "id": "answer", "data": data}
                yield {"type": "finish", "finishReason": "stop"}
            case "failed":
                yield from self._sources(data["sources"])
                yield {"type": "error", "errorText": data["message"]}

    def _statement(self, data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        name = f"statement-{data['number']}"
        marks = dict.fromkeys(f"[{citation['source']}]" for citation in data["citations"])
        yield from self._text(name, data["text"], f" {''.join(marks)}\n\n")
        yield from self._sources(data["sources"])
        yield {"type": "data-statement", "id": name, "data": data}

    def _text(self, name: str, text: str, after: str = "") -> Iterator[dict[str, Any]]:
        shown = escape(text) if self._markdown else text
        yield {"type": "text-start", "id": name}
        yield {"type": "text-delta", "id": name, "delta": shown + after}
        yield {"type": "text-end", "id": name}

    def _sources(self, sources: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for source in sources:
            if source["number"] in self._named:
                continue
            self._named.add(source["number"])
            title = source["title"] or f"[{source['number']}]"
            chunk = {"sourceId": str(source["number"]), "title": title}
            if source["url"]:
                yield {"type": "source-url", "url": source["url"], **chunk}
            else:
                yield {"type": "source-document", "mediaType": "text/plain", **chunk}
