"""Making of the sums of the ends of days, from the events of days whose pairs are summed up.

Theory of operation: a pair is summed up only while all events of its day are there, and an end only of a day with such
a pair whose events the retention has left alone. Its sums carry the stamp of the day's own sums, as those of the pair
do, so a write to the day voids both.
"""

from typing import Any, Final

from sqlalchemy import and_, delete, func, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import (
    USAGE_DAY_ENDS,
    USAGE_PAIRED_DAYS,
    USAGE_SUMMED_DAYS,
    USAGE_SUMMED_ENDS,
)
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.collectors import state
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.pairs.event_sums import sum_events
from extension.store.usage.pairs.wanted_ends import forget

FEWEST_ROWS: Final = 1_000
"""Rows of one end of a day that are always stored."""
_EVENTS_A_ROW: Final = 3
"""Events for each row on a day with more."""
_EVENT: Final = USAGE_EVENTS.c
_MARK: Final = USAGE_SUMMED_ENDS.c
_PAIR: Final = USAGE_PAIRED_DAYS.c
_ROW: Final = USAGE_DAY_ENDS.c
_SUMMED: Final = USAGE_SUMMED_DAYS.c


def unsummed(transaction: Transaction, pool_id: int, end: DayEnd) -> list[int]:
    """Return the days with sums of the pair of an end but not of the end itself, the newest first."""
    paired = and_(_PAIR.pool_id == _SUMMED.pool_id, _PAIR.day == _SUMMED.day, _PAIR.stamp == _SUMMED.stamp)
    looked_at = and_(
        _MARK.pool_id == _SUMMED.pool_id,
        _MARK.day == _SUMMED.day,
        _MARK.stamp == _SUMMED.stamp,
        _MARK.pair == end.pair.number,
        _MARK.minutes == end.minutes,
    )
    query = (
        select(_SUMMED.day)
        .select_from(USAGE_SUMMED_DAYS.join(USAGE_PAIRED_DAYS, paired).outerjoin(USAGE_SUMMED_ENDS, looked_at))
        .where(_SUMMED.pool_id == pool_id, _PAIR.pair == end.pair.number, _PAIR.rows.is_not(None), _MARK.day.is_(None))
        .order_by(_SUMMED.day.desc())
    )
    kept_from = _kept_from(transaction, pool_id)
    return [day for day in transaction.execute(query).scalars() if end.of(day).start >= kept_from]


def sum_end(transaction: Transaction, pool_id: int, day: int, end: DayEnd) -> None:
    """Sum up an end of a day in place of its sums before; a day that has changed since `unsummed` is left alone."""
    if day not in unsummed(transaction, pool_id, end):
        return
    stamp = transaction.execute(select(_SUMMED.stamp).where(_SUMMED.pool_id == pool_id, _SUMMED.day == day)).scalar()
    _delete(transaction, pool_id, end, day)
    period = end.of(day)
    within = (_EVENT.pool_id == pool_id, _EVENT.at >= period.start, _EVENT.at < period.end)
    keys = {"pool_id": pool_id, "pair": end.pair.number, "minutes": end.minutes, "day": day}
    rows: int | None = sum_events(transaction, USAGE_DAY_ENDS, keys, end.pair, within)
    events = transaction.execute(select(func.coalesce(func.sum(_ROW.requests), 0)).where(*_of(_ROW, keys))).scalar_one()
    if (rows or 0) > max(FEWEST_ROWS, events // _EVENTS_A_ROW):
        transaction.execute(delete(USAGE_DAY_ENDS).where(*_of(_ROW, keys)))
        rows = None
    transaction.execute(insert(USAGE_SUMMED_ENDS).values(**keys, stamp=stamp, rows=rows))


def remove(transaction: Transaction, pool_id: int, end: DayEnd) -> None:
    """Remove all sums of an end, and forget that it was asked for."""
    _delete(transaction, pool_id, end, None)
    forget(transaction, pool_id, end)


def _delete(transaction: Transaction, pool_id: int, end: DayEnd, day: int | None) -> None:
    keys = {"pool_id": pool_id, "pair": end.pair.number, "minutes": end.minutes}
    keys |= {} if day is None else {"day": day}
    for table in (USAGE_DAY_ENDS, USAGE_SUMMED_ENDS):
        transaction.execute(delete(table).where(*_of(table.c, keys)))


def _of(columns: Any, keys: dict[str, int]) -> tuple[Any, ...]:
    return tuple(columns[name] == key for name, key in keys.items())


def _kept_from(transaction: Transaction, pool_id: int) -> int:
    collected = state(transaction, pool_id)
    return 0 if collected is None else collected.pruned_before
