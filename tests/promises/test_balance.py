"""P1: the books balance, after every step of random play through the real routes.

Each sequence starts a series of any game and does up to thirty random things to it, allowed and
forbidden ones. Beside it a model keeps nothing but the documents that were acknowledged, and after
every step what the API shows must be what the rules make of these.
"""

import copy
import json
import random
from functools import lru_cache
from typing import Any

import pytest
from sqlalchemy import select

from scorekeeper import ledger
from scorekeeper.ledger import chain, database, entry, rounds, standing
from scorekeeper.ledger.database import reading
from scorekeeper.ledger.tables import RoundRevision
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.cards import DECK
from scorekeeper.rules.games import GAMES

from ..api.conftest import Phone

SEATS = {key: game.seats for key, game in GAMES.items()}
# Hachi-Hachi twice: there is most to follow from a change.
PLAYED = [*GAMES, "hachi-hachi"]

# The house rules that are tried; of a game that is not here, any that the game has.
RULES: dict[str, dict[str, tuple]] = {
    "bakappana": {"settlement": ("par", "makatsu", "sanju-sen-me"), "tie": ("nobody",)},
    "yokohama-bana": {"stakes": ("1-2-4", "2-4-6")},
    "hachi-hachi": {"multi_bright": ("greater", "carry_over", "carry_over", "stack")},
    "kaga": {"ledger": ("difference", "winner_only", "raw")},
}
NAMES = ["Aki", "Ben", "Chie", "Dan", "Eri", "Fumi", "Gen", "Hana"]


@lru_cache(maxsize=4096)
def settled(text: str) -> dict[str, Any]:
    return settle(json.loads(text))


class Model:
    """What a series must show: the documents in force, by number, and what else is so."""

    def __init__(self, game: str, rules: dict[str, Any], players: int) -> None:
        self.game = game
        self.rules = {**GAMES[game].defaults, **rules}
        self.state = "open"
        self.here = dict.fromkeys(range(1, players + 1), True)
        self.rounds: list[dict[str, Any]] = []

    def results(self) -> list[dict[str, Any]]:
        """The rounds settled one after the other, each with what the one before carries."""
        results: list[dict[str, Any]] = []
        carried: list[int] = []
        for document in self.rounds:
            seats = [
                {key: value for key, value in seat.items() if key != "player"}
                for seat in document["seats"]
            ]
            whole = {**document, "seats": seats, "game": self.game, "carried": carried}
            results.append(settled(json.dumps(whole)))
            carried = results[-1]["carry"]
        return results

    def totals(self) -> dict[tuple[int, str], int]:
        sums: dict[tuple[int, str], int] = {}
        for document, result in zip(self.rounds, self.results(), strict=True):
            for seat, amount in zip(document["seats"], result["amounts"], strict=True):
                key = seat["player"], result["unit"]
                sums[key] = sums.get(key, 0) + amount
        return sums


