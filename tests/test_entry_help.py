"""What the page of a round works out beside the rules: month board, feasible chaff, hints."""

from random import Random

import pytest

from scorekeeper.hints import hints
from scorekeeper.ledger import Person
from scorekeeper.rules import work_out
from scorekeeper.rules.cards import CHAFF, NAMED, Cards
from scorekeeper.rules.chaff import feasible_chaff
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.months import MonthBoard
from tests.browser.played import play

KAGA = GAMES["kaga"]
AKI, BEN = 7, 8


def owners(parts: dict[str, int], *left: int) -> dict[str, int | None]:
    """Whose the cards of the split months are, by these marks."""
    return MonthBoard(KAGA, [AKI, BEN], {}, parts, left).owners


@pytest.mark.parametrize(
    ("marks", "left", "aki", "ben"),
    [
        ({"11B": AKI, "11A": AKI}, (), "11B 11A", "11R 11C"),
        ({"11B": AKI}, (), "11B 11C", "11A 11R"),
        ({"11A": AKI, "11R": AKI}, (11,), "11A 11R", ""),
        ({"11B": BEN}, (11,), "", "11B 11C"),
        ({}, (11,), "", ""),
        ({"12B": AKI}, (), "12B 12C1", "12C2 12C3"),
        ({"12B": BEN}, (12,), "", "12B 12C1"),
        ({"12C1": AKI, "12C3": AKI}, (12,), "12C1 12C3", ""),
    ],
)
def test_who_has_a_split_month(marks, left, aki, ben) -> None:
    said = owners(marks, *left)
    assert [card for card, owner in said.items() if owner == AKI] == aki.split()
    assert [card for card, owner in said.items() if owner == BEN] == ben.split()


def test_a_dekiyaku_follows_from_months_or_is_excluded_by_them() -> None:
    shiko, akatan, _ = MonthBoard(KAGA, [AKI, BEN], {}, {}).asked
    board = MonthBoard(KAGA, [AKI, BEN], {1: AKI, 3: AKI, 8: AKI}, {"12B": AKI})
    assert board.times(shiko, AKI) == (1, 1)
    assert board.times(akatan, AKI) == (0, 1)
    assert board.times(akatan, BEN) == (0, 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_true_number_of_chaff_is_always_feasible(players: int) -> None:
    for seed in range(60):
        _, piles, _ = play(Random(seed), GAMES["bakappana"], players)
        named = [pile & NAMED.mask for pile in piles]
        for pile, feasible in zip(piles, feasible_chaff(named, True), strict=True):
            assert (pile & CHAFF.mask).bit_count() in feasible.counts, seed
            assert feasible.likely is None or feasible.likely in feasible.counts


def test_chaff_that_is_said_leaves_less_for_the_others() -> None:
    aki, ben = (Cards.parse(text).mask for text in ("1B 2A 3B 4A", "1R 2R 3R 4R"))
    unsaid = feasible_chaff([aki, ben, 0], True)
    assert unsaid[1].counts == [4, 6, 8, 10, 12, 14, 16, 18]
    said = feasible_chaff([aki, ben, 0], True, [12, None, None])
    assert said[1].counts == [4, 6, 8, 10]
    # What cannot be tells nothing.
    assert feasible_chaff([aki, ben, 0], True, [11, None, None])[1] == unsaid[1]


def test_a_pile_of_chaff_alone_is_no_blank_one() -> None:
    aki = Cards.parse("1B 1R 2A 2R").mask
    assert 2 in feasible_chaff([aki, 0, 0], True, [None, 2, None])[1].counts
    assert feasible_chaff([NAMED.mask, 0], True, [None, 4])[0].counts == [20]


def asked(game: str, seats: list[dict], **more) -> list[tuple[str, tuple]]:
    people = [Person(id=number, name=name, left=False) for number, name in enumerate("ABC", 1)]
    result = work_out({"game": game, "seats": seats, **more})
    return [(hint.sentence.render(), hint.taps) for hint in hints(result, people)]


def counts(text: str) -> dict:
    kinds = ("bright", "animal", "ribbon", "chaff")
    return {"counts": dict(zip(kinds, map(int, text.split("/")), strict=True))}


@pytest.mark.parametrize(
    ("game", "aki", "sentence", "taps"),
    [
        (
            "hachi-hachi", "5/2/3/8", "By these counts A has Four Brights 四光.",
            (("p1-dekiyaku", "shiko"),),
        ),
        ("hachi-hachi", "4/2/2/8", "Has A Four Brights 四光?", (("p1-dekiyaku", "shiko"),)),
        ("hachi-hachi", "1/2/7/8", "Has A Seven Ribbons 七短?", (("p1-dekiyaku", "nanatan"),)),
        (
            "yokohama-bana", "5/2/3/8", "Did A end the round with Four Brights 四光?",
            (("end", "stopped"), ("stopped_by", "1"), ("p1-dekiyaku", "shiko")),
        ),
        (
            "yokohama-bana", "1/2/1/12",
            "A: with willow cards in the pile it can be Fourteen Chaff 素十四. Is it?",
            (("p1-special", "sujushi"),),
        ),
    ],
)  # fmt: skip
def test_counts_ask_for_what_may_have_been_forgotten(game, aki, sentence, taps) -> None:
    seats = [counts(aki), {"counts": "rest"}, counts("0/3/2/7")]
    assert (sentence, taps) in asked(game, seats)


def test_nothing_is_asked_that_the_counts_rule_out() -> None:
    seats = [counts("2/3/3/8"), counts("2/3/3/8"), {"counts": "rest"}]
    assert asked("hachi-hachi", seats) == []


def test_a_single_card_that_mends_an_odd_month() -> None:
    aki, ben = Cards.parse("1B 1R 1C1 2A 2R 2C1 2C2"), Cards.parse("1C2 3B 3R")
    seats = [{"captured": str(aki)}, {"captured": str(ben)}, {"captured": "rest"}]
    said = asked("bakappana", seats)
    assert ("Or has A the pine chaff, not B?", (("card-1C2", "1"),)) in said
