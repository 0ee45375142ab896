"""Event log: one reader of the stored events, and waiting for new ones without polling.

Theory of operation. Every stream, the run watcher and the polling readers ask for the events after their cursor, and
nearly all cursors stand at or near the end. The log therefore keeps its newest events in memory: after a commit the
first reader reads what is new, all others wait for that read, and only cursors further back are read from the
database. A commit with events of the pool costs one query,
however many readers there are, and another commit none.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final

from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.database.event_pools import INSTALLATION, EventPools
from extension.store.records import EventKind, EventRecord

KEPT: Final = 500
"""Newest events that are kept in memory."""

_seq = attrgetter("seq")


class EventLog:
    """Reader of the event log as one pool sees it; every commit with an event for it wakes waiting readers.

    `pool_id` returns the number of the pool, None for the events of all.
    """

    def __init__(self, database: Database, pool_id: Callable[[], int | None] = lambda: None) -> None:
        self._database = database
        self._pool_id = pool_id
        self._closed = False
        self._grown = asyncio.Event()
        self._reading = asyncio.Lock()
        self._stale = True
        self._base = 0
        self._end = 0
        self._newest: list[EventRecord] = []
        self._forget = database.on_events(self._committed)

    async def events(self, after: int = 0, run_id: int | None = None, limit: int = 500) -> tuple[EventRecord, ...]:
        """Return events beyond a cursor, of one run or of all, oldest first.

        A cursor that the log cannot serve (pruned, or of another database) is answered by one event of kind `reset`:
        its `seq` is the newest one; read everything again and go on from there.
        """
        await self._refresh()
        if after > self._end:
            return (EventRecord(self._end, 0, EventKind.RESET, None),)
        if after >= self._base:
            return _of_run(self._newest[bisect_right(self._newest, after, key=_seq) :], run_id, limit)

        pool_id = self._pool_id()

        def read(transaction: Transaction) -> tuple[EventRecord, ...]:
            if 0 < after < events.oldest(transaction, pool_id) - 1:
                return (EventRecord(events.newest(transaction, pool_id), 0, EventKind.RESET, None),)
            return events.after(transaction, after, run_id, limit, pool_id)

        return await self._database.read(read)

    async def end(self) -> int:
        """Return the `seq` of the newest event, 0 when there is none."""
        await self._refresh()
        return self._end

    async def wait(self, after: int) -> bool:
        """Wait until the log has grown beyond a cursor; false when the log is closed instead."""
        while not self._closed:
            # Taken before looking: a commit between the look and the wait sets this very event.
            grown = self._grown
            await self._refresh()
            if self._end != after:
                return True
            await grown.wait()
        return False

    def close(self) -> None:
        """Release all waiting readers."""
        self._closed = True
        self._forget()
        self._wake()

    async def _refresh(self) -> None:
        """Read the new events, once for all readers that wait.

        A reading that has begun is waited for: its events are in memory only after it, and nothing wakes readers then.
        """
        while self._stale or self._reading.locked():
            async with self._reading:
                if self._stale:
                    # Before the read: a commit during it makes the events in memory stale again.
                    self._stale = False
                    await self._read_new()

    async def _read_new(self) -> None:
        end, pool_id = self._end, self._pool_id()

        def read(transaction: Transaction) -> tuple[int, int, tuple[EventRecord, ...]]:
            newest = events.newest(transaction, pool_id)
            start = max(end, newest - KEPT)
            # Pruned events are no part of what is kept: a cursor before them has to be answered by a reset.
            base = start if start == end > 0 else max(start, events.oldest(transaction, pool_id) - 1)
            return newest, base, events.after(transaction, start, None, KEPT, pool_id)

        try:
            newest, base, records = await self._database.read(read)
        except BaseException:
            self._stale = True
            raise
        if base != end:
            self._base, self._newest = base, []
        self._newest = [*self._newest, *records][-KEPT:]
        if len(self._newest) == KEPT:
            self._base = max(self._base, self._newest[0].seq - 1)
        self._end = max(self._end, newest)

    def _committed(self, pools: EventPools) -> None:
        if not self._stale and pools is not None:
            pool_id = self._pool_id()
            if not pools or (pool_id is not None and pools.isdisjoint((pool_id, INSTALLATION))):
                return
        self._stale = True
        self._wake()

    def _wake(self) -> None:
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()


def _of_run(records: Sequence[EventRecord], run_id: int | None, limit: int) -> tuple[EventRecord, ...]:
    chosen = records if run_id is None else (event for event in records if event.run_id == run_id)
    return tuple(event for event, _ in zip(chosen, range(limit), strict=False))
