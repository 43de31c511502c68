"""Hachi-Hachi, one publisher's version and its variations (seed 002, rules 6)."""

import pytest

from .table import HH, amounts, answer, these, told, without_working

PLAIN = [100, 84, 80]  # minus par 88: +12, -4, -8

ZERO = {"payment": "zero_sum"}


# --- the field: seed 002, Multiplier; H1, H2 and case 05 ---------------------------------------

FIELD = {  # field: (greater, carry_over with what is carried, stack)
    "": (1, (1, []), 1),
    "1R 2A 6C1": (1, (1, []), 1),
    "1B": (2, (2, []), 2),
    "3B": (2, (2, []), 2),
    "8B": (2, (2, []), 2),
    "11B": (4, (4, []), 4),
    "12B": (4, (4, []), 4),
    "8B 1B": (2, (2, [2]), 4),  # case 05 (a)
    "8B 12B": (4, (4, [2]), 8),  # case 05 (b)
    "11B 12B 1B": (4, (4, [4, 2]), 32),  # rules H2
    "1B 3B 8B": (2, (2, [2, 2]), 8),
}


@pytest.mark.parametrize(
    ("field", "rule", "multiplier", "carry"),
    [
        pytest.param(field, rule, multiplier, carry, id=f"{field or 'nothing'}, {rule}")
        for field, (greater, (now, later), stack) in FIELD.items()
        for rule, multiplier, carry in (
            ("greater", greater, []),
            ("carry_over", now, later),
            ("stack", stack, []),
        )
    ],
)
def test_field(field, rule, multiplier, carry):
    result = answer(HH, points=PLAIN, field=field, rules={"multi_bright": rule})
    assert (result["multiplier"], result["carry"]) == (multiplier, carry)
    assert result["amounts"] == [12 * multiplier, -4 * multiplier, -8 * multiplier]


CARRIED = {
    "waits for the next round": ([2], "", 2, []),
    "the greatest counts now": ([2], "12B", 4, [2]),
    "a carried 4 before a new 2": ([4], "1B", 4, [2]),
    "greatest first": ([2, 2], "11B", 4, [2, 2]),
    "several waiting": ([4, 2], "", 4, [2]),
    "nothing waits": ([], "8B", 2, []),
    "a 1 that waits is nothing": ([1, 1], "8B", 2, []),
    "only a 1 waits": ([1], "", 1, []),
}


@pytest.mark.parametrize(("carried", "field", "now", "later"), CARRIED.values(), ids=CARRIED)
def test_carried_multipliers(carried, field, now, later):
    rules = {"multi_bright": "carry_over"}
    result = answer(HH, points=PLAIN, field=field, carried=carried, rules=rules)
    assert (result["multiplier"], result["carry"]) == (now, later)


@pytest.mark.parametrize("rule", ["greater", "carry_over", "stack"])
def test_no_field_means_no_bright(rule):
    assert answer(HH, points=PLAIN, rules={"multi_bright": rule})["multiplier"] == 1


def test_carried_is_ignored_where_nothing_is_carried():
    result = answer(HH, points=PLAIN, carried=[4])
    assert (result["multiplier"], result["carry"]) == (1, [])


@pytest.mark.parametrize("multiplier", [1, 2, 4])
def test_the_multiplier_alone(multiplier):
    assert amounts(HH, points=PLAIN, multiplier=multiplier) == [
        12 * multiplier,
        -4 * multiplier,
        -8 * multiplier,
    ]


def test_field_and_multiplier_that_agree():
    assert amounts(HH, points=PLAIN, multiplier=4, field="8B 12B") == [48, -16, -32]


def test_a_void_round_keeps_what_is_carried():
    rules = {"multi_bright": "carry_over"}
    result = answer(HH, end="void", carried=[4, 2], field="1B", dealer=1, rules=rules)
    assert (result["multiplier"], result["carry"], result["next_dealer"]) == (1, [4, 2], 1)


# --- teyaku: seed 002, Teyaku; rules 6.2, H4-H6 -------------------------------------------------

STANDING = {"standing_triplets": True}
GROUPS = {"teyaku": "one_per_group"}
WILLOW = {"willow_as_chaff": True}

