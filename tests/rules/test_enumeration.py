"""Every hand that can be dealt, counted by what it is worth.

Hands that differ only in which of a month's plain chaff they hold, or in which of several alike
months, are alike. One hand of each such class is looked at, by the very patterns that settle a
round, and stands for all hands of the class: 109,461 classes stand for 73,629,072 hands.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod

import pytest

from scorekeeper.rules.cards import CHAFF, WHOLE_DECK
from scorekeeper.rules.game import Game
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.yaku import TEYAKU

from .table import HH, KAGA, YOK, settle

ALIKE = ((1, 3), (2, 4, 5, 6, 7, 9, 10), (8,), (11,), (12,))
"""Months with a bright and a ribbon, with an animal and a ribbon, and three of their own kind."""


def parts_of_a_month(month: int) -> list[tuple[int, int]]:
    """What a hand can hold of a month: four bits, and in how many ways its chaff can be chosen."""
    bits = [1 << place for place in range(4)]
    shift = 4 * (month - 1)
    chaff = [bit for bit in bits if CHAFF.mask >> shift & bit]
    named = [bit for bit in bits if bit not in chaff]
    return [
        (sum(some) + sum(chaff[:count]), comb(len(chaff), count))
        for size in range(len(named) + 1)
        for some in combinations(named, size)
        for count in range(len(chaff) + 1)
    ]


def parts_of_alike(months: tuple[int, ...], most: int) -> Iterator[tuple[int, int, int]]:
    """What a hand can hold of alike months: how many cards, one choice of them, how many such."""
    parts = parts_of_a_month(months[0])
    for chosen in combinations_with_replacement(parts, len(months)):
        size = sum(bits.bit_count() for bits, _ in chosen)
        if size <= most:
            hand = sum(
                bits << 4 * (month - 1) for (bits, _), month in zip(chosen, months, strict=True)
            )
            orders = factorial(len(months)) // prod(map(factorial, Counter(chosen).values()))
            yield size, hand, orders * prod(ways for _, ways in chosen)


def classes(size: int) -> Iterator[tuple[int, int]]:
    """One hand of each class, as bits, and how many hands it stands for."""
    hands: dict[int, list[tuple[int, int]]] = {0: [(0, 1)]}
    for months in ALIKE:
        longer: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for held, more, ways in parts_of_alike(months, size):
            for before, known in hands.items():
                if before + held <= size:
                    longer[before + held] += [(hand | more, n * ways) for hand, n in known]
        hands = longer
    yield from hands[size]


def worth(game: Game, hand: int) -> tuple[int, ...]:
    """The value of the best teyaku of each group in a hand, of each one where they stack."""
    pile = Pile.of_hand(hand)
    best: dict[str, int] = {}
    for yaku in game.by_kind[TEYAKU]:
        group = yaku.group or yaku.key
        times = yaku.pattern(pile)
        best[group] = max(best.get(group, 0), yaku.value(times) if times else 0)
    return tuple(best.values())


def count(game: Game, size: int) -> Counter[tuple[int, ...]]:
    """How many hands there are of each worth."""
    hands: Counter[tuple[int, ...]] = Counter()
    for hand, number in classes(size):
        hands[worth(game, hand)] += number
    return hands


def column(hands: Counter[tuple[int, ...]], place: int) -> dict[int, int]:
    """How many hands there are of each value of a group, those of nothing left out."""
    column: Counter[int] = Counter()
    for values, number in hands.items():
        column[values[place]] += number
    return {value: number for value, number in column.items() if value}


# Group A: haneken and teshi, three pairs, a triplet. Group B: 888,030 empty hands, 1,184,040 with
# one bright; at 20 2,368,080 with one animal, 2,664,090 with one ribbon, and the red ones.
ALL_HANDS = 73_629_072
SETS = {50: 253_968, 40: 1_710_720, 20: 6_378_240}
RED = {"two_or_more": 4_795_560, "exactly_two": 2_906_280}


@pytest.mark.parametrize("aka", RED)
def test_yokohama_bana(aka):
    hands = count(GAMES[YOK].under({"aka": aka}), 7)
    assert hands.total() == ALL_HANDS
    assert column(hands, 0) == SETS
    assert ALL_HANDS - sum(SETS.values()) == 65_286_144
    assert column(hands, 1) == {
        40: 888_030, 30: 1_184_040, 20: 2_368_080 + 2_664_090 + RED[aka]}  # fmt: skip


def test_hachi_hachi():
    """Willow cards are what they are: 346,104 empty hands, 672,980 with one bright, and so on."""
    hands = count(GAMES[HH].under({"teyaku": "one_per_group"}), 7)
    assert hands.total() == ALL_HANDS
    assert column(hands, 0) == {
        200: 528, 80: 31_680, 70: 95_040, 60: 168_960, 40: 1_710_720, 20: 6_336_000}  # fmt: skip
    assert column(hands, 1) == {
        40: 346_104 + 672_980, 30: 1_211_364 + 1_345_960, 20: 3_687_552}  # fmt: skip


def test_kaga():
    hands = count(GAMES[KAGA].under({}), 8)
    assert hands.total() == 377_348_994
    assert column(hands, 0) == {100: 1_628_946 - 66, 200: 66}
    assert column(hands, 1) == {100: 9_041_967}
    chaff = sum(number for hand, number in classes(8) if not hand & ~CHAFF.mask)
    assert chaff == 735_471


KEYS = {
    "karasu": 888_030, "pikaichi": 1_184_040, "toichi": 2_368_080, "tanichi": 2_664_090,
    "aka": 4_795_560,
}  # fmt: skip


def test_each_teyaku_of_chaff():
    found: Counter[str] = Counter()
    group = [yaku for yaku in GAMES[YOK].under({}).by_kind[TEYAKU] if yaku.group == "B"]
    for hand, number in classes(7):
        pile = Pile.of_hand(hand)
        found.update({yaku.key: number for yaku in group if yaku.pattern(pile)})
    assert found == KEYS


# --- That alike hands are worth the same, and that rounds are settled by the same patterns -------


def shuffled(dice: random.Random, hand: int) -> int:
    """A hand of the same class."""
    nibbles = [hand >> 4 * month & 15 for month in range(12)]
    for months in ALIKE:
        for month, other in zip(months, dice.sample(months, len(months)), strict=True):
            nibbles[month - 1] = hand >> 4 * (other - 1) & 15
    turned = 0
    for place_of_month, nibble in enumerate(nibbles):
        shift = 4 * place_of_month
        chaff = [place for place in range(4) if CHAFF.mask >> shift & 1 << place]
        moved = dict(zip(chaff, dice.sample(chaff, len(chaff)), strict=True))
        turned |= sum(
            1 << shift + moved.get(place, place) for place in range(4) if nibble & 1 << place
        )
    return turned


@pytest.mark.parametrize(("key", "size"), [(YOK, 7), (HH, 7), (KAGA, 8)])
def test_alike_hands_are_worth_the_same(key, size):
    dice = random.Random(size)
    game = GAMES[key].under({})
    deck = [card.bit for card in WHOLE_DECK]
    for _ in range(2000):
        hand = sum(dice.sample(deck, size))
        assert worth(game, shuffled(dice, hand)) == worth(game, hand), Pile.of_cards(hand).known


@pytest.mark.parametrize(("key", "size", "points"), [(YOK, 7, 88), (HH, 7, 88), (KAGA, 8, 30)])
def test_rounds_are_settled_by_the_same_patterns(key, size, points):
    dice = random.Random(size)
    game = GAMES[key].under({"teyaku": "one_per_group"} if key == HH else {})
    others = [{"points": points}] * (game.seats[0] - 1)
    hands = [hand for hand, _ in classes(size)]
    for hand in dice.sample(hands, 500):
        seat = {"points": points, "hand": str(Pile.of_cards(hand).known)}
        found = settle({"game": key, "seats": [seat, *others]})["seats"][0]["teyaku"]
        values = [value for value in worth(game, hand) if value]
        assert sorted(yaku["value"] for yaku in found) == sorted(values), seat
