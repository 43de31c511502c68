"""The round in progress, as far as phones have given it: piles, each keyed by itself.

    key_pile(series_id, 5, 2, "points", {"seat": {"points": "88"}}, {"points": 88}, by=device)
    pending(series_id).piles[2].seat
    choose_pile(series_id, 5, 2, device)    of two that differ, this one is right
    drop_pile(series_id, 5, 2, by=device)

Nothing of this is in the books: it is what will be typed into the form of the round, and it is
deleted by whatever ends that round (see `chain`), but for a whole round that was typed and not
recorded; a player who leaves takes their pile with them. What a second phone says of the same pile
never replaces the first: both are kept, side by side, until somebody chooses.

A pile that was taken back leaves an empty row, so that `Pending.changes` only ever goes up while
the version of the series stays: together they tell one state from every other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.book import Book, fold
from scorekeeper.ledger.database import glance, reading, writing
from scorekeeper.ledger.past import Round
from scorekeeper.ledger.rounds import AlreadyRecorded, check_next
from scorekeeper.ledger.tables import BEGUN, GONE, IN, OTHER, OVER, RETURNED, WAITING, canonical
from scorekeeper.ledger.tables import Pending as Row
from scorekeeper.rules import RuleError
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import Name, say

MOST_SAYING = 4
"""How many phones may say different things of one pile."""
LARGEST = 4000
"""Characters of one pile: all 48 cards, a hand and every yaku are a fraction of that."""
KEYING = timedelta(minutes=3)
"""For how long somebody who began a pile is said to be at it."""

WHOLE_ROUND = 0  # in place of a player


class NoPile(LookupError):
    """Nothing was keyed there, or it is there no longer."""


@dataclass(frozen=True)
class Pile:
    """What a phone keyed of one pile, in one of the forms of the page of a round.

    `fields` are those of the form, `seat` is what they say as the seat of a document. `edits` is
    how often it was changed after it was in; `change` is its place in the order of changes.
    """

    player: int
    device: int
    form: str
    fields: Mapping[str, Any]
    seat: Mapping[str, Any]
    edits: int
    change: int
    at: datetime


@dataclass(frozen=True)
class Proposal:
    """A whole round that a phone wants to be recorded; `fields` are as they were typed.

    While it waits it is everybody's; given back, it is its phone's alone, and still is when the
    round in progress is `over`: recorded otherwise, or another one. `word` is what somebody said
    with their no, `no` the phone that said so; None where the phone itself took it back.
    """

    device: int
    waits: bool
    over: bool
    key: str
    document: Mapping[str, Any]
    fields: Mapping[str, list[str]]
    word: str | None
    no: int | None
    change: int
    at: datetime

    @property
    def players(self) -> list[int]:
        """Who plays in it."""
        return [seat["player"] for seat in self.document["seats"]]

    @property
    def number(self) -> int:
        """The number of the round that it was for."""
        number: int = self.document["number"]
        return number


@dataclass(frozen=True)
class Pending:
    """What phones have given of the round in progress.

    `piles` has the pile that counts of each player by id, `others` those that differ from it;
    `begun` who is keying; `changes` how often anything here changed since the round before.
    `proposals` are whole rounds, one a phone: at most one waits, the others were given back.
    """

    changes: int = 0
    piles: Mapping[int, Pile] = field(default_factory=dict)
    others: Mapping[int, tuple[Pile, ...]] = field(default_factory=dict)
    begun: frozenset[int] = frozenset()
    proposals: tuple[Proposal, ...] = ()

    @property
    def proposal(self) -> Proposal | None:
        """The round that waits, else the one that was given back last."""
        returned = [one for one in self.proposals if not one.over]
        return self.waiting or (returned[-1] if returned else None)

    @property
    def waiting(self) -> Proposal | None:
        """The round that waits for a yes from another phone."""
        return next((one for one in self.proposals if one.waits), None)

    def waiting_elsewhere(self, device: int | None) -> Proposal | None:
        """The round that waits and that another phone than this one proposed."""
        waiting = self.waiting
        return None if waiting is None or waiting.device == device else waiting

    def returned_to(self, device: int | None) -> Proposal | None:
        """The round that is this phone's again, be it over or not."""
        mine = (one for one in self.proposals if one.device == device and not one.waits)
        return next(mine, None)


def pending(series_id: str) -> Pending:
    """What there is of the round that is recorded next."""
    with glance() as books:
        return _pending(books.execute(_ROWS, {"series": series_id}))


