"""Pools: which gateway's credentials a row belongs to."""

from dataclasses import dataclass

from sqlalchemy import insert, select, update

from extension.store.database.database import Transaction
from extension.store.schema.tables import POOLS


def ensure(transaction: Transaction, name: str, now: int) -> int:
    """Return the number of the pool of that name, making its row at first sight."""
    known: int | None = transaction.execute(select(POOLS.c.id).where(POOLS.c.name == name)).scalar()
    if known is not None:
        return known
    row = insert(POOLS).values(name=name, created_at=now).returning(POOLS.c.id)
    made: int = transaction.execute(row).scalar_one()
    return made


def notified_seq(transaction: Transaction, pool_id: int) -> int | None:
    """Return the newest event that the notifications have dealt with; None before the first."""
    return transaction.execute(select(POOLS.c.notified_seq).where(POOLS.c.id == pool_id)).scalar()


def set_notified_seq(transaction: Transaction, pool_id: int, seq: int) -> None:
    """Store the newest event that the notifications have dealt with."""
    transaction.execute(update(POOLS).where(POOLS.c.id == pool_id).values(notified_seq=seq))


@dataclass(frozen=True, slots=True)
class AutomationPause:
    """Pause of all automation: since when (ms UTC), and by whom."""

    at: int
    by: str


def automation_pause(transaction: Transaction, pool_id: int) -> AutomationPause | None:
    """Return the pause of all automation of a pool; None while it acts."""
    columns = POOLS.c.automation_paused_at, POOLS.c.automation_paused_by
    at, by = transaction.execute(select(*columns).where(POOLS.c.id == pool_id)).one()
    return None if at is None else AutomationPause(at, by)


def set_automation_pause(transaction: Transaction, pool_id: int, pause: AutomationPause | None) -> None:
    """Store or end the pause of all automation."""
    values = {"automation_paused_at": pause.at if pause else None, "automation_paused_by": pause.by if pause else ""}
    transaction.execute(update(POOLS).where(POOLS.c.id == pool_id).values(**values))
