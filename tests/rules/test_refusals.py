"""What is refused, with which code, at which seat and field, and in which words.

A row is a document, the code, where plain the seat and the field (`ANY` where two seats share
the fault), and what the message must name: the card, the player or the difference.
"""

import copy
import math
import random

import pytest

from .table import BAK, HH, KAGA, YOK, RuleError, refused, round_of, settle

ANY = object()
PLAIN = [100, 84, 80]
POETRY = "1R 1C1 2R 2C1 3R 3C1"
BLUE = "6R 6C1 9R 9C1 10R 10C1"
HAND = "1B 1R 1C1 2A 3R 4A 5C1"  # a triplet
HAND8 = "1B 1R 1C1 4A 2A 2R 3B 3R"
WHOLE = [  # nobody holds a dekiyaku
    "1B 1R 3B 3C1 2A 2C1 4A 4R 5A 5C1 6R 6C1 7C1 7C2 8C1 8C2 9C1 9C2",
    "8B 8A 12B 12C1 1C1 1C2 2R 2C2 7A 7R 9A 9R 3R 3C2",
    "11B 11A 11R 11C 6A 6C2 10A 10R 10C1 10C2 5R 5C2 4C1 4C2 12C2 12C3",
]
COUNTS = ["1/4/3/12", "2/3/4/7", "2/2/3/5"]


def less(*cards):
    return [" ".join(kept for kept in pile.split() if kept not in cards) for pile in WHOLE]


def counted(**change):
    """COUNTS with the second player's changed; a kind given `...` is left out."""
    document = round_of(BAK, counts=COUNTS)
    own = document["seats"][1]["counts"] | change
    document["seats"][1]["counts"] = {k: v for k, v in own.items() if v is not ...}
    return document


def stopped(game, **said):
    return round_of(game, end="stopped", stopped_by=0, **said)


def with_seat(document, seat, **more):
    document["seats"][seat] |= more
    return document


def bare(**more):
    """A round in which only `more` is wrong."""
    return {**round_of(BAK, points=PLAIN), **more}


def lacking(field):
    document = round_of(BAK, points=PLAIN)
    del document[field]
    return document


# name: (document, code, seat, field, the message names)
NOT_A_ROUND = {
    "nothing": (None, "not_a_round"),
    "a number": (7, "not_a_round"),
    "a text": ("yokohama-bana", "not_a_round"),
    "a list": ([], "not_a_round"),
    "empty": ({}, "not_a_round"),
    "no game": (lacking("game"), "not_a_round"),
    "no seats": (lacking("seats"), "not_a_round"),
    "seats are a text": (bare(seats="three"), "not_a_round"),
    "a seat is a number": (bare(seats=[100, 84, 80]), "not_a_round"),
    "the dealer is a text": (bare(dealer="first"), "not_a_round"),
    "the dealer is true": (bare(dealer=True), "not_a_round"),
    "an unknown end": (bare(end="finished"), "not_a_round"),
    "a seat without any form": (
        round_of(BAK, points=[132, None, 132]),
        "not_a_round",
        1,
        ANY,
        "Ben",
    ),
    "a blank is not a zero (case 07)": (
        with_seat(round_of(BAK, points=PLAIN), 1, points=None),
        "not_a_round",
        1,
    ),
    "yokohama needs card points": (round_of(YOK, teyaku={0: "sanbon"}), "not_a_round"),
    "hachi-hachi without dekiyaku needs card points": (round_of(HH), "not_a_round"),
    "play_on needs card points beside a dekiyaku": (
        round_of(YOK, dekiyaku={0: "akatan"}, rules={"after_dekiyaku": "play_on"}),
        "not_a_round",
    ),
    "kaga needs card points beside a dekiyaku": (
        round_of(KAGA, dekiyaku={0: "shiko"}),
        "not_a_round",
    ),
    "two forms of one seat": (
        with_seat(round_of(BAK, points=PLAIN), 1, captured="1B 1R"),
        "not_a_round",
        1,
    ),
    "stopped by nobody": (round_of(YOK, end="stopped", dekiyaku={0: "akatan"}), "not_a_round"),
    "multiplier 3": (round_of(HH, points=PLAIN, multiplier=3), "not_a_round"),
    "multiplier 8": (round_of(HH, points=PLAIN, multiplier=8), "not_a_round"),
    "multiplier 0": (round_of(HH, points=PLAIN, multiplier=0), "not_a_round"),
    "a multiplier under carry_over": (
        round_of(HH, points=PLAIN, multiplier=2, rules={"multi_bright": "carry_over"}),
        "not_a_round",
    ),
    "a multiplier under stack": (
        round_of(HH, points=PLAIN, multiplier=2, rules={"multi_bright": "stack"}),
        "not_a_round",
    ),
    "a carried 3": (
        round_of(HH, points=PLAIN, carried=[3], rules={"multi_bright": "carry_over"}),
        "not_a_round",
    ),
}

