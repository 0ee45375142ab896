"""Reader of the pool's health, its trend over runs, and the actions of automation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from extension.engine.history.reader import History
from extension.engine.pool.listing import PoolListing
from extension.engine.pool.overview import PoolOverview
from extension.engine.pool.pool_health import PoolHealth, health_of
from extension.inspection.accounts.account import Source
from extension.store import totals
from extension.store.database.database import Database, Transaction
from extension.store.pool import quota_windows
from extension.store.records import RunRecord, WindowRecord
from extension.store.run_state import RunState

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
            windows = quota_windows.last_windows(transaction, pool_id, Source.OAUTH.value)
            return windows, totals.automatic_actions(transaction, pool_id, since)

        windows, automatic = await self._database.read(stored)
        newest = await self._history.recent(TREND_RUNS)
        finished = [run for run in newest if run.state is RunState.FINISHED]
        health = health_of(table.rows, windows, self._clock.now_ms())
        return HealthReport(table.read_at, health, tuple(reversed(finished)), automatic)
