"""Starts the server, and says at which address the phones at the table find it.

Whatever can be wrong with the place it runs in (a taken port, a folder that cannot be written to,
a database of a newer version) is found here, before anything serves, and said in a sentence.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import zip_longest
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import qrcode

from scorekeeper import create_app
from scorekeeper.bootstrap import checkout
from scorekeeper.rules.sentence import ENGLISH, Told, Translator, say

if TYPE_CHECKING:
    from flask import Flask

Address = IPv4Address | IPv6Address


class ServeError(Told):
    """Says in a sentence why the server cannot start."""


def serve(
    host: str,
    port: int,
    data: Path | None,
    public_url: str | None,
    proxies: int,
    to: Translator = ENGLISH,
) -> None:
    """Serves until it is told to stop; raises ServeError where it cannot even start.

    What it says in the terminal it says in the language of `to`.
    """
    folder = _writable(data or default_data())
    with _listen(host, port) as listener:
        nearby = _nearby(listener)
        app = _app(
            {
                "DATA": folder,
                "PUBLIC_URL": public_url,
                "NEARBY_URL": nearby,
                "PROXIES": proxies,
            }
        )
        print(_welcome(listener, public_url or nearby, to), flush=True)
        # gunicorn does not exist for Windows.
        run = _run_werkzeug if os.name == "nt" else _run_gunicorn
        run(app, listener)


def default_data() -> Path:
    """Returns `instance/` of the clone, or for an installed copy the user's own data folder."""
    root = checkout()
    if root is not None:
        return root / "instance"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library/Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return base / "scorekeeper"


def _writable(folder: Path) -> Path:
    """Makes the data folder where it is missing, and returns it when files can be made in it."""
    folder = folder.absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise ServeError(
            say(
                "The data folder %(folder)s cannot be written to (%(why)s). "
                "Choose another with --data.",
                folder=str(folder),
                why=str(problem.strerror),
            )
        ) from None
    return folder


def _listen(host: str, port: int) -> socket.socket:
    """Takes the port at once, so that nobody else can between this check and the start."""
    elsewhere = say("%(host)s is not an address of this machine.", host=host)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise ServeError(elsewhere) from None
    listener = socket.socket(family, kind, protocol)
    if os.name != "nt":  # there, the option would let two servers share one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(2048)
    except OSError as problem:
        listener.close()
        reason = {
            errno.EADDRINUSE: say("Port %(port)s is taken. Choose another with --port.", port=port),
            errno.EADDRNOTAVAIL: elsewhere,
            errno.EACCES: say(
                "Port %(port)s needs an administrator's rights. Choose one above 1023.", port=port
            ),
        }.get(
            problem.errno or 0,
            say("Port %(port)s cannot be opened (%(why)s).", port=port, why=str(problem.strerror)),
        )
        raise ServeError(reason) from None
    return listener


def _app(config: dict[str, Any]) -> Flask:
    """Makes the application, its database created or brought up to date."""
    from scorekeeper.ledger import LedgerError

    database = os.environ.get("DATABASE_URL") or None
    try:
        app = create_app({**config, "DATABASE_URL": database})
    except LedgerError as problem:
        raise ServeError(problem.sentence) from None
    # A worker is a copy of this process, and a database connection must not be copied.
    with app.app_context():
        for engine in app.extensions["sqlalchemy"].engines.values():
            engine.dispose()
    return app


def _run_gunicorn(app: Flask, listener: socket.socket) -> None:
    from gunicorn.app.base import BaseApplication

    # An open phone holds a thread as long as it listens for news; the rest serve pages.
    threads = app.config["STREAM_LIMIT"] + 60
    settings = {
        "bind": f"fd://{listener.detach()}",
        "worker_class": "gthread",
        "threads": threads,
        # A phone keeps the connection over which it has just fetched a page for a moment longer.
        "worker_connections": _connections(2 * threads),
        # An open phone never finishes by itself, so waiting long for it is waiting for nothing.
        "graceful_timeout": 2,
        # Ctrl+C: without this, Python would wait for those threads. What is saved is on disk.
        "worker_int": lambda worker: os._exit(0),
        "post_worker_init": lambda worker: _end_streams_first(app),
        "control_socket_disable": True,
        # Which forwarding headers to believe is the application's decision.
        "forwarded_allow_ips": "",
        "loglevel": "warning",
    }
    if not app.config.get("DATABASE_URL"):
        # Phones are woken within one process; with PostgreSQL, WEB_CONCURRENCY may ask for more.
        settings["workers"] = 1

    # What there is by now stays: nothing looks through it for garbage, and a worker, which is a
    # copy of this process, goes on sharing it.
    gc.collect()
    gc.freeze()

    class Server(BaseApplication):
        def load_config(self) -> None:
            for name, value in settings.items():
                if name in self.cfg.settings:  # older releases lack some
                    self.cfg.set(name, value)

        def load(self) -> Any:
            return app

    Server().run()


