"""The schema of a new SQLite database, as the migrations make it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import create_engine

from extension.store.schema.new_database import NEWEST_SCHEMA, schema_of
from extension.store.schema.upgrade import upgrade_to

SCHEMA_FILE: Final = f"extension/store/schema/{NEWEST_SCHEMA}"


def migrated_schema() -> str:
    """Run every migration on an empty database and return the statements of what they made."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        upgrade_to(connection, "head")
        text = schema_of(connection)
    engine.dispose()
    return text
