"""P14: any name is shown as it was written, set apart from the text around it, and breaks nothing.

Each table here has a twin whose players have plain names and which plays the same rounds. A page of
the table must be the page of its twin, name for name: the same elements, the same text, and where a
plain name stands in a `<bdi>` or in an attribute, the other name as it is. What has a width is
looked at in a browser, at three of them.
"""

import random
import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask
from jinja2 import FunctionLoader
from markupsafe import Markup, escape
from werkzeug.serving import make_server

from scorekeeper import ledger, words
from scorekeeper.ledger import Role
from scorekeeper.ledger import names as names_of_players
from scorekeeper.live import Streams
from scorekeeper.rules.sentence import Name

from ..api.conftest import Phone as Program
from ..api.conftest import refusal
from ..browser.conftest import Phone as Eyes
from ..browser.conftest import phones
from ..live.conftest import streams
from ..web.conftest import Phone
from ..web.test_security import addresses

__all__ = ["phones", "streams"]  # fixtures

TABLES: tuple[tuple[str, str, str, str], ...] = (
    ("<script>alert(1)</script>", "<b>Aki</b>", '"><img src=x onerror=alert(1)>', "</bdi></td>"),
    ("' onmouseover='alert(1)", 'x" autofocus onfocus="alert(1)', "&amp; &lt; &#60;", "<!--"),
    ("{{7*7}}", "{% raw %}", "${7*7}", "<%= 1 %>"),
    ("%s", "%(name)s", "{0}", "{name}"),
    ("=1+1", "-1", "+1", "@SUM(A1:A9)"),
    ("/", "../..", "?x=1&y=2#z", "\\"),
    ("null", "undefined", "NaN", "0"),
    ("__proto__", "constructor", "Player 2", "nobody"),
    ("'; DROP TABLE player; --", "O’Brien “Bob”", "a,b;c|d", "−5"),
    ("W" * 60, "i" * 60, "Donaudampfschiffahrtselektrizitätenhauptbetriebswerkbau", "森" * 60),
    ("Zoe\u0308", "Z\u0338\u0322\u034e\u0335a\u0334\u0328\u0360lgo", "क्ष्त्रि", "ộ\u0301\u0301"),
    ("👨‍👩‍👧‍👦👩‍❤️‍💋‍👨", "🏳️‍🌈", "👩🏽‍🚀", "🇯🇵🇩🇪"),
    ("𠮷野家", "葛\U000e0100飾北斎", "髙橋 ｱｷ ㍻", "𰻞𰻞麺"),
    ("محمد بن عبد الله الطويل", "שלום (1) +2", "Aki עברית −3", "١٢٣"),
    ("Aki", "Аki", "Αki", "  A\u00a0 \u3000ki\u200b "),
)  # fmt: skip
"""Sixty names: what would run, what would be filled in, what a spreadsheet or a path would take
otherwise, long ones, marks, joined emoji, rare kanji, from right to left, and look-alikes."""

PARTS = 3

NAMES = [name for table in TABLES for name in table]
TWINS = ("Quoria", "Wexley", "Yzobel", "Jovank")

SCRIPTS = (
    "abcXYZ", "äöüßñ", "абвгд", "αβγδ", "あいうアイウ", "花札月光", "𠮷𩸽𰻞", "אבגד", "ابتث", "กขค",
    "👨👩👧🏳🌸", "\u200d\ufe0f\u0301\u0308\u0327", " \u00a0\u3000", "0123٣９", "<>&\"'`",
    "%{}$()", "=+-@/\\#?",
)  # fmt: skip


