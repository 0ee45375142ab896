"""A collector over a fake gateway and a real database, with a clock that stands still."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from adapter.clock import FakeClock
from adapter.fake.gateway import FakeGateway
from adapter.port import Capability
from adapter.privacy.secret import Redactor
from adapter.rules.usage_record import usage_records
from extension.engine.pool.listing import PoolListing
from extension.engine.usage.collector import Collector
from extension.engine.usage.usage_writer import UsageWriter
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.usage import events, gaps
from extension.store.usage.records import GapRecord, UsageFilter
from extension.usage.calendar import Period
from extension.usage.cost import NoPrices
from extension.usage.fingerprints import UsageFingerprints
from tests.extension.usage.samples import record

EVER = Period(0, 2**60)
WITHOUT_SUBSCRIPTION = frozenset(Capability) - {Capability.USAGE_SUBSCRIPTION}


class CollectorStage:
    """One data folder and one gateway; services open and close or die on it."""

    def __init__(self, folder: DataFolder, capabilities: frozenset[Capability] = frozenset(Capability)) -> None:
        self._folder = folder
        self.clock = FakeClock()
        self.gateway = FakeGateway("", clock=self.clock, capabilities=capabilities)
        self.gateway.usage.switch(on=True)
        self._count = 0

    async def open(self, *, alone: bool = True) -> Collector:
        self.database = await Database.open(self._folder, self.clock)
        collector = await self.collector(alone=alone)
        collector.open()
        return collector

    async def collector(self, *, alone: bool = True) -> Collector:
        listing = PoolListing(self.gateway, self.database, self.clock, Redactor(), "default")
        await listing.open()
        self.writer = UsageWriter(
            self.database,
            self.clock,
            Redactor(),
            listing=listing,
            fingerprints=UsageFingerprints(b"k" * 32),
            costs=NoPrices(),
        )
        return Collector(self.gateway, self.clock, Redactor(), listing, self.writer, alone=alone)

    def spend(self, count: int = 1, **changes: Any) -> None:
        for _ in range(count):
            self._count += 1
            raw = record(request_id=f"{self._count:08x}", **changes)
            (found,) = usage_records([raw])
            self.gateway.usage.spend(replace(found, raw=raw))

    async def stored(self) -> list[int]:
        """Request numbers of the stored events, in their order."""

        def look(transaction: Transaction) -> list[int]:
            found, _ = events.after(transaction, 1, 0, UsageFilter(), 100_000)
            return [one.event.request_id for one in found]

        return await self.database.read(look)

    async def gaps(self) -> tuple[GapRecord, ...]:
        return await self.database.read(lambda transaction: gaps.touching(transaction, 1, 0, 2**60, 100))

    async def stored_count(self, collector: Collector, count: int) -> None:
        """Wait until a collector has stored so many events."""
        await self.until(lambda: collector.status.stored == count)

    async def until(self, reached: Callable[[], bool]) -> None:
        """Let the others work, moving the clock when all of them wait."""
        for _ in range(2_000):
            if reached():
                return
            await asyncio.sleep(0.001)
            if self.clock.sleepers:
                await self.clock.advance(0.05)
        raise AssertionError("it has not come about")


async def closed(stage: CollectorStage, collector: Collector) -> None:
    await collector.close()
    await stage.database.close()
