"""P8: a link opens its own series and no other, and lets nobody do more than it says.

Every page of a series is in the table, with the weakest role that may; `tests/api/test_access.py`
has the calls of the JSON API.
"""

import re
from contextlib import closing
from itertools import product
from typing import Any

import pytest
from flask import Flask

from scorekeeper import ledger
from scorekeeper.ledger import Role

from ..conftest import Table, Watch
from ..web.conftest import Phone

PAGES: dict[tuple[str, str], tuple[Role, dict[str, str]]] = {
    ("GET", "/s/<series_id>"): (Role.VIEW, {}),
    ("GET", "/s/<series_id>/share"): (Role.VIEW, {}),
    ("POST", "/s/<series_id>/codes/<role>"): (Role.VIEW, {}),
    ("GET", "/s/<series_id>/rounds/<int:number>"): (Role.VIEW, {}),
    ("GET", "/s/<series_id>/rounds/<int:number>/otherwise"): (Role.VIEW, {}),
    ("GET", "/s/<series_id>/rules"): (Role.VIEW, {}),
    ("GET", "/s/<series_id>/scores.csv"): (Role.VIEW, {}),
    ("GET", "/s/<series_id>/history"): (Role.VIEW, {}),
    ("GET", "/s/<series_id>/rounds/new"): (Role.ENTER, {}),
    ("POST", "/s/<series_id>/rounds/new"): (Role.ENTER, {"preview": "1"}),
    ("GET", "/s/<series_id>/rounds/<int:number>/correct"): (Role.ENTER, {}),
    ("POST", "/s/<series_id>/rounds/<int:number>/correct"): (Role.ENTER, {"preview": "1"}),
    ("GET", "/s/<series_id>/rounds/<int:number>/withdraw"): (Role.ENTER, {}),
    ("POST", "/s/<series_id>/rounds/<int:number>/withdraw"): (Role.ENTER, {"revision": "1"}),
    ("GET", "/s/<series_id>/pile"): (Role.ENTER, {}),
    ("POST", "/s/<series_id>/pile"): (
        Role.ENTER,
        {"player": "1", "form": "points", "p1-points": "88", "save": "1"},
    ),
    ("GET", "/s/<series_id>/proposal"): (Role.VIEW, {}),
    ("POST", "/s/<series_id>/proposal"): (Role.ENTER, {"answer": "yes"}),
    ("POST", "/s/<series_id>/undo/<int:event>"): (Role.ENTER, {}),
    ("GET", "/s/<series_id>/who"): (Role.ENTER, {}),
    ("POST", "/s/<series_id>/who"): (Role.ENTER, {"player": "2"}),
    ("GET", "/s/<series_id>/manage"): (Role.ENTER, {}),
    ("POST", "/s/<series_id>/players"): (Role.ENTER, {"name": "Dai"}),
    ("POST", "/s/<series_id>/players/<int:player>"): (Role.ENTER, {"left": "yes"}),
    ("POST", "/s/<series_id>/state"): (Role.MANAGE, {"state": "finished"}),
    ("POST", "/s/<series_id>/confirm"): (Role.MANAGE, {"confirm": "yes"}),
    ("POST", "/s/<series_id>/length"): (Role.MANAGE, {"length": "6"}),
    ("POST", "/s/<series_id>/rules"): (Role.MANAGE, {}),
    ("POST", "/s/<series_id>/secrets/<role>"): (Role.MANAGE, {"generation": "1"}),
    ("GET", "/s/<series_id>/phones"): (Role.MANAGE, {}),
    ("POST", "/s/<series_id>/phones/<int:device>/out"): (Role.MANAGE, {}),
}
OPEN = {
    "/", "/j", "/new/<key>", "/language", "/rules/<key>", "/sw.js", "/manifest.webmanifest",
}  # fmt: skip
"""Pages that belong to no series."""


def pages(app: Flask) -> set[tuple[str, str]]:
    return {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("web.") and rule.rule not in OPEN
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }


def test_the_table_has_every_page(app: Flask) -> None:
    assert pages(app) == {*PAGES}


