"""Yokohama-bana: shares, teyaku, dekiyaku and special yaku (seed 001, rules 5)."""

import pytest

from .table import YOK, amounts, answer, settle, these, told, without_working

PLAIN = [100, 84, 80]  # no special yaku about: seat 0 takes 1 share from each


# Hands of seven, willow cards chaff for group B (seed 001, teyaku; rules 5.1)
HANDS = {
    "4,1,1,1": ("1B 1R 1C1 1C2 2A 3R 4C1", {}, "teshi 50"),
    "4,2,1": ("1B 1R 1C1 1C2 2A 2R 4C1", {}, "teshi 50"),
    "4,3": ("1B 1R 1C1 1C2 2A 2R 2C1", {}, "teshi 50"),
    "3,2,2": ("1B 1R 1C1 2A 2R 4A 4R", {}, "haneken 50"),
    "2,2,2,1": ("1B 1R 2A 2R 3B 3R 4A", {}, "kuttsuki 40"),
    "3,1,1,1,1": ("1B 1R 1C1 2A 3R 4A 5C1", {}, "sanbon 20"),
    "3,2,1,1": ("1B 1R 1C1 2A 2R 4A 5C1", {}, "sanbon 20"),
    "2,2,1,1,1": ("1B 1R 2A 2R 3B 4A 5C1", {}, ""),
    "2,1,1,1,1,1": ("1B 1R 2A 3B 4A 5C1 6C1", {}, ""),
    "seven months": ("1B 2A 3R 4A 5C1 6C1 7C1", {}, ""),
    "no standing triplet, rules 2": ("4A 4R 4C1 1B 2A 3R 5C1", {}, "sanbon 20"),
    "Y4 four of a kind 40": ("1B 1R 1C1 1C2 2A 3R 4C1", {"teshi_haneken": 40}, "teshi 40"),
    "Y4 triplet and two pairs 40": ("1B 1R 1C1 2A 2R 4A 4R", {"teshi_haneken": 40}, "haneken 40"),
    "Y5 two triplets once": ("1B 1R 1C1 2A 2R 2C1 3B", {}, "sanbon 20 x2"),
    "Y5 two triplets add": ("1B 1R 1C1 2A 2R 2C1 3B", {"two_triplets": "add"}, "sanbon 40 x2"),
    "one triplet where two add": ("1B 1R 1C1 2A 3R 4A 5C1", {"two_triplets": "add"}, "sanbon 20"),
    "karasu": ("1C1 2C1 3C1 4C1 5C1 6C1 7C1", {}, "karasu 40"),
    "karasu with the lightning": ("1C1 2C1 3C1 4C1 5C1 6C1 11C", {}, "karasu 40"),
    "karasu with the rain man as chaff": ("1C1 2C1 3C1 4C1 5C1 6C1 11B", {}, "karasu 40"),
    "karasu with the swallow as chaff": ("1C1 2C1 3C1 4C1 5C1 6C1 11A", {}, "karasu 40"),
    "karasu with the willow ribbon as chaff": ("1C1 2C1 3C1 4C1 5C1 6C1 11R", {}, "karasu 40"),
    "pikaichi": ("1B 2C1 3C1 4C1 5C1 6C1 7C1", {}, "pikaichi 30"),
    "pikaichi beside the rain man": ("1B 11B 3C1 4C1 5C1 6C1 7C1", {}, "pikaichi 30"),
    "two brights": ("1B 3B 2C1 4C1 5C1 6C1 7C1", {}, ""),
    "toichi": ("2A 1C1 3C1 4C1 5C1 6C1 7C1", {}, "toichi 20"),
    "toichi beside the swallow": ("2A 11A 3C1 4C1 5C1 6C1 7C1", {}, "toichi 20"),
    "two animals": ("2A 4A 1C1 3C1 5C1 6C1 7C1", {}, ""),
    "tanichi": ("6R 1C1 2C1 3C1 4C1 5C1 7C1", {}, "tanichi 20"),
    "tanichi beside the willow ribbon": ("1R 11R 2C1 3C1 4C1 5C1 6C1", {}, "tanichi 20"),
    "aka, two ribbons": ("1R 6R 2C1 3C1 4C1 5C1 7C1", {}, "aka 20"),
    "aka, three ribbons": ("1R 2R 6R 3C1 4C1 5C1 7C1", {}, "aka 20"),
    "Y3 aka, seven ribbons": ("1R 2R 3R 4R 5R 6R 7R", {}, "aka 20"),
    "Y3 exactly two": ("1R 6R 2C1 3C1 4C1 5C1 7C1", {"aka": "exactly_two"}, "aka 20"),
    "Y3 exactly two, willow ribbon is chaff": (
        "1R 6R 11R 3C1 4C1 5C1 7C1",
        {"aka": "exactly_two"},
        "aka 20",
    ),
    "Y3 exactly two: three are none": ("1R 2R 6R 3C1 4C1 5C1 7C1", {"aka": "exactly_two"}, ""),
    "ribbon and animal": ("1R 2A 3C1 4C1 5C1 6C1 7C1", {}, ""),
    "ribbon and bright": ("1R 3B 2C1 4C1 5C1 6C1 7C1", {}, ""),
    "rules 5.1, case 03: one of each group": (
        "12C1 12C2 12C3 1C1 2C1 4C1 11R",
        {},
        "sanbon 20, karasu 40",
    ),
    "four willows are a set and chaff": ("11B 11A 11R 11C 1C1 2C1 3C1", {}, "teshi 50, karasu 40"),
}


