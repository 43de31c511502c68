"""A game is a value, and a table's house rules make another value of it.

A game states its deals, the value of the cards, its yaku, its house rules, and the one function
that decides what a counted round pays. A house rule is data too: each choice says what it changes.
:meth:`Game.under` applies the choices of a table, and everything after that reads the one value
that comes out, so that no code asks which house rule made it so:

>>> from scorekeeper.rules.games import GAMES
>>> bakappana = GAMES["bakappana"]
>>> bakappana.values.total, bakappana.under({"chaff": 0}).values.total
(264, 240)

:func:`settle` takes one round, as a :class:`Round`, to its :class:`Result`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple

from scorekeeper.rules.cards import BRIGHTS, NOTHING, Cards, Kind
from scorekeeper.rules.parity import Known, odd_in
from scorekeeper.rules.pile import (
    Pile,
    Values,
    check_counts,
    check_deck,
    check_overlap,
    check_table,
    fill_rest,
    settle_chaff,
)
from scorekeeper.rules.sentence import Name, RuleError, Sentence, Signed, Sum, Translator, say
from scorekeeper.rules.settlement import (
    Formed,
    Line,
    Payment,
    Settlement,
    Tally,
    check_owners,
    find,
)
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU, Yaku

Rules = Mapping[str, Any]
"""A value for every house rule of the game."""


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


@dataclass(frozen=True)
class HouseRule:
    """Something tables play differently; the first choice is the default.

    It ``settles`` where it changes what the same cards are paid, and neither how they are played
    nor which of them make a yaku.
    """

    key: str
    name: Sentence
    sentence: Sentence
    choices: tuple[Choice, ...]
    settles: bool = False

    @property
    def default(self) -> Any:
        return self.choices[0].value

    def choice(self, value: Any) -> Choice | None:
        """The choice with this value, of the same type: true is not 1."""
        for choice in self.choices:
            if type(choice.value) is type(value) and choice.value == value:
                return choice
        return None


@dataclass(frozen=True)
class Conflict:
    """House rules that do not go together, or not with so many players or such an ending."""

    when: Mapping[str, Any]
    sentence: Sentence
    players: tuple[int, ...] | None = None
    end: str | None = None

    def holds(self, rules: Rules, players: int, end: str) -> bool:
        return (
            (self.players is None or players in self.players)
            and (self.end is None or end == self.end)
            and all(rules[key] == value for key, value in self.when.items())
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game of hanafuda, as it is scored.

    ``goes`` tells in a few sentences how it goes, ``pays`` what the value of a yaku of each class
    means, and ``voids`` when what is void. ``deals`` has an entry for each number of players.
    ``unit`` is what its amounts are counted in, ``points`` or ``shares``, and ``stake`` what the
    most points are paid from each, where they are; ``zero_sum`` says whether the amounts always add
    up to nothing.
    ``forms`` are the ways in which its piles can be reported, fastest first. ``only_best`` holds
    the classes of yaku of which a player is paid the best alone. ``ending`` says what a dekiyaku
    does to the round (:data:`MUST_STOP`, :data:`MAY_STOP`, or None: it goes on); ``drains`` that
    two players, too, play until the pile is empty. ``field_brights`` says that brights in the
    opening field multiply the round, and how several count. ``decide`` is the settlement of a
    round that was not void.
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
    ending: str | None = None
    drains: bool = True
    field_brights: str | None = None

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

    def rule(self, key: str) -> HouseRule | None:
        return next((rule for rule in self.house_rules if rule.key == key), None)

    def whole_rules(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All house rules of a table that states those which differ; raises ``unknown_rule``."""
        rules = dict(self.defaults)
        for key, value in given.items():
            rule = self.rule(key)
            if rule is None:
                raise RuleError(
                    "unknown_rule",
                    say("%(game)s has no house rule “%(key)s”.", game=self.name, key=str(key)[:40]),
                    field="rules",
                )
            if rule.choice(value) is None:
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
        if players not in self.seats:
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

    def check_rules(self, rules: Rules, players: int, end: str = "counted") -> None:
        """Refuses house rules that do not go together (``rule_conflict``)."""
        for conflict in self.conflicts:
            if conflict.holds(rules, players, end):
                raise RuleError("rule_conflict", conflict.sentence, field="rules")

    def under(self, rules: Rules) -> Game:
        """The game as this table plays it; house rules that are not named have their default."""
        return _under(self, tuple({**self.defaults, **rules}.items()))

    def needs_whole_deck(self, players: int) -> bool:
        """Whether all 48 cards are in somebody's pile when the round is played out."""
        return self.drains or players != 2

    def say(self, to: Translator, /) -> str:
        return self.name.render(to)


