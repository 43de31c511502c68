"""The deck: 48 cards, twelve months of four, and sets of them.

A card is written as its month, the letter of its kind, and a number where a month has several
chaff: ``1B`` is the crane, ``11R`` the willow ribbon, ``12C1`` the paulownia with the yellow foot.
Months use the Japanese order, 11 willow and 12 paulownia (Korean decks swap the two).

Any set of cards is one number of 48 bits, four bits a month, so that "has all of" is one ``&``:

>>> pile = Cards.parse("01b, 1R １C1")
>>> str(pile), len(pile), Card.parse("1R") in pile
('1B 1R 1C1', 3, True)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property, reduce
from operator import or_

from scorekeeper.rules.sentence import RuleError, Sentence, Translator, say


class Kind(Enum):
    """What a card counts as, highest first."""

    BRIGHT = "B"
    ANIMAL = "A"
    RIBBON = "R"
    CHAFF = "C"

    @property
    def key(self) -> str:
        """The word of the JSON contract: ``bright``, ``animal``, ``ribbon`` or ``chaff``."""
        return self.name.lower()

    def say(self, to: Translator, /) -> str:
        return to.gettext(_KIND_NAMES[self])


_KIND_NAMES = {
    Kind.BRIGHT: say("bright").message,
    Kind.ANIMAL: say("animal").message,
    Kind.RIBBON: say("ribbon").message,
    Kind.CHAFF: say("chaff").message,
}
KIND_KANJI = {Kind.BRIGHT: "光", Kind.ANIMAL: "タネ", Kind.RIBBON: "短冊", Kind.CHAFF: "カス"}
KIND_READINGS = {
    Kind.BRIGHT: "hikari",
    Kind.ANIMAL: "tane",
    Kind.RIBBON: "tanzaku",
    Kind.CHAFF: "kasu",
}


class Month:
    """A month and its plant."""

    def __init__(self, number: int, name: Sentence, kanji: str, reading: str) -> None:
        self.number = number
        self.name = name
        self.kanji = kanji
        self.reading = reading

    @cached_property
    def cards(self) -> Cards:
        return Cards(0b1111 << 4 * (self.number - 1))

    def say(self, to: Translator, /) -> str:
        return self.name.render(to)


MONTHS = tuple(
    Month(number, name, kanji, reading)
    for number, (name, kanji, reading) in enumerate(
        (
            (say("pine"), "松", "matsu"),
            (say("plum"), "梅", "ume"),
            (say("cherry"), "桜", "sakura"),
            (say("wisteria"), "藤", "fuji"),
            (say("iris"), "菖蒲", "ayame"),
            (say("peony"), "牡丹", "botan"),
            (say("bush clover"), "萩", "hagi"),
            (say("pampas grass"), "芒", "susuki"),
            (say("chrysanthemum"), "菊", "kiku"),
            (say("maple"), "紅葉", "momiji"),
            (say("willow"), "柳", "yanagi"),
            (say("paulownia"), "桐", "kiri"),
        ),
        start=1,
    )
)


class Card:
    """One card of the deck; ``index`` is its place in deck order, 0 to 47."""

    __slots__ = ("index", "kanji", "kind", "month", "name", "reading", "text")

    def __init__(
        self, index: int, text: str, kind: Kind, name: Sentence, kanji: str, reading: str
    ) -> None:
        month = MONTHS[index // 4]
        self.index = index
        self.text = text
        self.month = month.number
        self.kind = kind
        self.name = name
        self.kanji = f"{month.kanji}に{kanji}" if kanji else f"{month.kanji}のカス"
        self.reading = f"{month.reading} ni {reading}" if reading else f"{month.reading} no kasu"

    @classmethod
    def parse(cls, text: str) -> Card:
        """Reads one card; raises ``bad_card``."""
        return DECK[_bit_of(text).bit_length() - 1]

    @property
    def bit(self) -> int:
        return 1 << self.index

    def say(self, to: Translator, /) -> str:
        return self.name.render(to)

    def __repr__(self) -> str:
        return f"Card({self.text})"


# Months without a line of their own for a kind have no such card.
_NAMED = (
    ("1B", say("crane"), "鶴", "tsuru"),
    ("1R", say("pine poetry ribbon"), "赤短", "akatan"),
    ("2A", say("bush warbler"), "鶯", "uguisu"),
    ("2R", say("plum poetry ribbon"), "赤短", "akatan"),
    ("3B", say("curtain"), "幕", "maku"),
    ("3R", say("cherry poetry ribbon"), "赤短", "akatan"),
    ("4A", say("cuckoo"), "不如帰", "hototogisu"),
    ("4R", say("wisteria ribbon"), "短冊", "tanzaku"),
    ("5A", say("eight-plank bridge"), "八橋", "yatsuhashi"),
    ("5R", say("iris ribbon"), "短冊", "tanzaku"),
    ("6A", say("butterflies"), "蝶", "chō"),
    ("6R", say("peony blue ribbon"), "青短", "aotan"),
    ("7A", say("boar"), "猪", "inoshishi"),
    ("7R", say("bush clover ribbon"), "短冊", "tanzaku"),
    ("8B", say("moon"), "月", "tsuki"),
    ("8A", say("geese"), "雁", "kari"),
    ("9A", say("sake cup"), "盃", "sakazuki"),
    ("9R", say("chrysanthemum blue ribbon"), "青短", "aotan"),
    ("10A", say("deer"), "鹿", "shika"),
    ("10R", say("maple blue ribbon"), "青短", "aotan"),
    ("11B", say("rain man"), "小野道風", "Ono no Michikaze"),
    ("11A", say("swallow"), "燕", "tsubame"),
    ("11R", say("willow ribbon"), "短冊", "tanzaku"),
    ("12B", say("phoenix"), "鳳凰", "hōō"),
)
_CHAFF_NAMES = (
    say("pine chaff"),
    say("plum chaff"),
    say("cherry chaff"),
    say("wisteria chaff"),
    say("iris chaff"),
    say("peony chaff"),
    say("bush clover chaff"),
    say("pampas grass chaff"),
    say("chrysanthemum chaff"),
    say("maple chaff"),
    say("lightning"),
    say("paulownia chaff"),
)


def _deck() -> tuple[Card, ...]:
    deck: list[Card] = []
    for month in range(1, 13):
        named = [row for row in _NAMED if row[0][:-1] == str(month)]
        for text, name, kanji, reading in named:
            deck.append(Card(len(deck), text, Kind(text[-1]), name, kanji, reading))
        chaff = 4 - len(named)
        for number in range(1, chaff + 1):
            text = f"{month}C{number}" if chaff > 1 else f"{month}C"
            name = _CHAFF_NAMES[month - 1]
            if text == "12C1":
                name = say("yellow paulownia chaff")
            deck.append(Card(len(deck), text, Kind.CHAFF, name, "", ""))
    return tuple(deck)


DECK = _deck()
_BIT = {card.text: card.bit for card in DECK}
_BIT["11C1"] = _BIT["11C"]
_CARD = re.compile(r"0*(1[0-2]|[1-9])(?:([BAR])|C0*([1-3]?))", re.IGNORECASE)


def _bit_of(token: str) -> int:
    """The bit of one card, written canonically or carelessly; raises ``bad_card``."""
    bit = _BIT.get(token)
    if bit is None:
        match = _CARD.fullmatch(token)
        if match:
            month, named, number = match.groups()
            bit = _BIT.get(f"{month}{named.upper()}" if named else f"{month}C{number}")
            if bit is None:
                held = MONTHS[int(month) - 1].cards
                raise RuleError(
                    "bad_card",
                    say(
                        "There is no card %(card)s: month %(month)s has %(cards)s.",
                        card=token[:20],
                        month=int(month),
                        cards=held,
                    ),
                )
    if bit is None:
        raise RuleError(
            "bad_card",
            say(
                "“%(card)s” is not a card: write the month 1 to 12, then B, A, R or C, "
                "such as 1B, 9A, 11R or 12C1.",
                card=token[:20],
            ),
        )
    return bit


def bits(text: str) -> int:
    """Reads cards as bits, parted by spaces or commas; raises ``bad_card`` and ``card_twice``."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("、", " ")
    tokens = text.replace(",", " ").split()
    try:
        # A sum of powers of two has as many bits as there were powers only if all differ.
        mask = sum(map(_BIT.__getitem__, tokens))
        if mask.bit_count() == len(tokens):
            return mask
    except KeyError:
        pass
    mask = 0
    for token in tokens:
        bit = _bit_of(token)
        if mask & bit:
            raise RuleError("card_twice", say("The card %(card)s is there twice.", card=Cards(bit)))
        mask |= bit
    return mask


