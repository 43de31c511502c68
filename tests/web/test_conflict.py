"""What another phone did while a round was typed here: both are shown, and the table chooses."""

import re
from typing import Any

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table, everything
from tests.web.conftest import Form, Page, Phone

MINE, THEIRS = (97, 87, 80), (88, 88, 88)


def choices(page: Page) -> dict[str, str]:
    """The buttons of a choice: what each sends, by its words."""
    buttons = re.findall(r'name="choose" value="([^"]+)"[^>]*>(.*?)</button>', page.text)
    return {re.sub(r"<[^>]+>", "", words): value for value, words in buttons}


def chooses(page: Page, words: str) -> Page:
    """Presses a button, and goes where the form is sent on to with all its fields."""
    assert words in choices(page), choices(page)
    value = choices(page)[words]
    answer = page.form.presses("choose", value)
    if answer.status == 307:
        form = page.form.types(choose=value)
        answer = form.phone.sends("POST", answer.answer.location, data=form.fields)
    return answer


def typed(page: Page) -> list[str]:
    return [page.form.fields[f"p{at}-points"] for at in (1, 2, 3)]


def differing(page: Page) -> list[str]:
    """What is marked as different, in words."""
    end = r'(?:</li>|</span> <span class="(?:amount|rest))'
    marked = re.findall(rf'aria-label="differs">≠</span> (.*?){end}', page.text)
    return [re.sub(r"<[^>]+>", "", one).strip() for one in marked]


@pytest.fixture
def other(app: Any) -> Phone:
    return Phone(app)


