"""Choice of the storage by the address of the database; the driver of PostgreSQL is optional."""

from typing import TYPE_CHECKING

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.database.sqlite import SQLiteStorage
from extension.store.database.storage import Storage
from extension.store.errors import DriverMissing

if TYPE_CHECKING:
    from extension.store.database.postgresql import PostgreSQLStorage


def storage_of(folder: DataFolder, address: Secret | None) -> Storage:
    """Return the storage at an address, without one the file of the data folder, or raise `DriverMissing`."""
    return SQLiteStorage(folder) if address is None else server_storage(address)


def server_storage(address: Secret) -> "PostgreSQLStorage":
    """Return the storage at an address, or raise `DriverMissing`."""
    try:
        from extension.store.database.postgresql import PostgreSQLStorage
    except ImportError:
        raise DriverMissing(
            "The driver of PostgreSQL is not installed. Install it with: pip install 'poolkeeper[postgresql]'"
        ) from None
    return PostgreSQLStorage(address)
