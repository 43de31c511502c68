"""Entering a round: preview, then save."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from itsdangerous import TimestampSigner

from scorekeeper import ledger
from scorekeeper.ledger import Role
from tests.conftest import Table, everything
from tests.web.conftest import Phone

EIGHT_HOURS = int(timedelta(hours=8).total_seconds())


def shown(page: Any) -> bool:
    """Whether the page shows what the round pays."""
    return 'id="result"' in page.text


# --- Preview and save -----------------------------------------------------------------------------


def test_preview_shows_and_stores_nothing(scorer: Phone) -> None:
    form = scorer.types_points(87, 97, 80)
    before = everything()
    page = form.presses("preview")
    assert shown(page)
    assert everything() == before


def test_saves_what_was_seen(scorer: Phone) -> None:
    page = scorer.types_points(87, 97, 80).presses("preview").form.presses("save")
    assert page.answer.location == f"{scorer.series}?saved=1"
    (played,) = ledger.read(scorer.id).rounds
    assert played.amounts == {1: -1, 2: 9, 3: -8}
    assert "Round 1 is saved." in page.follows().text


def test_saving_unseen_figures_shows_them_first(scorer: Phone) -> None:
    page = scorer.types_points(87, 97, 80).presses("save")
    assert shown(page)
    assert not ledger.read(scorer.id).rounds
    assert page.form.presses("save").saved


def test_saving_after_an_edit_shows_the_new_figures_first(scorer: Phone) -> None:
    seen = scorer.types_points(87, 97, 80).presses("preview").form
    page = scorer.types_points(97, 87, 80, form=seen).presses("save")
    assert '<span class="amount plus">+9</span>' in page.text
    assert not ledger.read(scorer.id).rounds
    assert page.form.presses("save").saved
    assert ledger.read(scorer.id).rounds[0].amounts == {1: 9, 2: -1, 3: -8}


def test_figures_that_the_house_rules_changed_are_shown_again(scorer: Phone) -> None:
    seen = scorer.types_points(100, 84, 80).presses("preview")
    ledger.change_series(scorer.id, rules={"settlement": "makatsu"})
    again = seen.form.presses("save")
    assert "changed since you saw these figures" in again.text
    assert ledger.read(scorer.id).rounds == ()
    assert again.form.presses("save").saved
    assert [total.amount for total in ledger.read(scorer.id).totals] == [2, -1, -1]


def test_figures_that_a_correction_multiplied_are_shown_again(phone: Phone) -> None:
    phone.starts("hachi-hachi", "Aki", "Ben", "Chie", **{"rule_multi_bright": "1"})
    seats = [{"player": at, "points": 88} for at in (1, 2, 3)]
    first = {"number": 1, "dealer": 0, "field": "8B 12B", "seats": seats}
    ledger.record(phone.id, first)
    seen = phone.types_points(100, 84, 80).presses("preview")
    ledger.correct(phone.id, 1, {**first, "field": "12B"}, revision=1)
    again = seen.form.presses("save")
    assert len(ledger.read(phone.id).rounds) == 1
    assert again.form.presses("save").saved
    assert list(ledger.read(phone.id).rounds[1].amounts.values()) == [12, -4, -8]


def test_pressing_save_twice_makes_one_round(scorer: Phone) -> None:
    form = scorer.types_points(87, 97, 80).presses("preview").form
    assert form.presses("save").saved
    assert form.presses("save").saved
    assert len(ledger.read(scorer.id).rounds) == 1


def test_another_shape_of_the_form_keeps_what_was_typed(scorer: Phone) -> None:
    form = scorer.opens("/rounds/new").form.types({"p1-bright": 2}, dealer="3", end="void")
    page = form.presses("use", "points").form.presses("use", "counts")
    assert (page.form.fields["dealer"], page.form.fields["end"]) == ("3", "void")


def test_another_shape_keeps_the_piles(scorer: Phone) -> None:
    form = scorer.opens("/rounds/new").form.types({"p1-bright": 2})
    page = form.presses("use", "points").form.presses("use", "counts")
    assert page.form.fields["p1-bright"] == "2"


def test_the_next_round_begins_with_what_the_table_used(scorer: Phone) -> None:
    scorer.records(87, 97, 80)
    fields = scorer.opens("/rounds/new").form.fields
    assert (fields["form"], fields["dealer"], fields["number"]) == ("points", "2", "2")


def test_full_width_digits_are_digits(scorer: Phone) -> None:
    page = scorer.types_points("８７", "９７", "").presses("preview").form.presses("save")
    assert page.saved
    assert ledger.read(scorer.id).rounds[0].amounts == {1: -1, 2: 9, 3: -8}


# --- Whose the cards are that are marked for nobody -----------------------------------------------


def marked(**cards: str) -> dict[str, str]:
    """The fields by which players, by number, have these cards."""
    return {
        f"card-{card}": player.removeprefix("p")
        for player, texts in cards.items()
        for card in texts.split()
    }


@pytest.mark.parametrize("form", ["captured", "named"])
def test_the_only_one_left_blank_has_the_rest(scorer: Phone, form: str) -> None:
    typed = marked(p1="1B 1R", p3="2A 2R") | {"p1-chaff": "2", "p3-chaff": "2", "form": form}
    if form == "captured":
        typed |= marked(p1="1C1 1C2", p3="2C1 2C2")
    assert (
        scorer.opens("/rounds/new").form.types(typed).presses("preview").form.presses("save").saved
    )
    (played,) = ledger.read(scorer.id).rounds
    assert played.entry["seats"][1][form] == "rest"


@pytest.mark.parametrize("form", ["captured", "named"])
def test_two_who_are_left_blank_are_missing(scorer: Phone, form: str) -> None:
    typed = marked(p1="1B 1R") | {"p1-chaff": "2", "form": form}
    page = scorer.opens("/rounds/new").form.types(typed).presses("preview")
    assert not shown(page)
    assert "What Ben captured is missing." in page.refusals["refusal-pile-2"]


def test_whoever_is_chosen_has_the_rest_and_the_others_none(scorer: Phone) -> None:
    typed = marked(p1="1B 1R 1C1 1C2") | {"rest_to": "3", "form": "captured"}
    assert (
        scorer.opens("/rounds/new").form.types(typed).presses("preview").form.presses("save").saved
    )
    (played,) = ledger.read(scorer.id).rounds
    assert [seat["captured"] for seat in played.entry["seats"]] == ["1B 1R 1C1 1C2", "", "rest"]


def test_where_cards_may_be_left_over_nobody_has_none_by_chance(phone: Phone) -> None:
    phone.starts("kaga", "Aki", "Ben")
    typed = marked(p1="1B 1R 1C1 1C2") | {"dealer": "1", "form": "captured"}
    form = phone.opens("/rounds/new").form.types(typed)
    assert not shown(form.presses("preview"))
    assert shown(form.types(rest_to="table").presses("preview"))


# --- Refusals -------------------------------------------------------------------------------------

COUNTS = {
    f"p{player}-{kind}": number
    for player, pile in ((1, (1, 4, 3, 12)), (2, (2, 3, 4, 7)), (3, (2, 2, 3, 5)))
    for kind, number in zip(("bright", "animal", "ribbon", "chaff"), pile, strict=True)
}
POINTS = {"form": "points", "p1-points": 70, "p2-points": 100, "p3-points": 94}
STOPPED = {"end": "stopped", "stopped_by": "1", "p1-dekiyaku": "aotan"}
# What a page has no button for, it cannot show again.
NO_BUTTON = ("later", "x", "13B", "stopped")
HAND = {f"hand-{card}": "1" for card in ("12C1", "12C2", "12C3", "2C1", "3C1", "5C1", "6C1")}

# By game: what is typed, and the place of the page that says what is wrong with it.
REFUSALS: dict[str, tuple[str, dict[str, Any], str]] = {
    "too many brights": ("bakappana", {**COUNTS, "p1-bright": 9}, "refusal-pile-1"),
    "no number": ("bakappana", {**COUNTS, "p2-chaff": "lots"}, "refusal-pile-2"),
    "negative": ("bakappana", {**COUNTS, "p2-chaff": "-1"}, "refusal-pile-2"),
    "blank is no zero": ("bakappana", {**COUNTS, "p3-chaff": ""}, "refusal-pile-3"),
    "do not add up": ("bakappana", {**COUNTS, "p3-chaff": 4}, "refusal-piles"),
    "points do not add up": ("yokohama-bana", {**POINTS, "p3-points": 95}, "refusal-piles"),
    "more points than there are": ("yokohama-bana", {**POINTS, "p2-points": 300}, "refusal-pile-2"),
    "two left blank": ("bakappana", {"form": "points", "p1-points": 80}, "refusal-pile-2"),
    "nothing typed": ("bakappana", {}, "refusal-pile-1"),
    "no such end": ("bakappana", {**COUNTS, "end": "later"}, "refusal-end"),
    "nobody stopped": ("yokohama-bana", {**STOPPED, "stopped_by": None}, "refusal-stopper"),
    "stopped by nothing": ("yokohama-bana", {**STOPPED, "p1-dekiyaku": None}, "refusal-yaku-1"),
    "a bakappana cannot be stopped": ("bakappana", {**COUNTS, "end": "stopped"}, "refusal-end"),
    "two of a group": (
        "yokohama-bana",
        {**POINTS, "p1-teyaku": ["sanbon", "teshi"]},
        "refusal-teyaku-1",
    ),
    "no such teyaku": ("yokohama-bana", {**POINTS, "p2-teyaku": "x"}, "refusal-teyaku-2"),
    "short hand": (
        "yokohama-bana",
        {**POINTS, **HAND, "hand-6C1": None, "teyaku_by": "hands"},
        "refusal-teyaku-1",
    ),
    "not in the hand": (
        "yokohama-bana",
        {**POINTS, **HAND, "p1-teyaku": "teshi"},
        "refusal-teyaku-1",
    ),
    "impossible dekiyaku": (
        "hachi-hachi",
        {**COUNTS, "p1-dekiyaku": "nanatan"},
        "refusal-yaku-1",
    ),
    "one dekiyaku for two": (
        "hachi-hachi",
        {**POINTS, "p1-dekiyaku": "akatan", "p2-dekiyaku": "akatan"},
        "refusal-yaku-2",
    ),
    "no such card in the field": ("hachi-hachi", {**POINTS, "field": "13B"}, "refusal-field"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_stands_at_its_field(phone: Phone, case: str) -> None:
    game, typed, place = REFUSALS[case]
    phone.starts(game, "Aki", "Ben", "Chie")
    page = phone.opens("/rounds/new").form.types(typed).presses("preview")
    assert list(page.refusals) == [place]


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_keeps_what_was_typed(phone: Phone, case: str) -> None:
    game, typed, _ = REFUSALS[case]
    phone.starts(game, "Aki", "Ben", "Chie")
    page = phone.opens("/rounds/new").form.types(typed).presses("preview")
    kept = page.form.fields
    for name, value in typed.items():
        if value not in NO_BUTTON:
            values = value if isinstance(value, list) else [value or ""]
            assert sorted(kept.getlist(name) or [""]) == sorted(map(str, values))


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_stores_nothing(phone: Phone, case: str) -> None:
    game, typed, _ = REFUSALS[case]
    phone.starts(game, "Aki", "Ben", "Chie")
    form = phone.opens("/rounds/new").form.types(typed)
    before = everything()
    for button in ("preview", "save"):
        assert form.presses(button).refusals
    assert everything() == before


def test_a_refused_number_is_marked(scorer: Phone) -> None:
    page = scorer.opens("/rounds/new").form.types({**COUNTS, "p1-bright": 9}).presses("preview")
    assert page.invalid == ["p1-bright", "p1-animal", "p1-ribbon", "p1-chaff"]


def test_a_tie_that_the_table_decides(phone: Phone) -> None:
    phone.starts("bakappana", "Aki", "Ben", "Chie", rule_settlement="2", rule_tie="3")
    page = phone.types_points(100, 100, 64).presses("preview")
    assert "Who takes it?" in page.text
    assert page.form.presses("save").status == 200
    assert not ledger.read(phone.id).rounds
    page = page.form.types(decision="nobody").presses("preview")
    assert page.form.presses("save").saved
    assert ledger.read(phone.id).rounds[0].amounts == {1: 0, 2: 0, 3: 0}


# --- Forms that waited ----------------------------------------------------------------------------


def test_a_form_opened_eight_hours_ago_saves(
    scorer: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        now = TimestampSigner.get_timestamp
        earlier.setattr(TimestampSigner, "get_timestamp", lambda self: now(self) - EIGHT_HOURS)
        form = scorer.types_points(87, 97, 80).presses("preview").form
    assert form.presses("save").saved


@pytest.mark.parametrize("token", [None, "", "x"])
def test_a_form_without_its_token_comes_back_whole(scorer: Phone, token: str | None) -> None:
    form = scorer.types_points(87, 97, 80).presses("preview").form
    page = form.types(csrf_token=token).presses("save")
    assert not ledger.read(scorer.id).rounds
    assert "press the button once more" in page.text
    assert page.form.fields["p1-points"] == "87"


def test_one_more_press_saves_a_form_whose_token_was_lost(scorer: Phone) -> None:
    form = scorer.types_points(87, 97, 80).presses("preview").form
    page = form.types(csrf_token=None).presses("save").form.presses("save")
    assert page.saved


def test_a_phone_that_lost_its_short_lived_cookie_saves_with_one_more_press(scorer: Phone) -> None:
    form = scorer.types_points(87, 97, 80).presses("preview").form
    scorer.client.delete_cookie("session")
    assert form.presses("save").form.presses("save").saved


# --- Who may --------------------------------------------------------------------------------------


def test_a_phone_that_watches(scorer: Phone, phones: Callable[[], Phone]) -> None:
    form = scorer.types_points(87, 97, 80)
    watcher = phones().joins(scorer.id, Role.VIEW)
    for page in (
        watcher.opens("/rounds/new"),
        watcher.sends("POST", f"{scorer.series}/rounds/new", data=watched(watcher, form.fields)),
    ):
        assert page.status == 403
        assert "This link lets you look, not write" in page.text
    assert not ledger.read(scorer.id).rounds


def watched(phone: Phone, fields: Any) -> Any:
    """What was typed, with a token of this phone's own."""
    return {**fields, "csrf_token": phone.opens("/j").form.fields["csrf_token"], "save": "1"}


