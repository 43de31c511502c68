"""P17: the history is tamper-evident; `check` names the first thing that differs."""

import itertools
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import text

from scorekeeper import __main__ as command_line
from scorekeeper import ledger
from scorekeeper.ledger import audit
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import Base, db

from ..conftest import Table
from .conftest import let_in

# Everything but names, and but the columns that say which row it is.
TABLES = ("event", "round_revision", "posting", "head", "series", "player", "kept_answer", "reason")
FIXED = ("series_id", "id", "number", "key", "event_number")
COLUMNS = {"player": ["event_number"], "series": ["game", "length", "created_at"]}


@pytest.fixture
def played(table: Table) -> Table:
    """A series in which everything was done that can be done."""
    table.start(
        "hachi-hachi", *("Aki", "Ben", "Chie"), rules={"multi_bright": "carry_over"}, length=12
    )
    device, _ = ledger.new_device()
    table.records(100, 84, 80, field="8B 12B", key="one tap", by=device)
    table.records(90, 90, 84)
    table.corrects(1, 80, 84, 100, field="12B", reason="two piles were swapped")
    table.records(88, 88, 88)
    table.withdraws(3)
    ledger.add_player(table.id, "Dan")
    ledger.change_player(table.id, 4, name="Daniel")
    ledger.change_series(table.id, length=15, rules={"multi_bright": "stack"})
    table.undoes()
    table.records(70, 94, 100, who="Aki Ben Daniel", dealer=1)
    ledger.change_series(table.id, state="finished")
    assert ledger.check(table.id).differences == ()
    return table


def rows(table: Table, name: str) -> list[dict[str, Any]]:
    with db.engine.connect() as connection:
        key = "id" if name == "series" else "series_id"
        found = connection.execute(
            text(f'SELECT * FROM "{name}" WHERE {key} = :id'), {"id": table.id}
        )
        return [dict(row) for row in found.mappings()]


def edit(kind: str, name: str, row: dict[str, Any], column: str, value: Any) -> None:
    """Changes one cell behind the program's back."""
    at = keys(name)
    place = " AND ".join(f'"{key}" = :{key}' for key in at)
    statement = f'UPDATE "{name}" SET "{column}" = :new_value WHERE {place}'
    values = {"new_value": value, **{key: row[key] for key in at}}
    with writing() as books:
        let_in(books, kind)
        if kind == "postgresql":
            books.execute(text(statement), values)
    if kind == "sqlite":
        # Another program that opens the file need not keep foreign keys.
        with closing(sqlite3.connect(db.engine.url.database)) as file, file:
            file.execute(statement, values)


def another(dice: random.Random, column: str, value: Any) -> Any:
    """A value like this one, but not the same."""
    if value is None:
        return 1
    if column == "event_number":
        return 1 if value > 1 else 2
    if isinstance(value, bytes):
        at = dice.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
    if isinstance(value, int):
        return value + dice.choice((1000, -1000))
    if column in ("at", "created_at"):
        return value[:-3] + ("00Z" if value[-3:-1] != "00" else "01Z")
    if column in ("data", "entry", "result", "answer"):
        return json.dumps(changed(dice, json.loads(value)))
    return value[:-1] + ("x" if value[-1] != "x" else "y")


def changed(dice: random.Random, value: Any) -> Any:
    """A JSON value with one of its leaves changed."""
    if isinstance(value, dict) and value:
        key = dice.choice(sorted(value))
        return {**value, key: changed(dice, value[key])}
    if isinstance(value, list) and value:
        at = dice.randrange(len(value))
        return [*value[:at], changed(dice, value[at]), *value[at + 1 :]]
    if isinstance(value, bool | None):
        return 7
    return value + 1 if isinstance(value, int) else f"{value}x" if isinstance(value, str) else 7


