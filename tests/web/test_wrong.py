"""What is wrong with what was sent: the page that comes back says so first, and leads there."""

from collections.abc import Callable

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table
from tests.web.conftest import Page, Phone


def says_first(page: Page, sentence: str, at: str | None) -> None:
    """Checks that the top of the page says this and no more, and leads to a place that is there."""
    assert page.status == 200
    assert page.wrong == {sentence: at}
    assert at is None or page.text.count(f' id="{at}"') == 1
    assert page.title.startswith("Error: ")
    main = page.text.partition("<main")[2]
    assert main.partition('class="wrong"')[0].count("<p") == 0, "something stands above"
    # Somebody who cannot see hears it once, and nothing else.
    assert page.text.count('role="alert"') == 1


def sets_up(phone: Phone, *names: str, **typed: str) -> Page:
    return phone.starts("hachi-hachi", *(names or ("Aki", "Ben", "Chie")), **typed)


TWICE = "Somebody is called Aki already: add something to tell them apart."
NUMBER = {"length": "other", "other_length": "many"}


@pytest.mark.parametrize(
    ("names", "typed", "sentence", "at"),
    [
        (("Aki", "Aki", "Chie"), {}, TWICE, "names-1"),
        (
            ("Aki", "", "Chie"),
            {},
            "Hachi-Hachi needs 3 players or more: player 2 has no name yet.",
            "names-1",
        ),
        ((), NUMBER, "How many rounds? A number.", "other_length"),
        ((), {"length": "x"}, "Choose one of these.", "length"),
        ((), {"first": "draw", "drawn-0": "3R"}, "Which card did Ben draw?", "drawn-1"),
        (
            (),
            {"first": "draw", "drawn-0": "1B", "drawn-1": "2A", "drawn-2": "1B"},
            "The card crane is there twice.",
            "drawn-2",
        ),
        ((), {"rule_payment": "x"}, "Choose one of these.", "rule_payment"),
        (
            (),
            {"csrf_token": "x"},
            "This page was open for a long time. Nothing you typed is lost: press the button once "
            "more.",
            None,
        ),
    ],
)
def test_setting_up(
    phone: Phone, names: tuple[str, ...], typed: dict[str, str], sentence: str, at: str | None
) -> None:
    says_first(sets_up(phone, *names, **typed), sentence, at)


def test_a_page_that_is_only_opened_has_nothing_wrong(scorer: Phone) -> None:
    for path in ("/new/kaga", "/j", "/rounds/new", "/manage", "/who", "/pile", "/history"):
        page = scorer.opens(path)
        assert (page.wrong, page.title.startswith("Error")) == ({}, False), path


def test_in_japanese(phone: Phone) -> None:
    phone.client.set_cookie("language", "ja")
    page = sets_up(phone, "Aki", "Aki", "Chie")
    assert page.title.startswith("エラー: ")
    assert len(page.wrong) == 1


def test_joining(phone: Phone) -> None:
    page = phone.opens("/j").form.types(link="nothing").presses()
    says_first(page, "This opens nothing here. Scan the code again, or ask for a new one.", "link")


@pytest.fixture
def guest(scorer: Phone, phones: Callable[[], Phone]) -> Phone:
    return phones().joins(scorer.id)


def test_saying_who_one_is(guest: Phone) -> None:
    page = guest.opens("/who").forms[1].types(name="Aki").presses()
    says_first(page, TWICE, "new-name")
    page = guest.opens("/who").form.presses("player", "9")
    says_first(page, "Choose one of the names, or write a new one.", None)


def managing(phone: Phone, path: str, **typed: str) -> Page:
    form = next(one for one in phone.opens("/manage").forms if one.path.endswith(path))
    return form.types(typed).presses()


def test_managing(scorer: Phone) -> None:
    says_first(managing(scorer, "/players", name="Aki"), TWICE, "new-name")
    page = managing(scorer, "/players/2", name="Aki")
    says_first(page, TWICE, "name-2")
    assert page.text.count('value="Aki"') == 2, "what was typed is gone"
    says_first(managing(scorer, "/length", **NUMBER), "How many rounds? A number.", "other_length")
    says_first(managing(scorer, "/rules", rule_tie="9"), "Choose one of these.", "rule_tie")


@pytest.mark.parametrize(
    ("points", "at"), [((100, "abc", 80), "p2-points"), ((100, 84, 81), "refusal-piles")]
)
def test_entering(scorer: Phone, points: tuple[int | str, ...], at: str) -> None:
    page = scorer.types_points(*points).presses("preview")
    (sentence,) = page.wrong
    says_first(page, sentence, at)
    assert sentence.startswith("Ben: ") is (at == "p2-points")


def test_correcting(scorer: Phone) -> None:
    scorer.records(100, 84, 80)
    form = scorer.opens("/rounds/1/correct").form
    page = scorer.types_points("abc", 84, 80, form=form).presses("preview")
    assert list(page.wrong.values()) == ["p1-points"]
    says_first(page, next(iter(page.wrong)), "p1-points")


def test_two_are_too_few_to_settle(phone: Phone) -> None:
    """Somebody left: the page leads to where it says who plays."""
    sets_up(phone)
    ledger.change_player(phone.id, 3, left=True)
    page = phone.types_points(100, 84).presses("preview")
    says_first(page, "Hachi-Hachi is for 3 players, not for 2.", "refusal-seats")


def test_a_round_that_asks_who_deals_is_no_error_before_anybody_pressed(phone: Phone) -> None:
    phone.starts("bakappana", "Aki", "Ben", "Chie", first="later")
    assert phone.opens("/rounds/new").wrong == {}
    page = phone.types_points(100, 84, 80).presses("preview")
    assert list(page.wrong.values()) == ["refusal-dealer"]


def test_keying_a_pile(scorer: Phone) -> None:
    form = scorer.opens("/pile?player=1&use=points").form
    page = form.types({"p1-points": "abc"}).presses("save")
    assert list(page.wrong.values()) == ["p1-points"]


def test_withdrawing_twice(scorer: Phone) -> None:
    scorer.records(100, 84, 80)
    form = scorer.opens("/rounds/1/withdraw").form
    assert form.presses().saved
    says_first(form.presses(), "Round 1 was withdrawn meanwhile by this phone.", None)


def test_taking_back_what_is_not_the_last(scorer: Phone) -> None:
    scorer.records(100, 84, 80)
    form = next(one for one in scorer.opens("/history").forms if "/undo/" in one.path)
    scorer.records(100, 84, 80)
    sentence = "Something else was done meanwhile: look at the history again."
    says_first(form.presses(), sentence, None)


def test_a_yes_from_the_same_phone(table: Table, joined: Callable[..., Phone]) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    ledger.change_series(table.id, confirm=True)
    phone = joined(Role.ENTER)
    page = phone.types_points(100, 84, 80).presses("preview").form.presses("save").follows()
    form = phone.opens("/proposal").form
    says_first(form.presses("answer", "yes"), "The yes has to come from another phone.", None)
    assert page.wrong == {}
