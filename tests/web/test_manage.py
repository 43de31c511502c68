"""Managing a series: who plays, how long, and what the page says of what was done."""

import re
from collections.abc import Callable

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import everything
from tests.web.conftest import Form, Page, Phone


def form_for(phone: Phone, path: str, field: str = "csrf_token") -> Form:
    forms = phone.opens("/manage").forms
    return next(form for form in forms if form.path.endswith(path) and field in form.fields)


def told(page: Page) -> str:
    """What the page says that was done, and the words of the button beside that."""
    found = re.search(r'<div class="saved" role="status">(.*?)</div>', page.text, re.DOTALL)
    return " ".join(re.sub(r"<.*?>", "", found[1]).split()) if found else ""


@pytest.mark.parametrize(
    ("length", "ticked", "typed"),
    [(12, "12", ""), (3, "3", ""), (8, "other", "8"), (None, "open", "")],
)
def test_the_length_is_the_one_it_has(
    scorer: Phone, length: int | None, ticked: str, typed: str
) -> None:
    ledger.change_series(scorer.id, length=length)
    form = form_for(scorer, "/length")
    assert (form.fields["length"], form.fields["other_length"]) == (ticked, typed)
    before = everything()
    assert form.presses().saved
    assert everything() == before


@pytest.mark.parametrize(
    ("path", "typed", "said"),
    [
        ("/players", {"name": "Dai"}, "Dai joined."),
        ("/players/2", {"name": "Benno"}, "Ben is called Benno now."),
        ("/length", {"length": "6"}, "The length of the series was changed."),
        (
            "/rules",
            {"rule_tie": "1"},
            "The house rules were changed. A tie for the most, from round 1 on: nobody takes it; "
            "before: the earliest from the dealer takes it.",
        ),
    ],
)
def test_what_was_done_is_said(scorer: Phone, path: str, typed: dict[str, str], said: str) -> None:
    page = form_for(scorer, path).types(typed).presses().follows()
    assert told(page) == said


def test_a_tap_that_did_nothing_says_nothing(scorer: Phone) -> None:
    assert told(form_for(scorer, "/players/2").presses().follows()) == ""


@pytest.mark.parametrize("done", ["0", "99", "-1", "x", ""])
def test_what_was_not_done_is_not_said(scorer: Phone, done: str) -> None:
    assert told(scorer.opens(f"/manage?done={done}&player=2")) == ""


# --- House rules ----------------------------------------------------------------------------------


def test_a_second_unit_is_warned_of_before_it_comes(scorer: Phone) -> None:
    scorer.records(100, 84, 80)
    scorer.records(100, 84, 80)
    before = everything()
    page = form_for(scorer, "/rules").types(rule_settlement="2").presses()
    said = "From round 3 on this series would count shares as well: two totals, and two winners."
    assert said in page.text
    assert everything() == before
    (form,) = (form for form in page.forms if form.path.endswith("/rules"))
    assert form.fields["rule_settlement"] == "2"
    done = form.presses().follows()
    assert told(done).startswith("The house rules were changed. How the points are paid, from ro")
    assert ledger.read(scorer.id).rules["settlement"] == "makatsu"
    # Back to what was counted before there is no further total.
    assert form_for(scorer, "/rules").types(rule_settlement="0").presses().saved


def test_where_nothing_is_counted_yet_there_is_nothing_to_warn_of(scorer: Phone) -> None:
    assert form_for(scorer, "/rules").types(rule_settlement="2").presses().saved


def test_what_others_changed_meanwhile_stays(scorer: Phone) -> None:
    form = form_for(scorer, "/rules")
    ledger.change_series(scorer.id, rules={"tie": "nobody"})
    assert form.types(rule_dealer_tie="1").presses().saved
    rules = ledger.read(scorer.id).rules
    assert (rules["tie"], rules["dealer_tie"]) == ("nobody", "dealer_stays")


def test_a_rule_that_others_changed_otherwise_is_asked_about_again(scorer: Phone) -> None:
    form = form_for(scorer, "/rules")
    ledger.change_series(scorer.id, rules={"tie": "nobody", "dealer_tie": "ask"})
    page = form.types(rule_tie="2").presses()
    assert page.wrong == {
        "“A tie for the most” was changed meanwhile: nobody takes it. Choose once more.": "rule_tie"
    }
    assert ledger.read(scorer.id).rules["tie"] == "nobody"
    (form,) = (form for form in page.forms if form.path.endswith("/rules"))
    # What was chosen stays chosen, and what was not is as the others have it.
    assert (form.fields["rule_tie"], form.fields["rule_dealer_tie"]) == ("2", "2")
    assert form.presses().saved
    rules = ledger.read(scorer.id).rules
    assert (rules["tie"], rules["dealer_tie"]) == ("each_tied", "ask")


