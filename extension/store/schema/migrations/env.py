"""Alembic loads this file by path, on a connection that `extension.store.schema.upgrade` opened in a transaction."""

from alembic import context

from extension.store.schema.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters tables by copying them
)
with context.begin_transaction():
    context.run_migrations()
