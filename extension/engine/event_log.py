"""Event log: reading it, and waiting for new events without polling."""

import asyncio

from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.records import EventKind, EventRecord


class EventLog:
    """Reader of the event log; every commit of the database wakes waiting readers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._closed = False
        self._grown = asyncio.Event()
        database.on_commit(self._wake)

    async def events(self, after: int, run_id: int | None, limit: int) -> tuple[EventRecord, ...]:
        """Return events beyond a cursor; a single `reset` when the log does not reach back, or forward, to it."""

        def read(transaction: Transaction) -> tuple[EventRecord, ...]:
            newest = events.newest(transaction)
            if after > newest or (after > 0 and after + 1 < events.oldest(transaction)):
                return (EventRecord(newest, 0, EventKind.RESET, None),)
            return events.after(transaction, after, run_id, limit)

        return await self._database.read(read)

    async def wait(self, after: int) -> bool:
        """Wait until the log has grown beyond a cursor; false when the log is closed instead."""
        while not self._closed:
            # Taken before looking: a commit between the look and the wait sets this very event.
            grown = self._grown
            if await self._database.read(events.newest) != after:
                return True
            await grown.wait()
        return False

    def close(self) -> None:
        """Release all waiting readers."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()
