"""The first books: series, people, events, rounds, postings, secrets and devices.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

APPEND_ONLY = ("event", "round_revision", "posting")


def upgrade() -> None:
    op.create_table(
        "device",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("created_at", sa.String(20), nullable=False),
        sa.UniqueConstraint("token_hash", name="device_token_hash"),
    )
    op.create_table(
        "series",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("length", sa.Integer),
        sa.Column("created_at", sa.String(20), nullable=False),
    )
    op.create_table(
        "event",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("at", sa.String(20), nullable=False),
        sa.Column("by", sa.Integer, sa.ForeignKey("device.id")),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
    )
    op.create_table(
        "head",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("seal", sa.LargeBinary(32), nullable=False),
    )
    op.create_table(
        "player",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("event_number", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )
    op.create_table(
        "player_name",
        sa.Column("series_id", sa.String(16), primary_key=True),
        sa.Column("player_id", sa.Integer, primary_key=True),
        sa.Column("event_number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["series_id", "player_id"], ["player.series_id", "player.id"]),
        sa.ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )
    op.create_table(
        "round_revision",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("round_number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("event_number", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
    )
    op.create_table(
        "posting",
        sa.Column("series_id", sa.String(16), primary_key=True),
        sa.Column("event_number", sa.Integer, primary_key=True),
        sa.Column("line", sa.Integer, primary_key=True),
        sa.Column("round_number", sa.Integer),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("unit", sa.String(10), nullable=False),
        sa.ForeignKeyConstraint(["series_id", "event_number"], ["event.series_id", "event.number"]),
        sa.ForeignKeyConstraint(["series_id", "player_id"], ["player.series_id", "player.id"]),
    )
    op.create_table(
        "kept_answer",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("body_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
    )
    op.create_table(
        "secret",
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("role", sa.String(10), primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.UniqueConstraint("hash", name="secret_hash"),
    )
    op.create_table(
        "grant",
        sa.Column("device_id", sa.Integer, sa.ForeignKey("device.id"), primary_key=True),
        sa.Column("series_id", sa.String(16), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("role", sa.String(10), primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_keeps_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )
    else:
        op.execute(
            "CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
            "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
        )
        for table in APPEND_ONLY:
            op.execute(
                f"CREATE TRIGGER {table}_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
            )
