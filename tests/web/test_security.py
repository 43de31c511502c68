"""What holds on every page: headers, cookies, secrets, and that no input breaks anything."""

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask, request
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorekeeper import ledger
from scorekeeper.bootstrap import ROOT
from scorekeeper.ledger import Role
from tests.conftest import Table, everything
from tests.web.conftest import Page, Phone

HTTPS = "https://score.example.org"

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}
HEADERS = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.fixture
def played(table: Table, app: Flask) -> Phone:
    """A phone with every right at a table that has played a round, and no way to raise."""
    table.start("hachi-hachi", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    # Failures are answered as in earnest.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return Phone(app).joins(table.id, Role.MANAGE)


VALUES: dict[str, Any] = {"key": "kaga", "filename": "style.css", "role": "view"}
"""What stands in an address, besides the series and numbers."""


def addresses(app: Flask, series: str, **values: Any) -> Iterator[tuple[Rule, str]]:
    """Every route, with an address that there is; what is a number is 1, or as it is given."""
    values = {"series_id": series, **VALUES, **values}
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        numbers = re.findall(r"<int:(\w+)>", rule.rule)
        given = {
            name: values.get(name, 1) if name in numbers else values[name]
            for name in rule.arguments
        }
        yield rule, adapter.build(rule.endpoint, given, "GET" if "GET" in rule.methods else None)


def answers(phone: Phone, app: Flask) -> Iterator[tuple[str, TestResponse]]:
    """Every route by every method, and whatever else can be answered."""
    for _, address in addresses(app, phone.id):
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            yield f"{method} {address}", phone.sends(method, address).answer
    api = f"/api/v1/series/{phone.id}"
    secret = {"Authorization": f"Bearer {ledger.secret_for(phone.id, Role.VIEW)}"}
    style = next(address for rule, address in addresses(app, "") if rule.endpoint == "static")
    for status, method, address, headers in (
        (200, "GET", api, secret),
        (400, "GET", "/", {"Host": "[::1"}),
        (400, "GET", "/", {"Host": ".." * 200}),
        (400, "GET", api, {"Host": "a b"}),
        (400, "POST", "/j", {"Origin": "https://evil.example"}),
        (400, "PATCH", api, {"Origin": "http://["}),
        (401, "GET", api, {}),
        (403, "PATCH", api, secret),
        *((404, "GET", address, {}) for address in ("/nothing", "/s/nothing", "/s/%00", "/sw")),
        *((404, "GET", address, secret) for address in ("/api/v1/nothing", "/api/v1/series/%00")),
        (404, "GET", "/static/nothing.css", {}),
        (405, "BREW", "/", {}),
        (405, "BREW", api, {}),
        (308, "GET", "//rules//kaga", {}),
        (304, "GET", style, {"If-None-Match": "*"}),
        (416, "GET", style, {"Range": "bytes=999999999-"}),
        (422, "GET", f"{api}?before=x", secret),
    ):
        answer = phone.sends(method, address, headers=headers).answer
        assert answer.status_code == status, (method, address, headers)
        yield f"{status}: {method} {address}", answer


# --- Headers --------------------------------------------------------------------------------------

SOURCES = {"'none'", "'self'"}


def check_headers(played: Phone, app: Flask) -> None:
    """Every answer has the headers and the policy, which lets in what is of this site alone."""
    for what, answer in answers(played, app):
        got = {name: answer.headers.get(name) for name in HEADERS}
        assert got == HEADERS, what
        policy = {part.strip() for part in answer.headers["Content-Security-Policy"].split(";")}
        assert policy >= POLICY, what
        for part in policy - {"img-src 'self' data:"}:
            assert len(part.split()) == 2, (what, part)
            assert part.split()[1] in SOURCES, (what, part)


def test_every_answer_has_the_headers_and_the_policy(played: Phone, app: Flask) -> None:
    check_headers(played, app)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, None) for name in (*HEADERS, "Content-Security-Policy")),
        ("Content-Security-Policy", "; ".join(POLICY).replace("'none'", "'self'", 1)),
        ("Content-Security-Policy", "; ".join({*POLICY, "script-src-elem 'unsafe-inline'"})),
        ("Content-Security-Policy", "; ".join({*POLICY, "connect-src *"})),
        ("Referrer-Policy", "unsafe-url"),
    ],
)
def test_one_page_with_a_weaker_header_is_caught(
    played: Phone, app: Flask, name: str, value: str | None
) -> None:
    def weaken(answer: Any) -> Any:
        if request.path.endswith("/history"):
            answer.headers.pop(name)
            if value is not None:
                answer.headers[name] = value
        return answer

    app.after_request_funcs[None].insert(0, weaken)
    with pytest.raises((AssertionError, KeyError)):
        check_headers(played, app)


