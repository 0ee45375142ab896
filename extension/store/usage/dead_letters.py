"""Dead letters: records that are no events, without their secrets."""

from sqlalchemy import delete, func, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_DEAD_LETTERS
from extension.store.usage.records import DeadLetter

KEPT = 1_000
"""Letters that are kept, the newest ones; each has at most 8,192 characters."""
_ROW = USAGE_DEAD_LETTERS.c


def add(transaction: Transaction, pool_id: int, letters: list[tuple[int, str, str, str]]) -> None:
    """Store letters (time, reason, field, text), and drop the oldest beyond those that are kept."""
    if not letters:
        return
    names = ("at", "reason", "field", "text")
    rows = [{"pool_id": pool_id, **dict(zip(names, letter, strict=True))} for letter in letters]
    transaction.execute(insert(USAGE_DEAD_LETTERS), rows)
    newest = transaction.execute(select(func.max(_ROW.id))).scalar() or 0
    transaction.execute(delete(USAGE_DEAD_LETTERS).where(_ROW.id <= newest - KEPT))


def recent(transaction: Transaction, pool_id: int, limit: int) -> tuple[DeadLetter, ...]:
    """Return the newest letters, newest first."""
    query = select(USAGE_DEAD_LETTERS).where(_ROW.pool_id == pool_id).order_by(_ROW.id.desc()).limit(limit)
    return tuple(DeadLetter(row.id, row.at, row.reason, row.field, row.text) for row in transaction.execute(query))


def count(transaction: Transaction, pool_id: int) -> int:
    """Return how many letters are kept."""
    query = select(func.count()).select_from(USAGE_DEAD_LETTERS).where(_ROW.pool_id == pool_id)
    return transaction.execute(query).scalar() or 0
