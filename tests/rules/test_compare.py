"""The same round under every other settlement of its game that its data allows."""

import random

import pytest

from scorekeeper.rules import RuleError
from scorekeeper.rules.compare import at_issue, compare
from scorekeeper.rules.games import GAMES

from .table import BAK, HH, KAGA, YOK, round_of, settle

HANA = "hana-awase"


def others(game, **said):
    """What `compare` finds, as {"settlement makatsu, tie nobody": [2, -1, -1]}."""
    return {
        ", ".join(f"{key} {value}" for key, value in other.rules.items()): other.amounts
        for other in compare(round_of(game, **said))
    }


COUNTS = ["1/4/3/12", "2/3/4/7", "2/2/3/5"]  # 87 97 80; without chaff 75 90 75

# 8, 9 and 6 full tens; of 75 90 75: 7, 9 and 7; less the lowest 80: 0, 1 and 0 tens
BAKAPPANA = {
    "chaff 0": [-5, 10, -5],
    "settlement additive": [87, 97, 80],
    "settlement makatsu": [-1, 2, -1],
    "settlement sanju-sen-me": [-1, 2, -1],
    "settlement additive, chaff 0": [75, 90, 75],
    "settlement makatsu, chaff 0": [-1, 2, -1],
    "settlement sanju-sen-me, sanju_method subtract_lowest": [-1, 2, -1],
    "settlement sanju-sen-me, sanju_method pairwise": [-1, 2, -1],
    "settlement sanju-sen-me, chaff 0": [-2, 4, -2],
    "settlement sanju-sen-me, chaff 0, sanju_method subtract_lowest": [-1, 2, -1],
    "settlement sanju-sen-me, chaff 0, sanju_method pairwise": [-1, 2, -1],
}


def test_every_settlement_of_counts():
    assert others(BAK, counts=COUNTS) == BAKAPPANA


def test_points_were_counted_by_the_value_of_chaff():
    without = {key: amounts for key, amounts in BAKAPPANA.items() if "chaff" not in key}
    assert others(BAK, points=[87, 97, 80]) == without


def test_what_differs_is_what_this_table_does_not_play():
    table = {"settlement": "makatsu", "chaff": 0}
    found = others(BAK, counts=COUNTS, rules=table)
    assert found["settlement par"] == [-5, 10, -5]
    assert found["settlement par, chaff 1"] == [-1, 9, -8]
    assert found["chaff 1"] == [-1, 2, -1]


FOUND = {
    "two players may pay the difference": (
        BAK, {"points": [140, 124]}, "settlement difference", [16, -16]),
    "a tie and nobody": (
        YOK, {"points": [100, 100, 64]}, "tie nobody", [0, 0, 0]),
    "a tie and each of them": (
        YOK, {"points": [100, 100, 64]}, "tie each_tied", [1, 1, -2]),
    "higher stakes of a tie": (
        YOK, {"points": [100, 100, 64]}, "stakes 2-4-6, tie each_tied", [2, 2, -4]),
    "higher stakes of ribbons": (
        YOK, {"seats": 3, "end": "stopped", "stopped_by": 1, "dekiyaku": {1: "aotan"}},
        "stakes 2-4-6", [-4, 8, -4]),
    "dandruff beside the chaff": (  # 4 from each, and nothing of 2 from each
        YOK, {"points": [100, 15, 149], "special": {0: "sujushi"}},
        "special_conflict chaff_first", [8, -4, -4]),
    "paid by the others": (
        HH, {"points": [100, 84, 80], "teyaku": {0: "sanbon"}, "field": "8B"},
        "payment zero_sum", [104, -48, -56]),
    "the only one who played on": (
        HH, {"seats": 3, "end": "stopped", "stopped_by": 0, "dekiyaku": {0: "akatan"},
             "continued": [1], "rules": {"payment": "zero_sum"}},
        "sage_penalty double", [140, -140, 0]),
    "the winner gains": (KAGA, {"points": [45, 10]}, "ledger winner_only", [35, 0]),
    "both write down their score": (KAGA, {"points": [45, 10]}, "ledger raw", [45, 10]),
    "the other values": (  # 55 + 2 * 200, -20 - 200, -35 - 200
        HANA, {"counts": ["5/2/3/8", "0/4/4/8", "0/3/3/8"], "dekiyaku": {0: "goko"}},
        "values ja_wikipedia", [455, -220, -235]),
    "few cards": (  # 49, 116 and 99 points; 30 from each
        HANA, {"counts": ["1/2/1/4", "2/4/5/11", "2/3/4/9"]}, "few_cards on", [21, -2, -19]),
}  # fmt: skip


@pytest.mark.parametrize(("game", "said", "key", "amounts"), FOUND.values(), ids=FOUND)
def test_finds(game, said, key, amounts):
    assert others(game, **said)[key] == amounts


LEFT_OUT = {
    "the difference of three": (BAK, {"counts": COUNTS}, "settlement difference"),
    "par with cards in the pile": (
        BAK, {"points": [90, 80], "rules": {"settlement": "additive",
                                            "two_player_end": "hands_empty"}}, "settlement par"),
    "a tie where there is none": (YOK, {"points": [100, 84, 80]}, "tie nobody"),
    "a question to the table": (YOK, {"points": [100, 100, 64]}, "tie ask"),
    "few cards of points": (HANA, {"points": [100, 84, 80]}, "few_cards on"),
    "which cards make a yaku": (YOK, {"points": [100, 84, 80]}, "chaff_needed 16"),
    "what reaches beyond the round": (
        HH, {"points": [100, 84, 80], "field": "8B 12B"}, "multi_bright carry_over"),
}  # fmt: skip


@pytest.mark.parametrize(("game", "said", "key"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_leaves_out(game, said, key):
    assert key not in others(game, **said)


def test_what_decided_is_what_matters_by_itself():
    par = round_of(BAK, counts=COUNTS)
    assert at_issue(GAMES[BAK], compare(par)) == ["settlement", "chaff"]
    tens = round_of(BAK, counts=COUNTS, rules={"settlement": "sanju-sen-me"})
    assert at_issue(GAMES[BAK], compare(tens)) == ["settlement", "chaff", "sanju_method"]


def test_which_house_rules_are_at_issue():
    played = round_of(YOK, points=[100, 84, 80])
    keys = at_issue(GAMES[YOK], compare(played))
    assert keys == [rule.key for rule in GAMES[YOK].house_rules if rule.key in keys]
    assert "stakes" in keys
    assert "tie" not in keys
    assert at_issue(GAMES[YOK], []) == []


def test_a_void_round_pays_nothing_anyhow():
    assert compare(round_of(BAK, seats=3, end="void")) == []


def test_a_refused_round_has_no_settlement():
    with pytest.raises(RuleError, match="deck_sum"):
        compare(round_of(BAK, points=[100, 84, 81]))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_is_what_settling_says(game):
    for seed in range(60):
        dice = random.Random(seed)
        players = dice.choice(game.seats)
        document = round_of(game.key, points=_points(dice, game, players))
        for other in compare(document):
            answer = settle({**document, "rules": other.rules})
            assert (other.unit, other.amounts) == (answer["unit"], answer["amounts"]), f"{seed}"
            assert other.rules, f"seed {seed}"
            for key, value in other.rules.items():
                rule = game.rule(key)
                assert rule.settles, f"seed {seed}"
                assert value != rule.default, f"seed {seed}"


def _points(dice, game, players):
    """Points of the whole deck, each a sum of cards."""
    total, step = game.values.total, game.values.step
    cuts = sorted(dice.randrange(total // step + 1) * step for _ in range(players - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]
