"""The part of a page that changes, fetched alone."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import Grant
from scorekeeper.live import Shared

from ..conftest import everything
from .conftest import PATIENCE


class Reader:
    """A phone that fetches the part of a page, as `live.js` does."""

    def __init__(self, client: Client, series: str) -> None:
        self.client, self.series = client, series
        self.tag: str | None = None

    def fetches(self, page: str = "", tag: str | None = None, **headers: str) -> TestResponse:
        headers["Accept"] = "text/x-fragment"
        if tag or self.tag:
            headers["If-None-Match"] = tag or self.tag
        answer = Context().run(self.client.get, f"/s/{self.series}{page}", headers=headers)
        if "ETag" in answer.headers:
            self.tag = answer.headers["ETag"].removeprefix("W/")
        return answer

    def hears(self, page: str = "", **more: Any) -> str:
        """The news in what it fetches."""
        text = self.fetches(page, **more).get_data(as_text=True)
        news = text.partition("<p data-news>")[2].partition("</p>")[0]
        return news.replace("<bdi>", "").replace("</bdi>", "")


@pytest.fixture
def reader(series: str, phone: Callable[..., Any]) -> Callable[..., Reader]:
    def joins(role: Role = Role.ENTER) -> Reader:
        return Reader(phone(series, role)[1], series)

    return joins


def test_is_the_scoreboard_and_nothing_around_it(table, reader):
    table.records(100, 84, 80)
    text = reader().fetches().get_data(as_text=True)
    assert '<tr id="round-1">' in text
    assert "<html" not in text
    assert "csrf_token" not in text


def test_is_in_the_page_as_it_is_alone(table, reader):
    table.records(100, 84, 80)
    one = reader()
    page = one.client.get(f"/s/{one.series}").get_data(as_text=True)
    alone = one.fetches().get_data(as_text=True).partition("</p>")[2]
    assert alone.strip() in page
    assert f'data-tag="{one.tag.strip(chr(34))}"' in page


def test_is_sent_once_for_each_version(table, reader):
    one = reader()
    assert one.fetches().status_code == 200
    assert (one.fetches().status_code, one.fetches().get_data()) == (304, b"")
    table.records(100, 84, 80)
    assert one.fetches().status_code == 200
    assert one.fetches().status_code == 304
    assert one.fetches(tag=f"W/{one.tag}").status_code == 304


def test_depends_on_role_and_language(reader):
    viewer, scorer = reader(Role.VIEW), reader(Role.ENTER)
    assert b"Enter round" not in viewer.fetches().data
    assert b"Enter round" in scorer.fetches().data
    assert viewer.tag != scorer.tag
    english = scorer.tag
    assert scorer.fetches(Accept_Language="ja").status_code == 200
    assert scorer.tag != english


def test_is_kept_by_no_cache(reader):
    answer = reader().fetches()
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.vary.as_set() >= {"accept", "accept-language", "cookie"}


@pytest.mark.parametrize("page", ["", "/rounds/1"])
def test_a_phone_that_is_put_out_gets_nothing(table, series, phone, page):
    table.records(100, 84, 80)
    device, client = phone(series)
    one = Reader(client, series)
    assert one.fetches(page).status_code == 200
    with writing(series) as books:
        books.delete(books.get(Grant, (device, series, Role.ENTER)))
    assert one.fetches(page).status_code == 404


def test_a_stranger_gets_nothing(app, series):
    assert Reader(app.test_client(), series).fetches().status_code == 404


def test_fetching_changes_nothing(reader):
    one = reader()
    before = everything()
    one.fetches()
    one.fetches()
    assert everything() == before


def test_what_the_address_says_more_is_another_part(reader):
    one = reader()
    few = one.fetches("?plays=1&plays=2").get_data(as_text=True)
    one.tag = None
    assert one.fetches().get_data(as_text=True) != few


# --- A round --------------------------------------------------------------------------------------


def test_a_round_follows_its_corrections(table, reader):
    table.records(100, 84, 80)
    one = reader()
    assert "Corrected" not in one.fetches("/rounds/1").get_data(as_text=True)
    table.corrects(1, 84, 100, 80)
    assert "Corrected 1 time." in one.fetches("/rounds/1").get_data(as_text=True)


def test_a_round_that_was_withdrawn_says_so(table, series, reader):
    table.records(100, 84, 80)
    one = reader()
    one.fetches("/rounds/1")
    ledger.withdraw(series, 1, revision=1)
    answer = one.fetches("/rounds/1")
    assert answer.status_code == 200
    assert "This round was withdrawn." in answer.get_data(as_text=True)


# --- News -----------------------------------------------------------------------------------------


def test_whoever_has_nothing_yet_hears_no_news(table, reader):
    table.records(100, 84, 80)
    assert reader().hears() == ""


def test_news_of_a_round_are_its_amounts(table, reader):
    one = reader()
    one.fetches()
    table.records(97, 87, 80)
    assert one.hears() == "Round 1 is in: Aki +9, Ben −1, Chie −8."
    table.corrects(1, 87, 97, 80)
    assert one.hears() == "Round 1 was corrected: Aki −1, Ben +9, Chie −8."
    table.records(None, None, None, end="void")
    assert one.hears() == "Round 2 is in, without a result."
    assert one.fetches().status_code == 304


def test_news_of_anything_else_are_as_in_the_history(table, series, reader):
    one = reader()
    one.fetches()
    table.records(97, 87, 80)
    ledger.withdraw(series, 1, revision=1)
    assert one.hears().endswith("Round 1 was withdrawn.")
    ledger.add_player(series, "<Dai>")
    assert one.hears() == "&lt;Dai&gt; joined."
    ledger.change_series(series, state="finished")
    assert one.hears() == "The series was finished."


def test_who_was_away_hears_how_much_happened(table, reader):
    one = reader()
    one.fetches()
    for _ in range(2):
        table.records(97, 87, 80)
    assert one.hears().count("is in:") == 2
    for _ in range(5):
        table.records(97, 87, 80)
    assert one.hears().startswith("5 changes meanwhile. Round 6 is in:")


@pytest.mark.parametrize("tag", ['"99-enter-en"', '"x"', "*", '""', '"1"', '"-1-enter-en"'])
def test_a_tag_of_no_version_brings_no_news(reader, tag):
    assert reader().hears(tag=tag) == ""


def test_what_many_want_is_made_once():
    shared = Shared(size=2, moment=60)
    made = [0, 1, 2, 3]
    for key, first in ("a", 0), ("b", 1), ("a", 0), ("b", 1), ("c", 2), ("a", 3):
        assert shared.get(key, lambda: made.pop(0)) == first


def test_what_was_wanted_long_ago_is_made_anew():
    shared = Shared(size=2, moment=0)
    made = [0, 1]
    assert [shared.get("a", lambda: made.pop(0)) for _ in range(2)] == [0, 1]


def test_whoever_wants_it_meanwhile_waits_for_it():
    shared = Shared(size=2, moment=60)
    begun, go_on = threading.Event(), threading.Event()

    def make() -> int:
        begun.set()
        assert go_on.wait(PATIENCE)
        return 1

    with ThreadPoolExecutor() as threads:
        first = threads.submit(shared.get, "a", make)
        assert begun.wait(PATIENCE)
        others = [threads.submit(shared.get, "a", lambda: 2) for _ in range(3)]
        go_on.set()
        assert [one.result(PATIENCE) for one in [first, *others]] == [1] * 4


def test_what_could_not_be_made_is_tried_again():
    shared = Shared(size=2, moment=60)
    with pytest.raises(ZeroDivisionError):
        shared.get("a", lambda: 1 // 0)
    assert shared.get("a", lambda: 1) == 1
