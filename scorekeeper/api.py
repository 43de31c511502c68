"""The verbs of the ledger as JSON, under /api/v1.

There are no accounts: the secret of a link is the key, in the header `Authorization: Bearer`.
Nothing else is asked, a cookie least of all. Every refusal is an object with "error" in it, see
"Refusals" in the contract.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import (
    Forbidden,
    HTTPException,
    MethodNotAllowed,
    NotFound,
    PreconditionRequired,
    Unauthorized,
)

from scorekeeper import ledger
from scorekeeper.ledger import AlreadyRecorded, Book, Role, Round, Stale, UnknownRound, written
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.sentence import Translator, say
from scorekeeper.share import link
from scorekeeper.words import accepted_language, translator

api = Blueprint("api", __name__, url_prefix="/api/v1")

PAGE = 50  # rounds in one answer

# What is wrong with a request, whatever it asked for: its code, and the sentence for it.
_REFUSALS = {
    401: ("no_secret", say("Send the secret of a link: “Authorization: Bearer SECRET”.")),
    403: ("not_allowed", say("This link does not let you do that.")),
    404: ("not_found", say("There is nothing here.")),
    405: ("wrong_method", say("That cannot be done here.")),
    413: ("too_large", say("That is too much at once: a request has at most 64 KiB.")),
    428: ("no_revision", say("Say in the header If-Match which revision you are correcting.")),
}
_FAILED = ("failed", say("That did not work."))


# --- Calls ----------------------------------------------------------------------------------------


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
    if isinstance(length, bool) or not isinstance(length, int | None):
        raise RuleError("not_a_series", say("The number of rounds is a number."), field="rounds")
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
    if request.if_none_match.contains(f"{version}-{reader}"):
        answer = Response(status=304)
    else:
        book = ledger.read(series_id)
        version = book.version
        answer = jsonify({**_series(book, before), "role": role})
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
    return jsonify(_round(ledger.read(series_id), done.round)), 200 if done.repeated else 201


@api.put("/series/<series_id>/rounds/<int:number>")
def correct_round(series_id: str, number: int) -> Response:
    """Corrects a round of which the sender has seen the revision in If-Match."""
    _role(series_id, Role.ENTER)
    if "If-Match" not in request.headers:
        raise PreconditionRequired
    done = ledger.correct(series_id, number, _body("not_a_round"), revision=_revision())
    book, to = ledger.read(series_id), _translator()
    return jsonify(
        {
            **_round(book, done.round),
            "resettled": [_round(book, later) for later in done.resettled],
            "warning": " ".join(warning.render(to) for warning in done.warnings) or None,
        }
    )


# --- What was asked, and by whom ------------------------------------------------------------------


def _role(series_id: str, needed: Role) -> Role:
    """The role that the sender's secret gives in this series, if it is enough.

    An unknown secret, a revoked one and one of another series are told alike: nothing is here.
    """
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Unauthorized(www_authenticate=WWWAuthenticate("bearer"))
    found = ledger.find_secret(secret.strip())
    if found is None or found[0] != series_id:
        raise NotFound
    if not found[1].allows(needed):
        raise Forbidden
    return found[1]


def _body(code: str) -> Any:
    """The JSON that was sent; raises RuleError with this code where it is none."""
    try:
        return json.loads(request.get_data(), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        raise RuleError(code, say("This is not JSON.")) from None


def _finite(text: str) -> float:
    """A number as JSON has them: Python would also read NaN and 1e999."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _before() -> int | None:
    """The number of the round before which to answer rounds, None for the newest."""
    text = request.args.get("before")
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise RuleError("bad_number", say("“before” is the number of a round."), field="before")
    return int(text)


def _revision() -> int:
    """The revision in If-Match; 0, which no round ever has, where it is none."""
    found = re.fullmatch(r'"?([0-9]{1,9})"?', request.headers["If-Match"].strip())
    return int(found[1]) if found else 0


def _translator() -> Translator:
    return translator(accepted_language())


# --- What is answered -----------------------------------------------------------------------------


def _series(book: Book, before: int | None) -> dict[str, Any]:
    """The series, with the newest rounds before a number; rounds are in the order of play."""
    rounds = [played for played in book.rounds if before is None or played.number < before]
    return {
        "id": book.id,
        "game": book.game,
        "rules": book.house_rules,
        "length": book.length,
        "state": book.state,
        "players": [vars(person) for person in book.players],
        "rounds": [_round(book, played) for played in rounds[-PAGE:]],
        "totals": [vars(total) for total in book.totals],
        "next_dealer": book.next_dealer,
        "carry": book.carry,
        "version": book.version,
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


@api.errorhandler(RuleError)
def _refused_by_rules(error: RuleError) -> tuple[Response, int]:
    body = error.as_dict(_translator())
    if not isinstance(error, AlreadyRecorded | Stale):
        return jsonify(body), 422
    assert request.view_args is not None
    book = ledger.read(request.view_args["series_id"])
    body["round"] = _round(book, error.round)
    return jsonify(body), 409 if isinstance(error, AlreadyRecorded) else 412


@api.errorhandler(UnknownRound)
def _unknown_round(error: UnknownRound) -> Response:
    return _refused(NotFound())


@api.errorhandler(HTTPException)
def _refused(error: HTTPException) -> Response:
    """Any other refusal, with the headers that belong to it."""
    code, sentence = _REFUSALS.get(error.code or 500, _FAILED)
    answer = jsonify(RuleError(code, sentence).as_dict(_translator()))
    answer.status_code = error.code or 500
    answer.headers.extend(
        (name, value) for name, value in error.get_headers() if name != "Content-Type"
    )
    return answer


@api.before_app_request
def _no_such_call() -> Response | None:
    """Answers for addresses below /api/ that no call of this blueprint has."""
    error = request.routing_exception
    if request.path.startswith("/api/") and isinstance(error, NotFound | MethodNotAllowed):
        return _refused(error)
    return None
