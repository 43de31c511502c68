"""A round that waits until another phone has said that it is right."""

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table, everything
from tests.web.conftest import Page, Phone
from tests.web.test_conflict import choices, chooses, differing, sides


@pytest.fixture
def table(table: Table) -> Table:
    table.start("bakappana", "Aki", "Ben", "Chie")
    ledger.change_series(table.id, confirm=True)
    return table


@pytest.fixture
def aki(joined: Callable[..., Phone], table: Table) -> Phone:
    return joined()


@pytest.fixture
def ben(joined: Callable[..., Phone], table: Table) -> Phone:
    phone = joined()
    phone.opens("/who").form.presses("player", "2")
    return phone


def proposes(phone: Phone, *points: int) -> Page:
    page = phone.types_points(*points).presses("preview")
    assert f"Propose round {phone.opens('/rounds/new').form.fields['number']}" in page.text
    return page.form.presses("save")


def answers(phone: Phone, answer: str, **more: Any) -> Page:
    page = phone.opens("/proposal")
    (form,) = (form for form in page.forms if "seen" in form.fields)
    return form.types(**more).presses("answer", answer)


def points_of_blank(page: Page) -> bool:
    """Whether nothing is typed yet into the form of round 2."""
    fields = page.form.fields
    return fields["number"] == "2" and not any(fields.get(f"p{at}-points") for at in (1, 2, 3))


def aki_device(table: Table) -> int:
    waiting = ledger.pending(table.id).waiting
    assert waiting is not None
    return waiting.device


def says(page: Page, text: str) -> bool:
    return text in " ".join(page.text.replace("<bdi>", "").replace("</bdi>", "").split())


# --- Waiting --------------------------------------------------------------------------------------


def test_a_round_waits_and_everybody_sees_it(
    aki: Phone, ben: Phone, joined: Callable[..., Phone], table: Table
) -> None:
    done = proposes(aki, 100, 84, 80)
    assert done.answer.location == f"{aki.series}?saved=1"
    assert says(done.follows(), "Round 1 is sent.")
    for page in (ben.opens(), joined(Role.VIEW).opens(), joined(Role.VIEW).opens("/proposal")):
        assert says(page, "Round 1 waits for a yes from another phone.")
        assert says(page, 'Aki <span class="amount plus">+12</span>')
        assert "How it was settled" in page.text
    assert table.book.rounds == ()
    assert "Enter round 1" not in ben.opens().text


def test_another_phone_says_yes(aki: Phone, ben: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    done = answers(ben, "yes")
    assert done.answer.location == f"{ben.series}?saved=1"
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}
    assert says(ben.opens("/history"), "Confirmed on Ben’s phone.")


def test_another_phone_says_no_and_all_that_was_typed_comes_back(
    aki: Phone, ben: Phone, table: Table
) -> None:
    proposes(aki, 100, 84, 80)
    assert answers(ben, "no", word="count again").saved
    assert says(aki.opens(), "Round 1 was given back to")
    page = aki.opens("/rounds/new")
    assert says(page, "This round was given back to this phone")
    assert says(page, "Not right, said Ben’s phone.")
    assert says(page, "“count again”")
    assert page.form.fields["p1-points"] == "100"
    assert ben.opens("/rounds/new").form.fields["form"] == "counts"
    assert page.form.presses("preview").form.presses("save").saved
    answers(ben, "yes")
    assert len(table.book.rounds) == 1


