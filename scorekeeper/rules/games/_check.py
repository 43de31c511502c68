"""What is wrong with a game, said when it is found: a slip that no round would show, or too late.

A yaku that stands there twice, a misspelt key among the changes of a house rule, a deal that does
not add up: none of them stops the program, and each makes it settle something else than the table
plays. So whoever writes a game is told of all of them at once, before anything is settled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import reduce
from operator import or_
from types import FunctionType, ModuleType
from typing import Any

from scorekeeper.rules.cards import WHOLE_DECK
from scorekeeper.rules.game import MAY_STOP, MUST_STOP, Choice, Conflict, Deal, Game, HouseRule
from scorekeeper.rules.yaku import CLASSES, Yaku

FORMS = ("captured", "counts", "points")
"""In which a game may have its piles; named cards and months go without saying."""

KNOWN: dict[str, tuple[Any, ...]] = {
    "unit": ("points", "shares"),
    "ending": (None, MUST_STOP, MAY_STOP),
    "field_brights": (None, "greater", "carry_over", "stack"),
}
"""What these fields of a game can be."""

MEANING = {
    "dealer_tie": ("turn_order", "dealer_stays", "ask"),
    "tie": ("turn_order", "nobody", "each_tied", "ask"),
    "next_starter": ("winner", "rotate", "ask"),
}
"""The house rules that a settlement asks for by name, whatever the game, and what they can be."""

OWN = {"key", "house_rules", "yaku", "conflicts", "rules"}
"""What no choice of a house rule can replace."""

GAME = {field.name for field in fields(Game)} - OWN
YAKU = {field.name for field in fields(Yaku)} - {"key"}

KEY = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
RULE_KEY = KEY ^ {"-", "_"}


def checked(module: ModuleType) -> Game:
    """The game of a file; raises ValueError with all that is wrong with it."""
    file = f"{module.__name__.rpartition('.')[2]}.py"
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise ValueError(
            f"games/{file} has no game: it needs GAME = Game(...), or a name that begins with _"
        )
    called = {
        name
        for one in vars(module).values()
        if isinstance(one, FunctionType) and one.__module__ == module.__name__
        for name in one.__code__.co_names
    }
    if wrong := [*faults(game, pays_the_most="most" in called)]:
        raise ValueError("\n  ".join([f"games/{file}: {game.key!r} cannot be played so.", *wrong]))
    return game


def by_key(games: Iterable[Game]) -> dict[str, Game]:
    """The games by their keys; raises ValueError where two have the same."""
    found: dict[str, Game] = {}
    for game in games:
        other = found.setdefault(game.key, game)
        if other is not game:
            names = f"{other.name.render()} and {game.name.render()}"
            raise ValueError(f"two games have the key {game.key!r}: {names}")
    return found


def faults(game: Game, pays_the_most: bool = False) -> Iterator[str]:
    """All that is wrong with a game, a line each.

    ``pays_the_most`` says that a settlement of it uses :meth:`Settlement.most`.
    """
    # Of what is no tuple, because a comma is missing, nothing more can be said.
    if untupled := [*_untupled(game)]:
        yield from (f"{place}: a tuple, in which something is; a comma?" for place in untupled)
        return
    choices = [(rule, choice) for rule in game.house_rules for choice in rule.choices]
    # Two choices of one house rule may add the same yaku.
    added = {(rule.key, one.key): one for rule, choice in choices for one in choice.adds}
    yaku = {one.key: one for one in (*game.yaku, *added.values())}
    yield from _game(game, [*game.yaku, *added.values()])
    for one in yaku.values():
        yield from (f"yaku {one.key!r}: {wrong}" for wrong in _yaku(one))
    for rule in game.house_rules:
        yield from (f"house_rules {rule.key!r}: {wrong}" for wrong in _house_rule(rule))
    for rule, choice in choices:
        place = f"house_rules {rule.key!r}, choice {choice.value!r}"
        yield from (f"{place}: {wrong}" for wrong in _choice(choice, yaku))
    keys = [rule.key for rule in game.house_rules]
    yield from (f"house_rules: {wrong}" for wrong in _twice("key", keys))
    if "dealer_tie" not in keys:
        yield "house_rules: DEALER_TIE is missing, which says who deals next"
    if pays_the_most and "tie" not in keys:
        yield "house_rules: TIE is missing, and a settlement pays whoever has the most"
    for conflict in game.conflicts:
        yield from (f"conflicts: {wrong}" for wrong in _conflict(conflict, game))


def _untupled(game: Game) -> Iterator[str]:
    for name in ("goes", "forms", "house_rules", "voids", "yaku", "conflicts"):
        if not isinstance(getattr(game, name), tuple):
            yield name
    if isinstance(game.house_rules, tuple):
        for rule in game.house_rules:
            if not isinstance(rule.choices, tuple) or not rule.choices:
                yield f"house_rules {rule.key!r}: choices"
                continue
            for choice in rule.choices:
                for name in ("adds", "voids"):
                    if not isinstance(getattr(choice, name), tuple):
                        yield f"house_rules {rule.key!r}, choice {choice.value!r}: {name}"


def _game(game: Game, yaku: list[Yaku]) -> Iterator[str]:
    yield from _written(game)
    yield from _fields(vars(game), {one.kind: one for one in yaku})
    keys = [key for one in yaku for key in (one.key, one.with_extra) if key]
    yield from (f"yaku: {wrong}" for wrong in _twice("key", keys))
    yield from (f"yaku: {wrong}" for wrong in _twice("kanji", [one.kanji for one in yaku]))


def _written(one: Game | Yaku) -> Iterator[str]:
    if not one.key or not KEY.issuperset(one.key):
        yield f"key: {one.key!r} is not of small letters, digits and hyphens alone"
    if not one.kanji.strip():
        yield "kanji: empty"
    if not one.reading.strip():
        yield "reading: empty"


def _fields(given: Mapping[str, Any], kinds: Iterable[str]) -> Iterator[str]:
    """Of the fields of a game, or of the few that a choice replaces."""
    for name, known in KNOWN.items():
        if given.get(name, known[0]) not in known:
            yield f"{name}: {given[name]!r} is none of {_list(known)}"
    if "values" in given:
        sets = [cards.mask for _, cards in given["values"].worth]
        both = reduce(or_, sets, 0)
        if both.bit_count() < sum(mask.bit_count() for mask in sets):
            yield "values: a card is in two groups"
        if both & ~WHOLE_DECK.mask:
            yield "values: there are cards that are not in the deck"
    if "forms" in given:
        for form in given["forms"]:
            if form not in FORMS:
                yield f"forms: {form!r} is none of {_list(FORMS)}"
        if not given["forms"]:
            yield "forms: a pile has to be reported in one way at least"
        if "counts" in given["forms"] and "values" in given and given["values"].by_kind is None:
            yield "forms: counts tell nothing where cards of a kind differ in value"
    if "deals" in given:
        yield from _deals(given["deals"])
    for name in ("only_best", "only_first", "pays"):
        for kind in given.get(name, ()):
            if kind not in CLASSES:
                yield f"{name}: {kind!r} is none of {_list(CLASSES)}"
    if "pays" in given:
        for kind in kinds:
            if kind not in given["pays"]:
                yield f"pays: it does not say what a {kind} pays"


def _deals(deals: Mapping[int, Any]) -> Iterator[str]:
    if not deals:
        yield "deals: nobody is dealt any cards"
    for players, deal in deals.items():
        if not isinstance(deal, Deal):
            yield f"deals: what {players} players are dealt is a Deal(hand=…, field=…, pile=…)"
            continue
        dealt = players * deal.hand + deal.field + deal.pile
        if dealt != len(WHOLE_DECK):
            yield (
                f"deals: {players} × {deal.hand} + {deal.field} + {deal.pile} is {dealt}, and the "
                f"deck has {len(WHOLE_DECK)} cards"
            )


def _yaku(one: Yaku) -> Iterator[str]:
    yield from _written(one)
    if one.kind not in CLASSES:
        yield f"kind: {one.kind!r} is none of {_list(CLASSES)}"
    if one.needed > len(one.cards):
        yield f"needed: {one.needed}, and cards has {len(one.cards)}"
    if one.each_extra and (one.extra is None or one.per is None):
        yield "each_extra: it takes extra and per as well, to count the extras and to name them"
    if one.further and one.most < 2:
        yield "further: it is never paid, for most is 1"


def _house_rule(rule: HouseRule) -> Iterator[str]:
    if not rule.key or not RULE_KEY.issuperset(rule.key):
        yield "key: not of small letters, digits and _ alone"
    if len(rule.choices) < 2:
        yield "choices: there is nothing to choose"
    values = [choice.value for choice in rule.choices]
    # True is not 1 here.
    yield from (f"choices: {wrong}" for wrong in _twice("value", map(repr, values)))
    known = MEANING.get(rule.key, values)
    for value in values:
        if value not in known:
            yield f"choices: {value!r} says nothing to a settlement, only {_list(known)} do"


def _choice(choice: Choice, yaku: Mapping[str, Yaku]) -> Iterator[str]:
    for kind in choice.best_alone:
        if kind not in CLASSES:
            yield f"best_alone: {kind!r} is none of {_list(CLASSES)}"
    yield from (f"adds: {wrong}" for wrong in _twice("key", [one.key for one in choice.adds]))
    for key, changes in choice.changes.items():
        if key not in yaku:
            yield f"changes: there is no yaku {key!r}"
        for name, value in changes.items():
            if name not in YAKU:
                yield f"changes of {key!r}: a yaku has no field {name!r} to change"
            if name in ("kanji", "reading") and not value.strip():
                yield f"changes of {key!r}: {name}: empty"
    for name in choice.fields:
        if name not in GAME:
            yield f"fields: a game has no field {name!r} to replace"
    kinds = {one.kind: one for one in yaku.values()}
    yield from (f"fields: {wrong}" for wrong in _fields(choice.fields, kinds))


def _conflict(conflict: Conflict, game: Game) -> Iterator[str]:
    for key, value in conflict.when.items():
        rule = game.rule(key)
        if rule is None or not rule.has(value):
            yield f"when: there is no house rule {key!r} with a choice {value!r}"
    for players in conflict.players or ():
        if players not in game.deals:
            yield f"players: {players} players cannot play it anyway"
    if conflict.end not in (None, "counted", "stopped"):
        yield f"end: {conflict.end!r} is neither 'counted' nor 'stopped'"


def _twice(what: str, found: Iterable[str]) -> Iterator[str]:
    for one, times in Counter(found).items():
        if times > 1:
            yield f"the {what} {one} is there {times} times"


def _list(known: Iterable[Any]) -> str:
    return ", ".join(map(repr, known))
