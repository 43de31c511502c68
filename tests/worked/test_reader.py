"""The reader of worked rounds: what it reads, and where it finds a slip of the pen."""

import pytest

from .reader import Typo, mistakes, read_text, wrong_sums

ROUND = """\
# A comment, and an empty line.

players: Aki, Ben

== The title ==
from: a source
rules: chaff = 0, tie = nobody, standing_triplets = true
dealer: Ben
Aki: points 100; teyaku sanbon karasu
Ben: named 1B 2A + 5 chaff; dekiyaku none; continued
because: 104 − 84 = 20
amounts: Aki +12, Ben −12
next dealer: Aki
"""


def told(text: str = ROUND):
    (worked,) = read_text(text, "some-game", "some-game.txt")
    return worked


def test_a_round_becomes_a_document():
    assert told().document == {
        "game": "some-game",
        "rules": {"chaff": 0, "tie": "nobody", "standing_triplets": True},
        "dealer": 1,
        "seats": [
            {"name": "Aki", "points": 100, "teyaku": ["sanbon", "karasu"]},
            {"name": "Ben", "named": "1B 2A", "chaff": 5, "dekiyaku": [], "continued": True},
        ],
    }
    assert (told().title, told().place) == ("The title", "some-game.txt:5")


PLAYED = {
    "counts": ("Aki: counts 1 4 3 12", {"counts": {
        "bright": 1, "animal": 4, "ribbon": 3, "chaff": 12}}),
    "captured": ("Aki: captured 1B 11C; hand 2A 2R", {"captured": "1B 11C", "hand": "2A 2R"}),
    "the rest": ("Aki: captured rest", {"captured": "rest"}),
    "the rest of named cards": ("Aki: named rest", {"named": "rest"}),
    "only chaff": ("Aki: named + 2 chaff", {"named": "", "chaff": 2}),
    "nothing": ("Aki: nothing", {}),
}  # fmt: skip


@pytest.mark.parametrize(("line", "seat"), PLAYED.values(), ids=PLAYED)
def test_what_a_player_has(line, seat):
    text = ROUND.replace("Aki: points 100; teyaku sanbon karasu", line)
    assert told(text).document["seats"][0] == {"name": "Aki", **seat}


HOW = {
    "stopped": ("ended: by Ben", {"end": "stopped", "stopped_by": 1}),
    "a misdeal": ("ended: void", {"end": "void"}),
    "a field": ("field: 8B 12B", {"field": "8B 12B"}),
    "a multiplier": ("multiplier: 4", {"multiplier": 4}),
    "what waits": ("carried: 4, 2", {"carried": [4, 2]}),
    "a decision": ("decision: Ben", {"decision": 1}),
    "a decision for nobody": ("decision: nobody", {"decision": "nobody"}),
}


@pytest.mark.parametrize(("line", "part"), HOW.values(), ids=HOW)
def test_how_it_was_played(line, part):
    assert told(ROUND + line).document.items() >= part.items()