RULES = {
    "unknown game": (bare(game="poker"), "unknown_game"),
    "unknown house rule": (bare(rules={"moon_viewing": True}), "unknown_rule"),
    "another game's house rule": (bare(rules={"kasu16": "on"}), "unknown_rule"),
    "hachi-hachi has no tied share": (
        round_of(HH, points=PLAIN, rules={"tie": "nobody"}),
        "unknown_rule",
    ),
    "kaga has no tied share": (
        round_of(KAGA, points=[30, 20], rules={"tie": "nobody"}),
        "unknown_rule",
    ),
    "unknown value": (bare(rules={"settlement": "auction"}), "unknown_rule"),
    "a number as text": (bare(rules={"chaff": "1"}), "unknown_rule"),
    "true for 1": (bare(rules={"chaff": True}), "unknown_rule"),
    "false for 0": (round_of(HH, points=PLAIN, rules={"nanatan_extra": False}), "unknown_rule"),
    "1 for true": (round_of(HH, points=PLAIN, rules={"standing_triplets": 1}), "unknown_rule"),
    "0 for false": (round_of(HH, points=PLAIN, rules={"willow_as_chaff": 0}), "unknown_rule"),
    "true for on": (round_of(HH, points=PLAIN, rules={"over168": True}), "unknown_rule"),
    "a number that is not offered": (
        round_of(YOK, points=PLAIN, rules={"chaff_needed": 15}),
        "unknown_rule",
    ),
    "a house rule in a list": (bare(rules={"settlement": ["par"]}), "unknown_rule"),
    "a house rule in void": (
        round_of(BAK, end="void", rules={"moon_viewing": True}),
        "unknown_rule",
    ),
    "difference of three": (bare(rules={"settlement": "difference"}), "rule_conflict"),
    "difference of four": (
        round_of(BAK, points=[80, 70, 60, 54], rules={"settlement": "difference"}),
        "rule_conflict",
    ),
    "par with hands empty": (
        round_of(BAK, points=[130, 110], rules={"two_player_end": "hands_empty"}),
        "rule_conflict",
    ),
    "stopped under play_on": (
        stopped(YOK, dekiyaku={0: "akatan"}, rules={"after_dekiyaku": "play_on"}),
        "rule_conflict",
    ),
    "sage penalty without zero_sum": (
        round_of(HH, points=PLAIN, rules={"sage_penalty": "double"}),
        "rule_conflict",
    ),
    "all88 bonus with zero_sum": (
        round_of(HH, points=PLAIN, rules={"all88": "bonus", "payment": "zero_sum"}),
        "rule_conflict",
    ),
    "field and multiplier disagree": (
        round_of(HH, points=PLAIN, field="8B", multiplier=4),
        "rule_conflict",
    ),
}

SEATS = {
    "bakappana alone": (round_of(BAK, points=[264]), "wrong_seats"),
    "bakappana with five": (round_of(BAK, points=[64, 50, 50, 50, 50]), "wrong_seats"),
    "yokohama with two": (round_of(YOK, points=[140, 124]), "wrong_seats"),
    "yokohama with four": (round_of(YOK, points=[80, 70, 60, 54]), "wrong_seats"),
    "hachi-hachi with two": (round_of(HH, points=[140, 124]), "wrong_seats"),
    "kaga with three": (round_of(KAGA, points=[30, 20, 20]), "wrong_seats"),
    "void with four": (round_of(HH, end="void", seats=4), "wrong_seats"),
    "dealer 3 of three": (bare(dealer=3), "bad_seat", ANY, "dealer"),
    "dealer -1": (bare(dealer=-1), "bad_seat", ANY, "dealer"),
    "dealer of a void round": (round_of(YOK, end="void", dealer=3), "bad_seat", ANY, "dealer"),
    "stopped by seat 3": (
        round_of(YOK, end="stopped", stopped_by=3, dekiyaku={0: "akatan"}),
        "bad_seat",
        ANY,
        "stopped_by",
    ),
}


def pile(cards):
    return stopped(HH, captured={1: cards}, dekiyaku={0: "shiko"})


CARDS = {
    "month 13": (pile("13B"), "bad_card", 1, "captured", "13B"),
    "month 0": (pile("0C1"), "bad_card", 1, "captured"),
    "plum has no bright": (pile("2B"), "bad_card", 1, "captured", "2B"),
    "susuki has no ribbon": (pile("8R"), "bad_card", 1, "captured", "8R"),
    "the third chaff of pine": (pile("1C3"), "bad_card", 1, "captured", "1C3"),
    "the second lightning": (pile("11C2"), "bad_card", 1, "captured", "11C2"),
    "no such kind": (pile("1X"), "bad_card", 1, "captured", "1X"),
    "a word": (pile("crane"), "bad_card", 1, "captured", "crane"),
    "in a list": (pile(["1B", "4B"]), "bad_card", 1, "captured", "4B"),
    "in a hand": (
        round_of(YOK, points=PLAIN, hand={2: "9B " + HAND[3:]}),
        "bad_card",
        2,
        "hand",
        "9B",
    ),
    "in the field": (round_of(HH, points=PLAIN, field="7B"), "bad_card", ANY, "field", "7B"),
    "among the named": (
        stopped(HH, named={1: "5B + 3"}, dekiyaku={0: "shiko"}),
        "bad_card",
        1,
        "named",
        "5B",
    ),
    "twice in one pile": (pile("4A 4R 4A"), "card_twice", 1, "captured", "4A"),
    "twice in one hand": (
        round_of(YOK, points=PLAIN, hand={2: "1B 1B 1R 2A 3R 4A 5C1"}),
        "card_twice",
        2,
        "hand",
        "1B",
    ),
    "twice in the field": (
        round_of(HH, points=PLAIN, field="8B 8B"),
        "card_twice",
        ANY,
        "field",
        "8B",
    ),
    "in two piles": (
        round_of(BAK, captured=[WHOLE[0], WHOLE[1] + " 4A 4R", "rest"]),
        "card_twice",
        ANY,
        "captured",
        "4A",
    ),
    "in two piles of a stopped round": (
        stopped(HH, captured={0: POETRY, 2: "4A 1R"}),
        "card_twice",
        ANY,
        "captured",
        "1R",
    ),
    "the lightning under two names": (pile("11C 11C1"), "card_twice", 1, "captured", "11C"),
    "one dekiyaku claimed twice by one seat": (
        stopped(HH, dekiyaku={0: "akatan akatan"}),
        "card_twice",
        ANY,
        "dekiyaku",
    ),
    "one dekiyaku claimed by two seats": (
        round_of(HH, dekiyaku={0: "aotan", 2: "aotan"}),
        "card_twice",
        ANY,
        "dekiyaku",
    ),
    "shiko and goko are the same": (
        round_of(HH, dekiyaku={0: "shiko", 1: "goko"}),
        "card_twice",
        ANY,
        "dekiyaku",
    ),
    "kaga: akatan twice": (
        round_of(KAGA, points=[30, 20], dekiyaku={0: "akatan", 1: "akatan"}),
        "card_twice",
        ANY,
        "dekiyaku",
    ),
    "fourteen chaff cannot be two players'": (
        round_of(YOK, points=PLAIN, special={0: "sujushi", 1: "sujushi"}),
        "card_twice",
        ANY,
        "special",
    ),
}

