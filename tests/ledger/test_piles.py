"""The piles of the round in progress: who said what, and how long that is kept."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from scorekeeper import ledger
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.piles import KEYING, LARGEST, MOST_SAYING
from scorekeeper.ledger.tables import Pending
from scorekeeper.rules import RuleError

from ..conftest import Table, everything, refused


class Keyed:
    """A table at which piles are keyed by points, on phones that go by a letter."""

    def __init__(self, table: Table) -> None:
        self.table = table
        table.start("bakappana", "Aki", "Ben", "Chie")
        self.devices = {letter: ledger.new_device()[0] for letter in "ABCDEFG"}

    def keys(self, phone: str, name: str, points: Any, form: str = "points", **more) -> bool:
        number = more.get("number", self.table.book.next_number)
        fields = {"seat": {form: str(points)}, "card": [], "hand": []}
        seat = {form: points}
        whose, device = self.table.player(name), self.devices[phone]
        return ledger.key_pile(self.table.id, number, whose, form, fields, seat, by=device)

    def begins(self, phone: str, name: str, going: bool = True) -> None:
        whose, device = self.table.player(name), self.devices[phone]
        number = self.table.book.next_number
        ledger.begin_pile(self.table.id, number, whose, by=device, going=going)

    def chooses(self, name: str, of: str) -> None:
        whose = self.table.player(name)
        number = self.table.book.next_number
        ledger.choose_pile(self.table.id, number, whose, self.devices[of])

    def drops(self, phone: str, name: str) -> None:
        whose, by = self.table.player(name), self.devices[phone]
        ledger.drop_pile(self.table.id, self.table.book.next_number, whose, by=by)

    @property
    def there(self) -> ledger.Pending:
        return ledger.pending(self.table.id)

    @property
    def points(self) -> dict[str, int]:
        """What counts, by name."""
        return {self.table.called(at): pile.seat["points"] for at, pile in self.there.piles.items()}

    @property
    def differing(self) -> dict[str, list[int]]:
        return {
            self.table.called(at): [pile.seat["points"] for pile in piles]
            for at, piles in self.there.others.items()
        }


@pytest.fixture
def keyed(table: Table) -> Keyed:
    return Keyed(table)


# --- Keying ---------------------------------------------------------------------------------------


def test_a_pile_is_kept_beside_the_books(keyed):
    before = {name: rows for name, rows in everything().items() if name != "pending"}
    assert keyed.keys("A", "Aki", 100)
    assert keyed.points == {"Aki": 100}
    after = {name: rows for name, rows in everything().items() if name != "pending"}
    assert after == before


def test_its_own_phone_changes_it(keyed):
    keyed.keys("A", "Aki", 100)
    assert keyed.keys("A", "Aki", 90)
    (pile,) = keyed.there.piles.values()
    assert (pile.seat, pile.edits) == ({"points": 90}, 1)


def test_the_same_again_is_no_change(keyed):
    keyed.keys("A", "Aki", 100)
    before = everything()
    assert keyed.keys("A", "Aki", 100)
    assert keyed.keys("B", "Aki", 100)
    assert everything() == before


def test_what_a_second_phone_says_differs_and_replaces_nothing(keyed):
    keyed.keys("A", "Aki", 100)
    assert not keyed.keys("B", "Aki", 90)
    assert keyed.points == {"Aki": 100}
    assert keyed.differing == {"Aki": [90]}


def test_choosing_settles_it(keyed):
    keyed.keys("A", "Aki", 100)
    keyed.keys("B", "Aki", 90)
    keyed.chooses("Aki", of="B")
    assert (keyed.points, keyed.differing) == ({"Aki": 90}, {})


def test_agreeing_after_all_settles_it(keyed):
    keyed.keys("A", "Aki", 100)
    keyed.keys("B", "Aki", 90)
    assert keyed.keys("B", "Aki", 100)
    assert keyed.differing == {}


def test_a_pile_that_is_taken_out_is_gone_with_all_that_was_said_of_it(keyed):
    keyed.keys("A", "Aki", 100)
    keyed.keys("B", "Aki", 90)
    keyed.drops("C", "Aki")
    assert (keyed.points, keyed.differing) == ({}, {})
    with pytest.raises(ledger.NoPile):
        keyed.drops("A", "Aki")
    with pytest.raises(ledger.NoPile):
        keyed.chooses("Aki", of="A")


def test_who_begins_is_keying_until_the_pile_is_in(keyed):
    keyed.begins("A", "Aki")
    keyed.begins("B", "Ben")
    assert keyed.there.begun == {1, 2}
    keyed.begins("B", "Ben", going=False)
    keyed.keys("A", "Aki", 100)
    assert keyed.there.begun == frozenset()


def test_who_began_long_ago_is_not_keying(keyed):
    keyed.begins("A", "Aki")
    with writing(keyed.table.id) as books:
        books.execute(update(Pending).values(at=datetime.now(UTC) - 2 * KEYING))
    assert keyed.there.begun == frozenset()
    assert timedelta(minutes=1) < KEYING


def test_beginning_leaves_what_is_in(keyed):
    keyed.keys("A", "Aki", 100)
    before = everything()
    keyed.begins("A", "Aki")
    keyed.begins("A", "Aki", going=False)
    assert everything() == before


def test_every_change_is_a_change_of_its_own(keyed):
    """With the version, the number of changes tells each state from every other."""
    steps = [
        lambda: keyed.begins("A", "Aki"),
        lambda: keyed.keys("A", "Aki", 100),
        lambda: keyed.keys("B", "Aki", 90),
        lambda: keyed.drops("A", "Aki"),
        lambda: keyed.keys("A", "Aki", 100),
        lambda: keyed.table.records(100, 84, 80),
        lambda: keyed.keys("A", "Aki", 90),
        lambda: keyed.drops("A", "Aki"),
    ]
    seen = {(keyed.table.book.version, keyed.there.changes)}
    for step in steps:
        step()
        seen.add((keyed.table.book.version, keyed.there.changes))
    assert len(seen) == len(steps) + 1


# --- Refusals -------------------------------------------------------------------------------------


def test_refusals(keyed):
    keyed.keys("A", "Aki", 100)
    refused("bad_seat", lambda: ledger.key_pile(keyed.table.id, 1, 9, "points", {}, {}, by=1))
    refused("round_skipped", lambda: keyed.keys("B", "Ben", 84, number=2))
    refused("other_form", lambda: keyed.keys("B", "Ben", 3, form="counts"))
    refused("too_long", lambda: keyed.keys("B", "Ben", "8" * LARGEST))
    ledger.change_player(keyed.table.id, 3, left=True)
    refused("bad_seat", lambda: keyed.keys("C", "Chie", 80))
    ledger.change_series(keyed.table.id, state="finished")
    refused("finished", lambda: keyed.keys("B", "Ben", 84))


def test_a_round_that_is_recorded_takes_no_pile(keyed):
    keyed.table.records(100, 84, 80)
    refused("already_recorded", lambda: keyed.keys("A", "Aki", 99, number=1))


def test_a_pile_that_was_recorded_with_its_round_is_in(keyed):
    keyed.keys("A", "Aki", 100)
    keyed.table.records(100, 84, 80)
    before = everything()
    assert keyed.keys("A", "Aki", 100, number=1)
    refused("already_recorded", lambda: keyed.keys("A", "Aki", 84, number=1))
    refused("already_recorded", lambda: keyed.keys("A", "Aki", "rest", form="counts", number=1))
    assert everything() == before


def test_what_would_be_refused_is_known_before(keyed):
    def checks(name, form="points", number=1):
        ledger.check_pile(keyed.table.id, number, keyed.table.player(name), form)

    before = everything()
    checks("Aki")
    assert everything() == before
    keyed.keys("A", "Aki", 100)
    checks("Aki", "counts")
    refused("other_form", lambda: checks("Ben", "counts"))
    keyed.table.records(100, 84, 80)
    refused("already_recorded", lambda: checks("Aki"))


def leaves(table: Table) -> None:
    ledger.change_player(table.id, table.player("Dan"), left=True)


@pytest.mark.parametrize("goes", [leaves, Table.undoes], ids=["leaves", "never joined"])
def test_who_does_not_play_any_more_takes_their_pile_along(keyed, goes):
    """Nobody could see it, or take it out, and no other form would ever be taken."""
    ledger.add_player(keyed.table.id, "Dan")
    keyed.keys("D", "Dan", 80)
    keyed.keys("E", "Dan", 84)
    keyed.begins("F", "Dan")
    before = keyed.there.changes
    goes(keyed.table)
    assert (keyed.points, keyed.differing, keyed.there.begun) == ({}, {}, frozenset())
    assert keyed.there.changes >= before
    assert keyed.keys("A", "Aki", 3, form="counts")


def test_the_piles_of_the_others_stay(keyed):
    ledger.add_player(keyed.table.id, "Dan")
    keyed.keys("A", "Aki", 100)
    keyed.keys("D", "Dan", 80)
    leaves(keyed.table)
    assert keyed.points == {"Aki": 100}


def test_there_are_no_more_piles_than_seats(keyed):
    keyed.table.start("hachi-hachi", "Aki", "Ben", "Chie", "Dan", "Emi")
    for phone, name in zip("ABD", ("Aki", "Ben", "Dan"), strict=True):
        keyed.keys(phone, name, 88)
    with pytest.raises(RuleError, match="The piles of Aki, Ben, Dan are in already"):
        keyed.keys("E", "Emi", 88)
    refused("wrong_seats", lambda: keyed.keys("E", "Emi", 88))
    emi = keyed.table.player("Emi")
    refused("wrong_seats", lambda: ledger.check_pile(keyed.table.id, 1, emi, "points"))
    keyed.keys("A", "Aki", 90)
    keyed.drops("C", "Ben")
    assert keyed.keys("E", "Emi", 88)
    assert keyed.points == {"Aki": 90, "Dan": 88, "Emi": 88}


def test_a_series_that_is_not_there(keyed):
    with pytest.raises(ledger.UnknownSeries):
        ledger.key_pile("nowhere", 1, 1, "points", {}, {}, by=keyed.devices["A"])


def test_what_is_said_of_one_pile_is_bounded(keyed):
    phones = [*keyed.devices]
    for at in range(MOST_SAYING):
        keyed.keys(phones[at], "Aki", at)
    refused("too_many", lambda: keyed.keys(phones[MOST_SAYING], "Aki", 99))
    keyed.keys(phones[1], "Aki", 50)
    assert len(keyed.differing["Aki"]) == MOST_SAYING - 1


# --- How long they are kept -----------------------------------------------------------------------


def goes_on(keyed: Keyed) -> None:
    keyed.table.corrects(1, 84, 100, 80)
    ledger.add_player(keyed.table.id, "Dai")
    ledger.change_series(keyed.table.id, length=6)


@pytest.mark.parametrize(
    ("what", "kept"),
    [
        (goes_on, True),
        (lambda keyed: keyed.table.records(100, 84, 80), False),
        (lambda keyed: keyed.table.records(None, None, None, end="void"), False),
        (lambda keyed: keyed.table.withdraws(1), False),
        (lambda keyed: keyed.table.undoes(), False),
        (lambda keyed: ledger.change_series(keyed.table.id, state="finished"), False),
    ],
    ids=["anything else", "recorded", "void", "withdrawn", "undone", "finished"],
)
def test_piles_last_as_long_as_their_round(keyed, what, kept):
    keyed.table.records(100, 84, 80)
    keyed.keys("A", "Aki", 100)
    keyed.begins("B", "Ben")
    what(keyed)
    assert bool(keyed.there.piles) is kept


def test_a_round_of_one_series_leaves_the_piles_of_another(keyed):
    keyed.keys("A", "Aki", 100)
    other = Table()
    other.start("bakappana", "Dai", "Emi", "Fumi")
    other.records(100, 84, 80)
    assert keyed.points == {"Aki": 100}
