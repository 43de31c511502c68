"""What happened in a series, read once.

    past = past_of(books, series_id)
    past.standing.version, past.standing.rounds, past.rounds[2, 1]

Events and the revisions of rounds never change once they are written. So what they come to is kept,
and the next reading goes on from there. Whether that is still what the database holds shows in the
hash of the last event, which stands for everything before it: a series that was deleted, or a
database that was put back from a backup, is read from its beginning.

What can be erased is not kept (names, reasons), and neither is any sum.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.database import UnknownSeries
from scorekeeper.ledger.standing import Standing
from scorekeeper.ledger.tables import Base
from scorekeeper.rules.games import GAMES

Document = dict[str, Any]

ROOM = 2000
"""How many revisions of rounds a process keeps, of all series together; up to 10 kB each."""


class Happened(NamedTuple):
    """One event, as it stands in the books."""

    number: int
    kind: str
    at: datetime
    by: int | None
    data: Mapping[str, Any]
    hash: bytes


@dataclass(frozen=True)
class Round:
    """A revision of a round; who rests in it has no seat.

    `entry` is the whole document that was settled, its seats with "player" in place of "name";
    `result` the answer without its words; `by` the device that sent it, where one did.
    """

    number: int
    revision: int
    entry: Document
    result: Document
    by: int | None
    at: datetime

    @cached_property
    def players(self) -> list[int]:
        """Who played, in turn order."""
        return [seat["player"] for seat in self.entry["seats"]]

    @property
    def rules(self) -> Mapping[str, Any]:
        """The house rules it was played by, all of them."""
        return whole_rules(self.entry["game"], self.entry["rules"])

    @property
    def dealer(self) -> int:
        """The player who dealt."""
        return self.players[self.entry["dealer"]]

    @property
    def next_dealer(self) -> int | None:
        """The player whom the rules name as the next dealer; None where the table must say."""
        seat = self.result["next_dealer"]
        return None if seat is None else self.players[seat]

    @cached_property
    def amounts(self) -> dict[int, int]:
        """What each of those who played got, in the round's unit."""
        return dict(zip(self.players, self.result["amounts"], strict=True))

    @property
    def unit(self) -> str:
        """What its amounts are counted in, points or shares."""
        unit: str = self.result["unit"]
        return unit

    @property
    def void(self) -> bool:
        """Whether it was misdealt or abandoned, and does not count towards the length."""
        return self.entry.get("end") == "void"

    def same_as(self, other: "Round") -> bool:
        """Whether another revision says the same of the round."""
        return (self.entry, self.result) == (other.entry, other.result)


def whole_rules(game: str, stored: Mapping[str, Any]) -> dict[str, Any]:
    """A value for every house rule; one that there was none of then was played by its default."""
    given = {key: value for key, value in stored.items() if value is not None}
    return GAMES[game].defaults | given


@dataclass(frozen=True)
class Past:
    """What the events of a series came to.

    `hash` is the last one's; `rounds` has every revision by round and revision. Nobody changes it:
    all who read the series share it.
    """

    hash: bytes
    created_at: datetime
    standing: Standing
    rounds: Mapping[tuple[int, int], Round]

    @property
    def in_force(self) -> tuple[Round, ...]:
        """The rounds as they stand, by number."""
        return tuple(self.rounds[one] for one in sorted(self.standing.rounds.items()))

    @property
    def corrected(self) -> frozenset[int]:
        """The rounds that are otherwise than they were recorded; not those that were put back."""
        first = self.standing.first
        return frozenset(
            played.number
            for played in self.in_force
            if not played.same_as(self.rounds[played.number, first[played.number]])
        )


def past_of(books: Session, series_id: str) -> Past:
    """What happened, as an open transaction sees it; raises UnknownSeries."""
    past = _shelf.find(series_id)
    events = events_of(books, series_id, past.standing.version if past else 1)
    if past and not (events and events[0].hash == past.hash):
        past, events = None, events_of(books, series_id)
    if not events:
        raise UnknownSeries(series_id)
    if past and len(events) == 1:
        return past
    standing = past.standing.copy() if past else Standing.started(events[0].data)
    for event in events[1:]:
        standing.apply(event.number, event.data)
    since = past.standing.version if past else 0
    new = {(one.number, one.revision): one for one in revisions(books, series_id, since=since)}
    past = Past(
        hash=events[-1].hash,
        created_at=past.created_at if past else events[0].at,
        standing=standing,
        rounds={**past.rounds, **new} if past else new,
    )
    _shelf.keep(series_id, past)
    return past


class _Shelf:
    """What was read last, with so many revisions of rounds at most."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._pasts: OrderedDict[str, Past] = OrderedDict()
        self._held = 0

    def find(self, series_id: str) -> Past | None:
        with self._lock:
            if series_id in self._pasts:
                self._pasts.move_to_end(series_id)
            return self._pasts.get(series_id)

    def keep(self, series_id: str, past: Past) -> None:
        with self._lock:
            self._drop(self._pasts.pop(series_id, None))
            self._pasts[series_id] = past
            self._held += self._size(past)
            while self._held > self._room:
                self._drop(self._pasts.popitem(last=False)[1])

    def _drop(self, past: Past | None) -> None:
        self._held -= self._size(past) if past else 0

    @staticmethod
    def _size(past: Past) -> int:
        # A series in which nothing was played takes room too.
        return 1 + len(past.rounds)


_shelf = _Shelf(ROOM)


# --- What stands in the books ---------------------------------------------------------------------

# Statements are made once: making one takes longer than what it does.
_event, _revision = Base.metadata.tables["event"].c, Base.metadata.tables["round_revision"].c
_EVENTS = (
    select(*(_event[field] for field in Happened._fields))
    .where(_event.series_id == bindparam("series"), _event.number >= bindparam("first"))
    .order_by(_event.number)
)
_REVISIONS = (
    select(
        _revision.round_number,
        _revision.revision,
        _revision.entry,
        _revision.result,
        _event.by,
        _event.at,
    )
    .where(
        _revision.series_id == bindparam("series"),
        _revision.event_number > bindparam("since"),
        _event.series_id == _revision.series_id,
        _event.number == _revision.event_number,
    )
    .order_by(_revision.round_number, _revision.revision)
)


def events_of(books: Session, series_id: str, first: int = 1) -> list[Happened]:
    """The events of a series in order, all of them or from a number on."""
    rows = books.execute(_EVENTS, {"series": series_id, "first": first})
    return [Happened(*row) for row in rows]


def revisions(
    books: Session, series_id: str, *only: ColumnElement[bool], since: int = 0
) -> Iterator[Round]:
    """The revisions of a series' rounds that an event after `since` made, older before newer."""
    statement = _REVISIONS.where(*only) if only else _REVISIONS
    for row in books.execute(statement, {"series": series_id, "since": since}):
        yield Round(*row)
