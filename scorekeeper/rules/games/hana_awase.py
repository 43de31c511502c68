"""Hana-Awase: Bakappana with yaku, which every other player pays when the round is over.

Rules: Fuda Wiki, "Hana-Awase"; the other values are Japanese Wikipedia's, 「花合わせ」. A yaku ends
nothing: all are counted at the end, when the whole deck is captured.
"""

from scorekeeper.rules.cards import BRIGHTS, MONTHS, RAIN_MAN, RIBBONS, WILLOW_RIBBON, Cards
from scorekeeper.rules.game import Choice, Game, HouseRule
from scorekeeper.rules.games._common import (
    CHAFF_VALUE,
    DEALER_TIE,
    EIGHTY_EIGHT,
    MISDEAL,
    TWO_PLAYER_END,
    TWO_TO_FOUR,
    needs_all_cards,
)
from scorekeeper.rules.sentence import RuleError, Sentence, Signed, say
from scorekeeper.rules.settlement import Settlement
from scorekeeper.rules.yaku import (
    AKATAN,
    AOTAN,
    DEKIYAKU,
    NANATAN,
    SHIKO,
    Yaku,
    holds,
    holds_any,
    holds_without,
)

FUKE_LIMIT = 20
"""Card points of a pile that void the round, where the table plays dandruff."""

FEW_CARDS = (8, 8, 10)
"""How few cards are paid for: the dealer, the second, and the third, who is the dealer's left."""

FEW_CARDS_PRICE = 30


def _set(
    key: str, name: Sentence, kanji: str, reading: str, sentence: Sentence, cards: str | Cards
) -> Yaku:
    """A yaku of certain cards, all of which it takes."""
    held = Cards.parse(cards) if isinstance(cards, str) else cards
    return Yaku(key, DEKIYAKU, name, kanji, reading, sentence, holds(held), held, alone=True)


GOKO = _set(
    "goko", say("Five Brights"), "五光", "gokō",
    say("All five brights."), BRIGHTS,
)  # fmt: skip
OMOTE_SUGAWARA = _set(
    "omote-sugawara", say("Pine, Plum and Cherry"), "表菅原", "omote-sugawara",
    say("The best cards of the first three months: crane, bush warbler and curtain."), "1B 2A 3B",
)  # fmt: skip
MATSU_KIRI_BOZU = _set(
    "matsu-kiri-bozu", say("Pine, Paulownia and Moon"), "松桐坊主", "matsu-kiri-bōzu",
    say("Crane, phoenix and moon."), "1B 8B 12B",
)  # fmt: skip
ROKUTAN = Yaku(
    "rokutan", DEKIYAKU, say("Six Ribbons"), "六短", "rokutan",
    say("Six ribbons; the willow ribbon does not count."),
    holds_any(6, RIBBONS - WILLOW_RIBBON), RIBBONS - WILLOW_RIBBON, needed=6, alone=True,
)  # fmt: skip
KUSATAN = _set(
    "kusatan", say("Grass Ribbons"), "草短", "kusatan",
    say("The three plain ribbons of wisteria, iris and bush clover."), "4R 5R 7R",
)  # fmt: skip
INOSHIKACHO = _set(
    "inoshikacho", say("Boar, Deer, Butterflies"), "猪鹿蝶", "inoshikachō",
    say("The animals of bush clover, maple and peony."), "6A 7A 10A",
)  # fmt: skip
NOMI = _set(
    "nomi", say("Drinking"), "飲み", "nomi",
    say("Sake cup, curtain and moon."), "3B 8B 9A",
)  # fmt: skip
HANAMI = _set(
    "hanami", say("Flower Viewing"), "花見", "hanami",
    say("Sake cup and curtain."), "3B 9A",
)  # fmt: skip
TSUKIMI = _set(
    "tsukimi", say("Moon Viewing"), "月見", "tsukimi",
    say("Sake cup and moon."), "8B 9A",
)  # fmt: skip
FUJISHIMA = _set(
    "fujishima", say("Wisteria Row"), "藤シマ", "fujishima",
    say("All four wisteria cards."), MONTHS[3].cards,
)  # fmt: skip
KIRISHIMA = _set(
    "kirishima", say("Paulownia Row"), "桐シマ", "kirishima",
    say("All four paulownia cards."), MONTHS[11].cards,
)  # fmt: skip
AMESHIMA = _set(
    "ameshima", say("Willow Row"), "雨シマ", "ameshima",
    say("All four willow cards."), MONTHS[10].cards,
)  # fmt: skip


