"""What holds in every round, whatever the cards: tried on random rounds under random house rules.

Every round is made from a seed, and a failure names it: `any_round(random.Random(seed), game)`
makes it again.
"""

from __future__ import annotations

import copy
import random

import pytest

from .table import (
    BAK,
    CHAFF,
    DECK,
    HH,
    KAGA,
    YOK,
    RuleError,
    net,
    settle,
    without_working,
)

TIE = {"tie": ("turn_order", "nobody", "each_tied", "ask")}
DEALER_TIE = {"dealer_tie": ("turn_order", "dealer_stays", "ask")}
RULES: dict[str, dict[str, tuple]] = {
    BAK: {
        "settlement": ("par", "additive", "makatsu", "sanju-sen-me", "difference"),
        "chaff": (1, 0),
        "sanju_method": ("floor_each", "subtract_lowest", "pairwise"),
        "two_player_end": ("drain", "ten_card", "hands_empty"),
        **TIE, **DEALER_TIE,
    },
    YOK: {
        "aka": ("two_or_more", "exactly_two"), "teshi_haneken": (50, 40),
        "two_triplets": ("one", "add"), "dekiyaku_multi": ("add", "best"),
        "after_dekiyaku": ("stop", "play_on"), "chaff_needed": (14, 16),
        "fuke_willow": ("chaff", "face", "ignore"), "special_multi": ("add", "best"),
        "special_conflict": ("net", "chaff_first"), "stakes": ("1-2-4", "2-4-6"),
        **TIE, **DEALER_TIE,
    },
    HH: {
        "payment": ("accumulate", "zero_sum"), "teyaku": ("best_one", "one_per_group"),
        "willow_as_chaff": (False, True), "standing_triplets": (False, True),
        "multi_bright": ("greater", "carry_over", "stack"), "dekiyaku_multi": ("add", "best"),
        "nanatan_extra": (0, 10), "sage_penalty": ("none", "double"),
        "all88": ("off", "bonus", "from_each"), "over168": ("off", "on"),
        "kasu16": ("off", "on"), "kasu16_willow": (False, True),
        "specials_replace": ("all", "card_points"), **DEALER_TIE,
        "next_starter": ("winner", "rotate", "ask"),
    },
    KAGA: {
        "ledger": ("difference", "winner_only", "raw"), "two_teshi": ("each", "once"),
        "willow_as_chaff": (False, True), "two_player_end": ("hands_empty", "drain"),
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
    rules = {key: dice.choice(values) for key, values in RULES[game].items()
             if dice.random() < 0.5}
    if seats > 2 and rules.get("settlement") == "difference":
        del rules["settlement"]
    if rules.get("two_player_end") == "hands_empty" and rules.get("settlement", "par") == "par":
        del rules["two_player_end"]
    if rules.get("payment") != "zero_sum":
        rules.pop("sage_penalty", None)
    elif rules.get("all88") == "bonus":
        del rules["all88"]
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
    for start in range(0, len(shuffled), step):
        piles[dice.choices(range(seats), weights)[0]] += shuffled[start:start + step]
    return piles


def any_round(dice: random.Random, game: str) -> dict:
    """A round of cards, with hands, that may be played under its house rules."""
    seats = {BAK: dice.choice((2, 3, 4)), KAGA: 2}.get(game, 3)
    rules = house_rules(dice, game, seats)
    document: dict = {"game": game, "rules": rules, "dealer": dice.randrange(seats)}
    stock = dice.sample(DECK, 48)
    if seats == 2 and rules.get(
            "two_player_end", "hands_empty" if game == KAGA else "drain") == "hands_empty":
        left = dice.sample([str(month) for month in range(1, 13)], 2)
        stock = [card for card in DECK if MONTHS[card] not in left]
    piles = dealt(dice, seats, stock)
    while not all(piles):
        piles = dealt(dice, seats, stock)
    document["seats"] = [
        {"name": name, "captured": " ".join(pile)}
        for name, pile in zip(("Aki", "Ben", "Chie", "Dan"), piles, strict=False)
    ]
    if game == BAK:
        return document
    shuffled = dice.sample(DECK, 48)
    size = 8 if game == KAGA else 7
    for seat, entry in enumerate(document["seats"]):
        if dice.random() < 0.6:
            entry["hand"] = " ".join(shuffled[seat * size:(seat + 1) * size])
            if dice.random() < 0.2:
                entry["teyaku"] = []
    if game == HH:
        document["field"] = " ".join(shuffled[21:27])
        if rules.get("multi_bright") == "carry_over":
            document["carried"] = dice.choices((2, 4), k=dice.randrange(3))
    holders = [seat for seat, pile in enumerate(piles) if dekiyaku(game, pile)]
    if game == YOK and rules.get("after_dekiyaku") == "play_on":
        holders = []
    if holders and game in (YOK, HH) and (game == YOK or dice.random() < 0.5):
        stopper = dice.choice(holders)
        document |= {"end": "stopped", "stopped_by": stopper}
        if game == YOK:  # another's dekiyaku would have stopped it before
            for seat in {*holders} - {stopper}:
                kept = [card for card in piles[seat] if card not in ("1B", "1R", "6R")]
                document["seats"][seat]["captured"] = " ".join(kept)
    return document


SETS = ("1B 3B 8B 12B", "1R 2R 3R", "6R 9R 10R")


def dekiyaku(game: str, pile: list[str]) -> bool:
    ribbons = sum(card.endswith("R") and card != "11R" for card in pile)
    return any(set(cards.split()) <= set(pile) for cards in SETS) or (game == HH and ribbons > 6)


def rounds(game: str, number: int, start: int = 0):
    for seed in range(start, start + number):
        dice = random.Random(seed)
        document = any_round(dice, game)
        try:
            result = settle(document)
        except RuleError as error:
            pytest.fail(f"seed {seed}: {error.code}: {error.message}\n{document}")
        yield seed, dice, document, result


GAMES = pytest.mark.parametrize("game", [BAK, YOK, HH, KAGA])


@GAMES
def test_amounts_that_should_add_to_nothing_do(game):
    for seed, _, document, result in rounds(game, 600):
        where = f"seed {seed}: {document}"
        assert result["zero_sum"] is ZERO_SUM[game](document["rules"]), where
        if result["amounts"] is not None and result["zero_sum"]:
            assert sum(result["amounts"]) == 0, where


@GAMES
def test_payments_come_to_the_amounts(game):
    for seed, _, document, result in rounds(game, 600):
        where = f"seed {seed}: {document}"
        assert all(payment["amount"] > 0 for payment in result["payments"]), where
        assert all(payment["from"] != payment["to"] for payment in result["payments"]), where
        if result["amounts"] is not None and result["zero_sum"]:
            assert net(result["payments"], len(result["amounts"])) == result["amounts"], where


@GAMES
def test_amounts_are_whole_numbers(game):
    for seed, _, document, result in rounds(game, 300):
        for amount in result["amounts"] or ():
            assert type(amount) is int, f"seed {seed}: {document}"


@GAMES
def test_winners_have_the_greatest_amount(game):
    for seed, _, document, result in rounds(game, 600):
        amounts = result["amounts"]
        if document.get("end") == "stopped":
            expected = [document["stopped_by"]]
        elif amounts is None or len(set(amounts)) == 1 or max(amounts) <= 0:
            expected = []
        else:
            expected = [seat for seat, amount in enumerate(amounts) if amount == max(amounts)]
        assert result["winners"] == expected, f"seed {seed}: {document}"


@GAMES
def test_the_next_dealer_is_a_seat_or_asked_for(game):
    for seed, _, document, result in rounds(game, 600):
        asked = result["undecided"]
        where = f"seed {seed}: {document}"
        assert (result["next_dealer"] is None) is (asked is not None), where
        assert (result["amounts"] is None) is (
            asked is not None and asked["question"] == "tie"), where


def turned(document: dict, by: int) -> dict:
    """The same round with every player some seats further on."""
    document = copy.deepcopy(document)
    seats = document["seats"]
    for field in ("dealer", "stopped_by"):
        if field in document:
            document[field] = (document[field] + by) % len(seats)
    document["seats"] = seats[-by:] + seats[:-by]
    return document


@GAMES
def test_amounts_move_with_the_players(game):
    for seed, dice, document, result in rounds(game, 500):
        number = len(document["seats"])
        by = dice.randrange(1, number)
        where = f"seed {seed}, {by} seats on: {document}"
        moved = settle(turned(document, by))
        for part in ("amounts", "seats"):
            if result[part] is None:
                assert moved[part] is None, where
            else:
                assert moved[part] == result[part][-by:] + result[part][:-by], where
        there = [(seat + by) % number for seat in result["winners"]]
        assert sorted(moved["winners"]) == sorted(there), where
        for part in ("unit", "zero_sum", "multiplier", "carry"):
            assert moved[part] == result[part], where
        if result["next_dealer"] is None:
            assert moved["next_dealer"] is None, where
        else:
            assert moved["next_dealer"] == (result["next_dealer"] + by) % number, where


def whole_deck(document: dict) -> bool:
    return (document.get("end") != "stopped"
            and sum(len(seat["captured"].split()) for seat in document["seats"]) == 48)


@GAMES
def test_rest_is_what_the_others_leave(game):
    tried = 0
    for seed, dice, document, result in rounds(game, 500):
        if not whole_deck(document):
            continue
        tried += 1
        filled = copy.deepcopy(document)
        dice.choice(filled["seats"])["captured"] = "rest"
        assert without_working(settle(filled)) == without_working(result), f"seed {seed}"
    assert tried > 50


def named(document: dict) -> dict:
    document = copy.deepcopy(document)
    for seat in document["seats"]:
        cards = seat.pop("captured").split()
        seat["named"] = [card for card in cards if card not in CHAFF]
        seat["chaff"] = len(cards) - len(seat["named"])
    return document


def counted(document: dict, result: dict) -> dict:
    """By counts, with what the cards held claimed."""
    document = copy.deepcopy(document)
    stopper = document.get("stopped_by")
    for number, answered in enumerate(result["seats"]):
        seat = document["seats"][number]
        cards = seat.pop("captured").split()
        kinds = [card.lstrip("0123456789")[0] for card in cards]
        seat["counts"] = {"bright": kinds.count("B"), "animal": kinds.count("A"),
                          "ribbon": kinds.count("R"), "chaff": kinds.count("C")}
        seat["dekiyaku"] = [yaku["key"] for yaku in answered["dekiyaku"]]
        if document["game"] == YOK:
            seat["special"] = [yaku["key"] for yaku in answered["special"]]
        if seat["dekiyaku"] and stopper not in (None, number):
            seat["continued"] = True
    return document


PARTS = ("amounts", "seats", "winners", "next_dealer", "payments", "multiplier", "carry")


@pytest.mark.parametrize("game", [BAK, YOK, HH])
def test_named_cards_and_chaff_answer_as_captured(game):
    for seed, _, document, result in rounds(game, 500):
        other = settle(named(document))
        for part in PARTS:
            assert other[part] == result[part], f"seed {seed}, {part}: {document}"


@pytest.mark.parametrize("game", [BAK, YOK, HH])
def test_counts_and_claims_answer_as_captured(game):
    for seed, _, document, result in rounds(game, 500):
        if document["rules"].get("kasu16_willow"):
            continue  # willow is not known from counts
        other = settle(counted(document, result))
        for part in PARTS:
            assert other[part] == result[part], f"seed {seed}, {part}: {document}"


def test_adjusted_points_add_to_the_deck():
    tried = 0
    for seed, _, document, result in rounds(YOK, 1500):
        scores = [seat["score"] for seat in result["seats"]]
        if None not in scores:
            tried += 1
            assert sum(scores) == 264, f"seed {seed}: {document}"
    assert tried > 100


@pytest.mark.parametrize("game", [BAK, YOK, HH])
def test_card_points_are_the_cards(game):
    for seed, _, document, result in rounds(game, 300):
        rules = document["rules"]
        for entry, answered in zip(document["seats"], result["seats"], strict=True):
            cards = entry["captured"].split()
            free = sum(card in CHAFF for card in cards) if rules.get("chaff") == 0 else 0
            points = sum(VALUE[card] for card in cards) - free
            assert answered["card_points"] == points, f"seed {seed}: {document}"


@GAMES
def test_par_and_shares_by_the_formula(game):
    """The plain settlements, worked out here from card points and the teyaku that counted."""
    for seed, _, document, result in rounds(game, 500):
        rules, number = document["rules"], len(document["seats"])
        points = [seat["card_points"] for seat in result["seats"]]
        teyaku = [sum(y["value"] for y in seat["teyaku"] if y.get("counted", True))
                  for seat in result["seats"]]
        scores = [seat["score"] for seat in result["seats"]]
        where = f"seed {seed}: {document}"
        if game == BAK:
            assert scores == points, where
            if rules.get("settlement", "par") == "par":
                par = (240 if rules.get("chaff") == 0 else 264) // number
                assert result["amounts"] == [own - par for own in points], where
        elif game == YOK and None not in scores:
            assert scores == [
                own + 3 * shown - sum(teyaku)
                for own, shown in zip(points, teyaku, strict=True)], where
        elif game == HH:
            assert scores == result["amounts"], where
        elif game == KAGA:
            made = [sum(y["value"] for y in seat["dekiyaku"]) for seat in result["seats"]]
            assert scores == [
                sum(parts) for parts in zip(points, teyaku, made, strict=True)], where


@GAMES
def test_settling_twice_answers_the_same(game):
    for seed, _, document, result in rounds(game, 200):
        assert settle(document) == result, f"seed {seed}: {document}"


@GAMES
def test_the_document_is_left_alone(game):
    for seed in range(200):
        document = any_round(random.Random(seed), game)
        before = copy.deepcopy(document)
        settle(document)
        assert document == before, f"seed {seed}"
