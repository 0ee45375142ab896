"""Workers: the processes that serve gateways, by the clock of the database, which all of them share."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import delete, func, select

from extension.store.database.database import Transaction
from extension.store.schema.command_tables import WORKERS
from extension.store.schema.dialects import now_ms, upsert
from extension.store.schema.tables import ACCOUNTS, POOLS

_ROW = WORKERS.c


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """A worker: most gateways at a time, those it works on, and the accounts its memory holds. Times in ms UTC."""

    id: str
    name: str
    version: str
    slots: int
    visits: tuple[int, ...]
    capacity: int
    started_at: int = field(default=0, compare=False)
    seen_at: int = field(default=0, compare=False)

    @property
    def is_full(self) -> bool:
        """True without a free slot."""
        return len(self.visits) >= self.slots


def beat(transaction: Transaction, worker: WorkerRecord, stale_ms: int) -> tuple[WorkerRecord, ...]:
    """Store that a worker lives, forget those silent for that long, and return all others, the oldest first."""
    now = now_ms(transaction)
    values: dict[str, Any] = {**asdict(worker), "visits": list(worker.visits), "seen_at": now}
    row = upsert(transaction, WORKERS).values({**values, "started_at": now})
    changed = {name: value for name, value in values.items() if name not in {"id", "started_at"}}
    transaction.execute(row.on_conflict_do_update(index_elements=["id"], set_=changed))
    transaction.execute(delete(WORKERS).where(_ROW.seen_at < now - stale_ms))
    return everyone(transaction)


def everyone(transaction: Transaction, stale_ms: int | None = None) -> tuple[WorkerRecord, ...]:
    """Return the workers, the oldest first; with a time those alone that were heard of since."""
    query = select(WORKERS).order_by(_ROW.started_at, _ROW.id)
    if stale_ms is not None:
        query = query.where(_ROW.seen_at >= now_ms(transaction) - stale_ms)
    rows = transaction.execute(query).mappings()
    return tuple(WorkerRecord(**{**row, "visits": tuple(row["visits"])}) for row in rows)


def remove(transaction: Transaction, worker_id: str) -> None:
    """Forget a worker that ends in order."""
    transaction.execute(delete(WORKERS).where(_ROW.id == worker_id))


def pool_sizes(transaction: Transaction) -> Mapping[int, int]:
    """Return the count of stored accounts of every pool."""
    query = select(POOLS.c.id, func.count(ACCOUNTS.c.id).label("accounts")).outerjoin(ACCOUNTS).group_by(POOLS.c.id)
    return {row.id: row.accounts for row in transaction.execute(query)}
