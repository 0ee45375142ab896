"""Actions on hold: changes that the circuit breaker stopped, until they are released."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import delete, insert, select, update

from extension.store.database.database import Transaction
from extension.store.records import HeldRecord
from extension.store.schema.tables import ACCOUNTS, HELD


@dataclass(frozen=True, slots=True)
class NewHeld:
    """A change to be put on hold; see `HeldRecord`."""

    account_id: int
    action: str
    reason: str
    code: str = ""
    params: Mapping[str, int] = field(default_factory=dict)


def replace(transaction: Transaction, run_id: int, held: Sequence[NewHeld], now: int) -> None:
    """Replace the stored actions on hold of a run."""
    transaction.execute(delete(HELD).where(HELD.c.run_id == run_id))
    rows = [
        {
            "run_id": run_id,
            "account_id": each.account_id,
            "action": each.action,
            "reason": each.reason,
            "code": each.code,
            "params": dict(each.params),
            "at": now,
        }
        for each in held
    ]
    if rows:
        transaction.execute(insert(HELD), rows)


def of_run(transaction: Transaction, run_id: int) -> tuple[HeldRecord, ...]:
    """Return the actions on hold of a run, released ones included, in their order."""
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
