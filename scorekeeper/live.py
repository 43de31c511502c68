"""Telling the other phones.

A phone that shows a series holds a stream open, on which it gets the number of the version
whenever that changes, and nothing else:

    retry: 3127

    id: 12
    data: 12

    event: pending
    data: 3

    : still here

The event `pending` is for phones alone: it says how often what they gave of the round in progress
has changed since the version. A phone then fetches the part of its page that changed, with the tag
of what it has (see `part`).

A stream waits in a thread of the server, without a database connection, until somebody writes to
its series. Within one process that is a bell, rung after the commit. Where several processes share
a PostgreSQL database, one thread in each listens for the others and rings the bells.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, current_app, request
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import NotFound, ServiceUnavailable

from scorekeeper import ledger
from scorekeeper.ledger import Book, Pending, Role, UnknownSeries
from scorekeeper.ledger.book import versions_of
from scorekeeper.ledger.news import happened, listen, notices, several_processes
from scorekeeper.rules.sentence import Name, Sentence, Signed, say
from scorekeeper.words import html, language

STREAM_LIMIT = 600
"""How many streams a process has open unless told otherwise; each of them takes a thread."""

PART = "text/x-fragment"
"""What a page accepts that wants only the part of it that changes."""

# The keys under `app.extensions`.
_STREAMS, _PARTS = "scorekeeper.streams", "scorekeeper.parts"

Look = Callable[[], tuple[Role, int, int] | None]
"""What whoever listens may do in the series at this moment, its version, and how often what is
pending there changed since (always 0 for who is not told); None for nothing."""


def open_streams(app: Flask) -> None:
    """Gives an app its streams; STREAM_LIMIT says how many at most."""
    streams = Streams(app, app.config["STREAM_LIMIT"])
    app.extensions[_STREAMS] = streams
    app.extensions[_PARTS] = Shared(size=256, moment=5)
    listen(app, streams.ring)


def streams_of(app: Flask) -> Streams:
    """The streams of an app."""
    streams: Streams = app.extensions[_STREAMS]
    return streams


@dataclass(frozen=True)
class Pace:
    """How long things take, in seconds."""

    heartbeat: float = 15
    """A stream is never quiet for longer: proxies close what is, and the dead are found."""
    lifetime: float = 600
    """After this a stream ends, and the phone opens another."""
    recheck: float = 5
    """How often the database is asked whether a notice was lost."""
    patience: float = 1
    """How long to wait before a database that went away is looked for again."""


class Streams:
    """The open streams of one process."""

    def __init__(
        self,
        app: Flask,
        limit: int,
        pace: Pace | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app, self.limit, self.pace, self.clock = app, limit, pace or Pace(), clock
        self._lock = threading.Lock()
        self._open: dict[str, set[Stream]] = {}
        self._count = 0
        self._closed = threading.Event()
        self._listener: threading.Thread | None = None

    @property
    def count(self) -> int:
        """How many are open."""
        return self._count

    @property
    def closed(self) -> bool:
        """Whether the process is about to end."""
        return self._closed.is_set()

    @property
    def listening(self) -> bool:
        """Whether this process listens to others."""
        return self._listener is not None and self._listener.is_alive()

    def open(self, series_id: str, look: Look, seen: int | None = None) -> Stream | None:
        """A stream for a phone that has seen this version; None where there are enough."""
        # Asked before the lock is taken: what holds it never waits for a database.
        several = several_processes()
        with self._lock:
            if self._count >= self.limit or self.closed:
                return None
            self._count += 1
            stream = Stream(self, series_id, look, seen)
            self._open.setdefault(series_id, set()).add(stream)
            # At the first stream and no sooner: a process that is forked keeps none of its threads.
            if several and self._listener is None:
                self._listener = threading.Thread(target=self._listen, name="live", daemon=True)
                self._listener.start()
        return stream

    def drop(self, stream: Stream) -> None:
        """Forgets a stream that has ended."""
        with self._lock:
            listening = self._open.get(stream.series_id, set())
            if stream in listening:
                listening.remove(stream)
                self._count -= 1
            if not listening:
                self._open.pop(stream.series_id, None)

    def ring(self, series_id: str) -> None:
        """Wakes whoever listens to a series."""
        with self._lock:
            listening = [*self._open.get(series_id, ())]
        for stream in listening:
            stream.bell.set()

    def close(self) -> None:
        """Ends all streams, and the listening for other processes."""
        self._closed.set()
        for series_id in [*self._open]:
            self.ring(series_id)

    def wait_until_closed(self, timeout: float) -> None:
        """Returns once the listening has ended, which takes a `recheck` at most."""
        if self._listener is not None:
            self._listener.join(timeout)

    # --- Other processes --------------------------------------------------------------------------

    def _listen(self) -> None:
        """Rings for what any process changes, for as long as this one lives."""
        while not self.closed:
            try:
                self._hear()
            except Exception as problem:  # whatever its driver raises when a database goes away
                self.app.logger.warning("Listening to the database again", exc_info=problem)
                self._closed.wait(self.pace.patience)

    def _hear(self) -> None:
        with self.app.app_context():
            for series_id in notices(self.pace.recheck):
                if self.closed:
                    return
                if series_id is None:
                    self._ring_for_what_was_missed()
                else:
                    self.ring(series_id)

    def _ring_for_what_was_missed(self) -> None:
        """Compares what was sent with what is there: a notice may have been lost."""
        with self._lock:
            sent = {
                key: {(one.version, one.changes) for one in streams}
                for key, streams in self._open.items()
            }
        for series_id, found in versions_of(sent).items() if sent else ():
            if sent[series_id] != {found}:
                self.ring(series_id)


class Stream:
    """What one phone is sent; ends when it may no longer listen, and after its lifetime."""

    def __init__(self, streams: Streams, series_id: str, look: Look, seen: int | None) -> None:
        self.series_id, self.version, self.changes = series_id, seen, 0
        self.bell = threading.Event()
        self._streams, self._asked = streams, look

    def __iter__(self) -> Iterator[str]:
        clock, pace = self._streams.clock, self._streams.pace
        ends = clock() + pace.lifetime
        # Not all at once, when a server comes back.
        yield f"retry: {random.randint(2000, 5000)}\n\n"
        role = None
        beats = clock()
        while clock() < ends:
            # Before looking: whoever writes after that rings again, or ends all streams.
            self.bell.clear()
            found = None if self._streams.closed else self._look()
            # What a page shows depends on the role: with another one, the phone starts anew.
            if found is None or found[0] is not (role := role or found[0]):
                return
            _, version, changes = found
            if version != self.version:
                self.version, self.changes = version, 0
                yield f"id: {version}\ndata: {version}\n\n"
                beats = clock() + pace.heartbeat
            if changes != self.changes:
                self.changes = changes
                yield f"event: pending\ndata: {changes}\n\n"
                beats = clock() + pace.heartbeat
            elif clock() >= beats:
                yield ": still here\n\n"
                beats = clock() + pace.heartbeat
            self.bell.wait(max(0, min(beats, ends) - clock()))

    def _look(self) -> tuple[Role, int, int] | None:
        """What whoever listens may do now, and what there is; None where they may not listen."""
        with self._streams.app.app_context():
            try:
                return self._asked()
            except (UnknownSeries, SQLAlchemyError):
                # Without the database nobody knows who may listen; the phone comes again.
                return None

    def close(self) -> None:
        """Called by the server when the answer is over, however it ended."""
        self._streams.drop(self)


def stream(series_id: str, look: Look) -> Response:
    """The answer that is a stream. Raises NotFound for those who may not listen."""
    if look() is None:
        raise NotFound
    seen = request.headers.get("Last-Event-ID", "")
    opened: Stream | tuple[()] | None = ()
    if request.method != "HEAD":
        known = int(seen) if re.fullmatch(r"[0-9]{1,9}", seen) else None
        opened = streams_of(current_app).open(series_id, look, known)
    if opened is None:
        raise ServiceUnavailable(retry_after=30)
    answer = Response(opened, mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"  # or nginx would keep the events to itself
    return answer


# --- The part of a page that changes --------------------------------------------------------------


class Shared:
    """What many phones ask for at the same moment, made once and kept for a moment."""

    def __init__(self, size: int, moment: float) -> None:
        self._size, self._moment = size, moment
        self._lock = threading.Lock()
        self._made: OrderedDict[Hashable, tuple[float, Future[Any]]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What belongs to the key; whoever asks first makes it, the others wait for that."""
        now = time.monotonic()
        with self._lock:
            began, future = self._made.get(key, (-self._moment, None))
            if mine := future is None or now - began > self._moment:
                future = Future()
                self._made[key] = now, future
                self._made.move_to_end(key)
                if len(self._made) > self._size:
                    self._made.popitem(last=False)
        if mine:
            try:
                future.set_result(make())
            except BaseException as problem:
                with self._lock:
                    self._made.pop(key, None)
                future.set_exception(problem)
        return future.result()


