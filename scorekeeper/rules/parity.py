"""The parity law: of every month a player has captured no card, two, or all four.

A play takes one or three cards of a month from the field together with the one that was played, so
a capture is two or four of a month, and piles only grow by captures. The law holds at any moment
of a game without wild cards, and it knows more of the piles than the table has said so far: what
is forced, which numbers are possible, what must have been mistaken, and how little mends it.

>>> aki, ben = Known.placed("1B 11B 11A"), Known.placed("1R 11R")
>>> law = Parity([aki, ben])                     # two players, all cards captured
>>> {card.text: seat for card, seat in law.forced.items()}
{'1C1': 0, '1C2': 1, '11C': 1}
>>> Parity([Known.all_of("1B 1R 1C1"), Known()]).mends[1][0]      # or one too many
(Move(card=Card(1C2), giver=None, taker=0),)

Chaff cards of a month are interchangeable here: where it says that one of them is in a pile, any
of them that nobody has been given yet may be meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from operator import add, contains, le
from typing import NamedTuple

from scorekeeper.rules.cards import (
    CHAFF,
    MONTHS,
    NAMED,
    NOTHING,
    WHOLE_DECK,
    Card,
    Cards,
    Kind,
    Month,
)
from scorekeeper.rules.pile import KINDS, Pile

Said = tuple[int | None, ...]
"""How many of each kind a pile has, brights first; None where nobody has said so yet."""

UNSAID: Said = (None,) * len(KINDS)


@dataclass(frozen=True)
class Known:
    """What is known so far of a pile.

    ``cards`` are in it; of those in ``settled`` no others are. ``counts`` is how many of each kind
    it has in all.
    """

    cards: Cards = NOTHING
    settled: Cards = NOTHING
    counts: Said = UNSAID

    @classmethod
    def placed(cls, cards: str) -> Known:
        """A pile that has these cards, and perhaps others."""
        return cls(Cards.parse(cards))

    @classmethod
    def all_of(cls, cards: str) -> Known:
        """A pile that has these cards and no others."""
        return cls(Cards.parse(cards), WHOLE_DECK)

    @classmethod
    def of(cls, pile: Pile | None) -> Known:
        """What a reported pile tells, whatever its form."""
        if pile is None or pile.form == "points":
            return cls()
        if pile.form == "captured":
            return cls(pile.known, WHOLE_DECK)
        if pile.form == "named":
            return cls(Cards(pile.named or 0), NAMED, pile.counts or UNSAID)
        return cls(counts=pile.counts or UNSAID)

    @property
    def size(self) -> int | None:
        """How many cards it has, as its counts say."""
        counts = [count for count in self.counts if count is not None]
        return sum(counts) if len(counts) == len(KINDS) else None


class Odd(NamedTuple):
    """What cannot be: the cards that a pile has of a month; without a month, its counts."""

    seat: int
    month: int | None
    cards: Cards


class Move(NamedTuple):
    """A card belongs into another pile; None is no pile at all, or none that is known."""

    card: Card
    giver: int | None
    taker: int | None


Mend = tuple[Move, ...]


def odd_months(cards: int) -> list[int]:
    """The months of which a set of cards, as bits, has one or three."""
    # The four bits of each month are folded into its lowest one: odd where their number is.
    odd = cards ^ cards >> 1
    odd = (odd ^ odd >> 2) & 0x1111_1111_1111
    return [month + 1 for month in range(12) if odd >> 4 * month & 1] if odd else []


def odd_in(pile: Known, seat: int = 0) -> list[Odd]:
    """What cannot be of one pile, whoever has the other cards."""
    odd = []
    for number in odd_months(pile.cards.mask):
        month = MONTHS[number - 1].cards
        if not month - pile.cards - pile.settled:
            odd.append(Odd(seat, number, month & pile.cards))
    size = pile.size
    if size is not None and size % 2:
        odd.append(Odd(seat, None, pile.cards))
    return odd


class Way(NamedTuple):
    """One way a month can have gone: the owner of each named card, and everybody's chaff."""

    owners: tuple[int, ...]
    chaff: tuple[int, ...]


@lru_cache(maxsize=64)
def _ways(named: int, owners: int) -> tuple[Way, ...]:
    """All ways of a month with so many named cards among so many owners."""
    ways: dict[Way, None] = {}
    for dealt in product(range(owners), repeat=4):
        piles = [0] * owners
        for place, owner in enumerate(dealt):
            piles[owner] |= 1 << place
        if not any(map(odd_months, piles)):
            chaff = tuple(dealt[named:].count(owner) for owner in range(owners))
            ways[Way(dealt[:named], chaff)] = None
    return tuple(ways)


