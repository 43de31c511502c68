"""A pile, or a round that waits, reaches the other phones: it is no event, and no new version."""

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import Client

from scorekeeper import ledger
from scorekeeper.ledger import Role

from ..conftest import everything
from .conftest import Ear
from .test_part import Reader


class Board(Reader):
    """A phone that follows the scoreboard, and can key piles."""

    def __init__(self, device: int, client: Client, series: str) -> None:
        super().__init__(client, series)
        self.device = device

    def keys(self, player: int, points: int) -> bool:
        fields = {"seat": {"points": str(points)}, "card": [], "hand": []}
        number = ledger.read(self.series).next_number
        seat = {"points": points}
        return ledger.key_pile(self.series, number, player, "points", fields, seat, by=self.device)


@pytest.fixture
def board(series: str, phone: Callable[..., Any]) -> Callable[..., Board]:
    def joins(role: Role = Role.ENTER) -> Board:
        device, client = phone(series, role)
        return Board(device, client, series)

    return joins


def named(ear: Ear) -> list[str]:
    return [line for line in ear.lines if line.startswith("event:")]


# --- On the stream --------------------------------------------------------------------------------


def test_a_pile_is_heard_at_once(board, listen, series):
    one, other = board(), board()
    ear = listen(series, client=other.client)
    assert ear.hears() == "1"
    one.keys(1, 100)
    assert ear.hears() == "1"
    assert named(ear) == ["event: pending"]
    one.keys(2, 84)
    assert ear.hears() == "2"


def test_its_event_has_no_number(board, listen, series):
    """What a stream goes on from is the version, and that stayed."""
    one = board()
    ear = listen(series, client=one.client)
    assert ear.hears() == "1"
    one.keys(1, 100)
    ear.hears()
    assert [line for line in ear.lines if line.startswith("id:")] == ["id: 1"]


def test_who_comes_later_hears_what_is_there(board, listen, series):
    one = board()
    one.keys(1, 100)
    ear = listen(series, client=one.client, headers={"Last-Event-ID": "1"})
    assert ear.hears() == "1"
    assert named(ear) == ["event: pending"]


def test_a_program_hears_versions_alone(board, listen, series, table):
    ear = listen(series)
    assert ear.hears() == "1"
    board().keys(1, 100)
    assert ear.hears_nothing()
    table.records(100, 84, 80)
    assert ear.hears() == "2"
    assert named(ear) == []


def test_after_the_round_it_begins_anew(board, listen, series, table):
    one = board()
    ear = listen(series, client=one.client)
    assert ear.hears() == "1"
    one.keys(1, 100)
    assert ear.hears() == "1"
    table.records(100, 84, 80)
    assert ear.hears() == "2"
    one.keys(1, 90)
    assert ear.hears() == "1"
    assert len(named(ear)) == 2


# --- In the part of a page ------------------------------------------------------------------------


def test_a_pile_is_news(board):
    one, other = board(), board(Role.VIEW)
    other.fetches()
    assert other.fetches().status_code == 304
    one.keys(1, 100)
    assert other.hears() == "The pile of Aki is in."
    assert other.fetches().status_code == 304
    one.keys(1, 90)
    assert other.hears() == "The pile of Aki was changed."
    board().keys(1, 80)
    assert other.hears() == "Two phones differ about the pile of Aki."


def test_news_of_a_pile_are_told_once(board):
    one, other = board(), board()
    other.fetches()
    one.keys(1, 100)
    other.hears()
    one.keys(2, 84)
    assert other.hears() == "The pile of Ben is in."


def test_who_is_keying_is_seen_and_no_news(board, series):
    one, other = board(), board()
    other.fetches()
    ledger.begin_pile(series, 1, 2, by=one.device)
    answer = other.fetches().get_data(as_text=True)
    assert "<p data-news></p>" in answer
    assert "<bdi>Ben</bdi> is keying" in answer


def test_the_round_that_they_become_is_the_news(board, table):
    one, other = board(), board()
    one.keys(1, 100)
    other.fetches()
    table.records(100, 84, 80)
    assert other.hears() == "Round 1 is in: Aki +12, Ben −4, Chie −8."
    assert other.fetches().status_code == 304


def test_a_round_that_waits_is_news(board, series, table):
    one, other = board(), board()
    ledger.change_series(series, confirm=True)
    other.fetches()
    document = {"number": 1, **table.document(100, 84, 80)}
    ledger.propose(series, document, {}, key="one tap", by=one.device)
    assert other.hears() == "Round 1 waits for a yes from another phone."
    ledger.give_back(series, ledger.pending(series).waiting.change, by=other.device)
    assert other.hears() == "Round 1 was given back."


@pytest.mark.parametrize("page", ["/pile", "/rounds/new", "/proposal"])
def test_every_page_of_a_round_follows(board, page):
    one, other = board(), board()
    other.fetches(page)
    assert other.fetches(page).status_code == 304
    one.keys(1, 100)
    assert other.hears(page) == "The pile of Aki is in."


def test_a_page_that_shows_no_piles_does_not_ask_again(board, table):
    table.records(100, 84, 80)
    one, other = board(), board()
    other.fetches("/rounds/1")
    one.keys(1, 100)
    assert other.fetches("/rounds/1").status_code == 304


def test_the_piles_have_nothing_of_one_phone(board):
    """Phones of a role are sent the same text."""
    one, other = board(), board()
    one.keys(1, 100)
    for page in ("", "/pile", "/rounds/new", "/proposal"):
        mine, theirs = (phone.fetches(page, tag="x").data for phone in (one, other))
        assert mine == theirs
        assert b"csrf_token" not in mine


def test_looking_changes_nothing(board):
    one = board()
    one.keys(1, 100)
    before = everything()
    for page in ("", "/pile", "/rounds/new", "/proposal"):
        one.fetches(page, tag="x")
    assert everything() == before
