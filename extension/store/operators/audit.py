"""Audit of changes: a row is written before the change, and gets its outcome afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import insert, select, update

from extension.store.database.database import Transaction
from extension.store.schema.operator_tables import AUDIT

_ROW = AUDIT.c


class AuditOutcome(StrEnum):
    """Outcome of a request to change something."""

    BEGUN = "begun"
    """No outcome was recorded: the request is under way, or its process ended in between."""
    DONE = "done"
    ACCEPTED = "accepted"
    """It was handed to the worker of the gateway, which had not answered yet."""
    FAILED = "failed"
    REFUSED = "refused"
    """The caller may not do it, and nothing was tried."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One request to change something.

    `credential` names the token, never holds it. `reason` is the note of the person, `code` that of the refusal or the
    error. Times are milliseconds UTC.
    """

    id: int
    at: int
    operator: str
    credential: str
    address: str
    pool: str
    method: str
    path: str
    reason: str
    outcome: AuditOutcome
    status: int | None
    code: str
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Conditions on records; an empty one is none. `path` is a part of the path, `since` milliseconds UTC."""

    operator: str = ""
    pool: str = ""
    path: str = ""
    outcome: AuditOutcome | None = None
    since: int = 0


def add(transaction: Transaction, values: Mapping[str, object]) -> int:
    """Store a record by the names of the columns, and return its number."""
    return int(transaction.execute(insert(AUDIT).values(**values).returning(_ROW.id)).scalar_one())


def end(transaction: Transaction, record_id: int, values: Mapping[str, object]) -> None:
    """Store the outcome of a record."""
    transaction.execute(update(AUDIT).where(_ROW.id == record_id).values(**values))


def page(transaction: Transaction, conditions: AuditFilter, before: int | None, limit: int) -> tuple[AuditRecord, ...]:
    """Return records with numbers below `before`, the newest first."""
    query = select(AUDIT).order_by(_ROW.id.desc()).limit(limit)
    if before is not None:
        query = query.where(_ROW.id < before)
    if conditions.operator:
        query = query.where(_ROW.operator == conditions.operator)
    if conditions.pool:
        query = query.where(_ROW.pool == conditions.pool)
    if conditions.path:
        query = query.where(_ROW.path.contains(conditions.path, autoescape=True))
    if conditions.outcome is not None:
        query = query.where(_ROW.outcome == conditions.outcome.value)
    if conditions.since:
        query = query.where(_ROW.at >= conditions.since)
    rows = transaction.execute(query).mappings()
    return tuple(AuditRecord(**{**row, "outcome": AuditOutcome(row["outcome"])}) for row in rows)
