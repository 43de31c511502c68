"""Undoing the last action, whatever it was, and doing it again."""

import pytest

from scorekeeper import ledger
from scorekeeper.ledger.audit import _Audit
from scorekeeper.ledger.chain import write
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.tables import Event
from scorekeeper.rules import RuleError, settle

from ..conftest import everything


@pytest.fixture
def played(table):
    table.start(
        "hachi-hachi", *("Aki", "Ben", "Chie"), rules={"multi_bright": "carry_over"}, length=12
    )
    table.records(100, 84, 80, field="8B 12B")
    table.records(90, 90, 84)
    return table


def shape(table):
    """What a book says, without what tells one event or revision from another."""
    book = table.book
    return {
        "rules": book.rules,
        "length": book.length,
        "state": book.state,
        "players": book.players,
        "rounds": [(one.number, one.entry, one.result) for one in book.rounds],
        "totals": book.totals,
        "next": (book.next_number, book.next_dealer, book.carry),
    }


ACTIONS = {
    "record": lambda table: table.records(100, 84, 80),
    "correct, with what follows": lambda table: table.corrects(1, 80, 84, 100, field="12B"),
    "withdraw": lambda table: table.withdraws(len(table.book.rounds)),
    "finish": lambda table: ledger.change_series(table.id, state="finished"),
    "extend": lambda table: ledger.change_series(table.id, length=15),
    "open end": lambda table: ledger.change_series(table.id, length=None),
    "rules": lambda table: ledger.change_series(table.id, rules={"multi_bright": "stack"}),
    "join": lambda table: ledger.add_player(table.id, "Dan"),
    "rename": lambda table: ledger.change_player(table.id, 2, name="Benno"),
    "leave": lambda table: ledger.change_player(table.id, 2, left=True),
    "both": lambda table: ledger.change_player(table.id, 2, name="Benno", left=True),
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_every_action_is_undone_and_done_again(played, action):
    before = shape(played)
    action(played)
    after = shape(played)
    for _ in range(2):
        played.undoes()
        assert shape(played) == before
        played.redoes()
        assert shape(played) == after
    assert ledger.check(played.id).differences == ()


def test_nothing_that_was_written_changes(played):
    before = everything()
    for _ in range(2):
        played.undoes()
    after = everything()
    for name in "event", "round_revision", "posting":
        assert set(before[name]) <= set(after[name])


def test_back_to_the_start_and_all_of_it_again(played):
    for action in ACTIONS.values():
        if played.book.finished:
            ledger.change_series(played.id, state="open")
        action(played)
    end, steps = shape(played), 0
    while played.book.undoable is not None:
        played.undoes()
        steps += 1
    assert steps == 13
    assert (played.book.rounds, played.book.length) == ((), 12)
    assert [person.name for person in played.book.players] == ["Aki", "Ben", "Chie"]
    while played.book.redoable is not None:
        played.redoes()
    assert shape(played) == end
    assert ledger.check(played.id).differences == ()


def test_a_restored_round_is_a_new_revision(played):
    played.corrects(2, 84, 90, 90)
    played.undoes()
    assert (played.book.rounds[1].revision, played.book.rounds[1].amounts[1]) == (3, 4)
    played.undoes()
    assert len(played.book.rounds) == 1
    assert played.records(84, 90, 90).round.revision == 4


def test_a_round_that_comes_back_is_as_it_was_recorded(table):
    """Chie had left when the first round 1 was recorded, and not at the second."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    ledger.change_player(table.id, 3, left=True)
    table.records(140, 124, who="Aki Ben")
    table.withdraws(1)
    ledger.change_player(table.id, 3, left=False)
    table.records(100, 84, 80)

    def back(steps):
        for _ in range(steps):
            table.undoes()
        return table.book.rounds[0].amounts, table.book.corrected, table.book.had_left(3, 1)

    first = back(3)
    assert first == ({1: 8, 2: -8}, frozenset(), True)
    while table.book.redoable is not None:
        table.redoes()
    assert back(0) == ({1: 12, 2: -4, 3: -8}, frozenset(), False)
    assert back(3) == first
    table.corrects(1, 124, 140, who="Aki Ben")
    assert table.book.corrected == {1}


def test_something_new_ends_doing_again(played):
    played.undoes()
    assert played.book.redoable == 4
    played.records(84, 90, 90)
    assert played.book.redoable is None
    played.undoes()
    assert len(played.book.rounds) == 1


def test_past_the_finish(played):
    ledger.change_series(played.id, state="finished")
    played.undoes()
    played.undoes()
    assert (played.book.state, len(played.book.rounds)) == ("open", 1)


def test_who_joined_by_mistake_is_gone_and_their_id_with_them(played):
    ledger.add_player(played.id, "Dan")
    played.undoes()
    assert [person.id for person in played.book.players] == [1, 2, 3]
    with pytest.raises(ledger.UnknownPlayer):
        ledger.change_player(played.id, 4, name="Daniel")
    seats = [{"player": player, "points": 88} for player in (1, 2, 4)]
    with pytest.raises(RuleError, match="bad_seat"):
        ledger.record(played.id, {"number": 3, "seats": seats})
    assert ledger.add_player(played.id, "Dan").id == 5
    played.records(100, 84, 80, who="Aki Ben Dan")


def test_only_the_last_action(played):
    before = everything()
    for event in (0, 1, 2, 4, 99):
        with pytest.raises(RuleError) as refusal:
            ledger.undo(played.id, event)
        assert refusal.value.code == "not_last"
    assert everything() == before


def test_a_second_tap_undoes_nothing_more(played):
    ledger.undo(played.id, 3)
    with pytest.raises(RuleError, match="not_last"):
        ledger.undo(played.id, 3)
    assert len(played.book.rounds) == 1


def test_the_start_cannot_be_undone(table):
    table.start("kaga", "Hana", "Ren")
    assert table.book.undoable is None
    with pytest.raises(RuleError, match="not_last"):
        ledger.undo(table.id, 1)
    with pytest.raises(ledger.UnknownSeries):
        ledger.undo("nowhere", 1)


def as_once(books, book, kind, at, by, changes, data):
    """Undoings named the version of their day."""
    write(books, book, kind, at, by, changes, {**data, "engine": 2})


@pytest.mark.parametrize(("writes", "named"), [(write, None), (as_once, 2)])
def test_what_is_brought_back_is_of_the_version_that_settled_it(played, monkeypatch, writes, named):
    played.withdraws(2)
    monkeypatch.setattr("scorekeeper.ledger.chain.ENGINE", 2)
    monkeypatch.setattr("scorekeeper.ledger.audit.ENGINE", 2)
    monkeypatch.setattr("scorekeeper.ledger.series.write", writes)
    for _ in range(3):
        played.undoes()
        played.redoes()
    played.undoes()
    with reading() as books:
        assert books.get(Event, (played.id, played.book.version)).data.get("engine") == named
    assert ledger.check(played.id).differences == ()
    checked = []

    def settles(document):
        checked.append(document)
        told = settle(document)
        # After the two that were recorded come those that were brought back.
        return told if len(checked) <= 2 else {**told, "amounts": [9, -4, -5]}

    monkeypatch.setattr("scorekeeper.ledger.audit.settle", settles)
    (difference,) = ledger.check(played.id).differences
    assert difference.event == 5
    assert "(booked by version 1 of the rules, this is 2)" in str(difference)
    # What was brought back from what was brought back, too.
    last = played.book.version
    with reading() as books:
        audit = _Audit(books, played.id)
    assert audit._engine(audit.events[last - 1], 2) == 1


def test_what_was_booked_is_booked_again_whatever_the_rules_say_today(played, monkeypatch):
    """An old amount never changes by itself."""
    totals = played.totals
    played.withdraws(2)
    monkeypatch.setattr("scorekeeper.ledger.entry.settle", None)
    played.undoes()
    assert played.totals == totals
