"""Kaga: two players, few card points, and every whole month (seed 003, rules 7)."""

import pytest

from .table import KAGA, amounts, answer, these, told, without_working

CARDS = {  # seed 003, Card Values
    "rain man": ("11B 11C", 20),
    "swallow": ("11A 11C", 10),
    "willow ribbon": ("11R 11C", 5),
    "phoenix and a paulownia chaff": ("12B 12C1", 25),
    "two paulownia chaff": ("12C2 12C3", 10),
    "the yellow chaff is like the others": ("12C1 12C2", 10),
    "other brights, animals, ribbons, chaff": ("1B 1R 3B 3C1 2A 2R 8B 8A", 0),
    "rain man and willow ribbon": ("11B 11R 2C1 2C2", 25),
}


@pytest.mark.parametrize(("pile", "points"), CARDS.values(), ids=CARDS)
def test_card_points(pile, points):
    result = answer(KAGA, captured=[pile, "5R 5C1"])
    assert result["seats"][0]["card_points"] == points
    assert result["amounts"] == [points, -points]


DEKIYAKU = {  # (pile, rules, listed, S): S = card points + dekiyaku
    "four brights": (  # 12B 12C1: 25
        "1B 1C1 3B 3C1 8B 8C1 12B 12C1",
        "shiko 100",
        125,
    ),
    "K10 the rain man for the phoenix": ("1B 1C1 3B 3C1 8B 8C1 11B 11C", "", 20),
    "five brights are four": (  # 25 + 20
        "1B 1C1 3B 3C1 8B 8C1 12B 12C1 11B 11C",
        "shiko 100",
        145,
    ),
    "poetry ribbons": ("1R 1C1 2R 2C1 3R 3C1", "akatan 100", 100),
    "blue ribbons": ("6R 6C1 9R 9C1 10R 10C1", "aotan 100", 100),
    "a whole month": ("1B 1R 1C1 1C2", "shima 20", 20),
    "two whole months": ("1B 1R 1C1 1C2 4A 4R 4C1 4C2", "shima 40 x2", 40),
    "whole willow: 20 + 10 + 5": ("11B 11A 11R 11C", "shima 20", 55),
    "whole paulownia: 20 + 3*5": ("12B 12C1 12C2 12C3", "shima 20", 55),
    "all stack: 100 + 100 + 3*20": (
        "1B 1R 1C1 1C2 2A 2R 2C1 2C2 3B 3R 3C1 3C2 8B 8C1 12B 12C1",
        "shiko 100, akatan 100, shima 60 x3",
        285,
    ),  # and 25
}


@pytest.mark.parametrize(("pile", "listed", "total"), DEKIYAKU.values(), ids=DEKIYAKU)
def test_dekiyaku_found_in_the_pile(pile, listed, total):
    result = answer(KAGA, captured=[pile, "5R 5C1"])
    assert told(result, 0, "dekiyaku") == these(listed)
    assert result["seats"][0]["score"] == total
    assert result["amounts"] == [total, -total]


CLAIMED = {
    "one of each": ("shiko akatan aotan shima", "shiko 100, akatan 100, aotan 100, shima 20", 320),
    "several whole months": ("shima shima shima", "shima 60 x3", 60),
}


@pytest.mark.parametrize(("claims", "listed", "total"), CLAIMED.values(), ids=CLAIMED)
def test_dekiyaku_claimed_beside_points(claims, listed, total):
    result = answer(KAGA, points=[30, 20], dekiyaku={0: claims})
    assert told(result, 0, "dekiyaku") == these(listed)
    assert result["amounts"] == [10 + total, -10 - total]


PAULOWNIA = "12B 12C1 12C2 12C3"
WHOLE = {  # (what was said of the round, whole months of Aki, of Ben)
    "six chaff for three": (
        {"named": {0: "1B 1R 2A 2R 4A 4R + 6"}, "captured": {1: PAULOWNIA},
         "dekiyaku": {0: ["shima"] * 3}}, 3, 1),
    "two chaff for one of two": (
        {"named": {0: "1B 1R 2A 2R + 2"}, "captured": {1: PAULOWNIA}, "dekiyaku": {0: "shima"}},
        1, 1),
    "what another leaves": (  # willow and paulownia
        {"points": {0: 0}, "dekiyaku": {0: "shima shima"}, "captured": {
            1: "1B 1R 2A 2R 3B 3R 4A 4R 5A 5R 6A 6R 7A 7R 8B 8A 9A 9R 10A 10R"}}, 2, 0),
    "all but eight cards": (
        {"points": [30, 30], "dekiyaku": [["shima"] * 6, ["shima"] * 4]}, 6, 4),
    "all but two, of which each has a part": (  # pine and cherry
        {"points": [35, 35], "dekiyaku": ["shiko" + 5 * " shima", "akatan" + 5 * " shima"],
         "rules": {"two_player_end": "drain"}}, 5, 5),
    "all": (
        {"points": [70, 0], "dekiyaku": {0: ["shima"] * 12},
         "rules": {"two_player_end": "drain"}}, 12, 0),
}  # fmt: skip


