"""Frames of an event stream: events merged, so that a busy run is few frames, and resumable after every frame."""

from collections.abc import Sequence
from typing import Final, Protocol

from extension.api.payloads.event import EventView
from extension.store.records import EventRecord

FRAME_SECONDS = 0.1
"""Least time between two frames of one stream. At most ten a second keep a page responsive during a run."""
BATCH = 500
_NUMBERS: Final = frozenset({"ids", "seqs"})
"""Names of the lists of events that are joined."""
_SUBJECTS: Final = ("batch", "schedule")
"""Names of what an event is about, beside its run."""


class EventSource(Protocol):
    """Source of the events of a stream: the event log."""

    async def events(self, after: int = 0, run_id: int | None = None, limit: int = 500) -> tuple[EventRecord, ...]:
        """Answer events after a cursor, oldest first; one `reset` for a cursor the log cannot serve."""

    async def wait(self, after: int) -> bool:
        """Wait until there are events after a cursor; false when the log closes instead."""


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
