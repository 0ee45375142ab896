"""Parts of one hour each: rows of hours as they are stored, those of past days remembered."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Row, Table, select

from extension.store.usage.charts.day_parts import put
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import (
    HOURS,
    Rollup,
    numbers_of,
    rollup_conditions,
    shown_name,
    within,
)
from extension.store.usage.records import Figures
from extension.store.usage.summary import hour_figures, with_costs
from extension.usage.calendar import Period
from extension.usage.spans import DAY_HOURS


def add_single_hours(query: Query, rollup: Rollup, whole: Period, found: Sequence[dict[int, Figures]]) -> None:
    """Add the hours of a period to the parts that they are."""
    first, read = whole.hours.start, hour_figures(query)
    for row in _rows(HOURS.sums, query, rollup, whole):
        if row.requests:
            put(found[row.hour - first], row.name_id, read(row))
    for row in _rows(HOURS.costs, query, rollup, whole):
        if row.requests:
            with_costs(found[row.hour - first][row.name_id], row)
    if query.latencies:
        for row in _rows(HOURS.latencies, query, rollup, whole):
            found[row.hour - first][row.name_id].latencies[row.bucket] = row.requests


def _rows(table: Table, query: Query, rollup: Rollup, whole: Period) -> Iterable[Row[Any]]:
    stored = query.filter.stored
    parts = stored.of(whole)
    for days in parts.days:
        hours = range(days.start * DAY_HOURS, days.stop * DAY_HOURS)
        question = ("single hours", table.name, query.key)
        yield from stored.rows(partial(_reading, table, query, rollup, (hours,)), question, (days,))
    if parts.hours:
        yield from stored.read(lambda: _reading(table, query, rollup, parts.hours))


def _reading(table: Table, query: Query, rollup: Rollup, hours: Sequence[range]) -> Any:
    bucket = (table.c.bucket,) if table is HOURS.latencies else ()
    chosen = (shown_name(table, query), table.c.hour, *bucket, *numbers_of(table, query))
    return select(*chosen).where(*rollup_conditions(table, query, rollup), within(table.c.hour, hours))
