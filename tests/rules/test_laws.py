"""What holds in every round, whatever the cards: tried on random rounds under random house rules.

Every round is made from a seed, and a failure names it. The same round again, and more rounds:

    LAWS_SEED=4711 LAWS_ROUNDS=1 python -m pytest tests/rules/test_laws.py
    LAWS_SEED=50000 LAWS_ROUNDS=25000 python -m pytest -n auto tests/rules/test_laws.py

A law is a function of a round that was settled. It raises AssertionError where the round breaks it,
and returns False where it has nothing to say of it, so that no law holds only for want of rounds.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import Card, Cards
from scorekeeper.rules.document import read, write
from scorekeeper.rules.game import MUST_STOP, Game
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.yaku import Yaku

from ..worked.reader import wrong_sums
from .table import BAK, CHAFF, DECK, HH, KAGA, YOK, net, settle, without_working

TIE = {"tie": ("turn_order", "nobody", "each_tied", "ask")}
DEALER_TIE = {"dealer_tie": ("turn_order", "dealer_stays", "ask")}
RULES: dict[str, dict[str, tuple]] = {
    BAK: {
        "settlement": ("par", "additive", "makatsu", "sanju-sen-me", "difference"),
        "chaff": (1, 0),
        "sanju_method": ("floor_each", "subtract_lowest", "pairwise"),
        "two_player_end": ("drain", "ten_card", "hands_empty"),
        **TIE,
        **DEALER_TIE,
    },
    YOK: {
        "aka": ("two_or_more", "exactly_two"),
        "teshi_haneken": (50, 40),
        "two_triplets": ("one", "add"),
        "dekiyaku_multi": ("add", "best"),
        "after_dekiyaku": ("stop", "play_on"),
        "chaff_needed": (14, 16),
        "fuke_willow": ("chaff", "face", "ignore"),
        "special_multi": ("add", "best"),
        "special_conflict": ("net", "chaff_first"),
        "stakes": ("1-2-4", "2-4-6"),
        **TIE,
        **DEALER_TIE,
    },
    HH: {
        "payment": ("accumulate", "zero_sum"),
        "teyaku": ("best_one", "one_per_group"),
        "willow_as_chaff": (False, True),
        "standing_triplets": (False, True),
        "multi_bright": ("greater", "carry_over", "stack"),
        "dekiyaku_multi": ("add", "best"),
        "nanatan_extra": (0, 10),
        "sage_penalty": ("none", "double"),
        "all88": ("off", "bonus", "from_each"),
        "over168": ("off", "on"),
        "kasu16": ("off", "on"),
        "kasu16_willow": (False, True),
        "specials_replace": ("all", "card_points"),
        **DEALER_TIE,
        "next_starter": ("winner", "rotate", "ask"),
    },
    KAGA: {
        "ledger": ("difference", "winner_only", "raw"),
        "two_teshi": ("each", "once"),
        "willow_as_chaff": (False, True),
        "two_player_end": ("hands_empty", "drain"),
        **DEALER_TIE,
    },
}
ZERO_SUM = {  # whether the house rules make the amounts add to nothing
    BAK: lambda rules: rules.get("settlement") != "additive",
    YOK: lambda rules: True,
    HH: lambda rules: rules.get("payment") == "zero_sum",
    KAGA: lambda rules: rules.get("ledger", "difference") == "difference",
}
MONTHS = {card: "".join(filter(str.isdigit, card.split("C")[0])) for card in DECK}
VALUE = {card: {"B": 20, "A": 10, "R": 5, "C": 1}[card.lstrip("0123456789")[0]] for card in DECK}


def house_rules(dice: random.Random, game: str, seats: int) -> dict:
    if game not in RULES:
        return other_house_rules(dice, GAMES[game], seats)
    rules = {key: dice.choice(values) for key, values in RULES[game].items() if dice.random() < 0.5}
    if seats > 2 and rules.get("settlement") == "difference":
        del rules["settlement"]
    if rules.get("two_player_end") == "hands_empty" and rules.get("settlement", "par") == "par":
        del rules["two_player_end"]
    if rules.get("payment") != "zero_sum":
        rules.pop("sage_penalty", None)
    elif rules.get("all88") == "bonus":
        del rules["all88"]
    return rules


def other_house_rules(dice: random.Random, game: Game, seats: int) -> dict:
    """House rules of a game that is not written down above, as the game itself has them."""
    while True:
        rules = {
            rule.key: dice.choice(rule.choices).value
            for rule in game.house_rules
            if dice.random() < 0.5
        }
        try:
            game.under(game.whole_rules(rules)).check_table(seats)
        except RuleError:
            continue
        return rules


def dealt(dice: random.Random, seats: int, stock: list[str]) -> list[list[str]]:
    """The stock in `seats` piles: by pairs of a month as capturing does, or just any cards."""
    piles: list[list[str]] = [[] for _ in range(seats)]
    weights = [dice.random() + 0.02 for _ in range(seats)]
    shuffled = dice.sample(stock, len(stock))
    by_pairs = dice.random() < 0.8
    if by_pairs:
        shuffled.sort(key=MONTHS.get)
    step = 2 if by_pairs else 1
    starts = range(0, len(shuffled), step)
    for start, seat in zip(starts, dice.choices(range(seats), weights, k=len(starts)), strict=True):
        piles[seat] += shuffled[start : start + step]
    return piles


def any_round(dice: random.Random, game: str) -> dict:
    """A round of cards, with hands, that may be played under its house rules."""
    seats = dice.choice(GAMES[game].seats)
    rules = house_rules(dice, game, seats)
    table = GAMES[game].under(rules)
    document: dict = {"game": game, "rules": rules, "dealer": dice.randrange(seats)}
    stock = dice.sample(DECK, len(DECK))
    if not table.needs_whole_deck(seats):
        left = dice.sample([str(month) for month in range(1, 13)], 2)
        stock = [card for card in DECK if MONTHS[card] not in left]
    piles = dealt(dice, seats, stock)
    while not all(piles):
        piles = dealt(dice, seats, stock)
    document["seats"] = [
        {"name": name, "captured": " ".join(pile)}
        for name, pile in zip(("Aki", "Ben", "Chie", "Dan"), piles, strict=False)
    ]
    shuffled = dice.sample(DECK, len(DECK))
    size = table.deals[seats].hand
    for seat, entry in enumerate(document["seats"]):
        if table.by_kind["teyaku"] and dice.random() < 0.6:
            entry["hand"] = " ".join(shuffled[seat * size : (seat + 1) * size])
            if dice.random() < 0.2:
                entry["teyaku"] = []
    if table.field_brights is not None:
        document["field"] = " ".join(shuffled[seats * size :][: table.deals[seats].field])
        if table.field_brights == "carry_over":
            document["carried"] = dice.choices((2, 4), k=dice.randrange(3))
    holders = [seat for seat, pile in enumerate(piles) if formed(table, pile)]
    must_stop = table.ending == MUST_STOP
    if holders and table.ending is not None and (must_stop or dice.random() < 0.5):
        stopper = dice.choice(holders)
        document |= {"end": "stopped", "stopped_by": stopper}
        if must_stop:  # another's dekiyaku would have stopped it before
            for seat in {*holders} - {stopper}:
                document["seats"][seat]["captured"] = " ".join(broken_up(table, piles[seat]))
    return document


def formed(table: Game, pile: list[str]) -> list[Yaku]:
    """The dekiyaku that are in a pile."""
    cards = Pile.of_cards(Cards.parse(" ".join(pile)).mask)
    return [yaku for yaku in table.by_kind["dekiyaku"] if yaku.pattern(cards)]


def broken_up(table: Game, pile: list[str]) -> list[str]:
    """What is left of a pile without the cards that make a dekiyaku of it, one after the other."""
    while yaku := formed(table, pile):
        cards = yaku[0].cards or Cards.parse(" ".join(pile))
        part = next(card for card in pile if Card.parse(card) in cards)
        pile = [card for card in pile if card != part]
    return pile


CHUNKS = 10
SEED = int(os.environ.get("LAWS_SEED", "0"))
ROUNDS = int(os.environ.get("LAWS_ROUNDS", 1000 * math.ceil(50 / len(GAMES))))
"""Of each game, from this seed on: 50,000 in all, in chunks that run side by side."""


@dataclass
class Settled:
    """A round and its answer, and how to settle others like it."""

    game: str
    dice: random.Random
    document: dict
    answer: dict
    settle: Callable[[dict], dict]

    @property
    def rules(self) -> dict:
        return self.document["rules"]

    @property
    def seats(self) -> range:
        return range(len(self.document["seats"]))

    @property
    def counted(self) -> bool:
        return self.document.get("end", "counted") == "counted"

    def each(self, part: str) -> list:
        return [seat[part] for seat in self.answer["seats"]]

    def value(self, kind: str) -> list[int]:
        """What each seat's yaku of a class are worth, those that count."""
        return [
            sum(yaku["value"] for yaku in seat[kind] if yaku.get("counted", True))
            for seat in self.answer["seats"]
        ]

    def again(self, **changes) -> dict:
        """A copy of the document, with changes of its fields."""
        return {**copied(self.document), **changes}

    def refusal_or_answer(self, document: dict) -> dict | str:
        try:
            return self.settle(document)
        except Exception as error:
            code = getattr(error, "code", None)
            if code is None:
                raise
            return code


