"""The stream says the version, at once and whenever it changes, to those who may look."""

import itertools
import re
import threading
from dataclasses import replace

import pytest

from scorekeeper import ledger
from scorekeeper.ledger import Role
from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import Grant, Secret, db
from scorekeeper.live import Pace
from scorekeeper.rules import RuleError

from ..conftest import everything

KINDS = ["sqlite", "postgresql"]


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def test_says_the_version_at_once_and_after_every_change(table, series, listen):
    ear = listen(series)
    assert ear.hears() == "1"
    table.records(100, 84, 80)
    assert ear.hears() == "2"
    table.corrects(1, 84, 100, 80)
    assert ear.hears() == "3"
    ledger.add_player(series, "Dai")
    assert ear.hears() == "4"
    assert ear.hears_nothing()


def test_tells_all_who_listen_to_the_series_and_nobody_else(table, series, listen):
    other = listen(ledger.start("kaga", {}, ["Hana", "Ren"]))
    ears = [listen(series) for _ in range(4)]
    assert [ear.hears() for ear in [other, *ears]] == ["1"] * 5
    table.records(100, 84, 80)
    assert [ear.hears() for ear in ears] == ["2"] * 4
    assert other.hears_nothing()


def test_a_change_that_is_refused_is_not_told(table, series, listen):
    ear = listen(series)
    assert ear.hears() == "1"
    with pytest.raises(RuleError):
        table.records(100, 84, 1)
    assert ear.hears_nothing()


def test_every_event_has_its_number_as_id(series, listen):
    ear = listen(series)
    ear.hears()
    retry, *lines = filter(None, ear.lines)
    assert re.fullmatch(r"retry: [2-5]\d{3}", retry)
    assert lines == ["id: 1", "data: 1"]


def test_says_nothing_again_to_whoever_heard_it(table, series, listen):
    ear = listen(series, headers={"Last-Event-ID": "1"})
    assert ear.hears() == ":"
    table.records(100, 84, 80)
    assert ear.hears() == "2"


@pytest.mark.parametrize("seen", ["0", "7", "", "x", "-1", "9" * 30])
def test_says_the_version_to_whoever_heard_another(series, listen, seen):
    assert listen(series, headers={"Last-Event-ID": seen}).hears() == "1"


def test_may_be_opened_by_a_phone_that_joined(table, series, listen, phone):
    _, client = phone(series, Role.VIEW)
    ear = listen(series, client=client)
    assert ear.hears() == "1"
    table.records(100, 84, 80)
    assert ear.hears() == "2"


def test_is_kept_by_nothing_on_the_way(series, listen):
    answer = listen(series).answer
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in answer.headers


# --- Who may not ----------------------------------------------------------------------------------


def test_refuses_whoever_shows_nothing(series, ask):
    assert ask(series).status_code == 401


def test_refuses_unknown_secrets_phones_and_series_alike(series, ask, phone):
    other = ledger.start("kaga", {}, ["Hana", "Ren"])
    _, elsewhere = phone(other)
    refused = [
        ask(series, secret="nothing"),
        ask(series, secret=ledger.secret_for(other, Role.MANAGE)),
        ask(series, client=elsewhere),
        ask("nowhere", secret=ledger.secret_for(series, Role.VIEW)),
    ]
    assert {answer.status_code for answer in refused} == {404}
    assert len({answer.get_data() for answer in refused}) == 1


def test_a_secret_counts_before_a_cookie(series, ask, phone):
    _, client = phone(series)
    assert ask(series, secret="nothing", client=client).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_is_only_read(series, ask, method):
    secret = ledger.secret_for(series, Role.MANAGE)
    assert ask(series, secret=secret, method=method).status_code == 405


def test_a_new_secret_ends_the_streams_of_the_old_one(series, listen, phone):
    _, client = phone(series, Role.ENTER)
    out = [listen(series, Role.ENTER), listen(series, client=client)]
    stays = listen(series, Role.VIEW)
    assert [ear.hears() for ear in [*out, stays]] == ["1"] * 3
    with writing(series) as books:
        books.get(Secret, (series, Role.ENTER)).generation += 1
        books.get(Secret, (series, Role.ENTER)).hash = b"another"
    assert all(ear.ends() for ear in out)
    assert stays.hears_nothing()


def test_a_phone_that_is_put_out_hears_nothing_more(table, series, listen, phone):
    device, client = phone(series)
    ear = listen(series, client=client)
    assert ear.hears() == "1"
    with writing(series) as books:
        books.delete(books.get(Grant, (device, series, Role.ENTER)))
    table.records(100, 84, 80)
    assert ear.ends()


