"""Actions: intents stored before the gateway is called, settled after it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, RowMapping, Select, bindparam, insert, select, update

from extension.reasons.reason import ReasonList
from extension.store.database.database import Transaction
from extension.store.records import ActionOutcome, ActionRecord, ActorKind, Cause
from extension.store.schema.tables import ACCOUNTS, ACTIONS

SIGN_IN: Final = "sign_in"
EDIT: Final = "edit"
"""Actions of a person that switch nothing and leave the owner of an account as it is."""
SWITCHES: Final = ACTIONS.c.action.not_in([SIGN_IN, EDIT])

_SETTLE = (
    update(ACTIONS)
    .where(ACTIONS.c.id == bindparam("action_id"))
    .values(
        outcome=bindparam("new_outcome"),
        text=bindparam("new_text"),
        texts=bindparam("new_texts"),
        before=bindparam("new_before"),
        after=bindparam("new_after"),
    )
)


@dataclass(frozen=True, slots=True)
class Intent:
    """Intended change of an account; see `ActionRecord` for the meaning of each field."""

    account_id: int
    display_name: str
    action: str
    actor: str
    actor_kind: ActorKind
    reason: ReasonList
    evidence: Mapping[str, Any]
    before: Mapping[str, Any]
    run_id: int | None
    cause: Cause = Cause.REQUEST
    undoes: int | None = None
    key_hint: str = ""
    place: str = ""
    batch_id: int | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """Result of an action; `before` is the last state read before the write, `after` is None if unread."""

    action_id: int
    outcome: ActionOutcome
    text: ReasonList
    before: Mapping[str, Any]
    after: Mapping[str, Any] | None


def intend(transaction: Transaction, pool_id: int, intents: Sequence[Intent], now: int) -> tuple[int, ...]:
    """Store intents as pending actions and return their numbers, in the order given."""
    if not intents:
        return ()
    rows = [
        {
            **{name: getattr(intent, name) for name in Intent.__slots__},
            "pool_id": pool_id,
            "outcome": ActionOutcome.PENDING.value,
            "text": "",
            "actor_kind": intent.actor_kind.value,
            "reason": intent.reason.written,
            "reasons": intent.reason.as_json(),
            "evidence": dict(intent.evidence),
            "before": dict(intent.before),
            "at": now,
            "cause": intent.cause.value,
        }
        for intent in intents
    ]
    stored = transaction.execute(insert(ACTIONS).returning(ACTIONS.c.id, sort_by_parameter_order=True), rows)
    return tuple(stored.scalars())


def settle(transaction: Transaction, settlements: Sequence[Settlement], now: int) -> None:
    """Store the outcomes of actions in one statement."""
    rows = [
        {
            "action_id": settlement.action_id,
            "new_outcome": settlement.outcome.value,
            "new_text": settlement.text.written,
            "new_texts": settlement.text.as_json(),
            "new_before": dict(settlement.before),
            "new_after": None if settlement.after is None else dict(settlement.after),
        }
        for settlement in settlements
    ]
    if rows:
        transaction.execute(_SETTLE.values(settled_at=now), rows)


def pool_of(transaction: Transaction, action_id: int) -> int:
    """Return the number of the pool of an action."""
    return int(transaction.execute(select(ACTIONS.c.pool_id).where(ACTIONS.c.id == action_id)).scalar_one())


def get(transaction: Transaction, action_ids: Sequence[int]) -> tuple[ActionRecord, ...]:
    """Return actions by number, in the order given."""
    rows = transaction.execute(select(ACTIONS).where(ACTIONS.c.id.in_(action_ids)))
    records = {row["id"]: record_of(row) for row in rows.mappings()}
    return tuple(records[number] for number in action_ids)


def pending(transaction: Transaction, pool_id: int) -> tuple[ActionRecord, ...]:
    """Return the actions of a pool without an outcome, oldest first."""
    return _oldest_first(transaction, ACTIONS.c.pool_id == pool_id, ACTIONS.c.outcome == ActionOutcome.PENDING.value)


def find(transaction: Transaction, pool_id: int, action_ids: Collection[int]) -> tuple[ActionRecord, ...]:
    """Return those of the actions that the pool has, oldest first."""
    return _oldest_first(transaction, ACTIONS.c.pool_id == pool_id, ACTIONS.c.id.in_(action_ids))


def of_run(transaction: Transaction, run_id: int) -> tuple[ActionRecord, ...]:
    """Return the actions that rest on a run, oldest first."""
    return _oldest_first(transaction, ACTIONS.c.run_id == run_id)


def _oldest_first(transaction: Transaction, *conditions: ColumnElement[bool]) -> tuple[ActionRecord, ...]:
    query = select(ACTIONS).where(*conditions).order_by(ACTIONS.c.id)
    return tuple(record_of(row) for row in transaction.execute(query).mappings())


def newest_applied(pool_id: int) -> Select[Any]:
    """Select the id of the last action that took effect on each account of a pool and still says who owns it.

    One look into the index for each account: actions are never forgotten.
    """
    last = (
        select(ACTIONS.c.id)
        .where(
            ACTIONS.c.account_id == ACCOUNTS.c.id,
            ACTIONS.c.outcome == ActionOutcome.APPLIED.value,
            SWITCHES,
            ACTIONS.c.id > ACCOUNTS.c.owned_after,
        )
        .order_by(ACTIONS.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    return select(last).where(ACCOUNTS.c.pool_id == pool_id)


def last_applied(transaction: Transaction, pool_id: int) -> Mapping[int, ActionRecord]:
    """Return, by account, the last action that took effect on it and still says who owns it."""
    rows = transaction.execute(select(ACTIONS).where(ACTIONS.c.id.in_(newest_applied(pool_id))))
    return {row["account_id"]: record_of(row) for row in rows.mappings()}


def record_of(row: RowMapping) -> ActionRecord:
    """Return the action of a row of its table."""
    values: dict[str, Any] = dict(row)
    del values["pool_id"]
    return ActionRecord(
        outcome=ActionOutcome(values.pop("outcome")),
        actor_kind=ActorKind(values.pop("actor_kind")),
        cause=Cause(values.pop("cause")),
        reason=ReasonList.stored(values.pop("reasons"), values.pop("reason")),
        text=ReasonList.stored(values.pop("texts"), values.pop("text")),
        **values,
    )
