"""A collector over a fake gateway and a real database, with a clock that stands still."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar

from adapter.clock import FakeClock
from adapter.fake.gateway import FakeGateway
from adapter.port import Capability
from adapter.privacy.secret import Redactor
from adapter.rules.usage_record import usage_records
from extension.engine.pool.listing import PoolListing
from extension.engine.usage.collector import Collector
from extension.engine.usage.collector_status import CollectorSource
from extension.engine.usage.usage_writer import UsageWriter
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database, Transaction
from extension.store.usage import collection, events
from extension.store.usage.records import GapRecord, UsageFilter
from extension.usage.calendar import Period
from extension.usage.event import EventCost, UsageEvent
from extension.usage.record_reading import UsageFingerprints
from tests.extension.usage.samples import record

T = TypeVar("T")
P = ParamSpec("P")

EVER = Period(0, 2**60)
WITHOUT_SUBSCRIPTION = frozenset(Capability) - {Capability.USAGE_SUBSCRIPTION}


class NoPrices:
    """A source of costs that knows none."""

    async def refresh(self) -> None:
        pass

    def cost(self, event: UsageEvent) -> EventCost | None:
        del event
        return None


class WatchedDatabase(Database):
    """A database that tells whether a function of it is under way. Time does not pass meanwhile.

    A lease would run out while its holder waits for a thread.
    """

    working = 0

    async def read(self, work: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._work():
            return await super().read(work, *args, **kwargs)

    async def write(self, work: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._work():
            return await super().write(work, *args, **kwargs)

    @contextmanager
    def _work(self) -> Iterator[None]:
        self.working += 1
        try:
            yield
        finally:
            self.working -= 1


class CollectorStage:
    """One data folder and one gateway; services open and close or die on it."""

    def __init__(self, folder: DataFolder, capabilities: frozenset[Capability] = frozenset(Capability)) -> None:
        self._folder = folder
        self.clock = FakeClock()
        self.gateway = FakeGateway("", clock=self.clock, capabilities=capabilities)
        self.gateway.usage.switch(on=True)
        self._count = 0

    async def open(self, *, alone: bool = True) -> Collector:
        self.database = await WatchedDatabase.open(self._folder, self.clock)
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
            (event,) = usage_records([raw])
            self.gateway.usage.spend(replace(event, raw=raw))

    async def stored(self) -> list[int]:
        """Request numbers of the stored events, in their order."""

        def look(transaction: Transaction) -> list[int]:
            stored, _ = events.after(transaction, 1, 0, UsageFilter(), 100_000)
            return [row.event.request_id for row in stored]

        return await self.database.read(look)

    async def gaps(self) -> tuple[GapRecord, ...]:
        return await self.database.read(collection.gaps_touching, 1, 0, 2**60, 100)

    async def stored_count(self, collector: Collector, count: int) -> None:
        """Wait until a collector has stored so many events."""
        await self.until(lambda: collector.status.stored == count)

    async def gap_count(self, count: int) -> tuple[GapRecord, ...]:
        """Wait until so many gaps are stored: the end of a subscription is noticed after what it sent."""
        async for _ in self._turns():
            if len(gaps := await self.gaps()) >= count:
                return gaps
        raise AssertionError(f"there are {len(gaps)} gaps, not {count}")

    async def until(self, reached: Callable[[], bool]) -> None:
        """Let the others work, moving the clock when all of them wait."""
        async for _ in self._turns():
            if reached():
                return
        raise AssertionError("it has not come about")

    async def rest(self, seconds: int) -> None:
        """Let time pass ten seconds at a time, each when all wait."""
        for _ in range(seconds // 10):
            await self._waiting()
            await self.clock.advance(10)
        await self._waiting()

    async def _waiting(self) -> None:
        for _ in range(10_000):
            if self.clock.sleepers and not self.database.working:
                return
            await asyncio.sleep(0.001)
        raise AssertionError("work is still going on")

    async def _turns(self) -> AsyncIterator[None]:
        for _ in range(10_000):
            yield
            await asyncio.sleep(0.001)
            if self.clock.sleepers and not self.database.working:
                await self.clock.advance(0.05)


async def closed(stage: CollectorStage, collector: Collector) -> None:
    await collector.close()
    await stage.database.close()


def source_of(capabilities: frozenset[Capability]) -> CollectorSource:
    return CollectorSource.QUEUE if capabilities == WITHOUT_SUBSCRIPTION else CollectorSource.SUBSCRIPTION


async def collecting(
    folder: DataFolder, capabilities: frozenset[Capability] = frozenset(Capability)
) -> tuple[CollectorStage, Collector]:
    """Return a stage with a collector that has begun."""
    stage = CollectorStage(folder, capabilities)
    collector = await stage.open()
    await stage.until(lambda: collector.status.source is source_of(capabilities))
    return stage, collector


async def killed(stage: CollectorStage, collector: Collector) -> None:
    """End a collector as kill -9 does: nothing is given back."""
    assert collector._task is not None
    collector._task.cancel()
    await asyncio.wait([collector._task])
    await stage.database.close()