def tag(version: int, role: Role, changes: int | None = None) -> str:
    """What a page depends on besides its address: the version, the role and the language.

    And how often what is pending changed since that version, where the page shows it.
    """
    since = "" if changes is None else f".{changes}"
    return f"{version}{since}-{role}-{language()}"


def part_wanted() -> bool:
    """Whether a page is asked only for the part of it that changes."""
    return request.headers.get("Accept") == PART


def part(
    series_id: str,
    token: str | None,
    render: Callable[[Book, Role], str] | None = None,
    pending: Callable[[Book, Role, Pending], str] | None = None,
) -> Response:
    """The part of a page that changes, and first of all the news; 304 where the phone has it.

    Rendered by `render`, or by `pending` where it shows what is pending, too. Whatever depends on
    the phone beyond its role and language has no place in it: phones that ask for the same page
    get the same text. Raises NotFound for a phone that may not see the series.
    """
    found = ledger.sees(token, series_id) if token else None
    if found is None:
        raise NotFound
    role, version, changes = found
    known = tag(version, role, changes if pending else None)
    if request.if_none_match.contains_weak(known):
        answer = Response(status=304)
    else:

        def make() -> tuple[str, str]:
            book = ledger.read(series_id)
            if pending is None:
                assert render is not None
                return tag(book.version, role), _with_news(book, had, render(book, role))
            # Most of the time there is nothing, and nothing is asked for.
            there = ledger.pending(series_id) if changes or book.version != version else Pending()
            text = _with_news(book, had, pending(book, role, there), there)
            return tag(book.version, role, there.changes), text

        parts: Shared = current_app.extensions[_PARTS]
        had = _had()
        known, text = parts.get((request.full_path, known, had), make)
        answer = Response(text)
    answer.set_etag(known)
    answer.headers["Cache-Control"] = "private, no-store"
    answer.vary.add("Accept")
    return answer


