"""The games, one file each: a game is found by being in this folder."""

from importlib import import_module
from pkgutil import iter_modules

from scorekeeper.rules.game import Game
from scorekeeper.rules.games._check import by_key, checked

GAMES: dict[str, Game] = by_key(
    checked(import_module(f"{__name__}.{module.name}"))
    for module in iter_modules(__path__)
    if not module.name.startswith("_")
)
"""Every game by the key that the JSON contract uses."""
