"""What several games share: the card values, who takes a tie, how two players end a round."""

from scorekeeper.rules.cards import ANIMALS, BRIGHTS, CHAFF, RIBBONS
from scorekeeper.rules.game import Choice, Conflict, Deal, HouseRule
from scorekeeper.rules.pile import Values
from scorekeeper.rules.sentence import say

EIGHTY = Values(((20, BRIGHTS), (10, ANIMALS), (5, RIBBONS)))
EIGHTY_EIGHT = Values((*EIGHTY.worth, (1, CHAFF)))

THREE = Deal(hand=7, field=6, pile=21)
THREE_PLAYERS = {3: THREE}
TWO_TO_FOUR = {2: Deal(hand=8, field=8, pile=24), 3: THREE, 4: Deal(hand=5, field=8, pile=20)}

MISDEAL = say("All four cards of a month are face up after the deal: it is dealt again.")

CHAFF_VALUE = HouseRule(
    "chaff",
    say("Value of chaff"),
    say("The 88 game counts each chaff as a point, the 80 game counts none."),
    (
        Choice(value=1, label=say("1 point (the 88 game)")),
        Choice(value=0, label=say("0 points (the 80 game)"), fields={"values": EIGHTY}),
    ),
    settles=True,
)

TIE = HouseRule(
    "tie",
    say("A tie for the most"),
    say("Two players have the most, and only one can be paid for it."),
    (
        Choice(value="turn_order", label=say("the earliest from the dealer takes it")),
        Choice(value="nobody", label=say("nobody takes it")),
        Choice(value="each_tied", label=say("each of them is paid by everyone who is not tied")),
        Choice(value="ask", label=say("the table decides each time")),
    ),
    settles=True,
)

DEALER_TIE = HouseRule(
    "dealer_tie",
    say("A tie for the next deal"),
    say("Where the winner of a round deals the next one: who deals when two have won?"),
    (
        Choice(
            value="turn_order", label=say("the earliest from the dealer, so a tied dealer stays")
        ),
        Choice(value="dealer_stays", label=say("the dealer stays, tied or not")),
        Choice(value="ask", label=say("the table decides each time")),
    ),
)

DRAIN = Choice(
    value="drain", label=say("they play on until the pile is empty"), fields={"drains": True}
)
HANDS_EMPTY = Choice(
    value="hands_empty",
    label=say("they stop when their hands are empty, and eight cards stay in the pile"),
    fields={"drains": False},
)

TWO_PLAYER_END = HouseRule(
    "two_player_end",
    say("Two players: how a round ends"),
    say("With eight cards each, eight are left in the pile when the hands are empty."),
    (
        DRAIN,
        Choice(
            value="ten_card",
            label=say("they are dealt ten cards, so that hands and pile end together"),
            fields={"deals": {**TWO_TO_FOUR, 2: Deal(hand=10, field=8, pile=20)}},
        ),
        HANDS_EMPTY,
    ),
)


def needs_all_cards(settlement: str) -> Conflict:
    """Par with cards left in the pile: the amounts would not add up to nothing.

    (Fuda Wiki, "Bakappana": it is "important to empty the draw pile".)
    """
    return Conflict(
        {"settlement": settlement, "two_player_end": "hands_empty"},
        say("Par needs all 48 cards: with cards left in the pile, choose another settlement."),
        players=(2,),
    )
