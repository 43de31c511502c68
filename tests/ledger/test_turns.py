"""Writers of one SQLite file write one after the other, and are committed together."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import event, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from scorekeeper import ledger
from scorekeeper.ledger import database, turns
from scorekeeper.ledger.chain import now
from scorekeeper.ledger.database import reading, writing
from scorekeeper.ledger.tables import WrongTry, db

from ..conftest import PATIENCE

Write = Callable[[Session], None]


@pytest.fixture
def kind() -> str:
    return "sqlite"


class Queue:
    """Writers that come while one writes; each writes its number, and then what it is told."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.commits = 0
        self.gone = 0  # how many are done, one way or the other
        event.listen(db.engine, "commit", self._commits)

    def _commits(self, connection: object) -> None:
        self.commits += 1

    def write(self, *writes: Write) -> list[BaseException | None]:
        """How it ended for each."""
        turns = self.app.extensions[database._TURNS]
        begun, go_on = threading.Event(), threading.Event()

        def one(number: int, write: Write) -> None:
            try:
                with self.app.app_context(), writing() as books:
                    books.add(WrongTry(client=bytes([number]) * 32, at=now()))
                    books.flush()
                    begun.set()
                    assert go_on.wait(PATIENCE)
                    write(books)
            finally:
                self.gone += 1

        with ThreadPoolExecutor(len(writes)) as threads:
            ends: list[Future[None]] = []
            for each in enumerate(writes):
                ends.append(threads.submit(one, *each))
                assert begun.wait(PATIENCE)
            until = time.monotonic() + PATIENCE
            while turns.waiting < len(writes) - 1:
                assert time.monotonic() < until
                time.sleep(0.001)
            go_on.set()
        return [end.exception() for end in ends]


@pytest.fixture
def queue(app: Flask) -> Queue:
    return Queue(app)


def stored() -> list[int]:
    """The numbers of what is written."""
    with reading() as books:
        return sorted(client[0] for client in books.scalars(select(WrongTry.client)))


def go_on(books: Session) -> None:
    """Has nothing more to write."""


def refuse(books: Session) -> None:
    raise ledger.UnknownRound(1)


def lose(books: Session) -> None:
    """Has SQLite take the transaction back, as it does by itself when its disk is full."""
    books.connection().exec_driver_sql("ROLLBACK")


def test_who_waits_is_committed_with_the_one_before(queue):
    assert queue.write(*[go_on] * 6) == [None] * 6
    assert stored() == [*range(6)]
    assert queue.commits == 1


def test_who_comes_alone_is_committed_alone(queue):
    for _ in range(3):
        assert queue.write(go_on) == [None]
    assert queue.commits == 3


def test_nobody_waits_for_all_that_ever_come(queue, monkeypatch):
    monkeypatch.setattr(turns, "MOST", 2)
    queue.write(*[go_on] * 6)
    assert stored() == [*range(6)]
    assert queue.commits == 3


def test_what_one_takes_back_is_lost_to_nobody_else(queue):
    ends = queue.write(refuse, go_on, refuse, go_on)
    assert [isinstance(end, ledger.UnknownRound) for end in ends] == [True, False] * 2
    assert stored() == [1, 3]
    assert queue.commits == 1


def test_nobody_goes_on_before_all_of_it_is_on_disk(queue):
    gone = []

    def slowly(connection: object) -> None:
        time.sleep(0.2)  # long enough for whoever would not wait
        gone.append(queue.gone)

    event.listen(db.engine, "commit", slowly)
    queue.write(go_on, refuse, go_on)
    assert (gone, queue.gone) == ([0], 3)


def test_nobody_is_told_that_it_is_saved_when_the_disk_fails(queue):
    def fail(connection: object) -> None:
        raise OSError("the disk fails")

    event.listen(db.engine, "commit", fail)
    assert [type(end) for end in queue.write(go_on, refuse, go_on)] == [OSError] * 3
    event.remove(db.engine, "commit", fail)
    assert stored() == []
    assert queue.write(go_on) == [None]
    assert stored() == [0]


@pytest.mark.parametrize("writes", [[go_on, lose], [lose, go_on]])
def test_whose_writing_sqlite_took_back_is_told(queue, writes):
    ends = queue.write(*writes)
    told = [number for number, end in enumerate(ends) if isinstance(end, SQLAlchemyError)]
    # Who comes after that begins anew.
    assert told == ([0, 1] if writes[0] is go_on else [0])
    assert stored() == [number for number in (0, 1) if number not in told]
    assert queue.write(go_on) == [None]
