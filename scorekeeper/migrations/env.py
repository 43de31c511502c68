"""Runs the migrations on the connection that the ledger opened, inside its transaction."""

from alembic import context

from scorekeeper.ledger.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
