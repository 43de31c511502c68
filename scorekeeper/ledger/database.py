"""Where the books are kept, and the two ways to open them.

    with reading() as books: ...            one unchanging view, nothing is written
    with writing(series_id) as books: ...   one transaction; nobody else writes to this series

A small server keeps everything in one SQLite file, a large one in PostgreSQL; only this module
knows the difference. "Saved" means on disk: the settings that make it so are read back on every
connection, and a database that did not take them is not used.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask, current_app
from sqlalchemy import Connection, bindparam, event, make_url, select, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.orm import Session

from scorekeeper.ledger.news import tell_all, tell_here
from scorekeeper.ledger.tables import Base, db
from scorekeeper.ledger.turns import Turns
from scorekeeper.rules.sentence import Told, say

# SQLite can corrupt a database in WAL mode when a checkpoint meets a reset of the log; fixed here.
_WAL_IS_SAFE = sqlite3.sqlite_version_info >= (3, 51, 3)

# Without WAL, a transaction is on disk once the header of its rollback journal is overwritten and
# that is synced. To delete the journal, or to cut it off, takes the file system longer.
_JOURNAL = "WAL" if _WAL_IS_SAFE else "PERSIST"

# pragma -> (what is asked for, what SQLite then says it is)
_PRAGMAS: dict[str, tuple[str, str | int]] = {
    "busy_timeout": ("5000", 5000),
    "journal_mode": (_JOURNAL, _JOURNAL.lower()),
    "synchronous": ("FULL", 2) if _WAL_IS_SAFE else ("EXTRA", 3),
    "foreign_keys": ("ON", 1),
}

_TURNS = "scorekeeper.turns"  # the key under `app.extensions`

# Any number, the same in every process: who holds it may migrate a PostgreSQL database.
_MIGRATING = 8812


class LedgerError(Told):
    """Says in one plain sentence why the books cannot be opened, or not written as asked."""


class UnknownSeries(LookupError):
    """There is no such series."""


def connect(app: Flask, folder: Path, url: str | None) -> None:
    """Says to the app where its database is, SQLite in `folder` unless a URL is given."""
    if url is None:
        address = make_url("sqlite://").set(database=str(folder / "scorekeeper.db"))
    else:
        try:
            address = make_url(url)
        except ArgumentError:
            raise LedgerError(say("The DATABASE_URL is not the address of a database.")) from None
    if address.drivername in ("postgres", "postgresql"):
        address = address.set(drivername="postgresql+psycopg")
    backend = address.get_backend_name()
    if backend not in _KINDS:
        raise LedgerError(say("A database of the kind %(kind)s is not known here.", kind=backend))

    app.config["SQLALCHEMY_DATABASE_URI"] = address
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = dict(_KINDS[backend].engine)
    try:
        db.init_app(app)
    except ModuleNotFoundError as missing:
        needed = str(missing.name)
        raise LedgerError(say("The database needs the package %(name)s.", name=needed)) from None
    with app.app_context():
        event.listen(db.engine, "connect", _KINDS[backend].settle_in)
        if backend == "sqlite":
            event.listen(db.engine, "begin", _begin)
            app.extensions[_TURNS] = Turns(_connection_that_writes)


def _settle_in_sqlite(connection: sqlite3.Connection, record: object) -> None:
    for pragma, (asked, expected) in _PRAGMAS.items():
        connection.execute(f"PRAGMA {pragma} = {asked}").close()
        (found,) = connection.execute(f"PRAGMA {pragma}").fetchone()
        if found != expected:
            setting = f"{pragma} = {asked}"
            raise LedgerError(
                say(
                    "SQLite does not take the setting %(setting)s (it says %(found)s), "
                    "and without it a saved round could be lost.",
                    setting=setting,
                    found=str(found),
                )
            )


def _settle_in_postgresql(connection: Any, record: object) -> None:
    # A server may be set to answer before a commit is on its disk; anything stricter may stay.
    asked = "SELECT set_config('synchronous_commit', 'on', false)"
    said = "SHOW synchronous_commit"
    (found,) = connection.execute(said).fetchone()
    if found == "off":
        connection.execute(asked)
        (found,) = connection.execute(said).fetchone()
    connection.commit()
    if found == "off":
        raise LedgerError(
            say(
                "PostgreSQL does not take the setting %(setting)s, "
                "and without it a saved round could be lost.",
                setting="synchronous_commit = on",
            )
        )


def _in_turn() -> AbstractContextManager[Session]:
    """A transaction in which nobody else writes to the database."""
    turns: Turns = current_app.extensions[_TURNS]
    return turns.transaction()


@contextmanager
def _at_once() -> Iterator[Session]:
    """A transaction beside those of others."""
    with Session(db.engine) as books, books.begin():
        yield books


@dataclass(frozen=True)
class _Kind:
    """What a kind of database needs to be told, and how it is written to.

    `settle_in` makes a new connection durable, and reads back that it is.
    """

    settle_in: Callable[[Any, object], None]
    engine: Mapping[str, Any]
    read: Mapping[str, Any]
    write: Callable[[], AbstractContextManager[Session]]


_KINDS = {
    "sqlite": _Kind(
        settle_in=_settle_in_sqlite,
        # The driver must not begin transactions by itself: it begins them too weakly, see _begin.
        # Connections are kept, not made anew: to settle one in takes longer than what it is for.
        engine={"connect_args": {"isolation_level": None}, "pool_size": 10, "max_overflow": 5},
        read={},
        # SQLite's busy handler is unfair: without turns of its own a writer can wait for seconds.
        write=_in_turn,
    ),
    "postgresql": _Kind(
        settle_in=_settle_in_postgresql,
        engine={"pool_pre_ping": True},
        # Several statements make one reading: they have to see the same moment.
        read={"isolation_level": "REPEATABLE READ"},
        # Rows are locked instead, see `writing`.
        write=_at_once,
    ),
}


def _connection_that_writes() -> Connection:
    """A connection with an open transaction that will write."""
    connection = db.engine.connect().execution_options(**_WRITES)
    try:
        connection.begin()
    except SQLAlchemyError:  # another process holds the database for too long
        connection.close()
        raise
    return connection


_WRITES = {"scorekeeper_writes": True}
_GLANCES = {"scorekeeper_glances": True}


def _begin(connection: Connection) -> None:
    """Begins a transaction; one that will write takes the write lock at once.

    A transaction that reads first and then wants to write can be told "database is locked" at a
    point where waiting no longer helps. One statement alone needs none.
    """
    options = connection.get_execution_options()
    if options.get("scorekeeper_writes"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif not options.get("scorekeeper_glances"):
        connection.exec_driver_sql("BEGIN")


def glance() -> Connection:
    """Opens the books for one statement, which sees one moment by itself."""
    return db.engine.connect().execution_options(**_GLANCES)


@contextmanager
def reading() -> Iterator[Session]:
    """Opens the books for one consistent reading."""
    with Session(db.engine) as books:
        books.connection(execution_options=_KINDS[db.engine.dialect.name].read)
        yield books


@contextmanager
def writing(series_id: str | None = None) -> Iterator[Session]:
    """Opens the books for one transaction, committed at the end of the block or not at all.

    With a series, nobody else writes to it meanwhile; raises UnknownSeries where there is none.
    """
    with _KINDS[db.engine.dialect.name].write() as books:
        if series_id is not None and books.scalar(_LOCK, {"series": series_id}) is None:
            raise UnknownSeries(series_id)
        yield books
        if series_id is not None:
            tell_all(books, series_id)
    if series_id is not None:
        tell_here(series_id)


# Made once: making a statement takes longer than what it does.
_series = Base.metadata.tables["series"].c
_LOCK = select(_series.id).where(_series.id == bindparam("series")).with_for_update()


def queue_up(books: Session, what: bytes) -> None:
    """Waits until nobody else who queues up for the same has an open transaction."""
    # SQLite has one writer at a time anyway.
    if db.engine.dialect.name == "postgresql":
        digest = hashlib.sha256(what).digest()
        key = int.from_bytes(digest[:8], "big", signed=True)
        books.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def close() -> None:
    """Lets go of all connections."""
    db.engine.dispose()


def migrate() -> None:
    """Brings the tables up to date, in one transaction and by one process at a time.

    Raises LedgerError where the database cannot be used, or belongs to a newer version.
    """
    config = Config()
    folder = str(Path(__file__).parent.parent / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    try:
        with db.engine.execution_options(**_WRITES).begin() as connection:
            if db.engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
            found = MigrationContext.configure(connection).get_current_heads()
            if not known.issuperset(found):
                raise LedgerError(
                    say(
                        "This database was written by a newer version of Scorekeeper; "
                        "install that version, or open another database."
                    )
                )
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except SQLAlchemyError as problem:
        why = str(getattr(problem, "orig", None) or problem).strip().splitlines()[0].rstrip(".")
        raise LedgerError(say("The database cannot be opened: %(why)s.", why=why)) from problem
