"""Who stands where: places are for those who have played, and whoever joins late joins then."""

from scorekeeper import ledger


def test_who_has_not_played_has_no_place(table):
    table.start("kaga", "Aki", "Ben", "Chie", "Dai")
    table.records(20, 50, who="Chie Dai", dealer=0)
    assert table.totals == {"Aki": 0, "Ben": 0, "Chie": -30, "Dai": 30}
    assert table.places == {"Aki": None, "Ben": None, "Chie": 2, "Dai": 1}


def test_a_late_comer_has_none_before_their_first_round(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(100, 164)
    before = table.book.version
    ledger.add_player(table.id, "Chie")
    assert table.book.version == before + 1
    assert table.places == {"Aki": 2, "Ben": 1, "Chie": None}
    table.records(88, 88, 88)
    assert table.places == {"Aki": 3, "Ben": 1, "Chie": 2}


def test_a_misdeal_is_no_play(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 164, who="Aki Ben")
    table.records(end="void")
    assert table.places["Chie"] is None


def test_before_anybody_has_played_all_are_level(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(end="void")
    assert table.places == {"Aki": 1, "Ben": 1}
    assert table.book.outcomes == []


def test_since_when_somebody_is_there(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(100, 164)
    ledger.add_player(table.id, "Chie")
    assert table.book.since == {1: 1, 2: 1, 3: 2}
    table.undoes()
    table.records(100, 164)
    ledger.add_player(table.id, "Dai")
    assert table.book.since[table.player("Dai")] == 3


# --- How it ended ---------------------------------------------------------------------------------


def test_who_won_and_by_how_much(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(100, 84, 80)
    (outcome,) = table.book.outcomes
    assert [*map(table.called, outcome.firsts)] == ["Aki"]
    assert [*map(table.called, outcome.nexts)] == ["Ben"]
    assert (outcome.unit, outcome.amount, outcome.ahead) == ("points", 12, 16)


def test_a_shared_first_place(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(92, 92, 80)
    (outcome,) = table.book.outcomes
    assert [*map(table.called, outcome.firsts)] == ["Aki", "Ben"]
    assert (outcome.amount, outcome.ahead) == (4, 12)


def test_all_level(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(88, 88, 88)
    (outcome,) = table.book.outcomes
    assert len(outcome.firsts) == 3
    assert (outcome.nexts, outcome.ahead) == ((), 0)


def test_who_never_played_is_nobody_to_be_ahead_of(table):
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(132, 132, who="Aki Ben")
    (outcome,) = table.book.outcomes
    assert [*map(table.called, outcome.firsts)] == ["Aki", "Ben"]
    assert outcome.nexts == ()


def test_points_and_shares_each_have_theirs(table):
    table.start("bakappana", "Aki", "Ben")
    table.records(100, 164)
    ledger.change_series(table.id, rules={"settlement": "makatsu"})
    table.records(164, 100)
    assert [(one.unit, *map(table.called, one.firsts)) for one in table.book.outcomes] == [
        ("points", "Ben"),
        ("shares", "Aki"),
    ]
