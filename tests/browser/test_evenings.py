"""Evenings at the table, from the first page to the scoreboard, on a phone.

Figures are the worked examples of the rules: Fuda Wiki for Bakappana, Yokohama-bana and Kaga, the
publisher's text for Hachi-Hachi.
"""

import io
import re
from collections.abc import Callable

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import CAPTURED, TEYAKU, Phone

DEKIYAKU_ENDED_IT = "A dekiyaku ended it 出来役"
MISDEAL = "No result (misdeal)"
THREE = ("Aki", "Ben", "Chie")
ASK = "the table decides each time"

# Three paulownia chaff make the triplet, seven chaff the empty hand.
CHAFF_HAND = (
    "yellow paulownia chaff", "paulownia chaff", "paulownia chaff",
    "plum chaff", "cherry chaff", "iris chaff", "peony chaff",
)  # fmt: skip


# --- Bakappana ----------------------------------------------------------------------------------


def type_counts(phone: Phone, *, last: bool = True) -> None:
    phone.types("Aki", bright=1, animal=4, ribbon=3, chaff=12)
    phone.types("Ben", bright=2, animal=3, ribbon=4, chaff=7)
    if last:
        phone.types("Chie", bright=2, animal=2, ribbon=3, chaff=5)


@pytest.mark.parametrize("last", [True, False], ids=["all typed", "last filled in"])
def test_bakappana_by_counts(phone: Phone, last: bool) -> None:
    phone.starts("Bakappana", *THREE)
    phone.enters_round(1)
    type_counts(phone, last=last)
    phone.settles()
    assert phone.amounts == {"Aki": "−1", "Ben": "+9", "Chie": "−8"}
    assert (
        "Aki, card points: bright 1 × 20 + animal 4 × 10 + ribbon 3 × 5 + chaff 12 × 1 = 87"
        in phone.working
    )
    assert "Ben: 97 − par 88 = +9" in phone.working
    assert "Chie: 80 − par 88 = −8" in phone.working
    assert phone.working[-1] == "Check: −1 + 9 − 8 = 0"
    phone.saves()
    assert phone.reads("Round 1 is saved.")
    assert phone.board == [
        "局 Round | Aki | Ben | Chie",
        "1 | −1 親 −1 | +9 +9 | −8 −8",
        "Points | −1 | +9 | −8",
        "Place | 2 | 1 | 3",
    ]
    assert phone.reads("Dealer: Ben")


def test_a_saved_round_shows_how_it_was_settled(phone: Phone) -> None:
    phone.starts("Bakappana", *THREE)
    phone.enters_round(1)
    type_counts(phone)
    phone.settles()
    working = phone.working
    phone.saves()
    phone.follows("Round 1")
    assert phone.heading == "Round 1"
    assert phone.amounts == {"Aki": "−1", "Ben": "+9", "Chie": "−8"}
    assert phone.working == working


def test_bakappana_of_eighty(phone: Phone) -> None:
    phone.starts("Bakappana", *THREE, **{"Value of chaff": "0 points (the 80 game)"})
    phone.enters_round(1)
    type_counts(phone)
    phone.settles()
    assert phone.amounts == {"Aki": "−5", "Ben": "+10", "Chie": "−5"}
    phone.saves()
    assert phone.board[-2:] == ["Points | −5 | +10 | −5", "Place | 2 | 1 | 2"]


@pytest.mark.parametrize(
    ("rounding", "amounts"),
    [
        (None, ["+5", "+2", "−7"]),
        ("the shortcut: take the lowest off first, then the full tens", ["+3", "+3", "−6"]),
    ],
    ids=["floor each", "shortcut"],
)
def test_sanju_sen_me(phone: Phone, rounding: str | None, amounts: list[str]) -> None:
    rules = {
        "How the points are paid": "Sanju-Sen-Me: ten points bring a share from each other player"
    }
    if rounding:
        rules["Rounding in Sanju-Sen-Me"] = rounding
    phone.starts("Bakappana", *THREE, **rules)
    phone.enters_round(1)
    phone.goes_by("Points")
    for player, points in zip(THREE, (104, 95, 65), strict=True):
        phone.types(player, points)
    phone.settles()
    assert list(phone.amounts.values()) == amounts
    phone.saves()
    assert phone.board[-2] == f"Shares | {' | '.join(amounts)}"