def test_its_own_phone_takes_it_back(aki: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    page = aki.opens("/proposal")
    assert "That is right" not in page.text
    done = answers(aki, "back")
    assert done.answer.location == f"{aki.series}/rounds/new"
    assert done.follows().form.fields["p2-points"] == "84"


def test_its_own_phone_cannot_say_yes(aki: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    page = answers(aki, "yes")
    assert page.wrong == {"The yes has to come from another phone.": None}
    assert table.book.rounds == ()


# --- Two phones at the same round -----------------------------------------------------------------


@pytest.fixture
def both(aki: Phone, ben: Phone) -> Page:
    """What Ben is shown, who has typed the round that waits otherwise and wants to save it."""
    form = ben.types_points(84, 100, 80).presses("preview").form
    proposes(aki, 100, 84, 80)
    return form.presses("save")


YES, OVER, THEN, BACK = (
    "Say yes to theirs",
    "Propose mine instead",
    "Yes to theirs, mine is round 2",
    "Give theirs back",
)


def points(page: Page) -> list[str]:
    return [page.form.fields[f"p{at}-points"] for at in (1, 2, 3)]


def test_the_second_is_shown_both(both: Page, table: Table) -> None:
    assert both.refusals == {"refusal-conflict": "Another round 1 waits for a yes."}
    assert list(choices(both)) == [YES, OVER, THEN, BACK]
    assert differing(both) == [
        ["Aki", "+12", "−4"],
        ["Aki card points", "100", "84"],
        ["Ben", "−4", "+12"],
        ["Ben card points", "84", "100"],
    ]
    assert points(both) == ["84", "100", "80"]
    assert table.book.rounds == ()


def test_the_first_is_named(aki: Phone, both: Page, table: Table) -> None:
    aki.opens("/who").form.presses("player", "1")
    assert sides(both.form.presses("preview")) == ["Proposed by Aki’s phone", "Yours"]


def test_it_is_said_while_the_round_is_typed(aki: Phone, ben: Phone) -> None:
    proposes(aki, 100, 84, 80)
    fragment = {"Accept": "text/x-fragment"}
    page = ben.types_points(84, 100, 80).presses(headers=fragment)
    assert says(page, "Another round 1 waits for a yes.")
    assert "savable" not in page.text
    page = ben.types_points(84, 100, 80).presses("save", headers=fragment)
    assert page.status == 409


def test_the_second_says_yes(both: Page, table: Table) -> None:
    page = chooses(both, YES)
    assert page.answer.location == f"/s/{table.id}?saved=1&kept=1"
    assert says(page.follows(), "Round 1 is saved.")
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}


def test_the_second_proposes_its_own(
    both: Page, aki: Phone, joined: Callable[..., Phone], table: Table
) -> None:
    both.form.types(word="count Ben’s again")
    page = chooses(both, OVER)
    assert page.answer.location == f"/s/{table.id}?saved=1&kept=1"
    assert says(page.follows(), "Round 1 is sent.")
    board = aki.opens()
    assert says(board, "This round was given back to this phone, with everything that was typed.")
    assert says(board, "Not right, said Ben’s phone. “count Ben’s again”")
    assert f"{aki.series}/rounds/new" in aki.opens("/proposal").links
    answers(joined(), "yes")
    assert table.totals == {"Aki": -4, "Ben": 12, "Chie": -8}


def test_the_first_sees_both_too(both: Page, aki: Phone, table: Table) -> None:
    """As often as they replace each other, what the one typed is there beside the other's."""
    chooses(both, OVER)
    page = aki.opens("/rounds/new")
    assert points(page) == ["100", "84", "80"]
    assert sides(page) == ["Proposed by Ben’s phone", "Yours"]
    assert ["Aki", "−4", "+12"] in differing(page)
    assert chooses(page, OVER).saved
    page = both.form.phone.opens("/rounds/new")
    assert points(page) == ["84", "100", "80"]
    assert chooses(page, YES).saved
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}
    for phone in (aki, both.form.phone):
        assert not says(phone.opens(), "as it was typed on this phone")


def test_theirs_counts_and_mine_is_the_next_round(both: Page, aki: Phone, table: Table) -> None:
    page = chooses(both, THEN)
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}
    assert (page.form.fields["number"], points(page)) == ("2", ["84", "100", "80"])
    assert page.form.presses("save").saved
    answers(aki, "yes")
    assert table.totals == {"Aki": 8, "Ben": 8, "Chie": -16}


def test_theirs_is_given_back_with_a_word(both: Page, aki: Phone, table: Table) -> None:
    both.form.types(word="count again")
    page = chooses(both, BACK)
    assert page.refusals == {}
    assert points(page) == ["84", "100", "80"]
    assert says(aki.opens("/rounds/new"), "“count again”")
    assert page.form.presses("save").saved
    answers(aki, "yes")
    assert table.totals == {"Aki": -4, "Ben": 12, "Chie": -8}


def test_the_same_round_is_a_yes(aki: Phone, ben: Phone, table: Table) -> None:
    form = ben.types_points(100, 84, 80).presses("preview").form
    proposes(aki, 100, 84, 80)
    page = form.presses("save")
    assert page.refusals == {"refusal-conflict": "The same round waits for a yes already."}
    assert list(choices(page)) == ["Say yes to it"]
    assert table.book.rounds == ()
    assert chooses(page, "Say yes to it").saved
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}


