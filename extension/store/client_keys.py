"""Actions on client keys: intents stored before the gateway is asked, settled after it. Keys stand in no row."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import RowMapping, insert, select, update

from extension.reasons.reason import NO_REASON, ReasonList
from extension.store.database.database import Transaction
from extension.store.records import ActionOutcome, ActorKind
from extension.store.schema.client_tables import KEY_ACTIONS

_ROW = KEY_ACTIONS.c


class KeyAction(StrEnum):
    """Actions on a client key; `restore` brings a revoked one back in its place."""

    CREATE = "create"
    REVOKE = "revoke"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyIntent:
    """Intended action on the client key with a fingerprint; `reason` is why: a note, or the budget that was spent.

    `position` is its place in the list, `document` the number of its sealed copy, `undoes` the action it takes back.
    """

    fingerprint: str
    hint: str
    action: KeyAction
    actor: str
    actor_kind: ActorKind
    reason: ReasonList
    position: int
    document: int | None = None
    undoes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyActionRecord(KeyIntent):
    """A stored action; `text` are the reasons of its outcome. Times are milliseconds UTC."""

    id: int
    outcome: ActionOutcome
    text: ReasonList
    at: int
    settled_at: int | None


def intend(transaction: Transaction, pool_id: int, intent: KeyIntent, now: int) -> KeyActionRecord:
    """Store an intent as a pending action."""
    values: dict[str, Any] = {name: getattr(intent, name) for name in KeyIntent.__slots__}
    values |= {"action": intent.action.value, "actor_kind": intent.actor_kind.value}
    values |= {"reason": intent.reason.written, "reasons": intent.reason.as_json(), "text": "", "texts": []}
    values |= {"pool_id": pool_id, "outcome": ActionOutcome.PENDING.value, "at": now}
    return _record(transaction.execute(insert(KEY_ACTIONS).values(values).returning(KEY_ACTIONS)).mappings().one())


def settle(
    transaction: Transaction, action_id: int, outcome: ActionOutcome, text: ReasonList, now: int
) -> KeyActionRecord:
    """Store the outcome of an action."""
    values = {"outcome": outcome.value, "text": text.written, "texts": text.as_json(), "settled_at": now}
    change = update(KEY_ACTIONS).where(_ROW.id == action_id).values(values).returning(KEY_ACTIONS)
    return _record(transaction.execute(change).mappings().one())


def get(transaction: Transaction, action_id: int) -> KeyActionRecord | None:
    """Return an action; None where there is none."""
    row = transaction.execute(select(KEY_ACTIONS).where(_ROW.id == action_id)).mappings().first()
    return None if row is None else _record(row)


def pending(transaction: Transaction, pool_id: int) -> tuple[KeyActionRecord, ...]:
    """Return the actions of a pool without an outcome, oldest first."""
    query = select(KEY_ACTIONS).where(_ROW.pool_id == pool_id, _ROW.outcome == ActionOutcome.PENDING.value)
    return tuple(map(_record, transaction.execute(query.order_by(_ROW.id)).mappings()))


def newest(transaction: Transaction, pool_id: int, limit: int) -> tuple[KeyActionRecord, ...]:
    """Return the newest actions of a pool, newest first."""
    query = select(KEY_ACTIONS).where(_ROW.pool_id == pool_id).order_by(_ROW.id.desc()).limit(limit)
    return tuple(map(_record, transaction.execute(query).mappings()))


def last_applied(transaction: Transaction, pool_id: int) -> Mapping[str, KeyActionRecord]:
    """Return, by fingerprint, the last action that left the key as it was to be: the one that can be undone."""
    applied = _ROW.outcome.in_([ActionOutcome.APPLIED.value, ActionOutcome.UNCHANGED.value])
    query = select(KEY_ACTIONS).where(_ROW.pool_id == pool_id, applied).order_by(_ROW.id)
    return {row["fingerprint"]: _record(row) for row in transaction.execute(query).mappings()}


def _record(row: RowMapping) -> KeyActionRecord:
    values = {name: row[name] for name in row if name not in {"pool_id", "reasons", "texts"}}
    return KeyActionRecord(
        **values
        | {
            "action": KeyAction(row["action"]),
            "outcome": ActionOutcome(row["outcome"]),
            "actor_kind": ActorKind(row["actor_kind"]),
            "reason": ReasonList.stored(row["reasons"], row["reason"]) or NO_REASON,
            "text": ReasonList.stored(row["texts"], row["text"]),
        }
    )