def score(set_up: Page) -> dict[str, int]:
    """What the HTTP Observatory of MDN adds to its 100 points for a page over https, by its tests.

    As its documentation describes them; what would cost points is -100 here. Not counted is what
    is of the server before this one: the redirection from http.
    """
    headers = set_up.answer.headers
    policy = dict(
        part.strip().split(maxsplit=1) for part in headers["Content-Security-Policy"].split(";")
    )
    cookies = [line.split("; ") for line in headers.getlist("Set-Cookie")]
    strict = policy["default-src"] == "'none'" and "unsafe" not in str(policy)
    age = int(re.search(r"max-age=(\d+)", headers["Strict-Transport-Security"])[1])
    scripts = re.findall(r'<script[^>]*src="([^"]*)"', set_up.text)
    kept = ({"Secure", "HttpOnly", "SameSite=Lax"} <= {*cookie} for cookie in cookies)
    return {
        "policy": 10 if strict and policy["form-action"] == "'self'" else -100,
        "cookies": 5 if cookies and all(kept) else -100,
        "resource policy": 10 if headers["Cross-Origin-Resource-Policy"] == "same-origin" else 0,
        "resource sharing": -100 if "Access-Control-Allow-Origin" in headers else 0,
        "referrer": 5 if headers["Referrer-Policy"] == "same-origin" else 0,
        "transport": 0 if age >= 15_768_000 else -100,
        "types": 0 if headers["X-Content-Type-Options"] == "nosniff" else -100,
        "frames": 5 if policy["frame-ancestors"] == "'none'" else -100,
        "scripts": 0 if all(script.startswith("/") for script in scripts) else -100,
    }


def test_over_https_the_headers_are_worth_135_points(app: Flask) -> None:
    assert 100 + sum(score(Phone(app, HTTPS).opens("/new/kaga")).values()) == 135


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Content-Security-Policy", "default-src 'none'; form-action *; frame-ancestors 'none'"),
        ("Set-Cookie", "x=y; Secure; Path=/"),
        ("Strict-Transport-Security", "max-age=3600"),
        ("Referrer-Policy", "origin"),
    ],
)
def test_weaker_headers_are_worth_less(app: Flask, name: str, value: str) -> None:
    page = Phone(app, HTTPS).opens("/new/kaga")
    page.answer.headers[name] = value
    assert 100 + sum(score(page).values()) < 135


def test_what_is_too_large_is_refused_with_the_headers(played: Phone) -> None:
    page = played.sends("POST", "/j", data={"link": "x" * 70_000})
    assert (page.status, page.answer.headers["X-Content-Type-Options"]) == (413, "nosniff")


