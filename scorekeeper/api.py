"""The verbs of the ledger as JSON, under /api/v1.

There are no accounts: the secret of a link is the key, in the header `Authorization: Bearer`.
Nothing else is asked, a cookie least of all but by the one call that a browser cannot make
otherwise: the stream of events. Every refusal is an object with "error" in it, see
"Refusals" in the contract.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import (
    BadHost,
    Forbidden,
    HTTPException,
    MethodNotAllowed,
    NotFound,
    PreconditionRequired,
    Unauthorized,
)

from scorekeeper import ledger
from scorekeeper.cookies import read_cookie
from scorekeeper.ledger import (
    KEEP,
    AlreadyRecorded,
    Book,
    Line,
    Role,
    Round,
    Stale,
    UnknownPlayer,
    UnknownRound,
    written,
)
from scorekeeper.live import stream
from scorekeeper.openapi import described
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.sentence import Translator, say
from scorekeeper.share import FromElsewhere, address, from_elsewhere, has_host, link
from scorekeeper.words import accepted_language, translator

api = Blueprint("api", __name__, url_prefix="/api/v1")

PAGE = 50  # rounds, or events, in one answer
DEEPEST = 20  # levels of lists and objects in a request; a round has five

# What is wrong with a request, whatever it asked for: its code, and the sentence for it.
_REFUSALS = {
    400: ("bad_request", say("That request cannot be read.")),
    401: ("no_secret", say("Send the secret of a link: “Authorization: Bearer SECRET”.")),
    403: ("not_allowed", say("This link does not let you do that.")),
    404: ("not_found", say("There is nothing here.")),
    405: ("wrong_method", say("That cannot be done here.")),
    411: ("no_length", say("Say in the header Content-Length how much it is.")),
    413: ("too_large", say("That is too much at once: a request has at most 64 KiB.")),
    428: ("no_revision", say("Say in the header If-Match which revision you have seen.")),
    503: ("too_many", say("Too many phones are listening: ask again from time to time.")),
}
_NO_HOST = ("no_host", say("The header Host is no address."))
_ELSEWHERE = ("from_elsewhere", say("Another site sent this; it is not taken."))
_FAILED = ("failed", say("That did not work."))

# What the rules refuse is 422, but for what is refused because of what others did meanwhile.
_CONFLICTS = {
    "already_recorded": 409,
    "damaged": 409,
    "needs_confirmation": 409,
    "not_last": 409,
    "finished": 409,
    "stale": 412,
}


# --- Calls ----------------------------------------------------------------------------------------


@api.get("/openapi.json")
def describe() -> Response:
    """What there is here, for programs."""
    return jsonify(described(address()))


@api.post("/settle")
def settle_round() -> Response:
    """Settles a round that belongs to no series."""
    return jsonify(settle(_body("not_a_round"), _translator()))


@api.post("/series")
def start_series() -> tuple[Response, int]:
    """Starts a series, and answers the three secrets that open it."""
    form = _body("not_a_series")
    match form:
        case {"game": str(game), "players": list(names)}:
            rules, length = form.get("rules", {}), form.get("rounds")
        case _:
            raise RuleError("not_a_series", say("A series has a “game” and a list of “players”."))
    if not isinstance(rules, Mapping):
        raise RuleError("not_a_series", say("House rules are a JSON object."), field="rules")
    _check_whole(length, "rounds")
    series_id = ledger.start(game, rules, names, length=length)
    secrets = {role: ledger.secret_for(series_id, role) for role in reversed(Role)}
    links = {role: link(secret) for role, secret in secrets.items()}
    return jsonify(id=series_id, secrets=secrets, links=links), 201


@api.get("/series/<series_id>")
def show_series(series_id: str) -> Response:
    """The series as it stands, with the newest rounds, or the newest before a given one."""
    role = _role(series_id, Role.VIEW)
    before = _before()
    reader = f"{role}-{accepted_language()}"
    # Phones ask again and again whether anything changed: the version alone answers that.
    version = ledger.version_of(series_id)
    if request.if_none_match.contains_weak(f"{version}-{reader}"):
        answer = Response(status=304)
    else:
        book = ledger.read(series_id)
        version = book.version
        answer = jsonify(_series(book, role, before))
    answer.set_etag(f"{version}-{reader}")
    answer.vary.update(("Authorization", "Accept-Language"))
    answer.cache_control.private = True
    answer.cache_control.no_cache = True
    return answer


@api.post("/series/<series_id>/rounds")
def record_round(series_id: str) -> tuple[Response, int]:
    """Records the next round; a repetition under the same key answers the first result."""
    _role(series_id, Role.ENTER)
    done = ledger.record(
        series_id, _body("not_a_round"), key=request.headers.get("Idempotency-Key")
    )
    return jsonify(_round(done.book, done.round)), 200 if done.repeated else 201


@api.put("/series/<series_id>/rounds/<int:number>")
def correct_round(series_id: str, number: int) -> Response:
    """Corrects a round of which the sender has seen the revision in If-Match.

    A repetition under the same key answers the first result.
    """
    _role(series_id, Role.ENTER)
    revision, document = _revision(), _body("not_a_round")
    reason = None
    if isinstance(document, dict):
        reason = document.pop("reason", None)
        _check_number(document, number)
    key = request.headers.get("Idempotency-Key")
    done = ledger.correct(series_id, number, document, revision=revision, reason=reason, key=key)
    book, to = ledger.read(series_id), _translator()
    return jsonify(
        {
            **_round(book, done.round),
            "resettled": [_round(book, later) for later in done.resettled],
            "warning": " ".join(warning.render(to) for warning in done.warnings) or None,
        }
    )


@api.delete("/series/<series_id>/rounds/<int:number>")
def withdraw_round(series_id: str, number: int) -> Response:
    """Withdraws the last round, of which the sender has seen the revision in If-Match."""
    _role(series_id, Role.ENTER)
    withdrawn = ledger.withdraw(series_id, number, revision=_revision())
    return jsonify({**_round(ledger.read(series_id), withdrawn), "withdrawn": True})


@api.patch("/series/<series_id>")
def change_series(series_id: str) -> Response:
    """Finishes or reopens the series, changes its length and rules, and whether rounds wait."""
    role = _role(series_id, Role.MANAGE)
    form = _fields("not_a_series", "state", "rules", "length", "confirm")
    rules, length = form.get("rules"), form.get("length", KEEP)
    if not isinstance(rules, Mapping | None):
        raise RuleError("not_a_series", say("House rules are a JSON object."), field="rules")
    if length is not KEEP:
        _check_whole(length, "length")
    confirm = form.get("confirm")
    if not isinstance(confirm, bool | None):
        raise RuleError("not_a_series", say("“confirm” is true or false."), field="confirm")
    try:
        ledger.change_series(
            series_id, state=form.get("state"), rules=rules, length=length, confirm=confirm
        )
    except RuleError as refusal:
        # A series is started with “rounds”, and what is changed then is called its length.
        raise refusal.at(None, "length") if refusal.field == "rounds" else refusal from None
    return jsonify(_series(ledger.read(series_id), role))


@api.post("/series/<series_id>/players")
def add_player(series_id: str) -> tuple[Response, int]:
    """Somebody joins, from the next round on."""
    _role(series_id, Role.ENTER)
    person = ledger.add_player(series_id, _fields("not_a_player", "name")["name"])
    return jsonify(vars(person)), 201


@api.patch("/series/<series_id>/players/<int:player>")
def change_player(series_id: str, player: int) -> Response:
    """Somebody is renamed, leaves, or comes back."""
    _role(series_id, Role.ENTER)
    form = _fields("not_a_player", "name", "left")
    left = form.get("left")
    if not isinstance(left, bool | None):
        raise RuleError("not_a_player", say("“left” is true or false."), field="left")
    name = form.get("name", KEEP)
    return jsonify(vars(ledger.change_player(series_id, player, name=name, left=left)))


@api.post("/series/<series_id>/secrets/<role>")
def renew_secret(series_id: str, role: str) -> tuple[Response, int]:
    """Gives a role another secret; the old one, and who came by it, is out at once."""
    _role(series_id, Role.MANAGE)
    if role not in list(Role):
        raise NotFound
    secret = ledger.rotate(series_id, Role(role))
    return jsonify(role=role, secret=secret, link=link(secret)), 201


@api.get("/series/<series_id>/history")
def show_history(series_id: str) -> Response:
    """The events of the series, the newest first, or the newest before a given one."""
    _role(series_id, Role.VIEW)
    lines = ledger.history(series_id, before=_before(), limit=PAGE)
    return jsonify(events=[_line(line) for line in lines])


@api.get("/series/<series_id>/events")
def listen(series_id: str) -> Response:
    """The version of the series, and again whenever it changes, as server-sent events.

    A browser's event stream cannot send the header, so this call takes the phone's cookie too.
    """
    token = read_cookie("device")
    if token is not None and "Authorization" not in request.headers:
        return stream(series_id, lambda: ledger.sees(token, series_id))
    secret = _secret()

    def look() -> tuple[Role, int, int] | None:
        role = _role_by(secret, series_id)
        return None if role is None else (role, ledger.version_of(series_id), 0)

    return stream(series_id, look)


# --- What was asked, and by whom ------------------------------------------------------------------


def _role(series_id: str, needed: Role) -> Role:
    """The role that the sender's secret gives in this series, if it is enough.

    An unknown secret, a revoked one and one of another series are told alike: nothing is here.
    """
    role = _role_by(_secret(), series_id)
    if role is None:
        raise NotFound
    if not role.allows(needed):
        raise Forbidden
    return role


def _secret() -> str:
    """The secret that was sent."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Unauthorized(www_authenticate=WWWAuthenticate("bearer"))
    return secret.strip()