def test_somebody_elses_series_is_as_unknown_as_none(
    scorer: Phone, phones: Callable[[], Phone], table: Table
) -> None:
    stranger = phones()
    table.start("bakappana", "Dai", "Emi")
    stranger.joins(table.id)
    for method in ("GET", "POST"):
        data = watched(stranger, {}) if method == "POST" else None
        theirs = stranger.sends(method, f"{scorer.series}/rounds/new", data=data)
        none = stranger.sends(method, "/s/AAAAAAAAAAAA/rounds/new", data=data)
        assert (theirs.status, theirs.text) == (404, none.text)


def test_wrong_method(scorer: Phone) -> None:
    assert scorer.sends("PUT", f"{scorer.series}/rounds/new").status == 405


# --- Who plays ------------------------------------------------------------------------------------


def test_who_rests_is_chosen_round_by_round(phone: Phone) -> None:
    phone.starts("kaga", "Aki", "Ben", "Chie")
    form = phone.opens("/rounds/new").form.types(plays=["1", "3"]).presses("seat").form
    form.types({"p1-points": 30, "p3-points": 10}, form="points")
    assert form.presses("preview").form.presses("save").saved
    assert ledger.read(phone.id).rounds[0].players == [1, 3]


def test_who_rests_cannot_deal(phone: Phone) -> None:
    phone.starts("kaga", "Aki", "Ben", "Chie")
    form = phone.opens("/rounds/new").form.types(plays=["2", "3"]).presses("seat").form
    form.types({"p2-points": 30, "p3-points": 10}, form="points", dealer=None)
    assert list(form.presses("preview").refusals) == ["refusal-dealer"]


def test_too_many_for_a_round(phone: Phone) -> None:
    """Three cannot play Kaga: the page says so instead of seating somebody else."""
    phone.starts("kaga", "Aki", "Ben", "Chie")
    page = phone.opens("/rounds/new").form.types(plays=["1", "2", "3"]).presses("seat")
    assert page.refusals
