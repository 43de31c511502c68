"""What a game says of itself, whatever is played: its deals, its defaults, its deck."""

import re
from dataclasses import fields
from itertools import combinations

import pytest

from scorekeeper.rules.cards import DECK, OF_KIND, WHOLE_DECK, Card, Cards, Kind
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.sentence import shown

from .table import ANIMALS, BRIGHTS, CHAFF, RIBBONS
from .table import DECK as WRITTEN

TABLES = {
    f"{game.key}, {rule.key} {choice.value}": game.under({rule.key: choice.value})
    for game in GAMES.values()
    for rule in game.house_rules
    for choice in rule.choices
}


EVERY_TABLE = pytest.mark.parametrize("game", TABLES.values(), ids=TABLES)


@EVERY_TABLE
def test_a_deal_is_the_whole_deck(game):
    for players, deal in game.deals.items():
        assert players * deal.hand + deal.field + deal.pile == len(DECK)


@EVERY_TABLE
def test_a_yaku_is_formed_by_the_cards_that_it_says(game):
    for yaku in game.yaku:
        if not yaku.cards:
            continue
        needed = yaku.needed or len(yaku.cards)
        # What it takes is enough by itself, and with one less all the rest of the deck is not.
        for cards in combinations(yaku.cards, needed):
            assert yaku.pattern(Pile.of_cards(Cards.of(cards).mask)), (yaku.key, cards)
        for cards in combinations(yaku.cards, needed - 1):
            pile = (WHOLE_DECK - yaku.cards) | Cards.of(cards)
            assert yaku.pattern(Pile.of_cards(pile.mask)) == 0, (yaku.key, cards)
        assert yaku.alone == (2 * needed > len(yaku.cards)), f"{yaku.key}: can two players have it?"


CHOICES = {
    f"{game.key}, {rule.key} = {choice.value}": (rule, choice)
    for game in GAMES.values()
    for rule in game.house_rules
    for choice in rule.choices
}


@pytest.mark.parametrize(("rule", "choice"), CHOICES.values(), ids=CHOICES)
def test_numbers_in_the_words_of_a_choice_are_those_it_sets(rule, choice):
    said = {int(number) for number in re.findall(r"\d+", shown(choice.label))}
    prices = {yaku.first for yaku in choice.adds}
    prices |= {changes["first"] for changes in choice.changes.values() if "first" in changes}
    if type(choice.value) is int:
        prices.add(choice.value)
    assert not said or prices <= said | {0}, f"it says {said}, and it sets {prices}"


# (players, cards in hand, in the field): seeds 000, 002 and 003; Yokohama-bana as its family
DEALS = {
    "bakappana": [(2, 8, 8), (3, 7, 6), (4, 5, 8)],
    "yokohama-bana": [(3, 7, 6)],
    "hachi-hachi": [(3, 7, 6)],
    "kaga": [(2, 8, 8)],
}


@pytest.mark.parametrize(("key", "deals"), DEALS.items(), ids=DEALS)
def test_deals(key, deals):
    dealt = GAMES[key].deals.items()
    assert [(players, deal.hand, deal.field) for players, deal in dealt] == deals


def test_ten_cards_each_leave_no_pile_to_empty():
    deal = GAMES["bakappana"].under({"two_player_end": "ten_card"}).deals[2]
    assert (deal.hand, deal.field, deal.pile) == (10, 8, 20)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_is_what_its_defaults_make_of_it(game):
    table = game.under(game.defaults)
    for field in fields(game):
        # A house rule only adds to the first two; the others are the table's own.
        if field.name not in ("yaku", "only_best", "conflicts", "rules"):
            assert getattr(table, field.name) == getattr(game, field.name), field.name
    assert set(table.yaku) >= set(game.yaku)
    assert table.only_best >= game.only_best


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_is_known_by_its_key(game):
    assert GAMES[game.key] is game


def test_the_deck():
    assert {card.text for card in DECK} == set(WRITTEN)
    for kind, cards in zip(Kind, (BRIGHTS, ANIMALS, RIBBONS, CHAFF), strict=True):
        assert {card.text for card in OF_KIND[kind]} == set(cards)


@pytest.mark.parametrize("text", WRITTEN)
def test_a_card_is_read_as_it_is_written(text):
    card = Card.parse(text)
    assert (card.text, str(Cards(card.bit)), DECK[card.index]) == (text, text, card)
