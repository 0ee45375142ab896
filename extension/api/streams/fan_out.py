"""Fan-out of the event log: one reader for all event streams.

Theory of operation. A task reads the log as long as there are streams, merges what is new into frames and encodes them
once for each filter; a stream whose cursor stands where the task began to read sends that text. A stream behind it, new
or with a slow connection, reads for itself until it has caught up. All frames of a reading are one write, and the pause
after it grows with the number of its frames and of the streams: ten frames a second at most for each stream, and about
a twentieth of the time for all of them.

A database that refuses sends no events, and a stream would stand still for no reason that its reader sees. So all
streams end then, and the reader that comes back at once gets the reason as the answer.
"""

import asyncio
import weakref
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import anyio
import structlog
from sse_starlette import ServerSentEvent

from adapter.clock import Clock
from extension.api.payloads.runs import EventView
from extension.engine.event_log import EventLog
from extension.store.database.health import Health
from extension.store.errors import StoreError
from extension.store.records import EventKind, EventRecord

FRAME_SECONDS = 0.1
"""Least time between two frames of one stream. At most ten a second keep a page responsive during a run."""
BATCH = 500
_NUMBERS: Final = frozenset({"ids", "seqs"})
"""Names of the lists of events that are joined."""
_SUBJECTS: Final = ("batch", "schedule")
"""Names of what an event is about, beside its run."""


def merge(events: Sequence[EventRecord], after: int) -> tuple[EventView, ...]:
    """Merge events of one kind about one subject into one frame each; `after` is the cursor they were read with.

    Lists of numbers are joined; of any other value the last one counts, as of the reasons for the state of a run.
    Frames come in the order of their last event. The `seq` of a frame is a cursor: the greatest number up to which
    every event is in this frame or in one before it, so that a reader that resumes after any frame misses nothing (and
    may see an event twice).
    """
    groups: dict[tuple[object, ...], list[EventRecord]] = {}
    for event in events:
        groups.setdefault(_subject(event), []).append(event)
    ordered = sorted(groups.values(), key=lambda group: group[-1].seq)
    outstanding = {event.seq for event in events}
    frames: list[EventView] = []
    for group in ordered:
        outstanding -= {event.seq for event in group}
        bound = min(outstanding, default=events[-1].seq + 1)
        frames.append(_joined(group, max((event.seq for event in events if event.seq < bound), default=after)))
    return tuple(frames)


def _subject(event: EventRecord) -> tuple[object, ...]:
    """Return kind and subject of an event; without the batch the end of one would vanish below the news of another."""
    return (event.kind, event.run_id, *(event.data.get(name) for name in _SUBJECTS))


def _joined(group: Sequence[EventRecord], cursor: int) -> EventView:
    last = group[-1]
    data = dict(last.data)
    for name in _NUMBERS & data.keys():
        data[name] = list(dict.fromkeys(number for event in group for number in event.data.get(name, ())))
    return EventView(seq=cursor, at=last.at, kind=last.kind, run=last.run_id, data=data)


STREAM_SECONDS: Final = 0.0025
"""Part of the pause for each stream; a write to one takes about a twentieth of it."""
_RETRY_SECONDS: Final = 1.0
_COME_BACK_AT_ONCE: Final = b"retry: 250\r\n\r\n"
"""Has a browser connect again after a quarter of a second instead of three."""
_LOG = structlog.get_logger("poolkeeper.api")


@dataclass(slots=True)
class _LogReading:
    """Events after a cursor, with their text for each filter."""

    after: int
    upto: int
    batch: Sequence[EventRecord] = ()
    texts: dict[int | None, bytes] = field(default_factory=dict)

    def text(self, run_id: int | None) -> bytes:
        """Return the frames of one run, or of all, as sent; empty when no event is of that run."""
        if run_id not in self.texts:
            self.texts[run_id] = b"".join(map(encoded, merge(_wanted(self.batch, run_id), self.after)))
        return self.texts[run_id]


