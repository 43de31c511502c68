"""The pages of one seat: a player's own pile, and the yes or no to a round that waits for it.

Like `web`, whose blueprint these pages belong to. A pile is keyed with the form of a round, of
which the page shows one player; it is checked as soon as it is there, and booked with the round.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from flask import abort, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import ledger
from scorekeeper.cookies import read_cookie
from scorekeeper.filling import blank_round
from scorekeeper.forms import Bare
from scorekeeper.gather import Gathered, pile_ways
from scorekeeper.ledger import Book, NoPile, Person, Role
from scorekeeper.live import part, part_wanted
from scorekeeper.round_form import RoundForm, claims, round_form
from scorekeeper.rules import RuleError
from scorekeeper.rules.document import read, whole_number
from scorekeeper.rules.sentence import say
from scorekeeper.web import (
    gather,
    known_device,
    opened,
    page,
    seats_in,
    this_device,
    web,
)

__all__ = ["confirmed", "web"]


# --- A pile -------------------------------------------------------------------------------------


@web.route("/s/<series_id>/pile", methods=["GET", "POST"])
def pile(series_id: str) -> AnyResponse | str:
    """Keys the pile of one player, this phone's own unless another is chosen.

    What waits on a phone is sent as a round is that waits there, see `web`: it is told by a part of
    the page whether it can be put in, and by 201 and an address with "keyed" that it is.
    """
    live = part_wanted()
    if request.method == "GET" and live:
        own = request.args.get("player", type=int)
        return part(series_id, read_cookie("device"), pending=partial(seats_in, own=own))
    book, role = opened(series_id, Role.ENTER)
    gathered = gather(book, ledger.pending(book.id))
    mine = ledger.claims(book.id).now(this_device())
    person = _person(book, mine)
    if person is None:
        if request.method == "POST":
            abort(400)
        return page("pile.html", book, role, gathered=gathered, person=None, mine=mine)
    form = _pile_form(gathered, person)
    if request.method == "POST" and form.validate() and "use" not in request.form:
        try:
            if (done := _done(gathered, form, person)) is not None:
                if live:
                    done.status_code = 201
                return done
        except RuleError as refusal:
            form.refuse(refusal)
            book = ledger.read(book.id)
            gathered = gather(book, ledger.pending(book.id))
            # What was typed for a round that others recorded meanwhile is kept for the next one.
            form.number.data = str(book.next_number)
    if live:
        shown = page("_heard.html", book, role, form=form)
        return make_response(shown, 422 if "save" in request.form else 200)
    ways = _ways(gathered, person)
    return page(
        "pile.html",
        book,
        role,
        gathered=gathered,
        person=person,
        wrong=form.faults,
        own=person.id,
        mine=mine,
        form=form,
        ways=ways,
        claims=claims,
        this=this_device(),
    )


def _person(book: Book, mine: int | None) -> Person | None:
    """Whose pile is asked for, the phone's own where nobody is named; None where that is nobody."""
    asked = request.values.get("player")
    person = book.person(whole_number(asked) or 0 if asked else mine or 0)
    if person is None or (person.left and request.method == "GET"):
        return None
    # Of somebody who left while it was keyed, the ledger says so.
    return person


def _ways(gathered: Gathered, person: Person) -> list[str]:
    """The ways in which a pile may be keyed: that of the others, where there are any."""
    keyed = {seat.pile.form for seat in gathered.seats if seat.pile and seat.person != person}
    return [way for way in pile_ways(gathered.game) if way in keyed or not keyed]


def _pile_form(gathered: Gathered, person: Person) -> RoundForm:
    """The form of a round of this player alone, as it was keyed so far."""
    book, game = gathered.book, gathered.game
    keyed = gathered.there.piles.get(person.id)
    data = blank_round(book, game, [person])
    if keyed:
        data |= {"form": keyed.form, f"p{person.id}": keyed.fields["seat"]}
        for owned in ("card", "hand"):
            data[owned] = dict.fromkeys(keyed.fields[owned], str(person.id))
    form = round_form(game, [person], data)
    ways = _ways(gathered, person)
    if (wanted := request.values.get("use")) in ways:
        form.form.data = wanted
    elif form.form.data not in (pile_ways(game) if request.method == "POST" else ways):
        form.form.data = ways[0]
    return form


