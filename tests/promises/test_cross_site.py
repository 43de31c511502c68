"""P13: what another site makes a browser send changes nothing; an old form still saves."""

import time
from contextlib import closing
from itertools import product
from typing import Any

import pytest
from flask import Flask

from scorekeeper import api, ledger, web
from scorekeeper.ledger import Role

from ..conftest import Table, Watch, everything
from ..web.conftest import Phone
from ..web.test_security import addresses

HTTPS = "https://score.example.org"
FOREIGN = (
    {"Origin": "https://evil.example", "Referer": "https://evil.example/"},
    {"Origin": "null"},
    {"Referer": "https://evil.example/score.example.org/"},
    {"Origin": "https://score.example.org.evil.example"},
    {"Origin": "https://score.example.org:8443"},
)


@pytest.fixture
def host(app: Flask, table: Table) -> Phone:
    """A phone with every right in a series over https, as another site would like to use it."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    return Phone(app, HTTPS).joins(table.id, Role.MANAGE)


def unsafe(app: Flask, series: str) -> list[tuple[str, str]]:
    return [
        (method, address)
        for rule, address in addresses(app, series)
        for method in ("POST", "PUT", "PATCH", "DELETE")
        if method in rule.methods
    ]


def changes_nothing(app: Flask, host: Phone) -> None:
    """Sends everything there is from another site, with the phone's cookies and a valid token."""
    token = host.opens("/j").form.fields["csrf_token"]
    secret = ledger.secret_for(host.id, Role.MANAGE)
    join = {"link": secret, "language": "ja", "player": "1", "name": "Dai", "generation": "1"}
    form = {"csrf_token": token, "save": "1", "names-0": "Eve", "names-1": "Fay", **join}
    started = {"json": {"game": "kaga", "players": ["Eve", "Fay"]}}
    with closing(Watch()) as watch:
        for (method, address), headers in product(unsafe(app, host.id), FOREIGN):
            sent: dict[str, Any] = started if address.startswith("/api/") else {"data": form}
            if "Referer" in headers or method != "POST":
                page = host.sends(method, address, headers=headers, **sent)
            else:  # `sends` would add a Referer of ours
                page = host.sends(method, address, headers={**headers, "Referer": ""}, **sent)
            assert page.status == 400, (method, address, headers)
            assert not page.answer.headers.getlist("Set-Cookie"), address
            assert not watch.changed(), (method, address, headers)


def test_another_site_changes_nothing(app: Flask, host: Phone) -> None:
    changes_nothing(app, host)


def test_the_same_from_here_does_change_something(app: Flask, host: Phone) -> None:
    """What was sent above was no nonsense: without the other site, it works."""
    token = host.opens("/j").form.fields["csrf_token"]
    path = f"{host.series}/players"
    assert host.sends("POST", path, data={"csrf_token": token, "name": "Dai"}).saved
    ours = {"Origin": HTTPS}
    started = {"json": {"game": "kaga", "players": ["Eve", "Fay"]}, "headers": ours}
    assert host.sends("POST", "/api/v1/series", **started).status == 201


def test_over_https_a_form_that_says_nothing_of_its_origin_is_refused(host: Phone) -> None:
    form = host.types_points(100, 84, 80).presses("preview").form
    before = everything()
    assert not form.presses("save", headers={"Referer": ""}).saved
    assert everything() == before


def saves_after(host: Phone, hours: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opens a form, lets hours pass, and saves it with one press, then as many later."""
    form = host.types_points(100, 84, 80).presses("preview").form
    who = host.opens("/who").form
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + hours * 3600)
    before = len(ledger.read(host.id).rounds)
    assert form.presses("save").saved
    assert len(ledger.read(host.id).rounds) == before + 1
    assert who.presses("player", "2").saved


def test_a_form_opened_eight_hours_ago_saves(host: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    saves_after(host, 8, monkeypatch)


# --- The negative controls ------------------------------------------------------------------------


def test_a_build_that_asks_nobody_where_they_come_from_is_caught(
    app: Flask, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (web, api):
        monkeypatch.setattr(module, "from_elsewhere", lambda: False)
    with pytest.raises(AssertionError):
        changes_nothing(app, host)


def test_a_build_whose_forms_grow_old_is_caught(
    app: Flask, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.config["WTF_CSRF_TIME_LIMIT"] = 3600
    with pytest.raises(AssertionError):
        saves_after(host, 8, monkeypatch)
