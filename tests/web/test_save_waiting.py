"""Saving what waited on a phone: the answers from which it learns whether the server has the round.

The page sends the form as it would be sent without script, and accepts only the part that changes.
"""

from collections.abc import Callable

import pytest

from scorekeeper import ledger
from scorekeeper.live import PART
from tests.conftest import everything
from tests.web.conftest import Form, Page, Phone

SCRIPT = {"Accept": PART}


def typed(phone: Phone, *points: int) -> Form:
    """A round whose figures were seen."""
    page = phone.types_points(*points).presses("preview", headers=SCRIPT)
    seen = page.text.partition('data-seen="')[2].partition('"')[0]
    return phone.types_points(*points).types(seen=seen)


def save(form: Form, **more: str) -> Page:
    return form.types(more).presses("save", headers=SCRIPT)


def is_told(page: Page) -> bool:
    """Whether it has what tells our server from whoever else may answer a phone."""
    return page.text.lstrip().startswith('<div class="heard') and "data-seen=" in page.text


def rounds(phone: Phone) -> list[int]:
    return [played.number for played in ledger.read(phone.id).rounds]


def test_a_round_that_is_saved_says_where(scorer: Phone) -> None:
    page = save(typed(scorer, 88, 88, 88))
    assert (page.status, page.answer.location) == (201, f"{scorer.series}?saved=1")
    assert rounds(scorer) == [1]


def test_the_same_round_once_more_gets_the_same_answer(scorer: Phone) -> None:
    form = typed(scorer, 88, 88, 88)
    first = save(form)
    scorer.records(90, 90, 84)
    ledger.change_series(scorer.id, state="finished")
    before = everything()
    again = save(form)
    assert (again.status, again.answer.location) == (first.status, first.answer.location)
    assert everything() == before


def test_a_round_whose_dealer_was_left_open_is_the_same_round_once_more(scorer: Phone) -> None:
    """After it another one deals, which makes it no other round."""
    scorer.records(90, 88, 86)
    dealer = ledger.read(scorer.id).next_dealer
    form = scorer.types_points(80, 90, 94).types(dealer=None)
    seen = (
        form.presses("preview", headers=SCRIPT).text.partition('data-seen="')[2].partition('"')[0]
    )
    assert save(form, seen=seen).status == 201
    book = ledger.read(scorer.id)
    assert book.rounds[-1].dealer == dealer != book.next_dealer
    assert save(form, seen=seen).status == 201
    assert rounds(scorer) == [1, 2]


def test_what_was_not_seen_is_not_saved(scorer: Phone) -> None:
    page = save(typed(scorer, 88, 88, 88), **{"p1-points": "87", "p2-points": "89"})
    assert page.status == 422
    assert is_told(page)
    assert rounds(scorer) == []
    assert save(typed(scorer, 88, 88, 88), seen="").status == 422
    assert rounds(scorer) == []


def test_a_number_that_others_recorded_meanwhile(
    scorer: Phone, phones: Callable[[], Phone]
) -> None:
    form = typed(scorer, 88, 88, 88)
    phones().joins(scorer.id).records(90, 90, 84)
    before = everything()
    page = save(form)
    assert page.status == 409
    assert is_told(page)
    assert "Round 1 is recorded already." in page.text
    assert everything() == before


def test_a_round_that_does_not_add_up(scorer: Phone) -> None:
    form = typed(scorer, 88, 88, 88).types({"p1-points": 100, "p2-points": 100, "p3-points": 100})
    page = save(form)
    assert page.status == 422
    assert is_told(page)
    assert page.refusals
    assert rounds(scorer) == []


def test_a_form_with_another_token_gets_a_good_one(scorer: Phone) -> None:
    form = typed(scorer, 88, 88, 88)
    page = save(form, csrf_token="stale")
    assert page.status == 422
    token = page.text.partition('data-token="')[2].partition('"')[0]
    assert rounds(scorer) == []
    assert save(form, csrf_token=token).status == 201


@pytest.mark.parametrize("role", ["nobody", ledger.Role.VIEW])
def test_a_phone_that_may_not_is_told_in_the_same_way(
    scorer: Phone, phones: Callable[[], Phone], role: str | ledger.Role
) -> None:
    form = typed(scorer, 88, 88, 88)
    other = phones()
    if role != "nobody":
        other.joins(scorer.id, ledger.Role(role))
    page = other.sends("POST", form.path, data={**form.fields, "save": "1"}, headers=SCRIPT)
    assert page.status == (404 if role == "nobody" else 403)
    assert is_told(page)
    assert page.refusals