# --- What a round pays --------------------------------------------------------------------------


def zero_sum(settlement: Settlement) -> None:
    if _is_void(settlement):
        return
    tally = settlement.tally
    differences = settlement.par(tally.counted_points(), say("below and above par"))
    for seat in tally.seats:
        for formed in tally.paid(DEKIYAKU, seat):
            settlement.from_each(seat, formed.value, formed.yaku.name)
    if tally.anybody(DEKIYAKU):
        yaku = [tally.value(DEKIYAKU, seat) for seat in tally.seats]
        for seat, name in enumerate(tally.names):
            settlement.tell(
                "score",
                say(
                    "%(name)s: %(difference)s + %(players)s × yaku %(own)s − yaku of others "
                    "%(others)s = %(score)s",
                    name=name,
                    difference=Signed(differences[seat]),
                    players=len(yaku) - 1,
                    own=yaku[seat],
                    others=sum(yaku) - yaku[seat],
                    score=Signed(settlement.amounts[seat]),
                ),
            )
    _few_cards(settlement)


def additive(settlement: Settlement) -> None:
    if _is_void(settlement):
        return
    tally = settlement.tally
    for seat, points in enumerate(tally.counted_points()):
        yaku = tally.value(DEKIYAKU, seat)
        settlement.credit(seat, points + yaku)
        settlement.tell(
            "score",
            say(
                "%(name)s: card points %(points)s + yaku %(yaku)s = %(sum)s",
                name=tally.names[seat],
                points=points,
                yaku=yaku,
                sum=points + yaku,
            ),
        )
    _few_cards(settlement)


def _is_void(settlement: Settlement) -> bool:
    """Whether dandruff voids the round; else voids the yaku that the willow row cancels."""
    tally = settlement.tally
    settlement.scores = settlement.amounts
    if tally.rules["fuke"] == "on":
        for name, points in zip(tally.names, tally.counted_points(), strict=True):
            if points <= FUKE_LIMIT:
                settlement.call_off(
                    say(
                        "the card points of %(name)s are only %(points)s, %(limit)s or fewer",
                        name=name,
                        points=points,
                        limit=FUKE_LIMIT,
                    )
                )
                return True
    if tally.rules["willow_row"] == "cancels":
        for seat in tally.seats:
            if any(formed.yaku.key == AMESHIMA.key for formed in tally.paid(DEKIYAKU, seat)):
                why = say("%(name)s has all four willow cards", name=tally.names[seat])
                tally.void(DEKIYAKU, why)
    return False


def _few_cards(settlement: Settlement) -> None:
    """Pays players who captured few cards, of three players, where the table plays that."""
    tally = settlement.tally
    if tally.rules["few_cards"] == "off" or len(tally.names) != len(FEW_CARDS):
        return
    for seat, limit in zip(tally.round_the_table(tally.seats), FEW_CARDS, strict=True):
        pile = tally.piles[seat]
        size = None if pile is None else pile.size()
        if size is None:
            raise RuleError(
                "needs_counts",
                say("How many cards did %(name)s capture?", name=tally.names[seat]),
                seat,
                "counts",
            )
        if size <= limit:
            settlement.tell(
                "score",
                say(
                    "%(name)s captured %(size)s cards, %(limit)s or fewer: %(price)s from each "
                    "other player",
                    name=tally.names[seat],
                    size=size,
                    limit=limit,
                    price=FEW_CARDS_PRICE,
                ),
            )
            settlement.from_each(seat, FEW_CARDS_PRICE, say("few cards"))


