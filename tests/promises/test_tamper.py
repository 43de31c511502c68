"""P17: the history is tamper-evident; `check` names the first thing that differs."""

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import LargeBinary, String, bindparam, text, update

from scorekeeper import __main__ as command_line
from scorekeeper import create_app, ledger
from scorekeeper.ledger import audit, chain
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.tables import Base, Claim, db

from ..conftest import Table, close, everything
from ..web.conftest import Phone as PagePhone
from .conftest import behind_its_back

NOT_THE_BOOKS = {
    "device": "who holds a phone's cookie; an event says which one it was, and is sealed",
    "grant": "what phones may do now, taken away by an event or a new secret",
    "arrival": "what a phone is called whose owner never said whose it is",
    "typed_code": "short codes of ten minutes",
    "wrong_try": "who is slowed down",
    "pending": "what phones gave of the round in progress, which is not booked",
}


@pytest.fixture
def played(table: Table) -> Table:
    """A series in which everything was done that can be done."""
    table.start(
        "hachi-hachi", *("Aki", "Ben", "Chie"), rules={"multi_bright": "carry_over"}, length=12
    )
    device, _ = ledger.new_device()
    ledger.join(device, ledger.secret_for(table.id, ledger.Role.ENTER))
    ledger.claim(table.id, device, 2)
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
    ledger.claim(table.id, device, 1)
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
    """Changes one cell."""
    place = " AND ".join(f'"{key}" = :{key}' for key in keys(name))
    with behind_its_back(kind) as runs:
        runs(
            f'UPDATE "{name}" SET "{column}" = :new_value WHERE {place}',
            new_value=value,
            **{key: row[key] for key in keys(name)},
        )


def keys(name: str) -> list[str]:
    return [key.name for key in Base.metadata.tables[name].primary_key]


def another(dice: random.Random, column: Any, value: Any) -> Any:
    """A value like this one, but not the same."""
    if column.name in ("series_id", "id") and isinstance(column.type, String):
        return "elsewhere"
    if value is None:
        return 1
    if isinstance(column.type, LargeBinary):
        at = dice.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
    if isinstance(value, int):
        return value + dice.choice((1000, 2000))
    if column.name in ("at", "created_at"):
        return value[:-3] + ("00Z" if value[-3:-1] != "00" else "01Z")
    if column.name in ("data", "entry", "result", "answer"):
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


def differences(table: Table) -> list[ledger.Difference]:
    """What is found in the series, and in the one that a row was moved to."""
    found = [*ledger.check(table.id).differences]
    try:
        return [*found, *ledger.check("elsewhere").differences]
    except ledger.UnknownSeries:
        return found


def every_cell(table: Table, kind: str, dice: random.Random) -> int:
    """Changes a cell of every column, has it found and named, and puts it back."""
    done = 0
    for name, described in Base.metadata.tables.items():
        if name in NOT_THE_BOOKS:
            continue
        for column in described.columns:
            found = rows(table, name)
            row = dice.choice([found[0], found[-1], dice.choice(found)])
            value = another(dice, column, row[column.name])
            what = f"{name}.{column.name} of {row}: {value!r}"
            edit(kind, name, row, column.name, value)
            try:
                told = differences(table)
                assert told, f"not found: {what}"
                assert "(" not in str(told[0]) or "Error" not in str(told[0]), (what, told)
                if column.name not in keys(name) and column.name != "event_number":
                    assert told[0].event in place(table, name, row), (what, told)
            finally:
                edit(kind, name, {**row, column.name: value}, column.name, row[column.name])
            done += 1
    assert differences(table) == []
    return done


def place(table: Table, name: str, row: dict[str, Any]) -> set[int | None]:
    """The events that a changed cell may be found at."""
    of_event = {
        "event": {row.get("number")},
        "head": {table.book.version, None},
        "series": {1, None},
        # An answer that was kept belongs to the event that its request made, if that is known.
        "kept_answer": {None, 2},
        "secret": {None},
        "claim": {None},
    }
    return of_event.get(name, {row.get("event_number")})