def as_kept(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip()


def test_there_are_sixty() -> None:
    assert len({as_kept(name) for name in NAMES}) == 60


# --- There and back -------------------------------------------------------------------------------


def check_round_trip(program: Program, app: Flask, names: Sequence[str]) -> None:
    """Names come back as they were written, by every way in and out."""
    kept = [as_kept(name) for name in names]
    assert program.starts("bakappana", *names).status_code == 201
    assert [person["name"] for person in program.looks().json["players"]] == kept
    phone = Phone(app).joins(program.id, Role.MANAGE)
    version = program.looks().json["version"]
    manage = [form for form in phone.opens("/manage").forms if re.search(r"players/\d", form.path)]
    naming = [form for form in manage if "name" in form.fields]
    for form, name in zip(naming, kept, strict=True):
        assert form.fields["name"] == name
        assert form.presses().saved
    # Whoever sends a name back as it was shown renames nobody.
    assert program.looks().json["version"] == version
    for player, name in enumerate(reversed(names), 1):
        program.sends("PATCH", f"/players/{player}", json={"name": f"somebody {player}"})
        told = program.sends("PATCH", f"/players/{player}", json={"name": name})
        if told.status_code == 200:  # else somebody at the table still has it
            assert told.json["name"] == as_kept(name)
    texts = [event["text"] for event in program.sends("GET", "/history").json["events"]]
    for event in texts[:-1]:
        assert re.search(r"somebody \d", event), event
    assert [name for name in kept if not any(name in text for text in texts)] == []


def check_all_round_trips(app: Flask) -> None:
    for names in TABLES:
        check_round_trip(Program(app), app, names)


def test_names_come_back_as_they_were_written(app: Flask) -> None:
    check_all_round_trips(app)


def any_name(dice: random.Random) -> str:
    letters = [dice.choice(dice.choice(SCRIPTS)) for _ in range(dice.randint(1, 24))]
    return "".join(letters)


def test_any_name_comes_back_or_is_refused(app: Flask, dice: random.Random) -> None:
    program = Program(app)
    taken = 0
    for number in range(100):
        if number % 20 == 0:
            program.starts("bakappana", "Aki", "Ben")
        name = any_name(dice)
        done = program.sends("PATCH", "/players/1", json={"name": name})
        if done.status_code == 200:
            assert done.json["name"] == as_kept(name)
            shown = program.looks().json["players"][0]["name"]
            assert shown == as_kept(name), f"name {number}"
            taken += 1
        else:
            assert refusal(done)[0] == 422
    assert taken > 60


@pytest.mark.parametrize(
    ("first", "second"),
    [("Aki", "Aki"), ("Aki", " aki "), ("Zoe\u0308", "Zo\u00eb"), ("ｱｷ", "アキ"), ("A b", "A  b")],
)
def test_nobody_is_called_as_somebody_else(app: Flask, first: str, second: str) -> None:
    """Names that a reader takes for one would make two people one."""
    program = Program(app)
    program.starts("bakappana", first, "Ben")
    for method, path, sent in (
        ("POST", "/players", {"name": second}),
        ("PATCH", "/players/2", {"name": second}),
    ):
        assert refusal(program.sends(method, path, json=sent)) == (422, "name_taken")


@pytest.mark.parametrize(
    "name",
    ["", " \u3000", "\u200d\u200b", "\u0301", "a\x00b", "a\nb", "\u202eikA", "\u2066A", "\ud83d",
     "x" * 61, "x" + "\u0301" * 300, 7, None, ["Aki"]],
)  # fmt: skip
def test_what_is_no_name_is_refused(app: Flask, name: Any) -> None:
    program = Program(app)
    program.starts("bakappana", "Aki", "Ben")
    assert refusal(program.sends("POST", "/players", json={"name": name})) == (422, "bad_name")


# --- Pages, and their twins -----------------------------------------------------------------------


class Parts(HTMLParser):
    """A page piece by piece: elements with the names of their attributes, and texts.

    Moments, and links that open the series, are different on each page.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.pieces: list[tuple[str, ...]] = []
        self.values: list[str] = []
        self._within: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pieces.append((tag, *(name for name, _ in attrs)))
        self.values += [value or "" for _, value in attrs]
        if tag not in ("input", "meta", "link", "br", "img", "hr"):
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.pieces.append(("/", tag))
        while self._within and self._within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if {"time", "code"}.isdisjoint(self._within) and data.strip():
            apart = "bdi" if "bdi" in self._within else "text"
            self.pieces.append((apart, " ".join(data.split(" ")).strip("\n ")))

    def handle_comment(self, data: str) -> None:
        self.pieces.append(("comment", data))


def faults(page: str, twin: str, names: Sequence[str]) -> list[str]:
    """Where a page is not the page of its twin with other names; empty where it is."""
    found = []
    mine, theirs = Parts(page), Parts(twin)
    called = dict(zip(TWINS, map(as_kept, names), strict=False))
    plain = re.compile("|".join(called))

    def renamed(text: str) -> str:
        return plain.sub(lambda name: called[name[0]], text)

    for got, piece in zip(mine.pieces, theirs.pieces, strict=False):
        # A name has no business in the text, only apart from it.
        other = tuple(map(renamed, piece)) if piece[0] == "bdi" else piece
        if got != other:
            found.append(f"{got} instead of {other}")
            break
    if len(mine.pieces) != len(theirs.pieces):
        found.append(f"{len(mine.pieces)} pieces instead of {len(theirs.pieces)}")
    for given, value in zip(mine.values, theirs.values, strict=False):
        if plain.search(value) and given != renamed(value):
            found.append(f"{given} instead of {renamed(value)} in an attribute")
            break
    return found


def plays(names: Sequence[str], points: Sequence[tuple[int, ...]]) -> str:
    """A series with a few rounds, a correction, somebody renamed, and a card that is missing."""
    series = ledger.start("bakappana", {"tie": "ask"}, names[:3])
    ledger.add_player(series, names[3])
    for number, counted in enumerate(points, 1):
        seats = [{"player": at, "points": one} for at, one in enumerate(counted, 1)]
        ledger.record(series, {"number": number, "seats": seats})
    seats = [{"player": at, "points": one} for at, one in enumerate((66, 66, 80, 52), 1)]
    ledger.correct(series, 1, {"seats": seats}, revision=1, reason="counted twice")
    ledger.change_player(series, 4, left=True)
    ledger.change_player(series, 4, left=False)
    ledger.change_player(series, 1, name="between")
    ledger.change_player(series, 1, name=names[0])
    return series


POINTS = ((100, 84, 80, 0), (0, 0, 64, 200), (70, 70, 60, 64))


def pages_of(app: Flask, phone: Phone) -> Iterator[tuple[str, str]]:
    """Every page of a series, and those that only an answer shows."""
    for rule, address in addresses(app, phone.id):
        if rule.rule.startswith("/s/") and "GET" in rule.methods:
            page = phone.sends("GET", address)
            assert page.status in (200, 302, 404), address
            # A file is no page: its names are in tests/web/test_spreadsheet.py.
            if page.answer.mimetype != "text/csv":
                yield rule.rule, page.text
    for form in ("counts", "captured", "named"):
        yield f"enter by {form}", phone.opens(f"/rounds/new?use={form}").text
    typed = phone.types_points(100, 84, 80)
    yield "preview", typed.presses("preview").text
    four = phone.opens("/rounds/new?use=points&plays=1&plays=2&plays=3&plays=4").form
    for what, points in {
        "won": (4, 100, 80, 80),
        "sum": (1, 2, 3, 4),
        "bad": (300, 0, 0, 0),
    }.items():
        yield what, phone.types_points(*points, form=four).presses("preview").text
    claimed = phone.opens("/who").form
    assert claimed.presses("player", "2").saved
    yield "phones", phone.opens("/phones").text
    yield "history of a phone", phone.opens("/history").text


def check_pages(app: Flask, tables: Sequence[Sequence[str]]) -> None:
    twin, plain = opens_all(app, TWINS)
    assert sum("<bdi>" in page for page in plain.values()) > 10
    for names in tables:
        phone, pages = opens_all(app, names)
        assert pages.keys() == plain.keys()
        for what, page in pages.items():
            wrong = faults(same(page, phone.id), same(plain[what], twin.id), names)
            assert wrong == [], (what, names)


def opens_all(app: Flask, names: Sequence[str]) -> tuple[Phone, dict[str, str]]:
    phone = Phone(app).joins(plays(names, POINTS), Role.MANAGE)
    return phone, dict(pages_of(app, phone))


def same(page: str, series: str) -> str:
    """A page without what is its own: the series, and the numbers of phones."""
    return re.sub(r"\b(phone) \d+", r"\1 1", page.replace(series, "ID"))


of_one_kind = pytest.mark.parametrize("kind", ["sqlite"])


@of_one_kind
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_shows_names_apart_and_as_they_are(app: Flask, part: int) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    check_pages(app, TABLES[part::PARTS])


# --- In a browser ---------------------------------------------------------------------------------

WIDTHS = (320, 360, 412)

LOOK = r"""
(names) => {
  const wrong = [];
  const say = (what, ...texts) =>
    wrong.push([what, ...texts.map(text => text.trim().slice(0, 30))].join(": "));
  const root = document.documentElement;
  const beside = root.scrollWidth - root.clientWidth;
  if (beside > 0) say(`scrolls sideways by ${beside}`);

  const shown = one => one.checkVisibility({opacityProperty: true, visibilityProperty: true});
  for (const one of [...document.querySelectorAll("bdi")].filter(shown)) {
    if (!getComputedStyle(one).unicodeBidi.includes("isolate")) say("not apart", one.textContent);
    if (names.length && !names.includes(one.textContent)) say("no name", one.textContent);
  }

  // Amounts: the sign before the figures, in one line, in a row of their own.
  const boxes = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()];
  };
  for (const one of [...document.querySelectorAll(".amount")].filter(shown)) {
    const text = one.firstChild;
    if (!/^[+−]/.test(text.data)) continue;
    const [sign] = boxes(text, 0, 1);
    const [figures] = boxes(text, 1, text.length);
    if (sign.right > figures.left + 1 || sign.top !== figures.top)
      say("sign out of place", text.data);
  }
  for (const list of document.querySelectorAll("ul.amounts, ul.tally")) {
    const rows = [...list.children].filter(shown);
    rows.forEach((row, at) => {
      const above = rows[at - 1]?.getBoundingClientRect();
      if (above && row.getBoundingClientRect().top < above.bottom - 1)
        say("two names in a row", row.textContent);
    });
  }

  // Texts: none over another, and none cut off but where dots say so.
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const within = text.parentElement;
    if (!text.data.trim() || !shown(within)) continue;
    if (within.closest(".hidden, .skip, .bar, .dock, svg, option")) continue;
    const clips = [];
    let floats = false;
    for (let up = within; up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      floats ||= ["fixed", "sticky", "absolute"].includes(style.position);
      if (style.overflowX !== "visible") clips.push([up.getBoundingClientRect(), style]);
    }
    for (const box of floats ? [] : boxes(text, 0, text.length)) {
      let {left, right, top, bottom} = box;
      for (const [edge, style] of clips) {
        const dotted = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        const hidden = !dotted && ["hidden", "clip"].includes(style.overflowX);
        if (hidden && right - left > 1 && right > edge.right + 1) say("cut off", text.data);
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      if (right - left > 1 && bottom - top > 1) texts.push({left, right, top, bottom, text});
    }
  }
  texts.sort((one, other) => one.top - other.top);
  texts.forEach((one, at) => {
    for (const other of texts.slice(at + 1)) {
      if (other.top > one.bottom) break;
      if (other.text === one.text) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - other.top;
      const lower = Math.min(one.bottom - one.top, other.bottom - other.top);
      if (wide > 2 && high > lower / 2) say("one over another", one.text.data, other.text.data);
    }
  });
  return [...new Set(wrong)];
}
"""


@pytest.fixture
def server(app: Flask, streams: Streams) -> Iterator[str]:
    """The app itself, served to a browser."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    with make_server("127.0.0.1", 0, app, threaded=True) as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        streams.close()
        served.shutdown()
        thread.join()


