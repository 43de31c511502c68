"""Who may do what, without accounts: a secret is the key.

A series has three secrets, one for each role. A secret is an HMAC of series, role and generation
under the key of this instance, so it can be shown again to whoever may see it, while the database
holds only its hash; the next generation is another secret, and puts everybody out who came by the
old one. A phone that joined keeps one cookie; what it may do is in its grants.
"""

import base64
import hashlib
import hmac
import os
import secrets
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from flask import current_app
from sqlalchemy import Connection, Select, bindparam, func, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.database import LedgerError, UnknownSeries, glance, reading, writing
from scorekeeper.ledger.tables import Arrival, Device, Event, Grant, Pending, Secret, Series
from scorekeeper.rules.sentence import say


class Role(StrEnum):
    """What a link lets somebody do, from the weakest to the strongest."""

    VIEW = "view"
    ENTER = "enter"
    MANAGE = "manage"

    @property
    def rank(self) -> int:
        """0 for the weakest."""
        return list(Role).index(self)

    def allows(self, needed: "Role") -> bool:
        """Whether this role may do what `needed` may."""
        return self.rank >= needed.rank


def instance_key(folder: Path, given: str | bytes | None, *, make: bool = True) -> bytes:
    """The key that every secret and every event of this instance hangs on.

    The one given, else the one in `folder`, made on first start: 32 random bytes that only the
    owner can read. Raises LedgerError for a given key that could be guessed, and where the file
    cannot be made or is not whole; without `make` where there is none, too.
    """
    if given is not None:
        key = given.encode() if isinstance(given, str) else given
        if len(key) < 32 or len(set(key)) < 10:
            raise LedgerError(
                say(
                    "The SECRET_KEY can be guessed: "
                    "give at least 32 random characters, or none, and one is made."
                )
            )
        return key
    file = folder / "key"
    try:
        if make and not file.exists():
            _make_key(file)
        key = file.read_bytes()
    except OSError as problem:
        why = str(problem.strerror)
        raise LedgerError(
            say("The key %(file)s cannot be used: %(why)s.", file=str(file), why=why)
        ) from None
    if len(key) != 32:
        raise LedgerError(
            say("The key %(file)s is damaged; put it back from a backup.", file=str(file))
        )
    return key


def _make_key(file: Path) -> None:
    """Writes a new key under a name of its own and then links it, so that it is whole or absent.

    Of two processes that start at once, both go on with the key of the first.
    """
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
        new.write(secrets.token_bytes(32))
        new.flush()
        os.fsync(new.fileno())
    try:
        os.link(draft, file)
    except FileExistsError:
        draft.unlink()
    except OSError:  # no hard links here, as in an app on Android
        draft.rename(file)
    else:
        draft.unlink()


def seal(purpose: str, *parts: bytes) -> bytes:
    """A MAC under the instance's key, 32 bytes; different purposes never share one."""
    key = current_app.config["SECRET_KEY"]
    return hmac.digest(key, b"|".join((purpose.encode(), *parts)), "sha256")


def make_secret(series_id: str, role: str, generation: int) -> str:
    """256 bits as 43 URL-safe characters."""
    mac = seal("secret", series_id.encode(), role.encode(), str(generation).encode())
    return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()


def hash_of(secret: str) -> bytes:
    # What is hashed has 256 random bits: a slow hash would add nothing.
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()


def issue_secrets(books: Session, series_id: str) -> None:
    """Gives a new series its three secrets."""
    for role in Role:
        digest = hash_of(make_secret(series_id, role, 1))
        books.add(Secret(series_id=series_id, role=role, generation=1, hash=digest))


def check_key(books: Connection) -> None:
    """Raises LedgerError where the links in the database were made with another key."""
    one = None
    for one in books.execute(_SECRETS):
        if hash_of(make_secret(str(one.series_id), str(one.role), one.generation)) == one.hash:
            return  # the others may be damaged, but not because of the key
    if one is not None:
        raise LedgerError(
            say(
                "The links in this database were made with another key; "
                "put back the key that belongs to it."
            )
        )


def secret_for(series_id: str, role: Role) -> str:
    """The secret of a role in force, for those who may be shown it; raises UnknownSeries."""
    with reading() as books:
        current = books.get(Secret, (series_id, role))
    if current is None:
        raise UnknownSeries(series_id)
    return make_secret(series_id, role, current.generation)


