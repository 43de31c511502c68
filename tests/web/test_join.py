"""Joining a series by its link or a short code, and saying whose the phone is."""

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role, codes
from tests.conftest import everything, running
from tests.web.conftest import Page, Phone


@pytest.fixture
def newcomer(phones: Callable[[], Phone], scorer: Phone) -> Phone:
    """A phone that has never been here; there is a series that it may join."""
    return phones()


@pytest.mark.parametrize("pasted", ["http://localhost/j#{}", "{}", "  {}\n", "see http://x/j#{} "])
def test_joins_by_whatever_was_pasted(newcomer: Phone, scorer: Phone, pasted: str) -> None:
    secret = ledger.secret_for(scorer.id, Role.ENTER)
    done = newcomer.opens("/j").form.types(link=pasted.format(secret)).presses()
    assert done.answer.location == f"{scorer.series}/who"
    assert newcomer.sends("GET", f"{scorer.series}/rounds/new").status == 200


def test_a_weaker_link_takes_nothing_away(newcomer: Phone, scorer: Phone) -> None:
    newcomer.joins(scorer.id, Role.ENTER).joins(scorer.id, Role.VIEW)
    assert newcomer.opens("/rounds/new").status == 200


def test_a_stronger_link_gives_more(newcomer: Phone, scorer: Phone) -> None:
    newcomer.joins(scorer.id, Role.VIEW).joins(scorer.id, Role.ENTER)
    assert newcomer.opens("/rounds/new").status == 200


def test_opening_the_page_changes_nothing(newcomer: Phone, scorer: Phone) -> None:
    secret = ledger.secret_for(scorer.id, Role.ENTER)
    before = everything()
    newcomer.opens(f"/j?link={secret}")
    assert everything() == before
    assert newcomer.sends("GET", scorer.series).status == 404


@pytest.mark.parametrize("pasted", ["", "x", "http://localhost/j#", "#" + "A" * 43, "é\x00"])
def test_refuses_what_opens_nothing(newcomer: Phone, pasted: str) -> None:
    page = newcomer.opens("/j").form.types(link=pasted).presses()
    assert "This opens nothing here." in page.refusals["refusal-link"]
    assert page.form.fields["link"] == pasted


def test_a_refusal_stores_the_try_and_nothing_else(newcomer: Phone) -> None:
    before = everything()
    newcomer.opens("/j").form.types(link="x").presses()
    after = everything()
    assert len(after.pop("wrong_try")) == len(before.pop("wrong_try")) + 1
    assert after == before


def test_without_a_token_nothing_is_lost(newcomer: Phone, scorer: Phone) -> None:
    secret = ledger.secret_for(scorer.id, Role.ENTER)
    page = newcomer.opens("/j").form.types(link=secret, csrf_token=None).presses()
    assert page.form.fields["link"] == secret
    assert page.form.presses().saved


def test_wrong_method(newcomer: Phone) -> None:
    assert newcomer.sends("DELETE", "/j").status == 405


# --- Short codes ----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer waits, however many wrong tries there were."""
    monkeypatch.setattr(codes, "sleep", lambda seconds: None)


def tries(phone: Phone, typed: str, **more: Any) -> Page:
    return phone.opens("/j").form.types(link=typed).presses(**more)


@pytest.mark.parametrize("role", [Role.VIEW, Role.ENTER])
def test_joins_by_a_short_code(newcomer: Phone, scorer: Phone, role: Role) -> None:
    code = ledger.new_code(scorer.id, role)
    assert tries(newcomer, code.shown.lower()).saved
    may = newcomer.sends("GET", f"{scorer.series}/rounds/new").status
    assert may == (200 if role is Role.ENTER else 403)


def test_ten_wrong_codes_and_the_phone_waits(newcomer: Phone, scorer: Phone) -> None:
    code = ledger.new_code(scorer.id, Role.ENTER).text
    for number in range(10):
        page = tries(newcomer, f"Z{number:07}")
        assert (page.status, page.form.fields["link"]) == (200, f"Z{number:07}")
        assert "This opens nothing here." in page.refusals["refusal-link"]
    page = tries(newcomer, code)
    assert page.status == 429
    assert 0 < int(page.answer.headers["Retry-After"]) <= 600
    assert page.refusals["refusal-link"] == (
        "Too many wrong codes came from here. Wait 10 minutes, or scan the code."
    )
    assert page.form.fields["link"] == code
    assert tries(newcomer, ledger.secret_for(scorer.id, Role.ENTER)).saved


def test_forged_forwarding_headers_are_no_way_out(newcomer: Phone, scorer: Phone) -> None:
    for number in range(11):
        headers = {
            "X-Forwarded-For": f"192.0.2.{number}",
            "Forwarded": f"for=192.0.2.{number}",
            "X-Real-IP": f"192.0.2.{number}",
        }
        status = tries(newcomer, f"Z{number:07}", headers=headers).status
    assert status == 429


