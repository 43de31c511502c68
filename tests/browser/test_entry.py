"""Entering rounds by tapping, and how many taps that takes, by a player who knows the answer.

Rounds are played by `played.play` from seeds, which are printed; what is saved is compared with
what the rules say of the very same cards. `python3 -m bench taps` measures more of them.
"""

import gzip
import io
import re
from collections.abc import Callable
from random import Random
from statistics import mean
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Response, expect

from scorekeeper.round_form import ways
from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import NAMED, OF_KIND, Card, Cards
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import MINUS
from tests.browser import finger
from tests.browser.conftest import CAPTURED, Phone
from tests.browser.finger import (
    MEAN_BY_MONTHS,
    MEAN_BY_NAMED_CARDS,
    MOST_BY_COUNTS,
    MOST_STOPPED,
    Table,
    answer_of,
    captured_form,
    count_of,
)
from tests.browser.played import play

ROUNDS = 4
ENDED = "A dekiyaku ended it 出来役"


# --- What the rules say of the same cards ---------------------------------------------------------


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


def tellable(game: str, form: str, players: int, seeds: range) -> tuple[int, list[int]]:
    """The first seed whose round this form tells completely, without anything being claimed."""
    for seed in seeds:
        _, piles, _ = play(Random(seed), GAMES[game], players)
        try:
            said = answer_of(game, form_of(form, game, piles))
            known = answer_of(game, captured_form(piles))
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
    expected = answer_of(game, captured_form(piles))
    assert table.saved == expected["amounts"]
    assert [int(text.replace(MINUS, "-")) for text in shown] == expected["amounts"]


# --- Taps -----------------------------------------------------------------------------------------


def seeds(first: int = 0) -> range:
    print(f"seeds {first} to {first + ROUNDS - 1}")
    return range(first, first + ROUNDS)


@pytest.mark.parametrize(("players", "most"), MOST_BY_COUNTS.items())
def test_taps_by_counts(phone: Phone, players: int, most: int) -> None:
    assert max(finger.by_counts(phone, players, seeds(1000 * players))) <= most


def test_taps_on_the_named_board(phone: Phone) -> None:
    # A few rounds are no mean: `python3 -m bench taps` has as many as it takes.
    assert mean(finger.by_named_cards(phone, seeds(3000))) <= MEAN_BY_NAMED_CARDS + 2


@pytest.mark.parametrize("ending", finger.ENDINGS)
def test_taps_on_the_month_board(phone: Phone, ending: str) -> None:
    assert mean(finger.by_months(phone, ending, seeds())) <= MEAN_BY_MONTHS + 1.5


@pytest.mark.parametrize(("game", "most"), MOST_STOPPED.items())
def test_taps_of_a_round_that_was_stopped(phone: Phone, game: str, most: int) -> None:
    assert max(finger.stopped(phone, game)) <= most


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


def test_a_draft_opens_in_the_form_it_was_begun_in(phone: Phone) -> None:
    table = begun(phone)
    phone.goes_by("Points")
    phone.types("Aki", 87)
    phone.opens(table.series)
    phone.enters_round(1)
    table.page.wait_for_url("**?use=points*")
    assert phone.typed("Aki") == ["87"]
    # Whoever asks for another form gets that.
    phone.goes_by("Counts")
    assert phone.typed("Aki") == ["1", "4", "3", "12"]


