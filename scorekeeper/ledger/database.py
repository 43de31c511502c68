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
from sqlalchemy import Connection, bindparam, event, inspect, make_url, select, text
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


def migrate(check_key: Callable[[Connection], None]) -> None:
    """Brings the tables up to date, in one transaction and by one process at a time.

    Raises LedgerError where the database cannot be used, or belongs to a newer version, or where
    `check_key` does: nothing is changed then.
    """
    config = _migrations()
    scripts = ScriptDirectory.from_config(config)
    try:
        with db.engine.execution_options(**_WRITES).begin() as connection:
            if db.engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
            if not _up_to_date(connection, scripts):
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
            check_key(connection)
    except SQLAlchemyError as problem:
        why = why_not(problem)
        raise LedgerError(say("The database cannot be opened: %(why)s.", why=why)) from problem


def check_tables(connection: Connection) -> None:
    """Raises LedgerError where the tables are not those of this version; changes nothing."""
    if not _up_to_date(connection, ScriptDirectory.from_config(_migrations())):
        there = inspect(connection).get_table_names()
        if Base.metadata.tables.keys().isdisjoint(there):
            raise LedgerError(say("There are no books in this database."))
        raise LedgerError(
            say(
                "The database was written by an older version of Scorekeeper; "
                "starting the server brings it up to date."
            )
        )
    if lacking := _lacking(connection):
        raise LedgerError(say("The database lacks %(names)s.", names=lacking))


def _migrations() -> Config:
    config = Config()
    folder = str(Path(__file__).parent.parent / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))
    return config


def _up_to_date(connection: Connection, scripts: ScriptDirectory) -> bool:
    """Whether the database says that its tables are those of this version.

    Raises LedgerError where they are of a newer one, and where what it says cannot be.
    """
    found = MigrationContext.configure(connection).get_current_heads()
    if not {script.revision for script in scripts.walk_revisions()}.issuperset(found):
        raise LedgerError(
            say(
                "This database was written by a newer version of Scorekeeper; "
                "install that version, or open another database."
            )
        )
    if {*found} == {*scripts.get_heads()}:
        return True
    there = inspect(connection).get_table_names()
    if not _lacking(connection) or (not found and "event" in there):
        raise LedgerError(
            say(
                "What the database says of its version (alembic_version: %(found)s) does not "
                "belong to its tables; put it back from a backup.",
                found=[*found] or "–",
            )
        )
    return False


def _lacking(connection: Connection) -> list[str]:
    """The tables and columns of this version that the database has not."""
    inspector = inspect(connection)
    there = {*inspector.get_table_names()}
    lacking = []
    for name, table in Base.metadata.tables.items():
        if name not in there:
            lacking.append(name)
        else:
            columns = {column["name"] for column in inspector.get_columns(name)}
            lacking += [f"{name}.{one}" for one in {*table.columns.keys()} - columns]
    return sorted(lacking)


def why_not(problem: SQLAlchemyError) -> str:
    """What the database says to it, in one line."""
    return str(getattr(problem, "orig", None) or problem).strip().splitlines()[0].rstrip(".")