class Play:
    """One sequence: a phone, the model, and dice."""

    def __init__(self, phone: Phone, dice: random.Random) -> None:
        self.phone, self.dice = phone, dice
        game = dice.choice(PLAYED)
        rules = self.any_rules(game)
        players = dice.randint(max(SEATS[game]), 5)
        phone.starts(game, *NAMES[:players], rules=rules)
        self.model = Model(game, rules, players)
        self.before: list[Model] = []
        self.undone: list[Model] = []
        self.acknowledged: set[tuple[int, int]] = set()
        self.joined = players

    def any_rules(self, game: str) -> dict[str, Any]:
        if game in RULES:
            return {key: self.dice.choice(values) for key, values in RULES[game].items()}
        while True:
            chosen = [
                (rule.key, self.dice.choice(rule.choices).value)
                for rule in GAMES[game].house_rules
                if self.dice.random() < 0.3
            ]
            try:
                for players in SEATS[game]:
                    GAMES[game].under(dict(chosen)).check_table(players)
            except RuleError:
                continue
            return dict(chosen)

    def document(self, rules: dict[str, Any] | None = None) -> dict[str, Any]:
        """A round that the rules of the table take, or these, of people who are here."""
        rules = self.model.rules if rules is None else rules
        while True:
            document = self.any_document(rules)
            seats = [{**seat, "player": None} for seat in document["seats"]]
            whole = {**document, "game": self.model.game, "rules": rules, "seats": seats}
            try:
                if settle(whole)["amounts"] is not None:
                    return document
            except RuleError as refused:
                if refused.code == "wrong_seats":  # there are too few
                    return document

    def any_document(self, rules: dict[str, Any]) -> dict[str, Any]:
        dice, game = self.dice, self.model.game
        table = GAMES[game].under(rules)
        here = [player for player, here in self.model.here.items() if here] or [1]
        size = dice.choice([n for n in SEATS[game] if n <= len(here)] or [len(here)])
        seats: list[dict[str, Any]] = [{"player": player} for player in dice.sample(here, size)]
        document: dict[str, Any] = {"dealer": dice.randrange(size), "seats": seats}
        if dice.random() < 0.08:
            return {**document, "end": "void"}
        total = table.values.total
        if game == "kaga" or game not in RULES:
            whole = table.needs_whole_deck(size)
            cards = dice.sample([card.text for card in DECK], len(DECK) if whole else 40)
            for at, seat in enumerate(seats):
                seat["captured"] = " ".join(cards[at::size])
            return document
        cuts = sorted(dice.randrange(total + 1) for _ in seats[1:])
        for seat, low, high in zip(seats, [0, *cuts], [*cuts, total], strict=True):
            seat["points"] = high - low
        if table.field_brights is not None:
            document["field"] = " ".join(dice.sample(("1B", "3B", "8B", "11B", "12B", "2R"), 2))
        return document

    def steps(self, number: int) -> None:
        actions = [getattr(self, name) for name in dir(self) if name.startswith("does_")]
        self.check()
        for _ in range(number):
            self.dice.choice(actions)()
            self.check()

    # --- What can be done -------------------------------------------------------------------------

    def sends(self, method: str, path: str, expected: int, role: str = "enter", **more) -> Any:
        answer = self.phone.sends(method, path, role, **more)
        assert answer.status_code == expected, (method, path, more, answer.json)
        return answer.json

    def acts(self) -> Model:
        """Remembers what was, for the undoing of what is done now."""
        self.before.append(copy.deepcopy(self.model))
        self.undone.clear()
        return self.model

    def does_record(self) -> None:
        document = {"number": len(self.model.rounds) + 1, **self.document()}
        seats = document["seats"]
        if self.model.state == "finished":
            self.sends("POST", "/rounds", 409, json=document)
        elif len(seats) not in SEATS[self.model.game]:
            self.sends("POST", "/rounds", 422, json=document)
        else:
            headers = {"Idempotency-Key": str(self.dice.random())}
            told = self.sends("POST", "/rounds", 201, json=document, headers=headers)
            if self.dice.random() < 0.3:
                self.sends("POST", "/rounds", 200, json=document, headers=headers)
            self.acts().rounds.append(self.kept(document, self.model.rules))
            self.acknowledges(told)

    does_record_more = does_record_still_more = does_record

    def kept(self, document: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
        return {**{key: document[key] for key in document if key != "number"}, "rules": rules}

    def acknowledges(self, *told: dict[str, Any]) -> None:
        for one in told:
            assert (one["number"], one["revision"]) not in self.acknowledged
            self.acknowledged.add((one["number"], one["revision"]))

    def does_correct(self) -> None:
        if not self.model.rounds:
            self.sends("PUT", "/rounds/1", 404, json={}, headers={"If-Match": '"1"'})
            return
        number = self.dice.randint(1, len(self.model.rounds))
        document = self.document(self.model.rounds[number - 1]["rules"])
        if len(document["seats"]) not in SEATS[self.model.game]:
            return
        current = self.revision(number)
        stale = {"If-Match": f'"{current + 1}"'}
        self.sends("PUT", f"/rounds/{number}", 412, json=document, headers=stale)
        headers = {"If-Match": f'"{current}"'}
        told = self.sends("PUT", f"/rounds/{number}", 200, json=document, headers=headers)
        rules = self.acts().rounds[number - 1]["rules"]
        self.model.rounds[number - 1] = self.kept(document, rules)
        self.acknowledges(told, *told["resettled"])

    does_correct_more = does_correct_still_more = does_correct

    def does_withdraw(self) -> None:
        last = len(self.model.rounds)
        if last == 0:
            return
        if last > 1:
            expected = 409  # an earlier round, or a finished series
            self.sends("DELETE", "/rounds/1", expected, headers={"If-Match": '"1"'})
        headers = {"If-Match": f'"{self.revision(last)}"'}
        finished = self.model.state == "finished"
        self.sends("DELETE", f"/rounds/{last}", 409 if finished else 200, headers=headers)
        if not finished:
            self.acts().rounds.pop()

    def does_something_refused(self) -> None:
        number = len(self.model.rounds) + 1
        wrong = {**self.document(), "number": number + self.dice.choice((0, 1))}
        wrong["seats"] = [*wrong["seats"], wrong["seats"][0]]
        code = 409 if self.model.state == "finished" else 422
        self.sends("POST", "/rounds", code, json=wrong)
        if number > 1:
            taken = {**self.document(), "number": number - 1}
            self.sends("POST", "/rounds", 409, json=taken)

    def does_join(self) -> None:
        finished = self.model.state == "finished"
        name = {"name": f"P{self.joined}"}
        told = self.sends("POST", "/players", 409 if finished else 201, json=name)
        if not finished:
            self.joined += 1
            self.acts().here[told["id"]] = True

    def does_leave_or_return(self) -> None:
        player = self.dice.choice([*self.model.here])
        here = self.model.here[player]
        self.sends("PATCH", f"/players/{player}", 200, json={"left": here})
        self.acts().here[player] = not here

    def does_rename(self) -> None:
        self.joined += 1
        player = self.dice.choice([*self.model.here])
        self.sends("PATCH", f"/players/{player}", 200, json={"name": f"Q{self.joined}"})
        self.acts()

    def does_finish_or_reopen(self) -> None:
        state = "open" if self.model.state == "finished" else "finished"
        self.sends("PATCH", "", 403, json={"state": state})
        self.sends("PATCH", "", 200, "manage", json={"state": state})
        self.acts().state = state

    def does_change_rules(self) -> None:
        rules = self.any_rules(self.model.game)
        whole = {**self.model.rules, **rules}
        if whole == self.model.rules or self.model.state == "finished":
            return
        try:
            GAMES[self.model.game].under(whole).check_table(max(SEATS[self.model.game]))
        except RuleError:
            return
        if sum(self.model.here.values()) < min(SEATS[self.model.game]):
            self.sends("PATCH", "", 422, "manage", json={"rules": rules})
            return
        self.sends("PATCH", "", 200, "manage", json={"rules": rules})
        self.acts().rules = whole

    def does_undo(self) -> None:
        event = ledger.read(self.phone.id).undoable
        assert (event is None) == (not self.before)
        if event is not None:
            ledger.undo(self.phone.id, event)
            self.undone.append(self.model)
            self.model = self.before.pop()

    does_undo_more = does_undo

    def does_redo(self) -> None:
        event = ledger.read(self.phone.id).redoable
        assert (event is None) == (not self.undone)
        if event is not None:
            ledger.undo(self.phone.id, event)
            self.before.append(self.model)
            self.model = self.undone.pop()

    # --- What must hold ---------------------------------------------------------------------------

    def revision(self, number: int) -> int:
        return self.shown["rounds"][number - 1]["revision"]

    def check(self) -> None:
        shown, results = self.sends("GET", "", 200, "view"), self.model.results()
        self.shown = shown
        assert shown["state"] == self.model.state
        here = {person["id"]: not person["left"] for person in shown["players"]}
        assert here == self.model.here
        # I7: numbered without gap or repeat; every acknowledged revision stays readable.
        numbers = [played["number"] for played in shown["rounds"]]
        assert numbers == [*range(1, len(results) + 1)]
        assert self.acknowledged <= self.stored()
        for played, result in zip(shown["rounds"], results, strict=True):
            self.check_round(played["result"], result, self.model.rounds[played["number"] - 1])
        # I6: totals are a fold over the latest revisions, computed from nothing.
        totals = {
            (total["player"], total["unit"]): total["amount"]
            for total in shown["totals"]
            if total["amount"]
        }
        assert totals == {key: total for key, total in self.model.totals().items() if total}

    def check_round(
        self, shown: dict[str, Any], expected: dict[str, Any], document: dict[str, Any]
    ) -> None:
        for field in ("amounts", "multiplier", "carry", "winners", "next_dealer"):
            assert shown[field] == expected[field]
        # I1: what says that it is zero-sum is.
        assert all(type(amount) is int for amount in shown["amounts"])
        assert not shown["zero_sum"] or sum(shown["amounts"]) == 0
        # I3 and I4: card points add up, and so do Yokohama's adjusted points.
        points = [seat["card_points"] for seat in shown["seats"]]
        table = GAMES[self.model.game].under(document["rules"])
        if table.needs_whole_deck(len(points)) and None not in points:
            assert sum(points) == table.values.total
        scores = [seat["score"] for seat in shown["seats"]]
        if self.model.game == "yokohama-bana" and None not in scores:
            assert sum(scores) == 264

    def stored(self) -> set[tuple[int, int]]:
        with reading() as books:
            found = select(RoundRevision.round_number, RoundRevision.revision)
            of_series = found.where(RoundRevision.series_id == self.phone.id)
            return {(number, revision) for number, revision in books.execute(of_series)}


@pytest.fixture
def config(config, kind, monkeypatch):
    """Without waiting for the disk, which is another promise."""
    if kind == "sqlite":
        monkeypatch.setitem(database._PRAGMAS, "synchronous", ("OFF", 0))
    return config


def play(phone: Phone, dice: random.Random, sequences: int) -> None:
    for _ in range(sequences):
        one = Play(phone, dice)
        # Up to thirty, and more short ones: a fault early on is the easiest to read.
        one.steps(min(dice.randint(1, 30), dice.randint(1, 30)))
        assert ledger.check(phone.id).differences == ()


@pytest.mark.parametrize("part", range(6))
def test_the_books_balance_after_every_step(phone, dice, part):
    play(phone, dice, 25)


# --- The negative control -------------------------------------------------------------------------


POSTINGS = chain.Change.postings

BROKEN: dict[str, tuple[Any, str, Any]] = {
    "a correction does not reverse": (
        chain.Change,
        "postings",
        lambda self: POSTINGS(chain.Change(self.number, None, self.after)),
    ),
    "a sign is swapped": (
        chain.Change,
        "postings",
        lambda self: [{**row, "amount": -row["amount"]} for row in POSTINGS(self)],
    ),
    "a player is forgotten": (
        chain.Change,
        "postings",
        lambda self: [*POSTINGS(self)][1:],
    ),
    "what is carried is not followed": (
        rounds,
        "corrected",
        lambda book, number, *more: entry.follow(
            book, entry.corrected(book, number, *more).changes[:1]
        ),
    ),
    "old revisions count": (standing, "_put", lambda held, key, value: held.setdefault(key, value)),
    "any revision will do": (rounds, "_seen", lambda current, revision: None),
    "a finished series goes on": (rounds, "check_open", lambda book: None),
}


@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_build_is_caught(phone, dice, monkeypatch, broken):
    where, name, instead = broken
    monkeypatch.setattr(where, name, instead)
    monkeypatch.setitem(globals(), "PLAYED", ["hachi-hachi"])
    with pytest.raises((AssertionError, LookupError, ValueError)):
        play(phone, dice, 400)
