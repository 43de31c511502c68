"""Every player keys their own pile, on their own phone."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.live import PART
from tests.conftest import Table, everything
from tests.web.conftest import Form, Page, Phone
from tests.web.test_security import attack

AKI, BEN, CHIE = (1, 4, 3, 12), (2, 3, 4, 7), (2, 2, 3, 5)
KINDS = ("bright", "animal", "ribbon", "chaff")


@pytest.fixture
def table(table: Table) -> Table:
    table.start("bakappana", "Aki", "Ben", "Chie")
    return table


@pytest.fixture
def four(table: Table, joined: Callable[..., Phone]) -> list[Phone]:
    """The phones of Aki, Ben and Chie, who have said who they are, and of one who watches."""
    phones = [joined() for _ in range(3)]
    for player, phone in enumerate(phones, 1):
        phone.opens("/who").form.presses("player", str(player))
    return [*phones, joined(Role.VIEW)]


def pile(phone: Phone, player: int | None = None) -> Form:
    """The form of a pile, of this phone's own player where nobody is named."""
    page = phone.opens("/pile" if player is None else f"/pile?player={player}")
    return form_of(page)


def form_of(page: Page) -> Form:
    (form,) = (form for form in page.forms if "form" in form.fields)
    return form


def keys(phone: Phone, counts: tuple[Any, ...], player: int | None = None) -> Page:
    form = pile(phone, player)
    whose = form.fields["player"]
    typed = {f"p{whose}-{kind}": one for kind, one in zip(KINDS, counts, strict=True)}
    return form.types(typed).presses("save")


def seats(page: Page) -> list[str]:
    """The lines of the list of piles."""
    _, _, text = page.text.partition('<section class="seats"')
    lines = text.partition("</ul>")[0].split("<li")[1:]
    return [line.partition("<span>")[2].partition("</span>")[0] for line in map(plain, lines)]


def plain(text: str) -> str:
    for tag in ("<bdi>", "</bdi>", "<small>", "</small>"):
        text = text.replace(tag, "")
    return " ".join(text.split())


def says(page: Page, text: str) -> bool:
    return text in plain(page.text)


# --- Keying ---------------------------------------------------------------------------------------


def test_a_phone_that_said_who_it_is_gets_its_own_pile(four: list[Phone]) -> None:
    page = four[1].opens("/pile")
    assert "<h1>Your pile, round 1</h1>" in page.text
    assert form_of(page).fields["player"] == "2"
    assert not [name for name in form_of(page).fields if name.startswith(("p1-", "p3-"))]


def test_a_phone_that_said_nothing_chooses_a_pile(table: Table, joined: Callable) -> None:
    page = joined().opens("/pile")
    assert says(page, "Whose pile, round 1?")
    chosen = [link for link in page.links if "player=" in link]
    assert [link[-1] for link in chosen] == ["1", "2", "3"]


def test_somebody_else_can_key_it_and_the_page_says_so(four: list[Phone]) -> None:
    page = four[0].opens("/pile?player=3")
    assert says(page, "The pile of Chie, round 1")
    assert says(page, "You key this for Chie.")
    keys(four[0], CHIE, player=3)
    assert "Chie is in, from Aki’s phone" in seats(four[1].opens())


def test_everybody_sees_who_is_in(four: list[Phone]) -> None:
    assert seats(four[3].opens()) == []
    assert keys(four[0], AKI).saved
    for page in (four[3].opens(), four[1].opens("/pile"), four[2].opens("/rounds/new")):
        lines = seats(page)
        assert lines[0] == "Aki is in"
        assert lines[1:] == ["Ben is not in yet", "Chie is not in yet"]
    keys(four[1], BEN)
    assert seats(four[3].opens())[1:] == ["Ben is in", "Chie would have the rest"]


