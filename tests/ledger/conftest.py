"""The tests in this folder run on SQLite and on PostgreSQL, which they start themselves."""

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param
