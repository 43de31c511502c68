"""The working: lines a player reads, made of the numbers of the answer (the contract, `working`).

Only numbers, names and the presence of lines are looked at; the wording is free.
"""

import re

import pytest

from scorekeeper.rules.sentence import Signed, shown

from .table import BAK, HH, KAGA, YOK, answer, settle

ROUNDS = {
    "bakappana by par": (BAK, {"points": [100, 84, 80]}),
    "bakappana by addition": (BAK, {"points": [100, 84, 80], "rules": {"settlement": "additive"}}),
    "makatsu": (BAK, {"points": [100, 84, 80], "rules": {"settlement": "makatsu"}}),
    "sanju-sen-me": (BAK, {"points": [104, 95, 65], "rules": {"settlement": "sanju-sen-me"}}),
    "four players": (BAK, {"points": [80, 70, 60, 54]}),
    "yokohama, the contract's": (YOK, {"points": [104, 84, "rest"], "teyaku": {0: "sanbon"}}),
    "yokohama, stopped": (YOK, {"end": "stopped", "stopped_by": 1, "dekiyaku": {1: "akatan"}}),
    "yokohama, special": (YOK, {"points": [15, 150, 99]}),
    "hachi-hachi, counted": (
        HH,
        {"points": [100, 84, 80], "field": "8B 12B", "teyaku": {0: "karasu"}},
    ),
    "hachi-hachi, stopped": (HH, {"end": "stopped", "stopped_by": 2, "dekiyaku": {2: "aotan"}}),
    "hachi-hachi, halves": (HH, {"dekiyaku": {1: "shiko"}}),
    "hachi-hachi, zero-sum": (
        HH,
        {"points": [100, 84, 80], "teyaku": {1: "tan"}, "rules": {"payment": "zero_sum"}},
    ),
    "kaga": (KAGA, {"points": [40, 20], "teyaku": {0: "teshi"}}),
}
EVERY = pytest.mark.parametrize(("game", "said"), ROUNDS.values(), ids=ROUNDS)


def working(game, **said):
    return answer(game, **said)["working"]


def text(lines):
    return "\n".join(lines).replace("−", "-")


def numbers(line):
    return {int(number) for number in re.findall(r"\d+", line.replace(",", ""))}


@EVERY
def test_is_lines(game, said):
    lines = working(game, **said)
    assert isinstance(lines, list)
    assert lines
    assert all(isinstance(line, str) and line.strip() for line in lines)


@EVERY
def test_names_every_player(game, said):
    result = answer(game, **said)
    for name in ("Aki", "Ben", "Chie", "Dan")[: len(result["seats"])]:
        assert name in text(result["working"])


@EVERY
def test_says_every_amount(game, said):
    result = answer(game, **said)
    assert {abs(amount) for amount in result["amounts"]} <= numbers(text(result["working"]))


@EVERY
def test_ends_with_the_check_of_the_sum(game, said):
    result = answer(game, **said)
    amounts = result["amounts"]
    assert {abs(amount) for amount in amounts} | {abs(sum(amounts))} <= numbers(
        result["working"][-1].replace("−", "-")
    )


def test_players_without_a_name_are_numbered():
    document = {"game": BAK, "seats": [{"points": 100}, {"points": 84}, {"points": 80}]}
    assert all(f"Player {n}" in text(settle(document)["working"]) for n in (1, 2, 3))


NAMED = re.compile("Aki|Ben|Chie")
ARITHMETIC = {
    "points minus par": (BAK, [100, 88, 12], {"points": [100, 84, 80]}),
    "counts times values": (  # 20 + 40 + 15 + 12
        BAK,
        [87, 1, 4, 3, 12],
        {"counts": ["1/4/3/12", "2/3/4/7", "2/2/3/5"]},
    ),
    "teyaku of a yokohama winner": (
        YOK,
        [104, 144],
        {"points": [104, 84, "rest"], "teyaku": {0: "sanbon"}},
    ),
    "teyaku of a yokohama loser": (
        YOK,
        [84, 64],
        {"points": [104, 84, "rest"], "teyaku": {0: "sanbon"}},
    ),
    "units of ten": (
        BAK,
        [104, 10],
        {"points": [104, 95, 65], "rules": {"settlement": "sanju-sen-me"}},
    ),
    "times the field": (HH, [4, 48], {"points": [100, 84, 80], "field": "12B"}),
    "half a dekiyaku": (HH, [70, 35], {"dekiyaku": {0: "akatan"}}),
    "the total and difference of kaga": (  # 40 + 100 = 140, 140 - 20 = 120
        KAGA,
        [40, 100, 140, 120],
        {"points": [40, 20], "teyaku": {0: "teshi"}},
    ),
}


@pytest.mark.parametrize(("game", "expected", "said"), ARITHMETIC.values(), ids=ARITHMETIC)
def test_shows_the_arithmetic(game, expected, said):
    lines = working(game, **said)
    player = "Ben" if 64 in expected else "Aki"
    about = [line for line in lines if player in line or not NAMED.search(line)]
    assert set(expected) <= numbers(text(about))


