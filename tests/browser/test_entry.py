"""Entering rounds by tapping, and how many taps that takes, by a player who knows the answer.

Rounds are played by `played.play` from seeds, which are printed; what is saved is compared with
what the rules say of the very same cards. `ROUNDS=200` measures more rounds than the few that are
tapped by default.
"""

import gzip
import os
import re
from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Response

from scorekeeper.forms import ways
from scorekeeper.rules import RuleError, settle
from scorekeeper.rules.cards import DECK, MONTHS, NAMED, OF_KIND, Card, Cards
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.months import MonthBoard
from scorekeeper.rules.sentence import MINUS
from scorekeeper.rules.yaku import DEKIYAKU
from tests.browser.conftest import CAPTURED, Phone
from tests.browser.played import play

ROUNDS = int(os.environ.get("ROUNDS", "4"))
NAMES = ("Aki", "Ben", "Chie", "Dan")
ENDED = "A dekiyaku ended it 出来役"


class Table:
    """Somebody who enters rounds with one finger, and counts how often it comes down."""

    def __init__(self, phone: Phone, game: str, players: int, **rules: str) -> None:
        self.phone, self.page = phone, phone.page
        self.game, self.players = GAMES[game], players
        self.names = NAMES[:players]
        self.rules: dict[str, Any] = {}
        phone.starts(self.game.name.render(), *self.names, **rules)
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
        for seat in sorted(set(range(self.players)) - {biggest(piles, NAMED)}):
            row = self.page.locator(".chaff", has=self.page.locator(f".letter.l{seat + 1}"))
            count = str(count_of(piles[seat], "chaff"))
            chip = row.get_by_role("button", name=count, exact=True)
            if not chip.count():  # further off than there are chips
                self.page.locator(f"[name=p{seat + 1}-chaff]").fill(count)
                self.taps += 1 + len(count)
            elif chip.get_attribute("aria-pressed") != "true":
                self.tap(chip)
        self.settled()

    def captured(self, piles: list[int]) -> None:
        rest = biggest(piles, Cards.of(DECK))
        left = self.page.locator(".restto").get_by_role("radio", name=self.names[rest], exact=True)
        if sum(piles) != Cards.of(DECK).mask:
            rest = -1
        elif not left.is_checked():
            self.tap(left)
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
        document = answer_of(self.game.key, piles, captured_form(piles), rules=self.rules)
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


def form_of(form: str, game: str, piles: list[int]) -> list[dict[str, Any]]:
    """The piles in another form of the contract."""
    if form == "counts":
        kinds = [kind.key for kind in OF_KIND]
        return [{"counts": {kind: count_of(pile, kind) for kind in kinds}} for pile in piles]
    if form == "named":
        return [
            {"named": str(Cards(pile) & NAMED), "chaff": count_of(pile, "chaff")} for pile in piles
        ]
    if form == "points":
        values = GAMES[game].values
        return [{"points": sum(values.of_card(card.bit) for card in Cards(pile))} for pile in piles]
    return captured_form(piles)


def answer_of(game: str, piles: list[int], seats: list[dict[str, Any]], **more: Any) -> Any:
    return settle({"game": game, "seats": seats, **more})


def tellable(game: str, form: str, players: int, seeds: range) -> tuple[int, list[int]]:
    """The first seed whose round this form tells completely, without anything being claimed."""
    for seed in seeds:
        _, piles, _ = play(Random(seed), GAMES[game], players)
        try:
            said = answer_of(game, piles, form_of(form, game, piles))
            known = answer_of(game, piles, captured_form(piles))
        except RuleError:
            continue
        if said["amounts"] == known["amounts"]:
            return seed, piles
    raise AssertionError("no such round")


FORMS = [(key, form) for key, game in GAMES.items() for form in ways(game)]


@pytest.mark.parametrize(("game", "form"), FORMS)
def test_a_round_of_each_game_in_each_form(phone: Phone, game: str, form: str) -> None:
    players = max(count for count in GAMES[game].seats if count <= 3)
    seed, piles = tellable(game, form, players, range(100, 400))
    print("seed", seed)
    table = Table(phone, game, players)
    table.opens()
    table.goes_by(form)
    getattr(table, form)(piles)
    table.settled()
    shown = table.page.locator("#live .amount").all_inner_texts()
    table.saves()
    expected = answer_of(game, piles, captured_form(piles))
    assert table.saved == expected["amounts"]
    assert [int(text.replace(MINUS, "-")) for text in shown] == expected["amounts"]


# --- Taps -----------------------------------------------------------------------------------------