TYPOS = {  # (in the round, instead of it, line number, what the message names)
    "an unknown word": ("dealer: Ben", "dealt: Ben", 8, "dealt"),
    "a misspelt player": ("Ben: named", "Bne: named", 10, "Bne"),
    "a misspelt player among the amounts": ("Ben −12", "Bne −12", 12, "Bne"),
    "a misspelt dealer": ("dealer: Ben", "dealer: ben", 8, "ben"),
    "a misspelt next dealer": ("next dealer: Aki", "next dealer: Aky", 13, "Aky"),
    "a bad number": ("points 100", "points 1oo", 9, "1oo"),
    "a bad amount": ("Aki +12", "Aki +l2", 12, "l2"),
    "a bad number of chaff": ("+ 5 chaff", "+ five chaff", 10, "five"),
    "three counts": ("points 100", "counts 1 4 3", 9, "four"),
    "a form that is none": ("points 100", "pionts 100", 9, "pionts"),
    "one thing twice": ("points 100", "points 100; points 90", 9, "points"),
    "one line twice": ("dealer: Ben", "dealer: Ben\ndealer: Aki", 9, "dealer"),
    "a player without an amount": (", Ben −12", "", 12, "Ben"),
    "an amount too many": ("Aki +12", "Aki +12, Aki +12", 12, "Aki"),
    "a house rule without a value": ("chaff = 0", "chaff", 7, "chaff"),
    "a house rule twice": ("chaff = 0", "chaff = 0, chaff = 1", 7, "chaff"),
    "no colon": ("dealer: Ben", "dealer Ben", 8, "colon"),
    "nothing after the colon": ("dealer: Ben", "dealer:", 8, "colon"),
    "a title that does not end": ("== The title ==", "== The title", 5, "title"),
    "no amounts": ("amounts: Aki +12, Ben −12\n", "", 5, "amounts"),
    "no source": ("from: a source\n", "", 5, "from"),
    "no reason": ("because: 104 − 84 = 20\n", "", 5, "because"),
    "a wrong sum": ("104 − 84 = 20", "104 − 84 = 21", 11, "104 − 84 = 21"),
    "an ending that is none": ("dealer: Ben", "ended: Aki", 8, "ended"),
    "both an amount and a refusal": ("dealer: Ben", "refused: deck_sum", 5, "refused"),
    "two players of one name": ("players: Aki, Ben", "players: Aki, Aki", 3, "same name"),
    "a player called like a line": ("players: Aki, Ben", "players: Aki, rules", 3, "rules"),
    "no players": ("players: Aki, Ben", "", 5, "who plays"),
    "a line before the first round": ("players: Aki, Ben", "dealer: Aki", 3, "dealer"),
    "a yaku without its value": ("next dealer: Aki", "yaku: Aki sanbon", 13, "sanbon"),
    "a yaku in half a bracket": ("next dealer: Aki", "yaku: (Aki sanbon 20", 13, "sanbon"),
    "a payment without an amount": ("next dealer: Aki", "payments: Ben pays Aki", 13, "Ben"),
}


@pytest.mark.parametrize(("right", "wrong", "line", "named"), TYPOS.values(), ids=TYPOS)
def test_a_typo_is_refused_with_file_and_line(right, wrong, line, named):
    assert right in ROUND
    with pytest.raises(Typo) as refused:
        told(ROUND.replace(right, wrong))
    assert str(refused.value).startswith(f"some-game.txt:{line}: ")
    assert named in str(refused.value)


@pytest.mark.parametrize("title", ["A", "A title", "“8B”"])
def test_a_title_may_be_short(title):
    assert told(ROUND.replace("The title", title)).title == title


def test_a_title_is_there_once():
    twice = ROUND + ROUND.partition("Ben\n\n")[2]
    with pytest.raises(Typo, match=r"^some-game\.txt:14: .*The title"):
        told(twice)


def test_an_empty_file_is_a_typo():
    with pytest.raises(Typo, match="no round"):
        told("# nothing\n")


