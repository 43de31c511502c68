"""P16, its upgrade part: a database of every schema there was keeps every total.

`schema_0001.sql` is such a database as it was left behind; it is never made anew.
"""

import secrets
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, make_url, text

from scorekeeper import create_app, ledger
from scorekeeper.ledger import audit
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import Base, db
from scorekeeper.rules import settle

from ..conftest import close
from .conftest import behind_its_back

KEY = "kr8sW0zvTq3LxYh2mNpD5bGcJf7uAe9R"
LEFT_BEHIND = Path(__file__).with_name("schema_0001.sql")
MIGRATIONS = Path(ledger.__file__).parent.parent / "migrations"
BAKAPPANA, HACHI_HACHI = "nuNLEjrCTRi0", "otM61cDu3EJc"
TOTALS = {
    BAKAPPANA: [(1, 22, "points", 1), (2, -18, "points", 4), (3, -16, "points", 3),
                (4, 12, "points", 2)],
    HACHI_HACHI: [(1, 50, "points", 1), (2, -14, "points", 2), (3, -36, "points", 3)],
}  # fmt: skip


def old_file(folder: Path) -> sqlite3.Connection:
    folder.mkdir(exist_ok=True)
    file = sqlite3.connect(folder / "scorekeeper.db")
    file.executescript(LEFT_BEHIND.read_text("utf-8"))
    return file


@pytest.fixture
def config(kind, tmp_path, request):
    """An old database, in a file or on a server."""
    config = {"DATA": tmp_path / "old", "SECRET_KEY": KEY}
    with old_file(tmp_path / "old") as file:
        if kind == "postgresql":
            config["DATABASE_URL"] = on_a_server(file, request)
    file.close()
    return config


def on_a_server(file: sqlite3.Connection, request) -> str:
    """The same rows under the first schema, as that version made it on a server."""
    postgres = request.getfixturevalue("postgres")
    url = postgres.create(f"old_{secrets.token_hex(4)}")
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    scripts = Config()
    scripts.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        scripts.attributes["connection"] = connection
        command.upgrade(scripts, "0001")
        there = {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
        for table in [table.name for table in Base.metadata.sorted_tables if table.name in there]:
            rows = file.execute(f'SELECT * FROM "{table}"')
            columns = [column for column, *_ in rows.description]
            names = ", ".join(f'"{column}"' for column in columns)
            places = ", ".join(f":{column}" for column in columns)
            insert = text(f'INSERT INTO "{table}" ({names}) VALUES ({places})')
            for row in rows:
                connection.execute(insert, dict(zip(columns, row, strict=True)))
        # The server has to go on where the file's numbers ended.
        connection.execute(text("SELECT setval('device_id_seq', (SELECT max(id) FROM device))"))
    engine.dispose()
    return url


def totals(series_id: str) -> list[tuple]:
    return [tuple(vars(total).values()) for total in ledger.read(series_id).totals]


def test_every_total_is_kept(app):
    for series_id, expected in TOTALS.items():
        assert totals(series_id) == expected
    assert ledger.check() == ledger.Checked(series=2, revisions=9, differences=())


def test_names_rounds_and_links_are_kept(app):
    book = ledger.read(BAKAPPANA)
    assert [person.name for person in book.players] == ["Aki", "Ben", "ゆき", "Dan"]
    assert [(one.number, one.revision, one.void) for one in book.rounds] == [
        (1, 1, False),
        (2, 2, False),
        (3, 1, False),
        (4, 1, True),
    ]
    assert (book.length, book.house_rules) == (12, {"tie": "nobody"})
    secret = ledger.secret_for(BAKAPPANA, ledger.Role.MANAGE)
    assert ledger.find_secret(secret) == (BAKAPPANA, ledger.Role.MANAGE)
    assert len(ledger.history(BAKAPPANA)) == book.version == 6


def test_the_phones_are_counted_as_they_were_made(app):
    """Nobody wrote down then in which order they came into a series."""
    assert [phone.device for phone in ledger.phones_of(BAKAPPANA)] == [1]
    device, _ = ledger.new_device()
    ledger.join(device, ledger.secret_for(BAKAPPANA, ledger.Role.ENTER))
    called = [
        ledger.claims(BAKAPPANA).called(one, ledger.read(BAKAPPANA)).render() for one in (1, device)
    ]
    assert called == ["phone 1", "phone 2"]


def test_it_goes_on(app):
    """What was done before the upgrade can be corrected and undone after it."""
    while (event := ledger.read(HACHI_HACHI).undoable) is not None:
        ledger.undo(HACHI_HACHI, event)
    while (event := ledger.read(HACHI_HACHI).redoable) is not None:
        ledger.undo(HACHI_HACHI, event)
    assert totals(HACHI_HACHI) == TOTALS[HACHI_HACHI]
    seats = [{"player": player, "points": 88} for player in (1, 2, 3)]
    ledger.correct(HACHI_HACHI, 1, {"seats": seats}, revision=5, reason="after the upgrade")
    assert ledger.check().differences == ()


def test_a_repetition_from_before_answers_its_first_result(app):
    seats = [{"player": n, "points": p} for n, p in ((1, 100), (2, 84), (3, 80))]
    again = ledger.record(BAKAPPANA, {"number": 1, "seats": seats}, key="one tap")
    assert again.repeated


def test_what_was_claimed_before_is_sealed(config, kind):
    """By the migration; and another key, which would seal it wrongly, changes nothing."""
    folder = config["DATA"]
    url = config.get("DATABASE_URL") or f"sqlite:///{folder / 'scorekeeper.db'}"
    engine = create_engine(make_url(url).set(drivername=_DRIVERS[kind]))
    scripts = Config()
    scripts.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        scripts.attributes["connection"] = connection
        command.upgrade(scripts, "0005")
        for player in 2, None:
            claim = "INSERT INTO claim VALUES (1, :id, :since, :player)"
            values = {"id": BAKAPPANA, "since": 3 if player else 1, "player": player}
            connection.execute(text(claim), values)
    with pytest.raises(ledger.LedgerError, match="another key"):
        create_app({**config, "SECRET_KEY": KEY[::-1]})
    with engine.begin() as connection:
        version = text("SELECT version_num FROM alembic_version")
        assert connection.scalar(version) == "0005"
    engine.dispose()
    app = create_app(config)
    with app.app_context():
        assert ledger.check().differences == ()
        with behind_its_back(kind) as runs:
            runs("DELETE FROM claim WHERE series_id = :id AND since = 3", id=BAKAPPANA)
        (found,) = ledger.check().differences
        assert "whose phone is whose" in str(found)
    close(app)


_DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}


