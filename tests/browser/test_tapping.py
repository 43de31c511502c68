"""Boards and keypad: what is only guessed, what is left blank, and what a finger must see."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from scorekeeper.rules.cards import MONTHS, NAMED, Card, Cards
from scorekeeper.rules.games import GAMES
from tests.browser.conftest import Phone
from tests.browser.finger import Table

AKI = ("1B", "3B", "4A", "5A", "1R", "2R")
BEN = ("11B", "6A", "7A", "3R", "4R")


def opens(phone: Phone, game: str, players: int, form: str) -> Table:
    """The form of a round of a game, with the piles in this form."""
    table = Table(phone, game, players)
    table.number += 1
    phone.opens(f"{table.series}/rounds/new?use={form}")
    return table


def marks(table: Table, seat: int, *cards: str) -> None:
    table.chooses(seat)
    for text in cards:
        table.tap(table.card(Card.parse(text)))
    table.settled()


def save(phone: Phone) -> Locator:
    return phone.page.locator("[name=save]:visible")


# --- How many chaff -------------------------------------------------------------------------------


def test_a_guessed_number_of_chaff_is_saved_only_when_somebody_took_it(phone: Phone) -> None:
    table = opens(phone, "bakappana", 3, "named")
    marks(table, 0, *AKI)
    marks(table, 1, *BEN)
    assert phone.page.locator(".chaff .guessed").all_inner_texts() == ["6?", "7?"]
    assert phone.page.locator(".chaff [aria-pressed=true]").count() == 0
    assert [phone.page.locator(f"[name=p{at}-chaff]").input_value() for at in (1, 2)] == ["", ""]
    expect(save(phone)).to_have_count(0)
    table.tap(phone.page.get_by_role("button", name="6 and 7, as guessed"))
    table.settled()
    assert phone.page.locator(".chaff [aria-pressed=true]").all_inner_texts() == ["6", "7"]
    table.saves()


def test_each_guess_can_be_taken_alone_or_overruled(phone: Phone) -> None:
    table = opens(phone, "bakappana", 3, "named")
    marks(table, 0, *AKI)
    marks(table, 1, *BEN)
    table.tap(table.chaff(0).get_by_role("button", name="8", exact=True))
    table.settled()
    expect(save(phone)).to_have_count(0)
    assert phone.page.get_by_role("button", name="as guessed").count() == 0
    table.tap(table.chaff(1).get_by_role("button", name="7?"))
    table.settled()
    expect(save(phone)).to_have_count(1)
    # The same tap again takes it back.
    table.tap(table.chaff(0).get_by_role("button", name="8", exact=True))
    table.settled()
    expect(save(phone)).to_have_count(0)


def test_the_only_possible_number_of_chaff_need_not_be_said(phone: Phone) -> None:
    """With all other cards marked for one of two, the chaff of one is what the other's leave."""
    table = opens(phone, "bakappana", 2, "named")
    aki = Cards.parse("1B 2A 3B 4A 5A 6A 7A 8B 9A 10A 11B 11A 12B")
    marks(table, 0, *(card.text for card in aki))
    marks(table, 1, *(card.text for card in NAMED - aki))
    assert table.chaff(0).get_by_role("button").all_inner_texts() == ["11", "13?"]
    expect(save(phone)).to_have_count(0)
    table.tap(table.chaff(0).get_by_role("button", name="13?"))
    table.settled()
    assert table.chaff(1).get_by_role("button").count() == 0
    assert " ".join(table.chaff(1).inner_text().split()[2:]) == "11 no other number is possible"
    # It follows from the others as long as they stand, and is never written down.
    assert phone.page.locator("[name=p2-chaff]").input_value() == ""
    table.saves()


# --- Whose the other cards are --------------------------------------------------------------------


@pytest.mark.parametrize("form", ["named", "captured"])
def test_the_rest_is_nobodys_until_all_others_have_a_card(phone: Phone, form: str) -> None:
    table = opens(phone, "bakappana", 3, form)
    marks(table, 0, *AKI)
    if form == "named":
        table.tap(table.chaff(0).locator(".guessed"))
        table.settled()
    expect(save(phone)).to_have_count(0)
    assert phone.page.get_by_text("the rest:").count() == 0
    assert phone.reads("Tap the cards that Ben captured.")
    marks(table, 1, *BEN)
    assert (
        phone.page.locator(".seatbar button")
        .nth(2)
        .inner_text()
        .split("\n")[-1]
        .startswith("the rest: ")
    )


@pytest.mark.parametrize("form", ["named", "captured"])
def test_somebody_without_a_card_is_said_by_giving_the_rest_to_another(
    phone: Phone, form: str
) -> None:
    table = opens(phone, "bakappana", 3, form)
    whole = [card.text for month in MONTHS[:2] for card in month.cards]
    marks(table, 0, *(text for text in whole if form == "captured" or "C" not in text))
    table.chooses(2)
    table.tap(phone.page.get_by_role("button", name=re.compile("cards to Chie")))
    table.settled()
    if form == "named":
        for seat, chaff in ((0, "4"), (2, "20")):
            phone.page.locator(f"[name=p{seat + 1}-chaff]").fill(chaff)
        table.settled()
    assert phone.page.locator(".seatbar button").nth(1).inner_text().endswith("the rest: 0")
    table.saves()
    # 44, nothing and 220 card points beside a par of 88.
    assert table.saved == [-44, -88, 132]


def test_the_rest_of_all_cards_can_be_given_by_choice(phone: Phone) -> None:
    table = opens(phone, "bakappana", 3, "captured")
    marks(table, 0, *(card.text for month in MONTHS[:2] for card in month.cards))
    expect(save(phone)).to_have_count(0)
    phone.picks("Chie", "Cards marked for nobody are")
    table.saves()
    assert table.saved == [-44, -88, 132]


