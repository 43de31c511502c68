"""Starting a series: who plays, by which rules, and what is refused."""

import re

import pytest

from scorekeeper import ledger
from scorekeeper.ledger.names import clean_names
from scorekeeper.rules import RuleError

from ..conftest import everything


def test_a_series_is_as_it_was_started(table):
    table.start("bakappana", "Aki", "Ben", "Chie", rules={"tie": "nobody"}, length=12)
    book = table.book
    assert [(person.id, person.name) for person in book.players] == [
        (1, "Aki"),
        (2, "Ben"),
        (3, "Chie"),
    ]
    assert (book.game, book.length, book.state, book.version) == ("bakappana", 12, "open", 1)
    assert book.house_rules == {"tie": "nobody"}
    assert book.rounds == ()
    assert book.carry == []
    assert table.totals == {"Aki": 0, "Ben": 0, "Chie": 0}
    assert table.places == {"Aki": 1, "Ben": 1, "Chie": 1}


def test_rules_are_written_down_whole(table):
    """So that a default that changes one day does not change this series."""
    table.start("kaga", "Hana", "Ren")
    assert table.book.house_rules == {}
    assert table.book.rules["ledger"] == "difference"
    assert table.book.rules["dealer_tie"] == "turn_order"


@pytest.mark.parametrize(("first", "dealer"), [(0, "Aki"), (2, "Chie"), (None, None)])
def test_the_first_dealer(table, first, dealer):
    table.start("bakappana", "Aki", "Ben", "Chie", first_dealer=first)
    assert table.called(table.book.next_dealer) == dealer


def test_more_people_than_seats(table):
    table.start("kaga", *"ABCDE")
    assert len(table.book.players) == 5


@pytest.mark.parametrize(("rules", "unit"), [({}, "points"), ({"settlement": "makatsu"}, "shares")])
def test_totals_know_their_unit_before_the_first_round(table, rules, unit):
    table.start("bakappana", "Aki", "Ben", rules=rules)
    assert {total.unit for total in table.book.totals} == {unit}


REFUSED = {
    "unknown game": ("poker", ["Aki", "Ben"], {}, None, "unknown_game"),
    "unknown rule": ("kaga", ["Aki", "Ben"], {"jokers": 2}, None, "unknown_rule"),
    "unknown value": ("bakappana", ["Aki", "Ben"], {"chaff": 2}, None, "unknown_rule"),
    "nobody": ("kaga", [], {}, None, "wrong_seats"),
    "too few": ("yokohama-bana", ["Aki", "Ben"], {}, None, "wrong_seats"),
    "a crowd": ("kaga", [f"P{n}" for n in range(61)], {}, None, "wrong_seats"),
    "rules at odds": (
        "hachi-hachi",
        ["Aki", "Ben", "Chie"],
        {"all88": "bonus", "payment": "zero_sum"},
        None,
        "rule_conflict",
    ),
    "no rounds": ("kaga", ["Aki", "Ben"], {}, 0, "bad_length"),
    "too many rounds": ("kaga", ["Aki", "Ben"], {}, 1000, "bad_length"),
    "same name": ("kaga", ["ゆき", "ゆき "], {}, None, "name_taken"),
    "no name": ("kaga", ["Aki", " "], {}, None, "bad_name"),
}


@pytest.mark.parametrize(
    ("game", "names", "rules", "length", "code"), REFUSED.values(), ids=REFUSED
)
def test_refused(table, game, names, rules, length, code):
    before = everything()
    with pytest.raises(RuleError) as refusal:
        table.start(game, *names, rules=rules, length=length)
    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")
    assert everything() == before


def test_rules_for_two_fit_a_series_of_five_where_two_play(table):
    table.start("bakappana", *"ABCDE", rules={"settlement": "difference"})
    table.records(140, 124, who="B D", dealer=0)
    assert table.totals == {"A": 0, "B": 16, "C": 0, "D": -16, "E": 0}


# Case 16, and more: what a name may be, and how it is shown.
GOOD_NAMES = {
    "a slash": ("A/B", "A/B"),
    "several words": ("Anna Maria de la Fuente-Okonkwo", "Anna Maria de la Fuente-Okonkwo"),
    "trimmed": ("\u3000ゆき \n", "ゆき"),
    "composed": ("Jose\u0301", "José"),
    "a formula": ("=1+1", "=1+1"),
    "right to left": ("محمد", "محمد"),
    "gershayim": ("ג׳וזף", "ג׳וזף"),
    "joined emoji": (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ),
    "sixty": ("W" * 60, "W" * 60),
    "sixty and their marks": ("à̧" * 30 + "x" * 30, "à̧" * 30 + "x" * 30),
    "markup": ("<b>'\"&", "<b>'\"&"),
}


@pytest.mark.parametrize(("sent", "shown"), GOOD_NAMES.values(), ids=GOOD_NAMES)
def test_names(table, sent, shown):
    table.start("kaga", sent, "Ren")
    assert table.book.name_of(1) == shown


BAD_NAMES = {
    "no text": 7,
    "missing": None,
    "empty": "",
    "blank": " \u3000 ",
    "only joiners": "\u200d\u200b",
    "only a filler": "\u3164",
    "a line break": "A\nB",
    "NUL": "A\0B",
    "override": "A\u202eB",
    "isolate": "\u2066A",
    "half a surrogate pair": "\ud800",
    "paragraph separator": "A\u2029B",
    "sixty-one": "W" * 61,
    "a tower of marks": "a" + "\u0301\u0327" * 200,
}


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
def test_names_refused(name):
    with pytest.raises(RuleError) as refusal:
        clean_names(["Aki", name])
    assert (refusal.value.code, refusal.value.seat) == ("bad_name", 1)
    assert refusal.value.message.endswith(".")


SAME_NAMES = {
    "case": ("Hana", "HANA"),
    "width": ("ｱｷ", "アキ"),
    "full-width": ("Ｂｅｎ", "ben"),
    "spacing": ("Anna Maria", "Anna  Maria"),
    "an invisible joiner": ("Aki", "A\u200bki"),
    "composed": ("José", "Jose\u0301"),
}


@pytest.mark.parametrize("names", SAME_NAMES.values(), ids=SAME_NAMES)
def test_names_that_look_the_same(names):
    with pytest.raises(RuleError) as refusal:
        clean_names(names)
    assert (refusal.value.code, refusal.value.seat) == ("name_taken", 1)


def test_no_series_is_called_like_an_option(app):
    """A hyphen in front is one for the command line, and one at the end falls off a link."""
    started = [ledger.start("kaga", {}, ["Aki", "Ben", "Chie", "Dan"]) for _ in range(40)]
    assert all(re.fullmatch("[0-9A-Za-z]{12}", each) for each in started)
    assert len(set(started)) == 40
