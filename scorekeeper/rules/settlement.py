"""Tallies in, amounts out: the few ways in which a round is paid.

Every payment between players reduces to one idea: a player receives an amount from each other
player (:meth:`Settlement.from_each`). Par is that divided by the number of players: whoever has
points above the par gets the difference from those below it.

A settlement writes its working as it goes. The lines are made of the very numbers that are booked,
so the explanation cannot differ from the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorekeeper.rules.sentence import RuleError, Sentence, Signed, say
from scorekeeper.rules.tally import Tally
from scorekeeper.rules.yaku import CLASSES

Line = tuple[str, Sentence]
"""One line of the working: what it is about, so that a page can set it off, and what it says."""


class Payment(NamedTuple):
    """One player pays another an amount above nothing, in the game's unit."""

    payer: int
    to: int
    amount: int
    reason: Sentence


def best(scores: Sequence[int]) -> list[int]:
    """The seats that have the greatest score."""
    greatest = max(scores)
    return [seat for seat, score in enumerate(scores) if score == greatest]


class Settlement:
    """What a round pays, as it is being worked out.

    ``amounts`` are in the game's unit; ``scores`` is what the settlement compared, where it
    compared anything. ``leaders`` are the seats that the next dealer is taken from. ``tied`` are
    the seats between which the table has to decide before anything can be booked.
    """

    __slots__ = ("amounts", "leaders", "lines", "payments", "scores", "tally", "tied")

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.amounts = [0] * len(tally.names)
        self.scores: Sequence[int | None] = [None] * len(tally.names)
        self.payments: list[Payment] = []
        self.lines: list[Line] = []
        self.leaders: list[int] | None = None
        self.tied: list[int] | None = None

    def tell(self, topic: str, message: Sentence) -> None:
        self.lines.append((topic, message))

    # --- What is booked -------------------------------------------------------------------------

    def credit(self, seat: int, amount: int) -> None:
        """Books an amount that nobody pays."""
        self.amounts[seat] += amount

    def pay(self, payer: int, to: int, amount: int, reason: Sentence) -> None:
        """Books a payment between two players; one of nothing is none."""
        if amount < 0:
            payer, to, amount = to, payer, -amount
        if amount:
            self.amounts[payer] -= amount
            self.amounts[to] += amount
            self.payments.append(Payment(payer, to, amount, reason))

    def from_each(
        self, to: int, amount: int, reason: Sentence, payers: Iterable[int] | None = None
    ) -> None:
        """Books that a player receives an amount from each other player, or from these."""
        for payer in self.tally.seats if payers is None else payers:
            if payer != to:
                self.pay(payer, to, amount, reason)

    def differences(self, differences: Sequence[int], reason: Sentence) -> None:
        """Books differences that add up to nothing, in as few payments as come naturally."""
        left = list(differences)
        for to in self.tally.seats:
            for payer in self.tally.seats:
                if left[to] > 0 > left[payer]:
                    amount = min(left[to], -left[payer])
                    self.pay(payer, to, amount, reason)
                    left[to] -= amount
                    left[payer] += amount

    def call_off(self, why: Sentence) -> None:
        """Books nothing for anybody, whatever was formed; the dealer deals again."""
        for kind in CLASSES:
            self.tally.void(kind, why)
        self.tell("end", say("The round is void: %(why)s.", why=why))
        self.leaders = [self.tally.dealer]

    def stopped(self, stopper: int) -> None:
        """Says who ended the round, and that card points do not matter then."""
        name = self.tally.names[stopper]
        self.tell("end", say("%(name)s ended the round: card points do not count.", name=name))

    # --- Ways of settling -----------------------------------------------------------------------

    def par(self, points: Sequence[int], reason: Sentence) -> list[int]:
        """Pays what each player has above or below the average; says how much that is."""
        differences = self.against(sum(points) // len(points), points)
        self.differences(differences, reason)
        return differences

    def against(self, par: int, points: Sequence[int], multiplier: int = 1) -> list[int]:
        """What each has above or below the par, times the multiplier, with a line for each."""
        differences = [(score - par) * multiplier for score in points]
        for name, score, difference in zip(self.tally.names, points, differences, strict=True):
            self.tell(
                "score",
                say(
                    "%(name)s: %(points)s − par %(par)s = %(difference)s",
                    name=name,
                    points=score,
                    par=par,
                    difference=Signed(difference),
                )
                if multiplier == 1
                else say(
                    "%(name)s: (%(points)s − par %(par)s) × %(multiplier)s = %(difference)s",
                    name=name,
                    points=score,
                    par=par,
                    multiplier=multiplier,
                    difference=Signed(difference),
                ),
            )
        return differences

    def over(self, one: int, other: int, scores: Sequence[int]) -> int:
        """What one seat has over another, with a line that puts the higher first."""
        if scores[one] == scores[other]:
            names = self.tally.called(sorted((one, other)))
            self.tell("score", say("%(names)s are level: 0", names=names))
            return 0
        high, low = (one, other) if scores[one] > scores[other] else (other, one)
        self.tell(
            "score",
            say(
                "%(high)s over %(low)s: %(more)s − %(less)s = %(difference)s",
                high=self.tally.names[high],
                low=self.tally.names[low],
                more=scores[high],
                less=scores[low],
                difference=scores[high] - scores[low],
            ),
        )
        return scores[one] - scores[other]

    def pairwise(self, scores: Sequence[int], reason: Sentence) -> None:
        """Pays between each two players the difference of their scores."""
        for to in self.tally.seats:
            for payer in range(to):
                self.pay(payer, to, self.over(to, payer, scores), reason)

    def most(self, scores: Sequence[int], amount: int, reason: Sentence) -> None:
        """Pays whoever has the most an amount from each other player; ``tie`` decides a tie."""
        tally = self.tally
        tied = best(scores)
        if len(tied) == 1:
            takers = tied
        else:
            decided = self._break_tie(tied, tally.rules["tie"])
            if decided is None:
                self.tied = tied
                return
            takers = decided
        payers = [seat for seat in tally.seats if seat not in takers]
        for to in takers:
            self.from_each(to, amount, reason, payers)

    def _break_tie(self, tied: list[int], rule: str) -> list[int] | None:
        """The seats that take the share under a house rule; None where the table must say."""
        tally = self.tally
        names = tally.called(tied)
        if rule == "ask":
            if tally.decision is None:
                self.tell(
                    "tie",
                    say("%(names)s tie for the most. The table decides who takes it.", names=names),
                )
                return None
            return self._decided(tied)
        if rule == "turn_order":
            first = tally.round_the_table(tied)[0]
            self.tell(
                "tie",
                say(
                    "%(names)s tie for the most. House rule: the earliest from the dealer takes "
                    "it, %(name)s.",
                    names=names,
                    name=tally.names[first],
                ),
            )
            return [first]
        if rule == "nobody":
            self.tell(
                "tie",
                say("%(names)s tie for the most. House rule: nobody takes it.", names=names),
            )
            return []
        self.tell(
            "tie",
            say(
                "%(names)s tie for the most. House rule: each of them is paid by everyone who is "
                "not.",
                names=names,
            ),
        )
        return tied

    def _decided(self, tied: list[int]) -> list[int]:
        tally = self.tally
        names = tally.called(tied)
        decision = tally.decision
        if decision == "nobody":
            self.tell("tie", say("%(names)s tie for the most. The table: nobody.", names=names))
            return []
        if decision == "each":
            self.tell(
                "tie", say("%(names)s tie for the most. The table: each of them.", names=names)
            )
            return tied
        if type(decision) is int and decision in tied:
            self.tell(
                "tie",
                say(
                    "%(names)s tie for the most. The table: %(name)s.",
                    names=names,
                    name=tally.names[decision],
                ),
            )
            return [decision]
        raise RuleError(
            "bad_decision",
            say("The tie is between %(names)s: one of them, nobody, or each.", names=names),
            field="decision",
        )

    # --- What follows ---------------------------------------------------------------------------

    def winners(self) -> list[int]:
        """Who won the round: the stopper; else the greatest amount, where it is above nothing."""
        if self.tied is not None:
            return []
        if self.tally.stopper is not None:
            return [self.tally.stopper]
        first = best(self.amounts)
        if len(first) == len(self.amounts) or self.amounts[first[0]] <= 0:
            return []
        return first

    def next_dealer(self) -> tuple[int | None, list[int]]:
        """Who deals next; or None and the seats between which the table has to choose."""
        tally = self.tally
        if tally.stopper is not None:
            leaders = [tally.stopper]
        else:
            leaders = best(self.amounts) if self.leaders is None else self.leaders
        if tally.rules.get("next_starter") == "rotate":
            return (tally.dealer + 1) % len(tally.names), []
        if tally.rules.get("next_starter") == "ask":
            return None, list(tally.seats)
        if len(leaders) == 1:
            return leaders[0], []
        rule = tally.rules["dealer_tie"]
        if rule == "ask":
            return None, leaders
        dealer = tally.dealer if rule == "dealer_stays" else tally.round_the_table(leaders)[0]
        values = {"names": tally.called(leaders), "name": tally.names[dealer]}
        self.tell(
            "dealer",
            say("%(names)s tie for the deal. House rule: the dealer stays, %(name)s.", **values)
            if rule == "dealer_stays"
            else say(
                "%(names)s tie for the deal. House rule: the earliest from the dealer, %(name)s.",
                **values,
            ),
        )
        return dealer, []
