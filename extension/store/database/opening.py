"""Storage on PostgreSQL, whose driver is optional."""

from typing import TYPE_CHECKING

from adapter.privacy.secret import Secret
from extension.store.errors import DriverMissing

if TYPE_CHECKING:
    from extension.store.database.postgresql import PostgreSQLStorage


def server_storage(address: Secret) -> "PostgreSQLStorage":
    """Return the storage at an address, or raise `DriverMissing`."""
    try:
        from extension.store.database.postgresql import PostgreSQLStorage
    except ImportError:
        raise DriverMissing(
            "The driver of PostgreSQL is not installed. Install it with: pip install 'poolkeeper[fleet]'"
        ) from None
    return PostgreSQLStorage(address)
