"""Withdrawing, players, finishing, house rules and the history, over HTTP."""

import pytest

from ..conftest import everything
from .conftest import refusal


@pytest.fixture
def played(bakappana):
    bakappana.records(100, 84, 80)
    bakappana.records(80, 84, 100)
    return bakappana


# --- DELETE /rounds/N -----------------------------------------------------------------------------


def withdraw(phone, number, revision='"1"'):
    headers = {} if revision is None else {"If-Match": revision}
    return phone.sends("DELETE", f"/rounds/{number}", headers=headers)


def test_the_last_round_is_withdrawn_and_recorded_again(played):
    last = played.looks().json["rounds"][1]
    answer = withdraw(played, 2)
    assert (answer.status_code, answer.json) == (200, {**last, "withdrawn": True})
    assert [one["number"] for one in played.looks().json["rounds"]] == [1]
    again = played.records(88, 90, 86)
    assert (again.status_code, again.json["number"], again.json["revision"]) == (201, 2, 2)


def test_another_round_is_not(played):
    before = everything()
    assert refusal(withdraw(played, 1)) == (409, "not_last")
    assert refusal(withdraw(played, 3)) == (404, "not_found")
    assert refusal(withdraw(played, 2, None)) == (428, "no_revision")
    stale = withdraw(played, 2, '"7"')
    assert refusal(stale) == (412, "stale")
    assert stale.json["round"] == played.looks().json["rounds"][1]
    assert everything() == before


def test_a_second_delete_finds_nothing(played):
    withdraw(played, 2)
    assert refusal(withdraw(played, 2)) == (404, "not_found")
    assert len(played.looks().json["rounds"]) == 1


# --- Players --------------------------------------------------------------------------------------


def test_somebody_joins(played):
    answer = played.sends("POST", "/players", json={"name": " Dan "})
    assert (answer.status_code, answer.json) == (201, {"id": 4, "name": "Dan", "left": False})
    assert played.looks().json["players"][3] == answer.json
    assert played.looks().json["totals"][3]["amount"] == 0


@pytest.mark.parametrize("changes", [{"name": "Benno"}, {"left": True}, {"left": False}])
def test_somebody_is_renamed_leaves_or_comes_back(played, changes):
    answer = played.sends("PATCH", "/players/2", json=changes)
    expected = {"id": 2, "name": "Ben", "left": False, **changes}
    assert (answer.status_code, answer.json) == (200, expected)
    assert played.looks().json["players"][1] == expected


PLAYERS_REFUSED = {
    "no JSON": (b"name=Dan", "not_a_player"),
    "a list": (["Dan"], "not_a_player"),
    "nothing": ({}, "not_a_player"),
    "something else": ({"name": "Dan", "id": 7}, "not_a_player"),
    "no text": ({"name": 7}, "bad_name"),
    "null": ({"name": None}, "bad_name"),
    "taken": ({"name": "chie"}, "name_taken"),
}


@pytest.mark.parametrize(("body", "code"), PLAYERS_REFUSED.values(), ids=PLAYERS_REFUSED)
@pytest.mark.parametrize("call", [("POST", "/players"), ("PATCH", "/players/2")], ids=" ".join)
def test_players_refused(played, call, body, code):
    sent = {"data": body} if isinstance(body, bytes) else {"json": body}
    before = everything()
    assert refusal(played.sends(*call, **sent)) == (422, code)
    assert everything() == before


def test_left_is_true_or_false(played):
    wrong: list[object] = [1, "yes", []]
    for left in wrong:
        answer = played.sends("PATCH", "/players/2", json={"left": left})
        assert refusal(answer) == (422, "not_a_player")


@pytest.mark.parametrize("player", ["0", "4", "99999999999999999999"])
def test_no_such_player(played, player):
    answer = played.sends("PATCH", f"/players/{player}", json={"name": "Dan"})
    assert refusal(answer) == (404, "not_found")


# --- PATCH /series/ID -----------------------------------------------------------------------------


def change(phone, **changes):
    return phone.sends("PATCH", "", "manage", json=changes)


def test_finished_and_reopened(played):
    answer = change(played, state="finished")
    assert (answer.status_code, answer.json) == (200, played.looks("manage").json)
    assert answer.json["state"] == "finished"
    assert refusal(played.records(100, 84, 80)) == (409, "finished")
    assert refusal(withdraw(played, 2)) == (409, "finished")
    assert refusal(played.sends("POST", "/players", json={"name": "Dan"})) == (409, "finished")
    assert change(played, state="open").json["state"] == "open"
    assert played.records(100, 84, 80).status_code == 201


