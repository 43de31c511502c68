"""Whose phones may open a series, and how that ends."""

import pytest
from sqlalchemy import update

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.ledger.access import hash_of, make_secret
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import Secret
from scorekeeper.rules import RuleError

from ..conftest import everything
from ..promises.test_race import together


@pytest.fixture
def series(table):
    return table.start("bakappana", "Aki", "Ben", "Chie")


@pytest.fixture
def joins(series):
    """Makes a phone that joined by the link of a role."""

    def joins(role=Role.ENTER, series=series):
        device, _ = ledger.new_device()
        ledger.join(device, ledger.secret_for(series, role))
        return device

    return joins


# --- A new secret ---------------------------------------------------------------------------------


@pytest.mark.parametrize("role", Role)
def test_a_new_secret_puts_out_whoever_came_by_the_old_one(series, joins, role):
    old, phone = ledger.secret_for(series, role), joins(role)
    new = ledger.rotate(series, role)
    assert new == ledger.secret_for(series, role) != old
    assert ledger.find_secret(old) is None
    assert ledger.find_secret(new) == (series, role)
    assert ledger.role_of(phone, series) is None


def test_the_phone_that_asks_stays(series, joins):
    host, other = joins(Role.MANAGE), joins(Role.MANAGE)
    ledger.rotate(series, Role.MANAGE, by=host)
    assert ledger.role_of(host, series) is Role.MANAGE
    assert ledger.role_of(other, series) is None


def test_who_asks_gains_nothing(series, joins):
    host = joins(Role.MANAGE)
    ledger.rotate(series, Role.ENTER, by=host)
    ledger.rotate(series, Role.MANAGE)
    assert ledger.role_of(host, series) is None


def test_a_phone_that_was_out_already_stays_out(series, joins):
    late = joins(Role.ENTER)
    ledger.rotate(series, Role.ENTER)
    ledger.rotate(series, Role.ENTER, by=late)
    assert ledger.role_of(late, series) is None


def test_other_roles_and_other_series_keep_theirs(series, joins, table):
    watcher, elsewhere = joins(Role.VIEW), table.start("kaga", "Hana", "Ren")
    there = joins(Role.ENTER, elsewhere)
    ledger.rotate(series, Role.ENTER)
    assert ledger.role_of(watcher, series) is Role.VIEW
    assert ledger.role_of(there, elsewhere) is Role.ENTER


def test_a_tap_that_arrives_twice_makes_one_new_secret(series):
    (seen,) = {ledger.generations(series)[Role.ENTER]}
    once = ledger.rotate(series, Role.ENTER, seen=seen)
    before = everything()
    assert ledger.rotate(series, Role.ENTER, seen=seen) == once
    assert everything() == before


def test_a_new_secret_is_in_the_history_without_itself(series, table, joins):
    host = joins(Role.MANAGE)
    secret = ledger.rotate(series, Role.ENTER, by=host)
    line = ledger.history(series)[0]
    assert (line.kind, line.by) == ("rotated", host)
    assert line.said.render() == "The code to score was replaced by a new one."
    assert line.before == {"access": {"role": "enter", "generation": 1}}
    assert line.after == {"access": {"role": "enter", "generation": 2}}
    assert secret not in repr(everything())
    assert ledger.check(series).differences == ()


@pytest.mark.parametrize("value", [{"hash": b"x" * 32}, {"generation": 7}])
def test_a_secret_that_somebody_wrote_into_the_database_is_found(series, value):
    ledger.rotate(series, Role.ENTER)
    assert ledger.check(series).differences == ()
    with writing() as books:
        mine = (Secret.series_id == series, Secret.role == Role.MANAGE)
        books.execute(update(Secret).where(*mine).values(**value))
    (found,) = ledger.check(series).differences
    assert str(found).endswith(": the secret to manage is not the one that was given out.")
    with writing() as books:  # as it was, for the tests that share this server
        right = make_secret(series, Role.MANAGE, 1)
        values = {"generation": 1, "hash": hash_of(right)}
        books.execute(update(Secret).where(*mine).values(values))


