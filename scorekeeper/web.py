"""The pages. They look things up, hand forms to the ledger, and show what comes back: no sums here.

A phone is known by a cookie that says nothing; what it may do in which series is in its grants. A
series that a phone may not open does not exist for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import ledger
from scorekeeper.cookies import YEAR, keep_cookie, read_cookie
from scorekeeper.forms import Bare, SetUpForm, set_up_form
from scorekeeper.gather import Gathered, badge, names_of, seats_of
from scorekeeper.ledger import (
    Book,
    Claims,
    Damaged,
    Pending,
    Person,
    Role,
    UnknownSeries,
)
from scorekeeper.live import part, part_wanted, tag
from scorekeeper.round_form import BOARD, claims
from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import DECK, KIND_KANJI, KIND_READINGS, MONTHS, Cards, Kind
from scorekeeper.rules.document import whole_number
from scorekeeper.rules.game import Game
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.pile import IN_DECK, KINDS
from scorekeeper.rules.sentence import Sentence, Signed, say, shown
from scorekeeper.rules.sheet import stated
from scorekeeper.rules.yaku import CLASSES
from scorekeeper.share import FromElsewhere, from_elsewhere, has_host
from scorekeeper.words import (
    LANGUAGES,
    face,
    gettext_here,
    html,
    language,
    marked,
    ngettext_here,
    translator,
)

web = Blueprint("web", __name__)

EVENINGS = 12  # series on the first page

# What is wrong with a request, for a page of our own.
_ERRORS = {
    403: (
        say("This link lets you look, not write"),
        say("Ask for the link for scoring, and open it on this phone."),
    ),
    404: (
        say("There is nothing here"),
        say("The link may be old, or replaced by a new one. Ask at the table for that."),
    ),
    405: (say("That cannot be done here"), say("Go back and try it from the page itself.")),
    413: (say("That was too much at once"), say("Go back and send less.")),
}
_FAILED = (
    say("That did not work"),
    say("Nothing was changed. Go back and try it once more."),
)


# --- Start ----------------------------------------------------------------------------------------


@web.get("/")
def home() -> str:
    """The games to start, and the newest series this phone is in, or earlier ones."""
    start = max(request.args.get("from", 0, type=int), 0)
    series = ledger.series_of(this_device())
    books = [ledger.read(series_id) for series_id in series[start : start + EVENINGS]]
    earlier = start + EVENINGS if len(series) > start + EVENINGS else None
    return render_template("home.html", games=GAMES, books=books, earlier=earlier)


@web.route("/new/<key>", methods=["GET", "POST"])
def set_up(key: str) -> AnyResponse | str:
    """Starts a series of a game."""
    game = GAMES.get(key) or abort(404)
    form = set_up_form(game, _played_again(game))
    if "more" in request.form:
        form.more_rows()
    elif form.validate_on_submit():
        try:
            return _start(game, form)
        except RuleError as refusal:
            form.refuse(refusal)
    usual = {rule.key: rule.default for rule in game.house_rules if rule.settles}
    return render_template("set_up.html", game=game, form=form, usual=usual, wrong=form.faults)


def _played_again(game: Game) -> Book | None:
    """The series whose people go on with another one, where this phone is in it."""
    asked, device = request.args.get("again"), this_device()
    if asked is None or device is None or ledger.role_of(device, asked) is None:
        return None
    book = ledger.read(asked)
    return book if book.game == game.key else None


def _start(game: Game, form: SetUpForm) -> AnyResponse:
    asked, length, dealer = (game.key, form.rules, form.people), form.rounds(), form.first_dealer()
    # Only a series that can be started makes a phone known, and it is that phone that starts it.
    ledger.check_start(*asked, length=length)
    device, remember = known_device()
    drawn = form.first.data == "draw"
    series_id = ledger.start(*asked, length=length, first_dealer=dealer, drawn=drawn, by=device)
    ledger.join(device, ledger.secret_for(series_id, Role.MANAGE))
    return remember(redirect(url_for(".share", series_id=series_id)))


@web.post("/language")
def choose_language() -> AnyResponse:
    """Remembers the language that somebody chose."""
    answer = redirect(_back())
    chosen = request.form.get("language", "")
    if Bare().validate() and chosen in LANGUAGES:
        keep_cookie(answer, "language", chosen)
    return answer


def _back() -> str:
    """The page of ours that somebody came from."""
    came_from = request.referrer or ""
    here = request.root_url
    return came_from if came_from.startswith(here) else url_for(".home")


# --- A series -----------------------------------------------------------------------------------


@web.get("/s/<series_id>")
def series(series_id: str) -> AnyResponse | str:
    """The scoreboard."""
    if part_wanted():
        board = partial(_scoreboard, "_board.html")
        return part(series_id, read_cookie("device"), pending=board)
    book, role = opened(series_id, Role.VIEW)
    said = {key: request.args.get(key, type=int) for key in ("saved", "withdrawn")}
    there = ledger.pending(book.id)
    return _scoreboard("series.html", book, role, there, this=this_device(), **said)


def _scoreboard(template: str, book: Book, role: Role, there: Pending, **values: Any) -> str:
    gathered = gather(book, there)
    seated = gathered.seated
    values |= {"seated": seated, "seats": len(seated), "claims": claims}
    return page(template, book, role, gathered=gathered, **values)


def gather(book: Book, there: Pending) -> Gathered:
    """What phones gave of the round in progress, seat by seat."""
    game = GAMES[book.game].under(book.rules)
    return Gathered(book, game, seats_of(book, game, seated_in(book, game, None), there), there)


def seats_in(book: Book, role: Role, there: Pending, **values: Any) -> str:
    """The part of a page on which piles are keyed, or put into the form of the round."""
    if not role.allows(Role.ENTER):
        abort(403)
    return page("_seats.html", book, role, gathered=gather(book, there), **values)


@web.get("/s/<series_id>/rounds/<int:number>")
def show_round(series_id: str, number: int) -> AnyResponse | str:
    """A round: the cards, and how it was settled."""
    settled = partial(_settled, number=number)
    if part_wanted():
        return part(series_id, read_cookie("device"), partial(settled, "_round.html"))
    book, role = opened(series_id, Role.VIEW)
    if book.round(number) is None:
        abort(404)
    return settled("round.html", book, role)


def _settled(template: str, book: Book, role: Role, *, number: int) -> str:
    """A round, on a page that may have been opened before it was withdrawn."""
    played = book.round(number)
    names = [book.name_of(player) for player in played.players] if played else []
    values = {
        "result": book.explained(played) if played else None,
        "changed": ledger.changes_of(book.id, number) if played and played.revision > 1 else [],
    }
    return page(template, book, role, number=number, played=played, names=names, **values)


def asked() -> Any:
    """In which shape the form is wanted: a page that keeps a draft asks in the address."""
    return request.form if request.method == "POST" else request.args


def seated_in(book: Book, game: Game, players: Sequence[int] | None) -> list[Person]:
    """Who plays this round: those ticked, else those of the round itself or of the last one."""
    ticked = [whole_number(text) for text in asked().getlist("plays")]
    here = [person for person in book.players if not person.left]
    last = book.rounds[-1].players if book.rounds else []
    # Who has left meanwhile keeps what was typed, and the seat in a round that was recorded.
    for among, wanted in (book.players, ticked), (book.players, players or []), (here, last):
        found = [person for person in among if person.id in wanted]
        if len(found) in game.seats:
            return found
    fits = [count for count in game.seats if count <= len(here)]
    return here[: max(fits, default=len(here))]


# --- Who asks -----------------------------------------------------------------------------------


def this_device() -> int | None:
    """The phone that asks, None where it has never been here."""
    if "device" not in g:
        token = read_cookie("device")
        g.device = ledger.device_by_token(token) if token else None
    found: int | None = g.device
    return found


def known_device() -> tuple[int, Callable[[AnyResponse], AnyResponse]]:
    """The phone that asks, made known if need be, and what gives it its cookie."""
    device = this_device()
    if device is not None:
        return device, lambda answer: answer
    g.device, token = ledger.new_device()

    def remember(answer: AnyResponse) -> AnyResponse:
        keep_cookie(answer, "device", token)
        return answer

    return g.device, remember


def opened(series_id: str, needed: Role) -> tuple[Book, Role]:
    """The book of a series that this phone may open; 404 for any other, 403 for too weak a link."""
    device = this_device()
    role = None if device is None else ledger.role_of(device, series_id)
    if role is None:
        abort(404)
    if not role.allows(needed):
        abort(403)
    try:
        return ledger.read(series_id), role
    except UnknownSeries:
        abort(404)


# --- What every page has ------------------------------------------------------------------------


def page(template: str, book: Book, role: Role, **values: Any) -> str:
    game = GAMES[book.game].under(book.rules)
    values |= {"book": book, "role": role, "game": game, "Role": Role}
    gathered: Gathered | None = values.get("gathered")
    changes = gathered.there.changes if gathered else None
    return render_template(template, tag=tag(book.version, role, changes), **values)


def plain_page(template: str, **values: Any) -> str:
    """A page that belongs to no series."""
    return render_template(template, Role=Role, **values)


def bdi(name: str) -> Markup:
    """A player's name, set apart from the text around it whatever way it is written."""
    return Markup("<bdi>{}</bdi>").format(name)


