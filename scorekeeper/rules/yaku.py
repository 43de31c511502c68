"""Yaku: patterns of cards, and what a game pays for them.

A pattern looks at a pile and says how many times it is formed: 0 not at all, 2 twice over, and
``None`` where the pile is not known well enough to tell (then the table's word decides).

The names, kanji, readings and patterns below are the vocabulary that all games share. A game takes
a yaku from it and says what it is worth, and may override the rest:

>>> fours = TESHI.worth(100, further=100, most=2)      # Kaga: each four of a kind pays
>>> pile = Pile.of_hand(Cards.parse("1B 1R 1C1 1C2 8B 8A 8C1 8C2").mask)
>>> fours.value(fours.pattern(pile))
200
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from scorekeeper.rules.cards import (
    ANIMALS,
    BLUE_RIBBONS,
    BRIGHTS,
    CHAFF,
    FOUR_BRIGHTS,
    MONTHS,
    NOTHING,
    POETRY_RIBBONS,
    RIBBONS,
    WHOLE_DECK,
    WILLOW,
    WILLOW_RIBBON,
    Cards,
)
from scorekeeper.rules.pile import KIND_MASKS, Pile, Sets, Values
from scorekeeper.rules.sentence import Name, Sentence, Translator, say

Pattern = Callable[[Pile], int | None]

TEYAKU, DEKIYAKU, SPECIAL = CLASSES = ("teyaku", "dekiyaku", "special")
"""In the dealt hand; by capture; counted at the end."""


@dataclass(frozen=True, slots=True)
class Yaku:
    """A yaku, and in a game also its price, in the game's unit.

    ``first`` is paid for the first time it is formed, ``further`` for each further time, and
    ``each_extra`` for everything that ``extra`` counts beyond it (``per`` says what). Of a
    ``group`` only the best is kept; yaku without a group stack. ``most`` is how many times it can
    be formed at all, and ``with_extra`` a second name by which it is claimed together with its
    extra. ``cards`` are those it is made of, of which it takes ``needed`` (0: all); ``alone`` says
    that it can be only one player's, ``claimable`` that the table's word decides where the pile is
    not known well enough; ``voids`` says what is void where it is paid.
    """

    key: str
    kind: str
    name: Sentence
    kanji: str
    reading: str
    sentence: Sentence
    pattern: Pattern
    cards: Cards = NOTHING
    needed: int = 0
    first: int = 0
    further: int = 0
    most: int = 1
    extra: Pattern | None = None
    per: Sentence | None = None
    each_extra: int = 0
    with_extra: str | None = None
    group: str | None = None
    alone: bool = False
    claimable: bool = True
    voids: Sentence | None = None

    def worth(self, first: int, **changes: Any) -> Yaku:
        """The same yaku at a price, with whatever else a game says differently."""
        return replace(self, first=first, **changes)

    def value(self, times: int, extra: int = 0) -> int:
        """What it is worth by itself, formed so many times with so many extras."""
        return self.first + self.further * (times - 1) + self.each_extra * extra

    def say(self, to: Translator, /) -> str:
        name = self.name.render(to)
        return name if name == self.kanji else f"{name} {self.kanji}"


# --- Patterns of the dealt hand: how its cards fall into months --------------------------------


@dataclass(frozen=True, slots=True)
class BySets:
    """A pattern that looks at nothing but how many months a hand has two, three or four cards of.

    There are so few ways that a game can know what each of them forms.
    """

    times: Callable[[Sets], int]

    def __call__(self, pile: Pile) -> int:
        return self.times(pile.sets)


def shape(*sizes: int) -> Pattern:
    """Formed by a hand with sets of these sizes; four of a kind may serve as two pairs.

    Reading a pair loosely changes no value of a seven-card hand, for the stricter teyaku is always
    worth at least as much; but it lets a player show less than the hand allows.
    """

    def has_all(twos: int, threes: int, fours: int) -> bool:
        months = [2] * twos + [3] * threes + [4] * fours
        for size in sizes:
            # Each set is taken from the smallest month that still has it.
            place = next((i for i, left in enumerate(months) if left >= size), None)
            if place is None:
                return False
            months[place] -= size
            months.sort()
        return True

    return BySets(lambda sets: int(has_all(*sets)))


triplets = BySets(lambda sets: sets[1] or int(sets[2] > 0))
"""Three of a month, each time; three out of four of a kind count once."""

fours = BySets(lambda sets: sets[2])
"""All four of a month in the hand, each time."""


# A standing triplet is one of wisteria, iris or bush clover, or the three paulownia chaff
# (Fuda Wiki, Hachi-Hachi; the publisher's rules do not have it).
_STANDING = tuple(MONTHS[month - 1].cards.mask for month in (4, 5, 7))
_PAULOWNIA_CHAFF = (MONTHS[11].cards & CHAFF).mask


def _standing(pile: Pile) -> int:
    cards = pile.cards or 0
    plain = sum((cards & month).bit_count() == 3 for month in _STANDING)
    return plain + int((cards & MONTHS[11].cards.mask) == _PAULOWNIA_CHAFF)


def standing(at_least: int, triplets_in_all: int) -> Pattern:
    """Formed by a hand with so many standing triplets among so many triplets of any kind."""

    def pattern(pile: Pile) -> int:
        _, threes, fours = pile.sets
        return int(_standing(pile) >= at_least and threes + fours >= triplets_in_all)

    return pattern


# --- Patterns of the dealt hand: chaff and little else ------------------------------------------


def all_chaff(needed: int, also: Cards = NOTHING) -> Pattern:
    """At least so many chaff; the cards in ``also`` count as chaff here."""
    chaff = (CHAFF | also).mask
    return lambda pile: 1 if ((pile.cards or 0) & chaff).bit_count() >= needed else 0


def chaff_with(cards: Cards, least: int, most: int, also: Cards = NOTHING) -> Pattern:
    """From ``least`` to ``most`` of these cards and otherwise chaff."""
    wanted = (cards - also).mask
    others = (WHOLE_DECK - cards - CHAFF - also).mask

    def pattern(pile: Pile) -> int:
        hand = pile.cards or 0
        if hand & others:
            return 0
        return 1 if least <= (hand & wanted).bit_count() <= most else 0

    return pattern


# --- Patterns of the captured pile --------------------------------------------------------------


def holds(cards: Cards) -> Pattern:
    """Formed by a pile with all of these cards."""
    mask = cards.mask

    def pattern(pile: Pile) -> int | None:
        if pile.cards is not None:
            return 1 if pile.cards & mask == mask else 0
        has = pile.has(cards)
        # Counts can make a yaku impossible, but that it was formed is for the table to say.
        return None if has is None else int(has)

    return pattern


def months_left(pile: Pile | None, gone: int = 0) -> list[int]:
    """The months, as bits, that a pile may have whole when these cards are in others."""
    may_have = (WHOLE_DECK.mask if pile is None else pile.possibly) & ~gone
    return [month.cards.mask for month in MONTHS if not month.cards.mask & ~may_have]


def most_whole_months(pile: Pile | None, gone: int = 0) -> int:
    """How many months a pile can have whole at most when these cards are in others."""
    months = months_left(pile, gone)
    most = len(months)
    if pile is not None and pile.cards is None and pile.counts is not None:
        for kind, left in zip(KIND_MASKS, pile.counts, strict=True):
            # Most months fit into a count when those that take least of it come first.
            taken = accumulate(sorted((month & kind).bit_count() for month in months))
            most = min(most, sum(cards <= left for cards in taken))
    return most


def whole_months(pile: Pile) -> int | None:
    """All four cards of a month, each time."""
    most = most_whole_months(pile)
    return most if pile.cards is not None or not most else None


def holds_any(needed: int, cards: Cards) -> Pattern:
    """Formed by a pile with any so many of these cards, none of which is chaff."""
    mask = cards.mask

    def pattern(pile: Pile) -> int | None:
        if pile.named is not None:
            return 1 if (pile.named & mask).bit_count() >= needed else 0
        most = pile.at_most(cards)
        return 0 if most is not None and most < needed else None

    return pattern


def holds_without(cards: Cards, without: Cards) -> Pattern:
    """Formed by a pile with all of these cards and none of the others."""
    whole = holds(cards)

    def pattern(pile: Pile) -> int | None:
        if pile.surely & without.mask:
            return 0
        formed = whole(pile)
        return formed if not pile.possibly & without.mask or formed == 0 else None

    return pattern


def ribbons_beyond_seven(pile: Pile) -> int | None:
    """Ribbons beyond the seven, the willow ribbon included."""
    return None if pile.counts is None else pile.counts[2] - 7


def rain_man(pile: Pile) -> int | None:
    """1 where the rain man is there besides the four brights, else 0."""
    if pile.counts is None:
        return None
    return int(pile.counts[0] == len(BRIGHTS))


def chaff_bounds(pile: Pile, also: Cards = NOTHING) -> tuple[int, int]:
    """At least and at most how many chaff the pile has, with ``also`` counted as chaff.

    Of a pile that is known by its points alone those bound them: only games in which every chaff
    is worth a point or more ask for this.
    """
    extra = (also - CHAFF).mask
    if pile.counts is None:
        most = len(CHAFF) + extra.bit_count()
        return 0, most if pile.points is None else min(most, pile.points)
    chaff = pile.counts[3]
    # All brights may have been counted, the rain man with them: that he is one of the chaff is for
    # the table to say all the same.
    named = pile.surely if pile.named is not None else 0
    return (
        chaff + (named & extra).bit_count(),
        chaff + (pile.possibly & extra).bit_count(),
    )


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A pattern that counts some cards as what they are not, and can tell what that comes to.

    ``told`` gives a line for the working about somebody's pile, None where such cards are not
    there, or it is not known which are.
    """

    times: Pattern
    told: Callable[[Name, Pile], Sentence | None]

    def __call__(self, pile: Pile) -> int | None:
        return self.times(pile)