def cells(table: Table, dice: random.Random) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Cells to change: tables in turn, so that none is left to chance, and their last rows."""
    for at in itertools.count():
        name = TABLES[at % len(TABLES)]
        found = rows(table, name)
        row = dice.choice(found) if at % 3 else found[-1]
        column = dice.choice(COLUMNS.get(name) or [one for one in row if one not in FIXED])
        yield name, row, column


def edits(table: Table, kind: str, dice: random.Random, number: int) -> None:
    """Changes one cell at a time, has it found and named, and puts it back."""
    last = table.book.version
    for name, row, column in itertools.islice(cells(table, dice), number):
        value = another(dice, column, row[column])
        what = f"{name}.{column} of {row}: {value!r}"
        edit(kind, name, row, column, value)
        found = ledger.check(table.id).differences
        assert found, f"not found: {what}"
        of_event = {"event": row.get("number"), "head": last, "series": 1}
        expected = of_event.get(name, row.get("event_number"))
        # An answer that was kept belongs to the event that its request made, if that is known.
        assert found[0].event in ({None, 2} if name == "kept_answer" else {expected}), what
        edit(kind, name, {**row, column: value}, column, row[column])
        assert ledger.check(table.id).differences == (), what


def keys(name: str) -> set[str]:
    return {key.name for key in Base.metadata.tables[name].primary_key}


def test_every_edit_is_found(played, kind, dice):
    edits(played, kind, dice, 20)


@pytest.mark.parametrize("missing", [1, 2, 5])
def test_a_cut_off_tail_is_found(played, kind, missing):
    version = played.book.version
    for name in "posting", "round_revision", "reason", "player_name", "player", "event":
        number = "number" if name == "event" else "event_number"
        with writing() as books:
            let_in(books, kind)
            books.execute(
                text(f"DELETE FROM {name} WHERE series_id = :id AND {number} > :last"),
                {"id": played.id, "last": version - missing},
            )
    (found,) = ledger.check(played.id).differences
    assert str(found) == (
        f"Series {played.id}, event {version - missing}: "
        "the seal is not on this event: others came after it."
    )


def test_one_series_of_many(played):
    other = Table()
    other.start("kaga", "Hana", "Ren")
    with pytest.raises(ledger.UnknownSeries):
        ledger.check("nowhere")
    assert ledger.check(other.id) == ledger.Checked(series=1, revisions=0, differences=())


def test_the_first_posting_that_differs_is_named(played, kind):
    edit(kind, "posting", {"series_id": played.id, "event_number": 2, "line": 1}, "amount", 500)
    (found,) = ledger.check(played.id).differences
    assert str(found) == (
        f"Series {played.id}, event 2: posting 1 is round 1, player 2, 500 points; "
        "it should be round 1, player 2, −16 points."
    )


# --- The negative controls ------------------------------------------------------------------------


def test_a_check_without_the_chain_is_caught(played, kind, dice, monkeypatch):
    stored = {bytes(row["hash"]) for row in rows(played, "event")}
    hashes = iter(sorted(stored))
    monkeypatch.setattr(audit, "event_hash", lambda before, content: next(hashes, b""))
    monkeypatch.setattr(audit._Audit, "_event", lambda self, event, before: [])
    monkeypatch.setattr(audit._Audit, "_leftovers", lambda self: iter(()))
    with pytest.raises(AssertionError, match="not found"):
        edits(played, kind, dice, 20)


def test_a_check_without_the_seal_is_caught(played, kind, monkeypatch):
    monkeypatch.setattr(audit, "head_seal", lambda last: rows(played, "head")[0]["seal"])
    with pytest.raises(ValueError, match="unpack"):
        test_a_cut_off_tail_is_found(played, kind, 1)


# --- From the command line ------------------------------------------------------------------------


@pytest.fixture
def checks(config, monkeypatch, capsys):
    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(command_line, "enter_environment", lambda *extras: None)
        monkeypatch.setenv("DATABASE_URL", config.get("DATABASE_URL", ""))
        status = command_line.main(["check", "--data", str(config["DATA"]), *words])
        return status, *capsys.readouterr()

    return run


def test_the_command(played, kind, checks):
    status, told, wrong = checks("--series", played.id)
    assert (status, wrong) == (0, "")
    assert told == "1 series, 6 rounds and corrections: all is as it was written.\n"
    edit(kind, "posting", {"series_id": played.id, "event_number": 2, "line": 1}, "amount", 500)
    for words in ((), ("--series", played.id)):
        status, told, wrong = checks(*words)
        assert (status, wrong) == (1, "")
        assert f"Series {played.id}, event 2: posting 1 is round 1" in told


def test_no_such_series(app, checks):
    assert checks("--series", "nowhere") == (1, "", "There is no series nowhere.\n")


@pytest.mark.parametrize("kind", ["sqlite"])
def test_no_books(config, checks):
    (config["DATA"] / "scorekeeper.db").unlink()
    status, told, wrong = checks()
    assert (status, told) == (1, "")
    assert wrong.startswith("There are no books in ")
    assert not (config["DATA"] / "scorekeeper.db").exists()
