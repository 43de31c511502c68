"""A real server, a real browser, and phones at a table.

    phone.starts("Bakappana", "Aki", "Ben", "Chie")
    phone.enters_round(1)
    phone.types("Aki", bright=1, animal=4, ribbon=3, chaff=12)
    phone.settles()
    assert phone.amounts == {"Aki": "−1", "Ben": "+9", "Chie": "−8"}
    phone.saves()

A phone goes by what it sees: the words on buttons, fields and groups. It fails its test for
whatever its browser complains of: an error in a script, a request that failed, a broken policy.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import (
    Browser,
    Dialog,
    Error,
    Locator,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from scorekeeper.bootstrap import ROOT

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--disable-gpu",
    # A name as in a home network, which is no secure context over plain http.
    "--host-resolver-rules=MAP table.test 127.0.0.1",
)
PHONE = {"width": 390, "height": 844}
PATIENCE = 20_000  # milliseconds for anything that is looked for
# For what the server tells by itself: more than that takes on the busiest machine, and less than
# until a page would ask of its own accord. How soon it is there is measured by `bench live`.
PUSHED = 10_000
expect.set_options(timeout=PATIENCE)

CAPTURED = "What everybody captured 取り札"
TEYAKU = "Teyaku that were shown 手役"
YAKU = "Yaku in the piles 出来役"
PAINTING = "Whose cards are tapped"

FIND_VIOLATIONS = """
async () => {
  const {violations} = await axe.run({resultTypes: ["violations"]});
  return violations.map(({id, nodes}) => [id, nodes.map(({target}) => String(target[0]))]);
}
"""

# Letters that a screen reader does not hear are nothing to axe, and read by all who see them. What
# cannot be chosen, and is paler for that, may be.
FIND_FAINT = """
() => {
  const rgba = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return text.startsWith("color(") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], under) =>
    [r, g, b].map((one, at) => one * a + under[at] * (1 - a));
  const ground = (one) => {
    if (!one) return rgba(getComputedStyle(document.documentElement).backgroundColor);
    const before = getComputedStyle(one, "::before");
    const shape = before.content !== "none" && before.position === "absolute";
    const own = rgba((shape ? before : getComputedStyle(one)).backgroundColor);
    return own[3] === 1 ? own : over(own, ground(one.parentElement));
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((one) =>
      one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = [];
  for (const one of document.querySelectorAll("[aria-hidden=true].letter")) {
    if (!one.checkVisibility() || one.matches(":disabled + *")) continue;
    const [high, low] = [ground(one), rgba(getComputedStyle(one).color)]
      .map((colour) => light(colour.slice(0, 3))).sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) {
      const input = one.previousElementSibling;
      faint.push(`${one.textContent} of ${input?.name ?? one.className}: ${contrast.toFixed(1)}`);
    }
  }
  return faint;
}
"""

# What the policy of a page keeps from happening is in the console, but not always.
REPORT = """
addEventListener("securitypolicyviolation", ({violatedDirective, blockedURI, sourceFile}) => {
  console.error(`policy: ${violatedDirective} keeps out ${blockedURI} of ${sourceFile}`);
});
"""


# A tap that leads to another page is over before that begins to come: what is read at once would be
# read of the old one.
LEAVING = """
addEventListener("submit", (event) => { window.leaving = !event.defaultPrevented; });
addEventListener("click", (event) => {
  const link = event.target.closest("a[href]:not([download])");
  const [there, here] = [link?.href ?? location.href, location.href];
  if (!event.defaultPrevented && there.split("#")[0] !== here.split("#")[0]) window.leaving = true;
});
addEventListener("pageshow", () => { window.leaving = false; });
"""
ARRIVED = "document.readyState === 'complete' && !window.leaving"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server started by the real command, on a port and a folder of its own."""
    data = tmp_path_factory.mktemp("data")
    words = ["-m", "scorekeeper", "--host", "127.0.0.1", "--port", "0", "--data", str(data)]
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    with subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            port = re.search(r"localhost:(\d+)/", process.stdout.readline())
            assert port, "the server did not say where it is"
            yield f"http://127.0.0.1:{port[1]}"
        finally:
            process.terminate()


@contextmanager
def open_browser(program: str) -> Iterator[Browser]:
    """Runs a Chromium for as long as the block lasts."""
    # Where root runs it, Chromium's sandbox cannot start.
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *root])
        yield browser
        browser.close()


