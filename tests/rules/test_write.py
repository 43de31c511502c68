"""A round written down is a document again, and a canonical one (the contract, "Cards").

That reading and writing loses nothing is a law, tried on random rounds (test_laws.py).
"""

import pytest

from scorekeeper.rules.document import read, write

from .table import BAK, HH, KAGA, YOK, round_of

HANA = "hana-awase"

CANONICAL = {
    "points": round_of(BAK, points=[104, 95, "rest"]),
    "counts": round_of(BAK, counts=["1/4/3/12", "2/3/4/7", "rest"], rules={"chaff": 0}, dealer=2),
    "named": round_of(HANA, named=["1B 1R 2R + 6", "3B 4A + 9", "rest"]),
    "void": round_of(HH, seats=3, rules={"multi_bright": "carry_over"}, carried=[4, 2], end="void"),
    "field": round_of(HH, points=[88, 88, 88], field="2A 8B 12B"),
    "multiplier": round_of(HH, points=[88, 88, 88], multiplier=4),
    "stopped with the rain man": round_of(
        HH, seats=3, end="stopped", stopped_by=1, dekiyaku={1: "goko akatan"}, continued=[2]
    ),
    "a hand and nothing shown": round_of(
        YOK, points=[104, 84, 76], hand={0: "1B 1R 1C1 2A 3R 4A 5C1"}, teyaku={0: ""}
    ),
    "shown twice": round_of(
        YOK, points=[104, 84, 76], teyaku={0: "sanbon sanbon"}, special={2: "fuke"}
    ),
    "months": round_of(KAGA, points=[45, 5], dekiyaku={0: "shima shima shima"}),
    "decided": round_of(YOK, points=[100, 100, 64], rules={"tie": "ask"}, decision="nobody"),
}


@pytest.mark.parametrize("document", CANONICAL.values(), ids=CANONICAL)
def test_writes_what_was_said(document):
    assert write(read(document)) == document


LEFT_OUT = {
    "the first dealer": {"dealer": 0},
    "played out": {"end": "counted"},
    "a default": {"rules": {"chaff": 1}},
    "a decision without a tie": {"decision": 2},
    "what the game does not have": {"field": "8B", "carried": [2], "multiplier": 4},
}


@pytest.mark.parametrize("more", LEFT_OUT.values(), ids=LEFT_OUT)
def test_leaves_out_what_goes_without_saying(more):
    plain = round_of(BAK, points=[104, 95, 65])
    assert write(read(plain | more)) == plain


def test_leaves_out_the_number_of_a_player_without_a_name():
    seats = [{"points": 104, "name": "Player 1"}, {"points": 95, "name": ""}, {"points": 65}]
    written = write(read({"game": BAK, "seats": seats}))
    assert written["seats"] == [{"points": 104}, {"points": 95}, {"points": 65}]