HANDS = {  # (hand, rules, as listed, points)
    "4,3 shiso": ("1B 1R 1C1 1C2 2A 2R 2C1", {}, "shiso 200", 200),
    "4,2,1 ichinishi": ("1B 1R 1C1 1C2 2A 2R 4A", {}, "ichinishi 80", 80),
    "3,2,2 haneken": ("1B 1R 1C1 2A 2R 4A 4R", {}, "haneken 70", 70),
    "4,1,1,1 teshi": ("1B 1R 1C1 1C2 2A 3R 4A", {}, "teshi 60", 60),
    "3,3,1 futasanbon": ("1B 1R 1C1 2A 2R 2C1 4A", {}, "futasanbon 60", 60),
    "2,2,2,1 kuttsuki": ("1B 1R 2A 2R 3B 3R 4A", {}, "kuttsuki 40", 40),
    "3,2,1,1 sanbon": ("1B 1R 1C1 2A 2R 3B 4A", {}, "sanbon 20", 20),
    "3,1,1,1,1 sanbon": ("1B 1R 1C1 2A 3R 4A 5C1", {}, "sanbon 20", 20),
    "2,2,1,1,1 nothing": ("1B 1R 2A 2R 3B 4A 5C1", {}, "", 0),
    "karasu": ("1C1 2C1 3C1 4C1 5C1 6C1 7C1", {}, "karasu 40", 40),
    "karasu with the lightning": ("1C1 2C1 3C1 4C1 5C1 6C1 11C", {}, "karasu 40", 40),
    "pikaichi": ("1B 2C1 3C1 4C1 5C1 6C1 7C1", {}, "pikaichi 40", 40),
    "toichi": ("2A 1C1 3C1 4C1 5C1 6C1 7C1", {}, "toichi 30", 30),
    "tanichi": ("1R 2C1 3C1 4C1 5C1 6C1 7C1", {}, "tanichi 30", 30),
    "tan, two ribbons": ("1R 2R 3C1 4C1 5C1 6C1 7C1", {}, "tan 20", 20),
    "tan, seven ribbons": ("1R 2R 3R 4R 5R 6R 7R", {}, "tan 20", 20),
    "a bright and a ribbon": ("1B 2R 3C1 4C1 5C1 6C1 7C1", {}, "", 0),
    "H4, case 03: only the highest": (
        "12C1 12C2 12C3 2C1 3C1 5C1 6C1",
        {},
        "(sanbon 20), karasu 40",
        40,
    ),
    "H4 one per group: 20 + 40": (
        "12C1 12C2 12C3 2C1 3C1 5C1 6C1",
        GROUPS,
        "sanbon 20, karasu 40",
        60,
    ),
    "H4 of equal ones the first": (
        "1C1 1C2 2C1 2C2 3C1 3C2 4C1",
        {},
        "kuttsuki 40, (karasu 40)",
        40,
    ),
    "H4 set over chaff": ("1R 1C1 1C2 2R 2C1 4C1 4C2", {}, "haneken 70, (tan 20)", 70),
    "H5 the rain man is a bright": ("11B 2C1 3C1 4C1 5C1 6C1 7C1", {}, "pikaichi 40", 40),
    "H5 the swallow is an animal": ("11A 2C1 3C1 4C1 5C1 6C1 7C1", {}, "toichi 30", 30),
    "H5 the willow ribbon is a ribbon": ("11R 2C1 3C1 4C1 5C1 6C1 7C1", {}, "tanichi 30", 30),
    "H5 two ribbons with the willow": ("1R 11R 3C1 4C1 5C1 6C1 7C1", {}, "tan 20", 20),
    "H5 the rain man as chaff": ("11B 2C1 3C1 4C1 5C1 6C1 7C1", WILLOW, "karasu 40", 40),
    "H5 the swallow as chaff": ("2A 11A 3C1 4C1 5C1 6C1 7C1", WILLOW, "toichi 30", 30),
    "H5 the willow ribbon as chaff": ("1R 11R 3C1 4C1 5C1 6C1 7C1", WILLOW, "tanichi 30", 30),
    "H6 off: a plain triplet": ("4A 4R 4C1 1B 2A 3R 5C1", {}, "sanbon 20", 20),
    "H6 wisteria": ("4A 4R 4C1 1B 2A 3R 5C1", STANDING, "tatesanbon 30", 30),
    "H6 iris": ("5A 5R 5C1 1B 2A 3R 4C1", STANDING, "tatesanbon 30", 30),
    "H6 bush clover": ("7A 7C1 7C2 1B 2A 3R 4C1", STANDING, "tatesanbon 30", 30),
    "H6 paulownia chaff": ("12C1 12C2 12C3 1B 2A 3R 4C1", STANDING, "tatesanbon 30", 30),
    "H6 paulownia with the phoenix": ("12B 12C1 12C2 1B 2A 3R 4C1", STANDING, "sanbon 20", 20),
    "H6 pine does not stand": ("1B 1R 1C1 2A 3R 4C1 5C1", STANDING, "sanbon 20", 20),
    "H6 four wisteria are no triplet": ("4A 4R 4C1 4C2 1B 2A 3R", STANDING, "teshi 60", 60),
    "H6 one standing, one not": ("4A 4R 4C1 1B 1R 1C1 2A", STANDING, "sanbon-tatesanbon 70", 70),
    "H6 two standing": ("4A 4R 4C1 5A 5R 5C1 2A", STANDING, "futatatesanbon 80", 80),
    "H6 two plain": ("1B 1R 1C1 2A 2R 2C1 4A", STANDING, "futasanbon 60", 60),
    "H6 off: two triplets": ("4A 4R 4C1 5A 5R 5C1 2A", {}, "futasanbon 60", 60),
    "H6 a standing one and two pairs": ("4A 4R 4C1 1B 1R 2A 2R", STANDING, "haneken 70", 70),
    "H6 a standing one and four": ("4A 4R 4C1 1B 1R 1C1 1C2", STANDING, "shiso 200", 200),
}


