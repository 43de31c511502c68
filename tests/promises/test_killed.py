"""P2: `kill -9` loses no round that was told to be saved, and leaves none half-written.

Six people save rounds, each in a series of their own and as fast as they can, in a process that is
killed while they do; they are committed together, see `scorekeeper.ledger.turns`. KILLS says how
often.
"""

import multiprocessing
import os
import random
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import event

from scorekeeper import create_app, ledger
from scorekeeper.ledger import turns
from scorekeeper.ledger.tables import db

from ..conftest import close

KILLS = int(os.environ.get("KILLS", "50"))
WRITERS = 6

# Of a process that has imported everything and runs nothing: to begin with an interpreter each time
# takes longer than what is to be killed.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__])


@pytest.fixture
def kind() -> str:
    return "sqlite"


def document(number: int) -> dict[str, object]:
    seats = [{"player": 1, "points": 140}, {"player": 2, "points": 124}]
    return {"number": number, "seats": seats}


def write_until_killed(
    to: Connection, folder: str, all_series: list[str], early: bool = False
) -> None:
    """Saves rounds in a thread for each series, and says which."""
    app = create_app({"DATA": folder})

    def saves(series: str) -> None:
        with app.app_context():
            number = ledger.read(series).next_number
            while True:
                ledger.record(series, document(number), key=f"tap {number}")
                os.write(to.fileno(), f"{series} {number}\n".encode())
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
    for _ in range(kills):
        ours, theirs = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(
            target=write_until_killed, args=(theirs, str(folder), everywhere), kwargs=more
        )
        process.start()
        theirs.close()
        with ours, open(os.dup(ours.fileno()), encoding="ascii") as said:
            lines = [said.readline() for _ in range(dice.randint(1, 40))]
            time.sleep(dice.random() / 50)
            process.kill()
            lines += said.readlines()
        process.join()
        for line in lines:
            series, saved = line.split()
            told[series] = int(saved)
        app = create_app({"DATA": folder})
        with app.app_context():
            for series, number in told.items():
                there = ledger.read(series).next_number - 1
                assert there >= number, f"round {number} of {series} was told to be saved"
                if there:
                    again = ledger.record(series, document(there), key=f"tap {there}")
                    assert (again.repeated, again.round.number) == (True, there)
                    assert ledger.read(series).next_number - 1 == there
        close(app)
    # What was half-written at any of the kills is half-written still.
    app = create_app({"DATA": folder})
    with app.app_context():
        assert ledger.check().differences == ()
    close(app)


def test_what_was_told_to_be_saved_is_there_after_a_kill(tmp_path, dice):
    kill_and_look(tmp_path, dice, KILLS)


def test_a_build_that_says_it_too_early_is_caught(tmp_path, dice):
    with pytest.raises(AssertionError, match="was told to be saved"):
        kill_and_look(tmp_path, dice, 10, early=True)