def copied(document: dict) -> dict:
    """The document once more, as it is after a journey: several times as fast as `copy`."""
    again: dict = json.loads(json.dumps(document))
    return again


LAWS: dict[str, tuple[Callable[[Settled], bool | None], tuple[str, ...], int]] = {}


def law(*games: str, every: int = 1):
    """Makes a function a law, of some games or of all, tried on every so manieth round."""

    def add(function):
        LAWS[function.__name__] = (function, games or tuple(GAMES), every)
        return function

    return add


def keep_laws(game: str, seed: int, settle: Callable[[dict], dict]) -> Counter[str]:
    """Tries the laws on one round; counts the laws that had something to say of it."""
    dice = random.Random(seed)
    document = any_round(dice, game)
    name = "settling"
    tried: Counter[str] = Counter()
    try:
        settled = Settled(game, dice, document, settle(copied(document)), settle)
        for place, (name, (function, games, every)) in enumerate(LAWS.items()):
            if game in games and (seed + place) % every == 0:
                tried[name] += function(settled) is not False
    except Exception as error:
        again = f"LAWS_SEED={seed} LAWS_ROUNDS=1"
        raise AssertionError(f"{name}, {game}, {again}: {error!r}\n{document}") from error
    return tried


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", GAMES)
def test_laws(game, chunk):
    size = math.ceil(ROUNDS / CHUNKS)
    seeds = range(SEED, SEED + ROUNDS)[chunk * size : (chunk + 1) * size]
    tried: Counter[str] = Counter()
    for seed in seeds:
        tried += keep_laws(game, seed, settle)
    if len(seeds) >= 1000:
        for name, (_, games, _) in LAWS.items():
            assert game not in games or tried[name], f"{name} had no round to be tried on"


