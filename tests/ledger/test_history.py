"""The history: every event in words, with what was before and after."""

import pytest
from sqlalchemy import delete

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import Reason
from scorekeeper.rules import RuleError
from scorekeeper.rules.games import GAMES

from ..conftest import everything


@pytest.fixture
def played(table):
    table.start("bakappana", "Aki", "Ben", "Chie", rules={"tie": "nobody"}, length=12)
    table.records(88, 92, 84)
    return table


def last(table):
    return ledger.history(table.id, limit=1)[0]


def test_the_beginning(played):
    assert played.told[0] == (
        "Bakappana was started with Aki, Ben, Chie. Aki deals first. It has 12 rounds. "
        f"{of('tie')}: {of('tie', 'nobody')}."
    )


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"first_dealer": 1}, "Ben deals first."),
        ({"first_dealer": 1, "drawn": True}, "Ben drew the first deal."),
        ({"first_dealer": None}, "Who deals first was left to the table."),
    ],
)
def test_how_the_first_dealer_was_found(table, how, told):
    table.start("bakappana", "Aki", "Ben", "Chie", **how)
    assert f" {told} It is open-ended." in table.told[0]


def test_a_round(played):
    told = "Round 1 was recorded. Aki 0, Ben +4, Chie −4 points, dealt by Aki, played out."
    assert played.told[1] == told
    line = last(played)
    assert line.before == {"rounds": [{"number": 1, "revision": None}]}
    assert line.after["rounds"][0]["amounts"] == [
        {"player": 1, "amount": 0},
        {"player": 2, "amount": 4},
        {"player": 3, "amount": -4},
    ]


def test_a_correction(played):
    played.corrects(1, 98, 82, 84, dealer=1, reason="two piles were swapped")
    assert played.told[2] == (
        "Round 1 was corrected. "
        "Before: Aki 0, Ben +4, Chie −4 points, dealt by Aki, played out. "
        "After: Aki +10, Ben −6, Chie −4 points, dealt by Ben, played out."
    )
    line = last(played)
    assert line.reason == "two piles were swapped"
    revisions = [side["rounds"][0]["revision"] for side in (line.before, line.after)]
    assert revisions == [1, 2]


