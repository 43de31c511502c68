"""The history of a series: every event in words, with what was before and after.

    for line in history(series_id):
        line.number, line.at, line.said.render(), [one.render() for one in line.details]

Nothing is written down as a text: the sentences are made from the events when somebody reads them,
in any language, with the names that people had when it happened.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import Role
from scorekeeper.ledger.book import Naming, called
from scorekeeper.ledger.database import UnknownSeries, reading
from scorekeeper.ledger.differing import Row, compare, ending
from scorekeeper.ledger.past import Document, Happened, Round, events_of, past_of
from scorekeeper.ledger.phones import Claims
from scorekeeper.ledger.standing import FINISHED, LEFT, Standing
from scorekeeper.ledger.tables import Reason
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import Name, Sentence, Signed, say

PAGE = 50  # events in one reading


@dataclass(frozen=True)
class Line:
    """One event.

    `said` tells what happened and `details` what was before and after; `reason` is why, in
    somebody's own words. `before` and `after` are the same for programs: "rounds", "state",
    "length", "rules", "confirm" and "player", of those only what changed. `undoes` is the event
    that this one undid, and `undone` says so where this one was undone and not done again. `needs`
    is the role without which it cannot be undone. `player` is whose phone `by` was, and `who` what
    that phone is called.
    """

    number: int
    kind: str
    at: datetime
    by: int | None
    player: int | None
    who: Sentence | None
    said: Sentence
    details: tuple[Sentence, ...]
    reason: str | None
    before: Document
    after: Document
    undoes: int | None
    undone: Sentence | None
    needs: Role


def history(series_id: str, *, before: int | None = None, limit: int = PAGE) -> list[Line]:
    """The events of a series, the newest first, or the newest before a given number."""
    with reading() as books:
        teller = _Teller(books, series_id)
    last = teller.events[-1].number
    if before is not None:
        last = min(last, before - 1)
    return [*teller.lines(range(last - limit + 1, last + 1))][::-1]


def changes_of(series_id: str, number: int) -> list[Line]:
    """What was done to a round since it was last recorded, the oldest first."""
    with reading() as books:
        teller = _Teller(books, series_id)
    about = [event for event in teller.events if step_of(event, number)]
    recorded = max((event.number for event in about if event.kind == "recorded"), default=0)
    return [*teller.lines([event.number for event in about if event.number > recorded])]


def step_of(event: Happened, number: int) -> Document | None:
    """What an event did to a round, None where it did nothing to it."""
    steps = event.data.get("rounds", ())
    return next((step for step in steps if step["round"] == number), None)


class Chronicle:
    """The events of a series as they stand in the books, for whoever looks for single ones."""

    def __init__(self, books: Session, series_id: str) -> None:
        self.events: Sequence[Happened] = events_of(books, series_id)
        if not self.events:
            raise UnknownSeries(series_id)
        reasons = books.scalars(select(Reason).where(Reason.series_id == series_id))
        self.reasons = {reason.event_number: reason.text for reason in reasons}
        self.claims = Claims(books, series_id)


def chronicle(series_id: str) -> Chronicle:
    """Reads what happened in a series; raises UnknownSeries."""
    with reading() as books:
        return Chronicle(books, series_id)


class _Teller(Chronicle):
    """Tells the events of a series one after the other, knowing what stood before each."""

    def __init__(self, books: Session, series_id: str) -> None:
        super().__init__(books, series_id)
        past = past_of(books, series_id)
        self.game = GAMES[past.standing.game]
        self.rounds: Mapping[tuple[int, int], Round] = past.rounds
        self.names = called(books, series_id)
        self.undone = _undone(self.events)
        self.people = Naming({})
        """What people were called when that happened which is being told."""

    def lines(self, wanted: Collection[int]) -> Iterator[Line]:
        """The events with these numbers, as far as there are such."""
        standing = Standing.started(self.events[0].data)
        # Whose joining was taken back keeps the name they had; and a phone may be that of somebody
        # who joined only after it had done something.
        named, at_first = dict(standing.named), self.names.at_first
        for event in self.events:
            following = len(standing.rounds) + 1
            if event.number > 1:
                standing.apply(event.number, event.data)
                named |= standing.named
            if event.number in wanted:
                then = {player: self.names[player, given] for player, given in named.items()}
                self.people = Naming(at_first | then)
                yield self._line(event, following)

    def _line(self, event: Happened, following: int) -> Line:
        """One of them; `following` is the round that was the next one before it."""
        data: Mapping[str, Any] = event.data if event.number > 1 else {}
        manages = {"state", "length", "rules", "confirm"} & data.keys()
        said, *details = [*self._headlines(event), *self._details(event, following)]
        return Line(
            number=event.number,
            kind=event.kind,
            at=event.at,
            by=event.by,
            player=self.claims.at(event.by, event.number),
            who=self._phone(event.by, event.number) if event.by else None,
            said=said,
            details=tuple(details),
            reason=self.reasons.get(event.number),
            before=self._side(data, "before"),
            after=self._side(data, "after") if data else _started_as(event.data),
            undoes=data.get("undoes"),
            undone=self._since(event),
            needs=Role.MANAGE if manages else Role.ENTER,
        )

    def _name(self, player: int) -> Name:
        return Name(self.people.name_of(player))

    def _phone(self, device: int, event: int) -> Sentence:
        return self.claims.called(device, self.people, at=event)

    # --- What happened ----------------------------------------------------------------------------

    def _started(self) -> Sentence:
        names = [self._name(player) for player in self.events[0].data["players"]]
        return say("%(game)s was started with %(names)s.", game=self.game, names=names)

    def _start_details(self) -> Iterator[Sentence]:
        data = self.events[0].data
        if data["first_dealer"] is None:
            yield say("Who deals first was left to the table.")
        else:
            name = self._name(data["first_dealer"])
            drawn = data.get("drawn")
            yield (
                say("%(name)s drew the first deal.", name=name)
                if drawn
                else say("%(name)s deals first.", name=name)
            )
        yield _length_is(data["length"])
        for key, value in data["rules"].items():
            if self.game.defaults.get(key) != value:
                yield say("%(rule)s: %(choice)s.", **self.game.in_words(key, value))

    def _headlines(self, event: Happened) -> list[Sentence]:
        """What an event did, the undoing of another one first of all as that."""
        done, times = self._origin(event)
        did = [*self._did(done)]
        if times == 0:
            return did
        if times % 2:
            return [say("Undone: %(what)s", what=one) for one in did]
        return [say("Done again: %(what)s", what=one) for one in did]

    def _origin(self, event: Happened) -> tuple[Happened, int]:
        """What an event undid, and how often that was undone then; itself where it undid none."""
        times = 0
        while (undoes := event.data.get("undoes")) is not None:
            event, times = self.events[undoes - 1], times + 1
        return event, times

    def _since(self, event: Happened) -> Sentence | None:
        """What was done to an event since, where it is not in effect any more."""
        if event.number not in self.undone:
            return None
        _, times = self._origin(event)
        return say("Done again since.") if times % 2 else say("Taken back.")

    def _did(self, event: Happened) -> Iterator[Sentence]:
        """What an event did that undid nothing."""
        data = event.data
        if event.number == 1:
            yield self._started()
            return
        if "rounds" in data:
            yield _round_did(event.kind, data["rounds"][0]["round"])
        if "name" in data and event.kind != "joined":
            yield say(
                "%(before)s is called %(after)s now.",
                before=self._named(data["name"], "before"),
                after=self._named(data["name"], "after"),
            )
        if "player" in data:
            yield _player_did(data["player"], self._name(data["player"]["id"]))
        if "rules" in data:
            yield say("The house rules were changed.")
        if "length" in data:
            yield say("The length of the series was changed.")
        if "confirm" in data:
            yield (
                say("From now on a round counts once another phone has said yes.")
                if data["confirm"]["after"]
                else say("From now on a round counts as soon as it is saved.")
            )
        if "state" in data:
            closed = data["state"]["after"] == FINISHED
            yield say("The series was finished.") if closed else say("The series was reopened.")
        if "access" in data:
            yield self._access_did(event)

    def _access_did(self, event: Happened) -> Sentence:
        change = event.data["access"]
        if "device" not in change:
            return _TAKEN_BACK[change["role"]]
        return say("Put out: %(phone)s.", phone=self._phone(change["device"], event.number))

    # --- Before and after -------------------------------------------------------------------------

    def _details(self, event: Happened, following: int) -> Iterator[Sentence]:
        """What there is to say of it besides."""
        data = event.data
        if event.number == 1:
            yield from self._start_details()
            return
        if "undoes" in data:
            yield from self._holds(data)
        else:
            yield from self._changed(data)
        if "confirmed" in data:
            yield say("Confirmed on %(phone)s.", phone=self._phone(data["confirmed"], event.number))
        if "rules" in data:
            # From the next round on, as it was then.
            yield from self._rule_details(data["rules"], following)

    def _holds(self, data: Mapping[str, Any]) -> Iterator[Sentence]:
        """What holds once something was undone: what held before that is there to be read."""
        for step in data.get("rounds", ()):
            played = self._revision(step, "after")
            if played is None:
                yield say("Round %(number)s counts no more.", number=step["round"])
            else:
                yield say(
                    "Round %(number)s counts as: %(round)s.",
                    number=step["round"],
                    round=self._told(played),
                )
        if "length" in data:
            yield _length_is(data["length"]["after"])

    def _changed(self, data: Mapping[str, Any]) -> Iterator[Sentence]:
        """What was changed, before and after."""
        for at, step in enumerate(data.get("rounds", ())):
            before, after = (self._revision(step, side) for side in ("before", "after"))
            if at > 0 and before and after:
                if before.result["multiplier"] == after.result["multiplier"]:
                    yield say(
                        "Round %(number)s follows: what it carries on changed.",
                        number=step["round"],
                    )
                    continue
                yield say("Round %(number)s follows: its multiplier changed.", number=step["round"])
            if before and after:
                yield from self._differing(before, after)
            elif after:
                yield say("%(round)s.", round=self._told(after))
            elif before:
                yield say("Before: %(round)s.", round=self._told(before))
        if "length" in data:
            yield say("Before: %(length)s.", length=_length(data["length"]["before"]))
            yield say("After: %(length)s.", length=_length(data["length"]["after"]))

    def _differing(self, before: Round, after: Round) -> Iterator[Sentence]:
        """What a correction changed of a round, thing by thing, and of what everybody got."""
        rows = [row for row in compare(self.people, [before, after]) if row.differs]
        for row in rows:
            if row.label is not None:
                yield self._difference(row)
        amounts = [self._amounts(row) for row in rows if row.label is None]
        if amounts and after.unit == "points":
            yield say("Points: %(changes)s", changes=amounts)
        elif amounts:
            yield say("Shares: %(changes)s", changes=amounts)
        if not rows:
            yield say("It comes to the same.")

    def _difference(self, row: Row) -> Sentence:
        before, after = ("–" if value is None else value for value in row.values)
        if row.player is None:
            return say(
                "%(what)s: %(before)s → %(after)s", what=row.label, before=before, after=after
            )
        return say(
            "%(name)s, %(what)s: %(before)s → %(after)s",
            name=self._name(row.player),
            what=row.label,
            before=before,
            after=after,
        )

    def _amounts(self, row: Row) -> tuple[Any, ...]:
        assert row.player is not None
        before, after = (
            say("rests") if amount is None else Signed(amount) for amount in row.values
        )
        return self._name(row.player), before, "→", after

    def _rule_details(self, change: Document, number: int) -> Iterator[Sentence]:
        for key, value in change["after"].items():
            new = self.game.in_words(key, value)
            yield say(
                "%(rule)s, from round %(number)s on: %(choice)s; before: %(before)s.",
                before=self.game.in_words(key, change["before"].get(key))["choice"],
                number=number,
                **new,
            )

    def _told(self, played: Round) -> list[Sentence]:
        """A revision of a round in short: amounts, dealer, ending, multiplier."""
        amounts = [
            (self._name(player), Signed(amount)) for player, amount in played.amounts.items()
        ]
        points = played.unit == "points"
        parts = [
            say("%(amounts)s points", amounts=amounts)
            if points
            else say("%(amounts)s shares", amounts=amounts),
            say("dealt by %(name)s", name=self._name(played.dealer)),
            ending(self.people, played),
        ]
        if (multiplier := played.result["multiplier"]) > 1:
            parts.append(say("× %(multiplier)s", multiplier=multiplier))
        return parts

    def _named(self, change: Document, side: str) -> Name:
        return Name(self.names[change["id"], change[side]])

    def _revision(self, step: Document, side: str) -> Round | None:
        return None if step[side] is None else self.rounds[step["round"], step[side]]

    def _side(self, data: Mapping[str, Any], side: str) -> Document:
        """One side of what an event changed, for programs."""
        shown: Document = {
            key: data[key][side] for key in ("state", "length", "rules", "confirm") if key in data
        }
        if "rounds" in data:
            steps = ((step["round"], self._revision(step, side)) for step in data["rounds"])
            shown["rounds"] = [_figures(number, played) for number, played in steps]
        if "access" in data:
            change = data["access"]
            key, value = ("device", "role") if "device" in change else ("role", "generation")
            shown["access"] = {key: change[key], value: change[side]}
        if "player" in data or "name" in data:
            shown["player"] = self._player_side(data, side)
        return shown

    def _player_side(self, data: Mapping[str, Any], side: str) -> Document | None:
        change = data.get("player") or data["name"]
        person: Document = {"id": change["id"]}
        if "player" in data:
            if change[side] is None:
                return None
            person["left"] = change[side] == LEFT
        if "name" in data:
            person["name"] = str(self._named(data["name"], side))
        return person


_TAKEN_BACK = {
    Role.VIEW: say("The code to watch was replaced by a new one."),
    Role.ENTER: say("The code to score was replaced by a new one."),
    Role.MANAGE: say("The host’s link was replaced by a new one."),
}


def _round_did(kind: str, number: int) -> Sentence:
    match kind:
        case "recorded":
            return say("Round %(number)s was recorded.", number=number)
        case "withdrawn":
            return say("Round %(number)s was withdrawn.", number=number)
    return say("Round %(number)s was corrected.", number=number)


def _started_as(data: Mapping[str, Any]) -> Document:
    """What a series was started with, for programs; the MACs of its names are for `check` alone."""
    return {key: value for key, value in data.items() if key != "names"}


def _player_did(change: Document, name: Name) -> Sentence:
    if change["before"] is None:
        return say("%(name)s joined.", name=name)
    if change["after"] == LEFT:
        return say("%(name)s left.", name=name)
    return say("%(name)s came back.", name=name)


def _length(length: int | None) -> Sentence:
    return say("open-ended") if length is None else say("%(length)s rounds", length=length)


def _length_is(length: int | None) -> Sentence:
    if length is None:
        return say("It is open-ended.")
    return say("It has %(length)s rounds.", length=length)


def _undone(events: Sequence[Happened]) -> set[int]:
    """The events that are not in effect: undone, and not done again."""
    undone: set[int] = set()
    # What an undoing comes to depends on whether it was undone itself, later.
    for event in reversed(events):
        undoes = event.data.get("undoes")
        if undoes is not None and event.number not in undone:
            undone.add(undoes)
    return undone


def _figures(number: int, played: Round | None) -> Document:
    """A revision of a round for programs; its revision is null where there is no such round."""
    if played is None:
        return {"number": number, "revision": None}
    return {
        "number": number,
        "revision": played.revision,
        "dealer": played.dealer,
        "end": played.entry.get("end", "counted"),
        "multiplier": played.result["multiplier"],
        "unit": played.unit,
        "amounts": [
            {"player": player, "amount": amount} for player, amount in played.amounts.items()
        ],
    }