def test_where_a_pile_is_keyed_the_list_is_there_from_the_start(four: list[Phone]) -> None:
    """What came later would move the keys under the thumb."""
    aki = four[0]
    nobody = ["Aki is not in yet", "Ben is not in yet", "Chie is not in yet"]
    assert seats(aki.opens("/pile")) == nobody
    part = {"Accept": "text/x-fragment"}
    assert seats(aki.sends("GET", aki.at("/pile?player=1"), headers=part)) == nobody


def test_who_has_begun_is_keying(four: list[Phone]) -> None:
    assert pile(four[2]).presses("begin").status == 204
    assert "Chie is keying" in seats(four[0].opens())
    pile(four[2]).presses("begin", "0")
    assert "Chie is keying" not in seats(four[0].opens())


def test_a_pile_is_not_in_the_books(four: list[Phone], table: Table) -> None:
    keys(four[0], AKI)
    assert (table.book.version, table.book.rounds) == (1, ())


def test_the_piles_become_the_round(four: list[Phone], table: Table) -> None:
    for phone, counts in zip(four, (AKI, BEN, CHIE), strict=False):
        keys(phone, counts)
    board = four[0].opens()
    assert says(board, "All piles are in, and they add up.")
    assert says(board, "Look at round 1 and save it")
    page = four[1].opens("/rounds/new")
    assert 'id="result"' in page.text
    done = page.form.presses("save")
    assert done.saved
    (played,) = table.book.rounds
    assert [seat["counts"]["chaff"] for seat in played.entry["seats"]] == [12, 7, 5]
    assert seats(done.follows()) == []
    assert not everything()["pending"]


def test_two_piles_are_enough_where_the_third_is_the_rest(four: list[Phone], table: Table) -> None:
    keys(four[0], AKI)
    keys(four[1], BEN)
    page = four[0].opens("/rounds/new").form.presses("preview")
    assert page.form.presses("save").saved
    assert table.book.rounds[0].entry["seats"][2] == {"player": 3, "counts": "rest"}


def test_a_pile_can_be_changed_and_that_is_seen(four: list[Phone]) -> None:
    keys(four[0], (1, 4, 3, 10))
    keys(four[0], AKI)
    assert "Aki is in, changed once" in seats(four[3].opens())
    assert pile(four[0]).fields["p1-chaff"] == "12"


def test_a_pile_can_be_taken_out(four: list[Phone]) -> None:
    keys(four[0], AKI)
    pile(four[0]).presses("drop")
    assert seats(four[1].opens()) == []


def test_keyed_points(phones: Callable, joined: Callable, table: Table) -> None:
    phone = joined()
    form = form_of(phone.opens("/pile?player=1&use=points"))
    assert form.types({"p1-points": "８８"}).presses("save").saved
    assert form_of(phone.opens("/pile?player=2")).fields["form"] == "points"


def test_keyed_cards(joined: Callable, table: Table) -> None:
    phone = joined()
    form = form_of(phone.opens("/pile?player=1&use=captured"))
    assert form.types({"card-1B": 1, "card-1R": 1}).presses("save").saved
    assert form_of(phone.opens("/pile?player=1")).fields["card-1B"] == "1"
    keyed = ledger.pending(table.id).piles[1]
    assert keyed.seat == {"captured": "1B 1R"}


def test_a_hand_and_teyaku_belong_to_their_seat(joined: Callable, table: Table) -> None:
    table.start("hachi-hachi", "Aki", "Ben", "Chie")
    phone = joined()
    form = form_of(phone.opens("/pile?player=2&use=points"))
    assert form.types({"p2-points": 88, "p2-teyaku": ["sanbon"]}).presses("save").saved
    assert phone.opens("/rounds/new").form.fields["p2-teyaku"] == "sanbon"


@pytest.mark.parametrize("game", ["kaga", "hana-awase", "hachi-hachi", "yokohama-bana"])
def test_every_game_has_a_pile_to_key(joined: Callable, table: Table, game: str) -> None:
    table.start(game, *("Aki", "Ben", "Chie")[: 2 if game == "kaga" else 3])
    page = joined().opens("/pile?player=1")
    assert form_of(page).fields["form"] in ("counts", "captured", "named", "points")
    assert "months" not in page.text


