"""Coming in and being put out: by a short code, as oneself again, and at once."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phone

SECOND = 1000


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
    assert not guest.reads("Take this code back")
    host.opens(host.path.partition("#")[0].replace("/share", "/phones"))
    assert host.reads("Ben")


def test_a_short_code_is_renewed_while_somebody_looks(host: Phone) -> None:
    first = short_code(host)
    # As if its ten minutes were nearly over.
    host.page.evaluate(
        "() => { const form = document.getElementById('typed-enter');"
        " form.dataset.left = '60'; watch(form); }"
    )
    code = host.page.locator("#typed-enter code.short")
    expect(code).not_to_have_text(first, timeout=4 * SECOND)
    expect(code).to_have_text(re.compile(r"^[0-9A-Z]{4} [0-9A-Z]{4}$"))


def test_a_phone_that_is_put_out_hears_it_at_once(
    phones: Callable[..., Phone], host: Phone
) -> None:
    guest = phones()
    guest.joins(host.link("To score"))
    sign = guest.page.locator(".sign")
    expect(sign).to_have_text("Live", timeout=10 * SECOND)
    host.follows("Which phones are in, and putting one out")
    host.taps(re.compile(r"Put phone \d+ out"))
    expect(sign).to_have_text("This phone can no longer open the series", timeout=2 * SECOND)
    # What it then asks for is refused, and that is what it should be.
    guest.complaints.clear()