FIGURES = {
    "a kind is missing": (counted(animal=...), "bad_counts", 1, "counts"),
    "a blank is not a zero": (counted(animal=None), "bad_counts", 1, "counts"),
    "an unknown kind": (counted(light=1), "bad_counts", 1, "counts", "light"),
    "a negative count": (counted(chaff=-1), "bad_counts", 1, "counts"),
    "six brights": (counted(bright=6), "bad_counts", 1, "counts"),
    "ten animals": (counted(animal=10), "bad_counts", 1, "counts"),
    "eleven ribbons": (counted(ribbon=11), "bad_counts", 1, "counts"),
    "twenty-five chaff": (counted(chaff=25), "bad_counts", 1, "counts"),
    "more than the deck: 265": (round_of(BAK, points=[0, 265, 0]), "bad_points", 1, "points"),
    "far more than the deck, in digits": (
        round_of(BAK, points=[0, "9999999999", 0]),
        "bad_points",
        1,
        "points",
        "the whole deck has 264",
    ),
    "far more chaff than there are": (
        counted(chaff="9999999999"),
        "bad_counts",
        1,
        "counts",
        "the deck has 24",
    ),
    "more than the 80 game: 245": (
        round_of(BAK, points=[0, 245, 0], rules={"chaff": 0}),
        "bad_points",
        1,
        "points",
    ),
    "more than kaga's 70": (round_of(KAGA, points=[0, 75]), "bad_points", 1, "points"),
    "no multiple of 5 in the 80 game": (
        round_of(BAK, points=[80, 83, 77], rules={"chaff": 0}),
        "bad_points",
        1,
        "points",
    ),
    "no multiple of 5 in kaga": (round_of(KAGA, points=[20, 33]), "bad_points", 1, "points"),
    "negative": (round_of(BAK, points=[100, -5, 169]), "bad_points", 1, "points"),
}

REST = {
    "two rests": (round_of(BAK, points=[100, "rest", "rest"]), "mixed_rest"),
    "two rests of two forms": (
        with_seat(
            with_seat(round_of(BAK, points=[100, None, None]), 1, points="rest"), 2, captured="rest"
        ),
        "mixed_rest",
    ),
    "the others use two forms": (
        with_seat(round_of(BAK, points=[100, None, "rest"]), 1, captured=WHOLE[1]),
        "mixed_rest",
    ),
    "rest of cards where the others give points": (
        with_seat(round_of(BAK, points=[100, 84, None]), 2, captured="rest"),
        "mixed_rest",
    ),
    "rest in a stopped round": (
        stopped(HH, captured={0: POETRY, 1: "4A 4R", 2: "rest"}),
        "mixed_rest",
    ),
    "rest where hands are empty, bakappana": (
        round_of(
            BAK,
            points=[130, "rest"],
            rules={"settlement": "makatsu", "two_player_end": "hands_empty"},
        ),
        "mixed_rest",
    ),
    "rest where hands are empty, kaga": (round_of(KAGA, points=[30, "rest"]), "mixed_rest"),
}