def find_secret(secret: str) -> tuple[str, Role] | None:
    """The series that a secret opens and the role it gives; None for any other text.

    Looked up by hash: how long it takes says nothing about secrets that are close.
    """
    with glance() as books:
        found = books.execute(_OPENED, {"hash": hash_of(secret)}).one_or_none()
    return None if found is None else (found.series_id, Role(found.role))


def new_device() -> tuple[int, str]:
    """A device not seen before: its id, and the token for its cookie."""
    token = secrets.token_urlsafe(32)
    device = Device(token_hash=hash_of(token), created_at=datetime.now(UTC))
    with writing() as books:
        books.add(device)
        books.flush()
        return device.id, token


def device_by_token(token: str) -> int | None:
    """The device whose cookie holds this token, or None."""
    with glance() as books:
        return books.scalar(_DEVICE, {"token": hash_of(token)})


def join(device: int, secret: str) -> tuple[str, Role] | None:
    """Lets a device into the series of a secret, for as long as that secret is in force.

    Answers the series and the strongest role the device now has there; None where the secret
    opens nothing. Joining again, or by a weaker secret, takes nothing away.
    """
    opened = find_secret(secret)
    if opened is None:
        return None
    series_id, role = opened
    with writing(series_id) as books:
        # It may have been revoked while this waited for its turn.
        current = books.get(Secret, (series_id, role))
        if current is None or current.hash != hash_of(secret):
            return None
        if books.get(Arrival, (series_id, device)) is None:
            last = select(func.max(Arrival.number)).where(Arrival.series_id == series_id)
            number = (books.scalar(last) or 0) + 1
            books.add(Arrival(series_id=series_id, device_id=device, number=number))
        books.merge(
            Grant(
                device_id=device,
                series_id=series_id,
                role=role,
                generation=current.generation,
                joined_at=datetime.now(UTC),
            )
        )
        books.flush()
        granted = role_within(books, device, series_id)
    assert granted is not None
    return series_id, granted


def role_of(device: int, series_id: str) -> Role | None:
    """The strongest role that a device has in a series now, or None."""
    with reading() as books:
        return role_within(books, device, series_id)


def sees(token: str, series_id: str) -> tuple[Role, int, int] | None:
    """What the device with this token may do in a series; None for nothing.

    With the version of the series, and how often what is pending there changed. Every phone asks
    for this again and again: it is one statement, made once.
    """
    with glance() as books:
        rows = books.execute(_SEEN, {"series": series_id, "token": hash_of(token)}).all()
    held = [(Role(role), version, changes) for role, version, changes in rows]
    return max(held, key=lambda one: one[0].rank, default=None)


def series_of(device: int | None) -> list[str]:
    """The series that a device may open now, the newest first."""
    joined = func.max(Grant.joined_at).label("joined")
    held = (
        in_force(select(Grant.series_id, joined))
        .where(Grant.device_id == device)
        .group_by(Grant.series_id)
        .subquery()
    )
    # Of those that were started within one second, the one that was joined last.
    newest = (
        select(Series.id)
        .join(held, held.c.series_id == Series.id)
        .order_by(Series.created_at.desc(), held.c.joined.desc())
    )
    with reading() as books:
        return list(books.scalars(newest))


def role_within(books: Session, device: int, series_id: str) -> Role | None:
    held = books.scalars(_HELD, {"device": device, "series": series_id})
    return max(map(Role, held), key=lambda role: role.rank, default=None)


def in_force(grants: Select) -> Select:
    """Without the grants whose secret has moved on to another generation."""
    return grants.join(
        Secret,
        (Secret.series_id == Grant.series_id)
        & (Secret.role == Grant.role)
        & (Secret.generation == Grant.generation),
    )


# Made once: making a statement takes longer than what it does.
_SECRETS = select(Secret.series_id, Secret.role, Secret.generation, Secret.hash)
_OPENED = select(Secret.series_id, Secret.role).where(Secret.hash == bindparam("hash"))
_DEVICE = select(Device.id).where(Device.token_hash == bindparam("token"))
_HELD = in_force(select(Grant.role)).where(
    Grant.device_id == bindparam("device"), Grant.series_id == bindparam("series")
)
_SEEN = (
    in_force(
        select(
            Grant.role,
            select(func.max(Event.number))
            .where(Event.series_id == bindparam("series"))
            .scalar_subquery(),
            select(func.coalesce(func.max(Pending.change), 0))
            .where(Pending.series_id == bindparam("series"))
            .scalar_subquery(),
        )
    )
    .join(Device, Device.id == Grant.device_id)
    .where(Grant.series_id == bindparam("series"), Device.token_hash == bindparam("token"))
)
