"""Run watcher: notifications about ended runs and about schedules that could not start.

Theory of operation. The watcher follows the event log and stores how far it has come after each reported event, in the
row of the pool. A run that a dead process left active becomes interrupted at the next start, and a message that was
under way when the service closed is sent then: both stand behind the stored position. A message may therefore arrive
twice, but none is lost. Events from before the first start of the watcher are not reported.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

import structlog

from adapter.clock import Clock
from extension.engine.event_log import EventLog
from extension.engine.notifications.messages import ended_run, not_started
from extension.engine.notifications.run_reader import RunReader
from extension.reasons.reason import ReasonList
from extension.store.errors import StoreError
from extension.store.records import EventKind, EventRecord
from extension.store.run_state import ENDED, RunState

_LOG = structlog.get_logger("poolkeeper.notify")

_PAGE: Final = 500
_BEYOND_THE_END: Final = 2**53
_PAUSE_SECONDS: Final = 5.0
"""After trouble; it is mostly the database's, and passes."""


class NotificationSender(Protocol):
    """Sender of messages."""

    async def is_wanted(self) -> bool:
        """Say whether an address is configured."""

    async def send(self, message: Mapping[str, Any]) -> bool:
        """Send a JSON object, and return whether it was accepted."""


class RunWatcher:
    """Follower of the event log from the stored position on."""

    def __init__(self, feed: EventLog, reader: RunReader, sender: NotificationSender, clock: Clock) -> None:
        self._event_log = feed
        self._reader = reader
        self._sender = sender
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
            if await self._sender.is_wanted():
                await self._send(event)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - a later event can be reported all the same
            _LOG.exception("event-not-reported", seq=event.seq, error=type(error).__name__)

    async def _send(self, event: EventRecord) -> None:
        if event.run_id is None:
            await self._sender.send(not_started(event.data))
            return
        run_id = event.run_id
        # The event is reported as it was: a run that is interrupted at a restart may have been resumed since.
        coded = event.data.get("reasons", ())
        written = "" if coded else str(event.data.get("reason", ""))
        state, reason = RunState(event.data["state"]), ReasonList.stored(coded, written)
        found = await self._reader.read(run_id)
        ended = replace(found, run=replace(found.run, state=state, reason=reason))
        if ended.is_news:
            await self._sender.send(ended_run(ended))


def _is_reported(event: EventRecord) -> bool:
    if event.kind is EventKind.SCHEDULE:
        return True
    return event.kind is EventKind.RUN_STATE and event.run_id is not None and event.data.get("state") in ENDED