@pytest.mark.parametrize(("said", "aki", "ben"), WHOLE.values(), ids=WHOLE)
def test_as_many_whole_months_as_there_can_be(said, aki, ben):
    result = answer(KAGA, **said)
    whole = [
        sum(yaku.get("times", 1) for yaku in seat["dekiyaku"] if yaku["key"] == "shima")
        for seat in result["seats"]
    ]
    assert whole == [aki, ben]


HANDS = {  # (hand, rules, listed)
    "four of a kind": ("1B 1R 1C1 1C2 2A 2R 3B 3R", {}, "teshi 100"),
    "K2 two of them, each": ("1B 1R 1C1 1C2 2A 2R 2C1 2C2", {}, "teshi 200 x2"),
    "K2 two of them, once": ("1B 1R 1C1 1C2 2A 2R 2C1 2C2", {"two_teshi": "once"}, "teshi 100 x2"),
    "one of them where once": ("1B 1R 1C1 1C2 2A 2R 3B 3R", {"two_teshi": "once"}, "teshi 100"),
    "three of a kind": ("1B 1R 1C1 4A 2A 2R 3B 3R", {}, ""),
    "K3 eight chaff": ("1C1 2C1 3C1 4C1 5C1 6C1 7C1 8C1", {}, "karasu 100"),
    "seven chaff and a bright": ("1C1 2C1 3C1 4C1 5C1 6C1 7C1 8B", {}, "karasu 100"),
    "six chaff": ("1C1 2C1 3C1 4C1 5C1 6C1 7R 8B", {}, ""),
    "the lightning is chaff": ("1C1 2C1 3C1 4C1 5C1 6C1 11C 8B", {}, "karasu 100"),
    "K4 willow cards are not": ("1C1 2C1 3C1 4C1 5C1 6C1 11A 8B", {}, ""),
    "K4 willow cards are": (
        "1C1 2C1 3C1 4C1 5C1 6C1 11A 8B",
        {"willow_as_chaff": True},
        "karasu 100",
    ),
    "K4 six chaff, two willows": (
        "1C1 2C1 3C1 4C1 5C1 11B 11R 8B",
        {"willow_as_chaff": True},
        "karasu 100",
    ),
    "K5 paulownia and four chaff": (
        "12B 12C1 12C2 12C3 1C1 2C1 3C1 4C1",
        {},
        "teshi 100, karasu 100",
    ),
}


@pytest.mark.parametrize(("hand", "rules", "listed"), HANDS.values(), ids=HANDS)
def test_teyaku_found_in_the_hand(hand, rules, listed):
    result = answer(KAGA, points=[30, 30], hand={1: hand}, rules=rules)
    assert told(result, 1, "teyaku") == these(listed)


SHOWN = {  # (hand, shown, listed, S of a player with 30 card points)
    "K6 hidden": ("12B 12C1 12C2 12C3 1C1 2C1 3C1 4C1", "", "", 30),
    "K6 one shown, one hidden": ("12B 12C1 12C2 12C3 1C1 2C1 3C1 4C1", "teshi", "teshi 100", 130),
    "both shown": (
        "12B 12C1 12C2 12C3 1C1 2C1 3C1 4C1",
        "teshi karasu",
        "teshi 100, karasu 100",
        230,
    ),
    "one four of two": ("1B 1R 1C1 1C2 2A 2R 2C1 2C2", "teshi", "teshi 100", 130),
    "two fours": ("1B 1R 1C1 1C2 2A 2R 2C1 2C2", "teshi teshi", "teshi 200 x2", 230),
    "no hand given": (None, "karasu", "karasu 100", 130),
}


@pytest.mark.parametrize(("hand", "shown", "listed", "total"), SHOWN.values(), ids=SHOWN)
def test_only_what_is_shown_counts(hand, shown, listed, total):
    result = answer(KAGA, points=[20, 30], hand=[None, hand], teyaku={1: shown})
    assert told(result, 1, "teyaku") == these(listed)
    assert [seat["score"] for seat in result["seats"]] == [20, total]
    assert result["amounts"] == [20 - total, total - 20]


def test_named_cards_do_where_no_chaff_is_about():
    assert amounts(KAGA, named=["11B 11A 11R 1B + 0", "2A 2R + 0"]) == [35, -35]


