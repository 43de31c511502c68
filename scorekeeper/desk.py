"""The pages beside the scoreboard: what was done, who plays, by which rules, and how to take back.

Like `web`, whose blueprint these pages belong to: they look up, ask the ledger, and show.
"""

from __future__ import annotations

from typing import Any

from flask import abort, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import ledger
from scorekeeper.conflict import Meanwhile, Met, show
from scorekeeper.forms import (
    Bare,
    LengthForm,
    NameForm,
    PersonForm,
    WithdrawForm,
    length_form,
    rules_form,
)
from scorekeeper.ledger import Book, Line, Role, Stale, UnknownPlayer, UnknownRound
from scorekeeper.rules import RuleError
from scorekeeper.rules.compare import at_issue, compare
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sheet import sheet
from scorekeeper.spreadsheet import scores
from scorekeeper.web import opened, page, plain_page, this_device, web
from scorekeeper.words import language, translator

__all__ = ["web"]

# --- The scores, to take along ------------------------------------------------------------------


@web.get("/s/<series_id>/scores.csv")
def spreadsheet(series_id: str) -> AnyResponse:
    """The scoreboard as a file for a spreadsheet."""
    book, _ = opened(series_id, Role.VIEW)
    answer = make_response(scores(book, translator(language())))
    answer.mimetype = "text/csv"
    name = f"{book.game}-{book.created_at:%Y-%m-%d}.csv"
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer


# --- Rules --------------------------------------------------------------------------------------


@web.get("/rules/<key>")
def game_sheet(key: str) -> str:
    """The rule sheet of a game as it is usually played."""
    game = GAMES.get(key) or abort(404)
    return plain_page("sheet.html", game=game, sheet=sheet(game, {}), book=None)


@web.get("/s/<series_id>/rules")
def table_sheet(series_id: str) -> str:
    """The rule sheet of this table."""
    book, role = opened(series_id, Role.VIEW)
    rules = sheet(GAMES[book.game], book.house_rules, book.ruled_since)
    return page("sheet.html", book, role, sheet=rules)


@web.get("/s/<series_id>/rounds/<int:number>/otherwise")
def otherwise(series_id: str, number: int) -> str:
    """What a round would have paid under the other settlements of its game."""
    book, role = opened(series_id, Role.VIEW)
    played = book.round(number) or abort(404)
    try:
        others = [] if played.void else compare(book.named(played.entry))
    except RuleError:
        others = []
    booked = {key: played.rules[key] for key in at_issue(GAMES[book.game], others)}
    return page("otherwise.html", book, role, played=played, others=others, booked=booked)


# --- What was done, and taking it back ----------------------------------------------------------


@web.get("/s/<series_id>/history")
def history(series_id: str) -> str:
    """Every event of a series in words, the newest first."""
    book, role = opened(series_id, Role.VIEW)
    before = request.args.get("before", type=int)
    lines = ledger.history(book.id, before=before)
    return page("history.html", book, role, lines=lines, more=_more(lines))


@web.post("/s/<series_id>/undo/<int:event>")
def undo(series_id: str, event: int) -> AnyResponse | str:
    """Takes the last action back, or does again what was taken back."""
    book, role = opened(series_id, Role.ENTER)
    lines = ledger.history(book.id, before=event + 1, limit=1)
    if not lines or lines[0].number != event:
        abort(404)
    if not role.allows(lines[0].needs):
        abort(403)
    form = Bare()
    if form.validate():
        try:
            ledger.undo(book.id, event, by=this_device())
            return redirect(url_for(".history", series_id=book.id))
        except RuleError as refusal:
            (last,) = ledger.history(book.id, limit=1)
            if (last.undoes, last.by) == (event, this_device()):  # the second of two taps
                return redirect(url_for(".history", series_id=book.id))
            form.refuse(refusal)
    # Where it is not the last action any more, what was done since is above it.
    book, lines = ledger.read(book.id), ledger.history(book.id)
    return page("history.html", book, role, lines=lines, more=_more(lines), wrong=form.faults)


def _more(lines: list[Line]) -> bool:
    """Whether there is anything before these events."""
    return bool(lines) and lines[-1].number > 1


@web.route("/s/<series_id>/rounds/<int:number>/withdraw", methods=["GET", "POST"])
def withdraw(series_id: str, number: int) -> AnyResponse | str:
    """Withdraws the last round, once it was seen what follows from that."""
    book, role = opened(series_id, Role.ENTER)
    if number not in book.revisions:
        abort(404)
    form, seen = WithdrawForm(), request.form.get("revision", 0, type=int)
    late, follow, conflict = False, None, None
    if form.validate_on_submit():
        try:
            ledger.withdraw(
                book.id, number, revision=seen, reason=form.reason.data, by=this_device()
            )
            return redirect(url_for(".series", series_id=book.id, withdrawn=number))
        except (Stale, UnknownRound):
            late, book = True, ledger.read(book.id)
        except RuleError as refusal:
            form.refuse(refusal)
    current = book.round(number)
    if late or current is None:
        # Somebody was faster: what there is now is shown, and asked about again.
        done = Meanwhile.CORRECTED if current else Meanwhile.WITHDRAWN
        met = Met(done, number, current, seen)
        conflict = show(book, met, None, this_device(), role)
        form.hang(conflict.sentence)
    try:
        follow = ledger.follows(book, number, None) if current else None
    except RuleError as refusal:
        if not form.faults:  # or it was said already
            form.refuse(refusal)
    values = {"form": form, "follow": follow, "conflict": conflict, "wrong": form.faults}
    return page("withdraw.html", book, role, number=number, **values)