class Cards:
    """A set of cards, which prints in deck order and is read from almost anything."""

    __slots__ = ("mask",)

    def __init__(self, mask: int = 0) -> None:
        self.mask = mask

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Cards:
        """The set of these cards."""
        return cls(reduce(or_, (card.bit for card in cards), 0))

    @classmethod
    def parse(cls, text: str) -> Cards:
        """Reads cards parted by spaces or commas; raises ``bad_card`` and ``card_twice``."""
        return cls(bits(text))

    def __str__(self) -> str:
        two_months = zip(_NOTATION, self.mask.to_bytes(6, "little"), strict=True)
        return " ".join([texts[byte] for texts, byte in two_months if byte])

    def say(self, to: Translator, /) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            low = mask & -mask
            yield DECK[low.bit_length() - 1]
            mask ^= low

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: Card) -> bool:
        return bool(self.mask & card.bit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __or__(self, other: Cards) -> Cards:
        return Cards(self.mask | other.mask)

    def __and__(self, other: Cards) -> Cards:
        return Cards(self.mask & other.mask)

    def __sub__(self, other: Cards) -> Cards:
        return Cards(self.mask & ~other.mask)


# How the cards of each two months are written, whichever of the eight there are.
_NOTATION = tuple(
    tuple(
        " ".join(card.text for card in DECK[first : first + 8] if byte << first & card.bit)
        for byte in range(256)
    )
    for first in range(0, len(DECK), 8)
)

NOTHING = Cards()
WHOLE_DECK = Cards((1 << 48) - 1)
OF_KIND = {kind: Cards.of(card for card in DECK if card.kind is kind) for kind in Kind}
BRIGHTS, ANIMALS, RIBBONS, CHAFF = OF_KIND.values()
NAMED = WHOLE_DECK - CHAFF
WILLOW = MONTHS[10].cards
FOUR_BRIGHTS = Cards.parse("1B 3B 8B 12B")
RAIN_MAN = Cards.parse("11B")
POETRY_RIBBONS = Cards.parse("1R 2R 3R")
BLUE_RIBBONS = Cards.parse("6R 9R 10R")
WILLOW_RIBBON = Cards.parse("11R")


def earliest(drawn: Sequence[Card]) -> list[int]:
    """Who deals first when each draws a card: the places in the list of the earliest cards.

    The earliest month deals, within a month the higher kind; several places mean that these draw
    again (seed 000, "Choosing the Dealer").
    """
    order = [(card.month, list(Kind).index(card.kind)) for card in drawn]
    return [place for place, rank in enumerate(order) if rank == min(order)]
