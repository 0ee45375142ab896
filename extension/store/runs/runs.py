"""Runs: their state, their accounts, and the counts of their results."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Text, bindparam, cast, delete, func, insert, or_, select, update

from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList
from extension.store.database.database import Transaction
from extension.store.records import ActionOutcome, Cause, NewResult, RunRecord
from extension.store.run_state import RunState
from extension.store.schema.tables import ACTIONS, ACTIVE_STATES, BATCHES, HELD, RESULTS, RUN_ACCOUNTS, RUNS

_MICROSECONDS = 1_000_000
_COPIED = ("pool_id", "account_source", "target_type", "started_by", "owner", "schedule_id", "fleet_run_id")


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run to be made; see `RunRecord`. `owner` names the process that works on it, `account_ids` its accounts."""

    pool_id: int
    account_source: str
    target_type: str
    settings: Mapping[str, Any]
    account_ids: tuple[int, ...]
    started_by: str
    owner: str
    gateway_seconds_per_call: float | None
    schedule_id: int | None = None
    fleet_run_id: int | None = None


_HELD = select(func.count()).select_from(HELD).where(HELD.c.run_id == RUNS.c.id)
_RECOMMENDABLE = ("enable", "disable", "delete")


def _stopped(recommendation: str) -> Any:
    """Count the results of a run with this recommendation that it put on hold."""
    of_result = (RESULTS.c.run_id == HELD.c.run_id) & (RESULTS.c.account_id == HELD.c.account_id)
    return (
        select(func.count())
        .select_from(HELD.join(RESULTS, of_result))
        .where(HELD.c.run_id == RUNS.c.id, RESULTS.c.action == recommendation)
        .scalar_subquery()
    )


_REFUSED_BY_GATEWAY = (
    ReasonCode.GATEWAY_REFUSED,
    ReasonCode.SECTION_BUSY,
    ReasonCode.FILE_NOT_LOADED,
    ReasonCode.FILE_UNREADABLE,
    ReasonCode.FILE_UNUSABLE,
)
_REFUSED = (
    select(func.count(ACTIONS.c.account_id.distinct()))
    .where(ACTIONS.c.batch_id == BATCHES.c.id, ACTIONS.c.outcome == ActionOutcome.REFUSED.value)
    .where(or_(*(cast(ACTIONS.c.texts, Text).contains(f'"{code}"', autoescape=True) for code in _REFUSED_BY_GATEWAY)))
)
"""Automatic actions that the gateway refused; those refused by their plan were decided against, not prevented."""

_STORED = (
    select(
        RUNS,
        _HELD.scalar_subquery().label("on_hold"),
        _HELD.where(HELD.c.released_at.is_(None)).scalar_subquery().label("still_on_hold"),
        *(_stopped(action).label(f"stopped_{action}") for action in _RECOMMENDABLE),
        BATCHES.c.total.label("batch_total"),
        BATCHES.c.outcomes.label("batch_outcomes"),
        _REFUSED.scalar_subquery().label("refused"),
    )
    # All automatic actions of a run are one batch.
    .outerjoin(BATCHES, (BATCHES.c.run_id == RUNS.c.id) & (BATCHES.c.cause == Cause.RUN.value))
)
_BROKEN = frozenset({RunState.INTERRUPTED, RunState.FAILED})


def create(transaction: Transaction, run: NewRun, now: int) -> RunRecord:
    """Store a queued run and the accounts it will probe, in their order."""
    cost = run.gateway_seconds_per_call
    empty: dict[str, Any] = {"done": 0, "verdicts": {}, "recommendations": {}, "reason": "", "reasons": []}
    values = {
        **{name: getattr(run, name) for name in _COPIED},
        **empty,
        "state": RunState.QUEUED.value,
        "settings": dict(run.settings),
        "total": len(run.account_ids),
        "started_at": now,
        "gateway_call_us": None if cost is None else round(cost * _MICROSECONDS),
    }
    record = _record(transaction.execute(insert(RUNS).values(values).returning(RUNS)).mappings().one())
    if run.account_ids:
        rows = [
            {"run_id": record.id, "position": position, "account_id": account_id}
            for position, account_id in enumerate(run.account_ids)
        ]
        transaction.execute(insert(RUN_ACCOUNTS), rows)
    return record


def get(transaction: Transaction, run_id: int, pool_id: int) -> RunRecord | None:
    """Return a run of the pool, or None."""
    return _one(transaction, RUNS.c.id == run_id, RUNS.c.pool_id == pool_id)


def recent(transaction: Transaction, pool_id: int, limit: int) -> tuple[RunRecord, ...]:
    """Return the newest runs of a pool, newest first."""
    query = _STORED.where(RUNS.c.pool_id == pool_id).order_by(RUNS.c.id.desc()).limit(limit)
    return tuple(_record(row) for row in transaction.execute(query).mappings())


