"""Short codes to type and wrong tries at them, and whose phone is whose.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("grant", sa.Column("joined_at", sa.String(32)))
    op.create_table(
        "typed_code",
        sa.Column("hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("start_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("salt", sa.LargeBinary(16), nullable=False),
        sa.Column("expires_at", sa.String(20), nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.UniqueConstraint("start_hash", name="typed_code_start_hash"),
    )
    op.create_table(
        "wrong_try",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("client", sa.LargeBinary(32), nullable=False),
        sa.Column("at", sa.String(20), nullable=False),
    )
    op.create_index("wrong_try_client", "wrong_try", ["client"])
    op.create_table(
        "claim",
        sa.Column("device_id", sa.Integer, sa.ForeignKey("device.id"), primary_key=True),
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("since", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Integer),
        sa.ForeignKeyConstraint(["series_id", "player_id"], ["player.series_id", "player.id"]),
    )
