"""POST /series and GET /series/ID."""

import pytest

from scorekeeper import create_app, ledger

from ..conftest import close, everything
from .conftest import Phone, refusal


def test_a_series_is_started(phone):
    answer = phone.starts("bakappana", "Aki", "Ben", "Chie", rules={"tie": "nobody"}, rounds=12)
    assert answer.status_code == 201
    assert set(answer.json) == {"id", "secrets", "links"}
    assert set(answer.json["secrets"]) == {"view", "enter", "manage"}
    for role, secret in answer.json["secrets"].items():
        assert ledger.find_secret(secret) == (phone.id, role)
        assert answer.json["links"][role] == f"http://localhost/j#{secret}"


@pytest.mark.parametrize("public", ["https://example.org/hana", "https://example.org/hana/"])
def test_links_use_the_public_address(tmp_path, public):
    app = create_app({"DATA": tmp_path, "PUBLIC_URL": public})
    answer = Phone(app).starts("kaga", "Hana", "Ren")
    assert answer.json["links"]["view"].startswith("https://example.org/hana/j#")
    close(app)


@pytest.mark.parametrize(("proxies", "address"), [(0, "http://localhost/j#"), (1, "https://h/j#")])
def test_forwarding_headers_are_believed_when_there_is_a_proxy(tmp_path, proxies, address):
    app = create_app({"DATA": tmp_path, "PROXIES": proxies})
    answer = app.test_client().post(
        "/api/v1/series",
        json={"game": "kaga", "players": ["Hana", "Ren"]},
        headers={"X-Forwarded-Proto": "https", "X-Forwarded-Host": "h"},
    )
    assert answer.json["links"]["view"].startswith(address)
    close(app)


REFUSED = {
    "no JSON": (b"game=kaga", "not_a_series"),
    "a list": ([], "not_a_series"),
    "no game": ({"players": ["Aki", "Ben"]}, "not_a_series"),
    "no text": ({"game": ["kaga"], "players": ["Aki", "Ben"]}, "not_a_series"),
    "no players": ({"game": "kaga"}, "not_a_series"),
    "players in a row": ({"game": "kaga", "players": "AkiBen"}, "not_a_series"),
    "rules in a row": (
        {"game": "kaga", "players": ["Aki", "Ben"], "rules": []},
        "not_a_series",
    ),
    "half a round": ({"game": "kaga", "players": ["Aki", "Ben"], "rounds": 1.5}, "not_a_series"),
    "a true length": ({"game": "kaga", "players": ["Aki", "Ben"], "rounds": True}, "not_a_series"),
    "another game": ({"game": "poker", "players": ["Aki", "Ben"]}, "unknown_game"),
    "another rule": (
        {"game": "kaga", "players": ["Aki", "Ben"], "rules": {"jokers": 1}},
        "unknown_rule",
    ),
    "too long": ({"game": "kaga", "players": ["Aki", "Ben"], "rounds": 10**30}, "bad_length"),
    "alone": ({"game": "kaga", "players": ["Aki"]}, "wrong_seats"),
    "a bad name": ({"game": "kaga", "players": ["Aki", "\0"]}, "bad_name"),
    "half a character": (b'{"game": "kaga", "players": ["Aki", "\\ud800"]}', "bad_name"),
    "the same name": ({"game": "kaga", "players": ["Aki", "aki"]}, "name_taken"),
}


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(phone, body, code):
    sent = {"data": body} if isinstance(body, bytes) else {"json": body}
    before = everything()
    assert refusal(phone.client.post("/api/v1/series", **sent)) == (422, code)
    assert everything() == before


def test_too_large(phone):
    answer = phone.client.post("/api/v1/series", data=b" " * (64 * 1024 + 1))
    assert refusal(answer) == (413, "too_large")


# --- Looking --------------------------------------------------------------------------------------


def test_a_series_before_its_first_round(phone):
    phone.starts("bakappana", "Aki", "Ben", rules={"tie": "nobody"}, rounds=12)
    assert phone.looks().json == {
        "id": phone.id,
        "game": "bakappana",
        "rules": {"tie": "nobody"},
        "length": 12,
        "confirm": False,
        "state": "open",
        "players": [
            {"id": 1, "name": "Aki", "left": False},
            {"id": 2, "name": "Ben", "left": False},
        ],
        "rounds": [],
        "totals": [
            {"player": 1, "amount": 0, "unit": "points", "place": 1},
            {"player": 2, "amount": 0, "unit": "points", "place": 1},
        ],
        "next_dealer": 1,
        "carry": [],
        "version": 1,
        "role": "view",
    }


def test_a_series_with_a_round(bakappana):
    bakappana.records(84, 100, 80)
    series = bakappana.looks("manage").json
    (played,) = series["rounds"]
    assert set(played) == {"number", "revision", "entry", "result", "by", "at"}
    assert played["entry"] == {
        "dealer": 0,
        "seats": [
            {"player": 1, "points": 84},
            {"player": 2, "points": 100},
            {"player": 3, "points": 80},
        ],
    }
    assert played["result"]["amounts"] == [-4, 12, -8]
    assert any("Ben" in line for line in played["result"]["working"])
    assert (played["number"], played["revision"], played["by"]) == (1, 1, None)
    assert played["at"].endswith("Z")
    assert [(total["player"], total["amount"], total["place"]) for total in series["totals"]] == [
        (1, -4, 2),
        (2, 12, 1),
        (3, -8, 3),
    ]
    assert (series["next_dealer"], series["version"], series["role"]) == (2, 2, "manage")


def test_an_entry_can_be_sent_back(bakappana):
    bakappana.records(84, 100, 80)
    (played,) = bakappana.looks().json["rounds"]
    answer = bakappana.sends("PUT", "/rounds/1", json=played["entry"], headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.json["entry"]) == (200, played["entry"])


def test_the_newest_rounds_and_older_ones(app, bakappana):
    for number in range(1, 54):
        ledger.record(bakappana.id, bakappana.document(100, 84, 80, number=number))
    pages = [
        [played["number"] for played in bakappana.looks(query=query).json["rounds"]]
        for query in ("", "?before=4", "?before=1", "?before=53", "?before=999999999")
    ]
    assert pages == [[*range(4, 54)], [1, 2, 3], [], [*range(3, 53)], [*range(4, 54)]]


@pytest.mark.parametrize("before", ["", "x", "-1", "1.5", "１", "9" * 30])
def test_before_is_a_number(bakappana, before):
    assert refusal(bakappana.looks(query=f"?before={before}")) == (422, "bad_number")


def test_nothing_new_is_304(bakappana):
    first = bakappana.looks()
    tag = first.headers["ETag"]
    again = bakappana.looks(**{"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == tag
    bakappana.records(100, 84, 80)
    news = bakappana.looks(**{"If-None-Match": tag})
    assert (news.status_code, len(news.json["rounds"])) == (200, 1)
    assert news.headers["ETag"] != tag


def test_another_reader_is_another_answer(bakappana):
    tag = bakappana.looks("view").headers["ETag"]
    assert bakappana.looks("enter", **{"If-None-Match": tag}).status_code == 200
    in_japanese = {"If-None-Match": tag, "Accept-Language": "ja"}
    assert bakappana.looks("view", **in_japanese).status_code == 200


def test_looking_changes_nothing(bakappana):
    bakappana.records(100, 84, 80)
    before = everything()
    bakappana.looks()
    bakappana.sends("HEAD", "")
    assert everything() == before
