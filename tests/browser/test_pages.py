"""Every page at every width, in both languages and themes: it fits, and everybody can use it.

The people at these tables have the names that break pages. What fits does not depend on the theme,
so each page is measured once in each language; what axe looks at in colours, it looks at in every
language and theme.
"""

import json
import random
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect

from scorekeeper.gather import pile_ways
from scorekeeper.round_form import ways
from scorekeeper.rules.cards import Cards
from scorekeeper.rules.games import GAMES
from tests.browser.conftest import Phone
from tests.browser.played import play

SIZES = (
    *((320, 568), (360, 640), (390, 844), (768, 1024), (1280, 800)),
    # The same phones, held the other way.
    *((568, 320), (844, 390)),
)

NAMES = (
    "W" * 60,
    "👨‍👩‍👧‍👦👩‍❤️‍💋‍👨🏳️‍🌈",
    "葛󠄀飾北斎の孫娘・阿栄",
    "محمد بن عبد الله الطويل",
    "<script>alert('1')</script>",
    "=1+1",
)

ROUNDS = {"bakappana": (0, 3, 12)}
"""How many rounds were played at the tables of a game; 3 where nothing is said."""


class Tables:
    """Series of every game with people of difficult names, and a browser that may open them all."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.paths: dict[tuple[str, int], str] = {}
        self.secrets: list[str] = []
        self.watched = ""
        for game in GAMES:
            for rounds in ROUNDS.get(game, (3,)):
                self._start(game, rounds)

    def _call(self, path: str, body: dict[str, Any], secret: str | None = None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        request = urllib.request.Request(
            f"{self.server}/api/v1{path}", json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def _start(self, game: str, rounds: int) -> None:
        seats = 3 if 3 in GAMES[game].seats else GAMES[game].seats[0]
        # Six people at a table of three: everybody plays, and somebody rests.
        names = NAMES if game == "yokohama-bana" else NAMES[: max(seats, 2)]
        series = self._call("/series", {"game": game, "players": names, "rounds": 12})
        self.paths[game, rounds] = f"/s/{series['id']}"
        self.secrets.append(series["secrets"]["manage"])
        self.watched = self.watched or series["secrets"]["view"]
        dealt = random.Random(f"{game} {rounds}")
        played = 0
        while played < rounds:
            hands, piles, _ = play(dealt, GAMES[game], seats)
            first = played * seats % len(names) + 1
            body = {
                "number": played + 1,
                "dealer": 0,
                "seats": [
                    {
                        "player": first + at,
                        "captured": " ".join(card.text for card in Cards(piles[at])),
                        "hand": " ".join(card.text for card in Cards(hands[at])),
                    }
                    for at in range(seats)
                ],
            }
            try:
                self._call(f"/series/{series['id']}/rounds", body, series["secrets"]["enter"])
                played += 1
            except urllib.error.HTTPError as refusal:
                # A yaku that would have ended the round sooner: another deal.
                if refusal.code != 422:
                    raise


@pytest.fixture(scope="session")
def tables(server: str) -> Tables:
    return Tables(server)


@pytest.fixture(scope="session")
def known(browser: Browser, tables: Tables) -> Any:
    """What a browser keeps that has joined all the tables."""
    context = browser.new_context()
    phone = Phone(context.new_page(), tables.server)
    for secret in tables.secrets:
        phone.is_let_in(secret)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def reader(phones: Callable[..., Phone], known: Any) -> Phone:
    """A browser of any width that may open all the tables."""
    return phones(is_mobile=False, storage_state=known)


# --- The pages ------------------------------------------------------------------------------------

Go = Callable[[Phone, Tables], None]


def at(game: str, path: str = "", rounds: int = 3) -> Go:
    return lambda phone, tables: phone.opens(tables.paths[game, rounds] + path)


def to(path: str) -> Go:
    return lambda phone, _: phone.opens(path)


def refused(path: str, status: int) -> Go:
    return lambda phone, _: phone.is_refused(path, status)


def set_up_refused(phone: Phone, _: Tables) -> None:
    phone.opens("/new/bakappana")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill(NAMES[0] + "W")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill(NAMES[1])
    phone.picks("drawn: everybody takes a card", "Or who deals first is")
    phone.taps("Start the series")


def join_refused(phone: Phone, _: Tables) -> None:
    phone.opens("/j")
    phone.page.get_by_role("textbox").fill("x" * 60)
    phone.taps("Join")


def counted(phone: Phone, tables: Tables) -> None:
    """Counts for two of three, settled as they are typed."""
    at("bakappana", "/rounds/new?use=counts")(phone, tables)
    phone.types(NAMES[0], bright=1, animal=4, ribbon=3, chaff=12)
    phone.types(NAMES[1], bright=2, animal=3, ribbon=4, chaff=7)
    expect(phone.page.locator("#live .tally")).to_be_visible()


def stopped(phone: Phone, tables: Tables) -> None:
    at("hachi-hachi", "/rounds/new?use=named")(phone, tables)
    phone.ends("A dekiyaku ended it 出来役", NAMES[0])


def cards_missing(phone: Phone, tables: Tables) -> None:
    """Nearly all cards are nobody's, and each of them is named."""
    at("bakappana", "/rounds/new?use=captured")(phone, tables)
    phone.marks(NAMES[0], "crane")
    phone.picks("left over", "Cards marked for nobody are")
    phone.settles()