# --- Yokohama-bana ------------------------------------------------------------------------------


def ticks_the_hand(phone: Phone) -> None:
    phone.shows("Aki", "Triplet 三本")
    phone.shows("Aki", "Empty Hand")


def taps_the_hand(phone: Phone) -> None:
    phone.marks("Aki", *CHAFF_HAND, hand=True)
    phone.picks("count what the hands hold", TEYAKU)


@pytest.mark.parametrize("tell", [ticks_the_hand, taps_the_hand])
def test_yokohama_evening(phone: Phone, tell: Callable[[Phone], None]) -> None:
    phone.starts("Yokohama-bana", *THREE)
    phone.enters_round(1)
    phone.goes_by("Points")
    tell(phone)
    for player, points in zip(THREE, (70, 100, 94), strict=True):
        phone.types(player, points)
    phone.settles()
    assert phone.amounts == {"Aki": "+2", "Ben": "−1", "Chie": "−1"}
    assert "Aki: 70 + 2 × 60 − 0 = 190" in phone.working
    assert "Ben: 100 + 2 × 0 − 60 = 40" in phone.working
    assert "Chie: 94 + 2 × 0 − 60 = 34" in phone.working
    phone.saves()

    phone.enters_round(2)
    phone.ends(DEKIYAKU_ENDED_IT, by="Aki")
    phone.has_formed("Aki", "Blue Ribbons")
    phone.settles()
    assert phone.amounts == {"Aki": "+4", "Ben": "−2", "Chie": "−2"}
    phone.saves()
    assert phone.board[1:3] == ["1 | +2 親 +2 | −1 −1 | −1 −1", "2 | +4 親 +6 | −2 −3 | −2 −3"]
    assert phone.board[-2:] == ["Shares | +6 | −3 | −3", "Place | 1 | 2 | 2"]


def test_a_hand_that_was_tapped_in_counts(phone: Phone) -> None:
    """Nothing is ticked, so what the hand holds is what the player means to show."""
    phone.starts("Yokohama-bana", *THREE)
    phone.enters_round(1)
    phone.goes_by("Points")
    phone.marks("Aki", *CHAFF_HAND, hand=True)
    for player, points in zip(THREE, (70, 100, 94), strict=True):
        phone.types(player, points)
    phone.settles()
    assert phone.amounts == {"Aki": "+2", "Ben": "−1", "Chie": "−1"}


# --- Hachi-Hachi --------------------------------------------------------------------------------


def test_hachi_hachi_evening(phone: Phone) -> None:
    phone.starts("Hachi-Hachi", *THREE)
    phone.enters_round(1)
    phone.picks("phoenix 鳳凰", "Brights in the opening field", "checkbox")
    phone.goes_by("Points")
    for player, points in zip(THREE, (100, 84, 80), strict=True):
        phone.types(player, points)
    phone.settles()
    assert phone.amounts == {"Aki": "+48", "Ben": "−16", "Chie": "−32"}
    assert phone.reads("everything × 4")
    phone.saves()

    # The field is asked anew; nobody ends the round, so the ribbons score half, and cards nothing.
    phone.enters_round(2)
    phone.goes_by("Points")
    phone.has_formed("Ben", "Poetry Ribbons")
    phone.settles()
    assert phone.amounts == {"Aki": "0", "Ben": "+35", "Chie": "0"}
    assert "Ben, half the dekiyaku: 70 ÷ 2 × 1 = +35" in phone.working
    phone.saves()
    assert phone.board[-2:] == ["Points | +48 | +19 | −32", "Place | 1 | 2 | 3"]