def test_every_edit_is_found(played, kind, dice):
    """A cell of every column of the books, twice with other rows and other values."""
    assert every_cell(played, kind, dice) + every_cell(played, kind, dice) >= 90
    assert set(NOT_THE_BOOKS) < set(Base.metadata.tables)


def test_every_row_that_is_taken_out_is_found(played, kind, dice):
    erased = 0
    for name in sorted(set(Base.metadata.tables) - set(NOT_THE_BOOKS)):
        row = dice.choice(rows(played, name))
        place = " AND ".join(f'"{key}" = :{key}' for key in keys(name))
        with behind_its_back(kind) as runs:
            runs(f'DELETE FROM "{name}" WHERE {place}', **{key: row[key] for key in keys(name)})
        checked = ledger.check(played.id)
        if name in ("player_name", "reason"):
            # What people typed can be erased; how much is missing is told.
            erased += 1
            assert (checked.differences, checked.sealed[0].erased) == ((), erased)
            continue
        assert checked.differences, f"not found: {name} without {row}"
        columns = ", ".join(f'"{column}"' for column in row)
        values = ", ".join(f":{column}" for column in row)
        with behind_its_back(kind) as runs:
            runs(f'INSERT INTO "{name}" ({columns}) VALUES ({values})', **row)
        assert ledger.check(played.id).differences == ()


@pytest.mark.parametrize("missing", [1, 2, 5])
def test_a_cut_off_tail_is_found(played, kind, missing):
    version = played.book.version
    cut(played, kind, version - missing)
    (found,) = ledger.check(played.id).differences
    assert str(found) == (
        f"Series {played.id}, event {version - missing}: the seal is not on this event: "
        "others that came after it are missing, or the seal was changed."
    )


def cut(table: Table, kind: str, last: int) -> None:
    with behind_its_back(kind) as runs:
        for name in "posting", "round_revision", "reason", "player_name", "player", "event":
            number = "number" if name == "event" else "event_number"
            runs(
                f"DELETE FROM {name} WHERE series_id = :id AND {number} > :last",
                id=table.id,
                last=last,
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


# --- Who is who -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "UPDATE player_name SET name = CASE player_id WHEN 1 THEN 'Ben' ELSE 'Aki' END "
            "WHERE series_id = :id AND player_id < 3",
            "event 1: player 1 was not given this name by it.",
        ),
        (
            "UPDATE player_name SET name = 'Dan' WHERE series_id = :id AND name = 'Daniel'",
            "event 8: player 4 was not given this name by it.",
        ),
        (
            "INSERT INTO player_name VALUES (:id, 1, 2, 'Zed')",
            "event 2: player 1 was not named by this event.",
        ),
    ],
)
def test_other_names_are_found(played, kind, statement, told):
    with behind_its_back(kind) as runs:
        runs(statement, id=played.id)
    (found,) = ledger.check(played.id).differences
    assert str(found) == f"Series {played.id}, {told}"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE claim SET player_id = 3 WHERE series_id = :id AND player_id = 2",
        "UPDATE claim SET since = since + 1 WHERE series_id = :id AND player_id = 1",
        "DELETE FROM claim WHERE series_id = :id AND player_id = 1",
        "DELETE FROM claim WHERE series_id = :id",
    ],
)
def test_other_claims_are_found_and_stay_found(played, kind, statement):
    with behind_its_back(kind) as runs:
        runs(statement, id=played.id)
    told = f"Series {played.id}: whose phone is whose is not as it was said."
    assert [*map(str, ledger.check(played.id).differences)] == [told]
    with reading() as books:
        device = rows(played, "arrival")[0]["device_id"]
        before = [
            (row.since, row.player_id) for row in books.query(Claim).filter_by(series_id=played.id)
        ]
    with pytest.raises(ledger.Damaged):
        ledger.claim(played.id, device, 3)
    with reading() as books:
        after = [
            (row.since, row.player_id) for row in books.query(Claim).filter_by(series_id=played.id)
        ]
    assert before == after
    assert [*map(str, ledger.check(played.id).differences)] == [told]


# --- Nothing is built on what does not fit --------------------------------------------------------