@pytest.mark.parametrize(("hand", "rules", "expected", "value"), HANDS.values(), ids=HANDS)
def test_teyaku_found_in_the_hand(hand, rules, expected, value):
    result = answer(HH, points=PLAIN, hand={1: hand}, rules=rules)
    assert told(result, 1, "teyaku") == these(expected)
    assert result["amounts"] == [12, value - 4, -8]


VALUES = {
    "shiso": 200,
    "ichinishi": 80,
    "haneken": 70,
    "teshi": 60,
    "futasanbon": 60,
    "kuttsuki": 40,
    "sanbon": 20,
    "karasu": 40,
    "pikaichi": 40,
    "toichi": 30,
    "tanichi": 30,
    "tan": 20,
}
STANDING_VALUES = {"tatesanbon": 30, "sanbon-tatesanbon": 70, "futatatesanbon": 80}


@pytest.mark.parametrize(("key", "value"), (VALUES | STANDING_VALUES).items())
def test_teyaku_shown(key, value):
    rules = STANDING if key in STANDING_VALUES else {}
    result = answer(HH, points=PLAIN, teyaku={2: key}, rules=rules)
    assert told(result, 2, "teyaku") == {f"{key} {value}"}
    assert result["amounts"] == [12, -4, value - 8]


SHOWN = {  # (hand, shown, rules, as listed)
    "hidden though dealt": ("1B 1R 1C1 2A 3R 4A 5C1", "", {}, ""),
    "four of a kind of a four and three": ("1B 1R 1C1 1C2 2A 2R 2C1", "teshi", {}, "teshi 60"),
    "one triplet of two": ("1B 1R 1C1 2A 2R 2C1 4A", "sanbon", {}, "sanbon 20"),
    "the lesser group alone": ("12C1 12C2 12C3 2C1 3C1 5C1 6C1", "sanbon", {}, "sanbon 20"),
    "both groups, the better counts": (
        "12C1 12C2 12C3 2C1 3C1 5C1 6C1",
        "sanbon karasu",
        {},
        "(sanbon 20), karasu 40",
    ),
    "both groups count": (
        "12C1 12C2 12C3 2C1 3C1 5C1 6C1",
        "sanbon karasu",
        GROUPS,
        "sanbon 20, karasu 40",
    ),
}


@pytest.mark.parametrize(("hand", "shown", "rules", "expected"), SHOWN.values(), ids=SHOWN)
def test_only_what_is_shown_counts(hand, shown, rules, expected):
    result = answer(HH, points=PLAIN, hand={1: hand}, teyaku={1: shown}, rules=rules)
    assert told(result, 1, "teyaku") == these(expected)


def test_one_teyaku_of_each_group_without_a_hand():
    result = answer(HH, points=PLAIN, teyaku={0: "karasu sanbon"})
    assert result["amounts"] == [52, -4, -8]  # 40 + 12
    assert told(result, 0, "teyaku") == these("(sanbon 20), karasu 40")


# --- how a round is settled: rules 6.1, H1, H3, H9, H11, H14, H22 -------------------------------

# P: counted, no dekiyaku. m * (T + points - 88); zero_sum m * (2T - others' T + points - 88)
POINTS = {
    "no teyaku": ({}, 1, {}, [12, -4, -8]),
    "a teyaku is added": ({0: "karasu"}, 1, {}, [52, -4, -8]),
    "two have teyaku": ({0: "karasu", 2: "tan"}, 1, {}, [52, -4, 12]),
    "H1 doubled: 2 * (40 + 12)": ({0: "karasu"}, 2, {}, [104, -8, -16]),
    "H1 grand: 4 * (40 + 12)": ({0: "karasu"}, 4, {}, [208, -16, -32]),
    "H14 paid by each: 80 + 12, -40 - 4, -40 - 8": ({0: "karasu"}, 1, ZERO, [92, -44, -48]),
    "H14 doubled": ({0: "karasu"}, 2, ZERO, [184, -88, -96]),
    "H14 two teyaku": (  # 80-20+12; -40-20-4; 40-40-8
        {0: "karasu", 2: "tan"},
        1,
        ZERO,
        [72, -64, -8],
    ),
}


@pytest.mark.parametrize(("teyaku", "m", "rules", "expected"), POINTS.values(), ids=POINTS)
def test_counted_without_dekiyaku(teyaku, m, rules, expected):
    assert amounts(HH, points=PLAIN, teyaku=teyaku, multiplier=m, rules=rules) == expected


