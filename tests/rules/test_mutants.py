"""Twenty and more ways to get a rule wrong, each noticed by a worked round or by a law.

A mutant is the engine with one small piece of its source replaced, imported as a package of another
name. Where that piece is no longer in the source, the mutant has to be written anew.
"""

import importlib
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import scorekeeper.rules
from scorekeeper.rules.games import GAMES

from ..worked.reader import FILES, mistakes, read
from .test_laws import keep_laws

Settle = Callable[[Any], dict[str, Any]]
SOURCE = Path(scorekeeper.rules.__file__).parent


class Mutant(NamedTuple):
    """A piece of a file, and what stands there instead; ``seen_by`` is what must notice it."""

    file: str
    right: str
    wrong: str
    seen_by: str = "worked"


BAKAPPANA, YOKOHAMA, HACHI, KAGAS = (
    f"games/{name}.py" for name in ("bakappana", "yokohama_bana", "hachi_hachi", "kaga")
)

MUTANTS = {
    "the lower pays becomes the higher pays": Mutant(
        "settlement.py", "return scores[one] - scores[other]", "return scores[other] - scores[one]"
    ),
    "payments go the wrong way": Mutant(
        "settlement.py", "self.payments.append(Payment(payer, to,",
        "self.payments.append(Payment(to, payer,",
    ),
    "the latest from the dealer takes a tied share": Mutant(
        "settlement.py", "tally.round_the_table(tied)[0]", "tally.round_the_table(tied)[-1]"
    ),
    "turn order runs the other way": Mutant(
        "tally.py", "(seat - self.dealer) %", "(self.dealer - seat) %"
    ),
    "the deal rotates back": Mutant(
        "settlement.py", "(tally.dealer + 1) %", "(tally.dealer - 1) %"
    ),
    "the stopper wins only with the greatest amount": Mutant(
        "settlement.py", "return [self.tally.stopper]", "return best(self.amounts)"
    ),
    "the weakest teyaku counts instead of the best": Mutant(
        "tally.py", "best = max(formeds, key=", "best = min(formeds, key="
    ),
    "a hidden teyaku counts": Mutant(
        "counting.py", "if seat.teyaku is None:", "if seat.hand is not None or seat.teyaku is None:"
    ),
    "the greatest multiplier waits instead of the least": Mutant(
        "counting.py", "return (waiting[0], waiting[1:])", "return (waiting[-1], waiting[:-1])"
    ),
    "stacked brights are added": Mutant(
        "counting.py", "return prod(shown), []", "return sum(shown), []"
    ),
    "the rain man is one of the four brights": Mutant(
        "cards.py", 'FOUR_BRIGHTS = Cards.parse("1B 3B 8B 12B")',
        'FOUR_BRIGHTS = Cards.parse("1B 3B 8B 11B")',
    ),
    "a plain ribbon is one of the blue ones": Mutant(
        "cards.py", 'BLUE_RIBBONS = Cards.parse("6R 9R 10R")',
        'BLUE_RIBBONS = Cards.parse("6R 9R 7R")',
    ),
    "the willow ribbon counts among the seven": Mutant(
        "yaku.py", "holds_any(7, RIBBONS - WILLOW_RIBBON)", "holds_any(7, RIBBONS)"
    ),
    "three cards of a month make it whole": Mutant(
        "yaku.py", "if not month.cards.mask & ~may_have",
        "if (month.cards.mask & ~may_have).bit_count() < 2",
    ),
    "willow cards weigh nothing in dandruff": Mutant(
        YOKOHAMA, "points_at_most(15, EIGHTY_EIGHT, willow=1)",
        "points_at_most(15, EIGHTY_EIGHT, willow=0)",
    ),
    "< for <= at fifteen points": Mutant(
        "yaku.py", "1 if points is not None and points <= limit else None",
        "1 if points is not None and points < limit else None",
    ),
    "> for >= at fourteen chaff": Mutant(
        "yaku.py", "1 if least >= needed else", "1 if least > needed else"
    ),
    "> for >= at 168 points": Mutant("yaku.py", "pile.points >= limit)", "pile.points > limit)"),
    "chaff beyond sixteen is counted from fifteen": Mutant(
        "yaku.py", "return least - needed if", "return least - needed + 1 if"
    ),
    "full tens are rounded up": Mutant(
        BAKAPPANA, "share = (points - less) // 10", "share = -((less - points) // 10)"
    ),
    "the working adds what the amount subtracts": Mutant(
        BAKAPPANA, "others=total - share,", "others=total + share,", "laws",
    ),
    "the teyaku of the others are forgotten": Mutant(
        YOKOHAMA, "(len(teyaku) - 1) - others)", "(len(teyaku) - 1))"
    ),
    "fourteen chaff come first for everybody": Mutant(
        YOKOHAMA, "others = [other for other in tally.seats if other != seat]",
        "others = list(tally.seats)",
    ),
    "the multiplier is forgotten for yaku": Mutant(
        HACHI, "amount = value * tally.multiplier", "amount = value"
    ),
    "the multiplier is forgotten for card points": Mutant(
        HACHI, "PAR, tally.counted_points(), tally.multiplier", "PAR, tally.counted_points()"
    ),
    "a dekiyaku is paid in full when nobody ended the round": Mutant(
        HACHI, "seat, dekiyaku // 2", "seat, dekiyaku"
    ),
    "par is 84": Mutant(HACHI, "PAR = 88", "PAR = 84"),
    "one of two who played on pays for all": Mutant(
        HACHI, '"double" and len(went_on) == 1', '"double" and len(went_on) >= 1'
    ),
    "the second whole month brings nothing": Mutant(
        KAGAS, "SHIMA.worth(20, further=20)", "SHIMA.worth(20, further=0)"
    ),
    "empty hands are a full deck": Mutant(KAGAS, "(HANDS_EMPTY, DRAIN)", "(DRAIN, HANDS_EMPTY)"),
    "the yellow paulownia chaff is worth nothing": Mutant(
        KAGAS, '"11R 12C1 12C2 12C3"', '"11R 12C2 12C3"'
    ),
}  # fmt: skip


