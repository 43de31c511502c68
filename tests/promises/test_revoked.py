"""P9: whoever is put out is out at the next request: page, JSON call, and open stream."""

from collections.abc import Callable

import pytest
from flask import Flask

from scorekeeper import ledger
from scorekeeper.ledger import Role

from ..conftest import Table, everything
from ..live.conftest import Ear, ask, listen, streams
from ..web.conftest import Form, Page, Phone

__all__ = ["ask", "listen", "streams"]  # fixtures


class Evening:
    """A table at which a host, a guest who scores and one who watches are in."""

    def __init__(self, app: Flask, table: Table, listen: Callable[..., Ear]) -> None:
        app.config["PROPAGATE_EXCEPTIONS"] = False
        self.id = table.start("bakappana", "Aki", "Ben", "Chie")
        self.host = Phone(app).joins(self.id, Role.MANAGE)
        self.guest = Phone(app).joins(self.id, Role.ENTER)
        self.guest.opens("/who").form.presses("player", "2")
        self.watcher = Phone(app).joins(self.id, Role.VIEW)
        self.secret = ledger.secret_for(self.id, Role.ENTER)
        self.form = self.guest.types_points(100, 84, 80).presses("preview").form
        self.ears = {
            "guest": listen(self.id, client=self.guest.client),
            "secret": listen(self.id, secret=self.secret),
            "watcher": listen(self.id, client=self.watcher.client),
        }
        for ear in self.ears.values():
            assert ear.hears() == "1"

    def calls(self, method: str, path: str, **more) -> int:
        """The status of a JSON call by the guest's link."""
        headers = {"Authorization": f"Bearer {self.secret}"}
        path = f"/api/v1/series/{self.id}{path}"
        return self.guest.sends(method, path, headers=headers, **more).status

    def button(self, page: Page, end: str) -> Form:
        (form,) = (form for form in page.forms if form.path.endswith(end))
        return form


@pytest.fixture
def evening(app: Flask, table: Table, listen: Callable[..., Ear]) -> Evening:
    return Evening(app, table, listen)


def is_out(evening: Evening, *ears: str) -> None:
    """Neither page nor form nor stream is left to the guest; the others go on."""
    before = everything()
    for path in ("", "/share", "/rounds/new", "/history", "/who", "/manage"):
        assert evening.guest.opens(path).status == 404, path
    assert evening.form.presses("save").status == 404
    part = {"headers": {"Accept": "text/x-fragment"}}
    assert evening.guest.sends("GET", evening.guest.series, **part).status == 404
    assert evening.guest.sends("GET", f"/api/v1/series/{evening.id}/events").status in (401, 404)
    assert everything() == before
    for name in ears:
        assert evening.ears[name].ends(), name
    assert evening.ears["watcher"].hears() == "2"
    assert evening.watcher.opens().status == evening.host.opens("/manage").status == 200


def the_link_is_taken_back(evening: Evening) -> None:
    evening.button(evening.host.opens("/share"), "/secrets/enter").presses()
    is_out(evening, "guest", "secret")
    assert evening.calls("GET", "") == 404
    assert evening.calls("POST", "/players", json={"name": "Dai"}) == 404
    refused = evening.guest.opens("/j").form.types(link=evening.secret).presses()
    assert refused.refusals


def the_phone_is_put_out(evening: Evening) -> None:
    guest = next(phone for phone in ledger.phones_of(evening.id) if phone.player == 2)
    evening.button(evening.host.opens("/phones"), f"/{guest.device}/out").presses()
    is_out(evening, "guest")
    # The link itself is still good: who knows it is told to take it back too.
    assert evening.calls("GET", "") == 200


def the_link_is_taken_back_by_json(evening: Evening) -> None:
    key = ledger.secret_for(evening.id, Role.MANAGE)
    path = f"/api/v1/series/{evening.id}/secrets/enter"
    answer = evening.host.sends("POST", path, headers={"Authorization": f"Bearer {key}"})
    assert answer.status == 201
    is_out(evening, "guest", "secret")
    assert evening.calls("GET", "") == 404


WAYS = [the_link_is_taken_back, the_phone_is_put_out, the_link_is_taken_back_by_json]


@pytest.mark.parametrize("way", WAYS)
def test_whoever_is_put_out_is_out_at_once(
    evening: Evening, way: Callable[[Evening], None]
) -> None:
    way(evening)


def test_all_phones_of_a_player_can_be_put_out(evening: Evening, app: Flask) -> None:
    """Somebody who came in by two browsers is shown twice, under one name."""
    other = Phone(app).joins(evening.id)
    other.opens("/who").form.presses("player", "2")
    for phone in ledger.phones_of(evening.id):
        if phone.player == 2:
            evening.button(evening.host.opens("/phones"), f"/{phone.device}/out").presses()
    assert other.opens().status == evening.guest.opens().status == 404


def test_the_short_code_of_a_link_ends_with_it(evening: Evening, app: Flask) -> None:
    code = ledger.new_code(evening.id, Role.ENTER)
    evening.button(evening.host.opens("/share"), "/secrets/enter").presses()
    assert Phone(app).opens("/j").form.types(link=code.text).presses().refusals


@pytest.mark.parametrize("way", WAYS[:2])
def test_a_build_that_only_says_so_is_caught(
    evening: Evening, way: Callable[[Evening], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "rotate", lambda *args, **more: "")
    monkeypatch.setattr(ledger, "remove", lambda *args, **more: None)
    with pytest.raises(AssertionError):
        way(evening)