def chaff_at_least(needed: int, also: Cards = NOTHING) -> Pattern:
    """At least so many captured chaff, with ``also`` counted as chaff."""
    chaff = (CHAFF | also).mask
    extra = (also - CHAFF).mask

    def pattern(pile: Pile) -> int | None:
        if pile.cards is not None:
            return 1 if (pile.cards & chaff).bit_count() >= needed else 0
        least, most = chaff_bounds(pile, also)
        return 1 if least >= needed else 0 if most < needed else None

    def told(name: Name, pile: Pile) -> Sentence | None:
        others = (pile.surely & extra).bit_count()
        if pile.counts is None or pile.named is None or not others:
            return None
        return say(
            "%(name)s: chaff %(chaff)s + willow %(willow)s = %(sum)s",
            name=name,
            chaff=pile.counts[3],
            willow=others,
            sum=pile.counts[3] + others,
        )

    return Reckoned(pattern, told)


def chaff_beyond(needed: int, also: Cards = NOTHING) -> Pattern:
    """Captured chaff beyond so many."""

    def pattern(pile: Pile) -> int | None:
        least, most = chaff_bounds(pile, also)
        return least - needed if least == most else None

    return pattern


def points_at_most(limit: int, values: Values, willow: int | None) -> Pattern:
    """At most so many card points; each willow card counts ``willow`` (None: its face value)."""
    less = [
        (bit, values.of_card(bit) - willow)
        for bit in (card.bit for card in WILLOW)
        if willow is not None
    ]
    most_less = sum(by for _, by in less)

    def pattern(pile: Pile) -> int | None:
        points = pile.points
        if points is None or pile.counts is None:
            # Every reading counts a pile at its face value or less.
            return 1 if points is not None and points <= limit else None
        if points - most_less > limit:
            return 0
        surely, possibly = pile.surely, pile.possibly
        if points - sum(by for bit, by in less if surely & bit) <= limit:
            return 1
        return 0 if points - sum(by for bit, by in less if possibly & bit) > limit else None

    def told(name: Name, pile: Pile) -> Sentence | None:
        off = sum(by for bit, by in less if pile.surely & bit)
        if pile.points is None or pile.named is None or not off:
            return None
        return say(
            "%(name)s: %(points)s − %(less)s for the willow = %(rest)s",
            name=name,
            points=pile.points,
            less=off,
            rest=pile.points - off,
        )

    return Reckoned(pattern, told)