def rounds(game: str, players: int) -> Any:
    first = 1000 * players
    print(f"{game}, {players} players, seeds {first} to {first + ROUNDS - 1}")
    for seed in range(first, first + ROUNDS):
        yield play(Random(seed), GAMES[game], players)


@pytest.mark.parametrize(("players", "most"), [(2, 5), (3, 9), (4, 13)])
def test_taps_by_counts(phone: Phone, players: int, most: int) -> None:
    table = Table(phone, "bakappana", players)
    for _, piles, _ in rounds("bakappana", players):
        table.opens()
        dealer = table.dealer
        table.counts(piles)
        table.saves()
        assert table.taps <= most
        form = captured_form(piles)
        assert table.saved == answer_of("bakappana", piles, form, dealer=dealer)["amounts"]


def test_taps_on_the_named_board(phone: Phone) -> None:
    table = Table(phone, "bakappana", 3)
    table.opens()
    table.goes_by("named")
    table.number -= 1
    taps = []
    for _, piles, _ in rounds("bakappana", 3):
        table.opens()
        table.page.goto(f"{table.page.url}?use=named")
        table.named(piles)
        table.saves()
        taps.append(table.taps)
        assert table.saved == answer_of("bakappana", piles, captured_form(piles))["amounts"]
    print("taps", taps, "mean", sum(taps) / len(taps))
    # A few rounds are no mean; all of them are.
    assert sum(taps) / len(taps) <= (19 if ROUNDS >= 100 else 21)


@pytest.mark.parametrize("ending", ["hands_empty", "drain"])
def test_taps_on_the_month_board(phone: Phone, ending: str) -> None:
    game = GAMES["kaga"].under({"two_player_end": ending})
    rule = game.rule("two_player_end")
    table = Table(phone, "kaga", 2, **{rule.name.render(): rule.choice(ending).label.render()})
    table.rules = {"two_player_end": ending}
    taps = []
    for seed in range(ROUNDS):
        _, piles, _ = play(Random(seed), game, 2)
        table.opens()
        table.months(piles)
        table.saves()
        taps.append(table.taps)
        form = captured_form(piles)
        answer = answer_of("kaga", piles, form, rules=table.rules)
        assert table.saved == answer["amounts"]
    print("taps", taps, "mean", sum(taps) / len(taps))
    assert sum(taps) / len(taps) <= (9.5 if ROUNDS >= 100 else 11)


STOPS = [("yokohama-bana", 4, []), ("hachi-hachi", 5, ["12B"])]


@pytest.mark.parametrize(("game", "most", "field"), STOPS)
def test_taps_of_a_round_that_was_stopped(
    phone: Phone, game: str, most: int, field: list[str]
) -> None:
    table = Table(phone, game, 3)
    for yaku in GAMES[game].by_kind[DEKIYAKU]:
        table.opens()
        dealer = table.dealer
        for card in field:
            table.tap(table.page.locator(f"[name=field][value='{card}']"))
        table.tap(table.page.locator("[name=end][value=stopped]"))
        table.tap(table.page.locator("[name=stopped_by][value='2']"))
        table.tap(table.page.locator(f"[name=p2-dekiyaku][value='{yaku.key}']"))
        table.saves()
        assert table.taps <= most
        seats = [{}, {DEKIYAKU: [yaku.key]}, {}]
        answer = answer_of(
            game, [], seats, end="stopped", stopped_by=1, field=" ".join(field), dealer=dealer
        )
        assert table.saved == answer["amounts"]


# --- What is typed is never lost ------------------------------------------------------------------


def drafts(phone: Phone) -> list[str]:
    return phone.page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft '))")


def begun(phone: Phone) -> Table:
    table = Table(phone, "bakappana", 3)
    table.opens()
    for number in (1, 4, 3, 12, 2):
        table.key(number)
    return table


def test_a_draft_survives_a_reload_and_a_closed_tab(phone: Phone, browser: Browser) -> None:
    table = begun(phone)
    typed = [["1", "4", "3", "12"], ["2", "", "", ""], [""] * 4]
    phone.page.reload()
    assert [phone.typed(name) for name in table.names] == typed
    again = Phone(phone.page.context.new_page(), phone.server)
    phone.page.close()
    again.opens(f"{table.series}/rounds/new")
    assert [again.typed(name) for name in table.names] == typed
    table.phone, table.page = again, again.page
    for number in (3, 4, 7):
        table.key(number)
    table.saves()
    assert table.saved == [-1, 9, -8]
    assert drafts(again) == []
    assert again.complaints == []


def test_a_draft_goes_along_to_another_form_and_back(phone: Phone) -> None:
    begun(phone)
    phone.goes_by("Points")
    phone.types("Aki", 87)
    phone.goes_by("Counts")
    assert phone.typed("Aki") == ["1", "4", "3", "12"]
    phone.goes_by("Points")
    assert phone.typed("Aki") == ["87"]


