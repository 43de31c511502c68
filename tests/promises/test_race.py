"""P4: four phones record the same round; exactly one is stored, and the others are shown it."""

import dataclasses
import threading
from typing import Any

import pytest
from sqlalchemy import text

from scorekeeper.ledger import database

from ..api.conftest import Phone

PHONES = 4


def together(calls) -> list[Any]:
    """Makes all the calls at the same moment, and answers what they answered."""
    start, answers = threading.Barrier(len(calls)), []

    def one(call):
        start.wait()
        answers.append(call())

    threads = [threading.Thread(target=one, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def race(app, trials: int) -> None:
    for trial in range(trials):
        host = Phone(app)
        host.starts("bakappana", "Aki", "Ben")
        phones = [Phone(app) for _ in range(PHONES)]
        for phone in phones:
            phone.id, phone.secrets = host.id, host.secrets
        same = trial % 2 == 0  # one tap that arrives four times, or four people at once
        points = [(140, 124) if same else (140 + n, 124 - n) for n in range(PHONES)]

        def sends(phone, number, points):
            document = {"number": 1, **phone.document(*points)}
            key = f"tap {0 if same else number}"  # noqa: B023
            return phone.sends("POST", "/rounds", json=document, headers={"Idempotency-Key": key})

        answers = together(
            [
                lambda phone=phone, number=number: sends(phone, number, points[number])  # noqa: B023
                for number, phone in enumerate(phones)
            ]
        )
        codes = sorted(answer.status_code for answer in answers)
        assert codes == ([200] * 3 + [201] if same else [201] + [409] * 3)
        (stored,) = host.looks().json["rounds"]
        shown = [answer.json.get("round", answer.json) for answer in answers]
        assert shown == [stored] * PHONES
        events = host.sends("GET", "/history", "view").json["events"]
        assert [event["kind"] for event in events] == ["recorded", "started"]


def test_four_phones_record_the_same_round(app, phone):
    race(app, 50)


def test_a_build_whose_writers_do_not_queue_is_caught(app, phone, kind, monkeypatch):
    """Transactions that begin as readers, and rows that nobody locks."""
    weak = dataclasses.replace(database._KINDS["sqlite"], write=database._at_once)
    monkeypatch.setitem(database._KINDS, "sqlite", weak)
    looked_up = text("SELECT id FROM series WHERE id = :series")
    monkeypatch.setattr(database, "_LOCK", looked_up)
    with pytest.raises((AssertionError, KeyError)):
        race(app, 100)
