"""One round, many ways to write it down (the contract, "Cards" and "A round"; case 18)."""

import pytest

from .table import (
    BAK,
    CHAFF,
    HH,
    KAGA,
    YOK,
    amounts,
    answer,
    refused,
    round_of,
    settle,
    without_working,
)

# A counted round without yaku; every player holds 0, 2 or 4 cards of a month.
# 20+20 + 10*3 + 5*3 + 10; 20+20 + 10*3 + 5*4 + 5; 20 + 10*3 + 5*3 + 9
PILES = [
    "1B 1R 3B 3C1 2A 2C1 4A 4R 5A 5C1 6R 6C1 7C1 7C2 8C1 8C2 9C1 9C2",
    "8B 8A 12B 12C1 1C1 1C2 2R 2C2 7A 7R 9A 9R 3R 3C2",
    "11B 11A 11R 11C 6A 6C2 10A 10R 10C1 10C2 5R 5C2 4C1 4C2 12C2 12C3",
]


def kinds(pile):
    return ["".join(filter(str.isalpha, card))[0] for card in pile.split()]


def as_counts(pile):
    found = kinds(pile)
    return "/".join(str(found.count(kind)) for kind in "BARC")


def as_named(pile):
    named = [card for card in pile.split() if card not in CHAFF]
    return f"{' '.join(named)} + {kinds(pile).count('C')}"


def as_points(pile):
    return sum({"B": 20, "A": 10, "R": 5, "C": 1}[kind] for kind in kinds(pile))


WRITTEN = {
    "captured": PILES,
    "counts": [as_counts(pile) for pile in PILES],
    "named": [as_named(pile) for pile in PILES],
    "points": [as_points(pile) for pile in PILES],
}


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("game", [BAK, YOK, HH])
def test_every_form_answers_alike(game, form):
    spelled = answer(game, captured=PILES)
    other = answer(game, **{form: WRITTEN[form]})
    for part in ("amounts", "seats", "winners", "next_dealer", "zero_sum"):
        assert other[part] == spelled[part]


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("game", [BAK, YOK, HH])
def test_rest_is_what_the_others_leave(game, seat, form):
    spelled = answer(game, **{form: WRITTEN[form]})
    filled = [*WRITTEN[form]]
    filled[seat] = "rest"
    assert without_working(answer(game, **{form: filled})) == without_working(spelled)


@pytest.mark.parametrize(
    "forms",
    [
        ("captured", "counts", "named"),
        ("points", "captured", "counts"),
        ("named", "points", "captured"),
        ("counts", "named", "points"),
    ],
    ids="-".join,
)
def test_every_seat_in_a_form_of_its_own(forms):
    document = round_of(YOK, seats=3)
    for seat, form in enumerate(forms):
        mine = round_of(YOK, seats=3, **{form: {seat: WRITTEN[form][seat]}})
        document["seats"][seat] = mine["seats"][seat]
    assert settle(document)["amounts"] == amounts(YOK, captured=PILES)


def test_rest_of_two():
    assert amounts(BAK, points=[140, "rest"]) == [8, -8]


def test_rest_of_kaga():
    rules = {"two_player_end": "drain"}
    assert amounts(KAGA, points=[45, "rest"], rules=rules) == [20, -20]


POETRY = "1R 1C1 2R 2C1 3R 3C1"


@pytest.mark.parametrize(
    "said",
    [
        {"captured": {0: POETRY}},
        {"captured": {0: POETRY}, "dekiyaku": {0: "akatan"}},
        {"named": {0: "1R 2R 3R + 3"}},
        {"counts": {0: "0/0/3/3"}, "dekiyaku": {0: "akatan"}},
        {"points": {0: 18}, "dekiyaku": {0: "akatan"}},
        {"dekiyaku": {0: "akatan"}},
    ],
    ids=[
        "found",
        "found and claimed",
        "found among the named",
        "claimed beside counts",
        "claimed beside points",
        "claimed alone",
    ],
)
def test_a_dekiyaku_found_or_claimed(said):
    result = answer(HH, end="stopped", stopped_by=0, **said)
    assert result["amounts"] == [70, 0, 0]
    assert result["seats"][0]["dekiyaku"] == [{"key": "akatan", "value": 70}]


CARDS = {
    "canonical": "1B 3B 8B 12B 11C",
    "leading zeros": "01B 03B 008B 12B 11C",
    "lower case": "1b 3b 8b 12b 11c",
    "commas": "1B,3B, 8B ,12B,11C",
    "full-width digits": "１B ３B ８B １２B １１C",
    "a list": ["1B", "3B", "8B", "12B", "11C"],
    "11C1 is the lightning": "1B 3B 8B 12B 11C1",
    "another order": "11C 12B 8B 3B 1B",
    "more spaces": "  1B  3B 8B\t12B\n11C ",
    "all of it": ["01b", "３b", "8B", "１２B", "11c1"],
}


@pytest.mark.parametrize("cards", CARDS.values(), ids=CARDS)
def test_cards_are_read_forgivingly(cards):
    result = answer(HH, captured={0: cards}, end="stopped", stopped_by=0)
    assert result["seats"][0]["card_points"] == 81
    assert result["seats"][0]["dekiyaku"] == [{"key": "shiko", "value": 100}]


def test_cards_are_written_canonically():
    # the message names the card, however it was typed
    error = refused(round_of(HH, captured={0: "011c1, 11C"}, end="stopped", stopped_by=0))
    assert (error.code, "11C" in error.message) == ("card_twice", True)


