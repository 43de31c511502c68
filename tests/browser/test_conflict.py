"""Two phones at one round: whoever is late sees both, chooses, and finds nothing left over."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import CAPTURED, Phone

NAMES = ("Aki", "Ben", "Chie")
MINE, THEIRS = (97, 87, 80), (88, 88, 88)
NEW, CORRECTION = "/rounds/new", "/rounds/1/correct"


class Table:
    """Two phones in one series; `late` is the slower one."""

    def __init__(self, phones: Callable[..., Phone]) -> None:
        self.host, self.late = phones(), phones()
        self.host.starts("Bakappana", *NAMES)
        self.series = self.host.path
        self.host.opens(f"{self.series}/share")
        self.late.joins(self.host.link("To score"))

    def types(self, phone: Phone, path: str, points: tuple[int, ...]) -> None:
        """Fills in a round, and waits until the bar speaks of it."""
        phone.opens(f"{self.series}{path}?use=points")
        for name, counted in zip(NAMES, points, strict=True):
            phone.types(name, counted)
        phone.page.locator("#round[data-state=settled]").wait_for(state="attached")

    def saves(self, phone: Phone, path: str, points: tuple[int, ...]) -> None:
        self.types(phone, path, points)
        phone.page.locator("[name=save]").click()
        phone.page.wait_for_url(lambda url: "saved=" in url or "corrected=" in url)

    def is_late(self) -> None:
        """Presses Save, and is shown what the other phone did meanwhile."""
        self.late.page.locator("[name=save]").click()
        self.late.page.locator("#conflict").wait_for()
        assert self.late.typed("Aki") == ["97"]
        # What is refused while it is sent is a complaint of the browser, and none of ours.
        self.late.complaints = [one for one in self.late.complaints if not one.startswith("409: ")]

    def chooses(self, words: str) -> None:
        with self.late.page.expect_navigation():
            self.late.taps(words)

    def board(self) -> list[str]:
        self.late.opens(self.series)
        rows = self.late.page.locator("tbody tr")
        return [" ".join(row.locator(".amount").all_inner_texts()) for row in rows.all()]

    def nothing_is_left_over(self) -> None:
        """No draft haunts the next round, and nothing waits to be sent."""
        self.late.opens(f"{self.series}{NEW}?use=points")
        self.late.page.locator("#round.fast").wait_for(state="attached")
        assert self.late.page.get_by_text("was begun on this phone").count() == 0
        assert self.late.page.locator("#waiting li").count() == 0
        assert self.late.typed("Aki") == [""]


@pytest.fixture
def table(phones: Callable[..., Phone]) -> Table:
    return Table(phones)


def test_recorded_twice_and_kept(table: Table) -> None:
    table.types(table.late, NEW, MINE)
    table.saves(table.host, NEW, THEIRS)
    table.is_late()
    assert table.late.reads("Recorded by")
    table.chooses("Keep what is recorded")
    assert table.late.reads("What is recorded stays as it is.")
    assert table.board() == ["0 0 0"]
    table.nothing_is_left_over()


def test_recorded_twice_and_corrected(table: Table) -> None:
    table.types(table.late, NEW, MINE)
    table.saves(table.host, NEW, THEIRS)
    table.is_late()
    table.chooses("Correct round 1 to mine")
    assert table.late.heading.startswith("Correct round 1")
    # A reload finds it where it is now.
    table.late.page.goto(table.late.page.url)
    assert table.late.typed("Aki") == ["97"]
    table.late.page.locator("[name=save]").click()
    table.late.page.wait_for_url("**/rounds/1?corrected=1")
    assert table.board() == ["+9 −1 −8"]
    table.nothing_is_left_over()


def test_recorded_twice_and_another_round(table: Table) -> None:
    table.types(table.late, NEW, MINE)
    table.saves(table.host, NEW, THEIRS)
    table.is_late()
    table.chooses("Mine is round 2")
    assert table.late.heading.startswith("Round 2")
    drafts = json.loads(table.late.page.evaluate("JSON.stringify(Object.keys(localStorage))"))
    (draft,) = [name for name in drafts if name.startswith("draft ")]
    assert draft.endswith(" 2")
    table.late.page.locator("[name=save]").click()
    table.late.page.wait_for_url("**?saved=2")
    assert table.board() == ["0 0 0", "+9 −1 −8"]
    table.nothing_is_left_over()


def test_another_phone_records_it_while_it_is_typed(table: Table) -> None:
    table.types(table.late, NEW, THEIRS)
    table.saves(table.host, NEW, THEIRS)
    table.late.types("Aki", 97)
    table.late.types("Ben", 87)
    table.late.types("Chie", 80)
    warning = table.late.page.locator("#live .warning")
    expect(warning).to_have_text("Round 1 is recorded already.")
    assert not table.late.page.locator("[name=save]").is_visible()
    table.chooses("Look at it")
    assert table.late.page.locator(".sides > section").count() == 2
    for theme in ("dark", "light"):
        table.late.page.emulate_media(color_scheme=theme)
        assert table.late.violations() == {}


def test_corrected_twice(table: Table) -> None:
    table.saves(table.host, NEW, (90, 90, 84))
    table.types(table.late, CORRECTION, MINE)
    table.saves(table.host, CORRECTION, THEIRS)
    table.is_late()
    titles = table.late.page.locator(".sides h2").all_inner_texts()
    for title, beginning in zip(titles, ("What you saw", "Corrected by", "Yours"), strict=True):
        assert title.startswith(beginning)
    table.chooses("Save mine over it")
    assert table.board() == ["+9 −1 −8"]
    table.nothing_is_left_over()


def test_withdrawn_while_it_was_corrected(table: Table) -> None:
    table.saves(table.host, NEW, (90, 90, 84))
    table.types(table.late, CORRECTION, MINE)
    table.host.opens(f"{table.series}/rounds/1/withdraw")
    table.host.taps("Withdraw round 1")
    table.is_late()
    assert table.late.reads("Round 1 was withdrawn meanwhile by phone")
    table.chooses("Record mine as round 1 again")
    table.late.page.locator("[name=save]").click()
    table.late.page.wait_for_url("**?saved=1")
    assert table.board() == ["+9 −1 −8"]
    table.nothing_is_left_over()


def test_withdrawn_while_it_was_corrected_and_left_so(table: Table) -> None:
    table.saves(table.host, NEW, (90, 90, 84))
    table.types(table.late, CORRECTION, MINE)
    table.host.opens(f"{table.series}/rounds/1/withdraw")
    table.host.taps("Withdraw round 1")
    table.is_late()
    table.chooses("Leave it withdrawn")
    assert table.board() == [""]
    drafts = table.late.page.evaluate(
        "Object.keys(localStorage).filter(n => n.startsWith('draft'))"
    )
    assert drafts == []
    table.nothing_is_left_over()


def test_finished_while_it_was_typed(table: Table) -> None:
    table.types(table.late, NEW, MINE)
    table.host.opens(f"{table.series}/manage")
    table.host.taps("Finish the series")
    table.is_late()
    assert table.late.reads("The series was finished by phone")
    table.chooses("Leave mine out")
    assert table.board() == [""]


def test_somebody_left_while_it_was_typed(table: Table) -> None:
    table.types(table.late, NEW, MINE)
    table.host.opens(f"{table.series}/manage")
    table.host.page.get_by_role("button", name="Leave").last.click()
    table.is_late()
    assert table.late.reads("has left the series meanwhile")
    table.chooses("Chie comes back")
    table.late.page.locator("[name=save]").click()
    table.late.page.wait_for_url("**?saved=1")
    assert table.board() == ["+9 −1 −8"]


def test_a_correction_is_shown_before_it_is_withdrawn(table: Table) -> None:
    table.saves(table.host, NEW, (90, 90, 84))
    table.late.opens(f"{table.series}/rounds/1/withdraw")
    table.saves(table.host, CORRECTION, THEIRS)
    table.chooses("Withdraw round 1")
    assert table.late.refusals == ["Round 1 was corrected meanwhile."]
    assert table.late.page.locator(".sides .mark").count() > 0
    table.chooses("Withdraw round 1")
    assert table.board() == [""]


def test_it_works_without_script(phones: Callable[..., Phone], table: Table) -> None:
    plain = phones(java_script_enabled=False)
    table.host.opens(f"{table.series}/share")
    link = table.host.link("To score")
    plain.opens("/j")
    plain.page.get_by_role("textbox").first.fill(link)
    plain.taps("Join")
    plain.skips_the_name()
    plain.opens(f"{table.series}{NEW}?use=points")
    for name, counted in zip(NAMES, MINE, strict=True):
        plain.types(name, counted)
    plain.settles()
    table.saves(table.host, NEW, THEIRS)
    plain.saves()
    assert plain.group("Aki", plain.group(CAPTURED)).get_by_role("textbox").input_value() == "97"
    assert plain.page.evaluate("document.documentElement.scrollWidth") <= 390
    plain.taps("Correct round 1 to mine")
    assert plain.heading.startswith("Correct round 1")
    plain.saves()
    assert table.board() == ["+9 −1 −8"]


def test_a_correction_that_was_begun_before_another_one(table: Table) -> None:
    """It is still on this phone when the page is opened anew, and never taken for a newer one."""
    table.saves(table.host, NEW, (90, 90, 84))
    table.types(table.late, CORRECTION, MINE)
    table.saves(table.host, CORRECTION, THEIRS)
    table.late.opens(f"{table.series}{CORRECTION}?use=points")
    warning = table.late.page.locator("#live .warning")
    expect(warning).to_have_text("Round 1 was corrected meanwhile.")
    assert table.late.typed("Aki") == ["97"]
    table.chooses("Look at it")
    assert table.late.page.locator(".sides > section").count() == 3
    table.chooses("Save mine over it")
    assert table.late.reads("The correction is saved.")
    assert table.board() == ["+9 −1 −8"]
    table.late.opens(f"{table.series}{CORRECTION}?use=points")
    table.late.page.locator("#round.fast").wait_for(state="attached")
    assert table.late.page.locator("#live .warning").count() == 0


def test_a_round_that_waited_for_a_connection(table: Table) -> None:
    """Another phone recorded its number meanwhile; it is opened from those that wait."""
    late = table.late
    table.types(late, NEW, MINE)
    late.page.context.set_offline(True)
    late.page.locator("[name=save]").click()
    late.page.locator("#waiting li").wait_for()
    table.saves(table.host, NEW, THEIRS)
    late.page.context.set_offline(False)
    late.page.locator("#waiting li[data-state=refused]").wait_for(timeout=15_000)
    late.page.locator("#waiting").get_by_role("button", name="Open it").click()
    late.page.locator("#conflict").wait_for()
    assert late.typed("Aki") == ["97"]
    table.chooses("Mine is round 2")
    late.page.locator("[name=save]").click()
    late.page.wait_for_url("**?saved=2")
    assert table.board() == ["0 0 0", "+9 −1 −8"]
    table.nothing_is_left_over()
    late.complaints.clear()