def test_a_draft_never_overrides_what_was_refused(phone: Phone) -> None:
    table = begun(phone)
    phone.types("Aki", bright=9)
    phone.settles()
    assert phone.typed("Aki") == ["9", "4", "3", "12"]
    phone.opens(f"{table.series}/rounds/new")
    assert phone.typed("Aki") == ["9", "4", "3", "12"]


def test_a_round_that_somebody_else_recorded_meanwhile_is_offered(
    phone: Phone, phones: Callable[..., Phone]
) -> None:
    table = begun(phone)
    other = phones()
    phone.opens(f"{table.series}/share")
    other.joins(phone.link("To score"))
    other.opens(f"{table.series}/rounds/new")
    other.goes_by("Points")
    for name, points in zip(table.names, (88, 88, 88), strict=True):
        other.types(name, points)
    other.settles()
    other.saves()
    phone.opens(f"{table.series}/rounds/new")
    assert phone.reads("Round 1 was begun on this phone and not saved.")
    phone.goes_by("Counts")
    phone.taps("Take it into this round")
    assert phone.typed("Aki") == ["1", "4", "3", "12"]


def test_undo_takes_back_every_tap(phone: Phone) -> None:
    table = begun(phone)
    for left in (["1", "4", "3", "12"], ["1", "4", "3", ""], ["1", "4", "", ""]):
        phone.taps("Undo")
        assert phone.typed("Aki") == left
    table.key(2)
    assert phone.typed("Aki") == ["1", "4", "2", ""]


def test_without_a_connection_nothing_is_guessed(phone: Phone) -> None:
    table = begun(phone)
    phone.page.context.set_offline(True)
    for number in (3, 4, 7):
        table.key(number)
    phone.page.locator("#round[data-state=offline]").wait_for(state="attached")
    assert "settled when sent" in phone.page.locator("#live").inner_text()
    assert phone.page.locator("#live .amount").count() == 0
    table.tap(phone.page.locator("[name=save]"))
    assert "Not sent yet" in phone.page.locator("#live").inner_text()
    phone.page.context.set_offline(False)
    phone.page.wait_for_url("**?saved=*")
    assert table.number == 1
    assert table.saved == [-1, 9, -8]
    assert all(text.startswith("failed:") or "net::" in text for text in phone.complaints)
    phone.complaints.clear()


# --- Boards ---------------------------------------------------------------------------------------


def board(phone: Phone) -> Table:
    table = Table(phone, "bakappana", 3)
    table.opens()
    table.goes_by("named")
    return table


def owners(phone: Phone) -> dict[str, str]:
    """Who has which card, as the form would be sent."""
    fields = phone.page.locator("#round").evaluate("form => [...new FormData(form)]")
    return {
        name.removeprefix("card-"): value
        for name, value in fields
        if name.startswith("card-") and value
    }


def test_a_swipe_marks_a_row_and_is_one_step(phone: Phone) -> None:
    board(phone)
    cells = phone.page.locator(".cell")
    cells.nth(2).scroll_into_view_if_needed()
    boxes = [cells.nth(at).bounding_box() for at in range(5)]
    touch = phone.page.context.new_cdp_session(phone.page)

    def finger(kind: str, at: int | None = None) -> None:
        points = []
        if at is not None:
            box = boxes[at]
            points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(first: int, last: int) -> None:
        finger("touchStart", first)
        for at in range(first, last + 1):
            finger("touchMove", at)
        finger("touchEnd")

    swipe(0, 3)
    assert owners(phone) == {"1B": "1", "3B": "1", "8B": "1", "11B": "1"}
    swipe(1, 2)  # begins on a card of one's own, so it clears
    assert owners(phone) == {"1B": "1", "11B": "1"}
    phone.taps("Undo")
    assert len(owners(phone)) == 4
    phone.taps("Undo")
    assert owners(phone) == {}


def test_a_card_of_somebody_else_moves_and_says_so(phone: Phone) -> None:
    table = board(phone)
    table.tap(table.card(Card.parse("1B")))
    table.chooses(1)
    table.tap(table.card(Card.parse("1B")))
    assert owners(phone) == {"1B": "2"}
    assert phone.reads("crane: from Aki to Ben")
    phone.taps("Undo")
    assert owners(phone) == {"1B": "1"}


