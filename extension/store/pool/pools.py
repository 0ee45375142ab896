"""Pools: which gateway's credentials a row belongs to."""

from sqlalchemy import insert, select

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