def hinted(phone: Phone, tables: Tables) -> None:
    """A month that does not come out even, and who may have the card instead."""
    at("bakappana", "/rounds/new?use=captured")(phone, tables)
    phone.marks(NAMES[0], "crane", "pine poetry ribbon", "pine chaff")
    phone.marks(NAMES[1], "bush warbler", "plum poetry ribbon")
    expect(phone.page.locator("#live .asks .face").first).to_be_visible()


def settled(*points: int) -> Go:
    def go(phone: Phone, tables: Tables) -> None:
        at("bakappana", "/rounds/new?use=points")(phone, tables)
        for name, one in zip(NAMES[:3], points, strict=True):
            phone.types(name, one)
        phone.settles()

    return go


def late(phone: Phone, tables: Tables) -> None:
    """A round that another phone recorded while this one was filled in."""
    settled(100, 84, 80)(phone, tables)
    phone.page.locator("#round [name=number]").evaluate("one => one.value = 3")
    phone.settles()
    expect(phone.page.locator("#conflict")).to_be_visible()
    phone.complaints.clear()  # that it was refused


def waiting(phone: Phone, _: Tables) -> None:
    """A round that waits for a yes from another phone."""
    phone.sits_down("bakappana", *NAMES[:3])
    series = phone.path
    phone.opens(f"{series}/manage")
    phone.taps("Ask another phone first")
    phone.opens(f"{series}/rounds/new?use=points")
    for name, points in zip(NAMES[:3], (100, 84, 80), strict=True):
        phone.types(name, points)
    phone.settles()
    with phone.page.expect_navigation():
        phone.page.locator("[name=save]").click()
    phone.opens(f"{series}/proposal")


def watched(path: str) -> Go:
    """A page that whoever only watches may not open."""

    def go(phone: Phone, tables: Tables) -> None:
        phone.page.context.clear_cookies()
        phone.joins(f"/j#{tables.watched}")
        phone.is_refused(tables.paths["bakappana", 0] + path, 403)

    return go


PAGES: dict[str, Go] = {
    "home": to("/"),
    **{f"set up {game}": to(f"/new/{game}") for game in GAMES},
    "set up, refused": set_up_refused,
    "join": to("/j"),
    "join, refused": join_refused,
    **{f"scoreboard after {n}": at("bakappana", rounds=n) for n in ROUNDS["bakappana"]},
    **{f"scoreboard of {game}": at(game) for game in GAMES if game not in ROUNDS},
    "saved": at("bakappana", "?saved=3"),
    **{
        f"enter {game} by {form}": at(game, f"/rounds/new?use={form}")
        for game, value in GAMES.items()
        for form in ways(value)
    },
    "enter, settled as it is typed": counted,
    "enter, stopped": stopped,
    "preview": settled(100, 84, 80),
    "refused": settled(100, 84, 81),
    "refused, recorded meanwhile": late,
    "refused, cards missing": cards_missing,
    "enter, a card doubted": hinted,
    **{f"round of {game}": at(game, "/rounds/1") for game in GAMES},
    "correct": at("bakappana", "/rounds/1/correct"),
    "withdraw": at("bakappana", "/rounds/3/withdraw"),
    "otherwise": at("bakappana", "/rounds/1/otherwise"),
    "history": at("bakappana", "/history"),
    "whose pile": at("yokohama-bana", "/pile"),
    **{
        f"pile by {form}": at("hachi-hachi", f"/pile?player=1&use={form}")
        for form in pile_ways(GAMES["hachi-hachi"])
    },
    "proposal": at("bakappana", "/proposal"),
    "proposal, waiting": waiting,
    "manage": at("yokohama-bana", "/manage"),
    "share": at("bakappana", "/share"),
    "who": at("yokohama-bana", "/who"),
    "phones": at("bakappana", "/phones"),
    **{f"rules of {game}": to(f"/rules/{game}") for game in GAMES},
    "rules of a table": at("hachi-hachi", "/rules"),
    "nothing here": refused("/s/nothing", 404),
    "cannot be done": refused("/language", 405),
    "not allowed": watched("/rounds/new"),
}

