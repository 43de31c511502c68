"""A phone that speaks JSON.

phone.starts("bakappana", "Aki", "Ben", "Chie")
phone.records(100, 84, 80)
"""

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse


class Phone:
    """Sends requests with a secret, and knows the series that it started."""

    id: str
    secrets: dict[str, str]

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def sends(self, method: str, path: str, role: str | None = "enter", **more) -> TestResponse:
        """A request under the series' own address; `role` says whose secret goes with it."""
        headers = more.pop("headers", {})
        if role is not None:
            headers = {"Authorization": f"Bearer {self.secrets[role]}", **headers}
        return self.client.open(
            f"/api/v1/series/{self.id}{path}", method=method, headers=headers, **more
        )

    def starts(self, game: str, *names: str, **more) -> TestResponse:
        answer = self.client.post(
            "/api/v1/series", json={"game": game, "players": list(names), **more}
        )
        self.id, self.secrets = answer.json["id"], answer.json["secrets"]
        return answer

    def looks(self, role: str = "view", query: str = "", **headers: str) -> TestResponse:
        return self.sends("GET", query, role, headers=headers)

    def document(self, *points: Any, **more) -> dict[str, Any]:
        seats = [{"player": at, "points": counted} for at, counted in enumerate(points, 1)]
        return {"seats": seats, **more}

    def records(self, *points: Any, key: str | None = None, **more) -> TestResponse:
        number = len(self.looks().json["rounds"]) + 1
        document = {"number": number, **self.document(*points, **more)}
        headers = {} if key is None else {"Idempotency-Key": key}
        return self.sends("POST", "/rounds", json=document, headers=headers)

    def corrects(
        self,
        number: int,
        *points: Any,
        revision: str | None = '"1"',
        key: str | None = None,
        **more,
    ) -> TestResponse:
        headers = {} if revision is None else {"If-Match": revision}
        if key is not None:
            headers["Idempotency-Key"] = key
        document = self.document(*points, **more)
        return self.sends("PUT", f"/rounds/{number}", json=document, headers=headers)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def bakappana(phone: Phone) -> Phone:
    phone.starts("bakappana", "Aki", "Ben", "Chie", rounds=12)
    return phone


def refusal(answer: TestResponse) -> tuple[int, str]:
    """Status and code of a refusal, which has a sentence and nothing of a traceback."""
    assert answer.mimetype == "application/json"
    error = answer.json["error"]
    assert error["message"].endswith(".")
    assert set(error) <= {"code", "message", "seat", "field"}
    return answer.status_code, error["code"]