def looks(
    eyes: Eyes, paths: Sequence[str], names: Sequence[str]
) -> dict[tuple[str, int], list[str]]:
    """What is wrong with these pages of a series, at each width."""
    found = {}
    said = [*map(as_kept, names), "between", "counted twice"]
    for path in paths:
        eyes.opens(path)
        for width in WIDTHS:
            eyes.page.set_viewport_size({"width": width, "height": 740})
            if wrong := eyes.page.evaluate(LOOK, said):
                found[path.rpartition("/")[2], width] = wrong
    return found


PATHS = (
    "",
    "/rounds/2",
    "/rounds/new?use=points",
    "/history",
    "/manage",
    "/who",
    "/rounds/2/otherwise",
)


def eyes_on(app: Flask, phones: Callable[..., Eyes], series: Sequence[str]) -> Eyes:
    """A browser that may see these series."""
    device, token = ledger.new_device()
    for one in series:
        ledger.join(device, ledger.secret_for(one, Role.MANAGE))
    eyes = phones(viewport={"width": WIDTHS[0], "height": 740})
    cookie: Any = {"name": "device", "value": token, "url": eyes.server, "httpOnly": True}
    eyes.page.context.add_cookies([cookie])
    return eyes


@of_one_kind
@pytest.mark.parametrize("part", range(PARTS))
def test_names_fit_at_every_width(app: Flask, phones: Callable[..., Eyes], part: int) -> None:
    tables = {plays(names, POINTS): names for names in TABLES[part::PARTS]}
    eyes = eyes_on(app, phones, [*tables])
    for series, names in tables.items():
        wrong = looks(eyes, [f"/s/{series}{path}" for path in PATHS], names)
        assert wrong == {}, names


