"""Reasons of corrections, in a table that can be erased; a series is as old as its first event.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "reason",
        sa.Column("series_id", sa.String(16), primary_key=True),
        sa.Column("event_number", sa.Integer, primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )
    # The two clocks could be a second apart; `check` holds one against the other.
    op.execute(
        "UPDATE series SET created_at = ("
        "SELECT event.at FROM event WHERE event.series_id = series.id AND event.number = 1)"
    )