@pytest.mark.parametrize("words", [YES, OVER, THEN, BACK])
def test_another_round_waits_between_seeing_and_choosing(
    both: Page, aki: Phone, table: Table, words: str
) -> None:
    answers(aki, "back")
    proposes(aki, 97, 87, 80)
    page = chooses(both, words)
    assert page.refusals == {"refusal-conflict": "Another round 1 waits for a yes."}
    assert ["Aki card points", "97", "84"] in differing(page)
    assert points(page) == ["84", "100", "80"]
    assert table.book.rounds == ()
    assert ledger.pending(table.id).waiting is not None


@pytest.mark.parametrize("words", [YES, OVER, THEN, BACK])
def test_it_was_recorded_between_seeing_and_choosing(
    both: Page, joined: Callable[..., Phone], table: Table, words: str
) -> None:
    answers(joined(), "yes")
    page = chooses(both, words)
    assert page.refusals == {"refusal-conflict": "Round 1 is recorded already."}
    assert points(page) == ["84", "100", "80"]
    assert len(table.book.rounds) == 1


def test_unfinished_mine_is_kept(aki: Phone, ben: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    page = ben.types_points(84, 100, 81).presses("preview")
    assert list(page.refusals) == ["refusal-conflict", "refusal-piles"]
    page = chooses(page, OVER)
    assert points(page) == ["84", "100", "81"]
    assert ledger.pending(table.id).waiting is not None
    assert ledger.pending(table.id).returned_to(aki_device(table)) is None


def test_one_that_cannot_be_recorded_any_more_is_only_replaced(
    both: Page, aki: Phone, table: Table
) -> None:
    ledger.change_player(table.id, 3, left=True)
    page = both.form.presses("preview")
    assert page.refusals == {"refusal-conflict": "Chie has left the series meanwhile."}
    page = chooses(page, "Chie comes back")
    assert list(choices(page)) == [YES, OVER, THEN, BACK]


def test_a_blank_page_is_no_round_to_compare(aki: Phone, ben: Phone) -> None:
    proposes(aki, 100, 84, 80)
    page = ben.opens("/rounds/new")
    assert page.refusals == {}
    assert says(page, "Round 1 waits for a yes from another phone.")
    assert f"{ben.series}/rounds/new" in ben.opens("/proposal").links


def test_another_site_cannot_choose(both: Page, table: Table) -> None:
    before = everything()
    for value in choices(both).values():
        page = both.form.types(csrf_token=None).presses("choose", value)
        assert points(page) == ["84", "100", "80"]
    assert everything() == before


# --- What was not recorded ------------------------------------------------------------------------


@pytest.fixture
def replaced(both: Page, aki: Phone, joined: Callable[..., Phone]) -> Phone:
    """Aki's phone, after Ben's round was recorded in place of its own."""
    chooses(both, OVER)
    answers(joined(), "yes")
    return aki


def test_what_was_typed_is_there_after_the_other_was_recorded(
    replaced: Phone, table: Table
) -> None:
    assert says(replaced.opens(), "Round 1 as it was typed on this phone was not recorded.")
    page = replaced.opens("/rounds/new")
    assert points_of_blank(page)
    assert page.refusals == {}
    page = replaced.opens("/rounds/new?returned=1")
    assert page.refusals == {"refusal-conflict": "Round 1 is recorded already."}
    assert points(page) == ["100", "84", "80"]
    assert ["Aki", "−4", "+12"] in differing(page)


@pytest.mark.parametrize(
    ("words", "totals"),
    [
        ("Keep what is recorded", {"Aki": -4, "Ben": 12, "Chie": -8}),
        ("Correct round 1 to mine", {"Aki": 12, "Ben": -4, "Chie": -8}),
        ("Mine is round 2", {"Aki": 8, "Ben": 8, "Chie": -16}),
    ],
)
def test_it_is_chosen_about_once(
    replaced: Phone, ben: Phone, table: Table, words: str, totals: dict[str, int]
) -> None:
    page = chooses(replaced.opens("/rounds/new?returned=1"), words)
    if not page.saved:
        assert page.form.presses("save").saved
    if words == "Mine is round 2":
        answers(ben, "yes")
    assert table.totals == totals
    assert not says(replaced.opens(), "as it was typed on this phone")


def test_nobody_else_is_shown_it(replaced: Phone, ben: Phone) -> None:
    assert not says(ben.opens(), "as it was typed on this phone")
    assert points_of_blank(ben.opens("/rounds/new?returned=1"))


# --- Late answers ---------------------------------------------------------------------------------


def test_a_yes_to_another_round_than_was_seen(aki: Phone, ben: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    (form,) = (form for form in ben.opens("/proposal").forms if "seen" in form.fields)
    answers(aki, "back")
    proposes(aki, 84, 100, 80)
    page = form.presses("answer", "yes")
    assert says(page, "What waits here is another round by now, or none: look again.")
    assert table.book.rounds == ()


def test_a_yes_twice_is_one_round(aki: Phone, ben: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    (form,) = (form for form in ben.opens("/proposal").forms if "seen" in form.fields)
    assert form.presses("answer", "yes").saved
    assert says(form.presses("answer", "yes"), "No round waits for a yes.")
    assert len(table.book.rounds) == 1


def test_a_save_that_arrives_again_is_the_same_round(aki: Phone, ben: Phone, table: Table) -> None:
    form = aki.types_points(100, 84, 80).presses("preview").form
    assert form.presses("save").saved
    answers(ben, "yes")
    assert form.presses("save").answer.location == f"{aki.series}?saved=1"
    assert len(table.book.rounds) == 1


# --- Refusals -------------------------------------------------------------------------------------


def test_nothing_waits(ben: Phone) -> None:
    assert says(ben.opens("/proposal"), "No round waits for a yes.")


def test_a_round_of_somebody_who_left(aki: Phone, ben: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    ledger.change_player(table.id, 3, left=True)
    assert says(ben.opens(), "Chie has left the series.")
    assert says(answers(ben, "yes"), "Chie has left the series.")
    assert answers(ben, "no").saved


def test_a_word_that_is_too_long_is_kept(aki: Phone, ben: Phone, table: Table) -> None:
    proposes(aki, 100, 84, 80)
    page = answers(ben, "no", word="x" * 201)
    assert says(page, "A reason has at most 200 characters.")
    assert "x" * 201 in page.text
    assert ledger.pending(table.id).waiting is not None


def test_who_may_not_answer(aki: Phone, joined: Callable[..., Phone], table: Table) -> None:
    proposes(aki, 100, 84, 80)
    watcher = joined(Role.VIEW)
    token = watcher.opens("/j").form.fields["csrf_token"]
    before = everything()
    sent = {"csrf_token": token, "answer": "yes", "seen": "1"}
    assert watcher.sends("POST", watcher.at("/proposal"), data=sent).status == 403
    assert watcher.opens("/s/AAAAAAAAAAAA/proposal").status == 404
    assert aki.sends("DELETE", aki.at("/proposal")).status == 405
    sent["csrf_token"] = "x"
    assert aki.sends("POST", aki.at("/proposal"), data=sent).status == 200
    assert everything() == before


# --- The switch -----------------------------------------------------------------------------------


def test_only_who_manages_switches_it(joined: Callable[..., Phone], table: Table) -> None:
    host = joined(Role.MANAGE)
    page = host.opens("/manage")
    (form,) = (form for form in page.forms if form.path.endswith("/confirm"))
    stood = []
    for wanted in ("no", "yes", "perhaps"):
        assert form.presses("confirm", wanted).saved
        stood.append(table.book.confirm)
    assert stood == [False, True, True]
    assert "/confirm" not in joined().opens("/manage").text


def test_with_one_phone_the_page_says_how_to_switch_it_off(
    joined: Callable[..., Phone], table: Table
) -> None:
    host = joined(Role.MANAGE)
    proposes(host, 100, 84, 80)
    page = host.opens("/proposal")
    assert says(page, "With one phone at the table nobody else can say yes: switch this off")
    assert f"{host.series}/manage#confirm" in page.links
    (form,) = (form for form in host.opens("/manage").forms if form.path.endswith("/confirm"))
    form.presses("confirm", "no")
    form = host.opens("/rounds/new").form
    assert form.presses("preview").form.presses("save").saved
    assert len(table.book.rounds) == 1


def test_the_json_api_is_no_phone(aki: Phone, table: Table) -> None:
    secret = ledger.secret_for(table.id, Role.ENTER)
    answer = aki.sends(
        "POST",
        f"/api/v1/series/{table.id}/rounds",
        json={"number": 1, **table.document(100, 84, 80)},
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert answer.status == 409
    assert answer.answer.json["error"]["code"] == "needs_confirmation"


def test_a_yes_to_figures_that_the_house_rules_changed(
    aki: Phone, ben: Phone, table: Table
) -> None:
    proposes(aki, 100, 84, 80)
    (seen,) = (form for form in ben.opens("/proposal").forms if "seen" in form.fields)
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    assert says(seen.presses("answer", "yes"), "another round by now")
    assert not table.book.rounds
    assert answers(ben, "yes").saved
    assert list(table.book.rounds[0].amounts.values()) == [2, -1, -1]
