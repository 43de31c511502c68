"""Somebody who listens to a series, in a thread of their own.

    ear = listen(series)
    assert ear.hears() == "1"
    table.records(100, 84, 80)
    assert ear.hears() == "2"

What is heard is data lines; a heartbeat is ":", and the end of the stream is None.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from contextvars import Context
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.live import Streams, streams_of

from ..conftest import PATIENCE, Table


class Ear:
    """One open stream."""

    def __init__(self, answer: TestResponse) -> None:
        self.answer = answer
        self.lines: list[str] = []
        self._heard: queue.Queue[str | None] = queue.Queue()
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        # As a server does it: piece by piece, and then it closes what it iterated.
        for piece in self.answer.iter_encoded():
            for line in piece.decode().splitlines():
                self.lines.append(line)
                if line.startswith("data: "):
                    self._heard.put(line.removeprefix("data: "))
                elif line.startswith(":"):
                    self._heard.put(":")
        self.answer.close()
        self._heard.put(None)

    def hears(self, within: float = PATIENCE) -> str | None:
        return self._heard.get(timeout=within)

    def hears_nothing(self, within: float = 0.3) -> bool:
        try:
            self._heard.get(timeout=within)
        except queue.Empty:
            return True
        return False

    def ends(self) -> bool:
        """Whether the stream ends, with nothing more to hear."""
        ended = self.hears() is None
        self.thread.join(PATIENCE)
        return ended


@pytest.fixture
def streams(app: Flask) -> Streams:
    """The streams of the app, which end with it."""
    return streams_of(app)


@pytest.fixture
def ask(app: Flask) -> Callable[..., TestResponse]:
    """Asks for the events of a series, with a secret, a client's cookie, or neither."""

    def asks(
        series: str, secret: str | None = None, client: Client | None = None, **more: Any
    ) -> TestResponse:
        headers = more.pop("headers", {})
        if secret is not None:
            headers = {"Authorization": f"Bearer {secret}", **headers}
        options = {"method": "GET", "headers": headers, **more}
        # Outside the test's own context, or all requests of a test would share their `g`.
        return Context().run((client or app.test_client()).open, events(series), **options)

    return asks


def events(series: str) -> str:
    return f"/api/v1/series/{series}/events"


@pytest.fixture
def listen(streams: Streams, ask: Callable[..., TestResponse]) -> Iterator[Callable[..., Ear]]:
    """Opens a stream, by the link to look on unless something else is said."""
    ears: list[Ear] = []

    def opens(series: str, role: Role = Role.VIEW, **more: Any) -> Ear:
        if "client" not in more:
            more.setdefault("secret", ledger.secret_for(series, role))
        answer = ask(series, **more)
        assert answer.status_code == 200, answer.get_data()
        ears.append(Ear(answer))
        return ears[-1]

    yield opens
    streams.close()
    for ear in ears:
        ear.thread.join(PATIENCE)


@pytest.fixture
def series(table: Table) -> str:
    """A series of Bakappana with nothing played."""
    return table.start("bakappana", "Aki", "Ben", "Chie")


@pytest.fixture
def phone(app: Flask) -> Callable[..., tuple[int, Client]]:
    """Makes a phone that has joined a series: its device, and a client with its cookie."""

    def joins(series: str, role: Role = Role.ENTER) -> tuple[int, Client]:
        device, token = ledger.new_device()
        ledger.join(device, ledger.secret_for(series, role))
        client = app.test_client()
        client.set_cookie("device", token)
        return device, client

    return joins
