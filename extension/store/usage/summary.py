"""Sums over periods: whole days and hours from rollups where one serves the filter, the rest from events."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from sqlalchemy import Row, case, func, literal, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS, USAGE_HOURS
from extension.store.usage.dimensions import COLUMNS, NO_NAME, NameKind
from extension.store.usage.reading.event_figures import event_figure_columns
from extension.store.usage.reading.latency_bucket import LATENCY_BUCKET
from extension.store.usage.reading.pair_rows import counted_buckets, pair_latencies, pair_sums
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import DAYS, HOURS, Rollup, RollupLevel, rollup_sums, unit_rows, within
from extension.store.usage.records import Figures
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import Spans
from extension.usage.tokens import BUCKETS

_COUNTED: Final = ("requests", "failed", "unclassified", "inconsistent")
_HOUR_NUMBERS: Final = sum(not column.primary_key for column in USAGE_HOURS.c)
_EVENT: Final = USAGE_EVENTS.c
REST: Final = -1
"""Id under which the requests of all other names are summed up."""


def sums(query: Query, period: Period) -> dict[int, Figures]:
    """Return the figures of a period by the id of a name; of all requests under 0 where `by` is the total."""
    found: dict[int, Figures] = defaultdict(Figures)
    rollup = query.filter.rollup(query.by)
    if rollup is None:
        _add_pairs(query, period, found)
        return dict(found)
    parts = query.filter.stored.of(period)
    _add_rollups(query, rollup, parts, found)
    if query.latencies:
        _add_rollup_latencies(query, rollup, parts, found)
    for edge in parts.edges:
        _add_events(query, edge, found)
    for edge in parts.surplus:
        _add_events(query, edge, found, -1)
    return _without_empty(found) if parts.surplus else dict(found)


def _without_empty(found: Mapping[int, Figures]) -> dict[int, Figures]:
    """Leave out names and buckets of latency of which everything was taken away."""
    left = {name_id: figures for name_id, figures in found.items() if figures.requests}
    for figures in left.values():
        figures.latencies = {bucket: count for bucket, count in figures.latencies.items() if count}
    return left


def hourly_requests(transaction: Transaction, query: Query, period: Period) -> dict[int, int]:
    """Return the number of all requests of a period by UTC hour; an hour it has a part of counts that part."""
    counting = query.filter.counting_rollup()
    if counting is None:
        return _event_hours(transaction, query, period)
    found = _rollup_hours(transaction, query, *counting, period.hours) if period.hours else {}
    for edge in period.edges:
        found |= _event_hours(transaction, query, edge)
    return found


def _event_hours(transaction: Transaction, query: Query, period: Period) -> dict[int, int]:
    hour = (_EVENT.at // HOUR_MS).label("hour")
    counted = select(hour, func.count().label("requests")).where(*query.filter.conditions(period)).group_by(hour)
    return {int(row.hour): int(row.requests) for row in transaction.execute(counted)}


def _rollup_hours(
    transaction: Transaction, query: Query, rollup: Rollup, failed: bool | None, hours: range
) -> dict[int, int]:
    kind, name_id = rollup
    row = USAGE_HOURS.c
    counted = {None: row.requests, True: row.failed, False: row.requests - row.failed}[failed]
    stored = select(row.hour, counted).where(
        row.pool_id == query.pool_id,
        row.dimension == kind.value,
        row.name_id == (NO_NAME if name_id is None else name_id),
        within(row.hour, (hours,)),
    )
    return {int(hour): int(requests) for hour, requests in transaction.execute(stored).all()}


def _add_rollups(query: Query, rollup: Rollup, parts: Spans, found: dict[int, Figures]) -> None:
    for level, ranges in ((DAYS, parts.days), (HOURS, parts.hours)):
        if not ranges:
            continue
        for table, read in ((level.sums, hour_figures(query)), (level.costs, cost_figures)):
            condition = within(table.c[level.unit], ranges)
            statement = partial(rollup_sums, table, query, rollup, condition)
            for row in unit_rows(query, level, ranges, table.name, statement):
                if row.requests:
                    found[row.name_id].add(read(row))


def _add_rollup_latencies(query: Query, rollup: Rollup, parts: Spans, found: dict[int, Figures]) -> None:
    for level, ranges in ((DAYS, parts.days), (HOURS, parts.hours)):
        # Days are remembered for each name: the names shown change more often than their past.
        by_name = query.names if level is DAYS else None
        for part in (query,) if by_name is None else (replace(query, names=(name_id,)) for name_id in by_name):
            if ranges:
                _add_level_latencies(part, rollup, level, ranges, found)


def _add_level_latencies(
    query: Query, rollup: Rollup, level: RollupLevel, ranges: Sequence[range], found: dict[int, Figures]
) -> None:
    table = level.latencies
    condition, bucket = within(table.c[level.unit], ranges), (table.c.bucket,)
    statement = partial(rollup_sums, table, query, rollup, condition, bucket)
    for name_id, number, requests in unit_rows(query, level, ranges, table.name, statement):
        counts = found[name_id].latencies
        counts[number] = counts.get(number, 0) + int(requests)


def _add_pairs(query: Query, period: Period, found: dict[int, Figures]) -> None:
    """Add the figures of a period that no rollup of one dimension serves."""
    stored, pair = query.filter.stored, query.filter.pair(query.by)
    days, parts = stored.paired(pair, period)
    if pair is not None and days:
        statement = partial(pair_sums, query, pair, days)
        for row in stored.rows(statement, ("pair sums", query.event_key), days):
            if row.requests:
                found[row.name_id].add(event_figures(row))
    for part in parts:
        _add_events(replace(query, latencies=False), part, found)
    if query.latencies:
        for name_id, counted in latencies(query, period).items():
            found[name_id].add(Figures(tokens={}, latencies=counted))


def _add_events(query: Query, period: Period, found: dict[int, Figures], sign: int = 1) -> None:
    """Add the figures of the events of a period, or take them away with the sign -1."""
    rows = query.filter.stored.event_rows(lambda part: event_sums(query, part, ()), ("sums", query.event_key), period)
    for row in rows:
        if row.requests:
            found[row.name_id].add(event_figures(row), sign)
    if query.latencies:
        for name_id, counted in _event_latencies(query, (period,)).items():
            found[name_id].add(Figures(tokens={}, latencies=counted), sign)


def latencies(query: Query, period: Period) -> dict[int, Counter[int]]:
    """Count the requests of a period, which no rollup of one dimension serves, by name and bucket of latency."""
    stored, pair = query.filter.stored, query.filter.pair(query.by)
    days, parts = stored.paired(pair, period)
    counts = _event_latencies(query, parts)
    if pair is not None and days:
        texts: dict[int, list[str]] = defaultdict(list)
        statement = partial(pair_latencies, query, pair, days)
        rows: Iterable[Any] = stored.rows(statement, ("pair latencies", query.event_key), days)
        for name_id, text in rows:
            texts[name_id].append(text)
        for name_id, found in texts.items():
            counts[name_id] += counted_buckets(found)
    return counts


def _event_latencies(query: Query, parts: Sequence[Period]) -> dict[int, Counter[int]]:
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    question = ("latencies", query.event_key)
    for part in parts:
        rows: Iterable[Any] = query.filter.stored.event_rows(partial(event_latencies, query), question, part)
        for name_id, bucket, requests in rows:
            counts[name_id][bucket] += int(requests)
    return counts


def event_latencies(query: Query, period: Period, more: Sequence[Any] = ()) -> Any:
    """Return a statement that counts the events of a period by bucket of latency; `more` are columns to group by."""
    return _from_events(query, period, (*more, LATENCY_BUCKET), (func.count().label("requests"),))


def event_sums(query: Query, period: Period, more: Sequence[Any]) -> Any:
    """Return a statement that sums the events of a period; `more` are columns to group by."""
    return _from_events(query, period, more, event_figure_columns(buckets=query.buckets))


def _from_events(query: Query, period: Period, more: Sequence[Any], figures: Sequence[Any]) -> Any:
    total = query.by is NameKind.TOTAL
    name: Any = literal(NO_NAME) if total else _EVENT[COLUMNS[query.by]]
    conditions = [*query.filter.conditions(period)]
    if query.rest:
        name = case((name.in_(query.names or ()), name), else_=REST)
    elif query.names is not None:
        conditions.append(name.in_(query.names))
    if query.by is NameKind.FAILURE and not query.rest:
        conditions.append(_EVENT.failure_id != NO_NAME)
    groups = (*(() if total else ("name_id",)), *more)
    chosen = select(name.label("name_id"), *more, *figures).where(*conditions)
    return chosen.group_by(*(each.name if each is LATENCY_BUCKET else each for each in groups))


def event_figures(row: Row[Any]) -> Figures:
    """Return the figures of a row of `event_sums`."""
    return _figures(row, int(row.priced), int(row.incomplete))


def hour_figures(query: Query) -> Callable[[Row[Any]], Figures]:
    """Return the reader of rows of hours or days."""
    return _all_figures if query.buckets else _chart_figures


def _chart_figures(row: Row[Any]) -> Figures:
    return Figures(int(row.requests), int(row.failed), total=int(row.total))


def _all_figures(row: Row[Any]) -> Figures:
    # By place, since a chart has thousands of rows: the numbers of the table come last, in its order.
    requests, failed, unclassified, inconsistent, *tokens, total = map(int, row[-_HOUR_NUMBERS:])
    return Figures(
        requests, failed, unclassified, inconsistent, tokens=dict(zip(BUCKETS, tokens, strict=True)), total=total
    )


def cost_figures(row: Row[Any]) -> Figures:
    """Return the figures of a row of costs."""
    return with_costs(Figures(tokens={}), row)


def with_costs(figures: Figures, row: Row[Any]) -> Figures:
    """Add a row of costs to figures, and return them."""
    figures.pico_usd += int(row.pico_usd)
    figures.priced += int(row.requests)
    figures.incomplete += int(row.incomplete)
    return figures


def _figures(row: Row[Any], priced: int, incomplete: int) -> Figures:
    values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001 - the documented way to read a row by name
    counted: dict[str, Any] = {name: int(values[name]) for name in _COUNTED if name in values}
    return Figures(
        **counted,
        tokens={name: int(values[name]) for name in BUCKETS if name in values},
        total=int(values["total"]),
        pico_usd=int(values["pico_usd"]) if priced else 0,
        priced=priced,
        incomplete=incomplete,
    )
