"""Tallies in, amounts out: the few ways in which a round is paid.

Every payment between players reduces to one idea: a player receives an amount from each other
player (:meth:`Settlement.from_each`). Par is that divided by the number of players: whoever has
points above the par gets the difference from those below it.

A settlement writes its working as it goes. The lines are made of the very numbers that are booked,
so the explanation cannot differ from the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper.rules.pile import Pile
from scorekeeper.rules.sentence import Name, RuleError, Sentence, Signed, say
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU, Yaku

if TYPE_CHECKING:
    from scorekeeper.rules.game import Game


class Line(NamedTuple):
    """One line of the working; ``topic`` says what it is about, so that a page can set it off."""

    topic: str
    sentence: Sentence


class Payment(NamedTuple):
    """One player pays another an amount above nothing, in the game's unit."""

    payer: int
    to: int
    amount: int
    reason: Sentence


@dataclass(slots=True)
class Formed:
    """A yaku that somebody showed or formed; ``void`` says why it is not paid, where it is not."""

    yaku: Yaku
    times: int
    value: int
    void: Sentence | None = None


Claims = Mapping[str, int]
"""What was claimed: keys of yaku, and how often."""

BEST_ALONE = {
    TEYAKU: say("only the best teyaku counts"),
    DEKIYAKU: say("only the best dekiyaku counts"),
    SPECIAL: say("only the best special yaku counts"),
}


def find(
    yaku: Yaku, seat: int, name: Name, pile: Pile | None, claims: Claims | None
) -> Formed | None:
    """The yaku, where it is formed in a captured pile or, failing knowledge, claimed.

    Raises ``yaku_not_formed`` for a claim that the pile contradicts, ``needs_counts`` and
    ``needs_cards`` where what is known of the pile does not settle what the yaku is worth.
    """
    values = {"name": name, "yaku": yaku}

    def not_formed(sentence: Sentence) -> RuleError:
        return RuleError("yaku_not_formed", sentence, seat, yaku.kind)

    def needs_more() -> RuleError:
        if pile is None or pile.counts is None:
            message = say("%(yaku)s of %(name)s: for that the counts are needed.", **values)
            return RuleError("needs_counts", message, seat, "counts")
        message = say("%(yaku)s of %(name)s: for that the cards are needed.", **values)
        return RuleError("needs_cards", message, seat, "captured")

    said = claims if claims is not None and yaku.claimable else {}
    said_extra = said.get(yaku.with_extra, 0) if yaku.with_extra else 0
    said_times = said.get(yaku.key, 0) + said_extra
    exact = pile is not None and pile.named is not None
    seen = None if pile is None else yaku.pattern(pile)
    # Named cards leave open only which chaff there is; of that the table knows, if it says so.
    if seen is None and (not yaku.claimable or (exact and claims is None)):
        raise needs_more()
    if seen is not None and said_times > seen:
        raise not_formed(say("%(name)s cannot have %(yaku)s with this pile.", **values))
    if seen is not None and exact and claims is not None and yaku.claimable and said_times < seen:
        raise not_formed(say("%(name)s has %(yaku)s in the pile: name it as well.", **values))
    times = said_times if seen is None else seen
    if not times:
        return None
    extra = 0
    if yaku.extra is not None and yaku.each_extra:
        known = None if pile is None else yaku.extra(pile)
        if known is None and yaku.with_extra is None:
            raise needs_more()
        if known is not None and said_extra > known:
            raise not_formed(say("%(name)s has %(yaku)s, but not the rain man.", **values))
        extra = said_extra if known is None else known
    return Formed(yaku, times, yaku.value(times, extra))


