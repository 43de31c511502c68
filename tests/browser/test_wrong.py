"""A page that comes back with something wrong begins with that, with script and without."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import CAPTURED, Phone

THREE = ("Aki", "Ben", "Chie")


def begins_with_it(phone: Phone, sentence: str) -> None:
    """Checks that what is wrong is in sight, has the focus, and is in the title."""
    wrong = phone.page.locator("#wrong")
    expect(wrong).to_be_in_viewport(ratio=1)
    expect(wrong).to_be_focused()
    assert phone.refusals == [sentence]
    assert phone.page.title().startswith("Error: ")


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_what_is_wrong_is_seen_first_and_leads_there(
    phones: Callable[..., Phone], scripts: bool
) -> None:
    phone = phones(java_script_enabled=scripts)
    phone.begins("Hachi-Hachi", *THREE)
    phone.picks("another number", "Rounds")
    phone.page.get_by_label("Number of rounds").fill("many")
    phone.taps("Start the series")
    sentence = "How many rounds? A number."
    begins_with_it(phone, sentence)
    phone.taps(sentence, "link")
    expect(phone.page.get_by_label("Number of rounds")).to_be_in_viewport()
    phone.page.keyboard.press("Shift+Tab")
    phone.page.keyboard.press("Tab")
    expect(phone.page.get_by_label("Number of rounds")).to_be_focused()


def test_what_the_panel_says_is_not_said_twice(phone: Phone) -> None:
    phone.sits_down("bakappana", *THREE)
    phone.enters_round(1)
    phone.goes_by("Points")
    for name, points in zip(THREE, ("abc", "84", "80"), strict=True):
        phone.types(name, points)
    phone.settles()
    said = "“abc” is not a whole number of points."
    begins_with_it(phone, f"Aki: {said}")
    phone.types("Aki", 101)
    expect(phone.page.locator("#live .refusal")).to_be_visible()
    expect(phone.page.locator("#wrong")).to_have_count(0)
    assert phone.page.title().startswith("Round 1")
    assert said not in phone.group("Aki", phone.group(CAPTURED)).inner_text()


def test_what_a_draft_has_is_not_asked_for(phone: Phone) -> None:
    """The piles are in, who deals was chosen here, and the page is opened again."""
    phone.begins("Bakappana", *THREE)
    phone.picks("said when the first round is entered", "Or who deals first is")
    phone.taps("Start the series")
    phone.follows("To the scoreboard")
    series = phone.path
    for player, points in enumerate((100, 84, 80), 1):
        phone.opens(f"{series}/pile?player={player}&use=points")
        phone.page.get_by_label("card points").fill(str(points))
        with phone.page.expect_navigation():
            phone.taps("Hand in this pile")
    phone.opens(f"{series}/rounds/new")
    asked = phone.page.locator("fieldset .refusal")
    expect(asked).to_be_visible()
    assert not phone.page.title().startswith("Error")
    phone.picks("Ben", phone.group(re.compile("^Dealer")))
    expect(asked).to_have_count(0)
    phone.page.reload()
    expect(phone.page.locator("#live .tally")).to_be_visible()
    expect(asked).to_have_count(0)


def test_a_card_that_is_missing_leads_to_whose_turn_it_is(phone: Phone) -> None:
    phone.begins("Bakappana", *THREE)
    phone.picks("drawn: everybody takes a card", "Or who deals first is")
    phone.page.locator(".deck").get_by_role("button", name="1 crane").click()
    phone.taps("Start the series")
    begins_with_it(phone, "Which card did Ben draw?")
    phone.taps("Which card did Ben draw?", "link")
    turn = phone.page.get_by_role("button", name="Ben: no card yet")
    expect(turn).to_be_in_viewport()
    expect(turn).to_have_attribute("aria-pressed", "true")
