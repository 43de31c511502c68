"""What a game says of itself, whatever is played: its deals, its defaults, its deck."""

from dataclasses import fields

import pytest

from scorekeeper.rules.cards import DECK, OF_KIND, Card, Cards, Kind
from scorekeeper.rules.games import GAMES

from .table import ANIMALS, BRIGHTS, CHAFF, RIBBONS
from .table import DECK as WRITTEN

TABLES = {
    f"{game.key}, {rule.key} {choice.value}": game.under({rule.key: choice.value})
    for game in GAMES.values()
    for rule in game.house_rules
    for choice in rule.choices
}


@pytest.mark.parametrize("game", TABLES.values(), ids=TABLES)
def test_a_deal_is_the_whole_deck(game):
    for players, deal in game.deals.items():
        assert players * deal.hand + deal.field + deal.pile == 48


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
