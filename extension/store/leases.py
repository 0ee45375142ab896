"""Leases: claims of one process among several on a database, each with an epoch that grows with every owner.

A process that wakes up after its term finds another epoch and changes nothing, because its writes check the epoch in
their own transaction. Terms are measured by the clock of the database, which all processes share.
"""

from dataclasses import dataclass

from sqlalchemy import Row, insert, select, update

from extension.store.database.database import Transaction
from extension.store.errors import LeaseExpired
from extension.store.schema.dialects import now_ms
from extension.store.schema.tables import LEASES

_ROW = LEASES.c


@dataclass(frozen=True, slots=True)
class LeaseRecord:
    """A lease: its owner, the address that serves for it, and the end of its term in milliseconds UTC."""

    owner: str
    address: str
    epoch: int
    expires_at: int


def holder(transaction: Transaction, name: str) -> LeaseRecord | None:
    """Return the lease whose term has not ended, or None."""
    row = _stored(transaction, name)
    if row is None or row.expires_at <= now_ms(transaction):
        return None
    return LeaseRecord(row.owner, row.address, row.epoch, row.expires_at)


def living(transaction: Transaction) -> frozenset[str]:
    """Return the names of the leases whose term has not ended."""
    return frozenset(transaction.execute(select(_ROW.name).where(_ROW.expires_at > now_ms(transaction))).scalars())


def is_held(transaction: Transaction) -> bool:
    """Return whether any lease has an owner whose term has not ended."""
    query = select(_ROW.name).where(_ROW.expires_at > now_ms(transaction)).limit(1)
    return transaction.execute(query).scalar() is not None


def claim(transaction: Transaction, name: str, owner: str, address: str, term_ms: int) -> int | None:
    """Take a lease that is free or whose term has ended, and return its epoch; None while another process has it."""
    row, now = _stored(transaction, name), now_ms(transaction)
    values = {"owner": owner, "address": address, "expires_at": now + term_ms}
    if row is None:
        transaction.execute(insert(LEASES).values(name=name, epoch=1, **values))
        return 1
    if row.owner != owner and row.expires_at > now:
        return None
    transaction.execute(update(LEASES).where(_ROW.name == name).values(epoch=row.epoch + 1, **values))
    return int(row.epoch) + 1


def require(transaction: Transaction, name: str, epoch: int) -> None:
    """Make sure that an epoch is the lease's own, or raise `LeaseExpired`.

    A term that has ended is no loss as long as no other process has claimed the lease.
    """
    if transaction.execute(select(_ROW.epoch).where(_ROW.name == name)).scalar() != epoch:
        raise LeaseExpired("Another process has taken over, and nothing was changed. Repeat the request.")


def extend(transaction: Transaction, name: str, epoch: int, term_ms: int) -> None:
    """Begin a new term, or raise `LeaseExpired`; a term of 0 gives the lease back."""
    require(transaction, name, epoch)
    ending = now_ms(transaction) + term_ms
    transaction.execute(update(LEASES).where(_ROW.name == name).values(expires_at=ending))


def _stored(transaction: Transaction, name: str) -> Row[tuple[str, str, str, int, int]] | None:
    return transaction.execute(select(LEASES).where(_ROW.name == name)).one_or_none()
