"""Somebody joins, is renamed, leaves and comes back."""

import pytest
from sqlalchemy import delete

from scorekeeper import ledger
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import PlayerName
from scorekeeper.rules import RuleError

from ..conftest import everything


@pytest.fixture
def played(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    return table


def change(table, who, **changes):
    return ledger.change_player(table.id, table.player(who), **changes)


def test_case_11(played):
    """A latecomer has nothing, whatever the others have, and so has the next one."""
    assert ledger.add_player(played.id, "Dan") == ledger.Person(4, "Dan", left=False)
    ledger.add_player(played.id, "Eri")
    assert played.totals == {"Aki": 12, "Ben": -4, "Chie": -8, "Dan": 0, "Eri": 0}
    assert [*played.book.rounds[0].amounts] == [1, 2, 3]
    played.records(100, 84, 80, who="Aki Dan Eri")
    assert sum(played.totals.values()) == 0


def test_renamed(played):
    assert change(played, "Ben", name=" Benno ") == ledger.Person(2, "Benno", left=False)
    assert played.totals == {"Aki": 12, "Benno": -4, "Chie": -8}
    assert any("Benno" in line for line in played.book.answer(played.book.rounds[0])["working"])


def test_names_stay_out_of_the_books(played):
    ledger.add_player(played.id, "Theodora")
    change(played, "Ben", name="Ludmilla")
    kept = everything()
    names = repr(kept.pop("player_name"))
    assert "Theodora" in names
    assert "Ludmilla" in names
    assert not {"Theodora", "Ludmilla"} & {*repr(kept).replace('"', "'").split("'")}


def test_who_left_keeps_their_total_and_takes_no_seat(played):
    assert change(played, "Ben", left=True).left
    assert played.totals["Ben"] == -4
    before = everything()
    with pytest.raises(RuleError) as refusal:
        played.records(100, 84, 80, who="Aki Ben Chie")
    assert (refusal.value.code, refusal.value.seat) == ("bad_seat", 1)
    assert refusal.value.message == "Ben has left the series."
    assert everything() == before
    played.records(140, 124, who="Aki Chie")


def test_a_round_of_who_left_can_be_corrected(played):
    change(played, "Ben", left=True)
    played.corrects(1, 84, 100, 80)
    assert played.totals["Ben"] == 12


def test_who_came_later_can_be_put_into_an_earlier_round(played):
    ledger.add_player(played.id, "Dan")
    played.corrects(1, 100, 84, 80, who="Aki Dan Chie")
    assert played.totals == {"Aki": 12, "Ben": 0, "Chie": -8, "Dan": -4}


def test_a_dealer_who_left_is_replaced_by_the_table(played):
    assert played.called(played.book.next_dealer) == "Aki"
    change(played, "Aki", left=True)
    assert played.book.next_dealer is None
    with pytest.raises(RuleError) as refusal:
        played.records(140, 124, who="Ben Chie")
    assert refusal.value.field == "dealer"
    played.records(140, 124, who="Ben Chie", dealer=0)


def test_back_again(played):
    change(played, "Ben", left=True)
    assert not change(played, "Ben", left=False).left
    played.records(100, 84, 80)


def test_two_at_once(played):
    version = played.book.version
    assert change(played, "Ben", name="Benno", left=True) == ledger.Person(2, "Benno", left=True)
    assert played.book.version == version + 1


@pytest.mark.parametrize("same", [{}, {"name": "Ben"}, {"left": False}, {"name": " Ben "}])
def test_a_change_to_what_is_so_already_is_no_event(played, same):
    before = everything()
    change(played, "Ben", **same)
    assert everything() == before


def test_a_name_in_another_case_is_a_new_name(played):
    assert change(played, "Ben", name="BEN").name == "BEN"


@pytest.mark.parametrize(
    ("name", "code"),
    [("aki", "name_taken"), ("", "bad_name"), (None, "bad_name"), (7, "bad_name")],
)
def test_names_refused(played, name, code):
    change(played, "Chie", left=True)
    before = everything()
    for refused in (
        lambda: change(played, "Ben", name=name),
        lambda: ledger.add_player(played.id, name),
    ):
        with pytest.raises(RuleError) as refusal:
            refused()
        assert (refusal.value.code, refusal.value.seat) == (code, None)
        assert refusal.value.field == "name"
    assert everything() == before


def test_the_name_of_somebody_who_left_is_taken(played):
    change(played, "Ben", left=True)
    with pytest.raises(RuleError, match="name_taken"):
        ledger.add_player(played.id, "Ben")


@pytest.mark.parametrize("player", [0, 4, -1, 10**30])
def test_no_such_player(played, player):
    with pytest.raises(ledger.UnknownPlayer):
        ledger.change_player(played.id, player, name="Dan")


def test_a_crowd(table):
    table.start("kaga", *(f"P{n}" for n in range(60)))
    with pytest.raises(RuleError, match="wrong_seats"):
        ledger.add_player(table.id, "One more")


def test_an_erased_name_leaves_the_person(played):
    change(played, "Ben", name="Benno")
    with writing() as books:
        books.execute(
            delete(PlayerName).where(PlayerName.series_id == played.id, PlayerName.player_id == 2)
        )
    assert [person.name for person in played.book.players] == ["Aki", "Player 2", "Chie"]
    assert "Player 2 is called Player 2 now." in played.told
    change(played, "Player 2", name="Berta")
    assert played.book.name_of(2) == "Berta"
