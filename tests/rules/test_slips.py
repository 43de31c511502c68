"""A slip in a game's file is said when the game is found, with its place, and never by a traceback.

Each is made on purpose, in a game that is sound without it.
"""

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from scorekeeper.rules.cards import ANIMALS, BRIGHTS, Cards
from scorekeeper.rules.game import Choice, Conflict, Deal, Game, HouseRule
from scorekeeper.rules.games._check import by_key, checked, faults
from scorekeeper.rules.pile import Values
from scorekeeper.rules.sentence import say
from scorekeeper.rules.yaku import AKATAN, AOTAN, DEKIYAKU, NANATAN, SHIKO, SPECIAL, TESHI

PRICE = HouseRule(
    "price",
    say("Price"),
    say("What ribbons are worth."),
    (
        Choice(value=1, label=say("one")),
        Choice(value=True, label=say("true is not one"), changes={AKATAN.key: {"first": 20}}),
        Choice(value=2, label=say("two"), adds=(AOTAN.worth(20),)),
        Choice(value=3, label=say("three"), adds=(AOTAN.worth(30),)),
    ),
)
DEALER_TIE = HouseRule(
    "dealer_tie",
    say("Tie"),
    say("Who deals."),
    (
        Choice(value="turn_order", label=say("the earliest")),
        Choice(value="ask", label=say("the table")),
    ),
)
SOUND = Game(
    key="sound",
    name=say("Sound"),
    kanji="音",
    reading="oto",
    sentence=say("It is sound."),
    goes=(say("On."),),
    pays={DEKIYAKU: say("Points.")},
    deals={2: Deal(8, 8, 24), 3: Deal(7, 6, 21)},
    values=Values(((20, BRIGHTS), (10, ANIMALS))),
    forms=("captured", "counts", "points"),
    decide=lambda settlement: None,
    house_rules=(PRICE, DEALER_TIE),
    yaku=(SHIKO.worth(40), AKATAN.worth(10)),
    conflicts=(Conflict({"price": 2}, say("Not so."), players=(3,)),),
)


def ruled(*choices: Choice, key: str = "further") -> Game:
    """With one more house rule, of these choices after a default."""
    default = Choice(value=0, label=say("none"))
    more = HouseRule(key, say("More"), say("More."), (default, *choices))
    return replace(SOUND, house_rules=(*SOUND.house_rules, more))


def choice(**more) -> Game:
    return ruled(Choice(value=9, label=say("nine"), **more))


def yaku(*more, **changes) -> Game:
    """With its first yaku changed, or with more of them."""
    return replace(SOUND, yaku=(replace(SOUND.yaku[0], **changes), SOUND.yaku[1], *more))


def slipped(**fields: Any) -> Game:
    """With fields that are not what they should be, as only a type checker would say."""
    return replace(SOUND, **fields)


