"""A game is a value, and a table's house rules make another value of it.

A game states its deals, the value of the cards, its yaku, its house rules, and the one function
that decides what a counted round pays. A house rule is data too: each choice says what it changes.
:meth:`Game.under` applies the choices of a table, and everything after that reads the one value
that comes out, so that no code asks which house rule made it so:

>>> from scorekeeper.rules.games import GAMES
>>> bakappana = GAMES["bakappana"]
>>> bakappana.values.total, bakappana.under({"chaff": 0}).values.total
(264, 240)

A round of it is a :class:`~scorekeeper.rules.round.Round`, and what that came to a
:class:`~scorekeeper.rules.result.Result`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper.rules.pile import Sets, Values
from scorekeeper.rules.sentence import RuleError, Sentence, Translator, brief, say
from scorekeeper.rules.yaku import CLASSES, TEYAKU, BySets, Yaku

if TYPE_CHECKING:
    from scorekeeper.rules.settlement import Settlement

Rules = Mapping[str, Any]
"""A value for every house rule of the game."""

UNITS = {"points": say("points"), "shares": say("shares")}
"""What amounts are counted in, as a word."""

MUST_STOP = "must_stop"
MAY_STOP = "may_stop"
"""A dekiyaku ends the round at once; or its player may end it, or play on."""


class Deal(NamedTuple):
    """How many cards go to each hand, face up into the field, and stay in the pile."""

    hand: int
    field: int
    pile: int


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One value of a house rule, in words, and what it changes in the game.

    ``adds`` are further yaku, and ``changes`` are those of other yaku, by key: fields of the
    :class:`Yaku` and what they become. ``best_alone`` are classes of yaku of which only the best is
    paid, ``voids`` says what is void besides, and ``fields`` replaces fields of the :class:`Game`.
    """

    value: Any
    label: Sentence
    adds: tuple[Yaku, ...] = ()
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    best_alone: frozenset[str] = frozenset()
    voids: tuple[Sentence, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)

    def is_(self, value: Any) -> bool:
        """Whether this is its value, of the same type."""
        return type(self.value) is type(value) and bool(self.value == value)


@dataclass(frozen=True)
class HouseRule:
    """Something tables play differently; the first choice is the default.

    It ``settles`` where it only says who pays what for the cards that were captured: a round that
    was played could be settled otherwise just as well. What there is to show and to play for, which
    yaku there are and what a teyaku is worth, is no settlement.
    """

    key: str
    name: Sentence
    sentence: Sentence
    choices: tuple[Choice, ...]
    settles: bool = False

    @property
    def default(self) -> Any:
        return self.choices[0].value

    def has(self, value: Any) -> bool:
        """Whether there is a choice with this value, of the same type: true is not 1."""
        return any(choice.is_(value) for choice in self.choices)

    def choice(self, value: Any) -> Choice:
        """The choice with this value; raises ValueError where there is none."""
        for choice in self.choices:
            if choice.is_(value):
                return choice
        raise ValueError(f"{self.key} has no choice {value!r}")


