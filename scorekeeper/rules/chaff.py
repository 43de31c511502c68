"""How many chaff a pile has, when its brights, animals and ribbons are known.

Which numbers are possible says the parity law; which one is likely, how hanafuda is played: a pair
of chaff mostly goes where the other two cards of its month are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorekeeper.rules.cards import CHAFF, MONTHS, NAMED, NOTHING, Cards, Kind
from scorekeeper.rules.parity import Known, Parity, Said
from scorekeeper.rules.pile import KINDS

TOGETHER = {2: 0.75, 3: 0.57}
"""How often a pair of chaff is with the other cards of its month, by players; simulated."""


@dataclass(frozen=True)
class Feasible:
    """The numbers of chaff that a pile can have, and the likely one; None for a mere guess."""

    counts: list[int]
    likely: int | None


def feasible_chaff(
    named: Sequence[int], whole: bool, said: Sequence[int | None] = ()
) -> list[Feasible]:
    """For every pile the possible numbers, given the named cards of all of them as bits.

    ``said`` are the numbers of chaff that are known already, None where not; a number that cannot
    be tells nothing of the other piles. A pile of which neither is there has not been looked at
    yet; if it is the only one of a whole deck, it has all that are left.
    """
    masks = list(named)
    chaff = list(said) or [None] * len(masks)
    blank = [at for at, mask in enumerate(masks) if not mask and chaff[at] is None]
    if whole and len(blank) == 1:
        masks[blank.pop()] = NAMED.mask & ~sum(masks)
    known = [Known(Cards(mask), NOTHING if at in blank else NAMED) for at, mask in enumerate(masks)]
    told = [replace(pile, counts=_only(count)) for pile, count in zip(known, chaff, strict=True)]
    law, without = Parity(told, whole), Parity(known, whole)
    feasible = []
    for at in range(len(masks)):
        counts = law.possible(at, Kind.CHAFF) or without.possible(at, Kind.CHAFF)
        feasible.append(Feasible(counts, _likely(masks, at, counts)))
    return feasible


def _only(chaff: int | None) -> Said:
    """What is said of a pile of which only the number of chaff is, if that."""
    return tuple(chaff if kind is Kind.CHAFF else None for kind in KINDS)


def _likely(named: Sequence[int], at: int, counts: Sequence[int]) -> int | None:
    """The likeliest of the possible numbers, where anything speaks for one."""
    if len(counts) < 2 or len(named) not in TOGETHER:
        return counts[0] if len(counts) == 1 else None
    others = [cards for place, cards in enumerate(named) if place != at]
    together = TOGETHER[len(named)]
    forced, chances = 0, [1.0]
    for month in MONTHS:
        held = month.cards.mask & NAMED.mask
        own = (named[at] & held).bit_count()
        # Whoever has an odd number of the named cards has one of the chaff for certain.
        odd = own % 2 + sum((cards & held).bit_count() % 2 for cards in others)
        forced += own % 2
        if len(month.cards & CHAFF) - odd >= 2:
            chance = together if own else (1 - together) / len(others)
            chances = [
                no * (1 - chance) + yes * chance
                for no, yes in zip([*chances, 0.0], [0.0, *chances], strict=True)
            ]
    likelihood = {forced + 2 * pairs: chance for pairs, chance in enumerate(chances)}
    return max(counts, key=lambda count: likelihood.get(count, 0.0))
