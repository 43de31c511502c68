"""P17, the part that is written from the first event on: each event seals all that came before."""

import json

import pytest
from sqlalchemy import select

from scorekeeper.ledger.access import seal
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.tables import Event, Head, Posting, RoundRevision, canonical, written


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


def test_one_value_has_one_text():
    assert (
        canonical({"b": [1, "ゆ\0\ud800"], "a": None})
        == '{"a":null,"b":[1,"\\u3086\\u0000\\ud800"]}'
    )
    assert json.loads(canonical({"a": 10**30})) == {"a": 10**30}