def _connections(wanted: int) -> int:
    """How many connections a worker can have, made to be as many as wanted if the system lets it.

    Most systems let a process open 1,024 files unless it asks for more.
    """
    import resource  # not there on Windows, as gunicorn

    others = 64  # the database's, the log's, those of libraries
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if now != unlimited and now < wanted + others:
        now = wanted + others if most == unlimited else min(wanted + others, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
        wanted = now - others
    return wanted


def _end_streams_first(app: Flask) -> None:
    """Has a worker that is told to stop end its open streams, for which it would wait in vain."""
    from scorekeeper.live import streams_of

    stop = signal.getsignal(signal.SIGTERM)
    assert callable(stop)

    def end(number: int, frame: FrameType | None) -> None:
        streams_of(app).close()
        stop(number, frame)

    signal.signal(signal.SIGTERM, end)


def _run_werkzeug(app: Flask, listener: socket.socket) -> None:
    from werkzeug.serving import make_server

    host, port = listener.getsockname()[:2]
    with contextlib.suppress(KeyboardInterrupt):
        make_server(host, port, app, threaded=True, fd=listener.fileno()).serve_forever()


def _nearby(listener: socket.socket) -> str | None:
    """Returns the address for phones in the same network, or None where none can open it."""
    host, port = listener.getsockname()[:2]
    ip = ip_address(host)
    reached = _address_in_network(listener.family) if ip.is_unspecified else ip
    if reached is None or reached.is_loopback:
        return None
    name = f"[{reached}]" if isinstance(reached, IPv6Address) else reached
    return f"http://{name}:{port}"


def _welcome(listener: socket.socket, url: str | None, to: Translator) -> str:
    """Returns what the terminal shows: the address for the phones, its code, and how to stop."""
    if url is None:
        host, port = listener.getsockname()[:2]
        alone = ip_address(host).is_loopback
        why = say("it listens here alone") if alone else say("this machine is in no network")
        here = f"http://localhost:{port}/"
        lines = [
            say("Scorekeeper is running at %(url)s", url=here).render(to),
            say("No phone can open that: %(why)s.", why=why).render(to),
        ]
    else:
        address = f"{url}/"
        told = say("Scorekeeper is running. Open this on the phones at the table:")
        lines = [told.render(to), address]
        if sys.stdout.isatty() and sys.stdout.encoding.lower() == "utf-8":
            lines += ["", *terminal_code(address)]
    return "\n".join([*lines, "", say("Ctrl+C stops it.").render(to)])


def _address_in_network(family: int) -> Address | None:
    """Returns this machine's own address in its network, or None where it has none."""
    # Connecting a datagram socket sends nothing; it only asks which way packets would leave.
    # The address asked for is set aside for documentation and belongs to nobody.
    far = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((far, 9))
        except OSError:  # no way out, as in a network that this machine itself opened
            return _address_by_name(family)
        return ip_address(probe.getsockname()[0])


def _address_by_name(family: int) -> Address | None:
    """Returns the address that this machine's own name stands for, unless only it knows it."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_STREAM)
    except OSError:
        return None
    addresses = (ip_address(entry[4][0]) for entry in found)
    return next((address for address in addresses if not address.is_loopback), None)


def terminal_code(text: str) -> Iterator[str]:
    """Draws a QR code, two of its rows to a line, black on white in every terminal."""
    code = qrcode.QRCode(border=4)
    code.add_data(text)
    rows = code.get_matrix()
    blank = [False] * len(rows)
    for upper, lower in zip_longest(rows[::2], rows[1::2], fillvalue=blank):
        cells = "".join(" ▄▀█"[2 * up + down] for up, down in zip(upper, lower, strict=True))
        # Colours 16 and 231 are fixed; the first sixteen are the theme's.
        yield f"\x1b[38;5;16;48;5;231m{cells}\x1b[0m"
