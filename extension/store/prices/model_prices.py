"""Prices set by people or taken over from a public list, one row for each date they are valid from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import RowMapping, delete, func, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import MODEL_PRICES


@dataclass(frozen=True, slots=True)
class NewPrice:
    """A price to store; `rates` are JSON values, and an empty `provider` stands for every provider."""

    provider: str
    model: str
    service_tier: str
    valid_from: date | None
    rates: Mapping[str, Any]
    source: str
    note: str
    set_by: str
    set_at: int


@dataclass(frozen=True, slots=True)
class PriceRecord(NewPrice):
    """A stored price."""

    id: int


def put(transaction: Transaction, price: NewPrice) -> PriceRecord:
    """Store a price; it replaces the one of the same source, model, provider, tier and date."""
    table = MODEL_PRICES.c
    same = (
        table.provider == price.provider,
        table.model == price.model,
        table.service_tier == price.service_tier,
        table.source == price.source,
        table.valid_from.is_(None) if price.valid_from is None else table.valid_from == price.valid_from,
    )
    transaction.execute(delete(MODEL_PRICES).where(*same))
    values = {
        "provider": price.provider,
        "model": price.model,
        "service_tier": price.service_tier,
        "valid_from": price.valid_from,
        "rates": dict(price.rates),
        "source": price.source,
        "note": price.note,
        "set_by": price.set_by,
        "set_at": price.set_at,
    }
    row = transaction.execute(insert(MODEL_PRICES).values(values).returning(MODEL_PRICES)).mappings().one()
    return _record(row)


def remove(transaction: Transaction, price_id: int) -> bool:
    """Forget a price; false when it is not known."""
    return transaction.execute(delete(MODEL_PRICES).where(MODEL_PRICES.c.id == price_id)).rowcount > 0


def revision(transaction: Transaction) -> tuple[int, int]:
    """Return a mark that differs after every change: ids only grow, so no two states have the same count and newest."""
    row = transaction.execute(select(func.count(), func.max(MODEL_PRICES.c.id))).one()
    return int(row[0]), int(row[1] or 0)


def every(transaction: Transaction) -> tuple[PriceRecord, ...]:
    """Return all stored prices, the oldest first."""
    rows = transaction.execute(select(MODEL_PRICES).order_by(MODEL_PRICES.c.id)).mappings()
    return tuple(_record(row) for row in rows)


def _record(row: RowMapping) -> PriceRecord:
    return PriceRecord(**dict(row))