def test_behind_a_proxy_each_client_has_its_own_tries(config: dict[str, Any]) -> None:
    for app in running({**config, "PROXIES": 1}):
        phone = Phone(app)
        for number in range(11):
            # What a client forges comes before what the proxy adds.
            forwarded = {"X-Forwarded-For": f"10.0.0.{number}, 192.0.2.7"}
            status = tries(phone, f"Z{number:07}", headers=forwarded).status
        assert status == 429
        forwarded = {"X-Forwarded-For": "192.0.2.8"}
        assert tries(phone, "Z0000099", headers=forwarded).status == 200


# --- Who are you? ---------------------------------------------------------------------------------


def says(phone: Phone, button: str) -> Page:
    return phone.opens("/who").form.presses("player", button)


def test_the_players_are_listed(newcomer: Phone, scorer: Phone) -> None:
    ledger.change_player(scorer.id, 3, left=True)
    page = newcomer.joins(scorer.id).opens("/who")
    for name in ("Aki", "Ben"):
        assert f"<bdi>{name}</bdi></button>" in page.text
    assert "<bdi>Chie</bdi></button>" not in page.text


def test_a_name_is_chosen_and_the_history_knows_it(newcomer: Phone, scorer: Phone) -> None:
    newcomer.joins(scorer.id).records(100, 84, 80)
    assert "· phone 2</p>" in newcomer.opens("/history").text
    assert says(newcomer, "2").answer.location == scorer.series
    assert "· <bdi>Ben</bdi>" in newcomer.opens("/history").text


def test_the_same_person_comes_back_in_another_browser(
    newcomer: Phone, scorer: Phone, phones: Callable[[], Phone]
) -> None:
    says(newcomer.joins(scorer.id), "1")
    other = phones().joins(scorer.id)
    assert "on 1 phone so far" in other.opens("/who").text
    assert says(other, "1").saved
    assert len(ledger.read(scorer.id).players) == 3


def test_a_new_name_makes_a_new_player(newcomer: Phone, scorer: Phone) -> None:
    newcomer.joins(scorer.id)
    form = newcomer.opens("/who").forms[1]
    assert form.types(name="ゆき").presses().saved
    assert [person.name for person in ledger.read(scorer.id).players] == [
        *("Aki", "Ben", "Chie", "ゆき")
    ]
    assert "· <bdi>ゆき</bdi>" in newcomer.opens("/history").text


@pytest.mark.parametrize("name", ["", "Aki", " ａｋｉ ", "x" * 61, "a\u202eb"])
def test_a_name_that_cannot_be_is_kept_in_the_form(
    newcomer: Phone, scorer: Phone, name: str
) -> None:
    page = newcomer.joins(scorer.id).opens("/who").forms[1].types(name=name).presses()
    assert page.refusals["refusal-new-name"]
    assert page.forms[1].fields["name"].strip() == name.strip()
    assert len(ledger.read(scorer.id).players) == 3


def test_a_finished_series_takes_no_new_name(newcomer: Phone, scorer: Phone) -> None:
    newcomer.joins(scorer.id)
    open_since = newcomer.opens("/who").forms[1]
    ledger.change_series(scorer.id, state="finished")
    assert "new player" not in newcomer.opens("/who").text
    assert open_since.types(name="Dai").presses().wrong
    assert says(newcomer, "1").saved


def test_nobody_is_an_answer_too_and_ends_the_asking(newcomer: Phone, scorer: Phone) -> None:
    assert says(newcomer.joins(scorer.id), "nobody").saved
    again = tries(newcomer, ledger.secret_for(scorer.id, Role.ENTER))
    assert again.answer.location == scorer.series


def test_it_can_be_skipped(newcomer: Phone, scorer: Phone) -> None:
    newcomer.joins(scorer.id)
    assert scorer.series in newcomer.opens("/who").links
    newcomer.records(100, 84, 80)


@pytest.mark.parametrize("player", ["0", "4", "-1", "x", "9" * 5000, ""])
def test_a_player_that_there_is_not(newcomer: Phone, scorer: Phone, player: str) -> None:
    newcomer.joins(scorer.id)
    before = everything()
    page = says(newcomer, player)
    assert list(page.wrong) == ["Choose one of the names, or write a new one."]
    assert everything() == before


def test_who_watches_is_not_asked(newcomer: Phone, scorer: Phone) -> None:
    done = tries(newcomer, ledger.secret_for(scorer.id, Role.VIEW))
    assert done.answer.location == scorer.series
    assert newcomer.sends("GET", f"{scorer.series}/who").status == 403


def test_asking_changes_nothing(newcomer: Phone, scorer: Phone) -> None:
    newcomer.joins(scorer.id)
    before = everything()
    newcomer.opens("/who")
    newcomer.opens("/who").form.types(csrf_token="x").presses("player", "1")
    assert everything() == before