# E: stopped by seat 0. Its dekiyaku in full, everybody's teyaku
STOPPED = {
    "poetry ribbons": ({0: "akatan"}, {}, 1, {}, [70, 0, 0]),
    "blue ribbons": ({0: "aotan"}, {}, 1, {}, [70, 0, 0]),
    "four brights": ({0: "shiko"}, {}, 1, {}, [100, 0, 0]),
    "with the rain man": ({0: "goko"}, {}, 1, {}, [120, 0, 0]),
    "seven ribbons": ({0: "nanatan"}, {}, 1, {}, [100, 0, 0]),
    "H9 they add: 100 + 70 + 70": ({0: "nanatan akatan aotan"}, {}, 1, {}, [240, 0, 0]),
    "H9 best only": ({0: "nanatan akatan aotan"}, {}, 1, {"dekiyaku_multi": "best"}, [100, 0, 0]),
    "H3 teyaku of all": ({0: "akatan"}, {0: "tan", 1: "karasu"}, 1, {}, [90, 40, 0]),
    "H1 grand": ({0: "akatan"}, {1: "karasu"}, 4, {}, [280, 160, 0]),
    "H14 zero-sum": ({0: "akatan"}, {}, 1, ZERO, [140, -70, -70]),
    "H14 zero-sum with another's teyaku": (  # 140-40, -70+80, -70-40
        {0: "akatan"},
        {1: "karasu"},
        1,
        ZERO,
        [100, 10, -110],
    ),
    "H14 zero-sum doubled": ({0: "akatan"}, {}, 2, ZERO, [280, -140, -140]),
}


@pytest.mark.parametrize(
    ("dekiyaku", "teyaku", "m", "rules", "expected"), STOPPED.values(), ids=STOPPED
)
def test_stopped(dekiyaku, teyaku, m, rules, expected):
    said = {"end": "stopped", "stopped_by": 0, "multiplier": m}
    assert amounts(HH, dekiyaku=dekiyaku, teyaku=teyaku, rules=rules, **said) == expected


def test_h11_anothers_finished_dekiyaku_counts_nothing():
    piles = ["1R 1C1 2R 2C1 3R 3C1", "6R 6C1 9R 9C1 10R 10C1"]
    result = answer(HH, captured=dict(enumerate(piles)), end="stopped", stopped_by=0)
    assert result["amounts"] == [70, 0, 0]
    assert told(result, 1, "dekiyaku") == these("(aotan 70)")


# H: played out with somebody’s dekiyaku. Half of it, everybody's teyaku, no card points
HALVES = {
    "poetry ribbons: 35": ({0: "akatan"}, {}, 1, {}, [35, 0, 0]),
    "four brights: 50": ({1: "shiko"}, {}, 1, {}, [0, 50, 0]),
    "five brights: 60": ({1: "goko"}, {}, 1, {}, [0, 60, 0]),
    "both ribbons: 70": ({0: "akatan aotan"}, {}, 1, {}, [70, 0, 0]),
    "seven and poetry ribbons: 85": ({0: "nanatan akatan"}, {}, 1, {}, [85, 0, 0]),
    "best only: 50": ({0: "nanatan akatan"}, {}, 1, {"dekiyaku_multi": "best"}, [50, 0, 0]),
    "two players": ({0: "akatan", 1: "shiko"}, {}, 1, {}, [35, 50, 0]),
    "with teyaku": ({0: "akatan"}, {0: "tan", 2: "karasu"}, 1, {}, [55, 0, 40]),
    "H1 grand: 4 * 35": ({0: "akatan"}, {}, 4, {}, [140, 0, 0]),
    "H22 zero-sum, 35 from each": ({0: "akatan"}, {}, 1, ZERO, [70, -35, -35]),
    "H22 zero-sum, two of them: 70-35, 70-35, -35-35": (
        {0: "akatan", 1: "aotan"},
        {},
        1,
        ZERO,
        [35, 35, -70],
    ),
}


@pytest.mark.parametrize(
    ("dekiyaku", "teyaku", "m", "rules", "expected"), HALVES.values(), ids=HALVES
)
def test_counted_with_a_dekiyaku(dekiyaku, teyaku, m, rules, expected):
    assert amounts(HH, dekiyaku=dekiyaku, teyaku=teyaku, multiplier=m, rules=rules) == expected


def test_card_points_do_not_count_beside_a_dekiyaku():
    assert amounts(HH, points=PLAIN, dekiyaku={2: "aotan"}) == [0, 0, 35]


PILES = {  # dekiyaku in a pile (seed 002, Dekiyaku; case 01; H7, H8, rules 2)
    "four brights": ("1B 1C1 3B 3C1 8B 8C1 12B 12C1", "shiko 100"),
    "with the rain man: 100 + 20": ("1B 1C1 3B 3C1 8B 8C1 12B 12C1 11B 11C", "shiko 120"),
    "poetry": ("1R 1C1 2R 2C1 3R 3C1", "akatan 70"),
    "blue": ("6R 6C1 9R 9C1 10R 10C1", "aotan 70"),
    "case 01 (a): six and the willow ribbon": (
        "1R 1C1 2R 2C1 3R 3C1 4R 4C1 5R 5C1 6R 6C1 11R 11C",
        "akatan 70",
    ),
    "case 01 (b): seven": (
        "1R 1C1 2R 2C1 3R 3C1 4R 4C1 5R 5C1 6R 6C1 9R 9C1 11R 11C",
        "nanatan 100, akatan 70",
    ),
    "rules 6: seven without poetry or blue": (
        "1R 1C1 2R 2C1 4R 4C1 5R 5C1 6R 6C1 7R 7C1 9R 9C1",
        "nanatan 100",
    ),
    "all nine: 100 + 70 + 70": (
        "1R 1C1 2R 2C1 3R 3C1 4R 4C1 5R 5C1 6R 6C1 7R 7C1 9R 9C1 10R 10C1",
        "nanatan 100, akatan 70, aotan 70",
    ),
}


