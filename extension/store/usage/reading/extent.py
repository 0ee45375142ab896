"""Extent of stored usage: from the first hour with a request to the end of the last."""

from typing import Final

from sqlalchemy import func, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_HOURS
from extension.store.usage.dimensions import NameKind
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.spans import DAY_HOURS

_ROW: Final = USAGE_HOURS.c


def extent(transaction: Transaction, pool_id: int) -> Period:
    """Return the whole hours around every request of a pool; an empty period where there is none."""
    # One end each, so that both are looked up in the primary key instead of read from every hour.
    ends = []
    for end in (func.min(_ROW.hour), func.max(_ROW.hour)):
        query = select(end).where(_ROW.pool_id == pool_id, _ROW.dimension == NameKind.TOTAL.value)
        ends.append(transaction.execute(query).scalar())
    first, last = ends
    return Period(0, 0) if first is None or last is None else Period(first * HOUR_MS, (last + 1) * HOUR_MS)


def extent_in_days(transaction: Transaction, pool_id: int) -> Period:
    """Return the whole UTC days around every request of a pool, of which there may be sums by two names."""
    found, day = extent(transaction, pool_id), DAY_HOURS * HOUR_MS
    return Period(found.start // day * day, -(-found.end // day) * day)