def test_a_draft_of_fewer_players_leaves_a_place_for_who_comes_back(phone: Phone) -> None:
    """What two people typed of a game for three is no reason to refuse the three."""
    table = Table(phone, "hachi-hachi", 3)

    def comes_or_goes() -> None:
        phone.opens(f"{table.series}/manage")
        leaving = phone.page.locator("form.leaving").nth(2)
        for folded in leaving.locator("summary").all():
            folded.click()
        with phone.page.expect_navigation():
            leaving.locator("[name=left]").click()

    comes_or_goes()
    table.opens()
    phone.types("Aki", bright=2)
    comes_or_goes()
    table.opens()
    assert phone.typed("Aki")[0] == "2"
    assert phone.typed("Chie") == [""] * 4
    assert not phone.reads("not for 2")


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
    waiting = phone.page.locator("#waiting li")
    expect(waiting).to_have_text("Round 1: not sent")
    phone.page.context.set_offline(False)
    expect(waiting).to_have_text("Round 1: saved")
    phone.opens(table.series)
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
    assert alert.inner_text().startswith("Aki has an odd number of cards, 19")
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
    notes.get_by_role("checkbox", name=re.compile(r"^Triplet 三本 sanbon \d")).check()
    table.opens()
    assert phone.page.locator("[name=p2-teyaku][value=sanbon]").is_checked()
    phone.goes_by("Points")
    for name, points in zip(table.names, (100, 90, 74), strict=True):
        phone.types(name, points)
    table.saves()
    assert table.saved == [-1, 2, -1]
    notes.locator("summary", has_text="Ben").click()
    assert notes.locator(":checked").count() == 0


def test_the_piles_stand_where_they_stood_after_settling(phone: Phone) -> None:
    """A line of the working is about teyaku, too, and is no place for the piles."""
    table = Table(phone, "hachi-hachi", 3)
    table.opens()
    phone.goes_by("Points")
    for name, points in zip(table.names, (100, 90, 74), strict=True):
        phone.types(name, points)
    phone.shows(table.names[1], "Triplet")
    phone.settles()
    assert phone.group(CAPTURED).is_visible()
    assert phone.page.locator(".working .piles").count() == 0


@pytest.fixture
def overtaken(phone: Phone, phones: Callable[..., Phone]) -> Phone:
    """A phone on which teyaku of a round were noted that another phone then recorded."""
    table = Table(phone, "yokohama-bana", 3)
    phone.opens(f"{table.series}/share")
    link = phone.link("To score")
    phone.opens(table.series)
    noted(phone, "Ben").check()
    noted(phone, "Chie").check()
    noted(phone, "Chie").uncheck()
    other = phones()
    other.joins(link)
    other.enters_round(1)
    other.goes_by("Points")
    for name, points in zip(table.names, (100, 90, 74), strict=True):
        other.types(name, points)
    other.settles()
    other.saves()
    expect(phone.page.get_by_role("heading", name="Note for round 2")).to_be_visible()
    return phone


def noted(phone: Phone, name: str) -> Locator:
    """The tick for a triplet, on the scoreboard, unfolded."""
    part = phone.page.locator(".notes details").filter(has=phone.page.get_by_text(name, exact=True))
    if part.get_attribute("open") is None:
        part.locator("summary").click()
    return part.get_by_role("checkbox", name=re.compile(r"^Triplet 三本 sanbon \d"))


def test_notes_follow_a_round_that_another_phone_recorded(overtaken: Phone) -> None:
    """What is unfolded stays, and what was noted for the old round is not taken along unasked."""
    ticks = overtaken.page.locator(".notes [value=sanbon]").filter(visible=True).all()
    assert [tick.is_checked() for tick in ticks] == [False, False]
    assert overtaken.page.locator(".notes .noted").all_inner_texts() == ["none"] * 3
    assert overtaken.reads("Round 1 was begun on this phone and not saved.")
    noted(overtaken, "Aki").check()
    assert overtaken.page.locator(".notes .noted").all_inner_texts() == ["三本", "none", "none"]
    overtaken.enters_round(2)
    assert overtaken.page.locator("[name=p1-teyaku][value=sanbon]").is_checked()
    assert not overtaken.page.locator("[name=p2-teyaku][value=sanbon]").is_checked()


def test_notes_of_the_old_round_can_be_taken_into_the_next(overtaken: Phone) -> None:
    overtaken.taps("Take it into this round")
    assert noted(overtaken, "Ben").is_checked()
    assert not overtaken.page.locator(".older").count()
    overtaken.enters_round(2)
    expect(overtaken.page.locator("[name=p2-teyaku][value=sanbon]")).to_be_checked()


def test_notes_of_the_old_round_can_be_dropped(overtaken: Phone) -> None:
    overtaken.taps("Drop it")
    assert drafts(overtaken) == []
    overtaken.enters_round(2)
    assert not overtaken.page.locator(".older").count()


