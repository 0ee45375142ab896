"""Ranking of names by a count, without the sums that only the first of them need.

Theory of operation: a table or chart shows some of thousands of accounts. Their order needs one number of each; tokens,
costs and latencies are then read of those shown.
"""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any, Literal

from sqlalchemy import BigInteger, cast, func, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.dimensions import COLUMNS, NO_NAME, NameKind
from extension.store.usage.reading.pair_rows import pair_counts
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import DAYS, HOURS, unit_rows, within
from extension.usage.calendar import Period
from extension.usage.spans import Spans

Count = Literal["requests", "failed"]


def ranking(transaction: Transaction, query: Query, period: Period, count: Count = "requests") -> tuple[int, ...]:
    """Return the ids of the names with requests in a period, the largest count first, equal ones by their ids.

    Names without failures are left out of a ranking by failures.
    """
    found: Counter[int] = Counter()
    rollup = query.filter.rollup(query.by)
    parts = _in_pairs(query, period, count, found) if rollup is None else query.filter.stored.of(period)
    for level, ranges in ((DAYS, parts.days), (HOURS, parts.hours)):
        if ranges and rollup is not None:
            table = level.sums
            condition = within(table.c[level.unit], ranges)
            statement = partial(_in_rollup, table, query, rollup, condition, count)
            for name_id, number in unit_rows(query, level, ranges, (table.name, count), statement):
                found[name_id] += number
    for edge in parts.edges:
        for name_id, number in transaction.execute(_in_events(query, edge, count)).all():
            found[name_id] += number
    for edge in parts.surplus:
        for name_id, number in transaction.execute(_in_events(query, edge, count)).all():
            found[name_id] -= number
    return tuple(sorted((name_id for name_id in found if found[name_id]), key=lambda each: (-found[each], each)))


def _in_pairs(query: Query, period: Period, count: Count, found: Counter[int]) -> Spans:
    """Count what sums of pairs hold, and return the rest."""
    stored, pair = query.filter.stored, query.filter.pair(query.by)
    days, parts = stored.paired(pair, period)
    if pair is not None and days:
        question = ("pair counts", count, query.event_key)
        rows: Iterable[Any] = stored.rows(partial(pair_counts, query, pair, days, count), question, days)
        for name_id, number in rows:
            found[name_id] += number
    return Spans((), (), parts)


def _in_rollup(table: Any, query: Query, rollup: tuple[NameKind, int | None], wanted: Any, count: Count) -> Any:
    kind, name_id = rollup
    row = table.c
    conditions = [row.pool_id == query.pool_id, row.dimension == kind.value, wanted]
    if name_id is not None:
        conditions.append(row.name_id == name_id)
    return select(row.name_id, cast(func.sum(row[count]), BigInteger)).where(*conditions).group_by(row.name_id)


def _in_events(query: Query, period: Period, count: Count) -> Any:
    row = USAGE_EVENTS.c
    name = row[COLUMNS[query.by]]
    conditions = [*query.filter.conditions(period)]
    if count == "failed" or query.by is NameKind.FAILURE:
        conditions.append(row.failure_id != NO_NAME)
    return select(name, func.count()).where(*conditions).group_by(name)