@pytest.mark.parametrize(("pile", "expected"), PILES.values(), ids=PILES)
def test_dekiyaku_found_in_the_pile(pile, expected):
    result = answer(HH, captured={2: pile}, end="stopped", stopped_by=2)
    assert told(result, 2, "dekiyaku") == these(expected)


def test_h7_three_brights_and_the_rain_man_are_nothing():
    # a counted round of cards: seat 0 holds 1B 3B 8B 11B, seat 1 the phoenix
    own = "1B 1C1 3B 3C1 8B 8C1 11B 11C 2A 2C1"
    other = "12B 12C1 1R 1C2 2R 2C2 6R 6C1 9R 9C1"
    result = answer(HH, captured=[own, other, "rest"])
    assert told(result, 0, "dekiyaku") == set()
    # 4*20 + 10 + 5 chaff = 95
    assert result["amounts"][0] == 7


FIVE = "1B 1C1 3B 3C1 8B 8C1 11B 11C 12B 12C1"
CLAIMED = {
    "goko is answered as shiko": ("goko", {}, "shiko 120"),
    "five counted brights make a shiko 120": ("shiko", {"counts": "5/0/0/5"}, "shiko 120"),
    "four counted brights": ("shiko", {"counts": "4/0/0/4"}, "shiko 100"),
    "goko beside the five cards": ("goko", {"captured": FIVE}, "shiko 120"),
    "shiko beside the five cards": ("shiko", {"captured": FIVE}, "shiko 120"),
}


@pytest.mark.parametrize(("key", "form", "expected"), CLAIMED.values(), ids=CLAIMED)
def test_four_brights_claimed(key, form, expected):
    own = {kind: {0: value} for kind, value in form.items()}
    result = answer(HH, dekiyaku={0: key}, end="stopped", stopped_by=0, **own)
    assert told(result, 0, "dekiyaku") == these(expected)


SEVEN = "1R 1C1 2R 2C1 4R 4C1 5R 5C1 6R 6C1 7R 7C1 9R 9C1"
EXTRA = {  # nanatan_extra: 10, each ribbon beyond the seven
    "seven": ({"captured": SEVEN}, "nanatan 100"),
    "seven and the willow ribbon": ({"captured": SEVEN + " 11R 11C"}, "nanatan 110"),
    "eight": ({"captured": SEVEN + " 3R 3C1"}, "nanatan 110, akatan 70"),
    "all ten: 100 + 30": (
        {"captured": SEVEN + " 3R 3C1 10R 10C1 11R 11C"},
        "nanatan 130, akatan 70, aotan 70",
    ),
    "by counts: nine ribbons": ({"counts": "0/0/9/9"}, "nanatan 120"),
}


@pytest.mark.parametrize(("form", "expected"), EXTRA.values(), ids=EXTRA)
def test_nanatan_extra(form, expected):
    own = {kind: {0: value} for kind, value in form.items()}
    claims = {0: "nanatan"} if "counts" in form else None
    said = {"end": "stopped", "stopped_by": 0, "dekiyaku": claims}
    result = answer(HH, rules={"nanatan_extra": 10}, **own, **said)
    assert told(result, 0, "dekiyaku") == these(expected)


def test_half_of_a_longer_seven_ribbons():
    # (100 + 2 * 10) / 2
    said = {"counts": {0: "0/0/9/9"}, "dekiyaku": {0: "nanatan"}, "rules": {"nanatan_extra": 10}}
    assert amounts(HH, **said) == [60, 0, 0]


def test_claims_are_not_checked_against_points():
    assert amounts(HH, points=[0, 132, 132], dekiyaku={0: "shiko"}) == [50, 0, 0]


SWITCHED_OFF = ["over168", "all88", "kasu16"]


@pytest.mark.parametrize("key", SWITCHED_OFF)
def test_a_special_that_is_not_played_is_ignored(key):
    assert amounts(HH, points=PLAIN, special={0: key}) == [12, -4, -8]


def test_h10_off_an_eighth_ribbon_adds_nothing():
    said = {"end": "stopped", "stopped_by": 0}
    result = answer(HH, captured={0: SEVEN + " 11R 11C"}, **said)
    assert told(result, 0, "dekiyaku") == these("nanatan 100")


# --- sage: H13 ---------------------------------------------------------------------------------

