"""The parity law, on rounds that are really played out: dealt, captured by the rule, and reported.

Every round is made from a seed, and a failure names it: `play(random.Random(seed))` plays it again.
`PARITY_SEED` and `PARITY_ROUNDS` choose others, or more of them.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from typing import NamedTuple

import pytest

from scorekeeper.rules import settle
from scorekeeper.rules.cards import CHAFF, DECK, MONTHS, NAMED, NOTHING, Card, Cards, Kind
from scorekeeper.rules.parity import UNSAID, Known, Parity, odd_in, odd_months
from scorekeeper.rules.pile import KINDS, Pile

SEED = int(os.environ.get("PARITY_SEED", "0"))
ROUNDS = int(os.environ.get("PARITY_ROUNDS", "2000"))
DEALT = {2: (8, 8), 3: (7, 6), 4: (5, 8)}


class Played(NamedTuple):
    """What everybody captured, and whether that is the whole deck."""

    piles: list[Cards]
    whole: bool


def play(dice: random.Random) -> Played:
    """Plays a round with any cards: to the end of the pile, of the hands, or until stopped."""
    seats = dice.choice((2, 3, 4))
    size, in_field = DEALT[seats]
    turns = dice.choice((99, 99, seats * size, dice.randrange(4, seats * size)))
    while True:
        stock = dice.sample(DECK, len(DECK))
        field = [stock.pop() for _ in range(in_field)]
        if max(sum(card.month == month for card in field) for month in range(1, 13)) < 4:
            break
    hands = [[stock.pop() for _ in range(size)] for _ in range(seats)]
    piles = [NOTHING] * seats
    turn = 0
    while turn < turns and (stock or any(hands)):
        at = turn % seats
        turn += 1
        for source in (hands[at], stock):
            if source:
                piles[at] |= capture(dice, field, source.pop())
    return Played(piles, sum(map(len, piles)) == len(DECK))


def capture(dice: random.Random, field: list[Card], card: Card) -> Cards:
    """Plays a card: alone it stays, of two it takes one, of three all."""
    matching = [other for other in field if other.month == card.month]
    if not matching:
        field.append(card)
        return NOTHING
    taken = matching if len(matching) == 3 else [dice.choice(matching)]
    for other in taken:
        field.remove(other)
    return Cards.of([card, *taken])


def counted(pile: Cards) -> tuple[int, ...]:
    return tuple(sum(card.kind is kind for card in pile) for kind in KINDS)


def some(dice: random.Random, pile: Cards) -> Cards:
    return Cards.of(card for card in pile if dice.random() < 0.7)


def partly(dice: random.Random, counts: tuple[int, ...]) -> tuple[int | None, ...]:
    return tuple(count if dice.random() < 0.7 else None for count in counts)


FORMS = {  # what a table says of a pile, in each form, done or still being entered
    "captured": lambda dice, pile: Known(pile, Cards((1 << 48) - 1)),
    "named with chaff": lambda dice, pile: Known(pile & NAMED, NAMED, counted(pile)),
    "named without": lambda dice, pile: Known(pile & NAMED, NAMED),
    "some cards": lambda dice, pile: Known(some(dice, pile)),
    "some named, all counts": lambda dice, pile: Known(
        some(dice, pile & NAMED), counts=counted(pile)
    ),
    "counts": lambda dice, pile: Known(counts=counted(pile)),
    "some counts": lambda dice, pile: Known(counts=partly(dice, counted(pile))),
    "nothing": lambda dice, pile: Known(),
}
CARD_FORMS = ("captured", "named with chaff", "named without", "some cards")


def rounds(share: int, number: int = ROUNDS):
    """Every so manieth seed, with its dice and its round."""
    for seed in range(SEED + share, SEED + number, CHUNKS):
        dice = random.Random(seed)
        yield f"seed {seed}", dice, play(dice)


CHUNKS = 4
SHARED = pytest.mark.parametrize("share", range(CHUNKS))


def assert_true(law: Parity, played: Played, where: str) -> None:
    """What is forced is so; of chaff, as many as are forced to a seat are there."""
    chaff: dict[tuple[int, int], int] = {}
    for card, seat in law.forced.items():
        assert not any(card in pile.cards for pile in law.piles), where
        if card in CHAFF:
            chaff[seat, card.month] = chaff.get((seat, card.month), 0) + 1
        else:
            assert card in played.piles[seat], f"{where}: {card}"
    for (seat, month), forced in chaff.items():
        of_month = MONTHS[month - 1].cards & CHAFF
        placed = len(of_month & law.piles[seat].cards)
        assert placed + forced <= len(of_month & played.piles[seat]), where


@SHARED
def test_what_is_true_is_forced_or_possible_and_never_odd(share):
    for where, dice, played in rounds(share):
        forms = CARD_FORMS if dice.random() < 0.85 else tuple(FORMS)
        known = [FORMS[dice.choice(forms)](dice, pile) for pile in played.piles]
        law = Parity(known, played.whole)
        assert law.odd == [], where
        assert law.mends == {}, where
        assert_true(law, played, where)
        seat, kind = dice.randrange(len(known)), dice.choice(KINDS)
        true = counted(played.piles[seat])[KINDS.index(kind)]
        assert true in law.possible(seat, kind), f"{where}: {kind} of {seat}"


@SHARED
def test_the_forms_of_a_report_are_never_odd(share):
    for where, dice, played in rounds(share, ROUNDS // 4):
        known = []
        for cards in played.piles:
            named, counts = cards & NAMED, counted(cards)
            pile = dice.choice([
                Pile.of_cards(cards.mask),
                Pile.of_named(named.mask, counts[3]),
                Pile.of_points(20 * counts[0] + 10 * counts[1] + 5 * counts[2] + counts[3]),
                None,
            ])  # fmt: skip
            known.append(Known.of(pile))
        assert Parity(known, played.whole).odd == [], where


@SHARED
def test_one_wrong_card_is_always_odd_and_a_smallest_mend_is_the_truth(share):
    for where, dice, played in rounds(share):
        giver, taker = dice.sample(range(len(played.piles)), 2)
        if not played.piles[giver]:
            continue
        card = dice.choice(list(played.piles[giver]))
        wrong = list(played.piles)
        wrong[giver] -= Cards(card.bit)
        wrong[taker] |= Cards(card.bit)
        law = Parity([Known(pile, Cards((1 << 48) - 1)) for pile in wrong], played.whole)
        where = f"{where}: {card} of {giver} to {taker}"
        assert {(one.seat, one.month) for one in law.odd} == {
            (giver, card.month), (taker, card.month)}, where  # fmt: skip
        assert list(law.mends) == [card.month], where
        mended = []
        for mend in law.mends[card.month]:
            assert len(mend) == 1, where
            after = law.mended(mend)
            assert after.odd == [], where
            mended.append([alike(pile.cards) for pile in after.piles])
        assert [alike(pile) for pile in played.piles] in mended, where


def alike(pile: Cards) -> tuple[Cards, list[int]]:
    """A pile with the chaff of each month counted, since these are interchangeable."""
    return pile & NAMED, [len(month.cards & CHAFF & pile) for month in MONTHS]


@SHARED
def test_a_card_too_many_or_too_few_in_one_pile_is_always_odd(share):
    for where, dice, played in rounds(share):
        pile = played.piles[0]
        card = dice.choice(DECK)
        wrong = pile - Cards(card.bit) if card in pile else pile | Cards(card.bit)
        known = Known(wrong, Cards((1 << 48) - 1))
        assert [(one.month, one.cards) for one in odd_in(known)] == [
            (card.month, wrong & MONTHS[card.month - 1].cards)], where  # fmt: skip
        law = Parity([known, *[Known()] * (len(played.piles) - 1)], played.whole)
        assert {len(mend) for mend in law.mends[card.month]} == {1}, where
        assert all(not law.mended(mend).odd for mend in law.mends[card.month]), where


@SHARED
def test_a_named_card_with_the_wrong_owner_is_always_odd(share):
    for where, dice, played in rounds(share):
        giver, taker = dice.sample(range(len(played.piles)), 2)
        named = [pile & NAMED for pile in played.piles]
        if not named[giver]:
            continue
        card = dice.choice(list(named[giver]))
        piles = []
        for seat, cards in enumerate(named):
            wrong = cards - Cards(card.bit) if seat == giver else cards
            wrong = wrong | Cards(card.bit) if seat == taker else wrong
            piles.append(Pile.of_named(wrong.mask, counted(played.piles[seat])[3]))
        law = Parity([Known.of(pile) for pile in piles], played.whole)
        assert {giver, taker} <= {one.seat for one in law.odd}, f"{where}: {card}"


@SHARED
def test_a_count_off_by_one_is_always_odd(share):
    for where, dice, played in rounds(share):
        counts = list(counted(dice.choice(played.piles)))
        place = dice.randrange(len(KINDS))
        counts[place] += dice.choice((-1, 1))
        assert [one.month for one in odd_in(Known(counts=tuple(counts)))] == [None], where


@SHARED
def test_with_the_other_counts_said_only_every_second_number_is_possible(share):
    for where, dice, played in rounds(share, ROUNDS // 10):
        seat, place = dice.randrange(len(played.piles)), dice.randrange(len(KINDS))
        counts = counted(played.piles[seat])
        said = tuple(None if at == place else count for at, count in enumerate(counts))
        known = [Known()] * len(played.piles)
        known[seat] = Known(counts=said)
        possible = Parity(known, played.whole).possible(seat, KINDS[place])
        assert counts[place] in possible, where
        assert {number % 2 for number in possible} == {counts[place] % 2}, where


def test_of_the_last_pile_every_count_is_known():
    for where, _, played in rounds(0, 100):
        if not played.whole:
            continue
        known = [Known(counts=counted(pile)) for pile in played.piles[:-1]]
        law = Parity([*known, Known()])
        last = counted(played.piles[-1])
        for kind, count in zip(KINDS, last, strict=True):
            assert law.possible(len(known), kind) == [count], where


# --- Cases that a player can check ----------------------------------------------------------------


def placed(*piles: str, whole: bool = True) -> Parity:
    return Parity([Known.placed(pile) for pile in piles], whole)


FORCED = {
    "nothing is known": (placed("", ""), {}),
    "two owners: a chaff each": (placed("1B", "1R"), {"1C1": 0, "1C2": 1}),
    "one owner: the pair is open": (placed("1B 1R", ""), {}),
    "three of a month, and the fourth": (placed("1B 1R 1C1", ""), {"1C2": 0}),
    "a chaff and the other named card": (placed("1B 1C1", "1C2"), {"1R": 1}),
    "lightning goes to whoever is odd": (placed("11B 11A", "11R", ""), {"11C": 1}),
    "two of willow, and the others stay together": (placed("11B 11A", "", whole=False), {}),
    "phoenix has a chaff": (placed("12B", ""), {"12C1": 0}),
    "four players": (placed("2A", "", "", "2R"), {"2C1": 0, "2C2": 3}),
    "cards in no pile": (placed("1B", "", whole=False), {}),
    "cards in no pile, two owners": (
        placed("1B", "1R", whole=False), {"1C1": 0, "1C2": 1}),
    "named and counted: no pair is left": (
        Parity([Known(Cards.parse("1B 1R 2A"), NAMED, (1, 1, 1, 1)), Known()]),
        {card.text: 1 for card in NAMED if card.text not in ("1B", "1R", "2A")}
        | {"2C1": 0, "1C1": 1, "1C2": 1, "2C2": 1, "12C1": 1, "12C2": 1, "12C3": 1, "11C": 1}
        | {f"{month}C{n}": 1 for month in range(3, 11) for n in (1, 2)},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("law", "forced"), FORCED.values(), ids=FORCED)
def test_forces(law, forced):
    assert {card.text: seat for card, seat in law.forced.items()} == forced
    assert law.odd == []


ODD = {  # what cannot be: seat, month, cards; and the smallest mends as card, giver, taker
    "three and one": (
        placed("1B 1R 1C1", "1C2"),
        {(0, 1, "1B 1R 1C1"), (1, 1, "1C2")},
        {"1B 0 1", "1R 0 1", "1C1 0 1", "1C2 1 0"},
    ),
    "three owners of willow": (
        placed("11B", "11A", "11R"),
        {(0, 11, "11B"), (1, 11, "11A"), (2, 11, "11R")},
        {"11B 0 1", "11B 0 2", "11A 1 0", "11A 1 2", "11R 2 0", "11R 2 1"},
    ),
    "one pile with a card alone": (
        Parity([Known.all_of("1R"), Known()], whole=False),
        {(0, 1, "1R")},
        {"1R 0 None", "1R 0 1", "1B None 0", "1C1 None 0"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("law", "odd", "mends"), ODD.values(), ids=ODD)
def test_is_odd(law, odd, mends):
    assert {(one.seat, one.month, str(one.cards)) for one in law.odd} == odd
    ((_, found),) = law.mends.items()
    assert {" ".join(f"{c.text} {giver} {taker}" for c, giver, taker in mend) for mend in found} \
        == mends  # fmt: skip


def test_two_slips_in_a_month_take_two_moves():
    law = Parity([Known.all_of("2A"), Known.all_of("2R"), Known.all_of("2C1"), Known.all_of("2C2")])
    assert {len(mend) for mend in law.mends[2]} == {2}
    assert all(2 not in law.mended(mend).mends for mend in law.mends[2])


def test_chaff_of_named_cards():
    ben = Known(NAMED - Cards.parse("1B 1R 2A"), NAMED)
    law = Parity([Known(Cards.parse("1B 1R 2A"), NAMED), ben])
    # a chaff of plum for certain, and each pair of chaff but the plum's and the willow's is open
    assert law.possible(0, Kind.CHAFF) == list(range(1, 23, 2))
    law = Parity([law.piles[0], replace(ben, counts=(None, None, None, 21))])
    assert law.possible(0, Kind.CHAFF) == [3]


def test_the_last_count_of_a_pile():
    # a bright alone cannot be, nor with two chaff: one of them would be alone in its month
    law = Parity([Known(counts=(1, 0, 0, None)), Known()])
    assert law.possible(0, Kind.CHAFF)[:3] == [1, 3, 5]
    # five brights take a card of five months
    assert [one.month for one in Parity([Known(counts=(5, 0, 0, 3)), Known()]).odd] == [None]
    assert Parity([Known(counts=(5, 0, 0, 5)), Known()]).odd == []


def test_what_a_form_tells():
    cards = Cards.parse("1B 1R 1C1 1C2")
    assert Known.of(None) == Known.of(Pile.of_points(27)) == Known()
    assert Known.of(Pile.of_cards(cards.mask)) == Known.all_of("1B 1R 1C1 1C2")
    assert Known.of(Pile.of_counts((1, 0, 1, 2))) == Known(counts=(1, 0, 1, 2))
    named = Known.of(Pile.of_named((cards & NAMED).mask, 2))
    assert (named.cards, named.settled, named.size) == (cards & NAMED, NAMED, 4)
    assert UNSAID == (None, None, None, None)


def test_odd_months_by_counting():
    for seed in range(SEED, SEED + 500):
        dice = random.Random(seed)
        pile = Cards.of(dice.sample(DECK, dice.randrange(49)))
        odd = [m.number for m in MONTHS if len(pile & m.cards) % 2]
        assert odd_months(pile.mask) == odd, f"seed {seed}"


def test_the_warnings_of_a_round_are_the_law():
    for where, dice, played in rounds(0, 400):
        if not played.whole or not all(played.piles):
            continue
        wrong = list(played.piles)
        card = dice.choice(list(wrong[0]))
        wrong[0] -= Cards(card.bit)
        wrong[1] |= Cards(card.bit)
        seats = [{"captured": str(pile)} for pile in wrong]
        warnings = settle({"game": "bakappana", "seats": seats})["warnings"]
        law = Parity([Known.all_of(str(pile)) for pile in wrong])
        assert [(w["seat"], w["month"]) for w in warnings] == [
            (one.seat, one.month) for one in law.odd], where  # fmt: skip
