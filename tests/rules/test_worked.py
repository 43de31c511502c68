"""The worked rounds of every game, settled: what was worked out by hand is what comes out.

And there are enough of them. A card that is worth something else than in the rules, a yaku with a
wrong card, a house rule that changes nothing: the program believes them all, and so do the rule
sheet and every law. Only a round that was worked out by hand does not. So each has to stand in one,
and what is missing is said in the words of the file.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.cards import CHAFF, DECK, NOTHING, WHOLE_DECK, Card, Cards
from scorekeeper.rules.game import Choice, Game, HouseRule
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sheet import sheet
from scorekeeper.rules.yaku import CLASSES, TEYAKU, Yaku

from ..worked.reader import FILES, Worked, mistakes, read

WORKED = {game: read(path) for game, path in FILES.items()}
ROUNDS = {f"{game}: {worked.title}": worked for game in WORKED for worked in WORKED[game]}
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.mark.parametrize("worked", ROUNDS.values(), ids=ROUNDS)
def test_worked_round(worked: Worked):
    wrong = [*misplaced(worked), *mistakes(worked, settle)]
    assert not wrong, "\n".join(wrong)


def misplaced(worked: Worked) -> Iterator[str]:
    """Yaku that are claimed as of a class which they are not of, where nothing is refused."""
    game = GAMES[worked.document["game"]]
    if "refused" in worked.expected:
        return
    table = game.table(worked.document.get("rules", {}))
    for seat, kind in product(worked.document["seats"], CLASSES):
        for key in seat.get(kind, []):
            for other in CLASSES:
                if other != kind and key in table.by_claim[other]:
                    yield f"{worked.place}: {worked.title}: {seat['name']}: {key} is {other}"


def test_every_game_has_its_file():
    assert set(FILES) == set(GAMES), "a game is one file, and tests/worked/ has one of its name"


@EVERY_GAME
def test_refusals_and_dealers_are_worked(game: Game):
    lines = {line for worked in WORKED[game.key] for line in worked.expected}
    lacking = [
        f"{line}: ..." for line in ("amounts", "refused", "next dealer") if line not in lines
    ]
    assert not lacking, listed(game, "no round says", lacking)


# --- Enough of them: every choice of a house rule -------------------------------------------------

SPOKEN = {"deals", "goes", "voids", "pays"}
"""The fields of a game that change what the rule sheet says, and no amounts."""


@EVERY_GAME
def test_every_choice_of_every_house_rule_is_worked(game: Game):
    lacking = [
        f"rules: {rule.key} = {str(choice.value).lower()}"
        for rule in game.house_rules
        for choice in rule.choices[1:]
        if not (is_worked(game, rule, choice) or is_only_said(game, rule, choice))
    ]
    assert not lacking, listed(game, "without these every round would come out the same", lacking)


def listed(game: Game, what: str, lacking: Iterable[str]) -> str:
    return "\n  ".join([f"{FILES[game.key].name}: {what}:", *lacking])


def is_worked(game: Game, rule: HouseRule, choice: Choice) -> bool:
    """Whether a round with this choice, as it was worked out by hand, is none without it."""
    for worked in WORKED[game.key]:
        rules = dict(worked.document.get("rules", {}))
        if choice.is_(rules.pop(rule.key, None)) and "refused" not in worked.expected:
            usual = replace(worked, document={**worked.document, "rules": rules})
            if refusal(usual.document) != "rule_conflict" and mistakes(usual, settle):
                return True
    return False


def refusal(document: dict[str, Any]) -> str | None:
    try:
        settle(document)
    except RuleError as error:
        return error.code
    return None


def is_only_said(game: Game, rule: HouseRule, choice: Choice) -> bool:
    """Whether a choice can make no round different, and the rule sheet tells of it."""
    if rule.key == "dealer_tie" and game.seats == (2,):
        return True  # of two who tie, one is the dealer, whatever the table says
    pays = choice.changes or choice.adds or choice.best_alone or choice.fields.keys() - SPOKEN
    if pays or rule.key in asked_for(game):
        return False
    return paragraphs(game, {}) != paragraphs(game, {rule.key: choice.value})


def paragraphs(game: Game, rules: dict[str, Any]) -> dict[str, Any]:
    """What a rule sheet says, but for the house rules themselves."""
    said = {one.key: (one.sentences, one.rows) for one in sheet(game, rules).sections}
    return {key: said[key] for key in said if key not in ("differences", "house_rules")}


@cache
def asked_for(game: Game) -> set[str]:
    """The house rules that the settlements of a game ask for by name."""
    source = inspect.getsource(inspect.getmodule(game.decide))
    return {*re.findall(r"""\brules\[["'](\w+)["']\]""", source)}


@EVERY_GAME
def test_no_settlement_asks_for_a_house_rule_that_the_game_has_not(game: Game):
    assert asked_for(game) <= {*game.defaults}


# --- Every yaku, in cards -------------------------------------------------------------------------


@EVERY_GAME
def test_every_yaku_is_worked_in_cards(game: Game):
    added = [one for rule in game.house_rules for choice in rule.choices for one in choice.adds]
    lacking = dict.fromkeys(
        f"{one.key}, from hand ..." if one.kind == TEYAKU else f"{one.key}, from captured ..."
        for one in (*game.yaku, *added)
        if not any(needs_its_cards(worked, one) for worked in WORKED[game.key])
    )
    what = "no round pays these from cards, or it would with another card as well"
    assert not lacking, listed(game, what, lacking)


def needs_its_cards(worked: Worked, one: Yaku) -> bool:
    """Whether somebody is paid the yaku, and would not be, or not so often, with another card.

    Where it is made of certain cards, with another one in the place of any of them.
    """
    for seat, times in paid(worked.document, one).items():
        for form in ("hand",) if one.kind == TEYAKU else ("captured", "named"):
            told = worked.document["seats"][seat].get(form, "rest")
            if told != "rest":
                broken = [
                    any(
                        paid(other, one).get(seat, 0) < times
                        for other in exchanged(worked.document, seat, form, card, one.cards)
                    )
                    for card in Cards.parse(told)
                    if card in one.cards or not one.cards
                ]
                if all(broken) if one.cards else any(broken):
                    return True
    return False


def paid(document: dict[str, Any], one: Yaku) -> dict[int, int]:
    """The seats that are paid a yaku, and how often; none where the round is refused."""
    try:
        seats = settle(document)["seats"]
    except RuleError:
        return {}
    return {
        at: yaku.get("times", 1)
        for at, seat in enumerate(seats)
        for yaku in seat[one.kind]
        if yaku["key"] == one.key and yaku["value"] and yaku.get("counted", True)
    }


def exchanged(
    document: dict[str, Any], seat: int, form: str, card: Card, but: Cards
) -> Iterator[dict[str, Any]]:
    """The round with this card of a player exchanged for another one, those alike first."""
    mine = Cards.parse(document["seats"][seat][form])
    others = WHOLE_DECK - mine - but - (CHAFF if form == "named" else NOTHING)
    for other in sorted(others, key=lambda other: other.kind is not card.kind):
        seats = []
        for entry in document["seats"]:
            told = entry.get(form, "rest")
            if told != "rest":
                words = [swapped(one, card, other) for one in Cards.parse(told)]
                entry = {**entry, form: " ".join(words)}
            seats.append(entry)
        yield {**document, "seats": seats}


def swapped(one: Card, card: Card, other: Card) -> str:
    return {card: other, other: card}.get(one, one).text


# --- Every card -----------------------------------------------------------------------------------


@EVERY_GAME
def test_every_card_is_worked(game: Game):
    counted = Cards()
    for worked in WORKED[game.key]:
        piles = captured(worked) if "card points" in worked.expected else []
        rules = worked.document.get("rules", {})
        for pile, points in zip(piles, worked.expected.get("card points", []), strict=False):
            on_the_sheet = sum(printed(game, rules, card) for card in pile)
            assert on_the_sheet == points, f"{worked.place}: {worked.title}: {pile}, by rule sheet"
            counted |= pile
    lacking = Cards.of(card for card in DECK if card not in counted)
    what = "no round says captured ... and card points: ... of these cards"
    assert not lacking, listed(game, what, [str(lacking)])


def captured(worked: Worked) -> list[Cards]:
    """The piles of a round where all of them are told in cards, or are the rest."""
    told = [seat.get("captured", "") for seat in worked.document["seats"]]
    if "" in told:
        return []
    piles = {at: Cards.parse(text) for at, text in enumerate(told) if text != "rest"}
    rest = WHOLE_DECK - Cards(sum(pile.mask for pile in piles.values()))
    return [piles.get(at, rest) for at in range(len(told))]


def printed(game: Game, rules: dict[str, Any], card: Card) -> int:
    """What the rule sheet says that a card is worth."""
    rows: Any = sheet(game, rules).section("values").rows
    return sum(worth for what, worth in rows if card.kind is what or card in cards_of(what))


def cards_of(cell: object) -> Cards:
    return cell if isinstance(cell, Cards) else NOTHING