@pytest.fixture
def phone(app: Any, table: Table, other: Phone) -> Phone:
    """A phone at a table of Bakappana; another one is there too."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    other.joins(table.id)
    ledger.claim(table.id, ledger.phones_of(table.id)[0].device, table.player("Ben"))
    return Phone(app).joins(table.id)


@pytest.fixture
def late(phone: Phone) -> Form:
    """Round 1, typed and looked at on this phone, but not saved."""
    return phone.types_points(*MINE).presses("preview").form


@pytest.fixture
def correcting(phone: Phone, other: Phone) -> Form:
    """A correction of round 1, typed and looked at on this phone, but not saved."""
    other.records(90, 90, 84)
    form = phone.types_points(*MINE, form=phone.opens("/rounds/1/correct").form)
    return form.types(reason="Swapped").presses("preview").form


def corrects(phone: Phone, *points: int) -> None:
    form = phone.types_points(*points, form=phone.opens("/rounds/1/correct").form)
    assert form.presses("preview").form.presses("save").saved


# --- Recorded twice -------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["save", "preview"])
def test_both_rounds_are_shown(late: Form, other: Phone, button: str) -> None:
    other.records(*THEIRS)
    before = everything()
    page = late.presses(button)
    assert page.refusals == {"refusal-conflict": "Round 1 is recorded already."}
    assert "Recorded by <bdi>Ben</bdi>" in page.text
    assert list(choices(page)) == [
        "Keep what is recorded",
        "Correct round 1 to mine",
        "Mine is round 2",
    ]
    assert differing(page) == [
        *("Aki", "88 card points", "Ben", "88 card points", "Chie", "88 card points"),
        *("Aki", "97 card points", "Ben", "87 card points", "Chie", "80 card points"),
    ]
    assert 'name="save"' not in page.text
    assert typed(page) == ["97", "87", "80"]
    assert everything() == before


def test_saving_again_asks_again(late: Form, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    assert late.presses("save").form.presses("save").refusals
    assert [played.revision for played in table.book.rounds] == [1]


def test_what_is_recorded_is_kept(late: Form, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    page = chooses(late.presses("save"), "Keep what is recorded")
    assert page.answer.location == f"/s/{table.id}?kept=1"
    assert "What is recorded stays as it is." in page.follows().text
    assert table.totals == {"Aki": 0, "Ben": 0, "Chie": 0}


def test_mine_becomes_its_correction(late: Form, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    page = chooses(late.presses("save"), "Correct round 1 to mine")
    assert typed(page) == ["97", "87", "80"]
    assert "What follows" in page.text
    assert table.book.rounds[0].revision == 1
    assert page.form.presses("save").answer.location == f"/s/{table.id}/rounds/1?corrected=1"
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_mine_is_the_next_round(late: Form, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    page = chooses(late.presses("save"), "Mine is round 2")
    assert page.refusals == {}
    assert len(table.book.rounds) == 1
    assert page.form.presses("save").answer.location == f"/s/{table.id}?saved=2"
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_the_dealer_whom_nobody_chose_follows_the_round(late: Form, other: Phone) -> None:
    other.records(80, 87, 97)
    page = chooses(late.presses("save"), "Mine is round 2")
    assert page.form.fields["dealer"] == "3"


def test_a_dealer_who_was_chosen_stays(late: Form, other: Phone) -> None:
    other.records(80, 87, 97)
    page = chooses(late.types(dealer="2").presses("save"), "Mine is round 2")
    assert page.form.fields["dealer"] == "2"


def test_the_same_round_is_no_choice(late: Form, other: Phone, table: Table) -> None:
    counts = {"p1": (1, 4, 3, 17), "p2": (2, 3, 4, 7), "p3": (2, 2, 3, 0)}
    form = other.opens("/rounds/new").form.types(
        {
            f"{player}-{kind}": number
            for player, pile in counts.items()
            for kind, number in zip(("bright", "animal", "ribbon", "chaff"), pile, strict=True)
        },
        form="counts",
    )
    assert form.presses("preview").form.presses("save").saved
    points = [seat["card_points"] for seat in table.book.rounds[0].result["seats"]]
    page = late.types({f"p{at}-points": one for at, one in enumerate(points, 1)}).presses("save")
    assert page.refusals == {"refusal-conflict": "The same round was recorded already."}
    assert list(choices(page)) == ["Good"]
    assert chooses(page, "Good").saved
    assert len(table.book.rounds) == 1


def test_a_double_tap_is_no_conflict(late: Form, table: Table) -> None:
    for _ in range(2):
        assert late.presses("save").answer.location == f"/s/{table.id}?saved=1"
    assert len(table.book.rounds) == 1


def test_a_double_tap_is_no_conflict_when_somebody_left(late: Form, table: Table) -> None:
    assert late.presses("save").saved
    ledger.change_player(table.id, 3, left=True)
    assert late.presses("save").saved


def test_saved_changed_and_saved_again(late: Form, phone: Phone, table: Table) -> None:
    """As with the back button: the key is that of the round which was saved."""
    assert late.presses("save").saved
    page = phone.types_points(90, 90, 84, form=late).presses("preview")
    assert "Recorded by this phone" in page.text
    page = chooses(page.form.presses("save"), "Mine is round 2")
    assert page.form.presses("save").saved
    assert len(table.book.rounds) == 2


def test_saved_withdrawn_and_saved_again(late: Form, table: Table) -> None:
    """A second arrival never says that what is gone is saved."""
    assert late.presses("save").saved
    table.withdraws(1)
    page = late.presses("save")
    assert page.refusals == {"refusal-conflict": "Round 1 was withdrawn meanwhile by a program."}
    page = chooses(page, "Record mine as round 1 again")
    assert page.form.presses("save").saved
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


# --- Corrected twice ------------------------------------------------------------------------------


def test_before_theirs_and_mine_are_shown(correcting: Form, other: Phone) -> None:
    corrects(other, *THEIRS)
    page = correcting.presses("save")
    assert page.refusals == {"refusal-conflict": "Round 1 was corrected meanwhile."}
    titles = re.findall(r"<section>\s*<h2>(.*?)\s*(?:<small|</h2>)", page.text)
    assert titles == ["What you saw", "Corrected by <bdi>Ben</bdi>", "Yours"]
    assert list(choices(page)) == ["Keep theirs", "Save mine over it"]
    assert (typed(page), page.form.fields["reason"]) == (["97", "87", "80"], "Swapped")


def test_theirs_is_kept(correcting: Form, other: Phone, table: Table) -> None:
    corrects(other, *THEIRS)
    page = chooses(correcting.presses("save"), "Keep theirs")
    assert page.answer.location == f"/s/{table.id}/rounds/1?kept=correction+of+1.1"
    assert "What is recorded stays as it is." in page.follows().text
    assert table.book.rounds[0].revision == 2


def test_mine_is_saved_over_theirs(correcting: Form, other: Phone, table: Table) -> None:
    corrects(other, *THEIRS)
    assert chooses(correcting.presses("save"), "Save mine over it").saved
    assert table.book.rounds[0].revision == 3
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_unseen_figures_are_not_saved_over_theirs(
    correcting: Form, phone: Phone, other: Phone, table: Table
) -> None:
    corrects(other, *THEIRS)
    page = correcting.presses("save")
    phone.types_points(100, 84, 80, form=page.form)
    page = chooses(page, "Save mine over it")
    assert table.book.rounds[0].revision == 2
    assert page.refusals == {}
    assert page.form.presses("save").saved
    assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}


@pytest.mark.parametrize("words", ["Keep theirs", "Save mine over it"])
def test_a_correction_between_seeing_and_choosing(
    correcting: Form, other: Phone, table: Table, words: str
) -> None:
    corrects(other, *THEIRS)
    page = correcting.presses("save")
    corrects(other, 90, 94, 80)
    page = chooses(page, words)
    assert page.refusals == {"refusal-conflict": "Round 1 was corrected meanwhile."}
    assert typed(page) == ["97", "87", "80"]
    assert table.totals == {"Aki": 2, "Ben": 6, "Chie": -8}


def test_the_same_correction_is_no_choice(correcting: Form, other: Phone) -> None:
    corrects(other, *MINE)
    page = correcting.presses("save")
    assert page.refusals == {"refusal-conflict": "The same correction was saved already."}
    assert list(choices(page)) == ["Good"]


def test_what_cannot_be_settled_is_still_there(
    correcting: Form, phone: Phone, other: Phone, table: Table
) -> None:
    corrects(other, *THEIRS)
    page = phone.types_points(97, 87, 81, form=correcting).presses("save")
    assert list(page.refusals) == ["refusal-conflict", "refusal-piles"]
    page = chooses(page, "Save mine over it")
    assert list(page.refusals) == ["refusal-piles"]
    assert typed(page) == ["97", "87", "81"]
    assert table.book.rounds[0].revision == 2


# --- Withdrawn meanwhile --------------------------------------------------------------------------


def test_a_round_withdrawn_while_it_is_corrected(
    correcting: Form, other: Phone, table: Table
) -> None:
    assert other.opens("/rounds/1/withdraw").form.presses().saved
    before = everything()
    for button in "preview", "save":
        page = correcting.presses(button)
        withdrawn = "Round 1 was withdrawn meanwhile by Ben."
        assert (page.status, page.refusals) == (200, {"refusal-conflict": withdrawn})
        assert list(choices(page)) == ["Leave it withdrawn", "Record mine as round 1 again"]
        assert typed(page) == ["97", "87", "80"]
    assert everything() == before


def test_it_stays_withdrawn(correcting: Form, table: Table) -> None:
    table.withdraws(1)
    page = chooses(correcting.presses("save"), "Leave it withdrawn")
    assert page.answer.location == f"/s/{table.id}?kept=correction+of+1.1"
    assert not table.book.rounds


def test_it_is_recorded_again(correcting: Form, table: Table) -> None:
    table.withdraws(1)
    page = chooses(correcting.presses("save"), "Record mine as round 1 again")
    assert not table.book.rounds
    assert page.form.presses("save").answer.location == f"/s/{table.id}?saved=1"
    assert table.book.rounds[0].revision == 2
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Leave it withdrawn", "Round 1 was corrected meanwhile."),
        ("Record mine as round 1 again", "Round 1 is recorded already."),
    ],
)
def test_recorded_again_between_seeing_and_choosing(
    correcting: Form, other: Phone, table: Table, words: str, told: str
) -> None:
    table.withdraws(1)
    page = correcting.presses("save")
    other.records(*THEIRS)
    page = chooses(page, words)
    assert page.refusals == {"refusal-conflict": told}
    assert typed(page) == ["97", "87", "80"]
    assert table.totals == {"Aki": 0, "Ben": 0, "Chie": 0}


def test_the_rounds_before_were_withdrawn_too(phone: Phone, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    other.records(90, 90, 84)
    form = phone.types_points(*MINE, form=phone.opens("/rounds/2/correct").form)
    form = form.presses("preview").form
    table.withdraws(2)
    table.withdraws(1)
    page = form.presses("save")
    assert list(choices(page)) == ["Leave it withdrawn", "Mine is round 1"]
    assert chooses(page, "Mine is round 1").form.presses("save").saved
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_a_withdrawn_round_opens_as_it_was(phone: Phone, other: Phone, table: Table) -> None:
    """A phone that reloads the page finds the form that its draft belongs to."""
    other.records(*THEIRS)
    table.withdraws(1)
    page = phone.opens("/rounds/1/correct")
    assert page.status == 200
    assert list(choices(page)) == ["Leave it withdrawn", "Record mine as round 1 again"]
    assert typed(page) == ["88", "88", "88"]


def test_the_round_before_was_withdrawn(phone: Phone, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    form = phone.types_points(*MINE).presses("preview").form
    table.withdraws(1)
    page = form.presses("save")
    assert page.refusals == {"refusal-conflict": "Round 1 was withdrawn meanwhile by a program."}
    assert typed(page) == ["97", "87", "80"]
    assert list(choices(page)) == ["Mine is round 1"]
    other.records(*THEIRS)
    page = page.form.presses("preview")
    assert page.refusals == {}
    assert page.form.presses("save").saved
    assert len(table.book.rounds) == 2


# --- The series changed meanwhile -----------------------------------------------------------------


def test_finished_while_a_round_was_typed(late: Form, table: Table) -> None:
    ledger.change_series(table.id, state="finished")
    page = late.presses("save")
    assert page.refusals == {"refusal-conflict": "The series was finished by a program."}
    assert list(choices(page)) == ["Leave mine out"]
    assert typed(page) == ["97", "87", "80"]
    ledger.change_series(table.id, state="open")
    page = chooses(page, "Leave mine out")
    assert page.status == 200
    assert page.form.presses("save").saved


def test_finished_and_left_out(late: Form, table: Table) -> None:
    ledger.change_series(table.id, state="finished")
    page = chooses(late.presses("save"), "Leave mine out")
    assert page.answer.location == f"/s/{table.id}?kept=1"
    assert not table.book.rounds


def test_whoever_manages_reopens_it(app: Any, table: Table) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie")
    phone = Phone(app).joins(table.id, Role.MANAGE)
    form = phone.types_points(*MINE).presses("preview").form
    ledger.change_series(table.id, state="finished")
    page = chooses(form.presses("save"), "Reopen the series")
    assert (table.book.state, page.refusals) == ("open", {})
    assert page.form.presses("save").saved


def test_whoever_only_scores_reopens_nothing(late: Form, table: Table) -> None:
    ledger.change_series(table.id, state="finished")
    assert late.presses("choose", "reopen 1.0").refusals
    assert table.book.state == "finished"


def test_finished_while_a_round_was_corrected(correcting: Form, table: Table) -> None:
    ledger.change_series(table.id, state="finished")
    assert correcting.presses("save").saved
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_somebody_left_while_a_round_was_typed(late: Form, table: Table) -> None:
    ledger.change_player(table.id, 3, left=True)
    page = late.presses("save")
    assert page.refusals == {"refusal-conflict": "Chie has left the series meanwhile."}
    assert typed(page) == ["97", "87", "80"]
    page = chooses(page, "Chie comes back")
    assert page.refusals == {}
    assert page.form.presses("save").saved
    assert table.book.rounds[0].players == [1, 2, 3]


def test_somebody_left_while_a_round_was_corrected(correcting: Form, table: Table) -> None:
    ledger.change_player(table.id, 3, left=True)
    assert correcting.presses("save").saved
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_a_round_of_somebody_who_left_is_corrected(
    phone: Phone, other: Phone, table: Table
) -> None:
    other.records(*THEIRS)
    ledger.change_player(table.id, 3, left=True)
    form = phone.types_points(*MINE, form=phone.opens("/rounds/1/correct").form)
    assert form.presses("preview").form.presses("save").saved
    assert table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


# --- Withdrawing ----------------------------------------------------------------------------------


def test_a_correction_is_shown_before_it_is_withdrawn(
    phone: Phone, other: Phone, table: Table
) -> None:
    other.records(90, 90, 84)
    form = phone.opens("/rounds/1/withdraw").form
    corrects(other, *THEIRS)
    page = form.presses()
    assert page.refusals == {"refusal": "Round 1 was corrected meanwhile."}
    assert "88 card points" in differing(page)
    assert len(table.book.rounds) == 1
    assert page.form.presses().saved
    assert not table.book.rounds


def test_withdrawing_twice(phone: Phone, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    form = phone.opens("/rounds/1/withdraw").form
    assert form.presses().saved
    page = form.presses()
    assert (page.status, list(page.refusals)) == (200, ["refusal"])
    assert "Round 1 was withdrawn meanwhile by this phone." in page.text


# --- What is compared -----------------------------------------------------------------------------

SEATS: dict[str, tuple[str, dict[str, Any], dict[str, Any], list[str]]] = {
    "teyaku": (
        "yokohama-bana",
        {"p1-teyaku": "sanbon"},
        {"p1-teyaku": "toichi"},
        ["Teyaku: Triplet 三本 (20)", "Teyaku: One Animal 十一 (20)"],
    ),
    "the dealer": ("bakappana", {"dealer": "1"}, {"dealer": "2"}, ["Dealer: Aki", "Dealer: Ben"]),
    "no result": (
        "bakappana",
        {"end": "void"},
        {},
        ["No result.", "Played out and counted."],
    ),
}


@pytest.mark.parametrize("case", SEATS)
def test_what_differs_is_marked(app: Any, table: Table, case: str) -> None:
    game, theirs, mine, marked = SEATS[case]
    table.start(game, "Aki", "Ben", "Chie")
    phone, other = (Phone(app).joins(table.id) for _ in range(2))
    form = phone.types_points(*THEIRS).types(mine)
    page = other.types_points(*THEIRS).types(theirs).presses("preview")
    assert page.form.presses("save").saved
    shown = differing(form.presses("preview"))
    assert [one for one in shown if one in marked] == marked


@pytest.mark.parametrize(
    "choice", ["", "keep", "keep 1", "keep 1.1.1", "x 1.1", "keep 9999999999.1", "as 0.0", "as 7.0"]
)
def test_a_choice_that_nobody_was_offered(late: Form, other: Phone, choice: str) -> None:
    other.records(*THEIRS)
    before = everything()
    page = late.presses("choose", choice)
    assert page.status == 200
    assert typed(page) == ["97", "87", "80"]
    assert everything() == before


def test_another_site_cannot_choose(late: Form, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    page = late.types(csrf_token=None).presses("choose", "keep 1.1")
    assert (page.status, typed(page)) == (200, ["97", "87", "80"])
