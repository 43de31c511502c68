"""A seal on whose phone is whose; postings belong to a round, and answers have no status.

Revision ID: 0006
"""

import hmac
import json

import sqlalchemy as sa
from alembic import op
from flask import current_app

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("head", sa.Column("claims", sa.LargeBinary(32)))
    connection = op.get_bind()
    said: dict[str, list[tuple[int, int, int | None]]] = {}
    for series_id, *claim in connection.execute(
        sa.text("SELECT series_id, device_id, since, player_id FROM claim")
    ):
        said.setdefault(series_id, []).append(tuple(claim))
    sealed = sa.text("UPDATE head SET claims = :seal WHERE series_id = :series")
    for series_id in connection.scalars(sa.text("SELECT series_id FROM head")).all():
        seal = _seal(series_id, said.get(series_id, []))
        connection.execute(sealed, {"series": series_id, "seal": seal})
    with op.batch_alter_table("head") as head:
        head.alter_column("claims", existing_type=sa.LargeBinary(32), nullable=False)
    with op.batch_alter_table("kept_answer") as kept_answer:
        kept_answer.drop_column("status")
    with op.batch_alter_table("posting") as posting:
        posting.alter_column("round_number", existing_type=sa.Integer, nullable=False)
    if connection.dialect.name == "sqlite":
        # It makes a new table of it, without the triggers of the old one.
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER posting_keeps_{change.lower()} BEFORE {change} ON posting "
                "BEGIN SELECT RAISE(ABORT, 'posting is append-only'); END"
            )


def _seal(series_id: str, claims: list[tuple[int, int, int | None]]) -> bytes:
    """What the ledger seals them with."""
    content = json.dumps(sorted(claims), separators=(",", ":")).encode()
    parts = b"claims", series_id.encode(), content
    return hmac.digest(current_app.config["SECRET_KEY"], b"|".join(parts), "sha256")
