"""Fan-out: one reader for all streams, paced, and no event lost for a late or a slow one."""

import asyncio
import gc
import json
import weakref
from collections.abc import AsyncIterator, Sequence
from typing import Any

import anyio
from hypothesis import given
from hypothesis import strategies as st

from adapter.clock import FakeClock
from extension.api.streams.fan_out import FRAME_SECONDS, FanOut
from extension.engine.event_log import EventLog
from extension.store.database.health import Health
from extension.store.records import EventKind, EventRecord
from tests.extension.api.streams.test_frames import event

TURNS = 30
"""Turns of the event loop after which nothing of these tests is under way any more."""


class Log(EventLog):
    """An event log that is there from the start, then grows by what is appended."""

    def __init__(self, events: Sequence[EventRecord] = ()) -> None:
        self.log = list(events)
        self.grown = asyncio.Event()
        self.closed = False
        self.readings = 0

    def append(self, *events: EventRecord) -> None:
        self.log.extend(events)
        self.grown.set()

    def close(self) -> None:
        self.closed = True
        self.grown.set()

    async def events(self, after: int = 0, run_id: int | None = None, limit: int = 500) -> tuple[EventRecord, ...]:
        del run_id
        self.readings += 1
        return tuple(event for event in self.log if event.seq > after)[:limit]

    async def wait(self, after: int) -> bool:
        while not self.closed and (not self.log or self.log[-1].seq <= after):
            self.grown.clear()
            await self.grown.wait()
        return not self.closed


class Reader:
    """A stream that is read to its end in the background."""

    def __init__(self, frames: AsyncIterator[bytes]) -> None:
        self.frames: list[dict[str, Any]] = []
        self.writes = 0
        self.task = asyncio.create_task(self._read(frames))

    async def _read(self, frames: AsyncIterator[bytes]) -> None:
        async for text in frames:
            self.writes += 1
            self.frames += [json.loads(line[6:]) for line in text.decode().splitlines() if line.startswith("data: ")]

    @property
    def ids(self) -> list[int]:
        return [number for frame in self.frames for number in frame["data"].get("seqs", ())]


async def settled() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def closed(log: Log, clock: FakeClock, readers: Sequence[Reader]) -> None:
    """Close the log and wait for the end of the streams; the shared reader may be in its pause."""
    log.close()
    await settled()
    await clock.advance(10)
    await asyncio.gather(*(reader.task for reader in readers))


async def test_two_hundred_streams_cost_one_reading_for_each_growth_of_the_log() -> None:
    log, clock = Log([event(1, EventKind.RUN_STATE)]), FakeClock()
    fan_out = FanOut(log, clock, Health(asyncio.get_running_loop()))
    readers = [Reader(fan_out.stream(anyio.Event(), 1, None)) for _ in range(200)]
    await settled()
    log.readings = 0

    for number in (2, 3):
        log.append(event(number, EventKind.RESULT))
        await settled()
        await clock.advance(10)
        await settled()

    assert log.readings == 2
    assert {tuple(reader.ids) for reader in readers} == {(2, 3)}
    await closed(log, clock, readers)


async def test_a_second_brings_ten_frames_at_most() -> None:
    log, clock = Log([event(1, EventKind.RUN_STATE)]), FakeClock()
    reader = Reader(FanOut(log, clock, Health(asyncio.get_running_loop())).stream(anyio.Event(), 1, None))
    await settled()

    for tick in range(100):
        log.append(event(2 * tick + 2, EventKind.RESULT), event(2 * tick + 3, EventKind.RUN_PROGRESS))
        await settled()
        await clock.advance(FRAME_SECONDS / 10)
    await settled()

    assert 6 <= len(reader.frames) <= 12, "a second, and the frames of its beginning"
    await closed(log, clock, [reader])


async def test_many_streams_are_written_to_less_often() -> None:
    log, clock = Log([event(1, EventKind.RUN_STATE)]), FakeClock()
    fan_out = FanOut(log, clock, Health(asyncio.get_running_loop()))
    readers = [Reader(fan_out.stream(anyio.Event(), 1, None)) for _ in range(200)]
    await settled()

    for tick in range(100):
        log.append(event(tick + 2, EventKind.RESULT))
        await settled()
        await clock.advance(0.01)

    assert all(1 <= reader.writes <= 3 for reader in readers)
    await closed(log, clock, readers)
    assert all(reader.ids == list(range(2, 2 + len(reader.ids))) for reader in readers)


