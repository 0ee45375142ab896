"""History of actions and batches, as stored."""

from extension.engine.errors import BatchUnknown
from extension.engine.pool.listing import PoolListing
from extension.store.actions import batches, search
from extension.store.actions.search import ActionFilter, ActionPage
from extension.store.batch_records import BatchRecord
from extension.store.database.database import Database


class ActionHistory:
    """Reads the actions and batches of one pool."""

    def __init__(self, database: Database, listing: PoolListing) -> None:
        self._database = database
        self._listing = listing

    async def page(self, wanted: ActionFilter, *, before: int | None, limit: int) -> ActionPage:
        """Return the newest matching actions with a number below `before`, newest first."""
        pool_id = self._listing.pool_id
        return await self._database.read(
            lambda transaction: search.page(transaction, pool_id, wanted, before=before, limit=limit)
        )

    async def batches(self, *, before: int | None, limit: int, run_id: int | None = None) -> tuple[BatchRecord, ...]:
        """Return the newest batches, of one run if given, with a number below `before`, newest first."""
        pool_id = self._listing.pool_id
        return await self._database.read(
            lambda transaction: batches.recent(transaction, pool_id, before, limit, run_id=run_id)
        )

    async def batch(self, batch_id: int) -> BatchRecord:
        """Return one batch.

        Raises:
            BatchUnknown: there is no such batch.
        """
        pool_id = self._listing.pool_id
        found = await self._database.read(lambda transaction: batches.find(transaction, pool_id, batch_id))
        if found is None:
            raise BatchUnknown(batch_id)
        return found
