"""Merging events into frames."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from extension.api.payloads.runs import EventView
from extension.api.streams.fan_out import merge
from extension.store.records import EventKind, EventRecord

KINDS = (EventKind.RUN_STATE, EventKind.RUN_PROGRESS, EventKind.RESULT, EventKind.ACTION, EventKind.POOL)


def event(seq: int, kind: EventKind, run: int | None = 1) -> EventRecord:
    data = {EventKind.RESULT: {"seqs": [seq]}, EventKind.ACTION: {"ids": [seq]}}.get(kind, {})
    return EventRecord(seq, seq * 10, kind, run, data)


@st.composite
def logs(draw: st.DrawFn) -> list[EventRecord]:
    kinds = draw(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from([None, 1, 2])), max_size=30))
    return [event(number, kind, run) for number, (kind, run) in enumerate(kinds, start=draw(st.integers(1, 50)))]


def test_events_of_one_kind_about_one_run_become_one_frame() -> None:
    frames = merge([event(1, EventKind.RESULT), event(2, EventKind.RUN_PROGRESS), event(3, EventKind.RESULT)], 0)

    assert [(frame.kind, frame.data) for frame in frames] == [("run.progress", {}), ("result", {"seqs": [1, 3]})]


def test_of_the_states_of_a_run_the_last_one_counts_with_its_own_reasons() -> None:
    lost, halted = {"code": "service_ended", "params": {}}, {"code": "stopped", "params": {}}
    frames = [
        EventRecord(1, 5, EventKind.RUN_STATE, 1, {"state": "interrupted", "reasons": [lost]}),
        EventRecord(2, 5, EventKind.RUN_STATE, 1, {"state": "stopped", "reasons": [halted]}),
        EventRecord(3, 5, EventKind.RUN_STATE, 1, {"state": "queued", "reasons": []}),
    ]

    assert [frame.data for frame in merge(frames, 0)] == [{"state": "queued", "reasons": []}]
    assert [frame.data for frame in merge(frames[:2], 0)] == [{"state": "stopped", "reasons": [halted]}]


def test_the_end_of_a_batch_is_not_lost_in_the_news_of_another() -> None:
    frames = [
        EventRecord(1, 5, EventKind.BATCH, None, {"batch": 7, "state": "running", "done": 4}),
        EventRecord(2, 5, EventKind.BATCH, None, {"batch": 7, "state": "finished", "done": 5}),
        EventRecord(3, 5, EventKind.BATCH, None, {"batch": 8, "state": "running", "done": 1}),
    ]

    assert [(frame.data["batch"], frame.data["state"]) for frame in merge(frames, 0)] == [
        (7, "finished"),
        (8, "running"),
    ]


def test_runs_are_not_mixed() -> None:
    assert [frame.run for frame in merge([event(1, EventKind.RESULT, 1), event(2, EventKind.RESULT, 2)], 0)] == [1, 2]


@given(logs())
def test_no_id_is_lost_and_none_is_told_twice(log: list[EventRecord]) -> None:
    def ids(data: Sequence[EventRecord | EventView]) -> list[int]:
        return sorted(number for frame in data for numbers in frame.data.values() for number in numbers)

    assert ids(merge(log, 0)) == ids(log)


@given(logs(), st.data())
def test_whoever_goes_on_from_any_frame_misses_nothing(log: list[EventRecord], data: st.DataObject) -> None:
    after = log[0].seq - 1 if log else 0
    frames = merge(log, after)
    got = data.draw(st.integers(0, len(frames)))
    cursor = frames[got - 1].seq if got else after

    heard = {(frame.kind, frame.run) for frame in frames[:got]}
    again = {(record.kind.value, record.run_id) for record in log if record.seq > cursor}

    assert heard | again == {(record.kind.value, record.run_id) for record in log}
    numbers = {number for frame in frames[:got] for ids in frame.data.values() for number in ids}
    numbers |= {number for record in log if record.seq > cursor for ids in record.data.values() for number in ids}
    assert numbers == {number for record in log for ids in record.data.values() for number in ids}


@given(logs())
def test_cursors_never_go_back_and_end_at_the_last_event(log: list[EventRecord]) -> None:
    cursors = [frame.seq for frame in merge(log, log[0].seq - 1 if log else 0)]

    assert cursors == sorted(cursors)
    assert not log or cursors[-1] == log[-1].seq
