"""Whether the books are what was written: everything stored, held against itself and the rules.

For each series the events are gone through in order, and what was written with each is derived
again: the chain of hashes, the revisions and postings, the amounts by the rules of this version.
The first thing that differs is named and nothing is changed: where new rules would count an old
round otherwise, what was booked stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Text, null, select, type_coerce
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import Role, hash_of, make_secret
from scorekeeper.ledger.book import figures
from scorekeeper.ledger.chain import (
    ENGINE,
    Change,
    Row,
    event_hash,
    head_seal,
    reason_seal,
)
from scorekeeper.ledger.database import UnknownSeries, reading
from scorekeeper.ledger.past import Round
from scorekeeper.ledger.rounds import request_hash
from scorekeeper.ledger.standing import Standing
from scorekeeper.ledger.tables import (
    Event,
    Head,
    KeptAnswer,
    Player,
    PlayerName,
    Posting,
    Reason,
    RoundRevision,
    Secret,
    Series,
    written,
)
from scorekeeper.rules import RuleError, settle


@dataclass(frozen=True)
class Difference:
    """The first thing in a series that is not as it was written, or not as it would be settled.

    `event` is the number of the event it belongs to, None where it belongs to none; `what` is an
    English sentence without its beginning.
    """

    series_id: str
    event: int | None
    what: str

    def __str__(self) -> str:
        place = "" if self.event is None else f", event {self.event}"
        return f"Series {self.series_id}{place}: {self.what}"


@dataclass(frozen=True)
class Checked:
    """How many series and revisions of rounds there are, and the first difference of each series.

    A series that is as it was written has none.
    """

    series: int
    revisions: int
    differences: tuple[Difference, ...]


def check(series_id: str | None = None) -> Checked:
    """Checks one series or all of them; raises UnknownSeries where there is no such one."""
    with reading() as books:
        # An event without its series, or a series without its events, is found as well.
        known = {*books.scalars(select(Series.id)), *books.scalars(select(Event.series_id))}
    if series_id is not None and series_id not in known:
        raise UnknownSeries(series_id)
    revisions, differences = 0, []
    for each in sorted(known) if series_id is None else [series_id]:
        with reading() as books:
            first = next(_unreadable(books, each), None)
            audit = None if first else _Audit(books, each)
        if audit is not None:
            revisions += len(audit.revisions)
            first = next(audit.differences(), None)
        if first is not None:
            differences.append(Difference(each, *first))
    return Checked(1 if series_id else len(known), revisions, tuple(differences))


Found = tuple[int | None, str]

# Texts that a column reads as something else.
_TEXTS: tuple[tuple[Any, Any, Any], ...] = (
    (Series.id, null(), Series.created_at),
    (Event.series_id, Event.number, Event.at),
    (Event.series_id, Event.number, Event.data),
    (RoundRevision.series_id, RoundRevision.event_number, RoundRevision.entry),
    (RoundRevision.series_id, RoundRevision.event_number, RoundRevision.result),
    (KeptAnswer.series_id, null(), KeptAnswer.answer),
)


def _unreadable(books: Session, series_id: str) -> Iterator[Found]:
    """Rows whose texts are not what their columns hold: no other way to read them survives that."""
    for key, number, column in _TEXTS:
        stored = select(number, type_coerce(column, Text)).where(key == series_id)
        for event, text in books.execute(stored):
            try:
                column.type.process_result_value(text, books.get_bind().dialect)
            except (TypeError, ValueError):
                yield event, f"what stands in {column} cannot be read."


class _Audit:
    """All rows of one series, and what is wrong with them, in the order of the events."""

    def __init__(self, books: Session, series_id: str) -> None:
        def rows(table: Any) -> list[Any]:
            keys = table.__mapper__.primary_key
            of_series = select(table).where(table.series_id == series_id).order_by(*keys)
            return list(books.scalars(of_series))

        self.id = series_id
        self.series = books.get(Series, series_id)
        self.head = books.get(Head, series_id)
        self.events: list[Event] = rows(Event)
        self.revisions: list[RoundRevision] = rows(RoundRevision)
        self.postings: list[Posting] = rows(Posting)
        self.players: list[Player] = rows(Player)
        self.names: list[PlayerName] = rows(PlayerName)
        self.reasons: list[Reason] = rows(Reason)
        self.kept: list[KeptAnswer] = rows(KeptAnswer)
        self.secrets: list[Secret] = rows(Secret)
        # What has been gone through so far.
        self.standing: Standing | None = None
        self.known: dict[tuple[int, int], Round] = {}

    def differences(self) -> Iterator[Found]:
        """Everything that differs; only the first is sure to be more than a consequence."""
        if not self.events or self.series is None:
            yield None, "its beginning is missing."
            return
        before = b""
        for expected, event in enumerate(self.events, 1):
            if event.number != expected:
                yield expected, f"it is missing, and event {event.number} comes next."
            for what in self._event(event, before):
                yield event.number, what
            before = event.hash
        if self.head is None or self.head.seal != head_seal(before):
            yield self.events[-1].number, "the seal is not on this event: others came after it."
        yield from self._leftovers()

    # --- One event --------------------------------------------------------------------------------

    def _event(self, event: Event, before: bytes) -> list[str]:
        """What is wrong with an event and the rows that were written with it."""
        try:
            return [*self._found(event, before)]
        except KeyError as missing:
            return [f"something that belongs to it is missing or too much: {missing}."]
        except (AttributeError, IndexError, TypeError, ValueError) as problem:
            # The ledger writes nothing that this cannot read.
            return [f"it is not as it was written ({type(problem).__name__})."]

    def _found(self, event: Event, before: bytes) -> Iterator[str]:
        revisions = [row for row in self.revisions if row.event_number == event.number]
        postings = [row for row in self.postings if row.event_number == event.number]
        intact = event.hash == event_hash(before, self._content(event, revisions, postings))
        changes = [*self._changes(event, revisions)]
        yield from self._in_force(changes)
        yield from self._postings(changes, postings)
        for row in revisions:
            yield from self._settled(row, event, intact)
        if not intact:
            yield "it is not as it was written: its hash is another."
        if self.standing is None:
            self.standing = Standing.started(event.data)
        else:
            self.standing.apply(event.number, event.data)

    def _content(
        self, event: Event, revisions: list[RoundRevision], postings: list[Posting]
    ) -> list[Any]:
        """What the hash of an event is computed from, as it is stored."""
        fields = ("round_number", "revision", "entry", "result")
        return [
            self.id,
            event.number,
            event.kind,
            written(event.at),
            event.by,
            event.data,
            [{name: getattr(row, name) for name in fields} for row in revisions],
            [{"line": row.line, **_posting(row)} for row in postings],
        ]

    def _changes(self, event: Event, revisions: list[RoundRevision]) -> Iterator[Change]:
        """The changes of rounds that an event says it made; raises KeyError if rows are missing."""
        new = {
            (row.round_number, row.revision): Round(
                row.round_number, row.revision, row.entry, row.result, event.by, event.at
            )
            for row in revisions
        }
        self.known |= new
        for step in event.data.get("rounds", ()):
            before, after = (
                None if step[side] is None else self.known[step["round"], step[side]]
                for side in ("before", "after")
            )
            yield Change(step["round"], before, after)
            new.pop((step["round"], step["after"]), None)
        if new:
            raise KeyError(*new)

    def _in_force(self, changes: list[Change]) -> Iterator[str]:
        """Which change does not start from the revision that was in force."""
        stood = self.standing.rounds if self.standing else {}
        for change in changes:
            before = change.step["before"]
            if stood.get(change.number) != before:
                yield f"round {change.number} was not at revision {before}, which it replaces."

    def _postings(self, changes: list[Change], stored: list[Posting]) -> Iterator[str]:
        """Which posting is not what the changes of rounds post."""
        expected = [posting for change in changes for posting in change.postings()]
        found = {row.line: _posting(row) for row in stored}
        for line, posting in enumerate(expected):
            if line not in found:
                yield f"posting {line} is missing."
            elif found[line] != posting:
                yield f"posting {line} is {_told(found[line])}; it should be {_told(posting)}."
        for line in found.keys() - set(range(len(expected))):
            yield f"posting {line} ({_told(found[line])}) belongs to no round of this event."

    def _settled(self, row: RoundRevision, event: Event, intact: bool) -> Iterator[str]:
        """Whether the rules of this version would settle a revision as it was settled."""
        what = f"round {row.round_number}, revision {row.revision}"
        if row.result.get("zero_sum") and sum(row.result["amounts"]) != 0:
            yield f"{what} does not add up to nothing: {row.result['amounts']}."
        try:
            now = figures(settle(_anonymous(row.entry)))
        except RuleError as refusal:
            now = {"amounts": None, "refused": refusal.message}
        if now == row.result:
            return
        if not intact:
            yield f"{what} is not as it was written."
            return
        by = f"booked by version {event.data.get('engine', 1)} of the rules, this is {ENGINE}"
        if "refused" in now:
            yield f"{what} would be refused today ({by}): {now['refused']}"
        elif now["amounts"] != row.result["amounts"]:
            booked = row.result["amounts"]
            yield f"{what} would book {now['amounts']} today, not {booked}, which stands ({by})."
        else:
            fields = sorted(key for key in now if now[key] != row.result.get(key))
            yield f"{what} would have other {', '.join(fields)} today ({by})."

    # --- What belongs to no one event, or is not sealed by it -------------------------------------

    def _leftovers(self) -> Iterator[Found]:
        assert self.series is not None
        started = self.events[0]
        stored = (self.series.game, self.series.length, self.series.created_at)
        if stored != (started.data["game"], started.data["length"], started.at):
            yield 1, "the series is not as it was started."
        numbers = {event.number for event in self.events}
        written_with: list[Any] = [*self.revisions, *self.postings, *self.reasons]
        for row in written_with:
            if row.event_number not in numbers:
                yield row.event_number, "it is missing, and something written with it is not."
        yield from self._rounds()
        yield from self._people()
        yield from self._texts()
        yield from self._answers()
        yield from self._keys()

    def _rounds(self) -> Iterator[Found]:
        """Rounds are numbered without a gap, and so are the revisions of each."""
        assert self.standing is not None
        if sorted(self.standing.rounds) != [*range(1, len(self.standing.rounds) + 1)]:
            yield None, f"its rounds are numbered {sorted(self.standing.rounds)}."
        for number in {row.round_number for row in self.revisions}:
            found = [row.revision for row in self.revisions if row.round_number == number]
            if found != [*range(1, len(found) + 1)]:
                yield None, f"the revisions of round {number} are numbered {found}."
        yield from self._totals()

    def _totals(self) -> Iterator[Found]:
        """The sums of all postings are those of the rounds in force."""
        assert self.standing is not None
        sums: dict[tuple[int, str], int] = {}
        for number, revision in self.standing.rounds.items():
            played = self.known[number, revision]
            for player, amount in played.amounts.items():
                sums[player, played.unit] = sums.get((player, played.unit), 0) - amount
        for row in self.postings:
            key = (row.player_id, row.unit)
            sums[key] = sums.get(key, 0) + row.amount
        for (player, unit), rest in sums.items():
            if rest:
                yield None, f"the {unit} of player {player} are {rest:+} from those of the rounds."

    def _people(self) -> Iterator[Found]:
        """Everybody joined by an event, and every name was given by one."""
        joined = dict.fromkeys(self.events[0].data["players"], 1)
        named = {(player, 1) for player in joined}
        for event in self.events:
            change = event.data.get("player")
            if event.kind == "joined" and change:
                joined[change["id"]] = event.number
            if "name" in event.data and "undoes" not in event.data:
                named.add((event.data["name"]["id"], event.number))
        stored = {row.id: row.event_number for row in self.players}
        for player in sorted(joined.keys() | stored.keys()):
            if joined.get(player) != stored.get(player):
                number = joined.get(player) or stored[player]
                yield number, f"player {player} did not join by this event, or is missing."
        for name in self.names:
            if (name.player_id, name.event_number) not in named:
                yield name.event_number, f"player {name.player_id} was not named by this event."

    def _keys(self) -> Iterator[Found]:
        """Each role has the secret that its last rotation gave it, and no other."""
        given = dict.fromkeys((role.value for role in Role), 1)
        for event in self.events:
            change = event.data.get("access", {})
            if "role" in change:
                given[change["role"]] = change["after"]
        stored = {row.role: (row.generation, row.hash) for row in self.secrets}
        for role, generation in given.items():
            expected = generation, hash_of(make_secret(self.id, role, generation))
            if stored.get(role) != expected:
                yield None, f"the secret to {role} is not the one that was given out."

    def _texts(self) -> Iterator[Found]:
        """A reason that was not erased is the one that was given."""
        given = {event.number: event.data.get("reason") for event in self.events}
        for row in self.reasons:
            if given.get(row.event_number) != reason_seal(self.id, row.event_number, row.text):
                yield row.event_number, "its reason is not the one that was given."

    def _answers(self) -> Iterator[Found]:
        """A kept answer is the one to its request: the event of that round knows the request."""
        asked = {event.data["request"]: event for event in self.events if "request" in event.data}
        for row in self.kept:
            event = asked.pop(request_hash(row.key, row.body_hash), None)
            event = event or self._older(row)
            step = None if event is None else event.data["rounds"][0]
            if step is None or (row.status, row.answer) != (
                201,
                {"round": step["round"], "revision": step["after"]},
            ):
                number = None if event is None else event.number
                yield number, f"the answer kept for the request {row.key!r} is not its answer."
        for event in asked.values():
            yield event.number, "the answer kept for its request is missing."

    def _older(self, row: KeptAnswer) -> Event | None:
        """The event of a request from before events knew their requests."""
        answer = row.answer if isinstance(row.answer, Mapping) else {}
        for event in self.events:
            if event.kind == "recorded" and "engine" not in event.data:
                step = event.data["rounds"][0]
                if (step["round"], step["after"]) == (answer.get("round"), answer.get("revision")):
                    return event
        return None


def _posting(row: Posting) -> Row:
    fields = ("round_number", "player_id", "amount", "unit")
    return {name: getattr(row, name) for name in fields}


def _told(posting: Row) -> str:
    return "round {round_number}, player {player_id}, {amount} {unit}".format(**posting)


def _anonymous(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry as a document: what people are called changes no figure."""
    seats = [{key: seat[key] for key in seat if key != "player"} for seat in entry["seats"]]
    return {**entry, "seats": seats}