@pytest.mark.parametrize(("hand", "rules", "expected"), HANDS.values(), ids=HANDS)
def test_teyaku_found_in_the_hand(hand, rules, expected):
    result = answer(YOK, points=PLAIN, hand={1: hand}, rules=rules)
    assert told(result, 1, "teyaku") == these(expected)


VALUES = {
    "sanbon": 20,
    "kuttsuki": 40,
    "teshi": 50,
    "haneken": 50,
    "aka": 20,
    "tanichi": 20,
    "toichi": 20,
    "pikaichi": 30,
    "karasu": 40,
}


@pytest.mark.parametrize(("key", "value"), VALUES.items(), ids=VALUES)
def test_teyaku_shown(key, value):
    result = answer(YOK, points=PLAIN, teyaku={1: key})
    # own points + 2 * own teyaku; the others lose one
    assert [seat["score"] for seat in result["seats"]] == [100 - value, 84 + 2 * value, 80 - value]


SHOWN = {
    "hidden though dealt": ("1B 1R 1C1 2A 3R 4A 5C1", "", "", {}),
    "shown and dealt": ("1B 1R 1C1 2A 3R 4A 5C1", "sanbon", "sanbon 20", {}),
    "weaker than the hand allows": ("1B 1R 1C1 2A 2R 4A 4R", "sanbon", "sanbon 20", {}),
    "only one of two groups shown": ("12C1 12C2 12C3 1C1 2C1 4C1 11R", "karasu", "karasu 40", {}),
    "both groups shown": (
        "12C1 12C2 12C3 1C1 2C1 4C1 11R",
        "sanbon karasu",
        "sanbon 20, karasu 40",
        {},
    ),
    "one of two triplets shown": (
        "1B 1R 1C1 2A 2R 2C1 3B",
        "sanbon",
        "sanbon 20",
        {"two_triplets": "add"},
    ),
    "two of two triplets shown": (
        "1B 1R 1C1 2A 2R 2C1 3B",
        "sanbon sanbon",
        "sanbon 40 x2",
        {"two_triplets": "add"},
    ),
}


@pytest.mark.parametrize(("hand", "shown", "expected", "rules"), SHOWN.values(), ids=SHOWN)
def test_only_what_is_shown_counts(hand, shown, expected, rules):
    result = answer(YOK, points=PLAIN, hand={1: hand}, teyaku={1: shown}, rules=rules)
    assert told(result, 1, "teyaku") == these(expected)


ADJUSTED = {
    "contract: sanbon decides": (  # 104+40, 84-20, 76-20
        [104, 84, 76],
        {0: "sanbon"},
        [144, 64, 56],
        [2, -1, -1],
    ),
    "case 03: triplet and empty hand": (  # 70+120, 100-60, 94-60
        [70, 100, 94],
        {0: "sanbon karasu"},
        [190, 40, 34],
        [2, -1, -1],
    ),
    "case 03 without the teyaku": ([70, 100, 94], {}, [70, 100, 94], [-1, 2, -1]),
    "everybody shows": (  # 100+40-80, 84+80-60, 80+80-60: own T 20, 40, 40
        [100, 84, 80],
        {0: "sanbon", 1: "kuttsuki", 2: "karasu"},
        [60, 104, 100],
        [-1, 2, -1],
    ),
    "below nothing": (  # 24 - 90 = -66; 110 + 180; 130 - 90
        [24, 110, 130],
        {1: "haneken karasu"},
        [-66, 290, 40],
        [-1, 2, -1],
    ),
}


