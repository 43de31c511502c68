"""Rounds as people play them: dealt, played by the rules of capturing, a little greedily.

    hands, piles, left = play(random.Random(7), GAMES["bakappana"], 3)

Whoever plays looks for the better capture most of the time. The piles are sets of cards as bits;
`left` is what nobody captured.
"""

from random import Random

from scorekeeper.rules.cards import DECK, MONTHS, Cards
from scorekeeper.rules.game import Game

GREED = 0.7  # how often somebody looks for the better capture


def play(random: Random, game: Game, players: int) -> tuple[list[int], list[int], int]:
    """The dealt hands, the captured piles and what is left, as bits."""
    deal = game.deals[players]
    while True:
        cards = random.sample(DECK, len(DECK))
        field = [cards.pop() for _ in range(deal.field)]
        # Four of a month in the field is a misdeal.
        if all(sum(card.month == month.number for card in field) < 4 for month in MONTHS):
            break
    hands = [[cards.pop() for _ in range(deal.hand)] for _ in range(players)]
    dealt = [Cards.of(hand).mask for hand in hands]
    piles = [0] * players
    # A card without points is better captured than left, too.
    worth = {card: game.values.of_card(card.bit) or 1 for card in DECK}

    def capture(seat: int, card) -> None:
        same = [other for other in field if other.month == card.month]
        if not same:
            field.append(card)
            return
        if len(same) == 2:
            same = [max(same, key=worth.__getitem__)]
        for taken in same:
            field.remove(taken)
        piles[seat] |= Cards.of([card, *same]).mask

    def gain(card) -> int:
        same = [worth[other] for other in field if other.month == card.month]
        return worth[card] + max(same) if same else -worth[card]

    def turn(seat: int) -> None:
        hand = hands[seat]
        if hand:
            greedy = random.random() < GREED
            card = max(hand, key=gain) if greedy else random.choice(hand)
            hand.remove(card)
            capture(seat, card)
        if cards:
            capture(seat, cards.pop())

    # Two players may play on until the pile is empty, where their game does so.
    while any(hands) or (cards and game.needs_whole_deck(players)):
        for seat in range(players):
            if hands[seat] or (cards and game.needs_whole_deck(players)):
                turn(seat)
    left = Cards.of(DECK).mask & ~sum(piles)
    return dealt, piles, left
