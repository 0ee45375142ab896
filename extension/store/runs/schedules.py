"""Schedules: inspections that are started by the clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select, update

from extension.reasons.reason import NO_REASON, ReasonList
from extension.store.database.database import Transaction
from extension.store.schema.tables import SCHEDULES


@dataclass(frozen=True, slots=True)
class ScheduleRecord:
    """An inspection that is started by the clock, every `interval_minutes` and up to `jitter_minutes` by chance.

    With a `cron` expression it is started at the times that the expression names in `time_zone` (empty is UTC), and
    `interval_minutes` is 0.
    `settings` is the whole snapshot that its runs are started with. `next_at` is when it comes due, `last_at` when it
    last did, `last_run` the run that came of it; `problem` says why none came of the last time: no reason otherwise.
    """

    id: int
    name: str
    enabled: bool
    interval_minutes: int
    jitter_minutes: int
    settings: Mapping[str, Any]
    next_at: int
    last_at: int | None
    last_run: int | None
    problem: ReasonList
    saved_by: str
    saved_at: int
    cron: str = ""
    time_zone: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of a schedule; see `ScheduleRecord`."""

    name: str
    enabled: bool
    interval_minutes: int
    jitter_minutes: int
    settings: Mapping[str, Any]
    cron: str = ""
    time_zone: str = ""


def save(
    transaction: Transaction, pool_id: int, schedule_id: int | None, plan: Plan, *, next_at: int, by: str, now: int
) -> ScheduleRecord | None:
    """Store a new schedule (None) or update a known one; None is returned when it is not known."""
    values: dict[str, Any] = {name: getattr(plan, name) for name in Plan.__slots__}
    values |= {"settings": dict(plan.settings), "problem": "", "problems": []}
    values |= {"next_at": next_at, "saved_by": by, "saved_at": now}
    if schedule_id is None:
        made = transaction.execute(insert(SCHEDULES).values(pool_id=pool_id, **values).returning(SCHEDULES.c.id))
        schedule_id = made.scalar_one()
    else:
        known = (SCHEDULES.c.id == schedule_id, SCHEDULES.c.pool_id == pool_id)
        transaction.execute(update(SCHEDULES).where(*known).values(**values))
    return next((record for record in all_of(transaction, pool_id) if record.id == schedule_id), None)


def remove(transaction: Transaction, pool_id: int, schedule_id: int) -> bool:
    """Forget a schedule; false when it is not known. Its runs stay."""
    known = (SCHEDULES.c.id == schedule_id, SCHEDULES.c.pool_id == pool_id)
    return transaction.execute(delete(SCHEDULES).where(*known)).rowcount > 0


def all_of(transaction: Transaction, pool_id: int) -> tuple[ScheduleRecord, ...]:
    """Return the schedules of a pool, the oldest first."""
    rows = transaction.execute(select(SCHEDULES).where(SCHEDULES.c.pool_id == pool_id).order_by(SCHEDULES.c.id))
    records = []
    for row in rows.mappings():
        values = dict(row)
        del values["pool_id"]
        problem = ReasonList.stored(values.pop("problems"), values.pop("problem"))
        records.append(ScheduleRecord(problem=problem, **values))
    return tuple(records)


def came_due(transaction: Transaction, schedule_id: int, *, now: int, next_at: int) -> None:
    """Store that a schedule has come due, and when it does again: once, however often it was missed."""
    transaction.execute(update(SCHEDULES).where(SCHEDULES.c.id == schedule_id).values(last_at=now, next_at=next_at))


def move(transaction: Transaction, schedule_id: int, *, next_at: int) -> None:
    """Store another next time of a schedule that has not come due."""
    transaction.execute(update(SCHEDULES).where(SCHEDULES.c.id == schedule_id).values(next_at=next_at))


def started(transaction: Transaction, schedule_id: int, run_id: int | None, problem: ReasonList = NO_REASON) -> None:
    """Store the run that a schedule led to, or why it led to none."""
    values: dict[str, Any] = {"problem": problem.written, "problems": problem.as_json()}
    if run_id is not None:
        values = {"problem": "", "problems": [], "last_run": run_id}
    transaction.execute(update(SCHEDULES).where(SCHEDULES.c.id == schedule_id).values(**values))
