"""Every language says everything: its catalogue is whole, and what people read is in it.

`make words` brings the catalogues up to date. Here the messages are collected afresh, so that one
that was added and not translated, or translated and not used any more, is found.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po
from flask import Flask

from scorekeeper.ledger import Role
from scorekeeper.live import PART
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.cards import DECK, KIND_READINGS, MONTHS
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import shown
from scorekeeper.rules.sheet import sheet
from scorekeeper.words import CATALOGUES, LANGUAGES, translator
from tests.web.conftest import Page, Phone
from tests.worked.reader import FILES, read

ROOT = Path(__file__).parent.parent
KEYWORDS = {**DEFAULT_KEYWORDS, "say": None}
"""As `make words` has them."""

OTHERS = [language for language in LANGUAGES if language != "en"]
PLACE = re.compile(r"%\(\w+\)s")
LETTER = re.compile(r"[A-Za-z]")

# --- The catalogues -------------------------------------------------------------------------------


def _collected() -> Catalog:
    """Every message of the sources, as `make words` finds it."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    catalog = Catalog()
    for name, line, message, _, context in extract_from_dir(ROOT, methods, options, KEYWORDS):
        catalog.add(message, locations=[(name, line)], context=context)
    return catalog


COLLECTED = _collected()


def messages(catalog: Catalog) -> Iterator[Message]:
    """All but the head of the file."""
    return (message for message in catalog if message.id)


def strings(message: Message) -> list[tuple[str, str]]:
    """Each form of a message with the English it stands for."""
    if message.pluralizable:
        # The English for many, for that has the number as a place.
        return [(message.id[-1], string) for string in message.string]
    return [(str(message.id), str(message.string))]


