"""Correcting a round: everything that follows from it changes, and nothing that was written."""

import hashlib

import pytest
from sqlalchemy import select

from scorekeeper import ledger
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.entry import entry_of
from scorekeeper.ledger.past import revisions
from scorekeeper.ledger.tables import Event, KeptAnswer, Posting, canonical
from scorekeeper.rules import RuleError

from ..conftest import everything, refused


@pytest.fixture
def four_rounds(table):
    """Case 12: four rounds, of which round 2 was entered wrongly."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    for points in (100, 84, 80), (88, 92, 84), (80, 84, 100), (90, 90, 84):
        table.records(*points)
    return table


def test_everything_follows(four_rounds):
    table = four_rounds
    assert table.totals == {"Aki": 12 + 0 - 8 + 2, "Ben": -4 + 4 - 4 + 2, "Chie": -8 - 4 + 12 - 4}
    corrected = table.corrects(2, 98, 82, 84)
    assert corrected.round.amounts == {1: 10, 2: -6, 3: -4}
    assert (corrected.round.number, corrected.round.revision) == (2, 2)
    assert corrected.resettled == ()
    assert table.book.rounds[1] == corrected.round
    assert table.totals == {"Aki": 16, "Ben": -12, "Chie": -4}
    assert table.places == {"Aki": 1, "Ben": 3, "Chie": 2}


def test_a_correction_reverses_and_posts_anew(four_rounds):
    table = four_rounds
    table.corrects(2, 98, 82, 84)
    with reading() as books:
        event = books.get(Event, (table.id, table.book.version))
        posted = books.execute(
            select(Posting.round_number, Posting.player_id, Posting.amount)
            .where(Posting.series_id == table.id, Posting.event_number == event.number)
            .order_by(Posting.line)
        ).all()
    assert event.kind == "corrected"
    assert event.data["rounds"] == [{"round": 2, "before": 1, "after": 2}]
    assert [tuple(row) for row in posted] == [
        (2, 1, 0),
        (2, 2, -4),
        (2, 3, 4),
        (2, 1, 10),
        (2, 2, -6),
        (2, 3, -4),
    ]


def test_what_was_written_stays(four_rounds):
    table = four_rounds
    first = table.book.rounds[1]
    before = everything()
    table.corrects(2, 98, 82, 84)
    after = everything()
    for name in "event", "round_revision", "posting":
        assert set(before[name]) < set(after[name])
    with reading() as books:
        assert first in revisions(books, table.id)


def test_a_recorded_dealer_stays_and_is_warned_about(four_rounds):
    """Round 3 was dealt by Ben, who won the wrong round 2."""
    corrected = four_rounds.corrects(2, 98, 82, 84)
    (warning,) = corrected.warnings
    assert "Aki would have dealt round 3" in warning.render()
    assert four_rounds.called(four_rounds.book.rounds[2].dealer) == "Ben"


def test_no_warning_where_the_same_dealer_follows(four_rounds):
    assert four_rounds.corrects(2, 80, 100, 84).warnings == ()


def test_no_warning_where_the_table_had_named_the_dealer(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(100, 84, 80, dealer=2)
    assert table.corrects(1, 104, 80, 80).warnings == ()


def test_the_last_round_names_the_next_dealer(four_rounds):
    assert four_rounds.called(four_rounds.book.next_dealer) == "Aki"
    assert four_rounds.corrects(4, 84, 90, 90, dealer=1).warnings == ()
    assert four_rounds.called(four_rounds.book.next_dealer) == "Ben"


def test_other_people_played(table):
    table.start("bakappana", *"ABCD")
    table.records(100, 84, 80, who="A B C")
    table.corrects(1, 100, 84, 80, who="A D C")
    assert table.totals == {"A": 12, "B": 0, "C": -8, "D": -4}


def test_corrected_to_void_and_back(four_rounds):
    table = four_rounds
    totals = table.totals
    table.corrects(3, end="void")
    assert table.book.counted == 3
    table.corrects(3, 80, 84, 100)
    assert table.totals == totals
    assert table.book.rounds[2].revision == 3


@pytest.fixture
def carried(table):
    """Case 05 (b), five rounds: moon and phoenix in the field of round 2, x4 and then x2."""
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80)
    table.records(100, 84, 80, field="8B 12B")
    table.records(90, 90, 84)
    table.records(80, 84, 100, field="1B")
    table.records(98, 82, 84)
    return table


def multipliers(table):
    return [played.result["multiplier"] for played in table.book.rounds]


def test_carried_multipliers_are_settled_again(carried):
    assert multipliers(carried) == [1, 4, 2, 2, 1]
    corrected = carried.corrects(2, 100, 84, 80)
    assert multipliers(carried) == [1, 1, 1, 2, 1]
    assert [(later.number, later.revision) for later in corrected.resettled] == [(3, 2)]
    assert carried.totals == {
        "Aki": 12 + 12 + 2 - 16 + 10,
        "Ben": -4 - 4 + 2 - 8 - 6,
        "Chie": -8 - 8 - 4 + 24 - 4,
    }


def test_a_multiplier_can_be_carried_a_long_way(carried):
    corrected = carried.corrects(2, 100, 84, 80, field="1B 3B 12B")
    assert multipliers(carried) == [1, 4, 2, 2, 2]
    assert carried.book.carry == []
    assert [later.number for later in corrected.resettled] == [3, 4, 5]
    corrected = carried.corrects(2, 100, 84, 80, field="1B 3B 8B 12B")
    assert carried.book.carry == [2]
    assert [later.number for later in corrected.resettled] == [3, 4, 5]
    with reading() as books:
        event = books.get(Event, (carried.id, carried.book.version))
    assert event.data["rounds"] == [
        {"round": number, "before": 2, "after": 3} for number in (2, 3, 4, 5)
    ]


def test_a_multiplier_is_carried_across_a_void_round(carried):
    carried.corrects(3, end="void")
    assert multipliers(carried) == [1, 4, 1, 2, 2]
    corrected = carried.corrects(2, 100, 84, 80, field="8B 3B 12B")
    assert [later.number for later in corrected.resettled] == [3, 4, 5]
    assert multipliers(carried) == [1, 4, 1, 2, 2]
    assert carried.book.carry == [2]


def test_what_is_not_carried_differently_is_left_alone(carried):
    assert carried.corrects(2, 80, 84, 100, field="1B 11B").resettled == ()


@pytest.fixture
def carried_no_more(table):
    """Round 1 leaves a multiplier, and the house rules of round 2 carry none."""
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    ledger.change_series(table.id, rules={"multi_bright": "greater"})
    return table


def test_what_the_rules_do_not_carry_does_not_wait(carried_no_more):
    table = carried_no_more
    assert table.book.rounds[0].result["carry"] == [2]
    assert (table.book.carry, table.book.carried_into(2)) == ([], [])
    table.records(100, 84, 80)
    assert table.book.rounds[1].entry["carried"] == []
    assert table.totals == {"Aki": 60, "Ben": -20, "Chie": -40}
    table.undoes()
    table.undoes()
    assert table.book.carry == [2]


def test_a_round_that_nothing_is_carried_into_is_not_settled_again(carried_no_more):
    carried_no_more.records(100, 84, 80)
    assert carried_no_more.corrects(1, 100, 84, 80, field="8B").resettled == ()
    assert carried_no_more.book.corrected == {1}
    assert multipliers(carried_no_more) == [2, 1]


def test_nor_one_of_which_it_was_written_down_all_the_same(carried_no_more, monkeypatch):
    """As it was once: the rules took no notice of it, and the books stay as they are."""

    def with_carried(*asked):
        return {**entry_of(*asked), "carried": [2]}

    with monkeypatch.context() as once:
        once.setattr("scorekeeper.ledger.rounds.entry_of", with_carried)
        carried_no_more.records(100, 84, 80)
    assert carried_no_more.book.rounds[1].entry["carried"] == [2]
    assert carried_no_more.corrects(1, 100, 84, 80, field="8B").resettled == ()
    carried_no_more.corrects(2, 84, 100, 80)
    assert multipliers(carried_no_more) == [2, 1]
    assert ledger.check(carried_no_more.id).differences == ()


def test_what_was_left_before_such_a_round_is_not_taken_up_after_it(carried_no_more):
    carried_no_more.records(100, 84, 80)
    ledger.change_series(carried_no_more.id, rules={"multi_bright": "carry_over"})
    assert carried_no_more.book.carry == []


def test_a_preview_of_a_correction(carried):
    before = everything()
    result = ledger.preview(carried.book, carried.document(100, 84, 80), number=3)
    assert result.amounts == [24, -8, -16]
    assert everything() == before


def test_the_dealer_is_the_recorded_one_unless_another_is_given(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80, dealer=2)
    assert table.called(table.corrects(1, 84, 100, 80).round.dealer) == "Chie"
    assert table.called(table.corrects(1, 84, 100, 80, dealer=1).round.dealer) == "Ben"


def test_every_revision_stays_readable(four_rounds):
    (first,) = four_rounds.book.rounds[:1]
    second = four_rounds.corrects(1, 98, 82, 84).round
    found = [ledger.revision_of(four_rounds.id, 1, revision) for revision in (1, 2)]
    assert found == [first, second]
    assert ledger.revision_of(four_rounds.id, 1, 3) is None
    assert ledger.revision_of(four_rounds.id, 5, 1) is None


# --- Repetitions ----------------------------------------------------------------------------------


def test_a_repetition_does_nothing_and_answers_the_first_result(four_rounds):
    table = four_rounds
    first = table.corrects(2, 98, 82, 84, revision=1, reason="swapped", key="one tap")
    before = everything()
    again = table.corrects(2, 98, 82, 84, revision=1, reason="swapped", key="one tap")
    assert (first.repeated, again.repeated) == (False, True)
    assert (again.round, again.warnings) == (first.round, first.warnings)
    assert first.warnings
    assert everything() == before


def test_a_repetition_answers_what_was_settled_again_with_it(carried):
    first = carried.corrects(2, 100, 84, 80, revision=1, key="one tap")
    again = carried.corrects(2, 100, 84, 80, revision=1, key="one tap")
    assert [later.number for later in again.resettled] == [3]
    assert (again.round, again.resettled) == (first.round, first.resettled)


@pytest.mark.parametrize("after", ["corrected", "undone", "withdrawn"])
def test_a_repetition_answers_the_first_result_whatever_came_after_it(four_rounds, after):
    table = four_rounds
    first = table.corrects(4, 98, 82, 84, revision=1, key="one tap").round
    if after == "corrected":
        table.corrects(4, 84, 98, 82)
    elif after == "undone":
        table.undoes()
    else:
        table.withdraws(4)
    before = everything()
    assert table.corrects(4, 98, 82, 84, revision=1, key="one tap").round == first
    assert everything() == before


@pytest.mark.parametrize(
    "other",
    [
        {"points": (84, 82, 98)},
        {"number": 3},
        {"revision": 2},
        {"reason": "counted twice"},
        {"reason": None},
    ],
    ids=str,
)
def test_a_key_is_for_one_correction(four_rounds, other):
    sent = {"number": 2, "points": (98, 82, 84), "revision": 1, "reason": "swapped"}

    def corrects(number, points, **more):
        return four_rounds.corrects(number, *points, key="one tap", **more)

    corrects(**sent)
    refused("key_reused", lambda: corrects(**sent | other))


def test_a_key_is_for_a_round_or_for_a_correction(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(140, 124, key="one tap")
    refused("key_reused", lambda: table.corrects(1, 140, 124, key="one tap"))
    table.corrects(1, 124, 140, key="another tap")
    refused("key_reused", lambda: table.records(124, 140, key="another tap"))


def test_a_refused_correction_leaves_its_key_free(four_rounds):
    with pytest.raises(RuleError):
        four_rounds.corrects(2, 98, 82, 85, key="one tap")
    with pytest.raises(ledger.Stale):
        four_rounds.corrects(2, 98, 82, 84, revision=7, key="one tap")
    assert not four_rounds.corrects(2, 98, 82, 84, key="one tap").repeated


@pytest.mark.parametrize("key", ["", "x" * 201, "a\nb", "a\0b"], ids=repr)
def test_keys_refused(four_rounds, key):
    refused("bad_key", lambda: four_rounds.corrects(2, 98, 82, 84, key=key))


def test_the_books_know_the_request_of_a_correction(four_rounds):
    table = four_rounds
    table.records(100, 84, 80, key="one tap")
    table.corrects(2, 98, 82, 84, reason="swapped", key="another tap")
    table.corrects(2, 84, 98, 82)
    assert ledger.check(table.id).differences == ()


def test_a_reason_cannot_be_guessed_from_what_is_kept_of_a_request(four_rounds):
    """Reasons can be erased: what stays is a MAC under the key of the instance, and no hash."""
    four_rounds.corrects(2, 98, 82, 84, revision=1, reason="swapped", key="one tap")
    document = four_rounds.document(98, 82, 84)
    guessed = hashlib.sha256(canonical([2, 1, document, "swapped"]).encode()).digest()
    kept = select(KeptAnswer.body_hash).where(KeptAnswer.series_id == four_rounds.id)
    with reading() as books:
        assert books.scalars(kept).one() != guessed


# --- Refusals -------------------------------------------------------------------------------------


def test_a_stale_correction_answers_the_round_as_it_is(four_rounds):
    corrected = four_rounds.corrects(2, 98, 82, 84).round
    before = everything()
    with pytest.raises(ledger.Stale) as refusal:
        four_rounds.corrects(2, 90, 90, 84, revision=1)
    assert refusal.value.round == corrected
    assert everything() == before


@pytest.mark.parametrize("number", [0, 5, -1, 10**30])
def test_no_such_round(four_rounds, number):
    with pytest.raises(ledger.UnknownRound):
        four_rounds.corrects(number, 98, 82, 84, revision=1)


def test_the_checks_are_those_of_a_new_round(four_rounds):
    """Case 12: 98 / 92 / 84 is 274."""
    before = everything()
    with pytest.raises(RuleError) as refusal:
        four_rounds.corrects(2, 98, 92, 84)
    assert refusal.value.code == "deck_sum"
    with pytest.raises(RuleError) as refusal:
        four_rounds.corrects(2, 98, 82, 84, dealer=7)
    assert refusal.value.code == "bad_seat"
    assert everything() == before
