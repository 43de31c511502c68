"""What others did to a round while it was typed here, and what can be done about it.

    met = meet(book, form, correcting)
    conflict = show(book, met, typed(book, met, form, result), device, role)
    conflict.sentence, conflict.sides, conflict.choices

The first one wins, and nobody's typing is lost: whoever comes second sees both rounds side by side
and chooses. A choice carries the round and the revision that were seen, as in "keep 5.2", so that
whatever changed between seeing and choosing is shown first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from scorekeeper import ledger
from scorekeeper.forms import RoundForm
from scorekeeper.ledger import Book, Line, Role, Round
from scorekeeper.ledger.book import figures
from scorekeeper.ledger.entry import entry_of
from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import WHOLE_DECK, Cards, Kind
from scorekeeper.rules.document import answer, read, whole_number
from scorekeeper.rules.game import Game
from scorekeeper.rules.result import Result
from scorekeeper.rules.round import Round as Report
from scorekeeper.rules.round import Seat as Reported
from scorekeeper.rules.sentence import Name, Sentence, say
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU

# --- Meeting it -----------------------------------------------------------------------------------


class Meanwhile(StrEnum):
    """What others did while a round was typed."""

    RECORDED = "recorded"
    CORRECTED = "corrected"
    WITHDRAWN = "withdrawn"
    SKIPPED = "skipped"  # a round before it was withdrawn
    FINISHED = "finished"  # the series was
    LEFT = "left"  # somebody who plays in it


@dataclass(frozen=True)
class Met:
    """What a round that was typed meets.

    `number` is its own; `current` what is recorded under it (None where nothing is) and `seen`
    the revision that was looked at when it was typed (0: none). `player` is who has left.
    """

    kind: Meanwhile
    number: int
    current: Round | None = None
    seen: int = 0
    player: int | None = None

    @property
    def revision(self) -> int:
        """The revision there is now, 0 where there is none."""
        return self.current.revision if self.current else 0

    def settled_as(self, book: Book) -> int:
        """The number by whose house rules and multipliers the round that was typed is settled."""
        return min(self.number, book.next_number)


def meet(
    book: Book, form: RoundForm, correcting: int | None, *, withdrawn: bool = False
) -> Met | None:
    """What the round in a form meets, None where nothing is in its way.

    `correcting` is the number of the round that it corrects, None for one that is to be recorded.
    `withdrawn` says that the ledger knows it: it was recorded from here, and is gone.
    """
    if correcting is not None:
        current, seen = book.round(correcting), whole_number(form.revision.data) or 0
        if current is None:
            return Met(Meanwhile.WITHDRAWN, correcting, seen=seen)
        if current.revision == seen:
            return None
        return Met(Meanwhile.CORRECTED, correcting, current, seen)
    number = whole_number(form.number.data) or book.next_number
    if (current := book.round(number)) is not None:
        return Met(Meanwhile.RECORDED, number, current)
    if book.finished:
        return Met(Meanwhile.FINISHED, number)
    if number > book.next_number:
        return Met(Meanwhile.SKIPPED, number)
    if withdrawn:
        return Met(Meanwhile.WITHDRAWN, number)
    gone = next((person.id for person in form.seated if person.left), None)
    return Met(Meanwhile.LEFT, number, player=gone) if gone else None


def typed(book: Book, met: Met, form: RoundForm, result: Result | None) -> Round | None:
    """The round in a form as if it were recorded; None where its result is not there, or open."""
    if result is None or result.amounts is None:
        return None
    try:
        entry = entry_of(book, form.document(), met.settled_as(book))
    except RuleError:
        # The book was another one by the time that the round was settled.
        return None
    return Round(met.number, 0, entry, figures(answer(result)), None, datetime.now(UTC))


# --- Choosing -------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """A choice that was made: a verb, the round it is about, and the revision that was seen.

    keep      what is recorded stays, and what was typed is dropped
    correct   what was typed becomes a correction of that revision
    over      the same, and is saved at once where its figures were seen
    as        what was typed becomes the round with this number
    reopen    the finished series goes on
    return    a player comes back (whose number it is)
    """

    verb: str
    number: int
    revision: int

    def __str__(self) -> str:
        return f"{self.verb} {self.number}.{self.revision}"


def chosen(text: str | None) -> Chosen | None:
    """Reads a choice as a button sends it."""
    found = re.fullmatch(r"([a-z]+) ([0-9]{1,9})\.([0-9]{1,9})", text or "")
    return Chosen(found[1], int(found[2]), int(found[3])) if found else None


@dataclass(frozen=True)
class Choice:
    """A button."""

    value: Chosen
    label: Sentence


# --- Showing it -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """Something that was entered, and whether it is otherwise on the other side."""

    sentence: Sentence
    differs: bool


@dataclass(frozen=True)
class Seat:
    """What one player has on one side; `amount` is None where the player does not play."""

    player: int
    amount: int | None
    differs: bool
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Side:
    """One of the rounds that stand side by side: whose it is and since when, and what it says."""

    title: Sentence
    at: datetime | None
    reason: str | None
    rows: tuple[Row, ...]
    seats: tuple[Seat, ...]

    @property
    def today(self) -> bool:
        """Whether the hour alone says when that was."""
        return self.at is not None and self.at.date() == datetime.now(UTC).date()


@dataclass(frozen=True)
class Conflict:
    """What is shown of it: `same` says that both came to the same, and nothing is lost."""

    met: Met
    sentence: Sentence
    same: bool
    sides: tuple[Side, ...]
    choices: tuple[Choice, ...]


def show(book: Book, met: Met, mine: Round | None, device: int | None, role: Role) -> Conflict:
    """Puts what there is beside what was typed, which is `mine` as far as it can be settled."""
    lines = ledger.history(book.id, limit=book.version)
    same = mine is not None and met.current is not None and _same(met.current, mine)
    teller = _Teller(book, lines, device)
    return Conflict(
        met,
        _headline(met, teller, same),
        same,
        tuple(teller.sides(met, mine)),
        tuple(_choices(book, met, role, same)),
    )


def _headline(met: Met, teller: _Teller, same: bool) -> Sentence:
    number = met.number
    match met.kind:
        case Meanwhile.RECORDED if same:
            return say("The same round was recorded already.")
        case Meanwhile.CORRECTED if same:
            return say("The same correction was saved already.")
        case Meanwhile.RECORDED:
            return say("Round %(number)s is recorded already.", number=number)
        case Meanwhile.CORRECTED:
            return say("Round %(number)s was corrected meanwhile.", number=number)
        case Meanwhile.FINISHED:
            line = teller.line(lambda line: line.after.get("state") == "finished")
            return say("The series was finished by %(who)s.", who=teller.by(line))
        case Meanwhile.LEFT:
            name = Name(teller.book.name_of(met.player or 0))
            return say("%(name)s has left the series meanwhile.", name=name)
        case Meanwhile.SKIPPED:
            number = teller.book.next_number
    line = teller.line(lambda line: _revision(line.after, number) == 0)
    if line is None:
        return say("The next round is round %(number)s.", number=number)
    who = teller.by(line)
    return say("Round %(number)s was withdrawn meanwhile by %(who)s.", number=number, who=who)


def _choices(book: Book, met: Met, role: Role, same: bool) -> Iterator[Choice]:
    number, following = met.number, book.next_number
    seen = (number, met.revision)
    if same:
        yield Choice(Chosen("keep", *seen), say("Good"))
        return
    match met.kind:
        case Meanwhile.RECORDED:
            yield Choice(Chosen("keep", *seen), say("Keep what is recorded"))
            label = say("Correct round %(number)s to mine", number=number)
            yield Choice(Chosen("correct", *seen), label)
        case Meanwhile.CORRECTED:
            yield Choice(Chosen("keep", *seen), say("Keep theirs"))
            yield Choice(Chosen("over", *seen), say("Save mine over it"))
        case Meanwhile.WITHDRAWN:
            yield Choice(Chosen("keep", *seen), say("Leave it withdrawn"))
        case Meanwhile.FINISHED:
            yield Choice(Chosen("keep", *seen), say("Leave mine out"))
            if role.allows(Role.MANAGE):
                yield Choice(Chosen("reopen", *seen), say("Reopen the series"))
        case Meanwhile.LEFT:
            name = Name(book.name_of(met.player or 0))
            label = say("%(name)s comes back", name=name)
            yield Choice(Chosen("return", met.player or 0, 0), label)
    others = (Meanwhile.RECORDED, Meanwhile.SKIPPED, Meanwhile.WITHDRAWN)
    if met.kind in others and not book.finished:
        again = met.kind == Meanwhile.WITHDRAWN and following == number
        label = (
            say("Record mine as round %(number)s again", number=following)
            if again
            else say("Mine is round %(number)s", number=following)
        )
        yield Choice(Chosen("as", following, 0), label)


class _Teller:
    """Tells rounds so that they can be compared, and who made them what they are."""

    def __init__(self, book: Book, lines: list[Line], device: int | None) -> None:
        self.book, self.lines, self.device = book, lines, device

    def line(self, wanted: Callable[[Line], bool]) -> Line | None:
        """The newest event that is wanted."""
        return next((line for line in self.lines if wanted(line)), None)

    def by(self, line: Line | None) -> Name | Sentence:
        """Who did it."""
        if line is None or line.by is None:
            return say("a program")
        if line.by == self.device:
            return say("this phone")
        if line.player is None:
            return say("phone %(number)s", number=line.by)
        return Name(self.book.name_of(line.player))

    def sides(self, met: Met, mine: Round | None) -> Iterator[Side]:
        """What was before, what there is now, and what was typed: as far as there is each."""
        number, revisions = met.number, self.book.revisions.get(met.number, 0)
        theirs, before = met.current, None
        if met.kind in (Meanwhile.CORRECTED, Meanwhile.WITHDRAWN):
            # What the corrector looked at; of a withdrawn round, what was withdrawn.
            seen = met.seen if met.kind == Meanwhile.CORRECTED else revisions
            before = ledger.revision_of(self.book.id, number, seen) if seen <= revisions else None
            if before is not None and theirs is not None:
                yield self.side(say("What you saw"), before, None if mine else theirs)
            elif before is not None:
                yield self.side(say("Before it was withdrawn"), before, mine)
            theirs = theirs or before
        if met.current is not None:
            yield self.side(self.made(met.current), met.current, mine or before)
        if mine is not None and theirs is not None:
            yield self.side(say("Yours"), mine, theirs)

    def made(self, played: Round) -> Sentence:
        """Who made a round what it is now."""
        line = self.making(played)
        if line is None or _revision(line.before, played.number):
            return say("Corrected by %(who)s", who=self.by(line))
        return say("Recorded by %(who)s", who=self.by(line))

    def making(self, played: Round) -> Line | None:
        """The event that made a round what it is; None for one that is only typed."""
        if not played.revision:
            return None
        return self.line(lambda line: _revision(line.after, played.number) == played.revision)

    def side(self, title: Sentence, played: Round, other: Round | None) -> Side:
        """A round, with whatever is otherwise in another one marked."""
        told, against = self.told(played, other), self.told(other, played) if other else {}
        rows: dict[int | None, list[Row]] = {}
        for (player, key), sentence in told.items():
            differs = other is not None and against.get((player, key)) != sentence
            rows.setdefault(player, []).append(Row(sentence, differs))
        amounts, others = played.amounts, other.amounts if other else played.amounts
        line = self.making(played)
        return Side(
            title,
            line.at if line else None,
            line.reason if line else None,
            tuple(rows.get(None, ())),
            tuple(
                Seat(
                    player,
                    amounts.get(player),
                    amounts.get(player) != others.get(player),
                    tuple(rows.get(player, ())),
                )
                for player in sorted(amounts.keys() | others.keys())
            ),
        )

    def told(self, played: Round, other: Round | None) -> dict[tuple[int | None, str], Sentence]:
        """What a round says, by the player it says it of and what it is about."""
        reported = read(played.entry)
        return {(None, key): one for key, one in self._of_table(played, reported)} | {
            (player, key): one for player, key, one in self._of_seats(played, reported, other)
        }

    def _of_table(self, played: Round, reported: Report) -> Iterator[tuple[str, Sentence]]:
        players = played.players
        yield "dealer", say("Dealer: %(name)s", name=self.name(played.dealer))
        if reported.end == "void":
            yield "end", say("No result.")
        elif reported.stopper is not None:
            name = self.name(players[reported.stopper])
            yield "end", say("%(name)s ended it with a dekiyaku.", name=name)
        else:
            yield "end", say("Played out and counted.")
        if reported.field:
            yield "field", say("Opening field: %(cards)s", cards=reported.field)
        if (multiplier := played.result["multiplier"]) > 1:
            yield "multiplier", say("everything × %(multiplier)s", multiplier=multiplier)
        match reported.decision:
            case "nobody":
                yield "decision", say("Tie: %(who)s", who=say("nobody"))
            case "each":
                yield "decision", say("Tie: %(who)s", who=say("each of them"))
            # Where there was no tie, nobody has looked at it.
            case int(seat) if 0 <= seat < len(players):
                yield "decision", say("Tie: %(who)s", who=self.name(players[seat]))

    def _of_seats(
        self, played: Round, reported: Report, other: Round | None
    ) -> Iterator[tuple[int, str, Sentence]]:
        piles = _captured(played, reported)
        others = _captured(other, read(other.entry)) if other else {}
        for player, seat, result in zip(
            played.players, reported.seats, played.result["seats"], strict=True
        ):
            for key, sentence in _of_pile(seat):
                yield player, key, sentence
            if result["card_points"] is not None:
                points = say("%(points)s card points", points=result["card_points"])
                yield player, "points", points
            if player in piles and player in others:
                # Cards that both have are told by their number alone.
                only = piles[player] - others[player]
                if only:
                    yield player, "only", say("Only here: %(cards)s", cards=only)
            if seat.hand is not None:
                yield player, "hand", say("Dealt hand: %(cards)s", cards=seat.hand.known)
            for kind in CLASSES:
                if result[kind]:
                    yield player, kind, say(_YAKU[kind], yaku=_yaku(reported.game, result[kind]))
            if seat.continued:
                yield player, "continued", say("played on")

    def name(self, player: int) -> Name:
        return Name(self.book.name_of(player))


_YAKU = {
    TEYAKU: say("Teyaku: %(yaku)s").message,
    DEKIYAKU: say("Dekiyaku: %(yaku)s").message,
    SPECIAL: say("Special yaku: %(yaku)s").message,
}


def _of_pile(seat: Reported) -> Iterator[tuple[str, Sentence]]:
    """How a pile was entered."""
    pile = seat.pile
    if seat.rest is not None:
        yield "pile", say("The rest of the deck")
    elif pile is None:
        return
    elif pile.form == "points":
        yield "pile", say("Entered as points")
    elif pile.form == "captured":
        yield "pile", say("Entered as %(count)s cards", count=pile.size())
    elif pile.counts is not None:
        counts = [
            say("%(kind)s %(count)s", kind=kind, count=count)
            for kind, count in zip(Kind, pile.counts, strict=True)
        ]
        cards = Cards(pile.named or 0)
        yield (
            "pile",
            say("Entered as counts: %(counts)s", counts=counts)
            if pile.form == "counts"
            else say("Entered as %(cards)s, chaff %(count)s", cards=cards, count=pile.counts[3]),
        )


def _yaku(game: Game, formed: list[Mapping[str, Any]]) -> list[Sentence]:
    called = {yaku.key: yaku for yaku in game.yaku}
    return [
        say("%(yaku)s (%(value)s)", yaku=called[one["key"]], value=one["value"]) for one in formed
    ]


def _captured(played: Round, reported: Report) -> dict[int, Cards]:
    """The piles that were entered as cards, by player; the rest of the deck as what it is."""
    seats = dict(zip(played.players, reported.seats, strict=True))
    piles = {
        player: seat.pile.known
        for player, seat in seats.items()
        if seat.pile is not None and seat.pile.form == "captured"
    }
    left = WHOLE_DECK
    for pile in piles.values():
        left -= pile
    return piles | {player: left for player, seat in seats.items() if seat.rest == "captured"}


def _same(one: Round, other: Round) -> bool:
    """Whether two rounds come to the same: to the same amounts, from the same piles and yaku.

    By which form the piles were entered makes no difference, nor whether points that decide
    nothing were entered at all.
    """
    return _substance(one) == _substance(other) and all(
        None in points or len(points) == 1
        for points in ({_points(one)[player], _points(other)[player]} for player in one.players)
    )


def _points(played: Round) -> dict[int, int | None]:
    seats = zip(played.players, played.result["seats"], strict=True)
    return {player: seat["card_points"] for player, seat in seats}


def _substance(played: Round) -> tuple[Any, ...]:
    entry, result = played.entry, played.result
    stopper = played.players[entry["stopped_by"]] if entry.get("end") == "stopped" else None
    yaku = {
        player: [[(one["key"], one["value"]) for one in seat[kind]] for kind in CLASSES]
        for player, seat in zip(played.players, result["seats"], strict=True)
    }
    return (
        played.amounts, yaku, played.dealer, played.next_dealer, entry.get("end", "counted"),
        stopper, result["multiplier"], list(result["carry"]),
    )  # fmt: skip


def _revision(side: Mapping[str, Any], number: int) -> int | None:
    """The revision of a round on one side of an event, 0 for none; None where it is not in it."""
    for one in side.get("rounds", ()):
        if one["number"] == number:
            return one["revision"] or 0
    return None
