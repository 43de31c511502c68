"""The history of a series: every event in words, with what was before and after.

    for line in history(series_id):
        line.number, line.at, line.said.render(), [one.render() for one in line.details]

Nothing is written down as a text: the sentences are made from the events when somebody reads them,
with the names that people have now, in any language.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import Role
from scorekeeper.ledger.book import Book, Names, called, fold
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.past import Document, Happened, Round, events_of, past_of
from scorekeeper.ledger.phones import Claims
from scorekeeper.ledger.standing import FINISHED, LEFT, Standing
from scorekeeper.ledger.tables import Reason
from scorekeeper.rules.game import Game
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import Name, Sentence, Signed, say

PAGE = 50  # events in one reading


@dataclass(frozen=True)
class Line:
    """One event.

    `said` tells what happened and `details` what was before and after; `reason` is why, in
    somebody's own words. `before` and `after` are the same for programs: "rounds", "state",
    "length", "rules", "confirm" and "player", of those only what changed. `undoes` is the event
    that this one undid. `needs` is the role without which it cannot be undone. `player` is whose
    phone `by` was.
    """

    number: int
    kind: str
    at: datetime
    by: int | None
    player: int | None
    said: Sentence
    details: tuple[Sentence, ...]
    reason: str | None
    before: Document
    after: Document
    undoes: int | None
    needs: Role


def history(series_id: str, *, before: int | None = None, limit: int = PAGE) -> list[Line]:
    """The events of a series, the newest first, or the newest before a given number."""
    with reading() as books:
        teller = _Teller(books, series_id)
    lines = [line for line in teller.lines() if before is None or line.number < before]
    return lines[: -limit - 1 : -1]


class _Teller:
    """Tells the events of a series one after the other, knowing what stood before each."""

    def __init__(self, books: Session, series_id: str) -> None:
        self.book: Book = fold(books, series_id)
        self.game: Game = GAMES[self.book.game]
        self.events: list[Happened] = events_of(books, series_id)
        self.names: Names = called(books, series_id)
        self.rounds: Mapping[tuple[int, int], Round] = past_of(books, series_id).rounds
        reasons = books.scalars(select(Reason).where(Reason.series_id == series_id))
        self.reasons = {reason.event_number: reason.text for reason in reasons}
        self.claims = Claims(books, series_id)

    def lines(self) -> Iterator[Line]:
        standing = Standing.started(self.events[0].data)
        yield self._line(self.events[0], self._started(), [], {})
        for event in self.events[1:]:
            said, *more = self._headlines(event)
            details = [*more, *self._details(event.data, standing)]
            yield self._line(event, said, details, event.data)
            standing.apply(event.number, event.data)

    def _line(
        self, event: Happened, said: Sentence, details: Iterable[Sentence], data: Mapping[str, Any]
    ) -> Line:
        manages = {"state", "length", "rules", "confirm"} & data.keys()
        if event.number == 1:
            details = self._start_details()
        return Line(
            number=event.number,
            kind=event.kind,
            at=event.at,
            by=event.by,
            player=self.claims.at(event.by, event.number),
            said=said,
            details=tuple(details),
            reason=self.reasons.get(event.number),
            before=self._side(data, "before"),
            after=dict(event.data) if event.number == 1 else self._side(data, "after"),
            undoes=event.data.get("undoes"),
            needs=Role.MANAGE if manages else Role.ENTER,
        )

    # --- What happened ----------------------------------------------------------------------------

    def _started(self) -> Sentence:
        names = [Name(self.book.name_of(player)) for player in self.events[0].data["players"]]
        return say("%(game)s was started with %(names)s.", game=self.game, names=names)

    def _start_details(self) -> Iterator[Sentence]:
        data = self.events[0].data
        if data["first_dealer"] is None:
            yield say("Who deals first was left to the table.")
        else:
            name = Name(self.book.name_of(data["first_dealer"]))
            drawn = data.get("drawn")
            yield (
                say("%(name)s drew the first deal.", name=name)
                if drawn
                else say("%(name)s deals first.", name=name)
            )
        if data["length"] is None:
            yield say("It is open-ended.")
        else:
            yield say("It has %(length)s rounds.", length=data["length"])
        for key, value in data["rules"].items():
            if self.game.defaults.get(key) != value:
                yield say("%(rule)s: %(choice)s.", **self._choice(key, value))

    def _headlines(self, event: Happened) -> list[Sentence]:
        """What an event did, the undoing of another one first of all as that."""
        undone, times = event, 0
        while (undoes := undone.data.get("undoes")) is not None:
            undone, times = self.events[undoes - 1], times + 1
        did = [*self._did(undone)]
        if times == 0:
            return did
        message = say("Undone: %(what)s", what=did[0])
        return [message if times % 2 else say("Done again: %(what)s", what=did[0])]

    def _did(self, event: Happened) -> Iterator[Sentence]:
        """What an event did that undid nothing."""
        data = event.data
        if "rounds" in data:
            yield _round_did(event.kind, data["rounds"][0]["round"])
        if "name" in data and event.kind != "joined":
            yield say(
                "%(before)s is called %(after)s now.",
                before=self._named(data["name"], "before"),
                after=self._named(data["name"], "after"),
            )
        if "player" in data:
            yield _player_did(data["player"], Name(self.book.name_of(data["player"]["id"])))
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
        player = self.claims.at(change["device"], event.number)
        if player is None:
            return say("Phone %(number)s was put out.", number=change["device"])
        name = Name(self.book.name_of(player))
        return say("Phone %(number)s (%(name)s) was put out.", number=change["device"], name=name)

    # --- Before and after -------------------------------------------------------------------------

    def _details(self, data: Mapping[str, Any], standing: Standing) -> Iterator[Sentence]:
        for at, step in enumerate(data.get("rounds", ())):
            if at > 0:
                yield say("Round %(number)s follows: its multiplier changed.", number=step["round"])
            yield from self._round_details(step)
        if "confirmed" in data:
            yield self._confirmed(data["confirmed"], standing.version + 1)
        if "rules" in data:
            # From the next round on, as it was then.
            yield from self._rule_details(data["rules"], len(standing.rounds) + 1)
        if "length" in data:
            yield say("Before: %(length)s.", length=_length(data["length"]["before"]))
            yield say("After: %(length)s.", length=_length(data["length"]["after"]))

    def _confirmed(self, device: int, event: int) -> Sentence:
        player = self.claims.at(device, event)
        if player is None:
            return say("Confirmed on phone %(number)s.", number=device)
        name = Name(self.book.name_of(player))
        return say("Confirmed on phone %(number)s (%(name)s).", number=device, name=name)

    def _round_details(self, step: Document) -> Iterator[Sentence]:
        before, after = (self._revision(step, side) for side in ("before", "after"))
        if before is not None:
            yield say("Before: %(round)s.", round=self._told(before))
        if after is not None:
            told = self._told(after)
            yield say("After: %(round)s.", round=told) if before else say("%(round)s.", round=told)

    def _rule_details(self, change: Document, number: int) -> Iterator[Sentence]:
        for key, value in change["after"].items():
            new = self._choice(key, value)
            yield say(
                "%(rule)s, from round %(number)s on: %(choice)s; until then: %(before)s.",
                before=self._choice(key, change["before"].get(key))["choice"],
                number=number,
                **new,
            )

    def _told(self, played: Round) -> list[Sentence]:
        """A revision of a round in short: amounts, dealer, ending, multiplier."""
        amounts = [
            (Name(self.book.name_of(player)), Signed(amount))
            for player, amount in played.amounts.items()
        ]
        points = played.unit == "points"
        parts = [
            say("%(amounts)s points", amounts=amounts)
            if points
            else say("%(amounts)s shares", amounts=amounts),
            say("dealt by %(name)s", name=Name(self.book.name_of(played.dealer))),
            self._ending(played),
        ]
        if (multiplier := played.result["multiplier"]) > 1:
            parts.append(say("× %(multiplier)s", multiplier=multiplier))
        return parts

    def _ending(self, played: Round) -> Sentence:
        if played.void:
            return say("no result")
        if played.entry.get("end") != "stopped":
            return say("played out")
        stopper = played.players[played.entry["stopped_by"]]
        return say("ended by %(name)s", name=Name(self.book.name_of(stopper)))

    def _choice(self, key: str, value: Any) -> dict[str, Any]:
        """A house rule and its value in the words of the game; as written where it has none."""
        rule = self.game.rule(key)
        choice = rule.choice(value) if rule else None
        written = str(value).lower() if isinstance(value, bool) else str(value)
        return {"rule": rule.name if rule else key, "choice": choice.label if choice else written}

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


def _player_did(change: Document, name: Name) -> Sentence:
    if change["before"] is None:
        return say("%(name)s joined.", name=name)
    if change["after"] == LEFT:
        return say("%(name)s left.", name=name)
    return say("%(name)s came back.", name=name)


def _length(length: int | None) -> Sentence:
    return say("open-ended") if length is None else say("%(length)s rounds", length=length)


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