@pytest.mark.parametrize(
    ("points", "teyaku", "adjusted", "shares"), ADJUSTED.values(), ids=ADJUSTED
)
def test_card_points_decide(points, teyaku, adjusted, shares):
    result = answer(YOK, points=points, teyaku=teyaku)
    assert [seat["score"] for seat in result["seats"]] == adjusted
    assert result["amounts"] == shares


def test_case_03_found_in_the_hand():
    hand = "12C1 12C2 12C3 2C1 3C1 5C1 6C1"
    result = answer(YOK, points=[70, 100, 94], hand={0: hand})
    assert [seat["score"] for seat in result["seats"]] == [190, 40, 34]
    assert result["amounts"] == [2, -1, -1]


STOPPED = {
    "four brights: 4 from each": ("shiko", {}, [8, -4, -4]),
    "poetry ribbons: 2 from each": ("akatan", {}, [4, -2, -2]),
    "blue ribbons: 2 from each": ("aotan", {}, [4, -2, -2]),
    "Y7 add: 2 + 2": ("akatan aotan", {}, [8, -4, -4]),
    "Y7 add: 4 + 2 + 2": ("shiko akatan aotan", {}, [16, -8, -8]),
    "Y7 best of two alike": ("akatan aotan", {"dekiyaku_multi": "best"}, [4, -2, -2]),
    "Y7 best: 4": ("shiko akatan", {"dekiyaku_multi": "best"}, [8, -4, -4]),
    "Y18 stakes 2-4-6, four brights: 6": ("shiko", {"stakes": "2-4-6"}, [12, -6, -6]),
    "Y18 stakes 2-4-6, ribbons: 4": ("aotan", {"stakes": "2-4-6"}, [8, -4, -4]),
}


@pytest.mark.parametrize(("dekiyaku", "rules", "expected"), STOPPED.values(), ids=STOPPED)
def test_a_dekiyaku_stops_the_round(dekiyaku, rules, expected):
    said = {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: dekiyaku}}
    assert amounts(YOK, rules=rules, **said) == expected


PILES = {
    "four brights": ("1B 1C1 3B 3C1 8B 8C1 12B 12C1", "shiko 4"),
    "poetry ribbons": ("1R 1C1 2R 2C1 3R 3C1", "akatan 2"),
    "blue ribbons": ("6R 6C1 9R 9C1 10R 10C1", "aotan 2"),
    "both ribbons": ("1R 1C1 2R 2C1 3R 3C1 6R 6C1 9R 9C1 10R 10C1", "akatan 2, aotan 2"),
    "Y14 seven ribbons are no yaku of their own": (
        "1R 1C1 2R 2C1 3R 3C1 4R 4C1 5R 5C1 6R 6C1 7R 7C1",
        "akatan 2",
    ),
    "the rain man adds nothing": ("1B 1C1 3B 3C1 8B 8C1 12B 12C1 11B 11C", "shiko 4"),
}


@pytest.mark.parametrize(("pile", "expected"), PILES.values(), ids=PILES)
def test_dekiyaku_found_in_the_pile(pile, expected):
    result = answer(YOK, captured={1: pile}, end="stopped", stopped_by=1)
    assert told(result, 1, "dekiyaku") == these(expected)


def test_y7_best_lists_the_other_uncounted():
    said = {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "aotan akatan"}}
    result = answer(YOK, rules={"dekiyaku_multi": "best"}, **said)
    assert told(result, 0, "dekiyaku") == these("akatan 2, (aotan 2)")


def test_y8_teyaku_are_void_when_a_dekiyaku_stops_the_round():
    said = {"end": "stopped", "stopped_by": 2, "dekiyaku": {2: "aotan"}}
    result = answer(YOK, teyaku={0: "karasu"}, **said)
    assert result["amounts"] == [-2, -2, 4]
    assert told(result, 0, "teyaku") == these("(karasu 40)")