def test_new_house_rules_hold_from_the_next_round(played):
    answer = change(played, rules={"settlement": "makatsu"})
    assert answer.json["rules"] == {"settlement": "makatsu"}
    assert played.records(100, 84, 80).json["result"]["amounts"] == [2, -1, -1]
    corrected = played.corrects(1, 84, 100, 80)
    assert corrected.json["result"]["amounts"] == [-4, 12, -8]
    assert {total["unit"] for total in played.looks().json["totals"]} == {"points", "shares"}


def test_rounds_that_wait_for_a_phone(played):
    """A secret is no phone: it neither proposes a round nor says yes to one."""
    assert not played.looks().json["confirm"]
    assert played.sends("PATCH", "", "manage", json={"confirm": True}).json["confirm"]
    before = everything()
    assert refusal(played.records(88, 90, 86)) == (409, "needs_confirmation")
    assert refusal(played.sends("PATCH", "", "manage", json={"confirm": "no"})) == (
        422,
        "not_a_series",
    )
    assert everything() == before
    played.sends("PATCH", "", "manage", json={"confirm": False})
    assert played.records(88, 90, 86).status_code == 201


def test_another_length(played):
    assert change(played, length=15).json["length"] == 15
    assert change(played, length=None).json["length"] is None


SERIES_REFUSED = {
    "no JSON": (b"{", "not_a_series"),
    "nothing": ({}, "not_a_series"),
    "something else": ({"game": "kaga"}, "not_a_series"),
    "a state": ({"state": "paused"}, "bad_state"),
    "no state": ({"state": ["open"]}, "bad_state"),
    "rules": ({"rules": []}, "not_a_series"),
    "a rule": ({"rules": {"jokers": 1}}, "unknown_rule"),
    "half a round": ({"length": 1.5}, "not_a_series"),
    "too short": ({"length": 1}, "bad_length"),
    "too long": ({"length": 10**30}, "bad_length"),
    "none at all": ({"length": 0}, "bad_length"),
}


@pytest.mark.parametrize(("body", "code"), SERIES_REFUSED.values(), ids=SERIES_REFUSED)
def test_changes_refused(played, body, code):
    sent = {"data": body} if isinstance(body, bytes) else {"json": body}
    before = everything()
    assert refusal(played.sends("PATCH", "", "manage", **sent)) == (422, code)
    assert everything() == before


@pytest.mark.parametrize("length", [0, 1, 1.5, 10**30])
def test_a_length_refused_is_named_as_it_was_sent(played, length):
    assert change(played, length=length).json["error"]["field"] == "length"


# --- Reasons and history --------------------------------------------------------------------------


def test_the_history(played):
    played.corrects(2, 80, 86, 98, reason="counted twice")
    events = played.sends("GET", "/history", "view").json["events"]
    assert [event["number"] for event in events] == [4, 3, 2, 1]
    newest = events[0]
    assert set(newest) == {
        *("number", "kind", "at", "by", "player", "text", "details", "reason", "before", "after"),
        "undoes",
    }
    assert (newest["kind"], newest["reason"]) == ("corrected", "counted twice")
    assert newest["text"] == "Round 2 was corrected."
    before, after = (newest[side]["rounds"][0] for side in ("before", "after"))
    assert [one["amount"] for one in before["amounts"]] == [-8, -4, 12]
    assert [one["amount"] for one in after["amounts"]] == [-8, -2, 10]
    assert (before["revision"], after["revision"]) == (1, 2)
    assert events[-1]["after"]["players"] == [1, 2, 3]


def test_older_events(played):
    for query, numbers in (("?before=3", [2, 1]), ("?before=1", []), ("?before=99", [3, 2, 1])):
        answer = played.sends("GET", f"/history{query}", "view")
        assert [event["number"] for event in answer.json["events"]] == numbers
    assert refusal(played.sends("GET", "/history?before=x", "view")) == (422, "bad_number")


def test_a_reason_is_no_part_of_the_entry(played):
    answer = played.corrects(2, 80, 86, 98, reason="counted twice")
    assert "reason" not in answer.json["entry"]
    assert refusal(played.corrects(2, 80, 86, 98, revision='"2"', reason=7)) == (422, "bad_reason")
