"""Keeps answers light: text is sent compressed, scripts without what only people read in them, and
what a phone has it does not ask for again.

Static files lie under an address that says what is in all of them:

    /static/3f2a1b9c5d/style.css

A script imports its parts from beside itself, so they move along with it, and all of it may be kept
for a year. An older address opens nothing.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response, request
from rjsmin import jsmin

LEAST = 1024
"""Bytes below which packing takes more than it saves."""

_SCRIPTS = {"text/javascript", "application/javascript"}
_TEXT = {"application/json", "image/svg+xml", *_SCRIPTS}
_NEVER = {"text/event-stream"}  # each of its lines has to arrive at once
_STATIC = "static"
_SECRET = {"web.share"}
"""Pages that hold secrets: how well they pack must not tell what is in them."""


def address(folder: Path) -> str:
    """Where the files of a folder lie, until one of them changes."""
    digest = sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return f"/static/{digest.hexdigest()[:10]}"


def lighten(app: Flask) -> None:
    """Packs every answer of the app, after whatever else is done to it."""
    # The last one is called first.
    app.after_request(_kept)
    app.after_request(_packed)
    app.after_request(_bared)


def _kept(answer: Response) -> Response:
    """Lets a phone keep a static file without asking whether it has changed."""
    if request.endpoint == _STATIC and answer.status_code < 400:
        answer.cache_control.immutable = True
    return answer


def _bared(answer: Response) -> Response:
    """Sends a script without its comments and its indentation."""
    if answer.mimetype in _SCRIPTS and answer.status_code == 200:
        answer.direct_passthrough = False
        answer.set_data(_bare(answer.get_data(as_text=True)))
        # A part of it would be a part of another text.
        answer.headers.pop("Accept-Ranges", None)
    return answer


def _packed(answer: Response) -> Response:
    """Compresses an answer for whoever accepts that."""
    if answer.mimetype in _NEVER or request.endpoint in _SECRET:
        return answer
    tag, weak = answer.get_etag()
    if tag and not weak:
        # The same content, however it is packed.
        answer.set_etag(tag, weak=True)
    kind = answer.mimetype or ""
    if not (kind.startswith("text/") or kind in _TEXT):
        return answer
    answer.vary.add("Accept-Encoding")
    whole = answer.status_code not in (204, 206, 304) and "Content-Encoding" not in answer.headers
    known = answer.direct_passthrough or not answer.is_streamed
    if not (whole and known and request.accept_encodings.quality("gzip")):
        return answer
    answer.direct_passthrough = False
    content = answer.get_data()
    if len(content) >= LEAST:
        answer.set_data(_gzip(content))
        answer.headers["Content-Encoding"] = "gzip"
        # A part of it would be a part of the packed one.
        answer.headers.pop("Accept-Ranges", None)
    return answer


@lru_cache(maxsize=64)
def _bare(script: str) -> str:
    """The same for every phone, until one of the files changes."""
    bare: str = jsmin(script)
    return bare


@lru_cache(maxsize=64)
def _gzip(content: bytes) -> bytes:
    """Many phones ask for the same files, and for the same page at the same moment."""
    return gzip.compress(content, 6, mtime=0)
