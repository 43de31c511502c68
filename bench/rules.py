"""Rules: what a settlement takes, in times of reading and writing its JSON.

One time is `json.loads` of the document plus `json.dumps` of the answer without its working. The
rounds are random deals of three players, given as cards and hands, the same in every run; each has
captured two or four of a month. All is measured in turns, and the fastest turn counts.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

from bench import Figure
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.cards import DECK
from scorekeeper.rules.document import read
from scorekeeper.rules.result import settle as amounts_of

ROUNDS = 50  # of each game: few, so that some turn is not interrupted
TURNS = 100  # through all of them

# The fields that are dealt; the last of the players takes the rest of the deck.
FIELDS = {"hachi-hachi": 6, "yokohama-bana": 0}
SEED = 88


def figures() -> Iterator[Figure]:
    """Times, game by game."""
    for game, field in FIELDS.items():
        documents = list(deals(game, field))
        texts = [json.dumps(document) for document in documents]
        answers = [without_working(settle(document)) for document in documents]
        turns = [turn(texts, answers) for _ in range(TURNS)]
        once, whole, core = (min(took) / ROUNDS * 1e6 for took in zip(*turns, strict=True))
        yield Figure(f"{game}, one time", once, "µs")
        yield Figure(f"{game}, document to answer, working included", whole / once, "times", 8)
        yield Figure(f"{game}, parsed entry to amounts", core / once, "times", 2)


def turn(texts: Sequence[str], answers: Sequence[Any]) -> tuple[float, float, float]:
    """Seconds for the JSON of all rounds, for all their settlements, and for their amounts."""
    entries = [read(json.loads(text)) for text in texts]  # anew: settling may add to a pile
    return (
        seconds(json.loads, texts) + seconds(json.dumps, answers),
        seconds(lambda text: settle(json.loads(text)), texts),
        seconds(lambda entry: amounts_of(entry).amounts, entries),
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


def without_working(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "working"}


def seconds(work: Callable[[Any], object], things: Sequence[Any]) -> float:
    """What it takes to do it to all of them."""
    start = perf_counter()
    for thing in things:
        work(thing)
    return perf_counter() - start
