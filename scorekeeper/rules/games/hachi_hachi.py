"""Hachi-Hachi, as one publisher sells it: three players, points that are multiplied by the field.

Rules: the publisher's text; what it leaves open follows Fuda Wiki, "Hachi-Hachi", where a house
rule asks for it. The letters in comments (H2, ...) number what the text leaves open;
docs/sources.md lists them.
"""

from scorekeeper.rules.cards import WILLOW
from scorekeeper.rules.game import MAY_STOP, Choice, Conflict, Game, HouseRule
from scorekeeper.rules.games._common import DEALER_TIE, EIGHTY_EIGHT, MISDEAL, THREE_PLAYERS
from scorekeeper.rules.sentence import Sentence, Signed, say
from scorekeeper.rules.settlement import Settlement
from scorekeeper.rules.yaku import (
    AKA,
    AKATAN,
    ALL_88,
    AOTAN,
    DEKIYAKU,
    FUTASANBON,
    FUTATATESANBON,
    HANEKEN,
    ICHINISHI,
    KARASU,
    KASU_16,
    KUTTSUKI,
    NANATAN,
    OVER_168,
    PIKAICHI,
    SANBON,
    SANBON_TATESANBON,
    SHIKO,
    SHISO,
    SPECIAL,
    TANICHI,
    TATESANBON,
    TESHI,
    TEYAKU,
    TOICHI,
    WILLOW_HANDS,
    chaff_at_least,
    chaff_beyond,
)

PAR = 88

TAN = AKA.worth(20, key="tan", name=say("Ribbons"), kanji="短", reading="tan", group="B")


