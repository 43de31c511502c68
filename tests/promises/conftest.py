"""The tests in this folder run on SQLite and on PostgreSQL, which they start themselves."""

import os
import random
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import text

from scorekeeper.ledger.database import writing
from scorekeeper.ledger.tables import db

from ..api.conftest import Phone


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """A new seed each time, or the one in SEED; every test makes its own dice of it."""
    seed = os.environ.get("SEED") or secrets.token_hex(4)
    print(f"SEED={seed}")
    return f"{seed} {request.node.name}"


@pytest.fixture
def dice(seed: str) -> random.Random:
    return random.Random(seed)


@pytest.fixture
def phone(app) -> Phone:
    # An error of ours must be seen as what a phone sees: a 500.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return Phone(app)


@contextmanager
def behind_its_back(kind: str) -> Iterator[Callable[..., Any]]:
    """Runs statements that the ledger never would, as somebody with the database's file could.

    They are given their values by name.
    """
    if kind == "postgresql":
        with writing() as books:
            books.execute(text("SET LOCAL session_replication_role = replica"))
            yield lambda statement, **values: books.execute(text(statement), values)
        return
    # Another program that opens the file need not keep foreign keys.
    with closing(sqlite3.connect(db.engine.url.database)) as file, file:
        kept = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = file.execute(kept).fetchall()
        file.execute("PRAGMA synchronous = OFF")  # nobody would miss it
        for name, _ in triggers:
            file.execute(f"DROP TRIGGER {name}")
        yield lambda statement, **values: file.execute(statement, values)
        for _, made in triggers:
            file.execute(made)