def test_nothing_can_be_noted_without_script(phones: Callable[..., Phone]) -> None:
    phone = phones(java_script_enabled=False)
    Table(phone, "yokohama-bana", 3)
    assert not phone.page.locator(".notes").is_visible()


def test_what_was_noted_and_taken_back_is_nothing(phone: Phone) -> None:
    Table(phone, "yokohama-bana", 3)
    noted(phone, "Ben").check()
    assert len(drafts(phone)) == 1
    noted(phone, "Ben").uncheck()
    assert drafts(phone) == []


def test_what_no_longer_counts_is_not_asked(phone: Phone) -> None:
    Table(phone, "yokohama-bana", 3).opens()
    phone.ends(ENDED, by="Aki")
    assert not phone.group(CAPTURED).is_visible()
    assert not phone.page.locator(".teyaku").is_visible()
    assert phone.page.locator(".stopper .dekiyaku").is_visible()


# --- Awake while a round is entered ---------------------------------------------------------------

# Instead of the phone's own: what was asked for, and the lock that was given last.
WAKE_LOCK = """
window.asked = [];
Object.defineProperty(navigator, "wakeLock", {value: {request: async (type) => {
  window.asked.push(type);
  return window.lock = new EventTarget();
}}});
"""
NO_WAKE_LOCK = 'Object.defineProperty(navigator, "wakeLock", {value: undefined})'
FORBIDDEN = """
Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
  throw new DOMException("Not here.", "NotAllowedError");
}}});
"""
# A phone gives up its lock when the page is not looked at any more.
LOOKS_AWAY = """
Object.defineProperty(document, "hidden", {value: true, configurable: true});
window.lock?.dispatchEvent(new Event("release"));
document.dispatchEvent(new Event("visibilitychange"));
"""
LOOKS_AGAIN = """
Object.defineProperty(document, "hidden", {value: false, configurable: true});
document.dispatchEvent(new Event("visibilitychange"));
"""


def asked(phone: Phone) -> list[str]:
    return phone.page.evaluate("window.asked")


def test_a_phone_stays_awake_from_the_first_tap_on(phone: Phone) -> None:
    phone.page.add_init_script(WAKE_LOCK)
    table = Table(phone, "bakappana", 3)
    table.opens()
    phone.page.evaluate(LOOKS_AWAY + LOOKS_AGAIN)
    assert asked(phone) == []
    table.key(1)
    assert asked(phone) == ["screen"]
    table.key(4)
    assert asked(phone) == ["screen"]
    phone.page.evaluate(LOOKS_AWAY)
    assert asked(phone) == ["screen"]
    phone.page.evaluate(LOOKS_AGAIN)
    assert asked(phone) == ["screen"] * 2


def test_a_phone_at_the_scoreboard_may_sleep(phone: Phone) -> None:
    phone.page.add_init_script(WAKE_LOCK)
    Table(phone, "yokohama-bana", 3)
    noted(phone, "Ben").check()
    phone.page.evaluate(LOOKS_AWAY + LOOKS_AGAIN)
    assert asked(phone) == []


@pytest.mark.parametrize("script", [NO_WAKE_LOCK, FORBIDDEN], ids=["absent", "forbidden"])
def test_a_phone_that_cannot_be_kept_awake_scores_all_the_same(phone: Phone, script: str) -> None:
    phone.page.add_init_script(script)
    table = begun(phone)
    for number in (3, 4, 7):
        table.key(number)
    table.saves()
    assert table.saved == [-1, 9, -8]


# --- Whose is whose -------------------------------------------------------------------------------

SHAPE = """
(badge) => {
  const shape = getComputedStyle(badge, "::before");
  return [badge.textContent.trim()[0], shape.clipPath, shape.backgroundColor];
}
"""


def seats(phone: Phone, badges: str) -> list[tuple[str, str, str]]:
    """Letter, shape and colour of each seat, which can really be seen."""
    seen = []
    for badge in phone.page.locator(badges).all():
        letter, shape, colour = badge.evaluate(SHAPE)
        with Image.open(io.BytesIO(badge.screenshot())) as picture:
            pixels = picture.convert("RGB").getcolors(picture.width * picture.height)
        rgb = tuple(int(one) for one in re.findall(r"\d+", colour))
        assert sum(count for count, pixel in pixels if pixel == rgb) > 40, (badges, letter)
        seen.append((letter, shape, colour))
    return seen


