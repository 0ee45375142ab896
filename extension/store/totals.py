"""Totals over the stored tables, for metrics; a database holds one pool."""

from collections.abc import Mapping

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.schema.tables import ACTIONS, HELD


def actions(transaction: Transaction) -> Mapping[tuple[str, str, str], int]:
    """Count all actions by action, kind of actor and outcome."""
    kinds = (ACTIONS.c.action, ACTIONS.c.actor_kind, ACTIONS.c.outcome)
    query = select(*kinds, func.count()).group_by(*kinds)
    return {(action, actor, outcome): count for action, actor, outcome, count in transaction.execute(query)}


def on_hold(transaction: Transaction) -> int:
    """Count the changes that are on hold and not released."""
    query = select(func.count()).select_from(HELD).where(HELD.c.released_at.is_(None))
    return transaction.execute(query).scalar_one()
