"""P5: lost, late, doubled and reordered requests end as if each tap had happened once.

A phone records, corrects and withdraws rounds over a network that drops requests, drops answers,
delivers twice, and delivers again much later, among requests that were made after. It sends each
tap again until it hears an answer. What the books hold is compared with a list of the taps.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from scorekeeper.ledger import rounds

from ..api.conftest import Phone

TAPS = 300
Request = Callable[[], TestResponse]


class Network:
    """Between a phone and the server; `late` are requests that still lie about somewhere."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.late: list[Request] = []
        self.tries = self.came_late = 0

    def send(self, request: Request) -> TestResponse | None:
        """Delivers a request as it pleases, and answers what comes back: None for nothing."""
        self.tries += 1
        while self.late and self.dice.random() < 0.3:
            self.late.pop(self.dice.randrange(len(self.late)))()
            self.came_late += 1
        fate = self.dice.choice(("lost", "unheard", "late", "doubled", "doubled late", "fine"))
        if fate == "lost":
            return None
        if fate == "late":
            self.late.append(request)
            return None
        answer = request()
        if fate == "doubled":
            answer = request()
        if fate == "doubled late":
            self.late.append(request)
        return None if fate == "unheard" else answer

    def ask(self, request: Request) -> TestResponse:
        """Sends a request until an answer is heard."""
        for _ in range(100):
            if (answer := self.send(request)) is not None:
                return answer
        raise AssertionError("never answered")


class Taps:
    """Somebody who taps, and remembers what the books should hold by now."""

    def __init__(self, phone: Phone, dice: random.Random, keep_keys: bool = True) -> None:
        self.phone, self.dice, self.network = phone, dice, Network(dice)
        self.keep_keys = keep_keys
        phone.starts("bakappana", "Aki", "Ben")
        self.rounds: list[tuple[int, int]] = []  # points of the first player, and the revision
        self.revisions: dict[int, int] = {}
        self.events = 1
        self.keys = 0

    def key(self) -> str:
        self.keys += 1
        return f"tap {self.keys}"

    def record(self) -> None:
        number, points = len(self.rounds) + 1, self.dice.randrange(265)
        body = {"number": number, **self.phone.document(points, 264 - points)}
        answer = self._sends("POST", "/rounds", body)
        assert answer.status_code in (200, 201), answer.json
        assert answer.json["entry"]["seats"][0]["points"] == points
        self._done(number, points)
        self.rounds.append((points, self.revisions[number]))

    def correct(self) -> None:
        number = self.dice.randrange(len(self.rounds)) + 1
        # A correction that changes nothing is none.
        points = (self.rounds[number - 1][0] + self.dice.randrange(1, 265)) % 265
        answer = self._changes("PUT", number, self.phone.document(points, 264 - points))
        assert answer.status_code == 200, answer.json
        assert answer.json["entry"]["seats"][0]["points"] == points
        self._done(number, points)
        self.rounds[number - 1] = points, self.revisions[number]
        assert answer.json["revision"] == self.revisions[number]

    def withdraw(self) -> None:
        number = len(self.rounds)
        answer = self._changes("DELETE", number, None)
        # 404 where it is gone already.
        assert answer.status_code in (200, 404), answer.json
        self._done(number, None)
        self.rounds.pop()

    def _changes(self, method: str, number: int, body: dict[str, Any] | None) -> TestResponse:
        seen = f'"{self.rounds[number - 1][1]}"'
        return self._sends(method, f"/rounds/{number}", body, {"If-Match": seen})

    def _sends(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        more: dict[str, str] | None = None,
    ) -> TestResponse:
        key = self.key()

        def request() -> TestResponse:
            headers = {"Idempotency-Key": key if self.keep_keys else self.key(), **(more or {})}
            return self.phone.sends(method, path, json=body, headers=headers)

        return self.network.ask(request)

    def _done(self, number: int, points: int | None) -> None:
        self.events += 1
        if points is not None:
            self.revisions[number] = self.revisions.get(number, 0) + 1

    def tap(self) -> None:
        taps = [self.record, self.record, self.correct, self.withdraw]
        self.dice.choice(taps if self.rounds else taps[:1])()

    def compare(self) -> None:
        """The books hold what was tapped, each once."""
        book = self.phone.looks().json
        there = {
            one["number"]: (one["entry"]["seats"][0]["points"], one["revision"])
            for one in book["rounds"]
        }
        # The answer has the newest fifty rounds.
        newest = [*enumerate(self.rounds, 1)][-50:]
        assert there == dict(newest)
        assert book["version"] == self.events


def play(phone: Phone, dice: random.Random, taps: int, **more: bool) -> Taps:
    table = Taps(phone, dice, **more)
    for _ in range(taps):
        table.tap()
        table.compare()
    # Whatever was still on its way arrives in the end.
    dice.shuffle(table.network.late)
    for request in table.network.late:
        request()
    table.compare()
    return table


def test_each_tap_happens_once(phone, dice):
    table = play(phone, dice, TAPS)
    assert table.network.tries > 1.5 * TAPS
    assert table.network.came_late > TAPS / 10


def test_a_phone_that_makes_another_key_for_each_try_is_caught(phone, dice):
    with pytest.raises(AssertionError):
        play(phone, dice, TAPS, keep_keys=False)


def test_a_build_that_forgets_keys_is_caught(phone, dice, monkeypatch):
    monkeypatch.setattr(rounds, "_kept", lambda books, series_id, key, body_hash: None)
    with pytest.raises(AssertionError):
        play(phone, dice, TAPS)
