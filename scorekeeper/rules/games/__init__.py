"""The games, one file each: a game is found by being in this folder."""

from importlib import import_module
from pkgutil import iter_modules

from scorekeeper.rules.game import Game

GAMES: dict[str, Game] = {
    game.key: game
    for game in (
        import_module(f"{__name__}.{module.name}").GAME
        for module in iter_modules(__path__)
        if not module.name.startswith("_")
    )
}
"""Every game by the key that the JSON contract uses."""
