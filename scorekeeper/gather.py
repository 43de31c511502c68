"""The piles that phones keyed, put together: who is in, what adds up, and the form of the round.

    gathered = Gathered(book, game, seated, ledger.pending(book.id))
    [(seat.person.name, seat.state) for seat in gathered.seats]
    gathered.refusal, gathered.warnings        what the rules say of the piles so far
    blank_round(...) | gathered.filled         what the form of the round begins with

Every check is the rules' own, asked as soon as it can be answered: two piles with the same card at
once, the sum of the deck when all piles are in, or all but the one that is its rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import Any, NamedTuple

from scorekeeper import ledger
from scorekeeper.ledger import Book, Claims, Pending, Person, Pile, Proposal
from scorekeeper.ledger.entry import entry_of
from scorekeeper.round_form import RoundForm, ways
from scorekeeper.rules import RuleError, work_out
from scorekeeper.rules.document import read
from scorekeeper.rules.game import Game
from scorekeeper.rules.result import Result, odd_piles
from scorekeeper.rules.round import REST
from scorekeeper.rules.sentence import Sentence

MONTHS = "months"


def pile_ways(game: Game) -> tuple[str, ...]:
    """The ways in which one player can key one pile: what compares all piles is none of them."""
    return tuple(way for way in ways(game) if way != MONTHS)


def seats_of(book: Book, game: Game, usual: Sequence[Person], there: Pending) -> list[Person]:
    """Who plays the round in progress: those who usually would, but whoever keyed a pile does."""
    keyed = [one for one in book.players if one.id in there.piles and not one.left]
    others = [one for one in usual if one not in keyed]
    playing = [*keyed, *others[: max(0, len(usual) - len(keyed))]]
    seated = [one for one in book.players if one in playing]
    return seated if len(seated) in game.seats else list(usual)


@dataclass(frozen=True)
class SeatIn:
    """One seat of the round in progress: "in", "differs", "begun" or "open"."""

    person: Person
    pile: Pile | None
    others: tuple[Pile, ...]
    begun: bool

    @property
    def state(self) -> str:
        if self.pile is None:
            return "begun" if self.begun else "open"
        return "differs" if self.others else "in"


@dataclass(frozen=True)
class Gathered:
    """What there is of the round in progress, and what the rules say of it."""

    book: Book
    game: Game
    seated: Sequence[Person]
    there: Pending

    @cached_property
    def seats(self) -> list[SeatIn]:
        """The seats in turn order."""
        there = self.there
        return [
            SeatIn(
                person,
                there.piles.get(person.id),
                there.others.get(person.id, ()),
                person.id in there.begun,
            )
            for person in self.seated
        ]

    @property
    def missing(self) -> list[Person]:
        """Whose piles are not in."""
        return [seat.person for seat in self.seats if seat.pile is None]

    @property
    def any(self) -> bool:
        """Whether any pile is in, or on its way."""
        return any(seat.state != "open" for seat in self.seats)

    @property
    def form(self) -> str | None:
        """The form of the piles that are in."""
        return next((seat.pile.form for seat in self.seats if seat.pile), None)

    @cached_property
    def claims(self) -> Claims:
        """Whose the phones are."""
        return ledger.claims(self.book.id)

    # --- What the rules say ---------------------------------------------------------------------

    @property
    def rest(self) -> Person | None:
        """Whose pile is the rest of the deck, where that can be said."""
        whole = self.game.needs_whole_deck(len(self.seated))
        return self.missing[0] if whole and self.form and len(self.missing) == 1 else None

    @cached_property
    def _document(self) -> dict[str, Any]:
        """The round as far as it is there; who dealt, and what else the table says, is open."""
        seats: list[Mapping[str, Any]] = []
        for seat in self.seats:
            said = seat.pile.seat if seat.pile else {}
            if seat.person == self.rest and self.form:
                said = {self.form: REST}
            seats.append({**said, "player": seat.person.id})
        entry = entry_of(self.book, {"seats": seats, "dealer": 0}, self.book.next_number)
        return self.book.named(entry)

    @cached_property
    def _worked_out(self) -> Result | RuleError:
        try:
            return work_out(self._document)
        except RuleError as refusal:
            return refusal

    @property
    def refusal(self) -> Sentence | None:
        """What cannot be in the piles that are in; None where nothing is wrong so far."""
        refusal = self._worked_out
        if not self.form or not isinstance(refusal, RuleError):
            return None
        seat = None if refusal.seat is None else self.seats[refusal.seat]
        only_missing = refusal.code == "not_a_round" and seat is not None and seat.pile is None
        return None if only_missing else refusal.sentence

    @property
    def adds_up(self) -> bool:
        """Whether the rules have all that they need of the piles, and nothing against them."""
        return bool(self.form) and isinstance(self._worked_out, Result) and self._enough

    @property
    def ready(self) -> bool:
        """Whether all piles are in, agreed on, and add up."""
        return self.adds_up and not self.missing and all(not seat.others for seat in self.seats)

    @property
    def _enough(self) -> bool:
        return not self.missing or self.rest is not None

    @cached_property
    def warnings(self) -> list[Sentence]:
        """What is odd in single piles, of which the law of parity knows without the others."""
        if not self.form or self.refusal:
            return []
        if isinstance(self._worked_out, Result):
            return [warned.sentence for warned in self._worked_out.warnings]
        seats = read(self._document).seats
        odd = odd_piles([seat.pile for seat in seats], [seat.name for seat in seats])
        return [warned.sentence for warned in odd]

    # --- The whole round, where it waits ---------------------------------------------------------

    @property
    def waiting(self) -> Proposal | None:
        """The round that waits for a yes."""
        return self.there.waiting

    @property
    def waiting_names(self) -> list[str]:
        """Who plays in the round that waits."""
        players = self.waiting.players if self.waiting else []
        return [self.book.name_of(player) for player in players]

    @cached_property
    def waiting_result(self) -> Result | RuleError | None:
        """What the round that waits would book; a refusal where it could no longer be recorded."""
        if self.waiting is None:
            return None
        try:
            return ledger.preview(self.book, self.waiting.document)
        except RuleError as refusal:
            return refusal

    # --- Into the form of the round -------------------------------------------------------------

    @property
    def filled(self) -> dict[str, Any]:
        """What the form of the round begins with, as far as it comes from the piles."""
        if not self.form:
            return {}
        data: dict[str, Any] = {"form": self.form, "card": {}, "hand": {}}
        for seat in self.seats:
            if seat.pile:
                fields, player = seat.pile.fields, str(seat.person.id)
                data[f"p{player}"] = fields["seat"]
                data["card"] |= dict.fromkeys(fields["card"], player)
                data["hand"] |= dict.fromkeys(fields["hand"], player)
        data["rest_to"] = str(self.rest.id) if self.rest else ""
        return data

    def take(self, form: RoundForm, player: int | None) -> None:
        """Puts a pile into a form in place of what was typed there of its player."""
        for seat in self.seats:
            if seat.pile and seat.person.id == player and seat.person in form.seated:
                form.form.data = seat.pile.form
                form.take(seat.person, seat.pile.fields)


def names_of(pile: Pile) -> dict[str, list[str]]:
    """The fields of a pile by the names that they have in the form of a round."""
    player = str(pile.player)
    named: dict[str, list[str]] = {}
    for key, value in pile.fields["seat"].items():
        values = value if isinstance(value, list) else ["y" if value is True else value]
        named[f"p{player}-{key}"] = values
    for owned in ("card", "hand"):
        named |= {f"{owned}-{card}": [player] for card in pile.fields[owned]}
    return named


class Badge(NamedTuple):
    """What tells a player apart on a page: a letter, and the number of a shape and its colour."""

    letter: str
    shape: int


SHAPES = 4


def badge(person: Person, seated: Sequence[Person]) -> Badge:
    """The badge of somebody among those who play a round.

    It is theirs for the series, whoever comes and goes. Where more people than there are shapes
    take turns, somebody who plays with another of the same shape has the next that is free.
    """
    given: dict[int, int] = {}
    for player in sorted({person.id, *(one.id for one in seated)}):
        wanted = [(player - 1 + further) % SHAPES + 1 for further in range(SHAPES)]
        free = [shape for shape in wanted if shape not in given.values()]
        given[player] = (free or wanted)[0]
    return Badge(ascii_uppercase[(person.id - 1) % len(ascii_uppercase)], given[person.id])
