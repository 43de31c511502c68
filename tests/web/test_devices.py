"""The phones of a series, and putting one out."""

import re
from collections.abc import Callable

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import everything
from tests.web.conftest import Form, Page, Phone


def outs(page: Page) -> dict[int, Form]:
    """The buttons that put phones out, by the numbers of the phones."""
    return {int(form.path.split("/")[-2]): form for form in page.forms if "/phones/" in form.path}


def named(text: str) -> list[str]:
    """What the phones are called, one after the other."""
    return re.findall(r'<p class="what".*?>(.*?)</p>', text)


def newest(series: str) -> int:
    """The phone that came last."""
    return max(phone.device for phone in ledger.phones_of(series))


def test_all_phones_are_listed(scorer: Phone, phones: Callable[[], Phone]) -> None:
    guest = phones().joins(scorer.id)
    guest.opens("/who").form.presses("player", "2")
    guest.records(100, 84, 80)
    phones().joins(scorer.id, Role.VIEW)
    text = " ".join(scorer.opens("/phones").text.split()).partition("<h1>")[2]
    assert [" ".join(re.sub("<.*?>", "", one).split()) for one in named(text)] == [
        *("phone 1 · this phone", "Ben’s phone", "phone 3")
    ]
    for part in ("this phone", "may score", "may watch", "has the host’s link"):
        assert text.count(part) == 1, part
    assert text.count("came in on <time") == 3
    assert text.count("last changed something on <time") == 2


def test_this_phone_is_not_put_out(scorer: Phone, phones: Callable[[], Phone]) -> None:
    phones().joins(scorer.id)
    page = scorer.opens("/phones")
    (form,) = outs(page).values()
    own = min(phone.device for phone in ledger.phones_of(scorer.id))
    before = everything()
    form.path = f"{scorer.series}/phones/{own}/out"
    assert form.presses().status == 400
    assert everything() == before


def test_a_phone_that_is_put_out_is_out(scorer: Phone, phones: Callable[[], Phone]) -> None:
    guest, other = phones().joins(scorer.id), phones().joins(scorer.id)
    half_done = guest.types_points(100, 84, 80).presses("preview").form
    first, _second = sorted(outs(scorer.opens("/phones")).items())
    assert first[1].presses().answer.location == f"{scorer.series}/phones"
    assert half_done.presses("save").status == 404
    assert guest.opens().status == guest.opens("/share").status == 404
    assert scorer.series not in guest.opens("/").links
    assert other.opens("/rounds/new").status == 200
    assert "Put out: phone 2." in scorer.opens("/history").text
    assert first[0] not in outs(scorer.opens("/phones"))
    assert ledger.read(scorer.id).rounds == ()


def test_a_second_tap_does_nothing(scorer: Phone, phones: Callable[[], Phone]) -> None:
    phones().joins(scorer.id)
    (form,) = outs(scorer.opens("/phones")).values()
    form.presses()
    before = everything()
    assert form.presses().saved
    assert everything() == before


def test_without_its_token_nobody_is_put_out(scorer: Phone, phones: Callable[[], Phone]) -> None:
    phones().joins(scorer.id)
    (form,) = outs(scorer.opens("/phones")).values()
    before = everything()
    form.types(csrf_token="x").presses()
    assert everything() == before


@pytest.mark.parametrize("role", [Role.VIEW, Role.ENTER])
def test_only_who_manages(scorer: Phone, phones: Callable[[], Phone], role: Role) -> None:
    guest = phones().joins(scorer.id, role)
    token = guest.opens("/share").form.fields["csrf_token"]
    before = everything()
    assert guest.opens("/phones").status == 403
    path = f"{scorer.series}/phones/{newest(scorer.id)}/out"
    assert guest.sends("POST", path, data={"csrf_token": token}).status == 403
    assert everything() == before


def test_a_phone_of_another_series_is_left_alone(
    scorer: Phone, phones: Callable[[], Phone]
) -> None:
    phones().joins(scorer.id)
    other = phones()
    other.starts("kaga", "Dai", "Emi")
    (form,) = outs(scorer.opens("/phones")).values()
    form.path = f"{scorer.series}/phones/{newest(other.id)}/out"
    before = everything()
    form.presses()
    assert everything() == before
    assert other.opens().status == 200


def test_looking_changes_nothing(scorer: Phone) -> None:
    before = everything()
    assert scorer.opens("/phones").status == 200
    assert everything() == before


def test_wrong_method(scorer: Phone) -> None:
    assert scorer.sends("GET", f"{scorer.series}/phones/1/out").status == 405
