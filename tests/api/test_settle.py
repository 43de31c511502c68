"""POST /settle: one round, no series, no secret."""

import pytest

from ..conftest import everything
from .conftest import refusal

ROUND = {"game": "bakappana", "seats": [{"points": 100}, {"points": 84}, {"points": "rest"}]}


@pytest.fixture
def kind() -> str:
    """No database has a part in this."""
    return "sqlite"


def settle(phone, **sent):
    return phone.client.post("/api/v1/settle", **sent)


def test_a_round(phone):
    answer = settle(phone, json=ROUND)
    assert (answer.status_code, answer.json["amounts"]) == (200, [12, -4, -8])
    assert answer.json["working"]


def test_the_content_type_does_not_matter(phone):
    answer = settle(phone, data='{"game": "kaga", "end": "void", "seats": [{}, {}]}')
    assert (answer.status_code, answer.json["amounts"]) == (200, [0, 0])


def test_the_working_speaks_the_readers_language(phone, monkeypatch):
    asked = []

    class Marked:
        def __init__(self, language):
            asked.append(language)

        def gettext(self, message):
            return f"[{asked[-1]}] {message}"

    monkeypatch.setattr("scorekeeper.api.translator", Marked)
    for wanted in ("ja", "ja-JP,en;q=0.5", "fr, en;q=0.3, ja;q=0.2", "fr", None, "*", ";;"):
        headers = {} if wanted is None else {"Accept-Language": wanted}
        phone.client.post("/api/v1/settle", json=ROUND, headers=headers)
    assert asked == ["ja", "ja", "en", "en", "en", "en", "en"]
    answer = phone.client.post("/api/v1/settle", json=ROUND, headers={"Accept-Language": "ja"})
    assert all(line.startswith("[ja] ") for line in answer.json["working"])


REFUSED = {
    "nothing": (b"", "not_a_round"),
    "no JSON": (b"{", "not_a_round"),
    "no text": (b"\xff\xfe\xfa", "not_a_round"),
    "a list": (b"[]", "not_a_round"),
    "a number": (b"7", "not_a_round"),
    "not a number": (b'{"game": NaN}', "not_a_round"),
    "infinite": (b'{"game": 1e999}', "not_a_round"),
    "too deep": (b"[" * 60_000, "not_a_round"),
    "too long a number": (b"1" * 60_000, "not_a_round"),
    "no game": (b'{"seats": []}', "not_a_round"),
    "another game": (b'{"game": "poker", "seats": []}', "unknown_game"),
}


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(phone, body, code):
    assert refusal(settle(phone, data=body)) == (422, code)


def test_a_refusal_points_at_its_place(phone):
    document = {**ROUND, "seats": [{"points": 100}, {"points": 84}, {"points": -1}]}
    error = settle(phone, json=document).json["error"]
    assert (error["code"], error["seat"], error["field"]) == ("bad_points", 2, "points")


def test_too_large(phone):
    assert refusal(settle(phone, data=b" " * (64 * 1024 + 1))) == (413, "too_large")
    assert settle(phone, data=b" " * (64 * 1024)).status_code == 422


def test_other_methods(phone):
    answer = phone.client.get("/api/v1/settle")
    assert refusal(answer) == (405, "wrong_method")
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize("path", ["/api/v1/settl", "/api/v1/", "/api/v2/settle", "/api/"])
def test_other_addresses(phone, path):
    assert refusal(phone.client.post(path)) == (404, "not_found")


def test_it_writes_nothing(phone):
    before = everything()
    settle(phone, json=ROUND)
    assert everything() == before
