"""Rules: what a settlement takes, in times of reading and writing its JSON.

One time is `json.loads` of the document plus `json.dumps` of the answer without its working. The
rounds are random deals of three players, given as cards and hands, the same in every run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from time import perf_counter
from typing import Any

from bench import Figure
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.cards import DECK
from scorekeeper.rules.document import read
from scorekeeper.rules.result import settle as amounts_of

ROUNDS = 200  # of each game
TURNS = 15  # through all of them, of which the middle one counts

# The fields that are dealt; the last of the players takes the rest of the deck.
FIELDS = {"hachi-hachi": 6, "yokohama-bana": 0}
SEED = 88


def figures() -> Iterator[Figure]:
    """Times, game by game."""
    for game, field in FIELDS.items():
        documents = list(deals(game, field))
        texts = [json.dumps(document) for document in documents]
        parsed = [read(document) for document in documents]
        answers = [without_working(settle(document)) for document in documents]
        once = seconds(json.loads, texts) + seconds(json.dumps, answers)
        whole = seconds(settle, documents)
        core = seconds(amounts_of, parsed)
        yield Figure(f"{game}, one time", once / ROUNDS * 1e6, "µs")
        yield Figure(f"{game}, document to answer, working included", whole / once, "times", 8)
        yield Figure(f"{game}, parsed entry to amounts", core / once, "times", 2)


def deals(game: str, field: int) -> Iterator[dict[str, Any]]:
    """Rounds that the rules take: all cards in three piles, seven of each hand."""
    lots = random.Random(SEED)
    made = 0
    while made < ROUNDS:
        cards = [card.text for card in lots.sample(list(DECK), len(DECK))]
        cuts = sorted(lots.sample(range(8, 40), 2))
        piles = cards[: cuts[0]], cards[cuts[0] : cuts[1]], cards[cuts[1] :]
        dealt = lots.sample(cards, 21 + field)
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
    """What it takes to do it to all of them, the middle one of several turns."""
    took = []
    for _ in range(TURNS):
        start = perf_counter()
        for thing in things:
            work(thing)
        took.append(perf_counter() - start)
    return median(took)
