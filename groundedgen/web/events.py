"""A stream's events as one reader may see them: plain data, with permission asked again.

The source store was asked before the question was; what is shown is asked for once more, event
by event, at the moment it leaves. What it does not grant is not sent, numbered or counted.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from operator import itemgetter
from typing import Any, Final, Literal, TypeAlias

from groundedgen.errors import (
    DraftFormatError,
    InputError,
    ProviderError,
    RefusedError,
    TruncatedError,
)
from groundedgen.passages import Passage
from groundedgen.ports import AsyncSourceStore, SourceCard, SourceStore
from groundedgen.render import payload, view
from groundedgen.render.display import web_link
from groundedgen.render.labels import labels_for
from groundedgen.streaming import Event
from groundedgen.values import Answer, Statement
from groundedgen.web.guard import Guard

__all__ = ["EXCERPT", "STORE_TIMEOUT", "ForReader", "Store", "Told", "Unsaid"]

EXCERPT: Final = 1000
"""Code points of a passage that are sent before the answer; more of it is cut off."""

STORE_TIMEOUT: Final = 10.0
"""Seconds that the store has at each event, where the deadline of the call leaves it as many."""

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


class Unsaid(Enum):
    """Tells a `store` that was left out from one that is `None`."""

    STORE = "left out"


Store: TypeAlias = SourceStore | AsyncSourceStore | Literal[Unsaid.STORE] | None

_UNGUARDED: Final = (
    "the stream was made with a store, and is shown without one, so that nothing would be asked "
    "what this reader may open now; pass the same store= and reader= here as well, or store=None "
    "to show everything to whoever reads this"
)


class ForReader:
    """Turns the events of one stream into what one reader is told of them.

    Sources are numbered by first appearance, as in every rendering of the whole answer, and
    keep their numbers to the end. `done` holds of the statements that were told those that the
    reader may still open, and no other: what was denied at its event stays denied for this
    stream, also where it has been granted since. Without a store nobody is asked, and passages
    speak for themselves.

    Args:
        store: Says what `reader` may see, at each event. Left out is refused where the stream was
            made with a store; `None` shows everything.
        reader: Whoever reads this, in the store's own terms; only with `store`.
        lang: Language of the few words around the answer: "en", "de", "fr" or "es".
        timeout: Seconds to wait for the store at each event; then it denies, here and from then
            on. It never has more than what is left of the deadline of the call, and after that
            one second in all. `None` for no other limit.

    Raises:
        InputError: A reader without a store, or an unknown language.
    """

    def __init__(
        self,
        *,
        store: Store = Unsaid.STORE,
        reader: object = None,
        lang: str = "en",
        timeout: float | None = STORE_TIMEOUT,
    ) -> None:
        self._may_show_all = store is None
        self._guard = Guard(None if isinstance(store, Unsaid) else store, reader, timeout)
        self._labels = labels_for(lang)
        self._passages: dict[str, Passage] = {}
        self._numbers: dict[str, int] = {}  # of sources, by passage id
        self._shown = 0
        self._told: dict[int, _Place] = {}  # by the statement's place in the answer

    async def told(self, event: Event) -> Told | None:
        """What the reader is told, or `None` if that is nothing.

        Raises:
            InputError: The stream was made with a store, and `store` was left out here.
        """
        match event.type:
            case "passages":
                return await self._opened(event)
            case "statement":
                return await self._statement(event)
            case "done" if event.answer is not None:
                return await self._done(event.answer)
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
        if event.guarded and not self._guard.asks and not self._may_show_all:
            raise InputError(_UNGUARDED, code="no_store")
        self._guard.begins(event.left)
        self._passages = {passage.id: passage for passage in event.passages}
        own = {p.id: SourceCard(p.id, p.title, p.url, p.date, p.page) for p in event.passages}
        granted = await self._guard.cards(list(own))
        cards = own if granted is None else granted
        seen = [_passage(p, cards[p.id]) for p in event.passages if p.id in cards]
        return Told("passages", {"passages": seen})

    async def _statement(self, event: Event) -> Told | None:
        """The statement alone, rendered like any answer, with the stream's own numbers."""
        if event.statement is None:
            return None
        alone = self._alone(event.statement)
        rendered = self._rendered(alone, await self._guard.cards(view.ids(alone)))
        if not rendered["statements"]:
            self._told[event.number] = _Place(0, frozenset())
            return None
        self._shown += 1
        (said,) = rendered["statements"]
        named = frozenset(citation["passage_id"] for citation in said["citations"])
        self._told[event.number] = _Place(self._shown, named)
        return Told("statement", {**said, "number": self._shown, "sources": rendered["sources"]})

    async def _done(self, answer: Answer) -> Told:
        """The answer without what was denied at its event, each statement with its number."""
        statements = dict(self._as_told(answer))
        answer = replace(answer, statements=tuple(statements.values()))
        cards = await self._guard.cards(view.ids(answer))
        rendered = self._rendered(answer, cards)
        if answer.status == "answered":
            stands = [n for n, said in statements.items() if _stands(answer, said, cards)]
            numbered = zip(stands, rendered["statements"], strict=True)
            rendered["statements"] = [{**said, "number": number} for number, said in numbered]
        return Told("done", rendered)

    def _as_told(self, answer: Answer) -> Iterator[tuple[int, Statement]]:
        """The statements with their numbers, and of each the citations that it was told with."""
        for place, statement in enumerate(answer.statements, 1):
            told = self._told.get(place)
            if told is None:  # it had no event: these are not the events of a whole stream
                self._shown += 1
                yield self._shown, statement
            elif told.number:
                cited = tuple(c for c in statement.citations if c.passage_id in told.passage_ids)
                yield told.number, replace(statement, citations=cited)

    async def _failed(self, event: Event) -> Told:
        near = Answer("not_found", "nothing_survived", "", closest=event.closest)
        near = self._with_passages(near)
        rendered = self._rendered(near, await self._guard.cards(view.ids(near)))
        kinds = type(event.error).__mro__ if event.error is not None else ()
        reason = next((_REASONS[kind] for kind in kinds if kind in _REASONS), "error")
        message = _FAILED[self._labels.lang]
        return Told(
            "failed", {"reason": reason, "message": message, "sources": rendered["sources"]}
        )

    def _claim(self, event: Event) -> Told | None:
        """What nothing has checked names no source, so that no store could be asked about it."""
        if self._guard.asks:
            return None
        text = {"text": event.text} if event.type == "unverified" else {}
        return Told(event.type, {"claim": event.claim, **text})

    def _alone(self, statement: Statement) -> Answer:
        return self._with_passages(Answer("answered", "answered", "", (statement,)))

    def _with_passages(self, answer: Answer) -> Answer:
        named = [c.passage_id for s in answer.statements for c in s.citations]
        named += [near.passage_id for near in answer.closest]
        held = {name: self._passages[name] for name in named if name in self._passages}
        return replace(answer, passages=tuple(held.values()))

    def _rendered(self, answer: Answer, cards: Mapping[str, SourceCard] | None) -> dict[str, Any]:
        """As `render(format="json")` gives it, but with the numbers of this stream."""
        shown: dict[str, Any] = json.loads(payload.write(view.build(answer, cards), self._labels))
        known = {source["number"]: self._number(source["id"]) for source in shown["sources"]}
        sources = [{**s, "number": known[s["number"]]} for s in shown["sources"]]
        shown["sources"] = sorted(sources, key=itemgetter("number"))
        for said in shown["statements"]:
            said["citations"] = [{**c, "source": known[c["source"]]} for c in said["citations"]]
        return shown

    def _number(self, passage_id: str) -> int:
        return self._numbers.setdefault(passage_id, len(self._numbers) + 1)


@dataclass(frozen=True, slots=True)
class _Place:
    """What a statement was told with: its number (0: it was not told) and its sources."""

    number: int
    passage_ids: frozenset[str]


def _stands(answer: Answer, said: Statement, cards: Mapping[str, SourceCard] | None) -> bool:
    """Whether anything of this statement is shown."""
    return bool(view.build(replace(answer, statements=(said,)), cards).statements)


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
