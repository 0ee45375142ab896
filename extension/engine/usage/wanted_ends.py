"""Ends of days that charts ask for, noted so that the service sums them up."""

from collections.abc import Collection
from contextlib import suppress
from typing import Final

from adapter.clock import Clock
from extension.engine.pool.listing import PoolListing
from extension.store.database.database import Database
from extension.store.errors import StoreError
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.pairs import wanted_ends

_AGAIN_MS: Final = 24 * 3_600_000


class WantedEnds:
    """Notes ends, each once a day: the readers of one process may share it."""

    def __init__(self, database: Database, clock: Clock, listing: PoolListing) -> None:
        self._database = database
        self._clock = clock
        self._listing = listing
        self._noted: dict[DayEnd, int] = {}

    async def note(self, ends: Collection[DayEnd]) -> None:
        """Note ends that a chart asked for.

        A store that cannot be written leaves the note to another day: the chart is right without, from the events.
        """
        now, pool_id = self._clock.now_ms(), self._listing.pool_id
        new = [end for end in ends if abs(now - self._noted.get(end, -_AGAIN_MS)) >= _AGAIN_MS]
        if not new:
            return
        self._noted |= dict.fromkeys(new, now)
        with suppress(StoreError):
            await self._database.write(lambda transaction: wanted_ends.want(transaction, pool_id, new, now))