def _written(value: Any) -> str:
    """A value of a house rule as the JSON contract prints it."""
    text = str(value).lower() if isinstance(value, bool | None) else str(value)
    return text[:40]


@lru_cache(maxsize=512)
def _under(game: Game, rules: tuple[tuple[str, Any], ...]) -> Game:
    choices = [
        choice
        for key, value in rules
        if (rule := game.rule(key)) is not None and (choice := rule.choice(value)) is not None
    ]
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
    for choice in choices:
        fields["voids"] += choice.voids
    fields["only_best"] = game.only_best.union(*(choice.best_alone for choice in choices))
    return replace(game, yaku=tuple(yaku), **fields)


# --- A round as it was reported -----------------------------------------------------------------

REST = "rest"


@dataclass(slots=True)
class Seat:
    """What was reported of one player.

    ``rest`` is the form whose rest this pile is. The claims are keys of yaku with how often they
    were claimed, None where nothing was said about them.
    """

    name: Name
    pile: Pile | None = None
    rest: str | None = None
    hand: Pile | None = None
    teyaku: dict[str, int] | None = None
    dekiyaku: dict[str, int] | None = None
    special: dict[str, int] | None = None
    continued: bool = False


@dataclass(slots=True)
class Round:
    """One round of a game, as it was reported.

    ``game`` is the game under the table's ``rules``. ``field`` is the opening field, of which the
    brights multiply the round, and ``multiplier`` what was given instead of it; ``carried`` are the
    multipliers waiting from earlier rounds.
    """

    game: Game
    rules: Rules
    seats: Sequence[Seat]
    dealer: int = 0
    end: str = "counted"
    stopper: int | None = None
    field: Cards = NOTHING
    multiplier: int | None = None
    carried: Sequence[int] = ()
    decision: Any = None


class Warned(NamedTuple):
    """Something that cannot be right but does not stop the round."""

    code: str
    seat: int
    month: int | None
    sentence: Sentence


@dataclass(slots=True)
class Result:
    """What a round came to; the fields are those of the contract's answer."""

    game: Game
    amounts: list[int] | None
    multiplier: int
    carry: list[int]
    tally: Tally
    scores: Sequence[int | None]
    payments: list[Payment]
    winners: list[int]
    next_dealer: int | None
    question: tuple[str, list[int]] | None
    working: list[Line]
    warnings: list[Warned] = field(default_factory=list)


# --- From the round to its result ---------------------------------------------------------------


def settle(played: Round) -> Result:
    """Counts a round, decides what it pays, and explains it; raises :class:`RuleError`."""
    if played.end == "void":
        return _void(played)
    multiplier, carry = _multiplier(played)
    tally = _count(played, multiplier)
    settlement = Settlement(tally)
    played.game.decide(settlement)
    tied = settlement.tied
    dealer, between = settlement.next_dealer()
    question = ("dealer", between) if dealer is None else None
    if tied is not None:
        dealer, question = None, ("tie", tied)
    return Result(
        game=played.game,
        amounts=settlement.amounts if tied is None else None,
        multiplier=multiplier,
        carry=carry,
        tally=tally,
        scores=settlement.scores,
        payments=settlement.payments if tied is None else [],
        winners=settlement.winners(),
        next_dealer=dealer,
        question=question,
        working=[
            *_pile_lines(tally),
            *_field_lines(played, multiplier, carry),
            *_yaku_lines(tally),
            *_hidden_lines(played),
            *settlement.lines,
            *_closing_lines(settlement, dealer, question),
        ],
        warnings=_warnings(tally),
    )