def _role_by(secret: str, series_id: str) -> Role | None:
    found = ledger.find_secret(secret)
    return found[1] if found is not None and found[0] == series_id else None


def _body(code: str) -> Any:
    """The JSON that was sent; raises RuleError with this code where it is none."""
    try:
        body = json.loads(request.get_data(), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        raise RuleError(code, say("This is not JSON.")) from None
    # What can be read need not be short enough to be written: that takes more of the stack.
    inside = [body]
    for _ in range(DEEPEST):
        inside = [part for one in inside for part in _parts(one)]
    if inside:
        raise RuleError(code, say("This is nested too deeply."))
    return body


def _parts(value: Any) -> Iterable[Any]:
    """What a list or an object of JSON holds."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _fields(code: str, *known: str) -> dict[str, Any]:
    """The JSON object that was sent, with one or more of these fields and no others."""
    form = _body(code)
    if not isinstance(form, dict) or not form or not form.keys() <= set(known):
        fields = [f"“{field}”" for field in known]
        raise RuleError(code, say("What can be sent here is: %(fields)s.", fields=fields))
    return form


def _check_whole(length: object, field: str) -> None:
    """Refuses what is no number of rounds, and not null either."""
    if isinstance(length, bool) or not isinstance(length, int | None):
        raise RuleError("not_a_series", say("The number of rounds is a number."), field=field)


def _check_number(document: Mapping[str, Any], number: int) -> None:
    """Refuses a correction that says that it is of another round than its address does."""
    said = document.get("number", number)
    if type(said) is not int or said != number:
        sentence = say(
            "The address is that of round %(number)s: send that number, or none.", number=number
        )
        raise RuleError("bad_number", sentence, field="number")


def _finite(text: str) -> float:
    """A number as JSON has them: Python would also read NaN and 1e999."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _before() -> int | None:
    """The number before which to answer rounds or events, None for the newest."""
    text = request.args.get("before")
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise RuleError("bad_number", say("“before” is a number of the list."), field="before")
    return int(text)


def _revision() -> int:
    """The revision in If-Match; 0, which no round ever has, where it is none."""
    if "If-Match" not in request.headers:
        raise PreconditionRequired
    found = re.fullmatch(r'"?([0-9]{1,9})"?', request.headers["If-Match"].strip())
    return int(found[1]) if found else 0


def _translator() -> Translator:
    return translator(accepted_language())


# --- What is answered -----------------------------------------------------------------------------


def _series(book: Book, role: Role, before: int | None = None) -> dict[str, Any]:
    """The series, with the newest rounds before a number; rounds are in the order of play."""
    rounds = [played for played in book.rounds if before is None or played.number < before]
    return {
        "id": book.id,
        "game": book.game,
        "rules": book.house_rules,
        "length": book.length,
        "state": book.state,
        "confirm": book.confirm,
        "players": [vars(person) for person in book.players],
        "rounds": [_round(book, played) for played in rounds[-PAGE:]],
        "totals": [vars(total) for total in book.totals],
        "next_dealer": book.next_dealer,
        "carry": book.carry,
        "version": book.version,
        "role": role,
    }


def _round(book: Book, played: Round) -> dict[str, Any]:
    """A round: as it was entered, and with its answer in the reader's language."""
    known = ("game", "rules", "carried")
    return {
        "number": played.number,
        "revision": played.revision,
        "entry": {key: value for key, value in played.entry.items() if key not in known},
        "result": book.answer(played, _translator()),
        "by": played.by,
        "at": written(played.at),
    }


def _line(line: Line) -> dict[str, Any]:
    """An event: what it did in the reader's language, and as before and after."""
    to = _translator()
    return {
        "number": line.number,
        "kind": line.kind,
        "at": written(line.at),
        "by": line.by,
        "player": line.player,
        "text": line.said.render(to),
        "details": [detail.render(to) for detail in line.details],
        "reason": line.reason,
        "before": line.before,
        "after": line.after,
        "undoes": line.undoes,
    }


@api.before_request
def _from_here() -> None:
    """Refuses what another site makes a browser send: it could start series in somebody's home."""
    if from_elsewhere():
        raise FromElsewhere


@api.errorhandler(RuleError)
def _refused_by_rules(error: RuleError) -> tuple[Response, int]:
    body = error.as_dict(_translator())
    if isinstance(error, AlreadyRecorded | Stale):
        assert request.view_args is not None
        body["round"] = _round(ledger.read(request.view_args["series_id"]), error.round)
    return jsonify(body), _CONFLICTS.get(error.code, 422)


@api.errorhandler(UnknownPlayer)
@api.errorhandler(UnknownRound)
def _unknown(error: UnknownPlayer | UnknownRound) -> Response:
    return _refused(NotFound())


@api.errorhandler(HTTPException)
def _refused(error: HTTPException) -> Response:
    """Any other refusal, with the headers that belong to it."""
    code, sentence = _REFUSALS.get(error.code or 500, _FAILED)
    if isinstance(error, BadHost):
        code, sentence = _NO_HOST
    elif isinstance(error, FromElsewhere):
        code, sentence = _ELSEWHERE
    answer = jsonify(RuleError(code, sentence).as_dict(_translator()))
    answer.status_code = error.code or 500
    answer.headers.extend(
        (name, value) for name, value in error.get_headers() if name != "Content-Type"
    )
    return answer


@api.before_app_request
def _no_such_call() -> Response | None:
    """Answers for addresses below /api/ that no call of this blueprint has."""
    error = request.routing_exception if has_host() else BadHost()
    if not request.path.startswith("/api/"):
        return None
    return _refused(error) if isinstance(error, NotFound | MethodNotAllowed | BadHost) else None