def active(transaction: Transaction, pool_id: int) -> RunRecord | None:
    """Return the pool's run that has not ended, or None; the schema allows at most one."""
    return _one(transaction, RUNS.c.pool_id == pool_id, RUNS.c.state.in_(ACTIVE_STATES))


def _one(transaction: Transaction, *conditions: ColumnElement[bool]) -> RunRecord | None:
    row = transaction.execute(_STORED.where(*conditions)).mappings().one_or_none()
    return None if row is None else _record(row)


def set_state(
    transaction: Transaction, run_id: int, state: RunState, *, reason: ReasonList, finished_at: int | None, owner: str
) -> None:
    """Store state, reason, end (None: not ended) and owning process of a run."""
    values: dict[str, Any] = {"state": state.value, "finished_at": finished_at, "owner": owner}
    values |= {"reason": reason.written, "reasons": reason.as_json()}
    transaction.execute(update(RUNS).where(RUNS.c.id == run_id).values(**values))


@dataclass(frozen=True, slots=True)
class Counts:
    """Progress of a run; see `RunRecord`."""

    done: int
    total: int
    verdicts: Mapping[str, int]
    recommendations: Mapping[str, int]


# Made once: putting a statement together takes longer than SQLite takes to carry it out, and these run at every commit.
_COUNTS = select(RUNS.c.done, RUNS.c.total, RUNS.c.verdicts, RUNS.c.recommendations).where(
    RUNS.c.id == bindparam("which")
)
_COUNT = update(RUNS).where(RUNS.c.id == bindparam("which"))


def count(transaction: Transaction, run_id: int, landed: Sequence[NewResult]) -> Counts:
    """Add results to the counts of their run, in the transaction that stores them, and return the counts."""
    done, total, verdicts, recommendations = transaction.execute(_COUNTS, {"which": run_id}).one()
    counts = Counts(
        done + len(landed),
        total,
        _added(verdicts, (result.verdict for result in landed)),
        _added(recommendations, (result.action for result in landed)),
    )
    values = {"done": counts.done, "verdicts": counts.verdicts, "recommendations": counts.recommendations}
    transaction.execute(_COUNT, {"which": run_id, **values})
    return counts


def members(transaction: Transaction, run_id: int) -> frozenset[int]:
    """Return the accounts of a run; those of a complete one are those with a result."""
    query = select(RUN_ACCOUNTS.c.account_id).where(RUN_ACCOUNTS.c.run_id == run_id)
    landed = select(RESULTS.c.account_id).where(RESULTS.c.run_id == run_id)
    return frozenset(transaction.execute(query.union(landed)).scalars())


def forget_plan(transaction: Transaction, run_id: int) -> None:
    """Forget the planned accounts of a run in which each has a result: these say the same."""
    transaction.execute(delete(RUN_ACCOUNTS).where(RUN_ACCOUNTS.c.run_id == run_id))


def unprobed(transaction: Transaction, run_id: int) -> tuple[int, ...]:
    """Return the accounts of a run that have no result in it, in the run's order."""
    landed = select(RESULTS.c.account_id).where(RESULTS.c.run_id == run_id)
    query = (
        select(RUN_ACCOUNTS.c.account_id)
        .where(RUN_ACCOUNTS.c.run_id == run_id, RUN_ACCOUNTS.c.account_id.not_in(landed))
        .order_by(RUN_ACCOUNTS.c.position)
    )
    return tuple(transaction.execute(query).scalars())


def _added(counts: Mapping[str, int], tokens: Any) -> dict[str, int]:
    return dict(Counter(counts) + Counter(tokens))


def _record(row: RowMapping) -> RunRecord:
    values: dict[str, Any] = dict(row)
    del values["owner"], values["stored_bytes"]
    cost = values.pop("gateway_call_us")
    stopped = {action: values.pop(f"stopped_{action}", 0) for action in _RECOMMENDABLE}
    not_done = _left(values.pop("batch_total", None), values.pop("batch_outcomes", None))
    return RunRecord(
        state=RunState(values.pop("state")),
        reason=ReasonList.stored(values.pop("reasons"), values.pop("reason")),
        gateway_seconds_per_call=None if cost is None else cost / _MICROSECONDS,
        stopped={action: count for action, count in stopped.items() if count},
        not_carried_out=(not_done if row["state"] in _BROKEN else 0) + (values.pop("refused", None) or 0),
        **values,
    )


def _left(total: int | None, outcomes: Mapping[str, int] | None) -> int:
    """Return how many actions of a batch have not been carried out."""
    open_ones = (ActionOutcome.FAILED, ActionOutcome.PENDING)
    return (total or 0) - sum(count for name, count in (outcomes or {}).items() if name not in open_ones)
