"""A house rule that there was none of when a series began: it is played by its default."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy.orm import Session

from scorekeeper import ledger
from scorekeeper.ledger.chain import append
from scorekeeper.ledger.entry import entry_of

from ..conftest import Table

NEW = "multi_bright"


def without_it(document: dict[str, Any]) -> dict[str, Any]:
    return {
        **document,
        "rules": {key: document["rules"][key] for key in document["rules"] if key != NEW},
    }


@pytest.fixture
def older(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A series that an older version began, with one round."""

    def started(
        books: Session,
        series_id: str,
        version: int,
        kind: str,
        at: datetime,
        by: int | None,
        data: dict[str, Any],
    ) -> None:
        append(books, series_id, version, kind, at, by, without_it(data))

    with monkeypatch.context() as once:
        once.setattr("scorekeeper.ledger.series.append", started)
        once.setattr(
            "scorekeeper.ledger.rounds.entry_of", lambda *asked: without_it(entry_of(*asked))
        )
        table.start("hachi-hachi", "Aki", "Ben", "Chie")
        table.records(100, 84, 80, field="8B")
    return table


def test_it_is_played_as_it_was_before(older):
    book = older.book
    assert (book.rules[NEW], book.rounds[0].rules[NEW]) == ("greater", "greater")
    assert (book.house_rules, book.rule_changes, book.rules_apart(1)) == ({}, (), {})
    older.records(100, 84, 80, field="8B 12B")
    assert older.totals == {"Aki": 12 * 6, "Ben": -4 * 6, "Chie": -8 * 6}
    assert ledger.check(older.id).differences == ()


def test_a_round_keeps_what_it_froze(older):
    older.corrects(1, 84, 100, 80, field="8B")
    older.corrects(1, 100, 84, 80, field="8B")
    (played,) = older.book.rounds
    assert NEW not in played.entry["rules"]
    assert older.book.corrected == frozenset()


def test_it_can_be_changed_and_put_back(older):
    ledger.change_series(older.id, rules={NEW: "stack"})
    (change,) = older.book.rule_changes
    assert (change.before, change.after) == ({NEW: "greater"}, {NEW: "stack"})
    older.undoes()
    assert older.book.rules[NEW] == "greater"
    assert older.book.rule_changes == ()


def test_where_nothing_was_written_as_what_was_before(older, monkeypatch):
    """As it was written once; undone, it left the rule without a choice."""
    with monkeypatch.context() as once:
        nothing = {"before": {NEW: None}, "after": {NEW: "stack"}}
        once.setattr("scorekeeper.ledger.series._other_rules", lambda *_: nothing)
        ledger.change_series(older.id, rules={NEW: "stack"})
    older.undoes()
    assert older.book.rules[NEW] == "greater"
    older.records(100, 84, 80, field="8B 12B")
    assert older.told
