"""Events as answered."""

from typing import Any, Self

from extension.api.payloads.payload import Payload
from extension.store.records import EventRecord


class EventView(Payload):
    """One event: it carries ids, never the things themselves.

    In a list `seq` is the event's own number. In a stream it is a cursor: everything up to it has been sent.
    """

    seq: int
    at: int
    kind: str
    run: int | None
    data: dict[str, Any]

    @classmethod
    def of(cls, record: EventRecord) -> Self:
        """Show a stored event."""
        return cls(seq=record.seq, at=record.at, kind=record.kind, run=record.run_id, data=dict(record.data))


class EventsAnswer(Payload):
    """Events after a cursor, oldest first; ask again with `after=next` for those that follow."""

    events: tuple[EventView, ...]
    next: int
