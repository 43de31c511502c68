"""Who is told that a series changed.

    listen(app, hear)                 `hear(series_id)` after every commit of this process
    for series_id in notices(5): ...  with PostgreSQL: every commit of any process
    happened(series_id, 7)            what was done since version 7

What is told is only that something changed, the access to the series included; whoever hears it
looks for themselves.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from flask import Flask, current_app
from sqlalchemy import bindparam, select, text
from sqlalchemy.orm import Session

from scorekeeper.ledger.tables import Event, db

Hear = Callable[[str], None]

_CHANNEL = "scorekeeper"
_LISTENER = "scorekeeper.hear"  # the key under `app.extensions`


def listen(app: Flask, hear: Hear) -> None:
    """Says who is to be told; called once, before anything is written."""
    app.extensions[_LISTENER] = hear


def several_processes() -> bool:
    """Whether other processes may write to the same books."""
    return db.engine.dialect.name == "postgresql"


def tell_all(books: Session, series_id: str) -> None:
    """Has the database tell every process, this one too, when the open transaction commits."""
    if several_processes():
        notify = text("SELECT pg_notify(:channel, :series)")
        books.execute(notify, {"channel": _CHANNEL, "series": series_id})


def tell_here(series_id: str) -> None:
    """Tells this process after a commit, where the database does not."""
    hear: Hear | None = current_app.extensions.get(_LISTENER)
    if hear is not None and not several_processes():
        hear(series_id)


def happened(series_id: str, since: int) -> list[tuple[str, Any]]:
    """Kind and data of the events of a series after a version, in order."""
    with db.engine.connect() as books:
        rows = books.execute(_SINCE, {"series": series_id, "since": since})
        return [(kind, data) for kind, data in rows]


# Made once: making a statement takes longer than what it does.
_SINCE = (
    select(Event.kind, Event.data)
    .where(Event.series_id == bindparam("series"), Event.number > bindparam("since"))
    .order_by(Event.number)
)


def notices(pause: float) -> Iterator[str | None]:
    """The series that any process changes from now on; None whenever `pause` seconds are over.

    Holds a connection of its own, none of the pool's, and ends with the error that ends that.
    """
    with closing(db.engine.raw_connection()) as pooled:
        connection = pooled.driver_connection
        assert connection is not None
        pooled.detach()
        connection.autocommit = True
        connection.execute(f"LISTEN {_CHANNEL}")
        while True:
            yield None
            for notice in connection.notifies(timeout=pause):
                yield notice.payload