# Everything that is folded away is opened first.
UNFOLD = "for (const part of document.querySelectorAll('details')) part.open = true"

TAPPED = (
    "button:not(.cell), select, summary, .chip, a.button, header a:not(.skip), .cards a, table a,"
    ".links a, .aside, .half, .split"
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
  // A dock is closed, and beside the buttons of a bar there is a view of the page.
  const bar = document.querySelector('.fast .dock') ?? document.querySelector('.bar');
  const over = !bar ? [] : bar.matches('.dock') ? [box(bar)] : [...bar.children].map(box);
  const covered = text => over.some(one =>
    text.width > 1 && text.left < one.right && text.right > one.left
    && text.top < one.bottom - 1 && text.bottom > one.top + 1);
  // A name that is too long is cut off where its box ends.
  const cut = (text, within) => {
    if (getComputedStyle(within).overflowX === 'visible') return text;
    const {left, right} = box(within);
    const [from, to] = [Math.max(text.left, left), Math.min(text.right, right)];
    return {left: from, right: to, width: to - from, top: text.top, bottom: text.bottom};
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (bar && texts.nextNode()) {
    const text = texts.currentNode;
    const within = text.parentElement;
    if (bar.contains(text) || !text.data.trim() || !shown(within)) continue;
    if (within.closest('.hidden, .scroll')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    if ([...range.getClientRects()].map(text => cut(text, within)).some(covered))
      wrong.push(`under the bar: ${text.data.trim().slice(0, 40)}`);
  }
  return wrong;
}
"""

READ = r"""
() => {
  const wrong = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const within = text.parentElement;
    // Names are as people write them.
    if (within.closest('bdi, script, template, option, svg')) continue;
    const read = text.data.trim();
    if (/[\u3040-\u30ff\u3400-\u9fff]/.test(read) && within.closest('[lang]').lang !== 'ja')
      wrong.push(`not said to be Japanese: ${read}`);
    if (/(^|[^\w])-\d/.test(read)) wrong.push(`no minus sign: ${read}`);
    if (/\b(1[0-2]|[1-9])([BAR]|C[1-3]?)\b/.test(read)) wrong.push(`no face: ${read}`);
  }
  return wrong;
}
"""


def looks(phone: Phone, scheme: Literal["dark", "light"]) -> dict[Any, list[str]]:
    """What is wrong with the page at any size, in a dark room or in a light one."""
    found: dict[Any, list[str]] = {}
    for width, height in SIZES:
        phone.page.set_viewport_size({"width": width, "height": height})
        if wrong := phone.page.evaluate(LOOK, [TAPPED, IN_ROWS]):
            found[width, height] = sorted(set(wrong))
    if wrong := phone.page.evaluate(READ):
        found["text"] = sorted(set(wrong))
    phone.page.set_viewport_size({"width": 390, "height": 844})
    phone.page.emulate_media(color_scheme=scheme)
    found |= phone.violations()
    found |= {"faint": faint} if (faint := phone.faint()) else {}
    return found


@pytest.mark.parametrize("name", PAGES)
def test_fits_and_is_accessible(reader: Phone, tables: Tables, name: str) -> None:
    page = reader.page
    PAGES[name](reader, tables)
    page.evaluate(UNFOLD)
    assert looks(reader, "dark") == {}
    page.set_extra_http_headers({"Accept-Language": "ja"})
    page.reload()
    reader.complaints.clear()  # of an error page that was loaded again
    assert page.locator("html").get_attribute("lang") == "ja"
    page.evaluate(UNFOLD)
    assert looks(reader, "light") == {}


@pytest.mark.parametrize("game", GAMES)
def test_fits_without_script(
    phones: Callable[..., Phone], known: Any, tables: Tables, game: str
) -> None:
    reader = phones(is_mobile=False, storage_state=known, java_script_enabled=False)
    for form in ways(GAMES[game]):
        at(game, f"/rounds/new?use={form}")(reader, tables)
        for width, height in SIZES[:1]:
            reader.page.set_viewport_size({"width": width, "height": height})
            assert reader.page.evaluate(LOOK, [TAPPED, IN_ROWS]) == []


# --- For other eyes -------------------------------------------------------------------------------


def style(phone: Phone, selector: str, name: str) -> str:
    return phone.page.locator(selector).first.evaluate(
        "(one, name) => getComputedStyle(one).getPropertyValue(name)", name
    )


def test_on_paper(reader: Phone, tables: Tables) -> None:
    """Black on white however dark the room, whole, the heads on every sheet, nothing to press."""
    reader.page.emulate_media(color_scheme="dark", media="print")
    at("bakappana", rounds=12)(reader, tables)
    assert style(reader, "html", "background-color") == "rgb(255, 255, 255)"
    assert style(reader, "html", "color") == "rgb(34, 40, 31)"
    assert style(reader, "thead", "display") == "table-header-group"
    assert reader.page.locator("tbody [id^=round-]").filter(visible=True).count() == 12
    assert reader.page.locator("#earlier").is_hidden()
    assert style(reader, "tbody tr", "break-inside") == "avoid"
    assert (
        not reader.page.locator(".bar, .top, .bottom, .links, .watch, button")
        .filter(visible=True)
        .count()
    )


def test_with_more_contrast(reader: Phone, tables: Tables) -> None:
    reader.page.emulate_media(color_scheme="dark", contrast="more")
    at("bakappana", "/rounds/new?use=named")(reader, tables)
    assert style(reader, ".tab", "border-top-width") == "2px"
    assert "0px 0px 0px 2px" in style(reader, ".cell .face", "box-shadow")
    assert reader.violations() == {}


def test_nothing_moves_for_who_wants_that(reader: Phone, tables: Tables) -> None:
    reader.page.emulate_media(reduced_motion="reduce")
    at("bakappana", "/rounds/new?use=named")(reader, tables)
    moving = reader.page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((one) => {
          const style = getComputedStyle(one);
          return parseFloat(style.transitionDuration) || style.animationName !== "none";
        }).length"""
    )
    assert moving == 0