# after_dekiyaku: play_on; 100/84/80 gives seat 0 a share from each
PLAY_ON = {
    "no dekiyaku": ({}, {}, [2, -1, -1]),
    "the leader's ribbons: 2*2 + 2": ({0: "akatan"}, {}, [6, -3, -3]),
    "another's ribbons: +4 - 1": ({1: "akatan"}, {}, [0, 3, -3]),
    "two players: +4-2+2, +4-2-1, -2-2-1": ({0: "akatan", 1: "aotan"}, {}, [4, 1, -5]),
    "one player's both: 4*2 + 2": ({0: "akatan aotan"}, {}, [10, -5, -5]),
    "one player's best: 2*2 + 2": ({0: "akatan aotan"}, {"dekiyaku_multi": "best"}, [6, -3, -3]),
    "stakes 2-4-6: 4*2 + 2*2": ({0: "akatan"}, {"stakes": "2-4-6"}, [12, -6, -6]),
}


@pytest.mark.parametrize(("dekiyaku", "rules", "expected"), PLAY_ON.values(), ids=PLAY_ON)
def test_y9_play_on_pays_dekiyaku_on_top_of_card_points(dekiyaku, rules, expected):
    rules = {"after_dekiyaku": "play_on", **rules}
    assert amounts(YOK, points=PLAIN, dekiyaku=dekiyaku, rules=rules) == expected


def test_y9_play_on_pays_dekiyaku_on_top_of_special_yaku():
    # dandruff +4 -2 -2, poetry ribbons -2 +4 -2
    said = {"points": [15, 150, 99], "dekiyaku": {1: "akatan"}}
    assert amounts(YOK, rules={"after_dekiyaku": "play_on"}, **said) == [2, 2, -4]


# Of what seat 0 leaves, seat 1 takes two brights, two ribbons of each set and some chaff, so that
# nobody holds a dekiyaku and only seat 0 may hold a special yaku.
WALL = "1B 1R 2R 2A 3B 3C1 3C2 4A 4R 5A 5R 6R 7A 7R 8C1 8C2 9R 12C1 12C2 12C3"


def with_pile(pile, rules):
    wall = " ".join(card for card in WALL.split() if card not in pile.split())
    return answer(YOK, captured=[pile, wall, "rest"], rules=rules)


def special(pile, rules):
    return told(with_pile(pile, rules), 0, "special")


TEN = "1C1 1C2 2C1 2C2 4C1 4C2 5C1 5C2 7C1 7C2"
TWELVE = TEN + " 9C1 9C2"
KEEP_FACE = "6A 8A"  # two animals: no dandruff whatever the chaff

CHAFF = {
    "14 of 14": (f"{TWELVE} 10C1 10C2 {KEEP_FACE}", {}, "sujushi 4"),
    "13 of 14": (f"{TWELVE} 10C1 {KEEP_FACE}", {}, ""),
    "15 of 14": (f"{TWELVE} 10C1 10C2 8C1 {KEEP_FACE}", {}, "sujushi 4"),
    "14 with the rain man": (f"{TWELVE} 10C1 11B {KEEP_FACE}", {}, "sujushi 4"),
    "14 with the swallow": (f"{TWELVE} 10C1 11A {KEEP_FACE}", {}, "sujushi 4"),
    "14 with the willow ribbon": (f"{TWELVE} 10C1 11R {KEEP_FACE}", {}, "sujushi 4"),
    "14 with four willows": (f"{TEN} 11B 11A 11R 11C {KEEP_FACE}", {}, "sujushi 4"),
    "16 of 16": (f"{TWELVE} 10C1 10C2 8C1 8C2 {KEEP_FACE}", {"chaff_needed": 16}, "sujushi 4"),
    "15 of 16": (f"{TWELVE} 10C1 10C2 8C1 {KEEP_FACE}", {"chaff_needed": 16}, ""),
    "16 of 16 with willow": (
        f"{TWELVE} 11B 11A 11R 11C {KEEP_FACE}",
        {"chaff_needed": 16},
        "sujushi 4",
    ),
    "stakes 2-4-6": (f"{TWELVE} 10C1 10C2 {KEEP_FACE}", {"stakes": "2-4-6"}, "sujushi 6"),
}


@pytest.mark.parametrize(("pile", "rules", "expected"), CHAFF.values(), ids=CHAFF)
def test_y13_fourteen_chaff(pile, rules, expected):
    assert special(pile, rules) == these(expected)


