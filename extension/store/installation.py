"""The installation key: 32 random bytes that the identities of accounts are made with.

It is kept outside the database, in `secret.key` of the data folder (mode 0600), and belongs in every backup: without it
no stored account can be recognized again. A shared database holds a mark of the key it was made with.
"""

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Final

from sqlalchemy import insert, select

from extension.store.data_folder import DataFolder
from extension.store.database.database import Transaction
from extension.store.errors import DatabaseTrouble, DataFolderUnusable, InstallationKeyForeign, InstallationKeyLost
from extension.store.regular_file import read_regular
from extension.store.schema.tables import INSTALLATIONS

KEY_FILE = "secret.key"
"""Name of the file of the installation key."""
_SIZE = 32
_PURPOSE: Final = b"poolkeeper installation"
_LATER = ("sessions.json",)


def installation_key(folder: DataFolder) -> bytes:
    """Return the key of this installation, making it at the first start.

    Raises:
        InstallationKeyLost: the file is damaged, or missing while a database is there.
        DataFolderUnusable: it cannot be read or written.
    """
    path = folder.path / KEY_FILE
    try:
        if path.exists():
            return _read(path)
        if folder.database.exists() and folder.database.stat().st_size > 0:
            raise InstallationKeyLost(
                f"{path} is missing, but a database made with it is there: its accounts could not be recognised. "
                f"Restore {KEY_FILE} from a backup, or move {folder.database.name} away to begin anew."
            )
        return _create(folder, path)
    except OSError as error:
        raise DataFolderUnusable(
            f"{path} cannot be read or written: {error.strerror or error}. "
            "Give the service's user access to it, or choose another data folder (POOLKEEPER_DATA_DIR)."
        ) from error


def require_database(folder: DataFolder) -> None:
    """Refuse an empty database file in a folder that was in use: its content was lost, and not by a choice.

    A crash in the first start leaves an empty file as well, but before anything else is written. Raises
    DatabaseTrouble: the file is empty beside files that are written later.
    """
    database = folder.database
    if database.is_file() and not database.stat().st_size and any((folder.path / name).exists() for name in _LATER):
        raise DatabaseTrouble(f"{database} is empty, although this data folder was in use.")


def begins_anew(folder: DataFolder) -> bool:
    """Return whether the folder has the key of an earlier start, and no database: runs and action history begin anew.

    The database is gone, or that start ended before it made one, as with a refused management key.
    """
    database = folder.database
    return (folder.path / KEY_FILE).exists() and not (database.exists() and database.stat().st_size > 0)


def require_key(transaction: Transaction, key: bytes, now: int) -> None:
    """Make sure that a database was made with a key, or raise `InstallationKeyForeign`; a new one gets its mark."""
    mark = hmac.new(key, _PURPOSE, hashlib.sha256).hexdigest()
    stored = transaction.execute(select(INSTALLATIONS.c.mark)).scalar()
    if stored is None:
        transaction.execute(insert(INSTALLATIONS).values(mark=mark, made_at=now))
    elif not hmac.compare_digest(stored, mark):
        raise InstallationKeyForeign(
            "The database was made with another installation key: its accounts could not be recognized. "
            "Copy secret.key from the data folder of the other process into this one, or restore it from a backup."
        )


def _read(path: Path) -> bytes:
    content = read_regular(path)
    path.chmod(0o600)
    try:
        key = bytes.fromhex(content.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != _SIZE:
        # The content is not quoted: a damaged key is still most of a key.
        raise InstallationKeyLost(
            f"{path} is damaged: it does not hold {_SIZE} bytes in hexadecimal. Restore it from a backup."
        )
    return key


def _create(folder: DataFolder, path: Path) -> bytes:
    key = secrets.token_bytes(_SIZE)
    folder.write_private(path, f"{key.hex()}\n")
    return key
