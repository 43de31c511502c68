"""The OpenAPI document is true: every call is in it, and what is answered is what it says."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import api
from scorekeeper.openapi import described
from scorekeeper.rules.games import GAMES

from .conftest import Phone
from .test_access import CALLS, OPEN

DOCUMENT = described("http://localhost")
KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


@pytest.fixture
def kind() -> str:
    return "sqlite"


# --- A reader of schemas, of as much of them as the document uses ---------------------------------


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        found: Any = DOCUMENT
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


UNDERSTOOD = {
    *("type", "enum", "const", "oneOf", "properties", "required", "additionalProperties"),
    *("items", "minimum", "maximum", "maxItems", "format", "description", "$ref"),
}


def faults(value: Any, schema: dict[str, Any], at: str = "") -> Iterator[str]:
    """What in a value is not as its schema says."""
    schema = resolved(schema)
    assert set(schema) <= UNDERSTOOD, set(schema) - UNDERSTOOD
    if "oneOf" in schema:
        fitting = [one for one in schema["oneOf"] if not [*faults(value, one)]]
        if len(fitting) != 1:
            yield f"{at}: {len(fitting)} fit"
        return
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(type(value) is KINDS[kind] for kind in kinds):
        yield f"{at}: {value!r} is not {kinds}"
        return
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        yield f"{at}: {value!r} is none of those"
    if isinstance(value, int) and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
    ):
        yield f"{at}: {value} is too small or large"
    if isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            yield f"{at}: too many"
        for number, one in enumerate(value):
            yield from faults(one, schema.get("items", {}), f"{at}/{number}")
    if isinstance(value, dict):
        yield from (f"{at}: no {key}" for key in schema.get("required", ()) if key not in value)
        known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key, one in value.items():
            if key not in known and others is False:
                yield f"{at}: {key} is not described"
            elif key in known or isinstance(others, dict):
                yield from faults(one, known.get(key, others), f"{at}/{key}")


def operation(method: str, rule: str) -> dict[str, Any]:
    return DOCUMENT["paths"][re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule)][method.lower()]


def untrue(app: Flask, answer: TestResponse, document: dict[str, Any] = DOCUMENT) -> list[str]:
    """What of an answer is not as the document says."""
    request = answer.request
    adapter = app.url_map.bind("localhost")
    rule, _ = adapter.match(request.path, method=request.method, return_rule=True)
    path = re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule)
    responses = document["paths"][path][request.method.lower()]["responses"]
    described = responses.get(str(answer.status_code))
    if described is None:
        return [f"{answer.status_code} is not described"]
    content = resolved(described).get("content", {})
    if not content:
        return []
    if answer.mimetype not in content:
        return [f"{answer.mimetype} is not described"]
    return [*faults(answer.json, content[answer.mimetype]["schema"])]


# --- What is in it --------------------------------------------------------------------------------


def test_it_is_served_to_anybody(app: Flask) -> None:
    answer = app.test_client().get("/api/v1/openapi.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert answer.json == json.loads(json.dumps(DOCUMENT))


def calls(app: Flask) -> set[tuple[str, str]]:
    return {
        (method, re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }


def described_calls(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (method.upper(), path)
        for path, item in document["paths"].items()
        for method in item
        if method != "parameters"
    }


def test_every_call_is_in_it_and_no_other(app: Flask) -> None:
    assert described_calls(DOCUMENT) == calls(app)


def test_a_call_that_is_missing_would_be_missed(app: Flask) -> None:
    less = copy.deepcopy(DOCUMENT)
    del less["paths"]["/api/v1/series/{series_id}"]["patch"]
    assert described_calls(less) != calls(app)


def test_every_part_of_an_address_is_described() -> None:
    for path, item in DOCUMENT["paths"].items():
        given = {one["name"] for one in item.get("parameters", ()) if one["in"] == "path"}
        assert given == set(re.findall(r"\{(\w+)\}", path)), path


def test_every_reference_leads_somewhere() -> None:
    references = set(re.findall(r'"\$ref": "(.*?)"', json.dumps(DOCUMENT)))
    for reference in references:
        resolved({"$ref": reference})
    used = {reference.rpartition("/")[2] for reference in references}
    assert used == {*DOCUMENT["components"]["schemas"], *DOCUMENT["components"]["responses"]}


def test_every_operation_has_its_own_name() -> None:
    names = [
        item[method]["operationId"]
        for item in DOCUMENT["paths"].values()
        for method in item
        if method != "parameters"
    ]
    assert len(names) == len(set(names))
    assert all(callable(getattr(api, name)) for name in names)


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_who_may_not_is_told_as_described(call: tuple[str, str]) -> None:
    statuses = set(operation(*call)["responses"])
    assert {"401", "404"} <= statuses
    assert ("403" in statuses) == (CALLS[call][0] != "view")


@pytest.mark.parametrize("call", [*CALLS, *sorted(OPEN)], ids=" ".join)
def test_every_call_says_whether_it_needs_a_secret(call: tuple[str, str]) -> None:
    security = operation(*call).get("security", DOCUMENT["security"])
    assert ({"secret": []} in security) == (call in CALLS)


# --- What is answered -----------------------------------------------------------------------------


class Reader(Phone):
    """A phone that holds every answer against the document."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self.seen: set[tuple[str, str, int]] = set()
        send = self.client.open

        def read(*args: Any, **more: Any) -> TestResponse:
            answer = send(*args, **more)
            assert untrue(app, answer) == [], answer.data
            adapter = app.url_map.bind("localhost")
            method = answer.request.method
            rule, _ = adapter.match(answer.request.path, method=method, return_rule=True)
            self.seen.add((method, rule.rule, answer.status_code))
            return answer

        self.client.open = read  # type: ignore[method-assign]


