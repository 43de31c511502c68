"""Rounds beside each other: what each says of every thing, and where they differ.

What is compared is what rounds come to, not how they were entered: a pile that was left as the rest
of the deck is the same as one that was counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.ledger.book import Naming
from scorekeeper.ledger.past import Round
from scorekeeper.rules.cards import Cards, Kind
from scorekeeper.rules.document import read
from scorekeeper.rules.game import Game
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.sentence import Name, Sayable, Sentence, say
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU


@dataclass(frozen=True)
class Row:
    """One thing that rounds are compared by: what each side says of it, None where nothing.

    `player` is None for what is the table's. `label` is None for the amount that a player gets,
    whose values are whole numbers; None there is for who does not play.
    """

    player: int | None
    label: Sayable | None
    values: tuple[Any, ...]
    differs: bool


class _Told:
    """A round taken apart, so that it can stand beside others."""

    def __init__(self, people: Naming, played: Round) -> None:
        self.played, self.report = played, read(played.entry)
        self.seats = dict(zip(played.players, self.report.seats, strict=True))
        self.results = dict(zip(played.players, played.result["seats"], strict=True))
        # With the pile that is the rest of the deck, where these rules still count it so.
        result = people.explained(played)
        piles = result.tally.piles if result else [seat.pile for seat in self.report.seats]
        self.piles = dict(zip(played.players, piles, strict=True))

    def multiplier(self) -> Sentence | None:
        multiplier = self.played.result["multiplier"]
        return say("× %(multiplier)s", multiplier=multiplier) if multiplier > 1 else None

    def decision(self, people: Naming) -> Sentence | Name | None:
        players = self.played.players
        match self.report.decision:
            case "nobody":
                return say("nobody")
            case "each":
                return say("each of them")
            # Where there was no tie, nobody has looked at it.
            case int(seat) if 0 <= seat < len(players):
                return Name(people.name_of(players[seat]))
        return None

    def points(self, player: int) -> int | None:
        points: int | None = self.results[player]["card_points"] if player in self.results else None
        return points

    def hand(self, player: int) -> Cards | None:
        hand = self.seats[player].hand if player in self.seats else None
        return None if hand is None else hand.known

    def yaku(self, kind: str, player: int) -> list[Sentence] | None:
        formed = self.results[player][kind] if player in self.results else []
        return _yaku(self.report.game, formed) or None

    def continued(self, player: int) -> Sentence | None:
        return say("yes") if player in self.seats and self.seats[player].continued else None


def ending(people: Naming, played: Round) -> Sentence:
    """How a round ended."""
    if played.void:
        return say("no result")
    if played.entry.get("end") != "stopped":
        return say("played out")
    stopper = played.players[played.entry["stopped_by"]]
    return say("ended by %(name)s", name=Name(people.name_of(stopper)))


def compare(people: Naming, rounds: Sequence[Round]) -> Iterator[Row]:
    """What rounds say, the table's first and then player by player, as far as any says it."""
    told = [_Told(people, played) for played in rounds]
    rows = _of_table(people, told)
    for player in sorted({player for one in told for player in one.seats}):
        rows += _of_player(player, told)
    return (row for row in rows if any(value is not None for value in row.values))


def _row(player: int | None, label: Sayable | None, values: Iterable[Any]) -> Row:
    row = tuple(values)
    # One that stands alone differs from nothing.
    return Row(player, label, row, row[-1:] != row[-2:-1])


def _of_table(people: Naming, told: Sequence[_Told]) -> list[Row]:
    dealers = [Name(people.name_of(one.played.dealer)) for one in told]
    return [
        _row(None, say("Dealer"), dealers),
        _row(None, say("How it ended"), [ending(people, one.played) for one in told]),
        _row(None, say("Opening field"), [one.report.field or None for one in told]),
        _row(None, say("Multiplier"), [one.multiplier() for one in told]),
        _row(None, say("Tie"), [one.decision(people) for one in told]),
    ]


