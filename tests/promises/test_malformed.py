"""P7: malformed input gets the right 4xx, never a 5xx, and changes nothing.

Requests are made from valid ones. Which calls and pages there are the app says itself, so a new one
is tried as soon as it exists: a page is filled in as it stands, a call is sent what the API's own
description gives as an example, and rounds are the worked ones of `tests/worked`. Then one thing is
wrong with it, or two: a flaw. SQLite forgives what PostgreSQL refuses, so both have to take it.
"""

import json
import random
import re
from collections.abc import Callable
from contextlib import closing, suppress
from contextvars import Context
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from itertools import product
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlencode

import pytest
from flask import Flask, abort
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorekeeper import ledger
from scorekeeper.ledger import Role, codes
from scorekeeper.live import Streams
from scorekeeper.openapi import described
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.games import GAMES

from ..conftest import Watch
from ..live.conftest import streams
from ..web.conftest import Phone
from ..web.test_security import HOSTILE, addresses
from ..worked.reader import FILES, read

__all__ = ["streams"]  # a fixture

REQUESTS = 2_000
PARTS = 4
EVENING = 125  # requests to one series, before there are too few rounds and too many players

NUMBERS = (
    0, -1, 1, 2, 2**31 - 1, 2**31, -(2**31) - 1, 2**53 + 1, 2**63, 2**64, -(10**30), 10**400,
    0.5, -0.0, 1e308,
)  # fmt: skip
TEXTS = (
    *HOSTILE, "\x00", "a\x00b", "\ud800", "\udfff", "\ud83c", "\uffff", "\u2028", "\ufeff",
    "x" * 3000, "é" * 500, "\U000233b4", "👨‍👩", "${7*7}", "%00", "%ff", "\r\nX: y", "a" * 201,
)  # fmt: skip
VALUES: tuple[Any, ...] = (*NUMBERS, *TEXTS, None, True, False, [], {}, [[]], {"": 0}, [None] * 30)
PATHS = (
    "%00", "%ff", "%ed%a0%80", "%c0%ae%c0%ae", "..", "%2e%2e%2f", "%2f", "%5c", "%", "%zz", "*",
    "-1", "0", "007", "2147483648", "9223372036854775808", "9" * 30, "9" * 4400, "1e3", "٣", "²",
    "%F0%9F%92%A5", "a" * 2000, "%0d%0aX-Y:%20z", "%e2%80%ae", "null", "%27--", "%20", "__proto__",
)  # fmt: skip
HEADERS: dict[str, tuple[str, ...]] = {
    "If-Match": ("", "*", '"x"', 'W/"1"', '"1", "2"', f'"{"9" * 40}"', '"-1"', "1", "²", "\xff"),
    "If-None-Match": ("", "*", '"', 'W/"', '"1-view-en"', 'W/"999999999999-enter-en"', "\xff" * 99),
    "Idempotency-Key": ("", " ", "x" * 201, "\xff\xfe", "a\tb", "\x7f", "æ\x97¥"),
    "Accept-Language": ("", "*", "xx", "ja;q=x", "en;q=-1", ",,,;", "ja" * 999, "\x00", "en-\xff"),
    "Accept": ("", "*/*", "text/x-fragment", "text/event-stream", "q=;", "\xff/\xfe", "a/b;q=9e99"),
    "Accept-Encoding": ("", "gzip;q=0", "gzip;q=x", "br", "*", "\xff", "gzip," * 99),
    "Range": ("bytes=0-1", "bytes=9-1", "bytes=-0", "bytes=a-b", "bytes=0-,0-", "cards=1", "\xff"),
    "Last-Event-ID": ("", "-1", "9" * 10, "9" * 99, "²", "x", "\xff"),
    "Authorization": (
        "", "Bearer", "Bearer ", "bearer \xff", "Basic eDp5", "Basic !", "Digest a",
        "Bearer " + "A" * 43, "Bearer " + "x" * 9000, "Bearer a b", "Bearer \x00",
    ),
    "Host": ("", "a b", "[::1", "..", "x" * 300, "a:99999", "a:b", "a/b", "a,b", "<i>", "\xfc"),
    "Origin": ("", "null", "https://evil.example", "//", "http://[", "\xff", "x" * 3000),
    "Referer": ("", "https://evil.example/", "http://[::1", "http://localhost:x/", "\xff", "//"),
    "Content-Encoding": ("gzip", "br", "x"),
    "X-Forwarded-For": ("", "1.2.3.4", "x, y", "::ffff:1.2.3.4", "\xff"),
    "X-Forwarded-Host": ("evil.example", "[::1", ""),
    "X-Forwarded-Proto": ("https", "ftp"),
}  # fmt: skip
TYPES = (
    "", "application/json", "application/x-www-form-urlencoded", "multipart/form-data",
    "multipart/form-data; boundary=x", "multipart/form-data; boundary=" + "x" * 400, "text/plain",
    "application/json; charset=utf-16", "application/xml", "x", "/",
    "application/x-www-form-urlencoded; charset=x", "\xff/\xff",
)  # fmt: skip
METHODS = ("PUT", "PATCH", "DELETE", "POST", "TRACE", "CONNECT", "PROPFIND", "BREW", "get", "G T")
COOKIES = ("device", "session", "language", "__Host-device", "x", "")

