"""The history: every event in words, with what was before and after."""

import pytest
from sqlalchemy import delete, event

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import PlayerName, Reason, db
from scorekeeper.rules import RuleError
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import ENGLISH

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
        "Round 1 was corrected. Dealer: Aki → Ben "
        "Aki, card points: 88 → 98 Ben, card points: 92 → 82 "
        "Points: Aki 0 → +10, Ben +4 → −6"
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
        "Round 2 follows: its multiplier changed. Multiplier: × 2 → – "
        "Points: Aki +4 → +2, Ben +4 → +2, Chie −8 → −4"
    )


def test_what_only_carries_a_multiplier_on_tells_no_other(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie", rules={"multi_bright": "carry_over"})
    table.records(100, 84, 80, field="8B 12B")
    table.records(100, 84, 80, field="12B")
    table.corrects(1, 100, 84, 80, field="12B 11B")
    assert table.told[3].endswith("Round 2 follows: what it carries on changed.")


def counted(*seats, **more):
    """A round of Bakappana by how many brights, animals, ribbons and chaff each player has."""
    kinds = ("bright", "animal", "ribbon", "chaff")
    counts = [dict(zip(kinds, seat, strict=True)) for seat in seats]
    return {**more, "seats": [{"player": at, "counts": one} for at, one in enumerate(counts, 1)]}


def test_a_correction_that_changes_no_amount(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    piles = (2, 3, 3, 8), (2, 3, 4, 7), (1, 3, 3, 9)
    ledger.record(table.id, counted(*piles, number=1))
    ledger.correct(table.id, 1, counted((2, 3, 3, 7), (2, 3, 4, 8), piles[2]), revision=1)
    assert "Aki, chaff: 8 → 7" in table.told[2]
    assert "Ben, chaff: 7 → 8" in table.told[2]
    assert "ribbon" not in table.told[2]
    assert "Chie" not in table.told[2].replace("Chie 0", "")


def test_a_correction_of_what_was_claimed(table):
    table.start("hachi-hachi", "Aki", "Ben", "Chie")
    table.records(100, 84, 80, field="8B")
    seats = table.document(100, 84, 80)["seats"]
    seats[1]["teyaku"] = ["sanbon"]
    ledger.correct(table.id, 1, {"field": "12B", "seats": seats}, revision=1)
    sanbon = next(one for one in GAMES["hachi-hachi"].yaku if one.key == "sanbon")
    assert table.told[2].startswith("Round 1 was corrected. Opening field: ")
    assert f"Ben, Teyaku: – → {sanbon.say(ENGLISH)} (" in table.told[2]


def test_a_correction_of_the_decision_and_of_who_played(table):
    table.start("bakappana", "Aki", "Ben", "Chie", "Dan", rules={"tie": "ask"})
    table.records(94, 94, 76, who="Aki Ben Chie", decision=0)
    table.corrects(1, 94, 94, 76, who="Aki Ben Chie", decision=1)
    assert "Tie: Aki → Ben" in table.told[2]
    table.corrects(1, 94, 94, 76, who="Aki Ben Dan", decision=1)
    assert "Chie −12 → rests, Dan rests → −12" in table.told[3]


def test_a_correction_of_the_ending(played):
    played.corrects(1, end="void")
    assert "How it ended: played out → no result" in played.told[2]


def test_a_correction_to_the_same(played):
    played.corrects(1, 88, 92, 84)
    assert played.told[2] == "Round 1 was corrected. It comes to the same."


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
        f"before: {of('settlement', 'par')}. "
        f"{of('tie')}, from round 1 on: {of('tie', 'turn_order')}; "
        f"before: {of('tie', 'nobody')}.",
        "The length of the series was changed. Before: 12 rounds. After: 15 rounds.",
        "The length of the series was changed. Before: 15 rounds. After: open-ended.",
        "The series was finished.",
        "The series was reopened.",
        "Dan joined.",
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


@pytest.mark.parametrize(
    ("undo", "told"),
    [
        ("record", "Undone: Round 2 was recorded. Round 2 counts no more."),
        ("correct", "Undone: Round 1 was corrected. Round 1 counts as: Aki 0, Ben +4, Chie −4"),
        ("withdraw", "Undone: Round 1 was withdrawn. Round 1 counts as: Aki 0, Ben +4, Chie −4"),
        ("length", "Undone: The length of the series was changed. It has 12 rounds."),
        ("open end", "Undone: The length of the series was changed. It has 12 rounds."),
    ],
)
def test_an_undoing_tells_what_holds_then(played, undo, told):
    {
        "record": lambda: played.records(100, 84, 80),
        "correct": lambda: played.corrects(1, 98, 82, 84),
        "withdraw": lambda: played.withdraws(1),
        "length": lambda: ledger.change_series(played.id, length=15),
        "open end": lambda: ledger.change_series(played.id, length=None),
    }[undo]()
    played.undoes()
    assert played.told[-1].startswith(told)
    played.redoes()
    assert "Before" not in played.told[-1]


def test_an_undoing_of_several_things_tells_all_of_them(played):
    ledger.change_series(played.id, state="finished")
    ledger.change_series(played.id, state="open", length=15)
    played.undoes()
    told = "Undone: The length of the series was changed. Undone: The series was reopened. "
    assert played.told[-1] == told + "It has 12 rounds."


def test_what_was_undone_says_so(played):
    def undone():
        lines = reversed(ledger.history(played.id))
        return [line.undone.render() if line.undone else None for line in lines][1:]

    played.records(100, 84, 80)
    assert undone() == [None, None]
    played.undoes()
    played.undoes()
    assert undone() == ["Taken back.", "Taken back.", None, None]
    played.redoes()
    assert undone() == [None, "Taken back.", None, "Done again since.", None]
    played.undoes()
    assert undone() == ["Taken back.", "Taken back.", None, None, "Taken back.", None]


# --- Names ----------------------------------------------------------------------------------------


def test_names_are_those_of_then(played):
    ledger.change_player(played.id, 2, name="Benno")
    played.corrects(1, 98, 82, 84)
    assert "with Aki, Ben, Chie." in played.told[0]
    assert "Ben +4" in played.told[1]
    assert played.told[2] == "Ben is called Benno now."
    assert "Benno, card points: 92 → 82" in played.told[3]
    assert played.book.name_of(2) == "Benno"


def test_names_when_a_name_was_taken_back(played):
    ledger.change_player(played.id, 2, name="Benno")
    played.undoes()
    assert played.told[-1] == "Undone: Ben is called Benno now."
    played.records(100, 84, 80)
    assert "Ben −4" in played.told[-1]


def test_who_joined_and_is_gone_keeps_the_name_there(played):
    ledger.add_player(played.id, "Dan")
    played.undoes()
    assert played.told[-2:] == ["Dan joined.", "Undone: Dan joined."]


def test_who_did_it_is_called_as_then(played):
    device, _ = ledger.new_device()
    ledger.join(device, ledger.secret_for(played.id, Role.ENTER))
    ledger.claim(played.id, device, 2)
    played.records(100, 84, 80, by=device)
    ledger.change_player(played.id, 2, name="Benno", by=device)
    ledger.change_series(played.id, length=15, by=device)
    told = [line.who.render() for line in reversed(ledger.history(played.id)) if line.who]
    assert told == ["Ben’s phone", "Benno’s phone", "Benno’s phone"]


def test_the_phone_of_somebody_who_joined_later_is_theirs_from_the_start(played):
    device, _ = ledger.new_device()
    ledger.join(device, ledger.secret_for(played.id, Role.ENTER))
    played.records(100, 84, 80, by=device)
    dora = ledger.add_player(played.id, "Dora", by=device)
    ledger.claim(played.id, device, dora.id)
    told = [line.who.render() for line in ledger.history(played.id) if line.who]
    assert told == ["Dora’s phone", "Dora’s phone"]


def test_a_name_can_be_erased(played):
    ledger.change_player(played.id, 2, name="Benno")
    with writing() as books:
        books.execute(
            delete(PlayerName).where(PlayerName.series_id == played.id, PlayerName.player_id == 2)
        )
    assert "with Aki, Player 2, Chie." in played.told[0]
    assert played.told[2] == "Player 2 is called Player 2 now."
    assert ledger.check(played.id).differences == ()


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
    assert [line.number for line in ledger.history(played.id, before=99, limit=3)] == [8, 7, 6]


def test_a_reading_asks_little(played):
    """However long the series, and whatever of it is told."""
    for _ in range(3):
        played.records(100, 84, 80)
    asked = []

    def note(connection, cursor, statement, *_):
        asked.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    ledger.history(played.id)
    event.remove(db.engine, "before_cursor_execute", note)
    asked = [one for one in asked if one.startswith("SELECT")]
    assert len(asked) <= 6
    assert sum("FROM player_name" in one for one in asked) == 1


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
