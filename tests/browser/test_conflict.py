"""Two phones at one round: whoever is late sees both, chooses, and finds nothing left over."""

import json
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import CAPTURED, Phone

NAMES = ("Aki", "Ben", "Chie")
MINE, THEIRS = (97, 87, 80), (88, 88, 88)
NEW, CORRECTION = "/rounds/new", "/rounds/1/correct"


class Table:
    """Two phones in one series; `late` is the slower one."""

    def __init__(self, phones: Callable[..., Phone], *names: str) -> None:
        self.host, self.late = phones(), phones()
        self.host.starts("Bakappana", *(names or NAMES))
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
        """Is shown what the other phone did meanwhile, which a page of a new round hears of."""
        correcting = self.late.path.startswith(f"{self.series}{CORRECTION}")
        look = self.late.page.locator("#live").get_by_role("button", name="Look at it")
        (self.late.page.locator("[name=save]") if correcting else look).click()
        self.late.page.locator("#conflict").wait_for()
        assert self.late.typed("Aki") == [str(MINE[0])]
        # What is refused while it is sent is a complaint of the browser, and none of ours.
        self.late.complaints = [one for one in self.late.complaints if not one.startswith("409: ")]

    @property
    def sides(self) -> list[str]:
        """Whose the columns of the comparison are, and since when."""
        heads = self.late.page.get_by_role("table", name="What differs").get_by_role("columnheader")
        return [head for head in heads.all_inner_texts() if head]

    def chooses(self, words: str) -> None:
        with self.late.page.expect_navigation():
            self.late.taps(words)

    def board(self) -> list[str]:
        """The amounts of all rounds, in the order in which they were played."""
        self.late.opens(self.series)
        rows = reversed(self.late.page.locator("tbody tr").all())
        return [" ".join(row.locator(".amount").all_inner_texts()) for row in rows]

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
    theirs, mine = table.sides
    assert theirs.startswith("Recorded by phone")
    assert mine == "Yours"
    for theme in ("dark", "light"):
        table.late.page.emulate_media(color_scheme=theme)
        assert table.late.violations() == {}


def test_corrected_twice(table: Table) -> None:
    table.saves(table.host, NEW, (90, 90, 84))
    table.types(table.late, CORRECTION, MINE)
    table.saves(table.host, CORRECTION, THEIRS)
    table.is_late()
    for side, begins in zip(table.sides, ("What you saw", "Corrected by", "Yours"), strict=True):
        assert side.startswith(begins)
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
    table.host.page.get_by_text("Chie leaves").click()
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
    assert table.late.page.get_by_role("table", name="What differs").is_visible()
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
    assert len(table.sides) == 3
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
    late.page.locator("#waiting li[data-state=refused]").wait_for()
    late.page.locator("#waiting").get_by_role("button", name="Open it").click()
    late.page.locator("#conflict").wait_for()
    assert late.typed("Aki") == ["97"]
    table.chooses("Mine is round 2")
    late.page.locator("[name=save]").click()
    late.page.wait_for_url("**?saved=2")
    assert table.board() == ["0 0 0", "+9 −1 −8"]
    table.nothing_is_left_over()
    late.complaints.clear()


# --- One hand, at night -------------------------------------------------------------------------

Counts = tuple[int, int, int, int]
THREE = (((1, 4, 3, 10), (2, 3, 4, 7), (2, 2, 3, 7)), ((0, 5, 4, 9), (3, 2, 3, 8), (2, 2, 3, 7)))
FOUR = (
    ((1, 4, 3, 6), (2, 1, 3, 7), (1, 2, 3, 6), (1, 2, 1, 5)),
    ((0, 3, 4, 7), (3, 2, 2, 6), (0, 3, 2, 7), (2, 1, 2, 4)),
)
LONG = ("W" * 60, "Bartholomäus" * 5, "花子" * 30, "Ana " * 15)

OUT_OF_SIGHT = """
(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, {top, bottom, left, right}]) =>
    top < 0 || bottom > innerHeight || left < 0 || right > innerWidth)
  .map(([text]) => text)
"""
TOO_SMALL = """
() => [...document.querySelectorAll(".conflict :is(button, summary, input)")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
  .map((one) => one.textContent.trim())
"""


