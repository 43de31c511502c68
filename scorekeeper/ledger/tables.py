"""The tables of the ledger.

Three of them are append-only, and the database itself refuses to change them (see the
migrations): `event` says what was done, `round_revision` keeps every state a round ever had, and
`posting` moves amounts between people. A correction adds rows to all three:

    event 4    corrected   {"rounds": [{"round": 2, "before": 1, "after": 2}]}
    revision   round 2, revision 2, the new entry and its result
    postings   -4 +4 (the old ones reversed), +10 -6 (the new ones)

Totals are sums of postings and stand nowhere; what else an event can change stands in `standing`.
People are known by id, the order in which they joined their series. What people typed as text,
their names and the reasons of corrections, lives in tables of its own, so that it can be erased
without touching the books.
"""

import json
from datetime import UTC, datetime
from typing import Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    BigInteger,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


def canonical(value: Any) -> str:
    """JSON with sorted keys, no spaces and ASCII only: one text for one value.

    What is hashed is what is stored. ASCII also keeps out of the database what SQLite would store
    and PostgreSQL would not (NUL characters, half surrogate pairs).
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


class CanonicalJSON(TypeDecorator[Any]):
    """A JSON value stored as its canonical text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        return canonical(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return json.loads(value)


def written(moment: datetime) -> str:
    """The moment as the books write it: UTC, whole seconds, `2026-11-29T19:32:00Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, stored as ISO text: SQLite has no time zones to keep it apart with."""

    impl = String(20)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        return None if value is None else written(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


class Instant(Moment):
    """A moment to the microsecond, for what happens within one second and has an order."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")


class Base(DeclarativeBase):
    """The declarative base; `Base.metadata` is what the migrations must arrive at."""


db = SQLAlchemy(model_class=Base)


class Series(Base):
    """What one set of links shares. Never changed: all that can change is in its events."""

    __tablename__ = "series"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    length: Mapped[int | None] = mapped_column(Integer)  # in rounds; null is open-ended
    created_at: Mapped[datetime] = mapped_column(Moment)


class Event(Base):
    """One thing that was done: `number` counts from 1 in each series and is its version.

    `hash` is a MAC over the event, its revisions and postings, and the hash before.
    """

    __tablename__ = "event"

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(20))
    at: Mapped[datetime] = mapped_column(Moment)
    by: Mapped[int | None] = mapped_column(ForeignKey("device.id"))
    data: Mapped[Any] = mapped_column(CanonicalJSON)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32))


class Head(Base):
    """The seals on a series: on its last event, and on whose phone is whose.

    A chain whose tail was cut off is still a chain. The seal of an earlier event cannot be had
    from what is left of it, so it shows the cut. Claims are no events: `claims` is a MAC over all
    of them together, so that one that was taken out is missed.
    """

    __tablename__ = "head"

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    seal: Mapped[bytes] = mapped_column(LargeBinary(32))
    claims: Mapped[bytes] = mapped_column(LargeBinary(32))


class Player(Base):
    """A person in a series; `id` is the order of joining, from 1."""

    __tablename__ = "player"
    __table_args__ = (
        ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    event_number: Mapped[int] = mapped_column(Integer)


class PlayerName(Base):
    """What a person is called from an event on, which holds a MAC of it; names are only here."""

    __tablename__ = "player_name"
    __table_args__ = (
        ForeignKeyConstraint(["series_id", "player_id"], ["player.series_id", "player.id"]),
        ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )

    series_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    player_id: Mapped[int] = mapped_column(Integer, primary_key=True)
    event_number: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(Text)


class Reason(Base):
    """Why something was done, in somebody's own words; its event holds a MAC of them."""

    __tablename__ = "reason"
    __table_args__ = (
        ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )

    series_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    event_number: Mapped[int] = mapped_column(Integer, primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class RoundRevision(Base):
    """One state of a round.

    `entry` is the whole document that was settled, with player ids in place of names; `result`
    is the answer to it without its words, which come out again in any language.
    """

    __tablename__ = "round_revision"
    __table_args__ = (
        ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    round_number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    revision: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    entry: Mapped[Any] = mapped_column(CanonicalJSON)
    result: Mapped[Any] = mapped_column(CanonicalJSON)
    event_number: Mapped[int] = mapped_column(Integer)


class Posting(Base):
    """An amount given to a person by an event, in whole points or shares, negative ones too."""

    __tablename__ = "posting"
    __table_args__ = (
        ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
        ForeignKeyConstraint(["series_id", "player_id"], ["player.series_id", "player.id"]),
    )

    series_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    event_number: Mapped[int] = mapped_column(Integer, primary_key=True)
    line: Mapped[int] = mapped_column(Integer, primary_key=True)
    round_number: Mapped[int] = mapped_column(Integer)
    player_id: Mapped[int] = mapped_column(Integer)
    amount: Mapped[int] = mapped_column(BigInteger)
    unit: Mapped[str] = mapped_column(String(10))


class KeptAnswer(Base):
    """What a request with an idempotency key did, so that its repetition does nothing."""

    __tablename__ = "kept_answer"

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    body_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    answer: Mapped[Any] = mapped_column(CanonicalJSON)


class Secret(Base):
    """The link secret of a role in force: its hash, and the generation it was made from."""

    __tablename__ = "secret"
    __table_args__ = (UniqueConstraint("hash", name="secret_hash"),)

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    role: Mapped[str] = mapped_column(String(10), primary_key=True)
    generation: Mapped[int] = mapped_column(Integer)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32))


class Device(Base):
    """A phone, known by the hash of the token in its one cookie."""

    __tablename__ = "device"
    __table_args__ = (UniqueConstraint("token_hash", name="device_token_hash"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    created_at: Mapped[datetime] = mapped_column(Moment)


class Grant(Base):
    """What a device may do in a series, for as long as the secret it came by is in force."""

    __tablename__ = "grant"

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id"), primary_key=True)
    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    role: Mapped[str] = mapped_column(String(10), primary_key=True)
    generation: Mapped[int] = mapped_column(Integer)
    joined_at: Mapped[datetime | None] = mapped_column(Instant)  # null: was not written down yet


class Arrival(Base):
    """A phone that came into a series; `number` is the order of coming there, from 1.

    It is what the phone is called there, so it stays when the phone is put out.
    """

    __tablename__ = "arrival"
    __table_args__ = (UniqueConstraint("series_id", "number", name="arrival_number"),)

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer)


class TypedCode(Base):
    """A short code that stands for the secret of a role, for ten minutes.

    It can be made again from its salt, like a secret from its generation; what is kept are two
    MACs, of the whole and of its beginning. `wrong` counts the tries that began like it and went
    on otherwise.
    """

    __tablename__ = "typed_code"
    __table_args__ = (UniqueConstraint("start_hash", name="typed_code_start_hash"),)

    hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    start_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"))
    role: Mapped[str] = mapped_column(String(10))
    generation: Mapped[int] = mapped_column(Integer)
    salt: Mapped[bytes] = mapped_column(LargeBinary(16))
    expires_at: Mapped[datetime] = mapped_column(Moment)
    wrong: Mapped[int] = mapped_column(Integer)


class WrongTry(Base):
    """A link or code that opened nothing; `client` is a MAC of the address it came from."""

    __tablename__ = "wrong_try"
    __table_args__ = (Index("wrong_try_client", "client"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    client: Mapped[bytes] = mapped_column(LargeBinary(32))
    at: Mapped[datetime] = mapped_column(Moment)


class Claim(Base):
    """Who a phone says it is in a series, for what it does after the event `since`."""

    __tablename__ = "claim"
    __table_args__ = (
        ForeignKeyConstraint(["series_id", "player_id"], ["player.series_id", "player.id"]),
    )

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id"), primary_key=True)
    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    since: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    player_id: Mapped[int | None] = mapped_column(Integer)  # null: nobody who plays


IN, OTHER, BEGUN, GONE = "in", "other", "begun", "gone"
WAITING, RETURNED, OVER = "waiting", "returned", "over"


class Pending(Base):
    """What a phone has given of the round in progress; a pile is gone with that round.

    With a player it is a pile: `state` says whether it counts, differs from the one that does, was
    only begun, or is none any more. With 0 it is the whole round: it waits for another phone, was
    given back, or still is its phone's although the round is over. `change` goes up with whatever
    is done here while the series has one version.
    """

    __tablename__ = "pending"

    series_id: Mapped[str] = mapped_column(ForeignKey("series.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id"), primary_key=True)
    state: Mapped[str] = mapped_column(String(10))
    content: Mapped[Any] = mapped_column(CanonicalJSON)
    change: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime] = mapped_column(Instant)
