"""Yokohama-bana: three players, shares instead of points, and dekiyaku that end the round.

Rules: Takeshi Ichinose, via Fuda Wiki, "Yokohama-bana". The letters in comments (Y5, ...) number
what that text leaves open; docs/sources.md lists them.
"""

from scorekeeper.rules.cards import RIBBONS, WILLOW
from scorekeeper.rules.game import MUST_STOP, Choice, Conflict, Game, HouseRule
from scorekeeper.rules.games._common import DEALER_TIE, EIGHTY_EIGHT, MISDEAL, THREE_PLAYERS, TIE
from scorekeeper.rules.sentence import Sum, say
from scorekeeper.rules.settlement import Settlement, best
from scorekeeper.rules.yaku import (
    AKA,
    AKATAN,
    AOTAN,
    DEKIYAKU,
    HANEKEN,
    KARASU,
    KUTTSUKI,
    PIKAICHI,
    SANBON,
    SHIKO,
    SPECIAL,
    SUJUSHI,
    TANICHI,
    TESHI,
    TEYAKU,
    TOICHI,
    WILLOW_HANDS,
    Yaku,
    chaff_at_least,
    chaff_with,
    points_at_most,
    triplets,
)

FUKE = Yaku(
    "fuke",
    SPECIAL,
    say("Dandruff"),
    "フケ役",
    "fukeyaku",
    say("At most fifteen card points; each willow card counts as one."),
    points_at_most(15, EIGHTY_EIGHT, willow=1),
)


def _pay_yaku(settlement: Settlement, kind: str, seat: int) -> None:
    for formed in settlement.tally.paid(kind, seat):
        settlement.from_each(seat, formed.value, formed.yaku.name)


def decide(settlement: Settlement) -> None:
    tally = settlement.tally
    special = tally.game.by_kind[SPECIAL]
    if tally.stopper is not None:
        # Teyaku are settled during card point scoring, so here they never are.
        tally.void(TEYAKU, say("a dekiyaku ended the round"))
        settlement.stopped(tally.stopper)
        _pay_yaku(settlement, DEKIYAKU, tally.stopper)
        return
    if tally.find_special(special):
        tally.void(TEYAKU, say("a special yaku settles the round"))
        if tally.rules["special_conflict"] == "chaff_first":
            _chaff_first(settlement)
        for seat in tally.seats:
            _pay_yaku(settlement, SPECIAL, seat)
    else:
        settlement.most(_adjusted(settlement), tally.game.stake, say("most points"))
    for seat in tally.seats:
        _pay_yaku(settlement, DEKIYAKU, seat)
    settlement.leaders = best(settlement.amounts)


def _chaff_first(settlement: Settlement) -> None:
    """With fourteen chaff about, nobody else is paid for dandruff (Y12)."""
    tally = settlement.tally
    owner = next(
        (
            (seat, formed.yaku)
            for seat in tally.seats
            for formed in tally.yaku[SPECIAL][seat]
            if formed.yaku.key == SUJUSHI.key
        ),
        None,
    )
    if owner is not None:
        seat, sujushi = owner
        others = [other for other in tally.seats if other != seat]
        why = say("%(name)s has %(yaku)s", name=tally.names[seat], yaku=sujushi)
        tally.void(SPECIAL, why, others)


def _adjusted(settlement: Settlement) -> list[int]:
    """Card points after everyone has received their teyaku from each other player."""
    tally = settlement.tally
    teyaku = [tally.value(TEYAKU, seat) for seat in tally.seats]
    if not any(teyaku):
        settlement.scores = tally.counted_points()
        settlement.tell("score", say("No teyaku: the card points decide."))
        return tally.counted_points()
    adjusted = []
    for seat, points in enumerate(tally.counted_points()):
        others = sum(teyaku) - teyaku[seat]
        adjusted.append(points + teyaku[seat] * (len(teyaku) - 1) - others)
        settlement.tell(
            "score",
            say(
                "%(name)s: %(points)s + %(players)s × %(own)s − %(others)s = %(adjusted)s",
                name=tally.names[seat],
                points=points,
                players=len(teyaku) - 1,
                own=teyaku[seat],
                others=others,
                adjusted=adjusted[seat],
            ),
        )
    settlement.tell(
        "score",
        say(
            "Teyaku only move points: %(sum)s = %(total)s",
            sum=Sum(adjusted),
            total=sum(adjusted),
        ),
    )
    settlement.scores = adjusted
    return adjusted