def _void(played: Round) -> Result:
    names = [seat.name for seat in played.seats]
    nothing: list[int | None] = [None] * len(names)
    tally = Tally(
        game=played.game,
        names=names,
        dealer=played.dealer,
        rules=played.rules,
        piles=[None] * len(names),
        points=nothing,
        yaku={kind: [[] for _ in names] for kind in CLASSES},
        claims=[None] * len(names),
        continued=[False] * len(names),
    )
    amounts = [0] * len(names)
    return Result(
        game=played.game,
        amounts=amounts,
        multiplier=1,
        carry=list(played.carried),
        tally=tally,
        scores=nothing,
        payments=[],
        winners=[],
        next_dealer=played.dealer,
        question=None,
        working=[
            Line("end", say("No result: %(names)s book nothing.", names=names)),
            Line("dealer", say("%(name)s deals again.", name=names[played.dealer])),
            _check_line(amounts),
        ],
    )


def _count(played: Round, multiplier: int) -> Tally:
    """What each seat has; raises everything that cannot be."""
    game, seats = played.game, played.seats
    names = [seat.name for seat in seats]
    piles = _piles(played, names)
    dekiyaku = [
        [
            formed
            for yaku in game.by_kind[DEKIYAKU]
            if (formed := find(yaku, at, seat.name, piles[at], seat.dekiyaku)) is not None
        ]
        for at, seat in enumerate(seats)
    ]
    _check_claims(names, piles, dekiyaku)
    _check_end(played, dekiyaku)
    may_do_without = played.end == "stopped" or (game.ending == MAY_STOP and any(dekiyaku))
    if not may_do_without and None in piles:
        at = piles.index(None)
        raise RuleError(
            "not_a_round",
            say("What %(name)s captured is missing.", name=names[at]),
            at,
            game.forms[0],
        )
    tally = Tally(
        game=game,
        names=names,
        dealer=played.dealer,
        rules=played.rules,
        piles=piles,
        points=[None if pile is None else pile.points for pile in piles],
        yaku={
            TEYAKU: [_teyaku(game, at, seat) for at, seat in enumerate(seats)],
            DEKIYAKU: dekiyaku,
            SPECIAL: [[] for _ in seats],
        },
        claims=[seat.special for seat in seats],
        continued=[
            _continued(played, at, seat, piles[at], dekiyaku[at]) for at, seat in enumerate(seats)
        ],
        stopper=played.stopper,
        multiplier=multiplier,
        decision=played.decision,
    )
    tally.keep_best(TEYAKU)
    tally.keep_best(DEKIYAKU)
    return tally


# --- Piles --------------------------------------------------------------------------------------


def _piles(played: Round, names: Sequence[Name]) -> list[Pile | None]:
    """The pile of every seat, the rest filled in, checked against the deck, with card points."""
    game = played.game
    piles = [seat.pile for seat in played.seats]
    whole = played.end == "counted" and game.needs_whole_deck(len(piles))
    check_overlap(piles, names)
    rests = [at for at, seat in enumerate(played.seats) if seat.rest is not None]
    if rests:
        piles[rests[0]] = _rest(played, rests, whole)
    check_counts(piles)
    settle_chaff(piles)
    for at, pile in enumerate(piles):
        if pile is not None:
            pile.points = game.values.points(pile)
            if pile.points is None:
                raise RuleError(
                    "needs_cards",
                    say(
                        "%(game)s counts single cards: say which cards %(name)s captured.",
                        game=game,
                        name=names[at],
                    ),
                    at,
                    pile.form,
                )
    given = [pile for pile in piles if pile is not None]
    if whole and len(given) == len(piles):
        check_deck(given, game.values)
    elif not whole and played.end == "counted":
        check_table(given, game.values)
    return piles


def _rest(played: Round, rests: Sequence[int], whole: bool) -> Pile:
    at = rests[0]
    seat = played.seats[at]
    form = seat.rest or ""
    others = [other.pile for other in played.seats if other is not seat]
    if len(rests) > 1:
        raise RuleError(
            "mixed_rest",
            say("Only one pile can be the rest of the deck."),
            rests[1],
            played.seats[rests[1]].rest,
        )
    if not whole:
        raise RuleError(
            "mixed_rest",
            say(
                "There is no rest to fill in: in such a round not all cards are captured. Say "
                "what %(name)s has.",
                name=seat.name,
            ),
            at,
            form,
        )
    same = [pile for pile in others if pile is not None and pile.form == form]
    if len(same) < len(others):
        raise RuleError(
            "mixed_rest",
            say(
                "The rest for %(name)s needs all other piles in the same form.",
                name=seat.name,
            ),
            at,
            form,
        )
    rest = fill_rest(form, same, played.game.values)
    if rest is None:
        raise RuleError(
            "mixed_rest",
            say(
                "The other piles have more than the whole deck: nothing is left for %(name)s.",
                name=seat.name,
            ),
            at,
            form,
        )
    return rest