@pytest.mark.parametrize(
    ("theme", "contrast", "forced"),
    [
        ("dark", "no-preference", "none"),
        ("light", "no-preference", "none"),
        ("light", "more", "none"),
        ("dark", "no-preference", "active"),
    ],
)
def test_seats_are_told_apart_by_shape_letter_and_colour(
    phone: Phone, theme: Any, contrast: Any, forced: Any
) -> None:
    phone.page.emulate_media(color_scheme=theme, forced_colors=forced, contrast=contrast)
    table = Table(phone, "bakappana", 4)
    table.opens()
    for number in (1, 2, 3, 6, 1, 2, 3, 6, 1, 2, 2, 5):
        table.key(number)
    table.settled()
    for badges in (".whose .letter", ".tally .letter"):
        letters, shapes, colours = zip(*seats(phone, badges), strict=True)
        assert letters == ("A", "B", "C", "D")
        assert len(set(shapes)) == 4
        # Where the system paints, all are of one colour.
        assert len(set(colours)) == (1 if forced == "active" else 4)


def test_sides_of_a_month_are_told_apart_by_shape_letter_and_colour(phone: Phone) -> None:
    table = Table(phone, "kaga", 2)
    table.opens()
    table.tap(phone.page.locator("[name=month-2][value='1']"))
    (a, first, orange), (b, second, violet) = seats(phone, ".half:has([name=month-1]) .letter")
    assert (a, b) == ("A", "B")
    assert first != second
    assert orange != violet
    # What is chosen is filled with the colour of the seat.
    chosen = "[name=month-2]:checked + .letter"
    ((_, shape, ink),) = seats(phone, chosen)
    assert (shape, ink != orange) == (first, True)
    ground = phone.page.locator(chosen).evaluate("one => getComputedStyle(one).backgroundColor")
    assert ground == orange


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


@pytest.mark.parametrize("width", [320, 390])
def test_faces_of_the_months_are_big_enough_to_tell(
    phones: Callable[..., Phone], width: int
) -> None:
    phone = phones(viewport={"width": width, "height": 640})
    Table(phone, "kaga", 2).opens()
    for one in phone.page.locator(".months .face").all():
        box = one.bounding_box()
        assert (box["width"], box["height"]) == (40, 64)
    for one in phone.page.locator(".months .half").all():
        box = one.bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 64
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("form", ["counts", "named"])
def test_a_phone_held_across_has_the_form_beside_the_keys(
    phones: Callable[..., Phone], form: str
) -> None:
    phone = phones(viewport={"width": 844, "height": 390})
    Table(phone, "bakappana", 3)
    phone.opens(f"{phone.path}/rounds/new?use={form}")
    piles, dock = phone.page.locator(".piles"), phone.page.locator(".dock")
    for scrolled in (0, 200):
        phone.page.evaluate("y => scrollTo(0, y)", scrolled)
        left, right = piles.bounding_box(), dock.bounding_box()
        assert left["x"] + left["width"] <= right["x"]
        assert right["y"] >= 0
        assert right["y"] + right["height"] <= 390


@pytest.mark.parametrize(("game", "form"), [("hachi-hachi", "named"), ("kaga", "months")])
def test_boards_are_accessible(phone: Phone, game: str, form: str) -> None:
    table = Table(phone, game, min(GAMES[game].seats))
    table.opens()
    table.goes_by(form)
    if form == "named":
        for text in ("1B", "2A", "11B"):
            table.tap(table.card(Card.parse(text)))
    else:
        # Chosen in both sizes, and what follows from it.
        for mark in ("month-1", "month-3", "month-8", "part-12B", "part-11B", "part-11A"):
            table.tap(phone.page.locator(f"[name={mark}][value='1']"))
    table.settled()
    phone.page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    for theme in ("dark", "light"):
        phone.page.emulate_media(color_scheme=theme)
        assert phone.violations() == {}
        assert phone.faint() == []


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
