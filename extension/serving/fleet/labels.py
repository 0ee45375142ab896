"""Labels of the gateways of a fleet, by which its operators are limited."""

from collections.abc import Mapping

from extension.store.database.database import Database
from extension.store.fleet import gateways


class StoredLabels:
    """Reader of labels; see `PoolLabels`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def labels_of(self, pool: str) -> Mapping[str, str] | None:
        """Return the labels of an enabled gateway, of the only one by an empty name; None where there is none."""
        rows = [row for row in await self._database.read(gateways.every) if row.enabled]
        if pool:
            rows = [row for row in rows if row.name == pool]
        return rows[0].labels if len(rows) == 1 else None
