"""Events: the append-only log that streams are read from.

An event is appended in the transaction of the change it tells of, so that neither can be there without the other. Its
`seq` is its server-sent event id. An event without a pool is of the installation: the readers of every pool see it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, insert, or_, select

from extension.store.database import event_pools
from extension.store.database.database import Transaction
from extension.store.records import EventKind, EventRecord
from extension.store.schema.tables import EVENTS

_APPEND = insert(EVENTS)


def append(
    transaction: Transaction,
    at: int,
    kind: EventKind,
    run_id: int | None,
    data: Mapping[str, Any],
    *,
    pool_id: int | None = None,
) -> None:
    """Add one event, of a pool or of the installation; `data` is JSON, holds ids rather than content, and no secret."""
    append_all(transaction, at, run_id, ((kind, data),), pool_id=pool_id)


def append_all(
    transaction: Transaction,
    at: int,
    run_id: int | None,
    changes: Sequence[tuple[EventKind, Mapping[str, Any]]],
    *,
    pool_id: int | None = None,
) -> None:
    """Add events that belong together, in their order; see `append`."""
    rows = [
        {"at": at, "kind": kind.value, "pool_id": pool_id, "run_id": run_id, "data": dict(data)}
        for kind, data in changes
    ]
    transaction.execute(_APPEND, rows)
    event_pools.note(transaction, pool_id)


def newest(transaction: Transaction, pool_id: int | None = None) -> int:
    """Return the `seq` of the newest event that a pool sees, or of all; 0 when there is none."""
    return max(_ends(transaction, pool_id, func.max), default=0)


def oldest(transaction: Transaction, pool_id: int | None = None) -> int:
    """Return the `seq` of the oldest event that is still there, as `newest`."""
    return min(_ends(transaction, pool_id, func.min), default=0)


def may_follow(transaction: Transaction, seq: int, kind: EventKind) -> bool:
    """Return whether events of a kind with a greater `seq` are there, or may have been there and were removed."""
    row = EVENTS.c
    following = select(row.seq).where(row.seq > seq, row.kind == kind.value).limit(1)
    return oldest(transaction) > seq + 1 or transaction.execute(following).first() is not None


def _ends(transaction: Transaction, pool_id: int | None, end: Any) -> Sequence[int]:
    # One question to the index for each, since a condition with OR would read the table.
    query = select(end(EVENTS.c.seq))
    conditions = (
        (query,)
        if pool_id is None
        else (
            query.where(EVENTS.c.pool_id == pool_id),
            query.where(EVENTS.c.pool_id.is_(None)),
        )
    )
    row = transaction.execute(select(*(condition.scalar_subquery() for condition in conditions))).one()
    return [seq for seq in row if seq is not None]


def after(
    transaction: Transaction, seq: int, run_id: int | None, limit: int, pool_id: int | None = None
) -> tuple[EventRecord, ...]:
    """Return at most `limit` events with a greater `seq`, of one run, of what a pool sees, or of all, oldest first."""
    query = select(EVENTS).where(EVENTS.c.seq > seq).order_by(EVENTS.c.seq).limit(limit)
    if run_id is not None:
        query = query.where(EVENTS.c.run_id == run_id)
    if pool_id is not None:
        query = query.where(or_(EVENTS.c.pool_id == pool_id, EVENTS.c.pool_id.is_(None)))
    return tuple(
        EventRecord(row.seq, row.at, EventKind(row.kind), row.run_id, row.data) for row in transaction.execute(query)
    )