def test_k9_a_month_dealt_whole_and_captured_counts_both_ways():
    result = answer(
        KAGA, captured=["1B 1R 1C1 1C2", "5R 5C1"], hand={0: "1B 1R 1C1 1C2 2A 2R 3B 3R"}
    )
    assert result["amounts"] == [120, -120]  # teshi 100 + shima 20


LEDGER = {  # S 140 and 60: points 40 and 20, teyaku 100, shima 40
    "K1 difference": ("difference", [80, -80], True),
    "K1 winner only": ("winner_only", [80, 0], False),
    "K1 raw": ("raw", [140, 60], False),
}


@pytest.mark.parametrize(("ledger", "expected", "zero_sum"), LEDGER.values(), ids=LEDGER)
def test_ledger(ledger, expected, zero_sum):
    said = {"points": [40, 20], "teyaku": {0: "teshi"}, "dekiyaku": {1: "shima shima"}}
    result = answer(KAGA, rules={"ledger": ledger}, **said)
    assert (result["amounts"], result["zero_sum"]) == (expected, zero_sum)
    assert bool(result["payments"]) is zero_sum


END = {
    "hands empty: the piles need not hold the whole deck": ("hands_empty", [30, 10]),
    "drained: the whole deck": ("drain", [45, 25]),
}


@pytest.mark.parametrize(("end", "points"), END.values(), ids=END)
def test_two_player_end(end, points):
    assert amounts(KAGA, points=points, rules={"two_player_end": end}) == [20, -20]


def test_forty_cards_may_be_captured_when_hands_are_empty():
    months = {month: [f"{month}C1", f"{month}C2"] for month in range(1, 11)}
    first = {1: "1B 1R", 2: "2A 2R", 3: "3B 3R", 4: "4A 4R", 5: "5A 5R"}
    second = {6: "6A 6R", 7: "7A 7R", 8: "8B 8A", 9: "9A 9R", 10: "10A 10R"}
    piles = [
        " ".join(f"{cards} {' '.join(months[month])}" for month, cards in half.items())
        for half in (first, second)
    ]
    # five whole months each and one ribbon set each: 5*20 + 100, level
    assert amounts(KAGA, captured=piles) == [0, 0]


NEXT = {
    "the winner": ({"points": [20, 30]}, [1], 1, None),
    "level: the dealer stays": ({"points": [30, 30], "dealer": 1}, [], 1, None),
    "level, dealer_stays": (
        {"points": [30, 30], "dealer": 1, "rules": {"dealer_tie": "dealer_stays"}},
        [],
        1,
        None,
    ),
    "level, ask": (
        {"points": [30, 30], "dealer": 1, "rules": {"dealer_tie": "ask"}},
        [],
        None,
        {"question": "dealer", "between": [0, 1]},
    ),
    "not level, ask": ({"points": [20, 30], "rules": {"dealer_tie": "ask"}}, [1], 1, None),
    "winner only, level": ({"points": [30, 30], "rules": {"ledger": "winner_only"}}, [], 0, None),
    "raw, level": ({"points": [30, 30], "dealer": 1, "rules": {"ledger": "raw"}}, [], 1, None),
}


@pytest.mark.parametrize(("said", "winners", "dealer", "undecided"), NEXT.values(), ids=NEXT)
def test_winners_and_next_dealer(said, winners, dealer, undecided):
    result = answer(KAGA, **said)
    assert (result["winners"], result["next_dealer"], result["undecided"]) == (
        winners,
        dealer,
        undecided,
    )


def test_whole_answer():
    result = answer(
        KAGA,
        captured=["11B 11A 11R 11C 1R 1C1", "12B 12C1 6R 6C1"],  # 35 + 20; 25
        teyaku={1: "teshi karasu"},
        dealer=0,
    )
    assert result["seats"][0]["score"] == 55
    assert without_working(result) == {
        "game": "kaga",
        "unit": "points",
        "amounts": [-170, 170],
        "zero_sum": True,
        "multiplier": 1,
        "carry": [],
        "seats": [
            {
                "card_points": 35,
                "teyaku": [],
                "dekiyaku": [{"key": "shima", "value": 20}],
                "special": [],
                "score": 55,
            },
            {
                "card_points": 25,
                "teyaku": [{"key": "teshi", "value": 100}, {"key": "karasu", "value": 100}],
                "dekiyaku": [],
                "special": [],
                "score": 225,
            },
        ],
        "payments": [{"from": 0, "to": 1, "amount": 170}],
        "winners": [1],
        "next_dealer": 1,
        "undecided": None,
        "warnings": [],
    }
