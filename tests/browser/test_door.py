"""Coming in and being put out: by a short code, as oneself again, and at once."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PUSHED, Phone


@pytest.fixture
def host(phones: Callable[..., Phone]) -> Phone:
    """A phone at the share page of a series that it started."""
    host = phones()
    host.starts("Bakappana", "Aki", "Ben", "Chie")
    host.follows("Share")
    return host


def short_code(host: Phone) -> str:
    """The short code to score, made by its button."""
    section = host.page.locator("section", has=host.page.get_by_role("heading", name="To score"))
    section.get_by_role("button", name=re.compile("short code")).click()
    return host.page.locator("#typed-enter code.short").inner_text()


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_a_short_code_and_a_name(phones: Callable[..., Phone], host: Phone, scripts: bool) -> None:
    code = short_code(host)
    guest = phones(java_script_enabled=scripts)
    guest.opens("/j")
    guest.page.get_by_role("textbox").fill(code.lower().replace("0", "o").replace("1", "l"))
    guest.taps("Join")
    assert guest.heading == "Who are you?"
    guest.taps("Ben")
    guest.follows("Share")
    assert not guest.reads("Replace this code")
    host.opens(host.path.partition("#")[0].replace("/share", "/phones"))
    assert host.reads("Ben")


def kept_by(phone: Phone) -> str | None:
    return phone.page.evaluate("sessionStorage.getItem('join')")


def test_a_reload_keeps_the_link_until_it_opened_something(
    phones: Callable[..., Phone], host: Phone
) -> None:
    link, guest = host.link("To score"), phones()
    guest.opens(link)
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(f"{request.url} {request.headers}"))
    guest.page.reload()
    assert guest.path == "/j"
    assert guest.reads("This link opens a series at your table.")
    guest.taps("Join")
    assert guest.heading == "Who are you?"
    assert kept_by(guest) is None
    guest.opens("/j")
    assert guest.page.get_by_role("textbox").input_value() == ""
    assert len(asked) > 3
    assert not [one for one in asked if link.partition("#")[2] in one]


def test_a_link_that_opens_nothing_is_not_kept(phones: Callable[..., Phone]) -> None:
    guest = phones()
    guest.opens("/j#" + "x" * 43)
    guest.taps("Join")
    assert guest.refusals == ["This opens nothing here. Scan the code again, or ask for a new one."]
    assert kept_by(guest) is None
    guest.page.reload()
    guest.opens("/j")
    assert not guest.reads("This link opens a series at your table.")


def test_the_hint_of_the_address_bar_is_for_who_has_it_there(phones: Callable[..., Phone]) -> None:
    hint = "the link is in your address bar"
    for scripts in (True, False):
        guest = phones(java_script_enabled=scripts)
        guest.opens("/j")
        assert guest.reads(hint) is not scripts


def test_a_short_code_is_renewed_while_somebody_looks(host: Phone) -> None:
    first = short_code(host)
    # As if its ten minutes were nearly over.
    host.page.evaluate(
        "() => { const form = document.getElementById('typed-enter');"
        " form.dataset.left = '60'; watch(form); }"
    )
    code = host.page.locator("#typed-enter code.short")
    expect(code).not_to_have_text(first, timeout=PUSHED)
    expect(code).to_have_text(re.compile(r"^[0-9A-Z]{4} [0-9A-Z]{4}$"))


def test_a_phone_that_is_put_out_hears_it_at_once(
    phones: Callable[..., Phone], host: Phone
) -> None:
    guest = phones()
    guest.joins(host.link("To score"))
    sign = guest.page.locator(".sign")
    expect(sign).to_have_text("Live", timeout=PUSHED)
    host.follows("Which phones are in, and putting one out")
    host.taps("Put it out phone 2")
    expect(sign).to_have_text("This phone can no longer open the series", timeout=PUSHED)
    # What it then asks for is refused, and that is what it should be.
    guest.complaints.clear()