def _done(gathered: Gathered, form: RoundForm, person: Person) -> AnyResponse | None:
    """Does what the button says, None where it only asks whether it could; raises RuleError."""
    book = gathered.book
    number = whole_number(form.number.data) or book.next_number
    device, _ = known_device()
    here = url_for(".pile", series_id=book.id, player=person.id)
    board = url_for(".series", series_id=book.id, _anchor="seats")
    if "begin" in request.form:
        going = request.form["begin"] == "1"
        ledger.begin_pile(book.id, number, person.id, by=device, going=going)
        return AnyResponse(status=204)
    if "choose" in request.form:
        with suppress(NoPile):  # a tap that arrived twice, or somebody else's
            chosen = request.form.get("choose", 0, type=int)
            ledger.choose_pile(book.id, number, person.id, chosen)
        return redirect(board)
    if "drop" in request.form:
        with suppress(NoPile):
            ledger.drop_pile(book.id, number, person.id, by=device)
        return redirect(here)
    way, given, said = str(form.form.data), form.given(person), form.said_of(person)
    if way not in said:
        raise RuleError("not_a_round", say("What is in this pile?"), 0, way)
    # Whatever the others have, this has to be a pile.
    seats = [{**said, "name": person.name}, *({} for _ in gathered.seated[1:])]
    read({"game": book.game, "rules": dict(book.rules), "seats": seats})
    if "save" not in request.form:
        ledger.check_pile(book.id, number, person.id, way)
        return None
    counts = ledger.key_pile(book.id, number, person.id, way, given, said, by=device)
    if counts:
        return redirect(url_for(".series", series_id=book.id, keyed=1, _anchor="seats"))
    return redirect(url_for(".pile", series_id=book.id, player=person.id, keyed=1))


# --- A round that waits ---------------------------------------------------------------------------


@web.route("/s/<series_id>/proposal", methods=["GET", "POST"])
def proposal(series_id: str) -> AnyResponse | str:
    """The round that waits for a yes, and the answers to it."""
    if request.method == "GET" and part_wanted():
        return part(series_id, read_cookie("device"), pending=_waiting)
    book, role = opened(series_id, Role.ENTER if request.method == "POST" else Role.VIEW)
    form = Bare()
    if form.validate_on_submit():
        try:
            return _answered(book)
        except RuleError as refusal:
            form.refuse(refusal)
            book = ledger.read(book.id)
    gathered = gather(book, ledger.pending(book.id))
    values = {"gathered": gathered, "wrong": form.faults, "this": this_device()}
    return page("proposal.html", book, role, **values)


def _waiting(book: Book, role: Role, there: ledger.Pending) -> str:
    return page("_proposal.html", book, role, gathered=gather(book, there))


def _answered(book: Book) -> AnyResponse:
    """Does what the button says; raises RuleError."""
    seen = request.form.get("seen", 0, type=int)
    if request.form.get("answer") == "yes":
        return confirmed(book, seen)
    device, _ = known_device()
    mine = ledger.pending(book.id).waiting
    ledger.give_back(book.id, seen, by=device, word=request.form.get("word"))
    if mine is not None and mine.device == device:
        return redirect(url_for(".enter", series_id=book.id))
    return redirect(url_for(".series", series_id=book.id))


def confirmed(book: Book, change: int, kept: str | None = None) -> AnyResponse:
    """Says yes to the round that waits, seen as `change`; raises RuleError.

    It stands in place of what this phone typed of that round; `kept` is where the draft was.
    """
    device, _ = known_device()
    number = ledger.confirm(book.id, change, by=device).round.number
    ledger.drop_returned(book.id, number, by=device)
    return redirect(url_for(".series", series_id=book.id, saved=number, kept=kept))
