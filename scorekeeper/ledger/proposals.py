"""A round that counts once another phone has said yes.

    propose(series_id, {"number": 5, "seats": [...]}, fields, key="...", by=proposer)
    confirm(series_id, change, by=another)             recorded, as if the proposer had saved it
    give_back(series_id, change, by=another, word="count again")
    propose(series_id, {...}, fields, key="...", by=another, instead_of=change)

That is what a series asks for whose `confirm` is on. A round that waits is not in the books: it is
in no total, and whatever the rules would refuse when it is recorded they refuse when it is
proposed. One waits at a time. What does not wait any more and was not recorded is its phone's until
that records, proposes or drops something.
"""

from collections.abc import Mapping

from sqlalchemy import select

from scorekeeper.ledger.book import fold
from scorekeeper.ledger.chain import now
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.entry import entry_of, number_of, settled
from scorekeeper.ledger.names import clean_reason
from scorekeeper.ledger.piles import WHOLE_ROUND, Here
from scorekeeper.ledger.rounds import Recorded, check_key, record_within
from scorekeeper.ledger.tables import GONE, OVER, RETURNED, WAITING, Pending
from scorekeeper.rules import RuleError
from scorekeeper.rules.sentence import say


class NoProposal(RuleError):
    """What was answered does not wait any more, or is another round by now."""

    def __init__(self) -> None:
        sentence = say("What waits here is another round by now, or none: look again.")
        super().__init__("stale_proposal", sentence)


def propose(
    series_id: str,
    document: object,
    fields: Mapping[str, list[str]],
    *,
    key: str,
    by: int,
    instead_of: int | None = None,
    word: object = None,
) -> None:
    """Lets the next round wait for a yes; the same phone's proposal again replaces its first.

    Instead of another phone's, which was seen as this change, and is given back to it with a word
    on why. The repetition of a request, known by its key, does nothing, whatever became of the
    first; and where nobody has to say yes, the round is recorded. Raises RuleError `waiting` where
    another phone's round waits otherwise, and whatever `record` would refuse with.
    """
    why = clean_reason(word)
    check_key(key)
    with writing(series_id) as books:
        book = fold(books, series_id)
        if not book.confirm:
            # It was switched off on the way here, and nobody would be asked for a yes.
            record_within(books, series_id, document, key=key, by=by)
            return
        number = number_of(document)
        here = Here(books, book, number)
        settled(book, number, entry_of(book, document, number), now(), by)
        waiting, own = here.waiting, here.of(WHOLE_ROUND, by)
        if waiting is not None and waiting.device_id != by:
            if waiting.change == instead_of:
                _give_back(here, waiting, by, why)
            else:
                raise RuleError(
                    "waiting",
                    say(
                        "Another phone was faster: its round %(number)s waits for a yes.",
                        number=number,
                    ),
                )
        elif (
            own is not None
            and own.state in (WAITING, RETURNED)
            and (own.content["key"], own.content["document"]) == (key, document)
        ):
            return
        content = {"key": key, "document": document, "fields": fields, "word": None, "no": None}
        here.put(WHOLE_ROUND, by, WAITING, content)


def confirm(series_id: str, change: int, *, by: int) -> Recorded:
    """Records the round that waits, seen as `change`, in the name of the phone that proposed it.

    Raises NoProposal where that is not what waits, and RuleError `own_proposal` for the phone that
    proposed it.
    """
    with writing(series_id) as books:
        book = fold(books, series_id)
        waiting = _waiting(Here(books, book, book.next_number), change)
        if waiting.device_id == by:
            raise RuleError("own_proposal", say("The yes has to come from another phone."))
        return record_within(
            books,
            series_id,
            waiting.content["document"],
            key=waiting.content["key"],
            by=waiting.device_id,
            confirmed_by=by,
        )


def give_back(series_id: str, change: int, *, by: int, word: object = None) -> None:
    """Gives the round that waits back to its phone, with everything that was typed.

    With a word on why, if somebody has one. Raises NoProposal.
    """
    why = clean_reason(word)
    with writing(series_id) as books:
        book = fold(books, series_id)
        here = Here(books, book, book.next_number)
        _give_back(here, _waiting(here, change), by, why)


def drop_returned(series_id: str, number: int, *, by: int | None) -> None:
    """Drops the round of this number that is a phone's again, where there is one.

    That phone has chosen what others made of it.
    """
    with writing(series_id) as books:
        rows = books.scalars(select(Pending).where(Pending.series_id == series_id)).all()
        for row in rows:
            returned = row.device_id == by and row.state in (RETURNED, OVER)
            if returned and row.content["document"]["number"] == number:
                row.state, row.content = GONE, {}
                row.change = max(one.change for one in rows) + 1


def _give_back(here: Here, waiting: Pending, by: int, why: str | None) -> None:
    no = None if waiting.device_id == by else by
    content = {**waiting.content, "word": why, "no": no}
    here.put(WHOLE_ROUND, waiting.device_id, RETURNED, content)


def _waiting(here: Here, change: int) -> Pending:
    waiting = here.waiting
    if waiting is None or waiting.change != change:
        raise NoProposal
    return waiting
