"""A round that counts once another phone has said yes."""

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role

from ..conftest import Table, everything, refused


class Careful:
    """A table at which rounds wait for a yes; its phones go by a letter."""

    def __init__(self, table: Table) -> None:
        self.table = table
        table.start("bakappana", "Aki", "Ben", "Chie")
        ledger.change_series(table.id, confirm=True)
        self.devices = {letter: ledger.new_device()[0] for letter in "ABC"}
        for device in self.devices.values():
            ledger.join(device, ledger.secret_for(table.id, Role.ENTER))

    def proposes(
        self,
        phone: str,
        *points: int,
        key: str = "one tap",
        instead_of: int | None = None,
        word: str | None = None,
        **more,
    ) -> None:
        document = {"number": self.table.book.next_number, **self.table.document(*points, **more)}
        fields = {"p1-points": [str(points[0])]}
        ledger.propose(
            self.table.id,
            document,
            fields,
            key=key,
            by=self.devices[phone],
            instead_of=instead_of,
            word=word,
        )

    def says_yes(self, phone: str, seen: int | None = None) -> ledger.Recorded:
        seen = self.seen if seen is None else seen
        return ledger.confirm(self.table.id, seen, by=self.devices[phone])

    def says_no(self, phone: str, word: str | None = None, seen: int | None = None) -> None:
        seen = self.seen if seen is None else seen
        ledger.give_back(self.table.id, seen, by=self.devices[phone], word=word)

    @property
    def there(self) -> ledger.Pending:
        return ledger.pending(self.table.id)

    @property
    def seen(self) -> int:
        assert self.there.waiting is not None
        return self.there.waiting.change


@pytest.fixture
def careful(table: Table) -> Careful:
    return Careful(table)


# --- Yes ------------------------------------------------------------------------------------------


def test_a_round_waits_and_is_in_no_total(careful):
    careful.proposes("A", 100, 84, 80)
    assert careful.there.waiting.device == careful.devices["A"]
    assert careful.table.totals == {"Aki": 0, "Ben": 0, "Chie": 0}
    assert careful.table.book.version == 2


def test_a_yes_records_it_in_the_name_of_who_proposed_it(careful):
    careful.proposes("A", 100, 84, 80)
    done = careful.says_yes("B")
    assert done.round.by == careful.devices["A"]
    assert careful.table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}
    assert careful.there.proposal is None
    assert ledger.check(careful.table.id).differences == ()


def test_the_history_keeps_who_said_yes(careful):
    ledger.claim(careful.table.id, careful.devices["B"], 2)
    careful.proposes("A", 100, 84, 80)
    careful.says_yes("B")
    assert careful.table.told[-1].endswith("Confirmed on Ben’s phone.")
    careful.proposes("A", 100, 84, 80, key="another tap")
    careful.says_yes("C")
    assert careful.table.told[-1].endswith("Confirmed on phone 3.")


def test_a_repetition_of_the_request_does_nothing(careful):
    """A phone that did not hear the answer sends the round again under its key."""
    careful.proposes("A", 100, 84, 80)
    careful.says_yes("B")
    document = {"number": 1, **careful.table.document(100, 84, 80)}
    assert ledger.record(careful.table.id, document, key="one tap").repeated


def test_its_own_phone_cannot_say_yes(careful):
    careful.proposes("A", 100, 84, 80)
    refused("own_proposal", lambda: careful.says_yes("A"))


def test_a_yes_to_what_is_another_round_by_now(careful):
    careful.proposes("A", 100, 84, 80)
    seen = careful.seen
    careful.proposes("A", 84, 100, 80)
    refused("stale_proposal", lambda: careful.says_yes("B", seen))
    careful.says_yes("B")
    refused("stale_proposal", lambda: careful.says_yes("C", seen))
    refused("stale_proposal", lambda: careful.says_no("C", seen=seen))


# --- No -------------------------------------------------------------------------------------------


def test_a_no_gives_it_back_with_all_that_was_typed(careful):
    careful.proposes("A", 100, 84, 80)
    careful.says_no("B", "count again")
    back = careful.there.returned_to(careful.devices["A"])
    assert (back.word, back.no) == ("count again", careful.devices["B"])
    assert back.fields == {"p1-points": ["100"]}
    assert careful.there.waiting is None
    assert careful.there.returned_to(careful.devices["B"]) is None


def test_its_phone_takes_it_back(careful):
    careful.proposes("A", 100, 84, 80)
    careful.says_no("A")
    assert careful.there.returned_to(careful.devices["A"]).no is None


def test_what_was_given_back_is_proposed_again(careful):
    careful.proposes("A", 100, 84, 80)
    careful.says_no("B")
    careful.proposes("A", 97, 87, 80)
    careful.says_yes("B")
    assert careful.table.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_a_word_has_its_limits(careful):
    careful.proposes("A", 100, 84, 80)
    refused("bad_reason", lambda: careful.says_no("B", "x" * 201))


