"""A store of cards together with whoever knows the permissions: both must say yes.

For hosts whose permissions live in a service of their own. The authorizer is asked at every
call and nothing it says is kept, so what it takes back is gone with the next page.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, cast

from groundedgen import access
from groundedgen.deadlines import unblocked
from groundedgen.errors import InputError
from groundedgen.ports import (
    AsyncAuthorizer,
    AsyncSourceStore,
    Authorizer,
    SourceCard,
    SourceStore,
)

__all__ = [
    "AsyncAuthorizedStore",
    "AsyncFunctionAuthorizer",
    "AuthorizedStore",
    "FunctionAuthorizer",
    "authorizer_of",
    "each",
    "sync_authorizer_of",
]

Permitted = Collection[str] | Mapping[str, bool]


class FunctionAuthorizer:
    """A function `(ids, reader)` that returns those of the ids that the reader may open.

    >>> FunctionAuthorizer(lambda ids, reader: {"a"} if reader == "ann" else ()).authorize(
    ...     ["a", "b"], "ann"
    ... )
    {'a'}
    """

    def __init__(self, function: Callable[[Sequence[str], Any], Permitted]) -> None:
        self.function = function

    def authorize(self, ids: Sequence[str], reader: Any) -> Permitted:
        return self.function(ids, reader)


class AsyncFunctionAuthorizer:
    """`FunctionAuthorizer` for an `async def`."""

    def __init__(self, function: Callable[[Sequence[str], Any], Awaitable[Permitted]]) -> None:
        self.function = function

    async def aauthorize(self, ids: Sequence[str], reader: Any) -> Permitted:
        return await self.function(ids, reader)


def each(function: Callable[[str, Any], bool]) -> FunctionAuthorizer:
    """An authorizer out of a function `(id, reader)` that returns `True` or `False`.

    It is called once per id; prefer one that takes them all where there are many.

    >>> each(lambda name, reader: name.startswith(reader)).authorize(["ann/1", "bob/1"], "ann")
    {'ann/1': True, 'bob/1': False}
    """
    return FunctionAuthorizer(lambda ids, reader: {name: function(name, reader) for name in ids})


class AuthorizedStore:
    """The cards of `store`, for those ids that `authorizer` permits and `store` grants.

    Args:
        store: Where the cards come from; asked only for what is permitted.
        authorizer: An `Authorizer`, or a function `(ids, reader)`; asked first.

    Raises:
        InputError: One of the two can only be awaited, or is of the wrong type.

    >>> from groundedgen.stores.memory import MemoryStore
    >>> cards = MemoryStore([SourceCard("a"), SourceCard("b")], public=["a", "b"])
    >>> store = AuthorizedStore(cards, lambda ids, reader: {"b"} if reader == "ann" else ())
    >>> list(store.get(["a", "b"], "ann")), store.get(["a", "b"], "bob")
    (['b'], {})
    """

    def __init__(
        self,
        store: SourceStore,
        authorizer: Authorizer | Callable[[Sequence[str], Any], Permitted],
    ) -> None:
        access.require_sync(store)
        self.store = store
        self.authorizer = sync_authorizer_of(authorizer)

    def get(self, ids: Sequence[str], reader: Any) -> dict[str, SourceCard]:
        """The cards of those of `ids` that `reader` may open right now."""
        allowed = access.authorized(self.authorizer, ids, reader)
        wanted = [name for name in ids if name in allowed]
        return access.opened(self.store.get(wanted, reader), wanted) if wanted else {}


class AsyncAuthorizedStore:
    """`AuthorizedStore`, awaited. A part that is only synchronous runs in a thread."""

    def __init__(
        self,
        store: SourceStore | AsyncSourceStore,
        authorizer: Authorizer
        | AsyncAuthorizer
        | Callable[[Sequence[str], Any], Permitted | Awaitable[Permitted]],
    ) -> None:
        if not isinstance(store, AsyncSourceStore):
            access.require_sync(store)
        self.store = store
        self.authorizer = authorizer_of(authorizer)

    async def aget(self, ids: Sequence[str], reader: Any) -> dict[str, SourceCard]:
        """The cards of those of `ids` that `reader` may open right now."""
        allowed = await access.aauthorized(self.authorizer, ids, reader)
        wanted = [name for name in ids if name in allowed]
        return access.opened(await self._cards(wanted, reader), wanted) if wanted else {}

    async def _cards(self, ids: Sequence[str], reader: Any) -> Mapping[str, SourceCard]:
        store = self.store
        if isinstance(store, AsyncSourceStore):
            return await store.aget(ids, reader)
        return await unblocked(lambda: store.get(ids, reader))


def authorizer_of(given: object) -> Authorizer | AsyncAuthorizer:
    """The authorizer, or one made of a function.

    Raises:
        InputError: It is neither.
    """
    if isinstance(given, Authorizer | AsyncAuthorizer):
        return given
    if not callable(given):
        raise InputError(
            f"authorizer= needs authorize(ids, reader) or a function of the same arguments, "
            f"got {type(given).__name__}",
            code="bad_type",
        )
    if inspect.iscoroutinefunction(given):
        return AsyncFunctionAuthorizer(given)
    return FunctionAuthorizer(cast("Callable[[Sequence[str], Any], Permitted]", given))


def sync_authorizer_of(given: object) -> Authorizer:
    """`authorizer_of`, for who cannot await.

    Raises:
        InputError: It can only be awaited; left alone, it could only ever deny.
    """
    found = authorizer_of(given)
    method = getattr(found, "authorize", None)
    if method is None or inspect.iscoroutinefunction(method):
        raise InputError(
            f"authorizer= can only be awaited ({type(found).__name__}); use the store whose "
            f"name begins with Async, with arender and aask",
            code="bad_type",
        )
    return cast("Authorizer", found)
