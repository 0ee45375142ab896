"""Days of which one end is summed up by the names of a pair of dimensions."""

from sqlalchemy import and_, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import USAGE_SUMMED_DAYS, USAGE_SUMMED_ENDS
from extension.store.usage.daily.day_end import DayEnd

_MARK = USAGE_SUMMED_ENDS.c
_SUMMED = USAGE_SUMMED_DAYS.c


def summed_ends(transaction: Transaction, pool_id: int, end: DayEnd, days: range) -> frozenset[int]:
    """Return the days with sums of an end, among some consecutive ones, whose day has not changed since."""
    unchanged = and_(_SUMMED.pool_id == _MARK.pool_id, _SUMMED.day == _MARK.day, _SUMMED.stamp == _MARK.stamp)
    query = (
        select(_MARK.day)
        .select_from(USAGE_SUMMED_ENDS.join(USAGE_SUMMED_DAYS, unchanged))
        .where(
            _MARK.pool_id == pool_id,
            _MARK.pair == end.pair.number,
            _MARK.minutes == end.minutes,
            _MARK.day >= days.start,
            _MARK.day < days.stop,
            _MARK.rows.is_not(None),
        )
    )
    return frozenset(transaction.execute(query).scalars())
