"""Aliases: names of client keys, which are known by their fingerprint alone."""

from dataclasses import asdict, dataclass

from sqlalchemy import delete, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import API_KEY_ALIASES


@dataclass(frozen=True, slots=True)
class AliasRecord:
    """Name of the client key with a fingerprint."""

    fingerprint: str
    alias: str
    set_by: str
    set_at: int


def put(transaction: Transaction, record: AliasRecord) -> bool:
    """Store an alias in place of the key's former one; false when another key has this alias."""
    table = API_KEY_ALIASES.c
    taken = select(table.fingerprint).where(table.alias == record.alias, table.fingerprint != record.fingerprint)
    if transaction.execute(taken).first() is not None:
        return False
    remove(transaction, record.fingerprint)
    transaction.execute(insert(API_KEY_ALIASES).values(asdict(record)))
    return True


def remove(transaction: Transaction, fingerprint: str) -> bool:
    """Forget an alias; false when the key has none."""
    return transaction.execute(delete(API_KEY_ALIASES).where(API_KEY_ALIASES.c.fingerprint == fingerprint)).rowcount > 0


def every(transaction: Transaction) -> tuple[AliasRecord, ...]:
    """Return all aliases, by name."""
    rows = transaction.execute(select(API_KEY_ALIASES).order_by(API_KEY_ALIASES.c.alias)).mappings()
    return tuple(AliasRecord(**dict(row)) for row in rows)
