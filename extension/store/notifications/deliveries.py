"""Deliveries: results of the messages to the webhook."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from sqlalchemy import RowMapping, delete, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import DELIVERIES

KEPT: Final = 200
"""Largest number of stored deliveries of a pool."""


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """A message that was sent, or could not be.

    `kind` is that of the message, `run_id` the run it tells of, None for a test. `attempts` counts the requests;
    `problem` says why the last of them was not taken, and is empty when it was. `channel` is None for the webhook.
    """

    kind: str
    run_id: int | None
    at: int
    taken: bool
    attempts: int
    problem: str
    channel: int | None = None


@dataclass(frozen=True, slots=True)
class DeliveryRecord(NewDelivery):
    """A stored delivery."""

    id: int = field(kw_only=True)


def add(transaction: Transaction, pool_id: int, delivery: NewDelivery) -> DeliveryRecord:
    """Store a delivery; the oldest ones go."""
    values = asdict(delivery)
    number = transaction.execute(insert(DELIVERIES).values(pool_id=pool_id, **values).returning(DELIVERIES.c.id))
    stored = DeliveryRecord(id=number.scalar_one(), **values)
    transaction.execute(delete(DELIVERIES).where(DELIVERIES.c.pool_id == pool_id, DELIVERIES.c.id <= stored.id - KEPT))
    return stored


def last(transaction: Transaction, pool_id: int) -> DeliveryRecord | None:
    """Return the newest delivery to the webhook, if there is one."""
    own = DELIVERIES.c.pool_id == pool_id, DELIVERIES.c.channel.is_(None)
    query = select(DELIVERIES).where(*own).order_by(DELIVERIES.c.id.desc()).limit(1)
    row = transaction.execute(query).mappings().first()
    return None if row is None else _record(row)


def of_channels(transaction: Transaction, pool_id: int, limit: int) -> tuple[DeliveryRecord, ...]:
    """Return the newest deliveries to channels, newest first."""
    own = DELIVERIES.c.pool_id == pool_id, DELIVERIES.c.channel.is_not(None)
    query = select(DELIVERIES).where(*own).order_by(DELIVERIES.c.id.desc()).limit(limit)
    return tuple(_record(row) for row in transaction.execute(query).mappings())


def last_by_channel(transaction: Transaction, pool_id: int) -> Mapping[int, DeliveryRecord]:
    """Return the newest stored delivery of each channel that has one."""
    newest = of_channels(transaction, pool_id, KEPT)
    return {each.channel: each for each in reversed(newest) if each.channel is not None}


def _record(row: RowMapping) -> DeliveryRecord:
    return DeliveryRecord(**{name: row[name] for name in row if name != "pool_id"})