SUMS = {
    "case 07: 95 and two forgotten": (
        round_of(BAK, points=[95, 0, 0]),
        "deck_sum",
        ANY,
        ANY,
        "169",
    ),
    "case 07: 100/90/84 is ten too many": (
        round_of(BAK, points=[100, 90, 84]),
        "deck_sum",
        ANY,
        ANY,
        "10",
    ),
    "case 07 in yokohama": (round_of(YOK, points=[100, 90, 84]), "deck_sum", ANY, ANY, "10"),
    "case 12: 98/92/84": (round_of(BAK, points=[98, 92, 84]), "deck_sum", ANY, ANY, "10"),
    "hachi-hachi, 3 too few": (round_of(HH, points=[100, 84, 77]), "deck_sum", ANY, ANY, "3"),
    "the 80 game is 240": (
        round_of(BAK, points=[100, 85, 80], rules={"chaff": 0}),
        "deck_sum",
        ANY,
        ANY,
        "25",
    ),
    "two players, drained": (round_of(BAK, points=[130, 110]), "deck_sum", ANY, ANY, "24"),
    "two players, drained, by addition": (
        round_of(BAK, points=[130, 110], rules={"settlement": "additive"}),
        "deck_sum",
        ANY,
        ANY,
        "24",
    ),
    "kaga, drained": (
        round_of(KAGA, points=[30, 30], rules={"two_player_end": "drain"}),
        "deck_sum",
        ANY,
        ANY,
        "10",
    ),
    "three players with hands_empty": (
        round_of(BAK, points=[100, 84, 70], rules={"two_player_end": "hands_empty"}),
        "deck_sum",
        ANY,
        ANY,
        "10",
    ),
    "a card is missing": (round_of(BAK, captured=less("9A")), "deck_sum", ANY, ANY, "9A"),
    "the missing cards in deck order": (
        round_of(BAK, captured=less("12C3", "1R")),
        "deck_sum",
        ANY,
        ANY,
        "1R 12C3",
    ),
    "a named card is missing": (
        round_of(
            BAK,
            named=[
                "1B 1R 2A 2R 3B 3R + 8",
                "4A 4R 5A 5R 6A 6R 7A 7R 8B + 8",
                "8A 9A 9R 10A 10R 11B 11A 11R + 8",
            ],
        ),
        "deck_sum",
        ANY,
        "named",
        "12B",
    ),
    "two chaff of piles with named cards are missing": (
        round_of(
            BAK,
            named=[
                "1B 1R 2A 2R 3B 3R + 8",
                "4A 4R 5A 5R 6A 6R 7A 7R 8B + 8",
                "8A 9A 9R 10A 10R 11B 11A 11R 12B + 6",
            ],
        ),
        "deck_sum",
        ANY,
        "named",
        "2 too few",
    ),
    "two chaff are missing": (
        round_of(BAK, counts=["1/4/3/12", "2/3/4/7", "2/2/3/3"]),
        "deck_sum",
        ANY,
        ANY,
        "2",
    ),
    "a bright too many": (
        round_of(BAK, counts=["2/4/3/12", "2/3/4/7", "2/2/3/5"]),
        "deck_sum",
        ANY,
        ANY,
        "1",
    ),
    "equal points, other kinds": (  # two ribbons for an animal: 264 all the same
        round_of(BAK, counts=["1/3/5/12", "2/3/4/7", "2/2/3/5"]),
        "deck_sum",
    ),
    "two forms, 8 too many": (
        with_seat(round_of(BAK, captured=[WHOLE[0], WHOLE[1], None]), 2, points=82),
        "deck_sum",
        ANY,
        ANY,
        "8",
    ),
    "kaga with more than forty cards": (
        round_of(KAGA, captured=[WHOLE[0] + " 8B 8A 12B 12C1 1C1 1C2 2R 2C2", WHOLE[2]]),
        "deck_sum",
    ),
}

HANDS = {
    "six cards": (
        round_of(YOK, points=PLAIN, hand={1: "1B 1R 1C1 2A 3R 4A"}),
        "bad_hand",
        1,
        "hand",
    ),
    "eight cards": (round_of(HH, points=PLAIN, hand={1: HAND8}), "bad_hand", 1, "hand"),
    "seven cards in kaga": (round_of(KAGA, points=[30, 20], hand={1: HAND}), "bad_hand", 1, "hand"),
    "a card dealt to two": (
        round_of(YOK, points=PLAIN, hand={0: HAND, 2: "1B 6A 6R 7A 8A 9A 10A"}),
        "bad_hand",
        ANY,
        "hand",
        "1B",
    ),
    "a card in the field and in a hand": (
        round_of(HH, points=PLAIN, field="1B 8C1", hand={0: HAND}),
        "bad_hand",
        ANY,
        ANY,
        "1B",
    ),
}