def test_a_name_from_before_names_were_sealed_can_still_be_changed(app):
    """What is not sealed cannot be checked; what is given from now on is."""
    ledger.change_player(BAKAPPANA, 4, name="Daniel")
    (bakappana, hachi_hachi) = ledger.check().sealed
    assert (bakappana.erased, hachi_hachi.erased) == (0, 0)


def test_an_upgrade_that_loses_something_is_caught(app, kind):
    """The negative control: one posting less."""
    with behind_its_back(kind) as runs:
        runs(
            "DELETE FROM posting WHERE series_id = :id AND event_number = 2 AND line = 1",
            id=BAKAPPANA,
        )
    assert totals(BAKAPPANA) != TOTALS[BAKAPPANA]
    (difference,) = ledger.check().differences
    assert str(difference) == f"Series {BAKAPPANA}, event 2: posting 1 is missing."


def test_rules_that_count_an_old_round_otherwise_change_nothing(app, monkeypatch):
    """It is reported, and never applied."""

    def otherwise(document):
        told = settle(document)
        if document["game"] == "hachi-hachi":
            told = {**told, "amounts": [amount + 1 for amount in told["amounts"]]}
        return told

    monkeypatch.setattr(audit, "settle", otherwise)
    (difference,) = ledger.check().differences
    assert (difference.series_id, difference.event) == (HACHI_HACHI, 2)
    assert "would book +49, −15, −31 today, not +48, −16, −32, which stands" in str(difference)
    assert totals(HACHI_HACHI) == TOTALS[HACHI_HACHI]


def test_a_newer_schema_is_refused(app, config):
    with writing() as books:
        books.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    db.engine.dispose()
    with pytest.raises(ledger.LedgerError, match="newer version"):
        create_app(config)
