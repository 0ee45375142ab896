"""Quota resets: accounts whose last result is out of quota with a known end."""

from dataclasses import dataclass

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import ACCOUNTS, RESULTS


@dataclass(frozen=True, slots=True)
class QuotaReset:
    """End of the quota of an account (ms UTC), and the time of the result that names it."""

    account_id: int
    at: int
    resets_at: int


def pending(transaction: Transaction, pool_id: int, verdict: str) -> tuple[QuotaReset, ...]:
    """Return the resets that the last results with a verdict name, the earliest first."""
    last = select(func.max(RESULTS.c.seq)).where(RESULTS.c.account_id == ACCOUNTS.c.id).scalar_subquery()
    newest = select(last).where(ACCOUNTS.c.pool_id == pool_id)
    query = (
        select(RESULTS.c.account_id, RESULTS.c.at, RESULTS.c.resets_at)
        .where(RESULTS.c.verdict == verdict, RESULTS.c.resets_at.is_not(None), RESULTS.c.seq.in_(newest))
        .order_by(RESULTS.c.resets_at)
    )
    return tuple(QuotaReset(*row) for row in transaction.execute(query))
