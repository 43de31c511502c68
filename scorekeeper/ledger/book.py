"""The book of a series: everything that pages and the API show, from one fold.

    book = read(series_id)
    [(total.place, book.name_of(total.player), total.amount) for total in book.totals]

Nothing here is stored as it is shown: what is in force follows from the events, the totals are
sums of postings, and what happens next (who deals, which multipliers wait) follows from the last
round.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.database import UnknownSeries, reading
from scorekeeper.ledger.past import Document, Round, past_of, whole_rules
from scorekeeper.ledger.standing import FINISHED, LEFT
from scorekeeper.ledger.tables import Base, Event, Pending
from scorekeeper.rules import RuleError, work_out
from scorekeeper.rules.document import answer
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.result import Result
from scorekeeper.rules.sentence import Name, Sentence, Translator, say


@dataclass(frozen=True)
class Person:
    """A player of the series, with the name in force."""

    id: int
    name: str
    left: bool


@dataclass(frozen=True)
class Total:
    """What a player's postings of one unit add up to; equal totals share a place (1, 2, 2, 4).

    Who has not played while others have has no place. A misdeal is no play.
    """

    player: int
    amount: int
    unit: str
    place: int | None


@dataclass(frozen=True)
class Outcome:
    """How a series stands, or ended, in one unit: those in first place with `amount` each.

    They are `ahead` of those in the next place, who are nobody where all are level. `rounds` are
    the numbers of those that count in this unit, and `played` says how many of them each played.
    """

    unit: str
    firsts: tuple[int, ...]
    amount: int
    nexts: tuple[int, ...]
    ahead: int
    rounds: tuple[int, ...]
    played: Mapping[int, int]

    @property
    def spans(self) -> list[str]:
        """The numbers of its rounds, in short."""
        return spans(self.rounds)


@dataclass(frozen=True)
class RuleChange:
    """House rules that changed between two rounds: `number` is the first one by the new ones.

    `before` and `after` have those alone that changed; `unit` is what is counted from there on.
    """

    number: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    unit_before: str
    unit: str


@dataclass(frozen=True)
class Naming:
    """What players are called, now or at some moment, and rounds under those names."""

    names: Mapping[int, str]

    def name_of(self, player: int) -> str:
        """What a player is called."""
        return self.names.get(player) or f"Player {player}"

    def named(self, entry: Mapping[str, Any]) -> Document:
        """An entry as the contract's document: with names in place of player ids."""
        seats = [
            {key: value for key, value in seat.items() if key != "player"}
            | {"name": self.name_of(seat["player"])}
            for seat in entry["seats"]
        ]
        return {**entry, "seats": seats}

    def explained(self, played: Round) -> Result | None:
        """The round's result with its working, under these names.

        None where this version of the rules would count the round otherwise: what was booked
        stands, and a working would explain other figures.
        """
        try:
            result = work_out(self.named(played.entry))
        except RuleError:
            return None
        return result if figures(answer(result)) == played.result else None


@dataclass(frozen=True)
class OtherDealer:
    """A round that `dealt` dealt, where the round before it names `named`; that is not changed."""

    number: int
    dealt: int
    named: int

    def told(self, naming: Naming) -> Sentence:
        """That somebody else would have dealt, in words."""
        return say(
            "By round %(number)s, %(named)s would have dealt round %(next)s; "
            "%(dealer)s dealt it, and that stays.",
            number=self.number - 1,
            named=Name(naming.name_of(self.named)),
            next=self.number,
            dealer=Name(naming.name_of(self.dealt)),
        )


