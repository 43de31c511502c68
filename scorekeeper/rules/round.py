"""One round of a game, as the table reported it: the seats, their piles, hands and claims.

Nothing is checked here yet but what a single seat says; :mod:`scorekeeper.rules.counting` looks at
all of them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules.cards import NOTHING, Cards
from scorekeeper.rules.game import Game, Rules
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.sentence import Name

REST = "rest"
"""What is said of the one pile that is left out, for the others leave it."""


@dataclass(slots=True)
class Seat:
    """What was reported of one player.

    ``rest`` is the form whose rest this pile is. The claims are keys of yaku with how often they
    were claimed, None where nothing was said about them.
    """

    name: Name
    pile: Pile | None = None
    rest: str | None = None
    hand: Pile | None = None
    teyaku: dict[str, int] | None = None
    dekiyaku: dict[str, int] | None = None
    special: dict[str, int] | None = None
    continued: bool = False


@dataclass(slots=True)
class Round:
    """One round of a game, as it was reported.

    ``game`` is the game as the table plays it. ``field`` is the opening field, of which the
    brights multiply the round, and ``multiplier`` what was given instead of it; ``carried`` are the
    multipliers waiting from earlier rounds.
    """

    game: Game
    seats: Sequence[Seat]
    dealer: int = 0
    end: str = "counted"
    stopper: int | None = None
    field: Cards = NOTHING
    multiplier: int | None = None
    carried: Sequence[int] = ()
    decision: Any = None

    @property
    def rules(self) -> Rules:
        """The table's house rules."""
        return self.game.rules
