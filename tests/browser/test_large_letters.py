"""Pages on a small phone, and on one whose browser is set to letters half as large again.

What is laid down here: no page is wider than the screen; the buttons of a bar are wide enough for
their words, and leave the page its room; names are whole before figures have their ease; what a
page is opened for is in sight when it opens.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from scorekeeper.round_form import ways
from scorekeeper.rules.games import GAMES
from tests.browser.conftest import Phone
from tests.browser.test_board import BESIDE, Evening
from tests.browser.test_pages import UNFOLD

USUAL, LARGE = 16, 24  # pixels
NAMES = ("はるか", "お母さん", "Harald", "健")

# The screen, and how large its letters are.
SCREENS = [(390, 844, USUAL), (320, 640, USUAL), (360, 740, LARGE), (320, 640, LARGE)]
SMALL = SCREENS[1:]

Hold = Callable[..., Phone]


@pytest.fixture
def hold(phones: Callable[..., Phone]) -> Hold:
    """Takes a phone in Japanese whose browser has been told how large letters are."""

    def taken(width: int, height: int, letters: int, **extras: object) -> Phone:
        phone = phones(locale="ja-JP", viewport={"width": width, "height": height}, **extras)
        said = {"fontSizes": {"standard": letters}}
        phone.page.context.new_cdp_session(phone.page).send("Page.setFontSizes", said)
        return phone

    return taken


def evening(phone: Phone, game: str, rounds: int, people: int = 4) -> Evening:
    """A series without an end in which everybody but one plays each round; the third is void."""
    played = Evening(phone, game, *NAMES[:people], rounds=None)
    for number in range(rounds):
        seats = min(people, max(GAMES[game].seats), 3)
        at = [(number + seat) % people + 1 for seat in range(seats)]
        points = (100, 84, 80) if seats == 3 else (30, 20)
        more = {"end": "void"} if number == 2 else {}
        played.records(dict(zip(at, points, strict=True)), **more)
    return played


def types(phone: Phone, *points: int | str) -> None:
    """Types card points, or nothing, for everybody in the order of their seats."""
    for field, one in zip(phone.page.locator(".numbers input").all(), points, strict=True):
        field.fill(str(one))


# --- What fits ------------------------------------------------------------------------------------

PAGES = {
    "hachi-hachi": (
        *("", "/rounds/1", "/rounds/1/correct", "/rounds/1/otherwise", "/rounds/4/withdraw"),
        *("/history", "/rules", "/manage", "/share", "/pile?player=1"),
        *(f"/rounds/new?use={form}" for form in ways(GAMES["hachi-hachi"])),
    ),
    "kaga": ("/rounds/1/correct", "/rounds/new?use=months", "/rounds/1/otherwise"),
}

# What is wrong with a page, however far down it is.
WRONG = """
(width) => {
  const wrong = [];
  const shown = one => one.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const beside = document.documentElement.scrollWidth - width;
  if (beside > 0) wrong.push(`wider than the screen by ${beside}`);
  for (const bar of [...document.querySelectorAll(".bar")].filter(shown)) {
    const share = bar.offsetHeight / innerHeight;
    if (share > 0.34) wrong.push(`the bar takes ${share.toFixed(2)} of the screen`);
    for (const one of [...bar.children].filter(shown)) {
      const range = document.createRange();
      range.selectNodeContents(one);
      const lines = new Set([...range.getClientRects()].map(line => Math.round(line.top))).size;
      const {width: wide, height} = one.getBoundingClientRect();
      if (lines > 2 || height < 44 || wide < 44)
        wrong.push(`${one.textContent.trim()}: ${wide} x ${height}, ${lines} lines`);
    }
  }
  for (const name of [...document.querySelectorAll("bdi")].filter(shown)) {
    if (getComputedStyle(name).overflowX === "visible" || !name.clientWidth) continue;
    const [beside, below] =
      [name.scrollWidth - name.clientWidth, name.scrollHeight - name.clientHeight];
    const within = name.parentElement.className;
    if (beside > 1 || below > 6) wrong.push(`cut: ${name.textContent} in ${within}`);
  }
  return wrong;
}
"""


@pytest.mark.parametrize(("width", "height", "letters"), SMALL)
@pytest.mark.parametrize("game", PAGES)
def test_pages_fit_and_their_bars_leave_room(
    hold: Hold, game: str, width: int, height: int, letters: int
) -> None:
    phone = hold(width, height, letters)
    played = evening(phone, game, 4, people=max(GAMES[game].seats) + (game != "kaga"))
    found = {}
    for path in PAGES[game]:
        phone.opens(f"/s/{played.id}{path}")
        assert phone.page.evaluate("getComputedStyle(document.documentElement).fontSize") == (
            f"{letters}px"
        )
        phone.page.evaluate(UNFOLD)
        if wrong := phone.page.evaluate(WRONG, width):
            found[path] = wrong
    assert found == {}


@pytest.mark.parametrize(("width", "height", "letters"), SMALL)
def test_what_it_comes_to_and_save_fit_too(
    hold: Hold, width: int, height: int, letters: int
) -> None:
    """Of four, and of a correction that has something to say besides."""
    phone = hold(width, height, letters)
    played = Evening(phone, "bakappana", *NAMES, rounds=None)
    for _ in range(2):
        played.records(dict(zip((1, 2, 3, 4), (70, 66, 64, 64), strict=True)))
    for path in ("/rounds/new", "/rounds/1/correct"):
        phone.opens(f"/s/{played.id}{path}?use=points")
        types(phone, 80, 60, 64, 60)
        expect(phone.page.locator("#live .tally")).to_be_visible()
        phone.page.locator("#round[data-state=settled]").wait_for(state="attached")
        assert phone.page.evaluate(WRONG, width) == []
        assert phone.page.locator(".dock").evaluate("one => one.offsetHeight / innerHeight") <= 0.5
        live = phone.page.locator("#live")
        assert live.evaluate("one => one.scrollHeight - one.clientHeight") <= 0


def test_the_cells_of_the_rule_sheet_stand_below_each_other(hold: Hold) -> None:
    """In large letters; it stays a table to who hears it."""
    phone = hold(360, 740, LARGE)
    phone.opens("/rules/hachi-hachi")
    row = phone.page.locator("#teyaku tbody").get_by_role("row").first
    cells = row.get_by_role("cell")
    boxes = [cell.bounding_box() for cell in cells.all()]
    assert len(boxes) == 3
    assert len({box["x"] for box in boxes}) == 1
    assert boxes[0]["y"] < boxes[1]["y"] < boxes[2]["y"]
    assert phone.page.locator("#teyaku").get_by_role("columnheader").count() == 3
    label = cells.last.evaluate("one => getComputedStyle(one, '::before').content")
    assert label.startswith('"値 "')


# --- The scoreboard -------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height", "letters"), SCREENS[::2])
@pytest.mark.parametrize("rounds", [13, 40])
def test_what_matters_is_in_sight_however_long_the_evening(
    hold: Hold, rounds: int, width: int, height: int, letters: int
) -> None:
    phone = hold(width, height, letters)
    played = evening(phone, "hachi-hachi", rounds)
    frame = played.looks(width)
    phone.page.set_viewport_size({"width": width, "height": height})
    assert phone.page.evaluate("scrollY") == 0
    rows = phone.page.locator("tbody [id^=round-]")
    assert rows.first.get_attribute("id") == f"round-{rounds}"
    enter = phone.page.locator(".bar .main")
    top = enter.bounding_box()["y"]
    for one in (*frame.locator(".total td, .place").all(), rows.first):
        box = one.bounding_box()
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= top
    expect(enter).to_be_in_viewport(ratio=1)
    # The older ones are there for whoever asks, and then the names stay at the top.
    assert rows.filter(visible=True).count() == 6
    phone.page.locator("#earlier summary").tap()
    assert rows.filter(visible=True).count() == rounds
    phone.page.locator("#round-1").scroll_into_view_if_needed()
    for name in NAMES:
        expect(frame.get_by_role("columnheader", name=name)).to_be_in_viewport(ratio=1)
    # Another round comes: what was unfolded stays so.
    with phone.page.expect_response(lambda answer: "/s/" in answer.url):
        played.records({1: 100, 2: 84, 3: 80})
    expect(phone.page.locator(f"#round-{rounds + 1}")).to_be_attached()
    assert rows.filter(visible=True).count() == rounds + 1


def test_older_rounds_unfold_without_a_script(hold: Hold) -> None:
    phone = hold(390, 844, USUAL, java_script_enabled=False)
    evening(phone, "hachi-hachi", 9).looks(390)
    rows = phone.page.locator("tbody [id^=round-]")
    assert rows.filter(visible=True).count() == 6
    phone.page.locator("#earlier summary").tap()
    assert rows.filter(visible=True).count() == 9


def test_a_table_that_is_wider_can_be_moved_to_its_last_column(hold: Hold) -> None:
    phone = hold(320, 640, LARGE)
    frame = evening(phone, "hachi-hachi", 4).looks(320)
    assert frame.evaluate(BESIDE) > 0
    assert (frame.get_attribute("role"), frame.get_attribute("tabindex")) == ("region", "0")
    assert frame.get_attribute("aria-label")
    last = frame.get_by_role("columnheader", name=NAMES[-1])
    frame.focus()
    for _ in range(12):
        phone.page.keyboard.press("ArrowRight")
    expect(last).to_be_in_viewport(ratio=1)


def test_a_misdeal_is_read_without_moving_anything(hold: Hold) -> None:
    for width, height, letters in SMALL:
        phone = hold(width, height, letters)
        evening(phone, "hachi-hachi", 3).looks(width)
        words = phone.page.locator(".void").evaluate(
            "one => { const all = document.createRange(); all.selectNodeContents(one);"
            " return all.getBoundingClientRect().right }"
        )
        assert words <= width


# --- Where a page opens, and what is in sight then ------------------------------------------------


@pytest.mark.parametrize(("width", "height", "letters"), SCREENS)
def test_the_page_for_a_round_opens_at_its_top(
    hold: Hold, width: int, height: int, letters: int
) -> None:
    phone = hold(width, height, letters)
    for game in ("hachi-hachi", "kaga"):
        series = evening(phone, game, 0, people=max(GAMES[game].seats)).id
        for form in ways(GAMES[game]):
            phone.opens(f"/s/{series}/rounds/new?use={form}")
            phone.page.wait_for_timeout(100)  # for whatever would move it
            assert phone.page.evaluate("scrollY") == 0, (game, form)


@pytest.mark.parametrize(("width", "height", "letters"), SCREENS)
def test_whole_cards_are_in_sight_when_it_opens(
    hold: Hold, width: int, height: int, letters: int
) -> None:
    """And none beside the bar."""
    phone = hold(width, height, letters)
    series = evening(phone, "bakappana", 0).id
    phone.opens(f"/s/{series}/rounds/new?use=captured")
    dock = phone.page.locator(".dock").bounding_box()
    cells = [cell.bounding_box() for cell in phone.page.locator(".cell").all()]
    assert sum(cell["y"] + cell["height"] <= dock["y"] for cell in cells) >= 8
    assert dock["x"] <= min(cell["x"] for cell in cells)
    assert dock["x"] + dock["width"] >= max(cell["x"] + cell["width"] for cell in cells)


@pytest.mark.parametrize(("width", "height", "letters"), SCREENS)
def test_all_that_follows_from_a_correction_stands_in_the_page(
    hold: Hold, width: int, height: int, letters: int
) -> None:
    phone = hold(width, height, letters)
    played = Evening(phone, "bakappana", *NAMES[:3], rounds=None)
    for _ in range(2):
        played.records({1: 100, 2: 84, 3: 80})
    phone.opens(f"/s/{played.id}/rounds/1/correct?use=points")
    types(phone, 80, 84, 100)
    leads = phone.page.locator("#live a")
    leads.tap()
    follows = phone.page.locator("#follows")
    expect(follows).to_be_focused()
    expect(follows).to_be_in_viewport()
    # The warning that somebody else would have dealt comes before the figures.
    assert (
        follows.locator(".warning").first.bounding_box()["y"]
        < (follows.get_by_role("table").bounding_box()["y"])
    )
    assert follows.evaluate(
        "one => [...one.querySelectorAll('*')].every(part => part.scrollHeight <= part.clientHeight"
        " || getComputedStyle(part).overflowY === 'visible')"
    )
    # What was said of other points goes.
    types(phone, "", "", "")
    phone.page.locator("#round[data-state=settled]").wait_for(state="attached")
    expect(follows.get_by_role("table")).not_to_be_attached()
