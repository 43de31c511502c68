"""What the book knows of an evening that did not go straight: other rules, people who left."""

import pytest

from scorekeeper import ledger


@pytest.fixture
def mixed(table):
    """Two rounds by par, in points, and two by Makatsu, in shares."""
    table.start("bakappana", "Aki", "Ben", "Chie", rules={"tie": "nobody"}, length=12)
    table.records(100, 84, 80)
    table.records(84, 100, 80)
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    table.records(80, 84, 100)
    table.records(100, 84, 80)
    return table


# --- House rules that were changed ----------------------------------------------------------------


def test_where_the_house_rules_changed(mixed):
    (change,) = mixed.book.rule_changes
    assert change.number == 3
    assert (change.before, change.after) == ({"settlement": "par"}, {"settlement": "makatsu"})
    assert (change.unit_before, change.unit) == ("points", "shares")
    assert mixed.book.ruled_since == {"settlement": 3}


def test_a_change_that_no_round_was_played_by_yet(mixed):
    ledger.change_series(mixed.id, rules={"tie": "ask"})
    assert [(change.number, change.after) for change in mixed.book.rule_changes] == [
        (3, {"settlement": "makatsu"}),
        (5, {"tie": "ask"}),
    ]
    assert mixed.book.ruled_since == {"settlement": 3, "tie": 5}


def test_a_change_that_was_taken_back_is_none(mixed):
    ledger.change_series(mixed.id, rules={"tie": "ask"})
    mixed.undoes()
    assert len(mixed.book.rule_changes) == 1


def test_a_change_before_the_first_round_is_none(table):
    table.start("bakappana", "Aki", "Ben")
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    assert table.book.rule_changes == ()
    table.records(100, 164)
    assert table.book.rule_changes == ()
    assert table.book.ruled_since == {}


def test_which_rules_of_a_round_are_not_the_present_ones(mixed):
    assert mixed.book.rules_apart(2) == {"settlement": "par"}
    assert mixed.book.rules_apart(3) == {}
    assert mixed.book.rules_apart(5) == {}


def test_the_units_of_the_rounds_that_count(mixed):
    assert mixed.book.units == ("points", "shares")
    assert [(one.unit, one.rounds) for one in mixed.book.outcomes] == [
        ("points", (1, 2)),
        ("shares", (3, 4)),
    ]


def test_a_misdeal_counts_in_no_unit(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(end="void")
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    table.records(100, 164)
    assert table.book.units == ("shares",)
    assert {total.unit for total in table.book.totals} == {"shares"}


# --- Who played how much --------------------------------------------------------------------------


def test_how_many_rounds_each_has_played(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(100, 164, who="Aki Ben")
    table.records(end="void")
    (outcome,) = table.book.outcomes
    assert outcome.rounds == (1, 2)
    assert outcome.played == {1: 2, 2: 2, 3: 1}


@pytest.mark.parametrize(
    ("rounds", "said"),
    [((1,), ["1"]), ((1, 2, 3), ["1–3"]), ((1, 2, 5, 7, 8), ["1–2", "5", "7–8"]), ((), [])],
)
def test_rounds_in_short(rounds, said):
    assert ledger.book.spans(rounds) == said


# --- Numbers --------------------------------------------------------------------------------------


def test_which_of_those_that_count_a_round_is(table):
    table.start("bakappana", "Aki", "Ben", length=3)
    table.records(100, 164)
    table.records(end="void")
    table.records(100, 164)
    assert [table.book.place_of(number) for number in (1, 2, 3, 4)] == [1, 2, 2, 3]


# --- Who had left ---------------------------------------------------------------------------------


def test_who_had_left(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 164, who="Aki Ben")
    ledger.change_player(table.id, 3, left=True)
    table.records(100, 164, who="Aki Ben")
    ledger.change_player(table.id, 3, left=False)
    table.records(100, 164, who="Aki Ben")
    book = table.book
    assert [book.had_left(3, number) for number in (1, 2, 3)] == [False, True, False]
    table.withdraws(3)
    table.undoes()
    table.corrects(2, 164, 100, who="Aki Ben")
    assert [table.book.had_left(3, number) for number in (1, 2, 3)] == [False, True, False]


# --- Corrected ------------------------------------------------------------------------------------


def test_which_rounds_were_corrected(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(100, 164)
    table.records(100, 164)
    table.corrects(1, 164, 100)
    assert table.book.corrected == {1}
    table.undoes()
    assert table.book.corrected == frozenset()
    table.redoes()
    assert table.book.corrected == {1}


def test_recorded_anew_is_not_corrected(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(100, 164)
    table.corrects(1, 164, 100)
    table.withdraws(1)
    table.undoes()
    assert table.book.corrected == {1}
    table.withdraws(1)
    table.records(120, 144)
    assert table.book.rounds[0].revision == 4
    assert table.book.corrected == frozenset()


def test_a_multiplier_that_follows_corrects_a_round_too(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    table.records(90, 90, 84)
    table.corrects(1, 100, 84, 80)
    assert table.book.corrected == {1, 2}


# --- Dealers --------------------------------------------------------------------------------------


def test_who_would_have_dealt(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(84, 100, 80)
    assert table.book.other_dealer(1) is None
    table.corrects(1, 80, 84, 100)
    other = table.book.other_dealer(1)
    assert (other.number, table.called(other.dealt), table.called(other.named)) == (
        2,
        "Aki",
        "Chie",
    )
    assert table.book.other_dealer(2) is None