def test_hachi_hachi_half_a_dekiyaku_in_a_grand_field(phone: Phone) -> None:
    phone.starts("Hachi-Hachi", *THREE)
    phone.enters_round(1)
    phone.picks("phoenix 鳳凰", "Brights in the opening field", "checkbox")
    phone.has_formed("Ben", "Poetry Ribbons")
    phone.settles()
    assert phone.amounts == {"Aki": "0", "Ben": "+140", "Chie": "0"}


# --- Kaga ---------------------------------------------------------------------------------------


def test_kaga_by_cards_with_a_teyaku_hidden(phone: Phone) -> None:
    phone.starts("Kaga", "Aki", "Ben")
    phone.enters_round(1)
    phone.goes_by("Cards")
    phone.marks("Aki", "phoenix", *CHAFF_HAND, hand=True)
    phone.shows("Aki", "Four of a Kind")
    phone.marks("Aki", "rain man", "swallow", "willow ribbon", "lightning")
    phone.marks("Ben", "phoenix", "yellow paulownia chaff")
    phone.settles()
    assert phone.amounts == {"Aki": "+130", "Ben": "−130"}
    lines = phone.working
    assert "Aki: Empty Hand 空素 (100) was not shown and scores nothing" in lines
    assert "Aki: card points 35 + teyaku 100 + dekiyaku 20 = 155" in lines
    assert "Ben: card points 25 + teyaku 0 + dekiyaku 0 = 25" in lines
    phone.saves()
    phone.follows("Round 1")
    expect(phone.page.get_by_role("img", name="rain man").first).to_be_visible()


# --- Correcting ---------------------------------------------------------------------------------


def test_correcting_round_1_changes_every_total_and_place(phone: Phone) -> None:
    phone.starts("Bakappana", *THREE)
    for number, points in ((1, (87, 97, 80)), (2, (84, 90, 90))):
        phone.enters_round(number)
        if number == 1:
            phone.goes_by("Points")
        for player, counted in zip(THREE, points, strict=True):
            phone.types(player, counted)
        phone.settles()
        phone.saves()
    assert phone.board[-2:] == ["Points | −5 | +11 | −6", "Place | 2 | 1 | 3"]

    phone.follows("Round 1")
    phone.follows("Correct this round")
    assert [phone.typed(player) for player in THREE] == [["87"], ["97"], ["80"]]
    for player, counted in zip(THREE, (120, 60, 84), strict=True):
        phone.types(player, counted)
    phone.settles()
    assert phone.amounts == {"Aki": "+32", "Ben": "−28", "Chie": "−4"}
    phone.saves()
    assert phone.reads("Corrected 1 time.")
    phone.follows("Scoreboard")
    assert phone.board[1:] == [
        "1 ✎ | +32 親 +32 | −28 −28 | −4 −4",
        "2 | −4 +28 | +2 親 −26 | +2 −2",
        "Points | +28 | −26 | −2",
        "Place | 1 | 3 | 2",
    ]


# --- What the table decides ---------------------------------------------------------------------


def test_a_tie_is_asked_and_answered(phone: Phone) -> None:
    phone.starts(
        "Bakappana",
        *THREE,
        **{
            "How the points are paid": "Makatsu: the most points get one share from each other "
            "player",
            "A tie for the most": ASK,
        },
    )
    phone.enters_round(1)
    phone.goes_by("Points")
    for player, points in zip(THREE, (100, 100, 64), strict=True):
        phone.types(player, points)
    phone.settles()
    assert phone.amounts == {}
    assert phone.page.get_by_role("button", name="Save round 1").count() == 0
    phone.picks("Ben", "Aki, Ben tie for the most, with 100 each. Who takes it?")
    phone.settles()
    assert phone.amounts == {"Aki": "−1", "Ben": "+2", "Chie": "−1"}
    phone.saves()
    assert phone.board[-2] == "Shares | −1 | +2 | −1"


