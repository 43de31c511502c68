"""A round that waits until another phone has said that it is right."""

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table, everything
from tests.web.conftest import Page, Phone


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
    number = ledger.history(table.id)[0].by
    assert says(ben.opens("/history"), "Confirmed on phone")
    assert says(ben.opens("/history"), "(Ben).")
    assert number is not None


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
    assert page.refusals == {"refusal": "The yes has to come from another phone."}
    assert table.book.rounds == ()


def test_the_second_is_shown_the_first(aki: Phone, ben: Phone) -> None:
    form = ben.types_points(84, 100, 80).presses("preview").form
    proposes(aki, 100, 84, 80)
    page = form.presses("save")
    assert says(page, "Another phone was faster: its round 1 waits for a yes.")
    assert page.form.fields["p1-points"] == "84"
    assert f"{ben.series}/proposal" in page.links


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
