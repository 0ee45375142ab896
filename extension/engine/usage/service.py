"""Usage of one pool: collector, analysis and retention, opened and closed together."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from adapter.clock import Clock
from adapter.port import Gateway
from adapter.privacy.secret import Redactor
from extension.engine.pool.listing import PoolListing
from extension.engine.prices.prices import CurrentPrices
from extension.engine.usage.analysis import UsageAnalysis
from extension.engine.usage.collector import Collector
from extension.engine.usage.explanation import CostExplanation
from extension.engine.usage.rerating import Rerating
from extension.engine.usage.series import UsageSeriesReader
from extension.engine.usage.usage_totals import UsageTotalsReader
from extension.engine.usage.usage_writer import UsageWriter
from extension.store.database.database import Database
from extension.store.errors import StoreError
from extension.store.usage.ingest import prune
from extension.usage.record_reading import UsageFingerprints

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
        self._pruning: asyncio.Task[None] | None = None

    async def open(self, *, collect: bool = True) -> None:
        """Begin to collect and to prune; without `collect` stored usage is served alone."""
        await self._listing.open()
        if collect:
            self.collector.open()
            self.rerating.open()
            self._pruning = asyncio.create_task(self._prune())

    async def close(self) -> None:
        """Store the received records, and let waiting readers go."""
        self.analysis.close()
        await self.collector.close()
        await self.rerating.close()
        if self._pruning is not None:
            self._pruning.cancel()
            await asyncio.wait([self._pruning])
            self._pruning = None

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