def put_together(source: Path) -> Iterator[str]:
    """Where a file says a text that is put together as it is said, and so in no catalogue."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) == "say":
            parts = ast.walk(node.args[0])
            if any(isinstance(part, ast.JoinedStr | ast.BinOp | ast.Call) for part in parts):
                yield f"{source.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)[:60]}"


def ids(catalog: Catalog) -> set[Any]:
    return {message.id for message in messages(catalog)}


def ends(text: str) -> tuple[str, str]:
    """The space before and after a text."""
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


@pytest.fixture(params=OTHERS)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    with (CATALOGUES / f"{request.param}.po").open("rb") as file:
        return read_po(file, locale=request.param)


def test_the_sources_have_messages():
    assert len(ids(COLLECTED)) > 700
    assert {"Bakappana", "Scoreboard", ", "} <= ids(COLLECTED)


def test_what_is_said_is_written_out():
    # f"{name} wins" would be another message for each name; say("%(name)s wins", name=name) is one.
    assert not [at for file in ROOT.glob("scorekeeper/**/*.py") for at in put_together(file)]


def test_every_language_is_one_file():
    assert sorted(file.stem for file in CATALOGUES.glob("*.po")) == sorted(OTHERS)


def test_every_message_is_translated(catalogue):
    said = {
        message.id
        for message in messages(catalogue)
        if all(string for _, string in strings(message)) and not message.fuzzy
    }
    assert not ids(COLLECTED) - said


def test_nothing_is_translated_that_nobody_says(catalogue):
    assert not ids(catalogue) - ids(COLLECTED)
    assert not catalogue.obsolete


def test_no_message_is_left_in_english(catalogue):
    assert not [
        string
        for message in messages(catalogue)
        for english, string in strings(message)
        if string == english and LETTER.search(PLACE.sub("", english))
    ]


def test_every_place_is_filled(catalogue):
    assert not [
        (english, string)
        for message in messages(catalogue)
        for english, string in strings(message)
        if Counter(PLACE.findall(string)) != Counter(PLACE.findall(english))
    ]


def test_no_per_cent_sign_is_in_the_way(catalogue):
    for message in messages(catalogue):
        for english, string in strings(message):
            if PLACE.search(english):
                assert "%" not in PLACE.sub("", string), string


def test_space_at_the_ends_is_kept(catalogue):
    assert not [
        (english, string)
        for message in messages(catalogue)
        for english, string in strings(message)
        # A comma of full width brings its space with it.
        if LETTER.search(english) and ends(string) != ends(english)
    ]


def test_every_number_has_its_form(catalogue):
    forms = Catalog(catalogue.locale).num_plurals
    assert catalogue.num_plurals == forms
    for message in messages(catalogue):
        if message.pluralizable:
            assert len(message.string) == forms, message.id


def test_the_rest_of_the_world_gets_english():
    assert translator("xx").gettext("Scoreboard") == "Scoreboard"


# --- What the rules say ---------------------------------------------------------------------------

TABLES = [
    game.under({rule.key: choice.value})
    for game in GAMES.values()
    for rule in game.house_rules
    for choice in rule.choices
]
"""Every game as it is played where one house rule differs."""

WORKED = {game: read(path) for game, path in FILES.items()}


def written(words: Iterable[str]) -> str:
    """A pattern of these words, where no other letter is beside them."""
    longest = sorted(map(re.escape, words), key=len, reverse=True)
    return rf"(?<![A-Za-z])(?:{'|'.join(longest)})(?![A-Za-z])"


NAMES = {"Aki", "Ben", "Chie", "Dai"}.union(
    *(worked.names for rounds in WORKED.values() for worked in rounds)
)
READINGS = {"sage", *KIND_READINGS.values()}.union(
    (card.reading for card in DECK),
    (month.reading for month in MONTHS),
    (game.reading for game in TABLES),
    (yaku.reading for game in TABLES for yaku in game.yaku),
)
LATIN = re.compile(
    "|".join(
        (
            r"「.*?」|\{\w+\}|\d[ABR]",
            written(NAMES | READINGS | {"Scorekeeper", "English", "JSON", "If-Match", "UTC"}),
        )
    )
)
"""What stays in Latin letters in every language: names, readings, and notation."""

WORDS = re.compile(r"[A-Za-z]{2,}(?:[ ’'-]+[A-Za-z]+)*")


def english_in(text: str) -> list[str]:
    """Runs of Latin words that have no business in a Japanese text."""
    return WORDS.findall(LATIN.sub("", text))


@pytest.mark.parametrize("game", WORKED)
def test_every_line_of_the_worked_rounds_is_japanese(game):
    ja = translator("ja")
    said: list[str] = []
    for worked in WORKED[game]:
        try:
            answer = settle(worked.document, ja)
        except RuleError as refusal:
            said.append(refusal.as_dict(ja)["error"]["message"])
        else:
            said += [*answer["working"], *(one["message"] for one in answer["warnings"])]
    assert said
    assert not [line for line in said if english_in(line)]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_rule_sheet_is_japanese(game):
    ja = translator("ja")
    for rule in game.house_rules:
        for choice in rule.choices:
            for section in sheet(game, {rule.key: choice.value}).sections:
                said: list[object] = [section.title, *section.sentences, *section.columns]
                said += [cell for row in section.rows for cell in row]
                assert not [text for one in said if english_in(text := shown(one, ja))]


def test_a_yaku_that_is_called_by_its_kanji_is_named_once():
    ja = translator("ja")
    assert shown(GAMES["kaga"].yaku[0], ja) == "手四"
    assert shown(GAMES["kaga"].yaku[0]) == "Four of a Kind 手四"


def settles(*options: str, document: object) -> tuple[int, dict]:
    """The answer of the command line."""
    done = subprocess.run(
        [sys.executable, "-m", "scorekeeper", "settle", "-", *options],
        input=json.dumps(document),
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def test_the_command_line_speaks_japanese():
    seats = [{"name": name, "points": points} for name, points in (("Aki", 97), ("Ben", 80))]
    document = {"game": "bakappana", "seats": [*seats, {"name": "さくら", "points": "rest"}]}
    status, answer = settles("--lang", "ja", document=document)
    assert status == 0
    assert "Aki：97 − 基準点 88 ＝ +9" in answer["working"]
    assert "検算：9 − 8 − 1 ＝ 0" in answer["working"]
    assert settles(document=document)[1]["amounts"] == answer["amounts"]


def test_the_command_line_refuses_in_japanese():
    status, answer = settles("--lang", "ja", document={"game": "poker", "seats": []})
    assert status == 2
    assert answer["error"]["message"].startswith("「poker」というゲームはありません。")


# --- What the pages say ---------------------------------------------------------------------------


class Reader(HTMLParser):
    """All that a page says to people: its text, and the attributes that are read out."""

    SAYS = ("alt", "aria-label", "aria-description", "title", "placeholder", "label")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.language: str | None = None
        self.said: list[str] = []
        self._silent = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "html":
            self.language = has.get("lang")
        self._silent += tag in ("script", "style", "code")
        # A template holds the words for the scripts.
        spoken = has if tag == "template" else self.SAYS
        self.said += [value for name in spoken if name != "id" and (value := has.get(name))]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style", "code")

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.said.append(data.strip())


# Of the messages, what is long enough to be nothing else where it stands on a page.
SENTENCES = {
    part
    for message in messages(COLLECTED)
    for form in ([message.id] if isinstance(message.id, str) else message.id)
    for part in PLACE.split(form)
    if len(re.findall(r"[A-Za-z]+", part)) > 3
}


def reads_japanese(page: Page, whole: bool = True) -> None:
    """Fails where a page, or a part of one, is not in Japanese to its last word."""
    reader = Reader(page.text)
    assert reader.language == ("ja" if whole else None), page.path
    said = "\n".join(reader.said)
    text = unescape(page.text)
    assert not [sentence for sentence in SENTENCES if sentence in text], page.path
    assert not english_in(said), page.path


@pytest.fixture
def phone(app: Flask) -> Phone:
    """A phone whose browser asks for Japanese."""
    phone = Phone(app)
    phone.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "ja-JP, ja;q=0.9, en;q=0.5"
    return phone


@pytest.fixture
def phones(app: Flask) -> Callable[[], Phone]:
    return lambda: Phone(app)


def crawl(phone: Phone, *begin: str) -> dict[str, Page]:
    """Every page that a phone reaches by links, with its path."""
    pages: dict[str, Page] = {}
    waiting = list(begin)
    while waiting:
        path = waiting.pop().partition("#")[0]
        if path in pages or not path.startswith("/"):
            continue
        page = phone.sends("GET", path)
        if page.answer.mimetype == "text/html":
            pages[path] = page
            waiting += page.links
    return pages


def start(phone: Phone, game: str) -> None:
    """Starts a series of a game, with a name too many where that is possible."""
    seats = max(GAMES[game].seats)
    names = ("Aki", "Ben", "Chie", "Dai")[:seats]
    assert phone.starts(game, *names).saved


def records(phone: Phone, game: str, end: str = "counted") -> None:
    """Records a round of points, with a yaku where the game has one."""
    form = phone.opens("/rounds/new").form
    seats, values = max(GAMES[game].seats), GAMES[game].values
    # No sum of cards is between two steps; what is left of the deck is the first player's.
    share = values.total // seats // values.step * values.step
    typed: dict[str, Any] = {f"p{at}-points": share for at in range(2, seats + 1)}
    typed["p1-points"] = values.total - sum(typed.values())
    teyaku = GAMES[game].by_kind["teyaku"]
    if teyaku:
        typed["p1-teyaku"] = [teyaku[0].key]
    page = form.types(typed, form="points", end=end).presses("preview")
    reads_japanese(page)
    done = page.form.presses("save")
    assert done.saved, done.refusals
    reads_japanese(done.follows())


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_a_series_is_japanese(phone, game):
    start(phone, game)
    records(phone, game)
    records(phone, game, end="void")
    pages = crawl(phone, "/", phone.series, phone.at("/share"), phone.at("/rounds/1"))
    assert {"/", "/j", f"/new/{game}", phone.series, phone.at("/rounds/new")} <= set(pages)
    for page in pages.values():
        assert page.status == 200, page.path
        reads_japanese(page)


@pytest.mark.parametrize("game", GAMES)
def test_every_way_of_entering_is_japanese(phone, game):
    start(phone, game)
    for way in ("counts", "named", "captured", "points", "months"):
        form = phone.opens("/rounds/new").form
        reads_japanese(form.presses("use", way))
        reads_japanese(form.presses("preview"))
        live = form.presses("preview", headers={"Accept": PART})
        assert live.status == 200
        reads_japanese(live, whole=False)


@pytest.mark.parametrize("role", [Role.ENTER, Role.VIEW])
def test_what_a_guest_sees_is_japanese(phone, phones, role):
    host = phones()
    start(host, "hachi-hachi")
    host.records(100, 84, 80)
    phone.joins(host.id, role)
    for page in crawl(phone, "/", phone.series).values():
        reads_japanese(page)


def test_refusals_are_japanese(phone):
    reads_japanese(phone.starts("kaga", "Aki", "Aki"))
    reads_japanese(phone.starts("kaga", "Aki"))
    reads_japanese(phone.starts("kaga", "Aki", "Ben", length="other", other_length="many"))
    reads_japanese(phone.starts("kaga", "Aki", "Ben", first="draw"))
    reads_japanese(phone.opens("/j").form.types(link="nothing").presses())
    start(phone, "bakappana")
    for points in ([100, 100, 100, 100], [1, 1, 1, 1], ["x", 1, 2, 3], [1, "", "", ""]):
        page = phone.types_points(*points).presses("preview")
        assert page.refusals
        reads_japanese(page)


def test_what_the_forms_say_by_themselves_is_japanese(phone):
    page = phone.starts("kaga", "Aki", "Ben", length="nonsense")
    (said,) = page.refusals.values()
    assert said == "この中から選んでください。"


def test_a_page_that_was_open_too_long_says_so_in_japanese(phone):
    page = phone.opens("/new/kaga").form.types(csrf_token=None).presses()
    assert any("もう一度ボタンを押してください" in said for said in page.wrong)
    reads_japanese(page)


def test_the_api_speaks_japanese_to_whoever_asks_for_it(app):
    def settled(document: object) -> Any:
        headers = {"Accept-Language": "ja"}
        return app.test_client().post("/api/v1/settle", json=document, headers=headers).get_json()

    seats = [{"name": "Aki", "points": 140}, {"name": "Ben", "points": "rest"}]
    answer = settled({"game": "bakappana", "seats": seats})
    assert not [line for line in answer["working"] if english_in(line)]
    assert not english_in(settled({"game": "poker"})["error"]["message"])


def test_errors_are_japanese(phone):
    for method, path in (("GET", "/nowhere"), ("GET", "/s/nowhere"), ("POST", "/")):
        page = phone.sends(method, path)
        assert page.status >= 400
        reads_japanese(page)


# --- Which language -------------------------------------------------------------------------------


def chooses(phone: Phone, language: str) -> None:
    (form,) = (form for form in phone.opens("/").forms if form.path == "/language")
    assert form.presses("language", language).saved


def spoken(page: Page) -> str | None:
    return Reader(page.text).language


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("ja", "ja"),
        ("ja-JP,ja;q=0.9,en;q=0.5", "ja"),
        ("fr, ja;q=0.8, en;q=0.5", "ja"),
        ("en, ja;q=0.9", "en"),
        ("ja;q=0, en", "en"),
        ("fr", "en"),
        ("", "en"),
    ],
)
def test_the_browser_chooses_the_language(phones, asked, language):
    page = phones().sends("GET", "/", headers={"Accept-Language": asked})
    assert spoken(page) == language


def test_the_foot_of_the_page_chooses_another(phone):
    assert spoken(phone.opens("/")) == "ja"
    chooses(phone, "en")
    assert spoken(phone.opens("/")) == "en"
    chooses(phone, "ja")
    assert spoken(phone.opens("/new/kaga")) == "ja"


def test_the_choice_is_remembered(phone):
    chooses(phone, "en")
    cookie = phone.client.get_cookie("language")
    assert cookie.value == "en"
    assert cookie.max_age > 180 * 24 * 3600
    assert spoken(phone.opens("/new/kaga")) == "en"


def test_every_language_is_offered_under_its_own_name(phone):
    text = phone.opens("/").text
    for tag, name in LANGUAGES.items():
        assert re.search(rf'value="{tag}" lang="{tag}"[^>]*>{name}</button>', text)
