"""Who may do what: secrets, devices and their grants."""

import base64
import secrets

import pytest
from sqlalchemy import text, update

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import Secret

from ..conftest import everything


@pytest.fixture
def series(table):
    return table.start("kaga", "Hana", "Ren")


def next_generation(series_id, role):
    """Makes the secrets of a role so far those of the past."""
    with writing(series_id) as books:
        books.execute(
            update(Secret)
            .where(Secret.series_id == series_id, Secret.role == role)
            .values(generation=2, hash=secrets.token_bytes(32))
        )


@pytest.mark.parametrize("role", Role)
def test_a_secret_opens_its_series_by_its_role(series, role):
    secret = ledger.secret_for(series, role)
    assert ledger.find_secret(secret) == (series, role)
    assert ledger.secret_for(series, role) == secret


def test_a_secret_has_256_bits(series):
    secret = ledger.secret_for(series, Role.VIEW)
    assert len(base64.urlsafe_b64decode(secret + "=")) == 32
    assert "=" not in secret


def test_no_two_secrets_are_the_same(table):
    started = [table.start("kaga", "Hana", "Ren") for _ in range(2)]
    assert len({ledger.secret_for(series, role) for series in started for role in Role}) == 6


def test_the_database_holds_no_secret(series):
    device, token = ledger.new_device()
    secret = ledger.secret_for(series, Role.ENTER)
    ledger.join(device, secret)
    kept = repr(everything())
    assert secret not in kept
    assert token not in kept


@pytest.mark.parametrize("text", ["", "x", "\0", "\ud800", "ゆき", "A" * 43, "=" * 10_000])
def test_anything_else_opens_nothing(series, text):
    assert ledger.find_secret(text) is None
    assert ledger.device_by_token(text) is None
    device, _ = ledger.new_device()
    assert ledger.join(device, text) is None
    assert ledger.role_of(device, series) is None


@pytest.mark.parametrize("spoil", [str.swapcase, lambda s: s + "=", lambda s: s[:-1]])
def test_nearly_a_secret_opens_nothing(series, spoil):
    assert ledger.find_secret(spoil(ledger.secret_for(series, Role.MANAGE))) is None


def test_roles_from_the_weakest_to_the_strongest():
    allowed = {role: [needed.value for needed in Role if role.allows(needed)] for role in Role}
    assert allowed == {
        Role.VIEW: ["view"],
        Role.ENTER: ["view", "enter"],
        Role.MANAGE: ["view", "enter", "manage"],
    }


def test_a_device_is_known_by_its_token(series):
    device, token = ledger.new_device()
    other, other_token = ledger.new_device()
    assert device != other
    assert ledger.device_by_token(token) == device
    assert ledger.device_by_token(other_token) == other


def test_joining_grants_the_role_of_the_secret(series, table):
    device, _ = ledger.new_device()
    assert ledger.join(device, ledger.secret_for(series, Role.ENTER)) == (series, Role.ENTER)
    assert ledger.role_of(device, series) is Role.ENTER
    assert ledger.role_of(device, table.start("kaga", "Hana", "Ren")) is None
    other, _ = ledger.new_device()
    assert ledger.role_of(other, series) is None


def test_joining_raises_the_role_and_never_lowers_it(series):
    device, _ = ledger.new_device()
    for role, granted in (
        (Role.VIEW, Role.VIEW),
        (Role.MANAGE, Role.MANAGE),
        (Role.VIEW, Role.MANAGE),
        (Role.ENTER, Role.MANAGE),
        (Role.MANAGE, Role.MANAGE),
    ):
        assert ledger.join(device, ledger.secret_for(series, role)) == (series, granted)


def test_a_grant_ends_with_the_generation_of_its_secret(series):
    device, _ = ledger.new_device()
    old = ledger.secret_for(series, Role.MANAGE)
    ledger.join(device, old)
    next_generation(series, Role.MANAGE)
    assert ledger.role_of(device, series) is None
    assert ledger.find_secret(old) is None
    assert ledger.secret_for(series, Role.MANAGE) != old
    assert ledger.join(device, old) is None


def test_what_was_granted_by_another_secret_stays(series):
    device, _ = ledger.new_device()
    ledger.join(device, ledger.secret_for(series, Role.VIEW))
    ledger.join(device, ledger.secret_for(series, Role.MANAGE))
    next_generation(series, Role.MANAGE)
    assert ledger.role_of(device, series) is Role.VIEW


def test_the_series_of_a_device(table):
    device, _ = ledger.new_device()
    assert ledger.series_of(device) == ledger.series_of(None) == []
    first, second, _unjoined = (table.start("kaga", "Hana", "Ren") for _ in range(3))
    ledger.join(device, ledger.secret_for(first, Role.VIEW))
    ledger.join(device, ledger.secret_for(second, Role.VIEW))
    ledger.join(device, ledger.secret_for(second, Role.ENTER))
    assert sorted(ledger.series_of(device)) == sorted([first, second])
    next_generation(first, Role.VIEW)
    assert ledger.series_of(device) == [second]


def test_there_is_no_secret_for_no_series(app):
    with pytest.raises(ledger.UnknownSeries):
        ledger.secret_for("nowhere", Role.VIEW)


def test_a_grant_needs_a_device(series):
    with pytest.raises(Exception, match=r"(?i)foreign key"), writing() as books:
        books.execute(
            text(
                'INSERT INTO "grant" (device_id, series_id, role, generation) '
                "VALUES (999999, :series, 'view', 1)"
            ),
            {"series": series},
        )
