"""Events: the append-only log that streams are read from.

An event is appended in the transaction of the change it tells of, so that neither can be there without the other. Its
`seq` is its server-sent event id.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, insert, select

from extension.store.database.database import Transaction
from extension.store.records import EventKind, EventRecord
from extension.store.schema.tables import EVENTS

_APPEND = insert(EVENTS)


def append(transaction: Transaction, at: int, kind: EventKind, run_id: int | None, data: Mapping[str, Any]) -> None:
    """Add one event; `data` is JSON, holds ids rather than content, and no secret."""
    append_all(transaction, at, run_id, ((kind, data),))


def append_all(
    transaction: Transaction, at: int, run_id: int | None, changes: Sequence[tuple[EventKind, Mapping[str, Any]]]
) -> None:
    """Add events that belong together, in their order; see `append`."""
    rows = [{"at": at, "kind": kind.value, "run_id": run_id, "data": dict(data)} for kind, data in changes]
    transaction.execute(_APPEND, rows)


def newest(transaction: Transaction) -> int:
    """Return the `seq` of the newest event, 0 when there is none."""
    return transaction.execute(select(func.max(EVENTS.c.seq))).scalar() or 0


def oldest(transaction: Transaction) -> int:
    """Return the `seq` of the oldest event that is still there, 0 when there is none."""
    return transaction.execute(select(func.min(EVENTS.c.seq))).scalar() or 0


def after(transaction: Transaction, seq: int, run_id: int | None, limit: int) -> tuple[EventRecord, ...]:
    """Return at most `limit` events with a greater `seq`, of one run or of all, oldest first."""
    query = select(EVENTS).where(EVENTS.c.seq > seq).order_by(EVENTS.c.seq).limit(limit)
    if run_id is not None:
        query = query.where(EVENTS.c.run_id == run_id)
    return tuple(
        EventRecord(row.seq, row.at, EventKind(row.kind), row.run_id, row.data) for row in transaction.execute(query)
    )
