"""Everybody keys their own pile on their own phone, all at once."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, expect

from scorekeeper.bootstrap import ROOT
from tests.browser.conftest import PUSHED, Phone

PILES = {"Aki": (1, 4, 3, 12), "Ben": (2, 3, 4, 7), "Chie": (2, 2, 3, 5)}
KINDS = ("bright", "animal", "ribbon", "chaff")


@pytest.fixture
def host(phones: Callable[..., Phone]) -> Phone:
    """A phone at the share page of a series that it started."""
    host = phones()
    host.sits_down("bakappana", *PILES)
    host.opens(f"{host.path}/share")
    return host


@pytest.fixture
def scans(phones: Callable[..., Phone], host: Phone) -> Callable[[str], Phone]:
    """Makes a phone that scans the code to score off the screen, and is somebody's."""
    section = host.page.locator("section", has_text="To score")
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(section.screenshot())))

    def scan(name: str) -> Phone:
        phone = phones()
        phone.opens(code.text)
        phone.taps("Join")
        phone.taps(name)
        is_live(phone)
        return phone

    return scan


def is_live(phone: Phone) -> None:
    expect(phone.page.locator(".sign")).to_have_text("Live", timeout=PUSHED)


def seats(phone: Phone) -> Locator:
    return phone.page.locator("#seats li > span")


def sees(phone: Phone, *lines: str) -> None:
    """The list of the piles says this, or does soon."""
    expect(seats(phone)).to_have_text([re.compile(f"^{line}") for line in lines], timeout=PUSHED)


def types(phone: Phone, pile: tuple[int, ...]) -> None:
    """Types a pile as on a keyboard."""
    for kind, count in zip(KINDS, pile, strict=True):
        phone.page.get_by_label(kind).fill(str(count))


def presses(phone: Phone, pile: tuple[int, ...]) -> None:
    """Keys a pile on the pad, which asks for one number after the other."""
    for count in pile:
        phone.taps(str(count), within=phone.page.locator(".keys"))


def puts_in(phone: Phone, button: str = "Hand in this pile") -> None:
    """Sends a pile, which leads back to the scoreboard."""
    phone.taps(button)
    phone.page.wait_for_url(lambda url: "/pile" not in url)


