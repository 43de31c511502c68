"""Who takes a tied share and who deals after a tie (rules 3 G5, B1, B2, Y1, Y17; case 08)."""

import pytest

from .table import BAK, HH, YOK, amounts, answer

LEVEL = [88, 88, 88]
TWO = [100, 100, 64]

# (points, dealer, tie, shares)
MAKATSU = {
    "earliest from dealer 0": (TWO, 0, "turn_order", [2, -1, -1]),
    "earliest from dealer 1": (TWO, 1, "turn_order", [-1, 2, -1]),
    "earliest from dealer 2, who is not tied": (TWO, 2, "turn_order", [2, -1, -1]),
    "all level, the dealer is first": (LEVEL, 1, "turn_order", [-1, 2, -1]),
    "nobody": (TWO, 0, "nobody", [0, 0, 0]),
    "nobody, all level": (LEVEL, 0, "nobody", [0, 0, 0]),
    "each tied, n-k = 1 to each": (TWO, 0, "each_tied", [1, 1, -2]),
    "each tied, all level: nobody pays": (LEVEL, 0, "each_tied", [0, 0, 0]),
    "four players, two tied: +2 +2 -2 -2": ([80, 40, 80, 64], 0, "each_tied", [2, -2, 2, -2]),
    "four players, three tied: +1, -3": ([70, 70, 54, 70], 0, "each_tied", [1, 1, -3, 1]),
    "two players level": ([132, 132], 1, "turn_order", [-1, 1]),
    "two players level, each tied": ([132, 132], 1, "each_tied", [0, 0]),
}


@pytest.mark.parametrize(("points", "dealer", "tie", "expected"), MAKATSU.values(), ids=MAKATSU)
def test_b2_makatsu(points, dealer, tie, expected):
    rules = {"settlement": "makatsu", "tie": tie}
    assert amounts(BAK, points=points, dealer=dealer, rules=rules) == expected


YOKOHAMA = {
    "earliest from dealer 0": (TWO, 0, {}, [2, -1, -1]),
    "earliest from dealer 1": (TWO, 1, {}, [-1, 2, -1]),
    "earliest from dealer 2": (TWO, 2, {}, [2, -1, -1]),
    "all level, the dealer": (LEVEL, 2, {}, [-1, -1, 2]),
    "nobody": (TWO, 0, {"tie": "nobody"}, [0, 0, 0]),
    "each tied": (TWO, 0, {"tie": "each_tied"}, [1, 1, -2]),
    "each tied, all level": (LEVEL, 0, {"tie": "each_tied"}, [0, 0, 0]),
    "each tied, stakes 2-4-6": (TWO, 0, {"tie": "each_tied", "stakes": "2-4-6"}, [2, 2, -4]),
}


@pytest.mark.parametrize(("points", "dealer", "rules", "expected"), YOKOHAMA.values(), ids=YOKOHAMA)
def test_y1_yokohama(points, dealer, rules, expected):
    assert amounts(YOK, points=points, dealer=dealer, rules=rules) == expected


def test_y1_the_tie_is_of_adjusted_points():
    # 88 + 40 = 128, 148 - 20 = 128, 28 - 20 = 8
    said = {"points": [88, 148, 28], "teyaku": {0: "sanbon"}, "rules": {"tie": "each_tied"}}
    result = answer(YOK, **said)
    assert [seat["score"] for seat in result["seats"]] == [128, 128, 8]
    assert result["amounts"] == [1, 1, -2]


GAMES = {"makatsu": (BAK, {"settlement": "makatsu"}), "yokohama": (YOK, {})}


@pytest.mark.parametrize(("game", "rules"), GAMES.values(), ids=GAMES)
@pytest.mark.parametrize(
    ("points", "between"),
    [(TWO, [0, 1]), ([64, 100, 100], [1, 2]), (LEVEL, [0, 1, 2])],
    ids=["first two", "last two", "all"],
)
def test_ask_asks(game, rules, points, between):
    result = answer(game, points=points, rules={"tie": "ask", **rules})
    assert result["undecided"] == {"question": "tie", "between": between}
    assert (result["amounts"], result["next_dealer"]) == (None, None)
    assert (result["payments"], result["winners"]) == ([], [])


