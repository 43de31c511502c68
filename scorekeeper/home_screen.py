"""What a phone asks for to keep the program on its home screen, and to open it without a network.

A service worker works over https alone (and on the very machine that serves), and can be for all
pages only if it lies above them: so it is not among the static files, whose address changes.
"""

from __future__ import annotations

from flask import Response, current_app, json, url_for

from scorekeeper.web import web
from scorekeeper.words import gettext_here, language

__all__ = ["web"]

FELT = "#14241e"
"""The ground of our pages in the dark, as in style.css."""


@web.get("/sw.js")
def worker() -> Response:
    """The service worker; browsers look for a newer one whenever a page is opened."""
    answer = current_app.send_static_file("sw.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@web.get("/manifest.webmanifest")
def manifest() -> Response:
    """What the program is called and looks like among others."""

    def icon(name: str, kind: str, sizes: str, purpose: str = "any") -> dict[str, str]:
        address = url_for("static", filename=name)
        return {"src": address, "type": kind, "sizes": sizes, "purpose": purpose}

    home = url_for(".home")
    told = {
        "id": home,
        "start_url": home,
        "scope": home,
        "name": gettext_here("Scorekeeper: the score of a hanafuda table"),
        "short_name": "Scorekeeper",
        "lang": language(),
        "display": "standalone",
        "background_color": FELT,
        "theme_color": FELT,
        "icons": [
            icon("icon.svg", "image/svg+xml", "any"),
            icon("icon-192.png", "image/png", "192x192"),
            icon("icon-512.png", "image/png", "512x512"),
            icon("icon-maskable.png", "image/png", "512x512", "maskable"),
        ],
    }
    return Response(json.dumps(told), mimetype="application/manifest+json")
