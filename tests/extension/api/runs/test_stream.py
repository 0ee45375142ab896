"""Merging events into frames, and pacing them."""

import asyncio
from collections.abc import Sequence

import anyio
from hypothesis import given
from hypothesis import strategies as st

from adapter.clock import FakeClock
from extension.api.payloads.event import EventView
from extension.api.runs.stream import FRAME_SECONDS, frames, merge
from extension.store.records import EventKind, EventRecord

KINDS = (EventKind.RUN_STATE, EventKind.RUN_PROGRESS, EventKind.RESULT, EventKind.ACTION, EventKind.POOL)


def event(seq: int, kind: EventKind, run: int | None = 1) -> EventRecord:
    data = {EventKind.RESULT: {"seqs": [seq]}, EventKind.ACTION: {"ids": [seq]}}.get(kind, {})
    return EventRecord(seq, seq * 10, kind, run, data)


@st.composite
def logs(draw: st.DrawFn) -> list[EventRecord]:
    kinds = draw(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from([None, 1, 2])), max_size=30))
    return [event(number, kind, run) for number, (kind, run) in enumerate(kinds, start=draw(st.integers(1, 50)))]


class Log:
    """An event log that is there from the start, then grows by what is appended."""

    def __init__(self, events: Sequence[EventRecord] = ()) -> None:
        self.log = list(events)
        self.grown = asyncio.Event()
        self.closed = False

    async def events(self, after: int = 0, run_id: int | None = None, limit: int = 500) -> tuple[EventRecord, ...]:
        del run_id
        return tuple(event for event in self.log if event.seq > after)[:limit]

    async def wait_for_events(self, after: int) -> bool:
        while not self.closed and not await self.events(after):
            self.grown.clear()
            await self.grown.wait()
        return not self.closed


def test_events_of_one_kind_about_one_run_become_one_frame() -> None:
    told = merge([event(1, EventKind.RESULT), event(2, EventKind.RUN_PROGRESS), event(3, EventKind.RESULT)], 0)

    assert [(frame.kind, frame.data) for frame in told] == [("run.progress", {}), ("result", {"seqs": [1, 3]})]


def test_runs_are_not_mixed() -> None:
    assert [frame.run for frame in merge([event(1, EventKind.RESULT, 1), event(2, EventKind.RESULT, 2)], 0)] == [1, 2]


@given(logs())
def test_no_id_is_lost_and_none_is_told_twice(log: list[EventRecord]) -> None:
    def ids(data: Sequence[EventRecord | EventView]) -> list[int]:
        return sorted(number for one in data for numbers in one.data.values() for number in numbers)

    assert ids(merge(log, 0)) == ids(log)


@given(logs(), st.data())
def test_whoever_goes_on_from_any_frame_misses_nothing(log: list[EventRecord], data: st.DataObject) -> None:
    after = log[0].seq - 1 if log else 0
    told = merge(log, after)
    got = data.draw(st.integers(0, len(told)))
    cursor = told[got - 1].seq if got else after

    heard = {(frame.kind, frame.run) for frame in told[:got]}
    again = {(record.kind.value, record.run_id) for record in log if record.seq > cursor}

    assert heard | again == {(record.kind.value, record.run_id) for record in log}
    numbers = {number for frame in told[:got] for ids in frame.data.values() for number in ids}
    numbers |= {number for record in log if record.seq > cursor for ids in record.data.values() for number in ids}
    assert numbers == {number for record in log for ids in record.data.values() for number in ids}


@given(logs())
def test_cursors_never_go_back_and_end_at_the_last_event(log: list[EventRecord]) -> None:
    cursors = [frame.seq for frame in merge(log, log[0].seq - 1 if log else 0)]

    assert cursors == sorted(cursors)
    assert not log or cursors[-1] == log[-1].seq


async def test_a_second_brings_ten_frames_at_most() -> None:
    clock = FakeClock()
    log = Log([event(number, EventKind.RESULT, number) for number in range(1, 100)])
    told: list[EventView] = []
    first = asyncio.Event()

    async def listen() -> None:
        async for frame in frames(log, clock, anyio.Event(), 0, None):
            told.append(frame)
            first.set()

    listening = asyncio.create_task(listen())
    await first.wait()
    await asyncio.sleep(0)
    assert len(told) == 1
    for _ in range(9):
        await clock.advance(FRAME_SECONDS)
    assert len(told) == 10
    listening.cancel()


async def test_a_stream_of_one_run_sleeps_while_others_are_told_of() -> None:
    log = Log([event(1, EventKind.RESULT, 2), event(2, EventKind.RESULT, 2)])
    closing = anyio.Event()
    listening = frames(log, FakeClock(), closing, 0, 1)
    waiting = asyncio.ensure_future(anext(listening))
    await asyncio.sleep(0)

    log.log.append(event(3, EventKind.RUN_STATE, 1))
    log.grown.set()

    assert (await waiting).seq == 3


async def test_a_stream_ends_when_the_log_closes_or_the_service_stops() -> None:
    log, closing = Log(), anyio.Event()
    first = asyncio.ensure_future(anext(frames(log, FakeClock(), closing, 0, None), None))
    second = asyncio.ensure_future(anext(frames(Log(), FakeClock(), closing, 0, None), None))
    await asyncio.sleep(0)

    log.closed = True
    log.grown.set()
    assert await first is None
    closing.set()
    assert await second is None