GUESSES = ("wrong_try", "typed_code")
"""Counting wrong tries is what these tables are kept for."""

DONE = {200, 201, 204, 206, 302, 303, 304, 308}
REFUSED = {400, 401, 403, 404, 405, 409, 412, 413, 416, 422, 428, 429}


# --- What a phone sends ---------------------------------------------------------------------------


@dataclass
class Sent:
    """A request, and which flaws it got."""

    rule: Rule
    method: str
    path: str  # quoted, as it goes over the line
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    form: list[tuple[str, str]] | None = None
    json: Any = None
    has_json: bool = False
    raw: bytes | None = None
    flaws: list[str] = field(default_factory=list)
    allowed: frozenset[str] = frozenset()  # the methods of its address

    @property
    def of_api(self) -> bool:
        return self.path.startswith("/api/")

    @property
    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.has_json:
            # Lone surrogates go out as they can in JSON, escaped.
            return json.dumps(self.json).encode()
        pairs = self.form or []
        return urlencode(pairs, errors="surrogatepass").encode()

    def type(self) -> str:
        kind = "application/json" if self.has_json else "application/x-www-form-urlencoded"
        return self.headers.get("Content-Type", kind)

    def __str__(self) -> str:
        shown = [f"{self.flaws} {self.method} {self.path[:300]}?{self.query[:300]}"]
        shown += [f"{name}: {value[:300]!r}" for name, value in self.headers.items()]
        return "\n".join([*shown, repr(self.cookies)[:300], repr(self.body[:1500])])


