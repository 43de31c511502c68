"""The rows of the books as they are stored, read by somebody who trusts none of them.

    with reading() as books, as_stored(books):
        for series_id in series_there(books, None):
            events = rows_of(books, "event", series_id)

A cell that holds what the ledger never writes there is not made into something else: it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    LargeBinary,
    String,
    TypeDecorator,
    select,
    text,
    type_coerce,
)
from sqlalchemy.orm import Session
from sqlalchemy.types import NullType

from scorekeeper.ledger.tables import Base
from scorekeeper.rules.sentence import Sentence, brief, say

_TABLES = Base.metadata.tables


class Unreadable(Exception):
    """A cell holds what the ledger never writes there."""

    def __init__(self, column: Column, row: Mapping[str, Any]) -> None:
        super().__init__(column)
        number = row.get("number" if column.table.name == "event" else "event_number")
        self.event = number if type(number) is int else None
        key = [
            f"{one.name} {brief(row[one.name])}"
            for one in column.table.primary_key
            if one is not _series_of(column.table)
        ]
        self.sentence = say(
            "what stands in %(place)s is not what the books write.",
            place=f"{column} ({', '.join(key)})" if key else str(column),
        )


@contextmanager
def as_stored(books: Session) -> Iterator[None]:
    """Reads texts that are no UTF-8, too, which SQLite keeps and its driver refuses."""
    connection: Any = books.connection().connection.driver_connection
    if books.get_bind().dialect.name != "sqlite":
        yield
        return
    connection.text_factory = lambda stored: stored.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        connection.text_factory = str


def series_there(books: Session, series_id: str | None) -> set[Any]:
    """The series of which there is anything at all, or the one if there is anything of it."""
    known: set[Any] = set()
    for table in _TABLES.values():
        key = _series_of(table)
        if key is not None:
            found = select(type_coerce(key, NullType())).distinct()
            if series_id is not None:
                found = found.where(key == series_id)
            known.update(books.scalars(found))
    return known


def _series_of(table: Any) -> Column | None:
    """The column that says which series a row belongs to."""
    return table.c.id if table.name == "series" else table.c.get("series_id")


def rows_of(books: Session, name: str, series_id: str) -> list[Any]:
    """The rows of a series in a table, in order; raises Unreadable."""
    table = _TABLES[name]
    columns, key = [*table.columns], _series_of(table)
    assert key is not None
    stored = (
        select(*(type_coerce(column, NullType()) for column in columns))
        .where(key == series_id)
        .order_by(*table.primary_key)
    )
    rows = []
    for values in books.execute(stored):
        row = dict(zip(table.columns.keys(), values, strict=True))
        read = {}
        for column in columns:
            try:
                read[column.name] = _read(column, row[column.name])
            except (TypeError, ValueError, ArithmeticError, RecursionError):
                raise Unreadable(column, row) from None
        rows.append(SimpleNamespace(**read))
    return rows


def _read(column: Column, stored: Any) -> Any:
    """What a cell holds, if it is stored as the ledger stores that."""
    kind = column.type
    if stored is None and column.nullable:
        return None
    if isinstance(kind, LargeBinary):
        return bytes(_of(bytes | memoryview, stored))
    if isinstance(kind, Integer):
        size = 63 if isinstance(kind, BigInteger) else 31
        if type(stored) is not int or not -(2**size) <= stored < 2**size:
            raise TypeError
        return stored
    _of(str, stored).encode()
    if isinstance(kind, TypeDecorator):
        # One value has one text.
        value = kind.process_result_value(stored, _NO_DIALECT)
        if kind.process_bind_param(value, _NO_DIALECT) != stored:
            raise ValueError
        return value
    assert isinstance(kind, String)
    if kind.length is not None and len(stored) > kind.length:
        raise ValueError
    return stored


_NO_DIALECT: Any = None


def _of(kind: Any, stored: Any) -> Any:
    if not isinstance(stored, kind):
        raise TypeError
    return stored


# --- The database as such -------------------------------------------------------------------------


def database_faults(books: Session) -> Iterator[Sentence]:
    """What is wrong with the file, or with what keeps others from changing it."""
    checks = _OF_SQLITE if books.get_bind().dialect.name == "sqlite" else (_guards,)
    for one in checks:
        yield from one(books)


def _integrity(books: Session) -> Iterator[Sentence]:
    for (what,) in books.execute(text("PRAGMA integrity_check(1)")):
        if what != "ok":
            # What SQLite says may be of several lines.
            what = " ".join(str(what).replace("*", "").split())
            yield say("SQLite finds the file damaged: %(what)s.", what=what)


def _foreign_keys(books: Session) -> Iterator[Sentence]:
    broken = {(table, parent) for table, _, parent, _ in books.execute(_FOREIGN_KEYS)}
    for table, parent in sorted(broken):
        yield say(
            "a row of %(table)s belongs to a row of %(parent)s that is missing.",
            table=table,
            parent=parent,
        )


def _guards(books: Session) -> Iterator[Sentence]:
    """Which trigger is missing that keeps the books from being changed."""
    if books.get_bind().dialect.name == "sqlite":
        kept = dict.fromkeys(books.scalars(_SQLITE_TRIGGERS))
        expected = {
            (
                f"CREATE TRIGGER {table}_keeps_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            ): table
            for table in _APPEND_ONLY
            for change in ("UPDATE", "DELETE")
        }
    else:
        kept = dict.fromkeys(books.scalars(_POSTGRESQL_TRIGGERS))
        expected = {f"{table}_keeps": table for table in _APPEND_ONLY}
    for table in sorted({table for trigger, table in expected.items() if trigger not in kept}):
        yield say("nothing keeps the rows of %(table)s from being changed.", table=table)


_APPEND_ONLY = ("event", "round_revision", "posting")
_FOREIGN_KEYS = text("PRAGMA foreign_key_check")
_SQLITE_TRIGGERS = text("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
_POSTGRESQL_TRIGGERS = text("SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'")
_OF_SQLITE: tuple[Callable[[Session], Iterator[Sentence]], ...] = (
    _integrity,
    _foreign_keys,
    _guards,
)