_ROWS = select(Row.__table__).where(Row.series_id == bindparam("series")).order_by(Row.change)


def _pending(rows: Iterable[Any]) -> Pending:
    changes = 0
    piles: dict[int, Pile] = {}
    others: dict[int, tuple[Pile, ...]] = {}
    begun: set[int] = set()
    proposals: list[Proposal] = []
    recent = datetime.now(UTC) - KEYING
    for row in rows:
        changes = row.change
        if row.state == IN:
            piles[row.player_id] = _pile(row)
        elif row.state == OTHER:
            others[row.player_id] = (*others.get(row.player_id, ()), _pile(row))
        elif row.state == BEGUN and row.at > recent:
            begun.add(row.player_id)
        elif row.state in (WAITING, RETURNED, OVER):
            proposals.append(_proposal(row))
    return Pending(changes, piles, others, frozenset(begun - piles.keys()), tuple(proposals))


def _pile(row: Any) -> Pile:
    return Pile(
        player=row.player_id,
        device=row.device_id,
        form=row.content["form"],
        fields=row.content["fields"],
        seat=row.content["seat"],
        edits=row.content["edits"],
        change=row.change,
        at=row.at,
    )


def _proposal(row: Any) -> Proposal:
    # The key belongs to what was sent: what is sent anew, with all that was typed, has its own.
    typed = {name: values for name, values in row.content["fields"].items() if name != "key"}
    return Proposal(
        device=row.device_id,
        waits=row.state == WAITING,
        over=row.state == OVER,
        change=row.change,
        at=row.at,
        **{**row.content, "fields": typed},
    )


# --- Verbs ----------------------------------------------------------------------------------------


def key_pile(
    series_id: str,
    number: int,
    player: int,
    form: str,
    fields: Mapping[str, Any],
    seat: Mapping[str, Any],
    *,
    by: int,
) -> bool:
    """Puts a pile into the round in progress; False where it differs from the one that counts.

    To put in the same once more changes nothing, even if the round was recorded with it meanwhile.
    Raises AlreadyRecorded where it was recorded without, RuleError for whoever has left or is not
    in the series, where the other piles were keyed in another form, and where everybody who can
    play has one.
    """
    content = {"form": form, "fields": fields, "seat": seat, "edits": 0}
    if len(canonical(content)) > LARGEST:
        raise RuleError("too_long", say("This is more than a pile can have."))
    with writing(series_id) as books:
        book = fold(books, series_id)
        try:
            here = Here(books, book, number)
        except AlreadyRecorded as recorded:
            if _in_round(recorded.round, player, seat):
                return True
            raise
        here.check_taking()
        here.check_player(player)
        here.check_seat(player)
        here.check_form(player, form)
        own, counts = here.of(player, by), here.counting(player)
        if counts is not None and counts.device_id != by:
            if _same(counts.content, content):
                # Two phones agree; what this one said before is settled.
                if own is not None:
                    here.put(player, by, GONE, {})
                return True
            saying = [row for row in here.saying(player) if row.device_id != by]
            if len(saying) >= MOST_SAYING:
                raise RuleError(
                    "too_many",
                    say(
                        "Enough phones differ about the pile of %(name)s: choose one of theirs.",
                        name=Name(book.name_of(player)),
                    ),
                )
            here.put(player, by, OTHER, content)
            return False
        if counts is not None:
            if _same(counts.content, content):
                return True
            content["edits"] = counts.content["edits"] + 1
        here.put(player, by, IN, content)
        return True


def check_pile(series_id: str, number: int, player: int, form: str) -> None:
    """Raises what `key_pile` would refuse a pile with, whatever is in it; writes nothing."""
    with reading() as books:
        here = Here(books, fold(books, series_id), number)
        here.check_taking()
        here.check_player(player)
        here.check_seat(player)
        here.check_form(player, form)


def begin_pile(series_id: str, number: int, player: int, *, by: int, going: bool = True) -> None:
    """Remembers that a phone has begun a pile, or that it gave that up; what is in stays."""
    with writing(series_id) as books:
        here = Here(books, fold(books, series_id), number)
        here.check_taking()
        here.check_player(player)
        own = here.of(player, by)
        if own is not None and own.state not in (BEGUN, GONE):
            return
        was = own is not None and own.state == BEGUN
        if going or was:
            here.put(player, by, BEGUN if going else GONE, {})


