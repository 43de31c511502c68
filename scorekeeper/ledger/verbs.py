"""What can be done to the books. Each verb is one transaction, and one event in the chain.

    series_id = start("bakappana", {}, ["Aki", "Ben", "Chie"], length=12)
    record(series_id, {"number": 1, "seats": [{"player": 1, "points": 100}, ...]})
    correct(series_id, 1, {"seats": [...]}, revision=1)

A round arrives as the contract's document without what the series knows already. The ledger fills
that in, the rules settle it, and the answer is written: a round that the rules refuse changes
nothing. Verbs raise RuleError for whatever a player can put right, UnknownSeries and UnknownRound
for what is not there.
"""

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import issue_secrets, seal
from scorekeeper.ledger.book import Book, Document, Round, figures, fold, revisions
from scorekeeper.ledger.database import LedgerError, reading, writing
from scorekeeper.ledger.names import clean_names
from scorekeeper.ledger.tables import (
    Event,
    Head,
    KeptAnswer,
    Player,
    PlayerName,
    Posting,
    RoundRevision,
    Series,
    canonical,
    written,
)
from scorekeeper.rules import RuleError, settle, work_out
from scorekeeper.rules.document import read_rules
from scorekeeper.rules.game import Game, Result, Rules
from scorekeeper.rules.sentence import Name, Sentence, say

MOST_PLAYERS = 60
MOST_ROUNDS = 999
LONGEST_KEY = 200  # characters of an idempotency key


class UnknownRound(LookupError):
    """The series has no round with this number."""


class AlreadyRecorded(RuleError):
    """Somebody else recorded a round under this number; `round` is what they recorded."""

    def __init__(self, recorded: Round) -> None:
        self.round = recorded
        sentence = say("Round %(number)s is recorded already.", number=recorded.number)
        super().__init__("already_recorded", sentence, field="number")


class Stale(RuleError):
    """The round was corrected since it was looked at; `round` is what it is now."""

    def __init__(self, current: Round) -> None:
        self.round = current
        sentence = say("Round %(number)s was corrected meanwhile.", number=current.number)
        super().__init__("stale", sentence)


@dataclass(frozen=True)
class Recorded:
    """The round as it was recorded; `repeated` when this was only its second arrival."""

    round: Round
    repeated: bool


@dataclass(frozen=True)
class Corrected:
    """The round's new revision, and what it changed after it.

    `resettled` are the new revisions of later rounds, into which another multiplier is carried
    now; `warnings` say where the rules would have named another dealer than the recorded one.
    """

    round: Round
    resettled: tuple[Round, ...]
    warnings: tuple[Sentence, ...]


def start(
    game: str,
    rules: Mapping[str, Any],
    names: Sequence[object],
    *,
    length: int | None = None,
    first_dealer: int | None = 0,
    by: int | None = None,
) -> str:
    """Starts a series and answers its id; the house rules not named get their defaults.

    All of them are written down, so that a default that changes one day changes no old series.
    `first_dealer` is an index into the names, None where the table will say; `length` is in
    rounds.
    """
    chosen, whole = read_rules({"game": game, "rules": rules})
    _check_playable(chosen, whole, len(names))
    if length is not None and not 1 <= length <= MOST_ROUNDS:
        raise RuleError(
            "bad_length",
            say("A series has 1 to %(most)s rounds, or is open-ended.", most=MOST_ROUNDS),
            field="rounds",
        )
    cleaned = clean_names(names)
    players = range(1, len(cleaned) + 1)
    data = {
        "game": game,
        "rules": whole,
        "length": length,
        "players": [*players],
        "first_dealer": None if first_dealer is None else players[first_dealer],
    }
    series_id = secrets.token_urlsafe(9)
    with writing() as books:
        series = {"id": series_id, "game": game, "length": length, "created_at": datetime.now(UTC)}
        books.execute(insert(Series).values(series))
        _append(books, series_id, 0, "started", data, by, [])
        joined = [{"series_id": series_id, "id": player, "event_number": 1} for player in players]
        books.execute(insert(Player), joined)
        called = [
            {"series_id": series_id, "player_id": player, "event_number": 1, "name": name}
            for player, name in zip(players, cleaned, strict=True)
        ]
        books.execute(insert(PlayerName), called)
        issue_secrets(books, series_id)
    return series_id