def settled_by_hand(rounds: dict) -> dict:
    """What the command answers for a round."""
    words = [sys.executable, "-m", "scorekeeper", "settle", "-"]
    done = subprocess.run(
        words, cwd=ROOT, input=json.dumps(rounds), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_an_evening_with_four_phones(
    phones: Callable[..., Phone], host: Phone, scans: Callable[[str], Phone]
) -> None:
    aki, ben, chie = map(scans, PILES)
    watcher = phones()
    watcher.joins(host.link("To watch"))
    series = watcher.path
    is_live(watcher)

    # All at once, each their own.
    for phone in (aki, ben, chie):
        phone.follows("My pile")
        assert phone.heading == "Your pile, round 1"
        is_live(phone)
    presses(chie, (2,))
    sees(watcher, "Aki is not in yet", "Ben is not in yet", "Chie is keying")
    presses(aki, PILES["Aki"])
    puts_in(aki)
    for phone in (watcher, ben, chie):
        sees(phone, "Aki is in", "Ben is", "Chie is")
        expect(phone.page.locator(".news")).to_have_text("The pile of Aki is in.")

    # One is offline, and back.
    chie.page.context.set_offline(True)
    presses(ben, PILES["Ben"])
    puts_in(ben)
    sees(watcher, "Aki is in", "Ben is in", "Chie is keying")
    types(chie, (2, 2, 3, 4))
    chie.taps("Hand in this pile")
    expect(chie.page.locator("#said")).to_contain_text("It is kept here")
    sees(watcher, "Aki is in", "Ben is in", "Chie is keying")
    chie.page.context.set_offline(False)
    sees(watcher, "Aki is in", "Ben is in", "Chie is in")
    chie.complaints.clear()

    # The sums are checked before anybody saves.
    missing = "chaff: 23 instead of 24, 1 too few"
    for phone in (watcher, ben, aki):
        expect(phone.page.locator("#seats .refusal")).to_contain_text(missing, timeout=PUSHED)
    chie.follows("My pile")
    chie.page.get_by_label("chaff").fill("5")
    puts_in(chie, "Change it")
    for phone in (watcher, ben, aki):
        sees(phone, "Aki is in", "Ben is in", "Chie is in, changed once")
        whole = phone.page.locator("#seats .whole")
        expect(whole).to_have_text("All piles are in, and they add up.", timeout=PUSHED)

    # Who watches sees all of it and can change nothing.
    for link in ("My pile", "Change", re.compile("Enter|save")):
        assert watcher.page.get_by_role("link", name=link).count() == 0
    for page in ("/pile", "/rounds/new"):
        watcher.is_refused(series + page, 403)
        sent = watcher.page.context.request.post(watcher.server + series + page, form={"save": "1"})
        assert sent.status == 403
    watcher.opens(series)
    is_live(watcher)

    # One is put out, at once; what it keyed stays.
    host.follows("Which phones are in, and putting one out")
    row = host.page.get_by_role("listitem").filter(has_text="Ben")
    row.get_by_role("button").click()
    closed = "This phone can no longer open the series"
    expect(ben.page.locator(".sign")).to_have_text(closed, timeout=PUSHED)
    ben.complaints.clear()
    ben.is_refused(f"{series}/pile", 404)

    aki.follows("Look at round 1 and save it")
    assert aki.amounts == {"Aki": "−1", "Ben": "+9", "Chie": "−8"}
    assert [aki.typed(player) for player in PILES] == [[*map(str, one)] for one in PILES.values()]
    aki.saves()
    expect(watcher.page.locator("#round-1")).to_be_visible(timeout=PUSHED)
    expect(watcher.page.locator("#seats")).to_have_count(0)
    expect(chie.page.locator(".news")).to_have_text("Round 1 is in: Aki −1, Ben +9, Chie −8.")

    # The books have what the rules say of the same piles.
    counts = [dict(zip(KINDS, pile, strict=True)) for pile in PILES.values()]
    seated = [{"name": name, "counts": one} for name, one in zip(PILES, counts, strict=True)]
    said = settled_by_hand({"game": "bakappana", "seats": seated})["amounts"]
    read = watcher.page.locator("#round-1 .amount").all_inner_texts()
    assert [int(one.replace("−", "-")) for one in read] == said == [-1, 9, -8]


def test_a_pile_fills_a_seat_that_nobody_touched_and_asks_at_one_that_was(
    host: Phone, scans: Callable[[str], Phone]
) -> None:
    aki, ben = scans("Aki"), scans("Ben")
    ben.follows("Enter round 1")
    is_live(ben)
    ben.types("Ben", bright=5)
    aki.follows("My pile")
    presses(aki, PILES["Aki"])
    puts_in(aki)
    expect(ben.page.locator("[name=p1-chaff]")).to_have_value("12", timeout=PUSHED)
    assert ben.typed("Ben")[0] == "5"
    assert not ben.page.locator("[name=take]").first.is_visible()
    # Aki keys Ben's pile as well, which Ben has begun here.
    aki.follows("Enter round 1")
    aki.page.locator("#seat-2").get_by_role("link").click()
    presses(aki, PILES["Ben"])
    puts_in(aki)
    take = ben.page.locator("#seat-2").get_by_role("button", name="Put it into the form")
    expect(take).to_be_visible(timeout=PUSHED)
    assert ben.typed("Ben")[0] == "5"
    take.click()
    assert ben.typed("Ben") == ["2", "3", "4", "7"]
    expect(take).to_be_hidden()
    ben.taps("Undo")
    assert ben.typed("Ben")[0] == "5"
    # What is changed later goes where nobody touched it.
    aki.follows("My pile")
    aki.page.get_by_label("chaff").fill("10")
    puts_in(aki, "Change it")
    expect(ben.page.locator("[name=p1-chaff]")).to_have_value("10", timeout=PUSHED)
    # And when somebody else saves the round, that is said, and what is typed here stays.
    aki.follows("Enter round 1")
    aki.settles()
    aki.saves()
    expect(ben.page.locator(".news")).to_contain_text("Round 1 is in: Aki", timeout=PUSHED)
    assert ben.typed("Ben")[0] == "5"


def test_the_keys_keep_their_place_under_the_thumb_whatever_the_others_do(
    host: Phone, scans: Callable[[str], Phone]
) -> None:
    aki, ben = scans("Aki"), scans("Ben")
    aki.follows("My pile")
    is_live(aki)
    key = aki.page.locator(".keys").get_by_role("button", name="1", exact=True)
    place = key.bounding_box()
    # A finger, since a click of the browser's own scrolls to where it likes.
    aki.page.touchscreen.tap(place["x"] + 20, place["y"] + 20)
    sees(aki, "Aki is keying", "Ben is", "Chie is")
    assert key.bounding_box() == place
    ben.follows("My pile")
    presses(ben, PILES["Ben"])
    puts_in(ben)
    expect(aki.page.locator(".news")).to_have_text("The pile of Ben is in.")
    assert key.bounding_box() == place
    assert aki.page.locator("[data-kind=bright]").input_value() == "1"


def test_the_cards_keep_their_place_under_the_finger_whatever_the_others_do(
    host: Phone, scans: Callable[[str], Phone]
) -> None:
    aki, ben, chie = map(scans, PILES)
    tapped = []
    for phone, page, card in (
        (aki, "Enter round 1", ".grid [data-card='1B']"),
        (ben, "My pile", ".takings label:has([name='card-1B'])"),
    ):
        phone.follows(page)
        phone.goes_by("Named")
        is_live(phone)
        crane = phone.page.locator(card)
        place = crane.bounding_box()
        phone.page.touchscreen.tap(place["x"] + 20, place["y"] + 20)
        tapped.append((phone, crane, place))
    chie.follows("My pile")
    chie.goes_by("Points")
    chie.page.get_by_label("card points").fill("80")
    puts_in(chie)
    for phone, crane, place in tapped:
        sees(phone, "Aki is not in yet", "Ben is", "Chie is in")
        expect(phone.page.locator(".news")).to_have_text("The pile of Chie is in.")
        assert crane.bounding_box() == place


def test_piles_that_are_all_in_stand_in_place_of_what_was_begun_by_hand(
    host: Phone, scans: Callable[[str], Phone]
) -> None:
    aki, ben = scans("Aki"), scans("Ben")
    aki.follows("Enter round 1")
    aki.types("Aki", bright=3, animal=4, ribbon=5, chaff=2)
    aki.types("Ben", bright=2, animal=2, ribbon=2, chaff=2)
    aki.follows("Scoreboard")
    for name, pile in PILES.items():
        ben.follows("My pile")
        if name != "Ben":
            ben.opens(ben.path.partition("?")[0] + f"?player={[*PILES].index(name) + 1}")
        presses(ben, pile)
        puts_in(ben)
    aki.follows("Look at round 1 and save it")
    assert [aki.typed(player) for player in PILES] == [[*map(str, one)] for one in PILES.values()]
    assert aki.reads("in place of what was begun on this phone")
    aki.taps("Undo")
    assert aki.typed("Ben") == ["2", "2", "2", "2"]
    # Whoever changes a pile here has seen it, and finds it as it was left.
    aki.opens(aki.path)
    aki.types("Ben", chaff=9)
    aki.opens(aki.path)
    assert aki.typed("Ben")[3] == "9"


def test_a_pile_can_be_read_by_everybody(host: Phone, scans: Callable[[str], Phone]) -> None:
    aki = scans("Aki")
    aki.follows("My pile")
    for way in ("Counts", "Named", "Cards", "Points"):
        aki.goes_by(way)
        assert aki.violations() == {}, way


def test_a_round_waits_for_another_phone(host: Phone, scans: Callable[[str], Phone]) -> None:
    aki, ben = scans("Aki"), scans("Ben")
    host.opens(host.path.partition("#")[0].replace("/share", "/manage"))
    host.taps("Ask another phone first")
    aki.follows("Enter round 1")
    aki.goes_by("Points")
    for name, points in zip(PILES, (87, 97, 80), strict=True):
        aki.types(name, points)
    aki.taps("Propose round 1")
    expect(aki.page.locator(".saved")).to_have_text("Round 1 is sent.")
    waits = ben.page.locator("[data-part] .warning")
    expect(waits).to_contain_text("Round 1 waits for a yes from another phone.", timeout=PUSHED)
    assert ben.amounts == {"Aki": "−1", "Ben": "+9", "Chie": "−8"}
    ben.follows("Look at it")
    assert ben.violations() == {}
    ben.page.get_by_role("textbox").fill("Chie has 81")
    ben.taps("Not right")
    expect(aki.page.locator(".news")).to_have_text("Round 1 was given back.", timeout=PUSHED)
    aki.follows("Enter round 1")
    assert aki.reads("“Chie has 81”")
    assert [aki.typed(name) for name in PILES] == [["87"], ["97"], ["80"]]
    aki.settles()
    aki.taps("Propose round 1")
    ben.follows("Look at it")
    ben.taps("That is right")
    assert ben.reads("Round 1 is saved.")
    expect(aki.page.locator("#round-1")).to_be_visible(timeout=PUSHED)
    aki.follows("History, and taking back")
    expect(aki.page.get_by_text("Confirmed on Ben’s phone.")).to_be_visible()