# --- Yaku ---------------------------------------------------------------------------------------


def _teyaku(game: Game, at: int, seat: Seat) -> list[Formed]:
    """The teyaku a seat shows, of each group the best; without a word of it, all of its hand."""
    shown: list[Formed] = []
    for yaku in game.by_kind[TEYAKU]:
        said = None if seat.teyaku is None else seat.teyaku.get(yaku.key, 0)
        held = None if seat.hand is None else yaku.pattern(seat.hand)
        if said and held is not None and said > held:
            raise RuleError(
                "yaku_not_formed",
                say("%(name)s cannot show %(yaku)s from this hand.", name=seat.name, yaku=yaku),
                at,
                TEYAKU,
            )
        times = held if said is None else said
        if times:
            shown.append(Formed(yaku, times, yaku.value(times)))
    if seat.teyaku is None:
        return _best_of_groups(shown)
    groups: dict[str, Yaku] = {}
    for formed in shown:
        group = formed.yaku.group
        if group is not None and groups.setdefault(group, formed.yaku) is not formed.yaku:
            raise RuleError(
                "teyaku_conflict",
                say(
                    "%(name)s can show %(one)s or %(other)s, not both.",
                    name=seat.name,
                    one=groups[group],
                    other=formed.yaku,
                ),
                at,
                TEYAKU,
            )
    return shown


def _best_of_groups(formed: Sequence[Formed]) -> list[Formed]:
    kept: dict[str, Formed] = {}
    for one in formed:
        group = one.yaku.group or one.yaku.key
        if group not in kept or one.value > kept[group].value:
            kept[group] = one
    return list(kept.values())


def _check_claims(
    names: Sequence[Name],
    piles: Sequence[Pile | None],
    dekiyaku: Sequence[Sequence[Formed]],
) -> None:
    """Refuses dekiyaku that cannot be there together, given all that is known of the piles."""
    if not any(dekiyaku) or all(pile is not None and pile.cards is not None for pile in piles):
        return
    check_owners(names, dekiyaku)
    known = []
    for at, (pile, formeds) in enumerate(zip(piles, dekiyaku, strict=True)):
        sets = [formed.yaku.cards.mask for formed in formeds if not formed.yaku.needed]
        needed = 0
        for cards in sets:
            needed |= cards
        if pile is not None and pile.has(Cards(needed)) is False:
            raise RuleError(
                "yaku_not_formed",
                say(
                    "%(name)s cannot have %(yaku)s together with this pile.",
                    name=names[at],
                    yaku=[formed.yaku for formed in formeds],
                ),
                at,
                DEKIYAKU,
            )
        known.append(needed | (0 if pile is None else pile.surely))
    for at, formeds in enumerate(dekiyaku):
        for formed in formeds:
            cards = formed.yaku.cards.mask
            needed = formed.yaku.needed or cards.bit_count()
            others = [other for other, theirs in enumerate(known) if other != at and cards & theirs]
            taken = 0
            for other in others:
                taken |= cards & known[other]
            if taken.bit_count() > cards.bit_count() - needed:
                raise RuleError(
                    "card_twice",
                    say(
                        "%(name)s cannot have %(yaku)s: %(cards)s went to %(others)s.",
                        name=names[at],
                        yaku=formed.yaku,
                        cards=Cards(taken),
                        others=[names[other] for other in others],
                    ),
                    at,
                    DEKIYAKU,
                )


def _check_end(played: Round, dekiyaku: Sequence[Sequence[Formed]]) -> None:
    """Refuses a round that did not end as its dekiyaku say."""
    stopper = played.stopper
    if stopper is not None and not dekiyaku[stopper]:
        raise RuleError(
            "stopped_without_yaku",
            say("%(name)s ended the round: with which dekiyaku?", name=played.seats[stopper].name),
            stopper,
            DEKIYAKU,
        )
    if played.game.ending != MUST_STOP:
        return
    for at, formeds in enumerate(dekiyaku):
        if formeds and at != stopper:
            raise RuleError(
                "dekiyaku_formed",
                say(
                    "%(name)s has %(yaku)s, which ends the round at once.",
                    name=played.seats[at].name,
                    yaku=formeds[0].yaku,
                ),
                at,
                DEKIYAKU,
            )


