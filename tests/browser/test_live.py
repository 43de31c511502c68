"""What one phone does is on the others at once, and the sign says the truth."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import PUSHED, Phone

SECOND = 1_000  # milliseconds

LIVE = "Live"
POLLING = "Asking every few seconds"
RECONNECTING = "Reconnecting …"
OFFLINE = "Offline: what you see may be old"
CLOSED = "This phone can no longer open the series"

ROUNDS = ((97, 87, 80), (87, 97, 80), (80, 87, 97))


class Series:
    """A series that somebody else scores, over the API."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.played = 0
        answer = self.sends("/series", {"game": "bakappana", "players": ["Aki", "Ben", "Chie"]})
        self.id, self.secrets = answer["id"], answer["secrets"]

    def sends(self, path: str, body: dict[str, Any], method: str = "POST", **headers: str) -> Any:
        headers["Content-Type"] = "application/json"
        if self.played or "rounds" in path:
            headers["Authorization"] = f"Bearer {self.secrets['enter']}"
        request = urllib.request.Request(
            f"{self.server}/api/v1{path}", json.dumps(body).encode(), headers, method=method
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def seats(self, points: tuple[int, ...]) -> dict[str, Any]:
        return {"seats": [{"player": at, "points": one} for at, one in enumerate(points, 1)]}

    def records(self) -> None:
        self.played += 1
        body = {"number": self.played, **self.seats(ROUNDS[(self.played - 1) % 3])}
        self.sends(f"/series/{self.id}/rounds", body)

    def corrects(self, number: int, revision: int = 1) -> None:
        body, match = self.seats(ROUNDS[number % 3]), {"If-Match": f'"{revision}"'}
        self.sends(f"/series/{self.id}/rounds/{number}", body, "PUT", **match)


@pytest.fixture
def series(server: str) -> Series:
    return Series(server)


@pytest.fixture
def watching(phones: Callable[..., Phone], series: Series) -> Callable[..., Phone]:
    """A phone at the scoreboard, or at another page of the series."""

    def opens(role: str = "view", page: str = "") -> Phone:
        phone = phones()
        phone.joins(f"{series.server}/j#{series.secrets[role]}")
        phone.opens(f"/s/{series.id}{page}")
        says(phone, LIVE)
        # What a page that is loaded anew would not have.
        phone.page.evaluate("window.same = true")
        return phone

    return opens


def says(phone: Phone, text: str) -> None:
    """The sign says this, or does soon."""
    expect(phone.page.locator(".sign")).to_have_text(text, timeout=PUSHED)


def has_round(phone: Phone, number: int) -> None:
    """The scoreboard shows a round, or does soon."""
    expect(phone.page.locator(f"#round-{number}")).to_be_visible(timeout=PUSHED)


def never_loaded_anew(phone: Phone) -> bool:
    return phone.page.evaluate("window.same === true")


def forgives(phone: Phone) -> None:
    """A phone without network complains, and should."""
    phone.complaints.clear()


# --- A change -------------------------------------------------------------------------------------


def test_a_round_on_one_phone_is_on_the_other_at_once(phones, watching, series):
    scorer, other = watching("enter"), watching()
    scorer.enters_round(1)
    scorer.goes_by("Points")
    for player, points in zip(("Aki", "Ben", "Chie"), ROUNDS[0], strict=True):
        scorer.types(player, points)
    scorer.settles()
    scorer.saves()
    has_round(other, 1)
    expect(other.page.locator(".news")).to_have_text("Round 1 is in: Aki +9, Ben −1, Chie −8.")
    assert never_loaded_anew(other)
    # Who saved it is told so by the page, not as news.
    says(scorer, LIVE)
    expect(scorer.page.locator(".news")).to_have_text("")


def test_a_round_from_anywhere_is_there_at_once(watching, series):
    phone = watching()
    for number in (1, 2, 3):
        series.records()
        has_round(phone, number)
    series.corrects(2)
    news = "Round 2 was corrected: Aki −8, Ben −1, Chie +9."
    expect(phone.page.locator(".news")).to_have_text(news, timeout=PUSHED)
    assert never_loaded_anew(phone)


def test_scroll_and_focus_stay(watching, series):
    for _ in range(4):
        series.records()
    phone = watching()
    page = phone.page
    page.set_viewport_size({"width": 320, "height": 400})
    page.locator("#round-2 a").focus()
    top = "document.querySelector('#round-2').getBoundingClientRect().top"
    # The newest round, above which the next one will stand, is above the screen.
    page.evaluate(f"document.querySelector('#round-2').was = true; scrollBy(0, {top} - 100)")
    before = page.evaluate(top)
    assert page.locator("#round-4").bounding_box()["y"] < 0
    series.records()
    has_round(phone, 5)
    assert abs(page.evaluate(top) - before) <= 1
    assert page.evaluate("document.activeElement.closest('tr').was")


def test_what_is_typed_stays(watching, series):
    phone = watching()
    # A field in the part that changes, and one beside it.
    phone.page.evaluate(
        """for (const place of document.querySelectorAll("[data-part] .progress, main"))
             place.append(Object.assign(document.createElement("input"), { className: "typed" }))"""
    )
    outside = phone.page.locator("main > .typed")
    outside.fill("half a na")
    outside.evaluate("field => field.setSelectionRange(2, 4)")
    series.records()
    has_round(phone, 1)
    expect(outside).to_be_focused()
    expect(outside).to_have_value("half a na")
    assert outside.evaluate("field => [field.selectionStart, field.selectionEnd]") == [2, 4]


def test_a_change_is_said_once(watching, series):
    phone = watching()
    phone.page.evaluate(
        """window.said = [];
        document.addEventListener("scorekeeper:news", ({ detail }) => said.push(detail));
        new MutationObserver(() => said.push("said")).observe(
          document.querySelector("[role=status].news"), { childList: true })"""
    )
    series.records()
    has_round(phone, 1)
    text = "Round 1 is in: Aki +9, Ben −1, Chie −8."
    # The page tells its other scripts, and whoever listens to it, once each.
    phone.page.wait_for_timeout(SECOND)
    assert phone.page.evaluate("said.length") == 2
    assert {"version": 2, "text": text} in phone.page.evaluate("said")


def test_a_round_that_is_looked_at_follows_its_correction_and_stays_folded(watching, series):
    series.records()
    phone = watching(page="/rounds/1")
    assert phone.amounts == {"Aki": "+9", "Ben": "−1", "Chie": "−8"}
    phone.page.locator("details.working summary").click()
    series.corrects(1)
    expect(phone.page.locator(".progress")).to_contain_text("Corrected 1 time.", timeout=PUSHED)
    assert phone.amounts == {"Aki": "−1", "Ben": "+9", "Chie": "−8"}
    assert phone.page.locator("details.working").get_attribute("open") is None
    assert never_loaded_anew(phone)


def test_the_bar_says_that_another_phone_recorded_the_round(watching, series):
    """It was about to be saved here: what there is can be looked at in place of that."""
    phone = watching("enter", "/rounds/new?use=points")
    for name, points in zip(("Aki", "Ben", "Chie"), (100, 84, 80), strict=True):
        phone.types(name, points)
    save = phone.page.get_by_role("button", name="Save round 1")
    expect(save).to_be_visible()
    series.records()
    expect(phone.page.locator("#live .warning")).to_contain_text("Round 1")
    expect(phone.page.locator("#live").get_by_role("button", name="Look at it")).to_be_visible()
    expect(save).to_be_hidden()
    assert never_loaded_anew(phone)


# --- The sign -------------------------------------------------------------------------------------


def test_a_phone_that_is_offline_says_so_and_catches_up(watching, series):
    phone = watching()
    phone.page.context.set_offline(True)
    says(phone, OFFLINE)
    series.records()
    series.records()
    phone.page.wait_for_timeout(SECOND)
    assert phone.page.locator("#round-1").count() == 0
    phone.page.context.set_offline(False)
    has_round(phone, 2)
    says(phone, LIVE)
    series.records()
    has_round(phone, 3)
    assert never_loaded_anew(phone)
    forgives(phone)


def test_a_phone_that_thinks_it_is_offline_but_is_not_stays_live(watching, series):
    phone = watching()
    phone.page.evaluate("dispatchEvent(new Event('offline'))")
    phone.page.wait_for_timeout(SECOND)
    says(phone, LIVE)
    series.records()
    has_round(phone, 1)


def test_a_hidden_page_rests_and_catches_up(watching, series):
    phone = watching()
    asked: list[str] = []
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    phone.page.evaluate(hide, True)
    phone.page.on("request", lambda request: asked.append(request.url))
    series.records()
    phone.page.wait_for_timeout(6 * SECOND)
    assert asked == []
    assert phone.page.locator(".sign").inner_text() != LIVE
    phone.page.evaluate(hide, False)
    has_round(phone, 1)
    says(phone, LIVE)
    assert never_loaded_anew(phone)


def test_where_no_stream_is_to_be_had_the_page_asks_from_time_to_time(phones, series):
    phone = phones()
    phone.page.route("**/events", lambda route: route.fulfill(status=503))
    phone.joins(f"{series.server}/j#{series.secrets['view']}")
    phone.opens(f"/s/{series.id}")
    says(phone, POLLING)
    series.records()
    has_round(phone, 1)
    says(phone, POLLING)
    forgives(phone)


def test_an_answer_of_somebody_else_is_no_answer(watching, series):
    phone = watching()

    def hotel(route: Route) -> None:
        if route.request.headers.get("accept") == "text/x-fragment":
            route.fulfill(status=200, body="<h1>Welcome to our hotel</h1>")
        else:
            route.fallback()

    phone.page.route(f"**/s/{series.id}", hotel)
    series.records()
    says(phone, OFFLINE)
    assert phone.page.locator("h1").inner_text().startswith("Bakappana")
    forgives(phone)


def test_a_phone_that_was_put_out_says_so_and_asks_no_more(watching, series):
    phone = watching()
    phone.page.context.clear_cookies()
    series.records()
    says(phone, CLOSED)
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.wait_for_timeout(6 * SECOND)
    assert asked == []
    forgives(phone)


def test_a_page_without_script_makes_no_claim(phones, series):
    series.records()
    phone = phones(java_script_enabled=False)
    phone.opens("/j")
    phone.page.get_by_role("textbox").fill(f"{series.server}/j#{series.secrets['view']}")
    phone.taps("Join")
    phone.opens(f"/s/{series.id}")
    has_round(phone, 1)
    expect(phone.page.locator(".sign")).to_be_hidden()


def test_the_sign_is_quiet_and_speaks_the_language_of_the_page(watching):
    sign = watching().page.locator(".sign")
    assert sign.get_attribute("aria-live") is None
    assert sign.get_attribute("role") is None
    assert sign.evaluate("sign => sign.closest('[data-live]').dataset.live") == LIVE


def test_four_phones_have_it(watching, series):
    four = [watching() for _ in range(4)]
    series.records()
    for phone in four:
        has_round(phone, 1)