# --- The keypad -----------------------------------------------------------------------------------

# The cell that is filled, where the finger can see it: below the top and above the dock.
SEEN = """
() => {
  const cell = document.querySelector(".here").getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const beside = dock.left >= cell.right;
  return cell.top >= 0 && cell.bottom <= (beside ? innerHeight : dock.top);
}
"""


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (844, 390)])
@pytest.mark.parametrize("game", ["bakappana", "hachi-hachi"])
def test_the_cell_that_is_filled_is_in_sight(
    phones: Callable[..., Phone], game: str, width: int, height: int
) -> None:
    """The page opens at its top, and goes where it counts with the first number."""
    phone = phones(viewport={"width": width, "height": height})
    table = opens(phone, game, 3, "counts")
    assert phone.page.evaluate("scrollY") == 0
    for number in (1, 4, 3, 12, 2, 3, 4):
        table.key(number)
        table.settled()
        assert phone.page.evaluate(SEEN)
    # So it is on one that is mended, however far away.
    phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone.page.locator("[name=p1-bright]").evaluate("one => one.focus()")
    assert phone.page.evaluate(SEEN)


def test_whoever_looks_elsewhere_is_left_there(phone: Phone) -> None:
    """Brights of the field are ticked at the top of the page, far from the cells."""
    table = opens(phone, "hachi-hachi", 3, "counts")
    table.key(1)
    table.settled()
    phone.page.evaluate("scrollTo(0, 0)")
    phone.page.locator("[name=field][value='3B']").check()
    table.settled()
    assert phone.page.evaluate("scrollY") == 0
    table.key(2)
    assert phone.page.evaluate(SEEN)


def test_a_number_that_makes_a_pile_odd_is_one_tap_further(phone: Phone) -> None:
    table = opens(phone, "bakappana", 3, "counts")
    keys = phone.page.locator(".key")
    for number in (2, 3, 4):
        assert phone.page.get_by_role("button", name="other numbers").count() == 0
        table.key(number)
    assert keys.all_inner_texts() == [*(str(n) for n in range(1, 24, 2)), "…"]
    table.tap(phone.page.get_by_role("button", name="other numbers"))
    assert keys.all_inner_texts() == [str(n) for n in range(25)]
    assert phone.page.locator(".key.odd").all_inner_texts() == [str(n) for n in range(0, 25, 2)]
    assert phone.reads("A pile has an even number of cards")
    assert phone.page.evaluate(SEEN)
    table.key(8)
    assert phone.typed("Aki") == ["2", "3", "4", "8"]
    assert not phone.reads("A pile has an even number of cards")
    for number in (1, 3, 3, 9):
        table.key(number)
    table.settled()
    alert = phone.page.locator("#live").get_by_role("alert").inner_text()
    assert alert.startswith("Aki has an odd number of cards, 17")
    table.saves()


def test_a_pile_alone_does_not_say_what_the_others_leave(phone: Phone) -> None:
    table = Table(phone, "bakappana", 3)
    phone.opens(f"{table.series}/pile?player=1&use=counts")
    table.key(1)
    assert phone.page.locator(".key").count() == 10
    assert phone.page.locator(".asked", has_text="left").count() == 0


# --- What to do, and who is who -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "form", "asked"),
    [
        ("bakappana", "named", "Tap the cards that Aki captured."),
        ("bakappana", "captured", "Tap the cards that Aki captured."),
        ("bakappana", "points", "Type the card points of Aki."),
        ("kaga", "months", "Tap who has all four cards of a month."),
    ],
)
def test_before_anything_is_typed_it_says_what_to_do(
    phone: Phone, game: str, form: str, asked: str
) -> None:
    table = opens(phone, game, min(3, max(GAMES[game].seats)), form)
    # The tap that begins it is somewhere else.
    phone.page.locator("[name=dealer]").last.check()
    table.settled()
    assert phone.page.locator("#live").inner_text() == asked


def test_the_months_say_who_is_who(phone: Phone) -> None:
    opens(phone, "kaga", 2, "months")
    legend = phone.page.locator(".legend")
    assert legend.inner_text().split() == ["A", "Aki", "B", "Ben"]
    dealing = phone.page.locator(".dealing .chips").first
    assert dealing.locator(".letter").all_inner_texts() == ["A", "B"]
    assert phone.page.locator(".teyaku summary .letter").all_inner_texts() == ["A", "B"]
    # To a screen reader the name is enough.
    assert dealing.get_by_role("radio", name="Aki", exact=True).count() == 1


# How much of the screen it takes, and how much of what it says is out of sight.
PANEL = """
() => {
  const live = document.querySelector("#live");
  const { offsetHeight } = document.querySelector(".dock");
  return [offsetHeight / innerHeight, live.scrollHeight - live.clientHeight];
}
"""


def test_the_panel_of_a_correction_leaves_half_of_the_screen(phone: Phone) -> None:
    """With the chaff of two to be said, an odd pile, and a dealer who would have been another."""
    table = Table(phone, "bakappana", 3)
    for _ in range(2):
        table.opens()
        for number in (1, 4, 3, 12, 2, 3, 4, 7):
            table.key(number)
        table.saves()
    phone.opens(f"{table.series}/rounds/1/correct?use=named")
    marks(table, 0, *AKI)
    marks(table, 1, *BEN)
    for seat, chaff in ((0, "7"), (1, "7")):
        phone.page.locator(f"[name=p{seat + 1}-chaff]").fill(chaff)
    table.settled()
    assert phone.page.locator("#live .warning").first.is_visible()
    height, hidden = phone.page.evaluate(PANEL)
    assert height <= 0.5
    assert hidden == 0
