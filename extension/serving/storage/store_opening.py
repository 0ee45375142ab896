"""Data folder and installation key of a service, with the fault that leaves it without inspection."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from extension.store.data_folder import DataFolder
from extension.store.errors import DataFolderUnusable, StoreError
from extension.store.installation import begins_anew, installation_key, require_database

KEY_BYTES: Final = 32
StoreFaults = Callable[[StoreError], bool]
"""Predicate on errors of the store."""
_BEGINS_ANEW: Final = (
    "{} is not there, although a start before this one has used this data folder: runs and action history begin anew. "
    "If there were any, stop the service and restore the file from a backup."
)

_log = structlog.get_logger("poolkeeper.serving")


def no_fault(_: StoreError) -> bool:
    """Return false: a service starts whatever its store says."""
    return False


def every_fault(_: StoreError) -> bool:
    """Return true: nothing is done without the store."""
    return True


def folder_of(path: Path, ends_at: StoreFaults) -> tuple[DataFolder, StoreError | None]:
    """Open the data folder; the service goes on without it, and without inspection, where the start does not end."""
    try:
        return DataFolder.open(path), None
    except DataFolderUnusable as fault:
        if ends_at(fault):
            raise
        return DataFolder.without_files(path), fault


def installation_of(folder: DataFolder, ends_at: StoreFaults, *, local: bool) -> tuple[bytes, StoreError | None]:
    """Read the installation key, as `folder_of`; `local` when the database is in the folder."""
    try:
        if local:
            require_database(folder)
            if begins_anew(folder):
                _log.warning(_BEGINS_ANEW.format(folder.database))
        return installation_key(folder), None
    except StoreError as found:
        if ends_at(found):
            raise
        return os.urandom(KEY_BYTES), found
