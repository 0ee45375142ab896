"""Actions on hold: changes that the circuit breaker stopped, until they are released."""

from collections.abc import Sequence

from sqlalchemy import delete, insert, select, update

from extension.store.database.database import Transaction
from extension.store.records import HeldRecord
from extension.store.schema.tables import ACCOUNTS, HELD


def replace(transaction: Transaction, run_id: int, held: Sequence[tuple[int, str, str]], now: int) -> None:
    """Replace the stored actions on hold of a run, given as (account, action, reason)."""
    transaction.execute(delete(HELD).where(HELD.c.run_id == run_id))
    rows = [
        {"run_id": run_id, "account_id": account_id, "action": action, "reason": reason, "at": now}
        for account_id, action, reason in held
    ]
    if rows:
        transaction.execute(insert(HELD), rows)


def of_run(transaction: Transaction, run_id: int) -> tuple[HeldRecord, ...]:
    """Return the actions on hold of a run, released ones included, in their order."""
    query = (
        select(HELD, ACCOUNTS.c.display_name, ACCOUNTS.c.key_hint, ACCOUNTS.c.place)
        .join(ACCOUNTS, ACCOUNTS.c.id == HELD.c.account_id)
        .where(HELD.c.run_id == run_id)
        .order_by(HELD.c.id)
    )
    return tuple(HeldRecord(**row) for row in transaction.execute(query).mappings())


def release(transaction: Transaction, held_ids: Sequence[int], now: int) -> None:
    """Mark held actions as released."""
    for number in held_ids:
        transaction.execute(update(HELD).where(HELD.c.id == number).values(released_at=now))
