"""Taps: how often a finger that knows the answer comes down to enter a round, Save included.

The rounds are played from seeds, tapped in a real browser, and saved: `tests.browser.finger`. Where
there is no Chromium, or nothing to steer it with, nothing is measured.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from statistics import mean

from bench import Figure
from bench.pages import BROWSERS
from bench.server import serving

ROUNDS = 200  # of each kind


def figures() -> Iterator[Figure]:
    """The most taps of a round, or their mean, where that is what matters."""
    browser = next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), *BROWSERS))), "")
    try:
        from tests.browser import finger
        from tests.browser.conftest import open_browser, open_phone
    except ImportError:
        print("  Not measured: what steers a browser comes with the tests. Run them once.")
        return
    if not browser:
        print("  Not measured: there is no Chromium here.", flush=True)
        return
    print(f"  {ROUNDS} rounds of each kind", flush=True)
    with serving() as server, open_browser(browser) as chromium:
        phone = open_phone(chromium, f"http://127.0.0.1:{server.port}")
        for players, goal in finger.MOST_BY_COUNTS.items():
            seeds = range(1000 * players, 1000 * players + ROUNDS)
            taps = finger.by_counts(phone, players, seeds)
            yield Figure(f"Bakappana by counts, {players} players, most", max(taps), "taps", goal)
        for game, goal in finger.MOST_STOPPED.items():
            taps = finger.stopped(phone, game)
            yield Figure(f"{game}, ended by a dekiyaku, most", max(taps), "taps", goal)
        goal = finger.MEAN_BY_NAMED_CARDS
        taps = finger.by_named_cards(phone, range(3000, 3000 + ROUNDS))
        yield Figure("Bakappana by named cards, 3 players, mean", mean(taps), "taps", goal)
        for ending in finger.ENDINGS:
            taps = finger.by_months(phone, ending, range(ROUNDS))
            yield Figure(
                f"kaga by months, {ending}, mean", mean(taps), "taps", finger.MEAN_BY_MONTHS
            )
        assert not phone.complaints, phone.complaints