@pytest.mark.parametrize("shown", ["", "0", "9 9 9", "x"])
def test_a_form_that_was_tampered_with_is_taken_at_its_word(scorer: Phone, shown: str) -> None:
    assert form_for(scorer, "/rules").types(shown=shown, rule_tie="1").presses().saved
    assert ledger.read(scorer.id).rules["tie"] == "nobody"


def test_other_rules_of_the_same_unit_are_changed_at_once(scorer: Phone) -> None:
    scorer.records(100, 84, 80)
    assert form_for(scorer, "/rules").types(rule_settlement="1").presses().saved


def test_the_rule_sheet_says_since_when(scorer: Phone) -> None:
    ledger.change_series(scorer.id, rules={"tie": "ask"})
    scorer.records(100, 84, 80)
    ledger.change_series(scorer.id, rules={"settlement": "additive"})
    text = scorer.opens("/rules").text
    assert "additive: your points are your score, from round 2 on" in text
    assert "the table decides each time, from" not in text


# --- Opening it again -----------------------------------------------------------------------------


@pytest.fixture
def finished(scorer: Phone) -> Phone:
    """A series of three rounds in which four were played, and which is finished."""
    ledger.change_series(scorer.id, length=3)
    for _ in range(4):
        scorer.records(100, 84, 80)
    ledger.change_series(scorer.id, state="finished")
    return scorer


def reopening(phone: Phone) -> Form:
    (form,) = (form for form in phone.opens("/manage").forms if form.path.endswith("/state"))
    return form


def test_it_is_opened_again_for_more_rounds(finished: Phone) -> None:
    assert "All its rounds are played" in finished.opens("/manage").text
    assert not [form for form in finished.opens("/manage").forms if "/length" in form.path]
    form = reopening(finished).types(length="other", other_length="6")
    assert form.presses("state", "open").saved
    book = ledger.read(finished.id)
    assert (book.state, book.length) == ("open", 6)


def test_it_is_opened_again_as_it_was(finished: Phone) -> None:
    assert reopening(finished).presses("state", "open").saved
    book = ledger.read(finished.id)
    assert (book.state, book.length) == ("open", 3)


def test_a_length_that_is_too_short_is_refused(finished: Phone) -> None:
    form = reopening(finished).types(length="other", other_length="2")
    page = form.presses("state", "open")
    assert "4 rounds are played already." in page.text
    assert ledger.read(finished.id).finished


# --- Leaving --------------------------------------------------------------------------------------

LEAVES = "plays no more, from the next round on, keeps what is theirs, and can come back any time."


def leaves(phone: Phone, player: int) -> Page:
    forms = [form for form in phone.opens("/manage").forms if f"/players/{player}" in form.path]
    return forms[-1].presses("left", "yes")


def test_what_leaving_means_is_said_before_and_after(scorer: Phone) -> None:
    assert f"<bdi>Ben</bdi> {LEAVES}" in scorer.opens("/manage").text
    page = leaves(scorer, 2).follows()
    assert told(page) == "Ben left. Come back"
    assert ledger.read(scorer.id).players[1].left
    back = page.form.presses("left", "no").follows()
    assert told(back) == "Ben came back."
    assert not ledger.read(scorer.id).players[1].left


def test_leaving_gives_nobody_another_name(scorer: Phone) -> None:
    forms = [form for form in scorer.opens("/manage").forms if "/players/2" in form.path]
    assert "name" not in forms[-1].fields
    leaves(scorer, 2)
    assert ledger.read(scorer.id).players[1].name == "Ben"


def test_fewer_than_the_game_needs(phone: Phone, phones: Callable[[], Phone]) -> None:
    phone.starts("hachi-hachi", "Aki", "Ben", "Chie")
    watcher = phones().joins(phone.id, Role.VIEW)
    said = "Hachi-Hachi needs 3 players; 2 are here."
    pages = ("", "/rounds/new", "/manage")
    assert not [path for path in pages if said in phone.opens(path).text]
    leaves(phone, 2)
    for path in pages:
        page = phone.opens(path)
        assert said in page.text, path
        assert f"{phone.series}/manage#players" in page.links
    assert said in watcher.opens().text
    assert f"{phone.series}/manage#players" not in watcher.opens().links
    ledger.change_player(phone.id, 3, left=True)
    assert "Hachi-Hachi needs 3 players; 1 is here." in phone.opens().text
    ledger.change_series(phone.id, state="finished")
    assert "needs 3 players" not in phone.opens().text
