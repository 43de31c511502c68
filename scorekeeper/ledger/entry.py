"""From what was sent to what can be written: the entry of a round, and what follows from it.

The ledger fills in what the series knows already, the rules settle the whole, and only what they
settled becomes a change. What follows from a change is worked out before it is written, so that a
page can show it first: `Follow` is that one calculation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.ledger.book import Book, OtherDealer, figures
from scorekeeper.ledger.chain import Change
from scorekeeper.ledger.database import LedgerError
from scorekeeper.ledger.past import Document, Round
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.document import fields_of
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import Name, Sentence, Signed, say


def number_of(document: object) -> int:
    """The number a document gives its round."""
    number = document.get("number") if isinstance(document, Mapping) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise RuleError("not_a_round", say("The number of the round is missing."), field="number")
    return number


def entry_of(book: Book, document: object, number: int) -> Document:
    """The whole document of a round: what was sent of it, and what the series knows.

    The books name players by id, and keep nothing that says nothing of a round.
    """
    if not isinstance(document, Mapping):
        raise RuleError("not_a_round", say("A round is a JSON object."))
    recorded = book.round(number)
    known: Document = {
        "game": book.game,
        # A recorded round keeps its own as they were written then.
        "rules": recorded.entry["rules"] if recorded else book.rules,
        "carried": book.carried_into(number),
    }
    for field, value in known.items():
        if document.get(field, value) != value:
            raise RuleError(
                "not_a_round",
                say("The series has its own “%(field)s”; leave it out.", field=field),
                field=field,
            )
    seats = document.get("seats")
    if not isinstance(seats, list):
        raise RuleError("not_a_round", say("A round has a list of seats."), field="seats")
    players = _seated(book, seats, number)
    dealer = document.get("dealer")
    own, said = fields_of(GAMES[book.game].under(known["rules"]), document.get("end"))
    kept = said - {"name"} | {"player"}
    return {
        **{key: document[key] for key in document if key in own},
        **known,
        "dealer": _dealer(book, number, players) if dealer is None else dealer,
        "seats": [{key: seat[key] for key in seat if key in kept} for seat in seats],
    }


def _seated(book: Book, seats: Sequence[object], number: int) -> list[int]:
    """The players in the seats, each known and in one seat only.

    Who has left can still be in a round that was recorded, and so in its correction.
    """
    players: list[int] = []
    for index, seat in enumerate(seats):
        player = seat.get("player") if isinstance(seat, Mapping) else None
        if not isinstance(player, int) or isinstance(player, bool):
            sentence = say("Seat %(seat)s does not say who sits in it.", seat=index + 1)
            raise RuleError("not_a_round", sentence, index, "player")
        person = book.person(player)
        if person is None:
            sentence = say("Who sits in seat %(seat)s is not in this series.", seat=index + 1)
            raise RuleError("bad_seat", sentence, index, "player")
        if person.left and book.round(number) is None:
            sentence = say("%(name)s has left the series.", name=Name(person.name))
            raise RuleError("bad_seat", sentence, index, "player")
        if player in players:
            sentence = say("%(name)s has two seats.", name=Name(book.name_of(player)))
            raise RuleError("bad_seat", sentence, index, "player")
        players.append(player)
    return players


def _dealer(book: Book, number: int, players: Sequence[int]) -> int:
    """The seat of the dealer where the document names none: a recorded dealer, or the next one."""
    recorded = book.round(number)
    dealer = recorded.dealer if recorded is not None else book.next_dealer
    if dealer is None:
        raise RuleError(
            "bad_seat", say("Who deals is for the table to say this time."), field="dealer"
        )
    if dealer not in players:
        raise RuleError(
            "bad_seat",
            say(
                "%(name)s is the dealer and has no seat: say who deals instead.",
                name=Name(book.name_of(dealer)),
            ),
            field="dealer",
        )
    return players.index(dealer)


def settled(book: Book, number: int, entry: Document, at: datetime, by: int | None) -> Change:
    """Settles an entry for the books; raises RuleError where it is refused or still open."""
    result = figures(settle(book.named(entry)))
    if result["amounts"] is None:
        tied = [
            Name(book.name_of(entry["seats"][seat]["player"]))
            for seat in result["undecided"]["between"]
        ]
        raise RuleError(
            "bad_decision",
            say("%(names)s are tied, and this table decides ties itself: say how.", names=tied),
            field="decision",
        )
    # THE BOOKS BALANCE. Nothing that fails here may ever be booked: it is an error in the rules.
    if result["zero_sum"] and sum(result["amounts"]) != 0:
        raise LedgerError(
            say(
                "Round %(number)s does not add up to nothing: %(amounts)s.",
                number=number,
                amounts=[*map(Signed, result["amounts"])],
            )
        )
    revision = book.revisions.get(number, 0) + 1
    return Change(number, book.round(number), Round(number, revision, entry, result, by, at))


# --- What follows ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Follow:
    """What a correction or withdrawal does: the book as it is and as it would be.

    `changes` begin with the round itself; after it come later rounds, into which another
    multiplier would be carried. Totals, places, the next dealer and waiting multipliers are those
    of the two books.
    """

    before: Book
    after: Book
    changes: tuple[Change, ...]

    @property
    def resettled(self) -> tuple[Change, ...]:
        """The later rounds that are settled again."""
        return self.changes[1:]

    @property
    def dealers(self) -> tuple[OtherDealer, ...]:
        """Later rounds that somebody else would have dealt, and before the change would not."""
        found = []
        for change in self.changes:
            other = self.after.other_dealer(change.number)
            if other and change.before and change.before.next_dealer != other.named:
                found.append(other)
        return tuple(found)

    @property
    def warnings(self) -> tuple[Sentence, ...]:
        """The other dealers, in words."""
        return tuple(other.told(self.after) for other in self.dealers)


def corrected(
    book: Book, number: int, document: object, at: datetime, by: int | None = None
) -> Follow:
    """What follows from correcting a recorded round; raises RuleError where it is refused."""
    changes = [settled(book, number, entry_of(book, document, number), at, by)]
    for later in book.rounds[number:]:
        last = changes[-1].after
        assert last is not None
        carried = book.taken_on(later.number, last.result["carry"])
        if carried == book.taken_on(later.number, later.entry["carried"]):
            break
        changes.append(settled(book, later.number, {**later.entry, "carried": carried}, at, by))
    return follow(book, changes)


def withdrawn(book: Book, current: Round) -> Follow:
    """What follows from withdrawing a round; raises RuleError where it is not the last one."""
    if current.number != book.next_number - 1:
        raise RuleError(
            "not_last",
            say(
                "Only the last round can be withdrawn, round %(last)s; this one can be corrected.",
                last=book.next_number - 1,
            ),
        )
    return follow(book, [Change(current.number, current, None)])


def follow(book: Book, changes: Sequence[Change]) -> Follow:
    """What follows from these changes, each of a round by its number."""
    rounds = {played.number: played for played in book.rounds}
    for change in changes:
        rounds.pop(change.number, None)
        if change.after is not None:
            rounds[change.number] = change.after
    postings = [posting for change in changes for posting in change.postings()]
    after = book.amended((rounds[number] for number in sorted(rounds)), postings)
    return Follow(book, after, tuple(changes))
