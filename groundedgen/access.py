"""What the source store lets one reader see. Anything that goes wrong denies."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from groundedgen.deadlines import awaited, bounded, remaining, unblocked
from groundedgen.errors import InputError
from groundedgen.ports import (
    AsyncAuthorizer,
    AsyncSourceStore,
    Authorizer,
    SourceCard,
    SourceStore,
)

__all__ = [
    "FAILURES",
    "aasked",
    "aauthorized",
    "agranted",
    "authorized",
    "denied",
    "granted",
    "opened",
    "permitted",
    "require_askable",
    "require_store",
    "require_sync",
]

logger = logging.getLogger(__name__)

FAILURES: Final = (Exception, SystemExit)
"""What a store may raise and thereby deny. `SystemExit` ends the program only where the program
itself can have raised it: see `granted`. `KeyboardInterrupt` is Ctrl-C and always goes on."""


def require_store(store: object, reader: object) -> None:
    """Refuse a reader that nobody would be asked about: the caller believes it is checked.

    Raises:
        InputError: There is a reader and no store (`no_store`).
    """
    if store is None and reader is not None:
        raise InputError(
            "reader= was given without store=, so nothing would be asked what this reader may "
            "open; pass the store, or leave reader= out",
            code="no_store",
        )


def require_sync(store: object) -> None:
    """Refuse, as a mistake in the program, what could only ever deny.

    Raises:
        InputError: The store has no synchronous `get(ids, reader)`.
    """
    get = getattr(store, "get", None)
    if not callable(get) or inspect.iscoroutinefunction(get) or isinstance(store, Mapping):
        raise InputError(
            f"store= needs a synchronous get(ids, reader), which a {type(store).__name__} lacks; "
            f"use the asynchronous form (aask, arender), or MemoryStore for cards in a dict",
            code="bad_type",
        )


def require_askable(store: object) -> None:
    """Refuse what can be asked in neither way, as `require_sync` does."""
    if not isinstance(store, AsyncSourceStore):
        require_sync(store)


def granted(
    store: SourceStore, ids: Sequence[str], reader: object, timeout: float | None
) -> dict[str, SourceCard]:
    """The cards that `reader` may see right now; empty after any error.

    Without a time-out, or a deadline, the store is asked in the calling thread. There a
    `SystemExit` is raised on: it may come from a signal that ends the program.
    """
    if not ids:
        return {}
    seconds = remaining(timeout)
    try:
        return _told(bounded(lambda: opened(store.get(ids, reader), ids), seconds), reader)
    except FAILURES as error:  # whatever the store's own failure is, it denies
        if seconds is None and isinstance(error, SystemExit):
            raise
        return denied(error)


async def agranted(
    store: SourceStore | AsyncSourceStore,
    ids: Sequence[str],
    reader: object,
    timeout: float | None,  # noqa: ASYNC109  # as arender
) -> dict[str, SourceCard]:
    """`granted`, awaited. No signal is heard in a worker thread, so `SystemExit` denies."""
    require_askable(store)
    try:
        return _told(await aasked(store, ids, reader, timeout), reader)
    except FAILURES as error:
        return denied(error)


async def aasked(
    store: SourceStore | AsyncSourceStore,
    ids: Sequence[str],
    reader: object,
    timeout: float | None,  # noqa: ASYNC109  # as arender
) -> dict[str, SourceCard]:
    """`agranted`, but what goes wrong is raised.

    Raises:
        OverdueError: It has not answered in time.
        BaseException: Whatever the store raises.
    """
    if not ids:
        return {}
    return await awaited(lambda: _cards(store, ids, reader), remaining(timeout))


async def _cards(
    store: SourceStore | AsyncSourceStore, ids: Sequence[str], reader: object
) -> dict[str, SourceCard]:
    if isinstance(store, AsyncSourceStore):
        return opened(await store.aget(ids, reader), ids)
    # A store that hangs must not keep a thread of the event loop's own pool.
    return await unblocked(lambda: opened(store.get(ids, reader), ids))


def opened(reply: object, ids: Sequence[str]) -> dict[str, SourceCard]:
    """The sound cards of a store's reply, for the ids that were asked.

    A reply that is no mapping denies all. An entry that is no `SourceCard`, names another
    id than its key, or has a field of the wrong type denies that id.

    >>> opened({"a": SourceCard("a", "Lease"), "b": SourceCard("x"), "c": "Annex"}, ["a", "b", "c"])
    {'a': SourceCard(id='a', title='Lease', url=None, date=None, page=None)}
    >>> opened(["a"], ["a"])
    {}
    """
    if not isinstance(reply, Mapping):
        if inspect.iscoroutine(reply):
            reply.close()
        return {}
    cards = {name: reply[name] for name in ids if name in reply}
    return {name: card for name, card in cards.items() if _is_sound(card, name)}


def authorized(authorizer: Authorizer, ids: Sequence[str], reader: object) -> frozenset[str]:
    """Those of `ids` that `authorizer` lets `reader` open. What it raises is raised here."""
    return permitted(authorizer.authorize(ids, reader), ids) if ids else frozenset()


async def aauthorized(
    authorizer: Authorizer | AsyncAuthorizer, ids: Sequence[str], reader: object
) -> frozenset[str]:
    """`authorized`, awaited. An authorizer that is only synchronous runs in a thread."""
    if not ids:
        return frozenset()
    if isinstance(authorizer, AsyncAuthorizer):
        return permitted(await authorizer.aauthorize(ids, reader), ids)
    return permitted(await unblocked(lambda: authorizer.authorize(ids, reader)), ids)


def permitted(reply: object, ids: Sequence[str]) -> frozenset[str]:
    """The ids that an authorizer's reply lets through, of those that were asked.

    A set, list or tuple names what is permitted. In a mapping only `True` permits: its
    keys alone would let through what it says no to. Any other reply permits nothing, a
    string among them, whose letters could be taken for ids.

    >>> sorted(permitted({"a", "z"}, ["a", "b"])), sorted(permitted("ab", ["a", "b"]))
    (['a'], [])
    >>> sorted(permitted({"a": False, "b": True, "c": 1}, ["a", "b", "c"]))
    ['b']
    """
    if isinstance(reply, Mapping):
        return frozenset(name for name in ids if name in reply and reply[name] is True)
    if isinstance(reply, Collection) and not isinstance(reply, str | bytes | bytearray):
        named = {name for name in reply if isinstance(name, str)}
        return frozenset(name for name in ids if name in named)
    if inspect.iscoroutine(reply):
        reply.close()
    return frozenset()


def _is_sound(card: object, name: str) -> bool:
    return (
        isinstance(card, SourceCard)
        and card.id == name
        and all(isinstance(text, str | None) for text in (card.title, card.url, card.date))
        and isinstance(card.page, int | None)
        and not isinstance(card.page, bool)
    )


def _told(cards: dict[str, SourceCard], reader: object) -> dict[str, SourceCard]:
    """The cards; where a reader was forgotten and nothing is public, the log says so.

    Not the answer or the page: they would tell a hidden answer from one that never was.
    """
    if reader is None and not cards:
        logger.warning(
            "nothing is granted: store= was given without reader=, so it was asked what reader "
            "None may open; pass reader= to ask() and to render(), in the store's own terms"
        )
    return cards


def denied(error: BaseException) -> dict[str, SourceCard]:
    """Nothing is granted, and the log says that a store failed."""
    # Neither the message nor the number of ids: both can tell what is there.
    logger.warning("the source store failed (%s); all it was asked is denied", type(error).__name__)
    return {}
