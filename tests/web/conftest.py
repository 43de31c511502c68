"""A phone without a browser: it reads pages, fills in their forms and presses their buttons.

    phone.starts("bakappana", "Aki", "Ben", "Chie")
    form = phone.opens("/rounds/new").form
    form.types({"p1-points": 87, "p2-points": 97}, form="points")
    page = form.presses("preview")

Forms are sent with what a browser would send: whatever the page filled in, its tokens included.
"""

import re
from collections.abc import Callable
from contextvars import Context
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table


class Form:
    """The form of a page, with its fields as they would be sent."""

    def __init__(self, phone: "Phone", path: str) -> None:
        self.phone, self.path = phone, path
        self.fields: MultiDict[str, str] = MultiDict()

    def types(self, fields: dict[str, Any] | None = None, **more: Any) -> "Form":
        """Fills in fields; a list ticks several of a name, None leaves a field out."""
        for name, value in {**(fields or {}), **more}.items():
            self.fields.poplist(name)
            values = value if isinstance(value, list) else [] if value is None else [value]
            self.fields.setlist(name, [str(one) for one in values])
        return self

    def presses(self, button: str | None = None, value: str = "1", **more: Any) -> "Page":
        sent = MultiDict(self.fields)
        if button:
            sent[button] = value
        return self.phone.sends("POST", self.path, data=sent, **more)


class Page(HTMLParser):
    """An answer as somebody sees it; `refusals` are what is wrong, by the id of their place."""

    def __init__(self, phone: "Phone", path: str, answer: TestResponse) -> None:
        super().__init__()
        self.phone, self.path, self.answer = phone, path, answer
        # A stream of news never ends by itself.
        endless = answer.mimetype == "text/event-stream"
        content = b"" if endless else answer.get_data()
        self.status, self.text = answer.status_code, content.decode(errors="replace")
        answer.close()
        self.forms: list[Form] = []
        self.refusals: dict[str, str] = {}
        self.invalid: list[str] = []
        self.links: list[str] = []
        self._select: str | None = None
        self._refusal: str | None = None
        self.feed(self.text)

    @property
    def form(self) -> Form:
        """The form of the page itself, not that of its foot."""
        own = [form for form in self.forms if form.path != "/language"]
        assert own, f"{self.status} and no form: {self.answer.location or self.text[:2000]}"
        return own[0]

    @property
    def saved(self) -> bool:
        """Whether what was sent was done, and the phone is sent on."""
        return self.status == 302

    @property
    def title(self) -> str:
        found = re.search(r"<title>(.*?)</title>", self.text, re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    @property
    def wrong(self) -> dict[str, str | None]:
        """What the top of the page says is wrong, each with the id of the field it leads to."""
        _, _, after = self.text.partition('<section class="wrong"')
        wrong = {}
        for line in re.findall(r"<li>(.*?)</li>", after.partition("</section>")[0], re.DOTALL):
            leads = re.match(r'<a href="#(.*?)"', line)
            words = re.sub(r"<.*?>", "", re.sub(r"<title>.*?</title>", "", line))
            wrong[unescape(" ".join(words.split()))] = leads[1] if leads else None
        return wrong

    def follows(self) -> "Page":
        """The page that the phone is sent on to."""
        return self.phone.sends("GET", self.answer.location)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name, value = has.get("name"), has.get("value") or ""
        if tag == "form":
            self.forms.append(Form(self.phone, has.get("action") or self.path))
        elif tag == "a":
            self.links.append(has["href"])
        elif tag == "p" and has.get("class") == "refusal":
            self._refusal = has.get("id") or f"refusal {len(self.refusals)}"
            self.refusals[self._refusal] = ""
        elif tag == "select":
            self._select = name
            self.forms[-1].fields.add(name, "")
        elif tag == "option" and "selected" in has and self._select:
            self.forms[-1].fields[self._select] = value
        elif tag == "input" and name:
            if "aria-invalid" in has:
                self.invalid.append(name)
            if has.get("type") not in ("radio", "checkbox") or "checked" in has:
                self.forms[-1].fields.add(name, value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self._refusal = None

    def handle_data(self, data: str) -> None:
        if self._refusal:
            self.refusals[self._refusal] += data


class Phone:
    """A phone with a cookie jar of its own; paths are under its series where it has one."""

    def __init__(self, app: Flask, base_url: str | None = None) -> None:
        self.client = app.test_client()
        self.base_url = base_url
        self.series = ""

    def sends(self, method: str, path: str, **more: Any) -> Page:
        headers = more.pop("headers", {})
        if self.base_url and method == "POST":
            # Over https a browser says where a form comes from.
            headers = {"Referer": f"{self.base_url}/", **headers}
        more |= {"method": method, "base_url": self.base_url, "headers": headers}
        # Outside the test's own context, or all requests of a test would share their `g`.
        answer = Context().run(self.client.open, path, **more)
        return Page(self, path, answer)

    def opens(self, path: str = "") -> Page:
        """A page of the series, or of the whole site where the path says so."""
        return self.sends("GET", self.at(path))

    def at(self, path: str) -> str:
        return path if path.startswith(("/new", "/j", "/s/")) or path == "/" else self.series + path

    def starts(self, game: str, *names: str, **more: Any) -> Page:
        form = self.opens(f"/new/{game}").form
        done = form.types({f"names-{at}": name for at, name in enumerate(names)}, **more).presses()
        if done.saved:
            self.series = done.answer.location.removesuffix("/share")
        return done

    def joins(self, series: str, role: Role = Role.ENTER) -> "Phone":
        """Lets this phone into a series by the secret of a role."""
        secret = ledger.secret_for(series, role)
        assert self.opens("/j").form.types(link=secret).presses().saved
        self.series = f"/s/{series}"
        return self

    @property
    def id(self) -> str:
        return self.series.removeprefix("/s/")

    def types_points(self, *points: Any, form: Form | None = None) -> Form:
        """The form of the next round with the points of players 1, 2, ..."""
        form = form or self.opens("/rounds/new").form
        typed = {f"p{at}-points": counted for at, counted in enumerate(points, 1)}
        return form.types(typed, form="points")

    def records(self, *points: Any) -> None:
        """Records a round by points, as a player would: looks at it, then saves."""
        assert self.types_points(*points).presses("preview").form.presses("save").saved


@pytest.fixture
def phones(app: Flask) -> Callable[[], Phone]:
    return lambda: Phone(app)


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def scorer(phone: Phone) -> Phone:
    """A phone that has started a series of Bakappana with Aki, Ben and Chie."""
    phone.starts("bakappana", "Aki", "Ben", "Chie")
    return phone


@pytest.fixture
def joined(app: Flask, table: Table) -> Callable[..., Phone]:
    """Makes a phone that has joined the table's series."""
    return lambda role=Role.ENTER: Phone(app).joins(table.id, role)
