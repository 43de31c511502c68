"""The scoreboard on a phone: people fit across it, names are whole when asked for, it ends well."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Phone

WIDTHS = (360, 390)
LONG = "Bartholomäus-Maximilian von Hohenlohe-Waldenburg"

# How far what is in the frame of the table reaches beyond it.
BESIDE = "one => one.scrollWidth - one.clientWidth"


class Evening:
    """A series on a phone that manages it, and that records rounds the quick way."""

    def __init__(self, phone: Phone, game: str, *names: str, rounds: int | None = 12) -> None:
        self.phone = phone
        body = {"game": game, "players": names, "rounds": rounds}
        started = self.sends("", body)
        self.id, self.secret = started["id"], started["secrets"]["manage"]
        self.played = 0
        phone.is_let_in(self.secret)
        phone.opens(f"/s/{self.id}")

    def sends(self, path: str, body: Any, method: str = "POST") -> Any:
        headers = {"Authorization": f"Bearer {self.secret}"} if path else {}
        answer = self.phone.page.context.request.fetch(
            f"{self.phone.server}/api/v1/series{path}", method=method, data=body, headers=headers
        )
        assert answer.ok, answer.text()
        return answer.json()

    def records(self, points: dict[int, int], **more: Any) -> None:
        """A round by the points of the players who play it; the first of them deals."""
        self.played += 1
        seats = [{"player": player, "points": counted} for player, counted in points.items()]
        body = {"number": self.played, "dealer": 0, "seats": seats, **more}
        self.sends(f"/{self.id}/rounds", body)

    def finishes(self) -> None:
        self.sends(f"/{self.id}", {"state": "finished"}, "PATCH")

    def looks(self, width: int, **how: Any) -> Locator:
        """The frame of the scoreboard at a width."""
        self.phone.page.set_viewport_size({"width": width, "height": 800})
        self.phone.opens(f"/s/{self.id}")
        return self.phone.page.locator(".scroll:has(> .scores)")


# --- What fits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en-GB", "ja-JP"])
@pytest.mark.parametrize("names", [("Aki", "Ben", "Chie", "Dai"), ("Barti", "Ben", "智恵", "Dora")])
def test_four_people_fit_across_a_phone(
    phones: Callable[..., Phone], names: tuple[str, ...], language: str
) -> None:
    """With totals of four figures, too, and with everybody's dealing."""
    evening = Evening(phones(locale=language), "hachi-hachi", *names)
    for players in (1, 2, 3), (2, 3, 4), (3, 4, 1), (4, 1, 2), (1, 2, 3), (1, 2, 3):
        points = dict(zip(players, (264, 0, 0), strict=True))
        evening.records(points, multiplier=4)
    for width in WIDTHS:
        frame = evening.looks(width)
        assert frame.evaluate(BESIDE) <= 0, width
        rows = frame.locator("tbody tr").all()
        heights = [row.bounding_box()["height"] for row in rows]
        assert max(heights) < 60, (width, "the mark of the dealer takes a line of its own")
        for head in frame.locator("thead bdi").all():
            assert head.evaluate(BESIDE) <= 0, (width, head.inner_text())


def test_more_people_scroll_and_the_rounds_stay(phones: Callable[..., Phone]) -> None:
    evening = Evening(phones(), "bakappana", "Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen")
    evening.records({1: 100, 2: 84, 3: 80})
    frame = evening.looks(360)
    assert frame.evaluate(BESIDE) > 0
    assert frame.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    frame.evaluate("one => { one.scrollLeft = 1000 }")
    number = frame.locator("tbody th")
    assert number.bounding_box()["x"] <= frame.bounding_box()["x"] + 1
    expect(frame.get_by_role("columnheader", name="Gen")).to_be_in_viewport()


def test_a_long_name_ends_after_two_lines_and_is_whole_when_it_is_tapped(
    phones: Callable[..., Phone],
) -> None:
    evening = Evening(phones(), "bakappana", LONG, "Ben", "Chie")
    evening.records({1: 100, 2: 84, 3: 80})
    frame = evening.looks(360)
    head = frame.locator("thead bdi").first
    below = "one => one.scrollHeight - one.clientHeight"
    assert head.evaluate(below) > 0
    assert head.evaluate("one => getComputedStyle(one).webkitLineClamp") == "2"
    head.tap()
    assert head.evaluate(below) <= 0
    assert head.evaluate(BESIDE) <= 0
    assert frame.evaluate(BESIDE) <= 0