def test_a_dealer_that_the_rules_leave_open_is_asked(phone: Phone) -> None:
    phone.starts("Bakappana", *THREE, **{"A tie for the next deal": ASK})
    phone.enters_round(1)
    phone.goes_by("Points")
    for player, points in zip(THREE, (100, 100, 64), strict=True):
        phone.types(player, points)
    phone.settles()
    phone.saves()
    assert phone.reads("Who deals is for the table to say.")

    phone.enters_round(2)
    assert phone.reads("The table says who deals this round.")
    for player, points in zip(THREE, (88, 90, 86), strict=True):
        phone.types(player, points)
    phone.settles()
    dealing = phone.group(re.compile("^Dealer"))
    assert phone.refusals == ["Who deals is for the table to say this time."]
    assert "Who deals is for the table to say this time." in dealing.inner_text()
    phone.picks("Ben", dealing)
    phone.settles()
    phone.saves()
    assert phone.board[2] == "2 | 0 +12 | +2 親 +14 | −2 −26"


def draw(phone: Phone, *cards: str) -> None:
    """Taps the cards that were drawn; whose turn it is goes on by itself."""
    for card in cards:
        phone.page.locator(".deck").get_by_role("button", name=card).click()


def test_the_earliest_drawn_card_deals_first(phone: Phone) -> None:
    phone.begins("Bakappana", *THREE)
    phone.picks("drawn: everybody takes a card", "Or who deals first is")
    draw(phone, "9 sake cup 菊に盃", "3 cherry poetry ribbon 桜に赤短", "3 curtain 桜に幕")
    phone.taps("Start the series")
    phone.follows("To the scoreboard")
    assert phone.reads("Dealer: Chie")


def test_equal_cards_draw_again(phone: Phone) -> None:
    phone.begins("Bakappana", *THREE)
    phone.picks("drawn: everybody takes a card", "Or who deals first is")
    draw(phone, "3 cherry chaff 1", "3 cherry chaff 2", "5 iris ribbon 菖蒲に短冊")
    phone.taps("Start the series")
    assert phone.refusals == ["Aki and Ben drew equal cards and draw again."]
    # They alone draw again: Chie's card was later than theirs, and stays so.
    draw(phone, "11 swallow 柳に燕", "9 sake cup 菊に盃")
    phone.taps("Start the series")
    phone.follows("To the scoreboard")
    assert phone.reads("Dealer: Ben")


def test_a_misdeal_pays_nothing_and_the_dealer_stays(phone: Phone) -> None:
    phone.starts("Yokohama-bana", *THREE)
    phone.enters_round(1)
    phone.ends(MISDEAL)
    phone.settles()
    phone.saves()
    assert phone.board[1] == "1 | No result (misdeal)"
    assert phone.reads("0 of 12 rounds played")
    assert phone.reads("Dealer: Aki")


def test_four_at_a_table_for_three(phone: Phone) -> None:
    phone.begins("Yokohama-bana", *THREE)
    phone.taps("Add a player")
    phone.page.get_by_role("textbox", name="Player 4", exact=True).fill("Dai")
    phone.taps("Start the series")
    phone.follows("To the scoreboard")
    phone.enters_round(1)
    phone.page.get_by_text("Who plays this round").click()
    phone.picks("Dai", phone.page.locator("details.plays"), "checkbox")
    phone.page.locator("details.plays").get_by_role("checkbox", name="Ben").uncheck()
    phone.taps("These play")
    phone.goes_by("Points")
    for player, points in zip(("Aki", "Chie", "Dai"), (100, 84, 80), strict=True):
        phone.types(player, points)
    phone.settles()
    phone.saves()
    assert phone.board[:2] == [
        "局 Round | Aki | Ben | Chie | Dai",
        "1 | +2 親 +2 | rests | −1 −1 | −1 −1",
    ]


