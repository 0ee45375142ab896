"""Examination of an open data folder: files and tables that go missing while the service runs."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection, inspect

from extension.store import errors
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.installation import KEY_FILE
from extension.store.regular_file import read_regular
from extension.store.schema.tables import METADATA

RECOVERY: Final = (
    "Stop the service, then restore the data folder from a backup, or move poolkeeper.db away, where it is still "
    "there, to begin anew without runs and action history. The gateway serves inference meanwhile."
)

_SUITED: Final = "Correct that, then start the service again. The gateway serves inference meanwhile."
_INSTALLED: Final = (
    "Install it where Poolkeeper is installed (pip install 'poolkeeper[fleet]'), then start the service again. "
    "The gateway serves inference meanwhile."
)

TRIED_AGAIN: Final = "It is tried again by itself, every minute at least. The gateway serves inference meanwhile."
"""Next step after a fault that may pass: none, once its cause is gone."""


def recovery(fault: errors.StoreError) -> str:
    """Return the next step after a fault of the data folder or the database."""
    if isinstance(fault, errors.DatabaseUnsuited):
        return _INSTALLED if isinstance(fault, errors.DriverMissing) else _SUITED
    if isinstance(fault, errors.InstallationKeyForeign):
        return _SUITED
    return TRIED_AGAIN if may_pass(fault) else RECOVERY


def may_pass(fault: errors.StoreError) -> bool:
    """Return whether a fault ends with its cause (room, access, a server, another service), and no file is lost."""
    return isinstance(fault, errors.DataFolderUnusable | errors.DataFolderInUse | errors.DatabaseUnavailable)


@dataclass(frozen=True, slots=True)
class Integrity:
    """The files of a data folder as they were when it was opened; `key_mark` is a digest of the installation key."""

    folder: DataFolder
    identity: tuple[int, int]
    key_mark: str

    @classmethod
    def of(cls, folder: DataFolder) -> Self:
        """Note the files as they are now, or raise `DatabaseTrouble`."""
        return cls(folder, _identity(folder), _mark(folder.path / KEY_FILE))

    async def fault(self, database: Database) -> errors.StoreError | None:
        """Return what is missing or was replaced; None when everything is there."""
        try:
            if _identity(self.folder) != self.identity:
                return errors.DatabaseTrouble(f"{self.folder.database} was replaced while the service ran. {RECOVERY}")
            key = self.folder.path / KEY_FILE
            if _mark(key) != self.key_mark:
                harm = "overwritten" if key.exists() else "deleted"
                return errors.InstallationKeyLost(f"{key} was {harm} while the service ran. {RECOVERY}")
        except errors.DatabaseTrouble as error:
            return error
        try:
            missing = await database.read(_missing_tables)
        except errors.DatabaseTrouble as error:
            return None if may_pass(error) else error
        if missing:
            return errors.DatabaseTrouble(f"{self.folder.database} has lost its table {missing[0]}. {RECOVERY}")
        return None


def _identity(folder: DataFolder) -> tuple[int, int]:
    try:
        status = folder.database.stat()
    except OSError:
        raise errors.DatabaseTrouble(f"{folder.database} is missing. {RECOVERY}") from None
    return status.st_dev, status.st_ino


def _mark(key: Path) -> str:
    """Return a digest of the installation key, of nothing where the file cannot be read."""
    try:
        content = read_regular(key)
    except OSError:
        content = b""
    return hashlib.sha256(content.strip()).hexdigest()


def _missing_tables(transaction: Connection) -> list[str]:
    return sorted(METADATA.tables.keys() - set(inspect(transaction).get_table_names()))
