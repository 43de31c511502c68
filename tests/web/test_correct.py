"""Correcting a round with the form it was entered with."""

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper import filling, ledger
from scorekeeper.ledger import Role
from scorekeeper.rules import RuleError
from scorekeeper.rules.sentence import say
from tests.conftest import Table, everything
from tests.web.conftest import Phone

PILES = (
    "1B 1R 1C1 1C2 3B 3R 3C1 3C2 6A 6R 6C1 6C2",
    "2A 2R 2C1 2C2 9A 9R 9C1 9C2 11B 11A 11R 11C",
    "4A 4R 4C1 4C2 5A 5R 5C1 5C2 7A 7R 7C1 7C2 8B 8A 8C1 8C2 10A 10R 10C1 10C2 12B 12C1 12C2 12C3",
)
HAND = "12C1 12C2 12C3 2C1 3C1 5C1 6C1"
COUNTS = [
    {"bright": 1, "animal": 4, "ribbon": 3, "chaff": 12},
    {"bright": 2, "animal": 3, "ribbon": 4, "chaff": 7},
    {"bright": 2, "animal": 2, "ribbon": 3, "chaff": 5},
]


def seats(field: str, *values: Any, **more: dict[str, Any]) -> dict[str, Any]:
    """A round in which players 1, 2, ... have these; `more` are further fields of a seat."""
    filled = [{"player": at, field: value} for at, value in enumerate(values, 1)]
    for seat, fields in more.items():
        filled[int(seat.removeprefix("p")) - 1] |= fields
    return {"seats": filled}


# Every kind of entry, as pages and programs record them.
ENTRIES: dict[str, tuple[str, dict[str, Any]]] = {
    "points": ("bakappana", seats("points", 87, 97, 80)),
    "points, rest": ("bakappana", seats("points", 87, 97, "rest")),
    "points as text": ("bakappana", seats("points", "８７", 97, 80)),
    "counts": ("bakappana", seats("counts", *COUNTS)),
    "counts, rest": ("bakappana", seats("counts", "rest", *COUNTS[1:])),
    "cards": ("bakappana", seats("captured", *PILES)),
    "cards, rest in the middle": ("bakappana", seats("captured", PILES[0], "rest", PILES[2])),
    "cards as a list": ("bakappana", seats("captured", PILES[0].split(), PILES[1], "rest")),
    "named and chaff": (
        "yokohama-bana",
        {
            "seats": [
                {"player": 1, "named": "1B 1R 3B 3R 6A 6R", "chaff": 6},
                {"player": 2, "named": "2A 2R 9A 9R 11B 11A 11R", "chaff": 5},
                {"player": 3, "named": "rest"},
            ]
        },
    ),
    "rest, in capitals": ("bakappana", seats("captured", PILES[0], " REST ", PILES[2])),
    "named, the rest in capitals": (
        "yokohama-bana",
        {
            "seats": [
                {"player": 1, "named": ["1B", "1R", "3B", "3R", "6A", "6R"], "chaff": "６"},
                {"player": 2, "named": "2A 2R 9A 9R 11B 11A 11R", "chaff": 5},
                {"player": 3, "named": "Rest"},
            ]
        },
    ),
    "points and counts": (
        "bakappana",
        {
            "seats": [
                {"player": 1, "points": 87},
                {"player": 2, "counts": COUNTS[1]},
                {"player": 3, "counts": COUNTS[2]},
            ]
        },
    ),
    "teyaku shown": ("yokohama-bana", seats("points", 70, 100, 94, p1={"teyaku": ["sanbon"]})),
    "teyaku as text": ("yokohama-bana", seats("points", 70, 100, 94, p1={"teyaku": "sanbon, aka"})),
    "hand as a list": ("yokohama-bana", seats("points", 70, 100, 94, p1={"hand": HAND.split()})),
    "hand": ("yokohama-bana", seats("points", 70, 100, 94, p1={"hand": HAND})),
    "hand, one shown": (
        "yokohama-bana",
        seats("points", 70, 100, 94, p1={"hand": HAND, "teyaku": ["sanbon"]}),
    ),
    "hand of one, ticks of another": (
        "yokohama-bana",
        seats("points", 70, 100, 94, p1={"hand": HAND}, p2={"teyaku": ["toichi"]}),
    ),
    "stopped": (
        "yokohama-bana",
        {"end": "stopped", "stopped_by": 1, **seats("dekiyaku", [], ["aotan"], [])},
    ),
    "stopped, by cards": (
        "yokohama-bana",
        {
            "end": "stopped",
            "stopped_by": 0,
            **seats("captured", "6R 6C1 9R 9C1 10R 10C1", "1B 1C1", ""),
        },
    ),
    "special": (
        "yokohama-bana",
        seats("points", 70, 100, 94, p2={"special": ["sujushi"]}),
    ),
    "void": ("yokohama-bana", {"end": "void", "seats": [{"player": at} for at in (1, 2, 3)]}),
    "field": ("hachi-hachi", {"field": "12B", **seats("points", 100, 84, 80)}),
    "field as a list": ("hachi-hachi", {"field": ["12B"], **seats("points", 100, 84, 80)}),
    "field with other cards": (
        "hachi-hachi",
        {"field": "1B 2A", **seats("points", 90, 84, 90)},
    ),
    "multiplier": ("hachi-hachi", {"multiplier": 4, **seats("points", 100, 84, 80)}),
    "five brights": ("hachi-hachi", seats("dekiyaku", ["goko"], [], [])),
    "played on": (
        "hachi-hachi",
        {
            "end": "stopped",
            "stopped_by": 1,
            **seats("dekiyaku", ["akatan"], ["aotan"], [], p1={"continued": True}),
        },
    ),
    "kaga": (
        "kaga",
        seats("captured", "11B 11A 11R 11C", "12B 12C1", p1={"teyaku": ["teshi", "teshi"]}),
    ),
    "kaga, claimed": ("kaga", seats("points", 30, 10, p1={"dekiyaku": ["shima", "shima"]})),
    "cards and counts": (
        "hachi-hachi",
        {
            "seats": [
                {"player": 1, "captured": PILES[0]},
                {"player": 2, "counts": {"bright": 1, "animal": 3, "ribbon": 3, "chaff": 5}},
                {"player": 3, "captured": PILES[2]},
            ]
        },
    ),
    "cards and named": (
        "yokohama-bana",
        {
            "seats": [
                {"player": 1, "captured": PILES[0]},
                {"player": 2, "named": "2A 2R 9A 9R 11B 11A 11R", "chaff": 5},
                {"player": 3, "captured": PILES[2]},
            ]
        },
    ),
    "a dekiyaku in cards, and counts": (
        "hachi-hachi",
        {
            "seats": [
                {"player": 1, "captured": "6R 6C1 9R 9C1 10R 10C1 1B 1R 1C1 1C2 3B 3R 3C1 3C2"},
                {"player": 2, "counts": {"bright": 1, "animal": 3, "ribbon": 2, "chaff": 4}},
                {"player": 3, "captured": f"{PILES[2].replace('10R 10C1', '')} 6A 6C2"},
            ]
        },
    ),
    "kaga, named": (
        "kaga",
        {
            "seats": [
                {"player": 1, "named": "11B 11A 11R 4A", "chaff": 0},
                {"player": 2, "named": "1B 1R", "chaff": 0},
            ]
        },
    ),
}