ANSWER = {
    "amounts": [12, -12], "next_dealer": 0, "undecided": None, "winners": [0], "carry": [2],
    "multiplier": 4, "warnings": [{"code": "odd_month", "seat": 1, "month": 3}],
    "payments": [{"from": 1, "to": 0, "amount": 12}],
    "seats": [
        {"card_points": 100, "score": 140, "dekiyaku": [], "special": [],
         "teyaku": [{"key": "sanbon", "value": 40, "times": 2}]},
        {"card_points": None, "score": None, "teyaku": [], "special": [],
         "dekiyaku": [{"key": "aotan", "value": 70, "counted": False}]},
    ],
}  # fmt: skip
TIED = {**ANSWER, "amounts": None, "undecided": {"question": "tie", "between": [0, 1]}}
ASKED = {**ANSWER, "next_dealer": None, "undecided": {"question": "dealer", "between": [0, 1]}}
OUT = {  # (line, a line that is not so, answer)
    "amounts": ("amounts: Aki +12, Ben −12", "amounts: Aki 12, Ben 12", ANSWER),
    "a tie": ("amounts: ask Aki, Ben", "amounts: ask Ben, Aki", TIED),
    "no tie": ("amounts: Aki 12, Ben -12", "amounts: ask Aki, Ben", ANSWER),
    "next dealer": ("next dealer: Aki", "next dealer: Ben", ANSWER),
    "a dealer to be named": ("next dealer: ask Aki, Ben", "next dealer: Aki", ASKED),
    "winners": ("winners: Aki", "winners: nobody", ANSWER),
    "card points": ("card points: Aki 100, Ben none", "card points: Aki 100, Ben 0", ANSWER),
    "scores": ("scores: Aki 140, Ben none", "scores: Aki 100, Ben none", ANSWER),
    "yaku": ("yaku: (Ben aotan 70), Aki sanbon 40 x2", "yaku: Ben aotan 70, Aki sanbon 40 x2",
             ANSWER),
    "yaku, times": ("yaku: Aki sanbon 40 x2, (Ben aotan 70)", "yaku: (Ben aotan 70)", ANSWER),
    "payments": ("payments: Ben pays Aki 12", "payments: Aki pays Ben 12", ANSWER),
    "the field": ("times: 4", "times: 2", ANSWER),
    "what waits": ("carry: 2", "carry: nothing", ANSWER),
    "warnings": ("warned: odd_month Ben 3", "warned: none", ANSWER),
}  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "answer"), OUT.values(), ids=OUT)
def test_an_answer_is_compared_with_what_was_worked_out(right, wrong, answer):
    bare = ROUND.replace("amounts: Aki +12, Ben −12\nnext dealer: Aki\n", "")

    key = right.partition(":")[0]

    def found(line):
        whole = line if line.startswith("amounts") else f"{line}\namounts: {came}"
        return mistakes(told(bare + whole), lambda _: answer)

    came = "ask Aki, Ben" if answer is TIED else "Aki +12, Ben −12"
    assert found(right) == []
    (mistake,) = found(wrong)
    assert mistake.startswith("some-game.txt:5: The title: expected: ")
    # In the words of the file: it can be copied into it, and then it is right.
    assert found(mistake.partition("; came out: ")[2].replace(key, f"{key}:", 1)) == []


class Refusal(Exception):
    code = "deck_sum"


def refuses(_):
    raise Refusal("10 too many")


def test_refusals_are_compared():
    refused = ROUND.replace("amounts: Aki +12, Ben −12", "refused: deck_sum")
    assert mistakes(told(refused), refuses) == []
    assert "card_twice" in str(told(refused.replace("deck_sum", "card_twice")).expected)
    assert mistakes(told(refused.replace("deck_sum", "card_twice")), refuses)
    (mistake,) = mistakes(told(refused), lambda _: ANSWER)
    assert mistake.endswith("expected: refused deck_sum; came out: amounts Aki +12, Ben −12")
    (mistake,) = mistakes(told(), refuses)
    expected = "expected: amounts Aki +12, Ben −12; came out: refused deck_sum (10 too many)"
    assert mistake.endswith(expected)


SUMS = {
    "264 ÷ 3 = 88; 100 − 88 = 12": [],
    "2 × (40 + 12) = 104, and 2 × −4 = −8": [],
    "95 ÷ 10 = 9 full tens": [],
    "20 + 40 + 15 + 12 = 87 of 264": [],
    "35 = 5 × 7 = 35": [],
    "100 − 88 = 13": ["100 − 88 = 13"],
    "1 + 1 = 2, 2 + 2 = 5": ["2 + 2 = 5"],
    "1 + 1 = 2 2 + 2 = 4": ["1 + 1 = 2 2 + 2 = 4"],  # a comma is missing
    "T = 264 and 11B = 20": [],
}


@pytest.mark.parametrize(("text", "wrong"), SUMS.items(), ids=SUMS)
def test_sums_are_done_again(text, wrong):
    assert list(wrong_sums(text)) == wrong
