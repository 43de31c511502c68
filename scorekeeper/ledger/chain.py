"""Writing one event: its revisions, its postings, and the hash that ties it to all before.

The hash of an event is a MAC over the hash of the event before it and everything that is written
with it; only what people typed as text is left out, since that can be erased. `check` computes the
same from what is stored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import seal
from scorekeeper.ledger.book import Book, Document, Round
from scorekeeper.ledger.tables import (
    Event,
    Head,
    Posting,
    Reason,
    RoundRevision,
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
    before = books.get(Event, (series_id, version)) if version else None
    digest = event_hash(
        before.hash if before else b"",
        [series_id, number, kind, written(at), by, data, revisions, postings],
    )
    place = {"series_id": series_id, "event_number": number}
    books.execute(
        insert(Event).values(
            series_id=series_id, number=number, kind=kind, at=at, by=by, data=data, hash=digest
        )
    )
    if revisions:
        books.execute(insert(RoundRevision), [place | row for row in revisions])
    if postings:
        books.execute(insert(Posting), [place | row for row in postings])
    if reason is not None:
        books.execute(insert(Reason).values(**place, text=reason))
    books.merge(Head(series_id=series_id, seal=head_seal(digest)))


def event_hash(before: bytes, content: Sequence[Any]) -> bytes:
    """The hash of an event, from the hash of the one before and what is written with it."""
    return seal("event", before, canonical(content).encode())


def head_seal(last: bytes) -> bytes:
    """The seal on a series, from the hash of its last event."""
    return seal("head", last)


def reason_seal(series_id: str, number: int, reason: str) -> str:
    """What an event keeps of its reason: enough to know it again, nothing that tells it."""
    return seal("reason", series_id.encode(), str(number).encode(), reason.encode()).hex()
