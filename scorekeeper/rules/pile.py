"""What is known of a captured pile, and what follows from it.

A table reports a pile in one of four forms, from exact to vague: all its cards (``captured``);
the brights, animals and ribbons as cards and the number of chaff (``named``); four numbers
(``counts``); the card points alone (``points``). :class:`Pile` holds any of them and answers the
same questions for all: which cards are surely in it, which possibly, how many of a kind, how many
points. Where a form cannot tell, the answer is ``None``, never a guess.

In every counted round that is played out, all 48 cards are in somebody's pile. So one pile may be
left out and is the rest (:func:`fill_rest`), and piles that do not make up the deck are refused
(:func:`check_deck`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from scorekeeper.rules.cards import CHAFF, NAMED, OF_KIND, WHOLE_DECK, Cards, Kind
from scorekeeper.rules.sentence import Name, RuleError, Sentence, say

KINDS = tuple(Kind)
KIND_MASKS = tuple(OF_KIND[kind].mask for kind in KINDS)
IN_DECK = tuple(len(OF_KIND[kind]) for kind in KINDS)
"""How many brights, animals, ribbons and chaff the deck has: 5, 9, 10, 24."""

UNDRAWN = 8
"""How many cards stay in the pile when two players of eight cards stop with empty hands."""

Counts = tuple[int, int, int, int]
"""Brights, animals, ribbons, chaff."""


Sets = tuple[int, int, int]
"""Of how many months there are two cards, three, and all four."""


@dataclass(frozen=True)
class Values:
    """What cards are worth in card points: pairs of a value and the cards that have it."""

    worth: tuple[tuple[int, Cards], ...]

    @cached_property
    def total(self) -> int:
        """The card points of the whole deck."""
        return sum(value * len(cards) for value, cards in self.worth)

    @cached_property
    def step(self) -> int:
        """The number that every sum of card points is a multiple of."""
        return gcd(*(value for value, _ in self.worth))

    @cached_property
    def by_kind(self) -> Counts | None:
        """The value of each kind, or None where cards of one kind differ in value."""
        values = dict.fromkeys(KINDS, 0)
        for value, cards in self.worth:
            kind = next((kind for kind in KINDS if OF_KIND[kind] == cards), None)
            if kind is None:
                return None
            values[kind] = value
        return values[Kind.BRIGHT], values[Kind.ANIMAL], values[Kind.RIBBON], values[Kind.CHAFF]

    def of_card(self, bit: int) -> int:
        return sum(value for value, cards in self.worth if cards.mask & bit)

    def points(self, pile: Pile) -> int | None:
        """The card points of a pile, or None where its form cannot tell."""
        if pile.points is not None:
            return pile.points
        if self.by_kind is not None and pile.counts is not None:
            brights, animals, ribbons, chaff = pile.counts
            bright, animal, ribbon, each = self.by_kind
            return bright * brights + animal * animals + ribbon * ribbons + each * chaff
        if pile.cards is not None:
            return self._of(pile.cards)
        if pile.named is None or pile.counts is None:
            return None
        # It may not matter which chaff it has: all that it can have may be worth the same.
        possible = Cards(CHAFF.mask & pile.possibly)
        worth = {self.of_card(card.bit) for card in possible}
        return self._of(pile.named) + worth.pop() * pile.counts[3] if len(worth) == 1 else None

    def _of(self, cards: int) -> int:
        return sum(value * (cards & of_value.mask).bit_count() for value, of_value in self.worth)

    def of_cheapest(self, number: int) -> int:
        """The card points of so many cards at least."""
        return sum(sorted(self.of_card(card.bit) for card in WHOLE_DECK)[:number])


@dataclass(slots=True)
class Pile:
    """A captured pile as far as it is known.

    ``cards`` and ``named`` are sets of cards as bits; ``counts`` is brights, animals, ribbons,
    chaff; ``points`` is the card points, given or counted. ``filled`` marks a pile that was not
    reported but is the rest of the deck, and ``elsewhere`` is the chaff of which it is known that
    others have it. A dealt hand is a pile, too: only of a hand, ``sets`` is how it falls into
    months.
    """

    form: str
    cards: int | None = None
    named: int | None = None
    counts: Counts | None = None
    points: int | None = None
    filled: bool = False
    elsewhere: int = 0
    sets: Sets = (0, 0, 0)

    @classmethod
    def of_cards(cls, cards: int, form: str = "captured") -> Pile:
        brights, animals, ribbons, chaff = KIND_MASKS
        return cls(
            form,
            cards,
            cards & NAMED.mask,
            (
                (cards & brights).bit_count(),
                (cards & animals).bit_count(),
                (cards & ribbons).bit_count(),
                (cards & chaff).bit_count(),
            ),
        )

    @classmethod
    def of_hand(cls, cards: int) -> Pile:
        """A dealt hand of these cards; how many it has of a kind does not matter."""
        return cls("captured", cards, cards & NAMED.mask, sets=sets(cards))

    @classmethod
    def of_named(cls, named: int, chaff: int) -> Pile:
        pile = cls.of_cards(named, "named")
        assert pile.counts is not None
        pile.counts = (*pile.counts[:3], chaff)
        if chaff:
            pile.cards = named | CHAFF.mask if chaff == len(CHAFF) else None
        return pile

    @classmethod
    def of_counts(cls, counts: Counts) -> Pile:
        return cls("counts", counts=counts)

    @classmethod
    def of_points(cls, points: int) -> Pile:
        return cls("points", points=points)

    @property
    def surely(self) -> int:
        """The cards that are in the pile beyond doubt, as bits."""
        if self.cards is not None:
            return self.cards
        if self.named is not None:
            return self.named
        if self.counts is None:
            return 0
        return sum(
            mask
            for mask, count, all_of_kind in zip(KIND_MASKS, self.counts, IN_DECK, strict=True)
            if count == all_of_kind
        )

    @property
    def possibly(self) -> int:
        """The cards that may be in the pile, as bits."""
        if self.cards is not None:
            return self.cards
        if self.named is not None:
            return self.named | CHAFF.mask & ~self.elsewhere
        if self.counts is None:
            return WHOLE_DECK.mask
        return sum(mask for mask, count in zip(KIND_MASKS, self.counts, strict=True) if count)

    @property
    def known(self) -> Cards:
        """The cards that are in the pile beyond doubt."""
        return Cards(self.surely)

    def has(self, cards: Cards) -> bool | None:
        """Whether all of these cards are in the pile; None where the form cannot tell."""
        if self.cards is not None:
            return not cards.mask & ~self.cards
        if self.named is not None and not cards.mask & CHAFF.mask:
            return not cards.mask & ~self.named
        if cards.mask & ~self.possibly:
            return False
        if self.counts is not None:
            for mask, count in zip(KIND_MASKS, self.counts, strict=True):
                if (cards.mask & mask).bit_count() > count:
                    return False
        return None

    def at_most(self, cards: Cards) -> int | None:
        """How many of these cards the pile can have, as its counts say; None without counts."""
        if self.counts is None:
            return None
        return sum(
            min(count, (cards.mask & mask).bit_count())
            for mask, count in zip(KIND_MASKS, self.counts, strict=True)
        )

    def size(self) -> int | None:
        """How many cards the pile has, or None."""
        return None if self.counts is None else sum(self.counts)


def sets(cards: int) -> Sets:
    """Of how many months there are two cards, three, and all four in a set of cards, as bits."""
    # The four bits of each month are added up in their own places, all months at once: a loop over
    # the months of every dealt hand would be a third of its settlement.
    halves = (cards & 0x5555_5555_5555) + (cards >> 1 & 0x5555_5555_5555)
    sizes = (halves & 0x3333_3333_3333) + (halves >> 2 & 0x3333_3333_3333)
    two_or_three = sizes & 0x2222_2222_2222
    threes = (two_or_three & sizes << 1).bit_count()
    return two_or_three.bit_count() - threes, threes, (sizes & 0x4444_4444_4444).bit_count()


def settle_chaff(piles: Sequence[Pile | None]) -> None:
    """Finds out which chaff piles can have of which the named cards are known, or which they have.

    They have what the others leave, where that is just as much.
    """
    for pile in piles:
        if pile is not None and pile.cards is None and pile.named is not None:
            taken = 0
            for other in piles:
                if other is not None and other is not pile and other.cards is not None:
                    taken |= other.cards
            pile.elsewhere = CHAFF.mask & taken
            left = CHAFF.mask & ~taken
            assert pile.counts is not None
            if left.bit_count() == pile.counts[3]:
                pile.cards = pile.named | left


def fill_rest(form: str, others: Sequence[Pile], values: Values) -> Pile | None:
    """The pile that the others leave of the whole deck; None where they leave less than nothing.

    The others must all have the same form, and no card may be in two of them.
    """
    if form == "points":
        points = values.total - sum(pile.points or 0 for pile in others)
        rest = Pile.of_points(points) if points >= 0 else None
    elif form == "captured":
        rest = Pile.of_cards(WHOLE_DECK.mask & ~sum(pile.cards or 0 for pile in others))
    else:
        counts = [pile.counts or (0, 0, 0, 0) for pile in others]
        brights, animals, ribbons, chaff = (
            have - sum(count[kind] for count in counts) for kind, have in enumerate(IN_DECK)
        )
        if min(brights, animals, ribbons, chaff) < 0:
            return None
        if form == "counts":
            rest = Pile.of_counts((brights, animals, ribbons, chaff))
        else:
            named = NAMED.mask & ~sum(pile.named or 0 for pile in others)
            rest = Pile.of_named(named, chaff)
    if rest is not None:
        rest.filled = True
    return rest


def make_up_deck(piles: Sequence[Pile | None]) -> bool:
    """Whether every card is known to be in one of the piles, and in one alone."""
    seen = 0
    for pile in piles:
        if pile is None or pile.cards is None or pile.cards & seen:
            return False
        seen |= pile.cards
    return seen == WHOLE_DECK.mask


def check_overlap(piles: Sequence[Pile | None], names: Sequence[Name]) -> None:
    """Refuses a card that is in two piles (``card_twice``)."""
    seen: dict[int, int] = {}
    for seat, pile in enumerate(piles):
        if pile is None or pile.named is None:
            continue
        mine = pile.cards if pile.cards is not None else pile.named
        for other, theirs in seen.items():
            if mine & theirs:
                raise RuleError(
                    "card_twice",
                    say(
                        "%(cards)s: in the piles of both %(one)s and %(other)s.",
                        cards=Cards(mine & theirs),
                        one=names[other],
                        other=names[seat],
                    ),
                    seat,
                    pile.form,
                )
        seen[seat] = mine


def check_counts(piles: Sequence[Pile | None]) -> None:
    """Refuses piles that have more of a kind than the deck (``deck_sum``)."""
    counted = [pile.counts for pile in piles if pile is not None and pile.counts is not None]
    for kind, have in enumerate(IN_DECK):
        given = sum(counts[kind] for counts in counted)
        if given > have:
            raise RuleError("deck_sum", _difference(KINDS[kind], given, have))


def check_deck(piles: Sequence[Pile], values: Values) -> None:
    """Refuses piles that do not make up the whole deck (``deck_sum``), and says what differs."""
    if all(pile.cards is not None for pile in piles):
        missing = WHOLE_DECK - Cards(sum(pile.cards or 0 for pile in piles))
        if missing:
            raise RuleError(
                "deck_sum",
                say(
                    "%(count)s of the 48 cards: %(cards)s not in any pile.",
                    count=48 - len(missing),
                    cards=missing,
                ),
                field=piles[0].form,
            )
    counted = [pile.counts for pile in piles if pile.counts is not None]
    if len(counted) == len(piles):
        wrong = [
            _difference(KINDS[kind], given, have)
            for kind, have in enumerate(IN_DECK)
            if (given := sum(counts[kind] for counts in counted)) != have
        ]
        # Cards that are named can only be missing where there are too few of their kind.
        if all(pile.named is not None for pile in piles):
            missing = NAMED - Cards(sum(pile.named or 0 for pile in piles))
            if missing:
                wrong.append(say("%(cards)s not in any pile", cards=missing))
        if wrong:
            raise RuleError(
                "deck_sum",
                say("The piles do not make up the deck: %(differences)s.", differences=wrong),
                field=piles[0].form,
            )
    points = [values.points(pile) for pile in piles]
    if None not in points:
        total = sum(point or 0 for point in points)
        if total != values.total:
            if total > values.total:
                raise _too_many_points(total, values.total, piles[0].form)
            message = say(
                "The card points add up to %(sum)s instead of %(total)s: %(by)s too few.",
                sum=total,
                total=values.total,
                by=values.total - total,
            )
            raise RuleError("deck_sum", message, field=piles[0].form)


def check_points(piles: Sequence[Pile], values: Values) -> None:
    """Refuses piles with more card points than the deck, whatever else there is (``deck_sum``)."""
    total = sum(values.points(pile) or 0 for pile in piles)
    if total > values.total:
        raise _too_many_points(total, values.total)


def check_table(piles: Sequence[Pile], values: Values) -> None:
    """Refuses more than can be captured when eight cards stay undrawn (``deck_sum``)."""
    captured = sum(pile.size() or 0 for pile in piles)
    if captured > len(WHOLE_DECK) - UNDRAWN:
        raise RuleError(
            "deck_sum",
            say(
                "%(count)s cards captured: with eight left in the pile there are at most 40, "
                "%(by)s fewer.",
                count=captured,
                by=captured - len(WHOLE_DECK) + UNDRAWN,
            ),
        )
    total = sum(values.points(pile) or 0 for pile in piles)
    most = values.total - values.of_cheapest(UNDRAWN)
    if total > most:
        raise RuleError(
            "deck_sum",
            say(
                "The card points add up to %(sum)s: with eight cards left in the pile there are "
                "at most %(most)s, %(by)s fewer.",
                sum=total,
                most=most,
                by=total - most,
            ),
        )


def _too_many_points(total: int, whole: int, field: str | None = None) -> RuleError:
    message = say(
        "The card points add up to %(sum)s instead of %(total)s: %(by)s too many.",
        sum=total,
        total=whole,
        by=total - whole,
    )
    return RuleError("deck_sum", message, field=field)


def _difference(kind: Kind, given: int, have: int) -> Sentence:
    values = {"kind": kind, "given": given, "have": have, "by": abs(given - have)}
    if given > have:
        return say("%(kind)s: %(given)s instead of %(have)s, %(by)s too many", **values)
    return say("%(kind)s: %(given)s instead of %(have)s, %(by)s too few", **values)
