"""P10: nobody guesses in, and nobody is locked out by those who try."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import delete

from scorekeeper import create_app, ledger
from scorekeeper.ledger import Role, codes
from scorekeeper.ledger.access import seal
from scorekeeper.ledger.chain import now
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import WrongTry

from ..conftest import Table, close, everything
from ..web.conftest import Page, Phone


@pytest.fixture(autouse=True)
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long answers had to wait."""
    naps: list[float] = []
    monkeypatch.setattr(codes, "sleep", naps.append)
    return naps


@pytest.fixture
def series(table: Table) -> str:
    with writing() as books:  # what other tests tried on this server
        books.execute(delete(WrongTry))
    return table.start("bakappana", "Aki", "Ben", "Chie")


def tries(phone: Phone, typed: str, address: str = "192.0.2.1", **headers: str) -> Page:
    """Types something at /j, from an address."""
    form = phone.opens("/j").form.types(link=typed)
    return form.presses(environ_overrides={"REMOTE_ADDR": address}, headers=headers)


@contextmanager
def server(config: dict[str, Any]) -> Iterator[Flask]:
    """The program started anew, and ended however the test ends."""
    app = create_app({"TESTING": True, **config})
    try:
        with app.app_context():
            yield app
    finally:
        close(app)


def random_code(dice: random.Random) -> str:
    return "".join(dice.choices(codes.ALPHABET, k=codes.LENGTH))


def guesses(config: dict[str, Any], dice: random.Random, number: int) -> None:
    """Wrong codes from many addresses, with a restart in between; all are refused.

    After ten from an address, it hears that it must wait, even with a right code and whatever
    forwarding headers it invents.
    """
    opened = 0
    for start in range(0, number, number // 2):
        with server(config) as app:
            code = ledger.new_code(ledger.start("kaga", {}, ["Hana", "Ren"]), Role.ENTER)
            phone = Phone(app)
            for at in range(start, start + number // 2):
                opened += tries(phone, random_code(dice), f"198.51.100.{at // 10}").saved
            for client in range(start // 10, (start + number // 2) // 10):
                forged = {"X-Forwarded-For": f"203.0.113.{client}", "X-Real-IP": "203.0.113.1"}
                page = tries(phone, code.text, f"198.51.100.{client}", **forged)
                assert page.status == 429
                assert "Wait" in page.refusals["refusal-link"]
            # Whoever tried before the restart waits after it, too.
            assert tries(phone, code.text, "198.51.100.0").status == 429
            # And nobody else does: five phones behind one address join.
            for _ in range(5):
                assert tries(Phone(app), code.text, "192.0.2.77").saved
    assert opened == 0


def test_wrong_codes(series: str, config: dict[str, Any], dice: random.Random) -> None:
    before = everything()
    guesses(config, dice, 200)
    after = everything()
    # Nobody came in here, and nothing was written down but that somebody tried.
    assert [row for row in after["grant"] if series in row] == []
    assert after["posting"] == before["posting"]
    assert len(after["wrong_try"]) == 200


def test_many_wrong_codes_only_slow_the_answers_down(
    series: str, config: dict[str, Any], dice: random.Random, naps: list[float]
) -> None:
    guesses(config, dice, 200)
    assert naps
    assert max(naps) < 1


def test_twenty_tries_at_one_code_end_it_from_wherever_they_come(
    series: str, app: Flask, dice: random.Random
) -> None:
    code = ledger.new_code(series, Role.ENTER).text
    phone = Phone(app)
    for at in range(20):
        rest = "".join(dice.choices(codes.ALPHABET, k=4))
        if rest != code[4:]:
            assert not tries(phone, code[:4] + rest, f"198.51.100.{at}").saved
        else:  # one in fifty thousand evenings
            pytest.skip("it was guessed")
    assert tries(phone, code, "203.0.113.9").status == 429
    assert tries(phone, ledger.new_code(series, Role.ENTER).text, "203.0.113.9").saved


def test_a_secret_has_256_bits_and_is_not_in_the_database(series: str, app: Flask) -> None:
    secret = ledger.secret_for(series, Role.ENTER)
    assert len(secret) == 43
    code = ledger.new_code(series, Role.ENTER).text
    assert tries(Phone(app), code).saved
    kept = repr(everything())
    assert secret not in kept
    assert code not in kept


# --- The negative controls ------------------------------------------------------------------------


def test_a_build_that_does_not_count_is_caught(
    series: str, config: dict[str, Any], dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "CLIENT_TRIES", 10_000)
    with pytest.raises(AssertionError):
        guesses(config, dice, 40)


def test_a_build_that_believes_forwarding_headers_is_caught(
    series: str, config: dict[str, Any], dice: random.Random
) -> None:
    with pytest.raises(AssertionError):
        guesses({**config, "PROXIES": 1}, dice, 40)


def test_a_build_that_counts_in_memory_is_caught(
    series: str, config: dict[str, Any], dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was counted before a restart is gone after it."""
    real = codes.new_code

    def forgets(series_id: str, role: Role) -> codes.Code:
        with writing() as books:
            books.execute(delete(WrongTry))
        return real(series_id, role)

    monkeypatch.setattr(ledger, "new_code", forgets)
    with pytest.raises(AssertionError):
        guesses(config, dice, 40)


def test_a_build_that_counts_whoever_comes_in_is_caught(
    series: str, config: dict[str, Any], dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "CLIENT_TRIES", 4)
    real = codes.recognise

    def counts(typed: str, address: str) -> str | None:
        found = real(typed, address)
        with writing() as books:
            client = seal("client", codes._client(address).encode())
            books.add(WrongTry(client=client, at=now()))
        return found

    monkeypatch.setattr(ledger, "recognise", counts)
    with pytest.raises(AssertionError):
        guesses(config, dice, 40)
