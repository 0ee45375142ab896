"""Brings a database to the newest schema: a new SQLite file at once, any other by migrations."""

from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from extension.store.errors import DatabaseTooNew
from extension.store.schema.dialects import tables_with_lost_references
from extension.store.schema.new_database import create_if_empty
from extension.store.schema.revisions import is_newest

if TYPE_CHECKING:
    from alembic.config import Config


def configuration() -> "Config":
    """Return Alembic's configuration for the revisions that are shipped with this package; no file is read."""
    from alembic.config import Config

    config = Config()
    config.set_main_option(
        "script_location", str(files("extension.store.schema").joinpath("migrations")).replace("%", "%%")
    )
    config.set_main_option("recursive_version_locations", "true")  # revisions are in folders by their time
    return config


def upgrade_to_head(connection: Connection) -> None:
    """Make the tables of a new database, or run the migrations that are missing; in the caller's transaction.

    Raises:
        DatabaseTooNew: the database is at a revision that this version does not know.
    """
    create_if_empty(connection)
    if not is_newest(connection):
        upgrade_to(connection, "head")


def upgrade_to(connection: Connection, revision: str) -> None:
    """Run the migrations up to a revision, in the caller's transaction.

    Raises:
        DatabaseTooNew: the database is at a revision that this version does not know.
    """
    from alembic.command import upgrade
    from alembic.util.exc import CommandError

    config = configuration()
    config.attributes["connection"] = connection
    try:
        upgrade(config, revision)
        _require_whole(connection)
    except CommandError as error:
        if "locate revision" not in str(error):
            raise
        raise DatabaseTooNew(
            "The database was written by a newer version of Poolkeeper, and nothing was changed. "
            "Start that version again, or restore the backup made before the update."
        ) from error


def _require_whole(connection: Connection) -> None:
    """Make sure that no row has lost the one it refers to.

    Raises:
        IntegrityError: one has; the transaction must be rolled back.
    """
    lost = tables_with_lost_references(connection)
    if lost:
        raise IntegrityError(None, None, ValueError(f"rows without the one they refer to: {', '.join(lost)}"))