@dataclass(frozen=True)
class Parity:
    """What the law says of the piles of all seats, no card of which is in two of them.

    ``whole`` says that every card is in one of these piles; else what is left lies somewhere else,
    which is one owner more, and the law holds for it as well.
    """

    piles: Sequence[Known]
    whole: bool = True

    # --- What is forced and what is possible ----------------------------------------------------

    @cached_property
    def forced(self) -> dict[Card, int]:
        """The seats of cards that have not been placed, but can be in one pile alone."""
        forced: dict[Card, int] = {}
        placed = self._placed
        for month, ways in zip(MONTHS, self._counted_ways, strict=True):
            if not ways:
                continue
            for place, card in enumerate(month.cards & NAMED):
                owners = {way.owners[place] for way in ways}
                if len(owners) == 1 and card not in placed:
                    forced[card] = owners.pop()
            free = list((month.cards & CHAFF) - placed)
            for seat, pile in enumerate(self.piles):
                surely = min(way.chaff[seat] for way in ways)
                for _ in range(surely - len(month.cards & CHAFF & pile.cards)):
                    card = next(card for card in free if card not in pile.settled)
                    free.remove(card)
                    forced[card] = seat
        return {card: seat for card, seat in forced.items() if seat < len(self.piles)}

    def possible(self, seat: int, kind: Kind) -> list[int]:
        """The numbers of a kind that a pile can have, by all that is known but this number."""
        place = KINDS.index(kind)
        said = list(self.piles[seat].counts)
        said[place] = None
        asked = [known is not None for known in said]
        asked[place] = True
        own = _sums(
            [
                frozenset(
                    tuple(count if ask else 0 for count, ask in zip(counts, asked, strict=True))
                    for counts in (_counts(month, way, seat) for way in ways)
                )
                for month, ways in self._months
            ],
            tuple(said),
        )
        return sorted({counts[place] for counts in own} & self._left_by_others(seat, place))

    def _left_by_others(self, seat: int, place: int) -> set[int]:
        """What the numbers of a kind that others have leave for a seat."""
        said = {
            other: pile.counts[place]
            for other, pile in enumerate(self.piles)
            if other != seat and pile.counts[place] is not None
        }
        all_seats = [seat, *said]
        sums = _sums(
            [
                frozenset(
                    tuple(_counts(month, way, other)[place] for other in all_seats) for way in ways
                )
                for month, ways in self._months
            ],
            (None, *said.values()),
        )
        return {counts[0] for counts in sums}

    # --- What is odd, and what mends it ---------------------------------------------------------

    @cached_property
    def odd(self) -> list[Odd]:
        """What cannot be: in one pile, in one month of all piles, in the counts of a pile."""
        odd = [one for seat, pile in enumerate(self.piles) for one in odd_in(pile, seat)]
        found = {one.month for one in odd}
        for month, ways in zip(MONTHS, self._fitting, strict=True):
            if not ways and month.number not in found:
                held = [(seat, pile.cards & month.cards) for seat, pile in enumerate(self.piles)]
                alone = [(seat, cards) for seat, cards in held if len(cards) % 2]
                odd += [Odd(seat, month.number, cards) for seat, cards in alone or held if cards]
        if all(self._fitting):
            sizes = {one.seat for one in odd}
            odd += [
                Odd(seat, None, pile.cards)
                for seat, pile in enumerate(self.piles)
                if seat not in sizes and not self._reached(seat)
            ]
        return sorted(odd, key=lambda one: (one.seat, one.month or 13))

    @cached_property
    def mends(self) -> dict[int, list[Mend]]:
        """For each month that cannot be, the smallest mends, any of which is enough."""
        mends: dict[int, list[Mend]] = {}
        for month, fitting in zip(MONTHS, self._fitting, strict=True):
            if not fitting:
                tried = {self._moves(month, way): None for way in self._all_ways(month)}
                least = min(map(len, tried))
                mends[month.number] = [moves for moves in tried if len(moves) == least]
        return mends

    def mended(self, mend: Mend) -> Parity:
        """What is known after a mend."""
        piles = list(self.piles)
        for card, giver, taker in mend:
            moved = Cards(card.bit)
            if giver is not None:
                piles[giver] = replace(piles[giver], cards=piles[giver].cards - moved)
            if taker is not None:
                piles[taker] = replace(piles[taker], cards=piles[taker].cards | moved)
        return Parity(piles, self.whole)

    # --- The ways of a month --------------------------------------------------------------------

    @property
    def _owners(self) -> int:
        """The seats, and the place of the cards that are in no pile, where there are any."""
        return len(self.piles) + (not self.whole)

    @property
    def _placed(self) -> Cards:
        return Cards(sum(pile.cards.mask for pile in self.piles))

    def _all_ways(self, month: Month) -> tuple[Way, ...]:
        return _ways(len(month.cards & NAMED), self._owners)

    @cached_property
    def _fitting(self) -> list[list[Way]]:
        """For each month, the ways that need no card to be moved."""
        return [self._ways_that_fit(month) for month in MONTHS]

    def _ways_that_fit(self, month: Month) -> list[Way]:
        chaff = month.cards & CHAFF
        may_have = [self._may_have(card) for card in month.cards & NAMED]
        least = [0] * self._owners
        most = [len(chaff)] * self._owners
        for seat, pile in enumerate(self.piles):
            least[seat] = len(chaff & pile.cards)
            most[seat] -= len((chaff & pile.settled) - pile.cards)
        return [
            way
            for way in self._all_ways(month)
            if all(map(contains, may_have, way.owners))
            and all(map(le, least, way.chaff))
            and all(map(le, way.chaff, most))
        ]

    def _may_have(self, card: Card) -> set[int]:
        """Who may have a card without its being moved."""
        for seat, pile in enumerate(self.piles):
            if card in pile.cards:
                return {seat}
        settled = {seat for seat, pile in enumerate(self.piles) if card in pile.settled}
        return set(range(self._owners)) - settled

    @property
    def _months(self) -> Iterable[tuple[Month, Sequence[Way]]]:
        """The months with the ways that fit; a month that cannot be tells nothing."""
        for month, ways in zip(MONTHS, self._fitting, strict=True):
            yield month, ways or self._all_ways(month)

    @cached_property
    def _counted_ways(self) -> list[list[Way]]:
        """For each month, the ways that fit the cards and, where cards are settled, the counts."""
        counted = [list(ways) for ways in self._fitting]
        for seat, pile in enumerate(self.piles):
            if pile.settled and pile.counts != UNSAID and all(counted):
                for place, month in enumerate(MONTHS):
                    others = self._tracked(seat, counted)
                    others[place] = frozenset([(0,) * len(KINDS)])
                    rest = _sums(others, pile.counts, exactly=False)
                    counted[place] = [
                        way
                        for way in counted[place]
                        if any(
                            all(
                                said is None or said == own + other
                                for said, own, other in zip(
                                    pile.counts, _counts(month, way, seat), sums, strict=True
                                )
                            )
                            for sums in rest
                        )
                    ]
        return counted

    def _tracked(self, seat: int, ways: Sequence[Sequence[Way]]) -> list[frozenset[Numbers]]:
        """For each month, what a pile can have of each kind of which its number was said."""
        said = self.piles[seat].counts
        return [
            frozenset(
                tuple(
                    0 if known is None else count
                    for known, count in zip(said, _counts(month, way, seat), strict=True)
                )
                for way in of_month
            )
            for month, of_month in zip(MONTHS, ways, strict=True)
        ]

    def _reached(self, seat: int) -> bool:
        """Whether any fitting ways give a pile the counts that were said of it."""
        said = self.piles[seat].counts
        return said == UNSAID or bool(_sums(self._tracked(seat, self._fitting), said))

    def _moves(self, month: Month, way: Way) -> Mend:
        """The cards that have to be moved for a month to have gone this way."""
        moves = []
        for owner, card in zip(way.owners, month.cards & NAMED, strict=True):
            giver = next((at for at, pile in enumerate(self.piles) if card in pile.cards), None)
            taker = owner if owner < len(self.piles) else None
            if giver != taker and (
                giver is not None or (taker is not None and card in self.piles[taker].settled)
            ):
                moves.append(Move(card, giver, taker))
        return (*moves, *self._chaff_moves(month.cards & CHAFF, way.chaff))

    def _chaff_moves(self, chaff: Cards, wanted: Sequence[int]) -> Iterable[Move]:
        """The chaff that has to be moved for everybody to have as many as wanted."""
        given: list[tuple[Card, int | None]] = []
        needed: list[int | None] = []
        open_to: list[int | None] = []
        for seat, pile in enumerate(self.piles):
            held = chaff & pile.cards
            more = wanted[seat] - len(held)
            given += [(card, seat) for card in list(held)[::-1][: max(-more, 0)]]
            # Cards that are not settled may come into the pile without being moved.
            free = len(chaff - pile.cards - pile.settled)
            needed += [seat] * (more - free)
            open_to += [seat] * min(more, free)
        if not given and not needed:
            return
        unplaced = list(chaff - self._placed)
        given += [(card, None) for card in unplaced[: max(len(needed) - len(given), 0)]]
        takers = [*needed, *open_to, *[None] * len(given)]
        for (card, giver), taker in zip(given, takers, strict=False):
            yield Move(card, giver, taker)


# --- Numbers of cards ---------------------------------------------------------------------------

Numbers = tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def _counts(month: Month, way: Way, owner: int) -> Numbers:
    """How many cards of each kind an owner has of a month that went this way."""
    counts = [0] * len(KINDS)
    for card, held_by in zip(month.cards & NAMED, way.owners, strict=True):
        counts[KINDS.index(card.kind)] += held_by == owner
    counts[KINDS.index(Kind.CHAFF)] = way.chaff[owner]
    return tuple(counts)


def _sums(
    months: Sequence[frozenset[Numbers]], said: Sequence[int | None], exactly: bool = True
) -> set[Numbers]:
    """What one of each month adds up to, where it comes to the numbers that were said."""
    most = tuple(len(WHOLE_DECK) if number is None else number for number in said)
    sums = {(0,) * len(said)}
    for month in months:
        sums = {
            added
            for sum_ in sums
            for one in month
            if all(map(le, added := tuple(map(add, sum_, one)), most))
        }
    if exactly:
        sums = {
            sum_
            for sum_ in sums
            if all(number is None or number == own for number, own in zip(said, sum_, strict=True))
        }
    return sums