def test_minus_what_stands_in_one_line():
    lines = working(KAGA, points=[40, 20], teyaku={0: "teshi"})
    assert any({140, 20, 120} <= numbers(line) for line in lines)  # 140 - 20 = 120


def test_the_contracts_example():
    lines = text(working(YOK, points=[104, 84, "rest"], teyaku={0: "sanbon"}))
    assert {104, 144, 84, 64, 76, 56} <= numbers(lines)
    assert any("Aki" in line and 144 in numbers(line) for line in lines.splitlines())


TRIPLET = "12C1 12C2 12C3 2C1 3C1 5C1 6C1"  # sanbon 20 and karasu 40
PLAIN = {"points": [100, 84, 80]}
UNCOUNTED = {  # a teyaku that does not count: (game, round with it, round without it)
    "hidden": (
        YOK,
        {**PLAIN, "hand": {1: TRIPLET}, "teyaku": {1: ""}},
        {**PLAIN, "teyaku": {1: ""}},
    ),
    "hidden in kaga": (
        KAGA,
        {"points": [40, 20], "hand": {1: "1B 1R 1C1 1C2 2A 2R 3B 3R"}, "teyaku": {1: ""}},
        {"points": [40, 20]},
    ),
    "the lesser group": (
        HH,
        {**PLAIN, "teyaku": {1: "sanbon karasu"}},
        {**PLAIN, "teyaku": {1: "karasu"}},
    ),
    "void in a stopped round": (
        YOK,
        {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "aotan"}, "teyaku": {1: "aka"}},
        {"end": "stopped", "stopped_by": 0, "dekiyaku": {0: "aotan"}},
    ),
    "void beside a special yaku": (
        YOK,
        {"points": [15, 150, 99], "teyaku": {1: "aka"}},
        {"points": [15, 150, 99]},
    ),
    "replaced by a special": (
        HH,
        {"points": [168, 50, 46], "teyaku": {1: "tan"}, "rules": {"over168": "on"}},
        {"points": [168, 50, 46], "rules": {"over168": "on"}},
    ),
}


@pytest.mark.parametrize(("game", "held", "without"), UNCOUNTED.values(), ids=UNCOUNTED)
def test_a_teyaku_that_does_not_count_is_explained(game, held, without):
    more = [line for line in working(game, **held) if line not in working(game, **without)]
    assert any("Ben" in line for line in more)
    assert answer(game, **held)["amounts"] == answer(game, **without)["amounts"]


TIES = {
    "makatsu": (BAK, {"settlement": "makatsu"}),
    "yokohama": (YOK, {}),
}


@pytest.mark.parametrize(("game", "rules"), TIES.values(), ids=TIES)
@pytest.mark.parametrize("tie", ["turn_order", "nobody", "each_tied"])
def test_a_tie_is_explained(game, rules, tie):
    tied = working(game, points=[100, 100, 64], rules={"tie": tie, **rules})
    assert any("Aki" in line and "Ben" in line for line in tied[:-1])


@pytest.mark.parametrize(("game", "rules"), TIES.values(), ids=TIES)
def test_each_house_rule_for_a_tie_is_named(game, rules):
    # the amounts are alike, the house rule is not
    said = ({"tie": "nobody"}, {"tie": "each_tied"})
    told = [text(working(game, points=[88, 88, 88], rules={**rules, **tie})) for tie in said]
    assert told[0] != told[1]


def test_a_dealer_tie_is_explained():
    rules = ({"dealer_tie": "turn_order"}, {"dealer_tie": "dealer_stays"})
    told = [text(working(BAK, points=[100, 100, 64], rules=rule)) for rule in rules]
    assert told[0] != told[1]


def test_a_void_round_has_words_too():
    assert working(HH, end="void")


def test_a_field_that_does_not_multiply_is_not_spoken_of():
    assert not any("×" in line for line in working(HH, points=[100, 84, 80], field="1R 2A"))


def test_only_the_teyaku_that_was_hidden_is_called_so():
    said = {"points": [0, 50], "teyaku": {0: "teshi"}}
    hand = {0: "12B 12C1 12C2 12C3 1C1 2C1 3C1 4C1"}  # teshi and karasu
    more = set(working(KAGA, hand=hand, **said)) - set(working(KAGA, **said))
    assert len(more) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1, "1"), (-1, "−1"), (Signed(0), "0"), (Signed(1), "+1"), (Signed(-1), "−1")],
    ids=repr,
)
def test_signs(value, text):
    assert shown(value) == text


def test_two_who_are_level_have_nothing_over_each_other():
    rules = {"settlement": "sanju-sen-me", "sanju_method": "pairwise"}
    lines = working(BAK, points=[88, 88, 88], rules=rules)
    assert "Aki, Ben are level: 0" in lines
    assert not any("over" in line for line in lines)