@pytest.fixture
def reader(app: Flask) -> Reader:
    return Reader(app)


def test_an_evening_is_answered_as_described(reader: Reader) -> None:
    """Everything that a program would do in an evening, refusals included."""
    rules = {"multi_bright": "carry_over"}
    reader.starts("hachi-hachi", "Aki", "Ben", "Chie", rounds=12, rules=rules)
    reader.looks()
    reader.looks(**{"If-None-Match": reader.looks().headers["ETag"]})
    assert reader.records(100, 84, 80, field="8B 12B", key="tap").status_code == 201
    again = {"number": 1, **reader.document(100, 84, 80, field="8B 12B")}
    tap = {"Idempotency-Key": "tap"}
    assert reader.sends("POST", "/rounds", json=again, headers=tap).status_code == 200
    assert reader.sends("POST", "/rounds", json=again).status_code == 409
    assert reader.records(1, 2, 3).status_code == 422
    assert reader.records(90, 90, 84, dealer=1).status_code == 201
    assert reader.corrects(1, 80, 84, 100, field="12B", reason="swapped").json["resettled"]
    assert reader.corrects(1, 80, 84, 100).status_code == 412
    assert reader.corrects(1, 80, 84, 100, revision=None).status_code == 428
    assert reader.corrects(9, 80, 84, 100).status_code == 404
    stale, fresh = ({"If-Match": f'"{revision}"'} for revision in (7, 2))
    assert reader.sends("DELETE", "/rounds/2", headers=stale).status_code == 412
    assert reader.sends("DELETE", "/rounds/1", headers=fresh).status_code == 409
    assert reader.sends("DELETE", "/rounds/2").status_code == 428
    assert reader.sends("DELETE", "/rounds/2", headers=fresh).status_code == 200
    assert reader.sends("POST", "/players", json={"name": "Dai"}).status_code == 201
    assert reader.sends("POST", "/players", json={"name": ""}).status_code == 422
    assert reader.sends("PATCH", "/players/4", json={"left": True}).status_code == 200
    assert reader.sends("PATCH", "/players/9", json={"left": True}).status_code == 404
    for change in ({"rules": {"over168": "on"}}, {"length": None}, {"state": "finished"}):
        assert reader.sends("PATCH", "", "manage", json=change).status_code == 200
    assert reader.sends("POST", "/players", json={"name": "Emi"}).status_code == 409
    assert reader.sends("PATCH", "", "manage", json={"length": 3}).status_code == 409
    assert reader.sends("POST", "/secrets/view", "manage").status_code == 201
    assert reader.looks().status_code == 404
    assert reader.sends("POST", "/secrets/nobody", "manage").status_code == 404
    assert reader.sends("GET", "?before=x", "enter").status_code == 422
    assert reader.sends("GET", "/history", "enter").status_code == 200
    assert reader.sends("GET", "/events", "view").status_code == 404


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_refusals_are_answered_as_described(
    reader: Reader, app: Flask, call: tuple[str, str]
) -> None:
    reader.starts("bakappana", "Aki", "Ben")
    method, rule = call
    path = rule.removeprefix("/api/v1/series/<series_id>").replace("<role>", "view")
    path = path.replace("<int:number>", "1").replace("<int:player>", "1")
    assert reader.sends(method, path, None).status_code == 401
    if method == "GET":
        return
    if CALLS[call][1] is not None:
        large = reader.sends(method, path, "manage", data="x" * 70_000, headers={"If-Match": "1"})
        assert large.status_code == 413
    assert reader.sends(method, path, "view").status_code == 403


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_is_answered_as_described(reader: Reader, game: str) -> None:
    seats: list[dict] = [{} for _ in range(max(GAMES[game].seats))]
    assert reader.client.post(
        "/api/v1/settle", json={"game": game, "end": "void", "seats": seats}
    ).status_code == 200  # fmt: skip
    assert reader.client.post("/api/v1/settle", json={"game": game}).status_code == 422
    assert reader.client.post("/api/v1/series", json={"game": game}).status_code == 422