DOUBLE = {"payment": "zero_sum", "sage_penalty": "double"}
SAGE = {
    "one loser had continued: he pays both parts": ((1,), DOUBLE, [140, -140, 0]),
    "both had": ((1, 2), DOUBLE, [140, -70, -70]),
    "neither had": ((), DOUBLE, [140, -70, -70]),
    "the stopper had, which is no loser": ((0,), DOUBLE, [140, -70, -70]),
    "the stopper and one loser": ((0, 2), DOUBLE, [140, 0, -140]),
    "no penalty": ((1,), ZERO, [140, -70, -70]),
    "no penalty, adding up": ((1,), {}, [70, 0, 0]),
}


@pytest.mark.parametrize(("continued", "rules", "expected"), SAGE.values(), ids=SAGE)
def test_sage(continued, rules, expected):
    said = {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "akatan"}}
    assert amounts(HH, continued=continued, rules=rules, **said) == expected


def test_sage_doubled_by_the_field():
    said = {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "akatan"}, "field": "1B"}
    assert amounts(HH, continued=(1,), rules=DOUBLE, **said) == [280, -280, 0]


def test_a_pile_with_a_dekiyaku_in_anothers_stopped_round_counts_as_continued():
    piles = ["1R 1C1 2R 2C1 3R 3C1", "6R 6C1 9R 9C1 10R 10C1"]
    said = {"end": "stopped", "stopped_by": 0, "captured": dict(enumerate(piles))}
    assert amounts(HH, rules=DOUBLE, **said) == [140, -140, 0]


# --- specials: H12 -----------------------------------------------------------------------------

ALL = {"all88": "from_each", "over168": "on", "kasu16": "on"}
SPECIALS = {  # (form, dealer, multiplier, teyaku, rules, amounts, who, listed)
    "H12a off": ({"points": [88, 88, 88]}, 1, 1, {}, {}, [0, 0, 0], 1, ""),
    "H12a the dealer gets 100": (
        {"points": [88, 88, 88]},
        1,
        1,
        {},
        {"all88": "bonus"},
        [0, 100, 0],
        1,
        "all88 100",
    ),
    "H12a times m": (
        {"points": [88, 88, 88]},
        1,
        4,
        {},
        {"all88": "bonus"},
        [0, 400, 0],
        1,
        "all88 100",
    ),
    "H12a from each": (
        {"points": [88, 88, 88]},
        1,
        1,
        {},
        {"all88": "from_each"},
        [-100, 200, -100],
        1,
        "all88 100",
    ),
    "H12a from each, zero-sum": (
        {"points": [88, 88, 88]},
        0,
        2,
        {},
        {**ZERO, "all88": "from_each"},
        [400, -200, -200],
        0,
        "all88 100",
    ),
    "H12a not at 88/89/87": (
        {"points": [88, 89, 87]},
        0,
        1,
        {},
        {"all88": "bonus"},
        [0, 1, -1],
        0,
        "",
    ),
    "H12b off": ({"points": [170, 50, 44]}, 0, 1, {}, {}, [82, -38, -44], 0, ""),
    "H12b 168": (
        {"points": [168, 50, 46]},
        0,
        1,
        {},
        {"over168": "on"},
        [200, -100, -100],
        0,
        "over168 100",
    ),
    "H12b 167": ({"points": [167, 50, 47]}, 0, 1, {}, {"over168": "on"}, [79, -38, -41], 0, ""),
    "H12b 169: 100 + 10": (
        {"points": [169, 50, 45]},
        0,
        1,
        {},
        {"over168": "on"},
        [220, -110, -110],
        0,
        "over168 110",
    ),
    "H12b 178 in a large field: 2 * 200": (
        {"points": [44, 178, 42]},
        0,
        2,
        {},
        {"over168": "on"},
        [-400, 800, -400],
        1,
        "over168 200",
    ),
    "H12b zero-sum alike": (
        {"points": [168, 50, 46]},
        0,
        1,
        {},
        {**ZERO, "over168": "on"},
        [200, -100, -100],
        0,
        "over168 100",
    ),
    "H12c 16 chaff": (
        {"counts": ["1/3/3/16", "2/3/4/4", "2/3/3/4"]},
        0,
        1,
        {},
        {"kasu16": "on"},
        [240, -120, -120],
        0,
        "kasu16 120",
    ),
    "H12c 15 chaff": (  # 80, 94, 90: 20+30+15+15, 40+30+20+4, 40+30+15+5
        {"counts": ["1/3/3/15", "2/3/4/4", "2/3/3/5"]},
        0,
        1,
        {},
        {"kasu16": "on"},
        [-8, 6, 2],
        0,
        "",
    ),
    "H12c 17 chaff: 120 + 20": (
        {"counts": ["1/3/3/17", "2/3/4/4", "2/3/3/3"]},
        0,
        1,
        {},
        {"kasu16": "on"},
        [280, -140, -140],
        0,
        "kasu16 140",
    ),
    "H12c in a large field": (
        {"counts": ["1/3/3/17", "2/3/4/4", "2/3/3/3"]},
        0,
        2,
        {},
        {"kasu16": "on"},
        [560, -280, -280],
        0,
        "kasu16 140",
    ),
    "H12d, H12e 168 before sixteen chaff": (  # 4*20 + 9*10 = 170
        {"counts": ["4/9/0/0", "1/0/5/16", "0/0/5/8"]},
        0,
        1,
        {},
        ALL,
        [240, -120, -120],
        0,
        "over168 120",
    ),
    "H12 specials replace teyaku": (
        {"points": [168, 50, 46]},
        0,
        1,
        {1: "karasu"},
        {"over168": "on"},
        [200, -100, -100],
        0,
        "over168 100",
    ),
    "H12 specials leave teyaku": (
        {"points": [168, 50, 46]},
        0,
        1,
        {1: "karasu"},
        {"over168": "on", "specials_replace": "card_points"},
        [200, -60, -100],
        0,
        "over168 100",
    ),
    "H12 specials leave teyaku, zero-sum": (  # 200-40, -100+80, -100-40
        {"points": [168, 50, 46]},
        0,
        1,
        {1: "karasu"},
        {**ZERO, "over168": "on", "specials_replace": "card_points"},
        [160, -20, -140],
        0,
        "over168 100",
    ),
    "H12a the bonus leaves teyaku, doubled": (  # 2 * 100, 2 * 40
        {"points": [88, 88, 88]},
        0,
        2,
        {1: "karasu"},
        {"all88": "bonus", "specials_replace": "card_points"},
        [200, 80, 0],
        0,
        "all88 100",
    ),
}


