"""Cards and grants in a database: SQLite in one's own process, PostgreSQL on a server.

Needs the extra `sql`. Two tables, which `create_tables` makes and any migration tool may::

    groundedgen_sources   id TEXT primary key, title, url, date TEXT, page INTEGER,
                          public BOOLEAN not null default false
    groundedgen_grants    reader TEXT, source_id TEXT -> groundedgen_sources.id (on delete
                          cascade), primary key (reader, source_id)

Every call is one SELECT (one for every 500 ids) in a transaction of its own, and nothing is kept
between calls: a grant that is committed as gone is gone from the next call on. Reading from a
replica, or an engine that shares one long transaction, would be as stale as that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from groundedgen import access
from groundedgen.errors import InputError, MissingExtraError
from groundedgen.ports import AsyncAuthorizer, Authorizer, SourceCard
from groundedgen.stores.authorized import Permitted, authorizer_of, sync_authorizer_of
from groundedgen.stores.cards import check_row, is_storable

try:
    import sqlalchemy as sa
except ImportError as error:
    raise MissingExtraError("a store in a database", extra="sql") from error

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

__all__ = ["METADATA", "AsyncSqlSourceStore", "SqlSourceStore", "create_tables"]

METADATA: Final = sa.MetaData()
"""Both tables, for migration tools."""

_SOURCES: Final = sa.Table(
    "groundedgen_sources",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("title", sa.Text),
    sa.Column("url", sa.Text),
    sa.Column("date", sa.Text),
    sa.Column("page", sa.Integer),
    sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()),
)
_GRANTS: Final = sa.Table(
    "groundedgen_grants",
    METADATA,
    sa.Column("reader", sa.Text, primary_key=True),
    sa.Column(
        "source_id", sa.Text, sa.ForeignKey(_SOURCES.c.id, ondelete="CASCADE"), primary_key=True
    ),
)

Keys = Callable[[Any], Iterable[str]]


def create_tables(engine: sa.Engine) -> None:
    """Make the two tables where they are missing."""
    METADATA.create_all(engine)


class SqlSourceStore:
    """Cards from a database, for what its table of grants, or an authorizer, lets a reader open.

    Args:
        engine: The caller's, used as it is. Time limits are its own (`connect_timeout`, a
            `statement_timeout`, the pool's `timeout`) or those of `render` and `ask`.
        keys: The names under which a reader's grants are kept, such as the user's own and
            those of their groups. Left out, a reader is its own name, and `None` nobody.
        authorizer: Asked instead of the table of grants and of `public`: an `Authorizer` or
            a function `(ids, reader)`.

    Raises:
        InputError: The engine is none, or must be awaited.

    >>> from sqlalchemy import create_engine
    >>> from sqlalchemy.pool import StaticPool
    >>> engine = create_engine("sqlite://", poolclass=StaticPool)
    >>> create_tables(engine)
    >>> store = SqlSourceStore(engine)
    >>> store.put(SourceCard("a", "Lease"), SourceCard("b", "Memo"))
    >>> store.grant("ann", "a")
    >>> sorted(store.get(["a", "b"], "ann")), store.get(["a", "b"], "bob")
    (['a'], {})
    """

    def __init__(
        self,
        engine: sa.Engine,
        *,
        keys: Keys | None = None,
        authorizer: Authorizer | Callable[[Sequence[str], Any], Permitted] | None = None,
    ) -> None:
        if not isinstance(engine, sa.Engine):
            raise _no_engine(engine, "create_engine", "AsyncSqlSourceStore")
        self.engine = engine
        self.keys = keys or _own_name
        self.authorizer = None if authorizer is None else sync_authorizer_of(authorizer)

    def get(self, ids: Sequence[str], reader: Any) -> dict[str, SourceCard]:
        """The cards of those of `ids` that `reader` may open right now."""
        names = _storable(ids)
        if self.authorizer is not None:
            names = _storable(access.authorized(self.authorizer, names, reader))
            return self._found(_queries(names, None), names, None)
        keys = _storable(self.keys(reader))
        return self._found(_queries(names, keys), names, keys)

    def _found(
        self, queries: Iterable[sa.Select[Any]], ids: Collection[str], keys: Collection[str] | None
    ) -> dict[str, SourceCard]:
        if not ids:
            return {}
        cards = _Cards(ids, keys)
        with self.engine.connect() as connection:
            for query in queries:
                cards.read(connection.execute(query).all())
        return cards.found

    def put(self, *cards: SourceCard, public: bool = False) -> None:
        """Add cards, or replace those of the same id; grants stay as they are.

        Args:
            cards: The cards.
            public: Whether every reader may open them.

        Raises:
            InputError: A field that no reader could ever be shown, or no database can hold;
                nothing is written then.
        """
        checked = [_fields(card) for card in cards]
        rows = {fields["id"]: {**fields, "public": public} for fields in checked}
        with self.engine.begin() as connection:
            known: set[str] = set()
            for some in _chunks(rows):
                held = sa.select(_SOURCES.c.id).where(_SOURCES.c.id.in_(some))
                known.update(connection.scalars(held))
            if changed := [{"of": name, **rows[name]} for name in rows if name in known]:
                change = sa.update(_SOURCES).where(_SOURCES.c.id == sa.bindparam("of"))
                connection.execute(change, changed)
            if added := [row for name, row in rows.items() if name not in known]:
                connection.execute(sa.insert(_SOURCES), added)

    def remove(self, *ids: str) -> None:
        """Forget these sources and every grant of them."""
        with self.engine.begin() as connection:
            for some in _chunks(ids):
                # SQLite cascades only where a connection was told to.
                connection.execute(sa.delete(_GRANTS).where(_GRANTS.c.source_id.in_(some)))
                connection.execute(sa.delete(_SOURCES).where(_SOURCES.c.id.in_(some)))

    def grant(self, reader: str, *ids: str) -> None:
        """Let `reader`, or the group of that name, open these sources from now on."""
        held = sa.select(_GRANTS.c.source_id).where(_GRANTS.c.reader == reader)
        with self.engine.begin() as connection:
            known = set(connection.scalars(held))
            missing = [name for name in dict.fromkeys(ids) if name not in known]
            if missing:
                rows = [{"reader": reader, "source_id": name} for name in missing]
                connection.execute(sa.insert(_GRANTS), rows)

    def revoke(self, reader: str, *ids: str) -> None:
        """Take back what `grant` gave. What is public stays so: see `put`."""
        held = sa.delete(_GRANTS).where(_GRANTS.c.reader == reader)
        with self.engine.begin() as connection:
            for some in _chunks(ids):
                connection.execute(held.where(_GRANTS.c.source_id.in_(some)))


class AsyncSqlSourceStore:
    """`SqlSourceStore` over an `AsyncEngine`, for `arender` and `aask`; it only reads."""

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        keys: Keys | None = None,
        authorizer: Authorizer
        | AsyncAuthorizer
        | Callable[[Sequence[str], Any], Any]
        | None = None,
    ) -> None:
        if not isinstance(getattr(engine, "sync_engine", None), sa.Engine):
            raise _no_engine(engine, "create_async_engine", "SqlSourceStore")
        self.engine = engine
        self.keys = keys or _own_name
        self.authorizer = None if authorizer is None else authorizer_of(authorizer)

    async def aget(self, ids: Sequence[str], reader: Any) -> dict[str, SourceCard]:
        """The cards of those of `ids` that `reader` may open right now."""
        names = _storable(ids)
        if self.authorizer is not None:
            names = _storable(await access.aauthorized(self.authorizer, names, reader))
            return await self._found(_queries(names, None), names, None)
        keys = _storable(self.keys(reader))
        return await self._found(_queries(names, keys), names, keys)

    async def _found(
        self, queries: Iterable[sa.Select[Any]], ids: Collection[str], keys: Collection[str] | None
    ) -> dict[str, SourceCard]:
        if not ids:
            return {}
        cards = _Cards(ids, keys)
        async with self.engine.connect() as connection:
            for query in queries:  # each one lets the loop go on, and a late call be given up
                cards.read((await connection.execute(query)).all())
        return cards.found


# --- what is asked, and what is made of the reply ---------------------------------------

_CARD: Final = (_SOURCES.c.id, _SOURCES.c.title, _SOURCES.c.url, _SOURCES.c.date, _SOURCES.c.page)


#: Values of one statement: SQLite takes 999 in older versions, SQL Server 2,100, asyncpg 32,767.
_MOST_IDS, _MOST_KEYS = 500, 400


def _chunks(names: Iterable[str], most: int = _MOST_IDS) -> Iterator[tuple[str, ...]]:
    """The names, so many at a time as one statement takes."""
    every = list(dict.fromkeys(names))
    return (tuple(every[at : at + most]) for at in range(0, len(every), most))


def _queries(ids: Collection[str], keys: Collection[str] | None) -> Iterator[sa.Select[Any]]:
    """What is asked for the cards of `ids`; `keys` are `None` where another has decided."""
    for some in _chunks(ids):
        if keys is None:
            yield sa.select(*_CARD).where(_SOURCES.c.id.in_(some))
        else:
            for few in _chunks(keys, _MOST_KEYS) if keys else ((),):
                yield _granted(some, few)


def _granted(ids: Collection[str], keys: Collection[str]) -> sa.Select[Any]:
    """One row for every way in which one of the ids is open: each grant, and `public`."""
    grant = sa.and_(_GRANTS.c.source_id == _SOURCES.c.id, _GRANTS.c.reader.in_(keys))
    return (
        sa.select(*_CARD, _SOURCES.c.public, _GRANTS.c.reader)
        .select_from(_SOURCES.outerjoin(_GRANTS, grant))
        .where(_SOURCES.c.id.in_(ids), sa.or_(_SOURCES.c.public, _GRANTS.c.reader.is_not(None)))
    )


class _Cards:
    """The cards of rows that are open under one of the keys; `None` where another has decided.

    Compared here once more: a database whose collation ignores case, accents or blanks at
    the end takes two readers, or two ids, for one.
    """

    def __init__(self, ids: Collection[str], keys: Collection[str] | None) -> None:
        self.ids = frozenset(ids)
        self.keys = None if keys is None else frozenset(keys)
        self.found: dict[str, SourceCard] = {}

    def read(self, rows: Iterable[sa.Row[Any]]) -> None:
        for row in rows:
            if row.id in self.ids and self._is_open(row):
                self.found[row.id] = SourceCard(row.id, row.title, row.url, row.date, row.page)

    def _is_open(self, row: sa.Row[Any]) -> bool:
        return self.keys is None or row.public is True or row.reader in self.keys


def _own_name(reader: object) -> tuple[str, ...]:
    if reader is None:
        return ()
    if not isinstance(reader, str):
        raise InputError(
            f"a reader of this store is a string, got {type(reader).__name__}; give "
            f"SqlSourceStore a function keys= that says under which names it is known",
            code="bad_type",
        )
    return (reader,)


def _storable(names: Iterable[str]) -> tuple[str, ...]:
    """The names that a database can hold: one that it cannot must not deny all the others."""
    if isinstance(names, str):
        raise InputError("ids and keys must be several strings, got one string", code="bad_type")
    return tuple(
        dict.fromkeys(name for name in names if isinstance(name, str) and is_storable(name))
    )


def _fields(card: object) -> dict[str, Any]:
    checked = check_row(card)
    return {name: getattr(checked, name) for name in ("id", "title", "url", "date", "page")}


def _no_engine(engine: object, made_by: str, other: str) -> InputError:
    kind = type(engine).__name__
    return InputError(
        f"engine= must come from sqlalchemy's {made_by}, got {kind}; see also {other}",
        code="bad_type",
    )
