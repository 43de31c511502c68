"""Bakappana: no yaku, whoever captures more card points wins.

Rules: Fuda Wiki, "Bakappana". What the tables differ in is how the points are paid.
"""

from scorekeeper.rules.game import Choice, Conflict, Game, HouseRule
from scorekeeper.rules.games._common import (
    CHAFF_VALUE,
    DEALER_TIE,
    EIGHTY_EIGHT,
    MISDEAL,
    TIE,
    TWO_PLAYER_END,
    TWO_TO_FOUR,
    needs_all_cards,
)
from scorekeeper.rules.sentence import Signed, say
from scorekeeper.rules.settlement import Settlement, best


def _compare(settlement: Settlement) -> list[int]:
    """Compares the card points, from which the next dealer is taken, too."""
    points = settlement.tally.counted_points()
    settlement.scores = points
    settlement.leaders = best(points)
    return points


def par(settlement: Settlement) -> None:
    settlement.par(_compare(settlement), say("below and above par"))


def additive(settlement: Settlement) -> None:
    for seat, points in enumerate(_compare(settlement)):
        settlement.credit(seat, points)


def makatsu(settlement: Settlement) -> None:
    settlement.most(_compare(settlement), settlement.tally.game.stake, say("most points"))


def difference(settlement: Settlement) -> None:
    settlement.pairwise(_compare(settlement), say("difference"))


def _full_tens(settlement: Settlement, counted: list[int], less: int) -> None:
    """Every full ten points bring a share from each other player."""
    shares = []
    for name, points in zip(settlement.tally.names, counted, strict=True):
        share = (points - less) // 10
        shares.append(share)
        message = (
            say(
                "%(name)s, full tens of %(points)s − %(less)s, the lowest: %(share)s",
                name=name,
                points=points,
                less=less,
                share=share,
            )
            if less
            else say(
                "%(name)s, full tens of %(points)s: %(share)s",
                name=name,
                points=points,
                share=share,
            )
        )
        settlement.tell("score", message)
    settlement.pairwise(shares, say("full tens"))
    total = sum(shares)
    for name, share, amount in zip(settlement.tally.names, shares, settlement.amounts, strict=True):
        settlement.tell(
            "score",
            say(
                "%(name)s: %(players)s × %(share)s from the others − %(others)s to them = "
                "%(amount)s",
                name=name,
                players=len(shares) - 1,
                share=share,
                others=total - share,
                amount=Signed(amount),
            ),
        )


def floor_each(settlement: Settlement) -> None:
    _full_tens(settlement, _compare(settlement), 0)


def subtract_lowest(settlement: Settlement) -> None:
    # The parenthesis of the rule, which calls it a simplification; yet the sums differ.
    points = _compare(settlement)
    _full_tens(settlement, points, min(points))


def pairwise(settlement: Settlement) -> None:
    points = _compare(settlement)
    names = settlement.tally.names
    for to in settlement.tally.seats:
        for payer in range(to):
            if points[to] == points[payer]:
                settlement.over(to, payer, points)  # says so
                continue
            high, low = (to, payer) if points[to] > points[payer] else (payer, to)
            share = (points[high] - points[low]) // 10
            settlement.tell(
                "score",
                say(
                    "%(high)s over %(low)s, full tens of %(more)s − %(less)s: %(share)s",
                    high=names[high],
                    low=names[low],
                    more=points[high],
                    less=points[low],
                    share=share,
                ),
            )
            settlement.pay(low, high, share, say("full tens between the two"))


SANJU_METHODS = {
    "floor_each": floor_each,
    "subtract_lowest": subtract_lowest,
    "pairwise": pairwise,
}


def sanju_sen_me(settlement: Settlement) -> None:
    SANJU_METHODS[settlement.tally.rules["sanju_method"]](settlement)


GAME = Game(
    key="bakappana",
    name=say("Bakappana"),
    kanji="馬鹿っ花",
    reading="bakappana",
    sentence=say("The simplest game: no yaku, every captured card counts."),
    goes=(
        say(
            "In turn, play a card and capture a card of its month from the field, if there is one."
        ),
        say("Then turn up a card from the pile and do the same with it."),
        say("When the round is over, everyone counts the card points they captured."),
        say("Whoever has the most deals next."),
    ),
    deals=TWO_TO_FOUR,
    values=EIGHTY_EIGHT,
    forms=("counts", "captured", "points"),
    decide=par,
    voids=(MISDEAL,),
    house_rules=(
        HouseRule(
            "settlement",
            say("How the points are paid"),
            say("What the card points of a round are turned into."),
            (
                Choice(
                    value="par",
                    label=say("par: what you have above or below the average"),
                    fields={"decide": par},
                ),
                Choice(
                    value="additive",
                    label=say("additive: your points are your score"),
                    fields={"decide": additive, "zero_sum": False},
                ),
                Choice(
                    value="makatsu",
                    label=say("Makatsu: the most points get one share from each other player"),
                    fields={"decide": makatsu, "unit": "shares"},
                ),
                Choice(
                    value="sanju-sen-me",
                    label=say("Sanju-Sen-Me: ten points bring a share from each other player"),
                    fields={"decide": sanju_sen_me, "unit": "shares"},
                ),
                Choice(
                    value="difference",
                    label=say("difference: of two players the lower pays the difference"),
                    fields={"decide": difference},
                ),
            ),
            settles=True,
        ),
        CHAFF_VALUE,
        HouseRule(
            "sanju_method",
            say("Rounding in Sanju-Sen-Me"),
            say("Only full tens are paid, and it matters what is rounded."),
            (
                Choice(value="floor_each", label=say("the full tens of each player’s points")),
                Choice(
                    value="subtract_lowest",
                    label=say("the shortcut: take the lowest off first, then the full tens"),
                ),
                Choice(
                    value="pairwise",
                    label=say("between each two players, the full tens of their difference"),
                ),
            ),
            settles=True,
        ),
        TWO_PLAYER_END,
        TIE,
        DEALER_TIE,
    ),
    conflicts=(
        Conflict(
            {"settlement": "difference"},
            say("The difference is paid between two players only."),
            players=(3, 4),
        ),
        needs_all_cards("par"),
    ),
)
