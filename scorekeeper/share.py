"""How a series gets onto another phone: a link, and a code to scan; and which address is ours.

The secret of a link stands behind `#`, which no browser ever sends to a server.
"""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import qrcode
from flask import current_app, request
from markupsafe import Markup
from werkzeug.exceptions import BadHost, BadRequest

QUIET = 4
"""How many modules of white a scanner needs around a code."""

_HOST = r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(:[0-9]{1,5})?"
"""A name or an address of the network, and a port."""


def address() -> str:
    """The address under which the other phones find this server.

    The configured one; else, for a reader on this very machine, the one it has in its network;
    else the one this request came to.
    """
    config = current_app.config
    if config["PUBLIC_URL"]:
        return str(config["PUBLIC_URL"]).rstrip("/")
    here = request.root_url.rstrip("/")
    nearby = config["NEARBY_URL"]
    return str(nearby).rstrip("/") if nearby and only_here(here) else here


class FromElsewhere(BadRequest):
    """Another site made a browser send this."""


def from_elsewhere() -> bool:
    """Whether another site made a browser send this request, and it could change something."""
    source = request.headers.get("Origin") or request.referrer
    if request.method in ("GET", "HEAD", "OPTIONS") or source is None:
        return False
    ours = {request.host_url, current_app.config["PUBLIC_URL"] or request.host_url}
    try:
        return urlsplit(source).netloc not in {urlsplit(url).netloc for url in ours}
    except ValueError:  # no address at all
        return True


def has_host() -> bool:
    """Whether the request says in a readable way where it went; else no page can name another."""
    named = not isinstance(request.routing_exception, BadHost)
    return named and re.fullmatch(_HOST, request.host) is not None


def link(secret: str) -> str:
    """The link that opens a series."""
    return f"{address()}/j#{secret}"


def only_here(url: str) -> bool:
    """Whether an address points at the very machine that opens it, so that no phone gets there."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=256)
def code(text: str) -> Markup:
    """A scannable code as SVG: black on white of its own, so that it scans on a dark page."""
    drawing = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=0)
    drawing.add_data(text)
    drawing.make(fit=True)
    rows = drawing.get_matrix()
    size = len(rows) + 2 * QUIET
    path = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    )
    return Markup(
        '<svg class="code" viewBox="0 0 {size} {size}" aria-hidden="true">'
        '<rect width="{size}" height="{size}" fill="#fff"/>'
        '<path d="{path}" fill="#000" shape-rendering="crispEdges"/></svg>'
    ).format(size=size, path=path)
