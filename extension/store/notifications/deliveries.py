"""Deliveries: results of the messages to channels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import RowMapping, delete, insert, select

from extension.reasons.reason import ReasonList
from extension.store.database.database import Transaction
from extension.store.schema.tables import DELIVERIES

KEPT: Final = 200
"""Largest number of stored deliveries of a pool."""


@dataclass(frozen=True, slots=True)
class DeliveryRecord:
    """A message that was sent to a channel, or could not be.

    `kind` is that of the message, `run_id` the run it reports, None for a test. `attempts` counts the requests;
    `problem` is the reason why the last of them was not accepted, and empty when it was.
    """

    id: int
    channel: int
    kind: str
    run_id: int | None
    at: int
    taken: bool
    attempts: int
    problem: ReasonList


def add(transaction: Transaction, pool_id: int, delivery: Mapping[str, Any], problem: ReasonList) -> DeliveryRecord:
    """Store a delivery with the fields of its record; the oldest ones go."""
    values = {**delivery, "pool_id": pool_id, "problems": problem.as_json()}
    number = transaction.execute(insert(DELIVERIES).values(**values).returning(DELIVERIES.c.id)).scalar_one()
    transaction.execute(delete(DELIVERIES).where(DELIVERIES.c.pool_id == pool_id, DELIVERIES.c.id <= number - KEPT))
    return DeliveryRecord(id=number, problem=problem, **delivery)


def newest(transaction: Transaction, pool_id: int, limit: int) -> tuple[DeliveryRecord, ...]:
    """Return the newest deliveries, newest first."""
    query = select(DELIVERIES).where(DELIVERIES.c.pool_id == pool_id).order_by(DELIVERIES.c.id.desc()).limit(limit)
    return tuple(_record(row) for row in transaction.execute(query).mappings())


def last_by_channel(transaction: Transaction, pool_id: int) -> Mapping[int, DeliveryRecord]:
    """Return the newest stored delivery of each channel that has one."""
    return {delivery.channel: delivery for delivery in reversed(newest(transaction, pool_id, KEPT))}


def _record(row: RowMapping) -> DeliveryRecord:
    values = {name: row[name] for name in row if name not in {"pool_id", "problems"}}
    return DeliveryRecord(problem=ReasonList.stored(row["problems"], ""), **values)