def test_a_page_that_is_missing_would_be_missed(app: Flask) -> None:
    app.add_url_rule("/s/<series_id>/secret-door", "web.secret_door", lambda series_id: "")
    assert pages(app) != {*PAGES}


def told(text: str) -> str:
    """A page without the tokens of its forms, which say the second in which they were made."""
    return re.sub(r'name="csrf_token"[^>]*', "", text)


def asks(phone: Phone, page: tuple[str, str], series: str, device: int) -> Any:
    """Asks for a page as somebody would who knows its address and has a valid form."""
    method, path = page
    for part, value in (
        ("<series_id>", series),
        ("<int:number>", "1"),
        ("<int:player>", "1"),
        ("<int:event>", "2"),
        ("<int:device>", str(device)),
        ("<role>", "view"),
    ):
        path = path.replace(part, value)
    if method == "GET":
        return phone.sends("GET", path)
    token = phone.opens("/j").form.fields["csrf_token"]
    return phone.sends("POST", path, data={"csrf_token": token, **PAGES[page][1]})


@pytest.fixture
def phones(app: Flask) -> list[tuple[Phone, Role | None, bool]]:
    """A phone of each kind, the role it has, and whether it has it in the series of the table."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    table, other = Table(), Table()
    table.start("bakappana", "Aki", "Ben", "Chie")
    other.start("bakappana", "Dai", "Emi", "Fumi")
    for one in (table, other):
        one.records(100, 84, 80)
    found: list[tuple[Phone, Role | None, bool]] = [(Phone(app), None, False)]
    for role in Role:
        found += [(Phone(app).joins(table.id, role), role, True)]
        found += [(Phone(app).joins(other.id, role), role, False)]
    found[0][0].series = f"/s/{table.id}"
    return found


def opens_no_other(phones: list[tuple[Phone, Role | None, bool]]) -> None:
    """Sends every phone to every page, the forbidden ones first."""
    series = phones[0][0].id
    device = max(one.device for one in ledger.phones_of(series) if one.role is Role.VIEW)
    with closing(Watch()) as watch:
        for (phone, role, own), (page, (needed, _)) in product(phones, PAGES.items()):
            what = f"{page} with {role} of {'this' if own else 'another'} series"
            if own and role is not None and role.rank >= needed.rank:
                continue
            answer = asks(phone, page, series, device)
            assert answer.status == (403 if own else 404), what
            assert not watch.changed(), what
            if not own:
                nowhere = asks(phone, page, "AAAAAAAAAAAA", device)
                assert told(answer.text) == told(nowhere.text), what


def test_a_link_opens_no_other_series(phones: list[tuple[Phone, Role | None, bool]]) -> None:
    opens_no_other(phones)


@pytest.mark.parametrize("role", Role)
def test_a_link_opens_its_own_series(
    phones: list[tuple[Phone, Role | None, bool]], role: Role
) -> None:
    (phone,) = (one for one, its, own in phones if own and its is role)
    series = phone.id
    device = next(one.device for one in ledger.phones_of(series) if one.role is Role.ENTER)
    allowed = [page for page, (needed, _) in PAGES.items() if role.allows(needed)]
    # Looking comes first, and what takes the round away last.
    ends = ("withdraw", "undo")
    for page in sorted(allowed, key=lambda page: (page[0], any(end in page[1] for end in ends))):
        assert asks(phone, page, series, device).status in (200, 302), page


def test_a_build_that_asks_for_any_series_is_caught(
    phones: list[tuple[Phone, Role | None, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    role_of = ledger.role_of

    def anywhere(device: int, series_id: str) -> Role | None:
        held = [role_of(device, one) for one in ledger.series_of(device)]
        return max((role for role in held if role), key=lambda role: role.rank, default=None)

    monkeypatch.setattr(ledger, "role_of", anywhere)
    with pytest.raises(AssertionError):
        opens_no_other(phones)


def test_a_build_that_forgets_how_strong_a_link_is_is_caught(
    phones: list[tuple[Phone, Role | None, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Role, "allows", lambda self, needed: True)
    with pytest.raises(AssertionError):
        opens_no_other(phones)
