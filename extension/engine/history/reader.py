"""History: the runs of one pool and their results as stored, and the pool's health with its trend over runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from extension.engine.errors import RunUnknown
from extension.engine.history.comparison import Difference, comparable, difference
from extension.engine.pool.listing import PoolListing
from extension.engine.pool.overview import PoolOverview
from extension.engine.pool.pool_health import PoolHealth, health_of
from extension.inspection.accounts.account import Source
from extension.store.actions import held, search
from extension.store.database.database import Database, Transaction
from extension.store.records import HeldRecord, ResultRecord, RunRecord, WindowRecord
from extension.store.run_state import RunState
from extension.store.runs import results, runs
from extension.store.runs.results import RecentResult

_ALL = 1_000_000
_EARLIER = 1_000


class History:
    """Reads the runs of one pool. Every method that is given a run may raise `RunUnknown`."""

    def __init__(self, database: Database, listing: PoolListing) -> None:
        self._database = database
        self._listing = listing

    async def recent(self, limit: int) -> tuple[RunRecord, ...]:
        """Return the newest runs, newest first."""
        return await self._database.read(runs.recent, self._listing.pool_id, limit)

    async def get(self, run_id: int) -> RunRecord:
        """Return one run."""
        return await self._database.read(self.require, run_id)

    async def results(self, run_id: int, after: int = 0, limit: int = 500) -> tuple[ResultRecord, ...]:
        """Return results of a run that landed after the cursor, in the order they landed."""

        def read(transaction: Transaction) -> tuple[ResultRecord, ...]:
            self.require(transaction, run_id)
            return results.of_run(transaction, run_id, after, limit)

        return await self._database.read(read)

    async def recent_results(self, account_ids: Sequence[int], limit: int) -> Mapping[int, tuple[RecentResult, ...]]:
        """Return the newest results of accounts of the pool in any run, by account."""
        return await self._database.read(results.recent, self._listing.pool_id, account_ids, limit)

    async def held(self, run_id: int) -> tuple[HeldRecord, ...]:
        """Return the actions on hold in a run."""

        def read(transaction: Transaction) -> tuple[HeldRecord, ...]:
            self.require(transaction, run_id)
            return held.of_run(transaction, run_id)

        return await self._database.read(read)

    async def difference(self, run_id: int, against: int | None = None) -> Difference:
        """Compare a run with an earlier one: the one named, or the last that covered its scope completely.

        An earlier run that was only a sample, or did not get through, is not taken unless it is named. Accounts that
        one of the runs did not cover are no difference.
        """

        def read(transaction: Transaction) -> Difference:
            run = self.require(transaction, run_id)
            earlier = self._earlier(transaction, run) if against is None else self.require(transaction, against)
            if earlier is None:
                return Difference(run_id, None)
            return difference(
                run,
                earlier,
                results.of_run(transaction, earlier.id, 0, _ALL),
                results.of_run(transaction, run_id, 0, _ALL),
            )

        return await self._database.read(read)

    @staticmethod
    def _earlier(transaction: Transaction, run: RunRecord) -> RunRecord | None:
        known = runs.recent(transaction, run.pool_id, _EARLIER)
        return next((earlier for earlier in known if comparable(run, earlier)), None)

    def require(self, transaction: Transaction, run_id: int) -> RunRecord:
        """Return one run, in a transaction."""
        run = runs.get(transaction, run_id, self._listing.pool_id)
        if run is None:
            raise RunUnknown(run_id)
        return run


TREND_RUNS: Final = 60
"""Newest runs that the trend is made of, those that are not finished left out."""


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Health of the pool at `read_at`; `runs` are finished ones, the oldest first.

    `automatic` counts the actions of automation since a time by action and outcome.
    """

    read_at: int
    health: PoolHealth
    runs: tuple[RunRecord, ...]
    automatic: Mapping[tuple[str, str], int]


class PoolHealthReader:
    """Reads the health of one pool."""

    def __init__(
        self, database: Database, clock: Clock, listing: PoolListing, overview: PoolOverview, history: History
    ) -> None:
        self._database = database
        self._clock = clock
        self._listing = listing
        self._overview = overview
        self._history = history

    async def read(self, since: int) -> HealthReport:
        """Read the pool from the gateway and return its health, with the actions of automation from a time on."""
        table = await self._overview.read()
        pool_id = self._listing.pool_id

        def stored(
            transaction: Transaction,
        ) -> tuple[Mapping[int, tuple[WindowRecord, ...]], Mapping[tuple[str, str], int]]:
            windows = results.last_windows(transaction, pool_id, Source.OAUTH.value)
            return windows, search.automatic_counts(transaction, pool_id, since)

        windows, automatic = await self._database.read(stored)
        newest = await self._history.recent(TREND_RUNS)
        finished = [run for run in newest if run.state is RunState.FINISHED]
        health = health_of(table.rows, windows, self._clock.now_ms())
        return HealthReport(table.read_at, health, tuple(reversed(finished)), automatic)
