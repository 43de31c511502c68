"""Recording a round: what it adds to the books, what a repetition does, and what is refused."""

import threading
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import select

from scorekeeper import ledger
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.past import revisions
from scorekeeper.ledger.tables import Posting
from scorekeeper.rules import RuleError
from scorekeeper.rules.document import answer

from ..conftest import everything


def test_a_round_is_booked(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    recorded = table.records(100, 84, 80)
    book = table.book
    assert not recorded.repeated
    assert book.rounds == (recorded.round,)
    assert (book.version, book.counted, book.next_number) == (2, 1, 2)
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}
    assert book.rounds[0].amounts == {1: 12, 2: -4, 3: -8}


def test_what_is_kept_names_nobody(table):
    table.start("bakappana", "Xanthippe", "Ben", "Chie")
    document = {"number": 1, **table.document(100, 84, 80)}
    for seat in document["seats"]:
        seat["name"] = "Zenobia"
    ledger.record(table.id, document)
    kept = everything()
    assert "Zenobia" not in repr(kept)
    assert "Xanthippe" in repr(kept.pop("player_name"))
    assert "Xanthippe" not in repr(kept)


def test_what_says_nothing_of_the_round_is_not_kept(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    document = {"number": 1, **table.document(100, 84, 80), "weather": "rain"}
    document["seats"][0]["mood"] = "good"
    played = ledger.record(table.id, document).round
    assert "weather" not in played.entry
    assert "mood" not in played.entry["seats"][0]
    assert played.entry["seats"][0] == {"player": 1, "points": 100}


def test_a_round_is_told_in_words(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    played = table.records(100, 84, 80).round
    told = table.book.answer(played)
    assert told["amounts"] == [12, -4, -8]
    assert any("Aki" in line for line in told["working"])
    assert "working" not in played.result


PLAYED: dict[str, Any] = {
    "bakappana": {"seats": [{"counts": {"bright": 1, "animal": 4, "ribbon": 3, "chaff": 12}},
                            {"counts": {"bright": 2, "animal": 3, "ribbon": 4, "chaff": 7}},
                            {"counts": "rest"}]},
    "yokohama-bana": {"seats": [{"points": 70, "teyaku": ["sanbon", "karasu"]},
                                {"points": 100}, {"points": "rest"}]},
    "hachi-hachi": {"field": "12B", "end": "stopped", "stopped_by": 1,
                    "seats": [{"teyaku": ["kuttsuki"]}, {"dekiyaku": ["akatan"]}, {}]},
    "kaga": {"seats": [{"captured": "1B 1R 1C1 1C2 11B 11A", "teyaku": ["teshi"]},
                       {"captured": "3B 3R 3C1 3C2 4A 4R"}]},
}  # fmt: skip


@pytest.mark.parametrize("game", PLAYED)
def test_every_game_is_explained_from_the_books(table, game):
    """What comes out of the database is what the rules said, so the working comes with it."""
    table.start(game, *("Aki", "Ben", "Chie")[: len(PLAYED[game]["seats"])])
    seats = [{"player": at, **seat} for at, seat in enumerate(PLAYED[game]["seats"], 1)]
    document = {"number": 1, **PLAYED[game], "seats": seats}
    told = answer(ledger.preview(table.book, document))
    ledger.record(table.id, document)
    (played,) = table.book.rounds
    assert table.book.answer(played) == told
    assert told["working"]
    assert [*played.amounts.values()] == told["amounts"]


def test_another_count_than_the_booked_one_is_not_explained(table, monkeypatch):
    table.start("bakappana", "Aki", "Ben", "Chie")
    played = table.records(100, 84, 80).round
    otherwise = ledger.preview(table.book, table.document(80, 84, 100))
    monkeypatch.setattr("scorekeeper.ledger.book.work_out", lambda document: otherwise)
    told = table.book.answer(played)
    assert (told["amounts"], told["working"]) == ([12, -4, -8], [])


def test_five_people_three_seats(table):
    """Case 10."""
    table.start("bakappana", *"ABCDE")
    table.records(100, 84, 80, who="A B C")
    table.records(70, 104, 90, who="A D E")
    assert [played.amounts for played in table.book.rounds] == [
        {1: 12, 2: -4, 3: -8},
        {1: -18, 4: 16, 5: 2},
    ]
    assert table.totals == {"A": -6, "B": -4, "C": -8, "D": 16, "E": 2}
    assert sum(table.totals.values()) == 0


def test_who_rests_has_no_posting_and_who_plays_has_one(table):
    table.start("bakappana", *"ABCD")
    table.records(88, 88, 88, who="A B D")
    with reading() as books:
        posted = books.execute(
            select(Posting.player_id, Posting.amount).where(Posting.series_id == table.id)
        )
        assert sorted(map(tuple, posted)) == [(1, 0), (2, 0), (4, 0)]


def test_places_after_a_tie(table):
    """Case 09: equal totals share a place, and the places after it are skipped."""
    table.start("bakappana", *"ABCDE")
    table.records(126, 138, who="A E", dealer=0)
    table.records(138, 126, who="B E", dealer=0)
    table.records(138, 126, who="C E", dealer=0)
    table.records(138, 126, who="D E", dealer=0)
    table.records(178, 86, who="A E", dealer=0)
    assert table.totals == {"A": 40, "B": 6, "C": 6, "D": 6, "E": -58}
    assert table.places == {"A": 1, "B": 2, "C": 2, "D": 2, "E": 5}


def test_totals_are_the_sum_of_the_rounds(table):
    table.start("bakappana", *"ABCD")
    for points in (100, 84, 80), (90, 90, 84), (264, 0, 0), (88, 87, 89):
        table.records(*points, who="A C D")
    summed: Counter[int] = Counter()
    for played in table.book.rounds:
        summed.update(played.amounts)
    assert {total.player: total.amount for total in table.book.totals} == {2: 0, **summed}


def test_the_winner_deals_next(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(84, 80, 100)
    assert table.called(table.book.next_dealer) == "Chie"
    assert table.called(table.records(100, 84, 80).round.dealer) == "Chie"
    assert table.called(table.book.next_dealer) == "Aki"


def test_the_dealer_is_a_person_whatever_the_seat(table):
    table.start("bakappana", *"ABCD")
    table.records(84, 80, 100, who="A B D")
    played = table.records(100, 84, 80, who="D C A").round
    assert (played.entry["dealer"], table.called(played.dealer)) == (0, "D")


def test_the_table_may_say_who_deals(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    assert table.called(table.records(100, 84, 80, dealer=2).round.dealer) == "Chie"


def test_a_dealer_who_rests_must_be_replaced(table):
    table.start("bakappana", *"ABCD")
    table.records(100, 84, 80, who="A B C")
    with pytest.raises(RuleError) as refusal:
        table.records(100, 84, 80, who="B C D")
    assert (refusal.value.code, refusal.value.field) == ("bad_seat", "dealer")
    assert "A is the dealer" in refusal.value.message
    table.records(100, 84, 80, who="B C D", dealer=1)


def test_an_undecided_dealer_is_asked_for_at_the_next_round(table):
    table.start("bakappana", "Aki", "Ben", "Chie", rules={"dealer_tie": "ask"})
    table.records(92, 92, 80)
    assert table.book.next_dealer is None
    assert table.book.rounds[-1].result["undecided"] == {"question": "dealer", "between": [0, 1]}
    with pytest.raises(RuleError) as refusal:
        table.records(100, 84, 80)
    assert (refusal.value.code, refusal.value.field) == ("bad_seat", "dealer")
    table.records(100, 84, 80, dealer=1)


def test_an_undecided_tie_cannot_be_recorded(table):
    table.start("bakappana", "Aki", "Ben", "Chie", rules={"settlement": "makatsu", "tie": "ask"})
    before = everything()
    assert ledger.preview(table.book, table.document(92, 92, 80)).question == ("tie", [0, 1])
    with pytest.raises(RuleError) as refusal:
        table.records(92, 92, 80)
    assert (refusal.value.code, refusal.value.field) == ("bad_decision", "decision")
    assert "Aki, Ben are tied" in refusal.value.message
    assert everything() == before
    table.records(92, 92, 80, decision=1)
    assert table.totals == {"Aki": -1, "Ben": 2, "Chie": -1}


def test_a_void_round_is_kept_and_does_not_count(table):
    table.start("bakappana", "Aki", "Ben", "Chie", length=12)
    table.records(end="void")
    book = table.book
    assert (book.rounds[0].void, book.counted, book.next_number) == (True, 0, 2)
    assert table.called(book.next_dealer) == "Aki"


def test_a_multiplier_is_carried_into_the_next_round(table):
    """Case 05, BGA's rule: moon and phoenix, x4 now and x2 in the next round."""
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    assert table.book.rounds[0].result["multiplier"] == 4
    assert table.book.carry == [2]
    table.records(end="void")
    assert table.book.carry == [2]
    assert table.records(100, 84, 80).round.result["multiplier"] == 2
    assert table.book.carry == []


def test_a_preview_is_the_answer_and_writes_nothing(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    before = everything()
    told = answer(ledger.preview(table.book, table.document(100, 84, 80)))
    assert everything() == before
    assert told == table.book.answer(table.records(100, 84, 80).round)


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_preview_of_no_round(table, number):
    table.start("bakappana", "Aki", "Ben", "Chie")
    with pytest.raises(ledger.UnknownRound):
        ledger.preview(table.book, table.document(100, 84, 80), number=number)


def test_who_recorded_it_and_when(table):
    table.start("bakappana", "Aki", "Ben")
    device, _ = ledger.new_device()
    played = table.records(140, 124, by=device).round
    assert table.book.rounds[0].by == played.by == device
    assert table.book.rounds[0].at == played.at


# --- Repetitions ----------------------------------------------------------------------------------


def test_a_repetition_answers_the_first_result(table):
    table.start("bakappana", "Aki", "Ben")
    document = {"number": 1, **table.document(140, 124)}
    first = ledger.record(table.id, document, key="one tap")
    before = everything()
    again = ledger.record(table.id, document, key="one tap")
    assert (again.round, again.repeated) == (first.round, True)
    assert everything() == before


def test_a_repetition_answers_the_first_result_even_after_a_correction(table):
    table.start("bakappana", "Aki", "Ben")
    document = {"number": 1, **table.document(140, 124)}
    first = ledger.record(table.id, document, key="one tap")
    table.corrects(1, 124, 140)
    assert ledger.record(table.id, document, key="one tap").round == first.round


def test_a_key_is_for_one_body(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(140, 124, key="one tap")
    before = everything()
    with pytest.raises(RuleError) as refusal:
        table.records(140, 124, key="one tap")
    assert refusal.value.code == "key_reused"
    assert everything() == before


def test_a_key_is_one_series_own(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(140, 124, key="one tap")
    table.start("bakappana", "Aki", "Ben")
    assert not table.records(140, 124, key="one tap").repeated


def test_a_refused_round_leaves_its_key_free(table):
    table.start("bakappana", "Aki", "Ben")
    with pytest.raises(RuleError):
        table.records(140, 125, key="one tap")
    assert not table.records(140, 124, key="one tap").repeated


@pytest.mark.parametrize("key", ["", "x" * 201, "a\nb", "a\0b"], ids=repr)
def test_keys_refused(table, key):
    table.start("bakappana", "Aki", "Ben")
    with pytest.raises(RuleError) as refusal:
        table.records(140, 124, key=key)
    assert refusal.value.code == "bad_key"


# --- Refusals -------------------------------------------------------------------------------------


def test_a_number_recorded_already_answers_that_round(table):
    table.start("bakappana", "Aki", "Ben")
    first = table.records(140, 124).round
    before = everything()
    with pytest.raises(ledger.AlreadyRecorded) as refusal:
        table.records(130, 134, number=1)
    assert refusal.value.round == first
    assert everything() == before


SEATS = [{"player": 1, "points": 140}, {"player": 2, "points": 124}]
REFUSED = {
    "no object": ([], "not_a_round", None),
    "nothing": (None, "not_a_round", None),
    "no number": ({"seats": SEATS}, "not_a_round", "number"),
    "true is no number": ({"number": True, "seats": SEATS}, "not_a_round", "number"),
    "round 0": ({"number": 0, "seats": SEATS}, "not_a_round", "number"),
    "a number skipped": ({"number": 3, "seats": SEATS}, "round_skipped", "number"),
    "a huge number": ({"number": 10**400, "seats": SEATS}, "round_skipped", "number"),
    "no seats": ({"number": 2}, "not_a_round", "seats"),
    "seats are a list": ({"number": 2, "seats": {}}, "not_a_round", "seats"),
    "a seat is an object": ({"number": 2, "seats": [1, 2]}, "not_a_round", "player"),
    "nobody sits there": ({"number": 2, "seats": [{"points": 1}]}, "not_a_round", "player"),
    "true is nobody": ({"number": 2, "seats": [{"player": True}]}, "not_a_round", "player"),
    "a stranger": ({"number": 2, "seats": [{"player": 9}]}, "bad_seat", "player"),
    "nobody is 0": ({"number": 2, "seats": [{"player": 0}]}, "bad_seat", "player"),
    "two seats": ({"number": 2, "seats": [SEATS[0], SEATS[0]]}, "bad_seat", "player"),
    "no such dealer": ({"number": 2, "dealer": 2, "seats": SEATS}, "bad_seat", "dealer"),
    "too few": ({"number": 2, "dealer": 0, "seats": SEATS[:1]}, "wrong_seats", None),
    "another game": ({"number": 2, "game": "kaga", "seats": SEATS}, "not_a_round", "game"),
    "rules of its own": ({"number": 2, "rules": {}, "seats": SEATS}, "not_a_round", "rules"),
    "a multiplier": ({"number": 2, "carried": [2], "seats": SEATS}, "not_a_round", "carried"),
    "case 07: does not add up": (
        {"number": 2, "seats": [{"player": 1, "points": 140}, {"player": 2, "points": 125}]},
        "deck_sum",
        None,
    ),
}


@pytest.mark.parametrize(("document", "code", "field"), REFUSED.values(), ids=REFUSED)
def test_refused(table, document, code, field):
    table.start("bakappana", "Aki", "Ben")
    table.records(140, 124)
    before = everything()
    with pytest.raises(RuleError) as refusal:
        ledger.record(table.id, document, key="tap")
    assert refusal.value.code == code
    assert field is None or refusal.value.field == field
    assert refusal.value.message.endswith(".")
    assert everything() == before


def test_no_such_series(table):
    with pytest.raises(ledger.UnknownSeries):
        ledger.record("nowhere", {})
    with pytest.raises(ledger.UnknownSeries):
        ledger.read("nowhere")
    with pytest.raises(ledger.UnknownSeries):
        ledger.version_of("nowhere")


def test_rules_that_do_not_balance_are_not_booked(table, monkeypatch):
    table.start("bakappana", "Aki", "Ben")
    told = answer(ledger.preview(table.book, table.document(140, 124)))
    monkeypatch.setattr("scorekeeper.ledger.entry.settle", lambda *_: {**told, "amounts": [8, -7]})
    before = everything()
    with pytest.raises(ledger.LedgerError):
        table.records(140, 124)
    assert everything() == before


# --- Several phones -------------------------------------------------------------------------------


@pytest.mark.parametrize("trial", range(5))
def test_four_phones_record_the_same_round(app, table, trial):
    """P4: exactly one is stored, and the others are shown it."""
    table.start("bakappana", "Aki", "Ben")
    documents = [{"number": 1, **table.document(140 + n, 124 - n)} for n in range(4)]
    together = threading.Barrier(4)
    outcomes: list[object] = []

    def phone(document):
        with app.app_context():
            together.wait()
            try:
                outcomes.append(ledger.record(table.id, document).round)
            except ledger.AlreadyRecorded as shown:
                outcomes.append(shown)

    phones = [threading.Thread(target=phone, args=(document,)) for document in documents]
    for thread in phones:
        thread.start()
    for thread in phones:
        thread.join()
    (stored,) = [outcome for outcome in outcomes if isinstance(outcome, ledger.Round)]
    shown = [outcome for outcome in outcomes if isinstance(outcome, ledger.AlreadyRecorded)]
    assert [conflict.round for conflict in shown] == [stored] * 3
    assert table.book.rounds == (stored,)
    with reading() as books:
        assert [*revisions(books, table.id)] == [stored]


@pytest.mark.parametrize("trial", range(5))
def test_one_tap_that_arrives_four_times(app, table, trial):
    table.start("bakappana", "Aki", "Ben")
    document = {"number": 1, **table.document(140, 124)}
    together = threading.Barrier(4)
    outcomes: list[ledger.Recorded] = []

    def tap():
        with app.app_context():
            together.wait()
            outcomes.append(ledger.record(table.id, document, key="one tap"))

    taps = [threading.Thread(target=tap) for _ in range(4)]
    for thread in taps:
        thread.start()
    for thread in taps:
        thread.join()
    assert sorted(outcome.repeated for outcome in outcomes) == [False, True, True, True]
    assert [outcome.round for outcome in outcomes] == [*table.book.rounds] * 4
    assert table.book.version == 2