# --- One at a time --------------------------------------------------------------------------------


def test_the_second_phone_is_told_of_the_first(careful):
    careful.proposes("A", 100, 84, 80)
    refused("waiting", lambda: careful.proposes("B", 84, 100, 80, key="mine"))


def test_what_was_given_back_makes_room_for_another_phone(careful):
    careful.proposes("A", 100, 84, 80)
    careful.says_no("B")
    careful.proposes("B", 84, 100, 80, key="mine")
    assert careful.there.waiting.device == careful.devices["B"]
    assert careful.there.returned_to(careful.devices["A"]).fields == {"p1-points": ["100"]}


def test_the_second_phone_proposes_its_own_instead(careful):
    """The first gets back all that was typed there, with a word on why."""
    careful.proposes("A", 100, 84, 80)
    seen = careful.seen
    careful.proposes("B", 84, 100, 80, key="mine", instead_of=seen, word="count again")
    back = careful.there.returned_to(careful.devices["A"])
    assert (back.word, back.no) == ("count again", careful.devices["B"])
    assert back.fields == {"p1-points": ["100"]}
    assert careful.there.waiting.device == careful.devices["B"]
    careful.says_yes("A")
    assert careful.table.totals == {"Aki": -4, "Ben": 12, "Chie": -8}


def test_what_was_not_seen_is_not_replaced(careful):
    careful.proposes("A", 100, 84, 80)
    seen = careful.seen
    careful.proposes("A", 97, 87, 80)
    mine = {"key": "mine", "instead_of": seen}
    refused("waiting", lambda: careful.proposes("B", 84, 100, 80, **mine))
    mine["instead_of"] = careful.seen
    refused("bad_reason", lambda: careful.proposes("B", 84, 100, 80, **mine, word="x" * 201))


# --- What arrives twice ---------------------------------------------------------------------------


def test_what_arrives_again_while_it_waits_does_nothing(careful):
    """A yes to what was seen of it counts."""
    careful.proposes("A", 100, 84, 80)
    seen, before = careful.seen, everything()
    careful.proposes("A", 100, 84, 80)
    assert everything() == before
    careful.says_yes("B", seen=seen)
    assert careful.table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}


def test_another_round_under_the_same_key_is_another_round(careful):
    careful.proposes("A", 100, 84, 80)
    seen = careful.seen
    careful.proposes("A", 84, 100, 80)
    refused("stale_proposal", lambda: careful.says_yes("B", seen=seen))


def test_what_arrives_late_does_not_wait_again(careful):
    careful.proposes("A", 100, 84, 80)
    careful.says_no("B", "count again")
    before = everything()
    careful.proposes("A", 100, 84, 80)
    assert everything() == before
    careful.proposes("A", 100, 84, 80, key="sent anew")
    assert careful.there.waiting is not None


def test_what_replaced_another_and_arrives_late_does_not_wait_again(careful):
    careful.proposes("A", 100, 84, 80)
    mine = {"key": "mine", "instead_of": careful.seen}
    careful.proposes("B", 84, 100, 80, **mine)
    careful.says_no("C")
    before = everything()
    careful.proposes("B", 84, 100, 80, **mine)
    assert everything() == before


def test_what_was_given_back_replaces_what_waits_now(careful):
    careful.proposes("A", 100, 84, 80)
    careful.says_no("B")
    careful.proposes("B", 84, 100, 80, key="mine")
    refused("waiting", lambda: careful.proposes("A", 100, 84, 80))
    careful.proposes("A", 100, 84, 80, instead_of=careful.seen)
    assert careful.there.waiting.device == careful.devices["A"]


def test_what_was_typed_comes_back_without_its_key(careful):
    """So that it can be sent anew, and is known from what arrives late."""
    document = {"number": 1, **careful.table.document(100, 84, 80)}
    typed = {"p1-points": ["100"], "key": ["one tap"]}
    device = careful.devices["A"]
    ledger.propose(careful.table.id, document, typed, key="one tap", by=device)
    careful.says_no("B")
    assert careful.there.returned_to(device).fields == {"p1-points": ["100"]}


# --- Whose it is when it is over ------------------------------------------------------------------


def replaced(careful):
    careful.proposes("A", 100, 84, 80)
    careful.proposes("B", 84, 100, 80, key="mine", instead_of=careful.seen)
    careful.says_yes("C")


def withdrawn(careful):
    careful.proposes("C", 88, 88, 88, key="before")
    careful.says_yes("B")
    careful.proposes("A", 100, 84, 80)
    careful.table.withdraws(1)


def finished(careful):
    careful.proposes("A", 100, 84, 80)
    ledger.change_series(careful.table.id, state="finished")