def moment(at: datetime) -> Markup:
    """When something was, in UTC, which a script makes the phone's own time."""
    told = '<time class="moment" datetime="{}">{:%Y-%m-%d %H:%M} UTC</time>'
    return Markup(told).format(at.isoformat(), at)


def day(at: datetime) -> Markup:
    """On which day something was, like a moment."""
    return Markup('<time class="day" datetime="{}">{:%Y-%m-%d}</time>').format(at.isoformat(), at)


def signed(amount: int) -> str:
    """An amount with its sign, always."""
    return shown(Signed(amount))


def in_words(rules: Mapping[str, Any], game: Game) -> Markup:
    """House rules with their choices, on a page."""
    return html(say("; ")).join(html(one) for one in stated(game, rules))


@web.app_context_processor
def _everywhere() -> dict[str, Any]:
    return {
        "bare": Bare,
        "language": language(),
        "LANGUAGES": LANGUAGES,
        "DECK": DECK,
        "IN_DECK": dict(zip(KINDS, IN_DECK, strict=True)),
        "BOARD": BOARD,
        "MONTHS": MONTHS,
        "KINDS": [(kind, KIND_KANJI[kind], KIND_READINGS[kind]) for kind in Kind],
        "CLASSES": CLASSES,
        "cards": Cards.parse,
    }


