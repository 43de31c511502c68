"""The JSON API as an OpenAPI document, for programs that want to use it.

Written by hand, and held true by a test: every call is in it, and what the calls answer is what it
says. It is the one text about the API that a copy of the program serves itself.
"""

from __future__ import annotations

from typing import Any

from scorekeeper.rules.games import GAMES

Schema = dict[str, Any]


def described(address: str) -> Schema:
    """The document, in OpenAPI 3.1, for the server at this address."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Scorekeeper",
            "version": "1",
            "summary": "Settles hanafuda rounds, and keeps series of them.",
            "description": (
                "There are no accounts: the secret of a link is the key, sent as "
                "`Authorization: Bearer SECRET`, never in a path or query. Texts come in the "
                "language of `Accept-Language`. A request has at most 64 KiB."
            ),
        },
        "servers": [{"url": address}],
        "security": [{"secret": []}],
        "paths": _PATHS,
        "components": {
            "securitySchemes": {
                "secret": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The secret of a link to manage, to score or to watch.",
                },
                "device": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "device",
                    "description": "The phone's cookie; over https its name is `__Host-device`.",
                },
            },
            "schemas": _SCHEMAS,
            "responses": _RESPONSES,
        },
    }


# --- Shapes ---------------------------------------------------------------------------------------


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: Schema, optional: Schema | None = None, **more: Any) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": [*required],
        "additionalProperties": False,
        **more,
    }


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _or_null(kind: str, **more: Any) -> Schema:
    return {"type": [kind, "null"], **more}


_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_SEAT: Schema = {"type": "integer", "minimum": 0, "description": "A seat, counted from 0."}
_PLAYER: Schema = {"type": "integer", "minimum": 1, "description": "The id of a player."}
_NUMBER: Schema = {"type": "integer", "minimum": 1}
_UNIT: Schema = {"enum": ["points", "shares"]}
_STATE: Schema = {"enum": ["open", "finished"]}
_CONFIRM: Schema = {
    "type": "boolean",
    "description": "Whether a round counts only once another phone has said yes.",
}
_ROLE: Schema = {"enum": ["view", "enter", "manage"]}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_LENGTH: Schema = _or_null("integer", minimum=1, maximum=999, description="Null: open-ended.")
_RULES: Schema = {
    "type": "object",
    "additionalProperties": {"type": ["string", "integer", "boolean"]},
    "description": "House rules by key; those not named have the defaults of the game.",
}
_CARDS: Schema = {
    "type": ["string", "array"],
    "items": _TEXT,
    "description": "Cards by month and kind (`1B 9A 11R 12C1`), in one text or as a list.",
}
_KEYS: Schema = {**_list(_TEXT), "description": "Yaku by key."}
_POINTS: Schema = {
    "type": ["integer", "string"],
    "description": "Card points, or `rest` for what the others leave of the deck.",
}
_SECRETS: Schema = _object(dict.fromkeys(("manage", "enter", "view"), _TEXT))

_ENTERED: Schema = {
    "captured": _CARDS,
    "counts": {
        "oneOf": [
            _object(dict.fromkeys(("bright", "animal", "ribbon", "chaff"), _WHOLE)),
            {"const": "rest"},
        ]
    },
    "named": _CARDS,
    "chaff": _WHOLE,
    "points": _POINTS,
    "hand": _CARDS,
    "teyaku": _KEYS,
    "dekiyaku": _KEYS,
    "special": _KEYS,
    "continued": {"type": "boolean"},
}
_ENDING: Schema = {
    "dealer": _SEAT,
    "end": {"enum": ["counted", "stopped", "void"]},
    "stopped_by": _SEAT,
    "field": _CARDS,
    "multiplier": _WHOLE,
    "decision": {"type": ["integer", "string", "null"]},
}
_FORMED: Schema = _list(
    _object({"key": _TEXT, "value": _WHOLE}, {"times": _WHOLE, "counted": {"type": "boolean"}})
)
_CHANGED: Schema = {
    "type": "object",
    "description": "Of these only what the event changed; the first event has how it was started.",
    "properties": {
        "rounds": _list({"type": "object"}),
        "state": _STATE,
        "length": _LENGTH,
        "rules": _RULES,
        "confirm": {"type": "boolean"},
        "player": {"type": ["object", "null"]},
        "access": {"type": "object"},
    },
}

_SCHEMAS: Schema = {
    "Round": _object(
        {"game": {"enum": [*GAMES]}, "seats": _list(_ref("Seat"))},
        {"rules": _RULES, **_ENDING, "carried": _list(_WHOLE)},
        description="One round that belongs to no series.",
    ),
    "Seat": _object({}, {"name": _TEXT, **_ENTERED}, description="In turn order."),
    "NewRound": _object(
        {"number": _NUMBER, "seats": _list(_ref("PlayedSeat"))},
        _ENDING,
        description="A round of a series: its game, rules and carried multipliers are known.",
    ),
    "CorrectedRound": _object(
        {"seats": _list(_ref("PlayedSeat"))},
        {
            "number": {**_NUMBER, "description": "That of the address, or 422."},
            "reason": _or_null("string"),
            **_ENDING,
        },
    ),
    "PlayedSeat": _object({"player": _PLAYER}, _ENTERED),
    "Result": _object(
        {
            "game": {"enum": [*GAMES]},
            "unit": _UNIT,
            "amounts": {
                "type": ["array", "null"],
                "items": _WHOLE,
                "description": "By seat; null while a question is open.",
            },
            "zero_sum": {"type": "boolean"},
            "multiplier": _WHOLE,
            "carry": _list(_WHOLE),
            "seats": _list(
                _object(
                    {
                        "card_points": _or_null("integer"),
                        "teyaku": _FORMED,
                        "dekiyaku": _FORMED,
                        "special": _FORMED,
                        "score": _or_null("integer"),
                    }
                )
            ),
            "payments": _list(
                _object({"from": _SEAT, "to": _SEAT, "amount": _NUMBER, "for": _TEXT})
            ),
            "winners": _list(_SEAT),
            "next_dealer": _or_null("integer", description="A seat; null: the table says."),
            "undecided": {
                "oneOf": [
                    {"type": "null"},
                    _object({"question": {"enum": ["dealer", "tie"]}, "between": _list(_SEAT)}),
                ]
            },
            "working": {**_list(_TEXT), "description": "How it was settled, line by line."},
            "warnings": _list(
                _object({"code": _TEXT, "seat": _SEAT, "message": _TEXT}, {"month": _NUMBER})
            ),
        }
    ),
    "RecordedRound": _object(
        {
            "number": _NUMBER,
            "revision": _NUMBER,
            "entry": {
                "type": "object",
                "description": "As it was entered, with `player` in its seats.",
                "properties": {"seats": _list(_ref("PlayedSeat"))},
                "required": ["seats"],
            },
            "result": _ref("Result"),
            "by": _or_null("integer", description="The number of the phone, where one sent it."),
            "at": _MOMENT,
        },
        {
            "resettled": _list(_ref("RecordedRound")),
            "warning": _or_null("string"),
            "withdrawn": {"const": True},
        },
    ),
    "Player": _object({"id": _PLAYER, "name": _TEXT, "left": {"type": "boolean"}}),
    "Series": _object(
        {
            "id": _TEXT,
            "game": {"enum": [*GAMES]},
            "rules": _RULES,
            "length": _LENGTH,
            "state": _STATE,
            "confirm": _CONFIRM,
            "players": _list(_ref("Player")),
            "rounds": {**_list(_ref("RecordedRound")), "maxItems": 50},
            "totals": _list(
                _object(
                    {
                        "player": _PLAYER,
                        "amount": _WHOLE,
                        "unit": _UNIT,
                        "place": _or_null(
                            "integer", minimum=1, description="Null: has not played yet."
                        ),
                    }
                )
            ),
            "next_dealer": _or_null("integer", description="A player; null: the table says."),
            "carry": _list(_WHOLE),
            "version": _NUMBER,
            "role": _ROLE,
        }
    ),
    "Event": _object(
        {
            "number": _NUMBER,
            "kind": _TEXT,
            "at": _MOMENT,
            "by": _or_null("integer", description="The number of the phone, where one did it."),
            "player": _or_null("integer", description="Whose phone that was, where known."),
            "text": _TEXT,
            "details": _list(_TEXT),
            "reason": _or_null("string"),
            "before": _CHANGED,
            "after": _CHANGED,
            "undoes": _or_null("integer", description="The event that this one undid."),
        }
    ),
    "Refusal": _object(
        {
            "error": _object(
                {"code": _TEXT, "message": _TEXT},
                {"seat": _or_null("integer"), "field": _or_null("string")},
            )
        },
        {"round": _ref("RecordedRound")},
        description="What is wrong, in a sentence; with the round that stands in the way.",
    ),
}


# --- Calls ----------------------------------------------------------------------------------------


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _refusal(description: str) -> Schema:
    return {"description": description, "content": _json(_ref("Refusal"))}


_RESPONSES: Schema = {
    "400": _refusal("It cannot be read, or a browser sent it for another site (Origin)."),
    "401": _refusal("No secret was sent."),
    "403": _refusal("The secret is for less than this."),
    "404": _refusal("Nothing is here for this secret: unknown, taken back, or of another series."),
    "409": _refusal("Others did something meanwhile; a recorded round is shown."),
    "411": _refusal("It comes in chunks: say in the header Content-Length how much it is."),
    "412": _refusal("The round was changed meanwhile; it is shown as it is."),
    "413": _refusal("The request has more than 64 KiB."),
    "422": _refusal("A player can put it right: the message says what."),
    "428": _refusal("The header If-Match is missing."),
    "503": _refusal("Too many phones are listening: ask again from time to time."),
}


def _answers(schema: Schema | None, *statuses: int, refusals: str = "") -> Schema:
    """What a call answers: this with these statuses, or one of the refusals."""
    done = {"description": "Done."} | ({"content": _json(schema)} if schema else {})
    answered = {str(status): done for status in statuses}
    refused = {code: {"$ref": f"#/components/responses/{code}"} for code in refusals.split()}
    return answered | refused


def _sends(schema: Schema, example: Any) -> Schema:
    return {
        "required": True,
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def _parameter(name: str, place: str, schema: Schema, description: str, **more: Any) -> Schema:
    return {"name": name, "in": place, "schema": schema, "description": description, **more}


_ID = _parameter("series_id", "path", _TEXT, "The series.", required=True)
_ROUND = _parameter("number", "path", _NUMBER, "The number of the round.", required=True)
_BEFORE = _parameter("before", "query", _WHOLE, "Only what comes before this number.")
_IF_MATCH = _parameter(
    "If-Match", "header", _TEXT, 'The revision that was seen, as `"2"`.', required=True
)
_KEY = _parameter("Idempotency-Key", "header", _TEXT, "Makes a repetition do nothing.")
_ANYBODY: Schema = {"security": []}

_PLAYED_EXAMPLE = [
    {"player": 1, "points": 104}, {"player": 2, "points": 95}, {"player": 3, "points": 65},
]  # fmt: skip

_PATHS: Schema = {
    "/api/v1/openapi.json": {
        "get": {
            "operationId": "describe",
            "summary": "This document.",
            **_ANYBODY,
            "responses": _answers({"type": "object"}, 200),
        }
    },
    "/api/v1/settle": {
        "post": {
            "operationId": "settle_round",
            "summary": "Settle a round that belongs to no series.",
            **_ANYBODY,
            "requestBody": _sends(
                _ref("Round"),
                {
                    "game": "bakappana",
                    "seats": [{"points": 140}, {"name": "Ben", "points": "rest"}],
                },
            ),
            "responses": _answers(_ref("Result"), 200, refusals="400 411 413 422"),
        }
    },
    "/api/v1/series": {
        "post": {
            "operationId": "start_series",
            "summary": "Start a series.",
            **_ANYBODY,
            "requestBody": _sends(
                _object(
                    {"game": {"enum": [*GAMES]}, "players": _list(_TEXT)},
                    {"rules": _RULES, "rounds": _LENGTH},
                ),
                {"game": "bakappana", "players": ["Aki", "Ben", "Chie"], "rounds": 12},
            ),
            "responses": _answers(
                _object({"id": _TEXT, "secrets": _SECRETS, "links": _SECRETS}),
                201,
                refusals="400 411 413 422",
            ),
        }
    },
    "/api/v1/series/{series_id}": {
        "parameters": [_ID],
        "get": {
            "operationId": "show_series",
            "summary": "The series as it stands, with its newest 50 rounds.",
            "parameters": [
                _BEFORE,
                _parameter("If-None-Match", "header", _TEXT, "The ETag of an earlier answer."),
            ],
            "responses": _answers(_ref("Series"), 200, refusals="401 404 422")
            | {"304": {"description": "Nothing changed."}},
        },
        "patch": {
            "operationId": "change_series",
            "summary": "Finish or reopen it, change its length or its house rules (manage).",
            "requestBody": _sends(
                _object(
                    {},
                    {"state": _STATE, "rules": _RULES, "length": _LENGTH, "confirm": _CONFIRM},
                ),
                {"state": "finished"},
            ),
            "responses": _answers(_ref("Series"), 200, refusals="400 401 403 404 409 411 413 422"),
        },
    },
    "/api/v1/series/{series_id}/rounds": {
        "parameters": [_ID],
        "post": {
            "operationId": "record_round",
            "summary": "Record the next round (enter).",
            "description": "With the same key again: 200 and the first result. In a series whose "
            "`confirm` is true, rounds are proposed and confirmed on phones: 409 and the code "
            "`needs_confirmation`.",
            "parameters": [_KEY],
            "requestBody": _sends(_ref("NewRound"), {"number": 1, "seats": _PLAYED_EXAMPLE}),
            "responses": _answers(
                _ref("RecordedRound"), 200, 201, refusals="400 401 403 404 409 411 413 422"
            ),
        },
    },
    "/api/v1/series/{series_id}/rounds/{number}": {
        "parameters": [_ID, _ROUND, _IF_MATCH],
        "put": {
            "operationId": "correct_round",
            "summary": "Correct a round (enter).",
            "description": "Later rounds that its multiplier is carried into are settled again. "
            "With the same key again: the first result.",
            "parameters": [_KEY],
            "requestBody": _sends(
                _ref("CorrectedRound"), {"seats": _PLAYED_EXAMPLE, "reason": "counted twice"}
            ),
            "responses": _answers(
                _ref("RecordedRound"), 200, refusals="400 401 403 404 409 411 412 413 422 428"
            ),
        },
        "delete": {
            "operationId": "withdraw_round",
            "summary": "Withdraw the last round (enter).",
            "responses": _answers(
                _ref("RecordedRound"), 200, refusals="400 401 403 404 409 412 428"
            ),
        },
    },
    "/api/v1/series/{series_id}/players": {
        "parameters": [_ID],
        "post": {
            "operationId": "add_player",
            "summary": "Somebody joins, from the next round on (enter).",
            "requestBody": _sends(_object({"name": _TEXT}), {"name": "Dai"}),
            "responses": _answers(_ref("Player"), 201, refusals="400 401 403 404 409 411 413 422"),
        },
    },
    "/api/v1/series/{series_id}/players/{player}": {
        "parameters": [_ID, _parameter("player", "path", _PLAYER, "The player.", required=True)],
        "patch": {
            "operationId": "change_player",
            "summary": "Somebody is renamed, leaves, or comes back (enter).",
            "requestBody": _sends(
                _object({}, {"name": _TEXT, "left": {"type": "boolean"}}), {"left": True}
            ),
            "responses": _answers(_ref("Player"), 200, refusals="400 401 403 404 411 413 422"),
        },
    },
    "/api/v1/series/{series_id}/secrets/{role}": {
        "parameters": [_ID, _parameter("role", "path", _ROLE, "Whose secret.", required=True)],
        "post": {
            "operationId": "renew_secret",
            "summary": "A new secret for a role (manage).",
            "description": "The old one, and every phone that joined by it, is out at once.",
            "responses": _answers(
                _object({"role": _ROLE, "secret": _TEXT, "link": _TEXT}),
                201,
                refusals="400 401 403 404",
            ),
        },
    },
    "/api/v1/series/{series_id}/history": {
        "parameters": [_ID],
        "get": {
            "operationId": "show_history",
            "summary": "What was done, the newest 50 events first.",
            "parameters": [_BEFORE],
            "responses": _answers(
                _object({"events": {**_list(_ref("Event")), "maxItems": 50}}),
                200,
                refusals="401 404 422",
            ),
        },
    },
    "/api/v1/series/{series_id}/events": {
        "parameters": [_ID],
        "get": {
            "operationId": "listen",
            "summary": "The version of the series, and again whenever it changes.",
            "security": [{"secret": []}, {"device": []}],
            "parameters": [
                _parameter("Last-Event-ID", "header", _TEXT, "The version that was heard last.")
            ],
            "responses": {
                "200": {
                    "description": "Server-sent events; `data` is the version. To phones, which "
                    "send their cookie, events named `pending` come as well: they tell that the "
                    "round in progress changed, which is not in the books yet.",
                    "content": {"text/event-stream": {"schema": _TEXT}},
                },
                **_answers(None, refusals="401 404 503"),
            },
        },
    },
}