# --- What the rules say ---------------------------------------------------------------------------


def test_one_chaff_is_missing(four: list[Phone]) -> None:
    keys(four[0], AKI)
    keys(four[1], BEN)
    keys(four[2], (2, 2, 3, 4))
    board = four[3].opens()
    assert says(board, "The piles do not make up the deck: chaff: 23 instead of 24, 1 too few")
    assert "All piles are in" not in board.text


def test_an_odd_pile_is_said_before_the_others_are_in(four: list[Phone]) -> None:
    keys(four[0], (1, 4, 3, 11))
    told = "Aki has an odd number of cards, 19: matching always takes two or four"
    assert says(four[3].opens(), told)


def test_two_players_have_the_rain_man(joined: Callable, table: Table) -> None:
    phone = joined()
    for player in (1, 2):
        form = form_of(phone.opens(f"/pile?player={player}&use=captured"))
        form.types({"card-11B": player}).presses("save")
    board = phone.opens()
    assert 'aria-label="rain man"' in board.text
    assert says(board, ": in the piles of both Aki and Ben.")


def test_points_that_do_not_add_up(joined: Callable, table: Table) -> None:
    phone = joined()
    for player, points in ((1, 100), (2, 84), (3, 76)):
        form = form_of(phone.opens(f"/pile?player={player}&use=points"))
        form.types({f"p{player}-points": points}).presses("save")
    assert says(phone.opens(), "The card points add up to 260 instead of 264: 4 too few.")


# --- Two phones differ ----------------------------------------------------------------------------


def test_the_first_stays_until_somebody_chooses(four: list[Phone], table: Table) -> None:
    keys(four[1], BEN)
    asked = keys(four[0], (2, 3, 3, 8), player=2).follows()
    assert says(asked, "Two phones differ: which is right?")
    assert says(asked, "bright 2, animal 3, ribbon 4, chaff 7")
    assert says(asked, "bright 2, animal 3, ribbon 3, chaff 8")
    assert ledger.pending(table.id).piles[2].seat["counts"]["chaff"] == 7
    assert "Ben: two phones differ" in seats(four[3].opens())
    theirs = ledger.pending(table.id).others[2][0].device
    next(form for form in asked.forms if "form" not in form.fields).presses("choose", str(theirs))
    assert ledger.pending(table.id).piles[2].seat["counts"]["chaff"] == 8
    assert seats(four[3].opens())[1] == "Ben is in, from Aki’s phone"


def test_saying_the_same_is_no_difference(four: list[Phone], table: Table) -> None:
    keys(four[1], BEN)
    keys(four[0], BEN, player=2)
    assert not ledger.pending(table.id).others


# --- On the page of the round ---------------------------------------------------------------------


def test_a_pile_is_taken_into_what_was_typed(four: list[Phone]) -> None:
    form = four[0].opens("/rounds/new").form.types({"p1-bright": 4, "p2-bright": 1})
    keys(four[1], BEN)
    page = form.presses("preview")
    assert 'name="take" value="2"' in page.text
    taken = page.form.presses("take", "2")
    assert (taken.form.fields["p2-bright"], taken.form.fields["p1-bright"]) == ("2", "4")
    assert 'name="take"' not in taken.text


# --- Refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (("lots", 1, 1, 1), "“lots” is not a whole number."),
        ((9, 1, 1, 1), "the deck has 5, not 9."),
        ((1, 1, 1, ""), "A blank is not a zero."),
        (("", "", "", ""), "What is in this pile?"),
    ],
)
def test_what_is_no_pile_is_refused_and_kept(four: list[Phone], counts: Any, said: str) -> None:
    before = everything()
    page = keys(four[0], counts)
    assert says(page, said)
    assert "refusal-pile-1" in page.refusals
    assert form_of(page).fields["p1-bright"] == str(counts[0])
    assert everything() == before


