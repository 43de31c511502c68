"""P6: a stale edit never wins, and whoever sent it is shown what there is now."""

import random

import pytest

from scorekeeper.ledger import rounds

from ..api.conftest import Phone
from .test_race import together


def edit(phone: Phone, revision: int, points: tuple[int, int]):
    headers = {"If-Match": f'"{revision}"'}
    return phone.sends("PUT", "/rounds/1", json=phone.document(*points), headers=headers)


def pairs(phone: Phone, dice: random.Random, number: int) -> None:
    """Two people look at the same revision, and both change it."""
    phone.starts("bakappana", "Aki", "Ben")
    phone.records(132, 132)
    for _ in range(number):
        seen = phone.looks().json["rounds"][0]["revision"]
        first, second = ((one, 264 - one) for one in dice.sample(range(265), 2))
        match dice.choice(("after", "together", "withdrawn", "delete")):
            case "after":
                answers = [edit(phone, seen, first), edit(phone, seen, second)]
                assert answers[0].status_code == 200
            case "together":
                other = Phone(phone.client.application)
                other.id, other.secrets = phone.id, phone.secrets
                answers = together(
                    [
                        lambda: edit(phone, seen, first),  # noqa: B023
                        lambda: edit(other, seen, second),  # noqa: B023
                    ]
                )
            case "withdrawn":
                phone.sends("DELETE", "/rounds/1", headers={"If-Match": f'"{seen}"'})
                answers = [phone.records(*first), edit(phone, seen, second)]
                assert answers[0].status_code == 201
            case "delete":
                answers = [
                    edit(phone, seen, first),
                    phone.sends("DELETE", "/rounds/1", headers={"If-Match": f'"{seen}"'}),
                ]
        (won,) = [answer for answer in answers if answer.status_code in (200, 201)]
        (lost,) = [answer for answer in answers if answer.status_code == 412]
        (current,) = phone.looks().json["rounds"]
        assert lost.json["error"]["code"] == "stale"
        assert lost.json["round"] == current
        assert current["entry"] == won.json["entry"]
        assert current["revision"] == won.json["revision"] > seen


def test_a_stale_edit_never_wins(phone, dice):
    pairs(phone, dice, 50)


def test_a_build_that_takes_any_revision_is_caught(phone, dice, monkeypatch):
    monkeypatch.setattr(rounds, "_seen", lambda current, revision: None)
    with pytest.raises((AssertionError, ValueError)):
        pairs(phone, dice, 5)
