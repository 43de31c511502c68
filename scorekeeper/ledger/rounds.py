"""What can be done to the rounds of a series. Each verb is one transaction, and one event.

    record(series_id, {"number": 1, "seats": [{"player": 1, "points": 100}, ...]})
    correct(series_id, 1, {"seats": [...]}, revision=1, reason="two piles were swapped")
    withdraw(series_id, 1, revision=2)

A round arrives as the contract's document without what the series knows already. A round that the
rules refuse changes nothing. Verbs raise RuleError for whatever a player can put right,
UnknownSeries and UnknownRound for what is not there.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import seal
from scorekeeper.ledger.book import Book, fold
from scorekeeper.ledger.chain import Change, now, write
from scorekeeper.ledger.database import reading, writing
from scorekeeper.ledger.entry import (
    Follow,
    corrected,
    entry_of,
    follow,
    number_of,
    settled,
    withdrawn,
)
from scorekeeper.ledger.names import clean_reason
from scorekeeper.ledger.past import Past, Round, events_of, past_of
from scorekeeper.ledger.tables import Base, canonical
from scorekeeper.rules import RuleError, work_out
from scorekeeper.rules.result import Result
from scorekeeper.rules.sentence import Sentence, say

LONGEST_KEY = 200  # characters of an idempotency key


class UnknownRound(LookupError):
    """The series has no round with this number, or has it no longer."""


class AlreadyRecorded(RuleError):
    """Somebody else recorded a round under this number; `round` is what they recorded."""

    def __init__(self, recorded: Round) -> None:
        self.round = recorded
        sentence = say("Round %(number)s is recorded already.", number=recorded.number)
        super().__init__("already_recorded", sentence, field="number")


class Stale(RuleError):
    """The round was changed since it was looked at; `round` is what it is now."""

    def __init__(self, current: Round) -> None:
        self.round = current
        sentence = say("Round %(number)s was changed meanwhile.", number=current.number)
        super().__init__("stale", sentence)


@dataclass(frozen=True)
class Recorded:
    """The round as it was recorded; `repeated` when this was only its second arrival.

    `gone` says that it was withdrawn since, whatever has its number now; `book` is the series as
    the request found it.
    """

    round: Round
    repeated: bool
    gone: bool
    book: Book


@dataclass(frozen=True)
class Corrected:
    """The round's new revision, and what it changed after it.

    `resettled` are the new revisions of later rounds, into which another multiplier is carried
    now; `warnings` say where the rules would have named another dealer than the recorded one;
    `repeated` when this was only its second arrival, and `gone` when the round was withdrawn since.
    """

    round: Round
    resettled: tuple[Round, ...]
    warnings: tuple[Sentence, ...]
    repeated: bool
    gone: bool


def preview(book: Book, document: object, number: int | None = None) -> Result:
    """What recording this round would book, with its working.

    With the number of a recorded round, what correcting it would book. A tie that the table
    decides may still be open here: the result's question then asks.
    """
    if number is None:
        number = book.next_number
    elif not 1 <= number <= book.next_number:
        raise UnknownRound(number)
    return work_out(book.named(entry_of(book, document, number)))


def revision_of(series_id: str, number: int, revision: int) -> Round | None:
    """A revision that a round had, in force or not; None where there never was one."""
    with reading() as books:
        return past_of(books, series_id).rounds.get((number, revision))


def follows(book: Book, number: int, document: object | None) -> Follow:
    """What correcting a round would change, or withdrawing it where there is no document.

    Raises whatever the verb itself would refuse with.
    """
    current = _recorded(book, number)
    if document is None:
        check_open(book)
        return withdrawn(book, current)
    return corrected(book, number, document, now())


def record(
    series_id: str, document: object, *, key: str | None = None, by: int | None = None
) -> Recorded:
    """Records the next round, the one that the document's "number" says.

    The repetition of a request, known by its key, does nothing and answers the first result.
    Raises AlreadyRecorded where the number is taken.
    """
    with writing(series_id) as books:
        return record_within(books, series_id, document, key=key, by=by)


def record_within(
    books: Session,
    series_id: str,
    document: object,
    *,
    key: str | None,
    by: int | None,
    confirmed_by: int | None = None,
) -> Recorded:
    """Records the next round, inside a transaction that was begun for it.

    `confirmed_by` is the phone that said yes to it; RuleError `needs_confirmation` where the
    series asks for one and there is none.
    """
    body_hash = hashlib.sha256(canonical(document).encode()).digest()
    book = fold(books, series_id)
    if key is not None and (first := _kept(books, series_id, key, body_hash)):
        past = past_of(books, series_id)
        made = past.rounds[first["round"], first["revision"]]
        gone = _recorded_as(past, made.number) != made.revision
        return Recorded(made, repeated=True, gone=gone, book=book)
    number = number_of(document)
    check_next(book, number)
    if book.confirm and confirmed_by is None:
        raise RuleError(
            "needs_confirmation",
            say(
                "In this series a round counts once another phone has said yes: "
                "it is entered on one phone and confirmed on another."
            ),
        )
    at = now()
    change = settled(book, number, entry_of(book, document, number), at, by)
    assert change.after is not None
    asked = _asked(key, body_hash)
    if confirmed_by is not None:
        asked["confirmed"] = confirmed_by
    write(books, book, "recorded", at, by, [change], asked)
    if key is not None:
        _keep(books, series_id, key, body_hash, change.after)
    return Recorded(change.after, repeated=False, gone=False, book=book)


def correct(
    series_id: str,
    number: int,
    document: object,
    *,
    revision: int,
    reason: str | None = None,
    key: str | None = None,
    by: int | None = None,
) -> Corrected:
    """Corrects a round, of which the corrector saw `revision`; raises Stale if there is a newer.

    It keeps the house rules that it was played by. Where it changes the multipliers carried into
    later rounds, those are settled again with it. Recorded dealers stay. A finished series can be
    corrected too. The repetition of a request, known by its key, does nothing and answers the
    first result.
    """
    why = clean_reason(reason)
    # Not a plain hash, as that of a new round is: a reason can be erased, and could be guessed.
    body_hash = seal("correction", canonical([number, revision, document, why]).encode())
    with writing(series_id) as books:
        book = fold(books, series_id)
        if key is not None and _kept(books, series_id, key, body_hash):
            return _corrected_before(books, book, request_hash(key, body_hash))
        _seen(_recorded(book, number), revision)
        at = now()
        made = corrected(book, number, document, at, by)
        write(books, book, "corrected", at, by, made.changes, _asked(key, body_hash), reason=why)
        done = _corrected(made, repeated=False, gone=False)
        if key is not None:
            _keep(books, series_id, key, body_hash, done.round)
    return done


def _corrected(made: Follow, *, repeated: bool, gone: bool) -> Corrected:
    new, *resettled = (change.after for change in made.changes if change.after)
    return Corrected(new, tuple(resettled), made.warnings, repeated, gone)


def _recorded_as(past: Past, number: int) -> int | None:
    """The revision as which the round in force was recorded; None where there is none."""
    standing = past.standing
    return standing.first[number] if number in standing.rounds else None


def _corrected_before(books: Session, book: Book, request: str) -> Corrected:
    """What a correction came to that was made by this request before."""
    events = events_of(books, book.id)
    (made,) = (event for event in events if event.data.get("request") == request)
    past = past_of(books, book.id)
    changes = [
        Change(
            step["round"],
            past.rounds[step["round"], step["before"]],
            past.rounds[step["round"], step["after"]],
        )
        for step in made.data["rounds"]
    ]
    step = made.data["rounds"][0]
    recorded = _recorded_as(past, step["round"])
    gone = recorded is None or recorded > step["after"]
    return _corrected(follow(book, changes), repeated=True, gone=gone)


def withdraw(
    series_id: str, number: int, *, revision: int, reason: str | None = None, by: int | None = None
) -> Round:
    """Withdraws the last round, seen as `revision`, and answers what it was.

    It stays in the history, and recording its number again makes its next revision. Raises
    RuleError `not_last` for an earlier round, Stale if there is a newer revision.
    """
    why = clean_reason(reason)
    with writing(series_id) as books:
        book = fold(books, series_id)
        current = _recorded(book, number)
        check_open(book)
        follow = withdrawn(book, current)
        _seen(current, revision)
        write(books, book, "withdrawn", now(), by, follow.changes, reason=why)
    return current


def _recorded(book: Book, number: int) -> Round:
    current = book.round(number)
    if current is None:
        raise UnknownRound(number)
    return current


def _seen(current: Round, revision: int) -> None:
    """Refuses to change what was not seen as it is."""
    if revision != current.revision:
        raise Stale(current)


def check_next(book: Book, number: int) -> None:
    """Refuses any round but the next one of a series that goes on."""
    if (recorded := book.round(number)) is not None:
        raise AlreadyRecorded(recorded)
    check_open(book)
    if number != book.next_number:
        raise RuleError(
            "round_skipped",
            say("The next round is round %(number)s.", number=book.next_number),
            field="number",
        )


def check_open(book: Book) -> None:
    """Refuses what a finished series takes no more."""
    if book.finished:
        raise RuleError("finished", say("This series is finished: reopen it first."))


def request_hash(key: str, body_hash: bytes) -> str:
    """What the event of a request with a key keeps of it."""
    return hashlib.sha256(canonical([key, body_hash.hex()]).encode()).hexdigest()


def check_key(key: str) -> None:
    """Refuses what is no idempotency key."""
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise RuleError(
            "bad_key",
            say("An idempotency key has 1 to %(most)s printable characters.", most=LONGEST_KEY),
        )


def _asked(key: str | None, body_hash: bytes) -> dict[str, Any]:
    """What the event of a request says of it."""
    return {} if key is None else {"request": request_hash(key, body_hash)}


def _keep(books: Session, series_id: str, key: str, body_hash: bytes, made: Round) -> None:
    """Keeps the answer to a request with a key: the revision of a round that it made."""
    kept = {
        "series_id": series_id,
        "key": key,
        "body_hash": body_hash,
        "answer": {"round": made.number, "revision": made.revision},
    }
    books.execute(_KEEP, kept)


def _kept(books: Session, series_id: str, key: str, body_hash: bytes) -> dict[str, int] | None:
    """The answer that was kept to a request with this key; None where it is the first."""
    check_key(key)
    kept = books.execute(_KEPT, {"series": series_id, "key": key}).one_or_none()
    if kept is None:
        return None
    if kept.body_hash != body_hash:
        raise RuleError(
            "key_reused", say("Another round was sent under this key; it was recorded already.")
        )
    answer: dict[str, int] = kept.answer
    return answer


# Made once: making a statement takes longer than what it does.
_answers = Base.metadata.tables["kept_answer"]
_KEEP = insert(_answers)
_KEPT = select(_answers.c.body_hash, _answers.c.answer).where(
    _answers.c.series_id == bindparam("series"), _answers.c.key == bindparam("key")
)