def test_the_board_by_keyboard(phone: Phone) -> None:
    board(phone)
    phone.page.locator(".cell").first.focus()
    for key in ("Space", "ArrowRight", "2", "Space", "ArrowDown", "3", "Space"):
        phone.page.keyboard.press(key)
    assert owners(phone) == {"1B": "1", "3B": "2", "4A": "3"}
    focused = phone.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "cuckoo, animal, wisteria; Chie’s"
    stops = phone.page.locator(".cell[tabindex='0']")
    assert stops.count() == 1


def test_numbers_are_typed_by_keyboard(phone: Phone) -> None:
    """An odd pile is warned of, and saved all the same."""
    table = Table(phone, "bakappana", 3)
    table.opens()
    phone.types("Aki", bright=1, animal=4, ribbon=3, chaff=11)
    phone.types("Ben", bright=2, animal=3, ribbon=4, chaff=7)
    table.settled()
    alert = phone.page.locator("#live").get_by_role("alert")
    assert alert.inner_text().startswith("Aki has 19 cards")
    table.saves()


# --- Only what matters, and what may have been forgotten ------------------------------------------


def test_counts_that_prove_a_dekiyaku_ask_for_it(phone: Phone) -> None:
    table = Table(phone, "hachi-hachi", 3)
    table.opens()
    for number in (5, 4, 3, 8, 2, 4, 8):
        table.key(number)
    table.settled()
    hint = phone.page.locator(".asks", has_text="By these counts Aki has Four Brights")
    table.tap(hint.get_by_role("button", name="Note it"))
    table.settled()
    assert phone.page.locator("[name=p1-dekiyaku][value=shiko]").is_checked()


def test_teyaku_noted_on_the_scoreboard_are_in_the_form(phone: Phone) -> None:
    table = Table(phone, "yokohama-bana", 3)
    notes = phone.page.locator(".notes")
    notes.locator("summary", has_text="Ben").click()
    notes.get_by_role("checkbox", name=re.compile("^Triplet 三本")).check()
    table.opens()
    assert phone.page.locator("[name=p2-teyaku][value=sanbon]").is_checked()
    phone.goes_by("Points")
    for name, points in zip(table.names, (100, 90, 74), strict=True):
        phone.types(name, points)
    table.saves()
    assert table.saved == [-1, 2, -1]
    notes.locator("summary", has_text="Ben").click()
    assert notes.locator(":checked").count() == 0


def test_what_no_longer_counts_is_not_asked(phone: Phone) -> None:
    Table(phone, "yokohama-bana", 3).opens()
    phone.ends(ENDED, by="Aki")
    assert not phone.group(CAPTURED).is_visible()
    assert not phone.page.locator(".teyaku").is_visible()
    assert phone.page.locator(".stopper .dekiyaku").is_visible()


# --- Sizes ----------------------------------------------------------------------------------------

SIZES = [(320, 568), (360, 740), (390, 844), (844, 390), (1280, 800)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_targets_are_big_and_nothing_is_cut_off(
    phones: Callable[..., Phone], width: int, height: int
) -> None:
    phone = phones(viewport={"width": width, "height": height})
    table = Table(phone, "bakappana", 3)
    for form in ways(table.game):
        table.opens()
        table.number -= 1
        table.goes_by(form)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
        for target, least in ((".key", (80, 52)), (".cell", (40, 72)), (".seatbar button", 44)):
            wide, high = least if isinstance(least, tuple) else (least, least)
            for one in phone.page.locator(f"{target} >> visible=true").all():
                box = one.bounding_box()
                assert box["width"] >= wide, (form, target)
                assert box["height"] >= high, (form, target)


@pytest.mark.parametrize(("game", "form"), [("hachi-hachi", "named"), ("kaga", "months")])
def test_boards_are_accessible(phone: Phone, game: str, form: str) -> None:
    table = Table(phone, game, min(GAMES[game].seats))
    table.opens()
    table.goes_by(form)
    if form == "named":
        for text in ("1B", "2A", "11B"):
            table.tap(table.card(Card.parse(text)))
    else:
        table.tap(phone.page.locator("[name=month-1][value='1']"))
    table.settled()
    phone.page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    for theme in ("dark", "light"):
        phone.page.emulate_media(color_scheme=theme)
        violations = Axe().run(phone.page).response["violations"]
        assert [(one["id"], one["nodes"][0]["target"]) for one in violations] == []


def test_the_page_is_light(phone: Phone) -> None:
    """At most 50 KB, compressed as a server would, with all that it loads."""
    table = Table(phone, "kaga", 2)
    parts: dict[str, int] = {}

    def weigh(answer: Response) -> None:
        parts.setdefault(answer.url, len(gzip.compress(answer.body())))

    phone.page.on("response", weigh)
    table.opens()
    phone.page.wait_for_load_state("networkidle")
    print(parts)
    assert sum(parts.values()) <= 50 * 1024
