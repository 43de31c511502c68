"""What can be done to a series besides its rounds. Each verb is one transaction, and one event.

    series_id = start("bakappana", {}, ["Aki", "Ben", "Chie"], length=12)
    add_player(series_id, "Dan")
    change_player(series_id, 4, name="Daniel")
    change_series(series_id, length=15, rules={"tie": "nobody"})
    undo(series_id, read(series_id).undoable)

A change to what is so already is no event: a tap that arrives twice does nothing the second time.
Verbs raise RuleError for whatever a player can put right, UnknownSeries and UnknownPlayer for what
is not there.
"""

import secrets
import string
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from scorekeeper.ledger.access import issue_secrets
from scorekeeper.ledger.book import Book, Person, fold
from scorekeeper.ledger.chain import ENGINE, Change, append, name_seals, now, write
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.names import clean_name, clean_names
from scorekeeper.ledger.past import Document, past_of
from scorekeeper.ledger.rounds import check_open
from scorekeeper.ledger.standing import FINISHED, HERE, LEFT, OPEN, reversed_changes
from scorekeeper.ledger.tables import Event, Player, PlayerName, Series
from scorekeeper.rules import RuleError
from scorekeeper.rules.document import read_table
from scorekeeper.rules.game import Game
from scorekeeper.rules.sentence import say

MOST_PLAYERS = 60
MOST_ROUNDS = 999

_IN_ID = string.ascii_letters + string.digits

KEEP: Any = object()
"""In place of a value: what there is stays."""


class UnknownPlayer(LookupError):
    """The series has no player with this id."""


def start(
    game: str,
    rules: Mapping[str, Any],
    names: Sequence[object],
    *,
    length: int | None = None,
    first_dealer: int | None = 0,
    drawn: bool = False,
    by: int | None = None,
) -> str:
    """Starts a series and answers its id; the house rules not named get their defaults.

    All of them are written down, so that a default that changes one day changes no old series.
    `first_dealer` is an index into the names, None where the table will say; `drawn` says that
    cards decided it. `length` is in rounds.
    """
    table, cleaned = _startable(game, rules, names, length)
    players = range(1, len(cleaned) + 1)
    data = {
        "game": game,
        "rules": table.rules,
        "length": length,
        "players": [*players],
        "first_dealer": None if first_dealer is None else players[first_dealer],
        "engine": ENGINE,
    }
    if drawn:
        data["drawn"] = True
    series_id = _new_id()
    data["names"] = name_seals(series_id, 1, dict(zip(players, cleaned, strict=True)))
    with writing() as books:
        at = now()
        series = {"id": series_id, "game": game, "length": length, "created_at": at}
        books.execute(insert(Series).values(series))
        append(books, series_id, 0, "started", at, by, data)
        for player, name in zip(players, cleaned, strict=True):
            books.execute(insert(Player).values(series_id=series_id, id=player, event_number=1))
            _name(books, series_id, player, 1, name)
        issue_secrets(books, series_id)
    return series_id


def check_start(
    game: str, rules: Mapping[str, Any], names: Sequence[object], *, length: int | None = None
) -> None:
    """Raises RuleError where starting such a series would be refused; writes nothing."""
    _startable(game, rules, names, length)


def _startable(
    game: str, rules: Mapping[str, Any], names: Sequence[object], length: int | None
) -> tuple[Game, list[str]]:
    """The game as this table will play it, and the names as they will be shown."""
    table = read_table({"game": game, "rules": rules})
    _check_playable(table, len(names))
    _check_length(length)
    return table, clean_names(names)


def _new_id() -> str:
    """A name for a series: 71 random bits.

    Letters and digits alone. A hyphen in front would be read as an option on the command line, and
    one at the end falls off a link in a message.
    """
    return "".join(secrets.choice(_IN_ID) for _ in range(12))


