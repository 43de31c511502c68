"""Withdrawing the last round, and recording its number again."""

from functools import partial

import pytest

from scorekeeper import ledger
from scorekeeper.rules import RuleError

from ..conftest import everything, refused


@pytest.fixture
def two_rounds(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(80, 84, 100)
    return table


def test_the_last_round_is_taken_out(two_rounds):
    table = two_rounds
    last = table.book.rounds[1]
    assert table.withdraws(2) == last
    assert [played.number for played in table.book.rounds] == [1]
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}
    assert (table.book.next_number, table.called(table.book.next_dealer)) == (2, "Aki")


def test_what_was_written_stays(two_rounds):
    before = everything()
    two_rounds.withdraws(2)
    after = everything()
    assert before["round_revision"] == after["round_revision"]
    assert set(before["posting"]) < set(after["posting"])


def test_recorded_again_it_is_the_next_revision(two_rounds):
    two_rounds.withdraws(2)
    again = two_rounds.records(88, 90, 86).round
    assert (again.number, again.revision) == (2, 2)
    assert two_rounds.totals == {"Aki": 12, "Ben": -2, "Chie": -10}
    two_rounds.withdraws(2)
    assert two_rounds.records(88, 90, 86).round.revision == 3


def test_all_of_them_one_by_one(two_rounds):
    two_rounds.withdraws(2)
    two_rounds.withdraws(1)
    assert two_rounds.book.rounds == ()
    assert set(two_rounds.totals.values()) == {0}


def test_a_unit_in_which_nothing_stands_any_more_is_gone(table):
    table.start("bakappana", "Aki", "Ben", "Chie", rules={"settlement": "makatsu"})
    table.records(100, 84, 80)
    table.withdraws(1)
    ledger.change_series(table.id, rules={"settlement": "par"})
    assert {total.unit for total in table.book.totals} == {"points"}


def test_a_waiting_multiplier_waits_again(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    table.records(100, 84, 80)
    assert table.book.carry == []
    table.withdraws(2)
    assert table.book.carry == [2]


def test_the_key_of_a_withdrawn_round_still_answers_it(two_rounds):
    document = {"number": 3, **two_rounds.document(100, 84, 80)}
    first = ledger.record(two_rounds.id, document, key="one tap")
    two_rounds.withdraws(3)
    before = everything()
    assert ledger.record(two_rounds.id, document, key="one tap").round == first.round
    assert everything() == before


def test_with_a_reason(two_rounds):
    current = two_rounds.book.rounds[1]
    ledger.withdraw(two_rounds.id, 2, revision=current.revision, reason=" counted  twice ")
    assert ledger.history(two_rounds.id)[0].reason == "counted twice"
    assert ledger.check(two_rounds.id).differences == ()


# --- Refusals -------------------------------------------------------------------------------------


def test_another_round_than_the_last(two_rounds):
    before = everything()
    with pytest.raises(RuleError) as refusal:
        two_rounds.withdraws(1)
    assert refusal.value.code == "not_last"
    assert "round 2" in refusal.value.message
    assert everything() == before


def test_a_round_corrected_meanwhile(two_rounds):
    current = two_rounds.corrects(2, 80, 86, 98).round
    before = everything()
    with pytest.raises(ledger.Stale) as refusal:
        two_rounds.withdraws(2, revision=1)
    assert refusal.value.round == current
    assert everything() == before


@pytest.mark.parametrize("number", [0, 3, -1])
def test_no_such_round(two_rounds, number):
    with pytest.raises(ledger.UnknownRound):
        two_rounds.withdraws(number, revision=1)


def test_a_second_tap_withdraws_nothing_more(two_rounds):
    two_rounds.withdraws(2, revision=1)
    with pytest.raises(ledger.UnknownRound):
        two_rounds.withdraws(2, revision=1)
    assert len(two_rounds.book.rounds) == 1


def test_an_edit_of_what_was_withdrawn_and_recorded_again_is_stale(two_rounds):
    two_rounds.withdraws(2)
    again = two_rounds.records(88, 90, 86).round
    with pytest.raises(ledger.Stale) as refusal:
        two_rounds.corrects(2, 80, 82, 102, revision=1)
    assert refusal.value.round == again


def test_a_finished_series(two_rounds):
    ledger.change_series(two_rounds.id, state="finished")
    with pytest.raises(RuleError) as refusal:
        two_rounds.withdraws(2)
    assert refusal.value.code == "finished"


def test_a_reason_that_cannot_be(two_rounds):
    verb = partial(ledger.withdraw, two_rounds.id, 2, revision=1, reason="x" * 201)
    refused("bad_reason", verb)