def test_a_pile_of_nobody_is_none(four: list[Phone]) -> None:
    form = pile(four[0])
    for player in ("9", "x", "0"):
        form.fields["player"] = player
        assert form.presses("save").status == 400
    assert says(four[0].opens("/pile?player=9"), "Whose pile")


def test_who_has_left_has_no_pile(four: list[Phone], table: Table) -> None:
    form = pile(four[2]).types({f"p3-{kind}": 1 for kind in KINDS})
    ledger.change_player(table.id, 3, left=True)
    assert says(form.presses("save"), "Chie has left the series.")
    assert not ledger.pending(table.id).piles
    assert says(four[2].opens("/pile"), "Whose pile")


def test_another_form_than_the_others_is_refused(four: list[Phone]) -> None:
    form = form_of(four[1].opens("/pile?use=points")).types({"p2-points": 88})
    keys(four[0], AKI)
    form.fields["form"] = "points"
    page = form.presses("save")
    assert says(page, "The other piles of this round were keyed in another form")


def test_a_round_that_was_recorded_meanwhile(four: list[Phone], table: Table) -> None:
    form = pile(four[0]).types({f"p1-{kind}": 1 for kind in KINDS})
    table.records(100, 84, 80)
    page = form.presses("save")
    assert says(page, "Round 1 is recorded already.")
    assert form_of(page).fields["p1-bright"] == "1"
    assert form_of(page).presses("save").saved


def test_a_finished_series_takes_no_pile(four: list[Phone], table: Table) -> None:
    form = pile(four[0]).types({f"p1-{kind}": 1 for kind in KINDS})
    ledger.change_series(table.id, state="finished")
    page = form.presses("save")
    assert says(page, "This series is finished: reopen it first.")
    assert not ledger.pending(table.id).piles


# --- What waited on a phone -----------------------------------------------------------------------

SCRIPT = {"Accept": PART}


def typed(phone: Phone) -> Form:
    """The pile of Aki, as it is typed."""
    counts = zip(KINDS, AKI, strict=True)
    return pile(phone, 1).types({f"p1-{kind}": one for kind, one in counts})


def heard(page: Page) -> str:
    """What our server says to a phone's question, and nobody else."""
    assert page.text.lstrip().startswith('<div class="heard')
    assert "data-seen=" in page.text
    return plain(page.text)


def test_a_phone_asks_first_whether_a_pile_can_be_put_in(four: list[Phone]) -> None:
    before = everything()
    page = typed(four[0]).presses(headers=SCRIPT)
    assert page.status == 200
    assert "heard savable" in heard(page)
    assert everything() == before


def test_a_pile_that_is_put_in_says_so_in_its_address(four: list[Phone], table: Table) -> None:
    form = typed(four[0])
    page = form.presses("save", headers=SCRIPT)
    assert (page.status, page.answer.location) == (201, f"{four[0].series}?keyed=1#seats")
    assert ledger.pending(table.id).piles[1].seat["counts"]["chaff"] == 12
    before = everything()
    again = form.presses("save", headers=SCRIPT)
    assert (again.status, again.answer.location) == (201, page.answer.location)
    assert everything() == before


def test_a_pile_that_differs_is_with_the_server_too(four: list[Phone], table: Table) -> None:
    form = typed(four[1])
    keys(four[0], (1, 4, 3, 10))
    page = form.presses("save", headers=SCRIPT)
    assert (page.status, page.answer.location) == (201, f"{four[1].series}/pile?player=1&keyed=1")
    assert len(ledger.pending(table.id).others[1]) == 1


def test_a_pile_whose_round_was_recorded_without_it_is_refused(
    four: list[Phone], table: Table
) -> None:
    form = typed(four[0])
    table.records(100, 84, 80)
    before = everything()
    for button, status in ((None, 200), ("save", 422)):
        page = form.presses(button, headers=SCRIPT)
        assert page.status == status
        assert "savable" not in page.text
        assert "Round 1 is recorded already." in heard(page)
    assert everything() == before


