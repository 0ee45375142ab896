"""Run watcher: notifications about ended runs and about schedules that could not start.

Theory of operation. The watcher follows the event log and stores how far it has come after each reported event, in the
row of the pool. A run that a dead process left active becomes interrupted at the next start, and a message that was
under way when the service closed is sent then: both stand behind the stored position. A message may therefore arrive
twice, but none is lost. Events from before the first start of the watcher are not reported.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import structlog

from adapter.clock import Clock
from extension.engine.event_log import EventLog
from extension.engine.history.reader import History
from extension.engine.notifications.channels import Channels
from extension.engine.notifications.messages import (
    EndedRun,
    HostOnHold,
    alerts_of,
    by_host,
    ended_run,
    not_started,
    without_told,
)
from extension.engine.pool.listing import PoolListing
from extension.reasons.reason import ReasonList
from extension.store.actions import actions, held
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.fleet import pulses
from extension.store.pool import pools
from extension.store.records import ActionRecord, Cause, EventKind, EventRecord
from extension.store.run_state import ENDED, RunState

_LOG = structlog.get_logger("poolkeeper.notify")

_PAGE: Final = 500
_BEYOND_THE_END: Final = 2**53
_PAUSE_SECONDS: Final = 5.0
"""After trouble; it is mostly the database's, and passes."""


class RunReader:
    """Reader of ended runs with their changes, automatic actions and hosts on hold; keeps the reported position."""

    def __init__(
        self, database: Database, history: History, listing: PoolListing, clock: Clock, *, in_fleet: bool = False
    ) -> None:
        self._clock = clock
        self._in_fleet = in_fleet
        self._database = database
        self._history = history
        self._listing = listing

    async def position(self) -> int | None:
        """Return the newest reported event; None before the first start."""
        return await self._database.read(pools.notified_seq, self._listing.pool_id)

    async def reported(self, seq: int) -> None:
        """Store the newest reported event."""
        await self._database.write(pools.set_notified_seq, self._listing.pool_id, seq)

    async def read(self, run_id: int) -> EndedRun:
        """Return a run that has ended. Raises `RunUnknown`."""
        run, difference = await self._history.get(run_id), await self._history.difference(run_id)

        def read(transaction: Transaction) -> tuple[tuple[ActionRecord, ...], tuple[HostOnHold, ...]]:
            done = actions.of_run(transaction, run_id)
            return _automatic(done), by_host(held.of_run(transaction, run_id))

        gateway = self._listing.pool_name if self._in_fleet else ""
        return EndedRun(run, difference, *await self._database.read(read), gateway)

    async def grouped(self, ended: EndedRun) -> EndedRun:
        """Return a run without what another gateway has reported within the hour: one host, one message."""
        alerts = alerts_of(ended) if self._in_fleet else frozenset()
        if not alerts:
            return ended
        pool_id, now = self._listing.pool_id, self._clock.now_ms()
        return without_told(ended, await self._database.write(pulses.told_elsewhere, pool_id, alerts, now))


class RunWatcher:
    """Follower of the event log from the stored position on."""

    def __init__(self, feed: EventLog, reader: RunReader, channels: Channels, clock: Clock) -> None:
        self._event_log = feed
        self._reader = reader
        self._channels = channels
        self._clock = clock
        self._work: asyncio.Task[None] | None = None

    async def position(self) -> int:
        """Return the stored position, which is the end of the log at the first start."""
        stored = await self._reader.position()
        if stored is not None:
            return stored
        (end,) = await self._event_log.events(_BEYOND_THE_END, None, 1)
        await self._reader.reported(end.seq)
        return end.seq

    def open(self, after: int) -> None:
        """Begin to report events beyond a position."""
        self._work = asyncio.create_task(self._follow(after))

    async def close(self) -> None:
        """Stop; a message under way is dropped, and sent again at the next start."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})

    async def _follow(self, after: int) -> None:
        """Report events until the log closes; an event whose data cannot be read for now is tried again."""
        while True:
            try:
                if not await self._event_log.wait(after):
                    return
                for event in await self._event_log.events(after, None, _PAGE):
                    if _is_reported(event):
                        await self._report(event)
                        await self._reader.reported(event.seq)
                    after = event.seq
            except StoreError as error:
                _LOG.warning("notification-delayed", error=str(error))
                await self._clock.sleep(_PAUSE_SECONDS)

    async def _report(self, event: EventRecord) -> None:
        try:
            if await self._channels.is_wanted():
                await self._send(event)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - a later event can be reported all the same
            _LOG.exception("event-not-reported", seq=event.seq, error=type(error).__name__)

    async def _send(self, event: EventRecord) -> None:
        if event.run_id is None:
            await self._channels.send(not_started(event.data))
            return
        run_id = event.run_id
        # The event is reported as it was: a run that is interrupted at a restart may have been resumed since.
        coded = event.data.get("reasons", ())
        written = "" if coded else str(event.data.get("reason", ""))
        state, reason = RunState(event.data["state"]), ReasonList.stored(coded, written)
        stored = await self._reader.read(run_id)
        ended = await self._reader.grouped(replace(stored, run=replace(stored.run, state=state, reason=reason)))
        if ended.is_news:
            await self._channels.send(ended_run(ended))


def _is_reported(event: EventRecord) -> bool:
    if event.kind is EventKind.SCHEDULE:
        return True
    return event.kind is EventKind.RUN_STATE and event.run_id is not None and event.data.get("state") in ENDED


def _automatic(done: Iterable[ActionRecord]) -> tuple[ActionRecord, ...]:
    """Return the newest automatic action of each account: a resumed run repeats those that a crash left undone."""
    newest = {action.account_id: action for action in done if action.cause is Cause.RUN}
    return tuple(sorted(newest.values(), key=lambda action: action.id))
