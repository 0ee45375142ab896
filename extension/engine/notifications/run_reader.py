"""Run reader: the content of a message about an ended run, and the position in the event log."""

from collections.abc import Iterable

from extension.engine.history.reader import History
from extension.engine.notifications.messages import EndedRun
from extension.engine.notifications.on_hold import HostOnHold, by_host
from extension.engine.pool.listing import PoolListing
from extension.store.actions import actions, held
from extension.store.database.database import Database, Transaction
from extension.store.pool import pools
from extension.store.records import ActionRecord, Cause


class RunReader:
    """Reader of ended runs with their changes, automatic actions and hosts on hold; keeps the reported position."""

    def __init__(self, database: Database, history: History, listing: PoolListing) -> None:
        self._database = database
        self._history = history
        self._listing = listing

    async def position(self) -> int | None:
        """Return the newest reported event; None before the first start."""
        pool_id = self._listing.pool_id
        return await self._database.read(lambda transaction: pools.notified_seq(transaction, pool_id))

    async def reported(self, seq: int) -> None:
        """Store the newest reported event."""
        pool_id = self._listing.pool_id
        await self._database.write(lambda transaction: pools.set_notified_seq(transaction, pool_id, seq))

    async def read(self, run_id: int) -> EndedRun:
        """Return a run that has ended.

        Raises:
            RunUnknown: there is no such run.
        """
        run, found = await self._history.get(run_id), await self._history.difference(run_id)

        def read(transaction: Transaction) -> tuple[tuple[ActionRecord, ...], tuple[HostOnHold, ...]]:
            done = actions.of_run(transaction, run_id)
            return _automatic(done), _on_hold(transaction, run_id)

        return EndedRun(run, found, *await self._database.read(read))


def _automatic(done: Iterable[ActionRecord]) -> tuple[ActionRecord, ...]:
    """Return the newest automatic action of each account: a resumed run repeats those that a crash left undone."""
    newest = {action.account_id: action for action in done if action.cause is Cause.RUN}
    return tuple(sorted(newest.values(), key=lambda action: action.id))


def _on_hold(transaction: Transaction, run_id: int) -> tuple[HostOnHold, ...]:
    return by_host(held.of_run(transaction, run_id))
