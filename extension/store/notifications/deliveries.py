"""Deliveries: results of the messages to the webhook."""

from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import delete, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import DELIVERIES

KEPT: Final = 20
"""Largest number of stored deliveries of a pool."""


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """A message that was sent, or could not be.

    `kind` is that of the message, `run_id` the run it tells of, None for a test. `attempts` counts the requests;
    `problem` says why the last of them was not taken, and is empty when it was.
    """

    kind: str
    run_id: int | None
    at: int
    taken: bool
    attempts: int
    problem: str


@dataclass(frozen=True, slots=True)
class DeliveryRecord(NewDelivery):
    """A stored delivery."""

    id: int


def add(transaction: Transaction, pool_id: int, delivery: NewDelivery) -> DeliveryRecord:
    """Store a delivery; the oldest ones go."""
    values = asdict(delivery)
    number = transaction.execute(insert(DELIVERIES).values(pool_id=pool_id, **values).returning(DELIVERIES.c.id))
    stored = DeliveryRecord(id=number.scalar_one(), **values)
    transaction.execute(delete(DELIVERIES).where(DELIVERIES.c.pool_id == pool_id, DELIVERIES.c.id <= stored.id - KEPT))
    return stored


def last(transaction: Transaction, pool_id: int) -> DeliveryRecord | None:
    """Return the newest delivery, if there is one."""
    query = select(DELIVERIES).where(DELIVERIES.c.pool_id == pool_id).order_by(DELIVERIES.c.id.desc()).limit(1)
    row = transaction.execute(query).mappings().first()
    return None if row is None else DeliveryRecord(**{name: row[name] for name in row if name != "pool_id"})