# --- What is booked -----------------------------------------------------------------------------


@law()
def amounts_that_should_add_to_nothing_do(settled):
    answer = settled.answer
    promised = ZERO_SUM.get(settled.game, lambda rules: GAMES[settled.game].under(rules).zero_sum)
    assert answer["zero_sum"] is promised(settled.rules)
    if answer["amounts"] is None or not answer["zero_sum"]:
        return False
    assert sum(answer["amounts"]) == 0


@law()
def payments_come_to_the_amounts(settled):
    answer = settled.answer
    payments = answer["payments"]
    assert all(payment["amount"] > 0 for payment in payments)
    assert all(payment["from"] != payment["to"] for payment in payments)
    if answer["amounts"] is None:
        assert payments == []
    elif answer["zero_sum"]:
        assert net(payments, len(answer["amounts"])) == answer["amounts"]
    elif settled.game in RULES:  # only what is really paid from player to player
        special = [yaku for seat in answer["seats"] for yaku in seat["special"]]
        bonus = settled.rules.get("all88") == "bonus"
        paid = [yaku for yaku in special if not (bonus and yaku["key"] == "all88")]
        assert bool(payments) is bool(paid)
        value = sum(yaku["value"] for yaku in special) * answer["multiplier"]
        assert all(payment["amount"] == value for payment in payments)