def points_at_least(limit: int) -> Pattern:
    """At least so many card points."""
    return lambda pile: None if pile.points is None else int(pile.points >= limit)


def points_beyond(limit: int) -> Pattern:
    """Card points beyond so many."""
    return lambda pile: None if pile.points is None else pile.points - limit


# --- The shared vocabulary ----------------------------------------------------------------------

SHISO = Yaku(
    "shiso", TEYAKU, say("Four and Three"), "四三", "shisō",
    say("All four cards of one month and three of another."), shape(4, 3),
)  # fmt: skip
ICHINISHI = Yaku(
    "ichinishi", TEYAKU, say("One-Two-Four"), "一二四", "ichinishi",
    say("All four cards of one month, a pair, and one more card."), shape(4, 2),
)  # fmt: skip
HANEKEN = Yaku(
    "haneken", TEYAKU, say("Triplet and Two Pairs"), "跳剣", "haneken",
    say("Three cards of one month and pairs of two others."), shape(3, 2, 2),
)  # fmt: skip
TESHI = Yaku(
    "teshi", TEYAKU, say("Four of a Kind"), "手四", "teshi",
    say("All four cards of one month."), fours,
)  # fmt: skip
FUTASANBON = Yaku(
    "futasanbon", TEYAKU, say("Two Triplets"), "双三本", "futasanbon",
    say("Three cards of one month and three of another."), shape(3, 3),
)  # fmt: skip
KUTTSUKI = Yaku(
    "kuttsuki", TEYAKU, say("Three Pairs"), "喰付", "kuttsuki",
    say("Pairs of three months."), shape(2, 2, 2),
)  # fmt: skip
SANBON = Yaku(
    "sanbon", TEYAKU, say("Triplet"), "三本", "sanbon",
    say("Three cards of one month."), shape(3),
)  # fmt: skip
TATESANBON = Yaku(
    "tatesanbon", TEYAKU, say("Standing Triplet"), "立三本", "tatesanbon",
    say("Three cards of wisteria, iris or bush clover, or the three paulownia chaff."),
    standing(1, 1),
)  # fmt: skip
SANBON_TATESANBON = Yaku(
    "sanbon-tatesanbon", TEYAKU, say("Triplet and Standing Triplet"), "三本立三本",
    "sanbon-tatesanbon",
    say("Two triplets, one of them standing."), standing(1, 2),
)  # fmt: skip
FUTATATESANBON = Yaku(
    "futatatesanbon", TEYAKU, say("Two Standing Triplets"), "双立三本", "futatatesanbon",
    say("Two triplets, both standing."), standing(2, 2),
)  # fmt: skip
KARASU = Yaku(
    "karasu", TEYAKU, say("Empty Hand"), "空素", "karasu",
    say("Seven chaff."), all_chaff(7),
)  # fmt: skip
PIKAICHI = Yaku(
    "pikaichi", TEYAKU, say("One Bright"), "光一", "pikaichi",
    say("One bright and otherwise chaff."), chaff_with(BRIGHTS, 1, 1),
)  # fmt: skip
TOICHI = Yaku(
    "toichi", TEYAKU, say("One Animal"), "十一", "tōichi",
    say("One animal and otherwise chaff."), chaff_with(ANIMALS, 1, 1),
)  # fmt: skip
TANICHI = Yaku(
    "tanichi", TEYAKU, say("One Ribbon"), "短一", "tan’ichi",
    say("One ribbon and otherwise chaff."), chaff_with(RIBBONS, 1, 1),
)  # fmt: skip
AKA = Yaku(
    "aka", TEYAKU, say("Red"), "赤", "aka",
    say("Two or more ribbons and otherwise chaff."), chaff_with(RIBBONS, 2, 7),
)  # fmt: skip

