"""What a phone keeps for us: cookies that no script reads and no other site sends.

Over https they carry the prefix `__Host-`, so that a browser takes them from this very server
alone; over plain http, as in a home network, browsers refuse that name.
"""

from __future__ import annotations

from flask import Flask, has_request_context, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from werkzeug.wrappers import Response

YEAR = 365 * 24 * 3600


def cookie_name(name: str) -> str:
    """The name of a cookie as this request's connection allows it."""
    return f"__Host-{name}" if request.is_secure else name


def read_cookie(name: str) -> str | None:
    return request.cookies.get(cookie_name(name))


def keep_cookie(answer: Response, name: str, value: str) -> None:
    """Gives the phone a cookie for a year."""
    answer.set_cookie(
        cookie_name(name),
        value,
        max_age=YEAR,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )


class FormCookie(SecureCookieSessionInterface):
    """The cookie that the tokens of the forms hang on; it lives as long as the others."""

    def get_cookie_name(self, app: Flask) -> str:
        name = super().get_cookie_name(app)
        return cookie_name(name) if has_request_context() else name

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure if has_request_context() else False

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        # A static file is the same for everybody, and kept by caches on the way.
        kept = has_request_context() and request.endpoint == "static"
        return session.modified if kept else super().should_set_cookie(app, session)