@law()
def amounts_are_whole_numbers(settled):
    amounts = settled.answer["amounts"]
    assert amounts is None or all(type(amount) is int for amount in amounts)


@law()
def winners_have_the_greatest_amount(settled):
    amounts = settled.answer["amounts"]
    if not settled.counted:
        expected = [settled.document["stopped_by"]]
    elif amounts is None or len(set(amounts)) == 1 or max(amounts) <= 0:
        expected = []
    else:
        expected = [seat for seat, amount in enumerate(amounts) if amount == max(amounts)]
    assert settled.answer["winners"] == expected


def round_the_table(settled, seats):
    number, dealer = len(settled.seats), settled.document["dealer"]
    return sorted(seats, key=lambda seat: (seat - dealer) % number)


@law(*RULES)
def the_next_dealer_has_won_or_is_asked_for(settled):
    answer, rules = settled.answer, settled.rules
    asked = answer["undecided"]
    if answer["amounts"] is None:
        assert (asked["question"], answer["next_dealer"]) == ("tie", None)
        return
    starter = rules.get("next_starter", "winner")
    if starter == "rotate":
        expected = [(settled.document["dealer"] + 1) % len(settled.seats)]
    elif starter == "ask":
        expected = list(settled.seats)
    elif not settled.counted:
        expected = [settled.document["stopped_by"]]
    else:
        compared = settled.each("score") if settled.game in (BAK, KAGA) else answer["amounts"]
        expected = [seat for seat in settled.seats if compared[seat] == max(compared)]
    rule = "ask" if starter == "ask" else rules.get("dealer_tie", "turn_order")
    if len(expected) > 1 and rule != "ask":
        stays = rule == "dealer_stays"
        expected = [settled.document["dealer"] if stays else round_the_table(settled, expected)[0]]
    if len(expected) == 1:
        assert (answer["next_dealer"], asked) == (expected[0], None)
    else:
        assert answer["next_dealer"] is None
        assert asked == {"question": "dealer", "between": expected}


# --- The formulas, from the card points and yaku of the answer ----------------------------------


def from_each(values: list[int]) -> list[int]:
    """What it comes to when each is paid their value by each other player."""
    return [len(values) * value - sum(values) for value in values]


def share(settled, compared: list[int], stake: int) -> list[int] | None:
    """The share of the most, as the house rule for ties has it."""
    leaders = [seat for seat in settled.seats if compared[seat] == max(compared)]
    tie = settled.rules.get("tie", "turn_order")
    if len(leaders) > 1:
        if tie == "ask":
            return None
        if tie == "turn_order":
            leaders = round_the_table(settled, leaders)[:1]
        elif tie == "nobody":
            leaders = []
    behind = len(compared) - len(leaders)
    paid = [stake * behind if seat in leaders else -stake * len(leaders) for seat in settled.seats]
    return paid if leaders else [0] * len(compared)


