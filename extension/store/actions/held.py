"""Held actions: changes that the brake kept a run from making, until somebody releases them."""

from collections.abc import Sequence

from sqlalchemy import delete, insert, select, update

from extension.store.database.database import Transaction
from extension.store.records import HeldRecord
from extension.store.schema.tables import ACCOUNTS, HELD


def replace(transaction: Transaction, run_id: int, held: Sequence[tuple[int, str, str]], now: int) -> None:
    """Store what is held in a run, given as (account, action, reason), in the place of what was stored before."""
    transaction.execute(delete(HELD).where(HELD.c.run_id == run_id))
    rows = [
        {"run_id": run_id, "account_id": account_id, "action": action, "reason": reason, "at": now}
        for account_id, action, reason in held
    ]
    if rows:
        transaction.execute(insert(HELD), rows)


def of_run(transaction: Transaction, run_id: int) -> tuple[HeldRecord, ...]:
    """Return what was held in a run, released or not, in the order it was held."""
    query = (
        select(HELD, ACCOUNTS.c.display_name)
        .join(ACCOUNTS, ACCOUNTS.c.id == HELD.c.account_id)
        .where(HELD.c.run_id == run_id)
        .order_by(HELD.c.id)
    )
    return tuple(HeldRecord(**row) for row in transaction.execute(query).mappings())


def release(transaction: Transaction, held_ids: Sequence[int], now: int) -> None:
    """Mark held actions as released."""
    for number in held_ids:
        transaction.execute(update(HELD).where(HELD.c.id == number).values(released_at=now))
