"""Totals of usage and the state of its collector, for monitoring."""

from dataclasses import dataclass

from adapter.clock import Clock
from extension.engine.pool.listing import PoolListing
from extension.engine.usage.collector import Collector
from extension.engine.usage.collector_status import CollectorStatus
from extension.store.database.database import Database, Transaction
from extension.store.usage.collection import gap_count
from extension.store.usage.filtering import NamedFilter, Query
from extension.store.usage.names import NO_NAME, NameKind
from extension.store.usage.records import Figures, UsageFilter
from extension.store.usage.sums import sums
from extension.usage.calendar import HOUR_MS, Period


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Sums over everything that was ever collected, up to the current hour's end, and the collector's state.

    `lag_seconds` is the time for which records are not complete yet; None where nothing is to be collected.
    """

    figures: Figures
    gaps: int
    collector: CollectorStatus
    lag_seconds: float | None


class UsageTotalsReader:
    """Reads the totals of one pool."""

    def __init__(self, database: Database, clock: Clock, listing: PoolListing, collector: Collector) -> None:
        self._database = database
        self._clock = clock
        self._listing = listing
        self._collector = collector

    async def read(self) -> UsageTotals:
        """Return the totals of now."""
        now, status = self._clock.now_ms(), self._collector.status
        pool_id = self._listing.pool_id
        # To the end of an hour, so that rollups alone are read.
        ever = Period(0, (now // HOUR_MS + 1) * HOUR_MS)

        def look(transaction: Transaction) -> tuple[Figures, int]:
            query = Query(pool_id, NamedFilter(transaction, pool_id, UsageFilter()), NameKind.TOTAL, latencies=False)
            return sums(transaction, query, ever).get(NO_NAME, Figures()), gap_count(transaction, pool_id)

        figures, found = await self._database.read(look)
        lag = max(0, now - status.covered_until) / 1000 if status.recording and status.covered_until else None
        return UsageTotals(figures, found, status, lag)
