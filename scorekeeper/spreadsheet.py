"""The scores of a series as a file for a spreadsheet.

    scores(book, to)        "\\ufeffRound,Dealer,Ended,Counted in,Aki,Ben,Aki: card points,..."

Values apart by commas, in UTF-8 with the mark by which Excel knows that, lines ended as RFC 4180
has them. A number stays a number, a negative one too. A text that a spreadsheet would take for a
formula, or a browser that opens one, is kept from that by an apostrophe.
"""

import csv
import io
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from scorekeeper.ledger import Book
from scorekeeper.ledger.past import Round
from scorekeeper.rules.game import UNITS
from scorekeeper.rules.sentence import Translator, say

MARK = "\ufeff"
FORMULA = frozenset("=+-@\t\r\n")
"""With any of these, however wide it is written, a spreadsheet begins what it works out."""

_ENDED = {
    "counted": say("counted"),
    "stopped": say("ended by a dekiyaku"),
    "void": say("no result"),
}


def scores(book: Book, to: Translator) -> str:
    """The rounds by number, what everybody got and their card points; then totals and places.

    Who had no part in a round has nothing there, and a misdeal has nothing for anybody. Card points
    are there where a pile was counted. Amounts are in the unit of the round, points or shares.
    """
    file = io.StringIO(newline="")
    csv.writer(file).writerows([text(cell) for cell in row] for row in _rows(book, to))
    return MARK + file.getvalue()


def text(cell: Any) -> Any:
    """A cell as it is written: texts, and texts alone, are kept from being formulas."""
    if isinstance(cell, str) and unicodedata.normalize("NFKC", cell)[:1] in FORMULA:
        return f"'{cell}"
    return cell


def _rows(book: Book, to: Translator) -> Iterator[list[Any]]:
    _ = to.gettext
    names = [person.name for person in book.players]
    yield [
        *(_("Round"), _("Dealer"), _("Ended"), _("Counted in")),
        *names,
        *(say("%(name)s: card points", name=name).render(to) for name in names),
    ]
    for played in book.rounds:
        ended = played.entry.get("end", "counted")
        amounts = {} if played.void else played.amounts
        card_points = _card_points(played)
        yield [
            *(played.number, book.name_of(played.dealer)),
            *(_ENDED[ended].render(to), UNITS[played.unit].render(to)),
            *(amounts.get(person.id) for person in book.players),
            *(card_points.get(person.id) for person in book.players),
        ]
    for unit, totals in groupby(book.totals, lambda total: total.unit):
        of = {total.player: total for total in totals}
        here = [of[person.id] for person in book.players]
        counted_in = UNITS[unit].render(to)
        yield [_("Total"), "", "", counted_in, *(total.amount for total in here)]
        if book.counted:
            yield [_("Place"), "", "", counted_in, *(total.place for total in here)]


def _card_points(played: Round) -> dict[int, int | None]:
    """What each of those who played had in their pile, where it was counted."""
    return {
        player: seat["card_points"]
        for player, seat in zip(played.players, played.result["seats"], strict=True)
    }