class Forms(HTMLParser):
    """The forms of a page: for each its address, and what can be chosen for each of its names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, list[str]], list[tuple[str, str]]]] = []
        self._select = ""
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name, value = has.get("name"), has.get("value") or ""
        if tag == "form":
            self._inside = has.get("method", "").lower() == "post"
            if self._inside:
                self.found.append((has.get("action") or "", {}, []))
        elif not self._inside:
            return
        elif tag == "select":
            self._select = name or ""
        elif tag == "option":
            self.found[-1][1].setdefault(self._select, []).append(value)
        elif tag == "button":
            self.found[-1][2].append((name or "", value))
        elif tag in ("input", "textarea") and name:
            values = self.found[-1][1].setdefault(name, [])
            values.insert(0 if "checked" in has else len(values), value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False


@cache
def worked(game: str) -> list[dict[str, Any]]:
    """The worked rounds of a game that can be booked under its usual rules."""
    documents = []
    for one in read(FILES[game]):
        document = {**one.document, "rules": {}}
        with suppress(RuleError):
            if settle(document)["amounts"] is not None:
                documents.append(document)
    return documents


@cache
def examples() -> dict[tuple[str, str], Any]:
    """What the description of the API gives as the body of a call, by method and path."""
    return {
        (method.upper(), path): next(iter(call["requestBody"]["content"].values()))["example"]
        for path, calls in described("")["paths"].items()
        for method, call in calls.items()
        if "requestBody" in call
    }


Filled = tuple[dict[str, list[str]], list[tuple[str, str]]]
"""A form: the values that each of its names can have, and its buttons."""

CRAWLED: dict[tuple[str, int], dict[str, list[Filled]]] = {}
"""The forms of a game and a number of players, by the endpoint that they are sent to."""


class Evening:
    """A series with two rounds, a phone that may do everything in it, and one that may look."""

    def __init__(self, app: Flask, dice: random.Random) -> None:
        self.app, self.dice = app, dice
        self.game = dice.choice([*GAMES])
        self.client = app.test_client(use_cookies=False)
        first = dice.choice(worked(self.game))
        self.size = len(first["seats"])
        names = [f"P{at}" for at in range(self.size + dice.choice((0, 0, 1)))]
        self.id = ledger.start(self.game, {}, names, length=None)
        ledger.record(self.id, {"number": 1, **self.seated(first)})
        host = Phone(app).joins(self.id, Role.MANAGE)
        other = Phone(app).joins(self.id, Role.ENTER)
        assert other.id == self.id
        self.device = max(phone.device for phone in ledger.phones_of(self.id))
        # Twice what may write: there is more to get wrong.
        self.addresses = [
            (rule, method)
            for rule, _ in addresses(app, self.id)
            for method in sorted(rule.methods - {"OPTIONS", "HEAD"})
            for _ in range(1 if method == "GET" else 2)
        ]
        self.values: dict[str, str] = {}
        self.methods: dict[str, frozenset[str]] = {}
        for rule, address in addresses(app, self.id, device=self.device):
            self.values[str(rule)] = address
            self.methods[address] = self.methods.get(address, frozenset()) | rule.methods
        self.forms = CRAWLED.setdefault((self.game, len(names)), {})
        if not self.forms:
            self.crawl(host)
        jar = host.client.get_cookie
        self.cookies = {name: jar(name).value for name in ("device", "session")}
        self.token = host.opens("/j").form.fields["csrf_token"]

    def seated(self, document: dict[str, Any]) -> dict[str, Any]:
        """A worked round as one of this series."""
        seats = [{**seat, "player": at} for at, seat in enumerate(document["seats"], 1)]
        known = ("game", "rules", "carried")
        return {**{key: document[key] for key in document if key not in known}, "seats": seats}

    def crawl(self, phone: Phone) -> None:
        """Opens every page, and keeps its forms; a round also as it is after its preview."""
        adapter = self.app.url_map.bind("localhost")
        todo = [address for rule, address in addresses(self.app, self.id) if "GET" in rule.methods]
        pages = [phone.sends("GET", address) for address in todo if not address.startswith("/api/")]
        by_points = [
            document
            for document in worked(self.game)
            if all("points" in seat for seat in document["seats"])
        ]
        for path in ("/rounds/new", "/rounds/1/correct"):
            page = phone.opens(f"{path}?use=points")
            if by_points and page.status == 200:
                seats = enumerate(by_points[0]["seats"], 1)
                typed = {f"p{at}-points": seat["points"] for at, seat in seats}
                pages.append(page.form.types(typed).presses("preview"))
        for page in pages:
            for action, fields, buttons in Forms(page.text).found:
                found, _ = adapter.match((action or page.path).partition("?")[0], method="POST")
                self.forms.setdefault(found, []).append((fields, buttons))

    # --- Valid requests ---------------------------------------------------------------------------

    def request(self, to: tuple[Rule, str] | None = None) -> Sent:
        """A valid request to a route by one of its methods, to any where none is given."""
        rule, method = to or self.dice.choice(self.addresses)
        path = self.values[str(rule)]
        sent = Sent(rule, method, path, cookies={**self.cookies}, allowed=self.methods[path])
        if rule.endpoint.startswith("api."):
            self.call(sent)
        elif method != "GET":
            self.fill(sent)
        return sent

    def call(self, sent: Sent) -> None:
        dice = self.dice
        role = dice.choice((Role.MANAGE, Role.MANAGE, Role.MANAGE, Role.ENTER, Role.VIEW))
        sent.headers["Authorization"] = f"Bearer {ledger.secret_for(self.id, role)}"
        if role is not Role.MANAGE:
            sent.flaws.append("weak")
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", sent.rule.rule)
        if (sent.method, path) in examples():
            sent.json, sent.has_json = deepcopy(examples()[sent.method, path]), True
        if "{number}" in path:
            book = ledger.read(self.id)
            revision = book.rounds[0].revision if book.rounds else 1
            sent.headers["If-Match"] = f'"{revision}"'
        if "seats" in (sent.json or {}):
            document = deepcopy(dice.choice(worked(self.game)))
            if "series_id" in sent.rule.arguments:
                document = self.seated(document)
                if "number" in sent.json:
                    document["number"] = ledger.read(self.id).next_number
            sent.json = document
            if dice.random() < 0.3:
                sent.headers["Idempotency-Key"] = str(dice.random())

    def fill(self, sent: Sent) -> None:
        """A form of the page as somebody might fill it in."""
        dice = self.dice
        if sent.rule.endpoint not in self.forms:
            sent.flaws.append("no form")  # that any page shows
        fields, buttons = dice.choice(self.forms.get(sent.rule.endpoint) or [({}, [])])
        sent.form = [("csrf_token", self.token)]
        faithful = dice.random() < 0.5
        for name, values in fields.items():
            if name != "csrf_token" and values:
                chosen = values[0] if faithful or dice.random() < 0.7 else dice.choice(values)
                sent.form.append((name, chosen or ("" if faithful else self.typed(name))))
        if name := (dice.choice(buttons) if buttons else ("", ""))[0]:
            sent.form.append((name, dict(buttons)[name]))

    def typed(self, name: str) -> str:
        dice = self.dice
        if "name" in name:
            return f"N{dice.randrange(10_000)}"
        return dice.choice(("", "", "88", "4", "12", "rest", "1B"))

    # --- Flaws ------------------------------------------------------------------------------------

    def flawed(self) -> Sent:
        sent = self.request()
        for _ in range(self.dice.choice((0, 1, 1, 1, 1, 1, 1, 2, 2))):
            # Not each flaw fits each request.
            flaws = self.dice.sample(FLAWS, len(FLAWS))
            sent.flaws.append(next(flaw for flaw in flaws if getattr(self, flaw)(sent)))
        return sent

    def flaw_path(self, sent: Sent) -> bool:
        """An argument of the path is another, or something hangs on it."""
        parts = sent.path.split("/")
        at = self.dice.randrange(1, len(parts))
        instead = self.dice.choice(PATHS)
        parts[at] = self.dice.choice((instead, parts[at] + instead, "", parts[at] + "/"))
        if sent.path.startswith("/api/") and not "/".join(parts).startswith("/api/"):
            return False
        sent.path = "/".join(parts)
        return True

    def flaw_argument(self, sent: Sent) -> bool:
        if not sent.rule.arguments:
            return False
        argument = self.dice.choice(sorted(sent.rule.arguments))
        sent.path = self.address(sent.rule, argument, self.dice.choice(PATHS))
        return True

    def address(self, rule: Rule, argument: str, instead: str) -> str:
        """The address of a route with another value for an argument, as it goes over the line."""
        parts = zip(str(rule).split("/"), self.values[str(rule)].split("/"), strict=True)
        return "/".join(
            instead if re.fullmatch(rf"<(\w+:)?{argument}>", name) else part for name, part in parts
        )

    def flaw_query(self, sent: Sent) -> bool:
        dice = self.dice
        names = ["before", "saved", "use", "plays", "x", "", "language", *self.names(sent)]
        pairs = [
            (dice.choice(names), str(dice.choice((*TEXTS, *NUMBERS[:-3]))))
            for _ in range(dice.randint(1, 4))
        ]
        sent.query = urlencode(pairs, errors="surrogatepass")
        if dice.random() < 0.3:
            sent.query += dice.choice(("&%", "&=", "&%ff=%fe", "&a=%00", "&" * 50, ";&x[]=1&x[=2"))
        return True

    def names(self, sent: Sent) -> list[str]:
        return [name for name, _ in sent.form or []]

    def flaw_header(self, sent: Sent) -> bool:
        name = self.dice.choice([*HEADERS])
        sent.headers[name] = self.dice.choice(HEADERS[name])
        sent.flaws.append(name)
        return True

    def flaw_no_header(self, sent: Sent) -> bool:
        if not sent.headers:
            return False
        name = self.dice.choice([*sent.headers])
        del sent.headers[name]
        sent.flaws.append(f"no {name}")
        return True

    def flaw_cookie(self, sent: Sent) -> bool:
        dice = self.dice
        name = dice.choice(COOKIES)
        instead = dice.choice([one for one in TEXTS if len(one) < 4000])
        sent.cookies[name] = quote(instead, safe=" =;,\"'", errors="surrogatepass")
        if dice.random() < 0.3:
            sent.cookies[name] = instead.encode("utf-8", "surrogatepass").decode("latin-1")
        return True

    def flaw_method(self, sent: Sent) -> bool:
        sent.method = self.dice.choice(METHODS)
        return True

    def flaw_type(self, sent: Sent) -> bool:
        sent.headers["Content-Type"] = self.dice.choice(TYPES)
        return True

    def flaw_large(self, sent: Sent) -> bool:
        if sent.method == "GET":
            return False
        filling = b"x" * 65_537
        sent.raw = b'{"x": "' + filling + b'"}' if sent.has_json else b"x=" + filling
        return True

    def flaw_deep(self, sent: Sent) -> bool:
        if not sent.has_json:
            return False
        depth = self.dice.choice((900, 1_100, 5_000, 30_000))
        opening, closing = self.dice.choice(((b"[", b"]"), (b'{"seats":', b"}")))
        if depth * (len(opening) + len(closing)) > 60_000:
            opening, closing = b"[", b"]"
        sent.raw = opening * depth + b"1" + closing * depth
        return True

    def flaw_syntax(self, sent: Sent) -> bool:
        """What is no JSON, or no form, any more."""
        body = sent.body
        if sent.method == "GET" or len(body) < 3:
            return False
        cut = body[: self.dice.randrange(1, len(body))]
        sent.raw = self.dice.choice(
            (
                cut, b"", b"\xff\xfe" + body, body + b"}", body + body, b"\x00" + body, b"%" + cut,
                b"{'seats': []}", b"{seats: []}", b"--x\r\n", body.replace(b":", b"=") + b",",
                b'{"number": NaN}', b'{"number": 1e999}', b"[1,]", b'"\\ud800', b"nul",
                b'{"number": ' + b"9" * 5000 + b"}",
            )
        )  # fmt: skip
        return True

    def flaw_twice(self, sent: Sent) -> bool:
        """A field stands there twice, with two values."""
        if sent.form:
            name, _ = self.dice.choice(sent.form)
            sent.form.insert(
                self.dice.randrange(len(sent.form)), (name, str(self.dice.choice(TEXTS)))
            )
        elif sent.has_json and isinstance(sent.json, dict) and sent.json:
            name = self.dice.choice([*sent.json])
            twice = json.dumps({name: self.dice.choice(VALUES)})[:-1]
            sent.raw = twice.encode() + b"," + json.dumps(sent.json).encode()[1:]
        else:
            return False
        return True

    def flaw_value(self, sent: Sent) -> bool:
        """Something in it is something else, is missing, or too much."""
        for _ in range(self.dice.randint(1, 3)):
            if sent.has_json:
                sent.json = self.other(sent.json)
            elif sent.form:
                at = self.dice.randrange(len(sent.form))
                name, _ = sent.form[at]
                if name == "csrf_token" and self.dice.random() < 0.8:
                    continue
                # What may stand in one field of a form may stand in another.
                known = [value for _, value in sent.form if len(value) < 30]
                sent.form[at] = (name, str(self.dice.choice((*TEXTS, *NUMBERS[:-3], *known))))
                if self.dice.random() < 0.2:
                    del sent.form[at]
            else:
                return False
        return True

    flaw_another_value = flaw_still_another_value = flaw_value

    def other(self, value: Any) -> Any:
        """A JSON value in which one place is different."""
        dice = self.dice
        if isinstance(value, dict) and value and dice.random() < 0.9:
            name = dice.choice([*value])
            match dice.randrange(10):
                case 0:
                    return {key: value[key] for key in value if key != name}
                case 1:
                    return {**value, dice.choice((*TEXTS, *FIELDS)): dice.choice(VALUES)}
                case 2:
                    return {**value, dice.choice(FIELDS): value[name]}
            return {**value, name: self.other(value[name])}
        if isinstance(value, list) and value and dice.random() < 0.9:
            at = dice.randrange(len(value))
            match dice.randrange(8):
                case 0:
                    return value[:at] + value[at + 1 :]
                case 1:
                    return [*value, value[at]]
            return [*value[:at], self.other(value[at]), *value[at + 1 :]]
        if isinstance(value, str) and value and dice.random() < 0.4:
            cut = dice.randrange(len(value))
            return value[:cut] + dice.choice(("", " ", "\x00", "1B", *TEXTS)) + value[cut:]
        return dice.choice(VALUES)


FLAWS = [name for name in vars(Evening) if name.startswith("flaw_")]
FIELDS = (
    "number", "end", "dealer", "seats", "field", "multiplier", "carried", "decision", "rules",
    "game", "stopped_by", "points", "captured", "counts", "named", "chaff", "hand", "teyaku",
    "dekiyaku", "special", "continued", "player", "name", "reason", "state", "length", "left",
)  # fmt: skip


# --- What must come of it -------------------------------------------------------------------------


def answered(evening: Evening, sent: Sent, address: str) -> TestResponse:
    """Sends it as it goes over the line, with the bytes of the path as they are."""
    cookie = "; ".join(f"{name}={value}" for name, value in sent.cookies.items())
    overrides = {
        "PATH_INFO": unquote_to_bytes(sent.path).decode("latin-1"),
        "REMOTE_ADDR": address,
        "CONTENT_TYPE": sent.type(),
        "HTTP_COOKIE": cookie,
    }
    for name, value in sent.headers.items():
        if name != "Content-Type":
            overrides[f"HTTP_{name.upper().replace('-', '_')}"] = value
    return Context().run(
        evening.client.open,
        "/",
        method=sent.method,
        query_string=sent.query,
        data=sent.body if sent.method != "GET" else None,
        environ_overrides=overrides,
    )


INSIDE = re.compile(r"Traceback|File \"|sqlalchemy|psycopg|sqlite3|werkzeug|site-packages", re.I)


def is_right(evening: Evening, sent: Sent, answer: TestResponse, watch: Watch) -> bool:
    """Looks at an answer; returns whether the request was done."""
    status = answer.status_code
    endless = answer.mimetype == "text/event-stream"
    body = b"" if endless else answer.get_data()
    told = body.decode("utf-8", "replace")
    answer.close()
    assert status < 500, f"{status} for\n{sent}\n{told[:500]}"
    assert status in DONE | REFUSED, f"{status} for\n{sent}"
    if answer.mimetype != "application/json" and sent.rule.endpoint != "static":
        assert not INSIDE.search(told), f"{sent}\n{told[:500]}"
    assert status in expected(sent, told), f"{status} for\n{sent}\n{told[:500]}"
    if status in REFUSED and body:
        is_refusal(sent, answer, told)
    may = sent.method in ("POST", "PUT", "PATCH", "DELETE")
    may &= status in ({200, 201} if sent.of_api else {201, 302})
    changed = watch.changed()
    assert may or not changed, f"{status}, and something changed:\n{sent}"
    return may and changed


def expected(sent: Sent, told: str) -> set[int]:
    """The statuses that are right for what is wrong with it."""
    match sent.flaws:
        case []:
            return DONE | {404, 409, 412, 422, 429}
        case ["flaw_method"] if sent.method.upper() not in sent.allowed:
            return {405, 404} if sent.method != "POST" else {405}
        case ["flaw_large"] if sent.has_json:
            return {413}
        case ["flaw_large"] if sent.form is not None:
            return {413, 404, 400}
        case ["flaw_syntax" | "flaw_deep"] if sent.has_json:
            # What is JSON, but no round, corrects no round that is there no longer.
            return {422, 404} if sent.method == "PUT" else {422}
        case ["flaw_argument"]:
            return {404, 200, 400, 302, 308, 405} | (
                {401, 403, 412, 422, 409, 201} if sent.of_api else set()
            )
        case ["Host", "flaw_header"]:
            return DONE | {400, 404, 409, 412, 422, 429}
        case ["If-Match", "flaw_header"] if sent.method in ("PUT", "DELETE"):
            return {412, 409, 404, 422, 200}
        case ["no If-Match", "flaw_no_header"]:
            return {428}
        case ["no Authorization", "flaw_no_header"] if "series_id" in sent.rule.arguments:
            return {401} if not sent.path.endswith("/events") else {200, 401}
        case ["Range", "flaw_header"]:
            return DONE | {404, 409, 412, 416, 422, 429}
    return DONE | REFUSED


def is_refusal(sent: Sent, answer: TestResponse, told: str) -> None:
    """A refusal says in a sentence what is wrong, in the way of whoever asked."""
    if sent.of_api:
        assert answer.mimetype == "application/json", f"{sent}\n{told[:500]}"
        error = json.loads(told)["error"]
        assert set(error) <= {"code", "message", "seat", "field"}
        assert len(error["message"]) > 5, (error, str(sent))
    elif answer.status_code not in (412, 416):  # of a file, whose tag or length is another
        assert answer.mimetype in ("text/html", "text/plain"), f"{sent}\n{told[:500]}"
        assert told.strip()


# --- The promise ----------------------------------------------------------------------------------


@pytest.fixture
def config(
    config: dict[str, Any], kind: str, request: pytest.FixtureRequest, dice: random.Random
) -> dict[str, Any]:
    """On PostgreSQL a database of its own: every row of it is looked at."""
    if kind == "postgresql":
        postgres = request.getfixturevalue("postgres")
        name = f"malformed_{dice.getrandbits(64)}"
        return {**config, "DATABASE_URL": postgres.create(name, "books")}
    return config


@pytest.fixture
def app(app: Flask, streams: Streams, monkeypatch: pytest.MonkeyPatch) -> Flask:
    # An error of ours must be seen as what a phone sees: a 500.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr(codes, "PAUSE", 0)
    return app


def attack(app: Flask, dice: random.Random, requests: int) -> dict[str, int]:
    """Sends so many requests; answers how many were done, and how many were refused."""
    came = {"done": 0, "refused": 0, "written": 0}
    for start in range(0, requests, EVENING):
        evening = Evening(app, dice)
        with closing(Watch(but=GUESSES)) as watch:
            for at in range(start, min(start + EVENING, requests)):
                sent = evening.flawed()
                answer = answered(evening, sent, f"10.0.{at // 250}.{at % 250}")
                came["written"] += is_right(evening, sent, answer, watch)
                came["done" if answer.status_code in DONE else "refused"] += 1
    return came


@pytest.mark.parametrize("part", range(PARTS))
def test_malformed_input_is_refused_and_changes_nothing(app, dice, part):
    came = attack(app, dice, REQUESTS // PARTS)
    # Not only noise: much of it is right, or nearly.
    assert came["refused"] > REQUESTS // PARTS / 4
    assert came["written"] > REQUESTS // PARTS / 25


def test_no_argument_of_any_address_breaks_anything(app, dice):
    """Each argument of each address by each method, one after the other."""
    evening = Evening(app, dice)
    tried = ("%00", "2147483648", "9223372036854775808", "9" * 30, "9" * 4400)
    with closing(Watch(but=GUESSES)) as watch:
        for rule, method in {(str(to[0]), to[1]): to for to in evening.addresses}.values():
            for argument, instead in product(sorted(rule.arguments), tried):
                sent = evening.request((rule, method))
                sent.path = evening.address(rule, argument, instead)
                sent.flaws = ["argument"]
                is_right(evening, sent, answered(evening, sent, "10.1.0.1"), watch)


# --- The negative controls ------------------------------------------------------------------------


def plants(app: Flask, view: Callable[..., Any], **more: Any) -> None:
    app.add_url_rule("/planted", view_func=view, **more)


of_one_kind = pytest.mark.parametrize("kind", ["sqlite"])


def is_caught(app: Flask, dice: random.Random, what: str) -> None:
    with pytest.raises(AssertionError, match=what):
        attack(app, dice, REQUESTS)


@of_one_kind
def test_a_page_that_fails_is_caught(app, dice):
    def planted() -> str:
        return str(1 / len(ledger.series_of(None)))

    plants(app, planted)
    is_caught(app, dice, r"^500 for[^/]*/planted")


@of_one_kind
def test_a_refusal_that_writes_is_caught(app, dice):
    def planted() -> str:
        ledger.new_device()
        abort(422)

    plants(app, planted, methods=["POST"])
    is_caught(app, dice, r"^422, and something changed")


@of_one_kind
def test_a_look_that_writes_is_caught(app, dice):
    def planted() -> str:
        ledger.new_device()
        return "<p>Hello"

    plants(app, planted)
    is_caught(app, dice, r"^200, and something changed")


@of_one_kind
def test_a_refusal_that_tells_of_the_inside_is_caught(app, dice):
    def planted() -> tuple[str, int]:
        return 'Traceback (most recent call last):\n  File "a.py", line 1', 404

    plants(app, planted)
    is_caught(app, dice, r"/planted")