class FanOut:
    """Streams of the event log; they end when the log closes, and when the database refuses."""

    def __init__(self, log: EventLog, clock: Clock, health: Health) -> None:
        self._log = log
        self._clock = clock
        self._health = health
        wake_all = weakref.WeakMethod(self._wake_all)  # the database outlives a pool of a fleet that is opened anew
        health.on_change(lambda: (wake := wake_all()) and wake())
        self._reading = _LogReading(0, 0)
        self._wakes: set[asyncio.Event] = set()
        self._work: asyncio.Task[None] | None = None

    def require_store(self) -> None:
        """Make sure that events arrive.

        Raises:
            StoreError: the database refuses.
        """
        self._health.require()

    async def stream(self, closing: anyio.Event, after: int, run_id: int | None) -> AsyncIterator[bytes]:
        """Yield encoded frames after a cursor, of one run or of all, until `closing` is set or the log ends."""
        wake = asyncio.Event()
        leaving = asyncio.ensure_future(closing.wait())
        leaving.add_done_callback(lambda _: wake.set())
        try:
            # By itself up to the end of the log: the shared reader begins there.
            while self._goes_on(closing) and (reading := await self._read(after)).batch:
                after = reading.upto
                if text := reading.text(run_id):
                    yield text
                    await self._clock.sleep(self._pause(reading))
            self._enter(wake, after)
            while self._goes_on(closing) and self._running:
                wake.clear()
                shared = self._reading
                if after >= shared.upto:
                    await wake.wait()
                    continue
                reading = shared if after == shared.after else await self._read(after, shared.upto)
                after = reading.upto
                if text := reading.text(run_id):
                    yield text
            if self._health.fault is not None:
                yield _COME_BACK_AT_ONCE
        finally:
            self._wakes.discard(wake)
            leaving.cancel()
            self._stop_if_unused()

    def _goes_on(self, closing: anyio.Event) -> bool:
        return not closing.is_set() and self._health.fault is None

    @property
    def _running(self) -> bool:
        return self._work is not None and not self._work.done()

    def _enter(self, wake: asyncio.Event, after: int) -> None:
        self._wakes.add(wake)
        if not self._running:
            self._reading = _LogReading(after, after)
            self._work = asyncio.create_task(self._follow())
            self._work.add_done_callback(lambda _: self._wake_all())

    def _stop_if_unused(self) -> None:
        if not self._wakes and self._work is not None:
            self._work.cancel()
            self._work = None

    async def _follow(self) -> None:
        """Read the log and wake the streams until the log closes; trouble of the database passes."""
        while True:
            try:
                if not await self._log.wait(self._reading.upto):
                    return
                self._reading = await self._read(self._reading.upto)
            except StoreError as error:
                _LOG.warning("events-not-read", error=str(error))
                await self._clock.sleep(_RETRY_SECONDS)
                continue
            self._wake_all()
            await self._clock.sleep(self._pause(self._reading))

    async def _read(self, after: int, upto: int | None = None) -> _LogReading:
        """Read the log, as far as the shared reading goes: beyond it the cursors would differ for ever."""
        batch = await self._log.events(after, None, BATCH)
        if upto is not None:
            batch = tuple(event for event in batch if event.seq <= upto or event.kind is EventKind.RESET)
        return _LogReading(after, batch[-1].seq if batch else max(after, upto or 0), batch)

    def _pause(self, reading: _LogReading) -> float:
        kinds = {(event.kind, event.run_id) for event in reading.batch}
        return FRAME_SECONDS * len(kinds) + STREAM_SECONDS * len(self._wakes)

    def _wake_all(self) -> None:
        for wake in self._wakes:
            wake.set()


def encoded(frame: EventView) -> bytes:
    """Encode a frame as a server-sent event."""
    return ServerSentEvent(frame.model_dump_json(by_alias=True), event=frame.kind, id=str(frame.seq)).encode()


def _wanted(batch: Sequence[EventRecord], run_id: int | None) -> list[EventRecord]:
    return [event for event in batch if run_id is None or event.run_id == run_id or event.kind is EventKind.RESET]