def _with_news(
    book: Book, had: tuple[int, int] | None, text: str, there: Pending | None = None
) -> str:
    told = [] if had is None else news(book, had[0])
    if had is not None and there is not None:
        told += _pending_news(book, there, had[1] if had[0] == book.version else 0)
    sentences = " ".join(html(sentence) for sentence in told)
    return f"<p data-news>{sentences}</p>\n{text}"


def _had() -> tuple[int, int] | None:
    """The version of what the phone has and what was pending, as in the tag that it sends."""
    for one in request.if_none_match.as_set(include_weak=True):
        # One that is empty is read as None.
        if found := re.match(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?-", one or ""):
            return int(found[1]), int(found[2] or 0)
    return None


def _pending_news(book: Book, there: Pending, had: int) -> Iterator[Sentence]:
    """What came in since so many changes, and stands."""
    for player, pile in there.piles.items():
        if pile.change > had and player not in there.others:
            name = Name(book.name_of(player))
            if pile.edits:
                yield say("The pile of %(name)s was changed.", name=name)
            else:
                yield say("The pile of %(name)s is in.", name=name)
    for player, others in there.others.items():
        if any(pile.change > had for pile in (*others, there.piles[player])):
            name = Name(book.name_of(player))
            yield say("Two phones differ about the pile of %(name)s.", name=name)
    proposal = there.proposal
    if proposal is not None and proposal.change > had:
        number = book.next_number
        if proposal.waits:
            yield say("Round %(number)s waits for a yes from another phone.", number=number)
        else:
            yield say("Round %(number)s was given back.", number=number)


def news(book: Book, had: int) -> list[Sentence]:
    """What happened since a version, in a sentence or two."""
    events = happened(book.id, had)[: max(0, book.version - had)]
    told = [_told(book, kind, data) for kind, data in events[-2:]]
    if None in told:
        lines = ledger.history(book.id, before=book.version + 1, limit=len(told))
        told = [known or line.said for known, line in zip(told, reversed(lines), strict=True)]
    if len(events) > len(told):
        told.insert(0, say("%(count)s changes meanwhile.", count=len(events)))
    return [sentence for sentence in told if sentence]


def _told(book: Book, kind: str, data: Mapping[str, Any]) -> Sentence | None:
    """What happened to a round, with its amounts; None for what only the history can tell."""
    if kind not in ("recorded", "corrected"):
        return None
    played = book.round(data["rounds"][0]["round"])
    if played is None:
        return None
    amounts = [
        (Name(book.name_of(player)), Signed(amount)) for player, amount in played.amounts.items()
    ]
    number = played.number
    if kind == "corrected":
        return say("Round %(number)s was corrected: %(amounts)s.", number=number, amounts=amounts)
    if played.void:
        return say("Round %(number)s is in, without a result.", number=number)
    return say("Round %(number)s is in: %(amounts)s.", number=number, amounts=amounts)