def _of_player(player: int, told: Sequence[_Told]) -> list[Row]:
    hands = [one.hand(player) for one in told]
    return [
        _row(player, None, [one.played.amounts.get(player) for one in told]),
        _row(player, say("card points"), [one.points(player) for one in told]),
        *_of_piles(player, [one.piles.get(player) for one in told]),
        _row(player, say("Dealt hand"), _apart(hands)),
        *(
            _row(player, label, [one.yaku(kind, player) for one in told])
            for kind, label in _YAKU.items()
        ),
        _row(player, say("Played on"), [one.continued(player) for one in told]),
    ]


_YAKU = {
    TEYAKU: say("Teyaku"),
    DEKIYAKU: say("Dekiyaku"),
    SPECIAL: say("Special yaku"),
}


def _of_piles(player: int, piles: Sequence[Pile | None]) -> Iterator[Row]:
    """A player's piles: by their cards, or as many of each kind as there are.

    As far as the last two can be compared; cards that both have are told by their number alone.
    """
    pair = piles[-2:]
    kinds: tuple[Kind, ...] = tuple(Kind)
    if all(pile is not None and pile.named is not None for pile in pair):
        whole = all(pile is not None and pile.cards is not None for pile in pair)
        kinds = () if whole else (Kind.CHAFF,)
        held = [_held(pile, whole) for pile in piles]
        cards = _row(player, say("Cards"), _apart(held))
        if not cards.differs or len(pair) == 1:
            sizes = [None if one is None else len(one) for one in held]
            cards = replace(cards, values=tuple(sizes))
        yield cards
    for kind in kinds:
        counts = _row(player, kind, [_count(pile, kind) for pile in piles])
        # Of a pile of which only the points are known, those are compared.
        comparable = len(pair) == 1 or None not in counts.values[-2:]
        yield replace(counts, differs=counts.differs and comparable)


def _held(pile: Pile | None, whole: bool) -> Cards | None:
    """The cards of a pile, but for its chaff where not the whole of it is compared."""
    mask = None if pile is None else pile.cards if whole else pile.named
    return None if mask is None else Cards(mask)


def _apart(cards: Sequence[Cards | None]) -> list[Cards | None]:
    """Of cards that the last two both have there is no need to speak."""
    both = cards[-1], cards[-2] if len(cards) > 1 else None
    if both[0] is None or both[1] is None or both[0] == both[1]:
        return list(cards)
    apart = (both[0] | both[1]) - (both[0] & both[1])
    return [None if one is None else (one & apart) or None for one in cards]


def _count(pile: Pile | None, kind: Kind) -> int | None:
    counts = None if pile is None else pile.counts
    return None if counts is None else dict(zip(Kind, counts, strict=True))[kind]


def _yaku(game: Game, formed: list[Mapping[str, Any]]) -> list[Sentence]:
    called = {yaku.key: yaku for yaku in game.yaku}
    return [
        say("%(yaku)s (%(value)s)", yaku=called[one["key"]], value=one["value"]) for one in formed
    ]


def same_round(one: Round, other: Round) -> bool:
    """Whether two rounds come to the same: to the same amounts, from the same piles and yaku.

    By which form the piles were entered makes no difference, nor whether points that decide
    nothing were entered at all.
    """
    return _substance(one) == _substance(other) and all(
        None in points or len(points) == 1
        for points in ({_points(one)[player], _points(other)[player]} for player in one.players)
    )


def _points(played: Round) -> dict[int, int | None]:
    seats = zip(played.players, played.result["seats"], strict=True)
    return {player: seat["card_points"] for player, seat in seats}


def _substance(played: Round) -> tuple[Any, ...]:
    entry, result = played.entry, played.result
    stopper = played.players[entry["stopped_by"]] if entry.get("end") == "stopped" else None
    yaku = {
        player: [[(one["key"], one["value"]) for one in seat[kind]] for kind in CLASSES]
        for player, seat in zip(played.players, result["seats"], strict=True)
    }
    return (
        played.amounts, yaku, played.dealer, played.next_dealer, entry.get("end", "counted"),
        stopper, result["multiplier"], list(result["carry"]),
    )  # fmt: skip