FUKE = {
    "15: 10 + 5 chaff": ("6A 6C1 1C1 1C2 4C1 4C2", {}, "fuke 2"),
    "16: 5 + 11 chaff": (f"10R 10C1 {TEN}", {}, ""),
    # 11R 11C are 2 as chaff, 6 by face, 0 ignored; 6A and 3 chaff are 13
    "15 with willow as chaff": ("11R 11C 6A 6C1 4C1 4C2", {}, "fuke 2"),
    "19 by face": ("11R 11C 6A 6C1 4C1 4C2", {"fuke_willow": "face"}, ""),
    "13 without willow": ("11R 11C 6A 6C1 4C1 4C2", {"fuke_willow": "ignore"}, "fuke 2"),
    # 11A 11C are 2 as chaff, 0 ignored; 10R and 9 chaff are 14
    "16 with willow as chaff": (f"11A 11C 10R 10C1 {TEN[:-8]}", {}, ""),
    "14 without willow": (f"11A 11C 10R 10C1 {TEN[:-8]}", {"fuke_willow": "ignore"}, "fuke 2"),
    # 11R 11C by face 6, and 9 chaff: 15; 16 with one more
    "15 by face": (f"11R 11C {TEN[:-4]}", {"fuke_willow": "face"}, "fuke 2"),
    "16 by face": (f"11R 11C {TEN}", {"fuke_willow": "face"}, ""),
    "stakes 2-4-6": ("6A 6C1 1C1 1C2 4C1 4C2", {"stakes": "2-4-6"}, "fuke 4"),
}


@pytest.mark.parametrize(("pile", "rules", "expected"), FUKE.values(), ids=FUKE)
def test_y10_y13_dandruff(pile, rules, expected):
    assert special(pile, rules) == these(expected)


# rules Y11: chaff pairs of six months and 11B 11A: 14 as chaff, 42 by face, 12 without willow
BOTH = "1C1 1C2 2C1 2C2 4C1 4C2 5C1 5C2 7C1 7C2 9C1 9C2 11A 11B"
Y11 = {
    "both add": ({}, "sujushi 4, fuke 2", [12, -6, -6]),
    "best of both": ({"special_multi": "best"}, "sujushi 4, (fuke 2)", [8, -4, -4]),
    "willow by face": ({"fuke_willow": "face"}, "sujushi 4", [8, -4, -4]),
    "willow ignored": ({"fuke_willow": "ignore"}, "sujushi 4, fuke 2", [12, -6, -6]),
    "sixteen needed": ({"chaff_needed": 16}, "fuke 2", [4, -2, -2]),
    "stakes 2-4-6: 6 + 4": ({"stakes": "2-4-6"}, "sujushi 6, fuke 4", [20, -10, -10]),
    "chaff_first leaves one's own": (
        {"special_conflict": "chaff_first"},
        "sujushi 4, fuke 2",
        [12, -6, -6],
    ),
}


@pytest.mark.parametrize(("rules", "expected", "shares"), Y11.values(), ids=Y11)
def test_y11_both_special_yaku_by_one_player(rules, expected, shares):
    result = with_pile(BOTH, rules)
    assert told(result, 0, "special") == these(expected)
    assert result["amounts"] == shares


# 2/4/4/14 = 114 with fourteen chaff; 0/0/1/10 = 15; 3/5/5/0 = 135
CONFLICT = ["2/4/4/14", "0/0/1/10", "3/5/5/0"]


@pytest.mark.parametrize(
    ("rules", "shares", "dandruff"),
    [
        ({}, [6, 0, -6], "fuke 2"),  # +8-2, +4-4, -4-2
        ({"special_conflict": "chaff_first"}, [8, -4, -4], "(fuke 2)"),
    ],
    ids=["net", "chaff_first"],
)
def test_y12_fourteen_chaff_and_anothers_dandruff(rules, shares, dandruff):
    result = answer(YOK, counts=CONFLICT, rules=rules)
    assert result["amounts"] == shares
    assert told(result, 1, "special") == these(dandruff)


def test_y12_chaff_first_pays_dandruff_where_no_fourteen_chaff_is_about():
    rules = {"special_conflict": "chaff_first"}
    assert amounts(YOK, points=[15, 150, 99], rules=rules) == [4, -2, -2]


def test_y12_two_dandruffs():
    result = answer(YOK, points=[15, 12, 237], dealer=1)
    assert result["amounts"] == [2, 2, -4]
    assert result["winners"] == [0, 1]
    assert result["next_dealer"] == 1  # Y17: the tied dealer stays