def counted(phone: Phone, names: Sequence[str], piles: Sequence[Counts]) -> None:
    """Types all piles by counts, and waits until the bar speaks of them."""
    phone.page.locator("#round.fast").wait_for(state="attached")
    for pile, counts in zip(phone.page.locator(".pile").all(), piles, strict=True):
        for field, number in zip(pile.get_by_role("textbox").all(), counts, strict=True):
            field.fill(str(number))
    phone.page.locator("#round[data-state=settled]").wait_for(state="attached")


def meet(table: Table, names: Sequence[str], piles: Sequence[Sequence[Counts]]) -> None:
    """Two phones count the same round, and the late one is shown both."""
    for phone in (table.late, table.host):
        phone.opens(f"{table.series}{NEW}?use=counts")
    counted(table.late, names, piles[0])
    counted(table.host, names, piles[1])
    table.host.page.locator("[name=save]").click()
    table.host.page.wait_for_url("**?saved=1")
    table.late.page.locator("#live").get_by_role("button", name="Look at it").click()
    table.late.page.locator("#conflict").wait_for()


def test_all_of_it_is_seen_at_once(table: Table) -> None:
    """Three players, two piles of which differ in everything: nothing has to be scrolled."""
    meet(table, NAMES, THREE)
    page = table.late.page
    rows = page.get_by_role("table", name="What differs").get_by_role("row")
    assert rows.count() == 1 + 2 * 6
    shown = "#refusal-conflict, .conflict > .compared, .choices button, .agreed summary"
    assert page.evaluate(OUT_OF_SIGHT, shown) == []
    # A screen reader hears whose each number is, in every row.
    heads = rows.get_by_role("rowheader").all_text_contents()
    assert " ".join(heads[1].split()) == "Aki card points"


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_choices_stay_in_sight_however_much_differs(
    phones: Callable[..., Phone], width: int
) -> None:
    table = Table(phones, *LONG)
    meet(table, LONG, FOUR)
    page = table.late.page
    page.set_viewport_size({"width": width, "height": 844})
    assert page.evaluate(OUT_OF_SIGHT, ".choices button") == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(TOO_SMALL) == []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        assert table.late.violations() == {}
    page.locator(".agreed summary").click()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    # Whoever changes something has the keys and the button to settle it under the thumb again.
    page.get_by_role("textbox").first.fill("2")
    page.locator("#live").get_by_text("too many").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(OUT_OF_SIGHT, ".dock .bar button:not([hidden])") == []


# --- A round that waits for a yes ---------------------------------------------------------------


@pytest.fixture
def careful(table: Table) -> Table:
    """A table at which another phone has to say yes to a round."""
    table.host.opens(f"{table.series}/manage")
    table.host.page.locator("[name=confirm][value=yes]").click()
    return table


def both_enter(careful: Table) -> None:
    careful.types(careful.late, NEW, MINE)
    careful.saves(careful.host, NEW, THEIRS)
    careful.is_late()
    assert careful.sides[0].startswith("Proposed by phone")
    assert careful.late.page.evaluate(OUT_OF_SIGHT, ".choices button") == []


def test_a_yes_to_the_one_that_waits(careful: Table) -> None:
    both_enter(careful)
    careful.chooses("Say yes to theirs")
    assert careful.late.reads("Round 1 is saved.")
    assert careful.board() == ["0 0 0"]
    careful.nothing_is_left_over()


def test_each_phone_has_what_it_typed_until_one_says_yes(careful: Table) -> None:
    both_enter(careful)
    careful.late.page.get_by_label("a word on why").fill("Count again")
    careful.chooses("Propose mine instead")
    assert careful.late.reads("Round 1 is sent.")
    assert careful.late.page.locator("#waiting li").count() == 0
    host = careful.host
    host.opens(careful.series)
    assert host.reads("Count again")
    host.follows("See what you typed")
    assert host.typed("Aki") == ["88"]
    assert host.page.get_by_role("columnheader", name="Proposed by phone").is_visible()
    with host.page.expect_navigation():
        host.taps("Say yes to theirs")
    assert careful.board() == ["+9 −1 −8"]
    careful.nothing_is_left_over()


def test_mine_is_the_round_after_the_one_that_waits(careful: Table) -> None:
    both_enter(careful)
    careful.chooses("Yes to theirs, mine is round 2")
    assert careful.late.heading.startswith("Round 2")
    careful.late.page.goto(careful.late.page.url)
    assert careful.late.typed("Aki") == ["97"]
    careful.late.page.locator("[name=save]").click()
    careful.late.page.wait_for_url("**?saved=2")
    assert careful.board() == ["0 0 0"]
    assert careful.late.reads("Round 2 waits for a yes from another phone.")
