"""Corrections and piles wait on a phone as rounds do: sent in order, once, and truly labelled.

Half of it goes over plain http to a name, as in a home network, where there are neither locks nor
workers.
"""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

from scorekeeper.bootstrap import ROOT
from tests.browser.conftest import PATIENCE, Phone
from tests.browser.test_bad_network import plain
from tests.browser.test_live import ROUNDS, SECOND, Series
from tests.browser.test_offline import OLD, keeps

MINE, THEIRS = (110, 90, 64), (88, 88, 88)
PILE = (1, 4, 3, 12)
KINDS = ("bright", "animal", "ribbon", "chaff")


class Night:
    """A phone at a table that has played a round; somebody else scores, too, over the API."""

    def __init__(self, phone: Phone, series: Series, host: str) -> None:
        self.phone, self.series, self.host = phone, series, host
        self.context = phone.page.context
        series.records()
        phone.server = host
        phone.joins(f"{host}/j#{series.secrets['enter']}")

    @property
    def page(self) -> Page:
        """The tab that is open."""
        return self.phone.page

    @page.setter
    def page(self, page: Page) -> None:
        self.phone.page = page

    # --- The books ----------------------------------------------------------------------------

    def asks(self, path: str = "") -> Any:
        request = urllib.request.Request(
            f"{self.series.server}/api/v1/series/{self.series.id}{path}",
            headers={"Authorization": f"Bearer {self.series.secrets['view']}"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    @property
    def books(self) -> dict[int, tuple[int, tuple[int, ...]]]:
        """The revision and the points of every round that the server holds, by number."""
        return {
            one["number"]: (
                one["revision"],
                tuple(seat["points"] for seat in one["entry"]["seats"]),
            )
            for one in self.asks()["rounds"]
        }

    @property
    def done(self) -> list[str]:
        """What was done, in its order."""
        return [event["kind"] for event in reversed(self.asks("/history")["events"])]

    # --- Getting about ------------------------------------------------------------------------

    def opens(self, path: str = "") -> Page:
        """Opens a page of the series, in the tab that is open."""
        self.page.goto(f"{self.host}/s/{self.series.id}{path}")
        return self.page

    def another(self, path: str = "") -> Page:
        """Opens it in another tab, which goes on as the phone."""
        self.page = self.context.new_page()
        return self.opens(path)

    def loses_the_network(self, lost: bool = True) -> None:
        self.context.set_offline(lost)

    def nudges(self) -> None:
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def has_it_back(self) -> None:
        self.loses_the_network(False)
        self.nudges()

    def closes(self) -> None:
        """The tab is closed, the network comes back, and another page of the series is opened."""
        old = self.page
        self.another_blank()
        old.close()
        self.loses_the_network(False)
        self.opens()

    def another_blank(self) -> None:
        self.page = self.context.new_page()

    @property
    def rows(self) -> Any:
        """What waits here."""
        return self.page.locator("#waiting li")

    def taps(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    # --- A correction -------------------------------------------------------------------------

    def types(self, points: tuple[int, ...], settled: str = "settled") -> None:
        for seat, one in enumerate(points, 1):
            self.page.locator(f"#round [name=p{seat}-points]").fill(str(one))
        self.page.locator(f"#round[data-state={settled}]").wait_for(state="attached")

    @property
    def typed(self) -> tuple[int, ...]:
        fields = self.page.locator("#round [name$=-points]")
        return tuple(int(fields.nth(at).input_value()) for at in range(3))

    def corrects(self, points: tuple[int, ...] = MINE, number: int = 1) -> None:
        """Opens the page for a correction and types it."""
        self.opens(f"/rounds/{number}/correct")
        self.page.locator("#round.fast").wait_for()
        self.types(points)

    def saves(self) -> None:
        self.page.locator(".bar [name=save]").click()

    def waits(self, what: str = "Correction of round 1", state: str = "not sent") -> None:
        """The page says this of it, or does soon."""
        label = self.rows.locator("> span").filter(has_text=re.compile(f"^{what}:"))
        expect(label).to_have_text(f"{what}: {state}", timeout=PATIENCE)

    def says_so(self) -> None:
        """The page itself says, where it was saved, that it waits."""
        said = self.page.locator("#live, #said")
        expect(said).to_have_text(
            "It is kept here, and sent as soon as there is a connection.", timeout=PATIENCE
        )

    def sees(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE)

    # --- What happens to a phone --------------------------------------------------------------

    def loses_answers(self) -> None:
        """From now on what is saved arrives, and the phone does not hear of it."""

        def lose(route: Route) -> None:
            if "save=1" not in (route.request.post_data or ""):
                return route.fallback()
            # Only the browser knows the name of the server.
            headers = {**route.request.all_headers(), "host": self.host.partition("://")[2]}
            route.fetch(
                url=route.request.url.replace(self.host, self.series.server),
                headers=headers,
                max_redirects=0,
            )
            return route.abort()

        self.context.route("**/s/**", lose)

    def hears_again(self) -> None:
        self.context.unroute("**/s/**")


@pytest.fixture
def night(phones: Callable[..., Phone], server: str) -> Any:
    """Makes a night at a host."""
    made: list[Phone] = []

    def begin(host: str, **extras: Any) -> Night:
        made.append(phones(**extras))
        return Night(made[-1], Series(server), host)

    yield begin
    for phone in made:
        # A phone without a network complains, and should.
        phone.complaints.clear()


@pytest.fixture(params=["trusted", "plain http"])
def host(request: pytest.FixtureRequest, server: str) -> str:
    return server if request.param == "trusted" else plain(server)


# --- A correction ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [True, False], ids=["settled before", "never settled"])
def test_a_correction_waits_and_is_saved_from_another_page(night, host, seen):
    at = night(host)
    at.corrects((100, 90, 74))
    if seen:
        at.types(MINE)
        at.loses_the_network()
    else:
        at.loses_the_network()
        at.types(MINE, "offline")
    at.saves()
    at.waits()
    at.says_so()
    assert at.books == {1: (1, ROUNDS[0])}
    at.closes()
    at.waits(state="saved")
    assert at.books == {1: (2, MINE)}
    assert at.done == ["started", "recorded", "corrected"]
    at.opens("/rounds/1/correct")
    assert at.typed == MINE
    expect(at.rows).to_have_count(0)
    assert at.page.evaluate("Object.keys(localStorage).filter((n) => n.startsWith('draft'))") == []


def test_the_page_itself_sends_it_when_the_network_is_back(night, host):
    at = night(host)
    at.corrects()
    at.loses_the_network()
    at.saves()
    at.waits()
    at.has_it_back()
    at.page.wait_for_url("**/rounds/1?corrected=1")
    at.sees("The correction is saved.")
    assert at.books == {1: (2, MINE)}


def an_answer_is_lost(at: Night) -> None:
    at.corrects()
    at.loses_answers()
    at.saves()
    at.waits(state="sending, no answer yet")
    assert at.books == {1: (2, MINE)}
    at.nudges()
    at.page.wait_for_timeout(SECOND)
    at.waits(state="sending, no answer yet")
    expect(at.page.locator("#live .warning")).to_have_count(0)
    at.hears_again()
    at.nudges()
    at.page.wait_for_url("**/rounds/1?corrected=1")
    assert at.books == {1: (2, MINE)}


def test_an_answer_that_was_lost_is_no_conflict(night, host):
    an_answer_is_lost(night(host))


def test_a_build_that_sends_no_key_is_caught(night, server):
    script = (ROOT / "static/queue.js").read_text(encoding="utf-8")
    good = "const body = new URLSearchParams(item.fields);"
    assert script.count(good) == 1
    bad = script.replace(good, f"{good} body.delete('key');")
    at = night(server)
    at.context.route(
        "**/queue.js", lambda route: route.fulfill(body=bad, content_type="text/javascript")
    )
    at.page.set_default_timeout(3 * SECOND)
    with pytest.raises((AssertionError, Error)):
        an_answer_is_lost(at)


def test_what_is_typed_after_an_answer_was_lost_meets_it(night, host):
    """The phone does not know that it was saved, and the table should: both are shown."""
    at = night(host)
    at.corrects()
    at.loses_answers()
    at.saves()
    at.waits(state="sending, no answer yet")
    at.says_so()
    at.page.locator("#round [name=p1-points]").fill(str(THEIRS[0]))
    at.page.locator("#round [name=p2-points]").fill(str(THEIRS[1]))
    at.page.locator("#round [name=p3-points]").fill(str(THEIRS[2]))
    at.hears_again()
    at.page.get_by_role("button", name="Look at it", exact=True).click()
    at.page.locator("#conflict").wait_for()
    assert at.typed == THEIRS
    at.sees("Corrected by this phone")
    at.taps("Save mine over it")
    at.page.wait_for_url("**/rounds/1?corrected=1")
    assert at.books == {1: (3, THEIRS)}
    expect(at.rows).to_have_count(0)


def test_an_answer_that_was_lost_with_the_tab(night, host):
    at = night(host)
    at.corrects()
    at.loses_answers()
    at.saves()
    at.waits(state="sending, no answer yet")
    at.closes()
    at.hears_again()
    at.nudges()
    at.waits(state="saved")
    assert at.books == {1: (2, MINE)}
    expect(at.page.locator("#conflict")).to_have_count(0)


def refused(at: Night) -> None:
    """A correction waited while somebody else corrected the same round."""
    at.corrects()
    at.loses_the_network()
    at.saves()
    at.waits()
    at.series.corrects(1)
    at.closes()
    at.waits(state="not saved")
    at.sees("Round 1 was corrected meanwhile.")


def test_a_correction_that_meets_another_one_opens_side_by_side(night, host):
    at = night(host)
    refused(at)
    theirs = at.books
    assert theirs == {1: (2, ROUNDS[1])}
    at.opens("/history")
    at.waits(state="not saved")
    assert at.phone.violations() == {}
    at.taps("Open it")
    at.page.locator("#conflict").wait_for()
    assert at.typed == MINE
    at.waits(state="not saved")
    assert at.books == theirs
    at.taps("Save mine over it")
    at.page.wait_for_url("**/rounds/1?corrected=1")
    expect(at.rows).to_have_count(0)
    assert at.books == {1: (3, MINE)}


def test_theirs_is_kept_when_somebody_says_so(night, server):
    at = night(server)
    refused(at)
    at.taps("Open it")
    at.taps("Keep theirs")
    at.sees("What is recorded stays as it is.")
    expect(at.rows).to_have_count(0)
    assert at.books == {1: (2, ROUNDS[1])}


def test_it_is_dropped_by_two_taps(night, server):
    at = night(server)
    refused(at)
    at.taps("Drop it")
    at.waits(state="not saved")
    at.taps("Drop it for good")
    expect(at.rows).to_have_count(0)
    assert at.books == {1: (2, ROUNDS[1])}


def test_a_correction_that_is_refused_holds_up_nothing(night, host):
    at = night(host)
    refused(at)
    at.opens("/rounds/new")
    at.page.locator("#round.fast").wait_for()
    at.types(THEIRS)
    at.saves()
    at.page.wait_for_url("**?saved=2")
    at.waits(state="not saved")
    assert at.books == {1: (2, ROUNDS[1]), 2: (1, THEIRS)}


def test_rounds_and_corrections_are_sent_in_the_order_in_which_they_were_saved(night, host):
    at = night(host)
    at.series.records()
    at.corrects((110, 64, 90), number=2)
    second = at.page
    at.another("/rounds/new")
    at.types(THEIRS)
    new = at.page
    at.another()
    at.corrects(MINE)
    at.loses_the_network()
    at.saves()
    at.waits()
    for page, what in ((new, "Round 3"), (second, "Correction of round 2")):
        at.page = page
        at.saves()
        at.waits(what)
    at.has_it_back()
    at.page.wait_for_url("**/rounds/2?corrected=1")
    assert at.done[-3:] == ["corrected", "recorded", "corrected"]
    assert at.books == {1: (2, MINE), 2: (2, (110, 64, 90)), 3: (1, THEIRS)}


def test_what_is_typed_while_it_waits_takes_its_place(night, host):
    at = night(host)
    at.corrects((100, 90, 74))
    at.loses_the_network()
    at.saves()
    at.says_so()
    at.types(MINE, "offline")
    at.saves()
    at.waits()
    expect(at.rows).to_have_count(1)
    at.closes()
    at.waits(state="saved")
    assert at.books == {1: (2, MINE)}


@pytest.mark.parametrize("both", [True, False], ids=["saved in both", "saved in one"])
def test_the_same_correction_in_two_tabs_is_saved_once(night, host, both):
    at = night(host)
    at.corrects()
    first = at.page
    at.another("/rounds/1/correct")
    at.page.locator("#round[data-state=settled]").wait_for(state="attached")
    assert at.typed == MINE
    second = at.page
    if both:
        at.loses_the_network()
        for at.page in first, second:
            at.saves()
            at.waits()
            expect(at.rows).to_have_count(1)
        at.has_it_back()
    else:
        at.saves()
    for at.page in first, second:
        at.page.wait_for_url("**/rounds/1?corrected=1")
    assert at.done == ["started", "recorded", "corrected"]


def test_a_correction_is_saved_where_nothing_can_be_kept(night, server):
    at = night(server)
    at.context.add_init_script(
        "Storage.prototype.setItem = () => { throw new Error('nothing can be kept'); }"
    )
    at.corrects()
    at.saves()
    at.page.wait_for_url("**/rounds/1?corrected=1")
    assert at.books == {1: (2, MINE)}


def test_a_round_that_waits_has_no_page_to_correct_it(night, server):
    """It is on this phone alone, and nothing of it breaks when somebody looks for that page."""
    at = night(server)
    at.opens("/rounds/new")
    at.page.locator("#round.fast").wait_for()
    at.types(THEIRS)
    at.loses_the_network()
    at.saves()
    at.waits("Round 2")
    at.another_blank()
    at.context.route("**/rounds/new", lambda route: route.abort())
    at.loses_the_network(False)
    at.opens("/rounds/2/correct")
    at.sees("There is nothing here")
    at.context.unroute("**/rounds/new")
    at.opens()
    at.waits("Round 2", "saved")
    assert at.books[2] == (1, THEIRS)


# --- A pile ---------------------------------------------------------------------------------------

MY_PILE = "Your pile, round 2"


class Seat:
    """Aki's phone, at the page of Aki's pile."""

    def __init__(self, at: Night) -> None:
        self.at = at
        at.opens("/who")
        at.page.get_by_role("button", name="Aki").click()
        at.page.wait_for_url(f"**/s/{at.series.id}")

    def keys(self, pile: tuple[int, ...] = PILE) -> None:
        self.at.opens("/pile?use=counts")
        self.types(pile)

    def types(self, pile: tuple[int, ...]) -> None:
        self.at.page.locator("#pile.fast").wait_for()
        for kind, count in zip(KINDS, pile, strict=True):
            self.at.page.locator(f"#pile [data-kind={kind}]").fill(str(count))

    @property
    def typed(self) -> tuple[int, ...]:
        fields = self.at.page.locator("#pile [data-kind]")
        return tuple(int(fields.nth(at).input_value()) for at in range(4))


@pytest.fixture
def seat(night, host) -> Seat:
    return Seat(night(host))


def test_a_pile_waits_and_is_put_in_from_another_page(seat: Seat) -> None:
    at = seat.at
    seat.keys()
    at.loses_the_network()
    at.saves()
    at.waits(MY_PILE)
    at.says_so()
    at.closes()
    at.waits(MY_PILE, "saved")
    expect(at.page.locator("#seats")).to_contain_text("Aki is in")
    at.opens("/pile")
    assert seat.typed == PILE
    expect(at.rows).to_have_count(0)


def test_the_page_of_the_pile_goes_on_once_it_is_in(seat: Seat) -> None:
    at = seat.at
    seat.keys()
    at.loses_the_network()
    at.saves()
    at.waits(MY_PILE)
    at.has_it_back()
    at.page.wait_for_url("**?keyed=1#seats")
    expect(at.page.locator("#seats")).to_contain_text("Aki is in")


def test_a_pile_whose_answer_was_lost_is_put_in_once(seat: Seat) -> None:
    at = seat.at
    seat.keys()
    at.loses_answers()
    at.saves()
    at.waits(MY_PILE, "sending, no answer yet")
    at.closes()
    at.hears_again()
    at.nudges()
    at.waits(MY_PILE, "saved")
    expect(at.page.locator("#seats")).to_contain_text("Aki is in")
    expect(at.page.locator("#seats")).not_to_contain_text("changed")
    expect(at.page.locator("#seats")).not_to_contain_text("differ")


def test_a_pile_that_is_mended_while_it_waits_is_one(seat: Seat) -> None:
    at = seat.at
    seat.keys((1, 4, 3, 10))
    at.loses_the_network()
    at.saves()
    at.says_so()
    seat.types(PILE)
    at.saves()
    at.waits(MY_PILE)
    expect(at.rows).to_have_count(1)
    at.closes()
    at.waits(MY_PILE, "saved")
    at.opens("/pile")
    assert seat.typed == PILE
    expect(at.page.locator("#seats")).not_to_contain_text("changed")


def test_a_pile_whose_round_was_recorded_meanwhile_stays_until_it_is_dropped(seat: Seat) -> None:
    at = seat.at
    seat.keys()
    at.loses_the_network()
    at.saves()
    at.waits(MY_PILE)
    at.series.records()
    at.closes()
    at.waits(MY_PILE, "not saved")
    at.sees("Round 2 is recorded already.")
    # It holds up nothing, the next pile least of all.
    seat.keys((2, 3, 4, 7))
    at.saves()
    at.page.wait_for_url("**?keyed=1#seats")
    at.waits(MY_PILE, "not saved")
    at.taps("Open it")
    assert seat.typed == PILE
    at.waits(MY_PILE, "not saved")
    at.taps("Drop it")
    at.taps("Drop it for good")
    expect(at.rows).to_have_count(0)
    at.opens("/pile")
    assert seat.typed == (2, 3, 4, 7)


def test_a_pile_waits_behind_its_round(seat: Seat) -> None:
    """The round before it waits on the same phone, and goes first."""
    at = seat.at
    seat.keys()
    pile = at.page
    at.another("/rounds/new?use=points")
    at.types(THEIRS)
    at.loses_the_network()
    at.saves()
    at.waits("Round 2")
    at.page = pile
    at.saves()
    at.waits(MY_PILE)
    at.has_it_back()
    at.waits("Round 2", "saved")
    at.waits(MY_PILE, "not saved")


def test_the_page_of_a_pile_opens_again_without_a_connection(night, server):
    at = night(server, service_workers="allow")
    Seat(at)
    at.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    series = f"/s/{at.series.id}"
    for path in ("/pile", "/pile?player=2"):
        at.opens(path)
        at.opens(path)
        keeps(at.phone, f"{series}{path}")
    at.loses_the_network()
    for path, heading in (("/pile?player=2", "The pile of Ben, round 2"), ("/pile", MY_PILE)):
        at.opens(path)
        at.sees(OLD)
        expect(at.page.locator("h1")).to_have_text(heading)
    at.page.locator("#pile [name=p1-points]").fill("97")
    at.saves()
    at.waits(MY_PILE)
    at.page.reload()
    at.waits(MY_PILE)
    at.has_it_back()
    expect(at.page.locator("#seats")).to_contain_text("Aki is in", timeout=PATIENCE)
    expect(at.page.locator("#pile[data-in]")).to_be_visible()
    assert at.page.locator("#pile [name=p1-points]").input_value() == "97"
    expect(at.rows).to_have_count(0)


def test_the_pile_of_one_player_is_never_shown_for_that_of_another(night, server):
    at = night(server, service_workers="allow")
    Seat(at)
    at.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    at.opens("/pile")
    at.opens("/pile")
    keeps(at.phone, f"/s/{at.series.id}/pile")
    at.loses_the_network()
    with pytest.raises(Error, match="ERR_FAILED"):
        at.opens("/pile?player=3")