def choose_pile(series_id: str, number: int, player: int, device: int) -> None:
    """Lets what one phone said of a pile count, and drops what others said; raises NoPile."""
    with writing(series_id) as books:
        here = Here(books, fold(books, series_id), number)
        here.check_taking()
        chosen = here.of(player, device)
        if chosen is None or chosen.state not in (IN, OTHER):
            raise NoPile(player)
        here.put(player, device, IN, chosen.content)
        for row in here.saying(player):
            if row.device_id != device:
                books.delete(row)


def drop_pile(series_id: str, number: int, player: int, *, by: int) -> None:
    """Takes the pile of a player out of the round, whatever was said of it."""
    with writing(series_id) as books:
        here = Here(books, fold(books, series_id), number)
        here.check_taking()
        if here.counting(player) is None:
            raise NoPile(player)
        here.put(player, by, GONE, {})
        for row in here.saying(player):
            if row.device_id != by:
                books.delete(row)


class Here:
    """The round in progress inside a transaction; made only for the round that is next.

    Raises AlreadyRecorded, and RuleError `round_skipped` or `finished` for any other.
    """

    def __init__(self, books: Session, book: Book, number: int) -> None:
        self.books, self.book, self.number = books, book, number
        check_next(book, number)
        self.rows = list(books.scalars(select(Row).where(Row.series_id == book.id)))
        self.changes = max((row.change for row in self.rows), default=0)

    def of(self, player: int, device: int) -> Row | None:
        """What this phone said of a pile."""
        return next(
            (row for row in self.rows if (row.player_id, row.device_id) == (player, device)), None
        )

    def saying(self, player: int) -> list[Row]:
        """What phones say of a pile that is in."""
        return [row for row in self.rows if row.player_id == player and row.state in (IN, OTHER)]

    def counting(self, player: int) -> Row | None:
        """What counts of a pile."""
        return next((row for row in self.saying(player) if row.state == IN), None)

    @property
    def waiting(self) -> Row | None:
        """The whole round that waits for a yes."""
        return next((row for row in self.rows if row.state == WAITING), None)

    def check_taking(self) -> None:
        """Refuses whatever would change piles while the whole round waits (`waiting`)."""
        if self.waiting is not None:
            raise RuleError(
                "waiting",
                say("Round %(number)s waits for a yes from another phone.", number=self.number),
            )

    def check_player(self, player: int) -> None:
        """Refuses a pile of somebody who does not play."""
        person = self.book.person(player)
        if person is None:
            raise RuleError("bad_seat", say("Choose whose pile this is."), field="player")
        if person.left:
            sentence = say("%(name)s has left the series.", name=Name(person.name))
            raise RuleError("bad_seat", sentence, field="player")

    def check_seat(self, player: int) -> None:
        """Refuses a pile for which there is no seat (`wrong_seats`): the others have them all."""
        game = GAMES[self.book.game].under(self.book.rules)
        others = [row.player_id for row in self.rows if row.state == IN and row.player_id != player]
        if len(others) >= max(game.seats):
            raise RuleError(
                "wrong_seats",
                say(
                    "The piles of %(names)s are in already, and %(game)s has no further seat: "
                    "take one of them out first.",
                    names=[Name(self.book.name_of(other)) for other in sorted(others)],
                    game=game,
                ),
                field="player",
            )

    def check_form(self, player: int, form: str) -> None:
        """Refuses a form in which the other piles are not: they could not be added up."""
        for row in self.rows:
            if row.state == IN and row.player_id != player and row.content["form"] != form:
                raise RuleError(
                    "other_form",
                    say(
                        "The other piles of this round were keyed in another form: "
                        "open the page again, and it asks in that one."
                    ),
                )

    def put(self, player: int, device: int, state: str, content: Any) -> None:
        """Writes what a phone says, as the newest change."""
        self.changes += 1
        row = self.of(player, device)
        if row is None:
            row = Row(series_id=self.book.id, player_id=player, device_id=device)
            self.books.add(row)
            self.rows.append(row)
        row.state, row.content = state, content
        row.change, row.at = self.changes, datetime.now(UTC)


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("form", "fields"))


def _in_round(played: Round, player: int, seat: Mapping[str, Any]) -> bool:
    """Whether a round was recorded with this pile of a player."""
    seats = [one for one in played.entry["seats"] if one["player"] == player]
    return any(all(one.get(key) == said for key, said in seat.items() if said) for one in seats)
