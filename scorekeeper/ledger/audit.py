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
from scorekeeper.rules.sentence import Sentence, Signed, say


@dataclass(frozen=True)
class Difference:
    """The first thing in a series that is not as it was written, or not as it would be settled.

    `event` is the number of the event it belongs to, None where it belongs to none.
    """

    series_id: str
    event: int | None
    what: Sentence

    @property
    def sentence(self) -> Sentence:
        """Where it is and what it is."""
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


Found = tuple[int | None, Sentence]

_UNITS = {"points": say("points"), "shares": say("shares")}

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
                yield event, say("what stands in %(column)s cannot be read.", column=str(column))


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
        if self.head is None or self.head.seal != head_seal(before):
            last = self.events[-1].number
            yield last, say("the seal is not on this event: others came after it.")
        yield from self._leftovers()

    # --- One event --------------------------------------------------------------------------------

    def _event(self, event: Event, before: bytes) -> list[Sentence]:
        """What is wrong with an event and the rows that were written with it."""
        try:
            return [*self._found(event, before)]
        except KeyError as missing:
            what = str(missing)
            return [
                say("something that belongs to it is missing or too much: %(what)s.", what=what)
            ]
        except (AttributeError, IndexError, TypeError, ValueError) as problem:
            # The ledger writes nothing that this cannot read.
            kind = type(problem).__name__
            return [say("it is not as it was written (%(kind)s).", kind=kind)]

    def _found(self, event: Event, before: bytes) -> Iterator[Sentence]:
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

    def _postings(self, changes: list[Change], stored: list[Posting]) -> Iterator[Sentence]:
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

    def _settled(self, row: RoundRevision, event: Event, intact: bool) -> Iterator[Sentence]:
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
            engine=event.data.get("engine", 1),
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
                        unit=_UNITS.get(unit, unit),
                        player=player,
                        rest=Signed(rest),
                    ),
                )

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
                yield (
                    number,
                    say(
                        "player %(player)s did not join by this event, or is missing.",
                        player=player,
                    ),
                )
        for name in self.names:
            if (name.player_id, name.event_number) not in named:
                yield (
                    name.event_number,
                    say("player %(player)s was not named by this event.", player=name.player_id),
                )

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
        asked = {event.data["request"]: event for event in self.events if "request" in event.data}
        for row in self.kept:
            event = asked.pop(request_hash(row.key, row.body_hash), None)
            event = event or self._older(row)
            if event is None or (row.status, row.answer) != _answer_of(event):
                number = None if event is None else event.number
                what = say(
                    "the answer kept for the request “%(key)s” is not its answer.", key=row.key
                )
                yield number, what
        for event in asked.values():
            yield event.number, say("the answer kept for its request is missing.")

    def _older(self, row: KeptAnswer) -> Event | None:
        """The event of a request from before events knew their requests."""
        answer = row.answer if isinstance(row.answer, Mapping) else {}
        for event in self.events:
            if event.kind == "recorded" and "engine" not in event.data:
                step = event.data["rounds"][0]
                if (step["round"], step["after"]) == (answer.get("round"), answer.get("revision")):
                    return event
        return None


def _answer_of(event: Event) -> tuple[int, Row]:
    """What is kept as the answer to the request that made an event."""
    step = event.data["rounds"][0]
    status = 200 if event.kind == "corrected" else 201
    return status, {"round": step["round"], "revision": step["after"]}


def _posting(row: Posting) -> Row:
    fields = ("round_number", "player_id", "amount", "unit")
    return {name: getattr(row, name) for name in fields}


def _told(posting: Row) -> Sentence:
    return say(
        "round %(round)s, player %(player)s, %(amount)s %(unit)s",
        round=posting["round_number"],
        player=posting["player_id"],
        amount=posting["amount"],
        unit=_UNITS.get(posting["unit"], posting["unit"]),
    )


def _anonymous(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry as a document: what people are called changes no figure."""
    seats = [{key: seat[key] for key in seat if key != "player"} for seat in entry["seats"]]
    return {**entry, "seats": seats}
