"""Search of the action history: pages of actions by batch, run, account, actor, cause and outcome."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select

from extension.store.actions.actions import record_of
from extension.store.actions.undone import undone
from extension.store.database.database import Transaction
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, Cause
from extension.store.schema.tables import ACTIONS


@dataclass(frozen=True, slots=True)
class ActionFilter:
    """Conditions that an action meets; None or empty for any. `actor` is a part of the name in any letter case.

    `since` is a time in milliseconds UTC.
    """

    batch_id: int | None = None
    run_id: int | None = None
    account_id: int | None = None
    actor: str = ""
    outcomes: tuple[ActionOutcome, ...] = ()
    cause: Cause | None = None
    action: str = ""
    since: int | None = None


@dataclass(frozen=True, slots=True)
class ActionPage:
    """Actions of one page, newest first, with the number of all that match; `reverted` are those that are undone."""

    actions: tuple[ActionRecord, ...]
    total: int
    reverted: frozenset[int] = frozenset()


def page(
    transaction: Transaction, pool_id: int, action_filter: ActionFilter, *, before: int | None, limit: int
) -> ActionPage:
    """Return the newest matching actions with a number below `before`, at most `limit`."""
    conditions = [ACTIONS.c.pool_id == pool_id, *_conditions(action_filter)]
    total = transaction.execute(select(func.count()).select_from(ACTIONS).where(*conditions)).scalar_one()
    if before is not None:
        conditions.append(ACTIONS.c.id < before)
    query = select(ACTIONS).where(*conditions).order_by(ACTIONS.c.id.desc()).limit(limit)
    records = tuple(record_of(row) for row in transaction.execute(query).mappings())
    taken_back = undone(transaction, pool_id, {action.account_id for action in records})
    return ActionPage(records, total, frozenset(action.id for action in records if action.id in taken_back))


def outcome_counts(transaction: Transaction, batch_id: int, *, newest_alone: bool = False) -> Mapping[str, int]:
    """Return the number of actions of a batch by outcome, of the newest one of each account alone if wanted."""
    query = select(ACTIONS.c.outcome, func.count()).group_by(ACTIONS.c.outcome)
    of_batch = ACTIONS.c.batch_id == batch_id
    if newest_alone:
        newest = select(func.max(ACTIONS.c.id)).where(of_batch).group_by(ACTIONS.c.account_id)
        query = query.where(ACTIONS.c.id.in_(newest))
    else:
        query = query.where(of_batch)
    return {row[0]: row[1] for row in transaction.execute(query)}


def counts(transaction: Transaction) -> Mapping[tuple[str, str, str], int]:
    """Count all actions by action, kind of actor and outcome."""
    kinds = (ACTIONS.c.action, ACTIONS.c.actor_kind, ACTIONS.c.outcome)
    query = select(*kinds, func.count()).group_by(*kinds)
    return {(action, actor, outcome): count for action, actor, outcome, count in transaction.execute(query)}


def automatic_counts(transaction: Transaction, pool_id: int, since: int) -> Mapping[tuple[str, str], int]:
    """Count the actions of automation from a time on by action and outcome."""
    kinds = (ACTIONS.c.action, ACTIONS.c.outcome)
    by_automation = ACTIONS.c.actor_kind == ActorKind.AUTOMATION.value
    query = select(*kinds, func.count()).where(ACTIONS.c.pool_id == pool_id, ACTIONS.c.at >= since, by_automation)
    return {(action, outcome): count for action, outcome, count in transaction.execute(query.group_by(*kinds))}


def accounts_of_batch(transaction: Transaction, batch_id: int) -> frozenset[int]:
    """Return the accounts with an action in a batch."""
    query = select(ACTIONS.c.account_id).where(ACTIONS.c.batch_id == batch_id)
    return frozenset(transaction.execute(query).scalars())


def _conditions(action_filter: ActionFilter) -> list[ColumnElement[bool]]:
    exact = {"batch_id": action_filter.batch_id, "run_id": action_filter.run_id, "account_id": action_filter.account_id}
    conditions = [ACTIONS.c[name] == value for name, value in exact.items() if value is not None]
    if action_filter.actor:
        conditions.append(func.lower(ACTIONS.c.actor).contains(action_filter.actor.lower(), autoescape=True))
    if action_filter.outcomes:
        conditions.append(ACTIONS.c.outcome.in_([outcome.value for outcome in action_filter.outcomes]))
    if action_filter.cause is not None:
        conditions.append(ACTIONS.c.cause == action_filter.cause.value)
    if action_filter.action:
        conditions.append(ACTIONS.c.action == action_filter.action)
    if action_filter.since is not None:
        conditions.append(ACTIONS.c.at >= action_filter.since)
    return conditions
