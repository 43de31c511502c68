"""One round, from what was reported to what it came to.

:func:`settle` counts a round, lets its game decide what that pays, and gives the :class:`Result`.
Its working and its warnings are written when somebody reads them:

>>> from scorekeeper.rules.document import read
>>> result = settle(read({"game": "kaga", "seats": [{"points": 40}, {"points": 25}]}))
>>> result.amounts, result.working[-1]
([15, -15], ('check', say('Check: 15 − 15 = 0')))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.rules.counting import count, multiplied, nothing_counted
from scorekeeper.rules.game import Game
from scorekeeper.rules.parity import Known, odd_in, odd_months
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.round import Round
from scorekeeper.rules.sentence import Name, Sentence, say
from scorekeeper.rules.settlement import Line, Payment, Settlement
from scorekeeper.rules.tally import Tally
from scorekeeper.rules.working import booked_lines, check_line, counted_lines


class Warned(NamedTuple):
    """Something that cannot be right but does not stop the round."""

    code: str
    seat: int
    month: int | None
    sentence: Sentence


@dataclass(slots=True)
class Result:
    """What a round came to; what the contract's answer has is here by the same name.

    ``amounts`` are None and nothing is paid while the table has a tie to decide. ``carry`` are the
    multipliers left for later rounds, and ``question`` what the table has to say, and between
    which seats.
    """

    played: Round
    settlement: Settlement
    amounts: list[int] | None
    carry: Sequence[int]
    payments: Sequence[Payment]
    next_dealer: int | None
    question: tuple[str, list[int]] | None

    @property
    def game(self) -> Game:
        return self.played.game

    @property
    def tally(self) -> Tally:
        return self.settlement.tally

    @property
    def multiplier(self) -> int:
        return self.tally.multiplier

    @property
    def scores(self) -> Sequence[int | None]:
        """What the settlement compared, where it compared anything."""
        return self.settlement.scores

    @property
    def winners(self) -> list[int]:
        """Who won the round, as far as that is decided."""
        return self.settlement.winners()

    @property
    def working(self) -> list[Line]:
        """How the amounts came about, line by line."""
        settlement = self.settlement
        if self.played.end == "void":
            return [*settlement.lines, check_line(settlement)]
        return [
            *counted_lines(self.played, self.tally, self.carry),
            *settlement.lines,
            *booked_lines(settlement, self.next_dealer, self.question),
        ]

    @property
    def warnings(self) -> list[Warned]:
        """What cannot be right in the piles, though the round stands."""
        return odd_piles(self.tally.piles, self.tally.names)


def settle(played: Round) -> Result:
    """Counts a round, decides what it pays, and explains it; raises :class:`RuleError`."""
    if played.end == "void":
        return _void(played)
    multiplier, carry = multiplied(played)
    settlement = Settlement(count(played, multiplier))
    played.game.decide(settlement)
    if settlement.tied is not None:
        question = ("tie", settlement.tied)
        return Result(played, settlement, None, carry, (), None, question)
    dealer, between = settlement.next_dealer()
    return Result(
        played,
        settlement,
        settlement.amounts,
        carry,
        settlement.payments,
        dealer,
        ("dealer", between) if dealer is None else None,
    )


def _void(played: Round) -> Result:
    """A round without a result: nobody books anything, and the dealer deals again."""
    settlement = Settlement(nothing_counted(played))
    names, dealer = settlement.tally.names, played.dealer
    settlement.tell("end", say("No result: %(names)s book nothing.", names=names))
    settlement.tell("dealer", say("%(name)s deals again.", name=names[dealer]))
    return Result(played, settlement, settlement.amounts, list(played.carried), (), dealer, None)


def odd_piles(piles: Sequence[Pile | None], names: Sequence[Name]) -> list[Warned]:
    """What the parity law says of each pile: matching takes two or four of a month, always."""
    warnings = []
    for at, pile in enumerate(piles):
        if pile is None or (pile.cards is not None and not odd_months(pile.cards)):
            continue
        known = Known.of(pile)
        for seat, month, cards in odd_in(known, at):
            if month is None:
                message = say(
                    "%(name)s has an odd number of cards, %(count)s: matching always takes two or "
                    "four.",
                    name=names[seat],
                    count=known.size,
                )
                warnings.append(Warned("odd_pile", seat, None, message))
            else:
                message = say(
                    "%(name)s has %(cards)s: of each month, matching always takes two cards or "
                    "four.",
                    name=names[seat],
                    cards=cards,
                )
                warnings.append(Warned("odd_month", seat, month, message))
    return warnings
