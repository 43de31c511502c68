"""The books: who played what, what it came to, and who may see or change it.

Append-only, and the only package that commits. Reading goes through `read` alone, writing through
the verbs; `access` says who may. See `tables` for what is kept and `database` for where.
"""

from pathlib import Path

from flask import Flask

from scorekeeper.ledger.access import (
    Role,
    check_key,
    device_by_token,
    find_secret,
    instance_key,
    join,
    new_device,
    role_of,
    secret_for,
    series_of,
)
from scorekeeper.ledger.book import Book, Person, Round, Total, read, version_of
from scorekeeper.ledger.database import LedgerError, UnknownSeries, connect, migrate
from scorekeeper.ledger.tables import db, written
from scorekeeper.ledger.verbs import (
    AlreadyRecorded,
    Corrected,
    Recorded,
    Stale,
    UnknownRound,
    correct,
    preview,
    record,
    start,
)

__all__ = [
    "AlreadyRecorded",
    "Book",
    "Corrected",
    "LedgerError",
    "Person",
    "Recorded",
    "Role",
    "Round",
    "Stale",
    "Total",
    "UnknownRound",
    "UnknownSeries",
    "correct",
    "device_by_token",
    "find_secret",
    "join",
    "new_device",
    "open_ledger",
    "preview",
    "read",
    "record",
    "role_of",
    "secret_for",
    "series_of",
    "start",
    "version_of",
    "written",
]


def open_ledger(app: Flask, folder: Path, url: str | None, key: str | None) -> None:
    """Opens the books of an app, made on first start: the key, the database, its tables.

    Raises LedgerError, one plain sentence, where that is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise LedgerError(f"The folder {folder} cannot be used: {problem.strerror}.") from None
    app.config["SECRET_KEY"] = instance_key(folder, key)
    connect(app, folder, url)
    with app.app_context():
        try:
            migrate()
            check_key()
        except LedgerError:
            db.engine.dispose()
            raise
