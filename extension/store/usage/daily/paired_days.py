"""Days whose events are summed up by the names of a pair of dimensions."""

from sqlalchemy import and_, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import USAGE_PAIRED_DAYS, USAGE_SUMMED_DAYS
from extension.store.usage.daily.dimension_pairs import DimensionPair

_MARK = USAGE_PAIRED_DAYS.c
_SUMMED = USAGE_SUMMED_DAYS.c


def paired_days(transaction: Transaction, pool_id: int, pair: DimensionPair, days: range) -> frozenset[int]:
    """Return the days with sums of a pair, among some consecutive ones, whose day has not changed since."""
    if not days:
        return frozenset()
    unchanged = and_(_SUMMED.pool_id == _MARK.pool_id, _SUMMED.day == _MARK.day, _SUMMED.stamp == _MARK.stamp)
    query = (
        select(_MARK.day)
        .select_from(USAGE_PAIRED_DAYS.join(USAGE_SUMMED_DAYS, unchanged))
        .where(
            _MARK.pool_id == pool_id,
            _MARK.pair == pair.number,
            _MARK.day >= days.start,
            _MARK.day < days.stop,
            _MARK.rows.is_not(None),
        )
    )
    return frozenset(transaction.execute(query).scalars())