# --- Managing -----------------------------------------------------------------------------------


@web.get("/s/<series_id>/manage")
def manage(series_id: str) -> str:
    """Players, length, house rules, and the end of a series; and what was just done there."""
    book, role = opened(series_id, Role.ENTER)
    done = request.args.get("done", 0, type=int)
    last = ledger.history(book.id, before=done + 1, limit=1) if 0 < done <= book.version else []
    left = book.person(request.args.get("player", 0, type=int)) if last else None
    return _manage(book, role, done=last[0] if last else None, left=left)


def _manage(book: Book, role: Role, **values: Any) -> str:
    game = GAMES[book.game]
    forms = {
        "naming": NameForm(formdata=None),
        "length": length_form(book.length, formdata=None),
        "rules": rules_form(game, book.rules, formdata=None),
    }
    return page("manage.html", book, role, **{**forms, **values})


def _changed(
    series_id: str, needed: Role, form: Any, name: str, change: Any, player: int | None = None
) -> AnyResponse | str:
    """Makes a change and says so on the page; a refusal keeps what was typed."""
    book, role = opened(series_id, needed)
    if form.validate():
        try:
            change(book)
            version = ledger.read(book.id).version
            done = version if version > book.version else None
            whose = player if done else None
            return redirect(url_for(".manage", series_id=book.id, done=done, player=whose))
        except RuleError as refusal:
            form.refuse(refusal)
        except UnknownPlayer:
            abort(404)
    return _manage(book, role, wrong=form.faults, **{name: form})


@web.post("/s/<series_id>/players")
def add_player(series_id: str) -> AnyResponse | str:
    """Somebody joins, from the next round on."""
    form = NameForm()

    def change(book: Book) -> None:
        ledger.add_player(book.id, form.name.data, by=this_device())

    return _changed(series_id, Role.ENTER, form, "naming", change)


@web.post("/s/<series_id>/players/<int:player>")
def change_player(series_id: str, player: int) -> AnyResponse | str:
    """Renames somebody, lets them leave, or come back."""
    form = PersonForm(player)

    def change(book: Book) -> None:
        name = form.name.data if form.name.raw_data else ledger.KEEP
        ledger.change_player(book.id, player, name=name, left=form.gone, by=this_device())

    return _changed(series_id, Role.ENTER, form, "person_form", change, player)


@web.post("/s/<series_id>/state")
def change_state(series_id: str) -> AnyResponse | str:
    """Finishes a series, or opens it again, with another length where one is given with that."""
    book, role = opened(series_id, Role.MANAGE)
    form = LengthForm() if "length" in request.form else Bare()
    if form.validate():
        try:
            length = form.rounds() if isinstance(form, LengthForm) else book.length
            ledger.change_series(
                book.id,
                state=request.form.get("state"),
                # As long as it was is never too short, whatever was played after its end.
                length=ledger.KEEP if length == book.length else length,
                by=this_device(),
            )
            # How it ended stands there, and where it goes on.
            return redirect(url_for(".series", series_id=book.id))
        except RuleError as refusal:
            form.refuse(refusal)
    typed = {"length": form} if isinstance(form, LengthForm) else {}
    return _manage(book, role, wrong=form.faults, **typed)


@web.post("/s/<series_id>/confirm")
def change_confirm(series_id: str) -> AnyResponse | str:
    """Lets rounds wait for the yes of another phone, or count at once."""
    wanted = {"yes": True, "no": False}.get(request.form.get("confirm", ""))

    def change(book: Book) -> None:
        ledger.change_series(book.id, confirm=wanted, by=this_device())

    return _changed(series_id, Role.MANAGE, Bare(), "bare_form", change)


@web.post("/s/<series_id>/length")
def change_length(series_id: str) -> AnyResponse | str:
    """Gives a series another number of rounds."""
    form = LengthForm()

    def change(book: Book) -> None:
        ledger.change_series(book.id, length=form.rounds(), by=this_device())

    return _changed(series_id, Role.MANAGE, form, "length", change)


@web.post("/s/<series_id>/rules")
def change_rules(series_id: str) -> AnyResponse | str:
    """Gives a series other house rules, from the next round on.

    Where it would count in a second unit from then on, that is said first.
    """
    book, role = opened(series_id, Role.MANAGE)
    game = GAMES[book.game]
    form = rules_form(game, book.rules)
    changes, seen = {}, form.seen
    if form.validate():
        changes = form.changes
        form.follow()
        if book.units and not book.finished:
            unit = game.under(form.rules).unit
            if unit not in book.units and request.form.get("unit") != unit:
                return _manage(book, role, rules=form, second=unit)

    def change(book: Book) -> None:
        ledger.change_series(book.id, rules=changes, seen=seen, by=this_device())

    return _changed(series_id, Role.MANAGE, form, "rules", change)