YAKU = {
    "two sets": (
        round_of(YOK, points=PLAIN, teyaku={1: "sanbon kuttsuki"}),
        "teyaku_conflict",
        1,
        "teyaku",
    ),
    "two of chaff": (
        round_of(YOK, points=PLAIN, teyaku={1: "karasu aka"}),
        "teyaku_conflict",
        1,
        "teyaku",
    ),
    "two sets, hachi-hachi": (
        round_of(HH, points=PLAIN, teyaku={1: "shiso teshi"}),
        "teyaku_conflict",
        1,
        "teyaku",
    ),
    "two sets, both in the hand": (
        round_of(HH, points=PLAIN, teyaku={1: "shiso teshi"}, hand={1: "1B 1R 1C1 1C2 2A 2R 2C1"}),
        "teyaku_conflict",
        1,
        "teyaku",
    ),
    "two of chaff, one per group": (
        round_of(HH, points=PLAIN, teyaku={1: "tan karasu"}, rules={"teyaku": "one_per_group"}),
        "teyaku_conflict",
        1,
        "teyaku",
    ),
    "a teyaku of another game": (
        round_of(YOK, points=PLAIN, teyaku={1: "shiso"}),
        "unknown_yaku",
        1,
        "teyaku",
        "shiso",
    ),
    "kaga has no sanbon": (
        round_of(KAGA, points=[30, 20], teyaku={1: "sanbon"}),
        "unknown_yaku",
        1,
        "teyaku",
        "sanbon",
    ),
    "a teyaku of no game": (
        round_of(HH, points=PLAIN, teyaku={1: "royal"}),
        "unknown_yaku",
        1,
        "teyaku",
        "royal",
    ),
    "yokohama has no seven ribbons": (
        stopped(YOK, dekiyaku={0: "nanatan"}),
        "unknown_yaku",
        0,
        "dekiyaku",
        "nanatan",
    ),
    "yokohama has no goko": (
        stopped(YOK, dekiyaku={0: "goko"}),
        "unknown_yaku",
        0,
        "dekiyaku",
        "goko",
    ),
    "hachi-hachi has no whole month": (
        stopped(HH, dekiyaku={0: "shima"}),
        "unknown_yaku",
        0,
        "dekiyaku",
        "shima",
    ),
    "a teyaku among the dekiyaku": (
        stopped(HH, dekiyaku={0: "teshi"}),
        "unknown_yaku",
        0,
        "dekiyaku",
        "teyaku, not dekiyaku",
    ),
    "a special yaku of no game": (
        round_of(YOK, points=PLAIN, special={1: "royal"}),
        "unknown_yaku",
        1,
        "special",
        "royal",
    ),
    "a teyaku that is not in the hand": (
        round_of(YOK, points=PLAIN, teyaku={1: "kuttsuki"}, hand={1: HAND}),
        "yaku_not_formed",
        1,
        "teyaku",
    ),
    "stronger than the hand": (
        round_of(HH, points=PLAIN, teyaku={1: "futasanbon"}, hand={1: HAND}),
        "yaku_not_formed",
        1,
        "teyaku",
    ),
    "two fours of a hand with one": (
        round_of(
            KAGA, points=[30, 20], teyaku={1: "teshi teshi"}, hand={1: "1B 1R 1C1 1C2 2A 2R 3B 3R"}
        ),
        "yaku_not_formed",
        1,
        "teyaku",
    ),
    "a dekiyaku that is not in the pile": (
        stopped(HH, captured={0: POETRY}, dekiyaku={0: "aotan"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "one more than the pile holds": (
        stopped(HH, captured={0: POETRY}, dekiyaku={0: "akatan aotan"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "one less than the pile holds": (
        stopped(HH, captured={0: f"{POETRY} {BLUE}"}, dekiyaku={0: "akatan"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "kaga: a whole month too many": (
        round_of(KAGA, captured=["1B 1R 1C1 1C2", "2A 2R"], dekiyaku={0: "shima shima"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "kaga: three whole months with two chaff": (
        round_of(
            KAGA,
            named={0: "1B 1R 2A 2R 4A 4R + 2"},
            captured={1: "12B 12C1 12C2 12C3"},
            dekiyaku={0: "shima shima shima"},
        ),
        "yaku_not_formed",
        0,
        "dekiyaku",
        "at most 1",
    ),
    "kaga: more whole months than another leaves": (
        round_of(
            KAGA,
            captured={
                0: "1B 1R 2A 2R 3B 3R 4A 4R 5A 5R 6A 6R 7A 7R 8B 8A 9A 9R 10A 10R"  # 11, 12
            },
            points={1: 0},
            dekiyaku={1: ["shima"] * 4},
        ),
        "yaku_not_formed",
        1,
        "dekiyaku",
        "at most 2",
    ),
    "kaga: more whole months than the yaku of another leave": (  # 4, 5, 7, 11
        round_of(
            KAGA,
            points=[30, 30],
            dekiyaku={0: "shiko akatan aotan", 1: ["shima"] * 5},
        ),
        "yaku_not_formed",
        1,
        "dekiyaku",
        "at most 4",
    ),
    "kaga: all months, and ribbons of another": (
        round_of(
            KAGA,
            points=[35, 35],
            dekiyaku={0: ["shima"] * 12, 1: "akatan"},
            rules={"two_player_end": "drain"},
        ),
        "yaku_not_formed",
        0,
        "dekiyaku",
        "at most 9",
    ),
    "kaga: all months but two, of which each has a part": (  # 1 and 3
        round_of(
            KAGA,
            points=[35, 35],
            dekiyaku={0: "shiko shima shima shima shima shima shima", 1: "akatan" + 5 * " shima"},
            rules={"two_player_end": "drain"},
        ),
        "yaku_not_formed",
        1,
        "dekiyaku",
        "at most 4",
    ),
    "kaga: eleven whole months where eight cards are left": (
        round_of(KAGA, points=[35, 35], dekiyaku={0: ["shima"] * 11}),
        "yaku_not_formed",
        0,
        "dekiyaku",
        "at most 10",
    ),
    "kaga: six whole months and five where eight cards are left": (
        round_of(KAGA, points=[35, 35], dekiyaku={0: ["shima"] * 6, 1: ["shima"] * 5}),
        "yaku_not_formed",
        1,
        "dekiyaku",
        "at most 4",
    ),
    "two ribbons are no poetry ribbons": (
        stopped(HH, counts={0: "0/0/2/2"}, dekiyaku={0: "akatan"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "five ribbons are not both": (
        stopped(HH, counts={0: "0/0/5/5"}, dekiyaku={0: "akatan aotan"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "three brights are not four": (
        stopped(YOK, counts={0: "3/0/0/3"}, dekiyaku={0: "shiko"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "four brights are not five": (
        stopped(HH, counts={0: "4/0/0/4"}, dekiyaku={0: "goko"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "six ribbons are not seven": (
        stopped(HH, counts={0: "0/0/6/6"}, dekiyaku={0: "nanatan"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
    ),
    "ten chaff and four willows are not fourteen: three at most": (
        round_of(YOK, counts=["2/4/4/10", "1/3/3/8", "2/2/3/6"], special={0: "sujushi"}),
        "yaku_not_formed",
        0,
        "special",
    ),
    "fourteen chaff that are not in the pile": (
        round_of(YOK, captured=WHOLE, special={0: "sujushi"}),
        "yaku_not_formed",
        0,
        "special",
    ),
    "dandruff that is not in the pile": (
        round_of(YOK, captured=WHOLE, special={1: "fuke"}),
        "yaku_not_formed",
        1,
        "special",
    ),
    "played on without a dekiyaku": (
        with_seat(round_of(HH, captured=WHOLE), 1, continued=True),
        "yaku_not_formed",
        1,
        "continued",
    ),
    "played on without a dekiyaku, then somebody stopped": (
        with_seat(stopped(HH, captured={0: POETRY, 1: "4A 4R"}), 1, continued=True),
        "yaku_not_formed",
        1,
        "continued",
    ),
    "a dekiyaku in a counted round": (
        round_of(
            YOK,
            captured=[
                WHOLE[0].replace("1B 1R ", "1B 1R 2R 3R "),
                WHOLE[1].replace("2R ", "").replace("3R ", ""),
                WHOLE[2],
            ],
        ),
        "dekiyaku_formed",
        0,
    ),
    "another's dekiyaku in a stopped round": (
        stopped(YOK, captured={0: POETRY, 1: BLUE}),
        "dekiyaku_formed",
        1,
    ),
    "bakappana cannot be stopped": (stopped(BAK, points=PLAIN), "stopped_without_yaku"),
    "kaga cannot be stopped": (
        stopped(KAGA, points=[30, 20], dekiyaku={0: "shiko"}),
        "stopped_without_yaku",
    ),
    "four brights, of which another counted four": (
        stopped(HH, dekiyaku={0: "shiko"}, counts={1: "4/0/0/0"}),
        "yaku_not_formed",
        0,
        "dekiyaku",
        "bright",
    ),
    "three ribbons, of which another counted eight": (
        stopped(HH, dekiyaku={0: "akatan"}, counts={1: "0/0/8/0"}),
        "yaku_not_formed",
        0,
    ),
    "seven ribbons of one and six of another": (
        round_of("hana-awase", points=PLAIN, dekiyaku={0: "nanatan", 1: "rokutan"}),
        "yaku_not_formed",
        1,
    ),
    "six ribbons besides that of the willow, of six": (
        round_of(
            "hana-awase",
            counts=["2/2/6/3", "1/3/2/11", "2/4/2/10"],
            dekiyaku={0: "rokutan ameshima"},
        ),
        "yaku_not_formed",
        0,
    ),
    "five brights, and a yaku that the rain man spoils": (
        round_of(
            "hana-awase",
            points=PLAIN,
            dekiyaku={0: "goko nomi"},
            rules={"rain_cancels_viewings": True},
        ),
        "yaku_not_formed",
        0,
    ),
    "more points than the deck in a stopped round": (
        stopped(HH, points={0: 264, 1: 264}, dekiyaku={0: "akatan"}),
        "deck_sum",
    ),
    "more points than the deck, and a pile is missing": (
        round_of(HH, points={0: 264, 1: 1}, dekiyaku={0: "akatan"}),
        "deck_sum",
    ),
    "all points of the deck with eight cards left": (
        round_of(
            BAK,
            points=[257, 0],
            rules={"settlement": "additive", "two_player_end": "hands_empty"},
        ),
        "deck_sum",
        None,
        None,
        "256",
    ),
    "stopped without a claim": (stopped(YOK), "stopped_without_yaku"),
    "stopped without a dekiyaku in the pile": (
        stopped(HH, captured={0: "4A 4R"}),
        "stopped_without_yaku",
    ),
    "stopped by one, claimed by another": (
        round_of(HH, end="stopped", stopped_by=1, dekiyaku={0: "akatan"}, continued=[0]),
        "stopped_without_yaku",
    ),
}

NEEDS = {
    "sixteen chaff from points": (
        round_of(HH, points=PLAIN, rules={"kasu16": "on"}),
        "needs_counts",
    ),
    "sixteen chaff with willow from counts": (
        round_of(
            HH,
            counts=["1/3/3/14", "2/3/4/5", "2/3/3/5"],
            rules={"kasu16": "on", "kasu16_willow": True},
        ),
        "needs_cards",
    ),
    "ribbons beyond seven from points": (
        stopped(HH, points={0: 120}, dekiyaku={0: "nanatan"}, rules={"nanatan_extra": 10}),
        "needs_counts",
        0,
    ),
    "ribbons beyond seven from nothing": (
        stopped(HH, dekiyaku={0: "nanatan"}, rules={"nanatan_extra": 10}),
        "needs_counts",
        0,
    ),
    "kaga from counts": (
        round_of(KAGA, counts=["2/3/3/10", "2/3/3/10"]),
        "needs_cards",
        ANY,
        "counts",
    ),
    "kaga from named cards and five chaff": (
        round_of(KAGA, named=["1B 1R 11B + 5", "2A 2R + 4"]),
        "needs_cards",
    ),
}

TIED: dict = {"points": [100, 100, 64], "rules": {"tie": "ask"}}
DECISIONS = {
    "a seat that is not tied": (round_of(YOK, decision=2, **TIED), "bad_decision", ANY, "decision"),
    "a word": (round_of(YOK, decision="both", **TIED), "bad_decision", ANY, "decision"),
    "a list": (round_of(YOK, decision=[0, 1], **TIED), "bad_decision", ANY, "decision"),
    "makatsu, not tied": (
        round_of(
            BAK, points=[100, 100, 64], decision=2, rules={"tie": "ask", "settlement": "makatsu"}
        ),
        "bad_decision",
        ANY,
        "decision",
    ),
}

TABLES = (NOT_A_ROUND, RULES, SEATS, CARDS, FIGURES, REST, SUMS, HANDS, YAKU, NEEDS, DECISIONS)
ROWS = [
    pytest.param(*(*row, *[ANY] * 3)[:5], id=f"{row[1]}: {name}")
    for table in TABLES
    for name, row in table.items()
]


@pytest.mark.parametrize(("document", "code", "seat", "field", "names"), ROWS)
def test_refused(document, code, seat, field, names):
    error = refused(document)
    assert error.code == code
    if seat is not ANY:
        assert error.seat == seat
    if field is not ANY:
        assert error.field == field
    if names is not ANY:
        assert names in error.message


@pytest.mark.parametrize(("document", "code", "seat", "field", "names"), ROWS)
def test_a_refusal_is_a_sentence(document, code, seat, field, names):
    message = refused(document).message
    assert len(message.split()) > 2
    assert message == message.strip()
    assert not any(word in message for word in ("Traceback", "Error", "<class", "{", "%("))


def test_the_whole_contract_is_covered():
    contract = {
        "not_a_round",
        "unknown_game",
        "unknown_rule",
        "rule_conflict",
        "wrong_seats",
        "bad_seat",
        "bad_card",
        "card_twice",
        "bad_counts",
        "bad_points",
        "mixed_rest",
        "deck_sum",
        "bad_hand",
        "teyaku_conflict",
        "unknown_yaku",
        "yaku_not_formed",
        "dekiyaku_formed",
        "stopped_without_yaku",
        "needs_counts",
        "needs_cards",
        "bad_decision",
    }
    tried = {row[1] for table in TABLES for row in table.values()}
    assert tried == contract


# --- anything at all: only ever a refusal ------------------------------------------------------

VALID = [
    round_of(BAK, points=[100, 84, "rest"]),
    round_of(BAK, counts=COUNTS, rules={"chaff": 0, "settlement": "sanju-sen-me"}),
    round_of(BAK, captured=WHOLE, dealer=2, rules={"settlement": "makatsu", "tie": "ask"}),
    round_of(YOK, points=PLAIN, hand={0: HAND}, teyaku={0: "sanbon", 1: "karasu"}),
    round_of(YOK, captured=[WHOLE[0], "rest", WHOLE[2]], rules={"chaff_needed": 16}),
    round_of(YOK, points=[100, 100, 64], decision=1, rules={"tie": "ask", "stakes": "2-4-6"}),
    stopped(YOK, dekiyaku={0: "akatan aotan"}, teyaku={1: "aka"}),
    round_of(HH, counts=COUNTS, field="8B 12B", rules={"kasu16": "on", "all88": "bonus"}),
    round_of(HH, points=PLAIN, field="1B", carried=[2, 4], rules={"multi_bright": "carry_over"}),
    stopped(
        HH,
        captured={0: POETRY, 1: BLUE},
        multiplier=2,
        rules={"payment": "zero_sum", "sage_penalty": "double"},
    ),
    round_of(
        HH,
        dekiyaku={1: "nanatan"},
        counts={1: "0/0/8/8"},
        continued=[1],
        rules={"nanatan_extra": 10},
    ),
    round_of(HH, named=["1B 2A 2R + 9", "3B 8B 8A + 6", "rest"]),
    round_of(KAGA, captured=["1B 1R 1C1 1C2 11A 11C", "12B 12C1"], hand={0: HAND8}),
    round_of(KAGA, points=[30, 20], teyaku={0: "teshi"}, dekiyaku={1: "shima shima"}),
    round_of(HH, end="void"),
]

GARBAGE = [
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    10**30,
    -(10**30),
    0.5,
    math.nan,
    math.inf,
    -math.inf,
    "",
    " ",
    "rest",
    "1B",
    "1B 1B",
    "０",
    "٣",
    "²",
    "1e3",
    "-5",
    "−5",
    "\x00",
    "\ud800",
    "鶴",
    "A" * 100_000,
    "9" * 5000,
    "1B " * 5000,
    [],
    [[]],
    [None],
    ["1B", 3],
    [[["1B"]]],
    {},
    {"": {}},
    {"bright": 1},
    {"captured": "1B"},
    {1: 2},
    {None: None},
    (),
    (1,),
    b"1B",
    object(),
    [0] * 1000,
    {"bright": math.nan, "animal": 0, "ribbon": 0, "chaff": 0},
    lambda: 0,
    {1, 2},
    1j,
    ["sanbon"] * 50,
    ["teshi", None],
    "sanbon",
    "nobody",
    "each",
    "stopped",
    "void",
    "counted",
]
FIELDS = (
    "game",
    "rules",
    "dealer",
    "end",
    "stopped_by",
    "seats",
    "field",
    "multiplier",
    "carried",
    "decision",
    "captured",
    "counts",
    "named",
    "chaff",
    "points",
    "hand",
    "teyaku",
    "dekiyaku",
    "special",
    "continued",
    "name",
    "tie",
    "settlement",
    "chaff_needed",
    "bright",
    "colour",
)


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from places(entry, (*path, index))


def spoil(random_, document):
    """The document with one to three things in it replaced, removed, doubled or added."""
    spoiled = copy.deepcopy(document)
    for _ in range(random_.randint(1, 3)):
        path = random_.choice(list(places(spoiled)))
        garbage = copy.deepcopy(random_.choice(GARBAGE))
        if not path:
            if random_.random() < 0.1:
                return garbage
            spoiled[random_.choice(FIELDS)] = garbage
            continue
        holder = spoiled
        for step in path[:-1]:
            holder = holder[step]
        held = holder[path[-1]]
        act = random_.choice(("replace", "replace", "remove", "double", "add"))
        if act == "remove":
            del holder[path[-1]]
        elif act == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(held))
        elif act == "add" and isinstance(held, dict):
            held[random_.choice(FIELDS)] = garbage
        else:
            holder[path[-1]] = garbage
        if not isinstance(spoiled, dict):
            return spoiled
    return spoiled


IN_DECK = {"bright": 5, "animal": 9, "ribbon": 10, "chaff": 24}


@pytest.mark.parametrize("kind", IN_DECK)
def test_counts_end_where_the_deck_does(kind):
    most = dict.fromkeys(IN_DECK, 0) | {kind: IN_DECK[kind]}
    rest = {other: IN_DECK[other] - most[other] for other in IN_DECK}
    none = dict.fromkeys(IN_DECK, 0)
    document = bare(seats=[{"counts": most}, {"counts": rest}, {"counts": none}])
    assert settle(document)["game"] == BAK
    most[kind] += 1
    assert refused(document).code == "bad_counts"


@pytest.mark.parametrize(("ribbons", "code"), [("4R 5R", None), ("4R 5R 7R", "card_twice")])
def test_seven_ribbons_need_seven_that_nobody_else_has(ribbons, code):
    # of the nine without the willow ribbon, another may have two
    document = round_of(
        HH, dekiyaku={0: "nanatan"}, named={1: f"{ribbons} + 0"}, end="stopped", stopped_by=0
    )
    if code is None:
        assert settle(document)["amounts"] == [100, 0, 0]
    else:
        assert refused(document).code == code


def test_as_many_points_as_forty_cards_can_have():
    rules = {"settlement": "additive", "two_player_end": "hands_empty"}
    assert settle(round_of(BAK, points=[256, 0], rules=rules))["amounts"] == [256, 0]


@pytest.mark.parametrize("long", [-(10**5000), 10**5000], ids=["low", "high"])
@pytest.mark.parametrize("where", ["bright", "points", "dealer", "rule"])
def test_no_number_is_too_long_for_a_sentence(where, long):
    document = {
        "bright": counted(bright=long),
        "points": bare(seats=[{"points": long}, {"points": 1}, {"points": 1}]),
        "dealer": bare(dealer=long),
        "rule": bare(rules={"chaff": long}),
    }[where]
    assert len(refused(document).message) < 200


def test_an_unknown_special_yaku():
    assert refused(round_of(HH, points=PLAIN, special={0: "over169"})).code == "unknown_yaku"


def test_a_hand_that_overlaps_is_told_from_one_that_lies_in_the_field():
    other = "1B 6A 6R 7A 8A 9A 10A"
    twice = refused(round_of(HH, points=PLAIN, hand={0: HAND, 2: other})).message
    assert all(name in twice for name in ("Aki", "Chie", "1B"))
    shown = refused(round_of(HH, points=PLAIN, hand={0: HAND}, field="1B 8C1")).message
    assert all(name in shown for name in ("Aki", "1B"))
    assert "Chie" not in shown


def test_missing_cards_are_counted():
    assert "46" in refused(round_of(BAK, captured=less("9A", "11C"))).message


def test_a_refusal_as_a_document():
    error = refused(counted(chaff=...)).as_dict()["error"]
    assert (error["code"], error["seat"], error["field"]) == ("bad_counts", 1, "counts")
    first = refused(round_of(BAK, points=["x", 84, 80])).as_dict()["error"]
    assert (first["code"], first["seat"], first["field"]) == ("bad_points", 0, "points")
    whole = refused({**bare(), "game": "poker"}).as_dict()["error"]
    assert set(whole) == {"code", "message", "field"}


@pytest.mark.parametrize("document", VALID, ids=range(len(VALID)))
def test_the_rounds_to_spoil_are_sound(document):
    assert settle(document)["game"] == document["game"]


@pytest.mark.parametrize("document", VALID, ids=range(len(VALID)))
def test_a_spoilt_round_is_answered_or_refused(document):
    codes = {}
    for seed in range(250):
        spoiled = spoil(random.Random(seed), document)
        try:
            settle(spoiled)
        except RuleError as error:
            codes[error.code] = error.message
        except Exception as error:
            pytest.fail(f"seed {seed}: {type(error).__name__}: {error}\n{str(spoiled)[:2000]}")
    assert len(codes) > 1
    assert all(codes.values())


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_a_document_that_is_no_round(garbage):
    assert refused(garbage).code == "not_a_round"