def _check_playable(game: Game, rules: Rules, people: int) -> None:
    """Refuses a series of which no round could be played: too few people, or rules at odds."""
    if not min(game.seats) <= people <= MOST_PLAYERS:
        raise RuleError(
            "wrong_seats",
            say(
                "%(game)s needs %(fewest)s players or more, at most %(most)s in a series.",
                game=game,
                fewest=min(game.seats),
                most=MOST_PLAYERS,
            ),
            field="players",
        )
    refusals = []
    for seats in game.seats:
        if seats <= people:
            try:
                game.check_rules(rules, seats)
            except RuleError as refusal:
                refusals.append(refusal)
            else:
                return
    raise refusals[-1]


def preview(series_id: str, document: object, number: int | None = None) -> Result:
    """What recording this round would book, with its working; writes nothing.

    With the number of a recorded round, what correcting it would book. A tie that the table
    decides may still be open here: the result's question then asks.
    """
    with reading() as books:
        book = fold(books, series_id)
    if number is None:
        number = book.next_number
    elif not 1 <= number <= book.next_number:
        raise UnknownRound(number)
    return work_out(book.named(_entry(book, document, number)))


def record(
    series_id: str, document: object, *, key: str | None = None, by: int | None = None
) -> Recorded:
    """Records the next round, the one that the document's "number" says.

    The repetition of a request, known by its key, does nothing and answers the first result.
    Raises AlreadyRecorded where the number is taken.
    """
    body_hash = hashlib.sha256(canonical(document).encode()).digest()
    with writing(series_id) as books:
        if key is not None and (first := _kept(books, series_id, key, body_hash)):
            return Recorded(first, repeated=True)
        book = fold(books, series_id)
        number = _number(document)
        if (recorded := book.round(number)) is not None:
            raise AlreadyRecorded(recorded)
        if number != book.next_number:
            raise RuleError(
                "round_skipped",
                say("The next round is round %(number)s.", number=book.next_number),
                field="number",
            )
        change = _settled(book, None, _entry(book, document, number), number)
        (new,) = _write(books, book, "recorded", [change], by)
        if key is not None:
            kept = {
                "series_id": series_id,
                "key": key,
                "body_hash": body_hash,
                "status": 201,
                "answer": {"round": new.number, "revision": new.revision},
            }
            books.execute(insert(KeptAnswer).values(kept))
    return Recorded(new, repeated=False)


def correct(
    series_id: str, number: int, document: object, *, revision: int, by: int | None = None
) -> Corrected:
    """Corrects a round, of which the corrector saw `revision`; raises Stale if there is a newer.

    Where it changes the multipliers carried into later rounds, those are settled again with it.
    Recorded dealers stay.
    """
    with writing(series_id) as books:
        book = fold(books, series_id)
        current = book.round(number)
        if current is None:
            raise UnknownRound(number)
        if revision != current.revision:
            raise Stale(current)
        changes = [_settled(book, current, _entry(book, document, number), number)]
        for later in book.rounds[number:]:
            carry = changes[-1].result["carry"]
            if carry == later.entry["carried"]:
                break
            entry = {**later.entry, "carried": carry}
            changes.append(_settled(book, later, entry, later.number))
        new, *resettled = _write(books, book, "corrected", changes, by)
    return Corrected(new, tuple(resettled), tuple(_other_dealers(book, [new, *resettled])))


def _other_dealers(book: Book, corrected: Sequence[Round]) -> list[Sentence]:
    """Says of each corrected round where it names another dealer than the next round had."""
    warnings = []
    for new in corrected:
        old, following = book.round(new.number), book.round(new.number + 1)
        named = new.next_dealer
        if old is None or following is None or named in (None, old.next_dealer, following.dealer):
            continue
        warnings.append(
            say(
                "By the corrected round %(number)s, %(named)s would have dealt "
                "round %(next)s; %(dealer)s dealt it, and that stays.",
                number=new.number,
                named=Name(book.name_of(named)),
                next=following.number,
                dealer=Name(book.name_of(following.dealer)),
            )
        )
    return warnings


# --- From what was sent to what is settled --------------------------------------------------------


def _number(document: object) -> int:
    """The number a document gives its round."""
    number = document.get("number") if isinstance(document, Mapping) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise RuleError("not_a_round", say("The number of the round is missing."), field="number")
    return number


def _entry(book: Book, document: object, number: int) -> Document:
    """The whole document of a round: what was sent, and what the series knows.

    Names are dropped: the books name players by id.
    """
    if not isinstance(document, Mapping):
        raise RuleError("not_a_round", say("A round is a JSON object."))
    known = {"game": book.game, "rules": book.rules, "carried": book.carried_into(number)}
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
    players = _seated(book, seats)
    dealer = document.get("dealer")
    return {
        **{key: value for key, value in document.items() if key != "number"},
        **known,
        "dealer": _dealer(book, number, players) if dealer is None else dealer,
        "seats": [{key: seat[key] for key in seat if key != "name"} for seat in seats],
    }