async def test_a_stream_of_one_run_sleeps_while_others_are_told_of() -> None:
    log, clock = Log([event(1, EventKind.RESULT, 2), event(2, EventKind.RESULT, 2)]), FakeClock()
    reader = Reader(FanOut(log, clock, Health(asyncio.get_running_loop())).stream(anyio.Event(), 0, 1))
    await settled()
    assert reader.writes == 0

    log.append(event(3, EventKind.RUN_STATE, 1))
    await settled()

    assert [frame["seq"] for frame in reader.frames] == [3]
    await closed(log, clock, [reader])


async def test_a_stream_ends_when_the_log_closes_or_the_service_stops() -> None:
    log, closing = Log(), anyio.Event()
    fan_out = FanOut(log, FakeClock(), Health(asyncio.get_running_loop()))
    first, second = Reader(fan_out.stream(closing, 0, None)), Reader(fan_out.stream(anyio.Event(), 0, None))
    await settled()

    closing.set()
    await first.task
    assert not second.task.done()
    log.close()
    await second.task


async def test_without_streams_nothing_reads_the_log() -> None:
    log, closing = Log([event(1, EventKind.RESULT)]), anyio.Event()
    reader = Reader(FanOut(log, FakeClock(), Health(asyncio.get_running_loop())).stream(closing, 1, None))
    await settled()
    closing.set()
    await reader.task
    log.readings = 0

    log.append(event(2, EventKind.RESULT))
    await settled()

    assert log.readings == 0


class Slow:
    """A stream whose reader takes one text at a time."""

    def __init__(self, frames: AsyncIterator[bytes]) -> None:
        self._frames = frames
        self.text = b""

    async def take(self) -> None:
        self.text += await anext(self._frames)


async def test_a_slow_stream_reads_for_itself_and_is_in_step_again_afterwards() -> None:
    log, clock = Log([event(1, EventKind.RUN_STATE)]), FakeClock()
    fan_out = FanOut(log, clock, Health(asyncio.get_running_loop()))
    fast = Reader(fan_out.stream(anyio.Event(), 1, None))
    slow = Slow(fan_out.stream(anyio.Event(), 1, None))
    taking = asyncio.create_task(slow.take())
    await settled()
    for number in range(2, 8):
        log.append(event(number, EventKind.RESULT))
        await settled()
        await clock.advance(1)
        await settled()
    await taking
    await slow.take()
    taking = asyncio.create_task(slow.take())
    await settled()
    log.readings = 0

    log.append(event(8, EventKind.RESULT))
    await settled()
    await taking

    assert log.readings == 1
    assert fast.ids == list(range(2, 9))
    assert [f'"seqs":[{number}]' in slow.text.decode() for number in (2, 8)] == [True, True]
    assert '"seqs":[3,4,5,6,7]' in slow.text.decode()
    await closed(log, clock, [fast])


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.lists(st.integers(0, 60), min_size=1, max_size=5))
def test_every_stream_gets_every_event_once_wherever_it_begins(growths: list[int], cursors: list[int]) -> None:
    async def scenario() -> None:
        log, clock = Log([event(1, EventKind.RESULT)]), FakeClock()
        fan_out = FanOut(log, clock, Health(asyncio.get_running_loop()))
        readers: list[tuple[int, Reader]] = []
        for turn, growth in enumerate(growths):
            last = log.log[-1].seq
            for after in cursors[turn::3]:
                start = min(after, last)
                readers.append((start, Reader(fan_out.stream(anyio.Event(), start, None))))
            log.append(*(event(last + step, EventKind.RESULT) for step in range(1, growth + 1)))
            await settled()
            await clock.advance(0.05)
        for _ in range(20):
            await clock.advance(10)
            await settled()
        log.close()
        await asyncio.gather(*(reader.task for _, reader in readers))
        for start, reader in readers:
            assert reader.ids == list(range(start + 1, log.log[-1].seq + 1))

    asyncio.run(scenario())


async def test_a_pool_that_is_opened_anew_leaves_no_streams_behind() -> None:
    health = Health(asyncio.get_running_loop())
    fan_out = weakref.ref(FanOut(Log(), FakeClock(), health))
    gc.collect()
    assert fan_out() is None
    health.change(None)