def test_a_pile_whose_round_was_recorded_with_it_was_put_in(four: list[Phone]) -> None:
    """The answer was lost, and the others have gone on."""
    form = typed(four[0])
    assert form.presses("save", headers=SCRIPT).status == 201
    keys(four[1], BEN)
    keys(four[2], CHIE)
    assert four[1].opens("/rounds/new").form.presses("save").saved
    before = everything()
    assert form.presses("save", headers=SCRIPT).status == 201
    assert everything() == before


@pytest.mark.parametrize("button", [None, "save"])
def test_a_pile_that_waited_is_checked(four: list[Phone], table: Table, button: str) -> None:
    page = typed(four[0]).types({"p1-chaff": 25}).presses(button, headers=SCRIPT)
    assert "savable" not in page.text
    assert "refusal" in heard(page)
    assert not ledger.pending(table.id).piles


def test_a_pile_with_another_token_gets_a_good_one(four: list[Phone], table: Table) -> None:
    form = typed(four[0])
    page = form.types(csrf_token="stale").presses("save", headers=SCRIPT)
    assert page.status == 422
    token = heard(page).partition('data-token="')[2].partition('"')[0]
    assert not ledger.pending(table.id).piles
    assert form.types(csrf_token=token).presses("save", headers=SCRIPT).status == 201


def test_it_is_opened_without_being_put_in(four: list[Phone], table: Table) -> None:
    page = typed(four[0]).presses("preview")
    assert form_of(page).fields["p1-chaff"] == "12"
    assert page.refusals == {}
    table.records(100, 84, 80)
    page = form_of(page).presses("preview")
    assert says(page, "Round 1 is recorded already.")
    assert says(page, "Your pile, round 2")
    assert form_of(page).fields["p1-chaff"] == "12"
    assert not ledger.pending(table.id).piles


# --- Who may not ----------------------------------------------------------------------------------


def test_a_form_without_its_token_changes_nothing(four: list[Phone]) -> None:
    form = pile(four[0]).types({f"p1-{kind}": 1 for kind in KINDS})
    form.fields["csrf_token"] = "x"
    before = everything()
    for button in ("save", "begin", "drop", "choose"):
        page = form.presses(button)
        assert says(page, "press the button once more")
    assert everything() == before


def test_who_watches_keys_nothing(four: list[Phone]) -> None:
    token = four[3].opens("/j").form.fields["csrf_token"]
    assert four[3].opens("/pile").status == 403
    sent = {"csrf_token": token, "player": "1", "save": "1"}
    assert four[3].sends("POST", four[3].at("/pile"), data=sent).status == 403
    keys(four[0], AKI)
    part = {"Accept": "text/x-fragment"}
    assert four[3].sends("GET", four[3].at("/pile"), headers=part).status == 403


def test_other_methods_and_unknown_series(four: list[Phone]) -> None:
    assert four[0].sends("DELETE", four[0].at("/pile")).status == 405
    assert four[0].opens("/s/AAAAAAAAAAAA/pile").status == 404


def test_a_choice_that_is_gone_does_nothing(four: list[Phone], table: Table) -> None:
    keys(four[0], AKI)
    form = pile(four[0])
    form.presses("drop")
    before = everything()
    assert form.presses("drop").saved
    assert form.presses("choose", "99").saved
    assert form.presses("choose", "x").saved
    assert everything() == before


@pytest.mark.parametrize("game", ["bakappana", "yokohama-bana", "hachi-hachi", "kaga"])
def test_no_input_breaks_a_pile(app: Flask, game: str) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    phone = Phone(app)
    phone.starts(game, *("Aki", "Ben", "Chie")[: 2 if game == "kaga" else 3])
    attack(phone, f"{phone.series}/pile?player=1")
    for page in ("", "/pile?player=1", "/pile?player=2", "/rounds/new", "/proposal"):
        assert phone.opens(page).status == 200
