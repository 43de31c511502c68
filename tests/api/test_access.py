"""P8: every call of a series, by every kind of secret, for this series and for another."""

import pytest
from flask import Flask

from ..conftest import everything
from .conftest import Phone, refusal

# method and address -> the weakest role that may, and what is sent
CALLS: dict[tuple[str, str], tuple[str, dict | None]] = {
    ("GET", "/api/v1/series/<series_id>"): ("view", None),
    ("GET", "/api/v1/series/<series_id>/history"): ("view", None),
    ("GET", "/api/v1/series/<series_id>/events"): ("view", None),
    ("POST", "/api/v1/series/<series_id>/rounds"): ("enter", {"number": 2}),
    ("PUT", "/api/v1/series/<series_id>/rounds/<int:number>"): ("enter", {}),
    ("DELETE", "/api/v1/series/<series_id>/rounds/<int:number>"): ("enter", None),
    ("POST", "/api/v1/series/<series_id>/players"): ("enter", {"name": "Gen"}),
    ("PATCH", "/api/v1/series/<series_id>/players/<int:player>"): ("enter", {"left": True}),
    ("POST", "/api/v1/series/<series_id>/secrets/<role>"): ("manage", None),
    ("PATCH", "/api/v1/series/<series_id>"): ("manage", {"state": "finished"}),
}
OPEN = {
    ("GET", "/api/v1/openapi.json"),
    ("POST", "/api/v1/settle"),
    ("POST", "/api/v1/series"),
}

ROLES = ["view", "enter", "manage"]


def test_the_table_has_every_call(app: Flask):
    there = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert there == {*CALLS, *OPEN}


def calls(phone: Phone, call: tuple[str, str], authorization: str | None, **more):
    method, address = call
    _, body = CALLS[call]
    if body is not None and "/rounds" in address:
        body = phone.document(84, 100, 80, **body)
    return phone.client.open(
        path_of(phone, address),
        method=method,
        headers={
            **({} if authorization is None else {"Authorization": authorization}),
            "If-Match": '"1"',
        },
        json=body,
    )


def path_of(phone: Phone, address: str) -> str:
    path = address.replace("<series_id>", phone.id)
    for part, value in (("<int:number>", "1"), ("<int:player>", "1"), ("<role>", "view")):
        path = path.replace(part, value)
    return path


@pytest.fixture
def played(bakappana: Phone) -> Phone:
    bakappana.records(100, 84, 80)
    return bakappana


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize("role", ROLES)
def test_a_secret_of_this_series(played, call, role):
    before = everything()
    answer = calls(played, call, f"Bearer {played.secrets[role]}")
    if ROLES.index(role) >= ROLES.index(CALLS[call][0]):
        assert answer.status_code in (200, 201)
    else:
        assert refusal(answer) == (403, "not_allowed")
        assert everything() == before


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_secret_of_another_series_is_like_an_unknown_one(app, played, call):
    other = Phone(app)
    other.starts("bakappana", "Dan", "Eri", "Fumi")
    before = everything()
    unknown = calls(played, call, f"Bearer {'A' * 43}")
    for role in ROLES:
        answer = calls(played, call, f"Bearer {other.secrets[role]}")
        assert refusal(answer) == refusal(unknown) == (404, "not_found")
        assert (answer.data, dict(answer.headers)) == (unknown.data, dict(unknown.headers))
    assert everything() == before


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_no_such_series(played, call):
    played.id = "nowhere"
    answer = calls(played, call, f"Bearer {played.secrets['manage']}")
    assert refusal(answer) == (404, "not_found")


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_no_secret(played, call):
    before = everything()
    for authorization in (None, "", "Bearer", "Bearer ", "Basic QTpC", "Token x"):
        answer = calls(played, call, authorization)
        assert refusal(answer) == (401, "no_secret")
        assert answer.headers["WWW-Authenticate"].lower().startswith("bearer")
    assert everything() == before


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_secret_in_path_query_or_cookie_is_no_secret(played, call):
    method, address = call
    secret = played.secrets["manage"]
    path = path_of(played, address)
    played.client.set_cookie("secret", secret)
    answer = played.client.open(f"{path}?secret={secret}&access_token={secret}", method=method)
    assert refusal(answer) == (401, "no_secret")


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer "])
def test_the_scheme_is_read_forgivingly(played, scheme):
    answer = played.sends(
        "GET", "", None, headers={"Authorization": f"{scheme} {played.secrets['view']}"}
    )
    assert answer.status_code == 200


def test_the_api_needs_no_token_of_a_form(played):
    """Pages refuse a form without its token; the API has none, and takes no cookie."""
    assert played.client.application.config.get("WTF_CSRF_ENABLED", True)
    assert played.records(100, 84, 80).status_code == 201