def decide(settlement: Settlement) -> None:
    tally = settlement.tally
    if tally.stopper is not None:
        _ended(settlement, tally.stopper)
    elif tally.anybody(DEKIYAKU):
        settlement.tell("end", _UNENDED)
        for seat in tally.seats:
            _award(settlement, seat, tally.value(TEYAKU, seat), _TEYAKU)
            dekiyaku = tally.value(DEKIYAKU, seat)
            half = say("%(value)s ÷ 2", value=dekiyaku)
            _award(settlement, seat, dekiyaku // 2, _HALF, counted=half)
    elif not _special(settlement):
        for seat in tally.seats:
            _award(settlement, seat, tally.value(TEYAKU, seat), _TEYAKU)
        _card_points(settlement)
    settlement.scores = settlement.amounts


_TEYAKU = say("teyaku")
_DEKIYAKU = say("dekiyaku")
_HALF = say("half the dekiyaku")
_UNENDED = say("Nobody ended the round: dekiyaku count half, card points not at all.")
_POINTS = say("card points below and above 88")
_AWARDED = say("%(name)s, %(what)s: %(value)s × %(multiplier)s = %(amount)s").message
_FROM_OTHERS = say(
    "%(name)s, %(what)s: %(value)s × %(multiplier)s = %(amount)s from each other player"
).message


def _award(
    settlement: Settlement,
    seat: int,
    value: int,
    what: Sentence,
    payers: list[int] | None = None,
    paid: bool | None = None,
    counted: Sentence | None = None,
) -> None:
    """Gives a seat a value, times the field: from each other player, or from nobody.

    Which of the two says ``paid``, or else the way in which this table pays; ``counted`` is how the
    value came about.
    """
    tally = settlement.tally
    if not value:
        return
    amount = value * tally.multiplier
    by_others = tally.game.zero_sum if paid is None else paid
    settlement.tell(
        "score",
        say(
            _FROM_OTHERS if by_others and payers is None else _AWARDED,
            name=tally.names[seat],
            what=what,
            value=counted or value,
            multiplier=tally.multiplier,
            amount=Signed(amount),
        ),
    )
    if by_others:
        settlement.from_each(seat, amount, what, payers)
    else:
        settlement.credit(seat, amount)


def _ended(settlement: Settlement, stopper: int) -> None:
    tally = settlement.tally
    losers = [seat for seat in tally.seats if seat != stopper]
    tally.void(DEKIYAKU, say("%(name)s ended the round", name=tally.names[stopper]), losers)
    settlement.stopped(stopper)
    for seat in tally.seats:
        _award(settlement, seat, tally.value(TEYAKU, seat), _TEYAKU)
    went_on = [seat for seat in losers if tally.continued[seat]]
    dekiyaku = tally.value(DEKIYAKU, stopper)
    if tally.rules["sage_penalty"] == "double" and len(went_on) == 1:
        settlement.tell(
            "score",
            say(
                "%(name)s alone had played on and pays the part of the other as well.",
                name=tally.names[went_on[0]],
            ),
        )
        both = say("%(players)s × %(value)s", players=len(losers), value=dekiyaku)
        _award(settlement, stopper, dekiyaku * len(losers), _DEKIYAKU, went_on, counted=both)
    else:
        _award(settlement, stopper, dekiyaku, _DEKIYAKU)


def _card_points(settlement: Settlement) -> None:
    tally = settlement.tally
    amounts = settlement.against(PAR, tally.counted_points(), tally.multiplier)
    if tally.game.zero_sum:
        settlement.differences(amounts, _POINTS)
    else:
        for seat, amount in enumerate(amounts):
            settlement.credit(seat, amount)


def _special(settlement: Settlement) -> bool:
    """Pays the first special yaku that applies, where this table plays any."""
    tally = settlement.tally
    for yaku in tally.game.by_kind[SPECIAL]:
        if not tally.find_special([yaku]):
            continue
        seat = next(seat for seat in tally.seats if tally.paid(SPECIAL, seat))
        if yaku.key == ALL_88.key:
            # It is the dealer's, and only when everybody has it.
            if not all(tally.paid(SPECIAL, at) for at in tally.seats):
                tally.forget_special()
                continue
            seat = tally.dealer
            tally.forget_special(keep=seat)
        replaced = tally.rules["specials_replace"]
        if replaced == "all":
            tally.void(TEYAKU, say("a special yaku settles the round"))
        for at in tally.seats:
            _award(settlement, at, tally.value(TEYAKU, at), _TEYAKU)
        paid = yaku.key != ALL_88.key or tally.rules["all88"] != "bonus"
        _award(settlement, seat, tally.value(SPECIAL, seat), yaku.name, paid=paid)
        return True
    return False


_OWN = say("Points for its owner, times the field.")
_FROM_EACH = say("Points from each other player, times the field.")

_GOES = (
    say("Before playing, show the teyaku you were dealt, if you like."),
    say("Whoever forms a dekiyaku may end the round, or play on for more (sage)."),
    say("Played out with somebody’s dekiyaku, each is worth half, and no card points count."),
    say("Played out without one, everyone books their card points less 88."),
)

_VOIDS = say("A special yaku settles the round: card points and teyaku are void.")

GAME = Game(
    key="hachi-hachi",
    name=say("Hachi-Hachi"),
    kanji="八八",
    reading="hachi-hachi",
    sentence=say(
        "Three players; brights in the field multiply the round, and a dekiyaku may end it."
    ),
    goes=(
        say("Brights in the opening field multiply all that is paid, by 2 or by 4."),
        *_GOES,
    ),
    deals=THREE_PLAYERS,
    values=EIGHTY_EIGHT,
    forms=("counts", "captured", "points"),
    decide=decide,
    zero_sum=False,
    only_best=frozenset({TEYAKU}),
    only_first=frozenset({SPECIAL}),
    ending=MAY_STOP,
    pays={TEYAKU: _OWN, DEKIYAKU: _OWN, SPECIAL: _FROM_EACH},
    field_brights="greater",
    voids=(
        MISDEAL,
        say("Somebody ends the round: card points and the dekiyaku of the others are void."),
        say("Played out, and somebody has a dekiyaku: card points are void."),
    ),
    yaku=(
        SHISO.worth(200, group="A"),
        ICHINISHI.worth(80, group="A"),
        HANEKEN.worth(70, group="A", kanji="羽見"),
        TESHI.worth(60, group="A"),
        FUTASANBON.worth(60, group="A"),
        KUTTSUKI.worth(40, group="A"),
        SANBON.worth(20, group="A"),
        KARASU.worth(40, group="B", kanji="皆素"),
        PIKAICHI.worth(40, group="B"),
        TOICHI.worth(30, group="B"),
        TANICHI.worth(30, group="B"),
        TAN,
        # The rain man joins the four brights, he never replaces one of them (H7, H8).
        SHIKO.worth(100, each_extra=20, with_extra="goko"),
        NANATAN.worth(100),
        AKATAN.worth(70),
        AOTAN.worth(70),
    ),
    house_rules=(
        HouseRule(
            "payment",
            say("Who pays"),
            say("Whether points come from nowhere or from the other players."),
            (
                Choice(value="accumulate", label=say("nobody: everyone adds up their points")),
                Choice(
                    value="zero_sum",
                    label=say("each other player pays teyaku and dekiyaku"),
                    fields={
                        "zero_sum": True,
                        "pays": {TEYAKU: _FROM_EACH, DEKIYAKU: _FROM_EACH, SPECIAL: _FROM_EACH},
                    },
                ),
            ),
            settles=True,
        ),
        HouseRule(
            "teyaku",
            say("Several teyaku in one hand"),
            say("A hand can hold a set of months and be nearly all chaff as well."),
            (
                Choice(value="best_one", label=say("the best alone")),
                Choice(
                    value="one_per_group",
                    label=say("one of each group"),
                    fields={"only_best": frozenset()},
                ),
            ),
        ),
        HouseRule(
            "willow_as_chaff",
            say("Willow cards in the dealt hand"),
            say("Whether willow cards count as chaff in the chaff teyaku."),
            (
                Choice(value=False, label=say("they are what they are")),
                Choice(
                    value=True,
                    label=say("they count as chaff"),
                    changes={
                        TAN.key if key == AKA.key else key: changes
                        for key, changes in WILLOW_HANDS.items()
                    },
                ),
            ),
        ),
        HouseRule(
            "standing_triplets",
            say("Standing triplets"),
            say("Three of wisteria, iris or bush clover, or the three paulownia chaff."),
            (
                Choice(value=False, label=say("are triplets like any other")),
                Choice(
                    value=True,
                    label=say("are worth more than other triplets"),
                    adds=(
                        TATESANBON.worth(30, group="A"),
                        SANBON_TATESANBON.worth(70, group="A"),
                        FUTATATESANBON.worth(80, group="A"),
                    ),
                ),
            ),
        ),
        HouseRule(
            "multi_bright",
            say("Several brights in the field"),
            say("Rain man and phoenix make × 4, the other brights × 2. What do several make?"),
            (
                Choice(value="greater", label=say("the greater one counts")),
                Choice(
                    value="carry_over",
                    label=say("the greatest counts now, the others in the rounds that follow"),
                    fields={
                        "field_brights": "carry_over",
                        "goes": (
                            say(
                                "Of the brights in the opening field and those that wait, the "
                                "greatest multiplies all that is paid, by 2 or by 4; the others "
                                "wait for the rounds that follow."
                            ),
                            *_GOES,
                        ),
                    },
                ),
                Choice(
                    value="stack",
                    label=say("they multiply each other"),
                    fields={
                        "field_brights": "stack",
                        "goes": (
                            say(
                                "Each bright in the opening field multiplies all that is paid, by "
                                "2 or by 4, and several multiply each other."
                            ),
                            *_GOES,
                        ),
                    },
                ),
            ),
        ),
        HouseRule(
            "dekiyaku_multi",
            say("Several dekiyaku in one pile"),
            say("What a player is paid who has formed two or more."),
            (
                Choice(value="add", label=say("they add up")),
                Choice(value="best", label=say("the best alone"), best_alone=frozenset({DEKIYAKU})),
            ),
            settles=True,
        ),
        HouseRule(
            "nanatan_extra",
            say("More than seven ribbons"),
            say("What each ribbon beyond the seven adds, the willow ribbon included."),
            (
                Choice(value=0, label=say("nothing")),
                Choice(value=10, label=say("10 points"), changes={NANATAN.key: {"each_extra": 10}}),
            ),
            settles=True,
        ),
        HouseRule(
            "sage_penalty",
            say("Playing on, and losing"),
            say("What happens to the only one who played on when another ends the round."),
            (
                Choice(value="none", label=say("nothing")),
                Choice(value="double", label=say("they pay for both")),
            ),
            settles=True,
        ),
        HouseRule(
            "all88",
            say("Everyone has 88"),
            say("What the dealer gets when all three have exactly 88 card points."),
            (
                Choice(value="off", label=say("nothing")),
                Choice(
                    value="bonus",
                    label=say("100 points"),
                    adds=(
                        ALL_88.worth(
                            100,
                            sentence=say(
                                "Everyone has exactly 88 card points; it is the dealer’s, and "
                                "nobody pays it."
                            ),
                            voids=_VOIDS,
                        ),
                    ),
                    fields={
                        "pays": {
                            TEYAKU: _OWN,
                            DEKIYAKU: _OWN,
                            SPECIAL: say(
                                "Points from each other player, unless nobody is said to pay, "
                                "times the field."
                            ),
                        },
                    },
                ),
                Choice(
                    value="from_each",
                    label=say("100 points from each"),
                    adds=(ALL_88.worth(100, voids=_VOIDS),),
                ),
            ),
        ),
        HouseRule(
            "over168",
            say("168 card points"),
            say("A player with twice 84 is paid 100 from each, and 10 for each further point."),
            (
                Choice(value="off", label=say("not played")),
                Choice(
                    value="on",
                    label=say("played"),
                    adds=(OVER_168.worth(100, each_extra=10, voids=_VOIDS),),
                ),
            ),
        ),
        HouseRule(
            "kasu16",
            say("Sixteen chaff"),
            say("A player with sixteen chaff is paid 120 from each, and 20 for each further one."),
            (
                Choice(value="off", label=say("not played")),
                Choice(
                    value="on",
                    label=say("played"),
                    adds=(KASU_16.worth(120, each_extra=20, voids=_VOIDS),),
                ),
            ),
        ),
        HouseRule(
            "kasu16_willow",
            say("Willow cards among the sixteen"),
            say("Whether captured willow cards count as chaff there."),
            (
                Choice(value=False, label=say("they are what they are")),
                Choice(
                    value=True,
                    label=say("they count as chaff"),
                    changes={
                        KASU_16.key: {
                            "pattern": chaff_at_least(16, WILLOW),
                            "extra": chaff_beyond(16, WILLOW),
                            "sentence": say("Sixteen chaff or more; willow cards count as chaff."),
                        }
                    },
                ),
            ),
        ),
        HouseRule(
            "specials_replace",
            say("What a special yaku replaces"),
            say("Whether teyaku are still paid when a special yaku settles the round."),
            (
                Choice(value="all", label=say("card points and teyaku")),
                Choice(
                    value="card_points",
                    label=say("only the card points"),
                    changes={
                        special: {
                            "voids": say("A special yaku settles the round: card points are void.")
                        }
                        for special in (ALL_88.key, OVER_168.key, KASU_16.key)
                    },
                ),
            ),
        ),
        DEALER_TIE,
        HouseRule(
            "next_starter",
            say("Who deals next"),
            say("The dealer also plays first."),
            (
                Choice(value="winner", label=say("the winner of the round")),
                Choice(value="rotate", label=say("the next one round the table")),
                Choice(value="ask", label=say("the table decides each time")),
            ),
        ),
    ),
    conflicts=(
        Conflict(
            {"all88": "bonus", "payment": "zero_sum"},
            say("A bonus that nobody pays does not go with players paying each other."),
        ),
        Conflict(
            {"sage_penalty": "double", "payment": "accumulate"},
            say("Paying for both needs players who pay each other."),
        ),
    ),
)