# --- How it ends ----------------------------------------------------------------------------------


@pytest.fixture
def evening(phone: Phone) -> Evening:
    """An evening whose only round is played."""
    evening = Evening(phone, "hachi-hachi", "Aki", "Ben", "Chie", rounds=1)
    evening.records({1: 100, 2: 84, 3: 80})
    evening.looks(390)
    return evening


def test_the_host_finishes_the_series_with_one_tap(evening: Evening) -> None:
    phone = evening.phone
    assert phone.reads("All rounds are played")
    with phone.page.expect_navigation():
        phone.taps("Finish the series")
    assert phone.reads("The series is finished")
    assert phone.path == f"/s/{evening.id}"
    assert not phone.page.get_by_role("button", name="Finish the series").count()


def test_it_can_be_finished_on_a_page_that_was_open_before_the_end(phone: Phone) -> None:
    evening = Evening(phone, "hachi-hachi", "Aki", "Ben", "Chie", rounds=1)
    expect(phone.page.locator(".sign")).to_have_text("Live")
    evening.records({1: 100, 2: 84, 3: 80})
    with phone.page.expect_navigation():
        phone.taps("Finish the series")
    assert phone.reads("The series is finished")


def test_the_same_people_are_there_for_another_one(evening: Evening) -> None:
    phone = evening.phone
    phone.follows("Play again with the same people")
    names = [phone.page.get_by_role("textbox", name=f"Player {at}", exact=True) for at in (1, 2, 3)]
    assert [name.input_value() for name in names] == ["Aki", "Ben", "Chie"]


KEPT = "What was typed on this phone and not saved is kept on it."


def test_a_finished_series_says_what_is_left_on_this_phone(phone: Phone) -> None:
    """It is not offered to a round that will never be, and stays for when the series goes on."""
    evening = Evening(phone, "hachi-hachi", "Aki", "Ben", "Chie", rounds=1)
    notes = phone.page.locator(".notes")
    notes.locator("summary", has_text="Aki").click()
    notes.get_by_role("checkbox", name=re.compile(r"^Triplet 三本 sanbon \d")).check()
    evening.records({1: 100, 2: 84, 3: 80})
    expect(phone.page.get_by_text(KEPT)).to_be_visible()
    evening.finishes()
    expect(phone.page.get_by_role("heading", name="The series is finished")).to_be_visible()
    expect(phone.page.get_by_text(KEPT)).to_be_visible()
    assert not phone.page.locator(".notes, .older").count()
    evening.sends(f"/{evening.id}", {"state": "open"}, "PATCH")
    phone.follows("Go on: enter round 2")
    expect(phone.page.get_by_text("Round 1 was begun on this phone and not saved.")).to_be_visible()


def test_where_nothing_is_left_nothing_is_said(evening: Evening) -> None:
    assert evening.phone.page.get_by_text(KEPT).count() == 1
    expect(evening.phone.page.get_by_text(KEPT)).to_be_hidden()


# --- When it was ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "as_said"),
    [
        ("en-GB", r"\d+ \w+ \d{4}, \d\d:\d\d"),
        ("en-US", r"\w+ \d+, \d{4}, \d+:\d\d\s[AP]M"),
        ("ja-JP", r"\d{4}/\d\d/\d\d \d+:\d\d"),
    ],
)
def test_moments_are_those_of_the_phone(
    phones: Callable[..., Phone], locale: str, as_said: str
) -> None:
    evening = Evening(phones(locale=locale, timezone_id="Asia/Kathmandu"), "bakappana", "A", "B")
    phone = evening.phone
    phone.opens(f"/s/{evening.id}/history")
    time = phone.page.locator(".history time")
    expect(time).to_have_text(re.compile(rf"^{as_said}$"))
    # A quarter of an hour off, unlike anywhere else.
    minutes = re.search(r":(\d\d)", time.inner_text())
    written = re.search(r":(\d\d):\d\d", time.get_attribute("datetime") or "")
    assert minutes
    assert written
    assert (int(minutes[1]) - int(written[1])) % 60 == 45


def test_a_day_is_one_on_every_page(phones: Callable[..., Phone]) -> None:
    evening = Evening(phones(locale="en-GB"), "bakappana", "Aki", "Ben")
    for page in ("/", f"/s/{evening.id}/phones"):
        evening.phone.opens(page)
        expect(evening.phone.page.locator("time.day").first).to_have_text(
            re.compile(r"^\d+ \w+ \d{4}$")
        )
