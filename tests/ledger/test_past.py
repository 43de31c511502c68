"""What happened is read once, and is nevertheless what the database holds."""

from dataclasses import replace

import pytest
from sqlalchemy import event, text

from scorekeeper import ledger
from scorekeeper.filling import filled_round
from scorekeeper.ledger import past
from scorekeeper.ledger.database import reading, writing
from scorekeeper.ledger.past import past_of
from scorekeeper.ledger.rounds import record_within
from scorekeeper.ledger.tables import canonical, db
from scorekeeper.rules.games import GAMES


@pytest.fixture
def played(table):
    """A series with two rounds, of which the first was corrected."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    table.records(97, 87, 80)
    table.corrects(1, 84, 100, 80)
    return table


def from_nothing(series: str) -> ledger.Book:
    """The book as somebody reads it who has read nothing before."""
    known, past._shelf = past._shelf, past._Shelf(past.ROOM)
    try:
        return ledger.read(series)
    finally:
        past._shelf = known


def known(series: str) -> past.Past:
    """What is known of a series by now."""
    ledger.read(series)
    found = past._shelf.find(series)
    assert found is not None
    return found


def test_no_round_is_read_twice(played):
    ledger.read(played.id)
    statements: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    ledger.read(played.id)
    assert statements
    assert not [statement for statement in statements if "round_revision" in statement]


def test_it_goes_on_from_what_is_known(played):
    for change in (
        lambda: played.records(100, 84, 80),
        lambda: played.corrects(2, 100, 84, 80),
        lambda: ledger.add_player(played.id, "Dai"),
        lambda: ledger.change_player(played.id, 4, left=True),
        lambda: ledger.change_series(played.id, state="finished"),
        played.undoes,
        played.redoes,
        played.undoes,
        lambda: played.withdraws(3),
        played.undoes,
        lambda: ledger.rotate(played.id, ledger.Role.VIEW),
    ):
        change()
        assert ledger.read(played.id) == from_nothing(played.id)


def test_what_another_process_wrote_is_read(played):
    before = known(played.id)
    played.records(100, 84, 80)
    past._shelf.keep(played.id, before)  # as it is known where nothing was written
    assert ledger.read(played.id) == from_nothing(played.id)
    assert ledger.read(played.id).next_number == 4


def test_what_was_taken_back_is_not_known(played):
    def takes_back() -> None:
        with writing(played.id) as books:
            document = {"number": 3, **played.document(140, 64, 60)}
            record_within(books, played.id, document, key=None, by=None)
            assert past_of(books, played.id).standing.version == 5
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        takes_back()
    assert ledger.read(played.id).version == 4
    played.records(100, 84, 80)
    assert ledger.read(played.id) == from_nothing(played.id)


@pytest.mark.parametrize("kind", ["postgresql"])  # where somebody can write meanwhile
def test_who_sees_an_earlier_moment_reads_that(played):
    """A reading that began before a round was recorded, and somebody read that meanwhile."""
    with reading() as books:
        before = past_of(books, played.id).standing.version
        played.records(100, 84, 80)
        assert ledger.read(played.id).version == before + 1
        assert past_of(books, played.id).standing.version == before
    assert ledger.read(played.id) == from_nothing(played.id)


def test_a_database_put_back_from_a_backup_is_read_anew(played):
    other = replace(known(played.id), hash=b"of another event", rounds={})
    past._shelf.keep(played.id, other)
    assert ledger.read(played.id) == from_nothing(played.id)


def test_a_series_that_is_there_no_longer_is_unknown(played):
    past._shelf.keep("nowhere", known(played.id))
    with pytest.raises(ledger.UnknownSeries):
        ledger.read("nowhere")


def test_a_name_that_was_erased_is_gone_at_once(played):
    assert ledger.read(played.id).name_of(2) == "Ben"
    with db.engine.begin() as books:
        erase = text("DELETE FROM player_name WHERE series_id = :series AND player_id = 2")
        books.execute(erase, {"series": played.id})
    assert ledger.read(played.id).name_of(2) == "Player 2"


def test_no_sum_is_known_before_it_is_added_up(played):
    before = played.totals
    with db.engine.begin() as books:
        more = text(
            "INSERT INTO posting (series_id, event_number, line, round_number, player_id, amount, "
            "unit) VALUES (:series, 4, 99, 1, 1, 5, 'points')"
        )
        books.execute(more, {"series": played.id})
    assert played.totals == {**before, "Aki": before["Aki"] + 5}


def test_nobody_changes_what_all_share(played):
    def told() -> str:
        return canonical([[one.entry, one.result] for one in known(played.id).rounds.values()])

    before, book = told(), ledger.read(played.id)
    for one in book.rounds:
        book.answer(one)
        book.named(one.entry)
        filled_round(one, GAMES[book.game])
        ledger.preview(book, {**played.document(140, 64, 60)}, one.number)
        ledger.follows(book, one.number, played.document(140, 64, 60))
    [*book.running()]
    ledger.history(book.id)
    ledger.record(book.id, {"number": 3, **played.document(140, 64, 60)})
    ledger.check(book.id)
    assert told().startswith(before[:-1])


def test_what_was_not_read_for_long_makes_room(played):
    shelf, one = past._Shelf(room=12), known(played.id)  # which takes 4 of them
    for name in "abc":
        shelf.keep(name, one)
    shelf.find("a")
    shelf.keep("d", one)
    assert [name for name in "abcd" if shelf.find(name)] == ["a", "c", "d"]
    shelf.keep("d", one)  # takes no more room than before
    assert [name for name in "abcd" if shelf.find(name)] == ["a", "c", "d"]