@pytest.mark.parametrize(
    ("form", "dealer", "m", "teyaku", "rules", "expected", "who", "listed"),
    SPECIALS.values(),
    ids=SPECIALS,
)
def test_specials(form, dealer, m, teyaku, rules, expected, who, listed):
    said = {"dealer": dealer, "multiplier": m, "teyaku": teyaku, "rules": rules}
    result = answer(HH, **form, **said)
    assert result["amounts"] == expected
    assert told(result, who, "special") == these(listed)


def test_h12_a_teyaku_replaced_by_a_special_is_listed_uncounted():
    said = {"points": [168, 50, 46], "teyaku": {1: "karasu"}, "rules": {"over168": "on"}}
    assert told(answer(HH, **said), 1, "teyaku") == these("(karasu 40)")


SIXTEEN = {  # (kasu16_willow, what comes to seven pairs of chaff, listed)
    "face: 14 and two willows": (False, "11B 11A", ""),
    "face: 16": (False, "8C1 8C2", "kasu16 120"),
    "willow: 14 and two willows": (True, "11B 11A", "kasu16 120"),
    "willow: 14 and one": (True, "11R 6A", ""),
    "willow: 14 and four: 120 + 2*20": (True, "11B 11A 11R 11C", "kasu16 160"),
    "face: 14 and four willows are 15": (False, "11B 11A 11R 11C", ""),
}


@pytest.mark.parametrize(("willow", "more", "listed"), SIXTEEN.values(), ids=SIXTEEN)
def test_h12c_willow_in_sixteen_chaff(willow, more, listed):
    months = (1, 2, 4, 5, 7, 9, 10)
    pile = " ".join(f"{month}C{n}" for month in months for n in (1, 2)) + " " + more
    wall = "1B 1R 2R 2A 3B 3C1 3C2 6R 9R 12C1 12C2 12C3"
    rules = {"kasu16": "on", "kasu16_willow": willow}
    result = answer(HH, captured=[pile, wall, "rest"], rules=rules)
    assert told(result, 0, "special") == these(listed)


UNLOOKED = {  # sixteen chaff is not looked at, so nobody asks for chaff
    "168 applies first": {"points": [168, 50, 46], "rules": ALL},
    "all 88 applies first": {"points": [88, 88, 88], "rules": ALL},
    "a dekiyaku is about": {"points": [100, 84, 80], "dekiyaku": {0: "akatan"}, "rules": ALL},
    "a stopped round": {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "akatan"}, "rules": ALL},
}


@pytest.mark.parametrize("said", UNLOOKED.values(), ids=UNLOOKED)
def test_sixteen_chaff_asks_only_when_looked_at(said):
    assert answer(HH, **said)["amounts"] is not None


def test_specials_do_not_apply_beside_a_dekiyaku():
    said = {"points": [168, 50, 46], "dekiyaku": {0: "akatan"}, "rules": {"over168": "on"}}
    result = answer(HH, **said)
    assert result["amounts"] == [35, 0, 0]
    assert told(result, 0, "special") == set()


PAID = {  # payments where the rules do not add to nothing
    "card points: nothing is paid": ({"points": PLAIN}, []),
    "all 88, bonus: nothing is paid": ({"points": [88] * 3, "rules": {"all88": "bonus"}}, []),
    "all 88 from each": (
        {"points": [88] * 3, "rules": {"all88": "from_each"}},
        [(1, 0, 100), (2, 0, 100)],
    ),
    "168 from each": (
        {"points": [50, 168, 46], "rules": {"over168": "on"}},
        [(0, 1, 100), (2, 1, 100)],
    ),
    "sixteen chaff from each, times m": (
        {"counts": ["1/3/3/16", "2/3/4/4", "2/3/3/4"], "rules": {"kasu16": "on"}, "multiplier": 2},
        [(1, 0, 240), (2, 0, 240)],
    ),
}


