"""Somebody who enters rounds with one finger and knows the answer: how many taps that takes.

    by_counts(phone, 3, range(3000, 3200))    the taps of each of these rounds, Save included

Rounds are played by `played.play`, each from a seed. What is saved is compared with what the rules
say of the very same cards.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

from playwright.sync_api import Locator

from scorekeeper.rules import settle
from scorekeeper.rules.cards import DECK, MONTHS, NAMED, OF_KIND, Card, Cards
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.months import MonthBoard
from scorekeeper.rules.sentence import MINUS
from scorekeeper.rules.yaku import DEKIYAKU
from tests.browser.conftest import Phone
from tests.browser.played import play

NAMES = ("Aki", "Ben", "Chie", "Dan")
EVENING = 12  # rounds in a series
ENDINGS = ("hands_empty", "drain")  # of Kaga

# What it should take, Save included.
MOST_BY_COUNTS = {2: 5, 3: 9, 4: 13}  # by players
MEAN_BY_NAMED_CARDS = 19
MEAN_BY_MONTHS = 9.5
MOST_STOPPED = {"yokohama-bana": 4, "hachi-hachi": 5}


class Table:
    """Somebody who enters rounds with one finger, and counts how often it comes down."""

    def __init__(self, phone: Phone, game: str, players: int, **rules: Any) -> None:
        self.phone, self.page = phone, phone.page
        self.game, self.players = GAMES[game], players
        self.names = NAMES[:players]
        self.rules = rules
        phone.sits_down(game, *self.names, **rules)
        self.series = phone.path
        self.number = 0
        self.taps = 0

    def opens(self) -> None:
        self.number += 1
        self.taps = 0
        self.phone.opens(f"{self.series}/rounds/new")

    def tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1

    def settled(self) -> None:
        """Waits until the bar speaks of what is there."""
        self.page.locator("#round[data-state=settled]").wait_for(state="attached")

    def goes_by(self, form: str) -> None:
        if f"by-{form}" not in (self.page.locator("#round").get_attribute("class") or ""):
            self.tap(self.page.locator(f".tab[value={form}]"))
            self.page.locator(f"#round.by-{form}.fast").wait_for(state="attached")

    def saves(self) -> None:
        self.settled()
        self.tap(self.page.locator("[name=save]"))
        self.page.wait_for_url("**?saved=*")

    @property
    def saved(self) -> list[int]:
        """The amounts of the latest round, as they stand on the scoreboard."""
        cells = self.page.locator(f"#round-{self.number} .amount").all_inner_texts()
        return [int(text.replace(MINUS, "-")) for text in cells]

    @property
    def dealer(self) -> int:
        checked = self.page.locator("[name=dealer]:checked").get_attribute("value")
        return int(checked or 1) - 1

    def finishes(self, piles: list[int]) -> int:
        """Saves, and answers the taps; what was saved is what these piles come to."""
        return self.finishes_as(captured_form(piles))

    def finishes_as(self, seats: list[dict[str, Any]], **more: Any) -> int:
        dealer = self.dealer
        self.saves()
        answer = answer_of(self.game.key, seats, rules=self.rules, dealer=dealer, **more)
        assert self.saved == answer["amounts"]
        return self.taps

    # --- The forms --------------------------------------------------------------------------

    def key(self, number: int) -> None:
        self.tap(self.page.locator("#pad").get_by_role("button", name=str(number), exact=True))

    def counts(self, piles: list[int]) -> None:
        """Answers whatever the pad asks for."""
        while self.page.locator(".here").count():
            here = self.page.locator(".here")
            seat = int(re.findall(r"\d+", here.get_attribute("name") or "")[0]) - 1
            self.key(count_of(piles[seat], here.get_attribute("data-kind") or ""))

    def chooses(self, seat: int) -> None:
        chosen = self.page.locator("#pad .seatbar [role=radio]").nth(seat)
        if chosen.get_attribute("aria-checked") != "true":
            self.tap(chosen)

    def card(self, card: Card) -> Locator:
        return self.page.locator(f".piles .cell[data-card='{card.text}']")

    def marks(self, piles: list[int], which: Cards) -> None:
        """Marks the cards of all but the biggest pile."""
        for seat in sorted(set(range(self.players)) - {biggest(piles, which)}):
            self.chooses(seat)
            for card in Cards(piles[seat]) & which:
                self.tap(self.card(card))

    def named(self, piles: list[int]) -> None:
        self.marks(piles, NAMED)
        self.settled()
        counts = {seat: str(count_of(pile, "chaff")) for seat, pile in enumerate(piles)}
        # What is guessed wrong is said first, and the other guesses are taken all at once.
        for right in (False, True):
            for seat in sorted(set(counts) - {biggest(piles, NAMED)}):
                row = self.chaff(seat)
                guessed = row.locator(".guessed", has_text=re.compile(rf"^{counts[seat]}\?$"))
                if self.page.locator(f"[name=p{seat + 1}-chaff]").input_value():
                    continue
                if not row.get_by_role("button").count() or bool(guessed.count()) != right:
                    continue
                every = self.page.locator(".guess button")
                chip = row.get_by_role("button", name=counts[seat], exact=True)
                if right:
                    self.tap(every if every.count() else guessed)
                elif chip.count():
                    self.tap(chip)
                else:  # further off than there are chips
                    self.page.locator(f"[name=p{seat + 1}-chaff]").fill(counts[seat])
                    self.taps += 1 + len(counts[seat])
                self.settled()

    def chaff(self, seat: int) -> Locator:
        """The row in which it is said how many chaff a player has."""
        return self.page.locator(".chaff", has=self.page.locator(f".letter.l{seat + 1}"))

    def captured(self, piles: list[int]) -> None:
        # Whoever is left blank has the rest of the deck, where all of it was captured.
        whole = sum(piles) == Cards.of(DECK).mask
        rest = biggest(piles, Cards.of(DECK)) if whole else -1
        for seat in set(range(self.players)) - {rest}:
            self.chooses(seat)
            for card in Cards(piles[seat]):
                self.tap(self.card(card))

    def points(self, piles: list[int]) -> None:
        for seat, pile in enumerate(piles[: None if self.game.drains is False else -1]):
            points = str(sum(self.game.values.of_card(card.bit) for card in Cards(pile)))
            self.page.locator(f"[name=p{seat + 1}-points]").fill(points)
            self.taps += 1 + len(points)

    def months(self, piles: list[int]) -> None:
        whole = {}
        for month in MONTHS:
            for seat, pile in enumerate(piles):
                if pile & month.cards.mask == month.cards.mask:
                    whole[month.number] = seat + 1
                    self.tap(self.page.locator(f"[name=month-{month.number}][value='{seat + 1}']"))
        parts: dict[str, int] = {}
        lying: list[int] = []
        for month in MonthBoard(self.game, (1, 2), {}, {}).valued:
            if month.number in whole:
                continue
            marks, left = fewest_marks(self.game.key, month.number, *piles)
            for text, player in marks.items():
                self.tap(self.page.locator(f"[name=part-{text}][value='{player}']"))
            parts |= marks
            if left:
                self.tap(self.page.locator(f"[name=left][value='{month.number}']"))
                lying.append(month.number)
        board = MonthBoard(self.game, (1, 2), whole, parts, lying)
        document = answer_of(self.game.key, captured_form(piles), rules=self.rules)
        for seat in range(self.players):
            formed = {one["key"] for one in document["seats"][seat][DEKIYAKU]}
            for yaku in board.asked:
                if yaku.key in formed and not board.times(yaku, seat + 1)[0]:
                    self.tap(self.page.locator(f"[name=claimed-{yaku.key}][value='{seat + 1}']"))


def count_of(pile: int, kind: str) -> int:
    cards = next(cards for one, cards in OF_KIND.items() if one.key == kind)
    return (pile & cards.mask).bit_count()


def biggest(piles: list[int], which: Cards) -> int:
    return max(range(len(piles)), key=lambda seat: (piles[seat] & which.mask).bit_count())


@cache
def fewest_marks(game: str, number: int, *piles: int) -> tuple[dict[str, int], bool]:
    """The fewest taps by which the month board knows what it needs of a split month."""
    month = MONTHS[number - 1]
    texts = [card.text for card in month.cards]

    def tells(marks: dict[str, int], left: bool) -> bool:
        board = MonthBoard(GAMES[game], (1, 2), {}, marks, [number] if left else [])
        return number not in [month.number for month in board.open] and all(
            board.points(player)
            == sum(GAMES[game].values.of_card(card.bit) for card in Cards(pile) & month.cards)
            and board.surely(player) & NAMED.mask == pile & month.cards.mask & NAMED.mask
            for player, pile in enumerate(piles, 1)
        )

    tries = [
        ({text: player for text, player in zip(texts, owners, strict=True) if player}, left)
        for owners in product((0, 1, 2), repeat=4)
        for left in (False, True)
    ]
    return next(one for one in sorted(tries, key=lambda one: len(one[0]) + one[1]) if tells(*one))


# --- What the rules say of the same cards ---------------------------------------------------------


def captured_form(piles: list[int]) -> list[dict[str, Any]]:
    return [{"captured": str(Cards(pile))} for pile in piles]


def answer_of(game: str, seats: list[dict[str, Any]], **more: Any) -> Any:
    return settle({"game": game, "seats": seats, **more})


# --- Rounds ---------------------------------------------------------------------------------------


def rounds(
    phone: Phone, game: str, players: int, seeds: Iterable[int], **rules: Any
) -> Iterator[tuple[Table, list[int]]]:
    """The piles of a round for each seed, and the table at which it is about to be entered."""
    for at, seed in enumerate(seeds):
        if at % EVENING == 0:
            table = Table(phone, game, players, **rules)
        table.opens()
        _, piles, _ = play(Random(seed), GAMES[game].under(rules), players)
        yield table, piles


def by_counts(phone: Phone, players: int, seeds: Iterable[int]) -> list[int]:
    """The taps of rounds of Bakappana."""
    taps = []
    for table, piles in rounds(phone, "bakappana", players, seeds):
        table.counts(piles)
        taps.append(table.finishes(piles))
    return taps


def by_named_cards(phone: Phone, seeds: Iterable[int]) -> list[int]:
    """The taps of rounds of Bakappana with three players, on the board of named cards."""
    taps = []
    for table, piles in rounds(phone, "bakappana", 3, seeds):
        phone.opens(f"{table.series}/rounds/new?use=named")
        table.named(piles)
        taps.append(table.finishes(piles))
    return taps


def by_months(phone: Phone, ending: str, seeds: Iterable[int]) -> list[int]:
    """The taps of rounds of Kaga, which ends in one of the `ENDINGS`."""
    taps = []
    for table, piles in rounds(phone, "kaga", 2, seeds, two_player_end=ending):
        table.months(piles)
        taps.append(table.finishes(piles))
    return taps


def stopped(phone: Phone, game: str) -> list[int]:
    """The taps of a round for each dekiyaku that can end it, with a bright in the field if any."""
    table = Table(phone, game, 3)
    field = "12B" if table.game.field_brights else ""
    taps = []
    for yaku in table.game.by_kind[DEKIYAKU]:
        table.opens()
        if field:
            table.tap(phone.page.locator(f"[name=field][value='{field}']"))
        table.tap(phone.page.locator("[name=end][value=stopped]"))
        table.tap(phone.page.locator("[name=stopped_by][value='2']"))
        table.tap(phone.page.locator(f"[name=p2-dekiyaku][value='{yaku.key}']"))
        seats = [{}, {DEKIYAKU: [yaku.key]}, {}]
        taps.append(table.finishes_as(seats, end="stopped", stopped_by=1, field=field))
    return taps
