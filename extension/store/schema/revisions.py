"""Revisions of the schema, read from the file names of the migrations.

Importing Alembic takes 0.15 s of processor time; a start with nothing to migrate does without it.
"""

from importlib.resources import files
from typing import Final

from sqlalchemy import Connection, inspect

VERSION_TABLE: Final = "alembic_version"
_MIGRATIONS: Final = files("extension.store.schema").joinpath("migrations", "versions")


def known_revisions() -> frozenset[str]:
    """Return the revisions that this version can upgrade from."""
    names = (file.name for folder in _MIGRATIONS.iterdir() if folder.is_dir() for file in folder.iterdir())
    return frozenset(name.partition("_")[0] for name in names if name.endswith(".py") and name[0].isdecimal())


def newest_revision() -> str:
    """Return the revision of this version's schema."""
    return max(known_revisions())


def is_newest(connection: Connection) -> bool:
    """Return whether a database has the schema of this version."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return False
    stored = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalars().all()  # noqa: S608
    return stored == [newest_revision()]
