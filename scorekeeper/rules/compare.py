"""What the same round would have paid under the other settlements of its game.

The house rules that only say how a round is paid (:attr:`HouseRule.settles`) are tried in all
combinations; the rules of the table that decide how it is played stay as they are.

>>> played = {"game": "bakappana", "seats": [{"points": 104}, {"points": 95}, {"points": 65}]}
>>> for other in compare(played)[:3]:
...     print(other.rules, other.unit, other.amounts)
{'settlement': 'additive'} points [104, 95, 65]
{'settlement': 'makatsu'} shares [2, -1, -1]
{'settlement': 'sanju-sen-me'} shares [5, 2, -7]

What the data does not allow is left out: a combination that refuses the round, one that leaves a
question to the table, and card points that were counted by other card values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

from scorekeeper.rules.document import read, write
from scorekeeper.rules.game import Game, Rules
from scorekeeper.rules.result import Result, settle
from scorekeeper.rules.sentence import RuleError


class Alternative(NamedTuple):
    """Another settlement: the house rules in which it differs from the table's, and its amounts."""

    rules: dict[str, Any]
    unit: str
    amounts: list[int]


def compare(document: Any) -> list[Alternative]:
    """Every other settlement of a round, those that differ least first.

    A house rule that would have changed nothing in the working stays the table's. Raises
    :class:`RuleError` where the round itself is refused.
    """
    played = read(document)
    as_written = write(played)
    results: dict[Differing, Result] = {(): settle(played)}
    for differing in _combinations(played.game, played.rules):
        try:
            other = read({**as_written, "rules": {**played.rules, **dict(differing)}})
            by_points = any(seat.pile and seat.pile.form == "points" for seat in other.seats)
            if not by_points or other.game.values == played.game.values:
                results[differing] = settle(other)
        except RuleError:
            continue
    return [
        Alternative(dict(differing), result.game.unit, result.amounts)
        for differing, result in results.items()
        if differing and result.amounts is not None and _all_matter(differing, results)
    ]


def at_issue(game: Game, others: Iterable[Alternative]) -> list[str]:
    """The keys of the house rules that decided what was booked, as the game has them.

    What matters only once another house rule is otherwise, too, did not: how Sanju-Sen-Me rounds
    is nothing to a table that plays par.
    """
    rules = [other.rules.items() for other in others]
    least = [items for items in rules if not any(fewer < items for fewer in rules)]
    differing = {key for items in least for key, _ in items}
    return [rule.key for rule in game.house_rules if rule.key in differing]


Differing = tuple[tuple[str, Any], ...]
"""The keys and values of house rules that differ from the table's."""


def _combinations(game: Game, rules: Rules) -> list[Differing]:
    """All other values of the house rules that settle, the fewest differences first."""
    settling = [rule for rule in game.house_rules if rule.settles]
    combinations = [
        tuple(
            (rule.key, choice.value)
            for rule, choice in zip(settling, choices, strict=True)
            if choice is not rule.choice(rules[rule.key])
        )
        for choices in product(*(rule.choices for rule in settling))
    ]
    return sorted(filter(None, combinations), key=len)


def _all_matter(differing: Differing, results: Mapping[Differing, Result]) -> bool:
    """Whether each difference changes the working that there would have been without it."""
    lines = _lines(results[differing])
    less = [tuple(one for one in differing if one is not left_out) for left_out in differing]
    return all(one not in results or _lines(results[one]) != lines for one in less)


def _lines(result: Result) -> list[str]:
    return [sentence.render() for _, sentence in result.working]
