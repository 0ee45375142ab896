"""Figures of pools, rolled up by the process that works on each: one row a gateway, whatever the size of its pool."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.runs.results import newest
from extension.store.schema.dialects import upsert
from extension.store.schema.fleet_tables import POOL_FIGURES
from extension.store.schema.tables import ACCOUNTS, HELD, RESULTS, RUNS

_ROW = POOL_FIGURES.c


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """Counts of a pool at a time (ms UTC): accounts, those enabled, their last verdicts, and changes on hold."""

    pool_id: int
    at: int
    accounts: int
    enabled: int
    verdicts: Mapping[str, int]
    on_hold: int


@dataclass(frozen=True, slots=True)
class NewestRun:
    """The newest run of a pool. `at` is its end, or its beginning while it goes on."""

    id: int
    pool_id: int
    state: str
    done: int
    total: int
    recommendations: Mapping[str, int]
    at: int


def put(transaction: Transaction, figures: PoolFigures) -> None:
    """Store the figures of a pool in the place of the earlier ones."""
    values = {**asdict(figures), "verdicts": dict(figures.verdicts)}
    row = upsert(transaction, POOL_FIGURES).values(values)
    transaction.execute(row.on_conflict_do_update(index_elements=["pool_id"], set_=values))


def every(transaction: Transaction) -> Mapping[int, PoolFigures]:
    """Return the figures by pool."""
    rows = transaction.execute(select(POOL_FIGURES)).mappings()
    return {row["pool_id"]: PoolFigures(**row) for row in rows}


def newest_runs(transaction: Transaction) -> Mapping[int, NewestRun]:
    """Return the newest run of each pool that has one."""
    last = select(func.max(RUNS.c.id)).group_by(RUNS.c.pool_id)
    at = func.coalesce(RUNS.c.finished_at, RUNS.c.started_at).label("at")
    columns = [RUNS.c[name] for name in NewestRun.__slots__ if name != "at"]
    rows = transaction.execute(select(*columns, at).where(RUNS.c.id.in_(last))).mappings()
    return {row["pool_id"]: NewestRun(**row) for row in rows}


def last_verdicts(transaction: Transaction, pool_id: int) -> Mapping[int, str]:
    """Return the verdict of the last check of each account of a pool that has one."""
    query = select(RESULTS.c.account_id, RESULTS.c.verdict).where(RESULTS.c.seq.in_(newest(pool_id)))
    return {row.account_id: row.verdict for row in transaction.execute(query)}


def on_hold(transaction: Transaction, pool_id: int) -> int:
    """Count the changes of a pool that are on hold and not released."""
    query = select(func.count()).select_from(HELD.join(ACCOUNTS, ACCOUNTS.c.id == HELD.c.account_id))
    return transaction.execute(query.where(HELD.c.released_at.is_(None), ACCOUNTS.c.pool_id == pool_id)).scalar_one()