def test_a_phone_that_is_put_out_unheard_is_out_at_the_next_heartbeat(
    streams, series, listen, phone
):
    streams.pace = replace(streams.pace, heartbeat=0.3)
    device, client = phone(series)
    ear = listen(series, client=client)
    assert ear.hears() == "1"
    with db.engine.begin() as books:  # behind the back of whoever would tell
        books.exec_driver_sql(f'DELETE FROM "grant" WHERE device_id = {device}')
    while (heard := ear.hears()) == ":":
        pass
    assert heard is None


def test_a_phone_with_another_role_starts_anew(series, listen, phone):
    device, client = phone(series, Role.VIEW)
    ear = listen(series, client=client)
    assert ear.hears() == "1"
    ledger.join(device, ledger.secret_for(series, Role.MANAGE))
    assert ear.ends()


# --- How many, and how long -----------------------------------------------------------------------


def test_more_than_the_limit_are_told_to_ask_from_time_to_time(streams, series, listen, ask):
    streams.limit = 2
    ears = [listen(series), listen(series)]
    assert [ear.hears() for ear in ears] == ["1", "1"]
    refused = ask(series, secret=ledger.secret_for(series, Role.VIEW))
    assert (refused.status_code, refused.json["error"]["code"]) == (503, "too_many")
    assert int(refused.headers["Retry-After"]) > 0


def test_whoever_leaves_makes_room(streams, series, listen, ask):
    streams.limit = 1
    secret = ledger.secret_for(series, Role.VIEW)
    for _ in range(3):
        answer = ask(series, secret=secret)
        assert answer.status_code == 200
        next(iter(answer.response))
        answer.close()
    assert streams.count == 0


def test_a_stream_that_was_never_read_makes_room(streams, series, ask):
    ask(series, secret=ledger.secret_for(series, Role.VIEW)).close()
    assert streams.count == 0


def test_head_says_what_a_stream_would_and_takes_no_room(streams, series, ask):
    streams.limit = 0
    answer = ask(series, secret=ledger.secret_for(series, Role.VIEW), method="HEAD")
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert answer.get_data() == b""


def test_listening_changes_nothing(series, listen, ask, phone):
    _, client = phone(series)
    before = everything()
    listen(series, client=client).hears()
    listen(series).hears()
    ask(series, client=client, method="HEAD")
    assert everything() == before


def test_a_quiet_stream_has_a_heartbeat(streams, series, listen):
    streams.pace = replace(streams.pace, heartbeat=0.1)
    ear = listen(series)
    assert [ear.hears() for _ in range(4)] == ["1", ":", ":", ":"]


def test_ends_after_ten_minutes(streams, table, series, listen):
    now = [1000.0]
    streams.clock = lambda: now[0]
    ear = listen(series)
    assert ear.hears() == "1"
    now[0] += 599
    table.records(100, 84, 80)
    # At a clock that jumps, a heartbeat is due as well.
    assert ear.hears() in ("2", ":")
    now[0] += 1
    streams.ring(series)
    while (heard := ear.hears()) is not None:
        assert heard in ("2", ":")
    assert streams.count == 0


def test_a_connection_is_not_held_while_waiting(series, listen):
    ears = [listen(series) for _ in range(25)]  # more than the pool has
    assert [ear.hears() for ear in ears] == ["1"] * 25
    assert "Current Checked out connections: 0" in db.engine.pool.status()


def test_all_end_when_the_server_does(streams, series, listen, ask):
    others = set(threading.enumerate())
    ears = [listen(series) for _ in range(3)]
    assert [ear.hears() for ear in ears] == ["1"] * 3
    streams.close()
    assert all(ear.ends() for ear in ears)
    assert ask(series, secret=ledger.secret_for(series, Role.VIEW)).status_code == 503
    streams.wait_until_closed(10)
    left = set(threading.enumerate()) - others
    assert not [thread for thread in left if thread.name == "live"]


def test_ends_though_it_was_about_to_wait(streams, series, listen):
    moments = itertools.count()

    def clock() -> float:
        if next(moments) == 2:  # the streams end just when this one has seen that they go on
            streams.close()
        return 0

    streams.clock = clock
    assert listen(series).ends()


def test_the_default_pace():
    assert Pace() == Pace(heartbeat=15, lifetime=600, recheck=5, patience=1)
