"""Copies of the database file, made before a migration changes it."""

import sqlite3
from contextlib import closing
from filecmp import cmp

from extension.store.data_folder import DataFolder
from extension.store.errors import DatabaseUnavailable
from extension.store.schema.upgrade import known_revisions

KEPT = 3
"""Copies that are kept, the newest ones."""


def copy_before_upgrade(folder: DataFolder, now: int) -> None:
    """Copy the database beside its place if a migration is about to change it, and delete the oldest copies.

    The copy has mode 0600, and the former revision and the time in its name. A file that is no readable database is not
    copied: opening it says why. A second copy of the same content, of an upgrade that is tried again, would push out
    older ones, so it goes. A copy that cannot be written raises `DatabaseUnavailable` or `DataFolderUnusable`.
    """
    revision, known = _revision(folder), known_revisions()
    if revision not in known or revision == max(known):
        return
    target = folder.path / f"{folder.database.name}.{revision}-{now:015}.bak"
    folder.private_file(target)
    try:
        # The backup interface also copies the changes that are in the write-ahead log only.
        with closing(sqlite3.connect(folder.database)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise DatabaseUnavailable(
            f"The database could not be copied before its upgrade, and nothing was changed ({error}). "
            f"Make room in {folder.path}, and start again."
        ) from error
    copies = sorted(folder.path.glob(f"{folder.database.name}.*.bak"), key=lambda path: path.name.rpartition("-")[2])
    if any(cmp(target, copy, shallow=False) for copy in copies if copy != target):
        target.unlink()
        return
    for old in copies[:-KEPT]:
        old.unlink(missing_ok=True)


def _revision(folder: DataFolder) -> str | None:
    """Return the revision of the database; None for a new or unreadable file."""
    try:
        with closing(sqlite3.connect(folder.database)) as raw:
            row = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error:
        return None
    return None if row is None else str(row[0])