@dataclass(frozen=True)
class Book(Naming):
    """A series as it stands at `version`, the number of its last event.

    `rules` has a value for every house rule of the game, for the rounds to come; `length` is in
    rounds, None for an open-ended series; `state` is "open" or "finished"; `confirm` says whether
    a round counts only once another phone has said yes. `players` are in the order of joining, as
    are the totals; `since` is the first round that each could play in, `gone` who had left when
    each round was recorded, and `names` has everybody's who ever was in the series;
    `rounds` are by number, `corrected` those that are otherwise than they were recorded, and
    `revisions` holds the highest revision each number ever had.
    `undoable` is the last event in effect, and `redoable` the one that undid the last, if nothing
    was done since.
    """

    id: str
    game: str
    rules: Mapping[str, Any]
    length: int | None
    state: str
    confirm: bool
    created_at: datetime
    players: tuple[Person, ...]
    since: Mapping[int, int]
    gone: Mapping[int, frozenset[int]]
    first_dealer: int | None
    rounds: tuple[Round, ...]
    corrected: frozenset[int]
    revisions: Mapping[int, int]
    totals: tuple[Total, ...]
    version: int
    undoable: int | None
    redoable: int | None

    @property
    def finished(self) -> bool:
        """Whether somebody said that this was the last round."""
        return self.state == FINISHED

    @property
    def complete(self) -> bool:
        """Whether all rounds of its length are played."""
        return self.length is not None and self.counted >= self.length

    @property
    def house_rules(self) -> dict[str, Any]:
        """The house rules in which this table differs from the defaults of its game."""
        defaults = GAMES[self.game].defaults
        return {key: value for key, value in self.rules.items() if defaults.get(key) != value}

    @property
    def counted(self) -> int:
        """How many rounds count towards the length."""
        return sum(not played.void for played in self.rounds)

    def place_of(self, number: int) -> int:
        """Which of the rounds that count this one is, or would be if it counted."""
        return 1 + sum(not played.void for played in self.rounds[: max(number - 1, 0)])

    @property
    def units(self) -> tuple[str, ...]:
        """What the rounds that count are counted in, points or shares, or both."""
        return tuple(sorted({played.unit for played in self.rounds if not played.void}))

    @property
    def outcomes(self) -> list[Outcome]:
        """Who is ahead and by how much, unit by unit; nothing before a round has counted."""
        return [
            _outcome(
                [one for one in self.totals if one.unit == unit],
                [one for one in self.rounds if one.unit == unit and not one.void],
            )
            for unit in self.units
        ]

    @cached_property
    def rule_changes(self) -> tuple[RuleChange, ...]:
        """Where the house rules changed after the first round, those to come included."""
        if not self.rounds:
            return ()
        game = GAMES[self.game]
        by_round = [*(one.rules for one in self.rounds), self.rules]
        found = []
        for number, (old, new) in enumerate(pairwise(by_round), start=2):
            changed = [key for key in new if old.get(key) != new[key]]
            if changed:
                before, after = ({key: one.get(key) for key in changed} for one in (old, new))
                units = [game.under(one).unit for one in (old, new)]
                found.append(RuleChange(number, before, after, *units))
        return tuple(found)

    @property
    def ruled_since(self) -> dict[str, int]:
        """From which round on the house rules hold that were changed after the first one."""
        return {key: change.number for change in self.rule_changes for key in change.after}

    def rules_apart(self, number: int) -> dict[str, Any]:
        """The house rules of a round that are not those in force now."""
        own = self.rules_for(number)
        return {key: value for key, value in own.items() if self.rules.get(key) != value}

    @property
    def next_number(self) -> int:
        """The number of the round that is recorded next."""
        return len(self.rounds) + 1

    @property
    def next_dealer(self) -> int | None:
        """The player who deals next; None where the table must say, or who should has left."""
        named = self.rounds[-1].next_dealer if self.rounds else self.first_dealer
        person = self._people.get(named or 0)
        return None if person is None or person.left else named

    @property
    def carry(self) -> list[int]:
        """The multipliers that wait for the next round."""
        return self.carried_into(self.next_number)

    def carried_into(self, number: int) -> list[int]:
        """The multipliers that earlier rounds left for this one."""
        left = self.rounds[number - 2].result["carry"] if number > 1 else []
        return self.taken_on(number, left)

    def taken_on(self, number: int, left: list[int]) -> list[int]:
        """Of multipliers that were left for a round those that its house rules carry into it."""
        game = GAMES[self.game].under(self.rules_for(number))
        return left if game.field_brights == "carry_over" else []

    def round(self, number: int) -> Round | None:
        """The round with this number, None where there is none."""
        return self.rounds[number - 1] if 0 < number < self.next_number else None

    def had_left(self, player: int, number: int) -> bool:
        """Whether somebody had left before a round was recorded."""
        return player in self.gone.get(number, ())

    def other_dealer(self, number: int) -> OtherDealer | None:
        """Whom a round names for the deal after it, where somebody else dealt it."""
        played, following = self.round(number), self.round(number + 1)
        if played is None or following is None:
            return None
        if played.next_dealer in (None, following.dealer):
            return None
        return OtherDealer(following.number, following.dealer, played.next_dealer)

    def rules_for(self, number: int) -> Mapping[str, Any]:
        """The house rules a round is settled by: a recorded round's own, else those in force."""
        recorded = self.round(number)
        return recorded.rules if recorded else self.rules

    @cached_property
    def _people(self) -> dict[int, Person]:
        return {person.id: person for person in self.players}

    def person(self, player: int) -> Person | None:
        """The player with this id, who may have left; None where there is none."""
        return self._people.get(player)

    def running(self) -> Iterator[tuple[Round, dict[int, int]]]:
        """Each round with what everybody had after it, in the unit of the round.

        Who had not played yet has 0.
        """
        units: dict[str, dict[int, int]] = {}
        for played in self.rounds:
            sums = units.setdefault(played.unit, dict.fromkeys(self._people, 0))
            for player, amount in played.amounts.items():
                sums[player] += amount
            yield played, dict(sums)

    def amended(self, rounds: Iterable[Round], postings: Iterable[Mapping[str, Any]]) -> "Book":
        """The book as it would be with these rounds, and with these postings added."""
        units: dict[str, dict[int, int]] = {}
        for total in self.totals:
            units.setdefault(total.unit, {})[total.player] = total.amount
        for posting in postings:
            sums = units.setdefault(posting["unit"], {})
            sums[posting["player_id"]] = sums.get(posting["player_id"], 0) + posting["amount"]
        rounds = tuple(rounds)
        return replace(
            self, rounds=rounds, totals=_totals(self.game, self.rules, self.players, rounds, units)
        )

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


