"""Writing one event: its revisions, its postings, and the hash that ties it to all before.

The hash of an event is a MAC over the hash of the event before it and everything that is written
with it; only what people typed as text is left out, since that can be erased. `check` computes the
same from what is stored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, or_, select, update
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import seal
from scorekeeper.ledger.book import Book
from scorekeeper.ledger.past import Document, Round
from scorekeeper.ledger.standing import FINISHED
from scorekeeper.ledger.tables import (
    OVER,
    RETURNED,
    WAITING,
    Base,
    canonical,
    written,
)

# The version of the rules, written down with every round: raise it with any change by which a
# round that was settled before could come out otherwise.
ENGINE = 1

Row = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """What becomes of a round: `after` is its new revision, None where it is withdrawn.

    `before` is the revision in force until now, None where there is none.
    """

    number: int
    before: Round | None
    after: Round | None

    @property
    def step(self) -> Document:
        """The change as its event writes it down."""
        return {
            "round": self.number,
            "before": self.before.revision if self.before else None,
            "after": self.after.revision if self.after else None,
        }

    def postings(self) -> Iterator[Row]:
        """What it posts: the amounts posted before, reversed, and the new ones.

        Each who played has a posting, of zero too; who rested has none.
        """
        for played, sign in (self.before, -1), (self.after, +1):
            if played is not None:
                for player, amount in played.amounts.items():
                    yield {
                        "round_number": self.number,
                        "player_id": player,
                        "amount": sign * amount,
                        "unit": played.unit,
                    }


def now() -> datetime:
    """The moment of an event, as exact as the books write it."""
    return datetime.now(UTC).replace(microsecond=0)


def write(
    books: Session,
    book: Book,
    kind: str,
    at: datetime,
    by: int | None,
    changes: Sequence[Change] = (),
    data: Mapping[str, Any] | None = None,
    reason: str | None = None,
) -> None:
    """Appends an event to a series: these changes of rounds, and whatever else is in `data`."""
    data = dict(data or {})
    if changes:
        data |= {"rounds": [change.step for change in changes], "engine": ENGINE}
    append(books, book.id, book.version, kind, at, by, data, changes, reason)
    comes_or_goes = any(change.before is None or change.after is None for change in changes)
    if comes_or_goes or data.get("state", {}).get("after") == FINISHED:
        # The round in progress is another one now: the piles that phones gave of it are done with,
        # and so is the whole round of the phone that records it. What others typed stays theirs.
        recorder = by if kind == "recorded" else None
        books.execute(_DONE_WITH, {"series": book.id, "recorder": recorder or 0})
        books.execute(_WHOLE, {"series": book.id, "states": [WAITING, RETURNED], "state": OVER})
    if data.get("confirm", {}).get("after") is False:
        # Nobody has to say yes any more: the round that waits is its phone's again.
        books.execute(_WHOLE, {"series": book.id, "states": [WAITING], "state": RETURNED})


def append(
    books: Session,
    series_id: str,
    version: int,
    kind: str,
    at: datetime,
    by: int | None,
    data: Mapping[str, Any],
    changes: Sequence[Change] = (),
    reason: str | None = None,
) -> None:
    """Appends the event after `version` with its revisions and postings, and moves the seal."""
    number = version + 1
    if reason is not None:
        data = {**data, "reason": reason_seal(series_id, number, reason)}
    revisions: list[Row] = [
        {
            "round_number": change.number,
            "revision": change.after.revision,
            "entry": change.after.entry,
            "result": change.after.result,
        }
        for change in changes
        if change.after
    ]
    postings: list[Row] = [
        {"line": line, **posting}
        for line, posting in enumerate(row for change in changes for row in change.postings())
    ]
    place = {"series_id": series_id, "event_number": number}
    before = {"series": series_id, "version": version}
    digest = event_hash(
        books.scalars(_HASH, before).one() if version else b"",
        [series_id, number, kind, written(at), by, data, revisions, postings],
    )
    event = {"number": number, "kind": kind, "at": at, "by": by, "data": data, "hash": digest}
    books.execute(_EVENT, {"series_id": series_id, **event})
    if revisions:
        books.execute(_REVISION, [place | row for row in revisions])
    if postings:
        books.execute(_POSTING, [place | row for row in postings])
    if reason is not None:
        books.execute(_REASON, {**place, "text": reason})
    sealed = {"series": series_id, "seal": head_seal(digest)}
    books.execute(_SEALED if version else _SEAL, sealed)


# Made once: making a statement takes longer than what it does.
_tables = Base.metadata.tables
_event, _head, _pending = (_tables[name] for name in ("event", "head", "pending"))
_EVENT, _REVISION, _POSTING, _REASON = (
    insert(_tables[name]) for name in ("event", "round_revision", "posting", "reason")
)
_HASH = select(_event.c.hash).where(
    _event.c.series_id == bindparam("series"), _event.c.number == bindparam("version")
)
_SEAL = insert(_head).values(series_id=bindparam("series"), seal=bindparam("seal"))
_SEALED = (
    update(_head).where(_head.c.series_id == bindparam("series")).values(seal=bindparam("seal"))
)
_DONE_WITH = delete(_pending).where(
    _pending.c.series_id == bindparam("series"),
    or_(
        _pending.c.state.not_in((WAITING, RETURNED, OVER)),
        _pending.c.device_id == bindparam("recorder"),
    ),
)
_WHOLE = (
    update(_pending)
    .where(
        _pending.c.series_id == bindparam("series"),
        _pending.c.state.in_(bindparam("states", expanding=True)),
    )
    .values(state=bindparam("state"))
)


def event_hash(before: bytes, content: Sequence[Any]) -> bytes:
    """The hash of an event, from the hash of the one before and what is written with it."""
    return seal("event", before, canonical(content).encode())


def head_seal(last: bytes) -> bytes:
    """The seal on a series, from the hash of its last event."""
    return seal("head", last)


def reason_seal(series_id: str, number: int, reason: str) -> str:
    """What an event keeps of its reason: enough to know it again, nothing that tells it."""
    return seal("reason", series_id.encode(), str(number).encode(), reason.encode()).hex()