def test_figures_stand_in_columns(reader: Phone, tables: Tables) -> None:
    at("bakappana", rounds=12)(reader, tables)
    assert style(reader, ".scores td", "font-variant-numeric") == "tabular-nums"


def test_winners_are_told_apart_without_colour(reader: Phone, tables: Tables) -> None:
    at("bakappana", rounds=12)(reader, tables)
    first = reader.page.locator(".scores .first")
    assert first.count() >= 1
    mark = first.first.evaluate("one => getComputedStyle(one, '::before').content")
    assert "★" in mark
    for amount in reader.page.locator(".scores tbody .amount").all_inner_texts():
        assert re.fullmatch(r"[+−]\d+|0", amount)


# --- Names ----------------------------------------------------------------------------------------


def test_names_are_shown_as_they_are(reader: Phone, tables: Tables) -> None:
    at("yokohama-bana")(reader, tables)
    assert reader.board[0] == " | ".join(("局 Round", *NAMES))


def test_a_name_is_no_markup(reader: Phone, tables: Tables) -> None:
    for path in ("", "/rounds/new", "/manage", "/history"):
        at("yokohama-bana", path)(reader, tables)
        assert reader.page.locator("main script").count() == 0


def test_keyboard_reaches_the_content_first(reader: Phone) -> None:
    reader.opens("/")
    reader.page.keyboard.press("Tab")
    assert reader.page.evaluate("document.activeElement.innerText") == "Skip to the content"


@pytest.mark.parametrize("game", GAMES)
def test_house_rules_are_explained(phone: Phone, game: str) -> None:
    """Each rule is a question with a sentence, folded away until somebody asks."""
    phone.opens(f"/new/{game}")
    rules = phone.page.locator("details.rules")
    assert not rules.get_by_role("radio").first.is_visible()
    rules.locator("summary").click()
    for rule in rules.locator("fieldset").all():
        assert re.search(r"[.?]$", rule.locator(".hint").inner_text())
        assert rule.get_by_role("radio").first.is_visible()
