"""Totals over the stored tables, for metrics; a database holds one pool."""

from collections.abc import Mapping

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.records import ActorKind
from extension.store.schema.tables import ACTIONS, HELD


def actions(transaction: Transaction) -> Mapping[tuple[str, str, str], int]:
    """Count all actions by action, kind of actor and outcome."""
    kinds = (ACTIONS.c.action, ACTIONS.c.actor_kind, ACTIONS.c.outcome)
    query = select(*kinds, func.count()).group_by(*kinds)
    return {(action, actor, outcome): count for action, actor, outcome, count in transaction.execute(query)}


def automatic_actions(transaction: Transaction, pool_id: int, since: int) -> Mapping[tuple[str, str], int]:
    """Count the actions of automation from a time on by action and outcome."""
    kinds = (ACTIONS.c.action, ACTIONS.c.outcome)
    query = (
        select(*kinds, func.count())
        .where(ACTIONS.c.pool_id == pool_id, ACTIONS.c.at >= since, ACTIONS.c.actor_kind == ActorKind.AUTOMATION.value)
        .group_by(*kinds)
    )
    return {(action, outcome): count for action, outcome, count in transaction.execute(query)}


def on_hold(transaction: Transaction) -> int:
    """Count the changes that are on hold and not released."""
    query = select(func.count()).select_from(HELD).where(HELD.c.released_at.is_(None))
    return transaction.execute(query).scalar_one()
