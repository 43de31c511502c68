"""P11: no raw secret in logs, addresses or the database; nobody else is asked for anything; looking
changes nothing."""

import logging
import random
import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from typing import Any

import pytest
from flask import Flask, current_app, request

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.live import Streams

from ..conftest import Table, Watch, everything
from ..live.conftest import streams
from ..web.conftest import Page, Phone
from ..web.test_security import addresses

__all__ = ["streams"]  # a fixture

REQUESTS = 500


class Evening:
    """A table with three phones, and everything that must not be told of it."""

    def __init__(self, app: Flask, table: Table) -> None:
        app.config["PROPAGATE_EXCEPTIONS"] = False
        self.app, self.id = app, table.start("hachi-hachi", "Aki", "Ben", "Chie")
        table.records(100, 84, 80)
        self.phones = [Phone(app).joins(self.id, role) for role in Role]
        self.codes = [ledger.new_code(self.id, role) for role in ledger.SHORT]

    @property
    def secrets(self) -> set[str]:
        links = {ledger.secret_for(self.id, role) for role in Role}
        cookies = {phone.client.get_cookie("device").value for phone in self.phones}
        return links | cookies | {code.text for code in self.codes}

    def looks(self, dice: random.Random) -> Iterator[tuple[Phone, str, Page]]:
        """Every address there is, and again, by GET and HEAD, by all the phones."""
        there = [address for _, address in addresses(self.app, self.id)]
        for _ in range(REQUESTS):
            phone, address = dice.choice(self.phones), dice.choice(there)
            headers = {}
            if address.startswith("/api/"):
                secret = ledger.secret_for(self.id, dice.choice([*Role]))
                headers["Authorization"] = f"Bearer {secret}"
            method = dice.choice(("GET", "GET", "HEAD"))
            yield phone, address, phone.sends(method, address, headers=headers)


@pytest.fixture
def evening(app: Flask, table: Table, streams: Streams) -> Evening:
    return Evening(app, table)


def addresses_in(page: Page) -> list[str]:
    """Every address on a page or in its headers: a browser can ask for it, and name it."""
    found = re.findall(r'(?:href|src|action|data-\w+)="([^"]*)"', page.text)
    headers = page.answer.headers
    return [*map(unescape, found), *(headers.get(one, "") for one in ("Location", "Link"))]


def leaks(evening: Evening, dice: random.Random, heard: pytest.LogCaptureFixture) -> None:
    secrets = evening.secrets
    with heard.at_level(logging.DEBUG), closing(Watch()) as watch:
        for _, address, page in evening.looks(dice):
            assert not watch.changed(), f"{address} changed something"
            for one in addresses_in(page):
                assert not [secret for secret in secrets if secret in one], (address, one)
                elsewhere = re.match(r"(?:https?:)?//(?!localhost[/:])", one)
                assert not elsewhere, (address, one)
            assert page.answer.headers["Referrer-Policy"] == "same-origin"
    told = heard.text + repr(everything())
    assert not [secret for secret in secrets if secret in told]


def test_looking_tells_and_changes_nothing(
    evening: Evening, dice: random.Random, caplog: pytest.LogCaptureFixture
) -> None:
    leaks(evening, dice, caplog)


def test_what_is_done_with_secrets_is_not_told(
    evening: Evening, app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    """Joining by link and by code, and taking codes back."""
    host = evening.phones[-1]
    secrets = evening.secrets
    with caplog.at_level(logging.DEBUG):
        for typed in secrets | {code.shown for code in evening.codes}:
            done = Phone(app).opens("/j").form.types(link=typed).presses()
            assert not [secret for secret in secrets if secret in str(done.answer.headers)]
        for form in host.opens("/share").forms:
            if "/secrets/" in form.path or "/codes/" in form.path:
                done = form.presses()
                assert done.saved
                secrets |= evening.secrets
                assert not [secret for secret in secrets if secret in done.answer.location]
    told = caplog.text + repr(everything())
    assert not [secret for secret in secrets if secret in told]


def test_a_failure_tells_no_secret(
    evening: Evening, app: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log gets the traceback, and a traceback has no values in it."""
    secret = ledger.secret_for(evening.id, Role.ENTER)

    def fails(*args: Any) -> None:
        raise RuntimeError

    form = Phone(app).opens("/j").form.types(link=secret)
    monkeypatch.setattr(ledger, "join", fails)
    assert form.presses().status == 500
    assert "A request failed" in caplog.text
    assert secret not in caplog.text


# --- The negative controls ------------------------------------------------------------------------


def is_caught(
    evening: Evening, dice: random.Random, heard: pytest.LogCaptureFixture, what: str
) -> None:
    with pytest.raises(AssertionError, match=what):
        leaks(evening, dice, heard)


def test_a_build_that_logs_a_secret_is_caught(
    evening: Evening, dice: random.Random, caplog: pytest.LogCaptureFixture
) -> None:
    def logs() -> None:
        current_app.logger.debug("asked with %s", request.headers.get("Authorization"))

    evening.app.before_request_funcs.setdefault(None, []).append(logs)
    is_caught(evening, dice, caplog, "secret in told|assert not")


def test_a_build_that_writes_when_somebody_looks_is_caught(
    evening: Evening,
    dice: random.Random,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = ledger.series_of

    def counts(device: int | None) -> list[str]:
        ledger.new_device()
        return real(device)

    monkeypatch.setattr(ledger, "series_of", counts)
    is_caught(evening, dice, caplog, "changed something")


def test_a_build_with_a_secret_in_an_address_is_caught(
    evening: Evening, dice: random.Random, caplog: pytest.LogCaptureFixture
) -> None:
    def adds(answer: Any) -> Any:
        answer.headers["Link"] = f"</j?link={ledger.secret_for(evening.id, Role.VIEW)}>"
        return answer

    evening.app.after_request_funcs.setdefault(None, []).append(adds)
    is_caught(evening, dice, caplog, "/j")


def test_a_build_that_asks_somebody_else_is_caught(
    evening: Evening, dice: random.Random, caplog: pytest.LogCaptureFixture
) -> None:
    def adds(answer: Any) -> Any:
        answer.headers["Link"] = "https://fonts.example/font.css"
        return answer

    evening.app.after_request_funcs.setdefault(None, []).append(adds)
    is_caught(evening, dice, caplog, "fonts.example")
