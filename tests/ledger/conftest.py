"""The tests in this folder run on SQLite and on PostgreSQL, which they start themselves.

They ask the ledger alone and change nothing of the app around it, so that one app for each kind of
database serves them all; its books are new for each.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorekeeper import create_app
from scorekeeper.ledger.tables import db

from ..conftest import close


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def apps() -> Iterator[dict[str, Flask]]:
    """The apps that are open, by kind."""
    opened: dict[str, Flask] = {}
    yield opened
    for app in opened.values():
        close(app)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the books of these tests are, one after the other."""
    return tmp_path_factory.mktemp("ledger") / "data"


@pytest.fixture
def app(kind: str, config: dict[str, Any], apps: dict[str, Flask]) -> Iterator[Flask]:
    if kind not in apps:
        apps[kind] = create_app({"TESTING": True, **config})
    with apps[kind].app_context():
        yield apps[kind]
        db.engine.dispose()
