"""The first page, and the language."""

from collections.abc import Callable

import pytest

from scorekeeper.ledger import Role
from scorekeeper.rules.games import GAMES
from tests.conftest import everything
from tests.web.conftest import Phone


def test_offers_every_game(phone: Phone) -> None:
    offered = phone.opens("/").links
    assert [f"/new/{key}" for key in GAMES] == [link for link in offered if "/new/" in link]


def test_lists_the_series_of_this_phone_alone(scorer: Phone, phones: Callable[[], Phone]) -> None:
    other = phones()
    other.starts("kaga", "Dai", "Emi")
    assert scorer.series in scorer.opens("/").links
    assert scorer.series not in other.opens("/").links


def test_the_newest_series_comes_first(phone: Phone) -> None:
    started: list[str] = []
    for game in ("kaga", "bakappana"):
        phone.starts(game, "Aki", "Ben")
        started.insert(0, phone.series)
    assert [link for link in phone.opens("/").links if link.startswith("/s/")] == started


def test_many_series_are_read_page_by_page(phone: Phone) -> None:
    for number in range(14):
        phone.starts("kaga", f"Aki {number}", "Ben")
    newest = phone.opens("/")
    assert [number for number in range(14) if f">Aki {number}<" in newest.text] == [*range(2, 14)]
    earlier = phone.sends("GET", "/?from=12")
    assert [number for number in range(14) if f">Aki {number}<" in earlier.text] == [0, 1]
    assert "/?from=12" in newest.text
    assert "from=" not in earlier.text
    for nonsense in ("-5", "x", "9" * 30, "9" * 5000):
        assert phone.sends("GET", f"/?from={nonsense}").status == 200


def test_a_series_that_is_watched_is_listed(scorer: Phone, phones: Callable[[], Phone]) -> None:
    watcher = phones().joins(scorer.id, Role.VIEW)
    assert scorer.series in watcher.opens("/").links


def test_looking_changes_nothing(phone: Phone) -> None:
    before = everything()
    phone.opens("/")
    assert everything() == before


def test_wrong_method(phone: Phone) -> None:
    assert phone.sends("PUT", "/").status == 405


# --- Language -------------------------------------------------------------------------------------


def chooses(phone: Phone, language: str, came_from: str | None = None):
    (form,) = (form for form in phone.opens("/").forms if form.path == "/language")
    headers = {"Referer": came_from} if came_from else {}
    return form.presses("language", language, headers=headers)


def test_a_language_is_remembered(phone: Phone) -> None:
    chooses(phone, "ja")
    assert '<html lang="ja">' in phone.opens("/").text


def test_choosing_leads_back_to_the_page(phone: Phone) -> None:
    done = chooses(phone, "ja", "http://localhost/new/kaga")
    assert done.answer.location == "http://localhost/new/kaga"


@pytest.mark.parametrize("evil", ["http://evil.example/", "http://localhost.evil.example/", "//x"])
def test_another_site_chooses_nothing(phone: Phone, evil: str) -> None:
    assert chooses(phone, "ja", evil).answer.status_code == 400


@pytest.mark.parametrize("language", ["", "xx", "en\r\nX: y", "ja-JP"])
def test_a_language_that_there_is_not(phone: Phone, language: str) -> None:
    answer = chooses(phone, language).answer
    assert "language" not in str(answer.headers.getlist("Set-Cookie"))


def test_the_browsers_language_is_spoken(phone: Phone) -> None:
    page = phone.sends("GET", "/", headers={"Accept-Language": "ja-JP, en;q=0.5"})
    assert '<html lang="ja">' in page.text


def test_choosing_is_a_press_of_a_button(phone: Phone) -> None:
    assert phone.sends("GET", "/language").status == 405


def test_the_short_code_is_mentioned_where_somebody_joins(phone: Phone) -> None:
    assert "type the short code of eight letters" in phone.opens("/").text
