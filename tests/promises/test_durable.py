"""P3: "saved" means on disk. The settings are read back on every connection, not once."""

import sqlite3
from contextlib import ExitStack

import pytest
from sqlalchemy import event

from scorekeeper import ledger
from scorekeeper.ledger import database
from scorekeeper.ledger.tables import db

WAL = sqlite3.sqlite_version_info >= (3, 51, 3)
EXPECTED: dict[str, dict[str, str | int]] = {
    "sqlite": {
        "PRAGMA journal_mode": "wal" if WAL else "persist",
        "PRAGMA synchronous": 2 if WAL else 3,
        "PRAGMA busy_timeout": 5000,
        "PRAGMA foreign_keys": 1,
    },
    "postgresql": {"SHOW synchronous_commit": "on"},
}


def look_at_connections(kind: str, number: int) -> None:
    """Opens several connections at once and asks each how it is set."""
    db.engine.dispose()
    with ExitStack() as stack:
        for _ in range(number):
            connection = stack.enter_context(db.engine.connect())
            for statement, expected in EXPECTED[kind].items():
                assert connection.exec_driver_sql(statement).scalar() == expected, statement


def test_every_connection_is_durable(app, kind):
    look_at_connections(kind, 8)


def test_so_is_one_to_a_server_that_would_answer_too_early(app, kind, table):
    """A PostgreSQL server may be set to; a SQLite file keeps a journal mode of its own."""
    careless = "SET synchronous_commit TO off" if kind == "postgresql" else "PRAGMA synchronous = 0"
    event.listen(db.engine, "connect", lambda raw, record: raw.execute(careless), insert=True)
    look_at_connections(kind, 3)
    table.start("kaga", "Hana", "Ren")


def test_a_connection_that_does_not_take_it_is_not_used(app, kind, monkeypatch):
    if kind == "sqlite":
        monkeypatch.setitem(database._PRAGMAS, "synchronous", ("1", 3))
    else:
        event.listen(
            db.engine,
            "connect",
            lambda raw, record: setattr(raw, "execute", lambda statement: Deaf()),
            insert=True,
        )
    db.engine.dispose()
    with pytest.raises(ledger.LedgerError, match="could be lost"):
        ledger.new_device()


class Deaf:
    """An answer that is always "off"."""

    def fetchone(self) -> tuple[str]:
        return ("off",)


def test_a_build_that_does_not_settle_in_is_caught(app, kind):
    event.remove(db.engine, "connect", database._KINDS[kind].settle_in)
    careless = "SET synchronous_commit TO off" if kind == "postgresql" else "PRAGMA synchronous = 0"
    event.listen(db.engine, "connect", lambda raw, record: raw.execute(careless))
    with pytest.raises(AssertionError):
        look_at_connections(kind, 1)
