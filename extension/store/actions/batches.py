"""Batches: the commands that actions belong to, with their progress.

Theory of operation. The automation of a run acts once on an account. After a crash the resumed run repeats the actions
that were left undone, in the same batch: of each account the newest action alone counts. A batch of another cause may
hold several actions on an account, such as an undo of both a disable and the enable after it, and all of them count.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import RowMapping, insert, select, update

from extension.reasons.reason import NO_REASON, ReasonList
from extension.store.actions.search import accounts_of_batch, outcome_counts
from extension.store.database.database import Transaction
from extension.store.records import ActionOutcome, ActorKind, BatchRecord, BatchState, Cause
from extension.store.schema.tables import BATCHES

_ACTIVE: Final = (BatchState.WAITING.value, BatchState.RUNNING.value)
"""States of a batch that its process still works on."""


@dataclass(frozen=True, slots=True)
class NewBatch:
    """Batch to be stored; see `BatchRecord` for the meaning of each field."""

    cause: Cause
    actor: str
    actor_kind: ActorKind
    run_id: int | None


def create(transaction: Transaction, pool_id: int, new: NewBatch, now: int) -> int:
    """Store a batch without actions and return its number."""
    empty: dict[str, Any] = {"reason": "", "reasons": [], "total": 0, "done": 0, "planned": {}, "outcomes": {}}
    values = {
        **empty,
        "pool_id": pool_id,
        "run_id": new.run_id,
        "cause": new.cause.value,
        "actor": new.actor,
        "actor_kind": new.actor_kind.value,
        "state": BatchState.WAITING.value,
        "at": now,
    }
    return int(transaction.execute(insert(BATCHES).values(values).returning(BATCHES.c.id)).scalar_one())


def plan(transaction: Transaction, batch_id: int, account_ids: Collection[int], planned: Mapping[str, int]) -> None:
    """Store that a batch works on further actions, one for each of these accounts, and the groups of their plan.

    Actions that an earlier process left undone no longer count: they are among the further ones, or not wanted any
    more.
    """
    known = get(transaction, batch_id)
    repeated = 0  # actions that count now and are followed by one on the same account
    if known.cause is Cause.RUN and known.done:
        repeated = len(accounts_of_batch(transaction, batch_id).intersection(account_ids))
    groups = {name: known.planned.get(name, 0) + planned.get(name, 0) for name in {*known.planned, *planned}}
    total = known.done - repeated + len(account_ids)
    values = {"state": BatchState.RUNNING.value, "total": total, "planned": groups, "ended_at": None}
    transaction.execute(update(BATCHES).where(BATCHES.c.id == batch_id).values(values))


def progress(transaction: Transaction, batch_id: int) -> BatchRecord:
    """Count the settled actions of a batch, and return it."""
    cause = get(transaction, batch_id).cause
    counts = outcome_counts(transaction, batch_id, newest_alone=cause is Cause.RUN)
    outcomes = {name: count for name, count in counts.items() if name != ActionOutcome.PENDING}
    values = {"done": sum(outcomes.values()), "outcomes": outcomes}
    transaction.execute(update(BATCHES).where(BATCHES.c.id == batch_id).values(values))
    return get(transaction, batch_id)


def end(
    transaction: Transaction, batch_id: int, state: BatchState, now: int, reason: ReasonList = NO_REASON
) -> BatchRecord:
    """Store the end of a batch, and return it."""
    values = {"state": state.value, "reason": reason.written, "reasons": reason.as_json(), "ended_at": now}
    transaction.execute(update(BATCHES).where(BATCHES.c.id == batch_id).values(values))
    return get(transaction, batch_id)


def pool_of(transaction: Transaction, batch_id: int) -> int:
    """Return the number of the pool of a batch."""
    return int(transaction.execute(select(BATCHES.c.pool_id).where(BATCHES.c.id == batch_id)).scalar_one())


def active(transaction: Transaction, pool_id: int) -> tuple[int, ...]:
    """Return the numbers of the batches that have not ended, oldest first."""
    query = select(BATCHES.c.id).where(BATCHES.c.pool_id == pool_id, BATCHES.c.state.in_(_ACTIVE))
    return tuple(transaction.execute(query.order_by(BATCHES.c.id)).scalars())


def end_left(transaction: Transaction, batch_id: int, now: int, reason: ReasonList | None) -> BatchRecord:
    """End an active batch as its actions show, and return it; a reason makes an unfinished one a failed one."""
    batch = progress(transaction, batch_id)
    if batch.total and batch.done == batch.total:
        return end(transaction, batch_id, BatchState.DONE, now)
    state = BatchState.INTERRUPTED if reason is None else BatchState.FAILED
    return end(transaction, batch_id, state, now, reason or NO_REASON)


def interrupt(transaction: Transaction, pool_id: int, now: int) -> tuple[int, ...]:
    """End the batches that a dead process worked on, and return their numbers."""
    query = (
        update(BATCHES)
        .where(BATCHES.c.pool_id == pool_id, BATCHES.c.state.in_(_ACTIVE))
        .values(state=BatchState.INTERRUPTED.value, ended_at=now)
        .returning(BATCHES.c.id)
    )
    return tuple(transaction.execute(query).scalars())


def get(transaction: Transaction, batch_id: int) -> BatchRecord:
    """Return a batch that exists."""
    return _record(transaction.execute(select(BATCHES).where(BATCHES.c.id == batch_id)).mappings().one())


def find(transaction: Transaction, pool_id: int, batch_id: int) -> BatchRecord | None:
    """Return a batch of a pool, or None."""
    query = select(BATCHES).where(BATCHES.c.pool_id == pool_id, BATCHES.c.id == batch_id)
    row = transaction.execute(query).mappings().one_or_none()
    return None if row is None else _record(row)


def recent(
    transaction: Transaction, pool_id: int, before: int | None, limit: int, *, run_id: int | None = None
) -> tuple[BatchRecord, ...]:
    """Return the newest batches of a pool, of one run if given, with a number below `before`, newest first."""
    query = select(BATCHES).where(BATCHES.c.pool_id == pool_id).order_by(BATCHES.c.id.desc()).limit(limit)
    if before is not None:
        query = query.where(BATCHES.c.id < before)
    if run_id is not None:
        query = query.where(BATCHES.c.run_id == run_id)
    return tuple(_record(row) for row in transaction.execute(query).mappings())


def of_run(transaction: Transaction, run_id: int, cause: Cause) -> BatchRecord | None:
    """Return the newest batch of a run with that cause, or None."""
    query = select(BATCHES).where(BATCHES.c.run_id == run_id, BATCHES.c.cause == cause.value)
    row = transaction.execute(query.order_by(BATCHES.c.id.desc()).limit(1)).mappings().one_or_none()
    return None if row is None else _record(row)


def _record(row: RowMapping) -> BatchRecord:
    values: dict[str, Any] = dict(row)
    del values["pool_id"]
    return BatchRecord(
        cause=Cause(values.pop("cause")),
        actor_kind=ActorKind(values.pop("actor_kind")),
        state=BatchState(values.pop("state")),
        reason=ReasonList.stored(values.pop("reasons"), values.pop("reason")),
        **values,
    )
