"""The stream of events: merged, so that a busy run is at most ten frames a second, and resumable after every frame."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

import anyio

from adapter.clock import Clock
from extension.api.payloads.event import EventView
from extension.store.records import EventKind, EventRecord

FRAME_SECONDS = 0.1
"""Least time between two frames of one stream. At most ten a second keep a page responsive during a run."""
BATCH = 500


class EventSource(Protocol):
    """Source of a stream's events; the inspector is one."""

    async def events(self, after: int = 0, run_id: int | None = None, limit: int = 500) -> tuple[EventRecord, ...]:
        """Answer events after a cursor, oldest first; one `reset` for a cursor the log cannot serve."""

    async def wait_for_events(self, after: int) -> bool:
        """Wait until there are events after a cursor; false when the log closes instead."""


def merge(events: Sequence[EventRecord], after: int) -> tuple[EventView, ...]:
    """Merge events of one kind about one run into one frame each; `after` is the cursor they were read with.

    Lists of ids are joined; of any other value the last one counts. Frames come in the order of their last event.
    The `seq` of a frame is a cursor: the greatest number up to which every event is in this frame or in one before
    it, so that a reader that resumes after any frame misses nothing (and may see an event twice).
    """
    groups: dict[tuple[EventKind, int | None], list[EventRecord]] = {}
    for event in events:
        groups.setdefault((event.kind, event.run_id), []).append(event)
    ordered = sorted(groups.values(), key=lambda group: group[-1].seq)
    outstanding = {event.seq for event in events}
    frames: list[EventView] = []
    for group in ordered:
        outstanding -= {event.seq for event in group}
        bound = min(outstanding, default=events[-1].seq + 1)
        frames.append(_joined(group, max((event.seq for event in events if event.seq < bound), default=after)))
    return tuple(frames)


def _joined(group: Sequence[EventRecord], cursor: int) -> EventView:
    last = group[-1]
    data = dict(last.data)
    for name, value in last.data.items():
        if isinstance(value, list | tuple):
            data[name] = list(dict.fromkeys(item for event in group for item in event.data.get(name, ())))
    return EventView(seq=cursor, at=last.at, kind=last.kind, run=last.run_id, data=data)


async def frames(
    log: EventSource, clock: Clock, closing: anyio.Event, after: int, run_id: int | None
) -> AsyncIterator[EventView]:
    """Yield events after a cursor for as long as the service runs: of one run, or of all.

    Ends when `closing` is set or the log closes. The events of other runs are read and passed over, because the log
    wakes readers for any event.
    """
    while not closing.is_set():
        batch = await log.events(after, None, BATCH)
        wanted = [event for event in batch if run_id is None or event.run_id == run_id or event.kind is EventKind.RESET]
        for frame in merge(wanted, after):
            yield frame
            await clock.sleep(FRAME_SECONDS)
        after = batch[-1].seq if batch else after
        if not batch and not await _woken(log, closing, after):
            return


async def _woken(log: EventSource, closing: anyio.Event, after: int) -> bool:
    """Wait for an event; false when the service closes first."""
    waiting = asyncio.ensure_future(log.wait_for_events(after))
    leaving = asyncio.ensure_future(closing.wait())
    try:
        await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return waiting.done() and waiting.result()
    finally:
        for task in (waiting, leaving):
            task.cancel()
        await asyncio.gather(waiting, leaving, return_exceptions=True)