@pytest.mark.parametrize(
    "hand",
    ["01c1,02C1,3c1 ４C1 5C1 6C1 11C1", ["1C1", "2C1", "3C1", "4C1", "5C1", "6C1", "11C"]],
    ids=["text", "list"],
)
def test_a_hand_is_read_as_forgivingly(hand):
    assert amounts(HH, points=[88, 88, 88], hand={0: hand}) == [40, 0, 0]


@pytest.mark.parametrize("field", ["08b １２B", ["8B", "12B"], "8B,12B"], ids=["text", "list", ","])
def test_a_field_is_read_as_forgivingly(field):
    assert answer(HH, points=[88, 88, 88], field=field)["multiplier"] == 4


POINTS = {
    "numbers": [104, 95, 65],
    "case 18: full-width digits": ["１０４", "９５", "６５"],
    "digits as text": ["104", "95", "65"],
    "mixed widths": ["1０4", 95, "６5"],
}


@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_points_are_read_in_any_width(points):
    assert amounts(BAK, points=points) == [16, 7, -23]


def test_case_18_zero_is_a_score():
    result = answer(BAK, points=[264, 0, "0"])
    assert [seat["card_points"] for seat in result["seats"]] == [264, 0, 0]


def months(result):
    return [
        (warning["code"], warning["seat"], warning.get("month")) for warning in result["warnings"]
    ]


def swapped(first, second):
    """PILES with two cards changed between players."""
    change = {first: second, second: first}
    return [" ".join(change.get(card, card) for card in pile.split()) for pile in PILES]


def test_no_warning_for_a_round_that_can_be():
    assert answer(BAK, captured=PILES)["warnings"] == []


# 6R (seat 0) for 4C1 (seat 2): seat 0 holds three of month 4 and one of month 6, seat 2 the others
ODD = swapped("6R", "4C1")
ODD_MONTHS = [("odd_month", 0, 4), ("odd_month", 0, 6), ("odd_month", 2, 4), ("odd_month", 2, 6)]


@pytest.mark.parametrize(
    "piles",
    [ODD, [ODD[0], ODD[1], "rest"], ["rest", ODD[1], ODD[2]]],
    ids=["given", "third by rest", "first by rest"],
)
def test_odd_months(piles):
    result = answer(BAK, captured=piles)
    assert sorted(months(result)) == ODD_MONTHS
    assert all(warning["message"] for warning in result["warnings"])


def test_odd_month_in_a_stopped_round():
    said = {"end": "stopped", "stopped_by": 0, "captured": {0: "1R 2R 3R 3C1"}}
    assert sorted(months(answer(HH, **said))) == [("odd_month", 0, 1), ("odd_month", 0, 2)]


# 48 cards of 17, 14 and 17
ODD_COUNTS = ["2/3/3/9", "2/3/4/5", "1/3/3/10"]


@pytest.mark.parametrize(
    "counted", [ODD_COUNTS, [*ODD_COUNTS[:2], "rest"]], ids=["given", "third by rest"]
)
def test_odd_piles_of_counts(counted):
    result = answer(BAK, counts=counted)
    assert months(result) == [("odd_pile", 0, None), ("odd_pile", 2, None)]
    assert all("month" not in warning for warning in result["warnings"])


def test_odd_pile_of_named_cards_with_chaff():
    # seat 0 and 2 with a chaff more and less than PILES
    named = list(WRITTEN["named"])
    for seat, more in ((0, 1), (2, -1)):
        cards, _, chaff = named[seat].partition("+")
        named[seat] = f"{cards}+ {int(chaff) + more}"
    assert months(answer(BAK, named=named)) == [("odd_pile", 0, None), ("odd_pile", 2, None)]


def test_a_warning_stops_nothing():
    # 6R for 4C1: seat 0 loses 4 points, seat 2 gains them
    before, after = answer(BAK, captured=PILES), answer(BAK, captured=ODD)
    assert [b - a for a, b in zip(before["amounts"], after["amounts"], strict=True)] == [-4, 0, 4]


# --- Which chaff it is ----------------------------------------------------------------------------


def test_chaff_that_another_has_is_not_asked_for():
    # Aki's four chaff: two of wisteria are Ben's, so the wisteria is not whole
    rules = {"settlement": "additive", "two_player_end": "hands_empty"}
    said = {"named": {0: "4A 4R + 4"}, "captured": {1: "4C1 4C2"}}
    assert amounts("hana-awase", seats=2, rules=rules, **said) == [10 + 5 + 4, 2]


def test_chaff_too_few_for_a_whole_month_is_not_asked_for():
    # Ben's peony lacks two chaff, and he has one
    said = {"captured": {0: "12B 12C1 12C2 12C3"}, "named": {1: "5A 6A 6R + 1"}}
    assert amounts(KAGA, **said) == [20 + 3 * 5 + 20, -55]


def test_chaff_that_is_all_worth_the_same_is_not_asked_for():
    # Ben has the three chaff that count in Kaga
    said = {"named": {0: "1B 2R + 3"}, "captured": {1: "12B 12C1 12C2 12C3"}}
    assert answer(KAGA, **said)["seats"][0]["card_points"] == 0


def test_a_rain_man_among_counted_brights_is_no_chaff_until_somebody_says_so():
    said = {"counts": ["5/4/6/13", "0/2/1/1", "0/3/3/10"]}
    assert answer(YOK, **said)["seats"][0]["special"] == []
    claimed = answer(YOK, special={0: "sujushi"}, **said)
    assert [yaku["key"] for yaku in claimed["seats"][0]["special"]] == ["sujushi"]


@pytest.mark.parametrize("name", ["", "  ", "\t\n", None])
def test_a_name_that_shows_nothing(name):
    document = round_of(BAK, points=[100, 84, 80])
    document["seats"][0]["name"] = name
    assert settle(document)["working"][0].startswith("Player 1, ")