def change_series(
    series_id: str,
    *,
    state: str | None = None,
    length: int | None = KEEP,
    rules: Mapping[str, Any] | None = None,
    seen: Mapping[str, Any] | None = None,
    confirm: bool | None = None,
    by: int | None = None,
) -> None:
    """Finishes or reopens a series, gives it another length or other house rules, or all at once.

    `state` is "finished" or "open". The house rules not named stay as they are; the others hold
    from the next round on, and RuleError `stale` says of one that it is not any more as it was
    `seen` by whoever changes it. `confirm` says whether rounds wait for the yes of another phone;
    where they do no longer, one that waits is given back to its phone. A finished series takes no
    new rules and no new length unless it is reopened with them.
    """
    with writing(series_id) as books:
        book = fold(books, series_id)
        changed: dict[str, Any] = {}
        if rules is not None:
            changed["rules"] = _other_rules(book, rules, seen or {})
        if length is not KEEP:
            _check_length(length, book.counted)
            changed["length"] = {"before": book.length, "after": length}
        if confirm is not None:
            changed["confirm"] = {"before": book.confirm, "after": confirm}
        if state not in (None, OPEN, FINISHED):
            raise RuleError("bad_state", say("A series is “open” or “finished”."), field="state")
        if _real(changed) and state != OPEN:
            check_open(book)
        changed["state"] = {"before": book.state, "after": state or book.state}
        _change(books, book, _real(changed), by)


def add_player(series_id: str, name: object, *, by: int | None = None) -> Person:
    """Somebody joins, from the next round on, with nothing: neither points nor shares."""
    with writing(series_id) as books:
        book = fold(books, series_id)
        check_open(book)
        if len(book.players) >= MOST_PLAYERS:
            sentence = say("A series has at most %(most)s players.", most=MOST_PLAYERS)
            raise RuleError("wrong_seats", sentence, field="players")
        new = clean_name(name, _names(book))
        # Whose joining was undone keeps their id, so that no two people ever share one.
        highest = select(func.max(Player.id)).where(Player.series_id == series_id)
        player, event = (books.scalar(highest) or 0) + 1, book.version + 1
        changed = {
            "player": {"id": player, "before": None, "after": HERE},
            "name": {"id": player, "before": None, "after": event},
            "names": name_seals(series_id, event, {player: new}),
        }
        write(books, book, "joined", now(), by, data=changed)
        books.execute(insert(Player).values(series_id=series_id, id=player, event_number=event))
        _name(books, series_id, player, event, new)
    return Person(player, new, left=False)


def change_player(
    series_id: str,
    player: int,
    *,
    name: object = KEEP,
    left: bool | None = None,
    by: int | None = None,
) -> Person:
    """Renames a player, lets them leave or come back, and answers them as they are now.

    Who has left keeps what they have, and takes no seat in the rounds to come.
    """
    with writing(series_id) as books:
        book = fold(books, series_id)
        person = book.person(player)
        if person is None:
            raise UnknownPlayer(player)
        changed: dict[str, Any] = {}
        new = person.name if name is KEEP else clean_name(name, _names(book, without=player))
        if new != person.name:
            given = past_of(books, series_id).standing.named[player]
            changed["name"] = {"id": player, "before": given, "after": book.version + 1}
            changed["names"] = name_seals(series_id, book.version + 1, {player: new})
        gone = person.left if left is None else left
        if gone != person.left:
            before, after = (HERE, LEFT) if gone else (LEFT, HERE)
            changed["player"] = {"id": player, "before": before, "after": after}
        _change(books, book, changed, by)
        if "name" in changed:
            _name(books, series_id, player, book.version + 1, new)
    return Person(player, new, gone)


def undo(series_id: str, event: int, *, by: int | None = None) -> None:
    """Undoes an event: the last one in effect, or the last undoing, which does it again.

    The undoing is an event itself, and undoes whatever it was, the finish of a series too: a
    recorded round is withdrawn, a corrected or withdrawn one is as it was, as a new revision with
    the amounts that were booked. Raises RuleError `not_last` for any other event.
    """
    with writing(series_id) as books:
        book = fold(books, series_id)
        if event not in (book.undoable, book.redoable):
            sentence = say("Something else was done meanwhile: look at the history again.")
            raise RuleError("not_last", sentence)
        undone = books.get(Event, (series_id, event))
        assert undone is not None
        at = now()
        changes = [_restored(books, book, step, at, by) for step in undone.data.get("rounds", ())]
        changed = reversed_changes(undone.data)
        write(books, book, "undone", at, by, changes, {**changed, "undoes": event})


