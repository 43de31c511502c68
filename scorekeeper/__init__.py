"""Scorekeeper keeps score when a table plays hanafuda."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Makes the application, its ledger opened and migrated.

    Known keys, all optional: DATA, the folder of the database and the key (default: Flask's
    instance folder); DATABASE_URL, a PostgreSQL database instead of a file in DATA; PUBLIC_URL,
    the address that links and codes show; NEARBY_URL, the one they show instead of an address that
    leads to this machine alone; SECRET_KEY, instead of a key made in DATA; PROXIES, how
    many proxies stand before the server and are believed; STREAM_LIMIT, how many phones may
    listen for news at a time, in one process; TESTING. Further keys are Flask's.
    Raises LedgerError where the ledger cannot be opened.
    """
    # Flask is not there yet when the command line makes its environment.
    from flask import Flask
    from werkzeug.middleware.proxy_fix import ProxyFix

    from scorekeeper.api import api
    from scorekeeper.cookies import YEAR, FormCookie
    from scorekeeper.desk import web as desk
    from scorekeeper.door import web as door
    from scorekeeper.entering import web as entering
    from scorekeeper.home_screen import web as home_screen
    from scorekeeper.ledger import open_ledger
    from scorekeeper.live import STREAM_LIMIT, open_streams
    from scorekeeper.seats import web as seats
    from scorekeeper.weight import address, lighten

    package = Path(__file__).parent
    # In a checkout the pages lie beside the package, in a wheel inside it.
    pages = package if (package / "templates").is_dir() else package.parent
    app = Flask(
        __name__,
        template_folder=str(pages / "templates"),
        static_folder=str(pages / "static"),
        static_url_path=address(pages / "static"),
    )
    app.config.update(SEND_FILE_MAX_AGE_DEFAULT=YEAR)
    app.config.update(MAX_CONTENT_LENGTH=64 * 1024, PROXIES=0, PUBLIC_URL=None, NEARBY_URL=None)
    app.config.update(STREAM_LIMIT=STREAM_LIMIT)
    # A form may stay open for a whole evening, and its token lives as long as the phone's cookie.
    app.session_interface = FormCookie()
    app.config.update(
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=YEAR,
        WTF_CSRF_TIME_LIMIT=None,
    )
    app.config.update(config or {})

    proxies = app.config["PROXIES"]
    if proxies > 0:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies, x_prefix=proxies
        )
    open_ledger(
        app,
        Path(app.config.get("DATA") or app.instance_path),
        app.config.get("DATABASE_URL") or None,
        app.config.get("SECRET_KEY") or None,
    )
    open_streams(app)
    lighten(app)
    app.register_blueprint(api)
    # One blueprint: whoever imports it from a module of pages brings those with it.
    assert desk is door is entering is home_screen is seats
    app.register_blueprint(desk)
    return app
