"""P6: a stale edit never wins, and nobody's typing is lost.

Over JSON whoever was late is shown what there is now. On a page everything that was typed is still
in the form beside it, and only what somebody chose after seeing both is done.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from scorekeeper import entering, ledger
from scorekeeper.conflict import Chosen
from scorekeeper.ledger import Role, database, rounds
from scorekeeper.round_form import round_form
from tests.api.conftest import Phone
from tests.promises.test_race import together
from tests.web.conftest import Form, Page
from tests.web.conftest import Phone as PagePhone
from tests.web.test_conflict import choices, chooses

# --- Over JSON ------------------------------------------------------------------------------------


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
                assert edit(phone, seen, second).status_code == 404
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


# --- On the pages ---------------------------------------------------------------------------------

# The page's own fields, which say nothing of what was typed.
OWN = {"csrf_token", "seen", "number", "revision", "key"}


class Pair:
    """Two phones at a table that has played a round: `first` is always faster than `second`."""

    def __init__(self, app: Flask, dice: random.Random) -> None:
        self.dice = dice
        self.id = ledger.start("bakappana", {}, ["Aki", "Ben", "Chie"])
        self.first, self.second = (PagePhone(app).joins(self.id, Role.ENTER) for _ in range(2))
        self.records()

    @property
    def stored(self) -> list[tuple[int, int, dict[int, int]]]:
        """What is recorded: number, revision and amounts of each round."""
        book = ledger.read(self.id)
        return [(played.number, played.revision, played.amounts) for played in book.rounds]

    def points(self) -> tuple[int, ...]:
        """Card points that nobody has typed before: par would be another's too."""
        low, high = sorted(self.dice.sample(range(1, 264), 2))
        return low, high - low, 264 - high

    def types(self, phone: PagePhone, path: str) -> Form:
        """A page on which a round was typed and looked at."""
        form = phone.types_points(*self.points(), form=phone.opens(path).form)
        if "correct" in path:
            form.types(reason=f"because {self.dice.random()}")
        page = form.presses("preview")
        assert page.refusals == {}
        kept(form, page)
        return page.form

    # What is faster.

    def records(self) -> None:
        assert self.types(self.first, "/rounds/new").presses("save").saved

    def corrects(self) -> None:
        number = len(self.stored)
        assert self.types(self.first, f"/rounds/{number}/correct").presses("save").saved

    def withdraws(self) -> None:
        assert self.first.opens(f"/rounds/{len(self.stored)}/withdraw").form.presses().saved

    def finishes(self) -> None:
        ledger.change_series(self.id, state="finished")

    def leaves(self) -> None:
        ledger.change_player(self.id, 3, left=True)

    # What is typed meanwhile, what happens, and what somebody may choose then.

    def late(self, turn: int) -> tuple[str, Callable[[], None], set[str]]:
        new, correction = "/rounds/new", f"/rounds/{len(self.stored)}/correct"
        kinds = [
            (new, self.records, {"keep", "correct", "as"}),
            (correction, self.corrects, {"keep", "over"}),
            (correction, self.withdraws, {"keep", "as"}),
            (new, self.withdraws, {"as"}),
            (new, self.finishes, {"keep"}),
            (new, self.leaves, {"return"}),
        ]
        return kinds[turn % len(kinds)]

    def again(self) -> None:
        """Something else is done between seeing and choosing."""
        {True: self.corrects, False: self.records}[bool(self.stored)]()

    def rests(self) -> None:
        """Makes the table ready for another pair."""
        book = ledger.read(self.id)
        if book.finished:
            ledger.change_series(self.id, state="open")
        if book.players[2].left:
            ledger.change_player(self.id, 3, left=False)
        if not book.rounds:
            self.records()


def kept(sent: Form, page: Page, *others: str) -> None:
    """Everything that was typed is in the form that came back; `others` are no typing."""
    assert page.status == 200, page.status
    own = OWN.union(others)
    before, after = (
        {name: values for name, values in form.fields.lists() if name not in own and any(values)}
        for form in (sent, page.form)
    )
    assert {name: after.get(name) for name in before} == before


