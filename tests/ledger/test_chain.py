"""P17, the part that is written from the first event on: each event seals all that came before."""

import json

import pytest
from sqlalchemy import event, select

from scorekeeper import ledger
from scorekeeper.ledger.access import seal
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.tables import (
    Event,
    Head,
    PlayerName,
    Posting,
    RoundRevision,
    canonical,
    db,
    written,
)


def hashes(series_id):
    """The chain, computed from nothing but the rows."""
    before = b""
    with reading() as books:
        for event in books.scalars(
            select(Event).where(Event.series_id == series_id).order_by(Event.number)
        ):
            place = {"series_id": series_id, "event_number": event.number}
            revisions = [
                {
                    "round_number": row.round_number,
                    "revision": row.revision,
                    "entry": row.entry,
                    "result": row.result,
                }
                for row in books.scalars(
                    select(RoundRevision).filter_by(**place).order_by(RoundRevision.round_number)
                )
            ]
            postings = [
                {
                    "line": row.line,
                    "round_number": row.round_number,
                    "player_id": row.player_id,
                    "amount": row.amount,
                    "unit": row.unit,
                }
                for row in books.scalars(select(Posting).filter_by(**place).order_by(Posting.line))
            ]
            content = [
                series_id,
                event.number,
                event.kind,
                written(event.at),
                event.by,
                event.data,
                revisions,
                postings,
            ]
            before = seal("event", before, canonical(content).encode())
            yield before


@pytest.fixture
def played(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    table.records(90, 90, 84)
    table.corrects(1, 100, 84, 80)
    return table


def test_every_event_hashes_what_it_wrote_and_the_event_before(played):
    with reading() as books:
        stored = books.scalars(
            select(Event.hash).where(Event.series_id == played.id).order_by(Event.number)
        ).all()
    assert len(stored) == 4
    assert [*hashes(played.id)] == stored


def test_the_seal_is_on_the_last_event(played):
    with reading() as books:
        head = books.get(Head, played.id)
    assert head.seal == seal("head", [*hashes(played.id)][-1])


def test_an_event_seals_the_names_it_gives(played):
    ledger.add_player(played.id, "Dan")
    ledger.change_player(played.id, 2, name="Benno")
    played.undoes()
    with reading() as books:
        of_series = Event.series_id == played.id
        events = books.scalars(select(Event).where(of_series).order_by(Event.number)).all()
        names = select(PlayerName).where(PlayerName.series_id == played.id)
        expected = [
            (
                name.event_number,
                str(name.player_id),
                seal(
                    "name",
                    f"{played.id}|{name.event_number}|{name.player_id}|{name.name}".encode(),
                ).hex(),
            )
            for name in books.scalars(names)
        ]
    found = [
        (event.number, player, sealed)
        for event in events
        for player, sealed in event.data.get("names", {}).items()
    ]
    assert sorted(found) == sorted(expected)
    assert [event.number for event in events if "names" in event.data] == [1, 5, 6]
    # They are nothing for those who read what happened.
    assert all("names" not in line.after for line in ledger.history(played.id))


def test_the_claims_of_a_series_carry_one_seal(played):
    def sealed() -> bytes:
        with reading() as books:
            return books.get(Head, played.id).claims

    assert sealed() == seal("claims", played.id.encode(), b"[]")
    device, _ = ledger.new_device()
    ledger.join(device, ledger.secret_for(played.id, ledger.Role.ENTER))
    ledger.claim(played.id, device, None)
    played.records(100, 84, 80)
    for _ in range(2):  # a double tap
        ledger.claim(played.id, device, 2)
        said = f"[[{device},4,null],[{device},5,2]]".encode()
        assert sealed() == seal("claims", played.id.encode(), said)


def test_to_look_at_the_old_seal_takes_no_statement_of_its_own(played):
    """A row for each table, and one seal that is moved."""
    run = []

    def count(connection, cursor, statement, *_):
        if statement.split()[0] in ("INSERT", "UPDATE", "DELETE"):
            run.append(statement.split()[:3])

    event.listen(db.engine, "before_cursor_execute", count)
    try:
        ledger.change_series(played.id, length=15)
    finally:
        event.remove(db.engine, "before_cursor_execute", count)
    assert [f"{words[0]} {words[-1]}" for words in run] == ["INSERT event", "UPDATE SET"]


def test_one_value_has_one_text():
    assert (
        canonical({"b": [1, "ゆ\0\ud800"], "a": None})
        == '{"a":null,"b":[1,"\\u3086\\u0000\\ud800"]}'
    )
    assert json.loads(canonical({"a": 10**30})) == {"a": 10**30}
