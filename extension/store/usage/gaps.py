"""Gaps: times in which records may be missing."""

from sqlalchemy import func, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_GAPS
from extension.store.usage.records import GapRecord

_ROW = USAGE_GAPS.c


def add(transaction: Transaction, pool_id: int, start: int, end: int, *, kind: str, missing: int | None) -> None:
    """Note a gap; `missing` only where the gateway counted."""
    values = {"start_at": min(start, end), "end_at": end, "kind": kind, "missing": missing}
    transaction.execute(insert(USAGE_GAPS).values(pool_id=pool_id, **values))


def count(transaction: Transaction, pool_id: int) -> int:
    """Return how many gaps there have been."""
    query = select(func.count()).select_from(USAGE_GAPS).where(_ROW.pool_id == pool_id)
    return transaction.execute(query).scalar_one()


def touching(transaction: Transaction, pool_id: int, start: int, end: int, limit: int) -> tuple[GapRecord, ...]:
    """Return the gaps that touch a period, oldest first, at most `limit` of the newest."""
    query = select(USAGE_GAPS).where(_ROW.pool_id == pool_id, _ROW.end_at >= start, _ROW.start_at <= end)
    rows = transaction.execute(query.order_by(_ROW.end_at.desc(), _ROW.id.desc()).limit(limit)).all()
    return tuple(GapRecord(row.id, row.start_at, row.end_at, row.kind, row.missing) for row in reversed(rows))
