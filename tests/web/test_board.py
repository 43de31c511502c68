"""The scoreboard: who has what after which round, how it ended, and what comes next."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.live import PART
from tests.conftest import Table, everything
from tests.web.conftest import Page, Phone

Joined = Callable[..., Phone]


def cells(page: Page) -> list[list[str]]:
    """The rows of the scoreboard as they are read out."""
    (table,) = re.findall(r'<table class="scores">(.*?)</table>', page.text, re.DOTALL)
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
    found = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows)
    return [[said(text) for text in row] for row in found]


def row(page: Page, head: str) -> list[str]:
    """What stands beside a head in its row of the scoreboard."""
    (found,) = (row for row in cells(page) if row[0] == head)
    return found[1:]


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
    page = joined(Role.VIEW).opens()
    assert row(page, "Round") == ["Aki", "Ben", "Chie"]
    assert row(page, "1") == ["+100 親 +100", "+84 +84", "+80 +80"]


def test_before_somebody_joined_their_cells_are_empty(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben")
    table.records(100, 164)
    ledger.add_player(table.id, "Dora")
    table.records(100, 164, who="Aki Ben")
    page = joined(Role.VIEW).opens()
    heads = ("Round", "1", "2", "Points", "Place")
    assert [row(page, head)[2] for head in heads] == ["Dora", "not there yet", "rests", "0", "–"]


def test_who_has_left_does_not_rest(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 164, who="Aki Ben")
    ledger.change_player(table.id, 3, left=True)
    table.records(100, 164, who="Aki Ben")
    page = joined(Role.VIEW).opens()
    assert [row(page, number)[2] for number in "12"] == ["rests", "has left"]


def test_who_has_not_played_has_no_place(table: Table, joined: Joined) -> None:
    table.start("kaga", "Aki", "Ben", "Chie", "Dai")
    table.records(20, 50, who="Chie Dai", dealer=0)
    assert row(joined(Role.VIEW).opens(), "Place") == ["–", "–", "2", "1"]


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
    assert row(page, "3") == ["No result (misdeal)"]
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
        "24 ahead of Chie . Equal totals share the place: nothing breaks a tie at the end. "
        "in points"
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


# --- Other rules in the middle of the evening -----------------------------------------------------


@pytest.fixture
def mixed(table: Table) -> Table:
    """Two rounds by par, in points, and two by Makatsu, in shares."""
    table.start("bakappana", "Aki", "Ben", "Chie", length=4)
    table.records(100, 84, 80)
    table.records(84, 100, 80)
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    table.records(80, 84, 100)
    table.records(84, 80, 100)
    return table


MAKATSU = "How the points are paid: Makatsu: the most points get one share from each other player"
PAR = "How the points are paid: par: what you have above or below the average"


def test_a_row_divides_the_rounds_where_the_rules_changed(mixed: Table, joined: Joined) -> None:
    rows = [row[0] for row in cells(joined(Role.VIEW).opens())]
    at = rows.index(f"From round 3 on {MAKATSU} in shares")
    assert rows[at - 1] == "3 shares"
    assert rows[at + 1] == "2 points"


def test_rules_that_no_round_was_played_by_yet_are_there_too(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    ledger.change_series(table.id, rules={"tie": "ask"})
    assert "From round" not in joined().opens().text
    table.records(100, 84, 80)
    ledger.change_series(table.id, rules={"tie": "nobody"})
    rows = [row[0] for row in cells(joined().opens())]
    assert rows[rows.index("1") - 1] == "From round 2 on A tie for the most: nobody takes it"


def test_each_unit_has_its_total_and_its_end(mixed: Table, joined: Joined) -> None:
    page = joined(Role.VIEW).opens()
    assert row(page, "Place by points") == ["1", "1", "3"]
    assert row(page, "Place by shares") == ["2", "2", "1"]
    outcome = part(page, "outcome")
    assert "in points, rounds 1–2 Chie has won with +4, 6 ahead of Aki , Ben . in shares" in outcome
    assert "in shares, rounds 3–4" in outcome


def test_one_unit_is_named_once(played: Table, joined: Joined) -> None:
    page = joined(Role.VIEW).opens()
    assert [row[0] for row in cells(page)].count("Place") == 1
    assert row(page, "1")
    assert "rounds 1–2" not in part(page, "outcome")


# --- How many rounds ------------------------------------------------------------------------------


def test_after_a_misdeal_a_round_says_as_which_it_counts(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", length=2)
    phone = joined()
    assert "It counts as round" not in phone.opens().text
    assert "· of 2<" in phone.opens("/rounds/new").text
    table.records(end="void")
    assert "It counts as round 1 of 2: what had no result is left out." in phone.opens().text
    assert "counts as 1 of 2<" in phone.opens("/rounds/new").text
    table.records(100, 164)
    table.records(100, 164)
    assert "beyond the 2<" in phone.opens("/rounds/new").text


def test_a_misdeal_says_beforehand_that_it_does_not_count(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", length=2)
    said = "It does not count towards the 2 rounds: another one is played for it."
    assert said in joined().opens("/rounds/new").text
    ledger.change_series(table.id, length=None)
    assert "It does not count" not in joined().opens("/rounds/new").text


def test_more_rounds_than_agreed(played: Table, joined: Joined) -> None:
    played.records(100, 84, 80)
    text = joined(Role.VIEW).opens().text
    assert "3 rounds played, 1 more than agreed" in text
    assert "All 2 rounds are played, and 1 more" in text
    assert "3 of 2" not in text


def test_who_won_without_playing_all(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie", length=2)
    table.records(100, 84, 80)
    table.records(132, 132, who="Ben Chie", dealer=0)
    assert "Aki (1 of 2 rounds) has won with +12" in part(joined().opens(), "outcome")


def test_a_finished_series_says_who_can_open_it_again(played: Table, joined: Joined) -> None:
    ledger.change_series(played.id, state="finished")
    host = joined(Role.MANAGE)
    assert f"{host.series}/manage#end" in host.opens().links
    page = joined().opens()
    assert "Whoever has the host’s link can open it again" in page.text
    assert f"{host.series}/manage#end" not in page.links


# --- A round --------------------------------------------------------------------------------------


def test_sentences_stand_apart(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.corrects(1, 100, 80, 84)
    text = said(joined(Role.VIEW).opens("/rounds/1").text)
    assert "Aki dealt. Played out and counted. Corrected 1 time." in text


def test_a_corrected_round_is_marked(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(100, 84, 80)
    table.corrects(1, 80, 100, 84)
    text = joined(Role.VIEW).opens().text
    assert 'aria-label="Round 1, corrected"' in text
    assert 'aria-label="Round 2"' in text
    table.undoes()
    assert 'aria-label="Round 1"' in joined(Role.VIEW).opens().text


def test_a_corrected_round_tells_who_did_it_and_why(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    phone = joined()
    form = phone.types_points(84, 100, 80, form=phone.opens("/rounds/1/correct").form)
    done = form.types(reason="two piles swapped").presses("preview").form.presses("save")
    assert done.saved
    table.records(100, 84, 80)
    page = joined(Role.VIEW).opens("/rounds/1")
    (listed,) = re.findall(r'<section id="changed">(.*?)</section>', page.text, re.DOTALL)
    assert "Round 1 was corrected. “ two piles swapped ”" in said(listed)
    (link,) = (link for link in page.links if "#event-3" in link)
    assert 'id="event-3"' in page.phone.opens(link.partition("#")[0]).text
    assert 'id="changed"' not in joined(Role.VIEW).opens("/rounds/2").text


def test_a_round_recorded_anew_was_not_corrected(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.corrects(1, 84, 100, 80)
    table.withdraws(1)
    table.records(100, 84, 80)
    text = joined(Role.VIEW).opens("/rounds/1").text
    assert "Corrected" not in text
    assert 'id="changed"' not in text


def test_that_somebody_else_dealt_stays_on_the_page(table: Table, joined: Joined) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(84, 100, 80)
    remark = "By round 1, Chie would have dealt round 2; Aki dealt it, and that stays."
    assert remark not in said(joined().opens("/rounds/1").text)
    table.corrects(1, 80, 84, 100)
    assert remark in said(joined().opens("/rounds/1").text)
    table.undoes()
    assert remark not in said(joined().opens("/rounds/1").text)


def test_by_which_rules_an_old_round_counts(mixed: Table, joined: Joined) -> None:
    told = f"Round 2 was played under: {PAR}. It stays so."
    phone = joined()
    assert told in said(phone.opens("/rounds/2").text)
    assert "was played under" not in phone.opens("/rounds/3").text
    page = phone.opens("/rounds/2/correct")
    assert told in said(page.text)
    page = phone.types_points(80, 100, 84, form=page.form).presses("preview")
    assert said(page.text).count(told) == 1


def test_an_old_round_is_corrected_on_the_page_of_its_own_rules(
    table: Table, joined: Joined
) -> None:
    table.start("yokohama-bana", "Aki", "Ben", "Chie")
    document = table.document(end="stopped", stopped_by=0)
    document["seats"][0]["dekiyaku"] = ["aotan"]
    ledger.record(table.id, {"number": 1, **document})
    ledger.change_series(table.id, rules={"after_dekiyaku": "play_on"})
    phone = joined()
    assert 'value="stopped"' in phone.opens("/rounds/1/correct").text
    assert 'value="stopped"' not in phone.opens("/rounds/new").text


def test_what_follows_names_the_units_and_the_round_itself(mixed: Table, joined: Joined) -> None:
    phone = joined()
    form = phone.types_points(80, 100, 84, form=phone.opens("/rounds/2/correct").form)
    text = said(form.presses("preview").text)
    assert (
        "Player now then "
        "Round 2 in points Aki −4 −8 Ben +12 +12 Chie −8 −4 "
        "Totals in points Aki +8 place 1 +4 place 2 Ben +8 place 1 +8 place 1 "
        "Chie −16 place 3 −12 place 3 "
        "Totals in shares"
    ) in text


def test_a_unit_that_nothing_is_counted_in_any_more_is_shown_going(
    table: Table, joined: Joined
) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    table.records(100, 84, 80)
    assert ("Totals in shares Aki +2 place 1 – Ben −1 place 2 – Chie −1 place 2 –") in said(
        joined().opens("/rounds/2/withdraw").text
    )


def test_only_the_last_round_can_be_withdrawn_and_that_is_said(
    played: Table, joined: Joined
) -> None:
    hint = "Only the last round can be withdrawn, round 2; this one can be corrected."
    assert hint in joined().opens("/rounds/1").text
    assert hint not in joined().opens("/rounds/2").text
    assert hint not in joined(Role.VIEW).opens("/rounds/1").text


def test_of_points_alone_the_cards_say_what_is_known(table: Table, joined: Joined) -> None:
    table.start("kaga", "Aki", "Ben")
    table.records(30, 10)
    text = said(joined().opens("/rounds/1").text)
    assert text.count("Captured: card points and yaku alone are known.") == 2


def test_what_it_would_have_paid_names_rules_and_choices(mixed: Table, joined: Joined) -> None:
    text = said(joined().opens("/rounds/1/otherwise").text)
    assert f"as booked {PAR}" in text
    assert f"{MAKATSU} in shares +2 −1 −1" in text


# --- A tie ----------------------------------------------------------------------------------------


def test_the_question_names_who_ties_and_with_what(table: Table, joined: Joined) -> None:
    table.start("yokohama-bana", "Aki", "Ben", "Chie", rules={"tie": "ask"})
    page = joined().types_points(100, 100, 64).presses("preview")
    text = said(page.text)
    assert "Aki , Ben tie for the most, with 100 each. Who takes it?" in text
    assert "Each of them: each is paid by everyone who is not tied." in text


def test_a_tie_that_the_rules_decide_is_told_beside_the_amounts(
    table: Table, joined: Joined
) -> None:
    table.start("yokohama-bana", "Aki", "Ben", "Chie")
    form = joined().types_points(100, 100, 64)
    told = "Aki , Ben tie for the most. House rule: the earliest from the dealer takes it, Aki ."
    live = form.presses("preview", headers={"Accept": PART})
    assert told in said(live.text)
    before, _, folded = form.presses("preview").text.partition('<details class="working"')
    assert told in said(before)
    assert told in said(folded)


# --- The history ----------------------------------------------------------------------------------


def test_a_draw_is_told(phone: Phone) -> None:
    drawn = {"drawn-0": "3B", "drawn-1": "1B", "drawn-2": "5A"}
    assert phone.starts("bakappana", "Aki", "Ben", "Chie", first="draw", **drawn).saved
    assert "<bdi>Ben</bdi> drew the first deal." in phone.opens("/history").text
