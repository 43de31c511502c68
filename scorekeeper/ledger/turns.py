"""Who writes to a SQLite file: one after the other, and onto the disk together.

    turns = Turns(begin)
    with turns.transaction() as books: ...   on disk at the end of the block, or not at all

To bring a transaction onto the disk takes longer than everything that is written in it, much longer
where the disk is slow or busy. So whoever is done while others wait leaves the transaction open to
the next of them, and the last one commits what all of them wrote. Nobody goes on before that.

Each has a savepoint, so that what one of them takes back is lost to nobody else. And since each has
seen what those before have written, all go on or none does.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

MOST = 20
"""How many write together: the first of them waits for the last."""


class Turns:
    """The writers of one database; `begin` answers a connection with an open transaction."""

    def __init__(self, begin: Callable[[], Connection]) -> None:
        self._begin = begin
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0
        self._left_open: _Together | None = None

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return self._waiting

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """One writer's transaction, committed at the end of the block or not at all."""
        together: _Together | None = None
        with self._counting:
            self._waiting += 1
        try:
            with self._turn:
                with self._counting:
                    self._waiting -= 1
                together = self._left_open or _Together(self._begin())
                self._left_open = None
                try:
                    with together.part() as books:
                        yield books
                finally:
                    if self._waiting and together.takes_another:
                        self._left_open = together
                    else:
                        together.commit()
        finally:
            # Who was refused waits as well: it may have been for what others are about to commit.
            if together is not None:
                together.wait()


class _Together:
    """One transaction of several writers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._writers = 0
        self._committed: Future[None] = Future()

    @contextmanager
    def part(self) -> Iterator[Session]:
        """What one of them writes."""
        self._writers += 1
        with (
            Session(self._connection, join_transaction_mode="create_savepoint") as books,
            books.begin(),
        ):
            yield books

    @property
    def takes_another(self) -> bool:
        """Whether one more can write in it."""
        return self._writers < MOST and self._whole

    @property
    def _whole(self) -> bool:
        """Whether all of it is still there.

        SQLite takes a transaction back by itself when its disk is full, or fails.
        """
        if self._connection.invalidated:
            return False
        connection = self._connection.connection.driver_connection
        return connection is not None and connection.in_transaction

    def commit(self) -> None:
        """Brings it onto the disk, and lets everybody go on."""
        with self._connection as connection:
            try:
                if not self._whole:
                    raise SQLAlchemyError("The database took back what was written.")
                connection.commit()
            except BaseException as problem:
                self._committed.set_exception(problem)
                # Closed for good: whatever is still open in it must reach nobody else.
                connection.invalidate()
            else:
                self._committed.set_result(None)

    def wait(self) -> None:
        """Returns once it is on disk; raises what went wrong where it is not."""
        self._committed.result()
