"""What tests share: an app on a fresh database, and a table to play at.

    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}

Ledger tests run on PostgreSQL too, see `ledger/conftest.py`.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from scorekeeper import create_app, ledger
from scorekeeper.ledger.tables import Base, db


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

    def corrects(self, number: int, *points: int | None, revision: int | None = None, **more):
        if revision is None:
            revision = self.book.rounds[number - 1].revision
        return ledger.correct(self.id, number, self.document(*points, **more), revision=revision)

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


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as it is after the first start; copying it is faster than making one."""
    folder = tmp_path_factory.mktemp("migrated")
    close(create_app({"DATA": folder}))
    return folder


@pytest.fixture
def app(migrated: Path, tmp_path: Path) -> Iterator[Flask]:
    """The app on a database of its own, inside its context."""
    folder = tmp_path / "data"
    shutil.copytree(migrated, folder)
    yield from running({"DATA": folder})


def running(config: dict[str, Any]) -> Iterator[Flask]:
    app = create_app({"TESTING": True, **config})
    with app.app_context():
        yield app
    close(app)


def close(app: Flask) -> None:
    """Lets go of the app's database."""
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def table(app: Flask) -> Table:
    return Table()