AT = "house_rules 'further', choice 9: "
SLIPS = {  # (the game with the slip, what is said)
    "a yaku twice": (yaku(AKATAN.worth(7)), "yaku: the key akatan is there 2 times"),
    "a yaku that another one is claimed as": (
        yaku(AOTAN.worth(5, with_extra="akatan")), "yaku: the key akatan is there 2 times"),
    "a yaku that is added to itself": (
        choice(adds=(AKATAN.worth(3),)), "the key akatan is there 2 times"),
    "two yaku with one kanji": (yaku(kanji="赤短"), "yaku: the kanji 赤短 is there 2 times"),
    "a yaku without kanji": (yaku(kanji=""), "yaku 'shiko': kanji: empty"),
    "a yaku without a reading": (yaku(reading=" "), "yaku 'shiko': reading: empty"),
    "a game without kanji": (replace(SOUND, kanji=""), "kanji: empty"),
    "a key in two words": (yaku(key="four brights"), "'four brights' is not of small letters"),
    "a class that is none": (yaku(kind="tekiyaku"), "yaku 'shiko': kind: 'tekiyaku' is none of"),
    "more cards than there are": (yaku(needed=5), "needed: 5, and cards has 4"),
    "an extra that nobody counts": (yaku(each_extra=9, extra=None), "each_extra: it takes extra"),
    "a further time that never comes": (yaku(further=9), "further: it is never paid"),
    "a class that pays nothing": (
        yaku(TESHI.worth(9)), "pays: it does not say what a teyaku pays"),
    "an added class that pays nothing": (
        choice(adds=(replace(AOTAN.worth(9), kind=SPECIAL),)), "what a special pays"),
    "a choice that forgets what pays": (
        choice(fields={"pays": {}}), AT + "fields: pays: it does not say what a dekiyaku pays"),
    "a class that no game has": (
        replace(SOUND, pays={**SOUND.pays, "dekiyaki": say("No.")}), "pays: 'dekiyaki' is none of"),
    "a change of no yaku": (
        choice(changes={"akatn": {"first": 2}}), AT + "changes: there is no yaku 'akatn'"),
    "a change of no field": (
        choice(changes={"akatan": {"frist": 2}}),
        AT + "changes of 'akatan': a yaku has no field 'frist'"),
    "a change to no kanji": (
        choice(changes={"akatan": {"kanji": ""}}), AT + "changes of 'akatan': kanji: empty"),
    "a field of no game": (
        choice(fields={"stakes": 2}), AT + "fields: a game has no field 'stakes' to replace"),
    "a field that is no choice's": (choice(fields={"yaku": ()}), "a game has no field 'yaku' to"),
    "best alone of no class": (
        choice(best_alone=frozenset({"dekiyaki"})), AT + "best_alone: 'dekiyaki' is none of"),
    "only the best of no class": (
        replace(SOUND, only_best=frozenset({"te"})), "only_best: 'te' is none of"),
    "a unit that is none": (
        replace(SOUND, unit="mon"), "unit: 'mon' is none of 'points', 'shares'"),
    "a choice with such a unit": (
        choice(fields={"unit": "mon"}), AT + "fields: unit: 'mon' is none of 'points', 'shares'"),
    "an ending that is none": (replace(SOUND, ending="stop"), "ending: 'stop' is none of None, "),
    "brights that do nothing": (replace(SOUND, field_brights="most"), "field_brights: 'most' is"),
    "a form that is none": (
        replace(SOUND, forms=("captured", "count")), "forms: 'count' is none of 'captured', "),
    "no form": (replace(SOUND, forms=()), "forms: a pile has to be reported in one way"),
    "counts that tell nothing": (
        replace(SOUND, values=Values(((5, Cards.parse("1B 2A")),))), "forms: counts tell nothing"),
    "a card worth two things": (
        replace(SOUND, values=Values(((20, BRIGHTS), (5, Cards.parse("1B"))))),
        "values: a card is in two groups"),
    "a card that is not in the deck": (
        choice(fields={"values": Values(((1, Cards(1 << 48)),))}),
        AT + "fields: values: there are cards that are not in the deck"),
    "a deal with a card too many": (
        replace(SOUND, deals={3: Deal(7, 6, 22)}),
        "deals: 3 × 7 + 6 + 22 is 49, and the deck has 48 cards"),
    "a choice with such a deal": (
        choice(fields={"deals": {2: Deal(8, 8, 25)}}), AT + "fields: deals: 2 × 8 + 8 + 25 is 49"),
    "a deal that is none": (
        slipped(deals={2: (8, 8, 24)}), "what 2 players are dealt is a Deal(hand=…"),
    "no deal": (replace(SOUND, deals={}), "deals: nobody is dealt any cards"),
    "a house rule twice": (
        replace(SOUND, house_rules=(PRICE, PRICE, DEALER_TIE)),
        "house_rules: the key price is there 2 times"),
    "a choice twice": (
        ruled(Choice(value=0, label=say("again"))),
        "house_rules 'further': choices: the value 0 is there 2 times"),
    "nothing to choose": (ruled(), "house_rules 'further': choices: there is nothing to choose"),
    "a choice that nobody knows": (
        ruled(Choice(value="dealer", label=say("the dealer")), key="tie"),
        "house_rules 'tie': choices: 'dealer' says nothing to a settlement"),
    "nobody deals": (
        replace(SOUND, house_rules=(PRICE,)), "house_rules: DEALER_TIE is missing, which says who"),
    "a conflict of nothing": (
        replace(SOUND, conflicts=(Conflict({"prise": 2}, say("Not so.")),)),
        "conflicts: when: there is no house rule 'prise' with a choice 2"),
    "a conflict of players that are none": (
        replace(SOUND, conflicts=(Conflict({"price": 2}, say("Not so."), players=(4,)),)),
        "conflicts: players: 4 players cannot play it"),
    "a comma too few": (
        slipped(yaku=SHIKO.worth(40)), "yaku: a tuple, in which something is; a comma?"),
    "a comma too few in a choice": (
        choice(adds=NANATAN.worth(40)), AT + "adds: a tuple, in which something is; a comma?"),
    "a house rule without choices": (
        replace(SOUND, house_rules=(HouseRule("none", say("No"), say("No."), ()),)),
        "house_rules 'none': choices: a tuple, in which something is"),
}  # fmt: skip


def test_the_game_is_sound_without_a_slip():
    assert [*faults(SOUND)] == []


@pytest.mark.parametrize(("game", "said"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_said_with_its_place(game, said):
    assert any(said in fault for fault in faults(game)), [*faults(game)]


def module(**names) -> ModuleType:
    made = ModuleType("scorekeeper.rules.games.sound")
    vars(made).update(names)
    return made


def test_a_file_is_asked_for_its_game():
    assert checked(module(GAME=SOUND)) is SOUND
    for wrong in (module(), module(GAME="sound"), module(Game=SOUND)):
        with pytest.raises(ValueError, match=r"^games/sound\.py has no game: it needs GAME"):
            checked(wrong)


def test_all_slips_of_a_file_are_said_at_once():
    wrong = replace(SOUND, unit="mon", kanji="", house_rules=())
    with pytest.raises(ValueError, match=r"^games/sound\.py: 'sound' cannot be played so") as said:
        checked(module(GAME=wrong))
    for part in ("unit", "kanji", "DEALER_TIE"):
        assert part in str(said.value)


def test_whoever_pays_the_most_says_who_takes_a_tie():
    def decide(settlement):
        settlement.most([1, 1], 1, say("most"))

    decide.__module__ = "scorekeeper.rules.games.sound"
    with pytest.raises(ValueError, match="TIE is missing"):
        checked(module(GAME=SOUND, decide=decide))


def test_two_games_with_one_key_are_both_named():
    assert by_key([SOUND]) == {"sound": SOUND}
    with pytest.raises(ValueError, match="'sound': Sound and Noise"):
        by_key([SOUND, replace(SOUND, name=say("Noise"))])
