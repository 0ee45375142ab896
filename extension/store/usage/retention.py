"""Retention of events, by days and by bytes. Rollups, gaps and names stay."""

from typing import Final

from sqlalchemy import delete, func, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.collectors import note_pruned

BYTES_AN_EVENT: Final = 300
"""Size of an event with its indexes on disk, at most."""
_CHUNK: Final = 2_000
_DAY_MS: Final = 24 * 3_600_000
_ROW = USAGE_EVENTS.c


def prune(transaction: Transaction, pool_id: int, now: int, *, keep_days: int, keep_bytes: int) -> int:
    """Remove some of the oldest events beyond the limits; return how many, 0 when all is within them.

    A call removes a part, so that a writer never waits long for it; call again until nothing is removed.
    """
    limit = now - keep_days * _DAY_MS
    old = transaction.execute(
        select(_ROW.seq, _ROW.at).where(_ROW.pool_id == pool_id, _ROW.at < limit).order_by(_ROW.at).limit(_CHUNK)
    ).all()
    if not old:
        surplus = min(_CHUNK, _stored(transaction) - keep_bytes // BYTES_AN_EVENT)
        if surplus <= 0:
            return 0
        oldest = select(_ROW.seq, _ROW.at).where(_ROW.pool_id == pool_id).order_by(_ROW.at).limit(surplus)
        old = transaction.execute(oldest).all()
    seqs = [row.seq for row in old]
    for start in range(0, len(seqs), 500):
        transaction.execute(delete(USAGE_EVENTS).where(_ROW.seq.in_(seqs[start : start + 500])))
    if old:
        note_pruned(transaction, pool_id, max(row.at for row in old) + 1)
    return len(old)


def _stored(transaction: Transaction) -> int:
    return transaction.execute(select(func.count()).select_from(USAGE_EVENTS)).scalar() or 0