# --- The negative controls ------------------------------------------------------------------------


def rewrites(app: Flask, old: str, new: str) -> None:
    """Makes the app read all its templates with something in them replaced."""
    environment = app.jinja_env
    read_template = environment.loader.get_source

    def source(name: str) -> str:
        return read_template(environment, name)[0].replace(old, new)

    app.jinja_env.loader = FunctionLoader(source)


MARKUP = TABLES[0]


@of_one_kind
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<bdi>{{ person.name }}</bdi>", "{{ person.name }}"),
        ("<bdi>{{ person.name }}</bdi>", "<bdi>{{ person.name|safe }}</bdi>"),
        ("{{ person.name }}", "{{ person.name|upper }}"),
        ("|bdi)", ")"),
        ('aria-label="{{ person.name }}"', "aria-label={{ person.name }}"),
    ],
    ids=["not apart", "not escaped", "changed", "not apart in a sentence", "not quoted"],
)
def test_a_template_that_breaks_names_is_caught(app: Flask, old: str, new: str) -> None:
    rewrites(app, old, new)
    with pytest.raises(AssertionError):
        check_pages(app, [MARKUP])


@of_one_kind
@pytest.mark.parametrize(
    "instead", [Markup, lambda name: name.replace("<", ""), lambda name: f"{name}"]
)
def test_a_sentence_that_breaks_names_is_caught(
    app: Flask, monkeypatch: pytest.MonkeyPatch, instead: Callable[[str], str]
) -> None:
    whole = words.marked
    monkeypatch.setattr(
        words,
        "marked",
        lambda value, to: escape(instead(value)) if isinstance(value, Name) else whole(value, to),
    )
    with pytest.raises(AssertionError):
        check_pages(app, [MARKUP])


