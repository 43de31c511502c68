"""What the events of a series come to, and what it takes to undo one.

The first event says how a series was started. Every other one says what it changed, as before and
after; an event may change several of these at once:

    {"rounds": [{"round": 2, "before": 1, "after": 2}]}     revisions; null: no such round
    {"state": {"before": "open", "after": "finished"}}
    {"length": {"before": 12, "after": 15}}                 rounds; null: open-ended
    {"rules": {"before": {"tie": "ask"}, "after": {"tie": "nobody"}}}
    {"confirm": {"before": false, "after": true}}           a round waits for another phone's yes
    {"player": {"id": 4, "before": null, "after": "here"}}  or "left"; null: not in the series
    {"name": {"id": 2, "before": 1, "after": 9}}            the events that gave these names
    {"names": {"2": "6f1c…"}}                               MACs of the names that this one gives
    {"access": {"role": "enter", "before": 1, "after": 2}}  generations of a secret
    {"access": {"device": 5, "before": "enter", "after": null}}     a phone that was put out

So the state of a series is one fold over its events, and an event is undone by another one with
before and after exchanged. Undoing that one in turn does it again. Only access that was taken
away is not given back like that: such an event is none that can be undone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Data = Mapping[str, Any]

OPEN, FINISHED = "open", "finished"
HERE, LEFT = "here", "left"

_SINGLE = ("state", "length", "rules", "confirm", "player", "name")


@dataclass
class Standing:
    """A series after some of its events.

    `rounds` holds the revision in force of each round, `last` the highest one there ever was, and
    `first` the one it was recorded as; `gone` are those who had left by then, and `replaced` has
    of each event that changed these two of a round what they were before. `since` is the first
    round that each player could play in, and `named` the event that gave each player's name in
    force. `done` are the events that are in effect and can be undone, the newest last; `undone`
    those that undid one since something new was done, and can be undone themselves.
    """

    version: int
    game: str
    rules: dict[str, Any]
    length: int | None
    first_dealer: int | None
    state: str = OPEN
    confirm: bool = False
    rounds: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    first: dict[int, int] = field(default_factory=dict)
    gone: dict[int, frozenset[int]] = field(default_factory=dict)
    replaced: dict[int, tuple[int, int | None, frozenset[int] | None]] = field(default_factory=dict)
    players: dict[int, str] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    named: dict[int, int] = field(default_factory=dict)
    done: list[int] = field(default_factory=list)
    undone: list[int] = field(default_factory=list)

    @classmethod
    def started(cls, data: Data) -> "Standing":
        """The state after the first event."""
        return cls(
            version=1,
            game=data["game"],
            rules=dict(data["rules"]),
            length=data["length"],
            first_dealer=data["first_dealer"],
            players=dict.fromkeys(data["players"], HERE),
            since=dict.fromkeys(data["players"], 1),
            named=dict.fromkeys(data["players"], 1),
        )

    @property
    def undoable(self) -> int | None:
        """The last event in effect; None where nothing is left to undo."""
        return self.done[-1] if self.done else None

    @property
    def redoable(self) -> int | None:
        """The event whose undoing does again what was undone last."""
        return self.undone[-1] if self.undone else None

    def copy(self) -> "Standing":
        """The same state, to go on from."""
        return replace(
            self,
            rounds=dict(self.rounds),
            last=dict(self.last),
            first=dict(self.first),
            gone=dict(self.gone),
            replaced=dict(self.replaced),
            players=dict(self.players),
            since=dict(self.since),
            named=dict(self.named),
            done=[*self.done],
            undone=[*self.undone],
        )

    def apply(self, number: int, data: Data) -> None:
        """Goes on by one event."""
        self.version = number
        for step in data.get("rounds", ()):
            _put(self.rounds, step["round"], step["after"])
            if step["after"] is not None:
                self.last[step["round"]] = step["after"]
            if step["before"] is None and "undoes" not in data:
                left = frozenset(one for one, state in self.players.items() if state == LEFT)
                self._recorded(number, step["round"], step["after"], left)
        if (undone := data.get("undoes")) in self.replaced:
            # A round that an undoing brings back is the one that was recorded before.
            self._recorded(number, *self.replaced[undone])
        if "state" in data:
            self.state = data["state"]["after"]
        if "length" in data:
            self.length = data["length"]["after"]
        if "confirm" in data:
            self.confirm = data["confirm"]["after"]
        if "rules" in data:
            self.rules = {**self.rules, **data["rules"]["after"]}
        for held, key in (self.players, "player"), (self.named, "name"):
            if key in data:
                _put(held, data[key]["id"], data[key]["after"])
        if "player" in data and data["player"]["before"] is None:
            self.since[data["player"]["id"]] = len(self.rounds) + 1
        if "access" not in data:
            self._remember(number, data.get("undoes"))

    def _recorded(
        self, event: int, number: int, revision: int | None, left: frozenset[int] | None
    ) -> None:
        """Keeps what a round was recorded as, who had left by then, and what both were before."""
        self.replaced[event] = number, self.first.get(number), self.gone.get(number)
        _put(self.first, number, revision)
        _put(self.gone, number, left)

    def _remember(self, number: int, undoes: int | None) -> None:
        """Keeps what can be undone and what can be done again."""
        if undoes is None:
            self.done.append(number)
            self.undone.clear()
        elif undoes == self.undoable:
            self.done.pop()
            self.undone.append(number)
        else:
            self.undone.pop()
            self.done.append(number)


def _put(held: dict[int, Any], key: int, value: Any) -> None:
    if value is None:
        held.pop(key, None)
    else:
        held[key] = value


def reversed_changes(data: Data) -> dict[str, Any]:
    """What an event changed besides rounds, with before and after exchanged."""
    return {
        key: {**data[key], "before": data[key]["after"], "after": data[key]["before"]}
        for key in _SINGLE
        if key in data
    }