def recorded(table: Table, case: str) -> None:
    game, document = ENTRIES[case]
    names = ("Aki", "Ben", "Chie")[: len(document["seats"])]
    table.start(game, *names)
    ledger.record(table.id, {"number": 1, "dealer": 1, **document})


@pytest.mark.parametrize("case", ENTRIES)
def test_saving_it_unchanged_changes_nothing(
    table: Table, joined: Callable[..., Phone], case: str
) -> None:
    recorded(table, case)
    (before,) = table.book.rounds
    phone = joined()
    assert phone.opens("/rounds/1").status == 200
    page = phone.opens("/rounds/1/correct").form.presses("preview")
    assert page.refusals == {}
    assert page.form.presses("save").saved
    (after,) = table.book.rounds
    assert (after.revision, after.amounts, after.dealer) == (2, before.amounts, before.dealer)
    assert after.result == before.result


@pytest.mark.parametrize("said", [99, -1, True, "nobody", 1, "×"])
def test_what_was_said_of_a_tie_that_was_none(
    table: Table, joined: Callable[..., Phone], said: Any
) -> None:
    rules = {"settlement": "makatsu", "tie": "ask"}
    table.start("bakappana", "Aki", "Ben", "Chie", rules=rules)
    ledger.record(
        table.id, {"number": 1, "dealer": 1, "decision": said, **seats("points", 97, 87, 80)}
    )
    page = joined().opens("/rounds/1/correct").form.presses("preview").form.presses("save")
    assert page.saved