@pytest.mark.parametrize("ends", [replaced, withdrawn, finished])
def test_what_was_typed_and_not_recorded_is_still_its_phones(careful, ends):
    ends(careful)
    back = careful.there.returned_to(careful.devices["A"])
    assert (back.over, back.fields) == (True, {"p1-points": ["100"]})
    assert careful.there.proposal is None
    assert careful.there.returned_to(careful.devices["B"]) is None
    ledger.drop_returned(careful.table.id, back.number + 1, by=careful.devices["A"])
    ledger.drop_returned(careful.table.id, back.number, by=careful.devices["B"])
    assert careful.there.returned_to(careful.devices["A"]) is not None
    ledger.drop_returned(careful.table.id, back.number, by=careful.devices["A"])
    assert careful.there.returned_to(careful.devices["A"]) is None


def test_what_was_proposed_for_a_round_that_is_over_is_not_in_the_way(careful):
    replaced(careful)
    careful.proposes("C", 97, 87, 80, key="next")
    careful.says_yes("A")
    assert careful.table.totals == {"Aki": 5, "Ben": 11, "Chie": -16}
    assert ledger.check(careful.table.id).differences == ()


def test_no_pile_of_a_round_that_waits_is_changed(careful):
    key = {"form": "points", "fields": {}, "seat": {"points": 1}, "by": careful.devices["B"]}
    pile = (careful.table.id, 1, 1)
    assert ledger.key_pile(*pile, **key)
    careful.proposes("A", 100, 84, 80)
    refused("waiting", lambda: ledger.key_pile(*pile, **key))
    refused("waiting", lambda: ledger.begin_pile(*pile, by=careful.devices["B"]))
    refused("waiting", lambda: ledger.choose_pile(*pile, careful.devices["B"]))
    refused("waiting", lambda: ledger.drop_pile(*pile, by=careful.devices["B"]))


# --- What is refused when it is proposed ----------------------------------------------------------


def test_what_could_not_be_recorded_is_not_proposed(careful):
    refused("deck_sum", lambda: careful.proposes("A", 100, 84, 70))
    refused("bad_key", lambda: careful.proposes("A", 100, 84, 80, key=""))
    refused("round_skipped", lambda: careful.proposes("A", 100, 84, 80, number=2))
    ledger.change_series(careful.table.id, state="finished")
    refused("finished", lambda: careful.proposes("A", 100, 84, 80))


def test_nothing_is_recorded_past_it(careful):
    refused("needs_confirmation", lambda: careful.table.records(100, 84, 80))


# --- The switch -----------------------------------------------------------------------------------


def test_the_switch_is_an_event_in_words(careful):
    assert careful.table.book.confirm
    assert careful.table.told[-1] == "From now on a round counts once another phone has said yes."
    ledger.change_series(careful.table.id, confirm=False)
    assert careful.table.told[-1] == "From now on a round counts as soon as it is saved."
    assert not careful.table.book.confirm
    (line, *_) = ledger.history(careful.table.id)
    assert (line.kind, line.needs) == ("unguarded", ledger.Role.MANAGE)
    assert (line.before, line.after) == ({"confirm": True}, {"confirm": False})


def test_the_switch_is_undone_and_done_again(careful):
    careful.table.undoes()
    assert not careful.table.book.confirm
    careful.table.records(100, 84, 80)
    careful.table.undoes()
    careful.table.redoes()
    ledger.change_series(careful.table.id, confirm=True)
    refused("needs_confirmation", lambda: careful.table.records(100, 84, 80))


def test_what_is_so_already_is_no_event(careful):
    before = everything()
    ledger.change_series(careful.table.id, confirm=True)
    assert everything() == before


@pytest.mark.parametrize("off", [lambda it: ledger.change_series(it.id, confirm=False),
                                 lambda it: it.undoes()], ids=["switched", "undone"])  # fmt: skip
def test_without_the_switch_what_waits_is_its_phones_again(careful, off):
    careful.proposes("A", 100, 84, 80)
    off(careful.table)
    assert careful.there.returned_to(careful.devices["A"]) is not None
    careful.table.records(100, 84, 80)
    assert careful.there.proposal is None


def test_where_nobody_has_to_say_yes_a_round_is_recorded(careful):
    """The switch was turned while it was on its way."""
    ledger.change_series(careful.table.id, confirm=False)
    for _ in range(2):
        careful.proposes("A", 100, 84, 80, number=1)
    assert careful.there.proposal is None
    (played,) = careful.table.book.rounds
    assert played.by == careful.devices["A"]
    refused("deck_sum", lambda: careful.proposes("A", 100, 84, 70, key="next"))


def test_corrections_and_withdrawals_count_at_once(careful):
    careful.proposes("A", 100, 84, 80)
    careful.says_yes("B")
    careful.table.corrects(1, 84, 100, 80)
    assert careful.table.totals == {"Aki": -4, "Ben": 12, "Chie": -8}
    careful.table.withdraws(1)
    assert careful.table.totals == {"Aki": 0, "Ben": 0, "Chie": 0}
