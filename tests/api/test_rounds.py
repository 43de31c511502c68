"""POST /series/ID/rounds and PUT /series/ID/rounds/N."""

import pytest

from ..conftest import everything
from .conftest import refusal


def test_a_round_is_recorded(bakappana):
    answer = bakappana.records(100, 84, 80)
    assert answer.status_code == 201
    assert (answer.json["number"], answer.json["revision"]) == (1, 1)
    assert answer.json["result"]["amounts"] == [12, -4, -8]
    assert bakappana.looks().json["rounds"] == [answer.json]


def test_case_10(phone):
    phone.starts("bakappana", *"ABCDE")
    phone.records(100, 84, 80)
    seats = [
        {"player": 1, "points": 70},
        {"player": 4, "points": 104},
        {"player": 5, "points": 90},
    ]
    answer = phone.records(seats=seats)
    assert answer.json["result"]["amounts"] == [-18, 16, 2]
    totals = phone.looks().json["totals"]
    assert [total["amount"] for total in totals] == [-6, -4, -8, 16, 2]
    assert [total["place"] for total in totals] == [4, 3, 5, 1, 2]


def test_a_repetition_answers_the_first_result(bakappana):
    document = bakappana.document(100, 84, 80, number=1)
    sent = {"json": document, "headers": {"Idempotency-Key": "one tap"}}
    first = bakappana.sends("POST", "/rounds", **sent)
    before = everything()
    again = bakappana.sends("POST", "/rounds", **sent)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json == first.json
    assert everything() == before


def test_a_key_is_for_one_body(bakappana):
    bakappana.records(100, 84, 80, key="one tap")
    before = everything()
    assert refusal(bakappana.records(100, 84, 80, key="one tap")) == (422, "key_reused")
    assert everything() == before


def test_a_key_can_be_too_long(bakappana):
    assert refusal(bakappana.records(100, 84, 80, key="x" * 201)) == (422, "bad_key")


def test_a_number_recorded_already_answers_that_round(bakappana):
    first = bakappana.records(100, 84, 80).json
    before = everything()
    answer = bakappana.records(80, 84, 100, number=1)
    assert refusal(answer) == (409, "already_recorded")
    assert answer.json["round"] == first
    assert everything() == before


REFUSED = {
    "no JSON": (b"{", "not_a_round"),
    "a list": ([], "not_a_round"),
    "a number skipped": ({"number": 3, "seats": [{"player": 1}]}, "round_skipped"),
    "no number": ({"seats": [{"player": 1}]}, "not_a_round"),
    "a stranger": ({"number": 1, "seats": [{"player": 7}]}, "bad_seat"),
    "alone": ({"number": 1, "seats": [{"player": 1, "points": 264}]}, "wrong_seats"),
    "rules of its own": ({"number": 1, "rules": {}, "seats": [{"player": 1}]}, "not_a_round"),
    "does not add up": (
        {"number": 1, "seats": [{"player": n, "points": 80} for n in (1, 2, 3)]},
        "deck_sum",
    ),
    "no such dealer": (
        {"number": 1, "dealer": 3, "seats": [{"player": n, "points": 88} for n in (1, 2, 3)]},
        "bad_seat",
    ),
}


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(bakappana, body, code):
    sent = {"data": body} if isinstance(body, bytes) else {"json": body}
    before = everything()
    assert refusal(bakappana.sends("POST", "/rounds", **sent)) == (422, code)
    assert everything() == before


def test_too_large(bakappana):
    for method, path in ("POST", "/rounds"), ("PUT", "/rounds/1"):
        answer = bakappana.sends(
            method, path, data=b" " * (64 * 1024 + 1), headers={"If-Match": '"1"'}
        )
        assert refusal(answer) == (413, "too_large")


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/rounds"), ("GET", "/rounds"), ("POST", "/rounds/1")]
)
def test_other_methods(bakappana, method, path):
    assert refusal(bakappana.sends(method, path)) == (405, "wrong_method")


# --- Correcting -----------------------------------------------------------------------------------


def test_a_round_is_corrected(bakappana):
    """Case 12."""
    bakappana.records(88, 92, 84)
    answer = bakappana.corrects(1, 98, 82, 84)
    assert answer.status_code == 200
    assert (answer.json["number"], answer.json["revision"]) == (1, 2)
    assert answer.json["result"]["amounts"] == [10, -6, -4]
    assert (answer.json["resettled"], answer.json["warning"]) == ([], None)
    totals = bakappana.looks().json["totals"]
    assert [(total["amount"], total["place"]) for total in totals] == [(10, 1), (-6, 3), (-4, 2)]