DECISIONS = {
    "the first": (TWO, 0, [2, -1, -1]),
    "the second": (TWO, 1, [-1, 2, -1]),
    "nobody": (TWO, "nobody", [0, 0, 0]),
    "each": (TWO, "each", [1, 1, -2]),
    "each, all level": (LEVEL, "each", [0, 0, 0]),
    "one of all": (LEVEL, 2, [-1, -1, 2]),
}


@pytest.mark.parametrize(("game", "rules"), GAMES.values(), ids=GAMES)
@pytest.mark.parametrize(("points", "decision", "expected"), DECISIONS.values(), ids=DECISIONS)
def test_ask_is_answered(game, rules, points, decision, expected):
    result = answer(game, points=points, decision=decision, rules={"tie": "ask", **rules})
    assert result["amounts"] == expected
    assert result["undecided"] is None


UNUSED = {
    "no tie under ask": ([100, 84, 80], {"tie": "ask"}, 2),
    "no tie, and nonsense": ([100, 84, 80], {"tie": "ask"}, "whoever"),
    "another house rule": (TWO, {"tie": "turn_order"}, 1),
}


@pytest.mark.parametrize(("points", "rules", "decision"), UNUSED.values(), ids=UNUSED)
def test_a_decision_without_a_question_is_ignored(points, rules, decision):
    assert amounts(YOK, points=points, rules=rules, decision=decision) == [2, -1, -1]


# Bakappana by par: (points, dealer, dealer_tie, next dealer)
DEALER = {
    "turn order, the tied dealer stays": (TWO, 1, "turn_order", 1),
    "turn order, earliest from an untied dealer": (TWO, 2, "turn_order", 0),
    "turn order, round the table": ([100, 64, 100], 1, "turn_order", 2),
    "dealer stays, tied": (TWO, 1, "dealer_stays", 1),
    "dealer stays, not among the tied": (TWO, 2, "dealer_stays", 2),
    "ask": (TWO, 0, "ask", None),
    "no tie: turn order is not asked": ([84, 100, 80], 0, "turn_order", 1),
    "no tie: the dealer does not stay": ([84, 100, 80], 0, "dealer_stays", 1),
    "no tie: nobody is asked": ([84, 100, 80], 0, "ask", 1),
}


@pytest.mark.parametrize(
    ("points", "dealer", "dealer_tie", "expected"), DEALER.values(), ids=DEALER
)
def test_b1_dealer_tie(points, dealer, dealer_tie, expected):
    result = answer(BAK, points=points, dealer=dealer, rules={"dealer_tie": dealer_tie})
    assert result["next_dealer"] == expected


ASKED = {
    "bakappana, most card points": (BAK, {"points": [100, 64, 100]}, {}, [12, -24, 12], [0, 2]),
    "yokohama, each tied": (
        YOK,
        {"points": [100, 64, 100]},
        {"tie": "each_tied"},
        [1, -2, 1],
        [0, 2],
    ),
    "yokohama, all level at 0": (YOK, {"points": TWO}, {"tie": "nobody"}, [0, 0, 0], [0, 1, 2]),
    "Y17 two dandruffs": (YOK, {"points": [15, 237, 12]}, {}, [2, -4, 2], [0, 2]),
    "hachi-hachi, greatest amount": (HH, {"points": [100, 64, 100]}, {}, [12, -24, 12], [0, 2]),
}


@pytest.mark.parametrize(
    ("game", "said", "rules", "expected", "between"), ASKED.values(), ids=ASKED
)
def test_dealer_tie_asks(game, said, rules, expected, between):
    result = answer(game, rules={"dealer_tie": "ask", **rules}, **said)
    assert result["amounts"] == expected
    assert result["undecided"] == {"question": "dealer", "between": between}
    assert result["next_dealer"] is None


def test_a_share_taken_by_turn_order_makes_the_dealer_clear():
    # seat 1 takes the tied share, so it alone has most shares
    result = answer(YOK, points=TWO, dealer=1, rules={"dealer_tie": "ask"})
    assert (result["next_dealer"], result["undecided"]) == (1, None)


@pytest.mark.parametrize(
    ("points", "winners"),
    [([150, 94, 20], [0]), (TWO, [0, 1]), (LEVEL, [])],
    ids=["one leads", "two share", "all level: nobody"],
)
def test_case_08_winners(points, winners):
    assert answer(BAK, points=points)["winners"] == winners
