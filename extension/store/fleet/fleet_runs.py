"""Fleet runs: one row for an inspection of several gateways, whose parts are ordinary runs with its number."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.fleet_tables import FLEET_RUNS
from extension.store.schema.tables import RUNS

_ROW = FLEET_RUNS.c


@dataclass(frozen=True, slots=True)
class FleetRunRecord:
    """An inspection of the gateways with some labels, with the JSON form of its settings. Times in ms UTC."""

    id: int
    started_by: str
    started_at: int
    labels: Mapping[str, str]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunPart:
    """The run of one gateway in a fleet run."""

    pool_id: int
    id: int
    state: str
    done: int
    total: int
    verdicts: Mapping[str, int]


def add(
    transaction: Transaction, actor: str, labels: Mapping[str, str], settings: Mapping[str, Any], now: int
) -> FleetRunRecord:
    """Store a fleet run without parts."""
    values = {"started_by": actor, "started_at": now, "labels": dict(labels), "settings": dict(settings)}
    return _record(transaction.execute(insert(FLEET_RUNS).values(values).returning(FLEET_RUNS)).mappings().one())


def get(transaction: Transaction, fleet_run_id: int) -> FleetRunRecord | None:
    """Return a fleet run, or None."""
    row = transaction.execute(select(FLEET_RUNS).where(_ROW.id == fleet_run_id)).mappings().one_or_none()
    return None if row is None else _record(row)


def recent(transaction: Transaction, limit: int) -> tuple[FleetRunRecord, ...]:
    """Return the newest fleet runs, newest first."""
    rows = transaction.execute(select(FLEET_RUNS).order_by(_ROW.id.desc()).limit(limit)).mappings()
    return tuple(_record(row) for row in rows)


def parts(transaction: Transaction, fleet_run_id: int) -> tuple[RunPart, ...]:
    """Return the runs of a fleet run."""
    columns = [RUNS.c[name] for name in RunPart.__slots__]
    rows = transaction.execute(select(*columns).where(RUNS.c.fleet_run_id == fleet_run_id)).mappings()
    return tuple(RunPart(**row) for row in rows)


def _record(row: RowMapping) -> FleetRunRecord:
    return FleetRunRecord(**row)
