"""A stream's events as one reader may see them: plain data, with permission asked again.

The source store was asked before the question was; what is shown is asked for once more, event
by event, at the moment it leaves. What it does not grant is not sent, numbered or counted.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from groundedgen import access
from groundedgen.errors import (
    DraftFormatError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.passages import Passage
from groundedgen.ports import AsyncSourceStore, SourceCard, SourceStore
from groundedgen.render import arender
from groundedgen.render.display import web_link
from groundedgen.render.labels import labels_for
from groundedgen.streaming import Event
from groundedgen.values import Answer

__all__ = ["EXCERPT", "STORE_TIMEOUT", "ForReader", "Told"]

EXCERPT: Final = 1000
"""Code points of a passage that are sent before the answer; more of it is cut off."""

STORE_TIMEOUT: Final = 10.0
"""Seconds that the store has at each event. The deadline of the call does not reach here, and a
store that hangs must not hold a stream up for ever."""

_FAILED: Final[Mapping[str, str]] = {
    "en": "The answer could not be completed. Nothing that was not verified has been shown.",
    "de": "Die Antwort konnte nicht fertiggestellt werden. Ungeprüftes wurde nicht gezeigt.",
    "fr": "La réponse n'a pas pu être terminée. Rien de non vérifié n'a été montré.",
    "es": "La respuesta no pudo completarse. No se ha mostrado nada sin verificar.",
}
_REASONS: Final[Mapping[type[Exception], str]] = {
    TimeoutError: "deadline",
    ProviderError: "provider_error",
    RefusedError: "refused",
    TruncatedError: "truncated",
    DraftFormatError: "bad_format",
}
_ENDINGS: Final = ("done", "failed")


@dataclass(frozen=True, slots=True)
class Told:
    """One event for one reader: its name, and data that JSON can hold."""

    name: str
    data: Mapping[str, Any]

    @property
    def is_last(self) -> bool:
        return self.name in _ENDINGS


class ForReader:
    """Turns the events of one stream into what one reader is told of them.

    Sources are numbered by first appearance, as in every rendering of the whole answer. Without
    a store nobody is asked, and passages speak for themselves.

    Args:
        store: Says what `reader` may see, at each event.
        reader: Whoever reads this, in the store's own terms; only with `store`.
        lang: Language of the few words around the answer: "en", "de", "fr" or "es".
        timeout: Seconds to wait for the store at each event; then it denies. `None` for no limit.

    Raises:
        InputError: A reader without a store, or an unknown language.
    """

    def __init__(
        self,
        *,
        store: SourceStore | AsyncSourceStore | None = None,
        reader: object = None,
        lang: str = "en",
        timeout: float | None = STORE_TIMEOUT,
    ) -> None:
        access.require_store(store, reader)
        self._store, self._reader, self._timeout = store, reader, timeout
        self._lang = labels_for(lang).lang
        self._passages: dict[str, Passage] = {}
        self._numbers: dict[str, int] = {}  # of sources, by passage id
        self._shown = 0

    async def told(self, event: Event) -> Told | None:
        """What the reader is told, or `None` if that is nothing."""
        match event.type:
            case "passages":
                return await self._opened(event)
            case "statement":
                return await self._statement(event)
            case "done" if event.answer is not None:
                return Told("done", await self._rendered(event.answer))
            case "failed":
                return await self._failed(event)
            case _:
                return self._claim(event)

    async def all(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Told, None]:
        """`told` of each event in turn."""
        async for event in events:
            if (told := await self.told(event)) is not None:
                yield told

    async def _opened(self, event: Event) -> Told:
        self._passages = {passage.id: passage for passage in event.passages}
        own = {p.id: SourceCard(p.id, p.title, p.url, p.date, p.page) for p in event.passages}
        cards = own
        if self._store is not None:
            cards = await access.agranted(self._store, list(own), self._reader, self._timeout)
        seen = [_passage(p, cards[p.id]) for p in event.passages if p.id in cards]
        return Told("passages", {"passages": seen})

    async def _statement(self, event: Event) -> Told | None:
        """The statement alone, rendered like any answer, with the stream's own numbers."""
        if event.statement is None:
            return None
        alone = Answer("answered", "answered", "", (event.statement,))
        rendered = await self._rendered(self._with_passages(alone))
        if not rendered["statements"]:
            return None
        self._shown += 1
        (said,) = rendered["statements"]
        known = {source["number"]: self._number(source["id"]) for source in rendered["sources"]}
        citations = [{**c, "source": known[c["source"]]} for c in said["citations"]]
        sources = [{**s, "number": known[s["number"]]} for s in rendered["sources"]]
        data = {**said, "number": self._shown, "citations": citations, "sources": sources}
        return Told("statement", data)

    def _number(self, passage_id: str) -> int:
        return self._numbers.setdefault(passage_id, len(self._numbers) + 1)

    async def _failed(self, event: Event) -> Told:
        near = Answer("not_found", "nothing_survived", "", closest=event.closest)
        rendered = await self._rendered(self._with_passages(near))
        kinds = type(event.error).__mro__ if event.error is not None else ()
        reason = next((_REASONS[kind] for kind in kinds if kind in _REASONS), "error")
        data = {"reason": reason, "message": _FAILED[self._lang], "sources": rendered["sources"]}
        return Told("failed", data)

    def _claim(self, event: Event) -> Told | None:
        """What nothing has checked names no source, so that no store could be asked about it."""
        if self._store is not None:
            return None
        text = {"text": event.text} if event.type == "unverified" else {}
        return Told(event.type, {"claim": event.claim, **text})

    def _with_passages(self, answer: Answer) -> Answer:
        named = [c.passage_id for s in answer.statements for c in s.citations]
        named += [near.passage_id for near in answer.closest]
        held = {name: self._passages[name] for name in named if name in self._passages}
        return replace(answer, passages=tuple(held.values()))

    async def _rendered(self, answer: Answer) -> dict[str, Any]:
        rendered: dict[str, Any] = json.loads(
            await arender(
                answer,
                store=self._store,
                reader=self._reader,
                format="json",
                lang=self._lang,
                timeout=self._timeout,
            )
        )
        return rendered


def _passage(passage: Passage, card: SourceCard) -> dict[str, Any]:
    return {
        "id": card.id,
        "title": card.title,
        "url": web_link(card.url),
        "date": card.date,
        "page": passage.page if card.page is None else card.page,
        "text": passage.text[:EXCERPT],
        "cut": len(passage.text) > EXCERPT,
    }
