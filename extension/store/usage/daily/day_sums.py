"""Making of daily sums from the hours of a day."""

import secrets
from typing import Any, Final

from sqlalchemy import Table, delete, func, insert, literal, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import (
    USAGE_DAY_COSTS,
    USAGE_DAY_LATENCIES,
    USAGE_DAYS,
    USAGE_SUMMED_DAYS,
)
from extension.store.schema.usage_tables import USAGE_COSTS, USAGE_HOURS, USAGE_LATENCIES
from extension.store.usage.daily.summed_days import first_hour, summed_days
from extension.store.usage.dimensions import ROLLED_UP, NameKind
from extension.usage.spans import DAY_HOURS

_TABLES: Final = (
    (USAGE_HOURS, USAGE_DAYS),
    (USAGE_LATENCIES, USAGE_DAY_LATENCIES),
    (USAGE_COSTS, USAGE_DAY_COSTS),
)
_EMPTY_DAYS: Final = 400
_DIMENSIONS: Final = tuple(kind.value for kind in ROLLED_UP)


def unsummed(transaction: Transaction, pool_id: int, before: int) -> list[int]:
    """Return the days before one that have no daily sums, the newest first.

    Days without any request are among them where they are recent: a chart over them then reads days alone.
    """
    row = USAGE_HOURS.c
    first = first_hour(transaction, pool_id)
    if first is None:
        return []
    hours = (
        select(row.hour // DAY_HOURS)
        .distinct()
        .where(row.pool_id == pool_id, row.dimension == NameKind.TOTAL.value, row.hour < before * DAY_HOURS)
    )
    wanted = {int(day) for day in transaction.execute(hours).scalars()}
    wanted |= set(range(max(first // DAY_HOURS, before - _EMPTY_DAYS), before))
    return sorted(wanted - set(summed_days(transaction, pool_id, range(first // DAY_HOURS, before))), reverse=True)


def sum_day(transaction: Transaction, pool_id: int, day: int) -> None:
    """Sum up the hours of a day in place of its sums before, and mark it."""
    for hourly, daily in _TABLES:
        transaction.execute(delete(daily).where(daily.c.pool_id == pool_id, _in_dimensions(daily), daily.c.day == day))
        transaction.execute(_summing(hourly, daily, pool_id, day))
    mark = USAGE_SUMMED_DAYS
    transaction.execute(delete(mark).where(mark.c.pool_id == pool_id, mark.c.day == day))
    transaction.execute(insert(mark).values(pool_id=pool_id, day=day, stamp=1 + secrets.randbits(62)))


def _summing(hourly: Table, daily: Table, pool_id: int, day: int) -> Any:
    row = hourly.c
    keys = [column for column in hourly.primary_key if column.name != "hour"]
    numbers = [column for column in row if not column.primary_key]
    source = (
        select(*keys, literal(day), *(func.sum(column) for column in numbers))
        .where(
            row.pool_id == pool_id,
            _in_dimensions(hourly),
            row.hour >= day * DAY_HOURS,
            row.hour < (day + 1) * DAY_HOURS,
        )
        .group_by(*keys)
    )
    names = [*(column.name for column in keys), "day", *(column.name for column in numbers)]
    return insert(daily).from_select(names, source)


def _in_dimensions(table: Table) -> Any:
    """Name every dimension, so that the primary key is searched for a time, and not read as a whole."""
    return table.c.dimension.in_(_DIMENSIONS)
