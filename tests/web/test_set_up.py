"""Starting a series."""

import re

import pytest

from scorekeeper import ledger
from tests.conftest import everything
from tests.web.conftest import Page, Phone


def test_starts_a_series_and_leads_to_its_codes(phone: Phone) -> None:
    done = phone.starts("bakappana", "Aki", "Ben", "Chie")
    assert done.answer.location == f"{phone.series}/share"
    book = ledger.read(phone.id)
    assert [person.name for person in book.players] == ["Aki", "Ben", "Chie"]
    assert (book.game, book.length, book.next_dealer) == ("bakappana", 12, 1)


def test_rows_left_blank_are_nobody(phone: Phone) -> None:
    phone.starts("bakappana", "", "Aki", "", "Ben", first="3")
    book = ledger.read(phone.id)
    assert [person.name for person in book.players] == ["Aki", "Ben"]
    assert book.name_of(book.next_dealer) == "Ben"


def test_house_rules_that_were_chosen_hold(phone: Phone) -> None:
    phone.starts("bakappana", "Aki", "Ben", rule_chaff="1", rule_settlement="4")
    assert ledger.read(phone.id).house_rules == {"settlement": "difference", "chaff": 0}


@pytest.mark.parametrize(
    ("length", "other", "rounds"),
    [("3", "", 3), ("open", "", None), ("other", "7", 7), ("other", "１０", 10)],
)
def test_length(phone: Phone, length: str, other: str, rounds: int | None) -> None:
    phone.starts("kaga", "Aki", "Ben", length=length, other_length=other)
    assert ledger.read(phone.id).length == rounds


def test_the_table_may_say_later_who_deals(phone: Phone) -> None:
    phone.starts("kaga", "Aki", "Ben", first="later")
    assert ledger.read(phone.id).next_dealer is None


def test_the_earliest_card_deals(phone: Phone) -> None:
    cards = {"drawn-0": "3R", "drawn-1": "3B"}
    phone.starts("kaga", "Aki", "Ben", first="draw", **cards)
    assert ledger.read(phone.id).next_dealer == 2


def test_another_row_keeps_what_was_typed(phone: Phone) -> None:
    form = phone.opens("/new/kaga").form.types({"names-0": "Aki"}, length="6")
    page = form.presses("more")
    assert page.form.fields["names-0"] == "Aki"
    assert page.form.fields["length"] == "6"
    assert "names-2" in page.form.fields


LONG = "A" * 61