@dataclass(frozen=True)
class Conflict:
    """House rules that do not go together, or not with so many players or such an ending.

    The game under a table's rules keeps those which these rules meet.
    """

    when: Mapping[str, Any]
    sentence: Sentence
    players: tuple[int, ...] | None = None
    end: str | None = None

    def holds(self, players: int, end: str) -> bool:
        return (self.players is None or players in self.players) and self.end in (None, end)


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game of hanafuda, as it is scored.

    ``goes`` tells in a few sentences how it goes, ``pays`` what the value of a yaku of each class
    means, and ``voids`` when what is void. ``deals`` has an entry for each number of players.
    ``unit`` is what its amounts are counted in, ``points`` or ``shares``, and ``stake`` what the
    most points are paid from each, where they are; ``zero_sum`` says whether the amounts always add
    up to nothing.
    ``forms`` are the ways in which its piles can be reported, fastest first. ``only_best`` holds
    the classes of yaku of which a player is paid the best alone, ``only_first`` those of which a
    whole table is paid nothing but the first that applies, in the order of ``yaku``. ``ending``
    says what a dekiyaku does to the round (:data:`MUST_STOP`, :data:`MAY_STOP`, or None: it goes
    on); ``drains`` that two players, too, play until the pile is empty. ``field_brights`` says that
    brights in the opening field multiply the round, and how several count. ``decide`` is the
    settlement of a round that was not void. ``rules`` are a table's, where it is the game as a
    table plays it.
    """

    key: str
    name: Sentence
    kanji: str
    reading: str
    sentence: Sentence
    goes: tuple[Sentence, ...]
    pays: Mapping[str, Sentence] = field(default_factory=dict)
    deals: Mapping[int, Deal]
    values: Values
    forms: tuple[str, ...]
    decide: Callable[[Settlement], None]
    house_rules: tuple[HouseRule, ...]
    voids: tuple[Sentence, ...] = ()
    yaku: tuple[Yaku, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    unit: str = "points"
    stake: int = 1
    zero_sum: bool = True
    only_best: frozenset[str] = frozenset()
    only_first: frozenset[str] = frozenset()
    ending: str | None = None
    drains: bool = True
    field_brights: str | None = None
    rules: Rules = field(default_factory=dict)

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of players it can be played by."""
        return tuple(self.deals)

    @cached_property
    def defaults(self) -> dict[str, Any]:
        return {rule.key: rule.default for rule in self.house_rules}

    @cached_property
    def by_kind(self) -> dict[str, tuple[Yaku, ...]]:
        """The yaku of each class, in the order in which the first of equal ones counts."""
        return {kind: tuple(yaku for yaku in self.yaku if yaku.kind == kind) for kind in CLASSES}

    @cached_property
    def by_claim(self) -> dict[str, dict[str, Yaku]]:
        """The yaku of each class by the keys with which they are claimed."""
        return {
            kind: {
                key: yaku
                for yaku in yakus
                for key in (yaku.key, yaku.with_extra)
                if key is not None
            }
            for kind, yakus in self.by_kind.items()
        }

    def teyaku(self, sets: Sets) -> tuple[Yaku, ...]:
        """The teyaku that a hand may hold whose cards fall into months like this."""
        found = self._teyaku_by_sets.get(sets)
        if found is None:
            found = self._teyaku_by_sets[sets] = tuple(
                yaku
                for yaku in self.by_kind[TEYAKU]
                if not isinstance(yaku.pattern, BySets) or yaku.pattern.times(sets)
            )
        return found

    @cached_property
    def _teyaku_by_sets(self) -> dict[Sets, tuple[Yaku, ...]]:
        return {}

    def rule(self, key: str) -> HouseRule | None:
        return next((rule for rule in self.house_rules if rule.key == key), None)

    def in_words(self, key: str, value: Any) -> dict[str, Sentence | str]:
        """A house rule as "rule" and its value as "choice"; as written where there is no such."""
        rule = self.rule(key)
        if rule is None or not rule.has(value):
            return {"rule": key, "choice": _written(value)}
        return {"rule": rule.name, "choice": rule.choice(value).label}

    def table(self, given: Mapping[str, Any]) -> Game:
        """The game as a table plays it that states these house rules; raises ``unknown_rule``."""
        try:
            return _table(self, **given)
        except (
            TypeError
        ):  # what cannot be hashed is no value of a house rule, what is no text no key
            return self.under(self.whole_rules(given))

    def whole_rules(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All house rules of a table that states those which differ; raises ``unknown_rule``."""
        rules = dict(self.defaults)
        for key, value in given.items():
            rule = self.rule(key)
            if rule is None:
                raise RuleError(
                    "unknown_rule",
                    say(
                        "%(game)s has no house rule “%(key)s”.", game=self.name, key=brief(key, 40)
                    ),
                    field="rules",
                )
            if not rule.has(value):
                raise RuleError(
                    "unknown_rule",
                    say(
                        "The house rule “%(key)s” is one of %(values)s, not %(value)s.",
                        key=key,
                        values=[_written(choice.value) for choice in rule.choices],
                        value=_written(value),
                    ),
                    field="rules",
                )
            rules[key] = value
        return rules

    def check_seats(self, players: int) -> None:
        """Refuses a number of players that cannot play it (``wrong_seats``)."""
        if players not in self.deals:
            raise RuleError(
                "wrong_seats",
                say(
                    "%(game)s is for %(seats)s players, not for %(count)s.",
                    game=self,
                    seats=list(self.seats),
                    count=players,
                ),
                field="seats",
            )

    def check_table(self, players: int, end: str = "counted") -> None:
        """Refuses house rules that do not go together (``rule_conflict``).

        To be asked of the game under a table's rules.
        """
        for conflict in self.conflicts:
            if conflict.holds(players, end):
                raise RuleError("rule_conflict", conflict.sentence, field="rules")

    def under(self, rules: Rules) -> Game:
        """The game as this table plays it; house rules that are not named have their default."""
        return _under(self, **{**self.defaults, **rules})

    def needs_whole_deck(self, players: int) -> bool:
        """Whether all 48 cards are in somebody's pile when the round is played out."""
        return self.drains or players != 2

    def say(self, to: Translator, /) -> str:
        return self.name.render(to)


def _written(value: Any) -> str:
    """A value of a house rule as the JSON contract prints it."""
    return str(value).lower() if isinstance(value, bool | None) else brief(value, 40)


# All rounds of a table come with the same rules. True is not 1 there, so types count: for that
# each rule has to be an argument of its own.
@lru_cache(maxsize=512, typed=True)
def _table(game: Game, /, **given: Any) -> Game:
    return game.under(game.whole_rules(given))


@lru_cache(maxsize=512, typed=True)
def _under(game: Game, /, **rules: Any) -> Game:
    """The game with these values of all its house rules."""
    choices = [rule.choice(rules[rule.key]) for rule in game.house_rules]
    yaku = list(game.yaku)
    for choice in choices:
        yaku += choice.adds
    # House rules of the same yaku go together: one may change its pattern, another its price.
    for choice in choices:
        for place, one in enumerate(yaku):
            if one.key in choice.changes:
                yaku[place] = replace(one, **choice.changes[one.key])
    # Those of a group stand together, where its first one stands.
    places: dict[str, int] = {}
    for place, one in enumerate(yaku):
        places.setdefault(one.group or one.key, place)
    yaku.sort(key=lambda one: (CLASSES.index(one.kind), places[one.group or one.key]))
    fields: dict[str, Any] = {}
    for choice in choices:
        fields |= choice.fields
    fields.setdefault("voids", game.voids)
    fields["voids"] += tuple(one.voids for one in yaku if one.voids is not None)
    fields.setdefault("only_best", game.only_best)
    for choice in choices:
        fields["voids"] += choice.voids
        fields["only_best"] |= choice.best_alone
    conflicts = tuple(
        conflict for conflict in game.conflicts if conflict.when.items() <= rules.items()
    )
    return replace(game, yaku=tuple(yaku), conflicts=conflicts, rules=rules, **fields)
