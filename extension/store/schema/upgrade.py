"""Brings a database to the newest schema: a new one at once, one of an earlier version by migrations.

Importing Alembic takes 0.15 s of processor time; a start with nothing to migrate does without it.
"""

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect

from extension.store.errors import DatabaseTooNew, DatabaseTooOld
from extension.store.schema.client_tables import KEY_ACTIONS
from extension.store.schema.command_tables import COMMANDS
from extension.store.schema.fleet_tables import GATEWAYS
from extension.store.schema.operator_tables import OPERATORS
from extension.store.schema.sealed_tables import SEALED
from extension.store.schema.usage_tables import USAGE_EVENTS

if TYPE_CHECKING:
    from alembic.config import Config

# Taken from every module of tables: one that is not imported would leave its tables out.
_METADATA: Final = next(
    iter({table.metadata for table in (COMMANDS, GATEWAYS, KEY_ACTIONS, OPERATORS, SEALED, USAGE_EVENTS)})
)
ALL_TABLES: Final = {table.name: table for table in _METADATA.sorted_tables}
"""All tables by name, those that others refer to first."""
VERSION_TABLE: Final = "alembic_version"
_SCRIPTS: Final = files("extension.store.schema").joinpath("migrations")


def known_revisions() -> frozenset[str]:
    """Return the revisions that this version can upgrade from, read from the file names of the migrations."""
    names = (file.name for file in _SCRIPTS.joinpath("versions").iterdir())
    return frozenset(name.partition("_")[0] for name in names if name.endswith(".py") and name[0].isdecimal())


def newest_revision() -> str:
    """Return the revision of this version's schema."""
    return max(known_revisions())


def stored_revision(connection: Connection) -> str | None:
    """Return the revision of a database; None where there is none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    row = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").one_or_none()  # noqa: S608
    return None if row is None else str(row[0])


def configuration() -> "Config":
    """Return Alembic's configuration for the revisions that are shipped with this package; no file is read."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config


def upgrade_to_head(connection: Connection) -> None:
    """Make the tables of a new database, or run the migrations that are missing; in the caller's transaction.

    Raises:
        DatabaseTooNew: the database is at a revision that this version does not know.
        DatabaseTooOld: the database is from before the first release.
    """
    revision, known = stored_revision(connection), known_revisions()
    if revision is None:
        _create(connection)
    elif revision not in known:
        raise _unknown(revision, known)
    elif revision != max(known):
        from alembic.command import upgrade

        config = configuration()
        config.attributes["connection"] = connection
        upgrade(config, "head")


def _create(connection: Connection) -> None:
    _METADATA.create_all(connection, checkfirst=False)
    connection.exec_driver_sql(
        f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL, "
        f"CONSTRAINT {VERSION_TABLE}_pkc PRIMARY KEY (version_num))"
    )
    connection.exec_driver_sql(f"INSERT INTO {VERSION_TABLE} VALUES ('{newest_revision()}')")  # noqa: S608


def _unknown(revision: str, known: frozenset[str]) -> DatabaseTooNew | DatabaseTooOld:
    if revision < min(known):
        return DatabaseTooOld(
            f"The database is from before the first release of Poolkeeper (revision {revision}), and nothing was "
            "changed. Start with a new data folder (POOLKEEPER_DATA_DIR) or a new database (POOLKEEPER_DATABASE_URL)."
        )
    return DatabaseTooNew(
        "The database was written by a newer version of Poolkeeper, and nothing was changed. "
        "Start that version again, or restore the backup made before the update."
    )
