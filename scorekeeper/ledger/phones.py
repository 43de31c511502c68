"""The phones of a series: what each may do, whose it is, and how its access ends.

    rotate(series_id, Role.ENTER)     a new secret for scoring; whoever came by the old one is out
    remove(series_id, device)         one phone is out
    claim(series_id, device, 2)       this phone is player 2's
    phones_of(series_id)              all phones that may open the series

The first two are events: who took what from whom stays in the history. Nothing undoes them; a
phone that was put out comes in again by a link. Whose a phone is only tells pages what to call it:
"Ben’s phone", or "phone 3" for the third that came into the series.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import Role, hash_of, in_force, make_secret, role_within
from scorekeeper.ledger.book import Naming, fold
from scorekeeper.ledger.chain import now, sealing_claims, write
from scorekeeper.ledger.database import reading, writing
from scorekeeper.ledger.series import UnknownPlayer
from scorekeeper.ledger.tables import Arrival, Claim, Event, Grant, Secret, TypedCode
from scorekeeper.rules.sentence import Name, Sentence, say

LARGEST = 2**31 - 1
"""The largest number that an integer of a table can be."""


class UnknownPhone(LookupError):
    """The series has no such phone, or has it no longer."""


@dataclass(frozen=True)
class Phone:
    """A phone that may open a series, by the id of the device.

    `player` is whose it is, None where nobody said so. `joined` is when it last came by a link
    (None where that was not written down yet), `wrote` when it last changed something.
    """

    device: int
    role: Role
    player: int | None
    joined: datetime | None
    wrote: datetime | None


def phones_of(series_id: str) -> list[Phone]:
    """The phones that may open a series now, in the order in which they first came here."""
    with reading() as books:
        roles: dict[int, list[Grant]] = {}
        came = (Arrival.series_id == series_id) & (Arrival.device_id == Grant.device_id)
        held = in_force(select(Grant)).where(Grant.series_id == series_id).join(Arrival, came)
        for grant in books.scalars(held.order_by(Arrival.number)):
            roles.setdefault(grant.device_id, []).append(grant)
        wrote = dict(
            books.execute(
                select(Event.by, func.max(Event.at))
                .where(Event.series_id == series_id, Event.by.in_(roles))
                .group_by(Event.by)
            ).all()
        )
        whose = Claims(books, series_id)
    return [
        Phone(
            device=device,
            role=max((Role(grant.role) for grant in grants), key=lambda role: role.rank),
            player=whose.now(device),
            joined=max((one.joined_at for one in grants if one.joined_at), default=None),
            wrote=wrote.get(device),
        )
        for device, grants in roles.items()
    ]


def generations(series_id: str) -> dict[Role, int]:
    """How often the secret of each role was made, the one in force included."""
    with reading() as books:
        rows = books.scalars(select(Secret).where(Secret.series_id == series_id))
        return {Role(row.role): row.generation for row in rows}


def rotate(series_id: str, role: Role, *, seen: int | None = None, by: int | None = None) -> str:
    """Gives a role another secret and answers it; whoever came by the one before is out.

    The device that asks stays. `seen` is the generation that it wants to end: where that has ended
    already, a tap arrived twice, and nothing happens.
    """
    with writing(series_id) as books:
        current = books.get(Secret, (series_id, role))
        assert current is not None
        if seen is None or seen == current.generation:
            before = current.generation
            secret = make_secret(series_id, role, before + 1)
            current.generation, current.hash = before + 1, hash_of(secret)
            own = books.get(Grant, (by, series_id, role)) if by is not None else None
            if own is not None and own.generation == before:
                own.generation = before + 1
            books.execute(
                delete(TypedCode).where(TypedCode.series_id == series_id, TypedCode.role == role)
            )
            changed = {"role": role, "before": before, "after": before + 1}
            write(books, fold(books, series_id), "rotated", now(), by, data={"access": changed})
        return make_secret(series_id, role, current.generation)


def remove(series_id: str, device: int, *, by: int | None = None) -> None:
    """Ends what a phone may do in a series; raises UnknownPhone where that is nothing.

    It can join again by a link that it knows, unless that is rotated.
    """
    with writing(series_id) as books:
        # A larger number is no phone's, and a database refuses to look for it.
        role = role_within(books, device, series_id) if device <= LARGEST else None
        if role is None:
            raise UnknownPhone(device)
        books.execute(delete(Grant).where(Grant.series_id == series_id, Grant.device_id == device))
        changed = {"device": device, "before": role, "after": None}
        write(books, fold(books, series_id), "removed", now(), by, data={"access": changed})


# --- Whose they are -------------------------------------------------------------------------------


def claim(series_id: str, device: int, player: int | None) -> None:
    """Remembers whose a phone is from now on, None where it is nobody's who plays.

    Several phones can be one person's: a link that opens in another browser makes another phone.
    Raises UnknownPlayer, and UnknownPhone for one that never came into the series.
    """
    # Nobody else writes to the series meanwhile: of a double tap the second finds what the first
    # wrote.
    with writing(series_id) as books:
        book = fold(books, series_id)
        if player is not None and book.person(player) is None:
            raise UnknownPlayer(player)
        if books.get(Arrival, (series_id, device)) is None:
            raise UnknownPhone(device)
        said = Claim(device_id=device, series_id=series_id, since=book.version, player_id=player)
        with sealing_claims(books, series_id):
            books.merge(said)


def claims(series_id: str) -> "Claims":
    """Who said to be whom in a series."""
    with reading() as books:
        return Claims(books, series_id)


class Claims:
    """Whose each phone of a series was, from event to event, and so what it is called."""

    def __init__(self, books: Session, series_id: str) -> None:
        self._numbers: dict[int, int] = {}
        self._said: dict[int, list[Claim]] = {}
        same = (Claim.series_id == Arrival.series_id) & (Claim.device_id == Arrival.device_id)
        came = select(Arrival.device_id, Arrival.number, Claim).outerjoin(Claim, same)
        came = came.where(Arrival.series_id == series_id).order_by(Claim.since)
        for device, number, said in books.execute(came):
            self._numbers[device] = number
            if said is not None:
                self._said.setdefault(device, []).append(said)

    def asked(self, device: int | None) -> bool:
        """Whether a phone has said whose it is, be it nobody's."""
        return device in self._said

    def now(self, device: int | None) -> int | None:
        """The player whose phone this is, None for nobody or nobody known."""
        said = self._said.get(device or 0)
        return said[-1].player_id if said else None

    def at(self, device: int | None, event: int) -> int | None:
        """The player whose phone it was when it did something.

        What it did before it first said so was done by the same hands.
        """
        said = self._said.get(device or 0)
        if not said:
            return None
        earlier = [one for one in said if one.since < event]
        return (earlier[-1] if earlier else said[0]).player_id

    def called(
        self, device: int, people: Naming, this: int | None = None, at: int | None = None
    ) -> Sentence:
        """What a phone is called: by whose it is, else by its number.

        That is whose it was `at` an event, where one is given. `this` is the phone that asks.
        """
        if device == this:
            return say("this phone")
        number = self._numbers.get(device)
        if number is None:
            return say("a phone")
        player = self.now(device) if at is None else self.at(device, at)
        if player is None:
            return say("phone %(number)s", number=number)
        name = Name(people.name_of(player))
        if self.players.get(player, 0) > 1:
            return say("%(name)s’s phone (phone %(number)s)", name=name, number=number)
        return say("%(name)s’s phone", name=name)

    @property
    def players(self) -> Mapping[int, int]:
        """How many phones each player has."""
        counted: dict[int, int] = {}
        for device in self._said:
            player = self.now(device)
            if player is not None:
                counted[player] = counted.get(player, 0) + 1
        return counted
