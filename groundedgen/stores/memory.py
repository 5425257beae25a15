"""A source store in memory: for tests, examples, and hosts whose permissions fit in a dict."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from groundedgen.errors import InputError
from groundedgen.ports import SourceCard
from groundedgen.stores.cards import check_card

__all__ = ["MemoryStore"]


class MemoryStore:
    """Cards and who may open them. Nobody may open anything that was not granted.

    Grants and revocations count from the next call of `get` on; threads may share one
    store. Readers are any hashable values, `None` (nobody in particular) among them.

    Args:
        cards: The sources' cards.
        allowed: Reader -> ids this reader may open.
        public: Ids every reader may open, until they are revoked for one.

    >>> store = MemoryStore([SourceCard("a", "Lease"), SourceCard("b", "Memo")], public=["a"])
    >>> sorted(store.get(["a", "b"], "ann"))
    ['a']
    >>> store.grant("ann", "b")
    >>> store.revoke("ann", "a")
    >>> sorted(store.get(["a", "b"], "ann"))
    ['b']
    """

    def __init__(
        self,
        cards: Iterable[SourceCard] = (),
        *,
        allowed: Mapping[Any, Iterable[str]] | None = None,
        public: Iterable[str] = (),
    ) -> None:
        self._lock = threading.Lock()
        self._cards: dict[str, SourceCard] = {}
        self._granted: dict[Hashable, set[str]] = {}
        self._revoked: dict[Hashable, set[str]] = {}
        self._public = set(_named(public))
        self.put(*cards)
        for reader, ids in (allowed or {}).items():
            self.grant(reader, *_named(ids))

    def put(self, *cards: SourceCard) -> None:
        """Add cards, or replace those of the same id; grants stay as they are.

        Raises:
            InputError: What is no card, or has a field that no reader could ever be shown.
        """
        checked = {card.id: card for card in map(check_card, cards)}
        with self._lock:
            self._cards.update(checked)

    def remove(self, *ids: str) -> None:
        """Forget these sources and every grant of them."""
        with self._lock:
            for name in ids:
                self._cards.pop(name, None)
            self._public.difference_update(ids)
            for granted in self._granted.values():
                granted.difference_update(ids)

    def grant(self, reader: Hashable, *ids: str) -> None:
        """Let `reader` open these sources from now on."""
        with self._lock:
            self._granted.setdefault(reader, set()).update(ids)
            self._revoked.setdefault(reader, set()).difference_update(ids)

    def revoke(self, reader: Hashable, *ids: str) -> None:
        """Let `reader` open these sources no longer, public ones included."""
        with self._lock:
            self._granted.setdefault(reader, set()).difference_update(ids)
            self._revoked.setdefault(reader, set()).update(ids)

    def get(self, ids: Sequence[str], reader: Any) -> dict[str, SourceCard]:
        """The cards of those of `ids` that `reader` may open right now."""
        with self._lock:
            granted = self._public | self._granted.get(reader, set())
            shut = self._revoked.get(reader, set())
            names = [name for name in _named(ids) if name in granted and name not in shut]
            return {name: self._cards[name] for name in names if name in self._cards}

    async def aget(self, ids: Sequence[str], reader: Any) -> dict[str, SourceCard]:
        """`get`, for `arender` and `aask`; it never waits."""
        return self.get(ids, reader)


def _named(ids: Iterable[str]) -> tuple[str, ...]:
    if isinstance(ids, str):
        raise InputError(f"ids must be several ids, got the one string {ids!r}", code="bad_type")
    return tuple(ids)
