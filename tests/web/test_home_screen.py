"""The manifest, the icons and the service worker, as a phone asks for them."""

import json
import re
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from art import icon
from art.ink import PAPER, RED
from scorekeeper.bootstrap import ROOT
from scorekeeper.home_screen import FELT
from tests.web.conftest import Phone

STYLE = (ROOT / "static/style.css").read_text(encoding="utf-8")
GROUNDS = re.findall(r"--felt: (#\w+);", STYLE)
"""Our grounds, dark and light."""


def manifest(phone: Phone, **headers: str) -> dict:
    page = phone.sends("GET", "/manifest.webmanifest", headers=headers)
    assert page.status == 200
    assert page.answer.mimetype == "application/manifest+json"
    return json.loads(page.text)


def test_every_page_links_the_manifest_and_the_icon(phone: Phone) -> None:
    for path in ("/", "/j", "/rules/kaga", "/nowhere"):
        text = phone.sends("GET", path).text
        assert '<link rel="manifest" href="/manifest.webmanifest"' in text
        address = re.search(r'<link rel="apple-touch-icon" href="([^"]+)"', text)[1]
        picture = phone.client.get(address)
        assert picture.mimetype == "image/png"
        picture.close()


def test_a_phone_can_keep_it_on_its_home_screen(phone: Phone) -> None:
    told = manifest(phone)
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    assert told["theme_color"] == told["background_color"] == FELT == GROUNDS[0]
    assert phone.sends("GET", told["start_url"]).status == 200
    sizes = {(one["purpose"], one["sizes"]) for one in told["icons"]}
    assert {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")} <= sizes


def test_its_name_is_in_the_language_of_the_phone(phone: Phone) -> None:
    english, japanese = (
        manifest(phone, **{"Accept-Language": language}) for language in ("en", "ja")
    )
    assert (english["lang"], japanese["lang"]) == ("en", "ja")
    assert english["name"] == "Scorekeeper: the score of a hanafuda table"
    assert japanese["name"] == "Scorekeeper：花札の得点帳"
    chosen = phone.opens("/").forms[-1].types(language="ja").presses()
    assert chosen.status == 302
    assert manifest(phone, **{"Accept-Language": "en"})["lang"] == "ja"


def test_the_icons_are_what_they_say(phone: Phone) -> None:
    for one in manifest(phone)["icons"]:
        answer = phone.client.get(one["src"])
        assert answer.status_code == 200
        assert answer.mimetype == one["type"]
        assert len(answer.data) < 10_000
        if one["type"] == "image/png":
            wide, _, high = one["sizes"].partition("x")
            picture = Image.open(BytesIO(answer.data))
            assert picture.size == (int(wide), int(high))
        answer.close()


def test_the_committed_svg_is_what_the_code_draws() -> None:
    assert (ROOT / "static/icon.svg").read_text(encoding="utf-8") == icon.svg(), (
        "run python3 -m art"
    )


@pytest.mark.parametrize("name", icon.PICTURES)
def test_the_committed_picture_is_the_icon(name: str) -> None:
    """Pixel by pixel as the code draws it, but for what another version of Pillow may round."""
    committed = Image.open(ROOT / f"static/{name}.png").convert("RGBA")
    drawn = Image.open(BytesIO(icon.png(name))).convert("RGBA")
    assert committed.size == drawn.size == (icon.PICTURES[name],) * 2
    small = (32, 32)
    pairs = zip(committed.resize(small).tobytes(), drawn.resize(small).tobytes(), strict=True)
    assert max(abs(one - other) for one, other in pairs) <= 8
    x, y, radius = icon.MOON
    scale = committed.width / icon.SIZE
    moon: Any = committed.getpixel((round(x * scale), round(y * scale)))
    sky: Any = committed.getpixel((round(8 * scale), round(y * scale)))
    for colour, wanted in ((moon, PAPER), (sky, RED)):
        off = zip(colour[:3], bytes.fromhex(wanted[1:]), strict=True)
        assert max(abs(one - other) for one, other in off) <= 2
    # A phone cuts a maskable icon itself, and paints black behind what is cut out already.
    corner: Any = committed.getpixel((0, 0))
    assert corner[3] == (0 if name in ("icon-192", "icon-512") else 255)
    assert radius + max(abs(x - 32), abs(y - 32)) <= 0.4 * icon.SIZE


def test_the_colour_of_the_bar_is_that_of_the_page(phone: Phone) -> None:
    found = re.findall(
        r'<meta name="theme-color" media="\(prefers-color-scheme: (\w+)\)" content="(#\w+)">',
        phone.opens("/").text,
    )
    assert found == [("dark", GROUNDS[0]), ("light", GROUNDS[1])]


def test_the_worker_lies_above_all_pages_and_is_looked_for_again(phone: Phone) -> None:
    page = phone.sends("GET", "/sw.js")
    assert page.status == 200
    assert page.answer.mimetype in ("text/javascript", "application/javascript")
    assert page.answer.headers["Cache-Control"] == "no-cache"
    assert "immutable" not in page.answer.headers["Cache-Control"]
    assert 'data-worker="/sw.js"' in phone.opens("/").text