@law(BAK)
def bakappana_by_the_formula(settled):
    rules, points, number = settled.rules, settled.each("card_points"), len(settled.seats)
    settlement = rules.get("settlement", "par")
    method = rules.get("sanju_method", "floor_each")
    if settlement == "par":
        total = 240 if rules.get("chaff") == 0 else 264
        expected = [own - total // number for own in points]
    elif settlement == "additive":
        expected = points
    elif settlement == "makatsu":
        expected = share(settled, points, 1)
    elif settlement == "difference":
        expected = [points[0] - points[1], points[1] - points[0]]
    elif method == "pairwise":
        expected = [sum(math.trunc((own - other) / 10) for other in points) for own in points]
    else:
        less = min(points) if method == "subtract_lowest" else 0
        expected = from_each([(own - less) // 10 for own in points])
    assert settled.answer["amounts"] == expected
    assert settled.each("score") == points


@law(YOK)
def yokohama_by_the_formula(settled):
    rules, special = settled.rules, settled.value("special")
    expected: list[int] | None = from_each(settled.value("dekiyaku"))
    if not settled.counted or any(special):
        assert settled.each("score") == [None] * 3
        assert not any(settled.value("teyaku"))
        more: list[int] | None = from_each(special)
    else:
        parts = settled.each("card_points"), from_each(settled.value("teyaku"))
        adjusted = [sum(own) for own in zip(*parts, strict=True)]
        assert settled.each("score") == adjusted
        assert sum(adjusted) == 264
        more = share(settled, adjusted, 2 if rules.get("stakes") == "2-4-6" else 1)
    if more is None:
        expected = None
    else:
        expected = [one + other for one, other in zip(expected, more, strict=True)]
    assert settled.answer["amounts"] == expected


@law(HH)
def hachi_hachi_by_the_formula(settled):
    rules, m = settled.rules, settled.answer["multiplier"]
    teyaku, dekiyaku, special = map(settled.value, ("teyaku", "dekiyaku", "special"))
    points, paid = [0, 0, 0], [0, 0, 0]
    stopper = settled.document.get("stopped_by")
    gained = teyaku
    if stopper is not None:
        others = [seat for seat in settled.seats if seat != stopper]
        assert not any(dekiyaku[seat] for seat in others)
        went_on = [seat for seat in others if settled.answer["seats"][seat]["dekiyaku"]]
        if rules.get("sage_penalty") == "double" and len(went_on) == 1:
            paid[stopper], paid[went_on[0]] = 2 * dekiyaku[stopper], -2 * dekiyaku[stopper]
        else:
            gained = [one + other for one, other in zip(teyaku, dekiyaku, strict=True)]
    elif any(dekiyaku):
        gained = [one + other // 2 for one, other in zip(teyaku, dekiyaku, strict=True)]
    elif any(special):
        alone = settled.answer["seats"][settled.document["dealer"]]["special"]
        bonus = rules.get("all88") == "bonus" and any(yaku["key"] == "all88" for yaku in alone)
        paid = special if bonus else from_each(special)
    else:
        points = [own - 88 for own in settled.each("card_points")]
    if rules.get("payment") == "zero_sum":
        gained = from_each(gained)
    expected = [m * sum(parts) for parts in zip(gained, points, paid, strict=True)]
    assert settled.answer["amounts"] == settled.each("score") == expected


@law(KAGA)
def kaga_by_the_formula(settled):
    parts = settled.each("card_points"), settled.value("teyaku"), settled.value("dekiyaku")
    sums = [sum(own) for own in zip(*parts, strict=True)]
    more = sums[0] - sums[1]
    assert settled.each("score") == sums
    assert (
        settled.answer["amounts"]
        == {
            "difference": [more, -more],
            "winner_only": [max(more, 0), max(-more, 0)],
            "raw": sums,
        }[settled.rules.get("ledger", "difference")]
    )


KAGA_VALUE = {"11B": 20, "12B": 20, "11A": 10, "11R": 5, "12C1": 5, "12C2": 5, "12C3": 5}


@law(*RULES)
def card_points_are_the_cards(settled):
    for entry, points in zip(settled.document["seats"], settled.each("card_points"), strict=True):
        cards = entry["captured"].split()
        worth = KAGA_VALUE if settled.game == KAGA else VALUE
        free = CHAFF if settled.rules.get("chaff") == 0 else ()
        assert points == sum(worth.get(card, 0) for card in cards if card not in free)


# --- Who sits where -----------------------------------------------------------------------------


def reseated(settled, order: list[int], rules: dict) -> tuple[dict, dict]:
    """The round under these rules, and with its players in another order."""
    here = settled.document
    there = {**here, "rules": rules, "seats": [here["seats"][seat] for seat in order]}
    for field in ("dealer", "stopped_by"):
        if field in here:
            there[field] = order.index(here[field])
    same = rules == settled.rules
    answer = settled.answer if same else settled.settle({**here, "rules": rules})
    return answer, settled.settle(there)


def warned(answer: dict, order: list[int]) -> list[tuple]:
    return sorted(
        (order.index(one["seat"]), one["code"], one.get("month") or 0) for one in answer["warnings"]
    )


def assert_moved(here: dict, there: dict, order: list[int]) -> None:
    """There is the answer of here with the players in this order."""
    for part in ("amounts", "seats"):
        moved = here[part] and [here[part][seat] for seat in order]
        assert there[part] == moved, part
    assert there["winners"] == sorted(order.index(seat) for seat in here["winners"])
    for part in ("unit", "zero_sum", "multiplier", "carry"):
        assert there[part] == here[part], part
    assert warned(there, list(range(len(order)))) == warned(here, order)
    if here["next_dealer"] is not None:
        assert there["next_dealer"] == order.index(here["next_dealer"])
    if here["undecided"] is not None:
        between = sorted(order.index(seat) for seat in here["undecided"]["between"])
        assert there["undecided"] == {**here["undecided"], "between": between}


@law(every=11)
def amounts_move_with_the_players_round_the_table(settled):
    number = len(settled.seats)
    by = settled.dice.randrange(1, number)
    order = [(seat + by) % number for seat in settled.seats]
    assert_moved(*reseated(settled, order, settled.rules), order)


@law(*RULES, every=11)
def amounts_move_with_the_players_to_any_seats(settled):
    """Without the house rules that go by the order of the seats."""
    rules = dict(settled.rules)
    if settled.game in (BAK, YOK) and rules.get("tie", "turn_order") == "turn_order":
        rules["tie"] = "each_tied"
    if rules.get("dealer_tie", "turn_order") == "turn_order":
        rules["dealer_tie"] = "ask"
    if rules.get("next_starter") == "rotate":
        rules["next_starter"] = "ask"
    order = settled.dice.sample(settled.seats, len(settled.seats))
    assert_moved(*reseated(settled, order, rules), order)


# --- Ways of writing the same round -------------------------------------------------------------


def spelled(settled, form: str) -> dict:
    """The round with its piles in another form, and with what the cards held claimed."""
    document = settled.again()
    stopper = document.get("stopped_by")
    for number, seat in enumerate(document["seats"]):
        answered = settled.answer["seats"][number]
        cards = seat.pop("captured").split()
        kinds = [card.lstrip("0123456789")[0] for card in cards]
        if form == "named":
            seat["named"] = [card for card in cards if card not in CHAFF]
            seat["chaff"] = kinds.count("C")
            if settled.game in (BAK, HH, KAGA):
                continue  # elsewhere chaff may decide a yaku: the lightning does, in dandruff
        elif form == "counts":
            seat["counts"] = {
                "bright": kinds.count("B"),
                "animal": kinds.count("A"),
                "ribbon": kinds.count("R"),
                "chaff": kinds.count("C"),
            }
        else:
            seat["points"] = answered["card_points"]
        if settled.game == BAK:
            continue
        seat["dekiyaku"] = [
            "goko" if (yaku["key"], yaku["value"]) == ("shiko", 120) else yaku["key"]
            for yaku in answered["dekiyaku"]
            for _ in range(yaku.get("times", 1))
        ]
        seat["special"] = [
            yaku["key"] for yaku in answered["special"] for _ in range(yaku.get("times", 1))
        ]
        if seat["dekiyaku"] and stopper not in (None, number):
            seat["continued"] = True
    return document


def tells_enough(settled, form: str) -> bool:
    """Whether the form can tell what the house rules of the table ask."""
    rules = settled.rules
    if form == "captured":
        return True
    if settled.game not in RULES:  # then the game says so itself
        return settled.refusal_or_answer(spelled(settled, form)) not in (
            "needs_cards",
            "needs_counts",
        )
    if settled.game == KAGA:
        return form == "points"
    if form == "counts":
        return not rules.get("kasu16_willow")  # willow is not known from counts
    if form == "points":
        return rules.get("kasu16") != "on" and rules.get("nanatan_extra") != 10
    return True


PARTS = ("amounts", "seats", "winners", "next_dealer", "payments", "multiplier", "carry")


def assert_answers_alike(settled, form: str) -> bool:
    if not tells_enough(settled, form):
        return False
    other = settled.settle(spelled(settled, form))
    for part in PARTS:
        assert other[part] == settled.answer[part], part
    return True


BY_KIND = tuple(game for game in GAMES if GAMES[game].values.by_kind is not None)
"""The games in which it is enough how many of each kind there are."""


@law(*BY_KIND, every=13)
def named_cards_and_chaff_answer_as_captured(settled):
    return assert_answers_alike(settled, "named")


@law(*BY_KIND, every=13)
def counts_and_claims_answer_as_captured(settled):
    return assert_answers_alike(settled, "counts")


@law(every=13)
def points_and_claims_answer_as_captured(settled):
    return assert_answers_alike(settled, "points")


def whole_deck(document: dict) -> bool:
    return document.get("end") != "stopped" and sum(
        len(seat["captured"].split()) for seat in document["seats"]
    ) == len(DECK)


@law(every=11)
def rest_is_what_the_others_leave(settled):
    if not whole_deck(settled.document):
        return False
    form = settled.dice.choice(["captured", "named", "counts", "points"])
    if not tells_enough(settled, form):
        form = "captured"
    document = settled.again() if form == "captured" else spelled(settled, form)
    filled = copied(document)
    seat = settled.dice.choice(filled["seats"])
    seat[form] = "rest"
    seat.pop("chaff", None)
    assert without_working(settled.settle(filled)) == without_working(settled.settle(document))


@law(every=11)
def a_document_read_and_written_is_the_same_round(settled):
    form = settled.dice.choice(["captured", "named", "counts", "points"])
    document = settled.again() if form == "captured" else spelled(settled, form)
    if whole_deck(settled.document) and settled.dice.random() < 0.3:
        seat = settled.dice.choice(document["seats"])
        seat[form] = "rest"
        seat.pop("chaff", None)
    entry = read(document)
    written = write(entry)
    assert read(written) == entry
    assert write(read(written)) == written
    if tells_enough(settled, form):
        assert settled.settle(written) == settled.settle(document)


def carelessly(dice: random.Random, cards: str) -> str | list[str]:
    """The same cards as a hasty hand writes them."""
    written = dice.sample(cards.split(), len(cards.split()))
    written = [card.lower() if dice.random() < 0.3 else card for card in written]
    written = ["0" + card if dice.random() < 0.2 else card for card in written]
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    written = [card.translate(wide) if dice.random() < 0.2 else card for card in written]
    written = [card + "1" if card.lower() == "11c" else card for card in written]
    return written if dice.random() < 0.3 else dice.choice([" ", ", ", "\t", "、"]).join(written)


@law(every=13)
def a_round_written_carelessly_is_the_same_round(settled):
    document = settled.again()
    for seat in document["seats"]:
        for field in {"captured", "hand"} & set(seat):
            seat[field] = carelessly(settled.dice, seat[field])
    if settled.document.get("field"):
        document["field"] = carelessly(settled.dice, document["field"])
    assert settled.settle(document) == settled.answer


@law(every=13)
def settling_leaves_the_document_alone_and_answers_the_same_again(settled):
    document = settled.again()
    assert settled.settle(document) == settled.answer
    assert document == settled.document


# --- A stronger pile ----------------------------------------------------------------------------


def stronger(settled, give: bool) -> tuple[int, dict] | None:
    """A player and the answer when they take a card from another, and may give a lesser one."""
    piles = [seat["captured"].split() for seat in settled.document["seats"]]
    worth = (lambda card: KAGA_VALUE.get(card, 0)) if settled.game == KAGA else VALUE.get
    me, other = settled.dice.sample(settled.seats, 2)
    mine, theirs = piles[me], piles[other]
    taken = settled.dice.choice(theirs)
    if give:
        lesser = [card for card in mine if worth(card) < worth(taken)]
        if not lesser:
            return None
        given = settled.dice.choice(lesser)
        mine.remove(given)
        theirs.append(given)
    theirs.remove(taken)
    mine.append(taken)
    document = settled.again()
    for seat, pile in zip(document["seats"], piles, strict=True):
        seat["captured"] = " ".join(pile)
    answer = settled.refusal_or_answer(document)
    if answer == "dekiyaku_formed":  # such a round would have ended before
        return None
    assert isinstance(answer, dict), answer
    return me, answer


def assert_never_less(settled, give: bool) -> bool:
    if not settled.counted or settled.rules.get("sanju_method") == "subtract_lowest":
        return False  # the shortcut moves with the lowest, and may take from whoever took
    found = stronger(settled, give)
    if found is None:
        return False
    me, after = found
    before = settled.answer
    answers = (before, after)
    if any(seat["special"] for answer in answers for seat in answer["seats"]):
        return False  # few points are worth something
    dekiyaku = [
        [sum(yaku["value"] for yaku in seat["dekiyaku"]) for seat in answer["seats"]]
        for answer in answers
    ]
    if settled.game == HH and any(map(any, dekiyaku)):
        return False  # a dekiyaku is another way to be paid
    changes = [later - sooner for sooner, later in zip(*dekiyaku, strict=True)]
    if changes[me] < 0 or sum(changes) > changes[me]:
        return False  # the lesser card was part of a dekiyaku, or makes one for another
    one, other = (answer["seats"][me]["score"] for answer in answers)
    if one is not None and other is not None:
        assert one <= other
    if before["amounts"] is not None and after["amounts"] is not None:
        assert before["amounts"][me] <= after["amounts"][me]
    return True


@law(*RULES, every=11)
def a_card_more_never_scores_less(settled):
    return assert_never_less(settled, give=False)


@law(*RULES, every=7)
def a_better_card_never_scores_less(settled):
    return assert_never_less(settled, give=True)


# --- The working --------------------------------------------------------------------------------

NAMES = ("Aki", "Ben", "Chie", "Dan")
CARDS_IN_BRACKETS = re.compile(r"\((?:\d+[BARC]\d? ?)+\)")
NUMBER = re.compile(r"\d+")
BARE = re.compile(r"[+−]?\d+")
WORDS = re.compile(r"[^\d+−×÷=() ]+")


@law(every=5)
def the_working_has_the_numbers_of_the_answer(settled):
    answer = settled.answer
    lines = [(line, {int(number) for number in NUMBER.findall(line)}) for line in answer["working"]]

    def says(number: int, *names: str) -> bool:
        return any(
            abs(number) in numbers and all(name in line for name in names)
            for line, numbers in lines
        )

    for seat, name in zip(answer["seats"], NAMES, strict=False):
        for number in (seat["card_points"], seat["score"]):
            assert number is None or says(number, name), f"{name}, {number}"
        for kind in ("teyaku", "dekiyaku", "special"):
            for yaku in seat[kind]:
                assert says(yaku["value"], name), f"{name}, {yaku}"
    for payment in answer["payments"]:
        assert says(payment["amount"], NAMES[payment["from"]], NAMES[payment["to"]]), payment
    assert answer["multiplier"] == 1 or says(answer["multiplier"])
    for number, name in zip(answer["amounts"] or (), NAMES, strict=False):
        assert says(number, name), f"{name}, {number}"
    if answer["next_dealer"] is not None:
        assert NAMES[answer["next_dealer"]] in answer["working"][-2]


@law(every=5)
def the_sums_of_the_working_are_right(settled):
    for line in settled.answer["working"]:
        bare = WORDS.sub(" ", CARDS_IN_BRACKETS.sub("", line))
        left, equals, _ = bare.partition("=")
        if equals and not BARE.fullmatch(left.strip()):
            assert not list(wrong_sums(" ".join(bare.split()))), line


@law()
def the_check_adds_up_the_amounts(settled):
    amounts = settled.answer["amounts"]
    if amounts is None:
        return False
    check = settled.answer["working"][-1].replace("− ", "−")
    left, _, right = check.rpartition("=")
    numbers = [int(number.replace("−", "-")) for number in re.findall(r"−?\d+", left)]
    assert (numbers, int(right.replace("−", "-"))) == (amounts, sum(amounts))
