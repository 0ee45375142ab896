"""Usage of one pool: collector, analysis and retention, opened and closed together, and its totals for monitoring."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from adapter.clock import Clock
from adapter.port import Gateway, GatewayError
from adapter.privacy.secret import Redactor
from extension.engine.pool.listing import PoolListing
from extension.engine.prices.prices import CurrentPrices
from extension.engine.usage.analysis import UsageAnalysis
from extension.engine.usage.collector import Collector
from extension.engine.usage.collector_status import CollectorStatus
from extension.engine.usage.counters import CounterWatch
from extension.engine.usage.explanation import CostExplanation
from extension.engine.usage.rerating import Rerating
from extension.engine.usage.series import UsageSeriesReader
from extension.engine.usage.usage_writer import UsageWriter
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.usage.collection import add_gap, gap_count
from extension.store.usage.filtering import NamedFilter, Query
from extension.store.usage.ingest import prune
from extension.store.usage.names import NO_NAME, NameKind, texts
from extension.store.usage.records import Figures, UsageFilter
from extension.store.usage.sums import sums
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.record_reading import UsageFingerprints


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Sums over everything that was ever collected, up to the current hour's end, and the collector's state.

    `lag_seconds` is the time for which records are not complete yet; None where nothing is to be collected. `models`
    and `clients` are the parts of most cost by name, with everything beyond them under `OTHER_NAMES`.
    """

    figures: Figures
    models: Mapping[str, Figures]
    clients: Mapping[str, Figures]
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

        def look(transaction: Transaction) -> tuple[Figures, Mapping[str, Figures], Mapping[str, Figures], int]:
            query = Query(pool_id, NamedFilter(transaction, pool_id, UsageFilter()), NameKind.TOTAL, latencies=False)
            total = sums(transaction, query, ever).get(NO_NAME, Figures())
            models, clients = (
                _costliest(transaction, sums(transaction, replace(query, by=kind), ever))
                for kind in (NameKind.MODEL, NameKind.CLIENT)
            )
            return total, models, clients, gap_count(transaction, pool_id)

        figures, models, clients, gaps = await self._database.read(look)
        lag = max(0, now - status.covered_until) / 1000 if status.recording and status.covered_until else None
        return UsageTotals(figures, models, clients, gaps, status, lag)


MOST_NAMES: Final = 50
"""Models, and client keys, that totals tell apart: labels come from traffic, and many overload a monitoring."""
OTHER_NAMES: Final = "other"


def _costliest(transaction: Transaction, figures: Mapping[int, Figures]) -> dict[str, Figures]:
    ids = sorted(figures, key=lambda name_id: (-figures[name_id].pico_usd, -figures[name_id].requests, name_id))
    names = texts(transaction, ids[:MOST_NAMES])
    parts = {names[name_id]: figures[name_id] for name_id in ids[:MOST_NAMES]}
    for name_id in ids[MOST_NAMES:]:
        parts.setdefault(OTHER_NAMES, Figures()).add(figures[name_id])
    return parts


_PRUNE_SECONDS: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class UsageLimits:
    """Events that are kept: for so many days, and at most so many bytes of them."""

    days: int = 90
    size: int = 2_000_000_000


class UsageService:
    """Collects, analyses and prunes; `open` it before use and `close` it at the end."""

    def __init__(
        self,
        gateway: Gateway,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        installation_key: bytes,
        limits: UsageLimits | None = None,
        pool_name: str = "default",
    ) -> None:
        self._database = database
        self._clock = clock
        self._limits = limits or UsageLimits()
        self._listing = PoolListing(gateway, database, clock, redactor, pool_name)
        prices = CurrentPrices(database)
        writer = UsageWriter(
            database,
            clock,
            redactor,
            listing=self._listing,
            fingerprints=UsageFingerprints(installation_key),
            costs=prices,
        )
        self.collector = Collector(gateway, clock, redactor, self._listing, writer)
        self.analysis = UsageAnalysis(database, self._listing, writer)
        self.series = UsageSeriesReader(database, self._listing)
        self.explanation = CostExplanation(database, self._listing)
        self.rerating = Rerating(database, clock, self._listing, prices)
        self.totals = UsageTotalsReader(database, clock, self._listing, self.collector)
        self._counters = CounterWatch(gateway, clock, self.collector)
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    async def open(self, *, collect: bool = True) -> None:
        """Begin to collect and to prune; without `collect` stored usage is served alone."""
        await self._listing.open()
        if collect:
            self.collector.open()
            self.rerating.open()
            self._tasks = (asyncio.create_task(self._prune()), asyncio.create_task(self._watch()))

    async def close(self) -> None:
        """Store the received records, and let waiting readers go."""
        self.analysis.close()
        await self.collector.close()
        await self.rerating.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._tasks = ()

    async def prune(self) -> None:
        """Remove events beyond the limits, a part in each transaction."""
        pool_id, limits = self._listing.pool_id, self._limits
        removed = 1
        while removed:
            removed = await self._database.write(
                prune, pool_id, self._clock.now_ms(), keep_days=limits.days, keep_bytes=limits.size
            )

    async def _prune(self) -> None:
        while True:
            # The next hour tries again, and the collector reports what the database says.
            with suppress(StoreError):
                await self.prune()
            await self._clock.sleep(_PRUNE_SECONDS)

    async def watch(self) -> None:
        """Store a gap where the gateway's counters show more requests than there are records."""
        gap = await self._counters.look()
        if gap is not None:
            pool_id = self._listing.pool_id
            await self._database.write(add_gap, pool_id, gap.start, gap.end, kind=gap.kind.value, missing=gap.missing)

    async def _watch(self) -> None:
        while True:
            # The next minute tries again, and the collector reports what gateway and database say.
            with suppress(GatewayError, StoreError):
                await self.watch()
            await self._clock.sleep(self._counters.pause)
