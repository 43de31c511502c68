"""The book of a series: everything that pages and the API show, from one fold.

    book = read(series_id)
    [(total.place, book.name_of(total.player), total.amount) for total in book.totals]

Nothing here is stored as it is shown: the rounds are the newest revision of each, the totals are
sums of postings, and what happens next (who deals, which multipliers wait) follows from the last
round.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.database import UnknownSeries, reading
from scorekeeper.ledger.tables import Event, Player, PlayerName, Posting, RoundRevision, Series
from scorekeeper.rules import RuleError, work_out
from scorekeeper.rules.document import answer
from scorekeeper.rules.game import Result
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import Translator

Document = dict[str, Any]


@dataclass(frozen=True)
class Person:
    """A player of the series, with the name in force."""

    id: int
    name: str
    left: bool


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

    @property
    def players(self) -> list[int]:
        """Who played, in turn order."""
        return [seat["player"] for seat in self.entry["seats"]]

    @property
    def dealer(self) -> int:
        """The player who dealt."""
        return self.players[self.entry["dealer"]]

    @property
    def next_dealer(self) -> int | None:
        """The player whom the rules name as the next dealer; None where the table must say."""
        seat = self.result["next_dealer"]
        return None if seat is None else self.players[seat]

    @property
    def amounts(self) -> dict[int, int]:
        """What each of those who played got, in the unit of the result."""
        return dict(zip(self.players, self.result["amounts"], strict=True))

    @property
    def void(self) -> bool:
        """Whether it was misdealt or abandoned, and does not count towards the length."""
        return self.entry.get("end") == "void"


@dataclass(frozen=True)
class Total:
    """What a player's postings of one unit add up to; equal totals share a place (1, 2, 2, 4)."""

    player: int
    amount: int
    unit: str
    place: int


@dataclass(frozen=True)
class Book:
    """A series as it stands at `version`, the number of its last event.

    `rules` has a value for every house rule of the game; `length` is in rounds, None for an
    open-ended series. `players` are in the order of joining, as are the totals; `rounds` by number.
    """

    id: str
    game: str
    rules: Mapping[str, Any]
    length: int | None
    created_at: datetime
    players: tuple[Person, ...]
    first_dealer: int | None
    rounds: tuple[Round, ...]
    totals: tuple[Total, ...]
    version: int

    @property
    def state(self) -> str:
        """No event closes a series yet."""
        return "open"

    @property
    def house_rules(self) -> dict[str, Any]:
        """The house rules in which this table differs from the defaults of its game."""
        defaults = GAMES[self.game].defaults
        return {key: value for key, value in self.rules.items() if defaults.get(key) != value}

    @property
    def counted(self) -> int:
        """How many rounds count towards the length."""
        return sum(not played.void for played in self.rounds)

    @property
    def next_number(self) -> int:
        """The number of the round that is recorded next."""
        return len(self.rounds) + 1

    @property
    def next_dealer(self) -> int | None:
        """The player who deals next; None where the table must say."""
        return self.rounds[-1].next_dealer if self.rounds else self.first_dealer

    @property
    def carry(self) -> list[int]:
        """The multipliers that wait for the next round."""
        return self.carried_into(self.next_number)

    def carried_into(self, number: int) -> list[int]:
        """The multipliers that earlier rounds left for this one."""
        return self.rounds[number - 2].result["carry"] if number > 1 else []

    def round(self, number: int) -> Round | None:
        """The round with this number, None where there is none."""
        return self.rounds[number - 1] if 0 < number < self.next_number else None

    def name_of(self, player: int) -> str:
        """What a player is called now."""
        return self.players[player - 1].name

    def named(self, entry: Mapping[str, Any]) -> Document:
        """An entry as the contract's document: with names in place of player ids."""
        seats = [
            {key: value for key, value in seat.items() if key != "player"}
            | {"name": self.name_of(seat["player"])}
            for seat in entry["seats"]
        ]
        return {**entry, "seats": seats}

    def running(self) -> Iterator[tuple[Round, dict[int, int]]]:
        """Each round with what everybody had after it; who had not played yet has 0."""
        sums = dict.fromkeys((person.id for person in self.players), 0)
        for played in self.rounds:
            for player, amount in played.amounts.items():
                sums[player] += amount
            yield played, dict(sums)

    def explained(self, played: Round) -> Result | None:
        """The round's result with its working, under today's names.

        None where this version of the rules would count the round otherwise: what was booked
        stands, and a working would explain other figures.
        """
        try:
            result = work_out(self.named(played.entry))
        except RuleError:
            return None
        return result if figures(answer(result)) == played.result else None

    def answer(self, played: Round, translate: Translator | None = None) -> Document:
        """The round's result in words: with its working, its warnings and today's names."""
        result = self.explained(played)
        return {**played.result, "working": []} if result is None else answer(result, translate)