def _continued(
    played: Round, at: int, seat: Seat, pile: Pile | None, dekiyaku: Sequence[Formed]
) -> bool:
    """Whether a seat formed a dekiyaku and played on; raises ``yaku_not_formed``."""
    if dekiyaku:
        return seat.continued or at != played.stopper
    if not seat.continued:
        return False
    possible = pile is None or any(
        yaku.pattern(pile) is None for yaku in played.game.by_kind[DEKIYAKU]
    )
    if played.end == "counted" or not possible:
        raise RuleError(
            "yaku_not_formed",
            say("%(name)s played on, but has no dekiyaku to play on with.", name=seat.name),
            at,
            "continued",
        )
    return True


# --- The field ----------------------------------------------------------------------------------


# Rain man and phoenix make four, the other brights two (seed 002, "Multiplier").
_MULTIPLIERS = {card.bit: 4 if card.month > 10 else 2 for card in BRIGHTS}


def multipliers(field: Cards) -> list[int]:
    """What each bright of an opening field multiplies by."""
    return [by for bright, by in _MULTIPLIERS.items() if field.mask & bright]


def _multiplier(played: Round) -> tuple[int, list[int]]:
    """What the round is multiplied by, and the multipliers it leaves for later rounds."""
    given = played.multiplier
    shown = multipliers(played.field) if given is None else [given]
    if played.game.field_brights == "stack":
        return prod(shown), []
    if played.game.field_brights == "carry_over":
        waiting = sorted([*shown, *played.carried], reverse=True)
        return (waiting[0], waiting[1:]) if waiting else (1, [])
    return max(shown, default=1), []


# --- The working --------------------------------------------------------------------------------


def _pile_lines(tally: Tally) -> list[Line]:
    lines = []
    values = tally.game.values
    for name, pile in zip(tally.names, tally.piles, strict=True):
        if pile is None:
            continue
        numbers: dict[str, Any] = {"name": name, "points": pile.points, "total": values.total}
        if pile.counts is not None and values.by_kind is not None:
            for kind, count, value in zip(Kind, pile.counts, values.by_kind, strict=True):
                numbers[kind.key] = count
                numbers[f"{kind.key}_value"] = value
            message = (
                say(
                    "%(name)s has the rest: bright %(bright)s × %(bright_value)s + animal "
                    "%(animal)s × %(animal_value)s + ribbon %(ribbon)s × %(ribbon_value)s + chaff "
                    "%(chaff)s × %(chaff_value)s = %(points)s card points",
                    **numbers,
                )
                if pile.filled
                else say(
                    "%(name)s: bright %(bright)s × %(bright_value)s + animal %(animal)s × "
                    "%(animal_value)s + ribbon %(ribbon)s × %(ribbon_value)s + chaff %(chaff)s × "
                    "%(chaff_value)s = %(points)s card points",
                    **numbers,
                )
            )
        elif pile.cards is not None:
            held = [(value, Cards(cards.mask & pile.cards)) for value, cards in values.worth]
            numbers["sum"] = Sum(
                say(
                    "%(count)s × %(value)s (%(cards)s)",
                    count=len(cards),
                    value=value,
                    cards=cards,
                )
                for value, cards in held
                if cards
            )
            message = (
                say("%(name)s has the rest: %(sum)s = %(points)s card points", **numbers)
                if pile.filled
                else say("%(name)s: %(sum)s = %(points)s card points", **numbers)
            )
        elif pile.filled:
            message = say(
                "%(name)s has the rest of the %(total)s: %(points)s card points", **numbers
            )
        else:
            message = say("%(name)s: %(points)s card points", **numbers)
        lines.append(Line("points", message))
    return lines


def _field_lines(played: Round, multiplier: int, carry: Sequence[int]) -> list[Line]:
    messages = []
    if played.carried:
        messages.append(say("Waiting from earlier rounds: × %(carry)s.", carry=played.carried))
    if multiplier > 1:
        messages.append(
            say("The opening field: everything counts × %(multiplier)s.", multiplier=multiplier)
        )
    if carry:
        messages.append(say("Waiting for the next rounds: × %(carry)s.", carry=carry))
    return [Line("field", message) for message in messages]


