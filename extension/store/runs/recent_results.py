"""Last results of accounts in any run, without their evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import ACCOUNTS, RESULTS


@dataclass(frozen=True, slots=True)
class RecentResult:
    """One result of an account: run, time (ms UTC), verdict, HTTP status and latency."""

    account_id: int
    run_id: int
    at: int
    verdict: str
    status: int | None
    latency_ms: int | None


def of_accounts(
    transaction: Transaction, pool_id: int, account_ids: Sequence[int], limit: int
) -> Mapping[int, tuple[RecentResult, ...]]:
    """Return at most `limit` results of each account that has one, the newest first."""
    age = func.row_number().over(partition_by=RESULTS.c.account_id, order_by=RESULTS.c.seq.desc()).label("age")
    columns = (RESULTS.c[name] for name in RecentResult.__slots__)
    aged = (
        select(*columns, age)
        .join(ACCOUNTS, ACCOUNTS.c.id == RESULTS.c.account_id)
        .where(ACCOUNTS.c.pool_id == pool_id, RESULTS.c.account_id.in_(account_ids))
        .subquery()
    )
    query = select(aged).where(aged.c.age <= limit).order_by(aged.c.account_id, aged.c.age)
    found: dict[int, list[RecentResult]] = {}
    for *values, _ in transaction.execute(query):
        result = RecentResult(*values)
        found.setdefault(result.account_id, []).append(result)
    return {account_id: tuple(results) for account_id, results in found.items()}
