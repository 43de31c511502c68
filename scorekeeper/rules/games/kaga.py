"""Kaga: two players, few cards with points, and whole months to collect.

Rules: Takeshi Ichinose, via Fuda Wiki, "Kaga". The letters in comments (K2, ...) number what that
text leaves open; docs/sources.md lists them.
"""

from scorekeeper.rules.cards import WILLOW, Cards
from scorekeeper.rules.game import Choice, Deal, Game, HouseRule
from scorekeeper.rules.games._common import DEALER_TIE, DRAIN, HANDS_EMPTY, MISDEAL
from scorekeeper.rules.pile import Values
from scorekeeper.rules.sentence import say
from scorekeeper.rules.settlement import Settlement, best
from scorekeeper.rules.yaku import (
    AKATAN,
    AOTAN,
    DEKIYAKU,
    KARASU,
    SHIKO,
    SHIMA,
    TESHI,
    TEYAKU,
    all_chaff,
)

VALUES = Values(
    (
        (20, Cards.parse("11B 12B")),
        (10, Cards.parse("11A")),
        (5, Cards.parse("11R 12C1 12C2 12C3")),
    )
)


def _sums(settlement: Settlement) -> list[int]:
    """Card points, teyaku and dekiyaku together."""
    tally = settlement.tally
    sums = []
    for seat, points in enumerate(tally.counted_points()):
        teyaku, dekiyaku = tally.value(TEYAKU, seat), tally.value(DEKIYAKU, seat)
        sums.append(points + teyaku + dekiyaku)
        settlement.tell(
            "score",
            say(
                "%(name)s: card points %(points)s + teyaku %(teyaku)s + dekiyaku %(dekiyaku)s = "
                "%(sum)s",
                name=tally.names[seat],
                points=points,
                teyaku=teyaku,
                dekiyaku=dekiyaku,
                sum=sums[seat],
            ),
        )
    settlement.scores = sums
    settlement.leaders = best(sums)
    return sums


def difference(settlement: Settlement) -> None:
    settlement.pairwise(_sums(settlement), say("difference"))


def winner_only(settlement: Settlement) -> None:
    gained = settlement.over(0, 1, _sums(settlement))
    for seat, amount in enumerate((gained, -gained)):
        settlement.credit(seat, max(amount, 0))


def raw(settlement: Settlement) -> None:
    for seat, own in enumerate(_sums(settlement)):
        settlement.credit(seat, own)


GAME = Game(
    key="kaga",
    name=say("Kaga"),
    kanji="加賀",
    reading="kaga",
    sentence=say("Two players; whole months, ribbons and brights count more than card points."),
    goes=(
        say("Before playing, show the teyaku you were dealt, if you like."),
        say("In turn, play a card and capture one of its month; then do so with one turned up."),
        say("Only willow and paulownia have card points; whole months bring far more."),
        say("When the round is over, card points, teyaku and dekiyaku are added up."),
    ),
    deals={2: Deal(hand=8, field=8, pile=24)},
    values=VALUES,
    forms=("captured", "points"),
    decide=difference,
    drains=False,
    pays={
        TEYAKU: say("Points, added to the score of its owner."),
        DEKIYAKU: say("Points, added to the score of its owner."),
    },
    voids=(MISDEAL,),
    yaku=(
        TESHI.worth(100, further=100, most=2),
        # Seven of the eight cards are enough (K13).
        KARASU.worth(100, sentence=say("At least seven chaff.")),
        SHIKO.worth(100),
        AKATAN.worth(100, name=say("Scarlet Ribbons"), kanji="緋", reading="hi"),
        AOTAN.worth(100),
        SHIMA.worth(20, further=20),
    ),
    house_rules=(
        HouseRule(
            "ledger",
            say("What is booked"),
            say("The higher score wins the difference; tables write it down in three ways."),
            (
                Choice(
                    value="difference",
                    label=say("the winner gains it and the loser loses it"),
                    fields={"decide": difference},
                ),
                Choice(
                    value="winner_only",
                    label=say("the winner gains it, the loser loses nothing"),
                    fields={"decide": winner_only, "zero_sum": False},
                ),
                Choice(
                    value="raw",
                    label=say("both write down their whole score"),
                    fields={"decide": raw, "zero_sum": False},
                ),
            ),
            settles=True,
        ),
        HouseRule(
            "two_teshi",
            say("Two fours of a kind in one hand"),
            say("Whether the second brings another 100."),
            (
                Choice(value="each", label=say("each counts")),
                Choice(
                    value="once",
                    label=say("100 in all"),
                    changes={TESHI.key: {"further": 0}},
                ),
            ),
        ),
        HouseRule(
            "willow_as_chaff",
            say("Willow cards in the dealt hand"),
            say("Whether willow cards count as chaff in the empty hand."),
            (
                Choice(value=False, label=say("they are what they are")),
                Choice(
                    value=True,
                    label=say("they count as chaff"),
                    changes={
                        KARASU.key: {
                            "pattern": all_chaff(7, WILLOW),
                            "sentence": say("At least seven chaff; willow cards count as chaff."),
                        }
                    },
                ),
            ),
        ),
        HouseRule(
            "two_player_end",
            say("How a round ends"),
            say("With eight cards each, eight are left in the pile when the hands are empty."),
            (HANDS_EMPTY, DRAIN),
        ),
        DEALER_TIE,
    ),
)
