"""The piles of the round in progress, each from its own phone, and a round that waits for a yes.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "pending",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("device_id", sa.Integer, sa.ForeignKey("device.id"), primary_key=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("change", sa.Integer, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
