"""P15: whatever happens to a phone, nothing acknowledged is lost or doubled, and no label lies.

A journey is an evening on one phone: a few rounds, and with each of them something that happens to
phones, in an order that comes from a seed, which is printed; `SEED=123` plays it again. Whatever is
said of a round is compared with what the books of the server hold at that moment.

Half of the journeys go over plain http to a name, as in a home network, where there are no locks.
"""

import json
import os
import random
import secrets
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, Request, Route, expect

from scorekeeper.bootstrap import ROOT
from tests.browser.conftest import Phone
from tests.browser.test_live import Series

SECOND = 1_000  # milliseconds
JOURNEYS = int(os.environ.get("JOURNEYS", "20"))
STEPS = 5
NAMES = ("Aki", "Ben", "Chie")

HIDE = """
hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""


class Evening:
    """Somebody who enters rounds on a phone; `meant` are the rounds that they pressed Save on."""

    def __init__(self, phone: Phone, series: Series, host: str, dice: random.Random) -> None:
        self.phone, self.series, self.dice = phone, series, dice
        self.context = phone.page.context
        self.page = phone.page
        self.host = host
        self.patience = 20  # seconds until everything has to be in the books
        # One round by points, so that the form asks for points from now on.
        series.records()
        self.meant = self.books
        phone.server = host
        phone.joins(f"{host}/j#{series.secrets['enter']}")
        self.opens()

    # --- What there is --------------------------------------------------------------------------

    @property
    def books(self) -> list[tuple[int, ...]]:
        """The points of every round that the server holds."""
        request = urllib.request.Request(
            f"{self.series.server}/api/v1/series/{self.series.id}",
            headers={"Authorization": f"Bearer {self.series.secrets['view']}"},
        )
        with urllib.request.urlopen(request) as answer:
            rounds = json.load(answer)["rounds"]
        return [tuple(seat["points"] for seat in one["entry"]["seats"]) for one in rounds][
            :: -1 if len(rounds) > 1 and rounds[0]["number"] > rounds[-1]["number"] else 1
        ]

    @property
    def labels(self) -> dict[int, str]:
        """What the page says of each round: "not sent", "sending", "saved", by its number."""
        said = {}
        for text in self.page.locator("#waiting li > span, .saved").all_inner_texts():
            number = int("".join(filter(str.isdigit, text)))
            said[number] = text.partition(": ")[2] or "saved"
        return said

    def tells_the_truth(self) -> None:
        """Compares every label with the books."""
        before = self.labels
        books = self.books
        after = self.labels
        for number, label in before.items():
            there = len(books) >= number and books[number - 1] == self.meant[number - 1]
            assert "not saved" not in label, f"round {number} is refused: {before}"
            if label == "saved":
                assert there, f"round {number} is said to be saved, and is not"
            if label == "not sent" and after.get(number) == label:
                assert not there, f"round {number} is said not to be sent, and is in the books"

    def settled(self) -> None:
        """Waits until all that was meant is in the books, and checks that nothing else is."""
        end = time.monotonic() + self.patience
        while len(self.books) < len(self.meant) and time.monotonic() < end:
            self.tells_the_truth()
            self.nudge()
        assert self.books == self.meant
        self.tells_the_truth()

    def nudge(self) -> None:
        """The phone says that it has a network, which is a reason to try."""
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.wait_for_timeout(100)

    # --- What is done ---------------------------------------------------------------------------

    def opens(self) -> None:
        self.page.goto(f"{self.host}/s/{self.series.id}/rounds/new")
        self.page.locator("#round.fast").wait_for()

    def field(self, seat: int) -> Any:
        return self.page.locator(f"#round [name=p{seat}-points]")

    @property
    def typed(self) -> list[str]:
        return [self.field(seat).input_value() for seat in (1, 2, 3)]

    def begins(self) -> list[str]:
        """Types the points of two players; no two rounds have the same."""
        self.points = (100 + self.dice.randrange(50), 30 + len(self.meant))
        for seat, points in enumerate(self.points, 1):
            self.field(seat).fill(str(points))
        return self.typed

    def ends(self, save: Callable[[], None] | None = None) -> None:
        """Types the last pile and presses Save."""
        points = (*self.points, 264 - sum(self.points))
        self.field(3).fill(str(points[2]))
        self.page.locator("#round:is([data-state=settled], [data-state=offline])").wait_for(
            state="attached"
        )
        self.is_at(len(self.meant) + 1)
        self.meant.append(points)
        (save or self.page.locator("[name=save]").click)()

    def is_at(self, number: int) -> None:
        """The form is that of this round."""
        expect(self.page.locator("main h1")).to_contain_text(f"Round {number}")

    def arrives(self) -> None:
        """Is on the scoreboard, which says that it is saved."""
        number = len(self.meant)
        self.page.wait_for_url(f"**?saved={number}")
        expect(self.page.locator(".saved")).to_contain_text(f"Round {number} is saved.")
        self.tells_the_truth()

    def goes_on(self) -> None:
        """Is at an empty form again, whether of the same page or of another."""
        if not self.page.locator("#round").count() or self.typed != ["", "", ""]:
            self.opens()
        assert self.typed == ["", "", ""]
        self.is_at(len(self.meant) + 1)

    def goes_offline(self, offline: bool = True) -> None:
        self.context.set_offline(offline)

    def on_save(self, what: Callable[[Route], None]) -> Callable[[], None]:
        """Does something to each request that saves, until what it answers is called."""

        wanted = ["save=1"]

        def handle(route: Route) -> None:
            sent = route.request.post_data or ""
            (what if any(part in sent for part in wanted) else Route.fallback)(route)

        self.page.route("**/rounds/new", handle)
        return wanted.clear

    # --- What happens to phones -----------------------------------------------------------------

    def reload(self) -> None:
        typed = self.begins()
        self.page.reload()
        assert self.typed == typed
        self.ends()
        self.arrives()
        self.page.reload()
        self.tells_the_truth()

    def back(self) -> None:
        self.begins()
        self.ends()
        self.arrives()
        self.page.go_back()
        self.page.locator("#round.fast").wait_for()
        self.is_at(len(self.meant) + 1)
        self.tells_the_truth()

    def forward(self) -> None:
        self.page.goto(f"{self.host}/s/{self.series.id}")
        self.opens()
        typed = self.begins()
        self.page.go_back()
        self.page.go_forward()
        self.page.locator("#round.fast").wait_for()
        assert self.typed == typed
        self.ends()
        self.arrives()

    def rotate(self) -> None:
        upright = self.page.viewport_size
        typed = self.begins()
        self.page.set_viewport_size({"width": upright["height"], "height": upright["width"]})
        assert self.typed == typed
        self.ends()
        self.arrives()
        self.page.set_viewport_size(upright)

    def sleep(self) -> None:
        """The phone falls asleep with the round half typed, or while it is being sent."""
        typed = self.begins()
        life = self.context.new_cdp_session(self.page)
        half = self.dice.random() < 0.5

        def freeze() -> None:
            self.page.evaluate(HIDE, True)
            life.send("Page.setWebLifecycleState", {"state": "frozen"})

        def save() -> None:
            held: list[Route] = []
            done = self.on_save(held.append)
            self.page.locator("[name=save]").click()
            freeze()
            for route in held:
                route.continue_()
            done()

        if half:
            freeze()
        else:
            self.ends(save)
        time.sleep(0.3)
        with suppress(Error):  # it may be on the next page already
            life.send("Page.setWebLifecycleState", {"state": "active"})
        if half:
            self.page.evaluate(HIDE, False)
            assert self.typed == typed
            self.ends()
        self.arrives()

    def offline(self) -> None:
        """The network goes; two more rounds are played until it is back."""
        self.begins()
        self.goes_offline()
        for _ in range(2):
            number = len(self.meant) + 1
            self.ends()
            row = self.page.locator("#waiting li", has_text=f"Round {number}:")
            expect(row).to_have_text(f"Round {number}: not sent")
            self.is_at(number + 1)
            assert self.typed == ["", "", ""]
            self.tells_the_truth()
            self.begins()
        self.goes_offline(False)
        self.settled()
        self.ends()
        self.arrives()

    def closed_tab(self) -> None:
        """The tab is closed right after Save, without a network."""
        self.begins()
        self.goes_offline()
        self.ends()
        self.closes()

    def closed_while_sending(self) -> None:
        """What was sent never arrives, and then the tab is closed."""
        self.begins()
        self.on_save(lambda route: route.abort())

        def lost(sent: Request) -> bool:
            return "save=1" in (sent.post_data or "")

        with self.page.expect_event("requestfailed", lost):
            self.ends()
        self.closes()

    def closes(self) -> None:
        self.page.close()
        self.goes_offline(False)
        self.page = self.context.new_page()
        self.page.goto(f"{self.host}/s/{self.series.id}")
        self.settled()

    def double_tap(self) -> None:
        self.begins()
        tap = "document.querySelector('[name=save]').click()"
        self.ends(lambda: self.page.evaluate(f"{tap}; {tap}"))
        self.arrives()

    def second_tab(self) -> None:
        """The same round lies in two tabs, and is saved in both."""
        typed = self.begins()
        first, self.page = self.page, self.context.new_page()
        self.opens()
        assert self.typed == typed
        self.field(3).fill(str(264 - sum(self.points)))
        self.page.locator("#round[data-state=settled]").wait_for(state="attached")
        second, self.page = self.page, first
        both = self.dice.random() < 0.5
        held: list[Route] = []
        done = self.on_save(held.append if both else Route.fallback)
        self.ends()
        if both:
            second.locator("[name=save]").click()
            for route in held:
                route.continue_()
        self.arrives()
        done()
        if not both:
            # It goes on with the next round.
            self.page = second
            self.is_at(len(self.meant) + 1)
            assert self.typed == ["", "", ""]
            self.page = first
        second.close()

    def lost_answer(self) -> None:
        """The round arrives, and the phone does not hear of it."""
        self.begins()

        def lose(route: Route) -> None:
            # Only the browser knows the name of the server.
            host = self.host.partition("://")[2]
            headers = {**route.request.all_headers(), "host": host}
            route.fetch(
                url=route.request.url.replace(self.host, self.series.server), headers=headers
            )
            route.abort()

        done = self.on_save(lose)
        self.ends()
        label = self.page.locator("#waiting li", has_text=f"Round {len(self.meant)}:")
        label.wait_for()
        self.settled()
        # Between two tries, too.
        unheard = f"Round {len(self.meant)}: sending, no answer yet"
        expect(label).to_have_text(unheard, timeout=self.patience * SECOND)
        done()
        for _ in range(30):
            self.nudge()
            if "saved" in label.inner_text():
                break
        expect(label).to_have_text(f"Round {len(self.meant)}: saved")

    def hotel(self) -> None:
        """Somebody else answers everything, as in the network of a hotel."""
        self.begins()

        def welcome(route: Route) -> None:
            if route.request.method == "POST":
                route.fulfill(status=self.dice.choice((200, 201, 404)), body="<h1>Welcome</h1>")
            else:
                route.fallback()

        self.page.route("**/rounds/new", welcome)
        self.ends()
        number = len(self.meant)
        label = self.page.locator("#waiting li", has_text=f"Round {number}:")
        expect(label).to_have_text(f"Round {number}: not sent")
        self.is_at(number + 1)
        self.tells_the_truth()
        self.page.unroute("**/rounds/new", welcome)
        self.settled()


KINDS = [
    Evening.reload, Evening.back, Evening.forward, Evening.rotate, Evening.sleep, Evening.offline,
    Evening.closed_tab, Evening.closed_while_sending, Evening.double_tap, Evening.second_tab,
    Evening.lost_answer, Evening.hotel,
]  # fmt: skip


@pytest.fixture
def dice(request: pytest.FixtureRequest) -> random.Random:
    seed = os.environ.get("SEED") or secrets.token_hex(4)
    print(f"SEED={seed}")
    return random.Random(f"{seed} {request.node.name}")


@pytest.fixture
def evening(phones: Callable[..., Phone], server: str, dice: random.Random) -> Any:
    """Makes an evening at a host."""
    made: list[Phone] = []

    def begin(host: str) -> Evening:
        made.append(phones())
        return Evening(made[-1], Series(server), host, dice)

    yield begin
    for phone in made:
        # A phone without a network complains, and should.
        phone.complaints.clear()


def plain(server: str) -> str:
    """The address of the server by a name, which a browser does not trust as it does its own."""
    return server.replace("127.0.0.1", "table.test")


@pytest.mark.parametrize("journey", range(JOURNEYS))
def test_nothing_is_lost_and_no_label_lies(
    evening: Any, server: str, dice: random.Random, journey: int
) -> None:
    night = evening(plain(server) if journey % 2 else server)
    assert night.page.evaluate("isSecureContext") != bool(journey % 2)
    # Each kind comes up as often as the others.
    kinds = [KINDS[(journey * STEPS + at) % len(KINDS)] for at in range(STEPS)]
    dice.shuffle(kinds)
    print([kind.__name__ for kind in kinds])
    for kind in kinds:
        kind(night)
        night.settled()
        night.goes_on()


BROKEN = {
    "drops a round before it is acknowledged": (
        "change(item, { tried: true });",
        "drop(item.key);",
        Evening.closed_while_sending,
    ),
    "makes another key for each try": (
        "const body = new URLSearchParams(item.fields);",
        "const body = new URLSearchParams(item.fields); body.set('key', newKey());",
        Evening.lost_answer,
    ),
    "says that a round never left, though it did": (
        'return item.tried ? "unanswered" : "unsent";',
        'return "unsent";',
        Evening.lost_answer,
    ),
    "takes whatever answers for the server": (
        "return page.querySelector(\"body > .heard[data-seen]\");",
        "return Object.assign(page.body, { className: 'heard savable' });",
        Evening.hotel,
    ),
}  # fmt: skip


@pytest.mark.parametrize("flaw", BROKEN)
def test_a_build_that_is_broken_is_caught(
    evening: Any, server: str, dice: random.Random, flaw: str
) -> None:
    good, bad, kind = BROKEN[flaw]
    script = (ROOT / "static/queue.js").read_text(encoding="utf-8")
    assert script.count(good) == 1
    night = evening(server)
    night.context.route(
        "**/queue.js",
        lambda route: route.fulfill(body=script.replace(good, bad), content_type="text/javascript"),
    )
    night.opens()
    night.page.set_default_timeout(3 * SECOND)
    night.patience = 3

    def goes_wrong() -> None:
        kind(night)
        night.settled()
        night.goes_on()

    with pytest.raises((AssertionError, Error)):
        goes_wrong()


# --- What is refused ------------------------------------------------------------------------------


def two_wait(night: Evening) -> tuple[Any, Any]:
    """Two rounds wait on the phone while another one records the first of these numbers."""
    night.begins()
    night.goes_offline()
    for _ in range(2):
        night.ends()
        night.is_at(len(night.meant) + 1)
        night.begins()
    night.series.records()
    night.goes_offline(False)
    night.nudge()
    first, second = (
        night.page.locator("#waiting li", has_text=f"Round {number}:") for number in (2, 3)
    )
    expect(first.locator("span")).to_have_text("Round 2: not saved")
    expect(first.locator(".refusal")).to_have_text("Round 2 is recorded already.")
    return first, second


def test_a_round_whose_number_was_taken_stays_and_those_behind_it_wait(evening, server):
    night = evening(server)
    mine, books = night.meant, night.books
    first, second = two_wait(night)
    mine = night.meant[1:]
    theirs = night.books
    assert len(theirs) == len(books) + 1
    for _ in range(3):
        night.nudge()
    expect(first.locator("span")).to_have_text("Round 2: not saved")
    expect(second).to_have_text("Round 3: not sent")
    assert night.books == theirs
    assert night.phone.violations() == {}
    # On the scoreboard, too, and after a reload.
    night.page.goto(f"{server}/s/{night.series.id}")
    expect(first.locator("span")).to_have_text("Round 2: not saved")
    first.get_by_role("button", name="Open it").click()
    # Both are shown side by side, and whoever chooses says what it is.
    expect(night.page.locator("#conflict")).to_contain_text("Round 2 is recorded already.")
    assert night.typed == [str(points) for points in mine[0]]
    assert night.books == theirs
    night.page.get_by_role("button", name="Keep what is recorded").click()
    expect(first).to_have_count(0)
    expect(second).to_have_text("Round 3: saved")
    assert night.books == [*theirs, mine[1]]


def test_a_round_is_dropped_by_two_taps(evening, server):
    night = evening(server)
    first, second = two_wait(night)
    theirs = night.books
    first.get_by_role("button", name="Drop it").click()
    expect(first.locator("span")).to_have_text("Round 2: not saved")
    first.get_by_role("button", name="Drop it for good").click()
    expect(first).to_have_count(0)
    night.nudge()
    expect(second).to_have_text("Round 3: saved")
    assert night.books == [*theirs, night.meant[-1]]


def test_it_becomes_another_round_when_somebody_says_so(evening, server):
    night = evening(server)
    first, second = two_wait(night)
    theirs, mine = night.books, night.meant[1:]
    second.evaluate(
        "one => localStorage.removeItem(Object.keys(localStorage).find((key) => "
        "JSON.parse(localStorage.getItem(key)).place?.endsWith(' 3')))"
    )
    night.page.goto(f"{server}/s/{night.series.id}")
    first.get_by_role("button", name="Open it").click()
    night.page.get_by_role("button", name="Mine is round 3").click()
    night.is_at(3)
    assert night.typed == [str(points) for points in mine[0]]
    night.page.locator("[name=save]").click()
    night.page.wait_for_url("**?saved=3")
    assert night.books == [*theirs, mine[0]]
    expect(night.page.locator("#waiting li")).to_have_count(0)


def test_a_phone_that_was_put_out_keeps_its_round_and_says_why(evening, server, phones):
    night = evening(server)
    night.begins()
    night.goes_offline()
    night.ends()
    night.is_at(3)
    night.context.clear_cookies()
    night.goes_offline(False)
    night.nudge()
    row = night.page.locator("#waiting li")
    expect(row.locator("span")).to_have_text("Round 2: not saved")
    expect(row.locator(".refusal")).to_contain_text("There is nothing here")
    # Let in again, it sends the round when it is told to.
    other = Phone(night.context.new_page(), server)
    other.joins(f"{server}/j#{night.series.secrets['enter']}")
    row.get_by_role("button", name="Send it again").click()
    expect(row).to_have_text("Round 2: saved")
    assert night.books == night.meant


# --- What else is promised ------------------------------------------------------------------------


def test_it_is_said_once_that_a_round_waits_and_once_that_it_is_saved(evening, server):
    night = evening(server)
    night.page.evaluate(
        """window.said = [];
        const told = document.querySelector("#waiting + [role=status]");
        new MutationObserver(() => said.push(told.textContent)).observe(told, {childList: true})"""
    )
    night.begins()
    night.goes_offline()
    night.ends()
    night.is_at(3)
    for _ in range(3):
        night.nudge()
    night.goes_offline(False)
    night.nudge()
    expect(night.page.locator("#waiting li")).to_have_text("Round 2: saved")
    assert night.page.evaluate("said") == ["Round 2: not sent", "Round 2: saved"]


def test_a_phone_that_can_keep_nothing_saves_as_without_script(evening, server):
    night = evening(server)
    night.context.add_init_script(
        "Storage.prototype.setItem = () => { throw new Error('nothing can be kept'); }"
    )
    night.opens()
    night.begins()
    night.ends()
    night.arrives()
    assert night.books == night.meant


def test_a_form_whose_token_is_no_good_any_more_saves(evening, server):
    night = evening(server)
    night.begins()
    night.context.clear_cookies(name="session")
    night.ends()
    night.arrives()
    assert night.books == night.meant


def test_a_round_of_another_game_waits_too(evening, server, phones):
    """Who deals is left to the series, and what was noted of the round before is not repeated."""
    phone = phones()
    phone.starts("Hachi-Hachi", *NAMES)
    phone.opens(f"{phone.path}/rounds/new")
    phone.page.context.set_offline(True)
    for number in (1, 2):
        phone.picks("A dekiyaku ended it 出来役", "How did it end?")
        phone.picks("Ben", "Who ended it?")
        phone.page.locator("[name=field][value='12B']").check()
        phone.page.locator("[name=p2-dekiyaku][value=shiko]").check()
        phone.page.locator("#round[data-state=offline]").wait_for(state="attached")
        phone.page.locator("[name=save]").click()
        expect(phone.page.locator("main h1")).to_contain_text(f"Round {number + 1}")
        assert phone.page.locator("#round :checked").evaluate_all(
            "all => all.filter((one) => one.value).map((one) => one.name + ' ' + one.value)"
        ) == ["end counted"]
    phone.page.context.set_offline(False)
    rows = phone.page.locator("#waiting li")
    expect(rows).to_have_text(["Round 1: saved", "Round 2: saved"])
    phone.opens(phone.path.removesuffix("/rounds/new"))
    assert [row.split(" | ")[0] for row in phone.board[1:3]] == ["1", "2"]
    phone.complaints.clear()