def _restored(books: Session, book: Book, step: Document, at: datetime, by: int | None) -> Change:
    """A round as it was before a step: not settled again, what was booked is booked again."""
    number = step["round"]
    if step["before"] is None:
        return Change(number, book.round(number), None)
    earlier = past_of(books, book.id).rounds[number, step["before"]]
    again = replace(earlier, revision=book.revisions[number] + 1, by=by, at=at)
    return Change(number, book.round(number), again)


# --- What is refused, and what is written ---------------------------------------------------------


def _check_playable(game: Game, people: int) -> None:
    """Refuses a series of which no round could be played: too few people, or rules at odds."""
    if not min(game.seats) <= people <= MOST_PLAYERS:
        raise RuleError(
            "wrong_seats",
            say(
                "%(game)s needs %(fewest)s players or more, at most %(most)s in a series.",
                game=game,
                fewest=min(game.seats),
                most=MOST_PLAYERS,
            ),
            field="players",
        )
    refusals = []
    for seats in game.seats:
        if seats <= people:
            try:
                game.check_table(seats)
            except RuleError as refusal:
                refusals.append(refusal)
            else:
                return
    raise refusals[-1]


def _check_length(length: int | None, played: int = 0) -> None:
    """Refuses a length that no series has, or that is shorter than what was played."""
    if length is None:
        return
    if not 1 <= length <= MOST_ROUNDS:
        sentence = say("A series has 1 to %(most)s rounds, or is open-ended.", most=MOST_ROUNDS)
        raise RuleError("bad_length", sentence, field="rounds")
    if length < played:
        sentence = say("%(played)s rounds are played already.", played=played)
        raise RuleError("bad_length", sentence, field="rounds")


def _other_rules(book: Book, rules: Mapping[str, Any], seen: Mapping[str, Any]) -> dict[str, Any]:
    """What changes in the house rules, before and after."""
    table = read_table({"game": book.game, "rules": {**book.rules, **rules}})
    for key, value in rules.items():
        present = book.rules.get(key)
        if key in seen and present not in (seen[key], value):
            sentence = say(
                "“%(rule)s” was changed meanwhile: %(choice)s. Choose once more.",
                **table.in_words(key, present),
            )
            raise RuleError("stale", sentence, field=key)
    here = sum(not person.left for person in book.players)
    other = {key: value for key, value in table.rules.items() if book.rules.get(key) != value}
    if other:
        _check_playable(table, here)
    return {"before": {key: book.rules.get(key) for key in other}, "after": other}


def _names(book: Book, without: int | None = None) -> list[str]:
    """What the players are called, those who left too."""
    return [person.name for person in book.players if person.id != without]


def _name(books: Session, series_id: str, player: int, event: int, name: str) -> None:
    row = {"series_id": series_id, "player_id": player, "event_number": event, "name": name}
    books.execute(insert(PlayerName).values(row))


def _real(changed: Mapping[str, Any]) -> dict[str, Any]:
    """The changes that change something."""
    return {key: change for key, change in changed.items() if change["before"] != change["after"]}


# What an event is called after, if it changed several things the first of them.
_KINDS = {
    ("rules", None): "ruled",
    ("length", None): "extended",
    ("confirm", True): "guarded",
    ("confirm", False): "unguarded",
    ("state", FINISHED): "finished",
    ("state", OPEN): "reopened",
    ("name", None): "renamed",
    ("player", LEFT): "left",
    ("player", HERE): "returned",
}


def _change(books: Session, book: Book, changed: Mapping[str, Any], by: int | None) -> None:
    """Writes an event with these changes; none where there are none."""
    if not changed:
        return
    kind = next(
        kind
        for (key, after), kind in _KINDS.items()
        if key in changed and after in (None, changed[key]["after"])
    )
    write(books, book, kind, now(), by, data=changed)
