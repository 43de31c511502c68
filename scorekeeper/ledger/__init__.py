"""The books: who played what, what it came to, and who may see or change it.

Append-only, and the only package that commits. `rounds` and `series` have the verbs that write;
`read` gives a series as it stands, `history` what was done, `check` whether it is what was
written. `access` says who may, `phones` how that ends, and `codes` what can be typed instead of a
link. `piles` and `proposals` hold what is not in the books yet. See `tables` for what is kept,
`standing` for what events change, and `database` for where it all is.
"""

from pathlib import Path

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from scorekeeper.ledger.access import (
    Role,
    check_key,
    device_by_token,
    find_secret,
    instance_key,
    join,
    new_device,
    role_of,
    secret_for,
    sees,
    series_of,
)
from scorekeeper.ledger.audit import Checked, Difference, check
from scorekeeper.ledger.book import Book, Person, Total, read, version_of
from scorekeeper.ledger.chain import Damaged
from scorekeeper.ledger.chronicle import Chronicle, Line, changes_of, chronicle, history
from scorekeeper.ledger.codes import SHORT, Code, TooManyTries, new_code, recognise, shown_codes
from scorekeeper.ledger.database import (
    LedgerError,
    UnknownSeries,
    check_tables,
    close,
    connect,
    glance,
    migrate,
    why_not,
)
from scorekeeper.ledger.entry import Follow
from scorekeeper.ledger.past import Round
from scorekeeper.ledger.phones import (
    Claims,
    Phone,
    UnknownPhone,
    claim,
    claims,
    generations,
    phones_of,
    remove,
    rotate,
)
from scorekeeper.ledger.piles import (
    NoPile,
    Pending,
    Pile,
    Proposal,
    begin_pile,
    check_pile,
    choose_pile,
    drop_pile,
    key_pile,
    pending,
)
from scorekeeper.ledger.proposals import confirm, drop_returned, give_back, propose
from scorekeeper.ledger.rounds import (
    AlreadyRecorded,
    Corrected,
    Recorded,
    Stale,
    UnknownRound,
    correct,
    follows,
    preview,
    record,
    revision_of,
    withdraw,
)
from scorekeeper.ledger.series import (
    KEEP,
    UnknownPlayer,
    add_player,
    change_player,
    change_series,
    check_start,
    start,
    undo,
)
from scorekeeper.ledger.tables import written
from scorekeeper.rules.sentence import say

__all__ = [
    "KEEP",
    "SHORT",
    "AlreadyRecorded",
    "Book",
    "Checked",
    "Chronicle",
    "Claims",
    "Code",
    "Corrected",
    "Damaged",
    "Difference",
    "Follow",
    "LedgerError",
    "Line",
    "NoPile",
    "Pending",
    "Person",
    "Phone",
    "Pile",
    "Proposal",
    "Recorded",
    "Role",
    "Round",
    "Stale",
    "TooManyTries",
    "Total",
    "UnknownPhone",
    "UnknownPlayer",
    "UnknownRound",
    "UnknownSeries",
    "add_player",
    "begin_pile",
    "change_player",
    "change_series",
    "changes_of",
    "check",
    "check_pile",
    "check_start",
    "choose_pile",
    "chronicle",
    "claim",
    "claims",
    "close",
    "confirm",
    "correct",
    "device_by_token",
    "drop_pile",
    "drop_returned",
    "find_secret",
    "follows",
    "generations",
    "give_back",
    "history",
    "join",
    "key_pile",
    "new_code",
    "new_device",
    "open_ledger",
    "open_to_check",
    "pending",
    "phones_of",
    "preview",
    "propose",
    "read",
    "recognise",
    "record",
    "remove",
    "revision_of",
    "role_of",
    "rotate",
    "secret_for",
    "sees",
    "series_of",
    "shown_codes",
    "start",
    "undo",
    "version_of",
    "withdraw",
    "written",
]


def open_ledger(app: Flask, folder: Path, url: str | None, key: str | None) -> None:
    """Opens the books of an app, made on first start: the key, the database, its tables.

    Raises LedgerError, one plain sentence, where that is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        why = str(problem.strerror)
        raise LedgerError(
            say("The folder %(folder)s cannot be used: %(why)s.", folder=str(folder), why=why)
        ) from None
    app.config["SECRET_KEY"] = instance_key(folder, key)
    connect(app, folder, url)
    with app.app_context():
        try:
            migrate(check_key)
        except LedgerError:
            close()
            raise


def open_to_check(folder: Path, url: str | None) -> Flask:
    """An app of which only the books are there, as they are: nothing is made or brought up to date.

    Raises LedgerError where they cannot be read.
    """
    app = Flask(__name__)
    app.config["SECRET_KEY"] = instance_key(folder, None, make=False)
    connect(app, folder, url)
    with app.app_context():
        try:
            with glance() as books:
                check_tables(books)
                check_key(books)
        except SQLAlchemyError as problem:
            close()
            why = why_not(problem)
            raise LedgerError(say("The books cannot be read: %(why)s.", why=why)) from problem
        except LedgerError:
            close()
            raise
    return app
