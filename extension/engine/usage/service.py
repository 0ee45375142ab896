"""Usage of one pool: collector, analysis and retention, opened and closed together."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from adapter.clock import Clock
from adapter.port import Gateway
from adapter.privacy.secret import Redactor
from extension.engine.pool.listing import PoolListing
from extension.engine.prices.current_prices import CurrentPrices
from extension.engine.usage.analysis import UsageAnalysis
from extension.engine.usage.collector import Collector
from extension.engine.usage.explanation import CostExplanation
from extension.engine.usage.rerating import Rerating
from extension.engine.usage.series import UsageSeriesReader
from extension.engine.usage.usage_totals import UsageTotalsReader
from extension.engine.usage.usage_writer import UsageWriter
from extension.engine.usage.wanted_ends import WantedEnds
from extension.store.database.database import Database
from extension.store.errors import StoreError
from extension.store.usage import retention
from extension.store.usage.daily import day_sums
from extension.store.usage.daily.dimension_pairs import PAIRS
from extension.store.usage.pairs import end_sums, pair_sums, wanted_ends
from extension.usage.calendar import HOUR_MS
from extension.usage.fingerprints import UsageFingerprints
from extension.usage.spans import DAY_HOURS

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
        ends = WantedEnds(database, clock, self._listing)
        self.analysis = UsageAnalysis(database, self._listing, writer, ends)
        self.series = UsageSeriesReader(database, self._listing, ends)
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
        """Store what was received, and let waiting readers go."""
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
                lambda transaction: retention.prune(
                    transaction, pool_id, self._clock.now_ms(), keep_days=limits.days, keep_bytes=limits.size
                )
            )

    async def sum_days(self) -> None:
        """Sum up the days that have ended, each in one transaction, and their pairs of dimensions, each in another."""
        pool_id = self._listing.pool_id
        today = self._clock.now_ms() // HOUR_MS // DAY_HOURS
        for day in await self._database.read(lambda transaction: day_sums.unsummed(transaction, pool_id, today)):
            await self._database.write(partial(day_sums.sum_day, pool_id=pool_id, day=day))
        for day in await self._database.read(lambda transaction: pair_sums.unpaired(transaction, pool_id)):
            for pair in PAIRS:
                await self._database.write(partial(pair_sums.sum_pair, pool_id=pool_id, day=day, pair=pair))
        await self._sum_ends(pool_id)

    async def _sum_ends(self, pool_id: int) -> None:
        """Sum up the ends of days that charts asked for, each in one transaction, and forget those of long ago."""
        now = self._clock.now_ms()
        kept, forgotten = await self._database.read(partial(wanted_ends.wanted, pool_id=pool_id, now=now))
        for end in forgotten:
            await self._database.write(partial(end_sums.remove, pool_id=pool_id, end=end))
        for end in kept:
            for day in await self._database.read(partial(end_sums.unsummed, pool_id=pool_id, end=end)):
                await self._database.write(partial(end_sums.sum_end, pool_id=pool_id, day=day, end=end))

    async def _prune(self) -> None:
        while True:
            # The next hour tries again, and the collector reports what the database says.
            with suppress(StoreError):
                await self.prune()
                await self.sum_days()
            await self._clock.sleep(_PRUNE_SECONDS)
