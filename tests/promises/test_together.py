"""Piles that several phones key at once, and the yes to a round: nothing is lost without a word.

What counts of a pile changes by the hand that keyed it, or because somebody chose; of several who
say yes at the same moment, one round comes.
"""

import random

import pytest
from flask import Flask

from scorekeeper import ledger
from scorekeeper.ledger import piles
from scorekeeper.ledger.tables import IN
from scorekeeper.rules import RuleError

from ..conftest import Table
from .test_race import together

NAMES = ("Aki", "Ben", "Chie")


def counts(table: Table) -> dict[int, tuple[int, int]]:
    """Of each pile that is in, what counts and whose phone said it."""
    there = ledger.pending(table.id).piles
    return {player: (pile.device, pile.seat["points"]) for player, pile in there.items()}


def keys(table: Table, player: int, points: int, by: int) -> None:
    fields = {"seat": {"points": str(points)}, "card": [], "hand": []}
    ledger.key_pile(table.id, 1, player, "points", fields, {"points": points}, by=by)


def evening(table: Table, dice: random.Random, turns: int = 60) -> None:
    """Phones key piles of anybody, and sometimes one is chosen or taken out."""
    table.start("bakappana", *NAMES)
    devices = [ledger.new_device()[0] for _ in range(3)]
    for _ in range(turns):
        device, player = dice.choice(devices), dice.randint(1, 3)
        before = counts(table)
        if dice.random() < 0.8 or player not in before:
            keys(table, player, dice.randint(1, 3), device)
            for other, was in before.items():
                if other != player or was[0] != device:
                    assert counts(table)[other] == was
        elif dice.random() < 0.5:
            said = [before[player][0]]
            said += [pile.device for pile in ledger.pending(table.id).others.get(player, ())]
            ledger.choose_pile(table.id, 1, player, dice.choice(said))
        else:
            ledger.drop_pile(table.id, 1, player, by=device)


def test_what_a_phone_keyed_is_never_replaced_by_another(
    app: Flask, table: Table, dice: random.Random
) -> None:
    evening(table, dice)


def test_a_build_in_which_the_last_one_wins_is_caught(
    app: Flask, table: Table, dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(piles, "OTHER", IN)
    with pytest.raises(AssertionError):
        evening(table, dice, turns=300)


def test_piles_that_come_at_the_same_moment_are_all_kept(app: Flask, table: Table) -> None:
    for _ in range(5):
        table.start("bakappana", *NAMES)
        devices = [ledger.new_device()[0] for _ in range(3)]

        def puts(player: int, device: int) -> None:
            with app.app_context():
                keys(table, player, 80 + player, device)

        together(
            [
                lambda player=player, device=device: puts(player, device)
                for player, device in enumerate(devices, 1)
            ]
        )
        there = ledger.pending(table.id)
        assert counts(table) == {at: (device, 80 + at) for at, device in enumerate(devices, 1)}
        assert sorted(pile.change for pile in there.piles.values()) == [1, 2, 3]


def test_of_several_who_say_yes_at_once_one_round_comes(app: Flask, table: Table) -> None:
    for _ in range(5):
        table.start("bakappana", *NAMES)
        ledger.change_series(table.id, confirm=True)
        proposer, *others = [ledger.new_device()[0] for _ in range(4)]
        document = {"number": 1, **table.document(100, 84, 80)}
        ledger.propose(table.id, document, {}, key="one tap", by=proposer)
        waiting = ledger.pending(table.id).waiting
        assert waiting is not None
        seen = waiting.change

        def says_yes(device: int) -> str:
            with app.app_context():
                try:
                    ledger.confirm(table.id, seen, by=device)  # noqa: B023
                except RuleError as refusal:
                    return refusal.code
                return "recorded"

        answers = together([lambda device=device: says_yes(device) for device in others])
        assert sorted(answers) == ["recorded", "stale_proposal", "stale_proposal"]
        assert table.totals == {"Aki": 12, "Ben": -4, "Chie": -8}
        assert ledger.check(table.id).differences == ()
