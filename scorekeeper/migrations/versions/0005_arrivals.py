"""The phones of a series, by the order in which they came into it.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "arrival",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("device_id", sa.Integer, sa.ForeignKey("device.id"), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.UniqueConstraint("series_id", "number", name="arrival_number"),
    )
    # Of the phones until now nobody wrote down who came first: they are counted as they were made.
    op.execute(
        """
        INSERT INTO arrival (series_id, device_id, number)
        SELECT series_id, device_id,
               row_number() OVER (PARTITION BY series_id ORDER BY device_id)
        FROM (
            SELECT series_id, device_id FROM "grant"
            UNION SELECT series_id, device_id FROM claim
            UNION SELECT series_id, "by" FROM event WHERE "by" IS NOT NULL
        ) AS known
        """
    )
