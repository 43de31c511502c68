"""What another phone did while a round was typed here: both are shown, and the table chooses."""

import re
from collections.abc import Callable
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


def table(page: Page, caption: str) -> list[list[str]]:
    """The rows of a comparison and their head, cell by cell; none where there is no such table."""
    found = re.search(rf'<caption class="hidden">{caption}</caption>(.*?)</table>', page.text, re.S)
    rows = re.findall(r"<tr.*?>(.*?)</tr>", found[1], re.S) if found else []
    cells = [re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.S) for row in rows]
    return [[shown(one) for one in row] for row in cells]


def shown(cell: str) -> str:
    """What is read in a cell; a name is part of the words around it."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"</?bdi>", "", cell)).split())


def differing(page: Page) -> list[list[str]]:
    """What differs, and what each side says of it."""
    return table(page, "What differs")[1:]


def agreed(page: Page) -> list[list[str]]:
    """What is folded away, for both sides say the same of it."""
    return table(page, "What is the same")[1:]


def sides(page: Page) -> list[str]:
    """Whose the columns are, without the clock."""
    heads = table(page, "What differs")[:1] or table(page, "What is the same")[:1]
    return [re.sub(r" \d\d:\d\d UTC$", "", head) for row in heads for head in row[1:]]


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
    assert sides(page) == ["Recorded by Ben’s phone", "Yours"]
    assert list(choices(page)) == [
        "Keep what is recorded",
        "Correct round 1 to mine",
        "Mine is round 2",
    ]
    assert differing(page) == [
        ["Aki", "0", "+9"],
        ["Aki card points", "88", "97"],
        ["Ben", "0", "−1"],
        ["Ben card points", "88", "87"],
        ["Chie", "0", "−8"],
        ["Chie card points", "88", "80"],
    ]
    assert agreed(page) == [
        ["Dealer", "Aki", "Aki"],
        ["How it ended", "played out", "played out"],
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
    assert differing(page) == []
    assert ["Aki card points", "92", "92"] in agreed(page)
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


def test_saved_withdrawn_and_recorded_by_others(late: Form, other: Phone, table: Table) -> None:
    """The answer to the first tap was lost: by the second one the number is another round's."""
    assert late.presses("save").saved
    table.withdraws(1)
    other.records(*THEIRS)
    page = late.presses("save")
    assert page.refusals == {"refusal-conflict": "Round 1 is recorded already."}
    assert sides(page) == ["Recorded by Ben’s phone", "Yours"]
    assert typed(page) == [str(one) for one in MINE]


def test_recorded_by_others_and_taken_back_to_what_was_there(
    phone: Phone, late: Form, other: Phone, table: Table
) -> None:
    other.records(*THEIRS)
    table.withdraws(1)
    assert late.presses("save").saved
    table.undoes()  # the round of this phone
    table.undoes()  # the withdrawal of theirs
    page = late.presses("save")
    assert page.refusals == {"refusal-conflict": "Round 1 is recorded already."}
    assert typed(page) == [str(one) for one in MINE]


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
    assert sides(page) == ["What you saw", "Corrected by Ben’s phone", "Yours"]
    assert ["Aki card points", "90", "88", "97"] in differing(page)
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
        withdrawn = "Round 1 was withdrawn meanwhile by Ben’s phone."
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
        ("Leave it withdrawn", "Round 1 was withdrawn meanwhile and recorded again."),
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
    assert page.wrong == {"Round 1 was corrected meanwhile.": None}
    assert sides(page) == ["What you saw", "Corrected by Ben’s phone"]
    assert ["Aki card points", "90", "88"] in differing(page)
    assert len(table.book.rounds) == 1
    assert page.form.presses().saved
    assert not table.book.rounds


