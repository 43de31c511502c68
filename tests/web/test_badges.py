"""The badges that tell players apart: everybody keeps theirs, whoever comes and goes."""

import re

import pytest

from scorekeeper import ledger
from scorekeeper.gather import SHAPES, badge
from scorekeeper.ledger import Person
from tests.conftest import Table
from tests.web.conftest import Phone


def people(*ids: int) -> list[Person]:
    return [Person(player, f"Player {player}", left=False) for player in ids]


def badges(*ids: int) -> list[str]:
    """The badges of players at one table, such as C3: the letter, and which shape it is on."""
    return ["{}{}".format(*badge(one, people(*ids))) for one in people(*ids)]


def test_a_badge_belongs_to_a_person() -> None:
    assert badges(1, 2, 3, 4) == ["A1", "B2", "C3", "D4"]
    assert badges(1, 3, 4) == ["A1", "C3", "D4"]


def test_more_people_than_shapes_take_turns() -> None:
    assert badges(5, 6, 7) == ["E1", "F2", "G3"]
    # The fifth would have the shape of the first.
    assert badges(1, 2, 5) == ["A1", "B2", "E3"]
    assert badges(1, 5, 9, 13) == ["A1", "E2", "I3", "M4"]


def test_no_two_at_a_table_look_the_same() -> None:
    for first in range(1, 57):
        for step in (1, 2, 4, 19):
            shown = badges(*range(first, first + step * SHAPES, step))
            assert len({one[1:] for one in shown}) == len({one[0] for one in shown}) == SHAPES


def test_who_keys_a_pile_without_a_seat_has_one_too() -> None:
    (fourth,) = people(4)
    assert badge(fourth, people(1, 2, 3)) == ("D", 4)


@pytest.mark.parametrize(
    ("game", "use"), [("hachi-hachi", "counts"), ("hachi-hachi", "captured"), ("kaga", "months")]
)
def test_nobody_gets_another_letter_when_somebody_leaves(
    table: Table, phone: Phone, game: str, use: str
) -> None:
    table.start(game, "Aki", "Ben", "Chie", "Dai")
    ledger.change_player(table.id, table.player("Aki"), left=True)
    if game == "kaga":
        ledger.change_player(table.id, table.player("Ben"), left=True)
    text = phone.joins(table.id).opens(f"/rounds/new?use={use}").text
    letters = set(re.findall(r'class="letter l([1-4])"[^>]*>([A-Z])\b', text))
    assert letters == {("2", "B"), ("3", "C"), ("4", "D")} - (
        {("2", "B")} if game == "kaga" else set()
    )