@of_one_kind
@pytest.mark.parametrize(
    "instead",
    [str.casefold, lambda name: name[:59], lambda name: unicodedata.normalize("NFKC", name)],
)
def test_books_that_change_names_are_caught(
    app: Flask, monkeypatch: pytest.MonkeyPatch, instead: Callable[[str], str]
) -> None:
    clean = names_of_players.clean_name
    monkeypatch.setattr(
        names_of_players, "clean_name", lambda name, others: instead(clean(name, others))
    )
    with pytest.raises(AssertionError):
        check_all_round_trips(app)


STYLES = {
    "scrolls sideways": ".amounts bdi {white-space: nowrap; overflow-wrap: normal}",
    "two names in a row": ".amounts {display: block} .amounts li {display: inline}",
    "not apart": "bdi {unicode-bidi: normal}",
    "one over another": ".amounts li {height: 8px; min-height: 0; padding: 0}",
    "sign out of place": ".amount {direction: rtl; unicode-bidi: bidi-override}",
    "cut off": ".amounts bdi {display: block; width: 60px; white-space: nowrap; overflow: hidden}",
}


@of_one_kind
def test_a_style_that_breaks_names_is_caught(app: Flask, phones: Callable[..., Eyes]) -> None:
    series = plays(TABLES[9], POINTS)
    eyes = eyes_on(app, phones, [series])
    eyes.opens(f"/s/{series}/rounds/2")
    for what, style in STYLES.items():
        assert eyes.page.evaluate(LOOK, []) == []
        eyes.page.evaluate(
            """style => {
              const sheet = new CSSStyleSheet();
              sheet.replaceSync(style);
              document.adoptedStyleSheets = [sheet];
            }""",
            style,
        )
        wrong = eyes.page.evaluate(LOOK, [])
        eyes.page.evaluate("document.adoptedStyleSheets = []")
        assert any(one.startswith(what) for one in wrong), (what, wrong)
