"""Retention: how much of the past is kept."""

from sqlalchemy import delete, func, select, update

from extension.store.database.database import Transaction
from extension.store.schema.tables import ACTIONS, ACTIVE_STATES, EVENTS, HELD, RESULTS, RUN_ACCOUNTS, RUNS


def prune(transaction: Transaction, pool_id: int, keep: int) -> tuple[int, ...]:
    """Forget the runs of a pool beyond its newest `keep`, with their results and events, and return their numbers.

    Actions stay, with the evidence they were written down with; they only lose the number of their run. A run that has
    not ended is never forgotten.
    """
    old = (
        select(RUNS.c.id)
        .where(RUNS.c.pool_id == pool_id, RUNS.c.state.not_in(ACTIVE_STATES))
        .order_by(RUNS.c.id.desc())
        .offset(keep)
        .limit(1_000)
    )
    numbers = tuple(transaction.execute(old).scalars())
    if not numbers:
        return ()
    transaction.execute(update(ACTIONS).where(ACTIONS.c.run_id.in_(numbers)).values(run_id=None))
    for table in (HELD, EVENTS, RESULTS, RUN_ACCOUNTS):
        transaction.execute(delete(table).where(table.c.run_id.in_(numbers)))
    transaction.execute(delete(RUNS).where(RUNS.c.id.in_(numbers)))
    oldest = transaction.execute(select(func.min(RUNS.c.started_at)).where(RUNS.c.pool_id == pool_id)).scalar()
    if oldest is not None:
        transaction.execute(delete(EVENTS).where(EVENTS.c.run_id.is_(None), EVENTS.c.at < oldest))
    return numbers