def test_another_dealer_is_warned_about(bakappana):
    bakappana.records(88, 92, 84)
    bakappana.records(100, 84, 80)
    assert "Aki would have dealt round 2" in bakappana.corrects(1, 98, 82, 84).json["warning"]


def test_rounds_settled_again_are_listed(phone):
    """Case 05: what the field of round 1 carries, round 2 counts."""
    phone.starts("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    phone.records(100, 84, 80, field="8B 12B")
    assert phone.looks().json["carry"] == [2]
    phone.records(100, 84, 80)
    answer = phone.corrects(1, 100, 84, 80, field="12B")
    (later,) = answer.json["resettled"]
    assert (later["number"], later["revision"]) == (2, 2)
    assert later["result"]["amounts"] == [12, -4, -8]
    assert later == phone.looks().json["rounds"][1]


@pytest.mark.parametrize("revision", ['"1"', '"3"', "x", "*", 'W/"2"', '"99999999999"'])
def test_an_old_revision_answers_the_current_one(bakappana, revision):
    bakappana.records(88, 92, 84)
    current = bakappana.corrects(1, 98, 82, 84).json
    before = everything()
    answer = bakappana.corrects(1, 84, 92, 88, revision=revision)
    assert refusal(answer) == (412, "stale")
    assert answer.json["round"] == {
        key: current[key] for key in current if key not in ("resettled", "warning")
    }
    assert everything() == before


def test_a_correction_says_what_it_has_seen(bakappana):
    bakappana.records(88, 92, 84)
    assert refusal(bakappana.corrects(1, 98, 82, 84, revision=None)) == (428, "no_revision")


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999"])
def test_no_such_round(bakappana, number):
    bakappana.records(88, 92, 84)
    assert refusal(bakappana.corrects(number, 98, 82, 84)) == (404, "not_found")


def test_a_repeated_correction_answers_the_first_result(bakappana):
    bakappana.records(88, 92, 84)
    bakappana.records(90, 90, 84)
    first = bakappana.corrects(1, 98, 82, 84, reason="swapped", key="one tap")
    assert "Aki would have dealt round 2" in first.json["warning"]
    before = everything()
    again = bakappana.corrects(1, 98, 82, 84, reason="swapped", key="one tap")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json == first.json
    assert everything() == before


def test_a_key_is_for_one_correction(bakappana):
    bakappana.records(100, 84, 80)
    bakappana.corrects(1, 98, 82, 84, key="one tap")
    before = everything()
    other = bakappana.corrects(1, 82, 98, 84, revision='"2"', key="one tap")
    assert refusal(other) == (422, "key_reused")
    assert refusal(bakappana.corrects(1, 82, 98, 84, key="x" * 201)) == (422, "bad_key")
    assert everything() == before


def test_a_correction_is_checked_like_a_round(bakappana):
    bakappana.records(88, 92, 84)
    before = everything()
    assert refusal(bakappana.corrects(1, 98, 92, 84)) == (422, "deck_sum")
    assert everything() == before


def test_a_correction_is_of_the_round_of_its_address(bakappana):
    bakappana.records(88, 92, 84)
    bakappana.records(100, 84, 80)

    def corrects(number):
        document = bakappana.document(98, 82, 84, number=number)
        return bakappana.sends("PUT", "/rounds/1", json=document, headers={"If-Match": '"1"'})

    before = everything()
    for number in (2, 0, None, "1", True, 1.0):
        answer = corrects(number)
        assert refusal(answer) == (422, "bad_number")
        assert answer.json["error"]["field"] == "number"
    assert everything() == before
    assert corrects(1).status_code == 200


def test_refusals_speak_the_readers_language(bakappana, monkeypatch):
    class Marked:
        def gettext(self, message):
            return f"[marked] {message}"

    monkeypatch.setattr("scorekeeper.api.translator", lambda language: Marked())
    for answer in (
        bakappana.sends("GET", "", None),
        bakappana.sends("GET", "/nowhere"),
        bakappana.records(100, 84, 81),
    ):
        assert answer.json["error"]["message"].startswith("[marked] ")