def versions_of(series: Collection[str]) -> dict[str, tuple[int, int]]:
    """The versions of several series, of those that there are, and the changes pending there."""
    newest = select(Event.series_id, func.max(Event.number)).group_by(Event.series_id)
    pending = select(Pending.series_id, func.max(Pending.change)).group_by(Pending.series_id)
    with reading() as books:
        versions = books.execute(newest.where(Event.series_id.in_(series))).all()
        changes = dict(books.execute(pending.where(Pending.series_id.in_(series))).all())
    return {series_id: (version, changes.get(series_id, 0)) for series_id, version in versions}


def _version(books: Session, series_id: str) -> int:
    version: int | None = books.scalar(_VERSION, {"series": series_id})
    if version is None:
        raise UnknownSeries(series_id)
    return version


def fold(books: Session, series_id: str) -> Book:
    """The book as an open transaction sees it; raises UnknownSeries."""
    past = past_of(books, series_id)
    standing, rounds = past.standing, past.in_force
    names = called(books, series_id)
    rules = whole_rules(standing.game, standing.rules)
    players = tuple(
        Person(player, names[player, standing.named[player]], standing.players[player] == LEFT)
        for player in sorted(standing.players)
    )
    return Book(
        id=series_id,
        game=standing.game,
        rules=rules,
        length=standing.length,
        state=standing.state,
        confirm=standing.confirm,
        created_at=past.created_at,
        players=players,
        since=standing.since,
        gone=standing.gone,
        names=names.in_force | {person.id: person.name for person in players},
        first_dealer=standing.first_dealer,
        rounds=rounds,
        corrected=past.corrected,
        revisions=standing.last,
        totals=_totals(standing.game, rules, players, rounds, _posted(books, series_id)),
        version=standing.version,
        undoable=standing.undoable,
        redoable=standing.redoable,
    )


