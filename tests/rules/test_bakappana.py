"""Bakappana: card points and five ways to settle them (seed 000, rules 4)."""

import pytest

from .table import BAK, amounts, answer, without_working

# points of each seat; amount = points - T/n
PAR = {
    "seed 000: three players, par 264/3 = 88": ([100, 84, 80], {}, [12, -4, -8]),
    "seed 000: two players, par 264/2 = 132": ([140, 124], {}, [8, -8]),
    "seed 000: four players, par 264/4 = 66": ([80, 70, 60, 54], {}, [14, 4, -6, -12]),
    "seed 000, 88 vs 80: three players, par 80": ([95, 80, 65], {"chaff": 0}, [15, 0, -15]),
    "seed 000, 88 vs 80: two players, par 120": ([150, 90], {"chaff": 0}, [30, -30]),
    "seed 000, 88 vs 80: four players, par 60": ([90, 60, 55, 35], {"chaff": 0}, [30, 0, -5, -25]),
    "everyone at par": ([88, 88, 88], {}, [0, 0, 0]),
    "one takes all: 264 - 88": ([264, 0, 0], {}, [176, -88, -88]),
    "ten-card hand is settled alike": ([140, 124], {"two_player_end": "ten_card"}, [8, -8]),
    "two_player_end has no effect for three": (
        [100, 84, 80],
        {"two_player_end": "hands_empty"},
        [12, -4, -8],
    ),
    "case 10: A D E": ([70, 104, 90], {}, [-18, 16, 2]),
    "case 12: round 2 corrected": ([98, 82, 84], {}, [10, -6, -4]),
}


@pytest.mark.parametrize(("points", "rules", "expected"), PAR.values(), ids=PAR)
def test_par(points, rules, expected):
    assert amounts(BAK, points=points, rules=rules) == expected


# 20+40+15+12 = 87; 40+30+20+7 = 97; 40+20+15+5 = 80. Without the chaff 75, 90, 75.
COUNTED = ["1/4/3/12", "2/3/4/7", "2/2/3/5"]


@pytest.mark.parametrize(
    ("chaff", "points", "expected"),
    [(1, [87, 97, 80], [-1, 9, -8]), (0, [75, 90, 75], [-5, 10, -5])],
    ids=["88 game", "80 game"],
)
def test_card_values(chaff, points, expected):
    result = answer(BAK, counts=COUNTED, rules={"chaff": chaff})
    assert [seat["card_points"] for seat in result["seats"]] == points
    assert result["amounts"] == expected


@pytest.mark.parametrize(
    ("card", "in_88", "in_80"),
    [("11B", 20, 20), ("9A", 10, 10), ("11R", 5, 5), ("11C", 1, 0), ("12C1", 1, 0)],
    ids=[
        "rain man is a bright",
        "sake cup is an animal (case 02)",
        "willow ribbon",
        "lightning is chaff",
        "yellow paulownia is chaff",
    ],
)
@pytest.mark.parametrize("chaff", [1, 0])
def test_one_card(card, in_88, in_80, chaff):
    rules = {"settlement": "additive", "two_player_end": "hands_empty", "chaff": chaff}
    result = answer(BAK, captured=[card, "1R 1C1"], rules=rules)
    assert result["amounts"] == [in_88 if chaff else in_80, 5 + chaff]


# rules 4.1, the worked table: n*s - sum(s) with s as the method says
SANJU = {
    "99/90/75": ([99, 90, 75], 1, [2, 2, -4], [3, 0, -3], [2, 1, -3]),
    "100/88/76": ([100, 88, 76], 1, [5, -1, -4], [3, 0, -3], [3, 0, -3]),
    "95/88/81": ([95, 88, 81], 1, [2, -1, -1], [2, -1, -1], [1, 0, -1]),
    "120/89/55": ([120, 89, 55], 1, [11, -1, -10], [9, 0, -9], [9, 0, -9]),
    "95/80/65 in the 80 game": ([95, 80, 65], 0, [4, 1, -5], [5, -1, -4], [4, 0, -4]),
    "140/124": ([140, 124], 1, [2, -2], [1, -1], [1, -1]),
    "135/129": ([135, 129], 1, [1, -1], [0, 0], [0, 0]),
    "80/70/60/54": ([80, 70, 60, 54], 1, [6, 2, -2, -6], [5, 1, -3, -3], [5, 1, -3, -3]),
    "88/88/88": ([88, 88, 88], 1, [0, 0, 0], [0, 0, 0], [0, 0, 0]),
    # case 06. In pairs: 104-95 = 9 -> 0; 104-65 = 39 -> 3; 95-65 = 30 -> 3
    "case 06: 104/95/65": ([104, 95, 65], 1, [5, 2, -7], [3, 3, -6], [3, 3, -6]),
}
METHODS = ("floor_each", "subtract_lowest", "pairwise")


@pytest.mark.parametrize(
    ("points", "chaff", "method", "expected"),
    [
        pytest.param(row[0], row[1], method, row[2 + column], id=f"{name}, {method}")
        for name, row in SANJU.items()
        for column, method in enumerate(METHODS)
    ],
)
def test_sanju_sen_me(points, chaff, method, expected):
    rules = {"settlement": "sanju-sen-me", "sanju_method": method, "chaff": chaff}
    assert amounts(BAK, points=points, rules=rules) == expected


def test_sanju_sen_me_floors_each_unless_told_otherwise():
    assert amounts(BAK, points=[104, 95, 65], rules={"settlement": "sanju-sen-me"}) == [5, 2, -7]