def test_a_correction_and_what_follows(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    table.records(90, 90, 84)
    table.corrects(1, 100, 84, 80, field="12B")
    assert table.told[3].endswith(
        "Round 2 follows: its multiplier changed. "
        "Before: Aki +4, Ben +4, Chie −8 points, dealt by Aki, played out, × 2. "
        "After: Aki +2, Ben +2, Chie −4 points, dealt by Aki, played out."
    )


def test_endings(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie")
    seats = [{"player": 1}, {"player": 2, "dekiyaku": ["akatan"]}, {"player": 3}]
    document = {"number": 1, "end": "stopped", "stopped_by": 1, "seats": seats}
    ledger.record(table.id, document)
    table.records(end="void")
    assert table.told[1].endswith("Ben +70, Chie 0 points, dealt by Aki, ended by Ben.")
    assert table.told[2].endswith("Aki 0, Ben 0, Chie 0 points, dealt by Ben, no result.")


def of(key, value=None):
    """A house rule, or one of its choices, in the words of the game."""
    rule = GAMES["bakappana"].rule(key)
    return (rule.name if value is None else rule.choice(value).label).render()


def test_everything_else(played):
    played.withdraws(1)
    ledger.change_series(played.id, rules={"settlement": "makatsu", "tie": "turn_order"})
    ledger.change_series(played.id, length=15)
    ledger.change_series(played.id, length=None)
    ledger.change_series(played.id, state="finished")
    ledger.change_series(played.id, state="open")
    ledger.add_player(played.id, "Dan")
    ledger.change_player(played.id, 4, name="Daniel")
    ledger.change_player(played.id, 4, left=True)
    ledger.change_player(played.id, 4, left=False)
    assert played.told[2:] == [
        "Round 1 was withdrawn. Before: Aki 0, Ben +4, Chie −4 points, dealt by Aki, played out.",
        "The house rules were changed. "
        f"{of('settlement')}, from round 1 on: {of('settlement', 'makatsu')}; "
        f"until then: {of('settlement', 'par')}. "
        f"{of('tie')}, from round 1 on: {of('tie', 'turn_order')}; "
        f"until then: {of('tie', 'nobody')}.",
        "The length of the series was changed. Before: 12 rounds. After: 15 rounds.",
        "The length of the series was changed. Before: 15 rounds. After: open-ended.",
        "The series was finished.",
        "The series was reopened.",
        "Daniel joined.",
        "Dan is called Daniel now.",
        "Daniel left.",
        "Daniel came back.",
    ]
    kinds = [line.kind for line in reversed(ledger.history(played.id))]
    assert kinds == [
        *("started", "recorded", "withdrawn", "ruled", "extended", "extended"),
        *("finished", "reopened", "joined", "renamed", "left", "returned"),
    ]


def test_undone_and_done_again(played):
    ledger.change_series(played.id, state="finished")
    played.undoes()
    assert (played.told[-1], last(played).undoes) == ("Undone: The series was finished.", 3)
    played.redoes()
    assert (played.told[-1], last(played).undoes) == ("Done again: The series was finished.", 4)
    assert (last(played).before, last(played).after) == ({"state": "open"}, {"state": "finished"})


def test_names_are_those_of_today(played):
    ledger.change_player(played.id, 2, name="Benno")
    assert "Benno +4" in played.told[1]


def test_who_and_when(played):
    device, _ = ledger.new_device()
    recorded = played.records(100, 84, 80, by=device).round
    line = last(played)
    assert (line.number, line.by, line.at) == (3, device, recorded.at)


def test_what_it_takes_to_undo_it(played):
    assert last(played).needs is Role.ENTER
    ledger.change_series(played.id, state="finished")
    assert last(played).needs is Role.MANAGE
    played.undoes()
    assert last(played).needs is Role.MANAGE


def test_page_by_page(played):
    for _ in range(6):
        played.records(100, 84, 80)
    pages, before = [], None
    while page := ledger.history(played.id, before=before, limit=3):
        pages.append([line.number for line in page])
        before = page[-1].number
    assert pages == [[8, 7, 6], [5, 4, 3], [2, 1]]


def test_reading_changes_nothing(played):
    before = everything()
    ledger.history(played.id)
    assert everything() == before


def test_no_such_series(app):
    with pytest.raises(ledger.UnknownSeries):
        ledger.history("nowhere")


# --- Reasons --------------------------------------------------------------------------------------


def test_a_reason_is_not_baked_into_the_books(played):
    played.corrects(1, 98, 82, 84, reason="Wilhelmina counted badly")
    kept = everything()
    assert "Wilhelmina" in repr(kept.pop("reason"))
    assert "Wilhelmina" not in repr(kept)


def test_a_reason_can_be_erased(played):
    played.corrects(1, 98, 82, 84, reason="none of your business")
    with writing() as books:
        books.execute(delete(Reason).where(Reason.series_id == played.id))
    assert last(played).reason is None
    assert ledger.check(played.id).differences == ()


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (None, None),
        ("", None),
        (" \u200b ", None),
        ("  a  \n b ", "a b"),
        ("=1+1 <b>", "=1+1 <b>"),
        ("x" * 200, "x" * 200),
    ],
)
def test_reasons(played, sent, kept):
    played.corrects(1, 98, 82, 84, reason=sent)
    assert last(played).reason == kept


@pytest.mark.parametrize("reason", [7, [], "x" * 201, "a\0b", "a\u202eb", "\ud800"], ids=repr)
def test_reasons_refused(played, reason):
    before = everything()
    with pytest.raises(RuleError) as refusal:
        played.corrects(1, 98, 82, 84, reason=reason)
    assert (refusal.value.code, refusal.value.field) == ("bad_reason", "reason")
    assert everything() == before