def conflicts(app: Flask, dice: random.Random, number: int) -> Counter[str]:
    """Plays so many pairs, and answers how often each choice was made."""
    pair, made = Pair(app, dice), Counter[str]()
    for turn in range(number):
        path, happens, expected = pair.late(turn)
        form = pair.types(pair.second, path)
        happens()
        before = pair.stored
        page = form.presses(dice.choice(("save", "save", "preview")))
        assert "refusal-conflict" in page.refusals
        kept(form, page)
        offered = choices(page)
        assert {value.partition(" ")[0] for value in offered.values()} == expected
        # Saving once more is no choice.
        page = page.form.presses("save")
        assert "refusal-conflict" in page.refusals
        kept(form, page)
        assert pair.stored == before
        verbs = {words: value.partition(" ")[0] for words, value in offered.items()}
        words = min(verbs, key=lambda words: (made[verbs[words]], dice.random()))
        if expected & {"over", "correct"} and dice.random() < 0.3:
            pair.again()
            before = pair.stored
            page = chooses(page, words)
            if verbs[words] != "as":
                assert "refusal-conflict" in page.refusals, words
            # The dealer that nobody chose is the one whom the rules name now.
            kept(form, page, "dealer")
            assert pair.stored == before
        else:
            chosen(pair, form, page, words, before)
            made[verbs[words]] += 1
        pair.rests()
    return made


def chosen(pair: Pair, form: Form, page: Page, words: str, before: list[Any]) -> None:
    """Makes a choice, and looks whether that was done and nothing else."""
    verb, _, about = choices(page)[words].partition(" ")
    wanted = int(about.partition(".")[0])
    mine = [int(form.fields[f"p{at}-points"]) - 88 for at in (1, 2, 3)]
    page = chooses(page, words)
    if verb == "keep":
        assert page.saved
        assert "kept=" in page.answer.location
        assert pair.stored == before
        return
    if verb != "over":
        kept(form, page, *(["dealer"] if verb == "as" else []))
        assert pair.stored == before
        page = page.form.presses("save")
    assert page.saved
    if verb == "return":
        wanted = len(before) + 1
    amounts = {number: list(amounts.values()) for number, _, amounts in pair.stored}
    assert amounts.pop(wanted) == mine
    assert amounts == {
        number: list(amounts.values()) for number, _, amounts in before if number != wanted
    }
    revisions = {number: revision for number, revision, _ in pair.stored}
    assert all(revisions[number] == one for number, one, _ in before if number != wanted)
    assert revisions[wanted] > {number: one for number, one, _ in before}.get(wanted, 0)


@pytest.fixture
def config(config, kind, monkeypatch):
    """Without waiting for the disk, which is another promise."""
    if kind == "sqlite":
        monkeypatch.setitem(database._PRAGMAS, "synchronous", ("OFF", 0))
    return config


def test_nobodys_typing_is_lost(app, dice):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    assert set(conflicts(app, dice, 50)) == {"keep", "correct", "over", "as", "return"}


def _without_reason(*args: Any, **more: Any) -> Any:
    form = round_form(*args, **more)
    form.reason.data = ""
    return form


BROKEN: dict[str, tuple[Any, str, Any]] = {
    "any revision will do": (rounds, "_seen", lambda current, revision: None),
    "nobody looks what others did": (entering, "meet", lambda *args, **more: None),
    "a field is forgotten": (entering, "round_form", _without_reason),
    "what is chosen is not compared": (
        entering,
        "chosen",
        lambda text: text and Chosen(text.partition(" ")[0], 1, 1),
    ),
}


@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_build_that_loses_something_is_caught(app, dice, monkeypatch, broken):
    where, name, instead = broken
    monkeypatch.setattr(where, name, instead)
    with pytest.raises((AssertionError, KeyError)):
        conflicts(app, dice, 60)