SETTLEMENTS = {
    "additive, seed 000": ("additive", [100, 84, 80], [100, 84, 80]),
    "makatsu, three players, seed 000": ("makatsu", [84, 100, 80], [-1, 2, -1]),
    "makatsu, two players, rules B3": ("makatsu", [124, 140], [-1, 1]),
    "makatsu, four players, rules B3": ("makatsu", [54, 60, 70, 80], [-1, -1, -1, 3]),
    "difference, rules B6": ("difference", [140, 124], [16, -16]),
    "difference, the second leads": ("difference", [124, 140], [-16, 16]),
    "difference, level": ("difference", [132, 132], [0, 0]),
}


@pytest.mark.parametrize(
    ("settlement", "points", "expected"), SETTLEMENTS.values(), ids=SETTLEMENTS
)
def test_settlement(settlement, points, expected):
    assert amounts(BAK, points=points, rules={"settlement": settlement}) == expected


# eight cards stay in the pile: 130 + 110 = 240, 24 below 264
HANDS_EMPTY = {
    "additive": [130, 110],
    "makatsu": [1, -1],
    "sanju-sen-me": [2, -2],  # 13 and 11: 2*13 - 24
    "difference": [20, -20],
}


@pytest.mark.parametrize(("settlement", "expected"), HANDS_EMPTY.items(), ids=HANDS_EMPTY)
def test_hands_empty_needs_no_whole_deck(settlement, expected):
    rules = {"settlement": settlement, "two_player_end": "hands_empty"}
    assert amounts(BAK, points=[130, 110], rules=rules) == expected


UNITS = {
    "par": ("points", True),
    "additive": ("points", False),
    "makatsu": ("shares", True),
    "sanju-sen-me": ("shares", True),
}


@pytest.mark.parametrize(("settlement", "expected"), UNITS.items(), ids=UNITS)
def test_unit_and_zero_sum(settlement, expected):
    result = answer(BAK, points=[100, 84, 80], rules={"settlement": settlement})
    assert (result["unit"], result["zero_sum"]) == expected


@pytest.mark.parametrize(
    ("points", "dealer", "winners", "next_dealer"),
    [([84, 100, 80], 0, [1], 1), ([100, 100, 64], 2, [0, 1], 0), ([88, 88, 88], 1, [], 1)],
    ids=[
        "most card points",
        "two lead: both win, earliest from the dealer deals",
        "all level: no winner, the tied dealer stays",
    ],
)
def test_winners_and_next_dealer(points, dealer, winners, next_dealer):
    result = answer(BAK, points=points, dealer=dealer)
    assert (result["winners"], result["next_dealer"]) == (winners, next_dealer)


def test_yaku_fields_are_ignored_in_a_game_without_yaku():
    said = {"teyaku": {0: "sanbon"}, "dekiyaku": {1: "no-such-yaku"}, "special": {2: "fuke"}}
    result = answer(BAK, points=[100, 84, 80], **said)
    assert result["amounts"] == [12, -4, -8]
    assert [seat["teyaku"] + seat["dekiyaku"] + seat["special"] for seat in result["seats"]] == [
        [],
        [],
        [],
    ]


@pytest.mark.parametrize("field", ["field", "carried", "decision"])
def test_fields_without_a_use_are_ignored(field):
    assert amounts(BAK, points=[100, 84, 80], **{field: "8B"}) == [12, -4, -8]


def seat(points, score):
    return {"card_points": points, "teyaku": [], "dekiyaku": [], "special": [], "score": score}


def test_whole_answer_by_par():
    result = answer(BAK, points=[100, 84, 80], dealer=1)
    assert result["payments"]
    assert all(payment["for"] for payment in result["payments"])
    assert without_working(result) == {
        "game": "bakappana",
        "unit": "points",
        "amounts": [12, -4, -8],
        "zero_sum": True,
        "multiplier": 1,
        "carry": [],
        "seats": [seat(100, 100), seat(84, 84), seat(80, 80)],
        "payments": [{"from": 1, "to": 0, "amount": 4}, {"from": 2, "to": 0, "amount": 8}],
        "winners": [0],
        "next_dealer": 0,
        "undecided": None,
        "warnings": [],
    }


def test_whole_answer_by_addition():
    assert without_working(answer(BAK, points=[80, 184], rules={"settlement": "additive"})) == {
        "game": "bakappana",
        "unit": "points",
        "amounts": [80, 184],
        "zero_sum": False,
        "multiplier": 1,
        "carry": [],
        "seats": [seat(80, 80), seat(184, 184)],
        "payments": [],
        "winners": [1],
        "next_dealer": 1,
        "undecided": None,
        "warnings": [],
    }


def test_whole_answer_of_a_misdeal():
    assert without_working(answer(BAK, seats=4, end="void", dealer=3)) == {
        "game": "bakappana",
        "unit": "points",
        "amounts": [0, 0, 0, 0],
        "zero_sum": True,
        "multiplier": 1,
        "carry": [],
        "seats": [seat(None, None)] * 4,
        "payments": [],
        "winners": [],
        "next_dealer": 3,
        "undecided": None,
        "warnings": [],
    }


def test_a_void_round_does_not_look_at_the_piles():
    said = {"points": {0: -7}, "captured": {1: "99Z"}}
    assert amounts(BAK, seats=2, end="void", **said) == [0, 0]
