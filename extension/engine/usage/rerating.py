"""Re-rating of stored usage: preview, and a job in the background that goes on after a crash."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from adapter.clock import Clock
from extension.engine.pool.listing import PoolListing
from extension.engine.prices.prices import CurrentPrices
from extension.prices.event_rating import EventRating, Preview, RatedEvent, changes, effect, next_batch
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.records import EventKind
from extension.store.usage import costs
from extension.store.usage.costs import BEGINNING, RerateJob
from extension.usage.calendar import Period

_BATCH: Final = 1_000
"""Most requests that one transaction rates."""
_MOST_PREVIEWED: Final = 20_000
"""Requests that a preview looks at: it is answered within a request, while a job takes its time."""
_RETRY_SECONDS: Final = 5.0


class Rerating:
    """Rates the stored usage of one pool again. A job works in the background between `open` and `close`."""

    def __init__(self, database: Database, clock: Clock, listing: PoolListing, prices: CurrentPrices) -> None:
        self._database = database
        self._clock = clock
        self._listing = listing
        self._prices = prices
        self._size = _BATCH
        self._requested = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Go on with a job that was interrupted, and begin those that are started."""
        self._requested.set()
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Stop after the batch under way; the job goes on at the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def preview(self, period: Period, rating: EventRating | None = None) -> Preview:
        """Compute the effect of the prices in force, or of another rating, without storing anything.

        It looks at the first requests of the period, at most `_MOST_PREVIEWED`.
        """
        preview, position = Preview(), BEGINNING
        by = await self._database.read(self._prices.rating) if rating is None else rating
        while batch := await self._batch(period, position, _BATCH):
            preview += await asyncio.to_thread(_effect, batch, by)
            position = (batch[-1].event.at, batch[-1].id)
            if preview.examined >= _MOST_PREVIEWED:
                more = await self._batch(period, position, 1)
                return replace(preview, until=position[0]) if more else preview
        return preview

    async def start(self, period: Period, actor: str) -> RerateJob:
        """Start to rate a period again; a job under way is replaced."""
        job = RerateJob(period, BEGINNING, Preview(), actor, self._clock.now_ms())
        await self._database.write(costs.put, self._listing.pool_id, job)
        self._requested.set()
        return job

    async def state(self) -> RerateJob | None:
        """Return the last job; None before the first."""
        return await self._database.read(costs.job, self._listing.pool_id)

    async def step(self) -> bool:
        """Rate one batch of the job; false when there is none under way."""
        began = self._clock.monotonic()
        more = await self._database.write(self._step)
        self._size = next_batch(self._size, self._clock.monotonic() - began, _BATCH)
        return more

    async def _work(self) -> None:
        while True:
            await self._requested.wait()
            self._requested.clear()
            try:
                while await self.step():
                    pass
            except StoreError:
                # A locked or full database: the batch was not stored, and is rated again later.
                await self._clock.sleep(_RETRY_SECONDS)
                self._requested.set()

    def _step(self, transaction: Transaction) -> bool:
        pool_id = self._listing.pool_id
        job = costs.job(transaction, pool_id, locked=True)
        if job is None or job.finished_at is not None:
            return False
        batch = costs.rated(transaction, pool_id, job.period, job.position, min(self._size, _BATCH))
        if not batch:
            now = self._clock.now_ms()
            costs.put(transaction, pool_id, replace(job, finished_at=now))
            events.append(transaction, now, EventKind.PRICE, None, {}, pool_id=pool_id)
            return False
        changed = tuple(changes(batch, self._prices.rating(transaction)))
        costs.rerate(transaction, pool_id, changed)
        costs.put(transaction, pool_id, costs.advanced(job, batch, effect(len(batch), changed)))
        return True

    async def _batch(self, period: Period, position: tuple[int, int], limit: int) -> tuple[RatedEvent, ...]:
        return await self._database.read(costs.rated, self._listing.pool_id, period, position, limit)


def _effect(batch: Iterable[RatedEvent], rating: EventRating) -> Preview:
    events = tuple(batch)
    return effect(len(events), tuple(changes(events, rating)))
