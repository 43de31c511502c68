"""The pages by which phones come in, say whose they are, and are put out again.

Like `web`, whose blueprint these pages belong to. Opening a page never lets anybody in: messengers
open links to preview them. Joining is a button.
"""

from __future__ import annotations

from contextlib import suppress

from flask import abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import ledger
from scorekeeper.forms import Bare, JoinForm, NameForm
from scorekeeper.ledger import Book, Role, TooManyTries, UnknownPhone, UnknownPlayer
from scorekeeper.rules import RuleError
from scorekeeper.rules.document import whole_number
from scorekeeper.rules.sentence import say
from scorekeeper.share import address, code, link, only_here
from scorekeeper.web import known_device, opened, page, this_device, web

__all__ = ["web"]


# --- Coming in ----------------------------------------------------------------------------------


@web.route("/j", methods=["GET", "POST"])
def join() -> AnyResponse | str:
    """Lets this phone into a series; opening the page alone changes nothing."""
    form = JoinForm()
    wait = 0
    if form.validate_on_submit():
        try:
            secret = ledger.recognise(form.secret, request.remote_addr or "")
            if secret is not None and (answer := _join(secret)) is not None:
                return answer
            nothing = say("This opens nothing here. Scan the code again, or ask for a new one.")
            form.hang(nothing, form.link)
        except TooManyTries as refused:
            form.hang(refused.sentence, form.link)
            wait = refused.wait
    shown = make_response(render_template("join.html", form=form, wrong=form.faults))
    if wait:
        shown.status_code = 429
        shown.headers["Retry-After"] = str(wait)
    return shown


def _join(secret: str) -> AnyResponse | None:
    """Joins by a secret and leads on; None where it was taken back at this moment."""
    if ledger.find_secret(secret) is None:
        return None
    device, remember = known_device()
    joined = ledger.join(device, secret)
    if joined is None:
        return None
    series_id, role = joined
    asks = role.allows(Role.ENTER) and not ledger.claims(series_id).asked(device)
    return remember(redirect(url_for(".who" if asks else ".series", series_id=series_id)))


@web.route("/s/<series_id>/who", methods=["GET", "POST"])
def who(series_id: str) -> AnyResponse | str:
    """Asks whose this phone is: a player's, somebody's who is new, or nobody's who plays."""
    book, role = opened(series_id, Role.ENTER)
    form = NameForm()
    if form.validate_on_submit():
        try:
            player = _chosen(book, form)
            ledger.claim(book.id, this_device() or 0, player)
            # Whoever was asked beside the codes is not done with them.
            back = ".share" if "share" in request.form else ".series"
            return redirect(url_for(back, series_id=book.id))
        except RuleError as refusal:
            form.refuse(refusal)
        except UnknownPlayer:
            form.hang(say("Choose one of the names, or write a new one."))
    claims = ledger.claims(book.id)
    values = {"mine": claims.now(this_device()), "taken": claims.players}
    return page("who.html", book, role, form=form, wrong=form.faults, **values)


def _chosen(book: Book, form: NameForm) -> int | None:
    """The player that was chosen, None for nobody; a new name makes a new player."""
    chosen = request.form.get("player")
    if chosen is None:
        return ledger.add_player(book.id, form.name.data, by=this_device()).id
    if chosen == "nobody":
        return None
    return whole_number(chosen) or 0


# --- Letting others in --------------------------------------------------------------------------


@web.get("/s/<series_id>/share")
def share(series_id: str) -> str:
    """The codes that let other phones in: of this phone's own role, and of weaker ones."""
    book, role = opened(series_id, Role.VIEW)
    roles = [one for one in Role if role.allows(one)]
    links = {one: link(ledger.secret_for(series_id, one)) for one in roles}
    typed = {one: found for one, found in ledger.shown_codes(series_id).items() if one in roles}
    return page(
        "share.html",
        book,
        role,
        links=links,
        code=code,
        only_here=only_here,
        typed=typed,
        short=ledger.SHORT,
        place=f"{address()}/j",
        generations=ledger.generations(series_id),
        asked=ledger.claims(series_id).asked(this_device()),
    )


@web.post("/s/<series_id>/codes/<role>")
def show_code(series_id: str, role: str) -> AnyResponse:
    """Makes a short code to type, which the share page then shows for ten minutes."""
    wanted = _role(role)
    _, own = opened(series_id, Role.VIEW)
    if wanted not in ledger.SHORT or not own.allows(wanted):
        abort(404)
    if Bare().validate():
        ledger.new_code(series_id, wanted)
    return redirect(url_for(".share", series_id=series_id, _anchor=wanted))


# --- Putting out --------------------------------------------------------------------------------


@web.post("/s/<series_id>/secrets/<role>")
def take_back(series_id: str, role: str) -> AnyResponse:
    """Takes a code back: a new one is made, and whoever came by the old one is out."""
    wanted = _role(role)
    opened(series_id, Role.MANAGE)
    if Bare().validate():
        seen = request.form.get("generation", 0, type=int)
        ledger.rotate(series_id, wanted, seen=seen, by=this_device())
    return redirect(url_for(".share", series_id=series_id, _anchor=wanted))


@web.get("/s/<series_id>/phones")
def phones(series_id: str) -> str:
    """The phones that may open a series."""
    book, role = opened(series_id, Role.MANAGE)
    held = ledger.phones_of(series_id)
    whose = ledger.claims(series_id)
    return page("phones.html", book, role, phones=held, claims=whose, this=this_device())


@web.post("/s/<series_id>/phones/<int:device>/out")
def put_out(series_id: str, device: int) -> AnyResponse:
    """Puts one phone out; not the one that asks, or nobody might be left to let it in."""
    opened(series_id, Role.MANAGE)
    if device == this_device():
        abort(400)
    if Bare().validate():
        with suppress(UnknownPhone):  # a tap that arrived twice, or somebody else's
            ledger.remove(series_id, device, by=this_device())
    return redirect(url_for(".phones", series_id=series_id))


def _role(name: str) -> Role:
    """The role with this name, 404 for none."""
    return Role(name) if name in list(Role) else abort(404)
