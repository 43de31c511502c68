"""What several games share: the card values, who takes a tie, how two players end a round."""

from scorekeeper.rules.cards import ANIMALS, BRIGHTS, CHAFF, RIBBONS
from scorekeeper.rules.game import Choice, Deal, HouseRule
from scorekeeper.rules.pile import Values
from scorekeeper.rules.sentence import say

EIGHTY = Values(((20, BRIGHTS), (10, ANIMALS), (5, RIBBONS)))
EIGHTY_EIGHT = Values((*EIGHTY.worth, (1, CHAFF)))

THREE_PLAYERS = {3: Deal(hand=7, field=6, pile=21)}

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
)

DEALER_TIE = HouseRule(
    "dealer_tie",
    say("A tie for the next deal"),
    say("The winner of a round deals the next one. Who deals when two have won?"),
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