@contextmanager
def engine(folder: Path, mutant: Mutant | None) -> Iterator[Settle]:
    """A copy of the engine, mutated; gives its `settle`."""
    name = f"engine_{folder.name}".replace("-", "_")
    copy = folder / name
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if mutant is not None:
        mutate(copy / mutant.file, mutant)
    for path in copy.rglob("*.py"):
        text = path.read_text(encoding="utf-8").replace("scorekeeper.rules", name)
        path.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(name).settle
    finally:
        sys.path.remove(str(folder))
        for module in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[module]


def mutate(path: Path, mutant: Mutant) -> None:
    source = path.read_text(encoding="utf-8")
    times = source.count(mutant.right)
    if times != 1:
        pytest.fail(
            f"{mutant.file} has {times} times, not once: {mutant.right}\n"
            "The rules were written anew, so write this mutant anew as well."
        )
    path.write_text(source.replace(mutant.right, mutant.wrong), encoding="utf-8")


def worked_rounds_notice(settle: Settle) -> bool:
    return any(mistakes(worked, settle) for path in FILES.values() for worked in read(path))


def laws_notice(settle: Settle, rounds: int = 300) -> bool:
    seeds = random.Random(1).sample(range(100_000), rounds)
    try:
        for seed in seeds:
            for game in GAMES:
                keep_laws(game, seed, settle)
    except AssertionError:
        return True
    return False


NOTICES = {"worked": worked_rounds_notice, "laws": laws_notice}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_a_mutant_is_noticed(tmp_path, mutant):
    with engine(tmp_path, mutant) as settle:
        assert NOTICES[mutant.seen_by](settle)


def test_the_engine_itself_is_not(tmp_path):
    with engine(tmp_path, None) as settle:
        assert not worked_rounds_notice(settle)
        assert not laws_notice(settle, rounds=30)


def test_a_mutant_of_source_that_is_gone_says_so(tmp_path):
    gone = Mutant("cards.py", "no such line", "")
    with pytest.raises(pytest.fail.Exception, match=r"cards\.py has 0 times.*: no such line"):
        mutate(SOURCE / gone.file, gone)