def test_no_such_series(app):
    with pytest.raises(ledger.UnknownSeries):
        ledger.rotate("nowhere", Role.VIEW)
    with pytest.raises(ledger.UnknownSeries):
        ledger.remove("nowhere", 1)
    with pytest.raises(ledger.UnknownSeries):
        ledger.claim("nowhere", 1, None)


# --- One phone ------------------------------------------------------------------------------------


def test_a_phone_that_is_put_out_has_no_role(series, joins):
    phone, other = joins(Role.ENTER), joins(Role.ENTER)
    ledger.join(phone, ledger.secret_for(series, Role.VIEW))
    ledger.remove(series, phone)
    assert ledger.role_of(phone, series) is None
    assert ledger.role_of(other, series) is Role.ENTER


def test_it_keeps_its_other_series(series, joins, table):
    phone, elsewhere = joins(), table.start("kaga", "Hana", "Ren")
    ledger.join(phone, ledger.secret_for(elsewhere, Role.VIEW))
    ledger.remove(series, phone)
    assert ledger.series_of(phone) == [elsewhere]


def test_it_can_come_back_by_a_link(series, joins):
    phone = joins()
    ledger.remove(series, phone)
    assert ledger.join(phone, ledger.secret_for(series, Role.ENTER)) == (series, Role.ENTER)


def test_it_is_put_out_once(series, joins):
    phone = joins()
    ledger.remove(series, phone)
    before = everything()
    for device in (phone, 999_999, 2**31, 10**30):
        with pytest.raises(ledger.UnknownPhone):
            ledger.remove(series, device)
    assert everything() == before


def test_putting_out_is_in_the_history(series, joins):
    host, phone, named = joins(Role.MANAGE), joins(), joins()
    ledger.claim(series, named, 2)
    ledger.remove(series, phone, by=host)
    ledger.remove(series, named, by=host)
    second, first = ledger.history(series)[:2]
    assert first.said.render() == "Put out: phone 2."
    assert second.said.render() == "Put out: Ben’s phone."
    assert (first.kind, first.by) == ("removed", host)
    assert first.before == {"access": {"device": phone, "role": "enter"}}
    assert first.after == {"access": {"device": phone, "role": None}}
    assert ledger.check(series).differences == ()


def test_access_that_was_taken_away_is_not_undone(series, table, joins):
    table.records(100, 84, 80)
    phone = joins()
    ledger.remove(series, phone)
    ledger.rotate(series, Role.VIEW)
    book = table.book
    assert book.undoable == 2
    for event in (3, 4):
        with pytest.raises(RuleError, match="Something else was done meanwhile"):
            ledger.undo(series, event)
    table.undoes()
    ledger.rotate(series, Role.VIEW)
    table.redoes()
    assert len(table.book.rounds) == 1
    assert ledger.role_of(phone, series) is None


def test_the_phones_of_a_series(series, joins, table):
    host, watcher, gone = joins(Role.MANAGE), joins(Role.VIEW), joins(Role.ENTER)
    ledger.join(host, ledger.secret_for(series, Role.VIEW))
    joins(Role.VIEW, table.start("kaga", "Hana", "Ren"))
    table.id = series
    ledger.rotate(series, Role.ENTER)
    ledger.claim(series, host, 3)
    table.records(100, 84, 80, by=host)
    found = {phone.device: phone for phone in ledger.phones_of(series)}
    assert {device: (one.role, one.player) for device, one in found.items()} == {
        host: (Role.MANAGE, 3),
        watcher: (Role.VIEW, None),
    }
    assert gone not in found
    assert found[host].wrote is not None
    assert found[watcher].wrote is None
    assert found[host].joined.date() == found[host].wrote.date()


# --- Whose they are -------------------------------------------------------------------------------