# --- Several phones -----------------------------------------------------------------------------


def test_a_second_phone_scans_the_code_and_scores(phones: Callable[..., Phone]) -> None:
    first, second = phones(), phones()
    first.starts("Bakappana", *THREE)
    first.follows("Share")
    section = first.page.locator("section", has_text="To score")
    photo = Image.open(io.BytesIO(section.screenshot()))
    (code,) = zxingcpp.read_barcodes(photo)
    assert code.text == first.link("To score")
    first.follows("To the scoreboard")

    second.opens(code.text)
    assert second.path == "/j", "the secret is still in the address"
    second.taps("Join")
    second.skips_the_name()
    second.enters_round(1)
    type_counts(second)
    second.settles()
    second.saves()
    first.page.reload()
    assert first.board[-2] == "Points | −1 | +9 | −8"


def test_a_phone_that_watches_cannot_write(phones: Callable[..., Phone]) -> None:
    first, watcher = phones(), phones()
    first.starts("Bakappana", *THREE)
    series = first.path
    first.follows("Share")
    watcher.joins(first.link("To watch"))
    assert watcher.path == series
    assert watcher.page.get_by_role("link", name=re.compile("Enter")).count() == 0
    watcher.is_refused(f"{series}/rounds/new", 403)
    assert watcher.heading == "This link lets you look, not write"


def test_two_phones_enter_the_same_round(phones: Callable[..., Phone]) -> None:
    first, second = phones(), phones()
    first.starts("Bakappana", *THREE)
    first.follows("Share")
    second.joins(first.link("To score"))
    first.follows("To the scoreboard")
    for phone in (first, second):
        phone.enters_round(1)
        phone.goes_by("Points")
    for phone, points in ((first, (87, 97, 80)), (second, (90, 90, 84))):
        for player, counted in zip(THREE, points, strict=True):
            phone.types(player, counted)
        phone.settles()
    first.saves()
    second.taps("Save round 1")
    expect(second.page.locator("#conflict .refusal")).to_have_text("Round 1 is recorded already.")
    second.complaints.clear()
    assert [second.typed(player) for player in THREE] == [["90"], ["90"], ["84"]]
    second.taps("Keep what is recorded")
    second.follows("Round 1")
    assert second.amounts == {"Aki": "−1", "Ben": "+9", "Chie": "−8"}


# --- Without script -----------------------------------------------------------------------------


def test_everything_works_without_script(phones: Callable[..., Phone]) -> None:
    phone, other = phones(java_script_enabled=False), phones(java_script_enabled=False)
    phone.starts("Bakappana", *THREE, **{"Value of chaff": "0 points (the 80 game)"})
    phone.follows("Share")
    link = phone.link("To score")
    phone.follows("To the scoreboard")

    other.opens(link)
    other.page.get_by_role("textbox", name="The link you were sent").fill(link)
    other.taps("Join")
    other.skips_the_name()
    other.enters_round(1)
    type_counts(other, last=False)
    other.settles()
    assert other.amounts == {"Aki": "−5", "Ben": "+10", "Chie": "−5"}
    other.saves()
    phone.page.reload()
    assert phone.board[-2] == "Points | −5 | +10 | −5"


def test_what_is_refused_stands_at_its_field(phone: Phone) -> None:
    phone.starts("Bakappana", *THREE)
    phone.enters_round(1)
    phone.types("Aki", bright=9, animal=4, ribbon=3, chaff=12)
    phone.types("Ben", bright=2, animal=3, ribbon=4, chaff=7)
    phone.settles()
    pile = phone.group("Aki", phone.group(CAPTURED))
    (refusal,) = phone.refusals
    assert refusal.removeprefix("Aki: ") in pile.inner_text()
    assert phone.typed("Aki") == ["9", "4", "3", "12"]
