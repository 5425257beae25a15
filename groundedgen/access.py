"""What the source store lets one reader see. Anything that goes wrong denies."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence

from groundedgen.deadlines import bounded, remaining
from groundedgen.errors import InputError
from groundedgen.ports import AsyncSourceStore, SourceCard, SourceStore

__all__ = ["agranted", "granted", "opened", "require_sync"]

logger = logging.getLogger(__name__)


def require_sync(store: object) -> None:
    """Refuse, as a mistake in the program, what could only ever deny.

    Raises:
        InputError: The store has no synchronous `get(ids, reader)`.
    """
    get = getattr(store, "get", None)
    if not callable(get) or inspect.iscoroutinefunction(get) or isinstance(store, Mapping):
        raise InputError(
            f"store= needs a synchronous get(ids, reader), which a {type(store).__name__} lacks; "
            f"use arender, or MemoryStore for cards in a dict",
            code="bad_type",
        )


def granted(
    store: SourceStore, ids: Sequence[str], reader: object, timeout: float | None
) -> dict[str, SourceCard]:
    """The cards that `reader` may see right now; empty after any error."""
    if not ids:
        return {}
    try:
        return opened(bounded(lambda: store.get(ids, reader), remaining(timeout)), ids)
    except Exception as error:  # noqa: BLE001  # whatever the store's own failure is, it denies
        return _denied(error)


async def agranted(
    store: SourceStore | AsyncSourceStore,
    ids: Sequence[str],
    reader: object,
    timeout: float | None,  # noqa: ASYNC109  # as arender
) -> dict[str, SourceCard]:
    """`granted`, awaited."""
    import asyncio  # noqa: PLC0415  # who awaits has it already; others would pay 50 ms

    if not isinstance(store, AsyncSourceStore):
        require_sync(store)
    if not ids:
        return {}
    try:
        if isinstance(store, AsyncSourceStore):
            async with asyncio.timeout(remaining(timeout)):
                return opened(await store.aget(ids, reader), ids)
        # A store that hangs must not keep a thread of the event loop's own pool.
        reply = await asyncio.to_thread(bounded, lambda: store.get(ids, reader), remaining(timeout))
        return opened(reply, ids)
    except Exception as error:  # noqa: BLE001  # as `granted`
        return _denied(error)


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


def _is_sound(card: object, name: str) -> bool:
    return (
        isinstance(card, SourceCard)
        and card.id == name
        and all(isinstance(text, str | None) for text in (card.title, card.url, card.date))
        and isinstance(card.page, int | None)
        and not isinstance(card.page, bool)
    )


def _denied(error: Exception) -> dict[str, SourceCard]:
    # Neither the message nor the number of ids: both can tell what is there.
    logger.warning("the source store failed (%s); all it was asked is denied", type(error).__name__)
    return {}
