"""Quota windows of last results, read without the rest of their evidence."""

from collections.abc import Mapping

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.records import WindowRecord
from extension.store.schema.tables import ACCOUNTS, RESULTS


def last_windows(transaction: Transaction, pool_id: int, source: str) -> Mapping[int, tuple[WindowRecord, ...]]:
    """Return the quota windows in the last result of each account of a source that has some."""
    last = select(func.max(RESULTS.c.seq)).where(RESULTS.c.account_id == ACCOUNTS.c.id).scalar_subquery()
    newest = select(last).where(ACCOUNTS.c.pool_id == pool_id, ACCOUNTS.c.source == source)
    rows = transaction.execute(select(RESULTS.c.account_id, RESULTS.c.windows).where(RESULTS.c.seq.in_(newest)))
    return {account_id: tuple(WindowRecord(**window) for window in windows) for account_id, windows in rows if windows}