def _seated(book: Book, seats: Sequence[object]) -> list[int]:
    """The players in the seats, each known and in one seat only."""
    players: list[int] = []
    for index, seat in enumerate(seats):
        player = seat.get("player") if isinstance(seat, Mapping) else None
        if not isinstance(player, int) or isinstance(player, bool):
            sentence = say("Seat %(seat)s does not say who sits in it.", seat=index + 1)
            raise RuleError("not_a_round", sentence, index, "player")
        if not 1 <= player <= len(book.players):
            sentence = say("Who sits in seat %(seat)s is not in this series.", seat=index + 1)
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


@dataclass(frozen=True)
class _Change:
    """A round that was settled and is to be written; `before` is the revision it replaces."""

    number: int
    before: Round | None
    entry: Document
    result: Document

    @property
    def revision(self) -> int:
        """The number of the new revision."""
        return self.before.revision + 1 if self.before else 1

    def postings(self) -> Iterator[dict[str, Any]]:
        """What it posts: the amounts posted before, reversed, and the new ones."""
        if self.before:
            yield from _amounts(self.before.entry, self.before.result, -1)
        yield from _amounts(self.entry, self.result, +1)


def _amounts(entry: Document, result: Document, sign: int) -> Iterator[dict[str, Any]]:
    """A posting for each seat, zeros too: who played has an entry, who rested has none."""
    for seat, amount in zip(entry["seats"], result["amounts"], strict=True):
        yield {"player_id": seat["player"], "amount": sign * amount, "unit": result["unit"]}


def _settled(book: Book, before: Round | None, entry: Document, number: int) -> _Change:
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
        raise LedgerError(f"Round {number} does not add up to nothing: {result['amounts']}.")
    return _Change(number, before, entry, result)


# --- From what was settled to what is written -----------------------------------------------------


def _kept(books: Session, series_id: str, key: str, body_hash: bytes) -> Round | None:
    """The round that a request with this key recorded before; None where it is the first."""
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise RuleError(
            "bad_key",
            say("An idempotency key has 1 to %(most)s printable characters.", most=LONGEST_KEY),
        )
    kept = books.get(KeptAnswer, (series_id, key))
    if kept is None:
        return None
    if kept.body_hash != body_hash:
        raise RuleError(
            "key_reused", say("Another round was sent under this key; it was recorded already.")
        )
    (first,) = revisions(
        books,
        series_id,
        RoundRevision.round_number == kept.answer["round"],
        RoundRevision.revision == kept.answer["revision"],
    )
    return first


def _write(
    books: Session, book: Book, kind: str, changes: Sequence[_Change], by: int | None
) -> list[Round]:
    """Writes one event with new revisions of these rounds, and answers them."""
    steps = [
        {
            "round": change.number,
            "before": change.before.revision if change.before else None,
            "after": change.revision,
        }
        for change in changes
    ]
    at = _append(books, book.id, book.version, kind, {"rounds": steps}, by, changes)
    return [
        Round(change.number, change.revision, change.entry, change.result, by, at)
        for change in changes
    ]


def _append(
    books: Session,
    series_id: str,
    version: int,
    kind: str,
    data: Mapping[str, Any],
    by: int | None,
    changes: Sequence[_Change],
) -> datetime:
    """Appends an event with its revisions and postings to the chain; answers its moment.

    The chain: the hash of an event is a MAC over the hash of the event before it and everything
    that is written with this one.
    """
    number = version + 1
    before = books.get(Event, (series_id, version)) if version else None
    at = datetime.now(UTC).replace(microsecond=0)
    revisions = [
        {
            "round_number": change.number,
            "revision": change.revision,
            "entry": change.entry,
            "result": change.result,
        }
        for change in changes
    ]
    postings = [
        {"line": line, "round_number": round_number, **posting}
        for line, (round_number, posting) in enumerate(
            (change.number, posting) for change in changes for posting in change.postings()
        )
    ]
    content = canonical(
        [series_id, number, kind, written(at), by, data, revisions, postings]
    ).encode()
    digest = seal("event", before.hash if before else b"", content)

    place = {"series_id": series_id, "event_number": number}
    books.execute(
        insert(Event).values(
            series_id=series_id, number=number, kind=kind, at=at, by=by, data=data, hash=digest
        )
    )
    if changes:
        books.execute(insert(RoundRevision), [place | row for row in revisions])
        books.execute(insert(Posting), [place | row for row in postings])
    books.merge(Head(series_id=series_id, seal=seal("head", digest)))
    return at