@pytest.fixture
def cut_off(table: Table, kind: str) -> Table:
    """Three rounds of which the last is gone."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    for _ in range(3):
        table.records(100, 84, 80)
    cut(table, kind, 3)
    return table


VERBS: dict[str, Callable[[Table], object]] = {
    "record": lambda table: table.records(100, 84, 80),
    "correct": lambda table: table.corrects(1, 84, 100, 80),
    "withdraw": lambda table: table.withdraws(2),
    "undo": lambda table: table.undoes(),
    "finish": lambda table: ledger.change_series(table.id, state="finished"),
    "join": lambda table: ledger.add_player(table.id, "Dan"),
    "rotate": lambda table: ledger.rotate(table.id, ledger.Role.ENTER),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_save_does_not_hide_a_cut_off_tail(cut_off, verb):
    stood, (found,) = everything(), ledger.check(cut_off.id).differences
    with pytest.raises(ledger.Damaged, match="are not as they were written"):
        VERBS[verb](cut_off)
    assert everything() == stood
    assert ledger.check(cut_off.id).differences == (found,)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM head WHERE series_id = :id",
        "UPDATE head SET seal = claims WHERE series_id = :id",
    ],
)
def test_nor_does_it_mend_a_seal(table, kind, statement):
    table.start("bakappana", "Aki", "Ben", "Chie")
    with behind_its_back(kind) as runs:
        runs(statement, id=table.id)
    for _ in range(2):
        with pytest.raises(ledger.Damaged):
            table.records(100, 84, 80)
        (found,) = ledger.check(table.id).differences
        assert (found.event, "the seal" in str(found)) == (1, True)


def test_other_series_go_on(cut_off):
    other = Table()
    other.start("kaga", "Hana", "Ren")
    ledger.change_series(other.id, state="finished")
    assert ledger.check(other.id).differences == ()


def test_what_a_phone_is_told(cut_off, phone, app):
    """A sentence, with what was typed still there; never an error of ours."""
    phone.id = cut_off.id
    phone.secrets = {role.value: ledger.secret_for(cut_off.id, role) for role in ledger.Role}
    answer = phone.records(100, 84, 80)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "damaged")
    page_phone = PagePhone(app).joins(cut_off.id, ledger.Role.MANAGE)
    saved = page_phone.types_points(100, 84, 80).presses("preview").form.presses("save")
    assert saved.status < 500
    assert "are not as they were written, so nothing is added" in saved.text
    assert 'value="100"' in saved.text
    # Where no form can say so, a page does.
    rotating = next(one for one in page_phone.opens("/share").forms if "/secrets/" in one.path)
    before = everything()
    refused = rotating.presses()
    assert refused.status == 409
    assert "Nothing was saved" in refused.text
    assert everything() == before


def test_the_negative_control_is_caught(cut_off, monkeypatch):
    """A save that does not look at the seal of the event before."""
    any_seal = update(chain._head).where(chain._head.c.series_id == bindparam("series"))
    monkeypatch.setattr(chain, "_SEALED", any_seal.values(seal=bindparam("seal")))
    with pytest.raises(pytest.fail.Exception):
        test_a_save_does_not_hide_a_cut_off_tail(cut_off, "record")
    assert ledger.check(cut_off.id).differences == ()


# --- The negative controls ------------------------------------------------------------------------


def test_a_check_without_the_chain_is_caught(played, kind, dice, monkeypatch):
    stored = {bytes(row["hash"]) for row in rows(played, "event")}
    hashes = iter(sorted(stored))
    monkeypatch.setattr(audit, "event_hash", lambda before, content: next(hashes, b""))
    monkeypatch.setattr(audit._Audit, "_event", lambda self, event, before: [])
    monkeypatch.setattr(audit._Audit, "_leftovers", lambda self: iter(()))
    with pytest.raises(AssertionError, match="not found"):
        every_cell(played, kind, dice)


def test_a_check_without_the_seal_is_caught(played, kind, monkeypatch):
    monkeypatch.setattr(audit, "head_seal", lambda last: rows(played, "head")[0]["seal"])
    with pytest.raises(ValueError, match="unpack"):
        test_a_cut_off_tail_is_found(played, kind, 1)


# --- From the command line ------------------------------------------------------------------------


@pytest.fixture
def checks(config, monkeypatch, capsys):
    def run(*words: str, folder: Path = config["DATA"]) -> tuple[int, str, str]:
        monkeypatch.setattr(command_line, "enter_environment", lambda *extras: None)
        monkeypatch.setenv("DATABASE_URL", config.get("DATABASE_URL", ""))
        status = command_line.main(["check", "--data", str(folder), *words])
        return status, *capsys.readouterr()

    return run


def test_the_command(played, kind, checks):
    seal = rows(played, "head")[0]["seal"][:4].hex()
    stands = f"Series {played.id}: version 12, seal {seal}.\n"
    status, told, wrong = checks("--series", played.id)
    assert (status, wrong) == (0, "")
    assert told == (f"{stands}1 series, 6 rounds and corrections: all is as it was written.\n")
    edit(kind, "reason", rows(played, "reason")[0], "text", "")
    edit(kind, "posting", {"series_id": played.id, "event_number": 2, "line": 1}, "amount", 500)
    for words in ((), ("--series", played.id)):
        status, told, wrong = checks(*words)
        assert (status, wrong) == (1, "")
        assert f"Series {played.id}, event 2: posting 1 is round 1" in told
        assert stands not in told


def test_what_was_erased_is_counted(played, kind, checks):
    with behind_its_back(kind) as runs:
        runs("DELETE FROM player_name WHERE series_id = :id AND player_id = 4", id=played.id)
        runs("DELETE FROM reason WHERE series_id = :id", id=played.id)
    status, told, _ = checks("--series", played.id)
    assert status == 0
    assert "; names and reasons that were erased: 3.\n" in told


def test_no_such_series(app, checks):
    assert checks("--series", "nowhere") == (1, "", "There is no series nowhere.\n")


# --- A file that anybody can write to -------------------------------------------------------------

AMOUNT = "UPDATE posting SET amount = {} WHERE event_number = 2 AND line = 0"
EVENT = "UPDATE event SET {} WHERE number = 3"
DEEP = "[" * 3000 + "]" * 3000
UNREADABLE = {
    AMOUNT.format("0.5"): (
        "event 2: what stands in posting.amount (event_number 2, line 0) is not what the "
        "books write."
    ),
    AMOUNT.format("1e300"): "event 2: what stands in posting.amount",
    AMOUNT.format("x'01'"): "(event_number 2, line 0)",
    "UPDATE player SET id = 'x' WHERE id = 3": "what stands in player.id",
    "UPDATE reason SET text = x'ff'": "event 4: what stands in reason.text",
    "UPDATE reason SET text = CAST(x'ff' AS text)": "event 4: what stands in reason.text",
    "UPDATE player_name SET name = CAST(x'ff' AS text)": "what stands in player_name.name",
    EVENT.format("kind = CAST(x'ff' AS text)"): "event 3: what stands in event.kind",
    EVENT.format("data = CAST(x'7bff7d' AS text)"): "event 3: what stands in event.data",
    EVENT.format("data = CAST(data AS blob)"): "event 3: what stands in event.data",
    EVENT.format("data = data || ' '"): "event 3: what stands in event.data",
    EVENT.format("data = '{\"rounds\":[],' || substr(data, 2)"): "event 3: what stands in",
    EVENT.format("data = 'null'"): "event 3: ",
    EVENT.format("data = '{\"rounds\":7}'"): "event 3: ",
    EVENT.format("hash = 'abc'"): "event 3: what stands in event.hash",
    EVENT.format("at = '9999-12-31T23:59:59-23:00'"): "event 3: what stands in event.at",
    EVENT.format("at = '0001-01-01T00:00:00+23:00'"): "event 3: what stands in event.at",
    EVENT.format("at = replace(at, 'Z', '+00:00')"): "event 3: what stands in event.at",
    EVENT.format("at = replace(at, 'Z', '')"): "event 3: what stands in event.at",
    EVENT.format(f"data = '{DEEP}'"): "event 3: what stands in event.data",
    f"UPDATE round_revision SET entry = '{DEEP}'": "what stands in round_revision.entry",
    f"UPDATE round_revision SET result = '{DEEP}'": "what stands in round_revision.result",
    f"UPDATE kept_answer SET answer = '{DEEP}'": "what stands in kept_answer.answer",
    "UPDATE kept_answer SET answer = 'null'": ": ",
    "UPDATE round_revision SET entry = '[]' WHERE event_number = 3": "event 3: ",
    "UPDATE round_revision SET result = '{\"amounts\":[null,7,0]}' WHERE event_number = 2": (
        "event 2: "
    ),
    "UPDATE round_revision SET result = replace(result, '\"amounts\":[', '\"amounts\":[null,')": (
        "event 2: "
    ),
    "UPDATE secret SET hash = 'abc' WHERE role = 'enter'": "what stands in secret.hash",
    "UPDATE secret SET role = x'ff' WHERE role = 'enter'": "what stands in secret.role",
    "UPDATE head SET seal = 'abc'": "what stands in head.seal",
    "UPDATE series SET created_at = ''": "what stands in series.created_at",
    "DELETE FROM head": "event 12: the seal on it is missing.",
    "UPDATE head SET seal = zeroblob(32)": "event 12: the seal is not on this event",
    "UPDATE secret SET hash = zeroblob(32) WHERE role = 'enter'": "the secret to enter is not the",
    "INSERT INTO secret SELECT id, 'host', 1, zeroblob(32) FROM series": (
        "there is a secret to host, which nobody gave out."
    ),
    "INSERT INTO head VALUES ('nowhere', zeroblob(32), zeroblob(32))": (
        "Series nowhere: its beginning is missing."
    ),
    "INSERT INTO posting VALUES ('nowhere', 1, 0, 1, 1, 500, 'points')": (
        "Series nowhere: its beginning is missing."
    ),
    "INSERT INTO posting VALUES (x'ff', 1, 0, 1, 1, 500, 'points')": (
        "what stands in posting.series_id"
    ),
    "DELETE FROM event; DELETE FROM series": ": its beginning is missing.",
    "UPDATE posting SET unit = CAST(x'ff' AS text), series_id = CAST(x'ff' AS text)": "Series ",
    "UPDATE claim SET since = 'x' WHERE player_id = 1": "what stands in claim.since",
    'UPDATE "grant" SET device_id = 900': (
        "The database: a row of grant belongs to a row of device that is missing."
    ),
    "DROP TABLE posting": "The database lacks posting.",
    "DROP TABLE claim": "The database lacks claim.",
    'ALTER TABLE event RENAME COLUMN "by" TO whom': "The database lacks event.by.",
    "ALTER TABLE posting RENAME COLUMN amount TO sum": "The database lacks posting.amount.",
    "DROP TRIGGER event_keeps_update": (
        "The database: nothing keeps the rows of event from being changed."
    ),
    "DELETE FROM alembic_version": "(alembic_version: –) does not belong to its tables",
    "DROP TABLE alembic_version": "(alembic_version: –) does not belong to its tables",
    "UPDATE alembic_version SET version_num = '0001'": "(alembic_version: 0001) does not belong",
    "UPDATE alembic_version SET version_num = '9999'": "by a newer version of Scorekeeper",
}


@pytest.fixture
def file_of(played, config):
    """Copies of the books, to be changed by anybody."""
    db.engine.dispose()

    @contextmanager
    def changed(statements: str):
        folder = config["DATA"].with_name("copy")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(config["DATA"], folder)
        with closing(sqlite3.connect(folder / "scorekeeper.db")) as file, file:
            kept = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            triggers = file.execute(kept).fetchall()
            if not statements.startswith("DROP"):
                for name, _ in triggers:
                    file.execute(f"DROP TRIGGER {name}")
            for statement in statements.split("; "):
                file.execute(statement)
            if not statements.startswith("DROP"):
                for _, made in triggers:
                    file.execute(made)
        before = contents(folder)
        yield folder
        assert contents(folder) == before

    return changed


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("kind", ["sqlite"])
def test_whatever_stands_in_the_file_is_named(file_of, checks):
    """`check` changes nothing, and never fails with an error of ours."""
    with file_of("DELETE FROM wrong_try") as folder:
        assert checks(folder=folder)[0] == 0
    for statements, expected in UNREADABLE.items():
        with file_of(statements) as folder:
            status, told, wrong = checks(folder=folder)
            assert status == 1, statements
            assert expected in told + wrong, (statements, told + wrong)
            assert "Traceback" not in wrong


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_malformed_page_is_named(file_of, checks):
    with file_of("DELETE FROM wrong_try") as folder:
        whole = (folder / "scorekeeper.db").read_bytes()
    for page in range(1, len(whole) // 4096):
        start = page * 4096
        (folder / "scorekeeper.db").write_bytes(
            whole[:start] + b"\xa5" * 4096 + whole[start + 4096 :]
        )
        status, told, wrong = checks(folder=folder)
        assert status == 1, page
        assert re.search("damaged|malformed|lacks|cannot be read|missing", told + wrong), page


@pytest.mark.parametrize("kind", ["sqlite"])
def test_where_no_books_are_none_are_made(config, checks):
    file = config["DATA"] / "scorekeeper.db"
    for wrong_file in (None, b""):
        file.unlink(missing_ok=True)
        if wrong_file is not None:
            file.write_bytes(wrong_file)
        before = contents(config["DATA"])
        assert checks() == (1, "", f"There are no books in {config['DATA']}.\n")
        assert contents(config["DATA"]) == before
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("CREATE TABLE something (else_ TEXT)")
    before = contents(config["DATA"])
    status, told, wrong = checks()
    assert (status, told) == (1, "")
    assert wrong == "The books cannot be checked. There are no books in this database.\n"
    assert contents(config["DATA"]) == before


def test_without_a_key_none_is_made(played, config, checks):
    (config["DATA"] / "key").unlink()
    before = sorted(file.name for file in config["DATA"].iterdir())
    status, told, wrong = checks()
    assert (status, told) == (1, "")
    assert "/key cannot be used" in wrong
    assert sorted(file.name for file in config["DATA"].iterdir()) == before
    elsewhere = config["DATA"].with_name("elsewhere")
    assert checks(folder=elsewhere)[0] == 1
    assert not elsewhere.exists()


def test_another_key_is_no_damage(played, config, checks):
    (config["DATA"] / "key").write_bytes(b"k" * 32)
    status, told, wrong = checks()
    assert (status, told) == (1, "")
    assert "made with another key" in wrong


@pytest.mark.parametrize("kind", ["sqlite"])
def test_an_older_database_is_not_changed(config, checks):
    old = Path(__file__).with_name("schema_0001.sql").read_text("utf-8")
    file = config["DATA"] / "scorekeeper.db"
    file.unlink()
    with closing(sqlite3.connect(file)) as books, books:
        books.executescript(old)
    before = contents(config["DATA"])
    status, told, wrong = checks()
    assert (status, told) == (1, "")
    assert "older version of Scorekeeper; starting the server brings it up to date" in wrong
    assert contents(config["DATA"]) == before


@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize(
    "statement", ["DELETE FROM alembic_version", "UPDATE alembic_version SET version_num = '0003'"]
)
def test_a_server_does_not_start_on_it(file_of, statement):
    with (
        file_of(statement) as folder,
        pytest.raises(ledger.LedgerError, match="does not belong to its tables"),
    ):
        close(create_app({"DATA": folder}))


@pytest.mark.parametrize("kind", ["postgresql"])
def test_triggers_that_are_missing_on_a_server(played, kind):
    with db.engine.begin() as books:
        books.execute(text("ALTER TABLE posting DISABLE TRIGGER posting_keeps"))
    try:
        told = [*map(str, ledger.check().differences)]
    finally:
        with db.engine.begin() as books:
            books.execute(text("ALTER TABLE posting ENABLE TRIGGER posting_keeps"))
    assert "The database: nothing keeps the rows of posting from being changed." in told