# Without cards: found where the figures suffice, claimed beyond that (the contract, `special`)
FIGURES = {
    "fourteen counted chaff": ({"counts": [*CONFLICT[:1], "1/2/3/9", "2/3/3/1"]}, {}, "sujushi 4"),
    "thirteen counted chaff": ({"counts": ["2/4/4/13", "1/2/3/10", "2/3/3/1"]}, {}, ""),
    "thirteen and a willow claimed": (
        {"counts": ["2/4/4/13", "1/2/3/10", "2/3/3/1"]},
        {0: "sujushi"},
        "sujushi 4",
    ),
    "fifteen points": ({"points": [15, 150, 99]}, {}, "fuke 2"),
    "sixteen points": ({"points": [16, 150, 98]}, {}, ""),
    "42 points and two willows claimed": ({"points": [42, 123, 99]}, {0: "fuke"}, "fuke 2"),
    "fifteen points by counts": ({"counts": ["0/1/0/5", "2/4/5/9", "3/4/5/10"]}, {}, "fuke 2"),
}


@pytest.mark.parametrize(("form", "claimed", "expected"), FIGURES.values(), ids=FIGURES)
def test_special_yaku_without_cards(form, claimed, expected):
    result = answer(YOK, special=claimed, **form)
    assert told(result, 0, "special") == these(expected)


def test_special_yaku_replace_card_points_and_teyaku():
    result = answer(YOK, points=[15, 150, 99], teyaku={1: "karasu"})
    assert result["amounts"] == [4, -2, -2]
    assert told(result, 1, "teyaku") == these("(karasu 40)")
    assert [seat["score"] for seat in result["seats"]] == [None, None, None]


def test_special_yaku_cannot_be_paid_in_a_stopped_round():
    said = {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "shiko"}}
    result = answer(YOK, captured={1: "1C1 1C2"}, **said)
    assert told(result, 1, "special") == set()
    assert result["amounts"] == [8, -4, -4]


def test_y18_stakes_for_card_points():
    assert amounts(YOK, points=PLAIN, rules={"stakes": "2-4-6"}) == [4, -2, -2]


NEXT = {
    "most shares": ({"points": [84, 80, 100]}, 2),
    "the stopper": ({"end": "stopped", "stopped_by": 1, "dekiyaku": {1: "akatan"}}, 1),
    "all level at 0: the tied dealer stays": (
        {"points": [88, 88, 88], "rules": {"tie": "nobody"}, "dealer": 2},
        2,
    ),
}


@pytest.mark.parametrize(("said", "expected"), NEXT.values(), ids=NEXT)
def test_next_dealer(said, expected):
    assert answer(YOK, **said)["next_dealer"] == expected


def seat(points, score, teyaku=(), dekiyaku=()):
    return {
        "card_points": points,
        "teyaku": list(teyaku),
        "dekiyaku": list(dekiyaku),
        "special": [],
        "score": score,
    }


def test_whole_answer_of_the_contract():
    document = {
        "game": "yokohama-bana",
        "rules": {"tie": "nobody"},
        "dealer": 0,
        "end": "counted",
        "seats": [
            {"name": "Aki", "points": 104, "teyaku": ["sanbon"]},
            {"name": "Ben", "points": 84},
            {"name": "Chie", "points": "rest"},
        ],
    }
    assert without_working(settle(document)) == {
        "game": "yokohama-bana",
        "unit": "shares",
        "amounts": [2, -1, -1],
        "zero_sum": True,
        "multiplier": 1,
        "carry": [],
        "seats": [seat(104, 144, [{"key": "sanbon", "value": 20}]), seat(84, 64), seat(76, 56)],
        "payments": [{"from": 1, "to": 0, "amount": 1}, {"from": 2, "to": 0, "amount": 1}],
        "winners": [0],
        "next_dealer": 0,
        "undecided": None,
        "warnings": [],
    }


def test_whole_answer_of_a_stopped_round():
    result = answer(
        YOK,
        end="stopped",
        stopped_by=1,
        dealer=2,
        teyaku={0: "aka"},
        captured={1: "1R 1C1 2R 2C1 3R 3C1"},  # 3*5 + 3*1 = 18
    )
    assert without_working(result) == {
        "game": "yokohama-bana",
        "unit": "shares",
        "amounts": [-2, 4, -2],
        "zero_sum": True,
        "multiplier": 1,
        "carry": [],
        "seats": [
            seat(None, None, [{"key": "aka", "value": 20, "counted": False}]),
            seat(18, None, (), [{"key": "akatan", "value": 2}]),
            seat(None, None),
        ],
        "payments": [{"from": 0, "to": 1, "amount": 2}, {"from": 2, "to": 1, "amount": 2}],
        "winners": [1],
        "next_dealer": 1,
        "undecided": None,
        "warnings": [],
    }