class Phone:
    """Somebody at the table with a phone in their hand."""

    def __init__(self, page: Page, server: str) -> None:
        self.page = page
        self.server = server
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._hears)
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("dialog", self._asked)
        page.add_init_script(REPORT + LEAVING)

    def _hears(self, message: Any) -> None:
        # An answer of the server that is no success is looked at below, where its address is known.
        known = "server responded", "registration blocked by Playwright"
        if message.type in ("error", "warning") and not any(one in message.text for one in known):
            self.complaints.append(f"{message.type}: {message.text}")

    def _asked(self, dialog: Dialog) -> None:
        # No page of ours ever opens one; a name that is run as a script would.
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _failed(self, request: Request) -> None:
        # Leaving a page stops what it was still loading.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url} ({request.failure})")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")

    # --- Getting about ----------------------------------------------------------------------

    def opens(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.server + path)

    def is_refused(self, path: str, status: int) -> None:
        """Opens a page that this phone may not see."""
        self.opens(path)
        assert self.complaints == [f"{status}: {self.page.url}"]
        self.complaints.clear()

    def taps(self, name: str | re.Pattern, role: Any = "button", within: Any = None) -> None:
        """Taps something, and is on the page that this leads to, until its script has run too."""
        (within or self.page).get_by_role(role, name=name, exact=True).click()
        until = time.monotonic() + PATIENCE / 1000
        while not self._arrived():
            assert time.monotonic() < until, f"{name} leads nowhere"
            self.page.wait_for_timeout(10)

    def _arrived(self) -> bool:
        try:
            return bool(self.page.evaluate(ARRIVED))
        except Error:  # between two pages
            return False

    def follows(self, name: str | re.Pattern) -> None:
        """Opens the page behind a link, until its script has run too."""
        with self.page.expect_navigation():
            self.taps(name, "link")

    def reads(self, text: str) -> bool:
        return self.page.get_by_text(text).first.is_visible()

    @property
    def heading(self) -> str:
        return " ".join(self.page.get_by_role("heading", level=1).inner_text().split())

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.server)

    # --- Start and join ---------------------------------------------------------------------

    def starts(self, game: str, *names: str, **rules: str) -> None:
        """Starts a series from the first page, with house rules by their names and words."""
        self.begins(game, *names)
        for rule, value in rules.items():
            self.rules(rule, value)
        self.taps("Start the series")
        self.follows("To the scoreboard")

    def sits_down(self, game: str, *names: str, **rules: Any) -> None:
        """Opens the scoreboard of a series that was just started, the quick way, and is in it."""
        body = {"game": game, "players": names, "rules": rules, "rounds": 12}
        answer = self.page.context.request.post(f"{self.server}/api/v1/series", data=body)
        series = answer.json()
        self.is_let_in(series["secrets"]["manage"])
        self.opens(f"/s/{series['id']}")

    def is_let_in(self, secret: str) -> None:
        """Joins by a secret without looking at the pages for that."""
        door, network = f"{self.server}/j", self.page.context.request
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', network.get(door).text())
        assert token, "the page for joining has no form"
        network.post(door, form={"csrf_token": token[1], "link": secret}, max_redirects=0)

    def begins(self, game: str, *names: str) -> None:
        """Opens the set-up page of a game and types the names."""
        self.opens("/")
        self.follows(re.compile(f"^{game}"))
        for number, name in enumerate(names, 1):
            self.page.get_by_role("textbox", name=f"Player {number}", exact=True).fill(name)

    def rules(self, rule: str, value: str) -> None:
        """Chooses a house rule."""
        if not self.group(rule).is_visible():
            self.page.locator("details.rules > summary").click()
        self.picks(value, self.group(rule))

    def joins(self, link: str) -> None:
        """Opens a link as a scanned code does, presses Join, and says no name."""
        self.opens(link)
        self.taps("Join")
        self.skips_the_name()

    def skips_the_name(self) -> None:
        """Goes on from "Who are you?", which a phone that may score is asked."""
        self.page.wait_for_url(lambda url: not url.partition("#")[0].endswith("/j"))
        if self.path.endswith("/who"):
            self.follows("Skip this")

    def link(self, to: str) -> str:
        """The link on the share page: "To score" or "To watch"."""
        section = self.page.locator("section", has=self.page.get_by_role("heading", name=to))
        return section.locator("code.link").inner_text()

    # --- A round ----------------------------------------------------------------------------

    def enters_round(self, number: int) -> None:
        """From the scoreboard to the form of the next round."""
        self.follows(f"Enter round {number}")

    def group(self, name: str | re.Pattern, within: Any = None) -> Locator:
        return (within or self.page).get_by_role("group", name=name, exact=True)

    def picks(self, choice: str, group: Locator | str, role: Any = "radio") -> None:
        """Taps one of the choices of a group."""
        within = self.group(group) if isinstance(group, str) else group
        within.get_by_role(role, name=choice, exact=True).check()

    def unfolds(self, group: str, name: str) -> Locator:
        """Opens a folded part of a group, unless it is open, and answers it."""
        folded = (
            self.group(group)
            .locator("details")
            .filter(has=self.page.locator("summary").get_by_text(name, exact=True))
        )
        if folded.get_attribute("open") is None:
            folded.locator("summary").click()
        return folded

    def ends(self, how: str, by: str | None = None) -> None:
        self.picks(how, "How did it end?")
        if by:
            self.picks(by, "Who ended it?")

    def goes_by(self, form: str) -> None:
        """Changes to counts, cards or points, where it is not that already."""
        tab = self.page.get_by_role("button", name=re.compile(f"{form}$"))
        if tab.get_attribute("aria-pressed") != "true":
            with self.page.expect_navigation():
                tab.click()

    def types(self, player: str, points: int | str | None = None, **counts: int | str) -> None:
        """Types card points or counts of a player."""
        pile = self.group(player, self.group(CAPTURED))
        for label, number in {"card points": points, **counts}.items():
            if number is not None:
                pile.get_by_label(label).fill(str(number))

    def typed(self, player: str) -> list[str]:
        """What stands in the fields of a player's pile."""
        fields = self.group(player, self.group(CAPTURED)).get_by_role("textbox")
        return [fields.nth(at).input_value() for at in range(fields.count())]

    def shows(self, player: str, teyaku: str) -> None:
        """Ticks a teyaku by the words that are on it."""
        box = self.unfolds(TEYAKU, player).get_by_role("checkbox", name=re.compile(teyaku))
        box.first.check()

    def has_formed(self, player: str, yaku: str) -> None:
        """Ticks a dekiyaku or special yaku."""
        box = self.unfolds(YAKU, player).get_by_role("checkbox", name=re.compile(yaku))
        box.first.check()

    def marks(self, player: str, *cards: str, hand: bool = False) -> None:
        """Taps the cards of a player by their names, of the pile or of the dealt hand."""
        within = self.group(CAPTURED)
        if hand:
            within = self.unfolds(TEYAKU, "Or find them in the dealt hands")
        if within.get_by_role("group", name=PAINTING).count():
            # With script there is a board: choose whose cards they are, then tap them.
            seats = (within if hand else self.page.locator(".dock")).get_by_role("radiogroup")
            seats.get_by_role("radio", name=re.compile(player)).click()
            for card in cards:
                free = within.get_by_role("button", name=re.compile(f"^{card}, .*nobody’s$"))
                free.first.click()
            return
        seen: dict[str, int] = {}
        for card in cards:
            row = within.get_by_role("radiogroup", name=card, exact=True).nth(seen.get(card, 0))
            row.get_by_role("radio", name=player, exact=True).check()
            seen[card] = seen.get(card, 0) + 1

    def settles(self) -> None:
        with self.page.expect_navigation():
            self.taps(re.compile("^Settle"))

    def saves(self) -> None:
        with self.page.expect_navigation():
            self.taps(re.compile("^Save "))

    # --- What it came to --------------------------------------------------------------------

    @property
    def amounts(self) -> dict[str, str]:
        """Everybody's amount, as it stands on the page."""
        return dict(
            line.rsplit(maxsplit=1) for line in self.page.locator(".amounts li").all_inner_texts()
        )

    @property
    def working(self) -> list[str]:
        """The lines behind it, after unfolding them."""
        part = self.page.locator("details", has_text="How it was settled")
        if part.get_attribute("open") is None:
            part.locator("summary").click()
        return part.get_by_role("listitem").all_inner_texts()

    @property
    def refusals(self) -> list[str]:
        return self.page.get_by_role("alert").all_inner_texts()

    def violations(self) -> dict[str, list[str]]:
        """What axe finds wrong with the page, by rule."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        return dict(self.page.evaluate(FIND_VIOLATIONS))

    def faint(self) -> list[str]:
        """The letters of players that are hard to read, where axe does not look."""
        return list(self.page.evaluate(FIND_FAINT))

    @property
    def board(self) -> list[str]:
        """The rows of the scoreboard as on paper: names, the rounds as they were played, totals.

        Cells are apart by a bar: amount, who deals and running total.
        """
        table = self.page.get_by_role("table")
        rounds = table.locator("tbody tr:visible").all()
        names, *totals = table.locator("thead tr").all()
        return [
            " | ".join(" ".join(cell.split()) for cell in row.locator("th, td").all_inner_texts())
            for row in (names, *reversed(rounds), *totals)
        ]


def open_phone(browser: Browser, server: str, **extras: Any) -> Phone:
    """A phone with a memory of its own; extras are those of its browser."""
    # As over plain http in a home network, there are no service workers unless one is wanted.
    settings: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    settings |= {"service_workers": "block", **extras}
    return Phone(browser.new_context(**settings).new_page(), server)


@pytest.fixture
def phones(browser: Browser, server: str) -> Iterator[Callable[..., Phone]]:
    """Makes another phone, each with a memory of its own; extras are those of its browser."""
    made: list[Phone] = []

    def another(**extras: Any) -> Phone:
        made.append(open_phone(browser, server, **extras))
        return made[-1]

    yield another
    for phone in made:
        phone.page.context.close()
    assert [phone.complaints for phone in made] == [[]] * len(made)


@pytest.fixture
def phone(phones: Callable[..., Phone]) -> Phone:
    return phones()
