"""Lease of the one collector of a pool, with an epoch that each of its writes checks.

A process that wakes up after its term finds another epoch and changes nothing.
"""

from sqlalchemy import insert, select, update

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_COLLECTORS
from extension.store.usage.records import CollectorState

_ROW = USAGE_COLLECTORS.c


class LeaseLost(Exception):  # noqa: N818 - the name states what happened
    """Another process collects for this pool now; nothing was written."""


def state(transaction: Transaction, pool_id: int) -> CollectorState | None:
    """Return the state; None before the first collector."""
    row = transaction.execute(select(USAGE_COLLECTORS).where(_ROW.pool_id == pool_id)).one_or_none()
    if row is None:
        return None
    return CollectorState(
        row.owner, row.epoch, row.expires_at, row.covered_until, row.clean, row.source, row.pruned_before
    )


def claim(
    transaction: Transaction, pool_id: int, owner: str, *, now: int, term_ms: int, alone: bool
) -> CollectorState | None:
    """Take the lease and return the state as it was before, with the new owner and epoch; None while another has it.

    `alone` means that no other process has the database open: the former holder of the lease has ended.
    """
    before = state(transaction, pool_id)
    if before is None:
        values = {"owner": owner, "epoch": 1, "expires_at": now + term_ms, "covered_until": now, "clean": True}
        transaction.execute(insert(USAGE_COLLECTORS).values(pool_id=pool_id, source="", pruned_before=0, **values))
        return state(transaction, pool_id)
    if before.owner not in {"", owner} and before.expires_at > now and not alone:
        return None
    taken = update(USAGE_COLLECTORS).where(_ROW.pool_id == pool_id, _ROW.epoch == before.epoch)
    # The end before is used up: whatever goes wrong from here on is not covered by it.
    values = {"owner": owner, "epoch": before.epoch + 1, "expires_at": now + term_ms, "clean": False}
    if transaction.execute(taken.values(**values)).rowcount != 1:
        return None
    return CollectorState(
        owner, before.epoch + 1, now + term_ms, before.covered_until, before.clean, before.source, before.pruned_before
    )


def advance(
    transaction: Transaction, pool_id: int, epoch: int, *, covered_until: int, expires_at: int, source: str, clean: bool
) -> None:
    """Extend the lease and note up to when records are complete; `clean` after an end that lost none.

    Raises:
        LeaseLost: another process has taken the lease.
    """
    values = {"covered_until": covered_until, "expires_at": expires_at, "source": source, "clean": clean}
    changed = update(USAGE_COLLECTORS).where(_ROW.pool_id == pool_id, _ROW.epoch == epoch).values(**values)
    if transaction.execute(changed).rowcount != 1:
        raise LeaseLost


def note_pruned(transaction: Transaction, pool_id: int, before: int) -> None:
    """Note that events before a time may have been removed."""
    transaction.execute(
        update(USAGE_COLLECTORS)
        .where(_ROW.pool_id == pool_id, _ROW.pruned_before < before)
        .values(pruned_before=before)
    )
