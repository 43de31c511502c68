"""The scoreboard: who has what after which round, how it ended, and what comes next."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table, everything
from tests.web.conftest import Page, Phone

Joined = Callable[..., Phone]


def cells(page: Page) -> list[list[str]]:
    """The rows of the scoreboard as they are read out."""
    (table,) = re.findall(r'<table class="scores">(.*?)</table>', page.text, re.DOTALL)
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
    found = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows)
    return [[said(text) for text in row] for row in found]


def said(text: str) -> str:
    """What is read out of a piece of a page."""
    heard = re.sub(r'<(\w+)[^>]* aria-hidden="true"[^>]*>.*?</\1>', "", text)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", heard).split()))


def part(page: Page, name: str) -> str:
    """The text of a section of the page, by its class; nothing where there is none."""
    found = re.search(rf'<section class="{name}".*?</section>', page.text, re.DOTALL)
    return said(found[0]) if found else ""


# --- Cells ----------------------------------------------------------------------------------------


def test_amounts_and_running_totals_have_their_signs(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie", rules={"settlement": "additive"})
    table.records(100, 84, 80)
    heads, first, *_ = cells(joined(Role.VIEW).opens())
    assert heads == ["Round", "Aki", "Ben", "Chie"]
    assert first == ["1", "+100 親 +100", "+84 +84", "+80 +80"]


def test_before_somebody_joined_their_cells_are_empty(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben")
    table.records(100, 164)
    ledger.add_player(table.id, "Dora")
    table.records(100, 164, who="Aki Ben")
    rows = cells(joined(Role.VIEW).opens())
    assert [row[3] for row in rows] == ["Dora", "not there yet", "rests", "0", "–"]


def test_who_has_not_played_has_no_place(table: Table, joined: Joined) -> None:
    table.start("kaga", "Aki", "Ben", "Chie", "Dai")
    table.records(20, 50, who="Chie Dai", dealer=0)
    assert cells(joined(Role.VIEW).opens())[-1] == ["Place", "–", "–", "2", "1"]


def test_a_withdrawal_tells_no_place_of_who_has_not_played(table: Table, joined: Joined) -> None:
    table.start("kaga", "Aki", "Ben", "Chie", "Dai")
    table.records(20, 50, who="Chie Dai", dealer=0)
    text = joined().opens("/rounds/1/withdraw").text
    assert "place 2" in text
    assert "place None" not in text


# --- Misdeals -------------------------------------------------------------------------------------


def test_a_misdeal_is_told_as_one(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", length=3)
    for points in (100, 164), (164, 100):
        table.records(*points)
    table.records(end="void")
    page = joined(Role.VIEW).opens()
    assert cells(page)[3] == ["3", "No result (misdeal)"]
    assert "2 of 3 rounds played, 1 without a result" in page.text


def test_a_misdeal_in_an_open_ended_series(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", length=None)
    table.records(end="void")
    assert "0 rounds played, open end, 1 without a result" in joined(Role.VIEW).opens().text


def test_without_misdeals_nothing_is_said_of_them(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", length=3)
    table.records(100, 164)
    assert "without a result" not in joined(Role.VIEW).opens().text


# --- The end --------------------------------------------------------------------------------------


@pytest.fixture
def played(table: Table) -> Table:
    """A table that has played all of its two rounds."""
    table.start("bakappana", "Aki", "Ben", "Chie", length=2, rules={"tie": "nobody"})
    table.records(100, 84, 80)
    table.records(84, 100, 80)
    return table


def test_when_all_rounds_are_played_the_result_comes_first(played: Table, joined: Joined) -> None:
    page = joined(Role.MANAGE).opens()
    assert part(page, "outcome").startswith(
        "All rounds are played First place is shared: Aki , Ben , with +8 each, "
        "24 ahead of Chie . in points"
    )
    assert page.text.index('class="outcome"') < page.text.index('class="scores"')


def test_who_has_won_and_by_how_much(played: Table, joined: Joined) -> None:
    played.corrects(2, 90, 90, 84)
    assert "Aki has won with +14, 16 ahead of Ben . in points" in part(
        joined(Role.VIEW).opens(), "outcome"
    )


def test_all_level(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", length=1)
    table.records(132, 132)
    assert "All are level: Aki , Ben , with 0 each." in part(joined(Role.VIEW).opens(), "outcome")


def test_the_host_finishes_the_series_there(played: Table, joined: Joined) -> None:
    host = joined(Role.MANAGE)
    page = host.opens()
    assert re.search(r'<button class="main" form="finish"[^>]*>Finish the series<', page.text)
    (form,) = (form for form in page.forms if form.path.endswith("/state"))
    done = form.presses("state", "finished")
    assert done.saved
    assert done.follows().path == host.series
    assert played.book.finished
    assert "The series is finished" in host.opens().text


@pytest.mark.parametrize("role", [Role.ENTER, Role.VIEW])
def test_others_do_not(played: Table, joined: Joined, role: Role) -> None:
    page = joined(role).opens()
    assert "Finish the series" not in page.text
    assert not [form for form in page.forms if form.path.endswith("/state")]


def test_the_table_may_go_on(played: Table, joined: Joined) -> None:
    text = joined().opens().text
    assert re.search(r'class="button" href="[^"]*/rounds/new">Go on: enter round 3<', text)


def test_nothing_of_that_while_rounds_are_left(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", length=2)
    table.records(100, 164)
    page = joined(Role.MANAGE).opens()
    assert part(page, "outcome") == ""
    assert not [link for link in page.links if "again=" in link]


def test_a_finished_series_offers_no_round_and_no_notes(played: Table, joined: Joined) -> None:
    ledger.change_series(played.id, state="finished")
    page = joined(Role.MANAGE).opens()
    assert "/rounds/new" not in page.text
    assert 'class="notes"' not in page.text
    assert 'class="hint kept"' in page.text


def test_a_series_that_ended_before_it_began(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben")
    ledger.change_series(table.id, state="finished")
    assert "No round was played." in part(joined(Role.VIEW).opens(), "outcome")


# --- Once more ------------------------------------------------------------------------------------


def again(phone: Phone) -> Page:
    (link,) = (link for link in phone.opens().links if "again=" in link)
    return phone.opens(link)


def test_the_same_people_play_again(played: Table, joined: Joined) -> None:
    ledger.add_player(played.id, "Dora")
    ledger.change_player(played.id, played.player("Ben"), left=True)
    before = everything()
    phone = joined()
    started = again(phone).form.presses()
    assert started.saved
    old, book = played.book, ledger.read(started.answer.location.split("/")[2])
    assert book.id != old.id
    assert [person.name for person in book.players] == ["Aki", "Chie", "Dora"]
    assert (book.game, book.length, book.house_rules) == ("bakappana", 2, {"tie": "nobody"})
    # Whoever starts it manages it, and nothing of the old one has changed.
    phone.series = f"/s/{book.id}"
    assert phone.opens("/phones").status == 200
    for name in ("event", "posting", "player"):
        assert set(before[name]) <= set(everything()[name])
    assert played.book == old


def test_what_is_typed_there_counts(played: Table, joined: Joined) -> None:
    form = again(joined()).form
    started = form.types({"names-0": "Emi", "length": "open"}).presses()
    book = ledger.read(started.answer.location.split("/")[2])
    assert [person.name for person in book.players] == ["Emi", "Ben", "Chie"]
    assert book.length is None


@pytest.mark.parametrize("asked", ["ID", "nowhere", "", "\0"])
def test_nobody_else_learns_who_played(played: Table, phone: Phone, asked: str) -> None:
    page = phone.opens(f"/new/bakappana?again={asked.replace('ID', played.id)}")
    assert page.status == 200
    assert "Chie" not in page.text


def test_another_game_has_other_rules(played: Table, joined: Joined) -> None:
    assert "Chie" not in joined().opens(f"/new/kaga?again={played.id}").text


# --- Notes ----------------------------------------------------------------------------------------


def test_notes_say_that_they_are_of_this_phone_alone(table: Table, joined: Joined) -> None:
    table.start("hachi-hachi", "Aki", "Ben", "Chie")
    text = joined().opens().text
    assert "Kept on this phone until the round is entered on it." in text
    assert "＋役" not in text


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [("hachi-hachi", "p1-dekiyaku", "goko"), ("yokohama-bana", "p1-teyaku", "sanbon sanbon")],
)
def test_whatever_can_be_ticked_in_the_form_can_be_noted(
    table: Table, joined: Joined, game: str, name: str, value: str
) -> None:
    """Four brights are worth more with the rain man, and some hands hold a yaku twice."""
    table.start(game, "Aki", "Ben", "Chie")
    for page in ("", "/rounds/new"):
        assert f'name="{name}" value="{value}"' in joined().opens(page).text


# --- A round --------------------------------------------------------------------------------------


def test_sentences_stand_apart(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.corrects(1, 100, 80, 84)
    text = " ".join(joined(Role.VIEW).opens("/rounds/1").text.split())
    assert "Aki</bdi> dealt. Played out and counted. Corrected 1 time." in text


# --- The history ----------------------------------------------------------------------------------


def test_moments_are_written_so_that_a_script_can_read_them(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    text = joined(Role.VIEW).opens("/history").text
    at = ledger.history(table.id)[0].at
    assert f'<time datetime="{at.isoformat()}">{at:%Y-%m-%d %H:%M} UTC</time>' in text


def test_a_draw_is_told(phone: Phone) -> None:
    drawn = {"drawn-0": "3B", "drawn-1": "1B", "drawn-2": "5A"}
    assert phone.starts("bakappana", "Aki", "Ben", "Chie", first="draw", **drawn).saved
    assert "<bdi>Ben</bdi> drew the first deal." in phone.opens("/history").text