def test_withdrawing_twice(phone: Phone, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    form = phone.opens("/rounds/1/withdraw").form
    assert form.presses().saved
    page = form.presses()
    assert page.status == 200
    assert page.wrong == {"Round 1 was withdrawn meanwhile by this phone.": None}


def test_withdrawing_what_is_not_the_last_round_any_more(
    phone: Phone, other: Phone, table: Table
) -> None:
    other.records(*THEIRS)
    form = phone.opens("/rounds/1/withdraw").form.types(reason="Aki’s pile was short")
    other.records(*THEIRS)
    page = form.presses()
    assert page.wrong == {
        "Only the last round can be withdrawn, round 2; this one can be corrected.": None
    }
    assert "Aki’s pile was short" in page.text
    assert "can be taken back or recorded again" not in page.text
    assert len(table.book.rounds) == 2


def test_a_finished_series_offers_no_withdrawal(phone: Phone, other: Phone, table: Table) -> None:
    other.records(*THEIRS)
    assert f"{phone.series}/rounds/1/withdraw" in phone.opens("/rounds/1").links
    ledger.change_series(table.id, state="finished")
    assert f"{phone.series}/rounds/1/withdraw" not in phone.opens("/rounds/1").links


# --- What is compared -----------------------------------------------------------------------------

Compared = Callable[..., Page]


@pytest.fixture
def compared(app: Any, table: Table) -> Compared:
    """What a phone is shown of its round when another phone has recorded that otherwise."""

    def entered(game: str, theirs: dict[str, Any], mine: dict[str, Any]) -> Page:
        table.start(game, "Aki", "Ben", "Chie")
        phone, other = (Phone(app).joins(table.id) for _ in range(2))
        form = phone.opens("/rounds/new").form.types(mine)
        page = other.opens("/rounds/new").form.types(theirs).presses("preview")
        assert page.form.presses("save").saved, page.refusals
        return form.presses("preview")

    return entered


POINTS = {"form": "points", "p1-points": "88", "p2-points": "88", "p3-points": "88"}

SEATS: dict[str, tuple[str, dict[str, Any], dict[str, Any], list[str]]] = {
    "teyaku": (
        "yokohama-bana",
        {"p1-teyaku": "sanbon"},
        {"p1-teyaku": "toichi"},
        ["Aki Teyaku", "Triplet 三本 (20)", "One Animal 十一 (20)"],
    ),
    "a teyaku that only one phone has": (
        "yokohama-bana",
        {},
        {"p2-teyaku": "toichi"},
        ["Ben Teyaku", "–", "One Animal 十一 (20)"],
    ),
    "the dealer": ("bakappana", {"dealer": "1"}, {"dealer": "2"}, ["Dealer", "Aki", "Ben"]),
    "no result": (
        "bakappana",
        {"end": "void"},
        {},
        ["How it ended", "no result", "played out"],
    ),
}


@pytest.mark.parametrize("case", SEATS)
def test_what_differs_has_a_row(compared: Compared, case: str) -> None:
    game, theirs, mine, row = SEATS[case]
    page = compared(game, POINTS | theirs, POINTS | mine)
    assert row in differing(page)
    assert row[0] not in [label for label, *_ in agreed(page)]


def counts(**piles: tuple[int, int, int, int]) -> dict[str, Any]:
    """The fields of a form by counts: brights, animals, ribbons and chaff of each player."""
    kinds = ("bright", "animal", "ribbon", "chaff")
    return {"form": "counts"} | {
        f"{player}-{kind}": number
        for player, pile in piles.items()
        for kind, number in zip(kinds, pile, strict=True)
    }


def test_of_counts_only_those_are_told_that_differ(compared: Compared) -> None:
    theirs = counts(p1=(1, 4, 4, 9), p2=(2, 3, 3, 8), p3=(2, 2, 3, 7))
    mine = counts(p1=(1, 4, 3, 10), p2=(2, 3, 4, 7), p3=(2, 2, 3, 7))
    page = compared("bakappana", theirs, mine)
    assert differing(page) == [
        ["Aki", "+1", "−3"],
        ["Aki card points", "89", "85"],
        ["Aki ribbon", "4", "3"],
        ["Aki chaff", "9", "10"],
        ["Ben", "+5", "+9"],
        ["Ben card points", "93", "97"],
        ["Ben ribbon", "3", "4"],
        ["Ben chaff", "8", "7"],
    ]
    assert ["Aki bright", "1", "1"] in agreed(page)
    assert ["Chie ribbon", "3", "3"] in agreed(page)


def test_the_rest_of_the_deck_is_what_it_comes_to(compared: Compared) -> None:
    """One phone counted all three piles, the other left the last one to be the rest."""
    theirs = counts(p1=(1, 4, 4, 9), p2=(2, 3, 3, 8))
    mine = counts(p1=(1, 4, 3, 10), p2=(2, 3, 4, 7), p3=(2, 2, 3, 7))
    page = compared("bakappana", theirs, mine)
    assert [label for label, *_ in differing(page) if label.startswith("Chie")] == []
    assert ["Chie chaff", "7", "7"] in agreed(page)


def test_of_cards_only_those_are_told_that_one_side_has(compared: Compared) -> None:
    mine = {"form": "captured", "rest_to": "3", "card-1B": "1", "card-2A": "1", "card-3R": "2"}
    theirs = {**mine, "card-2A": "2"}
    page = compared("bakappana", theirs, mine)
    rows = {label: values for label, *values in differing(page)}
    (left, right), (other, same) = rows["Aki Cards"], rows["Ben Cards"]
    assert (left, same) == ("–", "–")
    assert right == other
    assert "bush warbler" in right
    assert "Chie Cards" not in rows
    assert ["Chie Cards", "45", "45"] in agreed(page)


def test_a_pile_by_points_is_compared_by_its_points(compared: Compared) -> None:
    mine = counts(p1=(1, 4, 3, 10), p2=(2, 3, 4, 7), p3=(2, 2, 3, 7))
    page = compared("bakappana", POINTS, mine)
    assert ["Aki card points", "88", "85"] in differing(page)
    assert ["Aki ribbon", "–", "3"] in agreed(page)


def test_what_both_corrected_alike_is_no_choice(correcting: Form, other: Phone) -> None:
    corrects(other, 97, 80, 87)
    page = correcting.presses("save")
    assert ["Aki card points", "90", "97", "97"] in agreed(page)
    assert ["Ben card points", "90", "80", "87"] in differing(page)


def test_somebody_who_plays_on_one_side_only(app: Any, table: Table) -> None:
    table.start("bakappana", "Aki", "Ben", "Chie", "Dai")
    phone, other = (Phone(app).joins(table.id) for _ in range(2))
    form = phone.opens("/rounds/new?plays=1&plays=2&plays=3").form
    form = phone.types_points(*MINE, form=form)
    page = other.types_points(66, 66, 66, 66).presses("preview")
    assert page.form.presses("save").saved
    assert ["Dai", "0", "rests"] in differing(form.presses("preview"))


def test_why_it_was_corrected_is_told(correcting: Form, phone: Phone, other: Phone) -> None:
    form = phone.types_points(*THEIRS, form=other.opens("/rounds/1/correct").form)
    page = form.types(reason="<b>Miscounted</b>").presses("preview")
    assert page.form.presses("save").saved
    shown = correcting.presses("save")
    assert (
        "Corrected by <bdi>Ben</bdi>’s phone: “<bdi>&lt;b&gt;Miscounted&lt;/b&gt;</bdi>”"
        in shown.text
    )


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
