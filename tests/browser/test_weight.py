"""What a page takes from the network, everything counted, at first and when it is opened again."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Phone

KB = 1024

Visitor = Callable[[str], tuple[Phone, str]]
"""Answers the phone, and the address of its scoreboard."""

WEIGHED = """
() => ["navigation", "resource"]
  .flatMap((kind) => performance.getEntriesByType(kind))
  .map(({name, transferSize}) => [name, transferSize])
"""


@pytest.fixture
def visitor(phones: Callable[..., Phone]) -> Visitor:
    """Makes a phone that is in a series of a game and has nothing of its pages yet."""

    def visit(game: str) -> tuple[Phone, str]:
        first = phones()
        first.sits_down(game, *("Aki", "Ben", "Chie")[: 2 if game == "kaga" else 3])
        known: Any = first.page.context.storage_state()
        return phones(storage_state=known), first.page.url

    return visit


def weigh(phone: Phone, path: str) -> dict[str, int]:
    """Opens a page and answers what it took, in bytes by address, headers included."""
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.goto(path, wait_until="load")
    phone.page.wait_for_timeout(300)  # for whatever scripts still fetch
    sizes = dict(phone.page.evaluate(WEIGHED))
    # A stream is asked for as well; what it says is a line now and then.
    return {url: sizes.get(url, 0) for url in asked}


@pytest.mark.parametrize("game", ["bakappana", "hachi-hachi", "kaga", "yokohama-bana"])
def test_the_scoreboard_is_light(visitor: Visitor, game: str) -> None:
    phone, board = visitor(game)
    taken = weigh(phone, board)
    assert len(taken) <= 5
    assert sum(taken.values()) <= 35 * KB


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("bakappana", "counts"),
        ("bakappana", "captured"),
        ("hachi-hachi", "captured"),
        ("kaga", "months"),
        ("kaga", "captured"),
    ],
)
def test_entering_is_light(visitor: Visitor, game: str, form: str) -> None:
    phone, board = visitor(game)
    taken = weigh(phone, f"{board}/rounds/new?use={form}")
    assert any(url.endswith("/entry.js") for url in taken)
    assert sum(taken.values()) <= 50 * KB


def test_a_phone_keeps_what_does_not_change(visitor: Visitor) -> None:
    phone, board = visitor("bakappana")
    for path in ("", "/rounds/new?use=named"):
        weigh(phone, board + path)
        again = weigh(phone, board + path)
        assert [url for url, size in again.items() if size] == [board + path]