def _yaku_lines(tally: Tally) -> list[Line]:
    """A line for every yaku: whose it is, what it is worth, and why where it is not paid."""
    lines = []
    for kind in CLASSES:
        for name, formeds in zip(tally.names, tally.yaku[kind], strict=True):
            for formed in formeds:
                values = {"name": name, "yaku": formed.yaku, "value": formed.value}
                if formed.void is not None:
                    message = say(
                        "%(name)s: %(yaku)s (%(value)s) is not paid: %(why)s",
                        why=formed.void,
                        **values,
                    )
                elif formed.times > 1:
                    message = say(
                        "%(name)s: %(times)s times %(yaku)s = %(value)s",
                        times=formed.times,
                        **values,
                    )
                else:
                    message = say("%(name)s: %(yaku)s = %(value)s", **values)
                lines.append(Line(kind, message))
    return lines


def _hidden_lines(played: Round) -> list[Line]:
    """A line for every teyaku that a hand holds and its player did not show."""
    lines = []
    for seat in played.seats:
        if seat.hand is None or seat.teyaku is None:
            continue
        groups = {
            yaku.group or yaku.key
            for yaku in played.game.by_kind[TEYAKU]
            if yaku.key in seat.teyaku
        }
        held = [
            Formed(yaku, times, yaku.value(times))
            for yaku in played.game.by_kind[TEYAKU]
            if (times := yaku.pattern(seat.hand))
        ]
        for formed in _best_of_groups(held):
            if (formed.yaku.group or formed.yaku.key) not in groups:
                message = say(
                    "%(name)s: %(yaku)s (%(value)s) was not shown and scores nothing",
                    name=seat.name,
                    yaku=formed.yaku,
                    value=formed.value,
                )
                lines.append(Line(TEYAKU, message))
    return lines


def _closing_lines(
    settlement: Settlement, dealer: int | None, question: tuple[str, list[int]] | None
) -> list[Line]:
    """Who pays whom, what each has, who deals next, and last the check of the sum."""
    tally = settlement.tally
    names = tally.names
    if settlement.tied is not None:
        return [Line("check", say("Nothing is booked before the table has decided."))]
    lines = [
        Line(
            "payment",
            say(
                "%(payer)s pays %(to)s: %(amount)s (%(reason)s)",
                payer=names[payment.payer],
                to=names[payment.to],
                amount=payment.amount,
                reason=payment.reason,
            ),
        )
        for payment in settlement.payments
    ]
    amounts = [
        say("%(name)s %(amount)s", name=name, amount=Signed(amount))
        for name, amount in zip(names, settlement.amounts, strict=True)
    ]
    lines.append(
        Line("total", say("In %(unit)s: %(amounts)s", unit=UNITS[tally.game.unit], amounts=amounts))
    )
    if dealer is not None:
        lines.append(Line("dealer", say("%(name)s deals next.", name=names[dealer])))
    elif question is not None:
        between = tally.called(question[1])
        lines.append(
            Line("dealer", say("The table says who deals next: %(names)s.", names=between))
        )
    lines.append(_check_line(settlement.amounts))
    return lines


def _check_line(amounts: Sequence[int]) -> Line:
    return Line("check", say("Check: %(sum)s = %(total)s", sum=Sum(amounts), total=sum(amounts)))


def _warnings(tally: Tally) -> list[Warned]:
    """What the parity law says of each pile: matching takes two or four of a month, always."""
    warnings = []
    for at, pile in enumerate(tally.piles):
        known = Known.of(pile)
        for seat, month, cards in odd_in(known, at):
            if month is None:
                message = say(
                    "%(name)s has %(count)s cards: matching always takes two or four, so the "
                    "number is even.",
                    name=tally.names[seat],
                    count=known.size,
                )
                warnings.append(Warned("odd_pile", seat, None, message))
            else:
                message = say(
                    "%(name)s has %(cards)s: of each month, matching always takes two cards or "
                    "four.",
                    name=tally.names[seat],
                    cards=cards,
                )
                warnings.append(Warned("odd_month", seat, month, message))
    return warnings


UNITS = {"points": say("points"), "shares": say("shares")}
