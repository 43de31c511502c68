"""Several processes on one PostgreSQL database tell each other."""

import time
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from flask import Flask
from sqlalchemy import make_url, text

from scorekeeper import create_app, ledger
from scorekeeper.ledger.tables import db
from scorekeeper.live import streams_of

from ..conftest import PATIENCE, close, running


@pytest.fixture
def kind():
    return "postgresql"


@pytest.fixture
def elsewhere(app: Flask, config) -> Iterator[Flask]:
    """The app as another process has it."""
    other = create_app({"TESTING": True, **config})
    yield other
    close(other)


@pytest.fixture
def told(streams, monkeypatch):
    """What a process is not told it does not hear of: it never looks at the database by itself."""
    monkeypatch.setattr(streams, "_ring_for_what_was_missed", lambda: None)


def test_what_another_process_writes_is_told(told, table, series, listen, elsewhere):
    ear = listen(series)
    assert ear.hears() == "1"
    with elsewhere.app_context():
        table.records(100, 84, 80)
    assert ear.hears() == "2"


def test_a_pile_that_another_process_takes_is_told(told, series, phone, listen, elsewhere):
    device, client = phone(series)
    ear = listen(series, client=client)
    assert ear.hears() == "1"
    with elsewhere.app_context():
        ledger.begin_pile(series, 1, 1, by=device)
    assert ear.hears() == "1"
    assert "event: pending" in ear.lines


def test_a_pile_of_which_the_notice_was_lost_is_made_up_for(streams, series, phone, listen):
    device, client = phone(series)
    ear = listen(series, client=client)
    assert ear.hears() == "1"
    with db.engine.begin() as books:  # a pile that nobody is told of
        books.execute(
            text(
                "INSERT INTO pending (series_id, player_id, device_id, state, content, change, at) "
                "VALUES (:series, 1, :device, 'begun', '{}', 7, '2026-11-29T19:32:00+00:00')"
            ),
            {"series": series, "device": device},
        )
    assert ear.hears() == "7"


def test_nobody_listens_for_others_before_the_first_stream(streams, series, listen):
    assert not streams.listening
    listen(series).hears()
    listen(series).hears()
    assert streams.listening


def test_a_notice_that_was_lost_is_made_up_for(streams, series, listen):
    streams.pace = replace(streams.pace, recheck=0.3)
    ear = listen(series)
    assert ear.hears() == "1"
    with db.engine.begin() as books:  # an event that nobody is told of
        books.execute(
            text(
                "INSERT INTO event (series_id, number, kind, at, data, hash) "
                "SELECT series_id, 2, 'finished', at, "
                '\'{"state":{"before":"open","after":"finished"}}\', hash '
                "FROM event WHERE series_id = :series"
            ),
            {"series": series},
        )
    assert ear.hears() == "2"


def test_a_database_that_went_away_is_listened_to_again(streams, table, series, listen, postgres):
    streams.pace = replace(streams.pace, recheck=0.3, patience=0.1)
    ear = listen(series)
    assert ear.hears() == "1"
    with psycopg.connect(postgres.url("books"), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        )
    table.records(100, 84, 80)
    assert ear.hears() == "2"
    table.records(100, 84, 80)
    assert ear.hears() == "3"


def test_what_is_rolled_back_is_not_told(table, series, listen):
    ear = listen(series)
    assert ear.hears() == "1"
    table.records(100, 84, 80)
    with pytest.raises(ledger.AlreadyRecorded):
        ledger.record(series, {"number": 1, **table.document(84, 100, 80)})
    assert ear.hears() == "2"
    assert ear.hears_nothing()


def test_an_app_that_ends_leaves_no_connection(config, postgres):
    url = make_url(config["DATABASE_URL"]).update_query_dict({"application_name": "ends"})
    for app in running({**config, "DATABASE_URL": url.render_as_string(False)}):
        series = ledger.start("kaga", {}, ["Hana", "Ren"])
        streams_of(app).open(series, lambda: None)
        assert connections(postgres, "ends") > 0
    until = time.monotonic() + PATIENCE
    while connections(postgres, "ends"):  # the server takes a moment to let go
        assert time.monotonic() < until
        time.sleep(0.05)


def connections(postgres, name: str) -> int:
    """How many connections there are that say this is their name."""
    asked = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
    with psycopg.connect(postgres.url("books")) as connection:
        (found,) = connection.execute(asked, (name,)).fetchone()
        return found
