"""Switch of all automation of one pool: while it is paused, runs only recommend."""

from adapter.clock import Clock
from adapter.privacy.secret import Redactor
from extension.engine.pool.listing import PoolListing
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.pool import pools
from extension.store.pool.pools import AutomationPause
from extension.store.records import EventKind


class AutomationSwitch:
    """Switch of the automatic actions of runs; a pause outlasts the service."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor, listing: PoolListing) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing

    async def status(self) -> AutomationPause | None:
        """Return the pause, or None while automation acts."""
        return await self._database.read(pools.automation_pause, self._listing.pool_id)

    async def pause(self, actor: str) -> AutomationPause:
        """Pause all automation, in a run in progress too; a pause that lasts already stays."""
        by = self._redactor.redact(actor)

        def store(transaction: Transaction) -> AutomationPause:
            now, pool_id = self._clock.now_ms(), self._listing.pool_id
            pause = pools.automation_pause(transaction, pool_id) or AutomationPause(now, by)
            pools.set_automation_pause(transaction, pool_id, pause)
            events.append(transaction, now, EventKind.POOL, None, {})
            return pause

        return await self._database.write(store)

    async def resume(self) -> None:
        """Let automation act again; what was put on hold meanwhile stays so until it is released."""

        def store(transaction: Transaction) -> None:
            pools.set_automation_pause(transaction, self._listing.pool_id, None)
            events.append(transaction, self._clock.now_ms(), EventKind.POOL, None, {})

        await self._database.write(store)