def _said(value: Sentence | Any) -> Any:
    """A sentence, or anything of the rules that has a name, on a page."""
    return html(value) if isinstance(value, Sentence) else value.say(translator(language()))


def _phone(device: int, claims: Claims, book: Book, this: int | None = None) -> Sentence:
    """What a phone is called on a page."""
    return claims.called(device, book, this)


@web.record_once
def _teach_templates(state: Any) -> None:
    environment = state.app.jinja_env
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(gettext_here, ngettext_here, newstyle=True)
    environment.filters["said"] = _said
    environment.filters["marked"] = lambda value: marked(value, translator(language()))
    environment.filters["in_words"] = in_words
    environment.filters["signed"] = signed
    environment.filters["bdi"] = bdi
    environment.filters["moment"] = moment
    environment.filters["day"] = day
    environment.filters["called"] = lambda player, book: bdi(book.name_of(player))
    environment.filters["shown"] = shown
    environment.filters["phone"] = _phone
    environment.filters["badge"] = badge
    environment.filters["by_name"] = names_of
    environment.filters["face"] = face
    environment.trim_blocks = environment.lstrip_blocks = True


@web.before_app_request
def _to_somewhere() -> Response | None:
    """Refuses addresses that nothing here can have, before anybody looks for them."""
    if not has_host():
        return Response("The header Host is no address.\n", 400, mimetype="text/plain")
    if "\0" in request.path:  # PostgreSQL does not even look for it
        abort(404)
    if "Transfer-Encoding" in request.headers:
        # Of a body that comes in chunks Werkzeug would cut off silently what is too much. Browsers
        # know how much they send.
        abort(411)
    return None


@web.before_request
def _from_here() -> None:
    """Refuses what another site makes a browser send, whatever token comes with it."""
    if from_elsewhere():
        raise FromElsewhere


@web.after_request
def _remember_forms(answer: Response) -> Response:
    """Lets the token of a form live as long as the phone keeps its cookies."""
    if "csrf_token" in session and not session.permanent:
        session.permanent = True
    return answer


@web.after_app_request
def _guard(answer: Response) -> Response:
    """Nothing inline, nothing from elsewhere, and nothing kept by a cache on the way."""
    headers = answer.headers
    headers.setdefault(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'",
    )
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    if request.endpoint != "static" or answer.status_code >= 400:
        headers.setdefault("Cache-Control", "private, no-cache")
        answer.vary.update(("Cookie", "Accept-Language"))
    if request.is_secure:
        headers.setdefault("Strict-Transport-Security", f"max-age={2 * YEAR}")
    return answer


@web.app_errorhandler(Damaged)
def _damaged(error: Damaged) -> tuple[str, int]:
    """A page of our own where the books of a series take nothing more."""
    template = "_error.html" if part_wanted() else "error.html"
    title = say("Nothing was saved")
    return render_template(template, title=title, hint=error.sentence), 409


@web.app_errorhandler(HTTPException)
def _error(error: HTTPException) -> tuple[Response, int]:
    """A page of our own for whatever went wrong, without a word of the inside."""
    number = error.code or 500
    title, hint = _ERRORS.get(number, _FAILED)
    template = "_error.html" if part_wanted() else "error.html"
    page = make_response(render_template(template, title=title, hint=hint))
    if number == 500:
        current_app.logger.error("A request failed", exc_info=error)
    return page, number
