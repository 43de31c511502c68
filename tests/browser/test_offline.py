"""Over https, and on the machine that serves, pages open again without a connection.

They come from the service worker then, and say so; what nobody may see any more is gone, and what
holds a secret was never there.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Error, expect

from tests.browser.conftest import Phone
from tests.browser.test_live import OFFLINE, SECOND, Series, says

KEPT = """
async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    found[name] = requests.map(({ url }) => url.slice(location.origin.length));
  }
  return found;
}
"""
TEXTS = """
async () => {
  const texts = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) texts.push(await (await cache.match(request)).text());
  }
  return texts.join("\\n");
}
"""
OLD = "No connection: this is the page as this phone last had it."


@pytest.fixture
def series(server: str) -> Series:
    return Series(server)


@pytest.fixture
def keeping(phones: Callable[..., Phone], series: Series) -> Callable[..., Phone]:
    """A phone at the scoreboard, whose browser keeps pages."""

    def opens(role: str = "enter") -> Phone:
        phone = phones(service_workers="allow")
        phone.joins(f"{series.server}/j#{series.secrets[role]}")
        phone.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        phone.opens(f"/s/{series.id}")
        keeps(phone, f"/s/{series.id}")
        return phone

    return opens


def keeps(phone: Phone, path: str, kept: bool = True) -> None:
    """Waits until a page is kept, or is not any more."""
    for _ in range(400):
        if (path in phone.page.evaluate(KEPT).get("pages", [])) == kept:
            return
        phone.page.wait_for_timeout(50)
    raise AssertionError(f"{path}: {phone.page.evaluate(KEPT)}")


def loses_the_network(phone: Phone) -> None:
    phone.page.context.set_offline(True)


def test_a_page_opens_again_and_says_of_when_it_is(keeping, series):
    series.records()
    phone = keeping()
    assert phone.page.get_by_text(OLD).is_hidden()
    loses_the_network(phone)
    phone.page.reload()
    expect(phone.page.get_by_text(OLD)).to_be_visible()
    assert phone.page.locator(".old time").get_attribute("datetime").startswith("20")
    expect(phone.page.locator("#round-1")).to_be_visible()
    says(phone, OFFLINE)
    # With its looks: the sheet of style is there, too.
    assert phone.page.evaluate("document.styleSheets[0].cssRules.length") > 1
    # It follows the series again, and is not old any more.
    phone.page.context.set_offline(False)
    series.records()
    expect(phone.page.locator("#round-2")).to_be_visible(timeout=10 * SECOND)
    expect(phone.page.get_by_text(OLD)).to_be_hidden()
    phone.complaints.clear()


def test_the_old_page_is_the_one_after_a_withdrawal(keeping, series):
    series.records()
    phone = keeping()
    phone.opens(f"/s/{series.id}/rounds/1/withdraw")
    phone.taps("Withdraw round 1")
    assert phone.reads("Round 1 was withdrawn.")
    # Another page is kept only after it.
    phone.opens("/")
    keeps(phone, "/")
    loses_the_network(phone)
    phone.opens(f"/s/{series.id}")
    expect(phone.page.get_by_text(OLD)).to_be_visible()
    expect(phone.page.locator("#round-1")).to_have_count(0)
    phone.complaints.clear()


def test_the_page_of_the_first_visit_opens_again(phones, series):
    """Before the first page there is no worker, so it is told what that page is made of."""
    phone = phones(service_workers="allow")
    phone.opens("/")
    keeps(phone, "/")
    loses_the_network(phone)
    phone.page.reload()
    expect(phone.page.get_by_text(OLD)).to_be_visible()
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("hanafuda table")
    phone.complaints.clear()


def test_a_round_is_entered_on_an_old_page(keeping, series):
    series.records()
    phone = keeping()
    phone.opens(f"/s/{series.id}/rounds/new")
    keeps(phone, f"/s/{series.id}/rounds/new")
    for number in (2, 3):
        # Each time the page that was kept is opened, it has another key and the next number.
        loses_the_network(phone)
        phone.opens(f"/s/{series.id}/rounds/new")
        expect(phone.page.get_by_text(OLD)).to_be_visible()
        expect(phone.page.locator("main h1")).to_contain_text(f"Round {number}")
        for seat, points in enumerate((80 + number, 88, 96 - number), 1):
            phone.page.locator(f"#round [name=p{seat}-points]").fill(str(points))
        phone.page.locator("#round[data-state=offline]").wait_for(state="attached")
        phone.page.locator("[name=save]").click()
        row = phone.page.locator("#waiting li")
        expect(row).to_have_text(f"Round {number}: not sent")
        phone.page.context.set_offline(False)
        expect(row).to_have_text(f"Round {number}: saved")
    phone.opens(f"/s/{series.id}")
    expect(phone.page.locator("tbody tr")).to_have_count(3)
    phone.complaints.clear()


def test_what_a_phone_was_put_out_of_is_gone(keeping, series):
    phone = keeping("view")
    phone.opens(f"/s/{series.id}/history")
    keeps(phone, f"/s/{series.id}/history")
    phone.opens("/")
    keeps(phone, "/")
    phone.opens(f"/s/{series.id}")
    # The page that is open hears of it by itself, and with it the worker.
    series.sends(f"/series/{series.id}/secrets/view", {}, Authorization=manages(series))
    for path in ("", "/history"):
        keeps(phone, f"/s/{series.id}{path}", kept=False)
    keeps(phone, "/", kept=False)
    loses_the_network(phone)
    with pytest.raises(Error, match="ERR_FAILED"):
        phone.page.goto(f"{series.server}/s/{series.id}")
    phone.complaints.clear()


def manages(series: Series) -> str:
    return f"Bearer {series.secrets['manage']}"


def test_no_secret_is_kept(keeping, series):
    phone = keeping("manage")
    for path in ("share", "phones", "manage", "who", "rounds/new"):
        phone.opens(f"/s/{series.id}/{path}")
    phone.opens("/j")
    phone.opens(f"/s/{series.id}")
    keeps(phone, f"/s/{series.id}/rounds/new")
    pages = {*phone.page.evaluate(KEPT)["pages"]} - {"/"}
    assert pages == {f"/s/{series.id}", f"/s/{series.id}/rounds/new"}
    texts = phone.page.evaluate(TEXTS)
    assert "Scoreboard" in texts
    for secret in series.secrets.values():
        assert secret not in texts


def test_it_can_be_installed(keeping):
    phone = keeping()
    browser = phone.page.context.new_cdp_session(phone.page)
    found = browser.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["manifest"]["display"] == "kStandalone"
    errors = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A Chromium that is not only a headless shell takes every context for a private window.
    assert {error["errorId"] for error in errors} <= {"in-incognito"}


def test_only_so_much_is_kept(keeping, series):
    phone = keeping()
    phone.page.evaluate(
        """async () => {
          const cache = await caches.open("pages");
          for (let n = 0; n < 60; n += 1) await cache.put(`/rules/${n}`, new Response(""));
        }"""
    )
    phone.opens(f"/s/{series.id}/rules")
    keeps(phone, f"/s/{series.id}/rules")
    for _ in range(40):
        if len(pages := phone.page.evaluate(KEPT)["pages"]) == 40:
            break
        phone.page.wait_for_timeout(50)
    assert len(pages) == 40
    assert pages[-1] == f"/s/{series.id}/rules"


def test_over_plain_http_there_is_no_worker(phones, series):
    phone = phones(service_workers="allow")
    phone.page.goto(f"{series.server.replace('127.0.0.1', 'table.test')}/")
    assert phone.page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    # It remarks that a header of ours works over https alone.
    assert all("Cross-Origin-Opener-Policy" in text for text in phone.complaints)
    phone.complaints.clear()
