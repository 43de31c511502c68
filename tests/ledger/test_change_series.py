"""Finishing, reopening, extending a series, and changing its house rules."""

import pytest

from scorekeeper import ledger
from scorekeeper.rules import RuleError

from ..conftest import everything


@pytest.fixture
def played(table):
    table.start("bakappana", "Aki", "Ben", "Chie", length=12)
    table.records(100, 84, 80)
    return table


def change(table, **changes):
    ledger.change_series(table.id, **changes)
    return table.book


def test_finished_and_reopened(played):
    assert change(played, state="finished").state == "finished"
    assert change(played, state="open").state == "open"
    played.records(100, 84, 80)


def test_what_a_finished_series_takes_no_more(played):
    change(played, state="finished")
    before = everything()
    for refused in (
        lambda: played.records(100, 84, 80),
        lambda: played.withdraws(1),
        lambda: ledger.add_player(played.id, "Dan"),
        lambda: change(played, length=15),
        lambda: change(played, rules={"tie": "nobody"}),
        lambda: change(played, rules={"tie": "nobody"}, state="finished"),
    ):
        with pytest.raises(RuleError) as refusal:
            refused()
        assert refusal.value.code == "finished"
    assert everything() == before


def test_a_finished_series_can_still_be_corrected(played):
    change(played, state="finished")
    played.corrects(1, 84, 100, 80)
    assert played.totals == {"Aki": -4, "Ben": 12, "Chie": -8}


def test_a_taken_number_is_said_before_the_finish(played):
    """Who records a round that is there already is shown that round."""
    change(played, state="finished")
    with pytest.raises(ledger.AlreadyRecorded):
        played.records(100, 84, 80, number=1)


def test_another_length(played):
    assert change(played, length=15).length == 15
    assert change(played, length=None).length is None
    assert change(played, length=1).complete
    assert not change(played, length=2).complete


def test_reopened_for_more_rounds(played):
    change(played, state="finished")
    book = change(played, state="open", length=15)
    assert (book.state, book.length, book.version) == ("open", 15, 4)


def test_new_house_rules_hold_from_the_next_round(played):
    assert change(played, rules={"settlement": "makatsu"}).house_rules == {"settlement": "makatsu"}
    played.records(100, 84, 80)
    first, second = played.book.rounds
    assert (first.rules["settlement"], second.rules["settlement"]) == ("par", "makatsu")
    assert [list(one.amounts.values()) for one in (first, second)] == [[12, -4, -8], [2, -1, -1]]
    assert played.book.rules_for(1) == first.rules
    assert played.book.rules_for(3) == second.rules


def test_a_round_is_corrected_under_its_own_rules(played):
    change(played, rules={"settlement": "makatsu"})
    assert played.corrects(1, 84, 100, 80).round.amounts == {1: -4, 2: 12, 3: -8}


def test_a_withdrawn_round_is_recorded_under_the_new_rules(played):
    change(played, rules={"settlement": "makatsu"})
    played.withdraws(1)
    assert played.records(100, 84, 80).round.amounts == {1: 2, 2: -1, 3: -1}


def test_points_and_shares_are_never_added_together(played):
    change(played, rules={"settlement": "makatsu"})
    played.records(84, 100, 80)
    played.records(84, 100, 80)
    totals = [(total.unit, total.amount) for total in played.book.totals]
    assert totals == [
        *(("points", amount) for amount in (12, -4, -8)),
        *(("shares", amount) for amount in (-2, 4, -2)),
    ]
    assert [list(sums.values()) for _, sums in played.book.running()] == [
        [12, -4, -8],
        [-1, 2, -1],
        [-2, 4, -2],
    ]


def test_rules_not_named_stay(played):
    change(played, rules={"tie": "nobody"})
    assert change(played, rules={"chaff": 0}).house_rules == {"tie": "nobody", "chaff": 0}
    assert change(played, rules={"chaff": 1}).house_rules == {"tie": "nobody"}


@pytest.mark.parametrize(
    "same",
    [{}, {"state": "open"}, {"length": 12}, {"rules": {}}, {"rules": {"tie": "turn_order"}}],
    ids=repr,
)
def test_a_change_to_what_is_so_already_is_no_event(played, same):
    before = everything()
    change(played, **same)
    assert everything() == before


REFUSED = {
    "no such state": ({"state": "paused"}, "bad_state"),
    "no such rule": ({"rules": {"jokers": 2}}, "unknown_rule"),
    "no such value": ({"rules": {"chaff": True}}, "unknown_rule"),
    "rules for two": ({"rules": {"settlement": "difference", "two_player_end": "ten_card"}}, None),
    "no rounds": ({"length": 0}, "bad_length"),
    "too many": ({"length": 1000}, "bad_length"),
}


@pytest.mark.parametrize(("changes", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(played, changes, code):
    if code is None:
        change(played, **changes)  # two of the three may well play on
        return
    before = everything()
    with pytest.raises(RuleError) as refusal:
        change(played, **changes)
    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")
    assert everything() == before


def test_shorter_than_what_was_played(played):
    played.records(100, 84, 80)
    with pytest.raises(RuleError) as refusal:
        change(played, length=1)
    assert refusal.value.code == "bad_length"
    assert "2 rounds" in refusal.value.message


def test_rules_at_odds(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"payment": "zero_sum"})
    with pytest.raises(RuleError) as refusal:
        change(table, rules={"all88": "bonus"})
    assert refusal.value.code == "rule_conflict"
    book = change(table, rules={"all88": "bonus", "payment": "accumulate"})
    assert book.house_rules == {"all88": "bonus"}


def test_no_such_series(app):
    with pytest.raises(ledger.UnknownSeries):
        ledger.change_series("nowhere", state="finished")
