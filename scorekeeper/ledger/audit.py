"""Whether the books are what was written: everything stored, held against itself and the rules.

For each series the rows are read as they are stored, and the events are gone through in order; what
was written with each is derived again: the chain of hashes, the revisions and postings, the amounts
by the rules of this version. The first thing that differs is named and nothing is changed: where
new rules would count an old round otherwise, what was booked stands.

What cannot be found: a whole older copy of the database that was put back, or of all rows of a
series, or a series of which every row was taken out (the version and the seal of each series are
told, to be compared with a note); names and reasons that were taken out, which is how they are
erased (those that are missing are counted); and whatever somebody did who has the key. Of an event
from before names were sealed, other names are not found. What phones may do and are called by
number, and what is not in the books yet, is not checked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import Role, hash_of, make_secret
from scorekeeper.ledger.book import figures
from scorekeeper.ledger.chain import (
    ENGINE,
    Change,
    Row,
    claims_seal,
    event_hash,
    head_seal,
    name_seals,
    reason_seal,
)
from scorekeeper.ledger.database import LedgerError, UnknownSeries, reading, why_not
from scorekeeper.ledger.past import Round
from scorekeeper.ledger.rounds import request_hash
from scorekeeper.ledger.standing import Standing
from scorekeeper.ledger.stored import Unreadable, as_stored, database_faults, rows_of, series_there
from scorekeeper.ledger.tables import written
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.game import UNITS
from scorekeeper.rules.sentence import Sentence, Signed, brief, say


@dataclass(frozen=True)
class Difference:
    """The first thing in a series that is not as it was written, or not as it would be settled.

    `event` is the number of the event it belongs to, None where it belongs to none; `series_id` is
    None for what belongs to no series.
    """

    series_id: str | None
    event: int | None
    what: Sentence

    @property
    def sentence(self) -> Sentence:
        """Where it is and what it is."""
        if self.series_id is None:
            return say("The database: %(what)s", what=self.what)
        if self.event is None:
            return say("Series %(id)s: %(what)s", id=self.series_id, what=self.what)
        return say(
            "Series %(id)s, event %(event)s: %(what)s",
            id=self.series_id,
            event=self.event,
            what=self.what,
        )

    def __str__(self) -> str:
        return self.sentence.render()


@dataclass(frozen=True)
class Sealed:
    """A series that is as it was written: its version, and the beginning of the seal on it.

    An older copy of it has other ones. `erased` is how many names and reasons are missing.
    """

    series_id: str
    version: int
    seal: str
    erased: int

    @property
    def sentence(self) -> Sentence:
        """What to write down, to compare it with later."""
        if not self.erased:
            return say(
                "Series %(id)s: version %(version)s, seal %(seal)s.",
                id=self.series_id,
                version=self.version,
                seal=self.seal,
            )
        return say(
            "Series %(id)s: version %(version)s, seal %(seal)s; "
            "names and reasons that were erased: %(erased)s.",
            id=self.series_id,
            version=self.version,
            seal=self.seal,
            erased=self.erased,
        )


@dataclass(frozen=True)
class Checked:
    """How many series and revisions of rounds there are, and the first difference of each series.

    A series that is as it was written has none, and is among `sealed`.
    """

    series: int
    revisions: int
    differences: tuple[Difference, ...]
    sealed: tuple[Sealed, ...] = field(default=(), compare=False)


def check(series_id: str | None = None) -> Checked:
    """Checks one series, or all of them and the database they are in.

    Raises UnknownSeries where there is no such one, LedgerError where nothing can be read.
    """
    try:
        with reading() as books, as_stored(books):
            known = series_there(books, series_id)
            whole = [] if series_id else [*database_faults(books)]
    except SQLAlchemyError as problem:
        why = why_not(problem)
        raise LedgerError(say("The books cannot be read: %(why)s.", why=why)) from problem
    if series_id is not None and not known:
        raise UnknownSeries(series_id)
    revisions, sealed = 0, []
    differences = [Difference(None, None, what) for what in whole]
    for each in sorted(known, key=str):
        found, audit = _first(each)
        if audit is not None:
            revisions += len(audit.revisions)
        if found is not None:
            differences.append(Difference(brief(each), *found))
        elif audit is not None:
            sealed.append(audit.sealed)
    return Checked(len(known), revisions, tuple(differences), tuple(sealed))


Found = tuple[int | None, Sentence]


def _first(series_id: Any) -> "tuple[Found | None, _Audit | None]":
    """The first difference of a series, and what was read of it if that could be read."""
    audit, found = None, None
    try:
        with reading() as books, as_stored(books):
            audit = _Audit(books, series_id)
        found = next(audit.differences(), None)
        if found is not None:
            found[1].render()  # what was stored may be nothing that a sentence can hold
    except Unreadable as problem:
        found = problem.event, problem.sentence
    except SQLAlchemyError as problem:
        found = None, say("it cannot be read: %(why)s.", why=why_not(problem))
    except Exception as problem:
        # The ledger writes nothing that this cannot read.
        found = found[0] if found else None, _not_as_written(problem)
    return found, audit


def _not_as_written(problem: Exception) -> Sentence:
    return say("it is not as it was written (%(kind)s).", kind=type(problem).__name__)


# --- One series -----------------------------------------------------------------------------------


class _Audit:
    """All rows of one series, and what is wrong with them, in the order of the events."""

    def __init__(self, books: Session, series_id: str) -> None:
        def rows(name: str) -> list[Any]:
            return rows_of(books, name, series_id)

        self.id = series_id
        # Events first: where several cells are unreadable, the place says more.
        self.events = rows("event")
        self.revisions = rows("round_revision")
        self.postings = rows("posting")
        self.series: Any = next(iter(rows("series")), None)
        self.head: Any = next(iter(rows("head")), None)
        self.players = rows("player")
        self.names = rows("player_name")
        self.reasons = rows("reason")
        self.kept = rows("kept_answer")
        self.secrets = rows("secret")
        self.claims = rows("claim")
        # What has been gone through so far.
        self.standing: Standing | None = None
        self.known: dict[tuple[int, int], Round] = {}

    @property
    def sealed(self) -> Sealed:
        """Where it stands, once nothing was found."""
        texts = len(self.names) + len(self.reasons)
        given = sum(len(_names_of(event)) + ("reason" in event.data) for event in self.events)
        return Sealed(self.id, self.events[-1].number, self.head.seal[:4].hex(), given - texts)

    def differences(self) -> Iterator[Found]:
        """Everything that differs; only the first is sure to be more than a consequence."""
        if not self.events or self.series is None:
            yield None, say("its beginning is missing.")
            return
        before = b""
        for expected, event in enumerate(self.events, 1):
            if event.number != expected:
                yield (
                    expected,
                    say("it is missing, and event %(next)s comes next.", next=event.number),
                )
            for what in self._event(event, before):
                yield event.number, what
            before = event.hash
        last = self.events[-1].number
        if self.head is None:
            yield last, say("the seal on it is missing.")
        elif self.head.seal != head_seal(before):
            yield (
                last,
                say(
                    "the seal is not on this event: "
                    "others that came after it are missing, or the seal was changed."
                ),
            )
        yield from self._leftovers()

    # --- One event --------------------------------------------------------------------------------

    def _event(self, event: Any, before: bytes) -> list[Sentence]:
        """What is wrong with an event and the rows that were written with it."""
        try:
            return [*self._found(event, before)]
        except KeyError as missing:
            what = str(missing)
            return [
                say("something that belongs to it is missing or too much: %(what)s.", what=what)
            ]
        except Exception as problem:
            # The ledger writes nothing that this cannot read.
            return [_not_as_written(problem)]

    def _found(self, event: Any, before: bytes) -> Iterator[Sentence]:
        revisions = [row for row in self.revisions if row.event_number == event.number]
        postings = [row for row in self.postings if row.event_number == event.number]
        intact = event.hash == event_hash(before, self._content(event, revisions, postings))
        changes = [*self._changes(event, revisions)]
        yield from self._in_force(changes)
        yield from self._postings(changes, postings)
        for row in revisions:
            yield from self._settled(row, event, intact)
        if not intact:
            yield say("it is not as it was written: its hash is another.")
        if self.standing is None:
            self.standing = Standing.started(event.data)
        else:
            self.standing.apply(event.number, event.data)

    def _content(self, event: Any, revisions: list[Any], postings: list[Any]) -> list[Any]:
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

    def _changes(self, event: Any, revisions: list[Any]) -> Iterator[Change]:
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

    def _in_force(self, changes: list[Change]) -> Iterator[Sentence]:
        """Which change does not start from the revision that was in force."""
        stood = self.standing.rounds if self.standing else {}
        for change in changes:
            before = change.step["before"]
            if stood.get(change.number) != before:
                yield say(
                    "round %(number)s was not at revision %(before)s, which it replaces.",
                    number=change.number,
                    before=str(before),
                )

    def _postings(self, changes: list[Change], stored: list[Any]) -> Iterator[Sentence]:
        """Which posting is not what the changes of rounds post."""
        expected = [posting for change in changes for posting in change.postings()]
        found = {row.line: _posting(row) for row in stored}
        for line, posting in enumerate(expected):
            if line not in found:
                yield say("posting %(line)s is missing.", line=line)
            elif found[line] != posting:
                yield say(
                    "posting %(line)s is %(found)s; it should be %(expected)s.",
                    line=line,
                    found=_told(found[line]),
                    expected=_told(posting),
                )
        for line in found.keys() - set(range(len(expected))):
            yield say(
                "posting %(line)s (%(found)s) belongs to no round of this event.",
                line=line,
                found=_told(found[line]),
            )

    def _settled(self, row: Any, event: Any, intact: bool) -> Iterator[Sentence]:
        """Whether the rules of this version would settle a revision as it was settled."""
        what = say(
            "round %(number)s, revision %(revision)s",
            number=row.round_number,
            revision=row.revision,
        )
        booked = row.result["amounts"]
        if row.result.get("zero_sum") and sum(booked) != 0:
            yield say(
                "%(what)s does not add up to nothing: %(amounts)s.",
                what=what,
                amounts=[*map(Signed, booked)],
            )
        try:
            now = figures(settle(_anonymous(row.entry)))
        except RuleError as refusal:
            now = {"amounts": None, "refused": refusal.sentence}
        if now == row.result:
            return
        if not intact:
            yield say("%(what)s is not as it was written.", what=what)
            return
        by = say(
            "booked by version %(engine)s of the rules, this is %(now)s",
            engine=self._engine(event, row.round_number),
            now=ENGINE,
        )
        if "refused" in now:
            yield say(
                "%(what)s would be refused today (%(by)s): %(why)s",
                what=what,
                by=by,
                why=now["refused"],
            )
        elif now["amounts"] is None:
            yield say("%(what)s would be undecided today (%(by)s).", what=what, by=by)
        elif now["amounts"] != booked:
            yield say(
                "%(what)s would book %(now)s today, not %(booked)s, which stands (%(by)s).",
                what=what,
                now=[*map(Signed, now["amounts"])],
                booked=[*map(Signed, booked)],
                by=by,
            )
        else:
            fields = sorted(key for key in now if now[key] != row.result.get(key))
            yield say(
                "%(what)s would have other %(fields)s today (%(by)s).",
                what=what,
                fields=fields,
                by=by,
            )

    def _engine(self, event: Any, number: int) -> int:
        """The version of the rules that settled what an event booked of a round.

        An undoing brings back what another event booked, and says nothing of its own; there were
        some that named the version of their day.
        """
        while event.kind == "undone":
            undone = self.events[event.data["undoes"] - 1]
            (back,) = (step["before"] for step in undone.data["rounds"] if step["round"] == number)
            (row,) = (
                row for row in self.revisions if (row.round_number, row.revision) == (number, back)
            )
            event = self.events[row.event_number - 1]
        engine: int = event.data.get("engine", 1)
        return engine

    # --- What belongs to no one event, or is not sealed by it -------------------------------------

    def _leftovers(self) -> Iterator[Found]:
        assert self.series is not None
        started = self.events[0]
        stored = (self.series.game, self.series.length, self.series.created_at)
        if stored != (started.data["game"], started.data["length"], started.at):
            yield 1, say("the series is not as it was started.")
        numbers = {event.number for event in self.events}
        written_with: list[Any] = [*self.revisions, *self.postings, *self.reasons]
        for row in written_with:
            if row.event_number not in numbers:
                what = say("it is missing, and something written with it is not.")
                yield row.event_number, what
        yield from self._rounds()
        yield from self._people()
        yield from self._texts()
        yield from self._claims()
        yield from self._answers()
        yield from self._keys()

    def _rounds(self) -> Iterator[Found]:
        """Rounds are numbered without a gap, and so are the revisions of each."""
        assert self.standing is not None
        if sorted(self.standing.rounds) != [*range(1, len(self.standing.rounds) + 1)]:
            numbers = sorted(self.standing.rounds)
            yield None, say("its rounds are numbered %(numbers)s.", numbers=numbers)
        for number in {row.round_number for row in self.revisions}:
            found = [row.revision for row in self.revisions if row.round_number == number]
            if found != [*range(1, len(found) + 1)]:
                yield (
                    None,
                    say(
                        "the revisions of round %(number)s are numbered %(numbers)s.",
                        number=number,
                        numbers=found,
                    ),
                )
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
                yield (
                    None,
                    say(
                        "the %(unit)s of player %(player)s are %(rest)s from those of the rounds.",
                        unit=UNITS.get(unit, unit),
                        player=player,
                        rest=Signed(rest),
                    ),
                )

    def _people(self) -> Iterator[Found]:
        """Everybody joined by an event, and every name was given by one."""
        joined = dict.fromkeys(self.events[0].data["players"], 1)
        for event in self.events:
            change = event.data.get("player")
            if event.kind == "joined" and change:
                joined[change["id"]] = event.number
        stored = {row.id: row.event_number for row in self.players}
        for player in sorted(joined.keys() | stored.keys()):
            if joined.get(player) != stored.get(player):
                number = joined.get(player) or stored[player]
                yield (
                    number,
                    say(
                        "player %(player)s did not join by this event, or is missing.",
                        player=player,
                    ),
                )
        given = {
            (player, event.number): seal
            for event in self.events
            for player, seal in _names_of(event).items()
        }
        for row in self.names:
            player, number = row.player_id, row.event_number
            if (player, number) not in given:
                yield number, say("player %(player)s was not named by this event.", player=player)
            elif given[player, number] not in (None, _name_seal(self.id, row)):
                yield (
                    number,
                    say("player %(player)s was not given this name by it.", player=player),
                )

    def _claims(self) -> Iterator[Found]:
        """All that phones said of whose they are, and nothing else."""
        said = [(row.device_id, row.since, row.player_id) for row in self.claims]
        if self.head.claims != claims_seal(self.id, said):
            yield None, say("whose phone is whose is not as it was said.")

    def _keys(self) -> Iterator[Found]:
        """Each role has the secret that its last rotation gave it, and no other."""
        given = dict.fromkeys((role.value for role in Role), 1)
        for event in self.events:
            change = event.data.get("access", {})
            if "role" in change:
                given[change["role"]] = change["after"]
        stored = {row.role: (row.generation, row.hash) for row in self.secrets}
        for role in sorted(stored.keys() - given.keys()):
            yield None, say("there is a secret to %(role)s, which nobody gave out.", role=role)
        for role, generation in given.items():
            expected = generation, hash_of(make_secret(self.id, role, generation))
            if stored.get(role) != expected:
                what = say("the secret to %(role)s is not the one that was given out.", role=role)
                yield None, what

    def _texts(self) -> Iterator[Found]:
        """A reason that was not erased is the one that was given."""
        given = {event.number: event.data.get("reason") for event in self.events}
        for row in self.reasons:
            if given.get(row.event_number) != reason_seal(self.id, row.event_number, row.text):
                yield row.event_number, say("its reason is not the one that was given.")

    def _answers(self) -> Iterator[Found]:
        """A kept answer is the one to its request: the event of that round knows the request."""
        made: dict[tuple[int, int], Any] = {}
        for event in self.events:
            if event.kind in ("recorded", "corrected"):
                step = event.data["rounds"][0]
                made[step["round"], step["after"]] = event
        asked = {event.number for event in self.events if "request" in event.data}
        for row in self.kept:
            event = made.get((row.answer["round"], row.answer["revision"]))
            request = request_hash(row.key, row.body_hash)
            # Before they knew the version of the rules, events did not know their requests.
            unknown = event is not None and "engine" not in event.data
            if event is None or not (unknown or event.data.get("request") == request):
                number = None if event is None else event.number
                what = say(
                    "the answer kept for the request “%(key)s” is not its answer.", key=row.key
                )
                yield number, what
            else:
                asked.discard(event.number)
        for number in sorted(asked):
            yield number, say("the answer kept for its request is missing.")


def _names_of(event: Any) -> dict[int, str | None]:
    """The MACs of the names that an event gave, by player; None where it was before there were."""
    data = event.data
    if "names" in data:
        return {int(player): seal for player, seal in data["names"].items()}
    if event.number == 1:
        return dict.fromkeys(data["players"])
    return {data["name"]["id"]: None} if "name" in data and "undoes" not in data else {}


def _name_seal(series_id: str, row: Any) -> str:
    return name_seals(series_id, row.event_number, {row.player_id: row.name})[str(row.player_id)]


def _posting(row: Any) -> Row:
    fields = ("round_number", "player_id", "amount", "unit")
    return {name: getattr(row, name) for name in fields}


def _told(posting: Row) -> Sentence:
    return say(
        "round %(round)s, player %(player)s, %(amount)s %(unit)s",
        round=posting["round_number"],
        player=posting["player_id"],
        amount=posting["amount"],
        unit=UNITS.get(posting["unit"], posting["unit"]),
    )


def _anonymous(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry as a document: what people are called changes no figure."""
    seats = [{key: seat[key] for key in seat if key != "player"} for seat in entry["seats"]]
    return {**entry, "seats": seats}