GAME = Game(
    key="hana-awase",
    name=say("Hana-Awase"),
    kanji="花合わせ",
    reading="hana-awase",
    sentence=say("Two to four players; card points and yaku, which everyone else pays."),
    goes=(
        say("Forming a yaku ends nothing: every round is played out."),
        say("Then everyone counts the card points of what they captured, and looks for yaku."),
        say("Card points and yaku are paid as the house rules say, and the best score deals next."),
    ),
    deals=TWO_TO_FOUR,
    values=EIGHTY_EIGHT,
    forms=("captured", "counts", "points"),
    decide=zero_sum,
    pays={DEKIYAKU: say("Points from each other player.")},
    voids=(MISDEAL,),
    yaku=(
        GOKO.worth(100, group="brights"),
        SHIKO.worth(60, group="brights"),
        OMOTE_SUGAWARA.worth(30, group="brights"),
        MATSU_KIRI_BOZU.worth(20, group="brights"),
        NANATAN.worth(40, group="ribbons"),
        ROKUTAN.worth(30, group="ribbons"),
        AKATAN.worth(40),
        AOTAN.worth(40),
        KUSATAN.worth(20),
        INOSHIKACHO.worth(20),
        NOMI.worth(40, group="viewings"),
        HANAMI.worth(20, group="viewings"),
        TSUKIMI.worth(20, group="viewings"),
        FUJISHIMA.worth(10),
        KIRISHIMA.worth(10),
        AMESHIMA.worth(10),
    ),
    house_rules=(
        HouseRule(
            "settlement",
            say("How the points are paid"),
            say("What the card points and yaku of a round are turned into."),
            (
                Choice(
                    value="zero_sum",
                    label=say("points above and below the average, and each other pays the yaku"),
                ),
                Choice(
                    value="additive",
                    label=say("your points and your yaku are your score"),
                    fields={
                        "decide": additive,
                        "zero_sum": False,
                        "pays": {DEKIYAKU: say("Points for its owner.")},
                    },
                ),
            ),
            settles=True,
        ),
        CHAFF_VALUE,
        HouseRule(
            "values",
            say("What the yaku are worth"),
            say("Two tables of values are about, and differ in four yaku."),
            (
                Choice(
                    value="fuda_wiki",
                    label=say("five brights 100, drinking 40, wisteria and paulownia rows 10"),
                ),
                Choice(
                    value="ja_wikipedia",
                    label=say("five brights 200, drinking 30, wisteria and paulownia rows 20"),
                    changes={
                        GOKO.key: {"first": 200},
                        NOMI.key: {"first": 30},
                        FUJISHIMA.key: {"first": 20},
                        KIRISHIMA.key: {"first": 20},
                    },
                ),
            ),
            settles=True,
        ),
        TWO_PLAYER_END,
        HouseRule(
            "fuke",
            say("Dandruff (fuke)"),
            say("A pile of 20 card points or less may void the round."),
            (
                Choice(value="off", label=say("not played")),
                Choice(
                    value="on",
                    label=say("the round is void for all, and the dealer deals again"),
                    voids=(say("Somebody has 20 card points or less: nobody books anything."),),
                ),
            ),
        ),
        HouseRule(
            "few_cards",
            say("Few cards"),
            say(
                "Of three players, the dealer and the second with eight cards or fewer, and the "
                "third with ten or fewer, may be paid 30 from each."
            ),
            (Choice(value="off", label=say("not played")), Choice(value="on", label=say("played"))),
            settles=True,
        ),
        HouseRule(
            "rain_cancels_viewings",
            say("Rain and viewings"),
            say("Whether a player who has captured the rain man can have a viewing or a drinking."),
            (
                Choice(value=False, label=say("yes")),
                Choice(
                    value=True,
                    label=say("no: it rained"),
                    changes={
                        NOMI.key: {
                            "pattern": holds_without(NOMI.cards, RAIN_MAN),
                            "sentence": say("Sake cup, curtain and moon, without the rain man."),
                        },
                        HANAMI.key: {
                            "pattern": holds_without(HANAMI.cards, RAIN_MAN),
                            "sentence": say("Sake cup and curtain, without the rain man."),
                        },
                        TSUKIMI.key: {
                            "pattern": holds_without(TSUKIMI.cards, RAIN_MAN),
                            "sentence": say("Sake cup and moon, without the rain man."),
                        },
                    },
                    voids=(say("Whoever has the rain man has no viewing and no drinking."),),
                ),
            ),
        ),
        HouseRule(
            "willow_row",
            say("Willow row"),
            say("All four willow cards in one pile are a yaku, or spoil everybody's."),
            (
                Choice(value=10, label=say("it is worth 10")),
                Choice(
                    value="cancels",
                    label=say("it cancels the yaku of all players"),
                    changes={
                        AMESHIMA.key: {
                            "first": 0,
                            "sentence": say("All four willow cards; they cancel all yaku."),
                        }
                    },
                    voids=(say("Somebody has all four willow cards: no yaku of anybody is paid."),),
                ),
            ),
        ),
        DEALER_TIE,
    ),
    conflicts=(needs_all_cards("zero_sum"),),
)
