"""Rules: what a settlement takes, in times of reading and writing its JSON.

One time is `json.loads` of the document plus `json.dumps` of the answer without its working. The
rounds are random deals of three players, the same in every run, as the books keep them: with all
house rules of the table and the piles as cards, each of two or four of a month; the teyaku claimed,
or found in the dealt hands, which are cards, too. Each round is timed by itself, and its fastest
turn counts; as `timeit` does it, no garbage is looked for meanwhile.
"""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

from bench import Figure
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.cards import DECK
from scorekeeper.rules.document import read
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.result import settle as amounts_of

ROUNDS = 30  # of each game
TURNS = 200  # for each of them

# The fields that are dealt; the last of the players takes the rest of the deck.
FIELDS = {"hachi-hachi": 6, "yokohama-bana": 0}
SEED = 88


def figures() -> Iterator[Figure]:
    """Times, game by game."""
    for game, field in FIELDS.items():
        dealt = list(deals(game, field))
        yield from times(game, [claimed(document) for document in dealt], (8, 2))
        yield from times(f"{game}, dealt hands too", dealt, (None, None))


def times(
    name: str, documents: Sequence[dict[str, Any]], goals: tuple[int | None, int | None]
) -> Iterator[Figure]:
    """What the settlement of these documents takes, and what it should take at most."""
    gc.collect()
    gc.disable()
    try:
        each = [turns(document) for document in documents]
    finally:
        gc.enable()
    once, whole, core = (sum(took) / len(documents) * 1e6 for took in zip(*each, strict=True))
    yield Figure(f"{name}: one time", once, "µs")
    yield Figure(f"{name}: document to answer, working included", whole / once, "times", goals[0])
    yield Figure(f"{name}: parsed entry to amounts", core / once, "times", goals[1])


def turns(document: dict[str, Any]) -> tuple[float, float, float]:
    """Seconds for the JSON of a round, for its settlement, and for its amounts, at best."""
    text = json.dumps(document)
    answer = without_working(settle(document))
    entries = [read(document) for _ in range(TURNS)]  # as many, for settling may add to a pile
    return (
        fastest(json.loads, [text] * TURNS) + fastest(json.dumps, [answer] * TURNS),
        fastest(lambda text: settle(json.loads(text)), [text] * TURNS),
        fastest(lambda entry: amounts_of(entry).amounts, entries),
    )


def deals(game: str, field: int) -> Iterator[dict[str, Any]]:
    """Rounds that the rules take: all cards in three piles, seven of each hand."""
    lots = random.Random(SEED)
    made = 0
    while made < ROUNDS:
        piles: list[list[str]] = [[], [], []]
        for month in range(0, len(DECK), 4):
            four = lots.sample(DECK[month : month + 4], 4)
            for two in (four[:2], four[2:]):
                lots.choice(piles).extend(card.text for card in two)
        dealt = [card.text for card in lots.sample(DECK, 21 + field)]
        document: dict[str, Any] = {
            "game": game,
            "rules": GAMES[game].defaults,
            "dealer": lots.randrange(3),
            "seats": [
                {
                    "name": name,
                    "captured": " ".join(pile),
                    "hand": " ".join(dealt[7 * at : 7 * at + 7]),
                }
                for at, (name, pile) in enumerate(zip(("Aki", "Ben", "Chie"), piles, strict=True))
            ],
        }
        if field:
            document["field"] = " ".join(dealt[21:])
        try:
            settle(document)
        except RuleError:  # a dekiyaku that would have ended it
            continue
        made += 1
        yield document


def claimed(document: dict[str, Any]) -> dict[str, Any]:
    """The same round, its teyaku claimed instead of found in the hands."""
    shown = [
        [yaku["key"] for yaku in seat["teyaku"] if yaku.get("counted", True)]
        for seat in settle(document)["seats"]
    ]
    seats = [
        {"name": seat["name"], "captured": seat["captured"], "teyaku": teyaku}
        for seat, teyaku in zip(document["seats"], shown, strict=True)
    ]
    return {**document, "seats": seats}


def without_working(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "working"}


def fastest(work: Callable[[Any], object], things: Sequence[Any]) -> float:
    """Seconds that it takes to do it to one of these, of which each is as good as the other."""
    best = float("inf")
    for thing in things:
        start = perf_counter()
        work(thing)
        best = min(best, perf_counter() - start)
    return best