@dataclass(slots=True)
class Tally:
    """A round, counted: what each seat has, before anything is decided.

    ``game`` is the game under the table's ``rules``. Lists have one item a seat. ``points`` are
    card points, None where they were not reported and are not needed. ``yaku`` holds, for each
    class of yaku, a list of what each seat formed; the special ones are looked for only where they
    can be paid, and ``claims`` is what the table says of them. ``stopper`` is the seat that ended
    the round, None when it was played out. ``multiplier`` is the field's, 1 where the game has
    none; ``decision`` answers a tie that the table decides.
    """

    game: Game
    names: Sequence[Name]
    dealer: int
    rules: Mapping[str, Any]
    piles: Sequence[Pile | None]
    points: list[int | None]
    yaku: dict[str, list[list[Formed]]]
    claims: Sequence[Claims | None]
    continued: Sequence[bool]
    stopper: int | None = None
    multiplier: int = 1
    decision: Any = None

    @property
    def seats(self) -> range:
        return range(len(self.names))

    def counted_points(self) -> list[int]:
        """The card points of every seat, where the round cannot do without them."""
        return [points for points in self.points if points is not None]

    def paid(self, kind: str, seat: int) -> list[Formed]:
        """The yaku of a class that this seat is paid for."""
        return [formed for formed in self.yaku[kind][seat] if formed.void is None]

    def value(self, kind: str, seat: int) -> int:
        """The sum of what these yaku are worth."""
        return sum(formed.value for formed in self.paid(kind, seat))

    def anybody(self, kind: str) -> bool:
        return any(self.paid(kind, seat) for seat in self.seats)

    def void(self, kind: str, why: Sentence, seats: Iterable[int] | None = None) -> None:
        """Leaves the yaku of a class unpaid, for everybody or for some seats."""
        for seat in self.seats if seats is None else seats:
            for formed in self.paid(kind, seat):
                formed.void = why

    def find_special(self, special: Sequence[Yaku]) -> bool:
        """Looks for special yaku in all piles; says whether there are any."""
        for seat, claims in enumerate(self.claims):
            for yaku in special:
                formed = find(yaku, seat, self.names[seat], self.piles[seat], claims)
                if formed is not None:
                    self.yaku[SPECIAL][seat].append(formed)
        check_owners(self.names, self.yaku[SPECIAL])
        self.keep_best(SPECIAL)
        return self.anybody(SPECIAL)

    def forget_special(self, keep: int | None = None) -> None:
        """Drops the special yaku that were found, but those of one seat."""
        for seat in self.seats:
            if seat != keep:
                self.yaku[SPECIAL][seat].clear()

    def keep_best(self, kind: str) -> None:
        """Leaves unpaid what the best yaku of a class, or of a group, excludes.

        Of equal ones the first is kept.
        """
        alone = kind in self.game.only_best
        for seat in self.seats:
            paid = self.paid(kind, seat)
            if len(paid) < 2:
                continue
            rivals: dict[str, list[Formed]] = {}
            for formed in paid:
                group = kind if alone else formed.yaku.group
                if group is not None:
                    rivals.setdefault(group, []).append(formed)
            for formeds in rivals.values():
                best = max(formeds, key=lambda formed: formed.value)
                for formed in formeds:
                    if formed is not best:
                        formed.void = (
                            BEST_ALONE[kind]
                            if alone
                            else say("%(better)s counts instead", better=best.yaku)
                        )

    def round_the_table(self, seats: Iterable[int]) -> list[int]:
        """These seats in turn order, the dealer first."""
        return sorted(seats, key=lambda seat: (seat - self.dealer) % len(self.names))

    def called(self, seats: Iterable[int]) -> list[Name]:
        return [self.names[seat] for seat in seats]


def check_owners(names: Sequence[Name], formed: Sequence[Sequence[Formed]]) -> None:
    """Refuses yaku that two players cannot both have, or not so often (``card_twice``)."""
    owners: dict[str, int] = {}
    times: dict[str, int] = {}
    for seat, yaku in enumerate(formed):
        for one in yaku:
            key = one.yaku.key
            times[key] = times.get(key, 0) + one.times
            owner = owners.setdefault(key, seat)
            if owner != seat and (one.yaku.alone or times[key] > one.yaku.most > 1):
                raise RuleError(
                    "card_twice",
                    say(
                        "%(one)s and %(other)s cannot both have %(yaku)s, %(times)s times in all.",
                        yaku=one.yaku,
                        one=names[owner],
                        other=names[seat],
                        times=times[key],
                    )
                    if one.yaku.most > 1
                    else say(
                        "%(one)s and %(other)s cannot both have %(yaku)s.",
                        yaku=one.yaku,
                        one=names[owner],
                        other=names[seat],
                    ),
                    seat,
                    one.yaku.kind,
                )


def best(scores: Sequence[int]) -> list[int]:
    """The seats that have the greatest score."""
    greatest = max(scores)
    return [seat for seat, score in enumerate(scores) if score == greatest]


@dataclass(slots=True)
class Settlement:
    """What a round pays, as it is being worked out.

    ``amounts`` are in the game's unit; ``scores`` is what the settlement compared, where it
    compared anything. ``leaders`` are the seats that the next dealer is taken from. ``tied`` are
    the seats between which the table has to decide before anything can be booked.
    """

    tally: Tally
    amounts: list[int] = field(init=False)
    scores: Sequence[int | None] = field(init=False)
    payments: list[Payment] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    leaders: list[int] | None = None
    tied: list[int] | None = None

    def __post_init__(self) -> None:
        self.amounts = [0] * len(self.tally.names)
        self.scores = [None] * len(self.tally.names)

    def tell(self, topic: str, message: Sentence) -> None:
        self.lines.append(Line(topic, message))

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
                amount = min(left[to], -left[payer])
                if amount > 0:
                    self.pay(payer, to, amount, reason)
                    left[to] -= amount
                    left[payer] += amount

    def call_off(self, why: Sentence) -> None:
        """Books nothing for anybody, whatever was formed; the dealer deals again."""
        for kind in CLASSES:
            self.tally.void(kind, why)
        self.tell("end", say("The round is void: %(why)s.", why=why))
        self.leaders = [self.tally.dealer]

    # --- Ways of settling -----------------------------------------------------------------------

    def par(self, total: int, reason: Sentence) -> None:
        """Pays what each player has above or below an even part of the total."""
        par = total // len(self.tally.names)
        self.differences(self.against(par, self.tally.counted_points()), reason)

    def against(self, par: int, points: Sequence[int]) -> list[int]:
        """What each has above or below the par, with a line for each."""
        differences = [score - par for score in points]
        for name, score, difference in zip(self.tally.names, points, differences, strict=True):
            self.tell(
                "score",
                say(
                    "%(name)s: %(points)s − par %(par)s = %(difference)s",
                    name=name,
                    points=score,
                    par=par,
                    difference=Signed(difference),
                ),
            )
        return differences

    def over(self, one: int, other: int, scores: Sequence[int]) -> int:
        """What one seat has over another, with a line that puts the higher first."""
        high, low = (one, other) if scores[one] >= scores[other] else (other, one)
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
        if max(self.amounts) <= 0 or len(set(self.amounts)) == 1:
            return []
        return best(self.amounts)

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
