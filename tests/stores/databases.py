"""The databases that the tests of SQL stores run against."""

from __future__ import annotations

import itertools
from contextlib import contextmanager

import pytest

sa = pytest.importorskip("sqlalchemy")

from sqlalchemy.pool import StaticPool

from groundedgen.stores.sql import METADATA, create_tables

_COUNT = itertools.count()


@contextmanager
def sqlite(path=None):
    """An engine on a file, or, shared by all threads, in memory."""
    if path is None:
        engine = sa.create_engine(
            "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
        )
    else:
        engine = sa.create_engine(f"sqlite:///{path}")
    create_tables(engine)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def postgres(url):
    """An engine on a schema of its own, which is dropped afterwards."""
    schema = f"groundedgen_test_{next(_COUNT)}"
    admin = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP SCHEMA IF EXISTS {schema} CASCADE"))
        connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    engine = sa.create_engine(url, connect_args={"options": f"-csearch_path={schema}"})
    create_tables(engine)
    try:
        yield engine
    finally:
        engine.dispose()
        with admin.connect() as connection:
            connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
        admin.dispose()


__all__ = ["METADATA", "postgres", "sqlite"]
