"""The month board: where few cards have points, who holds which months says nearly everything.

Most months are split between the players and say nothing more. Asked is only which months somebody
holds whole, and of a split month with card points who has which of its cards:

>>> from scorekeeper.rules.games import GAMES
>>> board = MonthBoard(GAMES["kaga"], [7, 8], {1: 7, 5: 8}, {"11B": 7, "12B": 8})
>>> board.points(7), board.points(8)
(30, 40)

The board answers card points and dekiyaku, never cards: of the others nobody was asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from scorekeeper.rules.cards import CHAFF, DECK, MONTHS, WHOLE_DECK, Card, Cards, Month
from scorekeeper.rules.game import Game
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.yaku import DEKIYAKU, Yaku


class MonthBoard:
    """What is marked on the board of a round.

    ``whole`` says which months a player holds whole, ``parts`` who has which card of a split one;
    of the months in ``left``, the cards that are marked for nobody are left over. Players are ids.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[int],
        whole: Mapping[int, int],
        parts: Mapping[str, int],
        left: Collection[int] = (),
    ) -> None:
        self.game = game
        self.players = players
        self.whole = whole
        self.left = left
        self.open: list[Month] = []
        """The split months with card points of which nothing is marked yet."""
        self.owners: dict[str, int | None] = {}
        """Who has a card, None for one that is left over; of the other cards nothing is known."""
        for month in MONTHS:
            if month.number in whole:
                self.owners |= dict.fromkeys(_texts(month.cards), whole[month.number])
            elif month in self.valued:
                self._split(month, {t: parts[t] for t in _texts(month.cards) if t in parts})

    @cached_property
    def valued(self) -> list[Month]:
        """The months that have cards with card points."""
        return [
            month
            for month in MONTHS
            if any(self.game.values.of_card(card.bit) for card in month.cards)
        ]

    def _split(self, month: Month, marked: Mapping[str, int]) -> None:
        """Says whose the cards of a split month are, as far as the marks tell."""
        if not marked and month.number not in self.left:
            self.open.append(month)
            return
        owners: dict[str, int | None] = dict(marked)
        rest = [card.text for card in month.cards if card.text not in marked]
        # Matching takes two cards of a month or four: whoever has an odd number has a chaff more.
        chaff = [text for text in rest if Card.parse(text) in CHAFF]
        for player in self.players:
            if list(marked.values()).count(player) % 2 and chaff:
                owners[chaff.pop(0)] = player
        others = [player for player in self.players if player not in marked.values()]
        goes_to = others[0] if len(others) == 1 and month.number not in self.left else None
        self.owners |= {text: owners.get(text, goes_to) for text in _texts(month.cards)}

    def surely(self, player: int) -> int:
        """The cards that a player has beyond doubt, as bits."""
        return Cards.of(card for card in DECK if self.owners.get(card.text) == player).mask

    def possibly(self, player: int) -> int:
        """The cards that a player may have, as bits."""
        others = Cards.of(
            card for card in DECK if card.text in self.owners and self.owners[card.text] != player
        )
        return (WHOLE_DECK - others).mask

    def points(self, player: int) -> int:
        """The card points of a player, as far as the board tells."""
        return sum(self.game.values.of_card(card.bit) for card in Cards(self.surely(player)))

    @property
    def asked(self) -> list[Yaku]:
        """The dekiyaku that the months alone may leave open."""
        return [yaku for yaku in self.game.by_kind[DEKIYAKU] if yaku.most == 1]

    def times(self, yaku: Yaku, player: int) -> tuple[int, int]:
        """At least and at most how often a player has formed a dekiyaku."""
        surely = yaku.pattern(Pile.of_cards(self.surely(player))) or 0
        if yaku.most > 1:
            return surely, surely
        return surely, yaku.pattern(Pile.of_cards(self.possibly(player))) or 0


def _texts(cards: Cards) -> list[str]:
    return [card.text for card in cards]
