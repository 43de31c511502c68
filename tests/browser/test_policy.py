"""P12: nothing on any page is kept out by its own policy, and what would be is reported."""

import pytest
from flask import Flask
from playwright.sync_api import Route

from ..conftest import Table
from ..web.test_security import addresses
from .conftest import Phone


@pytest.fixture
def pages(app: Flask, table: Table) -> list[str]:
    """Every page there is, with the series left out; made by an app of this test's own."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    found = [address for rule, address in addresses(app, table.id) if "GET" in rule.methods]
    pages = [page for page in found if not page.startswith(("/static/", "/api/"))]
    return [page.replace(table.id, "SERIES") for page in pages]


def test_no_page_breaks_its_policy(phone: Phone, pages: list[str]) -> None:
    """The evenings of the other tests are listened to in the same way, by every phone."""
    phone.sits_down("bakappana", "Aki", "Ben", "Chie")
    series = phone.path.removeprefix("/s/")
    phone.enters_round(1)
    phone.goes_by("Points")
    for name, points in (("Aki", 100), ("Ben", 84), ("Chie", 80)):
        phone.types(name, points)
    phone.settles()
    phone.saves()
    opened = 0
    for page in pages:
        path = page.replace("SERIES", series)
        answer = phone.page.request.get(phone.server + path)
        if answer.ok and answer.headers["content-type"].startswith("text/html"):
            phone.opens(path)
            opened += 1
    assert opened > 15


# --- The negative control -------------------------------------------------------------------------

PLANTED = {
    "an inline script": "<script>document.title = 'planted'</script>",
    "an inline style": "<p style='color: red'>planted</p>",
    "an inline handler": "<img src='data:,' alt='' onerror='document.title = 1'>",
    "a script from elsewhere": "<script src='https://planted.example/a.js'></script>",
    "a picture from elsewhere": "<img src='https://planted.example/a.png' alt=''>",
    "a frame": "<iframe src='/'></iframe>",
    "another base": "<base href='https://planted.example/'>",
}


def plant(phone: Phone, planted: str) -> None:
    """Has the page for joining come with something more in it."""

    def plants(route: Route) -> None:
        answer = route.fetch()
        body = answer.text().replace("</main>", f"{planted}</main>")
        route.fulfill(response=answer, body=body)

    phone.page.unroute("**/j")
    phone.page.route("**/j", plants)


def test_what_is_planted_is_reported(phone: Phone) -> None:
    for what, planted in PLANTED.items():
        plant(phone, planted)
        with phone.page.expect_console_message(lambda heard: "policy: " in heard.text):
            phone.opens("/j")
        said = " ".join(phone.complaints)
        assert "Content Security Policy" in said, what
        assert phone.page.title() != "planted"
        phone.complaints.clear()
