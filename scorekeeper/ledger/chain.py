"""Writing one event: its revisions, its postings, and the hash that ties it to all before.

The hash of an event is a MAC over the hash of the event before it and everything that is written
with it; of what people typed as text, which can be erased, it covers a MAC. `check` computes the
same from what is stored.

A series whose seal is not on its last event takes no further one: it would put a new seal on what
is left, and nothing would show any more that something is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import current_app
from sqlalchemy import CursorResult, Update, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import seal
from scorekeeper.ledger.book import Book
from scorekeeper.ledger.past import Document, Round
from scorekeeper.ledger.standing import FINISHED, HERE
from scorekeeper.ledger.tables import (
    GONE,
    OVER,
    RETURNED,
    WAITING,
    Base,
    canonical,
    written,
)
from scorekeeper.rules import RuleError
from scorekeeper.rules.sentence import say

# The version of the rules, written down with every round: raise it with any change by which a
# round that was settled before could come out otherwise.
ENGINE = 1

Row = dict[str, Any]


class Damaged(RuleError):
    """The books of a series are not what was written; nothing is added to them."""

    def __init__(self, series_id: str) -> None:
        current_app.logger.error("Series %s does not fit its seal: nothing is written", series_id)
        sentence = say(
            "The books of this series are not as they were written, so nothing is added to them: "
            "whoever runs this server can see what differs with the command “check”."
        )
        super().__init__("damaged", sentence)


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
        data["rounds"] = [change.step for change in changes]
    if changes and kind != "undone":
        # What an undoing brings back is not settled again: it keeps the version it was settled by.
        data["engine"] = ENGINE
    append(books, book.id, book.version, kind, at, by, data, changes, reason)
    comes_or_goes = any(change.before is None or change.after is None for change in changes)
    if comes_or_goes or data.get("state", {}).get("after") == FINISHED:
        # The round in progress is another one now: the piles that phones gave of it are done with,
        # and so is the whole round of the phone that records it. What others typed stays theirs.
        recorder = by if kind == "recorded" else None
        books.execute(_DONE_WITH, {"series": book.id, "recorder": recorder or 0})
        books.execute(_WHOLE, {"series": book.id, "states": [WAITING, RETURNED], "state": OVER})
    elif changes or "rules" in data:
        # What waits may come to other figures now than those that were seen of it.
        books.execute(_ANEW, {"series": book.id})
    if data.get("player", {}).get("after", HERE) != HERE:
        # Nobody sees the pile of somebody who does not play, or could take it out.
        books.execute(_PLAYS_NO_MORE, {"series": book.id, "player": data["player"]["id"]})
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
    """Appends the event after `version` with its revisions and postings, and moves the seal.

    Raises Damaged where the seal is not on the event before.
    """
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
    last = books.scalars(_HASH, {"series": series_id, "version": version}).one() if version else b""
    digest = event_hash(
        last,
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
    if version:
        _move(books, _SEALED, {**sealed, "before": head_seal(last)})
    else:
        books.execute(_SEAL, {**sealed, "claims": claims_seal(series_id, [])})


@contextmanager
def sealing_claims(books: Session, series_id: str) -> Iterator[None]:
    """Moves the seal on whose phone is whose over what is written in the block.

    Nobody else may write to the series meanwhile. Raises Damaged where the seal was not on what
    stood there before.
    """

    def seal_on() -> bytes:
        said = books.execute(_CLAIMS, {"series": series_id})
        return claims_seal(series_id, [tuple(row) for row in said])

    before = seal_on()
    yield
    books.flush()
    _move(books, _CLAIMED, {"series": series_id, "before": before, "claims": seal_on()})


def _move(books: Session, statement: Update, values: Row) -> None:
    """Moves a seal, if it is where it should be."""
    moved = books.execute(statement, values)
    assert isinstance(moved, CursorResult)
    if moved.rowcount != 1:
        raise Damaged(values["series"])


# Made once: making a statement takes longer than what it does.
_tables = Base.metadata.tables
_event, _head, _pending, _claim = (_tables[name] for name in ("event", "head", "pending", "claim"))
_EVENT, _REVISION, _POSTING, _REASON = (
    insert(_tables[name]) for name in ("event", "round_revision", "posting", "reason")
)
_HASH = select(_event.c.hash).where(
    _event.c.series_id == bindparam("series"), _event.c.number == bindparam("version")
)
_SEAL = insert(_head).values(
    series_id=bindparam("series"), seal=bindparam("seal"), claims=bindparam("claims")
)
_SEALED = (
    update(_head)
    .where(_head.c.series_id == bindparam("series"), _head.c.seal == bindparam("before"))
    .values(seal=bindparam("seal"))
)
_CLAIMED = (
    update(_head)
    .where(_head.c.series_id == bindparam("series"), _head.c.claims == bindparam("before"))
    .values(claims=bindparam("claims"))
)
_CLAIMS = select(_claim.c.device_id, _claim.c.since, _claim.c.player_id).where(
    _claim.c.series_id == bindparam("series")
)
_DONE_WITH = delete(_pending).where(
    _pending.c.series_id == bindparam("series"),
    or_(
        _pending.c.state.not_in((WAITING, RETURNED, OVER)),
        _pending.c.device_id == bindparam("recorder"),
    ),
)
_PLAYS_NO_MORE = (
    update(_pending)
    .where(_pending.c.series_id == bindparam("series"), _pending.c.player_id == bindparam("player"))
    .values(state=GONE, content={})
)
_WHOLE = (
    update(_pending)
    .where(
        _pending.c.series_id == bindparam("series"),
        _pending.c.state.in_(bindparam("states", expanding=True)),
    )
    .values(state=bindparam("state"))
)

_changes = _pending.alias()
_ANEW = (
    update(_pending)
    .where(_pending.c.series_id == bindparam("series"), _pending.c.state == WAITING)
    .values(
        change=select(func.max(_changes.c.change) + 1)
        .where(_changes.c.series_id == bindparam("series"))
        .scalar_subquery()
    )
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


def name_seals(series_id: str, number: int, names: Mapping[int, str]) -> dict[str, str]:
    """What an event keeps of the names it gives, by player: like `reason_seal`."""
    return {
        str(player): seal(
            "name", series_id.encode(), str(number).encode(), str(player).encode(), name.encode()
        ).hex()
        for player, name in names.items()
    }


def claims_seal(series_id: str, claims: Sequence[tuple[int, int, int | None]]) -> bytes:
    """The seal on whose phone is whose in a series: all of device, event and player."""
    # No two have device and event in common.
    return seal("claims", series_id.encode(), canonical(sorted(claims)).encode())
