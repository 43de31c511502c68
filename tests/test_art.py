"""The card faces: one symbol for every card, light enough, and nothing a strict page refuses."""

import gzip
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from art import __main__ as command
from art import sprite
from art.ink import PREFIX
from scorekeeper.bootstrap import ROOT
from scorekeeper.rules.cards import CHAFF, DECK, Card, Cards
from scorekeeper.rules.sentence import Name, Sum, say
from scorekeeper.words import html

SVG = "{http://www.w3.org/2000/svg}"
FILE = ROOT / "static" / "cards.svg"
DRAWING = ET.fromstring(sprite())
SYMBOLS = {symbol.get("id"): symbol for symbol in DRAWING.iter(f"{SVG}symbol")}

ELEMENTS = {"svg", "symbol", "g", "use", "path", "circle", "ellipse", "rect"}
ATTRIBUTE = re.compile(
    "id|viewBox|href|d|x|y|width|height|cx|cy|r|rx|ry|transform|fill"
    "|stroke(-width|-linecap|-linejoin)?|display|aria-hidden"
)


def test_there_is_a_symbol_for_each_card_and_for_nothing_else():
    assert list(SYMBOLS) == [PREFIX + card.text for card in DECK]


def test_the_committed_file_is_what_the_code_draws():
    assert FILE.read_text(encoding="utf-8") == sprite(), "run python3 -m art"


def test_it_is_light_enough_to_stand_in_a_page():
    assert len(gzip.compress(FILE.read_bytes())) <= 12 * 1024


def test_every_part_is_there_once_and_used():
    ids = [element.get("id") for element in DRAWING.iter() if element.get("id")]
    used = {use.get("href") for use in DRAWING.iter(f"{SVG}use")}
    parts = {f"#{one}" for one in ids if one not in SYMBOLS}
    assert used == parts
    assert all(count == 1 for count in Counter(ids).values())
    assert all(one.startswith(PREFIX) for one in ids)


def test_a_part_is_made_of_earlier_parts_only():
    # So no part can be inside itself.
    seen: set[str] = set()
    for part in DRAWING:
        assert {use.get("href") for use in part.iter(f"{SVG}use")} <= seen
        seen.add(f"#{part.get('id')}")


def test_it_holds_shapes_only():
    for element in DRAWING.iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS
        assert all(map(ATTRIBUTE.fullmatch, element.attrib))
        assert not (element.text or "").strip()
        assert not any("url(" in value or ":" in value for value in element.attrib.values())


@pytest.mark.parametrize("card", DECK, ids=lambda card: card.text)
def test_a_face_has_its_ground_its_month_and_its_rank(card):
    symbol = SYMBOLS[PREFIX + card.text]
    ground = symbol[0]
    assert symbol.get("viewBox") == "0 0 40 64"
    assert (ground.tag, ground.get("width"), ground.get("height")) == (f"{SVG}rect", "40", "64")
    used = [use.get("href") for use in symbol.iter(f"{SVG}use")]
    marks = [name for name in used if name.startswith("#hf-month-") or name.endswith("-mark")]
    expected = [f"#hf-month-{card.month}"]
    if card not in CHAFF:
        expected.append(f"#hf-{card.kind.key}-mark")
    assert marks == expected
    assert used[-len(marks) :] == marks, "they lie on top"


def test_no_two_faces_are_the_same():
    faces = [b"".join(ET.tostring(shape) for shape in symbol) for symbol in SYMBOLS.values()]
    assert len(set(faces)) == len(DECK)


def test_the_command_writes_the_sprite_and_a_sheet(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "SPRITE", tmp_path / "cards.svg")
    sheet = tmp_path / "sheet.svg"
    command.main([str(sheet)])
    assert Path(command.SPRITE).read_text(encoding="utf-8") == sprite()
    shown = Counter(use.get("href") for use in ET.parse(sheet).getroot().findall(f"{SVG}use"))
    assert shown == {f"#{PREFIX}{card.text}": 4 for card in DECK}
    assert "48 faces" in capsys.readouterr().out


# --- On a page ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "named", "doubted"),
    [("en", ["rain man", "swallow"], "lightning"), ("ja", ["柳に小野道風", "柳に燕"], "柳のカス")],
)
def test_a_card_in_a_sentence_is_its_face_on_a_page(app, language, named, doubted):
    held = say("%(sum)s", sum=Sum([say("1 × 20 (%(cards)s)", cards=Cards.parse("11A 11B")), -5]))
    asked = say("Has %(name)s the %(card)s?", name=Name("<Aki>"), card=Card.parse("11C"))
    with app.test_request_context(headers={"Accept-Language": language}):
        page = ET.fromstring(f"<p>{html(held)}{html(asked)}</p>")
    faces = [use.get("href").partition("#")[2] for use in page.iter("use")]
    assert faces == [PREFIX + text for text in ("11B", "11A", "11C")]
    assert [svg.get("aria-label") for svg in page.iter("svg")] == [*named, None]
    for title in [title for svg in page.iter("svg") for title in svg]:
        title.text = None
    text = "".join(page.itertext())
    assert text.startswith("1 × 20 () − 5")
    assert f" {doubted}" in text
    # Wherever there are no pictures it stays as it is written, or called.
    assert held.render() == "1 × 20 (11B 11A) − 5"
    assert asked.render() == "Has <Aki> the lightning?"