@pytest.mark.parametrize(("said", "expected"), PAID.values(), ids=PAID)
def test_payments_when_points_accumulate(said, expected):
    result = answer(HH, **said)
    assert result["zero_sum"] is False
    paid = [(payment["from"], payment["to"], payment["amount"]) for payment in result["payments"]]
    assert sorted(paid) == expected


# --- winners and who starts next: H15, H16 ------------------------------------------------------

NEXT = {
    "the greatest amount": ({"points": [84, 100, 80]}, [1], 1),
    "the stopper, though another has more": (
        {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "akatan"}, "teyaku": {2: "shiso"}},
        [0],
        0,
    ),
    "a tie: earliest from the dealer": ({"points": [100, 64, 100], "dealer": 1}, [0, 2], 2),
    "a tie: the dealer stays": (
        {"points": [100, 64, 100], "dealer": 1, "rules": {"dealer_tie": "dealer_stays"}},
        [0, 2],
        1,
    ),
    "all level": ({"points": [88, 88, 88], "dealer": 2}, [], 2),
    "rotate": ({"points": PLAIN, "rules": {"next_starter": "rotate"}}, [0], 1),
    "rotate past the last seat": (
        {"points": PLAIN, "dealer": 2, "rules": {"next_starter": "rotate"}},
        [0],
        0,
    ),
    "ask": ({"points": PLAIN, "rules": {"next_starter": "ask"}}, [0], None),
}


@pytest.mark.parametrize(("said", "winners", "expected"), NEXT.values(), ids=NEXT)
def test_winners_and_next_starter(said, winners, expected):
    result = answer(HH, **said)
    assert (result["winners"], result["next_dealer"]) == (winners, expected)


def test_ask_asks_between_all():
    result = answer(HH, points=PLAIN, rules={"next_starter": "ask"})
    assert result["undecided"] == {"question": "dealer", "between": [0, 1, 2]}


# --- the whole answer --------------------------------------------------------------------------


def seat(points, score, teyaku=(), dekiyaku=(), special=()):
    return {
        "card_points": points,
        "teyaku": list(teyaku),
        "dekiyaku": list(dekiyaku),
        "special": list(special),
        "score": score,
    }


def test_whole_answer_of_a_counted_round():
    # m 4; 4*(40 + 12) = 208, 4*(-4), 4*(-8)
    result = answer(HH, points=PLAIN, field="8B 12B", teyaku={0: "sanbon karasu"})
    assert without_working(result) == {
        "game": "hachi-hachi",
        "unit": "points",
        "amounts": [208, -16, -32],
        "zero_sum": False,
        "multiplier": 4,
        "carry": [],
        "seats": [
            seat(
                100,
                208,
                [{"key": "sanbon", "value": 20, "counted": False}, {"key": "karasu", "value": 40}],
            ),
            seat(84, -16),
            seat(80, -32),
        ],
        "payments": [],
        "winners": [0],
        "next_dealer": 0,
        "undecided": None,
        "warnings": [],
    }


def test_whole_answer_of_a_stopped_zero_sum_round():
    # m 2; akatan 70: +280 -140 -140; seat 1's tan 20: -40 +80 -40
    result = answer(
        HH,
        end="stopped",
        stopped_by=2,
        dekiyaku={2: "akatan"},
        teyaku={1: "tan"},
        field="3B",
        rules=ZERO,
    )
    payments = result["payments"]
    assert without_working({**result, "payments": []}) == {
        "game": "hachi-hachi",
        "unit": "points",
        "amounts": [-180, -60, 240],
        "zero_sum": True,
        "multiplier": 2,
        "carry": [],
        "seats": [
            seat(None, -180),
            seat(None, -60, [{"key": "tan", "value": 20}]),
            seat(None, 240, (), [{"key": "akatan", "value": 70}]),
        ],
        "payments": [],
        "winners": [2],
        "next_dealer": 2,
        "undecided": None,
        "warnings": [],
    }
    assert all(payment["amount"] > 0 for payment in payments)


def test_whole_answer_of_a_special():
    result = answer(HH, points=[168, 50, 46], rules={"over168": "on"}, dealer=1)
    assert without_working(result) == {
        "game": "hachi-hachi",
        "unit": "points",
        "amounts": [200, -100, -100],
        "zero_sum": False,
        "multiplier": 1,
        "carry": [],
        "seats": [
            seat(168, 200, (), (), [{"key": "over168", "value": 100}]),
            seat(50, -100),
            seat(46, -100),
        ],
        "payments": [{"from": 1, "to": 0, "amount": 100}, {"from": 2, "to": 0, "amount": 100}],
        "winners": [0],
        "next_dealer": 0,
        "undecided": None,
        "warnings": [],
    }