_SHOW = say("Before playing, show the teyaku you were dealt, if you like.")
_MOST = say("Without any, the most card points win, after everyone has paid the teyaku.")

GAME = Game(
    key="yokohama-bana",
    name=say("Yokohama-bana"),
    kanji="横浜花",
    reading="yokohama-bana",
    sentence=say("Three players pay in shares; a dekiyaku ends the round at once."),
    goes=(
        _SHOW,
        say("Whoever forms a dekiyaku by capturing ends the round and is paid for it."),
        say("Otherwise, when hands and pile are empty, special yaku are paid."),
        _MOST,
    ),
    deals=THREE_PLAYERS,
    values=EIGHTY_EIGHT,
    forms=("counts", "captured", "points"),
    decide=decide,
    unit="shares",
    ending=MUST_STOP,
    pays={
        TEYAKU: say("Card points, which each other player gives up to its owner."),
        DEKIYAKU: say("Shares from each other player."),
        SPECIAL: say("Shares from each other player."),
    },
    voids=(
        MISDEAL,
        say("A dekiyaku ends the round: teyaku, card points and special yaku are void."),
        say("A special yaku is paid: teyaku and card points are void."),
    ),
    yaku=(
        # Strongest first: where a house rule makes two worth the same, the hand is called by
        # the rarer one.
        TESHI.worth(50, group="A"),
        HANEKEN.worth(50, group="A"),
        KUTTSUKI.worth(40, group="A"),
        # Two triplets count once (Y5: "the single most valuable teyaku in each group").
        SANBON.worth(20, group="A", pattern=triplets, most=2),
        # "All Willow cards are considered Chaff" in these.
        AKA.worth(20, group="B", **WILLOW_HANDS[AKA.key]),
        TANICHI.worth(20, group="B", **WILLOW_HANDS[TANICHI.key]),
        TOICHI.worth(20, group="B", **WILLOW_HANDS[TOICHI.key]),
        PIKAICHI.worth(30, group="B", **WILLOW_HANDS[PIKAICHI.key]),
        KARASU.worth(40, group="B", **WILLOW_HANDS[KARASU.key]),
        SHIKO.worth(4),
        AKATAN.worth(2),
        AOTAN.worth(2),
        SUJUSHI.worth(4),
        FUKE.worth(2),
    ),
    house_rules=(
        HouseRule(
            "aka",
            say("Red (aka)"),
            say("How many ribbons make the teyaku of ribbons and chaff."),
            (
                Choice(value="two_or_more", label=say("two ribbons or more")),
                Choice(
                    value="exactly_two",
                    label=say("exactly two ribbons"),
                    changes={
                        AKA.key: {
                            "pattern": chaff_with(RIBBONS, 2, 2, WILLOW),
                            "sentence": say(
                                "Two ribbons and otherwise chaff; willow cards count as chaff."
                            ),
                        }
                    },
                ),
            ),
        ),
        HouseRule(
            "teshi_haneken",
            say("Four of a Kind, and Triplet and Two Pairs"),
            say("What the two best teyaku are worth."),
            (
                Choice(value=50, label=say("50 points")),
                Choice(
                    value=40,
                    label=say("40 points"),
                    changes={TESHI.key: {"first": 40}, HANEKEN.key: {"first": 40}},
                ),
            ),
        ),
        HouseRule(
            "two_triplets",
            say("Two triplets in one hand"),
            say("Whether the second triplet brings anything."),
            (
                Choice(value="one", label=say("count once (20)")),
                Choice(
                    value="add",
                    label=say("count twice (40)"),
                    changes={SANBON.key: {"further": 20}},
                ),
            ),
        ),
        HouseRule(
            "dekiyaku_multi",
            say("Several dekiyaku at once"),
            say("What a player is paid who completes two in one turn."),
            (
                Choice(value="add", label=say("they add up")),
                Choice(value="best", label=say("the best alone"), best_alone=frozenset({DEKIYAKU})),
            ),
            settles=True,
        ),
        HouseRule(
            "after_dekiyaku",
            say("After a dekiyaku"),
            say("Whether the round ends when a dekiyaku is formed."),
            (
                Choice(value="stop", label=say("the round ends at once")),
                Choice(
                    value="play_on",
                    label=say("it is paid, and the round is played out and counted"),
                    fields={
                        "ending": None,
                        "goes": (
                            _SHOW,
                            say("A dekiyaku is paid when the round is over, and ends nothing."),
                            say("When hands and pile are empty, special yaku are paid."),
                            _MOST,
                        ),
                        "voids": (
                            MISDEAL,
                            say("A special yaku is paid: teyaku and card points are void."),
                        ),
                    },
                ),
            ),
        ),
        HouseRule(
            "chaff_needed",
            say("Chaff for the chaff yaku"),
            say("How many chaff make the special yaku, willow cards included."),
            (
                Choice(value=14, label=say("fourteen")),
                Choice(
                    value=16,
                    label=say("sixteen"),
                    changes={
                        SUJUSHI.key: {
                            "pattern": chaff_at_least(16, WILLOW),
                            "name": say("Sixteen Chaff"),
                            "kanji": "素十六",
                            "reading": "sujūroku",
                            "sentence": say(
                                "At least sixteen chaff; all willow cards count as chaff."
                            ),
                        }
                    },
                ),
            ),
        ),
        HouseRule(
            "fuke_willow",
            say("Willow cards in Dandruff"),
            say("What a captured willow card counts towards the fifteen points."),
            (
                Choice(value="chaff", label=say("1 point, like chaff")),
                Choice(
                    value="face",
                    label=say("its own value"),
                    changes={
                        FUKE.key: {
                            "pattern": points_at_most(15, EIGHTY_EIGHT, willow=None),
                            "sentence": say("At most fifteen card points."),
                        }
                    },
                ),
                Choice(
                    value="ignore",
                    label=say("nothing"),
                    changes={
                        FUKE.key: {
                            "pattern": points_at_most(15, EIGHTY_EIGHT, willow=0),
                            "sentence": say("At most fifteen card points, willow cards aside."),
                        }
                    },
                ),
            ),
        ),
        HouseRule(
            "special_multi",
            say("Both special yaku in one pile"),
            say("What a player is paid who has the chaff and the dandruff."),
            (
                Choice(value="add", label=say("they add up")),
                Choice(value="best", label=say("the best alone"), best_alone=frozenset({SPECIAL})),
            ),
            settles=True,
        ),
        HouseRule(
            "special_conflict",
            say("Special yaku of several players"),
            say("Whether dandruff is paid when another player has the chaff yaku."),
            (
                Choice(value="net", label=say("all are paid")),
                Choice(
                    value="chaff_first",
                    label=say("the chaff yaku comes first, the dandruff of others is not paid"),
                    voids=(say("Somebody has the chaff yaku: the dandruff of others is void."),),
                ),
            ),
            settles=True,
        ),
        HouseRule(
            "stakes",
            say("Stakes"),
            say("Shares for most points; ribbons and dandruff; four brights and the chaff yaku."),
            (
                Choice(value="1-2-4", label=say("1, 2 and 4")),
                Choice(
                    value="2-4-6",
                    label=say("2, 4 and 6"),
                    changes={
                        SHIKO.key: {"first": 6},
                        AKATAN.key: {"first": 4},
                        AOTAN.key: {"first": 4},
                        SUJUSHI.key: {"first": 6},
                        FUKE.key: {"first": 4},
                    },
                    fields={"stake": 2},
                ),
            ),
            settles=True,
        ),
        TIE,
        DEALER_TIE,
    ),
    conflicts=(
        Conflict(
            {"after_dekiyaku": "play_on"},
            say("At this table a dekiyaku does not end the round: it is played out and counted."),
            end="stopped",
        ),
    ),
)
