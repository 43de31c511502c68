"""Every page at every width, dark and light: it fits, nothing is covered, and everybody can use it.

The people at this table have the names that break pages.
"""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Phone

WIDTHS = (320, 360, 390, 1280)
THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")

NAMES = (
    "W" * 60,
    "👨‍👩‍👧‍👦👩‍❤️‍💋‍👨🏳️‍🌈",
    "葛󠄀飾北斎の孫娘・阿栄",
    "محمد بن عبد الله الطويل",
    "<script>alert('1')</script>",
    "=1+1",
)


@pytest.fixture(scope="session")
def table(server: str) -> dict[str, Any]:
    """A series of Yokohama-bana in which all six have played, as the API answers for it."""

    def call(path: str, body: dict[str, Any], secret: str | None = None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        request = urllib.request.Request(
            f"{server}/api/v1{path}", json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    series = call("/series", {"game": "yokohama-bana", "players": NAMES, "rounds": 12})
    piles = (
        "1B 1R 1C1 1C2 3B 3R 3C1 3C2 6A 6R 6C1 6C2",
        "2A 2R 2C1 2C2 9A 9R 9C1 9C2 11B 11A 11R 11C",
        "rest",
    )
    for number, first in ((1, 1), (2, 4)):
        seats = [{"player": first + at, "captured": pile} for at, pile in enumerate(piles)]
        seats[0]["hand"] = "12C1 12C2 12C3 2C1 3C1 5C1 6C1"
        body = {"number": number, "dealer": 0, "seats": seats}
        call(f"/series/{series['id']}/rounds", body, series["secrets"]["enter"])
    return series


@pytest.fixture
def reader(phones: Callable[..., Phone], table: dict[str, Any]) -> Phone:
    """A browser of any width, at the scoreboard of the table."""
    phone = phones(is_mobile=False)
    phone.joins(f"/j#{table['secrets']['manage']}")
    return phone


def set_up_refused(phone: Phone) -> None:
    phone.opens("/new/bakappana")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill(NAMES[0] + "W")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill(NAMES[1])
    phone.picks("drawn: everybody takes a card", "Or who deals first is")
    phone.taps("Start the series")


def enter(form: str) -> Callable[[Phone], None]:
    def go(phone: Phone) -> None:
        phone.enters_round(3)
        phone.goes_by(form)

    return go


def typed(*points: int) -> Callable[[Phone], None]:
    def go(phone: Phone) -> None:
        enter("Points")(phone)
        for name, counted in zip(NAMES[3:], points, strict=True):
            phone.types(name, counted)
        phone.settles()

    return go


def correct(phone: Phone) -> None:
    phone.follows("Round 1")
    phone.follows("Correct this round")


PAGES: dict[str, Callable[[Phone], None]] = {
    "home": lambda phone: phone.opens("/"),
    "set up bakappana": lambda phone: phone.opens("/new/bakappana"),
    "set up hachi-hachi": lambda phone: phone.opens("/new/hachi-hachi"),
    "set up, refused": set_up_refused,
    "join": lambda phone: phone.opens("/j"),
    "scoreboard": lambda phone: None,
    "share": lambda phone: phone.follows("Share"),
    "round": lambda phone: phone.follows("Round 1"),
    "enter by counts": enter("Counts"),
    "enter by cards": enter("Cards"),
    "enter by points": enter("Points"),
    "preview": typed(100, 84, 80),
    "refused": typed(100, 84, 81),
    "correct": correct,
    "nothing here": lambda phone: phone.is_refused("/s/nothing", 404),
}

# Everything that is folded away is opened first.
UNFOLD = "for (const part of document.querySelectorAll('details')) part.open = true"

TAPPED = (
    "button:not(.cell), select, summary, .chip, a.button, header a:not(.skip), .cards a, table a"
)
# What stands in rows of four or eight has its box and the gap beside it.
IN_ROWS = ".cell, .owners label, input[type=text], input:not([type])"

LOOK = """
([tapped, inRows]) => {
  const wrong = [];
  const root = document.documentElement;
  const shown = one => one.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const box = one => one.getBoundingClientRect();
  const beside = root.scrollWidth - root.clientWidth;
  if (beside > 0) wrong.push(`scrolls sideways by ${beside}`);

  const small = (selector, least) => {
    for (const one of [...document.querySelectorAll(selector)].filter(shown)) {
      const {width, height} = box(one);
      if (width >= least && height >= 44) continue;
      const called = (one.innerText || one.name || one.id).slice(0, 40);
      wrong.push(`${one.tagName} ${called}: ${width} x ${height}`);
    }
  };
  small(tapped, 44);
  small(inRows, 40);

  window.scrollTo(0, root.scrollHeight);
  const bar = document.querySelector('.bar');
  const buttons = bar ? [...bar.children].map(box) : [];
  const covered = text => buttons.some(over =>
    text.width > 1 && text.left < over.right && text.right > over.left
    && text.top < over.bottom - 1 && text.bottom > over.top + 1);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (bar && texts.nextNode()) {
    const text = texts.currentNode;
    const within = text.parentElement;
    if (bar.contains(text) || !text.data.trim() || !shown(within)) continue;
    if (within.closest('.hidden, .scroll')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    if ([...range.getClientRects()].some(covered))
      wrong.push(`under the bar: ${text.data.trim().slice(0, 40)}`);
  }
  return wrong;
}
"""


@pytest.mark.parametrize("name", PAGES)
def test_fits(reader: Phone, name: str) -> None:
    PAGES[name](reader)
    reader.page.evaluate(UNFOLD)
    found = {}
    for theme in THEMES:
        reader.page.emulate_media(color_scheme=theme)
        for width in WIDTHS:
            reader.page.set_viewport_size({"width": width, "height": 844})
            if wrong := reader.page.evaluate(LOOK, [TAPPED, IN_ROWS]):
                found[theme, width] = sorted(set(wrong))
    assert not found


@pytest.mark.parametrize("name", PAGES)
def test_is_accessible(reader: Phone, name: str) -> None:
    PAGES[name](reader)
    reader.page.evaluate(UNFOLD)
    found = {}
    for theme in THEMES:
        reader.page.emulate_media(color_scheme=theme)
        for one in Axe().run(reader.page).response["violations"]:
            found[theme, one["id"]] = [node["target"][0] for node in one["nodes"]]
    assert found == {}


def test_names_are_shown_as_they_are(reader: Phone) -> None:
    assert reader.board[0] == " | ".join(("Round", *NAMES))


def test_a_name_is_no_markup(reader: Phone) -> None:
    for name in ("scoreboard", "preview"):
        PAGES[name](reader)
        assert reader.page.locator("main script").count() == 0


def test_keyboard_reaches_the_content_first(reader: Phone) -> None:
    reader.page.keyboard.press("Tab")
    assert reader.page.evaluate("document.activeElement.innerText") == "Skip to the content"


@pytest.mark.parametrize("game", ["bakappana", "hachi-hachi", "kaga", "yokohama-bana"])
def test_house_rules_are_explained(phone: Phone, game: str) -> None:
    """Each rule is a question with a sentence, folded away until somebody asks."""
    phone.opens(f"/new/{game}")
    rules = phone.page.locator("details.rules")
    assert not rules.get_by_role("radio").first.is_visible()
    rules.locator("summary").click()
    for rule in rules.locator("fieldset").all():
        assert re.search(r"[.?]$", rule.locator(".hint").inner_text())
        assert rule.get_by_role("radio").first.is_visible()
