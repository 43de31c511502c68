"""P2: `kill -9` loses no round that was told to be saved, and leaves none half-written.

Six people save rounds, each in a series of their own and as fast as they can, in a process that is
killed while they do; they are committed together, see `scorekeeper.ledger.turns`. KILLS says how
often.
"""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import event

from scorekeeper import create_app, ledger
from scorekeeper.bootstrap import ROOT
from scorekeeper.ledger import turns
from scorekeeper.ledger.tables import db

from ..conftest import close

KILLS = int(os.environ.get("KILLS", "5"))
WRITERS = 6


@pytest.fixture
def kind() -> str:
    return "sqlite"


def document(number: int) -> dict[str, object]:
    seats = [{"player": 1, "points": 140}, {"player": 2, "points": 124}]
    return {"number": number, "seats": seats}


def write_until_killed(folder: str, *all_series: str, early: bool = False) -> None:
    """Saves rounds in a thread for each series, and says which on standard output."""
    app = create_app({"DATA": folder})

    def saves(series: str) -> None:
        with app.app_context():
            number = ledger.read(series).next_number
            while True:
                ledger.record(series, document(number), key=f"tap {number}")
                os.write(1, f"{series} {number}\n".encode())
                number += 1

    if early:
        with app.app_context():
            event.listen(db.engine, "commit", lambda connection: time.sleep(0.1))
        setattr(turns._Together, "wait", lambda together: None)  # noqa: B010
    for series in all_series:
        threading.Thread(target=saves, args=(series,)).start()


def kill_and_look(folder: Path, dice: random.Random, kills: int, **more: bool) -> None:
    """Kills a process that saves, looks what there is, and lets another go on from there."""
    app = create_app({"DATA": folder})
    with app.app_context():
        everywhere = [ledger.start("bakappana", {}, ["Aki", "Ben"]) for _ in range(WRITERS)]
    close(app)
    told = dict.fromkeys(everywhere, 0)
    arguments = ", ".join(map(repr, (str(folder), *everywhere)))
    call = f"write_until_killed({arguments}, **{more!r})"
    words = [sys.executable, "-c", f"from {__name__} import write_until_killed; {call}"]
    for _ in range(kills):
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            lines = [process.stdout.readline() for _ in range(dice.randint(1, 40))]
            time.sleep(dice.random() / 50)
            process.kill()
            lines += process.stdout.readlines()
        for line in lines:
            series, saved = line.split()
            told[series] = int(saved)
        app = create_app({"DATA": folder})
        with app.app_context():
            assert ledger.check().differences == ()
            for series, number in told.items():
                there = ledger.read(series).next_number - 1
                assert there >= number, f"round {number} of {series} was told to be saved"
                if there:
                    again = ledger.record(series, document(there), key=f"tap {there}")
                    assert (again.repeated, again.round.number) == (True, there)
                    assert ledger.read(series).next_number - 1 == there
        close(app)


def test_what_was_told_to_be_saved_is_there_after_a_kill(tmp_path, dice):
    kill_and_look(tmp_path, dice, KILLS)


def test_a_build_that_says_it_too_early_is_caught(tmp_path, dice):
    with pytest.raises(AssertionError, match="was told to be saved"):
        kill_and_look(tmp_path, dice, 10, early=True)