def test_a_round_that_these_rules_refuse_is_entered_anew(
    table: Table, joined: Callable[..., Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(table, "points")

    def refuse(document: Any) -> None:
        raise RuleError("not_a_round", say("No such round."))

    monkeypatch.setattr(filling, "read", refuse)
    page = joined().opens("/rounds/1/correct")
    assert page.status == 200
    assert page.form.fields["p1-bright"] == ""


@pytest.mark.parametrize(
    ("case", "form"),
    [
        ("points and counts", "points"),
        ("cards and counts", "counts"),
        ("cards and named", "named"),
        ("cards, rest in the middle", "captured"),
        ("kaga, named", "points"),
        ("kaga, claimed", "points"),
        ("void", "counts"),
    ],
)
def test_it_opens_in_the_form_that_tells_the_most(
    table: Table, joined: Callable[..., Phone], case: str, form: str
) -> None:
    recorded(table, case)
    assert joined().opens("/rounds/1/correct").form.fields["form"] == form


def test_a_round_entered_by_months_opens_with_what_is_kept_of_it(
    table: Table, joined: Callable[..., Phone]
) -> None:
    table.start("kaga", "Aki", "Ben")
    claims = {"dekiyaku": ["akatan", "shima"]}
    ledger.record(
        table.id, {"number": 1, **seats("points", 30, 10, p1=claims, p2={"dekiyaku": []})}
    )
    page = joined().opens("/rounds/1/correct")
    assert "Mend these, or mark the months anew." in page.text
    assert page.form.fields["p1-points"] == "30"
    # On the board only the yaku can be marked: which months they were is not known.
    board = joined().opens("/rounds/1/correct?use=months").form.fields
    marked = {name: value for name, value in board.items() if name.startswith(("claimed", "month"))}
    assert {name: value for name, value in marked.items() if value} == {"claimed-akatan": "1"}


@pytest.fixture
def played(table: Table) -> Table:
    """A table that has played one round."""
    table.start("bakappana", "Aki", "Ben", "Chie")
    table.records(87, 97, 80)
    return table


def test_corrects(played: Table, joined: Callable[..., Phone]) -> None:
    phone = joined()
    page = phone.types_points(97, 87, 80, form=phone.opens("/rounds/1/correct").form)
    done = page.presses("preview").form.presses("save")
    assert done.answer.location == f"{phone.series}/rounds/1?corrected=1"
    assert played.totals == {"Aki": 9, "Ben": -1, "Chie": -8}


def test_unseen_figures_are_shown_first(played: Table, joined: Callable[..., Phone]) -> None:
    phone = joined()
    page = phone.types_points(97, 87, 80, form=phone.opens("/rounds/1/correct").form)
    assert page.presses("save").status == 200
    assert played.book.rounds[0].revision == 1


@pytest.mark.parametrize("revision", ["", "0", "-1", "x", "٣", "9" * 30])
def test_a_revision_that_never_was(
    played: Table, joined: Callable[..., Phone], revision: str
) -> None:
    form = joined().opens("/rounds/1/correct").form.presses("preview").form
    page = form.types(revision=revision).presses("save")
    assert page.status == 200
    assert played.book.rounds[0].revision == 1


def test_a_refusal_keeps_what_was_typed_and_stores_nothing(
    played: Table, joined: Callable[..., Phone]
) -> None:
    phone = joined()
    form = phone.types_points(97, 87, 81, form=phone.opens("/rounds/1/correct").form)
    before = everything()
    page = form.presses("preview")
    assert list(page.refusals) == ["refusal-piles"]
    assert [page.form.fields[f"p{at}-points"] for at in (1, 2, 3)] == ["97", "87", "81"]
    assert everything() == before


def test_without_a_token_nothing_is_lost(played: Table, joined: Callable[..., Phone]) -> None:
    phone = joined()
    form = phone.types_points(97, 87, 80, form=phone.opens("/rounds/1/correct").form)
    page = form.presses("preview").form.types(csrf_token=None).presses("save")
    assert page.form.fields["p1-points"] == "97"
    assert page.form.presses("save").saved


def test_turning_a_round_into_a_misdeal(played: Table, joined: Callable[..., Phone]) -> None:
    form = joined().opens("/rounds/1/correct").form.types(end="void").presses("preview").form
    assert form.presses("save").saved
    assert played.totals == {"Aki": 0, "Ben": 0, "Chie": 0}


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999"])
@pytest.mark.parametrize("page", ["", "/correct"])
def test_a_round_that_was_not_played(
    played: Table, joined: Callable[..., Phone], number: str, page: str
) -> None:
    assert joined().opens(f"/rounds/{number}{page}").status == 404


def test_a_phone_that_watches(played: Table, joined: Callable[..., Phone]) -> None:
    watcher = joined(Role.VIEW)
    assert watcher.opens("/rounds/1").status == 200
    assert watcher.opens("/rounds/1/correct").status == 403
    assert "/rounds/1/correct" not in watcher.opens("/rounds/1").text


def test_somebody_elses_round(played: Table, phones: Callable[[], Phone], scorer: Phone) -> None:
    theirs = scorer.opens(f"/s/{played.id}/rounds/1/correct")
    none = scorer.opens("/s/AAAAAAAAAAAA/rounds/1/correct")
    assert (theirs.status, theirs.text) == (404, none.text)


def test_wrong_method(played: Table, joined: Callable[..., Phone]) -> None:
    phone = joined()
    assert phone.sends("DELETE", f"{phone.series}/rounds/1").status == 405
    assert phone.sends("PATCH", f"{phone.series}/rounds/1/correct").status == 405
