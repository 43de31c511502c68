"""Starting a series by hand: what is further down is named where the button is."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Phone


def test_two_taps_start_one_series(phone: Phone) -> None:
    phone.begins("Bakappana", "Aki", "Ben")
    sent: list[Route] = []
    phone.page.route("**/new/bakappana", lambda route: sent.append(route))
    start = phone.page.get_by_role("button", name="Start the series")
    start.evaluate("button => [0, 300].forEach((time) => setTimeout(() => button.click(), time))")
    phone.page.wait_for_timeout(1_000)
    assert len(sent) == 1
    with phone.page.expect_navigation():
        sent[0].continue_()
    phone.opens("/")
    assert phone.page.locator("a[href*='/s/']").count() == 1


def test_the_bar_says_what_is_chosen_out_of_sight(phone: Phone) -> None:
    phone.opens("/new/hachi-hachi")
    bar = phone.page.locator(".bar a")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(bar).to_have_text("12 rounds · House rules: as usual")
    bar.click()
    expect(phone.page.get_by_role("group", name="Rounds")).to_be_in_viewport()
    phone.picks("another number", "Rounds")
    phone.page.get_by_label("Number of rounds").fill("1")
    expect(bar).to_have_text("1 round · House rules: as usual")
    phone.picks("open end", "Rounds")
    phone.rules("Standing triplets", "are worth more than other triplets")
    expect(bar).to_have_text("open end · House rules: 1 differs from the usual")
    expect(phone.page.locator("details.rules > summary")).to_have_text(
        re.compile(r"House rules\s+1 differs from the usual")
    )


def test_without_script_the_bar_leads_there(phones) -> None:
    phone = phones(java_script_enabled=False)
    phone.opens("/new/hachi-hachi")
    phone.taps("Rounds and house rules", "link")
    expect(phone.page.get_by_role("group", name="Rounds")).to_be_in_viewport()
    phone.picks("drawn: everybody takes a card", "Or who deals first is")
    expect(phone.page.get_by_role("combobox")).to_have_count(3)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_cards_are_tapped_without_a_finger_too(phone: Phone, key: str) -> None:
    phone.begins("Bakappana", "Aki", "Ben")
    phone.picks("drawn: everybody takes a card", "Or who deals first is")
    deck = phone.page.locator(".deck")
    for card in ("5 eight-plank bridge", "3 curtain"):
        deck.get_by_role("button", name=card).focus()
        phone.page.keyboard.press(key)
    turns = phone.page.get_by_role("group", name="Whose card is tapped")
    expect(turns.get_by_role("button")).to_have_count(2)
    # A card that was tapped for the wrong one goes to the other.
    turns.get_by_role("button", name="Aki: 5").click()
    deck.get_by_role("button", name="3 curtain").click()
    expect(turns.get_by_role("button", name="Aki: 3 curtain")).to_be_visible()
    expect(turns.get_by_role("button", name="Ben: no card yet")).to_be_visible()
    deck.get_by_role("button", name="12 phoenix").click()
    phone.taps("Start the series")
    phone.follows("To the scoreboard")
    assert phone.reads("Dealer: Aki")
