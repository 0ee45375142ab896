"""Days whose hours are summed up in the daily tables.

Theory of operation: the daily sums of a day count as long as the day is marked. A write to an hour of a past day (a
late event, an import, a re-rating) takes the mark away in its own transaction; readers then use the hours, which are
always exact, until the day is summed up anew.
"""

from collections.abc import Iterable, Mapping

from sqlalchemy import delete, func, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import USAGE_SUMMED_DAYS
from extension.store.schema.usage_tables import USAGE_HOURS
from extension.store.usage.dimensions import NameKind
from extension.usage.spans import DAY_HOURS

_ROW = USAGE_SUMMED_DAYS.c
_CHUNK = 400
EMPTY = -1
"""Stamp of a day before the first event."""


def summed_days(transaction: Transaction, pool_id: int, days: range) -> Mapping[int, int]:
    """Return the stamps of the days with daily sums among some consecutive ones."""
    if not days:
        return {}
    query = select(_ROW.day, _ROW.stamp).where(_ROW.pool_id == pool_id, _ROW.day >= days.start, _ROW.day < days.stop)
    marked = {row.day: row.stamp for row in transaction.execute(query)}
    # Days before the first event ever are empty, and need no sums.
    first = first_hour(transaction, pool_id)
    empty = days if first is None else range(days.start, min(days.stop, first // DAY_HOURS))
    return dict.fromkeys(empty, EMPTY) | marked


def first_hour(transaction: Transaction, pool_id: int) -> int | None:
    """Return the first hour that has requests; None when none has."""
    row = USAGE_HOURS.c
    query = select(func.min(row.hour)).where(row.pool_id == pool_id, row.dimension == NameKind.TOTAL.value)
    return transaction.execute(query).scalar()


def withdraw(transaction: Transaction, pool_id: int, hours: Iterable[int]) -> None:
    """Take away the marks of the days that some hours belong to, since the hours are about to change."""
    days = sorted({hour // DAY_HOURS for hour in hours})
    for start in range(0, len(days), _CHUNK):
        chosen = _ROW.day.in_(days[start : start + _CHUNK])
        transaction.execute(delete(USAGE_SUMMED_DAYS).where(_ROW.pool_id == pool_id, chosen))