REFUSALS = {
    "nobody": ({}, "Bakappana needs 2 players or more"),
    "one alone": ({"names-0": "Aki"}, "Bakappana needs 2 players or more"),
    "nobody, and drawn": ({"first": "draw"}, "Bakappana needs 2 players or more"),
    "one name twice": ({"names-0": "Aki", "names-1": "aki"}, "Somebody is called Aki already"),
    "long name": ({"names-0": "Aki", "names-1": LONG}, "A name has at most 60 characters."),
    "turned name": (
        {"names-0": "Aki", "names-1": "\u202eneB"},
        "A name cannot hold control characters.",
    ),
    "no number": ({"length": "other", "other_length": "many"}, "How many rounds? A number."),
    "no rounds": ({"length": "other", "other_length": "0"}, "A series has 1 to 999 rounds"),
    "no card": ({"first": "draw", "drawn-0": "3R"}, "Which card did Ben draw?"),
    "equal cards": (
        {"first": "draw", "drawn-0": "3C1", "drawn-1": "3C2"},
        "drew equal cards and draw again",
    ),
    "one card twice": (
        {"first": "draw", "drawn-0": "3C1", "drawn-1": "3C1"},
        "is there twice.",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refuses(phone: Phone, case: str) -> None:
    typed, sentence = REFUSALS[case]
    if "names-0" not in typed and not case.startswith("nobody"):
        typed = {"names-0": "Aki", "names-1": "Ben", **typed}
    page = phone.opens("/new/bakappana").form.types(typed).presses()
    (refusal,) = page.refusals.values()
    assert sentence in refusal
    assert everything()["series"] == everything()["device"] == []


def test_a_refusal_stores_nothing(phone: Phone) -> None:
    before = everything()
    phone.opens("/new/bakappana").form.presses()
    assert everything() == before


@pytest.mark.parametrize("case", [case for case in REFUSALS if case != "equal cards"])
def test_a_refusal_keeps_what_was_typed(phone: Phone, case: str) -> None:
    typed, _ = REFUSALS[case]
    if "names-0" not in typed and not case.startswith("nobody"):
        typed = {"names-0": "Aki", "names-1": "Ben", **typed}
    fields = phone.opens("/new/bakappana").form.types(typed, rule_tie="2").presses().form.fields
    assert {name: fields[name] for name in typed} == typed
    assert fields["rule_tie"] == "2"


def test_equal_cards_are_cleared_to_draw_again(phone: Phone) -> None:
    names = {"names-0": "Aki", "names-1": "Ben", "names-2": "Chie"}
    cards = {"drawn-0": "3C1", "drawn-1": "3C2", "drawn-2": "5A"}
    page = phone.opens("/new/bakappana").form.types({**names, **cards}, first="draw").presses()
    assert [page.form.fields[card] for card in cards] == ["", "", "5A"]


def test_a_refused_name_stands_in_its_row(phone: Phone) -> None:
    typed = {"names-0": "Aki", "names-1": "", "names-2": LONG}
    text = phone.opens("/new/bakappana").form.types(typed).presses().text
    row = text.split('<div class="player">')[3]
    assert "A name has at most 60 characters." in row


def test_rules_at_odds_are_said_at_the_rules(phone: Phone) -> None:
    typed = {"names-0": "Aki", "names-1": "Ben", "names-2": "Chie"}
    # The difference is for two; with three players a series of two is still possible.
    page = phone.opens("/new/bakappana").form
    page.types({**typed, "names-2": ""}, rule_settlement="0", rule_two_player_end="2")
    answer = page.presses()
    assert list(answer.refusals.values()) == [
        "Par needs all 48 cards: with cards left in the pile, choose another settlement."
    ]


def test_house_rules_say_how_many_are_not_the_usual_ones(phone: Phone) -> None:
    page = phone.opens("/new/bakappana")
    assert folded(page, "rules") == (True, "House rules as usual")
    typed = {"names-0": "Aki", "rule_tie": "2", "rule_chaff": "1"}
    for button in (None, "more"):
        page = phone.opens("/new/bakappana").form.types(typed).presses(button)
        assert folded(page, "rules") == (False, "House rules 2 differ from the usual")


def folded(page: Page, place: str) -> tuple[bool, str]:
    """Whether a part of the page is folded, and the words of its line."""
    found = re.search(
        rf'<details [^>]*id="{place}"(.*?)>\s*<summary>(.*?)</summary>', page.text, re.S
    )
    assert found
    return "open" not in found[1], " ".join(re.sub(r"<.*?>", "", found[2]).split())


@pytest.mark.parametrize("value", ["99", "-1", "x", ""])
def test_a_house_rule_that_there_is_not(phone: Phone, value: str) -> None:
    before = everything()
    page = phone.starts("kaga", "Aki", "Ben", rule_ledger=value)
    assert page.status == 200
    assert everything() == before


def test_without_a_token_nothing_is_lost(phone: Phone) -> None:
    page = phone.starts("kaga", "Aki", "Ben", csrf_token=None)
    assert page.form.fields["names-1"] == "Ben"
    assert page.form.presses().saved


def test_no_such_game(phone: Phone) -> None:
    assert phone.opens("/new/poker").status == 404


def test_wrong_method(phone: Phone) -> None:
    assert phone.sends("PUT", "/new/kaga").status == 405


def test_what_is_usually_paid_is_said_before_any_rule_is_looked_for(phone: Phone) -> None:
    text = phone.opens("/new/hachi-hachi").text
    said = "Who pays: nobody: everyone adds up their points; "
    assert said in text
    assert text.index(said) < text.index('id="rules"')