def test_the_examples_are_what_can_be_sent(reader: Reader) -> None:
    """Each fits its own schema, and does what it is an example of."""
    examples = {}
    for path, item in DOCUMENT["paths"].items():
        for method, call in item.items():
            if method != "parameters" and "requestBody" in call:
                body = call["requestBody"]["content"]["application/json"]
                assert [*faults(body["example"], body["schema"])] == [], path
                examples[call["operationId"]] = body["example"]
    assert reader.client.post("/api/v1/settle", json=examples["settle_round"]).status_code == 200
    started = reader.client.post("/api/v1/series", json=examples["start_series"])
    reader.id, reader.secrets = started.json["id"], started.json["secrets"]
    sends = reader.sends
    assert sends("POST", "/rounds", json=examples["record_round"]).status_code == 201
    correction = {"json": examples["correct_round"], "headers": {"If-Match": '"1"'}}
    assert sends("PUT", "/rounds/1", **correction).status_code == 200
    assert sends("POST", "/players", json=examples["add_player"]).status_code == 201
    assert sends("PATCH", "/players/4", json=examples["change_player"]).status_code == 200
    assert sends("PATCH", "", "manage", json=examples["change_series"]).status_code == 200


def test_an_answer_that_is_not_as_described_is_caught(app: Flask) -> None:
    """The negative control: a field that nobody described, one that is missing, another status."""
    phone = Phone(app)
    phone.starts("bakappana", "Aki", "Ben")
    answer = phone.looks()
    assert untrue(app, answer) == []
    schema = DOCUMENT["components"]["schemas"]["Series"]
    series = answer.json
    assert [*faults({**series, "surprise": 1}, schema)] == [": surprise is not described"]
    assert [*faults({**series, "version": "1"}, schema)] == ["/version: '1' is not ['integer']"]
    assert [*faults({key: series[key] for key in series if key != "role"}, schema)] == [": no role"]
    less = copy.deepcopy(DOCUMENT)
    del less["paths"]["/api/v1/series/{series_id}"]["get"]["responses"]["200"]
    assert untrue(app, answer, less) == ["200 is not described"]
