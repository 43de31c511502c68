"""Settings that only SQLite needs."""

import sqlite3

import pytest
from sqlalchemy import event, text

from scorekeeper import create_app, ledger
from scorekeeper.ledger import database
from scorekeeper.ledger.database import reading, writing
from scorekeeper.ledger.tables import db


@pytest.fixture
def kind() -> str:
    return "sqlite"


def test_saved_means_on_disk(app):
    """P3: on every connection, not only on the first."""
    wal = sqlite3.sqlite_version_info >= (3, 51, 3)
    with db.engine.connect() as first, db.engine.connect() as second:
        for connection in (first, second):
            said = {
                pragma: connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
                for pragma in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
            }
            assert said == {
                "journal_mode": "wal" if wal else "persist",
                "synchronous": 2 if wal else 3,
                "busy_timeout": 5000,
                "foreign_keys": 1,
            }


@pytest.mark.parametrize("pragma", ["journal_mode", "synchronous", "foreign_keys"])
def test_a_database_that_does_not_take_a_setting_is_not_used(tmp_path, monkeypatch, pragma):
    monkeypatch.setitem(database._PRAGMAS, pragma, ("1", "something else"))
    with pytest.raises(ledger.LedgerError, match=pragma):
        create_app({"DATA": tmp_path})


def test_who_will_write_locks_at_once_and_who_reads_does_not(app, table):
    table.start("bakappana", "Aki", "Ben")
    begun = []
    event.listen(
        db.engine,
        "before_cursor_execute",
        lambda connection, cursor, statement, *_: begun.append(statement),
    )
    with reading() as books:
        books.execute(text("SELECT 1"))
    with writing(table.id):
        pass
    assert [statement for statement in begun if "BEGIN" in statement] == [
        "BEGIN",
        "BEGIN IMMEDIATE",
    ]