def test_a_failure_has_the_headers_and_says_nothing_of_the_inside(
    played: Phone, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("the inside")

    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr(ledger, "read", fails)
    page = played.opens()
    assert page.status == 500
    assert "That did not work" in page.text
    assert "the inside" not in page.text
    assert page.answer.headers["Referrer-Policy"] == "same-origin"


def test_no_page_is_kept_by_a_cache_on_the_way(played: Phone) -> None:
    for path in ("/", "/j", "", "/share", "/rounds/1", "/rounds/new"):
        headers = played.opens(path).answer.headers
        assert headers["Cache-Control"] == "private, no-cache"
        assert {"Cookie", "Accept-Language"} <= set(re.split(", *", headers["Vary"]))


def test_strict_transport_is_for_https(app: Flask) -> None:
    assert "Strict-Transport-Security" in Phone(app, HTTPS).opens("/").answer.headers
    assert "Strict-Transport-Security" not in Phone(app).opens("/").answer.headers


# --- Cookies --------------------------------------------------------------------------------------


def cookies(app: Flask, base_url: str | None) -> dict[str, str]:
    """Every cookie that this program sets, by name, as it was set."""
    phone = Phone(app, base_url)
    set_up = phone.opens("/new/kaga")
    done = set_up.form.types({"names-0": "Aki", "names-1": "Ben"}).presses()
    (language,) = (form for form in set_up.forms if form.path == "/language")
    pages = (set_up, done, language.presses("language", "ja"))
    said = [line for page in pages for line in page.answer.headers.getlist("Set-Cookie")]
    return {line.partition("=")[0]: line for line in said}


def test_cookies_on_a_home_network(app: Flask) -> None:
    said = cookies(app, None)
    assert set(said) == {"device", "session", "language"}
    for line in said.values():
        assert "HttpOnly" in line
        assert "SameSite=Lax" in line
        assert "Secure" not in line


def test_cookies_over_https(app: Flask) -> None:
    for line in cookies(app, HTTPS).values():
        assert line.startswith("__Host-")
        assert {"HttpOnly", "SameSite=Lax", "Secure", "Path=/"} <= set(line.split("; "))
        assert "Domain" not in line


def test_the_device_lasts_and_tells_nothing(app: Flask) -> None:
    line = cookies(app, None)["device"]
    assert "Max-Age=31536000" in line
    assert re.match(r"device=[\w-]{43};", line)


def test_the_token_itself_is_not_in_the_database(app: Flask) -> None:
    token = cookies(app, None)["device"].partition("=")[2].partition(";")[0]
    assert token not in repr(everything())


def test_a_made_up_device_opens_nothing(scorer: Phone, phones: Callable[[], Phone]) -> None:
    stranger = phones()
    stranger.client.set_cookie("device", "A" * 43)
    assert stranger.sends("GET", scorer.series).status == 404


# --- Secrets --------------------------------------------------------------------------------------


def test_no_secret_is_in_any_address(played: Phone) -> None:
    secrets = {ledger.secret_for(played.id, role) for role in Role}
    for path in ("/", "", "/share", "/rounds/1", "/rounds/new", "/rounds/1/correct", "/j"):
        page = played.opens(path)
        addresses = re.findall(r'(?:href|src|action)="([^"]*)"', page.text)
        assert not [one for one in addresses if any(secret in one for secret in secrets)]


def test_joining_leads_to_an_address_without_the_secret(
    scorer: Phone, phones: Callable[[], Phone]
) -> None:
    secret = ledger.secret_for(scorer.id, Role.ENTER)
    done = phones().opens("/j").form.types(link=secret).presses()
    assert secret not in str(done.answer.headers)


def test_only_the_share_page_shows_secrets(played: Phone) -> None:
    secrets = {ledger.secret_for(played.id, role) for role in Role}
    for path in ("/", "", "/rounds/1", "/rounds/new", "/rounds/1/correct"):
        assert not [secret for secret in secrets if secret in played.opens(path).text]


# --- Pages ----------------------------------------------------------------------------------------

TEMPLATES = sorted((ROOT / "templates").glob("*.html"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_nothing_is_inline(template: Path) -> None:
    text = template.read_text("utf-8")
    assert not re.search(r"<style|<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"""\s(style|on[a-z]+)\s*=\s*["'{]""", text)
    assert "javascript:" not in text


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_nothing_is_marked_safe(template: Path) -> None:
    assert not re.search(r"\|\s*safe|autoescape", template.read_text("utf-8"))


def test_names_are_escaped_everywhere(app: Flask) -> None:
    phone = Phone(app)
    names = ("<b>Aki</b>", '"><script>', "{{7*7}}")
    phone.starts("hachi-hachi", *names)
    phone.records(100, 84, 80)
    for path in ("/", "", "/share", "/rounds/1", "/rounds/new", "/rounds/1/correct"):
        text = phone.opens(path).text
        assert "<b>Aki" not in text
        assert '"><script>' not in text


# --- Requests that change nothing -----------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_looking_changes_nothing(played: Phone, app: Flask, method: str) -> None:
    before = everything()
    for _, address in addresses(app, played.id):
        played.sends(method, address)
    assert everything() == before


def test_a_post_without_a_token_changes_nothing(played: Phone, app: Flask) -> None:
    before = everything()
    for rule, address in addresses(app, played.id):
        if not rule.endpoint.startswith("api."):
            played.sends("POST", address, data={"preview": "1", "save": "1", "language": "ja"})
    assert everything() == before


def test_another_site_changes_nothing(app: Flask) -> None:
    phone = Phone(app, HTTPS)
    phone.starts("kaga", "Aki", "Ben")
    form = phone.types_points(30, 10).presses("preview").form
    before = everything()
    form.presses("save", headers={"Referer": "https://evil.example/"})
    assert everything() == before


# --- Hostile input --------------------------------------------------------------------------------

HOSTILE = (
    "", " ", "0", "-1", "1.5", "1e9", "９", "٣", "²", "9" * 30, "9" * 5000, "NaN", "null", "True",
    "\x00", "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "\u202e", "💥",
    "%s%(x)s", "{0}{x}", "../../etc/passwd", "<script>", "' OR 1=1 --", "1B", "1B 1B", "13X",
    "1R 2R 3R", "rest", "nobody", "each", "table", "counted", "stopped", "void", "counts",
    "captured", "points", "sanbon", "sanbon sanbon", "akatan", "goko", "shima", "1", "2", "3", "4",
)  # fmt: skip
TRIES = 40


@pytest.mark.parametrize("game", ["bakappana", "yokohama-bana", "hachi-hachi", "kaga"])
@pytest.mark.parametrize("page", ["new", "1/correct"])
def test_no_input_breaks_a_round(app: Flask, game: str, page: str) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    phone = Phone(app)
    names = ("Aki", "Ben", "Chie")[: 2 if game == "kaga" else 3]
    phone.starts(game, *names)
    phone.records(*((30, 10) if game == "kaga" else (100, 84, 80)))
    attack(phone, f"{phone.series}/rounds/{page}")
    book = ledger.read(phone.id)
    assert sum(total.amount for total in book.totals) == 0 or game == "hachi-hachi"


@pytest.mark.parametrize("path", ["/new/bakappana", "/new/hachi-hachi", "/j"])
def test_no_input_breaks_a_form(app: Flask, path: str) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    attack(Phone(app), path)


def attack(phone: Phone, path: str) -> None:
    """Sends the form of a page with hostile values in some of its fields, and odd buttons.

    SEED=... in the environment sends the same again.
    """
    seed = os.environ.get("SEED") or str(random.randrange(1_000_000))
    print(f"SEED={seed}")
    chance = random.Random(seed)
    form = phone.opens(path).form
    token = form.fields["csrf_token"]
    names = [
        *form.fields, "end", "dealer", "stopped_by", "decision", "field", "rest_to", "use", "plays",
        "form", "teyaku_by", "drawn-0", "drawn-1", "first", "names-0", "names-99999", "names-x",
        *(f"p{at}-{field}" for at in (1, 2, 9) for field in FIELDS),
        *(f"{part}-{card}" for part in ("card", "hand") for card in ("1B", "12C3", "13X")),
    ]  # fmt: skip
    for _ in range(TRIES):
        sent = {name: form.fields.getlist(name) for name in form.fields}
        for name in chance.sample(names, chance.randint(1, 8)):
            sent[name] = [chance.choice(HOSTILE) for _ in range(chance.randint(0, 2))]
        sent["csrf_token"] = [token]
        button = chance.choice(("preview", "save", "more", "seat", "use", ""))
        if button:
            sent.setdefault(button, ["1"])
        page = phone.sends("POST", path, data=sent)
        assert page.status < 500, sent


FIELDS = (
    "points", "bright", "animal", "ribbon", "chaff", "teyaku", "dekiyaku", "special", "continued",
    "times_shima",
)  # fmt: skip


@pytest.mark.parametrize("path", ["/{}", "/new/{}", "/s/{}", "/s/ID/rounds/{}"])
def test_no_address_breaks_anything(played: Phone, path: str) -> None:
    for hostile in HOSTILE:
        address = path.replace("ID", played.id).format(quote(hostile, safe=""))
        assert played.sends("GET", address).status < 500, hostile


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/v1/openapi.json", "/api/v1/series/x"])
@pytest.mark.parametrize("host", ["a b", "[::1", "..", "x" * 300, "<i>", "a/b", "a:b", "a,b"])
def test_no_host_breaks_anything(app: Flask, path: str, host: str) -> None:
    """Nor does it get into an answer: no page could say where it is."""
    page = Phone(app).sends("GET", path, headers={"Host": host})
    assert page.status == 400
    assert host not in page.text


def test_hosts_as_they_are(app: Flask) -> None:
    for host in (
        "localhost",
        "192.0.2.7:5000",
        "[2001:db8::7]:5000",
        "mac.local",
        "xn--rlv255h.example",
    ):
        assert Phone(app).sends("GET", "/", headers={"Host": host}).status == 200, host


def test_no_query_breaks_anything(played: Phone) -> None:
    for hostile in HOSTILE:
        page = played.sends("GET", played.series, query_string={"saved": hostile})
        assert page.status == 200, hostile


@pytest.mark.parametrize("cookie", ["device", "language", "session"])
def test_no_cookie_breaks_anything(app: Flask, cookie: str) -> None:
    for hostile in (one for one in HOSTILE if len(one) < 4000):
        phone = Phone(app)
        phone.client.set_cookie(cookie, hostile)
        assert phone.opens("/").status == 200, hostile


@pytest.mark.parametrize("body", [b"\xff\xfe", b"--x\r\n", b"%", b"a=" + b"%00" * 99])
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/x"]
)
def test_no_body_breaks_anything(played: Phone, body: bytes, kind: str) -> None:
    for path in ("/j", "/new/kaga", f"{played.series}/rounds/new", "/language"):
        assert played.sends("POST", path, data=body, content_type=kind).status < 500
