from __future__ import annotations

import pytest

from tests.lacking import lacking
from tests.servers.postgres import NoServerError, postgres_url


@pytest.fixture(scope="session")
def postgres_server():
    """The URL of a real server: the one GROUNDEDGEN_POSTGRES names, or one to throw away."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    try:
        with postgres_url() as url:
            yield url
    except NoServerError as error:
        lacking("postgres", str(error))


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request, tmp_path):
    """A database with our tables; every test that takes it runs on each kind."""
    pytest.importorskip("sqlalchemy", reason="sqlalchemy is not installed")
    from tests.stores import databases

    if request.param == "sqlite":
        made = databases.sqlite(tmp_path / "cards.db")
    else:
        made = databases.postgres(request.getfixturevalue("postgres_server"))
    with made as engine:
        yield engine
