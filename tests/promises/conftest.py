"""The tests in this folder run on SQLite and on PostgreSQL, which they start themselves."""

import os
import random
import secrets

import pytest
from sqlalchemy import text

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


def let_in(books, kind: str) -> None:
    """Does what the database keeps everybody from doing, as somebody with its file could."""
    if kind == "postgresql":
        books.execute(text("SET LOCAL session_replication_role = replica"))
        return
    for table in "event", "round_revision", "posting":
        for change in "update", "delete":
            books.execute(text(f"DROP TRIGGER IF EXISTS {table}_keeps_{change}"))