def figures(answer: Mapping[str, Any]) -> Document:
    """An answer without its words, which differ by language and name while the figures do not."""
    kept = {key: value for key, value in answer.items() if key != "working"}
    for field, word in ("payments", "for"), ("warnings", "message"):
        kept[field] = [{key: one[key] for key in one if key != word} for one in answer[field]]
    return kept


def read(series_id: str) -> Book:
    """The book as it stands; raises UnknownSeries."""
    with reading() as books:
        return fold(books, series_id)


def version_of(series_id: str) -> int:
    """The version alone, for those who only ask whether it changed; raises UnknownSeries."""
    with reading() as books:
        return _version(books, series_id)


def _version(books: Session, series_id: str) -> int:
    version = books.scalar(select(func.max(Event.number)).where(Event.series_id == series_id))
    if version is None:
        raise UnknownSeries(series_id)
    return version


def fold(books: Session, series_id: str) -> Book:
    """The book as an open transaction sees it; raises UnknownSeries."""
    series = books.get(Series, series_id)
    started = books.get(Event, (series_id, 1))
    if series is None or started is None:
        raise UnknownSeries(series_id)
    rules = started.data["rules"]
    players = tuple(_players(books, series_id))
    newest = {played.number: played for played in revisions(books, series_id)}
    return Book(
        id=series_id,
        game=series.game,
        rules=rules,
        length=series.length,
        created_at=series.created_at,
        players=players,
        first_dealer=started.data["first_dealer"],
        rounds=tuple(newest[number] for number in sorted(newest)),
        totals=tuple(_totals(books, series_id, players, GAMES[series.game].under(rules).unit)),
        version=_version(books, series_id),
    )


def revisions(books: Session, series_id: str, *only: ColumnElement[bool]) -> Iterator[Round]:
    """The revisions of a series' rounds, older before newer ones."""
    rows = books.execute(
        select(RoundRevision, Event.by, Event.at)
        .join(
            Event,
            (Event.series_id == RoundRevision.series_id)
            & (Event.number == RoundRevision.event_number),
        )
        .where(RoundRevision.series_id == series_id, *only)
        .order_by(RoundRevision.round_number, RoundRevision.revision)
    )
    for row, by, at in rows:
        yield Round(row.round_number, row.revision, row.entry, row.result, by, at)


def _players(books: Session, series_id: str) -> Iterator[Person]:
    # Of several names the last one given holds; a name that was erased leaves the person.
    names = {
        row.player_id: row.name
        for row in books.scalars(
            select(PlayerName)
            .where(PlayerName.series_id == series_id)
            .order_by(PlayerName.event_number)
        )
    }
    for player in books.scalars(
        select(Player.id).where(Player.series_id == series_id).order_by(Player.id)
    ):
        yield Person(player, names.get(player, f"Player {player}"), left=False)


def _totals(
    books: Session, series_id: str, players: Collection[Person], unit: str
) -> Iterator[Total]:
    """Everybody's totals, unit by unit: points and shares are never added together."""
    units: dict[str, dict[int, int]] = {}
    for player, posted, amount in books.execute(
        select(Posting.player_id, Posting.unit, func.sum(Posting.amount))
        .where(Posting.series_id == series_id)
        .group_by(Posting.player_id, Posting.unit)
        .order_by(Posting.unit)
    ):
        units.setdefault(posted, {})[player] = int(amount)
    for counted_in, sums in (units or {unit: {}}).items():
        amounts = {person.id: sums.get(person.id, 0) for person in players}
        for player, amount in amounts.items():
            place = 1 + sum(other > amount for other in amounts.values())
            yield Total(player, amount, counted_in, place)