WILLOW_HANDS: Mapping[str, Mapping[str, Any]] = {
    KARASU.key: {
        "pattern": all_chaff(7, WILLOW),
        "sentence": say("Seven chaff; willow cards count as chaff."),
    },
    PIKAICHI.key: {
        "pattern": chaff_with(BRIGHTS, 1, 1, WILLOW),
        "sentence": say("One bright and otherwise chaff; willow cards count as chaff."),
    },
    TOICHI.key: {
        "pattern": chaff_with(ANIMALS, 1, 1, WILLOW),
        "sentence": say("One animal and otherwise chaff; willow cards count as chaff."),
    },
    TANICHI.key: {
        "pattern": chaff_with(RIBBONS, 1, 1, WILLOW),
        "sentence": say("One ribbon and otherwise chaff; willow cards count as chaff."),
    },
    AKA.key: {
        "pattern": chaff_with(RIBBONS, 2, 7, WILLOW),
        "sentence": say("Two or more ribbons and otherwise chaff; willow cards count as chaff."),
    },
}
"""How the chaff teyaku of seven cards change where willow cards count as chaff."""

SHIKO = Yaku(
    "shiko", DEKIYAKU, say("Four Brights"), "四光", "shikō",
    say("Crane, curtain, moon and phoenix; the rain man is none of the four."),
    holds(FOUR_BRIGHTS), FOUR_BRIGHTS, extra=rain_man, per=say("with the rain man"), alone=True,
)  # fmt: skip
NANATAN = Yaku(
    "nanatan", DEKIYAKU, say("Seven Ribbons"), "七短", "nanatan",
    say("Seven ribbons; the willow ribbon does not count."),
    holds_any(7, RIBBONS - WILLOW_RIBBON), RIBBONS - WILLOW_RIBBON, needed=7,
    extra=ribbons_beyond_seven, per=say("for each further ribbon"), alone=True,
)  # fmt: skip
AKATAN = Yaku(
    "akatan", DEKIYAKU, say("Poetry Ribbons"), "赤短", "akatan",
    say("The three ribbons with writing: pine, plum and cherry."),
    holds(POETRY_RIBBONS), POETRY_RIBBONS, alone=True,
)  # fmt: skip
AOTAN = Yaku(
    "aotan", DEKIYAKU, say("Blue Ribbons"), "青短", "aotan",
    say("The three blue ribbons: peony, chrysanthemum and maple."),
    holds(BLUE_RIBBONS), BLUE_RIBBONS, alone=True,
)  # fmt: skip
SHIMA = Yaku(
    "shima", DEKIYAKU, say("Whole Month"), "シマ", "shima",
    say("All four cards of a month, each time."), whole_months, most=12,
)  # fmt: skip

SUJUSHI = Yaku(
    "sujushi", SPECIAL, say("Fourteen Chaff"), "素十四", "sujūshi",
    say("At least fourteen chaff; all willow cards count as chaff."), chaff_at_least(14, WILLOW),
    alone=True,
)  # fmt: skip
ALL_88 = Yaku(
    "all88", SPECIAL, say("All Eighty-Eight"), "総八", "sōhachi",
    say("Everyone has exactly 88 card points; it is the dealer’s."),
    lambda pile: None if pile.points is None else int(pile.points == 88), claimable=False,
)  # fmt: skip
OVER_168 = Yaku(
    "over168", SPECIAL, say("Double Eight"), "二八", "nihachi",
    say("168 card points or more."), points_at_least(168), extra=points_beyond(168),
    per=say("for each further point"), claimable=False,
)  # fmt: skip
KASU_16 = Yaku(
    "kasu16", SPECIAL, say("Sixteen Chaff"), "素十六", "sujūroku",
    say("Sixteen chaff or more."), chaff_at_least(16), extra=chaff_beyond(16),
    per=say("for each further chaff"), claimable=False,
)  # fmt: skip