# Made once: making a statement takes longer than what it does.
_event, _name, _posting = (
    Base.metadata.tables[name].c for name in ("event", "player_name", "posting")
)
_VERSION = select(func.max(_event.number)).where(_event.series_id == bindparam("series"))
_NAMES = select(_name.player_id, _name.event_number, _name.name).where(
    _name.series_id == bindparam("series")
)
_SUMS = (
    select(_posting.player_id, _posting.unit, func.sum(_posting.amount))
    .where(_posting.series_id == bindparam("series"))
    .group_by(_posting.player_id, _posting.unit)
)


class Names(dict[tuple[int, int], str]):
    """What players were called, by player and the event that gave the name.

    A name that was erased leaves the person: "Player 2".
    """

    def __missing__(self, key: tuple[int, int]) -> str:
        return f"Player {key[0]}"

    @property
    def in_force(self) -> dict[int, str]:
        """The newest name of each player."""
        return {player: name for (player, _), name in sorted(self.items())}

    @property
    def at_first(self) -> dict[int, str]:
        """The first name of each player."""
        return {player: name for (player, _), name in sorted(self.items(), reverse=True)}


def called(books: Session, series_id: str) -> Names:
    """All names that players of a series ever had."""
    rows = books.execute(_NAMES, {"series": series_id})
    return Names({(player, event): name for player, event, name in rows})


def _posted(books: Session, series_id: str) -> dict[str, dict[int, int]]:
    """The sums of postings by unit and player."""
    units: dict[str, dict[int, int]] = {}
    for player, unit, amount in books.execute(_SUMS, {"series": series_id}):
        units.setdefault(unit, {})[player] = int(amount)
    return units


def _totals(
    game: str,
    rules: Mapping[str, Any],
    players: Collection[Person],
    rounds: Collection[Round],
    units: Mapping[str, Mapping[int, int]],
) -> tuple[Total, ...]:
    """Everybody's totals, unit by unit: points and shares are never added together.

    A unit in which nothing stands any more is left out.
    """
    placed: dict[str, set[int]] = {}
    for played in rounds:
        if not played.void:
            placed.setdefault(played.unit, set()).update(played.players)
    used = set(placed) or {GAMES[game].under(rules).unit}
    shown = used | {unit for unit, sums in units.items() if any(sums.values())}
    totals = []
    for unit in sorted(shown):
        sums = units.get(unit, {})
        amounts = {person.id: sums.get(person.id, 0) for person in players}
        among = placed.get(unit, set(amounts))
        compared = [amount for player, amount in amounts.items() if player in among]
        for player, amount in amounts.items():
            place = 1 + sum(other > amount for other in compared)
            totals.append(Total(player, amount, unit, place if player in among else None))
    return tuple(totals)


def _outcome(totals: Sequence[Total], rounds: Sequence[Round]) -> Outcome:
    """Who is first and who is next among the totals of one unit, and its rounds."""
    amounts = sorted({total.amount for total in totals if total.place}, reverse=True)
    first, following = amounts[0], amounts[1:2]
    holding = [
        tuple(total.player for total in totals if total.place and total.amount == amount)
        for amount in (first, *following)
    ]
    return Outcome(
        unit=totals[0].unit,
        firsts=holding[0],
        amount=first,
        nexts=holding[1] if following else (),
        ahead=first - following[0] if following else 0,
        rounds=tuple(played.number for played in rounds),
        played=Counter(player for played in rounds for player in played.players),
    )


def spans(numbers: Iterable[int]) -> list[str]:
    """Numbers in ascending order in short: 1, 2, 3 and 5 are 1–3 and 5."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [str(one[0]) if len(one) == 1 else f"{one[0]}–{one[-1]}" for one in found]
