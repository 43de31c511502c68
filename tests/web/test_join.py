"""Joining a series by its link."""

from collections.abc import Callable

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import everything
from tests.web.conftest import Phone


@pytest.fixture
def newcomer(phones: Callable[[], Phone], scorer: Phone) -> Phone:
    """A phone that has never been here; there is a series that it may join."""
    return phones()


@pytest.mark.parametrize("pasted", ["http://localhost/j#{}", "{}", "  {}\n", "see http://x/j#{} "])
def test_joins_by_whatever_was_pasted(newcomer: Phone, scorer: Phone, pasted: str) -> None:
    secret = ledger.secret_for(scorer.id, Role.ENTER)
    done = newcomer.opens("/j").form.types(link=pasted.format(secret)).presses()
    assert done.answer.location == scorer.series
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
    assert "This link opens nothing here." in page.refusals["refusal"]
    assert page.form.fields["link"] == pasted


def test_a_refusal_stores_nothing(newcomer: Phone) -> None:
    before = everything()
    newcomer.opens("/j").form.types(link="x").presses()
    assert everything() == before


def test_without_a_token_nothing_is_lost(newcomer: Phone, scorer: Phone) -> None:
    secret = ledger.secret_for(scorer.id, Role.ENTER)
    page = newcomer.opens("/j").form.types(link=secret, csrf_token=None).presses()
    assert page.form.fields["link"] == secret
    assert page.form.presses().saved


def test_wrong_method(newcomer: Phone) -> None:
    assert newcomer.sends("DELETE", "/j").status == 405
