"""What follows from a correction or a withdrawal, shown before it is done."""

import pytest

from scorekeeper import ledger
from scorekeeper.rules import RuleError

from ..conftest import everything


@pytest.fixture
def carried(table):
    """Moon and phoenix in the field of round 1: x4, and x2 is carried into round 2."""
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    table.records(90, 90, 84)
    table.records(80, 84, 100)
    return table


def test_nothing_is_written(carried):
    before = everything()
    ledger.follows(carried.book, 1, carried.document(80, 84, 100))
    ledger.follows(carried.book, 3, None)
    assert everything() == before


def test_case_12(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    for points in (100, 84, 80), (88, 92, 84), (80, 84, 100), (90, 90, 84):
        table.records(*points)
    follow = ledger.follows(table.book, 2, table.document(98, 82, 84))
    assert [total.amount for total in follow.before.totals] == [6, -2, -4]
    assert [(total.amount, total.place) for total in follow.after.totals] == [
        (16, 1),
        (-12, 3),
        (-4, 2),
    ]
    (other,) = follow.dealers
    assert (other.number, table.called(other.dealt), table.called(other.named)) == (3, "Ben", "Aki")
    assert follow.resettled == ()


def test_carried_multipliers(carried):
    follow = ledger.follows(carried.book, 1, carried.document(100, 84, 80, field="1B 3B 12B"))
    (second, third) = follow.resettled
    assert (second.before.entry["carried"], second.after.entry["carried"]) == ([2], [2, 2])
    assert (third.before.result["multiplier"], third.after.result["multiplier"]) == (1, 2)
    assert (follow.before.carry, follow.after.carry) == ([], [])


def test_the_next_dealer(carried):
    follow = ledger.follows(carried.book, 3, carried.document(100, 84, 80))
    assert carried.called(follow.before.next_dealer) == "Chie"
    assert carried.called(follow.after.next_dealer) == "Aki"
    assert follow.dealers == ()


DOCUMENTS = {
    "other points": {"points": (80, 84, 100)},
    "another field": {"points": (100, 84, 80), "field": "1B 3B 12B"},
    "void": {"points": (), "end": "void"},
    "the same": {"points": (100, 84, 80), "field": "8B 12B"},
}


@pytest.mark.parametrize("said", DOCUMENTS.values(), ids=DOCUMENTS)
def test_it_is_what_then_happens(carried, said):
    document = carried.document(*said["points"], **{k: said[k] for k in said if k != "points"})
    follow = ledger.follows(carried.book, 1, document)
    corrected = ledger.correct(carried.id, 1, document, revision=1)
    book = carried.book
    assert follow.after.totals == book.totals
    assert (follow.after.next_dealer, follow.after.carry) == (book.next_dealer, book.carry)
    assert follow.warnings == corrected.warnings
    changed = [(one.number, one.after.entry, one.after.result) for one in follow.changes]
    written = (corrected.round, *corrected.resettled)
    assert changed == [(one.number, one.entry, one.result) for one in written]


def test_a_withdrawal(carried):
    follow = ledger.follows(carried.book, 3, None)
    carried.withdraws(3)
    assert follow.after.totals == carried.book.totals
    assert follow.after.rounds == carried.book.rounds
    assert follow.after.next_dealer == carried.book.next_dealer


def test_another_unit(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    table.records(100, 84, 80)
    follow = ledger.follows(table.book, 2, table.document(84, 100, 80))
    assert [(total.unit, total.amount) for total in follow.after.totals] == [
        ("points", 12),
        ("points", -4),
        ("points", -8),
        ("shares", -1),
        ("shares", 2),
        ("shares", -1),
    ]


def test_what_is_refused_is_refused_here_too(carried):
    with pytest.raises(RuleError) as refusal:
        ledger.follows(carried.book, 1, carried.document(100, 84, 81))
    assert refusal.value.code == "deck_sum"
    with pytest.raises(RuleError) as refusal:
        ledger.follows(carried.book, 1, None)
    assert refusal.value.code == "not_last"
    with pytest.raises(ledger.UnknownRound):
        ledger.follows(carried.book, 4, None)