def test_a_phone_is_nobodys_until_it_says_so(series, joins):
    phone = joins()
    assert not ledger.claims(series).asked(phone)
    assert not ledger.claims(series).asked(None)
    ledger.claim(series, phone, None)
    assert ledger.claims(series).asked(phone)
    assert ledger.claims(series).now(phone) is None
    ledger.claim(series, phone, 1)
    assert ledger.claims(series).now(phone) == 1


def test_one_person_has_several_phones(series, joins):
    first, second, third = joins(), joins(), joins()
    for phone, player in ((first, 1), (second, 1), (third, 2)):
        ledger.claim(series, phone, player)
    assert ledger.claims(series).players == {1: 2, 2: 1}


def test_the_history_knows_who_it_was(series, table, joins):
    phone, unknown = joins(), joins()
    table.records(100, 84, 80, by=phone)
    ledger.claim(series, phone, 1)
    table.records(100, 84, 80, by=phone)
    ledger.claim(series, phone, 2)
    table.records(100, 84, 80, by=phone)
    ledger.claim(series, phone, None)
    table.records(100, 84, 80, by=phone)
    table.records(100, 84, 80, by=unknown)
    lines = ledger.history(series)[::-1]
    assert [line.player for line in lines] == [None, 1, 1, 2, None, None]
    assert [line.who and line.who.render() for line in lines] == [
        *(None, "Aki’s phone", "Aki’s phone", "Ben’s phone", "phone 1", "phone 2")
    ]


def test_no_such_player(series, joins):
    before = everything()
    for player in (0, 4, -1):
        with pytest.raises(ledger.UnknownPlayer):
            ledger.claim(series, joins(), player)
    assert everything()["claim"] == before["claim"]


def test_no_such_phone(series):
    with pytest.raises(ledger.UnknownPhone):
        ledger.claim(series, 999_999, 1)


def test_twice_at_the_same_moment(series, joins, app):
    """A double tap: the first word on whose a phone is, told twice."""
    phones = [joins() for _ in range(10)]

    def taps(phone):
        with app.app_context():
            ledger.claim(series, phone, 1)
            return True

    for phone in phones:
        assert together([lambda phone=phone: taps(phone)] * 4) == [True] * 4
    assert ledger.claims(series).players == {1: len(phones)}


# --- What they are called -------------------------------------------------------------------------


def called(series, device, **more):
    return ledger.claims(series).called(device, ledger.read(series), **more).render()


def test_phones_are_counted_in_each_series_in_the_order_of_coming(series, joins, table):
    old = joins()
    elsewhere = table.start("kaga", "Hana", "Ren")
    new = joins(series=elsewhere)
    ledger.join(old, ledger.secret_for(elsewhere, Role.VIEW))
    assert [called(elsewhere, one) for one in (new, old)] == ["phone 1", "phone 2"]
    assert called(series, old) == "phone 1"
    assert [phone.device for phone in ledger.phones_of(elsewhere)] == [new, old]


def test_a_phone_keeps_its_number(series, joins):
    first, second = joins(), joins(Role.VIEW)
    ledger.remove(series, first)
    third = joins()
    ledger.join(first, ledger.secret_for(series, Role.ENTER))
    ledger.join(second, ledger.secret_for(series, Role.ENTER))
    assert [called(series, one) for one in (first, second, third)] == [
        *("phone 1", "phone 2", "phone 3")
    ]


def test_whose_phone_it_is(series, joins):
    phone = joins()
    ledger.claim(series, phone, 1)
    assert called(series, phone) == "Aki’s phone"
    assert called(series, phone, this=phone) == "this phone"
    ledger.add_player(series, "Dan")
    ledger.claim(series, phone, None)
    assert called(series, phone) == "phone 1"
    assert called(series, phone, at=2) == "Aki’s phone"


def test_two_phones_of_one_player_are_told_apart(series, joins):
    phones = [joins(), joins()]
    for phone in phones:
        ledger.claim(series, phone, 2)
    assert [called(series, one) for one in phones] == [
        *("Ben’s phone (phone 1)", "Ben’s phone (phone 2)")
    ]


def test_a_phone_that_was_never_here(series):
    assert called(series, 999_999) == "a phone"
