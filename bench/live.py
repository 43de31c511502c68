"""Live: from just before a save until all phones of the table have the new scoreboard.

500 phones at 125 tables keep a stream open each. Rounds are saved at a steady pace, table after
table, however long those before take; each phone that hears of the new version fetches the
scoreboard, over another connection, which it keeps for as long as the server does. Time runs from
when a save is due until the last of its table's four phones has the whole answer. This program
plays the phones; the server is another process, started by its real command.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bench import Figure
from bench.server import Server, serving

TABLES, SEATED = 125, 4
PACE = 50  # saves a second, over all tables
SECONDS = 20
SETTLING = 3  # seconds that idle phones are left alone before memory is read
SEATS = ((1, 100), (2, 84), (3, 80))  # players and their card points, in every round
AT_ONCE = 16  # requests while the tables are set up
PATIENCE = 5  # seconds to wait for phones that have not seen a save at the end


def figures() -> Iterator[Figure]:
    """Latency, memory and processor time."""
    with serving() as server:
        seen = asyncio.run(_Evening(server).spend())
    yield from seen


class _Line:
    """A connection to the server, which is opened again where the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def asks(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> tuple[dict[str, list[str]], bytes]:
        """Sends a request; the headers and the content of its answer."""
        sent = _request(method, path, body, **headers)
        kept = self._streams is not None
        try:
            reader, top = await self._exchange(sent)
        except (ConnectionError, asyncio.IncompleteReadError):
            if not kept:
                raise
            # The server closed it just then, and has not read what was sent.
            self.hangs_up()
            reader, top = await self._exchange(sent)
        status, *lines = top.decode().strip().split("\r\n")
        if status.split()[1] not in ("200", "201", "302", "304"):
            raise SystemExit(f"{method} {path}: {status}")
        head: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            head.setdefault(name.lower(), []).append(value)
        length = int(head.get("content-length", ["0"])[0])
        return head, await reader.readexactly(length)

    async def _exchange(self, sent: bytes) -> tuple[asyncio.StreamReader, bytes]:
        """Sends bytes, and answers the head of what comes back and where the rest is read."""
        if self._streams is None or self._streams[0].at_eof():
            self.hangs_up()
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(sent)
        return reader, await reader.readuntil(b"\r\n\r\n")

    def hangs_up(self) -> None:
        """Closes the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


@dataclass
class _Phone:
    """A phone of a table, with its cookie, and the tag of the scoreboard that it has."""

    line: _Line
    cookie: str = ""
    tag: str = ""

    @property
    def version(self) -> int:
        """The version of the series that its scoreboard shows."""
        return int(re.split(r"\D", self.tag)[0] or 1)


@dataclass
class _Table:
    line: _Line  # over which its rounds are saved
    series: str
    secret: str
    phones: list[_Phone] = field(default_factory=list)
    version: int = 1
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)
    # How many phones have yet to see a version; when it was due, answered, and with the last one.
    missing: dict[int, int] = field(default_factory=dict)
    due_at: dict[int, float] = field(default_factory=dict)
    answered_at: dict[int, float] = field(default_factory=dict)
    seen_at: dict[int, float] = field(default_factory=dict)

    def sees(self, version: int) -> None:
        """A phone has the scoreboard of this version."""
        self.missing[version] -= 1
        if self.missing[version] == 0:
            self.seen_at[version] = time.perf_counter()


class _Evening:
    """All tables of an evening."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tables: list[_Table] = []
        self.connected = 0
        self.late: list[float] = []  # by how much this program missed what was due

    async def spend(self) -> list[Figure]:
        await _all(AT_ONCE, (self._seat for _ in range(TABLES)))
        phones = [(table, phone) for table in self.tables for phone in table.phones]
        # A phone that has the page open has a scoreboard. And whatever memory is taken at the first
        # requests is not the phones'.
        await _all(AT_ONCE, (partial(self._fetch, *one) for one in phones))
        await asyncio.sleep(SETTLING)
        empty = self.server.memory
        listening = [asyncio.create_task(self._listen(*one)) for one in phones]
        while self.connected < len(phones):
            await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLING)
        idle = self.server.memory
        start, busy, own = time.perf_counter(), self.server.busy, time.process_time()
        await self._save_all()
        busy, own = self.server.busy - busy, time.process_time() - own
        took = time.perf_counter() - start
        await self._wait_for_the_last()
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        for table in self.tables:
            for line in (table.line, *(phone.line for phone in table.phones)):
                line.hangs_up()
        return [*self._latencies(), *_memory(empty, idle), *_busy(busy, own, took)]

    # --- Setting up -------------------------------------------------------------------------------

    async def _seat(self) -> None:
        """Starts a series and lets four phones join it."""
        line = _Line(self.server.port)
        body = {"game": "bakappana", "players": ["Aki", "Ben", "Chie"]}
        _, text = await line.asks("POST", "/api/v1/series", json.dumps(body))
        series = json.loads(text)
        table = _Table(line, series["id"], series["secrets"]["enter"])
        for _ in range(SEATED):
            table.phones.append(await self._join(table))
        self.tables.append(table)

    async def _join(self, table: _Table) -> _Phone:
        phone = _Phone(_Line(self.server.port))
        head, page = await phone.line.asks("GET", "/j")
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.decode())
        assert token
        cookies = _cookies(head)
        form = f"csrf_token={token[1]}&link={table.secret}"
        kind = "application/x-www-form-urlencoded"
        head, _ = await phone.line.asks("POST", "/j", form, Cookie=cookies, Content_Type=kind)
        phone.cookie = _cookies(head)
        return phone

    # --- The phones -------------------------------------------------------------------------------

    async def _listen(self, table: _Table, phone: _Phone) -> None:
        """Keeps a stream open, and fetches the scoreboard whenever it says another version."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        path = f"/api/v1/series/{table.series}/events"
        writer.write(_request("GET", path, Cookie=phone.cookie))
        status = await reader.readline()
        assert b" 200 " in status, status
        first = True
        async for line in reader:
            if not line.startswith(b"data: "):
                continue
            version = int(line[6:])
            if first:
                first = False
                self.connected += 1
            elif version > phone.version:
                had = phone.version
                await self._fetch(table, phone)
                for each in range(had + 1, phone.version + 1):
                    table.sees(each)
        raise AssertionError("A stream ended.")

    async def _fetch(self, table: _Table, phone: _Phone) -> None:
        """Fetches the scoreboard as live.js does."""
        headers = {"Accept": "text/x-fragment", "Accept_Encoding": "gzip, deflate"}
        if phone.tag:
            headers["If_None_Match"] = f'"{phone.tag}"'
        path = f"/s/{table.series}"
        head, _ = await phone.line.asks("GET", path, Cookie=phone.cookie, **headers)
        phone.tag = head["etag"][0].removeprefix("W/").strip('"')

    # --- The saves --------------------------------------------------------------------------------

    async def _save_all(self) -> None:
        """Saves at a steady pace, whether or not those before are done."""
        start = time.perf_counter()
        turns = itertools.cycle(random.Random(1).sample(self.tables, len(self.tables)))
        saving = []
        for number in range(PACE * SECONDS):
            due = start + number / PACE
            await asyncio.sleep(max(0, due - time.perf_counter()))
            self.late.append(time.perf_counter() - due)
            saving.append(asyncio.create_task(self._save(next(turns), due)))
        await asyncio.gather(*saving)

    async def _save(self, table: _Table, due: float) -> None:
        async with table.saving:
            number = table.version
            version = table.version = number + 1
            table.missing[version] = len(table.phones)
            table.due_at[version] = due
            seats = [{"player": at, "points": points} for at, points in SEATS]
            await table.line.asks(
                "POST",
                f"/api/v1/series/{table.series}/rounds",
                json.dumps({"number": number, "seats": seats}),
                Authorization=f"Bearer {table.secret}",
            )
            table.answered_at[version] = time.perf_counter()

    async def _wait_for_the_last(self) -> None:
        until = time.perf_counter() + PATIENCE
        while time.perf_counter() < until and any(any(one.missing.values()) for one in self.tables):
            await asyncio.sleep(0.1)

    # --- What it came to --------------------------------------------------------------------------

    def _latencies(self) -> Iterator[Figure]:
        answered = self._took(lambda table: (table.due_at, table.answered_at))
        seen = self._took(lambda table: (table.due_at, table.seen_at))
        after = self._took(lambda table: (table.answered_at, table.seen_at))
        late = sorted(1000 * seconds for seconds in self.late)
        yield Figure("phones, four to a table", self.connected, "")
        yield Figure(f"saves, {PACE} a second", len(answered), "")
        yield Figure("saves that a phone of the table never saw", len(answered) - len(seen), "", 0)
        yield Figure("save to its own answer, p50", _at(answered, 0.5), "ms")
        yield Figure("save to its own answer, p99", _at(answered, 0.99), "ms")
        yield Figure("save to all four phones, p50", _at(seen, 0.5), "ms")
        yield Figure("save to all four phones, p99", _at(seen, 0.99), "ms", 50)
        yield Figure("save to all four phones, the longest", seen[-1], "ms")
        yield Figure("of that after the answer to the save, p50", _at(after, 0.5), "ms")
        yield Figure("of that after the answer to the save, p99", _at(after, 0.99), "ms")
        yield Figure("of that this program's own delay, p99", _at(late, 0.99), "ms")

    def _took(
        self, moments: Callable[[_Table], tuple[dict[int, float], dict[int, float]]]
    ) -> list[float]:
        """Milliseconds from one moment of each save to another, sorted."""
        both = map(moments, self.tables)
        return sorted(
            1000 * (end - start[version]) for start, ends in both for version, end in ends.items()
        )


def _request(method: str, path: str, body: str = "", **headers: str) -> bytes:
    """A request; `Content_Type` stands for `Content-Type`."""
    known = {"Host": "127.0.0.1", "Content-Length": str(len(body))} if body else {"Host": "x"}
    sent = known | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def _cookies(head: dict[str, list[str]]) -> str:
    return "; ".join(one.partition(";")[0] for one in head.get("set-cookie", []))


async def _all(at_once: int, work: Iterator[Callable[[], Awaitable[Any]]]) -> None:
    """Does all of it, so much at once."""

    async def some() -> None:
        for one in work:
            await one()

    await asyncio.gather(*(some() for _ in range(at_once)))


def _at(values: list[float], share: float) -> float:
    """The value that this share of the sorted values does not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


def _memory(empty: int, idle: int) -> Iterator[Figure]:
    yield Figure("memory, no phone", empty / 1e6, "MB")
    yield Figure("memory, all phones idle", idle / 1e6, "MB")
    yield Figure("memory for each phone", (idle - empty) / (TABLES * SEATED) / 1e3, "kB", 100)


def _busy(busy: float, own: float, took: float) -> Iterator[Figure]:
    yield Figure("processor time of the server for a save", 1000 * busy / (PACE * SECONDS), "ms")
    yield Figure("server, of one core", 100 * busy / took, "%")
    yield Figure("this program, of one core", 100 * own / took, "%")
