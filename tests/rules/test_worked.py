"""The worked rounds of every game, settled: what was worked out by hand is what comes out."""

import pytest

from scorekeeper.rules import settle
from scorekeeper.rules.games import GAMES

from ..worked.reader import FILES, Worked, mistakes, read

ROUNDS = {
    f"{game}: {worked.title}": worked for game, path in FILES.items() for worked in read(path)
}


@pytest.mark.parametrize("worked", ROUNDS.values(), ids=ROUNDS)
def test_worked_round(worked: Worked):
    assert mistakes(worked, settle) == []


def test_every_game_has_its_file():
    assert set(FILES) == set(GAMES), "a game is one file, and tests/worked/ has one of its name"


@pytest.mark.parametrize("game", FILES)
def test_every_house_rule_is_worked(game):
    rounds = read(FILES[game])
    tried = {rule for worked in rounds for rule in worked.document.get("rules", {})}
    assert set(GAMES[game].defaults) <= tried


@pytest.mark.parametrize("game", FILES)
def test_refusals_and_dealers_are_worked(game):
    lines = {line for worked in read(FILES[game]) for line in worked.expected}
    assert {"amounts", "refused", "next dealer"} <= lines
