"""Prices set by people or taken over from a public list, and aliases of client keys, which are known by fingerprint."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from sqlalchemy import delete, func, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import API_KEY_ALIASES, MODEL_PRICES


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


def put_price(transaction: Transaction, price: NewPrice) -> PriceRecord:
    """Store a price; it replaces the one of the same source, model, provider, tier and date."""
    table = MODEL_PRICES.c
    same = (
        *(table[name] == getattr(price, name) for name in ("provider", "model", "service_tier", "source")),
        table.valid_from.is_(None) if price.valid_from is None else table.valid_from == price.valid_from,
    )
    transaction.execute(delete(MODEL_PRICES).where(*same))
    values = {name: getattr(price, name) for name in NewPrice.__slots__} | {"rates": dict(price.rates)}
    row = transaction.execute(insert(MODEL_PRICES).values(values).returning(MODEL_PRICES)).mappings().one()
    return PriceRecord(**dict(row))


def remove_price(transaction: Transaction, price_id: int) -> bool:
    """Forget a price; false when it is not known."""
    return transaction.execute(delete(MODEL_PRICES).where(MODEL_PRICES.c.id == price_id)).rowcount > 0


def revision(transaction: Transaction) -> tuple[int, int]:
    """Return a mark that differs after every change: ids only grow, so no two states have the same count and newest."""
    row = transaction.execute(select(func.count(), func.max(MODEL_PRICES.c.id))).one()
    return int(row[0]), int(row[1] or 0)


def all_prices(transaction: Transaction) -> tuple[PriceRecord, ...]:
    """Return all stored prices, the oldest first."""
    rows = transaction.execute(select(MODEL_PRICES).order_by(MODEL_PRICES.c.id)).mappings()
    return tuple(PriceRecord(**dict(row)) for row in rows)


@dataclass(frozen=True, slots=True)
class AliasRecord:
    """Name of the client key with a fingerprint."""

    fingerprint: str
    alias: str
    set_by: str
    set_at: int


def put_alias(transaction: Transaction, record: AliasRecord) -> bool:
    """Store an alias in place of the key's former one; false when another key has this alias."""
    table = API_KEY_ALIASES.c
    taken = select(table.fingerprint).where(table.alias == record.alias, table.fingerprint != record.fingerprint)
    if transaction.execute(taken).first() is not None:
        return False
    remove_alias(transaction, record.fingerprint)
    transaction.execute(insert(API_KEY_ALIASES).values(asdict(record)))
    return True


def remove_alias(transaction: Transaction, fingerprint: str) -> bool:
    """Forget an alias; false when the key has none."""
    return transaction.execute(delete(API_KEY_ALIASES).where(API_KEY_ALIASES.c.fingerprint == fingerprint)).rowcount > 0


def all_aliases(transaction: Transaction) -> tuple[AliasRecord, ...]:
    """Return all aliases, by name."""
    rows = transaction.execute(select(API_KEY_ALIASES).order_by(API_KEY_ALIASES.c.alias)).mappings()
    return tuple(AliasRecord(**dict(row)) for row in rows)
